"""The leads' figures and answers of SourceCheckup: what is drawn, and in which words."""

from __future__ import annotations

import pytest

from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import records_to_store_rows
from medlens.studies.sourcecheckup.figures import FIGURES
from medlens.studies.sourcecheckup.figures_charts import (
    domain_kinds_chart,
    quote_matches_chart,
    states_changed_by_merging_chart,
    support_from_single_or_merged_sources_chart,
)
from medlens.studies.sourcecheckup.figures_data import load_figure_data
from medlens.studies.sourcecheckup.records import (
    Response,
    SourceJudgment,
    Statement,
    pair_id,
    source_id,
)
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, words
from tests.sourcecheckup_made_up import DATASET, GOOD_URL, make

PAGE = "3_Verify_sources.py"


@pytest.fixture
def filled_by(request: pytest.FixtureRequest) -> tuple[Fill, ...]:
    fills = {"demo": STUDIES["sourcecheckup"].demo, "sources": make}
    asked = [fill for name, fill in fills.items() if name in request.fixturenames]
    return (STUDIES["tagging"].demo, *asked)


@pytest.fixture
def demo(app_store: Store) -> Store:
    return app_store


@pytest.fixture
def sources(app_store: Store) -> Store:
    return app_store


@pytest.mark.deep
def test_merged_sources_are_drawn_beside_each_alone_with_the_exported_numbers(
    open_page: OpenPage, demo: Store, lead: Rater
) -> None:
    source = load_figure_data(demo, open_study(demo, "demo"), lead, {})
    exported = FIGURES.make_table_of_all_figures(source)
    charts = [
        support_from_single_or_merged_sources_chart(source, what, "model")
        for what in ("statement", "response")
    ]
    for chart in (*charts, states_changed_by_merging_chart(source)):
        for row in chart.table.itertuples():
            [one] = exported[
                (exported["figure"] == row.figure) & (exported["group"] == row.group)
            ].itertuples()
            assert (one.numerator, one.denominator, one.value) == (
                row.numerator,
                row.denominator,
                row.value,
            )
    # Three models, each source alone and merged.
    assert [len(chart.table) for chart in charts] == [6, 6]
    for query in ({}, {"merging": "response", "by": "all"}, {"merging": "changed"}):
        page = open_page(PAGE, who=lead, view="Results", section="merged", **query)
        assert not page.exception
    assert "What merging the sources changes" in words(page)


@pytest.mark.deep
def test_an_answer_has_the_verdicts_on_its_sources_merged_beside_those_on_each(
    open_page: OpenPage, demo: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Answers", answer="tick-a", dataset="demo")
    # Each page holds a part of the third statement.
    assert page.dataframe[0].value.to_dict("records")[2] == {
        "statement": 3,
        "source 1": "Not supported",
        "source 2": "Partly supported",
        "merged": "Supported",
    }


@pytest.mark.deep
def test_the_papers_numbers_are_told_in_words(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Results", section="published")
    assert not page.exception
    [shown] = [one.proto.body for one in page.get("html") if "class='paper'" in one.proto.body]
    assert "<td>Agreement of two doctors, on average</td><td data-head='printed'>86.1" in shown
    cleaned = "<td>Unsupported statements that the clean-up removed, three models</td>"
    assert f"{cleaned}<td data-head='printed'>34.7% (52/150)<small>Results, Editing" in shown
    assert "<tr><td></td>" not in shown


@pytest.mark.deep
def test_where_nobody_was_asked_of_merged_sources_it_is_said_how(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Results", section="merged")
    assert not page.exception
    assert "No verifier has judged merged sources yet" in words(page)


def test_the_chart_of_american_sources_says_which_rule_gave_each_count(
    sources: Store, lead: Rater
) -> None:
    def drawn() -> tuple[str, list[str]]:
        chart = domain_kinds_chart(
            load_figure_data(sources, open_study(sources, DATASET), lead, {}), "american"
        )
        return chart.n, chart.table["figure"].tolist()

    n, before = drawn()
    assert "Addresses with a domain name: all by top-level domain." in n
    assert set(before) == {"american"}
    sources.append_all_and_count_new_by_table(
        records_to_store_rows.domain_country_rows_by_table(
            "health.example.org", "CA", dataset=DATASET
        )
    )
    n, after = drawn()
    # r1 cites it; the other four addresses with a name go by it.
    assert "1 by registration, 4 by top-level domain" in n
    assert set(after) == {"american", "american_by_registration", "american_by_domain_name"}


@pytest.mark.deep
def test_a_falsified_quote_is_counted_and_shown_as_alike_with_what_differs(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    item = pair_id(DATASET, "r1.s1", GOOD_URL)
    false = "The highest dose of paracetamol for adults is 2 g in 24 hours."
    said = SourceJudgment(verdict="supported", reason="So it says.", quote=false)
    sources.append_all_and_count_new_by_table(
        records_to_store_rows.model_rater_and_judgment_rows_by_table(
            said, item=item, model="second", revision=2
        )
    )
    source = load_figure_data(sources, open_study(sources, DATASET), lead, {})
    found = {
        key: one.numerator
        for key, one in source.quote_match_estimates_by_figure.items()
        if one.numerator
    }
    # The checker quotes that sentence on each of four readable pairs; it stands on one page of r1's
    # two statements, not on the others'. Of the second's two verdicts one has no quote.
    assert found == {
        ("quotes: exact", "checker"): 2,
        ("quotes: missing", "checker"): 2,
        ("quotes: alike", "second"): 1,
        ("quotes: none", "second"): 1,
    }
    drawn = quote_matches_chart(source).table
    assert set(drawn["n"]) == {4, 2}
    page = open_page(PAGE, who=lead, view="Results", section="verifiers", worth="quotes")
    assert not page.exception
    page = open_page(PAGE, who=lead, view="Pairs", pair=item)
    assert "Similar, not the same" in words(page)
    assert ":red-background[~~2~~] :green-background[**4**]" in words(page)


def test_validity_is_drawn_by_both_rules_and_the_archives_word_has_its_chart(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Results", figure="url_validity")
    assert not page.exception
    assert "paywalls and notices included" in words(page)
    for what, said in (
        ("url_validity_by_kind", "our rule"),
        ("url_validity_paper_by_kind", "the paper's rule"),
        ("dead_once_existed", "which a run of sources can do"),
        ("sites", "example.org"),
    ):
        page = open_page(PAGE, who=lead, view="Results", section="sources", what=what)
        assert not page.exception
        drawn = words(page) + "".join(str(one.value.to_dict()) for one in page.dataframe)
        assert said in drawn


@pytest.mark.deep
def test_plotly_is_loaded_ahead_for_leads_alone(
    open_page: OpenPage, sources: Store, lead: Rater, reviewer: Rater
) -> None:
    for who, charts in ((lead, 1), (reviewer, 0)):
        page = open_page(PAGE, who=who)
        assert not page.exception
        assert len(page.get("plotly_chart")) == charts


def test_an_answer_is_called_as_the_headline_counts_it(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    """By "second" no page that was read supports r1, and one is gone: 0 of 2 in the headline."""
    page = open_page(PAGE, who=lead, view="Answers", verifier="second")
    said = dict(zip(page.dataframe[0].value["answer"], page.dataframe[0].value["is"], strict=True))
    assert said["r1"] == "not supported (a source unreadable)"
    # Of r2 and r3 no verdict of theirs is there.
    assert (said["r2"], said["r3"]) == ("not decided yet", "not decided yet")
    found = FIGURES.make_table_of_all_figures(
        load_figure_data(sources, open_study(sources, DATASET), lead, {})
    )
    [one] = found[
        (found["figure"] == "response_support_by_verifier") & (found["group"] == "second")
    ].itertuples()
    # r1, and r4 without a source; r2 and r3 are in no denominator.
    assert (one.numerator, one.denominator) == (0, 2)
    page = open_page(PAGE, who=lead, view="Answers", answer="r1", verifier="second")
    assert "not stated, a source unreadable" in words(page)


@pytest.mark.deep
def test_figures_answers_and_pairs_are_narrowed_to_the_run_that_made_the_answers(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    """Two more answers, each of a run of its own and with a statement and a pair."""
    for run in ("run-1", "run-2"):
        name, urls = f"of-{run}", (GOOD_URL,)
        answer = Response(name=name, question="q1", model="answerer a", text="Rest.", urls=urls)
        [stated] = made = [Statement(name=f"{name}.s1", response=name, statement=f"Rest {run}.")]
        there = {"dataset": DATASET, "illustrative": True}
        page = source_id(DATASET, GOOD_URL)
        sources.append_all_and_count_new_by_table(
            records_to_store_rows.join_rows_by_table(
                [
                    records_to_store_rows.response_citation_and_item_rows_by_table(
                        answer, run=run, **there
                    ),
                    records_to_store_rows.statement_and_parse_rows_by_table(
                        made, dataset=DATASET, response=name
                    ),
                    records_to_store_rows.pair_item_rows_by_table(
                        stated.name, name, GOOD_URL, source=page, **there
                    ),
                ]
            )
        )
    asked = {"study": "sourcecheckup", "kind": "answers", "config": {"models": ["answerer a"]}}
    sources.append("run", {"id": "run-2", "digest": "d", "made_by": "cli", **asked})
    began = sources.rows("select made_at from run where id = 'run-2'")[0][0]
    # A run of this store is called by when it began and whom it asked, others by their id.
    called = [f"{began:%Y-%m-%d %H:%M}, answerer a", "run-1"]
    whole = open_page(PAGE, who=lead, view="Answers").dataframe[0].value
    assert {"r1", "of-run-1", "of-run-2"} <= set(whole["answer"])
    for view, column in (("Answers", "answer"), ("Pairs", "answer")):
        page = open_page(PAGE, who=lead, view=view, run="run-2")
        assert set(page.dataframe[0].value[column]) == {"of-run-2"}, view
        chosen = next(box for box in page.selectbox if box.label == "Run")
        assert (chosen.value, chosen.options) == ("run-2", called)
        chosen.set_value("run-1").run()
        assert page.query_params["run"] == "run-1"
        assert set(page.dataframe[0].value[column]) == {"of-run-1"}, view
        page = open_page(PAGE, who=lead, view=view, run="run-9", model="nobody")
        said = {box.label: box.options[-1] for box in page.selectbox}
        assert (said["Run"], said["Model"]) == ("run-9 (not found)", "nobody (not found)"), view
    page = open_page(PAGE, who=lead, view="Results", run="run-2")
    found = FIGURES.make_table_of_all_figures(
        load_figure_data(sources, open_study(sources, DATASET), lead, {"run": "run-2"})
    )
    counts = found.set_index("figure")["n"]
    assert (counts["responses"], counts["statements"]) == (1, 1)
    [chosen] = [box for box in page.selectbox if box.label == "Run"]
    assert (chosen.value, chosen.options[-2:]) == ("run-2", called)
    page = open_page(PAGE, who=lead, view="Results", run="run-9")
    assert "has no run 'run-9'" in words(page)


def test_a_page_that_was_not_fetched_yet_is_outstanding_not_unreadable(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    sources.append_all_and_count_new_by_table(
        {
            "sc_citation": [
                {
                    "id": "c9",
                    "dataset": DATASET,
                    "n": 9,
                    "url": "https://new.example.org/",
                    "response": sources.rows("select id from sc_response where name = 'r3'")[0][0],
                }
            ]
        }
    )
    page = open_page(PAGE, who=lead, view="Answers", answer="r3")
    said = words(page)
    assert "The answer is **not decided yet**" in said
    assert "not fetched" in said
    assert "unreadable" not in said


def test_no_address_opens_the_leads_views_to_a_reviewer(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    for query in [
        *(
            {"view": "Results", "section": one}
            for one in (
                "support",
                "merged",
                "classes",
                "sources",
                "verifiers",
                "cleanup",
                "steps",
                "published",
            )
        ),
        {"view": "Answers"},
        {"view": "Answers", "answer": "r1"},
        {"view": "Pairs"},
        {"view": "Pairs", "pair": pair_id(DATASET, "r1.s1", GOOD_URL)},
        {"view": "Nonsense"},
    ]:
        page = open_page(PAGE, who=reviewer, verifier="second", **query)
        assert not page.exception, query
        said = words(page)
        for secret in ("checker", "second", "secret", "answerer", "American", "Published"):
            assert secret not in said
        assert not page.dataframe
        assert not page.get("plotly_chart")
        assert sources.rows("select count(*) from reveal") == [(0,)]


def test_a_merged_verdict_is_shown_to_no_reviewer(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    made = records_to_store_rows.merged_sources_item_rows(
        "r1.s1", "r1", sources=["x", "y"], dataset=DATASET
    )
    said = SourceJudgment(verdict="supported", reason="A merged secret.")
    sources.append_all_and_count_new_by_table(
        records_to_store_rows.join_rows_by_table(
            [
                made,
                records_to_store_rows.model_rater_and_judgment_rows_by_table(
                    said, item=made["item"][0]["id"], model="merger", task="merged_support"
                ),
            ]
        )
    )
    for view in ("Verify sources", "Verify whole answers"):
        page = open_page(PAGE, who=reviewer, view=view)
        assert not page.exception
        assert "merger" not in words(page)
        assert "secret" not in words(page)
