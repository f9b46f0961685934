// Brings a step of a page that has just appeared into view, and moves the focus to it. Draws nothing.

const AGAIN = 50; // ms until it is looked for again: it may come later than this
const TIMES = 100;

let last = ""; // what was brought into view: a page that is drawn again stays where it is scrolled to

export default function mount({ data }) {
  if (!data.sign || data.sign === last) return;
  last = data.sign;
  let waiting = 0;
  const look = (times) => {
    const step = document.querySelector(`.st-key-${CSS.escape(data.step)}`);
    if (!step) {
      if (times) waiting = setTimeout(look, AGAIN, times - 1);
      return;
    }
    step.tabIndex = -1;
    step.style.outline = "none"; // it is a place to go on from, not a control
    step.scrollIntoView({ block: "start" });
    step.focus({ preventScroll: true });
  };
  waiting = setTimeout(look, AGAIN, TIMES);
  return () => clearTimeout(waiting);
}
