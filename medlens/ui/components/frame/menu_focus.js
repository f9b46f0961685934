// Who opens the menu by key is in it: its button goes when it opens, and the focus with it, so that Tab
// would begin behind the menu. Esc closes a menu that was opened so, and leads back to the button.

const MENU = ".stSidebar"
const OPEN = `${MENU}[data-collapsed="false"]`
const ENTRY = `${OPEN} [data-testid="stPageLink-NavLink"]`
const BUTTON = '[data-testid="stExpandSidebarButton"]'
const AT_REST = '.stApp[data-test-script-state="notRunning"]'
// What Esc closes first.
const IN_THE_WAY = '[data-testid="stDialog"], section[role="dialog"], [data-testid="stPopoverBody"], dialog[open], [aria-expanded="true"][role="combobox"]'
const OFTEN = 50 // ms between two looks at whether the menu is drawn
const PATIENCE = 10_000 // ms until it is given up

export class MenuFocus {
  /** `fold` closes the menu. */
  constructor(fold, page = document) {
    Object.assign(this, { fold, page, timer: 0, wasOpened: false })
  }

  /** The menu was opened or closed by its button; `byKey`: which was pressed by key. */
  toggled(state, byKey) {
    clearInterval(this.timer)
    this.wasOpened = state === "open"
    // Who pressed it with a pointer goes on where they were: Enter still submits.
    if (byKey) this.seek(state === "open" ? ENTRY : BUTTON)
  }

  /** A key, before anything else on the page has it; returns whether it has closed the menu. */
  heard(event, isOver) {
    const { key, target } = event
    if (key !== "Escape" || event.defaultPrevented || !this.page.querySelector(OPEN)) return false
    const isWithin = Boolean(target.closest?.(MENU))
    // Outside of the menu, Esc is the menu's only where it lies over the page.
    if (!(this.wasOpened && isWithin) && !isOver) return false
    if (target.closest?.("input, textarea, [contenteditable=true]") || this.page.querySelector(IN_THE_WAY)) return false
    event.preventDefault()
    this.wasOpened = false
    this.fold()
    this.seek(BUTTON)
    return true
  }

  /** Moves the focus there once it is drawn and the page at rest, if it is on no other control then. */
  seek(kind) {
    clearInterval(this.timer)
    const until = Date.now() + PATIENCE
    const from = this.page.activeElement
    this.timer = setInterval(() => {
      const { activeElement: held, body } = this.page
      const wanted = [...this.page.querySelectorAll(kind)].find((one) => one.checkVisibility({ visibilityProperty: true }))
      const isFree = !held || held === body || held === from || held === wanted || !held.isConnected
      if (!isFree || Date.now() > until) {
        clearInterval(this.timer)
        return
      }
      if (wanted && held !== wanted) wanted.focus({ preventScroll: true })
      // The run of the page that the press asks for may draw it anew.
      else if (wanted && this.page.querySelector(AT_REST)) clearInterval(this.timer)
    }, OFTEN)
  }

  end() {
    clearInterval(this.timer)
  }
}
