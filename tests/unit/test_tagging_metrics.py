"""The figures of error tagging, on a handful of judgments worked out by hand."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from medlens.errors import InvalidInput
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson_share_estimate
from medlens.studies.tagging import (
    metrics_agreement,
    metrics_input_tables,
    metrics_label_prevalence_pairs_and_places,
    metrics_rater_severity_time_and_breaches,
)
from medlens.studies.tagging.figures import FIGURES
from medlens.studies.tagging.figures_data import TaggingFigureData
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.taxonomy import Label, Taxonomy, load_taxonomy

ROOT = Path(__file__).parents[2]
TEXT = "0123456789" * 10


def label(name, kind="error", *, requires_link=False):
    return Label(
        id=name,
        key=0,
        name=name,
        aliases=(),
        export_name=name,
        kind=kind,
        colour="#000000",
        pattern="solid",
        hint="",
        definition="",
        not_when="",
        example="",
        example_reason="",
        requires_link=requires_link,
        steps=(),
    )


TAXONOMY = Taxonomy(
    id="small",
    title="Small",
    version="1",
    labels=(
        label("wrong"),
        label("claim", requires_link=True),
        label("fine", "non_error"),
        label("none", "non_error"),
    ),
)


def span(labels, start=0, end=10, *, link="", located="exact"):
    return ErrorSpan(
        start=start,
        end=end,
        quote="" if start is None else TEXT[start:end],
        labels=tuple(labels.split()),
        link=link,
        located=located,
    )


def judged(*rows):
    """Judgments of (item, rater, spans) or (item, rater, spans, seconds)."""
    return pd.DataFrame(
        [
            {
                "judgment_id": f"j{number:03d}",
                "item": row[0],
                "rater": row[1],
                "rater_kind": "person",
                "seconds": row[3] if len(row) > 3 else np.nan,
                "value": ErrorSpans(spans=tuple(row[2])),
            }
            for number, row in enumerate(rows)
        ],
        columns=["judgment_id", "item", "rater", "rater_kind", "seconds", "value"],
    )


def ready(*rows, texts=("b", "a", "c")):
    items = pd.DataFrame({"item": list(texts), "response": [TEXT] * len(texts)})
    return metrics_input_tables.make_tagging_tables(judged(*rows), TAXONOMY, items=items)


def given(table):
    return {
        item: sorted(table.columns[row])
        for item, row in zip(table.index, table.to_numpy(), strict=True)
    }


# b: three raters, wrong twice, claim once, fine once. a: one rater. c: two raters, nothing shared.
STUDY = (
    ("b", "r1", [span("wrong")], 100),
    ("b", "r2", [span("wrong", 5, 15), span("claim", 50, 60)], 200),
    ("b", "r3", [span("fine", 90, 100)], 600),
    ("a", "r1", [span("claim", 40, 60)]),
    ("c", "r1", [span("wrong")]),
    ("c", "r2", [span("none")]),
)


def test_relaxed_takes_any_rater_and_strict_two_or_the_only_one_and_drops_the_rest():
    relaxed = metrics_input_tables.table_of_labels_under_rule(judged(*STUDY), TAXONOMY, "relaxed")
    assert given(relaxed) == {
        "b": ["claim", "fine", "wrong"],
        "a": ["claim"],
        "c": ["none", "wrong"],
    }
    strict = metrics_input_tables.table_of_labels_under_rule(judged(*STUDY), TAXONOMY, "strict")
    assert given(strict) == {"b": ["wrong"], "a": ["claim"]}
    assert list(strict.columns) == ["wrong", "claim", "fine", "none"]


def test_items_come_as_first_seen_or_in_the_order_asked_for():
    table = metrics_input_tables.table_of_labels_under_rule(judged(*STUDY), TAXONOMY, "relaxed")
    assert list(table.index) == ["b", "a", "c"]
    asked = metrics_input_tables.table_of_labels_under_rule(
        judged(*STUDY), TAXONOMY, "relaxed", order=["c", "zzz", "a"]
    )
    assert list(asked.index) == ["c", "a", "b"]


def test_a_rater_with_several_judgments_on_an_item_counts_once():
    rows = (
        ("a", "r1", [span("wrong")], 30),
        ("a", "r1", [span("wrong"), span("claim")], 40),
    )
    # One rater: every label of theirs holds, even under strict.
    assert given(
        metrics_input_tables.table_of_labels_under_rule(judged(*rows), TAXONOMY, "strict")
    ) == {"a": ["claim", "wrong"]}
    # A second rater: wrong, given twice by the first, is still given by one.
    rows = (*rows, ("a", "r2", [span("fine")], 50))
    assert (
        given(metrics_input_tables.table_of_labels_under_rule(judged(*rows), TAXONOMY, "strict"))
        == {}
    )
    overall, by_rater = (
        metrics_rater_severity_time_and_breaches.median_seconds_overall_and_by_rater(ready(*rows))
    )
    assert by_rater["r1"].value == 70
    assert (overall.value, overall.n) == (60, 2)


def test_what_an_adjudicator_settled_holds_under_both_rules_and_the_figures_say_so() -> None:
    rows = [
        ("a", "r1", [span("wrong")]),
        ("a", "r2", [span("claim")]),
        ("b", "r1", [span("wrong")]),
    ]
    tags = metrics_input_tables.make_tagging_tables(
        judged(*rows), TAXONOMY, words={"a": frozenset({"fine"}), "gone": frozenset()}
    )
    for rule in metrics_input_tables.RULES:
        assert given(metrics_input_tables.table_of_labels_under_rule(tags, TAXONOMY, rule)) == {
            "a": ["fine"],
            "b": ["wrong"],
        }
    share = metrics_label_prevalence_pairs_and_places.prevalence_by_label(tags, "strict")["wrong"]
    assert (share.numerator, share.n) == (1, 2)
    assert share.method.endswith("; settled by an adjudicator: 1")
    # No label at all is a word too.
    none = metrics_input_tables.make_tagging_tables(
        judged(*rows), TAXONOMY, words={"a": frozenset()}
    )
    assert given(metrics_input_tables.table_of_labels_under_rule(none, TAXONOMY, "relaxed")) == {
        "b": ["wrong"]
    }
    # Nor has an item a label on which no answer holds; the figures say so.
    rejected = metrics_input_tables.make_tagging_tables(judged(*rows), TAXONOMY, words={"a": None})
    assert given(
        metrics_input_tables.table_of_labels_under_rule(rejected, TAXONOMY, "relaxed")
    ) == {"b": ["wrong"]}
    share = metrics_label_prevalence_pairs_and_places.prevalence_by_label(rejected, "strict")[
        "wrong"
    ]
    assert share.n == 1
    assert share.method.endswith("; settled by an adjudicator: 1, of these no answer holds: 1")


def test_a_rater_who_marked_nothing_counts_as_a_rater_of_the_item():
    rows = (("a", "r1", [span("wrong")]), ("a", "r2", []))
    assert (
        given(metrics_input_tables.table_of_labels_under_rule(judged(*rows), TAXONOMY, "strict"))
        == {}
    )
    assert metrics_agreement.agreement_by_label(ready(*rows))["wrong"].alpha.n == 1


def test_only_people_count_unless_models_are_asked_for():
    judgments = judged(*STUDY, ("a", "gpt", [span("none")]))
    judgments.loc[judgments["rater"] == "gpt", "rater_kind"] = "model"
    assert given(metrics_input_tables.table_of_labels_under_rule(judgments, TAXONOMY, "relaxed"))[
        "a"
    ] == ["claim"]
    both = metrics_input_tables.make_tagging_tables(judgments, TAXONOMY, kinds=("person", "model"))
    assert given(metrics_input_tables.table_of_labels_under_rule(both, TAXONOMY, "relaxed"))[
        "a"
    ] == [
        "claim",
        "none",
    ]


def test_a_label_that_the_taxonomy_does_not_have_is_refused_by_name():
    with pytest.raises(InvalidInput, match=r"r9's judgment of a has the label 'strange'"):
        ready(("a", "r9", [span("strange")]))
    with pytest.raises(InvalidInput, match="lenient"):
        metrics_input_tables.table_of_labels_under_rule(judged(*STUDY), TAXONOMY, "lenient")


@pytest.mark.shared_data
@pytest.mark.parametrize("rule", metrics_input_tables.RULES)
def test_the_published_labels_come_out_of_the_published_annotations(rule, shared_data):
    taxonomy = load_taxonomy(ROOT / "data" / "taxonomies" / "g4ue.toml")
    raw = pd.read_csv(shared_data / "g4ue" / "raw_annotations.csv")
    rows = [
        (
            row.id,
            row.annotator_id,
            [
                span(
                    taxonomy.find_label_by_any_name(mark["annotation"]).id,
                    None,
                    None,
                    located="label_only",
                )
                for mark in ast.literal_eval(row.span_annotations)
            ],
        )
        for row in raw.itertuples()
    ]
    table = metrics_input_tables.table_of_labels_under_rule(judged(*rows), taxonomy, rule)
    names = {one.id: one.export_name for one in taxonomy.labels}
    published = pd.read_csv(shared_data / "g4ue" / f"{rule}_labels.csv", index_col="id")
    ours = table.rename(columns=names)[list(published.columns)].sort_index()
    assert list(ours.index) == sorted(published.index)
    assert (ours.to_numpy() == published.sort_index().to_numpy()).all()


def test_prevalence_counts_items_that_have_a_label_under_the_rule():
    tags = ready(*STUDY)
    relaxed, strict = (
        metrics_label_prevalence_pairs_and_places.prevalence_by_label(tags, "relaxed"),
        metrics_label_prevalence_pairs_and_places.prevalence_by_label(tags, "strict"),
    )
    # Relaxed: wrong on b and c of a, b, c. Strict: c has no label, so wrong on b of a and b.
    assert (relaxed["wrong"].numerator, relaxed["wrong"].denominator) == (2, 3)
    assert (strict["wrong"].numerator, strict["wrong"].denominator) == (1, 2)
    kept = metrics_label_prevalence_pairs_and_places.estimate_share_of_items_with_any_label(
        tags, "strict"
    )
    assert (kept.numerator, kept.denominator) == (2, 3)


def test_agreement_on_a_label_by_hand():
    found = metrics_agreement.agreement_by_label(ready(*STUDY))["wrong"]
    # b: 1 1 0, c: 1 0; a has one rater. Five ratings on two items, three 1 and two 0. Observed:
    # b has 2 x 2 ordered pairs that differ over 3 - 1 = 2, c has 2 over 1: 4. Expected
    # 2 x 3 x 2 = 12. Alpha = 1 - 4 x 4 / 12 = -1/3.
    assert found.alpha.value == pytest.approx(-1 / 3)
    assert (found.alpha.n, found.alpha.pairs) == (2, 4)
    assert found.alpha.coverage == pytest.approx(2 / 3)
    # One of three pairs on b, none on c: (1/3 + 0) / 2.
    assert found.percent.value == pytest.approx(1 / 6)
    assert "1 to 3 ratings" in found.fleiss.reason
    assert (found.use.numerator, found.use.denominator, found.use.n) == (3, 6, 6)


def test_a_label_that_nobody_gave_has_no_alpha_and_says_why():
    found = metrics_agreement.agreement_by_label(
        ready(("a", "r1", [span("wrong")]), ("a", "r2", [span("wrong")]))
    )
    assert "all ratings are the same" in found["none"].alpha.reason
    assert found["none"].ac1.value == 1.0


def test_agreement_on_label_sets_by_hand():
    rows = [(item, rater, [span("wrong")]) for item in ("a", "b") for rater in ("r1", "r2")]
    rows[3] = ("b", "r2", [span("wrong claim")])
    # Sets {wrong} three times and {wrong, claim} once, on b: alpha 0, see the test of set_alpha. A
    # third item with one rater only lowers the coverage.
    found = metrics_agreement.label_set_agreement_by_distance(
        ready(*rows, ("c", "r1", [span("none")]))
    )
    for distance in ("masi", "jaccard"):
        assert found[distance].value == pytest.approx(0, abs=1e-12)
        assert (found[distance].n, found[distance].pairs) == (2, 2)
        assert found[distance].coverage == pytest.approx(2 / 3)


def test_agreement_on_spans_by_hand():
    found = metrics_agreement.compute_span_f1s_and_word_alphas(ready(*STUDY))
    # b: r1 and r2 overlap on wrong (2 x 1 / 3 spans), r3 meets nobody: 2/9. c: the same words with
    # different labels.
    assert found.f1["exact", "same label"].value == 0.0
    assert found.f1["exact", "any label"].value == pytest.approx(0.5)
    overlap = found.f1["overlap", "same label"]
    assert overlap.value == pytest.approx(1 / 9)
    assert found.f1["overlap", "any label"].value == pytest.approx((2 / 9 + 1) / 2)
    assert (overlap.n, overlap.pairs) == (2, 4)
    assert overlap.coverage == found.words["wrong"].coverage == pytest.approx(2 / 3)


def test_a_judgment_with_an_unknown_place_is_left_out_of_span_agreement_and_nothing_else():
    lost = (
        "b",
        "r4",
        [span("wrong", None, None, located="missing"), span("claim", 50, 60)],
    )
    before, after = ready(*STUDY), ready(*STUDY, lost)
    assert metrics_agreement.compute_span_f1s_and_word_alphas(
        before
    ) == metrics_agreement.compute_span_f1s_and_word_alphas(after)
    located = metrics_label_prevalence_pairs_and_places.estimate_share_of_located_spans(after)
    assert (located.numerator, located.denominator) == (8, 9)
    assert metrics_agreement.agreement_by_label(after)["wrong"].use.denominator == 7


def test_labels_occur_together_by_item_and_on_the_same_words():
    tags = ready(
        ("a", "r1", [span("wrong claim", 0, 10), span("fine", 50, 60)]),
        ("a", "r2", [span("wrong", 0, 10), span("claim", 9, 20), span("wrong", 5, 12)]),
        ("b", "r1", [span("wrong", 0, 10), span("claim", 10, 20)]),
        ("c", "r1", [span("wrong claim", None, None, located="missing")]),
    )
    by_item = metrics_label_prevalence_pairs_and_places.label_cooccurrence_counts_table(
        tags, "relaxed"
    )
    assert by_item.loc["wrong", "claim"] == by_item.loc["claim", "wrong"] == 3
    assert (by_item.loc["wrong", "fine"], by_item.loc["fine", "fine"]) == (1, 1)
    # Same words: r1 on a in one span, r2 on a in two that share a character or more (counted once),
    # c in one span of unknown place; on b the spans only touch.
    words = metrics_label_prevalence_pairs_and_places.same_passage_counts_table(tags)
    assert words.loc["wrong", "claim"] == words.loc["claim", "wrong"] == 3
    assert words.loc["wrong", "fine"] == 0
    assert words.loc["wrong", "wrong"] == 4
    share = metrics_label_prevalence_pairs_and_places.same_passage_shares_by_label_pair(tags)[
        "wrong", "claim"
    ]
    assert (share.numerator, share.denominator) == (3, 4)


def test_a_span_falls_into_the_tenth_that_holds_its_middle():
    tags = ready(
        (
            "a",
            "r1",
            [span("wrong", 0, 19), span("wrong", 0, 20), span("wrong", 99, 100)],
        ),
        (
            "b",
            "r1",
            [span("wrong", 0, 20), span("wrong", None, None, located="missing")],
        ),
    )
    found = metrics_label_prevalence_pairs_and_places.span_shares_per_tenth_by_label(tags)
    # Middles 9.5, 10 and 10, 99.5 of 100 characters.
    assert [one.numerator for one in found["wrong"]] == [1, 2, 0, 0, 0, 0, 0, 0, 0, 1]
    assert found["wrong"][1].value == 0.5
    assert found["wrong"][2].low is None
    assert not found["fine"][0].has_value


def test_severity_compares_a_rater_with_the_others_on_the_same_items():
    found = metrics_rater_severity_time_and_breaches.severity_by_rater(ready(*STUDY))
    # Errors on b: r1 1, r2 2, r3 0. On c: r1 1, r2 0. On a: r1 alone.
    # r1: b 1 - (2 + 0) / 2 = 0, c 1 - 0 = 1. r2: b 2 - 1/2 = 1.5, c 0 - 1. r3: b 0 - 1.5.
    assert found["r1"].difference.value == pytest.approx(0.5)
    assert found["r2"].difference.value == pytest.approx(0.25)
    assert found["r3"].difference.value == pytest.approx(-1.5)
    assert (found["r1"].difference.n, found["r1"].errors.n) == (2, 3)
    assert found["r3"].non_error["fine"].value == 1.0
    alone = metrics_rater_severity_time_and_breaches.severity_by_rater(
        ready(("a", "r1", [span("wrong")]))
    )["r1"]
    assert alone.difference.reason == "no item is shared with another rater"
    assert alone.errors.value == 1.0


def test_time_per_item_is_a_median_with_quartiles_over_what_was_timed():
    overall, by_rater = (
        metrics_rater_severity_time_and_breaches.median_seconds_overall_and_by_rater(ready(*STUDY))
    )
    # 100, 200, 600: quartiles halfway to the neighbours.
    assert (overall.low, overall.value, overall.high, overall.n) == (150, 200, 400, 3)
    assert by_rater["r1"].n == 1
    untimed = metrics_rater_severity_time_and_breaches.median_seconds_overall_and_by_rater(
        ready(("a", "r1", [span("wrong")]))
    )[0]
    assert untimed.reason == "no time was recorded"


def test_breaches_name_item_rater_and_rule():
    tags = ready(
        ("b", "r1", [span("wrong fine none")]),
        (
            "a",
            "r2",
            [span("claim", link="https://example.org/trial"), span("claim", 20, 30)],
        ),
        ("a", "r3", [span("claim", link="https://example.org/trial")]),
    )
    assert metrics_rater_severity_time_and_breaches.rule_breaches_table(tags).to_dict("list") == {
        "item": ["a", "b", "b"],
        "rater": ["r2", "r1", "r1"],
        "what": [
            "no link or citation",
            "error and non-error label together",
            "more than one non-error label",
        ],
        "labels": [("claim",), ("wrong", "fine", "none"), ("fine", "none")],
    }


@pytest.mark.parametrize(
    ("marked", "broken"),
    [
        ("wrong fine", [("error and non-error label together", ("wrong", "fine"))]),
        ("wrong", []),
        ("fine", []),
        ("fine none", [("more than one non-error label", ("fine", "none"))]),
    ],
)
def test_one_non_error_label_beside_an_error_breaks_a_rule(marked, broken):
    found = metrics_rater_severity_time_and_breaches.rule_breaches_table(
        ready(("a", "r1", [span(marked)]))
    )
    assert list(zip(found["what"], found["labels"], strict=True)) == broken


def test_a_missing_link_is_counted_among_the_judgments_that_need_one():
    rows = judged(
        ("a", "r1", [span("claim")]),
        ("a", "r2", [span("claim", link="https://example.org/trial")]),
        ("b", "r1", [span("wrong")]),
        ("b", "r2", [span("fine")]),
    )
    items = pd.DataFrame({"item": ["a", "b"], "response": [TEXT] * 2})
    table = figures(rows, items)
    of = table[table["figure"] == "rule_breaches"].set_index("group")
    # Two of the four judgments hold the label that asks for a link, one of them has none.
    assert of.loc["no link or citation", ["numerator", "denominator"]].tolist() == [1, 2]
    assert of.loc["more than one non-error label", "denominator"] == 4


def test_the_table_of_spans_has_a_row_per_span_and_label():
    rows = [
        (
            "a",
            "r1",
            [span("wrong claim"), span("fine", None, None, located="ambiguous")],
        )
    ]
    table = metrics_input_tables.spans_table(judged(*rows), TAXONOMY)
    assert table["label"].tolist() == ["wrong", "claim", "fine"]
    assert table["span"].tolist() == [1, 1, 2]
    assert table["kind"].tolist() == ["error", "error", "non_error"]
    assert table["start"].isna().tolist() == [False, False, True]
    assert table["quote"].tolist() == ["0123456789", "0123456789", ""]


def figures(judgments, items, gold=None):
    """All rows of the list, of judgments that no store holds."""
    data = TaggingFigureData(None, None, None, {})
    tags = metrics_input_tables.make_tagging_tables(judgments, TAXONOMY, items=items)
    vars(data).update(
        tagging_tables=tags, gold_hit_rates_by_rater=gold or {}, medqa_accuracy_rows=[]
    )
    return FIGURES.make_table_of_all_figures(data)


def random_study(seed=7):
    rng = np.random.default_rng(seed)
    names = [one.id for one in TAXONOMY.labels]
    rows = []
    for item in range(30):
        for rater in rng.choice(8, size=rng.integers(1, 5), replace=False):
            starts = rng.integers(0, 80, size=rng.integers(0, 4))
            spans = [
                span(names[rng.integers(4)], int(s), int(s + rng.integers(1, 20))) for s in starts
            ]
            rows.append((f"item{item}", f"r{rater}", spans, float(rng.random())))
    items = pd.DataFrame({"item": [f"item{n}" for n in range(30)], "response": [TEXT] * 30})
    return judged(*rows), items


def test_figures_are_the_same_to_the_last_digit_in_another_row_order():
    judgments, items = random_study()
    gold = {
        "r1": wilson_share_estimate(1, 2),
        "r2": Estimate.undefined_estimate("no gold item was judged"),
    }
    once = figures(judgments, items, gold=gold)
    again = figures(judgments.sample(frac=1, random_state=1), items[::-1], gold=gold)
    pd.testing.assert_frame_equal(once, again, check_exact=True)


def test_figures_have_the_columns_of_the_export_and_one_row_per_figure_and_group():
    judgments, items = random_study()
    table = figures(judgments, items, gold={"r1": wilson_share_estimate(1, 2)})
    assert list(table.columns) == [
        *("study", "figure", "group", "numerator", "denominator"),
        *("value", "low", "high", "n", "p", "method", "speaks_for"),
    ]
    assert not table.duplicated(["figure", "group"]).any()
    assert set(table["study"]) == {"tagging"}
    assert (table["method"] != "").all()
    undefined = table["value"].isna()
    assert table["method"].str.startswith("undefined, because ").tolist() == undefined.tolist()
    # The page draws from the function, the export from the same.
    tags = metrics_input_tables.make_tagging_tables(judgments, TAXONOMY, items=items)
    row = table[(table["figure"] == "alpha") & (table["group"] == "claim")].iloc[0]
    drawn = metrics_agreement.agreement_by_label(tags)["claim"].alpha
    assert (row["value"], row["low"], row["high"], row["n"]) == (
        drawn.value,
        drawn.low,
        drawn.high,
        drawn.n,
    )
    share = table[table["numerator"].notna() & table["value"].notna()]
    assert np.allclose(
        share["value"],
        share["numerator"].astype(float) / share["denominator"].astype(float),
    )


def test_figures_of_a_study_without_judgments_are_undefined_and_never_zero():
    table = figures(judged(), pd.DataFrame({"item": [], "response": []}))
    rest = table[~table["figure"].isin(["items", "judgments", "raters"])]
    assert len(rest) > 20
    assert rest["value"].isna().all()
