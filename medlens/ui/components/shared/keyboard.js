// The page's one keyboard: a single window listener, which asks each component in a fixed order, and
// the one rule for a key that answers or leaves an item. Every component is served with its own copy
// of this module, so the listener and its list stand on the window.

const KEYBOARD = Symbol.for("medlens.keyboard");

/** Who is asked first, whatever is mounted first: the form decides for the conversation beside it. */
export const ORDER = { jump: -2, image: -1, form: 0, conversation: 1, surface: 2, nextItem: 3, source: 4, slash: 5, help: 6 };

/**
 * Calls `heard` with the keys that nobody before it in the order has used (`preventDefault`). It may
 * return why it has no use for a key of its own: the words are shown if nobody else uses it.
 * `page` is the window: another one in tests.
 */
export function listenToKeyboard(order, heard, signal, page = window) {
  const keyboard = (page[KEYBOARD] ??= begin(page));
  const listener = { order, heard };
  keyboard.push(listener);
  keyboard.sort((left, right) => left.order - right.order);
  signal.addEventListener("abort", () => keyboard.splice(keyboard.indexOf(listener), 1));
}

function begin(page) {
  const listeners = [];
  page.addEventListener("keydown", (event) => {
    Object.assign(listeners, { pressed: event, told: false });
    let why = "";
    for (const { heard } of [...listeners]) {
      if (event.defaultPrevented) break;
      const words = heard(event);
      why ||= words ?? "";
    }
    listeners.unheard = event.defaultPrevented || why ? null : event;
    if (why && !event.defaultPrevented) refuseKey(why);
    // The words about an earlier key end with the first one that is used.
    else if (event.defaultPrevented && !event.repeat && !listeners.told && listeners.standing) tellWhy("");
    listeners.pressed = null;
    // The browser still does what the key does there; only the page's own shortcuts do not hear of it.
    if (!event.defaultPrevented && isOfFocus(event)) event.stopPropagation();
  }, { capture: true });
  return listeners;
}

const LATE = 5_000; // ms: whoever pressed a key longer ago expects nothing of it any more

/**
 * The last key's event, if nobody used it or said why not, and it is given once; null otherwise. A
 * component that comes behind the others may have been asked for by it.
 */
export function takeUnheardKey(page = window) {
  const event = page[KEYBOARD]?.unheard;
  if (!event) return null;
  page[KEYBOARD].unheard = null;
  return performance.now() - event.timeStamp < LATE ? event : null;
}

const BAR = ".mdb, .st-key-desk_bar";

/**
 * An answer was given by key while the focus was still on the bar's button that led to its item: it goes
 * to `next`, if there is something, since the next Enter is meant to submit and must not press the button.
 */
export function leaveBar(next = null) {
  const held = document.activeElement;
  if (!held?.closest?.(BAR)) return;
  held.blur();
  next?.focus({ preventScroll: true });
}

const CONTROLS = "button, a[href], summary";
const PAGES_DIALOG = "[data-testid=stDialog]";
const PAGES_BOX = "[data-testid=stPopoverBody]";
const TYPED_IN = "input, textarea, select, [contenteditable=true]";

/**
 * Is the key meant for what has the focus, and not for the button elsewhere on the page that has it for
 * its shortcut? Enter presses a control, and under a dialog or an open box of the page nothing is
 * answered or left.
 */
export function isOfFocus({ key, target, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey || !target?.closest || target.closest(TYPED_IN)) return false;
  if (key === "Enter" && target.closest(CONTROLS)) return true;
  if (key !== "Enter" && key?.length !== 1) return false;
  return Boolean(target.closest(PAGES_DIALOG) || target.ownerDocument?.querySelector(PAGES_BOX));
}

/** ms: a key this soon after one that came before its item belongs to the same burst. */
export const BURST = 300;

/**
 * What becomes of a key: {act: true}, {keep: item} until that item's form is there, or {why}, the
 * words for a key that is not used. `early` also says that it came before its item.
 *
 * `state`: `item` whose form this is, and `left`, whose form it was before; `shown`, which the rater
 * sees ("" if none can be told);
 * `frozen` (being submitted), `leaving` (a move is under way), `kept`, the keys that wait as {item, key},
 * and `since`, ms since the last early key. `moves`: the key leads to another item.
 */
export function decideKey({ item, left, shown, frozen, leaving, kept, since }, moves) {
  // The form is ahead of the text: a key for the old text would wait for a form that has gone.
  if (shown && shown === left && shown !== item && !frozen && !leaving) return { why: "the next item is not here yet", early: !moves };
  // The burst began before the item was there: the rest of it was not meant for this one. Its length
  // counts from the last early key, so that keys on a form that is ready soon act again.
  const inBurst = !moves && since < BURST;
  if (shown && shown !== item) {
    if (inBurst) return { why: "it came right after a key that was not used" };
    const waiting = kept.filter((one) => one.item === shown);
    // What follows a kept move would be for an item that nobody has seen.
    if (waiting.some((one) => one.moves)) return { why: "wait for the item to open", early: !moves };
    return { keep: shown };
  }
  if (frozen || leaving || !shown) {
    // The server may yet find an answer missing, so the item cannot be said to be submitted.
    return { why: frozen ? "this item is still being submitted" : "the next item is not here yet", early: !moves };
  }
  if (inBurst) return { why: "it came right after a key that was not used" };
  return { act: true };
}

/** What the lists of keys say about all keys. */
export const RULES = "Keys act wherever the focus is, except in a text field, and only on the item in sight."
  + " A key pressed before its item is there waits for it, or the bottom of the window says why it was not used.";

const LINE = "medlens-key-why";
const READ = 8_000; // ms that the words stay, if no key is used and nothing is pressed meanwhile
const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** Says briefly, at the foot of the window, why a key did nothing; "" takes the words away. */
export function tellWhy(key, why = "") {
  const keyboard = window[KEYBOARD];
  if (keyboard) Object.assign(keyboard, { told: Boolean(why), standing: Boolean(why) });
  let line = document.querySelector(`.${LINE}`);
  if (!line) {
    if (!why) return;
    line = document.createElement("p");
    line.className = LINE;
    line.setAttribute("role", "status");
    // Not inside a desk: parts of it are out of sight while another item is on its way.
    Object.assign(line.style, { position: "fixed", bottom: "0.5rem", left: "50%", transform: "translateX(-50%)", zIndex: 999_990,
      margin: 0, padding: "0.2rem 0.75rem", maxWidth: "90vw", borderRadius: "0.5rem", fontSize: "0.875rem", pointerEvents: "none" });
    document.body.append(line);
    document.addEventListener("pointerdown", () => tellWhy(""), { capture: true });
  }
  clearTimeout(line.ends);
  if (why) line.ends = setTimeout(() => tellWhy(""), READ);
  // Above the desk's bar, which it must not cover.
  const bar = document.querySelector(".mdb, .st-key-desk_bar")?.getBoundingClientRect();
  line.style.bottom = bar?.height ? `${Math.max(0, innerHeight - bar.top) + 6}px` : "0.5rem";
  const { color, backgroundColor } = getComputedStyle(document.querySelector(".stApp") ?? document.body);
  Object.assign(line.style, { color, backgroundColor, border: `1px solid ${color}` });
  line.hidden = !why;
  line.textContent = why && `${named(key)} not used: ${why}.`;
}

/** The key that is being pressed, as `tellWhy` names it; "" if none is. */
export function pressedKey() {
  const { pressed } = window[KEYBOARD] ?? {};
  if (!pressed) return "";
  const { key, ctrlKey, metaKey } = pressed;
  return ctrlKey || metaKey ? `Ctrl+${named(key)}` : key;
}

/** Says why the key that is being pressed does nothing; returns whether there is such a key. */
export function refuseKey(why) {
  const key = pressedKey();
  if (key && !window[KEYBOARD].pressed.repeat) tellWhy(key, why);
  return Boolean(key);
}

const named = (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** Takes from `kept` the keys for an item, in the order of the presses; those for others stay. */
export function takeKept(kept, item) {
  const taken = kept.filter((one) => one.item === item);
  kept.splice(0, kept.length, ...kept.filter((one) => one.item !== item));
  return taken;
}
