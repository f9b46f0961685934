// On a phone the answers that are compared lie in one place above the questions, and scroll for themselves
// (styles/own_panes.css): that place shows the answer whose questions have come into sight under it. Where
// those of two answers are in sight, it is the one that the keys would answer next.

const PLACE = ".st-key-own-scroll-left";
const PANE = "st-key-own-pane-";
const IN_SIGHT = "-43% 0px -37% 0px"; // the strip below that place, of the window

/** The letter of the answer that a question is about, by the question's id ("safe / B"); "" of one about all. */
const letterOf = (id) => id.split(" / ")[1] ?? "";

export class AnswerInView {
  constructor(page = document) {
    Object.assign(this, { page, letter: "", next: "", letters: new Map(), inSight: new Set(), watcher: null });
  }

  /** The form's questions as they are drawn now: [id, element] each, from the top. */
  watch(questions) {
    this.end();
    this.letters = new Map(questions.map(([id, node]) => [node, letterOf(id)]).filter(([, letter]) => letter));
    if (!this.letters.size) return;
    this.watcher = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) this.inSight[isIntersecting ? "add" : "delete"](target);
      this.showAsked();
    }, { rootMargin: IN_SIGHT });
    for (const node of this.letters.keys()) this.watcher.observe(node);
  }

  /** The question that is to be answered next, by its id: its answer comes first among those in sight. */
  follow(id) {
    this.next = letterOf(id ?? "");
    this.showAsked();
  }

  showAsked() {
    const asked = [...this.letters].filter(([node]) => this.inSight.has(node)).map(([, letter]) => letter);
    if (asked.length) this.show(asked.includes(this.next) ? this.next : asked[0]);
  }

  /** Scrolls to this answer, once: who reads on from there is left in peace. */
  show(letter) {
    const place = this.page.querySelector(PLACE);
    const column = place?.closest('[data-testid="stColumn"]');
    if (letter === this.letter || !column || getComputedStyle(column).position !== "sticky") return;
    this.letter = letter;
    const isAnswer = (name) => name.startsWith(PANE) && name.endsWith(`-${letter}`);
    const answer = [...place.querySelectorAll(`[class*="${PANE}"]`)].find((one) => [...one.classList].some(isAnswer) && one.checkVisibility());
    if (!answer) return;
    const below = answer.getBoundingClientRect().top - place.getBoundingClientRect().top;
    // Where it begins in sight with room to read, what stands above it may stay.
    if (below < 0 || below > place.clientHeight / 2) place.scrollBy({ top: below });
  }

  end() {
    this.watcher?.disconnect();
    this.inSight.clear();
    Object.assign(this, { watcher: null, letter: "", letters: new Map() });
  }
}
