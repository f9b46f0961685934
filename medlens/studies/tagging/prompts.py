"""The prompts of error tagging, in our own wording; stored with every run.

If you change a text, change its version too: the version is part of a run's configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    create_model,
    model_validator,
)

from medlens.llm import Message, make_system_message, make_user_message
from medlens.studies.tagging.taxonomy import Label, Taxonomy

ANSWER_VERSION = "answer-1"
ANSWER_ROLE = (
    "You are sitting a written examination for a medical licence (USMLE). Every question has"
    " several options, of which exactly one is correct."
)
ANSWER_TASK = (
    "Choose one option. Begin with a sentence of the form “The correct answer is X: …”, with the"
    " option's letter and text. Then explain step by step why it is correct, and for each of the"
    " other options why it is wrong."
)

TAG_VERSION = "tag-4"
TAG_ROLE = (
    "You are a physician who checks how a language model explained its answer to an examination"
    " question. The answer it chose is wrong. You mark every passage of its response that holds an"
    " error, and give each mark one or more labels of the guideline below."
)
TAG_RULES = (
    "Rules:\n"
    "- Quote the passage word for word from the response, long enough to occur only once in it.\n"
    "- Give labels by their id. Say in a sentence or two why each mark is right.\n"
    "- {exclusive}\n"
    "- {link}\n"
    "- Mark nothing in the question or in the options."
)
_EXCLUSIVE = (
    "A label marked [no error] excludes all others: give it alone, on the sentence that states the"
    " answer."
)
_LINK = (
    "For a label marked [needs a reference] name a publication or page that refutes the passage, in"
    " `link`, if you are certain that it exists; otherwise leave `link` empty."
)


def messages_asking_medqa_question(question: str, options: Mapping[str, str]) -> list[Message]:
    """A MedQA-style question with its options, by letter."""
    listed = "\n".join(f"{key}: {text}" for key, text in options.items())
    return [
        make_system_message(ANSWER_ROLE),
        make_user_message(f"{question}\n\nOptions:\n{listed}\n\n{ANSWER_TASK}"),
    ]


def tagging_instructions(taxonomy: Taxonomy) -> str:
    """The instructions for tagging a response: the labels' pages, then the rules.

    Without the taxonomy's title, which can name a model that did not write the response.
    """
    pages = "\n\n".join(map(_page, taxonomy.labels))
    rules = TAG_RULES.format(exclusive=_EXCLUSIVE, link=_LINK)
    return f"{pages}\n\n{rules}"


def _page(label: Label) -> str:
    signs = " [no error]" if label.kind == "non_error" else ""
    signs += " [needs a reference]" if label.requires_link else ""
    lines = [f"{label.id}{signs}: {label.name}. {label.definition.strip()}"]
    if label.not_when:
        lines.append(f"Not when: {label.not_when.strip()}")
    if label.example:
        lines.append(f"Example: {label.example.strip()}")
    if label.example_reason:
        lines.append(f"Because: {label.example_reason.strip()}")
    lines += [f"Check {number}: {step}" for number, step in enumerate(label.steps, 1)]
    return "\n".join(lines)


def marks_reply_shape(taxonomy: Taxonomy) -> type[BaseModel]:
    """What a model rater returns: ``marks`` (quote, reason, labels, link) and ``comment``.

    Labels are ids of the taxonomy (their names are understood too). Labels that break its
    exclusivity are refused, and the one repair prompt tells the model so.
    """

    def to_id(text: Any) -> str:
        label = taxonomy.find_label_by_any_name(text) if isinstance(text, str) else None
        if label is None:
            raise ValueError(f"{str(text)[:60]!r} is not a label of the guideline")
        return label.id

    ids = [label.id for label in taxonomy.labels]
    label_id = Annotated[
        str, BeforeValidator(to_id), WithJsonSchema({"type": "string", "enum": ids})
    ]
    mark = create_model(
        "Mark",
        __config__=ConfigDict(frozen=True),
        quote=(str, Field(min_length=1)),
        reason=(str, ""),
        labels=(list[label_id], Field(min_length=1)),
        link=(str, ""),
    )

    def exclusive(value: Any) -> Any:
        found = taxonomy.list_exclusivity_breaches_in_words(
            label for one in value.marks for label in one.labels
        )
        if found:
            raise ValueError(" ".join(found))
        return value

    checks: dict[str, Any] = {"exclusive": model_validator(mode="after")(exclusive)}
    return create_model(
        "ErrorMarks",
        __config__=ConfigDict(frozen=True),
        __validators__=checks,
        marks=(list[mark], Field(min_length=1)),
        comment=(str, ""),
    )
