"""The verification page: who sees what when, what is saved, and where a link leads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import hand_out_settings, judging, remarks_between_raters_and_leads
from medlens.review.chart_specifications import (
    figure_name_in_words,
    group_name_in_words,
    split_mark_id,
)
from medlens.review.raters import Rater
from medlens.store import Store, new_id, utc_now
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import queries, records_to_store_rows, tasks
from medlens.studies.sourcecheckup.figures_charts import support_chart
from medlens.studies.sourcecheckup.figures_data import load_figure_data
from medlens.studies.sourcecheckup.load_figure_evidence import load_evidence
from medlens.studies.sourcecheckup.records import (
    VERDICT_NAMES,
    Response,
    Source,
    name_of_pair_item,
    pair_id,
    response_id,
    source_id,
)
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.sourcecheckup import pair_and_answer_desk_state_and_messages as pair_desk
from medlens.ui.sourcecheckup.address_changes import url_if_safe_to_open
from medlens.ui.sourcecheckup.pair_and_answer_desk_state_and_messages import SourceDesk
from medlens.ui.sourcecheckup.source_reader import parse_message
from medlens.web.fetched_page_walls import ABSTRACT_ONLY
from medlens.web.passage_search import index_sentences_of_source
from tests.conftest import Fill
from tests.handles import item_called, name_called
from tests.pages.conftest import OpenPage, answer, form_of, words
from tests.sourcecheckup_made_up import (
    DATASET,
    GOOD,
    GOOD_URL,
    HOSTILE,
    HOSTILE_URL,
    OTHER,
    SCRIPT_URL,
    figures,
    make,
)

PAGE = "3_Verify_sources.py"
SECRETS = ("checker", "second", "secret", "answerer")


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (STUDIES["tagging"].demo, make)


@pytest.fixture
def sources(app_store: Store) -> Store:
    return app_store


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def told(page: AppTest) -> dict[str, Any]:
    """What the browser was told to draw as the desk."""
    return component(page, "source_desk")


def send(page: AppTest, action: str, *, why: str = "", **change: object) -> None:
    """What the browser sends when the answer is changed, or a way on is pressed."""
    shown = told(page)
    pair = shown["item"]
    message = parse_message(
        {
            "token": new_id(),
            "rater": shown["rater"],
            "item": pair["item"],
            "sources": pair["sources"],
            "base": pair["rev"],
            "action": action,
            "body": pair["draft"] | change,
            "reason": why,
            "attempt": 1,
        }
    )
    desk(page).carry_out_message_and_set_acknowledgement(message)
    page.run()
    assert not page.exception


def desk(page: AppTest) -> SourceDesk:
    task = {"pair": tasks.SUPPORT, "answer": tasks.RESPONSE}[told(page)["thing"]]
    held: SourceDesk = page.session_state[f"{task}.desk"][1]
    return held


def item_of(page: AppTest) -> str:
    return name_called(
        settings_store_and_runs_of_process.store_of_process(), page.query_params["item"]
    )


def reader(page: AppTest) -> dict[str, Any]:
    """What the browser was told to draw as a source that is only read."""
    return component(page, "source_reader")


def component(page: AppTest, name: str) -> dict[str, Any]:
    [one] = [
        node
        for node in _all(page._tree)
        if node.type == "bidi_component" and name in node.proto.component_name
    ]
    found: dict[str, Any] = json.loads(one.proto.json)
    return found


def _all(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from _all(child)


def turn_to(page: AppTest, name: str) -> None:
    """Press Next, or from the last one Previous, until the pair of this name lies on the desk."""
    way = "next"
    for _ in range(2 * PAIRS):
        if item_of(page) == name:
            return
        way = way if told(page)["has_next"] else "previous"
        send(page, way)
    raise AssertionError(f"{name} did not come")


PAIR = name_of_pair_item("r1.s1", GOOD_URL)
PAIRS = 7


def test_a_reviewer_sees_statement_and_source_but_no_model_and_no_verdict(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    assert not page.exception
    turn_to(page, PAIR)
    shown = told(page)
    source = shown["sources"][shown["item"]["sources"][0]]
    assert "Adults may take up to 4 g" in shown["item"]["statements"][0]
    assert source["sentences"] == index_sentences_of_source(GOOD).texts_of_sentences()
    best = source["sentences"][shown["item"]["like"][0][0][0]]
    assert best == "The highest dose of paracetamol for adults is 4 g in 24 hours."
    assert shown["reveal"] is None
    assert source["href"] == GOOD_URL
    for secret in SECRETS:
        assert secret not in words(page) + json.dumps(shown)
    assert sources.rows("select count(*) from reveal") == [(0,)]


@pytest.mark.deep
def test_a_pair_that_was_sent_back_is_submitted_again_even_with_the_same_verdict(
    open_page: OpenPage, sources: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    send(page, "draft", verdict="supported")
    send(page, "submit")
    assert told(page)["item"]["standing"]
    handle, task = told(page)["item"]["item"], tasks.SourceSupportTask()
    item = item_called(sources, handle)
    back = {"kind": "return", "text": "Read it again.", "by": lead}
    remarks_between_raters_and_leads.store_remark_on_work(
        sources, task, item=item, rater=reviewer.id, **back
    )
    # In the session of before too, in which the verdict stood.
    send(page, "next" if told(page)["has_next"] else "previous")
    assert told(page)["ahead"]["items"][handle]["standing"] is None
    page = open_page(PAGE, who=reviewer, item=PAIR)
    shown = told(page)["item"]
    assert shown["item"] == handle
    assert shown["place"].endswith(", sent back to you")
    # With a standing verdict, Enter would only move on.
    assert (shown["standing"], shown["state"]) == (None, "open")
    send(page, "submit")
    assert told(page)["item"]["standing"]
    assert (
        remarks_between_raters_and_leads.list_remarks_awaiting_rater(sources, rater=reviewer.id)
        == []
    )


def test_the_verdict_shows_after_submitting_and_a_second_thought_is_not_blind(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    send(page, "submit")
    assert "Say whether the source supports" in told(page)["ack"]["error"]["message"]
    assert told(page)["reveal"] is None
    send(page, "draft", verdict="not_supported")
    assert told(page)["ack"]["error"] is None
    assert told(page)["item"]["saved_at"]
    send(page, "submit")
    assert item_of(page) == PAIR
    reveal = told(page)["reveal"]
    assert reveal["words"][0] == {
        "rater": "checker",
        "verdict": "Supported",
        "reason": "The secret reason of the checker.",
        "quote": "The highest dose of paracetamol for adults is 4 g in 24 hours.",
        "how": "exact",
        "note": "Quote found on the page word for word, underlined with dots:",
        "changes": [],
        "at": [0, 0],
        "quoted": reveal["words"][0]["quoted"],
    }
    sentences = told(page)["sources"][told(page)["item"]["sources"][0]]["sentences"]
    assert [sentences[i] for i in reveal["words"][0]["quoted"]] == [
        "The highest dose of paracetamol for adults is 4 g in 24 hours."
    ]
    send(page, "draft", verdict="supported")
    send(page, "submit")
    assert told(page)["reveal"]["first"] == "Not supported"
    assert sources.rows(
        "select body->>'verdict', blind from judgment where rater = $r order by revision",
        r=reviewer.id,
    ) == [("not_supported", True), ("supported", False)]
    send(page, "onward")
    assert item_of(page) != PAIR
    assert "checker" not in words(page) + json.dumps(told(page))


def test_pairs_sent_ahead_hold_nobodys_word_but_ones_own(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    send(page, "submit", verdict="partly", reason="Mine")
    shown = told(page)
    before = shown["reveal"]["words"]
    assert before
    # What models said of this pair has been read; of the next one it has not.
    ahead = json.dumps(shown["ahead"])
    assert shown["ahead"]["moves"]["onward"] in shown["ahead"]["items"]
    assert not any(secret in ahead for secret in SECRETS)
    onward = shown["ahead"]["items"][shown["ahead"]["moves"]["onward"]]
    assert onward["sources"][0] in shown["sources"]
    assert onward["draft"] == {"verdict": None, "reason": "", "marks": []}
    send(page, "onward")
    assert told(page)["item"] == onward
    # One's own answer is sent ahead with its pair; what models said of it waits for the move.
    turn_to(page, PAIR)
    away, home = ("next", "previous") if told(page)["item"]["at"] == 0 else ("previous", "next")
    send(page, away)
    shown = told(page)
    back = shown["ahead"]["items"][shown["ahead"]["moves"][home]]
    assert back["draft"] == {"verdict": "partly", "reason": "Mine", "marks": []}
    assert back["standing"] == back["draft"]
    assert not any(secret in json.dumps(shown) for secret in SECRETS)


@pytest.mark.deep
def test_a_long_source_is_not_sent_ahead_unless_it_is_there_already(
    open_page: OpenPage, sources: Store, reviewer: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_desk, "AHEAD_CHARACTERS", len(OTHER) + len(HOSTILE))
    page = open_page(PAGE, who=reviewer)
    seen = set()
    for _ in range(PAIRS):
        shown = told(page)
        here = shown["item"]["sources"][0]
        for pair in shown["ahead"]["items"].values():
            text = shown["sources"][pair["sources"][0]]["sentences"]
            assert (
                pair["sources"][0] == here
                or text != index_sentences_of_source(GOOD).texts_of_sentences()
            )
            seen.add(pair["sources"][0] == here)
        send(page, "submit", verdict="cannot_tell")
        send(page, "next")
    assert seen


def test_an_answer_lands_on_the_pair_that_it_names_whatever_lies_on_the_desk(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    shown = told(page)
    send(page, "next")
    assert item_of(page) != PAIR
    late = {
        "token": new_id(),
        "rater": reviewer.id,
        "item": shown["item"]["item"],
        "sources": shown["item"]["sources"],
        "base": 0,
        "action": "draft",
        "reason": "",
        "body": {"verdict": "contradicted", "reason": "Late", "marks": []},
        "attempt": 2,
    }
    desk(page).carry_out_message_and_set_acknowledgement(parse_message(late))
    desk(page).carry_out_message_and_set_acknowledgement(parse_message(late | {"attempt": 3}))
    page.run()
    assert item_of(page) == PAIR
    assert sources.rows(
        "select item, body->>'verdict' from draft where rater = $r", r=reviewer.id
    ) == [(item_called(sources, shown["item"]["item"]), "contradicted")]
    # The same after a server that had saved it has been started anew.
    page = open_page(PAGE, who=reviewer)
    desk(page).carry_out_message_and_set_acknowledgement(parse_message(late | {"attempt": 4}))
    assert desk(page).ack == {
        "token": late["token"],
        "rev": 1,
        "saved_at": desk(page).ack["saved_at"],  # type: ignore[index]
        "error": None,
        "newer": None,
    }
    desk(page).carry_out_message_and_set_acknowledgement(
        parse_message(late | {"token": new_id(), "item": "another"})
    )
    assert "not in your queue" in str(desk(page).ack)
    desk(page).carry_out_message_and_set_acknowledgement(
        parse_message(late | {"token": new_id(), "rater": "another"})
    )
    assert "somebody else" in str(desk(page).ack)
    assert sources.rows("select count(*) from draft where rater = $r", r=reviewer.id) == [(1,)]


def test_two_tabs_do_not_write_over_each_other(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    first = open_page(PAGE, who=reviewer)
    second = open_page(PAGE, who=reviewer)
    assert item_of(first) == item_of(second)
    send(first, "draft", verdict="supported")
    send(second, "submit", verdict="contradicted")
    newer = told(second)["ack"]["newer"]
    supported = {"verdict": "supported", "reason": "", "marks": []}
    assert newer == {"rev": 1, "draft": supported, "submitted": False}
    assert told(second)["reveal"] is None
    assert sources.rows("select count(*) from judgment where rater = $r", r=reviewer.id) == [(0,)]
    send(second, "submit", verdict="contradicted")
    assert told(second)["reveal"] is not None


def test_the_second_tab_is_told_that_the_first_one_has_submitted_the_pair(
    open_page: OpenPage, reviewer: Rater
) -> None:
    first = open_page(PAGE, who=reviewer)
    second = open_page(PAGE, who=reviewer)
    send(first, "submit", verdict="supported")
    send(second, "draft", verdict="contradicted")
    assert told(second)["ack"]["newer"]["submitted"] is True


def test_the_line_above_a_desk_says_as_whom_one_works(open_page: OpenPage, reviewer: Rater) -> None:
    # The menu, which says it too, is folded at a desk.
    said = [one.value for one in open_page(PAGE, who=reviewer).main.caption]
    assert f":material/person: {reviewer.name}" in said


def test_a_reason_is_asked_for_when_the_lead_says_so(
    open_page: OpenPage, sources: Store, reviewer: Rater, lead: Rater
) -> None:
    hand_out_settings.change_task_settings(
        sources, tasks.SUPPORT, DATASET, {"reason": "required"}, by=lead
    )
    page = open_page(PAGE, who=reviewer)
    assert told(page)["reason_needed"] == list(VERDICT_NAMES)
    send(page, "draft", verdict="supported")
    send(page, "submit")
    assert "Give your reason" in told(page)["ack"]["error"]["message"]
    send(page, "draft", reason="It says so")
    send(page, "submit")
    [(body,)] = sources.rows("select body from judgment where rater = $r", r=reviewer.id)
    assert json.loads(body)["reason"] == "It says so"


def test_skip_after_submitting_goes_on_and_says_that_the_answer_stays(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    first = item_of(page)
    send(page, "draft", verdict="partly")
    send(page, "submit")
    send(page, "skip")
    assert item_of(page) != first
    assert desk(page).left_behind == "Item 1 stays submitted"
    states = {place.name: place.state for place in desk(page).queue.places}
    assert states[first] == "submitted"


def test_a_pair_is_skipped_or_flagged_with_a_reason(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    skipped = item_of(page)
    send(page, "skip", verdict="partly")
    flagged = item_of(page)
    send(page, "flag", why="Cut off")
    states = {place.name: (place.state, place.reason) for place in desk(page).queue.places}
    assert states[skipped] == ("skipped", "")
    assert states[flagged] == ("flagged", "Cut off")
    # What was answered before skipping is kept.
    send(page, "previous")
    send(page, "previous")
    assert item_of(page) == skipped
    assert told(page)["item"]["draft"]["verdict"] == "partly"
    # A flag is taken back where it was set, and its pair stays there.
    send(page, "next")
    assert item_of(page) == flagged
    send(page, "unflag")
    assert item_of(page) == flagged
    told_of = told(page)["item"]
    assert (told_of["state"], told_of["state_reason"]) == ("open", "flag taken back")
    # So is that of a pair that was submitted.
    send(page, "submit", verdict="partly")
    assert told(page)["item"]["state_reason"] == ""
    send(page, "flag", verdict="partly", why="Cut off after all")
    send(page, "previous")
    assert item_of(page) == flagged
    told_of = told(page)["item"]
    assert (told_of["state"], told_of["flag"]) == ("submitted", "Cut off after all")
    send(page, "unflag", verdict="partly")
    told_of = told(page)["item"]
    assert (told_of["state"], told_of["flag"]) == ("submitted", "")
    assert told_of["state_reason"] == "flag taken back"


def test_a_marked_passage_is_kept_with_the_words_that_stand_there(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    best = told(page)["item"]["like"][0][0][0]
    send(page, "draft", marks=[(0, 0, best, best)])
    send(page, "draft", marks=[(0, 0, 0, 10_000)])
    assert "not in the current version" in told(page)["ack"]["error"]["message"]
    saved = judging.load_draft_or_current_judgment(
        sources,
        tasks.SourceSupportTask(),
        item=pair_id(DATASET, "r1.s1", GOOD_URL),
        rater=reviewer.id,
    )
    [passage] = saved.value.passages
    assert passage.quote == "The highest dose of paracetamol for adults is 4 g in 24 hours."
    assert GOOD[passage.start : passage.end] == passage.quote
    assert told(page)["item"]["draft"]["marks"] == [[0, 0, best, best]]


def test_a_page_without_a_text_says_why_and_its_address_is_no_link_if_unsafe(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    # Such a pair is handed out no more: this one was, before its page could not be read.
    item = pair_id(DATASET, "r2.s1", SCRIPT_URL)
    given = {"id": new_id(), "task": tasks.SUPPORT, "item": item, "rater": reviewer.id, "slot": 0}
    until = utc_now() + timedelta(minutes=30)
    sources.append("assignment", given | {"generation": 0, "gold": False, "lease_until": until})
    page = open_page(PAGE, who=reviewer)
    turn_to(page, name_of_pair_item("r2.s1", SCRIPT_URL))
    source = told(page)["sources"][told(page)["item"]["sources"][0]]
    assert source["sentences"] == []
    assert "not safe to open" in source["note"]
    assert source["href"] == ""
    assert source["address"] == SCRIPT_URL
    assert "Answer “Cannot tell”" in source["note"]
    send(page, "submit", verdict="supported", reason="I know it.")
    assert "could not be read" in told(page)["ack"]["error"]["message"]
    send(page, "submit", verdict="cannot_tell")
    assert told(page)["ack"]["error"] is None


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://a.org/x?y=1#z", "https://a.org/x?y=1#z"),
        ("http://a.org/ä b", "http://a.org/%C3%A4%20b"),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("//a.org/x", ""),
        ("https://", ""),
        ("https://[broken", ""),
        ("java\nscript:alert(1)", ""),
        ('https://a.org/"><script>', "https://a.org/%22%3E%3Cscript%3E"),
    ],
)
def test_only_web_addresses_become_links(url: str, link: str) -> None:
    assert url_if_safe_to_open(url) == link


SENT = {
    "token": "018f0000-0000-7000-8000-000000000000",
    "rater": "r",
    "item": "p",
    "sources": ["s"],
    "base": 0,
    "action": "draft",
    "reason": "",
    "attempt": 1,
    "body": {"verdict": None, "reason": "", "marks": []},
}


@pytest.mark.parametrize("marks", [[], [[0, 0, 1, 3]], [[0, 1, 2, 2], [3, 1, 0, 9]]])
def test_what_the_browser_sends_is_taken(marks: list[list[int]]) -> None:
    message = parse_message(SENT | {"body": {"verdict": "x", "reason": "a\0b", "marks": marks}})
    meant = tuple(tuple(one) for one in marks)
    assert (message.item, message.body.marks, message.body.reason) == ("p", meant, "a\ufffdb")


@pytest.mark.parametrize(
    "wrong",
    [
        {"marks": [[0, 0, 3, 1]]},
        {"marks": [[0, 0, -1, 1]]},
        {"marks": [[0, 0, "0", 1]]},
        {"marks": [[0, 0, True, True]]},
        {"marks": [[1, 1]]},
        {"marks": [[0, 0, 1, 1]] * 2},
        {"reason": "x" * 10_001},
        {"reason": "\ud800"},
        {"reason": None},
        {"verdict": 5},
        {"base": -1},
        {"base": True},
        {"action": "delete"},
        {"token": "none"},
        {"item": 5},
        {"rater": "r" * 501},
        "p",
        None,
    ],
)
def test_what_the_browser_sends_is_checked(wrong: Any) -> None:
    sent: Any = wrong
    if isinstance(wrong, dict):
        body = {name: wrong[name] for name in wrong if name in ("marks", "reason", "verdict")}
        sent = SENT | {k: v for k, v in wrong.items() if k not in body}
        sent["body"] = SENT["body"] | body  # type: ignore[operator]
    with pytest.raises(InvalidInput, match="The page sent"):
        parse_message(sent)


# -- leads -----------------------------------------------------------------------------------------


def test_a_reviewer_has_no_way_to_the_leads_views(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    item = pair_id(DATASET, "r1.s1", GOOD_URL)
    for view in ("Pairs", "Results", "Answers"):
        page = open_page(PAGE, who=reviewer, view=view, pair=item, answer="r1")
        assert "checker" not in words(page)
        assert not page.dataframe
    assert sources.rows("select count(*) from reveal") == [(0,)]


@pytest.mark.deep
def test_filters_stand_in_the_link(open_page: OpenPage, sources: Store, lead: Rater) -> None:
    page = open_page(PAGE, who=lead, view="Pairs", model="answerer a", q="LIVER")
    assert not page.exception
    assert (
        page.dataframe[0].value["statement"].tolist()
        == ["An overdose of paracetamol can damage the liver."] * 2
    )
    labels = {button.label.replace("\u2060", "") for button in page.button}
    assert {"Model: answerer a", "Words: LIVER"} <= labels
    press(page, "Clear all")
    assert len(page.dataframe[0].value) == 7


def test_a_lead_reads_a_pair_with_everybodys_word_and_it_is_noted(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    item = pair_id(DATASET, "r1.s1", GOOD_URL)
    page = open_page(PAGE, who=lead, view="Pairs", pair=item)
    assert not page.exception
    assert "**checker** says: **Supported**" in words(page)
    assert "**second** says: **Not supported**" in words(page)
    assert reader(page)["quote"]
    assert reader(page)["markable"] is False
    seen = "select task, item from reveal where rater = $r order by task"
    whole = response_id(DATASET, "r1")
    assert sources.rows(seen, r=lead.id) == [(tasks.RESPONSE, whole), (tasks.SUPPORT, item)]
    # What came from a file, and what a run asked for since: usable or not, each with its run.
    asked = Verdict(item, "late", "verify-1", 1, "parse_failed", False, "no JSON", {}, "m-7", "r1")
    model_verdicts_and_runs_of_judges.add_verdicts_and_count_new_and_known(
        sources, [asked], task=tasks.SUPPORT, dataset=DATASET
    )
    page = open_page(PAGE, who=lead, view="Pairs", pair=item)
    page.session_state["pair.judges"] = True
    page.run()
    said = words(page)
    assert "**checker**: Supported" in said
    assert "**second**: Not supported" in said
    assert "**late**: parse\\_failed" in said or "**late**: parse_failed" in said
    assert "model m-7, prompt verify-1, run r1" in said.replace("\\", "")


@pytest.mark.deep
def test_a_lead_is_not_handed_the_whole_answer_of_which_they_have_seen_a_pair(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    for query in (
        {"view": "Pairs", "pair": pair_id(DATASET, "r1.s1", GOOD_URL)},
        {"view": "Answers", "answer": "r2"},
    ):
        page = open_page(PAGE, who=lead, **query)
        assert not page.exception
        assert "checker" in words(page)
    page = open_page(PAGE, who=lead, view="Verify whole answers")
    assert not page.exception
    given = sources.column(
        "select i.name from assignment a join item i on i.id = a.item"
        " where a.rater = $r and a.task = 'response_support'",
        r=lead.id,
    )
    assert given
    assert not {"response r1", "response r2"} & set(given)


def test_a_lead_is_asked_before_they_see_what_they_are_to_judge(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Check the steps")
    name = item_of(page).removeprefix("response ")
    page = open_page(PAGE, who=lead, view="Answers", answer=name)
    assert "in your own queue" in words(page)
    assert "checker" not in words(page)
    assert sources.rows("select count(*) from reveal") == [(0,)]
    press(page, "Show it")
    assert "in your own queue" not in words(page)
    assert sources.rows("select count(*) > 0 from reveal") == [(True,)]


@pytest.mark.deep
def test_a_lead_changes_what_became_of_a_page_and_says_why(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    item, source = pair_id(DATASET, "r1.s1", GOOD_URL), source_id(DATASET, GOOD_URL)
    page = open_page(PAGE, who=lead, view="Pairs", pair=item)
    assert "Page: **ok**" in words(page)
    answer(page, submit=True)
    assert "An outcome is changed with a reason." in words(page)
    answer(page, to="paywalled", why="An abstract")
    # A draft until it is saved.
    page = open_page(PAGE, who=lead, view="Pairs", pair=item)
    assert form_of(page, f"outcome.{source}")["values"] == {"to": "paywalled", "why": "An abstract"}
    answer(page, why="An abstract <b>alone</b>.", submit=True)
    assert f"Page: **paywalled**, says {lead.name}; the fetch found: ok" in words(page)
    assert "ok to paywalled" in words(page)
    answers = open_page(PAGE, who=lead, view="Answers", answer="r1")
    assert "paywalled" in words(answers)
    assert f"Set by {lead.name}: " in words(answers)
    assert sources.rows("select made_by, outcome from sc_outcome") == [(lead.id, "paywalled")]


@pytest.mark.deep
def test_every_figure_is_drawn(open_page: OpenPage, sources: Store, lead: Rater) -> None:
    for query in (
        {},
        {"figure": "response_support", "by": "both"},
        {"section": "classes"},
        {"section": "sources"},
        {"section": "sources", "what": "sites"},
        {"section": "sources", "what": "unreadable"},
        {"section": "verifiers"},
        {"section": "verifiers", "worth": "corrected"},
        {"section": "cleanup"},
        {"section": "steps"},
        {"section": "published"},
        {"section": "nonsense", "verifier": "second"},
    ):
        page = open_page(PAGE, who=lead, view="Results", **query)
        assert not page.exception, query
        assert "5 answers to 3 questions" in words(page)
        assert not any(":material/error:" in one.value for one in page.markdown), query


def test_the_numbers_on_the_page_are_those_that_are_exported(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Results", figure="statement_support")
    page.session_state["table.sources_statement_support_model"] = True
    page.run()
    shown = page.dataframe[0].value
    exported = figures(load_evidence(sources, open_study(sources, DATASET), viewer=lead))
    for row in shown.itertuples():
        [one] = exported[
            (exported["figure"].map(figure_name_in_words) == row.figure)
            & (exported["group"].map(group_name_in_words) == row.group)
        ].itertuples()
        assert (one.numerator, one.denominator) == (row.numerator, row.denominator)
        assert (one.value, one.n) == (row.value, row.n)
    assert len(shown) == 4


def test_a_mark_of_a_chart_names_the_pairs_behind_it(sources: Store, lead: Rater) -> None:
    chart = support_chart(
        load_figure_data(sources, open_study(sources, DATASET), lead, {}),
        "statement_support",
        "model",
    )
    first = next(mark for mark in chart.marks if mark)
    assert split_mark_id(first) == ["pairs", "model=answerer a", "state=supported"]


def test_an_answer_is_read_statement_by_statement(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Answers")
    assert not page.exception
    assert page.dataframe[0].value["is"].tolist() == [
        "supported",
        "supported",
        "not supported",
        "without a source",
        "without a statement",
    ]
    page = open_page(PAGE, who=lead, view="Answers", answer="r1")
    assert not page.exception
    said = words(page).replace("\\", "")
    assert ":green-background[Adults may take up to 4 g" in said
    assert "The answer is **supported** by checker" in said
    assert page.dataframe[0].value.to_dict("records") == [
        {"statement": 1, "source 1": "Supported", "source 2": "(not found)"},
        {"statement": 2, "source 1": "Supported", "source 2": "(not found)"},
    ]
    script = open_page(PAGE, who=lead, view="Answers", answer="r2")
    assert "](javascript" not in words(script).replace("\\", "")
    page = open_page(PAGE, who=lead, view="Answers", answer="r3")
    page.session_state["answer.cleaned.cleaner"] = True
    page.run()
    said = words(page)
    assert ":red-background[~~never~~] :green-background[**can**]" in said
    assert "Edited; not verified yet" in said
    for empty in ("r4", "r5"):
        page = open_page(PAGE, who=lead, view="Answers", answer=empty)
        assert not page.exception


@pytest.mark.deep
def test_the_other_steps_are_checked_at_desks_of_their_own(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, view="Check the steps")
    assert not page.exception
    assert not any(secret in words(page) + json.dumps(told(page)) for secret in SECRETS)
    send(page, "submit", verdict="no")
    page = open_page(PAGE, who=reviewer, view="Check questions")
    assert "A text on medicine." in words(page)
    answer(page, answer="yes")
    press(page, "Submit")
    page = open_page(PAGE, who=reviewer, view="Check the steps", task="statement_parse")
    assert not any(secret in words(page) for secret in SECRETS)
    while item_of(page) != "response r1":
        press(page, "Next")
    form = component(page, "answer_form")
    assert form["rest"]["fields"] == ["statement.0", "statement.1"]
    answer(page, **dict.fromkeys(form["rest"]["fields"], "no"))
    # One of them is thought over; what was said of the other stays.
    answer(page, **{form["rest"]["fields"][1]: form["rest"]["value"]})
    press(page, "Submit")
    assert "Say whether a medical fact is missing" in words(page).replace("\\", "")
    # That nothing is missing takes back what was.
    answer(page, complete="no", missing="Take it at night.")
    answer(page, complete="yes")
    assert component(page, "answer_form")["values"]["missing"] == ""
    answer(page, complete="no", missing="Take it with water.\n\n", submit=True)
    bodies = dict(sources.rows("select task, body from judgment where rater = $r", r=reviewer.id))
    assert json.loads(bodies["response_support"])["answer"] == "no"
    assert json.loads(bodies["question_quality"])["answer"] == "yes"
    parse = json.loads(bodies["statement_parse"])
    assert parse["contained"] == {"r1.s1": False, "r1.s2": True}
    assert parse["missing"] == ["Take it with water."]


@pytest.mark.deep
def test_an_answer_that_was_not_taken_apart_is_not_said_to_state_nothing(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    sources.append_all_and_count_new_by_table(
        records_to_store_rows.response_citation_and_item_rows_by_table(
            Response(name="r9", question="q1", model="answerer a", text="Rest.", urls=()),
            dataset=DATASET,
            illustrative=True,
        )
    )
    page = open_page(PAGE, who=lead, view="Answers", answer="r9")
    assert "It was not split into statements." in words(page)
    assert "makes no statement" not in words(page)


def test_pairs_are_drawn_from_what_the_filters_leave(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Pairs", model="answerer a", verdict="contradicted")
    page.session_state["sample.open"] = True
    page.run()
    assert "Drawn from the pairs that match the filters." in words(page)
    press(page, "Draw")
    assert sources.rows("select item, drawn from selection") == [
        (
            pair_id(DATASET, "r3.s1", HOSTILE_URL),
            "random, seed 1, of model answerer a, verdict contradicted",
        ),
    ]


@pytest.mark.deep
def test_doctors_verify_what_was_imported_without_any_verifier(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    for kind, text in {
        "questions": "question_id,question\nq1,Why?\n",
        "responses": "response_id,question_id,model,response,urls\n"
        "r1,q1,m,Because.,https://a.example/1 https://a.example/2\n",
        "statements": "statement_id,response_id,statement\ns1,r1,Bees sting\n",
        "sources": "url,status,text\nhttps://a.example/1,200,Bees sting people.\n"
        "https://a.example/2,404,\n",
    }.items():
        work_behind_commands.import_file(
            sources,
            Settings(),
            f"sourcecheckup-{kind}",
            text.encode(),
            name="f.csv",
            dataset="bees",
        )
    # Home counts it before anybody has opened the page.
    home = open_page(who=reviewer)
    assert "Verify sources · bees: 1 left" in words(home)
    page = open_page(PAGE, who=reviewer, dataset="bees")
    item = item_called(sources, told(page)["item"]["item"])
    assert item == pair_id("bees", "s1", "https://a.example/1")
    assert list(queries.snapshot_id_by_pair_item_id(sources, "bees")) == [item]


@pytest.mark.deep
def test_a_lead_draws_a_sample_and_only_it_is_handed_out(
    open_page: OpenPage, sources: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Pairs")
    page.session_state["sample.open"] = True
    page.run()
    page.toggle(key="sample.reason").set_value(True).run()
    page.number_input(key="sample.doctors").set_value(2).run()
    assert hand_out_settings.task_settings_set_by_lead(sources, tasks.SUPPORT, DATASET) == {
        "reason": "required",
        "raters_per_item": 2,
    }
    page.selectbox(key="sample.way").set_value("disputed").run()
    press(page, "Draw")
    assert "2 pairs drawn" in "".join(one.value for one in page.success)
    # It stays open, for the next draw.
    assert page.button(key="sample.draw").label == "Draw"
    page = open_page(PAGE, who=reviewer)
    assert (told(page)["item"]["at"], told(page)["total"]) == (0, 2)


def test_a_whole_answer_is_read_statement_by_statement_beside_its_sources(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, view="Verify whole answers", item="response r1")
    turn_to(page, "response r1")
    shown = told(page)
    item = shown["item"]
    assert [len(item["statements"]), len(item["sources"])] == [2, 2]
    assert item["answer"] == " ".join(item["statements"])
    good, gone = (shown["sources"][one] for one in item["sources"])
    assert good["sentences"] == index_sentences_of_source(GOOD).texts_of_sentences()
    assert "is no longer there" in gone["note"]
    # Not "Answer “Cannot tell”": the other source can be read.
    assert "about all the sources together" in gone["note"]
    dose, liver = (good["sentences"][item["like"][n][0][0]] for n in (0, 1))
    assert dose == "The highest dose of paracetamol for adults is 4 g in 24 hours."
    assert liver == "Liver damage can follow an overdose of paracetamol."
    assert item["like"][0][1] == []
    # A passage is marked for each; a place that is not there is refused.
    marks = [[n, 0, item["like"][n][0][0], item["like"][n][0][0]] for n in (0, 1)]
    send(page, "draft", marks=[tuple(one) for one in marks])
    assert told(page)["ack"]["error"] is None
    assert told(page)["item"]["draft"]["marks"] == marks
    for wrong in ((5, 0, 1, 1), (0, 9, 1, 1), (0, 1, 0, 0)):
        send(page, "draft", marks=[wrong])
        assert "mark it again" in told(page)["ack"]["error"]["hint"]
    send(page, "submit", verdict="cannot_tell")
    assert "Say why you cannot tell" in told(page)["ack"]["error"]["message"]
    send(page, "submit", verdict="cannot_tell", reason="A page is gone.")
    [(body,)] = sources.rows("select body from judgment where rater = $r", r=reviewer.id)
    said = json.loads(body)
    assert said["answer"] == "cannot_tell"
    assert [(one["statement"], one["quote"]) for one in said["passages"]] == [
        ("r1.s1", dose),
        ("r1.s2", liver),
    ]
    assert {GOOD[one["start"] : one["end"]] == one["quote"] for one in said["passages"]} == {True}
    # It goes out and comes in again as it is.
    task = open_study(sources, DATASET).response
    value = task.parse(body)
    assert task.answer_from_columns(task.answer_as_columns(value)) == value


@pytest.mark.deep
def test_the_verifiers_word_on_a_whole_answer_waits_for_all_that_was_given_on_it(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    first = open_page(PAGE, who=reviewer)
    turn_to(first, PAIR)
    page = open_page(PAGE, who=reviewer, view="Verify whole answers", item="response r1")
    turn_to(page, "response r1")
    send(page, "reveal")
    assert told(page)["reveal"] is None
    send(page, "submit", verdict="yes")
    assert told(page)["reveal"] == {"words": [], "first": "", "states": [], "offered": True}
    send(page, "reveal")
    assert "shown once you have done all" in told(page)["ack"]["error"]["message"]
    assert "checker" not in json.dumps(told(page))
    while not first.title:
        send(first, "draft", verdict="supported")
        send(first, "submit")
        send(first, "onward")
    send(page, "reveal")
    reveal = told(page)["reveal"]
    assert (
        reveal["states"] == [["checker: supported", "second: not stated, a source unreadable"]] * 2
    )
    said = [(one["at"], one["rater"], one["verdict"]) for one in reveal["words"]]
    assert ([0, 0], "checker", "Supported") in said
    assert ([1, 0], "second", "Not supported") in said
    # A second thought is not blind, and what was looked at stays in sight.
    send(page, "submit", verdict="no")
    assert told(page)["reveal"]["first"] == "Yes"
    assert told(page)["reveal"]["words"] == reveal["words"]
    assert sources.rows(
        "select body->>'answer', blind from judgment where rater = $r and task = $t"
        " order by revision",
        r=reviewer.id,
        t=tasks.RESPONSE,
    ) == [("yes", True), ("no", False)]
    assert sources.rows(
        "select count(*) from reveal where rater = $r and task = 'response_support'",
        r=reviewer.id,
    ) == [(3,)]  # the pairs of all three were judged, and their verdicts read


@pytest.mark.deep
def test_a_source_of_which_only_the_abstract_was_there_says_so_to_its_raters(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    bought = Source(url=GOOD_URL, outcome="ok", status=200, text=GOOD, reason=ABSTRACT_ONLY)
    sources.append_all_and_count_new_by_table(
        records_to_store_rows.snapshot_and_text_part_rows_by_table(
            bought, dataset=DATASET, revision=2
        )
    )
    page = open_page(PAGE, who=reviewer, view="Verify whole answers", item="response r1")
    turn_to(page, "response r1")
    shown = told(page)
    abstract, _ = (shown["sources"][one] for one in shown["item"]["sources"])
    assert abstract["sentences"] == index_sentences_of_source(GOOD).texts_of_sentences()
    assert abstract["note"].startswith("Only the abstract of this article could be read")
    turn_to(page, "response r2")
    whole = told(page)["sources"][told(page)["item"]["sources"][0]]
    assert whole["sentences"]
    assert whole["note"] == ""


def test_a_lead_is_told_what_the_fetch_said_of_a_page_that_counts_as_read(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    said = f"The fetch says: {ABSTRACT_ONLY}."
    page = open_page(PAGE, who=lead, view="Answers", answer="r1")
    assert said not in words(page)
    bought = Source(url=GOOD_URL, outcome="ok", status=200, text=GOOD, reason=ABSTRACT_ONLY)
    sources.append_all_and_count_new_by_table(
        records_to_store_rows.snapshot_and_text_part_rows_by_table(
            bought, dataset=DATASET, revision=2
        )
    )
    page = open_page(PAGE, who=lead, view="Answers", answer="r1")
    assert said in words(page)
