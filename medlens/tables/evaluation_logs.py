"""The rows of evaluation tools' logs, as a table of items: a row for each document or request.

Samples of lm-evaluation-harness (``samples_….jsonl``), logs of openai/evals, states of HELM's
scenarios (``scenario_state.json``), samples of Inspect, and results of OpenAI's and Anthropic's
batches.
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
    if {"instance", "request", "result"} <= value.keys() and _question_of_helm(value):
        return _rows_of_helm
    if {"id", "epoch", "input", "target", "messages", "output"} <= value.keys():
        return _rows_of_inspect
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


# -- HELM ------------------------------------------------------------------------------------------


def _part(value: Any, *names: str) -> Any:
    """What is in nested objects under these names, one below the other; None if one is not there"""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _question_of_helm(state: Mapping[str, Any]) -> str:
    """What a state of HELM asks, without the instructions and examples around it; the whole prompt
    if nothing else is there.
    """
    asked = _part(state, "instance", "input", "text") or _part(state, "request", "prompt")
    return asked if isinstance(asked, str) else ""


def _likelihood(state: Mapping[str, Any]) -> float:
    given = _part(_first(_part(state, "result", "completions")), "logprob")
    return given if isinstance(given, int | float) else float("-inf")


def _first(listed: Any) -> Any:
    return listed[0] if isinstance(listed, list) and listed else None


def _rows_of_helm(objects: Iterator[Found], name: str, notes: list[str]) -> Iterator[Found]:
    """A row for each instance of a HELM scenario: what was asked, what the model answered, and
    under ``reference`` what is right. Of options that were tried one by one, the likeliest counts.
    """
    states: dict[str, list[tuple[Found, Mapping[str, Any]]]] = {}
    for found in objects:
        state = found.value
        if not isinstance(state, Mapping) or not isinstance(state.get("instance"), Mapping):
            yield found
            continue
        parts = [
            str(_part(state, "instance", "id") or found.line),
            str(_part(state, "instance", "perturbation", "name") or ""),
            f"trial {state['train_trial_index']}" if state.get("train_trial_index") else "",
        ]
        states.setdefault(", ".join(filter(None, parts)), []).append((found, state))
    rows: list[tuple[Found, dict[str, Any]]] = []
    failed: list[str] = []
    several = 0
    for called, tried in states.items():
        options = [one for one in tried if one[1].get("request_mode") != "calibration"]
        by_option = [one for one in options if isinstance(one[1].get("reference_index"), int)]
        held = max(by_option, key=lambda one: _likelihood(one[1])) if by_option else None
        for at, (found, state) in enumerate([held] if held else options, 1):
            answer = _answer_of_helm(state)
            named = called if at == 1 else f"{called} ({at})"
            if not answer:
                failed.append(named)
                continue
            several += len(_part(state, "result", "completions") or ()) > 1
            rows.append((found, _helm_state_as_row(named, state, answer)))
    notes.append(
        f"{name}: results of HELM, a row for each instance with its question, the model's answer"
        " and, as 'reference', what is right. Left out: the prompts around the questions"
        " (instructions, examples), settings, tokens and times."
    )
    if failed:
        named = ", ".join(failed[:_NAMED]) + (", …" if len(failed) > _NAMED else "")
        got = "instance got no answer and is" if len(failed) == 1 else "instances got no answer and"
        are = "" if len(failed) == 1 else " are"
        notes.append(f"{name}: {len(failed):,} {got}{are} left out: {named}.")
    if several:
        got = "instance got" if several == 1 else "instances got"
        notes.append(
            f"{name}: {several:,} {got} more than one answer. Only the first of them is read."
        )
    for first, row in rows:
        yield _row(first, row)


def _answer_of_helm(state: Mapping[str, Any]) -> str:
    if _part(state, "result", "success") is False:
        return ""
    if isinstance(at := state.get("reference_index"), int):
        listed = _part(state, "instance", "references")
        option = listed[at] if isinstance(listed, list) and 0 <= at < len(listed) else None
        return str(_part(option, "output", "text") or "").strip()
    said = _part(_first(_part(state, "result", "completions")), "text")
    said = said.strip() if isinstance(said, str) else ""
    option = _part(state, "output_mapping", said)
    return f"{said}. {option}" if option else said


def _helm_state_as_row(called: str, state: Mapping[str, Any], answer: str) -> dict[str, Any]:
    listed = _part(state, "instance", "references")
    references = listed if isinstance(listed, list) else []
    right = [
        str(_part(one, "output", "text"))
        for one in references
        if "correct" in (_part(one, "tags") or ())
    ]
    options = _part(state, "output_mapping")
    chosen = bool(options) or isinstance(state.get("reference_index"), int)
    tried = [str(_part(one, "output", "text")) for one in references] if chosen else []
    return {
        "instance_id": called,
        "question": _question_of_helm(state),
        **({"options": "\n".join(tried)} if len(tried) > 1 else {}),
        # Beside options an "answer" would be taken for the one that is right.
        **({"model_answer": answer} if chosen else {"answer": answer}),
        "reference": "\n".join(right),
        "split": _part(state, "instance", "split"),
        "model": _part(state, "request", "model") or _part(state, "request", "model_deployment"),
    }


# -- Inspect ---------------------------------------------------------------------------------------


def _rows_of_inspect(objects: Iterator[Found], name: str, notes: list[str]) -> Iterator[Found]:
    """A row for each sample of a log of Inspect: the dialogue, or what was asked and answered if
    it is no more than that; and under ``score`` what its scorers thought.
    """
    rows: list[tuple[Found, dict[str, Any]]] = []
    failed: list[str] = []
    for found in objects:
        sample = found.value
        if not isinstance(sample, Mapping) or "output" not in sample or "input" not in sample:
            yield found
            continue
        row = _inspect_sample_as_row(sample)
        if row is None:
            failed.append(str(sample.get("id")))
        else:
            rows.append((found, row))
    notes.append(
        f"{name}: samples of a log of Inspect, a row for each with what was asked and answered. To"
        " take over its scores as judgments, use it as a project of another tool (study"
        " from-inspect on the command line)."
    )
    if failed:
        named = ", ".join(failed[:_NAMED]) + (", …" if len(failed) > _NAMED else "")
        got = "sample has" if len(failed) == 1 else "samples have"
        are = "is" if len(failed) == 1 else "are"
        notes.append(f"{name}: {len(failed):,} {got} no answer and {are} left out: {named}.")
    for first, row in rows:
        yield _row(first, row)


def _inspect_sample_as_row(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    """A sample as a row; None if the model said nothing."""
    message = _part(_first(_part(sample, "output", "choices")), "message")
    answer = _words(_part(message, "content")) or _words(_part(sample, "output", "completion"))
    turns = [
        {key: part for key, part in one.items() if key not in _BESIDE_A_TURN}
        for one in sample["messages"] or ()
        if isinstance(one, Mapping)
    ]
    if not answer and not any(one.get("role") == "assistant" for one in turns):
        return None
    if answer and turns and turns[-1].get("role") != "assistant":
        turns.append({"role": "assistant", "content": answer})
    asked = sample["input"]
    plain = [one for one in turns if one.get("role") in ("user", "assistant")]
    # More than a question and its answer is read as the dialogue that it was.
    talked = len(plain) != len(turns) or len(turns) > 2 or not (answer and isinstance(asked, str))
    options = {"choices": sample["choices"]} if sample.get("choices") else {}
    said = {"input": asked, **options, "model_answer" if options else "answer": answer}
    called = sample["id"] if sample["epoch"] == 1 else f"{sample['id']} ({sample['epoch']})"
    return {
        "id": called,
        **({"messages": turns} if talked and turns else said),
        "target": sample["target"],
        "model": _part(sample, "output", "model"),
        "score": sample.get("scores") or {},
        "metadata": sample.get("metadata") or {},
    }


_BESIDE_A_TURN = frozenset(["id", "model", "source", "metadata", "internal"])
"""What Inspect keeps of a turn beside what was said in it."""
