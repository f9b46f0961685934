// What opens near the words: the label menu of a selection, the card of a mark. And the dialogs.

import { el, ofKeys } from "../shared/dom.js";
import { buildField } from "../answer_form/fields.js";
import { keepText } from "../shared/kept.js";
import { RULES } from "../shared/keyboard.js";
import { button, clip, isReference } from "./dom.js";
import { labelButton } from "./panels.js";
import { HELP } from "./keys.js";

export const PHONE = 700; // px; below this width the labels are at the foot (tagger.css)
const GAP = 8;
const HEADER = 56; // px of Streamlit's own header
const LEAST = 200; // px; a card shorter than this is useless

/** One thing open at a time, placed near its words. */
export class Popover {
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.node = el("div", { class: "mlt-pop", hidden: true });
    root.append(this.node);
    this.span = null;
    this.ticks = new Map(); // the checklist's ticks: only for orientation, not part of the judgment
  }

  get open() {
    return !this.node.hidden;
  }

  close() {
    if (!this.open) return false;
    const held = this.node.contains(document.activeElement);
    this.node.hidden = true;
    this.root.classList.remove("is-docked");
    this.node.removeAttribute("role"); // an empty dialog would keep the page's keys from the page
    this.node.replaceChildren();
    this.span = null;
    this.on.peek(null);
    if (held) this.on.focusText();
    return true;
  }

  /** Keeps what is open beside its words, which have moved. */
  follow() {
    if (!this.open) return;
    const { scrollTop } = this.node; // measured anew at its full height, it loses this
    this.#place(this.rectOf);
    this.node.scrollTop = scrollTop;
  }

  /** As `follow`, after its room has changed: what is asked for stays in sight. */
  refit() {
    if (!this.open) return;
    this.follow();
    const field = this.node.querySelector("[data-field]:focus");
    if (field) this.#show(field);
    else this.#showLink();
  }

  /** `more` leads to the labels without a key, if there are or can be any. */
  menu(labels, rectOf, more = null) {
    this.span = null;
    this.node.className = "mlt-pop mlt-menu";
    this.node.setAttribute("role", "group");
    this.node.setAttribute("aria-label", "Label for the selected words");
    const offered = more ? labels.filter(({ key }) => key) : labels;
    this.node.replaceChildren(...offered.map((label) => labelButton(label, () => this.on.label(label), this.on)));
    if (more) this.node.append(button("Another code, or a new one (C)", more, { class: "mlt-label" }));
    this.#place(rectOf);
    this.node.scrollTop = 0;
  }

  /** The card of a mark; `others` are the other marks on the same words. */
  card(marks, span, rectOf, { others = [], readonly = false } = {}) {
    this.span = span;
    this.node.className = "mlt-pop mlt-card";
    this.node.setAttribute("role", "dialog");
    this.node.setAttribute("aria-label", `Mark: ${marks.names(span)}`);
    const place = marks.spans.indexOf(span) + 1;
    const head = el("div", { class: "mlt-card-head" },
      el("b", { text: `Mark ${place}` }),
      others.length ? button(`other mark here (${others.length})`, () => this.on.open(others[0]), { class: "mlt-linkish" }) : null,
      button("×", () => this.close(), { class: "mlt-x", "aria-label": "Close" }));
    const rows = [head, el("blockquote", { text: clip(span.quote, 180) })];
    if (!readonly) rows.push(this.#labels(marks, span));
    rows.push(el("p", { class: "mlt-names", text: marks.names(span) }));
    if (span.link || marks.needsLink(span)) rows.push(this.#field(span, "link", "Link or citation that refutes it", readonly));
    if (marks.asks.length) rows.push(el("div", { class: "maf mlt-asks" }, marks.asks.map((ask) => this.#ask(span, ask, readonly))));
    rows.push(this.#field(span, "comment", "Comment", readonly));
    for (const id of span.labels) {
      const steps = marks.byId.get(id)?.steps ?? [];
      if (steps.length) rows.push(this.#checklist(span, id, steps));
    }
    if (!readonly) {
      rows.push(el("div", { class: "mlt-card-foot" },
        button("Delete mark", () => this.on.remove(span), { class: "mlt-btn is-quiet" }),
        button(`Done${ofKeys(" (Esc)")}`, () => this.close(), { class: "mlt-btn" })));
    }
    this.node.replaceChildren(...rows);
    this.#place(rectOf);
    this.node.scrollTop = 0;
    this.#showLink();
  }

  /** What the label asks for is in sight without a search, in a low window too. */
  #showLink() {
    const link = !this.span?.link && this.node.querySelector("[data-field=link]");
    if (link) this.#show(link);
  }

  #labels(marks, span) {
    return el("div", { class: "mlt-picks", role: "group", "aria-label": "Labels of this mark" },
      marks.labels.filter(({ id, key }) => key || span.labels.includes(id)).map((label) => labelButton(label, () => this.on.label(label), this.on, {
        class: "mlt-label mlt-pick", "aria-pressed": String(span.labels.includes(label.id)), "aria-label": label.name,
      })));
  }

  #checklist(span, id, steps) {
    const boxes = steps.map((step, place) => {
      const key = `${span.id}:${id}:${place}`;
      const box = el("input", { type: "checkbox", onchange: () => this.ticks.set(key, box.checked) });
      box.checked = this.ticks.get(key) ?? false;
      return el("label", { class: "mlt-tick" }, box, el("span", { text: step }));
    });
    return el("fieldset", { class: "mlt-checklist" }, el("legend", { text: "In this order" }), boxes);
  }

  #ask(span, ask, readonly) {
    // Questions about the whole text may have the same ids.
    const field = buildField({ ...ask, id: `mark.${ask.id}` }, {
      choose: (_, value) => {
        this.on.answer(span, ask.id, value);
        field.show(span.answers[ask.id] ?? null);
      },
      type: (_, value) => this.on.answer(span, ask.id, value, true),
      left: () => {},
      submit: () => {},
    });
    field.show(span.answers[ask.id] ?? null);
    field.hold(readonly);
    field.node.querySelector("input, textarea").dataset.field = ask.id;
    return field.node;
  }

  #field(span, name, title, readonly) {
    const link = name === "link";
    const input = el(link ? "input" : "textarea", {
      class: "mlt-field", id: `mlt-field-${name}`, maxlength: link ? "2000" : "10000", "data-field": name,
      ...(link ? { type: "text", placeholder: "https://…, DOI, or author, title, year", "aria-required": "true" } : { rows: "1" }),
      oninput: () => {
        this.on.write(span, name, input.value);
        if (link) input.setAttribute("aria-invalid", String(Boolean(input.value) && !isReference(input.value)));
      },
    });
    if (link) input.addEventListener("keydown", (event) => event.key === "Enter" && !event.ctrlKey && this.close());
    input.value = span[name];
    input.readOnly = readonly;
    return el("label", { class: "mlt-labelled" }, el("span", { text: link ? `${title} (required)` : title }), input);
  }

  focus(name) {
    const wanted = name && this.node.querySelector(`[data-field="${name}"]`);
    const field = wanted ?? this.node.querySelector("[data-field], button");
    if (!field) return;
    field.focus({ preventScroll: true });
    this.#show(field);
  }

  /** Scrolls within the card alone, to a field above its buttons, which stay. */
  #show(field) {
    const floor = (this.node.querySelector(".mlt-card-foot") ?? this.node).getBoundingClientRect();
    const hidden = field.getBoundingClientRect().bottom + GAP - (floor.top > this.node.getBoundingClientRect().top ? floor.top : floor.bottom);
    if (hidden > 0) this.node.scrollTop += hidden;
  }

  /** A mark's card stands beside the text where there is a column for it: over the marks, below the labels. */
  #dock(frame) {
    const beside = this.root.querySelector(".mlt-side").getBoundingClientRect();
    const text = this.root.querySelector(".mlt-main").getBoundingClientRect();
    const floor = this.root.querySelector(".mdb").getBoundingClientRect().top;
    const docked = this.node.classList.contains("mlt-card") && beside.left >= text.right - 1 && floor - beside.top >= LEAST;
    this.root.classList.toggle("is-docked", docked);
    if (!docked) return false;
    Object.assign(this.node.style, {
      left: `${beside.left - frame.left}px`, top: `${beside.top - frame.top}px`, width: `${beside.width}px`, maxHeight: `${floor - beside.top}px`,
    });
    return true;
  }

  /** Places it beside the text, or below or above the words, wherever there is more room, never over them. */
  #place(rectOf) {
    this.rectOf = rectOf;
    const rect = rectOf();
    this.node.hidden = false;
    Object.assign(this.node.style, { maxHeight: "", width: "" });
    const pane = this.root.classList.contains("is-pane");
    // A pane scrolls by itself and may be narrow: only on top of the page is nothing cut off.
    if (pane) this.node.popover = "manual";
    if (pane && !this.node.matches(":popover-open")) this.node.showPopover();
    const frame = pane ? { left: 0, top: 0, width: innerWidth } : this.root.getBoundingClientRect();
    if (!pane && this.#dock(frame)) return;
    const foot = pane ? { top: innerHeight } : this.root.querySelector(frame.width < PHONE ? ".mlt-labels" : ".mdb").getBoundingClientRect();
    const floor = Math.min(innerHeight, foot.top) - 6;
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const under = floor - rect.bottom - GAP;
    // Never over what has to be seen first, such as "Not submitted yet".
    const told = pane ? 0 : (this.root.querySelector(".mlt-main .mlt-notices:not(:empty)")?.getBoundingClientRect().bottom ?? 0);
    // A low window has no room for it between labels and title: it may lie over these, never over the bar.
    const last = pane ? floor : Math.min(innerHeight, this.root.querySelector(".mdb").getBoundingClientRect().top) - 6;
    const ceiling = Math.max(HEADER, Math.min(last - LEAST, Math.max(frame.top, Math.min(told, floor - LEAST))));
    const above = rect.top - GAP - ceiling;
    const down = height <= under || under >= above;
    const tall = Math.min(height, Math.max(down ? under : above, LEAST), last - ceiling);
    const top = Math.max(ceiling, Math.min(down ? rect.bottom + GAP : rect.top - GAP - tall, (down && tall <= under ? floor : last) - tall));
    if (tall < height) this.node.style.maxHeight = `${tall}px`;
    this.node.style.left = `${Math.max(8, Math.min(rect.left - frame.left, frame.width - width - 8))}px`;
    this.node.style.top = `${top - frame.top}px`;
  }
}

/** A modal dialog, removed when closed; `wanted` gets the focus. */
function modal(root, title, body, onclose) {
  const dialog = el("dialog", { class: "mlt-dialog", "aria-label": title }, el("h2", { text: title }), body);
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose();
  });
  root.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The list of keys, without those that are useless for this item. */
export function helpDialog(root, { grows }, onclose) {
  const without = grows ? "grow" : "fixed";
  const groups = HELP.map(([title, keys]) => el("section", {}, el("h3", { text: title }),
    el("dl", { class: "mlt-keys" }, keys.filter(([, , useless = []]) => !useless.includes(without)).flatMap(([key, what]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: what })]))));
  const dialog = modal(root, "Keys", [el("div", { class: "mlt-key-groups" }, groups),
    el("p", { class: "mlt-rules", text: RULES }),
    el("form", { method: "dialog", class: "mlt-card-foot" }, el("button", { class: "mlt-btn", text: "Close" }))], onclose);
  return dialog;
}

/** `keptAs` is the name under which the typed text is kept. */
export function flagDialog(root, keptAs, onflag, onclose) {
  const text = el("textarea", { class: "mlt-field", rows: "4", maxlength: "2000", required: true, "aria-label": "Reason" });
  keepText(text, keptAs);
  const send = el("button", { class: "mlt-btn is-main", text: "Flag it" });
  const lacks = el("p", { class: "mlt-small", role: "alert" });
  const flag = () => {
    if (!text.value.trim()) {
      lacks.textContent = "A flag needs a reason.";
      return text.focus();
    }
    const said = text.value.trim();
    dialog.close();
    return onflag(said);
  };
  send.type = "button";
  send.addEventListener("click", flag);
  text.addEventListener("keydown", (event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && flag());
  const dialog = modal(root, "What is wrong with this item?", [
    el("p", { class: "mlt-small", text: "The lead of the study reads this. Flag an item that cannot be judged as it stands." }), text, lacks,
    el("form", { method: "dialog", class: "mlt-card-foot" }, el("button", { class: "mlt-btn", text: "Cancel", formnovalidate: true }), send)], onclose);
  text.focus();
  return dialog;
}
