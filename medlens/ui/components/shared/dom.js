// Building elements. Foreign text only ever goes in as a text node, and no address is fetched but
// that of our own server.

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
 * Foreign text for an element that a style sheet isolates: the sign that ends an isolate, too many or
 * too few of them, would end ours before the text does, or not at all. Its places stay what they are.
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

/** Foreign text beside words of ours: whatever turns it round turns nothing else. */
export const bdi = (text) => el("bdi", { text: balanced(text) });

/** A button with its key beside its name, where it has one. */
export function button(text, key, onclick, props = {}) {
  return el("button", { type: "button", class: "mlc-btn", onclick, ...props }, text, key && " ", key && el("kbd", { text: key }));
}

export const isTextField = (node) =>
  node instanceof HTMLElement && (node.isContentEditable || node.matches("textarea, select, input:not([type=checkbox], [type=radio])"));

/** Is something open over the page that the keys belong to? */
export const isCovered = () => Boolean(document.querySelector("dialog[open], [role=dialog], [data-baseweb=popover], [role=listbox]"));

/** A plain key as it is meant: "j" for J too; "" with a modifier, in a text field or under a dialog. */
export function plainKey(event) {
  const { altKey, ctrlKey, metaKey, isComposing, defaultPrevented, target, key } = event;
  if (altKey || ctrlKey || metaKey || isComposing || defaultPrevented || isTextField(target) || isCovered()) return "";
  return key.length === 1 ? key.toLowerCase() : key;
}

/** An address on the server that gave us this module, whatever path it is served under. */
export const ownAddress = (path) => new URL(path.replace(/^\//, ""), import.meta.url.replace(/_stcore\/.*$/, "")).href;

/** "14:02:11" as it is; a UTC timestamp as the time on this person's clock; "" for none. */
export function clockTime(saved) {
  if (!saved || /^\d\d:\d\d(:\d\d)?$/.test(saved)) return saved ?? "";
  const at = new Date(saved);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleTimeString("en-GB");
}

/** Runs what need not hold up the next frame, soon after it; also where no frame comes (hidden). */
export function afterPaint(run) {
  let pending = true;
  const once = () => {
    if (pending) run();
    pending = false;
  };
  requestAnimationFrame(() => setTimeout(once, 4));
  setTimeout(once, 100);
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
