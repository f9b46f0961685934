// Time on an item: active while the page is visible and was used in the last minute, else idle.

const STILL = 60_000;
const TICK = 1000;

export class Clock {
  constructor(ontick) {
    this.ontick = ontick;
    this.timer = setInterval(() => this.#tick(), TICK);
    this.touched = performance.now();
    this.start({});
  }

  /** Starts counting for a new item; `told` holds the earlier times that the server knows. */
  start(told) {
    this.elsewhere = told.session_seconds ?? 0;
    this.before = { active: told.item_seconds ?? 0, idle: told.item_idle_seconds ?? 0 };
    this.active = 0;
    this.idle = 0;
    this.last = performance.now();
    this.touched = this.last;
  }

  touch() {
    this.#count();
    this.touched = performance.now();
  }

  #count() {
    const now = performance.now();
    const used = document.visibilityState === "visible" ? Math.max(0, this.touched + STILL - this.last) : 0;
    const active = Math.min(now - this.last, used);
    this.active += active;
    this.idle += now - this.last - active;
    this.last = now;
  }

  #tick() {
    this.#count();
    this.ontick();
  }

  /** All the time on this item in seconds, earlier sessions included. */
  seconds() {
    this.#count();
    const tenths = (before, now) => Math.round(10 * before + now / 100) / 10;
    return { active: tenths(this.before.active, this.active), idle: tenths(this.before.idle, this.idle) };
  }

  words() {
    const here = this.before.active + this.active / 1000;
    const minutes = (seconds) => Math.floor(seconds / 60);
    return `${minutes(here)} min on this item, ${minutes(this.elsewhere + here)} in all`;
  }

  stop() {
    clearInterval(this.timer);
  }
}
