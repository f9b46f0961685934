"""Who is in which session of this server, and whether they may still be there.

A session is a browser tab. Pages record their session's person
(``record_who_is_in_session``); the server checks (``may_person_in_session_still_use_it``) before it
passes on any message from the tab, because callbacks and fragments run without the page around
them. A seat ends with signing out, leaving the team, a change of role, or a
sign-in that has lasted too long: its tab then starts again as whoever its browser still is.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from medlens.config.email_and_name_normalisation import normalise_email_for_comparison
from medlens.config.settings import Settings
from medlens.review import audit_log, invitations, raters
from medlens.review.audit_log import SignIn
from medlens.review.raters import Role
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store, stable_id, utc_now
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.streamlit_internals import get_script_run_ctx


@dataclass(frozen=True)
class Seat:
    """A person in a session. ``sign_in`` and ``email`` are empty on a computer without sign-in."""

    rater: str
    role: Role
    email: str = ""
    sign_in: str = ""


_lock = threading.Lock()
_seats: dict[str, Seat] = {}
_browsers: dict[str, str] = {}
_closers: dict[str, Callable[[], None]] = {}
_tabs: dict[str, str] = {}


# -- the server's side ---------------------------------------------------------------------------


def record_browser_of_session(
    session: str, browser: str, close: Callable[[], None], tab: str = ""
) -> None:
    """Note that a browser (its cookie) has connected to a session; ``close`` ends that session.

    ``tab`` is the id of the person whom the tab remembers, if it named one.
    """
    with _lock:
        _browsers[session] = browser
        _tabs[session] = tab
        _closers[session] = close


def forget_session(session: str) -> None:
    """Forget a session that is over for good."""
    with _lock:
        for known in (_seats, _browsers, _closers, _tabs):
            known.pop(session, None)


def is_session_of_browser(session: str, browser: str) -> bool:
    """Whether the session is that browser's; a session without a browser is anybody's."""
    return _browsers.get(session, browser) == browser


def who_is_in_session(session: str) -> Seat | None:
    """The person in a session, even if they may no longer be there."""
    return _seats.get(session)


def may_person_in_session_still_use_it(session: str) -> bool:
    """Whether a session may be listened to: it has no person, or its person still has access.

    Raises:
        MedLensError: the store cannot tell.
    """
    seat = _seats.get(session)
    return seat is None or _role_now(seat) == seat.role


def who_is_in_session_of_browser(session: str, browser: str) -> Seat | None:
    """The person in a session of that browser, if they may still be there."""
    seat = _seats.get(session)
    if (
        seat is None
        or not browser
        or not is_session_of_browser(session, browser)
        or not may_person_in_session_still_use_it(session)
    ):
        return None
    return seat


def end_sessions(sessions: Collection[str]) -> None:
    """End sessions; their browsers reconnect, each to a new one."""
    with _lock:
        ends = [_closers[one] for one in sessions if one in _closers]
    for end in ends:
        end()


# -- the page's side -----------------------------------------------------------------------------


def id_of_current_session() -> str:
    """The session that the script runs in; empty outside a session."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def cookie_of_current_browser() -> str:
    """This session's browser, by the value of its cookie; empty outside a session."""
    return _browsers.get(id_of_current_session(), "")


def id_of_person_named_by_tab() -> str:
    """The id of the person whom this session's tab named when it connected; empty: nobody."""
    return _tabs.get(id_of_current_session(), "")


def record_who_is_in_session(seat: Seat) -> None:
    """Record who is in this session."""
    if session := id_of_current_session():
        with _lock:
            _seats[session] = seat


def record_nobody_in_session() -> None:
    """Record that nobody is in this session any more."""
    with _lock:
        _seats.pop(id_of_current_session(), None)


def end_sign_ins_of_browser(key: str, *, who: str) -> None:
    """End a sign-in and every other sign-in of this browser, with all their tabs."""
    session = id_of_current_session()
    with _lock:
        browser = _browsers.get(session, "")
        here_too = {
            seat.sign_in
            for other, seat in _seats.items()
            if seat.sign_in and browser and _browsers.get(other) == browser
        }
        ended = {key, *here_too}
        tabs = [other for other, seat in _seats.items() if seat.sign_in in ended]
    store = settings_store_and_runs_of_process.store_of_process()
    for one in ended:
        audit_log.record_sign_out(store, one, who=who)
    # The page itself signs this tab out.
    end_sessions([other for other in tabs if other != session])


# -- sign-ins ------------------------------------------------------------------------------------


def digest_of_sign_in_claims(claims: Mapping[str, Any]) -> str:
    """The unique key of a sign-in: a digest of all claims from the provider."""
    said = json.dumps({name: str(value) for name, value in claims.items()}, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def is_sign_in_valid(settings: Settings, known: SignIn, *, issued: object = None) -> bool:
    """Whether a sign-in is still valid. ``issued`` is its time according to the provider."""
    lasts = timedelta(hours=settings.sign_in.hours)
    began = known.began
    if isinstance(issued, int | float):
        began = min(began, datetime.fromtimestamp(issued, UTC))
    return not known.ended and utc_now() < began + lasts


def role_of_email_address(settings: Settings, store: Store, email: str) -> Role | None:
    """The role of the person signed in with an address: from the team's list, else, if the settings
    allow it, from an invitation they accepted.
    """
    named = settings.role_of_email_address(email)
    if named is not None or not settings.sign_in.invitations_admit:
        return named
    address = normalise_email_for_comparison(email)
    admitted = bool(address) and invitations.was_admitted_by_invitation(
        store, stable_id("rater", f"oidc:{address}")
    )
    return "reviewer" if admitted else None


def is_lead(settings: Settings, store: Store, rater: str) -> bool:
    """Whether the person with this id is a lead now."""
    found = raters.find_rater(store, rater)
    if found is None:
        return False
    return (settings.role_of_email_address(found.email) if found.email else found.role) == "lead"


def _role_now(seat: Seat) -> Role | None:
    store = settings_store_and_runs_of_process.store_of_process()
    if not seat.sign_in:
        return _local_role(store, seat.rater)
    settings = settings_store_and_runs_of_process.current_settings()
    known = audit_log.find_sign_in(store, seat.sign_in)
    if known is None or not is_sign_in_valid(settings, known):
        return None
    return role_of_email_address(settings, store, seat.email)


# Called at every message of a browser; it changes when somebody is added or given a role.
@cache_until_tables_grow("rater", "rater_role", most=1024)
def _local_role(store: Store, rater: str) -> Role | None:
    found = raters.find_rater(store, rater)
    return found.role if found else None
