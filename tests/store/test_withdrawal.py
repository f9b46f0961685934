"""An item is withdrawn and returned, and is in play everywhere or nowhere."""

from __future__ import annotations

import contextlib
import inspect
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.app import item_withdrawals
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import (
    agreement,
    assignment,
    audit_log,
    consensus,
    items,
    judging,
    judgment_export,
    remarks_between_raters_and_leads,
    rounds,
    withdrawn_items,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.review.work_progress_and_pace_by_item_and_rater import (
    list_item_counts_per_number_of_judgments,
)
from medlens.store import Store, duckdb_engine, new_id, open_store
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore
from tests.store.made_up import TASK, person, poems
from tests.store.test_every_task import OWN, own_studies

pytestmark = pytest.mark.usefixtures("read_near")

EVERYTHING = HandOut(raters_per_item=9, items_per_rater=9, gold_share=0)
MADE_UP: dict[str, Any] = {"study": "made_up", "dataset": "poems"}


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def give(store: Store, rater: Rater) -> str | None:
    return assignment.give_next_item_and_return_id(
        store, TASK, EVERYTHING, dataset="poems", rater=rater.id
    )


def judge(store: Store, rater: Rater, item: str, score: int = 5) -> None:
    work = {"item": item, "rater": rater.id, "token": new_id(), "body": {"score": score}}
    judging.submit_judgment(store, TASK, **work)


def counted(store: Store) -> tuple[int, ...]:
    """How many judgments, or items, each reader of them knows of."""
    of: dict[str, Any] = {"dataset": "poems", "viewer": None}
    return (
        len(consensus.current_judgments(store, TASK, **of)),
        len(consensus.consensus_table(store, TASK, **of)),
        len(judgment_export.judgments_table(store, TASK, **of)),
        sum(
            many
            for _, many in list_item_counts_per_number_of_judgments(store, TASK, dataset="poems")
        ),
        sum(
            work_progress_and_pace_by_item_and_rater.count_items_by_state(
                store, TASK, dataset="poems"
            ).values()
        ),
        len(items.table_of_items_on_one_page(store, "made_up", "poems", {"poem": "i.name"})),
        items.datasets_of_study(store, "made_up")[0]["n"],
        work_progress_and_pace_by_item_and_rater.flow_counts_of_items_and_judgments(
            store, TASK, dataset="poems"
        ).there,
    )


def test_a_withdrawn_item_counts_nowhere_until_it_is_returned(store: Store, lead: Rater) -> None:
    first, second = poems(store, 2)
    rosa = person(store, "Rosa")
    for item in (give(store, rosa), give(store, rosa)):
        assert item
        judge(store, rosa, item)
    before = consensus.data_version_of_consensus(store)
    assert counted(store) == (2,) * 8
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {first: "poem0"}, reason=" Not a\u202e poem.\n", by=lead, **MADE_UP
    )
    assert counted(store) == (1,) * 8
    assert consensus.data_version_of_consensus(store) > before
    assert items.item_body(store, first)["text"].startswith("Roses")
    [kept] = withdrawn_items.withdrawn_items_table(store, viewer=lead).to_dict("records")
    assert (kept["item"], kept["judgments"], kept["withdrawn_by"]) == ("poem0", 1, "Lena")
    history = judgment_export.judgments_table(
        store, TASK, dataset="poems", viewer=lead, history=True
    )
    assert dict(zip(history["item"], history["stands"], strict=True)) == {
        "poem0": False,
        "poem1": True,
    }
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {first: "poem0"}, reason="It is.", by=lead, back=True, **MADE_UP
    )
    assert counted(store) == (2,) * 8
    assert [
        (one.withdrawn, one.reason)
        for one in withdrawn_items.list_withdrawals_and_returns(store, viewer=lead)
    ] == [
        (False, "It is."),
        (True, "Not a poem."),
    ]
    logged = audit_log.entries_table(store, viewer=lead, kinds=["withdrawal"])
    assert logged["detail"].tolist() == [
        "returned to poems: It is.",
        "withdrawn from poems: Not a poem.",
    ]
    assert items.item_names_by_id(store, [second]) == {second: "poem1"}


def test_nobody_is_given_a_withdrawn_item_and_who_has_it_may_finish_and_is_told(
    store: Store, lead: Rater
) -> None:
    poems(store, 2)
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    open_item = give(store, rosa)
    assert open_item
    name = items.item_names_by_id(store, [open_item])[open_item]
    told = withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {open_item: name}, reason="Twice.", by=lead, **MADE_UP
    )
    assert told == 1
    other = give(store, ben)
    assert other not in (None, open_item)
    assert give(store, ben) is None
    judge(store, rosa, open_item)
    assert counted(store)[0] == 0
    [message] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)
    assert (message.item, message.kind) == (open_item, "answer")
    assert message.text == (
        "This item is withdrawn (Twice.). You may finish it, but it does not count."
    )
    assert remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=ben.id) == []
    assert judging.last_own_answer(store, TASK, item=open_item, rater=rosa.id).score == 5
    # Back in play, what they finished counts.
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {open_item: name}, reason="No.", by=lead, back=True, **MADE_UP
    )
    assert counted(store)[0] == 1
    assert give(store, ben) == open_item


def test_what_was_returned_to_a_rater_is_not_asked_of_them_while_it_is_withdrawn(
    store: Store, lead: Rater
) -> None:
    poems(store, 1)
    rosa = person(store, "Rosa")
    item = give(store, rosa)
    assert item
    judge(store, rosa, item)
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=item, rater=rosa.id, kind="return", text="Again.", by=lead
    )
    assert (
        len(remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)) == 1
    )
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {item: "poem0"}, reason="Twice.", by=lead, **MADE_UP
    )
    assert [
        one.kind
        for one in remarks_between_raters_and_leads.list_remarks_awaiting_rater(
            store, rater=rosa.id
        )
    ] == []
    ask = {"dataset": "poems", "rater": rosa.id}
    assert assignment.load_rater_queue(store, TASK, EVERYTHING, **ask).places_sent_back == ()


def test_a_dataset_stays_listed_when_all_of_its_items_are_withdrawn(
    store: Store, lead: Rater
) -> None:
    [item] = poems(store, 1)
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {item: "poem0"}, reason="Twice.", by=lead, **MADE_UP
    )
    assert items.datasets_of_study(store, "made_up") == [
        {"dataset": "poems", "n": 0, "illustrative": False}
    ]
    assert list(withdrawn_items.withdrawals_in_force_by_item(store, "made_up", "poems")) == [item]


def test_a_withdrawal_that_cannot_be_is_refused_in_words(store: Store, lead: Rater) -> None:
    [item] = poems(store, 1)
    rosa = person(store, "Rosa")
    what = {item: "poem0"}
    with pytest.raises(NotAllowed):
        withdrawn_items.withdraw_or_return_items_and_count_notified(
            store, what, reason="x", by=rosa, **MADE_UP
        )
    with pytest.raises(NotAllowed):
        withdrawn_items.list_withdrawals_and_returns(store, viewer=rosa)
    with pytest.raises(InvalidInput, match="A reason is missing"):
        withdrawn_items.withdraw_or_return_items_and_count_notified(
            store, what, reason=" ", by=lead, **MADE_UP
        )
    with pytest.raises(InvalidInput, match="No item is named"):
        withdrawn_items.withdraw_or_return_items_and_count_notified(
            store, {}, reason="x", by=lead, **MADE_UP
        )
    with pytest.raises(Conflict, match="is not withdrawn"):
        withdrawn_items.withdraw_or_return_items_and_count_notified(
            store, what, reason="x", by=lead, back=True, **MADE_UP
        )
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, what, reason="x", by=lead, **MADE_UP
    )
    with pytest.raises(Conflict, match="withdrawn already"):
        withdrawn_items.withdraw_or_return_items_and_count_notified(
            store, what, reason="x", by=lead, **MADE_UP
        )
    with pytest.raises(InvalidInput, match="no item 'ode'"):
        item_withdrawals.withdraw_or_return_items_and_get_report_text(
            store, "tagging", "poems", ["ode"], reason="x", by=lead
        )
    with pytest.raises(InvalidInput, match="no study 'poetry'"):
        item_withdrawals.withdraw_or_return_items_and_get_report_text(
            store, "poetry", "poems", ["ode"], reason="x", by=lead
        )


WITHOUT = {
    "tagging": "select name from item where study = 'tagging'"
    " and id in (select item from judgment)",
    "agentclinic": "select name from item where kind = 'dialogue'"
    " and id in (select item from judgment)",
    "sourcecheckup": "select name from item where kind = 'pair'"
    " and id in (select item from judgment)",
    "ebmqa": "select name from ebmqa_question where name in ("
    "select i.name from item i join judgment j on j.item = i.id)",
    "own": "select name from item where study = 'own' and id in (select item from judgment)",
}


def lay(path: Path, lay_store: LayStore, name: str) -> str:
    """A store with a study's demo, or a study of a team's own with answers; returns its dataset."""
    lay_store(path, own_studies if name == "own" else STUDIES[name].demo)
    if name != "own":
        return "demo"
    _, answers = OWN["healthbench"]
    with contextlib.closing(open_store(path)) as store:
        study = STUDIES["own"].open(store, Settings(), "healthbench")
        [task] = STUDIES["own"].tasks(study)
        lead, people = (
            person(store, "Lena", lead=True),
            [person(store, "Rosa"), person(store, "Ben")],
        )
        rounds.open_or_close_round(store, task, "healthbench", state="open", raters=[], by=lead)
        for score, rater in zip(("met", "not met"), people, strict=True):
            body = {"version": 1, "answers": answers | {"criteria_1": score}}
            ask = {"dataset": "healthbench", "rater": rater.id}
            while item := assignment.give_next_item_and_return_id(store, task, EVERYTHING, **ask):
                with contextlib.suppress(InvalidInput):  # others have other criteria
                    what = {"item": item, "rater": rater.id, "token": new_id(), "body": body}
                    judging.submit_judgment(store, task, **what)
    return "healthbench"


def drawn_from(store: Store, name: str, dataset: str, lead: Rater) -> dict[str, pd.DataFrame]:
    """Every figure, export and count of a study that leads are shown."""
    declared = STUDIES[name]
    study = declared.open(store, Settings(), dataset)
    drawn = {}
    for kind, (_, make) in declared.exports.items():
        viewer = {"viewer": lead} if "viewer" in inspect.signature(make).parameters else {}
        drawn[kind] = make(store, study, **viewer)
    if declared.figures is not None:
        drawn["figures"] = declared.figures.export(store, study, viewer=lead)
    for task in declared.tasks(study):
        of: dict[str, Any] = {"dataset": dataset, "viewer": lead}
        judged = consensus.current_judgments(store, task, **of)
        drawn[f"{task.name} judgments"] = judged.drop(columns="value")
        drawn[f"{task.name} majority"] = consensus.consensus_table(store, task, **of)
        drawn[f"{task.name} by rater"] = (
            work_progress_and_pace_by_item_and_rater.work_by_rater_table(store, task, **of).drop(
                columns="last_seen"
            )
        )
        drawn[f"{task.name} alpha"] = pd.DataFrame(
            {"alpha": [str(agreement.find_main_variable_and_alpha_of_task(task, judged))]}
        )
        drawn[f"{task.name} coverage"] = pd.DataFrame(
            list_item_counts_per_number_of_judgments(store, task, dataset=dataset, settled=True)
        )
        drawn[f"{task.name} states"] = pd.DataFrame(
            [
                work_progress_and_pace_by_item_and_rater.count_items_by_state(
                    store, task, dataset=dataset
                )
            ]
        )
        drawn[f"{task.name} flow"] = pd.DataFrame(
            [
                vars(
                    work_progress_and_pace_by_item_and_rater.flow_counts_of_items_and_judgments(
                        store, task, dataset=dataset
                    )
                )
            ]
        )
        load = assignment.summarise_round_workload_of_people(
            store, task, HandOut(), dataset=dataset, people=[lead.id]
        )
        drawn[f"{task.name} load"] = pd.DataFrame([vars(load)])
    words = {kind: how.words for kind, how in declared.listed.items()}
    drawn["listing"] = items.table_of_items_on_one_page(store, name, dataset, words, limit=None)
    drawn["matrix"] = work_progress_and_pace_by_item_and_rater.work_of_everyone_table(
        store, viewer=lead
    )
    return drawn


def remove(path: Path, name: str, dataset: str, item: str) -> None:
    """Take an item out of a store's file, with every row of any table that is about it."""
    with contextlib.closing(duckdb_engine.connect_exclusively(str(path))) as connection:
        ids = connection.execute(
            "select id from item where study = $s and dataset = $d and name = $n",
            {"s": name, "d": dataset, "n": item},
        ).fetchall()
        tables = connection.execute(
            "select table_name, column_name from duckdb_columns() where schema_name = 'main'"
            " and column_name in ('item', 'subject')"
            " and table_name in (select table_name from duckdb_tables())"
        ).fetchall()
        for (id_,) in ids:
            for table, column in tables:
                connection.execute(f"delete from {table} where {column} = $id", {"id": id_})
            connection.execute("delete from item where id = $id", {"id": id_})
        if name == "ebmqa":
            of = {"d": dataset, "n": item}
            connection.execute(
                "delete from ebmqa_answer where question in ("
                "select seq from ebmqa_question where dataset = $d and name = $n)",
                of,
            )
            connection.execute("delete from ebmqa_question where dataset = $d and name = $n", of)
        connection.execute("checkpoint")


@pytest.mark.deep
@pytest.mark.parametrize("name", WITHOUT)
def test_with_an_item_withdrawn_every_figure_is_that_of_the_store_without_it(
    tmp_path: Path, lay_store: LayStore, name: str
) -> None:
    drawn = []
    laid = tmp_path / "laid.duckdb"
    dataset = lay(laid, lay_store, name)
    for kept in (True, False):
        path = tmp_path / f"{kept}.duckdb"
        shutil.copy(laid, path)
        with contextlib.closing(open_store(path)) as store:
            lead = person(store, "Lena", lead=True)
            item = store.value(WITHOUT[name] + " order by 1 limit 1")
            if kept:
                item_withdrawals.withdraw_or_return_items_and_get_report_text(
                    store, name, dataset, [item], reason="Twice.", by=lead
                )
                drawn.append(drawn_from(store, name, dataset, lead))
        if not kept:
            remove(path, name, dataset, item)
            with contextlib.closing(open_store(path)) as store:
                drawn.append(drawn_from(store, name, dataset, person(store, "Lena", lead=True)))
    withdrawn, without = drawn
    assert withdrawn.keys() == without.keys()
    for what, table in without.items():
        pd.testing.assert_frame_equal(withdrawn[what], table, obj=what)
