"""What every page has: its head, sign-in, the role check, the menu, and the place for errors."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import streamlit as st

from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput, MedLensError, NotAllowed
from medlens.review import raters
from medlens.review.raters import Rater, Role
from medlens.store import Store
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.telemetry import logs, prometheus_metrics
from medlens.ui import (
    accept_invitation,
    browser_bound_sessions,
    page_address,
    page_telemetry,
    session_people_and_sign_in_validity,
    settings_store_and_runs_of_process,
    user_identity_sign_in_and_sign_out,
)
from medlens.ui.browser_component import Component
from medlens.ui.server import is_sign_in_set_up, refuse_to_serve_public_without_sign_in
from medlens.ui.session_people_and_sign_in_validity import Seat
from medlens.ui.styles import read_style_sheet

# A material symbol would be fetched from a foreign server; this is our own.
_ICON = Path(__file__).parent / "icon.svg"

_STYLE = read_style_sheet("frame") + read_style_sheet("menu")
"""The menu's too, although the menu can be drawn last: a part of the page that is drawn anew would
put a style of its own in the place of one that came after it.
"""

_MENU_DRAWN = "medlens_menu_drawn"
_TEXT_FIRST = 0.15  # seconds, once per session
_MENU_WIDTH = 224
"""Pixels of the menu, where a page opens with it; a person can draw it wider."""
_A_DAY = 24 * 3600.0
STUDY_IN_SIGHT = "study.in_sight"
"""Where the session has the task and dataset that the open page's line is about."""
MENU_CHOICE = "menu.choice"
"""Session state: "open" or "folded", as the person last chose; missing if they did not."""
_MENU_COOKIE = "medlens_menu"


def list_menu_pages() -> tuple[tuple[str, str, str, Role], ...]:
    """All pages: file, name, icon, and who may open them."""
    return (
        ("app.py", "Home", ":material/home:", "reviewer"),
        *(
            (one.page, one.enter, one.icon, "reviewer")
            for one in STUDIES.values()
            if one.page != DATA_PAGE
        ),
        ("pages/5_Team.py", "Team", ":material/group:", "lead"),
        ("pages/9_People_and_models.py", "People and models", ":material/balance:", "lead"),
        ("pages/6_Runs.py", "Runs", ":material/play_circle:", "lead"),
        (DATA_PAGE, "Data", ":material/database:", "lead"),
    )


class PageEnd(Exception):
    """Ends what a page draws; see ``Here.stop_page_but_draw_menu``."""


@dataclass(frozen=True)
class Here:
    """The context of a page: the store, the settings, and the person who asked for it."""

    store: Store
    settings: Settings
    person: Rater
    wide: bool = False

    @contextlib.contextmanager
    def show_errors_within(self) -> Iterator[None]:
        """Show an error raised in the block, in words, at the place where it happened."""
        try:
            yield
        except MedLensError as error:
            show_error(error)

    @contextlib.contextmanager
    def page(self) -> Iterator[None]:
        """Draw the page in the block. The menu of a wide page, which is closed, comes last."""
        try:
            with self.show_errors_within(), contextlib.suppress(PageEnd):
                yield
        finally:
            if self.wide:
                if (
                    _MENU_DRAWN not in st.session_state
                    and session_people_and_sign_in_validity.id_of_person_named_by_tab()
                ):
                    # The browser draws at once whatever comes together: the text should not wait.
                    time.sleep(_TEXT_FIRST)
                _menu(self)
                st.session_state[_MENU_DRAWN] = True

    def stop_page_but_draw_menu(self) -> NoReturn:
        """Draw no more of the page, but its menu: after Streamlit's own stop nothing can be drawn.

        Not within a fragment, where Streamlit would show it as an error.
        """
        raise PageEnd


def show_error(error: MedLensError) -> None:
    """Show an error to the person: what happened, and what to do."""
    prometheus_metrics.count_failure(error)
    logs.log_event("error.shown", error=type(error).__name__)
    with st.container(border=True):
        with st.container(horizontal=True, gap="small"):
            st.markdown(":red[:material/error:]", width="content")
            # As plain text: messages quote files and people.
            st.text(f"{error.message}\n{error.hint}".strip(), width="stretch")
        if isinstance(error, BadFile) and error.rows:
            st.dataframe(
                [
                    {"line": r.line, "column": r.column, "expected": r.expected, "found": r.got}
                    for r in error.rows[:200]
                ],
                hide_index=True,
            )


def start_page(title: str, *, role: Role = "reviewer", wide: bool = False) -> Here:
    """Begin a page; everything else on it comes after this.

    It sets up the page, refuses an open door, opens the store, identifies the person or lets them
    sign in (and stops there), checks the role, and draws the menu. ``wide`` pages start with the
    menu closed, to have the room.
    """
    st.set_page_config(
        page_title=f"{title} · MedLens",
        page_icon=str(_ICON),
        layout="wide",
        initial_sidebar_state=_MENU_WIDTH if is_menu_open_at_start(wide=wide) else "collapsed",
    )
    browser_bound_sessions.install_ordered_runtime()
    st.html(_STYLE)
    _stay_in_touch()
    page_address.keep_address_set_in_callback(title)
    try:
        refuse_to_serve_public_without_sign_in()
        settings, store = (
            settings_store_and_runs_of_process.current_settings(),
            settings_store_and_runs_of_process.store_of_process(),
        )
    except MedLensError as error:
        show_error(error)
        st.stop()
    person = user_identity_sign_in_and_sign_out.person_in_session(
        settings, find_local=lambda rater: _local(store, rater)
    )
    if person is None:
        session_people_and_sign_in_validity.record_nobody_in_session()
        _sign_in(store, settings)
        st.stop()
    rater = _rater(store, person)
    session_people_and_sign_in_validity.record_who_is_in_session(
        Seat(rater.id, rater.role, person.email or "", person.sign_in)
    )
    page_telemetry.attribute_run_to_rater(rater.id)
    here = Here(store, settings, rater, wide)
    st.session_state.pop(STUDY_IN_SIGHT, None)
    if not wide:
        _menu(here)
    if rater.role == "lead" and (
        fault := settings_store_and_runs_of_process.error_in_settings_file()
    ):
        st.warning(
            "medlens.toml contains a mistake, so its previous version is still in use. "
            + escape_markdown(fault.message),
            icon=":material/settings:",
        )
    if role == "lead":
        try:
            raters.require_lead(rater)
        except NotAllowed as error:
            st.title(title, anchor=False)
            show_error(error)
            if wide:
                _menu(here)
            st.page_link("app.py", label="Back to Home", icon=":material/home:")
            st.stop()
    return here


@st.fragment(run_every=_A_DAY)
def _stay_in_touch() -> None:
    """Make the browser request the whole page when the server is back after an outage.

    The new server knows none of the old one's fragments and would ignore their messages; the
    browser requests a page by itself only if something on it repeats. So this repeats an empty
    fragment, once a day.
    """


def _local(store: Store, rater: str) -> user_identity_sign_in_and_sign_out.Person | None:
    found = raters.find_rater(store, rater)
    if found is None or found.origin != "app":
        return None
    return _person(found)


def _person(rater: Rater) -> user_identity_sign_in_and_sign_out.Person:
    return user_identity_sign_in_and_sign_out.Person(
        rater.id, rater.name, rater.email, rater.role, "local"
    )


def _rater(store: Store, person: user_identity_sign_in_and_sign_out.Person) -> Rater:
    """The store's record of the person; someone who comes through OIDC is added at the first
    visit.
    """
    if person.how == "oidc":
        found = raters.find_or_add_rater_by_name(
            store, person.name, origin="oidc", email=person.email
        )
        # The settings file decides, even after it has changed.
        return Rater(**{**found.__dict__, "role": person.role})
    found_local = raters.find_rater(store, person.rater_id)
    if found_local is None:
        user_identity_sign_in_and_sign_out.sign_out_tab_or_browser()
        st.rerun()
    return found_local


def is_menu_open_at_start(*, wide: bool) -> bool:
    """Whether the page begins with the menu open: as the person last chose, else unless it is
    ``wide``.
    """
    chosen = st.session_state.get(MENU_CHOICE) or st.context.cookies.get(_MENU_COOKIE)
    return str(chosen) == "open" if chosen in ("open", "folded") else not wide


def _menu(here: Here) -> None:
    from medlens.ui import command_palette, menu

    store, person = here.store, here.person
    with st.sidebar:
        st.markdown("**MedLens**")
        menu.draw_menu(here, refresh=is_menu_open_at_start(wide=here.wide))
        command_palette.draw_command_palette(here)
        st.divider()
        st.caption("Signed in as" if is_sign_in_set_up() else "Working as")
        st.text(f"{person.name}\n{'Team lead' if person.role == 'lead' else 'Reviewer'}")
        if is_sign_in_set_up():
            st.button(
                "Sign out",
                icon=":material/logout:",
                on_click=user_identity_sign_in_and_sign_out.sign_out_tab_or_browser,
            )
            return
        others = [other for other in raters.list_local_people(store) if other.id != person.id]
        with st.popover("Switch person", icon=":material/switch_account:", width="stretch"):
            for other in others:
                _switch_button(other)
            st.button(
                "Somebody else",
                key="switch.new",
                on_click=user_identity_sign_in_and_sign_out.sign_out_tab_or_browser,
                width="stretch",
            )


def _switch_button(other: Rater) -> None:
    st.button(
        f"Switch to {escape_markdown(other.name)}",
        key=f"switch.{other.id}",
        width="stretch",
        on_click=user_identity_sign_in_and_sign_out.set_person_of_tab,
        args=(_person(other),),
    )


def escape_markdown(text: str) -> str:
    """Text for a label that Streamlit reads as Markdown, shown literally."""
    # A backslash does not stop ":material/home:" from becoming an icon, nor a person's address or
    # one without "https" from becoming a link; an invisible joiner does.
    unlinked = _WWW.sub("\\g<0>\u2060", text)
    marked = "".join(f"\\{c}" if c in "\\`*_{}[]()#+-.!|<>~$" else c for c in unlinked)
    return isolate_direction(marked.replace(":", ":\u2060").replace("@", "@\u2060"))


def view_in_address(views: Sequence[str]) -> str:
    """The view that the address names; the first one if it names none, or none of these."""
    asked = str(st.query_params.get("view", ""))
    if not asked or asked in views:
        return asked or views[0]
    # A tab above can have that name: it is another page.
    st.warning(
        f"This page has no view {escape_markdown(asked)}, and shows {views[0]}. The line above"
        " leads to the study's other pages.",
        icon=":material/link_off:",
    )
    return views[0]


def draw_choice_of_views(
    views: Sequence[str],
    view: str,
    *,
    instead: Callable[[str], bool] = lambda _: False,
    folded: bool = False,
) -> None:
    """The choice between views, of which ``view`` is open (none is marked if it is not among them);
    nothing if there is no other.

    ``instead`` is given the view that was chosen, and returns whether it has dealt with it.
    ``folded``: only the open one is in sight until the choice is opened.
    """
    if len(views) < 2:
        return
    # Each set of views has its own control: one whose options change sends an old one.
    marked = view if view in views else None
    key = f"line.view.{'.'.join(views)}{'' if marked else '.none'}"
    st.session_state[key] = marked

    def chosen() -> None:
        now = str(st.session_state[key] or view)
        if not instead(now):
            # The open item belongs to the view being left: another may have one of the same name.
            page_address.set_values_in_address(view=now, item="")

    if folded:
        with st.container(key="line_view", width="content"):
            st.selectbox(
                "View",
                list(views),
                key=key,
                on_change=chosen,
                label_visibility="collapsed",
                width=195,
            )
        return
    st.segmented_control(
        "View",
        list(views),
        key=key,
        required=marked is not None,
        on_change=chosen,
        label_visibility="collapsed",
        wrap=True,
    )


def known_value_in_address_or_warn(name: str, known: Collection[str], what: str) -> str:
    """The value of ``name`` in the address; empty if missing, or if not among ``known``, which the
    page then says. ``what`` is the kind of thing it names, in a word.
    """
    asked = str(st.query_params.get(name, ""))
    if not asked or asked in known:
        return asked
    st.warning(
        f"There is no {what} called {escape_markdown(asked)} here.", icon=":material/link_off:"
    )
    return ""


_WWW = re.compile(r"www(?=\.)", re.IGNORECASE)


def isolate_direction(text: str) -> str:
    """Text isolated among our words, so that right-to-left or direction-changing characters affect
    nothing else (Unicode's first strong isolate).
    """
    if not _TURNS.search(text):
        return text
    depth, kept = 0, []
    for char in text:
        depth += char in _OPENS
        if char == _CLOSES:
            if not depth:
                continue  # it would close ours
            depth -= 1
        kept.append(char)
    return _OPENS[0] + "".join(kept) + _CLOSES * (depth + 1)


_OPENS, _CLOSES = "\u2068\u2066\u2067", "\u2069"
_TURNS = re.compile(
    "[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe]"
)


WHAT_IT_IS = (
    "MedLens is where clinicians check what language models say about medicine: you judge answers"
    " by yourself, and your team sees how far people and models agree."
)
"""The product in one sentence, on the page where one says who one is."""


def escape_to_one_line(text: str) -> str:
    """Foreign text on one line of Markdown, shown literally."""
    return escape_markdown(" ".join(text.split()))


_first_field = Component("first_field", js="first_field/first_field.js", css="")


def _sign_in(store: Store, settings: Settings) -> None:
    _, middle, _ = st.columns([1, 2, 1])
    with middle:
        # Who comes by a link reads who invites them to what, and has a name to give.
        invited = accept_invitation.find_open_invitations(store, settings)
        st.title("You are invited to MedLens" if invited else "MedLens", anchor=False)
        if not invited:
            st.markdown(WHAT_IT_IS)
        accept_invitation.draw_invitation_before_sign_in(store, settings)
        if is_sign_in_set_up():
            user_identity_sign_in_and_sign_out.draw_sign_in_buttons()
            return
        people = raters.list_local_people(store)
        if people and not invited:
            _draw_people(people, "Who are you?")
        if not invited:
            st.header("Add your name" if people else "What is your name?", anchor=False)
        if offered := accept_invitation.worker_id_offered_as_name(store):
            st.session_state.setdefault("sign_in.name", offered)
        with st.form("sign_in.new", border=False):
            st.text_input(
                "Your name" if invited else "Name",
                key="sign_in.name",
                max_chars=80,
                placeholder="As your team knows you",
            )
            at_once = bool(invited) and accept_invitation.does_giving_name_accept_invitation(
                store, invited
            )
            st.form_submit_button(
                "Accept and start" if at_once else "Start",
                type="primary",
                on_click=_add,
                args=(store, settings),
                kwargs={"invited": bool(invited), "accepts": at_once},
            )
        if invited or not people:
            with st.container(key="first_field"):
                _first_field(key="sign_in.focus", data={"field": "st-key-sign_in-name"})
        if error := st.session_state.get("sign_in.error"):
            show_error(error)
            if invited and isinstance(error, _NameOfLead):
                st.button(
                    "I lead this team: sign in without the invitation",
                    key="sign_in.leave",
                    on_click=_leave_invitation,
                )
        # A lead makes links and comes by none: one wrong press would make the invited person one.
        reviewers = [one for one in people if one.role != "lead"]
        if invited:
            # Most come for the first time: they need not read who else is here.
            if reviewers:
                with st.expander("I have been here before", key="sign_in.before"):
                    _draw_people(reviewers, "Choose your name")
            return
        st.caption(
            "No password: whoever opens this page can choose a name. "
            + (
                ""
                if people
                else "The first person leads the team: they see everyone's judgments, the "
                "agreement and the exports, and can make others leads."
            )
        )


def _draw_people(people: Sequence[Rater], heading: str) -> None:
    st.header(heading, anchor=False)
    with st.container(horizontal=True):
        for rater in people:
            st.button(
                escape_markdown(rater.name),
                key=f"pick.{rater.id}",
                icon=":material/person:",
                on_click=user_identity_sign_in_and_sign_out.set_person_of_tab,
                args=(_person(rater),),
            )


class _NameOfLead(InvalidInput):
    """Somebody who was invited gave the name of a lead."""


def _leave_invitation() -> None:
    """Sign in as if no link had been opened."""
    accept_invitation.forget_invitation_link()
    st.session_state.pop("sign_in.error", None)


def _add(store: Store, settings: Settings, *, invited: bool, accepts: bool) -> None:
    """Add the person who gave a name, and accept for them what they came for."""
    # Start pressed twice: by the second press the person is in, and the field has gone.
    if "sign_in.name" not in st.session_state:
        return
    try:
        # Somebody must be able to see the results and to make others leads.
        known = raters.list_local_people(store)
        role: Role = "reviewer" if invited or known else "lead"
        name = st.session_state["sign_in.name"]
        # Whoever comes by a lead's link and happens to be called as a lead is another person.
        called_so = raters.find_local_person_by_name(store, name)
        if invited and called_so is not None and called_so.role == "lead":
            raise _NameOfLead(
                "A lead of the team has this name.",
                hint="Add something that tells you apart, such as a middle name.",
            )
        added = raters.find_or_add_rater_by_name(store, name, role=role)
    except MedLensError as error:
        st.session_state["sign_in.error"] = error
        return
    user_identity_sign_in_and_sign_out.set_person_of_tab(_person(added))
    if accepts:
        accept_invitation.accept_invitation_after_giving_name(store, settings, added)
