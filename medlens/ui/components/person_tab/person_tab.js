// Remembers who works in this tab: for the tab itself (survives a reload and a server restart), and
// for the browser, as the first suggestion in new tabs. Draws nothing.
const KEY = "medlens_person"

function stored(store) {
  try {
    return window[store].getItem(KEY) ?? ""
  } catch {
    return "" // Storage is switched off: the person is asked once per visit.
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

const PATIENCE = 1500 // ms before a retry: Streamlit may lose messages that arrive while it draws
const waiting = new WeakMap() // mount point -> the retry timer

function report(parentElement, person, setStateValue, attempt = 1) {
  setStateValue("tab", person)
  // Streamlit ignores a value that has not changed.
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
    // Another person: the page's fields still hold what the last one typed. Reload it.
    window.location.replace(window.location.pathname)
    return
  }
  // Reported once per mount even if the server knows: after a restart the new session gets it with
  // the very first message, before anything is drawn. Unless it is told on connecting (`opening.js`).
  if (!data.told && parentElement.medlensReported !== person) {
    parentElement.medlensReported = person
    clearTimeout(waiting.get(parentElement))
    report(parentElement, person, setStateValue)
  }
  if (data.settled) clearTimeout(waiting.get(parentElement))
  return () => clearTimeout(waiting.get(parentElement))
}
