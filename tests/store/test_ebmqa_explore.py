"""EBMQA's answers counted by label in the store, listed, and shown to whom they may be shown."""

from __future__ import annotations

import random
from fractions import Fraction

import pandas as pd
import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import raters
from medlens.store import Store
from medlens.studies.ebmqa import metrics_answer_counts, metrics_model_comparison, questionnaire
from medlens.studies.ebmqa.answers import store_answers
from medlens.studies.ebmqa.answers.answer_and_questionnaire_import_and_export import (
    make_answers_export_table,
)
from medlens.studies.ebmqa.answers.import_answers import import_answers
from medlens.studies.ebmqa.answers.match_and_parse_answers import AnswerBlockKey
from medlens.studies.ebmqa.explore import question_queries as questions
from medlens.studies.ebmqa.explore.aggregate_queries import _WHOLE, AnswerAggregates, _added
from medlens.studies.ebmqa.explore.question_filter import AnswerFilter, QuestionsBehindMark
from medlens.studies.ebmqa.figures import make_figures_export_table
from medlens.studies.ebmqa.figures_data import agreement_levels_table as levels_of
from medlens.studies.ebmqa.figures_data import load_figure_data
from medlens.studies.ebmqa.metrics_answer_counts import AnswerCounts
from medlens.studies.ebmqa.study_in_dataset import Study, open_study
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.registry import STUDIES
from medlens.tables import Request
from tests.store.conftest import Filled
from tests.store.ebmqa_questions import DATASET, RANGES, add_questions

STUDY = Study(DATASET, True, QuestionnaireTask())
# Right are n1: 1, n2: 2, n3: 2, d1: 3, s1: 1 and 2, s2: 3.
ANSWERS = """question_id,model,answer
n1,a,1
n1,b,2
n2,a,2
n2,b,I do not know
n3,a,3
n3,b,2
d1,a,3
d1,b,3
s1,a,1;2
s1,b,1;3
s2,a,I do not know
s2,b,1
"""


@pytest.fixture
def explorer(store: Store) -> AnswerAggregates:
    add_questions(store)
    store.append(
        "ebmqa_question",
        {
            "id": "d1",
            "dataset": DATASET,
            "name": "d1",
            "digest": "d1",
            "kind": "numeric",
            "question": "What holds for d1?",
            "qa_type": "PPV",
            "options": RANGES,
            "n_options": 3,
            "correct": 4,
            "n_correct": 1,
            "answer": "low",
            "disciplines": "Cardiology; Surgery",
            "illustrative": True,
        },
    )
    import_answers(store, STUDY, Request(ANSWERS.encode(), "a.csv", DATASET))
    return AnswerAggregates(store, DATASET, None)


@pytest.fixture
def where(explorer: AnswerAggregates) -> AnswerFilter:
    return load_figure_data(explorer.store, STUDY, None, {}).where


def test_one_call_that_failed_does_not_put_another_prompt_before_the_usual_one(
    explorer: AnswerAggregates,
) -> None:
    first = []
    for prompt, more in (("reversed", 1), ("rotated", 13)):
        lines = [f"{line},{prompt}" for line in ANSWERS.splitlines()[1:]]
        lines += [f"n1,more{at},1,{prompt}" for at in range(more)]
        text = "\n".join(["question_id,model,answer,prompt", *lines])
        import_answers(explorer.store, STUDY, Request(text.encode(), "a.csv", DATASET))
        first.append(explorer.list_prompts_and_repeats_with_answer_counts()[0])
    # 12 answers to the usual prompt are half of 13, and not of 25.
    assert first == [("given+idk", 1, 12), ("rotated", 1, 25)]


def counted(
    explorer: AnswerAggregates, where: AnswerFilter, *names: str
) -> dict[tuple[str, ...], AnswerCounts]:
    return metrics_answer_counts.tally_by_groups(explorer.tally_table(where, names), names)


def test_answers_are_counted_by_model_and_kind(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    found = counted(explorer, where, "model", "kind")
    assert found["a", "numeric"] == AnswerCounts(4, 4, 0, 0, 0, 0, 3.0, 3, 3.0)
    assert found["b", "numeric"] == AnswerCounts(4, 3, 1, 0, 0, 0, 2.0, 2, 2.0)
    assert found["a", "semantic"] == AnswerCounts(2, 1, 1, 0, 0, 0, 1.0, 1, 1.0)
    # One of two chosen is right, of three that are chosen or right; the other answer is wrong.
    assert found["b", "semantic"] == AnswerCounts(2, 2, 0, 0, 0, 0, 0.5, 0, pytest.approx(1 / 3))


def test_a_score_is_the_share_of_the_chosen_options_that_is_right_wherever_it_is_counted(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    # Of s1 the first two are right: c names one of them and nothing wrong, d both and one more.
    file = b"question_id,model,answer\ns1,c,1\ns1,d,1;2;3\n"
    import_answers(explorer.store, STUDY, Request(file, "b.csv", DATASET))
    half, third = pytest.approx(1 / 2), pytest.approx(2 / 3)
    found = counted(explorer, where, "model", "kind")
    assert found["c", "semantic"] == AnswerCounts(1, 1, score=1.0, exact=0, jaccard=half)
    assert found["d", "semantic"] == AnswerCounts(1, 1, score=third, exact=0, jaccard=third)
    by_kind = explorer.tally_tables_by_label(where, ["kind"])["kind"]
    assert metrics_answer_counts.tally_by_groups(by_kind, ("model",))["d",].score == third
    levels = levels_of(explorer, where, ("c", "d")).set_index("model")["score"]
    assert levels.to_dict() == {"c": 1.0, "d": third}
    table = make_answers_export_table(explorer.store, STUDY, viewer=None).set_index("model")[
        "score"
    ]
    assert (table["c"], table["d"]) == (1.0, third)


def test_filters_narrow_by_label_model_and_words(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    middle = where.copy_with_label_limited_to_values("answer", ("middle",))
    assert counted(explorer, middle, "model")["a",] == AnswerCounts(
        2, 2, score=1.0, exact=1, jaccard=1.0
    )
    none = where.copy_with_label_limited_to_values(
        "answer", ("",)
    ).copy_with_label_limited_to_values("kind", ("numeric",))
    assert counted(explorer, none, "model") == {}
    only = AnswerFilter(DATASET, where.prompt, where.repeat, models=("b",))
    assert list(counted(explorer, only, "model")) == [("b",)]
    words = AnswerFilter(DATASET, where.prompt, where.repeat, search="PAIN; Sharp")
    assert counted(explorer, words, "model")["a",].asked == 1
    turned = AnswerFilter(DATASET, where.prompt, where.repeat, search="sharp s1 COUGH")
    assert counted(explorer, turned, "model")["a",].asked == 1
    other = AnswerFilter(DATASET, where.prompt, where.repeat, search="sharp s2")
    assert counted(explorer, other, "model") == {}
    looked_at = [
        where,
        middle,
        only,
        words,
        none_long := where.copy_with_label_limited_to_values("length", ("long",)),
    ]
    assert [explorer.count_answers(one) for one in looked_at] == [
        sum(one.asked for one in counted(explorer, part, "model").values()) for part in looked_at
    ]
    assert explorer.count_answers(none_long) == 0
    surgery = where.copy_with_label_limited_to_values("disciplines", ("Surgery", "Dermatology"))
    assert counted(explorer, surgery, "model")["a",].asked == 1


def test_a_question_counts_for_each_of_its_disciplines(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    found = counted(explorer, where, "model", "disciplines")
    one = AnswerCounts(1, 1, score=1.0, exact=1, jaccard=1.0)
    assert found["a", "Cardiology"] == found["a", "Surgery"] == one
    assert found["a", ""].asked == 5
    assert dict(explorer.question_counts_of_values_by_label()["disciplines"]) == {
        "": 5,
        "Cardiology": 1,
        "Surgery": 1,
    }


def test_all_labels_in_one_pass_are_what_each_is_by_itself(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    names = ["qa_type", "answer", "disciplines", "n_correct", "kind"]
    together = explorer.tally_tables_by_label(where, names)
    for name in names:
        alone = metrics_answer_counts.tally_by_groups(
            explorer.tally_table(where, ("model", name)), ("model", name)
        )
        both = metrics_answer_counts.tally_by_groups(together[name], ("model", "value"))
        assert {k: (v.asked, v.answered, v.idk, v.exact) for k, v in both.items()} == {
            k: (v.asked, v.answered, v.idk, v.exact) for k, v in alone.items()
        }
        for key, one in alone.items():
            assert both[key].score == pytest.approx(one.score)
            assert both[key].jaccard == pytest.approx(one.jaccard)


def test_models_meet_on_the_questions_that_both_answered(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    numeric = where.copy_with_label_limited_to_values("kind", ("numeric",))
    [pair] = metrics_model_comparison.list_comparisons_of_model_pairs(
        explorer.table_of_question_counts_per_model_set(numeric, ("a", "b")), ("a", "b")
    )
    # n1 a alone, n3 b alone, d1 both; n2 b did not answer.
    assert (pair.both, pair.first_only, pair.second_only, pair.neither) == (1, 1, 1, 0)
    assert explorer.list_cross_tabulation_of_two_models(numeric, "a", "b") == [("", 1, 1, 1, 0)]
    assert explorer.list_cross_tabulation_of_two_models(numeric, "a", "b", "answer") == [
        ("high", 0, 1, 0, 0),
        ("low", 1, 0, 0, 0),
        ("middle", 0, 0, 1, 0),
    ]


@pytest.mark.deep
def test_more_models_are_compared_than_a_number_has_bits(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    numeric = where.copy_with_label_limited_to_values("kind", ("numeric",))
    many = ("a", *(f"silent {at}" for at in range(130)), "b")
    pairs = metrics_model_comparison.list_comparisons_of_model_pairs(
        explorer.table_of_question_counts_per_model_set(numeric, many), many
    )
    [pair] = [one for one in pairs if one.shared_question_count]
    assert (pair.first, pair.second) == ("a", "b")
    assert (pair.both, pair.first_only, pair.second_only, pair.neither) == (1, 1, 1, 0)
    few, all_of_them = (levels_of(explorer, numeric, names) for names in (("a", "b"), many))
    assert all_of_them.equals(few)


def test_answers_that_others_gave_too_are_told_apart(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    numeric = where.copy_with_label_limited_to_values("kind", ("numeric",))
    levels = levels_of(explorer, numeric, ("a", "b"))
    # d1 was answered alike; a alone is right on n1 and n2 and wrong on n3, b wrong on n1, right n3.
    assert levels.to_numpy().tolist() == [
        ["a", 0, 3, 2.0, 4],
        ["a", 1, 1, 1.0, 4],
        ["b", 0, 2, 1.0, 4],
        ["b", 1, 1, 1.0, 4],
    ]


def test_questions_are_listed_by_what_became_of_them(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    def names(behind: QuestionsBehindMark | None = None, **how: str) -> list[str]:
        return questions.page_of_questions_and_total(explorer, where, behind, **how)[0][
            "name"
        ].tolist()  # type: ignore[arg-type]

    assert names(QuestionsBehindMark(model="a", state="wrong")) == ["n3"]
    assert names(QuestionsBehindMark(model="b", state="partly")) == ["s1"]
    assert names(QuestionsBehindMark((("kind", "semantic"),), "a", "idk")) == ["s2"]
    assert names(QuestionsBehindMark(model="a", other="b", cell="discordant")) == ["n1", "n3", "s1"]
    assert names(QuestionsBehindMark(model="a", other="b", cell="second_only")) == ["n3"]
    # Mean scores: s2 0; n1, n3 1/2; s1 3/4; n2, d1 1.
    assert names(sort="hardest")[0] == "s2"
    assert set(names(sort="easiest")[:2]) == {"n2", "d1"}
    page, total = questions.page_of_questions_and_total(explorer, where, limit=2, offset=4)
    assert (page["name"].tolist(), total) == (["s1", "s2"], 6)
    assert page["correct"].tolist()[0] == "Cough; Fever"
    assert page["accuracy"].tolist() == [0.75, 0.0]
    with pytest.raises(InvalidInput, match="cannot be sorted"):
        names(sort="name; drop table item")


def test_one_question_comes_with_every_models_answer(explorer: AnswerAggregates) -> None:
    one = questions.question_with_answers(explorer, "s1")
    assert [(a.model, a.outcome, a.chosen, a.score) for a in one.answers] == [
        ("a", "answered", (0, 1), 1.0),
        ("b", "answered", (0, 2), 0.5),
    ]
    assert one.correct == (0, 1)
    assert one.answers[1].said == "1;3"
    with pytest.raises(InvalidInput, match="no such question"):
        questions.question_with_answers(explorer, "elsewhere")


def test_the_answers_of_a_list_are_scored_and_named_by_what_became_of_them(
    explorer: AnswerAggregates, where: AnswerFilter
) -> None:
    found = questions.table_of_answers_to_questions(explorer, where, ["n2", "s1"]).set_index(
        ["name", "model"]
    )
    assert found.loc[("n2", "a"), ["outcome", "answer", "score"]].tolist() == [
        "answered",
        "Between 5% and 54%",
        1.0,
    ]
    assert found.loc[("n2", "b"), "outcome"] == "idk"
    assert found.loc[("n2", "b"), "answer"] == ""
    assert found.loc[("s1", "b"), ["answer", "score"]].tolist() == ["Cough; Pain; sharp", 0.5]
    assert questions.table_of_answers_to_questions(explorer, where, []).empty


@pytest.mark.deep
def test_the_export_says_which_prompt_its_figures_rest_on(explorer: AnswerAggregates) -> None:
    file = "question_id,model,answer,prompt\nn1,a,1,mine\n"
    import_answers(explorer.store, STUDY, Request(file.encode(), "m.csv", DATASET))
    rows = make_figures_export_table(explorer.store, STUDY, viewer=None)
    methods = rows.drop_duplicates("figure").set_index("figure")["method"]
    where = load_figure_data(explorer.store, STUDY, None, {}).where
    assert where.prompt != "mine"
    assert methods["accuracy"].endswith(f"; prompt {where.prompt}, repeat 1")
    assert "prompt" not in methods["questions"]
    assert "prompt" not in methods["majority"]


def test_the_export_of_an_empty_store_has_undefined_rows(store: Store) -> None:
    rows = make_figures_export_table(store, Study("", False, QuestionnaireTask()), viewer=None)
    assert rows["value"].isna().all()
    said = dict(zip(rows["figure"], rows["method"], strict=True))
    assert said["questions"] == "undefined, because there are no questions"
    assert said["accuracy"] == "undefined, because no model has answered these questions"
    assert "majority" in said


def test_the_export_has_the_figures_of_the_page(explorer: AnswerAggregates) -> None:
    rows = make_figures_export_table(explorer.store, STUDY, viewer=None)
    found = rows.set_index(["figure", "group"])["value"]
    assert found["accuracy", "a, numeric"] == 0.75
    assert found["accuracy", "b, semantic"] == 0.25
    # Commonest class: middle, on two of four numeric questions.
    assert found["majority", "numeric"] == 0.5
    assert found["chance", "semantic"] == pytest.approx((2 / 3 + 1 / 4) / 2)
    assert found["accuracy_by_label", "a, numeric, disciplines, Surgery"] == 1


@pytest.mark.deep
def test_the_export_is_narrowed_by_run_model_and_prompt(explorer: AnswerAggregates) -> None:
    store = explorer.store
    seqs = [
        seq for (seq,) in store.rows("select seq from ebmqa_question where name in ('n1', 'n2')")
    ]
    asked = store_answers.prepare_answers_of_one_model_for_storing(
        seqs, AnswerBlockKey("a", "given", 1), [(0, 1, "1")] * len(seqs)
    )
    store_answers.store_answers_and_count(store, DATASET, *asked, origin="model", run="run-1")

    def rows(**sides: str) -> pd.DataFrame:
        return make_figures_export_table(store, STUDY, viewer=None, **sides).set_index(
            ["figure", "group"]
        )

    def n(table: pd.DataFrame) -> dict[str, int]:
        return table.loc["answer_rate"]["n"].to_dict()

    usual = {"a, numeric": 4, "a, semantic": 2, "b, numeric": 4, "b, semantic": 2}
    assert n(rows()) == usual
    # A run goes with the prompt that it asked by, and with nothing that was imported.
    of_run = rows(run="run-1")
    assert n(of_run) == {"a, numeric": 2}
    assert of_run.iloc[0][["run", "model", "prompt"]].tolist() == ["run-1", "", "given"]
    assert of_run.loc["accuracy"]["method"].str.endswith("; prompt given, repeat 1").all()
    assert n(rows(prompt="given")) == {"a, numeric": 2}
    one = rows(model="b")
    assert n(one) == {"b, numeric": 4, "b, semantic": 2}
    assert set(one["model"]) == {"b"}
    # What is answered twice by two prompts is never pooled.
    assert n(rows(model="a|b")) == usual
    for sides in ({"run": "run-2"}, {"model": "c"}, {"model": "a|c"}, {"prompt": "mine"}):
        [side] = sides
        with pytest.raises(InvalidInput, match=f"has no {side} '"):
            rows(**sides)


@pytest.mark.deep
def test_people_are_compared_with_the_models_that_figures_are_narrowed_to(filled: Filled) -> None:
    store = filled(STUDIES["ebmqa"].demo)
    study = open_study(store)
    [first, *_] = load_figure_data(store, study, None, {}).selected_models
    table = make_figures_export_table(store, study, viewer=None, model=first)
    people = table[table["figure"].str.startswith("questionnaire")]
    said = people[people["group"].str.startswith("model, ")]["group"]
    assert set(said) == {f"model, {first}"}
    against = people[people["figure"] == "questionnaire_difference"]["group"]
    assert [one.split(",")[0] for one in against] == [f"people against {first}"]
    assert "people" in set(people["group"])


def test_scores_add_up_to_the_same_whatever_their_order(store: Store) -> None:
    fractions = [(1, 3), (2, 7), (1, 10), (5, 6), (3, 29), (1, 30), (7, 9), (1, 1)] * 40
    exact = float(sum(Fraction(*one) for one in fractions))
    for seed in range(5):
        random.Random(seed).shuffle(fractions)
        rows = ", ".join(f"({hits}, {of}, 1)" for hits, of in fractions)
        added = _added("hits", "of", "n")
        sql = f"select {added}::double / {_WHOLE} from (values {rows}) as t(hits, of, n)"
        assert store.rows(sql) == [(exact,)]


def test_a_reviewer_sees_answers_only_after_the_questionnaire(explorer: AnswerAggregates) -> None:
    store = explorer.store
    rosa, lena = (
        raters.find_or_add_rater_by_name(store, "Rosa"),
        raters.find_or_add_rater_by_name(store, "Lena", role="lead"),
    )
    assert AnswerAggregates(store, DATASET, rosa).list_models()
    questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=2)
    with pytest.raises(NotAllowed, match="after you have answered"):
        AnswerAggregates(store, DATASET, rosa)
    with pytest.raises(NotAllowed):
        make_figures_export_table(store, STUDY, viewer=rosa)
    assert AnswerAggregates(store, DATASET, lena).list_models()
