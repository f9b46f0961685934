// A tap on a chart's mark, told to plotly as a click. Plotly takes every touch for the beginning of
// a drag and would keep a phone from scrolling past a chart; its layer for drags is switched off
// there, and with it its own clicks. It draws nothing.
const TOUCH = "(hover: none) and (pointer: coarse)"

function tapped(event) {
  if (!event.isTrusted || !window.matchMedia(TOUCH).matches) return
  const plot = event.target.closest?.(".js-plotly-plot")
  const layer = plot?.querySelector(".draglayer .nsewdrag")
  if (!layer) return
  const { left, right, top, bottom } = layer.getBoundingClientRect()
  const { clientX, clientY } = event
  if (clientX < left || clientX > right || clientY < top || clientY > bottom) return
  const at = { bubbles: true, cancelable: true, view: window, clientX, clientY, button: 0 }
  layer.dispatchEvent(new MouseEvent("mousemove", at))
  // Which mark it is plotly finds out when the pointer has stood for a moment.
  setTimeout(() => {
    layer.dispatchEvent(new MouseEvent("mousedown", { ...at, buttons: 1 }))
    document.dispatchEvent(new MouseEvent("mouseup", at))
  }, 120)
}

export default function () {
  document.addEventListener("click", tapped, true)
  return () => document.removeEventListener("click", tapped, true)
}
