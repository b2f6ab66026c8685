// The part of the page that goes through wrong answers: its clicks and keys go to Python through a hidden component.
// The views of one run are those of other tabs: inside this tab their clicks belong to it.
(() => {
  "use strict";
  const errors = (window.wlens.errors = {});
  const STEPS = [0.5, 0.75, 1, 1.4, 2, 3, 4];
  const WHO = "w-lens.reviewer";
  let trigger = () => {};
  let pressed = null;
  let picture = null;
  let zoom = 1;
  const root = () => document.querySelector("#wl-errors");
  const act = (what, value) => trigger("act", { what, value });

  errors.connect = (send) => {
    trigger = send;
    window.wlens.opens("errors", send, () => ({ reviewer: errors.reviewer() }));
  };
  errors.figure = (element, props, watch, name) => window.wlens.figure(element, props, watch, (value) => act(name, value));
  errors.address = (parts) => window.wlens.putAddress("errors", parts);
  errors.download = (file) => {
    if (!file || !file.base64) return void window.wlens.download(file);
    const bytes = Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0));
    window.wlens.download({ ...file, text: bytes });
  };

  // ---- who labels: the name that this browser gave last
  errors.reviewer = () => {
    try { return localStorage.getItem(WHO) || ""; } catch { return ""; }
  };
  const keepReviewer = (field) => {
    try { localStorage.setItem(WHO, field.value); } catch { /* a browser that keeps nothing */ }
  };

  // ---- what is drawn anew keeps its focus, and shows what is open
  errors.keepFocus = (element, watch) => watch("value", () => {
    if (element.closest("#wl-errors-table")) requestAnimationFrame(() => showOpen(element.closest("#wl-errors-table")));
    if (element.id === "wl-errors-reader") fillPicture();
    if (!pressed || !(document.activeElement === document.body || element.contains(document.activeElement))) return;
    if (pressed.part !== element.id) return;
    const same = `[data-errors="${CSS.escape(pressed.errors)}"][data-value="${CSS.escape(pressed.value)}"]`;
    const stepped = pressed.errors === "open" && element.querySelector("tr.is-open [data-errors=open]");
    (stepped || element.querySelector(same))?.focus({ preventScroll: true });
  });
  const showOpen = (element) => {
    const row = element.querySelector("tr.is-open");
    if (!row) return;
    const at = row.getBoundingClientRect(), seen = element.getBoundingClientRect();
    if (at.top < seen.top + 32) element.scrollTop += at.top - seen.top - 40;
    if (at.bottom > seen.bottom) element.scrollTop += at.bottom - seen.bottom + 8;
  };

  // ---- the picture of a page
  errors.keepPicture = (found) => {
    picture = found && /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/=]*$/.test(found.uri) ? found : null;
    fillPicture();
  };
  const fillPicture = () => {
    const image = document.querySelector("#wl-errors-reader img[data-picture]");
    if (image && picture && picture.key === image.dataset.key && picture.page === Number(image.dataset.picture)) image.src = picture.uri;
    setZoom(zoom);
  };
  const setZoom = (to) => {
    zoom = Math.min(Math.max(to, STEPS[0]), STEPS[STEPS.length - 1]);
    document.querySelector("#wl-errors-reader")?.style.setProperty("--wl-zoom", zoom);
  };
  const zooms = {
    in: () => setZoom(STEPS.find((step) => step > zoom + 0.01) || zoom),
    out: () => setZoom([...STEPS].reverse().find((step) => step < zoom - 0.01) || zoom),
    fit: () => setZoom(1),
  };

  // ---- clicks; those of borrowed views are taken before the tabs that they come from see them
  const borrowed = (target) => {
    const { document: at, go, read, value, zoom: by } = target.dataset;
    if (by !== undefined) return void zooms[by]?.();
    if (read !== undefined) return void act(`read:${read}`, value ?? "");
    if (go !== undefined) return void act("go", go);
    act("document", at);
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#wl-errors")) return;
    const target = event.target.closest("[data-document]:not([data-errors]), button[data-go], [data-read], button[data-zoom]");
    if (!target || event.target.closest("summary")) return;
    event.stopPropagation();
    if (!target.disabled && !(target.tagName === "TR" && String(getSelection()))) borrowed(target);
  }, true);
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-errors]");
    if (button) {
      const part = button.closest("[id^=wl-errors-]");
      pressed = { ...button.dataset, part: part ? part.id : "" };
      return void act(button.dataset.errors, button.dataset.value);
    }
    const row = event.target.closest?.("tr[data-row-number]");
    if (row && !String(getSelection())) act("open", row.dataset.rowNumber);
  });
  document.addEventListener("change", (event) => {
    const box = event.target.closest?.("select[data-errors]");
    if (box) return void act(box.dataset.errors, box.value);
    const field = event.target.closest?.("#wl-errors-reviewer input, #wl-errors-reviewer textarea");
    if (field) keepReviewer(field);
  });

  // ---- keys: j and k (or the arrows, in the table) step through the questions, left and right through the documents
  const TYPING = "input, textarea, select, [contenteditable], [role=slider], [role=tab], [role=listbox]";
  let steps = 0, waiting = 0;
  const step = (by) => {
    steps += by; // a key that is held down becomes one longer step
    if (waiting) return;
    waiting = setTimeout(() => {
      act("step", steps);
      steps = waiting = 0;
    }, 60);
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !root()?.offsetParent) return;
    if (event.target.closest?.(TYPING)) return;
    const inTable = event.target.closest?.("#wl-errors-table");
    const by = { j: 1, k: -1, ...(inTable ? { ArrowDown: 1, ArrowUp: -1 } : {}) }[event.key];
    const to = { ArrowLeft: "previous", ArrowRight: "next", Escape: "none" }[event.key];
    if (!by && !to) return;
    event.preventDefault();
    if (!by) return void act("go", to);
    pressed = inTable ? { errors: "open", value: "", part: "wl-errors-table" } : null;
    step(by);
  });
})();
