"""Arrivals by a lead's invitation: what it gives them, shown before they accept it.

The link's secret is in a cookie set by the guard (``link_before_sign_in``), or still in the address
if no guard runs in front of the app. Nothing happens with it until somebody known presses a button.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from medlens.config.settings import Settings
from medlens.errors import InvalidInput, MedLensError
from medlens.review import (
    archiving,
    completion_codes,
    crowd_platforms,
    invitations,
    items,
    raters,
    renaming,
)
from medlens.review.invitations import Invitation
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import link_before_sign_in, page_address, session_owners

if TYPE_CHECKING:
    from medlens.ui.home_my_work import InvitedWork

_NOBODY = ""
"""In place of a rater's id, for who has not said who they are."""
_ACCEPTED = "invited.accepted"
"""The invitation that was accepted together with giving a name, until its desk is opened."""


def secret_of_pending_invitation() -> str:
    """The secret of the invitation this browser came by; empty if there is none, or once it has
    been accepted or dismissed.
    """
    return _said().get(link_before_sign_in.INVITE, "")


def _said() -> dict[str, str]:
    browser, value = session_owners.current_browser(), _value()
    kept = (
        {}
        if link_before_sign_in.is_link_settled(browser, value)
        else link_before_sign_in.read_query_from_cookie(value)
    )
    return kept or st.query_params.to_dict()


def worker_name_to_offer(store: Store) -> str:
    """A crowd worker's id from the platform, as a name on a computer without sign-in; empty if
    there is no id, or somebody already has that name.
    """
    found = invitations.find_invitation_by_secret(store, secret_of_pending_invitation())
    platform = found and crowd_platforms.platform_of_round(store, found.task, found.dataset)
    worker = _said().get(platform.parameter, "") if platform else ""
    known = crowd_platforms.looks_like_worker_id(worker) and raters.find_rater_by_handle(
        store, raters.make_rater_handle("app", worker)
    )
    return "" if known or not crowd_platforms.looks_like_worker_id(worker) else worker


def find_open_invitation(store: Store, settings: Settings) -> Invitation | None:
    """The invitation by which this browser came, if it can still be accepted."""
    token = secret_of_pending_invitation()
    found = invitations.find_invitation_by_secret(store, token) if token else None
    if (
        found is None
        or found.state != "open"
        or not session_owners.is_lead(settings, store, found.by)
    ):
        return None
    return None if found.task and _is_archived(store, found) else found


def draw_invitation_before_sign_in(store: Store, settings: Settings) -> None:
    """Who invites to what, and how much it is, for somebody not yet identified; or that the
    invitation is no longer valid.
    """
    if not secret_of_pending_invitation():
        return
    if found := find_open_invitation(store, settings):
        work = _work_of_invitation(store, settings, found, _NOBODY)
        # As plain text: it quotes people.
        st.text(_invites(found, work))
        if work and work.amount:
            st.caption(f"{_first_capital(work.amount)}.")
    else:
        st.info(
            "The invitation that you opened is no longer valid, or its link is incomplete. Ask who"
            " sent it for a new one. If you are on the team, sign in as usual.",
            icon=":material/mail:",
        )


def accepts_at_once(store: Store, found: Invitation) -> bool:
    """Whether giving a name accepts the invitation: whoever comes by a crowd platform first reads
    what is kept of them.
    """
    return (
        not found.task
        or crowd_platforms.platform_of_round(store, found.task, found.dataset) is None
    )


def accept_at_once(store: Store, settings: Settings, found: Invitation, rater: Rater) -> None:
    """Accept the invitation for somebody who has just given their name, having read what it is;
    the page that is drawn next leads to its desk. If that fails, Home says why.
    """
    leads = partial(session_owners.is_lead, settings, store)
    with contextlib.suppress(MedLensError):
        invitations.accept_invitation(
            store, secret_of_pending_invitation(), rater, leads=leads, said=_said()
        )
        st.session_state[_ACCEPTED] = found
        _put_away()


def draw_round_offer(store: Store, settings: Settings, rater: Rater) -> None:
    """What the invitation gives a member of the team, with a button to accept it. Somebody who has
    just accepted one is led to its desk.
    """
    if accepted := st.session_state.pop(_ACCEPTED, None):
        _begin(accepted)
    token = secret_of_pending_invitation()
    if not token:
        return
    found = invitations.find_invitation_by_secret(store, token)
    if found is not None and not found.task:
        with _panel():
            st.text("You are already on this team: this invitation gives you nothing new.")
            st.button("Close", key="invited.close", on_click=_put_away)
        return
    _offer(store, settings, rater.id, lambda: rater, "")


def draw_team_place_offer(store: Store, settings: Settings, name: str, email: str) -> None:
    """As ``draw_round_offer``, for somebody signed in who is not yet on the team."""
    row = raters.make_rater_row(name, origin="oidc", email=email)
    add = partial(raters.find_or_add_rater, store, name, origin="oidc", email=email)
    _offer(store, settings, row["id"], add, f"You have signed in as {email}.")


def _offer(
    store: Store,
    settings: Settings,
    rater: str,
    known: Callable[[], Rater],
    as_whom: str,
) -> None:
    token = secret_of_pending_invitation()
    found = invitations.find_invitation_by_secret(store, token)
    leads = partial(session_owners.is_lead, settings, store)
    why: MedLensError | None = invitations.make_error_refusing_invitation(
        store, found, rater, leads=leads
    )
    if found is not None and found.task and _is_archived(store, found):
        why = InvalidInput("This round was closed.", hint=_code_given(store, found, rater))
    worker = ""
    if found is not None and why is None:
        try:
            rows = crowd_platforms.make_crowd_worker_rows(
                store, found.task, found.dataset, rater, _said()
            )
        except MedLensError as error:
            why = error
        else:
            worker = rows[0]["worker"] if rows else ""
            if not worker and invitations.has_accepted_invitation(store, found, rater):
                _put_away()
                return
    with _panel():
        if found is not None and why is None:
            work = _work_of_invitation(store, settings, found, rater)
            if as_whom:  # on Home the page itself is called so
                st.markdown("## You are invited")
            st.text(f"{_invites(found, work)} {as_whom}".strip())
            # Who decides whether to accept wants to know what it is, and how long it takes.
            if work and work.question:
                st.text(work.question)
            if work and work.amount:
                st.caption(f"{_first_capital(work.amount)}.")
            if worker:
                st.text(
                    f"Your id {worker} from the platform is kept beside your name, for whoever runs"
                    " the study."
                )
            with st.container(horizontal=True):
                pressed = st.button("Accept", key="invited.accept", type="primary")
                st.button("Not now", key="invited.later", on_click=_put_away)
            if pressed:
                try:
                    invitations.accept_invitation(store, token, known(), leads=leads, said=_said())
                except MedLensError as error:
                    why = error
                else:
                    _put_away()
                    _begin(found)
        if why is not None:
            # As plain text: it quotes people.
            st.text(f"{why.message} {why.hint}".strip())
            st.button("Close", key="invited.close", on_click=_put_away)


def _invites(found: Invitation, work: InvitedWork | None) -> str:
    """Who invites to what, as a sentence."""
    return f"{found.name} invites you to " + (f"judge: {work.title}." if work else "review here.")


def _work_of_invitation(
    store: Store, settings: Settings, found: Invitation, rater: str
) -> InvitedWork | None:
    """What is asked in the invitation's round; None if it names none."""
    from medlens.ui import home_my_work

    if not found.task:
        return None
    return home_my_work.describe_invited_work(
        store, settings, task=found.task, dataset=found.dataset, rater=rater
    )


def _first_capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _is_archived(store: Store, found: Invitation) -> bool:
    """Whether the round of an invitation was put away."""
    return any(
        archiving.is_archived_round(store, study.name, found.dataset, found.task)
        for study in STUDIES.values()
        if found.task in study.views
    )


def _code_given(store: Store, found: Invitation, rater: str) -> str:
    """The completion code that this person was given for the round, in a sentence; else what to
    do.
    """
    standing = completion_codes.code_standing_by_rater(store, found.task, found.dataset).get(rater)
    platform = crowd_platforms.platform_of_round(store, found.task, found.dataset)
    if standing and standing.kind in ("given", "shown") and platform and platform.code:
        return f"Your completion code stays valid: {platform.code}"
    return f"Ask {found.name} if you have questions."


def _begin(accepted: Invitation) -> None:
    """Go to the desk of the round that was accepted, if it gave one."""
    for one in STUDIES.values():
        if accepted.task in one.views:
            desk = {**one.views[accepted.task], "dataset": accepted.dataset}
            st.switch_page(
                one.page,
                query_params=desk,
            )
    st.rerun()


def round_titles_by_task_and_dataset(
    store: Store, settings: Settings
) -> dict[tuple[str, str], str]:
    """The display name of every possible round, by task and dataset."""
    found = {}
    for one in STUDIES.values():
        there = [str(row["dataset"]) for row in items.datasets_of_study(store, one.name)]
        titles = one.titles(store, there)
        for dataset in there:
            for task in one.tasks(one.open(store, settings, dataset)):
                # A study of one's own is its dataset.
                own = bool(task.called)
                title = renaming.round_title(store, one.name, dataset, task.name, task.title)
                name = titles[dataset] if own else f"{one.title}, {title} ({titles[dataset]})"
                found[task.name, dataset] = name
    return found


def _panel() -> Any:
    return st.container(border=True, key="invited")


def _put_away() -> None:
    if value := _value():
        link_before_sign_in.mark_link_as_settled(session_owners.current_browser(), value)
    page_address.set_values_in_address(**{link_before_sign_in.INVITE: ""})


def _value() -> str:
    return str(st.context.cookies.get(link_before_sign_in.COOKIE, ""))
