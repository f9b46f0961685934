// The right side: the labels, the marks, the comment, the guideline.

import { buildField } from "../answer_form/fields.js";
import { el, ofKeys } from "../shared/dom.js";
import { button, clip, isReference, outLink } from "./dom.js";
import { swatch } from "./draw.js";
import { Finder } from "./finder.js";

/** The labels as buttons; the one hovered over or focused shows its definition at once. */
export class LabelBar {
  constructor(on) {
    this.on = on;
    this.finder = new Finder(on);
    this.node = el("div", { class: "mlt-labels", role: "toolbar", "aria-label": "Labels" });
    // Where they are one row that scrolls, the focused one is in sight.
    this.node.addEventListener("focusin", ({ target }) => target.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  /** With `grows`, they come below a field that finds or makes one. */
  show(labels, grows) {
    this.buttons = new Map(labels.map((label) => [label.id, labelButton(label, (event) => this.on.label(label, event), this.on)]));
    this.node.classList.toggle("is-growing", Boolean(grows));
    if (!grows) return this.node.replaceChildren(...this.buttons.values());
    this.finder.show(labels, this.buttons);
    return this.finder.list.isConnected || this.node.replaceChildren(...this.finder.nodes);
  }

  /** `used`: ids on the active mark; `armed`: the id that the next selection gets; `legend`: ids of those to show, null: all. */
  update({ used, armed, frozen, legend = null }) {
    for (const [id, node] of this.buttons) {
      // The finder hides some by itself.
      if (legend || this.legend) node.hidden = Boolean(legend) && !legend.includes(id);
      node.setAttribute("aria-pressed", String(used.includes(id) || armed === id));
      node.classList.toggle("is-armed", armed === id);
      node.setAttribute("aria-disabled", String(frozen));
    }
    this.legend = legend;
    this.finder.input.readOnly = frozen;
  }
}

/** A label as a button: number, pattern, name. `on.peek(label | null)` shows its definition. */
export function labelButton(label, onclick, on, props = {}) {
  const node = button("", onclick, {
    class: "mlt-label", "data-label": label.id, "data-kind": label.kind, "aria-keyshortcuts": label.key ? String(label.key) : null, ...props,
  });
  node.append(
    el("kbd", { text: keyOf(label), "aria-hidden": "true" }), swatch(label),
    el("span", { class: "mlt-label-name", text: label.name }));
  for (const [event, shown] of [["pointerenter", label], ["focus", label], ["pointerleave", null], ["blur", null]]) {
    node.addEventListener(event, (e) => e.pointerType !== "touch" && on.peek(shown));
  }
  return node;
}

/** "3 of 20", "practice 1 of 2", "3 of 20, sent back to you" */
export const placeOf = ({ position, total, practice, sent_back: back, words }) =>
  words || `${practice ? "practice " : ""}${position} of ${total}${back ? `, ${back}` : ""}`;

/** A label's key as text; some have none. */
const keyOf = (label) => (label.key ? String(label.key) : "•");

const none = () => [
  `Select words in the response, then choose a label${ofKeys(", 1–9")}.`,
  `Select words in the text, then choose a label${ofKeys(", 1–9")}. If there is nothing to mark, mark nothing.`,
  `Select words, then ${ofKeys("press C and ")}name a code${ofKeys(", or 1–9 for one that has a key")}. If there is nothing to mark, press Done.`,
];

/** Marks, comment and guideline under two tabs, and the definition shown over them. */
export class SidePane {
  constructor(on) {
    this.on = on;
    this.tabs = ["marks", "guideline"].map((name) =>
      el("button", {
        type: "button", role: "tab", class: "mlt-tab", id: `mlt-tab-${name}`, "aria-controls": `mlt-panel-${name}`,
        onclick: () => this.turn(name),
      }));
    this.tabs[1].textContent = "Guideline";
    this.list = el("ol", { class: "mlt-list", "aria-label": "Marks" });
    this.comment = el("textarea", {
      class: "mlt-comment", rows: "2", maxlength: "10000", id: "mlt-comment",
      placeholder: "On the response as a whole (optional)",
      oninput: () => on.comment(this.comment.value),
    });
    this.marks = el("div", { class: "mlt-panel", role: "tabpanel", id: "mlt-panel-marks", "aria-labelledby": "mlt-tab-marks" },
      this.list, this.questions = el("div", { class: "maf mlt-asks" }),
      this.overall = el("div", {}, el("label", { class: "mlt-small", for: "mlt-comment", text: "Overall comment" }), this.comment));
    this.fields = [];
    this.guideline = el("div", {
      class: "mlt-panel mlt-guideline", role: "tabpanel", id: "mlt-panel-guideline", "aria-labelledby": "mlt-tab-guideline", tabindex: "0",
    });
    this.over = el("div", { class: "mlt-peek", "aria-hidden": "true" });
    this.tools = new Tools(on);
    this.node = el("section", { class: "mlt-side", "aria-label": "Marks and guideline" },
      el("div", { class: "mlt-side-head" },
        el("div", { class: "mlt-tabs", role: "tablist", onkeydown: (event) => this.#arrows(event) }, this.tabs), this.tools.node),
      el("div", { class: "mlt-panels" }, this.marks, this.guideline), this.over);
    // The browser takes what lies behind the labels for seen. Not for a press: what it is on stays below the pointer.
    this.node.addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && target.scrollIntoView({ block: "nearest" }));
    this.turn("marks");
  }

  turn(name) {
    for (const [tab, panel, mine] of [[this.tabs[0], this.marks, "marks"], [this.tabs[1], this.guideline, "guideline"]]) {
      tab.setAttribute("aria-selected", String(name === mine));
      tab.tabIndex = name === mine ? 0 : -1;
      panel.hidden = name !== mine;
    }
  }

  #arrows(event) {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const other = this.tabs.find((tab) => tab.getAttribute("aria-selected") === "false");
    other.click();
    other.focus();
    event.stopPropagation();
  }

  /** Shows a label's definition over the panels; null hides it. */
  peek(label) {
    this.over.classList.toggle("is-on", Boolean(label));
    if (label) this.over.replaceChildren(...entry(label));
  }

  showGuideline(labels, reading, grows) {
    this.tabs[1].textContent = grows ? "Codes" : "Guideline";
    this.none = grows ? 2 : null;
    const sections = labels.map((label) => el("section", { class: "mlt-entry", "data-label": label.id }, entry(label)));
    const links = reading.map((link) => el("li", {}, outLink(link.url, link.title)));
    this.guideline.replaceChildren(...sections);
    if (links.length) this.guideline.append(el("h3", { text: "Background reading" }), el("ul", { class: "mlt-reading" }, links));
  }

  /** Shows the questions about the whole text, and the comment box if `comment`. */
  ask(fields, comment) {
    this.overall.hidden = !comment;
    this.fields = fields.map((field) => {
      const built = buildField({ ...field, id: `whole.${field.id}` }, {
        choose: (_, value) => this.on.answer(null, field.id, value),
        type: (_, value) => this.on.answer(null, field.id, value, true),
        left: () => {},
        submit: () => {},
      });
      return { ...built, field };
    });
    this.questions.replaceChildren(...this.fields.flatMap(({ node, field }) => [
      field.head ? el("p", { class: "maf-part", text: field.head }) : null, node].filter(Boolean)));
  }

  /** Goes to a question about the whole text. */
  reach(id) {
    this.turn("marks");
    this.fields.find(({ field }) => field.id === id)?.node.querySelector("input, textarea")?.focus();
  }

  #showAnswers(answers) {
    for (const { node, show, field } of this.fields) {
      show(answers[field.id] ?? null);
      node.hidden = Boolean(field.when) && answers[field.when[0]] !== field.when[1];
    }
  }

  lock(closed) {
    for (const { hold } of this.fields) hold(closed);
    this.comment.readOnly = closed;
  }

  showMarks(marks, activeId, readonly) {
    this.tabs[0].textContent = marks.spans.length ? `Marks · ${marks.spans.length}` : "Marks";
    if (this.comment.value !== marks.comment) this.comment.value = marks.comment;
    this.#showAnswers(marks.answers);
    if (!marks.spans.length) {
      this.list.replaceChildren(el("li", { class: "mlt-none", text: readonly ? "Nothing is marked." : `Nothing marked yet. ${none()[this.none ?? Number(marks.free)]}` }));
      return;
    }
    this.list.replaceChildren(...marks.spans.map((span, place) => this.#row(marks, span, place, activeId, readonly)));
    this.#reveal(this.list.querySelector(".is-active"));
  }

  /** Scrolls the list, never the page around it. */
  #reveal(row) {
    if (!row || this.marks.hidden) return;
    const pane = this.marks.getBoundingClientRect();
    const here = row.getBoundingClientRect();
    if (here.top < pane.top) this.marks.scrollTop -= pane.top - here.top;
    else if (here.bottom > pane.bottom) this.marks.scrollTop += here.bottom - pane.bottom;
  }

  #row(marks, span, place, activeId, readonly) {
    const quote = button(`${place + 1}. “${clip(span.quote, 160)}”`, () => this.on.open(span), {
      class: "mlt-quote", "aria-label": `Mark ${place + 1}: ${marks.names(span)}. ${clip(span.quote, 160)}`,
    });
    const chips = span.labels.map((id) => {
      const label = marks.byId.get(id);
      return el("span", { class: "mlt-chip" }, label ? [el("kbd", { text: keyOf(label) }), swatch(label)] : null, el("span", { text: marks.name(id) }));
    });
    const row = el("li", { class: span.id === activeId ? "mlt-row is-active" : "mlt-row" }, quote, el("div", { class: "mlt-chips" }, chips));
    if (span.start === null) row.append(el("p", { class: "mlt-small", text: "Its place in the text is not known." }));
    const said = marks.asks.map(({ id }) => span.answers[id]).filter(Boolean).join("; ");
    if (said) row.append(el("p", { class: "mlt-small mlt-said", text: said }));
    const open = marks.unanswered(span)[0];
    if (open) row.append(el("p", { class: "mlt-small mlt-needs", text: `▲ ${open.label}` }));
    if (span.comment) row.append(el("p", { class: "mlt-small mlt-said", text: clip(span.comment, 240) }));
    if (span.link) row.append(el("p", { class: "mlt-small" }, outLink(span.link, clip(span.link, 60))));
    if (span.link && marks.needsLink(span) && !isReference(span.link)) {
      row.append(el("p", { class: "mlt-small mlt-needs", text: "▲ this reference cannot be looked up" }));
    }
    if (!span.link && marks.needsLink(span)) row.append(el("p", { class: "mlt-small mlt-needs", text: "▲ needs a link that refutes it" }));
    if (!readonly) {
      row.append(button("×", () => this.on.remove(span), { class: "mlt-x", "aria-label": `Remove mark ${place + 1}` }));
    }
    return row;
  }
}

function entry(label) {
  const part = (head, text, extra = "") => text ? el("p", { class: extra }, head ? el("b", { text: `${head} ` }) : null, text) : null;
  return [
    el("h3", { class: "mlt-entry-head" }, el("kbd", { text: keyOf(label) }), swatch(label), el("span", { text: label.name })),
    part("", label.hint, "mlt-hint"),
    part("", label.definition),
    part("Not when", label.not_when),
    label.requires_link ? part("Required", "a link or citation that refutes the claim.") : null,
    part("Example", label.example, "mlt-example"),
    part("Why", label.example_reason),
    label.steps?.length ? el("ol", { class: "mlt-steps", "aria-label": "Steps" }, label.steps.map((step) => el("li", { text: step }))) : null,
  ].filter(Boolean);
}

/** Undo and redo, beside the marks that they are about. */
export class Tools {
  constructor(on) {
    this.buttons = {
      undo: button("↶", () => on.undo("undo"), { "aria-label": "Undo", title: "Undo (Ctrl+Z)", class: "mlt-btn is-icon" }),
      redo: button("↷", () => on.undo("redo"), { "aria-label": "Redo", title: "Redo (Ctrl+Shift+Z)", class: "mlt-btn is-icon" }),
    };
    this.node = el("div", { class: "mlt-tools" }, this.buttons.undo, this.buttons.redo);
  }

  update(marks, closed) {
    this.buttons.undo.disabled = closed || !marks.past.length;
    this.buttons.redo.disabled = closed || !marks.future.length;
  }
}

/** What the desk's bar shows. With `grows`, the item is coded, not judged: it cannot be skipped or flagged. */
export function barData({ progress, readonly, frozen, state, flag_reason: flagged, words, grows }) {
  const closed = frozen || readonly;
  const off = [closed && ["flag", "skip", "submit"], (frozen || !progress.has_previous) && "previous", (frozen || !progress.has_next) && "next"];
  return {
    place: placeOf(progress), state: words, off: off.flat().filter(Boolean), without: grows ? ["flag", "skip"] : [],
    flag: flagged ? "Unflag" : "Flag", submit: grows ? "Done" : state === "submitted" ? "Submit again" : "Submit",
  };
}
