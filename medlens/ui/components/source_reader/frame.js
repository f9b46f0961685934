// The frame around the text: its bar with passages, search, marking and the link out.

import { el, ofKeys } from "../shared/dom.js";
import { button } from "./dom.js";

/** The elements of the reader; `on` holds its buttons' handlers. */
export function build(on) {
  const where = el("span", { class: "msr-where" });
  const passages = el("span", { class: "msr-group" });
  passages.append(
    button("Previous passage", "P", "The previous passage, by similarity", () => on.step(-1)),
    where,
    button("Next passage", "N", "The next passage, by similarity", () => on.step(1)),
  );
  // On a phone a sign stands for the words (reader.css), which are still read aloud.
  for (const [node, sign] of [[passages.firstChild, "‹"], [passages.lastChild, "›"]]) {
    node.classList.add("msr-step");
    node.dataset.sign = sign;
  }
  const find = el("input", { class: "msr-find" });
  find.type = "search";
  find.placeholder = `Search in the page${ofKeys("  /")}`;
  find.setAttribute("aria-label", "Search in the page");
  find.maxLength = 200;
  find.addEventListener("input", () => on.search(find.value));
  find.addEventListener("keydown", (event) => {
    // Enter submits elsewhere on the page; here it goes to the next hit.
    event.stopPropagation();
    if (event.key === "Enter") on.hit(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") {
      find.value = "";
      on.search("");
      find.blur();
    }
  });
  const hits = el("span", { class: "msr-where" });
  hits.setAttribute("role", "status");
  const searching = el("span", { class: "msr-group" });
  searching.append(find, hits);
  const markButton = button("Mark", "M", "Mark the selection, or the underlined sentence, as the deciding passage; or double-click any sentence", on.mark);
  const open = el("a", { class: "msr-open" });
  open.append(el("span", { class: "msr-more", text: "Open the " }), "original ", el("kbd", { text: "O", "aria-hidden": "true" }));
  open.target = "_blank";
  open.rel = "noopener noreferrer";
  const bar = el("div", { class: "msr-bar" });
  bar.append(passages, searching, markButton, open);
  const say = el("p", { class: "msr-say" });
  say.setAttribute("role", "status");
  const note = el("p", { class: "msr-note" });
  note.setAttribute("role", "note");
  // An address can be a thousand characters long: the style sheet cuts it, so it is whole when
  // copied, read aloud or hovered over.
  const title = el("strong", { class: "msr-title" });
  const address = el("span", { class: "msr-address" });
  const guess = el("span", { class: "msr-guess", text: "Highlighted: what a program found most similar. Other passages may matter more." });
  const head = el("p", { class: "msr-head" });
  head.append(title, address, guess);
  const text = el("div", { class: "msr-text" });
  const scroll = el("div", { class: "msr-scroll" });
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Source");
  scroll.append(head, note, text);
  const wrap = el("div", { class: "msr" });
  // Invisible until the style sheet loads and restores the opacity.
  wrap.style.opacity = "0";
  wrap.append(bar, say, scroll);
  return { wrap, bar, passages, where, find, hits, markButton, open, say, title, address, guess, note, text, scroll, searching };
}
