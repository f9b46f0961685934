"""Who came by a lead's invitation: what it gives them, said before they accept it.

The link's secret is in a cookie that the guard set (``arrivals``), or still in the address where no
guard stands before the app. Nothing is done with it before somebody known presses a button.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from medlens.config.settings import Settings
from medlens.errors import MedLensError
from medlens.review import crowd, invitations, items, raters
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import address, arrivals, seats


def pending() -> str:
    """The secret of the invitation by which this browser came; empty without one, and once it was
    accepted or put away."""
    return _said().get(arrivals.INVITE, "")


def _said() -> dict[str, str]:
    browser, value = seats.browser(), _value()
    kept = {} if arrivals.is_settled(browser, value) else arrivals.said(value)
    return kept or st.query_params.to_dict()


def name_to_offer(store: Store) -> str:
    """The id by which somebody came from a crowd platform, as a name on a computer without
    sign-in; empty without one, or where somebody has that name."""
    found = invitations.find(store, pending())
    platform = found and crowd.platform_of(store, found.task, found.dataset)
    worker = _said().get(platform.parameter, "") if platform else ""
    known = crowd.is_id(worker) and raters.by_handle(store, raters.handle_of("app", worker))
    return "" if known or not crowd.is_id(worker) else worker


def draw_hint(store: Store) -> None:
    """That an invitation waits, for who has still to say who they are."""
    token = pending()
    if not token:
        return
    found = invitations.find(store, token)
    if found is not None and found.state == "open":
        st.info("You have an invitation. Sign in to see it and accept it.", icon=":material/mail:")
    else:
        st.info(
            "The invitation that you opened is no longer valid, or its link is incomplete. Ask who"
            " sent it for a new one. If you are on the team, sign in as usual.",
            icon=":material/mail:",
        )


def offer_round(store: Store, settings: Settings, rater: Rater) -> None:
    """What the invitation gives somebody of the team, and the way to accept it."""
    token = pending()
    if not token:
        return
    found = invitations.find(store, token)
    if found is not None and not found.task:
        with _panel():
            st.text("You are already on this team: this invitation gives you nothing new.")
            st.button("Close", key="invited.close", on_click=_put_away)
        return
    _offer(store, settings, rater.id, lambda: rater, "")


def offer_place(store: Store, settings: Settings, name: str, email: str) -> None:
    """The same for somebody who has signed in and is not on the team, whom it would let in."""
    row = raters.new_row(name, origin="oidc", email=email)
    add = partial(raters.ensure, store, name, origin="oidc", email=email)
    _offer(store, settings, row["id"], add, f"You have signed in as {email}.")


def _offer(
    store: Store, settings: Settings, rater: str, known: Callable[[], Rater], as_whom: str
) -> None:
    token = pending()
    found = invitations.find(store, token)
    leads = partial(seats.leads, settings, store)
    why = invitations.refusal(store, found, rater, leads=leads)
    worker = ""
    if found is not None and why is None:
        try:
            rows = crowd.row_of(store, found.task, found.dataset, rater, _said())
        except MedLensError as error:
            why = error
        else:
            worker = rows[0]["worker"] if rows else ""
            if not worker and invitations.accepted(store, found, rater):
                _put_away()
                return
    with _panel():
        if found is not None and why is None:
            place = f"judge: {title(store, settings, found)}" if found.task else "review here"
            st.markdown("#### You are invited")
            st.text(f"{found.name} invites you to {place}. {as_whom}".strip())
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
                    invitations.accept(store, token, known(), leads=leads, said=_said())
                except MedLensError as error:
                    why = error
                else:
                    _put_away()
                    st.rerun()
        if why is not None:
            # As plain text: it quotes people.
            st.text(f"{why.message} {why.hint}".strip())
            st.button("Close", key="invited.close", on_click=_put_away)


def title(store: Store, settings: Settings, of: invitations.Invitation) -> str:
    """What people call the round of an invitation."""
    return rounds_here(store, settings).get((of.task, of.dataset), f"{of.task} of {of.dataset}")


def rounds_here(store: Store, settings: Settings) -> dict[tuple[str, str], str]:
    """The rounds that there can be, by task and dataset, and what people call each."""
    found = {}
    for one in STUDIES.values():
        for row in items.datasets(store, one.name):
            dataset = str(row["dataset"])
            for task in one.tasks(one.open(store, settings, dataset)):
                found[task.name, dataset] = f"{one.title}, {task.title} ({dataset})"
    return found


def _panel() -> Any:
    return st.container(border=True, key="invited")


def _put_away() -> None:
    if value := _value():
        arrivals.settle(seats.browser(), value)
    address.go(**{arrivals.INVITE: ""})


def _value() -> str:
    return str(st.context.cookies.get(arrivals.COOKIE, ""))
