// What the server has not taken also lies in this browser, by desk, rater and item: a reload, or a
// server that is gone, takes nothing that was chosen, marked or written.

const here = new Map(); // the same as localStorage, for browsers that refuse it

export const kept = {
  put(name, value) {
    here.set(name, value);
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // Storage is full or refused: the copy in `here` serves as long as the page is open.
    }
  },

  /** What is kept, unchecked; null for nothing. */
  get(name) {
    let stored = null;
    try {
      stored = JSON.parse(localStorage.getItem(name));
    } catch {
      stored = null;
    }
    return stored ?? here.get(name) ?? null;
  },

  drop(name) {
    here.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // Refused storage holds nothing to remove.
    }
  },
};

/** A field whose text is kept in this browser under `name` from letter to letter, until it is dropped. */
export function keepText(field, name) {
  const found = kept.get(name);
  if (typeof found === "string" && found) field.value = found;
  field.addEventListener("input", () => (field.value ? kept.put(name, field.value) : kept.drop(name)));
}
