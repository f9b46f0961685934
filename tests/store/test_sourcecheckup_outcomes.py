"""A lead's word on what became of a page: who may, what it changes, and that it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, Conflict, InvalidInput, NotAllowed
from medlens.review import audit_log, consensus, items, judging, raters
from medlens.review.assignment import give_next_item_and_return_id
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import figure_and_list_queries as words
from medlens.studies.sourcecheckup import queries
from medlens.studies.sourcecheckup import tables_as_in_files_queries as files
from medlens.studies.sourcecheckup.load_figure_evidence import load_evidence
from medlens.studies.sourcecheckup.records import pair_id, response_id, source_id
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from tests.sourcecheckup_made_up import DATASET, GONE_URL, GOOD_URL, figures, make

pytestmark = pytest.mark.usefixtures("read_near")

GOOD = source_id(DATASET, GOOD_URL)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with_data = open_store(tmp_path / "x.duckdb")
    make(with_data)
    yield with_data
    with_data.close()


@pytest.fixture
def lead(store: Store) -> Rater:
    return raters.find_or_add_rater_by_name(store, "Dr Lead", role="lead")


def say(store: Store, lead: Rater, outcome: str = "paywalled", **how: object) -> None:
    given = {"source": GOOD, "reason": "It is an abstract.", "base": 0, **how}
    words.record_outcome_correction(store, outcome=outcome, dataset=DATASET, by=lead, **given)  # type: ignore[arg-type]


def shares(store: Store) -> dict[str, tuple[object, object]]:
    table = figures(load_evidence(store, open_study(store), viewer=None))
    table = table[table["group"] == "all"]
    return {row.figure: (row.numerator, row.denominator) for row in table.itertuples()}


@pytest.mark.deep
def test_validity_goes_by_the_leads_word_and_by_the_papers_rule_does_not(
    store: Store, lead: Rater
) -> None:
    before = shares(store)
    say(store, lead)
    after = shares(store)
    assert after["url_validity"][0] == before["url_validity"][0] - 1  # type: ignore[operator]
    assert after["url_validity_paper"] == before["url_validity_paper"]


def test_every_list_has_the_leads_word(store: Store, lead: Rater) -> None:
    version = queries.version_number_of_study_data(store)
    say(store, lead)
    assert queries.version_number_of_study_data(store) > version
    item = pair_id(DATASET, "r1.s1", GOOD_URL)
    assert queries.newest_snapshots_by_address(store, DATASET)[GOOD_URL].outcome == "paywalled"
    assert queries.load_pair_as_shown(store, item).outcome == "paywalled"
    for table in (
        queries.table_of_all_pairs(store, DATASET),
        listed.table_of_all_pairs(store, DATASET),
        files.pair_verdicts_table(store, DATASET),
        files.sources_table(store, DATASET),
        listed.load_figure_tables_by_name(store, DATASET)["citations"],
    ):
        assert set(table[table["url"] == GOOD_URL]["outcome"]) == {"paywalled"}
    assert item not in set(listed.table_of_quotes_in_verdicts(store, DATASET)["item"])
    [of_answer] = [
        one
        for one in listed.list_sources_of_answer(store, DATASET, response_id(DATASET, "r1"))
        if one["url"] == GOOD_URL
    ]
    assert (of_answer["outcome"], of_answer["told_why"], of_answer["told_by"]) == (
        "paywalled",
        "It is an abstract.",
        "Dr Lead",
    )


def test_every_word_is_kept_with_who_and_why_and_the_last_one_stands(
    store: Store, lead: Rater
) -> None:
    say(store, lead)
    say(store, lead, "ok", base=1, reason="The text is whole after all.")
    told = words.outcome_of_snapshot(store, GOOD)
    assert told
    assert (told.outcome, told.fetched, told.revision) == ("ok", "ok", 2)
    said = words.list_corrections_of_page_outcome(store, GOOD, viewer=lead)
    assert [(one.by, one.was, one.outcome, one.reason) for one in said] == [
        ("Dr Lead", "ok", "paywalled", "It is an abstract."),
        ("Dr Lead", "paywalled", "ok", "The text is whole after all."),
    ]
    log = audit_log.entries_table(store, viewer=lead, kinds=["outcome"])
    assert list(log["detail"]) == [
        "paywalled to ok: The text is whole after all.",
        "ok to paywalled: It is an abstract.",
    ]
    assert set(log["about"]) == {GOOD_URL}


def test_a_word_needs_a_lead_a_reason_and_an_outcome_that_can_be(store: Store, lead: Rater) -> None:
    reviewer = raters.find_or_add_rater_by_name(store, "Dr Reviewer")
    with pytest.raises(NotAllowed):
        say(store, reviewer)
    with pytest.raises(NotAllowed):
        words.list_corrections_of_page_outcome(store, GOOD, viewer=reviewer)
    for wrong in (
        {"reason": "  "},
        {"reason": "x" * 501},
        {"outcome": "ok"},
        {"outcome": "lost"},
        {"source": "none"},
        {"source": source_id(DATASET, GONE_URL), "outcome": "ok"},
    ):
        with pytest.raises(InvalidInput):
            say(store, lead, **wrong)
    assert store.rows("select 1 from sc_outcome") == []


def test_a_lead_who_has_not_seen_the_last_word_is_told(store: Store, lead: Rater) -> None:
    say(store, lead)
    with pytest.raises(Conflict):
        say(store, lead, "empty")
    told = words.outcome_of_snapshot(store, GOOD)
    assert told
    assert told.outcome == "paywalled"


def test_a_word_goes_out_with_the_sources_and_comes_in_once(
    store: Store, lead: Rater, tmp_path: Path
) -> None:
    say(store, lead)
    out = work_behind_commands.make_export_table(
        store, Settings(), "sources", viewer=None, study="sourcecheckup", dataset=DATASET
    )
    text = out.to_csv(index=False).encode()
    other = open_store(tmp_path / "other.duckdb")
    for added in (len(out), 0):
        done = work_behind_commands.import_file(
            other, Settings(), "sourcecheckup-sources", text, name="s.csv", dataset=DATASET
        )
        assert done.added == added
    told = words.outcome_of_snapshot(other, GOOD)
    assert told
    assert (told.outcome, told.fetched) == ("paywalled", "ok")
    again = files.sources_table(other, DATASET)
    assert again.to_csv(index=False) == out.astype(again.dtypes).to_csv(index=False)
    other.close()


def test_another_outcome_in_an_exported_file_is_a_word_and_needs_a_reason(
    store: Store, lead: Rater
) -> None:
    out = files.sources_table(store, DATASET)
    out.loc[out["url"] == GOOD_URL, "outcome"] = "empty"

    def take() -> work_behind_commands.Outcome:
        return work_behind_commands.import_file(
            store,
            Settings(),
            "sourcecheckup-sources",
            out.to_csv(index=False).encode(),
            name="s.csv",
            dataset=DATASET,
        )

    with pytest.raises(BadFile, match="outcome_reason"):
        take()
    out.loc[out["url"] == GOOD_URL, "outcome_reason"] = "There is nothing on it."
    assert take().added == 1
    snapshot = queries.newest_snapshots_by_address(store, DATASET)[GOOD_URL]
    assert (snapshot.outcome, snapshot.revision) == ("empty", 1)


def test_a_page_that_a_lead_calls_readable_is_there_to_verify(store: Store, lead: Rater) -> None:
    url = "https://wall.example.org/a"
    for kind, text in {
        "questions": "question_id,question\nq1,Why?\n",
        "responses": f"response_id,question_id,model,response,urls\nr1,q1,m,Because.,{url}\n",
        "statements": "statement_id,response_id,statement\ns1,r1,Bees sting\n",
        "sources": f"url,status,outcome,text\n{url},200,paywalled,Bees sting people.\n",
    }.items():
        work_behind_commands.import_file(
            store, Settings(), f"sourcecheckup-{kind}", text.encode(), name="f.csv", dataset="walls"
        )
    assert queries.snapshot_id_by_pair_item_id(store, "walls") == {}
    words.record_outcome_correction(
        store,
        source_id("walls", url),
        "ok",
        dataset="walls",
        base=0,
        by=lead,
        reason="The whole text is there.",
    )
    assert set(queries.snapshot_id_by_pair_item_id(store, "walls")) == {pair_id("walls", "s1", url)}


def test_pairs_whose_page_holds_no_text_are_given_to_nobody(store: Store) -> None:
    study = open_study(store)
    ann = raters.find_or_add_rater_by_name(store, "Ann").id
    given = set()
    while item := give_next_item_and_return_id(
        store, study.support, HandOut(), dataset=DATASET, rater=ann
    ):
        given.add(item)
        judging.submit_judgment(
            store, study.support, item=item, rater=ann, token=new_id(), body={"verdict": "partly"}
        )
    with_text = {
        one["item_id"]
        for one in queries.table_of_all_pairs(store, DATASET).to_dict("records")
        if one["outcome"] == "ok"
    }
    assert given == with_text
    assert pair_id(DATASET, "r1.s1", GONE_URL) not in given


@pytest.mark.parametrize("verdict", ["supported", "partly", "contradicted", "not_supported"])
def test_of_a_page_without_a_text_nothing_but_cannot_tell_is_taken(
    store: Store, verdict: str
) -> None:
    task = open_study(store).support
    gone = items.item_body(store, pair_id(DATASET, "r1.s1", GONE_URL))
    good = items.item_body(store, pair_id(DATASET, "r1.s1", GOOD_URL))
    [told] = task.problems_of_answer(task.parse({"verdict": verdict}), gone)
    assert "Cannot tell" in told
    assert task.problems_of_answer(task.parse({"verdict": "cannot_tell"}), gone) == []
    assert task.problems_of_answer(task.parse({"verdict": verdict}), good) == []


def test_no_answer_but_cannot_tell_is_the_key_of_a_page_without_a_text(
    store: Store, lead: Rater
) -> None:
    task = open_study(store).support
    gone, good = (pair_id(DATASET, "r1.s1", url) for url in (GONE_URL, GOOD_URL))

    def make_gold(item: str, verdict: str) -> None:
        expected = {"verdict": verdict}
        consensus.set_or_unset_gold_item(
            store, task, item=item, expected=expected, active=True, by=lead
        )

    with pytest.raises(InvalidInput, match="only “Cannot tell” is taken"):
        make_gold(gone, "supported")
    make_gold(gone, "cannot_tell")
    make_gold(good, "supported")
    kept = consensus.gold_items_table(store, task, dataset=DATASET, viewer=lead)
    assert set(kept["item_id"]) == {gone, good}
