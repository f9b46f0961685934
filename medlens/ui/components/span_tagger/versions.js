// When the marks here and those on the server are not the same: which are shown, and what is offered.

import { sameBody } from "./marks.js";
import { backup } from "./save.js";

export class Versions {
  constructor(tagger) {
    this.t = tagger;
  }

  /** Marks that an earlier page of this browser could not save. */
  restore(data) {
    const { t } = this;
    const stored = backup.get(data.rater, data.item);
    if (!stored) return;
    if (sameBody(stored.body, data.draft)) {
      backup.drop(data.rater, data.item);
    } else if (stored.base === data.rev) {
      t.marks.replaceBody(stored.body);
      t.notices.show("restored", "Marks kept in this browser that had not been saved are back, and are being saved now.");
      t.saver.draft();
    } else {
      t.notices.show("kept", "This browser holds marks on this item that were not saved. The item has changed since.", {
        kind: "warn",
        actions: [["Use them", () => this.#use(stored.body)], ["Discard them", () => backup.drop(data.rater, data.item)]],
      });
    }
  }

  /** The save was refused because another window was faster: its marks are shown, ours offered. */
  newer(message, newer) {
    const { t } = this;
    if (message.item !== t.item) return;
    const mine = t.marks.body();
    this.adopt(newer.rev, newer.draft);
    // Under the revision that it no longer builds on: a page opened later offers it, as we do here.
    backup.put(t.rater, t.item, { base: message.base, body: mine });
    t.drawMarks();
    t.notices.show("newer", "This item was changed in another window. Its newer marks are shown; yours were not saved.", {
      kind: "warn",
      actions: [["Use mine", () => this.#use(mine)], ["Keep these", () => backup.drop(t.rater, t.item)]],
    });
  }

  /** Shows the server's newer marks; undo brings back what was here. */
  adopt(rev, draft) {
    const { t } = this;
    t.rev = rev;
    t.popover.close();
    t.activeId = null;
    if (sameBody(t.marks.body(), draft)) return;
    t.marks.replaceBody(draft);
    t.say("This item was changed in another window; its newer state is shown.");
  }

  #use(body) {
    const { t } = this;
    if (!t.mayMark()) return;
    t.marks.replaceBody(body);
    t.activeId = null;
    t.editing.changed("These marks are shown now. Undo brings the others back.");
  }
}
