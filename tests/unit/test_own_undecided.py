"""Items of a team's own study on which people do not agree, as its results count them."""

from __future__ import annotations

import pandas as pd

from medlens.studies.own.figures import count_undecided_items
from medlens.studies.own.study_file import parse_study_file

TEXT = """\
id = "letters"
title = "Discharge letters"
instructions = "Read it."

[[column]]
name = "letter"
means = "the letter"

[[pane]]
title = "Letter"
column = "letter"

[[question]]
id = "sort"
kind = "multiple"
text = "What is wrong?"
options = ["Dose", "Late"]
"""


def test_an_item_is_undecided_if_it_was_answered_without_a_majority_and_nobody_settled_it() -> None:
    [sort] = parse_study_file(TEXT).form.questions
    rows = [
        # One option is decided, the other is not: the item counts, and once.
        ("l1", "sort: Dose", "True", False, 2),
        ("l1", "sort: Late", None, False, 1),
        ("l2", "sort: Dose", None, False, 1),
        ("l2", "sort: Late", None, False, 1),
        # An adjudicator said that no answer holds: it is settled.
        ("l3", "sort: Dose", None, True, 1),
        # Nobody answered.
        ("l4", "sort: Dose", None, False, 0),
        # Another question whose name begins alike.
        ("l5", "sorting", None, False, 1),
    ]
    words = pd.DataFrame(rows, columns=["item", "variable", "answer", "adjudicated", "votes"])
    assert count_undecided_items(sort, words) == 2
