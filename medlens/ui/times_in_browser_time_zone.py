"""Times as the reader of a page has them: in the time zone of their browser."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from medlens.store import utc_now


def format_time_of_day(at: datetime) -> str:
    """A time of day in the viewer's time zone."""
    return to_browser_time_zone(at).strftime("%H:%M:%S")


def format_date_and_time(at: datetime) -> str:
    """A day and a time of day in the viewer's time zone, such as "3 Nov 2026, 14:05"."""
    return f"{to_browser_time_zone(at):%-d %b %Y, %H:%M}"


def today_in_browser_time_zone() -> date:
    """Today's date in the viewer's time zone: a deadline is a day, which ends where they are."""
    return to_browser_time_zone(utc_now()).date()


def to_browser_time_zone(at: datetime) -> datetime:
    """A time in the viewer's time zone."""
    return at.astimezone(_zone())


def streamlit_column_of_times(label: str | None = None, *, seconds: bool = False) -> Any:
    """A table's column of times, in the viewer's zone, written as ``format_date_and_time`` does."""
    written = "D MMM YYYY, HH:mm" + ":ss" * seconds
    return st.column_config.DatetimeColumn(label, format=written, timezone=_zone().key)


def _zone() -> ZoneInfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")
