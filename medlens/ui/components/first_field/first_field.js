// Moves the focus to the only field of a page, so that what is typed at once is not lost. Draws nothing.

const AGAIN = 50; // ms until it is looked for again: it may come later than this
const TIMES = 100;

export default function mount({ data }) {
  let waiting = 0;
  const look = (times) => {
    const field = document.querySelector(`.${CSS.escape(data.field)} input`);
    const { activeElement: held, body } = document;
    if (field && (!held || held === body)) field.focus({ preventScroll: true });
    else if (!field && times) waiting = setTimeout(look, AGAIN, times - 1);
  };
  // On a phone the keyboard would cover who invites to what.
  if (!matchMedia("(hover: none) and (pointer: coarse)").matches) waiting = setTimeout(look, AGAIN, TIMES);
  return () => clearTimeout(waiting);
}
