// The answer to one item: chosen by key or pointer, or typed, and shown at once. The form shows the
// rater's version, and sends it until the server has taken it.
//
// Every message names its item and the values before it, so an answer cannot land on another item
// or silently overwrite what another tab has saved.

import { closeConnectionMessages } from "../shared/connection.js";
import { clockTime, el, isCovered, isTextField, plainKey, wordsAtRest } from "../shared/dom.js";
import { kept } from "../shared/kept.js";
import { ORDER, decideKey, leaveBar, listenToKeyboard, takeKept, tellWhy } from "../shared/keyboard.js";
import { OPEN_MARKS, ofMarks } from "../shared/passages.js";
import { Outbox } from "../shared/outbox.js";
import { latest, posting } from "../shared/posting.js";
import { watchTextLimits } from "../shared/text_limits.js";
import { AnswerInView } from "./answer_in_view.js";
import { buildField } from "./fields.js";

const MOVES = { j: "next", k: "previous", s: "skip" }; // the page's keys and buttons that lead to another item
const PATIENCE = 10_000; // ms without an answer before the item being left can be judged again
const FLAG = "f"; // its button is part of the page
const AS_IT_IS = "="; // the next open text field needs no change
const REOPEN = 1_000; // ms before asking again for a box that has not appeared
const LONGEST = 200_000; // characters a field accepts
const MORE = "More settings, decided by default";
const MANY = 2; // answers missing from which on they are listed
const TYPING = 600; // ms from the last letter to sending
const SECOND = 3_000; // ms in which the second letter of a key is awaited
const NOT_ANSWERING = "Not saved: the server does not answer. Your answer is kept here and will be sent again.";
const SHOWN_VIEW = ".st-key-desk_line [role=radio][aria-checked=true]";
const CONTROL = "a[href], button, input, select, textarea, summary";
const SCROLLED = '[data-testid="stMain"], [class*="st-key-own-scroll-"], .st-key-scroll-case, .st-key-scroll-rate'; // back to the top at another item
let handedIn = ""; // token of what was sent by key from a form that stands alone: another Form may be told of it
const mounted = new WeakMap(); // mount point -> Form; the default export is called on every change

class Form {
  constructor(parent) {
    // `way` is the key that asked for the move under way, "" for a button.
    // `left` is the text field that lost the focus to Streamlit's message.
    Object.assign(this, { data: null, fields: new Map(), active: "", proof: "", typed: {}, late: 0, early: [], before: "", leaving: 0, turned: false, ahead: "", missed: -1e9, way: "", left: null, asked: null, wanted: "", within: false, onOption: false, first: "", since: 0, refused: "", listed: "" });
    this.answerInView = new AnswerInView();
    this.outbox = new Outbox((late) => {
      if (late && this.#unturn()) this.#draw();
      this.notice.textContent = late ? NOT_ANSWERING : "";
      if (this.status) this.status.textContent = this.#said();
    });
    this.notice = el("p", { class: "maf-notice", role: "alert" });
    this.lacks = el("details", { class: "maf-lacks", hidden: true });
    this.box = el("div", { class: "maf-fields" });
    this.foot = el("p", { class: "maf-foot" });
    this.wrap = el("div", { class: "maf" }, this.notice, this.lacks, this.box, this.foot);
    // A press by the pointer leaves no focus on a button, so that the next Enter submits.
    this.wrap.addEventListener("click", ({ target, detail }) => {
      const button = detail > 0 && target.closest?.("button");
      if (!button) return;
      button.blur();
      this.within = false;
    });
    this.wrap.style.opacity = 0; // until the style sheet has loaded
    parent.append(this.wrap);
    this.listening = new AbortController();
    const { signal } = this.listening;
    listenToKeyboard(ORDER.form, (event) => this.#heard(event), signal);
    document.addEventListener("click", (event) => this.#pressed(event), { capture: true, signal });
    document.addEventListener("medlens:shown", () => {
      if (!this.fields.size) return;
      this.#draw();
      this.#useKept();
      this.#refocus(false);
    }, { signal });
    document.addEventListener("medlens:marked", ({ detail }) => this.#marked(detail), { signal });
    document.addEventListener("medlens:submit", () => this.data && this.#submit(), { signal });
    window.addEventListener("pagehide", () => this.#flush(), { signal });
    document.addEventListener("focusin", ({ target }) => {
      this.within = this.box.contains(target);
      this.onOption = this.within && target.matches("[type=radio], [type=checkbox]");
    }, { signal });
    this.box.addEventListener("focusout", ({ target, relatedTarget }) => {
      const message = relatedTarget ? relatedTarget.closest("[role=dialog]") : document.querySelector("[role=dialog]");
      this.left = message ? target : null;
    }, { signal });
    this.unwatch = closeConnectionMessages(() => setTimeout(() => this.#back(), 50));
  }

  destroy() {
    this.#flush();
    clearTimeout(this.leaving);
    this.outbox.stop();
    this.listening.abort();
    this.answerInView.end();
    this.unwatch();
    this.wrap.remove();
  }

  /** `posted`: the data are the desk address's answer, and the page around has not run. */
  update(sent, setStateValue, posted = false) {
    const data = latest(sent);
    const before = this.data;
    const other = before?.item !== data.item;
    const post = posting(data, setStateValue, (told) => {
      if (this.wrap.isConnected) this.update(told, setStateValue, true);
    }, ({ token }) => this.outbox.waiting[0]?.token === token);
    // What is submitted brings the next item's page: one way there, not two.
    this.outbox.send = (message) => (message.submit ? setStateValue("out", message) : post(message));
    if (posted || data === sent) this.#tellSaved(posted ? wordsAtRest({ ...data, at: data.saved_at }) : "");
    if (other) this.#flush();
    this.data = data;
    if (!before) this.outbox.begin(data.task);
    const [first] = this.outbox.waiting;
    this.outbox.taken(data.ack);
    if (first) this.#keep(first.item);
    if (other) this.#again();
    if (!before || before.session !== data.session) this.outbox.again();
    if (other) Object.assign(this, { active: "", proof: "", before: before?.item ?? "" });
    if (other && before) toTheTop();
    if (other || !this.held) this.#unturn();
    if (!other && this.leaving && before.moves !== data.moves) {
      // A key behind the one that moves on was for an item that does not come.
      this.missed = performance.now();
      if (this.way) tellWhy(this.way, "the server did not leave this item");
    }
    if (other || before.moves !== data.moves) this.#stay();
    const isSame = !other && before.submit === data.submit && JSON.stringify(before.fields) === JSON.stringify(data.fields);
    if (!isSame) this.#build();
    this.#draw();
    if (other) this.wanted = "";
    else this.#focusWanted();
    this.#useKept();
    this.#refocus(other);
    this.#goOnward();
    // What is missing, submitted or not saved stands in the page's line: screen readers say what comes there.
    if (!data.submit) document.querySelector(".st-key-work-status")?.setAttribute("role", "status");
  }

  /** What was sent by key is with the server: the page's button that goes on has the focus. */
  #goOnward() {
    const { ack, onward, refused } = this.data;
    if (!handedIn || ack !== handedIn) return;
    handedIn = "";
    if (refused || document.activeElement !== document.body) return;
    document.querySelector(`.${CSS.escape(`st-key-${onward}`)} button:enabled`)?.focus();
  }

  /** The focus of who answers by Tab and Space was in a field that is gone, or could not be used. */
  #refocus(other) {
    if (document.activeElement !== document.body) {
      this.within = this.box.contains(document.activeElement);
      return;
    }
    // An answer has it for who goes from answer to answer alone: for others its ring would look like a choice.
    // Raters who type one text after another continue in the same field.
    const next = (other && this.box.querySelector(".maf-sends")) || (this.within && this.#mayJudge() && this.#firstChoice());
    const question = !this.onOption && next ? next.closest("fieldset") : null;
    if (question) takeFocus(question);
    else if (next) next.focus({ preventScroll: other });
  }

  /** Not a text: digits and letters are still keys. Nor what answers several statements at once, which the next Enter would press. */
  #firstChoice() {
    const choices = "input:is([type=radio], [type=checkbox]), button:not(.maf-rest)";
    const open = [...this.box.querySelectorAll(choices)].filter((one) => one.checkVisibility());
    return open.find(({ checked }) => checked) ?? open[0];
  }

  // ---- the answer -------------------------------------------------------------------------

  /** The rater's current answer: the server's values, overlaid with those it has not taken yet. */
  get values() {
    const mine = this.outbox.waiting.filter(({ item }) => item === this.data.item);
    const said = mine.flatMap(({ changes }) => Object.entries(changes).map(([id, [, now]]) => [id, now]));
    return { ...this.data.values, ...Object.fromEntries(said), ...this.typed };
  }

  /** Submitted but not acknowledged: keys pressed now were meant for another item. */
  get frozen() {
    return this.outbox.waiting.some(({ submit, item }) => submit && item === this.data.item);
  }

  /** Keeps in the browser the part of an item's answer that the server has not taken. */
  #keep(item) {
    const { task, rater, session, rev, values } = this.data;
    const mine = this.outbox.waiting.filter((one) => one.item === item);
    const typed = item === this.data.item ? Object.entries(this.typed) : [];
    const said = [...mine.flatMap(({ changes }) => Object.entries(changes)),
      ...typed.map(([id, now]) => [id, [values[id] ?? null, now]])];
    const changes = {};
    for (const [id, [was, now]] of said) changes[id] = [id in changes ? changes[id][0] : was, now];
    const { session: from, rev: base } = mine[0] ?? { session, rev };
    const name = keptAs({ rater, task, item });
    if (Object.keys(changes).length) kept.put(name, { session: from, rev: base, changes });
    else kept.drop(name);
  }

  /** Sends what an earlier page had kept, unsubmitted: the rater sees it again and submits it. */
  #again() {
    const { rater, task, item, fields } = this.data;
    if (this.outbox.waiting.some((one) => one.item === item)) return;
    const found = sendable(kept.get(keptAs({ rater, task, item })), fields);
    if (found) this.outbox.put({ item, rater, submit: false, ...found });
  }

  #choose(id, value) {
    if (!this.#mayJudge()) {
      this.#draw();
      return;
    }
    this.#flush();
    this.#put({ [id]: value }, Boolean(this.fields.get(id)?.submits));
    const rated = this.#lettered();
    const { values } = this;
    // The keys now refer to the next field without an answer, if there is one.
    this.active = rated.some((one) => one.kind !== "several" && values[one.id] == null) ? "" : id;
    const hidden = [...this.fields.values()].filter(({ node }) => node.hidden);
    this.#draw();
    // What this answer asks for besides can begin below the edge of the window; a text that it needs
    // is typed next, and its letters are no keys.
    const asked = hidden.find(({ node }) => !node.hidden);
    asked?.node.scrollIntoView({ block: "nearest" });
    if (asked?.kind === "text" && asked.needed) asked.node.querySelector("input, textarea")?.focus({ preventScroll: true });
  }

  /** Puts the cursor into the text that an answer needs besides: what is typed next is meant for it. */
  #enterTextNeededBy(id) {
    const asks = (when) => when?.[0] === id && when[1] === this.values[id];
    const text = this.data.fields.find(({ id: own, kind, needed, when, needed_when: needs }) =>
      kind === "text" && !this.values[own] && ((needed && asks(when)) || asks(needs)));
    if (text) this.fields.get(text.id).node.querySelector("input, textarea")?.focus();
    return Boolean(text);
  }

  /** Sets a text field's answer by the button beside it. */
  #say(id, value) {
    if (!this.#mayJudge()) return;
    // This replaces what was typed, so do not send that afterwards.
    delete this.typed[id];
    this.#flush();
    this.#put({ [id]: value });
    this.#draw();
  }

  /** Saves the marks in a source as the answer to the field that asks for them. */
  #marked({ item, column, value }) {
    const field = item === this.data?.item && this.#proof(column);
    if (!field) return;
    if (value && value.length > LONGEST) {
      this.notice.textContent = "No more can be marked: take a mark off first.";
      return;
    }
    this.notice.textContent = "";
    this.proof = field.id;
    this.#say(field.id, value);
  }

  /** The field that marks in a source answer: the chosen one, else its first without an answer. */
  #proof(column) {
    const { values } = this;
    const asked = this.#asking(column);
    return asked.find(({ id }) => id === this.proof) ?? asked.find(({ id }) => values[id] == null) ?? asked[0];
  }

  #asking(column) {
    const { values } = this;
    return this.data.fields.filter(({ source, when }) => source === column && (!when || values[when[0]] === when[1]));
  }

  /** Goes to the source that a field asks about, and to a marked passage if given. */
  #lead(id, passage = null) {
    this.proof = id;
    this.#tell(this.fields.get(id).source, passage);
    this.#draw();
  }

  /** Tells a source's pane what is asked of it; `show` scrolls it into view. */
  #tell(column, show) {
    const field = this.#proof(column);
    const label = this.#asking(column).length > 1 ? `${(field.into ?? "").toUpperCase()} ${field.label}`.trim() : "";
    const { item } = this.data;
    const detail = { item, column, label, value: this.values[field?.id] ?? null, open: Boolean(field) && this.#mayJudge(), show };
    document.dispatchEvent(new CustomEvent("medlens:evidence", { detail }));
  }

  #type(id, text) {
    if (this.held) return;
    this.typed[id] = text.toWellFormed(); // half a surrogate pair cannot be sent
    this.#keep(this.data.item);
    this.wrap.classList.add("is-saving");
    if (this.status) this.status.textContent = this.#said();
    clearTimeout(this.late);
    this.late = setTimeout(() => this.#flush(), TYPING);
  }

  #flush() {
    clearTimeout(this.late);
    const { typed } = this;
    this.typed = {};
    if (Object.keys(typed).length) this.#put(typed);
  }

  #put(given, submit = false) {
    const { item, session, rev, rater } = this.data;
    const { values } = this; // with messages in flight: the server may already have taken them
    const seen = submit ? { ...values, ...given } : {};
    const { open } = this.outbox;
    const to = open?.item === item && !open.submit ? open : { changes: {} };
    for (const [id, now] of Object.entries(given)) {
      to.changes[id] = [id in to.changes ? to.changes[id][0] : (values[id] ?? null), now];
    }
    if (to === open) Object.assign(open, { submit, seen });
    else this.outbox.put({ item, session, rev, rater, submit, seen, ...to });
    this.#keep(item);
  }

  #submit(byPointer = false) {
    if (!this.#mayJudge()) return;
    this.#flush();
    this.#put({}, true);
    const [lacking] = this.#lacking();
    if (!lacking && this.data.onward) this.#leaveFields(byPointer);
    this.refused = lacking ? this.data.item : "";
    if (!lacking) this.#turn("submit");
    this.#draw();
    // The server says in words what is missing; the rater is led there.
    if (lacking) this.#reach(lacking);
  }

  /** Out of the text: the next letter is a key of the page. */
  #leaveFields(byPointer) {
    if (this.wrap.contains(document.activeElement)) document.activeElement.blur();
    this.within = false;
    handedIn = byPointer ? "" : this.outbox.waiting.at(-1)?.token ?? "";
  }

  /** The fields in sight that must be answered and are not. */
  #lacking() {
    const { values } = this;
    const holds = (when) => values[when[0]] === when[1];
    return this.data.fields.filter(({ id, needed, needed_when: needs, when }) =>
      (needed || (needs && holds(needs))) && !values[id] && (!when || holds(when)));
  }

  /** Lists what is missing, by parts, once a submission was refused: each entry leads to its field. */
  #drawLacks() {
    const lacking = this.refused === this.data.item && !this.held ? this.#lacking() : [];
    const signature = lacking.map(({ id }) => id).join("\n");
    this.lacks.hidden = lacking.length < MANY;
    if (this.lacks.hidden) this.lacks.open = false;
    if (signature === this.listed) return;
    this.listed = signature;
    const missing = new Set(lacking.map(({ id }) => id));
    const rows = [];
    let part = "";
    for (const field of this.data.fields) {
      part = field.head ?? part;
      if (!missing.has(field.id)) continue;
      if (part) rows.push(el("p", { class: "maf-lacks-part", text: part }));
      part = ""; // its heading once
      rows.push(el("button", { type: "button", text: field.label, onclick: () => {
        this.lacks.open = false;
        this.#reach(field);
      } }));
    }
    this.lacks.replaceChildren(el("summary", { text: `Show the ${lacking.length} missing answers` }), el("div", {}, rows));
  }

  #reach({ id }) {
    const { node, folded } = this.fields.get(id);
    if (folded) this.more.open = true;
    node.scrollIntoView({ block: "center" });
    // What is submitted cannot be focused until the server has answered.
    this.wanted = id;
    this.#focusWanted();
  }

  #focusWanted() {
    const field = this.fields.get(this.wanted);
    if (!field || this.held) return;
    this.wanted = "";
    // Not into a text that may need no change: there the key that says so would be typed.
    field.node.querySelector(field.same ? "button" : "input, textarea, button")?.focus({ preventScroll: true });
  }

  /** Shows the next item before the server opens it, if the page has it (prepared_next_item): unanswered. */
  #turn(way) {
    if (this.data.submit || this.turned) return;
    const detail = { way, item: this.data.item, to: "" }; // the page writes which item it shows
    this.turned = !document.dispatchEvent(new CustomEvent("medlens:leave", { detail, cancelable: true }));
    this.ahead = detail.to;
    if (this.turned) toTheTop();
  }

  /** The server has opened it, or does not; returns whether it was shown. */
  #unturn() {
    const { turned } = this;
    this.turned = false;
    if (turned) document.dispatchEvent(new Event("medlens:stay"));
    return turned;
  }

  /** The item the rater sees: the page may show it before its form is there. */
  get shown() {
    if (this.turned) return this.ahead;
    if (this.data.submit) return this.data.item;
    const talk = document.querySelector(".mlc-talk");
    return talk?.dataset.item || this.data.item;
  }

  /** Does the rater see the item that this form answers? */
  #mayJudge() {
    return !this.held && this.shown === this.data.item;
  }

  /** Submitted, or moving to another item. */
  get held() {
    return this.frozen || Boolean(this.leaving);
  }

  /** Another item has been requested: keys pressed from now on were not meant for this one. */
  #leave() {
    this.#flush();
    this.asked = null;
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => this.#stay(), PATIENCE);
    this.#draw();
  }

  #stay() {
    clearTimeout(this.leaving);
    this.leaving = 0;
    this.#unturn();
    if (this.fields.size) this.#draw();
  }

  // ---- keys and presses -------------------------------------------------------------------

  #back() {
    const { left } = this;
    // Clear it first: a message still open takes the focus back at once, setting `left` again.
    this.left = null;
    left?.focus();
  }

  #heard(event) {
    // A key pressed as the message closes was meant for the text: let the letter land there.
    if (this.left?.isConnected && document.activeElement === document.body) {
      this.#back();
      return "";
    }
    if (!this.data || (this.data.submit && !this.data.keys) || !this.wrap.offsetParent || ofMarks(event)) return "";
    if (this.#isForFlag(event)) {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) tellWhy(event.key, "the box for the flag is not open yet");
      return "";
    }
    const submits = this.#submitsAnywhere(event);
    const key = this.#whole(submits ? "Enter" : plainKey(event), event);
    if (key === null) return "";
    const act = submits ? this.#act("Enter") : this.#move(key) ?? this.#opening(key) ?? this.#act(key, event.target) ?? this.#later(key);
    if (!act && !this.#noWay(key)) return this.#useless(key);
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) this.#press(key, act, event, submits);
    return "";
  }

  /** The key with the letter pressed before it, where the two are one; null if it is such a first letter. */
  #whole(key, event) {
    // Whatever sign a keyboard makes of a digit with Shift.
    const digit = event.shiftKey && key && key.length === 1 && /^Digit\d$/.test(event.code) ? `⇧${event.code.slice(-1)}` : "";
    if (digit && this.data.fields.some(({ options = [] }) => options.some((option) => option.key === digit))) key = digit;
    const waited = this.first && event.timeStamp - this.since < SECOND;
    const two = waited ? this.first + key : "";
    const keys = this.data.fields.map(({ letter, into }) => letter || into || "");
    const begins = /^[a-z]$/.test(key) && !keys.includes(two) && !keys.includes(key) && keys.some((one) => one.length === 2 && one[0] === key);
    this.#await(begins ? key : "", event.timeStamp);
    if (!begins) return two && keys.includes(two) ? two : key;
    event.preventDefault();
    event.stopPropagation();
    return null;
  }

  /** Shows which keys the letter that was pressed begins. */
  #await(first, since) {
    Object.assign(this, { first, since });
    for (const sign of this.box.querySelectorAll(".maf-head kbd")) sign.classList.toggle("is-awaited", Boolean(first) && sign.textContent.length === 2 && sign.textContent[0].toLowerCase() === first);
    clearTimeout(this.awaited);
    if (first) this.awaited = setTimeout(() => this.#await("", 0), SECOND);
  }

  #press(key, act, event, submits) {
    if (!act) {
      // A digit behind it was for the item that is not there.
      this.missed = event.timeStamp;
      tellWhy(key, `there is no ${MOVES[key]} item`);
      return;
    }
    if (key === FLAG) {
      act();
      return;
    }
    const { shown, frozen, early } = this;
    const moves = Boolean(MOVES[key]);
    const state = { item: this.data.item, left: this.before, shown, frozen, leaving: Boolean(this.leaving), kept: early, since: event.timeStamp - this.missed };
    const decision = decideKey(state, moves);
    tellWhy(key, decision.why);
    if (decision.early) this.missed = event.timeStamp;
    if (decision.keep) early.push({ item: decision.keep, key, moves: moves || key === "Enter" });
    if (!decision.act) return;
    if (submits && event.target !== document.body) event.target.blur(); // what is typed there is saved first
    act();
  }

  /** Presses the keys that came while this item was in sight and its form was not. */
  #useKept() {
    if (!this.#mayJudge()) return;
    for (const { key } of takeKept(this.early, this.data.item)) {
      const act = this.#move(key) ?? this.#act(key);
      if (act && this.#mayJudge()) act();
      else tellWhy(key, "this item does not ask for it");
    }
    // The server has not opened the item that was shown: the rater sees this one again.
    if (this.early.length && this.#mayJudge()) tellWhy(this.early.splice(0)[0].key, "the server did not leave this item");
  }

  /** A key of another question than the chosen one: it may be the next one of the item in sight. */
  #later(key) {
    if (!key || this.#mayJudge()) return null;
    return this.data.fields.some(({ options = [] }) => options.some((option) => option.key === key)) ? () => {} : null;
  }

  /** Ctrl+Enter or Cmd+Enter, also in a text field of the answer. */
  #submitsAnywhere({ ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target, key }) {
    if (key !== "Enter" || !(ctrlKey || metaKey) || altKey || isComposing || defaultPrevented || isCovered()) return false;
    return !isTextField(target) || this.wrap.contains(target) || Boolean(target.closest(".mlc-talk"));
  }

  /** Why a key of the form does nothing now; "" for one that is not the form's. */
  #useless(key) {
    const { fields, rest } = this.data;
    if (rest && key === rest.key) return "every question has an answer";
    if (fields.some(({ letter, into }) => key && (key === letter || key === into))) return "its question is not asked now";
    if (key === AS_IT_IS && fields.some(({ same }) => same)) return "no text waits for it";
    return /^\d$/.test(key) && fields.some(({ options = [] }) => options.some((option) => option.key)) ? "the question has no such answer" : "";
  }

  /** The key leads to an item that the page says is not there. */
  #noWay(key) {
    return Boolean(MOVES[key] && document.querySelector(`${this.#button(MOVES[key])}:disabled`));
  }

  /** Opens the flag's box for typing, or takes the flag back. */
  #opening(key) {
    return key === FLAG && !this.data.submit ? () => this.#flag() : null;
  }

  /** A key while the flag's box is on its way: it was meant for the reason, and answers and leaves nothing. */
  #isForFlag(event) {
    const { asked } = this;
    const { key, target, altKey, ctrlKey, metaKey, isComposing, defaultPrevented } = event;
    if (!asked || asked.isThere || Date.now() > asked.until) return false;
    if (altKey || ctrlKey || metaKey || isComposing || defaultPrevented || isTextField(target)) return false;
    // The box itself may be open, and what is written in still to come.
    return key.toLowerCase() !== FLAG && (key.length === 1 || key === "Enter" || key === "Escape");
  }

  #flag() {
    const { task } = this.data;
    const asked = { until: Date.now() + PATIENCE, isThere: false };
    this.asked = asked;
    let meant = "";
    let again = 0;
    const look = () => {
      const now = Date.now();
      if (this.asked !== asked || now > asked.until || !this.wrap.isConnected) return;
      if (!meant && this.#mayJudge()) {
        // A flag pressed while an answer or a move is in flight is meant for the next item.
        meant = this.data.item;
        asked.until = now + PATIENCE;
      }
      if (meant && meant !== this.data.item) {
        asked.isThere = true;
        return;
      }
      const flag = `[class*="${CSS.escape(`st-key-${task}-flag-${meant}`)}"]`;
      const box = meant && document.querySelector(`${flag} input`);
      if (box) {
        asked.isThere = true;
        box.focus();
        return;
      }
      // What is flagged already has a button that takes the flag back.
      const off = meant && document.querySelector(`[class*="${CSS.escape(`st-key-${task}-flag-${meant}-off`)}"] button:enabled`);
      if (off) {
        asked.isThere = true;
        off.click();
        return;
      }
      // Use its own button: a click elsewhere closes the box. Retry if a redraw has closed it.
      const button = meant && now > again && document.querySelector(`${flag} button[aria-expanded=false]:enabled`);
      if (button) {
        button.click();
        again = now + REOPEN;
      }
      setTimeout(look, 50);
    };
    look();
  }

  /** Presses the page's own button, which Streamlit does not do for a key during a redraw. */
  #move(key) {
    const button = MOVES[key] && document.querySelector(`${this.#button(MOVES[key])}:enabled`);
    return button ? () => button.click() : null;
  }

  #button(name) {
    return `.${CSS.escape(`st-key-${this.data.task}-${name}`)} button`;
  }

  #act(key, target) {
    if (!key) return null;
    if (key === "Enter") {
      if (this.data.fields.some(({ submits }) => submits)) return null;
      const control = target instanceof Element ? target.closest("button, a, summary") : null;
      // Enter presses the focused control, except the view that is already open and an answer that is given.
      const isDone = control?.matches(SHOWN_VIEW) || (this.wrap.contains(control) && control?.matches("[aria-pressed=true]"));
      return control && !isDone ? null : () => this.#submit();
    }
    const text = this.data.fields.find(({ into, when }) => into === key && (!when || this.values[when[0]] === when[1]));
    if (text?.source) return () => this.#lead(text.id);
    if (text) return () => this.fields.get(text.id).node.querySelector("input, textarea").focus();
    const same = key === AS_IT_IS && this.data.fields.find(({ id, same: kept, when }) => kept && this.values[id] == null && (!when || this.values[when[0]] === when[1]));
    if (same) return () => {
      this.#say(same.id, same.same);
      this.fields.get(same.id).node.scrollIntoView({ block: "nearest" });
    };
    const { rest } = this.data;
    if (rest && key === rest.key) return this.#open(rest).length ? () => this.#rest() : null;
    const lettered = this.#lettered().find(({ letter }) => letter === key);
    if (lettered) {
      return () => {
        if (target instanceof Element && target.closest(`.mlt.is-pane, ${OPEN_MARKS}`)) target.blur(); // the digits are the form's now
        // The letter of a question with ticks ends it too: digits go on with the next one.
        this.active = lettered.kind === "several" && this.active === lettered.id ? "" : lettered.id;
        this.#draw();
        this.#follow();
        this.#focusQuestion(this.active);
      };
    }
    for (const { id, kind, letter, turn, options = [] } of this.data.fields) {
      const option = options.find((one) => one.key === key);
      if (option && (!(letter || turn) || id === this.#chosen())) return () => {
        this.#focusOption(id, option.value);
        this.#choose(id, kind === "several" ? this.#ticked(id, option.value) : option.value);
        if (kind === "several") this.active = id;
        this.#draw();
        if (!this.#enterTextNeededBy(id)) this.#follow();
      };
    }
    return null;
  }

  /** The focus of who answers by keys goes with the answer: Space would change it to the option left behind. */
  #focusOption(id, value) {
    const { activeElement } = document;
    const options = this.fields.get(id).node.querySelectorAll("[type=radio], [type=checkbox]");
    const option = [...options].find((one) => one.value === value);
    leaveBar(option);
    if (!this.box.contains(activeElement) || !activeElement.matches("[type=radio], [type=checkbox]")) return;
    option?.focus({ preventScroll: true });
  }

  /** Tab goes on from the question that a letter chose, unless the focus is on a control outside of the form. */
  #focusQuestion(id) {
    const { activeElement: held } = document;
    const node = this.fields.get(id)?.node;
    if (!node?.matches("fieldset") || (held?.matches(CONTROL) && !this.box.contains(held))) return;
    if (held?.matches("[type=radio], [type=checkbox]")) {
      const options = [...node.querySelectorAll("[type=radio], [type=checkbox]")];
      (options.find(({ checked }) => checked) ?? options[0])?.focus({ preventScroll: true });
      return;
    }
    takeFocus(node);
  }

  /** The ticked options with this one ticked too, or no longer. */
  #ticked(id, value) {
    const ticked = JSON.parse(this.values[id] || "[]");
    const offered = this.data.fields.find((field) => field.id === id).options.map((option) => option.value);
    return JSON.stringify(offered.filter((one) => (one === value) !== ticked.includes(one)));
  }

  /** Takes over the page's submit button, so that the answer and the submit go in one message. */
  #pressed(event) {
    const { target } = event;
    if (!this.data || !(target instanceof Element)) return;
    const move = Object.values(MOVES).find((name) => target.closest(`${this.#button(name)}:enabled`));
    if (move) {
      this.way = event.isTrusted ? "" : Object.keys(MOVES).find((one) => MOVES[one] === move);
      this.#turn(move);
      this.#leave();
    }
    if (!target.closest(this.#button("submit"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#submit();
  }

  /** The field that option keys refer to: the selected one, else the first without an answer. */
  #chosen() {
    const rated = this.#lettered();
    const { values } = this;
    // Ticks wait for their letter: digits in turn go to what has one answer.
    const inTurn = rated.filter(({ kind }) => kind !== "several");
    return this.active || (inTurn.find(({ id }) => values[id] == null) ?? inTurn[0])?.id;
  }

  /** The visible fields that keys can answer, by letter or in turn: keys skip hidden ones. */
  #lettered() {
    const { values } = this;
    return this.data.fields.filter(({ letter, turn, when }) => (letter || turn) && (!when || values[when[0]] === when[1]));
  }

  /** Scrolls to the field that the next key answers. */
  #follow() {
    this.fields.get(this.#chosen())?.node.scrollIntoView({ block: "nearest" });
  }

  #open({ fields }) {
    const { values } = this;
    return fields.filter((id) => values[id] == null);
  }

  #rest() {
    const { rest } = this.data;
    this.#flush();
    this.#put(Object.fromEntries(this.#open(rest).map((id) => [id, rest.value])));
    this.#draw();
  }

  // ---- drawing ----------------------------------------------------------------------------

  #build() {
    const on = {
      choose: (id, value) => this.#choose(id, value),
      say: (id, value) => this.#say(id, value),
      lead: (id, passage) => this.#lead(id, passage),
      type: (id, text) => this.#type(id, text),
      left: () => {
        this.#flush();
        this.#draw();
      },
      submit: () => this.#submit(),
    };
    this.fields = new Map(this.data.fields.map((field) => [field.id, { ...field, ...buildField(field, on) }]));
    const { rest } = this.data;
    this.all = rest && el("button", { type: "button", class: "maf-rest", onclick: () => this.#rest() },
      rest.name, " ", el("kbd", { text: rest.key.toUpperCase() }));
    this.wrap.classList.toggle("is-alone", Boolean(this.data.submit));
    this.sent = this.data.submit && el("button", { type: "button", class: "maf-submit", onclick: ({ detail }) => this.#submit(detail > 0) }, this.data.submit);
    this.status = this.data.submit && el("span", { class: "maf-status", role: "status" });
    this.foot.replaceChildren(...(this.sent ? [this.sent, this.status] : []));
    const fields = [...this.fields.values()];
    const folded = fields.filter((field) => field.folded);
    const { values } = this;
    const opened = this.more?.open ?? folded.some(({ id, folded: usual }) => values[id] !== usual);
    this.more = folded.length ? el("details", { class: "maf-more" }, el("summary", { text: MORE }),
      el("div", { class: "maf-fields" }, folded.map(({ node }) => node))) : null;
    if (this.more) this.more.open = opened;
    this.box.replaceChildren(...(this.all ? [this.all] : []), ...fields.filter((field) => !field.folded)
      .flatMap(({ node, head }) => (head ? [el("h4", { class: "maf-part", text: head }), node] : [node])),
    ...(this.more ? [this.more] : []));
    this.answerInView.watch(fields.map(({ id, node }) => [id, node]));
  }

  #draw() {
    const values = this.turned ? {} : this.values;
    // A field that cannot be used loses the focus.
    if (this.box.contains(document.activeElement)) this.within = true;
    const held = !this.#mayJudge(); // also until the conversation beside it belongs to this item
    const active = this.#chosen();
    this.answerInView.follow(active);
    const { changes = {} } = this.data;
    for (const { id, letter, turn, node, show, tell, hold, when } of this.fields.values()) {
      show(values[id]);
      tell?.(values[id] == null ? [] : changes[id] ?? []);
      hold(held);
      node.hidden = Boolean(when) && values[when[0]] !== when[1];
      node.classList.toggle("is-active", Boolean(letter || turn) && id === active);
    }
    for (const column of new Set(this.data.fields.flatMap(({ source }) => source ?? []))) this.#tell(column);
    this.wrap.classList.toggle("is-saving", this.outbox.waiting.length > 0 || Object.keys(this.typed).length > 0);
    if (this.status) this.status.textContent = this.#said();
    this.#drawLacks();
    const { rest } = this.data; // an item without such a button can come while the one before is drawn
    if (!this.all) return;
    this.all.hidden = held || !rest;
    // Its room stays when there is nothing left for it: what is below would jump up under the finger.
    this.all.style.visibility = rest && this.#open(rest).length ? "" : "hidden";
  }

  /** Shows when it was saved in the page's line, which has not been drawn again since; "" ends that. */
  #tellSaved(said) {
    for (const node of document.querySelectorAll(".maf-saved")) node.remove();
    if (said) document.querySelector(".st-key-work-status")?.append(el("p", { class: "maf-saved", text: said }));
  }

  /** The save status that a form with its own submit button shows. */
  #said() {
    const { saved_at: at, trouble } = this.data;
    if (this.notice.textContent) return "";
    if (this.wrap.classList.contains("is-saving")) return "saving…";
    if (trouble) return `not saved: ${trouble}`;
    return at ? `draft saved ${clockTime(at)}` : "";
  }
}

/** Focuses a question itself, and none of its answers: Tab goes on to these. */
function takeFocus(fieldset) {
  fieldset.tabIndex = -1;
  fieldset.style.outline = "none";
  fieldset.focus({ preventScroll: true });
}

function toTheTop() {
  for (const part of document.querySelectorAll(SCROLLED)) part.scrollTo({ top: 0 });
}

const keptAs = ({ rater, task, item }) => `medlens:answer:${rater}:${task}:${item}`;
const isValue = (value) => value === null || (typeof value === "string" && value.length <= LONGEST);

/** {session, rev, changes} for these fields from what was kept; null if none of it can be sent. */
function sendable(found, fields) {
  if (typeof found?.session !== "string" || !Number.isInteger(found.rev)) return null;
  const known = new Set(fields.map(({ id }) => id));
  const changes = Object.entries(found.changes ?? {}).filter(
    ([id, pair]) => known.has(id) && Array.isArray(pair) && pair.length === 2 && pair.every(isValue),
  );
  return changes.length ? { ...found, changes: Object.fromEntries(changes) } : null;
}

export default function mount({ data, parentElement, setStateValue }) {
  watchTextLimits();
  let form = mounted.get(parentElement);
  if (!form) {
    form = new Form(parentElement);
    mounted.set(parentElement, form);
  }
  form.update(data, setStateValue);
  return () => {
    form.destroy();
    mounted.delete(parentElement);
  };
}
