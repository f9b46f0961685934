"""Deleting what is archived for good: its rows go, and none of their bytes is left in the store.

``DeletionRewrite`` is a rewriting (``store.rewrite_to_erase.StoreRewrite``), as erasing is: all or
nothing. A round leaves its settings, guideline and items; a run leaves what it made.
``FORBIDDEN_BY`` is the place for checks that forbid it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens.errors import InvalidInput
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.store import Store, new_id
from medlens.store.rewrite_to_erase import Ask

FORBIDDEN_BY: list[Callable[[Store, Thing], str]] = []
"""What may forbid that a thing is deleted: each returns why, in a sentence, or "". A check of the
signed packs that rest on a thing belongs here.
"""

_OF_ITEM = (
    *("item_alias", "item_further", "item_version", "text_measure", "open_code", "reference"),
)
_OF_ITEM_AND_TASK = (
    *("draft", "judgment", "assignment", "assignment_event", "reveal", "gold", "adjudication"),
    *("remark", "settling", "suggestion"),
)
_OF_ROUND = (
    *("task_round", "selection", "sample", "exclusion", "invitation", "crowd_worker"),
    *("completion_event", "verdict"),
)
_OF_STUDY_AND_DATASET = (
    *("item", "item_withdrawal", "codebook_change", "computation", "archiving", "corrected_row"),
    "renaming",
)
_OF_RUN = ("run_event", "run_item", "completion", "completion_attempt", "remote_batch")
_OF_STUDY: Mapping[str, tuple[str, ...]] = {
    "sourcecheckup": (
        *("sc_question", "sc_response", "sc_citation", "sc_parse", "sc_statement", "sc_source"),
        *("sc_cleanup", "sc_site"),
    ),
    "ebmqa": ("ebmqa_question", "ebmqa_answer_block"),
}
_BELOW: Mapping[str, tuple[str, str, str]] = {
    "invitation_event": ("invitation", "id", "invitation"),
    "sc_recheck": ("cleanup", "id", "sc_cleanup"),
    "sc_outcome": ("source", "id", "sc_source"),
    "sc_source_part": ("source", "id", "sc_source"),
    "ebmqa_answer": ("block", "number", "ebmqa_answer_block"),
    "ebmqa_said": ("block", "number", "ebmqa_answer_block"),
    "import_items": ("import", "id", "import_log"),
    "import_undone": ("import", "id", "import_log"),
}
"""Tables whose rows go with those of another: a column, and what it names in which table."""
_OF_PERSON = {"rater": "id", "rater_role": "rater", "survey": "rater", "person_number": "person"}

KEPT = ("job", "audit_event")
"""The tables of which no row goes."""


def refuse_if_check_forbids_deletion(store: Store, thing: Thing) -> None:
    """Refuse to delete what a check forbids.

    Raises:
        InvalidInput: something rests on it.
    """
    for reason_against in FORBIDDEN_BY:
        if reason := reason_against(store, thing):
            raise InvalidInput(reason, hint="Nothing was deleted.")


def count_team_judgments_and_people(store: Store, things: Sequence[Thing]) -> tuple[int, int]:
    """How many judgments people of the team have made in these datasets, and how many people."""
    judgments = 0
    people: set[str] = set()
    for thing in things:
        for rater, many in store.rows(
            "select j.rater, count(*) from judgment j join item i on i.id = j.item"
            " join rater r on r.id = j.rater and r.kind = 'person'"
            " and r.origin in ('app', 'oidc')"
            " where i.study = $study and i.dataset = $dataset group by j.rater",
            study=thing.study,
            dataset=thing.dataset,
        ):
            judgments, people = judgments + int(many), people | {rater}
    return judgments, len(people)


@dataclass(frozen=True)
class Deleted:
    """A thing to be deleted, with the names of its ``tasks`` (those of a dataset, or the one of a
    round) and of the kinds of files that its study imports.
    """

    thing: Thing
    tasks: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


class DeletionRewrite:
    """The rewriting that deletes things. ``called`` says what kind of thing they are, ``by`` is who
    deletes them; ``refuse`` raises if they may no longer be deleted. ``with_demo_people``: those
    who are only in the demo go too.
    """

    def __init__(
        self,
        things: Sequence[Deleted],
        *,
        called: str,
        by: str,
        refuse: Callable[[], None] = lambda: None,
        with_demo_people: bool = False,
    ) -> None:
        self._things, self._called, self._by = things, called, by
        self._refuse, self._with_demo_people = refuse, with_demo_people
        self._gone = 0

    # -- as ``StoreRewrite`` has it
    # ---------------------------------------------------------------------

    def read_and_remember_what_rewrite_needs(self, ask: Ask) -> None:
        """Refuse if they may no longer be deleted."""
        self._refuse()

    def sql_condition_of_rows_to_change(self, table: str) -> str:
        """The rows that go."""
        parts = [part for one in self._things if (part := _condition(table, one))]
        if self._with_demo_people and table in _OF_PERSON:
            parts.append(f"{_OF_PERSON[table]} in ({self._demo_people()})")
        return " or ".join(f"({part})" for part in parts)

    def rewritten_row_or_none_to_remove(
        self, table: str, row: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Nothing is left of a row."""
        self._gone += 1
        return None

    def rows_to_add_by_table(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The entry of the audit log, and that a deleted round is closed, not as if never set."""
        entry = {
            "id": new_id(),
            "kind": "delete",
            "who": self._by,
            "about": self._called,
            "body": {"detail": f"deleted for good; {self._gone:,} rows went"},
        }
        closed = [
            {
                "id": new_id(),
                "task": one.thing.name,
                "dataset": one.thing.dataset,
                "revision": 1,
                "state": "closed",
                "raters": [],
                "made_by": self._by,
            }
            for one in self._things
            if one.thing.kind == "round"
        ]
        return {"audit_event": [entry], **({"task_round": closed} if closed else {})}

    def _demo_people(self) -> str:
        """The raters who came with the demo and have done nothing elsewhere: its people, and models
        that answered or judged in it.
        """
        of_items = _any(_of_study_and_dataset(one.thing) for one in self._things)
        items = f"(select id from item where {of_items})"
        blocks = _any(_condition("ebmqa_answer_block", one) for one in self._things)
        verdicts = _any(_condition("verdict", one) for one in self._things)
        models = (
            f"id in (select rater from judgment where item in {items})"
            f" or id in (select rater from ebmqa_answer_block where {blocks})"
            f" or name in (select judge from verdict where {verdicts})"
        )
        return (
            f"select id from rater where (origin = 'demo' or kind = 'model' and ({models}))"
            f" and id not in (select rater from judgment where item not in {items})"
            f" and id not in (select rater from ebmqa_answer_block where not ({blocks}))"
            f" and name not in (select judge from verdict where not ({verdicts}))"
        )


def _condition(table: str, one: Deleted) -> str:
    """Which rows of a table go with a thing; empty: none."""
    thing = one.thing
    if table in _BELOW:
        column, named, above = _BELOW[table]
        inner = _condition(above, one)
        return f"{column} in (select {named} from {above} where {inner})" if inner else ""
    if thing.kind == "run":
        if table == "run":
            return f"id = {_quoted(thing.name)}"
        if table in ("archiving", "renaming"):
            return f"kind = 'run' and name = {_quoted(thing.name)}"
        return f"run = {_quoted(thing.name)}" if table in _OF_RUN else ""
    items = f"item in (select id from item where {_of_study_and_dataset(thing)})"
    tasks = f"task in ({', '.join(map(_quoted, one.tasks))})"
    dataset = f"dataset = {_quoted(thing.dataset)}"
    if table in _OF_ITEM_AND_TASK:
        return f"{items} and {tasks}" if thing.kind == "round" else items
    if table in _OF_ROUND:
        return f"{tasks} and {dataset}" if one.tasks else ""
    if thing.kind == "round":
        if table == "computation":
            return f"{_of_study_and_dataset(thing)} and {tasks}"
        named = f"kind = 'round' and name = {_quoted(thing.name)}"
        if table in ("archiving", "renaming"):
            return f"{named} and {_of_study_and_dataset(thing)}"
        return ""
    if table in _OF_STUDY_AND_DATASET:
        return _of_study_and_dataset(thing)
    if table in _OF_ITEM:
        return items
    if table in ("task_setting", "guideline"):
        return f"{tasks} and {dataset}" if one.tasks else ""
    if table in _OF_STUDY.get(thing.study, ()):
        return dataset
    if table == "import_log":
        kinds = ", ".join(map(_quoted, one.imports))
        return f"kind in ({kinds}) and {dataset}" if kinds else ""
    runs = f"study = {_quoted(thing.study)} and config->>'$.dataset' = {_quoted(thing.dataset)}"
    if table == "run":
        return runs
    if table in (*_OF_RUN, "visit_event"):
        return f"run in (select id from run where {runs})"
    return ""


def names_of_tables_with_deletion_decided() -> set[str]:
    """Every table of which it is decided what goes with a deleted thing."""
    of_studies = {table for tables in _OF_STUDY.values() for table in tables}
    of_all = (*_OF_ITEM, *_OF_ITEM_AND_TASK, *_OF_ROUND, *_OF_STUDY_AND_DATASET, *_OF_RUN)
    others = ("run", "visit_event", "import_log", "task_setting", "guideline")
    return {*of_studies, *of_all, *others, *_BELOW, *_OF_PERSON, *KEPT}


def _of_study_and_dataset(thing: Thing) -> str:
    return f"study = {_quoted(thing.study)} and dataset = {_quoted(thing.dataset)}"


def _any(parts: Iterable[str]) -> str:
    return " or ".join(f"({part})" for part in parts if part) or "false"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
