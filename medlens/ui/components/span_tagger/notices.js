// What must be seen before continuing: what is missing, what conflicts, what was restored.

import { el } from "../shared/dom.js";
import { button } from "./dom.js";

export class Notices {
  constructor() {
    this.node = el("div", { class: "mlt-notices", role: "status", "aria-live": "polite" });
    this.shown = new Map();
  }

  /** `actions` are [text, function] pairs; each one closes the notice. One that `stays` is closed by nothing else. */
  show(id, text, { lines = [], actions = [], kind = "info", stays = false } = {}) {
    const buttons = actions.map(([label, run]) => button(label, () => {
      this.hide(id);
      run();
    }));
    const node = el("div", { class: `mlt-notice is-${kind}`, "data-notice": id },
      el("div", { class: "mlt-notice-text" }, el("p", { text }),
        lines.length ? el("ul", {}, lines.map(([line, run]) => el("li", {}, run ? button(line, run, { class: "mlt-linkish" }) : line))) : null),
      el("div", { class: "mlt-notice-actions" }, buttons,
        // A notice with a choice stays until the choice is made.
        stays || actions.length > 1 ? null : button("×", () => this.hide(id), { class: "mlt-x", "aria-label": "Close this message" })));
    this.shown.get(id)?.remove();
    this.shown.set(id, node);
    this.node.append(node);
  }

  hide(id) {
    this.shown.get(id)?.remove();
    return this.shown.delete(id);
  }

  clear() {
    for (const id of [...this.shown.keys()]) this.hide(id);
  }
}
