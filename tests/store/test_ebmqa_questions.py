"""Question sets in the store: made, drawn, imported, exported, and what is not let in."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import items
from medlens.store import Store, open_store
from medlens.studies import registry
from medlens.studies.ebmqa import question_set_inserts_and_queries
from medlens.studies.registry import STUDIES
from medlens.tables import Format, write_table
from tests import ebmqa_graph
from tests.conftest import LayStore, quick_or_deep

pytestmark = pytest.mark.usefixtures("read_near")

KIND = "ebmqa-questions"
DESIGN = """
seed = 3
semantic = 5
[[stratum]]
label = "answer"
values = ["low", "middle", "high"]
each = 40
[[stratum]]
label = "discipline"
largest = 2
each = 10
"""


def count_of(store: Store, dataset: str) -> int:
    return int(store.value("select count(*) from ebmqa_question where dataset = $d", d=dataset))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(tmp_path_factory.mktemp("ebmqa") / "demo.duckdb", STUDIES["ebmqa"].demo)
    with contextlib.closing(open_store(path)) as store:
        yield store


def lines(*rows: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def question(name: str, **more: Any) -> dict[str, Any]:
    return {
        "question_id": name,
        "kind": "numeric",
        "qa_type": "PPV",
        "question": "How likely?",
        "options": ["high", "low", "I do not know"],
        "correct": ["low"],
        **more,
    }


def bring(
    store: Store, source: Any, *, name: str = "q.jsonl", **how: Any
) -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(store, Settings(), KIND, source, name=name, **how)


@pytest.mark.deep
@pytest.mark.parametrize("form", quick_or_deep("jsonl", "csv", "parquet"))
def test_what_is_exported_imports_to_the_same_questions(
    form: Format, demo: Store, store: Store, tmp_path: Path
) -> None:
    table = work_behind_commands.make_export_table(
        demo, Settings(), "questions", viewer=None, dataset="demo", nested=form != "csv"
    )
    path = tmp_path / f"questions.{form}"
    write_table(table, path, format=form)
    done = bring(store, path, name=path.name, dataset="again")
    assert done.added == len(table)
    first, second = (
        question_set_inserts_and_queries.arrow_table_of_stored_questions(demo, "demo"),
        question_set_inserts_and_queries.arrow_table_of_stored_questions(store, "again"),
    )
    assert second.drop_columns("evidence") == first.drop_columns("evidence")
    evidence = [
        [json.loads(text) for text in one["evidence"].to_pylist()] for one in (first, second)
    ]
    assert evidence[0] == evidence[1]
    assert all(evidence[0])
    assert question_set_inserts_and_queries.is_question_set_illustrative(store, "again")
    if form == "csv":  # what a question is does not depend on the form
        assert bring(store, path, name=path.name, dataset="again").known == len(table)


def test_questions_made_elsewhere_keep_their_labels_and_lose_the_way_out(store: Store) -> None:
    made = question("a", discipline="renal", prevalence="rare", ward="B")
    done = bring(store, lines(made, question("b", kind="Numeric")), dataset="own")
    assert done.added == 2
    assert "ward" in " ".join(done.notes)
    rows = store.rows(
        "select name, options::varchar, correct, discipline, prevalence, kind from ebmqa_question"
        " order by name"
    )
    assert rows == [
        ("a", '["high", "low"]', 2, "renal", "rare", "numeric"),
        ("b", '["high", "low"]', 2, None, None, "numeric"),
    ]
    assert [row["dataset"] for row in items.datasets_of_study(store, "ebmqa")] == ["own"]


def test_a_bad_question_is_refused_by_line_and_column_and_the_rest_can_come(store: Store) -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"options": ["low", " Low "]}, "options"),
        ({"options": ["low", "I do not know"]}, "options"),
        ({"options": "low; high"}, "options"),
        ({"correct": ["middle"]}, "correct"),
        ({"correct": ["low", "high"]}, "correct"),
        ({"correct": ["low", "low"]}, "correct"),
        ({"kind": "open"}, "kind"),
        ({"length": "endless"}, "length"),
        ({"words": "many"}, "words"),
        ({"question_id": "first"}, "question_id"),
    ]
    changed = [question(f"bad{n}", **change) for n, (change, _) in enumerate(bad)]
    source = lines(question("first"), *changed, question("last"))
    with pytest.raises(BadFile) as caught:
        bring(store, source, dataset="own")
    told = [(row.line, row.column) for row in caught.value.rows]
    assert told == [(line, column) for line, (_, column) in enumerate(bad, 2)]
    assert count_of(store, "own") == 0
    done = bring(store, source, dataset="own", skip_bad=True)
    assert (done.added, done.refused) == (2, len(bad))


def test_a_question_changes_only_where_a_lead_has_chosen_how(store: Store) -> None:
    bring(store, lines(question("a")), dataset="own")
    with pytest.raises(InvalidInput, match="the first is the item 'a', with another question"):
        bring(store, lines(question("a", question="How unlikely?")), dataset="own")
    done = bring(store, lines(question("a"), question("b")), dataset="own")
    assert (done.added, done.known) == (1, 1)


def run(store: Store, name: str, **values: Any) -> list[str]:
    pipeline = registry.find_pipeline("ebmqa", name)
    return list(pipeline.start(store, Settings(), how=How(), **values).lines)


@pytest.mark.deep
def test_a_graph_becomes_a_set_and_a_benchmark_is_drawn_from_it(
    store: Store, tmp_path: Path
) -> None:
    graph = ebmqa_graph.write(tmp_path / "graph.csv")
    design = tmp_path / "design.toml"
    design.write_text(DESIGN)
    told = run(store, "generate", graph=graph, into="mine", skip_bad=False)
    count = count_of(store, "mine")
    assert told[-1] == f"{count:,} questions are new in 'mine'."
    assert any(line.startswith("Left out: ") for line in told)
    again = run(store, "generate", graph=graph, into="mine", skip_bad=False)
    assert again[-1] == f"0 questions are new in 'mine'; {count:,} were there already."
    [(body,)] = store.rows("select body from item where kind = 'question_set'")
    assert json.loads(body)["left_out"]

    # 3 answers x 40 + 2 disciplines x 10 + 5 semantic = 145.
    assert run(store, "draw", design=design, dataset="mine", into="bench")[-1] == (
        "145 questions are new in 'bench'."
    )
    strata = dict(
        store.rows(
            "select split_part(stratum, ':', 1), count(*) from ebmqa_question"
            " where dataset = 'bench' group by 1"
        )
    )
    assert strata == {"answer": 120, "discipline": 20, "semantic": 5}
    assert run(store, "draw", design=design, dataset="mine", into="bench")[-1] == (
        "0 questions are new in 'bench'; 145 were there already."
    )
    design.write_text(DESIGN.replace("seed = 3", "seed = 4"))
    with pytest.raises(InvalidInput, match="holds other questions"):
        run(store, "draw", design=design, dataset="mine", into="bench")
    with pytest.raises(InvalidInput, match="Name the dataset that the questions go to"):
        run(store, "draw", design=design, dataset="mine", into=" ")
    with pytest.raises(InvalidInput, match=r"'.*' is short"):
        run(store, "draw", design="", dataset="mine", into="paper")


def test_the_evidence_of_a_question_can_be_given_in_plain_columns(store: Store) -> None:
    made = question("a", value=0.25, min=0.2, max=0.4, citations=["Jones 2019"])
    assert bring(
        store, lines(made, question("b"), question("c", min=0.1, max=0.2)), dataset="own"
    ).added
    found = [
        json.loads(text) if text else None
        for text in question_set_inserts_and_queries.arrow_table_of_stored_questions(store, "own")[
            "evidence"
        ].to_pylist()
    ]
    assert found == [
        [{"value": 0.25, "min": 0.2, "max": 0.4, "edges": 1, "citations": ["Jones 2019"]}],
        None,
        [{"value": pytest.approx(0.15), "min": 0.1, "max": 0.2, "edges": 1, "citations": []}],
    ]


@pytest.mark.parametrize(
    ("given", "column"),
    [
        ({"min": 0.5, "max": 0.4}, "min"),
        ({"min": "nan", "max": 0.4}, "min"),
        ({"evidence": "{"}, "evidence"),
        ({"evidence": [{"value": 1}]}, "evidence"),
        ({"evidence": 2 * [{"value": 1, "min": 1, "max": 1}]}, "evidence"),
    ],
)
def test_evidence_that_cannot_be_is_refused_by_column(
    given: dict[str, Any], column: str, store: Store
) -> None:
    with pytest.raises(BadFile) as caught:
        bring(store, lines(question("a", **given)), dataset="own")
    assert [row.column for row in caught.value.rows] == [column]
