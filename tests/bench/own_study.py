"""A team's own study of four arms: its items imported, its figures worked out."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pandas as pd

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import items, judging, raters
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.store import Store, open_store
from medlens.studies.own import study
from medlens.studies.own.figures import FIGURES
from medlens.studies.own.item_and_judgment_import_and_export import import_items
from medlens.studies.own.tasks import NAME
from medlens.tables import Request
from tests.bench.rows import Options, Row
from tests.bench.team import forget, opened, page_of
from tests.pages.conftest import form_of

_ARMS = ("north", "south", "east", "west")
_HEAD = 'id = "{id}"\ntitle = "T"\ninstructions = "I"\n'
_SCALE = (
    '[[question]]\nid = "s{n}"\nkind = "scale"\ntext = "S"\nlow = "l"\nhigh = "h"\nper = "arm"\n'
)
_WIDE = 20


def run(options: Options) -> list[Row]:
    """The rows of this benchmark; times are of CPU."""
    path = options.folder / "own.duckdb"
    with closing(open_store(path)) as store:
        rows = [_import(store, options)]
        _judge(store, options)
        lead = raters.find_or_add_rater_by_name(store, "Lead", role="lead")
    with opened(path):
        return [
            *rows,
            *_pages(lead, options.pick(5000, 50), 3),
            _preview(lead, options.pick(10, 2)),
        ]


def _pages(lead: Rater, count: int, times: int) -> Iterator[Row]:
    """The page of each section's figures, with nothing kept from before, and with the same data."""
    told = f"{count:,} items, 5 raters, 12 questions, 4 arms"
    for section in ("answers", "arms", "agreement"):
        taken: dict[str, list[float]] = {"first": [], "again": []}
        for _ in range(times):
            forget()
            for times_taken in taken.values():
                page = page_of(
                    lead, "pages/8_Your_studies.py", dataset="arms", view="Results", section=section
                )
                times_taken.append(_timed(page.run))
                marked = {one.value for one in page.button_group}
                if f"section:{section}" not in marked or not page.get("plotly_chart"):
                    raise RuntimeError(f"the page does not show the figures of {section}")
        title = FIGURES.sections[section][0].lower()
        for which, bar in (("first", 1500), ("again", 300)):
            yield Row(f"own study: {title}, {which}: {told}", taken[which], "median", bar)


def _preview(lead: Rater, times: int) -> Row:
    """A word of a question changed in the file, until the preview has it: all of the page's run,
    though a server draws no more than the editor and the preview again."""
    page = page_of(lead, "pages/8_Your_studies.py", dataset="arms", view="Make a study").run()
    page.button(key="own.change").click().run()
    taken = []
    for turn in range(times + 1):
        text = str(page.text_area(key="own.text").value)
        changed = re.sub('text = "S.*"', f'text = "S of turn {turn}"', text)
        taken.append(_timed(page.text_area(key="own.text").set_value(changed).run))
        if f"S of turn {turn}" not in json.dumps(form_of(page, "own.preview")):
            raise RuntimeError("the preview does not show what was changed")
    # The first time, the page's modules are imported.
    return Row("own study: preview after an edit, 12 questions, 4 arms", taken[1:], "median", 300)


def _import(store: Store, options: Options) -> Row:
    count, names = options.pick(50_000, 500), [f"c{n}" for n in range(1, _WIDE)]
    text = _HEAD.format(id="wide") + "".join(
        f'[[column]]\nname = "{name}"\nmeans = "m"\n' for name in names
    )
    text += '[[pane]]\ntitle = "P"\ncolumn = "c1"\n'
    text += '[[question]]\nid = "q"\nkind = "yes_no"\ntext = "Q"\n'
    work_behind_commands.declare_study_and_return_report_text(store, text, "STUDY.toml")
    path = options.folder / "wide.jsonl"
    with path.open("w") as file:
        for at in range(count):
            words = {name: f"Some words of {name} in row {at}." for name in names}
            file.write(json.dumps({"item": f"i{at}", **words}) + "\n")
    opened = study.open_study(store, Settings(), "wide")
    request = Request(path, path.name, "wide")
    return Row(
        f"own study: {count:,} items of {_WIDE} columns imported, against pandas",
        [_timed(lambda: import_items(store, opened, request))],
        "ratio",
        3,
        baseline=[_timed(lambda: pd.read_json(path, lines=True)) for _ in range(3)],
    )


def _judge(store: Store, options: Options) -> None:
    """A study of 12 questions about each of four arms, judged by five people."""
    count = options.pick(5000, 50)
    text = _HEAD.format(id="arms") + "".join(f'[[arm]]\nname = "{arm}"\n' for arm in _ARMS)
    text += '[[column]]\nname = "a"\nmeans = "m"\nby_arm = true\n[[pane]]\ntitle = "P"\n'
    text += 'column = "a"\n' + "".join(_SCALE.format(n=n) for n in range(12))
    work_behind_commands.declare_study_and_return_report_text(store, text, "STUDY.toml")
    own = {arm: {"a": "Text."} for arm in _ARMS}
    new = [NewItem(f"i{at}", {"arms": own}) for at in range(count)]
    items.add_items(store, new, study="own", kind="item", dataset="arms")
    opened, drawn = study.open_study(store, Settings(), "arms"), random.Random(options.seed)
    value = opened.task.value
    people = [raters.find_or_add_rater_by_name(store, f"Rater {at}").id for at in range(5)]
    rows = []
    for (item,) in store.rows("select id from item where dataset = 'arms'"):
        for person in people:
            said = {f"s{n} / {arm}": drawn.randint(1, 5) for n in range(12) for arm in _ARMS}
            given = value(version=1, answers=said, order=list(_ARMS))
            rows.append(judging.make_imported_judgment_row(NAME, item, person, given))
    store.append_all_and_count_new_by_table({"judgment": rows})


def _timed(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return 1000 * (time.process_time() - begun)
