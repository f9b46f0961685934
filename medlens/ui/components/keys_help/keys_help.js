// A button and the list of keys that it, or `?`, opens on top of the page.

import { isCovered, isTextField } from "../shared/dom.js"
import { ORDER, RULES, listenToKeyboard, takeUnheardKey } from "../shared/keyboard.js"

function list(rows) {
  const table = document.createElement("table")
  for (const [keys, what] of rows) {
    const row = table.insertRow()
    const head = document.createElement("th")
    for (const key of keys.split(" ")) {
      const cap = document.createElement("kbd")
      cap.textContent = key
      head.append(cap, " ")
    }
    row.append(head)
    row.insertCell().textContent = what
  }
  return table
}

function make(parent) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "mlk-open"
  button.append("Keys ")
  const cap = document.createElement("kbd")
  cap.textContent = "?"
  button.append(cap)

  const dialog = document.createElement("dialog")
  dialog.className = "mlk-list"
  dialog.setAttribute("aria-label", "Keys")
  const close = document.createElement("button")
  close.type = "button"
  close.textContent = "Close"
  close.addEventListener("click", () => dialog.close())
  const body = document.createElement("div")
  const rules = document.createElement("p")
  rules.textContent = RULES
  dialog.append(body, rules, close)
  // While the list is open, the keys that it names must not do anything.
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation()
    if (event.key === "?") dialog.close()
  })
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })

  const open = () => {
    if (!dialog.open) dialog.showModal()
  }
  button.addEventListener("click", open)
  const heard = new AbortController()
  const hear = (event) => {
    if (event?.key !== "?" || event.ctrlKey || event.metaKey || event.isComposing) return
    if (isTextField(event.target) || isCovered() || !button.isConnected) return
    event.preventDefault()
    event.stopPropagation()
    open()
  }
  listenToKeyboard(ORDER.help, hear, heard.signal)
  parent.append(button, dialog)
  // The desk hears its keys as soon as it is there, and this list may come a moment behind it.
  hear(takeUnheardKey())
  return { body, heard }
}

export default function ({ data, parentElement }) {
  parentElement.medlensKeys ??= make(parentElement)
  const { body, heard } = parentElement.medlensKeys
  body.replaceChildren(list(data.rows))
  return () => {
    heard.abort()
    parentElement.replaceChildren()
    parentElement.medlensKeys = undefined
  }
}
