// MedLens verification desk: one pair at a time, its statement and answer beside its source.
//
// `work` is the pair that the server has put up. A move shows the next pair at once, from what the
// server has sent ahead (`ahead`): it can be answered right away. What is answered there is sent when
// the server has put it up; every message names its pair, so no answer lands on another one. Where
// the server refuses or does not answer, the old pair comes back.

import { closeConnectionMessages } from "../shared/connection.js";
import { clockTime, el, fit } from "./dom.js";
import { buildForm, buildLine, drawAnswer, drawChoices, drawLine, drawReveal, flagDialog } from "./form.js";
import { kept, sameBody } from "./kept.js";
import { listenToKeys } from "./keys.js";
import { Reader } from "./reader.js";
import { Sending } from "./sending.js";
import { Versions } from "./versions.js";

const mounted = new WeakMap(); // mount point -> Surface; the default export is called at every change
const TYPING = 600; // ms after the last letter until it is saved
const MOST_UNDONE = 50;

const workOf = (pair, { sources }) => (
  { pair, text: sources[pair.source], rev: pair.rev, body: pair.draft, changed: false, before: [] }
);

const keptWords = (ahead) => (
  ahead?.changed ? `Your answer to pair ${ahead.pair.at + 1} is kept in this browser and comes back with it.` : ""
);

class Surface {
  constructor(parent) {
    Object.assign(this, { data: null, work: null, ahead: null, wanted: null, conflict: false, dialog: false });
    const go = (action) => this.go(action);
    this.form = buildForm({ reason: (text) => this.edit({ reason: text }, TYPING), written: () => this.written() });
    this.bar = buildLine({ go, flag: () => this.flag(), enter: () => this.enter() });
    this.notice = el("div", "msd-notice", "", { role: "alert" });
    this.live = el("p", "msd-live", "", { "aria-live": "polite" });
    this.wrap = el("div", "msd");
    // Unseen until the style sheet is there, which sets the opacity right.
    this.wrap.style.opacity = "0";
    this.panes = el("div", "msd-panes");
    this.panes.append(this.form.left);
    this.wrap.append(this.bar.line, this.notice, this.panes, this.live);
    parent.append(this.wrap);
    this.reader = new Reader(this.panes, (marked) => this.edit({ marked }));
    this.versions = new Versions(this);
    this.sending = new Sending(() => this.compose(), {
      status: (kind, text) => this.status(kind, text),
      saved: (message, ack) => this.saved(message, ack),
      refused: (words) => this.refused(words),
      newer: (message, newer) => this.versions.newer(newer),
      unanswered: () => this.back(),
    });
    this.away = new AbortController();
    const { signal } = this.away;
    listenToKeys(this, signal);
    window.addEventListener("resize", () => fit(this.panes), { signal });
    window.addEventListener("pagehide", () => this.sending.late && this.sending.flush(), { signal });
    this.unwatch = closeConnectionMessages(() => {});
  }

  destroy() {
    this.sending.stop();
    this.away.abort();
    this.unwatch();
    this.reader.destroy();
    this.wrap.remove();
  }

  /** What is on the screen: the pair turned to ahead of the server, else the server's. */
  get shown() {
    return this.ahead ?? this.work;
  }

  compose() {
    const { work, data } = this;
    return { rater: data.rater, item: work.pair.item, source: work.pair.source, base: work.rev, body: work.body };
  }

  // ---- data from the server ---------------------------------------------------------------

  update(data, setStateValue) {
    const first = !this.data;
    if (JSON.stringify(data.choices) !== JSON.stringify(this.data?.choices)) {
      drawChoices(this.form, data.choices, (verdict) => this.edit({ verdict }));
    }
    const other = first || data.rater !== this.data.rater;
    this.data = data;
    this.sending.hand = (message) => setStateValue("out", message);
    if (!other) this.sending.answer(data.ack);
    if (other || data.pair.item !== this.work.pair.item) this.arrive(first);
    else this.stay();
    this.draw();
    fit(this.panes);
  }

  /** The server has put up a pair: maybe the one that is shown already, and maybe answered. */
  arrive(first) {
    const { data } = this;
    const turned = this.ahead;
    const ahead = turned?.pair.item === data.pair.item ? turned : null;
    const wanted = ahead && this.wanted;
    this.sending.leave();
    Object.assign(this, { work: workOf(data.pair, data), ahead: null, wanted: null, conflict: false });
    if (!this.sending.busy) this.rest();
    this.tell(ahead ? "" : keptWords(turned));
    if (ahead?.changed && !sameBody(ahead.body, data.pair.draft)) {
      Object.assign(this.work, { body: ahead.body, before: ahead.before });
      if (ahead.rev === data.pair.rev) this.sending.draft();
      else this.versions.newer({ rev: data.pair.rev, draft: data.pair.draft });
    } else {
      this.versions.restore();
    }
    if (!ahead && !first) this.announce();
    if (wanted) wanted();
  }

  /** The pair of before: what the server knows of it is taken over. */
  stay() {
    const { data, work, sending } = this;
    const known = work.rev;
    Object.assign(work, { pair: data.pair, text: data.sources[data.pair.source] });
    if (this.ahead && !sending.moving) this.back();
    const { wanted } = this;
    if (wanted && !sending.moving) {
      this.wanted = null;
      wanted();
    }
    if (data.pair.rev > known && !sending.busy && !this.conflict) {
      Object.assign(work, { rev: data.pair.rev, body: data.pair.draft });
    }
  }

  saved(message, { rev, saved_at }) {
    const { work } = this;
    const here = message.item === work.pair.item;
    if (here) work.rev = rev;
    if (here && !sameBody(message.body, work.body)) kept.put(message.rater, message.item, rev, work.body);
    else kept.drop(message.rater, message.item);
    this.tell("");
    if (rev) this.status("saved", `saved ${clockTime(saved_at)}`);
    else this.rest();
  }

  refused(words) {
    const { ahead } = this;
    this.back();
    this.tell(`${words} ${keptWords(ahead)}`.trim());
  }

  // ---- the answer -------------------------------------------------------------------------

  /**
   * A move has been asked for that cannot be made yet, or the pair is being left and no other one is
   * here: what is pressed now was meant for another pair than the one it would land on.
   */
  get frozen() {
    const { moving } = this.sending;
    return Boolean(this.wanted) || (!this.ahead && Boolean(moving) && moving !== "submit");
  }

  edit(change, wait = 0, undoing = false) {
    const { shown, sending } = this;
    if (this.frozen) {
      this.draw();
      return;
    }
    const body = { ...shown.body, ...change };
    if (sameBody(body, shown.body)) return;
    if (!undoing && !("reason" in change)) shown.before = [...shown.before.slice(1 - MOST_UNDONE), shown.body];
    shown.body = body;
    shown.changed = true;
    kept.put(this.data.rater, shown.pair.item, shown.rev, body);
    this.draw();
    if (!this.ahead && !this.conflict) sending.draft(wait);
  }

  /** The verdict and the mark as they were; what was written has the text field's own undo. */
  undo() {
    const last = this.shown.before.at(-1);
    if (!last) return;
    this.shown.before = this.shown.before.slice(0, -1);
    this.edit({ verdict: last.verdict, marked: last.marked }, 0, true);
  }

  written() {
    if (this.sending.late) this.sending.flush();
  }

  // ---- moves ------------------------------------------------------------------------------

  get done() {
    const { pair, body } = this.shown;
    return Boolean(pair.standing && sameBody(pair.standing, body));
  }

  enter() {
    if (this.ahead) this.later(() => this.enter());
    else this.go(this.done || this.sending.moving === "submit" ? "onward" : "submit");
  }

  /** A move that is made when the server has answered the one before. */
  later(move) {
    this.wanted = move;
    this.freeze();
  }

  go(action, reason = "") {
    if (this.ahead || (this.sending.moving === "submit" && action !== "submit")) {
      this.later(() => this.go(action, reason));
      return;
    }
    if (this.conflict) this.say("Choose first which of the two answers to keep.");
    if (this.conflict || this.sending.moving) return;
    const { pair } = this.work;
    if (action === "previous" && pair.at <= 0) this.say("This is the first pair.");
    else if (action === "next" && !this.data.has_next) this.say("This is the last pair.");
    else {
      this.sending.move(action, reason);
      this.turn(action);
    }
  }

  /** Shows the pair that a move leads to, where the server has sent it ahead. */
  turn(action) {
    const { moves, pairs } = this.data.ahead;
    const pair = pairs[moves[action]];
    if (!pair || !this.sending.moving) return;
    this.ahead = workOf(pair, this.data);
    const stored = kept.get(this.data.rater, pair.item);
    if (stored?.base === pair.rev && !sameBody(stored.body, pair.draft)) {
      Object.assign(this.ahead, { body: stored.body, changed: true });
    }
    this.tell("");
    this.announce();
    this.draw();
  }

  /** The server has not taken the move: the pair of before is shown again. */
  back() {
    const { ahead } = this;
    this.wanted = null;
    if (!ahead) return;
    this.ahead = null;
    this.tell(keptWords(ahead));
    this.draw();
  }

  flag() {
    if (this.dialog || this.ahead || this.conflict) return;
    this.dialog = true;
    flagDialog(this.wrap, (reason) => this.go("flag", reason), () => {
      this.dialog = false;
    });
  }

  // ---- drawing ----------------------------------------------------------------------------

  draw() {
    const { data, shown, form, bar } = this;
    const { pair, body } = shown;
    const reveal = this.ahead ? null : data.reveal;
    if (form.text.textContent !== pair.statement) form.text.textContent = pair.statement;
    form.question.textContent = pair.question ? `From an answer to: ${pair.question}` : "";
    drawAnswer(form, body, data.reason_needed);
    drawReveal(form.reveal, reveal, Boolean(reveal));
    if (this.drawn !== pair.item) form.left.scrollTop = 0;
    this.drawn = pair.item;
    this.reader.update({
      ...shown.text, key: pair.item, source: pair.source, like: pair.like, marked: body.marked,
      quote: reveal?.quote ?? [], markable: true,
    });
    this.freeze();
    drawLine(bar, pair, { total: data.total, done: this.done });
    if (data.trouble && !this.ahead) this.tell(data.trouble);
  }

  /** What the status says when nothing is under way. */
  rest() {
    const at = clockTime(this.work.pair.saved_at);
    this.status(at ? "saved" : "idle", at ? `saved ${at}` : "nothing to save yet");
  }

  status(kind, text) {
    this.bar.status.textContent = text;
    this.bar.status.dataset.kind = kind;
    this.freeze();
  }

  freeze() {
    this.form.reason.readOnly = this.frozen;
    this.form.left.classList.toggle("is-frozen", this.frozen);
  }

  /** Says something above the pair, with what can be done about it. */
  tell(words, actions = []) {
    const buttons = actions.map(([text, act]) => {
      const node = el("button", "msr-btn", text, { type: "button" });
      node.addEventListener("click", () => {
        this.tell("");
        act();
        this.draw();
      });
      return node;
    });
    this.notice.hidden = !words;
    this.notice.replaceChildren(words, " ", ...buttons);
  }

  announce() {
    const { pair } = this.shown;
    this.say(`Pair ${pair.at + 1} of ${this.data.total}. ${pair.statement}`);
  }

  say(words) {
    this.live.textContent = words;
  }
}

export default function mount({ data, parentElement, setStateValue }) {
  let surface = mounted.get(parentElement);
  if (!surface) {
    surface = new Surface(parentElement);
    mounted.set(parentElement, surface);
  }
  surface.update(data, setStateValue);
  return () => {
    surface.destroy();
    mounted.delete(parentElement);
  };
}
