"""A lead's unfinished study files, saved as they are written; only that lead sees them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import datetime

from medlens.review import judging
from medlens.review.judging import Saved
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import PersonalForm
from medlens.store import Store, new_id
from medlens.studies.own import queries

_FILE, _TABLE = PersonalForm(name="own_study_draft"), PersonalForm(name="own_study_table")
LARGEST_TABLE_MB = 1
"""The largest table of items that is kept with a draft."""


@dataclass(frozen=True)
class Draft:
    """The ``text`` of a study's file as last saved, with the study and version the lead started
    from ("" and 0 if it is new).
    """

    name: str
    text: str
    study: str
    version: int
    revision: int
    saved_at: datetime


def save_study_file_draft_and_return_record(
    store: Store, name: str, *, by: Rater, text: str, study: str, version: int, base: int
) -> Saved:
    """Save a draft based on its revision ``base``; durable on return. An empty ``text`` ends it.

    Raises:
        NotAllowed: ``by`` is not a lead.
        Conflict: another tab saved it since ``base``.
    """
    require_lead(by)
    body = {"text": text, "study": study, "version": str(version)}
    return judging.save_draft(
        store, _FILE, item=name, rater=by.id, base=base, token=new_id(), body=body
    )


def list_study_file_drafts(store: Store, by: Rater) -> list[Draft]:
    """A lead's own drafts, latest first."""
    return [
        Draft(name, said["text"], said["study"], int(said["version"]), revision, at)
        for name, revision, at, said in (
            (*row, json.loads(body))
            for *row, body in queries.list_drafts_of_person(store, _FILE.name, rater=by.id)
        )
    ]


def save_or_remove_table_of_draft(
    store: Store, name: str, *, by: Rater, called: str, content: bytes
) -> None:
    """Keep the table of a draft's items, a file with this name and content, in place of the one
    kept before; without content, end that.

    Raises:
        NotAllowed: ``by`` is not a lead.
        Conflict: another tab kept one at the same time.
    """
    require_lead(by)
    held = judging.load_draft_or_current_judgment(store, _TABLE, item=name, rater=by.id)
    if not content and not held.revision:
        return
    body = {"called": called, "content": base64.b64encode(content).decode("ascii")}
    judging.save_draft(
        store, _TABLE, item=name, rater=by.id, base=held.revision, token=new_id(), body=body
    )


def table_file_name_and_content_of_draft(
    store: Store, name: str, *, by: Rater
) -> tuple[str, bytes] | None:
    """The name and content of the table kept with a draft; None if there is none."""
    value = judging.load_draft_or_current_judgment(store, _TABLE, item=name, rater=by.id).value
    said = value.model_dump() if value else {}
    content = base64.b64decode(said.get("content") or "")
    return (said["called"], content) if content else None
