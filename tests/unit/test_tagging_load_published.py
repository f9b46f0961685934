"""The study's own files, where they are at hand: counts, and the published labels exactly."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pandas as pd
import pytest

from medlens.studies.tagging.load_raw_annotations import (
    LoadedAnnotations,
    read_annotations_surveys_and_refused_rows,
    read_labels_of_items,
    table_of_labels_in_published_layout,
)
from medlens.studies.tagging.read_g4ue_items_and_responses import read_items, read_responses
from medlens.studies.tagging.taxonomy import Taxonomy, load_taxonomy

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("MEDLENS_SHARED", ROOT.parent / "shared")) / "data" / "g4ue"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the published data are not here")


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_taxonomy(ROOT / "data" / "taxonomies" / "g4ue.toml")


@pytest.fixture(scope="module")
def annotated(taxonomy: Taxonomy) -> LoadedAnnotations:
    return read_annotations_surveys_and_refused_rows(DATA / "raw_annotations.csv", taxonomy)


def test_every_mark_is_accounted_for(annotated: LoadedAnnotations) -> None:
    report = annotated.report
    assert (report.rows, report.annotations, report.raters, report.items) == (184, 184, 45, 60)
    # 301 marks: 274 fit by their offsets (5 of these on question or options), 26 by their words
    # (offsets shifted, or the markup of an earlier mark inside), 1 has words that nobody wrote.
    assert report.spans == 301
    assert (report.exact, report.by_quote, report.ambiguous, report.missing) == (269, 26, 0, 6)
    assert (report.outside, report.unknown_labels) == (5, 0)


def test_every_placed_span_quotes_the_items_response(annotated: LoadedAnnotations) -> None:
    items = {one.name: one.item for one in read_items(DATA / "items.jsonl").records}
    for one in annotated.items:
        assert one.item == items[one.name].model_copy(update={"serial_num": None})
    for annotation in annotated.annotations:
        text = items[annotation.item].response
        for span in annotation.value.spans:
            assert span.start is None or text[span.start : span.end] == span.quote


@pytest.mark.parametrize("rule", ["relaxed", "strict"])
def test_the_published_labels_come_out_exactly(
    rule: str, annotated: LoadedAnnotations, taxonomy: Taxonomy
) -> None:
    path = DATA / f"{rule}_labels.csv"
    raters: dict[str, set[str]] = defaultdict(set)
    given: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in annotated.annotations:
        raters[one.item].add(one.rater)
        for label in one.value.labels_given():
            given[one.item][label].add(one.rater)
    labels = {}
    for item, who in raters.items():
        needed = 1 if rule == "relaxed" else min(2, len(who))
        kept = frozenset(label for label, by in given[item].items() if len(by) >= needed)
        if kept:
            labels[item] = kept
    published = {one.item: one.labels for one in read_labels_of_items(path, taxonomy).records}
    assert labels == published
    ours = table_of_labels_in_published_layout(
        pd.DataFrame({"item": list(published), "labels": [labels[item] for item in published]}),
        taxonomy,
    )
    pd.testing.assert_frame_equal(ours, pd.read_csv(path), check_dtype=False)


def test_the_chosen_option_is_found_where_it_is_stated() -> None:
    items = read_items(DATA / "items.jsonl").records
    responses = read_responses(DATA / "incorrect_responses.csv").records
    assert (len(items), len(responses)) == (60, 60)
    # All 120 were read by eye: 14 state no single option; two responses do give the right one.
    unstated = [one.name for one in (*items, *responses) if one.item.chosen is None]
    assert len(unstated) == 14
    right = [o.name for o in (*items, *responses) if o.item.chosen == o.item.correct]
    assert right == ["serial804", "serial855"]
