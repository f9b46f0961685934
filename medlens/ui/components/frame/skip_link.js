// The first thing that Tab reaches on every page: a button that leads past the page's lines, to the
// first answer where something is judged, else to what the page says.

const ANSWERS = [
  ".maf-fields :is(input, textarea, button)",
  ".msd-choices input",
  ".mlt:not(.is-readonly) .mlt-text",
]
const CONTENT = ['[data-testid="stLayoutWrapper"]:has(> .st-key-rail_body)', '[data-testid="stMainBlockContainer"]']

const inSight = (node) => !node.matches(":disabled") && node.checkVisibility({ visibilityProperty: true })

/** The first control that answers what is judged; null on a page where nothing is. */
export function firstAnswer(page = document) {
  for (const kind of ANSWERS) {
    const node = [...page.querySelectorAll(kind)].find(inSight)
    // Of choices of which one is taken, that one has the focus.
    if (node) return node.closest("fieldset")?.querySelector("input:checked") ?? node
  }
  return null
}

export class SkipLink {
  constructor(page = document) {
    this.page = page
    this.button = page.createElement("button")
    Object.assign(this.button, { type: "button", className: "mlf-skip" })
    // Until the style sheet has loaded.
    Object.assign(this.button.style, { position: "fixed", top: "-10rem" })
    this.button.addEventListener("click", () => this.go())
    // Streamlit would press Submit too, whose key is Enter.
    this.button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      event.stopPropagation()
      this.go()
    })
    this.name()
    page.body.prepend(this.button)
  }

  /** Says where it leads, now. */
  name() {
    this.button.textContent = firstAnswer(this.page) ? "Skip to the first answer" : "Skip to the content"
  }

  go() {
    const answer = firstAnswer(this.page)
    const target = answer ?? CONTENT.map((kind) => this.page.querySelector(kind)).find(Boolean)
    if (!target) return
    if (!answer) target.tabIndex = -1
    target.scrollIntoView({ block: "nearest" })
    target.focus()
  }

  end() {
    this.button.remove()
  }
}
