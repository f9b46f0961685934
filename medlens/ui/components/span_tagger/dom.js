// DOM and text helpers of the tagger, beyond those that all surfaces share.

import { el } from "../shared/dom.js";

/** A button that does not change the selection or the focus when clicked. */
export function button(text, onclick, props = {}) {
  const node = el("button", { type: "button", class: "mlt-btn", text, ...props });
  node.addEventListener("mousedown", (event) => event.preventDefault());
  node.addEventListener("click", onclick);
  return node;
}

/** The address of a link if it is http or https, else an empty string. */
export function webAddress(value) {
  const text = value.trim();
  if (!/^https?:\/\/[^\s/]+\S*$/i.test(text)) return "";
  try {
    return new URL(text).href;
  } catch {
    return "";
  }
}

/** Something to look up: a web address, a DOI or PMID, or words with a year in them. */
export function isReference(value) {
  const text = value.trim();
  if (webAddress(text) || /^((doi:\s*)?10\.\d{4,9}\/\S+|pmid:?\s*\d+)$/i.test(text)) return true;
  return !/^[a-z][a-z0-9+.-]*:\S/i.test(text) && text.split(/\s+/).length >= 3 && /\b(19|20)\d\d\b/.test(text);
}

export function outLink(address, text) {
  const href = webAddress(address);
  if (!href) return el("span", { text });
  return el("a", { href, text, target: "_blank", rel: "noopener noreferrer" });
}

export function clip(text, length) {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > length ? `${flat.slice(0, length - 1).trimEnd()}…` : flat;
}

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
