// What is told to the server: one message at a time, and again until the server has taken it.
// Streamlit may lose a message, when another one comes in the moment in which it begins to hear it.

import { newToken } from "./dom.js";

const PATIENCE = 3000; // ms without an answer before we say so
const REPEAT = [2000, 2000, 4000, 6000, 10_000]; // ms between repeats, the last one again and again
const boxes = new Map(); // the last one of each name

export class Outbox {
  /** `onlate(late)` is told that the server does not answer, and that it does again. */
  constructor(onlate = () => {}) {
    Object.assign(this, { onlate, waiting: [], send: () => {}, timer: 0, name: "" });
  }

  /**
   * Its component is on the page. What the last one of this name had not told is told by `again`: that
   * one has left, or will in a moment, since Streamlit puts up what is new before it takes down the old.
   */
  begin(name) {
    const before = boxes.get(name);
    before?.stop();
    this.name = name;
    this.waiting = before?.waiting ?? [];
    boxes.set(name, this);
  }

  /** The last message, where it is not under way yet: it can still be changed. */
  get open() {
    return this.waiting.length > 1 ? this.waiting.at(-1) : null;
  }

  put(message) {
    this.waiting.push({ token: newToken(), attempt: 1, ...message });
    if (this.waiting.length === 1) (boxes.get(this.name) ?? this).#launch(PATIENCE);
  }

  /** The server has taken the message of this token. */
  taken(token) {
    if (!token || this.waiting[0]?.token !== token) return;
    clearTimeout(this.timer);
    this.waiting.shift();
    this.onlate(false);
    if (this.waiting.length) this.#launch(PATIENCE);
  }

  /** The server has not heard of what is under way: it was started anew, or the component was. */
  again() {
    if (!this.waiting.length) return;
    clearTimeout(this.timer);
    this.#repeat();
  }

  /** The server cannot take what is under way now: it is told again in so many ms. */
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
    // A connection that is down must not stop the clock that repeats the message.
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
