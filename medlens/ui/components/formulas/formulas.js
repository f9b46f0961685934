// Draws the formulas of foreign Markdown. Streamlit lets no MathML through, so each stands as its
// source, with what to draw as [tag, attributes, text, parts]: only signs, made here one by one.
// Where this does not run, the source stays.
const MATHML = "http://www.w3.org/1998/Math/MathML"
const TAG = /^(math|m[a-z]+|none)$/
const FORMULA = ".foreign-markdown [data-formula]"

function made([tag, attributes, text, parts]) {
  if (!TAG.test(tag) || tag === "maction") throw new Error(tag)
  const node = document.createElementNS(MATHML, tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (/^[a-z]+$/.test(name) && !/^(on|href|style|class|id|src)/.test(name)) node.setAttribute(name, value)
  }
  if (text) node.textContent = text
  node.append(...parts.map(made))
  return node
}

function draw() {
  for (const source of document.querySelectorAll(FORMULA)) {
    try {
      const math = made(JSON.parse(source.dataset.formula))
      // What a screen reader cannot say, the source can.
      math.setAttribute("alttext", source.textContent)
      source.replaceChildren(math)
    } catch {
      // It stays as it is written.
    }
    delete source.dataset.formula
  }
}

export default function () {
  draw()
  const observer = new MutationObserver(draw)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}
