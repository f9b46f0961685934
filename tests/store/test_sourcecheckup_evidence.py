"""The evidence for SourceCheckup's figures, out of a store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from medlens import cli
from medlens.app import work_behind_commands
from medlens.config import settings
from medlens.errors import InvalidInput, NotAllowed
from medlens.review import consensus, items_selected_to_hand_out, judging, raters
from medlens.review.assignment import give_next_item_and_return_id
from medlens.review.tasks import HandOut
from medlens.stats.estimate import FIGURE_COLUMNS
from medlens.store import Store, new_id, open_store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import pair_list, queries, records_to_store_rows
from medlens.studies.sourcecheckup.load_figure_evidence import load_evidence
from medlens.studies.sourcecheckup.make_statement_source_pairs import add_items_of_imported_pairs
from medlens.studies.sourcecheckup.records import Statement, pair_id, response_id
from medlens.studies.sourcecheckup.study_in_dataset import Study, open_study
from tests.sourcecheckup_made_up import DATASET, GOOD_URL, figures, make


@pytest.fixture
def store(tmp_path: Path):  # type: ignore[no-untyped-def]
    with_data = open_store(tmp_path / "x.duckdb")
    make(with_data)
    yield with_data
    with_data.close()


def judge_all(store: Store, study: Study, name: str, verdict: str) -> str:
    person = raters.find_or_add_rater_by_name(store, name)
    settings = HandOut(gold_share=0.0)
    for task, body in (
        (study.support, {"verdict": verdict}),
        (study.response, {"answer": "yes"}),
        (study.question, {"answer": "no"}),
    ):
        while item := give_next_item_and_return_id(
            store, task, settings, dataset=DATASET, rater=person.id
        ):
            judging.submit_judgment(
                store, task, item=item, rater=person.id, token=new_id(), body=body
            )
    return person.id


def numbers(store: Store, study: Study) -> dict[tuple[str, str], tuple[object, object]]:
    table = figures(load_evidence(store, study, viewer=None))
    assert list(table.columns) == FIGURE_COLUMNS
    assert not table.duplicated(["figure", "group"]).any()
    return {(row.figure, row.group): (row.numerator, row.denominator) for row in table.itertuples()}


@pytest.mark.deep
def test_a_sample_for_doctors_is_drawn_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sample.duckdb"
    with closing(open_store(path)) as opened:
        make(opened)
    words = ["--store", str(path), "run", "sourcecheckup", "sample", "--way", "disputed"]
    for number, said in (("1", "1 pair drawn."), ("9", "1 pair drawn.")):
        assert cli.main([*words, "--number", number, "--dataset", DATASET]) == 0
        assert capsys.readouterr().out.startswith(said)
    # Both of r1's statements are disputed on the page that can be read, and nothing else is.
    assert cli.main([*words, "--dataset", DATASET]) == 1
    assert "No item fits" in capsys.readouterr().err
    assert cli.main([*words, "--dataset", "another"]) == 1
    with closing(open_store(path)) as opened:
        chosen = items_selected_to_hand_out.ids_of_selected_items(
            opened, open_study(opened).support, dataset=DATASET
        )
    assert set(chosen) == {pair_id(DATASET, one, GOOD_URL) for one in ("r1.s1", "r1.s2")}


@pytest.mark.deep
def test_a_sample_is_drawn_of_one_models_pairs_with_one_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sample.duckdb"
    with closing(open_store(path)) as opened:
        make(opened)
    words = ["--store", str(path), "run", "sourcecheckup", "sample", "--dataset", DATASET]
    narrow = ["--model", "answerer a", "--verifier", "second", "--verdict", "not_supported"]
    assert cli.main([*words, *narrow, "--site", "health.example.org"]) == 0
    assert capsys.readouterr().out.startswith("2 pairs drawn.")
    assert cli.main([*words, *narrow, "--group", "no such group"]) == 1
    with closing(open_store(path)) as opened:
        chosen = items_selected_to_hand_out.ids_of_selected_items(
            opened, open_study(opened).support, dataset=DATASET
        )
    assert set(chosen) == {pair_id(DATASET, one, GOOD_URL) for one in ("r1.s1", "r1.s2")}


def test_of_a_store_without_answers_every_share_is_undefined(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "empty.duckdb")) as empty:
        table = figures(load_evidence(empty, open_study(empty), viewer=None))
    shares = table[table["method"] != "count"]
    assert "statement_support" in set(shares["figure"])
    assert shares["value"].isna().all()
    assert shares["method"].str.startswith("undefined, because").all()


def test_the_figures_come_out_of_the_store(store: Store) -> None:
    study = open_study(store)
    found = numbers(store, study)
    # Six citations of five addresses: three answers cite a page with text, r5 once more.
    assert found["url_validity", "all"] == (4, 6)
    # r1 two of two, r2 one, r3 contradicted, r4 without a source.
    assert found["statement_support", "all"] == (3, 5)
    # r5 has no statement.
    assert found["response_support", "all"] == (2, 4)
    assert found["statement_support_by_model", "answerer b"] == (1, 2)
    # The page of r3 and the one of r5, of four valid ones.
    assert found["unused_sources", "all"] == (2, 4)
    assert found["statement_support_by_verifier", "second"] == (0, 3)
    assert found["cleanup_removed", "all"] == (0, 1)


def test_what_doctors_say_is_held_against_the_verifiers(store: Store) -> None:
    study = open_study(store)
    for name in ("Ann", "Bea", "Cem"):
        judge_all(store, study, name, "supported")
    found = numbers(store, study)
    # On the four pairs with a verdict: r3's is contradicted, the doctors say supported.
    assert found["verifier_agreement", "checker"] == (3, 4)
    assert found["verifier_agreement", "second"] == (0, 2)
    assert found["verifier_sensitivity", "checker"] == (3, 4)
    # Of seven pairs four have a page with a text and are given to doctors, three each: 12 pairs of
    # answers, all alike.
    assert found["doctors_agreement", "all"] == (12, 12)
    # Doctors call all five answers supported; the pipeline two of four (r5 has no statement).
    assert found["response_agreement", "all"] == (2, 4)
    assert found["question_answerable", "Ann"] == (0, 1)


@pytest.mark.deep
def test_the_adjudicator_goes_before_the_majority(store: Store) -> None:
    study = open_study(store)
    judge_all(store, study, "Ann", "supported")
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    consensus.record_adjudication(
        store,
        study.support,
        item=pair_id(DATASET, "r1.s1", GOOD_URL),
        body={"verdict": "not_supported"},
        reason="It says less.",
        by=lead,
    )
    consensus.record_adjudication(
        store,
        study.response,
        item=response_id(DATASET, "r1"),
        body={"answer": "no"},
        reason="One is not.",
        by=lead,
    )
    given = load_evidence(store, study, viewer=lead)
    assert (
        given.whether_doctors_call_supported_by_pair[pair_id(DATASET, "r1.s1", GOOD_URL)] is False
    )
    assert given.whether_doctors_call_supported_by_response["r1"] is False
    assert given.whether_doctors_call_supported_by_response["r2"] is True
    for task, item in (
        (study.support, pair_id(DATASET, "r1.s1", GOOD_URL)),
        (study.response, response_id(DATASET, "r1")),
    ):
        consensus.record_adjudication(store, task, item=item, body=None, reason="Unclear.", by=lead)
    given = load_evidence(store, study, viewer=lead)
    assert pair_id(DATASET, "r1.s1", GOOD_URL) not in given.whether_doctors_call_supported_by_pair
    assert "r1" not in given.whether_doctors_call_supported_by_response


def test_reviewers_have_no_way_to_what_all_said(store: Store) -> None:
    with pytest.raises(NotAllowed):
        load_evidence(
            store, open_study(store), viewer=raters.find_or_add_rater_by_name(store, "Rosa")
        )


@pytest.mark.deep
def test_the_list_of_pairs_is_narrowed_down(store: Store) -> None:
    study = open_study(store)
    judge_all(store, study, "Ann", "supported")
    given = load_evidence(store, study, viewer=None)
    pairs = listed.table_of_all_pairs(store, DATASET)
    table = pair_list.table_of_pairs_to_list(given, pairs)
    second = pair_list.table_of_pairs_to_list(given, pairs, "second")
    for wanted, count in (
        ({}, 7),
        ({"model": "answerer a"}, 5),
        ({"verdict": "contradicted"}, 1),
        ({"verdict": "none"}, 3),
        ({"state": "supported"}, 6),
        ({"kind": ".gov"}, 1),
        ({"outcome": "not_found", "response": "r1"}, 2),
        ({"site": "blog.example.co.uk"}, 1),
        ({"q": " STOMACH "}, 1),
        ({"q": "javascript:"}, 1),
        ({"doctors": "asked"}, 4),
        ({"doctors": "disagree"}, 0),
        ({"doctors": "yes", "agrees": "no"}, 1),
        ({"agrees": "yes"}, 3),
        ({"doctors": "nonsense"}, 0),
        ({"group": "nowhere"}, 0),
    ):
        assert (
            len(
                pair_list.filter_table_of_pairs(table, pair_list.parse_filters_from_address(wanted))
            )
            == count
        ), wanted
    by_second = pair_list.filter_table_of_pairs(
        second, pair_list.parse_filters_from_address({"verdict": "not_supported"})
    )
    assert len(by_second) == 2
    # r1 has a dead source too: by the second verifier nothing that was read supports it.
    assert set(by_second["state"]) == {"unreachable"}


@pytest.mark.deep
def test_exported_figures_say_by_whose_word_and_of_which_answers_they_are(store: Store) -> None:
    def exported(**narrow: str) -> pd.DataFrame:
        return work_behind_commands.make_export_table(
            store,
            settings.Settings(),
            "figures",
            viewer=None,
            study="sourcecheckup",
            dataset=DATASET,
            narrow=narrow,
        )

    def count(table: pd.DataFrame, figure: str) -> int:
        return int(table.loc[table["figure"] == figure, "n"].iloc[0])

    whole, said = exported(), queries.current_verdicts_table(store, DATASET)
    for one in sorted(said["rater"].unique()):
        by = exported(judge=one)
        assert set(by["judge"]) == {one}
        support = by[by["figure"] == "statement_support"]
        assert support["method"].str.endswith(f"verifier {one}").all()
    answers = load_evidence(store, open_study(store, DATASET), viewer=None).material.responses
    group = max(answers["group"])
    part = exported(cases=group)
    assert set(part["cases"]) == {group}
    assert count(part, "responses") == int((answers["group"] == group).sum())
    assert count(part, "responses") < count(whole, "responses") == len(answers)
    with pytest.raises(InvalidInput, match="no judge 'nobody'"):
        exported(judge="nobody")


def test_the_same_words_beside_the_same_page_are_asked_about_once(store: Store) -> None:
    one = pair_id(DATASET, "r1.s1", GOOD_URL)
    text, answer = store.rows(
        "select s.statement, r.name from sc_pair p join sc_statement s on s.id = p.statement"
        " join sc_response r on r.id = s.response where p.id = $id",
        id=one,
    )[0]
    more = [
        Statement(name=name, response=answer, statement=words, n=n)
        for n, (name, words) in enumerate(
            {"r1.s8": f"{text.upper()}  ", "r1.s9": f"Never: {text}"}.items(), 8
        )
    ]
    parsed = records_to_store_rows.statement_and_parse_rows_by_table(
        more, dataset=DATASET, response=answer
    )
    store.append_all_and_count_new_by_table({"sc_statement": parsed["sc_statement"]})
    add_items_of_imported_pairs(store, DATASET)
    study = open_study(store, DATASET)
    copy, other = (pair_id(DATASET, name, GOOD_URL) for name in ("r1.s8", "r1.s9"))
    assert queries.count_pairs_settled_by_item(store, DATASET) == {one: 2, copy: 2}
    left_out = queries.ids_of_pairs_asked_as_other_item(store, DATASET)
    assert copy in left_out
    assert not {one, other} & left_out
    anna = raters.find_or_add_rater_by_name(store, "Anna")
    given = set()
    held = HandOut(gold_share=0.0, items_per_rater=99)
    while item := give_next_item_and_return_id(
        store, study.support, held, dataset=DATASET, rater=anna.id
    ):
        judging.submit_judgment(
            store,
            study.support,
            item=item,
            rater=anna.id,
            token=new_id(),
            body={"verdict": "supported"},
        )
        given.add(item)
    assert one in given
    assert other in given
    assert copy not in given
