// On a phone the views of a section stand in one row that scrolls sideways: the open one is brought into it.

const ROW = '.st-key-desk_line [role="radiogroup"]'
const PAGE = ".stMainBlockContainer"
const PEEK = 28 // px of its neighbours, which tell that there are more

/** How far a row `wide` px that is scrolled by `at` is to be scrolled to show what stands from `left` to `right` in it. */
export function scrollThatShows({ at, wide }, { left, right }) {
  if (left < at) return left
  return right > at + wide ? right - wide : at
}

/** Shows the open view when it is drawn, chosen, or changes its width, as it does once its font is there. */
export class OpenView {
  constructor(page = document) {
    Object.assign(this, { page, content: null, open: null, shape: "" })
    this.sizes = new ResizeObserver(() => this.look())
    this.look()
  }

  look() {
    const content = this.page.querySelector(PAGE)
    // On a busy machine the page's content comes later than the menu that this is a part of.
    if (content && content !== this.content) this.sizes.observe(content)
    this.content = content
    const row = this.page.querySelector(ROW)
    const open = row?.querySelector("[data-selected]")
    if (!open) return
    const { left: start } = row.getBoundingClientRect()
    const left = open.getBoundingClientRect().left - start + row.scrollLeft
    const shape = `${row.clientWidth} ${left} ${open.offsetWidth}`
    // Else it stays as it was scrolled by hand.
    if (open === this.open && shape === this.shape) return
    if (open !== this.open) for (const node of [row, open]) this.sizes.observe(node)
    Object.assign(this, { open, shape })
    row.scrollLeft = scrollThatShows({ at: row.scrollLeft, wide: row.clientWidth }, { left: Math.max(0, left - PEEK), right: left + open.offsetWidth + PEEK })
  }

  end() {
    this.sizes.disconnect()
  }
}
