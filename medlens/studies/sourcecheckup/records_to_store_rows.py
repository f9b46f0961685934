"""Converts types to store rows: the rows that appending each thing takes.

Each function returns rows by table, for ``Store.append_all_and_count_new_by_table`` or a job's
outcome; ``join_rows_by_table`` joins several. The same thing always gets the same id, so appending
it again adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from medlens.review import raters
from medlens.review.items import digest_of_item_body
from medlens.review.judging import make_imported_judgment_row
from medlens.store import replace_unstorable_characters, stable_id, to_json
from medlens.studies.sourcecheckup.records import (
    MERGED_KIND,
    PAIR_KIND,
    QUESTION_KIND,
    RESPONSE_KIND,
    STUDY,
    CleanUp,
    Merged,
    Pair,
    Question,
    Response,
    Source,
    SourceJudgment,
    Statement,
    digest_of_text,
    id_of_merged_sources_item,
    name_of_merged_sources_item,
    name_of_pair_item,
    name_of_question_or_response_item,
    pair_id,
    question_id,
    response_id,
    source_id,
    statement_id,
)
from medlens.studies.sourcecheckup.tasks import SUPPORT

Rows = dict[str, list[dict[str, Any]]]


def join_rows_by_table(parts: Iterable[Mapping[str, list[dict[str, Any]]]]) -> Rows:
    """The rows of several appends as one."""
    joined: Rows = {}
    for part in parts:
        for table, rows in part.items():
            joined.setdefault(table, []).extend(rows)
    return joined


def _item(
    id_: str, kind: str, name: str, body: Mapping[str, Any], dataset: str, illustrative: bool
) -> dict[str, Any]:
    text = to_json(body)
    return {
        "id": id_,
        "study": STUDY,
        "kind": kind,
        "dataset": dataset,
        "name": name,
        "digest": digest_of_item_body(text),
        "body": text,
        "illustrative": illustrative,
    }


def question_and_item_rows_by_table(
    one: Question, *, dataset: str, origin: str = "import", illustrative: bool = False
) -> Rows:
    """``sc_question`` and its item; the body has the digests of question and document."""
    id_ = question_id(dataset, one.name)
    body = {"question": digest_of_text(one.question), "document": digest_of_text(one.document)}
    row = {
        **one.model_dump(exclude={"group"}),
        "id": id_,
        "dataset": dataset,
        "source_group": one.group,
        "origin": origin,
    }
    name = name_of_question_or_response_item(QUESTION_KIND, one.name)
    return {
        "sc_question": [row],
        "item": [_item(id_, QUESTION_KIND, name, body, dataset, illustrative)],
    }


def response_citation_and_item_rows_by_table(
    one: Response,
    *,
    dataset: str,
    run: str = "",
    origin: str = "import",
    illustrative: bool = False,
) -> Rows:
    """``sc_response``, its ``sc_citation``s in order, and its item (unless it is invalid)."""
    id_, asked = response_id(dataset, one.name), question_id(dataset, one.question)
    row = {
        **one.model_dump(exclude={"text", "urls"}),
        "id": id_,
        "dataset": dataset,
        "question": asked,
        "response": one.text,
        "run": run,
        "origin": origin,
    }
    cited = [
        {
            "id": stable_id("sc_citation", id_, str(n)),
            "dataset": dataset,
            "response": id_,
            "n": n,
            "url": replace_unstorable_characters(url),
        }
        for n, url in enumerate(one.urls, start=1)
    ]
    body = {"id": id_, "question": asked, "response": digest_of_text(one.text)}
    name = name_of_question_or_response_item(RESPONSE_KIND, one.name)
    item = _item(id_, RESPONSE_KIND, name, body, dataset, illustrative)
    return {
        "sc_response": [row],
        "sc_citation": cited,
        "item": [item] if one.outcome == "ok" else [],
    }


def statement_and_parse_rows_by_table(
    found: Iterable[Statement],
    *,
    dataset: str,
    response: str,
    model: str = "",
    run: str = "",
    origin: str = "import",
) -> Rows:
    """``sc_statement``s of one response (by name), and the ``sc_parse`` that marks them as
    complete.

    No statements is a valid outcome: then there is only the ``sc_parse``.
    """
    id_ = response_id(dataset, response)
    parse = {
        "id": stable_id("sc_parse", id_),
        "dataset": dataset,
        "response": id_,
        "model": model,
        "run": run,
        "origin": origin,
    }
    rows = [
        {
            **one.model_dump(),
            "id": statement_id(dataset, one.name),
            "dataset": dataset,
            "response": id_,
        }
        for one in found
    ]
    return {"sc_parse": [parse], "sc_statement": rows}


def snapshot_and_text_part_rows_by_table(
    one: Source, *, dataset: str, revision: int = 1, run: str = "", origin: str = "fetch"
) -> Rows:
    """``sc_source``: a snapshot, and ``sc_source_part``: its text, if long.

    ``revision`` counts the snapshots of one address from 1.
    """
    # Offsets and the digest are computed from the text as stored.
    text = replace_unstorable_characters(one.text)
    id_ = source_id(dataset, one.url, revision)
    row = {
        **one.model_dump(),
        "id": id_,
        "dataset": dataset,
        "revision": revision,
        "redirects": list(one.redirects),
        "characters": len(text),
        "digest": digest_of_text(text),
        "text": "" if is_long_text(text) else text,
        "run": run,
        "origin": origin,
    }
    return {"sc_source": [row], "sc_source_part": source_part_rows(id_, text)}


PART = 4_000


def is_long_text(text: str) -> bool:
    """Whether a page's text is stored in pieces."""
    return len(text) > PART


def source_part_rows(source: str, text: str) -> list[dict[str, Any]]:
    """``sc_source_part``: a snapshot's (by id) long text in pieces of ``PART`` characters."""
    if not is_long_text(text):
        return []
    pieces = (text[at : at + PART] for at in range(0, len(text), PART))
    return [
        {"id": f"{source}-{n}", "source": source, "n": n, "text": piece}
        for n, piece in enumerate(pieces)
    ]


def domain_country_rows_by_table(
    domain: str,
    country: str,
    *,
    dataset: str,
    revision: int = 1,
    answered: str = "",
    run: str = "",
    origin: str = "lookup",
) -> Rows:
    """``sc_site``: where a domain is registered ("": unknown); ``revision`` counts from 1."""
    row = {
        "id": stable_id("sc_site", dataset, domain, str(revision)),
        "dataset": dataset,
        "site": domain,
        "revision": revision,
        "country": country,
        "answered": answered,
        "run": run,
        "origin": origin,
    }
    return {"sc_site": [row]}


def pair_item_rows_by_table(
    statement: str,
    response: str,
    url: str,
    *,
    source: str,
    dataset: str,
    illustrative: bool = False,
) -> Rows:
    """The item of a pair, by names of statement and response; ``source`` is the snapshot's id."""
    body = Pair(
        statement=statement_id(dataset, statement),
        response=response_id(dataset, response),
        url=url,
        source=source,
    )
    name = name_of_pair_item(statement, url)
    item = _item(
        pair_id(dataset, statement, url), PAIR_KIND, name, body.model_dump(), dataset, illustrative
    )
    return {"item": [item]}


def merged_sources_item_rows(
    statement: str,
    response: str,
    *,
    sources: Sequence[str],
    dataset: str,
    illustrative: bool = False,
) -> Rows:
    """The item of a statement and several sources (snapshot ids), by the names of statement and
    response.
    """
    body = Merged(
        statement=statement_id(dataset, statement),
        response=response_id(dataset, response),
        sources=tuple(sources),
    )
    name = name_of_merged_sources_item(statement, sources)
    item = _item(
        id_of_merged_sources_item(dataset, statement, sources),
        MERGED_KIND,
        name,
        body.model_dump(mode="json"),
        dataset,
        illustrative,
    )
    return {"item": [item]}


def model_rater_and_judgment_rows_by_table(
    value: SourceJudgment,
    *,
    item: str,
    model: str,
    revision: int = 1,
    origin: str = "model",
    seconds: float | None = None,
    task: str = SUPPORT,
    run: str = "",
    prompt: str = "",
) -> Rows:
    """A model's judgment of a pair, or (by ``task``) of merged sources, by item id; and the model
    as a rater.
    """
    rater = raters.make_rater_row(model, kind="model", origin="model")
    row = make_imported_judgment_row(
        *(task, item, rater["id"], value),
        revision=revision,
        origin=origin,
        seconds=seconds,
        run=run,
        prompt=prompt,
    )
    return {"rater": [rater], "judgment": [row]}


def cleanup_id(one: CleanUp, *, dataset: str) -> str:
    """The id of a clean-up: one per statement, source and model."""
    return stable_id("sc_cleanup", dataset, one.statement, one.url, one.model)


def cleanup_rows_by_table(
    one: CleanUp, *, dataset: str, run: str = "", origin: str = "model"
) -> Rows:
    """``sc_cleanup``: what was done with a statement that its source does not support."""
    row = {
        **one.model_dump(),
        "id": cleanup_id(one, dataset=dataset),
        "dataset": dataset,
        "statement": statement_id(dataset, one.statement),
        "run": run,
        "origin": origin,
    }
    return {"sc_cleanup": [row]}


def recheck_rows_by_table(
    value: SourceJudgment, *, cleanup: str, model: str, run: str = ""
) -> Rows:
    """``sc_recheck``: a verifier's verdict on an edited statement and the same source."""
    rater = raters.make_rater_row(model, kind="model", origin="model")
    row = {
        "id": stable_id("sc_recheck", cleanup, rater["id"], "1"),
        "cleanup": cleanup,
        "rater": rater["id"],
        "revision": 1,
        "body": value.model_dump_json(),
        "run": run,
    }
    return {"rater": [rater], "sc_recheck": [row]}
