// What a person does to the marks. The tagger holds the parts; this is the behaviour.

import { ofKeys } from "../shared/dom.js";
import { clip } from "./dom.js";
import { measurePaint } from "./surface.js";

const TYPING = 400; // ms from the last letter to saving

export class Editing {
  constructor(tagger) {
    this.t = tagger;
    this.drawn = null; // id of the mark that the armed label has just made
  }

  get active() {
    return this.t.marks.find(this.t.activeId);
  }

  /** The mark for Enter and Delete: the selected one, else the innermost under the cursor. */
  get meant() {
    const range = this.t.cursor.range;
    return this.active ?? (range ? (this.t.marks.over(range[0])[0] ?? null) : null);
  }

  /** Whether Enter opens something now, a mark or the labels for the selected words, and does not submit. */
  get opens() {
    return Boolean(this.meant || (this.t.cursor?.range && !this.t.data.readonly));
  }

  // ---- selecting -----------------------------------------------------------------

  pick(range, { reveal = false } = {}) {
    const { t } = this;
    this.drawn = null;
    t.cursor.range = range;
    t.activeId = t.marks.at(range[0], range[1])?.id ?? null;
    t.drawMarks();
    t.view.cursor(range);
    if (reveal) t.view.reveal(range[0], range[1]);
    const here = t.marks.over(range[0]).filter((span) => span.end >= range[1]);
    const said = here.length ? ` Marked: ${here.map((span) => t.marks.names(span)).join("; ")}.${ofKeys(" Enter opens the mark.")}` : "";
    t.say(`“${clip(t.index.text.slice(...range), 90)}”${said || ` selected.${ofKeys(` Press ${t.data.grows ? "C or " : ""}1–9.`)}`}`);
  }

  /** After a selection by pointer or finger. */
  selected(range, event) {
    const { t } = this;
    const from = event?.timeStamp ?? performance.now();
    getSelectionAway(t.selecting.touch);
    t.cursor.set(range);
    if (t.armed && !t.data.readonly && !t.saver.moving) {
      const label = t.armed;
      t.activeId = t.marks.at(range[0], range[1])?.id ?? null;
      t.view.cursor(range);
      this.#apply(label, from);
      this.drawn = t.activeId;
      return;
    }
    this.pick(range);
    measurePaint("medlens:select", from);
    if (t.data.readonly || t.saver.moving || t.selecting.touch) return;
    this.menu(range);
  }

  menu(range) {
    const { t } = this;
    t.popover.menu(t.data.labels, () => t.rect(range), t.data.grows ? () => t.labels.finder.reach() : null);
  }

  clicked(unit, event) {
    const { t } = this;
    const mark = event.target.closest?.(".mlt-mark");
    this.drawn = null;
    t.notices.hide("conflict");
    if (mark) {
      const here = t.marks.over(t.view.unitOf(mark.firstChild, 0));
      const next = here[(here.indexOf(t.popover.span) + 1) % here.length];
      if (next) return this.openCard(next);
    }
    t.popover.close();
    this.letGo();
    if (unit !== null) t.cursor.place = unit;
    return undefined;
  }

  letGo() {
    const { t } = this;
    t.cursor.set(null);
    t.activeId = null;
    t.view.cursor(null);
    t.drawMarks();
    t.say("");
  }

  // ---- labels --------------------------------------------------------------------

  label(number, event) {
    const label = this.t.data.labels.find((one) => one.key === number);
    if (label) this.give(label, event);
    else this.t.refuse(`no label has the key ${number}`);
  }

  give(label, event) {
    const { t } = this;
    if (!this.t.mayMark()) return;
    // The armed label has just made its mark, so another label is meant for the next words.
    const done = t.armed && this.drawn !== null && this.active?.id === this.drawn;
    if (done || (!t.cursor.range && !this.active)) {
      t.arm(t.armed?.id === label.id ? null : label);
      this.drawn = t.armed && t.activeId;
      t.say(""); // what is chosen is said above the bar
      return;
    }
    if (t.armed) t.arm(null);
    this.#apply(label, event?.timeStamp ?? performance.now());
  }

  /** Makes a new label, for the selected words or the next ones. */
  make(name) {
    const { t } = this;
    if (!t.mayMark()) return;
    const label = t.made(name);
    if (label) this.give(label);
    t.saver.draft();
  }

  #apply(label, from) {
    const { t } = this;
    const span = this.active ?? t.marks.at(...t.cursor.range);
    if (!span?.labels.includes(label.id)) {
      const against = t.marks.against(label.id);
      if (against.length) return this.#conflict(label, against, span);
    }
    t.notices.hide("conflict");
    if (span) {
      const given = t.marks.toggle(span, label.id);
      const left = t.marks.find(span.id);
      t.activeId = left ? span.id : null;
      this.changed(given ? `${t.marks.names(span)}.` : `“${label.name}” taken off.`);
      if (!left) t.popover.close();
      else if (t.popover.span || this.#wantsCard(label, given)) this.openCard(left, { keep: true });
      else t.popover.close();
    } else {
      const made = t.marks.add(...t.cursor.range, label.id);
      t.activeId = made.id;
      this.changed(`“${clip(made.quote, 60)}”: ${label.name}.`);
      if (this.#wantsCard(label, true)) this.openCard(made, { keep: true });
      else t.popover.close();
    }
    measurePaint("medlens:span", from);
    return undefined;
  }

  /** A non-error label excludes all others: says why, and offers a way out. */
  #conflict(label, against, span) {
    const { t } = this;
    const named = against.map((id) => `“${t.marks.name(id)}”`);
    const names = named.length > 2 ? `the ${named.length} other labels in use` : named.join(" and ");
    const range = span?.start === null ? null : (span ? [span.start, span.end] : t.cursor.range);
    const alone = label.kind === "non_error";
    const why = alone
      ? `“${label.name}” is used without any other label, so it cannot be combined with ${names}.`
      : `${names} excludes every other label. Remove it before you add another.`;
    t.popover.close();
    t.notices.show("conflict", why, {
      kind: "warn",
      actions: range ? [[alone ? `Replace all with “${label.name}”` : `Replace with “${label.name}”`, () => {
        if (!this.t.mayMark()) return;
        const made = t.marks.replace(range[0], range[1], label.id);
        t.activeId = made.id;
        this.changed(`Replaced with “${label.name}”. Undo brings the others back.`);
        if (this.#wantsCard(label, true)) this.openCard(made, { keep: true });
        t.focusText();
      }]] : [],
    });
  }

  #wantsCard(label, given) {
    return given && (label.requires_link || label.steps?.length > 0 || this.t.marks.asks.length > 0);
  }

  // ---- one mark ---------------------------------------------------------------------

  openCard(span, { keep = false, field = null } = {}) {
    const { t } = this;
    t.activeId = span.id;
    if (span.start !== null) {
      if (!keep) t.cursor.set([span.start, span.end]);
      t.view.cursor(null);
      if (!keep) t.view.reveal(span.start, span.end);
    }
    t.drawMarks();
    const others = span.start === null ? [] : t.marks.spans.filter(
      (other) => other !== span && other.start !== null && other.start < span.end && other.end > span.start);
    t.popover.card(t.marks, span, () => t.rect(span.start === null ? null : [span.start, span.end]), {
      others, readonly: t.data.readonly || Boolean(t.saver.moving),
    });
    // What is typed next is the link: without it the letters would be the desk's keys.
    const link = !field && !span.link && t.marks.needsLink(span) && !t.data.readonly && ofKeys("link");
    if (field || link) t.popover.focus(field || link);
    else if (!keep) t.say(`Mark: ${t.marks.names(span)}.${ofKeys(" Enter for comment and link.")}`);
  }

  remove(span) {
    const { t } = this;
    if (!this.t.mayMark()) return;
    t.marks.remove(span);
    if (t.activeId === span.id) t.activeId = null;
    t.popover.close();
    this.changed("Mark removed. Undo brings it back.");
  }

  removeActive() {
    const span = this.meant;
    if (span) this.remove(span);
    else this.t.refuse("no mark is selected");
  }

  write(span, field, value) {
    if (!this.t.mayMark()) return;
    this.t.marks.write(span, field, value);
    this.t.drawSide();
    this.t.saver.draft(TYPING);
  }

  /** Answers a question about a mark, or about the whole text if `span` is null. */
  answer(span, id, value, typed = false) {
    const { t } = this;
    if (!t.mayMark()) return;
    t.marks.answer(span, id, value, typed);
    t.lacking.hide("missing");
    t.drawSide();
    t.saver.draft(typed ? TYPING : 0);
  }

  comment(value) {
    if (!this.t.mayMark()) return;
    this.t.marks.writeComment(value);
    this.t.drawBar();
    this.t.saver.draft(TYPING);
  }

  changed(said) {
    const { t } = this;
    t.lacking.hide("missing");
    t.drawMarks();
    if (t.cursor.range && !t.activeId) t.view.cursor(t.cursor.range);
    else t.view.cursor(null);
    t.saver.draft();
    if (said) t.say(said);
  }

  undo(kind) {
    const { t } = this;
    if (!this.t.mayMark()) return;
    if (!t.marks[kind]()) {
      t.refuse(`there is nothing to ${kind}`);
      return;
    }
    t.popover.close();
    t.activeId = t.cursor.range ? (t.marks.at(...t.cursor.range)?.id ?? null) : null;
    this.changed(kind === "undo" ? "Undone." : "Done again.");
  }

  // ---- the cursor ----------------------------------------------------------------------

  #moved(range) {
    const { t } = this;
    t.popover.close();
    if (range) this.pick(range, { reveal: true });
    t.focusText();
  }

  moveWord(step, event) {
    const { cursor } = this.t;
    this.#moved(event.altKey && event.shiftKey ? cursor.character(step) : cursor.word(step, event.shiftKey));
  }

  moveSentence(step, event) {
    this.#moved(this.t.cursor.sentence(step, event.shiftKey));
  }

  jump(step) {
    const { t } = this;
    const spans = t.marks.spans.filter((span) => span.start !== null);
    if (!spans.length) return t.refuse("there are no marks yet");
    const at = spans.findIndex((span) => span.id === t.activeId);
    const from = t.cursor.range?.[0] ?? t.cursor.place;
    const ahead = spans.findIndex((span) => span.start >= from);
    const first = step > 0 ? (ahead < 0 ? 0 : ahead) : (ahead < 0 ? spans.length : ahead) - 1;
    const to = spans[((at < 0 ? first : at + step) + spans.length) % spans.length];
    t.popover.close();
    t.cursor.set([to.start, to.end]);
    this.pick([to.start, to.end], { reveal: true });
    return t.focusText();
  }

  // ---- the item ------------------------------------------------------------------------

  enter() {
    const { t } = this;
    const span = this.meant;
    if (span) {
      this.openCard(span, { keep: true });
      t.popover.focus(t.marks.needsLink(span) && !span.link ? "link" : (t.marks.unanswered(span)[0]?.id ?? "comment"));
    } else if (t.cursor.range && !t.data.readonly) {
      this.menu(t.cursor.range);
      t.popover.focus(null);
    } else t.submit();
  }

  escape() {
    const { t } = this;
    if (t.popover.close() || t.notices.hide("conflict")) {
      t.focusText();
      return true;
    }
    if (t.armed) {
      t.arm(null);
      t.say("");
      return true;
    }
    const held = t.cursor.range || t.activeId !== null;
    this.letGo();
    t.focusText();
    return Boolean(held);
  }
}

function getSelectionAway(touch) {
  // Touch handles need the native selection; the mouse's is replaced by our own highlight.
  if (!touch) getSelection()?.removeAllRanges();
}
