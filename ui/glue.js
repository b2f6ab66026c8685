// What Gradio has no event for: clicks inside our HTML and figures, dragging, keys, the address, downloads.
// No library, no other host. Everything that a person does goes to Python through one hidden component.
(() => {
  "use strict";
  let send = () => {};
  const wlens = {};

  wlens.connect = (trigger) => {
    send = trigger;
    wlens.opens("inspect", trigger);
  };

  // ---- tabs: each is filled when it is first shown, from the address that the page was opened with
  const TABS = ["inspect", "pdf", "lab", "compare", "set", "errors", "about"];
  const FIRST = TABS[0];
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  let tab = TABS.includes(asked.tab) ? asked.tab : FIRST;
  const waiting = {};
  wlens.opens = (name, trigger, more = () => ({})) => {
    waiting[name] = () => {
      applyTheme();
      trigger("opened", { dark: wlens.isDark(), query: asked, ...more() });
      drawnFor(name, trigger);
    };
    if (name in themed) drawnFor(name, trigger); // it was filled before, and is only mounted again
    else if (name === tab) waiting[name]();
  };

  // ---- theme: a tab is told when it was drawn for the other one, also if it was not there at that moment
  const themed = {};
  const tellTheme = () => Object.values(themed).forEach((one) => {
    if (one.dark === wlens.isDark()) return;
    one.dark = wlens.isDark();
    one.trigger("theme", { dark: one.dark });
  });
  const drawnFor = (name, trigger) => {
    if (!Object.keys(themed).length) new MutationObserver(tellTheme).observe(document.body, { attributeFilter: ["class"] });
    themed[name] = { dark: themed[name]?.dark ?? wlens.isDark(), trigger };
    tellTheme();
  };
  wlens.isDark = () => document.body.classList.contains("dark");
  // ---- the visitor: a secret of this browser's, so that nobody else can stop or label what was started here
  const visitor = () => {
    if (/(^|; )wlens_visitor=[0-9a-f]{32}/.test(document.cookie)) return;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const secret = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    // A Space stands in a frame of another site, where only a partitioned cookie is kept.
    const safe = location.protocol === "https:" ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax";
    document.cookie = `wlens_visitor=${secret}; Path=/; Max-Age=31536000; ${safe}`;
  };
  visitor();

  const applyTheme = () => {
    const kept = localStorage.getItem("w-lens-theme");
    if (kept && !asked.__theme) document.body.classList.toggle("dark", kept === "dark");
  };
  let started = false;
  wlens.start = () => {
    applyTheme();
    started = true;
    return [];
  };
  const toggleTheme = () => {
    const dark = document.body.classList.toggle("dark");
    localStorage.setItem("w-lens-theme", dark ? "dark" : "light");
  };

  // ---- figures
  // One is drawn at a time, so that a click is heard in between; what is hidden is drawn when it is shown.
  const drawings = [];
  let drawing = false;
  const drawNext = () => {
    if (!window.Plotly) return void setTimeout(drawNext, 30);
    const draw = drawings.shift();
    drawing = drawings.length > 0;
    if (drawing) setTimeout(drawNext);
    draw(); // last, so that one which fails keeps none of the others
  };
  const drawSoon = (draw) => {
    if (drawings.includes(draw)) return;
    drawings.push(draw);
    if (!drawing) setTimeout(drawNext);
    drawing = true;
  };
  wlens.figure = (element, props, watch, picked = pick) => {
    const host = element.querySelector(".wl-plot");
    let width = 0; // that it was drawn for; 0 where its value was not drawn yet
    const draw = () => {
      width = host.clientWidth;
      if (!props.value || !width) return;
      const { data, layout } = JSON.parse(props.value);
      host.setAttribute("aria-label", layout.meta.said);
      const config = { displayModeBar: false, responsive: true, doubleClick: false };
      window.Plotly.react(host, data, layout, config).then(() => {
        wlens.draws = (wlens.draws || 0) + 1;
        if (host.dataset.wired) return;
        host.dataset.wired = "yes";
        host.on("plotly_click", (event) => {
          const own = event.points.find((point) => point.customdata);
          if (own) picked(...own.customdata.map(Number));
        });
      });
    };
    const resized = () => {
      if (!host.clientWidth || host.clientWidth === width || !props.value) return;
      if (!width) return drawSoon(draw);
      width = host.clientWidth;
      window.Plotly.Plots.resize(host);
    };
    const changed = () => {
      width = 0;
      drawSoon(draw);
    };
    watch("value", changed);
    if (props.value) changed();
    new ResizeObserver(resized).observe(element);
  };

  const stamp = () => new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  const saveFigure = async (name, format) => {
    const host = document.querySelector(`#wl-${name} .wl-plot`);
    if (!host || !host.layout) return;
    const ground = getComputedStyle(document.body).getPropertyValue("--wl-surface").trim();
    const figure = { data: host.data, layout: { ...host.layout, paper_bgcolor: ground, width: host.clientWidth } };
    const url = await window.Plotly.toImage(figure, {
      format, width: host.clientWidth, height: host.clientHeight, scale: format === "png" ? 2 : 1,
    });
    follow(url, `w-lens-${name}-${stamp()}.${format}`);
  };

  // ---- files
  const follow = (url, name) => {
    const link = Object.assign(document.createElement("a"), { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
  };
  wlens.download = (file) => {
    if (!file) return;
    const url = URL.createObjectURL(new Blob([file.text], { type: file.type }));
    follow(url, file.name);
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  // ---- address: that of the tab which is shown
  const OURS = ["tab", "run", "example", "doc", "sweep", "step", "answer", "place", "lens", "map", "control",
    "heads", "measure", "length", "fix", "p", "clue", "cite", "token", "show", "set", "analysis", "q", "by", "stage", "mark"];
  const addresses = {};
  const writeAddress = () => {
    const query = new URLSearchParams(location.search);
    OURS.forEach((key) => query.delete(key));
    if (tab !== FIRST) query.set("tab", tab);
    Object.entries(addresses[tab] || {}).forEach(([key, value]) => query.set(key, value));
    const text = query.toString();
    history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
  };
  wlens.showTab = (name) => {
    if (!started) return; // Gradio's own choice, before the one that the address asks for
    tab = name;
    writeAddress();
    if (!(name in themed)) waiting[name]?.();
  };
  wlens.putAddress = (name, parts) => {
    addresses[name] = parts || {};
    if (name === tab) writeAddress();
  };
  wlens.address = (parts) => {
    wlens.putAddress(FIRST, parts);
    document.querySelectorAll("button[data-example]").forEach((card) => {
      const shown = card.dataset.example === (parts || {}).example;
      if (shown && card.ariaCurrent !== "true") reveal(card);
      card.ariaCurrent = String(shown);
    });
  };

  const reveal = (card) => {
    const strip = card.parentElement, left = card.offsetLeft - strip.offsetLeft;
    const seen = left >= strip.scrollLeft && left + card.offsetWidth <= strip.scrollLeft + strip.clientWidth;
    if (!seen) strip.scrollLeft = left - 8;
  };

  // ---- clicks
  const pick = (document_) => {
    document.querySelector("#wl-main").dataset.picked = "yes"; // on a small screen the text now comes up as a sheet
    send("pick", { document: document_ });
  };
  const onClick = {
    document: (d) => pick(Number(d.document)),
    go: (d) => send("go", { to: d.go }),
    example: (d) => send("example", { slug: d.example }),
    row: (d) => send("row", { row: Number(d.row) }),
    run: (d) => send("run_link", { run: d.run }),
    edit: (d) => {
      refocus = { item: d.item, edit: d.edit };
      send("edit", { what: d.edit, item: Number(d.item) });
    },
    save: (d) => saveFigure(d.save, d.format),
    theme: () => toggleTheme(),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-document], button[data-go], button[data-example], " +
      "button[data-row], button[data-run], button[data-edit], button[data-save], button[data-theme]");
    if (!button) return;
    const kind = Object.keys(onClick).find((key) => key in button.dataset && (key !== "document" || !button.dataset.edit));
    onClick[kind](button.dataset);
  });

  // ---- the list of documents: dragging, and the focus that follows a moved row
  let refocus = null;
  let dragged = null;
  wlens.list = (element, watch) => {
    watch("value", () => {
      if (!refocus) return;
      const { item, edit } = refocus;
      const again = element.querySelector(`button[data-item="${item}"][data-edit="${edit}"]:not([disabled])`) ||
        element.querySelector(`[data-item="${item}"] button`);
      refocus = null;
      again?.focus();
    });
  };
  const rowOf = (event) => event.target.closest?.("li.wl-row");
  document.addEventListener("dragstart", (event) => {
    const row = rowOf(event);
    if (!row) return;
    dragged = Number(row.dataset.item);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
    row.classList.add("is-dragged");
  });
  document.addEventListener("dragover", (event) => {
    const row = dragged === null ? null : rowOf(event);
    document.querySelectorAll(".is-over").forEach((other) => other !== row && other.classList.remove("is-over"));
    if (!row) return;
    event.preventDefault();
    row.classList.add("is-over");
  });
  document.addEventListener("drop", (event) => {
    const row = dragged === null ? null : rowOf(event);
    if (!row) return;
    event.preventDefault();
    send("edit", { what: "put", item: dragged, place: Number(row.dataset.place) });
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    document.querySelectorAll(".is-over, .is-dragged").forEach((row) => row.classList.remove("is-over", "is-dragged"));
  });

  // ---- keys: arrows step through the documents, Escape lets go of one
  const TYPING = "input, textarea, select, [contenteditable], [role=slider], [role=tab], [role=radio], [role=listbox]";
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(TYPING)) return;
    const to = { ArrowLeft: "previous", ArrowRight: "next", Escape: "none" }[event.key];
    if (!to || !document.querySelector("#wl-main")?.offsetParent) return;
    event.preventDefault();
    send("go", { to });
  });

  window.wlens = wlens;
})();
