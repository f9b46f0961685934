// What is not saved yet also lies in this browser, by rater and item: a reload or a server that is
// gone takes nothing that was typed.

const here = new Map(); // the same as localStorage, for browsers that refuse it
const key = (rater, item) => `medlens:pair:${rater}:${item}`;

const isRange = (mark) => Array.isArray(mark) && mark.length === 4 && mark.every(Number.isInteger);

export const sameBody = (one, other) =>
  one.verdict === other.verdict && one.reason === other.reason && String(one.marks) === String(other.marks);

/** The first and last marked sentence of a statement (by number) in a source (by number); null for none. */
export function marked({ marks }, [statement, source]) {
  const found = marks.find(([a, b]) => a === statement && b === source);
  return found ? found.slice(2) : null;
}

/** The marks with another one, or none, there. */
export function remarked({ marks }, [statement, source], range) {
  const rest = marks.filter(([a, b]) => a !== statement || b !== source);
  const made = range ? [...rest, [statement, source, ...range]] : rest;
  return made.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

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
    if (!found || !Number.isInteger(found.base) || typeof found.body?.reason !== "string") return null;
    const { marks } = found.body;
    return Array.isArray(marks) && marks.every(isRange) ? found : null;
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
