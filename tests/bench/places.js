// Where two places in the text to mark are on the screen; the text is ASCII, so units are points.
([start, end]) => {
  const box = document.querySelector(".mlt-text");
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let at = 0, begun = false;
  for (let node = walk.nextNode(); node; at += node.length, node = walk.nextNode()) {
    if (!begun && start < at + node.length) {
      range.setStart(node, start - at);
      begun = true;
    }
    if (begun && end <= at + node.length) {
      range.setEnd(node, end - at);
      break;
    }
  }
  range.startContainer.parentElement.scrollIntoView({ block: "center" });
  const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
  const [first, last] = [rects[0], rects[rects.length - 1]];
  return [first.left + 1, (first.top + first.bottom) / 2, last.right - 1, (last.top + last.bottom) / 2];
}
