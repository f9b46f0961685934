// Turns a selection by mouse or touch into a range of the text.

const SETTLE = 180; // ms after which a selection by touch handles counts as finished

export class Selecting {
  /**
   * `on.select(range, event)` after a selection, `on.click(unit, event)` after a plain click or tap;
   * `snap(start, end, exact)` turns two offsets into a range or null.
   */
  constructor(view, { snap, on }) {
    this.view = view;
    this.snap = snap;
    this.on = on;
    this.down = null; // the pointer that went down in the text
    this.touch = false;
    this.timer = 0;
    this.listen = new AbortController();
    const { signal } = this.listen;
    view.box.addEventListener("pointerdown", (event) => this.#pointerDown(event), { signal });
    document.addEventListener("mouseup", (event) => this.#mouseUp(event), { signal });
    document.addEventListener("selectionchange", () => this.#changed(), { signal });
    view.box.addEventListener("click", (event) => this.#click(event), { signal });
    view.box.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
    view.box.addEventListener("contextmenu", (event) => this.touch && event.preventDefault(), { signal });
  }

  stop() {
    clearTimeout(this.timer);
    this.listen.abort();
  }

  #pointerDown(event) {
    this.touch = event.pointerType === "touch";
    this.down = { x: event.clientX, y: event.clientY };
    // Pressing on selected text would otherwise drag it instead of starting a new selection.
    if (!this.touch && event.button === 0 && !event.shiftKey) getSelection()?.removeAllRanges();
  }

  /** The native selection inside the text as [start, end], or null. */
  #native() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.view.box)) return null;
    const start = this.view.unitOf(range.startContainer, range.startOffset);
    const end = this.view.unitOf(range.endContainer, range.endOffset);
    return end > start ? [start, end] : null;
  }

  #mouseUp(event) {
    if (!this.down || this.touch || event.button !== 0) return;
    this.down = null;
    const native = this.#native();
    const range = native && this.snap(native[0], native[1], event.altKey);
    if (range) this.on.select(range, event);
    this.selected = Boolean(range);
  }

  #click(event) {
    if (this.selected && !this.touch) {
      this.selected = false;
      return;
    }
    if (this.touch && this.#native()) return;
    this.on.click(this.view.unitAt(event.clientX, event.clientY), event);
  }

  /** A long press and its handles fire no final mouse event: waits until the selection rests. */
  #changed() {
    if (!this.touch) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const native = this.#native();
      const range = native && this.snap(native[0], native[1], false);
      if (range) this.on.select(range, null);
    }, SETTLE);
  }
}
