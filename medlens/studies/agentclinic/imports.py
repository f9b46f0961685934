"""AgentClinic's imports: one function per kind of file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from medlens.errors import BadFile
from medlens.review import compare_correct_withdraw_reimported_items, judgment_import
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.agentclinic import file_loading as published
from medlens.studies.agentclinic import medqa_accuracy_import_and_queries, queries
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import (
    CODES,
    list_faults_of_each_case,
)
from medlens.studies.agentclinic.diagnosis_verdicts import pair_id_of_diagnoses
from medlens.studies.agentclinic.item_correction import make_correction_of_cases
from medlens.studies.agentclinic.records import STUDY, Case, Dialogue
from medlens.studies.agentclinic.run_experiment import visits_to_resume
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.tasks import MATCH, REALISM
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.tables import Column, Kind, Loaded, Report, Request, read_and_check_table
from medlens.tables.file_schemas_import_requests_and_reports import TABLES_OF_JUDGMENTS


def import_cases(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-cases``: cases of both published forms; the same content counts once."""
    loaded = published.read_cases(request.source, **request.reading_options)
    _refuse_none(loaded, request.name, "case", "The published files hold one case per line (JSON).")
    comparison, changed = queries.file_comparison_and_changed_cases_by_id(
        store, request.dataset, [(one.aliases, one.case) for one in loaded.records]
    )
    if changed:
        correction = make_correction_of_cases(store, request.dataset, changed)
        comparison = replace(comparison, shared=correction)
    compared = compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store,
        (study.realism, study.match),
        comparison,
        request.revising,
        study=STUDY,
        dataset=request.dataset,
    )
    revised = {case.digest_of_what_is_played for case in changed.values()}
    added = 0
    new: tuple[str, ...] = ()
    for illustrative in (False, True):
        found = [
            (alias, one.case)
            for one in loaded.records
            if one.illustrative == illustrative and one.case.digest_of_what_is_played not in revised
            for alias in one.aliases
        ]
        if found:
            done = queries.add_cases_and_return_added(
                store, found, dataset=request.dataset, illustrative=illustrative
            )
            added, new = added + done.added, (*new, *done.items)
    notes = (*loaded.notes, *_lint([one.case for one in loaded.records]))
    known = len(loaded.records) - added
    return Report("cases", added, known, loaded.refused, notes, compared=compared, items=new)


def _refuse_none(loaded: Loaded[Any], name: str, what: str, hint: str) -> None:
    """Refuse a file that can be read but is empty: it is not the file that was meant."""
    if not loaded.records and not loaded.refused:
        raise BadFile(f"{name}: there is no {what} in it.", hint=hint)


def _lint(cases: Sequence[Case]) -> list[str]:
    """The check's findings, a line for each kind."""
    found = [{finding.code for finding in findings} for findings in list_faults_of_each_case(cases)]
    counts = {code: sum(code in codes for codes in found) for code in CODES}
    return [f"{CODES[code]}: {n} of {len(cases)} cases." for code, n in counts.items() if n]


def import_dialogues(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-dialogues``: what ``export dialogues`` wrote, or the same from elsewhere."""
    loaded = published.read_dialogues(request.source, **request.reading_options)
    groups: dict[bool, list[tuple[str, Dialogue]]] = {}
    for one in loaded.records:
        groups.setdefault(one.illustrative, []).append((one.name, one.dialogue))
    # A visit that a run of this store has yet to resume remains the run's.
    waiting = {name for name, _ in visits_to_resume(store, request.dataset)}
    comparison = queries.compare_file_dialogues_with_dataset(
        store,
        request.dataset,
        [
            (one.name, one.dialogue)
            for one in loaded.records
            if one.name not in waiting or not one.dialogue.unfinished
        ],
    )
    compared = compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store,
        (study.realism, study.match),
        comparison,
        request.revising,
        study=STUDY,
        dataset=request.dataset,
    )
    kept = queries.set_of_dialogue_names(store, request.dataset)
    added = known = 0
    new: tuple[str, ...] = ()
    for illustrative, group in groups.items():
        found = [
            (name, one)
            for name, one in group
            if name not in kept and (name not in waiting or not one.unfinished)
        ]
        known += len(group) - len(found)
        done = queries.add_dialogues_and_return_added(
            store, found, dataset=request.dataset, illustrative=illustrative
        )
        added, known, new = added + done.added, known + done.known, (*new, *done.items)
    return Report(
        *("dialogues", added, known, loaded.refused, loaded.notes), compared=compared, items=new
    )


def import_ratings(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-ratings``: what ``export ratings`` or ``export moderator-checks`` wrote.

    The column ``task`` says which; without it they are ratings of realism.
    """
    tasks = {REALISM: study.realism, MATCH: study.match}
    return judgment_import.import_judgments_of_task_in_file(store, tasks, REALISM, request)


def import_verdicts(store: Store, study: Study, request: Request) -> Report:
    """``agentclinic-verdicts``: what ``export moderator-verdicts`` wrote, or the like.

    A verdict is about two diagnoses, ``given`` and ``correct``, whether or not a visit has them.
    """
    done = read_and_check_table.read_checked_table(request, VERDICTS)
    given = [_verdict(one) for one in done.frame.to_dict("records")]
    added, known = model_verdicts_and_runs_of_judges.add_verdicts_and_count_new_and_known(
        store, given, task=MATCH, dataset=request.dataset
    )
    return Report("verdicts", added, known, done.refused, done.notes)


_WORDS = ("yes", "no")
_UNUSABLE = ("parse_failed", "refused", "truncated", "empty", "too_long")
VERDICTS = (
    Column("given", "name", "the diagnosis that was given", needed=True, filled="a text"),
    Column("correct", "name", "the correct diagnosis", needed=True, filled="a text"),
    Column("judge", "name", "the model that judged", needed=True, filled="a text"),
    Column(
        "outcome",
        "word",
        "whether they are the same, or why it did not say",
        needed=True,
        filled="a text",
        allowed=(*_WORDS, *_UNUSABLE),
    ),
    Column("reason", "name", "why"),
    Column("prompt", "name", "the prompt it was asked with"),
    Column(
        "attempt",
        "whole",
        "which time it was asked so, from 1",
        least=1,
        most=1_000_000,
        empty=1,
    ),
    Column("model", "name", "the model behind the judge's name"),
    Column("run", "name", "the run that it came from"),
    Column("origin", "name", "where the verdict was made", empty="import"),
)


def _verdict(one: Mapping[Hashable, Any]) -> Verdict:
    about = {"given": one["given"], "correct": one["correct"]}
    return Verdict(
        pair_id_of_diagnoses(**about),
        one["judge"],
        one["prompt"],
        int(one["attempt"]),
        one["outcome"],
        one["outcome"] in _WORDS,
        one["reason"],
        about,
        one["model"],
        one["run"],
        one["origin"],
    )


def import_medqa(store: Store, study: Study, request: Request) -> Report:
    """``medqa-accuracy``: models on MedQA questions, to show beside AgentClinic's accuracy."""
    loaded = medqa_accuracy_import_and_queries.read_medqa_accuracy_records(
        request.source, **request.reading_options
    )
    _refuse_none(
        loaded,
        request.name,
        "MedQA accuracy",
        "Its columns are model, and correct with n, or accuracy; or it holds the figure"
        " medqa_accuracy of error tagging.",
    )
    done = medqa_accuracy_import_and_queries.add_medqa_accuracies(
        store, loaded.records, dataset=request.dataset
    )
    return Report(
        "accuracies", done.added, done.known, loaded.refused, loaded.notes, one="accuracy"
    )


IMPORTS: dict[str, Kind] = {
    "agentclinic-cases": Kind(
        title="AgentClinic cases (JSON lines, OSCE or NEJM form)",
        read=import_cases,
        columns=published.CASES,
        more="any others: the whole case is kept",
        looks="JSON lines of OSCE cases (OSCE_Examination) or NEJM cases (image_url, question, "
        "patient_info, physical_exams, answers).",
        known_by=(
            {"osce_examination"},
            {"patient_info", "physical_exams"},
        ),
    ),
    "agentclinic-dialogues": Kind(
        title="AgentClinic dialogues exported by MedLens (JSON lines)",
        read=import_dialogues,
        columns=published.DIALOGUES,
        about=lambda study, row: str(row.get("dialogue") or "").strip(),
        looks="What Export wrote as dialogues: one whole dialogue per line.",
        known_by=({"case", "turns"},),
    ),
    "agentclinic-ratings": Kind(
        title="Ratings or checks of AgentClinic dialogues exported by MedLens",
        read=import_ratings,
        columns=judgment_import.COLUMNS,
        more="doctor, patient, measurement, empathy (1 to 5), comments and marks; or same, reason",
        looks="What Export wrote as ratings or moderator-checks.",
        judgments=True,
    ),
    "agentclinic-verdicts": Kind(
        title="Moderators' verdicts on diagnoses: given, correct, judge, outcome (yes or no)",
        read=import_verdicts,
        columns=VERDICTS,
        looks="What Export wrote as moderator-verdicts: given, correct, judge and outcome (yes "
        "or no).",
        writes=TABLES_OF_JUDGMENTS | {"verdict"},
    ),
    "medqa-accuracy": Kind(
        title="MedQA accuracy by model (CSV, or figures exported from error tagging)",
        read=import_medqa,
        columns=medqa_accuracy_import_and_queries.COLUMNS,
        looks="A table of models on MedQA questions: model, source, and correct and n or accuracy.",
    ),
}
"""Kinds of files that can be imported."""
