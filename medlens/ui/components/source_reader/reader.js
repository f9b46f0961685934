// MedLens source reader: a source's sentences, the ones most like the statement lit in order, search
// in the page, and the passage that decided (no build step). Foreign text only goes in as text nodes.

import { fit, isTextField } from "./dom.js";
import { build } from "./frame.js";
import { Search } from "./search.js";

const mounted = new WeakMap(); // mount point -> Reader; the default export is called at every change
const MANY = 400; // sentences from which paragraphs out of sight are not laid out

export class Reader {
  /** `onmark` is told the first and last sentence of the passage that was marked, null for none. */
  constructor(parent, onmark = () => {}) {
    this.onmark = onmark;
    this.key = null;
    this.source = null;
    this.at = -1;
    Object.assign(this, build({
      step: (by) => this.step(by),
      mark: () => this.mark(),
      search: (text) => this.searched(this.search.find(text)),
      hit: (by) => this.searched(this.search.step(by)),
    }));
    parent.append(this.wrap);
    this.search = new Search(this.text);
    this.away = new AbortController();
    const { signal } = this.away;
    window.addEventListener("keydown", (event) => this.pressed(event), { signal });
    window.addEventListener("resize", () => fit(this.wrap), { signal });
    this.text.addEventListener("dblclick", (event) => this.pick(event), { signal });
  }

  update(data) {
    const fresh = data.key !== this.key;
    this.data = data;
    if (fresh) this.begin();
    if (data.source !== this.source) this.write();
    this.paint();
    if (fresh) this.first();
  }

  /** Another pair: it is read from its best passage on, and searched anew. */
  begin() {
    this.key = this.data.key;
    this.at = -1;
    this.search.clear();
    this.find.value = "";
    this.hits.textContent = "";
    this.scroll.scrollTop = 0;
  }

  /** Puts the sentences on the page. */
  write() {
    const { data } = this;
    this.source = data.source;
    const begins = new Set(data.paragraphs);
    const all = document.createDocumentFragment();
    let paragraph = null;
    this.sentences = data.sentences.map((text, i) => {
      if (!paragraph || begins.has(i)) {
        paragraph = document.createElement("p");
        all.append(paragraph);
      } else {
        paragraph.append(" ");
      }
      const node = document.createElement("span");
      node.className = "msr-s";
      node.dataset.i = i;
      node.textContent = text;
      paragraph.append(node);
      return node;
    });
    this.title.textContent = data.title;
    this.address.textContent = data.address;
    this.address.title = data.address;
    this.searching.hidden = !data.sentences.length;
    this.text.classList.toggle("is-long", data.sentences.length > MANY);
    this.text.replaceChildren(all);
  }

  /** Lights the passages, the marked one and the verifier's quote. */
  paint() {
    const { like, marked, quote, sentences } = this.data;
    for (const node of this.lit ?? []) {
      if (!node.isConnected) continue;
      node.classList.remove("is-lit", "is-best", "is-marked", "is-quote");
      delete node.dataset.rank;
    }
    this.lit = [];
    const give = (i, name) => {
      const node = this.sentences[i];
      if (!node) return;
      node.classList.add(name);
      this.lit.push(node);
    };
    like.forEach((i, rank) => {
      give(i, "is-lit");
      if (rank === 0) give(i, "is-best");
      if (this.sentences[i]) this.sentences[i].dataset.rank = rank + 1;
    });
    quote.forEach((i) => give(i, "is-quote"));
    if (marked) for (let i = marked[0]; i <= marked[1]; i += 1) give(i, "is-marked");
    this.none.hidden = this.data.sentences.length > 0;
    this.none.textContent = this.data.empty;
    this.passages.hidden = !like.length;
    this.markButton.hidden = !sentences.length || !this.data.markable;
    this.tell();
    this.open.hidden = !this.data.href;
    if (this.data.href) this.open.href = this.data.href;
    else this.open.removeAttribute("href");
  }

  first() {
    const { like, quote, sentences } = this.data;
    if (like.length) this.step(1);
    else if (quote.length) this.show(this.sentences[quote[0]]);
    this.say.textContent = like.length || !sentences.length ? "" : "No sentence shares a telling word with the statement.";
    this.say.hidden = !this.say.textContent;
  }

  step(by) {
    const { like } = this.data;
    if (!like.length) return;
    this.at = this.at < 0 ? 0 : (this.at + by + like.length) % like.length;
    this.show(this.sentences[like[this.at]]);
    this.tell();
  }

  tell() {
    const { like } = this.data;
    this.now?.classList.remove("is-now");
    this.now = this.at >= 0 ? this.sentences[like[this.at]] : null;
    this.now?.classList.add("is-now");
    this.where.textContent = `${this.at + 1} of ${like.length}`;
    const [from, to] = this.data.marked ?? [-1, -2];
    const on = like[this.at] >= from && like[this.at] <= to;
    this.markButton.firstChild.textContent = on ? "Unmark" : "Mark";
    this.markButton.disabled = this.at < 0;
  }

  /** Brings a sentence to the middle of the reader, without moving the page around it. */
  show(node) {
    if (!node) return;
    const middle = () => {
      const box = this.scroll.getBoundingClientRect();
      const own = node.getBoundingClientRect();
      this.scroll.scrollTop += own.top - box.top - Math.max(0, (box.height - own.height) / 3);
    };
    middle();
    // Paragraphs out of sight have an estimated height until they are laid out.
    if (this.text.classList.contains("is-long")) requestAnimationFrame(middle);
  }

  searched(found) {
    const { count, at, range } = found;
    this.hits.textContent = this.find.value ? (count ? `${at + 1} of ${count}` : "not found") : "";
    if (range) this.show(range.startContainer.parentElement);
  }

  /** Marks the passage shown now as the one that decided, or takes the mark off. */
  mark() {
    const i = this.data.like[this.at];
    if (i !== undefined && this.data.markable) this.toggle(i);
  }

  pick(event) {
    const node = event.target.closest(".msr-s");
    if (node && this.data.markable) this.toggle(Number(node.dataset.i));
  }

  toggle(i) {
    const [from, to] = this.data.marked ?? [-1, -2];
    const same = i >= from && i <= to;
    // A neighbour of the marked sentences joins them; another one replaces them.
    let next = [i, i];
    if (same) next = null;
    else if (i === from - 1) next = [i, to];
    else if (i === to + 1) next = [from, i];
    this.onmark(next);
  }

  pressed(event) {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.wrap.offsetParent) return;
    if (isTextField(target) || target.closest?.('dialog, [role="dialog"]')) return;
    const act = {
      n: () => this.step(1),
      p: () => this.step(-1),
      m: () => !this.markButton.hidden && this.mark(),
      o: () => this.data.href && this.open.click(),
      "/": () => this.find.focus(),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  destroy() {
    this.away.abort();
    this.search.clear();
    this.wrap.remove();
  }
}

export default function mount({ data, parentElement }) {
  let reader = mounted.get(parentElement);
  if (!reader) {
    reader = new Reader(parentElement);
    mounted.set(parentElement, reader);
  }
  fit(reader.wrap);
  reader.update(data);
  return () => {
    reader.destroy();
    mounted.delete(parentElement);
  };
}
