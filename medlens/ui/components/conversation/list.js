// The list of dialogues: a table whose rows are links.

import { button, el } from "../shared/dom.js";

function address(name) {
  const there = new URL(location.href);
  there.hash = "";
  there.searchParams.set("view", "Dialogues");
  there.searchParams.set("dialogue", name);
  return there.href;
}

export class List {
  /** `on.open(name)`, `on.turn(by)`. */
  constructor(on) {
    this.on = on;
    this.place = el("strong", { class: "mlc-place" });
    this.back = button("Previous page", "K", () => on.turn(-1));
    this.next = button("Next page", "J", () => on.turn(1));
    this.none = el("p", { class: "mlc-note", text: "No dialogue matches." });
    this.head = el("tr");
    this.body = el("tbody");
    const table = el("table", { class: "mlc-table", "aria-label": "Dialogues" }, el("thead", {}, this.head), this.body);
    this.box = el("div", { class: "mlc-rows" }, table);
    this.node = el("section", { class: "mlc-list", "aria-label": "List" },
      el("div", { class: "mlc-line" }, this.place, this.back, this.next), this.none, this.box);
    this.body.addEventListener("click", (event) => this.#clicked(event));
    this.body.addEventListener("keydown", (event) => this.#walk(event));
  }

  show({ columns, last }, page, number) {
    this.place.textContent = page.place;
    this.back.disabled = number <= 0;
    this.next.disabled = number >= last;
    const said = JSON.stringify([columns, page]);
    if (said === this.said) return;
    this.said = said;
    this.none.hidden = page.names.length > 0;
    this.box.hidden = !this.none.hidden;
    this.head.replaceChildren(...columns.map((text) => el("th", { scope: "col", text })));
    this.body.replaceChildren(...page.rows.map((row, at) => this.#row(page.names[at], row)));
    this.box.scrollTop = 0;
  }

  #row(name, [first, ...cells]) {
    const link = el("a", { class: "mlc-open", href: address(name), text: first });
    return el("tr", { "data-name": name }, el("th", { scope: "row" }, link),
      cells.map((text) => el("td", { text, title: text.length > 20 ? text : null })));
  }

  #clicked(event) {
    const row = event.target.closest("tr");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!row || elsewhere || !getSelection().isCollapsed) return;
    event.preventDefault();
    this.on.open(row.dataset.name);
  }

  #walk(event) {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const there = step && event.target.closest("tr")?.[step];
    if (!there) return;
    event.preventDefault();
    there.querySelector("a").focus();
  }

  focus(name) {
    this.body.querySelector(`tr[data-name="${CSS.escape(name)}"] a`)?.focus();
  }
}
