// The keys of the desk. Those for the source (N, P, M, O, /) belong to the reader.

import { isCovered, isTextField, isUnderDialog } from "../shared/dom.js";
import { ORDER, leaveBar, listenToKeyboard } from "../shared/keyboard.js";

const READERS = "npmo";
const OF_CONTROLS = /^(Enter|Arrow.*)$/;
const MOVES = {
  Enter: (desk) => desk.enter(),
  j: (desk) => desk.go("next"),
  k: (desk) => desk.go("previous"),
  s: (desk) => desk.go("skip"),
  f: (desk) => desk.flag(),
  w: (desk) => desk.form.reason.focus(),
};
// Only for a whole answer, with its statements and sources.
const WITHIN = {
  ArrowDown: (desk) => desk.turnTo(1, 0),
  ArrowUp: (desk) => desk.turnTo(-1, 0),
  ArrowRight: (desk) => desk.turnTo(0, 1),
  ArrowLeft: (desk) => desk.turnTo(0, -1),
  a: (desk) => desk.unfold(),
  r: (desk) => desk.reveal(),
};

const CONTROLS = "button, a, summary, input, [role=radio], [role=tab]"; // their Enter and arrows are their own

/** Sends the desk the keys pressed in it, or anywhere outside a text field. */
export function listenToKeys(desk, signal) {
  const heard = (event) => {
    const { target } = event;
    if (!desk.data || desk.dialog || event.defaultPrevented || event.isComposing || !desk.wrap.offsetParent) return;
    const mine = desk.wrap.contains(target);
    if (mine ? isUnderDialog(desk.wrap) : isTextField(target) || isCovered()) return;
    if (!mine && OF_CONTROLS.test(event.key) && !event.ctrlKey && !event.metaKey && target.closest?.(CONTROLS)) return;
    if (!press(event, desk)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  listenToKeyboard(ORDER.surface, heard, signal);
}

/** Runs a key's action; true if the key was ours. */
function press(event, desk) {
  const { target } = event;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const typing = isTextField(target);
  if (event.ctrlKey || event.metaKey) {
    if (key === "Enter") {
      if (typing) target.blur(); // the next Enter is the bar's, not the text's
      desk.enter();
    }
    else if (key === "z" && !typing && !event.shiftKey) desk.undo();
    else return false;
    return true;
  }
  if (typing || event.altKey) return false;
  if (key === "Enter" && target.closest?.("button, a")) return false;
  if (/^[1-9]$/.test(key)) {
    const choice = desk.data.choices[Number(key) - 1];
    if (choice) {
      desk.choose(choice[0], key);
      leaveBar();
    } else desk.refuse(`no answer has the key ${key}`);
    return true;
  }
  // In the answers, arrows go from one to the next.
  if (key.startsWith("Arrow") && target.matches?.("[type=radio]")) return false;
  if (desk.shown.item.answer && WITHIN[key]) {
    WITHIN[key](desk);
    return true;
  }
  // A key held down submits once, or moves by one item.
  if (MOVES[key] && !event.repeat) MOVES[key](desk);
  // Other plain letters do nothing, and must not reach Streamlit's own shortcuts (r, c).
  return Boolean(MOVES[key]) || (/^\p{L}$/u.test(key) && !READERS.includes(key));
}
