// The end of a finished share, as Streamlit draws it: the heading first, the buttons under it later.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DeskFocus } from "../../medlens/ui/components/frame/desk_focus.js";
import { openPage } from "./page.js";

/** The app while its script runs; `look` lets the desk's focus look at the page once more. */
function openApp() {
  const { document } = openPage();
  location.search = "";
  const looks = new Set();
  globalThis.setInterval = (run) => {
    looks.add(run);
    return run;
  };
  globalThis.clearInterval = (run) => looks.delete(run);
  const app = document.createElement("div");
  app.className = "stApp";
  app.setAttribute("data-test-script-state", "running");
  document.body.append(app);
  return { app, document, focus: new DeskFocus(document), look: () => [...looks].forEach((run) => run()) };
}

const addHeading = (app, document) => {
  const end = document.createElement("div");
  end.className = "st-key-desk_end";
  const heading = document.createElement("h1");
  end.append(heading);
  app.append(end);
  return heading;
};

test("the focus is on All done once the buttons are there that Tab goes to", () => {
  const { app, document, look } = openApp();
  const heading = addHeading(app, document);
  look();
  assert.equal(document.activeElement, document.body);
  app.setAttribute("data-test-script-state", "notRunning");
  look();
  assert.equal(document.activeElement, heading);
  assert.equal(heading.tabIndex, -1);
});

test("a control that took the focus while All done was drawn keeps it", () => {
  const { app, document, look } = openApp();
  const heading = addHeading(app, document);
  look();
  const button = document.createElement("button");
  app.append(button);
  button.focus();
  app.setAttribute("data-test-script-state", "notRunning");
  look();
  assert.equal(document.activeElement, button);
  assert.equal(heading.tabIndex, undefined);
});
