"""How many items and raters a study needs: the intervals to be expected of its figures.

Source: the design effect of whole clusters, 1 + (k - 1) r, for k judgments of an item whose
intraclass correlation is r (Kish 1965, Survey Sampling, section 5.4).
"""

from __future__ import annotations

import math

import pandas as pd
import scipy

from medlens.own.declaration import Declaration
from medlens.stats.resampling import CONFIDENCE

ALIKE = 0.5
"""The intraclass correlation that is supposed where nobody has judged anything yet."""
WORDS = (
    "What 95% intervals to expect by the number of items and of raters, where two people's answers"
    f" to an item have an intraclass correlation of {ALIKE} (design effect of Kish 1965):"
)
ITEMS, RATERS = (10, 20, 50, 100, 200, 500), (1, 2, 3, 5)


def half_width(deviation: float, items: int, raters: int, *, alike: float = ALIKE) -> float:
    """Half of the 95 % interval to be expected of a mean of ``items`` times ``raters`` judgments
    with this standard deviation, of which those of one item are ``alike`` (0 to 1)."""
    effect = 1 + (raters - 1) * alike
    return (
        float(scipy.special.ndtri((1 + CONFIDENCE) / 2))
        * deviation
        * math.sqrt(effect / (items * raters))
    )


def expected(declared: Declaration) -> dict[str, pd.DataFrame]:
    """Half widths by number of items (rows) and of raters per item (columns), as texts.

    Of a share, in percentage points, near 50 %, where it is least sure; and of the mean of each
    kind of scale that the study has, in its points, where all of them are as frequent.
    """
    scales = {
        (one.minimum, one.maximum)
        for one in declared.counted
        if one.kind == "scale" and one.minimum is not None and one.maximum is not None
    }
    found = {"a share (percentage points)": _table(50.0, 0)}
    for low, high in sorted(scales, key=str):
        if low is not None and high is not None:
            points = high - low + 1
            deviation = math.sqrt((points**2 - 1) / 12)
            found[f"a mean on a scale from {low:g} to {high:g} (points)"] = _table(deviation, 2)
    return found


def _table(deviation: float, places: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            f"{raters} per item": [
                f"± {half_width(deviation, n, raters):.{places}f}" for n in ITEMS
            ]
            for raters in RATERS
        },
        index=pd.Index(ITEMS, name="items"),
    )
