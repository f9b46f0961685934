"""The audit log: sign-ins, refusals, and what leads did beyond judging.

``record_entry`` appends its own events. Role changes, imports, settings, reveals, excluded raters,
invitations, decisions about completion codes and leads' words on pages are in the store anyway and
are read from there. The log holds no text of items and no secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.deferred_module import pd
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store, new_id, stable_id

if TYPE_CHECKING:
    from medlens.tables import PlainTable

KINDS = {
    "sign_in": "Sign-in",
    "sign_out": "Sign-out",
    "refused": "Refused",
    "role": "Role",
    "import": "Import",
    "export": "Export",
    "backup": "Backup",
    "backup_failed": "Backup failed",
    "settings": "Settings",
    "reveal": "Reveal",
    "upload": "Upload refused",
    "outcome": "Page outcome",
    "round": "Round",
    "exclusion": "Exclusion",
    "withdrawal": "Withdrawn item",
    "correction": "Corrected item",
    "return": "Returned item",
    "guideline": "Guideline",
    "hand_on": "Work handed on",
    "consent": "Consent",
    "invitation": "Invitation",
    "suggestions": "Suggestions",
    "completion": "Completion code",
    "archive": "Archived",
    "rename": "Renamed",
    "erase": "Erased",
    "delete": "Deleted",
}
"""The kinds of entries and their names."""

_LONGEST = 300
_SELECT = (
    'select a.made_at as "when", a.kind, coalesce(r.name, a.who) as who, a.about,'
    " coalesce(a.detail, '') as detail from audit a left join rater r on r.id = a.who"
)


@dataclass(frozen=True)
class SignIn:
    """When a sign-in was first seen, and whether it has ended."""

    began: datetime
    ended: bool


def record_entry(
    store: Store, kind: str, *, who: str, about: str = "", detail: str = "", once: str = ""
) -> None:
    """Append an entry. ``who`` is a rater's id, an e-mail address, or ``command line``; invisible
    characters, such as a file name may hide, are removed from ``about`` and ``detail``.

    ``once`` identifies the event: noted again, even by another process, it stays one entry.
    """
    store.append(
        "audit_event",
        {
            "id": stable_id("audit", kind, once) if once else new_id(),
            "kind": kind,
            "who": who,
            "about": clean_entry_text(about),
            "body": {"detail": clean_entry_text(detail)},
        },
    )


def detail_of_last_entry(store: Store, kind: str, *, about: str) -> str:
    """What the latest entry of this kind about something says; empty if there is none."""
    return str(
        store.value(
            "select detail from audit where kind = $kind and about = $about"
            " order by made_at desc limit 1",
            kind=kind,
            about=about,
        )
        or ""
    )


def clean_entry_text(text: str) -> str:
    """A text as stored in an entry."""
    return remove_invisible_characters_from_name(text)[:_LONGEST]


# Cached: checked at every message of a browser, but the log seldom grows.
@cache_until_tables_grow("audit_event", most=1024)
def find_sign_in(store: Store, key: str) -> SignIn | None:
    """The sign-in that ``key`` stands for; None if it has not been noted.

    ``find_or_record_sign_in`` notes it, and ``record_sign_out`` its end.
    """
    rows = store.rows(
        "select id, made_at, coalesce(body->>'$.ended', '') from audit_event"
        " where id in ($began, $ended)",
        began=stable_id("audit", "sign_in", key),
        ended=stable_id("audit", "sign_out", key),
    )
    times = {id: made_at for id, made_at, _ in rows}
    began = times.get(stable_id("audit", "sign_in", key))
    # Its person may have been erased.
    ended = len(times) > 1 or any(erased for *_, erased in rows)
    return SignIn(began, ended) if began else None


def find_or_record_sign_in(store: Store, key: str, *, who: str, about: str) -> SignIn:
    """Note a sign-in, unless it is already noted; returns what is known of it then."""
    record_entry(store, "sign_in", who=who, about=about, once=key)
    known = find_sign_in(store, key)
    assert known is not None
    return known


def record_sign_out(store: Store, key: str, *, who: str, detail: str = "") -> None:
    """Note that a sign-in has ended; it cannot be used again."""
    record_entry(store, "sign_out", who=who, detail=detail, once=key)


def entries_table(
    store: Store,
    *,
    viewer: Rater | None,
    kinds: Collection[str] = (),
    who: str = "",
    skip: int = 0,
    limit: int | None = None,
) -> pd.DataFrame:
    """Entries, newest first: when, kind, who, about, detail. ``viewer`` None is the command line.

    ``kinds`` and ``who`` (a part of a name or address) narrow them; ``skip`` and ``limit`` page.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    narrowed, params = _narrowed(kinds, who)
    paged = "" if limit is None else f" limit {int(limit)} offset {int(skip)}"
    found = store.read(f"{_SELECT}{narrowed}{_NEWEST_FIRST}{paged}", **params)
    tell = _teller_of_names(store)
    if tell is None or found.empty:
        return found
    for column in ("about", "detail"):
        told = [tell(kind, text) for kind, text in zip(found["kind"], found[column], strict=True)]
        found[column] = pd.Series(told, index=found.index, dtype=found[column].dtype)
    return found


def all_entries_as_plain_table(store: Store) -> PlainTable:
    """All of ``entries_table``, for the command line."""
    # A backup notes an entry, and needs nothing else of the files' rooms.
    from medlens.tables import PlainTable

    narrowed, params = _narrowed((), "")
    columns, rows = store.rows_with_column_names(f"{_SELECT}{narrowed}{_NEWEST_FIRST}", **params)
    if (tell := _teller_of_names(store)) is not None:
        # when, kind, who, about, detail
        rows = [(*row[:3], tell(row[1], row[3]), tell(row[1], row[4]), *row[5:]) for row in rows]
    return PlainTable(columns, rows)


def _teller_of_names(store: Store) -> Callable[[str, str], str] | None:
    """What adds to an entry's text, given its kind, what the dataset that it names is called now:
    the log keeps the first name. None if no dataset was renamed. A name that datasets of several
    studies have stays as it is.
    """
    if not store.data_version_of_tables("renaming"):
        return None
    # Most stores, and a backup in any, need nothing of this.
    from medlens.review.renaming_and_name_translation import load_current_and_earlier_names

    called = [
        (thing, now)
        for thing, now in load_current_and_earlier_names(store).called.items()
        if thing.kind == "dataset"
        and not store.rows(
            "select 1 from item where dataset = $name and study <> $study limit 1",
            name=thing.dataset,
            study=thing.study,
        )
    ]
    if not called:
        return None
    now_of = {thing.dataset: now for thing, now in called}
    names = "|".join(re.escape(name) for name in sorted(now_of, key=len, reverse=True))
    named = re.compile(rf"(\b(?:of|into|from|to) )({names})(?=$|[:,])")

    def tell(kind: str, text: str) -> str:
        if kind in _OF_THINGS and text in now_of:
            return f"{text} (now {now_of[text]})"
        return named.sub(lambda found: f"{found[0]} (now {now_of[found[2]]})", text)

    return tell


_OF_THINGS = ("archive", "rename")
"""Kinds of entries that are about a dataset, and give its name alone."""


_NEWEST_FIRST = " order by a.seq desc"


def count_entries(
    store: Store, *, viewer: Rater, kinds: Collection[str] = (), who: str = ""
) -> int:
    """How many entries there are.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    narrowed, params = _narrowed(kinds, who)
    found = store.value(
        f"select count(*) from audit a left join rater r on r.id = a.who{narrowed}", **params
    )
    return int(found)


def may_address_be_of_erased_person(store: Store, address: str) -> bool:
    """Whether an e-mail address may be that of a person who was erased: there was one, and it is no
    rater's, and in no entry.
    """
    return not store.rows(
        "select 1 where not exists (select 1 from audit_event where kind = 'erase')"
        " union all select 1 from rater where email = $address"
        " union all select 1 from audit_event where $address in (who, about) limit 1",
        address=address,
    )


@dataclass(frozen=True)
class Copies:
    """Files of one kind (backup, export) that were written: how many, when the first and the last,
    and what the entries call them.
    """

    kind: str
    number: int
    first: datetime
    last: datetime
    names: tuple[str, ...]


def list_summaries_of_logged_backups_and_exports(store: Store) -> list[Copies]:
    """The backups and exports in the log, by kind."""
    rows = store.rows(
        "select kind, count(*), min(made_at), max(made_at),"
        " coalesce(list_sort(list_distinct(list(about) filter (about <> ''))), []) from audit"
        " where kind in ('backup', 'export') group by kind order by kind"
    )
    return [
        Copies(kind, int(number), first, last, tuple(names))
        for kind, number, first, last, names in rows
    ]


def _narrowed(kinds: Collection[str], who: str) -> tuple[str, dict[str, object]]:
    wanted: dict[str, object] = {}
    parts = []
    if kinds:
        parts.append("a.kind in $kinds")
        wanted["kinds"] = list(kinds)
    if who.strip():
        parts.append("contains(lower(coalesce(r.name, '') || ' ' || a.who), lower($who))")
        wanted["who"] = who.strip()
    return (f" where {' and '.join(parts)}" if parts else ""), wanted
