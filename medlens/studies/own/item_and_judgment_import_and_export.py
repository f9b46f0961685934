"""Imports and exports own studies' items and judgments."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from medlens.config.question_forms_and_answer_checks import (
    LONGEST_TO_REWRITE,
    MOST_CRITERIA,
    describe_criterion_faults,
)
from medlens.config.toml_edit import set_field_in_toml
from medlens.deferred_module import pd
from medlens.errors import BadFile, BadRow, InvalidInput
from medlens.review import (
    compare_correct_withdraw_reimported_items,
    consensus,
    items,
    judgment_export,
    judgment_import,
)
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.store import Store, to_json
from medlens.studies.own import queries
from medlens.studies.own.attached_files import (
    FILES,
    AttachedStudyFiles,
    file_names_in_cell,
    merge_case_and_arm_cells,
)
from medlens.studies.own.blinded_arms import ARM, ARMS, CASE, item_name_of_arm
from medlens.studies.own.dialogue_turns import parse_turns_of_dialogue
from medlens.studies.own.find_and_replace_patient_identifiers import (
    Place,
    find_identifiers_in_rows,
    list_identifiers_found_in_words,
    list_identifiers_in_row,
    replace_identifiers_in_cell,
)
from medlens.studies.own.imported_preferences import RATER, judgment_rows_from_preferences
from medlens.studies.own.item_specific_criteria import (
    make_criteria_export_table,
    make_judgments_export_table,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    cell_of_flattened_column,
    is_cell_missing,
    is_nearly_empty,
    is_row_of_words_and_numbers,
    list_columns_of_nested_cell,
    value_as_readable_lines,
)
from medlens.studies.own.model_giveaways import (
    Telling,
    find_model_giveaways,
    list_words_masked_only_as_author,
)
from medlens.studies.own.model_name_masking import has_masked_names
from medlens.studies.own.nested_values_in_text import parse_nested_value
from medlens.studies.own.reimport_difference_in_words import first_difference_in_words
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import (
    HOW_TO_COMPARE_ANOTHER_MODEL,
    ITEM,
    UNREADABLE,
    ItemColumn,
    PaneKind,
    StudyDeclaration,
    parse_study_file,
)
from medlens.studies.own.tasks import ITEM_KIND, STUDY, TaskOfMarks, make_own_study_task
from medlens.tables import (
    Column,
    Kind,
    Loaded,
    Report,
    Request,
    Row,
    RowError,
    Source,
    load_parsed_and_refused_rows,
    parse_json_value,
)
from medlens.tables.file_schemas_import_requests_and_reports import (
    ILLUSTRATIVE,
    TABLES_OF_ITEMS,
    TABLES_OF_JUDGMENTS,
)
from medlens.tables.read_limits import LONGEST
from medlens.tables.row_reader import normalise_column_name

_NAMED = 5
_TURNS = 'a JSON list of turns, each {"role": …, "content": …} or as chat models write them'
_ROWS = "a JSON list of rows, each an object"
_STRUCTURED = ("dialogue", "table")
_AT_ONCE = 2_000
"""Rows that are looked through together for what may identify a patient: that is quicker."""
LEAD_OF_IDENTIFIERS = "Some cells may identify a patient."
WHAT_TO_DO = 'The study\'s file says what becomes of them: identifiers = "replace" or "leave_out".'
_CRITERIA = 'a JSON list of criteria, each {"criterion": "WORDS", "points": NUMBER, "tags": […]}'


def import_items(store: Store, study: Study, request: Request) -> Report:
    """``own-items``: a study's items, in the columns that its file declares."""
    declared = require_declaration_of_study(study, request)
    reading = _Reading(declared, study.attached)

    def take(row: Row) -> str:
        name = reading.take(row)
        if name and request.on_row:
            request.on_row(_with_name_of_item(row, declared.item, name))
        return name

    # Only who counts the rows knows of which item one without a name is.
    numbered = replace(request, on_row=None) if declared.numbered else request
    try:
        loaded: Loaded[str] = load_parsed_and_refused_rows(
            request.source,
            take if declared.numbered else reading.take,
            columns=reading.columns,
            own_export=True,
            **numbered.reading_options,
        )
    except BadFile as error:
        arm = declared.arms.column if declared.arms and not declared.arms.wide else None
        if arm is None or arm not in {row.column for row in error.rows}:
            raise
        raise BadFile(error.message, hint=HOW_TO_COMPARE_ANOTHER_MODEL, rows=error.rows) from error
    cases = _items(declared, reading.cases, request.name)
    place = {"study": STUDY, "dataset": declared.study_id}
    comparison = compare_correct_withdraw_reimported_items.compare_file_items_with_dataset(
        store, cases, kind=ITEM_KIND, **place
    )
    if comparison.changed:
        item, (_, body) = next(iter(comparison.changed.items()))
        before = items.load_item_bodies_by_id(store, [item])[item]
        said = first_difference_in_words(declared, before, json.loads(body))
        comparison = replace(comparison, difference=said)
    compared = compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store, (study.task,), comparison, request.revising, **place
    )
    changed = comparison.set_of_changed_item_names
    with ThreadPoolExecutor(1) as threads:
        # While items are saved this process mostly waits.
        told_of_cases = threads.submit(_told_of, declared, reading.cases)
        done = items.add_items(
            store,
            [case for case in cases if case.name not in changed],
            study=STUDY,
            kind=ITEM_KIND,
            dataset=declared.study_id,
            illustrative=declared.illustrative or (bool(reading.made_up) and all(reading.made_up)),
        )
    notes = (*loaded.notes, *reading.told, *told_of_cases.result())
    if not (request.revising and request.revising.missing == "withdraw"):
        notes += tuple(_told_of_items_that_stay(reading.names_left_out, comparison.missing))
    if judged := judgment_rows_from_preferences(declared, cases, study.version):
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in judged)
        asked = replace(
            request,
            source=lines.encode(),
            name="choices.jsonl",
            progress=None,
            skip_bad=False,
            # These are no rows of the file: they have no further columns of its items.
            on_row=None,
        )
        told = judgment_import.import_judgments(store, study.task, asked)
        count = told.added + told.known
        notes += (f"{count:,} choices that the table has are judgments of “{RATER}”.",)
    known = done.known + compared.changed
    return Report(
        *("items", done.added, known, loaded.refused, notes), compared=compared, items=done.items
    )


def _with_name_of_item(row: Row, column: str, name: str) -> Row:
    """A row with its item's name in the ``column`` of names, however that is written there."""
    wanted = normalise_column_name(column)
    cells = {one: cell for one, cell in row.values.items() if normalise_column_name(one) != wanted}
    return replace(row, values={column: name, **cells})


def _told_of_items_that_stay(left_out: Iterable[str], missing: Mapping[str, str]) -> list[str]:
    """That a row which is left out is an item already; ``missing`` are those of the dataset that
    the file lacks, by id.
    """
    there = set(missing.values())
    still = [f"“{name}”" for name in dict.fromkeys(left_out) if name in there]
    if not still:
        return []
    more = f" and {len(still) - _NAMED:,} more" if len(still) > _NAMED else ""
    one = len(still) == 1
    return [
        f"{', '.join(still[:_NAMED])}{more} {'is' if one else 'are'} left out and"
        f" {'was an item' if one else 'were items'} before: what is judged stays. Withdraw"
        f" {'it' if one else 'them'} on Data, under Items, if {'it' if one else 'they'} should not"
        " count."
    ]


def correctable_cells_by_column(study: Study, body: Mapping[str, Any]) -> dict[str, str]:
    """The cells of an item that can be corrected, as text, by column; a column that each arm of a
    case has of its own is ``COLUMN / ARM``.
    """
    found = {}
    for name, (column, arm) in _columns_of_item(study.declared, body).items():
        cell = (body[ARMS][arm] if arm else body).get(column.name, "")
        found[name] = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    return found


def do_cells_reveal_hidden_things(study: Study) -> bool:
    """Whether an item's cells tell what raters are not told before they answer: which arm wrote
    what, or a column that no pane shows them at first and no figure is broken down by.
    """
    declared = study.declared
    at_first = {name for pane in declared.initial_panes for name in pane.columns}
    hidden = (one for one in declared.columns if not one.groups and one.name not in at_first)
    return declared.arms is not None or any(hidden)


def make_body_with_corrected_cells(
    study: Study, body: Mapping[str, Any], cells: Mapping[str, str]
) -> dict[str, Any]:
    """An item's body with these cells (text, by the columns of ``correctable_cells_by_column``),
    read as an import reads them.

    Raises:
        InvalidInput: a cell is none that the study can show; says in which column.
    """
    declared, columns = study.declared, _columns_of_item(study.declared, body)
    reading = _Reading(declared, study.attached)
    corrected = dict(body)
    if ARMS in body:
        corrected[ARMS] = {arm: dict(own) for arm, own in body[ARMS].items()}
    for name, cell in cells.items():
        column, arm = columns[name]
        held = corrected[ARMS][arm] if arm else corrected
        in_order = [one.name for one in declared.columns]
        try:
            made = reading.read_cell(cell, column)
        except RowError as error:
            raise InvalidInput(f"{name}: expected {error.expected}.") from error
        files = {**held.get(FILES, {}), **made.pop(FILES, {})}
        held.pop(column.name, None)
        after = in_order[in_order.index(column.name) + 1 :]
        rest = {key: held.pop(key) for key in list(held) if key in after}
        # Where an import has it, so that the same item from a file is equal.
        held |= made | rest
        if files:
            held[FILES] = _files_that_are_named(declared, held, files)
    return corrected


def _files_that_are_named(
    declared: StudyDeclaration, cells: Mapping[str, Any], digests: Mapping[str, str]
) -> dict[str, str]:
    named = {
        file
        for column, kind in declared.pane_kinds_by_file_column.items()
        for file in file_names_in_cell(str(cells.get(column, "")), kind)
    }
    return {file: digest for file, digest in digests.items() if file in named}


def _columns_of_item(
    declared: StudyDeclaration, body: Mapping[str, Any]
) -> dict[str, tuple[ItemColumn, str]]:
    """The columns of an item's cells with the arm that each belongs to ("": the whole item)."""
    arms = body.get(ARMS, {})
    found: dict[str, tuple[ItemColumn, str]] = {}
    for column in declared.columns:
        if arms and column.by_arm:
            found |= {f"{column.name} / {arm}": (column, arm) for arm in arms}
        else:
            found[column.name] = (column, "")
    return found


def read_cases_by_name_without_answers(study: Study, source: Source) -> dict[str, Case]:
    """The cases in a file without answers, by name: the cells that all arms of a case share.

    Raises:
        BadFile: it is not such a file, or rows lack something.
    """
    reading = _Reading(_without_answers(study.declared), study.attached)
    load_parsed_and_refused_rows(source, reading.take, columns=reading.columns)
    return reading.cases


def _without_answers(declared: StudyDeclaration) -> StudyDeclaration:
    columns = tuple(one for one in declared.columns if not (one.by_arm or one.prompt))
    return replace(declared, arms=None, columns=columns)


def add_model_answers_to_case(
    declared: StudyDeclaration, case: Case, said: Mapping[str, str]
) -> Case:
    """A case with the models' answers, by arm; "" is the arm of a study without arms."""
    assert declared.column_written_by_models is not None
    column = declared.column_written_by_models.name
    if declared.arms:
        return replace(case, own={arm: {column: said[arm]} for arm in declared.arms.names})
    shared = {**case.shared, column: said[""]}
    # In the import's order, so that the same item from a file is equal.
    names = [*(one.name for one in declared.columns), FILES]
    return replace(case, shared={name: shared[name] for name in names if name in shared})


def add_items_from_cases_and_list_report_lines(
    store: Store, study: Study, cases: Mapping[str, Case], name: str
) -> list[str]:
    """Add the items made from fully answered cases, and report on it in lines; ``name`` is the file
    they came from.
    """
    declared = study.declared
    new = _items(declared, cases, name)
    added = items.add_items(
        store,
        new,
        study=STUDY,
        kind=ITEM_KIND,
        dataset=declared.study_id,
        illustrative=declared.illustrative,
    ).added
    are = "item is" if added == 1 else "items are"
    return [f"{added:,} {are} new and can be judged.", *_told_of(declared, cases)]


@dataclass
class Case:
    """A case's cells, from one row or from the rows of all arms; ``line`` is the first."""

    line: int
    shared: dict[str, Any]
    own: dict[str, dict[str, Any]]


def digest_of_row_cells(declared: StudyDeclaration, values: Mapping[str, Any]) -> str:
    """What tells a row of a table from others: a digest of its cells in the study's columns. It is
    the same if the row moves, and shows nothing of what stands there.
    """
    arms = declared.arms
    wide = arms.wide.values() if arms else ()
    columns = {
        declared.item,
        *(one.name for one in declared.columns),
        *(column for of in wide for column in of.values()),
        *([arms.column] if arms else []),
    }
    cells = {column: cell_of_flattened_column(values, column) for column in sorted(columns)}
    filled = {
        column: cell.strip() if isinstance(cell, str) else cell
        for column, cell in cells.items()
        if not is_cell_missing(cell)
    }
    written = json.dumps(filled, sort_keys=True, ensure_ascii=False, default=str)
    return blake2b(written.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def study_file_with_rows_left_out_or_taken_back(
    text: str, rows: Sequence[Mapping[str, Any]]
) -> str:
    """The study's file with these rows of its table left out, or no longer if the first one was.

    Raises:
        BadFile: the file has mistakes.
    """
    declared = parse_study_file(text)
    these = list(dict.fromkeys(digest_of_row_cells(declared, row) for row in rows))
    marks = [one for one in declared.leave_out_rows if one not in these]
    if these[0] not in declared.leave_out_rows:
        marks += these
    return set_field_in_toml(text, "", 0, "leave_out_rows", marks or None)


def list_positions_of_rows_of_case(
    declared: StudyDeclaration, rows: Sequence[Mapping[str, Any]], at: int
) -> list[int]:
    """The places, from 0, of the rows that make one item with row ``at``: itself, and where answers
    in rows are compared, the others of its name.
    """
    arms, name = declared.arms, cell_of_flattened_column(rows[at], declared.item)
    if arms is None or arms.wide or not declared.are_arms_side_by_side or is_cell_missing(name):
        return [at]
    return [
        place
        for place, row in enumerate(rows)
        if cell_of_flattened_column(row, declared.item) == name
    ]


class _Reading:
    """Reads the rows of a file of items one by one, and gathers them into cases."""

    def __init__(self, declared: StudyDeclaration, attached: AttachedStudyFiles | None) -> None:
        self._declared, self._attached = declared, attached
        self._digests: dict[tuple[str, str], str] = {}
        self._kinds = {one.columns[0]: one.kind for one in declared.panes}
        self._shared = [one for one in declared.columns if not (declared.arms and one.by_arm)]
        self._to_rewrite = {one.column for one in declared.rewriting_questions_by_id.values()}
        self._more_than_text = {
            declared.criteria_column,
            *(name for name, kind in self._kinds.items() if kind in _STRUCTURED),
            *declared.possible_answers_by_column,
            *declared.pane_kinds_by_file_column,
            *self._to_rewrite,
        }
        self._missing = frozenset(declared.missing)
        self._rows = 0
        # What is told of a row calls it by this number, given its place below the headings.
        self.number_of_row: Callable[[int], int] = int
        self.left_out: list[int] = []
        self.names_left_out: list[str] = []
        self._marked = frozenset(declared.leave_out_rows)
        self._met: set[str] = set()
        self._not_looked_at = {
            *declared.pane_kinds_by_file_column,
            *declared.possible_answers_by_column,
            *([declared.arms.column] if declared.arms else []),
            *("illustrative", "dataset"),
        }
        self._waiting: list[tuple[int, Mapping[str, Any]]] = []
        self.identifying: list[Place] = []
        self.replaced = 0
        self._renamed: dict[str, int] = {}
        self.left_out_identifying: list[int] = []
        wide = declared.arms.wide.values() if declared.arms else ()
        self._shown = [
            column
            for own in dict.fromkeys(name for one in declared.initial_panes for name in one.columns)
            for column in ([of[own] for of in wide if own in of] or [own])
        ]
        self.cases: dict[str, Case] = {}
        self._numbers: dict[str, str] = {}
        self.made_up: list[bool] = []

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that the file has."""
        declared, arms = self._declared, self._declared.arms
        wide = arms.wide if arms else {}
        needs = [one for one in declared.columns if not (wide and one.by_arm)]
        return (
            Column(
                declared.item,
                "name",
                f"the {declared.thing}'s name",
                needed=not declared.numbered and "." not in declared.item,
            ),
            # A name with a dot may be a part of a nested cell: whether it is there, rows say.
            *(
                Column(one.name, "text", one.means, needed=one.required and "." not in one.name)
                for one in needs
            ),
            *(
                Column(column, "text", f"the {own} of {arm}", needed="." not in column)
                for arm, of in wide.items()
                for own, column in of.items()
            ),
            *(
                [Column(arms.column, "name", "the arm", needed="." not in arms.column)]
                if arms and not wide
                else []
            ),
            ILLUSTRATIVE,
        )

    def take(self, row: Row) -> str:
        """Add a row; returns the name of its item, "" if it is left out.

        Raises:
            RowError: something in it is missing, or contradicts an earlier row of its case.
        """
        declared, arms = self._declared, self._declared.arms
        wide = bool(arms and arms.wide)
        self._rows += 1
        if self._leaves_out(row):
            self.left_out.append(self._rows)
            named = cell_of_flattened_column(row.values, declared.item)
            if not is_cell_missing(named):
                self.names_left_out.append(str(named).strip())
            elif arms is None or wide:
                self.names_left_out.append(str(self._rows))
            return ""
        if declared.identifiers != "keep" and not declared.illustrative:
            cleaned = self._without_identifiers(row)
            if cleaned is None:
                return ""
            row = cleaned
        name = _name_in(cell_of_flattened_column(row.values, declared.item), declared.item)
        if not name and not declared.numbered:
            raise RowError(declared.item, f"the {declared.thing}'s name")
        shared = self._cells(row, self._shared, {})
        if not name and (arms is None or wide):
            name = str(self._rows)
        elif not name:
            # The rows of a case are those that share all that its answers do not differ in.
            given_cells = json.dumps(shared, sort_keys=True, default=str)
            name = self._numbers.setdefault(given_cells, str(len(self._numbers) + 1))
        own = {}
        if arms:
            given = (
                _name_in(cell_of_flattened_column(row.values, arms.column), arms.column)
                if not wide
                else ""
            )
            given = arms.also.get(given, given)
            if not wide and given not in arms.names:
                raise RowError(
                    arms.column,
                    f"one of those that the study compares ({', '.join(arms.names)})",
                    given,
                )
            by_arm = [one for one in declared.columns if one.by_arm]
            for arm in arms.names if wide else [given]:
                own[arm] = self._cells(row, by_arm, arms.wide.get(arm, {}))
        case = self.cases.setdefault(name, Case(row.line, shared, {}))
        if case.shared is not shared:
            twice = [arm for arm, what in own.items() if case.own.get(arm, what) != what]
            if case.shared != shared and arms:
                differs = next(
                    n for n in {**case.shared, **shared} if case.shared.get(n) != shared.get(n)
                )
                raise RowError(
                    differs, f"the same for all of {name} (line {case.line} has another)"
                )
            if case.shared != shared or twice:
                raise RowError(
                    declared.item, f"a name not used already (line {case.line} has it)", name
                )
        case.own.update(own)
        self.made_up.append(str(row.values.get("illustrative") or "").casefold() in ("true", "1"))
        return name

    def _leaves_out(self, row: Row) -> bool:
        declared = self._declared
        if self._marked and (mark := digest_of_row_cells(declared, row.values)) in self._marked:
            self._met.add(mark)
            return True
        if declared.leave_out and is_row_of_words_and_numbers(row.values, declared.leave_out):
            return True
        if declared.nearly_empty == "keep":
            return False
        values = {
            name: "" if is_cell_missing(cell, self._missing) else cell
            for name, cell in row.values.items()
        }
        return is_nearly_empty(values, self._shown)

    def _without_identifiers(self, row: Row) -> Row | None:
        """The row as the study's file wants it where something may identify a patient; None if it
        is left out.
        """
        decided = self._declared.identifiers
        if decided == "tell":
            self._waiting.append((self._rows, row.values))
            if len(self._waiting) >= _AT_ONCE:
                self._look_at_waiting()
            return row
        found = list_identifiers_in_row(row.values, self._not_looked_at)
        if not found:
            return row
        if decided == "leave_out":
            self.left_out_identifying.append(self._rows)
            return None
        self.replaced += len(found)
        return replace(
            row,
            values=cells_by_column_with_identifiers_replaced(
                self._declared, row.values, self._renamed
            ),
        )

    @property
    def told(self) -> list[str]:
        """Notes on the rows that were left out, counted from 1, and on what may identify a
        patient.
        """
        return [*self._told_of_rows(), *self._told_of_identifiers()]

    def _look_at_waiting(self) -> None:
        rows = [values for _, values in self._waiting]
        self.identifying += [
            replace(place, row=self._waiting[place.row - 1][0])
            for place in find_identifiers_in_rows(rows, self._not_looked_at)
        ]
        self._waiting = []

    def _told_of_identifiers(self) -> list[str]:
        self._look_at_waiting()
        if self.identifying:
            lines = list_identifiers_found_in_words(self.identifying, quoted=False)
            return [f"{LEAD_OF_IDENTIFIERS} {' '.join(lines)} {WHAT_TO_DO}"]
        if self.replaced:
            places = "1 place that may identify a patient was"
            if self.replaced > 1:
                places = f"{self.replaced:,} places that may identify a patient were"
            return [f"{places} replaced."]
        if self.left_out_identifying:
            named = self._named_rows(self.left_out_identifying)
            return [f"Left out, as it may identify a patient: row {named}."]
        return []

    def _told_of_rows(self) -> list[str]:
        return [*self._told_of_left_out(), *self._told_of_marks_not_met()]

    def _told_of_marks_not_met(self) -> list[str]:
        lacking = len(self._marked) - len(self._met)
        if not lacking:
            return []
        if lacking == 1:
            what, changed = (
                "row that the study's file leaves out is",
                "it was changed, it is an item",
            )
        else:
            what = "rows that the study's file leaves out are"
            changed = "they were changed, they are items"
        return [f"{lacking:,} {what} not in this table: if {changed} now."]

    def _told_of_left_out(self) -> list[str]:
        if not self.left_out:
            return []
        rows = "Row" if len(self.left_out) == 1 else "Rows"
        are = "is" if len(self.left_out) == 1 else "are"
        named = self._named_rows(self.left_out)
        return [f"{rows} {named} {are} left out, as the study's file says."]

    def _named_rows(self, places: Sequence[int]) -> str:
        """Some of the rows, as a sheet numbers them, else as counted below the headings."""
        numbers = [*map(self.number_of_row, places)]
        more = f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else ""
        counted = " (below the headings)" if numbers == [*places] else ""
        return ", ".join(f"{one:,}" for one in numbers[:_NAMED]) + more + counted

    def _cells(
        self, row: Row, wanted: Iterable[ItemColumn], stands: Mapping[str, str]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        values, most, missing = row.values, self._more_than_text, self._missing
        choices = self._declared.possible_answers_by_column
        for one in wanted:
            own = one.name
            name = stands.get(own, own) if stands else own
            cell = values[name] if name in values else cell_of_flattened_column(values, name)
            odd = missing or type(cell) is float
            if odd and is_cell_missing(cell, missing) and cell not in choices.get(own, ()):
                cell = ""
            more = own in most
            if not more and type(cell) is str and len(cell) <= LONGEST and "\r" not in cell:
                made = cell.strip()
            else:
                made = self._made(cell, one, name) if more else cell_text(cell, name)
            if made:
                found[own] = made
            elif one.required:
                raise RowError(name, f"{one.means}, and the cell is empty")
            if more and made and own in self._declared.pane_kinds_by_file_column:
                digests = self._digests_of(
                    made, name, self._declared.pane_kinds_by_file_column[own]
                )
                found[FILES] = found.get(FILES, {}) | digests
        return found

    def read_cell(self, cell: str, column: ItemColumn) -> dict[str, Any]:
        """A cell as an item stores it, by its column, with its files if it names some; nothing if
        it is empty.

        Raises:
            RowError: it is none that the study can show.
        """
        return self._cells(Row(0, {column.name: cell}), [column], {})

    def _made(self, cell: Any, one: ItemColumn, name: str) -> Any:
        """The value of a cell that is not only text; ``name`` is its column in the file."""
        kind = self._kinds.get(one.name)
        if one.name == self._declared.criteria_column:
            return criteria_cell_as_stored(cell, name)
        if kind in _STRUCTURED:
            return dialogue_or_table_cell_as_stored(cell, name, kind)
        made = cell_text(cell, name)
        if one.name in self._to_rewrite and len(made) > LONGEST_TO_REWRITE:
            expected = f"at most {LONGEST_TO_REWRITE:,} characters, as raters rewrite it"
            raise RowError(name, expected, f"{len(made):,} characters")
        choices = self._declared.possible_answers_by_column.get(one.name, ())
        if made and choices and made not in choices:
            raise RowError(name, f"one of {', '.join(choices)}", made)
        return made

    def _digests_of(self, cell: str, column: str, kind: str) -> dict[str, str]:
        if self._attached is None:
            return {}
        names = file_names_in_cell(cell, kind)
        for one in names:
            if (one, kind) in self._digests:
                continue
            try:
                self._digests[one, kind] = self._attached.digest_of_file(one, kind)
            except InvalidInput as error:
                expected = (
                    f"a file in {self._attached.folder_in_words}. {error.message.rstrip('.')}"
                )
                raise RowError(column, expected, one) from error
        return {one: self._digests[one, kind] for one in names}


def cells_by_column_with_identifiers_replaced(
    declared: StudyDeclaration, values: Mapping[str, Any], renamed: dict[str, int]
) -> dict[str, Any]:
    """A row's cells with what may identify a patient replaced. Items whose names did are told
    apart by their number among those ``renamed`` so far.
    """
    kept = {
        *declared.pane_kinds_by_file_column,
        *declared.possible_answers_by_column,
        *([declared.arms.column] if declared.arms else []),
    }
    found = {
        name: cell if name in kept else replace_identifiers_in_cell(cell, name)
        for name, cell in values.items()
    }
    name = declared.item
    if name in found and found[name] != values[name]:
        number = renamed.setdefault(str(values[name]).strip(), len(renamed) + 1)
        found[name] = f"{found[name]} {number}"
    return found


def _rows_to_keep(study: Study, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A row's further columns as the study's file wants them; None if the row is left out."""
    asked, whole = _asked_columns(study.declared), values
    # The parts of a nested cell that the study has are kept there.
    values = {
        column: cell
        for column, cell in values.items()
        if (parts := list_columns_of_nested_cell(cell, column)) == [column]
        or not asked.issuperset(parts)
    }
    decided = study.declared.identifiers
    marked = study.declared.leave_out_rows
    if marked and digest_of_row_cells(study.declared, whole) in marked:
        return None
    if decided == "replace":
        return cells_by_column_with_identifiers_replaced(study.declared, values, {})
    if decided == "leave_out" and list_identifiers_in_row(values):
        return None
    return values


def make_item_preview_from_rows(
    declared: StudyDeclaration, rows: Sequence[Mapping[str, Any]], at: int
) -> NewItem:
    """The item to which row ``at`` of a table belongs, for a preview, perhaps before its files
    exist.

    Raises:
        BadFile: the study cannot show it; names the line, and what was expected.
    """
    awaits = declared.does_table_await_model_answers(rows[at])
    reading = _Reading(_without_answers(declared) if awaits else declared, None)
    name = cell_of_flattened_column(rows[at], declared.item)
    one_row_each = not declared.arms or bool(declared.arms.wide)
    alike = [one.name for one in declared.columns if not (declared.arms and one.by_arm)]
    shared = {column: cell_of_flattened_column(rows[at], column) for column in alike}
    for line, row in enumerate(rows, start=2):
        if cell_of_flattened_column(row, declared.item) != name:
            continue
        # Numbered items have one row each, or rows that share what no arm has of its own.
        differs = one_row_each or any(
            cell_of_flattened_column(row, own) != cell for own, cell in shared.items()
        )
        if name in (None, "") and row is not rows[at] and differs:
            continue
        try:
            reading.take(Row(line, dict(row)))
        except RowError as error:
            raise BadFile(
                f"Line {line} of the table, column {error.column!r}: expected {error.expected}.",
                hint="Correct the table, or what the study's file says of the column.",
            ) from error
    cases = reading.cases
    if awaits:
        arms = declared.arms.names if declared.arms else ("",)
        said = dict.fromkeys(arms, "The model’s answer will be here.")
        cases = {
            name: add_model_answers_to_case(declared, one, said) for name, one in cases.items()
        }
    found = _items(declared, cases, "the table")
    if not found and reading.left_out:
        raise BadFile(
            f"Row {at + 1:,} is left out, as the study's file says.",
            hint="Choose another row, or take its words out of what is left out.",
        )
    if not found:
        raise BadFile(
            f"{name} has the answer of one arm alone, so it is left out.",
            hint="Add the other arms' answers if it should be judged.",
        )
    return found[0]


@dataclass(frozen=True)
class Looked:
    """A table's rows before they are imported: the items, what is wrong with the rows, what a lead
    should know, and what gives away which model wrote an item.
    """

    items: Sequence[NewItem]
    faults: Sequence[str]
    notes: Sequence[str]
    telling: Sequence[Telling] = ()


def items_faults_and_notes_of_table_rows(
    declared: StudyDeclaration,
    rows: Sequence[Mapping[str, Any]],
    *,
    number_of_row: Callable[[int], int] = int,
) -> Looked:
    """Check a table's rows; the files they name need not exist. What is told of a row calls it by
    its ``number_of_row``, given its place (from 1).
    """
    awaits = bool(rows) and declared.does_table_await_model_answers(rows[0])
    reading, faults = _Reading(_without_answers(declared) if awaits else declared, None), []
    reading.number_of_row = number_of_row
    for at, row in enumerate(rows, start=1):
        number = number_of_row(at)
        try:
            reading.take(Row(number, dict(row)))
        except RowError as error:
            faults.append(_fault(BadRow("", number, error.column, error.expected, error.got)))
    if awaits:
        return Looked(
            [NewItem(name, one.shared) for name, one in reading.cases.items()], faults, ()
        )
    try:
        found = _items(declared, reading.cases, "")
    except BadFile as error:
        return Looked((), [*faults, *map(_fault, error.rows)], ())
    notes = [
        *reading.told,
        *_arms_of_cases(declared, reading.cases),
        *_words_kept(declared, reading.cases),
    ]
    return Looked(found, faults, notes, _tell_tales(declared, reading.cases))


def _fault(row: BadRow) -> str:
    got = f", got {row.got!r}" if row.got else ""
    return f"Row {row.line}, column {row.column!r}: expected {row.expected}{got}."


def _items(declared: StudyDeclaration, cases: Mapping[str, Case], file: str) -> list[NewItem]:
    """The items: cases with all their arms, or with one of them.

    Raises:
        BadFile: arms are to be compared, and a case has only one.
    """
    arms = declared.arms
    if arms is None:
        return [NewItem(name, one.shared) for name, one in cases.items()]
    if arms.show == "apart":
        return [
            NewItem(
                item_name_of_arm(declared.study_id, name, arm),
                {**merge_case_and_arm_cells(one.shared, own), CASE: name, ARM: arm},
            )
            for name, one in cases.items()
            for arm, own in one.own.items()
        ]
    if declared.incomplete == "leave_out":
        cases = {name: one for name, one in cases.items() if len(one.own) > 1}
    alone = [
        BadRow(
            file, one.line, arms.column, f"a second arm of {name}, to compare", next(iter(one.own))
        )
        for name, one in cases.items()
        if len(one.own) < 2
    ]
    if alone:
        rest = len(alone) - 1
        has = "case has" if rest == 1 else "cases have"
        more = f" {rest:,} more {has} one arm alone." if rest else ""
        raise BadFile(
            f"{alone[0]}{more}", hint="Add the other arms, or leave the case out.", rows=alone
        )
    return [
        NewItem(
            name, {**one.shared, ARMS: {arm: one.own[arm] for arm in arms.names if arm in one.own}}
        )
        for name, one in cases.items()
    ]


def _told_of(declared: StudyDeclaration, cases: Mapping[str, Case]) -> list[str]:
    """Notes on what gives a model away, and on arms that no case has."""
    telling = [one.sentence for one in _tell_tales(declared, cases)]
    return [*telling, *_arms_of_cases(declared, cases), *_words_kept(declared, cases)]


def _words_kept(declared: StudyDeclaration, cases: Mapping[str, Case]) -> list[str]:
    """Notes on names to mask that stay where they are a word of a text."""
    own = (cells for one in cases.values() for cells in (one.shared, *one.own.values()))
    return list_words_masked_only_as_author(declared, own)


def _arms_of_cases(declared: StudyDeclaration, cases: Mapping[str, Case]) -> list[str]:
    """Notes on arms that no case has, and on cases that lack some."""
    arms = declared.arms
    if arms is None or not cases:
        return []
    unused = [arm for arm in arms.names if not any(arm in one.own for one in cases.values())]
    found = [f"No case has the arm {arm!r}." for arm in unused]
    expected = [arm for arm in arms.names if arm not in unused]
    lacking = {
        name: gone
        for name, one in cases.items()
        if (gone := [arm for arm in expected if arm not in one.own])
    }
    if lacking:
        named = [f"{name} (no {', '.join(gone)})" for name, gone in [*lacking.items()][:_NAMED]]
        more = f" and {len(lacking) - _NAMED:,} more" if len(lacking) > _NAMED else ""
        found.append(f"Not every arm has answered everything: {'; '.join(named)}{more}.")
    alone = [name for name, one in cases.items() if len(one.own) < 2]
    if declared.are_arms_side_by_side and declared.incomplete == "leave_out" and alone:
        named = alone[:_NAMED]
        more = f" and {len(alone) - _NAMED:,} more" if len(alone) > _NAMED else ""
        found.append(f"Left out, as there is nothing to compare: {', '.join(named)}{more}.")
    return found


def _tell_tales(declared: StudyDeclaration, cases: Mapping[str, Case]) -> list[Telling]:
    return find_model_giveaways(
        declared,
        [one.shared for one in cases.values()],
        [list(one.own.items()) for one in cases.values()],
    )


def list_number_of_masked_items_in_words(store: Store, study: Study) -> list[str]:
    """How many items reviewers see with names masked, as a sentence for a report."""
    declared = study.declared
    if not declared.mask or not study.dataset:
        return []
    bodies = [body for _, _, body in queries.list_names_and_columns_of_items(store, study.dataset)]
    count = sum(has_masked_names(body, declared) for body in bodies)
    return [
        f"In {count:,} of {len(bodies):,} items names of models ({', '.join(declared.mask)}) were"
        " masked in what reviewers saw; exports have the texts as they are."
    ]


def require_declaration_of_study(study: Study, request: Request) -> StudyDeclaration:
    """The declaration of an existing study.

    Raises:
        InvalidInput: there is no such study.
    """
    if not study.text:
        raise InvalidInput(
            f"You have no study called {request.dataset!r}.",
            hint="Make it under Your studies (Make a study), or add its file: python -m medlens"
            " study add STUDY.toml --items FILE.",
        )
    return study.declared


def cell_text(value: Any, column: str) -> str:
    """A cell's text, with uniform line endings.

    Raises:
        RowError: it is not plain text, or is too long.
    """
    if not isinstance(value, str):
        if isinstance(value, list | tuple | dict):
            value = value_as_readable_lines(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        value = "" if pd.isna(value) else str(value)
    if len(value) > LONGEST:
        raise RowError(column, f"at most {LONGEST:,} characters", f"{len(value):,} characters")
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    text: str = value.strip()
    return text


def _name_in(value: Any, column: str) -> str:
    if isinstance(value, list | tuple | dict):
        raise RowError(column, "a name", value)
    return cell_text(value, column)


def dialogue_or_table_cell_as_stored(given: Any, column: str, kind: PaneKind | None) -> Any:
    """A dialogue's or table's cell as it is stored, a list of objects."""
    value = given
    if isinstance(given, str):
        value = parse_nested_value(given) if given.strip() else None
        if value is None and given.strip():
            raise RowError(column, _TURNS if kind == "dialogue" else _ROWS, given)
    if kind == "dialogue":
        turns = parse_turns_of_dialogue(value)
        if turns is None:
            raise RowError(column, _TURNS, given)
        return turns
    rows = list(value) if isinstance(value, list | tuple) else [] if value in (None, "") else None
    if rows is None or not all(isinstance(one, Mapping) for one in rows):
        raise RowError(column, _ROWS, given)
    return [dict(one) for one in rows]


def dialogue_cell_as_stored(value: Any, column: str) -> Any:
    """A cell's turns as they are stored, a list of objects with role and content.

    Raises:
        RowError: it holds something else.
    """
    return dialogue_or_table_cell_as_stored(value, column, "dialogue")


_TEXTS_OF_A_CRITERION = ("criterion", "text", "description", "item", "statement", "requirement")
_POINTS_OF_A_CRITERION = ("points", "weight", "score", "marks", "max_points", "max_score")


def criterion_dict_with_usual_keys(given: Mapping[str, Any]) -> dict[str, Any]:
    """A criterion under the keys that MedLens uses, however else its text and points are called; as
    it is if it has none or several of either.
    """
    texts = [key for key in given if key in _TEXTS_OF_A_CRITERION]
    points = [key for key in given if key in _POINTS_OF_A_CRITERION]
    if len(texts) != 1 or len(points) != 1:
        return dict(given)
    usual = {texts[0]: "criterion", points[0]: "points"}
    return {usual.get(key, key): own for key, own in given.items()}


def criteria_cell_as_stored(value: Any, column: str) -> list[dict[str, Any]]:
    """A cell's criteria as they are stored: each with text, points and tags; [] if it is empty.

    Raises:
        RowError: it holds something else; gives the number of the wrong criterion.
    """
    if isinstance(value, str) and value.strip():
        try:
            value = parse_json_value(value)
        except ValueError:
            raise RowError(column, _CRITERIA, value) from None
    if value is None or (not isinstance(value, list | tuple) and (value == "" or pd.isna(value))):
        return []
    if not isinstance(value, list | tuple) or len(value) > MOST_CRITERIA:
        raise RowError(column, f"{_CRITERIA}, {MOST_CRITERIA} at most", value)
    found: list[dict[str, Any]] = []
    for at, given in enumerate(value, 1):
        expected, one = "", given
        if isinstance(given, Mapping):
            one = criterion_dict_with_usual_keys(given)
        if not isinstance(one, Mapping) or not set(one) <= {"criterion", "text", "points", "tags"}:
            raise RowError(column, _CRITERIA, one)
        text, points, tags = (
            one.get("criterion", one.get("text")),
            one.get("points"),
            one.get("tags"),
        )
        tags = [] if tags is None else list(tags) if isinstance(tags, tuple) else tags
        if wrong := describe_criterion_faults(text, points, tags):
            expected = wrong
        elif any(map(UNREADABLE.search, (text.replace("\r\n", "\n"), *tags))):
            expected = "no control characters, and none that reverses the writing (U+202A–202E)"
        elif (text := " ".join(text.split())) in {other["text"] for other in found}:
            expected = "words that no criterion before it has"
        if expected:
            raise RowError(column, f"criterion {at}: {expected}", one)
        found.append({"text": text, "points": points, "tags": list(dict.fromkeys(tags))})
    if found and not any(one["points"] > 0 for one in found):
        raise RowError(column, "at least one criterion with points above 0", value)
    return found


def import_judgments(store: Store, study: Study, request: Request) -> Report:
    """``own-judgments``: what ``export own-judgments`` wrote."""
    require_declaration_of_study(study, request)
    return judgment_import.import_judgments(store, study.task, request)


def make_items_export_table(store: Store, study: Study) -> pd.DataFrame:
    """The items in their study's columns, one row each."""
    declared, arms = study.declared, study.declared.arms
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    for name, illustrative, body in queries.list_names_and_columns_of_items(store, study.dataset):
        own: Mapping[str, Any] = body.get(ARMS, {})
        case, said = name, {}
        if arms and arms.show == "apart":
            case, own, said = body[CASE], {body[ARM]: body}, {"judged_as": name}
        row = {declared.item: case, "dataset": study.dataset, "illustrative": illustrative} | {
            one.name: body.get(one.name, "")
            for one in declared.columns
            if not (arms and one.by_arm)
        }
        if cell := row.get(declared.criteria_column):
            row[declared.criteria_column] = to_json(cell)
        for arm, cells in own.items() if arms else [("", {})]:
            stands = arms.wide.get(arm, {}) if arms else {}
            mine = {stands.get(one, one): cells.get(one, "") for one in arms.own} if arms else {}
            if arms and arms.wide:
                rows[case,] = rows.get((case,), row) | mine
            else:
                named = {arms.column: arm} if arms else {}
                rows[case, arm] = {**row, **said, **named, **mine}
    return pd.DataFrame(list(rows.values()))


def study_items_table(store: Store, study: Study) -> pd.DataFrame:
    """The items by ``item``, one row each; if the items' file calls that column otherwise, it is
    there under its own name too. What arms have of their own is in columns of theirs, named as in
    the items' file if it has one for each arm, otherwise ``COLUMN / ARM``. A column of the file
    that is called ``item`` and names no items is ``item_``.
    """
    rows = []
    called, arms = study.declared.item, study.declared.arms
    apart = {ARM: arms.column, CASE: CASE if called == ITEM else called} if arms else {}
    wide = arms.wide if arms else {}
    for name, _, body in queries.list_names_and_columns_of_items(store, study.dataset):
        own = {
            wide.get(arm, {}).get(one, f"{one} / {arm}"): cell
            for arm, cells in body.get(ARMS, {}).items()
            for one, cell in cells.items()
            if one != FILES
        }
        shared = {apart.get(k, k): v for k, v in body.items() if k not in (ARMS, FILES)}
        named = {f"{k}_" if k == ITEM else k: v for k, v in (shared | own).items()}
        rows.append({ITEM: name} | {called: name} | named)
    names = dict.fromkeys([ITEM, *(name for row in rows for name in row)])
    return pd.DataFrame({name: [row.get(name) for row in rows] for name in names}, dtype=object)


def make_consensus_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """One answer per item and question: the adjudicator's, otherwise the majority's."""
    return consensus.consensus_table(store, study.task, dataset=study.dataset, viewer=viewer)


def make_marks_export_table(
    store: Store, study: Study, *, viewer: Rater | None, history: bool = False
) -> pd.DataFrame:
    """A row per label of each mark, with who set it; a judgment without marks has one row."""
    if study.declared.spans is None:
        return pd.DataFrame(columns=[*judgment_export.HEAD, *judgment_export.TAIL])
    marks = make_own_study_task(study.declared, study.version, study.attached, TaskOfMarks)
    return judgment_export.judgment_parts_table(
        store, marks, dataset=study.dataset, viewer=viewer, history=history
    )


def _named(study: Study, row: Mapping[str, Any]) -> str:
    """The item of a row; its column's name may differ in capitals and spaces."""
    declared, arms = study.declared, study.declared.arms

    def cell(wanted: str) -> str:
        name = normalise_column_name(wanted)
        return cell_text(
            next((row[one] for one in row if normalise_column_name(one) == name), None), wanted
        )

    case = cell(declared.item)
    alone = arms is not None and arms.show == "apart"
    return item_name_of_arm(declared.study_id, case, cell(arms.column)) if arms and alone else case


def _asked_columns(declared: StudyDeclaration) -> set[str]:
    """The columns that a study asks for, as they are called in a table."""
    arms = [declared.arms.column, "judged_as"] if declared.arms else []
    wide = [one for of in declared.arms.wide.values() for one in of.values()] if arms else []  # type: ignore[union-attr]
    return {declared.item, *(one.name for one in declared.columns), *arms, *wide}


def _asks(study: Study, column: str) -> bool:
    asked = _asked_columns(study.declared)
    return normalise_column_name(column) in map(normalise_column_name, asked)


IMPORTS: dict[str, Kind] = {
    "own-items": Kind(
        title="The items of a study of your own, in the columns that its STUDY.toml declares",
        read=import_items,
        looks="A table with a row per item of a study of your own: item, and the columns that its"
        " file declares.",
        columns=(Column("item", "name", "the item's name, unless STUDY.toml names another"),),
        more="those that STUDY.toml declares",
        about=_named,
        asks=_asks,
        cleaned=_rows_to_keep,
        known_by=(),
        # What a table says was chosen becomes judgments.
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS,
    ),
    "own-judgments": Kind(
        title="Judgments of a study of your own, as exported by MedLens",
        read=import_judgments,
        looks="What Export wrote as own-judgments: one row per judgment, with item and rater.",
        columns=judgment_import.COLUMNS,
        more="version, and one for each question",
        judgments=True,
    ),
}
"""Kinds of files that can be imported."""

EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "own-judgments": ("Judgments, one row each", make_judgments_export_table),
    "own-criteria": (
        "Criteria that differ by item, a row for each answer",
        make_criteria_export_table,
    ),
    "own-marks": ("Marks in the text, a row per label of each", make_marks_export_table),
    "own-consensus": (
        "Consensus per item and question: the lead's decision, else the majority",
        make_consensus_export_table,
    ),
    "own-items": ("The items themselves", make_items_export_table),
}
"""Tables that can be exported: what they are, and the functions that make them."""
