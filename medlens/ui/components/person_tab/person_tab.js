// Keeps who works in this tab: for the tab itself (survives a reload and a restart of the server),
// and, as the first suggestion for new tabs, for the browser. It draws nothing.
const KEY = "medlens_person"

function stored(store) {
  try {
    return window[store].getItem(KEY) ?? ""
  } catch {
    return "" // Storage is switched off: the person is asked for once per visit.
  }
}

function keep(store, person) {
  try {
    if (person) window[store].setItem(KEY, person)
    else window[store].removeItem(KEY)
  } catch {
    // As above.
  }
}

const PATIENCE = 1500 // ms until it is said again: Streamlit may lose what comes while it draws
const waiting = new WeakMap() // mount point -> the timer of the next time

function report(parentElement, person, setStateValue, attempt = 1) {
  setStateValue("tab", person)
  // Said a second time, the same value would be no news.
  if (attempt > 1) setStateValue("attempt", attempt)
  waiting.set(parentElement, setTimeout(() => report(parentElement, person, setStateValue, attempt + 1), PATIENCE))
}

export default function ({ data, parentElement, setStateValue }) {
  let person = data.person
  if (!data.settled) {
    person = stored("sessionStorage") || stored("localStorage")
  } else if (stored("sessionStorage") !== person) {
    keep("sessionStorage", person)
    keep("localStorage", person)
  }
  if (data.reload) {
    // Another person: what the last one typed still stands in the page's fields. Start it afresh.
    window.location.replace(window.location.pathname)
    return
  }
  // Reported once per mount even when the server knows: after a restart the new session is told
  // with the very first message, before anything is drawn.
  if (parentElement.medlensReported !== person) {
    parentElement.medlensReported = person
    clearTimeout(waiting.get(parentElement))
    report(parentElement, person, setStateValue)
  }
  if (data.settled) clearTimeout(waiting.get(parentElement))
  return () => clearTimeout(waiting.get(parentElement))
}
