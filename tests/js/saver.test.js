// Saving an answer to the server, and what is shown if it differs from the server's (versions).

import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { beforeEach, test } from "node:test";

import { keepText } from "../../medlens/ui/components/shared/kept.js";
import { Saver } from "../../medlens/ui/components/shared/saver.js";

globalThis.crypto ??= webcrypto; // before Node 19

const stored = new Map();
globalThis.localStorage = {
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, value) => stored.set(name, value),
  removeItem: (name) => stored.delete(name),
};
globalThis.requestAnimationFrame = (run) => setTimeout(run);
let items = 0;
beforeEach(() => stored.clear());

/** A desk with one open item, recording what was sent and what its person was told. */
function seat(body = "mine", rev = 1, item = `item ${(items += 1)}`) {
  const desk = {
    body, rev, told: [], sent: [],
    compose: () => ({ rater: "r", item, base: desk.rev, body: desk.body }),
    show: (one, at) => Object.assign(desk, { body: one, rev: at }),
    said: (one) => one,
    same: (a, b) => a === b,
    valid: (one) => typeof one === "string",
    words: (at) => `saved ${at}`,
    saved: (message, ack) => ack.rev && (desk.rev = ack.rev),
    tell: (words, actions = []) => desk.told.push({ words, ...Object.fromEntries(actions) }),
    status: () => {}, rest: () => {}, refused: () => {},
  };
  const saver = new Saver("test", desk);
  saver.outbox.begin(item);
  saver.outbox.send = (message) => desk.sent.push(message);
  const save = () => {
    saver.draft(60_000);
    saver.flush();
  };
  const answer = (ack) => saver.answer({ token: saver.flight?.token, ...ack });
  return { desk, saver, item, save, answer, held: (held) => ({ rater: "r", item, ...held }) };
}

test("what changed while a save was under way goes with the next, on the revision the first made", () => {
  const { desk, saver, save, answer } = seat();
  save();
  desk.body = "mine, longer";
  save();
  assert.deepEqual(desk.sent.map(({ body }) => body), ["mine"]);
  answer({ rev: 2 });
  assert.deepEqual(desk.sent.map(({ base, body }) => [base, body]), [[1, "mine"], [2, "mine, longer"]]);
  answer({ rev: 3 });
  assert.equal(saver.busy, false);
});

test("what the server has not taken is kept in the browser until it has", () => {
  const { saver, save, answer, held } = seat();
  save();
  assert.deepEqual(saver.kept(held()), { base: 1, body: "mine" });
  answer({ error: { message: "no", hint: "" } });
  assert.deepEqual(saver.kept(held()), { base: 1, body: "mine" });
  save();
  answer({ rev: 2 });
  assert.equal(saver.kept(held()), null);
});

test("where another tab was faster nothing is sent or lost until the person chooses", () => {
  for (const [choice, body] of [["Keep this version", "mine"], ["Use the other tab's", "theirs"]]) {
    const { desk, saver, save, answer, held } = seat();
    save();
    answer({ newer: { rev: 5, draft: "theirs" } });
    assert.equal(desk.body, "mine");
    assert.deepEqual(saver.kept(held()), { base: 1, body: "mine" });
    save();
    assert.equal(desk.sent.length, 1);
    desk.told[0][choice]();
    saver.flush();
    assert.deepEqual([desk.body, desk.rev, saver.conflict], [body, 5, false]);
    // Our version is saved on top of theirs; theirs is already saved.
    const more = desk.sent.slice(1).map((message) => [message.base, message.body]);
    assert.deepEqual(more, body === "mine" ? [[5, "mine"]] : []);
    assert.equal(saver.kept(held()) !== null, body === "mine");
    saver.stop();
  }
});

test("of what another tab has done it says whether that was submitted", () => {
  for (const submitted of [false, true]) {
    const { desk, saver, save, answer } = seat();
    save();
    answer({ newer: { rev: 5, draft: "theirs", submitted } });
    assert.equal(desk.told[0].words.startsWith(submitted ? "Submitted in another tab." : "Changed in another tab."), true);
    saver.stop();
  }
});

test("what an earlier page could not save comes back, or is offered where the server has moved on", () => {
  const cases = [
    // What the server holds now, what is then shown, and whether the person is asked.
    [{ rev: 1, draft: "mine" }, "new", false],
    [{ rev: 1, draft: "theirs" }, "mine", false],
    [{ rev: 4, draft: "theirs" }, "mine", true],
  ];
  for (const [held, shown, asked] of cases) {
    const before = seat();
    before.saver.keep(before.desk.compose());
    const { desk, saver } = seat("new", held.rev, before.item);
    saver.restore({ rater: "r", item: before.item, ...held });
    assert.deepEqual([desk.body, saver.conflict], [shown, asked]);
    saver.stop();
  }
});

test("an answer to another message is none, and a broken copy in the browser is none", () => {
  const { desk, saver, item, save, held } = seat();
  save();
  saver.answer({ token: "another", rev: 9 });
  assert.equal(desk.rev, 1);
  for (const broken of [{ base: "1", body: "x" }, { base: 1, body: 7 }, null]) {
    stored.set(`medlens:testr:${item}`, JSON.stringify(broken));
    assert.equal(broken && saver.kept(held()), null);
  }
  saver.stop();
});

test("the reason of a flag is kept in the browser until the server has taken the flag", () => {
  const { saver, answer, held } = seat();
  const field = { value: "", addEventListener: (_, heard) => (field.heard = heard) };
  keepText(field, saver.reasonKey(held()));
  field.value = "the options are cut off";
  field.heard();
  const again = { value: "", addEventListener: () => {} };
  keepText(again, saver.reasonKey(held()));
  assert.equal(again.value, "the options are cut off");
  saver.move("flag", field.value);
  assert.equal(stored.size, 2); // the answer, and the reason
  answer({ rev: 2 });
  assert.equal(stored.size, 0);
});
