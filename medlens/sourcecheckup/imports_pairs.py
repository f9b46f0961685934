"""Sources and pairs into the store: the large files, as columns from end to end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from medlens.errors import InvalidInput
from medlens.review import importing, raters
from medlens.review.files import Report, Request
from medlens.sourcecheckup import bulk
from medlens.sourcecheckup.files import queries
from medlens.sourcecheckup.load import (
    Check,
    Fault,
    Form,
    Mask,
    blank,
    contradicting,
    numbers,
    read,
    stripped,
)
from medlens.sourcecheckup.models import OUTCOMES, PAIR_KIND, Passage, address_of, verdict_of
from medlens.sourcecheckup.study import Study
from medlens.store import Store
from medlens.tables import json_value

SOURCES = Form(
    {"url": "text"},
    {
        "status": "whole",
        "text": "text",
        "outcome": "text",
        "reason": "text",
        "final_url": "text",
        "content_type": "text",
        "title": "text",
        "headers": "text",
        "redirects": "text",
        "fetched_at": "text",
        "seconds": "number",
        "bytes": "whole",
        "tokens": "whole",
        "existed": "text",
        "fetched_outcome": "text",
        "outcome_reason": "text",
        "outcome_by": "text",
        "outcome_at": "text",
    },
    as_json=frozenset({"headers", "redirects"}),
)
PAIRS = Form(
    {"statement_id": "text", "url": "text", "rater": "text", "verdict": "text"},
    {
        "reason": "text",
        "quote": "text",
        "passages": "text",
        "rater_kind": "text",
        "rater_handle": "text",
        "seconds": "number",
        "idle_seconds": "number",
        "revision": "whole",
        "blind": "text",
        "origin": "text",
        "judged_at": "text",
        "judgment_id": "text",
    },
    as_json=frozenset({"passages"}),
)


# -- sources ---------------------------------------------------------------------------------------


def import_sources(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-sources``: pages and their texts, each address once.

    An address that is there with another text gets a newer snapshot; of lines that differ behind
    ``#`` alone the first with a page that can be read counts. Where ``outcome`` is not
    ``fetched_outcome``, a lead said so: their word comes with it.
    """
    there: dict[str, pd.DataFrame] = {}

    def check(dataset: str) -> Check:
        there[dataset] = queries.sources(store, dataset, text=False)
        return _check_sources

    done = read(request, SOURCES, check)
    frame, old = done.frame, there[done.dataset]
    beside = frame[["url"]].merge(old, on="url", how="left", suffixes=("_", ""))
    same = np.ones(len(frame), dtype=bool)
    for column in ("fetched_outcome", "digest"):
        same &= np.asarray(frame[column].to_numpy(object) == beside[column].to_numpy(object))
    unread = (frame["outcome"] != "ok").sort_values(kind="stable").index
    again = np.asarray(frame.loc[unread].duplicated("url").reindex(frame.index), dtype=bool)
    tops = queries.revisions(store, done.dataset)
    frame = frame.assign(
        revision=frame["url"].map(tops).fillna(0).astype("int64") + ~same,
        was=beside["outcome"].where(same, frame["fetched_outcome"]),
        word=beside["told"].where(same, 0).astype("int64") + 1,
    )
    fresh = ~same & ~again
    said = np.asarray(frame["outcome"] != frame["fetched_outcome"], dtype=bool) & ~again
    said &= np.asarray(frame["outcome"] != frame["was"], dtype=bool)
    taken = frame.assign(outcome=frame["fetched_outcome"])[fresh]
    batch = {
        "sc_source": bulk.sources(taken, dataset=done.dataset),
        "sc_outcome": bulk.outcomes(frame[said], dataset=done.dataset),
    }
    store.append_tables({name: rows for name, rows in batch.items() if len(rows)})
    added = int((fresh | said).sum())
    return Report("sources", added, len(frame) - added, done.refused, done.notes)


def _check_sources(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
    frame = stripped(
        frame, "url", "outcome", "existed", "fetched_outcome", "outcome_reason", "outcome_by"
    )
    faults = [blank(frame, "url", "an address")]
    made: dict[str, Any] = {"digest": pd.Series(bulk.digests(frame["text"]), dtype="str")}
    for column in ("status", "bytes", "tokens", "seconds"):
        made[column], fault = numbers(frame, column, whole=column != "seconds")
        faults.append(fault)
    outcome = frame["outcome"].str.casefold().str.replace(" ", "_")
    no_text = np.asarray(~frame["text"].str.contains(r"\S"), dtype=bool)
    fetched = frame["fetched_outcome"].str.casefold().str.replace(" ", "_")
    found = fetched.where(fetched != "", _outcomes(made["status"], no_text, frame["url"]))
    made["outcome"] = outcome.where(outcome != "", found)
    made["fetched_outcome"] = fetched.where(fetched != "", made["outcome"])
    for column in ("outcome", "fetched_outcome"):
        wrong = ~made[column].isin(OUTCOMES)
        faults.append(Fault(np.asarray(wrong), column, f"one of {', '.join(OUTCOMES)}"))
    unsaid = (made["outcome"] != made["fetched_outcome"]) & (frame["outcome_reason"] == "")
    faults.append(
        Fault(np.asarray(unsaid), "outcome_reason", "why the outcome is not what the fetch found")
    )
    made["outcome_by"] = frame["outcome_by"].where(frame["outcome_by"] != "", "import")
    made["outcome_at"], fault = _moments(frame["outcome_at"], "outcome_at")
    faults.append(fault)
    faults.append(
        Fault(
            np.asarray(made["outcome"] == "ok") & no_text, "text", "the text of a page that is ok"
        )
    )
    wrong = ~frame["existed"].isin(["", "yes", "no"])
    faults.append(Fault(np.asarray(wrong), "existed", "yes, no or nothing"))
    made["fetched_at"], fault = _moments(frame["fetched_at"], "fetched_at")
    faults.append(fault)
    for column, empty, kind in (("headers", "{}", dict), ("redirects", "[]", list)):
        made[column], fault = _json(frame[column], column, empty, kind)
        faults.append(fault)
    frame = frame.assign(**made)
    nothing = frame.iloc[:0]
    fault, _ = contradicting(
        frame, "url", ("outcome", "fetched_outcome", "digest"), nothing, "an address"
    )
    return frame.assign(url=addresses(frame["url"])), [*faults, fault]


def addresses(urls: pd.Series[Any]) -> Any:
    """Addresses without what stands behind ``#``: what differs there alone is one source."""
    return urls.map({url: address_of(url) for url in urls.unique()}).astype("str")


def _outcomes(status: pd.Series[Any], no_text: Mask, urls: pd.Series[Any]) -> Any:
    """What became of a page of which only status and text are known."""
    web = urls.str.casefold().str.startswith(("http://", "https://")).to_numpy(dtype=bool)
    code = status.to_numpy(dtype=float)
    answered = np.isnan(code) | (code == 200)
    return np.select(
        [~web & no_text, answered & ~no_text, code == 200, np.isin(code, (404, 410))],
        ["refused", "ok", "empty", "not_found"],
        "http_error",
    )


def _moments(texts: pd.Series[Any], column: str) -> tuple[pd.Series[Any], Fault]:
    given = texts.str.strip()
    read_ = pd.to_datetime(
        given.where(given != "", None), utc=True, errors="coerce", format="ISO8601"
    )
    wrong = np.asarray((given != "") & read_.isna(), dtype=bool)
    return read_, Fault(wrong, column, "a date and time (ISO 8601)")


def _json(
    texts: pd.Series[Any], column: str, empty: str, kind: type
) -> tuple[pd.Series[Any], Fault]:
    """A column of JSON texts; few differ, so each is looked at once."""

    def right(text: str) -> bool:
        try:
            return isinstance(json_value(text), kind)
        except ValueError:
            return False

    given = texts.where(texts.str.contains(r"\S"), empty)
    fine = {text: right(text) for text in given.unique()}
    what = "a JSON object" if kind is dict else "a JSON list"
    return given, Fault(~given.map(fine).to_numpy(dtype=bool), column, what)


# -- pairs -----------------------------------------------------------------------------------------


def import_pairs(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-pairs``: what raters said of statements and sources, or pairs alone.

    A rater that is a model's name (in the settings, in the dataset, or in the column
    ``rater_kind``) is a model. A row without rater and verdict is a pair that nobody has judged.
    """

    def check(dataset: str) -> Check:
        given = queries.statement_ids(store, dataset)
        return checked_pairs(
            store,
            study,
            dataset,
            given[["statement_id", "statement", "response"]],
            queries.cited(store, dataset),
        )

    done = read(request, PAIRS, check)
    batch, added, known = pair_tables(
        store, done.frame, dataset=done.dataset, illustrative=done.illustrative
    )
    store.append_tables(batch)
    notes = (*done.notes, *bulk.taken_as_people(done.frame))
    return Report("pairs and verdicts", added, known, done.refused, notes, one="pair or verdict")


def checked_pairs(
    store: Store, study: Study, dataset: str, statements: pd.DataFrame, cited: pd.DataFrame
) -> Check:
    """The check of pairs. ``statements``: statement_id (name), statement and response (ids);
    ``cited``: response (id) and url."""
    known = study.models | queries.models(store, dataset)
    judged = queries.judged(store, dataset)

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        frame = stripped(frame, "statement_id", "url", "rater", "verdict", "judgment_id")
        frame = _last_words(frame)
        frame = frame.drop(columns=["statement", "response"], errors="ignore")
        frame = frame.merge(statements, on="statement_id", how="left")
        lost = np.asarray(frame["statement"].isna(), dtype=bool)
        marked = cited.assign(cites=True)
        cites = frame[["response", "url"]].merge(marked, on=["response", "url"], how="left")
        faults = [
            Fault(lost, "statement_id", f"the id of a statement of the dataset {dataset!r}"),
            Fault(
                ~lost & np.asarray(cites["cites"].isna()),
                "url",
                "an address that the statement's response cites",
            ),
        ]
        made, more = _verdicts(frame)
        frame, faults = frame.assign(**made), [*faults, *more]
        frame, fault = _with_raters(frame, known)
        frame = frame.assign(statement=frame["statement"].fillna(""), body=bulk.bodies(frame))
        names, items = bulk.pair_ids(frame, dataset)
        frame = frame.assign(name=_named(names), item=_named(items))
        given = frame["judgment_id"]
        items_of = importing.judged_items(store, sorted(set(given) - {""}))
        both = zip(bulk.judgment_ids(frame), items, strict=True)
        ids = [importing.own_id(one, item, items_of) for one, item in both]
        frame = frame.assign(judgment=_named(ids))
        return frame, [*faults, fault, *_contradictions(frame, judged)]

    return check


def _last_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Of verdicts of one rater that differ behind the ``#`` of the address, the last, in place of
    each: they are on one source."""
    cited, made = frame["url"], frame.assign(url=addresses(frame["url"]))
    if (cited == made["url"]).all():
        return frame
    keys = ["statement_id", "url", "rater", "rater_handle", "revision"]
    several = made.assign(cited=cited).groupby(keys, dropna=False)["cited"].transform("nunique") > 1
    at = pd.Series(np.arange(len(made)), index=made.index)
    by = [made[key] for key in keys]
    last = at.groupby(by, dropna=False).transform("max").where(several, at)
    chosen = made.iloc[last.to_numpy()]
    return chosen.set_axis(made.index)


def _named(texts: list[str]) -> pd.Series[str]:
    """A column of texts also where there are none: a frame without rows takes numbers for them."""
    return pd.Series(texts, dtype="str")


def _verdicts(frame: pd.DataFrame) -> tuple[dict[str, Any], list[Fault]]:
    """The columns of a verdict in their final form."""
    made: dict[str, Any] = {}
    words = {word: verdict_of(word) if word else "" for word in frame["verdict"].unique()}
    made["verdict"] = frame["verdict"].map(lambda word: words[word] or "").astype("str")
    nobody = np.asarray(frame["rater"] == "", dtype=bool)
    said = np.asarray(frame["verdict"] != "", dtype=bool)
    wrong = np.asarray(frame["verdict"].map(lambda word: words[word] is None), dtype=bool)
    what = "supported, partly, contradicted, not_supported, cannot_tell, found or not_found"
    faults = [
        Fault(wrong | (~nobody & ~said), "verdict", what),
        Fault(nobody & said, "rater", "who said so"),
    ]
    for column in ("seconds", "idle_seconds", "revision"):
        made[column], fault = numbers(
            frame, column, whole=column == "revision", least=1 if column == "revision" else 0
        )
        faults.append(fault)
    made["revision"] = made["revision"].fillna(1).astype("int64")
    made["judged_at"], fault = _moments(frame["judged_at"], "judged_at")
    faults.append(fault)
    truth = frame["blind"].str.strip().str.casefold()
    faults.append(
        Fault(np.asarray(~truth.isin(["", "true", "false", "1", "0"])), "blind", "true or false")
    )
    made["blind"] = ~truth.isin(["false", "0"])
    made["origin"] = frame["origin"].where(frame["origin"] != "", "import")
    passages = {text: _passages(text) for text in frame["passages"].unique()}
    made["passages"] = frame["passages"].map(lambda text: passages[text] or "").astype("str")
    wrong = np.asarray(frame["passages"].map(lambda text: passages[text] is None), dtype=bool)
    faults.append(Fault(wrong, "passages", "a JSON list of passages (start, end, quote)"))
    return made, faults


def _passages(text: str) -> str | None:
    """Passages as they are stored, "" without any, None for what are none."""
    if not text.strip():
        return ""
    try:
        found = [Passage.model_validate(one) for one in json_value(text)]
    except (TypeError, ValueError):
        return None
    return "[" + ",".join(one.model_dump_json() for one in found) + "]"


def _with_raters(frame: pd.DataFrame, models: Iterable[str]) -> tuple[pd.DataFrame, Fault]:
    known = frozenset(models)
    keys = frame[["rater", "rater_kind", "rater_handle"]].drop_duplicates()
    people: dict[tuple[str, str, str], Mapping[str, Any]] = {}
    wrong: set[tuple[str, str, str]] = set()
    for name, kind, handle in keys.itertuples(index=False):
        if not name:
            people[name, kind, handle] = {"id": "", "kind": "", "handle": "", "name": ""}
            continue
        try:
            people[name, kind, handle] = rater_row(name, kind, handle, known)
        except InvalidInput:
            wrong.add((name, kind, handle))
            people[name, kind, handle] = {"id": "", "kind": "", "handle": "", "name": ""}
    # Most rows share few raters: by code, not by row.
    codes = pd.MultiIndex.from_frame(frame[["rater", "rater_kind", "rater_handle"]])
    at, unique = pd.factorize(codes)
    ids = np.array([people[tuple(one)]["id"] for one in unique], dtype=object)
    bad = np.array([tuple(one) in wrong for one in unique], dtype=bool)
    made = frame.assign(rater_id=pd.Series(ids[at], dtype="str") if len(frame) else "")
    made.attrs["raters"] = [dict(one) for one in people.values() if one["id"]]
    fault = bad[at] if len(frame) else np.zeros(0, dtype=bool)
    return made, Fault(fault, "rater", "a name that can be read, person or model")


def rater_row(name: str, kind: str, handle: str, models: frozenset[str]) -> dict[str, Any]:
    """A rater of a file as a row to append.

    Raises:
        InvalidInput: there can be no such rater.
    """
    kind = kind.strip().casefold() or ("model" if name in models else "person")
    if kind not in ("person", "model"):
        raise InvalidInput("A rater is a person or a model.")
    is_model = kind == "model"
    origin = handle.split(":", 1)[0] if handle else "model" if is_model else "import"
    return raters.new_row(
        name, kind="model" if is_model else "person", origin=origin, handle=handle or None
    )


def _contradictions(frame: pd.DataFrame, judged: pd.DataFrame) -> list[Fault]:
    """Verdicts that the file or the store has otherwise for the same rater, pair and revision."""
    places = ["item", "rater_id", "revision"]
    said = frame["rater_id"] != ""
    old = judged.rename(columns={"rater": "rater_id", "id": "before"}).astype({"revision": "int64"})
    beside = frame[places].merge(old, on=places, how="left")["before"]
    differs = np.asarray(beside.notna() & (beside.to_numpy() != frame["judgment"].to_numpy()))
    first = frame.groupby(places, sort=False)["judgment"].transform("first")
    twice = np.asarray(said & (first != frame["judgment"]), dtype=bool)
    what = "one verdict of this rater on this pair; another is there already"
    return [Fault(differs & np.asarray(said), "verdict", what), Fault(twice, "verdict", what)]


def pair_tables(
    store: Store, frame: pd.DataFrame, *, dataset: str, illustrative: bool
) -> tuple[dict[str, pa.Table], int, int]:
    """Tables to append for checked pairs, the rows that are new, and those that are known."""
    newest = queries.source_ids(store, dataset)
    made = queries.known_items(store, dataset, PAIR_KIND)
    fresh = frame.drop_duplicates("item")
    fresh = fresh[~fresh["item"].isin(made)].merge(newest, on="url", how="left")
    fresh = fresh.assign(source=fresh["source"].fillna(""))
    verdicts = frame[frame["rater_id"] != ""].drop_duplicates("judgment")
    verdicts = verdicts[~verdicts["judgment"].isin(queries.judged(store, dataset)["id"])]
    people = {one.id for one in raters.everyone(store)}
    found = {one["id"]: one for one in frame.attrs["raters"] if one["id"] not in people}
    batch = {
        "rater": _rater_table(list(found.values())),
        "item": bulk.pairs(fresh, dataset=dataset, illustrative=illustrative),
        "judgment": bulk.judgments(verdicts),
    }
    alone = int((frame["rater_id"] == "").sum())
    new_alone = int((fresh["rater_id"] == "").sum())
    added = len(verdicts) + new_alone
    return batch, added, int((frame["rater_id"] != "").sum()) - len(verdicts) + alone - new_alone


def _rater_table(rows: list[dict[str, Any]]) -> pa.Table:
    fields = ("id", "handle", "kind", "name", "email", "origin")
    schema = pa.schema([(field, pa.large_string()) for field in fields])
    return pa.Table.from_pylist(rows, schema=schema)
