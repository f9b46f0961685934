"""Who gets in, whose identity lasts, and what strangers find: real servers, real Chromium."""

from __future__ import annotations

import itertools
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.attack.tab import Browser, Tab
from tests.browser.conftest import (
    NOTED,
    REMEMBER,
    AppServer,
    Heard,
    Server,
    at_rest,
    free_port,
    wait_until,
)
from tests.browser.oidc_provider import Provider, running_provider

TEAM = '[people]\n"ada@example.org" = "lead"\n"grace@example.org" = "reviewer"\n'

# The smallest app that asks who is using it.
APP = """
import streamlit as st

from medlens.errors import MedLensError
from medlens.review import raters
from medlens.config.settings import load_settings
from medlens.ui import server
from medlens.ui import session_people_and_sign_in_validity as seats
from medlens.ui import settings_store_and_runs_of_process as of_process
from medlens.ui import user_identity_sign_in_and_sign_out as identity

st.set_page_config(page_title="Who")
try:
    server.refuse_to_serve_public_without_sign_in()
except MedLensError as error:
    st.error(str(error))
    st.stop()

store = of_process.store_of_process()
found = [raters.find_or_add_rater_by_name(store, name) for name in ("Ann", "Bob")]
TEAM = {one.id: identity.Person(one.id, one.name, None, "reviewer", "local") for one in found}
person = identity.person_in_session(load_settings(), find_local=TEAM.get)
if person is None:
    st.text("Nobody is here")
    if server.is_sign_in_set_up():
        identity.draw_sign_in_buttons()
    else:
        for one in TEAM.values():
            st.button(f"I am {one.name}", on_click=identity.set_person_of_tab, args=(one,))
    st.stop()
email = person.email or ""
seats.record_who_is_in_session(
    seats.Seat(person.rater_id, person.role, email, person.sign_in)
)
st.text(f"Hello {person.name}, {person.role}")
st.text_input("Notes", key="notes")
st.text(f"{person.name} noted {st.session_state.notes}")
st.button("Leave", on_click=identity.sign_out_tab_or_browser)
for one in TEAM.values():
    st.button(f"Switch to {one.name}", on_click=identity.set_person_of_tab, args=(one,))
st.text("The end")
"""


@pytest.fixture(scope="module")
def who(tmp_path_factory: pytest.TempPathFactory) -> Path:
    script = tmp_path_factory.mktemp("who") / "who.py"
    script.write_text(APP)
    return script


# The app stores nothing: tests that neither stop nor reconfigure their server share one.
@pytest.fixture(scope="module")
def local(lasting_server: AppServer, who: Path) -> Server:
    """The app for use on this machine only."""
    return lasting_server(script=who)


@pytest.fixture(scope="module")
def team(lasting_server: AppServer, who: Path, provider: Provider) -> Server:
    """The app for people who sign in through the provider."""
    return lasting_server(script=who, settings=TEAM, secrets=provider.secrets())


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider(free_port()) as one:
        yield one


def says(page: Page, text: str) -> None:
    expect(page.get_by_text(text, exact=True)).to_be_visible(timeout=45_000)


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def noted(page: Page, name: str, text: str) -> None:
    """Check that the server itself answers, and takes the page's person to be ``name``."""
    page.get_by_label("Notes").fill(text, timeout=30_000)
    page.get_by_label("Notes").press("Enter")
    says(page, f"{name} noted {text}")


# --- on this machine alone -----------------------------------------------------------------------


@pytest.mark.deep
def test_under_streamlit_run_a_picked_name_stays_in_a_new_tab_and_after_a_restart_of_the_server(
    who: Path, app_server: AppServer, tabs: Callable[[], Page]
) -> None:
    server = app_server(script=who, how="streamlit")
    page, another = tabs(), tabs()
    page.goto(server.url)
    says(page, "Nobody is here")
    press(page, "I am Ann")
    says(page, "Hello Ann, reviewer")
    wait_until(page, NOTED)
    another.goto(server.url)
    says(another, "Hello Ann, reviewer")
    server.restart()
    page.reload()
    says(page, "Hello Ann, reviewer")


@pytest.mark.deep
def test_two_tabs_with_two_people_stay_two_people_at_every_moment_of_a_restart_under_them(
    who: Path, app_server: AppServer, tabs: Callable[[], Page]
) -> None:
    server = app_server(script=who)
    ann, bob, fresh = tabs(), tabs(), tabs()
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        page.goto(server.url)
        page.get_by_text("The end").or_(page.get_by_text("Nobody is here")).wait_for()
        press(page, f"I am {name}" if page is ann else f"Switch to {name}")
        says(page, f"Hello {name}, reviewer")
    # Bob chose last, so a new tab is his; Ann's own tab must not become his, even for a moment.
    ann.evaluate(
        """() => {
            window.seen = []
            const look = () => {
                const text = document.body.innerText.match(/Hello \\w+|Nobody is here/)?.[0] ?? ""
                if (window.seen.at(-1) !== text) window.seen.push(text)
            }
            look()
            new MutationObserver(look).observe(
                document.body, {subtree: true, childList: true, characterData: true})
        }"""
    )
    for page in (ann, bob):
        at_rest(page)  # a run that is cut off leaves a part of its page
    server.restart()
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        noted(page, name, "after the restart")
    assert set(ann.evaluate("window.seen")) == {"Hello Ann"}
    ann.reload()
    says(ann, "Hello Ann, reviewer")
    fresh.goto(server.url)
    says(fresh, "Hello Bob, reviewer")


@pytest.mark.deep
def test_switching_leaves_nothing_of_the_last_person_and_leaving_nobody(
    local: Server, page: Page
) -> None:
    page.goto(local.url)
    press(page, "I am Ann")
    noted(page, "Ann", "my own")
    press(page, "Switch to Bob")
    says(page, "Hello Bob, reviewer")
    expect(page.get_by_label("Notes")).to_have_value("")
    press(page, "Leave")
    says(page, "Nobody is here")
    wait_until(page, f"!({NOTED} || localStorage.getItem('medlens_person'))")
    # An id that nobody has is nobody.
    page.evaluate(REMEMBER, "id-Mallory")
    page.reload()
    says(page, "Nobody is here")


@pytest.mark.deep
def test_a_tab_whose_word_is_lost_says_again_who_works_in_it_and_once_it_knows_says_so_at_once(
    local: Server, context: BrowserContext
) -> None:
    page = context.new_page()
    told: list[str | bytes] = []
    visits = itertools.count(1)

    def join(route: WebSocketRoute) -> None:
        server, heard, visit = route.connect_to_server(), itertools.count(1), next(visits)

        def hear(message: str | bytes) -> None:
            # The first message asks for the page, the second is the tab's report. On the second
            # visit the server hears the first alone.
            at = next(heard)
            if at == 1 or (visit == 1 and at > 2):
                server.send(message)
            elif visit == 1:
                told.append(message)

        route.on_message(hear)
        server.on_message(route.send)

    page.route_web_socket(re.compile("_stcore/stream"), join)
    page.goto(local.url)
    says(page, "Nobody is here")
    until = time.monotonic() + 30
    while not told:
        assert time.monotonic() < until, "the tab has reported nothing"
        page.wait_for_timeout(20)
    assert len(told) == 1
    press(page, "I am Ann")
    says(page, "Hello Ann, reviewer")
    wait_until(page, NOTED)
    page.reload()
    says(page, "Hello Ann, reviewer")


# --- through a provider --------------------------------------------------------------------------


def signed_in(page: Page, server: Server) -> None:
    page.goto(server.url)
    says(page, "Nobody is here")
    press(page, "Sign in")


def test_a_known_lead_signs_in_stays_through_a_reload_and_signs_out_everywhere(
    team: Server, page: Page, provider: Provider, heard: Heard
) -> None:
    provider.be("Ada@Example.org", name="Ada Lovelace")
    signed_in(page, team)
    says(page, "Hello Ada Lovelace, lead")
    page.reload()
    says(page, "Hello Ada Lovelace, lead")
    ended = provider.ended
    # The provider hears of it through the browser, which it sends back: until then the page leaves.
    with page.expect_navigation():
        press(page, "Leave")
    says(page, "Nobody is here")
    until = time.monotonic() + 30
    while provider.ended == ended:
        assert time.monotonic() < until, "the provider was not told"
        page.wait_for_timeout(50)
    assert provider.ended == ended + 1
    page.reload()
    says(page, "Nobody is here")
    assert heard.errors == []


# From here on, what the browser has is the cookie: the client that replays tabs has it too.


def test_who_is_not_on_the_team_is_turned_away_and_can_sign_out(
    team: Server, provider: Provider
) -> None:
    provider.be("mallory@example.org", name="Someone")
    browser = Browser(team.url)
    browser.sign_in()
    tab = browser.tab()
    assert "You cannot sign in here" in tab.text
    assert "mallory@example.org is not on this team" in tab.text
    assert "Hello" not in tab.text
    tab.press("Sign out")
    browser.http.get(tab.led_to)
    assert "Nobody is here" in browser.tab().text


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "claims, why",
    [
        ({"email_verified": False}, "has not confirmed that ada@example.org"),
        ({"email_verified": None}, "has not confirmed that ada@example.org"),
        ({"email_verified": "false"}, "has not confirmed that ada@example.org"),
        ({"email": None, "email_verified": None}, "has not confirmed that your e-mail address"),
    ],
    ids=["unverified", "verification not stated", "the word false", "no e-mail"],
)
def test_who_is_not_confirmed_is_turned_away(
    claims: dict[str, object], why: str, team: Server, provider: Provider
) -> None:
    provider.be("ada@example.org", **{"sub": "someone", "name": "Someone", **claims})
    browser = Browser(team.url)
    browser.sign_in()
    said = browser.tab().text
    assert "You cannot sign in here" in said
    assert why in said
    assert "Hello" not in said


def test_a_provider_that_does_not_state_verification_is_accepted_where_the_team_says_so(
    team: Server, provider: Provider
) -> None:
    settings = Path(team.env["MEDLENS_CONFIG"])
    before = settings.read_text()
    settings.write_text(f"{before}[sign_in]\naccept_missing_email_verified = true\n")
    provider.be("grace@example.org", email_verified=None)
    browser = Browser(team.url)
    browser.sign_in()
    assert "Hello grace@example.org, reviewer" in browser.tab().text
    settings.write_text(before)


# --- the server's guard --------------------------------------------------------------------------


def get(url: str, **headers: str) -> tuple[int, dict[str, str], str]:
    try:
        answer = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        named = {name.lower(): value for name, value in answer.headers.items()}
        return answer.status, named, answer.read().decode("utf-8", "replace")


def test_every_answer_carries_the_security_headers(local: Server) -> None:
    for path in ("/", "/_stcore/health", "/static/nothing.js", "/no/such/page"):
        _, headers, _ = get(local.url + path)
        policy = headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "script-src 'self' 'sha256-" in policy
        assert "unsafe-eval" not in policy
        assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "camera=()" in headers["permissions-policy"]
        assert "server" not in headers


def test_another_host_name_and_unused_doors_are_refused(local: Server) -> None:
    assert get(local.url + "/_stcore/health")[0] == 200
    for host in ("evil.example", "localhost.evil.example", "localhost@evil.example", ""):
        status, _, text = get(local.url + "/", Host=host)
        assert (status, text) == (400, "This server does not answer to this host name.")
    for door in ("/_stcore/metrics", "/_stcore/agent/openapi.json", "/_stcore/agent/mcp"):
        assert get(local.url + door)[0] == 404


def refused(tab: Tab, why: str) -> None:
    """Check that the page says why, and nothing else: it does not even ask who is there."""
    assert why in tab.text
    assert "Nobody is here" not in tab.text
    assert not tab.all("bidi_component")


def test_pages_started_beyond_loopback_with_streamlit_run_refuse_to_work(
    who: Path, app_server: AppServer
) -> None:
    server = app_server(script=who, how="streamlit", arguments=("--server.address", "0.0.0.0"))
    refused(Browser(server.url).tab(), "sign-in is not set up")


@pytest.mark.deep
def test_pages_with_sign_in_refuse_to_work_under_streamlit_run(
    who: Path, app_server: AppServer, provider: Provider
) -> None:
    server = app_server(script=who, how="streamlit", settings=TEAM, secrets=provider.secrets())
    refused(Browser(server.url).tab(), "python -m medlens serve")


def test_pages_behind_a_proxy_refuse_to_work_without_sign_in(local: Server) -> None:
    # Every reverse proxy adds this header.
    refused(Browser(local.url).tab(headers={"X-Forwarded-For": "192.0.2.7"}), "is behind a proxy")


@pytest.mark.first_quick
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["terminate", "interrupt"])
def test_the_server_ends_cleanly_though_a_page_is_open(
    how: signal.Signals, who: Path, app_server: AppServer
) -> None:
    server = app_server(script=who)
    tab = Browser(server.url).tab()
    assert tab.open
    assert server.process is not None
    server.process.send_signal(how)
    assert server.process.wait(60) == 0
    assert "Traceback" not in server.log.read_text()


# --- MedLens itself -------------------------------------------------------------------------------


@pytest.mark.deep
def test_medlens_itself_remembers_a_new_name_and_asks_nobody_else(
    app_server: AppServer, page: Page, heard: Heard
) -> None:
    page.goto(app_server().url)
    page.get_by_role("textbox", name="Name").fill("Dr <b>Ann</b> & Co")
    press(page, "Start")
    expect(page.get_by_text("Dr <b>Ann</b> & Co").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("Dr <b>Ann</b> & Co").first).to_be_visible()
    assert heard.errors == []
    # The policy works: a script written into the page does not run.
    page.evaluate(
        """() => {
            const script = document.createElement("script")
            script.textContent = "window.ran = true"
            document.body.append(script)
        }"""
    )
    assert page.evaluate("window.ran") is None
    assert heard.strangers == []


@pytest.mark.deep
def test_a_second_server_on_the_same_store_says_why_it_does_not_start(
    app_server: AppServer, tmp_path: Path
) -> None:
    store = tmp_path / "one.duckdb"
    first = app_server(store=store)
    with pytest.raises(AssertionError, match="Another process holds the store"):
        app_server(store=store)
    assert first.answers()


@pytest.mark.deep
def test_a_name_typed_at_once_is_in_the_only_field_of_the_page(
    page: Page, app_server: AppServer
) -> None:
    page.goto(app_server().url)
    field = page.get_by_label("Name", exact=True)
    expect(field).to_be_focused(timeout=45_000)
    page.keyboard.type("Ada")
    expect(field).to_have_value("Ada")
