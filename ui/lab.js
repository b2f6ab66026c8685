// The lab's part of the page: its clicks go to Python through a hidden component of its own.
(() => {
  "use strict";
  let send = () => {};
  let pressed = null;
  const lab = (window.wlens.lab = {});
  const act = (what, value) => send("act", { what, value });

  lab.connect = (trigger) => {
    send = trigger;
    window.wlens.opens("lab", trigger);
  };
  lab.figure = (element, props, watch, what) =>
    window.wlens.figure(element, props, watch, (...values) => act(what, values));
  lab.taken = () => {
    window.wlens.showTab("lab");
    // The tab is perhaps shown for the first time: what comes in above pushes the documents down, until somebody scrolls.
    const shown = new ResizeObserver(() => document.querySelector("#wl-lab-own")?.scrollIntoView({ block: "center" }));
    const stop = () => shown.disconnect();
    setTimeout(() => shown.observe(document.body), 100);
    ["wheel", "touchmove", "keydown", "pointerdown"].forEach((event) => addEventListener(event, stop, { once: true }));
    setTimeout(stop, 3000);
  };
  lab.address = (parts) => window.wlens.putAddress("lab", parts);

  // Head sets: kept by this browser alone, shown wherever a place for them stands.
  const KEPT = "w-lens.head-sets", MOST = 100;
  const HEADS = /^\d{1,3}\.\d{1,3}( \d{1,3}\.\d{1,3}){0,255}$/;
  const fits = (set) => set && typeof set.name === "string" && set.name.trim() && set.name.length <= 60 &&
    typeof set.heads === "string" && HEADS.test(set.heads) && typeof set.model === "string" && set.model.length <= 200;
  const tidy = (sets) => (Array.isArray(sets) ? sets : []).filter(fits).slice(0, MOST)
    .map(({ name, heads, model }) => ({ name: name.trim(), heads, model }));
  const readSets = () => {
    try { return tidy(JSON.parse(localStorage.getItem(KEPT))); } catch { return []; }
  };
  const writeSets = (sets) => {
    try { localStorage.setItem(KEPT, JSON.stringify(tidy(sets))); } catch { /* a browser that keeps nothing */ }
    document.querySelectorAll("[data-saved]").forEach(fillSets);
  };
  const made = (label, data, title) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    button.className = "wl-lab-button";
    Object.assign(button.dataset, data);
    if (title) Object.assign(button, { title, ariaLabel: title });
    return button;
  };
  const fillSets = (host) => {
    const sets = readSets(), place = host.querySelector(".wl-lab-sets");
    const use = host.dataset.saved === "lab" ? (heads) => ({ lab: "set", value: heads }) : (heads) => ({ heads: "use", value: heads });
    const rows = sets.map(({ name, heads, model }) => {
      const row = document.createElement("span");
      const count = heads.split(" ").length;
      const button = made(name, use(heads), `${name}: ${count} head${count > 1 ? "s" : ""}${model ? `, chosen on ${model}` : ""}`);
      button.ariaPressed = String(heads === host.dataset.chosen);
      row.append(button, made("×", { heads: "forget", value: name }, `Forget ${name}`));
      return row;
    });
    const tools = [made("Import sets", { heads: "import" })];
    if (sets.length) tools.unshift(made("Export sets", { heads: "export" }));
    place.replaceChildren(...rows, ...(host.dataset.saved === "lab" ? tools : []));
    host.hidden = host.dataset.saved !== "lab" && !sets.length;
  };
  const fillInside = (element) => {
    const fill = () => element.querySelectorAll("[data-saved]").forEach(fillSets);
    fill();
    requestAnimationFrame(fill); // where the new value is not on the page yet
  };
  lab.sets = (element) => fillInside(element);
  const importSets = (button) => {
    const place = button.closest(".wl-lab-sets");
    const chooser = Object.assign(document.createElement("input"), { type: "file", accept: ".json,application/json" });
    chooser.addEventListener("change", async () => {
      const file = chooser.files[0];
      let found = [];
      try { found = file.size <= 1e6 ? tidy(JSON.parse(await file.text()).sets) : []; } catch { /* said below */ }
      if (!found.length) {
        const said = Object.assign(document.createElement("span"), { role: "alert", className: "wl-sub" });
        said.textContent = "This file holds no head sets that this page exported.";
        place.append(said);
        return;
      }
      const names = new Set(found.map((set) => set.name));
      writeSets([...found, ...readSets().filter((set) => !names.has(set.name))]);
    });
    chooser.click();
  };
  const onHeads = {
    keep: (button) => {
      const host = button.closest("[data-saved]"), field = host.querySelector("[data-heads-name]");
      const set = { name: field.value.trim(), heads: host.dataset.chosen, model: host.dataset.model };
      if (!fits(set)) return field.focus();
      writeSets([set, ...readSets().filter((other) => other.name !== set.name)]);
      field.value = "";
    },
    forget: (button) => writeSets(readSets().filter((set) => set.name !== button.dataset.value)),
    export: () => window.wlens.download({
      name: "w-lens-head-sets.json", type: "application/json",
      text: JSON.stringify({ schema: "w-lens-heads/1", sets: readSets() }, null, 1),
    }),
    import: importSets,
    use: (button) => {
      const field = document.querySelector("#wl-head-set textarea, #wl-head-set input");
      field.value = button.dataset.value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
  };

  // A button that was pressed keeps the focus when its surroundings are drawn anew.
  const refill = (element) => {
    fillInside(element);
    if (!pressed || !(document.activeElement === document.body || element.contains(document.activeElement))) return;
    const { lab: what, value } = pressed;
    const again = [...element.querySelectorAll(`button[data-lab="${what}"]:not([disabled])`)];
    (again.find((button) => button.dataset.value === value) || again[0])?.focus();
  };
  lab.keepFocus = (element, watch) => {
    fillInside(element);
    watch("value", () => refill(element));
  };
  document.addEventListener("click", (event) => {
    const tool = event.target.closest?.("button[data-heads]");
    if (tool) return onHeads[tool.dataset.heads]?.(tool);
    const button = event.target.closest?.("button[data-lab]");
    if (!button) return;
    pressed = { ...button.dataset };
    act(button.dataset.lab, button.dataset.value);
  });
})();
