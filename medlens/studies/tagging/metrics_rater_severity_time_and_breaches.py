"""The raters themselves: severity, time, and rules that imported data break."""

from __future__ import annotations

from dataclasses import dataclass

from medlens.deferred_module import np, pd
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import estimate_clustered_mean, wilson_share_estimate
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.stats.smoothed_bootstrap import Floats, Ints
from medlens.studies.tagging.metrics_input_tables import TaggingTables
from medlens.studies.tagging.taxonomy import is_refuting_reference

ERROR_AND_NON_ERROR = "error and non-error label together"
TWO_NON_ERRORS = "more than one non-error label"
NO_REFERENCE = "no link or citation"
BREACHES = (ERROR_AND_NON_ERROR, TWO_NON_ERRORS, NO_REFERENCE)


@dataclass(frozen=True)
class RaterSeverity:
    """How many errors a rater finds.

    ``difference`` is the mean over shared items of the rater's number of error labels minus the
    mean of the item's other raters; above zero is severe. ``errors`` is the mean number of error
    labels per item. ``non_error`` is the share of the rater's items given each non-error label.
    """

    difference: Estimate
    errors: Estimate
    non_error: dict[str, Estimate]


def severity_by_rater(tags: TaggingTables) -> dict[str, RaterSeverity]:
    """Severity by rater; error labels are counted once per item."""
    errors = tags.given[:, tags.is_error].sum(axis=1).astype(np.float64)
    raters = tags.array_of_rater_counts_of_items[tags.item]
    totals = np.bincount(tags.item, weights=errors, minlength=len(tags.items))[tags.item]
    others = (totals - errors) / np.maximum(raters - 1, 1)
    difference = np.where(raters >= 2, errors - others, np.nan)
    found = {}
    for rater, rows in _rows_by_rater(tags).items():
        shared = difference[rows]
        shared = shared[np.isfinite(shared)]
        if len(shared):
            relative = estimate_clustered_mean(shared, kind="difference")
        else:
            relative = Estimate.undefined_estimate(
                "no item is shared with another rater", method="mean"
            )
        found[rater] = RaterSeverity(
            difference=note_estimate_speaks_for_these_raters(relative, 1),
            errors=note_estimate_speaks_for_these_raters(
                estimate_clustered_mean(errors[rows], kind=(0.0, float(tags.is_error.sum()))), 1
            ),
            non_error={
                tags.labels[code]: note_estimate_speaks_for_these_raters(
                    wilson_share_estimate(
                        int(tags.given[rows, code].sum()), len(rows), unit="items"
                    ),
                    1,
                )
                for code in np.flatnonzero(~tags.is_error)
            },
        )
    return found


def median_seconds_overall_and_by_rater(
    tags: TaggingTables,
) -> tuple[Estimate, dict[str, Estimate]]:
    """Active seconds per item, overall and by rater: the median, with quartiles as low and high."""
    seconds = tags.judged["seconds"].to_numpy(dtype=np.float64)
    by_rater = {
        rater: note_estimate_speaks_for_these_raters(_median(seconds[rows], "items"), 1)
        for rater, rows in _rows_by_rater(tags).items()
    }
    return _median(seconds, "judgments"), by_rater


def rule_breaches_table(tags: TaggingTables) -> pd.DataFrame:
    """Judgments that break a rule: ``item, rater, what, labels`` (the ids involved), sorted.

    The page refuses these; imported data can contain them.
    """
    errors = tags.given[:, tags.is_error].any(axis=1)
    others = tags.given[:, ~tags.is_error].sum(axis=1)
    needs = np.array([label.requires_link for label in tags.taxonomy.labels], dtype=bool)
    claims = tags.spans[tags.spans["label"].isin(np.array(tags.labels, dtype=object)[needs])]
    bare = claims.loc[~claims["link"].map(is_refuting_reference).astype(bool), "row"].to_numpy()
    without = np.zeros(len(tags.judged), dtype=bool)
    without[bare] = True
    everything = np.ones(len(tags.labels), dtype=bool)
    broken = [
        (ERROR_AND_NON_ERROR, errors & (others > 0), everything),
        (TWO_NON_ERRORS, others > 1, ~tags.is_error),
        (NO_REFERENCE, without, needs),
    ]
    items, raters = tags.judged["item"].tolist(), tags.judged["rater"].tolist()
    rows = [
        (row, what, tuple(name for name, on in zip(tags.labels, given, strict=True) if on))
        for what, rows_broken, concerned in broken
        for row, given in zip(
            np.flatnonzero(rows_broken).tolist(),
            (tags.given[rows_broken] & concerned).tolist(),
            strict=True,
        )
    ]
    rows.sort(key=lambda one: (one[0], BREACHES.index(one[1])))
    table = [(items[row], raters[row], what, labels) for row, what, labels in rows]
    return pd.DataFrame(table, columns=["item", "rater", "what", "labels"])


def array_of_rows_that_could_break_rule(tags: TaggingTables, what: str) -> Ints:
    """The rows of ``judged`` that a rule of ``BREACHES`` applies to.

    Only some labels require a link: judgments without these cannot lack one.
    """
    if what != NO_REFERENCE:
        return np.arange(len(tags.judged), dtype=np.int64)
    needs = np.array([label.requires_link for label in tags.taxonomy.labels], dtype=bool)
    return np.flatnonzero(tags.given[:, needs].any(axis=1)).astype(np.int64)


def _rows_by_rater(tags: TaggingTables) -> dict[str, Ints]:
    """Rows of ``judged`` by rater, raters sorted."""
    groups = tags.judged.groupby("rater", sort=True).indices
    return {str(rater): np.asarray(rows, dtype=np.int64) for rater, rows in groups.items()}


def _median(seconds: Floats, unit: str) -> Estimate:
    known = seconds[np.isfinite(seconds)]
    method = f"median of {unit}, low and high are the quartiles"
    if len(known) == 0:
        return Estimate.undefined_estimate("no time was recorded", method=method)
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    return Estimate(float(middle), float(low), float(high), len(known), method)
