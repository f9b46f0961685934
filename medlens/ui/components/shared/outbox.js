// Sends messages to the server: one at a time, repeated until the server has accepted it.
// Streamlit may lose a message if another one arrives just as it starts to listen.

import { newToken } from "./dom.js";

const PATIENCE = 3000; // ms without an answer before we say so
const REPEAT = [2000, 2000, 4000, 6000, 10_000]; // ms between repeats, the last one again and again
const boxes = new Map(); // the last one of each name

export class Outbox {
  /** `onlate(late)` is called when the server stops answering, and when it answers again. */
  constructor(onlate = () => {}) {
    Object.assign(this, { onlate, waiting: [], send: () => {}, timer: 0, name: "" });
  }

  /**
   * The component is on the page. `again` sends what the previous one of this name had not sent: that
   * one has gone or is about to go, because Streamlit mounts the new one before it removes the old.
   */
  begin(name) {
    const before = boxes.get(name);
    before?.stop();
    this.name = name;
    this.waiting = before?.waiting ?? [];
    boxes.set(name, this);
  }

  /** The last message, if it has not been sent yet and can still be changed. */
  get open() {
    return this.waiting.length > 1 ? this.waiting.at(-1) : null;
  }

  put(message) {
    this.waiting.push({ token: newToken(), attempt: 1, ...message });
    if (this.waiting.length === 1) (boxes.get(this.name) ?? this).#launch(PATIENCE);
  }

  /** The server has accepted the message with this token. */
  taken(token) {
    if (!token || this.waiting[0]?.token !== token) return;
    clearTimeout(this.timer);
    this.waiting.shift();
    this.onlate(false);
    if (this.waiting.length) this.#launch(PATIENCE);
  }

  /** The server does not know the message under way, because it or the component was restarted. */
  again() {
    if (!this.waiting.length) return;
    clearTimeout(this.timer);
    this.#repeat();
  }

  /** The server cannot accept the message now: it is sent again after this many ms. */
  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#repeat(), wait);
  }

  stop() {
    clearTimeout(this.timer);
  }

  #launch(patience) {
    this.timer = setTimeout(() => {
      this.onlate(true);
      this.#repeat();
    }, patience);
    // A broken connection must not stop the timer that repeats the message.
    try {
      this.send(this.waiting[0]);
    } catch (error) {
      console.warn("MedLens: the message could not be handed to the connection", error);
    }
  }

  #repeat() {
    const [first] = this.waiting;
    this.waiting[0] = { ...first, attempt: first.attempt + 1 };
    this.#launch(REPEAT[Math.min(first.attempt - 1, REPEAT.length - 1)]);
  }
}
