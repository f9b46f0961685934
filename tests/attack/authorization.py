"""Who gets what: every page, callback, fragment, upload and download, by everybody who should not.

``python -m tests.attack.authorization`` prints what was tried, by kind, and what got through;
``attempts`` does the same for a test. It takes a server with sign-in and a provider that lets
everybody in as whom they are told to be.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg

from medlens.app.work_behind_commands import add_demo_studies_and_return_report_text
from medlens.store import open_store
from medlens.ui.team import SECTIONS
from tests.attack import lead_actions
from tests.attack.counts import Counts, Size, main
from tests.attack.tab import Browser, InvalidStatus, Tab
from tests.browser.conftest import Server, free_port, servers
from tests.browser.oidc_provider import Provider, running_provider

LEAD, REVIEWER, STRANGER = "ada@example.org", "grace@example.org", "mallory@example.org"
TEAM = {LEAD: "lead", REVIEWER: "reviewer"}
LOOK_ALIKES = (
    "\u0430da@example.org",
    "ada@ex\u0430mple.org",
    "\uff41da@example.org",
    "ada@example\u3002org",
    "ada@example.org\u200b",
    "ada@example.org,x@y.z",
    "ada@example.org\x00",
    "ada@@example.org",
    "\u202eada@example.org",
    "ada@example.or\u212a",
    "ada+x@example.org",
    "ada",
)
UNCONFIRMED = ({"email_verified": False}, {"email_verified": "false"}, {"email": None})
PAGES = {
    "": "",
    "Tag_errors": "",
    "Read_transcripts": "",
    "Verify_sources": "",
    "Explore_EBMQA": "",
    "Your_studies": "",
    "Team": "lead",
    "People_and_models": "lead",
    "Runs": "lead",
    "Data": "lead",
}
"""The pages, and who they are for."""
LEADS_VIEWS = (
    ("Tag_errors", "view=Results"),
    ("Tag_errors", "view=Open+coding"),
    ("Read_transcripts", "view=Dialogues"),
    ("Read_transcripts", "view=Cases"),
    ("Read_transcripts", "view=Results"),
    ("Verify_sources", "view=Answers"),
    ("Verify_sources", "view=Results"),
    ("Team", "task=error_spans"),
    *(("Team", f"section={name}") for name in SECTIONS),
    ("Your_studies", "view=Results"),
    ("Your_studies", "view=Make+a+study"),
    ("Your_studies", "view=Study+file"),
    ("Runs", "view=new"),
    ("Data", "view=Export"),
    ("Data", "view=Items"),
    ("Data", "view=Taxonomy"),
)
_SIGNS = ("Compare and settle", "Audit log", "file_uploader", "download_button", "arrow_data_frame")
"""What only a lead is sent, on any page."""


def leads(tab: Tab) -> bool:
    """Whether a tab was sent what is for leads."""
    text = tab.text
    let_in = bool(tab.all("page_link")) and "for team leads" not in text
    return (let_in and PAGES[tab.page] == "lead") or any(sign in text for sign in _SIGNS)


def team_of(**roles: str) -> str:
    """A team as a settings file names it."""
    return "[people]\n" + "".join(f'"{name}" = "{role}"\n' for name, role in roles.items())


def people(server: Server, **roles: str) -> None:
    """Write who is on the team into the server's settings file."""
    path = Path(server.env["MEDLENS_CONFIG"])
    port = server.url.rpartition(":")[2]
    text = f"{team_of(**roles)}{lead_actions.MODEL}[serve]\nport = {port}\n"
    path.write_text(text, encoding="utf-8")


def signed_in(server: Server, provider: Provider, email: str) -> Browser:
    """A browser in which somebody has signed in."""
    provider.be(email, name=email.partition("@")[0].capitalize())
    browser = Browser(server.url)
    browser.sign_in()
    return browser


def attempts(server: Server, provider: Provider, *, short: bool = False) -> Counts:
    """Try everything on a server of ``TEAM``, or of each kind a part; its settings are as they were
    afterwards.

    That the lead gets what the others should not is asserted first.
    """
    tally, every = Counts(), 4 if short else 1
    lead = signed_in(server, provider, LEAD)
    others: dict[str, Browser] = {
        "nobody": Browser(server.url),
        "a stranger": signed_in(server, provider, STRANGER),
        "a reviewer": signed_in(server, provider, REVIEWER),
    }
    if short:
        del others["a stranger"]
    for page, role in list(PAGES.items())[::-every]:
        tab = lead.tab(page)
        assert tab.all("page_link"), page
        assert leads(tab) or not role, page
        tab.close()
    _pages(tally, others, every)
    _look_alikes(tally, server, provider, every)
    _uploads(tally, lead, others)
    _downloads(tally, lead, others, every)
    _desks(tally, lead, others)
    _sessions(tally, lead, others)
    _forged(tally, server, lead)
    _replays(tally, server, provider, every)
    people(server, **TEAM)
    _actions(tally, server, provider, others, every)
    people(server, **TEAM)
    lead.tab().press("Sign out")
    return tally


def _pages(tally: Counts, others: dict[str, Browser], every: int) -> None:
    for who, browser in others.items():
        inside = who == "a reviewer"
        for page, role in list(PAGES.items())[::-every]:
            tab = browser.tab(page)
            refused = not leads(tab)
            if not inside:
                refused = refused and not tab.all("page_link") and not tab.all("bidi_component")
            if role or not inside:
                tally.expect("page", f"{who} on {page or 'Home'}", refused=refused)
            tab.close()
        for page, query in LEADS_VIEWS[::every]:
            tab = Tab(browser, page)
            tab.run(query=query)
            tally.expect("view", f"{who} on {page}?{query}", refused=not leads(tab))
            tab.close()


def _look_alikes(tally: Counts, server: Server, provider: Provider, every: int) -> None:
    for email in LOOK_ALIKES[::every]:
        tab = signed_in(server, provider, email).tab("Data")
        tally.expect("look-alike", ascii(email), refused=not tab.all("page_link"))
        tab.close()
    for claims in UNCONFIRMED[::every]:
        provider.be(LEAD, **claims)
        browser = Browser(server.url)
        browser.sign_in()
        tab = browser.tab("Data")
        tally.expect("unconfirmed", str(claims), refused=not tab.all("page_link"))
        tab.close()


def _uploads(tally: Counts, lead: Browser, others: dict[str, Browser]) -> None:
    hers = lead.tab("Data")
    address = hers.file_address()
    assert lead.put(address, b"a,b\n1,2\n") == 204
    stem = address.rpartition("/")[0]
    for who, browser in others.items():
        own = browser.tab("Data")
        own.idle = True
        places = {
            "their own": own.file_address() or f"/_stcore/upload_file/{own.session}/x",
            "the lead's": address,
            "the lead's session": f"{stem}/another",
            "no session": "/_stcore/upload_file/none/x",
            "no file": f"{stem}/",
            "up": f"{stem}/..%2f..%2fx",
            "nothing": "/_stcore/upload_file/",
        }
        for called, place in places.items():
            for how in ({}, {"Content-Length": "5"}, {"Transfer-Encoding": "chunked"}):
                status = (
                    browser.put(place, b"x" * 1000, **how) if not how else _raw(browser, place, how)
                )
                tally.expect("upload", f"{who} to {called} {how}", refused=status != 204)
            status = browser.http.delete(place, headers={"X-Xsrftoken": browser.xsrf}).status_code
            tally.expect("upload", f"{who} deletes {called}", refused=status != 204)
        own.close()
    for what, status in (
        ("without the token", lead.put(address, b"x", xsrf=False)),
        ("with another token", lead.put(address, b"x", **{"X-Xsrftoken": "2|a|b|c"})),
        ("to a session that is not", lead.put("/_stcore/upload_file/none/x", b"x")),
    ):
        tally.expect("upload", f"the lead {what}", refused=status != 204)
    hers.close()


def _raw(browser: Browser, place: str, headers: dict[str, str]) -> int:
    """A request whose headers say something else of its body than is so."""
    with contextlib.suppress(Exception):
        return browser.http.put(
            place,
            content=b"--x\r\nhalf of it",
            timeout=3.0,
            headers={
                "Content-Type": "multipart/form-data; boundary=x",
                "X-Xsrftoken": browser.xsrf,
                **headers,
            },
        ).status_code
    return 0


def _downloads(tally: Counts, lead: Browser, others: dict[str, Browser], every: int) -> None:
    """Tables, reports, the zip of everything, backups, studies' files, the audit log."""
    places = ("Data?view=Export", "Your_studies?view=Study+file", "Team?section=audit")
    for place in places[:: -min(every, 3)]:
        page, _, query = place.partition("?")
        hers = lead.tab(page)
        hers.run(query=query)
        made = [one.element.deferred_file_id for one in hers.all("download_button")]
        assert made, place
        address = hers.download(made[-1])
        assert lead.http.get(address).status_code == 200
        for who, browser in others.items():
            own = browser.tab(page)
            own.idle = True
            for deferred in made:
                tally.expect("download", f"{who} makes it", refused=not own.download(deferred))
            for method in ("GET", "HEAD"):
                for path in (address, address + "?x=1", address.partition(".")[0], f"{address}/x"):
                    status = browser.http.request(method, path).status_code
                    tally.expect("download", f"{who} {method}", refused=status not in (200, 206))
            status = browser.http.get(address, headers={"Range": "bytes=0-3"}).status_code
            tally.expect("download", f"{who} a part", refused=status not in (200, 206))
            own.close()
        bare = Browser(lead.url)
        for name, value in lead.cookies.items():
            if name != "medlens_browser":
                bare.http.cookies.set(name, value)
        status = bare.http.get(address).status_code
        tally.expect("download", "another browser with the lead's sign-in", refused=status != 200)
        hers.close()


def _desks(tally: Counts, lead: Browser, others: dict[str, Browser]) -> None:
    """Send messages to the address of the lead's desk."""
    hers = lead.tab("Tag_errors")
    told = [json.loads(one.element.json or "{}") for one in hers.all("bidi_component")]
    [way] = [one["way"] for one in told if one.get("way")]
    place = f"/medlens/desk/{way['address']}"
    message = {"token": "x", "action": "draft"}
    assert lead.http.post(place, json=message).status_code == 200
    for who, browser in others.items():
        for path in (place, f"{place}/", f"{place}?x=1", "/medlens/desk/", f"/x/..{place}"):
            status = browser.http.post(path, json=message).status_code
            tally.expect("desk", f"{who} to {path}", refused=status != 200)
    for what, sent in (
        ("a form", {"data": message}),
        ("text", {"content": json.dumps(message), "headers": {"Content-Type": "text/plain"}}),
        ("another site's", {"json": message, "headers": {"Origin": "https://evil.example"}}),
        ("a GET", {"json": message, "method": "GET"}),
    ):
        status = lead.http.request(sent.pop("method", "POST"), place, **sent).status_code
        tally.expect("desk", f"the lead's browser, {what}", refused=status != 200)
    hers.close()


def _sessions(tally: Counts, lead: Browser, others: dict[str, Browser]) -> None:
    """Take over the lead's session by its id, connected or not, and say what its tab would."""
    for still_open in (True, False):
        hers = lead.tab("Team")
        button, fragments = hers.all("button")[-1], {one.fragment for one in hers.drawn} - {""}
        if not still_open:
            hers.close()
        for who, browser in others.items():
            taken = browser.tab("Team", session=hers.session)
            how = "open" if still_open else "left"
            tally.expect("session", f"{who}, {how}", refused=taken.session != hers.session)
            taken.idle = True
            for raw in hers.sent:
                taken.say(raw)
            taken.run(widgets={button.id: True})
            for fragment in fragments:
                taken.run(fragment=fragment)
            tally.expect("replay", f"{who}, {how}", refused=not leads(taken))
            taken.close()
        hers.close()


def _forged(tally: Counts, server: Server, lead: Browser) -> None:
    """Cookies and headers that say who one is."""
    real = lead.cookies["_streamlit_user"]
    for forged in (
        "",
        "ada@example.org",
        real[:-4] + "AAAA",
        real[::-1],
        f'"{real}"x',
        real.split(".")[0],
        '{"email":"ada@example.org","is_logged_in":true}',
    ):
        browser = Browser(server.url)
        browser.http.cookies.set("_streamlit_user", forged)
        with contextlib.suppress(InvalidStatus, ValueError):
            tab = browser.tab("Data")
            tally.expect("forged", forged[:20], refused=not tab.all("page_link"))
            tab.close()
    for header in ("X-Streamlit-User", "X-Forwarded-User", "X-Forwarded-Email", "Remote-User"):
        browser = Browser(server.url)
        browser.http.headers[header] = LEAD
        tab = browser.tab("Data", headers={header: LEAD})
        tally.expect("forged", header, refused=not tab.all("page_link"))
        tab.close()


def _ends(server: Server) -> dict[str, Callable[[Browser], None]]:
    """The ways in which a lead loses their place."""

    def signs_out(browser: Browser) -> None:
        tab = browser.tab()
        tab.press("Sign out")
        tab.close()

    def removed(_: Browser) -> None:
        people(server, **{REVIEWER: "reviewer"})

    def demoted(_: Browser) -> None:
        people(server, **{LEAD: "reviewer", REVIEWER: "reviewer"})

    return {
        "signed out": signs_out,
        "taken off the team": removed,
        "made a reviewer": demoted,
    }


def _actions(
    tally: Counts, server: Server, provider: Provider, others: dict[str, Browser], every: int
) -> None:
    """What leads do, done by everybody else."""

    def sign_in() -> Browser:
        people(server, **TEAM)
        return signed_in(server, provider, LEAD)

    ends = dict(list(_ends(server).items())[:: -min(every, 3)])
    lead_actions.attempts(tally, server, sign_in, others, ends, every)


def _replays(tally: Counts, server: Server, provider: Provider, every: int) -> None:
    """What a lead's tabs can still say and have after they have lost their place, in each way."""
    for way, happens in _ends(server).items():
        people(server, **TEAM)
        browser = signed_in(server, provider, LEAD)
        tabs = {page: browser.tab(page) for page in ("Team", "Data", *list(PAGES)[:5:every])}
        address = tabs["Data"].file_address()
        team = tabs["Team"]
        team.run(query="section=audit")
        deferred = team.all("download_button")[-1].element.deferred_file_id
        url = team.download(deferred)
        cookies = browser.cookies
        before = {page: len(tab.received) for page, tab in tabs.items()}
        for tab in tabs.values():
            tab.idle = True
        happens(browser)
        tally.expect("after", f"{way}: upload", refused=browser.put(address, b"x") != 204)
        tally.expect("after", f"{way}: file", refused=browser.http.get(url).status_code != 200)
        tally.expect("after", f"{way}: made file", refused=not team.download(deferred))
        for page, tab in tabs.items():
            for one in (*tab.all("button"), *tab.all("bidi_component")):
                tab.run(
                    widgets={one.id: True if one.kind == "button" else {"out": {}}},
                    fragment=one.fragment,
                )
            for raw in list(tab.sent):
                tab.say(raw)
            new = [one for one in tab.received[before[page] :] if one.HasField("delta")]
            tally.expect("after", f"{way}: {page or 'Home'} said something", refused=not new)
            tab.close()
        # The cookies of before, in another browser.
        thief = Browser(server.url)
        for name, value in cookies.items():
            thief.http.cookies.set(name, value)
        for page, role in list(PAGES.items())[::-every]:
            if role or way != "made a reviewer":
                tab = thief.tab(page)
                refused = not leads(tab) and (way == "made a reviewer" or not tab.all("page_link"))
                tally.expect("after", f"{way}: cookies on {page or 'Home'}", refused=refused)
                tab.close()
        tab = thief.tab()
        tab.idle = True
        for kind in ("clear_cache", "load_git_info", "set_run_on_save", "debug_shutdown_runtime"):
            message = BackMsg()
            setattr(message, kind, True)
            tally.expect("after", f"{way}: {kind}", refused=tab.ask(message, kind) is None)
        tab.close()


def run(seed: int, size: Size) -> Counts:
    """The whole suite on a server of its own; nothing of it is drawn."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_provider(free_port()) as provider,
        servers(Path(folder)) as start,
    ):
        path = Path(folder) / "store.duckdb"
        with contextlib.closing(open_store(path)) as store:
            add_demo_studies_and_return_report_text(store)
            lead_actions.lay(store)
        server = start(
            settings=team_of(**TEAM) + lead_actions.MODEL, secrets=provider.secrets(), store=path
        )
        return attempts(server, provider, short=size == "short")


if __name__ == "__main__":
    raise SystemExit(main("authorization", run))
