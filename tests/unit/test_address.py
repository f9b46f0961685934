"""What stands in the address holds, also while the browser still says the old one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from medlens.ui import address


class Ended(BaseException):
    """A run that the browser's next question has ended, as Streamlit ends it."""


class Params(dict[str, str]):
    """An address at whose change a run can end."""

    ends = False

    def __setitem__(self, name: str, value: str) -> None:
        if self.ends:
            raise Ended
        super().__setitem__(name, value)


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Any:
    page = SimpleNamespace(session_state={}, query_params=Params(item="first"))
    monkeypatch.setattr(address, "st", page)
    address.settle("Verify sources")
    return page


@pytest.mark.parametrize("ends", [False, True])
def test_an_item_put_in_the_address_stays_there_when_the_old_address_is_asked_for_again(
    browser: Any, ends: bool
) -> None:
    browser.query_params.ends = ends
    if ends:
        with pytest.raises(Ended):
            address.go(item="second")
    else:
        address.go(item="second")
    browser.query_params = Params(item="first")
    address.hold()
    assert browser.query_params == {"item": "second"}


def test_a_link_pressed_right_after_is_followed(browser: Any) -> None:
    address.go(item="second")
    address.go(item="third")
    browser.query_params = Params(item="a link's")
    address.hold()
    assert browser.query_params == {"item": "a link's"}
    for old in ("first", "second"):
        browser.query_params = Params(item=old)
        address.hold()
        assert browser.query_params == {"item": "third"}


def test_what_was_the_whole_address_is_told_from_what_was_asked_before(browser: Any) -> None:
    browser.query_params = Params(section="hand-out")
    address.only(section="")
    for asked, kept in (("hand-out", {}), ("people", {"section": "people"})):
        browser.query_params = Params(section=asked)
        address.hold()
        assert browser.query_params == kept


def test_another_page_keeps_its_own_address(browser: Any) -> None:
    address.go(item="second")
    browser.query_params = Params(item="a dialogue")
    address.settle("Read transcripts")
    assert browser.query_params == {"item": "a dialogue"}
