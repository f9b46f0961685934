"""The work behind the command line, the Data page and the inbox: imports, exports, the demo,
checks.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, ParamSpec, cast, get_args

from medlens.app import (
    archive_and_unarchive,
    deletion_of_archived_data_and_demo,
    erasure,
    import_undoing,
    item_corrections,
    item_withdrawals,
    rename_studies_and_data,
    scheduled_backups_and_restore,
    store_zip_writing_and_reading,
    study_report,
)
from medlens.app.exports_without_pandas import (
    NESTING,
    choose_studies_with_dataset,
    exported_rows_in_words,
    log_export,
    study_and_name_of_archived_datasets,
)
from medlens.app.file_intake import reader_client
from medlens.app.file_intake.reader_client import Order, Taken
from medlens.config.settings import Settings
from medlens.deferred_module import pd
from medlens.errors import BadFile, Conflict, InvalidInput, MedLensError, StoreUnavailable
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    audit_log,
    completion_code_rules_and_decisions,
    crowd_platforms_and_worker_ids_of_rounds,
    informative_sample,
    items,
    judge_trust,
    judgment_import,
    rater_exclusion,
    raters,
    renaming_and_name_translation,
    rounds,
    undo_imports,
    withdrawn_items,
)
from medlens.review import item_corrections as corrections
from medlens.review.anonymity import Anonymizer
from medlens.review.raters import Rater
from medlens.review.renaming_and_name_translation import current_name_of_dataset
from medlens.review.tasks import Task, answer_in_readable_form
from medlens.stats.estimate import (
    NARROWED,
    OF_ANSWERS,
    OF_QUESTIONS,
    add_dataset_and_filter_columns,
    figure_rows_as_table,
)
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.store import Row, Store, open_store
from medlens.store.output_file import first_unused_path, temporary_path_that_becomes_new_file
from medlens.studies.own import study as own
from medlens.studies.own.study_file import parse_study_file
from medlens.studies.own.tasks import STUDY as OWN
from medlens.studies.registry import (
    COMMON,
    EXPORTS,
    IMPORTS,
    PACKAGES,
    STUDIES,
    find_task_by_name,
    study_name_of_file_kind,
    study_names_of_file_kind,
)
from medlens.studies.study_definition import Study
from medlens.tables import Source, write_table
from medlens.tables.file_schemas_import_requests_and_reports import Compared, Revising
from medlens.telemetry import logs, prometheus_metrics

P = ParamSpec("P")

CLI = withdrawn_items.COMMAND_LINE


@dataclass(frozen=True)
class Outcome:
    """The result of an import, in numbers and in a line for the person."""

    line: str
    added: int
    known: int
    refused: int
    notes: tuple[str, ...] = ()
    bad_rows: str = ""
    taken: Taken | None = None


def _told(importing: Callable[P, Outcome]) -> Callable[P, Outcome]:
    """An import that is reported to the log and the metrics."""

    @functools.wraps(importing)
    def told(*args: P.args, **options: P.kwargs) -> Outcome:
        if options.get("dry_run"):
            return importing(*args, **options)
        kind = str(args[2]) if args[2] in IMPORTS else "unknown"
        begun, outcome, added = time.perf_counter(), "failed", 0
        try:
            done = importing(*args, **options)
            outcome, added = "done", done.added
            return done
        except MedLensError as error:
            outcome = "refused"
            store, by = cast(Store, args[0]), str(options.get("by", CLI))
            log_refused_import_in_audit(store, kind, str(options["name"]), error, by=by)
            raise
        finally:
            seconds = time.perf_counter() - begun
            prometheus_metrics.count_import(kind, outcome, rows=added, seconds=seconds)
            logs.log_event("import", kind=kind, outcome=outcome, rows=added, seconds=seconds)

    return told


@_told
def import_file(
    store: Store,
    settings: Settings,
    kind: str,
    source: Source,
    *,
    name: str,
    dataset: str = "",
    label: str = "",
    skip_bad: bool = False,
    encoding: str = "",
    sheet: str = "",
    header: int = 0,
    dry_run: bool = False,
    bad_rows: Path | None = None,
    by: str = CLI,
    progress: Callable[[int], object] | None = None,
    share: Callable[[float], object] | None = None,
    changed: str = "",
    missing: str = "",
    reason: str = "",
    before: Mapping[str, Sequence[Row]] | None = None,
) -> Outcome:
    """Import a file, all or nothing; with ``skip_bad`` the good rows, and the others go to
    ``bad_rows``.

    Rows go into ``dataset``; if that is empty, where the file says, or else where such files go.
    Its texts are in ``encoding``, by default UTF-8. Of a workbook the sheet ``sheet`` is read, and
    ``header`` is the row of the headings, from 1; by default both are guessed. ``dry_run`` does the
    same and undoes it. ``progress`` and ``share`` are as in
    ``reader_client.import_or_preview_file_in_reader_process``. Where items of the file are there
    with other contents, ``changed`` says what to do with them, and ``missing`` what with those that
    it lacks, for a ``reason`` (``file_schemas_import_requests_and_reports.Revising``). ``before``
    are rows by table that are saved before the file's, in the same transaction.

    Raises:
        BadFile, InvalidInput: nothing was written.
    """
    if kind not in IMPORTS:
        raise InvalidInput(
            f"There is no kind of import called {kind!r}.",
            hint=f"Use one of: {', '.join(IMPORTS)}.",
        )
    study = study_name_of_file_kind(kind)
    dataset = renaming_and_name_translation.name_of_dataset_to_fill_before_renaming(
        store, dataset.strip(), study
    )
    renaming_and_name_translation.refuse_archived_dataset(store, study, dataset)
    where = ""
    revising = _revising(changed, missing, reason, by=by, preview=dry_run)

    def settle(taken: Taken) -> Row:
        nonlocal where
        if taken.refusals and bad_rows is not None:
            where = str(first_unused_path(bad_rows.with_suffix(taken.ending)))
            with temporary_path_that_becomes_new_file(Path(where), force=True) as part:
                part.write_bytes(taken.refusals.read())
        return judgment_import.make_import_log_row(
            entry=order.entry,
            kind=kind,
            dataset=taken.dataset,
            file=name,
            added=taken.added,
            known=taken.known,
            refused=taken.refused,
            by=by,
            compared=taken.compared,
            revising=revising,
        )

    order = Order(
        kind,
        name,
        dataset,
        label=label,
        skip_bad=skip_bad,
        head=dry_run,
        encoding=encoding.strip(),
        sheet=sheet,
        header=header,
        revising=revising,
    )
    taken = reader_client.import_or_preview_file_in_reader_process(
        store,
        settings,
        order,
        source,
        settle=None if dry_run else settle,
        progress=progress,
        share=share,
        before=before,
    )
    done = "Would import" if dry_run else "Imported"
    line = f"{done} {taken.added:,} {taken.called}"
    if taken.dataset:
        line += f" into {current_name_of_dataset(store, study, taken.dataset)!r}"
    if taken.known:
        line += f"; {taken.known:,} {'was' if taken.known == 1 else 'were'} there already"
    line += _revised_in_words(taken.compared, revising, dry_run=dry_run)
    if taken.refused:
        rows = "row" if taken.refused == 1 else "rows"
        line += f"; {taken.refused:,} {rows} refused" + (f" (in {where})" if where else "")
    notes = taken.notes + (taken.compared.follows if taken.compared else ())
    if taken.added and not dry_run:
        notes += _not_given(store, settings, kind, taken.dataset)
    if taken.known and taken.compared and revising.missing != "withdraw":
        notes += _still_withdrawn(store, study, taken.dataset)
    return Outcome(line + ".", taken.added, taken.known, taken.refused, notes, where, taken)


def _revising(changed: str, missing: str, reason: str, *, by: str, preview: bool) -> Revising:
    """What a lead wants done with changed and missing items.

    Raises:
        InvalidInput: it is nothing that can be done, or a reason is missing.
    """
    if changed not in ("", "leave", "typing", "meaning"):
        raise InvalidInput("Changed items are left, or corrected: leave, typing or meaning.")
    if missing not in ("", "leave", "withdraw"):
        raise InvalidInput("Missing items are left or withdrawn: leave or withdraw.")
    if (changed in ("typing", "meaning") or missing == "withdraw") and not (
        preview or reason.strip()
    ):
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the items.")
    return Revising(
        cast(Literal["", "leave", "typing", "meaning"], changed),
        cast(Literal["leave", "withdraw"], missing or "leave"),
        reason.strip(),
        by,
        preview,
    )


def _revised_in_words(compared: Compared | None, revising: Revising, *, dry_run: bool) -> str:
    """What was, or with ``dry_run`` would be, done with changed and missing items."""
    if compared is None:
        return ""
    done = {
        "": "not decided yet",
        "leave": "left as they are",
        "typing": "corrected as typing errors",
        "meaning": "corrected as changed meanings",
    }[revising.changed]
    words = f"; {compared.changed:,} changed, {done}" if compared.changed else ""
    # A file with nothing but new and equal rows may be more of the same.
    if compared.missing and (dry_run or compared.changed or revising.missing == "withdraw"):
        left = "withdrawn" if revising.missing == "withdraw" else "left in the dataset"
        words += f"; {compared.missing:,} missing in the file, {left}"
    return words


def _still_withdrawn(store: Store, study: str, dataset: str) -> tuple[str, ...]:
    """What a file cannot bring back, in a sentence."""
    count = len(withdrawn_items.withdrawals_in_force_by_item(store, study, dataset))
    if not count:
        return ()
    called = current_name_of_dataset(store, study, dataset)
    are, stay = ("1 is", "it stays") if count == 1 else (f"{count:,} are", "they stay")
    return (
        f"Of what is in {called!r}, {are} withdrawn: {stay} so, even if the file has it,"
        " until a lead brings it back.",
    )


def _not_given(store: Store, settings: Settings, kind: str, dataset: str) -> tuple[str, ...]:
    """What nobody is asked to judge in a dataset, in a sentence."""
    declared = STUDIES[study_name_of_file_kind(kind)]
    tasks = rounds.tasks_waiting_for_round(
        store, declared.tasks(declared.open(store, settings, dataset)), dataset
    )
    if not tasks:
        return ()
    named = ", ".join(task.title for task in tasks)
    called = current_name_of_dataset(store, declared.name, dataset)
    return (
        f"Nobody is given anything of {called!r} to judge until a lead opens its round on the"
        f" Team page ({named}).",
    )


def make_export_table(
    store: Store,
    settings: Settings,
    kind: str,
    *,
    viewer: Rater | None,
    study: str = "",
    dataset: str = "",
    rule: str = "",
    history: bool = False,
    nested: bool = False,
    task: str = "",
    anonymous: bool = False,
    archived: bool = False,
    narrow: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """A table to be written; ``viewer`` is None for the command line, and must be a lead
    otherwise.

    ``narrow`` holds the filters for figures (``narrowed_by``), empty for no filter. ``anonymous``
    has numbers instead of people, in every table (``review.anonymity``). With ``archived`` a
    dataset that is put away can be exported too, and tables of all studies have its rows.

    Raises:
        InvalidInput: no such kind or dataset, or an option that the kind does not have.
        NotAllowed: the viewer is not a lead.
    """
    raters.require_lead(viewer)
    if kind not in EXPORTS:
        raise InvalidInput(
            f"There is no export called {kind!r}.", hint=f"Use one of: {', '.join(EXPORTS)}."
        )
    hide = Anonymizer(store).anonymise_table if anonymous else lambda table: table
    if kind in COMMON:
        common = COMMON[kind][1]
        also = {"settings": settings} if "settings" in inspect.signature(common).parameters else {}
        every = common(store, viewer=viewer, **also)
        kept = every if archived or kind == "audit" else _without_archived(store, every)
        return hide(renaming_and_name_translation.put_current_names_in_table(store, kept))
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(store, dataset, study)
    declared = STUDIES[
        studies_to_export_dataset_from(store, kind, study, dataset, archived=archived)[0]
    ]
    make = declared.exports[kind][1]
    accepted = option_names_of_export_kind(declared, kind)
    if rule and "rule" not in accepted:
        raise InvalidInput("Only the export of labels has a rule.")
    if history and "history" not in accepted:
        raise InvalidInput(f"There is no history of {kind}.")
    if task and "task" not in accepted:
        raise InvalidInput("Only the annotated items are exported by task.")
    asked = {name: value for name, value in (narrow or {}).items() if value}
    for name in asked:
        if name not in accepted:
            raise InvalidInput(
                f"The {kind} of {declared.title} cannot be narrowed by {name}.",
                hint="They can by:"
                f" {', '.join(filters_of_export_kind(declared, kind)) or 'nothing'}.",
            )
    options = {
        **asked,
        "viewer": viewer,
        "rule": rule,
        "history": history,
        "nested": nested,
        "task": task,
        "anonymous": anonymous,
    }
    chosen: dict[str, Any] = {name: one for name, one in options.items() if name in accepted}
    opened = declared.open(store, settings, dataset)
    with declare_panel_fixed_within(fixed=declared.panel_is_fixed(store, settings, opened)):
        table: pd.DataFrame = hide(make(store, opened, **chosen))
    if kind == "figures":
        filled = (
            table if "run" in table else add_dataset_and_filter_columns(table, opened.dataset, {})
        )
        table = _with_earlier_versions(store, declared, opened, filled)
    return renaming_and_name_translation.put_current_names_in_table(
        store, table, study=declared.name
    )


def _with_earlier_versions(
    store: Store, declared: Study, opened: Any, table: pd.DataFrame
) -> pd.DataFrame:
    """Figures, with how many judgments and other answers rest on an earlier version of their item
    as the last ones; nothing more if none does.
    """
    earlier = corrections.summarise_judgments_on_earlier_versions(
        store, declared.tasks(opened), dataset=opened.dataset
    )
    answers = declared.answered_earlier(store, opened.dataset)
    found = (
        [("on_earlier_version", "all", earlier.estimate_share_on_earlier_versions)]
        if earlier.earlier
        else []
    )
    found += [
        (name, "all", one)
        for name, one in (answers.list_shares_on_earlier_versions if answers else ())
    ]
    if not found:
        return table
    rows = figure_rows_as_table(found, study=declared.name)
    filled = add_dataset_and_filter_columns(rows, opened.dataset, {})
    # Whatever else the table is narrowed by narrows nothing of these rows.
    row = filled.reindex(columns=table.columns).assign(
        **{
            str(name): ""
            for name, kind in table.dtypes.items()
            if name not in filled and not pd.api.types.is_numeric_dtype(kind)
        }
    )
    return pd.concat([table, row.astype(table.dtypes.to_dict())], ignore_index=True)


def export_package_as_bytes(
    store: Store,
    settings: Settings,
    kind: str,
    *,
    viewer: Rater | None,
    study: str = "",
    dataset: str = "",
    anonymous: bool = False,
    archived: bool = False,
) -> bytes:
    """A file for another tool (``registry.PACKAGES``); ``viewer`` as in ``make_export_table``.

    Raises:
        InvalidInput: no such dataset, or the tool cannot represent the study.
        NotAllowed: the viewer is not a lead.
    """
    raters.require_lead(viewer)
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(store, dataset, study)
    declared = STUDIES[
        studies_to_export_dataset_from(store, kind, study, dataset, archived=archived)[0]
    ]
    opened = declared.open(store, settings, dataset)
    return PACKAGES[kind].make(store, opened, viewer=viewer, anonymous=anonymous)


def write_store_zip_and_describe(
    store: Store, settings: Settings, target: Path, *, by: str = CLI, anonymous: bool = False
) -> str:
    """Write everything to a new zip, with ``anonymous`` without people's names; says what is in
    it.
    """
    line = store_zip_writing_and_reading.write_store_zip_and_return_report_text(
        store, settings, target, anonymous=anonymous
    )
    log_export(store, store_zip_writing_and_reading.NAME, "", rows=None, by=by)
    return line


def read_store_zip_and_describe(store: Store, source: Path) -> str:
    """Read such a zip into an empty store; says what came in."""
    line = store_zip_writing_and_reading.read_store_zip_and_return_report_text(store, source)
    audit_log.record_entry(
        store, "import", who=CLI, about=source.name, detail=store_zip_writing_and_reading.NAME
    )
    return line


def make_report_file_bytes_and_log_it(
    store: Store, settings: Settings, study: str, *, dataset: str, form: str, by: str = CLI
) -> bytes:
    """A study's report as ``html`` or ``pdf``, noted in the audit log."""
    data = study_report.render_report_file(store, settings, study, dataset=dataset, form=form)
    log_export(store, f"report of {study}", dataset, rows=None, by=by)
    return data


def _without_archived(store: Store, table: pd.DataFrame) -> pd.DataFrame:
    """A table of all studies without the rows of archived datasets."""
    if "dataset" not in table or table.empty:
        return table
    hidden = study_and_name_of_archived_datasets(store)
    if not hidden:
        return table
    if "study" in table:
        keys = zip(table["study"], table["dataset"], strict=True)
        return table[[key not in hidden for key in keys]]
    # A name of which another study has a dataset in use stays.
    used = {str(row["dataset"]) for name in STUDIES for row in items.datasets_of_study(store, name)}
    return table[~table["dataset"].isin({dataset for _, dataset in hidden} - used)]


def option_names_of_export_kind(declared: Study, kind: str) -> set[str]:
    """The options of a study's table: rule, history, nested, viewer, ``narrowed_by``."""
    figures = declared.figures if kind == "figures" else None
    sides = figures.narrowed_by if figures else ()
    return {*inspect.signature(declared.exports[kind][1]).parameters, *sides}


def filters_of_export_kind(declared: Study, kind: str) -> list[str]:
    """The filters that a study's table accepts."""
    accepted = option_names_of_export_kind(declared, kind)
    return [name for name in (*NARROWED, *OF_ANSWERS, *OF_QUESTIONS) if name in accepted]


def log_refused_import_in_audit(
    store: Store, kind: str, name: str, error: MedLensError, *, by: str = CLI, once: str = ""
) -> None:
    """Record in the audit log that a file was refused: what it was meant to be and why, without
    quoting it. ``once`` as in ``audit_log.record_entry``.
    """
    if isinstance(error, BadFile):
        why = "rows that cannot be imported" if error.rows else "the file cannot be read"
    elif isinstance(error, StoreUnavailable):
        why = "the store cannot save it"
    else:
        why = "it contradicts what is already there"
    # If even this cannot be written, the first error is the one to report.
    with contextlib.suppress(StoreUnavailable):
        audit_log.record_entry(
            store, "import", who=by, about=name, detail=f"{kind}: refused, {why}", once=once
        )


def studies_to_export_dataset_from(
    store: Store, kind: str, study: str = "", dataset: str = "", *, archived: bool = False
) -> list[str]:
    """The studies with this kind of table that have the dataset, or any data if none is named; the
    first is used if no study is named. With ``archived``, datasets that are put away are there too.

    Raises:
        InvalidInput: no study has the dataset, or there is no such kind.
    """
    return choose_studies_with_dataset(
        store, study_names_of_file_kind(kind, study), dataset, archived=archived
    )


def exported_table_in_words(
    store: Store, table: pd.DataFrame, kind: str, study: str, dataset: str
) -> str:
    """What was exported, in a line; and from which study, if others have such a table too."""
    studies = (
        []
        if kind in COMMON
        else studies_to_export_dataset_from(store, kind, study, dataset, archived=bool(dataset))
    )
    return exported_rows_in_words(len(table), kind, studies)


def run_round_command_and_list_report_lines(
    store: Store, settings: Settings, what: str, task: str, dataset: str, people: Sequence[str]
) -> list[str]:
    """Do what the command ``round`` says, and report every round concerned, a line each.

    ``what`` is list, open (to ``people``, or everyone if there are none), close, or give (to
    ``people``); people are given by name or e-mail.

    Raises:
        InvalidInput: no such task, dataset or person, or the round to be given is not open.
    """
    there = _rounds_there(store, settings)
    if what != "list":
        one = _round_there(there, task, dataset)
        now = rounds.current_round_of_task(store, one, dataset)
        if what == "give" and now.state != "open":
            raise InvalidInput("The round is not open.", hint="Use: round open … --to PERSON.")
        state: Literal["open", "closed"] = "closed" if what == "close" else "open"
        to = now.raters if what == "close" else [_person(store, name).id for name in people]
        rounds.open_or_close_round(store, one, dataset, state=state, raters=to, by=None)
        there = {(task, dataset): one}
    names = {one.id: one.name for one in raters.list_raters(store)}
    lines = []
    for (name, at), one in there.items():
        found = rounds.current_round_of_task(store, one, at)
        given = ", ".join(sorted(names[rater] for rater in found.raters)) or "everyone"
        said = {"waiting": "not opened yet", "closed": "closed"}.get(
            found.state, f"open to {given}"
        )
        called = renaming_and_name_translation.find_name_given_to_thing(
            store, archiving_of_datasets_rounds_and_runs.Thing("round", one.study, at, name)
        )
        where = current_name_of_dataset(store, one.study, at)
        lines.append(f"{called or name} on {where}: {said}")
    return lines


def sample_items_to_check_and_return_report_text(
    store: Store,
    settings: Settings,
    *,
    task: str,
    dataset: str,
    judge: str,
    about: str,
    answer: str,
    figure: str,
    within: float,
    seed: int,
) -> str:
    """Draw the items whose judgment tells most about a judge, as ``review.informative_sample``
    does, and hand them out; says what was done. Of ``judge``, ``about`` (a variable) and
    ``answer``, the first is used if none is named; ``within`` is half the desired width, in
    percentage points.

    Raises:
        InvalidInput: no such task, dataset, judge, variable or answer, or nothing left to draw.
    """
    one = _round_there(_rounds_there(store, settings), task, dataset)
    material = judge_trust.load_task_answers_of_people_and_models(
        STUDIES[one.study], store, one, dataset=dataset, viewer=None
    )
    variables = {
        name: name for name in material.names_of_measured_variables if name not in one.pools
    }
    col = judge_trust.everybodys_answers_to_variable(material, _named(about, variables, "variable"))
    places = {
        answer_in_readable_form(col.classes[at]): at
        for at in judge_trust.list_indices_of_classes_measured_against_rest(col)
        if col.classes
    }
    wanted = informative_sample.Draw(
        _named(judge, {one.displayed_name: one for one in material.judges}, "judge"),
        _named(answer, places, "answer"),
        figure,
        within / 100,
    )
    many = informative_sample.hand_out_forecast_items_and_count(
        store, col, wanted, dataset=dataset, by=None, seed=seed
    )
    return (
        f"{many:,} items are handed out, drawn with seed {seed} to know the {figure} of"
        f" {wanted.judge.displayed_name} to ± {within:g} points."
    )


def _named(asked: str, there: Mapping[str, Any], what: str) -> Any:
    """The one with this name, or the first if no name is given."""
    if (asked and asked not in there) or not there:
        raise InvalidInput(
            f"There is no {what} {asked!r}."
            if asked
            else "There is nothing to check: no model has judged this task.",
            hint=f"There are: {', '.join(there)}."
            if there
            else "Let a model judge the items, on the Runs page or with python -m medlens run.",
        )
    return there[asked or next(iter(there))]


def _rounds_there(store: Store, settings: Settings) -> dict[tuple[str, str], Task]:
    return {
        (one.name, str(row["dataset"])): one
        for study, declared in STUDIES.items()
        for row in items.datasets_of_study(store, study)
        for one in declared.tasks(declared.open(store, settings, row["dataset"]))
    }


def _round_there(there: Mapping[tuple[str, str], Task], task: str, dataset: str) -> Task:
    if (task, dataset) not in there:
        known = sorted({name for name, at in there if at == dataset} or {n for n, _ in there})
        raise InvalidInput(
            f"There is no task {task!r} on a dataset {dataset!r}.",
            hint=f"The tasks are: {', '.join(known) or 'none yet'}. See round list.",
        )
    return there[task, dataset]


def run_rater_command_and_list_report_lines(
    store: Store,
    settings: Settings,
    what: str,
    person: str,
    task: str,
    dataset: str,
    reason: str,
) -> list[str]:
    """Do what the command ``rater`` says, and report whose work was excluded or returned, a line
    each and the newest first.

    ``what`` is list, exclude or return; without task and dataset it concerns all of their work.

    Raises:
        InvalidInput: no such task, dataset or person, or no reason.
        Conflict: the work is already excluded, or already counts.
    """
    if what != "list":
        if task and dataset:
            _round_there(_rounds_there(store, settings), task, dataset)
        rater_exclusion.exclude_or_return_rater(
            store,
            _person(store, person, anyone=True).id,
            reason=reason,
            by=None,
            task=task,
            dataset=dataset,
            back=what == "return",
        )
    return [
        f"{one.at:%Y-%m-%d %H:%M} {one.name} {'excluded from' if one.excluded else 'returned to'}"
        f" {one.scope_in_words} by {one.by}: {one.reason}"
        for one in rater_exclusion.list_exclusions_and_returns(store, viewer=None)[
            : None if what == "list" else 1
        ]
    ]


def run_item_command_and_list_report_lines(
    store: Store,
    settings: Settings,
    what: str,
    study: str,
    dataset: str,
    names: Sequence[str],
    reason: str,
    *,
    cells: Mapping[str, str] | None = None,
    change: str = "",
    dry_run: bool = False,
) -> list[str]:
    """Do what the command ``item`` says, and report in lines what became of the items.

    ``what`` is list (all withdrawals, returns and corrections, the newest first), withdraw, restore
    or correct: that gives an item ``cells`` by column, of which ``change`` says what they change;
    with ``dry_run`` it only says what would become of the work on it.

    Raises:
        InvalidInput: no such study, item or column, no reason, or nothing to correct.
        Conflict: the items are already withdrawn, or already in play.
    """
    if what == "correct":
        chosen = corrections.parse_kind_of_change(change)
        item = item_corrections.load_item_to_correct(store, settings, study, dataset, names[0])
        if dry_run:
            return item_corrections.list_correction_effects_in_words(
                store, item, cells or {}, chosen
            )
        return item_corrections.correct_item_and_list_what_was_done(
            store, item, cells or {}, change=chosen, reason=reason, by=None
        )
    if what != "list":
        back = what == "restore"
        return [
            item_withdrawals.withdraw_or_return_items_and_get_report_text(
                store, study, dataset, names, reason=reason, by=None, back=back
            )
        ]
    lines = [
        (
            one.at,
            f"{one.at:%Y-%m-%d %H:%M} {one.name} of {one.dataset}"
            f" {'withdrawn' if one.withdrawn else 'put back'} by {one.by}: {one.reason}",
        )
        for one in withdrawn_items.list_withdrawals_and_returns(store, viewer=None)
    ] + [
        (
            each.at,
            f"{each.at:%Y-%m-%d %H:%M} {each.name} of {each.dataset} corrected by {each.by}"
            f" ({'typing error' if each.counts else 'meaning changed'}): {each.reason}",
        )
        for each in corrections.list_corrections(store, viewer=None)
    ]
    return [line for _, line in sorted(lines, reverse=True)]


def run_undo_import_command_and_list_report_lines(
    store: Store, what: str, entry: str, reason: str
) -> list[str]:
    """Do what the command ``imports`` says, and report in lines.

    ``what`` is list (the imports that can be undone, the newest first), foresee (what undoing the
    import ``entry`` would do) or undo.

    Raises:
        InvalidInput: there is no such import, it cannot be undone, or there is no reason.
        Conflict: somebody else undid it at the same moment.
    """
    if what == "undo":
        return [
            import_undoing.undo_import_and_return_import_undo(
                store, entry, reason=reason, by=None
            ).undo_in_words
        ]
    if what == "foresee":
        return [import_undoing.preview_undoing(store, entry, viewer=None).undo_in_words]

    def dataset(one: undo_imports.UndoableImport) -> str:
        study = study_name_of_file_kind(one.kind)
        return current_name_of_dataset(store, study, one.dataset)

    return [
        f"{one.entry}  {one.at:%Y-%m-%d %H:%M}  {one.file} ({one.kind}) into {dataset(one)}"
        f" by {one.by}: {one.added:,} added"
        for one in undo_imports.list_undoable_imports(store, viewer=None)
    ]


def run_archive_command_and_list_report_lines(
    store: Store, settings: Settings, what: str, names: Sequence[str], *, reason: str, back: bool
) -> list[str]:
    """Do what the command ``archive`` says, and report in lines, or bring back. ``what`` is list
    (everything that is archived) or as in ``archive_and_unarchive.list_things_named_in_command``.

    Raises:
        InvalidInput: there is no such thing, no reason is given, or the run is going on.
        Conflict: it is archived already, or not archived.
    """
    if what == "list":
        return archive_and_unarchive.list_archived_things_in_words(store, settings)
    things = archive_and_unarchive.list_things_named_in_command(store, settings, what, names)
    return [
        archive_and_unarchive.archive_or_bring_back_and_return_report_text(
            store, settings, things, reason=reason, by=None, back=back
        )
    ]


def run_delete_command_and_list_report_lines(
    store: Store, settings: Settings, asked: Sequence[str], *, confirmed: str, job: Path | None
) -> list[str]:
    """Do what the command ``delete`` says (``asked``: what, and the words that name it), and report
    in lines: without ``confirmed`` only what would go. ``job`` is the folder of the job by which it
    was asked.

    Raises:
        InvalidInput: there is no such thing, it is not archived, or what was confirmed is another
            name.
        StoreUnavailable: nothing was changed.
    """
    [thing] = archive_and_unarchive.list_things_named_in_command(
        store, settings, asked[0], asked[1:]
    )
    if not confirmed:
        name = deletion_of_archived_data_and_demo.name_that_confirms_deletion(
            store, settings, thing
        )
        lines = deletion_of_archived_data_and_demo.list_deletion_effects_in_words(
            store, settings, thing, viewer=None
        )
        return [*lines, f"Its name, to be typed: {name}"]
    return deletion_of_archived_data_and_demo.delete_archived_thing_and_list_report_lines(
        store, settings, thing, confirmed=confirmed, by=None, folder=job
    )


def run_codes_command_and_list_report_lines(
    store: Store,
    settings: Settings,
    what: str,
    person: str,
    task: str,
    dataset: str,
    reason: str,
) -> list[str]:
    """Do what the command ``codes`` says, and report how people stand with their completion code,
    a line each.

    ``what`` is list (who waits for a lead), all (everybody who has to do with a code), give or
    refuse. Without task and dataset the round is the only one in which the person waits.

    Raises:
        InvalidInput: no such round or person, no reason, the person has nothing to do with the
            round's code, or waits in none or several.
        Conflict: a lead decided at the same moment.
    """
    find_task = partial(find_task_by_name, store, settings)
    sessions = crowd_platforms_and_worker_ids_of_rounds.list_crowd_sessions(
        store, viewer=None, task_of=find_task
    )
    if what in ("list", "all"):
        return [_told_code(one) for one in sessions if what == "all" or one.is_waiting_for_decision]
    if bool(task) != bool(dataset):
        raise InvalidInput(
            "A task and a dataset are needed, or neither.", hint="Name both, or leave out both."
        )
    if task:
        _round_there(_rounds_there(store, settings), task, dataset)
    by_worker = {one.rater for one in sessions if person and one.worker == person}
    rater = by_worker.pop() if len(by_worker) == 1 else _person(store, person, anyone=True).id
    of_person = [one for one in sessions if one.rater == rater]
    asked = [
        one
        for one in of_person
        if ((one.task, one.dataset) == (task, dataset) if task else one.is_waiting_for_decision)
    ]
    if len(asked) != 1:
        rounds_of = ", ".join(f"{one.task} of {one.dataset}" for one in asked or of_person)
        why = "waits in several rounds" if asked else "does not wait for a completion code"
        raise InvalidInput(
            f"{person} {why}{' there' if task else ''}.",
            hint="Name the round with --task and --dataset"
            f" ({rounds_of or 'codes list has who waits'}).",
        )
    [session] = asked
    of_round = session.task, session.dataset
    completion_code_rules_and_decisions.give_or_refuse_code(
        store, *of_round, rater, given=what == "give", reason=reason, by=None
    )
    return [
        _told_code(one)
        for one in crowd_platforms_and_worker_ids_of_rounds.list_crowd_sessions(
            store, viewer=None, task_of=find_task
        )
        if (one.rater, one.task, one.dataset) == (rater, *of_round)
    ]


def _told_code(session: crowd_platforms_and_worker_ids_of_rounds.CrowdSession) -> str:
    known_as = f" (platform's id {session.worker})" if session.worker else ""
    code = session.code_standing_in_words or "not finished"
    if session.event and session.by:
        code += f" ({session.by}, {session.event.at:%Y-%m-%d %H:%M}): {session.event.reason}"
    elif session.missed:
        code += f": {session.missed}"
    return f"{session.name}{known_as}, {session.task} of {session.dataset}: {code}"


def _person(store: Store, name: str, *, anyone: bool = False) -> Rater:
    """The person who can sign in under this name or e-mail, or anyone who judged, also by their
    handle.
    """
    people = [
        one
        for one in raters.list_raters(store)
        if one.can_sign_in or (anyone and one.kind == "person")
    ]
    if anyone:
        people = [one for one in people if one.handle == name] or people
    found = [
        one
        for one in people
        if name.casefold() in (one.name.casefold(), (one.email or "").casefold(), one.handle)
    ]
    if len(found) != 1:
        known = ", ".join(one.handle if anyone else one.email or one.name for one in people)
        why = (
            f"Several people are called {name!r}." if found else f"There is nobody called {name!r}."
        )
        raise InvalidInput(
            why, hint=f"{'People are' if anyone else 'These can sign in'}: {known or 'nobody yet'}."
        )
    return found[0]


def declare_study_and_return_report_text(
    store: Store,
    text: str,
    name: str,
    *,
    into: own.Into | None = None,
    save_with_items: Callable[[Mapping[str, Sequence[Row]]], object] | None = None,
) -> str:
    """Store a study's file under ``name``; says which version of it the store has now. ``into``
    says what it becomes if there is such a study; None asks nobody. ``save_with_items`` saves the
    rows that it is given, by table, and the study's items, or nothing at all.

    Raises:
        BadFile, InvalidInput: as ``own.store_study_file_version_and_return_it``; nothing was
            written.
    """
    if into is not None:
        declared = own.declaration_with_stored_id(store, parse_study_file(text, name))
        before = own.open_study(store, Settings(), declared.study_id)
        # The same file alone changes nothing.
        if save_with_items or before.text != text:
            before = own.find_study_of_file_or_refuse_change(store, declared, text, into)
        if into == "more-items":
            if save_with_items:
                save_with_items({})
            called = current_name_of_dataset(store, OWN, declared.study_id)
            title = f"{before.declared.form.title} ({called})"
            return f"{title} stays as it is, version {before.version}."
    kept = own.store_study_file_version_and_return_it(
        store, text, name=name, by=None, save_rows=save_with_items
    )
    called = current_name_of_dataset(store, OWN, kept.declared.study_id)
    what = f"{kept.declared.form.title} ({called})"
    if not kept.new:
        return f"{what} is unchanged: this file is its version {kept.version} already."
    return f"{what} was saved as version {kept.version}."


def store_study_file_and_import_items(
    store: Store,
    settings: Settings,
    kind: str,
    source: Source,
    *,
    study_file: Mapping[str, Any],
    **options: Any,
) -> Outcome:
    """Store a study's file (its ``text`` and ``name``, and what it comes ``into``) and import its
    items, both or neither, with the ``options`` of ``import_file``; the result's line says first
    which version of the file the store has now.

    Raises:
        BadFile, InvalidInput: nothing was written.
        ValueError: a study's file cannot become that.
    """
    into = study_file["into"]
    if into not in get_args(own.Into):
        raise ValueError(into)
    done: list[Outcome] = []

    def save_with_items(rows: Mapping[str, Sequence[Row]]) -> None:
        done.append(import_file(store, settings, kind, source, before=rows, **options))

    text, name = str(study_file["text"]), str(study_file["name"])
    line = declare_study_and_return_report_text(
        store, text, name, into=into, save_with_items=save_with_items
    )
    return replace(done[0], line=f"{line}\n{done[0].line}")


def add_study_with_files_and_return_outcomes(
    store: Store,
    settings: Settings,
    text: str,
    files: Mapping[str, tuple[Source, str, Mapping[str, Any]]],
    *,
    by: Rater,
    seen: int,
    skip_bad: bool,
) -> tuple[own.StoredStudyFile, list[Outcome]] | None:
    """Store the ``text`` of a study's file and import its files: by kind of import the file, what
    it is called, and further options of ``import_file``. The first of them, its items, and the
    study's file are saved together or not at all.

    One call without a pause, so that a person who leaves the page after pressing the button leaves
    no study without its items. ``by`` is as in ``own.store_study_file_version_and_return_it``.
    Returns None, and writes nothing, if another version of the study was saved since ``seen``.

    Raises:
        BadFile, InvalidInput, NotAllowed: the study was not stored, or a file was refused.
    """
    dataset = own.declaration_with_stored_id(store, parse_study_file(text, "STUDY.toml")).study_id
    left = list(files)
    done: list[Outcome] = []
    begun = False

    def import_next(rows: Mapping[str, Sequence[Row]] | None = None) -> None:
        kind = left.pop(0)
        source, name, options = files[kind]
        done.append(
            import_file(
                *(store, settings, kind, source),
                name=name,
                dataset=dataset,
                by=by.id,
                skip_bad=skip_bad,
                before=rows,
                **options,
            )
        )

    def save_with_first(rows: Mapping[str, Sequence[Row]]) -> None:
        nonlocal begun
        begun = True
        import_next(rows)

    try:
        kept = own.store_study_file_version_and_return_it(
            *(store, text),
            name="STUDY.toml",
            by=by,
            seen=seen,
            save_rows=save_with_first if files else None,
        )
    except Conflict:
        if begun:
            raise
        return None
    while left:
        import_next()
    return kept, done


def check_study_file_in_temporary_store(
    settings: Settings,
    text: str,
    name: str,
    source: Source,
    *,
    skip_bad: bool,
    called: str = "",
    judgments: Source | None = None,
    sheet: str = "",
    header: int = 0,
    encoding: str = "",
) -> None:
    """Try a study's file, called ``name``, with its items and any judgments that come with them, in
    a temporary store, so that no study is added whose items would be refused. What is said of the
    items names their file as ``called``, or as it is called on this machine.

    Raises:
        BadFile, InvalidInput: the reason they would be refused.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "trial.duckdb")
        try:
            dataset = own.store_study_file_version_and_return_it(
                store, text, name=name, by=None
            ).declared.study_id
            import_file(
                store,
                settings,
                "own-items",
                source,
                name=called or (source.name if isinstance(source, Path) else name),
                dataset=dataset,
                skip_bad=skip_bad,
                sheet=sheet,
                header=header,
                encoding=encoding,
                dry_run=judgments is None,
            )
            if judgments is not None:
                import_file(
                    *(store, settings, "own-judgments", judgments),
                    name="judgments.jsonl",
                    dataset=dataset,
                    dry_run=True,
                )
        finally:
            store.close()


def add_demo_studies_and_return_report_text(store: Store) -> str:
    """Add the illustrative demo studies; says what is there. Doing it again adds nothing."""
    said = "\n".join(one.demo(store) for one in STUDIES.values() if one.demo_files)
    audit_log.record_entry(store, "import", who=CLI, about="the demo studies", once="demo")
    return said


def run_erase_command_and_return_report_dict(
    store: Store,
    settings: Settings,
    asked: Mapping[str, Any],
    *,
    target: Path | None = None,
    job: Path | None = None,
) -> dict[str, Any]:
    """Do what the command ``erase`` says, and report it in lines: without ``confirmed`` only what
    would change. ``target`` is where everything about a person goes, ``job`` the folder of the job
    by which it was asked.

    Raises:
        InvalidInput: there is no such person or item, or what was confirmed is something else.
        StoreUnavailable: nothing was changed.
    """
    what, confirmed = str(asked["what"]), str(asked.get("confirmed", ""))
    if what == "find":
        found = erasure.find_erasable_items_with_words(
            *(store, str(asked["study"]), str(asked["words"])),
            viewer=None,
            dataset=str(asked["dataset"]),
        )
        if not found:
            return {"line": "Nothing of this study has these words in its texts."}
        called = [
            f"{current_name_of_dataset(store, one.study, one.dataset)}: {one.name}" for one in found
        ]
        return {"line": "\n".join(called)}
    if what == "text":
        item = erasure.require_item_with_texts_to_erase(
            store, str(asked["study"]), str(asked["item"]), dataset=str(asked["dataset"])
        )
        if not confirmed:
            lines = erasure.preview_text_erasure(store, settings, item, viewer=None)
            return {"line": "\n".join((*lines.changes, *lines.leaves))}
        done = erasure.erase_item_texts_and_list_what_was_done(
            store, settings, item, confirmed=confirmed, viewer=None, folder=job
        )
        return {"line": "\n".join(done)}
    rater = erasure.find_person_to_erase(store, str(asked["person"]))
    if what == "about":
        assert target is not None
        return {
            "line": erasure.write_zip_about_person_and_return_report_text(
                store, rater, target, viewer=None
            )
        }
    if what != "person":
        raise ValueError(what)
    also, with_work = [str(name) for name in asked["also"]], bool(asked["with_work"])
    if not confirmed:
        lines = erasure.preview_person_erasure(
            store, settings, rater, also=also, with_work=with_work, viewer=None
        )
        return {"line": "\n".join((*lines.changes, *lines.leaves))}
    done = erasure.erase_person_and_list_what_was_done(
        *(store, settings, rater),
        confirmed=confirmed,
        also=also,
        with_work=with_work,
        viewer=None,
        folder=job,
    )
    return {"line": "\n".join(done)}


# -- jobs that the command line hands to the app -------------------------------------------------


def run_inbox_job_and_return_result_as_dict(
    store: Store, settings: Settings, command: Mapping[str, Any], folder: Path
) -> dict[str, Any]:
    """Do a job from the inbox: its files are in ``folder``, and so are its results afterwards.
    Datasets and rounds may be named by any name that they ever had.

    Raises:
        InvalidInput: it is not a job that the command line writes.
        MedLensError: the error in which the job itself ended.
    """
    try:
        do = _job(store, settings, _with_first_names(store, command), folder)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidInput("This job was not written by the command line.") from error
    return do()


def _with_first_names(store: Store, command: Mapping[str, Any]) -> dict[str, Any]:
    """A job with the first names of its dataset and round: those of tables, exports and reports are
    found where the study is known.
    """
    if not {"task", "dataset"} & set(command):
        return dict(command)
    study = command.get("study")
    if "task" not in command:
        dataset = renaming_and_name_translation.name_of_dataset_before_renaming(
            store, str(command["dataset"]), str(study or "")
        )
        return {**command, "dataset": dataset}
    task, dataset = renaming_and_name_translation.names_of_task_and_dataset_before_renaming(
        store, str(command["task"]), str(command["dataset"])
    )
    return {**command, "task": task, "dataset": dataset}


def _bound(do: Callable[..., Any], *given: Any, **options: Any) -> Callable[[], Any]:
    """A call with its arguments checked.

    Raises:
        TypeError: it cannot be called like that.
    """
    inspect.signature(do).bind(*given, **options)
    return lambda: do(*given, **options)


def _job(
    store: Store, settings: Settings, command: Mapping[str, Any], folder: Path
) -> Callable[[], dict[str, Any]]:
    """The work of a job, once everything that it needs is there.

    Raises:
        InvalidInput: there is no such job.
        AttributeError, KeyError, TypeError, ValueError: something is missing or of the wrong kind.
    """
    options = dict(command.get("options", {}))
    verb = command.get("verb")
    # Without the app there is no folder of a job.
    of_job = folder if folder != Path() else None
    if verb == "import":
        name, kind = Path(command["file"]).name, str(command["kind"])
        if "\0" in name:
            raise ValueError(name)
        bad_rows = folder / "bad_rows" if options.pop("bad_rows", None) else None
        study_file = options.pop("study_file", None)
        if "before" in options:
            # A job may add what a file holds, and no rows of any table.
            raise ValueError("before")
        imported = _bound(
            *(import_file, store, settings, kind, folder / name),
            **options,
            name=name,
            bad_rows=bad_rows,
        )
        if study_file is not None:
            imported = _bound(
                *(store_study_file_and_import_items, store, settings, kind, folder / name),
                study_file={part: str(study_file[part]) for part in ("text", "name", "into")},
                **options,
                name=name,
                bad_rows=bad_rows,
            )

        def told() -> dict[str, Any]:
            done = imported()
            counts = {name: getattr(done, name) for name in ("added", "known", "refused")}
            return {
                "line": done.line,
                "notes": list(done.notes),
                "bad_rows": done.bad_rows,
                **counts,
            }

        return told
    if verb == "table":
        from medlens.app import python_api_tables

        make = _bound(
            python_api_tables.make_table_by_name,
            *(store, settings, str(command["table"])),
            **options,
        )

        def made_table() -> dict[str, Any]:
            with temporary_path_that_becomes_new_file(folder / "table", force=True) as part:
                python_api_tables.write_parquet_table(make(), part)
            return {"line": ""}

        return made_table
    if verb == "export":
        kind = str(command["kind"])
        if kind == store_zip_writing_and_reading.NAME:
            anonymous = bool(command["options"].get("anonymous"))
            return lambda: {
                "line": write_store_zip_and_describe(
                    store, settings, folder / "table", anonymous=anonymous
                )
            }
        if kind in PACKAGES:
            packed = _bound(
                export_package_as_bytes, *(store, settings, kind), **command["package"], viewer=None
            )

            def given() -> dict[str, Any]:
                with temporary_path_that_becomes_new_file(folder / "table", force=True) as part:
                    part.write_bytes(packed())
                log_export(store, kind, str(command["package"]["dataset"]), rows=None)
                return {"line": PACKAGES[kind].title}

            return given
        form, bom = options.pop("format"), options.pop("bom")
        study, dataset = str(options["study"]), str(options["dataset"])
        nested = form in NESTING
        made = _bound(
            make_export_table, *(store, settings, kind), **options, viewer=None, nested=nested
        )

        def filled() -> dict[str, Any]:
            table = made()
            with temporary_path_that_becomes_new_file(folder / "table", force=True) as part:
                write_table(table, part, format=form, bom=bom)
            log_export(store, kind, dataset, rows=len(table))
            return {"line": exported_table_in_words(store, table, kind, study, dataset)}

        return filled
    if verb == "report":
        report = _bound(
            make_report_file_bytes_and_log_it, store, settings, str(command["study"]), **options
        )

        def reported() -> dict[str, Any]:
            with temporary_path_that_becomes_new_file(folder / "report", force=True) as part:
                part.write_bytes(report())
            return {"line": ""}

        return reported
    if verb == "round":
        what, task, dataset = (str(command[name]) for name in ("what", "task", "dataset"))
        people = [str(name) for name in command["people"]]
        return lambda: {
            "line": "\n".join(
                run_round_command_and_list_report_lines(
                    store, settings, what, task, dataset, people
                )
            )
        }
    if verb == "rater":
        asked = {
            name: str(command[name]) for name in ("what", "person", "task", "dataset", "reason")
        }
        return lambda: {
            "line": "\n".join(run_rater_command_and_list_report_lines(store, settings, **asked))
        }
    if verb == "item":
        of = {name: str(command[name]) for name in ("what", "study", "dataset", "reason")}
        chosen = [str(name) for name in command["names"]]
        cells = {str(name): str(cell) for name, cell in dict(command.get("cells") or {}).items()}
        change, dry_run = str(command.get("change") or ""), bool(command.get("dry_run"))
        return lambda: {
            "line": "\n".join(
                run_item_command_and_list_report_lines(
                    store,
                    settings,
                    names=chosen,
                    cells=cells,
                    change=change,
                    dry_run=dry_run,
                    **of,
                )
            )
        }
    if verb == "imports":
        named = {name: str(command[name]) for name in ("what", "entry", "reason")}
        return lambda: {
            "line": "\n".join(run_undo_import_command_and_list_report_lines(store, **named))
        }
    if verb == "archive":
        what, reason, back = str(command["what"]), str(command["reason"]), bool(command["back"])
        words = [str(name) for name in command["names"]]
        return lambda: {
            "line": "\n".join(
                run_archive_command_and_list_report_lines(
                    store, settings, what, words, reason=reason, back=back
                )
            )
        }
    if verb == "codes":
        decided = {
            name: str(command[name]) for name in ("what", "person", "task", "dataset", "reason")
        }
        return lambda: {
            "line": "\n".join(run_codes_command_and_list_report_lines(store, settings, **decided))
        }
    if verb == "draw":
        names = ("task", "dataset", "judge", "about", "answer", "figure")
        named = {name: str(command[name]) for name in names}
        within, seed = float(command["within"]), int(command["seed"])
        return lambda: {
            "line": sample_items_to_check_and_return_report_text(
                store, settings, **named, within=within, seed=seed
            )
        }
    if verb == "study":
        text, called = str(command["text"]), str(command["name"])
        into = command.get("into")
        if into is not None and into not in get_args(own.Into):
            raise ValueError(into)
        return lambda: {
            "line": declare_study_and_return_report_text(store, text, called, into=into)
        }
    if verb == "demo":
        if command.get("remove"):
            with_work = bool(command["with_work"])
            return lambda: {
                "line": "\n".join(
                    deletion_of_archived_data_and_demo.remove_demo_and_list_what_was_done(
                        store, settings, with_work=with_work, by=None, folder=of_job
                    )
                )
            }
        return lambda: {"line": add_demo_studies_and_return_report_text(store)}
    if verb == "rename":
        what, called, title = (str(command[name]) for name in ("what", "called", "title"))
        which = [str(name) for name in command["names"]]
        return lambda: {
            "line": "\n".join(
                rename_studies_and_data.run_rename_command_and_list_report_lines(
                    store, settings, what, which, called=called, title=title
                )
            )
        }
    if verb == "delete":
        thing_asked = [str(command["what"]), *(str(name) for name in command["names"])]
        confirmed = str(command["confirmed"])
        return lambda: {
            "line": "\n".join(
                run_delete_command_and_list_report_lines(
                    store, settings, thing_asked, confirmed=confirmed, job=of_job
                )
            )
        }
    if verb == "check":
        return lambda: scheduled_backups_and_restore.check_store_and_backups_as_dict(
            store, settings
        )
    if verb == "snapshot":
        from medlens.app import duckdb_file_of_sql_views

        is_anonymous, file = bool(command["anonymous"]), bool(command["file"])

        def copied() -> dict[str, Any]:
            if not file:
                return {
                    "line": duckdb_file_of_sql_views.store_view_results_and_return_report_text(
                        store, settings
                    )
                }
            line = duckdb_file_of_sql_views.write_views_to_file_and_return_report_text(
                store, settings, folder / "snapshot.duckdb", anonymous=is_anonymous
            )
            log_export(store, "snapshot", "", rows=None)
            return {"line": line}

        return copied
    if verb == "erase":
        erasure.require_complete_erasure_command(command)
        target = folder / "about.zip"
        return lambda: run_erase_command_and_return_report_dict(
            store, settings, command, target=target, job=folder
        )
    if verb == "copy":
        copied_to = str(command["to"])

        def copied_out() -> dict[str, Any]:
            # First, so that the copy has the entry too.
            audit_log.record_entry(store, "backup", who=CLI, about=copied_to, detail="copied")
            store.backup(folder / "backup.duckdb")
            return {"line": "Copied."}

        return copied_out
    if verb == "backup":

        def backed_up() -> dict[str, Any]:
            store.backup(folder / "backup.duckdb")
            audit_log.record_entry(store, "backup", who=CLI)
            return {"line": "Backed up."}

        return backed_up
    raise InvalidInput(f"The app does not know the job {json.dumps(verb)}.")
