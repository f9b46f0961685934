"""Draws the items to check next where that is most informative, and stores their probabilities.

A lead wants to know a judge's sensitivity (or another measure) more precisely. The items that the
judge judged are divided into *strata*, by its verdict (and by the strata of earlier draws); from
each a number is drawn at random among those without clinicians' word. The strata are kept whole:
within each, the checked items represent all, which keeps every estimate unbiased however unequal
the draw. Every item belongs to one of two halves at random, and the number to draw from either is
planned from what is known of the other. This assumes that the items checked before the first draw
were not chosen by what the judge says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review import items_selected_to_hand_out
from medlens.review.judge_trust import (
    Judge,
    VariableAnswers,
    assign_item_to_random_half,
    compare_judge_with_clinicians,
    make_checked_verdicts_of_judge,
)
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import answer_in_readable_form
from medlens.stats.estimate import MOST_OUTSTANDING, Estimate
from medlens.stats.partly_verified_share import CheckingForecast
from medlens.stats.smoothed_bootstrap import SEED
from medlens.store import Store, new_id

MEASURES = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "share": "Corrected share",
}
"""The measures that more checks make more precise."""


@dataclass(frozen=True)
class Draw:
    """The aim of a draw: to know ``measure`` of a judge, in one class, to ``half_width``."""

    judge: Judge
    positive: int
    measure: str
    half_width: float


def make_forecast_of_items_needed_per_stratum(
    col: VariableAnswers, wanted: Draw
) -> CheckingForecast:
    """How many more items are needed, and from which strata."""
    found = make_checked_verdicts_of_judge(col, wanted.judge, wanted.positive, halved=True)
    known = ~np.isnan(col.judges[wanted.judge])
    halves = [
        assign_item_to_random_half(item)
        for item, there in zip(col.items, known, strict=True)
        if there
    ]
    return found.make_forecast_of_rows_to_check(
        *(wanted.measure, wanted.half_width), halves=halves, shown=_shown(col, wanted)
    )


def _shown(col: VariableAnswers, wanted: Draw) -> Estimate:
    """The present estimate of the measure, as the charts show it."""
    if wanted.measure == "share":
        return make_checked_verdicts_of_judge(col, wanted.judge, wanted.positive).estimate_measure(
            "share"
        )
    rates = compare_judge_with_clinicians(
        col, wanted.judge, wanted.positive, only=wanted.measure
    ).rates
    return rates[wanted.measure]


def count_unchecked_of_last_draw(col: VariableAnswers) -> int:
    """How many items of the last draw have no clinicians' word yet."""
    done = {item for item, word in zip(col.items, col.word, strict=True) if not np.isnan(word)}
    return len(set(col.material.drawn) - done)


def is_too_early_to_draw_again(col: VariableAnswers) -> bool:
    """Whether more than a fifth of the last draw is outstanding: too early for another."""
    return count_unchecked_of_last_draw(col) > len(col.material.drawn) * MOST_OUTSTANDING


def hand_out_forecast_items_and_count(
    store: Store,
    col: VariableAnswers,
    wanted: Draw,
    *,
    dataset: str,
    by: Rater | None,
    seed: int = SEED,
) -> int:
    """Draw the items of the forecast and hand them out from now on; returns how many.

    Items that somebody has begun or judged stay handed out. ``by`` is None for the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there is nothing left to draw, or the last draw is not judged yet.
        Conflict: another lead has drawn at the same moment.
    """
    require_lead(by)
    if not 0 < wanted.half_width < 0.5 or seed < 0:
        raise InvalidInput(
            "The interval's half width must lie between 0 and 50 points, and the seed be 0 or more."
        )
    if is_too_early_to_draw_again(col):
        raise InvalidInput(
            f"{count_unchecked_of_last_draw(col):,} items of the last draw are still to be judged.",
            hint="Draw again once clinicians have judged them: you may need fewer.",
        )
    task = col.material.task
    found = make_checked_verdicts_of_judge(col, wanted.judge, wanted.positive, halved=True)
    known = ~np.isnan(col.judges[wanted.judge])
    items = np.array(col.items, dtype=object)[known]
    out = set(store.column("select item from gold_now where task = $t", t=task.name))
    out |= set(task.ids_of_items_not_handed_out(store, dataset))
    given = items_selected_to_hand_out.list_ids_of_items_given_or_judged(
        store, task, dataset=dataset
    )
    revision = store.value(
        "select coalesce(max(revision), 0) from sample where task = $task and dataset = $dataset",
        task=task.name,
        dataset=dataset,
    )
    rng = np.random.default_rng([seed, revision])
    strata, drawn = [], []
    for at, many in enumerate(
        make_forecast_of_items_needed_per_stratum(col, wanted).by_group.tolist()
    ):
        inside, done = items[found.groups == at], found.checked_row_mask[found.groups == at] > 0
        free = [item for item in inside[~done].tolist() if item not in out]
        chosen = [free[i] for i in sorted(rng.permutation(len(free))[:many].tolist())]
        drawn += chosen
        strata.append(
            {
                "stratum": f"{revision + 1}.{at + 1}",
                "items": inside.tolist(),
                "checked": inside[done].tolist(),
                "drawn": chosen,
            }
        )
    if not drawn:
        raise InvalidInput(
            "There is nothing left to draw.",
            hint="It is already known as precisely as you asked, or everything is checked.",
        )
    body = {
        "judge": wanted.judge.model,
        "prompt": wanted.judge.prompt,
        "variable": col.variable,
        "answer": answer_in_readable_form(col.classes[wanted.positive]),
        "measure": wanted.measure,
        "half_width": wanted.half_width,
        "seed": seed,
        "strata": strata,
    }
    row = {"id": new_id(), "task": task.name, "dataset": dataset, "revision": revision + 1}
    store.append("sample", {**row, "body": body, "made_by": by.id if by else "command line"})
    before = (
        []
        if items_selected_to_hand_out.ids_of_selected_items(store, task, dataset=dataset)
        else given
    )
    said = f"checks of {wanted.judge.displayed_name}, draw {revision + 1}"
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, task, [*before, *drawn], dataset=dataset, drawn=said, by=by
    )
    return len(drawn)


def drawn_items_table(store: Store, opened: Any, *, viewer: Rater | None) -> pd.DataFrame:
    """Every item drawn in a dataset: task, draw, judge, prompt, variable, answer, measure, stratum,
    items_in_stratum, checked_before, drawn, probability, item.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    names = dict(store.rows("select id, name from item_now where dataset = $d", d=opened.dataset))
    rows: list[Mapping[str, Any]] = []
    for task, number, body in store.rows(
        "select task, revision, body::varchar from sample where dataset = $dataset order by seq",
        dataset=opened.dataset,
    ):
        said = json.loads(body)
        about = {name: said[name] for name in ("judge", "prompt", "variable", "answer", "measure")}
        for one in said["strata"]:
            left = len(one["items"]) - len(one["checked"])
            sizes = {
                "stratum": one["stratum"],
                "items_in_stratum": len(one["items"]),
                "checked_before": len(one["checked"]),
                "drawn": len(one["drawn"]),
                "probability": len(one["drawn"]) / max(left, 1),
            }
            rows += [
                {"task": task, "draw": number, **about, **sizes, "item": names[item]}
                for item in one["drawn"]
                if item in names
            ]
    columns = ["task", "draw", "judge", "prompt", "variable", "answer", "measure", "stratum"]
    columns += ["items_in_stratum", "checked_before", "drawn", "probability", "item"]
    return pd.DataFrame(rows, columns=columns)
