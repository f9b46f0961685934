// MedLens verification desk: one pair or one whole answer at a time, its statements and what is
// said about them beside its sources. A pair is one statement and one source; in an answer, `place`
// is the current statement and source.
//
// `work` is the item that the server has open. A move at once shows the next item, which the server
// has sent ahead (`ahead`), and it can be answered right away. The answer is sent once the server
// has opened that item; every message names its item, so no answer lands on another one. If the
// server refuses or does not answer, the old item comes back.

import { closeConnectionMessages } from "../shared/connection.js";
import { DeskBar } from "../shared/desk_bar.js";
import { bdi, el, ofKeys, wordsAtRest } from "../shared/dom.js";
import { kept } from "../shared/kept.js";
import { pressedKey, refuseKey, tellWhy } from "../shared/keyboard.js";
import { latest, posting } from "../shared/posting.js";
import { Saver } from "../shared/saver.js";
import { watchTextLimits } from "../shared/text_limits.js";
import { fit } from "./dom.js";
import { buildForm, drawAnswer, drawChoices, drawLine, drawReveal, flagDialog } from "./form.js";
import { listenToKeys } from "./keys.js";
import { isBody, marked, remarked, sameBody } from "./marks.js";
import { buildSources, drawSources, drawStatements } from "./places.js";
import { Reader } from "./reader.js";

const mounted = new WeakMap(); // mount point -> Surface; the default export is called on every change
const TYPING = 600; // ms from the last letter to saving
const MOST_UNDONE = 50;
const GAP = 8; // px between what is brought into sight and the bar

const textsOf = (item, { sources }) => item.sources.map((key) => sources[key]);

/** An item's working state, starting at statement 1 and the source that says most about it. */
const workOf = (item, data) => ({
  item, texts: textsOf(item, data), rev: item.rev, body: item.draft, changed: false, before: [],
  place: [0, item.best[0] ?? 0], seen: openedBefore(item, data), asked: false,
});

// What of a whole answer a person has opened is kept in their browser until they have submitted it: a
// reload loses nothing of what they did, and two tabs have what either opened. Sources by their content,
// statements by their words: one that has changed is to be read.
const openedAs = ({ rater }, { item }) => `medlens:opened:${rater}:${item}`;
const openedBefore = (item, data) => {
  const found = item.answer ? kept.get(openedAs(data, item)) : null;
  return new Set(Array.isArray(found) ? found : []);
};

const statementSeen = (item, at) => `statement ${item.statements[at]}`;

const likeOf = (item, [statement, source]) => item.like[statement]?.[source] ?? [];

class Surface {
  constructor(parent) {
    Object.assign(this, { data: null, work: null, ahead: null, wanted: null, wantedBy: "", dialog: false, asking: false });
    this.form = buildForm({ reason: (text) => this.edit({ reason: text }, TYPING), written: () => this.written() });
    this.notice = el("div", { class: "msd-notice", role: "alert" });
    this.bar = new DeskBar({
      previous: () => this.go("previous"), next: () => this.go("next"), skip: () => this.go("skip"), flag: () => this.flag(),
      submit: () => this.enter(),
    }, this.notice);
    this.sources = buildSources((source) => this.turnTo(0, source - this.shown.place[1]));
    this.live = el("p", { class: "msd-live", "aria-live": "polite" });
    this.wrap = el("div", { class: "msd" });
    // Invisible until the style sheet loads and restores the opacity.
    this.wrap.style.opacity = "0";
    this.panes = el("div", { class: "msd-panes" });
    this.right = el("div", { class: "msd-right" });
    this.right.append(this.sources);
    this.panes.append(this.form.left, this.right);
    this.wrap.append(this.panes, this.live, this.bar.node);
    parent.append(this.wrap);
    this.reader = new Reader(this.right, (range) => this.mark(range));
    this.saver = new Saver("pair:", {
      compose: () => this.compose(),
      show: (body, rev) => this.put(body, rev),
      said: (body) => this.words(body),
      same: sameBody,
      valid: isBody,
      words: (at) => this.wordsOf(at),
      status: (kind, text, hint) => this.status(kind, text, hint),
      saved: (message, ack) => this.saved(message, ack),
      rest: () => this.rest(),
      refused: (words, hint) => this.refused(`${words} ${hint}`.trim()),
      tell: (words, actions) => this.tell(words, actions),
    });
    this.away = new AbortController();
    const { signal } = this.away;
    listenToKeys(this, signal);
    // What stands above the panes may go, or come, after they were fitted.
    this.resized = new ResizeObserver(() => fit(this.wrap));
    this.resized.observe(document.documentElement);
    this.resized.observe(this.wrap.closest('[data-testid="stMainBlockContainer"]') ?? this.wrap.parentElement);
    window.addEventListener("pagehide", () => this.saver.flush(), { signal });
    this.unwatch = closeConnectionMessages(() => {});
  }

  destroy() {
    this.saver.stop();
    this.away.abort();
    this.resized.disconnect();
    this.unwatch();
    this.reader.destroy();
    this.wrap.remove();
  }

  /** The item on screen: the one shown ahead of the server, else the server's. */
  get shown() {
    return this.ahead ?? this.work;
  }

  compose() {
    const { work, data } = this;
    const { item, sources } = work.item;
    return { rater: data.rater, item, sources, base: work.rev, body: work.body };
  }

  // ---- data from the server ---------------------------------------------------------------

  update(sent, setStateValue) {
    const data = latest(sent);
    const first = !this.data;
    if (JSON.stringify(data.choices) !== JSON.stringify(this.data?.choices)) {
      drawChoices(this.form, data, (verdict) => this.edit({ verdict }));
    }
    const other = first || data.rater !== this.data.rater;
    this.data = data;
    this.saver.outbox.send = posting(data, setStateValue, (told) => {
      if (this.wrap.isConnected) this.update(told, setStateValue);
    }, ({ token }) => this.saver.flight?.token === token);
    if (!other) this.saver.answer(data.ack);
    if (other || data.item.item !== this.work.item.item) this.arrive(first);
    else this.stay();
    this.draw();
    fit(this.wrap);
  }

  /** The server has opened an item: perhaps one already shown, or even answered, ahead. */
  arrive(first) {
    const { data } = this;
    const turned = this.ahead;
    const ahead = turned?.item.item === data.item.item ? turned : null;
    const { wanted } = this;
    this.saver.leave();
    Object.assign(this, { work: workOf(data.item, data), ahead: null, wanted: null });
    if (ahead) Object.assign(this.work, { place: ahead.place, seen: ahead.seen });
    if (!this.saver.busy) this.rest();
    this.tell(ahead ? "" : this.keptWords(turned));
    if (ahead?.changed && !sameBody(ahead.body, data.item.draft)) {
      Object.assign(this.work, { body: ahead.body, before: ahead.before });
      if (ahead.rev === data.item.rev) this.saver.draft();
      else this.saver.ask(data.item);
    } else {
      this.saver.restore({ rater: data.rater, ...data.item });
    }
    if (!ahead && !first) this.announce();
    if (wanted && ahead) this.runWanted(wanted);
    // It was meant for the item that has gone, and would now leave one that nobody has seen.
    else if (wanted && this.wantedBy) tellWhy(this.wantedBy, `another ${data.thing} has opened meanwhile`);
  }

  /** The same item: takes over what the server now knows about it. */
  stay() {
    const { data, work, saver } = this;
    const known = work.rev;
    Object.assign(work, { item: data.item, texts: textsOf(data.item, data) });
    if (this.ahead && !saver.moving) this.back();
    const { wanted } = this;
    if (wanted && !saver.moving) {
      this.wanted = null;
      this.runWanted(wanted);
    }
    if (data.item.rev > known && !saver.busy) {
      Object.assign(work, { rev: data.item.rev, body: data.item.draft });
    }
  }

  saved(message, { rev, error }) {
    if (message.item === this.work.item.item) this.work.rev = rev;
    if (message.item === this.work.item.item && message.action === "submit" && !error) this.work.justSubmitted = true;
    if (!this.asking) this.tell("");
  }

  /** Replaces the current answer. */
  put(body, rev) {
    Object.assign(this.work, { body, rev });
    this.draw();
  }

  /** An answer in words, to compare it with another one. */
  words({ verdict, reason, marks }) {
    const names = Object.fromEntries(this.data.choices);
    const passages = marks.length > 1 ? `${marks.length} passages marked` : "a passage marked";
    return [names[verdict] ?? "no answer", reason && `“${reason}”`, marks.length && passages].filter(Boolean).join(", ");
  }

  refused(words) {
    const { ahead } = this;
    this.back();
    this.tell(`${words} ${this.keptWords(ahead)}`.trim());
    this.reach();
  }

  /** Leads to what an answer that was refused lacks: the choice, or the reason for it. */
  reach() {
    const { form } = this;
    const { verdict, reason } = this.shown.body;
    if (verdict && (reason.trim() || !this.needsReason)) return;
    const field = verdict ? form.reason : form.choices.querySelector("input");
    field?.scrollIntoView({ block: "nearest" });
    field?.focus({ preventScroll: true });
  }

  get needsReason() {
    const { reason_needed: needed, choices } = this.data;
    return needed.includes(this.shown.body.verdict) || needed.length === choices.length;
  }

  // ---- the answer -------------------------------------------------------------------------

  /**
   * A requested move has to wait, or the item is being left and the next is not here yet: keys
   * pressed now were meant for another item.
   */
  get frozen() {
    const { moving } = this.saver;
    return Boolean(this.wanted) || (!this.ahead && Boolean(moving) && !["submit", "reveal"].includes(moving));
  }

  /**
   * An answer chosen by its key. The item stays after it is submitted: a digit of fast hands was meant for the next one,
   * so that the first change of what was just submitted takes the same key twice.
   */
  choose(verdict, key) {
    const { work, data, saver } = this;
    const isChange = !this.ahead && work.justSubmitted && this.done && verdict !== work.body.verdict;
    const isAgain = work.chosenOnce === verdict;
    if (isChange && !isAgain && !this.frozen && saver.moving !== "submit") {
      work.chosenOnce = verdict;
      this.refuse(`this ${data.thing} is submitted. Enter goes on; ${key} again changes your answer`);
      return;
    }
    this.edit({ verdict });
  }

  edit(change, wait = 0, undoing = false) {
    const { shown, saver } = this;
    if (this.frozen) {
      refuseKey("the next one is not here yet");
      this.draw();
      return;
    }
    if (!this.ahead && saver.moving === "submit" && !("reason" in change)) {
      const why = `this ${this.data.thing} is still being submitted`;
      if (!refuseKey(why)) this.tell(`${why.replace("t", "T")}.`);
      this.draw();
      return;
    }
    const body = { ...shown.body, ...change };
    if ("verdict" in change && !undoing) body.reason = this.reasonGiven(body);
    if (sameBody(body, shown.body)) return;
    if (!undoing && !("reason" in change)) shown.before = [...shown.before.slice(1 - MOST_UNDONE), shown.body];
    Object.assign(shown, { body, changed: true, justSubmitted: false });
    this.draw();
    if (this.ahead) saver.keep({ rater: this.data.rater, item: shown.item.item, base: shown.rev, body });
    else saver.draft(wait);
  }

  /** The reason for an answer: what the desk itself says where it leaves no other answer. */
  reasonGiven({ verdict, reason }) {
    const { item, texts } = this.shown;
    const [first, ...others] = texts;
    const words = !item.statements.length ? "The answer makes no statement that can be checked."
      : texts.some(({ sentences }) => sentences.length) ? ""
        : others.length ? "None of the pages has text to read." : first.note.split(". ")[0].replace(/\.?$/u, ".");
    const dictated = words && verdict === "cannot_tell" && this.data.reason_needed.includes(verdict);
    if (dictated && !reason.trim()) return words;
    return !dictated && words && reason === words ? "" : reason;
  }

  /** Marks the passage of the current source that decides on the current statement. */
  mark(range) {
    const { body, place } = this.shown;
    this.edit({ marks: remarked(body, place, range) });
  }

  /** Restores the earlier verdict and marks; text has its field's own undo. */
  undo() {
    const last = this.shown.before.at(-1);
    if (!last) {
      this.refuse("there is nothing to undo");
      return;
    }
    this.shown.before = this.shown.before.slice(0, -1);
    this.edit({ verdict: last.verdict, marks: last.marks }, 0, true);
  }

  written() {
    if (this.saver.late) this.saver.flush();
  }

  // ---- moves ------------------------------------------------------------------------------

  get done() {
    const { item, body } = this.shown;
    return Boolean(item.standing && sameBody(item.standing, body));
  }

  /** What was submitted, in words, if what is shown differs from it; else "". */
  get unsent() {
    if (!this.shown) return "";
    const { item, body } = this.shown;
    return item.standing && !sameBody(item.standing, body) ? this.words(item.standing) : "";
  }

  enter() {
    if (!ofKeys("has keys")) this.form.reason.blur(); // a phone's keyboard would cover what models said
    if (this.ahead) this.later(() => this.enter());
    else if (this.asksFirst()) return;
    else this.go(this.done || this.saver.moving === "submit" ? "onward" : "submit");
  }

  /** Before a whole answer is submitted: says, once, what of it was never on the screen. */
  asksFirst() {
    const { work } = this;
    if (work.asked || this.done || this.saver.moving || !work.body.verdict || !work.item.answer) return false;
    for (const one of openedBefore(work.item, this.data)) work.seen.add(one);
    const statements = work.item.statements.flatMap((_, at) => (this.isSeen(at) ? [] : [at]));
    const sources = work.texts.flatMap(({ sentences }, k) => (sentences.length && !work.seen.has(`source ${work.item.sources[k]}`) ? [k] : []));
    if (!statements.length && !sources.length) return false;
    work.asked = true;
    const named = (what, all) => all.length && `${what}${all.length > 1 ? "s" : ""} ${all.map((at) => at + 1).join(", ")}`;
    const words = [named("statement", statements), named("source", sources)].filter(Boolean).join(" and ");
    const [s, k] = work.place;
    const first = statements.length ? ["statement", statements[0] - s, 0] : ["source", 0, sources[0] - k];
    const number = (statements[0] ?? sources[0]) + 1;
    this.tell(`You have not opened ${words}. Submit again to send your answer all the same.`,
      [[`Open ${first[0]} ${number}`, () => this.turnTo(first[1], first[2])]]);
    this.asking = true; // saving the answer takes the question away no more than it answers it
    return true;
  }

  /** Notes that the current statement and source have been opened; once the answer is submitted, nobody asks. */
  noteOpened() {
    const { seen, item, place } = this.shown;
    const before = seen.size;
    seen.add(statementSeen(item, place[0])).add(`source ${item.sources[place[1]]}`);
    if (this.done) kept.drop(openedAs(this.data, item));
    else if (item.answer && seen.size > before) {
      for (const one of openedBefore(item, this.data)) seen.add(one); // by another tab
      kept.put(openedAs(this.data, item), [...seen]);
    }
  }

  /** Whether a statement has been the current one, or its words stand in the list uncut. */
  isSeen(at) {
    const { node, said } = this.form.rows[at];
    const isWhole = node.getClientRects().length > 0 && said.scrollWidth <= said.clientWidth;
    return isWhole || this.work.seen.has(statementSeen(this.work.item, at));
  }

  /** Postpones a move until the server has answered the previous one. */
  later(move) {
    // What follows would be for an item that nobody has seen.
    if (this.wanted) this.refuse(`wait for the ${this.data.thing} to open`);
    else this.wantedBy = pressedKey();
    this.wanted ??= move;
    this.freeze();
  }

  /** Makes a move that waited; a refusal now is about the key that was pressed then. */
  runWanted(move) {
    this.late = this.wantedBy;
    move();
    this.late = "";
  }

  go(action, reason = "") {
    if (this.ahead || (this.saver.moving === "submit" && action !== "submit")) {
      this.later(() => this.go(action, reason));
      return;
    }
    const { thing } = this.data;
    if (this.saver.conflict) this.refuse("choose first which of the two answers to keep");
    else if (this.saver.moving) this.refuse("the server has not answered yet");
    else if (action === "previous" && this.work.item.at <= 0) this.refuse(`this is the first ${thing}`);
    else if (action === "next" && !this.data.has_next) this.refuse(`this is the last ${thing}`);
    else {
      // What was asked before submitting is answered by it, and does not stand beside "submitted".
      if (this.asking) this.tell("");
      this.saver.move(action, reason);
      this.turn(action);
    }
  }

  /** Shows the item that a move leads to, if the server has sent it ahead. */
  turn(action) {
    const { moves, items } = this.data.ahead;
    const item = items[moves[action]];
    if (!item || !this.saver.moving) return;
    this.ahead = workOf(item, this.data);
    const stored = this.saver.kept({ rater: this.data.rater, item: item.item });
    if (stored?.base === item.rev && !sameBody(stored.body, item.draft)) {
      Object.assign(this.ahead, { body: stored.body, changed: true });
    }
    this.tell("");
    this.announce();
    this.draw();
  }

  /** Moves by n statements or sources; a statement brings the source that says most about it. */
  turnTo(statements, sources) {
    const { item, place } = this.shown;
    const within = (i, all) => Math.max(0, Math.min(i, all.length - 1));
    const statement = within(place[0] + statements, item.statements);
    const source = within(place[1] + sources, item.sources);
    if (statement === place[0] && source === place[1]) {
      this.refuse(`there is no other ${statements ? "statement" : "source"} that way`);
      return;
    }
    this.shown.place = [statement, sources ? source : item.best[statement]];
    this.draw();
    if (statements) this.say(`Statement ${statement + 1} of ${item.statements.length}. ${item.statements[statement]}`);
    else this.say(`Source ${source + 1} of ${item.sources.length}.`);
  }

  unfold() {
    this.form.whole.open = !this.form.whole.open;
  }

  /** Requests what models said about a submitted answer. */
  reveal() {
    if (!this.ahead && this.data.reveal?.offered) this.go("reveal");
    else this.refuse("there is nothing more to show");
  }

  /** Shows the previous item again: the server has not taken the move. */
  back() {
    const { ahead } = this;
    if (this.wanted && this.wantedBy) tellWhy(this.wantedBy, "the previous step was not taken");
    this.wanted = null;
    if (!ahead) return;
    this.ahead = null;
    this.tell(this.keptWords(ahead));
    this.draw();
  }

  flag() {
    if (this.dialog) return;
    if (this.ahead || this.saver.conflict) {
      this.refuse(this.ahead ? `wait for the ${this.data.thing} to open` : "choose first which of the two answers to keep");
      return;
    }
    if (this.work.item.flag) {
      this.go("unflag"); // the item stays
      return;
    }
    this.dialog = true;
    const keptAs = this.saver.reasonKey(this.compose());
    flagDialog(this.wrap, this.data.thing, keptAs, (reason) => this.go("flag", reason), () => {
      this.dialog = false;
    });
  }

  // ---- drawing ----------------------------------------------------------------------------

  draw() {
    const { data, shown, form, bar } = this;
    const { item, body, place, texts } = shown;
    const reveal = this.ahead ? null : data.reveal;
    const words = (reveal?.words ?? []).filter(({ at }) => String(at) === String(place));
    const sameItem = this.drawn === item.item;
    if (!sameItem) {
      form.statement.scrollTop = 0;
      form.rest.scrollTop = 0;
      form.whole.open = false;
      // On a phone everything is in one column, and the next item starts at its top.
      if (this.drawn) this.wrap.closest('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    }
    this.drawn = item.item;
    this.noteOpened();
    drawStatements(form, shown, reveal, (by) => this.turnTo(by, 0));
    drawSources(this.sources, shown, likeOf);
    drawAnswer(form, body, this.needsReason);
    const toldBefore = this.told;
    this.told = reveal ? `${item.item} ${reveal.offered}` : "";
    const [, own = ""] = data.choices.find(([value]) => value === item.standing?.verdict) ?? [];
    const where = item.answer ? `statement ${place[0] + 1} and source ${place[1] + 1}` : "";
    drawReveal(form.reveal, reveal && { ...reveal, words }, { thing: data.thing, own, where }, () => this.reveal());
    this.reader.update({
      ...texts[place[1]], key: `${item.item} ${place}`, source: item.sources[place[1]], like: likeOf(item, place),
      marked: marked(body, place), quote: words.flatMap(({ quoted }) => quoted), markable: item.statements.length > 0,
    });
    this.freeze();
    const unsent = this.unsent;
    if (unsent !== this.wasUnsent) {
      this.wasUnsent = unsent;
      if (!this.saver.busy) this.rest();
    }
    drawLine(bar, item, { unsent, total: data.total, done: this.done, thing: data.thing });
    if (data.trouble && !this.ahead) this.tell(data.trouble);
    // What has come with a submission is brought into sight; Submit stays where it is.
    if (reveal && sameItem && this.told !== toldBefore) this.showReveal();
  }

  /**
   * Scrolls the left side to what models said, its beginning if it is long; and the page, but only where the bar lies over
   * the left side, in a window that is too low for the desk.
   */
  showReveal() {
    const { reveal, rest } = this.form;
    const room = rest.getBoundingClientRect();
    const { top, bottom, height } = reveal.getBoundingClientRect();
    if (bottom > room.bottom) rest.scrollTop += height < rest.clientHeight ? bottom - room.bottom : top - room.top;
    const under = Math.min(reveal.getBoundingClientRect().bottom, room.bottom) - this.bar.node.getBoundingClientRect().top + GAP;
    if (under > 1) this.wrap.closest('[data-testid="stMain"]')?.scrollBy({ top: under });
  }

  /** Says that an answer to an item shown ahead is not lost; "" if there was none. */
  keptWords(ahead) {
    if (!ahead?.changed) return "";
    return `Your answer to ${this.data.thing} ${ahead.item.at + 1} is kept in this browser and comes back with it.`;
  }

  /** Sets the status for when nothing is under way. */
  rest() {
    const { saved_at: at } = this.work.item;
    this.status(at ? "saved" : "idle", this.wordsOf(at));
  }

  wordsOf(at) {
    const { state } = this.work.item;
    const { left_behind: before, left_at: left } = this.data;
    return wordsAtRest({ at, submitted: state === "submitted", unsent: Boolean(this.unsent), before, left });
  }

  status(kind, text, hint = "") {
    // The server has not taken the move: show the previous item again.
    if (kind === "unsaved") this.back();
    this.bar.tellSaved(kind, `${text} ${hint}`.trim());
    this.freeze();
  }

  freeze() {
    this.form.reason.readOnly = this.frozen;
    this.form.left.classList.toggle("is-frozen", this.frozen);
  }

  /** Shows a notice above the item, with buttons for what can be done. */
  tell(words, actions = []) {
    const buttons = actions.map(([text, act]) => {
      const node = el("button", { class: "msr-btn", text: text, type: "button" });
      node.addEventListener("click", () => {
        this.tell("");
        act();
        this.draw();
      });
      return node;
    });
    this.asking = false;
    this.notice.hidden = !words;
    this.notice.replaceChildren(bdi(words), " ", ...buttons);
  }

  announce() {
    const { item } = this.shown;
    const thing = this.data.thing.replace(/^./, (letter) => letter.toUpperCase());
    this.say(`${thing}: ${item.place}. ${item.statements[0] ?? ""}`);
  }

  say(words) {
    this.live.textContent = words;
  }

  /** Says why nothing was done, beside the key that was pressed, if any. */
  refuse(why) {
    if (this.late) tellWhy(this.late, why);
    else if (!refuseKey(why)) this.say(`${why[0].toUpperCase()}${why.slice(1)}.`);
  }
}

export default function mount({ data, parentElement, setStateValue }) {
  watchTextLimits();
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
