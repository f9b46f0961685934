"""Tokens and money: what a call cost, and what a batch will cost before it starts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medlens.config.settings import Model
from medlens.llm.model_request_messages_and_hash import ModelRequest

if TYPE_CHECKING:
    from medlens.llm.client import Reply

_CHARACTERS_PER_TOKEN = 4.0
_BEYOND_ASCII_PER_TOKEN = 1.5
_PER_IMAGE = 1000
_PER_MESSAGE = 4
USUAL_ANSWER = 500
"""Tokens of an answer whose length nobody knows yet."""


def estimate_tokens_from_length(length: int, beyond_ascii: int = 0) -> int:
    """The number of tokens in a text, estimated from its length in code points, to within about a
    third.

    Four ASCII characters per token, which fits English; 1.5 for other characters.
    """
    plain = (length - beyond_ascii) / _CHARACTERS_PER_TOKEN
    return math.ceil(plain + beyond_ascii / _BEYOND_ASCII_PER_TOKEN)


def estimate_request_tokens(request: ModelRequest) -> int:
    """The number of tokens in a request, estimated from its length, with 1,000 per image."""
    text = estimate_tokens_from_length(request.text_length, request.beyond_ascii)
    return text + _PER_MESSAGE * len(request.messages) + _PER_IMAGE * request.images


_SURE_TOKENS = 600
_LEAST_SHARE = 0.45
_SURE_TOKENS_OF_ALL_BUT_LOST = 150
_ALL_BUT_LOST = 0.15


def was_prompt_cut(request: ModelRequest, reply: Reply) -> bool:
    """Whether the endpoint seems to have read only a part of a request: it counts less than 45 % of
    the tokens that its length lets expect; of a short request, less than 15 %.

    Servers with a small window drop the beginning of a long prompt without a word. The estimate is
    right to within a third; very short requests, and those with images, are not judged.
    """
    expected = estimate_request_tokens(request)
    if request.images or reply.tokens_estimated or expected < _SURE_TOKENS_OF_ALL_BUT_LOST:
        return False
    least = _LEAST_SHARE if expected >= _SURE_TOKENS else _ALL_BUT_LOST
    return 0 < reply.input_tokens < least * expected


def price_of_tokens(
    model: Model, input_tokens: float, output_tokens: float, *, batch: bool = False
) -> float | None:
    """What tokens cost, None if a price is unknown."""
    if model.input_price is None or model.output_price is None:
        return None
    cost = (input_tokens * model.input_price + output_tokens * model.output_price) / 1e6
    return cost * model.batch_price if batch else cost


def format_money(amount: float) -> str:
    """An amount as shown: two decimals, or four if it is small."""
    if amount >= 1 or amount == 0:
        return f"{amount:,.2f}"
    if amount < 0.0001:
        return "under 0.0001"
    shown = f"{amount:.4f}".rstrip("0")
    return shown.ljust(4, "0")


@dataclass(frozen=True)
class Planned:
    """Planned calls of one model: how many, and the average tokens of one of them.

    ``most`` if a conversation may end before all of them are made; ``likely`` is then the number
    expected from experience with such conversations, None if there is none.
    """

    name: str
    calls: int
    input_tokens: float
    output_tokens: float = USUAL_ANSWER
    most: bool = False
    likely: float | None = None


@dataclass(frozen=True)
class CostForecast:
    """What a batch is expected to take. ``cost`` leaves out the models in ``unpriced``.

    With ``most`` it is an upper limit; ``likely`` is then the expected number of calls, None if it
    is unknown.
    """

    calls: int
    stored: int
    input_tokens: int
    output_tokens: int
    cost: float
    unpriced: tuple[str, ...]
    most: bool = False
    likely: int | None = None

    def forecast_in_words(self) -> str:
        """The forecast in a sentence or two, for the person who decides."""
        text = f"{self.calls:,} calls"
        if self.most:
            text = f"At most {text}, {self.likely_share_of_calls_in_words()}"
        if self.stored:
            text += f" ({self.stored:,} more are stored and cost nothing)"
        text += (
            f", about {self.input_tokens:,} tokens in and {self.output_tokens:,} out,"
            " estimated by length"
        )
        if self.calls and self.unpriced:
            text += f"; no price is set for {', '.join(self.unpriced)}"
        if self.cost or not self.unpriced:
            text += f"; {'at most' if self.most else 'about'} {format_money(self.cost)}"
        return f"{text}."

    def likely_share_of_calls_in_words(self) -> str:
        """How many of the calls are expected, if not all of them are certain."""
        if self.likely is None:
            return "fewer where a conversation ends early"
        return f"about {self.likely:,} by how long such conversations were so far"


def forecast_cost(
    planned: Iterable[Planned], models: Mapping[str, Model], *, stored: int = 0, batch: bool = False
) -> CostForecast:
    """Add up planned calls; ``stored`` ones are already answered and cost nothing."""
    calls, into, out, cost = 0, 0.0, 0.0, 0.0
    unpriced: list[str] = []
    several = tuple(planned)
    for one in several:
        calls += one.calls
        into += one.calls * one.input_tokens
        out += one.calls * one.output_tokens
        each = price_of_tokens(models[one.name], one.input_tokens, one.output_tokens, batch=batch)
        if each is not None:
            cost += one.calls * each
        elif one.name not in unpriced:
            unpriced.append(one.name)
    open_ended = [one for one in several if one.most]
    known = all(one.likely is not None for one in open_ended)
    likely = sum(one.calls if one.likely is None else one.likely for one in several)
    return CostForecast(
        *(calls, stored, round(into), round(out), cost, tuple(unpriced)),
        most=bool(open_ended),
        likely=round(likely) if open_ended and known else None,
    )


def sum_of_forecasts(several: Iterable[CostForecast]) -> CostForecast:
    """The forecasts of several steps as one."""
    each = list(several)
    return CostForecast(
        sum(one.calls for one in each),
        sum(one.stored for one in each),
        sum(one.input_tokens for one in each),
        sum(one.output_tokens for one in each),
        sum(one.cost for one in each),
        tuple(dict.fromkeys(name for one in each if one.calls for name in one.unpriced)),
        most=any(one.most for one in each),
        likely=_likely(each),
    )


def _likely(each: list[CostForecast]) -> int | None:
    unsure = [one for one in each if one.most]
    if not unsure or any(one.likely is None for one in unsure):
        return None
    return sum(one.calls if one.likely is None else one.likely for one in each)


class SpendingBudget:
    """What a run has spent and what its open calls may still cost.

    An answer is assumed to be ``max_tokens`` long if that is set, or else as long as the longest of
    that model so far. So the cap is exceeded only by answers longer than all before them.
    """

    def __init__(self, *, spent: float, cap: float | None) -> None:
        self.spent = spent
        self.cap = cap
        self.open = 0.0
        self._longest: dict[str, int] = {}

    def largest_cost_of_next_call(self, request: ModelRequest) -> float:
        """What the next call of this request may cost; 0 if the price is unknown."""
        limits = (request.parameters.get(key) for key in ("max_tokens", "max_completion_tokens"))
        limit = next((one for one in limits if isinstance(one, int)), None)
        answer = limit or self._longest.get(request.name, USUAL_ANSWER)
        return price_of_tokens(request.settings, estimate_request_tokens(request), answer) or 0.0

    def does_call_fit_under_cap(self, expected: float) -> bool:
        """Whether a call may be made under the cap."""
        return self.cap is None or self.spent + self.open + expected <= self.cap

    def count_paid_call(self, name: str, output_tokens: int, cost: float | None) -> None:
        """Count a call that was paid for."""
        self._longest[name] = max(self._longest.get(name, 0), output_tokens)
        self.spent += cost or 0.0
