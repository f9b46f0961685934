// After a change of section the focus is on the new section's heading: a screen reader says what is open,
// and Tab goes on in it. The rail's own buttons are drawn anew meanwhile, and would lose it.

const BODY = ".st-key-rail_body"
const RAIL = ".st-key-rail, .st-key-rail_menu"
const HEADING = "h1, h2, h3"
const AT_REST = '.stApp[data-test-script-state="notRunning"]'
const OFTEN = 100 // ms between two looks at whether the section is there
const PATIENCE = 20_000 // ms until it is given up

export class SectionFocus {
  constructor(page = document) {
    Object.assign(this, { page, timer: 0 })
  }

  /** Whether the focus is on no control, or on what the section was chosen with. */
  get isFree() {
    const { activeElement: held, body } = this.page
    return !held || held === body || !held.isConnected || Boolean(held.closest(RAIL))
  }

  /** Moves the focus to the heading of the section that has been chosen, once it is drawn, if nothing else has it. */
  seek() {
    clearInterval(this.timer)
    const until = Date.now() + PATIENCE
    this.timer = setInterval(() => {
      const isLate = Date.now() > until
      if (isLate || !this.isFree) clearInterval(this.timer)
      if (isLate || !this.isFree || !this.page.querySelector(AT_REST)) return
      clearInterval(this.timer)
      const body = this.page.querySelector(BODY)
      const node = body?.querySelector(HEADING) ?? body
      if (!node) return
      node.tabIndex = -1
      node.focus({ preventScroll: true })
    }, OFTEN)
  }

  end() {
    clearInterval(this.timer)
  }
}
