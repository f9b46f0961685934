// The page follows a chart's mark to its list, and leaves whoever goes on where they are.

import assert from "node:assert/strict";
import { test } from "node:test";

const scrolls = [];
const timers = [];
const listeners = {};
const list = {
  style: {},
  getBoundingClientRect: () => ({ top: 900 }),
  scrollIntoView: ({ behavior }) => scrolls.push(behavior),
};
const page = { scrollTop: 240, scrollTo: ({ top, behavior }) => scrolls.push([top, behavior]) };

Object.assign(globalThis, {
  window: { innerHeight: 800 },
  document: {
    querySelector: (kind) => (kind === ".st-key-figures-list" ? list : page),
    addEventListener: (kind, heard) => Object.assign(listeners, { [kind]: heard }),
    removeEventListener: () => {},
  },
  setTimeout: (run) => timers.push(run),
  clearTimeout: () => {},
});
const { default: mount } = await import("../../medlens/ui/components/chart_tap/chart_tap.js");

test("the scroll to a mark's list ends where it is as soon as somebody presses anything", () => {
  mount({ data: { mark: "" } });
  listeners.pointerdown();
  mount({ data: { mark: "label" } });
  assert.deepEqual(scrolls, []);
  timers[0]();
  assert.deepEqual(scrolls, ["smooth"]);
  listeners.pointerdown();
  assert.deepEqual(scrolls, ["smooth", [240, "instant"]]);
  // Once: who scrolls on by hand is held nowhere.
  listeners.pointerdown();
  assert.equal(scrolls.length, 2);
});
