// An image or a drawn page to look into: fitted at first, up to its own pixels and beyond, moved by
// hand, wheel, pinch or key, and made lighter or of more contrast. Nothing of it leaves the page.

import { el, isCovered, ofKeys, ownAddress } from "../shared/dom.js";
import { ORDER, listenToKeyboard } from "../shared/keyboard.js";

const STEP = 1.25; // of a key or a button
const MOST = 4; // times the image's own pixels
const MOVE = 80; // px of an arrow key
const TALLEST = 0.7; // of the window's height, which an enlarged image may take
const LIGHT = { step: 0.1, least: 0.2, most: 3 };
const HELP = "+ and − zoom, arrows move, Home fits, End shows every pixel, [ ] darken and lighten, { } change the contrast";

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/** What a zoom of `to` instead of `zoom` makes of an offset, if the point `at` stays where it is. */
export const offsetAfterZoom = (offset, at, zoom, to) => at - ((at - offset) * to) / zoom;

/** An offset at which an image of this size leaves no gap in its frame, or stands in its middle. */
export const offsetWithin = (offset, size, frame) => (size <= frame ? (frame - size) / 2 : clamp(offset, frame - size, 0));

class Viewer {
  constructor(parent) {
    this.listening = new AbortController();
    const { signal } = this.listening;
    this.pointers = new Map();
    this.image = el("img", { draggable: false, onload: () => this.#fit() });
    this.image.addEventListener("error", () => { this.wrap.classList.add("is-missing"); });
    this.marks = el("div", { class: "miv-marks" });
    this.layer = el("div", { class: "miv-layer" }, this.image, this.marks);
    this.frame = el("div", { class: "miv-frame", tabindex: "0", role: "application" }, this.layer);
    this.shown = el("output", { class: "miv-zoom" });
    const tool = (name, text, act) => el("button", { type: "button", class: "miv-tool", text, title: name, "aria-label": name, onclick: act });
    this.smaller = tool("Zoom out", "−", () => this.#zoomBy(1 / STEP));
    this.larger = tool("Zoom in", "+", () => this.#zoomBy(STEP));
    this.light = {};
    this.link = el("a", { target: "_blank", rel: "noopener", text: "Own tab" });
    this.tools = el("div", { class: "miv-tools" },
      this.smaller, this.shown, this.larger,
      tool("Fit the image into its frame", "Fit", () => this.#zoomTo(1)),
      tool("Show every pixel of the image", "100 %", () => this.#zoomTo(this.full)),
      this.#slider("brightness", "Brightness"), this.#slider("contrast", "Contrast"),
      tool("Undo brightness and contrast", "Reset", () => this.#relight({ brightness: 1, contrast: 1 })), this.link);
    this.help = el("div", { class: "miv-help", text: ofKeys(`Click the image for its wheel and keys: ${HELP}.`) });
    this.wrap = el("div", { class: "miv" }, this.frame, this.tools, this.help, el("div", { class: "miv-missing", text: "The image could not be loaded. Reload the page." }));
    parent.append(this.wrap);
    listenToKeyboard(ORDER.image, (event) => this.#heard(event), signal);
    this.frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false, signal });
    this.frame.addEventListener("dblclick", (event) => this.#zoomTo(this.zoom > 1 ? 1 : Math.max(this.full, 2), this.#at(event)), { signal });
    this.frame.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    this.frame.addEventListener("pointermove", (event) => this.#moved(event), { signal });
    for (const kind of ["pointerup", "pointercancel"]) this.frame.addEventListener(kind, (event) => this.pointers.delete(event.pointerId), { signal });
    this.sizes = new ResizeObserver(() => { if (this.wrap.clientWidth !== this.width) this.#fit(); });
    this.sizes.observe(this.wrap);
  }

  destroy() {
    this.listening.abort();
    this.sizes.disconnect();
    this.wrap.remove();
  }

  update({ address, name, marks }) {
    const src = ownAddress(address);
    if (this.image.src !== src) {
      this.wrap.classList.remove("is-missing");
      Object.assign(this, { zoom: 1, x: 0, y: 0 });
      this.#relight({ brightness: 1, contrast: 1 });
      this.image.src = src;
    }
    this.image.alt = name;
    this.link.href = src;
    this.link.setAttribute("aria-label", `${name} in its own tab`);
    this.frame.setAttribute("aria-label", `${name}. ${HELP}.`);
    const percent = (part) => `${100 * part}%`;
    this.marks.replaceChildren(...marks.map(([left, top, right, bottom]) => {
      const mark = el("span");
      Object.assign(mark.style, { left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) });
      return mark;
    }));
  }

  #slider(of, name) {
    const { step, least, most } = LIGHT;
    const input = el("input", { type: "range", min: String(least), max: String(most), step: String(step), value: "1", "aria-label": name });
    input.addEventListener("input", () => this.#relight({ [of]: Number(input.value) }));
    this.light[of] = input;
    return el("label", { class: "miv-light" }, el("span", { text: name }), input);
  }

  #relight(changes) {
    for (const [of, value] of Object.entries(changes)) this.light[of].value = String(clamp(value, LIGHT.least, LIGHT.most));
    const [brightness, contrast] = ["brightness", "contrast"].map((of) => Number(this.light[of].value));
    this.image.style.filter = brightness === 1 && contrast === 1 ? "" : `brightness(${brightness}) contrast(${contrast})`;
  }

  // ---- size and place ---------------------------------------------------------------------

  /** The zoom at which each pixel of the image is one of the page's. */
  get full() {
    return this.image.naturalWidth / this.fitted.width || 1;
  }

  get most() {
    return Math.max(MOST * this.full, MOST);
  }

  #fit() {
    const { naturalWidth, naturalHeight } = this.image;
    this.width = this.wrap.clientWidth;
    if (!naturalWidth || !this.width) return;
    const width = Math.min(naturalWidth, this.width);
    this.fitted = { width, height: (width * naturalHeight) / naturalWidth };
    this.#place();
  }

  #zoomBy(times, at) {
    this.#zoomTo(this.zoom * times, at);
  }

  /** Zooms so that the point `at` of the frame stays in its place: by default its middle. */
  #zoomTo(zoom, at) {
    if (!this.fitted) return;
    const { clientWidth, clientHeight } = this.frame;
    const [x, y] = at ?? [clientWidth / 2, clientHeight / 2];
    const to = clamp(zoom, 1, this.most);
    this.x = offsetAfterZoom(this.x, x, this.zoom, to);
    this.y = offsetAfterZoom(this.y, y, this.zoom, to);
    this.zoom = to;
    this.#place();
  }

  #place() {
    const { width, height } = this.fitted;
    const tall = Math.max(height, Math.min(height * this.zoom, TALLEST * innerHeight));
    this.frame.style.height = `${tall}px`;
    this.x = offsetWithin(this.x, width * this.zoom, this.width);
    this.y = offsetWithin(this.y, height * this.zoom, tall);
    Object.assign(this.layer.style, { width: `${width}px`, height: `${height}px`, transform: `translate(${this.x}px, ${this.y}px) scale(${this.zoom})` });
    this.shown.textContent = `${Math.round((100 * this.zoom) / this.full)} %`;
    this.smaller.disabled = this.zoom <= 1;
    this.larger.disabled = this.zoom >= this.most;
    this.frame.classList.toggle("is-enlarged", this.zoom > 1);
  }

  #moveBy(x, y) {
    this.x += x;
    this.y += y;
    this.#place();
  }

  // ---- hand, wheel and keys ---------------------------------------------------------------

  #at({ clientX, clientY }) {
    const { left, top } = this.frame.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  #wheel(event) {
    // A wheel over an image that nobody has clicked scrolls the page; with Ctrl, as a pinch sends it, it zooms.
    const pinched = event.ctrlKey || event.metaKey;
    if (!this.fitted || !(pinched || this.frame.contains(document.activeElement))) return;
    const lines = event.deltaMode === 1 ? 16 : 1;
    const to = clamp(this.zoom * Math.exp(-event.deltaY * lines * (pinched && Math.abs(event.deltaY) < 50 ? 0.01 : 0.002)), 1, this.most);
    if (to === this.zoom && !pinched) return;
    event.preventDefault();
    this.#zoomTo(to, this.#at(event));
  }

  #down(event) {
    if (event.button) return;
    this.frame.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, this.#at(event));
    if (this.zoom > 1 || this.pointers.size > 1) this.frame.setPointerCapture(event.pointerId);
  }

  #moved(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.fitted) return;
    const now = this.#at(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    if (other) {
      const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
      this.#zoomBy(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    } else if (this.zoom > 1) {
      this.#moveBy(now[0] - before[0], now[1] - before[1]);
    }
  }

  #heard(event) {
    if (!this.fitted || !this.wrap.contains(document.activeElement) || isCovered()) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    const slider = Object.values(this.light).find((one) => one === document.activeElement);
    const act = (slider && this.#ofSlider(slider, event.key)) || this.#ofFrame(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** A slider's own keys, which the desk would else take. */
  #ofSlider(slider, key) {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key];
    const of = Object.keys(this.light).find((one) => this.light[one] === slider);
    return way && (() => this.#relight({ [of]: Number(slider.value) + way * LIGHT.step }));
  }

  #ofFrame(key) {
    const relit = (of, way) => () => this.#relight({ [of]: Number(this.light[of].value) + way * LIGHT.step });
    const acts = {
      "+": () => this.#zoomBy(STEP), "=": () => this.#zoomBy(STEP), "-": () => this.#zoomBy(1 / STEP),
      Home: () => this.#zoomTo(1), End: () => this.#zoomTo(this.full),
      "[": relit("brightness", -1), "]": relit("brightness", 1), "{": relit("contrast", -1), "}": relit("contrast", 1),
    };
    const moves = { ArrowLeft: [MOVE, 0], ArrowRight: [-MOVE, 0], ArrowUp: [0, MOVE], ArrowDown: [0, -MOVE] };
    // An image that fits leaves the arrows to the page.
    if (moves[key] && this.zoom > 1) return () => this.#moveBy(...moves[key]);
    return acts[key];
  }
}

const mounted = new WeakMap(); // mount point -> Viewer; the default export is called on every change

export default function ({ data, parentElement }) {
  let viewer = mounted.get(parentElement);
  if (!viewer) {
    viewer = new Viewer(parentElement);
    mounted.set(parentElement, viewer);
  }
  viewer.update(data);
  return () => {
    viewer.destroy();
    mounted.delete(parentElement);
  };
}
