"""Access that ends, upload limits and private files: a real server and provider, and rogue tabs."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.review import audit_log
from medlens.store import open_store
from medlens.studies.registry import STUDIES
from tests.attack import lead_actions
from tests.attack.authorization import LEAD, REVIEWER, TEAM, attempts, people, signed_in, team_of
from tests.attack.lead_actions import Action
from tests.attack.tab import Browser, Tab
from tests.browser.conftest import AppServer, Server, free_port
from tests.browser.oidc_provider import Provider, running_provider
from tests.conftest import LayStore

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider(free_port()) as one:
        yield one


@pytest.fixture(scope="module")
def team(
    lasting_server: AppServer,
    provider: Provider,
    lay_store: LayStore,
    tmp_path_factory: pytest.TempPathFactory,
) -> Server:
    """MedLens for a lead and a reviewer, with the tagging demo and their own study in it."""
    folder = tmp_path_factory.mktemp("team")
    path = lay_store(folder / "store.duckdb", STUDIES["tagging"].demo, lead_actions.lay)
    return lasting_server(
        secrets=provider.secrets(),
        store=path,
        env={"TMPDIR": str(folder)},
        settings=team_of(**TEAM),
    )


@pytest.fixture(autouse=True)
def everybody(team: Server) -> None:
    people(team, **TEAM)


def uploads_of(server: Server) -> list[Path]:
    """The uploaded files that the server still keeps."""
    return list(Path(server.env["TMPDIR"]).glob("medlens-uploads-*/*"))


def settings(server: Server, text: str) -> None:
    path = Path(server.env["MEDLENS_CONFIG"])
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def resident(server: Server) -> int:
    """The server's peak memory so far, in bytes."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found
    return int(found[1]) * 1024


@pytest.mark.deep
def test_nobody_gets_what_is_for_others(team: Server, provider: Provider) -> None:
    tally = attempts(team, provider, short=True)
    assert tally.found == []
    assert tally.tried.total() > 100
    assert min(tally.tried.values()) > 0


@pytest.mark.deep
def test_an_invitation_lets_a_stranger_in_through_the_provider_until_the_lead_takes_it_back(
    team: Server, provider: Provider, page: Page
) -> None:
    settings(team, "[sign_in]\ninvitations_admit = true\n")
    lead = signed_in(team, provider, LEAD)
    where = "Team?section=people"
    link = done(lead, Action("invites", where, "", press="invite.make")).all("code")[-1].element
    page.goto(link.code_text)
    expect(page.get_by_text("Ada invites you to review here")).to_be_visible()
    expect(page).not_to_have_url(re.compile("invite"))
    provider.be("mallory@example.org", name="Mallory")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("You have signed in as mallory@example.org")).to_be_visible()
    # Seeing an invitation does not accept it.
    expect(page.get_by_role("link", name="Tag errors")).to_have_count(0)
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_text("Good to see you, Mallory")).to_be_visible()
    page.goto(f"{team.url}/Team")
    expect(page.get_by_text("This is for team leads")).to_be_visible()
    page.get_by_role("link", name="Back to Home").click()
    expect(page.get_by_text("Good to see you, Mallory")).to_be_visible()
    expect(page.get_by_text("invite")).to_have_count(0)
    until = time.monotonic() + 30
    while "medlens_arrival" in str(page.context.cookies()):
        assert time.monotonic() < until, "the browser still keeps the invitation"
        page.wait_for_timeout(50)
    # A second person with the link finds it used up, and is still a stranger.
    late = Browser(team.url)
    late.http.get(link.code_text)
    assert "no longer valid" in late.tab().text
    provider.be("late@example.org", name="Late")
    late.sign_in()
    refused = late.tab()
    assert "used by as many people as it was for. Ask Ada" in refused.text
    assert not refused.all("page_link")
    with lead_actions.copied(team) as store:
        [(used,)] = store.sql("select invitation from invitation_event").fetchall()
    out = {"invite.out": ["Mallory"]}
    done(lead, Action("", f"{where}&invitation={used}", "", values=out, press="invite.take_back"))
    page.reload()
    expect(page.get_by_text("is not on this team's list")).to_be_visible()


def done(browser: Browser, action: Action) -> Tab:
    """The tab in which a browser has done what leads do."""
    tab, messages = lead_actions.prepared(browser, action)
    assert tab.say(messages[-1])
    return tab


# -- access that ends ----------------------------------------------------------------------------


@pytest.mark.deep
def test_signing_out_in_one_tab_ends_the_others_by_themselves(
    team: Server, provider: Provider, page: Page
) -> None:
    browser = signed_in(team, provider, LEAD)
    page.context.add_cookies(
        [{"name": name, "value": is_, "url": team.url} for name, is_ in browser.cookies.items()]
    )
    page.goto(f"{team.url}/Team")
    expect(page.get_by_text("Compare and settle")).to_be_visible()
    browser.tab().press("Sign out")
    # Nobody touches the other tab.
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_text("Compare and settle")).to_have_count(0)


@pytest.mark.deep
def test_a_sign_in_that_has_lasted_its_hours_is_over_for_tab_and_cookie(
    team: Server, provider: Provider
) -> None:
    browser = signed_in(team, provider, LEAD)
    tab = browser.tab("Team")
    assert "Compare and settle" in tab.text
    settings(team, "[sign_in]\nhours = 1e-6\n")
    tab.idle = True
    assert not tab.run()
    assert tab.wait_closed()
    assert "Your sign-in has ended" in browser.tab("Team").text


@pytest.mark.deep
def test_an_ended_sign_in_gets_no_new_life_but_by_a_new_one_even_if_the_server_restarts(
    app_server: AppServer, provider: Provider
) -> None:
    server = app_server(secrets=provider.secrets(), settings=team_of(**TEAM))
    browser = signed_in(server, provider, LEAD)
    cookies = browser.cookies
    browser.tab().press("Sign out")
    server.restart()
    thief = Browser(server.url)
    for name, value in cookies.items():
        thief.http.cookies.set(name, value)
    tab = thief.tab("Team")
    assert "Your sign-in has ended" in tab.text
    assert not tab.all("page_link")
    browser.sign_in()
    assert "Good to see you" in browser.tab().text


@pytest.mark.deep
def test_who_becomes_a_lead_is_one_at_their_next_action(team: Server, provider: Provider) -> None:
    browser = signed_in(team, provider, REVIEWER)
    tab = browser.tab("Team")
    assert "for team leads" in tab.text
    people(team, **{LEAD: "lead", REVIEWER: "lead"})
    tab.idle = True
    tab.run()
    assert tab.wait_closed()
    # As a browser would, with its existing session.
    assert "Compare and settle" in browser.tab("Team", session=tab.session).text


@pytest.mark.deep
@pytest.mark.parametrize("broken", ["[people\n", '[people]\n"ada" = "lead"\n', None])
def test_a_broken_settings_file_keeps_the_team_and_leads_are_told(
    broken: str | None, team: Server, provider: Provider
) -> None:
    lead, reviewer = (signed_in(team, provider, one).tab("Team") for one in (LEAD, REVIEWER))
    path = Path(team.env["MEDLENS_CONFIG"])
    if broken is None:
        path.unlink()
    else:
        path.write_text(broken, encoding="utf-8")
    assert lead.run()
    assert "its previous version is still in use" in lead.text
    assert reviewer.run()
    assert "its previous version is still in use" not in reviewer.text
    people(team, **TEAM)
    heard = len(lead.received)
    assert lead.run()
    assert "its previous version is still in use" not in str(lead.received[heard:])


# -- uploads -------------------------------------------------------------------------------------


@pytest.mark.deep
def test_an_upload_lies_on_disk_and_in_no_memory_until_its_person_has_signed_out(
    team: Server, provider: Provider
) -> None:
    browser = signed_in(team, provider, LEAD)
    tab = browser.tab("Data")
    browser.put(tab.file_address(), b"x")
    before = resident(team)
    address = tab.file_address()
    assert browser.put(address, b"a,b\n" + b"1,2\n" * (50 * MEGABYTE // 4)) == 204
    assert resident(team) - before < 30 * MEGABYTE
    large = max(uploads_of(team), key=lambda path: path.stat().st_size)
    assert large.stat().st_size > 50 * MEGABYTE
    assert (large.stat().st_mode & 0o777, large.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert browser.http.delete(address, headers={"X-Xsrftoken": browser.xsrf}).status_code == 204
    assert not large.exists()
    assert uploads_of(team) != []
    signed_out(browser, team)


def signed_out(browser: Browser, server: Server) -> None:
    """Sign out; soon none of the files that the browser's tabs uploaded are left."""
    browser.tab().press("Sign out")
    until = time.monotonic() + 30
    while uploads_of(server):
        assert time.monotonic() < until, "an upload is still there"
        time.sleep(0.1)


@pytest.mark.deep
def test_uploads_are_bounded_each_in_one_tab_and_in_all(team: Server, provider: Provider) -> None:
    settings(team, "[uploads]\nfile_megabytes = 1\nsession_megabytes = 2\nall_megabytes = 3\n")
    browser = signed_in(team, provider, LEAD)
    one, two = browser.tab("Data"), browser.tab("Data")
    small, large = b"x" * (MEGABYTE * 9 // 10), b"x" * (2 * MEGABYTE)
    address = one.file_address()
    assert browser.put(address, large) in (413, 0)
    for _ in range(2):  # refused uploads are not counted
        assert browser.put(address, small) == 204
    assert browser.put(one.file_address(), small) == 204
    assert browser.put(one.file_address(), small) in (413, 0)
    assert browser.put(two.file_address(), small) == 204
    assert browser.put(two.file_address(), small) in (507, 0)
    assert browser.http.delete(address, headers={"X-Xsrftoken": browser.xsrf}).status_code == 204
    assert browser.put(two.file_address(), small) == 204
    assert sum(path.stat().st_size for path in uploads_of(team)) == 3 * len(small)
    signed_out(browser, team)


@pytest.mark.deep
def test_what_strangers_send_is_not_even_read(team: Server) -> None:
    browser = Browser(team.url)
    tab = browser.tab("Data")
    before = resident(team)
    for _ in range(3):
        assert browser.put(f"/_stcore/upload_file/{tab.session}/x", b"x" * 50 * MEGABYTE) != 204
    assert resident(team) - before < 20 * MEGABYTE
    assert uploads_of(team) == []


# -- the log -------------------------------------------------------------------------------------


@pytest.mark.deep
def test_the_audit_log_tells_who_came_who_was_refused_and_who_lost_their_place(
    app_server: AppServer, provider: Provider
) -> None:
    server = app_server(secrets=provider.secrets(), settings=team_of(**TEAM))
    reviewer = signed_in(server, provider, REVIEWER)
    tab = reviewer.tab("Data")
    reviewer.put(f"/_stcore/upload_file/{tab.session}/x", b"x")
    signed_in(server, provider, "mallory@example.org").tab("Team").run()
    people(server, **{REVIEWER: "reviewer", "new@example.org": "lead"})
    tab.run()
    tab.press("Sign out")
    assert server.stop() == 0
    store = open_store(server.env["MEDLENS_STORE"])
    table = audit_log.entries_table(store, viewer=None)
    store.close()
    said = [tuple(row) for row in table[["kind", "who", "about", "detail"]].to_numpy()][::-1]
    assert [one for one in said if one[0] != "settings"] == [
        ("sign_in", REVIEWER, "reviewer", ""),
        ("upload", "Grace", "", "no lead"),
        ("refused", "mallory@example.org", "", "mallory@example.org is not on this team's list."),
        ("role", "medlens.toml", LEAD, "lead to nobody"),
        ("role", "medlens.toml", "new@example.org", "nobody to lead"),
        ("sign_out", REVIEWER, "", ""),
    ]
    # Apart from the sign-in's key, the store holds nothing that a browser keeps.
    words = Path(server.env["MEDLENS_STORE"]).read_bytes()
    assert reviewer.cookies["_streamlit_xsrf"].encode() not in words
    assert os.fsencode(reviewer.cookies["medlens_browser"]) not in words
