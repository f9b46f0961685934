// A box that a button of the page opens (the guideline, a question to the lead, filters) takes the
// focus if it was opened by key: Streamlit leaves it on the button, and puts the box behind all else,
// so that what is typed would go to the desk. Esc gives the focus back.

const BOX = '[data-testid="stPopoverBody"]'
const BUTTON = '[data-testid="stPopover"] button'
const FIELD = "input:not([type=hidden]), textarea, [contenteditable=true]"
const PATIENCE = 3_000 // ms until what the server draws into the box is there

/** Moves the focus into a box that opens on the page, from now on; returns what ends it. */
export function moveFocusIntoPopovers(page = document) {
  const entered = new WeakSet()
  const look = () => {
    const box = page.querySelector(BOX)
    if (!box || entered.has(box)) return
    entered.add(box)
    // By mouse or finger the focus stays: on a phone it would bring up the keyboard.
    if (page.activeElement?.matches(`:is(${BUTTON}):focus-visible`)) enterPopover(box, page)
  }
  const opened = new MutationObserver(look)
  opened.observe(page.body, { childList: true, subtree: true })
  return opened
}

/** Focuses the box at once, and its first field as soon as it is drawn, if the focus is still there. */
export function enterPopover(box, page = document) {
  box.tabIndex = -1
  box.style.outline = "none"
  box.focus({ preventScroll: true })
  const field = () => {
    const found = box.querySelector(FIELD)
    if (found && page.activeElement === box) found.focus({ preventScroll: true })
    return Boolean(found)
  }
  if (field()) return
  const drawn = new MutationObserver(() => (field() || !box.isConnected) && drawn.disconnect())
  drawn.observe(box, { childList: true, subtree: true })
  setTimeout(() => drawn.disconnect(), PATIENCE)
}
