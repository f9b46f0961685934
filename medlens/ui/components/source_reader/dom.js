// DOM helpers of the verification desk, beyond those that all surfaces share.

import { el, onceStyled } from "../shared/dom.js";

/** A button with its key; a click does not move the focus, so the keys keep working. */
export function button(text, key, title, onclick) {
  const node = el("button", { type: "button", class: "msr-btn", title: title || null, onclick }, text,
    key && " ", key && el("kbd", { text: key, "aria-hidden": "true" }));
  node.addEventListener("mousedown", (event) => event.preventDefault());
  return node;
}

/** Sets the node's distance from the top, from which the style sheet computes its height; `wrap` is the component's outermost element. */
export function fit(node, wrap = node) {
  onceStyled(wrap, () => {
    const { top } = node.getBoundingClientRect();
    const scroller = node.closest('[data-testid="stMain"]') ?? document.scrollingElement;
    node.style.setProperty("--msr-top", `${Math.max(0, Math.round(top + scroller.scrollTop))}px`);
  });
}
