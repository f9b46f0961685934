// The list of statements and the bar of sources, with the current ones highlighted.

import { el } from "../shared/dom.js";
import { button } from "./dom.js";

const signature = new WeakMap(); // node -> what it was built for: a list is built once per item

/** Was the node built for this? If not, records that it is being built now. */
function isBuilt(node, sign) {
  if (signature.get(node) === sign) return true;
  signature.set(node, sign);
  return false;
}

/** The statements, the current one large, and whether each has marks. `onturn(by)` moves by n. */
export function drawStatements(form, { item, body, place: [at] }, reveal, onturn) {
  const { length } = item.statements;
  form.at = at;
  if (!isBuilt(form.list, item.item)) {
    const asked = item.answer ? "Question" : "From an answer to";
    form.question.textContent = item.question ? `${asked}: ${item.question}` : "";
    form.whole.hidden = !item.answer;
    form.answer.textContent = item.answer;
    form.count = el("span");
    const steps = [step("↑", "Previous statement", -1, onturn), step("↓", "Next statement", 1, onturn)];
    form.head.replaceChildren(form.count, ...(length > 1 ? steps : []));
    form.rows = item.statements.map((text, i) => row(item, text, i, () => onturn(i - form.at)));
    form.list.replaceChildren(...form.rows.map(({ node }) => node));
  }
  form.count.textContent = length > 1 ? `Statement ${at + 1} of ${length}`
    : length ? "Statement" : "This answer makes no statement that can be checked.";
  form.rows.forEach(({ node, said, signs }, i) => {
    node.classList.toggle("is-now", i === at);
    said.classList.toggle("msd-text", i === at);
    const marks = item.answer ? body.marks.filter(([statement]) => statement === i).length : 0;
    const told = marks > 1 ? `${marks} passages marked` : marks ? "passage marked" : "";
    signs.textContent = [told, ...(reveal?.states[i] ?? [])].filter(Boolean).join(" · ");
    if (item.answer) node.setAttribute("aria-current", i === at);
  });
  if (item.answer && form.rows[at]) keepInSight(form.rows[at].node, form.statement);
}

/** A button to another statement, by the sign of its key: "Previous" and "Next" are the bar's, of items. */
function step(sign, name, by, onturn) {
  const node = button(sign, "", name, () => onturn(by));
  node.setAttribute("aria-label", name);
  return node;
}

/** A statement in the list; in a whole answer it has a number, and a click selects it. */
function row({ answer }, text, i, onpress) {
  const node = el("li", { class: "msd-item" });
  const said = el("span", { text: text });
  const signs = el("span", { class: "msd-signs" });
  if (answer) {
    node.append(el("span", { class: "msd-number", text: String(i + 1) }));
    node.addEventListener("click", onpress);
  }
  node.append(said, signs);
  return { node, said, signs };
}

function keepInSight(node, box) {
  const own = node.getBoundingClientRect();
  const { top, bottom } = box.getBoundingClientRect();
  if (own.top < top) box.scrollTop -= top - own.top;
  else if (own.bottom > bottom) box.scrollTop += own.bottom - bottom;
}

/** The bar over the reader. */
export function buildSources(onchoose) {
  const bar = el("div", { class: "msd-sources", role: "group", "aria-label": "Sources" });
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  bar.addEventListener("click", (event) => {
    const tab = event.target.closest("button");
    if (tab) onchoose(Number(tab.dataset.k));
  });
  return bar;
}

/** A button per source, with the number of its passages lit for the current statement. */
export function drawSources(bar, { item, texts, body, place }, likeOf) {
  bar.hidden = !item.answer || texts.length < 2;
  if (bar.hidden) return;
  if (!isBuilt(bar, item.item)) {
    bar.replaceChildren(el("span", { class: "msd-label" }), ...texts.map((text, k) => {
      const tab = el("button", { class: "msr-btn msd-source", type: "button", title: text.title || text.address });
      tab.dataset.k = k;
      tab.append(el("strong", { text: String(k + 1) }), el("span", { class: "msd-site", text: siteOf(text) }), el("span", { class: "msd-count" }));
      return tab;
    }));
    const label = bar.firstChild;
    label.append("Sources ", el("kbd", { text: "← →", "aria-hidden": "true" }));
  }
  for (const tab of bar.querySelectorAll("button")) {
    const k = Number(tab.dataset.k);
    const at = [place[0], k];
    const lit = likeOf(item, at).length;
    const isMarked = body.marks.some(([a, b]) => a === at[0] && b === k);
    tab.setAttribute("aria-current", k === place[1]);
    const what = texts[k].sentences.length ? (lit ? `${lit} ${lit === 1 ? "passage" : "passages"}` : "no passage") : "no text";
    tab.lastChild.textContent = isMarked ? "marked" : what;
    if (k === place[1]) bar.scrollLeft = Math.max(0, tab.offsetLeft - bar.offsetLeft - 40);
  }
}

function siteOf({ address, title }) {
  try {
    return new URL(address).hostname.replace(/^www\./, "") || title;
  } catch {
    return title || address;
  }
}
