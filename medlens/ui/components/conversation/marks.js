// The marks that a rater gives to turns. The rater's version counts here; the server's replaces it
// when it has changed there and nothing is under way.

import { bdi, el } from "../shared/dom.js";
import { Outbox } from "../shared/outbox.js";

const TYPING = 600; // ms after the last letter of a comment until it is sent

export class Marks {
  constructor() {
    this.key = ""; // the dialogue's
    this.given = [];
    this.kinds = [];
    this.opened = 0;
    this.byKeys = false; // whether keys opened them
    this.locked = false; // no turn can be marked while another dialogue than the server's is shown
    this.outbox = new Outbox();
    this.session = ""; // of the server that sent the marks
    this.late = 0; // the timer of typing
    this.renew = () => {};
    this.parts = { head: (turn) => this.#head(turn), after: (turn) => this.#panel(turn) };
  }

  update({ kinds, marks, rev, ack, session }, key, send) {
    const fresh = key !== this.key;
    this.outbox.send = send;
    if (fresh) this.leave();
    const first = !this.key;
    if (first) this.outbox.begin("marks");
    if (fresh) Object.assign(this, { key, opened: 0 });
    this.outbox.taken(ack);
    if (first) this.outbox.again();
    this.kinds = kinds;
    const restarted = !fresh && session !== this.session;
    if (restarted && this.repeated !== session) {
      this.repeated = session;
      this.outbox.again();
    }
    if (!fresh && (this.outbox.waiting.length || this.late)) return;
    if (!fresh && !restarted && rev === this.rev) return;
    Object.assign(this, { rev, session });
    const before = this.given;
    this.given = this.outbox.waiting.findLast((one) => one.key === key)?.marks ?? marks;
    if (fresh || JSON.stringify(before) === JSON.stringify(this.given)) return;
    for (const n of new Set([...before, ...this.given].map((one) => one.turn))) this.renew(n);
  }

  /** May turns be marked? Their heads show it when they are redrawn. */
  lock(locked) {
    if (locked === this.locked) return;
    this.locked = locked;
    if (locked) this.leave();
    else for (const { turn } of this.given) this.renew(turn);
  }

  /** Sends at once what is being typed, because its dialogue is being left. */
  leave() {
    if (this.late) this.#flush();
  }

  stop() {
    this.leave();
    this.outbox.stop();
  }

  #of(turn) {
    return this.given.filter((one) => one.turn === turn);
  }

  #name(mark) {
    return this.kinds.find((kind) => kind.id === mark)?.name ?? mark;
  }

  #head(turn) {
    const names = this.locked ? "" : this.#of(turn.n).map((one) => this.#name(one.mark)).join(", ");
    const open = el("button", {
      type: "button", class: "mlc-mark", "aria-expanded": String(!this.locked && turn.n === this.opened),
      onclick: (event) => this.#open(turn.n, false, event.detail > 0),
    }, bdi(turn.head), names && " ", names && el("strong", { text: names }),
      el("span", { class: "mlc-sign", "data-sign": names ? "Change" : "Mark" }));
    return el("h3", { class: "mlc-head", id: turn.anchor }, open);
  }

  #panel(turn) {
    if (this.locked || turn.n !== this.opened) return null;
    const fitting = this.kinds.filter((kind) => kind.turns.includes(turn.n));
    if (!fitting.length) return el("p", { class: "mlc-note", text: "There are no marks for this speaker." });
    const given = this.#of(turn.n);
    const pills = fitting.map((kind, at) => el("button", {
      type: "button", class: "mlc-pill", title: kind.hint, "aria-keyshortcuts": this.byKeys && String(at + 1),
      "aria-pressed": String(given.some((one) => one.mark === kind.id)), onclick: (event) => this.#toggle(turn.n, kind.id, event.detail > 0),
    }, this.byKeys ? el("kbd", { text: String(at + 1), "aria-hidden": "true" }) : null, this.byKeys ? " " : null, kind.name));
    return el("div", { class: this.byKeys ? "mlc-panel is-by-keys" : "mlc-panel", role: "group", "aria-label": `Marks of ${turn.head}` },
      el("div", { class: "mlc-pills" }, pills), given.map((one) => this.#comment(one)));
  }

  #comment(one) {
    const label = `${this.#name(one.mark)}: why`;
    const field = el("input", {
      type: "text", class: "mlc-why", "aria-label": label, placeholder: label, maxlength: 2000, value: one.comment,
    });
    field.addEventListener("input", () => this.#write(one, field.value));
    field.addEventListener("change", () => this.leave());
    return field;
  }

  /**
   * Opens the marks of the next turn (`by` 1) or the previous (-1) that has any, from the open one or, if
   * none is, from turn `first` on. Returns why it did not; "" if it did.
   */
  step(by, first) {
    if (this.locked) return "the next item is not here yet";
    const markable = [...new Set(this.kinds.flatMap((kind) => kind.turns))].sort((a, b) => a - b);
    const to = by < 0 ? markable.findLast((n) => n < (this.opened || first))
      : markable.find((n) => (this.opened ? n > this.opened : n >= first));
    if (to === undefined) return `there is no ${by < 0 ? "earlier" : "later"} turn to mark`;
    this.#open(to, true);
    const turn = document.querySelector(`.mlc-turn[data-turn="${to}"]`);
    turn.querySelector(".mlc-pill").focus({ preventScroll: true });
    turn.scrollIntoView({ block: "nearest" });
    return "";
  }

  /** Gives the open turn its mark with this number, or takes it off. Returns why not; "" if it did. */
  press(number) {
    const fitting = this.kinds.filter((kind) => kind.turns.includes(this.opened));
    const kind = fitting[number - 1];
    if (!kind) return `this turn has the marks 1 to ${fitting.length}`;
    this.#toggle(this.opened, kind.id);
    return "";
  }

  /** Closes the open turn's marks; keys are the form's again. */
  close() {
    if (!this.opened) return;
    this.#open(this.opened, false);
    document.activeElement.blur();
  }

  /** A press by the pointer leaves no focus on a button, so that Enter is not the button's next. */
  #open(n, byKeys, byPointer = false) {
    if (this.locked) return;
    this.byKeys = byKeys;
    const before = this.opened;
    this.opened = before === n ? 0 : n;
    if (before) this.renew(before);
    if (this.opened) this.renew(n);
    if (!byPointer) document.querySelector(`.mlc-turn[data-turn="${n}"] .mlc-mark`)?.focus();
  }

  #toggle(turn, mark, byPointer = false) {
    if (this.locked) return;
    const without = this.given.filter((one) => one.turn !== turn || one.mark !== mark);
    const added = without.length < this.given.length ? [] : [{ turn, mark, comment: "" }];
    this.given = [...without, ...added].sort((a, b) => a.turn - b.turn);
    this.renew(turn);
    const pills = document.querySelectorAll(`.mlc-turn[data-turn="${turn}"] .mlc-pill`);
    if (!byPointer) pills[this.kinds.filter(({ turns }) => turns.includes(turn)).findIndex(({ id }) => id === mark)]?.focus();
    this.#flush();
  }

  #write(one, comment) {
    this.given = this.given.map((other) => (other.turn === one.turn && other.mark === one.mark ? { ...other, comment } : other));
    clearTimeout(this.late);
    this.late = setTimeout(() => this.#flush(), TYPING);
  }

  #flush() {
    clearTimeout(this.late);
    this.late = 0;
    const { outbox, key, given: marks, session, rev: base } = this;
    if (outbox.open?.key === key) outbox.open.marks = marks;
    else outbox.put({ key, marks, session, base });
  }
}
