// Where something is judged, the focus is never lost to the page's body for those who work by keys: a
// screen reader would say nothing, and Tab begin elsewhere. When a desk is opened, after the worked example
// and after an item that was submitted by key it is on what is answered next, after the last one on the heading
// that says so: Tab goes on to the next task, and a second Enter starts none. PageDown scrolls what is read, and
// C goes there, so that the arrow keys scroll it.

import { plainKey } from "../shared/dom.js"
import { FOLD } from "./open_case.js"
import { firstAnswer } from "./skip_link.js"

const DIALOG = '[data-testid="stDialog"], section[role="dialog"]'
export const DESK = ".mdb, .st-key-desk_bar" // only there: on other pages Tab begins with the way past the page's lines
const IN_THE_WAY = `${DIALOG}, [data-testid="stPopoverBody"], dialog[open]` // what has the focus to itself
const OFTEN = 100 // ms between two looks at whether the next item is there
const PATIENCE = 20_000 // ms until it is given up
const SCREENS = { PageDown: 0.85, PageUp: -0.85 }
const LINES = { ArrowDown: 0.2, ArrowUp: -0.2 } // of what a dialog shows

// The parts of a desk that scroll for themselves, as they are named to screen readers.
const PANES = [
  [".st-key-scroll-case", "Case"],
  [".st-key-scroll-talk", "Dialogue"],
  [".st-key-example_read", "Worked example"],
]
const READ_FIRST = ".st-key-scroll-talk"
const READ_BY_KEY = { c: [".st-key-scroll-case", ".st-key-scroll-talk"] } // the next press goes to the other
const END = ".st-key-desk_end h1"
const EXAMPLE = ".st-key-example_read" // the focus is on the button under it
const AT_REST = '.stApp[data-test-script-state="notRunning"]' // all of the page is there

/** What gets the focus: the text, or a question itself and none of its buttons, which Enter would press. */
export function focusedFirst(page = document) {
  const answer = page.querySelector(DESK) && firstAnswer(page)
  if (!answer?.closest(".maf-fields, .msd-choices")) return answer
  const questions = [...answer.closest(".maf-fields, .msd-choices").parentElement.querySelectorAll("fieldset")]
  return answer.closest("fieldset") ?? questions.find((one) => one.checkVisibility({ visibilityProperty: true })) ?? null
}

export class DeskFocus {
  constructor(page = document) {
    Object.assign(this, { page, timer: 0, isOpen: false })
    this.drawn = new MutationObserver(() => this.look())
    this.drawn.observe(page.body, { childList: true, subtree: true })
    this.look()
    this.seek(() => true)
  }

  get isLost() {
    const { activeElement: held, body } = this.page
    return !held || held === body || !held.isConnected
  }

  look() {
    const isOpen = Boolean(this.page.querySelector(DIALOG))
    if (this.isOpen && !isOpen) this.seek(() => true)
    this.isOpen = isOpen
    for (const [kind, name] of PANES) {
      const pane = this.page.querySelector(kind)
      if (!pane || pane.tabIndex === 0) continue
      pane.tabIndex = 0
      pane.setAttribute("role", "region")
      pane.setAttribute("aria-label", name)
    }
  }

  /** A key, before anything else on the page has it. */
  heard(event) {
    const { key, target } = event
    if (event.altKey || event.metaKey || event.defaultPrevented) return
    if (key === "Enter") {
      const before = this.item
      this.seek(() => this.item !== before)
      return
    }
    if (READ_BY_KEY[plainKey(event)] && this.read(READ_BY_KEY[plainKey(event)])) {
      event.preventDefault()
      return
    }
    const example = this.page.querySelector(EXAMPLE)
    if (example) {
      const screens = SCREENS[key] ?? LINES[key]
      if (screens && !example.contains(target)) this.scroll(example, screens, event)
    } else if (SCREENS[key] && (this.isLost || target.matches?.("fieldset"))) {
      this.scroll(this.page.querySelector(READ_FIRST), SCREENS[key], event)
    }
  }

  /** Moves the focus to the first of these panes or, from there, to the next; returns whether there is one. */
  read(kinds) {
    const panes = kinds.map((kind) => this.page.querySelector(kind)).filter((pane) => pane?.checkVisibility())
    if (!panes.length || this.page.querySelector(IN_THE_WAY)) return false
    const next = panes[(panes.indexOf(this.page.activeElement) + 1) % panes.length]
    const fold = next.querySelector(FOLD)
    if (fold) fold.open = true // what it is gone to for
    next.focus()
    return true
  }

  /** The item in the page's address. */
  get item() {
    return new URLSearchParams(location.search).get("item")
  }

  scroll(pane, screens, event) {
    if (!pane || pane.scrollHeight <= pane.clientHeight) return
    event.preventDefault()
    pane.scrollBy({ top: screens * pane.clientHeight })
  }

  /** Moves the focus as soon as `isThere()`, if nothing else has it then. */
  seek(isThere) {
    clearInterval(this.timer)
    const until = Date.now() + PATIENCE
    this.timer = setInterval(() => {
      if (Date.now() > until) clearInterval(this.timer)
      if (this.page.querySelector(IN_THE_WAY) || !isThere()) return
      if (!this.isLost) {
        // After the last item the address names none, while its form may still be here and have the focus.
        if (this.item) clearInterval(this.timer)
        return
      }
      const node = focusedFirst(this.page) ?? this.page.querySelector(END)
      if (!node) return
      // The buttons under the heading come after it: Tab would find none, and lead out of the page.
      if (node.matches(END) && !this.page.querySelector(AT_REST)) return
      clearInterval(this.timer)
      if (node.matches(`fieldset, ${END}`)) {
        node.tabIndex = -1
        node.style.outline = "none"
        // A text that comes later is answered first, and may take the focus from here.
        node.dataset.restsFor = "text"
      }
      node.focus({ preventScroll: true })
    }, OFTEN)
  }

  end() {
    clearInterval(this.timer)
    this.drawn.disconnect()
  }
}
