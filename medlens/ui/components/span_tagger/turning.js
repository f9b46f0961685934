// Shows the next item as soon as its key is pressed, from what the server has sent ahead. It can be
// marked once the server has answered; if it refuses, the old item comes back.

import { TextIndex } from "./offsets.js";

export class Turning {
  constructor(tagger) {
    this.t = tagger;
    this.to = null; // the item shown before the server has opened it
  }

  ahead(action) {
    const { data, saver } = this.t;
    const { moves, items } = data.ahead ?? {};
    const there = items?.[moves?.[action]];
    if (!there || !saver.moving) return;
    this.#set({ ...there, index: new TextIndex(there.text) });
    this.#show(this.to);
  }

  back() {
    const { t } = this;
    if (!this.to) return;
    this.#set(null);
    this.#show({ ...t.data, index: t.index });
    t.drawMarks();
  }

  /** The server has opened an item: returns its index if it is already shown, else null. */
  arrive({ item, text }) {
    const { to } = this;
    this.#set(null);
    return to?.item === item && to.text === text ? to.index : null;
  }

  #set(to) {
    this.to = to;
    this.t.wrap.classList.toggle("is-turning", Boolean(to));
  }

  #show({ title, context, index }) {
    const { t } = this;
    t.title.textContent = title;
    t.context.show(context);
    t.view.show(index, t.data.labels);
    requestAnimationFrame(() => {
      t.scroll.scrollTop = 0;
    });
  }
}
