// The list and the open dialogue. A move at once shows what the server has sent ahead; the server's
// answer then decides. Until then nothing else on the page can be used (`is-turning`).

import { bdi, button, el, newToken, plainKey } from "../shared/dom.js";
import { ORDER, listenToKeyboard, refuseKey } from "../shared/keyboard.js";
import { List } from "./list.js";
import { Turns } from "./turns.js";

const PATIENCE = 10_000; // ms without an answer before the old view is back

export class Reader {
  constructor(parent) {
    this.data = null;
    this.moving = null; // the move under way: {dialogue, page, token, timer}
    this.list = new List({ open: (name) => this.#go(name, this.at.page), turn: (by) => this.#turn(by) });
    this.turns = new Turns();
    this.back = button("Previous", "K", () => this.#step(-1));
    this.next = button("Next", "J", () => this.#step(1));
    this.name = el("strong", { "aria-live": "polite" });
    this.place = el("span", { class: "mlc-faint" });
    this.facts = el("p", { class: "mlc-facts" });
    this.scroll = el("div", { class: "mlc-scroll", tabindex: "0", role: "region", "aria-label": "Dialogue" }, this.turns.box);
    this.said = el("p", { class: "mlc-notice", role: "status" });
    const close = button("List", "Esc", () => this.#go("", this.at.page));
    this.read = el("section", { class: "mlc-read", "aria-label": "Reading" },
      el("div", { class: "mlc-line" }, close, this.back, this.next, this.name, this.place), this.facts, this.scroll);
    this.wrap = el("div", { class: "mlc mlc-reader" }, this.said, this.list.node, this.read);
    this.wrap.style.opacity = 0; // until the rules are here
    parent.append(this.wrap);
    this.listening = new AbortController();
    listenToKeyboard(ORDER.conversation, (event) => this.#heard(event), this.listening.signal);
  }

  destroy() {
    this.listening.abort();
    clearTimeout(this.moving?.timer);
    this.wrap.remove();
  }

  update(data, send) {
    this.data = data;
    this.send = send;
    // Ignore answers to earlier moves.
    if (this.moving && data.ack !== this.moving.token) return;
    this.#settle("");
  }

  #settle(said) {
    clearTimeout(this.moving?.timer);
    this.moving = null;
    this.said.textContent = said;
    const { page, reading } = this.data;
    this.#show({ dialogue: reading?.name ?? "", page });
  }

  // ---- moves ------------------------------------------------------------------------------

  #turn(by) {
    const page = this.at.page + by;
    if (page >= 0 && page <= this.data.last) this.#go("", page);
    else refuseKey(`there is no ${by > 0 ? "next" : "previous"} page`);
  }

  #step(by) {
    const name = this.#neighbour(by);
    if (name) this.#go(name, this.at.page);
    else refuseKey(`there is no ${by > 0 ? "next" : "previous"} dialogue on this page of the list`);
  }

  #neighbour(by) {
    const names = this.data.pages[this.at.page]?.names ?? [];
    const at = names.indexOf(this.at.dialogue);
    return at < 0 ? "" : (names[at + by] ?? "");
  }

  #go(dialogue, page) {
    if (dialogue === this.at.dialogue && page === this.at.page) return;
    clearTimeout(this.moving?.timer);
    const token = newToken();
    const timer = setTimeout(() => this.#settle("The server does not answer. Nothing was changed; try again."), PATIENCE);
    this.moving = { dialogue, page, token, timer };
    this.#show({ dialogue, page });
    this.send({ token, dialogue, page });
  }

  #heard(event) {
    if (!this.data || !this.wrap.offsetParent) return;
    const key = plainKey(event);
    const reading = Boolean(this.at.dialogue);
    const move = { j: 1, k: -1 }[key];
    if (move) (reading ? this.#step(move) : this.#turn(move));
    else if (key === "Escape" && reading) this.#go("", this.at.page);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- drawing ----------------------------------------------------------------------------

  #show({ dialogue, page }) {
    const { data } = this;
    const before = this.at;
    this.at = { dialogue, page };
    this.wrap.classList.toggle("is-reading", Boolean(dialogue));
    this.wrap.classList.toggle("is-list", !dialogue);
    this.wrap.classList.toggle("is-turning", Boolean(this.moving));
    if (dialogue) this.#showDialogue(dialogue);
    else this.turns.show("", []);
    if (!dialogue && data.pages[page]) this.list.show(data, data.pages[page], page);
    this.#focus(before);
  }

  #showDialogue(name) {
    const { data } = this;
    const settled = data.reading?.name === name ? data.reading : null;
    const names = data.pages[this.at.page]?.names ?? [];
    const at = names.indexOf(name);
    this.name.textContent = name;
    this.place.textContent = at < 0 ? "" : `${at + 1} of ${names.length} on this page`;
    this.back.disabled = !this.#neighbour(-1);
    this.next.disabled = !this.#neighbour(1);
    const facts = settled?.facts ?? [];
    this.facts.replaceChildren(...facts.map(([text, strong]) => (strong ? el("strong", {}, bdi(text)) : bdi(text))));
    this.facts.hidden = Boolean(settled?.waits);
    this.scroll.hidden = Boolean(settled?.waits);
    this.turns.show(name, settled?.turns ?? data.ahead[name] ?? []);
  }

  /** Scrolls to what is new, and moves the focus there unless it is elsewhere on the page. */
  #focus(before) {
    if (!before || before.dialogue === this.at.dialogue) return;
    if (this.at.dialogue) this.wrap.closest('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    const now = document.activeElement;
    if (!now?.contains(this.wrap) && !this.wrap.contains(now)) return;
    if (!before.dialogue) this.scroll.focus({ preventScroll: true });
    else if (!this.at.dialogue) this.list.focus(before.dialogue);
  }
}
