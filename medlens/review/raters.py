"""Who judges: clinicians and models alike, each identified by a handle that never changes."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from medlens.config.email_and_name_normalisation import (
    remove_invisible_characters_from_name,
    shorten_name,
)
from medlens.deferred_module import pd
from medlens.errors import InvalidInput, NotAllowed
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store, new_id, stable_id

Kind = Literal["person", "model"]
Role = Literal["reviewer", "lead"]


@dataclass(frozen=True)
class Rater:
    """A person or model that judges. ``origin`` is how they came: app, oidc, import, demo or
    model.
    """

    id: str
    handle: str
    kind: Kind
    name: str
    email: str | None
    origin: str
    role: Role

    @property
    def can_sign_in(self) -> bool:
        """Whether this is a person of the team, rather than one who came with imported work."""
        return self.kind == "person" and self.origin in ("app", "oidc")


_FIELDS = "id, handle, kind, name, email, origin, role"


def _rater(row: dict[str, Any] | None) -> Rater | None:
    return Rater(**row) if row else None


# Cached: read at every run of a page, but changes only when somebody is added or given a role.
@cache_until_tables_grow("rater", "rater_role", most=1024)
def find_rater(store: Store, rater: str) -> Rater | None:
    """The rater with this id."""
    return _rater(
        store.find_first_row_as_dict(f"select {_FIELDS} from rater_now where id = $id", id=rater)
    )


def find_rater_by_handle(store: Store, handle: str) -> Rater | None:
    """The rater with this handle, such as ``local:dr osei`` or ``import:annotator-01``."""
    return _rater(
        store.find_first_row_as_dict(f"select {_FIELDS} from rater_now where handle = $h", h=handle)
    )


def make_rater_handle_from_origin_and_name(origin: str, name: str) -> str:
    """The handle for a name: different spaces or capitals do not make a different person, nor do,
    where people type it, letters that are composed otherwise (ä as one character or as two). Names
    in files stay as they are, so that a file that comes again is of the same raters.
    """
    plain = remove_invisible_characters_from_name(name)
    if origin == "app":
        plain = unicodedata.normalize("NFC", plain)
    return f"{origin}:{plain.casefold()}"


def list_raters(store: Store) -> list[Rater]:
    """All raters by name."""
    return list(_everyone(store))


@cache_until_tables_grow("rater", "rater_role", most=8)
def _everyone(store: Store) -> list[Rater]:
    rows = store.query_rows_as_dicts(f"select {_FIELDS} from rater_now order by lower(name), id")
    return [Rater(**row) for row in rows]


def list_local_people(store: Store) -> list[Rater]:
    """The people to pick from when signing in on a computer without accounts."""
    return [rater for rater in list_raters(store) if rater.origin == "app"]


def find_or_add_rater_by_name(
    store: Store,
    name: str,
    *,
    kind: Kind = "person",
    origin: str = "app",
    email: str | None = None,
    role: Role = "reviewer",
    handle: str | None = None,
) -> Rater:
    """The rater with this name and origin, added if new. The role is set only when added.

    Raises:
        InvalidInput: the name has no visible character.
    """
    row = make_rater_row(name, kind=kind, origin=origin, email=email, handle=handle)
    found = find_rater_by_handle(store, row["handle"]) or _composed_otherwise(store, row["handle"])
    if found:
        return found
    rater = row["id"]
    batch: dict[str, list[dict[str, Any]]] = {"rater": [row]}
    if role != "reviewer":
        batch["rater_role"] = [
            {
                "id": stable_id("role", rater, "1"),
                "rater": rater,
                "revision": 1,
                "role": role,
                "made_by": rater,
            }
        ]
    store.append_all_and_count_new_by_table(batch)
    added = find_rater(store, rater)
    if added is None:
        raise InvalidInput("The person could not be added.", hint="Try again.")
    return added


def find_local_person_by_name(store: Store, name: str) -> Rater | None:
    """Who signs in by this name on a computer without accounts, if somebody does.

    Raises:
        InvalidInput: the name has no visible character.
    """
    handle = make_rater_row(name)["handle"]
    return find_rater_by_handle(store, handle) or _composed_otherwise(store, handle)


def _composed_otherwise(store: Store, handle: str) -> Rater | None:
    """The rater whose handle is this one, of a name typed here, but for how its letters are
    composed: it was kept as it was typed before these were taken for the same.
    """
    if handle.isascii() or not handle.startswith("app:"):
        return None
    return next(
        (one for one in list_raters(store) if unicodedata.normalize("NFC", one.handle) == handle),
        None,
    )


def make_rater_row(
    name: str,
    *,
    kind: Kind = "person",
    origin: str = "app",
    email: str | None = None,
    handle: str | None = None,
) -> dict[str, Any]:
    """A rater as a row to append; the same handle always gives the same id.

    The name is cleaned and cut to 80 characters; names that differ only after that stay two raters.

    Raises:
        InvalidInput: the name has no visible character.
    """
    plain = remove_invisible_characters_from_name(name)
    if not plain:
        raise InvalidInput("The name is empty.", hint="Type a name.")
    # An address is compared as ``email_and_name_normalisation.normalise_email_for_comparison``
    # returns it, without further folding.
    handle = handle or (
        f"{origin}:{email}" if email else make_rater_handle_from_origin_and_name(origin, plain)
    )
    return {
        "id": stable_id("rater", handle),
        "handle": handle,
        "kind": kind,
        "name": shorten_name(plain),
        "email": email,
        "origin": origin,
    }


def raters_table(store: Store, *, viewer: Rater | None) -> pd.DataFrame:
    """One row per rater, in the order in which they came: rater_id, rater_handle, rater (name),
    rater_kind, rater_origin, role, excluded (whether all their work is), judgments (how many items
    they have judged that count, over all tasks).

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(
        "select r.id as rater_id, r.handle as rater_handle, r.name as rater, r.kind as rater_kind,"
        " r.origin as rater_origin, n.role, x.rater is not null as excluded,"
        " coalesce(j.judgments, 0) as judgments"
        " from rater r join rater_now n on n.id = r.id"
        " left join exclusion_now x on x.rater = r.id and x.task = ''"
        " left join (select rater, count(*) as judgments from judgment_now group by rater) j"
        " on j.rater = r.id order by r.seq"
    )


def set_role_of_rater(store: Store, rater: str, role: Role, *, by: Rater) -> None:
    """Make somebody a lead or a reviewer; only a lead may do this.

    Raises:
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    top = store.value("select coalesce(max(revision), 0) from rater_role where rater = $r", r=rater)
    store.append(
        "rater_role",
        {"id": new_id(), "rater": rater, "revision": top + 1, "role": role, "made_by": by.id},
    )


def require_lead(viewer: Rater | None) -> None:
    """Refuse anyone who is not a lead; None is the command line, whose users may do everything.

    Raises:
        NotAllowed: for a reviewer.
    """
    if viewer is not None and viewer.role != "lead":
        raise NotAllowed("This is for team leads.", hint="Ask your lead for access.")
