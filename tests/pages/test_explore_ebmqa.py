"""The Explore page: each view, what a mark opens, and who sees what when."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import items, numbers_printed_in_papers, raters
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.ebmqa import figures_charts, questionnaire
from medlens.studies.ebmqa.answers import store_answers
from medlens.studies.ebmqa.answers.import_answers import import_answers
from medlens.studies.ebmqa.answers.match_and_parse_answers import AnswerBlockKey
from medlens.studies.ebmqa.explore.question_filter import QuestionsBehindMark
from medlens.studies.ebmqa.explore.question_queries import QuestionWithAnswers
from medlens.studies.ebmqa.figures_data import load_figure_data as look_at
from medlens.studies.ebmqa.question_file_import_and_export import import_questions
from medlens.studies.ebmqa.records import LABELS, SET_KIND, STUDY
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.registry import STUDIES
from medlens.tables import Request
from medlens.ui.ebmqa import address_changes, question_evidence
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, components, line_control, words
from tests.store.ebmqa_questions import DATASET, add_questions

PAGE = "4_Explore_EBMQA.py"
MODELS = {"alpha": (1, 2, 2, 3), "beta *b*": (1, 1, 1, 1), "gamma": (2, 2, 0, 3)}

VIEWS = [
    ({}, "Accuracy by model"),
    ({"measure": "idk_rate"}, "I do not know by model"),
    ({"section": "table"}, "Models against models"),
    ({"view": "Published"}, "Avnat et al. 2024: "),
    ({"section": "rate"}, "Answer rate against accuracy"),
    ({"section": "risk"}, "Risk and coverage"),
    ({"section": "prompts"}, "A prompt study asks a model the same questions"),
    ({"view": "Labels"}, "Accuracy by answer"),
    ({"view": "Labels", "section": "cross"}, "Accuracy by answer and model"),
    ({"view": "Labels", "section": "gaps"}, "Median over the paper's labels"),
    ({"view": "Labels", "section": "forest"}, "Accuracy of alpha: each answer against"),
    ({"view": "Labels", "section": "rate"}, "Spearman's rho: alpha undefined"),
    ({"view": "Models"}, "Who is right where the other is not"),
    ({"view": "Models", "section": "two"}, "40 questions both answered"),
    ({"view": "Pivot", "test": "rows", "models": "gamma"}, "Whether the rows differ: chi-square"),
    ({"view": "Pivot", "test": "rows"}, "Not tested: every model answers the same questions"),
    ({"view": "Pivot", "test": "columns", "show": "interval"}, "Accuracy: answer by model"),
    ({"view": "Questions", "sort": "hardest"}, "1–40** of 40 questions"),
    ({"view": "Question set"}, "Questions by answer"),
    ({"view": "Question set", "across": "qa_type"}, "40 questions"),
    ({"view": "Published"}, "The paper's numbers"),
]
"""Links of the first version, and what each shows."""

SECTIONS = [
    ({"section": "overview", "overview": "table"}, "Models against models"),
    ({"section": "labels", "labels": "cross"}, "Accuracy by answer and model"),
    ({"section": "labels", "labels": "rate"}, "Spearman's rho: alpha undefined"),
    ({"section": "pairs", "pairs": "two"}, "40 questions both answered"),
    ({"section": "pivot", "rows": "answer"}, "Accuracy: answer by model"),
    ({"section": "set"}, "Questions by answer"),
    ({"section": "people"}, "Nobody has answered all of a questionnaire"),
    ({"section": "published"}, "The paper's numbers"),
]
"""Links as they are now, and what each shows."""


def add_answered(store: Store) -> None:
    # 40 questions whose right options go 1, 2, 2, 3; 0 stands for not knowing.
    add_questions(store, numeric=40)
    whole = NewItem("set-1", {"questions": 40})
    items.add_items(store, [whole], study=STUDY, kind=SET_KIND, dataset=DATASET)
    rows = [
        f"m{at:03d},{model},{choices[at % 4] or 'I do not know'}"
        for model, choices in MODELS.items()
        for at in range(40)
    ]
    text = "\n".join(["question_id,model,answer", *rows])
    study = Study(DATASET, True, QuestionnaireTask())
    import_answers(store, study, Request(text.encode(), "a.csv", DATASET))


@pytest.fixture
def filled_by(request: pytest.FixtureRequest) -> tuple[Fill, ...]:
    asked = (add_answered,) if "answered" in request.fixturenames else ()
    return (STUDIES["tagging"].demo, *asked)


@pytest.fixture
def answered(app_store: Store) -> Store:
    return app_store


@pytest.fixture
def look(open_page: OpenPage, answered: Store, lead: Rater):  # type: ignore[no-untyped-def]
    def at(**query: str) -> AppTest:
        page = open_page(PAGE, who=lead, dataset=DATASET, **query)
        assert not page.exception
        return page

    return at


@pytest.mark.deep
def test_every_view_is_a_link_for_a_lead(look) -> None:  # type: ignore[no-untyped-def]
    for query, said in (*VIEWS, *SECTIONS):
        shown = words(look(**query)).replace("\\", "").replace("\u2060", "")
        assert said in shown, query


def test_a_filter_in_the_link_narrows_and_its_chip_takes_it_away(look) -> None:  # type: ignore[no-untyped-def]
    page = look(view="Questions", answer="middle|gone")
    assert "of 20 questions" in words(page)
    page.button(key="figures.chip.answer").click().run()
    assert "of 40 questions" in words(page)
    assert "answer" not in page.query_params


def add_run(store: Store, prompt: str) -> str:
    """Alpha's answers to the first ten once more, by a run that asked with another prompt."""
    run = new_id()
    config = {"dataset": DATASET}
    row = {
        "id": run,
        "study": STUDY,
        "kind": "ask",
        "digest": "d",
        "config": config,
        "made_by": "cli",
    }
    store.append("run", row)
    numbers = [
        seq
        for (seq,) in store.rows(
            "select seq from ebmqa_question where dataset = $dataset and name < 'm010'",
            dataset=DATASET,
        )
    ]
    asked = store_answers.prepare_answers_of_one_model_for_storing(
        numbers, AnswerBlockKey("alpha", prompt, 1), [(0, 1, "1")] * len(numbers)
    )
    store_answers.store_answers_and_count(store, DATASET, *asked, origin="model", run=run)
    return run


@pytest.mark.deep
def test_figures_are_narrowed_by_run_model_and_prompt_in_the_link(answered: Store, look) -> None:  # type: ignore[no-untyped-def]
    run, _ = add_run(answered, "given"), add_run(answered, "reversed")
    shown = words(look(run=run))
    assert "10 answers of 1 models" in shown
    assert "without" not in shown
    assert "not among them" in shown
    page = look()
    assert "120 answers of 3 models" in words(page)
    assert page.selectbox(key="figures.run").value is None
    page.selectbox(key="figures.run").set_value(run).run()
    assert "".join(page.query_params["run"]) == run
    # The prompt stands in the link; the run asked by another, and what there is to see is told.
    assert "No answer matches these choices" in words(page)
    page.selectbox(key="figures.prompt").set_value("given").run()
    assert "10 answers of 1 models" in words(page)
    assert "80 answers of 2 models" in words(look(model="alpha|gamma"))


@pytest.mark.first_quick
@pytest.mark.parametrize("side", ["run", "model", "prompt"])
def test_what_a_link_narrows_to_and_is_not_there_is_said(look, side: str) -> None:  # type: ignore[no-untyped-def]
    page = look(**{side: "gone"})
    assert f"has no {side} 'gone'" in words(page)
    assert "Accuracy by model" not in words(page)


def test_a_cell_of_a_pivot_by_prompt_leads_to_the_questions_of_that_prompt() -> None:
    with patch.object(address_changes, "set_values_in_address") as gone:
        address_changes.put_mark_in_address("kind=numeric|answer=low|prompt=reversed")
    assert gone.call_args.kwargs["prompt"] == "reversed"
    assert gone.call_args.kwargs["mark"] == "kind=numeric|answer=low"


def test_a_mark_lists_its_questions_and_a_question_shows_every_answer(look) -> None:  # type: ignore[no-untyped-def]
    page = look(view="Labels", mark="answer=middle|model=gamma|state=idk")
    # gamma does not know the third of four.
    assert "of 10 questions" in words(page)
    assert "middle, gamma" in words(page)
    page = look(view="Models", mark="model=alpha|other=gamma|cell=first_only")
    # Alpha is right on all, gamma answers the first of four wrongly.
    assert "of 10 questions" in words(page)
    page = look(question="m002")
    [table] = [one.value for one in page.dataframe]
    assert table["answer"].tolist() == ["Between 5% and 54%", "Greater than 54%", "I do not know"]
    assert "1 of 3 answers are right" in words(page)
    assert "What holds for m002?" in words(page)
    for mark in ("model=alpha|state=nonsense", "prompt=given", "answer=low|disciplin=x"):
        assert "no longer exists" in words(look(view="Labels", mark=mark))


def test_an_answered_question_shows_its_evidence_with_citations_as_links(
    answered: Store, look
) -> None:  # type: ignore[no-untyped-def]
    cited = ["Jones 2019, PMID 123", "doi:10.1000/a_b(2)", "https://example.org/a)b", "<b>old*"]
    numeric = {
        "question_id": "e1",
        "kind": "numeric",
        "qa_type": "Prevalence",
        "question": "How common?",
        "options": ["high", "low"],
        "correct": ["low"],
        "value": 0.000002,
        "evidence": [
            {"value": 0.000002, "min": 0.0000006, "max": 0.0001, "edges": 2, "citations": cited}
        ],
    }
    semantic = {
        **numeric,
        "question_id": "e2",
        "kind": "semantic",
        "qa_type": "Semantic",
        "evidence": [{"value": v, "min": v, "max": v, "citations": []} for v in (0.2, 0.9)],
    }
    text = "\n".join(json.dumps(one) for one in (numeric, semantic))
    study = Study(DATASET, True, QuestionnaireTask())
    import_questions(answered, study, Request(text.encode(), "q.jsonl", DATASET))
    page = look(question="e1")
    shown = words(page)
    assert "2 statements give 0.00006% to 0.01%" in shown
    assert "**0.0002%**" in shown
    assert "(<https://pubmed.ncbi.nlm.nih.gov/123/>)" in shown
    assert "(<https://doi.org/10.1000/a_b%282>)" in shown or "10.1000/a_b" in shown
    assert "(<https://example.org/a)b>)" in shown
    assert "\\<b\\>old\\*" in shown
    [table] = [one.value for one in look(question="e2").dataframe if "value" in one.value]
    assert table[["option", "value", "key"]].values.tolist() == [
        ["low", 0.9, True],
        ["high", 0.2, False],
    ]


@pytest.mark.deep
def test_a_prompt_study_is_drawn_over_the_questions_that_all_prompts_asked(
    answered: Store, look
) -> None:  # type: ignore[no-untyped-def]
    # Alpha is asked the first ten again, the other way round, and is right on the first of four.
    rows = [f"m{at:03d},alpha,{1 if at % 4 == 0 else 3},reversed+idk" for at in range(10)]
    text = "\n".join(["question_id,model,answer,prompt", *rows])
    study = Study(DATASET, True, QuestionnaireTask())
    import_answers(answered, study, Request(text.encode(), "r.csv", DATASET))
    rows = [f"m{at:03d},alpha,{MODELS['alpha'][at % 4]},given+idk" for at in range(40)]
    text = "\n".join(["question_id,model,answer,prompt", *rows])
    import_answers(answered, study, Request(text.encode(), "g.csv", DATASET))
    page = look(section="prompts")
    assert "Accuracy by prompt" in words(page)
    [means] = [one.value for one in page.dataframe if "SD" in one.value]
    # Ten of ten given; reversed the first of four (0, 4, 8) and the fourth (3, 7): 5 of 10.
    assert means["mean"].tolist() == [pytest.approx(75)]
    assert means["SD"].tolist() == [pytest.approx(35.35534)]


def test_behind_a_mark_stand_the_questions_with_what_each_model_answered(look) -> None:  # type: ignore[no-untyped-def]
    page = look(view="Labels", mark="answer=middle")
    [table] = [one.value for one in page.dataframe if "key" in one.value]
    assert list(table.columns)[:6] == ["text", "score", "alpha", "beta *b*", "gamma", "key"]
    assert len(table) == 20
    first = table[table["question"] == "m001"].iloc[0]
    assert first[["alpha", "beta *b*", "gamma", "key"]].tolist() == [
        "✓ Between 5% and 54%",
        "✗ Greater than 54%",
        "✓ Between 5% and 54%",
        "Between 5% and 54%",
    ]
    assert table[table["question"] == "m002"]["gamma"].tolist() == ["– I do not know"]


def test_the_list_behind_a_mark_is_searched_by_words_in_any_order_and_the_chart_is_not(
    look,
) -> None:  # type: ignore[no-untyped-def]
    page = look(view="Labels", mark="answer=middle", find="m002? holds what")
    assert "of 1 questions" in words(page)
    assert page.session_state["ebmqa.find"] == "m002? holds what"
    assert "Accuracy by answer" in words(page)
    assert not page.query_params.get("q")
    page.text_input(key="ebmqa.find").set_value("").run()
    assert "of 20 questions" in words(page)


def test_models_stand_on_a_leaderboard_by_the_models_that_are_significantly_better(look) -> None:  # type: ignore[no-untyped-def]
    [table] = [one.value for one in look().dataframe if "rank" in one.value]
    # Alpha is right on 40 of 40, gamma on 20 of 30, beta on 10 of 40. Of the 30 that both answered,
    # gamma alone is right on 20 and beta alone on 10: the score is 10 / sqrt(30), p .068.
    assert table[["rank", "model", "accuracy"]].values.tolist() == [
        ["1", "alpha", "100.00% (40/40)"],
        ["2=", "gamma", "66.67% (20/30)"],
        ["2=", "beta *b*", "25.00% (10/40)"],
    ]
    # Bounds are drawn with two decimals, as the share is: alpha's, with t(39) = 2.0227, is
    # 40 / (40 + 2.0227²) = 90.72%.
    [shown] = [one.proto for one in look().dataframe if "rank" in one.value]
    assert json.loads(shown.columns)["from"]["type_config"]["format"] == "%.2f%%"
    assert table["from"].iloc[0] == pytest.approx(90.72, abs=0.005)


def test_charts_are_sorted_as_the_link_asks(answered: Store, lead: Rater) -> None:
    data = look_at(answered, STUDIES[STUDY].open(answered, None, DATASET), lead, {})
    [chart, _] = figures_charts.measure_of_every_model_charts(
        data, {"measure": "accuracy", "order": "worst"}
    )
    named = [row for row in chart.table["group"] if row.endswith(", numeric")]
    assert named[:3] == ["beta *b*, numeric", "gamma, numeric", "alpha, numeric"]


def test_marks_of_one_kind_list_no_questions_of_the_other(answered: Store, lead: Rater) -> None:
    data = look_at(answered, STUDIES[STUDY].open(answered, None, DATASET), lead, {})
    marks = figures_charts.answer_rate_against_accuracy_chart(
        data.figure_data_of_kind("numeric")
    ).marks
    found = [QuestionsBehindMark.parse_mark_name(mark) for mark in marks]
    assert {one.labels for one in found if one} == {(("kind", "numeric"),)}
    assert [one.model for one in found[::2] if one] == list(MODELS)


@pytest.mark.deep
def test_a_model_may_be_called_as_a_place_or_a_column_is(answered: Store, look) -> None:  # type: ignore[no-untyped-def]
    rows = [f"m{at:03d},{name},1" for name in ("second best", "all", "Answer") for at in range(40)]
    text = "\n".join(["question_id,model,answer", *rows])
    study = Study(DATASET, True, QuestionnaireTask())
    import_answers(answered, study, Request(text.encode(), "b.csv", DATASET))
    page = look(
        view="Models",
        section="two",
        first="second best",
        second="alpha",
        mark="model=second best|other=alpha|cell=second_only",
    )
    assert "second best and alpha:\u2060 alpha only" in words(page)
    [table] = [one.value for one in page.dataframe if "where" in one.value]
    assert table["where"].tolist() == ["both right", "second best only", "alpha only", "neither"]
    pivot = look(view="Pivot", rows="answer", test="columns").dataframe[0].value
    assert list(pivot.columns) == [
        "Answer",
        "all",
        "alpha",
        "Answer (2)",
        "beta *b*",
        "gamma",
        "second best",
        "all (2)",
    ]
    # Low, middle, high: alpha is always right, the model called "all" says the first option.
    assert pivot["alpha"].tolist() == ["100.0%"] * 3
    assert pivot["all"].tolist() == ["0.0%", "0.0%", "100.0%"]


def test_names_of_models_are_shown_as_they_are(look) -> None:  # type: ignore[no-untyped-def]
    page = look(view="Models", section="two", second="beta *b*")
    assert "beta \\*b\\* alone on 0" in words(page)


def test_a_reviewer_explores_only_after_handing_in(
    open_page: OpenPage, answered: Store, reviewer: Rater
) -> None:
    questionnaire.sample_questionnaire_and_count_added(answered, DATASET, number=4)
    page = open_page(PAGE, who=reviewer, dataset=DATASET, view="Labels", question="m002")
    assert not page.exception
    shown = words(page)
    assert "once you have handed in the questionnaire" in shown
    assert "alpha" not in shown
    assert not page.dataframe
    assert "Answer the questionnaire" in shown
    assert not any(str(one.key).startswith("line.") for one in page.get("button_group"))
    names = questionnaire.answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(
        answered, DATASET
    ).values()
    answered.append(
        "reveal",
        *({"task": "ebmqa_answer", "item": item, "rater": reviewer.id} for item in names),
    )
    page = open_page(PAGE, who=reviewer, dataset=DATASET, view="Labels")
    assert "Accuracy by answer" in words(page)


@pytest.mark.deep
def test_who_was_shown_what_is_right_before_the_draw_is_told_so_at_the_desk(
    open_page: OpenPage, answered: Store, reviewer: Rater, lead: Rater
) -> None:
    open_page(PAGE, who=reviewer, dataset=DATASET)
    # Figures alone name no right answer; a list of questions does.
    assert questionnaire.list_who_has_seen_correct_answers(answered, DATASET) == []
    open_page(PAGE, who=reviewer, dataset=DATASET, view="Questions")
    assert questionnaire.list_who_has_seen_correct_answers(answered, DATASET) == ["Rosa Reviewer"]
    # And so does a link to one of them.
    open_page(
        PAGE,
        who=raters.find_or_add_rater_by_name(answered, "Ben Beside"),
        dataset=DATASET,
        question="m000",
    )
    assert sorted(questionnaire.list_who_has_seen_correct_answers(answered, DATASET)) == [
        "Ben Beside",
        "Rosa Reviewer",
    ]
    page = open_page(PAGE, who=lead, dataset=DATASET, view="Answer the questionnaire")
    assert "have seen right answers already" in words(page)
    assert "Rosa Reviewer" in words(page)
    questionnaire.sample_questionnaire_and_count_added(answered, DATASET, number=4)
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert "You have seen the right answers to some of these questions before" in words(page)
    page = open_page(PAGE, who=lead, dataset=DATASET, view="Answer the questionnaire")
    assert "You have seen" not in words(page)


def test_where_there_is_no_questionnaire_a_reviewer_begins_with_the_overview(
    open_page: OpenPage, answered: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert "Accuracy by model" in words(page)
    assert line_control(page, "section").options == ["Judge", "Browse", "Results"]
    assert line_control(page, "section").value == "results"


def test_a_list_of_questions_begins_with_what_they_ask(look) -> None:  # type: ignore[no-untyped-def]
    # A phone shows no more than that.
    table = look(view="Questions").dataframe[0].value
    assert list(table.columns[:2]) == ["text", "score"]
    assert table.columns[-1] == "question"


def test_published_numbers_stand_with_their_unit_and_what_is_wrong_with_them(look) -> None:  # type: ignore[no-untyped-def]
    page = look(view="Published")
    [shown] = [one.proto.body for one in page.get("html") if "class='paper'" in one.proto.body]
    assert shown.count("<tr>") == 1 + len(
        numbers_printed_in_papers.published_numbers_of_study("ebmqa")
    )
    claude = "this is Claude3&#x27;s numeric answer rate; its numeric accuracy is 61.29"
    assert (
        "<tr><td>Accuracy, numeric, Claude3 (abstract)</td><td data-head='printed'>63.7 %"
        f"<small class='odd'>Inconsistent: {claude}</small><small>Abstract</small></td>"
        "<td data-head='shown beside'>accuracy, Claude3, numeric</td></tr>"
    ) in shown
    assert "94.62% (2,320/2,542)<small class='odd'>Inconsistent: 2,320/2,542 = 91.27" in shown
    # Nothing there can be filtered.
    assert not [one for one in page.button if "filter" in (one.key or "")]


def test_without_questions_leads_are_taken_to_the_import_and_others_told_who_imports(
    open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=lead)
    assert not page.exception
    assert [one.key for one in page.selectbox] == ["line.study"]
    assert "There are no questions yet." in words(page)
    assert [one.proto.label for one in page.get("page_link")].count("Import them") == 1
    page = open_page(PAGE, who=reviewer)
    assert "A lead can import them on the Data page." in words(page)
    assert "Import them" not in [one.proto.label for one in page.get("page_link")]


@pytest.mark.deep
def test_a_filter_outlives_a_question_that_the_browser_asked_before_it_heard_of_it(
    answered: Store, lead: Rater, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(PAGE, who=lead, view="Labels")
    page.session_state["figures.filter"] = True
    page.run()
    label = next(one for one in page.multiselect if (one.key or "") == "ebmqa.f.model")
    label.select("alpha").run()
    assert "".join(page.query_params["model"]) == "alpha"
    # The sheet was closed in the same moment: that question still names the old address.
    del page.query_params["model"]
    page.run()
    assert "".join(page.query_params["model"]) == "alpha"
    # Later the browser knows better.
    monkeypatch.setattr("medlens.ui.page_address._SECONDS", 0.0)
    del page.query_params["model"]
    page.run()
    assert "model" not in page.query_params


@pytest.mark.parametrize(
    ("qa_type", "value", "said"), [("Sensitivity", 0.29445, "29.445%"), ("PLR", 2.5, "2.5")]
)
def test_what_the_evidence_says_is_in_the_unit_of_the_options(
    qa_type: str, value: float, said: str
) -> None:
    labels = {LABELS["qa_type"]: qa_type}
    one = QuestionWithAnswers(
        "q", "numeric", "How common?", ("Less than 5%",), (0,), labels, (), value
    )
    assert question_evidence._shown(one, value) == said


def test_a_lead_is_offered_to_correct_the_question_that_they_read(answered: Store, look) -> None:  # type: ignore[no-untyped-def]
    item = items.ids_by_name_made_from_item_names(STUDY, DATASET, ["m002"])["m002"]
    page = look(question="m002")
    page.session_state[f"correct.{item}"] = True
    page.run()
    [form] = [json.loads(one.proto.json) for one in components(page, "answer_form")]
    assert form["values"]["cell.question"] == "What holds for m002?"
    assert form["values"]["cell.correct"] == "Between 5% and 54%"
