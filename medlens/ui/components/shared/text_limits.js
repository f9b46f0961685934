// Says in words when a field for text is nearly full, and what a paste left out: a browser cuts it
// without a word. One listener for the whole page, whichever component brought it.

import { el } from "./dom.js";

const NEAR = 0.9; // the share of the limit from which the count is shown
const WATCHED = Symbol.for("medlens.text_limits"); // another component's copy of this file may have begun
const number = (count) => count.toLocaleString("en");

/** The field in which an event happened, if it has a limit and no counter of Streamlit's own. */
function limitedField(event) {
  const field = event.composedPath()[0];
  const own = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  if (!own || !(field.maxLength > 0) || field.closest('[data-testid^="stText"]')) return null;
  return field;
}

const notes = new WeakMap(); // field -> the sentence below it

function tell(field, words) {
  let note = notes.get(field);
  if (!note) {
    if (!words) return;
    note = el("p", { role: "status" });
    Object.assign(note.style, { margin: "0.25rem 0 0", fontSize: "0.8125rem", lineHeight: "1.35", flexBasis: "100%" });
    notes.set(field, note);
  }
  note.textContent = words;
  note.hidden = !words;
  if (!note.isConnected || note.previousElementSibling !== field) field.after(note);
}

/** What a paste of this length leaves out of a field, in characters. */
export function leftOut(field, pasted) {
  const selected = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0);
  return Math.max(0, field.value.length - selected + pasted - field.maxLength);
}

function onPaste(event) {
  const field = limitedField(event);
  if (!field || field.readOnly || field.disabled) return;
  const text = (event.clipboardData?.getData("text/plain") ?? "").replace(/\r\n?/g, "\n");
  const lost = leftOut(field, text.length);
  if (!lost) return;
  const kept = text.length - lost;
  const most = `This field takes ${number(field.maxLength)} characters`;
  const words = `${most}: the first ${number(kept)} of the ${number(text.length)} pasted were kept, the last ${number(lost)} were left out.`;
  // After the browser has cut it, and after what "input" says of the count.
  setTimeout(() => tell(field, words));
}

function onInput(event) {
  const field = limitedField(event);
  if (!field) return;
  const { length } = field.value;
  const near = length >= NEAR * field.maxLength && field.maxLength > 40;
  tell(field, near ? `${number(length)} of ${number(field.maxLength)} characters` : "");
}

/** Begins to say so on this page, once. */
export function watchTextLimits() {
  if (document[WATCHED]) return;
  document[WATCHED] = true;
  document.addEventListener("paste", onPaste, true);
  document.addEventListener("input", onInput, true);
}
