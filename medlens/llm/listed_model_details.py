"""What an endpoint's list of models says of one of them: how much it takes, and what it costs.

OpenAI's own list has neither. Routers and servers that people run themselves do, under names of
their own; those of OpenRouter, vLLM, SGLang, LM Studio, Together and Groq are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_CONTEXT = (
    *("context_length", "max_model_len", "context_window", "max_context_length"),
    *("loaded_context_length", "max_input_tokens", "context_size"),
)
_MOST_CONTEXT = 100_000_000


@dataclass(frozen=True)
class Listed:
    """``context`` in tokens, 0 if it is not said; prices per million tokens, None if not."""

    context: int = 0
    input_price: float | None = None
    output_price: float | None = None


def read_listing_of_model(listing: Any, model: str) -> Listed:
    """What a reply to ``GET /models`` says of a model; nothing if it does not have it."""
    data = listing.get("data") if isinstance(listing, dict) else listing
    for one in data if isinstance(data, list) else ():
        if isinstance(one, dict) and model in (one.get("id"), one.get("name")):
            return Listed(_context(one), *_prices(one.get("pricing")))
    return Listed()


def _context(one: Mapping[str, Any]) -> int:
    top = one.get("top_provider")
    for place in (one, top if isinstance(top, dict) else {}):
        for name in _CONTEXT:
            value = place.get(name)
            if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MOST_CONTEXT:
                return value
    return 0


def _prices(pricing: Any) -> tuple[float | None, float | None]:
    """OpenRouter's prices are per token, as texts; Together's per million, as numbers."""
    if not isinstance(pricing, dict):
        return None, None
    if "prompt" in pricing:
        return _per_million(pricing.get("prompt")), _per_million(pricing.get("completion"))
    both = pricing.get("input"), pricing.get("output")
    into, out = (float(one) if isinstance(one, int | float) else None for one in both)
    return into, out


def _per_million(value: Any) -> float | None:
    try:
        price = float(value) * 1e6
    except (TypeError, ValueError):
        return None
    return round(price, 6) if 0 <= price < 1e6 else None
