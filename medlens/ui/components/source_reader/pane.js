// One source of an item: for reading only, or to mark evidence for a question in the form beside
// it. The form holds the answer and sends it to the server; the two talk by events on the document,
// which name the item and the source's column.

import { refuseKey } from "../shared/keyboard.js";
import { passagesIn, remarked, sentencesOf } from "../shared/passages.js";
import { fit } from "./dom.js";
import { Reader } from "./reader.js";

const mounted = new WeakMap(); // mount point -> Pane; the default export is called on every change
const panes = new Set();
let current = null; // the pane last touched: of several, it gets the keys

class Pane extends Reader {
  constructor(parent) {
    super(parent);
    this.asked = null; // the form's current answer for this source
    this.wrap.classList.add("is-pane");
    panes.add(this);
    const { signal } = this.away;
    document.addEventListener("medlens:evidence", ({ detail }) => this.hear(detail), { signal });
    for (const kind of ["pointerdown", "focusin"]) {
      this.wrap.addEventListener(kind, () => { current = this; }, { signal });
    }
  }

  destroy() {
    panes.delete(this);
    super.destroy();
  }

  update(data) {
    if (data.item !== this.data?.item) this.asked = null;
    super.update({ ...data, quote: [], marked: null, markable: Boolean(this.asked) });
    // The form replies with its question and the marks so far.
    document.dispatchEvent(new Event("medlens:shown"));
  }

  /** Takes the form's question about this source and its current answer. */
  hear({ item, column, label, value, open, show }) {
    if (item !== this.data?.item || column !== this.data.column) return;
    this.asked = open ? { value } : { value, held: true };
    this.data.markable = open;
    this.paint();
    if (label) {
      this.say.textContent = `Marks answer ${label}`;
      this.say.hidden = false;
    }
    if (show === undefined) return;
    current = this;
    const [i] = show === null ? [] : sentencesOf([show], this.data.starts, this.data.sentences);
    if (i !== undefined) {
      this.hold(i);
      this.show(this.sentences[i]);
    }
    this.wrap.scrollIntoView({ block: "nearest" });
  }

  get marks() {
    const { starts, sentences } = this.data;
    return new Set(sentencesOf(passagesIn(this.asked?.value), starts, sentences));
  }

  /** Also tags the sentences that others marked, with the names of their answers. */
  paint() {
    super.paint();
    const { others = [], starts, sentences } = this.data;
    const by = new Map();
    for (const one of others) {
      for (const i of sentencesOf(one.passages, starts, sentences)) by.set(i, [...(by.get(i) ?? []), one.by]);
    }
    this.sentences.forEach((node, i) => {
      if (by.has(i)) node.dataset.by = by.get(i).join(" ");
      else delete node.dataset.by;
    });
  }

  take(from, to) {
    this.answer(Array.from({ length: to - from + 1 }, (_, at) => from + at), true);
  }

  toggle(i) {
    this.answer([i], !this.marks.has(i));
  }

  answer(numbers, on) {
    const { item, column, starts, sentences } = this.data;
    if (!this.asked || this.asked.held) {
      refuseKey("the form beside it is not ready yet");
      return;
    }
    const value = remarked(this.asked.value, numbers, on, starts, sentences);
    document.dispatchEvent(new CustomEvent("medlens:marked", { detail: { item, column, value } }));
  }

  pressed(event) {
    // A page can hold the next item out of sight.
    const there = [...panes].filter(({ wrap }) => wrap.offsetParent && getComputedStyle(wrap).visibility === "visible");
    if ((there.includes(current) ? current : there[0]) === this) super.pressed(event);
  }
}

export default function mount({ data, parentElement }) {
  let pane = mounted.get(parentElement);
  if (!pane) {
    pane = new Pane(parentElement);
    mounted.set(parentElement, pane);
  }
  fit(pane.wrap);
  pane.update(data);
  return () => {
    pane.destroy();
    mounted.delete(parentElement);
  };
}
