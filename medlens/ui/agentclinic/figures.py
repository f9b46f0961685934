"""The figures of AgentClinic, for leads; MedQA accuracies can be taken over from error tagging."""

from __future__ import annotations

import streamlit as st

from medlens.stats.estimate import figure_rows_as_table
from medlens.store import Store
from medlens.studies.agentclinic import medqa_accuracy_import_and_queries
from medlens.studies.agentclinic.medqa_accuracy_import_and_queries import (
    KnownAccuracy,
    MedqaAccuracy,
)
from medlens.studies.agentclinic.records import STUDY
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.multiple_choice_benchmarks import make_medqa_accuracy_figure_rows
from medlens.studies.tagging.tasks import STUDY as TAGGING
from medlens.ui import Here
from medlens.ui.chart_with_table_and_csv import table_as_safe_csv
from medlens.ui.figures import page as figures
from medlens.ui.figures.page import FiguresForLead
from medlens.ui.page_frame import escape_markdown


def draw_figures(here: Here, study: Study) -> None:
    """The section that the address names, and the dialogues behind the chosen mark.

    Raises:
        NotAllowed: the viewer is not a lead.
    """

    def below(looked: FiguresForLead, name: str) -> None:
        if name == "medqa":
            _offer_medqa(here.store, study, looked.data.list_of_known_medqa_accuracies)

    figures.draw_figures(here, STUDIES[STUDY], study, below=below)


def _offer_medqa(store: Store, study: Study, known: list[KnownAccuracy]) -> None:
    fresh = list_medqa_accuracies_to_take_over(store, known)
    if fresh:
        st.button(
            f"Take over {len(fresh)} from error tagging",
            key="figures.medqa.take",
            icon=":material/download:",
            help=escape_markdown(", ".join(one.model for one in fresh)),
            on_click=_take,
            args=(store, study, fresh),
        )


def _take(store: Store, study: Study, fresh: list[MedqaAccuracy]) -> None:
    medqa_accuracy_import_and_queries.add_medqa_accuracies(store, fresh, dataset=study.dataset)


def list_medqa_accuracies_to_take_over(
    store: Store, known: list[KnownAccuracy]
) -> list[MedqaAccuracy]:
    """Models' MedQA accuracies that error tagging knows and this dataset does not.

    They pass through the file that ``export figures tagging`` writes, like anybody else's.
    """
    rows = [one for one in make_medqa_accuracy_figure_rows(store) if one[0] == "medqa_accuracy"]
    if not rows:
        return []
    here = {(one.model, one.estimate.numerator, one.estimate.denominator) for one in known}
    found = medqa_accuracy_import_and_queries.read_medqa_accuracy_records(
        table_as_safe_csv(figure_rows_as_table(rows, study=TAGGING)), name="figures"
    ).records
    return [one for one in found if (one.model, one.correct, one.n) not in here]
