"""AgentClinic in the store: cases once, dialogues found and read blind, files in and out."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.errors import BadFile, InvalidInput, NotAllowed
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.agentclinic import (
    dialogue_list,
    exports,
    imports,
    queries,
    tasks,
    visits_for_figures,
)
from medlens.studies.agentclinic.dialogue_list import Filters
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import Dialogue, GivenBias, Turn
from medlens.studies.agentclinic.study_in_dataset import Study, open_study
from medlens.studies.registry import STUDIES
from medlens.tables import write_table
from tests.conftest import quick_or_deep
from tests.effort import effort
from tests.store.conftest import Filled
from tests.store.made_up import person
from tests.unit.test_agentclinic_load import lines, nejm, osce

pytestmark = pytest.mark.usefixtures("read_near")

FOLDER = Path(__file__).resolve().parents[2] / "data" / "demo" / "agentclinic"
CASE = case_from_fields(osce())


def take(store: Store, kind: str, source: Any, name: str = "f.jsonl", **how: Any) -> imports.Report:
    request = imports.Request(source, name, how.pop("dataset", "ward"), **how)
    return imports.IMPORTS[kind].read(store, open_study(store, request.dataset), request)


def give(store: Store, study: Study, kind: str, **how: Any) -> pd.DataFrame:
    make = exports.EXPORTS[kind][1]
    return make(store, study, **({} if kind == "cases" else {"viewer": None}), **how)


@pytest.fixture
def demo(filled: Filled) -> Store:
    return filled(STUDIES["agentclinic"].demo)


def visit(n: int, **fields: Any) -> tuple[str, Dialogue]:
    given: dict[str, Any] = {
        "case": CASE.name_derived_from_content,
        "doctor": "a",
        "patient": "p",
        "outcome": "correct",
        "diagnosis": "Pneumonia",
        "turns": (Turn(n=1, speaker="doctor", text=f"Question {n}"),),
    }
    return f"d{n}", Dialogue(**{**given, **fields})


@pytest.fixture
def ward(store: Store) -> Store:
    queries.add_cases_and_return_added(store, [("mine:1", CASE)], dataset="ward")
    queries.add_dialogues_and_return_added(store, [visit(n) for n in range(3)], dataset="ward")
    return store


# -- in ----------------------------------------------------------------------------------------


@pytest.mark.shared_data
def test_the_published_cases_come_in_once_and_say_what_the_check_found(
    store: Store, shared_data: Path
) -> None:
    path = shared_data / "agentclinic" / "agentclinic_medqa.jsonl"
    report = take(store, "agentclinic-cases", path, path.name)
    assert (report.added, report.known) == (107, 0)
    assert "The diagnosis is in the test results: 15 of 107 cases." in report.notes
    again = take(store, "agentclinic-cases", path, "extended.jsonl")
    assert (again.added, again.known) == (0, 107)
    table = give(store, open_study(store, "ward"), "cases")
    assert (len(table), int(table["leaks"].sum())) == (107, 15)
    assert table["sources"][2] == "agentclinic_medqa:3; extended:3"


def test_a_case_repeated_in_another_file_is_one_case_with_two_sources(store: Store) -> None:
    take(store, "agentclinic-cases", lines(osce(), nejm()), "one.jsonl")
    report = take(
        store, "agentclinic-cases", lines(nejm(), osce(Correct_Diagnosis="Gout")), "two.jsonl"
    )
    assert (report.added, report.known) == (1, 1)
    found = queries.load_cases_by_name(store, "ward")
    assert [one.aliases for one in found.values()] == [
        ("one:1",),
        ("one:2", "two:1"),
        ("two:2",),
    ]


def test_a_case_that_differs_only_in_keys_that_nobody_is_told_counts_once(store: Store) -> None:
    first, plain = nejm(), nejm(type="Image challenge", image_url=nejm()["image_url"])
    report = take(store, "agentclinic-cases", lines(first), "nejm.jsonl")
    again = take(store, "agentclinic-cases", lines(plain), "nejm_extended.jsonl")
    assert (report.added, again.added, again.known) == (1, 0, 1)
    [case] = queries.load_cases_by_name(store, "ward").values()
    assert case.aliases[:2] == ("nejm:1", "nejm_extended:1")
    # Within a file too; and what an agent is told still tells cases apart.
    more = take(
        store,
        "agentclinic-cases",
        lines(osce(), osce(Management_and_Follow_Up="Rest."), osce(Correct_Diagnosis="Gout")),
    )
    assert (more.added, more.known) == (2, 0)


def test_a_dialogue_of_a_case_under_its_other_name_finds_it(store: Store) -> None:
    other = case_from_fields(nejm(type="Image challenge"))
    queries.add_cases_and_return_added(
        store, [("", case_from_fields(nejm())), ("", other)], dataset="ward"
    )
    name, one = visit(1, case=other.name_derived_from_content)
    queries.add_dialogues_and_return_added(store, [(name, one)], dataset="ward")
    assert queries.dialogue_index_table(store, "ward")["case"].tolist() == [
        case_from_fields(nejm()).name_derived_from_content
    ]


def test_a_bad_case_writes_nothing(store: Store) -> None:
    with pytest.raises(BadFile, match="line 2"):
        take(store, "agentclinic-cases", lines(osce(), {"x": 1}))
    assert store.rows("select count(*) from item") == [(0,)]
    assert take(store, "agentclinic-cases", lines(osce(), {"x": 1}), skip_bad=True).added == 1


def test_a_dialogue_needs_its_case_and_keeps_its_words(store: Store) -> None:
    with pytest.raises(InvalidInput, match="Import the cases first"):
        queries.add_dialogues_and_return_added(store, [visit(1)], dataset="ward")
    queries.add_cases_and_return_added(store, [("", CASE)], dataset="ward")
    assert queries.add_dialogues_and_return_added(store, [visit(1)], dataset="ward").added == 1
    assert queries.add_dialogues_and_return_added(store, [visit(1)], dataset="ward").known == 1
    with pytest.raises(InvalidInput, match="different text"):
        queries.add_dialogues_and_return_added(store, [visit(1, diagnosis="Gout")], dataset="ward")


# -- out and in again --------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize("form", quick_or_deep("parquet", "jsonl"))
def test_what_is_exported_imports_into_an_empty_store_to_the_same_figures(
    demo: Store, tmp_path: Path, form: Any
) -> None:
    study = open_study(demo, "demo")
    kinds = {
        "cases": "agentclinic-cases",
        "dialogues": "agentclinic-dialogues",
        "ratings": "agentclinic-ratings",
        "moderator-checks": "agentclinic-ratings",
    }
    for kind in kinds:
        how = {} if kind == "dialogues" else {"nested": True}
        write_table(give(demo, study, kind, **how), tmp_path / f"{kind}.{form}", format=form)
    other = open_store(tmp_path / "other.duckdb")
    for kind, into in kinds.items():
        path = tmp_path / f"{kind}.{form}"
        assert take(other, into, path, path.name, dataset="demo").added > 0
        assert take(other, into, path, path.name, dataset="demo").added == 0
    # Figures are made of these tables, whatever form they came in.
    for kind in (*kinds, *(["figures"] if form == "jsonl" else [])):
        mine = give(other, open_study(other, "demo"), kind)
        pd.testing.assert_frame_equal(mine, give(demo, study, kind))
    other.close()


def test_ratings_survive_a_spreadsheet_with_comments_marks_and_times(
    demo: Store, tmp_path: Path
) -> None:
    study = open_study(demo, "demo")
    for kind in ("ratings", "moderator-checks"):
        write_table(give(demo, study, kind), tmp_path / f"{kind}.csv", bom=True)
    other = open_store(tmp_path / "other.duckdb")
    for kind in ("cases", "dialogues"):
        take(other, f"agentclinic-{kind}", FOLDER / f"{kind}.jsonl", dataset="demo")
    for kind in ("ratings", "moderator-checks"):
        with (tmp_path / f"{kind}.csv").open("rb") as stream:
            take(other, "agentclinic-ratings", stream, f"{kind}.csv", dataset="demo")
        left = give(other, open_study(other, "demo"), kind)
        pd.testing.assert_frame_equal(left, give(demo, study, kind))
    other.close()


def test_a_file_of_two_tasks_is_refused_with_their_names(demo: Store) -> None:
    rows = [
        {"task": task, "item": "demo01", "rater": "X"} for task in ("dialogue_realism", "made_up")
    ]
    with pytest.raises(BadFile, match="dialogue_realism, made_up"):
        take(demo, "agentclinic-ratings", io.BytesIO(lines(*rows)), dataset="demo")


@pytest.mark.deep
def test_every_turn_and_every_outcome_is_a_row(demo: Store) -> None:
    study = open_study(demo, "demo")
    turns, outcomes = give(demo, study, "turns"), give(demo, study, "outcomes")
    whole = queries.list_dialogues_with_ids_and_names(demo, "demo")
    assert len(turns) == sum(len(one.turns) for *_, one in whole)
    assert list(outcomes["dialogue"]) == [name for _, name, _, _ in whole]
    first = outcomes.iloc[0]
    assert (first["outcome"], first["correct_diagnosis"]) == ("correct", "Graves disease")
    assert (first["tests"], bool(first["leaks"])) == (3, False)
    for kind in ("turns", "outcomes", "moderator-checks", "figures"):
        write_table(give(demo, study, kind), io.BytesIO())


def test_exports_say_which_of_the_visits_played_again_the_figures_count(
    ward: Store, tmp_path: Path
) -> None:
    queries.add_dialogues_and_return_added(ward, [visit(7, doctor="b")], dataset="ward")
    study = open_study(ward, "ward")
    for kind in ("dialogues", "turns", "outcomes"):
        table = give(ward, study, kind)
        assert list(table)[-1] == "in_figures"
        # Three visits under the same rules, of which the last one counts, and one of another.
        counted = dict(zip(table["dialogue"], table["in_figures"].astype(bool), strict=True))
        assert counted == {"d0": False, "d1": False, "d2": True, "d7": True}
    write_table(give(ward, study, "dialogues"), tmp_path / "d.jsonl", format="jsonl")
    report = take(ward, "agentclinic-dialogues", tmp_path / "d.jsonl")
    assert (report.added, report.known, report.refused) == (0, 4, ())


@pytest.mark.first_quick
@pytest.mark.parametrize("kind", [kind for kind in exports.EXPORTS if kind != "cases"])
def test_no_reviewer_can_export_anything_of_the_dialogues(demo: Store, kind: str) -> None:
    study = open_study(demo, "demo")
    with pytest.raises(NotAllowed):
        exports.EXPORTS[kind][1](demo, study, viewer=person(demo, "Anna"))


def test_hostile_text_goes_in_and_out_unchanged(ward: Store, tmp_path: Path) -> None:
    text = "<script>alert(1)</script> ![](http://x/) '=cmd|x'!A1 \U0001fa7a e\u0301 \u202e \"q\"\n"
    name, one = visit(9, turns=(Turn(n=1, speaker="patient", text=text),), reason=text)
    queries.add_dialogues_and_return_added(ward, [(name, one)], dataset="ward")
    study = open_study(ward, "ward")
    write_table(give(ward, study, "dialogues"), tmp_path / "d.jsonl", format="jsonl")
    write_table(give(ward, study, "turns"), tmp_path / "t.csv")
    other = open_store(tmp_path / "other.duckdb")
    queries.add_cases_and_return_added(other, [("", CASE)], dataset="ward")
    take(other, "agentclinic-dialogues", tmp_path / "d.jsonl")
    assert queries.load_dialogue(other, queries.item_id_made_from_name("ward", name)) == one
    other.close()


# -- the list ----------------------------------------------------------------------------------


def names(store: Store, filters: Filters | None = None, **how: Any) -> list[str]:
    page, total = dialogue_list.page_of_dialogues_and_total(
        store, "demo", filters, limit=100, **how
    )
    assert total == len(page)
    return list(page["dialogue"])


def test_the_list_is_narrowed(demo: Store) -> None:
    expected = [
        (Filters(), 40),
        (Filters(doctor="demo-b"), 13),
        (Filters(outcome="error"), 1),
        (Filters(bias="none"), 23),
        (Filters(bias="doctor"), 8),
        (Filters(bias="patient:self_diagnosis"), 6),
        (Filters(n_interactions=10), 3),
        (Filters(leaking=True), 5),
        (Filters(leaking=True, bias="none"), 2),
        (Filters(rated="rated"), 27),
        (Filters(rated="unrated", outcome="correct"), 7),
        (Filters(dialogues=("demo02", "demo03")), 2),
        (Filters(search="THE BINS had not"), 1),
        (Filters(search="demo07"), 1),
        (Filters(search="Temporal arteritis is named"), 1),
        (Filters(search="Bilirubin 14 µmol/L"), 5),
        (Filters(search='no "such" words'), 0),
        (Filters(image_mode="request"), 0),
    ]
    found = [(filters, len(names(demo, filters))) for filters, _ in expected]
    assert found == expected


def test_disagreement_is_three_points_or_another_word_on_the_diagnosis(demo: Store) -> None:
    apart = names(demo, Filters(disagreement=True))
    study = open_study(demo, "demo")
    realism, matches = visits_for_figures.realism_and_diagnosis_judgment_tables(
        demo, study, viewer=None
    )
    expected = set()
    for item, group in realism.groupby("item"):
        for scale in tasks.SCALES:
            given = [
                s for v in group["value"] if (s := v.scores_by_name_of_scale()[scale]) is not None
            ]
            if given and max(given) - min(given) >= 3:
                expected.add(item)
    for item, group in matches.groupby("item"):
        if {"yes", "no"} <= {value.same for value in group["value"]}:
            expected.add(item)
    assert expected
    assert set(apart) == expected


def test_a_page_is_a_part_of_the_list_in_the_order_dialogues_came(demo: Store) -> None:
    page, total = dialogue_list.page_of_dialogues_and_total(demo, "demo", offset=38, limit=10)
    assert (list(page["dialogue"]), total) == (["demo39", "demo40"], 40)
    assert list(page["truth"]) == ["Acute pericarditis", "Addison disease"]
    first = dialogue_list.page_of_dialogues_and_total(demo, "demo", limit=1)[0].iloc[0]
    assert (first["rated_by"], first["checked_by"], bool(first["leaks"])) == (3, 3, False)


def test_new_dialogues_appear_in_the_list_that_was_kept(ward: Store) -> None:
    assert dialogue_list.page_of_dialogues_and_total(ward, "ward")[1] == 3
    played = visits_for_figures.table_of_dialogues_for_figures(ward, open_study(ward, "ward"))
    queries.add_dialogues_and_return_added(
        ward, [visit(7, doctor="b", doctor_bias=GivenBias(id="recency"))], dataset="ward"
    )
    page, total = dialogue_list.page_of_dialogues_and_total(ward, "ward")
    assert (total, list(page["dialogue"])) == (4, ["d0", "d1", "d2", "d7"])
    assert page.iloc[3][["doctor", "doctor_bias"]].tolist() == ["b", "recency"]
    assert dialogue_list.filter_options_by_column(ward, "ward")["doctor"] == ["a", "b"]
    again = visits_for_figures.table_of_dialogues_for_figures(ward, open_study(ward, "ward"))
    assert list(again["dialogue"]) == ["d0", "d1", "d2", "d7"]
    pd.testing.assert_frame_equal(again.iloc[:3], played)


def test_the_dialogues_of_one_case_come_nearest_rules_first(demo: Store) -> None:
    # demo01: demo-a on Graves disease. Nearest: ten messages, then a bias, then the other doctor.
    others = list(
        dialogue_list.table_of_other_dialogues_of_same_case(demo, "demo", "demo01")["dialogue"]
    )
    assert set(others) == {"demo11", "demo21", "demo29", "demo35", "demo38"}
    assert others[-1] == "demo35"
    assert dialogue_list.table_of_other_dialogues_of_same_case(demo, "demo", "nobody").empty


def test_an_unknown_bias_filter_says_how_to_write_it(demo: Store) -> None:
    with pytest.raises(InvalidInput, match="doctor:recency"):
        names(demo, Filters(bias="recency"))


# -- blind -------------------------------------------------------------------------------------


def rate(store: Store, rater: Any, item: str, task: Any, body: dict[str, Any]) -> None:
    judging.submit_judgment(store, task, item=item, rater=rater.id, token=new_id(), body=body)


def queue(store: Store, rater: Any, task: Any) -> str:
    item = assignment.give_next_item_and_return_id(
        store, task, HandOut(), dataset="ward", rater=rater.id
    )
    assert item is not None
    return item


def test_a_reviewer_sees_models_and_outcome_only_after_all_their_work_on_it(ward: Store) -> None:
    study, anna = open_study(ward, "ward"), person(ward, "Anna")
    item = queue(ward, anna, study.realism)
    ward.append(
        "assignment",
        {
            **ward.query_rows_as_dicts(
                "select task, item, rater, slot, generation, gold, lease_until from assignment"
            )[0],
            "task": tasks.MATCH,
        },
    )
    hidden = dict.fromkeys(dialogue_list.BLIND_COLUMNS, "")

    def seen() -> dict[str, Any]:
        page = dialogue_list.page_of_dialogues_and_total(ward, "ward", viewer=anna)[0].set_index(
            "item_id"
        )
        return dict(page.loc[item, list(dialogue_list.BLIND_COLUMNS)])

    assert seen() == hidden
    assert queries.reveal_dialogue_to_viewer(ward, item, anna).whole is None
    rate(ward, anna, item, study.realism, {"doctor": 5, "patient": 5, "empathy": 5})
    assert seen() == hidden
    assert queries.reveal_dialogue_to_viewer(ward, item, anna).whole is None
    rate(ward, anna, item, study.match, {"same": "yes"})
    assert (seen()["doctor"], seen()["outcome"]) == ("a", "correct")
    shown = queries.reveal_dialogue_to_viewer(ward, item, anna)
    assert shown.whole is not None
    # From now on it is no longer blind.
    rate(ward, anna, item, study.match, {"same": "no"})
    assert ward.rows("select blind from judgment order by seq") == [(True,), (True,), (False,)]


def test_a_reviewer_cannot_filter_by_what_they_may_not_see(ward: Store) -> None:
    anna = person(ward, "Anna")
    for filters in (Filters(doctor="a"), Filters(outcome="correct"), Filters(disagreement=True)):
        with pytest.raises(NotAllowed):
            dialogue_list.page_of_dialogues_and_total(ward, "ward", filters, viewer=anna)
    assert (
        dialogue_list.page_of_dialogues_and_total(
            ward, "ward", Filters(search="question"), viewer=anna
        )[1]
        == 3
    )


def test_others_ratings_do_not_show_in_a_reviewers_list(demo: Store) -> None:
    page = dialogue_list.page_of_dialogues_and_total(demo, "demo", viewer=person(demo, "Anna"))[0]
    assert page["rated_by"].sum() == 0
    assert not page["disagree"].any()
    assert (
        dialogue_list.page_of_dialogues_and_total(
            demo, "demo", Filters(rated="rated"), viewer=person(demo, "Anna")
        )[1]
        == 0
    )
    lead = dialogue_list.page_of_dialogues_and_total(
        demo, "demo", viewer=person(demo, "L", lead=True)
    )[0]
    assert lead["rated_by"].sum() > 0


def test_a_lead_sees_a_dialogue_whole(ward: Store) -> None:
    lead = person(ward, "L", lead=True)
    assert (
        queries.reveal_dialogue_to_viewer(
            ward, queries.item_id_made_from_name("ward", "d0"), lead
        ).whole
        is not None
    )


# -- quick -------------------------------------------------------------------------------------


@pytest.mark.deep
def test_a_page_over_thousands_of_dialogues_costs_milliseconds(
    reopened: Callable[[], Store],
) -> None:
    store = reopened()
    queries.add_cases_and_return_added(store, [("", CASE)], dataset="ward")
    turns = tuple(Turn(n=n, speaker="doctor", text="word " * 40) for n in range(1, 21))
    queries.add_dialogues_and_return_added(
        store, [visit(n, turns=turns, repeat=n + 1) for n in range(3000)], dataset="ward"
    )
    first = effort(lambda: dialogue_list.page_of_dialogues_and_total(store, "ward"))

    def pages() -> None:
        for offset in range(0, 1000, 50):
            page, total = dialogue_list.page_of_dialogues_and_total(
                store, "ward", Filters(doctor="a"), offset=offset
            )
            assert (len(page), total) == (50, 3000)

    # Reading the dialogues' JSON again, as the first of all does, would cost the same each time.
    assert effort(pages) / 20 < first / 8


def test_json_of_an_exported_case_that_is_none_is_refused(store: Store) -> None:
    with pytest.raises(BadFile, match="content_json"):
        take(store, "agentclinic-cases", lines({"content_json": "{"}))
    good = json.dumps(osce())
    assert take(store, "agentclinic-cases", lines({"content_json": good})).added == 1
