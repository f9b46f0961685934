"""AgentClinic's files into the store: each kind a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from medlens.agentclinic import load as published
from medlens.agentclinic import medqa, queries
from medlens.agentclinic.lint import CODES, lint_all
from medlens.agentclinic.models import Case, Dialogue
from medlens.agentclinic.run import unresolved
from medlens.agentclinic.study import Study
from medlens.agentclinic.tasks import MATCH, REALISM
from medlens.agentclinic.verdicts import pair_id
from medlens.errors import BadFile
from medlens.review import importing, judges
from medlens.review.files import Report, Request
from medlens.review.judges import Verdict
from medlens.review.study import Kind
from medlens.store import Store
from medlens.tables import Loaded, Row, RowError, load


def _reading(request: Request) -> dict[str, Any]:
    return {"name": request.name, "skip_bad": request.skip_bad, "progress": request.progress}


def import_cases(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-cases``: cases of both published forms; the same content counts once."""
    loaded = published.read_cases(request.source, **_reading(request))
    _refuse_none(loaded, request.name, "case", "The published files hold one case per line (JSON).")
    done = queries.add_cases(
        store,
        [(one.alias, one.case) for one in loaded.records],
        dataset=request.dataset,
    )
    notes = (*loaded.notes, *_lint([one.case for one in loaded.records]))
    return Report("cases", done.added, done.known, loaded.refused, notes)


def _refuse_none(loaded: Loaded[Any], name: str, what: str, hint: str) -> None:
    """Refuse a file that can be read and holds nothing: it is another file than was meant."""
    if not loaded.records and not loaded.refused:
        raise BadFile(f"{name}: there is no {what} in it.", hint=hint)


def _lint(cases: Sequence[Case]) -> list[str]:
    """What the check found, in a line per kind."""
    found = [{finding.code for finding in findings} for findings in lint_all(cases)]
    counts = {code: sum(code in codes for codes in found) for code in CODES}
    return [f"{CODES[code]}: {n} of {len(cases)} cases." for code, n in counts.items() if n]


def import_dialogues(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-dialogues``: what ``export dialogues`` wrote, or the same made elsewhere."""
    loaded = published.read_dialogues(request.source, **_reading(request))
    groups: dict[bool, list[tuple[str, Dialogue]]] = {}
    for one in loaded.records:
        groups.setdefault(one.illustrative, []).append((one.name, one.dialogue))
    # A visit that a run of this store is still to take up again stays the run's.
    waiting = {name for name, _ in unresolved(store, request.dataset)}
    added = known = 0
    for illustrative, group in groups.items():
        found = [(name, one) for name, one in group if name not in waiting or not one.unfinished]
        known += len(group) - len(found)
        done = queries.add_dialogues(
            store, found, dataset=request.dataset, illustrative=illustrative
        )
        added, known = added + done.added, known + done.known
    return Report("dialogues", added, known, loaded.refused, loaded.notes)


def import_ratings(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-ratings``: what ``export ratings`` or ``export moderator-checks`` wrote.

    The column ``task`` says which; without it they are ratings of realism.
    """
    source = request.source
    if not isinstance(source, (str, bytes)) and hasattr(source, "read"):
        source = source.read()
    known = {REALISM: study.realism, MATCH: study.match}
    named = load(
        source,
        lambda row: str(row.values.get("task") or REALISM),
        name=request.name,
        required=("item", "rater"),
        optional=("task",),
        own_export=True,
        skip_bad=True,
    )
    found = sorted(set(named.records))
    if len(found) > 1 or (found and found[0] not in known):
        raise BadFile(
            f"{request.name}: the column 'task' holds {', '.join(found)}.",
            hint=f"Import a file of one task at a time: {', '.join(known)}.",
        )
    done = importing.import_judgments(
        store,
        known[found[0] if found else REALISM],
        source,
        name=request.name,
        dataset=request.dataset,
        skip_bad=request.skip_bad,
        progress=request.progress,
    )
    return Report("judgments", done.added, done.known, done.refused, done.notes)


def import_verdicts(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-verdicts``: what ``export moderator-verdicts`` wrote, or the like.

    A verdict is about two diagnoses, ``given`` and ``correct``, whether or not a visit has them.
    """
    loaded = load(
        request.source,
        _verdict,
        name=request.name,
        required=("given", "correct", "judge", "outcome"),
        optional=_VERDICT,
        own_export=True,
        skip_bad=request.skip_bad,
        progress=request.progress,
    )
    added, known = judges.add(store, loaded.records, task=MATCH, dataset=request.dataset)
    return Report("verdicts", added, known, loaded.refused, loaded.notes)


_WORDS = ("yes", "no")
_UNUSABLE = ("parse_failed", "refused", "truncated", "empty", "too_long")
_VERDICT = ("reason", "prompt", "attempt", "model", "run", "origin")


def _verdict(row: Row) -> Verdict:
    def text(name: str) -> str:
        return str(row.values.get(name) or "").strip()

    for name in ("given", "correct", "judge"):
        if not text(name):
            raise RowError(name, "a text", "")
    outcome = text("outcome").casefold()
    if outcome not in (*_WORDS, *_UNUSABLE):
        raise RowError("outcome", f"one of {', '.join((*_WORDS, *_UNUSABLE))}", outcome)
    attempt = text("attempt") or "1"
    if not attempt.isdecimal() or int(attempt) < 1:
        raise RowError("attempt", "a whole number from 1", attempt)
    about = {"given": text("given"), "correct": text("correct")}
    return Verdict(
        pair_id(**about),
        text("judge"),
        text("prompt"),
        int(attempt),
        outcome,
        outcome in _WORDS,
        text("reason"),
        about,
        text("model"),
        text("run"),
        text("origin") or "import",
    )


def import_medqa(store: Store, study: Study, request: Request) -> Report:
    """``medqa-accuracy``: models on MedQA questions, to stand beside AgentClinic's accuracy."""
    loaded = medqa.read(request.source, **_reading(request))
    _refuse_none(
        loaded,
        request.name,
        "MedQA accuracy",
        "Its columns are model, and correct with n, or accuracy; or it holds the figure"
        " medqa_accuracy of error tagging.",
    )
    done = medqa.add(store, loaded.records, dataset=request.dataset)
    return Report(
        "accuracies", done.added, done.known, loaded.refused, loaded.notes, one="accuracy"
    )


IMPORTS: dict[str, Kind] = {
    "agentclinic-cases": Kind(
        "AgentClinic cases (JSON lines, OSCE or NEJM form)",
        import_cases,
        looks="JSON lines of OSCE cases (OSCE_Examination) or NEJM cases (image_url, question, "
        "patient_info, physical_exams, answers).",
        columns=(
            {"osce_examination"},
            {"patient_info", "physical_exams"},
        ),
    ),
    "agentclinic-dialogues": Kind(
        "AgentClinic dialogues exported by MedLens (JSON lines)",
        import_dialogues,
        looks="What Export wrote as dialogues: one whole dialogue per line.",
        columns=({"case", "turns"},),
    ),
    "agentclinic-ratings": Kind(
        "Ratings or checks of AgentClinic dialogues exported by MedLens",
        import_ratings,
        looks="What Export wrote as ratings or moderator-checks.",
        judgments=True,
    ),
    "agentclinic-verdicts": Kind(
        "Moderators' verdicts on diagnoses: given, correct, judge, outcome (yes or no)",
        import_verdicts,
        looks="What Export wrote as moderator-verdicts: given, correct, judge and outcome (yes "
        "or no).",
        columns=({"given", "correct", "judge", "outcome"},),
    ),
    "medqa-accuracy": Kind(
        "MedQA accuracy by model (CSV, or figures exported from error tagging)",
        import_medqa,
        looks="A table of models on MedQA questions: model, source, and correct and n or accuracy.",
    ),
}
"""Kinds of files that can be imported."""
