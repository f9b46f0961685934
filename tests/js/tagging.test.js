// The desk that marks errors in a text, played by its own scripts in virtual time: a rater who presses
// a key every 15 to 250 ms, and a server that stops now and then. What each key must have done is
// worked out beside it: no mark is lost or on another item, no key has neither an effect nor a word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

// A short game each time, and a long one in the deep tests: 1,000 turns of each seed.
const TURNS = Number(process.env.MEDLENS_TURNS ?? 60);
const SEEDS = (process.env.MEDLENS_SEEDS ?? "27").split(" ").map(Number);
const LAST = 25; // the queue's last item
const WORDS = ".medlens-key-why";
const MOVES = { Enter: "submit", j: "next", k: "previous", s: "skip" };
const LABELS = ["wrong", "claim", "vague"].map((id, at) => ({
  id, key: at + 1, name: id, kind: "error", colour: "#e47818", pattern: "solid", hint: "", definition: "", not_when: "", example: "", example_reason: "",
  requires_link: false, steps: [],
}));
const WORDS_OF_TEXT = 12;

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const textOf = (at) => Array.from({ length: WORDS_OF_TEXT }, (_, n) => `w${at}x${n}`).join(" ");

/** The server's desk: messages one after another, each answered by new data. */
class Server {
  constructor(random, clock, deliver) {
    Object.assign(this, { random, clock, deliver, at: 0, ack: null, free: 0, arrived: 0, log: [], conflicts: 0 });
    this.items = Array.from({ length: LAST + 1 }, () => ({ rev: 0, draft: { spans: [], comment: "", answers: {} }, state: "open" }));
  }

  take(message) {
    const { random, clock } = this;
    const stop = random() < 0.15 ? 300 + random() * 1_200 : 0;
    this.free = Math.max(this.free, clock.now + 5 + random() * 15) + 20 + random() * 60 + stop;
    clock.after(this.free - clock.now, () => {
      this.hear(message);
      const data = this.data();
      this.arrived = Math.max(this.arrived, clock.now) + random() * 120;
      clock.after(this.arrived - clock.now, () => this.deliver(data));
    });
  }

  hear({ token, item, base, body, action }) {
    if (token === this.ack?.token) return;
    const place = Number(item);
    const held = this.items[place];
    if (base !== held.rev) this.conflicts += 1;
    held.draft = { spans: body.spans, comment: body.comment, answers: body.answers };
    held.rev += 1;
    this.ack = { token, rev: held.rev, saved_at: "" };
    if (action === "draft") return;
    this.log.push([action, place]);
    // Now and then the store is away.
    if (action === "submit" && this.random() < 0.05) {
      this.ack.error = { message: "The store is away.", hint: "" };
      return;
    }
    if (action === "submit") held.state = "submitted";
    if (this.at === LAST && action !== "previous") this.at = 0;
    else this.at = Math.max(0, this.at + (action === "previous" ? -1 : 1));
  }

  told(at) {
    return { item: String(at), text: textOf(at), title: `Response ${at}`, context: { blocks: [] } };
  }

  data() {
    const { at } = this;
    const held = this.items[at];
    const known = (to) => to >= 0 && to <= LAST && to % 4 !== 3;
    const moves = { next: at + 1, skip: at + 1, submit: at + 1, previous: at - 1 };
    const ahead = Object.fromEntries(Object.entries(moves).filter(([, to]) => known(to)).map(([name, to]) => [name, String(to)]));
    const items = Object.fromEntries(Object.values(ahead).map((to) => [to, this.told(Number(to))]));
    return { ...this.told(at), rater: "r", rev: held.rev, draft: structuredClone(held.draft), state: held.state, labels: LABELS, readonly: false, grows: null,
      progress: { has_next: at < LAST, has_previous: at > 0, place: at + 1, total: LAST + 1 }, ahead: { moves: ahead, items }, answered: this.log.length, clock: {}, link: null, ack: this.ack };
  }
}

const among = (random, list) => list[Math.floor(random() * list.length)];

/** What a rater means by keys: the marks of each item, the selected word, the label that is ready. */
class Meant {
  constructor() {
    this.marks = Array.from({ length: LAST + 1 }, () => new Map());
    this.moves = [];
    this.open();
  }

  /** An item opens: nothing is selected, and the arrows start at the first word. */
  open() {
    Object.assign(this, { word: null, place: 0, ready: 0 });
  }

  apply(key, item) {
    const marks = this.marks[item];
    if (key === "ArrowRight" || key === "ArrowLeft") {
      const step = key === "ArrowRight" ? 1 : -1;
      this.word = this.word === null ? this.place : Math.max(0, Math.min(WORDS_OF_TEXT - 1, this.word + step));
      this.place = this.word;
    } else if (key === "Escape") {
      if (this.ready) this.ready = 0;
      else this.word = null;
    } else if (key === "Delete") marks.delete(this.word);
    else if (MOVES[key]) {
      this.ready = 0;
      this.moves.push([MOVES[key], item]);
    } else if (this.word === null) this.ready = this.ready === Number(key) ? 0 : Number(key);
    else {
      this.ready = 0;
      const labels = marks.get(this.word) ?? new Set();
      const id = LABELS[Number(key) - 1].id;
      if (!labels.delete(id)) labels.add(id);
      if (labels.size) marks.set(this.word, labels);
      else marks.delete(this.word);
    }
  }
}

/** The marks of a saved draft, as `Meant` has them: word and labels. */
function saved(spans, at) {
  const starts = [];
  for (let n = 0, start = 0; n < WORDS_OF_TEXT; n += 1) {
    starts.push(start);
    start += `w${at}x${n} `.length;
  }
  return spans.map(({ start, labels }) => [starts.indexOf(start), [...labels].sort()]);
}

async function play(seed, { tagger, keyboard }, othersFirst) {
  const random = randomFrom(seed);
  const page = openPage();
  const { clock, document } = page;
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  const meant = new Meant();
  let item = "";
  let answered = 0; // the moves that the server had heard of when it sent this item
  const show = (data) => {
    tagger({ data, parentElement, setStateValue: (_, message) => server.take(structuredClone(message)) });
    if (data.item !== item) meant.open();
    ({ item, answered } = data);
  };
  const server = new Server(random, clock, show);
  // Something else on the page, which takes what the desk leaves whichever was there first.
  let left = false;
  const others = () => keyboard.listenToKeyboard(keyboard.ORDER.source, (event) => {
    left = true;
    event.preventDefault();
  }, new AbortController().signal);
  if (othersFirst) others();
  show(server.data());
  if (!othersFirst) others();
  await clock.runTo(1_000);
  const sight = () => Number(/\d+/.exec(document.querySelector(".mlt-title").textContent)[0]);
  const say = () => {
    const line = document.querySelector(WORDS);
    const said = line?.textContent ?? "";
    if (line) line.textContent = "";
    return said;
  };
  const faults = [];
  const counts = { used: 0, refused: 0 };
  while (meant.moves.length < TURNS) {
    if (counts.refused > 40 * TURNS) {
      faults.push(["nothing acts any more", clock.now]);
      break;
    }
    await clock.runTo(clock.now + 15 + random() * 235);
    const kind = random();
    let key = among(random, ["Enter", "j", "j", "k", "s"]);
    if (kind < 0.3) key = among(random, ["ArrowRight", "ArrowRight", "ArrowLeft"]);
    else if (kind < 0.65) key = among(random, ["1", "2", "3", "9"]);
    else if (kind < 0.72) key = "Delete";
    // With words selected, Enter would open the mark or the labels: the rater lets go of them first.
    if (key === "Enter" && meant.word !== null) key = "Escape";
    const seen = sight();
    const leaving = answered < meant.moves.length;
    left = false;
    const still = clock.now > server.free + 1 && clock.now > server.arrived + 1;
    page.press(key);
    const said = say();
    if (said) {
      counts.refused += 1;
      const proper = /no label has the key|this is the (first|last) item|no mark is selected/.test(said);
      if (still && !proper) faults.push(["deaf at rest", clock.now, key, said]);
      continue;
    }
    if (key === "Escape" && left) continue; // there was nothing to let go of
    if (left) faults.push(["the desk left it to others", key]);
    if (String(seen) !== item) faults.push(["acts before its item is open", key, seen, item]);
    if (leaving && !key.startsWith("Arrow") && key !== "Escape") faults.push(["behind a move, on the item being left", key]);
    if (key === "9" || (key === "Delete" && !meant.marks[seen].has(meant.word))) faults.push(["neither an effect nor a word", key]);
    else if (key === "Enter" && !meant.marks[seen].size) {
      const notice = [...document.querySelectorAll(".mlt-notices")].map((one) => one.textContent).join();
      if (!notice.includes("No label yet.")) faults.push(["nothing says what is missing", notice]);
    } else {
      counts.used += 1;
      meant.apply(key, seen);
    }
  }
  // What is marked last is saved without any move.
  for (const key of ["", "ArrowRight", "2"]) {
    await clock.runTo(clock.now + 10_000);
    if (!key) continue;
    page.press(key);
    meant.apply(key, sight());
  }
  await clock.runTo(clock.now + 60_000);
  if (server.conflicts) faults.push(["built on another revision", server.conflicts]);
  meant.marks.forEach((marks, at) => {
    const wanted = [...marks].sort(([one], [other]) => one - other).map(([word, labels]) => [word, [...labels].sort()]);
    const there = saved(server.items[at].draft.spans, at);
    if (JSON.stringify(wanted) !== JSON.stringify(there)) faults.push(["saved is not what was meant", at, wanted, there]);
  });
  const differs = Math.max(meant.moves.length, server.log.length) && [...meant.moves, null].findIndex((move, n) => String(move) !== String(server.log[n] ?? null));
  if (differs >= 0 && differs < meant.moves.length) faults.push(["another move", differs, meant.moves.slice(differs - 1, differs + 2), server.log.slice(differs - 1, differs + 2)]);
  if (server.log.length !== meant.moves.length) faults.push(["moves that nobody wanted, or lost", meant.moves.length, server.log.length]);
  return { faults, ...counts };
}

async function load() {
  openPage();
  const [tagger, keyboard] = await Promise.all(["span_tagger/tagger", "shared/keyboard"].map((name) => import(`../../medlens/ui/components/${name}.js`)));
  return { tagger: tagger.default, keyboard };
}

const parts = await load();
for (const othersFirst of [false, true]) {
  for (const seed of SEEDS) {
    test(`${TURNS} turns of marking errors, ${othersFirst ? "after" : "before"} others on the page, seed ${seed}: every key acts where it was pressed or says why`, async () => {
      const { faults, used, refused } = await play(seed, parts, othersFirst);
      assert.deepEqual(faults.slice(0, 3), []);
      assert.ok(used > TURNS && refused > TURNS / 4, `${used} used, ${refused} refused`);
    });
  }
}
