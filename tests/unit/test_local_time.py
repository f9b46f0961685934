"""Times stand in the zone of whoever reads them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from medlens.ui import times_in_browser_time_zone
from medlens.ui.times_in_browser_time_zone import (
    format_date_and_time,
    format_time_of_day,
    streamlit_column_of_times,
    today_in_browser_time_zone,
)

REPO = Path(__file__).resolve().parents[2]
AT = datetime(2026, 11, 3, 23, 30, 5, tzinfo=UTC)


def reads_in(monkeypatch: pytest.MonkeyPatch, zone: str | None) -> None:
    monkeypatch.setattr(st, "context", SimpleNamespace(timezone=zone))


def test_a_time_is_that_of_the_readers_zone_and_so_may_be_on_another_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads_in(monkeypatch, "Asia/Kolkata")
    assert format_date_and_time(AT) == "4 Nov 2026, 05:00"
    assert format_time_of_day(AT) == "05:00:05"
    reads_in(monkeypatch, "America/New_York")
    assert format_date_and_time(AT) == "3 Nov 2026, 18:30"


@pytest.mark.parametrize("zone", [None, "", "Nowhere/At_all", "../etc/passwd"])
def test_a_zone_that_is_unknown_is_utc(monkeypatch: pytest.MonkeyPatch, zone: str | None) -> None:
    reads_in(monkeypatch, zone)
    assert format_date_and_time(AT) == "3 Nov 2026, 23:30"


def test_tables_and_deadlines_are_told_in_the_readers_zone_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(times_in_browser_time_zone, "utc_now", lambda: AT)
    reads_in(monkeypatch, "Pacific/Kiritimati")
    assert streamlit_column_of_times()["type_config"]["timezone"] == "Pacific/Kiritimati"
    assert today_in_browser_time_zone() == date(2026, 11, 4)
    reads_in(monkeypatch, "Pacific/Pago_Pago")
    assert today_in_browser_time_zone() == date(2026, 11, 3)


def test_no_table_shows_times_without_the_readers_zone() -> None:
    files = (REPO / "medlens" / "ui").rglob("*.py")
    bare = [one.name for one in files if "DatetimeColumn(" in one.read_text(encoding="utf-8")]
    assert bare == ["times_in_browser_time_zone.py"]
