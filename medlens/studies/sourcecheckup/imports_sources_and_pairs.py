"""Imports sources and pairs: the large files, handled as columns from end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from medlens.deferred_module import np, pa, pd
from medlens.errors import InvalidInput
from medlens.review import compare_correct_withdraw_reimported_items, items, judgment_import, raters
from medlens.review.compare_correct_withdraw_reimported_items import FileComparison
from medlens.store import Store
from medlens.studies.sourcecheckup import (
    question_answer_statement_page_corrections,
    rows_from_frames,
)
from medlens.studies.sourcecheckup import tables_as_in_files_queries as queries
from medlens.studies.sourcecheckup.queries import (
    addresses_of_other_pages_by_snapshot,
    names_by_id_of_dependents_of_pages,
)
from medlens.studies.sourcecheckup.records import (
    OUTCOMES,
    PAIR_KIND,
    STUDY,
    Passage,
    address_without_fragment,
    parse_verdict_word,
)
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.tables import Column, Report, Request, parse_json_value
from medlens.tables.file_schemas_import_requests_and_reports import Compared
from medlens.tables.read_and_check_table import (
    Check,
    Fault,
    Mask,
    Sheet,
    as_boolean_numpy_array,
    fault_and_mask_of_contradicting_rows,
    read_checked_table,
)

SOURCES = (
    Column("url", "name", "the address of the page", needed=True, filled="an address"),
    Column("status", "whole", "the status that its server answered with, such as 200", most=999),
    Column("text", "text", "the page's text", pages=True),
    Column("outcome", "text", f"its outcome: {', '.join(OUTCOMES)}"),
    Column("reason", "text", "why it could not be read"),
    Column("final_url", "text", "the address after all redirects"),
    Column("content_type", "text", "its content type, as its server gives it"),
    Column("title", "text", "its title"),
    Column("headers", "object", "headers of the answer that were kept", empty="{}"),
    Column("redirects", "array", "the redirects on the way to it", empty="[]"),
    Column("fetched_at", "moment", "when it was fetched"),
    Column("seconds", "number", "how long that took", unit="seconds"),
    Column("bytes", "whole", "its size", most=999_999_999, unit="bytes"),
    Column("tokens", "whole", "how many tokens its text has", most=999_999_999, unit="tokens"),
    Column("existed", "word", "whether the web archive has it", allowed=("yes", "no")),
    Column("fetched_outcome", "text", "what the fetch found, where a lead changed the outcome"),
    Column("outcome_reason", "name", "why the lead changed it"),
    Column("outcome_by", "name", "who said so", empty="import"),
    Column("outcome_at", "moment", "when it was changed"),
)
PAIRS = (
    Column("statement_id", "name", "the statement", needed=True),
    Column("url", "name", "an address that its answer cites", needed=True),
    Column("rater", "name", "who judged; empty for a pair that nobody judged", needed=True),
    Column(
        "verdict",
        "name",
        "supported, partly, contradicted, not_supported or cannot_tell; also found, not_found",
        needed=True,
    ),
    Column("reason", "text", "why"),
    Column("quote", "text", "the words of the page that it is based on"),
    Column("passages", "array", "the places of these words: start, end (characters) and quote"),
    Column("rater_kind", "text", "person or model; by default what is known of the name"),
    Column("rater_handle", "text", "the rater's handle in the store that it came from"),
    Column("seconds", "number", "time spent on it", unit="seconds"),
    Column("idle_seconds", "number", "time without a key press or mouse movement", unit="seconds"),
    Column(
        "revision",
        "whole",
        "which of the rater's verdicts on it, from 1",
        least=1,
        most=judgment_import.MOST_REVISIONS,
        empty=1,
    ),
    Column("blind", "truth", "whether others' verdicts were unseen; by default true", empty=True),
    Column("origin", "text", "where the verdict was made", empty="import"),
    Column("judged_at", "moment", "when it was made; by default on importing it"),
    Column("judgment_id", "name", "its id, so that it is not imported twice"),
    Column("run_id", "name", "of a model: the run that made it"),
    Column("prompt_version", "name", "of a model: the version of the prompt"),
)

_TEXT_AT_ONCE = 1 << 23
"""Characters of pages that are made into rows at once."""


# -- sources ---------------------------------------------------------------------------------------


def import_sources(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-sources``: pages and their texts, each address once.

    A known address with another text gets a newer snapshot; if pairs show the one that is there,
    its text is corrected in them, or left, as a lead chooses; pages that the file lacks are left,
    or withdrawn with their pairs. Of lines that differ only after ``#``, the first with a readable
    page counts. If ``outcome`` differs from ``fetched_outcome``, a lead corrected it: the
    correction is imported too.
    """
    old = queries.sources_table(store, request.dataset, text=False)
    done, text_at = _read_sources(request)
    frame = done.frame
    beside = frame[["url"]].merge(old, on="url", how="left", suffixes=("_", ""))
    same = np.ones(len(frame), dtype=bool)
    for column in ("fetched_outcome", "digest"):
        same &= np.asarray(frame[column].to_numpy(object) == beside[column].to_numpy(object))
    unread = (frame["outcome"] != "ok").sort_values(kind="stable").index
    again = np.asarray(frame.loc[unread].duplicated("url").reindex(frame.index), dtype=bool)
    tops = queries.count_snapshots_by_address(store, request.dataset)
    frame = frame.assign(
        revision=frame["url"].map(tops).fillna(0).astype("int64") + ~same,
        was=beside["outcome"].where(same, frame["fetched_outcome"]),
        word=beside["told"].where(same, 0).astype("int64") + 1,
    )
    shown = question_answer_statement_page_corrections.ids_of_shown_snapshots_by_address(
        store, request.dataset
    )
    is_changed = ~same & ~again & as_boolean_numpy_array(frame["url"].isin(list(shown)))
    is_changed &= as_boolean_numpy_array(frame["fetched_outcome"] == "ok")
    changed = frame[is_changed]
    texts = {
        shown[url]: text
        for url, text in zip(changed["url"], text_at(changed["at"]).tolist(), strict=True)
    }
    compared = _revise_pages(store, study, request, frame[~again], old, shown, texts)
    fresh = ~same & ~again & ~is_changed
    said = np.asarray(frame["outcome"] != frame["fetched_outcome"], dtype=bool) & ~again
    said &= np.asarray(frame["outcome"] != frame["was"], dtype=bool) & ~is_changed
    taken = frame.assign(outcome=frame["fetched_outcome"])[fresh]
    snapshots: list[str] = []
    for some in _as_many_as_fit_into_memory(taken):
        rows, parts = rows_from_frames.arrow_tables_of_snapshots_and_text_parts(
            some.assign(text=text_at(some["at"])), dataset=request.dataset
        )
        snapshots += rows["id"].to_pylist()
        store.append_tables_and_count_new_by_table(
            {"sc_source": rows} | ({"sc_source_part": parts} if len(parts) else {})
        )
    if said.any():
        outcomes = rows_from_frames.page_outcomes_arrow_table(frame[said], dataset=request.dataset)
        store.append_tables_and_count_new_by_table({"sc_outcome": outcomes})
    added = int((fresh | said).sum())
    return Report(
        *("sources", added, len(frame) - added, done.refused, done.notes),
        items=() if said.any() else tuple(snapshots),
        compared=compared,
    )


_TextsAt: TypeAlias = "Callable[[pd.Series[int]], pd.Series[str]]"


def _read_sources(request: Request) -> tuple[Sheet, _TextsAt]:
    """A file's pages without their texts, but with ``at``, the place of each in the file, and its
    number of ``characters``; and what gives the texts at some places, in ascending order: all of
    them together may be more than there is memory for.
    """
    # The last ones count: a file that is not as its columns seemed is read once more, row by row.
    texts: list[pd.Series[str]] = []

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        texts.append(frame["text"])
        return _check_sources(frame)

    done = read_checked_table(request, SOURCES, check)
    return done, lambda places: rows_from_frames.texts_at_places(texts[-1], places)


def _as_many_as_fit_into_memory(frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The rows of pages, in order, in pieces with so much text as is handled at once."""
    piece = frame["characters"].cumsum() // _TEXT_AT_ONCE
    for _, some in frame.groupby(piece.to_numpy(), sort=False):
        yield some


def _revise_pages(
    store: Store,
    study: Study,
    request: Request,
    frame: pd.DataFrame,
    old: pd.DataFrame,
    shown: Mapping[str, str],
    texts: Mapping[str, str],
) -> Compared:
    """Compare a file's pages with those of the dataset, and do with those whose text is another
    (``texts`` by the id of the snapshot that pairs show), and with those it lacks, what a lead
    chose.

    Raises:
        InvalidInput: as
            ``compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison``.
    """
    known = int(as_boolean_numpy_array(frame["url"].isin(old["url"])).sum())
    by_id = {snapshot: url for url, snapshot in shown.items()}
    missing = addresses_of_other_pages_by_snapshot(store, request.dataset, frame["url"].tolist())
    going = bool(missing and request.revising and request.revising.missing == "withdraw")
    resting = (
        names_by_id_of_dependents_of_pages(store, request.dataset, list(missing)) if going else {}
    )
    comparison = FileComparison(
        len(frame) - known,
        known - len(texts),
        {snapshot: (by_id[snapshot], "") for snapshot in texts},
        missing,
        difference=", with another text" if texts else "",
        shared=question_answer_statement_page_corrections.make_correction_of_pages(
            store, request.dataset, texts
        )
        if texts
        else None,
        resting=resting,
    )
    return compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store, study.tasks, comparison, request.revising, study=STUDY, dataset=request.dataset
    )


def _check_sources(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
    faults = []
    made: dict[str, Any] = {
        "digest": pd.Series(rows_from_frames.list_digests_of_texts(frame["text"]), dtype="str")
    }
    outcome, fetched = (
        frame[column].str.strip().str.casefold().str.replace(" ", "_")
        for column in ("outcome", "fetched_outcome")
    )
    no_text = ~as_boolean_numpy_array(frame["text"].str.contains(r"\S"))
    found = fetched.where(fetched != "", _outcomes(frame["status"], no_text, frame["url"]))
    made["outcome"] = outcome.where(outcome != "", found)
    made["fetched_outcome"] = fetched.where(fetched != "", made["outcome"])
    for column in ("outcome", "fetched_outcome"):
        wrong = ~made[column].isin(OUTCOMES)
        faults.append(Fault(as_boolean_numpy_array(wrong), column, f"one of {', '.join(OUTCOMES)}"))
    unsaid = (made["outcome"] != made["fetched_outcome"]) & (frame["outcome_reason"] == "")
    what = "why the outcome is not what the fetch found"
    faults.append(Fault(as_boolean_numpy_array(unsaid), "outcome_reason", what))
    readable = as_boolean_numpy_array(made["outcome"] == "ok")
    faults.append(Fault(readable & no_text, "text", "the text of a page that is ok"))
    made |= {"at": np.arange(len(frame)), "characters": frame["text"].str.len()}
    frame = frame.drop(columns="text").assign(**made)
    nothing = frame.iloc[:0]
    fault, _ = fault_and_mask_of_contradicting_rows(
        frame, "url", ("outcome", "fetched_outcome", "digest"), nothing, "an address"
    )
    return frame.assign(url=series_of_addresses_without_fragments(frame["url"])), [*faults, fault]


def series_of_addresses_without_fragments(urls: pd.Series[Any]) -> Any:
    """Addresses without ``#`` and what follows: those that differ only there are one source."""
    return urls.map({url: address_without_fragment(url) for url in urls.unique()}).astype("str")


def _outcomes(status: pd.Series[Any], no_text: Mask, urls: pd.Series[Any]) -> Any:
    """The outcomes of pages for which only status and text are known."""
    web = urls.str.casefold().str.startswith(("http://", "https://")).to_numpy(dtype=bool)
    code = status.to_numpy(dtype=float)
    answered = np.isnan(code) | (code == 200)
    return np.select(
        [~web & no_text, answered & ~no_text, code == 200, np.isin(code, (404, 410))],
        ["refused", "ok", "empty", "not_found"],
        "http_error",
    )


# -- pairs -----------------------------------------------------------------------------------------


def import_pairs(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-pairs``: raters' verdicts on statements and sources, or only the pairs.

    A rater with a model's name (from the settings, the dataset, or the column ``rater_kind``) is a
    model. A row without rater and verdict is a pair that nobody has judged.
    """

    dataset = request.dataset
    given = queries.statement_ids_table(store, dataset)[["statement_id", "statement", "response"]]
    check = make_function_that_checks_pairs(
        store, study, dataset, given, queries.cited_addresses_table(store, dataset)
    )
    done = read_checked_table(request, PAIRS, check)
    batch, added, known = pair_tables_by_name_and_new_and_known_counts(
        store, done.frame, dataset=dataset, illustrative=done.illustrative
    )
    store.append_tables_and_count_new_by_table(batch | _pairs_brought_back(store, batch["item"]))
    notes = (*done.notes, *rows_from_frames.list_notes_on_raters_taken_as_people(done.frame))
    only = () if len(batch["judgment"]) else tuple(batch["item"]["id"].to_pylist())
    return Report(
        *("pairs and verdicts", added, known, done.refused, notes),
        one="pair or verdict",
        items=only,
    )


def _pairs_brought_back(store: Store, pairs: pa.Table) -> dict[str, pa.Table]:
    """What brings back those pairs about to be added that an undone import had brought."""
    if not store.data_version_of_tables("import_undone"):
        return {}
    given = {row["id"]: (row["digest"], row["body"]) for row in pairs.to_pylist()}
    back = items.make_rows_by_table_that_bring_back_items(store, given)
    return {name: pa.Table.from_pylist(rows) for name, rows in back.items()}


def make_function_that_checks_pairs(
    store: Store, study: Study, dataset: str, statements: pd.DataFrame, cited: pd.DataFrame
) -> Check:
    """Checks pairs. ``statements``: statement_id (name), statement and response (ids); ``cited``:
    response (id) and url.
    """
    known = study.models | queries.names_of_models(store, dataset)
    judged = queries.pair_judgments_table(store, dataset)

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
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
        frame = frame.assign(
            statement=frame["statement"].fillna(""),
            body=rows_from_frames.list_judgments_as_json_texts(frame),
        )
        names, items = rows_from_frames.lists_of_pair_names_and_item_ids(frame, dataset)
        frame = frame.assign(name=_named(names), item=_named(items))
        given = frame["judgment_id"]
        items_of = judgment_import.item_ids_by_judgment_id(store, sorted(set(given) - {""}))
        both = zip(rows_from_frames.judgment_ids(frame), items, strict=True)
        ids = [judgment_import.imported_judgment_id(one, item, items_of) for one, item in both]
        frame = frame.assign(judgment=_named(ids))
        return frame, [*faults, fault, *_contradictions(frame, judged)]

    return check


def _last_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Replaces a rater's verdicts on addresses that differ only after ``#`` by the last of them:
    they are on one source.
    """
    cited, made = (
        frame["url"],
        frame.assign(url=series_of_addresses_without_fragments(frame["url"])),
    )
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
    """A text column even if it is empty: otherwise an empty frame would make it numeric."""
    return pd.Series(texts, dtype="str")


def _verdicts(frame: pd.DataFrame) -> tuple[dict[str, Any], list[Fault]]:
    """The columns of a verdict in their final form."""
    made: dict[str, Any] = {}
    words = {word: parse_verdict_word(word) if word else "" for word in frame["verdict"].unique()}
    made["verdict"] = frame["verdict"].map(lambda word: words[word] or "").astype("str")
    nobody = np.asarray(frame["rater"] == "", dtype=bool)
    said = np.asarray(frame["verdict"] != "", dtype=bool)
    wrong = np.asarray(frame["verdict"].map(lambda word: words[word] is None), dtype=bool)
    what = "supported, partly, contradicted, not_supported, cannot_tell, found or not_found"
    faults = [
        Fault(wrong | (~nobody & ~said), "verdict", what),
        Fault(nobody & said, "rater", "who said so"),
    ]
    made["revision"] = frame["revision"].astype("int64")
    passages = {text: _passages(text) for text in frame["passages"].unique()}
    made["passages"] = frame["passages"].map(lambda text: passages[text] or "").astype("str")
    wrong = as_boolean_numpy_array(frame["passages"].map(lambda text: passages[text] is None))
    faults.append(Fault(wrong, "passages", "a JSON list of passages (start, end, quote)"))
    return made, faults


def _passages(text: str) -> str | None:
    """Passages as stored: "" if there are none, None if they are invalid."""
    if not text.strip():
        return ""
    try:
        found = [Passage.model_validate(one) for one in parse_json_value(text)]
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
            people[name, kind, handle] = imported_rater_row(name, kind, handle, known)
        except InvalidInput:
            wrong.add((name, kind, handle))
            people[name, kind, handle] = {"id": "", "kind": "", "handle": "", "name": ""}
    # Many rows share few raters, so map codes, not rows.
    codes = pd.MultiIndex.from_frame(frame[["rater", "rater_kind", "rater_handle"]])
    at, unique = pd.factorize(codes)
    ids = np.array([people[tuple(one)]["id"] for one in unique], dtype=object)
    bad = np.array([tuple(one) in wrong for one in unique], dtype=bool)
    made = frame.assign(rater_id=pd.Series(ids[at], dtype="str") if len(frame) else "")
    made.attrs["raters"] = [dict(one) for one in people.values() if one["id"]]
    fault = bad[at] if len(frame) else np.zeros(0, dtype=bool)
    return made, Fault(fault, "rater", "a name that can be read, person or model")


def imported_rater_row(name: str, kind: str, handle: str, models: frozenset[str]) -> dict[str, Any]:
    """A file's rater as a row to append.

    Raises:
        InvalidInput: the rater is not valid.
    """
    kind = kind.strip().casefold() or ("model" if name in models else "person")
    if kind not in ("person", "model"):
        raise InvalidInput("A rater is a person or a model.")
    is_model = kind == "model"
    origin = handle.split(":", 1)[0] if handle else "model" if is_model else "import"
    return raters.make_rater_row(
        name, kind="model" if is_model else "person", origin=origin, handle=handle or None
    )


def _contradictions(frame: pd.DataFrame, judged: pd.DataFrame) -> list[Fault]:
    """Verdicts that differ within the file, or from the store, for one rater, pair and revision."""
    places = ["item", "rater_id", "revision"]
    said = frame["rater_id"] != ""
    old = judged.rename(columns={"rater": "rater_id", "id": "before"}).astype({"revision": "int64"})
    beside = frame[places].merge(old, on=places, how="left")["before"]
    differs = np.asarray(beside.notna() & (beside.to_numpy() != frame["judgment"].to_numpy()))
    first = frame.groupby(places, sort=False)["judgment"].transform("first")
    twice = np.asarray(said & (first != frame["judgment"]), dtype=bool)
    what = "one verdict of this rater on this pair; there is already another"
    place = frame.groupby(places, sort=False).ngroup()
    of = place.groupby(frame["judgment"], sort=False).transform("first")
    shared = np.asarray(said & (of != place), dtype=bool)
    return [
        Fault(differs & np.asarray(said), "verdict", what),
        Fault(twice, "verdict", what),
        Fault(shared, "judgment_id", "an id of its own for each judgment"),
    ]


def pair_tables_by_name_and_new_and_known_counts(
    store: Store, frame: pd.DataFrame, *, dataset: str, illustrative: bool
) -> tuple[dict[str, pa.Table], int, int]:
    """The tables to append for checked pairs, the new rows, and the known rows."""
    newest = queries.source_ids_table(store, dataset)
    made = queries.ids_of_items_of_kind(store, dataset, PAIR_KIND)
    fresh = frame.drop_duplicates("item")
    fresh = fresh[~fresh["item"].isin(made)].merge(newest, on="url", how="left")
    fresh = fresh.assign(source=fresh["source"].fillna(""))
    verdicts = frame[frame["rater_id"] != ""].drop_duplicates("judgment")
    verdicts = verdicts[
        ~verdicts["judgment"].isin(queries.pair_judgments_table(store, dataset)["id"])
    ]
    by_models = verdicts["rater_id"].isin(
        [one["id"] for one in frame.attrs["raters"] if one["kind"] == "model"]
    )
    told = {name: verdicts[name].where(by_models, "") for name in ("run_id", "prompt_version")}
    verdicts = verdicts.assign(**told)
    found = {one["id"]: one for one in frame.attrs["raters"]}
    people = store.known_ids("rater", list(found))
    found = {rater: one for rater, one in found.items() if rater not in people}
    batch = {
        "rater": _rater_table(list(found.values())),
        "item": rows_from_frames.arrow_table_of_pair_items(
            fresh, dataset=dataset, illustrative=illustrative
        ),
        "judgment": rows_from_frames.arrow_table_of_judgment_rows(verdicts),
    }
    alone = int((frame["rater_id"] == "").sum())
    new_alone = int((fresh["rater_id"] == "").sum())
    added = len(verdicts) + new_alone
    return batch, added, int((frame["rater_id"] != "").sum()) - len(verdicts) + alone - new_alone


def _rater_table(rows: list[dict[str, Any]]) -> pa.Table:
    fields = ("id", "handle", "kind", "name", "email", "origin")
    schema = pa.schema([(field, pa.large_string()) for field in fields])
    return pa.Table.from_pylist(rows, schema=schema)
