// What is not saved yet also lies in this browser, by rater and pair: a reload or a server that is
// gone takes nothing that was typed.

const here = new Map(); // the same as localStorage, for browsers that refuse it
const key = (rater, item) => `medlens:pair:${rater}:${item}`;

export const sameBody = (one, other) =>
  one.verdict === other.verdict && one.reason === other.reason && String(one.marked) === String(other.marked);

export const kept = {
  put(rater, item, base, body) {
    here.set(key(rater, item), { base, body });
    try {
      localStorage.setItem(key(rater, item), JSON.stringify({ base, body }));
    } catch {
      // Storage is full or refused: the copy in `here` serves as long as the page is open.
    }
  },
  get(rater, item) {
    let stored = null;
    try {
      stored = JSON.parse(localStorage.getItem(key(rater, item)));
    } catch {
      stored = null;
    }
    const found = stored ?? here.get(key(rater, item)) ?? null;
    return found && Number.isInteger(found.base) && typeof found.body?.reason === "string" ? found : null;
  },
  drop(rater, item) {
    here.delete(key(rater, item));
    try {
      localStorage.removeItem(key(rater, item));
    } catch {
      // Refused storage holds nothing to remove.
    }
  },
};
