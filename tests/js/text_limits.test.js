// What a paste leaves out of a field with a limit.

import assert from "node:assert/strict";
import test from "node:test";

import { leftOut } from "../../medlens/ui/components/shared/text_limits.js";

const field = (value, maxLength, selectionStart = value.length, selectionEnd = selectionStart) =>
  ({ value, maxLength, selectionStart, selectionEnd });

test("a paste that fits leaves nothing out", () => {
  assert.equal(leftOut(field("abc", 10), 7), 0);
});

test("a paste that is too long leaves out what is over the limit", () => {
  assert.equal(leftOut(field("abc", 10), 50_000), 49_993);
});

test("what the paste replaces makes room", () => {
  assert.equal(leftOut(field("abcdefghij", 10, 0, 10), 12), 2);
});
