"""The prompts for answering EBMQA's questions. Our own wording; stored with each run.

Avnat et al. 2024 compared prompts before choosing one; here a prompt study is four orders of the
options, each with or without the option "I do not know". If you change a text, change its version
too: the version is part of a run's configuration.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from medlens.llm import Message, make_system_message, make_user_message
from medlens.studies.ebmqa.records import IDK

VERSION = "ebmqa-2"

# The first version's: the order in which a question's options were shuffled stays.
_ORDERS_OF = "ebmqa-1"

Order = Literal["given", "reversed", "rotated", "shuffled"]
ORDERS: tuple[Order, ...] = get_args(Order)

ROLE = (
    "You are a physician with a thorough knowledge of the published evidence in medicine. You"
    " answer a multiple-choice question about it."
)
ONE = "Exactly one of the options is right. Reply with its number and nothing else."
SEVERAL = (
    "One or more of the options are right, but not all of them. Reply with the numbers of all that"
    " are right, separated by commas, and nothing else."
)
IF_UNSURE = f"If you are not certain enough to answer, choose “{IDK}”."

PARAMETERS = {"temperature": 0, "max_tokens": 300}


class ChosenOptions(BaseModel):
    """The form of an answer for endpoints that take a schema: the numbers of the options."""

    model_config = ConfigDict(title="ChosenOptions")

    answer: list[int]


@dataclass(frozen=True)
class PromptVariant:
    """One way of asking a question. ``idk``: whether the last option is "I do not know"."""

    order: Order = "given"
    idk: bool = True

    @property
    def name_in_answers(self) -> str:
        """The variant's name in answers, such as ``given+idk``."""
        return f"{self.order}+idk" if self.idk else self.order

    def list_option_positions_as_shown(self, count: int, question: str) -> tuple[int, ...]:
        """The positions of the options in the order shown.

        ``shuffled`` differs between questions, but is always the same for one question.
        """
        places = list(range(count))
        if self.order == "reversed":
            places.reverse()
        elif self.order == "rotated":
            places = places[1:] + places[:1]
        elif self.order == "shuffled":
            random.Random(f"{_ORDERS_OF}:{question}").shuffle(places)
        return tuple(places)


USUAL = PromptVariant()
STUDY: tuple[PromptVariant, ...] = tuple(
    PromptVariant(order, idk) for idk in (True, False) for order in ORDERS
)
"""The prompt study: every way of putting a question."""


def messages_asking_question(
    question: str, options: Sequence[str], *, several: bool, idk: bool
) -> tuple[Message, ...]:
    """A question with its options in the given order, numbered from 1."""
    shown = [*options, IDK] if idk else list(options)
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(shown, 1))
    task = f"{SEVERAL if several else ONE}{f' {IF_UNSURE}' if idk else ''}"
    return make_system_message(ROLE), make_user_message(f"{question}\n\n{listed}\n\n{task}")
