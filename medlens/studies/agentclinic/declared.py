"""AgentClinic, declared to the rest of MedLens."""

from __future__ import annotations

from medlens.config.places import SHIPPED
from medlens.studies.agentclinic import exports, imports, models, tasks, verdicts
from medlens.studies.agentclinic.figures import FIGURES
from medlens.studies.agentclinic.pipelines import PIPELINES
from medlens.studies.agentclinic.scope import narrowing
from medlens.studies.agentclinic.study import DEFAULT_DATASET, AgentClinicSettings, open_study
from medlens.studies.study import Listed, Study

RATE, CHECK, DIALOGUES, CASES = "Rate realism", "Check diagnoses", "Dialogues", "Cases"
"""Views of the page, as named in its address."""

STUDY = Study(
    name=models.STUDY,
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
    item_parameter="dialogue",
    imports=imports.IMPORTS,
    exports=exports.EXPORTS,
    open=lambda store, settings, dataset: open_study(store, dataset),
    tasks=lambda study: (study.realism, study.match),
    pipelines=PIPELINES,
    settings=AgentClinicSettings,
    narrowing=narrowing,
    sides={"judge": ("Moderator", "each visit's own")},
    figures=FIGURES,
    published=DEFAULT_DATASET,
    said=verdicts.said_by_model,
    demo_files=SHIPPED / "data/demo/agentclinic",
)
