"""Texts that people and models rewrote: from the answer to figures, files and the lead."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from medlens import llm
from medlens.app import work_behind_commands
from medlens.config.question_forms_and_answer_checks import UNCHANGED
from medlens.config.settings import Model, Settings
from medlens.errors import BadFile, InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import assignment, consensus, items, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.own import study_file
from medlens.studies.own.study import Study, open_study
from medlens.studies.registry import find_pipeline
from medlens.tables import write_table
from medlens.ui import own_item_panes_and_questions
from tests.llm_server import LLMServer
from tests.store.made_up import person

pytestmark = pytest.mark.usefixtures("read_near")
NAME = "draft_letters"
SIDE = ("left hip", "right hip")


def add(store: Store) -> Study:
    file = study_file.path_of_template(NAME)
    work_behind_commands.declare_study_and_return_report_text(
        store, study_file.read_study_file_text_and_declaration(file)[0], file.name
    )
    table = file.with_suffix(".csv")
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name=table.name, dataset=NAME
    )
    return open_study(store, Settings(), NAME)


@pytest.fixture
def study(store: Store) -> Study:
    return add(store)


def judge_all(store: Store, study: Study) -> dict[str, dict[str, Any]]:
    """Anna puts the side right in the first letter and lets the others stand; Ben all of them."""
    ids = items.item_ids_by_name(store, "own", NAME, [f"letter{n}" for n in range(1, 5)])
    bodies = {name: items.item_body(store, item) for name, item in ids.items()}
    for who in ("Anna", "Ben"):
        rater = person(store, who)
        told = {item: name for name, item in ids.items()}
        hand_out = HandOut(raters_per_item=2, gold_share=0)
        while item := assignment.give_next_item_and_return_id(
            store, study.task, hand_out, dataset=NAME, rater=rater.id
        ):
            name, text = told[item], UNCHANGED
            if (who, name) == ("Anna", "letter1"):
                text = bodies[name]["draft"].replace(*SIDE)
            body = {"version": 1, "answers": {"corrected": text, "as_it_was": "Nothing"}}
            judging.submit_judgment(
                store, study.task, item=item, rater=rater.id, token=new_id(), body=body
            )
    return bodies


def test_exports_have_the_new_text_and_how_much_was_changed_and_come_back(
    store: Store, study: Study, tmp_path: Any
) -> None:
    bodies = judge_all(store, study)
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset=NAME
    )
    at = list(found).index("corrected")
    counts = [f"corrected_{end}" for end in ("changed", "removed", "added", "share")]
    assert list(found)[at + 1 : at + 5] == counts
    [mine] = found[(found["rater"] == "Anna") & (found["item"] == "letter1")].to_dict("records")
    assert mine["corrected"] == bodies["letter1"]["draft"].replace(*SIDE)
    words = len([one for one in bodies["letter1"]["draft"].split() if one[0].isalnum()])
    assert [mine[name] for name in counts] == ["changed", 1, 1, round(1 / words, 4)]
    rest = found[found["rater"] == "Ben"]
    assert set(rest["corrected"]) == {UNCHANGED}
    assert (set(rest["corrected_changed"]), set(rest["corrected_share"])) == ({"not changed"}, {0})
    # The items with all judgments beside have the same, for raters and for who settles.
    lead = person(store, "Lena", lead=True)
    [item] = items.item_ids_by_name(store, "own", NAME, ["letter1"]).values()
    body = {"version": 1, "answers": {"corrected": UNCHANGED, "as_it_was": "Nothing"}}
    consensus.record_adjudication(
        store, study.task, item=item, body=body, reason="It stands.", by=lead
    )
    table = work_behind_commands.make_export_table(
        store, Settings(), "annotated", viewer=lead, study="own", dataset=NAME
    )
    told = table.set_index("item").loc["letter1"]
    of_anna = [told[f"own_questions / rater Anna / {name}"] for name in counts]
    assert of_anna == ["changed", 1, 1, round(1 / words, 4)]
    assert told["own_questions / adjudicator / corrected_changed"] == "not changed"
    assert told["own_questions / adjudicator / corrected_removed"] == 0
    write_table(found, tmp_path / "judgments.csv")
    with closing(open_store(tmp_path / "other.duckdb")) as other:
        add(other)
        source = tmp_path / "judgments.csv"
        work_behind_commands.import_file(
            *(other, Settings(), "own-judgments", source), name=source.name, dataset=NAME
        )
        again = work_behind_commands.make_export_table(
            other, Settings(), "own-judgments", viewer=None, dataset=NAME
        )
    assert again["corrected"].tolist() == found["corrected"].tolist()


def test_figures_say_how_often_a_text_was_changed_and_how_many_of_its_words(
    store: Store, study: Study
) -> None:
    judge_all(store, study)
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset=NAME
    )
    told = {(one["figure"], one["group"]): one for one in table.to_dict("records")}
    changed = told["share_corrected", "changed"]
    assert (changed["numerator"], changed["denominator"]) == (1, 8)
    assert changed["low"] < 1 / 8 < changed["high"]
    half = told["median_corrected_share", ""]
    assert (half["value"], half["n"], half["low"]) == (0, 8, 0)
    assert half["method"] == "median; Woodruff over items"
    assert told["share_corrected", "model: model A; changed"]["denominator"] == 4
    # The two agree on three of four drafts that none needs a change.
    assert told["percent_corrected", ""]["value"] == pytest.approx(3 / 4)


def test_a_draft_too_long_to_be_rewritten_is_refused_by_line(store: Store, study: Study) -> None:
    long = "item,notes,draft\nlong,n," + "word " * 3001
    with pytest.raises(BadFile, match="at most 15,000 characters, as raters rewrite it") as no:
        work_behind_commands.import_file(
            *(store, Settings(), "own-items", long.encode()), name="i.csv", dataset=NAME
        )
    assert (no.value.rows[0].line, no.value.rows[0].column) == (2, "draft")


def test_a_model_rewrites_the_whole_text_or_says_that_it_needs_no_change(
    store: Store, study: Study
) -> None:
    ids = items.item_ids_by_name(store, "own", NAME, [f"letter{n}" for n in range(1, 5)])
    drafts = [items.item_body(store, item)["draft"] for item in ids.values()]

    def answer(body: dict[str, Any]) -> str:
        told = body["messages"][1]["content"]
        draft = next(one for one in drafts if one in told)
        # The text as it was is no change either, whatever spaces a model puts round it.
        text = draft.replace(*SIDE) if SIDE[0] in draft else f"{draft}\n "
        return json.dumps({"reason": "Read.", "q_1": text, "q_2": "Nothing", "q_3": ""})

    with LLMServer() as server:
        server.answer = answer
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(store, Settings(models={"gpt": model})),
            dataset=NAME,
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
        told = server.chats[0].body["messages"][0]["content"]
    assert done.outcomes == {"rated": 4}
    assert "Give the whole text of Draft as it should read" in told
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset=NAME
    )
    said = dict(zip(found["item"], found["corrected_changed"], strict=True))
    assert said == {"letter1": "changed"} | dict.fromkeys(
        ("letter2", "letter3", "letter4"), "not changed"
    )


def test_an_adjudicator_settles_by_a_text_of_their_own(store: Store, study: Study) -> None:
    bodies = judge_all(store, study)
    [item] = items.item_ids_by_name(store, "own", NAME, ["letter1"]).values()
    task = study.task.task_as_asked_of_item(bodies["letter1"])
    own = bodies["letter1"]["draft"].replace("left", "right")
    value = consensus.adjudicator_answer_from_form(
        *(store, task),
        item=item,
        answers={"corrected": own, "as_it_was": "Nothing"},
        reason="The side.",
    )
    assert task.values_compared_for_agreement(value)["corrected"] == "changed"
    assert task.cell_of_answer_in_words("corrected", value.answers["corrected"]).startswith(
        "words: 1 out, 1 in"
    )


BESIDE = """
id = "beside"
title = "Two drafts of each letter"
instructions = "Correct both."
gold_share = 0

[[arm]]
name = "model one"
[[arm]]
name = "model two"

[[column]]
name = "draft"
means = "a draft"
by_arm = true

[[pane]]
title = "Draft"
column = "draft"

[[question]]
id = "corrected"
kind = "rewrite"
per = "arm"
text = "Correct the draft."
required = true
"""
DRAFTS = {"model one": "The left hip hurts.", "model two": "The right hip hurts badly."}
"""Four words, and five."""


@pytest.fixture
def beside(store: Store) -> Study:
    work_behind_commands.declare_study_and_return_report_text(store, BESIDE, "beside.toml")
    rows = "".join(f"l1,{arm},{text}\n" for arm, text in DRAFTS.items())
    table = f"item,arm,draft\n{rows}".encode()
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name="i.csv", dataset="beside"
    )
    return open_study(store, Settings(), "beside")


def correct(store: Store, study: Study, who: str, one: str, two: str) -> None:
    rater = person(store, who)
    hand_out = HandOut(raters_per_item=2, gold_share=0)
    assignment.give_next_item_and_return_id(
        store, study.task, hand_out, dataset="beside", rater=rater.id
    )
    [item] = items.item_ids_by_name(store, "own", "beside", ["l1"]).values()
    answers = {"corrected / model one": one, "corrected / model two": two}
    body = {"version": 1, "order": ["model two", "model one"], "answers": answers}
    judging.submit_judgment(store, study.task, item=item, rater=rater.id, token=new_id(), body=body)


def test_the_drafts_of_arms_beside_each_other_are_corrected_each_by_itself(
    store: Store, beside: Study
) -> None:
    correct(store, beside, "Anna", "The right hip hurts.", UNCHANGED)
    with pytest.raises(InvalidInput, match="this is the text as it was"):
        correct(store, beside, "Ben", UNCHANGED, DRAFTS["model two"])
    correct(store, beside, "Ben", "The left knee hurts.", "The right hip hurts.")
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="beside"
    )
    [mine] = found[found["rater"] == "Anna"].to_dict("records")
    assert mine["corrected / model one"] == "The right hip hurts."
    # One word of four gone and one new: two of eight.
    assert mine["corrected_removed / model one"] == mine["corrected_added / model one"] == 1
    assert mine["corrected_share / model one"] == 2 / 8
    assert mine["corrected_changed / model two"] == "not changed"
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="beside"
    )
    told = {(one["figure"], one["group"]): one for one in table.to_dict("records")}
    one, two = (told["share_corrected", f"arm: model {n}; changed"] for n in ("one", "two"))
    assert (one["numerator"], one["denominator"]) == (2, 2)
    assert (two["numerator"], two["denominator"]) == (1, 2)
    # Ben took one of five words out: one of nine. Half of it is the median with Anna's none.
    median = told["median_corrected_share", "arm: model two"]["value"]
    assert median == pytest.approx(1 / 9 / 2)
    # Both changed the first draft, and not in the same way.
    judged = consensus.current_judgments(store, beside.task, dataset="beside", viewer=None)
    [row] = consensus.disagreements_table(beside.task, judged).to_dict("records")
    assert "Correct the draft. (model one): changed otherwise" in row["on"]
    item = judged["item_id"].iloc[0]
    task = beside.task.task_as_asked_of_item(items.item_body(store, item))
    assert task.originals == {f"corrected / {arm}": text for arm, text in DRAFTS.items()}


def test_each_draft_stands_under_its_letter_for_people_and_models(
    store: Store, beside: Study
) -> None:
    [item] = items.item_ids_by_name(store, "own", "beside", ["l1"]).values()
    declared = beside.declared.declaration_for_item(items.item_body(store, item))
    for order in (["model two", "model one"], ["model one", "model two"]):
        fields = own_item_panes_and_questions.questions_as_form_fields(declared, order)
        assert {one["id"]: one["original"] for one in fields} == {
            f"corrected / {letter}": DRAFTS[arm] for letter, arm in zip("AB", order, strict=True)
        }

    def answer(body: dict[str, Any]) -> str:
        told = body["messages"][1]["content"]
        # The one that stands first is given back as it was, the other is cut.
        texts = sorted(DRAFTS.values(), key=told.index)
        return json.dumps({"reason": "", "q_1": f"{texts[0]} ", "q_2": "The hip."})

    with LLMServer() as server:
        server.answer = answer
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(store, Settings(models={"gpt": model})),
            dataset="beside",
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
    assert done.outcomes == {"rated": 1}
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="beside"
    )
    [said] = found.to_dict("records")
    first, second = said["order"].split("; ")
    assert said[f"corrected / {first}"] == UNCHANGED
    assert said[f"corrected / {second}"] == "The hip."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Whose draft is changed, the item alone does not say; and a shared text has no arm.
        ('per = "arm"\n', ""),
        ("by_arm = true", 'by_arm = true\n[[column]]\nname = "notes"\nmeans = "notes"'),
    ],
)
def test_a_text_that_is_not_the_arms_own_is_refused_and_so_is_an_arms_for_the_item(
    old: str, new: str
) -> None:
    text = BESIDE.replace(old, new)
    if "notes" in new:
        text += 'column = "notes"\n[[pane]]\ntitle = "Notes"\ncolumn = "notes"\n'
    with pytest.raises(BadFile) as refused:
        study_file.parse_study_file(text)
    assert {row.column for row in refused.value.rows} == {"column"}
