from __future__ import annotations

import json
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest

from medlens.errors import BadFile
from medlens.tagging.demo import Demo, load_demo
from medlens.tagging.taxonomy import Taxonomy, load_taxonomy

DATA = Path(__file__).resolve().parents[2] / "data"
FOLDER = DATA / "demo" / "tagging"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_taxonomy(DATA / "taxonomies" / "g4ue.toml")


@pytest.fixture(scope="module")
def demo() -> Demo:
    return load_demo(FOLDER)


def test_there_are_24_items_in_the_form_of_the_examination(demo: Demo) -> None:
    assert len(demo.items) == 24
    for name, item in demo.items:
        keys = [option.key for option in item.options]
        assert keys == list("ABCDE")[: len(keys)], name
        assert len(keys) in (4, 5), name
        assert item.correct in keys, name
        assert item.chosen is None or item.chosen in keys, name
        assert item.chosen != item.correct, name
        assert 60 <= len(item.question.split()) <= 130, name
        assert 120 <= len(item.response.split()) <= 260, name
        assert item.question.endswith("?"), name


def test_everything_is_marked_as_illustrative_and_names_no_real_model(demo: Demo) -> None:
    assert (demo.dataset, demo.illustrative) == ("demo", True)
    assert {(item.model, item.meta_info) for _, item in demo.items} == {
        ("demo-model", "illustrative")
    }
    for file in FOLDER.iterdir():
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert (row["dataset"], row["illustrative"]) == ("demo", True)


def test_the_texts_hold_units_and_signs_but_no_emoji(demo: Demo) -> None:
    text = "".join(item.question + item.response for _, item in demo.items)
    assert set("≥µ°β³−×") <= set(text)
    # emoji are of the category "symbol, other", as is the degree sign
    assert {c for c in text if unicodedata.category(c) == "So"} == {"°"}
    assert "\r" not in text


def test_three_raters_judge_twenty_items_each_and_every_item_has_two_or_three(demo: Demo) -> None:
    assert demo.raters == ("Demo rater A", "Demo rater B", "Demo rater C")
    assert set(Counter(j.rater for j in demo.judgments).values()) == {20}
    per_item = Counter(j.item for j in demo.judgments)
    assert set(per_item) == {name for name, _ in demo.items}
    assert set(per_item.values()) == {2, 3}


def test_every_quote_is_located_and_every_judgment_keeps_the_rules(
    demo: Demo, taxonomy: Taxonomy
) -> None:
    items = dict(demo.items)
    for judgment in demo.judgments:
        text = items[judgment.item].response
        assert taxonomy.problems(judgment.value, text) == []
        assert 90 <= judgment.seconds <= 600
        for span in judgment.value.spans:
            assert text[span.start : span.end] == span.quote
            in_order = [label.id for label in taxonomy.labels if label.id in span.labels]
            assert list(span.labels) == in_order


def test_all_nine_labels_are_given_on_three_items_or_more(demo: Demo, taxonomy: Taxonomy) -> None:
    items: dict[str, set[str]] = {label.id: set() for label in taxonomy.labels}
    for judgment in demo.judgments:
        for label in judgment.value.labels():
            items[label].add(judgment.item)
    assert {label for label, where in items.items() if len(where) < 3} == set()


def test_agreement_is_good_for_some_labels_and_poor_for_others(
    demo: Demo, taxonomy: Taxonomy
) -> None:
    names = [name for name, _ in demo.items]
    alpha = {}
    for label in taxonomy.labels:
        votes = np.full((3, len(names)), np.nan)
        for judgment in demo.judgments:
            place = demo.raters.index(judgment.rater), names.index(judgment.item)
            votes[place] = label.id in judgment.value.labels()
        alpha[label.id] = krippendorff.alpha(votes, level_of_measurement="nominal")
    assert alpha["non_medical_factual_error"] > 0.8
    assert alpha["unsupported_medical_claim"] > 0.6
    assert alpha["incorrect_or_vague_conclusion"] < 0.2
    assert alpha["sticking_with_wrong_diagnosis"] < 0.4


def test_the_gold_items_are_judged_by_all_and_hit_by_some_only_in_part(demo: Demo) -> None:
    assert len(demo.gold) == 2
    for gold in demo.gold:
        given = [j.value.labels() for j in demo.judgments if j.item == gold.item]
        assert len(given) == 3
        assert all(gold.labels <= labels for labels in given)
        assert any(gold.labels != labels for labels in given)


def test_each_rater_answered_both_forms(demo: Demo) -> None:
    answered = {(survey.rater, survey.form) for survey in demo.surveys}
    assert answered == {(r, f) for r in demo.raters for f in ("feedback", "background")}


Change = Callable[[dict[str, Any]], None]


def set_field(field: str, value: object) -> Change:
    return lambda row: row.update({field: value})


def first_span(field: str, value: object) -> Change:
    return lambda row: row["spans"][0].update({field: value})


@pytest.mark.parametrize(
    "file, change, reason",
    [
        ("items.jsonl", set_field("correct", "F"), "the letter of an option, got 'F'"),
        ("items.jsonl", set_field("name", "demo01"), "a name not used already"),
        ("items.jsonl", set_field("illustrative", False), "column 'illustrative'"),
        ("judgments.jsonl", set_field("item", "demo99"), "the name of an item in items.jsonl"),
        ("judgments.jsonl", set_field("item", "demo01"), "one judgment of an item by each rater"),
        ("judgments.jsonl", first_span("quote", "no such words"), "these occur 0 times"),
        ("judgments.jsonl", first_span("quote", "the"), "words that occur exactly once"),
        ("judgments.jsonl", first_span("labels", ["made_up"]), "'made_up' is not in the taxonomy"),
        ("judgments.jsonl", set_field("seconds", -1), "column 'seconds'"),
        ("judgments.jsonl", set_field("spans", []), "Mark at least one passage"),
        ("gold.jsonl", set_field("labels", ["made_up"]), "labels of the taxonomy, got 'made_up'"),
        ("surveys.jsonl", set_field("form", "tax"), "one of background, feedback"),
        ("surveys.jsonl", set_field("answers", {"time": "Long"}), "please"),
    ],
)
def test_a_fault_in_the_demo_is_refused_by_file_and_line(
    tmp_path: Path, file: str, change: Change, reason: str
) -> None:
    data = tmp_path / "data"
    for part in ("demo", "forms", "taxonomies"):
        shutil.copytree(DATA / part, data / part)
    path = data / "demo" / "tagging" / file
    lines = path.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[1])
    change(row)
    lines[1] = json.dumps(row)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(BadFile) as refused:
        load_demo(path.parent)
    assert f"{file}, line 2" in str(refused.value)
    assert reason in str(refused.value)
