"""What pages say twice of one thing adds up."""

from __future__ import annotations

import pytest

from medlens.ui import study_outlook_before_opening
from medlens.ui.sourcecheckup.statements_and_sources_prepared_to_read import SourceForReading
from medlens.ui.team_overview import TaskDone
from medlens.web.passage_search import index_sentences_of_source


def test_an_address_that_was_not_safe_to_fetch_has_no_link() -> None:
    address = "https://www.example.com/goto?u=http://10.0.0.5/bp"
    refused = SourceForReading(
        "s1", address, "", "refused", None, "", index_sentences_of_source("")
    ).browser_data
    assert refused["href"] == ""
    assert "no text and no link. Answer “Cannot tell”." in refused["note"]
    lost = SourceForReading(
        "s2",
        "https://www.example.com/gone",
        "",
        "not_found",
        404,
        "",
        index_sentences_of_source(""),
    ).browser_data
    assert lost["href"] == "https://www.example.com/gone"


@pytest.mark.parametrize("outcome", ["refused", "not_found"])
def test_a_page_without_text_is_passed_over_only_where_there_are_others_to_read(
    outcome: str,
) -> None:
    nothing = index_sentences_of_source("")
    given = ("s1", "https://www.example.com/a", "", outcome, None, "", nothing)
    alone, among = SourceForReading(*given), SourceForReading(*given, of_several=True)
    assert alone.browser_data["note"].endswith("no text and no link. Answer “Cannot tell”.") or (
        alone.browser_data["note"].endswith("no text to read. Answer “Cannot tell”.")
    )
    assert "read the others. Only if none of them can be" in among.browser_data["note"]
    # The browser keeps a source by this key.
    assert alone.content_key != among.content_key


def test_judgments_beyond_those_wanted_are_told_apart_from_progress() -> None:
    # 12 items: 2 with two judgments, 8 with three, 2 with four. 4 + 24 + 8 = 36, of which 34 count.
    done = TaskDone(each=3, counts=[(2, 2), (3, 8), (4, 2)], flagged=0)
    assert (
        done.count_of_wanted_judgments,
        done.count_of_done_judgments,
        done.count_of_surplus_judgments,
        done.count_of_all_judgments,
    ) == (36, 34, 2, 36)


@pytest.mark.parametrize(
    ("minutes", "one", "two"),
    [
        (0.02, "5 seconds", "10 seconds"),
        (0.71, "45 seconds", "90 seconds"),
        (1.6, "1.5 minutes", "3 minutes"),
        (2.3, "2.5 minutes", "5 minutes"),
        (12.2, "12 minutes", "24 minutes"),
    ],
)
def test_the_time_of_two_items_is_twice_the_time_of_one(minutes: float, one: str, two: str) -> None:
    pace = study_outlook_before_opening._rounded(minutes)
    told = [study_outlook_before_opening._minutes(many * pace) for many in (1, 2)]
    assert told[0] == one
    assert told[1] == two.replace("90 seconds", "1.5 minutes")
