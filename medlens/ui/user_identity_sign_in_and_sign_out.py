"""Who is using this tab.

There are two ways. With ``[auth]`` in Streamlit's secrets people sign in through that provider, and
``medlens.toml`` says who is on the team. Without it, on this machine only, they pick their name,
and the tab remembers it.

A tab's person, in order: the one this session has settled on; the one kept in the tab itself, so
that two tabs with two people stay separate through reloads, reconnects and server restarts; for a
new tab, the one this browser chose last. The page waits for the tab's report before it draws
anything, so it never shows one person's work to another.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NoReturn

import streamlit as st

from medlens.config.email_and_name_normalisation import (
    normalise_email_for_comparison,
    remove_invisible_characters_from_name,
)
from medlens.config.settings import Role, Settings
from medlens.review import audit_log
from medlens.ui import (
    accept_invitation,
    session_people_and_sign_in_validity,
    settings_store_and_runs_of_process,
)
from medlens.ui.browser_component import Component
from medlens.ui.server import is_sign_in_set_up

PERSON = "medlens_person"
"""Session state: this session's ``Person``, or ``None`` once it is settled that nobody is chosen.
Tests of pages set it.
"""

_TAB = "medlens_tab"
_CHANGING = "medlens_changing_person"
_component = Component(
    "person_tab",
    js="person_tab/person_tab.js",
    css=f".st-key-{_TAB} {{ display: none; }}",
)


@dataclass(frozen=True)
class Person:
    """The person working here. ``rater_id`` is opaque and the same on every visit; ``sign_in``
    tells this sign-in through a provider from every other.
    """

    rater_id: str
    name: str
    email: str | None
    role: Role
    how: Literal["local", "oidc"]
    sign_in: str = ""


def person_in_session(
    settings: Settings, *, find_local: Callable[[str], Person | None]
) -> Person | None:
    """The person in this session, or ``None`` if somebody has to sign in or pick a name.

    Call it on every page, before drawing anything that depends on the person. ``find_local`` turns
    a remembered rater id into its person, ``None`` for an unknown id.

    It stops the page (``st.stop``) until the tab has said whom it remembers, while the tab
    reloads for another person, and, with an explanation, for somebody who is not on the team.
    """
    if is_sign_in_set_up():
        return _signed_in(settings)
    _ask_the_tab(find_local)
    if PERSON not in st.session_state or _CHANGING in st.session_state:
        st.stop()
    person: Person | None = st.session_state[PERSON]
    return person


def set_person_of_tab(person: Person) -> None:
    """Make that person this tab's. Call it in a widget's callback; it takes effect on the rerun.

    If the tab had another person before, the browser then reloads the page in a new session.
    """
    _start_afresh(person)


def sign_out_tab_or_browser() -> None:
    """Sign out: this tab has no person any more. Call it in a widget's callback.

    With a provider it signs out every tab of this browser, and copies of its cookie are worthless
    from then on.
    """
    if is_sign_in_set_up():
        if st.user.is_logged_in:
            who = remove_invisible_characters_from_name(_claim("email"))
            session_people_and_sign_in_validity.end_sign_ins_of_browser(
                session_people_and_sign_in_validity.digest_of_sign_in_claims(st.user.to_dict()),
                who=who,
            )
        session_people_and_sign_in_validity.record_nobody_in_session()
        st.session_state.clear()
        st.logout()
    else:
        _start_afresh(None)


def draw_sign_in_buttons() -> None:
    """Draw a button for each sign-in provider in the secrets. Call it if nobody is signed in."""
    if st.user.is_logged_in:
        st.markdown("Your sign-in has ended. Sign in again to continue where you were.")
    for provider in _providers():
        label = f"Sign in with {provider.capitalize()}" if provider else "Sign in"
        st.button(
            label, key=f"sign_in.{provider}", type="primary", on_click=st.login, args=(provider,)
        )


def _start_afresh(person: Person | None) -> None:
    before = st.session_state.get(PERSON)
    session_people_and_sign_in_validity.record_nobody_in_session()
    # Keep this order: the browser's next request may end this run between any two steps, and a
    # session without a person would ask the tab, which does not know of the new person yet.
    if before is not None and before != person:
        st.session_state[_CHANGING] = True
    st.session_state[PERSON] = person
    for key in set(st.session_state) - {PERSON, _CHANGING}:
        del st.session_state[key]


# A fragment, so that the tab's report reruns only this and not the page.
@st.fragment
def _ask_the_tab(find_local: Callable[[str], Person | None]) -> None:
    if PERSON not in st.session_state and (
        named := session_people_and_sign_in_validity.id_of_person_named_by_tab()
    ):
        st.session_state[PERSON] = find_local(named)
    settled = PERSON in st.session_state
    person: Person | None = st.session_state.get(PERSON)
    answer = _component(
        key=_TAB,
        data={
            "settled": settled,
            "person": person.rater_id if person else "",
            "reload": _CHANGING in st.session_state,
            "told": bool(session_people_and_sign_in_validity.id_of_person_named_by_tab()),
        },
        on_tab_change=lambda: None,
        on_attempt_change=lambda: None,
    )
    remembered: str | None = answer.tab
    if not settled and remembered is not None:
        st.session_state[PERSON] = find_local(remembered) if remembered else None
        st.rerun()


def _signed_in(settings: Settings) -> Person | None:
    if not st.user.is_logged_in:
        return None
    key, store = (
        session_people_and_sign_in_validity.digest_of_sign_in_claims(st.user.to_dict()),
        settings_store_and_runs_of_process.store_of_process(),
    )
    known = audit_log.find_sign_in(store, key)
    if known is not None and not session_people_and_sign_in_validity.is_sign_in_valid(
        settings, known
    ):
        return None
    claimed = _claim("email")
    # Compared as received; cleaned only for display.
    email, said = (
        normalise_email_for_comparison(claimed) or "",
        remove_invisible_characters_from_name(claimed),
    )
    role = session_people_and_sign_in_validity.role_of_email_address(settings, store, email)
    if not _is_verified(settings):
        _turn_away(
            key,
            said,
            f"Your sign-in provider has not confirmed that {said or 'your e-mail address'} is "
            "yours.",
            "Confirm the address with the provider, then sign in again.",
        )
    if (
        role is None
        and email
        and settings.sign_in.invitations_admit
        and accept_invitation.has_pending_link()
    ):
        session_people_and_sign_in_validity.record_nobody_in_session()
        name = remove_invisible_characters_from_name(_claim("name")) or email
        accept_invitation.draw_invitation_to_team(store, settings, name, email)
        st.button("Sign out", key="invited.sign_out", on_click=sign_out_tab_or_browser)
        st.stop()
    if role is None:
        _turn_away(
            key,
            said,
            f"{said} is not on this team's list."
            if said
            else "Your sign-in provider gave no e-mail address for you.",
            "Ask the team's lead to add your address, or sign in with another account.",
        )
    if known is None:
        known = audit_log.find_or_record_sign_in(store, key, who=email, about=role)
        if not session_people_and_sign_in_validity.is_sign_in_valid(
            settings, known, issued=st.user.get("iat")
        ):
            audit_log.record_sign_out(store, key, who=email, detail="had expired")
            return None
    return Person(
        rater_id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"mailto:{email}")),
        name=remove_invisible_characters_from_name(_claim("name")) or email,
        email=email,
        role=role,
        how="oidc",
        sign_in=key,
    )


def _is_verified(settings: Settings) -> bool:
    said = st.user.get("email_verified")
    if said is None:
        return settings.sign_in.accept_missing_email_verified
    # Some providers send the word as a string.
    return said is True or said == "true"


def _claim(name: str) -> str:
    value = st.user.get(name)
    return value.strip() if isinstance(value, str) else ""


def _turn_away(key: str, who: str, why: str, what_to_do: str) -> NoReturn:
    session_people_and_sign_in_validity.record_nobody_in_session()
    audit_log.record_entry(
        settings_store_and_runs_of_process.store_of_process(),
        "refused",
        who=who,
        detail=why,
        once=f"{key}:{why}",
    )
    st.header("You cannot sign in here", anchor=False)
    # As plain text: the address comes from outside.
    st.text(f"{why} {what_to_do}")
    st.button(
        "Sign out", key="turned_away.sign_out", type="primary", on_click=sign_out_tab_or_browser
    )
    st.stop()


def _providers() -> list[str | None]:
    auth = st.secrets.get("auth", {})
    named = [
        name for name, value in auth.items() if hasattr(value, "keys") and "client_id" in value
    ]
    return [None] if "client_id" in auth else list(named)
