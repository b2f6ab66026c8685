// The part of the page that reads PDFs: its clicks and keys go to Python through a hidden component of its own.
// Pictures come once and are kept here, so that a new box over a page does not send the page again.
(() => {
  "use strict";
  const read = (window.wlens.read = {});
  const STEPS = [0.5, 0.75, 1, 1.4, 2, 3, 4];
  let trigger = () => {};
  let pressed = null;
  let zoom = 1;
  let file = "";
  let picture = null;
  const thumbs = new Map(), asked = new Set();
  const partOf = (element) => element.closest("[id^=wl-read-]");
  const act = (what, value) => trigger("act", { what, value });
  const root = () => document.querySelector("#wl-read");

  read.connect = (send) => {
    trigger = send;
    window.wlens.opens("pdf", send);
  };
  read.figure = (element, props, watch, what) =>
    window.wlens.figure(element, props, watch, (value) => act(what, value));
  read.address = (parts) => {
    window.wlens.putAddress("pdf", parts);
    document.querySelectorAll('button[data-read="example"]').forEach((card) => {
      card.ariaCurrent = String(card.dataset.value === (parts || {}).example);
    });
  };

  // ---- pictures
  const only = (uri) => /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/=]*$/.test(uri);
  read.keepPicture = (found) => {
    picture = found && only(found.uri) ? found : null;
    fillPicture();
  };
  const fillPicture = () => {
    const image = document.querySelector("#wl-read-page img[data-picture]");
    const fits = image && picture && picture.key === image.dataset.key && picture.page === Number(image.dataset.picture);
    if (fits && image.src !== picture.uri) {
      image.onload = showLit;
      image.src = picture.uri;
    } else showLit();
  };
  read.keepThumbs = (found) => {
    asked.clear();
    if (!found) return;
    if (found.key !== file) thumbs.clear();
    file = found.key;
    Object.entries(found.uris).forEach(([page, uri]) => only(uri) && thumbs.set(page, uri));
    fillThumbs();
  };
  const fillThumbs = () => document.querySelectorAll("#wl-read-strip .wl-face").forEach((face) => {
    const kept = face.dataset.key === file && thumbs.get(face.dataset.thumb);
    if (kept) face.style.backgroundImage = `url("${kept}")`;
  });
  const sight = new IntersectionObserver((entries) => {
    const wanted = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target.dataset)
      .filter((face) => !(face.key === file && thumbs.has(face.thumb)) && !asked.has(face.key + face.thumb));
    if (!wanted.length) return;
    wanted.forEach((face) => asked.add(face.key + face.thumb));
    trigger("thumbs", { pages: wanted.map((face) => Number(face.thumb)) });
  }, { rootMargin: "800px 200px" }); // a screen ahead

  // ---- what is drawn anew keeps its focus, its scroll and its pictures
  const scrolled = {};
  document.addEventListener("scroll", (event) => {
    const strip = event.target.closest?.(".wl-strip");
    if (strip) scrolled.strip = strip.scrollLeft;
  }, true);
  read.part = (element, watch, name) => watch("value", () => {
    if (name === "strip") redrawStrip(element);
    refocus(element);
  });
  const redrawStrip = (element) => {
    const strip = element.querySelector(".wl-strip");
    if (!strip) return;
    strip.scrollLeft = scrolled.strip || 0;
    fillThumbs();
    sight.disconnect();
    strip.querySelectorAll(".wl-face").forEach((face) => sight.observe(face));
    const chosen = strip.querySelector(".is-selected");
    if (!chosen) return;
    const left = chosen.offsetLeft - strip.offsetLeft, right = left + chosen.offsetWidth;
    if (left < strip.scrollLeft || right > strip.scrollLeft + strip.clientWidth) {
      strip.scrollLeft = left - (strip.clientWidth - chosen.offsetWidth) / 2;
    }
  };
  const refocus = (element) => {
    if (!pressed || pressed.part !== partOf(element)?.id) return;
    if (document.activeElement !== document.body && !element.contains(document.activeElement)) return;
    const { read: what, value } = pressed;
    if (pressed.step) return void element.querySelector(".is-selected")?.focus({ preventScroll: true });
    const again = [...element.querySelectorAll(`button[data-read="${what}"]:not([disabled])`)];
    (again.find((button) => button.dataset.value === value) || again[0])?.focus({ preventScroll: true });
  };
  read.page = (element, watch) => {
    watch("value", () => {
      document.querySelector("#wl-read-page")?.removeAttribute("aria-busy");
      setZoom(zoom);
      fillPicture();
      refocus(element);
    });
    fillPicture();
  };
  const showLit = () => {
    const pane = document.querySelector("#wl-read-page"), lit = pane?.querySelector(".wl-box.is-lit");
    if (!lit) return;
    const box = lit.getBoundingClientRect(), seen = pane.getBoundingClientRect();
    if (box.top < seen.top || box.bottom > seen.bottom) pane.scrollTop += box.top - seen.top - seen.height / 3;
    if (box.left < seen.left || box.right > seen.right) pane.scrollLeft += box.left - seen.left - seen.width / 4;
  };

  // ---- zoom
  const setZoom = (to) => {
    zoom = Math.min(Math.max(to, STEPS[0]), STEPS[STEPS.length - 1]);
    document.querySelector("#wl-read-page")?.style.setProperty("--wl-zoom", zoom);
  };
  const zooms = {
    in: () => setZoom(STEPS.find((step) => step > zoom + 0.01) || zoom),
    out: () => setZoom([...STEPS].reverse().find((step) => step < zoom - 0.01) || zoom),
    fit: () => setZoom(1),
  };

  // ---- clicks
  const choose = (target) => {
    pressed = target.tagName === "BUTTON" ? { ...target.dataset, part: partOf(target)?.id } : null;
    if (["page", "clue", "cite", "go"].includes(target.dataset.read)) {
      document.querySelector("#wl-read-page")?.setAttribute("aria-busy", "true");
      if (root()) root().dataset.picked = "yes"; // on a small screen the page now comes up as a sheet
    }
    act(target.dataset.read, target.dataset.value);
  };
  document.addEventListener("click", (event) => {
    const by = event.target.closest?.("button[data-zoom]");
    if (by) return void zooms[by.dataset.zoom]?.();
    if (event.target.closest?.("summary")) return;
    const target = event.target.closest?.("[data-read]");
    if (!target || target.disabled || (target.tagName === "TR" && String(getSelection()))) return;
    choose(target);
  });

  // ---- keys: arrows step through the pages, + and - zoom, Escape closes the page
  const TYPING = "input, textarea, select, [contenteditable], [role=slider], [role=tab], [role=radio], [role=listbox]";
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
    if (!root()?.offsetParent) return;
    const to = { ArrowLeft: "previous", ArrowRight: "next", Escape: "none" }[event.key];
    const by = { "+": "in", "=": "in", "-": "out", "0": "fit" }[event.key];
    if (!to && !by) return;
    event.preventDefault();
    if (by) return void zooms[by]();
    pressed = event.target.closest?.("#wl-read-strip") ? { read: "page", part: "wl-read-strip", step: true } : null;
    act("go", to);
  });
})();
