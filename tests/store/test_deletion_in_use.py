"""What is archived is deleted for good on both engines, also while somebody submits: nothing half
is left, and who submits is told.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

import pytest

from medlens.app import deletion_of_archived_data_and_demo, store_check
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput, MedLensError, NotAllowed
from medlens.review import items, judging
from medlens.review.archiving_of_datasets_rounds_and_runs import (
    Thing,
    archive_or_bring_back_things_and_count,
)
from medlens.review.items import NewItem
from medlens.store import Store, new_id, open_store
from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.study_in_dataset import open_study
from tests.store.made_up import person
from tests.store.test_agentclinic_store import CASE, visit

pytestmark = pytest.mark.usefixtures("read_near")

WARD = Thing("dataset", "agentclinic", "ward")
RATED = {"doctor": 7, "patient": 6, "empathy": 5}


def lay(store: Store) -> str:
    """Two wards, of which one is archived, with a dialogue that Rosa was given; her id."""
    for dataset in ("ward", "other"):
        queries.add_cases_and_return_added(store, [("mine:1", CASE)], dataset=dataset)
        queries.add_dialogues_and_return_added(store, [visit(n) for n in range(2)], dataset=dataset)
    rosa = person(store, "Rosa")
    task = open_study(store, "ward").realism
    for dataset in ("ward", "other"):
        item = queries.item_id_made_from_name(dataset, "d1")
        row = {"task": task.name, "item": item, "rater": rosa.id, "slot": 0, "generation": 0}
        lease = {"gold": False, "lease_until": "2999-01-01T00:00:00Z"}
        store.append("assignment", {"id": f"a{dataset}", **row, **lease})
    archive_or_bring_back_things_and_count(store, [WARD], reason="Over.", by=None)
    return rosa.id


def submit(store: Store, rater: str, dataset: str = "ward") -> None:
    judging.submit_judgment(
        *(store, open_study(store, dataset).realism),
        item=queries.item_id_made_from_name(dataset, "d1"),
        rater=rater,
        token=new_id(),
        body=RATED,
    )


def delete(store: Store) -> list[str]:
    return deletion_of_archived_data_and_demo.delete_archived_thing_and_list_report_lines(
        store, Settings(), WARD, confirmed="ward", by=None
    )


def left_of(store: Store) -> list[tuple[str, int]]:
    """The tables that still have rows of the ward's items."""
    ids = list(
        items.ids_by_name_made_from_item_names(
            "agentclinic", "ward", [CASE.name_derived_from_content, "d0", "d1"]
        ).values()
    )
    return [
        (table, many)
        for table, columns in store.column_types_by_table.items()
        if "item" in columns
        and (many := int(store.value(f"select count(*) from {table} where item in $ids", ids=ids)))
    ]


def test_a_deleted_dataset_is_gone_for_every_process_and_the_others_stay(
    reopened: Callable[[], Store], address: str, engine: str
) -> None:
    store = reopened()
    rosa = lay(store)
    submit(store, rosa)
    submit(store, rosa, "other")
    # Two processes can have a PostgreSQL store open, and only one a DuckDB file.
    with (
        contextlib.closing(open_store(address))
        if engine == "postgres"
        else contextlib.nullcontext(store) as second
    ):
        delete(store)
        second.fetch_rows_of_other_processes_and_count()
        for one in (store, second):
            assert left_of(one) == []
            assert one.column("select distinct dataset from item") == ["other"]
            assert one.value("select count(*) from judgment_now") == 1
            assert store_check.list_store_faults_in_words(one, Settings()) == []
        with pytest.raises((InvalidInput, NotAllowed)):
            submit(second, rosa)
        # Its name is free again.
        queries.add_cases_and_return_added(second, [("mine:1", CASE)], dataset="ward")
    assert items.datasets_of_study(reopened(), "agentclinic")


def test_who_submits_while_it_is_deleted_is_told_and_nothing_of_it_stays(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rosa = lay(store)
    append_all_and_count_new_by_table = store.append_all_and_count_new_by_table

    def deleted_just_before(batch, **how):  # type: ignore[no-untyped-def]
        monkeypatch.setattr(
            store, "append_all_and_count_new_by_table", append_all_and_count_new_by_table
        )
        # All that was checked before saving was true when it was checked.
        delete(store)
        return append_all_and_count_new_by_table(batch, **how)

    monkeypatch.setattr(store, "append_all_and_count_new_by_table", deleted_just_before)
    with pytest.raises(InvalidInput, match="deleted for good while you worked on it"):
        submit(store, rosa)
    assert left_of(store) == []
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_many_who_submit_and_save_while_it_is_deleted_leave_nothing_half(store: Store) -> None:
    rosa = lay(store)
    deleted, told = threading.Event(), []

    def work() -> None:
        while True:
            was_deleted = deleted.is_set()
            try:
                submit(store, rosa)
            except Conflict:
                # Another tab of hers was quicker.
                continue
            except MedLensError as error:
                told.append(error)
                return
            assert not was_deleted, "a judgment of what was deleted was taken"

    workers = [threading.Thread(target=work) for _ in range(4)]
    for one in workers:
        one.start()
    delete(store)
    deleted.set()
    for one in workers:
        one.join()
    assert len(told) == 4
    assert left_of(store) == []
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_an_item_that_is_added_to_another_dataset_meanwhile_stays(store: Store) -> None:
    lay(store)
    items.add_items(store, [NewItem("p", {"text": "x"})], study="own", kind="case", dataset="poems")
    delete(store)
    assert store.value("select count(*) from item where dataset = 'poems'") == 1
