"""An own study as a log of Inspect: each item is a sample, with what each rater said as its
scores.

Source: UK AISI's inspect_ai, its documentation of log files, and the fields that version 0.3.285
requires. ``inspect view`` shows such a log, ``read_eval_log`` and ``samples_df`` read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from medlens.bridges import exported_items_and_judgments
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.own.blinded_arms import ARM, ARMS, ORDER
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import VERSION, StudyDeclaration

_ROLES = ("system", "user", "assistant", "tool")
_NO_MODEL = "none/none"


def make_inspect_log_file_bytes(
    store: Store, study: Study, *, viewer: Rater | None, anonymous: bool = False
) -> bytes:
    """A log as ``.eval``, which Inspect recognises under any name.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    work = exported_items_and_judgments.list_items_with_counted_judgments(
        store, study, viewer=viewer, anonymous=anonymous
    )
    raters = dict.fromkeys(said.rater for one in work for said in one.said)
    ids = [one.name for one in work]
    samples = [_sample(one, study.declared, study.task) for one in work]
    head = {
        "version": 2,
        "status": "success",
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": len(work), "completed_samples": len(work), "scores": []},
        "stats": {},
        "eval": {
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "task": study.dataset,
            "task_display_name": study.declared.form.title,
            "dataset": {"name": study.dataset, "samples": len(work), "sample_ids": ids},
            "model": _NO_MODEL,
            "config": {"epochs": 1},
            "scorers": [{"name": name} for name in raters],
            "metadata": {
                "instructions": study.declared.form.intro,
                "questions": dict(study.task.called),
            },
        },
    }
    found = {"header.json": head, "summaries.json": [*map(_summary, samples)]}
    found |= {f"samples/{one['id']}_epoch_1.json": one for one in samples}
    return exported_items_and_judgments.pack_zip(
        {name: json.dumps(one, ensure_ascii=False, indent=1) for name, one in found.items()}
    )


def _sample(
    one: exported_items_and_judgments.Work, declared: StudyDeclaration, task: Task
) -> dict[str, Any]:
    parts = [*_parts(declared, one.body)]
    turns = [turn for _, cell in parts if isinstance(cell, list) for turn in cell]
    texts = [f"{title}:\n{cell}" for title, cell in parts if isinstance(cell, str) and cell]
    words = "\n\n".join(texts)
    given = [{"role": "user", "content": words}] if words else []
    shown = {column for pane in declared.panes for column in pane.columns}
    beside = {name: cell for name, cell in one.body.items() if name not in {*shown, ARMS}}
    return {
        "id": one.name,
        "epoch": 1,
        "input": words or "(see the messages)",
        "target": "",
        "messages": [*given, *map(_message, turns)],
        "output": {"model": str(one.body.get(ARM) or _NO_MODEL), "choices": []},
        "scores": {said.rater: _score(said, task) for said in one.said},
        "metadata": beside | {"illustrative": one.illustrative},
    }


def _summary(sample: Mapping[str, Any]) -> dict[str, Any]:
    named = ("id", "epoch", "input", "target", "metadata", "scores")
    return {name: sample[name] for name in named} | {"completed": True}


def _parts(declared: StudyDeclaration, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is shown of an item, by title: texts, and the turns of dialogues."""
    for pane in declared.panes:
        for column in pane.columns:
            title = f"{pane.title}: {column}" if len(pane.columns) > 1 else pane.title
            arms = body.get(ARMS, {}) if declared.arms and column in declared.arms.own else {}
            for called, cells in [(f"{title} ({a})", of) for a, of in arms.items()] or [
                (title, body)
            ]:
                cell = cells.get(column, "")
                turns = pane.kind == "dialogue" and isinstance(cell, list)
                text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
                yield called, cell if turns else text


def _message(turn: Mapping[str, Any]) -> dict[str, str]:
    """A turn as a message; a role that Inspect does not know goes into the words."""
    role, content = str(turn.get("role", "")), str(turn.get("content", ""))
    if role in _ROLES:
        return {"role": role, "content": content}
    return {"role": "user", "content": f"{role}: {content}"}


def _score(said: exported_items_and_judgments.Said, task: Task) -> dict[str, Any]:
    answers = task.answer_as_columns(said.value)
    kept = {
        name: cell
        for name, cell in answers.items()
        if name not in (VERSION, ORDER) and cell is not None
    }
    kind = "person" if said.person else "model"
    return {"value": kept, "metadata": {"rater_kind": kind, "order": said.value.order}}
