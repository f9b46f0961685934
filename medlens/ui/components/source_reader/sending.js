// Getting every change to the server, and telling the truth about it.
//
// One message is under way at a time; what changes meanwhile goes with the next one, which builds on
// the revision that the first one made. A message is repeated with the same token until it is
// answered, so a lost answer never makes a second judgment.

import { newToken } from "../shared/dom.js";

const PATIENCE = 3000; // ms without an answer before we say so
const REPEAT = [2000, 2000, 4000, 6000, 10000]; // ms between repeats, the last one again and again
const PASSING = 4000; // ms until a store that is full or away is tried again

const WAITING = { draft: "saving…", submit: "submitting…", skip: "skipping…", flag: "flagging…", reveal: "looking…" };
const DONE = { submit: "submitted", skip: "skipped", flag: "flagged", reveal: "shown" };
const NOT_ANSWERING = "not saved: the server does not answer. Your answer is kept here and will be sent again.";

export class Sending {
  /**
   * `compose()` gives {rater, item, sources, base, body} of the item that the server has put up.
   * `on.status(kind, text)`, `on.saved(message, ack)`, `on.refused(words, message)`,
   * `on.newer(message, newer)`, `on.unanswered()`.
   */
  constructor(compose, on) {
    Object.assign(this, { compose, on, hand: () => {}, flight: null, changed: false, next: null, late: 0 });
  }

  get busy() {
    return Boolean(this.flight || this.changed || this.next);
  }

  /** The action that is under way or waits to be, other than saving; "" for none. */
  get moving() {
    const action = this.next?.action ?? this.flight?.action ?? "draft";
    return action === "draft" ? "" : action;
  }

  draft(wait = 0) {
    this.changed = true;
    clearTimeout(this.late);
    this.late = 0;
    if (!this.flight) this.on.status("saving", "saving…");
    if (wait) this.late = setTimeout(() => this.flush(), wait);
    else this.flush();
  }

  move(action, reason = "") {
    this.next = { action, reason };
    this.flush();
  }

  flush() {
    clearTimeout(this.late);
    this.late = 0;
    if (this.flight || !(this.changed || this.next)) return;
    const { action, reason } = this.next ?? { action: "draft", reason: "" };
    this.flight = { token: newToken(), ...this.compose(), action, reason, attempt: 1 };
    this.changed = false;
    this.next = null;
    this.on.status("saving", WAITING[action] ?? "going on…");
    this.#launch(PATIENCE);
  }

  #launch(patience) {
    this.timer = setTimeout(() => {
      this.on.status("unsaved", NOT_ANSWERING);
      this.on.unanswered();
      this.#again();
    }, patience);
    // A connection that is down must not stop the clock that repeats the message.
    try {
      this.hand(this.flight);
    } catch (error) {
      console.warn("MedLens: the message could not be handed to the connection", error);
    }
  }

  #again() {
    if (!this.flight) return;
    this.flight = { ...this.flight, attempt: this.flight.attempt + 1 };
    this.#launch(REPEAT[Math.min(this.flight.attempt - 2, REPEAT.length - 1)]);
  }

  /** Takes the server's answer, where it is one to the message under way. */
  answer(ack) {
    const message = this.flight;
    if (!message || ack?.token !== message.token) return;
    clearTimeout(this.timer);
    if (ack.error?.passing) {
      // The store is full or away: the same message again, until it is there.
      this.on.status("unsaved", `not saved: ${ack.error.message} ${ack.error.hint}`.trim());
      this.on.unanswered();
      this.timer = setTimeout(() => this.#again(), PASSING);
      return;
    }
    this.flight = null;
    if (ack.newer) {
      this.changed = false;
      this.next = null;
      this.on.status("unsaved", "not saved: changed in another tab");
      this.on.newer(message, ack.newer);
      return;
    }
    if (ack.rev || !ack.error) this.on.saved(message, ack);
    if (ack.error) {
      this.next = null;
      // A submission against the rules is refused, but its answer is saved: then there is a revision.
      const what = ack.rev ? (DONE[message.action] ?? "done") : "saved";
      this.on.refused(`Not ${what}: ${ack.error.message} ${ack.error.hint}`.trim(), message);
      if (!ack.rev) this.on.status("unsaved", `not saved: ${ack.error.message}`);
    }
    this.flush();
  }

  /** Nothing of the item waits any more: another one has been put up. */
  leave() {
    clearTimeout(this.late);
    this.late = 0;
    this.changed = false;
    this.next = null;
  }

  stop() {
    this.leave();
    clearTimeout(this.timer);
    this.flight = null;
  }
}
