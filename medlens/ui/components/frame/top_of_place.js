// Streamlit keeps how far the page is scrolled where only the query of the address changes. A new view
// that is drawn before the old one goes would then begin in its middle: on a phone, below its head.

const SCROLLER = '[data-testid="stMain"]'
const PARTS = ["study", "task", "dataset", "view", "section"] // the rest of a query is a place within the page

let before = null // the place that was open last; pages share it, though each mounts a frame of its own

/** What tells one place from another: the page's path and the parts of its query that change all of it. */
export function nameOfPlace({ pathname, search }) {
  const query = new URLSearchParams(search)
  return [pathname, ...PARTS.map((part) => query.get(part))].join("\n")
}

/** Scrolls to the top if another place is open than at the last call; returns whether it is another of the same page. */
export function beginAtTop(place, page = document) {
  if (before !== null && before !== place) page.querySelector(SCROLLER)?.scrollTo({ top: 0 })
  const isOfSamePage = before !== null && before !== place && before.split("\n")[0] === place.split("\n")[0]
  before = place
  return isOfSamePage
}
