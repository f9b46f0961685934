// The turns of one conversation, one below another; unchanged turns are not redrawn.

import { bdi, el, onceStyled, ownAddress } from "../shared/dom.js";

function image({ label, src, href, on }) {
  if (src) {
    const picture = el("img", { src: ownAddress(src), alt: label, class: "mlc-image" });
    return el("figure", { class: "mlc-figure" }, picture, el("figcaption", { class: "mlc-note", text: label }));
  }
  if (!href) return el("p", { class: "mlc-note", text: label });
  const link = el("a", { class: "mlc-link", href, target: "_blank", rel: "noopener noreferrer" }, bdi(label));
  return el("p", { class: "mlc-note" }, link, ` on ${on}`);
}

function note({ text, strong, rest, bad }) {
  return el("p", { class: bad ? "mlc-note is-bad" : "mlc-note" }, bdi(text), strong && el("strong", {}, bdi(strong)), rest && bdi(rest));
}

function plainHead(turn) {
  const label = `Link to this turn: ${turn.head}`;
  const here = el("a", { class: "mlc-here", href: `#${turn.anchor}`, tabindex: "-1", "aria-label": label, text: "#" });
  return el("h3", { class: "mlc-head", id: turn.anchor }, bdi(turn.head), " ", here);
}

function draw(turn, head, after) {
  const said = turn.text ? el("p", { class: "mlc-text", dir: "auto", text: turn.text }) : el("p", { class: "mlc-note", text: "Says nothing." });
  const fold = turn.more && el("details", { class: "mlc-more" },
    el("summary", { text: turn.folded }), el("p", { class: "mlc-text", dir: "auto", text: turn.more }));
  return el("section", { class: `mlc-turn is-${turn.speaker}`, "data-turn": turn.n },
    head(turn), said, fold || null, turn.images.map(image), turn.notes.map(note), after?.(turn));
}

export class Turns {
  constructor({ head = plainHead, after = null } = {}) {
    this.box = el("div", { class: "mlc-turns" });
    this.head = head;
    this.after = after;
    this.key = undefined;
    this.drawn = []; // what each turn was drawn from
    this.turns = [];
  }

  /** Draws the turns of the dialogue `key`; a new dialogue is scrolled to its top. */
  show(key, turns) {
    const first = this.key === undefined;
    const fresh = key !== this.key;
    if (fresh) {
      this.box.replaceChildren();
      this.drawn = [];
    }
    Object.assign(this, { key, turns });
    turns.forEach((turn, at) => {
      const said = JSON.stringify(turn);
      if (this.drawn[at] === said) return;
      this.#put(at, turn);
      this.drawn[at] = said;
    });
    while (this.box.children.length > turns.length) this.box.lastChild.remove();
    this.drawn.length = turns.length;
    if (fresh) this.#scroll(first);
  }

  /** Redraws one turn whose head or end has changed. */
  renew(n) {
    const at = this.turns.findIndex((turn) => turn.n === n);
    if (at >= 0) this.#put(at, this.turns[at]);
  }

  #put(at, turn) {
    const node = draw(turn, this.head, this.after);
    if (this.box.children[at]) this.box.children[at].replaceWith(node);
    else this.box.append(node);
  }

  #scroll(first) {
    const asked = location.hash.startsWith("#turn-") && this.box.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`);
    if (first && asked) {
      onceStyled(asked.closest(".mlc"), () => asked.scrollIntoView());
    } else if (!first) {
      this.box.closest('.mlc-scroll, [class*="st-key-scroll-"]')?.scrollTo(0, 0);
    }
  }
}
