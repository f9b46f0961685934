"""The data behind the figures of AgentClinic, and the dialogues behind their marks.

Everything is computed when first needed and kept with the object. Everyone who may see it shares
the object, so nobody changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from medlens.deferred_module import pd
from medlens.review import consensus
from medlens.review.chart_specifications import split_mark_id
from medlens.review.figure_definitions import Behind, require_known_filters
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.agentclinic import (
    dialogue_list,
    medqa_accuracy_import_and_queries,
    metrics_accuracy_outcomes_and_bias,
    metrics_input_tables,
    metrics_moderator_and_corrected_accuracy,
    metrics_ratings,
    visits_for_figures,
)
from medlens.studies.agentclinic import metrics_accuracy_outcomes_and_bias as metrics_doctors
from medlens.studies.agentclinic.dialogue_list import Filters
from medlens.studies.agentclinic.medqa_accuracy_import_and_queries import KnownAccuracy
from medlens.studies.agentclinic.metrics_accuracy_outcomes_and_bias import (
    BiasComparison,
    DoctorComparison,
)
from medlens.studies.agentclinic.metrics_input_tables import (
    RULES,
    series_of_outcomes_or_outstanding,
)
from medlens.studies.agentclinic.metrics_moderator_and_corrected_accuracy import Moderator
from medlens.studies.agentclinic.records import RATING_NAMES
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.visit_filter import (
    EVERYTHING,
    VisitFilter,
    filter_choices_by_filter_with_names,
)

TABLES = (
    *("item", "item_alias", "rater", "judgment", "gold", "adjudication", "reference"),
    *("run_item", "verdict", "run"),
)
_OF_ENDS = (
    *("dialogue", "case", *RULES, "repeat", "bias", "bias_group"),
    *("outcome", "diagnosis", "leaks", "flagged", *RATING_NAMES),
)
VIEW = "Dialogues"
"""The view for reading dialogues, as named in the address."""


def load_figure_data(
    store: Store, study: Study, viewer: Rater | None, narrowed: Mapping[str, str]
) -> AgentClinicFigureData:
    """The data behind a dataset's figures; only the command line has no viewer.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the dataset has no such run, experiment, case set, judge or protocol.
    """
    require_lead(viewer)
    require_known_filters(store, study.dataset, filter_choices_by_filter_with_names, narrowed)
    return AgentClinicFigureData(store, study, viewer, VisitFilter(**narrowed))


@dataclass(frozen=True)
class AgentClinicFigureData:
    """The visits of one dataset within a scope."""

    store: Store
    study: Study
    viewer: Rater | None = None
    scope: VisitFilter = EVERYTHING

    @property
    def narrowed(self) -> dict[str, str]:
        """What it was narrowed by, as written in rows of figures."""
        return {
            **asdict(self.scope),
            "judge": self.scope.judge or "each visit's own",
            "protocol": "; ".join(self.protocols_of_visits),
        }

    @cached_property
    def protocols_of_visits(self) -> list[str]:
        """The protocols under which the visits were played."""
        return sorted(set(self.visits_table["protocol"]))

    @cached_property
    def visits_table(self) -> pd.DataFrame:
        """The prepared visits (``metrics_input_tables.dialogues_table``), also those without an
        end.
        """
        return visits_for_figures.table_of_visits_in_scope(self.store, self.study, self.scope)

    @cached_property
    def visit_ends_table(self) -> pd.DataFrame:
        """``visits_table`` with only what says how each visit was played, ended and was rated: cut
        into many groups, it takes a quarter less time than with all its columns.
        """
        return self.visits_table[list(_OF_ENDS)]

    @cached_property
    def left_out_replayed_visit_count(self) -> int:
        """How many visits of the scope were played again and are left out."""
        return visits_for_figures.count_visits_in_scope(self.store, self.study, self.scope) - len(
            self.visits_table
        )

    @cached_property
    def blind_realism_and_match_judgment_tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The blind judgments of the scope: realism, diagnosis match."""
        return visits_for_figures.realism_and_diagnosis_judgment_tables(
            self.store, self.study, viewer=self.viewer, scope=self.scope
        )

    @cached_property
    def bias_comparisons(self) -> list[BiasComparison]:
        """Every bias against no bias on the same cases."""
        return metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(
            self.visit_ends_table
        )

    @cached_property
    def doctor_comparisons(self) -> list[DoctorComparison]:
        """Every pair of doctors on the same cases."""
        return metrics_doctors.list_comparisons_of_doctor_pairs(self.visit_ends_table)

    @cached_property
    def adjudicated_answers_by_dialogue(self) -> dict[str, str]:
        """The adjudicators' answers on diagnoses, by the dialogue they were given on."""
        words = consensus.adjudicated_answers_by_item_name(
            self.store, self.study.match, dataset=self.study.dataset
        )
        return {item: str(value.same) if value else "" for item, value in words.items()}

    @cached_property
    def comparison_of_moderator_with_clinicians(self) -> Moderator:
        """The moderator against clinicians."""
        return metrics_moderator_and_corrected_accuracy.compare_moderator_with_clinicians(
            self.visits_table,
            self.blind_realism_and_match_judgment_tables[1],
            self.adjudicated_answers_by_dialogue,
        )

    @cached_property
    def list_of_known_medqa_accuracies(self) -> list[KnownAccuracy]:
        """The known accuracies of models on MedQA."""
        return list(
            medqa_accuracy_import_and_queries.list_current_medqa_accuracies(
                self.store, self.study.dataset
            )
        )


# -- what is behind a mark -------------------------------------------------------------------------


@dataclass(frozen=True)
class Dialogues:
    """The dialogues behind a mark; ``pairs`` (without a bias, with it) if it compares two."""

    title: str
    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    heads: tuple[str, str] = ("without", "with")


HEADS = {
    "both": "right both times",
    "unbiased_only": "without only",
    "biased_only": "with only",
    "neither": "wrong both times",
}
"""The same in a few words, for the headers of a table."""

CELLS = {
    "both": "correct with and without the bias",
    "unbiased_only": "correct without the bias only",
    "biased_only": "correct with the bias only",
    "neither": "wrong both times",
}


def find_what_is_behind_mark(source: AgentClinicFigureData, mark: str) -> Behind | None:
    """What a mark's name leads to; None if it leads nowhere (any more)."""
    found = find_title_and_dialogue_names_behind_mark(source, mark)
    if found is None:
        return None
    if found.pairs:
        return _pairs_behind(source, found)
    table, _ = dialogue_list.page_of_dialogues_and_total(
        source.store,
        source.study.dataset,
        Filters(dialogues=found.names, scope=VisitFilter(judge=source.scope.judge)),
        viewer=source.viewer,
        limit=max(len(found.names), 1),
    )
    if not found.names:
        table = table.head(0)
    return Behind(
        title=found.title,
        table=table[list(dialogue_list.SHOWN)].rename(columns=dialogue_list.SHOWN),
        leads=tuple({"dialogue": str(one), "view": VIEW} for one in table["dialogue"]),
        things=("dialogue", "dialogues"),
    )


def _pairs_behind(source: AgentClinicFigureData, found: Dialogues) -> Behind:
    about = source.visits_table.drop_duplicates("dialogue").set_index("dialogue")
    first, second = found.heads
    table = pd.DataFrame(
        [
            {
                first: base,
                second: biased,
                f"given {first}": about["diagnosis"].get(base, ""),
                f"given {second}": about["diagnosis"].get(biased, ""),
                "case": about["case"].get(base, ""),
            }
            for base, biased in found.pairs
        ]
    )
    leads = tuple(
        {"dialogue": base, "beside": biased, "view": VIEW} for base, biased in found.pairs
    )
    return Behind(title=found.title, table=table, leads=leads, things=("pair", "pairs"))


def find_title_and_dialogue_names_behind_mark(
    source: AgentClinicFigureData, mark: str
) -> Dialogues | None:
    """The dialogues that a mark's name leads to; None if it leads nowhere."""
    kind, *rest = split_mark_id(mark)
    reader = _READERS.get(kind)
    try:
        return reader(source, *rest) if reader else None
    except (KeyError, TypeError, AttributeError, ValueError):
        # The address comes from the person: a name may not exist, or there may be too many parts.
        return None


def _of(title: str, group: pd.DataFrame, outcome: str = "") -> Dialogues:
    if outcome:
        group = group[series_of_outcomes_or_outstanding(group) == outcome]
        title += f", {outcome.replace('_', ' ')}"
    return Dialogues(title, tuple(group["dialogue"]))


def _slice(
    source: AgentClinicFigureData, dimension: str, value: str, outcome: str = ""
) -> Dialogues:
    name = f"{dimension.replace('_', ' ')} {value}"
    return _of(
        name,
        metrics_accuracy_outcomes_and_bias.unbiased_dialogue_tables_by_value_of_dimension(
            source.visits_table, dimension
        )[value],
        outcome,
    )


def _bias(source: AgentClinicFigureData, doctor: str, bias: str, outcome: str = "") -> Dialogues:
    return _of(
        f"{doctor}, {bias}",
        metrics_accuracy_outcomes_and_bias.dialogue_tables_by_doctor_and_bias(source.visits_table)[
            doctor, bias
        ],
        outcome,
    )


def _group(source: AgentClinicFigureData, doctor: str, group: str) -> Dialogues:
    return _of(
        f"{doctor}, {group}",
        metrics_accuracy_outcomes_and_bias.dialogue_tables_by_doctor_and_bias_group(
            source.visits_table
        )[doctor, group],
    )


def _lint(source: AgentClinicFigureData, doctor: str, leaks: str) -> Dialogues:
    table = metrics_accuracy_outcomes_and_bias.unbiased_dialogue_tables_by_value_of_dimension(
        source.visits_table, "doctor"
    )[doctor]
    said = "tests state the diagnosis" if leaks == "yes" else "tests do not state the diagnosis"
    return _of(f"{doctor}, {said}", table[table["leaks"] == (leaks == "yes")])


def _pair(
    source: AgentClinicFigureData, doctor: str, bias: str, cell: str = ""
) -> Dialogues | None:
    one = next((p for p in source.bias_comparisons if (p.doctor, p.bias) == (doctor, bias)), None)
    if one is None or (cell and cell not in CELLS):
        return None
    cells = [cell] if cell else list(CELLS)
    pairs = tuple(pair for name in cells for pair in getattr(one, name))
    return Dialogues(f"{doctor}, {bias}: {CELLS.get(cell, 'all pairs')}", (), pairs)


def _doctors(
    source: AgentClinicFigureData, first: str, second: str, better: str = ""
) -> Dialogues | None:
    """``better`` is "first" or "second"; without it, the cases on which either did better."""
    one = next(
        (d for d in source.doctor_comparisons if (d.first, d.second) == (first, second)), None
    )
    sides = {"first": (first,), "second": (second,), "": (first, second)}
    if one is None or better not in sides:
        return None
    by_name = {first: one.first_better, second: one.second_better}
    pairs = tuple(pair for name in sides[better] for pair in by_name[name])
    who = f"{' or '.join(sides[better])} did better"
    return Dialogues(f"{first} and {second}: cases on which {who}", (), pairs, (first, second))


def _moderator(source: AgentClinicFigureData, cell: str) -> Dialogues:
    said = {
        "confirmed": "both say the same disease",
        "overcalled": "the moderator alone says so",
        "missed": "clinicians alone say so",
        "rejected": "neither says so",
    }
    return Dialogues(
        said[cell], tuple(getattr(source.comparison_of_moderator_with_clinicians, cell))
    )


def _scored(source: AgentClinicFigureData, scale: str, score: str = "") -> Dialogues:
    table = metrics_ratings.realism_ratings_table(source.blind_realism_and_match_judgment_tables[0])
    kept = table[table[scale] == int(score)] if score else table[table[scale].notna()]
    title = f"{scale} rated {score}" if score else f"{scale} rated"
    return Dialogues(title, tuple(dict.fromkeys(kept["item"])))


def _marked(source: AgentClinicFigureData, mark: str) -> Dialogues:
    realism = metrics_ratings.table_of_judgments_of_people(
        source.blind_realism_and_match_judgment_tables[0]
    )
    has = [any(one.mark == mark for one in value.marks) for value in realism["value"]]
    return Dialogues(mark.replace("_", " "), tuple(dict.fromkeys(realism["item"][has])))


def _refused(source: AgentClinicFigureData, bias: str, doctor: str = "") -> Dialogues:
    table = source.visits_table[source.visits_table["bias"] == bias]
    if doctor:
        table = table[table["doctor"] == doctor]
    named = f"{doctor}, {bias}" if doctor else bias
    return _of(f"{named} refused", table[table["refused"].astype(bool)])


def _asked(source: AgentClinicFigureData, doctor: str) -> Dialogues:
    table = metrics_input_tables.table_of_unbiased_dialogues(source.visits_table)
    table = table[(table["image_mode"] == "request") & (table["images"] > 0)]
    named = f"{doctor}, an image asked for"
    return _of(named, table if doctor == "all" else table[table["doctor"] == doctor])


def _options(source: AgentClinicFigureData, doctor: str = "", mode: str = "") -> Dialogues:
    table = source.visits_table
    table = table[(table["outcome"] == "incorrect") & (table["in_options"] == True)]  # noqa: E712
    if doctor:
        table = metrics_input_tables.table_of_unbiased_dialogues(table)
        table = table[(table["doctor"] == doctor) & (table["image_mode"] == mode)]
    return _of("wrong, and among the offered answers", table)


def _by(source: AgentClinicFigureData, column: str, value: str) -> Dialogues:
    table = source.visits_table
    return _of(value, table[table[column].astype(str) == value])


_READERS: dict[str, Callable[..., Dialogues | None]] = {
    "slice": _slice,
    "bias": _bias,
    "group": _group,
    "lint": _lint,
    "pair": _pair,
    "doctors": _doctors,
    "moderator": _moderator,
    "scored": _scored,
    "marked": _marked,
    "refused": _refused,
    "asked": _asked,
    "options": _options,
    "by": _by,
}
