// For labels that grow: a field that finds a code by name, or makes a new one.

import { el } from "../shared/dom.js";
import { button } from "./dom.js";

export const folded = (name) => name.trim().replace(/\s+/g, " ").toLowerCase();

export class Finder {
  /** `on.label(label)` picks a code, `on.make(name)` adds one, `on.focusText()` leaves. */
  constructor(on) {
    this.on = on;
    this.labels = [];
    this.input = el("input", {
      type: "text", class: "mlt-field", maxlength: "120", autocomplete: "off", placeholder: "Find or name a code (C)",
      "aria-label": "Find a code, or name a new one", "aria-keyshortcuts": "C",
      oninput: () => this.#narrow(),
    });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.make = button("", () => this.#made(), { class: "mlt-label mlt-make", hidden: true });
    this.list = el("div", { class: "mlt-codes" });
    this.nodes = [el("div", { class: "mlt-finder" }, this.input, this.make), this.list];
  }

  show(labels, buttons) {
    this.labels = labels;
    this.buttons = buttons;
    this.list.replaceChildren(...buttons.values());
    this.#narrow();
  }

  reach() {
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  /** Clears the field and goes back to the text. */
  leave() {
    this.input.value = "";
    this.#narrow();
    this.on.focusText();
    return true;
  }

  get #wanted() {
    return folded(this.input.value);
  }

  /** The codes whose names contain the typed text, those that start with it first. */
  get #found() {
    const wanted = this.#wanted;
    if (!wanted) return [];
    const rank = ({ name }) => (folded(name) === wanted ? 0 : folded(name).startsWith(wanted) ? 1 : 2);
    return this.labels.filter(({ name }) => folded(name).includes(wanted)).sort((one, other) => rank(one) - rank(other));
  }

  #narrow() {
    const wanted = this.#wanted;
    const found = this.#found;
    const first = found[0];
    for (const label of this.labels) {
      const node = this.buttons.get(label.id);
      node.hidden = Boolean(wanted) && !found.includes(label);
      node.classList.toggle("is-first", label === first);
    }
    this.make.hidden = !wanted || Boolean(first && folded(first.name) === wanted);
    this.make.replaceChildren(el("span", { text: `New code “${this.input.value.trim()}”` }), el("kbd", { text: first ? "Shift ⏎" : "⏎" }));
  }

  #key(event) {
    if (event.isComposing) return;
    const first = this.#found[0];
    if (event.key === "ArrowDown") (this.make.hidden ? this.buttons.get(first?.id ?? this.labels[0]?.id) : this.make)?.focus();
    else if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !this.#wanted) return;
    else if (first && (!event.shiftKey || this.make.hidden)) {
      this.leave();
      this.on.label(first, event);
    } else this.#made();
    event.preventDefault();
  }

  #made() {
    const name = this.input.value;
    this.leave();
    this.on.make(name);
  }
}
