// What the desk asks of elements beside what all surfaces do.

import { el } from "../shared/dom.js";

/** A button with its key; pressed by pointer it leaves the focus where it is: the keys go on to work. */
export function button(text, key, title, onclick) {
  const node = el("button", { type: "button", class: "msr-btn", title: title || null, onclick }, text,
    key && " ", key && el("kbd", { text: key, "aria-hidden": "true" }));
  node.addEventListener("mousedown", (event) => event.preventDefault());
  return node;
}

/** What is left of the window below a node, as a property of its style sheet. */
export function fit(node) {
  const { top } = node.getBoundingClientRect();
  const scroller = node.closest('[data-testid="stMain"]') ?? document.scrollingElement;
  node.style.setProperty("--msr-top", `${Math.max(0, Math.round(top + scroller.scrollTop))}px`);
}
