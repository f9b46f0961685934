// What the server has not taken also lies in this browser, by rater, task and item: a reload, or a
// server that is gone, takes nothing that was chosen or written.

const LONGEST = 20_000; // what a field takes
const name = ({ rater, task, item }) => `medlens:answer:${rater}:${task}:${item}`;
const isValue = (value) => value === null || (typeof value === "string" && value.length <= LONGEST);

export const kept = {
  put(at, said) {
    try {
      if (Object.keys(said.changes).length) localStorage.setItem(name(at), JSON.stringify(said));
      else localStorage.removeItem(name(at));
    } catch {
      // Storage is full or refused: what waits in the page serves as long as it is open.
    }
  },

  /** {session, rev, changes} of these fields; null where nothing is kept that can be sent. */
  get(at, fields) {
    let found = null;
    try {
      found = JSON.parse(localStorage.getItem(name(at)));
    } catch {
      return null;
    }
    if (typeof found?.session !== "string" || !Number.isInteger(found.rev)) return null;
    const known = new Set(fields.map(({ id }) => id));
    const changes = Object.entries(found.changes ?? {}).filter(
      ([id, pair]) => known.has(id) && Array.isArray(pair) && pair.length === 2 && pair.every(isValue),
    );
    return changes.length ? { ...found, changes: Object.fromEntries(changes) } : null;
  },
};
