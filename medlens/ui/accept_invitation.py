"""Arrivals by a lead's invitation: what it gives them, shown before they accept it.

The link's secret is in a cookie set by the guard (``link_before_sign_in``), or still in the address
if no guard runs in front of the app. Nothing happens with it until somebody known presses a button.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from medlens.config.settings import Settings
from medlens.errors import InvalidInput, MedLensError
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    completion_code_rules_and_decisions,
    crowd_platforms_and_worker_ids_of_rounds,
    invitations,
    items,
    raters,
    renaming_and_name_translation,
)
from medlens.review.invitations import Invitation
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import link_before_sign_in, page_address, session_people_and_sign_in_validity

BETWEEN_SECRETS = "."
"""Stands in a link between the secrets of several invitations, none of which can hold it."""
MOST_ROUNDS_OF_LINK = 8
_NOBODY = ""
"""In place of a rater's id, for who has not said who they are."""
_ACCEPTED = "invited.accepted"
"""The invitation that was accepted together with giving a name, until its desk is opened."""


def has_pending_link() -> bool:
    """Whether this browser came by an invitation's link that was neither accepted nor dismissed."""
    return bool(_secrets_of_link())


def _secrets_of_link() -> list[str]:
    """The secrets of the link, one for each round that it invites to."""
    secrets = _said().get(link_before_sign_in.INVITE, "").split(BETWEEN_SECRETS)
    return list(dict.fromkeys(filter(None, secrets)))[:MOST_ROUNDS_OF_LINK]


def _invitations_of_link(store: Store) -> list[tuple[str, Invitation]]:
    """The invitations of the link that are known here, each after its secret."""
    found = ((one, invitations.find_invitation_by_secret(store, one)) for one in _secrets_of_link())
    return [(secret, one) for secret, one in found if one is not None]


def _said() -> dict[str, str]:
    browser, value = session_people_and_sign_in_validity.cookie_of_current_browser(), _value()
    kept = (
        {}
        if link_before_sign_in.is_link_settled(browser, value)
        else link_before_sign_in.read_query_parameters_from_cookie(value)
    )
    return kept or st.query_params.to_dict()


def worker_id_offered_as_name(store: Store) -> str:
    """A crowd worker's id from the platform, as a name on a computer without sign-in; empty if
    there is no id, or somebody already has that name.
    """
    platforms = (
        crowd_platforms_and_worker_ids_of_rounds.platform_of_round(store, one.task, one.dataset)
        for _, one in _invitations_of_link(store)
    )
    platform = next(filter(None, platforms), None)
    worker = _said().get(platform.parameter, "") if platform else ""
    known = crowd_platforms_and_worker_ids_of_rounds.looks_like_worker_id(
        worker
    ) and raters.find_rater_by_handle(
        store, raters.make_rater_handle_from_origin_and_name("app", worker)
    )
    return (
        ""
        if known or not crowd_platforms_and_worker_ids_of_rounds.looks_like_worker_id(worker)
        else worker
    )


def find_open_invitations(store: Store, settings: Settings) -> list[Invitation]:
    """The invitations of the link by which this browser came that can still be accepted."""
    return [
        one
        for _, one in _invitations_of_link(store)
        if one.state_in_words == "open"
        and session_people_and_sign_in_validity.is_lead(settings, store, one.by)
        and not (one.task and _is_archived(store, one))
    ]


def draw_invitation_before_sign_in(store: Store, settings: Settings) -> None:
    """Who invites to what, and how much it is, for somebody not yet identified; or that the
    invitation is no longer valid.
    """
    if not has_pending_link():
        return
    if found := find_open_invitations(store, settings):
        _draw_what_is_asked(store, settings, found, _NOBODY)
    else:
        st.info(
            "The invitation that you opened is no longer valid, or its link is incomplete. Ask "
            "the person who sent it for a new one. If you are on the team, sign in as usual.",
            icon=":material/mail:",
        )


def does_giving_name_accept_invitation(store: Store, found: Sequence[Invitation]) -> bool:
    """Whether giving a name accepts the invitations: whoever comes by a crowd platform first reads
    what is kept of them.
    """
    return not any(
        one.task
        and crowd_platforms_and_worker_ids_of_rounds.platform_of_round(store, one.task, one.dataset)
        for one in found
    )


def accept_invitation_after_giving_name(store: Store, settings: Settings, rater: Rater) -> None:
    """Accept what the link invites to for somebody who has just given their name, having read what
    it is; the page that is drawn next leads to its desk. If that fails, Home says why.
    """
    leads = partial(session_people_and_sign_in_validity.is_lead, settings, store)
    with contextlib.suppress(MedLensError):
        st.session_state[_ACCEPTED] = _accept(store, _invitations_of_link(store), rater, leads)
        forget_invitation_link()


def _accept(
    store: Store,
    found: Sequence[tuple[str, Invitation]],
    rater: Rater,
    leads: Callable[[str], bool],
) -> Invitation:
    """Accept these invitations, as far as each still can be; returns the first of them.

    Raises:
        MedLensError: none of them can.
    """
    accepted: list[Invitation] = []
    why: MedLensError | None = None
    # The first one comes last, so that Home has it before the others.
    for secret, one in reversed(found):
        # It may have been put away since it was offered, or never have been offered for that.
        if refused := _error_refusing(store, one, rater.id, leads):
            why = refused
            continue
        try:
            accepted.append(
                invitations.accept_and_return_invitation_admitting_rater(
                    store, secret, rater, leads=leads, said=_said()
                )
            )
        except MedLensError as error:
            why = error
    if not accepted:
        raise why or _unknown(store)
    return accepted[-1]


def draw_invitation_to_round(store: Store, settings: Settings, rater: Rater) -> None:
    """What the invitation gives a member of the team, with a button to accept it. Somebody who has
    just accepted one is led to its desk.
    """
    if accepted := st.session_state.pop(_ACCEPTED, None):
        _begin(accepted)
    if not has_pending_link():
        return
    found = _invitations_of_link(store)
    to_rounds = [(secret, one) for secret, one in found if one.task]
    if found and not to_rounds:
        with _panel():
            st.text("You are already on this team: this invitation gives you nothing new.")
            st.button("Close", key="invited.close", on_click=forget_invitation_link)
        return
    _offer(store, settings, to_rounds, rater.id, lambda: rater, "")


def draw_invitation_to_team(store: Store, settings: Settings, name: str, email: str) -> None:
    """As ``draw_invitation_to_round``, for somebody signed in who is not yet on the team."""
    row = raters.make_rater_row(name, origin="oidc", email=email)
    add = partial(raters.find_or_add_rater_by_name, store, name, origin="oidc", email=email)
    found = _invitations_of_link(store)
    _offer(store, settings, found, row["id"], add, f"You have signed in as {email}.")


def _offer(
    store: Store,
    settings: Settings,
    found: Sequence[tuple[str, Invitation]],
    rater: str,
    known: Callable[[], Rater],
    as_whom: str,
) -> None:
    leads = partial(session_people_and_sign_in_validity.is_lead, settings, store)
    offered: list[tuple[str, Invitation]] = []
    why: MedLensError | None = None if found else _unknown(store)
    worker = ""
    for secret, one in found:
        refused = _error_refusing(store, one, rater, leads)
        if refused is None:
            try:
                rows = crowd_platforms_and_worker_ids_of_rounds.make_crowd_worker_rows(
                    store, one.task, one.dataset, rater, _said()
                )
            except MedLensError as error:
                refused = error
            else:
                worker = worker or (rows[0]["worker"] if rows else "")
                if rows or not invitations.has_accepted_invitation(store, one, rater):
                    offered.append((secret, one))
        why = why or refused
    if not offered and why is None:
        forget_invitation_link()
        return
    with _panel():
        if offered:
            why = None
            if as_whom:  # on Home the page itself is called so
                st.markdown("## You are invited")
            _draw_what_is_asked(store, settings, [one for _, one in offered], rater, as_whom)
            if worker:
                st.text(
                    f"Your id {worker} from the platform is kept beside your name, for whoever runs"
                    " the study."
                )
            with st.container(horizontal=True):
                pressed = st.button("Accept", key="invited.accept", type="primary")
                st.button("Not now", key="invited.later", on_click=forget_invitation_link)
            if pressed:
                try:
                    accepted = _accept(store, offered, known(), leads)
                except MedLensError as error:
                    why = error
                else:
                    forget_invitation_link()
                    _begin(accepted)
        if why is not None:
            # As plain text: it quotes people.
            st.text(f"{why.message} {why.hint}".strip())
            st.button("Close", key="invited.close", on_click=forget_invitation_link)


def _error_refusing(
    store: Store, found: Invitation, rater: str, leads: Callable[[str], bool]
) -> MedLensError | None:
    if found.task and _is_archived(store, found):
        return InvalidInput("This round was closed.", hint=_code_given(store, found, rater))
    return invitations.make_error_refusing_invitation(store, found, rater, leads=leads)


def _unknown(store: Store) -> MedLensError:
    """The link is not known here."""
    why = invitations.make_error_refusing_invitation(store, None, "", leads=lambda _: False)
    assert why is not None
    return why


def _draw_what_is_asked(
    store: Store,
    settings: Settings,
    found: Sequence[Invitation],
    rater: str,
    as_whom: str = "",
) -> None:
    """Who invites to what, and how much it is; to somebody who is known also what is asked, if it
    is one thing.
    """
    # It imports the frame of pages, which shows this where nobody is known.
    from medlens.ui import home_my_work

    works = [
        home_my_work.title_question_and_amount_of_invited_work(
            store, settings, task=one.task, dataset=one.dataset, rater=rater
        )
        for one in found
        if one.task
    ]
    # All as plain text: it quotes people.
    invites = f"{found[0].name} invites you to"
    if len(works) > 1:
        st.text(f"{invites} judge in {len(works)} tasks. {as_whom}".strip())
        lines = [f"{one.title}: {one.amount}" if one.amount else one.title for one in works]
        st.text("\n".join(f"• {line}" for line in lines))
        return
    what = f"judge: {works[0].title}." if works else "review here."
    st.text(f"{invites} {what} {as_whom}".strip())
    for work in works:
        if work.question and rater:
            st.text(work.question)
        if work.amount:
            st.caption(f"{work.amount[:1].upper()}{work.amount[1:]}.")


def _is_archived(store: Store, found: Invitation) -> bool:
    """Whether the round of an invitation was put away."""
    return any(
        archiving_of_datasets_rounds_and_runs.is_archived_round(
            store, study.name, found.dataset, found.task
        )
        for study in STUDIES.values()
        if found.task in study.views
    )


def _code_given(store: Store, found: Invitation, rater: str) -> str:
    """The completion code that this person was given for the round, in a sentence; else what to
    do.
    """
    standing = completion_code_rules_and_decisions.last_code_event_by_rater(
        store, found.task, found.dataset
    ).get(rater)
    platform = crowd_platforms_and_worker_ids_of_rounds.platform_of_round(
        store, found.task, found.dataset
    )
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
                title = renaming_and_name_translation.current_title_of_round(
                    store, one.name, dataset, task.name, task.title
                )
                name = titles[dataset] if own else f"{one.title}, {title} ({titles[dataset]})"
                found[task.name, dataset] = name
    return found


def _panel() -> Any:
    return st.container(border=True, key="invited")


def forget_invitation_link() -> None:
    """Forget the link by which this browser came; the invitations themselves stay as they are."""
    if value := _value():
        link_before_sign_in.mark_link_as_settled(
            session_people_and_sign_in_validity.cookie_of_current_browser(), value
        )
    page_address.set_values_in_address(**{link_before_sign_in.INVITE: ""})


def _value() -> str:
    return str(st.context.cookies.get(link_before_sign_in.COOKIE, ""))
