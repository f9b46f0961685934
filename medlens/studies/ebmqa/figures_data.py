"""What EBMQA's figures are based on: a selection of the answers, each count computed once.

Everything is computed on first use and cached on the object, which all its viewers share: never
modify it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from medlens.deferred_module import pd
from medlens.review.chart_specifications import Series
from medlens.review.figure_definitions import require_known_filters
from medlens.review.raters import Rater
from medlens.review.result_cache import cache_per_dataset_until_growth
from medlens.review.run_names import names_of_runs_by_id
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson_share_estimate
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.store import Store
from medlens.studies.ebmqa import (
    metrics,
    metrics_answer_counts,
    metrics_by_label_gaps_and_risk_coverage,
    metrics_model_comparison,
    questionnaire,
)
from medlens.studies.ebmqa.explore.aggregate_queries import TABLES, AnswerAggregates
from medlens.studies.ebmqa.explore.question_filter import (
    SEVERAL,
    AnswerFilter,
    order_values_of_label,
    require_viewer_may_see_models_answers,
    split_filter_values,
)
from medlens.studies.ebmqa.metrics_answer_counts import AnswerCounts
from medlens.studies.ebmqa.metrics_by_label_gaps_and_risk_coverage import Gap
from medlens.studies.ebmqa.metrics_model_comparison import PairOfModels
from medlens.studies.ebmqa.records import LABELS
from medlens.studies.ebmqa.study_in_dataset import Study

T = TypeVar("T")

KINDS = ("numeric", "semantic")
FILTERS = (*(label for label in LABELS if label != "kind"), "q")
"""What of a question figures can be narrowed by, as it stands in the address: labels, words."""


@cache_per_dataset_until_growth(*TABLES)
def cached_unfiltered_figure_data(store: Store, dataset: str) -> UnfilteredFigureData:
    """The current state of a dataset, cached until it changes."""
    return UnfilteredFigureData(AnswerAggregates(store, dataset, None))


@dataclass(frozen=True)
class UnfilteredFigureData:
    """What does not depend on how a dataset's figures are filtered."""

    explorer: AnswerAggregates

    @cached_property
    def prompt_and_repeat_by_variant_name(self) -> dict[str, tuple[str, int]]:
        """Name of each way of asking -> its prompt and repeat, the usual one first."""
        return prompt_and_repeat_by_variant_name(
            self.explorer.list_prompts_and_repeats_with_answer_counts()
        )

    @cached_property
    def rater_id_by_model_name(self) -> dict[str, str]:
        """Raters by the name shown, in order of name."""
        return {model.name: model.rater for model in self.explorer.list_models()}

    @cached_property
    def values_with_question_counts_by_label(self) -> dict[str, list[tuple[str, int]]]:
        """The values of each label that questions have, as (value, questions)."""
        return self.explorer.question_counts_of_values_by_label()

    @cached_property
    def labels_dividing_questions(self) -> list[str]:
        """The labels with two or more values among the questions, except the kind."""
        return [
            label
            for label in [*LABELS, "n_correct"]
            if label != "kind"
            and len(
                [one for one, _ in self.values_with_question_counts_by_label.get(label, ()) if one]
            )
            > 1
        ]

    @cached_property
    def filter_values_by_label(self) -> dict[str, list[str]]:
        """The values of each label that can be used as filters."""
        return {
            label: order_values_of_label(
                label, [value for value, _ in self.values_with_question_counts_by_label[label]]
            )
            for label in FILTERS
            if len(self.values_with_question_counts_by_label.get(label, ())) > 1
        }

    @cached_property
    def choice_titles_by_filter_run_model_or_prompt(self) -> dict[str, dict[str, str]]:
        """The runs, models and prompts, each with its display name."""
        return {
            "run": names_of_runs_by_id(
                self.explorer.store, self.explorer.list_ids_of_runs_with_answers()
            ),
            "model": {name: name for name in self.rater_id_by_model_name},
            "prompt": {name: name for name in self.prompt_and_repeat_by_variant_name},
        }


def prompt_and_repeat_by_variant_name(
    variants: list[tuple[str, int, int]],
) -> dict[str, tuple[str, int]]:
    """Ways of asking by display name."""
    return {
        prompt if repeat == 1 else f"{prompt} #{repeat}": (prompt, repeat)
        for prompt, repeat, _ in variants
    }


def most_used_prompt(whole: UnfilteredFigureData, run: str = "") -> str:
    """The way of asking with the most answers (of one run); "" if there are none."""
    here = (
        prompt_and_repeat_by_variant_name(
            whole.explorer.list_prompts_and_repeats_with_answer_counts(run)
        )
        if run
        else whole.prompt_and_repeat_by_variant_name
    )
    return next(iter(here), "")


def filter_choices_by_filter_with_names(
    store: Store, dataset: str
) -> Mapping[str, Mapping[str, str]]:
    """What the figures of a dataset can be filtered by: ``Study.narrowing``."""
    return cached_unfiltered_figure_data(store, dataset).choice_titles_by_filter_run_model_or_prompt


def list_unknown_label_values(store: Store, dataset: str, asked: Mapping[str, str]) -> list[str]:
    """The label values in ``asked`` that no question has, as ``label: value``."""
    known = cached_unfiltered_figure_data(store, dataset).filter_values_by_label
    return [
        f"{label}: {value}"
        for label in known
        for value in split_filter_values(asked.get(label, ""))
        if value not in known[label]
    ]


def load_figure_data(
    store: Store, study: Study, viewer: Rater | None, narrowed: Mapping[str, str]
) -> EbmqaFigureData:
    """What the figures of a dataset are based on; no viewer means the command line.

    ``narrowed`` has a run, a prompt, models (``question_filter.join_filter_values``), values of
    labels, and words ("q"). The default prompt is the one with the most answers (of the run).
    Values that no question has are ignored.

    Raises:
        NotAllowed: the viewer has not answered the questionnaire yet.
        InvalidInput: the dataset has no such run, model or prompt.
    """
    require_viewer_may_see_models_answers(store, study.dataset, viewer)
    whole = cached_unfiltered_figure_data(store, study.dataset)
    models = split_filter_values(narrowed.get("model", ""))
    sides = [(side, narrowed.get(side, "")) for side in ("run", "prompt")]
    for side, value in (*sides, *(("model", one) for one in models)):
        require_known_filters(
            store, study.dataset, filter_choices_by_filter_with_names, {side: value}
        )
    run = narrowed.get("run", "")
    prompt = narrowed.get("prompt", "") or most_used_prompt(whole, run)
    name, repeat = whole.prompt_and_repeat_by_variant_name[prompt] if prompt else ("", 1)
    where = AnswerFilter(
        study.dataset, name, repeat, models=models, search=narrowed.get("q", ""), run=run
    )
    for label, known in whole.filter_values_by_label.items():
        there = [one for one in split_filter_values(narrowed.get(label, "")) if one in known]
        where = where.copy_with_label_limited_to_values(label, there)
    return EbmqaFigureData(whole, where)


@dataclass(frozen=True)
class EbmqaFigureData:
    """The selected answers of one dataset."""

    shared: UnfilteredFigureData
    where: AnswerFilter
    _kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def compute_once(self, name: str, make: Callable[[], T]) -> T:
        """``make()``, computed once."""
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    @property
    def answer_aggregates(self) -> AnswerAggregates:
        """The source of the counts."""
        return self.shared.explorer

    @property
    def narrowed(self) -> dict[str, str]:
        """The filters, in the form that rows of figures have them."""
        where = self.where
        again = f" #{where.repeat}" if where.repeat != 1 else ""
        return {
            "run": where.run,
            "model": "; ".join(where.models),
            "prompt": f"{where.prompt}{again}" if where.prompt else "",
        }

    @property
    def is_filtered_beyond_kind(self) -> bool:
        """Whether questions are filtered by anything other than their kind."""
        return bool(self.where.search) or any(label != "kind" for label, _ in self.where.labels)

    def figure_data_of_kind(self, kind: str) -> EbmqaFigureData:
        """The same for one kind of question; "" and "all" mean both."""
        if kind in ("", "all"):
            return self
        return self.compute_once(
            f"of_kind.{kind}",
            lambda: replace(
                self, where=self.where.copy_with_label_limited_to_values("kind", (kind,)), _kept={}
            ),
        )

    @property
    def selected_kind(self) -> str:
        """The kind selected; empty for both."""
        return "".join(self.where.values_kept_of_label("kind"))

    @cached_property
    def selected_models(self) -> tuple[str, ...]:
        """The selected models, by name."""
        wanted = self.where.models or tuple(self.shared.rater_id_by_model_name)
        if not self.where.run:
            return tuple(one for one in self.shared.rater_id_by_model_name if one in wanted)
        there = self.answer_aggregates.rater_ids_of_run(self.where.run)
        return tuple(
            one
            for one, rater in self.shared.rater_id_by_model_name.items()
            if one in wanted and rater in there
        )

    def series_of_models(self) -> list[Series]:
        """Each model's name, colour and sign, which do not change with the selection."""
        return [
            Series(name, "point", place=at)
            for at, name in enumerate(self.shared.rater_id_by_model_name)
            if name in self.selected_models
        ]

    @property
    def labels_dividing_questions(self) -> list[str]:
        """Labels with more than one value among the questions."""
        return self.shared.labels_dividing_questions

    # -- counts --------------------------------------------------------------------------------

    def tally_table(self, *names: str) -> pd.DataFrame:
        """The tally table by ``names``."""
        return self.compute_once(
            f"table.{names}", lambda: self.answer_aggregates.tally_table(self.where, names)
        )

    def answer_counts_by_label_values(self, *names: str) -> dict[tuple[str, ...], AnswerCounts]:
        """Tallies by the values of ``names``, in the order people expect."""

        def make() -> dict[tuple[str, ...], AnswerCounts]:
            found = metrics_answer_counts.tally_by_groups(self.tally_table(*names), names)
            for at in reversed(range(len(names))):
                order = {
                    v: n
                    for n, v in enumerate(order_values_of_label(names[at], {k[at] for k in found}))
                }
                keys = sorted(found, key=lambda key, at=at, order=order: order[key[at]])  # type: ignore[misc]
                found = {key: found[key] for key in keys}
            return found

        return self.compute_once(f"tally.{names}", make)

    @cached_property
    def answer_count(self) -> int:
        """The number of selected answers."""
        return self.answer_aggregates.count_answers(self.where)

    @property
    def tally_table_by_model_and_kind(self) -> pd.DataFrame:
        """The tally table by model and kind."""
        return self.tally_table("model", "kind")

    @property
    def question_kinds_asked(self) -> list[str]:
        """The kinds of questions that were asked."""
        return [kind for kind in KINDS if kind in set(self.tally_table_by_model_and_kind["kind"])]

    @property
    def tally_tables_by_kind_and_label(self) -> dict[tuple[str, str], pd.DataFrame]:
        """By (kind, label), ``tally_tables_by_label`` of that kind."""
        return {
            (kind, label): table
            for kind in self.question_kinds_asked
            for label, table in self.figure_data_of_kind(kind).tally_tables_by_label.items()
        }

    @cached_property
    def tally_tables_by_label(self) -> dict[str, pd.DataFrame]:
        """By label, tally tables by ``model`` and ``value``, of questions with the label."""
        found = (
            self.answer_aggregates.tally_tables_by_label(self.where, self.labels_dividing_questions)
            if self.labels_dividing_questions
            else {}
        )
        return {label: table[table["value"] != ""] for label, table in found.items()}

    @cached_property
    def answer_counts_by_group_by_label(self) -> dict[str, dict[tuple[str, str], AnswerCounts]]:
        """``tally_tables_by_label`` as tallies."""
        return {
            label: {
                (a, b): one
                for (a, b), one in metrics_answer_counts.tally_by_groups(
                    t, ("model", "value")
                ).items()
            }
            for label, t in self.tally_tables_by_label.items()
        }

    @property
    def model_pair_comparisons_by_kind(self) -> dict[str, list[PairOfModels]]:
        """``list_model_pair_comparisons`` of each kind of question; p values are corrected over the
        pairs of one kind.
        """
        return {
            kind: self.figure_data_of_kind(kind).list_model_pair_comparisons
            for kind in self.question_kinds_asked
        }

    @property
    def agreement_level_table_by_kind(self) -> dict[str, pd.DataFrame]:
        """By kind, the tables that
        ``metrics_by_label_gaps_and_risk_coverage.risk_coverage_steps_by_model`` takes.
        """
        return {
            kind: self.figure_data_of_kind(kind).table_of_agreement_levels
            for kind in self.question_kinds_asked
        }

    @cached_property
    def table_of_agreement_levels(self) -> pd.DataFrame:
        """The table that ``metrics_by_label_gaps_and_risk_coverage.risk_coverage_steps_by_model``
        takes, from who gave the same answers.
        """
        return agreement_levels_table(self.answer_aggregates, self.where, self.selected_models)

    @cached_property
    def question_count_tables_by_label(self) -> dict[str, pd.DataFrame]:
        """By label, the number of questions with each ``value``."""
        return {
            label: self.answer_aggregates.table_of_question_counts_by_label(
                self.where, (label,)
            ).rename(columns={label: "value"})
            for label in ("kind", *self.labels_dividing_questions)
        }

    @cached_property
    def table_of_question_counts_and_chance(self) -> pd.DataFrame:
        """By ``kind``: ``questions``, ``chance`` (the sum of correct over offered options)."""
        return self.answer_aggregates.table_of_questions_and_chance_by_kind(self.where)

    @cached_property
    def numeric_question_count_by_answer_class(self) -> dict[str, int]:
        """The number of numeric questions by answer class."""
        table = self.answer_aggregates.table_of_question_counts_by_label(
            self.figure_data_of_kind("numeric").where, ("answer",)
        )
        counts = zip(table["answer"], table["questions"], strict=True)
        return {str(value): int(n) for value, n in counts if value}

    @cached_property
    def tally_table_by_prompt(self) -> pd.DataFrame:
        """The tally table of the prompt study, by ``model``, ``kind`` and ``prompt``."""
        return self.answer_aggregates.tally_table_by_prompt(self.where)

    overlapping = SEVERAL
    """Labels of which one question can have several."""

    def list_gaps_within_labels(self, measure: str) -> list[Gap]:
        """Best against worst sub-label for each label and model."""
        return self.compute_once(
            f"gaps.{measure}",
            lambda: (
                metrics_by_label_gaps_and_risk_coverage.list_gaps_between_label_values_per_model(
                    self.answer_counts_by_group_by_label, measure, overlapping=SEVERAL
                )
            ),
        )

    @cached_property
    def list_model_pair_comparisons(self) -> list[PairOfModels]:
        """Every two models on the questions that both answered."""
        return metrics_model_comparison.list_comparisons_of_model_pairs(
            self.answer_aggregates.table_of_question_counts_per_model_set(
                self.where, self.selected_models
            ),
            self.selected_models,
        )

    def list_pairs_of_models_per_label_value(
        self, first: str, second: str, label: str
    ) -> list[PairOfModels]:
        """Two models on the questions that both answered, for each value of a label."""
        rows = self.answer_aggregates.list_cross_tabulation_of_two_models(
            self.where, first, second, label
        )
        order = order_values_of_label(label, [row[0] for row in rows if row[0] or not label])
        known = {row[0]: row for row in rows}
        return metrics_model_comparison.paired_differences_with_tests(
            [(value, first, second, *known[value][1:]) for value in order]
        )

    # -- people --------------------------------------------------------------------------------

    @cached_property
    def table_of_questionnaire_results(self) -> pd.DataFrame:
        """The questionnaire's results: everybody who answered all of it, the selected models on the
        same questions, and always choosing the most common answer class. Empty for a single run.
        """
        where = self.where
        table = questionnaire.questionnaire_results_table(
            self.answer_aggregates.store, where.dataset, viewer=None
        )
        if where.run:
            return table.head(0)
        if not where.models:
            return table
        wanted = {self.shared.rater_id_by_model_name[one] for one in where.models}
        return table[(table["kind"] != "model") | table["rater_id"].isin(wanted)]

    @cached_property
    def questionnaire_figure_rows(self) -> list[tuple[str, str, Estimate]]:
        """The questionnaire's results as rows of figures: with "I do not know", and with the
        guesses; and people against models.
        """
        where, store = self.where, self.answer_aggregates.store
        if where.run:
            return []
        answers = questionnaire.questionnaire_answers_table(store, where.dataset, viewer=None)
        if where.models:
            answers = answers[(answers["kind"] != "model") | answers["rater"].isin(where.models)]
        rows = list_figure_group_and_estimate_of_results(self.table_of_questionnaire_results)
        if rows:
            offered = questionnaire.list_correct_and_offered_counts_of_questions(
                store, where.dataset
            )
            expected = sum(correct / count for correct, count in offered)
            rows.append(
                (
                    "questionnaire_chance",
                    "",
                    metrics.estimate_random_choice_score(expected, len(offered)),
                )
            )
        return [*rows, *metrics_model_comparison.questionnaire_figure_rows(answers)]


def list_figure_group_and_estimate_of_results(
    results: pd.DataFrame,
) -> list[tuple[str, str, Estimate]]:
    """The rows of ``questionnaire.questionnaire_results_table`` as figures."""
    rows = []
    for one in results.to_dict("records"):
        found = {"accuracy": wilson_share_estimate(int(one["right"]), int(one["known"]))}
        # Always choosing the most common class leaves nothing unanswered, and only people guess.
        if one["kind"] != "majority":
            found["answer_rate"] = wilson_share_estimate(int(one["known"]), int(one["n"]))
        if one["kind"] == "person":
            found["accuracy_with_guesses"] = wilson_share_estimate(
                int(one["right_settled"]), int(one["settled"])
            )
        people = int(one["kind"] == "person")
        note = "; not blind: had seen right answers before" if one["looked"] else ""
        rows += [
            (
                f"questionnaire_{name}",
                f"{one['kind']}, {one['rater']}",
                note_estimate_speaks_for_these_raters(
                    replace(estimate, method=f"{estimate.method}{note}"), people
                ),
            )
            for name, estimate in found.items()
        ]
    return rows


def agreement_levels_table(
    explorer: AnswerAggregates, where: AnswerFilter, models: tuple[str, ...]
) -> pd.DataFrame:
    """The table that ``metrics_by_label_gaps_and_risk_coverage.risk_coverage_steps_by_model``
    takes, from who gave the same answers.
    """
    shared_by = explorer.table_of_answers_by_set_of_models(where, models)
    by_model = metrics_answer_counts.tally_by_groups(
        explorer.tally_table(where, ("model",)), ("model",)
    )
    found: dict[tuple[str, int], tuple[list[int], list[float]]] = {}
    for givers, answers, score in shared_by.itertuples(index=False, name=None):
        mask = int(givers)
        for at, model in enumerate(models):
            if mask >> at & 1:
                counts, scores = found.setdefault((model, mask.bit_count() - 1), ([], []))
                counts.append(answers)
                scores.append(score)
    return pd.DataFrame(
        [
            (model, agreeing, sum(counts), math.fsum(scores), by_model[model,].count_of_replies)
            for (model, agreeing), (counts, scores) in sorted(found.items())
        ],
        columns=["model", "agreeing", "answered", "score", "replied"],
    )
