// Watches from now on, and counts from the next event of one kind. `waits` maps a name to [selector,
// kind]: "changed" is another text than now, "marked" other marks, "saved" first saving, then saved,
// "lit" another statement with its best passage in sight.
({ event, waits }) => {
  const see = {
    changed: (node) => node?.textContent ?? "",
    marked: (node) => [...node.querySelectorAll(".mlt-mark")]
      .map((mark) => `${mark.textContent}/${mark.dataset.n}/${mark.className}`).join("|"),
    // A form at a desk has a class, a status line its kind.
    saved: (node) => node?.dataset.kind ?? (node?.classList.contains("is-saving") ? "saving" : "saved"),
    lit: (node) => {
      const best = node?.querySelector(".msr-s.is-best");
      if (!best) return "";
      const own = best.getBoundingClientRect();
      const box = best.closest(".msr-scroll").getBoundingClientRect();
      const seen = own.top >= box.top && own.bottom <= box.bottom;
      return seen ? `${node.querySelector(".msd-text").textContent}|${best.textContent}` : "";
    },
  };
  // Of several the one that can be seen: the next item may be on the page already, out of sight.
  const find = (selector) => {
    const [first, ...more] = document.querySelectorAll(selector);
    return more.length ? [first, ...more].find((node) => node.checkVisibility({ visibilityProperty: true })) : first ?? null;
  };
  const now = ([selector, kind]) => see[kind](find(selector));
  const left = new Map(Object.entries(waits).map(([name, wait]) =>
    [name, { wait, kind: wait[1], before: now(wait), saving: false }]));
  const times = {};
  let since = null;
  window.medlensTimes = times;
  window.addEventListener(event, ({ timeStamp }) => { since = timeStamp; }, { once: true, capture: true });
  window.medlensWatch = new Promise((done) => {
    const painted = (name) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        times[name] = performance.now() - since;
        if (Object.keys(times).length === Object.keys(waits).length) done(times);
      };
      channel.port2.postMessage(null);
    });
    const observer = new MutationObserver(() => {
      for (const [name, one] of left) {
        const seen = now(one.wait);
        if (one.kind === "saved" && seen === "saving") one.saving = true;
        if (one.kind === "saved" ? !(one.saving && seen === "saved") : !seen || seen === one.before) continue;
        left.delete(name);
        painted(name);
      }
      if (!left.size) observer.disconnect();
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}
