"""The data behind the figures of error tagging: a dataset's judgments, prepared once.

Everything is computed when first needed and kept with the object. Everyone who may see it shares
the object, so nobody changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from medlens.deferred_module import np, pd
from medlens.review import agreement, consensus, items
from medlens.review.figure_definitions import require_known_filters
from medlens.review.mark_agreement import Marked
from medlens.review.raters import Rater, require_lead
from medlens.review.run_names import names_of_runs_by_id
from medlens.stats.estimate import Estimate, FigureRow, format_number
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.tagging import (
    metrics_agreement,
    metrics_input_tables,
    multiple_choice_benchmarks,
    queries,
    tasks,
)
from medlens.studies.tagging.metrics_agreement import LabelAgreement
from medlens.studies.tagging.metrics_input_tables import TaggingTables
from medlens.studies.tagging.study_in_dataset import Study
from medlens.studies.tagging.taxonomy import Label

# All tables that figures read. `reveal`, which notes each look at an item, is left out: with it,
# opening one item would have every figure recomputed.
TABLES = (
    *("item", "item_alias", "rater", "judgment", "gold", "adjudication", "reference"),
    *("run", "run_item", "verdict"),
)


def filter_choices_by_filter_with_names(store: Store, dataset: str) -> dict[str, dict[str, str]]:
    """What figures can be narrowed by: models that tagged, their runs, authors of responses."""
    said = model_verdicts_and_runs_of_judges.list_all_verdicts(store, tasks.NAME, dataset)
    known = {
        "judge": {
            judge
            for _, judge in model_verdicts_and_runs_of_judges.model_judgments_by_item_and_model(
                store, tasks.NAME, dataset
            )
        },
        "cases": {
            item.model or ""
            for _, _, item in queries.list_items_with_names_and_if_illustrative(store, dataset)
        },
    }
    return {
        "run": names_of_runs_by_id(store, {one.run for one in said if one.usable}),
        **{side: {one: one for one in sorted(all_ - {""})} for side, all_ in known.items()},
    }


def load_figure_data(
    store: Store, study: Study, viewer: Rater | None, narrowed: Mapping[str, str]
) -> TaggingFigureData:
    """The data behind a dataset's figures; only the command line has no viewer.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the dataset has no such tagger, run or author of responses.
    """
    require_lead(viewer)
    require_known_filters(store, study.dataset, filter_choices_by_filter_with_names, narrowed)
    return TaggingFigureData(store, study, viewer, narrowed)


@dataclass(frozen=True)
class TaggingFigureData:
    """One dataset as judged by people, or by models if narrowed to a judge or a run."""

    store: Store
    study: Study
    viewer: Rater | None
    narrowed: Mapping[str, str]

    @cached_property
    def table_of_counted_judgments(self) -> pd.DataFrame:
        """The judgments that figures count, one row each, for
        ``metrics_input_tables.make_tagging_tables``.
        """
        wanted, dataset = self.narrowed, self.study.dataset
        table = consensus.current_judgments(
            self.store, self.study.task, dataset=dataset, viewer=self.viewer
        )
        table = table[table["rater_kind"] == ("model" if self._by_models else "person")]
        if wanted.get("judge"):
            table = table[table["rater"] == wanted["judge"]]
        if wanted.get("run"):
            said = model_verdicts_and_runs_of_judges.list_all_verdicts(
                self.store, tasks.NAME, dataset
            )
            # If a judge was asked again, its last usable verdict counts.
            made_in = {(one.subject, one.judge): one.run for one in said if one.usable}
            told = zip(table["item_id"], table["rater"], strict=True)
            table = table[[made_in.get(key) == wanted["run"] for key in told]]
        if wanted.get("cases"):
            bodies = queries.list_items_with_names_and_if_illustrative(self.store, dataset)
            names = {name for name, _, item in bodies if item.model == wanted["cases"]}
            table = table[table["item"].isin(names)]
        return table.reset_index(drop=True)

    @property
    def _by_models(self) -> bool:
        return bool(self.narrowed.get("judge") or self.narrowed.get("run"))

    @cached_property
    def tagging_tables(self) -> TaggingTables:
        """The judgments prepared for the figures."""
        texts = queries.table_of_responses(self.store, self.study.dataset)
        return metrics_input_tables.make_tagging_tables(
            self.table_of_counted_judgments,
            self.study.taxonomy,
            items=texts,
            kinds=("person", "model"),
            words=self.adjudicated_labels_by_item,
        )

    @cached_property
    def adjudicated_labels_by_item(self) -> dict[str, frozenset[str] | None]:
        """The labels that adjudicators settled on, by item; None if no answer holds. Empty for
        models' own tags.
        """
        if self._by_models:
            return {}
        said = consensus.adjudicated_answers_by_item_name(
            self.store, self.study.task, dataset=self.study.dataset
        )
        return {item: value.labels_given() if value else None for item, value in said.items()}

    @cached_property
    def ids_of_items_without_valid_answer(self) -> frozenset[str]:
        """The items on which adjudicators decided that no answer holds."""
        return frozenset(
            item for item, labels in self.adjudicated_labels_by_item.items() if labels is None
        )

    @cached_property
    def count_of_all_responses(self) -> int:
        """Responses in the dataset, judged or not."""
        found = items.datasets_of_study(self.store, self.study.task.study)
        return next((int(r["n"]) for r in found if r["dataset"] == self.study.dataset), 0)

    @cached_property
    def agreement_by_label(self) -> dict[str, LabelAgreement]:
        """Agreement by label."""
        return metrics_agreement.agreement_by_label(self.tagging_tables)

    @cached_property
    def label_set_agreement_by_distance(self) -> dict[str, Estimate]:
        """Agreement on the set of labels."""
        return metrics_agreement.label_set_agreement_by_distance(self.tagging_tables)

    @cached_property
    def span_f1s_and_word_alphas(self) -> Marked:
        """Agreement on the marked words."""
        return metrics_agreement.compute_span_f1s_and_word_alphas(self.tagging_tables)

    @cached_property
    def published_labels_by_source_and_item(self) -> dict[str, dict[str, frozenset[str]]]:
        """Published labels by source and item."""
        table = consensus.published_answers_table(
            self.store, self.study.task, dataset=self.study.dataset
        )
        found: dict[str, dict[str, frozenset[str]]] = {}
        for source, item, body in zip(table["source"], table["item"], table["body"], strict=True):
            found.setdefault(source, {})[item] = frozenset(body["labels"])
        return found

    @cached_property
    def medqa_accuracy_rows(self) -> list[FigureRow]:
        """How models answered the questions themselves; empty if none were asked."""
        return multiple_choice_benchmarks.make_medqa_accuracy_figure_rows(
            self.store, dataset=self.study.dataset
        )

    @cached_property
    def gold_hit_rates_by_rater(self) -> dict[str, Estimate]:
        """Hits on gold items by rater; empty if there are no gold items.

        A hit has every expected label and no label of the other kind, error or non-error.
        """
        key = self._gold
        if key.empty:
            return {}
        own = consensus.item_and_rater_ids_of_gold_key_authors(
            self.store, self.study.task, dataset=self.study.dataset
        )
        return agreement.gold_hit_rates_by_rater(
            self.study.task, self.table_of_counted_judgments, key, own
        )

    @cached_property
    def expected_labels_by_gold_item(self) -> dict[str, list[str]]:
        """The expected labels of gold items by item."""
        key = self._gold
        return {
            item: list(expected["labels"])
            for item, expected in zip(key["item"], key["expected"], strict=True)
        }

    @cached_property
    def _gold(self) -> pd.DataFrame:
        return consensus.gold_items_table(
            self.store, self.study.task, dataset=self.study.dataset, viewer=self.viewer
        )

    @cached_property
    def labels_by_item_by_rule(self) -> dict[metrics_input_tables.Rule, dict[str, frozenset[str]]]:
        """The labels of each item under each rule; items in the order they came in."""
        found = {}
        for rule in metrics_input_tables.RULES:
            table = metrics_input_tables.table_of_labels_under_rule(
                self.tagging_tables, self.study.taxonomy, rule
            )
            names = np.array(table.columns, dtype=object)
            found[rule] = {
                str(item): frozenset(names[row])
                for item, row in zip(table.index, table.to_numpy(dtype=bool), strict=True)
            }
        return found

    def label_of_taxonomy(self, label: str) -> Label:
        """A label of the taxonomy."""
        return self.study.taxonomy.require_label_with_id(label)

    def label_name_with_number(self, label: str) -> str:
        """A label's name with its number, as raters know it."""
        return f"{self.text_of_label_key_or_position(label)}  {self.label_of_taxonomy(label).name}"

    def text_of_label_key_or_position(self, label: str) -> str:
        """A label's key, or its position if it has none."""
        return str(self.label_of_taxonomy(label).key or self.tagging_tables.labels.index(label) + 1)

    def label_agreement_in_words(self, label: str) -> str:
        """A label's agreement in short: no label is shown without it."""
        alpha = self.agreement_by_label[label].alpha
        return f"alpha {format_number(alpha.value)}" if alpha.has_value else "alpha undefined"
