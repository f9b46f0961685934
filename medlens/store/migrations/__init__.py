"""The shape of the store, as a list of steps that only ever grows.

``STEPS`` are table definitions written to run on DuckDB and on PostgreSQL (``{json}`` is the
engine's JSON type, ``{plain}`` keeps DuckDB from compressing long texts, which took most of the
time of importing them). ``views.sql`` is what stands now, read by DuckDB alone, and is drawn again
whenever its text has changed. A step that has landed is never edited: add the next one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent


def _statements(name: str) -> list[str]:
    text = (_HERE / name).read_text(encoding="utf-8")
    return [part.strip() for part in text.split(";\n") if part.strip()]


STEPS: tuple[tuple[int, str], ...] = (
    (1, "001_spine.sql"),
    (2, "002_models.sql"),
    (3, "003_sourcecheckup.sql"),
    (4, "004_ebmqa.sql"),
    (5, "005_visits.sql"),
    (6, "006_sites.sql"),
    (7, "007_audit.sql"),
    (8, "008_evidence.sql"),
    (9, "009_verdicts.sql"),
    (10, "010_outcomes.sql"),
    (11, "011_rounds.sql"),
    (12, "012_exclusions.sql"),
    (13, "013_further_columns.sql"),
    (14, "014_source_parts.sql"),
    (15, "015_remarks.sql"),
    (16, "016_samples.sql"),
    (17, "017_guidelines.sql"),
    (18, "018_settling.sql"),
    (19, "019_invitations.sql"),
    (20, "020_crowd.sql"),
    (21, "021_suggestions.sql"),
    (22, "022_codebooks.sql"),
    (23, "023_passes.sql"),
    (24, "024_reasoning.sql"),
    (25, "025_judgment_runs.sql"),
    (26, "026_completion.sql"),
    (27, "027_person_numbers.sql"),
)
"""(version, file): a store at version n has had every step up to n."""


def statements(version: int) -> list[str]:
    """The statements of one step, in order, with ``{json}`` and ``{plain}`` to be filled in."""
    return _statements(dict(STEPS)[version])


@dataclass(frozen=True)
class LeftOpen:
    """What a step could not fill: ``query`` counts those rows, and ``sentence`` says it of their
    number, ``{n}``.
    """

    query: str
    sentence: str


LEFT_OPEN: Mapping[int, LeftOpen] = {
    25: LeftOpen(
        "select count(*) from judgment j join rater r on r.id = j.rater"
        " where r.kind = 'model' and j.run is null",
        "Judgments by models now carry their run and the version of their prompt. {n} do not: which"
        " run they are from cannot be told.",
    )
}
"""By the version of the step; logged when a store has had it."""


def views() -> list[str]:
    """The views of the current state, in order of dependence (DuckDB only)."""
    return _statements("views.sql")


def views_digest() -> str:
    """Changes when a view does."""
    return hashlib.sha256((_HERE / "views.sql").read_bytes()).hexdigest()[:16]
