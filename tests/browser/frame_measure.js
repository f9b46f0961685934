// What stands above a page's content, and how much can be pressed: an expression, which gives
// {y, rows, controls, frame}.
//
// y: the top of the first content in pixels, which is the first thing in sight that is neither the
// line, the rail, the page's name, nor made of controls alone. rows: the rows above it. controls:
// those in sight outside the menu, the line and the rail; frame: those in these three. A set of
// choices counts each of its choices.
(() => {
  const CONTROLS = "a[href], button, input, select, textarea, summary, [role=radio], [role=combobox], [role=tab], [role=checkbox]"
  const FRAME = ".stSidebar, .stAppHeader, .st-key-desk_line, .st-key-rail, .st-key-rail_menu"
  const main = document.querySelector(".stMainBlockContainer")
  const box = (element) => element.getBoundingClientRect()
  const seen = (element) => {
    const { width, height, top, bottom, left, right } = box(element)
    return width > 1 && height > 1 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
      && element.checkVisibility({ opacityProperty: false, visibilityProperty: true })
  }
  // Of a control inside another (a box's input, a choice's button), only the outer one counts.
  const controls = [...document.querySelectorAll(CONTROLS)]
    // What a list consists of is content.
    .filter((one) => !one.closest("table, [role=grid]"))
    .filter((one) => seen(one) && !one.disabled && !one.parentElement.closest(CONTROLS))
    .filter((one, at, all) => !one.matches("[data-testid=stSelectbox] button") || !all.some((other) => other !== one && other.closest("[data-testid=stSelectbox]") === one.closest("[data-testid=stSelectbox]")))
  const leaves = [...main.querySelectorAll(".stElementContainer, .stElementContainer iframe")].filter((one) => seen(one))
  const outside = leaves.filter((one) => !one.closest(FRAME))
  const isName = (one) => one.querySelector("h1")
  const isControlsAlone = (one) => {
    if (one.matches(".st-key-page-head, .st-key-page-head *")) return true
    if (!one.querySelector(CONTROLS)) return false
    return one.querySelector("[data-testid=stButtonGroup], .stSelectbox, .stTextInput, .stButton, .stPopover, .stPageLink, .stMultiSelect, .stCheckbox, .stDownloadButton") !== null
  }
  const content = outside.filter((one) => !isName(one) && !isControlsAlone(one) && one.textContent.trim() + (one.querySelector("canvas, svg, img, input, textarea") ? "." : "") !== "")
    .sort((one, other) => box(one).top - box(other).top)[0]
  const y = content ? Math.round(box(content).top) : Infinity
  const above = [...leaves.filter((one) => !one.closest(".st-key-rail, .st-key-rail_menu") && box(one).height > 8)]
    .filter((one) => box(one).bottom <= y + 4).map((one) => box(one).top + box(one).height / 2).sort((one, other) => one - other)
  const rows = above.reduce((kept, middle) => kept.length && middle - kept.at(-1) < 20 ? kept : [...kept, middle], []).length
  return {
    y, rows,
    controls: controls.filter((one) => !one.closest(FRAME)).length,
    frame: controls.filter((one) => one.closest(FRAME)).length,
    first: content?.textContent.slice(0, 40),
  }
})()
