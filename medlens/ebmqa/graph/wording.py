"""How questions and their options are worded: our own templates, one for each QA type.

The options follow the paper's style ("Between 5% and 54%").
"""

from __future__ import annotations

from decimal import Decimal

from medlens.ebmqa.models import SEMANTIC_TYPE

INSTRUCTION = {
    "numeric": "Choose the one option that fits the published evidence best.",
    "semantic": "Choose every option that is correct; there may be one or several.",
}
"""What stands under a question; it counts towards its length."""

TEMPLATES = {
    "Sensitivity": "among patients with {source}, what share has {target}?",
    "Specificity": "among patients without {source}, what share does not have {target}?",
    "PPV": "on finding {target}, how likely is {source}?",
    "NPV": "without {target}, how likely is it that {source} is absent?",
    "Prevalence": "how common is {what} {group}?",
    "Incidence": "within a year, what share newly develops {what} {group}?",
    "Association": "how often does {target} occur together with {source}?",
    "Relative risk": "how is the chance of {target} changed by {source}?",
    "Risk factor": "with {source} as a risk factor, how does the chance of developing {target}"
    " change?",
    "Associated risk": "how does the chance of {target} differ in the presence of {source}?",
    "PLR": "how does finding {target} change the odds of {source}?",
    "NLR": "how does the absence of {target} change the odds of {source}?",
    SEMANTIC_TYPE: "what is the {relation} of {source}? Options within 10% of the highest"
    " count as well.",
}
"""By QA type, as they stand behind a background; alone they begin with a capital.

The source is the disorder, the target its sign; of a risk the source is what changes it. No verb
depends on whether a name is singular or plural.
"""

GROUPS = {"population": "in", "disorder": "among patients with", "": "given"}
"""What stands before the group that a share is counted in, by its type; the last serves for the
others. Its own template has {group} for it, and {what} for what is counted."""

BACKGROUND = {"population": "In {}: ", "": "Given {}: "}
"""What stands before a question, by the type of its background; the last serves for the others."""

FOREMOST = (
    "most",
    "least",
    "main",
    "chief",
    "leading",
    "commonest",
    "typical",
    "usual",
    "likeliest",
)
"""A relation that begins with one of these says itself that the foremost is asked for."""

ASKS_FOR = "most common "
"""Stands before any other relation: location, subtype, age group."""


def number(value: float) -> str:
    """A number as it stands in an option: up to ten digits that count, never with an exponent."""
    text = f"{Decimal(f'{value:.10g}'):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def share_options(low: float | None, high: float) -> list[str]:
    """The options of a share from high to low; ``low`` is None where nothing can be lower.

    ``low`` and ``high`` bound the middle, which they belong to.
    """
    upper = f"{number(100 * high)}%"
    if low is None:
        return [f"Greater than {upper}", f"Between 0% and {upper}"]
    lower = f"{number(100 * low)}%"
    middle = f"Between {lower} and {upper}" if low < high else f"Exactly {upper}"
    return [f"Greater than {upper}", middle, f"Less than {lower}"]


def ratio_options(below: float | None, above: float | None, *, what: str = "chance") -> list[str]:
    """The options of a ratio from high to low, by the medians of its values on each side of 1.

    A side without values (None) gives no options. The ranges stop at 0.99 and 1.01, or at 1 where
    the median itself lies closer to it. ``what`` changes: the chance, or the odds.
    """
    options = []
    if above is not None:
        start = "1.01" if above > 1.01 else "1"
        options += [
            f"Increases the {what} by more than {number(above)} times",
            f"Increases the {what} by between {start} and {number(above)} times",
        ]
    if below is not None:
        end = "0.99" if below < 0.99 else "1"
        options += [
            f"Decreases the {what} to between {number(below)} and {end} times",
            f"Decreases the {what} to less than {number(below)} times",
        ]
    return options


def words(text: str) -> int:
    """How many words a text has."""
    return len(text.split())
