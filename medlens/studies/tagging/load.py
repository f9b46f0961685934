"""The G4UE study's published files to typed records: the one door for whoever imports them.

Nothing here knows the store. Files of the kinds ``g4ue-items``, ``g4ue-responses``,
``g4ue-annotations`` and ``labels``.
"""

from medlens.studies.tagging.load_annotations import (
    ANNOTATIONS,
    Annotation,
    LoadedAnnotations,
    Report,
    SurveyAnswer,
    items_from_annotations,
    read_annotations,
)
from medlens.studies.tagging.load_items import (
    ITEMS,
    RESPONSES,
    NamedItem,
    read_items,
    read_responses,
)
from medlens.studies.tagging.load_labels import LABELS, ItemLabels, published_labels, read_labels

__all__ = [
    "ANNOTATIONS",
    "ITEMS",
    "LABELS",
    "RESPONSES",
    "Annotation",
    "ItemLabels",
    "LoadedAnnotations",
    "NamedItem",
    "Report",
    "SurveyAnswer",
    "items_from_annotations",
    "published_labels",
    "read_annotations",
    "read_items",
    "read_labels",
    "read_responses",
]
