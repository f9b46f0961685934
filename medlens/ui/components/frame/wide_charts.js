// On a phone a chart of many cells scrolls sideways (frame.css): by keys too, if the focus can get there.

const WIDE = '[class*="st-key-wide_chart_"]'

export function letKeysScrollWideCharts(page = document) {
  for (const chart of page.querySelectorAll(WIDE)) {
    if (chart.scrollWidth <= chart.clientWidth) continue
    chart.tabIndex = 0
    chart.setAttribute("role", "region")
    chart.setAttribute("aria-label", "Chart, which scrolls sideways")
  }
}
