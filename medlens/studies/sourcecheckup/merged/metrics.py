"""Each pair alone versus sources merged: how much the paper's rule decides the figures.

Both are counted over the same statements and responses: those decided both ways. A statement
without a source, or whose sources cannot be read, is not supported either way; with one readable
source there is nothing to merge, and its own verdict counts both ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from medlens.stats.clustered import Clusters
from medlens.stats.estimate import Estimate
from medlens.studies.sourcecheckup.metrics_material import (
    CANNOT_TELL,
    RESPONSE_STATES,
    STATEMENT_STATES,
    SUPPORTED,
    Bools,
    Judged,
    responses_of,
)
from medlens.studies.sourcecheckup.metrics_support import GROUPINGS, Tally, grouping

MERGED_FIGURES = {
    "statement_support_alone": "Supported statements, each source alone",
    "statement_support_merged": "Supported statements, sources merged",
    "response_support_alone": "Supported answers, each source alone",
    "response_support_merged": "Supported answers, sources merged",
    "merged_still_unsupported": "Still not supported once sources are merged",
    "merged_no_longer_supported": "No longer supported once sources are merged",
}
"""The figures, and what people call them."""

_OPEN = STATEMENT_STATES.index("undecided")
_YES = STATEMENT_STATES.index("supported")


def merged_states(judged: Judged, verdicts: pd.DataFrame) -> tuple[NDArray[np.int8], Bools]:
    """Every statement's state with its sources merged, and whether it was put to the verifier.

    ``verdicts``: statement, rater, verdict; other verifiers than ``judged``'s are ignored. Both
    results are (statements,); states are codes into ``STATEMENT_STATES``.
    """
    material = judged.material
    own = verdicts[verdicts["rater"] == judged.verifier].drop_duplicates("statement", keep="last")
    given = dict(zip(own["statement"], own["verdict"], strict=True))
    word = np.array([given.get(name, "") for name in material.statements["statement"]], dtype=str)
    put = word != ""
    m, owner = len(material.responses), material.response_of_statement
    cites = material.response_of_citation
    readable = material.cited["readable"].to_numpy(dtype=bool)
    sources = np.bincount(cites, minlength=m)[owner]
    to_read = np.bincount(cites[readable], minlength=m)[owner]
    unfetched = (material.cited["outcome"] == "").to_numpy(dtype=bool)
    to_come = np.bincount(cites[unfetched], minlength=m)[owner] > 0
    state = np.where(to_read < 2, judged.statement, _OPEN).astype(np.int8)
    unsure = (word == CANNOT_TELL) | (sources > to_read)
    state[put] = STATEMENT_STATES.index("unsupported")
    state[put & unsure] = STATEMENT_STATES.index("unreachable")
    for name in ("partly", "contradicted"):
        state[word == name] = STATEMENT_STATES.index(name)
    state[put & to_come] = _OPEN
    state[put & (word == SUPPORTED)] = _YES
    return state, put


def merged_figures(
    judged: Judged,
    verdicts: pd.DataFrame,
    clusters: Clusters,
    groupings: Mapping[str, Sequence[str]] = GROUPINGS,
) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share, for ``MERGED_FIGURES`` and every grouping, by one verifier.

    Empty if this verifier was not asked about merged sources. ``merged_still_unsupported`` is of
    the statements put to it that no source supports alone, ``merged_no_longer_supported`` of those
    that one does. ``merged statements: …`` counts every class, including those outstanding.
    """
    merged, put = merged_states(judged, verdicts)
    if not put.any():
        return {}
    material, tally = judged.material, Tally(clusters)
    owner, question = material.response_of_statement, clusters.codes
    both = ~judged.waiting & (merged != _OPEN)
    whole = {"alone": judged.response, "merged": responses_of(material, merged)}
    outside = [RESPONSE_STATES.index(name) for name in ("undecided", "no_statement", "not_done")]
    answered = ~np.isin(whole["alone"], outside) & ~np.isin(whole["merged"], outside)
    every = np.arange(len(material.responses))
    alone_yes, merged_yes = judged.statement == _YES, merged == _YES
    for suffix, by in groupings.items():
        groups, group = grouping(material, by)
        of_statement = (groups, group[owner], question[owner])
        for name, state in (("alone", alone_yes), ("merged", merged_yes)):
            tally.add(f"statement_support_{name}{suffix}", *of_statement, state, both)
            tally.add(
                f"response_support_{name}{suffix}",
                groups,
                group,
                question[every],
                whole[name] == RESPONSE_STATES.index("supported"),
                answered,
            )
        tally.add(
            f"merged_still_unsupported{suffix}", *of_statement, ~merged_yes, both & put & ~alone_yes
        )
        tally.add(
            f"merged_no_longer_supported{suffix}",
            *of_statement,
            ~merged_yes,
            both & put & alone_yes,
        )
        if not by:
            for code, name in enumerate(STATEMENT_STATES):
                if (merged == code).any():
                    tally.add(
                        f"merged statements: {name}",
                        *of_statement,
                        merged == code,
                        np.ones(len(merged), dtype=bool),
                    )
    return tally.estimates()
