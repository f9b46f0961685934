// Passes a tap on a chart's mark to plotly as a click. Plotly takes every touch for the start of a
// drag and would keep a phone from scrolling past a chart, so its drag layer is switched off there,
// and with it its own clicks. In a narrow window a mark's details appear below its chart and are
// scrolled into view. Draws nothing.
const TOUCH = "(hover: none) and (pointer: coarse)"
const LIST = ".st-key-figures-list"

function tapped(event) {
  if (!event.isTrusted || !window.matchMedia(TOUCH).matches) return
  const plot = event.target.closest?.(".js-plotly-plot")
  const layer = plot?.querySelector(".draglayer .nsewdrag")
  if (!layer) return
  const { left, right, top, bottom } = layer.getBoundingClientRect()
  const { clientX, clientY } = event
  if (clientX < left || clientX > right || clientY < top || clientY > bottom) return
  const at = { bubbles: true, cancelable: true, view: window, clientX, clientY, button: 0 }
  layer.dispatchEvent(new MouseEvent("mousemove", at))
  // Plotly determines the mark only after the pointer has rested for a moment.
  setTimeout(() => {
    layer.dispatchEvent(new MouseEvent("mousedown", { ...at, buttons: 1 }))
    document.dispatchEvent(new MouseEvent("mouseup", at))
  }, 120)
}

const SCROLLER = '[data-testid="stMain"]'

let last
let scrolls = []
let scrolled = null // the element that the last scroll to a list moves, perhaps still

// Whoever touches, scrolls or types again has gone on: the page is not moved under them.
const GOES_ON = ["pointerdown", "wheel", "touchstart", "keydown"]

function letGo() {
  scrolls.forEach(clearTimeout)
  scrolls = []
  // A scroll that has begun ends where it is: it would close the menu that is being opened.
  scrolled?.scrollTo({ top: scrolled.scrollTop, behavior: "instant" })
  scrolled = null
}

function follow(mark) {
  // A link that names a mark opens at the chart, as it was sent. The page is long enough to scroll
  // only once the list, which loads piece by piece, is there.
  if (last !== undefined && mark && mark !== last) {
    letGo()
    scrolls = [300, 900, 1800].map((ms) => setTimeout(show, ms))
  }
  last = mark
}

function isInSight(list) {
  return list.getBoundingClientRect().top < window.innerHeight * 0.6
}

// Once the list was in sight, whatever scrolls the page (a screen reader, a search, a script) has
// gone on, too.
function settle() {
  const list = document.querySelector(LIST)
  if (list && isInSight(list)) letGo()
}

function show() {
  const list = document.querySelector(LIST)
  if (!list) return
  if (isInSight(list)) return letGo()
  list.style.scrollMarginTop = "4rem"
  list.scrollIntoView({ behavior: "smooth", block: "start" })
  scrolled = document.querySelector(SCROLLER)
  scrolled?.addEventListener("scrollend", settle, { once: true })
}

export default function ({ data }) {
  follow(data.mark)
  document.addEventListener("click", tapped, true)
  for (const one of GOES_ON) document.addEventListener(one, letGo, { capture: true, passive: true })
  return () => {
    document.removeEventListener("click", tapped, true)
    for (const one of GOES_ON) document.removeEventListener(one, letGo, true)
  }
}
