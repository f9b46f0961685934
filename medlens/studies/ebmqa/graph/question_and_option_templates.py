"""The wording of questions and options: our own templates, one for each QA type.

The options follow the paper's style ("Between 5% and 54%").
"""

from __future__ import annotations

from decimal import Decimal

from medlens.studies.ebmqa.records import SEMANTIC_TYPE

INSTRUCTION = {
    "numeric": "Choose the one option that fits the published evidence best.",
    "semantic": "Choose every option that is correct; there may be one or several.",
}
"""What stands under a question; it counts towards its length."""

TEMPLATES = {
    "Sensitivity": "what proportion of patients with {source} have {target}?",
    "Specificity": "what proportion of patients without {source} do not have {target}?",
    "PPV": "what is the probability of {source} in a patient with {target}?",
    "NPV": "what is the probability that a patient without {target} does not have {source}?",
    "Prevalence": "what is the prevalence of {what} {group}?",
    "Incidence": "what is the annual incidence of {what} {group}?",
    "Association": "what proportion of patients with {source} also have {target}?",
    "Relative risk": "what is the effect of {source} on the chance of {target}?",
    "Risk factor": "what is the effect of {source}, as a risk factor, on the chance of developing"
    " {target}?",
    "Associated risk": "how does the presence of {source} change the chance of {target}?",
    "PLR": "how does finding {target} change the odds of {source}?",
    "NLR": "how does the absence of {target} change the odds of {source}?",
    SEMANTIC_TYPE: "what is the {relation}{source}? Options within 10% of the highest are also"
    " correct.",
}
"""By QA type, as they stand behind a background; alone they begin with a capital.

The source is the disorder, the target its sign; of a risk the source is what changes it. No verb
depends on whether a name is singular or plural.
"""

GROUPS = {
    "population": "in",
    **dict.fromkeys(("disorder", "sign", "laboratory", "imaging"), "in patients with"),
    "": "given",
}
"""What stands before the group that a share is counted in, by its type; the last serves for the
others. Its own template has {group} for it, and {what} for what is counted."""

BACKGROUND = {"population": "In {}, ", "disorder": "In patients with {}, ", "": "Given {}, "}
"""What stands before a question, by the type of its background; the last serves for the others."""

WITHIN = ("tests?", "findings?", "results?", "groups?", "sex", "gender")
"""A relation that ends with one of these is asked "in" the source, any other "of" it."""

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


def format_number(value: float) -> str:
    """A number as shown in an option: up to ten significant digits, never with an exponent."""
    text = f"{Decimal(f'{value:.10g}'):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def make_percentage_options(low: float | None, high: float) -> list[str]:
    """The options of a share from high to low; ``low`` is None if nothing can be lower.

    ``low`` and ``high`` bound the middle range, inclusively.
    """
    upper = f"{format_number(100 * high)}%"
    if low is None:
        return [f"Greater than {upper}", f"Between 0% and {upper}"]
    lower = f"{format_number(100 * low)}%"
    middle = f"Between {lower} and {upper}" if low < high else f"Exactly {upper}"
    return [f"Greater than {upper}", middle, f"Less than {lower}"]


def make_ratio_options(
    below: float | None, above: float | None, *, what: str = "chance"
) -> list[str]:
    """The options of a ratio from high to low, by the medians of its values on each side of 1.

    A side without values (None) gives no options. The ranges stop at 0.99 and 1.01, or at 1 if the
    median itself is closer to 1. ``what`` is what changes: the chance, or the odds.
    """
    options = []
    it = "they were" if what == "odds" else "it was"
    if above is not None:
        start = "1.01" if above > 1.01 else "1"
        options += [
            f"Increases the {what} more than {format_number(above)} times",
            f"Increases the {what} between {start} and {format_number(above)} times",
        ]
    if below is not None:
        end = "0.99" if below < 0.99 else "1"
        options += [
            f"Decreases the {what} to between {format_number(below)} and {end} of what {it}",
            f"Decreases the {what} to less than {format_number(below)} of what {it}",
        ]
    return options


def count_words(text: str) -> int:
    """The number of words in a text."""
    return len(text.split())
