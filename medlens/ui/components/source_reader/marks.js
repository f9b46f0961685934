// An answer and its marks: the deciding passages, by statement and source.

const isRange = (mark) => Array.isArray(mark) && mark.length === 4 && mark.every(Number.isInteger);

export const sameBody = (one, other) =>
  one.verdict === other.verdict && one.reason === other.reason && String(one.marks) === String(other.marks);

/** Can this answer be shown? */
export const isBody = (body) =>
  typeof body?.reason === "string" && Array.isArray(body.marks) && body.marks.every(isRange);

/** The first and last sentence marked for a statement in a source (by number); null if none. */
export function marked({ marks }, [statement, source]) {
  const found = marks.find(([a, b]) => a === statement && b === source);
  return found ? found.slice(2) : null;
}

/** The marks with the one there replaced, or removed. */
export function remarked({ marks }, [statement, source], range) {
  const rest = marks.filter(([a, b]) => a !== statement || b !== source);
  const made = range ? [...rest, [statement, source, ...range]] : rest;
  return made.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}
