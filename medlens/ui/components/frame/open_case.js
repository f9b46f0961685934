// The case of a dialogue is folded to what a rater needs first. Whoever opens it finds it open at the next
// dialogue too, and after a reload, until they fold it again: for as long as they work in this tab.

export const FOLD = "details.mla-fold"
const KEPT = "medlens:case"

export class OpenCase {
  constructor(page, signal) {
    this.page = page
    this.known = null // the fold that has its state already
    page.addEventListener("toggle", ({ target }) => {
      if (target === this.known) sessionStorage.setItem(KEPT, target.open ? "open" : "folded")
    }, { capture: true, signal }) // it does not bubble
    this.drawn = new MutationObserver(() => this.look())
    this.drawn.observe(page.body, { childList: true, subtree: true })
    this.look()
  }

  look() {
    const fold = this.page.querySelector(FOLD)
    if (fold === this.known) return
    this.known = fold
    if (fold) fold.open = sessionStorage.getItem(KEPT) === "open"
  }

  end() {
    this.drawn.disconnect()
  }
}
