// Messages to the server: in order, one at a time, repeated until taken, never applied twice.

import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { afterEach, beforeEach, test } from "node:test";

import { Outbox } from "../../medlens/ui/components/shared/outbox.js";

globalThis.crypto ??= webcrypto; // before Node 19

// A clock that stands still until a test advances it.
let now;
let timers;
const real = { setTimeout, clearTimeout };
beforeEach(() => {
  now = 0;
  timers = new Map();
  let last = 0;
  globalThis.setTimeout = (work, wait) => timers.set((last += 1), { at: now + wait, work }) && last;
  globalThis.clearTimeout = (id) => timers.delete(id);
});
afterEach(() => Object.assign(globalThis, real));

function pass(ms) {
  const until = now + ms;
  for (;;) {
    const [next] = [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at);
    if (!next) break;
    timers.delete(next[0]);
    now = next[1].at;
    next[1].work();
  }
  now = until;
}

let names = 0;
function box({ name = `desk ${(names += 1)}`, onlate } = {}) {
  const one = new Outbox(onlate);
  one.begin(name);
  const sent = [];
  one.send = (message) => sent.push({ ...message, at: now });
  return { one, sent, name, said: () => sent.map(({ text }) => text) };
}

test("one message is under way at a time, and they are told in order", () => {
  const { one, said, sent } = box();
  for (const text of ["a", "b", "c"]) one.put({ text });
  assert.deepEqual(said(), ["a"]);
  one.taken(sent[0].token);
  one.taken(sent[1].token);
  assert.deepEqual(said(), ["a", "b", "c"]);
  assert.equal(new Set(sent.map(({ token }) => token)).size, 3);
  one.taken(sent[2].token);
  assert.equal(one.waiting.length, 0);
  pass(60_000);
  assert.equal(sent.length, 3);
});

test("what nobody answers is told again under the same token, ever more slowly, to the end", () => {
  const { one, sent } = box();
  one.put({ text: "a" });
  pass(60_000);
  assert.deepEqual(
    sent.map(({ at }) => at),
    [0, 3000, 5000, 7000, 11_000, 17_000, 27_000, 37_000, 47_000, 57_000],
  );
  assert.equal(new Set(sent.map(({ token }) => token)).size, 1);
  assert.deepEqual(sent.map(({ attempt }) => attempt), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("an answer to something else, or to what was taken before, takes nothing", () => {
  const { one, sent } = box();
  one.put({ text: "a" });
  one.put({ text: "b" });
  for (const token of ["", null, undefined, "another", one.waiting[1].token]) one.taken(token);
  assert.deepEqual(one.waiting.map(({ text }) => text), ["a", "b"]);
  one.taken(sent[0].token);
  one.taken(sent[0].token);
  assert.deepEqual(one.waiting.map(({ text }) => text), ["b"]);
});

test("it is said when the server does not answer, and when it does again", () => {
  const late = [];
  const { one, sent } = box({ onlate: (is) => late.push([now, is]) });
  one.put({ text: "a" });
  pass(2999);
  assert.deepEqual(late, []);
  pass(1);
  assert.deepEqual(late, [[3000, true]]);
  one.taken(sent[0].token);
  one.taken(undefined); // an answer that nobody is waiting for
  assert.deepEqual(late, [[3000, true], [3000, false]]);
});

test("only what is not under way yet can still be changed", () => {
  const { one, sent } = box();
  assert.equal(one.open, null);
  one.put({ text: "a" });
  assert.equal(one.open, null);
  one.put({ text: "b" });
  assert.equal(one.open.text, "b");
  one.open.text = "c";
  one.taken(sent[0].token);
  assert.deepEqual([sent[1].text, one.open], ["c", null]);
});

test("a connection that is down does not stop the clock", (t) => {
  t.mock.method(console, "warn", () => {});
  const { one, sent } = box();
  const { send } = one;
  one.send = () => {
    throw new Error("no connection");
  };
  one.put({ text: "a" });
  one.send = send;
  pass(3000);
  assert.deepEqual(sent.map(({ text, attempt }) => [text, attempt]), [["a", 2]]);
});

test("a server that was started anew is told at once, and the clock begins again", () => {
  const { one, sent } = box();
  one.again();
  one.put({ text: "a" });
  pass(1000);
  one.again();
  assert.deepEqual(sent.map(({ at, attempt }) => [at, attempt]), [[0, 1], [1000, 2]]);
  pass(1999);
  assert.equal(sent.length, 2);
  pass(1);
  assert.equal(sent.length, 3);
});

test("what a component had not told is told by the next of its name, and by nobody twice", () => {
  const old = box();
  old.one.put({ text: "a" });
  old.one.put({ text: "b" });
  const next = box({ name: old.name });
  pass(60_000);
  assert.deepEqual(old.said(), ["a"]);
  assert.deepEqual(next.said(), []);
  next.one.again();
  assert.deepEqual(next.said(), ["a"]);
  assert.equal(next.sent[0].token, old.sent[0].token);
  next.one.taken(next.sent[0].token);
  assert.deepEqual(next.said(), ["a", "b"]);
  assert.deepEqual(box().one.waiting, []);
});

test("what an old component still says goes out through the one that took its place", () => {
  const old = box();
  const next = box({ name: old.name });
  old.one.put({ text: "a" });
  assert.deepEqual([old.said(), next.said()], [[], ["a"]]);
});
