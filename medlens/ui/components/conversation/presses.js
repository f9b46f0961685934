// Keys that judge, in the order in which they were pressed. As hidden buttons of Streamlit, keys that
// come while the server is at work reach it the last one first: 7 8 would rate doctor 8, patient 7.
// A press belongs to the item that was shown, and is sent until the server has taken it.

import { el, plainKey } from "../shared/dom.js";

const MOST = 100; // waiting; more are not heard
const GAP = 1000; // ms in which Streamlit may mount anew what it has taken away

let leaving = null; // taken away, and still listening: the next one goes on where it stopped

export class Presses {
  constructor(parent) {
    leaving?.stop();
    const { data = null, waiting = [], last = 0 } = leaving ?? {};
    Object.assign(this, { data, waiting, last });
    this.gone = false;
    leaving = null;
    this.node = el("div", { class: "mlc-presses", hidden: true });
    parent.append(this.node);
    this.listening = new AbortController();
    window.addEventListener("keydown", (event) => this.#heard(event), { capture: true, signal: this.listening.signal });
  }

  destroy() {
    this.node.remove();
    this.gone = true;
    this.path = location.pathname;
    leaving = this;
    setTimeout(() => {
      if (leaving !== this) return;
      this.stop();
      leaving = null;
    }, GAP);
  }

  stop() {
    this.listening.abort();
  }

  update(data, send) {
    const session = this.data?.session ?? data.session;
    const first = !this.send;
    this.data = data;
    this.send = send;
    this.last = Math.max(this.last, data.taken);
    if (session === data.session) {
      this.waiting = this.waiting.filter((press) => press.n > data.taken);
      if (first && this.waiting.length) this.#send(); // pressed while nothing was mounted
    } else if (this.waiting.length) {
      this.#send(); // a server that was started anew has not heard of them
    }
  }

  #heard(event) {
    const key = plainKey(event);
    if (!this.data?.keys.includes(key) || event.repeat) return;
    if (this.gone && location.pathname !== this.path) return;
    const control = event.target instanceof Element && event.target.closest("button, a, summary");
    if (key === "Enter" && control) return; // it presses what has the focus
    // On the way to another dialogue nothing is judged.
    if (document.querySelector(".mlc.is-turning")) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.waiting.length >= MOST) return;
    // The page is drawn from its top: the conversation may be another one already.
    const item = document.querySelector(".mlc-talk")?.dataset.item || this.data.item;
    this.last += 1;
    this.waiting.push({ n: this.last, item, key });
    if (!this.gone) this.#send();
  }

  #send() {
    this.send({ session: this.data.session, presses: this.waiting });
  }
}
