// Shows the next item as soon as its key or button is pressed: the page already holds it, out of
// sight, in one of two boxes. There is no form until the server has opened it, so that no key answers
// the item being left. Draws nothing itself.

import { afterPaint, plainKey } from "../shared/dom.js";

const BUTTONS = { j: ".st-key-settle-Next button:enabled", k: ".st-key-settle-Previous button:enabled" };
const BOX = ".st-key-settle-box-";
const PATIENCE = 10_000; // ms without an answer before the item being left comes back
const mounted = new WeakMap(); // mount point -> Turn; the default export is called on every change

class Turn {
  constructor() {
    this.leaving = 0;
    this.missed = ""; // a key pressed while an item was being left
    this.listening = new AbortController();
    const { signal } = this.listening;
    window.addEventListener("keydown", (event) => this.#heard(event), { capture: true, signal });
    document.addEventListener("click", ({ target }) => {
      const key = Object.keys(BUTTONS).find((one) => target.closest?.(BUTTONS[one]));
      if (key) this.#leave(key);
    }, { capture: true, signal });
  }

  destroy() {
    clearTimeout(this.leaving);
    this.listening.abort();
  }

  update(data) {
    this.data = data;
    clearTimeout(this.leaving);
    this.leaving = 0;
    this.#show(data.open);
    const key = this.missed;
    this.missed = "";
    // The buttons are drawn again first.
    if (key) setTimeout(() => this.#press(key));
  }

  #heard(event) {
    const key = plainKey(event);
    if (!BUTTONS[key]) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) this.#press(key);
  }

  #press(key) {
    const button = document.querySelector(BUTTONS[key]);
    if (this.leaving) this.missed = key;
    else if (button) {
      this.#leave(key);
      // What the press does to the page would hold up the next item.
      afterPaint(() => button.click());
    }
  }

  #leave(key) {
    if (this.leaving) return;
    const { open, ahead } = this.data;
    this.leaving = setTimeout(() => this.update(this.data), PATIENCE);
    const shown = this.#show(key === "j" && ahead ? 1 - open : open, true);
    if (shown?.getBoundingClientRect().top < 0) shown.scrollIntoView();
  }

  /** Shows one of the boxes, which it returns; while `leaving` without the form. */
  #show(open, leaving = false) {
    const [box, other] = [open, 1 - open].map((at) => document.querySelector(BOX + at)?.style);
    Object.assign(box ?? {}, { position: "static", visibility: "visible", opacity: 1 });
    Object.assign(other ?? {}, { position: "absolute", visibility: "hidden", opacity: 0 });
    const shown = document.querySelector(BOX + open);
    shown?.parentElement.closest(".st-key-among").toggleAttribute("data-leaving", leaving);
    return shown;
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
