"""What people read and agree to before they judge in a round, in versions, and who agreed when.

The text is one of a round's settings, and the store keeps every revision of these; changing it
makes a new version. That somebody agreed is an entry of the audit log, one for each version.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from medlens.deferred_module import pd
from medlens.errors import Conflict, InvalidInput
from medlens.review import audit_log, hand_out_settings
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store, stable_id

LONGEST = 20_000
_KIND = "consent"


@dataclass(frozen=True)
class Text:
    """A version of what people agree to; if ``text`` is empty, they are asked nothing."""

    version: int
    text: str
    by: str
    at: datetime


# Cached: read at every desk and for every item, but changes only when a lead changes a setting.
@cache_until_tables_grow("task_setting", "rater", most=256)
def list_consent_text_versions(store: Store, task: str, dataset: str) -> list[Text]:
    """All versions, oldest first."""
    found: list[Text] = []
    for text, by, at in store.rows(
        "select coalesce(s.body->>'consent', ''), coalesce(r.name, s.made_by), s.made_at"
        " from task_setting s left join rater r on r.id = s.made_by"
        " where s.task = $task and s.dataset = $dataset order by s.revision",
        task=task,
        dataset=dataset,
    ):
        if text != (found[-1].text if found else ""):
            found.append(Text(len(found) + 1, text, by, at))
    return found


def write_consent_text(
    store: Store, task: str, dataset: str, text: str, *, by: Rater, base: int | None = None
) -> None:
    """Ask people to agree to this from now on, even those who agreed to an earlier version; an
    empty text asks nothing. ``base`` is the version the lead saw (0: none).

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: it is too long.
        Conflict: another version was written since ``base``.
    """
    require_lead(by)
    text = text.strip()
    if len(text) > LONGEST:
        raise InvalidInput(f"The text is longer than {LONGEST:,} characters.")
    before = list_consent_text_versions(store, task, dataset)
    if base is not None and base != len(before):
        raise Conflict(
            f"{before[-1].by} wrote version {len(before)} in the meantime.",
            hint="Choose whose to keep.",
        )
    if text != (before[-1].text if before else ""):
        hand_out_settings.change_task_settings(store, task, dataset, {"consent": text}, by=by)


def consent_text_still_needed(store: Store, task: str, dataset: str, *, rater: str) -> Text | None:
    """What the rater still has to agree to; None: nothing."""
    found = list_consent_text_versions(store, task, dataset)
    if not found or not found[-1].text:
        return None
    agreed = _agreed(store, task, dataset, rater, found[-1].version)
    return None if agreed else found[-1]


@cache_until_tables_grow("audit_event", most=1024)
def _agreed(store: Store, task: str, dataset: str, rater: str, number: int) -> bool:
    entry = stable_id("audit", _KIND, _once(task, dataset, rater, number))
    return bool(store.rows("select 1 from audit_event where id = $entry", entry=entry))


def _once(task: str, dataset: str, rater: str, number: int) -> str:
    return f"{task}\x1f{dataset}\x1f{rater}\x1f{number}"


def record_consent_to_version(
    store: Store, task: str, dataset: str, *, rater: Rater, version: int
) -> None:
    """Note that the rater has read and agreed to a version; repeats are the same entry.

    Raises:
        Conflict: a newer version has to be agreed to.
    """
    asked = consent_text_still_needed(store, task, dataset, rater=rater.id)
    if asked is None:
        return
    if asked.version != version:
        raise Conflict("The text was changed a moment ago.", hint="Read the new one.")
    audit_log.record_entry(
        store,
        _KIND,
        who=rater.id,
        about=f"{task} of {dataset}",
        detail=f"version {version}",
        once=_once(task, dataset, rater.id, version),
    )


def consents_table(store: Store, task: str, dataset: str, *, viewer: Rater) -> pd.DataFrame:
    """Who agreed to which version: rater, version, at (UTC), text.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    texts = {
        f"version {one.version}": one for one in list_consent_text_versions(store, task, dataset)
    }
    rows = store.rows(
        "select r.name, a.body->>'detail', a.made_at from audit_event a join rater r"
        " on r.id = a.who where a.kind = $kind and a.about = $about order by a.seq",
        kind=_KIND,
        about=audit_log.clean_entry_text(f"{task} of {dataset}"),
    )
    return pd.DataFrame(
        [
            (rater, texts[which].version, at, texts[which].text)
            for rater, which, at in rows
            if which in texts
        ],
        columns=["rater", "version", "at", "text"],
    )
