"""Erases people and texts for the command line and the pages: previews, refusals, and what is left
elsewhere.
"""

from __future__ import annotations

import contextlib
import csv
import io
import shutil
import time
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.app import job_inbox_of_running_app
from medlens.config.settings import Settings, path_of_settings_file
from medlens.errors import InvalidInput
from medlens.llm.runs import current_state_name_of_run
from medlens.review import (
    assignment,
    audit_log,
    raters,
    remarks_between_raters_and_leads,
    rounds,
)
from medlens.review.erasure_rule_per_column import WHAT
from medlens.review.item_text_erasure import (
    NamedItem,
    TextErasureRewrite,
    TextRules,
    find_items_by_name,
    find_items_with_words,
    list_files_of_item_alone,
    list_runs_of_study,
)
from medlens.review.items import datasets_of_study
from medlens.review.person_erasure import PersonErasureRewrite, count_judgments_of_person
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.store.output_file import temporary_path_that_becomes_new_file
from medlens.store.rewrite_to_erase import RewriteCounts
from medlens.studies.registry import STUDIES
from medlens.tables.formula_escape_and_restore import neutralise_formulas

CLI = "command line"
_SIGN_IN = ("app", "oidc")
_LISTED = 20
_COLLECTED_SECONDS = 3.0


@dataclass(frozen=True)
class Preview:
    """What erasing would do, in sentences: what ``changes``, what it ``leaves`` to people, and, if
    it is ``refused``, why.
    """

    changes: tuple[str, ...]
    leaves: tuple[str, ...]


_ASKED = {
    "about": ("person",),
    "person": ("person", "also", "with_work"),
    "text": ("study", "item", "dataset"),
    "find": ("study", "words", "dataset"),
}


def require_complete_erasure_command(asked: Mapping[str, Any]) -> None:
    """Check that a job says all that is needed, before anything is done.

    Raises:
        KeyError: something is missing.
    """
    for name in _ASKED[asked["what"]]:
        asked[name]


# -- people ----------------------------------------------------------------------------------------


def find_person_to_erase(store: Store, name: str) -> Rater:
    """The person of this name, e-mail address or handle, also one whose work was imported.

    Raises:
        InvalidInput: there is nobody, or several.
    """
    people = [one for one in raters.list_raters(store) if one.kind == "person"]
    asked = name.strip().casefold()
    found = [one for one in people if one.handle.casefold() == asked] or [
        one for one in people if asked in (one.name.casefold(), (one.email or "").casefold())
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InvalidInput(
            f"There is nobody called {name!r}.", hint="Give the name, e-mail address or handle."
        )
    handles = ", ".join(one.handle for one in found)
    raise InvalidInput(f"Several people are called {name!r}.", hint=f"Give a handle: {handles}.")


def preview_person_erasure(
    store: Store,
    settings: Settings,
    rater: Rater,
    *,
    also: Sequence[str] = (),
    with_work: bool = False,
    viewer: Rater | None,
) -> Preview:
    """What erasing a person would change, with counts, and what is left for people to do.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: they are the only lead, or a model.
    """
    raters.require_lead(viewer)
    _require_another_lead(store, settings, rater)
    erased = PersonErasureRewrite(store, rater, also=also, with_work=with_work)
    foreseen = store.count_what_rewrite_would_change(erased)
    kept, gone = count_judgments_of_person(store, rater), sum(foreseen.gone.values())
    work = "one judgment" if kept == 1 else f"{kept:,} judgments"
    changes = [
        f"{rater.name} becomes {erased.number} in {_counted(foreseen)}.",
        f"With them go {work} and {gone - kept:,} drafts and other rows of theirs: figures change."
        if with_work
        else f"Their {work} stay{'s' * (kept == 1)}, under {erased.number}: no figure changes."
        if kept
        else "They have made no judgments.",
        "Their answers to forms are destroyed, and their sign-ins end. Whoever signs in under that"
        " name later is a new person.",
    ]
    leaves = [
        *_remarks_naming(store, erased),
        *_settings_naming(erased),
        *list_backups_and_exports_to_erase_by_hand(store),
    ]
    return Preview(tuple(changes), tuple(leaves))


def erase_person_and_list_what_was_done(
    store: Store,
    settings: Settings,
    rater: Rater,
    *,
    confirmed: str,
    also: Sequence[str] = (),
    with_work: bool = False,
    viewer: Rater | None,
    folder: Path | None = None,
) -> list[str]:
    """Erase a person; ``confirmed`` is the name as the lead typed it, ``folder`` that of the job by
    which it was asked. Returns what was done and what is left to do, in sentences that do not name
    them.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the name is another one, or as ``preview_person_erasure``.
        StoreUnavailable: nothing was changed.
    """
    raters.require_lead(viewer)
    _require_another_lead(store, settings, rater)
    if " ".join(confirmed.split()).casefold() != " ".join(rater.name.split()).casefold():
        raise InvalidInput(
            "The name that was typed is not theirs: nothing was changed.",
            hint="Type the name as the list has it.",
        )
    by = viewer.id if viewer else CLI
    erased = PersonErasureRewrite(store, rater, also=also, with_work=with_work, by=by)
    left = _settings_naming(erased)
    done = store.carry_out_rewrite_and_count_changes(erased)
    given_back = _give_their_places_to_others(store, settings, erased.id_afterwards, viewer)
    remove_earlier_job_files_from_inbox(store, folder)
    went = sum(done.gone.values())
    also_gone = f"; {went:,} rows of their work went, and figures change" if went else ""
    return [
        f"Erased: the person is now {erased.number} in {_counted(done)}{also_gone}.",
        *given_back,
        *(line for line in (*left, *list_backups_and_exports_to_erase_by_hand(store))),
        *_of_engine(store),
    ]


def _give_their_places_to_others(
    store: Store, settings: Settings, rater: str, viewer: Rater | None
) -> list[str]:
    """Give the items that the erased person held to others, and take them out of open rounds, in
    which nobody can be handed anything under their number. Told in sentences.
    """
    items, alone = 0, []
    for study in STUDIES.values():
        for row in datasets_of_study(store, study.name):
            dataset = str(row["dataset"])
            for task in study.tasks(study.open(store, settings, dataset)):
                items += assignment.release_unfinished_items_and_count(
                    store, task, dataset=dataset, rater=rater, by=viewer
                )
                now = rounds.current_round_of_task(store, task, dataset)
                if now.state != "open" or rater not in now.raters:
                    continue
                if others := now.raters - {rater}:
                    rounds.open_or_close_round(
                        store, task, dataset, state="open", raters=others, by=viewer
                    )
                else:
                    # Without a name a round is open to everyone.
                    alone.append(f"{task.title} of {dataset}")
    told = []
    if items:
        are = "item that they had begun is" if items == 1 else "items that they had begun are"
        told.append(f"{items:,} {are} handed to others.")
    if alone:
        told.append(
            f"These rounds were open to them alone, and nobody is handed anything:"
            f" {'; '.join(alone)}. Open them to others under Team, Hand out."
        )
    return told


def _counted(done: RewriteCounts) -> str:
    rows = sum(done.changed.values())
    tables = len(done.changed)
    return f"{rows:,} row{'s' * (rows != 1)} of {tables:,} table{'s' * (tables != 1)}"


def _require_another_lead(store: Store, settings: Settings, rater: Rater) -> None:
    def leads(one: Rater) -> bool:
        role = settings.role_of_email_address(one.email) if one.email else one.role
        return one.origin in _SIGN_IN and role == "lead"

    if not leads(rater):
        return
    others = [one for one in raters.list_raters(store) if one.id != rater.id and leads(one)]
    listed = [who for who, role in settings.people.items() if role == "lead"]
    if not others and not [who for who in listed if who.casefold() != (rater.email or "")]:
        raise InvalidInput(
            "They are the only lead, and a team needs one.",
            hint="Make somebody else a lead first.",
        )


def _remarks_naming(store: Store, erased: PersonErasureRewrite) -> list[str]:
    """The remarks that have a part of the person's name, which only people can tell from a word."""
    told = remarks_between_raters_and_leads.all_remarks_table(store, viewer=None)
    found = [
        f"  {row.study}, {row.item} ({row.kind}): {row.text}"
        for row in told.itertuples(index=False)
        if erased.identifiers.has_part_of_name_in(
            erased.identifiers.replace_person_in_prose(str(row.text))
        )
    ]
    if not found:
        return []
    more = [f"  and {len(found) - _LISTED:,} more"] if len(found) > _LISTED else []
    return [
        f"{len(found):,} remark{'s have' if len(found) != 1 else ' has'} a part of their name. Read"
        " them, and give what they are called there as a further name (--also):",
        *found[:_LISTED],
        *more,
    ]


def _settings_naming(erased: PersonErasureRewrite) -> list[str]:
    """The lines of the settings file that name the person."""
    path = path_of_settings_file()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    at = [
        str(number)
        for number, line in enumerate(lines, 1)
        if erased.identifiers.replace_person_in_prose(line) != line
    ]
    if not at:
        return []
    called = f"line{'s' * (len(at) != 1)} {', '.join(at)}"
    return [f"{path.name} names them in {called}: take that out yourself."]


# -- texts -----------------------------------------------------------------------------------------


def require_item_with_texts_to_erase(
    store: Store, study: str, name: str, *, dataset: str = ""
) -> NamedItem:
    """The item of this name, or what else of the study has texts under it.

    Raises:
        InvalidInput: there is none, or several datasets have one.
    """
    found = find_items_by_name(store, study, name, dataset)
    declared = STUDIES.get(study)
    if declared and not found:
        every = [str(row["dataset"]) for row in datasets_of_study(store, study, archived=True)]
        found = [
            NamedItem(id, study, one, name)
            for one in ([dataset] if dataset else every)
            if (id := declared.named_besides(store, one, name))
        ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InvalidInput(
            f"There is no item {name!r} there, and nothing else with texts.",
            hint="python -m medlens erase find STUDY WORDS lists what has words in it, by name.",
        )
    datasets = ", ".join(sorted({one.dataset for one in found}))
    raise InvalidInput(
        f"Several datasets have an item {name!r}.", hint=f"Name one with --dataset: {datasets}."
    )


def find_erasable_items_with_words(
    store: Store, study: str, words: str, *, viewer: Rater | None, dataset: str = ""
) -> list[NamedItem]:
    """What of a study has these words in its texts or its name: items, and what else can be erased,
    also what is withdrawn or archived; at most ``MOST_FOUND`` of each in a dataset.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: there are no words.
    """
    raters.require_lead(viewer)
    if not words.strip():
        raise InvalidInput("Words are missing.", hint="Give some from the text.")
    every = [str(row["dataset"]) for row in datasets_of_study(store, study, archived=True)]
    found: dict[str, NamedItem] = {}
    for one in [dataset] if dataset else every:
        found |= {item.id: item for item in find_items_with_words(store, study, one, words)}
        besides = STUDIES[study].texts_with_words(store, one, words)
        found |= {id: NamedItem(id, study, one, name) for id, name in besides.items()}
    return list(found.values())


def preview_text_erasure(
    store: Store, settings: Settings, item: NamedItem, *, viewer: Rater | None
) -> Preview:
    """What erasing an item's texts would change, with counts, and what is left for people to do.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    raters.require_lead(viewer)
    rules = _rules(store, settings, item)
    erased = TextErasureRewrite(item, rules)
    done = store.count_what_rewrite_would_change(erased)
    files = len(list_files_of_item_alone(store, item, rules))
    changes = [
        f"The texts of {item.name} ({item.dataset}), and what repeats them, become x in"
        f" {_counted(done)}{_and_files(files)}. Labels, numbers and figures stay.",
        *(
            [
                f"{calls:,} stored {'call of a model is' if calls == 1 else 'calls of models are'}"
                " destroyed whole."
            ]
            if (calls := done.changed.get("completion", 0))
            else []
        ),
        *(
            [
                f"{erased.shared:,} of its sentences are in other items too, which keep them: erase"
                " these as well if need be."
            ]
            if erased.shared
            else []
        ),
        "It cannot be taken back, and whoever is still to judge the item sees only x.",
    ]
    return Preview(tuple(changes), tuple(list_backups_and_exports_to_erase_by_hand(store)))


def erase_item_texts_and_list_what_was_done(
    store: Store,
    settings: Settings,
    item: NamedItem,
    *,
    confirmed: str,
    viewer: Rater | None,
    folder: Path | None = None,
) -> list[str]:
    """Erase an item's texts; ``confirmed`` is the item's name as the lead typed it. Otherwise as
    ``erase_person_and_list_what_was_done``.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the name is another one, or a run of the study is going on.
        StoreUnavailable: nothing was changed.
    """
    raters.require_lead(viewer)
    if confirmed.strip() != item.name:
        raise InvalidInput(
            "The name that was typed is not the item's: nothing was changed.",
            hint="Type it as the list has it.",
        )
    _require_no_run(store, item)
    rules = _rules(store, settings, item)
    files = list_files_of_item_alone(store, item, rules)
    by = viewer.id if viewer else CLI
    erased = TextErasureRewrite(
        *(item, rules),
        by=by,
        refuse=lambda: _require_no_run(store, item),
        measures=rules.measures(store, item.id),
    )
    done = store.carry_out_rewrite_and_count_changes(erased)
    for file in files:
        file.unlink(missing_ok=True)
    remove_earlier_job_files_from_inbox(store, folder)
    return [
        f"Erased: the texts of {item.name} in {_counted(done)}{_and_files(len(files))}. Figures are"
        " as they were.",
        *list_backups_and_exports_to_erase_by_hand(store),
        *_of_engine(store),
    ]


def _rules(store: Store, settings: Settings, item: NamedItem) -> TextRules:
    study = STUDIES[item.study]
    return study.text_rules(study.open(store, settings, item.dataset))


def _require_no_run(store: Store, item: NamedItem) -> None:
    going = [
        run
        for run in list_runs_of_study(store, item.study)
        if current_state_name_of_run(run) == "running"
    ]
    if going:
        raise InvalidInput(
            "A run of this study is in progress, and may be asking a model about this text.",
            hint="Stop it (Runs), then erase.",
        )


def _and_files(number: int) -> str:
    return f" and {number:,} file{'s' * (number != 1)}" if number else ""


# -- everything about a person ---------------------------------------------------------------------


def write_zip_about_person_and_return_report_text(
    store: Store, rater: Rater, target: Path, *, viewer: Rater | None
) -> str:
    """Write everything about a person, for them: a zip with a CSV for each table that has rows of
    theirs or names them; says what is in it.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput, MedLensError: the file cannot be written.
    """
    raters.require_lead(viewer)
    erased = PersonErasureRewrite(store, rater)
    erased.read_and_remember_what_rewrite_needs(store.rows)
    count = tables = 0
    with (
        temporary_path_that_becomes_new_file(target, force=True) as part,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as out,
    ):
        for table in WHAT:
            rows = erased.list_rows_that_may_name_person(store, table)
            theirs = [row for row in rows if erased.is_row_about_person(table, row)]
            if theirs:
                out.writestr(f"{table}.csv", _csv(theirs))
                count, tables = count + len(theirs), tables + 1
        out.writestr("README.txt", _ABOUT)
    who = viewer.id if viewer else CLI
    audit_log.record_entry(store, "export", who=who, about="everything about a person")
    return f"{count:,} rows of {tables:,} tables."


_ABOUT = """\
Everything that this MedLens holds about you: a file for each table that has rows of yours or names
you, as the store has them. "rater" and "made_by" are ids; yours is the id in rater.csv. Times are
UTC. What a column means is in the data dictionary (docs/data-dictionary.md).
"""


def _csv(rows: Sequence[dict[str, object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow(
            [neutralise_formulas("" if one is None else str(one)) for one in row.values()]
        )
    return out.getvalue()


# -- what is left elsewhere ------------------------------------------------------------------------


def list_backups_and_exports_to_erase_by_hand(store: Store) -> list[str]:
    """The backups and exports that MedLens wrote: what is in them, only their keeper can erase."""
    found = []
    for one in audit_log.list_summaries_of_logged_backups_and_exports(store):
        called = ", ".join(one.names[:_LISTED])
        is_one = one.number == 1
        first, last = f"{one.first:%Y-%m-%d}", f"{one.last:%Y-%m-%d}"
        made = first if first == last else f"{first} to {last}"
        found.append(
            f"{one.number:,} {one.kind}{'' if is_one else 's'} from {made} still"
            f" {'has' if is_one else 'have'} what was erased, if it was there then"
            f"{f' ({called})' if called else ''}: delete or make them anew."
        )
    return found or [
        "MedLens knows of no backup and no export. Copies made without it are for you to find."
    ]


def _of_engine(store: Store) -> list[str]:
    return list(store.list_places_where_erased_data_may_remain())


def remove_earlier_job_files_from_inbox(store: Store, job: Path | None = None) -> None:
    """Remove what earlier jobs of the command line left in the inbox; ``job`` is the present one,
    of which only the command goes.
    """
    folder = job_inbox_of_running_app.path_of_inbox_folder(store.path)
    if job is not None:
        (job / "command.json").unlink(missing_ok=True)
    # Whoever waits for an outcome collects it meanwhile.
    until = time.monotonic() + _COLLECTED_SECONDS
    while (left := _left_in(folder, job)) and time.monotonic() < until:
        time.sleep(0.1)
    for path in left:
        shutil.rmtree(path, ignore_errors=True)


def _left_in(folder: Path, job: Path | None) -> list[Path]:
    with contextlib.suppress(OSError):
        return [
            path
            for path in folder.iterdir()
            if path.name.startswith(("done-", ".part-", ".back-")) and path != job
        ]
    return []
