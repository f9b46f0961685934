// MedLens span tagger: one item's whole review surface, as a Streamlit component (no build step).
//
// Python sends `data` down; everything goes up in full as one state key, `out`. The browser's
// version is newer: it ignores the server's echo of the marks unless the item or revision changed.

import { closeConnectionMessages } from "../shared/connection.js";
import { DeskBar } from "../shared/desk_bar.js";
import { afterPaint, clockTime, el, isUnderDialog, newToken, ofKeys, wordsAtRest } from "../shared/dom.js";
import { refuseKey } from "../shared/keyboard.js";
import { latest, posting } from "../shared/posting.js";
import { Saver } from "../shared/saver.js";
import { watchTextLimits } from "../shared/text_limits.js";
import { Clock } from "./clock.js";
import { ContextPane } from "./context.js";
import { Cursor } from "./cursor.js";
import { clip, plural } from "./dom.js";
import { TextView } from "./draw.js";
import { Editing } from "./editing.js";
import { folded } from "./finder.js";
import { listenToKeys } from "./keys.js";
import { Leaving } from "./leaving.js";
import { Marks, sameBody } from "./marks.js";
import { Notices } from "./notices.js";
import { TextIndex } from "./offsets.js";
import { LabelBar, SidePane, barData, placeOf } from "./panels.js";
import { PHONE, Popover } from "./popover.js";
import { Selecting } from "./select.js";
import { buildSurface, fillWindow, showInAddress } from "./surface.js";
import { Turning } from "./turning.js";

const mounted = new WeakMap(); // mount point -> Tagger; the default export is called on every change

export class Tagger {
  constructor(parent) {
    this.data = null;
    this.item = null;
    this.rater = null;
    this.activeId = null;
    this.armed = null;
    this.dialog = null;
    this.editing = new Editing(this);
    this.leaving = new Leaving(this);
    this.turning = new Turning(this);
    const { editing: edit, leaving: leave } = this;
    const peek = (label) => this.side.peek(label);
    const on = {
      peek,
      label: (label, event) => edit.give(label, event),
      make: (name) => edit.make(name),
      open: (span) => edit.openCard(span),
      remove: (span) => edit.remove(span),
      write: (span, field, value) => edit.write(span, field, value),
      answer: (span, id, value, typed) => edit.answer(span, id, value, typed),
      comment: (value) => edit.comment(value),
      undo: (kind) => edit.undo(kind),
      focusText: () => this.focusText(),
    };
    this.context = new ContextPane();
    this.labels = new LabelBar(on);
    this.side = new SidePane(on);
    this.notices = new Notices();
    // What keeps the item from being submitted is said above the buttons, not above the text.
    this.lacking = new Notices();
    this.bar = new DeskBar({
      previous: () => leave.go("previous"), next: () => leave.go("next"), flag: () => leave.flag(),
      skip: () => leave.go("skip"), submit: () => leave.submit(),
    }, this.lacking.node);
    Object.assign(this, buildSurface(this));
    parent.append(this.wrap);
    this.popover = new Popover(this.wrap, on);
    this.view = new TextView(this.box);
    this.selecting = new Selecting(this.view, {
      snap: (start, end, exact) => (exact ? this.index.exact(start, end) : this.index.whole(start, end)),
      on: {
        select: (range, event) => edit.selected(range, event),
        click: (unit, event) => edit.clicked(unit, event),
      },
    });
    this.clock = new Clock(() => this.#tick());
    this.saver = this.makeSaver({
      compose: () => ({
        rater: this.rater, item: this.item, base: this.rev, body: this.marks.body(), seconds: this.clock.seconds(),
      }),
      show: (body, rev) => this.adopt(rev, body),
      said: ({ spans, comment, answers }) => [plural(spans.length, "mark"), ...Object.values(answers ?? {}), comment && `“${clip(comment, 60)}”`].filter(Boolean).join(", "),
      same: sameBody,
      valid: (body) => Array.isArray(body?.spans),
      words: (at) => this.#words(at),
      status: (kind, text, hint) => this.#status(kind, text, hint),
      saved: (message, { rev }) => this.#saved(message, rev),
      rest: () => this.#rest(),
      refused: (words, hint) => this.#refused(words, hint),
      tell: (words, actions = []) => this.notices.show("versions", words, { kind: actions.length ? "warn" : "info", actions }),
    });
    this.#listen();
  }

  makeSaver(desk) {
    return new Saver("", desk);
  }

  #listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    listenToKeys(this.editing, signal);
    for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
      window.addEventListener(name, () => this.clock.touch(), { signal, capture: true, passive: true });
    }
    this.wrap.addEventListener("pointerdown", ({ target }) => {
      if (!target.closest(".mlt-pop, .mlt-labels, .mlt-text, .mlt-notices, dialog")) this.popover.close();
    }, { signal });
    this.wrap.addEventListener("focusin", (event) => {
      this.lastFocus = event.target;
      // Who writes about the whole has done with the mark.
      if (event.target.id === "mlt-comment") this.popover.close();
    }, { signal });
    document.addEventListener("visibilitychange", () => this.clock.seconds(), { signal });
    window.addEventListener("pagehide", () => this.saver.flush(), { signal });
    this.box.addEventListener("copy", (event) => {
      if (!this.cursor?.range || !getSelection().isCollapsed) return;
      event.clipboardData.setData("text/plain", this.index.text.slice(...this.cursor.range));
      event.preventDefault();
    }, { signal });
    this.unwatch = closeConnectionMessages(() => setTimeout(() => this.refocus(), 50));
    this.resized = new ResizeObserver(() => {
      fillWindow(this.wrap);
      this.wrap.style.setProperty("--mlt-bar", `${this.bar.node.offsetHeight}px`);
      this.context.refresh();
      this.popover.refit();
    });
    this.resized.observe(document.documentElement);
    this.resized.observe(this.bar.node);
    this.resized.observe(this.wrap.parentElement);
  }

  destroy() {
    this.saver.stop();
    this.clock.stop();
    this.selecting.stop();
    this.listening.abort();
    this.resized.disconnect();
    this.unwatch();
    this.view.cursor(null);
    this.wrap.remove();
  }

  // ---- data from the server -------------------------------------------------------------

  connect(data, setStateValue) {
    this.saver.outbox.send = posting(data, setStateValue, (told) => {
      if (this.wrap.isConnected) this.update(told, setStateValue);
    }, ({ token }) => this.saver.flight?.token === token);
  }

  update(sent, setStateValue) {
    const data = latest(sent);
    this.data = data;
    this.connect(data, setStateValue);
    this.saver.answer(data.ack);
    const first = this.item === null;
    const fresh = data.item !== this.item || data.rater !== this.rater || data.text !== this.index.text;
    if (fresh) this.#show(data);
    else if (data.rev > this.rev && !this.saver.busy) this.adopt(data.rev, data.draft);
    if (data.grows) this.#grow(this.sent = data);
    this.#chrome();
    // Measuring forces a layout: unavoidable before the first frame, later it can wait.
    if (first) fillWindow(this.wrap);
    else if (fresh) afterPaint(() => fillWindow(this.wrap));
  }

  #show(data) {
    const first = this.item === null;
    this.saver.leave();
    this.popover.close();
    this.notices.clear();
    this.lacking.clear();
    Object.assign(this, { item: data.item, rater: data.rater, rev: data.rev, activeId: null, armed: null });
    this.wrap.classList.remove("is-armed");
    const turned = this.turning.arrive(data);
    this.index = turned ?? new TextIndex(data.text);
    this.cursor = new Cursor(this.index);
    this.marks = new Marks(this.index, data.labels, data.draft, {
      asks: data.span_fields, whole: data.fields, free: data.free,
    });
    this.popover.ticks.clear();
    this.clock.start(data.clock ?? {});
    if (!turned) this.context.show(data.context);
    const { fields = [], comment = true } = data;
    const guideline = JSON.stringify([data.labels, data.reading, fields]);
    if (guideline !== this.guideline) {
      this.guideline = guideline;
      this.#guide(data.labels);
      this.side.ask(fields, comment);
      this.wrap.classList.toggle("is-beside", Boolean(data.free));
    }
    this.side.turn("marks");
    if (!turned) this.view.show(this.index, data.labels);
    if (!data.readonly) this.saver.restore(data);
    if (!this.saver.busy) this.#rest();
    const place = `Item: ${placeOf(data.progress)}.`;
    this.box.setAttribute("aria-label", `${data.title || "Text"}. Arrows move by word and sentence, Shift extends, 1 to 9 label, question mark lists the keys.`);
    this.say(first || data.pane ? "" : place, { heard: true }); // the bar shows it
    // Steps that need the new layout run once, right before the paint.
    requestAnimationFrame(() => {
      this.scroll.scrollTop = 0;
      // Among other things on a page, the page's keys keep working until the text gets the focus.
      // On a question whose focus nobody chose it is as good as nowhere.
      const isFree = document.activeElement === document.body || document.activeElement?.matches("[data-rests-for=text]");
      if (!this.dialog && !data.among && (!first || isFree)) this.focusText();
      if (!first && !data.among) this.wrap.closest('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    });
    afterPaint(() => showInAddress(data.link));
  }

  #guide(labels) {
    const { reading = [], grows } = this.data;
    this.labels.show(labels, grows);
    this.side.showGuideline(labels, reading, grows);
  }

  /** Combines the server's labels with those made here that it does not know yet. */
  #grow(data) {
    const { marks } = this;
    const made = [];
    for (const [id, name] of Object.entries(marks.codes)) {
      const there = data.labels.find((one) => one.id === id) ?? data.labels.find((one) => folded(one.name) === folded(name));
      if (there) marks.become(id, there.id);
      else made.push({ ...data.grows, id, name });
    }
    for (const [id, other] of Object.entries(data.moved ?? {})) marks.become(id, other);
    const labels = [...data.labels, ...made];
    this.data = { ...data, labels };
    if (this.armed) {
      const { id, name } = this.armed;
      const same = labels.find((one) => one.id === id) ?? labels.find((one) => folded(one.name) === folded(name)) ?? null;
      // What the page says of the label in hand is of the label as it is now.
      if (same?.id === id && same.name === name) this.armed = same;
      else this.arm(same);
    }
    const guideline = JSON.stringify([labels, data.reading, data.fields ?? []]);
    if (guideline === this.guideline) return;
    this.guideline = guideline;
    this.#guide(labels);
    marks.relabel(labels);
    this.view.relabel(labels);
    this.drawMarks();
  }

  /** The label with this name, made here if there is none; null for an empty name. */
  made(name) {
    const { labels } = this.data;
    const there = labels.find((one) => folded(one.name) === folded(name));
    if (there || !folded(name)) return there ?? null;
    const id = newToken();
    this.marks.codes[id] = name.trim().replace(/\s+/g, " ");
    this.#grow(this.sent);
    return this.data.labels.find((one) => one.id === id);
  }

  #saved(message, rev) {
    if (message.item === this.item) this.rev = rev;
    this.lacking.hide("refused");
  }

  /** Sets the status for when nothing is under way. */
  #rest() {
    const { rev, saved_at: at } = this.data;
    this.#status("idle", this.#words(rev > 0 ? at : ""));
  }

  #words(at) {
    const { state, left_behind: before, left_at: left } = this.data;
    return wordsAtRest({ at, submitted: state === "submitted", unsent: this.#unsubmitted(), before, left });
  }

  /** Replaces the marks with newer ones; undo brings these back. */
  adopt(rev, body, said = "Your other marks are shown now. Undo brings back the earlier ones.") {
    this.rev = rev;
    this.popover.close();
    this.activeId = null;
    if (sameBody(this.marks.body(), body)) return;
    this.marks.replaceBody(body);
    this.drawMarks();
    this.say(said);
  }

  #refused(words, hint) {
    this.turning.back();
    this.lacking.show("refused", words, { kind: "warn", lines: hint ? [[hint, null]] : [] });
    this.#chrome();
  }

  // ---- drawing ------------------------------------------------------------------------

  /** Whether what is shown differs from what was submitted. */
  #unsubmitted() {
    const { data } = this;
    return data.state === "submitted" && (Boolean(data.unsubmitted) || !sameBody(this.marks.body(), data.draft));
  }

  #chrome() {
    const { data } = this;
    this.title.textContent = (this.turning.to ?? data).title;
    this.wrap.classList.toggle("is-readonly", data.readonly);
    // Beside a form there is no bar of our own: the form's stands below.
    if (data.pane) this.notices.node.after(this.lacking.node);
    this.note.textContent = data.notice ?? "";
    this.note.hidden = !data.notice;
    this.drawMarks();
    this.drawSide();
    this.#tick();
  }

  drawMarks() {
    if (!this.turning.to) this.view.draw(this.marks.spans, this.activeId);
    if (this.sideWaits) return;
    this.sideWaits = true;
    afterPaint(() => this.drawSide());
  }

  drawSide() {
    this.sideWaits = false;
    this.side.showMarks(this.marks, this.activeId, this.data.readonly || Boolean(this.saver.moving));
    this.drawBar();
  }

  drawBar() {
    const { data, marks } = this;
    const frozen = Boolean(this.saver.moving);
    const used = this.editing.active?.labels ?? [];
    this.wrap.classList.toggle("is-frozen", frozen);
    this.side.lock(frozen || data.readonly);
    const legend = data.pane && data.readonly ? marks.spans.flatMap((span) => span.labels) : null;
    this.labels.update({ used, armed: this.armed?.id ?? null, frozen: frozen || data.readonly, legend });
    // A flag stands beside what became of the item: one that is submitted may be flagged too.
    const flag = data.flag_reason ? `flagged: ${data.flag_reason}` : data.is_flag_taken_back ? "flag taken back" : "";
    this.bar.update(barData({ ...data, frozen, words: data.readonly ? "read only" : flag || (STATES[data.state] ?? "") }));
    this.side.tools.update(marks, frozen || data.readonly);
    this.wrap.toggleAttribute("data-enter-opens", this.editing.opens); // the bar names another key for Submit
    // A mark's card has the labels with their names itself.
    this.#nameLabels(!data.readonly && !this.popover.span && Boolean(this.cursor?.range || this.activeId || this.armed));
    this.clockNode.hidden = Boolean(data.grows);
  }

  /** On a phone the labels have their names once there is something to label; what is selected stays above them. */
  #nameLabels(named) {
    if (named === this.wrap.classList.contains("is-naming")) return;
    this.wrap.classList.toggle("is-naming", named);
    const { range } = this.cursor;
    if (named && range && this.selecting.touch) requestAnimationFrame(() => this.view.reveal(...range));
  }

  #tick() {
    if (!this.data) return;
    const words = this.clock.words();
    if (this.clockNode.textContent !== words) this.clockNode.textContent = words;
  }

  #status(kind, text, hint = "") {
    this.bar.tellSaved(kind, text, hint);
    if (kind === "unsaved") this.turning.back();
    const frozen = Boolean(this.saver?.moving);
    // Marking is paused while the item is being left; shown only if that takes long enough to see.
    if (this.marks && frozen && !this.frozen) setTimeout(() => this.saver.moving && this.drawBar(), 150);
    else if (this.marks && frozen !== this.frozen) this.drawBar();
    this.frozen = frozen;
  }

  /** May the marks be changed now? If not, says why. */
  mayMark() {
    if (this.data.readonly) this.refuse("these marks are shown for reading only");
    else if (this.saver.moving) this.refuse("marking is paused until the server answers");
    else return true;
    return false;
  }

  submit() {
    this.leaving.submit();
  }

  /** Says it in the line below the text; `heard`: only to who hears the page, as it stands elsewhere in sight. */
  say(text, { heard = false } = {}) {
    this.live.classList.toggle("is-heard", heard);
    this.live.textContent = text;
  }

  /** Says why nothing was done, beside the key that was pressed, if any. */
  refuse(why) {
    if (!refuseKey(why)) this.say(`${why[0].toUpperCase()}${why.slice(1)}.`);
  }

  /** On a phone, where the labels and what is said above the buttons may lie over all of the text. */
  bringTextIntoSight() {
    if (this.wrap.clientWidth < PHONE) {
      afterPaint(() => this.wrap.querySelector(".mlt-head")?.scrollIntoView({ block: "start" }));
    }
  }

  /** Chooses the label that the words selected next get, null: none, and says so in sight: a tap may have been meant to read it. */
  arm(label) {
    this.armed = label;
    this.wrap.classList.toggle("is-armed", Boolean(label));
    if (label) {
      const how = ofKeys(`Select the words for “${label.name}”.`) || `For “${label.name}”, hold a word and drag to the last.`;
      this.lacking.show("armed", how, {
        stays: true, actions: [[`Cancel${ofKeys(" (Esc)")}`, () => {
          this.arm(null);
          this.focusText();
        }]],
      });
    } else this.lacking.hide("armed");
    this.drawBar();
  }

  /** Where words are on screen: top of their first line, bottom and left of their last. */
  rect(range) {
    const words = range && this.view.range(...range);
    const lines = words?.getClientRects();
    if (!lines?.length) return this.side.node.getBoundingClientRect();
    const last = lines[lines.length - 1];
    const all = words.getBoundingClientRect();
    return all.height < innerHeight / 3 ? { left: last.left, top: all.top, bottom: all.bottom } : last;
  }

  focusText() {
    if (!isUnderDialog(this.wrap)) this.box.focus({ preventScroll: true });
  }

  /** Returns the focus to where it was on this surface. */
  refocus() {
    if (!this.lastFocus?.isConnected) this.focusText();
    else if (!isUnderDialog(this.wrap)) this.lastFocus.focus({ preventScroll: true });
  }

  dialogClosed() {
    this.dialog = null;
    this.focusText();
  }
}

// That an item is submitted, and when, is said where it is said of a draft.
const STATES = {
  skipped: "skipped",
  coded: "coded",
};

export default function mount({ data, parentElement, setStateValue }) {
  watchTextLimits();
  let tagger = mounted.get(parentElement);
  if (!tagger) {
    tagger = new Tagger(parentElement);
    mounted.set(parentElement, tagger);
  }
  tagger.update(data, setStateValue);
  // Streamlit calls only the last cleanup that it was given, once, when the component is removed.
  return () => {
    tagger.destroy();
    mounted.delete(parentElement);
  };
}
