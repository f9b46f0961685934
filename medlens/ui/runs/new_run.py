"""A new run: the pipeline's settings, its forecast cost and time, and the button that starts it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any

import streamlit as st

from medlens.app.file_intake import reader_client
from medlens.errors import InvalidInput, MedLensError
from medlens.llm import stored_start_requests_of_runs
from medlens.llm.client import api_key_from_environment
from medlens.llm.pipeline_declaration_forecast_and_run import Pipeline, PipelineField
from medlens.llm.stored_start_requests_of_runs import PipelineOrder
from medlens.llm.token_cost_forecast_and_budget import CostForecast, format_money
from medlens.review import items
from medlens.studies import registry
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.conflict_between_tabs import draw_differences_and_version_choice
from medlens.ui.export_button import draw_export_button
from medlens.ui.form_outside_queue import FormSheet, form_sheet_of_session
from medlens.ui.page_address import replace_whole_address
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.runs.run_titles import title_of_study
from medlens.ui.streamlit_internals import UploadedFile
from medlens.ui.times_in_browser_time_zone import format_time_of_day
from medlens.ui.upload_endpoint import read_upload_within_limit

_SEEN = "runs.new.seen"
_FAILED = "runs.new.failed"
_USUAL = "runs.usual."
_WIDTH = 760
_ADD_A_MODEL = """\
[models.NAME]                        # a name of your own
base_url = "https://…/v1"            # any OpenAI-compatible endpoint
model = "…"                          # what the endpoint calls it
key_env = "MY_API_KEY"               # the variable that holds the key, never the key itself
input_price = 2.5                    # per million tokens; without prices there is no cap
output_price = 10.0
"""


def draw_new_run_form(here: Here, asked: str) -> None:
    """The form of the pipeline that the address names, or the choice of one."""
    st.button(
        "All runs",
        key="runs.back",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=replace_whole_address,
    )
    st.title("New run", anchor=False)
    with st.container(width=_WIDTH):
        _form(here, asked)


def _form(here: Here, asked: str) -> None:
    known = {
        f"{one.study}.{one.name}": one
        for declared in registry.STUDIES.values()
        for one in declared.pipelines
    }
    st.session_state["runs.new.what"] = asked if asked in known else None
    st.selectbox(
        "What should be done?",
        list(known),
        key="runs.new.what",
        placeholder="Choose",
        format_func=lambda one: f"{title_of_study(known[one].study)}: {known[one].title}",
        on_change=lambda: replace_whole_address(new=st.session_state["runs.new.what"] or "choose"),
    )
    if asked not in known:
        return
    pipeline = known[asked]
    st.caption(pipeline.about)
    if pipeline.asks_models and not here.settings.models:
        draw_how_to_set_up_a_model()
        return
    sheet = form_sheet_of_session(
        here.store, here.person, "run", asked, send=lambda _: None, anew=True
    )
    kept = _kept(asked, sheet)
    values: dict[str, Any] = {}
    for field in pipeline.fields:
        default = kept.get(field.name, field.default)
        values[field.name] = _ask(here, pipeline, field, default, values)
    cap, batch_api = None, False
    if pipeline.asks_models:
        cap = st.number_input(
            "Spending cap",
            min_value=0.0,
            value=kept.get("cap"),
            placeholder="none",
            width=220,
            key=f"runs.new.{asked}.cap",
            help="In the currency of the prices in medlens.toml. The run stops before it costs "
            "more, and can be resumed under a higher cap.",
        )
    if pipeline.batch_api:
        batch_api = st.checkbox(
            "Through the endpoint's batch jobs: cheaper, answered within a day",
            kept.get("batch", False),
            key=f"runs.new.{asked}.batch",
        )
    entered = {one.name: values[one.name] for one in pipeline.fields if one.kind != "file"}
    entered |= {"cap": cap, "batch": batch_api}
    # A list shows its first entry, which nobody chose.
    usual = st.session_state.setdefault(f"{_USUAL}{asked}", entered)
    _keep(pipeline, sheet, entered, usual)
    missing = [
        field.title
        for field in pipeline.fields
        if field.is_required and values[field.name] in (None, "", [], ())
    ]
    ticket = _ticket(asked, values, cap, batch_api)
    if pipeline.asks_models:
        _estimate(here, pipeline, values, cap, batch_api, missing=missing, ticket=ticket)
    else:
        st.button(
            "Start",
            key="runs.start",
            type="primary",
            icon=":material/play_arrow:",
            disabled=bool(missing),
            on_click=_start,
            args=(lambda: _order(here, pipeline, values, cap, batch_api), ticket),
        )
    if missing:
        st.caption(f"Still missing: {escape_markdown(', '.join(missing))}.")
    failed = st.session_state.get(_FAILED)
    if failed is not None and failed[0] == ticket:
        show_error(failed[1])


def _kept(asked: str, sheet: FormSheet) -> dict[str, Any]:
    """The form's draft when its fields were first drawn: their initial values."""
    drawn, begun = f"runs.new.{asked}.", f"runs.kept.{asked}"
    if not any(str(key).startswith(drawn) for key in st.session_state):
        st.session_state[begun] = {
            name: json.loads(text) for name, text in sheet.body.items() if text
        }
        st.session_state.pop(f"{_USUAL}{asked}", None)
    found: dict[str, Any] = st.session_state.get(begun, {})
    return found


def _keep(
    pipeline: Pipeline, sheet: FormSheet, entered: dict[str, Any], usual: dict[str, Any]
) -> None:
    """Save values that differ from the first ones shown as a draft, and say so; files are not
    saved.
    """
    changed = {
        name: json.dumps(value)
        for name, value in entered.items()
        if name in sheet.body or value not in (usual[name], "", [])
    }
    if sheet.newer is None:
        sheet.change_answer_and_save_draft(**changed)

    def take_theirs() -> None:
        sheet.take_other_tabs_answer()
        drawn = f"runs.new.{pipeline.study}.{pipeline.name}."
        for key in [key for key in st.session_state if str(key).startswith(drawn)]:
            del st.session_state[key]

    if sheet.newer is not None:
        theirs = sheet.newer.value.model_dump() if sheet.newer.value else {}
        titles = {one.name: one.title for one in pipeline.fields}
        titles |= {"cap": "Spending cap", "batch": "Batch jobs"}
        draw_differences_and_version_choice(
            (
                f"{titles.get(name, name)}: here {changed.get(name, 'nothing')},"
                f" there {theirs.get(name, 'nothing')}"
                for name in {**changed, **theirs}
                if changed.get(name) != theirs.get(name)
            ),
            key="run",
            keep_mine=sheet.overwrite_other_tabs_answer,
            take_theirs=take_theirs,
        )
    elif sheet.error is not None:
        st.caption(f"not saved: {escape_markdown(sheet.error.message)}")
    elif sheet.saved_at is not None:
        st.caption(f"draft saved {format_time_of_day(sheet.saved_at)}")


def draw_how_to_set_up_a_model() -> None:
    """That no model can be asked yet, and what to add to the settings."""
    st.warning("No model has been set up yet.", icon=":material/key:")
    st.markdown("Add one to `medlens.toml` in MedLens's folder, then restart MedLens:")
    # Coloured, its comments and keys would be too faint to read (WCAG 1.4.3).
    st.code(_ADD_A_MODEL, language=None)
    st.caption("medlens.example.toml shows every setting of a model.")


def _ask(
    here: Here, pipeline: Pipeline, field: PipelineField, default: Any, entered: Mapping[str, Any]
) -> Any:
    """One field's widget, which starts at ``default``, after those whose values are ``entered``;
    returns a file as Streamlit gives it.
    """
    key = f"runs.new.{pipeline.study}.{pipeline.name}.{field.name}"
    title, words = escape_markdown(field.title), _help(field)
    if field.kind == "file":
        return _file(key, field)
    if field.kind == "model":
        names = list(here.settings.models)
        return (
            st.selectbox(
                title,
                names,
                key=key,
                format_func=lambda name: _model(here, name),
                help=words,
                index=names.index(default)
                if default in names
                else 0
                if field.is_required
                else None,
                placeholder="none",
            )
            or ""
        )
    if field.kind == "models":
        names = list(here.settings.models)
        return st.multiselect(
            title,
            names,
            [name for name in default or () if name in names],
            key=key,
            help=words,
            format_func=lambda name: _model(here, name),
            placeholder="Choose models",
        )
    if field.kind == "dataset":
        there = [str(row["dataset"]) for row in items.datasets_of_study(here.store, pipeline.study)]
        before = pipeline.datasets(here.store) if pipeline.datasets else ()
        options = list(dict.fromkeys([*([default] if default else []), *before, *there]))
        called = registry.STUDIES[pipeline.study].titles(here.store, options)
        return (
            st.selectbox(
                title,
                options,
                key=key,
                format_func=lambda name: called.get(name, name),
                accept_new_options=True,
                help=words,
                index=0 if options else None,
                placeholder="Choose one, or type a new name",
            )
            or ""
        )
    if field.kind == "whole":
        return st.number_input(
            title, min_value=field.least, value=default, step=1, key=key, help=words, width=220
        )
    if field.kind == "choice":
        index = field.choices.index(default) if default in field.choices else None
        called = dict(zip(field.choices, field.in_words or field.choices, strict=True))
        return st.selectbox(
            title, field.choices, index, key=key, help=words, format_func=called.__getitem__
        )
    if field.kind == "flag":
        if field.count is not None:
            # A dataset whose name was typed holds nothing to count yet.
            with suppress(MedLensError):
                title += f" ({field.count(here.store, here.settings, entered):,})"
        return st.checkbox(title, bool(default), key=key, help=words)
    return st.text_input(title, default or "", key=key, help=words).strip()


def _help(field: PipelineField) -> str | None:
    """A field's help beyond its title, if there is any."""
    if field.help.casefold() == field.title.casefold():
        return None
    return escape_markdown(field.help[:1].upper() + field.help[1:]) or None


def _file(key: str, field: PipelineField) -> Any:
    given = st.file_uploader(
        escape_markdown(field.title),
        type=[one.lstrip(".") for one in field.suffixes] or None,
        key=key,
        help=_help(field),
        max_upload_size=stored_start_requests_of_runs.LARGEST_MB,
    )
    if field.example:
        suffix = field.suffixes[0] if field.suffixes else ".txt"
        with st.expander("What this file looks like", icon=":material/help:"):
            draw_export_button(
                "Download this example",
                lambda: field.example,
                about=f"example of {field.name}",
                file_name=f"{field.name}{suffix}",
                key=f"{key}.example",
                type="tertiary",
            )
            st.code(field.example, language=suffix.lstrip("."))
    return given


def _model(here: Here, name: str) -> str:
    """A model in a list: whether it can be asked, and its price."""
    model = here.settings.models[name]
    try:
        api_key_from_environment(name, model)
    except InvalidInput:
        return f"{name} (no key: {model.key_env} is not set)"
    if model.input_price is None or model.output_price is None:
        return f"{name} (no prices)"
    prices = f"{format_money(model.input_price)} in, {format_money(model.output_price)} out"
    return f"{name} ({prices} per million)"


def _ticket(asked: str, values: dict[str, Any], cap: float | None, batch_api: bool) -> str:
    """A hash that changes when anything in the form does."""
    shown = {name: getattr(value, "file_id", value) for name, value in values.items()}
    text = json.dumps([asked, shown, cap, batch_api], default=str, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _order(
    here: Here, pipeline: Pipeline, values: dict[str, Any], cap: float | None, batch_api: bool
) -> PipelineOrder:
    packed = {
        name: _packed(here, value) if isinstance(value, UploadedFile) else value
        for name, value in values.items()
    }
    return PipelineOrder(
        study=pipeline.study,
        pipeline=pipeline.name,
        values=packed,
        by=here.person.id,
        cap=cap,
        batch_api=batch_api,
    )


def _packed(here: Here, uploaded: UploadedFile) -> dict[str, str]:
    """A file for an order. The pipeline reads it in this process, so a reader tries it first.

    Raises:
        BadFile: it is too large, or cannot be read.
    """
    content = read_upload_within_limit(uploaded, stored_start_requests_of_runs.LARGEST_MB)
    if PurePath(uploaded.name).suffix != ".toml":
        reader_client.read_file_description_in_reader_process(
            here.settings, content, uploaded.name, most=stored_start_requests_of_runs.LARGEST_MB
        )
    return stored_start_requests_of_runs.file_as_dict_ready_for_json(uploaded.name, content)


def _estimate(
    here: Here,
    pipeline: Pipeline,
    values: dict[str, Any],
    cap: float | None,
    batch_api: bool,
    *,
    missing: list[str],
    ticket: str,
) -> None:
    seen = st.session_state.get(_SEEN)
    fresh = seen is not None and seen[0] == ticket
    if st.button(
        "Show the estimate",
        key="runs.estimate",
        icon=":material/calculate:",
        type="secondary" if fresh else "primary",
        disabled=bool(missing),
    ):
        st.session_state.pop(_FAILED, None)
        try:
            order = _order(here, pipeline, values, cap, batch_api)
            with st.spinner("Counting…"):
                expected = stored_start_requests_of_runs.forecast_requested_run(
                    here.store, here.settings, pipeline, order
                )
        except MedLensError as error:
            st.session_state.pop(_SEEN, None)
            show_error(error)
            return
        st.session_state[_SEEN] = (ticket, order, expected)
        st.rerun()
    if seen is None or not fresh:
        st.caption("Nothing is sent to a model, and nothing is spent, until you have seen it.")
        return
    _, order, expected = seen
    if expected is not None:
        draw_run_forecast(expected)
        if expected.unpriced and cap is not None:
            st.warning(
                "A cap needs prices, and one is missing. Remove the cap, or set the prices in "
                "medlens.toml.",
                icon=":material/money_off:",
            )
            return
        if cap is not None and expected.cost > cap:
            st.warning(
                "That is more than the cap, so the run will stop before it is complete.",
                icon=":material/money_off:",
            )
    st.button(
        "Start the run",
        key="runs.start",
        type="primary",
        icon=":material/play_arrow:",
        on_click=_start,
        args=(lambda: order, ticket),
    )


def draw_run_forecast(expected: CostForecast) -> None:
    """An order's forecast, as numbers."""
    priced = expected.cost or not expected.unpriced
    with st.container(horizontal=True, gap="medium", key="runs.forecast"):
        name = "Calls, at most" if expected.most else "Calls"
        st.metric(name, f"{expected.calls:,}", width="content")
        st.metric("Stored already", f"{expected.stored:,}", width="content")
        st.metric("Tokens in", f"{expected.input_tokens:,}", width="content")
        st.metric("Tokens out", f"{expected.output_tokens:,}", width="content")
        cost = "Cost, at most" if expected.most else "Cost, about"
        st.metric(cost, format_money(expected.cost) if priced else "not known", width="content")
    st.caption(
        (f"At most: {expected.likely_share_of_calls_in_words()}. " if expected.most else "")
        + "Tokens are estimated by length. Answers that are already stored cost nothing."
        + (
            f" No price is set for {escape_markdown(', '.join(expected.unpriced))}: its cost is "
            "not "
            "included."
            if expected.unpriced
            else ""
        )
    )


def _start(ordered: Callable[[], PipelineOrder], ticket: str) -> None:
    """Start the order in the server's background and go to the list, which shows it. A callback."""
    try:
        # Pack files only now: they can be large, and the form is drawn often.
        settings_store_and_runs_of_process.run_launcher_of_process().start_confirmed_order_and_return_key(
            ordered()
        )
    except MedLensError as error:
        st.session_state[_FAILED] = (ticket, error)
        return
    st.session_state.pop(_SEEN, None)
    st.session_state["run.sheet"].discard_entries_of_person()
    replace_whole_address()
