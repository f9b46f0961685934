"""Giving datasets, rounds and runs another name, under which people see and address them.

The name that a thing had first stays its name in the store: ids were made from it, and all tables
have it. So a name is translated where it comes in (``name_of_dataset_before_renaming``,
``find_thing_by_any_given_name``) and where it goes out (``current_name_of_dataset``,
``find_name_given_to_thing``), and nowhere else. Every name that a thing ever had leads to it, so
nothing else can be given it, in any study. Only a new dataset of another study may come under a
name that was given up: in its own study the name leads to it from then on. A study of one's own is
a dataset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.deferred_module import pd
from medlens.errors import Conflict, InvalidInput
from medlens.review import archiving_of_datasets_rounds_and_runs
from medlens.review.archiving_of_datasets_rounds_and_runs import COMMAND_LINE, Kind, Thing
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Lookup, Row, Store, new_id
from medlens.tables import PlainTable

LONGEST = 80
"""Characters of a name."""


@dataclass(frozen=True)
class Names:
    """What things that were renamed are ``called`` now, and the thing that each name ever ``given``
    leads to, by kind and name.
    """

    called: Mapping[Thing, str] = field(default_factory=dict)
    given: Mapping[tuple[Kind, str], Thing] = field(default_factory=dict)


_NONE = Names()
_FIRST_NAMES: Mapping[Kind, str] = {
    "dataset": "select distinct study, dataset, '' from item"
    " union select distinct 'own', dataset, '' from task_setting where task like 'own%'",
    "round": "select distinct '', '', task from task_round"
    " union select distinct '', '', task from assignment",
    "run": "select study, '', id from run",
}
"""The names that things came with, by kind: study, dataset and name."""


def load_current_and_earlier_names(store: Store) -> Names:
    """All names that leads have given."""
    return _names(store)


_NAMES_GIVEN = Lookup(
    "renaming.names_given",
    "select kind, study, dataset, name, called from renaming order by seq, revision",
)


# Cached: every address that a page sends or gets is looked up here.
@cache_until_tables_grow("renaming", most=8)
def _names(store: Store) -> Names:
    if not store.data_version_of_tables("renaming"):
        return _NONE
    rows = store.rows(_NAMES_GIVEN)
    called, given = {}, {}
    for *names, one in rows:
        thing = Thing(*names)
        called[thing] = str(one)
        if one != name_of_thing_before_renaming(thing):
            given[thing.kind, str(one)] = thing
    return Names(
        {
            thing: one
            for thing, one in called.items()
            if one != name_of_thing_before_renaming(thing)
        },
        given,
    )


def name_of_thing_before_renaming(thing: Thing) -> str:
    """The name that a thing has as long as nobody gave it another."""
    return thing.dataset if thing.kind == "dataset" else thing.name


def find_name_given_to_thing(store: Store, thing: Thing) -> str:
    """What a thing was renamed to; empty if it has its first name."""
    return load_current_and_earlier_names(store).called.get(thing, "")


def refuse_archived_dataset(store: Store, study: str, dataset: str) -> None:
    """Refuse rows for an archived dataset, where nobody would see them.

    Raises:
        InvalidInput: it is archived; says what to do.
    """
    if archiving_of_datasets_rounds_and_runs.is_archived_dataset(store, study, dataset):
        raise InvalidInput(
            f"The dataset {current_name_of_dataset(store, study, dataset)!r} is archived: nothing"
            " can be imported into it.",
            hint="Bring it back first (archive … --back, or Archived on the Data page), or name"
            " another dataset for these rows (--dataset, or the field Dataset).",
        )


def current_name_of_dataset(store: Store, study: str, dataset: str) -> str:
    """What a study's dataset is called."""
    return find_name_given_to_thing(store, Thing("dataset", study, dataset)) or dataset


def current_title_of_round(store: Store, study: str, dataset: str, task: str, title: str) -> str:
    """What a round is called: the ``title`` of its task, unless a lead gave it a name."""
    return find_name_given_to_thing(store, Thing("round", study, dataset, task)) or title


def current_titles_by_first_dataset_name(
    store: Store, study: str, datasets: Mapping[str, str]
) -> dict[str, str]:
    """Titles of a study's datasets, by their first names: a title that is only that name becomes
    what the dataset is called now.
    """
    return {
        name: current_name_of_dataset(store, study, name) if title == name else title
        for name, title in datasets.items()
    }


def find_thing_by_any_given_name(
    store: Store, kind: Kind, name: str, study: str = ""
) -> Thing | None:
    """The thing of this kind to which a lead ever gave this name; None if there is none, or if it
    is called otherwise now and a dataset of another study than ``study`` came under the name since.
    """
    found = load_current_and_earlier_names(store).given.get((kind, name))
    if found is None or kind != "dataset" or found.study == study:
        return found
    is_given_up = find_name_given_to_thing(store, found) != name
    return None if is_given_up and _is_first_name_elsewhere(store, found, name) else found


_FIRST_NAME_ELSEWHERE = Lookup(
    "renaming.first_name_elsewhere",
    f"select 1 from ({_FIRST_NAMES['dataset']}) f(study, dataset, name)"
    " where dataset = $name and study <> $besides limit 1",
)


def _is_first_name_elsewhere(store: Store, thing: Thing, name: str) -> bool:
    return bool(
        store.rows(
            _FIRST_NAME_ELSEWHERE,
            name=name,
            besides=thing.study,
        )
    )


def name_of_dataset_before_renaming(store: Store, name: str, study: str = "") -> str:
    """The first name of the dataset that is or was called ``name``; ``name`` itself if nobody gave
    it. With ``study`` only a dataset of that study.
    """
    found = find_thing_by_any_given_name(store, "dataset", name, study)
    return found.dataset if found and study in ("", found.study) else name


def name_of_dataset_to_fill_before_renaming(store: Store, name: str, study: str) -> str:
    """As ``name_of_dataset_before_renaming``, for a dataset that may be new.

    Raises:
        InvalidInput: a dataset of another study is called so now, by a lead.
    """
    found = find_thing_by_any_given_name(store, "dataset", name, study)
    if found and found.study != study and find_name_given_to_thing(store, found) == name:
        raise InvalidInput(
            f"{name!r} is the name of a dataset of the study {found.study!r}.",
            hint="Choose another name.",
        )
    return name_of_dataset_before_renaming(store, name, study)


def names_of_task_and_dataset_before_renaming(
    store: Store, task: str, dataset: str
) -> tuple[str, str]:
    """The task and the dataset's first name of a round, of which each may be given by a name that a
    lead gave: the round's in place of the task's.
    """
    found = find_thing_by_any_given_name(store, "round", task)
    if found is None:
        return task, name_of_dataset_before_renaming(store, dataset)
    if dataset and name_of_dataset_before_renaming(store, dataset) != found.dataset:
        return task, name_of_dataset_before_renaming(store, dataset)
    return found.name, found.dataset


def put_current_names_in_table(
    store: Store, table: pd.DataFrame, *, study: str = ""
) -> pd.DataFrame:
    """A table with what datasets are called now in its columns ``dataset`` and, where it has one,
    ``study``; ``study`` is that of tables without such a column.
    """
    called = _datasets_renamed(store)
    if not called or "dataset" not in table or table.empty:
        return table
    datasets = table["dataset"]
    of = table["study"] if "study" in table else [study] * len(table)
    now = [called.get(pair, pair[1]) for pair in zip(of, datasets, strict=True)]
    return table.assign(dataset=pd.Series(now, index=table.index, dtype=datasets.dtype))


def put_current_names_in_plain_table(
    store: Store, table: PlainTable, *, study: str = ""
) -> PlainTable:
    """As ``put_current_names_in_table``."""
    called = _datasets_renamed(store)
    columns = list(table.columns)
    if not called or "dataset" not in columns:
        return table
    at, of = columns.index("dataset"), columns.index("study") if "study" in columns else None

    def renamed(row: Sequence[Any]) -> list[Any]:
        pair = (study if of is None else row[of], row[at])
        return [*row[:at], called.get(pair, row[at]), *row[at + 1 :]]

    return replace(table, rows=[renamed(row) for row in table.rows])


def _datasets_renamed(store: Store) -> dict[tuple[str, str], str]:
    return {
        (thing.study, thing.dataset): name
        for thing, name in load_current_and_earlier_names(store).called.items()
        if thing.kind == "dataset"
    }


def rename_thing_and_return_old_name(
    store: Store, thing: Thing, called: str, *, by: Rater | None
) -> str:
    """Call a thing otherwise from now on; returns what it was called. ``by`` None: the command
    line. Giving it a name that it had before, such as the first, takes that back.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the name is empty, too long or taken, or the one that the thing has.
        Conflict: somebody gave a name at the same moment.
    """
    before = find_name_given_to_thing(store, thing) or name_of_thing_before_renaming(thing)
    try:
        store.append_all_and_count_new_by_table(renaming_rows_by_table(store, thing, called, by=by))
    except Conflict as error:
        raise make_error_for_simultaneous_name() from error
    return before


def make_error_for_simultaneous_name() -> Conflict:
    """What is said where somebody else gave a name at the same moment."""
    return Conflict("Somebody gave a name at the same moment.", hint="Look what it is called now.")


def renaming_rows_by_table(
    store: Store, thing: Thing, called: str, *, by: Rater | None
) -> dict[str, list[Row]]:
    """What ``rename_thing_and_return_old_name`` appends, by table, for a transaction that does
    more.

    Raises:
        NotAllowed, InvalidInput: as ``rename_thing_and_return_old_name``.
    """
    require_lead(by)
    called = require_valid_new_name_for_thing(store, thing, called)
    folded = called.casefold()
    given = int(
        store.value(
            "select coalesce(max(given), 0) from renaming where kind = $kind and folded = $folded",
            kind=thing.kind,
            folded=folded,
        )
    )
    revision = int(
        store.value(
            "select coalesce(max(revision), 0) from renaming where kind = $kind"
            " and study = $study and dataset = $dataset and name = $name",
            kind=thing.kind,
            study=thing.study,
            dataset=thing.dataset,
            name=thing.name,
        )
    )
    row: Row = {
        "id": new_id(),
        "kind": thing.kind,
        "study": thing.study,
        "dataset": thing.dataset,
        "name": thing.name,
        "revision": revision + 1,
        "called": called,
        "folded": folded,
        "given": given + 1,
        "made_by": by.id if by else COMMAND_LINE,
    }
    return {"renaming": [row]}


def require_valid_new_name_for_thing(store: Store, thing: Thing, called: str) -> str:
    """The name as it would be stored, if the thing can be given it.

    Raises:
        InvalidInput: it is empty, too long or taken, or the one that the thing has.
    """
    called = remove_invisible_characters_from_name(called)
    if not called:
        raise InvalidInput("A name is missing.", hint="Say what it is called from now on.")
    if len(called) > LONGEST:
        raise InvalidInput(
            f"This name has {len(called)} characters; at most {LONGEST} are allowed."
        )
    if called == (find_name_given_to_thing(store, thing) or name_of_thing_before_renaming(thing)):
        raise InvalidInput(f"It is called {called!r} already.")
    _require_free(store, thing, called)
    return called


def _require_free(store: Store, thing: Thing, called: str) -> None:
    """Refuse a name that leads to another thing, whatever its capitals."""
    folded = called.casefold()
    taken = {
        name.casefold(): other
        for (kind, name), other in load_current_and_earlier_names(store).given.items()
        if kind == thing.kind
    }
    other = taken.get(folded, thing)
    if other != thing:
        now = find_name_given_to_thing(store, other) or name_of_thing_before_renaming(other)
        led = "" if now.casefold() == folded else f" was the name of one, and leads to {now!r}:"
        raise InvalidInput(
            f"{called!r}{led or ' is the name of another one:'} choose another name.",
            hint="Nothing was renamed.",
        )
    for study, dataset, name in store.rows(_FIRST_NAMES[thing.kind]):
        first = dataset if thing.kind == "dataset" else name
        is_own = thing.kind != "round" and (study, first) == (
            thing.study,
            name_of_thing_before_renaming(thing),
        )
        if (
            first.casefold() == folded
            and not is_own
            and called != name_of_thing_before_renaming(thing)
        ):
            raise InvalidInput(f"{called!r} is taken: choose another name.")
