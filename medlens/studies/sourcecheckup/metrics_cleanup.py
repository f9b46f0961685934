"""What cleaning up did to the statements that their sources did not support.

Each is edited or removed; an edited one is verified again. Source: Wu et al. 2025, SourceCleanup.
The paper prints the total as a share of supported statements; it is one of the unsupported ones.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from medlens.stats.clustered import Clusters
from medlens.stats.estimate import Estimate
from medlens.studies.sourcecheckup.metrics_support import Tally

CLEANUP = {
    "cleanup_removed": "Removed",
    "cleanup_edited_supported": "Supported once edited, of the edited",
    "cleanup_resolved": "Removed, or supported once edited",
}


def cleanup_figures(cleaned: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share, over all and by model; questions are the clusters.

    ``cleaned``: statement, question, model, action ("edited", "removed"), ``verdict`` (of the
    edited statement; "" while it has none). One row per statement that was not supported and was
    cleaned up. Edited statements whose verdict is outstanding are in no denominator but that of
    the removed.
    """
    if cleaned.empty:
        return {}
    removed = (cleaned["action"] == "removed").to_numpy(dtype=bool)
    edited = (cleaned["action"] == "edited").to_numpy(dtype=bool)
    supported = edited & (cleaned["verdict"] == "supported").to_numpy(dtype=bool)
    known = removed | (edited & (cleaned["verdict"] != "").to_numpy(dtype=bool))
    clusters = Clusters(cleaned["question"].to_numpy(dtype=str))
    found = Tally(clusters)
    codes, models = pd.factorize(cleaned["model"].astype(str), sort=True)
    for names, group in (
        (["all"], np.zeros(len(cleaned), dtype=np.int64)),
        ([str(one) for one in models], np.asarray(codes, dtype=np.int64)),
    ):
        for figure, hit, counted in (
            ("cleanup_removed", removed, removed | edited),
            ("cleanup_edited_supported", supported, edited & known),
            ("cleanup_resolved", removed | supported, known),
        ):
            found.add(figure, names, group, clusters.codes, hit, counted)
    return found.estimates()


def before_and_after(
    statements: pd.DataFrame, cleaned: pd.DataFrame
) -> dict[tuple[str, str], Estimate]:
    """Statement support before and after cleaning up, over all and by model.

    ``statements``: statement, question, model, supported (bool), one row per statement of the
    answers that were cleaned up; ``cleaned`` as above. Removed statements are no longer counted;
    edited ones whose verdict is outstanding count as not supported.
    """
    if statements.empty:
        return {}
    became = cleaned.drop_duplicates("statement", keep="last").set_index("statement")
    action = statements["statement"].map(became["action"]).fillna("").to_numpy(dtype=str)
    verdict = statements["statement"].map(became["verdict"]).fillna("").to_numpy(dtype=str)
    before = statements["supported"].to_numpy(dtype=bool)
    after = np.where(action == "edited", verdict == "supported", before)
    clusters = Clusters(statements["question"].to_numpy(dtype=str))
    found = Tally(clusters)
    codes, models = pd.factorize(statements["model"].astype(str), sort=True)
    everything = np.ones(len(statements), dtype=bool)
    for names, group in (
        (["all"], np.zeros(len(statements), dtype=np.int64)),
        ([str(one) for one in models], np.asarray(codes, dtype=np.int64)),
    ):
        found.add("support_before_cleanup", names, group, clusters.codes, before, everything)
        found.add(
            "support_after_cleanup",
            names,
            group,
            clusters.codes,
            after.astype(bool),
            action != "removed",
        )
    return found.estimates()
