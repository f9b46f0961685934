// What the keys do, and the list of them that `?` shows.

import { isCovered, isTextField, isUnderDialog } from "../shared/dom.js";
import { ORDER, listenToKeyboard, refuseKey } from "../shared/keyboard.js";
import { ofMarks } from "../shared/passages.js";

/** By group: a key, what it does, and when it is useless: if labels are "fixed" or "grow". */
export const HELP = [
  ["In the text", [
    ["← →", "word by word"],
    ["↑ ↓", "sentence by sentence"],
    ["Shift + arrow", "extend the selection"],
    ["Alt + Shift + ← →", "extend by one character"],
    ["1 – 9", "give the selected words a label; again to remove it"],
    ["1 – 9 first", "every selection gets the label, until Esc or the same key"],
    ["C", "find a code by its letters, or name a new one (Shift + Enter where another fits)", ["fixed"]],
    ["Enter", "open the mark under the cursor: comment, link, labels"],
    ["Delete", "remove the mark under the cursor"],
    ["N  P", "next, previous mark"],
    ["Alt while selecting", "exact characters instead of whole words"],
  ]],
  ["The item", [
    ["Ctrl + Enter", "submit, from anywhere"],
    ["Enter", "submit, when no words are selected"],
    ["J  K", "next, previous item"],
    ["S", "skip", ["grow"]],
    ["F", "flag, with a reason", ["grow"]],
    ["Ctrl + Z", "undo"],
    ["Ctrl + Shift + Z, Ctrl + Y", "redo"],
    ["Esc", "close, or clear the selection"],
    ["?", "this list"],
  ]],
];

const NAMED = {
  ArrowRight: (act, event) => act.moveWord(1, event),
  ArrowLeft: (act, event) => act.moveWord(-1, event),
  ArrowDown: (act, event) => act.moveSentence(1, event),
  ArrowUp: (act, event) => act.moveSentence(-1, event),
  Delete: (act) => act.removeActive(),
  Backspace: (act) => act.removeActive(),
  Enter: (act) => act.enter(),
  Escape: (act) => act.escape(),
  n: (act) => act.jump(1),
  p: (act) => act.jump(-1),
  c: (act) => (act.t.data.grows ? act.t.labels.finder.reach() : act.t.refuse("no label can be added here")),
  j: (act) => act.t.leaving.go("next"),
  k: (act) => act.t.leaving.go("previous"),
  s: (act) => act.t.leaving.go("skip"),
  f: (act) => act.t.leaving.flag(),
  "?": (act) => act.t.leaving.help(),
};

const CONTROLS = "button, a, summary, input, [role=radio], [role=tab]"; // their Enter and arrows are their own
const INSIDE_TEXT = new Set(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"]);

/**
 * Sends `editing` the keys pressed on the surface, or anywhere outside a text field. `among` other
 * things on a page it gets only the former; the page has the rest.
 */
export function listenToKeys(editing, signal) {
  const { t } = editing;
  const heard = (event) => {
    if (!t.data || t.dialog || event.defaultPrevented || !t.wrap.offsetParent) return;
    const { target } = event;
    const mine = t.wrap.contains(target);
    if (mine ? isUnderDialog(t.wrap) : t.data.among || isTextField(target) || isCovered()) return;
    const where = !mine ? (target.closest?.(CONTROLS) ? "control" : "page") : isTextField(target) ? "field" : target === t.box ? "text" : "control";
    const group = where === "control" && target.closest(".mlt-labels, .mlt-menu, .mlt-picks");
    const used = group && event.key.startsWith("Arrow") ? rove(group, target, event.key) : press(event, where, editing);
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  };
  listenToKeyboard(ORDER.surface, heard, signal);
}

function rove(group, target, key) {
  const buttons = [...group.querySelectorAll("button:not([hidden])")];
  const step = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  buttons[(buttons.indexOf(target) + step + buttons.length) % buttons.length]?.focus();
  return true;
}

/**
 * Runs the key's action; true if the key was ours. `where` is "text" (the response has the focus),
 * "field" (a text field), "control" (a button or link) or "page" (nothing has it).
 */
function press(event, where, act) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.isComposing) return false;
  if (act.t.turning.to) {
    if (where === "field") return false;
    if (NAMED[key] || /^[1-9]$/.test(key)) refuseKey("the next item is not here yet");
    return true;
  }
  if (act.t.data.pane && !ofMarks(event)) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key === "Enter") act.t.submit();
    else if (where === "field") return false;
    else if (key === "z") act.undo(event.shiftKey ? "redo" : "undo");
    else if (key === "y") act.undo("redo");
    else return false;
    return true;
  }
  if (key === "Escape") return event.target.closest?.(".mlt-finder") ? act.t.labels.finder.leave() : act.escape();
  if (where === "field") return false;
  // Among other things the page takes keys itself: all if the text is read-only, else J and K.
  const { among, readonly } = act.t.data;
  if (among && (readonly ? key.length === 1 : key === "j" || key === "k")) return false;
  if (/^[1-9]$/.test(key) && !event.altKey) {
    act.label(Number(key), event);
    return true;
  }
  if (where !== "text" && INSIDE_TEXT.has(key)) return where === "page" && run(key, event, act);
  if (where === "control" && ["Enter", "Delete", "Backspace"].includes(key)) return false;
  if (NAMED[key] && (!event.altKey || INSIDE_TEXT.has(key))) return run(key, event, act);
  // Other plain letters do nothing, and must not reach Streamlit's own shortcuts (r, c).
  return /^\p{L}$/u.test(key) && !event.altKey;
}

function run(key, event, act) {
  NAMED[key](act, event);
  return true;
}
