// The fields of an answer: choices, passages and texts.

import { el, ofKeys } from "../shared/dom.js";
import { marksIn, passagesIn } from "../shared/passages.js";

/** A field's elements; `on.choose(id, value)`, `on.type(id, text)`, `on.left()`, `on.submit()`. */
export function buildField(field, on) {
  const build = { passages, marks }[field.kind] ?? (field.kind !== "text" ? choice : "original" in field ? rewritten : text);
  const built = build(field, on);
  built.node.classList.toggle("is-short", Boolean(field.short));
  return built;
}

const listed = (value) => JSON.parse(value || "[]");

/** Option names up to this long share one row. */
const SHORT = 2;
/** ms in which a second press is the same one, by a finger that taps twice: it takes nothing back. */
const TWICE = 700;

function choice({ id, kind, label, hint, prose, letter, options, rows, submits, ends }, on) {
  const several = kind === "several";
  const scale = options.every(({ name }) => name.length <= SHORT);
  let pressed = -1e9;
  // What was taken back is told, with a way to have it again.
  const told = el("p", { class: "maf-undo", role: "status", hidden: true });
  const takeBack = (value, name) => {
    on.choose(id, null);
    told.replaceChildren(`“${name}” is taken back. `, el("button", { type: "button", class: "maf-lead", onclick: () => on.choose(id, value) }, "Undo"));
    told.hidden = false;
  };
  const inputs = options.map(({ value, name, key, url }) => {
    const input = el("input", { type: several ? "checkbox" : "radio", name: `maf-${id}`, value });
    if (several) {
      input.addEventListener("change", () => on.choose(id, JSON.stringify(
        inputs.filter(([{ checked }]) => checked).map(([one]) => one.value))));
    } else {
      input.addEventListener("change", () => on.choose(id, value));
      // An arrow would choose, and so submit: it leads to the next choice, which Space takes.
      if (submits) input.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const at = inputs.findIndex(([one]) => one === input);
        inputs[(at + step + inputs.length) % inputs.length][0].focus();
      });
      // Pressing the chosen option again takes it back, or submits it again.
      input.addEventListener("click", ({ timeStamp }) => {
        const twice = timeStamp - pressed < TWICE;
        pressed = timeStamp;
        if (!input.dataset.chosen || twice) return;
        if (submits) on.choose(id, value);
        else takeBack(value, name);
      });
    }
    const sign = key && !scale ? el("kbd", { text: key, "aria-hidden": "true" }) : null;
    const option = el("label", { class: "maf-option" }, input, sign, el("span", { text: name }));
    if (!url) return [input, option];
    // In a tab of its own: what is checked here stays as it is.
    const open = el("a", { class: "maf-open", href: url, target: "_blank", rel: "noopener", "aria-label": `Open ${name}`, text: "Open" });
    return [input, el("div", { class: "maf-linked" }, option, open)];
  });
  const head = el("legend", { class: "maf-head" }, el("span", { class: "maf-label", text: label }),
    letter && el("kbd", { text: letter.toUpperCase(), "aria-hidden": "true" }));
  const node = el("fieldset", { class: prose ? "maf-field is-prose" : "maf-field", "data-field": id }, head,
    hint && el("p", { class: "maf-hint", text: hint }),
    el("div", { class: `maf-options${scale ? " is-scale" : ""}${rows ? " is-rows" : ""}` }, inputs.map(([, option]) => option)),
    ends && el("p", { class: "maf-ends" }, ends.map((words) => el("span", { text: words }))),
    told);
  const show = (value) => {
    if (value != null) told.hidden = true;
    const chosen = several ? listed(value) : [value];
    for (const [input] of inputs) {
      input.checked = chosen.includes(input.value);
      if (input.checked) input.dataset.chosen = "yes";
      else delete input.dataset.chosen;
    }
  };
  return { node, show, hold: (held) => { node.disabled = held; } };
}

function text({ id, label, hint, placeholder, lines, longest, sends, into, day, short }, on) {
  const many = lines > 1;
  const input = el(many ? "textarea" : "input", {
    class: sends && !into ? "maf-input maf-sends" : "maf-input", placeholder, maxlength: longest ?? (many ? 4000 : 2000), "aria-label": label || placeholder,
    ...(many ? { rows: String(lines) } : { type: day ? "date" : "text" }),
  });
  input.addEventListener("input", () => on.type(id, input.value));
  input.addEventListener("blur", () => on.left());
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (sends && event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      on.submit();
      return;
    }
    if (event.key !== "Escape" && (many || event.key !== "Enter")) return;
    // Leave the text; the next Enter submits.
    event.preventDefault();
    event.stopPropagation();
    input.blur();
  });
  const node = el("label", { class: "maf-field maf-text", "data-field": id },
    label && el("span", { class: "maf-head" }, el("span", { class: "maf-label", text: label }), into && el("kbd", { text: into.toUpperCase(), "aria-hidden": "true" })),
    // Fields side by side stand in one line: what one of them is about comes below it.
    ...(short ? [input, hint && el("span", { class: "maf-hint", text: hint })] : [hint && el("span", { class: "maf-hint", text: hint }), input]));
  const show = (value) => {
    // The server's version (without trailing space, say) has to wait until typing is done.
    if (input === document.activeElement && input.value) return;
    if (input.value !== (value ?? "")) input.value = value ?? "";
  };
  return { node, show, hold: (held) => { input.readOnly = held; } };
}

/** Characters of a passage shown here; its source shows all of it. */
const SHORTLY = 160;

/** Lists the passages marked in a source's pane; each can be taken off here. */
function passages({ id, label, hint, same, into }, on) {
  const list = el("ol", { class: "maf-passages" });
  const how = el("p", { class: "maf-hint", text: `Choose a sentence in the source and press Mark${ofKeys(" (M), or double-click it")}.` });
  const none = el("button", { type: "button", class: "maf-rest" }, "No passage", el("kbd", { text: "=", "aria-hidden": "true" }));
  const head = el("button", { type: "button", class: "maf-lead", onclick: () => on.lead(id) }, el("span", { class: "maf-label", text: label }),
    into && el("kbd", { text: into.toUpperCase(), "aria-hidden": "true" }));
  const node = el("fieldset", { class: "maf-field", "data-field": id }, el("legend", { class: "maf-head" }, head),
    hint && el("p", { class: "maf-hint", text: hint }), how, list, el("div", { class: "maf-options" }, none));
  let pressed = -1e9;
  const show = (value) => {
    const found = passagesIn(value);
    how.hidden = value != null;
    none.setAttribute("aria-pressed", String(value === same));
    none.onclick = ({ timeStamp }) => {
      const twice = timeStamp - pressed < TWICE;
      pressed = timeStamp;
      if (value !== same || !twice) on.say(id, value === same ? null : same);
    };
    list.replaceChildren(...found.map((one) => {
      const rest = found.filter((other) => other !== one);
      const words = one.quote.length > SHORTLY ? `${one.quote.slice(0, SHORTLY)}…` : one.quote;
      return el("li", {},
        el("button", { type: "button", class: "maf-lead", title: "Show it in the source", onclick: () => on.lead(id, one), text: words }),
        el("button", { type: "button", class: "maf-rest", "aria-label": `Remove the mark on “${words}”`, onclick: () => on.say(id, rest.length ? JSON.stringify(rest) : null) }, "Remove"));
    }));
  };
  return { node, show, hold: (held) => { node.disabled = held; } };
}

/** Says what is marked in a text's pane, and leads to marks that still lack an answer to one of `asks`. */
function marks({ id, label, hint, into, asks }, on) {
  const said = el("p", { class: "maf-hint" });
  const lacking = el("ul", { class: "maf-passages" });
  const head = el("button", { type: "button", class: "maf-lead", onclick: () => on.lead(id) }, el("span", { class: "maf-label", text: label }),
    into && el("kbd", { text: into.toUpperCase(), "aria-hidden": "true" }));
  const node = el("fieldset", { class: "maf-field", "data-field": id }, el("legend", { class: "maf-head" }, head),
    hint && el("p", { class: "maf-hint", text: hint }), said, lacking);
  const show = (value) => {
    const found = marksIn(value);
    said.textContent = found.length ? `${found.length} ${found.length === 1 ? "mark" : "marks"}`
      : "Nothing is marked. Select words in the text and choose a label, or leave it if there is nothing to mark.";
    lacking.replaceChildren(...found.flatMap(({ answers }, at) => asks.filter((one) => !answers?.[one.id]).map((one) => el("li", {},
      el("button", { type: "button", class: "maf-lead", onclick: () => on.lead(id, { at, field: one.id }) }, `Mark ${at + 1}: ${one.label}`)))));
  };
  return { node, show, hold: (held) => { node.disabled = held; } };
}

/** Characters of unchanged text shown before and after a change. */
const AROUND = 80;

/** A text to edit, with its changes listed below. */
function rewritten({ id, label, hint, original, same, lines, longest, into }, on) {
  const input = el("textarea", { class: "maf-input", maxlength: longest, "aria-label": label, rows: String(lines) });
  input.addEventListener("input", () => on.type(id, input.value.trim() === original ? same : input.value));
  input.addEventListener("blur", () => on.left());
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    input.blur();
  });
  const asIs = el("button", { type: "button", class: "maf-rest", onclick: () => on.say(id, same) },
    "It needs no change", el("kbd", { text: "=", "aria-hidden": "true" }));
  const back = el("button", { type: "button", class: "maf-rest", onclick: () => on.say(id, null) }, "Start again");
  const changes = el("p", { class: "maf-changes", "aria-label": "Your changes" });
  const node = el("fieldset", { class: "maf-field maf-text", "data-field": id },
    el("legend", { class: "maf-head" }, el("span", { class: "maf-label", text: label }),
      into && el("kbd", { text: into.toUpperCase(), "aria-hidden": "true" })),
    hint && el("span", { class: "maf-hint", text: hint }), input,
    el("div", { class: "maf-options" }, asIs, back), changes);
  const show = (value) => {
    asIs.setAttribute("aria-pressed", String(value === same));
    back.hidden = value == null;
    const there = value == null || value === same ? original : value;
    if (input !== document.activeElement && input.value !== there) input.value = there;
  };
  const tell = (pieces) => {
    changes.hidden = !pieces.length;
    changes.replaceChildren(...pieces.map(([where, words], at) => (where === "same"
      ? document.createTextNode(around(words, at > 0, at < pieces.length - 1))
      : el(where === "gone" ? "del" : "ins", { text: words }))));
  };
  return { node, show, tell, hold: (held) => { input.readOnly = held; asIs.disabled = held; back.disabled = held; } };
}

/** The unchanged text between two changes; long text loses its middle. */
function around(words, before, after) {
  if (words.length <= 2 * AROUND) return words;
  return `${before ? words.slice(0, AROUND) : ""} … ${after ? words.slice(-AROUND) : ""}`;
}
