"""The data dictionary of a store: what stands in each column of its tables, answers and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from medlens.config.settings import Settings
from medlens.review import guideline, items
from medlens.store import Store
from medlens.studies.registry import IMPORTS, STUDIES
from medlens.tables import Column
from medlens.tables.kinds import TYPES


def dictionary(store: Store, settings: Settings) -> Iterator[Sequence[str]]:
    """The rows of the data dictionary, the header first: of the store's tables, of the fields of
    judgments, of the answers of each dataset whose questions a file declares, and of the kinds of
    files."""
    yield ("of", "name", "column", "meaning", "type", "unit", "allowed")
    for table, columns in store.columns.items():
        for column, kind in columns.items():
            yield ("table", table, column, meaning(table, column), kind.lower(), "", "")
    for column, means in guideline.COLUMNS.items():
        yield ("guideline", "every task", column, means, "text", "", "")
    for name, study in STUDIES.items():
        for task in study.tasks(study.open(store, settings, "")):
            schema = task.value.model_json_schema()
            for field, one in schema.get("properties", {}).items():
                told = one.get("description", "") or task.question or _FIELDS.get(field, "")
                allowed = _allowed(one)
                kind = str(one.get("type") or one.get("anyOf") or "")
                yield (f"judgment ({name})", task.name, field, told, kind, "", allowed)
        for row in items.datasets(store, name):
            dataset = str(row["dataset"])
            for task in study.tasks(study.open(store, settings, dataset)):
                for column_ in task.columns:
                    yield _row(f"answers ({name}: {dataset})", task.name, column_)
    for kind, declared in IMPORTS.items():
        for column_ in declared.columns:
            yield _row("file", kind, column_)


def _row(of: str, name: str, one: Column) -> Sequence[str]:
    return (of, name, one.name, one.means, TYPES[one.type], one.unit, "; ".join(one.allowed))


def meaning(table: str, column: str) -> str:
    """What a column of a table of the store means; "" where nobody has said."""
    return _MEANS.get(f"{table}.{column}") or _MEANS.get(column, "")


def _allowed(field: Mapping[str, Any]) -> str:
    """The allowed words of a field of a judgment."""
    named = [field, *field.get("anyOf", ())]
    return "; ".join(str(word) for one in named for word in one.get("enum", ()))


_FIELDS = {
    "version": "the version of the study's file that it answers",
    "answers": "the answers by the ids of the questions",
    "order": "the arms in the order in which the rater saw them",
    "spans": "the marks: where, the words, their labels, and answers about each",
}
_MEANS = {
    "id": "the row's own id, made once",
    "seq": "the order in which rows were added",
    "made_at": "when it was added (UTC)",
    "study": "the study that it belongs to",
    "dataset": "the dataset that it belongs to",
    "kind": "its kind",
    "name": "its name, for people and in files",
    "body": "its content, as JSON; for judgments see their fields below",
    "digest": "a fingerprint of the content (SHA-256)",
    "illustrative": "made up for a demo",
    "task": "the task that is answered",
    "item": "the item's id",
    "rater": "the id of the person or model",
    "revision": "counts from 1; the last one counts",
    "guideline": "the version of the guideline that it was made under",
    **dict.fromkeys(
        ("pass", "pass_number"),
        "2 if the item came again, to see whether the rater agrees with themselves",
    ),
    "blind": "made before others' judgments were shown",
    "complete": "whether its parts are stored too",
    "origin": "where it was made: the app, a file, a run",
    "active_seconds": "seconds of work on it, without pauses",
    "idle_seconds": "seconds of pauses",
    "made_by": "the id of the person, or the program, that made it",
    "reason": "why, in words",
    "run": "the run that made it",
    "model": "the model",
    "prompt": "the version of the prompt",
    "outcome": "its outcome",
    "handle": "identifies the rater in all files",
    "email": "the address of a person who signs in",
    "lease_until": "how long the item is kept for the rater (UTC)",
    "gold": "whether it is a gold item",
    "slot": "which of the item's raters it is for: first, second, …",
    "generation": "how often the slot was passed to another rater",
    # -- who and what is judged
    "preferred": "whether the item goes by this name",
    "role": "reviewer, adjudicator or lead",
    "active": "whether it still is a gold item",
    "source": "where it is from",
    "reference.source": "who gave the reference answer",
    "form": "the form that was filled in",
    "worker": "the worker's id on the crowd platform",
    "about": "what was done to, or the study and round that the worker came for",
    "version": "counts from 1",
    "text": "the words themselves",
    "state": "where it stands: open, closed; of a batch, as the provider says",
    "raters": "the ids of those it is open to, as JSON; none: everyone",
    "excluded": "left out (true) or returned (false)",
    "counts": "whether the judgment counts until it is made anew",
    "until": "until when it holds (UTC)",
    "note": "what the lead noted",
    "uses": "for how many people it is",
    "invitation": "the invitation's id",
    "drawn": "how the item was drawn",
    "judgment": "the judgment's id",
    "suggestion.judgment": "the id of the judgment that was suggested",
    "shown": "whether it was shown to the rater, or withheld for comparison",
    "share": "the share of draws that are shown",
    "seed": "the seed of the draw",
    "who": "who did it: a person's id, or a program",
    # -- files and jobs
    "file": "the file's name",
    "added": "rows that were new",
    "known": "rows that were there already",
    "refused": "rows that were refused",
    "command": "what was asked of the app by the command line",
    # -- runs and models
    "config": "what it was started with, as JSON",
    "job": "the piece of work, one for each item and model",
    "calls": "completions that it took",
    "request": "a fingerprint of what was asked",
    "repeat": "counts equal requests from 0",
    "base_url": "the address of the endpoint",
    "messages": "what was sent, as JSON",
    "parameters": "the parameters of the request, as JSON",
    "finish_reason": "why the model stopped, as the endpoint says",
    "served_model": "the model as the endpoint names it",
    "fingerprint": "the endpoint's fingerprint of its software",
    "response_id": "the endpoint's id of the response",
    "input_tokens": "tokens that were read",
    "output_tokens": "tokens that were written",
    "tokens_estimated": "whether the tokens were estimated, as the endpoint did not count them",
    "cost": "its cost, in the currency of the prices in the settings",
    "seconds": "seconds that it took",
    "attempts": "attempts that it took",
    "attempt": "counts attempts from 1",
    "route": "how it was asked: call or batch",
    "status": "the HTTP status",
    "error_class": "the kind of error",
    "detail": "the error in words",
    "retry_after": "seconds that the endpoint asked to wait",
    "batch": "the provider's id of the batch",
    "judge": "which judge: the model and its role",
    "subject": "what was judged: an item's id or name",
    "usable": "whether the verdict could be read",
    # -- dialogues, SourceCheckup
    "n": "its place in the order",
    "question": "the question",
    "answer": "the expected answer",
    "source_group": "the group of sources that the question is from",
    "document": "the document that the question was made from",
    "document_url": "the address of that document",
    "response": "the response, or its id",
    "raw": "what the model wrote, before it was read",
    "url": "the cited address",
    "statement": "the statement, or its id",
    "final_url": "the address after redirects",
    "content_type": "the page's type as the server says",
    "title": "the page's title",
    "headers": "the server's headers, as JSON",
    "redirects": "the addresses on the way, as JSON",
    "fetched_at": "when it was fetched (UTC)",
    "bytes": "its size in bytes",
    "characters": "its length in characters",
    "tokens": "its length in tokens",
    "existed": "whether the address was found to exist, by another check",
    "action": "what the model proposed: keep, change, remove",
    "cleanup": "the id of the clean-up",
    "was": "the outcome before a lead corrected it",
    "site": "the web site",
    "country": "the country that the site is registered in",
    "answered": "what the registry answered",
    # -- EBMQA
    "qa_type": "the type of question",
    "options": "the options, as a JSON list",
    "n_options": "how many options there are",
    "correct": "the correct options: bit n is option n",
    "n_correct": "how many options are correct",
    "target": "the target concept",
    "background": "the background concept",
    "source_type": "the type of the source concept",
    "target_type": "the type of the target concept",
    "background_type": "the type of the background concept",
    "subject_type": "the type of the subject",
    "disciplines": "the medical disciplines",
    "discipline": "the medical discipline",
    "prevalence": "how common it is",
    "length": "the class of length",
    "words": "its length in words",
    "value": "the number that is asked for",
    "stratum": "the stratum that it was drawn from",
    "evidence": "the evidence behind the answer, as JSON",
    "number": "the block's number, by which answers name it",
    "part": "counts the blocks of one model, prompt and repeat",
    "block": "the number of the block of answers",
    "ebmqa_answer_block.n": "how many answers it holds",
    "ebmqa_answer.question": "the question's seq",
    "ebmqa_answer.outcome": "0 answered, 1 does not know, 2 refused, 3 not readable, 4 error",
    "chosen": "the options chosen: bit n is option n",
    "said": "what was written: its place in ebmqa_said",
    "crowd_worker.said": "the platform that the worker came from, as the address said",
    "place": "counts the texts of a block from 0",
}
