"""Every kind of page in both themes, measured by axe-core: WCAG 2.2 A and AA, headings in order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from medlens.review import invitations, raters
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui.team import SECTIONS, Section
from tests.browser.conftest import (
    PHONE,
    AppServer,
    Server,
    add_people,
    at_rest,
    sign_in,
    turn_to,
)
from tests.browser.test_own_study import add_study
from tests.conftest import LayStore

pytestmark = pytest.mark.deep

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")
BEYOND_TAGS = ("heading-order", "target-size")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose answer depends on the theme: the others are asked in one theme alone."""

EXCUSED: tuple[tuple[str, str, str], ...] = ()
"""What Streamlit draws and no option changes: a rule, a piece of the node, and the reason."""

INVITED = "Rosa 02"

Step = Callable[[Page], None]


@dataclass(frozen=True)
class Visit:
    """A page in one state: its address, and what is pressed there before it is measured."""

    address: str
    step: Step | None = None

    @property
    def name(self) -> str:
        step = f" ({self.step.__name__})" if self.step else ""
        return f"/{self.address}{step}"


def press_for_palette(page: Page) -> None:
    """Press its key once the script that hears it has come: it brings the skip link too."""
    skip = page.get_by_role("button", name="Skip to the content")
    expect(skip).to_be_attached(timeout=30_000)
    page.keyboard.press("Control+k")


def open_palette(page: Page) -> None:
    press_for_palette(page)
    page.get_by_role("combobox", name="Go to").fill("agree")
    expect(page.get_by_role("option").first).to_be_visible()


def open_menu(page: Page) -> None:
    fold, home = page.get_by_test_id("stExpandSidebarButton"), page.get_by_role("link", name="Home")
    expect(fold.or_(home).first).to_be_visible()
    if fold.is_visible():
        fold.click()
    expect(home).to_be_visible()


def open_flag(page: Page) -> None:
    page.keyboard.press("f")
    # Until its field has the focus, what is pressed is the desk's.
    expect(page.get_by_role("textbox", name="What is wrong")).to_be_focused()


def open_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def submit_nothing(page: Page) -> None:
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(300)


def mark_a_sentence(page: Page) -> None:
    page.locator(".mlt-text").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("7")
    expect(page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")


def choose_a_label_first(page: Page) -> None:
    page.locator(".mlt-text").focus()
    page.keyboard.press("4")
    expect(page.locator("[data-notice=armed]")).to_be_visible()


def answer_first(page: Page) -> None:
    page.keyboard.press("1")
    page.wait_for_timeout(700)


def mark_a_turn(page: Page) -> None:
    page.keyboard.press("t")
    page.keyboard.press("1")
    expect(page.locator(".mlc-pill[aria-pressed=true]")).to_have_count(1)
    page.wait_for_timeout(700)


def type_nonsense(page: Page) -> None:
    press_for_palette(page)
    page.get_by_role("combobox", name="Go to").fill("zzz zzz")


def open_unknown(page: Page) -> None:
    expect(page.get_by_role("alert").first).to_be_visible()


def team_of(task: str, sections: Iterable[str]) -> Iterator[Visit]:
    for section in sections:
        yield Visit(f"Team?task={task}&section={section}")


def results_of(page: str, study: str) -> Iterator[Visit]:
    figures = STUDIES[study].figures
    assert figures is not None
    for section in (*figures.sections, "published"):
        yield Visit(f"{page}?view=Results&section={section}")


OF_LEAD = (
    Visit(""),
    Visit("", open_palette),
    Visit("", type_nonsense),
    *team_of(
        "source_support", [name for name, one in SECTIONS.items() if isinstance(one, Section)]
    ),
    *(Visit(f"Team?section={n}") for n, one in SECTIONS.items() if not isinstance(one, Section)),
    *team_of("error_spans", ("agreement", "disagreements")),
    Visit("Team?task=error_spans&section=disagreements&divided=demo12"),
    Visit("Team?task=error_spans&section=disagreements&settle=near"),
    *team_of("dialogue_realism", ("agreement", "disagreements")),
    Visit("Team?section=nonsense", open_unknown),
    Visit("People_and_models"),
    Visit("Runs"),
    Visit("Runs?new=tagging.tag"),
    Visit("Data"),
    Visit("Data?view=Export&study=SourceCheckup"),
    Visit("Data?view=Items&study=SourceCheckup"),
    Visit("Data?view=Taxonomy"),
    Visit("Your_studies?view=Make+a+study"),
    Visit("Your_studies?view=Study+file&dataset=long_answers"),
    Visit("Your_studies?view=Results&dataset=long_answers"),
    Visit("Your_studies?view=Open+coding&dataset=long_answers"),
    *results_of("Tag_errors", "tagging"),
    *results_of("Read_transcripts", "agentclinic"),
    *results_of("Verify_sources", "sourcecheckup"),
    *results_of("Explore_EBMQA", "ebmqa"),
    Visit("Tag_errors?view=Open+coding"),
    Visit("Read_transcripts?view=Dialogues"),
    Visit("Read_transcripts?view=Cases"),
    Visit("Read_transcripts?view=Results&mark=doctors|demo-a|demo-b"),
    Visit("Verify_sources?view=Answers"),
    Visit("Verify_sources?view=Pairs"),
    Visit("Explore_EBMQA?view=Questions"),
)

OF_REVIEWER = (
    Visit(""),
    Visit("Tag_errors"),
    Visit("Tag_errors", mark_a_sentence),
    Visit("Tag_errors", choose_a_label_first),
    Visit("Tag_errors", submit_nothing),
    Visit("Tag_errors", open_keys),
    Visit("Read_transcripts?view=Rate+dialogues"),
    Visit("Read_transcripts?view=Rate+dialogues", answer_first),
    Visit("Read_transcripts?view=Rate+dialogues", submit_nothing),
    Visit("Read_transcripts?view=Rate+dialogues", mark_a_turn),
    Visit("Read_transcripts?view=Rate+dialogues", open_flag),
    Visit("Read_transcripts?view=Check+diagnoses"),
    Visit("Read_transcripts?view=Play"),
    Visit("Verify_sources"),
    Visit("Verify_sources", answer_first),
    Visit("Verify_sources", submit_nothing),
    Visit("Verify_sources?view=Verify+whole+answers"),
    Visit("Explore_EBMQA?view=Answer the questionnaire"),
    Visit("Your_studies?dataset=long_answers"),
    Visit("Your_studies?dataset=preference"),
    Visit("Your_studies?dataset=summary_errors"),
    Visit("Your_studies?dataset=healthbench"),
    Visit("Your_studies?dataset=draft_letters"),
    Visit("Your_studies?dataset=source_check"),
    Visit("Your_studies?dataset=sides"),
    Visit("Team"),
)


ON_A_PHONE_OF_LEAD = (
    Visit(""),
    Visit("", open_menu),
    Visit("Team?task=source_support&section=agreement"),
    Visit("Verify_sources?view=Results&section=support"),
    Visit("Data?view=Export&study=SourceCheckup"),
)
ON_A_PHONE = (
    Visit(""),
    Visit("", open_menu),
    Visit("Tag_errors"),
    Visit("Read_transcripts?view=Rate+dialogues"),
    Visit("Verify_sources"),
    Visit("Explore_EBMQA?view=Answer the questionnaire"),
    Visit("Your_studies?dataset=long_answers"),
)
EMPTY = ("", "Team", "Team?section=people", "Runs", "Data", "Your_studies", "People_and_models")


@cache
def axe_source() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


MEASURE = """async ([tags, more, only]) => {
  const options = only.length
    ? { runOnly: { type: "rule", values: only } }
    : { runOnly: { type: "tag", values: tags },
        rules: Object.fromEntries(more.map((rule) => [rule, { enabled: true }])) }
  const { violations } = await axe.run(document,
    { ...options, resultTypes: ["violations"], preload: false, iframes: false })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) => (
    { rule: id, html, why: [...any, ...all, ...none].map(({ message }) => message).join(" ") })))
}"""


def broken_rules(page: Page, only: Iterable[str] = ()) -> list[str]:
    """What breaks a rule of axe-core on the page as it is shown: "rule: node (why)" for each."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe_source())
    nodes: list[dict[str, Any]] = page.evaluate(MEASURE, [TAGS, BEYOND_TAGS, list(only)])
    return [
        f"{node['rule']}: {node['html'][:300]} ({node['why'][:200]})"
        for node in nodes
        if not is_excused(node)
    ]


def is_excused(node: dict[str, Any]) -> bool:
    return any(node["rule"] == rule and part in node["html"] for rule, part, _ in EXCUSED)


def broken_in_both_themes(page: Page) -> list[str]:
    nodes = [f"light {node}" for node in broken_rules(page)]
    page.emulate_media(color_scheme="dark")
    wait_for_theme(page)
    nodes += [f"dark {node}" for node in broken_rules(page, OF_COLOURS)]
    page.emulate_media(color_scheme="light")
    return nodes


def wait_for_theme(page: Page) -> None:
    """Wait until the colours of the other theme stand."""
    at_rest(page)
    page.evaluate("""() => Promise.allSettled(
        document.getAnimations().map((animation) => animation.finished))""")
    at_rest(page)


def open_visit(page: Page, server: Server, visit: Visit, before: str) -> None:
    """Load the page, or turn to it where that opens another one than ``before``."""
    if before in ("", visit.address):
        page.goto(f"{server.url}/{visit.address}")
    else:
        turn_to(page, f"/{visit.address}")
    expect(page.locator(".stMainBlockContainer .stElementContainer:visible").first).to_be_visible()
    at_rest(page)
    if visit.step:
        visit.step(page)
    else:
        page.evaluate(UNFOLD)
    at_rest(page)


def measure_visits(page: Page, server: Server, visits: Iterable[Visit]) -> dict[str, list[str]]:
    """What breaks a rule, by the name of each visit; what is folded on a page is opened first."""
    broken: dict[str, list[str]] = {}
    before = ""
    for visit in visits:
        open_visit(page, server, visit, before)
        before = visit.address
        if nodes := broken_in_both_themes(page):
            broken[visit.name] = nodes
    return broken


def in_lines(broken: dict[str, list[str]]) -> str:
    kinds = Counter(node.partition(": ")[0] for nodes in broken.values() for node in nodes)
    lines = [f"{name}: {node}" for name, nodes in broken.items() for node in nodes]
    return "\n".join([str(kinds), *lines])


UNFOLD = """() => {
  const folded = [...document.querySelectorAll(".stMain details:not([open]) > summary")]
  folded.forEach((summary) => summary.click())
  return folded.length
}"""


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    studies = ("tagging", "agentclinic", "sourcecheckup", "ebmqa")
    demos = (STUDIES[name].demo for name in studies)

    def invite(store: Store) -> None:
        """Somebody who was invited to one task; the others are merely open to them."""
        [lead] = [one for one in raters.list_local_people(store) if one.role == "lead"]
        token = invitations.make_invitation_and_return_link_secret(
            store, by=lead, task="diagnosis_match", dataset="demo"
        )
        invited = raters.find_or_add_rater_by_name(store, INVITED)
        invitations.accept_and_return_invitation_admitting_rater(
            store, token, invited, leads=lambda _: True
        )

    path = tmp_path_factory.mktemp("accessible") / "store.duckdb"
    return lasting_server(
        store=lay_store(path, *demos, add_people, add_study, invite),
        settings='[models.a]\nbase_url = "http://127.0.0.1:9"\nmodel = "m"\n',
    )


@pytest.fixture
def light(page: Page) -> Iterator[Page]:
    page.emulate_media(color_scheme="light")
    yield page
    page.emulate_media(color_scheme="null")


def test_no_page_of_a_lead_breaks_a_rule_of_axe_in_either_theme(
    light: Page, server: Server
) -> None:
    sign_in(light, server, "Lena Lead")
    broken = measure_visits(light, server, OF_LEAD)
    assert not broken, in_lines(broken)


def test_no_desk_breaks_a_rule_of_axe_in_either_theme(light: Page, server: Server) -> None:
    sign_in(light, server, "Rosa 00")
    broken = measure_visits(light, server, OF_REVIEWER)
    assert not broken, in_lines(broken)


def test_what_only_those_see_who_have_worked_breaks_no_rule_of_axe(
    light: Page, server: Server
) -> None:
    """A flagged item's bar, Home's open list of what was finished, the folded part of the menu."""
    sign_in(light, server, INVITED)
    checking = Visit("Read_transcripts?view=Check+diagnoses")
    open_visit(light, server, checking, "")
    place = light.locator(".st-key-desk_bar").get_by_text(re.compile(r"^\d+ of \d+"))
    light.keyboard.press("1")
    light.keyboard.press("Enter")
    expect(place).to_contain_text("2 of")
    at_rest(light)
    open_flag(light)
    light.keyboard.type("Its end is missing.")
    light.keyboard.press("Enter")
    expect(place).to_contain_text("3 of")
    at_rest(light)
    light.keyboard.press("k")
    expect(light.get_by_role("button", name="Unflag")).to_be_visible()
    at_rest(light)
    broken = {"a flagged item": broken_in_both_themes(light)}

    def open_what_is_folded(page: Page) -> None:
        open_menu(page)
        page.locator(".stSidebar summary").click()
        page.get_by_text(re.compile("^Look over")).click()
        expect(page.get_by_role("link", name=re.compile("Its end is missing"))).to_be_visible()

    broken |= measure_visits(light, server, [Visit("", open_what_is_folded)])
    assert not any(broken.values()), in_lines(broken)


def test_nothing_on_a_phone_breaks_a_rule_of_axe(light: Page, server: Server) -> None:
    light.set_viewport_size(PHONE)
    sign_in(light, server, "Lena Lead")
    broken = measure_visits(light, server, ON_A_PHONE_OF_LEAD)
    sign_in(light, server, "Rosa 01")
    broken |= measure_visits(light, server, ON_A_PHONE)
    assert not broken, in_lines(broken)


def test_no_page_without_anything_in_it_breaks_a_rule_of_axe(
    light: Page, app_server: AppServer, lay_store: LayStore, tmp_path: Path
) -> None:
    empty = app_server(store=lay_store(tmp_path / "empty.duckdb", add_people))
    visits = [Visit("")]  # nobody is signed in
    light.goto(f"{empty.url}/healthz")
    broken = measure_visits(light, empty, visits)
    sign_in(light, empty, "Lena Lead")
    broken |= measure_visits(light, empty, map(Visit, EMPTY))
    assert not broken, in_lines(broken)


PLANTED = """() => {
  const place = document.querySelector(".stMainBlockContainer")
  place.insertAdjacentHTML("afterbegin", "<h2>Two</h2><h5>Five</h5><button></button>"
    + "<p style='color: light-dark(#999, #555); background: light-dark(#fff, #222)'>Faint</p>")
}"""


def test_a_planted_violation_of_each_kind_is_seen_in_the_theme_that_has_it(
    light: Page, server: Server
) -> None:
    sign_in(light, server, "Rosa 00")
    open_visit(light, server, Visit(""), "")
    assert broken_in_both_themes(light) == []
    wait_for_theme(light)
    light.evaluate(PLANTED)
    kinds = sorted(node.partition(": ")[0] for node in broken_in_both_themes(light))
    assert kinds == [
        "dark color-contrast",
        "light button-name",
        "light color-contrast",
        "light heading-order",
    ]
