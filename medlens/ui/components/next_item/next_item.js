// Shows the next item as soon as its key or button is pressed: the page already holds it, out of
// sight, in one of two boxes of each place. Nothing can be answered until the server has opened it, so
// that no key answers the item being left. Draws nothing itself.

import { afterPaint, plainKey } from "../shared/dom.js";
import { ORDER, listenToKeyboard, refuseKey, tellWhy } from "../shared/keyboard.js";

const PATIENCE = 10_000; // ms without an answer before the item being left comes back
const SEEN = { position: "static", visibility: "visible", opacity: 1 };
const AWAY = { position: "absolute", visibility: "hidden", opacity: 0 };
const AS_THE_PAGE_SAYS = { position: "", visibility: "", opacity: "" };
const mounted = new WeakMap(); // mount point -> Turn; the default export is called on every change

class Turn {
  constructor() {
    this.leaving = 0;
    this.missed = ""; // a key pressed while an item was being left
    this.listening = new AbortController();
    const { signal } = this.listening;
    listenToKeyboard(ORDER.nextItem, (event) => this.#heard(event), signal);
    document.addEventListener("click", ({ target }) => {
      const key = Object.keys(this.data.buttons).find((one) => target.closest?.(this.#button(one)));
      if (key) this.#leave(key);
    }, { capture: true, signal });
    // A form tells that its item is left, or still there; prevented means that another one is shown.
    document.addEventListener("medlens:leave", (event) => {
      const { detail } = event;
      // The form's item can be here before what is to follow it: the box beside it is another one's.
      if (detail.item !== this.data.item || !this.#leave(detail.way)) return;
      detail.to = this.data.ahead;
      event.preventDefault();
    }, { signal });
    document.addEventListener("medlens:stay", () => this.#stay(), { signal });
  }

  destroy() {
    clearTimeout(this.leaving);
    this.listening.abort();
  }

  update(data) {
    // A form's last answer may come back while its item is being left.
    const early = this.leaving && data.item === this.data.item && !Object.keys(data.buttons).length;
    this.data = data;
    if (data.scrolled) afterPaint(() => reachByKey(data.scrolled));
    if (!early) this.#stay();
  }

  #stay() {
    clearTimeout(this.leaving);
    this.leaving = 0;
    for (const at of [0, 1]) this.#set(at, AS_THE_PAGE_SAYS, false);
    const key = this.missed;
    this.missed = "";
    // The buttons are drawn again first.
    if (key) setTimeout(() => this.#press(key));
  }

  #button(key) {
    return `${this.data.buttons[key]} button:enabled`;
  }

  #heard(event) {
    const key = plainKey(event);
    const moves = key in this.data.buttons;
    // The form of the item that is being left is out of sight, with its keys.
    const early = this.leaving && Object.keys(this.data.buttons).length && /^([\p{L}\d]|Enter)$/u.test(key);
    if (!moves && !early) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (moves) this.#press(key);
    else refuseKey("the next item is not here yet");
  }

  #press(key) {
    const button = document.querySelector(this.#button(key));
    if (this.leaving && !this.missed) this.missed = key;
    else if (this.leaving) tellWhy(key, "wait for the item to open");
    else if (!button) tellWhy(key, `there is no ${key === "k" ? "previous" : "next"} item`);
    else {
      this.#leave(key);
      // What the press does to the page would hold up the next item.
      afterPaint(() => button.click());
    }
  }

  /** Shows the item ahead if this way leads to it; returns whether it does. */
  #leave(way) {
    if (this.leaving) return false;
    const { open, ways } = this.data;
    const turns = ways.includes(way);
    this.leaving = setTimeout(() => this.#stay(), PATIENCE);
    const shown = turns ? 1 - open : open;
    this.#set(1 - shown, AWAY);
    const [first] = this.#set(shown, SEEN);
    if (first?.getBoundingClientRect().top < 0) first.scrollIntoView();
    return turns;
  }

  #set(at, style, leaving = true) {
    const boxes = document.querySelectorAll(`[class*="st-key-box-${at}-"]`);
    for (const box of boxes) {
      Object.assign(box.style, style);
      box.closest('[class*="st-key-among"]').toggleAttribute("data-leaving", leaving);
    }
    return boxes;
  }
}

/** What scrolls in these places and has nothing in it to focus can itself be, to be read by keys. */
function reachByKey(places) {
  for (const node of document.querySelectorAll(places)) {
    const scrolls = /auto|scroll/.test(getComputedStyle(node).overflowY);
    if (scrolls && !node.querySelector("a[href], button, input, select, textarea, [tabindex]")) node.tabIndex = 0;
  }
}

export default function mount({ data, parentElement }) {
  const turn = mounted.get(parentElement) ?? new Turn();
  mounted.set(parentElement, turn);
  turn.update(data);
  return () => {
    turn.destroy();
    mounted.delete(parentElement);
  };
}
