// MedLens source reader: shows a source's sentences, lights those most like the statement in order,
// searches the page, and marks the deciding passage (no build step). Untrusted text goes in only as
// text nodes.

import { balanced, isTextField, isUnderDialog, onceStyled } from "../shared/dom.js";
import { ORDER, listenToKeyboard, refuseKey } from "../shared/keyboard.js";
import { fit } from "./dom.js";
import { build } from "./frame.js";
import { Search } from "./search.js";

const mounted = new WeakMap(); // mount point -> Reader; the default export is called on every change
const MANY = 400; // sentences, from which paragraphs out of view are not laid out

/** A line's kind by how it begins: a table row, a list item, or neither. */
const kindOf = (text) => (text.startsWith("|") ? "is-row" : /^[-•*–] /u.test(text) ? "is-point" : "");

/** What a screen reader reads before a sentence that is highlighted or marked. */
function spoken({ classList, dataset }) {
  const said = [
    classList.contains("is-marked") && "marked",
    classList.contains("is-quote") && "quoted",
    classList.contains("is-lit") && `similar passage ${dataset.rank}`,
  ];
  return `(${said.filter(Boolean).join(", ")}) `;
}

export class Reader {
  /** `onmark` gets the first and last sentence of the marked passage, or null for none. */
  constructor(parent, onmark = () => {}) {
    this.onmark = onmark;
    this.key = null;
    this.source = null;
    this.at = -1; // index of the shown lit passage
    this.hand = -1; // the current sentence: shown, found or clicked
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
    listenToKeyboard(ORDER.source, (event) => this.pressed(event), signal);
    window.addEventListener("resize", () => fit(this.wrap), { signal });
    this.text.addEventListener("click", (event) => this.touch(event), { signal });
    this.text.addEventListener("dblclick", (event) => this.pick(event), { signal });
    // Until somebody scrolls, what is shown stays where it was put, whatever room the text gets.
    this.kept = null;
    for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      this.scroll.addEventListener(kind, () => (this.kept = null), { signal, passive: true });
    }
    this.sized = new ResizeObserver(() => this.kept?.isConnected && this.show(this.kept));
    this.sized.observe(this.scroll);
  }

  update(data) {
    const fresh = data.key !== this.key;
    this.data = data;
    if (fresh) this.begin();
    if (data.source !== this.source) this.write();
    this.paint();
    if (fresh) this.first();
  }

  /** Another statement or source: starts at its best passage, with an empty search. */
  begin() {
    this.key = this.data.key;
    this.at = -1;
    this.hand = -1;
    this.search.clear();
    this.find.value = "";
    this.hits.textContent = "";
    this.scroll.scrollTop = 0;
    this.kept = null;
  }

  /** Puts the sentences on the page. */
  write() {
    const { data } = this;
    this.source = data.source;
    const begins = new Set(data.paragraphs);
    const headings = new Set(data.headings);
    const all = document.createDocumentFragment();
    let paragraph = null;
    this.sentences = data.sentences.map((text, i) => {
      if (!paragraph || begins.has(i)) {
        paragraph = document.createElement("p");
        paragraph.className = headings.has(i) ? "is-heading" : kindOf(text);
        all.append(paragraph);
      } else {
        paragraph.append(" ");
      }
      const node = document.createElement("span");
      node.className = "msr-s";
      node.dataset.i = i;
      node.textContent = balanced(text);
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

  /** The marked sentences, by number. */
  get marks() {
    const [from, to] = this.data.marked ?? [0, -1];
    return new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
  }

  /** Highlights the similar passages, the marked one and the verifier's quote. */
  paint() {
    const { like, quote, sentences } = this.data;
    for (const node of this.lit ?? []) {
      if (!node.isConnected) continue;
      node.classList.remove("is-lit", "is-best", "is-marked", "is-quote");
      delete node.dataset.rank;
      delete node.dataset.says;
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
    this.marks.forEach((i) => give(i, "is-marked"));
    for (const node of this.lit) node.dataset.says = spoken(node);
    this.note.hidden = !this.data.note;
    this.note.textContent = this.data.note;
    this.passages.hidden = !like.length;
    this.guess.hidden = !like.length;
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
    this.say.textContent = like.length || !sentences.length ? "" : "No similar passage was found.";
    this.say.hidden = !this.say.textContent;
  }

  step(by) {
    const { like } = this.data;
    if (!like.length) {
      refuseKey("no similar passage was found");
      return;
    }
    this.at = this.at < 0 ? 0 : (this.at + by + like.length) % like.length;
    this.hold(like[this.at]);
    this.show(this.sentences[this.hand]);
  }

  /** Makes a sentence the current one, which M marks. */
  hold(i) {
    this.hand = i;
    this.tell();
  }

  tell() {
    const { like } = this.data;
    this.now?.classList.remove("is-now");
    this.now = this.sentences[this.hand] ?? null;
    this.now?.classList.add("is-now");
    this.where.textContent = `${this.at + 1} of ${like.length}`;
    this.markButton.firstChild.textContent = this.marks.has(this.hand) ? "Unmark" : "Mark";
  }

  /** Scrolls a sentence to the middle of the reader, without moving the page around it. */
  show(node) {
    if (!node) return;
    this.kept = node;
    const middle = () => {
      const box = this.scroll.getBoundingClientRect();
      const own = node.getBoundingClientRect();
      this.scroll.scrollTop += own.top - box.top - Math.max(0, (box.height - own.height) / 3);
      this.scroll.scrollTop -= this.cutOff();
    };
    onceStyled(this.wrap, () => {
      middle();
      // Paragraphs out of view have an estimated height until they are laid out.
      if (this.text.classList.contains("is-long")) requestAnimationFrame(middle);
    });
  }

  /** How many pixels of a line are above the edge that cuts it; 0 if the text in sight begins with a whole line. */
  cutOff() {
    const edge = this.scroll.getBoundingClientRect().top;
    const parts = [this.title, this.address, this.note, ...this.text.children];
    const across = parts.find((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top < edge && bottom > edge;
    });
    if (!across) return 0;
    const words = document.createRange();
    words.selectNodeContents(across);
    const tops = [...words.getClientRects()].filter(({ top, bottom }) => top < edge && bottom > edge).map(({ top }) => top);
    return tops.length ? edge - Math.min(...tops) : 0;
  }

  searched(found) {
    const { count, at, range } = found;
    this.hits.textContent = this.find.value ? (count ? `${at + 1} of ${count}` : "not found") : "";
    if (!range) return;
    const node = range.startContainer.parentElement;
    this.hold(Number(node.dataset.i));
    this.show(node);
  }

  /** Marks the selection as the deciding passage, or toggles the mark on the current sentence. */
  mark() {
    if (!this.data.markable) return;
    const selected = this.selected();
    if (selected) {
      document.getSelection().removeAllRanges();
      this.hold(selected[0]);
      this.take(...selected);
    } else if (this.hand >= 0) this.toggle(this.hand);
    else refuseKey("choose a sentence first");
  }

  /** The first and last selected sentence; null if nothing is selected. */
  selected() {
    const selection = document.getSelection();
    if (!selection?.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.text) || !range.toString().trim()) return null;
    const within = this.sentences.flatMap((node, i) => {
      if (!node.firstChild || !range.intersectsNode(node)) return [];
      const own = document.createRange();
      own.selectNodeContents(node.firstChild);
      // Merely touching a sentence's edge does not select it.
      const starts = range.compareBoundaryPoints(Range.END_TO_START, own) < 0;
      const ends = range.compareBoundaryPoints(Range.START_TO_END, own) > 0;
      return starts && ends ? [i] : [];
    });
    return within.length ? [within[0], within.at(-1)] : null;
  }

  /** Marks the selected sentences. */
  take(from, to) {
    this.onmark([from, to]);
  }

  touch(event) {
    const node = event.target.closest(".msr-s");
    if (node && document.getSelection()?.isCollapsed !== false) this.hold(Number(node.dataset.i));
  }

  pick(event) {
    const node = event.target.closest(".msr-s");
    if (node && this.data.markable) this.toggle(Number(node.dataset.i));
    if (node) document.getSelection()?.removeAllRanges();
  }

  toggle(i) {
    const [from, to] = this.data.marked ?? [-1, -2];
    const same = i >= from && i <= to;
    // A sentence next to the marked ones joins them; any other replaces them.
    let next = [i, i];
    if (same) next = null;
    else if (i === from - 1) next = [i, to];
    else if (i === to + 1) next = [from, i];
    this.onmark(next);
  }

  pressed(event) {
    const { target } = event;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.wrap.offsetParent) return;
    if (isTextField(target) || isUnderDialog(this.wrap)) return;
    const act = {
      n: () => this.step(1),
      p: () => this.step(-1),
      m: () => (this.markButton.hidden ? refuseKey("there is nothing to mark here") : this.mark()),
      o: () => (this.data.href ? this.open.click() : refuseKey("it has no address")),
      "/": () => this.find.focus(),
    }[key];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || "np".includes(key)) act();
  }

  destroy() {
    this.away.abort();
    this.sized.disconnect();
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
