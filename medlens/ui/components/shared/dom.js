// Builds elements. Untrusted text is only ever inserted as a text node, and nothing is fetched except
// from our own server.

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/**
 * Untrusted text for an element that CSS isolates: too many or too few characters that end an isolate
 * would end ours before the text does, or never. Offsets do not change.
 */
export function balanced(text) {
  let open = 0;
  const kept = text.replace(/[\u2066-\u2069]/g, (sign) => {
    if (sign !== "\u2069") open += 1;
    else if (open) open -= 1;
    else return "\u200b";
    return sign;
  });
  return kept + "\u2069".repeat(open);
}

/** Untrusted text beside our own words: a change of direction in it affects nothing else. */
export const bdi = (text) => el("bdi", { text: balanced(text) });

/** A button with its key, if it has one, beside its name. */
export function button(text, key, onclick, props = {}) {
  return el("button", { type: "button", class: "mlc-btn", onclick, ...props }, text, key && " ", key && el("kbd", { text: key }));
}

/** Words about keys; none on a phone, which has no keys to press. */
export const ofKeys = (words) => (matchMedia("(hover: none) and (pointer: coarse)").matches ? "" : words);

export const isTextField = (node) =>
  node instanceof HTMLElement && (node.isContentEditable || node.matches("textarea, select, input:not([type=checkbox], [type=radio])"));

// A message that is closed before it is seen (connection.js) covers nothing, though it stands there
// until its animation is over.
const DIALOG = "dialog[open], [role=dialog]:not([data-unseen])";

/**
 * Does a dialog lie on top of `node`? Then it must neither hear keys nor take the focus. Its own lie beside it, and
 * so does the card of a text that is just being left.
 */
export const isUnderDialog = (node) =>
  [...document.querySelectorAll(DIALOG)].some((dialog) => !node.contains(dialog) && !dialog.closest(".mlt"));

/** Is something open on top of the page that should get the keys? */
export const isCovered = () => Boolean(document.querySelector(`${DIALOG}, [data-baseweb=popover], [role=listbox]`));

/** The key that is meant: "j" for J too; "" with a modifier, in a text field or under a dialog. */
export function plainKey(event) {
  const { altKey, ctrlKey, metaKey, isComposing, defaultPrevented, target, key } = event;
  if (altKey || ctrlKey || metaKey || isComposing || defaultPrevented || isTextField(target) || isCovered()) return "";
  return key.length === 1 ? key.toLowerCase() : key;
}

/** An address on the server that served this module, whatever path it is served under. */
export const ownAddress = (path) => new URL(path.replace(/^\//, ""), import.meta.url.replace(/_stcore\/.*$/, "")).href;

/** "14:02:11" unchanged; a UTC timestamp as local time; "" if there is none. */
export function clockTime(saved) {
  if (!saved || /^\d\d:\d\d(:\d\d)?$/.test(saved)) return saved ?? "";
  const at = new Date(saved);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleTimeString("en-GB");
}

/**
 * What a desk's bar says of the work while nothing is under way: when the item was submitted or its draft
 * saved (`at`) and, while nobody has touched it since, what was done with the one `before` (at `left`).
 * desk_view.py says the same at desks that are made of Streamlit's buttons.
 */
export function wordsAtRest({ at, submitted = false, unsent = false, before = "", left = "" }) {
  if (!at) return before;
  const what = unsent ? "change not submitted, draft saved" : submitted ? "submitted" : "saved";
  const now = `${what} ${clockTime(at)}`;
  return before && Date.parse(at) < Date.parse(left) ? `${before} · this one ${now}` : now;
}

/** Runs work soon after the next frame, which it would hold up; also if the page is hidden. */
export function afterPaint(run) {
  let pending = true;
  const once = () => {
    if (pending) run();
    pending = false;
  };
  requestAnimationFrame(() => setTimeout(once, 4));
  setTimeout(once, 100);
}

/**
 * Runs work as soon as a component's style sheet has come, before which nothing is in its place: its
 * outermost element, `wrap`, starts at opacity 0 and has 1 from that sheet.
 */
export function onceStyled(wrap, run) {
  if (getComputedStyle(wrap).opacity === "1") run();
  else requestAnimationFrame(() => wrap.isConnected && onceStyled(wrap, run));
}

/** A UUIDv7: time-ordered, so that messages sort as they were made. */
export function newToken(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let place = 0; place < 6; place += 1) bytes[place] = Math.floor(now / 2 ** (8 * (5 - place))) & 0xff;
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
