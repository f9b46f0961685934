// The words under the keyboard's cursor, and how the arrows move it.

export class Cursor {
  constructor(index) {
    this.index = index;
    this.place = 0; // where the next move starts if nothing is selected
    this.set(null);
  }

  set(range) {
    this.range = range;
    this.anchor = range;
    this.head = range;
    if (range) [this.place] = range;
  }

  #go(head, extend) {
    if (!head) return this.range;
    if (!extend || !this.anchor) {
      this.set([...head]);
      return this.range;
    }
    this.head = head;
    this.range = [Math.min(this.anchor[0], head[0]), Math.max(this.anchor[1], head[1])];
    return this.range;
  }

  word(step, extend) {
    const { words } = this.index;
    if (!this.head) return this.#go(words[this.index.wordAt(this.place)], false);
    const first = this.index.wordAt(this.range[0]);
    const last = this.index.wordAt(this.range[1] - 1);
    // As in any editor, a plain arrow first collapses a longer selection to its end.
    if (!extend && first !== last) return this.#go(words[step > 0 ? last : first], false);
    const from = step > 0 ? this.head[1] - 1 : this.head[0];
    return this.#go(words[this.index.wordAt(from) + step], extend);
  }

  sentence(step, extend) {
    const { sentences } = this.index;
    if (!this.head) return this.#go(sentences[this.index.sentenceAt(this.place)], false);
    const at = this.index.sentenceAt(step > 0 ? this.head[1] - 1 : this.head[0]);
    const here = sentences[at];
    const inside = step > 0 ? extend && this.head[1] < here[1] : this.head[0] > here[0];
    return this.#go(inside ? here : sentences[at + step], extend);
  }

  /** Moves the selection's end by one visible character (grapheme). */
  character(step) {
    if (!this.range) return this.word(step, false);
    const [start, end] = this.range;
    const to = step > 0 ? this.index.cluster(end)[1] || end : this.index.cluster(end - 1)[0];
    if (to > start && to <= this.index.text.length) {
      this.range = [start, to];
      this.head = [Math.max(start, to - 1), to];
      this.anchor = [start, Math.min(this.anchor[1], to)];
    }
    return this.range;
  }
}
