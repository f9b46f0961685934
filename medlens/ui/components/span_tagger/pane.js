// The text to mark as one pane beside a form. The form holds the answer and sends it to the server;
// the two talk by events on the document, which name the item and the text, as for sources.

import { afterPaint } from "../shared/dom.js";
import { marksIn } from "../shared/passages.js";
import { sameBody } from "./marks.js";
import { Tagger } from "./tagger.js";

const mounted = new WeakMap(); // mount point -> Pane; the default export is called on every change
let begun = null; // the text that got the focus by itself
const bodyOf = (value) => ({ spans: marksIn(value), comment: "", answers: {} });
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

/** In the Saver's place: hands every change to the form. */
class Handing {
  constructor(pane) {
    Object.assign(this, { pane, open: false, late: 0, changed: false });
  }

  /** The form is being left, or has not yet said what it asks of this text. */
  get moving() {
    return this.open || this.pane.data?.readonly ? "" : "next";
  }

  get busy() {
    return this.changed;
  }

  draft(wait = 0) {
    clearTimeout(this.late);
    this.changed = true;
    if (wait) this.late = setTimeout(() => this.flush(), wait);
    else afterPaint(() => this.flush());
  }

  flush() {
    clearTimeout(this.late);
    if (!this.changed) return;
    this.changed = false;
    const { item, marks, data } = this.pane;
    const found = marks.body().spans.map(({ start, end, quote, labels, comment, link, located, answers }) => ({
      start, end, quote, labels, comment, ...(link && { link }), ...(located !== "exact" && { located }),
      // In the order of the questions, as the server writes them: the form compares the texts.
      answers: Object.fromEntries(marks.asks.filter(({ id }) => answers[id]).map(({ id }) => [id, answers[id]])),
    }));
    tell("medlens:marked", { item, column: data.column, value: found.length ? JSON.stringify(found) : null });
  }

  leave() {
    this.flush();
    this.open = false;
  }

  stop() {
    this.flush();
  }

  answer() {}
  restore() {}
}

class Pane extends Tagger {
  constructor(parent) {
    super(parent);
    this.wrap.classList.add("is-pane");
    const { signal } = this.listening;
    document.addEventListener("medlens:evidence", ({ detail }) => this.hear(detail), { signal });
    this.wrap.addEventListener("focusout", () => this.saver.flush(), { signal });
    window.addEventListener("scroll", () => this.popover.follow(), { signal, capture: true, passive: true });
  }

  makeSaver() {
    return new Handing(this);
  }

  connect() {}

  update(data) {
    const other = data.item !== this.item;
    if (other) this.told = false; // the form has not yet given the answer to this item
    super.update({ ...data, rev: 0, draft: data.item === this.item ? this.marks.body() : data.draft });
    // The form replies with its question and the marks so far.
    document.dispatchEvent(new Event("medlens:shown"));
    // Whoever marks one text after another begins in the text.
    if (other && !data.readonly) requestAnimationFrame(() => {
      const panes = [...document.getElementsByClassName("mlt is-pane")];
      const first = panes.find((one) => one.checkVisibility({ visibilityProperty: true }));
      // A later text may have been drawn, and begun with, before this one; the questions, too.
      const held = document.activeElement;
      if (first !== this.wrap || !([document.body, begun].includes(held) || held.matches("[data-rests-for=text]"))) return;
      this.focusText();
      begun = this.box;
    });
  }

  /** Takes the form's current answer for this text. */
  hear({ item, column, value, open, show }) {
    if (item !== this.item || column !== this.data.column) return;
    const body = bodyOf(value);
    const was = this.saver.open;
    this.saver.open = open;
    if (!this.told) {
      this.marks.load(body);
      this.drawMarks();
    } else if (!this.saver.busy && !sameBody(this.marks.body(), body)) this.adopt(0, body, "");
    this.told = true;
    if (was !== open) this.drawSide();
    if (show === undefined) return;
    const mark = show && this.marks.spans[show.at];
    this.wrap.scrollIntoView({ block: "nearest" });
    if (mark) this.editing.openCard(mark, { field: show.field });
    else this.focusText();
  }

  /** Enter with no words selected, or with Ctrl. */
  submit() {
    this.saver.flush();
    this.leaving.submit(() => document.dispatchEvent(new Event("medlens:submit")));
  }
}

export default function mount({ data, parentElement }) {
  let pane = mounted.get(parentElement);
  if (!pane) {
    pane = new Pane(parentElement);
    mounted.set(parentElement, pane);
  }
  pane.update(data);
  return () => {
    pane.destroy();
    mounted.delete(parentElement);
  };
}
