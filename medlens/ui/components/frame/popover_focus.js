// A box that a button of the page opens (the guideline, a question to the lead, filters) takes the
// focus if it was opened by key: Streamlit leaves it on the button, and puts the box behind all else,
// so that what is typed would go to the desk. Esc gives the focus back. At a desk it goes to where it was
// before, and not to a button that was only clicked or stands for F: Enter would open the box again
// instead of submitting, and the next answers would be typed into it.

import { refuseKey } from "../shared/keyboard.js"
import { DESK, focusedFirst } from "./desk_focus.js"

const BOX = '[data-testid="stPopoverBody"]'
const BUTTON = '[data-testid="stPopover"] button'
const DRAFT = "mlf-draft" // stands for the field of a flag's box that is still to come
const FIELD = `input:not([type=hidden], .${DRAFT}), textarea, [contenteditable=true]`
const FLAG_BUTTON = '[class*="-flag-"] button'
const FLAG_BOX = `${BOX}:has([class*="-flag-"])`
const CHOOSES = '[role="listbox"], [aria-expanded="true"][role="combobox"]' // Esc closes these alone
const OFTEN = 100 // ms between two looks at whether a box has come back
const ANSWERED = 10_000 // ms within which a server under load has answered

export class PopoverFocus {
  constructor(page = document, signal = undefined) {
    // `before`: what had the focus last, outside of the boxes and their buttons; `from`: what gets it back.
    Object.assign(this, { page, box: null, before: null, from: null, pressed: "", isFlagByMouse: false, keepsClosed: 0, closing: null })
    const now = { capture: true, signal }
    page.addEventListener("pointerdown", ({ pointerType, target }) => {
      this.pressed = "pointer"
      this.letOpen()
      this.isFlagByMouse = pointerType === "mouse" && Boolean(target.closest?.(FLAG_BUTTON))
    }, now)
    page.addEventListener("focusin", ({ target }) => this.focused(target), now)
    page.addEventListener("focusout", (event) => this.left(event), now)
    this.before = page.activeElement
    this.drawn = new MutationObserver(() => this.look())
    this.drawn.observe(page.body, { childList: true, subtree: true })
  }

  look() {
    const box = this.page.querySelector(BOX)
    if (box === this.box) return
    const closed = this.box
    this.box = box
    if (!box) {
      if (closed) this.giveBack()
      return
    }
    // It has come back by itself, and nobody is taken into it.
    if (this.closing !== null && !closed && this.closeAgain()) return
    const held = this.page.activeElement
    const isByButton = held?.matches(BUTTON) && ["Enter", " "].includes(this.pressed)
    this.from = isByButton ? held : this.before
    // By mouse or finger the focus stays: on a phone it would bring up the keyboard. But a reason is
    // typed next where an item is flagged by mouse, and its letters would be the desk's keys.
    const isReason = this.pressed === "pointer" && this.isFlagByMouse && Boolean(this.page.querySelector(`${FLAG_BUTTON}[aria-expanded=true]`))
    if (isReason || held?.matches(`:is(${BUTTON}):focus-visible`)) enterPopover(box, this.page, isReason)
  }

  /** A key, before anything else on the page has it. F leads back into a flag's box that is open. */
  heard(event) {
    const { key, target, altKey, ctrlKey, metaKey } = event
    this.pressed = key
    // These keys open a box, or lead to an item that may come with one.
    if (["Enter", " ", "f", "F"].includes(key)) this.letOpen()
    if (key === "Escape" && this.page.querySelector(BOX) && !this.page.querySelector(CHOOSES)) this.keepClosed()
    if (this.waitsForField(event) || this.staysInFlag(event)) {
      event.preventDefault()
      event.stopPropagation() // the page's own buttons have such letters for shortcuts
      return
    }
    if (key.toLowerCase() !== "f" || altKey || ctrlKey || metaKey || target.closest?.(FIELD)) return
    const field = this.page.querySelector(FLAG_BOX)?.querySelector(FIELD)
    if (!field) return
    event.preventDefault()
    field.focus()
  }

  /** What is typed while the field of a flag's box is on its way can neither be sent yet nor left by Tab. */
  waitsForField({ key, target, isComposing }) {
    if (!target.matches?.(`.${DRAFT}`) || isComposing || !["Enter", "Tab"].includes(key)) return false
    if (key === "Enter") refuseKey("the form for the flag is not here yet")
    return true
  }

  /** Tab goes round in a flag's box in which something is written: the way out is Esc, or sending it. */
  staysInFlag({ key, shiftKey, altKey, ctrlKey, metaKey, target }) {
    const box = target.closest?.(FLAG_BOX)
    if (key !== "Tab" || altKey || ctrlKey || metaKey || !box || !isWritten(box)) return false
    const stops = [...box.querySelectorAll(`${FIELD}, button`)].filter((one) => one.checkVisibility() && !one.disabled)
    const last = shiftKey ? stops[0] : stops.at(-1)
    if (target !== last) return false
    ;(shiftKey ? stops.at(-1) : stops[0]).focus()
    return true
  }

  /**
   * A box that is closed at once, while the server still answers that it was opened, comes back with
   * that answer: it is closed again, unless a key or press meanwhile may have opened it.
   */
  keepClosed() {
    const since = Date.now()
    this.letOpen()
    this.closing = nameOf(this.expanded)
    this.keepsClosed = setInterval(() => {
      const waited = Date.now() - since
      if (waited > ANSWERED) this.letOpen()
      else if (waited >= 2 * OFTEN) this.closeAgain()
    }, OFTEN)
  }

  letOpen() {
    clearInterval(this.keepsClosed)
    this.closing = null
  }

  get expanded() {
    return this.page.querySelector(`:is(${BUTTON})[aria-expanded=true]`)
  }

  /** Presses the button of the box that was closed, if it is open, and returns whether it was; another box stays. */
  closeAgain() {
    const button = this.page.querySelector(BOX) && this.expanded
    const isOpen = Boolean(button) && nameOf(button) === this.closing
    if (isOpen) button.click()
    return isOpen
  }

  focused(target) {
    if (!target.matches(BUTTON) && !target.closest(BOX)) this.before = target
    // A closing box focuses its button later than it goes.
    else if (target.matches(BUTTON) && this.from && !["pointer", "Tab"].includes(this.pressed)) this.giveBack()
  }

  /** Tab past the end of a flag's box in which nothing is written closes it: it would cover the questions. */
  left({ target, relatedTarget }) {
    const box = target.closest?.(FLAG_BOX)
    if (!box || this.pressed !== "Tab" || box.contains(relatedTarget) || isWritten(box)) return
    this.expanded?.click()
  }

  giveBack() {
    const { page, from } = this
    const held = page.activeElement
    if (!from || held === from || !page.querySelector(DESK)) return
    if (held && held !== page.body && !held.matches(BUTTON)) return
    const next = from.isConnected && from !== page.body ? from : focusedFirst(page)
    next?.focus({ preventScroll: true })
    if (page.activeElement?.matches(BUTTON)) page.activeElement.blur()
  }

  end() {
    this.letOpen()
    this.drawn.disconnect()
  }
}

/** What tells the box of a button from others, whenever it is drawn: the key that the page gave it. */
const nameOf = (button) => /st-key-\S+/u.exec(button?.closest('[class*="st-key-"]')?.className ?? "")?.[0] ?? ""

const isWritten = (box) => [...box.querySelectorAll(FIELD)].some(({ value }) => value?.trim())

/**
 * Focuses the box at once, and its first field as soon as it is drawn, if the focus is still there. With `isReason`
 * one can write before that, however long the server needs: the field then begins with what was written.
 */
export function enterPopover(box, page = document, isReason = false) {
  box.tabIndex = -1
  box.style.outline = "none"
  const draft = isReason && !box.querySelector(FIELD) ? drawDraft(box, page) : null
  ;(draft ?? box).focus({ preventScroll: true })
  let isComposing = false
  const enter = () => {
    const field = box.querySelector(FIELD)
    if (!field || isComposing) return
    drawn.disconnect()
    if ([box, draft].includes(page.activeElement)) field.focus({ preventScroll: true })
    const written = draft?.value
    draft?.remove()
    if (!written) return
    field.value += written
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const drawn = new MutationObserver(enter)
  // A letter of several keys is waited for: it would end with the field that it is written in.
  draft?.addEventListener("compositionstart", () => (isComposing = true))
  draft?.addEventListener("compositionend", () => {
    isComposing = false
    enter()
  })
  drawn.observe(box, { childList: true, subtree: true })
  enter()
}

/** A field of the browser's own: it knows what Backspace, accents, a paste or another keyboard write. */
function drawDraft(box, page) {
  const draft = page.createElement("input")
  Object.assign(draft, { type: "text", className: DRAFT, autocomplete: "off" })
  draft.setAttribute("aria-label", "Reason")
  Object.assign(draft.style, { width: "100%", boxSizing: "border-box", padding: "0.5rem 0.75rem", font: "inherit", color: "inherit", background: "transparent", border: "1px solid", borderRadius: "0.5rem" })
  box.append(draft)
  return draft
}
