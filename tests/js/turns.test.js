// Two desks played by their own scripts, in virtual time: a rater who presses a key every 15 to 250
// ms, and a server that stops now and then. What each key must have done is worked out beside them:
// no key is lost, lands on another item, or has neither an effect nor a word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./page.js";

// A short game each time, and a long one in the deep tests: 1,000 turns of each seed.
const TURNS = Number(process.env.MEDLENS_TURNS ?? 60);
const SEEDS = (process.env.MEDLENS_SEEDS ?? "27").split(" ").map(Number);
const LAST = 25; // the queue's last item
const WORDS = ".medlens-key-why";

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const DIGITS = [..."1234567890"];
const choiceOf = (id, digits, letter) => ({
  id, kind: "choice", label: id, letter, needed: true, options: digits.map((key) => ({ value: key, name: key, key })),
});
const RATING = {
  task: "rate",
  fields: ["doctor", "patient", "measurement", "empathy"].map((id) => choiceOf(id, DIGITS, id[0])),
  digits: DIGITS,
};
const OWN = {
  task: "own",
  fields: [["good", "a"], ["safe", "b"]].map(([id, letter]) => choiceOf(id, DIGITS.slice(0, 5), letter)),
  digits: DIGITS.slice(0, 6), // the last one is the answer to no question
};

/** The server's desk: messages one after another, each answered by new parts of the page. */
class Server {
  constructor(fields, random, clock, deliver) {
    Object.assign(this, { fields, random, clock, deliver, at: 0, moves: 0, ack: "", trouble: "", free: 0, arrived: 0 });
    this.values = Array.from({ length: LAST + 1 }, () => ({}));
    this.log = []; // the moves that it heard of: the key and the item
  }

  /** Works on a message after those before it; returns when its parts begin to arrive. */
  take(work) {
    const { random, clock } = this;
    const stop = random() < 0.15 ? 300 + random() * 1_200 : 0;
    this.free = Math.max(this.free, clock.now + 5 + random() * 15) + 20 + random() * 60 + stop;
    clock.after(this.free - clock.now, () => this.deliver(work()));
  }

  hear({ token, item, submit, changes }) {
    if (token === this.ack) return;
    this.ack = token;
    for (const [id, [, now]] of Object.entries(changes)) this.values[item][id] = now;
    this.trouble = "";
    if (!submit || Number(item) !== this.at) return;
    this.log.push(["Enter", item]);
    if (this.fields.some(({ id }) => this.values[item][id] == null)) this.trouble = "please answer this question";
    // Now and then the store is away.
    else if (this.random() < 0.05) this.trouble = "the store is away";
    else this.at = this.at === LAST ? 0 : this.at + 1;
  }

  press(key) {
    this.log.push([key, String(this.at)]);
    this.moves += 1;
    // Somebody else has taken what there was after the last one.
    this.at = Math.max(0, Math.min(LAST, this.at + (key === "k" ? -1 : 1)));
  }
}

let desks = 0;

/** The page of a desk: its buttons, and what both kinds have in common. */
class Desk {
  constructor(kind, random, mounts) {
    desks += 1;
    // The scripts keep what is under way by the task's name, and the newest answer by its address.
    Object.assign(this, kind, { random, mounts, task: `${kind.task}${desks}` });
    Object.assign(this, openPage());
    this.server = new Server(this.fields, random, this.clock, (parts) => this.arrive(parts));
    this.buttons = {};
    for (const [key, name] of [["j", "next"], ["k", "previous"], ["s", "skip"]]) {
      const box = this.part(`st-key-${this.task}-${name}`);
      this.buttons[key] = document.createElement("button");
      box.append(this.buttons[key]);
      this.buttons[key].addEventListener("click", () => this.server.take(() => {
        this.server.press(key);
        return this.run();
      }));
    }
    this.number = 0;
    Object.assign(this, { arrived: 0, formItem: "", answered: 0, stayed: -1e9 });
  }

  part(name) {
    const node = document.createElement("div");
    node.className = name;
    document.body.append(node);
    return node;
  }

  formData(way = {}) {
    const { at, moves, ack, trouble, values, log } = this.server;
    return {
      answered: log.length,
      item: String(at), fields: this.fields, values: { ...values[at] }, changes: {}, rest: null, rev: 0, session: "s", ack, task: this.task,
      moves, rater: "r", submit: "", keys: false, saved_at: "", trouble, ...way,
    };
  }

  /** The form's part of the page: {name, data}. */
  form(data = this.formData()) {
    return ["form", () => this.mounts.form({
      data: this.hold(data), parentElement: this.formAt, setStateValue: (_, message) => this.server.take(() => {
        const before = this.server.at;
        this.server.hear(message);
        return before === this.server.at ? [this.form()] : this.run();
      }),
    })];
  }

  /** What the form gets: its item, and how many moves the server has answered by now. */
  hold(data) {
    const { item, answered } = data;
    if (item === this.formItem && answered > this.answered && this.server.log[answered - 1][0] !== "Enter") this.stayed = this.clock.now;
    Object.assign(this, { formItem: item, answered });
    return data;
  }

  /** Parts arrive one after another, and after those of the run before. */
  arrive(parts) {
    for (const [, put] of parts) {
      this.arrived = Math.max(this.arrived, this.clock.now) + this.random() * 120;
      this.clock.after(this.arrived - this.clock.now, () => {
        put();
        this.after?.();
      });
    }
  }

  say(key) {
    const line = document.querySelector(WORDS);
    const said = line?.textContent ?? "";
    if (line) line.textContent = "";
    return said.startsWith(`${key.length === 1 ? key.toUpperCase() : key} not used: `) ? said : "";
  }
}

/** A dialogue beside its form: the dialogue can turn before the server has opened the next one. */
class RatingDesk extends Desk {
  constructor(random, mounts, { formFirst }) {
    super(RATING, random, mounts);
    this.formFirst = formFirst;
    [this.formAt, this.talkAt] = [this.part("form"), this.part("talk")];
    for (const [, put] of this.run()) put();
  }

  get sight() {
    return document.querySelector(".mlc-talk").dataset.item;
  }

  talk() {
    const { at } = this.server;
    const turns = (item) => [{ n: 1, speaker: "doctor", text: `Dialogue ${item}`, head: "Doctor", anchor: "turn-1", images: [], notes: [] }];
    const moves = [["k", at - 1, "previous"], ["j", at + 1, "next"], ["s", at + 1, "skip"]].map(([key, to, name]) => ({ key, to: String(to), button: `st-key-${this.task}-${name}` }));
    const known = [at - 1, at + 1].filter((item) => item >= 0 && item <= LAST && item % 4);
    const ahead = { moves, turns: Object.fromEntries(known.map((item) => [String(item), turns(item)])) };
    const data = { kind: "talk", key: String(at), turns: turns(at), ahead, marking: null };
    return ["talk", () => {
      this.buttons.k.disabled = at === 0;
      this.mounts.talk({ data, parentElement: this.talkAt, setStateValue: () => {} });
    }];
  }

  run() {
    const parts = [this.talk(), this.form()];
    return this.formFirst ? parts.reverse() : parts;
  }
}

/** A study's own form: the next item is drawn out of sight, in the other of two boxes. */
class OwnDesk extends Desk {
  constructor(random, mounts, { formFirst }) {
    super(OWN, random, mounts);
    this.formFirst = formFirst;
    const among = this.part("st-key-among-left");
    this.boxes = [0, 1].map((at) => {
      const box = document.createElement("div");
      box.className = `st-key-box-${at}-left`;
      among.append(box);
      return box;
    });
    Object.assign(this, { open: 0, held: ["", ""], shown: 0, formAt: this.part("form"), turnAt: this.part("turn") });
    globalThis.fetch = (_, { body }) => new Promise((resolve) => this.server.take(() => {
      this.server.hear(JSON.parse(body));
      const told = this.formData(this.way());
      return [["answer", () => {
        this.hold(told);
        resolve({ ok: true, json: async () => told });
      }]];
    }));
    for (const [, put] of this.run()) put();
  }

  way() {
    this.number += 1;
    return { way: { address: this.task, number: this.number } };
  }

  get sight() {
    const seen = this.boxes.map((box, at) => box.style.visibility || (at === this.shown ? "visible" : "hidden"));
    assert.equal(seen.filter((one) => one === "visible").length, 1);
    return this.boxes[seen.indexOf("visible")].dataset.holds;
  }

  run() {
    const { at } = this.server;
    const item = String(at);
    // The next item may not be this rater's yet.
    const ahead = at < LAST && at % 4 !== 2 ? String(at + 1) : "";
    if (this.held.includes(item)) this.open = this.held.indexOf(item);
    this.held = this.open === 0 ? [item, ahead] : [ahead, item];
    const { open, held } = this;
    const data = { item, ahead, ways: ahead ? ["submit", "skip", "next"] : [], open, buttons: {} };
    const boxes = ["boxes", () => {
      this.shown = open;
      this.buttons.k.disabled = at === 0;
      held.forEach((one, place) => { this.boxes[place].dataset.holds = one; });
    }];
    const turn = ["turn", () => this.mounts.turn({ data, parentElement: this.turnAt })];
    const form = this.form(this.formData(this.way()));
    return this.formFirst ? [boxes, form, turn] : [boxes, turn, form];
  }
}

const isMove = (key) => ["Enter", "j", "k", "s"].includes(key);

/** What a rater means by keys, by the item in sight at each press; `values` is what must be saved. */
class Meant {
  constructor(desk) {
    this.desk = desk;
    this.values = desk.server.values.map(() => ({}));
    this.active = "";
    this.log = [];
    this.leaving = null; // the move under way: {item, answered}, what the server had answered before
    this.waiting = []; // keys for an item in sight before its form: {key, item}
    this.faults = [];
    this.opened = desk.formItem;
  }

  apply({ key, item }) {
    const { fields } = this.desk;
    const values = this.values[item];
    if (isMove(key)) {
      this.log.push([key, item]);
      this.leaving = { item, answered: this.desk.answered };
      return;
    }
    const lettered = fields.find(({ letter }) => letter === key);
    if (lettered) {
      this.active = lettered.id;
      return;
    }
    const open = () => fields.find(({ id }) => values[id] == null);
    const id = this.active || (open() ?? fields[0]).id;
    values[id] = key;
    this.active = open() ? "" : id;
  }

  /** The page has changed: keys that waited for the open item have been used. */
  look() {
    const { desk } = this;
    if (this.leaving && (desk.answered > this.leaving.answered || desk.formItem !== this.leaving.item)) this.leaving = null;
    if (desk.formItem !== this.opened) Object.assign(this, { opened: desk.formItem, active: "" });
    const mine = this.waiting.filter(({ item }) => item === this.opened);
    // A move among them has led on already.
    if (desk.sight !== this.opened && !mine.some(({ key }) => isMove(key))) return;
    const others = this.waiting.filter(({ item }) => item !== this.opened);
    this.waiting = [];
    if (others.length && !others.some(({ key }) => desk.say(key))) this.faults.push(["forgotten without a word", others]);
    mine.forEach((entry) => this.apply(entry));
  }
}

/** Plays a desk; returns {faults, used, refused}. */
async function play(Kind, seed, mounts, order) {
  const random = randomFrom(seed);
  const desk = new Kind(random, mounts, order);
  const meant = new Meant(desk);
  desk.after = () => meant.look();
  const { clock } = desk;
  const letters = desk.fields.map(({ letter }) => letter);
  const counts = { used: 0, refused: 0, kept: 0 };
  let early = -1e9; // when a key was last refused
  const among = (list) => list[Math.floor(random() * list.length)];
  const stillOf = (server) => clock.now > server.free && clock.now > desk.arrived;
  while (meant.log.length < TURNS) {
    if (counts.refused > 20 * TURNS) {
      meant.faults.push(["nothing acts any more", clock.now]);
      break;
    }
    await clock.runTo(clock.now + 15 + random() * 235);
    meant.look();
    const still = stillOf(desk.server);
    const kind = random();
    const key = kind < 0.62 ? among(desk.digits) : kind < 0.7 ? among(letters) : among(["Enter", "j", "j", "k", "s", "Enter"]);
    const { sight, formItem } = desk;
    const at = clock.now;
    const entry = { key, item: sight };
    const moves = isMove(key);
    const { leaving } = meant;
    desk.press(key);
    const said = desk.say(key);
    if (said) {
      counts.refused += 1;
      const proper = moves || DIGITS.slice(0, desk.fields[0].options.length).includes(key) || letters.includes(key);
      const none = /no (next|previous) item|no such answer/.test(said);
      if (still && proper && !none && at - Math.max(early, desk.stayed) > 300) meant.faults.push(["deaf at rest", at, entry, said]);
      if (proper && !(none && !moves)) early = at;
      continue;
    }
    if (!moves && (leaving?.item === sight || at - desk.stayed < 300)) meant.faults.push(["behind a move, on the item being left", at, entry]);
    if (formItem === sight) {
      counts.used += 1;
      meant.apply(entry);
    } else {
      counts.kept += 1;
      meant.waiting.push(entry);
    }
  }
  await clock.runTo(clock.now + 60_000);
  meant.look();
  if (meant.waiting.length) meant.faults.push(["waits for ever", meant.waiting]);
  meant.values.forEach((values, item) => {
    const saved = desk.server.values[item];
    for (const { id } of desk.fields) if (values[id] !== saved[id]) meant.faults.push(["saved is not what was meant", item, id, values[id], saved[id]]);
  });
  const differs = meant.log.findIndex((move, n) => String(move) !== String(desk.server.log[n]));
  if (differs >= 0) meant.faults.push(["another move", differs, meant.log.slice(differs - 1, differs + 3), desk.server.log.slice(differs - 1, differs + 3)]);
  return { faults: meant.faults, ...counts };
}

/** The real scripts, each with a fresh page before it is loaded. */
async function load() {
  openPage();
  const names = ["answer_form/form", "conversation/conversation", "next_item/next_item"];
  const [form, talk, turn] = await Promise.all(names.map((name) => import(`../../medlens/ui/components/${name}.js`)));
  return { form: form.default, talk: talk.default, turn: turn.default };
}

const mounts = await load();
for (const [name, Kind] of [["rating", RatingDesk], ["a study's own form", OwnDesk]]) {
  for (const formFirst of [false, true]) {
    for (const seed of SEEDS) {
      test(`${TURNS} turns of ${name}, ${formFirst ? "the form first" : "the form last"}, seed ${seed}: every key acts where it was pressed or says why`, async () => {
        const { faults, used, refused, kept } = await play(Kind, seed, mounts, { formFirst });
        assert.deepEqual(faults.slice(0, 3), []);
        assert.ok(used > TURNS && refused > TURNS && kept > TURNS / 10, `${used} used, ${refused} refused, ${kept} kept`);
      });
    }
  }
}
