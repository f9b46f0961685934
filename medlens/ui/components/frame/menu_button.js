// The button that opens the folded menu: it stands fixed at the top, so it goes out of sight while one
// scrolls down and what is read or pressed comes under it, and is back at the top or on scrolling up;
// in a narrow window, where it would lie over the first words of lines, at the top alone.

const SCROLLER = '[data-testid="stMain"]'
const NEAR_TOP = 24 // px: so far down nothing has come under the button
const NARROW = 768 // px
const A_STEP = 8 // px upwards, from which on it is meant and no tremor of the finger

/** Whether the button is out of sight at `top` px; `before`: {top, hidden}, as it was last. */
export function isMenuButtonHidden(top, before, narrow = false) {
  if (top <= NEAR_TOP) return false
  if (narrow) return true
  if (top > before.top) return true
  return before.top - top >= A_STEP ? false : before.hidden
}

export class MenuButton {
  constructor(page = document, signal) {
    Object.assign(this, { page, last: { top: 0, hidden: false } })
    page.addEventListener("scroll", ({ target }) => {
      if (target instanceof Element && target.matches(SCROLLER)) this.look(target)
    }, { capture: true, passive: true, signal })
  }

  /** Shows or hides it as the page stands now: another page begins at its top without a scroll. */
  look(scroller = this.page.querySelector(SCROLLER)) {
    const top = scroller?.scrollTop ?? 0
    const hidden = isMenuButtonHidden(top, this.last, innerWidth <= NARROW)
    // A slow way up counts as a whole.
    if (hidden !== this.last.hidden || top > this.last.top || top <= NEAR_TOP || this.last.top - top >= A_STEP) this.last = { top, hidden }
    this.page.documentElement.toggleAttribute("data-menu-button-hidden", hidden)
  }

  end() {
    this.page.documentElement.removeAttribute("data-menu-button-hidden")
  }
}
