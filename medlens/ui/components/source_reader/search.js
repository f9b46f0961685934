// Search in the page: hits are highlighted by ranges, so the text's nodes do not change.

const NAME = "msr-hit";
const NOW = "msr-hit-now";
const MOST = 1000;

export class Search {
  constructor(text) {
    this.text = text;
    this.ranges = [];
    this.at = -1;
  }

  clear() {
    this.ranges = [];
    this.at = -1;
    globalThis.CSS?.highlights?.delete(NAME);
    globalThis.CSS?.highlights?.delete(NOW);
  }

  find(words) {
    this.clear();
    const sought = words.trim();
    if (!sought) return this.found();
    // White space in the query matches any white space; everything else is literal.
    const pattern = new RegExp(sought.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
    for (const node of this.text.querySelectorAll(".msr-s")) {
      const own = node.firstChild;
      if (!own) continue;
      for (const hit of own.data.matchAll(pattern)) {
        const range = document.createRange();
        range.setStart(own, hit.index);
        range.setEnd(own, hit.index + hit[0].length);
        this.ranges.push(range);
      }
      if (this.ranges.length >= MOST) break;
    }
    if (this.ranges.length) globalThis.CSS?.highlights?.set(NAME, new Highlight(...this.ranges));
    return this.step(1);
  }

  step(by) {
    const n = this.ranges.length;
    if (!n) return this.found();
    this.at = this.at < 0 ? 0 : (this.at + by + n) % n;
    globalThis.CSS?.highlights?.set(NOW, new Highlight(this.ranges[this.at]));
    return this.found();
  }

  found() {
    return { count: this.ranges.length, at: this.at, range: this.ranges[this.at] ?? null };
  }
}
