"""Holding a store against what its clients were told: what was acknowledged has to be in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from medlens.errors import MedLensError
from medlens.store import Store, open_store, stable_id
from tests.bench.session import Write
from tests.handles import handed_out


def account(path: Path, writes: Iterable[Write]) -> list[str]:
    """What is wrong with the store at ``path``, given all that was ever sent to it; [] if nothing.

    Every acknowledged draft is there as it was sent, under its rater, item and revision; every
    acknowledged submission has its judgment; the newest draft of an item is at least as new as the
    newest acknowledged one; and no draft or judgment is there that nobody sent, or twice.
    """
    try:
        store = open_store(path)
    except MedLensError as error:
        return [f"the store does not open again: {error.message}"]
    try:
        return _faults(store, list(writes))
    finally:
        store.close()


def _faults(store: Store, writes: list[Write]) -> list[str]:
    drafts = {row["id"]: row for row in store.query_rows_as_dicts("select * from draft")}
    judgments = {row["id"]: row for row in store.query_rows_as_dicts("select * from judgment")}
    faults: list[str] = []
    newest: dict[tuple[str, str], int] = {}
    called = handed_out(store)
    for row in drafts.values():
        place = (row["item"], row["rater"])
        newest[place] = max(newest.get(place, 0), row["revision"])
    for write in writes:
        if not write.revision:
            continue
        what = f"{write.action} {write.token}, acknowledged as revision {write.revision},"
        row = drafts.get(write.token)
        if row is None:
            faults.append(f"{what} is not in the store")
            continue
        if (row["rater"], row["item"]) != (write.rater, called.get(write.item)):
            faults.append(f"{what} is under another person or item")
        if row["revision"] != write.revision:
            faults.append(f"{what} is in the store as revision {row['revision']}")
        if _marks(json.loads(row["body"])) != _marks(write.body):
            faults.append(f"{what} has other marks in the store")
        if newest[row["item"], row["rater"]] < write.revision:
            faults.append(f"{what} is newer than the newest draft in the store")
        if write.action == "submit":
            judged = judgments.get(stable_id("submit", write.token))
            if judged is None:
                faults.append(f"{what} has no judgment")
            elif _marks(json.loads(judged["body"])) != _marks(write.body):
                faults.append(f"{what} has a judgment with other marks")
    sent = {write.token for write in writes}
    faults += [f"draft {token} was sent by nobody" for token in drafts if token not in sent]
    judged_tokens = {stable_id("submit", w.token) for w in writes if w.action == "submit"}
    faults += [
        f"judgment {one} was submitted by nobody" for one in judgments if one not in judged_tokens
    ]
    return faults


def _marks(body: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(s["start"], s["end"], s["quote"], tuple(s["labels"])) for s in body["spans"]]
