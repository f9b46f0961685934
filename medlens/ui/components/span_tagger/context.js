// The question on the left that the text answers: its options, the right one and the chosen one.

import { afterPaint, el } from "../shared/dom.js";
import { button } from "./dom.js";

export class ContextPane {
  constructor() {
    this.node = el("aside", { class: "mlt-context", "aria-label": "Question" });
    // In a narrow window the question scrolls away or is folded: which option is right stays in sight.
    this.key = el("p", { class: "mlt-key", "aria-hidden": "true" });
    this.open = null; // null: the width decides (tagger.css), until someone opens or closes it
  }

  show(context) {
    // On a pane that is new this would only force a layout.
    if (this.fold) this.node.scrollTop = 0;
    const heading = context.heading || "Question";
    this.node.setAttribute("aria-label", heading);
    const body = el("div", { class: "mlt-context-body", id: "mlt-context-body" });
    for (const block of context.blocks ?? []) {
      if (block.kind === "options") body.append(options(block.options, context.chosen_label || "chosen"));
      else if (block.kind === "head") body.append(el("h3", { class: "mlt-heading", text: block.text }));
      else if (block.kind === "source") body.append(el("p", { class: "mlt-stem" }, block.parts.map(([lit, text]) => (lit ? el("mark", { class: "mlt-lit", text }) : text))));
      else body.append(el("p", { class: `mlt-${block.kind === "note" ? "note" : "stem"}`, text: block.text }));
    }
    const fold = button("", () => this.#fold(), { class: "mlt-fold", "aria-controls": "mlt-context-body" });
    fold.append(el("span", { class: "mlt-fold-sign", "aria-hidden": "true" }), heading);
    this.node.replaceChildren(el("h2", { class: "mlt-heading" }, fold), body);
    this.fold = fold;
    this.body = body;
    const all = (context.blocks ?? []).flatMap((block) => (block.kind === "options" ? block.options : []));
    const named = (sign, option) => option && el("span", { class: `mlt-sign is-${sign}`, text: `${sign === "correct" ? "✓" : "▸"} ${option.key} ${option.text}` });
    this.key.replaceChildren(...["correct", "chosen"].map((sign) => named(sign, all.find((one) => one[sign]))).filter(Boolean));
    this.key.hidden = !this.key.firstChild;
    // Checking whether it is shown forces a layout, so not while an item is being shown.
    afterPaint(() => this.refresh());
  }

  #shown() {
    return this.open ?? getComputedStyle(this.body).display !== "none";
  }

  /** Tells assistive technology whether it is shown, which the width may have changed. */
  refresh() {
    if (!this.fold) return;
    this.node.dataset.open = this.open === null ? "auto" : String(this.open);
    this.fold.setAttribute("aria-expanded", String(this.node.isConnected ? this.#shown() : true));
  }

  #fold() {
    this.open = !this.#shown();
    this.refresh();
  }
}

function options(list, chosenLabel) {
  const rows = list.map((option) => {
    const signs = [];
    if (option.correct) signs.push(el("span", { class: "mlt-sign is-correct", text: "✓ correct" }));
    if (option.chosen) signs.push(el("span", { class: "mlt-sign is-chosen", text: `▸ ${chosenLabel}` }));
    const row = el("li", { class: "mlt-option" },
      el("b", { class: "mlt-option-key", text: option.key }),
      el("span", { class: "mlt-option-text", text: option.text }),
      signs.length ? el("span", { class: "mlt-signs" }, signs) : null);
    row.classList.toggle("is-correct", Boolean(option.correct));
    row.classList.toggle("is-chosen", Boolean(option.chosen));
    return row;
  });
  return el("ul", { class: "mlt-options" }, rows);
}
