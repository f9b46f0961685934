// As much of a browser's page as the desks' scripts need, with a clock that a test turns: elements,
// events, the selectors in use, timers and frames. Nothing is laid out; everything is in view.

/** Virtual time: timers run in order when `runTo(ms)` passes them. */
export class Clock {
  constructor() {
    Object.assign(this, { now: 0, timers: [], last: 0 });
  }

  after(ms, run) {
    this.last += 1;
    this.timers.push({ id: this.last, at: this.now + Math.max(0, ms || 0), run });
    return this.last;
  }

  cancel(id) {
    this.timers = this.timers.filter((timer) => timer.id !== id);
  }

  async runTo(until) {
    for (;;) {
      await settled();
      const first = this.timers.reduce((soonest, timer) => (!soonest || timer.at < soonest.at ? timer : soonest), null);
      if (!first || first.at > until) break;
      this.cancel(first.id);
      this.now = Math.max(this.now, first.at);
      first.run();
    }
    this.now = until;
  }
}

/** Every promise that is ready has run. */
const settled = async () => {
  for (let round = 0; round < 8; round += 1) await null;
};

class PageEvent {
  constructor(type, { bubbles = false, cancelable = false, detail, ...rest } = {}) {
    Object.assign(this, { type, bubbles, cancelable, detail, defaultPrevented: false, stopped: false, timeStamp: clock.now, isTrusted: false }, rest);
  }

  preventDefault() {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation() {
    this.stopped = true;
  }

  stopImmediatePropagation() {
    this.stopped = this.ended = true;
  }
}

class Target {
  constructor() {
    this.listeners = [];
  }

  addEventListener(type, heard, options = {}) {
    const { capture = options === true, signal } = options;
    const listener = { type, heard, capture: Boolean(capture) };
    this.listeners.push(listener);
    signal?.addEventListener("abort", () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    });
  }

  get path() {
    return [this];
  }

  dispatchEvent(event) {
    event.target ??= this;
    const path = this.path;
    const steps = [...path.toReversed().map((node) => [node, true]), ...(event.bubbles ? path : [this]).map((node) => [node, false])];
    for (const [node, capture] of steps) {
      if (event.stopped) break;
      event.currentTarget = node;
      for (const listener of [...node.listeners]) {
        if (listener.type === event.type && listener.capture === capture && !event.ended) listener.heard.call(node, event);
      }
    }
    return !event.defaultPrevented;
  }
}

/** {tag, id, parts} of each step of a selector; `parts` are classes, attributes and states. */
function parsed(selector) {
  return split(selector, ",").map((choice) => split(choice.trim(), " ").filter(Boolean).map((step) => {
    const tests = [];
    const taken = /^([a-z0-9*]+)?((?:\.(?:\\.|[\w-])+|\[[^\]]*\]|:[a-z-]+(?:\([^()]*\))?|#[\w-]+)*)$/i.exec(step);
    if (!taken) throw new Error(`cannot read the selector ${step}`);
    if (taken[1] && taken[1] !== "*") tests.push((node) => node.localName === taken[1].toLowerCase());
    for (const [part] of taken[2].matchAll(/\.(?:\\.|[\w-])+|\[[^\]]*\]|:[a-z-]+(?:\([^()]*\))?|#[\w-]+/gi)) tests.push(testOf(part));
    return (node) => tests.every((test) => test(node));
  }));
}

function split(text, sign) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    depth += "([".includes(letter) ? 1 : ")]".includes(letter) ? -1 : 0;
    if (letter === sign && !depth) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

function testOf(part) {
  if (part[0] === ".") {
    const name = part.slice(1).replaceAll("\\", "");
    return (node) => node.classList.contains(name);
  }
  if (part === ":enabled") return (node) => !node.disabled;
  if (part === ":disabled") return (node) => Boolean(node.disabled);
  if (part === ":focus-visible") return () => false;
  if (part.startsWith(":is(")) return (node) => matches(node, part.slice(4, -1));
  if (part.startsWith(":has(")) return (node) => Boolean(node.querySelector(part.slice(5, -1)));
  if (part.startsWith(":not(")) {
    const inner = parsed(part.slice(5, -1));
    return (node) => !inner.some(([test]) => test(node));
  }
  const [, name, sign, value] = /^\[([\w-]+)(\*?=)?"?([^"]*)"?\]$/.exec(part) ?? [];
  if (!name) throw new Error(`cannot read ${part}`);
  return (node) => {
    const there = node.getAttribute(name);
    if (there === null) return false;
    return !sign || (sign === "=" ? there === value : there.includes(value));
  };
}

const read = new Map();
function matches(node, selector) {
  if (!read.has(selector)) read.set(selector, parsed(selector));
  return read.get(selector).some((steps) => {
    if (!steps.at(-1)(node)) return false;
    let above = node.parentNode;
    for (const step of steps.slice(0, -1).reverse()) {
      while (above?.localName && !step(above)) above = above.parentNode;
      if (!above?.localName) return false;
      above = above.parentNode;
    }
    return true;
  });
}

class Text extends Target {
  constructor(text) {
    super();
    this.textContent = String(text);
  }
}

export class PageElement extends Target {
  constructor(tag) {
    super();
    Object.assign(this, { localName: tag, parentNode: null, children: [], attributes: {}, dataset: {}, style: { setProperty() {} }, value: "", scrollTop: 0 });
    this.names = new Set();
    this.classList = {
      contains: (name) => this.names.has(name),
      add: (name) => this.names.add(name),
      remove: (name) => this.names.delete(name),
      toggle: (name, on = !this.names.has(name)) => this.names[on ? "add" : "delete"](name),
    };
  }

  get className() {
    return [...this.names].join(" ");
  }

  set className(names) {
    this.names = new Set(names.split(" "));
  }

  get path() {
    const path = [];
    for (let node = this; node; node = node.parentNode) path.push(node);
    return [...path, window];
  }

  getAttribute(name) {
    if (name.startsWith("data-")) return this.dataset[inCamels(name)] ?? null;
    if (name === "class") return this.className;
    return this.attributes[name] ?? (name in this && typeof this[name] === "string" && this[name] ? this[name] : null);
  }

  setAttribute(name, value) {
    if (name.startsWith("data-")) this.dataset[inCamels(name)] = String(value);
    else if (name === "class") this.className = value;
    else this.attributes[name] = String(value);
    if (name === "value") this.value = String(value);
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  toggleAttribute(name, on) {
    if (on) this.setAttribute(name, "");
    else delete this.dataset[inCamels(name)];
  }

  append(...nodes) {
    for (const node of nodes) {
      const child = typeof node === "string" ? new Text(node) : node;
      if (child.localName === "#fragment") {
        this.append(...child.children);
        continue;
      }
      child.remove?.();
      child.parentNode = this;
      this.children.push(child);
    }
  }

  remove() {
    const { parentNode } = this;
    if (parentNode) parentNode.children = parentNode.children.filter((one) => one !== this);
    this.parentNode = null;
  }

  replaceChildren(...nodes) {
    for (const child of this.children) child.parentNode = null;
    this.children = [];
    this.append(...nodes);
  }

  replaceWith(node) {
    node.parentNode = this.parentNode;
    this.parentNode.children[this.parentNode.children.indexOf(this)] = node;
    this.parentNode = null;
  }

  get childNodes() {
    return this.children;
  }

  get lastChild() {
    return this.children.at(-1) ?? null;
  }

  get firstChild() {
    return this.children[0] ?? null;
  }

  get lastElementChild() {
    return this.lastChild;
  }

  get textContent() {
    return this.children.map((child) => child.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [new Text(text)] : []));
  }

  get isConnected() {
    return document.body.contains(this);
  }

  get offsetParent() {
    return this.isConnected ? this.parentNode : null;
  }

  contains(node) {
    for (let above = node; above; above = above.parentNode) if (above === this) return true;
    return false;
  }

  matches(selector) {
    return matches(this, selector);
  }

  closest(selector) {
    for (let node = this; node?.localName; node = node.parentNode) if (matches(node, selector)) return node;
    return null;
  }

  /** The first element within that passes, in the order of the page; null if none does. */
  first(passes) {
    for (const child of this.children) {
      if (!child.localName) continue;
      const taken = passes(child) ? child : child.first(passes);
      if (taken) return taken;
    }
    return null;
  }

  querySelectorAll(selector) {
    const taken = [];
    this.first((node) => {
      if (matches(node, selector)) taken.push(node);
      return false;
    });
    return taken;
  }

  querySelector(selector) {
    return this.first((node) => matches(node, selector));
  }

  getBoundingClientRect() {
    return { top: 0, bottom: 0 };
  }

  scrollTo() {}

  scrollIntoView() {}

  focus() {
    document.activeElement = this;
  }

  blur() {
    if (document.activeElement === this) document.activeElement = document.body;
  }

  click() {
    if (!this.disabled) this.dispatchEvent(new PageEvent("click", { bubbles: true, cancelable: true }));
  }
}

const inCamels = (name) => name.slice(5).replace(/-(.)/g, (_, letter) => letter.toUpperCase());

let clock;
let document;
let window;

/** A new empty page in the place of node's globals; returns {clock, document, window, press}. */
export function openPage() {
  clock = new Clock();
  window = new Target();
  document = new PageElement("html");
  document.body = new PageElement("body");
  document.append(document.body);
  Object.assign(document, { activeElement: document.body, createElement: (tag) => new PageElement(tag), createTextNode: (text) => new Text(text),
    createRange: () => ({ setStart() {}, setEnd() {}, getBoundingClientRect: () => ({ top: 100, bottom: 110, left: 0 }), getClientRects: () => [] }),
    createDocumentFragment: () => new PageElement("#fragment"), scrollingElement: document.body });
  const storage = new Map();
  Object.assign(globalThis, {
    window, document,
    Element: PageElement, HTMLElement: PageElement, Event: PageEvent, CustomEvent: PageEvent,
    CSS: { escape: (name) => name.replace(/[^\w-]/g, (sign) => `\\${sign}`) },
    MutationObserver: class { observe() {} disconnect() {} },
    localStorage: { getItem: (name) => storage.get(name) ?? null, setItem: (name, text) => storage.set(name, text), removeItem: (name) => storage.delete(name) },
    getComputedStyle: () => ({ color: "", backgroundColor: "", opacity: "1" }),
    matchMedia: () => ({ matches: false }),
    location: { hash: "" },
    setTimeout: (run, ms) => clock.after(ms, run),
    clearTimeout: (id) => clock.cancel(id),
    setInterval: () => 0,
    clearInterval: () => {},
    ResizeObserver: class { observe() {} disconnect() {} },
    getSelection: () => ({ isCollapsed: true, rangeCount: 0, removeAllRanges() {} }),
    MessageChannel: class { constructor() { this.port1 = {}; this.port2 = { postMessage: () => clock.after(0, () => this.port1.onmessage()) }; } },
    innerHeight: 800,
    requestAnimationFrame: (run) => clock.after(16, run),
  });
  AbortSignal.timeout = () => new AbortController().signal;
  performance.now = () => clock.now;
  Date.now = () => clock.now;
  const press = (key) => document.activeElement.dispatchEvent(new PageEvent("keydown", { key, bubbles: true, cancelable: true, isTrusted: true }));
  return { clock, document, window, press };
}
