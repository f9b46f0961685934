// What a desk's bar says while nothing is under way.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsAtRest } from "../../medlens/ui/components/shared/dom.js";

const before = "Item 1 submitted";
const left = "2026-11-03T10:00:00+00:00";

test("what was done with the item before is said beside an older draft of this one, and not beside a newer", () => {
  assert.equal(wordsAtRest({ at: "", before, left }), before);
  const older = "2026-11-03T09:59:59.500000+00:00";
  assert.match(wordsAtRest({ at: older, before, left }), /^Item 1 submitted · this one saved \d/);
  assert.match(wordsAtRest({ at: older, before, left, submitted: true }), /^Item 1 submitted · this one submitted \d/);
  const newer = "2026-11-03T10:00:01+00:00";
  assert.match(wordsAtRest({ at: newer, before, left }), /^saved \d/);
  assert.match(wordsAtRest({ at: older, before: "", left: "" }), /^saved \d/);
});
