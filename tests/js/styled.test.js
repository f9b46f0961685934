// What needs everything in its place waits for the style sheet of its component.

import assert from "node:assert/strict";
import { test } from "node:test";

import { onceStyled } from "../../medlens/ui/components/shared/dom.js";

const frames = [];
Object.assign(globalThis, {
  getComputedStyle: ({ opacity }) => ({ opacity }),
  requestAnimationFrame: (run) => frames.push(run),
});
const drawFrame = () => frames.splice(0).forEach((run) => run());

test("work waits, frame by frame, until the style sheet has come", () => {
  const wrap = { opacity: "0", isConnected: true };
  let runs = 0;
  onceStyled(wrap, () => { runs += 1; });
  drawFrame();
  assert.equal(runs, 0);
  wrap.opacity = "1";
  drawFrame();
  drawFrame();
  assert.equal(runs, 1);
  onceStyled(wrap, () => { runs += 1; });
  assert.equal(runs, 2);
});

test("work is dropped with a component that goes before its style sheet has come", () => {
  const wrap = { opacity: "0", isConnected: true };
  onceStyled(wrap, () => assert.fail("nothing is left to place"));
  Object.assign(wrap, { opacity: "1", isConnected: false });
  drawFrame();
  assert.equal(frames.length, 0);
});
