"""A task of no study goes through the whole spine, from assignment to import."""

from __future__ import annotations

from pathlib import Path

import pytest

from medlens.errors import BadFile, InvalidInput, NotAllowed
from medlens.review import assignment, consensus, judging, judgment_export, judgment_import
from medlens.review.agreement import compute_agreement_by_variable
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.tables import Request, write_table
from tests.store.made_up import TASK, Rating, person, poems, with_methods

READABLE = with_methods(
    TASK,
    answer_from_columns=lambda row: Rating(
        score=int(float(row["score"])), why=str(row["why"] or "")
    ),
)
SETTINGS = HandOut(raters_per_item=3, items_per_rater=4, gold_share=0)

# Krippendorff's (2011) worked ordinal example is in the unit tests; here four items, three raters:
SCORES = {
    "poem0": {"Anna": 1, "Ben": 1, "Cleo": 1},
    "poem1": {"Anna": 5, "Ben": 5, "Cleo": 5},
    "poem2": {"Anna": 9, "Ben": 9, "Cleo": 9},
    "poem3": {"Anna": 9, "Ben": 9, "Cleo": 5},
}


@pytest.fixture
def judged(store: Store) -> Store:
    poems(store, 4)
    for name in ("Anna", "Ben", "Cleo"):
        rater = person(store, name)
        while item := assignment.give_next_item_and_return_id(
            store, READABLE, SETTINGS, dataset="poems", rater=rater.id
        ):
            held = assignment.load_rater_queue(
                store, READABLE, SETTINGS, dataset="poems", rater=rater.id
            )
            place = held.places[held.position_of_item(item)]
            judging.submit_judgment(
                store,
                READABLE,
                item=item,
                rater=rater.id,
                token=new_id(),
                body={"score": SCORES[place.name][name], "why": "=1+1"},
                active_seconds=12.5,
            )
    return store


def test_three_judge_each_poem_and_their_agreement_is_the_hand_worked_alpha(judged: Store) -> None:
    table = consensus.current_judgments(judged, READABLE, dataset="poems", viewer=None)
    # Nobody has more than their share.
    assert len(table) == 12
    assert set(table.groupby("item").size()) == {3}
    found = compute_agreement_by_variable(READABLE, table)["score"]
    # Percent: 1, 1, 1 and 1/3 (one of three pairs agrees) -> mean 10/12.
    assert found.percent.value == pytest.approx(10 / 12)
    # Ordinal alpha. Values 1, 5, 9 occur n = 3, 4, 5 times of N = 12. Mid-ranks: 1.5, 5, 9.5.
    # Squared distances: (1,5) 12.25, (5,9) 20.25, (1,9) 64.
    # Observed: poem3 has pairs 9-5 twice -> ordered 4, divided by m-1 = 2 -> 2; 2 * 20.25 = 40.5.
    # Expected, ordered pairs: 2*(3*4*12.25 + 4*5*20.25 + 3*5*64) = 2*(147 + 405 + 960) = 3024.
    # alpha = 1 - (N-1) * 40.5 / 3024.
    assert found.alpha.value == pytest.approx(1 - 11 * 40.5 / 3024)
    assert (found.alpha.n, found.alpha.pairs) == (4, 12)


def test_what_is_exported_imports_again_to_the_same_agreement(
    judged: Store, tmp_path: Path
) -> None:
    with pytest.raises(NotAllowed):
        judgment_export.judgments_table(
            judged, READABLE, dataset="poems", viewer=person(judged, "Anna")
        )
    before = consensus.current_judgments(judged, READABLE, dataset="poems", viewer=None)
    for form in ("csv", "jsonl", "parquet"):
        table = judgment_export.judgments_table(
            judged, READABLE, dataset="poems", viewer=None, nested=form != "csv"
        )
        path = tmp_path / f"judgments.{form}"
        write_table(table, path, format=form)
        other = open_store(tmp_path / f"{form}.duckdb")
        poems(other, 4)
        done = judgment_import.import_judgments(other, READABLE, Request(path, path.name, "poems"))
        assert (done.added, done.known) == (12, 0)
        again = judgment_import.import_judgments(other, READABLE, Request(path, path.name, "poems"))
        assert (again.added, again.known) == (0, 12)
        after = consensus.current_judgments(other, READABLE, dataset="poems", viewer=None)
        assert compute_agreement_by_variable(READABLE, after) == compute_agreement_by_variable(
            READABLE, before
        )
        assert list(after["value"]) == list(before["value"])
        assert set(after["seconds"]) == {12.5}
        other.close()
    # A cell that a spreadsheet would run is neutralised.
    text = (tmp_path / "judgments.csv").read_text(encoding="utf-8")
    assert "'=1+1" in text
    assert ",=1+1" not in text


def test_a_judgment_that_a_file_calls_not_blind_is_imported_as_not_blind(
    store: Store, tmp_path: Path
) -> None:
    poems(store, 4)
    path = tmp_path / "judgments.csv"
    cells = ("false", "FALSE", "true", "")
    rows = [f"poem{at},Dora,7,fine,{cell}" for at, cell in enumerate(cells)]
    path.write_text("\n".join(["item,rater,score,why,blind", *rows]), encoding="utf-8")
    judgment_import.import_judgments(store, READABLE, Request(path, path.name, "poems"))
    every = consensus.current_judgments(store, READABLE, dataset="poems", viewer=None, blind=False)
    assert dict(zip(every["item"], every["blind"], strict=True)) == {
        "poem0": False,
        "poem1": False,
        "poem2": True,
        "poem3": True,
    }
    assert len(consensus.current_judgments(store, READABLE, dataset="poems", viewer=None)) == 2


def test_an_imported_judgment_that_no_draft_could_be_is_refused_by_its_line(
    store: Store, tmp_path: Path
) -> None:
    poems(store, 2)
    # What a mark outside the text is to a task of marks.
    strict = with_methods(
        READABLE,
        problems_of_draft=lambda value, item: (
            [] if value.why in item["text"] else ["Mark 1 does not fit the text."]
        ),
    )
    path = tmp_path / "judgments.csv"
    path.write_text("item,rater,score,why\npoem0,Dora,7,Roses\npoem1,Dora,7,Tulips\n")
    with pytest.raises(InvalidInput, match="line 3: Mark 1 does not fit the text"):
        judgment_import.import_judgments(store, strict, Request(path, path.name, "poems"))
    assert store.rows("select count(*) from judgment") == [(0,)]


def test_a_bad_row_stops_the_import_and_is_named_by_line_and_column(
    judged: Store, tmp_path: Path
) -> None:
    def bring(text: str, **how: bool) -> judgment_import.Report:
        path = tmp_path / "bad.csv"
        path.write_text(text, encoding="utf-8")
        request = Request(path, path.name, "poems", **how)
        return judgment_import.import_judgments(judged, READABLE, request)

    with pytest.raises(InvalidInput, match="poem99"):
        bring("item,rater,score,why\npoem99,Dora,7,fine\n")
    # One id for several judgments: none of them is lost.
    rows = "".join(f"x,{place},7,fine\n" for place in ("poem0,Dora", "poem1,Dora", "poem0,Emil"))
    with pytest.raises(InvalidInput, match=r"lines 2 and 3: .*'x'"):
        bring(f"judgment_id,item,rater,score,why\n{rows}")
    bad = "item,rater,score,why\npoem0,Dora,7,fine\npoem1,Dora,eleven,fine\npoem2,Dora,12,fine\n"
    with pytest.raises(BadFile) as caught:
        bring(bad)
    assert [row.line for row in caught.value.rows] == [3, 4]
    assert len(consensus.current_judgments(judged, READABLE, dataset="poems", viewer=None)) == 12
    done = bring(bad, skip_bad=True)
    assert (done.added, len(done.refused)) == (1, 2)
