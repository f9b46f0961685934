"""Who sits in a session, and until when: without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st

from medlens.config.settings import Settings
from medlens.config.settings import SignIn as Lasting
from medlens.errors import StoreUnavailable
from medlens.review import audit_log, raters
from medlens.review.audit_log import SignIn
from medlens.review.raters import Rater
from medlens.store import Store, utc_now
from medlens.ui import (
    chart_with_table_and_csv,
    session_people_and_sign_in_validity,
    settings_store_and_runs_of_process,
)
from medlens.ui.export_button import draw_export_button
from medlens.ui.session_people_and_sign_in_validity import Seat


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The session that a page would run in."""
    monkeypatch.setattr(session_people_and_sign_in_validity, "id_of_current_session", lambda: "s")
    yield "s"
    session_people_and_sign_in_validity.forget_session("s")


def test_a_seat_is_over_when_its_person_has_another_role(app_store: Store, lead: Rater) -> None:
    other = raters.find_or_add_rater_by_name(app_store, "Otto", role="lead")
    assert session_people_and_sign_in_validity.may_person_in_session_still_use_it("s"), (
        "nobody sits there"
    )
    session_people_and_sign_in_validity.record_who_is_in_session(Seat(lead.id, "lead"))
    assert session_people_and_sign_in_validity.may_person_in_session_still_use_it("s")
    raters.set_role_of_rater(app_store, lead.id, "reviewer", by=other)
    assert not session_people_and_sign_in_validity.may_person_in_session_still_use_it("s")
    session_people_and_sign_in_validity.record_who_is_in_session(Seat(lead.id, "reviewer"))
    assert session_people_and_sign_in_validity.may_person_in_session_still_use_it("s")


def test_a_seat_of_somebody_unknown_does_not_stand(app_store: Store) -> None:
    session_people_and_sign_in_validity.record_who_is_in_session(Seat("nobody", "lead"))
    assert not session_people_and_sign_in_validity.may_person_in_session_still_use_it("s")


def test_only_the_browser_that_opened_a_session_sits_in_it(app_store: Store, lead: Rater) -> None:
    session_people_and_sign_in_validity.record_browser_of_session("s", "mine", lambda: None)
    session_people_and_sign_in_validity.record_who_is_in_session(Seat(lead.id, "lead"))
    assert session_people_and_sign_in_validity.who_is_in_session_of_browser("s", "mine") == Seat(
        lead.id, "lead"
    )
    assert session_people_and_sign_in_validity.who_is_in_session_of_browser("s", "another") is None
    assert session_people_and_sign_in_validity.who_is_in_session_of_browser("s", "") is None
    assert session_people_and_sign_in_validity.who_is_in_session_of_browser("t", "mine") is None
    session_people_and_sign_in_validity.record_nobody_in_session()
    assert session_people_and_sign_in_validity.who_is_in_session_of_browser("s", "mine") is None


def test_a_store_that_does_not_answer_lets_nobody_pass(
    app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_people_and_sign_in_validity.record_who_is_in_session(Seat(lead.id, "lead"))

    def gone() -> Store:
        raise StoreUnavailable("The store is gone.")

    monkeypatch.setattr(settings_store_and_runs_of_process, "store_of_process", gone)
    with pytest.raises(StoreUnavailable):
        session_people_and_sign_in_validity.may_person_in_session_still_use_it("s")


@pytest.mark.parametrize(
    ("hours_ago", "issued_ago", "ended", "is_open"),
    [
        (0, 0, False, True),
        (11.9, 11.9, False, True),
        (12.1, 0, False, False),
        (0, 12.1, False, False),
        (0, None, True, False),
        (11.9, None, False, True),
    ],
)
def test_a_sign_in_lasts_its_hours_from_when_it_was_seen_or_issued(
    hours_ago: float, issued_ago: float | None, ended: bool, is_open: bool
) -> None:
    known = SignIn(utc_now() - timedelta(hours=hours_ago), ended)
    issued = (utc_now() - timedelta(hours=issued_ago)).timestamp() if issued_ago else None
    assert (
        session_people_and_sign_in_validity.is_sign_in_valid(Settings(), known, issued=issued)
        is is_open
    )
    brief = Settings(sign_in=Lasting(hours=0.01))
    assert not session_people_and_sign_in_validity.is_sign_in_valid(
        brief, SignIn(utc_now() - timedelta(minutes=1), False)
    )


def test_two_sign_ins_of_one_person_are_two() -> None:
    claims = {"sub": "1", "email": "ada@example.org", "nonce": "a"}
    assert session_people_and_sign_in_validity.digest_of_sign_in_claims(
        claims
    ) == session_people_and_sign_in_validity.digest_of_sign_in_claims(
        dict(reversed(claims.items()))
    )
    assert session_people_and_sign_in_validity.digest_of_sign_in_claims(
        claims
    ) != session_people_and_sign_in_validity.digest_of_sign_in_claims({**claims, "nonce": "b"})
    assert "ada" not in session_people_and_sign_in_validity.digest_of_sign_in_claims(claims)


def test_what_the_settings_file_says_of_the_team_is_noted_once(
    app_store: Store, lead: Rater, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "medlens.toml"
    path.write_text(f'store = "{app_store.path}"\n[people]\n"ada@example.org" = "lead"\n')
    monkeypatch.setenv("MEDLENS_CONFIG", str(path))
    settings_store_and_runs_of_process.current_settings()
    path.write_text('store = "elsewhere"\n[people]\n"ada@example.org" = "reviewer"\n')
    assert settings_store_and_runs_of_process.current_settings().people == {
        "ada@example.org": "reviewer"
    }
    assert settings_store_and_runs_of_process.current_settings().store == app_store.path, (
        "the store stays what it was"
    )
    found = audit_log.entries_table(app_store, viewer=lead, kinds=("role",))
    said = [tuple(row) for row in found[["who", "about", "detail"]].to_numpy()]
    assert said[:2] == [
        ("medlens.toml", "ada@example.org", "lead to reviewer"),
        ("medlens.toml", "ada@example.org", "nobody to lead"),
    ]
    assert settings_store_and_runs_of_process.error_in_settings_file() is None
    path.write_text("[people")
    assert settings_store_and_runs_of_process.current_settings().people == {
        "ada@example.org": "reviewer"
    }
    assert settings_store_and_runs_of_process.error_in_settings_file() is not None


def test_a_file_that_is_taken_is_noted_with_who_pressed_its_button(
    app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Callable[[], str | bytes]] = []
    monkeypatch.setattr(st, "download_button", lambda label, content, **_: drawn.append(content))
    session_people_and_sign_in_validity.record_who_is_in_session(Seat(lead.id, "lead"))
    chart_with_table_and_csv.draw_csv_button(pd.DataFrame({"a": [1, 2]}), "surveys")
    draw_export_button("Download", lambda: "id = 1", about="taxonomy of main", key="taxonomy")
    draw_export_button("Download", lambda: b"DUCK", about="b.duckdb", what="backup", key="b")
    session_people_and_sign_in_validity.record_nobody_in_session()
    taken = ("export", "backup")
    assert audit_log.count_entries(app_store, viewer=lead, kinds=taken) == 0
    assert [content() for content in drawn] == [b"a\r\n1\r\n2\r\n", "id = 1", b"DUCK"]
    found = audit_log.entries_table(app_store, viewer=lead, kinds=taken)
    said = [tuple(row) for row in found[["kind", "who", "about", "detail"]].to_numpy()]
    assert said == [
        ("backup", "Lena Lead", "b.duckdb", ""),
        ("export", "Lena Lead", "taxonomy of main", ""),
        ("export", "Lena Lead", "surveys.csv", "2 rows"),
    ]
