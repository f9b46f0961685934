"""What the benchmarks work on: made-up items as files and as stores, and made-up raters."""

from __future__ import annotations

import csv
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from medlens.app import work_behind_commands
from medlens.config.settings import load_settings
from medlens.review import raters
from medlens.store import open_store

DATASET = "bench"
_WORDS = (
    "patient reports chest pain after exercise and the examination shows a systolic murmur that"
    " radiates to the neck while laboratory studies give a raised ferritin with normal calcium;"
    " therapy with a beta blocker lowers the pressure gradient, which makes the second choice"
    " unlikely because its mechanism acts on another receptor in the distal tubule"
)
_OPTIONS = ("Mitral stenosis", "Aortic stenosis", "Septal defect", "Pericarditis", "Tietze")


@dataclass(frozen=True)
class Made:
    """One made-up item. Its text in the g4ue form has exactly as many characters as asked for."""

    name: str
    number: int
    question: str
    response: str
    correct: str = "B"
    chosen: str = "D"

    @property
    def html(self) -> str:
        options = dict(zip("ABCDE", _OPTIONS, strict=True))
        return (
            f"<strong>USMLE question:</strong> {self.question}<br><strong>Options:</strong>"
            f" {options}<br><strong>Correct Answer:</strong> {self.correct}<br>"
            f"<strong>GPT-4 Response:</strong> {self.response}"
        )


def make_items(count: int, *, characters: int = 2000, seed: int = 1) -> Iterator[Made]:
    """Items of ``characters`` characters, the same ones for the same seed."""
    draw = random.Random(seed)
    sentences = [_sentence(draw) for _ in range(2000)]
    for number in range(1, count + 1):
        question = f"Case {number}. " + " ".join(draw.choices(sentences, k=4))
        # Paragraphs, as a language model writes them.
        start = f"The answer is D: {_OPTIONS[3]}. "
        made = Made(f"item{number}", number, question, start)
        left = characters - len(made.html)
        body = "\n\n".join(" ".join(draw.choices(sentences, k=4)) for _ in range(left // 160 + 2))
        response = start + body[: left - 1].rstrip().ljust(left - 1, "e") + "."
        yield Made(made.name, number, question, response)


def _sentence(draw: random.Random) -> str:
    words = draw.choices(_WORDS.split(), k=draw.randint(8, 18))
    return " ".join(words).rstrip(";,").capitalize() + "."


def write_g4ue(path: Path, items: Iterator[Made]) -> None:
    """A file of kind ``g4ue-items``."""
    with path.open("w", encoding="utf-8") as file:
        for one in items:
            row = {"id": one.name, "serial_num": one.number, "text": one.html}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_own(path: Path, items: Iterator[Made]) -> None:
    """A file of kind ``items``, in MedLens's own columns."""
    letters = "ABCDE"
    names = ["item", "serial_num", "model", "question", *(f"option_{key}" for key in letters)]
    with path.open("w", encoding="utf-8", newline="") as file:
        write = csv.writer(file).writerow
        write([*names, "correct", "chosen", "response"])
        for one in items:
            head = [one.name, one.number, "GPT-4", one.question, *_OPTIONS]
            write([*head, one.correct, one.chosen, one.response])


def make_store(path: Path, *, items: int = 24, people: int = 1, seed: int = 1) -> list[str]:
    """A new store with made-up items and reviewers; returns the reviewers' ids."""
    file = path.with_suffix(".jsonl")
    write_g4ue(file, make_items(items, seed=seed))
    store = open_store(path)
    try:
        work_behind_commands.import_file(
            store, load_settings(), "g4ue-items", file, name=file.name, dataset=DATASET
        )
    finally:
        store.close()
        file.unlink()
    return add_people(path, people)


def add_people(path: Path, count: int) -> list[str]:
    """Reviewers who can be picked at the sign-in; returns their ids."""
    store = open_store(path)
    try:
        return [
            raters.find_or_add_rater_by_name(store, f"Reviewer {n + 1}").id for n in range(count)
        ]
    finally:
        store.close()


def words_of(text: str) -> list[tuple[int, int]]:
    """Where the words of a text begin and end."""
    at = itertools.accumulate((len(part) + 1 for part in text.split(" ")), initial=0)
    return [(start, start + len(part)) for start, part in zip(at, text.split(" "), strict=False)]
