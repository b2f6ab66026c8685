// The page's own texts in Chinese. Views write English; where the chosen language is Chinese, each text and each
// attribute that a person meets is looked up in the catalogue as it appears. What has no entry stays as it is.
//
// Foreign text (documents, questions, answers, what a model wrote, file names) is never looked up. It stands in what
// says that its language is not ours: translate="no", bdi, dir="auto", code, pre; or within a line, between the marks
// of an isolate (U+2068 … U+2069). translate="yes" inside of it is ours again.
(() => {
  "use strict";
  const KEPT = "w-lens-language";
  const FOREIGN = "[translate=no], bdi, [dir=auto], code, pre, script, style";
  const SAID = ["title", "aria-label", "placeholder", "alt"];
  const MISSES = 4000; // texts kept with what became of them: numbers make new ones without end

  // ---- which language: the address, else what was chosen before, else the browser's
  const known = (name) => (/^zh\b/i.test(name || "") ? "zh" : /^en\b/i.test(name || "") ? "en" : null);
  const kept = () => {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null; // a browser that keeps nothing
    }
  };
  const named = known(new URLSearchParams(location.search).get("lang"));
  let language = named || known(kept()) || known(navigator.language) || "en";
  // Gradio's own few words follow the browser; as English they are looked up like ours, whatever the browser speaks.
  Object.defineProperty(navigator, "language", { get: () => "en", configurable: true });

  // ---- the catalogue: English to Chinese; an entry with {names} stands for all texts of that shape
  let exact = null;
  let shapes = [];
  const found = new Map();
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  // {n…} is a number, {t…} words of ours that are looked up again, {l…} a list as it is, any other name anything as it is;
  // a list and words of ours end with their sentence
  const HOLE = /\{(\w+)\}/;
  const HOLES = { n: "([-+−±~]?\\d(?:[\\d.,]*\\d)?)", t: "((?:(?![.;!?] ).)+?)", l: "((?:(?![.;!?] ).)+?)" };
  const shape = ([english, chinese]) => {
    const parts = english.split(HOLE);
    const source = parts.map((part, i) => (i % 2 === 0 ? literal(part) : HOLES[part[0]] ?? "(.+?)"));
    const words = parts.filter((_, i) => i % 2 === 0).sort((a, b) => b.length - a.length);
    return {
      has: words[0],
      test: new RegExp(`^${source.join("")}$`, "s"),
      names: parts.filter((_, i) => i % 2 === 1),
      chinese: chinese.split(HOLE),
    };
  };
  const load = async () => {
    const entries = Object.entries(await (await fetch("i18n/zh.json")).json());
    exact = new Map(entries);
    shapes = entries.filter(([english]) => HOLE.test(english)).map(shape);
  };

  const filled = (key) => {
    for (const one of shapes) {
      const hit = key.includes(one.has) && one.test.exec(key);
      if (!hit) continue;
      const value = Object.fromEntries(one.names.map((name, i) => [name, name[0] === "t" ? phrase(hit[i + 1]) : hit[i + 1]]));
      return one.chinese.map((part, i) => (i % 2 === 0 ? part : value[part])).join("");
    }
    return null;
  };
  // What is made of parts: facts between middle dots, one sentence after another, a sentence and its full stop
  const STOPS = { ".": "。", ";": "；", ":": "：" };
  const pieced = (key) => {
    if (key.includes(" · ")) return key.split(" · ").map(phrase).join(" · ");
    const sentences = key.split(/(?<=[.!?;]) (?=\S)/);
    if (sentences.length > 1) return sentences.map(phrase).reduce((all, next) => all + (/[。！？：；]$/.test(all) ? "" : " ") + next);
    const stem = key.slice(0, -1);
    const said = key.at(-1) in STOPS ? exact.get(stem) ?? filled(stem) : null;
    return said === null || said === undefined ? key : said + STOPS[key.at(-1)];
  };
  const phrase = (key) => {
    const whole = exact.get(key) ?? found.get(key);
    if (whole !== undefined) return whole;
    const said = filled(key) ?? pieced(key);
    if (found.size > MISSES) found.clear();
    found.set(key, said);
    return said;
  };
  const ISOLATE = /\u2068[^\u2068\u2069]*\u2069/g;
  const say = (text) => {
    if (!/[A-Za-z]/.test(text)) return text;
    const foreign = text.match(ISOLATE) || [];
    let next = 0xe000; // private use: a stand-in for each stretch of foreign text
    const [, before, body, after] = /^(\s*)(.*?)(\s*)$/s.exec(text.replace(ISOLATE, () => String.fromCharCode(next++)));
    const said = before + phrase(body.replace(/\s+/g, " ")) + after;
    return foreign.length ? said.replace(/[\ue000-\uf8ff]/g, (mark) => foreign[mark.charCodeAt(0) - 0xe000] ?? mark) : said;
  };

  // ---- texts and attributes: what they were in English is kept, so that the way back needs no reload
  const texts = new WeakMap();
  const attributes = new WeakMap();
  const turned = (now, was) => {
    const source = was && was.shown === now ? was.source : now;
    return { source, shown: language === "zh" ? say(source) : source };
  };
  const turnText = (node) => {
    const next = turned(node.data, texts.get(node));
    if (next.shown !== next.source || texts.has(node)) texts.set(node, next);
    if (node.data !== next.shown) node.data = next.shown;
  };
  const turnAttribute = (element, name) => {
    const now = element.getAttribute(name);
    if (!now) return;
    if (!attributes.has(element)) attributes.set(element, {});
    const all = attributes.get(element);
    all[name] = turned(now, all[name]);
    if (now !== all[name].shown) element.setAttribute(name, all[name].shown);
  };
  // A closed list of choices shows the chosen one as the value of a field that cannot be typed in
  const CHOSEN = "input[role=listbox][readonly]";
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const turnChosen = (field) => {
    if (!Object.hasOwn(field, "value")) {
      let source = value.get.call(field);
      Object.defineProperty(field, "value", {
        configurable: true,
        get: () => source,
        set: (next) => value.set.call(field, language === "zh" ? say((source = String(next ?? ""))) : (source = next)),
      });
    }
    field.value = field.value;
  };

  const isForeign = (element) => {
    const nearest = element.closest(`${FOREIGN}, [translate=yes]`);
    return nearest !== null && !nearest.matches("[translate=yes]");
  };
  const turnElement = (element) => {
    SAID.forEach((name) => turnAttribute(element, name));
    if (element.matches(CHOSEN)) turnChosen(element);
  };
  const only = {
    acceptNode: (node) => {
      if (node.nodeType !== Node.ELEMENT_NODE || !node.matches(FOREIGN)) return NodeFilter.FILTER_ACCEPT;
      if (node.matches("[translate=yes]")) return NodeFilter.FILTER_ACCEPT;
      node.querySelectorAll("[translate=yes]").forEach(turnAll);
      return NodeFilter.FILTER_REJECT;
    },
  };
  const turnAll = (root) => {
    if (root.nodeType === Node.TEXT_NODE) return turnText(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    if (isForeign(root)) return root.querySelectorAll("[translate=yes]").forEach(turnAll);
    turnElement(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, only);
    while (walker.nextNode()) {
      if (walker.currentNode.nodeType === Node.TEXT_NODE) turnText(walker.currentNode);
      else turnElement(walker.currentNode);
    }
  };
  const changed = ({ type, target, addedNodes, attributeName }) => {
    const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
    if (!element || !element.isConnected || isForeign(element)) return void (type === "childList" && addedNodes.forEach(turnOurs));
    if (type === "characterData") turnText(target);
    else if (type === "attributes") turnAttribute(element, attributeName);
    else addedNodes.forEach(turnAll);
  };
  const turnOurs = (node) => node.nodeType === Node.ELEMENT_NODE && turnAll(node); // in foreign text only translate="yes"
  const watcher = new MutationObserver((records) => records.forEach(changed));
  const watched = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: SAID };

  const speak = async () => {
    document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
    if (language === "zh" && !exact) await load();
    if (!exact) return; // English only so far: nothing to watch, nothing to put back
    watcher.observe(document.documentElement, watched);
    if (document.body) turnAll(document.body);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-language]");
    if (!button) return;
    language = known(button.dataset.language);
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // the choice holds for this page
    }
    const query = new URLSearchParams(location.search);
    if (query.has("lang")) {
      query.set("lang", language);
      history.replaceState(null, "", `${location.pathname}?${query}`);
    }
    speak();
    document.querySelector(`button[data-language="${language === "zh" ? "en" : "zh"}"]`)?.focus();
  });
  speak();
})();
