// An answer and its marks: the passages that decided, by statement and source.

const isRange = (mark) => Array.isArray(mark) && mark.length === 4 && mark.every(Number.isInteger);

export const sameBody = (one, other) =>
  one.verdict === other.verdict && one.reason === other.reason && String(one.marks) === String(other.marks);

/** Is this an answer that can be shown? */
export const isBody = (body) =>
  typeof body?.reason === "string" && Array.isArray(body.marks) && body.marks.every(isRange);

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
