// The palette: which places a text names, and where the arrows lead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { matchPlaces, moveChoice } from "../../medlens/ui/components/frame/matching.js";

const place = (label, kind = "study") => ({ id: label, label, kind });
const PLACES = [place("Error tagging: Team"), place("AgentClinic: Team"), place("Zoë Ångström", "person"), place("Team settings", "command")];
const labels = (text) => matchPlaces(PLACES, text).map(({ label }) => label);

test("words name a place in any order, as pieces, without accents and capitals", () => {
  assert.deepEqual(labels("team clinic"), ["AgentClinic: Team"]);
  assert.deepEqual(labels("ZOE ang"), ["Zoë Ångström"]);
  assert.deepEqual(labels("person"), ["Zoë Ångström"]);
  assert.deepEqual(labels("nothing"), []);
});

test("what begins with the text comes first, and the others keep their order", () => {
  assert.deepEqual(labels("team"), ["Team settings", "Error tagging: Team", "AgentClinic: Team"]);
  assert.equal(labels("").length, PLACES.length);
});

test("arrows go round at both ends", () => {
  assert.equal(moveChoice(2, 3, "ArrowDown"), 0);
  assert.equal(moveChoice(0, 3, "ArrowUp"), 2);
  assert.equal(moveChoice(0, 0, "ArrowDown"), -1);
});
