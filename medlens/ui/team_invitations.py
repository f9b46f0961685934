"""Invitations on the Team page: make a link, see who used it, withdraw it (leads)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from medlens.errors import MedLensError
from medlens.review import (
    crowd_platforms_and_worker_ids_of_rounds,
    hand_out_settings,
    invitations,
    raters,
    rounds,
)
from medlens.review.invitations import MOST_DAYS, MOST_USES, Invitation
from medlens.store import new_id
from medlens.studies.registry import STUDIES
from medlens.ui import accept_invitation, link_before_sign_in, list_filters_and_paging
from medlens.ui import crowd_platform_settings_and_return as crowd_page
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn, show_error
from medlens.ui.server import is_sign_in_set_up, public_server_address
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_MADE, _ERROR, _ALSO = "invite.made", "invite.error", "invite.also"
_NO_ROUND = ("", "")
_SAME_LINK = "same link as"


def draw_invitations(here: Here) -> None:
    """The form to make a link, and the existing links with who accepted them."""
    st.header("Invitations", anchor=False)
    titles = accept_invitation.round_titles_by_task_and_dataset(here.store, here.settings)
    lets_in = is_sign_in_set_up() and here.settings.sign_in.invitations_admit
    _make(here, titles, lets_in=lets_in)
    found = invitations.list_invitations(here.store, viewer=here.person)
    if not found:
        return
    shared = _titles_with_same_link(found, titles)
    ids = [one.id for one in found]
    column = st.column_config
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
        pd.DataFrame([_row(one, titles, shared) for one in found]),
        ids,
        "invitation",
        key="invitations.table",
        column_config={
            **dict.fromkeys(("for", _SAME_LINK), column.TextColumn(width="medium")),
            "valid until": streamlit_column_of_times(),
            "made": streamlit_column_of_times(),
        },
        alt="The invitations, the newest first, with how many people accepted each",
    )
    asked = known_value_in_address_or_warn("invitation", ids, "invitation")
    if not asked:
        st.caption("Choose an invitation to see who accepted it, or to withdraw it.")
        return
    with st.container(border=True):
        one = found[ids.index(asked)]
        _one(here, one, titles, shared.get(one.id, []), lets_in=lets_in)


def _title(one: Invitation, titles: dict[tuple[str, str], str]) -> str:
    """What an invitation is to, in plain text."""
    return titles.get((one.task, one.dataset), one.task or "The team")


def _titles_with_same_link(
    found: Sequence[Invitation], titles: dict[tuple[str, str], str]
) -> dict[str, list[str]]:
    """What else a link invites to, by the invitation's id; what is alone in its link is missing."""
    by_link: dict[str, list[Invitation]] = {}
    for one in reversed(found):
        if one.link:
            by_link.setdefault(one.link, []).append(one)
    return {
        one.id: [_title(other, titles) for other in together if other is not one]
        for together in by_link.values()
        if len(together) > 1
        for one in together
    }


def _row(
    one: Invitation, titles: dict[tuple[str, str], str], shared: Mapping[str, list[str]]
) -> dict[str, object]:
    alone = "" if one.link else "not known"  # made before links were noted
    beside = {_SAME_LINK: ", ".join(shared.get(one.id, [])) or alone} if shared else {}
    return {
        "for": _title(one, titles),
        **beside,
        "note": one.note,
        "state": "withdrawn" if one.revoked else one.state_in_words,
        "accepted": f"{one.used} of {one.uses}",
        "valid until": one.until,
        "by": one.name,
        "made": one.at,
    }


def _make(here: Here, titles: dict[tuple[str, str], str], *, lets_in: bool) -> None:
    choices = [*([_NO_ROUND] if lets_in else []), *titles]
    if not choices:
        st.markdown("There is nothing to invite people to yet: import a study first.")
        return
    if lets_in:
        st.caption(
            "Whoever has a link signs in through your provider, and is let in as a reviewer even if"
            " [people] in medlens.toml does not name them."
        )
    elif is_sign_in_set_up():
        st.caption(
            "A link gives a round to people whom [people] in medlens.toml names. To have it let"
            " others in as well, set invitations_admit = true under [sign_in] there."
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        asked = (st.query_params.get("task", ""), st.query_params.get("dataset", ""))
        task, dataset = st.selectbox(
            "Invite to",
            choices,
            index=choices.index(asked) if asked in choices else 0,
            key="invite.round",
            format_func=lambda one: titles.get(one, "The team, no particular round"),
            width=340,
        )
        others = [one for one in titles if one != (task, dataset)]
        if others:
            most = accept_invitation.MOST_ROUNDS_OF_LINK - 1
            also = st.multiselect(
                "With the same link also to",
                others,
                key=f"{_ALSO}.{task}.{dataset}",
                format_func=titles.__getitem__,
                max_selections=most,
                placeholder="Further tasks" if len(others) <= most else f"Up to {most} more tasks",
                width=420,
            )
    if others and len(also) == most < len(others):
        # "Select all" takes as many as fit.
        beyond = ", ".join(escape_markdown(titles[one]) for one in others if one not in also)
        st.caption(f"One link invites to at most {most + 1} tasks. Not to: {beyond}.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            *("People", 1, MOST_USES, _lacking(here, task, dataset)),
            key=f"invite.uses.{task}.{dataset}",
            width=100,
            help="Suggested: the number of reviewers that this round still needs. Leads count only"
            " if the round names them.",
        )
        st.number_input("Days", 1, MOST_DAYS, 7, key="invite.days", width=100)
        st.text_input(
            "Note", key="invite.note", max_chars=120, width=220, placeholder="Only leads see it"
        )
        st.button("Make a link", key="invite.make", type="primary", on_click=_press, args=(here,))
    if error := st.session_state.pop(_ERROR, None):
        show_error(error)
    if made := st.session_state.get(_MADE):
        link, uses, given = made
        st.code(link, language=None, wrap_lines=True)
        people = "one person" if uses == 1 else f"up to {uses:,} people"
        named = [escape_markdown(titles.get(one, one[0]) or "the team") for one in given]
        what = " and ".join(
            filter(None, (", ".join(f"**{one}**" for one in named[:-1]), f"**{named[-1]}**"))
        )
        sent = "Whoever has it can use it, so send it as you would a password."
        first = (
            f" Their Home begins with {'it' if len(named) == 1 else 'them'}; what else is open to"
            " everyone is folded there."
            if given[-1][0]
            else ""
        )
        st.caption(
            f"This link invites **{people}** to {what}.{first} Copy it now: MedLens keeps no copy"
            f" and cannot show it again. {sent if is_sign_in_set_up() else ''}"
        )
    if not is_sign_in_set_up():
        _say_how_to_let_others_in(made=bool(made))


_TO_LET_OTHERS_IN = """\
1. **Ask whoever looks after your team's computers** for a server with an address that begins with
   https, and for an application at the sign-in service that your team uses already (Microsoft,
   Google, Keycloak or another one with OpenID Connect).
2. **Set up sign-in**: `[auth]` in `.streamlit/secrets.toml`, with that address as its
   `redirect_uri`. The file `medlens.example.toml` has the lines to copy.
3. **Name the team**: e-mail addresses and roles under `[people]` in `medlens.toml`; or let links
   admit reviewers, with `invitations_admit = true` under `[sign_in]`.
4. **Start it there** with `python -m medlens serve`. Your studies come along with a backup of the
   store (`python -m medlens backup FILE`, then `restore`).

Links that you make from then on begin with that address. *docs/deployment.md*, which comes with
MedLens, has every step. Until then colleagues can judge at this computer, each under their name."""


def _say_how_to_let_others_in(*, made: bool) -> None:
    """Without sign-in: that a link opens on this computer only, and what would change that."""
    what = "This link" if made else "A link"
    st.caption(
        f":material/computer: {what} works on this computer only: sign-in is not set up, so"
        " MedLens lets nobody in from another one."
    )
    with st.expander("How to let others in", icon=":material/help:"):
        st.markdown(_TO_LET_OTHERS_IN)


def _lacking(here: Here, task: str, dataset: str) -> int:
    """How many people the round still needs so that each item can have its raters; at least one."""
    declared = next(
        (
            one
            for study in STUDIES.values()
            for one in study.tasks(study.open(here.store, here.settings, dataset))
            if one.name == task
        ),
        None,
    )
    if declared is None or declared.everyone:
        return 1
    # A lead who has set up a study need not judge in it.
    there = rounds.current_round_of_task(here.store, declared, dataset).raters or {
        one.id for one in raters.list_raters(here.store) if one.can_sign_in and one.role != "lead"
    }
    usual = hand_out_settings.default_hand_out_settings(
        here.settings, declared.name, declared.handing_out
    )
    wanted = hand_out_settings.hand_out_settings_in_force(
        here.store, declared.name, dataset, usual
    ).raters_per_item
    return min(max(1, wanted - len(there)), MOST_USES)


def _press(here: Here) -> None:
    said = st.session_state
    task, dataset = said.get("invite.round") or _NO_ROUND
    uses = int(said.get(f"invite.uses.{task}.{dataset}") or 1)
    wanted = [(task, dataset), *said.get(f"{_ALSO}.{task}.{dataset}", ())]
    link = new_id()
    try:
        # Each round has an invitation, and a secret, of its own: it can be withdrawn by itself.
        secrets = [
            invitations.make_invitation_and_return_link_secret(
                here.store,
                by=here.person,
                note=said.get("invite.note", ""),
                task=of,
                dataset=on,
                uses=uses,
                days=int(said.get("invite.days") or 1),
                link=link,
            )
            for of, on in wanted
        ]
    except MedLensError as error:
        said[_ERROR] = error
        return
    said["invite.note"] = ""
    platforms = (
        crowd_platforms_and_worker_ids_of_rounds.platform_of_round(here.store, *one)
        for one in wanted
    )
    ends = crowd_page.platform_link_suffix(next(filter(None, platforms), None))
    secret = accept_invitation.BETWEEN_SECRETS.join(secrets)
    address = f"{public_server_address()}/?{link_before_sign_in.INVITE}={secret}{ends}"
    said[_MADE] = (address, uses, wanted)


def _one(
    here: Here,
    one: Invitation,
    titles: dict[tuple[str, str], str],
    beside: Sequence[str],
    *,
    lets_in: bool,
) -> None:
    st.markdown(f"### {escape_markdown(_title(one, titles))}")
    if beside:
        also = ", ".join(f"**{escape_markdown(title)}**" for title in beside)
        st.markdown(f"Its link also invites to {also}. Each is withdrawn separately.")
    uses = invitations.list_acceptances_of_invitation(here.store, one.id, viewer=here.person)
    if uses:
        workers = {
            u.rater: crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(
                here.store, one.task, one.dataset, u.rater
            )
            for u in uses
        }
        back = {True: "removed", False: ""}
        st.dataframe(
            pd.DataFrame(
                [
                    {"name": u.name, "e-mail": u.email, "accepted": u.at}
                    | ({"platform's id": workers[u.rater]} if any(workers.values()) else {})
                    | ({"access": back[u.taken_back]} if any(x.taken_back for x in uses) else {})
                    for u in uses
                ]
            ),
            hide_index=True,
            column_config={"accepted": streamlit_column_of_times()},
            alt="Who accepted this invitation",
        )
    else:
        st.markdown("Nobody has accepted it yet.")
    if error := st.session_state.pop(_ERROR, None):
        show_error(error)
    if one.state_in_words == "open":
        st.button(
            "Withdraw the invitation",
            key="invite.revoke",
            icon=":material/link_off:",
            on_click=_revoke,
            args=(here, one.id),
        )
        st.caption(
            "Nobody can accept it after that. People who already did keep what they were given."
        )
    inside = {u.rater: u.name for u in uses if not u.taken_back}
    if lets_in and inside:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.multiselect(
                "Remove the access of",
                list(inside),
                key="invite.out",
                format_func=inside.__getitem__,
                width=420,
            )
            st.button(
                "Remove access", key="invite.take_back", on_click=_take_back, args=(here, one.id)
            )
        st.caption(
            "They lose access at their next action, and no existing link lets them in again. People"
            " named in [people] keep theirs. Their judgments stay and count; exclude them under"
            " Raters."
        )


def _revoke(here: Here, invitation: str) -> None:
    try:
        invitations.revoke_invitation(here.store, invitation, by=here.person)
    except MedLensError as error:
        st.session_state[_ERROR] = error


def _take_back(here: Here, invitation: str) -> None:
    try:
        for rater in st.session_state.get("invite.out", ()):
            invitations.take_back_access_of_accepter(here.store, invitation, rater, by=here.person)
    except MedLensError as error:
        st.session_state[_ERROR] = error
