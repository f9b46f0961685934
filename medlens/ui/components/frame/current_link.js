// Marks the menu's link to the open page: Streamlit would mark every link to the same file, whichever
// task it leads to.

const LINKS = '.stSidebar [data-testid="stPageLink-NavLink"]'
const STUDIES = '[class*="st-key-menu_studies"]'
const HAVE_DEFAULTS = ["view", "dataset"] // a page without them in its address shows the first

/**
 * The index of the link that leads to the open page or, failing that, to the study that the page is
 * about; -1 for none. `links`: {path, query} each; `path`: the page's name, `query`: its address.
 */
export function findCurrentLink(links, { path, query, study = "" }) {
  const leadsTo = (page, asWhole = false) => links
    .map((link, at) => ({ at, same: link.path === page && !(asWhole && link.query.view) ? countShared(link.query, query) : -1 }))
    .filter(({ same }) => same >= 0)
    .sort((one, other) => other.same - one.same || one.at - other.at)[0]
  return (leadsTo(path) ?? (study ? leadsTo(study, true) : null))?.at ?? -1
}

/** How many values of a link's query the address has too; -1 if it has another one. */
function countShared(wanted, query) {
  const names = Object.keys(wanted)
  if (names.some((name) => (query[name] ?? "") !== wanted[name] && (query[name] || !HAVE_DEFAULTS.includes(name)))) return -1
  return names.filter((name) => query[name]).length
}

const pageOf = (pathname) => pathname.split("/").at(-1)

export function markCurrentLink({ query, study }) {
  const nodes = [...document.querySelectorAll(LINKS)]
  const links = nodes.map((node) => {
    const href = node.getAttribute("href")
    if (!href) return { path: "", query: {} } // Home's has none, which would be the open page's
    const { pathname, searchParams } = new URL(href, location)
    const query = Object.fromEntries(searchParams)
    if (node.closest(STUDIES)) delete query.view // it opens Results and stands for the whole study
    return { path: pageOf(pathname), query }
  })
  const current = findCurrentLink(links, { path: pageOf(location.pathname), query, study })
  for (const [at, node] of nodes.entries()) {
    if (at === current) node.setAttribute("aria-current", "page")
    else node.removeAttribute("aria-current")
  }
}
