// Which places a text names: the words may stand in any order, each as a piece of the name.

export const MOST = 50;

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The places with every word of `text` in their name or kind: those that begin with it come first. */
export function matchPlaces(places, text) {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const whole = words.join(" ");
  return places
    .map((place) => ({ place, name: plain(`${place.label} ${place.kind}`) }))
    .filter(({ name }) => words.every((word) => name.includes(word)))
    .map(({ place, name }, at) => ({ place, at, late: name.startsWith(whole) ? 0 : 1 }))
    .sort((one, other) => one.late - other.late || one.at - other.at)
    .slice(0, MOST)
    .map(({ place }) => place);
}

/** The choice after a press of an arrow, Home or End; it goes round at both ends. */
export function moveChoice(at, count, key) {
  if (!count) return -1;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return (at + (key === "ArrowUp" ? -1 : 1) + count) % count;
}
