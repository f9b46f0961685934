// The page's one keyboard: who is asked first, and what becomes of a key that comes before its item.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BURST, ORDER, decideKey, isOfFocus, listenToKeyboard, takeKept, takeUnheardKey } from "../../medlens/ui/components/shared/keyboard.js";

const READY = { item: "a", left: "", shown: "a", frozen: false, leaving: false, kept: [], since: Infinity };

function press(page) {
  const event = new Event("keydown", { cancelable: true });
  page.dispatchEvent(event);
  return event;
}

test("components are asked in their order, whatever registers first, until one uses the key", () => {
  for (const names of [["form", "conversation"], ["conversation", "form"]]) {
    const page = new EventTarget();
    const asked = [];
    const { signal } = new AbortController();
    for (const name of names) {
      listenToKeyboard(ORDER[name], (event) => {
        asked.push(name);
        if (name === "form") event.preventDefault();
      }, signal, page);
    }
    press(page);
    assert.deepEqual(asked, ["form"]);
  }
});

test("a page has one listener, and who has left is asked no more", () => {
  const page = new EventTarget();
  let listeners = 0;
  const add = page.addEventListener.bind(page);
  page.addEventListener = (...given) => {
    listeners += 1;
    add(...given);
  };
  const asked = [];
  const leaving = new AbortController();
  listenToKeyboard(ORDER.form, () => void asked.push("form"), leaving.signal, page);
  listenToKeyboard(ORDER.source, () => void asked.push("source"), new AbortController().signal, page);
  leaving.abort();
  press(page);
  assert.equal(listeners, 1);
  assert.deepEqual(asked, ["source"]);
});

test("a key that nobody has used is there once for a component that comes late, and only for a while", (t) => {
  const page = new EventTarget();
  listenToKeyboard(ORDER.form, (event) => void (page.uses && event.preventDefault()), new AbortController().signal, page);
  assert.equal(takeUnheardKey(new EventTarget()), null);
  const event = press(page);
  assert.equal(takeUnheardKey(page), event);
  assert.equal(takeUnheardKey(page), null);
  press(page);
  page.uses = true;
  press(page);
  assert.equal(takeUnheardKey(page), null);
  page.uses = false;
  press(page);
  const { timeStamp } = press(page);
  t.mock.method(performance, "now", () => timeStamp + 5_000);
  assert.equal(takeUnheardKey(page), null);
});

test("a key on a form that is ready acts, and one for the item in sight waits for its form", () => {
  assert.deepEqual(decideKey(READY, false), { act: true });
  assert.deepEqual(decideKey({ ...READY, shown: "b", frozen: true }, false), { keep: "b" });
  assert.deepEqual(decideKey({ ...READY, shown: "b" }, true), { keep: "b" });
});

test("a key for a text that is still in sight when its form has gone is not kept for ever", () => {
  const left = { ...READY, item: "b", left: "a", shown: "a" };
  assert.match(decideKey(left, false).why, /next/);
  assert.deepEqual(decideKey({ ...left, leaving: true }, false), { keep: "a" });
});

test("a key before its item can be seen is not used, and says why", () => {
  for (const state of [{ leaving: true }, { shown: "" }]) {
    assert.match(decideKey({ ...READY, ...state }, false).why, /next/);
  }
  const kept = [{ item: "b", key: "k", moves: true }];
  assert.match(decideKey({ ...READY, shown: "b", kept }, false).why, /wait/);
});

test("an item that the server still looks at is not said to be submitted: an answer may be missing", () => {
  for (const moves of [false, true]) {
    const { why, act } = decideKey({ ...READY, frozen: true }, moves);
    assert.equal(why, "this item is still being submitted");
    assert.ok(!act);
  }
});

test("a burst ends a while after its last early key, however long one types on", () => {
  let early = 0;
  const used = [];
  for (let at = 200; at < 2_000; at += 200) {
    const decision = decideKey({ ...READY, since: at - early }, false);
    if (decision.early) early = at;
    if (decision.act) used.push(at);
  }
  assert.deepEqual(used, [400, 600, 800, 1_000, 1_200, 1_400, 1_600, 1_800]);
  assert.ok(decideKey({ ...READY, since: BURST - 1 }, false).why);
});

test("kept keys are taken for their own item, in order, and the others stay", () => {
  const kept = [{ item: "b", key: "6" }, { item: "c", key: "1" }, { item: "b", key: "k" }];
  assert.deepEqual(takeKept(kept, "b").map(({ key }) => key), ["6", "k"]);
  assert.deepEqual(kept, [{ item: "c", key: "1" }]);
});

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A desk of many items: a press of Enter, J or K makes the server, which stops now and then, open
 * another one; the conversation and the form come one after the other, in either order. Returns the
 * presses: what was in sight, and what became of each.
 */
function play(seed, turns, formFirst) {
  const random = randomFrom(seed);
  const desk = { form: "0", talk: "0", left: "", frozen: false, leaving: false, missed: -1e9, kept: [] };
  const presses = [];
  let coming = [];
  let done = 0;
  const act = (entry) => {
    const { key } = entry;
    Object.assign(entry, { used: true, on: desk.form });
    if (/\d/.test(key)) return;
    const to = String(key === "k" ? Math.max(0, Number(desk.form) - 1) : Number(desk.form) + 1);
    desk[key === "Enter" ? "frozen" : "leaving"] = true;
    const opened = entry.at + (random() < 0.2 ? 300 + random() * 1_200 : 40 + random() * 60);
    const apart = random() * 250;
    const parts = formFirst ? ["form", "talk"] : ["talk", "form"];
    coming = parts.map((part, place) => ({ part, to, at: opened + place * apart }));
    done += 1;
  };
  const take = (now) => {
    if (desk.form !== desk.talk || desk.frozen || desk.leaving) return;
    for (const { entry } of takeKept(desk.kept, desk.form)) act(Object.assign(entry, { at: now }));
  };
  for (let now = 0; done < turns || coming.length || desk.kept.length; ) {
    const next = now + 15 + random() * 235;
    for (let [first] = coming; first && first.at <= next; [first] = coming) {
      coming.shift();
      if (first.part === "form" && first.to !== desk.form) desk.left = desk.form;
      desk[first.part] = first.to;
      if (first.part === "form") Object.assign(desk, { frozen: false, leaving: false });
      take(first.at);
    }
    now = next;
    if (done >= turns) continue;
    const key = random() < 0.6 ? String(Math.floor(random() * 10)) : ["Enter", "j", "k"][Math.floor(random() * 3)];
    const moves = "jk".includes(key);
    const shown = desk.talk;
    const state = { item: desk.form, left: desk.left, shown, frozen: desk.frozen, leaving: desk.leaving, kept: desk.kept, since: now - desk.missed };
    const { keep, why, early, act: acts } = decideKey(state, moves);
    const entry = { key, at: now, shown, why };
    presses.push(entry);
    if (early) desk.missed = now;
    if (keep !== undefined) desk.kept.push({ item: keep, key, moves: moves || key === "Enter", entry });
    if (acts) act(entry);
  }
  return presses;
}

for (const formFirst of [false, true]) {
  test(`in 1,000 turns no key is lost or on another item (${formFirst ? "form" : "conversation"} first)`, () => {
    const presses = play(27, 1_000, formFirst);
    assert.ok(presses.length > 2_000);
    assert.ok(presses.some(({ why }) => why) && presses.some(({ used }) => used));
    assert.deepEqual(presses.filter(({ used, why }) => Boolean(used) === Boolean(why)), []);
    assert.deepEqual(presses.filter(({ used, on, shown }) => used && on !== shown), []);
  });
}

test("Enter on a control is the control's, and keys within a dialog of the page are no shortcuts", () => {
  const within = (...selectors) => ({ closest: (asked) => asked.split(", ").some((one) => selectors.includes(one)) || null });
  const [button, inDialog, page] = [within("button"), within("[data-testid=stDialog]"), within()];
  const typed = within("input", "[data-testid=stDialog]");
  assert.equal(isOfFocus({ key: "Enter", target: button }), true);
  assert.equal(isOfFocus({ key: "s", target: button }), false);
  assert.equal(isOfFocus({ key: "Enter", ctrlKey: true, target: button }), false);
  assert.equal(isOfFocus({ key: "Enter", target: page }), false);
  for (const key of ["s", "Enter"]) {
    assert.equal(isOfFocus({ key, target: inDialog }), true);
    assert.equal(isOfFocus({ key, target: typed }), false, "a field of the dialog hears what is typed");
  }
  assert.equal(isOfFocus({ key: "Escape", target: inDialog }), false);
  const behindBox = { ...button, ownerDocument: { querySelector: () => ({}) } };
  assert.equal(isOfFocus({ key: "s", target: behindBox }), true, "an open box lies over the desk");
  assert.equal(isOfFocus({ key: "Escape", target: behindBox }), false);
});
