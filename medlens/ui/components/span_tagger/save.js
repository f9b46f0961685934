// Getting every change to the server, and telling the truth about it.
//
// One message is under way at a time; what changes meanwhile goes with the next one, which builds on
// the revision that the first one made. A message is repeated with the same token until it is
// acknowledged, so a lost answer never makes a second judgment. What has not been acknowledged also
// lies in this browser's storage, by rater and item.

import { newToken } from "../shared/dom.js";
import { afterPaint } from "./surface.js";

const PATIENCE = 3000; // ms without an answer before we say so
const REPEAT = [2000, 2000, 4000, 6000, 10000]; // ms between repeats, the last one again and again
const PASSING = 4000; // ms until a store that is full or away is tried again
const kept = new Map(); // the same as localStorage, for browsers that refuse it

export const NOT_ANSWERING =
  "the server does not answer. Your marks are kept here and will be sent again.";

export const backup = {
  key: (rater, item) => `medlens:${rater}:${item}`,
  put(rater, item, value) {
    kept.set(this.key(rater, item), value);
    try {
      localStorage.setItem(this.key(rater, item), JSON.stringify(value));
    } catch {
      // Storage is full or refused: the copy in `kept` serves as long as the page is open.
    }
  },
  get(rater, item) {
    const key = this.key(rater, item);
    let stored = null;
    try {
      stored = JSON.parse(localStorage.getItem(key));
    } catch {
      stored = null;
    }
    const value = stored ?? kept.get(key) ?? null;
    return value && Number.isInteger(value.base) && Array.isArray(value.body?.spans) ? value : null;
  },
  drop(rater, item) {
    kept.delete(this.key(rater, item));
    try {
      localStorage.removeItem(this.key(rater, item));
    } catch {
      // Refused storage holds nothing to remove.
    }
  },
};

export class Saver {
  /**
   * `compose(item)` gives {rater, item, base, body, seconds} of what is on the page now;
   * `on.status({kind, text, hint})`, `on.refused(message, error, kept)`, `on.newer(message, newer)`.
   */
  constructor({ compose, on }) {
    this.compose = compose;
    this.on = on;
    this.send = () => {};
    this.flight = null; // the message under way: {message, since, timer}
    this.changed = false; // is there something newer than the message under way?
    this.next = null; // a navigation that waits for the draft before it
    this.late = 0; // the timer of typing
    this.status = { kind: "idle", text: "", hint: "" };
  }

  get busy() {
    return Boolean(this.flight || this.changed || this.next || this.late);
  }

  /** Is a submit, skip or move under way? Marking waits for it. */
  get moving() {
    const action = this.next?.action ?? this.flight?.message.action ?? "draft";
    return action === "draft" ? "" : action;
  }

  draft({ wait = 0 } = {}) {
    const { rater, item, base, body } = this.compose();
    backup.put(rater, item, { base, body });
    this.changed = true;
    clearTimeout(this.late);
    this.late = 0;
    if (!(this.flight && this.status.kind === "unsaved")) this.#tell("saving", "saving…");
    if (wait) {
      this.late = setTimeout(() => this.flush(), wait);
    } else {
      afterPaint(() => this.flush());
    }
  }

  move(action, reason = "") {
    this.next = { action, reason };
    this.flush();
  }

  flush() {
    clearTimeout(this.late);
    this.late = 0;
    if (this.flight || !(this.changed || this.next)) return;
    const { rater, item, base, body, seconds } = this.compose();
    const action = this.next?.action ?? "draft";
    const message = {
      token: newToken(), rater, item, base, action, body, reason: this.next?.reason ?? "", seconds, attempt: 1,
    };
    if (action !== "draft") backup.put(rater, item, { base, body });
    this.changed = false;
    this.next = null;
    this.flight = { message, since: Date.now(), timer: 0 };
    this.#tell("saving", action === "draft" ? "saving…" : WAITING[action]);
    this.#launch(PATIENCE);
  }

  #launch(patience) {
    const { flight } = this;
    flight.timer = setTimeout(() => this.#repeat(), patience);
    // A connection that is down must not stop the clock that repeats the message.
    try {
      this.send(flight.message);
    } catch (error) {
      console.warn("MedLens: the message could not be handed to the connection", error);
    }
  }

  #repeat() {
    if (!this.flight) return;
    this.#tell("unsaved", `not saved: ${NOT_ANSWERING}`);
    this.#again();
  }

  #again() {
    const { flight } = this;
    if (!flight) return;
    flight.message = { ...flight.message, attempt: flight.message.attempt + 1 };
    this.#launch(REPEAT[Math.min(flight.message.attempt - 2, REPEAT.length - 1)]);
  }

  /** Takes the server's answer; true when it was for the message under way. */
  answer(ack) {
    const { flight } = this;
    if (!ack || !flight || ack.token !== flight.message.token) return false;
    clearTimeout(flight.timer);
    this.flight = null;
    const { message } = flight;
    if (ack.newer) {
      this.changed = false;
      this.next = null;
      this.#tell("unsaved", "not saved: changed in another window");
      this.on.newer(message, ack.newer);
      return true;
    }
    if (ack.error) {
      this.next = null;
      // A submission against the rules is refused, but its marks are saved: then there is a revision.
      const kept = ack.rev > 0;
      if (ack.error.passing && !kept) {
        // The store is full or away: the same message again, until it is there.
        this.next = message.action === "draft" ? null : this.next;
        this.flight = flight;
        this.#tell("unsaved", `not saved: ${ack.error.message}`, ack.error.hint);
        flight.timer = setTimeout(() => this.#again(), PASSING);
        return true;
      }
      if (kept) this.#kept(message, ack);
      else this.#tell("unsaved", `not saved: ${ack.error.message}`, ack.error.hint);
      this.on.refused(message, ack.error, kept);
      if (this.changed) this.flush();
      return true;
    }
    this.#kept(message, ack);
    this.flush();
    return true;
  }

  #kept(message, ack) {
    this.on.saved(message, ack.rev);
    if (!this.changed) backup.drop(message.rater, message.item);
    this.#tell("saved", `saved ${clockTime(ack.saved_at)}`);
  }

  /** Forgets what waits for an item that has left the page; a message under way is still repeated. */
  leave() {
    clearTimeout(this.late);
    this.late = 0;
    this.changed = false;
    this.next = null;
  }

  stop() {
    this.leave();
    clearTimeout(this.flight?.timer);
    this.flight = null;
  }

  show(kind, text, hint = "") {
    this.#tell(kind, text, hint);
  }

  #tell(kind, text, hint = "") {
    this.status = { kind, text, hint };
    this.on.status(this.status);
  }
}

const WAITING = {
  submit: "submitting…",
  skip: "skipping…",
  flag: "flagging…",
  previous: "saving and going back…",
  next: "saving and going on…",
};

/** "14:02:11" as it is; a UTC timestamp as the time on this person's clock. */
export function clockTime(saved) {
  if (!saved || /^\d\d:\d\d(:\d\d)?$/.test(saved)) return saved ?? "";
  const at = new Date(saved);
  return Number.isNaN(at.getTime()) ? saved : at.toLocaleTimeString("en-GB");
}
