"""Renaming studies, datasets, rounds and runs, as pages and the command line do it alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from medlens.app import archive_and_unarchive
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput
from medlens.llm.stored_start_requests_of_runs import PipelineOrder
from medlens.review import renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES


def rename_thing_and_return_report_text(
    store: Store, settings: Settings, thing: Thing, called: str, *, by: Rater | None
) -> str:
    """Give a thing another name, under which pages, commands and exports have it from then on; its
    earlier names lead to it. Says what was done. ``by`` None: the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the name is taken, or cannot be one.
        Conflict: somebody gave a name at the same moment.
    """
    called = called.strip()
    _require_fitting_name(thing, called)
    name = archive_and_unarchive.name_of_thing(store, settings, thing)
    before = renaming_and_name_translation.rename_thing_and_return_old_name(
        store, thing, called, by=by
    )
    return _what_was_renamed(store, thing, name, before)


def _what_was_renamed(store: Store, thing: Thing, name: str, before: str) -> str:
    now = renaming_and_name_translation.find_name_given_to_thing(
        store, thing
    ) or renaming_and_name_translation.name_of_thing_before_renaming(thing)
    what = (
        "Its address is" if archive_and_unarchive.is_dataset_called_study(thing) else "It is called"
    )
    return (
        f"{name[0].upper()}{name[1:]} was renamed. {what} “{now}” now; “{before}” leads there, and"
        " renaming it back undoes this."
    )


def run_rename_command_and_list_report_lines(
    store: Store, settings: Settings, what: str, names: Sequence[str], *, called: str, title: str
) -> list[str]:
    """Do what the command ``rename`` says, and report in lines: ``what`` and ``names`` as in
    ``archive_and_unarchive.list_things_named_in_command``. A study of one's own can get another
    ``title`` too.

    Raises:
        InvalidInput: there is no such thing, nothing is asked for, or the name or title is taken.
        Conflict: somebody renamed it at the same moment.
    """
    [thing] = archive_and_unarchive.list_things_named_in_command(store, settings, what, names)
    if not called and not title:
        raise InvalidInput("Say what it is called from now on.", hint="--address, --title or both.")
    return _rename_title_and_address(store, settings, thing, called=called, title=title, by=None)


def rename_with_title_and_return_report_text(
    store: Store, settings: Settings, thing: Thing, *, called: str, title: str, by: Rater | None
) -> str:
    """Rename a thing, and a study of one's own also by its ``title``, as far as they differ from
    what it is called now; says what was done.

    Raises:
        NotAllowed, InvalidInput, Conflict: as
        ``renaming_and_name_translation.rename_thing_and_return_old_name`` and
        ``archive_and_unarchive.retitle_own_study_and_return_report_text``.
    """
    now = renaming_and_name_translation.find_name_given_to_thing(
        store, thing
    ) or renaming_and_name_translation.name_of_thing_before_renaming(thing)
    if title and title.strip() == archive_and_unarchive.title_of_own_study(store, thing.dataset):
        title = ""
    if title and called.strip() == now:
        called = ""
    done = _rename_title_and_address(store, settings, thing, called=called, title=title, by=by)
    return " ".join(done)


def _rename_title_and_address(
    store: Store, settings: Settings, thing: Thing, *, called: str, title: str, by: Rater | None
) -> list[str]:
    """Both, as far as they are given, in one transaction; says of each what was done."""
    called = called.strip()
    if not title:
        return [rename_thing_and_return_report_text(store, settings, thing, called, by=by)]
    if not called:
        return [
            archive_and_unarchive.retitle_own_study_and_return_report_text(
                store, thing.dataset, title, by=by
            )
        ]
    _require_fitting_name(thing, called)
    before = renaming_and_name_translation.find_name_given_to_thing(
        store, thing
    ) or renaming_and_name_translation.name_of_thing_before_renaming(thing)
    rows = renaming_and_name_translation.renaming_rows_by_table(store, thing, called, by=by)
    try:
        done = archive_and_unarchive.retitle_own_study_and_return_report_text(
            store, thing.dataset, title, by=by, beside=rows
        )
    except Conflict as error:
        raise renaming_and_name_translation.make_error_for_simultaneous_name() from error
    name = archive_and_unarchive.name_of_thing(store, settings, thing)
    return [done, _what_was_renamed(store, thing, name, before)]


def _require_fitting_name(thing: Thing, called: str) -> None:
    if thing.kind == "dataset":
        STUDIES[thing.study].require_dataset_name(called)


def run_order_with_first_dataset_name(store: Store, order: PipelineOrder) -> PipelineOrder:
    """The order of a run with the first name of its dataset.

    Raises:
        InvalidInput: a lead gave that name to a dataset of another study.
    """
    asked = order.values.get("dataset")
    if not isinstance(asked, str) or not asked:
        return order
    dataset = renaming_and_name_translation.name_of_dataset_to_fill_before_renaming(
        store, asked, order.study
    )
    return replace(order, values={**order.values, "dataset": dataset})
