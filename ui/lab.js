// The lab's part of the page: its clicks go to Python through a hidden component of its own.
(() => {
  "use strict";
  let send = () => {};
  let pressed = null;
  const lab = (window.wlens.lab = {});
  const act = (what, value) => send("act", { what, value });

  lab.connect = (trigger) => {
    send = trigger;
    window.wlens.onTheme("lab", (dark) => send("theme", { dark }));
  };
  lab.figure = (element, props, watch, what) =>
    window.wlens.figure(element, props, watch, (...values) => act(what, values));
  lab.address = (parts) => window.wlens.putAddress("lab", parts);

  // A button that was pressed keeps the focus when its surroundings are drawn anew.
  lab.keepFocus = (element, watch) => watch("value", () => {
    if (!pressed || !(document.activeElement === document.body || element.contains(document.activeElement))) return;
    const { lab: what, value } = pressed;
    const again = [...element.querySelectorAll(`button[data-lab="${what}"]:not([disabled])`)];
    (again.find((button) => button.dataset.value === value) || again[0])?.focus();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-lab]");
    if (!button) return;
    pressed = { ...button.dataset };
    act(button.dataset.lab, button.dataset.value);
  });
})();
