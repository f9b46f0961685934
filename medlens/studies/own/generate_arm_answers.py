"""Models write the answers that a study asks about: the run that fills its arms.

The prompt is in the study's file (``prompt`` of a column), with the names of the items' other
columns in braces.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from medlens import llm
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries as stored
from medlens.llm.pipeline_declaration_forecast_and_run import (
    Done,
    How,
    Pipeline,
    PipelineField,
    forecast_confirm_and_carry_out_run,
    forecast_single_requests,
    model_settings_as_dict,
)
from medlens.review import items
from medlens.store import Store, stable_id
from medlens.studies.own import queries
from medlens.studies.own.blinded_arms import CASE
from medlens.studies.own.item_and_judgment_import_and_export import (
    Case,
    add_items_from_cases_and_list_report_lines,
    add_model_answers_to_case,
    read_cases_by_name_without_answers,
)
from medlens.studies.own.study import Study, open_study
from medlens.studies.own.study_file import PLACE, ItemColumn, StudyDeclaration
from medlens.studies.own.tasks import STUDY

KIND = "answer"
_TOKENS = 400
"""For a usual answer."""
_WHY = {
    "error": "no answer came",
    "truncated": "cut off by the token limit",
    "refused": "declined",
    "empty": "empty",
}


def let_models_answer_cases(
    store: Store,
    settings: Settings,
    *,
    dataset: str,
    file: Path,
    how: How | None = None,
) -> Done:
    """Let the models of a study's arms, or its one model, answer every case of a file.

    Cases that all of them have answered become items; the others are reported, and tried again on
    the next start. Nothing is paid for twice.

    Raises:
        BadFile: the file lacks what the study's file names.
        InvalidInput: the study has no prompt, or a model is not known; no model was called.
    """
    study = open_study(store, settings, dataset)
    column = _written(study.declared, dataset)
    who = _who(study.declared, column)
    models = {name: llm.find_model_settings_by_name(settings, name) for name in who.values()}
    cases = _missing(store, study, read_cases_by_name_without_answers(study, file))
    if not cases:
        return Done(lines=["All of these cases have their answers already."], complete=True)
    asked = {
        (name, arm): llm.make_first_request_of_question(
            model, models[model], messages_asking_about_case(study.declared, column, case.shared)
        )
        for name, case in cases.items()
        for arm, model in who.items()
    }
    singles = {
        model: [(one, 0) for (_, arm), one in asked.items() if who[arm] == model]
        for model in models
    }

    def job(name: str, arm: str) -> llm.Job:
        async def work(ask: llm.Ask) -> llm.Result:
            said = await ask(who[arm], asked[name, arm].messages)
            text = said.text.strip()
            outcome = "empty" if said.outcome == "ok" and not text else said.outcome
            fault = {"error_class": said.error_class, "error": said.error}
            return llm.Result(outcome, {"case": name, "arm": arm, "text": text, **fault})

        return llm.Job(f"{name}/{arm or who[arm]}", work)

    made = forecast_confirm_and_carry_out_run(
        store,
        study=STUDY,
        kind=KIND,
        models=models,
        config={
            "dataset": dataset,
            "prompt": column.prompt,
            "instruction": [column.system] * bool(column.system),
            "models": {name: model_settings_as_dict(one) for name, one in models.items()},
            "arms": who,
            "cases": stable_id(*sorted(cases)),
        },
        left=forecast_single_requests(store, models, singles, output_tokens=_TOKENS),
        single_turn=singles,
        jobs=lambda _: [job(*one) for one in asked],
        how=how or How(),
    )
    if made.batch is None:
        return made.as_done_report()
    results = stored.list_job_results_of_run_kind(store, study=STUDY, kind=KIND, run=made.run)
    whole = _answered(study.declared, cases, results, arms=len(who))
    added, left_out = (
        add_items_from_cases_and_list_report_lines(store, study, whole, file.name),
        _left_out(results, cases, whole, who),
    )
    return Done(
        lines=[*made.lines, *added, *left_out],
        complete=len(whole) == len(cases),
        run=made.run,
    )


def messages_asking_about_case(
    declared: StudyDeclaration, column: ItemColumn, shared: Mapping[str, Any]
) -> list[llm.Message]:
    """The messages that ask a model about a case. A dialogue that is the whole prompt is sent as a
    conversation; within other words it becomes lines.
    """
    role = [llm.make_system_message(column.system)] * bool(column.system)
    only = PLACE.fullmatch(column.prompt)
    turns = shared.get(only[1]) if only else None
    if isinstance(turns, list) and all(one.get("role") in _SAID for one in turns):
        return [*role, *(_SAID[one["role"]](one["content"]) for one in turns)]
    names = {one.name for one in declared.columns}

    def put(found: Any) -> str:
        return _text(shared.get(found[1], "")) if found[1] in names else found[0]

    return [*role, llm.make_user_message(PLACE.sub(put, column.prompt))]


_SAID = {
    "user": llm.make_user_message,
    "assistant": llm.make_assistant_message,
    "system": llm.make_system_message,
}


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if all("content" in one for one in value):
        return "\n\n".join(f"{one.get('role', '')}: {one['content']}" for one in value)
    return json.dumps(value, ensure_ascii=False)


def _written(declared: StudyDeclaration, dataset: str) -> ItemColumn:
    column = declared.column_written_by_models
    if column is None:
        raise InvalidInput(
            f"The study {dataset!r} does not say what models are asked for.",
            hint='Add prompt = "…" to the [[column]] that they write: docs/own.md says how.',
        )
    return column


def _who(declared: StudyDeclaration, column: ItemColumn) -> dict[str, str]:
    """The model to ask for each arm; "" is the arm of a study without arms."""
    if declared.arms:
        return dict(declared.arms.models)
    if not column.model:
        raise InvalidInput(
            f"The study {declared.study_id!r} does not say which model writes {column.name}.",
            hint='Add model = "…" to that [[column]], a name of medlens.toml.',
        )
    return {"": column.model}


def _missing(store: Store, study: Study, cases: Mapping[str, Case]) -> dict[str, Case]:
    """The cases that are not items yet, neither themselves nor by their arms."""
    there = queries.item_ids_by_name(store, study.dataset)
    known = set(there)
    if study.declared.arms and not study.declared.are_arms_side_by_side:
        known = {
            str(body[CASE])
            for body in items.load_item_bodies_by_id(store, list(there.values())).values()
        }
    return {name: one for name, one in cases.items() if name not in known}


def _answered(
    declared: StudyDeclaration,
    cases: Mapping[str, Case],
    results: Sequence[Mapping[str, Any]],
    *,
    arms: int,
) -> dict[str, Case]:
    """The cases that every model has answered, with the answers."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for row in results:
        if row["outcome"] == "ok" and row["body"]["case"] in cases:
            said[row["body"]["case"]][row["body"]["arm"]] = row["body"]["text"]
    return {
        name: add_model_answers_to_case(declared, case, said[name])
        for name, case in cases.items()
        if len(said[name]) == arms
    }


def _left_out(
    results: Sequence[Mapping[str, Any]],
    cases: Mapping[str, Case],
    whole: Mapping[str, Case],
    who: Mapping[str, str],
) -> list[str]:
    """How many cases are incomplete, and why."""
    if len(whole) == len(cases):
        return []
    why = Counter(
        (who.get(row["body"]["arm"], ""), row["outcome"])
        for row in results
        if row["outcome"] != "ok" and row["body"]["case"] in cases
    )
    told = [f"{model}: {count:,} {_WHY.get(how, how)}" for (model, how), count in why.items()]
    left = len(cases) - len(whole)
    return [
        f"{left:,} {'case is' if left == 1 else 'cases are'} incomplete and not an item yet"
        + (f" ({'; '.join(told)})." if told else ".")
    ]


PIPELINE = Pipeline(
    study=STUDY,
    name=KIND,
    title="Let models write the answers",
    about="Models answer the cases of a table, and the answers become the items of your study."
    " What they are asked is in the study’s file, as the prompt of a column.",
    fields=(
        PipelineField(name="dataset", title="Study", kind="dataset"),
        PipelineField(
            name="file",
            title="Cases",
            kind="file",
            help="a table with the study’s columns but for the answers",
            suffixes=(".csv", ".jsonl", ".parquet", ".xlsx"),
        ),
    ),
    start=let_models_answer_cases,
    batch_api=True,
    datasets=queries.list_names_of_studies,
)
