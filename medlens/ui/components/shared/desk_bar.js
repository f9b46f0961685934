// The one bar at the foot of a desk: Previous · Next · place in the queue · saved · Flag · Skip · Submit,
// and above them, in the same bar, what is missing. Desks that are made of Streamlit's own buttons have
// the same bar from desk_bar.py; both take their look from desk_bar.css.

import { el } from "./dom.js";

/** Name, title, key that is shown, key as assistive technology names it. */
const BUTTONS = [
  ["previous", "Previous", "K", "K"],
  ["next", "Next", "J", "J"],
  ["flag", "Flag", "F", "F"],
  ["skip", "Skip", "S", "S"],
  ["submit", "Submit", "Enter", "Enter Control+Enter"],
];

export class DeskBar {
  /** `on[name]()` is called for each button; `above` is a node for what must be seen before going on. */
  constructor(on, above) {
    this.buttons = Object.fromEntries(BUTTONS.map(([name, title, key, shortcut]) => {
      const node = el("button", { type: "button", class: `mdb-btn mdb-${name}`, "aria-keyshortcuts": shortcut, onclick: () => on[name]() },
        title, " ", el("kbd", { text: key, "aria-hidden": "true" }));
      // A press does not move the focus, so that the keys keep working where they did.
      node.addEventListener("mousedown", (event) => event.preventDefault());
      return [name, node];
    }));
    this.place = el("span", { class: "mdb-place" });
    this.state = el("span", { class: "mdb-state" });
    this.saved = el("span", { class: "mdb-saved", role: "status", "aria-live": "polite" });
    const { previous, next, flag, skip, submit } = this.buttons;
    above.classList.add("mdb-above");
    this.node = el("footer", { class: "mdb", role: "toolbar", "aria-label": "Desk" }, above, previous, next,
      el("span", { class: "mdb-words" }, this.place, this.state), this.saved, flag, skip, submit);
  }

  /**
   * `place` and `state` in words, the titles of the main button and of Flag, the names of buttons that cannot be
   * pressed now, and of those that the desk does not have.
   */
  update({ place, state = "", submit = "Submit", flag = "Flag", off = [], without = [] }) {
    this.place.textContent = place;
    this.state.textContent = state;
    this.buttons.submit.firstChild.textContent = submit;
    this.buttons.flag.firstChild.textContent = flag;
    for (const [name, node] of Object.entries(this.buttons)) {
      node.disabled = off.includes(name);
      node.hidden = without.includes(name);
    }
  }

  /** `kind`: "saved", "saving", "unsaved" or "idle". */
  tellSaved(kind, text, hint = "") {
    this.saved.dataset.kind = kind;
    this.saved.textContent = text;
    this.saved.title = hint;
  }
}
