"""One run: its state, how its jobs ended, what went wrong, and what the models said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from medlens.errors import MedLensError
from medlens.llm import completion_run_and_job_queries, runs, stored_start_requests_of_runs
from medlens.llm.background_runs import Running
from medlens.llm.endpoint_faults import MEANING
from medlens.llm.job_batch_progress_and_report import list_cautions_about_replies
from medlens.llm.token_cost_forecast_and_budget import format_money
from medlens.review import items, renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.run_names import list_models_in_run_configuration
from medlens.studies import registry
from medlens.ui import list_filters_and_paging, settings_store_and_runs_of_process
from medlens.ui.archive_unarchive_and_delete_forms import (
    draw_archive_form,
    draw_outcome_of_last_archiving,
)
from medlens.ui.chart_with_table_and_csv import draw_clickable_table, draw_csv_button
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_address import replace_whole_address
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.rename_forms import draw_rename_form
from medlens.ui.runs.new_run import draw_run_forecast
from medlens.ui.runs.run_titles import STATES, people_names_by_id, title_of_run, title_of_study
from medlens.ui.runs.running_now import draw_how_work_ended, draw_one_running_work
from medlens.ui.times_in_browser_time_zone import format_date_and_time, streamlit_column_of_times

PAGE = 50
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def draw_jobs_of_run(here: Here, run: Mapping[str, Any]) -> None:
    """The list, filtered by outcome (``&outcome=…``), page by page."""
    counts = completion_run_and_job_queries.job_counts_by_outcome(here.store, run["id"])
    if not counts:
        return
    st.header("Pieces", anchor=False)
    asked = st.query_params.get("outcome", "")
    outcome = asked if asked in counts else ""
    total = counts[outcome] if outcome else sum(counts.values())
    at = list_filters_and_paging.whole_number_in_address("page")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["runs.outcome"] = outcome or None
        st.selectbox(
            "Outcome",
            list(counts),
            key="runs.outcome",
            placeholder="any",
            width=220,
            format_func=lambda one: f"{one.replace('_', ' ')} ({counts[one]:,})",
            on_change=lambda: _to(run, outcome=st.session_state["runs.outcome"] or ""),
        )
        list_filters_and_paging.draw_list_pager(total, PAGE, "pieces", key="runs.job")
    table = completion_run_and_job_queries.table_of_jobs_on_one_page(
        here.store, run["id"], outcome=outcome, limit=PAGE, offset=at * PAGE
    )
    marks = tuple(table["job"])
    table["job"] = _named(here, marks)
    table["outcome"] = table["outcome"].str.replace("_", " ")
    table = table.rename(
        columns={"job": "piece", "error_class": "class of error", "made_at": "ended"}
    )
    if not table["error"].any():
        table = table.drop(columns=["class of error", "error"])
    draw_clickable_table(
        table,
        "runs.jobs",
        marks=marks,
        alt="Items of the run; click a row to open it",
        on_mark=lambda job: _to(run, job=job) if job else None,
        columns={"ended": streamlit_column_of_times(seconds=True)},
        height=min(38 + 35 * len(table), 480),
    )
    draw_csv_button(table, "pieces")


def _named(here: Here, jobs: Sequence[str]) -> list[str]:
    """Jobs with the names of their items in place of ids."""
    names = items.item_names_by_id(here.store, _ID.findall(" ".join(jobs)))
    return [_ID.sub(lambda found: names.get(found[0], found[0]), job) for job in jobs]


def draw_messages_of_job(here: Here, run: Mapping[str, Any], job: str) -> None:
    """The messages to and from the models for one job, in order, as text."""
    st.button(
        "The whole run",
        key="runs.job.back",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=_to,
        args=(run,),
    )
    st.header("One piece", anchor=False)
    st.text(_named(here, [job])[0], width="stretch")
    said = completion_run_and_job_queries.list_completions_of_job(here.store, run["id"], job)
    if not said:
        st.markdown("No answer is stored for this item.")
        return
    st.caption("1 answer" if len(said) == 1 else f"{len(said):,} answers")
    for number, one in enumerate(said, 1):
        with st.container(border=True, key=f"runs.said.{number}"):
            cost = "" if one["cost"] is None else f", cost {one['cost']:.4f}"
            took = "" if one["seconds"] is None else f" in {one['seconds']:.1f} s"
            st.caption(
                escape_markdown(
                    f"{number}. {one['name']} (answered as {one['served_model'] or 'unknown'}): "
                    f"{one['outcome'].replace('_', ' ')}{took}, {one['input_tokens']:,} tokens in, "
                    f"{one['output_tokens']:,} out{cost}"
                )
            )
            st.text(one["text"] or "(nothing)", width="stretch")
            if one["reasoning"]:
                with st.expander("Its reasoning (not part of the answer)", type="compact"):
                    st.text(one["reasoning"], width="stretch")
            with st.expander("What it was sent", type="compact"):
                for message in json.loads(one["messages"]):
                    st.caption(escape_markdown(str(message.get("role", ""))))
                    st.text(_said(message.get("content")), width="stretch")
    _draw_result(here, run, job)
    draw_csv_button(pd.DataFrame(said), "answers")


def _draw_result(here: Here, run: Mapping[str, Any], job: str) -> None:
    """What was read from the answers: the outcome, and what the run keeps of it."""
    outcome, result = completion_run_and_job_queries.outcome_and_result_of_job(
        here.store, run["id"], job
    )
    rows = {"outcome": outcome.replace("_", " ")} | {
        name.replace("_", " "): _shown(value)
        for name, value in result.items()
        if value not in (None, "", [], {}) and name not in _NOT_READ
    }
    st.markdown("**What was read from it**")
    st.text("\n".join(f"{name}: {value}" for name, value in rows.items()), width="stretch")


_NOT_READ = frozenset({"completion", "completions", "served_model"})


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        text = "; ".join(value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


_LONGEST = 2_000


def _said(content: Any) -> str:
    """A message's text; an image is named, not drawn."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "(an image)") for part in content)
    return str(content or "")


def _to(run: Mapping[str, Any], **params: str) -> None:
    replace_whole_address(run=run["id"], **{name: value for name, value in params.items() if value})


_SEEN = "runs.resume.seen"


def draw_forecast_and_resume_button(here: Here, run: Mapping[str, Any]) -> None:
    """The forecast of what is left, when asked for; then the start button."""
    order = stored_start_requests_of_runs.load_last_order_of_run(here.store, run["id"])
    if order is None:
        st.markdown(
            "Start it again the way you started it: it resumes where it stopped and pays for no "
            "answer twice."
        )
        return
    pipeline = registry.find_pipeline(order.study, order.pipeline)
    seen = st.session_state.get(_SEEN)
    fresh = seen is not None and seen[0] == run["id"]
    if st.button(
        "Resume",
        key="runs.resume",
        icon=":material/play_arrow:",
        type="secondary" if fresh else "primary",
    ):
        try:
            with st.spinner("Counting what is left…"):
                expected = stored_start_requests_of_runs.forecast_requested_run(
                    here.store, here.settings, pipeline, order
                )
        except MedLensError as error:
            show_error(error)
            return
        st.session_state[_SEEN] = (run["id"], expected)
        st.rerun()
    if seen is None or not fresh:
        return
    if seen[1] is not None:
        draw_run_forecast(seen[1])
    cap = order.cap
    if pipeline.asks_models:
        cap = st.number_input(
            "Spending cap for the run as a whole",
            min_value=0.0,
            value=order.cap,
            width=280,
            placeholder="none",
            key=f"runs.resume.cap.{run['id']}",
            help=f"It has cost {run['cost']:,.2f} so far.",
        )
    st.button(
        "Start",
        key="runs.resume.start",
        type="primary",
        icon=":material/play_arrow:",
        on_click=_resume,
        args=(here, run["id"], cap),
    )
    if failed := st.session_state.pop("runs.resume.failed", None):
        show_error(failed)


def _resume(here: Here, run: str, cap: float | None) -> None:
    try:
        settings_store_and_runs_of_process.run_launcher_of_process().resume_run_and_return_key(
            run, by=here.person.id, cap=cap
        )
    except MedLensError as error:
        st.session_state["runs.resume.failed"] = error
        return
    st.session_state.pop(_SEEN, None)
    replace_whole_address()


_EVERY = 2.0


def draw_run_or_one_of_its_jobs(here: Here, id: str) -> None:
    """The run with this id, or one job of it (``&job=…``)."""
    st.button(
        "All runs",
        key="runs.back",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=replace_whole_address,
    )
    try:
        run = runs.load_run_or_refuse(here.store, id)
    except MedLensError as error:
        show_error(error)
        return
    st.title(escape_markdown(title_of_run(here.store, run)), anchor=False)
    _head(here, run)
    draw_outcome_of_last_archiving()
    if job := st.query_params.get("job", ""):
        draw_messages_of_job(here, run, job)
        return
    _state(here, run)
    _outcomes(here, run)
    draw_jobs_of_run(here, run)
    _faults(here, run)
    _models(here, run)
    _given(here, run)
    thing = Thing("run", run["study"], "", run["id"])
    draw_rename_form(here, thing)
    draw_archive_form(here, thing, "Archive this run")


def _head(here: Here, run: Mapping[str, Any]) -> None:
    names = people_names_by_id(here.store)
    by = names.get(run["made_by"], run["made_by"])
    parts = [
        title_of_study(run["study"]),
        f"begun {format_date_and_time(run['made_at'])} by {by}",
        ", ".join(list_models_in_run_configuration(run["config"])),
    ]
    st.caption(escape_markdown(" · ".join(filter(None, parts))))
    study = registry.STUDIES.get(run["study"])
    dataset = str(run["config"].get("dataset", ""))
    job = st.query_params.get("job", "")
    if not study or not dataset or not run["done"]:
        return
    if job and study.item_parameter:
        label, query = "What happened to this item", {study.item_parameter: job}
    else:
        called = renaming_and_name_translation.current_name_of_dataset(
            here.store, study.name, dataset
        )
        label = f"Its results are in the dataset {escape_markdown(called)}"
        query = {"run": run["id"]} if study.item_parameter else {}
    st.page_link(
        study.page,
        label=label,
        icon=":material/arrow_forward:",
        query_params={**study.items_view, "dataset": dataset, **query},
    )


def _state(here: Here, run: Mapping[str, Any]) -> None:
    going = (
        settings_store_and_runs_of_process.run_launcher_of_process().background.find_work_of_run(
            run["id"]
        )
    )
    if going is not None and going.running:
        st.fragment(_live, run_every=_EVERY)(run["id"])
        return
    state = settings_store_and_runs_of_process.run_launcher_of_process().state_name_of_run(run)
    name, icon = STATES[state]
    with st.container(border=True, key="runs.state"):
        st.markdown(f"{icon} **{name}**")
        if run["reason"] and state != "interrupted":
            st.text(f"{run['reason'][:1].upper()}{run['reason'][1:]}.", width="stretch")
        for caution in list_cautions_about_replies(run["counts"]):
            st.text(f"{caution}.", width="stretch")
        if state == "interrupted":
            st.markdown(
                "MedLens stopped while the run was in progress. Every answer received is kept."
            )
        if state == "running":
            st.markdown("It is running in another process. Stop it where it was started.")
        if going is not None:
            draw_how_work_ended(going)
        left = state in ("new", "interrupted", "stopped", "failed") or bool(run["failed"])
        if left and state != "running":
            draw_forecast_and_resume_button(here, run)


def _live(id: str) -> None:
    going: Running | None = (
        settings_store_and_runs_of_process.run_launcher_of_process().background.find_work_of_run(id)
    )
    if going is None or not going.running:
        st.rerun()
    with st.container(border=True, key="runs.state"):
        draw_one_running_work(going)


def _outcomes(here: Here, run: Mapping[str, Any]) -> None:
    counts = completion_run_and_job_queries.job_counts_by_outcome(here.store, run["id"])
    total = int(run["counts"].get("total") or 0)
    ended = sum(counts.values())
    shown = {outcome.replace("_", " "): n for outcome, n in counts.items()}
    if total > ended:
        shown["still to do"] = total - ended
    with st.container(horizontal=True, gap="medium", key="runs.outcomes"):
        for outcome, n in shown.items():
            st.metric(escape_markdown(outcome), f"{n:,}", width="content")
        cost = (
            format_money(run["cost"]) if run["calls"] > run["unpriced"] or not run["calls"] else "–"
        )
        st.metric(
            "cost",
            cost,
            width="content",
            help=f"{run['unpriced']:,} calls have no known price." if run["unpriced"] else None,
        )


def _faults(here: Here, run: Mapping[str, Any]) -> None:
    table = completion_run_and_job_queries.failed_attempts_table(here.store, run["id"])
    if table.empty:
        return
    st.header("Calls without an answer", anchor=False)
    st.caption("Every attempt that failed; most are retried, and then answered.")
    table.insert(2, "meaning", [MEANING.get(one, one) for one in table["error_class"]])
    table = table.rename(columns={"name": "model", "error_class": "class", "last": "last seen"})
    draw_clickable_table(
        table,
        "runs.faults",
        alt="Failed attempts by model and class",
        columns={"last seen": streamlit_column_of_times()},
    )
    draw_csv_button(table, "faults")


def _models(here: Here, run: Mapping[str, Any]) -> None:
    table = completion_run_and_job_queries.usage_by_model_table(here.store, run["id"])
    if table.empty:
        return
    st.header("Models", anchor=False)
    table = table.rename(
        columns={
            "name": "model",
            "served_model": "answered as",
            "input_tokens": "tokens in",
            "output_tokens": "tokens out",
            "seconds": "median seconds",
        }
    )
    draw_clickable_table(
        table,
        "runs.models",
        alt="Calls, tokens and cost by model",
        columns={
            "median seconds": st.column_config.NumberColumn(format="%.1f"),
            "cost": st.column_config.NumberColumn(format="%.4f"),
        },
    )
    draw_csv_button(table, "models")


def _given(here: Here, run: Mapping[str, Any]) -> None:
    with st.expander("What it was started with", icon=":material/tune:"):
        order = stored_start_requests_of_runs.load_last_order_of_run(here.store, run["id"])
        if order is not None:
            _order(order)
        st.caption("The configuration that its answers are based on")
        st.code(
            json.dumps(run["config"], ensure_ascii=False, indent=2),
            language="json",
            wrap_lines=True,
            height=320,
        )
        st.caption("Events")
        events = completion_run_and_job_queries.list_events_of_run(here.store, run["id"])
        shown = [one for one in events if one["kind"] != "progress"]
        draw_clickable_table(
            pd.DataFrame(
                [
                    {
                        "when": one["made_at"],
                        "what": one["kind"],
                        "why": one["reason"],
                        "calls": one["counts"].get("calls"),
                        "cost": one["counts"].get("cost"),
                    }
                    for one in shown
                ]
            ),
            "runs.events",
            alt="When the run was started, stopped and finished",
            columns={"when": streamlit_column_of_times(seconds=True)},
        )


def _order(order: stored_start_requests_of_runs.PipelineOrder) -> None:
    for name, value in order.values.items():
        if isinstance(value, dict) and "data" in value:
            draw_export_button(
                escape_markdown(f"{name}: {value['file']}"),
                lambda value=value: stored_start_requests_of_runs.unpack_file_content(value),  # type: ignore[misc]
                about=f"{name} of a run: {value['file']}",
                file_name=value["file"],
                key=f"runs.given.{name}",
                type="tertiary",
            )
        else:
            said = ", ".join(value) if isinstance(value, list) else str(value)
            st.text(f"{name}: {said}", width="stretch")
    if order.cap is not None:
        st.text(f"spending cap: {order.cap:,.2f}")
