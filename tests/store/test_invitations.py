"""Invitations: who may make one, how often and how long it holds, and what it gives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from medlens.errors import InvalidInput, MedLensError, NotAllowed
from medlens.review import audit_log, invitations, rounds
from medlens.review.raters import Rater
from medlens.store import Store, utc_now
from tests.store.made_up import TASK, person, poems

ROUND = {"task": TASK.name, "dataset": "poems"}


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def rosa(store: Store, lead: Rater) -> Rater:
    return person(store, "Rosa")


def anybody(rater: str) -> bool:
    return True


def accept(store: Store, token: str, rater: Rater) -> None:
    invitations.accept_and_return_invitation_admitting_rater(store, token, rater, leads=anybody)


def test_an_accepted_invitation_adds_the_person_to_a_round_of_named_people(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    poems(store, 2)
    ben = person(store, "Ben")
    rounds.open_or_close_round(store, TASK, "poems", state="open", raters=[ben.id], by=lead)
    token = invitations.make_invitation_and_return_link_secret(store, by=lead, **ROUND)
    assert not rounds.current_round_of_task(store, TASK, "poems").does_hand_out_to_rater(rosa.id)
    accept(store, token, rosa)
    now = rounds.current_round_of_task(store, TASK, "poems")
    assert now.raters == {ben.id, rosa.id}
    accept(store, token, rosa)
    assert rounds.current_round_of_task(store, TASK, "poems").revision == now.revision
    told = audit_log.entries_table(store, viewer=lead, kinds=["invitation"])["detail"].tolist()
    assert told == ["accepted", "made for 1 person"]


@pytest.mark.parametrize("opened", [True, False])
def test_a_round_open_to_everyone_or_not_opened_stays_as_it_is(
    store: Store, lead: Rater, rosa: Rater, opened: bool
) -> None:
    poems(store, 2)
    if opened:
        rounds.open_or_close_round(store, TASK, "poems", state="open", by=lead)
    before = rounds.current_round_of_task(store, TASK, "poems")
    accept(store, invitations.make_invitation_and_return_link_secret(store, by=lead, **ROUND), rosa)
    after = rounds.current_round_of_task(store, TASK, "poems")
    assert (after, after.revision) == (before, before.revision)
    assert after.does_hand_out_to_rater(person(store, "Ben").id)


def test_the_links_secret_is_nowhere_in_the_store(store: Store, lead: Rater) -> None:
    token = invitations.make_invitation_and_return_link_secret(store, by=lead, note="Ward 3")
    assert len(token) == 32
    assert token not in str(store.rows("select * from invitation"))
    assert invitations.make_invitation_and_return_link_secret(store, by=lead) != token


def test_what_is_used_up_expired_withdrawn_unknown_or_of_a_former_lead_is_refused_in_words(
    store: Store, lead: Rater, rosa: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = person(store, "Ben")
    token = invitations.make_invitation_and_return_link_secret(store, by=lead)
    accept(store, token, rosa)
    with pytest.raises(InvalidInput, match=r"as many people as it was for. Ask Lena for a new"):
        accept(store, token, ben)
    # Who accepted it may open it again.
    accept(store, token, rosa)
    withdrawn = invitations.make_invitation_and_return_link_secret(store, by=lead)
    [newest, _] = invitations.list_invitations(store, viewer=lead)
    for _ in range(2):
        invitations.revoke_invitation(store, newest.id, by=lead)
    with pytest.raises(InvalidInput, match="withdrawn"):
        accept(store, withdrawn, ben)
    for unknown in ("", "x" * 32, token[:-1], f"{token}\n", "'; drop table invitation"):
        with pytest.raises(InvalidInput, match="not known here"):
            accept(store, unknown, ben)
    former = invitations.make_invitation_and_return_link_secret(store, by=lead)
    with pytest.raises(InvalidInput, match="no longer leads"):
        invitations.accept_and_return_invitation_admitting_rater(
            store, former, ben, leads=lambda rater: rater != lead.id
        )
    late = invitations.make_invitation_and_return_link_secret(store, by=lead, days=2)
    monkeypatch.setattr(invitations, "utc_now", lambda: utc_now() + timedelta(days=2))
    with pytest.raises(InvalidInput, match="was valid until"):
        accept(store, late, ben)
    assert not invitations.was_admitted_by_invitation(store, ben.id)
    assert invitations.was_admitted_by_invitation(store, rosa.id)


def test_many_at_once_are_never_more_than_the_invitation_is_for(store: Store, lead: Rater) -> None:
    people = [person(store, f"P{n}") for n in range(8)]
    token = invitations.make_invitation_and_return_link_secret(store, by=lead, uses=3)

    def try_it(one: Rater) -> bool:
        try:
            accept(store, token, one)
        except MedLensError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(try_it, people)) == 3
    [found] = invitations.list_invitations(store, viewer=lead)
    assert (found.used, found.state_in_words) == (3, "used up")


def test_who_is_put_out_is_let_in_by_no_link_made_before_but_by_one_made_after(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    first, other = (
        invitations.make_invitation_and_return_link_secret(store, by=lead, uses=5) for _ in range(2)
    )
    accept(store, first, rosa)
    [_, used] = invitations.list_invitations(store, viewer=lead)
    for _ in range(2):
        invitations.take_back_access_of_accepter(store, used.id, rosa.id, by=lead)
    assert not invitations.was_admitted_by_invitation(store, rosa.id)
    for token in (first, other):
        with pytest.raises(NotAllowed, match="removed your access"):
            accept(store, token, rosa)
    assert [
        one.taken_back
        for one in invitations.list_acceptances_of_invitation(store, used.id, viewer=lead)
    ] == [True]
    accept(store, invitations.make_invitation_and_return_link_secret(store, by=lead), rosa)
    assert invitations.was_admitted_by_invitation(store, rosa.id)


def test_only_leads_make_see_and_withdraw_and_an_invitation_makes_nobody_a_lead(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    token = invitations.make_invitation_and_return_link_secret(store, by=lead)
    [found] = invitations.list_invitations(store, viewer=lead)
    for act in (
        lambda: invitations.make_invitation_and_return_link_secret(store, by=rosa),
        lambda: invitations.list_invitations(store, viewer=rosa),
        lambda: invitations.list_acceptances_of_invitation(store, found.id, viewer=rosa),
        lambda: invitations.revoke_invitation(store, found.id, by=rosa),
        lambda: invitations.take_back_access_of_accepter(store, found.id, lead.id, by=rosa),
    ):
        with pytest.raises(NotAllowed):
            act()
    accept(store, token, rosa)
    assert person(store, "Rosa").role == "reviewer"


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "wrong", [{"uses": 0}, {"uses": 1001}, {"days": 0}, {"days": 91}, {"note": "x" * 121}]
)
def test_an_invitation_without_bounds_is_refused(
    store: Store, lead: Rater, wrong: dict[str, object]
) -> None:
    with pytest.raises(InvalidInput):
        invitations.make_invitation_and_return_link_secret(store, by=lead, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="A round is a task and a dataset"):
        invitations.make_invitation_and_return_link_secret(store, by=lead, task=TASK.name)
