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
  // Who works in this tab (`person_tab.js` keeps it) is said on connecting: one run of the page less.
  window.WebSocket = class extends WebSocket {
    constructor(address, protocols) {
      const there = new URL(address)
      there.searchParams.set("tab", stored("sessionStorage") || stored("localStorage") || "")
      super(there, protocols)
    }
  }
}
