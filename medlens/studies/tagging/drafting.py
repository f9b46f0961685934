"""A taxonomy drafted from the codes of open coding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from medlens.errors import InvalidInput
from medlens.review.spans import COLOURS, PATTERNS
from medlens.studies.tagging.taxonomy import KEYS, Label, Taxonomy


def draft_taxonomy(
    names: Sequence[str],
    *,
    id: str,
    title: str,
    examples: Mapping[str, str] | None = None,
    descriptions: Mapping[str, str] | None = None,
    non_errors: Collection[str] = (),
) -> Taxonomy:
    """A taxonomy with these labels, in this order, for a lead to complete.

    Ids are made from the names; keys 1 to 9 go to the first nine. ``examples`` has a quote for each
    label, ``descriptions`` what it means, ``non_errors`` the labels that exclude all others. The
    hints, and the definitions of labels without a description, say what to write. Raises
    InvalidInput if there are no labels or too many, or names that differ only in case or spacing.
    """
    labels: list[str] = [" ".join(name.split()) for name in names]
    folded = [label.casefold() for label in labels]
    if not labels or not all(labels):
        raise InvalidInput("A taxonomy needs at least one label, and each label a name.")
    if len(set(folded)) < len(folded):
        raise InvalidInput(
            "Some labels differ only in capital letters or spaces.", hint="Merge them first."
        )
    looks = len(COLOURS) * len(PATTERNS)
    if len(labels) > looks:
        raise InvalidInput(f"{len(labels)} labels cannot be told apart.", hint="Merge some first.")
    taken: set[str] = set()
    drafted: list[Label] = []
    for at, name in enumerate(labels):
        others = {other for other in folded if other != folded[at]}
        drafted.append(
            Label(
                id=_slug(name, taken | others),
                key=at + 1 if at + 1 in KEYS else 0,
                name=name,
                aliases=(),
                export_name=name,
                kind="non_error" if name in non_errors else "error",
                colour=COLOURS[at % len(COLOURS)],
                pattern=PATTERNS[(at + at // len(COLOURS)) % len(PATTERNS)],
                hint=f"{name}: say in one line when to use this label.",
                definition=(descriptions or {}).get(name, "").strip()
                or "Draft from open coding. Say what counts, and how to test for it.",
                not_when="",
                example=(examples or {}).get(name, "").strip(),
                example_reason="",
                requires_link=False,
                steps=(),
            )
        )
        taken.add(drafted[-1].id)
    return Taxonomy(
        id=_slug(id, set()),
        title=title.strip() or "Draft taxonomy",
        version="draft",
        labels=tuple(drafted),
        source="Open coding",
    )


def _slug(name: str, taken: Collection[str]) -> str:
    """An id of ASCII letters, digits and underscores that is not in ``taken``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not slug[:1].isalpha():
        slug = f"label_{slug}".rstrip("_")
    unique, number = slug, 2
    while unique in taken:
        unique, number = f"{slug}_{number}", number + 1
    return unique
