"""MedQA accuracies: read from what people have, kept, and among the figures."""

from __future__ import annotations

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.agentclinic import medqa_accuracy_import_and_queries
from medlens.studies.registry import STUDIES
from tests.store.conftest import Filled

pytestmark = pytest.mark.usefixtures("read_near")

CSV = (
    b"model,correct,n,accuracy,source\n"
    b"demo-a,80,100,,our own run\n"
    b"demo-b,,,86.1%,a paper\n"
    b"demo-c,,200,0.5,another paper\n"
)


def imported(store: Store, content: bytes, **how: object) -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(
        store,
        Settings(),
        "medqa-accuracy",
        content,
        name="m.csv",
        dataset="demo",
        **how,  # type: ignore[arg-type]
    )


@pytest.mark.deep
def test_accuracies_are_read_kept_and_exported_beside_the_clinics(filled: Filled) -> None:
    store = filled(STUDIES["agentclinic"].demo)
    assert imported(store, CSV).added == 3
    assert imported(store, CSV).known == 3
    found = {
        one.model: one.estimate
        for one in medqa_accuracy_import_and_queries.list_current_medqa_accuracies(store, "demo")
    }
    # 80 of 100, with t of 99 degrees of freedom (1.984217): 0.7100 to 0.8675. Half of
    # 200 are 100. Without n there is no interval.
    a, b, c = (found[f"demo-{one}"] for one in "abc")
    assert (a.low, a.high) == pytest.approx((0.7100, 0.8675), abs=2e-4)
    assert (b.value, b.low, b.n) == (pytest.approx(0.861), None, 0)
    assert (c.numerator, c.denominator) == (100, 200)
    assert "a paper" in b.method
    rows = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="agentclinic", dataset="demo"
    )
    table = rows[rows["figure"] == "medqa_accuracy"].set_index("group")
    assert table["value"].to_dict() == pytest.approx(
        {"demo-a": 0.8, "demo-b": 0.861, "demo-c": 0.5}
    )
    # The demonstration stays one, and a later value of the same source takes the earlier's place.
    assert store.rows("select distinct illustrative from item where dataset = 'demo'") == [(True,)]
    imported(store, b"model,correct,n,source\ndemo-a,90,100,our own run\ndemo-a,70,100,a paper\n")
    again = {
        one.group: one.estimate.value
        for one in medqa_accuracy_import_and_queries.list_current_medqa_accuracies(store, "demo")
    }
    assert again["demo-a, our own run"] == 0.9
    assert again["demo-a, a paper"] == 0.7


def test_what_error_tagging_exports_is_read_as_it_is() -> None:
    content = (
        b"study,figure,group,numerator,denominator,value\n"
        b"tagging,items,,,,24\ntagging,medqa_accuracy,demo-a,7,10,0.7\n"
        b"tagging,medqa_accuracy_of_all,demo-a,7,12,0.58\n"
    )
    [one] = medqa_accuracy_import_and_queries.read_medqa_accuracy_records(
        content, name="figures.csv"
    ).records
    assert (one.model, one.correct, one.n, one.accuracy) == ("demo-a", 7, 10, 0.7)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (",1,2,,", "model"),
        ("m,3,2,,", "n"),
        ("m,1,,,", "n"),
        ("m,1.5,2,,", "correct"),
        ("m,,,86,", "accuracy"),
        ("m,,,,", "accuracy"),
        ("m,,0,0.5,", "n"),
    ],
)
def test_a_row_that_says_nothing_sure_is_refused_by_line_and_column(row: str, column: str) -> None:
    with pytest.raises(BadFile) as caught:
        medqa_accuracy_import_and_queries.read_medqa_accuracy_records(
            f"model,correct,n,accuracy,source\n{row}\n".encode(), name="m.csv"
        )
    assert (caught.value.rows[0].line, caught.value.rows[0].column) == (2, column)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("medqa-accuracy", b"model,correct,n,accuracy,source\n"),
        ("medqa-accuracy", b"study,figure,group,numerator,denominator\ntagging,items,,,24\n"),
        ("agentclinic-cases", b"Objective_for_Doctor,Patient_Actor,Correct_Diagnosis\n"),
    ],
)
def test_a_file_with_nothing_of_its_kind_in_it_is_refused_instead_of_importing_none(
    store: Store, kind: str, content: bytes
) -> None:
    with pytest.raises(BadFile, match=r"there is no (case|MedQA accuracy) in it"):
        work_behind_commands.import_file(
            store, Settings(), kind, content, name="m.csv", dataset="d"
        )
    assert store.rows("select count(*) from item") == [(0,)]
