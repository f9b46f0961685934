// When the server is gone, Streamlit covers the page with a message for developers ("streamlit run
// yourscript.py"), again at every attempt to connect. This surface says itself what is not saved and
// must stay usable, so the message is closed before it is painted.

const HEADING = "Connection error";

export function closeConnectionMessages(onclosed) {
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        const dialog = node.matches("[role=dialog]") ? node : node.querySelector("[role=dialog]");
        if (!dialog || !dialog.textContent.trim().startsWith(HEADING)) continue;
        const close = dialog.querySelector("button[aria-label=Close]");
        if (!close) continue;
        node.style.visibility = "hidden";
        dialog.dataset.unseen = "";
        // The dialog takes the focus when it opens, and only then can it be closed.
        setTimeout(() => {
          close.click();
          // It goes when its animation is over; a key pressed until then is meant for the page.
          dialog.inert = true;
          onclosed();
        });
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
