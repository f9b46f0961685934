"""What a link said survives the way over the sign-in provider, and nothing else does."""

from __future__ import annotations

import asyncio
import unicodedata
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from medlens.config.settings import Settings
from medlens.review import raters
from medlens.ui import link_before_sign_in, session_people_and_sign_in_validity
from medlens.ui.request_guard import Guard

TOKEN = "a" * 32


async def _html(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"page"})


def get(target: str, *, cookie: str = "", https: bool = False) -> tuple[int, list[tuple[str, str]]]:
    path, _, query = target.partition("?")
    heard: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        heard.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost"), (b"cookie", cookie.encode())],
    }
    asyncio.run(Guard(_html, hosts=["localhost"], https=https)(scope, receive, send))
    start = heard[0]
    return start["status"], [(name.decode(), text.decode()) for name, text in start["headers"]]


def cookie_of(headers: list[tuple[str, str]]) -> str:
    [found] = [
        text
        for name, text in headers
        if name == "set-cookie" and link_before_sign_in.COOKIE in text
    ]
    return found


def test_an_invitation_goes_from_the_address_to_a_cookie_that_scripts_cannot_read() -> None:
    status, headers = get(f"/?x=1&invite={TOKEN}", https=True)
    assert (status, dict(headers)["location"]) == (303, "/")
    kept = cookie_of(headers)
    for part in ("HttpOnly", "SameSite=Lax", "Secure", "Max-Age=3600", "Path=/"):
        assert part in kept.split("; ")
    value = kept.partition(";")[0].partition("=")[2]
    assert link_before_sign_in.read_query_parameters_from_cookie(value) == {
        "x": "1",
        "invite": TOKEN,
    }
    assert TOKEN not in kept


@pytest.mark.parametrize(
    "target", ["/", "/?item=3", f"//evil.example?invite={TOKEN}", f"/Team?invite={TOKEN}"]
)
def test_other_addresses_lead_nowhere_else_and_set_no_such_cookie(target: str) -> None:
    status, headers = get(target)
    assert status == 200
    assert link_before_sign_in.COOKIE not in str(headers)
    assert get(f"/?invite={TOKEN}&x={'y' * 2000}")[0] == 200


@pytest.mark.parametrize("value", ["", "%", "a", "é", "A" * 3000, "aW52aXRl\n"])
def test_a_cookie_that_somebody_made_says_nothing(value: str) -> None:
    assert link_before_sign_in.read_query_parameters_from_cookie(value) == {}


def test_the_cookie_is_taken_back_from_the_browser_that_settled_it_alone() -> None:
    value = link_before_sign_in.cookie_value_of_invitation_query(f"invite={TOKEN}".encode())
    one, other = "b" * 43, "c" * 43
    link_before_sign_in.mark_link_as_settled(one, value)
    for browser, over in ((one, True), (other, False)):
        cookies = f"medlens_browser={browser}; {link_before_sign_in.COOKIE}={value}"
        scope = {"type": "http", "headers": [(b"cookie", cookies.encode())]}
        assert link_before_sign_in.is_cookie_outdated(HTTPConnection(scope), browser) is over
        _, headers = get("/", cookie=cookies)
        assert ("Max-Age=0" in str(headers)) is over


def test_a_link_that_is_opened_again_at_the_same_computer_is_open_to_the_next_person() -> None:
    browser = "d" * 43
    first, again = (
        cookie_of(get(f"/?invite={TOKEN}")[1]).partition(";")[0].partition("=")[2] for _ in "12"
    )
    link_before_sign_in.mark_link_as_settled(browser, first)
    assert link_before_sign_in.is_link_settled(browser, first)
    assert not link_before_sign_in.is_link_settled(browser, again)
    assert link_before_sign_in.read_query_parameters_from_cookie(again) == {"invite": TOKEN}


def test_only_where_the_settings_say_so_does_an_invitation_let_somebody_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def admits(store: object, rater: str) -> bool:
        asked.append(rater)
        return True

    monkeypatch.setattr(
        session_people_and_sign_in_validity.invitations, "was_admitted_by_invitation", admits
    )
    people = {"people": {"ada@example.org": "lead"}}
    store: Any = object()
    closed = Settings.model_validate(people)
    admitting = Settings.model_validate({**people, "sign_in": {"invitations_admit": True}})
    assert (
        session_people_and_sign_in_validity.role_of_email_address(
            closed, store, "mallory@example.org"
        )
        is None
    )
    assert not asked
    assert (
        session_people_and_sign_in_validity.role_of_email_address(
            admitting, store, "mallory@example.org"
        )
        == "reviewer"
    )
    assert (
        session_people_and_sign_in_validity.role_of_email_address(
            admitting, store, "ada@example.org"
        )
        == "lead"
    )
    assert (
        session_people_and_sign_in_validity.role_of_email_address(admitting, store, "mallory")
        is None
    )
    assert len(asked) == 1


def test_a_name_with_letters_composed_otherwise_is_no_second_person() -> None:
    for name in ("José Núñez", "Jürgen Größe", "Nguyễn Thị Ánh"):
        one = raters.make_rater_row(name)
        other = raters.make_rater_row(f" {unicodedata.normalize('NFD', name)}  ")
        assert one["id"] == other["id"]
    # Of what a file holds the rater stays who they were.
    apart = unicodedata.normalize("NFD", "José")
    assert raters.make_rater_row(apart, origin="import")["handle"] == f"import:{apart.casefold()}"
