// Offsets in a text: UTF-16 units in the browser, code points in the store, characters on screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { TextIndex } from "../../medlens/ui/components/span_tagger/offsets.js";

const FAMILY = "👩‍👩‍👧"; // one visible character, 5 code points, 8 units
const ACCENT = "e\u0301";

const cut = (text, range) => (range ? text.slice(...range) : null);

test("units and code points are told apart at every place of any text", () => {
  const signs = ["a", " ", "\n", "é", ACCENT, "𝛼", "😀", FAMILY, "漢", "ß", "\u200d", "\ud800"];
  let seed = 7;
  const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: draw(20) }, () => signs[draw(signs.length)]).join("");
    const index = new TextIndex(text);
    const points = Array.from(text);
    for (let point = 0; point <= points.length; point += 1) {
      const unit = points.slice(0, point).join("").length;
      assert.equal(index.unit(point), unit, JSON.stringify(text));
      assert.equal(index.point(unit), point, JSON.stringify(text));
    }
  }
});

test("the second half of a pair belongs to its code point", () => {
  assert.deepEqual([...new TextIndex("a😀b").toPoints], [0, 1, 1, 2, 3]);
});

test("a place that the text does not have is none", () => {
  const index = new TextIndex("abc");
  assert.deepEqual([-1, 1.5, 4, NaN, "1", 3].map((one) => index.unit(one)), [-1, -1, -1, -1, -1, 3]);
});

test("a mark never splits what a reader sees as one character", () => {
  for (const sign of [FAMILY, ACCENT, "😀", "🇨🇭"]) {
    const text = `no ${sign} no`;
    const index = new TextIndex(text);
    for (let inside = 4; inside < 3 + sign.length; inside += 1) {
      assert.equal(index.isBoundary(inside), false);
      assert.deepEqual(index.cluster(inside), [3, 3 + sign.length]);
      assert.equal(cut(text, index.exact(inside, text.length)), `${sign} no`);
      assert.equal(cut(text, index.exact(0, inside)), `no ${sign}`);
    }
    assert.equal(index.isBoundary(3), true);
  }
});

test("characters of a later line are found in their own line", () => {
  const text = `one\ntwo ${ACCENT}`;
  assert.deepEqual(new TextIndex(text).cluster(9), [8, 10]);
});

test("a mark has no white space at its ends, in whichever direction it was drawn", () => {
  const text = "  two words \n";
  const index = new TextIndex(text);
  assert.equal(cut(text, index.exact(0, text.length)), "two words");
  assert.equal(cut(text, index.exact(text.length, 0)), "two words");
  assert.equal(index.exact(0, 2), null);
  assert.equal(index.exact(5, 5), null);
});

test("a mark that ends inside a word grows to its edge, without the signs around the word", () => {
  const text = "Take (aspirin), not “ibuprofen”.";
  const index = new TextIndex(text);
  const from = (word, to = word) => index.whole(text.indexOf(word) + 2, text.indexOf(to) + to.length - 2);
  assert.equal(cut(text, from("aspirin")), "aspirin");
  assert.equal(cut(text, from("aspirin", "ibuprofen")), "aspirin), not “ibuprofen");
  // A selection that ends in the punctuation itself does not grow.
  assert.equal(cut(text, index.whole(0, text.indexOf(","))), "Take (aspirin)");
});

test("signs that stand alone are a word", () => {
  const index = new TextIndex("a … b");
  assert.deepEqual(index.words, [[0, 1], [2, 3], [4, 5]]);
});

test("between two words stands the one before", () => {
  const index = new TextIndex(" one  two");
  assert.deepEqual([0, 1, 4, 5, 6, 8].map((unit) => index.wordAt(unit)), [0, 0, 0, 0, 1, 1]);
});

test("lines joined are the text, and each unit is in its line", () => {
  for (const text of ["", "a", "a\n", "\n\nb", "a\nb\n"]) {
    const index = new TextIndex(text);
    assert.equal(index.lines.map((line) => cut(text, line)).join(""), text);
  }
  const index = new TextIndex("ab\ncd");
  assert.deepEqual([0, 2, 3, 4].map((unit) => index.lineAt(unit)), [0, 0, 1, 1]);
});

test("a sentence has at least two words, and none goes beyond its line", () => {
  const text = "No. It is not. Never!\n Rest.";
  const index = new TextIndex(text);
  const found = index.sentences.map((one) => cut(text, one));
  assert.deepEqual(found, ["No. It is not.", "Never!", "Rest."]);
  assert.equal(index.sentenceAt(text.indexOf("Never")), 1);
});
