"""Preferences between pairs: strengths in the Bradley-Terry model.

Source: Bradley & Terry (1952), Biometrika 39; fitted by the algorithm of Hunter (2004), Annals of
Statistics 32, section 2. A tie is half a win for each side. Cases are resampled whole, so that the
interval allows for several raters judging the same case (``stats.resampling``).
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from medlens.stats.estimate import Estimate
from medlens.stats.resampling import Floats, Smoothing, from_sums, ratio, types_of

_ROUNDS = 300
_CLOSE = 1e-7


def strengths(wins: Floats) -> Floats:
    """Strengths (m, k) that sum to 1, from wins (m, k, k) of the row over the column.

    A side that never won has strength 0.
    """
    games = wins + np.swapaxes(wins, 1, 2)
    won = wins.sum(axis=2)
    found = np.full(won.shape, 1.0 / won.shape[1])
    for _ in range(_ROUNDS):
        shared = ratio(games, found[:, :, None] + found[:, None, :])
        new = ratio(won, np.nansum(shared, axis=2))
        new = np.nan_to_num(new)
        new /= np.maximum(new.sum(axis=1, keepdims=True), 1e-300)
        near = float(np.abs(new - found).max(initial=0.0)) < _CLOSE
        found = new
        if near:
            break
    return found


def bradley_terry(wins: ArrayLike) -> list[Estimate]:
    """For each of k sides, its chance of winning against one of the others, drawn at random.

    ``wins`` (cases, k, k) are wins by case, of the row over the column, ties as halves. Undefined
    if some were never compared, not even through others.
    """
    won = np.asarray(wins, dtype=np.float64)
    cases, k, _ = won.shape
    method = "Bradley–Terry, chance against another"
    games = won.sum(axis=0) + won.sum(axis=0).T
    if k < 2 or scipy.sparse.csgraph.connected_components(games)[0] > 1:
        return [
            Estimate.undefined(
                "not all were compared, not even by way of others", cases, method=method
            )
        ] * k
    rows = won.reshape(cases, k * k)
    types, times = types_of(rows[rows.sum(axis=1) > 0])
    # What might have been seen but was not: a case in which one of two always wins.
    pairs = [(i, j) for i in range(k) for j in range(k) if i != j and games[i, j]]
    unseen = np.zeros((len(pairs), k, k))
    for at, (i, j) in enumerate(pairs):
        unseen[at, i, j] = games[i, j] / int(times.sum())
    smoothing = Smoothing(
        unseen.reshape(len(pairs), k * k),
        np.full(len(pairs), 1.0 / k),
        int(times.sum() - times.max()),
    )
    fitted: dict[bytes, Floats] = {}

    def chances(sums: Floats) -> Floats:
        # Every side asks for the same draws.
        key = sums[:3].tobytes()
        if key not in fitted:
            own = strengths(sums.reshape(-1, k, k))
            beats = ratio(own[:, :, None], own[:, :, None] + own[:, None, :])
            beats[:, range(k), range(k)] = 0.0
            fitted[key] = beats.sum(axis=2) / (k - 1)
        return fitted[key]

    return [
        from_sums(
            types,
            times,
            lambda sums, at=at: chances(sums)[:, at],  # type: ignore[misc]
            smoothing=smoothing,
            method=method,
            undefined_because="it cannot be fitted",
            unit="cases",
        )
        for at in range(k)
    ]
