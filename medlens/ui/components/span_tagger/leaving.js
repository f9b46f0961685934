// The ways to leave an item: submit, skip, flag, previous, next. And the list of keys.

import { plural } from "./dom.js";
import { flagDialog, helpDialog } from "./popover.js";

export class Leaving {
  constructor(tagger) {
    this.t = tagger;
  }

  /** `send` is what to do if nothing is missing. */
  submit(send = () => this.#leave("submit")) {
    const { t } = this;
    if (!t.mayMark()) return;
    t.popover.close();
    const lacks = t.marks.missing();
    if (!lacks.length) {
      t.lacking.hide("missing");
      send();
      return;
    }
    t.lacking.show("missing", `Not submitted yet: ${plural(lacks.length, "thing is", "things are")} missing.`, {
      kind: "warn",
      lines: lacks.map((lack) => [lack.text, this.#way(lack)]),
    });
    const first = lacks.find((lack) => this.#way(lack));
    if (first) this.#way(first)();
    else t.bringTextIntoSight();
  }

  /** A function that leads to what is missing; null if that has no single place. */
  #way({ span, field, whole }) {
    if (span) return () => this.t.editing.openCard(span, { field });
    return whole ? () => this.t.side.reach(whole) : null;
  }

  go(action) {
    const { t } = this;
    const { progress, readonly } = t.data;
    if (t.saver.moving) t.refuse("the next item is not here yet");
    else if (action === "skip" && (readonly || t.data.grows)) t.refuse("no item is skipped here");
    else if (action === "next" && !progress.has_next) t.refuse("this is the last item");
    else if (action === "previous" && !progress.has_previous) t.refuse("this is the first item");
    else this.#leave(action);
  }

  #leave(action, reason = "") {
    const { t } = this;
    if (t.saver.conflict) {
      t.refuse("choose first which of the two answers to keep");
      return;
    }
    t.popover.close();
    t.arm(null);
    t.saver.move(action, reason);
    t.turning.ahead(action);
  }

  flag() {
    const { t } = this;
    if (t.data.grows) t.refuse("no item is flagged here");
    if (t.data.grows || !t.mayMark() || t.dialog) return;
    if (t.data.flag_reason) {
      this.#leave("unflag"); // the item stays
      return;
    }
    const keptAs = t.saver.reasonKey(t.data);
    t.dialog = flagDialog(t.wrap, keptAs, (reason) => this.#leave("flag", reason), () => t.dialogClosed());
  }

  help() {
    const { t } = this;
    if (t.dialog) return;
    t.dialog = helpDialog(t.wrap, t.data, () => t.dialogClosed());
  }
}
