"""The rows of evaluation tools' logs, as a table of items: a row for each document or request.

Samples of lm-evaluation-harness (``samples_….jsonl``), logs of openai/evals, and results of
OpenAI's and Anthropic's batches.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from medlens.tables.json_and_parquet_object_reader import Found
from medlens.tables.reshape_cases_and_models import remove_model_names_from_item_names

_NAMED = 5
_A_TEXT = 30
"""Characters from which on a cell is a text rather than a word."""


def rows_of_evaluation_log_or_objects(
    objects: Iterator[Found], name: str, notes: list[str], *, whole_names: bool = False
) -> Iterator[Found]:
    """The rows of a tool's log; of any other file its objects as they are. What was decided is
    added to ``notes``. With ``whole_names`` the names of a batch's requests keep the model in them.
    """
    first = next(objects, None)
    if first is None:
        return
    reader = _reader_of(first.value)
    if whole_names and reader is _rows_of_batch:
        reader = partial(_rows_of_batch, whole_names=True)
    rest = chain([first], objects)
    yield from reader(rest, name, notes) if reader else rest


_Reader = Callable[[Iterator[Found], str, list[str]], Iterator[Found]]


def _reader_of(value: Any) -> _Reader | None:
    if not isinstance(value, Mapping):
        return None
    if {"doc_id", "doc", "resps"} <= value.keys():
        return _rows_of_harness_samples
    if {"custom_id", "response"} <= value.keys() and _is_batch_response(value["response"]):
        return _rows_of_batch
    if "custom_id" in value and isinstance(value.get("result"), Mapping):
        return _rows_of_batch
    if isinstance(value.get("spec"), Mapping) and "eval_name" in value["spec"]:
        return _rows_of_evals_log
    if {"run_id", "event_id", "type", "data"} <= value.keys():
        return _rows_of_evals_log
    return None


def _row(found: Found, value: dict[str, Any]) -> Found:
    return Found(found.line, value, json.dumps(value, ensure_ascii=False, default=str))


# -- lm-evaluation-harness -------------------------------------------------------------------------

_OF_SAMPLES = frozenset(
    [
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    ]
)


def _rows_of_harness_samples(
    objects: Iterator[Found], name: str, notes: list[str]
) -> Iterator[Found]:
    """A row for each document: what the model was asked, what it answered, and under ``score`` what
    the harness thought of it, for each filter.
    """
    rows: dict[tuple[str, str], tuple[Found, dict[str, Any]]] = {}
    texts = Counter[str]()
    others: list[str] = []
    again = 0
    for found in objects:
        sample = found.value
        if not isinstance(sample, Mapping) or "doc_id" not in sample:
            yield found
            continue
        number = str(sample["doc_id"])
        key = number, json.dumps(sample.get("doc"), sort_keys=True, default=str)
        scores = {one: sample[one] for one in sample if one not in _OF_SAMPLES}
        called = str(sample.get("filter") or "none")
        if key in rows:
            again += 1
        else:
            rows[key] = (found, _sample_as_row(sample))
            texts[number] += 1
            if texts[number] > 1:
                # Every task begins to count anew.
                others.append(number)
                rows[key][1]["doc_id"] = f"{number} ({texts[number]})"
        held = rows[key][1]["score"]
        held[called] = {**scores, "extracted": _first_text(sample.get("filtered_resps"))}
    notes.append(
        f"{name}: samples of lm-evaluation-harness, a row for each document, with what it was asked"
        " and answered. Its scores are the columns under 'score'."
    )
    if again:
        are = "line repeats a document" if again == 1 else "lines repeat documents"
        notes.append(f"{name}: {again:,} {are} under another filter; each document is one row.")
    if others:
        have = "document has" if len(others) == 1 else "documents have"
        named = ", ".join(others[:_NAMED]) + (", …" if len(others) > _NAMED else "")
        each = "It is a row" if len(others) == 1 else "Each is a row"
        notes.append(
            f"{name}: {len(others):,} {have} the same number as another one with a different "
            f"text ({named}), as happens where files of several tasks are joined. {each} of its "
            f"own, such as"
            f" '{others[0]} (2)'."
        )
    for first, row in rows.values():
        yield _row(first, row)


def _sample_as_row(sample: Mapping[str, Any]) -> dict[str, Any]:
    asked = _arguments(sample.get("arguments"))
    prompt = asked[0][0] if asked else ""
    answer = _answer(asked, sample.get("resps"))
    option = _option_of_letter(sample.get("doc"), answer)
    # Beside options a letter under "answer" would be taken for the one that is right.
    said = {"model_answer": f"{answer}. {option}"} if option else {"answer": answer}
    return {
        "doc_id": sample["doc_id"],
        "prompt": prompt,
        **said,
        "target": sample.get("target"),
        "doc": _without_repeated_texts(sample.get("doc"), prompt),
        "score": {},
    }


def _option_of_letter(doc: Any, letter: str) -> str:
    """The words of the option that a document has under a letter; "" if it has none."""
    if not isinstance(doc, Mapping) or not (len(letter) == 1 and letter.isalpha()):
        return ""
    at = ord(letter.casefold()) - ord("a")
    given = [doc.get(f"op{letter.casefold()}"), doc.get(f"ending{at}"), doc.get(letter.upper())]
    for name in ("options", "choices", "endings"):
        listed = doc.get(name)
        if isinstance(listed, Mapping):
            given.append(listed.get(letter.upper(), listed.get(letter.casefold())))
            listed = listed.get("text")
        if isinstance(listed, list) and at < len(listed):
            given.append(listed[at])
    return next((one.strip() for one in given if isinstance(one, str) and one.strip()), "")


def _without_repeated_texts(doc: Any, prompt: Any) -> Any:
    """A document without the texts that the prompt repeats, which would be shown twice."""
    if not isinstance(doc, Mapping) or not isinstance(prompt, str):
        return doc
    return {
        name: cell
        for name, cell in doc.items()
        if not (isinstance(cell, str) and len(cell) >= _A_TEXT and cell.strip() in prompt)
    }


def _arguments(given: Any) -> list[list[Any]]:
    """What a model was given: for each request its arguments, the first of which is the prompt."""
    if isinstance(given, Mapping):
        given = [[*part.values()] if isinstance(part, Mapping) else part for part in given.values()]
    if not isinstance(given, list):
        return []
    return [part for part in given if isinstance(part, list) and part]


def _answer(asked: list[list[Any]], responses: Any) -> str:
    """The words of a model's answer; of several options the one that it held likeliest."""
    scores = _likelihoods(responses)
    if scores and len(scores) == len(asked) and all(len(part) > 1 for part in asked):
        best = max(range(len(scores)), key=scores.__getitem__)
        return str(asked[best][1]).strip()
    return _first_text(responses)


def _likelihoods(responses: Any) -> list[float]:
    found = []
    for response in responses if isinstance(responses, list) else []:
        pair = response[0] if isinstance(response, list) and response else None
        if not (isinstance(pair, list) and len(pair) == 2):
            return []
        try:
            found.append(float(pair[0]))
        except (TypeError, ValueError):
            return []
    return found if len(found) > 1 else []


def _first_text(value: Any) -> str:
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) else "" if value in (None, []) else str(value)


# -- batches ---------------------------------------------------------------------------------------


REQUESTS_ELSEWHERE = (
    "The questions are not in this file. If reviewers need them, give the batch's input file, which"
    " holds the requests, together with this one."
)


ANSWER_OF_A_BATCH = frozenset(("custom_id", "answer", "model", "finish_reason"))
"""The columns of a batch's answers, as they are read."""


def _is_batch_response(value: Any) -> bool:
    return value is None or (isinstance(value, Mapping) and "body" in value)


def _rows_of_batch(
    objects: Iterator[Found], name: str, notes: list[str], *, whole_names: bool = False
) -> Iterator[Found]:
    """A row for each request that was answered."""
    failed: list[str] = []
    several = 0
    rows: list[tuple[Found, dict[str, Any]]] = []
    for found in objects:
        value = found.value
        if not isinstance(value, Mapping) or "custom_id" not in value:
            yield found
            continue
        row = _batch_answer(value)
        if row is None:
            failed.append(str(value["custom_id"]))
            continue
        several += _has_several_answers(value)
        rows.append((found, {"custom_id": value["custom_id"], **row}))
    told_of_cases = "" if whole_names else name_cases_of_batch_alone([row for _, row in rows])
    for found, row in rows:
        yield _row(found, row)
    notes.append(f"{name} holds the answers of a batch, one in each row. {REQUESTS_ELSEWHERE}")
    if told_of_cases:
        notes.append(f"{name}: {told_of_cases}")
    if failed:
        named = ", ".join(failed[:_NAMED]) + (", …" if len(failed) > _NAMED else "")
        got = (
            "request got no answer and is" if len(failed) == 1 else "requests got no answer and are"
        )
        notes.append(f"{name}: {len(failed):,} {got} left out: {named}.")
    if several:
        got = "request got" if several == 1 else "requests got"
        notes.append(
            f"{name}: {several:,} {got} more than one answer. Only the first of them is read: to"
            " have all of them judged, make a table with a row for each answer."
        )


def name_cases_of_batch_alone(rows: Sequence[dict[str, Any]]) -> str:
    """Leave the case alone in each ``custom_id`` that holds the model too; says so, "" if not."""
    names = [str(row["custom_id"]) for row in rows]
    cases = remove_model_names_from_item_names(names, [str(row.get("model") or "") for row in rows])
    for row, case in zip(rows, cases, strict=bool(cases)):
        row["custom_id"] = case
    if not cases:
        return ""
    return (
        f"each custom_id names a case and a model, such as '{names[0]}'. Only the case is kept,"
        f" '{cases[0]}', so that the answers to one case are compared."
    )


def _body_of_batch_answer(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    held = value.get("response") or value.get("result")
    body = held.get("body", held.get("message")) if isinstance(held, Mapping) else None
    return body if isinstance(body, Mapping) else None


def _has_several_answers(value: Mapping[str, Any]) -> bool:
    """Whether a request asked for several answers at once, and got them."""
    choices = (_body_of_batch_answer(value) or {}).get("choices")
    return isinstance(choices, list) and len(choices) > 1


def _batch_answer(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """A request's first answer, its model and why it ended; None if there is no answer."""
    body = _body_of_batch_answer(value)
    if body is None:
        return None
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        first = choices[0]
        message = first.get("message")
        content = message.get("content") if isinstance(message, Mapping) else first.get("text")
        reason = first.get("finish_reason")
    else:
        content, reason = body.get("content", body.get("output")), body.get("stop_reason")
    words = _words(content)
    if not words:
        return None
    return {"answer": words, "model": body.get("model"), "finish_reason": reason}


def _words(content: Any) -> str:
    """The words of a content: a text, or parts that have text or content themselves."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join(filter(None, map(_words, content)))
    if isinstance(content, Mapping):
        return _words(content.get("text", content.get("content")))
    return ""


# -- openai/evals ----------------------------------------------------------------------------------


def _rows_of_evals_log(objects: Iterator[Found], name: str, notes: list[str]) -> Iterator[Found]:
    """A row for each sample: what the model was asked, what it answered, and under ``score`` what
    the evaluation recorded of it.
    """
    rows: dict[str, tuple[Found, dict[str, Any]]] = {}
    left = Counter[str]()
    model = ""
    for found in objects:
        event = found.value
        if found.problem:
            yield found
            continue
        if not isinstance(event, Mapping):
            left["lines that are no events"] += 1
            continue
        if isinstance(event.get("spec"), Mapping):
            functions = event["spec"].get("completion_fns") or event["spec"].get("model_name")
            model = _first_text(functions)
            continue
        sample, data = event.get("sample_id"), event.get("data")
        if sample is None or not isinstance(data, Mapping):
            left["reports and events of no sample"] += 1
            continue
        row = rows.setdefault(
            str(sample),
            (found, {"sample_id": str(sample), "prompt": "", "answer": "", "score": {}}),
        )[1]
        if event.get("type") == "sampling":
            if row["answer"]:
                left["further answers of a sample"] += 1
                continue
            row["prompt"] = data.get("prompt") or data.get("messages") or ""
            row["answer"] = _first_text(data.get("sampled") or data.get("completions"))
        elif event.get("type") != "raw_sample":
            row["score"] |= {
                key: part for key, part in data.items() if key not in ("sampled", "prompt")
            }
    answered = [(found, row) for found, row in rows.values() if row["answer"]]
    if lost := len(rows) - len(answered):
        left["samples without an answer"] += lost
    notes.append(f"{name}: a log of openai/evals, a row for each sample with its answer.")
    if left:
        each = ", ".join(f"{count:,} {what}" for what, count in left.items())
        notes.append(f"{name}: left out: {each}.")
    for found, row in answered:
        yield _row(found, {**row, "model": model} if model else row)
