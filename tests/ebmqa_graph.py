"""A graph: invented edges between real disorders and findings, the same every time.

Nothing in it was measured. What goes with a disorder and how common that is are plausible
(``ebmqa_disorders.csv``); every number is drawn by seed. The questions of EBMQA's demo were made
of it.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medlens.studies.ebmqa.graph.vocabulary import OPTIONAL, REQUIRED

SEED = 20240613
SOURCE = "invented for the demo"
_FINDINGS = {"signs": "sign", "laboratory": "laboratory", "imaging": "imaging"}
_SENSITIVITY = {"sign": (0.15, 0.8), "laboratory": (0.4, 0.95), "imaging": (0.5, 0.97)}
_GROUPS = (
    *("adults over 65 years", "children", "pregnant women", "men under 50 years"),
    *("patients in primary care", "patients in hospital"),
)


def edges() -> Iterator[dict[str, Any]]:
    """Edges in the columns that a graph has; about 2,000 of them."""
    text = Path(__file__).with_name("ebmqa_disorders.csv").read_text(encoding="utf-8")
    disorders = list(csv.DictReader(text.splitlines()))
    draw = random.Random(SEED)
    for one in disorders:
        for column, kind in _FINDINGS.items():
            for finding in one[column].split(";"):
                yield from _finding(draw, one, finding, kind)
        yield from _disorder(draw, one, disorders)
        yield from _ranked(draw, one)


def write(target: Path) -> Path:
    """Write the edges to ``target`` as CSV."""
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [*REQUIRED, *OPTIONAL], restval="")
        writer.writeheader()
        writer.writerows(edges())
    return target


def _edge(
    qa_type: str,
    source: tuple[str, str, str],
    target: tuple[str, str, str],
    low: float,
    high: float,
    **more: Any,
) -> dict[str, Any]:
    names = ("", "_type", "_disciplines")
    ends = {f"source{n}": v for n, v in zip(names, source, strict=True)}
    ends |= {f"target{n}": v for n, v in zip(names, target, strict=True)}
    numbers = {"min": f"{low:.4g}", "max": f"{high:.4g}"}
    return {"qa_type": qa_type, **ends, **numbers, "citations": SOURCE, **more}


def _whom(draw: random.Random) -> dict[str, Any]:
    if draw.random() < 0.8:
        return {}
    return {"background": draw.choice(_GROUPS), "background_type": "population"}


def _share(draw: random.Random, low: float, high: float) -> tuple[float, float]:
    middle = draw.uniform(low, high)
    width = draw.uniform(0, min(middle, 1 - middle, 0.08))
    return middle - width, middle + width


def _around(draw: random.Random, middle: float) -> tuple[float, float]:
    return middle * draw.uniform(0.8, 1), middle * draw.uniform(1, 1.25)


def _finding(
    draw: random.Random, one: dict[str, str], finding: str, kind: str
) -> Iterator[dict[str, Any]]:
    source = (one["name"], "disorder", one["discipline"])
    target = (finding, kind, "")
    yield _edge("Sensitivity", source, target, *_share(draw, *_SENSITIVITY[kind]), **_whom(draw))
    if draw.random() < 0.25:
        whom: dict[str, Any] = {"background": draw.choice(_GROUPS), "background_type": "population"}
        yield _edge("Sensitivity", source, target, *_share(draw, *_SENSITIVITY[kind]), **whom)
    for qa_type, low, high in (
        ("Specificity", 0.5, 0.98),
        ("PPV", 0.05, 0.9),
        ("NPV", 0.6, 0.99),
    ):
        if draw.random() < 0.24:
            yield _edge(qa_type, source, target, *_share(draw, low, high), **_whom(draw))
    if draw.random() < 0.24:
        yield _edge("PLR", source, target, *_around(draw, 1.1 + draw.expovariate(0.3)))
    if draw.random() < 0.24:
        yield _edge("NLR", source, target, *_around(draw, draw.uniform(0.05, 0.75)))


def _disorder(
    draw: random.Random, one: dict[str, str], others: list[dict[str, str]]
) -> Iterator[dict[str, Any]]:
    itself = (one["name"], "disorder", one["discipline"])
    common = float(one["prevalence"])
    everyone = ("the general population", "population", "")
    yield _edge("Prevalence", itself, everyone, *_around(draw, common))
    for group in draw.sample(_GROUPS, 2):
        there = (group, "population", "")
        yield _edge("Prevalence", itself, there, *_around(draw, common * draw.uniform(0.5, 1.8)))
    yield _edge("Incidence", itself, everyone, *_around(draw, common * draw.uniform(0.03, 0.6)))
    second = draw.choice(_GROUPS)
    yield _edge(
        "Incidence",
        itself,
        (second, "population", ""),
        *_around(draw, common * draw.uniform(0.03, 0.6)),
    )
    for other in draw.sample([o for o in others if o is not one], 4):
        beside = (other["name"], "disorder", other["discipline"])
        yield _edge("Association", itself, beside, *_share(draw, 0.01, 0.45), **_whom(draw))
    for other in draw.sample([o for o in others if o is not one], 2):
        beside = (other["name"], "disorder", other["discipline"])
        middle = draw.choice((draw.uniform(0.4, 0.95), 1.05 + draw.expovariate(0.8)))
        yield _edge("Associated risk", itself, beside, *_around(draw, middle))
    for exposure in one["exposures"].split(";"):
        cause = (exposure, "exposure", "")
        for qa_type in ("Relative risk", "Risk factor"):
            middle = draw.uniform(0.5, 0.95) if draw.random() < 0.15 else 1.1 + draw.expovariate(1)
            yield _edge(qa_type, cause, itself, *_around(draw, middle), **_whom(draw))


def _ranked(draw: random.Random, one: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Edges of semantic questions: a disorder's signs, and its abnormal tests, by frequency."""
    itself = (one["name"], "disorder", one["discipline"])
    for relation, columns in (
        ("most frequent sign or symptom", ("signs",)),
        ("most frequent abnormal test", ("laboratory", "imaging")),
    ):
        top = draw.uniform(0.5, 0.95)
        found = [(f, _FINDINGS[c]) for c in columns for f in one[c].split(";")]
        first = draw.randrange(len(found))
        for at, (finding, kind) in enumerate(found):
            share = top if at == first else top * draw.choice((draw.uniform(0.2, 0.85), 0.94))
            target = (finding, kind, "")
            yield _edge("Semantic", itself, target, share, share, relation=relation)
