// Sends every change of an answer to the server, and reports truthfully whether it is saved.
//
// One message is under way at a time; later changes go with the next one, which builds on the revision
// that the first one made. Whatever the server has not accepted is kept in this browser. If it differs
// from what the server has, the person is asked, in the same words at every desk.

import { afterPaint, clockTime } from "./dom.js";
import { kept } from "./kept.js";
import { Outbox } from "./outbox.js";

const PASSING = 4000; // ms until a store that is full or away is tried again
const WAITING = {
  draft: "saving…", submit: "submitting…", skip: "skipping…", flag: "flagging…", unflag: "taking the flag back…", reveal: "looking…",
  previous: "saving and going back…", next: "saving and going on…",
};
const DONE = { submit: "submitted", skip: "skipped", flag: "flagged", unflag: "taken back", reveal: "shown" };
const NOT_ANSWERING = "not saved: the server does not answer. Your answer is kept here and will be sent again.";

export class Saver {
  /**
   * `desk` does the drawing: `compose()` gives {rater, item, base, body, …} of the current item;
   * `show(body, rev)` shows an answer; `said(body)` puts it into words, `same(a, b)` compares two,
   * `valid(body)` checks one, and `words(at)` says what was saved then. It is notified by `status(kind, text, hint)`, `saved(message, ack)`,
   * `rest()` (nothing is under way), `refused(words, hint)` and `tell(words, actions)`. `name` keeps
   * its copies in the browser apart from those of others.
   */
  constructor(name, desk) {
    Object.assign(this, { name, desk, changed: false, next: null, late: 0, conflict: false });
    this.outbox = new Outbox((late) => late && desk.status("unsaved", NOT_ANSWERING));
  }

  get flight() {
    return this.outbox.waiting[0] ?? null;
  }

  get busy() {
    return Boolean(this.flight || this.changed || this.next || this.conflict);
  }

  /** The action under way or waiting, other than saving; "" if there is none. */
  get moving() {
    const action = this.next?.action ?? this.flight?.action ?? "draft";
    return action === "draft" ? "" : action;
  }

  draft(wait = 0) {
    this.keep(this.desk.compose());
    if (this.conflict) return;
    this.changed = true;
    clearTimeout(this.late);
    this.late = 0;
    if (!this.flight) this.desk.status("saving", WAITING.draft);
    if (wait) this.late = setTimeout(() => this.flush(), wait);
    else afterPaint(() => this.flush());
  }

  move(action, reason = "") {
    this.next = { action, reason };
    this.flush();
  }

  flush() {
    clearTimeout(this.late);
    this.late = 0;
    if (this.flight || this.conflict || !(this.changed || this.next)) return;
    const { action, reason } = this.next ?? { action: "draft", reason: "" };
    const composed = this.desk.compose();
    if (action !== "draft") this.keep(composed);
    this.changed = false;
    this.next = null;
    this.desk.status("saving", WAITING[action] ?? "going on…");
    this.outbox.put({ ...composed, action, reason });
  }

  /** Handles the server's answer, if it is one to the message under way. */
  answer(ack) {
    const message = this.flight;
    const { desk } = this;
    if (!message || ack?.token !== message.token) return;
    if (ack.error?.passing && !ack.rev) {
      // The store is full or unavailable: repeat the message until it is back.
      this.outbox.later(PASSING);
      desk.status("unsaved", `not saved: ${ack.error.message}`, ack.error.hint);
      return;
    }
    this.outbox.taken(ack.token);
    if (ack.newer) {
      if (message.item === desk.compose().item) this.ask(ack.newer);
      return;
    }
    if (ack.rev || !ack.error) this.#took(message, ack);
    if (ack.error) {
      this.next = null;
      // A submission that breaks the rules is refused, but its answer is saved as a revision.
      const what = ack.rev ? (DONE[message.action] ?? "done") : "saved";
      desk.refused(`Not ${what}: ${ack.error.message}`, ack.error.hint);
      if (!ack.rev) desk.status("unsaved", `not saved: ${ack.error.message}`, ack.error.hint);
    }
    this.flush();
  }

  #took(message, ack) {
    const { desk } = this;
    if (message.action === "flag") kept.drop(this.reasonKey(message));
    desk.saved(message, ack);
    if (this.changed) this.keep(desk.compose());
    else this.drop(message);
    // What a refused submission leaves is a draft, which "saved" alone would hide.
    const submits = message.action === "submit" && (ack.error ? "not submitted; draft saved" : "submitted");
    const at = ack.saved_at;
    if (ack.rev) desk.status("saved", submits ? `${submits} ${clockTime(at)}` : desk.words(at));
    else desk.rest();
  }

  /** Another item is shown, so nothing waits for this one. A message under way continues. */
  leave() {
    clearTimeout(this.late);
    Object.assign(this, { late: 0, changed: false, next: null, conflict: false });
  }

  stop() {
    this.leave();
    this.outbox.stop();
    this.outbox.waiting = [];
  }

  // ---- the answer here and the one on the server ----------------------------------------------

  #key({ rater, item }) {
    return `medlens:${this.name}${rater}:${item}`;
  }

  /** Where the reason of a flag is kept while it is being written, until the server has accepted it. */
  reasonKey(place) {
    return `${this.#key(place)}:flag`;
  }

  keep(composed) {
    const { base, body } = composed;
    kept.put(this.#key(composed), { base, body });
  }

  drop(place) {
    kept.drop(this.#key(place));
  }

  /** What an earlier page in this browser could not save for an item; null if nothing. */
  kept(place) {
    const found = kept.get(this.#key(place));
    return Number.isInteger(found?.base) && this.desk.valid(found.body) ? found : null;
  }

  /** Restores what an earlier page could not save; `held` is what the server has: {rater, item, rev, draft}. */
  restore(held) {
    const { desk } = this;
    const stored = this.kept(held);
    if (!stored) return;
    if (desk.same(stored.body, held.draft)) {
      this.drop(held);
    } else if (stored.base === held.rev) {
      desk.show(stored.body, held.rev);
      desk.tell("Unsaved work that this browser had kept is back, and is being saved now.");
      this.draft();
    } else {
      desk.show(stored.body, stored.base);
      this.ask(held);
    }
  }

  /** Somebody else saved: neither version is overwritten until the person chooses. */
  ask({ rev, draft, submitted = false }) {
    const { desk } = this;
    this.leave();
    this.conflict = true;
    this.keep(desk.compose());
    const done = submitted ? "submitted" : "changed";
    desk.status("unsaved", `not saved: ${done} in another tab`);
    const words = `Here: ${desk.said(desk.compose().body)}. There: ${desk.said(draft)}.`;
    const what = submitted ? "Submitted in another tab. Your version here is not saved."
      : "Changed in another tab. Your version here is not saved yet.";
    desk.tell(`${what} ${words}`, [
      ["Keep this version", () => {
        this.conflict = false;
        desk.show(desk.compose().body, rev);
        this.draft();
      }],
      ["Use the other tab's", () => {
        this.conflict = false;
        this.drop(desk.compose());
        desk.show(draft, rev);
        desk.rest();
      }],
    ]);
  }
}
