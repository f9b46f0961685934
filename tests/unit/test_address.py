"""What stands in the address holds, also while the browser still says the old one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from medlens.ui import page_address


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
    monkeypatch.setattr(page_address, "st", page)
    page_address.keep_address_set_in_callback("Verify sources")
    return page


@pytest.mark.parametrize("ends", [False, True])
def test_an_item_put_in_the_address_stays_there_when_the_old_address_is_asked_for_again(
    browser: Any, ends: bool
) -> None:
    browser.query_params.ends = ends
    if ends:
        with pytest.raises(Ended):
            page_address.set_values_in_address(item="second")
    else:
        page_address.set_values_in_address(item="second")
    browser.query_params = Params(item="first")
    page_address.keep_address_set_in_callback_of_fragment()
    assert browser.query_params == {"item": "second"}


def test_a_link_pressed_right_after_is_followed(browser: Any) -> None:
    page_address.set_values_in_address(item="second")
    page_address.set_values_in_address(item="third")
    browser.query_params = Params(item="a link's")
    page_address.keep_address_set_in_callback_of_fragment()
    assert browser.query_params == {"item": "a link's"}
    for old in ("first", "second"):
        browser.query_params = Params(item=old)
        page_address.keep_address_set_in_callback_of_fragment()
        assert browser.query_params == {"item": "third"}


@pytest.mark.parametrize("put", [{"item": "first pair"}, {"item": "first pair", "dataset": "demo"}])
def test_a_link_to_another_task_of_the_page_keeps_no_item_of_this_one(
    browser: Any, put: dict[str, str]
) -> None:
    browser.query_params = Params(view="Verify sources")
    page_address.set_values_in_address(**put)
    for link in ({"view": "Verify whole answers"}, {"view": "Verify sources", "dataset": "own"}):
        browser.query_params = Params(link)
        page_address.keep_address_set_in_callback("Verify sources")
        assert browser.query_params == link
    browser.query_params = Params(view="Verify sources")
    page_address.keep_address_set_in_callback("Verify sources")
    assert browser.query_params == {"view": "Verify sources", **put}


def test_what_was_the_whole_address_is_told_from_what_was_asked_before(browser: Any) -> None:
    browser.query_params = Params(section="hand-out")
    page_address.replace_whole_address(section="")
    for asked, kept in (("hand-out", {}), ("people", {"section": "people"})):
        browser.query_params = Params(section=asked)
        page_address.keep_address_set_in_callback_of_fragment()
        assert browser.query_params == kept


def test_another_page_keeps_its_own_address(browser: Any) -> None:
    page_address.set_values_in_address(item="second")
    browser.query_params = Params(item="a dialogue")
    page_address.keep_address_set_in_callback("Read transcripts")
    assert browser.query_params == {"item": "a dialogue"}
