"""Imports the published tool's verdicts: Statement, Citation URL, Decision, Reason.

That layout identifies statements only by their text. If the dataset has the statement, in a
response that cites the address, the verdict is on that one; the other statements become one
response, named after the file.
"""

from __future__ import annotations

from pathlib import Path

from medlens.deferred_module import np, pa, pd
from medlens.store import Store
from medlens.studies.sourcecheckup import records_to_store_rows
from medlens.studies.sourcecheckup import tables_as_in_files_queries as queries
from medlens.studies.sourcecheckup.imports_sources_and_pairs import (
    PAIRS,
    make_function_that_checks_pairs,
    pair_tables_by_name_and_new_and_known_counts,
    series_of_addresses_without_fragments,
)
from medlens.studies.sourcecheckup.records import (
    Question,
    Response,
    Statement,
    response_id,
    statement_id,
)
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.tables import Column, Report, Request
from medlens.tables.read_and_check_table import Fault, add_missing_columns, read_checked_table

DECISIONS = (
    Column("statement", "name", "the statement", needed=True, filled="a statement"),
    Column("citation_url", "name", "the address cited for it", needed=True, filled="an address"),
    Column("decision", "name", "found or not_found", needed=True),
    Column("reason", "text", "why"),
    Column("rater", "name", "the model that decided; by default SourceCheckup"),
    Column("statement_id", "name", "the statement's id, where it is known"),
)
VERIFIER = "SourceCheckup"
"""Whose verdicts they are where neither the file nor ``--name`` says so."""


def import_published_verdicts(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-decisions``: ``found`` is supported, ``not_found`` is not."""
    name = Path(request.name).stem or "decisions"

    dataset = request.dataset
    given = queries.statement_ids_table(store, dataset)
    cited = queries.cited_addresses_table(store, dataset)

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        frame = frame.rename(columns={"citation_url": "url", "decision": "verdict"})
        frame = frame.assign(
            rater=frame["rater"].where(frame["rater"] != "", request.label or VERIFIER),
            rater_kind="model",
        )
        # Columns that this layout lacks are added empty, as in a table of pairs without them.
        frame = add_missing_columns(frame, PAIRS)
        pages = frame.assign(url=series_of_addresses_without_fragments(frame["url"]))
        frame["statement_id"] = _names(pages, given, cited, name)
        ours = frame["statement_id"].str.startswith(f"{name}-")
        ours &= ~frame["statement_id"].isin(given["statement_id"])
        frame = frame.assign(said=frame["statement"], new=ours.astype(bool))
        new = frame[frame["new"]]
        stated = new.drop_duplicates("statement_id")["statement_id"]
        more = pd.DataFrame(
            {
                "statement_id": stated,
                "statement": [statement_id(dataset, one) for one in stated],
                "response": response_id(dataset, name),
            }
        )
        links = pd.DataFrame(
            {
                "response": response_id(dataset, name),
                "url": series_of_addresses_without_fragments(new["url"]).unique(),
            }
        )
        done, found = make_function_that_checks_pairs(
            store,
            study,
            dataset,
            pd.concat([given[["statement_id", "statement", "response"]], more]),
            pd.concat([cited, links]).drop_duplicates(),
        )(frame)
        return done, [_renamed(fault) for fault in found]

    done = read_checked_table(request, DECISIONS, check)
    batch, added, known = pair_tables_by_name_and_new_and_known_counts(
        store, done.frame, dataset=dataset, illustrative=done.illustrative
    )
    new = done.frame[done.frame["new"].astype(bool)]
    made = _response(new.assign(statement=new["said"]), name, dataset)
    first = {
        table: pa.Table.from_pylist(found)
        for table, found in records_to_store_rows.join_rows_by_table(made).items()
        if found and table != "item"
    }
    items = [one for part in made for one in part.get("item", [])]
    if items:
        batch["item"] = pa.concat_tables(
            [pa.Table.from_pylist(items), batch["item"]], promote_options="permissive"
        )
    store.append_tables_and_count_new_by_table({**first, **batch})
    return Report("verdicts", added, known, done.refused, done.notes)


def _renamed(fault: Fault) -> Fault:
    names = {"url": "citation_url", "verdict": "decision"}
    return Fault(fault.rows, names.get(fault.column, fault.column), fault.expected)


def _names(
    frame: pd.DataFrame, given: pd.DataFrame, cited: pd.DataFrame, name: str
) -> pd.Series[str]:
    """The statements' names: those in the dataset, or new ones numbered within the file."""
    known = given.merge(cited, on="response").drop_duplicates(["text", "url"])
    beside = frame[["statement", "url"]].merge(
        known[["text", "url", "statement_id"]],
        left_on=["statement", "url"],
        right_on=["text", "url"],
        how="left",
    )["statement_id"]
    codes = pd.factorize(frame["statement"])[0]
    found = np.where(beside.notna(), beside, [f"{name}-{code + 1}" for code in codes])
    said = frame["statement_id"].to_numpy(object)
    return pd.Series(np.where(said != "", said, found), dtype="str", index=frame.index)


def _response(new: pd.DataFrame, name: str, dataset: str) -> list[records_to_store_rows.Rows]:
    """One response with the file's statements that the dataset does not have."""
    if new.empty:
        return []
    first = new.drop_duplicates("statement_id")
    text = " ".join(first["statement"])
    urls = tuple(new["url"].unique())
    stated = [
        Statement(name=one, response=name, n=n, statement=said)
        for n, (one, said) in enumerate(
            zip(first["statement_id"], first["statement"], strict=True), start=1
        )
    ]
    return [
        records_to_store_rows.question_and_item_rows_by_table(
            Question(name=name, question=name), dataset=dataset
        ),
        records_to_store_rows.response_citation_and_item_rows_by_table(
            Response(name=name, question=name, model="unknown", text=text, urls=urls),
            dataset=dataset,
        ),
        records_to_store_rows.statement_and_parse_rows_by_table(
            stated, dataset=dataset, response=name
        ),
    ]
