"""Names in addresses: the browser has what things are called now, pages what they were first.

``OrderedRuntime`` (``browser_bound_sessions.py``) lets every message between a browser and its page
pass here, so that no page need know that a dataset, round or run was renamed. Earlier names lead on
too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from medlens.errors import MedLensError
from medlens.review import renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.store import Store
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process, streamlit_internals
from medlens.ui.streamlit_internals import AppSession, BackMsg, ForwardMsg

_TEAM = "Team"


def update_address_of_browser_message_in_place(
    session: AppSession | None, message: BackMsg
) -> None:
    """Give a browser's message the address that pages read."""
    if message.WhichOneof("type") != "rerun_script" or not message.rerun_script.query_string:
        return
    asked = message.rerun_script
    page = asked.page_name or streamlit_internals.page_name_of_hash(session, asked.page_script_hash)
    if (store := _store_with_names()) is not None:
        asked.query_string = query_text_with_names_before_renaming(store, page, asked.query_string)


def put_browser_address_into_message(session: AppSession, message: ForwardMsg) -> None:
    """Give a page's message the address that the browser shows."""
    kind = message.WhichOneof("type")
    if kind == "page_info_changed":
        part, page = message.page_info_changed, streamlit_internals.page_name_of_session(session)
    elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "page_link":
        part = message.delta.new_element.page_link
        page = part.page
    else:
        return
    if part.query_string and (store := _store_with_names()) is not None:
        part.query_string = query_text_with_current_names(store, page, part.query_string)


def _store_with_names() -> Store | None:
    """The store, if anything in it was ever renamed. All tabs' messages wait for this, and not for
    a store to be opened: the server opens it when it starts.
    """
    try:
        store = settings_store_and_runs_of_process.store_of_process_if_open()
        return (
            store
            if store and renaming_and_name_translation.load_current_and_earlier_names(store).given
            else None
        )
    except MedLensError:
        return None  # Its page says so.


def query_text_with_names_before_renaming(store: Store, page: str, query: str) -> str:
    """A query as pages read it, from the one that a browser sent for a ``page`` (the last part of
    its path): with first names. Where a dataset's new name says of which study it is, and nothing
    else does, its study is added.
    """
    asked = _parsed(query)
    before = dict(asked)
    if run := renaming_and_name_translation.find_thing_by_any_given_name(
        store, "run", asked.get("run", "")
    ):
        asked["run"] = run.name
    if round_ := renaming_and_name_translation.find_thing_by_any_given_name(
        store, "round", asked.get("round", "")
    ):
        del asked["round"]
        asked |= {"task": round_.name, "dataset": round_.dataset}
    elif found := renaming_and_name_translation.find_thing_by_any_given_name(
        store, "dataset", asked.get("dataset", ""), _study_of(page, asked)
    ):
        asked["dataset"] = found.dataset
        declared = STUDIES.get(found.study)
        if declared and page == _name_of_page(DATA_PAGE):
            asked.setdefault("study", declared.title)
        elif declared and page == _TEAM and declared.views:
            asked.setdefault("task", next(iter(declared.views)))
    return urlencode(asked) if asked != before else query


def query_text_with_current_names(store: Store, page: str, query: str) -> str:
    """A query as browsers show it, from the one of a page, or of a link to a ``page``."""
    asked = _parsed(query)
    before = dict(asked)
    names = renaming_and_name_translation.load_current_and_earlier_names(store).called
    if run := next(
        (
            called
            for thing, called in names.items()
            if thing.kind == "run" and thing.name == asked.get("run")
        ),
        "",
    ):
        asked["run"] = run
    dataset, task = asked.get("dataset", ""), asked.get("task", "")
    study = _study_of(page, asked) if dataset else ""
    if study and (round_ := names.get(Thing("round", study, dataset, task))):
        asked = {"round": round_} | {
            name: value for name, value in asked.items() if name not in ("task", "dataset")
        }
    elif study:
        asked["dataset"] = renaming_and_name_translation.current_name_of_dataset(
            store, study, dataset
        )
    return urlencode(asked) if asked != before else query


def _study_of(page: str, asked: Mapping[str, str]) -> str:
    """The study that an address is about; empty if it does not say."""
    for name, declared in STUDIES.items():
        if (
            (declared.page != DATA_PAGE and page == _name_of_page(declared.page))
            or asked.get("study") == declared.title
            or asked.get("task", "") in declared.views
        ):
            return name
    return ""


def _name_of_page(file: str) -> str:
    """The last part of a page's path, from its file."""
    return Path(file).stem.split("_", 1)[1]


def _parsed(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True))
