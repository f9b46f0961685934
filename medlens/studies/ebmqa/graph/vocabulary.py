"""The words a graph may use for its QA types and medical types, and its columns."""

from __future__ import annotations

from medlens.studies.ebmqa.records import QA_TYPES, RATIO_TYPES, SEMANTIC_TYPE, SHARE_TYPES

REQUIRED = (
    *("qa_type", "source", "source_type", "target", "target_type", "min", "max", "citations"),
)
OPTIONAL = (
    *("source_disciplines", "target_disciplines", "background", "background_type", "relation"),
)

_QA_ALIASES = {
    "positive predictive value": "PPV",
    "negative predictive value": "NPV",
    "positive likelihood ratio": "PLR",
    "negative likelihood ratio": "NLR",
    "rr": "Relative risk",
    "relative_risk": "Relative risk",
    "risk_factor": "Risk factor",
    "associated_risk": "Associated risk",
}
QA_WORDS = {**{name.casefold(): name for name in QA_TYPES}, **_QA_ALIASES}
"""What may stand in ``qa_type``, in small letters, and the type that it means."""

FAMILY = {
    **dict.fromkeys(SHARE_TYPES, "share"),
    **dict.fromkeys(RATIO_TYPES, "ratio"),
    SEMANTIC_TYPE: "semantic",
}

MEDICAL = {
    "disorder": "disorders disease diseases condition conditions syndrome",
    "sign": "signs symptom symptoms finding findings|sign or symptom|signs and symptoms"
    "|sign/symptom|physical finding|clinical finding",
    "laboratory": "lab labs|lab test|lab finding|laboratory test|laboratory finding"
    "|laboratory result",
    "imaging": "imagings|imaging finding|imaging test|imaging findings|radiology",
    "procedure": "procedures surgery intervention",
    "treatment": "treatments therapy drug drugs medication medications",
    "organism": "organisms pathogen pathogens bacterium virus",
    "gene": "genes mutation variant|genetic variant",
    "anatomy": "organ|body part",
    "exposure": "risk|risk factor|exposures|behaviour|behavior|habit|family history",
    "population": "background|demographic|demographics|age|sex|patients|group|patient group",
}
"""Medical types, and other words for them: apart by blanks, those of several words by bars."""

NOT_MEDICAL = (
    *("non-medical", "non medical", "nonmedical", "not medical", "other", "none"),
    *("administrative", "geography", "location", "organisation", "organization", "event"),
)

TYPE_WORDS = {name: name for name in MEDICAL}
for _name, _others in MEDICAL.items():
    _first, *_phrases = _others.split("|")
    TYPE_WORDS.update(dict.fromkeys([*_first.split(), *_phrases], _name))
TYPE_WORDS.update(dict.fromkeys(NOT_MEDICAL, ""))
"""What may stand in a type column, in small letters, and its type (empty: not medical)."""

_ENDS = {"sign": 0, "laboratory": 0, "imaging": 0, "population": 2, "disorder": 3}
"""How readily a type is the source of an edge: findings never before a disorder; the rest 1."""

_FACTORS = frozenset({"exposure", "gene", "treatment", "organism", "procedure", "population"})
_OUTCOMES = frozenset({"disorder", "sign", "laboratory", "imaging"})
_RISKS = ("Relative risk", "Risk factor", "Associated risk")
_AMONG = ("Prevalence", "Incidence")
_GROUPS = frozenset({"population", "exposure", "gene", "treatment"})


def is_edge_direction_swapped(qa_type: str, source: str, target: str) -> bool:
    """Whether an edge's types say that its ends are swapped.

    The source is the disorder and the target its sign (Avnat et al. 2024, Methods, "Questions
    structure"); for a risk the source is what changes it. Types that say neither leave it as it is.
    """
    if qa_type in _RISKS:
        return source in _OUTCOMES and target in _FACTORS
    if qa_type == SEMANTIC_TYPE:
        return False
    return _ENDS.get(source, 1) < _ENDS.get(target, 1)


def is_share_counted_in_target(qa_type: str, source: str, target: str) -> bool:
    """Whether the target is the group in which a share is counted: a disorder in a population."""
    return qa_type in _AMONG and source not in _GROUPS and target in _GROUPS


BAD = {
    "qa_type": ("qa_type", f"one of {', '.join(QA_TYPES)}"),
    "source": ("source", "the entity that the edge starts from"),
    "target": ("target", "the entity that the edge leads to"),
    "source_type": ("source_type", f"one of {', '.join(MEDICAL)}"),
    "target_type": ("target_type", f"one of {', '.join(MEDICAL)}"),
    "background_type": ("background_type", f"one of {', '.join(MEDICAL)}, or nothing"),
    "relation": ("relation", "what the targets are to the source"),
    "min": ("min", "a number"),
    "max": ("max", "a number"),
    "negative": ("min", "a number from 0"),
    "order": ("min", "at most the max beside it"),
    "share": ("max", "a share from 0 to 1"),
    "large": ("max", "a number below 1,000,000"),
    "citations": ("citations", "where the numbers come from"),
    "cells": ("", "as many cells as the header has"),
}
"""Why an edge is refused: its column, and what was expected there."""

LEFT_OUT = {
    "sources": "more than one source",
    "targets": "more than one target",
    "backgrounds": "more than one background",
    "not_medical": "an entity that is not medical",
    "no_effect": "a ratio of exactly 1: no effect",
    "one_value": "no two different values of this type (or this side of 1) to make ranges from",
    "few_targets": "fewer than two targets of a source",
    "many_targets": "more than six targets of a source",
    "all_correct": "all options would be correct",
    "none_correct": "no option would be correct",
    "same_options": "options that read the same",
}
"""Why a sound edge gives no question."""
