"""Many sources or pairs at once: frames to tables of rows, without a Python object per row.

Does for tens of thousands what ``rows`` does for one; the ids and bodies are the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from medlens.deferred_module import np, pa, pc, pd
from medlens.store import stable_ids
from medlens.studies.sourcecheckup.records import PAIR_KIND, STUDY, name_of_pair_item
from medlens.studies.sourcecheckup.records_to_store_rows import PART, source_part_rows
from medlens.studies.sourcecheckup.tasks import SUPPORT

_CUT = "\x1f"
_NAMED = 10
_SOME = 20_000
_FEW_LONG = 100


def _texts(values: pd.Series[Any] | Sequence[str]) -> pa.Array | pa.ChunkedArray:
    if isinstance(values, pd.Series):
        made = pa.Array.from_pandas(values, type=pa.large_string())
        if isinstance(made, pa.ChunkedArray):
            # A column concatenated from several frames keeps each part's type.
            chunks = [chunk.cast(pa.large_string()) for chunk in made.chunks]
            return pa.chunked_array(chunks, pa.large_string())
        return made
    return pa.array(values, pa.large_string())


def _numbers(values: pd.Series[Any], kind: pa.DataType) -> pa.Array:
    return pa.Array.from_pandas(values).cast(kind)


def _moments(values: pd.Series[Any]) -> pa.Array:
    return pa.Array.from_pandas(values).cast(pa.timestamp("us", tz="UTC"))


def _lists(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of some columns; through lists, because iterating over a text column is slow, and in
    chunks, because a list takes several times the column's memory.
    """
    for at in range(0, len(frame), _SOME):
        some = frame.iloc[at : at + _SOME]
        yield from zip(*(some[column].tolist() for column in columns), strict=True)


def arrow_array_of_one_value(count: int, value: Any, kind: pa.DataType | None = None) -> pa.Array:
    """A column of one value."""
    return pa.repeat(pa.scalar(value, kind or pa.large_string()), count)


def list_digests_of_texts(texts: pd.Series[Any]) -> list[str]:
    """``records.digest_of_text`` of many texts; large ones are not converted to Python texts
    first.
    """
    array = pa.Array.from_pandas(texts, type=pa.large_string())
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    found = []
    for chunk in chunks:
        _, offsets, data = chunk.buffers()
        ends = np.frombuffer(offsets, np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
        whole = memoryview(data) if data is not None else memoryview(b"")
        found += [
            hashlib.sha256(whole[a:b]).hexdigest() if b > a else ""
            for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]
    return found


def texts_at_places(texts: pd.Series[str], places: pd.Series[int]) -> pd.Series[str]:
    """The texts at some places, which ascend, with the index of these. Only these are copied:
    ``take`` would first make one text of all.
    """
    array = pa.Array.from_pandas(texts, type=pa.large_string())
    wanted, begin = places.to_numpy(), 0
    taken = [pa.array([], array.type)]
    for chunk in array.chunks if isinstance(array, pa.ChunkedArray) else [array]:
        first, last = np.searchsorted(wanted, [begin, begin + len(chunk)])
        taken.append(chunk.take(pa.array(wanted[first:last] - begin)))
        begin += len(chunk)
    found: pd.Series[str] = pa.chunked_array(taken, array.type).to_pandas()
    return found.set_axis(places.index)


def arrow_tables_of_snapshots_and_text_parts(
    frame: pd.DataFrame, *, dataset: str, origin: str = "import"
) -> tuple[pa.Table, pa.Table]:
    """``sc_source`` rows, and the ``sc_source_part`` rows of their long texts.

    ``frame``: the columns of the file, and ``digest`` and ``revision``.
    """
    n = len(frame)
    keys = [
        _CUT.join(("sc_source", dataset, url, str(revision)))
        for url, revision in _lists(frame, "url", "revision")
    ]
    columns = {
        "id": _texts(stable_ids(keys)),
        "dataset": arrow_array_of_one_value(n, dataset),
        "url": _texts(frame["url"]),
        "revision": _numbers(frame["revision"], pa.int32()),
        "status": _numbers(frame["status"], pa.int32()),
        "fetched_at": _moments(frame["fetched_at"]),
        "seconds": _numbers(frame["seconds"], pa.float64()),
        "bytes": _numbers(frame["bytes"], pa.int64()),
        "tokens": _numbers(frame["tokens"], pa.int64()),
        "digest": _texts(frame["digest"]),
        "run": arrow_array_of_one_value(n, ""),
        "origin": arrow_array_of_one_value(n, origin),
    }
    for column in (
        *("outcome", "reason", "final_url", "content_type", "title"),
        *("headers", "redirects", "existed"),
    ):
        columns[column] = _texts(frame[column])
    texts = _texts(frame["text"])
    columns["characters"] = pc.utf8_length(texts).cast(pa.int64())
    long = pc.greater(columns["characters"], PART)
    columns["text"] = pc.if_else(long, pa.scalar("", pa.large_string()), texts)
    parts = _source_parts(columns["id"].filter(long), texts.filter(long))
    return pa.table(columns), parts


def _source_parts(sources: pa.Array, texts: pa.Array | pa.ChunkedArray) -> pa.Table:
    schema = pa.schema(
        [("id", pa.string()), ("source", pa.string()), ("n", pa.int32()), ("text", pa.string())]
    )
    batches = [pa.RecordBatch.from_pylist([], schema)]
    for at in range(0, len(texts), _FEW_LONG):
        some = zip(
            sources.slice(at, _FEW_LONG).to_pylist(),
            texts.slice(at, _FEW_LONG).to_pylist(),
            strict=True,
        )
        rows = [row for source, text in some for row in source_part_rows(source, text)]
        batches.append(pa.RecordBatch.from_pylist(rows, schema))
    return pa.Table.from_batches(batches)


def page_outcomes_arrow_table(frame: pd.DataFrame, *, dataset: str) -> pa.Table:
    """``sc_outcome`` rows. ``frame``: url, revision (of the snapshot), word (counts from 1), was,
    outcome, outcome_reason, outcome_by, outcome_at (a timestamp; empty means now).
    """
    sources = stable_ids(
        [
            _CUT.join(("sc_source", dataset, url, str(revision)))
            for url, revision in _lists(frame, "url", "revision")
        ]
    )
    words = zip(sources, frame["word"].tolist(), strict=True)
    keys = [_CUT.join(("sc_outcome", source, str(word))) for source, word in words]
    columns = {
        "id": _texts(stable_ids(keys)),
        "source": _texts(sources),
        "made_at": pc.fill_null(_moments(frame["outcome_at"]), datetime.now(UTC)),
        "revision": _numbers(frame["word"], pa.int32()),
        "was": _texts(frame["was"]),
        "outcome": _texts(frame["outcome"]),
        "reason": _texts(frame["outcome_reason"]),
        "made_by": _texts(frame["outcome_by"]),
    }
    return pa.table(columns)


def lists_of_pair_names_and_item_ids(
    frame: pd.DataFrame, dataset: str
) -> tuple[list[str], list[str]]:
    """Names and item ids of pairs. ``frame``: statement_id (name) and url."""
    names = [name_of_pair_item(*row) for row in _lists(frame, "statement_id", "url")]
    start = _CUT.join(("item", STUDY, dataset, ""))
    return names, stable_ids(start + name for name in names)


def arrow_table_of_pair_items(frame: pd.DataFrame, *, dataset: str, illustrative: bool) -> pa.Table:
    """``item`` rows. ``frame``: item, name, statement, response, source (ids) and url."""
    quoted = {url: json.dumps(url, ensure_ascii=False) for url in frame["url"].unique()}
    # Formatted as ``to_json`` does; ids need no escaping.
    bodies = [
        f'{{"statement": "{statement}", "response": "{response}", "url": {quoted[url]},'
        f' "source": "{source}"}}'
        for statement, response, url, source in _lists(
            frame, "statement", "response", "url", "source"
        )
    ]
    n = len(frame)
    return pa.table(
        {
            "id": _texts(frame["item"]),
            "study": arrow_array_of_one_value(n, STUDY),
            "kind": arrow_array_of_one_value(n, PAIR_KIND),
            "dataset": arrow_array_of_one_value(n, dataset),
            "name": _texts(frame["name"]),
            "digest": _texts([hashlib.sha256(body.encode()).hexdigest() for body in bodies]),
            "body": _texts(bodies),
            "illustrative": arrow_array_of_one_value(n, illustrative, pa.bool_()),
        }
    )


def list_judgments_as_json_texts(frame: pd.DataFrame) -> list[str]:
    """Judgments as JSON, written as ``SourceJudgment.model_dump_json`` does."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    known: dict[str, str] = {"": '""'}

    def text(value: str) -> str:
        # Verdicts and reasons repeat, so each is encoded once.
        found = known.get(value)
        if found is None:
            found = known[value] = encode(value)
        return found

    return [
        f'{{"verdict":"{verdict}","reason":{text(reason)},"quote":{text(quote)},'
        f'"passages":{passages or "[]"}}}'
        for verdict, reason, quote, passages in _lists(
            frame, "verdict", "reason", "quote", "passages"
        )
    ]


def judgment_ids(frame: pd.DataFrame) -> list[str]:
    """Ids of judgments. ``frame``: item, rater_id, revision, body, judgment_id ("" if none)."""
    made = stable_ids(
        _CUT.join(("judgment", SUPPORT, item, rater, str(revision), body))
        for item, rater, revision, body in _lists(frame, "item", "rater_id", "revision", "body")
    )
    return [given or own for (given,), own in zip(_lists(frame, "judgment_id"), made, strict=True)]


def arrow_table_of_judgment_rows(frame: pd.DataFrame) -> pa.Table:
    """``judgment`` rows.

    ``frame``: judgment, item, rater_id, revision, body, blind, origin, seconds, idle_seconds,
    judged_at, run_id and prompt_version ("" if none).
    """
    n = len(frame)
    return pa.table(
        {
            "id": _texts(frame["judgment"]),
            "made_at": pc.fill_null(_moments(frame["judged_at"]), datetime.now(UTC)),
            "task": arrow_array_of_one_value(n, SUPPORT),
            "item": _texts(frame["item"]),
            "rater": _texts(frame["rater_id"]),
            "body": _texts(frame["body"]),
            "revision": _numbers(frame["revision"], pa.int32()),
            "blind": pa.Array.from_pandas(frame["blind"], type=pa.bool_()),
            "origin": _texts(frame["origin"]),
            "complete": arrow_array_of_one_value(n, True, pa.bool_()),
            "active_seconds": _numbers(frame["seconds"], pa.float64()),
            "idle_seconds": _numbers(frame["idle_seconds"], pa.float64()),
            "run": _texts(frame["run_id"].replace("", None)),
            "prompt": _texts(frame["prompt_version"].replace("", None)),
        }
    )


def list_notes_on_raters_taken_as_people(frame: pd.DataFrame) -> tuple[str, ...]:
    """A note about raters that count as doctors only because no model has their name.

    ``frame`` holds a file's verdicts with ``rater``, ``rater_id`` and ``rater_kind``, and the new
    raters' rows in ``attrs["raters"]``.
    """
    guessed = frame[(frame["rater"] != "") & (frame["rater_kind"].str.strip() == "")]
    people = {one["id"] for one in frame.attrs["raters"] if one["kind"] == "person"}
    names = sorted(guessed.loc[guessed["rater_id"].isin(people), "rater"].unique().tolist())
    if not names:
        return ()
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (
        f"Taken as people, since no model has this name: {', '.join(names[:_NAMED])}{more}. For "
        "a model's verdicts, write “model” in the column rater_kind.",
    )
