"""A lead's Home and every section of Team: 50 raters, 20 tasks, 200,000 judgments.

Seconds are the CPU, of all threads, of the page's run in Streamlit's own test runner: the server's
work without a browser. "First" is with nothing kept from before, "again" with the data as it was
and the headline figures, which are worked out beside the pages, done. The test runner looks
through the installed packages at every run for components; a server does that once, so here it is
done once.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from medlens.review import items, raters
from medlens.review.raters import Rater
from medlens.store import Store, open_store
from medlens.studies.tagging import tasks
from medlens.ui import (
    home_headline_worker,
    settings_store_and_runs_of_process,
    user_identity_sign_in_and_sign_out,
)
from medlens.ui.team import SECTIONS
from tests.bench.handed_over import _marked
from tests.bench.rows import Options, Row

_APP = Path(__file__).parents[2] / "app.py"
_RATERS, _EACH = 50, 5
_FIRST, _AGAIN = 1.0, 0.15


def run(options: Options) -> list[Row]:
    """The rows of this benchmark, for 20 tasks, and for all judgments in one."""
    count = options.pick(200_000, 4_000)
    rows: list[Row] = []
    for rounds in (20, 1):
        path = options.folder / f"{rounds}.duckdb"
        with contextlib.closing(open_store(path)) as store:
            lead = _fill(store, rounds, count, random.Random(options.seed))
        told = f"{count:,} judgments in {rounds} task{'s' * (rounds != 1)}"
        with opened(path):
            rows += _visits(lead, told)
    return rows


def _fill(store: Store, rounds: int, count: int, rng: random.Random) -> Rater:
    text = "The likeliest diagnosis is gout, since the joint is red and hot. " * 8
    body = {"question": "Why is the joint red?", "options": [], "response": text}
    people = [raters.find_or_add_rater_by_name(store, f"Rater {n}").id for n in range(_RATERS)]
    for dataset in (f"round {n}" for n in range(rounds)):
        new = [items.NewItem(f"i{n}", body) for n in range(count // rounds // _EACH)]
        items.add_items(store, new, study=tasks.STUDY, kind=tasks.ITEM_KIND, dataset=dataset)
    bodies = [_marked(text, rng) for _ in range(2_000)]
    store.append(
        "judgment",
        *(
            {
                "task": tasks.NAME,
                "item": item,
                "rater": rater,
                "revision": 1,
                "body": rng.choice(bodies),
                "blind": True,
                "origin": "app",
                "complete": True,
                "active_seconds": rng.uniform(10, 60),
                "idle_seconds": 2.0,
            }
            for (item,) in store.rows("select id from item order by seq")
            for rater in rng.sample(people, _EACH)
        ),
    )
    return raters.find_or_add_rater_by_name(store, "Lead", role="lead")


@contextlib.contextmanager
def opened(path: Path) -> Iterator[None]:
    """Pages run here have this store."""
    found = manifest_scanner.scan_component_manifests()
    before = os.environ.get("MEDLENS_STORE")
    os.environ["MEDLENS_STORE"] = str(path)
    settings_store_and_runs_of_process.stop_runs_and_close_store()
    try:
        with mock.patch.object(manifest_scanner, "scan_component_manifests", return_value=found):
            yield
    finally:
        settings_store_and_runs_of_process.stop_runs_and_close_store()
        os.environ.pop("MEDLENS_STORE")
        if before is not None:
            os.environ["MEDLENS_STORE"] = before


def _visits(lead: Rater, told: str) -> Iterator[Row]:
    _seconds(lead, "")  # what every page imports
    for name, view in {"Home": "", **{f"Team, {one}": one for one in SECTIONS}}.items():
        forget()
        first = _seconds(lead, view)
        home_headline_worker.headline_worker_of_process().wait_until_all_computed()
        again = [_seconds(lead, view) for _ in range(3)]
        yield Row(f"{name}, first: {told}", [first], "median", _FIRST, unit="s")
        yield Row(f"{name}, again: {told}", again, "median", _AGAIN, unit="s")


def forget() -> None:
    """Throw away what earlier pages worked out."""
    st.cache_resource.clear()
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith("medlens"):
            one.cache_clear()


def page_of(lead: Rater, name: str = "", **query: str) -> AppTest:
    """A page as the lead has it, Home unless named; it has not run yet."""
    page = AppTest.from_file(str(_APP), default_timeout=120)
    if name:
        page.switch_page(name)
    for key, value in query.items():
        page.query_params[key] = value
    person = user_identity_sign_in_and_sign_out.Person(lead.id, lead.name, None, lead.role, "local")
    page.session_state[user_identity_sign_in_and_sign_out.PERSON] = person
    return page


def _seconds(lead: Rater, section: str) -> float:
    page = page_of(lead, "pages/5_Team.py", section=section) if section else page_of(lead)
    begun = time.process_time()
    page.run()
    taken = time.process_time() - begun
    if page.exception:
        raise RuntimeError(page.exception[0].message)
    return taken
