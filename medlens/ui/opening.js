// Stands in the page itself, before Streamlit's script, and spares it questions to the server.
{
  const stored = (place) => {
    try {
      return window[place].getItem("medlens_person")
    } catch {
      return "" // Storage is switched off.
    }
  }
  // Streamlit asks this as it starts, and the first answer in a page takes long: here it costs only
  // time in which its files are still on their way.
  setTimeout(() => Intl.DateTimeFormat.supportedLocalesOf([navigator.language]))
  // Otherwise Streamlit first looks for its server below the page's own address, in vain.
  window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href }
  // With a configuration here it connects at once, where it would otherwise first ask the server for
  // one. The list may not be empty; nobody can have this origin.
  if ("known" in document.documentElement.dataset) {
    window.__streamlit.HOST_CONFIG = { allowedOrigins: ["https://nobody.invalid"], useExternalAuthToken: false }
  }
  // A file of the page that did not come (the server is only starting, the line broke) would leave it white: it
  // loads itself again once and, if that does not help, says so.
  const RELOADED = "medlens_reloaded"
  const SOON = 1000 // ms: at once, the same would happen again
  const LATELY = 60_000 // ms since it last loaded itself again
  const REPORT = "position:fixed;inset:0;display:flex;flex-direction:column;gap:1rem;align-items:center;justify-content:center;"
    + "text-align:center;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark;color:CanvasText;background:Canvas"
  let failed = false
  const isDrawn = () => Boolean(document.getElementById("root")?.firstElementChild)
  const reportNotLoaded = () => {
    const report = document.createElement("div")
    report.setAttribute("role", "alert")
    report.style.cssText = REPORT
    const words = document.createElement("p")
    words.textContent = "MedLens could not be loaded: a part of the page did not arrive."
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = "Reload"
    button.style.cssText = "font:inherit;padding:.4rem 1.2rem"
    button.addEventListener("click", () => location.reload())
    report.append(words, button)
    document.body.append(report)
    document.title = "MedLens could not be loaded"
    button.focus()
  }
  const recover = () => {
    if (failed || isDrawn()) return
    failed = true
    setTimeout(() => {
      let isFirst = false
      try {
        isFirst = Date.now() - Number(sessionStorage.getItem(RELOADED)) > LATELY
        sessionStorage.setItem(RELOADED, String(Date.now()))
      } catch {
        // Storage is switched off: it could not know that it has tried.
      }
      if (isFirst) location.reload()
      else reportNotLoaded()
    }, SOON)
  }
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet")) recover()
  }, true)
  addEventListener("vite:preloadError", recover)
  // Who works in this tab (`person_tab.js` keeps it) is said on connecting: one run of the page less.
  window.WebSocket = class extends WebSocket {
    constructor(address, protocols) {
      const there = new URL(address)
      there.searchParams.set("tab", stored("sessionStorage") || stored("localStorage") || "")
      super(there, protocols)
    }
  }
  // Streamlit makes a step for Back of every change of the address, its own corrections included: one
  // could not go back past a page that completes its address. A step is what follows a press.
  let pressed = false
  let stepped = -Infinity
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => { pressed = true }, true)
  const push = history.pushState.bind(history)
  const view = () => location.pathname + location.search
  let shown = view()
  history.pushState = (state, title, address) => {
    const target = new URL(address ?? location.href, location.href)
    if (pressed && target.href !== location.href) {
      push(state, title, address)
      stepped = performance.now()
    } else {
      history.replaceState(state, title, address)
    }
    pressed = false
    shown = view()
  }
  // The server keeps what it has just put in the address (`page_address.py`), unless it hears that
  // somebody went back: it takes this out of the address again.
  const KEEPS = 3000 // ms
  addEventListener("popstate", () => {
    pressed = false
    // A link to a place on the page is no way back.
    const isSameView = view() === shown
    shown = view()
    if (isSameView || performance.now() - stepped > KEEPS) return
    const address = new URL(location.href)
    address.searchParams.set("went_back", "1")
    history.replaceState(history.state, "", address)
  }, true)
}
