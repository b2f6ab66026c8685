// The part of the page that compares systems: its clicks go to Python through a hidden component of its own.
(() => {
  "use strict";
  const compare = (window.wlens.compare = {});
  let send = () => {};
  let pressed = null;
  const act = (what, value) => send("act", { what, value });

  compare.connect = (trigger) => {
    send = trigger;
    window.wlens.opens("compare", trigger);
  };
  compare.figure = (element, props, watch) =>
    window.wlens.figure(element, props, watch, (document_) => act("document", document_));
  compare.address = (parts) => {
    window.wlens.putAddress("compare", parts);
    document.querySelectorAll('button[data-compare="example"]').forEach((card) => {
      card.ariaCurrent = String(card.dataset.value === (parts || {}).example);
    });
  };

  // What was pressed keeps the focus when its surroundings are drawn anew; a number, in its own column.
  const COLUMN = ".wl-column";
  compare.keepFocus = (element, watch) => watch("value", () => {
    if (!pressed || !(document.activeElement === document.body || element.contains(document.activeElement))) return;
    if (pressed.part !== element.id) return;
    const place = element.querySelectorAll(COLUMN)[pressed.column] || element;
    const same = `[data-compare="${pressed.what}"][data-value="${CSS.escape(pressed.value)}"]`;
    place.querySelector(same)?.focus({ preventScroll: true });
  });
  const remember = (target) => {
    const part = target.closest("[id^=wl-compare-]"), column = target.closest(COLUMN);
    const { compare: what, value } = target.dataset;
    pressed = { what, value, part: part && part.id, column: column ? [...column.parentElement.children].indexOf(column) : -1 };
  };
  document.addEventListener("click", (event) => {
    const row = event.target.closest?.("button[data-compare-row]");
    if (row) return void send("row", { row: Number(row.dataset.compareRow) });
    const target = event.target.closest?.("button[data-compare]");
    if (!target) return;
    remember(target);
    act(target.dataset.compare, target.dataset.value);
  });
  // Keys: arrows step through the documents, Escape lets go of one.
  const TYPING = "input, textarea, select, [contenteditable], [role=slider], [role=tab], [role=radio], [role=listbox]";
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
    const to = { ArrowLeft: "previous", ArrowRight: "next", Escape: "none" }[event.key];
    if (!to || !document.querySelector("#wl-compare")?.offsetParent) return;
    event.preventDefault();
    act("go", to);
  });
  document.addEventListener("change", (event) => {
    const box = event.target.closest?.("input[data-compare]");
    if (!box) return;
    remember(box);
    act(box.dataset.compare, box.dataset.value);
  });
})();
