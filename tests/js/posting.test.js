// Which way a message reaches its desk, and which of two answers is newer.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { latest, posting } from "../../medlens/ui/components/shared/posting.js";

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

const way = (number, address = "a") => ({ way: { address, number } });
const waits = () => true;
const settled = () => new Promise((done) => setTimeout(done, 5));

function answering(answer) {
  const asked = [];
  globalThis.fetch = async (address, { body }) => {
    asked.push(JSON.parse(body));
    return answer();
  };
  return asked;
}

const ok = (told) => () => ({ ok: true, json: async () => told });

test("what Streamlit shows late does not take the place of what the desk answered", () => {
  const newer = { item: 2, ...way(5) };
  assert.equal(latest(newer), newer);
  assert.equal(latest({ item: 1, ...way(4) }), newer);
  const next = { item: 3, ...way(6) };
  assert.equal(latest(next), next);
});

test("another desk's data are shown whatever their number", () => {
  latest({ item: 2, ...way(9) });
  const other = { item: 1, ...way(1, "b") };
  assert.equal(latest(other), other);
});

test("a message goes to the desk's address alone, and its answer is shown", async () => {
  const streamlit = [];
  const shown = [];
  const told = { item: 7, over: false, ...way(2, "c") };
  const asked = answering(ok(told));
  posting(way(1, "c"), (_, message) => streamlit.push(message), (data) => shown.push(data), waits)({ token: "t" });
  await settled();
  assert.deepEqual([asked, streamlit, shown], [[{ token: "t" }], [], [told]]);
});

for (const [name, answer] of [
  ["refuses", () => ({ ok: false, statusText: "no" })],
  ["is away", () => Promise.reject(new TypeError("no network"))],
  ["answers nonsense", () => ({ ok: true, json: () => Promise.reject(new SyntaxError("x")) })],
]) {
  test(`where the address ${name}, Streamlit takes the message, once`, async () => {
    const streamlit = [];
    answering(answer);
    posting(way(1), (key, message) => streamlit.push([key, message]), () => assert.fail(), waits)({ token: "t" });
    await settled();
    assert.deepEqual(streamlit, [["out", { token: "t" }]]);
  });
}

test("a message that was answered meanwhile is not sent a second time", async () => {
  answering(() => Promise.reject(new TypeError("timed out")));
  posting(way(1), () => assert.fail(), () => {}, () => false)({ token: "t" });
  await settled();
});

test("where the page has to run, Streamlit is asked for that alone", async () => {
  const streamlit = [];
  const shown = [];
  answering(ok({ over: true, ...way(2) }));
  posting(way(1), (_, message) => streamlit.push(message), (data) => shown.push(data), waits)({ token: "t" });
  await settled();
  assert.deepEqual([streamlit, shown], [[{ run: 2 }], []]);
});

test("without an address Streamlit takes all messages", () => {
  const streamlit = [];
  globalThis.fetch = () => assert.fail();
  posting({}, (_, message) => streamlit.push(message), () => {}, waits)({ token: "t" });
  assert.equal(streamlit.length, 1);
});

test("an answer reaches the surface that is on the page by then", async () => {
  const shown = [];
  answering(ok({ item: 1, over: false, ...way(2, "d") }));
  const send = posting(way(1, "d"), () => {}, () => shown.push("old"), waits);
  send({ token: "t" });
  posting(way(1, "d"), () => {}, () => shown.push("new"), waits);
  await settled();
  assert.deepEqual(shown, ["new"]);
});
