// When the answer here and the one on the server are not the same: which is shown, what is offered.

import { kept, sameBody } from "./kept.js";

export class Versions {
  constructor(desk) {
    this.desk = desk;
  }

  /** What an earlier page of this browser could not save. */
  restore() {
    const { desk } = this;
    const { rater, thing, item } = desk.data;
    const stored = kept.get(rater, item.item);
    if (!stored) return;
    if (sameBody(stored.body, item.draft)) {
      kept.drop(rater, item.item);
    } else if (stored.base === item.rev) {
      desk.work.body = stored.body;
      desk.tell("An answer kept in this browser that had not been saved is back, and is being saved now.");
      desk.sending.draft();
    } else {
      desk.tell(`This browser holds what you said of this ${thing}, not saved. It was saved otherwise since.`, [
        ["Use it", () => this.#use(stored.body)],
        ["Discard it", () => kept.drop(rater, item.item)],
      ]);
    }
  }

  /** Another tab was faster: its state is offered beside ours. */
  newer({ rev, draft }) {
    const { desk } = this;
    desk.back();
    desk.conflict = true;
    const names = Object.fromEntries(desk.data.choices);
    const passages = ({ length: n }) => (n > 1 ? `${n} passages marked` : "a passage marked");
    const said = ({ verdict, reason, marks }) =>
      [names[verdict] ?? "no answer", reason && `“${reason}”`, marks.length && passages(marks)].filter(Boolean).join(", ");
    const words = `Here: ${said(desk.work.body)}. There: ${said(draft)}.`;
    desk.tell(`Changed in another tab. What stands here is not saved yet. ${words}`, [
      ["Keep what stands here", () => this.#use(desk.work.body, rev)],
      ["Take the other tab's", () => {
        Object.assign(desk.work, { rev, body: draft });
        desk.conflict = false;
        kept.drop(desk.data.rater, desk.work.item.item);
        desk.rest();
      }],
    ]);
  }

  #use(body, rev = this.desk.work.rev) {
    const { desk } = this;
    Object.assign(desk.work, { body, rev });
    desk.conflict = false;
    kept.put(desk.data.rater, desk.work.item.item, rev, body);
    desk.sending.draft();
  }
}
