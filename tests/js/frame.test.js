// The palette: which places a text names, and where the arrows lead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { findCurrentLink } from "../../medlens/ui/components/frame/current_link.js";
import { isCut } from "../../medlens/ui/components/frame/line_person.js";
import { matchPlaces, moveChoice } from "../../medlens/ui/components/frame/matching.js";
import { isMenuButtonHidden } from "../../medlens/ui/components/frame/menu_button.js";
import { scrollThatShows } from "../../medlens/ui/components/frame/open_view.js";
import { beginAtTop, nameOfPlace } from "../../medlens/ui/components/frame/top_of_place.js";

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

test("the menu's button is out of sight while one scrolls down, and back at the top or on the way up", () => {
  const shown = (top) => ({ top, hidden: false });
  const hidden = (top) => ({ top, hidden: true });
  assert.equal(isMenuButtonHidden(20, shown(0)), false);
  assert.equal(isMenuButtonHidden(60, shown(0)), true);
  assert.equal(isMenuButtonHidden(58, hidden(60)), true, "a finger trembles");
  assert.equal(isMenuButtonHidden(40, hidden(60)), false);
  assert.equal(isMenuButtonHidden(45, shown(40)), true);
  assert.equal(isMenuButtonHidden(20, hidden(26)), false);
  assert.equal(isMenuButtonHidden(40, hidden(60), true), true, "in a narrow window it lies over words");
  assert.equal(isMenuButtonHidden(20, hidden(60), true), false);
});

test("the menu marks the link to the open task, to its study where no task is open, and to no other", () => {
  const links = [
    { path: "", query: {} },
    { path: "Verify", query: { view: "Verify sources", dataset: "demo" } },
    { path: "Verify", query: { view: "Check statements", dataset: "demo" } },
    { path: "Verify", query: {} },
    { path: "Team", query: { section: "people" } },
  ];
  const marked = (path, query = {}, study = "") => findCurrentLink(links, { path, query, study });
  assert.equal(marked(""), 0);
  assert.equal(marked("Verify", { dataset: "demo" }), 1); // its first view
  assert.equal(marked("Verify", { view: "Check statements", dataset: "demo" }), 2);
  assert.equal(marked("Verify", { view: "Results", dataset: "demo" }), 3);
  assert.equal(marked("Verify", { view: "Check statements", dataset: "mine" }), 3);
  assert.equal(marked("Team", { section: "people" }, "Verify"), 4);
  assert.equal(marked("Team", { section: "agreement" }, "Verify"), 3);
  assert.equal(marked("Team"), -1);
});

test("another view begins at its top, the next item of the same one where it is", () => {
  let scrolled = 0;
  const page = { querySelector: () => ({ scrollTo: ({ top }) => { assert.equal(top, 0); scrolled += 1; } }) };
  const open = (pathname, search) => { beginAtTop(nameOfPlace({ pathname, search }), page); return scrolled; };
  assert.equal(open("/Verify", "?view=Verify+sources&pair=1"), 0, "a page that loads keeps its place");
  assert.equal(open("/Verify", "?pair=2&view=Verify%20sources"), 0);
  assert.equal(open("/Verify", "?view=Verify+whole+answers"), 1);
  assert.equal(open("/Team", "?task=pairs"), 2);
  assert.equal(open("/Team", "?task=pairs&section=agreement"), 3);
  assert.equal(open("/Team", "?task=pairs&section=agreement&label=7"), 3);
});

test("the row of views scrolls just as far as the open one needs, and stays where it is in sight", () => {
  const row = { at: 0, wide: 380 };
  assert.equal(scrollThatShows(row, { left: 390, right: 510 }), 130);
  assert.equal(scrollThatShows(row, { left: 100, right: 200 }), 0);
  assert.equal(scrollThatShows({ at: 130, wide: 380 }, { left: 0, right: 110 }), 0);
});

test("a name gives way to its initials where it is cut, and comes back once it fits without them", () => {
  assert.equal(isCut({ wide: 90, room: 90, initials: 0 }), false);
  assert.equal(isCut({ wide: 90, room: 80, initials: 0 }), true);
  assert.equal(isCut({ wide: 90, room: 52, initials: 28 }), true);
  assert.equal(isCut({ wide: 90, room: 64, initials: 28 }), false);
});
