"""Hostile strings in every field of every study, on every view, in Chromium.

The demo studies are written over: each text, name and address gets a group of strings at its end,
another one in each row, moved on by one in each round, so that in the end every string was in every
place. No script may run, no stranger be asked, no page break.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import duckdb
from playwright.sync_api import BrowserContext, Error, Page, sync_playwright

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import judging, raters, remarks_between_raters_and_leads
from medlens.store import Store, open_store
from medlens.studies.own import study_file
from medlens.studies.own.study import open_study
from medlens.ui.team import SECTIONS
from tests.attack.counts import Counts, Size, main
from tests.attack.strings import STRINGS
from tests.browser.conftest import CHROMIUM_ARGUMENTS, SIZE, chromium_path, servers

LEAD, REVIEWER = "Lena Lead", "Rosa Reviewer"

VIEWS: dict[str, tuple[str, ...]] = {
    "": ("",),
    "Tag_errors": ("Tag", "Results", "Open coding"),
    "Read_transcripts": (
        "Rate dialogues",
        "Check diagnoses",
        "Play",
        "Dialogues",
        "Cases",
        "Results",
    ),
    "Verify_sources": (
        "Verify sources",
        "Verify whole answers",
        "Check statements",
        "Check questions",
        "Answers",
        "Pairs",
        "Results",
    ),
    "Explore_EBMQA": ("Results", "Questions", "Answer the questionnaire"),
    "Your_studies": ("Judge", "Results", "Make a study", "Study file"),
    "Team": tuple(SECTIONS),
    "People_and_models": ("",),
    "Runs": ("", "new"),
    "Data": ("Import", "Items", "Export", "Taxonomy"),
}
FOR_REVIEWERS = {
    "": ("",),
    "Tag_errors": ("",),
    "Read_transcripts": ("Rate dialogues", "Check diagnoses"),
    "Verify_sources": (
        "Verify sources",
        "Verify whole answers",
        "Check statements",
        "Check questions",
    ),
    "Explore_EBMQA": ("Results", "Questions"),
    "Your_studies": ("",),
}

# Nobody runs out of items.
_SETTINGS = """
[tagging]
raters_per_item = 100
items_per_rater = 1000
gold_share = 0.0
"""

_AT_REST = ".stApp[data-test-script-state='notRunning'] .stMainBlockContainer"

# Texts that are whole words to the program: the end of none of them is anybody's to write.
_FIXED = {
    "id",
    "seq",
    "made_at",
    "study",
    "kind",
    "digest",
    "handle",
    "origin",
    "task",
    "form",
    "item",
    "rater",
    "role",
    "made_by",
    "email",
    "request",
    "run",
    "job",
    "outcome",
    "state",
    "route",
    "base_url",
    "question_id",
    "response_id",
    "qa_type",
    "n",
    "url",
    "statement_id",
    "command",
    "error_class",
    "cleanup",
    "existed",
    "content_type",
    "action",
    "drawn",
    "views",
    "dataset",
    "finish_reason",
    "country",
    "answered",
    "site",
    "batch",
    "type",
    "stratum",
    "prompt",
}
# What is a reference or a name by which others find it.
_KEPT_COLUMNS = {
    ("sc_response", "question"),
    ("sc_citation", "response"),
    ("sc_parse", "response"),
    ("sc_statement", "response"),
    ("sc_cleanup", "statement"),
}
_TABLES_LEFT_ALONE = {"migration", "assignment", "selection", "reveal", "rater_role", "job"}


OWN = "own_hostile"

GROUPS = 12
"""Rounds of the whole suite: each shows every view anew, which is what it costs."""


class Poison:
    """Gives each place of a store its strings. Places of one field that get the same of them get
    them in another order, since a page may show the beginning of a text only."""

    def __init__(self, strings: Sequence[str], turn: int) -> None:
        self._groups = [strings[at::GROUPS] for at in range(GROUPS)]
        self._turn = turn
        self.places: Counter[str] = Counter()

    def next(self, name: str) -> str:
        """The strings for the next place, which belongs to the field ``name``."""
        place = self.places[name]
        self.places[name] += 1
        group = self._groups[(place + self._turn) % GROUPS]
        first = (place // GROUPS + self._turn) % len(group)
        return " ".join(group[first:] + group[:first]).replace("\x00", "\ufffd")

    def json(self, name: str, value: Any, key: str = "") -> Any:
        """A JSON value with a string at the end of everything that people or models wrote."""
        if isinstance(value, dict):
            return {k: self.json(f"{name}.{k}", v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [self.json(name, one, key) for one in value]
        if isinstance(value, str) and " " in value and key not in _FIXED | {"quote", "response"}:
            return f"{value} {self.next(name)}"
        return value


def poison(path: Path, with_strings: Poison) -> None:
    """Write over a closed store."""
    with contextlib.closing(duckdb.connect(str(path))) as store:
        columns = store.execute(
            "select table_name, column_name, data_type from duckdb_columns()"
            " where database_name = current_database() and not internal and table_name in"
            " (select table_name from duckdb_tables()) order by all"
        ).fetchall()
        for table, column, kind in columns:
            if table in _TABLES_LEFT_ALONE or column in _FIXED or (table, column) in _KEPT_COLUMNS:
                continue
            if kind not in ("VARCHAR", "JSON"):
                continue
            rows = store.execute(
                f'select distinct "{column}"::varchar from {table}'
                f" where coalesce(\"{column}\"::varchar, '') <> '' order by 1 limit 3000"
            ).fetchall()
            name = f"{table}.{column}"
            pairs = [(text, _changed(with_strings, name, text, kind)) for (text,) in rows]
            if not pairs:
                continue
            store.execute("create or replace temp table change (was varchar, now varchar)")
            store.executemany("insert into change values (?, ?)", pairs)
            cast = "::json" if kind == "JSON" else ""
            store.execute(
                f'update {table} set "{column}" = change.now{cast} from change'
                f' where "{column}"::varchar = change.was and change.now <> change.was'
            )
        store.execute("checkpoint")


def _changed(strings: Poison, name: str, text: str, kind: str) -> str:
    if kind == "JSON":
        return json.dumps(strings.json(name, json.loads(text)), ensure_ascii=False)
    return f"{text} {strings.next(name)}"


def _own_study(store: Store, with_strings: Poison) -> None:
    """A study of the team's own, all of whose words hold strings; what a reviewer said of it, what
    leads said to them of that; and a template with its items."""

    def word(name: str, longest: int | None = None) -> str:
        # What a study's file may not hold is refused there, so no page can come to show it.
        held = study_file.UNREADABLE.sub("", with_strings.next(f"own.{name}"))
        return json.dumps(f"A {name} {held}"[:longest], ensure_ascii=False)

    title = word("title", study_file.LONGEST_TITLE)
    text = f'id = "{OWN}"\ntitle = {title}\nthing = {word("thing")}\n'
    text += f"instructions = {word('instructions')}\nsource = {word('source')}\n"
    text += f'[[column]]\nname = "text"\nmeans = {word("column")}\n'
    text += f'[[pane]]\ntitle = {word("pane")}\ncolumn = "text"\n'
    # Semicolons part options in files, and are refused in them.
    options = f"options = [{word('option')}, {word('option')}]\n".replace(";", ",")
    for kind, more in (
        ("yes_no", ""),
        ("scale", f"low = {word('low end')}\nhigh = {word('high end')}\n"),
        ("single", options),
        ("multiple", options),
        ("long_text", ""),
    ):
        text += f'[[question]]\nid = "{kind}"\nkind = "{kind}"\ntext = {word(kind)}\n{more}'
    work_behind_commands.declare_study_and_return_report_text(store, text, "STUDY.toml")
    rows = b"item,text\n" + b"".join(b"letter %d,Dear all.\n" % n for n in range(6))
    work_behind_commands.import_file(
        store, Settings(), "own-items", rows, name="letters.csv", dataset=OWN
    )
    template = study_file.path_of_template("preference")
    work_behind_commands.declare_study_and_return_report_text(
        store, study_file.read_study_file_text_and_declaration(template)[0], template.name
    )
    answers = template.with_suffix(".csv")
    work_behind_commands.import_file(
        store, Settings(), "own-items", answers, name=answers.name, dataset="preference"
    )
    task = open_study(store, Settings(), OWN).task
    lead, reviewer = (
        raters.find_or_add_rater_by_name(store, LEAD),
        raters.find_or_add_rater_by_name(store, REVIEWER),
    )
    known = [item for (item,) in store.rows("select id from item where dataset = $of", of=OWN)]
    for item in known[:2]:
        for at, rater in enumerate((lead, reviewer)):
            value = task.parse(
                {"version": 1, "answers": {"scale": at + 1, "long_text": "So it is."}}
            )
            store.append(
                "judgment", judging.make_imported_judgment_row(task.name, item, rater.id, value)
            )
    for item, kind in zip(known, ("return", "answer"), strict=False):
        said = "Look at this once more, please."
        remarks_between_raters_and_leads.store_remark_on_work(
            store, task, item=item, rater=reviewer.id, kind=kind, text=said, by=lead
        )


def _divided(path: Path) -> list[str]:
    """The addresses at which the items that people disagree on, and those returned, are settled."""
    with contextlib.closing(duckdb.connect(str(path), read_only=True)) as store:
        found = store.execute(
            "select j.task, i.dataset, min(i.name) from judgment j join item i on i.id = j.item"
            " join rater r on r.id = j.rater and r.kind = 'person' group by all"
            " having count(distinct j.body) > 1 and count(distinct j.rater) > 1 order by all"
        ).fetchall()
    at = [(*one, "disagreements", "divided") for one in found]
    at += [(*one, "disagreements&word=write", "divided") for one in found]
    at += [(*one, "flags", "asked") for one in found if one[1] == OWN]
    return [
        f"Team?task={quote(task)}&dataset={quote(dataset)}&section={section}&{named}={quote(item)}"
        for task, dataset, item, section, named in at
    ]


@dataclass
class Heard:
    """What went wrong on a page while it was looked at."""

    problems: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("dialog", lambda dialog: (self.problems.append("a dialog"), dialog.dismiss()))
        page.on("popup", lambda _: self.problems.append("a window opened"))
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"[:200]))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname not in ("localhost", None):
            self.problems.append(f"a stranger was asked: {url[:100]}")


# What follows in the text stands to the right of it, or below: else a text with signs that turn the
# direction has turned what is beside it, too.
_TURNED = r"""() => {
  const boxes = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5);
  };
  const page = document.querySelector(".stMainBlockContainer") ?? document.body;
  const walk = document.createTreeWalker(page, 4, (node) => (node.data.trim() ? 1 : 2));
  const found = [];
  let before = null;
  let depth = 0; // of isolates that are open: one text may stand in several nodes
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const [first] = boxes(node);
    if (!first) continue;
    const now = { node, last: boxes(node).at(-1) };
    if (before) {
      const both = document.createRange();
      both.setStart(before.node, 0);
      both.setEnd(node, 1);
      let block = both.commonAncestorContainer;
      const css = (of) => getComputedStyle(of).display;
      while (css(block).startsWith("inline") && block.parentElement) block = block.parentElement;
      const { last } = before;
      const line = Math.abs(last.top + last.bottom - first.top - first.bottom) < first.height;
      const inline = (one) => {
        for (let at = one.parentElement; at !== block; at = at.parentElement) {
          if (!/^(inline|contents)/.test(css(at))) return false;
        }
        return true;
      };
      const open = (before.node.data.match(/[\u2066-\u2068]/g) ?? []).length;
      if (block !== before.block) depth = 0;
      depth = Math.max(0, depth + open - (before.node.data.match(/\u2069/g) ?? []).length);
      now.block = block;
      const beside = line && css(block) === "block" && inline(node) && inline(before.node);
      if (beside && !depth && first.left < last.left - 1) {
        found.push(`${before.node.data.slice(-30)} | ${node.data.slice(0, 30)}`);
      }
    }
    before = now;
  }
  return found;
}"""


def _look(page: Page, heard: Heard, address: str) -> str:
    """Open a view and wait until it is drawn; returns what is wrong with it."""
    heard.problems.clear()
    page.goto(address, wait_until="domcontentloaded")
    with contextlib.suppress(Error):
        # Something drawn, nothing running and nothing more to come: the first run only asks the
        # tab who is there, and components draw themselves when the run is over.
        before = ""
        for _ in range(100):
            page.wait_for_selector(_AT_REST, timeout=30_000)
            drawn = page.inner_text(".stMainBlockContainer").strip()
            if len(drawn) > 2 and drawn == before:
                break
            before = drawn
            page.wait_for_timeout(400)
    found = page.evaluate(
        "() => ({owned: window.owned || 0,"
        " frames: [...document.querySelectorAll('iframe, object, embed, base, form')].filter("
        "   e => (e.src || e.data || e.href || e.action || '').includes('evil')).length,"
        " links: [...document.querySelectorAll('a')].filter("
        "   e => /^(javascript|vbscript|data|file):/i.test(e.href)).length,"
        f" turned: ({_TURNED})(),"
        " raised: document.querySelectorAll('[data-testid=stException]').length,"
        " words: (document.querySelector('.stMainBlockContainer') || {}).innerText || ''})"
    )
    if found["owned"]:
        return "a script ran"
    if found["frames"] or found["links"]:
        return "markup of a string lives on the page"
    if found["turned"]:
        return f"a text turned its neighbours round: {found['turned'][0]!r}"
    if found["raised"] or "Oh no" in found["words"]:
        return "the page broke"
    if len(found["words"].strip()) < 3:
        return "the page stayed empty"
    return heard.problems[0] if heard.problems else ""


def _addresses(url: str, views: dict[str, tuple[str, ...]]) -> list[str]:
    found = []
    for page, of_page in views.items():
        for view in of_page:
            name = {"Data": "view", "Team": "section"}.get(page, "view")
            found.append(f"{url}/{page}" + (f"?{name}={quote(view)}" if view else ""))
    return found


def _tab(context: BrowserContext, url: str, name: str, heard: Heard) -> Page:
    page = context.new_page()
    page.goto(f"{url}/healthz")
    page.evaluate("localStorage.clear()")  # whoever was here before
    page.goto(url)
    page.get_by_role("button", name=name).first.click(timeout=30_000)
    page.get_by_text("Good to see you").wait_for(timeout=30_000)
    page.wait_for_timeout(500)
    heard.listen(page)
    return page


def run(seed: int, size: Size) -> Counts:
    """Each round: a store with every group moved on by one, and every view of it."""
    counts, draw = Counts(), random.Random(seed)
    rounds = GROUPS if size == "full" else 1
    heard, strings = Heard(), draw.sample(STRINGS, len(STRINGS))
    with (
        tempfile.TemporaryDirectory(prefix="medlens-attack-") as name,
        servers(Path(name)) as start,
        sync_playwright() as plays,
    ):
        folder = Path(name)
        with contextlib.closing(open_store(folder / "demo.duckdb")) as store:
            work_behind_commands.add_demo_studies_and_return_report_text(store)
            people = (
                raters.find_or_add_rater_by_name(store, LEAD, role="lead"),
                raters.find_or_add_rater_by_name(store, REVIEWER),
            )
        assert all(people)
        browser = plays.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_ARGUMENTS)
        )
        for turn in range(rounds):
            path = folder / f"{turn}.duckdb"
            shutil.copy(folder / "demo.duckdb", path)
            with_strings = Poison(strings, turn)
            with contextlib.closing(open_store(path)) as store:
                _own_study(store, with_strings)
            poison(path, with_strings)
            settled = _divided(path)
            counts.tried["fields of the store"] = len(with_strings.places)
            counts.tried["places with strings"] += with_strings.places.total()
            server = start(store=path, settings=_SETTINGS)
            with browser.new_context(viewport=SIZE) as context:
                for who, views in ((LEAD, VIEWS), (REVIEWER, FOR_REVIEWERS)):
                    addresses = _addresses(server.url, views)
                    if who == LEAD:
                        addresses += [f"{server.url}/{one}" for one in settled]
                    if size == "short":
                        addresses = draw.sample(addresses, 5 if who == LEAD else 1)
                    page = _tab(context, server.url, who, heard)
                    for address in addresses:
                        problem = _look(page, heard, address)
                        where = address.removeprefix(server.url)
                        counts.note("views", problem and f"{problem} at {where} as {who}")
            server.kill()
            if faults := [one for one in server.log.read_text().splitlines() if " error " in one]:
                counts.found.append(f"the server's log says, turn {turn}: {faults[0][:1200]}")
            path.unlink()
            print(f"  round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
            print(*counts.found, sep="\n", file=sys.stderr, flush=True)
        browser.close()
    return counts


if __name__ == "__main__":
    raise SystemExit(main("pages", run))
