"""Error tagging's exports: one function per kind of table."""

from __future__ import annotations

from collections.abc import Callable

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import consensus, judgment_export, raters, survey_answers_and_completion_code
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.tagging import load_raw_annotations, metrics_input_tables, queries, tasks
from medlens.studies.tagging.figures import FIGURES
from medlens.studies.tagging.figures_data import load_figure_data
from medlens.studies.tagging.study_in_dataset import Study


def make_items_export_table(store: Store, study: Study) -> pd.DataFrame:
    """The dataset's items, one row each, with a column for each option."""
    rows = []
    for name, illustrative, item in queries.list_items_with_names_and_if_illustrative(
        store, study.dataset
    ):
        options = {f"option_{option.key}": option.text for option in item.options}
        rows.append(
            {
                "item": name,
                "dataset": study.dataset,
                "illustrative": illustrative,
                "serial_num": item.serial_num,
                "meta_info": item.meta_info,
                "model": item.model,
                "question": item.question,
                **options,
                "correct": item.correct,
                "chosen": item.chosen,
                "response": item.response,
            }
        )
    table = pd.DataFrame(rows)
    if not table.empty:
        table["serial_num"] = table["serial_num"].astype("Int64")
    return table


def make_spans_export_table(
    store: Store, study: Study, *, viewer: Rater | None, history: bool = False
) -> pd.DataFrame:
    """One row per span and label."""
    return judgment_export.judgment_parts_table(
        store, study.task, dataset=study.dataset, viewer=viewer, history=history
    )


def make_model_verdicts_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """Every verdict of every model that tagged, with prompt and run."""
    raters.require_lead(viewer)
    said = tasks.list_verdicts_of_models(store, study.taxonomy, study.dataset)
    return model_verdicts_and_runs_of_judges.verdicts_table(said, study.task.name, study.dataset)


def make_consensus_labels_export_table(
    store: Store, study: Study, *, viewer: Rater | None, rule: str = ""
) -> pd.DataFrame:
    """With a rule, the published layout; without one, a row per item and label: its votes, whether
    it holds under each rule, and who settled the item and why.
    """
    looked = load_figure_data(store, study, viewer, {})
    tags = looked.tagging_tables
    if rule:
        wide = metrics_input_tables.table_of_labels_under_rule(tags, study.taxonomy, _rule(rule))
        table = pd.DataFrame(
            {
                "item": list(wide.index),
                "labels": [frozenset(wide.columns[row]) for row in wide.to_numpy(dtype=bool)],
            }
        )
        return load_raw_annotations.table_of_labels_in_published_layout(table, study.taxonomy)
    names = {label.id: label.export_name for label in study.taxonomy.labels}
    words = consensus.all_adjudications_table(store, viewer=viewer)
    words = words[words["stands"] & (words["task"] == study.task.name)]
    words = words[words["dataset"] == study.dataset].set_index("item")
    settled = words[["adjudicator", "reason"]].to_dict("index")
    votes, people = tags.rater_count_matrix_of_items_and_labels, tags.array_of_rater_counts_of_items
    order = {name: at for at, name in enumerate(tags.first_seen)}
    relaxed, strict = (
        looked.labels_by_item_by_rule["relaxed"],
        looked.labels_by_item_by_rule["strict"],
    )
    columns = ["item", "label", "votes", "raters", "relaxed", "strict", "settled_by"]
    columns += ["no_answer_holds", "reason"]
    rows = [
        {
            "item": item,
            "label": names[label],
            "votes": int(votes[i, at]),
            "raters": int(people[i]),
            "relaxed": label in relaxed.get(item, ()),
            "strict": label in strict.get(item, ()),
            "settled_by": settled.get(item, {}).get("adjudicator", ""),
            "no_answer_holds": item in tags.words and tags.words[item] is None,
            "reason": settled.get(item, {}).get("reason", ""),
        }
        for i, item in sorted(enumerate(tags.items), key=lambda pair: order[pair[1]])
        for at, label in enumerate(tags.labels)
    ]
    return pd.DataFrame(rows, columns=columns)


def _rule(rule: str) -> metrics_input_tables.Rule:
    for known in metrics_input_tables.RULES:
        if rule == known:
            return known
    raise InvalidInput(
        f"There is no rule {rule!r}.", hint=f"Use one of: {', '.join(metrics_input_tables.RULES)}."
    )


def make_gold_items_export_table(
    store: Store, study: Study, *, viewer: Rater | None
) -> pd.DataFrame:
    """The gold items with the labels expected of them: the answer key, not for reviewers."""
    key = consensus.gold_items_table(store, study.task, dataset=study.dataset, viewer=viewer)
    rows = [
        {
            "item": item,
            "reason": str(expected.get("reason") or ""),
            "labels": "; ".join(
                label.export_name
                for label in study.taxonomy.labels
                if label.id in expected["labels"]
            ),
        }
        for item, expected in zip(key["item"], key["expected"], strict=True)
    ]
    return pd.DataFrame(rows, columns=["item", "labels", "reason"])


def make_surveys_export_table(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """One row per answer to a form."""
    return survey_answers_and_completion_code.survey_answers_table(store, viewer=viewer)


EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "judgments": (
        "Judgments, one row each",
        judgment_export.make_export_function_for_task(lambda study: study.task),
    ),
    "spans": ("Spans, one row per span and label", make_spans_export_table),
    "labels": (
        "Labels per item; with a rule, in the published layout",
        make_consensus_labels_export_table,
    ),
    "tagger-verdicts": (
        "Every verdict of every model that tagged, with run",
        make_model_verdicts_export_table,
    ),
    "surveys": ("Form answers, one row each", make_surveys_export_table),
    "gold": ("Gold items and the labels expected of them", make_gold_items_export_table),
    "figures": ("Every figure of the results view", FIGURES.export),
    "items": ("The responses themselves", make_items_export_table),
}
"""Tables that can be exported: what they are, and who makes them."""
