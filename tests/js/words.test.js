// A key that cannot act says why, in one line of the page, until another key is used.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

openPage();
const COMPONENTS = "../../medlens/ui/components";
const { ORDER, listenToKeyboard, refuseKey } = await import(`${COMPONENTS}/shared/keyboard.js`);
const { default: mountForm } = await import(`${COMPONENTS}/answer_form/form.js`);
const { default: mountTurn } = await import(`${COMPONENTS}/next_item/next_item.js`);
const { Reader } = await import(`${COMPONENTS}/conversation/reader.js`);

/** A new page; `says(key)` presses a key and returns the line's words, "" if there are none. */
function begin() {
  const page = openPage();
  const says = (key) => {
    page.press(key);
    return document.querySelector(".medlens-key-why")?.textContent ?? "";
  };
  const part = (name = "") => {
    const node = document.createElement("div");
    node.className = name;
    document.body.append(node);
    return node;
  };
  return { ...page, says, part };
}

const choice = (id, letter, keys, more = {}) => ({ id, kind: "choice", label: id, letter, options: [...keys].map((key) => ({ value: key, name: key, key })), ...more });

function drawForm(parentElement, fields, more = {}, setStateValue = () => {}) {
  const data = {
    item: "a", fields, values: {}, changes: {}, rest: null, rev: 0, session: "s", ack: "", task: "words", moves: 0, rater: "r", submit: "", keys: false, saved_at: "", trouble: "", ...more,
  };
  mountForm({ data, parentElement, setStateValue });
}

test("a key is refused in words that the next used key takes away", () => {
  const { says } = begin();
  listenToKeyboard(ORDER.form, (event) => {
    if (event.key === "ArrowUp") {
      event.preventDefault();
      refuseKey("this is the top");
    }
    if (event.key === "1") event.preventDefault();
  }, new AbortController().signal);
  assert.equal(says("ArrowUp"), "↑ not used: this is the top.");
  assert.equal(says("x"), "↑ not used: this is the top.");
  assert.equal(says("1"), "");
});

test("the words go after a while, or when something is pressed", async () => {
  const { clock, says } = begin();
  listenToKeyboard(ORDER.form, () => "nothing is open", new AbortController().signal);
  assert.equal(says("1"), "1 not used: nothing is open.");
  await clock.runTo(clock.now + 20_000);
  assert.equal(document.querySelector(".medlens-key-why").textContent, "");
  assert.equal(says("2"), "2 not used: nothing is open.");
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  assert.equal(document.querySelector(".medlens-key-why").textContent, "");
});

test("why a component has no use for a key is said only if no other one uses it", () => {
  const { says } = begin();
  const { signal } = new AbortController();
  listenToKeyboard(ORDER.form, () => "no question has it", signal);
  listenToKeyboard(ORDER.source, (event) => {
    if (event.key === "m") event.preventDefault();
  }, signal);
  assert.equal(says("m"), "");
  assert.equal(says("z"), "Z not used: no question has it.");
});

test("a form says why a key of its own does nothing now, and is silent about others", () => {
  const { says, part } = begin();
  const hidden = choice("where", "w", "12", { when: ["wrong", "yes"] });
  drawForm(part(), [choice("wrong", "a", "123"), hidden], { rest: { key: "x", name: "The rest", fields: [], value: "1" } });
  assert.equal(says("9"), "9 not used: the question has no such answer.");
  assert.equal(says("w"), "W not used: its question is not asked now.");
  assert.equal(says("x"), "X not used: every question has an answer.");
  assert.equal(says("2"), "");
  assert.equal(says("z"), "");
});

test("while the next item is on its way, a page's keys for the item being left say so", async () => {
  const { clock, says, part } = begin();
  const press = part("st-key-next");
  press.append(document.createElement("button"));
  const draw = (item) => mountTurn({
    data: { item, ahead: "", ways: [], open: 0, buttons: { j: ".st-key-next", k: ".st-key-back" } }, parentElement: turnAt,
  });
  const turnAt = part();
  draw("a");
  assert.equal(says("k"), "K not used: there is no previous item.");
  assert.equal(says("j"), "");
  await clock.runTo(clock.now + 200);
  assert.equal(says("3"), "3 not used: the next item is not here yet.");
  assert.equal(says("Enter"), "Enter not used: the next item is not here yet.");
  // One more step is kept until that item is open; what follows it says so.
  assert.equal(says("j"), "");
  assert.equal(says("j"), "J not used: wait for the item to open.");
  draw("b");
  assert.equal(says("3"), "J not used: wait for the item to open.");
});

test("at the end of the list of dialogues J says that there is no next one", () => {
  const { says, part } = begin();
  const reader = new Reader(part());
  const data = { page: 0, last: 0, pages: [{ names: ["one"], rows: [] }], ahead: {}, reading: { name: "one", facts: [], turns: [] }, columns: [], ack: "" };
  reader.update(data, () => {});
  assert.equal(says("j"), "J not used: there is no next dialogue on this page of the list.");
  assert.equal(says("k"), "K not used: there is no previous dialogue on this page of the list.");
});

test("an item without a button for all its statements follows one with it, and goes back again", () => {
  const { part } = begin();
  const parent = part();
  const rest = { key: "a", name: "All", value: "1", fields: ["one"] };
  drawForm(parent, [choice("one", "b", "12"), choice("two", "c", "12")], { rest });
  assert.equal(document.querySelectorAll(".maf-rest").length, 1);
  drawForm(parent, [choice("two", "c", "12")], { item: "b", moves: 1 });
  assert.equal(document.querySelectorAll(".maf-rest").length, 0);
  drawForm(parent, [choice("one", "b", "12"), choice("two", "c", "12")], { rest, moves: 2 });
  assert.equal(document.querySelectorAll(".maf-rest").length, 1);
});

test("once it is settled the button says that it would be settled again", () => {
  const { part } = begin();
  const parent = part();
  drawForm(parent, [choice("one", "b", "12")], { submit: "Settle it" });
  drawForm(parent, [choice("one", "b", "12")], { submit: "Settle it again", rev: 1 });
  assert.equal(document.querySelector(".maf-submit").textContent, "Settle it again");
});

test("a text that an answer needs has the focus, so that what is typed next is no key", () => {
  const { part, press } = begin();
  const missing = (needed) => ({ id: "missing", kind: "text", label: "What is missing", lines: 3, needed, when: ["complete", "2"] });
  for (const needed of [true, false]) {
    document.body.replaceChildren();
    drawForm(part(), [choice("complete", "", "12", { turn: true }), missing(needed)]);
    press("2");
    assert.equal(document.activeElement === document.querySelector("textarea"), needed);
  }
});

test("what is submitted says who answered and all that the form showed", () => {
  const { press, part } = begin();
  const sent = [];
  const fields = [choice("right", "a", "12"), choice("safe", "b", "12")];
  drawForm(part(), fields, { task: "seen", values: { right: "1", safe: null } }, (name, message) => sent.push(message));
  press("b");
  press("2");
  press("Enter");
  const [first] = sent;
  assert.deepEqual([first.rater, first.seen], ["r", {}]);
  assert.deepEqual(first.changes, { safe: [null, "2"] });
  const data = { item: "a", fields, values: { right: "1", safe: "2" }, changes: {}, rest: null, rev: 1, session: "s", ack: first.token, task: "seen", moves: 0, rater: "r", submit: "", keys: false, saved_at: "", trouble: "" };
  mountForm({ data, parentElement: document.body.lastElementChild, setStateValue: (name, message) => sent.push(message) });
  const last = sent.at(-1);
  assert.deepEqual([last.submit, last.seen], [true, { right: "1", safe: "2" }]);
});
