// Sentences of a source marked as evidence: offsets in code points, whatever the letters.

import assert from "node:assert/strict";
import { test } from "node:test";

import { marksIn, ofMarks, passagesIn, remarked, sentencesOf } from "../../medlens/ui/components/shared/passages.js";

// "𝛼 is one." has nine code points and ten UTF-16 units; the next sentence starts at 10.
const SENTENCES = ["𝛼 is one.", "Two is next.", "Three ends it."];
const STARTS = [0, 10, 23];

test("a marked sentence has its place in code points and its words", () => {
  const made = JSON.parse(remarked(null, [0], true, STARTS, SENTENCES));
  assert.deepEqual(made, [{ start: 0, end: 9, quote: "𝛼 is one." }]);
  assert.deepEqual(sentencesOf(made, STARTS, SENTENCES), [0]);
});

test("marks stand in the order of the source, each once, and are taken off one by one", () => {
  let value = remarked(null, [2], true, STARTS, SENTENCES);
  value = remarked(value, [0, 2], true, STARTS, SENTENCES);
  assert.deepEqual(sentencesOf(passagesIn(value), STARTS, SENTENCES), [0, 2]);
  assert.equal(passagesIn(value).length, 2);
  value = remarked(value, [0], false, STARTS, SENTENCES);
  assert.deepEqual(passagesIn(value).map(({ quote }) => quote), ["Three ends it."]);
  assert.equal(remarked(value, [2], false, STARTS, SENTENCES), null);
});

test("a mark of some words of two sentences shows on both, and goes with either", () => {
  const value = JSON.stringify([{ start: 7, end: 13, quote: "e. Two" }]);
  assert.deepEqual(sentencesOf(passagesIn(value), STARTS, SENTENCES), [0, 1]);
  assert.equal(remarked(value, [1], false, STARTS, SENTENCES), null);
});

test("what is no list of passages has none", () => {
  for (const value of [null, "", "(no passage)", "{}", '[{"start":3,"end":3,"quote":"x"}]']) {
    assert.deepEqual(passagesIn(value), []);
  }
});

test("what is no list of marks has none", () => {
  for (const value of [null, "", "{}", '[{"start":3,"end":4,"quote":"x"}]']) assert.deepEqual(marksIn(value), []);
  assert.equal(marksIn('[{"start":3,"end":4,"quote":"x","labels":["a"]}]').length, 1);
});

test("in a text to mark digits and arrows are its own, and letters but N and P the form's", () => {
  const text = (inside) => ({ closest: (at) => (inside && at === ".mlt.is-pane" ? {} : null) });
  const pressed = (key, inside, more = {}) => ofMarks({ key, target: text(inside), ...more });
  for (const key of ["1", "9", "ArrowLeft", "Enter", "Escape", "n", "P"]) assert.ok(pressed(key, true), key);
  for (const key of ["0", "a", "j", "S", "?", "="]) assert.ok(!pressed(key, true), key);
  assert.ok(pressed("z", true, { ctrlKey: true }));
  assert.ok(!pressed("1", false));
  assert.ok(!ofMarks({ key: "1", target: {} }));
});
