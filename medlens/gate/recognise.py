"""What kind of file an upload is, and how its first rows read: before anything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

import pandas as pd

from medlens.tables import read_rows
from medlens.tagging import load as published
from medlens.tagging.models import ResponseItem
from medlens.tagging.taxonomy import Taxonomy

LOOKS: Mapping[str, str] = {
    "g4ue-items": "JSON lines with id, serial_num and text, where text holds the question, the "
    "correct answer and the response.",
    "g4ue-responses": "A CSV with serial_num, question, options, answer_idx and gpt4_response: one "
    "wrong answer per row.",
    "g4ue-annotations": "The annotation platform's CSV with displayed_text, span_annotations and "
    "annotator_id: one row per annotator and item.",
    "labels": "A table with id and one True/False column per label. It is kept as a reference "
    "beside your own judgments.",
    "items": "Your own responses: item, question, option_A, option_B, …, correct, chosen and "
    "response.",
    "judgments": "What Export wrote as judgments: one row per judgment, with item and rater.",
    "spans": "What Export wrote as spans: one row per marked passage and label.",
    "agentclinic-cases": "JSON lines of OSCE cases (OSCE_Examination) or NEJM cases (image_url, "
    "question, patient_info, physical_exams, answers).",
    "agentclinic-dialogues": "What Export wrote as dialogues: one whole dialogue per line.",
    "agentclinic-ratings": "What Export wrote as ratings or moderator-checks.",
    "agentclinic-verdicts": "What Export wrote as moderator-verdicts: given, correct, judge and"
    " outcome (yes or no).",
    "sourcecheckup-questions": "SourceCheckup's questions: question_id, question, group, and the "
    "document that each was made from, where there is one.",
    "sourcecheckup-responses": "Answers: response_id, question_id, model, response and urls (a "
    "JSON list, or separated by spaces).",
    "sourcecheckup-statements": "Statements taken out of the answers: statement_id, response_id, "
    "statement.",
    "sourcecheckup-sources": "Cited pages: url, status and text.",
    "sourcecheckup-pairs": "Verdicts: statement_id, url, rater, verdict, reason and quote. A rater "
    "with a model's name is a model.",
    "sourcecheckup-decisions": "The published tool's table: Statement, Citation URL, Decision "
    "(found or not_found) and Reason.",
    "sourcecheckup-merged": "Models' verdicts on statements and all sources of their answer "
    "together: statement_id, rater, verdict, reason and quote.",
    "sourcecheckup-countries": "Where cited domains are registered: domain, country.",
    "sourcecheckup-cleanups": "What Export wrote as cleanups: statements edited or removed.",
    "sourcecheckup-judgments": "What Export wrote as judgments of answers, statements or "
    "questions.",
    "medqa-accuracy": "A table of models on MedQA questions: model, source, and correct and n or "
    "accuracy.",
    "ebmqa-questions": "Multiple-choice questions: question_id, kind, qa_type, question, options, "
    "correct (options and correct as JSON lists), and a column per label.",
    "ebmqa-answers": "Answers of models: question_id, model, answer (the option's text, number or "
    "letter; several apart by semicolons).",
    "ebmqa-questionnaire": "What Export wrote as questionnaire: people's answers.",
    "surveys": "What Export wrote as form answers: form, rater, question, answer.",
    "gold": "Items whose answer is known: item and labels (several apart by semicolons).",
}
_OWN = ("items", "judgments", "spans", "surveys", "gold")
_CHECKUP = {
    "sourcecheckup-decisions": {"statement", "citation_url", "decision"},
    "sourcecheckup-cleanups": {"statement_id", "url", "action"},
    "sourcecheckup-pairs": {"statement_id", "url", "rater", "verdict"},
    "sourcecheckup-merged": {"statement_id", "rater", "verdict"},
    "sourcecheckup-countries": {"domain", "country"},
    "sourcecheckup-statements": {"statement_id", "response_id", "statement"},
    "sourcecheckup-responses": {"response_id", "question_id", "response"},
    "sourcecheckup-questions": {"question_id", "question"},
    "sourcecheckup-sources": {"url", "status", "text"},
}
"""The columns by which a file of SourceCheckup is known, the most telling first."""
_JUDGED = {
    "agentclinic": "agentclinic-ratings", "sourcecheckup": "sourcecheckup-judgments",
    "ebmqa": "ebmqa-questionnaire",
}  # fmt: skip
_SHOWN = 8
_LONGEST = 200


def guess(columns: Sequence[str], taxonomy: Taxonomy, *, study: str = "") -> str:
    """The kind whose columns these are, or an empty text.

    ``study`` is what the first row says of itself (``named_study``): exported judgments look alike.
    """
    found = {"_".join(column.casefold().split()) for column in columns}
    if "osce_examination" in found or {"patient_info", "physical_exams"} <= found:
        return "agentclinic-cases"
    if {"given", "correct", "judge", "outcome"} <= found:
        return "agentclinic-verdicts"
    if {"case", "turns"} <= found:
        return "agentclinic-dialogues"
    # Before those of SourceCheckup, whose questions need no more than an id and a text.
    if {"question_id", "options", "correct"} <= found:
        return "ebmqa-questions"
    if {"question_id", "model", "answer"} <= found:
        return "ebmqa-answers"
    checked = next((kind for kind, its in _CHECKUP.items() if its <= found), "")
    if checked:
        return checked
    if {"item", "rater", "task"} <= found and study in _JUDGED:
        return _JUDGED[study]
    if {"displayed_text", "span_annotations"} <= found:
        return "g4ue-annotations"
    if "gpt4_response" in found:
        return "g4ue-responses"
    if {"form", "rater", "question"} <= found:
        return "surveys"
    if {"item", "rater"} <= found:
        return "spans" if {"quote", "span"} & found else "judgments"
    if {"item", "response"} <= found:
        return "items"
    if {"item", "labels"} <= found:
        return "gold"
    if "id" in found and sum(taxonomy.by_name(column) is not None for column in columns) > 1:
        return "labels"
    return "g4ue-items" if {"id", "text"} <= found else ""


def columns_of(source: BinaryIO, name: str) -> list[str]:
    """The columns of a file, of its first record where it has no header.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    found: list[str] = []
    source.seek(0)
    rows = read_rows(source, name=name, refuse=lambda row, why: None, check_columns=found.extend)
    next(rows, None)
    source.seek(0)
    return found


def first_row(source: BinaryIO, name: str) -> dict[str, Any]:
    """The first row of a file that can be read; empty where there is none.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    return next(iter(first_rows(source, name)), {})


def dataset_of(row: Mapping[str, Any]) -> str:
    """The dataset that a row names, or an empty text."""
    value = row.get("dataset")
    return value.strip() if isinstance(value, str) else ""


def datasets_of(source: BinaryIO, name: str) -> list[str]:
    """The datasets that the rows of a file name, in their order.

    A file whose first row has no such column is not looked through for others that have.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    if "dataset" not in first_row(source, name):
        return []
    rows = read_rows(
        source, name=name, optional=("dataset",), refuse=lambda row, why: None, own_export=True
    )
    return list(dict.fromkeys(found for row in rows if (found := dataset_of(row.values))))


def first_rows(source: BinaryIO, name: str, *, own_export: bool = False) -> list[dict[str, Any]]:
    """The first rows of a file as they stand in it; rows that cannot be read are passed over.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    source.seek(0)
    rows = read_rows(source, name=name, refuse=lambda row, why: None, own_export=own_export)
    found = [row.values for row in islice(rows, _SHOWN)]
    source.seek(0)
    return found


def understood(source: BinaryIO, name: str, kind: str, taxonomy: Taxonomy) -> pd.DataFrame:
    """The first rows as this kind of import reads them, as texts to be shown.

    Raises ``BadFile`` where they are not of this kind.
    """
    rows = first_rows(source, name, own_export=kind in _OWN)
    head = "".join(json.dumps(row, default=str) + "\n" for row in rows).encode()
    if not head:
        return pd.DataFrame()
    how: dict[str, Any] = {"name": "head.jsonl", "skip_bad": True}
    if kind in ("g4ue-items", "g4ue-responses"):
        read = published.read_items if kind == "g4ue-items" else published.read_responses
        return pd.DataFrame([_item(one.name, one.item) for one in read(head, **how).records])
    if kind == "labels":
        labelled = published.read_labels(head, taxonomy, **how).records
        return pd.DataFrame(
            [
                {"item": one.item, "labels": "; ".join(
                    label.name for label in taxonomy.labels if label.id in one.labels)}
                for one in labelled
            ]
        )  # fmt: skip
    if kind == "g4ue-annotations":
        return _annotations(published.read_annotations(head, taxonomy, **how), taxonomy)
    return pd.DataFrame([{key: _short(value) for key, value in row.items()} for row in rows])


def _item(name: str, item: ResponseItem) -> dict[str, str]:
    return {
        "item": name,
        "question": _short(item.question),
        "options": _short("; ".join(f"{one.key}: {one.text}" for one in item.options)),
        "correct": item.correct,
        "chosen": item.chosen or "not stated",
        "response": _short(item.response),
    }


def _annotations(loaded: published.LoadedAnnotations, taxonomy: Taxonomy) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rater": one.rater, "item": one.item, "marks": str(len(one.value.spans)),
                "labels": "; ".join(
                    label.name for label in taxonomy.labels if label.id in one.value.labels()
                ),
                "minutes": "" if one.seconds is None else f"{one.seconds / 60:.1f}",
            }
            for one in loaded.annotations
        ]
        + [
            {"rater": one.rater, "item": "", "marks": "", "labels": f"form {one.form}",
             "minutes": ""}
            for one in loaded.surveys
        ]
    )  # fmt: skip


def _short(value: object) -> str:
    text = " ".join(("" if value is None else str(value)).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
