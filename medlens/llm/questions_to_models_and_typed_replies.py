"""How a job talks to models: ``await ask(name, messages)``, with or without a shape for the
answer.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ValidationError

from medlens.config.settings import Model
from medlens.deferred_regex import compile_later
from medlens.llm.cached_completions import Completion
from medlens.llm.lenient_answer_parsing import (
    is_key_for_unfinished_answer,
    name_of_only_choice_field,
    option_named_by_words,
    options_of_field_type,
    read_value_leniently,
)
from medlens.llm.model_request_messages_and_hash import (
    Message,
    ModelRequest,
    make_assistant_message,
    make_user_message,
    prepare_request,
    texts_of_message,
)
from medlens.llm.words_allowed_around_verdict import Surrounded, first_words_that_may_spoil_verdict

Mode = Literal["schema", "object", "text"]
_BEGINNING = compile_later(r'\{(?=\s*["}])')
_ESCAPED_OBJECT = compile_later(r"\{\s*&(?:quot|#34|#x22);")
_STARTS = 200
_LONGEST_PROBLEM = 1000
# Strict decoding does not support these; the answer is checked against them all the same.
_NOT_STRICT = frozenset({"title", "default", "minLength", "maxLength", "examples"})


class Unreadable(Exception):
    """A text without a value of the requested type; says why, for the model to read."""


def build_response_format(shape: type[BaseModel], mode: Mode) -> dict[str, Any] | None:
    """What the request says about the answer's form; None if the endpoint accepts nothing."""
    if mode == "schema":
        return {
            "type": "json_schema",
            "json_schema": {
                "name": shape.__name__,
                "strict": True,
                "schema": strict_json_schema_of_type(shape),
            },
        }
    return {"type": "json_object"} if mode == "object" else None


def add_schema_instruction(
    messages: Sequence[Message], shape: type[BaseModel], mode: Mode
) -> list[Message]:
    """The messages, with the schema in words if the endpoint cannot be given it."""
    if mode == "schema":
        return list(messages)
    schema = json.dumps(strict_json_schema_of_type(shape), ensure_ascii=False)
    said = "Answer with one JSON object and nothing else. It must fit this JSON schema:\n" + schema
    return [*messages, make_user_message(said)]


@lru_cache(maxsize=64)
def strict_json_schema_of_type(shape: type[BaseModel]) -> dict[str, Any]:
    """A type's JSON schema for strict decoding: every field required, no others allowed."""
    made = _strict(shape.model_json_schema())
    assert isinstance(made, dict)
    return made


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(one) for one in node]
    if not isinstance(node, dict):
        return node
    found = {
        key: {name: _strict(one) for name, one in value.items()}
        if key in ("properties", "$defs") and isinstance(value, Mapping)
        else _strict(value)
        for key, value in node.items()
        if key not in _NOT_STRICT
    }
    if "properties" in found:
        found["additionalProperties"] = False
        found["required"] = list(found["properties"])
    return found


def parse_reply_as_type(text: str, shape: type[BaseModel]) -> BaseModel:
    """The value of type ``shape`` in ``text``: alone, in a code fence, or with harmless words
    around it (``words_allowed_around_verdict``). What a model thought was taken off before.

    No answer is: an object with any other words around it, for these may take it back; one that
    breaks off; several that differ; one that answers the same field twice, differently.

    Raises:
        Unreadable: there is none; says what is wrong with the closest one.
    """
    return parse_reply_as_type_and_say_how(text, shape)[0]


def parse_reply_as_type_and_say_how(
    text: str, shape: type[BaseModel], *, material: Sequence[str] = ()
) -> tuple[BaseModel, str]:
    """``parse_reply_as_type``, and by which rule it was read, in words.

    ``material`` are texts that the question was about: an explanation may use their words.

    Raises:
        Unreadable: as ``parse_reply_as_type``.
    """
    whole = _unquoted(text.strip().lstrip("\ufeff"))
    objects, broken_off = _objects(whole)
    if broken_off:
        problem = "its last JSON object breaks off" if objects else "it holds no JSON object"
        raise Unreadable(problem)
    for value, *_ in objects:
        if isinstance(value, _TwoAnswers):
            raise Unreadable(f"it gives {value.field!r} twice, with different values")
    before, *around = _between(whole, objects)
    try:
        made, rule = _made(objects, shape), "a JSON object"
    except Unreadable:
        lenient = read_value_leniently(whole, [value for value, *_ in objects], shape)
        if lenient is None:
            raise
        made, rule = lenient.value, lenient.rule
        if not objects:
            before, around = "", list(lenient.around)
    for value, *_ in objects[:-1]:
        if (other := _meant(value, shape)) is not None and other != made:
            raise Unreadable("it holds two objects that differ")
        if other is None:
            raise Unreadable("it holds several objects, not all of them of the form asked for")
    if objects and (second := _second_answer(objects[-1][0], made)):
        raise Unreadable(f"its field {second!r} says something else than its answer")
    if spoiling := first_words_that_may_spoil_verdict(
        around, _surrounded(made, material), before=before
    ):
        raise Unreadable(
            f"beside its answer{_in_words(made)} it holds words that may change it: “{spoiling}”"
        )
    return made, rule


def _between(whole: str, objects: Sequence[tuple[dict[str, Any], int, int]]) -> list[str]:
    """The texts before, between and behind objects."""
    ends = [0, *(end for *_, end in objects)]
    begins = [*(begin for _, begin, _ in objects), len(whole)]
    return [whole[end:begin] for end, begin in zip(ends, begins, strict=True)]


def _surrounded(made: BaseModel, material: Sequence[str]) -> Surrounded:
    shape = type(made)
    choice = name_of_only_choice_field(shape)
    answer = str(getattr(made, choice)) if choice else ""
    options = options_of_field_type(shape.model_fields[choice].annotation) if choice else ()
    own = tuple(text for text in made.__dict__.values() if isinstance(text, str))
    return Surrounded(
        answer=answer,
        field=choice or "",
        means=lambda words: option_named_by_words(words, shape),
        own=own,
        material=tuple(material),
        others=tuple(one for one in options if one != answer),
    )


def _in_words(made: BaseModel) -> str:
    choice = name_of_only_choice_field(type(made))
    return f" ({choice}: {getattr(made, choice)})" if choice else ""


# Fields that nobody asked for, in which a model may take back what it answers.
_OF_A_CHANGE = compile_later(
    r"correct|revis|final|note|comment|caveat|status|warn|errat|override|update|remark|disclaim"
    r"|valid|retract|actual",
    re.IGNORECASE,
)


def _second_answer(given: Mapping[str, Any], made: BaseModel) -> str:
    """The name of a further field in an object that gives another answer; empty if none does."""
    shape = type(made)
    choice = name_of_only_choice_field(shape)
    if choice is None:
        return ""
    answer = str(getattr(made, choice))
    for key, value in given.items():
        if key in shape.model_fields:
            continue
        if isinstance(value, bool):
            if (value and is_key_for_unfinished_answer(key)) or (
                not value and _OF_A_CHANGE.search(key)
            ):
                return key
        elif isinstance(value, str) and value.strip():
            meant = option_named_by_words(value, shape)
            if meant is not None and meant != answer:
                return key
            if _OF_A_CHANGE.search(key) and first_words_that_may_spoil_verdict(
                [value], _surrounded(made, ())
            ):
                return key
    return ""


def _unquoted(whole: str) -> str:
    """A text that was sent as JSON's text in quotes, without them, or escaped for a web page."""
    if '"' not in whole and _ESCAPED_OBJECT.search(whole):
        whole = html.unescape(whole).strip()
    if len(whole) > 1 and whole[0] == whole[-1] == '"':
        try:
            inner = json.loads(whole)
        except ValueError:
            return whole
        return str(inner).strip()
    return whole


def _made(objects: Sequence[tuple[dict[str, Any], int, int]], shape: type[BaseModel]) -> BaseModel:
    if not objects:
        raise Unreadable("it holds no JSON object")
    return _validated(objects[-1][0], shape)


def _meant(value: dict[str, Any], shape: type[BaseModel]) -> BaseModel | None:
    """What an object means, in whatever form it is; None if nothing of this shape."""
    try:
        return _validated(value, shape)
    except Unreadable:
        lenient = read_value_leniently("", [value], shape)
        return lenient.value if lenient else None


def _validated(value: dict[str, Any], shape: type[BaseModel]) -> BaseModel:
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        inner = next(iter(value.values())) if len(value) == 1 else None
        if isinstance(inner, dict) and is_key_for_unfinished_answer(next(iter(value))):
            inner = None
        if isinstance(inner, dict) and _fits(inner, shape):
            return shape.model_validate(inner)
        raise Unreadable(_problem(error)) from None


def _fits(value: dict[str, Any], shape: type[BaseModel]) -> bool:
    try:
        shape.model_validate(value)
    except ValidationError:
        return False
    return True


class _TwoAnswers(dict[str, Any]):
    """An object with a field that stands in it twice, with different values."""

    field = ""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    different = [name for name, value in pairs if made[name] != value]
    if not different:
        return made
    twice = _TwoAnswers(made)
    twice.field = different[0]
    return twice


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_pairs)


def _objects(whole: str) -> tuple[list[tuple[dict[str, Any], int, int]], bool]:
    """The JSON objects in a text with where each begins and ends, in order, a limited number; and
    whether one that breaks off stands behind the last.
    """
    found: list[tuple[dict[str, Any], int, int]] = []
    at = tries = 0
    broken_off = False
    while tries < _STARTS and (begin := _BEGINNING.search(whole, at)):
        tries += 1
        value = _decoded(whole, begin.start())
        at = begin.end() if value is None else value[1]
        # What cannot be read inside a text in braces is no answer that breaks off.
        broken_off = value is None and "}" not in whole[begin.start() :]
        if value is not None:
            found.append((value[0], begin.start(), value[1]))
    return found, broken_off


def _decoded(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def _problem(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return "; ".join(lines)[:_LONGEST_PROBLEM]


def make_messages_asking_for_correction(
    messages: Sequence[Message], text: str, problem: str
) -> list[Message]:
    """The conversation that asks a model, once, to correct its answer; one longer than any that can
    be right is not sent back.
    """
    said = [make_assistant_message(text)] if 0 < len(text.strip()) <= _LONGEST_SENT_BACK else []
    return [
        *messages,
        *said,
        make_user_message(
            f"That answer cannot be used: {problem}. Send the whole answer again as one JSON"
            " object of the form asked for, and nothing else."
        ),
    ]


_LONGEST_SENT_BACK = 200_000
Outcome = Literal["ok", "truncated", "refused", "empty", "parse_failed", "error"]


@dataclass(frozen=True)
class Answer:
    """The outcome of a question.

    ``outcome``: ``ok``; ``truncated`` (cut off by the token limit), ``refused`` (by the model or a
    content filter), ``empty`` (no text); ``parse_failed`` (not in the requested shape, even after
    one repair); ``error`` (no answer: the network, the endpoint, the account), which says nothing
    about the model. ``value`` is set for ``ok`` if a shape was requested. ``completions`` are the
    ids of the stored completions behind it, the last one being the one that counts. ``cost`` is
    that of the calls made now, None if a price is unknown.
    """

    outcome: Outcome
    text: str
    value: Any
    completions: tuple[str, ...]
    served_model: str
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
    repaired: bool = False
    error_class: str = ""
    error: str = ""

    @property
    def provenance_fields(self) -> dict[str, str]:
        """What a job keeps of the answer it rests on."""
        return {
            "completion": self.completions[-1] if self.completions else "",
            "served_model": self.served_model,
            "error_class": self.error_class,
            "error": self.error,
        }


def make_first_request_of_question(
    name: str,
    model: Model,
    messages: Sequence[Message],
    *,
    schema: type[BaseModel] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> ModelRequest:
    """The request that ``Ask`` makes first, for estimates and batch jobs."""
    given = dict(parameters or {})
    if schema is None:
        return prepare_request(name, model, messages, parameters=given)
    form = build_response_format(schema, model.json_mode)
    if form is not None:
        given["response_format"] = form
    said = add_schema_instruction(messages, schema, model.json_mode)
    return prepare_request(name, model, said, parameters=given)


class CompletionSource(Protocol):
    """Where a job gets its completions: from a batch, or from stored answers only."""

    def settings_of_model(self, name: str) -> Model: ...
    async def complete(self, request: ModelRequest, *, repeat: int) -> Completion: ...


class Ask:
    """A job's access to the models. Calls are made in the order in which the job awaits them.

    ``calls`` and ``cost`` count what the job asked and what that cost now; ``completions`` are the
    ids of the answers it got, in order; ``read_by`` says how each answer of a shape was read,
    or why it was not.
    """

    def __init__(self, completions: CompletionSource) -> None:
        self._completions = completions
        self.calls = 0
        self.cost = 0.0
        self.completions: list[str] = []
        self.read_by: list[str] = []
        self.last_was_stored = False
        """Whether the last answer was a whole one that had been stored before."""

    async def __call__(
        self,
        name: str,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None = None,
        repeat: int = 0,
        parameters: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Ask the model ``name``. The same question with another ``repeat`` is asked again.

        Raises:
            Stopped: the batch is ending; let this pass through.
            InvalidInput: the model is not part of the run, or cannot be asked this.
        """
        model = self._completions.settings_of_model(name)
        request = make_first_request_of_question(
            name, model, messages, schema=schema, parameters=parameters
        )
        first = await self._complete(request, repeat)
        if schema is None or first.outcome not in ("ok", "empty"):
            return _answer([first])
        try:
            return _answer([first], value=self._read(first.text, schema, messages))
        except Unreadable as error:
            problem = str(error)
        mended = prepare_request(
            name,
            model,
            make_messages_asking_for_correction(request.messages, first.text, problem),
            # This already includes the model's own parameters and the answer's format.
            parameters=request.parameters,
        )
        second = await self._complete(mended, repeat)
        if second.outcome != "ok":
            return _answer([first, second])
        try:
            return _answer([first, second], value=self._read(second.text, schema, messages))
        except Unreadable as error:
            return _answer([first, second], problem=str(error))

    def _read(self, text: str, schema: type[BaseModel], messages: Sequence[Message]) -> BaseModel:
        asked = [
            part for one in messages if one["role"] == "user" for part in texts_of_message(one)
        ]
        try:
            value, rule = parse_reply_as_type_and_say_how(text, schema, material=asked)
        except Unreadable as error:
            self.read_by.append(f"not read, since {error}")
            raise
        self.read_by.append(rule)
        return value

    async def _complete(self, request: ModelRequest, repeat: int) -> Completion:
        self.calls += 1
        done = await self._completions.complete(request, repeat=repeat)
        self.cost += (done.cost or 0.0) if done.paid else 0.0
        self.last_was_stored = bool(done.id) and not done.paid and done.outcome == "ok"
        if done.id:
            self.completions.append(done.id)
        return done


def _answer(
    done: Sequence[Completion], *, value: BaseModel | None = None, problem: str = ""
) -> Answer:
    last = done[-1]
    paid = [one for one in done if one.paid]
    costs = [one.cost for one in paid if one.cost is not None]
    times = [one.seconds for one in done if one.seconds is not None]
    outcome: Any = "parse_failed" if problem else "ok" if value is not None else last.outcome
    return Answer(
        outcome=outcome,
        text=last.text,
        value=value,
        completions=tuple(one.id for one in done if one.id),
        served_model=last.served_model,
        input_tokens=sum(one.input_tokens for one in done),
        output_tokens=sum(one.output_tokens for one in done),
        cost=sum(costs) if len(costs) == len(paid) else None,
        seconds=sum(times) if times else None,
        repaired=len(done) > 1,
        error_class=last.error_class or ("parse_failed" if problem else ""),
        error=last.error or problem,
    )
