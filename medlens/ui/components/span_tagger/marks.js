// The marks on one item: what is said about which words, with undo.

import { ofKeys } from "../shared/dom.js";
import { isReference } from "./dom.js";

const DEPTH = 200;

export class Marks {
  /** `asks`: questions about each mark; `whole`: about the text; `free`: it may have no marks. */
  constructor(index, labels, draft, { asks = [], whole = [], free = false } = {}) {
    Object.assign(this, { asks, whole, free });
    this.index = index;
    this.labels = labels;
    this.byId = new Map(labels.map((label) => [label.id, label]));
    this.past = [];
    this.future = [];
    this.group = null;
    this.nextId = 1;
    this.load(draft);
  }

  load(draft) {
    this.spans = draft.spans.map((span) => this.#placed(span)).sort(byPlace);
    this.comment = draft.comment ?? "";
    this.answers = { ...draft.answers };
    this.codes = { ...draft.codes }; // new labels that the server does not know yet: names by id
  }

  /** Takes over a list of labels that has grown. */
  relabel(labels) {
    this.labels = labels;
    this.byId = new Map(labels.map((label) => [label.id, label]));
  }

  /** Replaces a label by another one, or removes it (""), in the undo history too. */
  become(id, other) {
    delete this.codes[id];
    if (id === other) return;
    for (const state of [this, ...this.past, ...this.future]) {
      for (const span of state.spans) {
        span.labels = [...new Set(span.labels.map((label) => (label === id ? other : label)))].filter(Boolean);
      }
      state.spans = state.spans.filter(({ labels }) => labels.length);
    }
  }

  #placed(span) {
    const start = this.index.unit(span.start);
    const end = this.index.unit(span.end);
    const placed = start >= 0 && end > start;
    return {
      id: this.nextId++,
      start: placed ? start : null,
      end: placed ? end : null,
      quote: placed ? this.index.text.slice(start, end) : (span.quote ?? ""),
      labels: this.ordered(span.labels),
      comment: span.comment ?? "",
      link: span.link ?? "",
      located: span.located ?? "exact",
      answers: { ...span.answers },
    };
  }

  /** What is sent and stored: code points, labels in the taxonomy's order. */
  body() {
    const spans = this.spans.map((span) => ({
      start: span.start === null ? null : this.index.point(span.start),
      end: span.end === null ? null : this.index.point(span.end),
      quote: span.quote,
      labels: [...span.labels],
      comment: wellFormed(span.comment),
      link: wellFormed(span.link),
      located: span.located,
      answers: { ...span.answers },
    }));
    return { spans, comment: wellFormed(this.comment), answers: { ...this.answers }, codes: { ...this.codes } };
  }

  ordered(ids) {
    const known = this.labels.filter((label) => ids.includes(label.id)).map((label) => label.id);
    return [...known, ...ids.filter((id) => !this.byId.has(id))];
  }

  find(id) {
    return this.spans.find((span) => span.id === id) ?? null;
  }

  at(start, end) {
    return this.spans.find((span) => span.start === start && span.end === end) ?? null;
  }

  over(unit) {
    return this.spans
      .filter((span) => span.start !== null && span.start <= unit && unit < span.end)
      .sort((one, other) => one.end - one.start - (other.end - other.start));
  }

  /** The labels in use that conflict with `id`: a non-error label excludes all others. */
  against(id) {
    const used = new Set(this.spans.flatMap((span) => span.labels));
    used.delete(id);
    const alone = this.byId.get(id).kind === "non_error";
    return this.ordered([...used].filter((other) => alone || this.byId.get(other)?.kind === "non_error"));
  }

  // ---- changes; each is one step of undo -----------------------------------

  add(start, end, id) {
    this.#step();
    const span = this.#placed({ start: null, end: null, labels: [id] });
    Object.assign(span, { start, end, quote: this.index.text.slice(start, end) });
    this.spans.push(span);
    this.spans.sort(byPlace);
    return span;
  }

  toggle(span, id) {
    this.#step();
    const had = span.labels.includes(id);
    span.labels = had ? span.labels.filter((other) => other !== id) : this.ordered([...span.labels, id]);
    if (!span.labels.length) this.spans = this.spans.filter((other) => other !== span);
    return !had;
  }

  /** Removes the labels that conflict with `id`, and puts `id` on these words. */
  replace(start, end, id) {
    const out = new Set(this.against(id));
    this.#step();
    for (const span of this.spans) span.labels = span.labels.filter((other) => !out.has(other));
    let span = this.at(start, end);
    if (span) span.labels = this.ordered([...new Set([...span.labels, id])]);
    this.spans = this.spans.filter((other) => other.labels.length);
    if (span) return span;
    span = this.#placed({ start: null, end: null, labels: [id] });
    Object.assign(span, { start, end, quote: this.index.text.slice(start, end) });
    this.spans.push(span);
    this.spans.sort(byPlace);
    return span;
  }

  remove(span) {
    this.#step();
    this.spans = this.spans.filter((other) => other !== span);
  }

  /** Typing in one field is one undo step, until another change or field intervenes. */
  write(span, field, value) {
    this.#step(`${span.id}:${field}`);
    span[field] = value;
  }

  writeComment(value) {
    this.#step("comment");
    this.comment = value;
  }

  /** Answers a question about a mark, or the whole text (null `span`); null takes it back. */
  answer(span, id, value, typed) {
    this.#step(typed ? `${span?.id ?? ""}:answer:${id}` : null);
    const held = (span ?? this).answers;
    if (value === null || value === "") delete held[id];
    else held[id] = wellFormed(value);
  }

  replaceBody(body) {
    this.#step();
    this.load(body);
  }

  // ---- undo ------------------------------------------------------------------

  #snapshot() {
    const spans = this.spans.map((span) => ({ ...span, labels: [...span.labels], answers: { ...span.answers } }));
    return { spans, comment: this.comment, answers: { ...this.answers } };
  }

  #step(group = null) {
    if (group !== null && group === this.group) return;
    this.group = group;
    this.past.push(this.#snapshot());
    if (this.past.length > DEPTH) this.past.shift();
    this.future = [];
  }

  #swap(from, to) {
    const state = from.pop();
    if (!state) return false;
    to.push(this.#snapshot());
    this.group = null;
    this.spans = state.spans;
    this.comment = state.comment;
    this.answers = state.answers;
    return true;
  }

  undo() {
    return this.#swap(this.past, this.future);
  }

  redo() {
    return this.#swap(this.future, this.past);
  }

  // ---- what is missing for a submit: [{text, span?, field?, whole?}] ---------------------

  missing() {
    const lacks = [];
    if (!this.spans.length && !this.free) {
      const flawless = this.labels.find((label) => label.kind === "non_error");
      const otherwise = flawless ? ` If you find no error, mark a sentence as “${flawless.name}”.` : "";
      lacks.push({ text: `No label yet. Select words in the response and choose a label${ofKeys(", 1–9")}.${otherwise}` });
    }
    const alone = this.ordered([...new Set(this.spans.flatMap((span) => span.labels))]);
    const sole = alone.filter((id) => this.byId.get(id)?.kind === "non_error");
    if (sole.length && alone.length > 1) {
      lacks.push({ text: `“${this.name(sole[0])}” cannot be combined with other labels. Remove it, or the others.` });
    }
    this.spans.forEach((span, place) => {
      if (this.needsLink(span) && !isReference(span.link)) {
        const what = span.link.trim() ? "has a reference that cannot be looked up" : "has no link";
        lacks.push({ text: `Mark ${place + 1} ${what}: give a web address (https://…), a DOI, or author, title and year of what refutes the claim.`, span, field: "link" });
      }
    });
    this.spans.forEach((span, place) => {
      const ask = this.unanswered(span)[0];
      if (ask) lacks.push({ text: `Mark ${place + 1}: ${ask.label}`, span, field: ask.id });
    });
    for (const { id, label, required, when } of this.whole) {
      const asked = !when || this.answers[when[0]] === when[1];
      if (required && asked && !this.answers[id]) lacks.push({ text: label, whole: id });
    }
    return lacks;
  }

  /** The required questions about a mark that have no answer yet. */
  unanswered(span) {
    return this.asks.filter(({ id, required }) => required && !span.answers[id]);
  }

  needsLink(span) {
    return span.labels.some((id) => this.byId.get(id)?.requires_link);
  }

  name(id) {
    return this.byId.get(id)?.name ?? id;
  }

  names(span) {
    return span.labels.map((id) => this.name(id)).join(", ");
  }
}

export function sameBody(one, other) {
  const said = (answers) => Object.entries(answers ?? {}).sort();
  const plain = (body) =>
    JSON.stringify([
      body.comment ?? "",
      said(body.answers),
      body.spans.map((s) => [s.start, s.end, s.quote, s.labels, s.comment ?? "", s.link ?? "", said(s.answers)]),
    ]);
  return plain(one) === plain(other);
}

function byPlace(one, other) {
  return (one.start ?? Infinity) - (other.start ?? Infinity) || (one.end ?? 0) - (other.end ?? 0) || one.id - other.id;
}

/** Some keyboards leave half a surrogate pair, which cannot be sent. */
function wellFormed(text) {
  return text?.toWellFormed ? text.toWellFormed() : text;
}
