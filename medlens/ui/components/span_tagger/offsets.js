// Offsets in the text. The DOM counts UTF-16 units; the store counts code points of the exact text.

// Opening and closing punctuation around a word. A selection that ends inside the word grows to its
// edge; one that ends in the punctuation does not grow.
const OPENING = /^[\s"'“”‘’«»()[\]{}<>.,;:!?…*_`]+/u;
const CLOSING = /[\s"'“”‘’«»()[\]{}<>.,;:!?…*_`]+$/u;

export class TextIndex {
  constructor(text) {
    this.text = text;
    this.toPoints = new Uint32Array(text.length + 1);
    const units = [];
    let points = 0;
    for (let unit = 0; unit < text.length; ) {
      const width = text.codePointAt(unit) > 0xffff ? 2 : 1;
      this.toPoints.fill(points, unit, unit + width);
      units.push(unit);
      unit += width;
      points += 1;
    }
    this.toPoints[text.length] = points;
    units.push(text.length);
    this.toUnits = Uint32Array.from(units);
    this.words = findWords(text);
    this.lines = findLines(text);
    this.sentences = this.lines.flatMap(([start, end]) => findSentences(text, start, end));
  }

  unit(point) {
    return Number.isInteger(point) && point >= 0 && point < this.toUnits.length ? this.toUnits[point] : -1;
  }

  point(unit) {
    return this.toPoints[unit];
  }

  /** Can the text be cut at this unit without splitting a visible character (grapheme)? */
  isBoundary(unit) {
    return this.cluster(unit)[0] === unit;
  }

  /** The grapheme cluster around a unit: [start, end]. */
  cluster(unit) {
    if (unit <= 0) return [0, 0];
    if (unit >= this.text.length) return [this.text.length, this.text.length];
    const [lineStart, lineEnd] = this.lines[this.lineAt(unit)];
    const found = graphemes().segment(this.text.slice(lineStart, lineEnd)).containing(unit - lineStart);
    if (!found) return [unit, unit];
    const start = lineStart + found.index;
    return [start, start + found.segment.length];
  }

  lineAt(unit) {
    return lastNotAfter(this.lines, unit);
  }

  /** Whole characters without white space at the ends; null if nothing is left. */
  exact(start, end) {
    let [a, b] = start <= end ? [start, end] : [end, start];
    if (!this.isBoundary(a)) a = this.cluster(a)[0];
    if (!this.isBoundary(b)) b = this.cluster(b)[1];
    while (a < b && /\s/.test(this.text[a])) a += 1;
    while (b > a && /\s/.test(this.text[b - 1])) b -= 1;
    return a < b ? [a, b] : null;
  }

  /** Like `exact`, but grown to whole words. */
  whole(start, end) {
    const range = this.exact(start, end);
    if (!range) return null;
    let [a, b] = range;
    const first = this.words[this.wordAt(a)];
    if (first && first[0] < a && a < first[1]) a = first[0];
    const last = this.words[this.wordAt(b - 1)];
    if (last && last[0] < b && b < last[1]) b = last[1];
    return [a, b];
  }

  /** The index of the word at a unit, or of the last one before it (0 if there is none). */
  wordAt(unit) {
    return Math.max(0, lastNotAfter(this.words, unit));
  }

  sentenceAt(unit) {
    return Math.max(0, lastNotAfter(this.sentences, unit));
  }
}

let shared;
function graphemes() {
  shared ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return shared;
}

/** The index of the last range that starts at or before `unit`, -1 if none does. */
function lastNotAfter(ranges, unit) {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle][0] <= unit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function findWords(text) {
  const words = [];
  for (const match of text.matchAll(/\S+/gu)) {
    const token = match[0];
    const lead = token.match(OPENING)?.[0].length ?? 0;
    const tail = token.match(CLOSING)?.[0].length ?? 0;
    const bare = lead + tail < token.length;
    const start = match.index + (bare ? lead : 0);
    words.push([start, match.index + token.length - (bare ? tail : 0)]);
  }
  return words;
}

/** Lines with their line ends, so that joined they give the text. */
function findLines(text) {
  const lines = [];
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at + 1;
    lines.push([start, end]);
    start = end;
  }
  return lines.length ? lines : [[0, 0]];
}

function findSentences(text, start, end) {
  const line = text.slice(start, end);
  const found = [];
  for (const { index, segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(line)) {
    const lead = segment.length - segment.trimStart().length;
    const size = segment.trim().length;
    if (!size) continue;
    const from = start + index + lead;
    // "No. 3" and "A." are not sentences of their own: a sentence has at least two words.
    const previous = found.at(-1);
    if (previous && !/\s/.test(text.slice(previous[0], previous[1]))) previous[1] = from + size;
    else found.push([from, from + size]);
  }
  return found;
}
