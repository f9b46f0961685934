"""AgentClinic, declared to the rest of MedLens."""

from __future__ import annotations

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.review.item_text_erasure import TextRules
from medlens.studies.agentclinic import (
    diagnosis_verdicts,
    exports,
    imports,
    queries,
    records,
    tasks,
)
from medlens.studies.agentclinic.figures import FIGURES
from medlens.studies.agentclinic.item_correction import (
    correctable_cells_by_column,
    counts_of_dialogues_on_earlier_cases,
    make_correction_of_cells,
)
from medlens.studies.agentclinic.pipelines import PIPELINES
from medlens.studies.agentclinic.study_in_dataset import DEFAULT_DATASET, TASKS
from medlens.studies.agentclinic.visit_filter import filter_choices_by_filter_with_names
from medlens.studies.agentclinic.visits_for_figures import lost_measurements_by_dialogue_and_column
from medlens.studies.study_definition import CorrectingShared, Listed, Study

RATE, CHECK, DIALOGUES, CASES = "Rate dialogues", "Check diagnoses", "Dialogues", "Cases"
"""Views of the page, as named in its address."""

_LABELS = frozenset(
    {
        *("form", "case", "doctor", "patient", "measurement", "moderator"),
        *("doctor_player", "patient_player", "doctor_bias", "patient_bias", "image_mode"),
        *("speaker", "kind", "outcome", "prompt_version", "run", "protocol"),
    }
)
"""What in dialogues and cases is no text."""

STUDY = Study(
    name=records.STUDY,
    title="AgentClinic",
    page="pages/2_Read_transcripts.py",
    enter="Read transcripts",
    icon=":material/forum:",
    about="Read what a doctor and a patient, both language models, said to each other; rate how "
    "realistic it is, and check whether the diagnosis was judged correctly.",
    views={tasks.REALISM: {"view": RATE}, tasks.MATCH: {"view": CHECK}},
    listed={
        "dialogue": Listed(
            "Dialogue",
            "i.body->>'$.turns[0].text'",
            lambda name, item: {"view": DIALOGUES, "dialogue": name},
        ),
        "case": Listed(
            "Case",
            "coalesce(i.body->>'$.content.OSCE_Examination.Objective_for_Doctor',"
            " i.body->>'$.content.question', i.body::varchar)",
            lambda name, item: {"view": CASES, "case": name},
        ),
    },
    items_view={"view": DIALOGUES},
    # Anyone may play a visit.
    open_without_work=lambda _store, _reviewer: True,
    reading=(DIALOGUES, CASES),
    item_parameter="dialogue",
    imports=imports.IMPORTS,
    exports=exports.EXPORTS,
    open=TASKS.open,
    tasks=TASKS.tasks,
    pipelines=PIPELINES,
    settings=TASKS.settings,
    narrowing=filter_choices_by_filter_with_names,
    sides={"judge": ("Moderator", "each visit's own")},
    figures=FIGURES,
    published=DEFAULT_DATASET,
    said=diagnosis_verdicts.list_current_moderator_verdicts,
    withdrawn_with=queries.names_by_id_of_dialogues_resting_on_cases,
    resting_on=queries.names_and_count_of_dependents_of_import,
    answered_earlier=counts_of_dialogues_on_earlier_cases,
    correcting=CorrectingShared(correctable_cells_by_column, make_correction_of_cells),
    # A lead reads there how a dialogue ended.
    correcting_reveals=lambda _: True,
    text_rules=lambda study: TextRules(
        item_labels=_LABELS,
        measures=lambda store, item: lost_measurements_by_dialogue_and_column(store, study, item),
    ),
    demo_files=SHIPPED / "data/demo/agentclinic",
)
