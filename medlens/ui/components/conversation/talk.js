// A conversation by itself, for reading or for its rater to mark. The page's own button or key at once
// shows the next one, which the server has sent ahead. Until the server has opened it, nothing on the
// page can be used (`is-turning`) and only these keys and the flag's work; the form keeps the flag's
// until the next one is there.

import { el, isTextField, plainKey } from "../shared/dom.js";
import { ORDER, listenToKeyboard, refuseKey, tellWhy } from "../shared/keyboard.js";
import { OPEN_MARKS } from "../shared/passages.js";
import { Marks } from "./marks.js";
import { Turns } from "./turns.js";

const FLAG = "f";
const MARK = "t";
const LINE = 24; // px: a turn of which less is in sight has been read
const PATIENCE = 10_000; // ms without an answer before the old dialogue is back

const refused = (why) => why && refuseKey(why);

export class Talk {
  constructor(parent) {
    this.data = null;
    this.turning = null; // the move under way: {timer}
    this.marks = new Marks();
    this.turns = null;
    this.wrap = el("div", { class: "mlc mlc-talk" });
    this.wrap.style.opacity = 0; // until the rules are here
    parent.append(this.wrap);
    this.listening = new AbortController();
    const { signal } = this.listening;
    listenToKeyboard(ORDER.conversation, (event) => this.#heard(event), signal);
    document.addEventListener("click", (event) => this.#pressed(event), { capture: true, signal });
  }

  destroy() {
    this.listening.abort();
    clearTimeout(this.turning?.timer);
    this.marks.stop();
    this.wrap.remove();
  }

  update(data, send) {
    const fresh = data.key !== this.data?.key;
    this.data = data;
    if (!this.turns) {
      this.turns = new Turns(data.marking ? this.marks.parts : {});
      this.marks.renew = (n) => this.turns.renew(n);
      this.wrap.append(this.turns.box);
    }
    if (data.marking) this.marks.update(data.marking, data.key, send);
    const before = fresh ? 0 : this.turns.turns.length;
    if (fresh || !this.turning) this.#settle();
    if (data.follow && data.turns.length > before) this.#follow();
  }

  /** In a conversation under way, scroll to what was said last. */
  #follow() {
    requestAnimationFrame(() => {
      const last = this.turns.box.lastElementChild;
      const sight = last?.closest('[class*="st-key-play-talk"]')?.clientHeight ?? innerHeight;
      // A turn longer than the window is read from its beginning.
      last?.scrollIntoView({ block: last.offsetHeight > sight ? "start" : "nearest" });
    });
  }

  #settle() {
    clearTimeout(this.turning?.timer);
    this.turning = null;
    this.wrap.classList.remove("is-turning");
    this.#show(this.data.key, this.data.turns);
    this.marks.lock(false);
  }

  #heard(event) {
    const key = plainKey(event);
    if (this.data?.marking && this.wrap.offsetParent && this.#ofMarks(key, event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (!key || !this.data?.ahead || !this.wrap.offsetParent) return;
    const move = this.data.ahead.moves.find((one) => one.key === key);
    // Press the button here, so whatever is shown ahead has always been requested: Streamlit drops
    // keys while it redraws the page.
    const button = move && document.querySelector(`.${CSS.escape(move.button)} button:enabled`);
    if (!button && (key === FLAG || !(this.turning && (key.length === 1 || key === "Enter")))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tellWhy(key, this.turning ? "the next item is not here yet" : "");
    if (!this.turning) button.click();
  }

  /** Takes the key if it opens a turn's marks or is one of those that are open. */
  #ofMarks(key, event) {
    const within = event.target.closest?.(OPEN_MARKS);
    if (key !== MARK && !(within && /^(\d|Escape)$/.test(key))) return false;
    if (this.turning) tellWhy(key, "the next item is not here yet");
    else if (key === MARK) refused(this.marks.step(event.shiftKey ? -1 : 1, this.#firstInSight()));
    else if (key === "Escape") this.marks.close();
    else refused(this.marks.press(Number(key)));
    return true;
  }

  /** The number of the first turn whose words are in sight. */
  #firstInSight() {
    const { box } = this.turns;
    const top = Math.max(0, box.closest('[class*="st-key-scroll-"]')?.getBoundingClientRect().top ?? 0);
    const first = [...box.children].find((one) => one.getBoundingClientRect().bottom > top + LINE);
    return Number(first?.dataset.turn ?? 0);
  }

  #pressed({ target }) {
    const button = target instanceof Element && target.closest("button:enabled");
    if (!button || isTextField(target)) return;
    const move = this.data?.ahead?.moves.find((one) => button.closest(`.${CSS.escape(one.button)}`));
    if (move) this.#ahead(move);
  }

  #ahead({ to }) {
    const turns = this.data.ahead.turns[to];
    if (!turns || this.turning) return;
    this.turning = { timer: setTimeout(() => this.#settle(), PATIENCE) };
    this.marks.lock(true);
    this.wrap.classList.add("is-turning");
    this.#show(to, turns);
  }

  /** Shows a conversation, and tells the page which one the judging keys refer to. */
  #show(key, turns) {
    this.wrap.dataset.item = key;
    this.turns.show(key, turns);
    document.dispatchEvent(new Event("medlens:shown"));
  }
}
