// Passages of a source in an answer: offsets in code points, and the words at these offsets.

/** The passages of an answer; none if it says that there are none. */
export function passagesIn(value) {
  try {
    const found = JSON.parse(value);
    return Array.isArray(found) ? found.filter(({ start, end, quote }) => end > start && quote) : [];
  } catch {
    return [];
  }
}

/** The marks of an answer that marks a text. */
export function marksIn(value) {
  try {
    const found = JSON.parse(value);
    return Array.isArray(found) ? found.filter(({ labels }) => Array.isArray(labels)) : [];
  } catch {
    return [];
  }
}

/** The marks of a conversation's turn that keys opened: until they are left, digits give them. Of those that a press opened, digits do not. */
export const OPEN_MARKS = ".mlc-panel.is-by-keys";

const MARKING = new Set([..."123456789np", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Delete", "Backspace", "Enter", "Escape"]);

/** Is a key pressed in a text to mark, or among a turn's marks, meant for these, and not for the form beside it? */
export function ofMarks({ key, ctrlKey, metaKey, target }) {
  const low = key.length === 1 ? key.toLowerCase() : key;
  if (target.closest?.(OPEN_MARKS)) return !ctrlKey && !metaKey && /^(\d|Escape)$/.test(key);
  return Boolean(target.closest?.(".mlt.is-pane")) && (ctrlKey || metaKey || MARKING.has(low));
}

/** The indices of the sentences, given by their starts and texts, that overlap a passage. */
export function sentencesOf(passages, starts, sentences) {
  const ends = sentences.map((text, i) => starts[i] + [...text].length);
  return starts.flatMap((start, i) => (passages.some((one) => one.start < ends[i] && start < one.end) ? [i] : []));
}

/** The answer with these sentences marked, or with their marks and any that touch them removed. */
export function remarked(value, numbers, on, starts, sentences) {
  const chosen = numbers.map((i) => ({ start: starts[i], end: starts[i] + [...sentences[i]].length, quote: sentences[i] }));
  const apart = (one) => chosen.every(({ start, end }) => one.end <= start || end <= one.start);
  const kept = [...passagesIn(value).filter(apart), ...(on ? chosen : [])].sort((one, other) => one.start - other.start);
  return kept.length ? JSON.stringify(kept) : null;
}
