"""Every figure of EBMQA as rows: what the Explore page draws, written out."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from medlens.ebmqa import metrics, metrics_people, questionnaire
from medlens.ebmqa.explore.queries import Explorer
from medlens.ebmqa.explore.where import SEVERAL, Where
from medlens.ebmqa.models import LABELS
from medlens.ebmqa.study import Study
from medlens.review.raters import Rater
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson
from medlens.store import Store

KINDS = ("numeric", "semantic")

_ASKED_OTHERWISE = "question|chance$|majority$|prompt_"
"""Figures of the question set, of people, and of all prompts."""


def first_where(explorer: Explorer) -> Where:
    """All answers to the way of asking that most answers were given to."""
    variants = explorer.variants()
    prompt, repeat = (variants[0][0], variants[0][1]) if variants else ("", 1)
    return Where(explorer.dataset, prompt=prompt, repeat=repeat)


def labels_to_compare(explorer: Explorer) -> list[str]:
    """The labels that questions have and that have two values or more, but for the kind."""
    values = explorer.values()
    return [
        label
        for label in [*LABELS, "n_correct"]
        if label != "kind" and len([value for value, _ in values.get(label, ()) if value]) > 1
    ]


def levels(explorer: Explorer, where: Where, models: tuple[str, ...]) -> pd.DataFrame:
    """The table that ``metrics.risk_coverage`` takes, from who gave the same answers."""
    shared = explorer.agreement(where, models)
    by_model = metrics.tallies(explorer.tally(where, ("model",)), ("model",))
    found: dict[tuple[str, int], list[float]] = {}
    for givers, answers, score in shared.itertuples(index=False, name=None):
        mask = int(givers)
        for at, model in enumerate(models):
            if mask >> at & 1:
                held = found.setdefault((model, mask.bit_count() - 1), [0.0, 0.0])
                held[0] += answers
                held[1] += score
    return pd.DataFrame(
        [
            (model, agreeing, int(answered), score, by_model[model,].replied)
            for (model, agreeing), (answered, score) in sorted(found.items())
        ],
        columns=["model", "agreeing", "answered", "score", "replied"],
    )


def whole(explorer: Explorer, where: Where) -> metrics.Whole:
    """All counts that the figures are made of."""
    models = tuple(model.name for model in explorer.models())
    labels = labels_to_compare(explorer)
    by_model = explorer.tally(where, ("model", "kind"))
    kinds = [kind for kind in KINDS if kind in set(by_model["kind"])]
    of = {kind: where.narrowed("kind", (kind,)) for kind in KINDS}
    answers = explorer.questions(of["numeric"], ("answer",))
    return metrics.Whole(
        models=models,
        by_model=by_model,
        patterns={kind: explorer.patterns(of[kind], models) for kind in kinds},
        by_label={
            (kind, label): table[table["value"] != ""]
            for kind in kinds
            for label, table in (explorer.by_labels(of[kind], labels) if labels else {}).items()
        },
        agreeing={kind: levels(explorer, of[kind], models) for kind in kinds},
        questions={
            label: explorer.questions(where, (label,)).rename(columns={label: "value"})
            for label in ("kind", *labels)
        },
        offered=explorer.offered(where),
        by_prompt=explorer.by_prompt(where),
        overlapping=SEVERAL,
        classes={
            str(value): int(n)
            for value, n in zip(answers["answer"], answers["questions"], strict=True)
            if value
        },
    )


def people(store: Store, dataset: str, viewer: Rater | None) -> list[tuple[str, str, Estimate]]:
    """The questionnaire's results as rows of figures: with "I do not know", and with the guesses.

    Everybody who answered all of it, the models on the same questions, and always choosing the
    class of answer that is right most often.
    """
    rows: list[tuple[str, str, Estimate]] = []
    table = questionnaire.results(store, dataset, viewer=viewer)
    for one in table.to_dict("records"):
        group = f"{one['kind']}, {one['rater']}"
        found = {"accuracy": wilson(int(one["right"]), int(one["known"]))}
        # The commonest class leaves nothing unanswered, and only people guess.
        if one["kind"] != "majority":
            found["answer_rate"] = wilson(int(one["known"]), int(one["n"]))
        if one["kind"] == "person":
            found["accuracy_with_guesses"] = wilson(int(one["right_settled"]), int(one["settled"]))
        for name, estimate in found.items():
            note = "; not blind: had seen right answers before" if one["looked"] else ""
            noted = replace(estimate, method=f"{estimate.method}{note}")
            rows.append((f"questionnaire_{name}", group, noted))
    if rows:
        offered = questionnaire.options(store, dataset)
        expected = sum(correct / count for correct, count in offered)
        rows.append(("questionnaire_chance", "", metrics.chance(expected, len(offered))))
    return [*rows, *metrics_people.rows(questionnaire.answers(store, dataset, viewer=viewer))]


def export_figures(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """Every figure of the Explore page, one row each.

    ``method`` tells the prompt, and which of repeated askings, that a model's figures rest on.

    Raises:
        NotAllowed: the viewer has not answered the questionnaire yet.
    """
    explorer = Explorer(store, study.dataset, viewer)
    where = first_where(explorer)
    table = metrics.figures(whole(explorer, where), people(store, study.dataset, viewer))
    if where.prompt:
        asked = ~table["figure"].str.match(_ASKED_OTHERWISE)
        table.loc[asked, "method"] += f"; prompt {where.prompt}, repeat {where.repeat}"
    return table
