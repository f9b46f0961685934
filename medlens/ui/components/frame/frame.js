// The palette that Ctrl+K opens on every page, with all places that the person may open; and the
// memory of whether the menu is open, for all pages of this browser.

import { ofKeys } from "../shared/dom.js"
import { ORDER, listenToKeyboard } from "../shared/keyboard.js"
import { markCurrentLink } from "./current_link.js"
import { DeskFocus } from "./desk_focus.js"
import { MOST, matchPlaces, moveChoice } from "./matching.js"
import { LinePerson } from "./line_person.js"
import { MenuButton } from "./menu_button.js"
import { MenuFocus } from "./menu_focus.js"
import { OpenCase } from "./open_case.js"
import { OpenView } from "./open_view.js"
import { PassedTables } from "./passed_tables.js"
import { PopoverFocus } from "./popover_focus.js"
import { SectionFocus } from "./section_focus.js"
import { SkipLink } from "./skip_link.js"
import { beginAtTop, nameOfPlace } from "./top_of_place.js"
import { letKeysScrollWideCharts } from "./wide_charts.js"

const COOKIE = "medlens_menu"
const A_YEAR = 365 * 24 * 3600 // seconds
const PHONE = 768 // px: there the menu lies over the page, and is always folded at first
const TYPING = 200 // ms from the last letter to asking the server for items
const TOGGLES = {
  open: '[data-testid="stExpandSidebarButton"]',
  folded: '[data-testid="stSidebarCollapseButton"]',
}

const CHOICE = '.stSidebar [data-testid="stPageLink-NavLink"]'

const isTextField = (target) => target instanceof Element && target.closest("input, textarea, [contenteditable=true]")

class Palette {
  constructor(parent) {
    Object.assign(this, { here: null, places: [], items: [], asked: "", shown: [], at: 0, timer: 0, send: null })
    this.listening = new AbortController()
    const { signal } = this.listening
    this.button = make("button", { type: "button", className: "mlf-open" })
    this.button.append(make("span", { textContent: "Go to …" }), make("kbd", { textContent: ofKeys("Ctrl+K") }))
    this.button.addEventListener("click", () => this.open())
    parent.append(this.button)
    this.skip = new SkipLink()
    this.menuButton = new MenuButton(document, signal)
    this.menuFocus = new MenuFocus(() => this.closeMenu())
    this.openView = new OpenView()
    this.linePerson = new LinePerson()
    this.openCase = new OpenCase(document, signal)
    this.tables = new PassedTables(document, signal)
    this.popovers = new PopoverFocus(document, signal)
    this.deskFocus = new DeskFocus()
    this.sectionFocus = new SectionFocus()
    // The menu is drawn before and after this, and again when counts of work change.
    this.drawn = new MutationObserver(() => this.here && markCurrentLink(this.here))
    const menu = parent.closest(".stSidebar")
    if (menu) this.drawn.observe(menu, { childList: true, subtree: true, attributeFilter: ["href"] })

    this.input = make("input", { type: "text", autocomplete: "off", spellcheck: false, placeholder: "Go to …" })
    set(this.input, { role: "combobox", "aria-label": "Go to", "aria-expanded": "true", "aria-controls": "mlf-places", "aria-autocomplete": "list" })
    this.list = make("ul", { id: "mlf-places" })
    set(this.list, { role: "listbox", "aria-label": "Places" })
    this.none = make("p", { textContent: "Nothing by this name." })
    set(this.none, { role: "status" })
    this.dialog = make("dialog", { className: "mlf-jump" })
    set(this.dialog, { "aria-label": "Go to" })
    this.dialog.append(this.input, this.list, this.none)
    // While it is closed it is not in the page, where its list would count as covering the desk.
    this.dialog.addEventListener("close", () => this.dialog.remove())
    // What is typed here is for nothing else on the page.
    for (const kind of ["keydown", "keyup", "keypress"]) this.dialog.addEventListener(kind, (event) => event.stopPropagation())
    this.dialog.addEventListener("click", (event) => {
      const place = event.target.closest("li")
      if (place) this.go(Number(place.dataset.at))
      else if (event.target === this.dialog) this.dialog.close()
    })
    this.input.addEventListener("input", () => this.typed())
    listenToKeyboard(ORDER.jump, (event) => this.heard(event), signal)
    listenToKeyboard(ORDER.slash, (event) => this.slash(event), signal)
    document.addEventListener("click", (event) => this.toggled(event), { capture: true, signal })
  }

  heard(event) {
    const { key } = event
    if (key === "Tab") this.skip.name()
    this.tables.heard(event)
    this.popovers.heard(event)
    if (!this.dialog.open && this.menuFocus.heard(event, innerWidth <= PHONE)) return
    if (!this.dialog.open) this.deskFocus.heard(event)
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === "k") {
      event.preventDefault()
      if (this.dialog.open) this.dialog.close()
      else this.open()
    } else if (this.dialog.open && !event.isComposing) {
      if (["ArrowDown", "ArrowUp"].includes(key)) {
        event.preventDefault()
        this.at = moveChoice(this.at, this.shown.length, key)
        this.mark()
      } else if (key === "Enter") {
        event.preventDefault()
        this.go(this.at)
      } else if (key === "Escape") {
        event.preventDefault()
        this.dialog.close()
      } else if (key === "Tab") event.preventDefault() // there is nothing else in it
    }
  }

  // Last of all: a desk that uses it has it.
  slash(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTextField(event.target) || document.querySelector("dialog[open]")) return
    event.preventDefault()
    this.open()
  }

  open() {
    if (this.dialog.open || document.querySelector("dialog[open], [role=dialog][aria-modal=true]")) return
    const { color, backgroundColor } = getComputedStyle(document.querySelector(".stApp") ?? document.body)
    this.dialog.style.setProperty("--mlf-text", color)
    this.dialog.style.setProperty("--mlf-back", backgroundColor)
    Object.assign(this, { items: [], asked: "" })
    this.input.value = ""
    // Not in the menu: what is folded away draws nothing.
    document.body.append(this.dialog)
    this.dialog.showModal()
    this.input.focus()
    this.draw()
  }

  typed() {
    this.draw()
    clearTimeout(this.timer)
    const text = this.input.value.trim()
    if (text.length < 2) return
    this.timer = setTimeout(() => {
      this.asked = text
      this.send("find", text)
    }, TYPING)
  }

  update({ places, found, about, here }, send) {
    Object.assign(this, { places, send, here })
    markCurrentLink(here)
    if (beginAtTop(nameOfPlace(location))) this.sectionFocus.seek()
    this.menuButton.look()
    this.openView.look()
    letKeysScrollWideCharts()
    if (about !== this.asked) return
    this.items = found
    if (this.dialog.open) this.draw()
  }

  draw() {
    const chosen = this.shown[this.at]?.id
    const text = this.input.value.trim()
    this.shown = [...matchPlaces(this.places, text), ...(text === this.asked ? this.items : [])]
    this.at = text ? Math.max(0, this.shown.findIndex(({ id }) => id === chosen)) : 0
    this.list.replaceChildren(...this.shown.map(({ label, kind }, at) => {
      const row = make("li", { id: `mlf-${at}` })
      row.setAttribute("role", "option")
      row.dataset.at = at
      row.append(make("span", { textContent: label }), make("span", { textContent: kind }))
      return row
    }))
    // What is cut off is told: who reads the list would think that it is all.
    this.none.textContent = this.shown.length ? `The first ${MOST}. Type a piece of a name to find the others.` : "Nothing by this name."
    this.none.hidden = this.shown.length > 0 && this.shown.length < MOST
    this.mark()
  }

  mark() {
    for (const [at, row] of [...this.list.children].entries()) row.setAttribute("aria-selected", String(at === this.at))
    const row = this.list.children[this.at]
    if (row) this.input.setAttribute("aria-activedescendant", row.id)
    else this.input.removeAttribute("aria-activedescendant")
    row?.scrollIntoView({ block: "nearest" })
  }

  go(at) {
    const place = this.shown[at]
    if (!place) return
    this.dialog.close()
    if (innerWidth <= PHONE) foldMenu()
    this.send("go", place.id)
  }

  toggled(event) {
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest(CHOICE) && innerWidth <= PHONE) {
      // Once the press has led to the page: it is the menu that lies over what was chosen.
      setTimeout(foldMenu)
      return
    }
    // A press of ours: the server knows nothing of it, as the page that was chosen is on its way.
    if (target?.closest(TOGGLES.folded) && !event.isTrusted) return
    const now = Object.keys(TOGGLES).find((state) => target?.closest(TOGGLES[state]))
    if (!now) return
    this.menuFocus.toggled(now, event.detail === 0) // a press by key is no click of a pointer
    this.remember(now)
  }

  closeMenu() {
    foldMenu()
    this.remember("folded")
  }

  /** Whether the menu is open is for all pages or, where it lies over them, for this one. */
  remember(now) {
    if (innerWidth > PHONE) document.cookie = `${COOKIE}=${now}; path=/; max-age=${A_YEAR}; samesite=strict`
    this.send("menu", innerWidth > PHONE ? now : `${now} here`)
  }

  end() {
    clearTimeout(this.timer)
    this.listening.abort()
    this.dialog.remove()
    this.button.remove()
    this.skip.end()
    this.menuButton.end()
    this.menuFocus.end()
    this.popovers.end()
    this.deskFocus.end()
    this.sectionFocus.end()
    this.openView.end()
    this.linePerson.end()
    this.openCase.end()
    this.drawn.disconnect()
  }
}

function foldMenu() {
  const box = document.querySelector('.stSidebar[data-collapsed="false"] [data-testid="stSidebarCollapseButton"]')
  const button = box?.matches("button") ? box : box?.querySelector("button")
  button?.click()
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties)
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}

const mounted = new WeakMap() // mount point -> Palette; the default export is called on every change

export default function ({ data, parentElement, setTriggerValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, new Palette(parentElement))
  const palette = mounted.get(parentElement)
  palette.update(data, setTriggerValue)
  return () => {
    palette.end()
    mounted.delete(parentElement)
  }
}
