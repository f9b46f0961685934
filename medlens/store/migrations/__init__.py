"""The shape of the store, as a list of steps that only ever grows.

``STEPS`` are table definitions written to run on DuckDB and on PostgreSQL (``{json}`` is the
engine's JSON type, ``{plain}`` keeps DuckDB from compressing long texts, which took most of the
time of importing them). ``views.sql`` is what stands now, read by DuckDB alone;
``public_views.sql`` is what others read with SQL, on both engines. Both are drawn again whenever
their text has changed. A step that has landed is never edited: add the next one.
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
    (28, "028_computation.sql"),
    (29, "029_withdrawn_items.sql"),
    (31, "031_text_measures.sql"),
    (32, "032_item_corrections.sql"),
    (34, "034_undone_imports.sql"),
    (35, "035_settled_together.sql"),
    (36, "036_archiving.sql"),
    (37, "037_corrected_rows.sql"),
    (38, "038_corrected_questions.sql"),
    (39, "039_renaming.sql"),
    (40, "040_withdrawn_decisions.sql"),
    (41, "041_invitation_links.sql"),
)
"""(version, file): a store at version n has had every step up to n."""


def migration_statements(version: int) -> list[str]:
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


PUBLIC_VIEWS = ("items", "judgments", "marks", "raters", "consensus", "figures")
"""The views whose names and columns are promised to whoever reads a store with SQL."""

_OF_ENGINE: Mapping[str, Mapping[str, str]] = {
    "duckdb": {
        "{json}": "json",
        "{is_practice}": "json_exists(body, '$.\"@practice\"')",
        "{marks_of_value}": (
            "unnest(case when json_type(j.value, '$.spans') = 'ARRAY'"
            " then from_json(j.value -> '$.spans', '[\"JSON\"]') end) with ordinality"
        ),
        "{entries_of_body}": "unnest(from_json(c.body, '[\"JSON\"]'))",
    },
    "postgresql": {
        "{json}": "json",
        "{is_practice}": "(replace(body, '\\u0000', '')::jsonb -> '@practice') is not null",
        # PostgreSQL reads no JSON that has a NUL, which DuckDB does.
        "{marks_of_value}": (
            "jsonb_array_elements((select case when jsonb_typeof(v.value -> 'spans') = 'array'"
            " then v.value -> 'spans' end from (select"
            " replace(j.value::text, '\\u0000', '\\ufffd')::jsonb as value) v)) with ordinality"
        ),
        "{entries_of_body}": "jsonb_array_elements(replace(c.body, '\\u0000', '\\ufffd')::jsonb)",
    },
}


def current_state_views() -> list[str]:
    """The views of the current state, in order of dependence (DuckDB only)."""
    return _statements("views.sql")


def public_view_statements(engine: str) -> list[str]:
    """The views of ``PUBLIC_VIEWS`` with their comments, for ``duckdb`` or ``postgresql``."""
    statements = _statements("public_views.sql")
    for name, filled in _OF_ENGINE[engine].items():
        statements = [statement.replace(name, filled) for statement in statements]
    return statements


def digest_of_views() -> str:
    """Changes when a view does."""
    texts = [(_HERE / name).read_bytes() for name in ("views.sql", "public_views.sql")]
    return hashlib.sha256(b"".join(texts) + repr(_OF_ENGINE).encode()).hexdigest()[:16]
