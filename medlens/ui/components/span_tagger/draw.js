// The text and what is drawn on it: underlines in lanes, numbers at their ends, the cursor.

import { el } from "../shared/dom.js";

const LANE = 5; // px between underlines
const CLEAR = "#0000";

/** An underline in a colour: its background layers, the width of their tile and their height. */
export function underline(pattern, colour) {
  const thick = pattern?.startsWith("thick-");
  const row = (...stops) => `linear-gradient(90deg, ${stops.join(", ")})`;
  const dot = (size) => `radial-gradient(circle at 50% 50%, ${colour} ${size}px, ${CLEAR} ${size + 0.4}px)`;
  // One slope of a zigzag in a tile of 8 by 4 px: x + y = 4 rises, x - y = 4 falls.
  const slope = (angle, at) => {
    const half = thick ? 14 : 8;
    return `linear-gradient(${angle}deg, ${CLEAR} ${at - half}%, ${colour} ${at - half + 2}% ${at + half - 2}%, ${CLEAR} ${at + half}%)`;
  };
  switch (pattern?.replace("thick-", "")) {
    case "dashed":
      return { layers: [row(`${colour} 0 7px`, `${CLEAR} 7px 11px`)], tile: 11, high: thick ? 4 : 2 };
    case "dotted":
      return thick ? { layers: [dot(1.8)], tile: 7, high: 4 } : { layers: [dot(1)], tile: 4, high: 3 };
    case "double":
      return { layers: [`linear-gradient(${colour} 0 1.2px, ${CLEAR} 1.2px 2.8px, ${colour} 2.8px)`], tile: 8, high: 4 };
    case "wavy":
      return { layers: [slope(135, 33.3), slope(45, 66.7)], tile: 8, high: 4 };
    default:
      return { layers: [`linear-gradient(${colour}, ${colour})`], tile: 8, high: thick ? 4 : 2 };
  }
}

/** A label's colour, mixed with the text's so that it stands out on both light and dark. */
export const ink = (label) => `color-mix(in oklab, ${label?.colour ?? "#888888"} 84%, var(--st-text-color))`;

export function swatch(label) {
  const { layers, tile, high } = underline(label.pattern, ink(label));
  const line = el("i", { class: "mlt-swatch", "aria-hidden": "true" });
  line.style.backgroundImage = layers.join(", ");
  line.style.backgroundSize = `${tile}px ${high}px`;
  line.style.backgroundColor = `color-mix(in srgb, ${label.colour} 20%, transparent)`;
  return line;
}

export class TextView {
  constructor(box) {
    this.box = box;
    this.lines = [];
  }

  show(index, labels) {
    this.index = index;
    this.byId = new Map(labels.map((label) => [label.id, label]));
    this.cursor(null);
    this.lines = index.lines.map(([start, end]) => {
      const text = index.text.slice(start, end);
      const node = el("div", { class: text.trim() ? "mlt-line" : "mlt-line is-blank", text });
      return { start, end, node, drawn: "" };
    });
    this.box.replaceChildren(...this.lines.map((line) => line.node));
  }

  /** Takes over a list of labels that has grown. */
  relabel(labels) {
    this.byId = new Map(labels.map((label) => [label.id, label]));
    for (const line of this.lines) line.drawn = "";
  }

  /** Redraws only the lines whose marks have changed. */
  draw(spans, activeId) {
    const lanes = assignLanes(spans);
    for (const line of this.lines) {
      const here = lanes.filter((lane) => lane.start < line.end && lane.end > line.start);
      const drawn = here.map((l) => [l.id, l.place, l.label, l.start, l.end, l.lane, l.id === activeId].join()).join(";");
      if (drawn === line.drawn) continue;
      line.drawn = drawn;
      const depth = Math.max(0, ...here.map((lane) => lane.lane + 1));
      line.node.style.setProperty("--mlt-depth", depth > 2 ? `${(depth - 2) * LANE}px` : "0px");
      line.node.replaceChildren(...this.#pieces(line, here, activeId));
    }
  }

  #pieces(line, lanes, activeId) {
    const cuts = new Set([line.start, line.end]);
    for (const { start, end } of lanes) {
      if (start > line.start) cuts.add(start);
      if (end < line.end) cuts.add(end);
    }
    const at = [...cuts].sort((one, other) => one - other);
    return at.slice(0, -1).map((start, place) => {
      const end = at[place + 1];
      const text = this.index.text.slice(start, end);
      const cover = lanes.filter((lane) => lane.start < end && lane.end > start);
      return cover.length ? this.#mark(text, start, end, cover, activeId) : document.createTextNode(text);
    });
  }

  #mark(text, start, end, cover, activeId) {
    const node = el("mark", { class: "mlt-mark", text });
    const images = [];
    const sizes = [];
    const places = [];
    const depth = Math.max(...cover.map((lane) => lane.lane + 1));
    for (const { lane, label } of cover) {
      const { layers, tile, high } = underline(this.byId.get(label)?.pattern, ink(this.byId.get(label)));
      for (const layer of layers) {
        images.push(layer);
        sizes.push(`${tile}px ${high}px`);
        places.push(`0 calc(100% - ${(depth - lane) * LANE - 4}px)`);
      }
    }
    const ids = [...new Set(cover.map((lane) => lane.id))];
    const active = cover.find((lane) => lane.id === activeId);
    const shade = active ? 30 : Math.min(8 + 5 * ids.length, 24);
    const colour = this.byId.get((active ?? cover[0]).label)?.colour ?? "#888888";
    const tint = `color-mix(in srgb, ${colour} ${shade}%, transparent)`;
    images.push(`linear-gradient(${tint}, ${tint})`); // behind the letters, not behind the lines
    sizes.push(`100% calc(100% - ${depth * LANE}px)`);
    places.push("0 0");
    node.style.cssText = `background-image:${images.join(",")};background-size:${sizes.join(",")};` +
      `background-position:${places.join(",")};padding-bottom:${depth * LANE}px`;
    if (active) node.classList.add("is-active");
    const numbers = cover.filter((lane) => lane.end === end).map((lane) => this.byId.get(lane.label)?.key || "•");
    if (numbers.length) node.dataset.n = [...new Set(numbers)].sort().join("·");
    this.#say(node, start, end, cover);
    return node;
  }

  /** What a screen reader reads where marks begin and end; not in the text, whose places are counted. */
  #say(node, start, end, cover) {
    const begun = new Map();
    for (const lane of cover.filter((one) => one.start === start)) {
      begun.set(lane.place, [...(begun.get(lane.place) ?? []), this.byId.get(lane.label)?.name ?? lane.label]);
    }
    const says = [...begun].map(([place, names]) => `Mark ${place}, ${names.join(", ")}: `);
    if (says.length) node.dataset.says = says.join("");
    const ended = new Set(cover.filter((lane) => lane.end === end).map(({ place }) => place));
    if (ended.size) node.dataset.ends = [...ended].map((place) => ` end of mark ${place} `).join("");
  }

  // ---- places -----------------------------------------------------------------

  /** The UTF-16 offset in the text of a position in the DOM; the nearer end if outside the text. */
  unitOf(node, offset) {
    const line = this.#lineOf(node);
    const range = document.createRange();
    if (!line) {
      range.selectNodeContents(this.box);
      if (node === this.box) return this.lines[offset]?.start ?? this.index.text.length;
      return range.comparePoint(node, offset) < 0 ? 0 : this.index.text.length;
    }
    range.selectNodeContents(line.node);
    range.setEnd(node, offset);
    return Math.min(line.start + range.toString().length, line.end);
  }

  #lineOf(node) {
    const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    const div = element?.closest(".mlt-line");
    return div && this.box.contains(div) ? this.lines.find((line) => line.node === div) : null;
  }

  /** A DOM range over [start, end), for the cursor, scrolling and placing menus. */
  range(start, end) {
    const range = document.createRange();
    range.setStart(...this.#place(start, false));
    range.setEnd(...this.#place(end, true));
    return range;
  }

  #place(unit, closing) {
    const line = this.lines[this.index.lineAt(closing ? Math.max(0, unit - 1) : unit)] ?? this.lines[0];
    let left = unit - line.start;
    for (const piece of line.node.childNodes) {
      const leaf = piece.firstChild ?? piece;
      const size = leaf.data?.length ?? 0;
      if (left < size || (closing && left === size)) return [leaf, left];
      left -= size;
    }
    return [line.node, line.node.childNodes.length];
  }

  unitAt(x, y) {
    const place = document.caretPositionFromPoint?.(x, y);
    const range = place ? null : document.caretRangeFromPoint?.(x, y);
    const node = place?.offsetNode ?? range?.startContainer;
    if (!node || !this.box.contains(node)) return null;
    return this.unitOf(node, place?.offset ?? range.startOffset);
  }

  /** Shows the words under the cursor without touching the text's elements. */
  cursor(range) {
    if (!globalThis.Highlight || !CSS.highlights) return;
    if (range) CSS.highlights.set("medlens-cursor", new Highlight(this.range(range[0], range[1])));
    else CSS.highlights.delete("medlens-cursor");
  }

  reveal(start, end) {
    const pane = this.box.closest(".mlt-scroll");
    const scrolls = pane.scrollHeight > pane.clientHeight + 1 && getComputedStyle(pane).overflowY !== "visible";
    const scroller = scrolls ? pane : (pane.closest('[data-testid="stMain"]') ?? document.scrollingElement);
    const frame = scroller.getBoundingClientRect();
    const top = frame.top + (scrolls ? 24 : 72); // under Streamlit's header
    const foot = scrolls ? null : pane.closest(".mlt-grid")?.querySelector(".mlt-labels");
    const bottom = foot ? foot.getBoundingClientRect().top - 12 : Math.min(frame.bottom, innerHeight) - 24;
    const here = this.range(start, end).getBoundingClientRect();
    if (here.top < top) scroller.scrollTop -= top - here.top;
    else if (here.bottom > bottom) scroller.scrollTop += Math.min(here.bottom - bottom, here.top - top);
  }
}

/** One lane per label of each mark, so that no underlines overlap. */
function assignLanes(spans) {
  const taken = [];
  for (const [at, span] of spans.entries()) {
    if (span.start === null) continue;
    for (const label of span.labels) {
      const busy = new Set(taken.filter((t) => t.start < span.end && t.end > span.start).map((t) => t.lane));
      let lane = 0;
      while (busy.has(lane)) lane += 1;
      taken.push({ id: span.id, place: at + 1, label, start: span.start, end: span.end, lane });
    }
  }
  return taken;
}
