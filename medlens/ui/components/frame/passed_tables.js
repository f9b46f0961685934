// Tab passes over a table: it enters it and leaves it again. By itself the table would choose its first
// cell as soon as it has the focus, and each next one with Tab, and a chosen cell opens what it stands
// for: a lead on the way to something else would be shown what they are still to judge.

const TABLE = ".stDataFrame"
const BEGINS = /^(Arrow|Enter$)/
const AT_ONCE = 200 // ms in which the focus follows the key

export class PassedTables {
  constructor(page = document, signal) {
    Object.assign(this, { at: -Infinity, passed: null })
    for (const name of ["focus", "focusin"]) {
      page.addEventListener(name, (event) => this.entered(event), { capture: true, signal })
    }
  }

  /** A key was pressed: Tab goes on behind the table, an arrow or Enter begins to choose in it. */
  heard(event) {
    const { key, target } = event
    if (key === "Tab") {
      this.at = performance.now()
      if (isInTable(target)) event.stopPropagation()
    } else if (target === this.passed && BEGINS.test(key)) {
      this.passed = null
      event.stopPropagation() // the first cell is chosen, and not the one behind it
      target.blur()
      target.focus()
    }
  }

  /** The table does not hear of a focus that Tab brings. */
  entered(event) {
    if (performance.now() - this.at > AT_ONCE || !isInTable(event.target)) return
    this.passed = event.target
    event.stopPropagation()
  }
}

function isInTable(target) {
  return target instanceof Element && Boolean(target.closest(TABLE))
}
