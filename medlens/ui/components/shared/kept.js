// Keeps in this browser, by desk, rater and item, what the server has not accepted yet, so neither a
// reload nor a lost server loses what was chosen, marked or written.

const here = new Map(); // the same as localStorage, for browsers that refuse it

export const kept = {
  put(name, value) {
    here.set(name, value);
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // Storage is full or denied: the copy in `here` lasts as long as the page is open.
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
      // If storage is denied there is nothing to remove.
    }
  },
};

/** A field whose text is kept in this browser under `name` at every keystroke, until it is dropped. */
export function keepText(field, name) {
  const found = kept.get(name);
  if (typeof found === "string" && found) field.value = found;
  field.addEventListener("input", () => (field.value ? kept.put(name, field.value) : kept.drop(name)));
}
