"""An own study as one object: its file as stored, and its task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from medlens.config.settings import Section, Settings
from medlens.config.shipped_and_home_folders import HOME
from medlens.config.toml_edit import set_field_in_toml
from medlens.errors import BadFile, Conflict, InvalidInput
from medlens.review import guideline, hand_out_settings, items, renaming_and_name_translation
from medlens.review.raters import Rater
from medlens.review.renaming_and_name_translation import current_name_of_dataset
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import StudyTasks, Task
from medlens.store import Row, Store
from medlens.studies.own import queries
from medlens.studies.own.attached_files import NONE as NO_FILES
from medlens.studies.own.attached_files import AttachedStudyFiles
from medlens.studies.own.study_file import (
    HOW_TO_COMPARE_ANOTHER_MODEL,
    NONE,
    StudyDeclaration,
    declaration_noting_when_options_were_added,
    list_answers_made_untrue_in_words,
    list_lost_arms_in_words,
    list_lost_columns_in_words,
    parse_study_file,
)
from medlens.studies.own.tasks import NAME, STUDY, make_own_study_task


class OwnSettings(Section):
    """Where the files are that items of your own studies show."""

    files_folder: Path = Field(default=HOME / "data/files", strict=False)
    """Images and PDFs that items name, those of each study in a folder called by the study's id."""


TEXT = "study"
"""The key in a dataset's setting for the study's file; its version is beside it."""


REVEALED = "revealed"
"""The key of the setting that lets raters see which arm was which."""


@dataclass(frozen=True)
class Study:
    """A study of your own. ``dataset`` is its name, empty if there is none; ``text`` is the newest
    ``version`` (from 1) of its file, with the id that the study has now. ``revealed``: a lead lets
    raters see which arm was which, on items they have judged.
    """

    dataset: str
    illustrative: bool
    declared: StudyDeclaration
    text: str
    version: int
    task: Task
    revealed: bool = False
    attached: AttachedStudyFiles = NO_FILES


def open_study(store: Store, settings: Settings, dataset: str = "") -> Study:
    """The study that has or had that name, or the current one if no name is given."""
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(store, dataset, STUDY)
    there = {
        str(row["dataset"]): bool(row["illustrative"])
        for row in items.datasets_of_study(store, STUDY)
    }
    if not dataset:
        dataset = next(iter(there), "")
    setting = hand_out_settings.task_settings_set_by_lead(store, NAME, dataset)
    called = current_name_of_dataset(store, STUDY, dataset)
    text, version = _with_id(str(setting.get(TEXT, "")), called), int(setting.get("version", 0))
    attached = attached_files_of_study(settings, dataset)
    declared, task = _read(dataset, text, version, attached, _versions(store, dataset, version))
    known = dataset if text else ""
    made_up = there.get(dataset, declared.illustrative)
    revealed = bool(setting.get(REVEALED, False))
    return Study(known, made_up, declared, text, version, task, revealed, attached)


@lru_cache(maxsize=64)
def _with_id(text: str, id: str) -> str:
    """A study's file with the id that the study has now: it may have been renamed since."""
    if not text or parse_study_file(text, stored=True).study_id == id:
        return text
    return set_field_in_toml(text, "", 0, "id", id)


def declaration_with_stored_id(store: Store, declared: StudyDeclaration) -> StudyDeclaration:
    """The declaration of a file with the id under which the store has the study, if the id in the
    file is a name that a lead gave it later.

    Raises:
        InvalidInput: the id is the name that a lead gave to a dataset of another study.
    """
    return declared.copy_with_other_id(
        renaming_and_name_translation.name_of_dataset_to_fill_before_renaming(
            store, declared.study_id, STUDY
        )
    )


def distinct_titles_by_study(store: Store, studies: Sequence[str]) -> dict[str, str]:
    """The titles of studies by name; the name is added to a title that several have."""
    found = {
        name: open_study(store, Settings(), name).declared.form.title or name for name in studies
    }
    often = Counter(found.values())
    return {
        name: f"{title} ({current_name_of_dataset(store, STUDY, name)})"
        if often[title] > 1
        else title
        for name, title in found.items()
    }


def attached_files_of_study(settings: Settings, study: str) -> AttachedStudyFiles:
    """The files that items of a study show."""
    return AttachedStudyFiles(settings.of(OwnSettings).files_folder / study)


@cache_until_tables_grow("task_setting", most=256)
def _versions(store: Store, dataset: str, version: int) -> tuple[tuple[int, str], ...]:
    """All versions of a study's file; none if there is only one."""
    return (
        tuple(queries.texts_of_study_file_by_version(store, dataset).items()) if version > 1 else ()
    )


@lru_cache(maxsize=32)
def _read(
    dataset: str,
    text: str,
    version: int,
    attached: AttachedStudyFiles,
    versions: tuple[tuple[int, str], ...],
) -> tuple[StudyDeclaration, Task]:
    declared = parse_study_file(text, stored=True).copy_with_other_id(dataset) if text else NONE
    if versions:
        earlier = {}
        for number, each in versions:
            # One that is no longer readable says nothing of what it offered.
            with suppress(BadFile):
                earlier[number] = parse_study_file(each, stored=True)
        declared = declaration_noting_when_options_were_added(declared, earlier)
    return declared, make_own_study_task(declared, version, attached)


Into = Literal["", "new-version", "more-items"]
"""What a file becomes if a study has its name: "" is not decided."""


def find_study_of_file_or_refuse_change(
    store: Store, declared: StudyDeclaration, text: str, into: Into
) -> Study:
    """The study that has the name of this file, if any; refuse to change one unasked.

    Raises:
        InvalidInput: there is one with another file or with items, and nobody said what this file
            and its items should become; or there is none that could get more items.
    """
    before = open_study(store, Settings(), declared.study_id)
    count = len(queries.item_ids_by_name(store, declared.study_id))
    if into == "more-items" and not before.text:
        raise InvalidInput(f"There is no study {declared.study_id!r} that could get more items.")
    if before.text and not into:
        raise InvalidInput(
            f"There is a study {declared.study_id!r} already ({before.declared.form.title},"
            f" {count:,} {'item' if count == 1 else 'items'}). Nothing was changed.",
            hint="Say what this should become: --more-items adds its items to that study,"
            " --new-version makes this file its next version, and another id (with from-table"
            " another --title) makes it a study of its own.",
        )
    return before


@dataclass(frozen=True)
class StoredStudyFile:
    """A study's stored file; not ``new`` if it was stored already."""

    declared: StudyDeclaration
    version: int
    new: bool


def store_study_file_version_and_return_it(
    store: Store,
    text: str,
    *,
    name: str,
    by: Rater | None,
    seen: int | None = None,
    beside: Mapping[str, Sequence[Row]] | None = None,
    save_rows: Callable[[Mapping[str, Sequence[Row]]], object] | None = None,
) -> StoredStudyFile:
    """Store a study's file, called ``name``, as the study's next version, all or nothing.

    ``by`` is None for the command line, whose users may do everything. ``seen`` is the version the
    lead started from; None accepts any. ``beside`` are rows of other tables that are saved in the
    same transaction. ``save_rows`` saves what is to be stored (rows by table, none if the file is
    stored already) together with others, such as the study's items: by default it is appended.

    Raises:
        BadFile: it is not a declaration; names the line of each error.
        InvalidInput: answers to the previous version would no longer be true.
        NotAllowed: ``by`` is not a lead.
        Conflict: another version was saved since ``seen``, or at the same moment.
    """
    declared = declaration_with_stored_id(store, parse_study_file(text, name))
    before = open_study(store, Settings(), declared.study_id)
    if before.text == _with_id(text, current_name_of_dataset(store, STUDY, declared.study_id)):
        if beside or save_rows:
            (save_rows or store.append_all_and_count_new_by_table)(beside or {})
        return StoredStudyFile(declared, before.version, new=False)
    if seen not in (None, before.version):
        raise Conflict(
            f"{declared.study_id!r} was changed meanwhile: it has version {before.version} now.",
            hint="Load the file again to see whether yours is still what you want.",
        )
    if before.text:
        if queries.has_anybody_begun_to_answer(store, declared.study_id):
            lost = list_answers_made_untrue_in_words(before.declared, declared)
            why = "somebody has answered it, and their answers would no longer be true"
        else:
            lost = list_lost_columns_in_words(before.declared, declared)
            lost += list_lost_arms_in_words(before.declared, declared)
            lost = lost if queries.has_items_to_judge(store, declared.study_id) else []
            why = "it has items"
        if lost:
            raise InvalidInput(
                f"{declared.study_id!r} cannot be changed in this way: {why}. {' '.join(lost)}",
                hint=HOW_TO_COMPARE_ANOTHER_MODEL
                if list_lost_arms_in_words(before.declared, declared)
                else "You can always add to a study. For any other change, give the changed "
                "study another id, which makes it a new study.",
            )
    change = {TEXT: text, "version": before.version + 1}
    hand_out_settings.change_task_settings(
        store, NAME, declared.study_id, change, by=by, beside=beside, save_rows=save_rows
    )
    told = declared.form.intro
    if before.text and told != before.declared.form.intro:
        guideline.record_guideline_version_and_return_it(
            store, before.task, dataset=declared.study_id, text=told, by=by
        )
    return StoredStudyFile(declared, before.version + 1, new=True)


def find_study_name_by_columns(store: Store, columns: Collection[str]) -> str:
    """The newest study whose items have these columns (and maybe more); "" if there is none.
    Ignores capitals and spacing.
    """
    known = {"_".join(name.casefold().split()) for name in columns}
    for dataset in queries.list_names_of_studies(store):
        one = open_study(store, Settings(), dataset).declared
        needed = (one.item, *(column.name for column in one.columns if column.required))
        if {"_".join(name.casefold().split()) for name in needed} <= known:
            return dataset
    return ""


TASKS = StudyTasks(
    STUDY,
    open_study,
    lambda study: (study.task,),
    OwnSettings,
    # ``item_specific_criteria.make_judgments_export_table`` adds columns where criteria differ by
    # item.
    {
        "own-judgments": lambda study: (
            None
            if any(one.column for one in study.declared.number_questions_standing_for_rubrics)
            else study.task
        )
    },
)
