"""The verification page: who sees what when, what is saved, and where a link leads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import judging
from medlens.review import settings as given
from medlens.review.raters import Rater
from medlens.sourcecheckup import tasks
from medlens.sourcecheckup.evidence import evidence
from medlens.sourcecheckup.metrics import figures
from medlens.sourcecheckup.models import pair_id, pair_name
from medlens.sourcecheckup.passages import page_of
from medlens.sourcecheckup.study import open_study
from medlens.store import Store
from medlens.ui.address import parts_of
from medlens.ui.sourcecheckup import verify
from medlens.ui.sourcecheckup.data import Source
from medlens.ui.sourcecheckup.figures_charts import support_chart
from medlens.ui.sourcecheckup.nav import safe_link
from medlens.ui.sourcecheckup.source_reader import parse_mark
from tests.pages.conftest import OpenPage, words
from tests.sourcecheckup_made_up import DATASET, GOOD, GOOD_URL, SCRIPT_URL, make

PAGE = "3_Verify_sources.py"
SECRETS = ("checker", "second", "secret", "answerer")


@pytest.fixture
def sources(app_store: Store) -> Store:
    make(app_store)
    return app_store


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def answer(page: AppTest, verdict: str) -> None:
    [radio] = page.radio
    radio.set_value(verdict).run()
    assert not page.exception


def item_of(page: AppTest) -> str:
    asked = page.query_params["item"]
    return asked if isinstance(asked, str) else asked[0]


def reader(page: AppTest) -> dict[str, object]:
    """What the browser was told to draw as the source."""
    [one] = [
        node
        for node in _all(page._tree)
        if node.type == "bidi_component" and "source_reader" in node.proto.component_name
    ]
    found: dict[str, object] = json.loads(one.proto.json)
    return found


def _all(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from _all(child)


def turn_to(page: AppTest, name: str) -> None:
    """Press Next until the pair of this name lies on the desk."""
    for _ in range(12):
        if item_of(page) == name:
            return
        press(page, "Next")
    raise AssertionError(f"{name} did not come")


PAIR = pair_name("r1.s1", GOOD_URL)


def test_a_reviewer_sees_statement_and_source_but_no_model_and_no_verdict(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    assert not page.exception
    turn_to(page, PAIR)
    told = reader(page)
    assert "Adults may take up to 4 g" in words(page)
    assert told["sentences"] == page_of(GOOD).sentences()
    best = told["sentences"][told["like"][0]]  # type: ignore[index]
    assert best == "The highest dose of paracetamol for adults is 4 g in 24 hours."
    assert told["quote"] == []
    assert told["href"] == GOOD_URL
    for secret in SECRETS:
        assert secret not in words(page) + json.dumps(told)
    assert sources.rows("select count(*) from reveal") == [(0,)]


def test_the_verdict_shows_after_submitting_and_a_second_thought_is_not_blind(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    press(page, "Submit")
    assert "Say whether the source supports" in words(page).replace("\\", "")
    answer(page, "not_supported")
    assert "saved " in words(page)
    press(page, "Submit")
    assert item_of(page) == PAIR
    said = words(page)
    assert "**checker** says: **Supported**" in said
    assert "The secret reason of the checker." in said
    assert "Quote found on the page" in said
    told = reader(page)
    assert [told["sentences"][i] for i in told["quote"]] == [  # type: ignore[index,attr-defined]
        "The highest dose of paracetamol for adults is 4 g in 24 hours."
    ]
    answer(page, "supported")
    press(page, "Submit")
    assert "You first said: Not supported." in words(page)
    assert sources.rows(
        "select body->>'verdict', blind from judgment where rater = $r order by revision",
        r=reviewer.id,
    ) == [("not_supported", True), ("supported", False)]
    press(page, "Next pair")
    assert item_of(page) != PAIR
    assert "checker" not in words(page)


def test_a_reason_is_asked_for_when_the_lead_says_so(
    open_page: OpenPage, sources: Store, reviewer: Rater, lead: Rater
) -> None:
    given.set_setting(sources, tasks.SUPPORT, DATASET, {"reason": "required"}, by=lead)
    page = open_page(PAGE, who=reviewer)
    answer(page, "supported")
    press(page, "Submit")
    assert "Give your reason" in words(page).replace("\\", "")
    [why] = [one for one in page.text_input if one.label == "Why (needed)"]
    why.set_value("It says so").run()
    press(page, "Submit")
    [(body,)] = sources.rows("select body from judgment where rater = $r", r=reviewer.id)
    assert json.loads(body)["reason"] == "It says so"


def test_a_marked_passage_is_kept_with_the_words_that_stand_there(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, PAIR)
    desk = page.session_state[f"{tasks.SUPPORT}.desk"][1]
    best = desk.laid.like[0]
    verify._marked(desk, desk.item, (best, best))
    verify._marked(desk, "another pair", None)
    verify._marked(desk, desk.item, (0, 10_000))
    saved = judging.draft(
        sources, tasks.source_support(), item=pair_id(DATASET, "r1.s1", GOOD_URL),
        rater=reviewer.id,
    )  # fmt: skip
    [passage] = saved.value.passages
    assert passage.quote == "The highest dose of paracetamol for adults is 4 g in 24 hours."
    assert GOOD[passage.start : passage.end] == passage.quote
    page.run()
    assert reader(page)["marked"] == [best, best]


def test_a_page_without_a_text_says_why_and_its_address_is_no_link_if_unsafe(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    turn_to(page, pair_name("r2.s1", SCRIPT_URL))
    told = reader(page)
    assert told["sentences"] == []
    assert "not safe to open" in str(told["empty"])
    assert told["href"] == ""
    assert told["address"] == SCRIPT_URL


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
    assert safe_link(url) == link


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"key": "p", "marked": [1, 3]}, ("p", (1, 3))),
        ({"key": "p", "marked": None}, ("p", None)),
        ({"key": "p", "marked": [3, 1]}, None),
        ({"key": "p", "marked": [-1, 1]}, None),
        ({"key": "p", "marked": ["0", 1]}, None),
        ({"key": "p", "marked": [True, True]}, None),
        ({"key": 5, "marked": None}, None),
        ("p", None),
        (None, None),
    ],
)
def test_what_the_browser_sends_is_checked(sent: object, meant: object) -> None:
    assert parse_mark(sent) == meant


# -- leads -----------------------------------------------------------------------------------------


def test_a_reviewer_has_no_way_to_the_leads_views(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    item = pair_id(DATASET, "r1.s1", GOOD_URL)
    for view in ("Pairs", "Figures", "Answers"):
        page = open_page(PAGE, who=reviewer, view=view, pair=item, answer="r1")
        assert "checker" not in words(page)
        assert not page.dataframe
    assert sources.rows("select count(*) from reveal") == [(0,)]


def test_filters_stand_in_the_link(open_page: OpenPage, sources: Store, lead: Rater) -> None:
    page = open_page(PAGE, who=lead, view="Pairs", model="answerer a", q="LIVER")
    assert not page.exception
    assert (
        page.dataframe[0].value["statement"].tolist()
        == ["An overdose of paracetamol can damage the liver."] * 2
    )
    press(page, "Clear")
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
    assert sources.rows("select item from reveal where rater = $r", r=lead.id) == [(item,)]


def test_every_figure_is_drawn(open_page: OpenPage, sources: Store, lead: Rater) -> None:
    for query in (
        {}, {"figure": "response_support", "by": "both"}, {"section": "classes"},
        {"section": "sources"}, {"section": "sources", "what": "sites"},
        {"section": "sources", "what": "unreadable"}, {"section": "verifiers"},
        {"section": "verifiers", "worth": "corrected"}, {"section": "cleanup"},
        {"section": "steps"}, {"section": "published"},
        {"section": "nonsense", "verifier": "second"},
    ):  # fmt: skip
        page = open_page(PAGE, who=lead, view="Figures", **query)
        assert not page.exception, query
        assert "5 answers to 3 questions" in words(page)
        assert "This did not work" not in words(page)


def test_the_numbers_on_the_page_are_those_that_are_exported(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Figures", figure="statement_support")
    page.session_state["table.sources_statement_support_model"] = True
    page.run()
    shown = page.dataframe[0].value
    exported = figures(evidence(sources, open_study(sources, DATASET), viewer=lead))
    for row in shown.itertuples():
        [one] = exported[
            (exported["figure"] == row.figure) & (exported["group"] == row.group)
        ].itertuples()
        assert (one.numerator, one.denominator) == (row.numerator, row.denominator)
        assert (one.value, one.n) == (row.value, row.n)
    assert len(shown) == 4


def test_a_mark_of_a_chart_names_the_pairs_behind_it(sources: Store, lead: Rater) -> None:
    chart = support_chart(
        Source(sources, open_study(sources, DATASET), lead), "statement_support", "model"
    )
    first = next(mark for mark in chart.marks if mark)
    assert parts_of(first) == ["pairs", "model=answerer a", "state=supported"]


def test_an_answer_is_read_statement_by_statement(
    open_page: OpenPage, sources: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Answers")
    assert not page.exception
    assert page.dataframe[0].value["is"].tolist() == [
        "supported", "supported", "not supported", "without a source", "without a statement",
    ]  # fmt: skip
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


def test_the_other_steps_are_checked_at_desks_of_their_own(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, view="Check the steps")
    assert not page.exception
    assert not any(secret in words(page) for secret in SECRETS)
    press(page, "No")
    press(page, "Submit")
    page = open_page(PAGE, who=reviewer, view="Check the steps", task="question_quality")
    assert "A text on medicine." in words(page)
    press(page, "Yes")
    press(page, "Submit")
    page = open_page(PAGE, who=reviewer, view="Check the steps", task="statement_parse")
    assert not any(secret in words(page) for secret in SECRETS)
    while item_of(page) != "response r1":
        press(page, "Next")
    press(page, "All the rest are in the answer")
    press(page, "Submit")
    assert "Say whether a medical fact is missing" in words(page).replace("\\", "")
    press(page, "Something is missing")
    [box] = page.text_area
    box.set_value("Take it with water.\n\n").run()
    press(page, "Submit")
    bodies = dict(sources.rows("select task, body from judgment where rater = $r", r=reviewer.id))
    assert json.loads(bodies["response_support"])["answer"] == "no"
    assert json.loads(bodies["question_quality"])["answer"] == "yes"
    parse = json.loads(bodies["statement_parse"])
    assert parse["contained"] == {"r1.s1": True, "r1.s2": True}
    assert parse["missing"] == ["Take it with water."]


def test_a_lead_draws_a_sample_and_only_it_is_handed_out(
    open_page: OpenPage, sources: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Pairs")
    page.session_state["sample.open"] = True
    page.run()
    page.toggle(key="sample.reason").set_value(True).run()
    page.number_input(key="sample.doctors").set_value(2).run()
    assert given.setting(sources, tasks.SUPPORT, DATASET) == {
        "reason": "required", "raters_per_item": 2,
    }  # fmt: skip
    page.selectbox(key="sample.way").set_value("disputed").run()
    press(page, "Draw")
    assert "2 pairs drawn" in "".join(one.value for one in page.success)
    page = open_page(PAGE, who=reviewer)
    assert "1 of 2" in words(page)


def test_the_verifiers_word_on_a_whole_answer_waits_for_all_that_was_given_on_it(
    open_page: OpenPage, sources: Store, reviewer: Rater
) -> None:
    first = open_page(PAGE, who=reviewer)
    while item_of(first) != PAIR:
        press(first, "Next")
    page = open_page(PAGE, who=reviewer, view="Check the steps", item="response r1")
    while item_of(page) != "response r1":
        press(page, "Next")
    press(page, "Yes")
    press(page, "Submit")
    page = open_page(PAGE, who=reviewer, view="Check the steps", item="response r1")
    press(page, "Show what the verifier found")
    assert "shown once all that you were given" in words(page)
    assert "checker" not in words(page)
    while not first.title:
        answer(first, "supported")
        press(first, "Submit")
        press(first, "Next pair")
    page.run()
    said = words(page).replace("\\", "")
    assert "##### checker" in said
    assert ":green-background[Adults may take up to 4 g" in said
    assert sources.rows(
        "select count(*) from reveal where rater = $r and task = 'response_support'",
        r=reviewer.id,
    ) == [(1,)]
