"""SourceCheckup's files into the store: each kind a function (sources and pairs beside this)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from medlens.review import importing
from medlens.review.files import Report, Request
from medlens.review.study import Kind
from medlens.sourcecheckup import rows
from medlens.sourcecheckup.countries.files import import_countries
from medlens.sourcecheckup.files import queries
from medlens.sourcecheckup.imports_decisions import import_decisions
from medlens.sourcecheckup.imports_judgments import import_cleanups, import_judgments
from medlens.sourcecheckup.imports_pairs import import_pairs, import_sources
from medlens.sourcecheckup.load import (
    Check,
    Fault,
    Form,
    blank,
    contradicting,
    numbers,
    read,
    stripped,
    unknown,
)
from medlens.sourcecheckup.merged.files import import_merged
from medlens.sourcecheckup.models import (
    Question,
    Response,
    Statement,
    digest_of,
    urls_of,
    urls_text,
)
from medlens.sourcecheckup.replies import take_out
from medlens.sourcecheckup.study import Study
from medlens.store import Store

QUESTIONS = Form(
    {"question": "text"},
    {
        "question_id": "text",
        "group": "text",
        "answer": "text",
        "document": "text",
        "document_url": "text",
    },
)
RESPONSES = Form(
    {"response_id": "text", "question_id": "text", "model": "text", "response": "text"},
    {"urls": "list", "outcome": "text", "raw": "text", "reason": "text", "run": "text"},
)
STATEMENTS = Form(
    {"statement_id": "text", "response_id": "text", "statement": "text"},
    {"n": "whole", "parser": "text"},
)


_LETTER = re.compile(r"[^\W\d_]")


def _bools(values: Any) -> Any:
    return np.asarray(values, dtype=bool)


# -- questions -------------------------------------------------------------------------------------


def import_questions(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-questions``: question_id, question, group, and the document where known.

    A question without an id gets one that is made from its text.
    """
    content = ("question", "group", "answer", "document", "document_url")

    def check(dataset: str) -> Check:
        there = queries.questions(store, dataset)

        def checked(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
            frame = stripped(frame, "question_id", "question", "group")
            named = frame["question_id"] != ""
            made = [f"q-{digest_of(text)[:12]}" for text in frame["question"]]
            frame["question_id"] = frame["question_id"].where(named, pd.Series(made, dtype="str"))
            other, known = contradicting(frame, "question_id", content, there, "an id")
            return frame.assign(known=known), [blank(frame, "question", "a question"), other]

        return checked

    done = read(request, QUESTIONS, check)
    fresh = done.frame[~_bools(done.frame["known"])]
    batch = rows.together(
        rows.question(
            Question(name=one["question_id"], **{column: one[column] for column in content}),
            dataset=done.dataset,
            illustrative=done.illustrative,
        )
        for one in fresh.to_dict("records")
    )
    return _added(store, request, batch, "questions", len(fresh), done)


def _added(
    store: Store, request: Request, batch: rows.Rows, what: str, count: int, done: Any
) -> Report:
    if batch:
        importing.add_rows(store, batch)
    return Report(what, count, len(done.frame) - count, done.refused, done.notes)


# -- responses -------------------------------------------------------------------------------------


def import_responses(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-responses``: answers with the addresses they cite.

    ``urls`` is a JSON list, a list, or addresses separated by spaces; in a file without this column
    they are taken out of the response's text. Every address is kept as it was cited, also one that
    is no web address or comes five times. A response without words, or of addresses alone, counts
    as invalid unless the file says otherwise.
    """
    content = ("question_id", "model", "response", "urls_text", "outcome")

    def check(dataset: str) -> Check:
        there = queries.responses(store, dataset)
        there["urls_text"] = [urls_text(list(one)) for one in there["urls"]]
        asked = dict.fromkeys(queries.questions(store, dataset)["question_id"], "")

        def checked(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
            frame = stripped(frame, "response_id", "question_id", "model", "outcome")
            frame, wrong = _with_urls(frame)
            both = zip(frame["response"], frame["raw"], strict=True)
            problems = pd.Series([_problem(*one) for one in both], dtype="str")
            outcome = frame["outcome"].str.casefold()
            untold = outcome == ""
            frame["reason"] = frame["reason"].where(~untold | (problems == ""), problems)
            frame["outcome"] = outcome.where(
                ~untold, pd.Series(np.where(problems == "", "ok", "invalid"), dtype="str")
            )
            other, known = contradicting(frame, "response_id", content, there, "an id")
            what = f"the id of a question of the dataset {dataset!r}"
            return frame.assign(known=known), [
                blank(frame, "response_id", "an id"),
                blank(frame, "question_id", "an id"),
                unknown(frame, "question_id", asked, what),
                blank(frame, "model", "a model"),
                wrong,
                Fault(
                    _bools(~frame["outcome"].isin(["ok", "invalid"])),
                    "outcome",
                    "ok, invalid or nothing",
                ),
                other,
            ]

        return checked

    done = read(request, RESPONSES, check)
    fresh = done.frame[~_bools(done.frame["known"])]
    batch = rows.together(
        rows.response(
            Response(
                name=one["response_id"],
                question=one["question_id"],
                model=one["model"],
                text=one["response"],
                urls=one["urls"],
                outcome=one["outcome"],
                raw=one["raw"],
                reason=one["reason"],
            ),
            dataset=done.dataset,
            run=one["run"],
            illustrative=done.illustrative,
        )
        for one in fresh.to_dict("records")
    )
    return _added(store, request, batch, "responses", len(fresh), done)


def _problem(response: str, raw: str) -> str:
    """Why a text is no answer, in the pipeline's words; empty for one that is. ``raw`` is the text
    before its addresses were taken out."""
    empty = not response.strip()
    text = raw if empty else response
    # Most answers have words beside their addresses: those need no closer look.
    words = (one for one in text.split() if "//" not in one and "www." not in one.lower())
    if not any(_LETTER.search(one) for one in words):
        cited = take_out(text)
        if cited.urls and not _LETTER.search(cited.text):
            return "it holds nothing but addresses"
    return "it is empty" if empty else ""


def _with_urls(frame: pd.DataFrame) -> tuple[pd.DataFrame, Fault]:
    """Addresses as tuples in ``urls`` and as JSON in ``urls_text``."""
    wrong = np.zeros(len(frame), dtype=bool)
    found: list[tuple[str, ...]] = []
    unsaid = np.array([one is None or not str(one).strip() for one in frame["urls"]], dtype=bool)
    texts, raws = frame["response"].tolist(), frame["raw"].tolist()
    for at, given in enumerate(frame["urls"]):
        if not unsaid[at]:
            try:
                found.append(urls_of(given))
            except ValueError:
                found.append(())
                wrong[at] = True
            continue
        # Nothing is said of its sources: they are those in its text. None at all is said by [].
        cited = take_out(texts[at])
        found.append(cited.urls)
        if cited.urls:
            raws[at] = raws[at] or texts[at]
        texts[at] = cited.text
    if unsaid.any():
        frame = frame.assign(
            response=pd.Series(texts, dtype="str", index=frame.index),
            raw=pd.Series(raws, dtype="str", index=frame.index),
        )
    made = pd.Series(found, dtype=object, index=frame.index)
    shown = pd.Series([urls_text(one) for one in found], dtype="str", index=frame.index)
    what = "addresses as a JSON list, or separated by spaces"
    return frame.assign(urls=made, urls_text=shown), Fault(wrong, "urls", what)


# -- statements ------------------------------------------------------------------------------------


def import_statements(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-statements``: the facts of each response.

    A row with a response alone says that there was none in it. What repeats under another id is
    kept: a response can say a thing twice.
    """

    def check(dataset: str) -> Check:
        there = queries.statements(store, dataset)
        there = there[there["statement_id"] != ""]
        given = queries.responses(store, dataset)
        answered = dict.fromkeys(given["response_id"][given["outcome"] == "ok"], "")

        def checked(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
            frame = stripped(frame, "statement_id", "response_id", "statement", "parser")
            named, said = frame["statement_id"] != "", frame["statement"] != ""
            other, known = contradicting(
                frame, "statement_id", ("response_id", "statement"), there, "an id"
            )
            at, fault = numbers(frame, "n", least=1)
            what = f"the id of a valid response of the dataset {dataset!r}"
            return frame.assign(n=at, known=known), [
                blank(frame, "response_id", "an id"),
                unknown(frame, "response_id", answered, what),
                Fault(_bools(~named & said), "statement_id", "an id"),
                Fault(_bools(named & ~said), "statement", "a statement"),
                Fault(other.rows & _bools(named), other.column, other.expected),
                fault,
            ]

        return checked

    done = read(request, STATEMENTS, check)
    frame = done.frame
    named = _bools(frame["statement_id"] != "")
    fresh = named & ~_bools(frame["known"])
    before = queries.statement_ids(store, done.dataset).groupby("response_id")["n"].max().to_dict()
    parsers = dict(zip(frame["response_id"], frame["parser"], strict=True))
    stated: dict[str, list[Statement]] = {response: [] for response in parsers}
    last = {response: int(before.get(response, 0)) for response in parsers}
    for one in frame[fresh].to_dict("records"):
        response = one["response_id"]
        last[response] = last[response] + 1 if np.isnan(one["n"]) else int(one["n"])
        stated[response].append(
            Statement(
                name=one["statement_id"],
                response=response,
                n=last[response],
                statement=one["statement"],
            )
        )
    batch = [
        rows.statements(found, dataset=done.dataset, response=response, model=parsers[response])
        for response, found in stated.items()
    ]
    together = rows.together(batch)
    parsed = queries.known_ids(store, "sc_parse", done.dataset)
    new = {one["response"] for one in together.get("sc_parse", []) if one["id"] not in parsed}
    alone = frame[~named]["response_id"].nunique()
    added = int(fresh.sum()) + min(alone, len(new))
    return _added(store, request, together, "statements", added, done)


IMPORTS: dict[str, Kind] = {
    "sourcecheckup-questions": Kind(
        "Questions of SourceCheckup",
        import_questions,
        looks="SourceCheckup's questions: question_id, question, group, and the document that "
        "each was made from, where there is one.",
        columns=({"question_id", "question"},),
    ),
    "sourcecheckup-responses": Kind(
        "Answers with the addresses they cite",
        import_responses,
        looks="Answers: response_id, question_id, model, response and urls (a JSON list, or "
        "separated by spaces).",
        columns=({"response_id", "question_id", "response"},),
    ),
    "sourcecheckup-statements": Kind(
        "Statements taken out of the answers",
        import_statements,
        looks="Statements taken out of the answers: statement_id, response_id, statement.",
        columns=({"statement_id", "response_id", "statement"},),
    ),
    "sourcecheckup-sources": Kind(
        "Cited pages with their texts",
        import_sources,
        looks="Cited pages: url, status and text.",
        columns=({"url", "status", "text"},),
    ),
    "sourcecheckup-pairs": Kind(
        "Statements and sources, with raters' verdicts",
        import_pairs,
        looks="Verdicts: statement_id, url, rater, verdict, reason and quote. A rater with a "
        "model's name is a model.",
        columns=({"statement_id", "url", "rater", "verdict"},),
    ),
    "sourcecheckup-decisions": Kind(
        "Verdicts in the published tool's layout (Statement, Citation URL, …)",
        import_decisions,
        looks="The published tool's table: Statement, Citation URL, Decision (found or "
        "not_found) and Reason.",
        columns=({"statement", "citation_url", "decision"},),
    ),
    "sourcecheckup-merged": Kind(
        "Verdicts on statements and all their sources together",
        import_merged,
        looks="Models' verdicts on statements and all sources of their answer together: "
        "statement_id, rater, verdict, reason and quote.",
        columns=(
            {"statement_id", "rater", "verdict"},
            {"statement_id", "rater", "verdict", "statement"},
        ),
    ),
    "sourcecheckup-countries": Kind(
        "Where cited sites are registered",
        import_countries,
        looks="Where cited domains are registered: domain, country.",
        columns=({"domain", "country"},),
    ),
    "sourcecheckup-cleanups": Kind(
        "Statements edited or removed",
        import_cleanups,
        looks="What Export wrote as cleanups: statements edited or removed.",
        columns=(
            {"statement_id", "url", "action"},
            {"statement_id", "url", "action", "rater", "verdict"},
        ),
    ),
    "sourcecheckup-judgments": Kind(
        "Judgments of answers, statements or questions exported by MedLens",
        import_judgments,
        looks="What Export wrote as judgments of answers, statements or questions.",
        judgments=True,
    ),
}
"""Kinds of files that can be imported."""
