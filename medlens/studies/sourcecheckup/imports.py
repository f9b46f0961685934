"""Imports SourceCheckup's files: one function per kind (sources and pairs:
``imports_sources_and_pairs``).
"""

from __future__ import annotations

import re

from medlens.deferred_module import np, pd
from medlens.review import judgment_import
from medlens.store import Store
from medlens.studies.sourcecheckup import records_to_store_rows
from medlens.studies.sourcecheckup import tables_as_in_files_queries as queries
from medlens.studies.sourcecheckup.correct_or_withdraw_reimported_rows import (
    correct_or_withdraw_and_return_comparison,
    mask_of_changed_rows,
    rows_with_those_restoring_undone_import,
)
from medlens.studies.sourcecheckup.domain_country_lookup_import_and_export import (
    COLUMNS as COUNTRIES,
)
from medlens.studies.sourcecheckup.domain_country_lookup_import_and_export import import_countries
from medlens.studies.sourcecheckup.extract_cited_addresses import separate_addresses_from_text
from medlens.studies.sourcecheckup.import_export_verdicts_on_all_sources import (
    MERGED_VERDICTS,
    import_verdicts_on_all_sources,
)
from medlens.studies.sourcecheckup.imports_published_tool_verdicts import (
    DECISIONS,
    import_published_verdicts,
)
from medlens.studies.sourcecheckup.imports_sources_and_pairs import (
    PAIRS,
    SOURCES,
    import_pairs,
    import_sources,
    imported_rater_row,
)
from medlens.studies.sourcecheckup.question_answer_statement_page_corrections import (
    make_correction_of_answers,
    make_correction_of_questions,
    make_correction_of_statements,
)
from medlens.studies.sourcecheckup.records import (
    QUESTION_KIND,
    RESPONSE_KIND,
    CleanUp,
    Question,
    Response,
    SourceJudgment,
    Statement,
    addresses_as_cell,
    digest_of_text,
    name_of_pair_item,
    name_of_question_or_response_item,
    parse_addresses,
    parse_verdict_word,
    question_id,
    response_id,
    statement_id,
)
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.tables import Column, Kind, Report, Request
from medlens.tables.file_schemas_import_requests_and_reports import (
    TABLES_OF_ITEMS,
    TABLES_OF_JUDGMENTS,
    Compared,
)
from medlens.tables.read_and_check_table import (
    Fault,
    Sheet,
    as_boolean_numpy_array,
    fault_and_mask_of_contradicting_rows,
    make_fault_of_rows_with_unknown_names,
    read_checked_table,
)

# -- clean-ups, and judgments of the other tasks ---------------------------------------------------


CLEANUPS = (
    Column("statement_id", "name", "the statement", needed=True, filled="an id"),
    Column("url", "name", "the source that does not support it", needed=True),
    Column(
        "action",
        "word",
        "its outcome",
        needed=True,
        filled="edited or removed",
        allowed=("edited", "removed"),
    ),
    Column("text", "name", "the edited statement"),
    Column("reason", "text", "why"),
    Column("model", "text", "the model that did so", filled="a model"),
    Column("verifier", "name", "the model that verified the edited statement"),
    Column("verdict", "name", "what it said, as in pairs"),
    Column("verdict_reason", "text", "why it said so"),
    Column("quote", "text", "the words of the page that it is based on"),
)


def import_cleanups(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-cleanups``: statements edited or removed, and verifiers' verdicts on them."""

    dataset = request.dataset
    stated = queries.statement_ids_table(store, dataset)["statement_id"]

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        words = frame["verdict"].map(lambda word: (parse_verdict_word(word) or "?") if word else "")
        edited, said = (
            as_boolean_numpy_array(frame["action"] == "edited"),
            as_boolean_numpy_array(frame["text"] != ""),
        )
        return frame.assign(verdict=words.astype("str")), [
            make_fault_of_rows_with_unknown_names(
                frame, "statement_id", stated, f"a statement of the dataset {dataset!r}"
            ),
            Fault(edited & ~said, "text", "the edited statement"),
            Fault(~edited & said, "text", "nothing where removed"),
            Fault(as_boolean_numpy_array(words == "?"), "verdict", "a verdict or nothing"),
            Fault(
                as_boolean_numpy_array((words != "") & (frame["verifier"] == "")),
                "verifier",
                "who said so",
            ),
        ]

    done = read_checked_table(request, CLEANUPS, check)
    models = study.models | queries.names_of_models(store, dataset)
    batch: list[records_to_store_rows.Rows] = []
    for one in done.frame.to_dict("records"):
        made = CleanUp(
            statement=one["statement_id"],
            url=one["url"],
            action=one["action"],
            text=one["text"],
            reason=one["reason"],
            model=one["model"],
        )
        batch.append(
            records_to_store_rows.cleanup_rows_by_table(made, dataset=dataset, origin="import")
        )
        if one["verdict"]:
            said = SourceJudgment(
                verdict=one["verdict"], reason=one["verdict_reason"], quote=one["quote"]
            )
            imported_rater_row(one["verifier"], "model", "", models)
            batch.append(
                records_to_store_rows.recheck_rows_by_table(
                    said,
                    cleanup=records_to_store_rows.cleanup_id(made, dataset=dataset),
                    model=one["verifier"],
                )
            )
    together = records_to_store_rows.join_rows_by_table(batch)
    known = queries.ids_of_parse_cleanup_or_recheck_rows(store, "sc_cleanup", dataset)
    fresh = {one["id"] for one in together.get("sc_cleanup", [])} - known
    if together:
        judgment_import.append_imported_rows_and_count_by_table(store, together)
    known_rows = len(done.frame) - len(fresh)
    return Report("clean-ups", len(fresh), known_rows, done.refused, done.notes)


def import_judgments(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-judgments``: exported judgments of one of the four tasks.

    The column ``task`` says which.
    """
    tasks = {task.name: task for task in study.tasks}
    return judgment_import.import_judgments_of_task_in_file(
        store, tasks, study.support.name, request
    )


QUESTIONS = (
    Column("question", "name", "the question", needed=True, filled="a question"),
    Column("question_id", "name", "its id; made of the question where there is none"),
    Column("group", "name", "the group of questions that it belongs to, such as its origin"),
    Column("answer", "text", "the answer that is expected"),
    Column("document", "text", "the reference text that it was made of", pages=True),
    Column("document_url", "text", "where that text is published"),
)
RESPONSES = (
    Column("response_id", "name", "the answer's id", needed=True, filled="an id"),
    Column("question_id", "name", "the question that it answers", needed=True, filled="an id"),
    Column("model", "name", "who gave it", needed=True, filled="a model"),
    Column("response", "text", "the answer's text", needed=True),
    Column(
        "urls",
        "list",
        "the addresses that it cites: a JSON list, or separated by spaces; where nothing is given"
        " they"
        " are taken out of the text, and [] says that there are none",
    ),
    Column("outcome", "word", "whether it is an answer", allowed=("ok", "invalid")),
    Column("raw", "text", "the answer before its addresses were removed"),
    Column("reason", "text", "why it is invalid"),
    Column("run", "text", "the run that it came from"),
)
STATEMENTS = (
    Column("statement_id", "name", "the statement's id", needed=True),
    Column("response_id", "name", "the answer that states it", needed=True, filled="an id"),
    Column("statement", "name", "the statement; without one the answer has none", needed=True),
    Column("n", "whole", "its place among the answer's, from 1", least=1, most=1_000_000),
    Column("parser", "name", "the model that extracted it"),
)


_LETTER = re.compile(r"[^\W\d_]")


# -- questions -------------------------------------------------------------------------------------


def import_questions(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-questions``: question_id, question, group, and the document if known.

    A question without an id gets one made from its text.
    """
    content = ("question", "group", "answer", "document", "document_url")
    dataset = request.dataset
    there = queries.questions_table(store, dataset)

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        named = frame["question_id"] != ""
        made = [f"q-{digest_of_text(text)[:12]}" for text in frame["question"]]
        frame["question_id"] = frame["question_id"].where(named, pd.Series(made, dtype="str"))
        other, _ = fault_and_mask_of_contradicting_rows(
            frame, "question_id", content, there.iloc[:0], "an id"
        )
        _, known = fault_and_mask_of_contradicting_rows(frame, "question_id", (), there, "an id")
        changed = mask_of_changed_rows(frame, "question_id", content, there)
        return frame.assign(known=known, changed=changed), [other]

    done = read_checked_table(request, QUESTIONS, check)
    compared = correct_or_withdraw_and_return_comparison(
        *(store, study, request, done.frame, there),
        name="question_id",
        columns=content,
        row_id=lambda name: question_id(dataset, name),
        item_name=lambda name: name_of_question_or_response_item(QUESTION_KIND, name),
        correct=lambda cells: make_correction_of_questions(store, dataset, cells),
    )
    fresh = done.frame[~as_boolean_numpy_array(done.frame["known"])]
    batch = records_to_store_rows.join_rows_by_table(
        records_to_store_rows.question_and_item_rows_by_table(
            Question(name=one["question_id"], **{column: one[column] for column in content}),
            dataset=dataset,
            illustrative=done.illustrative,
        )
        for one in fresh.to_dict("records")
    )
    columns = ("question", "source_group", "answer", "document", "document_url")
    batch = rows_with_those_restoring_undone_import(
        store, batch, dataset=dataset, table="sc_question", columns=columns
    )
    return _added(store, batch, "questions", len(fresh), done, compared, "sc_question")


def _added(
    store: Store,
    batch: records_to_store_rows.Rows,
    what: str,
    count: int,
    done: Sheet,
    compared: Compared,
    table: str = "",
) -> Report:
    if batch:
        judgment_import.append_imported_rows_and_count_by_table(store, batch)
    return Report(
        *(what, count, len(done.frame) - count, done.refused, done.notes),
        compared=compared,
        items=tuple(row["id"] for row in batch.get(table, ())),
    )


# -- responses -------------------------------------------------------------------------------------


def import_responses(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-responses``: answers with the addresses they cite.

    ``urls`` is a JSON list, a list, or addresses separated by spaces; in a file without this column
    they are taken out of the response's text. Every address is kept as cited, even if it is not a
    web address or appears five times. A response without words, or only of addresses, counts as
    invalid unless the file says otherwise.
    """
    fixed = ("question_id", "urls_text", "outcome")
    content = ("model", "response")
    dataset = request.dataset
    there = queries.responses_table(store, dataset)
    there["urls_text"] = [addresses_as_cell(list(one)) for one in there["urls"]]
    asked = queries.questions_table(store, dataset)["question_id"]

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        frame, wrong = _with_urls(frame)
        both = zip(frame["response"], frame["raw"], strict=True)
        problems = pd.Series([_problem(*one) for one in both], dtype="str")
        untold = frame["outcome"] == ""
        frame["reason"] = frame["reason"].where(~untold | (problems == ""), problems)
        frame["outcome"] = frame["outcome"].where(
            ~untold, pd.Series(np.where(problems == "", "ok", "invalid"), dtype="str")
        )
        every = (*fixed, *content)
        twice, _ = fault_and_mask_of_contradicting_rows(
            frame, "response_id", every, there.iloc[:0], "an id"
        )
        other, known = fault_and_mask_of_contradicting_rows(
            frame, "response_id", fixed, there, "an id"
        )
        changed = mask_of_changed_rows(frame, "response_id", content, there)
        # Only an answer is shown to anybody.
        invalid = as_boolean_numpy_array(frame["outcome"] != "ok") & changed
        what = f"the id of a question of the dataset {dataset!r}"
        return frame.assign(known=known, changed=changed), [
            make_fault_of_rows_with_unknown_names(frame, "question_id", asked, what),
            wrong,
            twice,
            Fault(other.rows | invalid, other.column, other.expected),
        ]

    done = read_checked_table(request, RESPONSES, check)
    compared = correct_or_withdraw_and_return_comparison(
        *(store, study, request, done.frame, there),
        name="response_id",
        columns=content,
        row_id=lambda name: response_id(dataset, name),
        item_name=lambda name: name_of_question_or_response_item(RESPONSE_KIND, name),
        correct=lambda cells: make_correction_of_answers(store, dataset, cells),
    )
    fresh = done.frame[~as_boolean_numpy_array(done.frame["known"])]
    batch = records_to_store_rows.join_rows_by_table(
        records_to_store_rows.response_citation_and_item_rows_by_table(
            Response(
                name=one["response_id"],
                question=one["question_id"],
                text=one["response"],
                **{name: one[name] for name in ("model", "urls", "outcome", "raw", "reason")},
            ),
            dataset=dataset,
            run=one["run"],
            illustrative=done.illustrative,
        )
        for one in fresh.to_dict("records")
    )
    batch = rows_with_those_restoring_undone_import(
        store,
        batch,
        dataset=dataset,
        table="sc_response",
        columns=content,
        fixed=("question", "outcome"),
    )
    return _added(store, batch, "responses", len(fresh), done, compared, "sc_response")


def _problem(response: str, raw: str) -> str:
    """Why a text is not an answer, in the pipeline's words; empty if it is one. ``raw`` is the text
    before its addresses were taken out.
    """
    empty = not response.strip()
    text = raw if empty else response
    # Most answers have words besides addresses and need no closer look.
    words = (one for one in text.split() if "//" not in one and "www." not in one.lower())
    if not any(_LETTER.search(one) for one in words):
        cited = separate_addresses_from_text(text)
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
                found.append(parse_addresses(given))
            except ValueError:
                found.append(())
                wrong[at] = True
            continue
        # No sources are given: use those in the text. An explicit [] means none.
        cited = separate_addresses_from_text(texts[at])
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
    shown = pd.Series([addresses_as_cell(one) for one in found], dtype="str", index=frame.index)
    what = "addresses as a JSON list, or separated by spaces"
    return frame.assign(urls=made, urls_text=shown), Fault(wrong, "urls", what)


# -- statements ------------------------------------------------------------------------------------


def import_statements(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-statements``: the facts of each response.

    A row with only a response means that it contained none. A fact repeated under another id is
    kept: a response can say a thing twice.
    """
    dataset = request.dataset
    there = queries.statements_table(store, dataset)
    there = there[there["statement_id"] != ""]
    given = queries.responses_table(store, dataset)
    answered = given["response_id"][given["outcome"] == "ok"]

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        named, said = (
            as_boolean_numpy_array(frame["statement_id"] != ""),
            as_boolean_numpy_array(frame["statement"] != ""),
        )
        both = ("response_id", "statement")
        twice, _ = fault_and_mask_of_contradicting_rows(
            frame, "statement_id", both, there.iloc[:0], "an id"
        )
        other, known = fault_and_mask_of_contradicting_rows(
            frame, "statement_id", both[:1], there, "an id"
        )
        changed = mask_of_changed_rows(frame, "statement_id", both[1:], there) & named
        what = f"the id of a valid response of the dataset {dataset!r}"
        return frame.assign(known=known, changed=changed), [
            make_fault_of_rows_with_unknown_names(frame, "response_id", answered, what),
            Fault(~named & said, "statement_id", "an id"),
            Fault(named & ~said, "statement", "a statement"),
            Fault((other.rows | twice.rows) & named, other.column, other.expected),
        ]

    done = read_checked_table(request, STATEMENTS, check)
    frame = done.frame
    named = as_boolean_numpy_array(frame["statement_id"] != "")
    compared = correct_or_withdraw_and_return_comparison(
        *(store, study, request, frame[named].reset_index(drop=True), there),
        name="statement_id",
        columns=("statement",),
        row_id=lambda name: statement_id(dataset, name),
        item_name=lambda name: name,
        correct=lambda cells: make_correction_of_statements(
            store, dataset, {item: cell["statement"] for item, cell in cells.items()}
        ),
    )
    fresh = named & ~as_boolean_numpy_array(frame["known"])
    before = queries.statement_ids_table(store, dataset).groupby("response_id")["n"].max().to_dict()
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
        records_to_store_rows.statement_and_parse_rows_by_table(
            found, dataset=dataset, response=response, model=parsers[response]
        )
        for response, found in stated.items()
    ]
    together = records_to_store_rows.join_rows_by_table(batch)
    parsed = queries.ids_of_parse_cleanup_or_recheck_rows(store, "sc_parse", dataset)
    new = {one["response"] for one in together.get("sc_parse", []) if one["id"] not in parsed}
    alone = frame[~named]["response_id"].nunique()
    added = int(fresh.sum()) + min(alone, len(new))
    together = rows_with_those_restoring_undone_import(
        store,
        together,
        dataset=dataset,
        table="sc_statement",
        columns=("statement",),
        fixed=("response",),
    )
    # That an answer has no statements is no item that could be taken back.
    table = "" if alone else "sc_statement"
    return _added(store, together, "statements", added, done, compared, table)


_TABLES_OF_ANSWERS = frozenset(
    ("sc_question", "sc_response", "sc_citation", "sc_parse", "sc_statement")
)
_TABLES_OF_PAGES = frozenset(("sc_source", "sc_source_part", "sc_outcome", "corrected_row"))

IMPORTS: dict[str, Kind] = {
    "sourcecheckup-questions": Kind(
        title="Questions of SourceCheckup",
        read=import_questions,
        columns=QUESTIONS,
        looks="SourceCheckup's questions: question_id, question, group, and the document that "
        "each was made from, where there is one.",
        known_by=({"question_id", "question"},),
        about=lambda study, row: name_of_question_or_response_item(
            QUESTION_KIND, str(row.get("question_id") or "").strip()
        ),
        writes=TABLES_OF_ITEMS | {"sc_question", "corrected_row"},
    ),
    "sourcecheckup-responses": Kind(
        title="Answers with the addresses they cite",
        read=import_responses,
        columns=RESPONSES,
        looks="Answers: response_id, question_id, model, response and urls (a JSON list, or "
        "separated by spaces).",
        known_by=({"response_id", "question_id", "response"},),
        about=lambda study, row: name_of_question_or_response_item(
            RESPONSE_KIND, str(row.get("response_id") or "").strip()
        ),
        writes=TABLES_OF_ITEMS | {"sc_response", "sc_citation", "corrected_row"},
    ),
    "sourcecheckup-statements": Kind(
        title="Statements extracted from the answers",
        read=import_statements,
        columns=STATEMENTS,
        looks="Statements extracted from the answers: statement_id, response_id, statement.",
        writes=TABLES_OF_ITEMS | {"sc_parse", "sc_statement", "corrected_row"},
    ),
    "sourcecheckup-sources": Kind(
        title="Cited pages with their texts",
        read=import_sources,
        columns=SOURCES,
        looks="Cited pages: url, status and text.",
        known_by=({"url", "status", "text"},),
        writes=TABLES_OF_ITEMS | _TABLES_OF_PAGES,
    ),
    "sourcecheckup-pairs": Kind(
        title="Statements and sources, with raters' verdicts",
        read=import_pairs,
        columns=PAIRS,
        about=lambda study, row: name_of_pair_item(
            str(row.get("statement_id") or "").strip(), str(row.get("url") or "").strip()
        ),
        # Columns that the export has besides.
        asks=lambda study, column: column in ("statement", "response_id", "model", "outcome"),
        looks="Verdicts: statement_id, url, rater, verdict, reason and quote. A rater with a "
        "model's name is a model.",
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS,
    ),
    "sourcecheckup-decisions": Kind(
        title="Verdicts in the published tool's layout (Statement, Citation URL, …)",
        read=import_published_verdicts,
        columns=DECISIONS,
        looks="The published tool's table: Statement, Citation URL, Decision (found or "
        "not_found) and Reason.",
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS | _TABLES_OF_ANSWERS | _TABLES_OF_PAGES,
    ),
    "sourcecheckup-merged": Kind(
        title="Verdicts on statements and all their sources together",
        read=import_verdicts_on_all_sources,
        columns=MERGED_VERDICTS,
        looks="Models' verdicts on statements and all sources of their answer together: "
        "statement_id, rater, verdict, reason and quote.",
        known_by=(
            {"statement_id", "rater", "verdict"},
            {"statement_id", "rater", "verdict", "statement"},
        ),
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS,
    ),
    "sourcecheckup-countries": Kind(
        title="Where cited sites are registered",
        read=import_countries,
        columns=COUNTRIES,
        looks="Where cited domains are registered: domain, country.",
        writes=frozenset({"sc_site"}),
    ),
    "sourcecheckup-cleanups": Kind(
        title="Statements edited or removed",
        read=import_cleanups,
        columns=CLEANUPS,
        looks="What Export wrote as cleanups: statements edited or removed.",
        known_by=(
            {"statement_id", "url", "action"},
            {"statement_id", "url", "action", "rater", "verdict"},
        ),
        writes=frozenset({"rater", "sc_cleanup", "sc_recheck"}),
    ),
    "sourcecheckup-judgments": Kind(
        title="Judgments of answers, statements or questions exported by MedLens",
        read=import_judgments,
        columns=judgment_import.COLUMNS,
        more="answer, reason and passages; or verdict, reason, quote and passages; or in_answer,"
        " contained, complete and missing",
        looks="What Export wrote as judgments of answers, statements or questions.",
        judgments=True,
    ),
}
"""Kinds of files that can be imported."""
