// The left side: the statements, the answer, and, once it is submitted, what models said.

import { balanced, bdi, el } from "../shared/dom.js";
import { keepText } from "../shared/kept.js";
import { button } from "./dom.js";

/** The elements of the left side; `on` holds their handlers. */
export function buildForm(on) {
  const head = el("p", { class: "msd-label" });
  const list = el("ol", { class: "msd-list" });
  const statement = el("section", { class: "msd-statement", "aria-label": "Statements" });
  statement.append(head, list);
  const question = el("p", { class: "msd-label" });
  const whole = el("details", { class: "msd-whole" });
  const summary = el("summary", { class: "msd-label", text: "The whole answer " });
  summary.append(el("kbd", { text: "A", "aria-hidden": "true" }));
  const answer = el("p", { class: "msd-answer" });
  whole.append(summary, answer);
  const choices = el("fieldset", { class: "msd-choices" });
  const legend = el("legend");
  choices.append(legend);
  const why = el("label", { class: "msd-why" });
  const asked = el("span");
  const reason = el("textarea");
  reason.rows = 1;
  reason.maxLength = 2000;
  reason.addEventListener("input", () => on.reason(reason.value));
  reason.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Leave the text; the next Enter submits.
    event.preventDefault();
    event.stopPropagation();
    reason.blur();
    on.written();
  });
  const key = el("kbd", { text: "W", "aria-hidden": "true" });
  const label = el("span");
  label.append(asked, " ", key);
  why.append(label, reason);
  const reveal = el("section", { class: "msd-reveal", role: "status", "aria-label": "What models said" });
  // What is said of the statement scrolls for itself: it passes under nothing.
  const rest = el("div", { class: "msd-rest" });
  rest.append(question, whole, choices, why, reveal);
  const left = el("div", { class: "msd-left" });
  left.append(statement, rest);
  return { left, statement, rest, head, list, question, whole, answer, choices, legend, asked, reason, reveal };
}

/** The verdicts as radio buttons, chosen by pointer or by their keys, from 1. */
export function drawChoices(form, { choices, legend }, onchoose) {
  form.legend.textContent = legend;
  const made = choices.map(([value, name], i) => {
    const input = el("input", { type: "radio", name: "msd-verdict", value });
    input.addEventListener("change", () => onchoose(value));
    const label = el("label", { class: "msd-choice" });
    label.append(input, el("kbd", { text: String(i + 1), "aria-hidden": "true" }), el("span", { text: name }));
    return label;
  });
  form.choices.replaceChildren(form.choices.firstChild, ...made);
}

/** Shows the current answer; leaves text being typed alone. */
export function drawAnswer(form, body, needed) {
  for (const input of form.choices.querySelectorAll("input")) input.checked = input.value === body.verdict;
  if (form.reason.value !== body.reason) form.reason.value = body.reason;
  form.asked.textContent = needed ? "Why (required)" : "Why (optional)";
}

/**
 * The person's `own` submitted answer in words and, below it, what models said about the current statement and source,
 * which are `where`; `onask` requests that if offered.
 */
export function drawReveal(node, reveal, { thing, own, where }, onask) {
  node.hidden = !reveal;
  if (!reveal) {
    node.replaceChildren();
    return;
  }
  const said = reveal.words.flatMap(({ rater, verdict, reason, quote, how, note, changes }) => {
    const head = el("p");
    head.append(el("strong", { text: balanced(rater) }), " says: ", el("strong", { text: verdict }));
    const parts = [head];
    if (reason) parts.push(el("p", { class: "msd-said", text: reason }));
    const differs = how === "cut_short" || how === "alike";
    parts.push(el("p", { class: differs || how === "missing" ? "msd-warn" : "msd-label", text: note }));
    if (differs) parts.push(compared(changes));
    else if (quote) parts.push(quoted(bdi(quote)));
    return parts;
  });
  const hasWords = said.length > 0;
  if (hasWords && where) said.unshift(el("p", { class: "msd-label", text: `On ${where}:` }));
  // The answers above may have scrolled away, as on a phone: what is compared stands together.
  if (own) said.unshift(el("p", { class: "msd-own" }, "Your answer: ", el("strong", { text: own })));
  if (reveal.offered) {
    const note = "Submitted.";
    said.push(el("p", { class: "msd-label", text: note }), button("Show what the verifier found", "R", "", onask));
  } else if (!hasWords) {
    const none = thing === "pair" ? "No model has judged this pair." : "No model has judged this.";
    said.push(el("p", { class: "msd-label", text: `Submitted. ${none}` }));
  }
  if (reveal.first) said.push(el("p", { class: "msd-label", text: `You first said: ${reveal.first}.` }));
  said.push(el("p", { class: "msd-label", text: "You can still change your answer and submit again:"
    + " your first answer stays, and what you change after looking is marked as made after looking." }));
  node.replaceChildren(...said);
}

function quoted(words) {
  const line = el("p", { class: "msd-said" });
  line.append("“", words, "”");
  return line;
}

/** A quote and the page's words in one line, with the differences marked. */
function compared(changes) {
  const line = el("bdi");
  const tag = { quote: "del", page: "ins", same: "span" };
  line.append(...changes.map(([where, text]) => el(tag[where], { text: balanced(text) })));
  return quoted(line);
}

export function drawLine(bar, { at, place, state, state_reason: why, flag }, { unsent, total, done, thing }) {
  const main = done ? `Next ${thing}` : unsent ? "Submit again" : "Submit";
  // That it is submitted, and when, is said where it is said of a draft.
  const shown = ["open", "submitted"].includes(state) ? "" : state;
  const words = [flag ? "flagged" : shown, flag || why].filter(Boolean).join(": ");
  bar.update({
    place, state: unsent ? `submitted: ${unsent}` : words,
    flag: flag ? "Unflag" : "Flag", submit: main, off: [at <= 0 && "previous", at + 1 >= total && "next"].filter(Boolean),
  });
}

/** A dialog asking what is wrong with the item; `send` gets the text, which is kept as `keptAs`. */
export function flagDialog(parent, thing, keptAs, send, closed) {
  const dialog = el("dialog", { class: "msd-dialog" });
  const form = el("form");
  form.method = "dialog";
  const label = el("label", { class: "msd-why" });
  const reason = el("input");
  reason.maxLength = 500;
  keepText(reason, keptAs);
  label.append(el("span", { text: `What is wrong with this ${thing}?` }), reason);
  const go = el("button", { class: "msr-btn is-primary", text: "Flag it" });
  const off = button("Cancel", "", "", () => dialog.close());
  const buttons = el("p");
  buttons.append(go, " ", off);
  form.append(label, buttons);
  form.addEventListener("submit", () => send(reason.value));
  dialog.append(form);
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  parent.append(dialog);
  dialog.showModal();
}
