// Building elements. Foreign text only ever goes in as a text node.

export { balanced, bdi, isTextField } from "../shared/dom.js";

export function el(tag, name, text = "", more = {}) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text) node.textContent = text;
  for (const [key, value] of Object.entries(more)) node.setAttribute(key, value);
  return node;
}

/** A button with its key; pressed by pointer it leaves the focus where it is: the keys go on to work. */
export function button(text, key, title, onclick) {
  const node = el("button", "msr-btn");
  node.type = "button";
  if (title) node.title = title;
  node.append(text);
  if (key) node.append(" ", el("kbd", "", key, { "aria-hidden": "true" }));
  node.addEventListener("mousedown", (event) => event.preventDefault());
  node.addEventListener("click", onclick);
  return node;
}

/** What is left of the window below a node, as a property of its style sheet. */
export function fit(node) {
  const { top } = node.getBoundingClientRect();
  const scroller = node.closest('[data-testid="stMain"]') ?? document.scrollingElement;
  node.style.setProperty("--msr-top", `${Math.max(0, Math.round(top + scroller.scrollTop))}px`);
}

export { clockTime } from "../shared/dom.js";
