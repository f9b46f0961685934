// The frame around the parts, its size, and how fast it draws.

import { el } from "../shared/dom.js";
import { button } from "./dom.js";

/** The elements of the surface around the parts that `tagger` has already made. */
export function buildSurface({ context, labels, side, bar, notices, leaving }) {
  const title = el("h1", { class: "mlt-title" });
  const note = el("span", { class: "mlt-note-tag" });
  const clockNode = el("span", { class: "mlt-clock" });
  const keys = button("?", () => leaving.help(), { "aria-label": "Keys", class: "mlt-btn is-icon mlt-help" });
  const box = el("div", { class: "mlt-text", tabindex: "0", role: "application", "aria-roledescription": "text to mark" });
  const scroll = el("div", { class: "mlt-scroll" }, box);
  const live = el("p", { class: "mlt-say", "aria-live": "polite" });
  const head = el("header", { class: "mlt-head" }, title, note, clockNode, keys);
  const main = el("section", { class: "mlt-main", "aria-label": "Response" }, head, notices.node, scroll, live);
  const grid = el("div", { class: "mlt-grid" }, context.node, context.key, main, labels.node, side.node, bar.node);
  // Invisible until the style sheet loads and restores the opacity.
  const wrap = el("div", { class: "mlt" }, grid);
  wrap.style.opacity = "0";
  return { title, note, clockNode, box, scroll, live, wrap };
}

/** Fills the window below whatever the page shows above. */
export function fillWindow(wrap) {
  const scroller = wrap.closest('[data-testid="stMain"]') ?? document.scrollingElement;
  const top = wrap.getBoundingClientRect().top + scroller.scrollTop;
  wrap.style.setProperty("--mlt-top", `${Math.max(0, Math.round(top))}px`);
}

/** Puts the item into the page's address, so that it can be shared and found again. */
export function showInAddress(link) {
  if (!link) return;
  const address = new URL(location.href);
  if (address.searchParams.get(link.param) === link.value) return;
  address.searchParams.set(link.param, link.value);
  history.replaceState(history.state, "", address);
}

/** Records the time from an event to the painted frame for benchmarks (performance.measure). */
export function measurePaint(name, from) {
  requestAnimationFrame(() => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => performance.measure(name, { start: from, end: performance.now() });
    painted.port2.postMessage(null);
  });
}
