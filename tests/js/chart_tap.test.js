// The page follows a chart's mark to its list, and leaves whoever goes on where they are.

import assert from "node:assert/strict";
import { test } from "node:test";

const scrolls = [];
const timers = [];
const listeners = {};
let top = 900;
let cleared = 0;
let ended = () => {};
const list = {
  style: {},
  getBoundingClientRect: () => ({ top }),
  scrollIntoView: ({ behavior }) => scrolls.push(behavior),
};
const page = {
  scrollTop: 240,
  scrollTo: ({ top, behavior }) => scrolls.push([top, behavior]),
  addEventListener: (_, heard) => {
    ended = heard;
  },
};

Object.assign(globalThis, {
  window: { innerHeight: 800 },
  document: {
    querySelector: (kind) => (kind === ".st-key-figures-list" ? list : page),
    addEventListener: (kind, heard) => Object.assign(listeners, { [kind]: heard }),
    removeEventListener: () => {},
  },
  setTimeout: (run) => timers.push(run),
  clearTimeout: () => {
    cleared += 1;
  },
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

test("once the list has come into sight no later look scrolls the page again", () => {
  mount({ data: { mark: "another" } });
  timers.at(-3)();
  const before = cleared;
  ended();
  assert.equal(cleared, before, "the list is below still");
  top = 80;
  ended();
  assert.equal(cleared, before + 3, "all looks are let go");
});
