"""What a process that reads a stranger's file may want of the app: few questions, and only of what
is imported. A reader that a hostile file has taken over wants something else, and is refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, BinaryIO

from medlens.app.file_intake.default_dataset_for_file import default_dataset_for_file_kind
from medlens.deferred_module import pa
from medlens.review import renaming_and_name_translation
from medlens.store import Lookup, Store
from medlens.store.import_transaction import PendingTransaction, arrow_reader_of_file
from medlens.store.sql_lookups_declared_and_asked_by_name import (
    BOUND,
    LOOKUPS,
    is_value_valid_for_parameter,
)
from medlens.studies.registry import IMPORTS, STUDIES, study_name_of_file_kind
from medlens.studies.task_registry import OF_NO_DATASET

_LONGEST_LIST = 256 << 20
_TYPE_OF_LIST = {"texts": "string", "items": "string", "wholes": "int64"}


class Overreach(Exception):
    """A reader wants what an import of its kind does not: what it reads has taken it over, or
    MedLens is at fault."""


class ReaderPermissions:
    """What the reader of a file of this ``kind`` may ask and add: what belongs to the kind's study,
    about the dataset that the app has found for it, and rows of the tables that the kind writes."""

    def __init__(self, store: Store, kind: str, *, dataset: str, entry: str) -> None:
        """``dataset`` is what a person said, or empty; ``entry`` is the import's in the log."""
        self._store, self._kind, self._said, self._entry = store, kind, dataset, entry
        self.study = study_name_of_file_kind(kind)
        self._tables = IMPORTS[kind].tables_rows_may_go_to | {"import_items"}
        self._bound = {"study": self.study}

    @property
    def dataset_of_rows(self) -> str:
        """Where the rows went; empty: they belong to no dataset."""
        if "dataset" not in self._bound:
            self.choose_and_return_dataset_of_rows("")
        return "" if self._kind in OF_NO_DATASET else self._bound["dataset"]

    def choose_and_return_dataset_of_rows(self, named: str) -> str:
        """The dataset that the rows go into: what a person said, else what the file ``named``, else
        where such files go. It is found once.

        Raises:
            InvalidInput: it is archived.
        """
        if "dataset" in self._bound:
            raise Overreach("a second dataset")
        # A file may name the dataset as it was called when the file was made.
        dataset = renaming_and_name_translation.name_of_dataset_to_fill_before_renaming(
            self._store,
            self._said or named or default_dataset_for_file_kind(self._store, self._kind),
            self.study,
        )
        if self._kind not in OF_NO_DATASET:
            renaming_and_name_translation.refuse_archived_dataset(self._store, self.study, dataset)
        self._bound["dataset"] = dataset
        return dataset

    def look_up_permitted_query(self, name: object) -> Lookup:
        """The lookup of that name.

        Raises:
            Overreach: there is none, or it belongs to another study.
        """
        lookup = LOOKUPS.get(str(name))
        if lookup is None or (
            lookup.owner_of_query in STUDIES and lookup.owner_of_query != self.study
        ):
            raise Overreach(f"the lookup {name!r:.80}")
        return lookup

    def validate_and_return_permitted_table_name(self, table: object) -> str:
        """The name of a table that rows of this kind go to.

        Raises:
            Overreach: they go to no such table.
        """
        if table not in self._tables:
            raise Overreach(f"the table {table!r:.80}")
        return str(table)

    def query_parameters_with_those_no_reader_chooses(
        self, lookup: Lookup, given: Mapping[str, Any], lists: Mapping[str, pa.Table]
    ) -> dict[str, Any]:
        """The parameters of a lookup that are no ``lists``, with those that no reader chooses.

        Raises:
            Overreach: they are not what it has, or hold something else.
        """
        if not isinstance(given, dict):
            raise Overreach(f"{lookup.name} without parameters")
        bound = {name: self._bound.get(name) for name in BOUND if name in lookup.parameters}
        wanted = lookup.parameters.keys() - bound.keys()
        if (
            None in bound.values()
            or wanted != {*given, *lists}
            or len(wanted) < len([*given, *lists])
        ):
            raise Overreach(f"{lookup.name} with other parameters")
        for name, value in given.items():
            holds = lookup.parameters[name]
            if not is_value_valid_for_parameter(holds, value) or (
                holds == "task" and self._is_of_another_study(value)
            ):
                raise Overreach(f"{lookup.name} with {name} = {value!r:.80}")
        for name, listed in lists.items():
            type_ = str(listed.schema.field("x").type)
            if type_ != _TYPE_OF_LIST.get(lookup.parameters[name]):
                raise Overreach(f"{lookup.name} with another list of {name}")
        return bound | dict(given)

    def _is_of_another_study(self, task: str) -> bool:
        return any(task in study.views for name, study in STUDIES.items() if name != self.study)

    def refuse_items_of_other_dataset(
        self,
        pending: PendingTransaction,
        lookup: Lookup,
        given: Mapping[str, Any],
        lists: Mapping[str, pa.Table],
    ) -> None:
        """Refuse ids of items of another dataset.

        Raises:
            Overreach: there are some.
        """
        for name, holds in lookup.parameters.items():
            if holds != "items":
                continue
            if "dataset" not in self._bound:
                raise Overreach(f"{lookup.name} of no dataset")
            ids = lists.get(name)
            if ids is None:
                value = given[name]
                listed = value if isinstance(value, list) else [value]
                ids = pa.table({"x": pa.array(listed, pa.string())})
            if pending.has_items_in_other_dataset(ids, **self._bound):
                raise Overreach(f"{lookup.name} of another dataset's items")

    def required_column_values_of_rows(self, table: str) -> dict[str, Any]:
        """What ``PendingTransaction.insert_arrow_stream_and_count`` requires of rows of a table: of
        this dataset, about its items.

        Raises:
            Overreach: there is no dataset yet.
        """
        if "dataset" not in self._bound:
            raise Overreach(f"rows of {table} for no dataset")
        return {"fixed": self._fixed_values(table), "items_of": self._bound}

    def _fixed_values(self, table: str) -> dict[str, str | None]:
        if table == "rater":
            # An address is what people sign in by.
            return {"email": None}
        if table == "import_items":
            return {"import": self._entry}
        return dict(self._bound)


def read_id_list_as_arrow_table(file: BinaryIO) -> pa.Table:
    """A list that came as a file: a table with one column, ``x``.

    Raises:
        Overreach: it is something else, or far too long.
    """
    if os.fstat(file.fileno()).st_size > _LONGEST_LIST:
        raise Overreach("a list that is too long")
    try:
        table = arrow_reader_of_file(file).read_all()
    except pa.ArrowException as error:
        raise Overreach("a list that is none") from error
    if table.column_names != ["x"]:
        raise Overreach("a list of something else")
    return table
