// Presses a button that opens a dialog, once for each person and task in this browser. Draws nothing.

import { kept } from "../shared/kept.js";

const AGAIN = 50; // ms until the button is looked for again: it may come later than this

export default function mount({ data }) {
  const name = `medlens:seen:${data.seen}`;
  let waiting = 0;
  const press = () => {
    const button = document.querySelector(`.${CSS.escape(data.button.replaceAll(".", "-"))} button:enabled`);
    if (!button) {
      waiting = setTimeout(press, AGAIN);
      return;
    }
    kept.put(name, true);
    button.click();
    hold(20);
  };
  // What is drawn meanwhile may take the focus out of the dialog, whose Esc would then close nothing.
  // Within it, the focus is first on the way on: Enter begins.
  const hold = (times) => {
    const dialog = document.querySelector("section[role=dialog]");
    const begin = dialog?.querySelector(".st-key-example_begin button");
    const held = document.activeElement;
    if (dialog && (held === dialog || !dialog.contains(held))) (begin ?? dialog).focus({ preventScroll: true });
    if (times) waiting = setTimeout(hold, 4 * AGAIN, times - 1);
  };
  if (!kept.get(name)) waiting = setTimeout(press, AGAIN);
  return () => clearTimeout(waiting);
}
