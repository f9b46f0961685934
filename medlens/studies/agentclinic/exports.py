"""AgentClinic's exports: one function per kind of table."""

from __future__ import annotations

import json
from collections.abc import Callable

from medlens.deferred_module import pd
from medlens.review import judgment_export
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.agentclinic import diagnosis_verdicts, queries
from medlens.studies.agentclinic.figures import FIGURES
from medlens.studies.agentclinic.file_loading import IN_FIGURES
from medlens.studies.agentclinic.metrics_input_tables import series_of_outcomes_or_outstanding
from medlens.studies.agentclinic.records import RATING_NAMES, Dialogue
from medlens.studies.agentclinic.run_experiment import visits_to_resume
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.visits_for_figures import (
    table_of_visits_in_scope,
    table_of_visits_with_outcomes,
)


def make_cases_export_table(store: Store, study: Study, *, nested: bool = False) -> pd.DataFrame:
    """One row per case with the check's findings; ``nested`` adds the whole case as JSON."""
    rows = []
    for one in queries.load_cases_by_name(store, study.dataset).values():
        codes = list(dict.fromkeys(finding.code for finding in one.findings))
        whole = json.dumps(one.case.content, ensure_ascii=False)
        rows.append(
            {
                "case": one.name,
                "dataset": study.dataset,
                "illustrative": one.illustrative,
                "form": one.case.form,
                "diagnosis": one.case.diagnosis,
                "demographics": one.case.demographics_in_words,
                "objective": one.case.objective_for_doctor,
                "options": "; ".join(one.case.options),
                "images": "; ".join(one.case.images),
                "leaks": one.is_leaking_in_tests,
                "check": "; ".join(codes),
                "sources": "; ".join(one.aliases),
                "digest": one.case.digest,
                **({"content_json": whole} if nested else {}),
            }
        )
    return pd.DataFrame(rows)


def make_dialogues_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """One row per whole dialogue: for JSON lines and Parquet, to be imported again.

    Visits that the endpoint broke are included as they are.
    """
    require_lead(viewer)
    counted = _counted(store, study)
    return pd.DataFrame(
        [
            {
                "dialogue": name,
                "dataset": study.dataset,
                "illustrative": illustrative,
                **one.model_dump(mode="json"),
                IN_FIGURES: name in counted,
            }
            for name, illustrative, one in _all(store, study)
        ]
    )


def _counted(store: Store, study: Study) -> set[str]:
    """The dialogues that figures count: of those played again under the same rules only the last
    one, and only those of the commonest protocol.
    """
    return set(table_of_visits_in_scope(store, study)["dialogue"])


def _all(store: Store, study: Study) -> list[tuple[str, bool, Dialogue]]:
    """Name, illustrative, dialogue of every visit; those still to be resumed come last."""
    cases = queries.load_cases_by_name(store, study.dataset)
    return [
        *(
            (name, shown, one)
            for _, name, shown, one in queries.list_dialogues_with_ids_and_names(
                store, study.dataset
            )
        ),
        *(
            (name, one.case in cases and cases[one.case].illustrative, one)
            for name, one in visits_to_resume(store, study.dataset)
        ),
    ]


def make_turns_export_table(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """One row per turn of each dialogue."""
    require_lead(viewer)
    columns = (
        *("dialogue", "case", "doctor", "patient", "outcome", "turn", "speaker", "kind"),
        *("text", "images", IN_FIGURES),
    )
    counted = _counted(store, study)
    rows = [
        (
            name,
            one.case,
            one.doctor,
            one.patient,
            one.outcome,
            turn.n,
            turn.speaker,
            turn.kind,
            turn.text,
            "; ".join(turn.images),
            name in counted,
        )
        for name, _, one in _all(store, study)
        for turn in one.turns
    ]
    return pd.DataFrame(rows, columns=list(columns))


def make_outcomes_export_table(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """One row per visit: rules, outcome, ratings, and what was measured in its text.

    A visit that the endpoint broke and no run has resumed is an ``error``, unmeasured; one whose
    diagnosis has no usable verdict yet is ``outstanding``, as in the figures. Copies, which the
    figures leave out, are included; ``in_figures`` says which rows count there.
    """
    require_lead(viewer)
    table = table_of_visits_with_outcomes(store, study)
    table = table.assign(outcome=series_of_outcomes_or_outstanding(table))
    cases = queries.load_cases_by_name(store, study.dataset)
    truth = [cases[name].case.diagnosis if name in cases else "" for name in table["case"]]
    table.insert(list(table.columns).index("diagnosis") + 1, "correct_diagnosis", truth)
    found = [one for _, _, one in _all(store, study)]
    own = [(one.outcome, one.reason, one.moderator) for one in found]
    counted = diagnosis_verdicts.list_outcomes_according_to_judge(
        store, study.dataset, table["dialogue"].tolist(), own
    )
    table["reason"] = [reason for _, reason in counted]
    for name in RATING_NAMES:
        given = [getattr(one.ratings, name) for one in found]
        table[f"{name}_reason"] = [rating.reason if rating else "" for rating in given]
    table["prompt_version"] = [one.prompt_version for one in found]
    table[IN_FIGURES] = table["dialogue"].isin(_counted(store, study))
    whole = ["turns", "messages", "tests", "images", "echoed", "answers", *RATING_NAMES]
    return table.astype(dict.fromkeys(whole, "Int64"))


def make_moderator_checks_export_table(
    store: Store, study: Study, *, viewer: Rater | None, history: bool = False, nested: bool = False
) -> pd.DataFrame:
    """One row per check of the moderator, with both diagnoses and its verdict."""
    table = judgment_export.judgments_table(
        store, study.match, dataset=study.dataset, viewer=viewer, history=history, nested=nested
    )
    about = queries.dialogue_index_table(store, study.dataset).set_index("dialogue")
    cases = queries.load_cases_by_name(store, study.dataset)
    table["diagnosis"] = [about["given"].get(item, "") for item in table["item"]]
    table["correct_diagnosis"] = [
        cases[about["case"][item]].case.diagnosis if item in about.index else ""
        for item in table["item"]
    ]
    table["moderator"] = [about["outcome"].get(item, "") for item in table["item"]]
    return judgment_export.move_tail_columns_last(table)


def make_moderator_verdicts_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """One row per verdict that a moderator gave outside a visit, oldest first."""
    require_lead(viewer)
    said = model_verdicts_and_runs_of_judges.list_all_verdicts(
        store, study.match.name, study.dataset
    )
    return model_verdicts_and_runs_of_judges.verdicts_table(said, study.match.name, study.dataset)


EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "cases": ("Cases, one row each, with what the check found", make_cases_export_table),
    "dialogues": ("Whole dialogues (JSON lines or Parquet)", make_dialogues_export_table),
    "turns": ("Turns of the dialogues, one row each", make_turns_export_table),
    "outcomes": ("How each dialogue ended, one row each", make_outcomes_export_table),
    "ratings": (
        "Ratings of the dialogues, one row each",
        judgment_export.make_export_function_for_task(lambda study: study.realism),
    ),
    "moderator-checks": (
        "Checks of the moderator, one row each",
        make_moderator_checks_export_table,
    ),
    "moderator-verdicts": (
        "Moderators' verdicts on diagnoses, one row each",
        make_moderator_verdicts_export_table,
    ),
    "figures": ("Every figure of the results view", FIGURES.export),
}
"""Tables that can be exported: what they are, and who makes them."""
