// The part of the page that shows question sets: its clicks go to Python through a hidden component of its own.
(() => {
  "use strict";
  const set = (window.wlens.set = {});
  let send = () => {};
  let pressed = null;
  const act = (what, value) => send("act", { what, value });

  set.connect = (trigger) => {
    send = trigger;
    window.wlens.opens("set", trigger);
  };
  set.address = (parts) => window.wlens.putAddress("set", parts);
  // A part of the flow of lost evidence: its answers are shown in the tab Errors.
  set.figure = (element, props, watch) => window.wlens.figure(element, props, watch,
    (system, stage, mark) => send("errors", { system, stage, mark }));

  // What was pressed keeps the focus when its surroundings are drawn anew.
  set.keepFocus = (element, watch) => watch("value", () => {
    if (!pressed || !(document.activeElement === document.body || element.contains(document.activeElement))) return;
    const same = `[data-set="${pressed.set}"][data-value="${CSS.escape(pressed.value)}"]`;
    element.querySelector(same)?.focus({ preventScroll: true });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-set]");
    if (!button) return;
    pressed = { ...button.dataset };
    if (button.dataset.set === "errors") return void send("errors", {});
    act(button.dataset.set, button.dataset.value);
  });
  document.addEventListener("change", (event) => {
    const box = event.target.closest?.("input[data-set]");
    if (!box) return;
    pressed = { ...box.dataset };
    act(box.dataset.set, box.dataset.value);
  });
})();
