// The reason of a flag, typed right after a click on Flag: a page as Streamlit draws it, whose box
// opens with the click, and gets its field when the server has answered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PopoverFocus } from "../../medlens/ui/components/frame/popover_focus.js";
import { openPage } from "./page.js";

const SILENT = ["Shift", "CapsLock", "AltGraph", "Control", "Meta", "Dead"];
const isField = (node) => node.localName === "input";

/** A desk with Flag and the guideline's button; `press` types one key, `desk` holds what the desk hears. */
function openDesk() {
  const { clock, document } = openPage();
  const observers = [];
  globalThis.MutationObserver = class {
    constructor(run) {
      observers.push(this);
      this.run = run;
    }

    observe() {
      this.isOn = true;
    }

    disconnect() {
      this.isOn = false;
    }
  };
  const add = (parent, tag, attributes) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    parent.append(node);
    return node;
  };
  const drawn = () => observers.filter(({ isOn }) => isOn).forEach(({ run }) => run());
  const addButton = (name) => {
    const popover = add(add(document.body, "div", { class: name }), "div", { "data-testid": "stPopover" });
    return add(popover, "button", { "aria-expanded": "false" });
  };
  const flag = addButton("st-key-rate-flag-12-open");
  const guideline = addButton("st-key-guideline");
  const held = add(document.body, "div", {});
  held.focus();
  const popovers = new PopoverFocus(document);
  const desk = [];

  const touch = (button, pointerType = "mouse") => {
    const event = new Event("pointerdown", { bubbles: true, pointerType });
    button.dispatchEvent(event);
  };
  const open = (button) => {
    button.setAttribute("aria-expanded", "true");
    const box = add(document.body, "div", { "data-testid": "stPopoverBody" });
    drawn();
    return box;
  };
  const close = (button, box) => {
    button.setAttribute("aria-expanded", "false");
    box.remove();
    held.focus();
    drawn();
  };
  const answer = (box, name) => {
    const field = add(add(box, "div", { class: name }), "input", { type: "text" });
    drawn();
    return field;
  };
  const press = (key, more = {}) => {
    const target = document.activeElement;
    const event = { key, target, isPrevented: false, preventDefault: () => (event.isPrevented = true), stopPropagation() {}, ...more };
    popovers.heard(event);
    if (event.isPrevented || SILENT.includes(key)) return;
    if (!isField(target)) desk.push(key);
    else if (key === "Backspace") target.value = target.value.slice(0, -1);
    else if (key.length === 1) target.value += key;
    else if (key !== "Escape") desk.push(key);
  };
  const typed = (keys) => keys.forEach((key) => press(key));
  return { clock, document, flag, guideline, desk, touch, open, close, answer, press, typed };
}

const FLAG_FORM = "st-key-rate-flag-12";

/** What the field holds and what the desk heard after these keys, typed while the field was on its way. */
function reasonOf(keys) {
  const { flag, document, desk, touch, open, answer, typed } = openDesk();
  touch(flag);
  const box = open(flag);
  typed(keys);
  const field = answer(box, FLAG_FORM);
  assert.equal(document.activeElement, field);
  assert.deepEqual(box.querySelectorAll("input"), [field]);
  assert.deepEqual(desk, []);
  typed(["!"]);
  return field.value;
}

test("capital letters and accents of a reason are kept", () => {
  assert.equal(reasonOf([..."typo"]), "typo!");
  assert.equal(reasonOf(["Shift", ..."Wrong"]), "Wrong!");
  assert.equal(reasonOf(["n", "o", "Shift", "S"]), "noS!");
  assert.equal(reasonOf(["CapsLock", "A", "AltGraph", "@", "Dead", "é", "Control", "Meta"]), "A@é!");
});

test("Backspace takes back a letter of a reason", () => {
  assert.equal(reasonOf([..."wx", "Backspace", "r"]), "wr!");
});

test("neither Enter nor Tab leaves a reason before its field is there", () => {
  assert.equal(reasonOf([..."typo", "Enter"]), "typo!");
  assert.equal(reasonOf([..."typo", "Tab", "s"]), "typos!");
  assert.equal(reasonOf(["Enter", "w"]), "w!");
});

test("Ctrl+Enter submits nothing while a reason is written", () => {
  const { flag, desk, touch, open, press } = openDesk();
  touch(flag);
  open(flag);
  press("Enter", { ctrlKey: true });
  assert.deepEqual(desk, []);
});

test("what is typed while a slow server draws the field is its beginning, however long that takes", async () => {
  const { clock, flag, document, desk, touch, open, answer, typed } = openDesk();
  touch(flag);
  const box = open(flag);
  typed([..."ab"]);
  await clock.runTo(60_000);
  typed(["c"]);
  const field = answer(box, FLAG_FORM);
  assert.equal(field.value, "abc");
  assert.equal(document.activeElement, field);
  assert.deepEqual(desk, []);
});

test("a letter of several keys is whole before it goes to the field", () => {
  const { flag, document, touch, open, answer, typed } = openDesk();
  touch(flag);
  const box = open(flag);
  const draft = document.activeElement;
  draft.dispatchEvent(new Event("compositionstart"));
  const field = answer(box, FLAG_FORM);
  assert.equal(document.activeElement, draft);
  typed(["ê"]);
  draft.dispatchEvent(new Event("compositionend"));
  assert.equal(field.value, "ê");
  assert.equal(document.activeElement, field);
});

test("Esc gives a reason up: what follows is for the desk, and the next box is empty", () => {
  const { flag, desk, touch, open, close, answer, typed } = openDesk();
  touch(flag);
  const box = open(flag);
  typed([..."odd", "Escape"]);
  close(flag, box);
  typed(["7"]);
  assert.deepEqual(desk, ["7"]);
  touch(flag);
  assert.equal(answer(open(flag), FLAG_FORM).value, "");
});

test("after a press on Flag that opened nothing keys are the desk's, and no other box gets them", () => {
  const { flag, guideline, document, desk, touch, open, answer, typed } = openDesk();
  touch(flag);
  typed([..."72"]);
  assert.deepEqual(desk, ["7", "2"]);
  const held = document.activeElement;
  const field = answer(open(guideline), "st-key-guideline-search");
  assert.equal(field.value, "");
  assert.equal(document.activeElement, held);
});

test("a press on Flag that opened nothing has no part in the box that opens next", () => {
  for (const [name, keys] of [["guideline", []], ["flag", ["f"]]]) {
    const page = openDesk();
    const held = page.document.activeElement;
    page.touch(page.flag);
    page.typed(keys);
    const box = page.open(page[name]);
    assert.deepEqual(box.querySelectorAll("input"), [], name);
    assert.equal(page.document.activeElement, held, name);
  }
});

test("a finger that opens a flag leaves the focus where it is: it would bring up the keyboard", () => {
  const { flag, document, touch, open, answer } = openDesk();
  const held = document.activeElement;
  touch(flag, "touch");
  const box = open(flag);
  assert.deepEqual(box.querySelectorAll("input"), []);
  answer(box, FLAG_FORM);
  assert.equal(document.activeElement, held);
});

/** A box that Esc has closed while the server was still to say that it was opened; `comesBack` is that answer. */
function openClosed() {
  const page = openDesk();
  const { clock, document, flag, desk, open, close, press } = page;
  globalThis.setInterval = (run, ms) => {
    const timer = { isOn: true };
    const again = () => {
      if (!timer.isOn) return;
      run();
      clock.after(ms, again);
    };
    clock.after(ms, again);
    return timer;
  };
  globalThis.clearInterval = (timer) => {
    if (timer) timer.isOn = false;
  };
  const held = document.activeElement;
  const comesBack = (button) => {
    button.addEventListener("click", () => close(button, document.querySelector('[data-testid="stPopoverBody"]')));
    return open(button);
  };
  const box = open(flag);
  press("Escape");
  close(flag, box);
  desk.length = 0;
  return { ...page, held, comesBack };
}

for (const keys of ["", "7", "70jk"]) {
  test(`a box that comes back after Esc${keys && ` and the keys ${keys}`} is closed again, and nobody is taken into it`, async () => {
    const { clock, document, flag, desk, held, comesBack, typed } = openClosed();
    typed([...keys]);
    assert.deepEqual(desk, [...keys]);
    await clock.runTo(clock.now + 1_500);
    const box = comesBack(flag);
    await clock.runTo(clock.now + 200);
    assert.equal(box.isConnected, false);
    assert.equal(document.activeElement, held);
    typed(["5"]);
    assert.deepEqual(desk, [...keys, "5"]);
  });
}

test("a box that F opens again after Esc stays open, and so does another one, or one that is opened by a press or much later", async () => {
  const stays = async ({ clock }, box) => {
    await clock.runTo(clock.now + 1_000);
    assert.equal(box.isConnected, true);
  };
  const byKey = openClosed();
  byKey.typed(["f"]);
  await stays(byKey, byKey.comesBack(byKey.flag));
  const other = openClosed();
  await stays(other, other.comesBack(other.guideline));
  const byPress = openClosed();
  byPress.touch(byPress.flag);
  await stays(byPress, byPress.comesBack(byPress.flag));
  const late = openClosed();
  await late.clock.runTo(late.clock.now + 10_500);
  await stays(late, late.comesBack(late.flag));
});
