"""A store with all five studies and twelve people, erased person by person and item by item.

A search of our own, in the bytes of its files, first finds every text and every trace of a person,
and then none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from medlens.app import erasure, store_check
from medlens.config.settings import Settings
from medlens.review import audit_log, raters, survey_answers_and_completion_code
from medlens.store import Store
from medlens.studies.own.tasks import NAME as OWN_TASK
from medlens.studies.registry import STUDIES
from tests.store.bytes_on_disk import store_plainly, unpacked
from tests.store.conftest import Cluster, running_cluster
from tests.store.test_archiving import lay_letters
from tests.store.test_erasing_texts import add_call, figures
from tests.store.test_sourcecheckup_corrections import lay as lay_sources

pytestmark = [pytest.mark.usefixtures("read_near"), pytest.mark.deep]

PEOPLE = {
    f"{first}a Quillfeather{first.lower()}": f"{first.lower()}-w0rker" for first in "BCDFGHJKLMNP"
}
DATASETS = {
    "tagging": "demo",
    "agentclinic": "demo",
    "ebmqa": "demo",
    "sourcecheckup": "d",
    "own": "letters",
}
TEXTS = {
    "item": ("body",),
    "item_version": ("body",),
    "item_further": ("body",),
    "sc_question": ("question",),
    "sc_response": ("response",),
    "sc_statement": ("statement",),
    "sc_source": ("text",),
    "sc_source_part": ("text",),
    "ebmqa_question": ("question", "options", "source", "target", "background"),
    "ebmqa_said": ("text",),
    "completion": ("messages", "text", "reasoning"),
}
"""Where texts are that items show, and that repeat them."""


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for held in value.values():
            yield from strings_in(held)
    elif isinstance(value, list):
        for held in value:
            yield from strings_in(held)
    elif isinstance(value, str):
        yield value


def needles_of(store: Store) -> set[str]:
    """A piece of each text: plain letters and spaces, which no way of writing it down changes."""
    found = set()
    for table, columns in TEXTS.items():
        for column in columns:
            if column not in store.column_types_by_table.get(table, {}):
                continue
            for cell in store.column(f"select cast({column} as varchar) from {table}"):
                try:
                    values = list(strings_in(json.loads(cell or '""')))
                except ValueError:
                    values = [cell]
                for value in values:
                    pieces = re.findall(r"[A-Za-z]+(?: [A-Za-z]+){4,}", value)
                    found |= {piece for piece in pieces[:3] if len(piece) >= 24}
    return {piece.lower() for piece in found}


def left_in(needles: Collection[str], *roots: Path) -> dict[str, set[str]]:
    """The needles that stand in files below these folders, and in which."""
    found: dict[str, set[str]] = {}
    for root in roots:
        for path in sorted(one for one in root.rglob("*") if one.is_file()):
            try:
                held = path.read_bytes()
            except FileNotFoundError:
                continue  # the server removes files of its own meanwhile
            for content in unpacked(path.name, held):
                lowered = content.lower()
                for needle in needles:
                    if needle.encode() in lowered:
                        found.setdefault(needle, set()).add(path.name)
    return found


def rows_of(table: str) -> list[str]:
    """The rows of figures without their numbers, in any order, but for those grouped by a text that
    is erased: of these the letters are left as x, and two can look alike.
    """
    rows = (row.partition(",")[2] for row in table.splitlines())
    return sorted(row for row in rows if ",letter: " not in row)


def columns_with(store: Store, needle: str) -> list[str]:
    """Where in the tables a needle stands, to say it when one is left."""
    return [
        f"{table}.{column}"
        for table, kinds in store.column_types_by_table.items()
        for column, kind in kinds.items()
        if kind in ("VARCHAR", "JSON")
        and store.rows(
            f"select 1 from {table} where contains(lower(cast({column} as varchar)), $n) limit 1",
            n=needle,
        )
    ]


def add_person(store: Store, name: str, worker: str, other: str, item: str, lead: str) -> None:
    """A person with traces in every kind of row that can tell who somebody is."""
    mail = f"{worker}@ward.example"
    rater = raters.find_or_add_rater_by_name(store, name, email=mail, origin="oidc")
    place = {"task": OWN_TASK, "item": item, "rater": rater.id}
    how = {"revision": 1, "blind": True, "origin": "app", "complete": True}
    body = {"answers": {"clear": "Not clear", "why": f"I, {name.upper()}, and {other} say so"}}
    store.append("judgment", place | how | {"body": body})
    remark = {"kind": "answer", "body": f"As {name} told {other}", "counts": True}
    store.append("remark", place | remark | {"made_by": lead})
    draft = {"revision": 1, "active_seconds": 1.0, "idle_seconds": 0.0}
    store.append("draft", place | draft | {"body": {"answers": {"why": f"{name} drafts"}}})
    survey_answers_and_completion_code.save_survey_answers(
        store, form="background", rater=rater.id, answers={"is": name}
    )
    came = {"task": OWN_TASK, "dataset": "letters", "rater": rater.id, "worker": worker}
    store.append("crowd_worker", came | {"said": {"SESSION_ID": f"session of {worker}"}})
    audit_log.find_or_record_sign_in(store, f"key {worker}", who=mail, about="reviewer")
    audit_log.record_entry(store, "refused", who=rater.id, about=f"{name.upper()} was refused")


def lay_everything(store: Store) -> None:
    for name, dataset in DATASETS.items():
        if dataset == "demo":
            STUDIES[name].demo(store)
    lay_letters(store)
    lay_sources(store)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead").id
    [item, *_] = store.column("select id from item where study = 'own' order by seq")
    names = list(PEOPLE)
    for at, (name, worker) in enumerate(PEOPLE.items()):
        add_person(store, name, worker, names[(at + 1) % len(names)], item, lead)
    bodies = store.column("select cast(body as varchar) from item order by seq")
    for number, body in enumerate(bodies):
        longest = max(strings_in(json.loads(body)), key=len, default="")
        add_call(store, f"{number:016}", f"Read: {longest}", f"It says: {longest}")


def keep_plain(database: str) -> None:
    """Have PostgreSQL compress no long value either."""
    with psycopg.connect(database, autocommit=True) as connection:
        columns = connection.execute(
            "select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid"
            " join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema()"
            " and c.relkind = 'r' and a.attnum > 0 and a.attstorage = 'x'"
        ).fetchall()
        for table, column in columns:
            connection.execute(
                sql.SQL("alter table {} alter column {} set storage external").format(
                    sql.Identifier(table), sql.Identifier(column)
                )
            )


@pytest.fixture(scope="module")
def cluster(postgres_programs: Path) -> Iterator[Cluster]:
    """A server of this test's own: on another one the texts stand in other tests' tables too."""
    with running_cluster(postgres_programs) as cluster:
        yield cluster


Thing = tuple[str, str, str]
"""A study, a dataset, and the name of what has texts there."""


def things_with_texts(store: Store, *, most: int) -> tuple[list[Thing], list[Thing]]:
    """Items of every kind in the five studies, and questions that are no items: at most so many of
    a kind, and all of SourceCheckup's, which show the same texts; then all others.
    """
    kinds: dict[str, list[Thing]] = {}
    for kind, *thing in store.rows(
        "select study || kind, study, dataset, name from item where kind <> 'question_set'"
        " union all select 'outside', 'ebmqa', q.dataset, q.name from ebmqa_question q"
        " anti join item i on i.study = 'ebmqa' and i.dataset = q.dataset and i.name = q.name"
        " order by 1, 2, 3, 4"
    ):
        kinds.setdefault(str(kind), []).append((thing[0], thing[1], thing[2]))
    everything = [thing for things in kinds.values() for thing in things]
    few = {thing for things in kinds.values() for thing in things[:most]}
    chosen = [thing for thing in everything if thing in few or thing[0] == "sourcecheckup"]
    return chosen, [thing for thing in everything if thing not in chosen]


def texts_of(store: Store, things: Collection[Thing]) -> str:
    """All that things say themselves, in small letters."""
    theirs = set(things)
    rows = store.rows(
        "select study, dataset, name, cast(body as varchar) from item union all"
        " select 'ebmqa', dataset, name, concat_ws(' ', question, cast(options as varchar),"
        " source, target, background) from ebmqa_question"
    )
    said = [text for *thing, text in rows if tuple(thing) in theirs]
    # What a model answers to one question, it may answer to another in the same words.
    answers = store.rows(
        "select distinct q.dataset, q.name, s.text from ebmqa_said s join ebmqa_answer a"
        " on a.block = s.block and a.said = s.place join ebmqa_question q on q.seq = a.question"
    )
    said += [text for *thing, text in answers if ("ebmqa", *thing) in theirs]
    return "\n".join(said).lower()


def test_of_twelve_people_and_texts_of_five_studies_no_byte_is_left(
    store: Store,
    engine: str,
    address: str,
    folders: list[Path],
    write_everything_out: Callable[[Store], list[Path]],
) -> None:
    store_plainly(store)
    if engine == "postgres":
        keep_plain(address)
    lay_everything(store)
    chosen, others = things_with_texts(store, most=3)
    elsewhere = texts_of(store, others)
    needles = {needle for needle in needles_of(store) if needle not in elsewhere}
    traces = {one.lower() for name, worker in PEOPLE.items() for one in (name.split()[1], worker)}
    found = left_in(needles | traces, *folders, *write_everything_out(store))
    assert set(found) == needles | traces
    assert len(needles) > 30
    before = {name: figures(store, name, dataset) for name, dataset in DATASETS.items()}

    for name, worker in PEOPLE.items():
        rater = erasure.find_person_to_erase(store, name)
        erasure.erase_person_and_list_what_was_done(
            store, Settings(), rater, confirmed=name, viewer=None
        )
        left = left_in([name.split()[1].lower(), worker], *folders, *write_everything_out(store))
        assert not left, left
    for study, dataset, name in chosen:
        item = erasure.require_item_with_texts_to_erase(store, study, name, dataset=dataset)
        erasure.erase_item_texts_and_list_what_was_done(
            store, Settings(), item, confirmed=item.name, viewer=None
        )
    left = left_in(needles | traces, *folders, *write_everything_out(store))
    assert not left, {
        needle: (sorted(files), columns_with(store, needle)) for needle, files in left.items()
    }
    for study, dataset in DATASETS.items():
        assert rows_of(figures(store, study, dataset)) == rows_of(before[study]), study
    assert store_check.list_store_faults_in_words(store, Settings()) == []
