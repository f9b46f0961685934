// As whom one works stands at the end of a study's line, by name: where the line has no room for the whole of
// it, by initials, with the name for screen readers and under the pointer.

const LINE = ".st-key-desk_line"
const NAME = ".st-key-line_person p"
const INITIALS = ".mlf-initials"

/** Whether a name `wide` px long is cut in the `room` that it has, to which the initials give way if they stand there. */
export function isCut({ wide, room, initials }) {
  return wide > room + initials + 1
}

export class LinePerson {
  constructor(page = document) {
    Object.assign(this, { page, name: null })
    this.sizes = new ResizeObserver(() => this.look())
    // The line is drawn bit by bit, and anew on another page.
    this.drawn = new MutationObserver(() => this.find() !== this.name && this.look())
    this.drawn.observe(page.body, { childList: true, subtree: true })
    this.look()
  }

  find() {
    return this.page.querySelector(`${LINE} ${NAME}`)
  }

  /** Looks again when the name is drawn, or it or the line changes its width. */
  look() {
    const name = this.find()
    const line = name?.closest(LINE)
    if (name !== this.name) {
      this.sizes.disconnect()
      if (name) for (const node of [line, name]) this.sizes.observe(node)
      this.name = name
    }
    if (!name?.getClientRects().length) return // a narrow window has the initials anyway
    const isShort = line.dataset.person === "short"
    const initials = isShort ? (line.querySelector(INITIALS)?.offsetWidth ?? 0) : 0
    const isCutNow = isCut({ wide: name.scrollWidth, room: name.clientWidth, initials })
    if (isCutNow !== isShort) line.dataset.person = isCutNow ? "short" : "whole"
  }

  end() {
    this.drawn.disconnect()
    this.sizes.disconnect()
  }
}
