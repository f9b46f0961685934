// The desk that verifies sources, played by its own scripts in virtual time: a rater who presses a key
// every 15 to 250 ms, and a server that stops now and then. No key is lost, lands on another item, or
// has neither an effect nor a word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

// A short game each time, and a long one in the deep tests: 1,000 turns of each seed.
const TURNS = Number(process.env.MEDLENS_TURNS ?? 60);
const SEEDS = (process.env.MEDLENS_SEEDS ?? "27").split(" ").map(Number);
const LAST = 25; // the queue's last item
const CHOICES = [["supported", "Supported"], ["partly", "Partly"], ["not_supported", "Not supported"], ["contradicted", "Contradicted"]];
const MOVES = { Enter: ["submit", "onward"], j: ["next"], k: ["previous"], s: ["skip"] };
const WORDS = ".medlens-key-why";

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const blank = () => ({ verdict: null, reason: "", marks: [] });

/** The server's desk: messages one after another, each answered by new data. */
class Server {
  constructor(random, clock, deliver, { stays }) {
    Object.assign(this, { random, clock, deliver, stays, at: 0, ack: null, free: 0, arrived: 0, log: [], conflicts: 0 });
    this.items = Array.from({ length: LAST + 1 }, () => ({ rev: 0, draft: blank(), standing: null }));
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
    held.draft = body;
    held.rev += 1;
    this.ack = { token, rev: held.rev, saved_at: "" };
    if (action === "draft") return;
    this.log.push([action, place]);
    if (action === "submit") {
      // Now and then the store is away.
      if (!body.verdict || this.random() < 0.05) {
        this.ack.error = { message: "Choose an answer.", hint: "" };
        return;
      }
      held.standing = body;
      if (this.stays) return;
    }
    if (this.at === LAST && action !== "previous") this.at = 0;
    else this.at = Math.max(0, this.at + (action === "previous" ? -1 : 1));
  }

  item(at) {
    return { item: String(at), at, ...structuredClone(this.items[at]), statements: [`Statement ${at}`], sources: ["page"], best: [0], like: [[[0]]],
      answer: "", question: "", place: `Pair ${at}`, state: "open", state_reason: "", flag: "", saved_at: "" };
  }

  data() {
    const { at } = this;
    const known = (to) => to >= 0 && to <= LAST && to % 4 !== 3;
    const moves = { next: at + 1, skip: at + 1, onward: at + 1, previous: at - 1 };
    if (!this.stays) moves.submit = at + 1;
    const ahead = Object.fromEntries(Object.entries(moves).filter(([, to]) => known(to)).map(([name, to]) => [name, String(to)]));
    const items = Object.fromEntries(Object.values(ahead).map((to) => [to, this.item(Number(to))]));
    const page = { sentences: ["One.", "Two."], paragraphs: [], headings: [], title: "", address: "https://page.example", href: "", note: "" };
    return { rater: "r", item: this.item(at), sources: { page }, choices: CHOICES, legend: "?", reason_needed: [], ahead: { moves: ahead, items }, total: LAST + 1,
      has_next: at < LAST, thing: "pair", trouble: "", reveal: null, ack: this.ack };
  }
}

async function play(seed, mount, way) {
  const random = randomFrom(seed);
  const page = openPage();
  const { clock, document } = page;
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  const show = (data) => mount({ data, parentElement, setStateValue: (_, message) => server.take(structuredClone(message)) });
  const server = new Server(random, clock, show, way);
  show(server.data());
  const sight = () => Number(/\d+/.exec(document.querySelector(".mdb-place").textContent)[0]);
  const say = () => {
    const line = document.querySelector(WORDS);
    const said = line?.textContent ?? "";
    if (line) line.textContent = "";
    return said;
  };
  const meant = server.items.map(() => null);
  const asked = []; // the moves that were used: the key and the item in sight
  const faults = [];
  const counts = { used: 0, refused: 0 };
  const among = (list) => list[Math.floor(random() * list.length)];
  /** A move that waited is told of later if it was for nothing. */
  const forgetTold = () => {
    const [, name] = /^(\w+) not used: /.exec(say()) ?? [];
    const waited = name ? asked.findLastIndex(([key]) => key.toLowerCase() === name.toLowerCase()) : -1;
    if (waited >= 0) asked.splice(waited, 1);
  };
  while (asked.length < TURNS) {
    if (counts.refused > 40 * TURNS) {
      faults.push(["nothing acts any more", clock.now]);
      break;
    }
    await clock.runTo(clock.now + 15 + random() * 235);
    forgetTold();
    const key = random() < 0.55 ? among(["1", "2", "3", "4", "9"]) : among(["Enter", "Enter", "j", "j", "k", "s"]);
    const seen = sight();
    page.press(key);
    const said = say();
    if (said) {
      counts.refused += 1;
      const still = clock.now > server.free + 1 && clock.now > server.arrived + 1;
      const proper = /no answer has the key|this is the (first|last)|this pair is submitted/.test(said);
      if (still && !proper) faults.push(["deaf at rest", clock.now, key, said]);
      continue;
    }
    counts.used += 1;
    if (MOVES[key]) asked.push([key, seen]);
    else if (CHOICES[Number(key) - 1]) meant[seen] = CHOICES[Number(key) - 1][0];
    else faults.push(["neither an effect nor a word", key]);
  }
  for (let wait = 0; wait < 100; wait += 1) {
    await clock.runTo(clock.now + 100);
    forgetTold();
  }
  meant.forEach((verdict, at) => {
    if (verdict !== server.items[at].draft.verdict) faults.push(["saved is not what was meant", at, verdict, server.items[at].draft.verdict]);
  });
  // Each move that the server heard of is a key on the item in sight then; each other key has a word.
  let next = 0;
  for (const [n, [action, at]] of server.log.entries()) {
    const matching = asked.findIndex(([key, seen], i) => i >= next && seen === at && MOVES[key]?.includes(action));
    if (matching < 0) {
      faults.push(["a move that nobody wanted", n, action, at, asked.slice(next, next + 4)]);
      break;
    }
    const skipped = asked.slice(next, matching);
    if (skipped.length) faults.push(["no effect and no word", skipped, [action, at], asked.slice(Math.max(0, next - 3), matching + 2), server.log.slice(Math.max(0, n - 3), n + 2)]);
    next = matching + 1;
  }
  if (asked.length > next) faults.push(["no effect and no word at the end", asked.slice(next)]);
  if (server.conflicts) faults.push(["conflicts with itself", server.conflicts]);
  return { faults, ...counts };
}

openPage();
const { default: mount } = await import("../../medlens/ui/components/source_reader/surface.js");
for (const stays of [false, true]) {
  for (const seed of SEEDS) {
    test(`${TURNS} turns of sources, ${stays ? "with a look at what models said" : "one after the other"}, seed ${seed}: every key acts where it was pressed or says why`, async () => {
      const { faults, used, refused } = await play(seed, mount, { stays });
      assert.deepEqual(faults.slice(0, 3), []);
      assert.ok(used > TURNS && refused > TURNS / 10, `${used} used, ${refused} refused`);
    });
  }
}
