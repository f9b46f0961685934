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
    Object.assign(this, { page, line: null })
    this.sizes = new ResizeObserver(() => this.look())
  }

  /** Looks again when the line, or what stands in it, is drawn or changes its width. */
  look() {
    const line = this.page.querySelector(LINE)
    if (line !== this.line) {
      this.sizes.disconnect()
      if (line) for (const node of [line, ...line.children]) this.sizes.observe(node)
      this.line = line
    }
    const name = line?.querySelector(NAME)
    const shown = name?.getClientRects().length
    if (!shown) return // a narrow window has the initials anyway
    const initials = line.dataset.person === "short" ? line.querySelector(INITIALS)?.offsetWidth ?? 0 : 0
    const short = isCut({ wide: name.scrollWidth, room: name.clientWidth, initials })
    if (short !== (line.dataset.person === "short")) line.dataset.person = short ? "short" : "whole"
  }

  end() {
    this.sizes.disconnect()
  }
}
