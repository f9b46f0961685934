"""``import ebmqa-answers``: answers made elsewhere, matched with a dataset's questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from medlens.deferred_module import np, pd
from medlens.errors import BadFile, InvalidInput
from medlens.store import Store
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.ebmqa.answers.match_and_parse_answers import (
    Integers,
    Matched,
    QuestionsToMatch,
    match_answers_with_questions,
)
from medlens.studies.ebmqa.answers.read_answer_file import (
    Given,
    read_answers_and_refuse_bad_rows,
    read_columns_at_once_if_plain,
)
from medlens.studies.ebmqa.answers.store_answers import model_rater_row, store_answers_and_count
from medlens.studies.ebmqa.records import OUTCOMES
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.tables import Refused, Report, Request, RowError, make_source_rereadable

if TYPE_CHECKING:
    from numpy.typing import NDArray


Mask: TypeAlias = "NDArray[np.bool_]"
_COUNTABLE = 20_000_000
_SAID = {
    "answered": "answered",
    "idk": "do not know",
    "refused": "refuse to answer",
    "parse_failed": "say nothing that could be read",
    "error": "are errors",
}


def import_answers(store: Store, study: Study, request: Request) -> Report:
    """``ebmqa-answers``: ``question_id, model, answer``, and any optional column of ``ANSWERS``.

    The answer is an option's text, its number or letter, several of them separated by ``;``, or
    whatever a model said. An ``outcome`` is taken as given, and ``said`` holds the model's own
    words next to an answer that was read from them. A repeated answer counts once; if the same
    model under the same prompt answers a question differently, the second answer is refused.

    Raises:
        BadFile: rows are refused (unless ``skip_bad``), or the file cannot be read.
        InvalidInput: the dataset has no questions.
    """
    dataset = request.dataset
    asked = QuestionsToMatch.from_arrow_table(
        answer_and_questionnaire_queries.arrow_table_of_questions_to_match(store, dataset)
    )
    if not len(asked.numbers):
        raise InvalidInput(
            f"There are no questions in the dataset {dataset!r}.",
            hint="Import or generate them first, or choose the dataset that they are in.",
        )
    source = make_source_rereadable(request.source)
    given = read_columns_at_once_if_plain(source, request.name)
    check = None
    if given is not None:
        found = match_answers_with_questions(asked, given.columns)
        check = _Check(store, dataset, asked, found)
    if given is None or check is None or check.wrong.any():
        # Read row by row, to report the lines that are wrong.
        given = read_answers_and_refuse_bad_rows(source, request.name, request.progress)
        found = match_answers_with_questions(asked, given.columns)
        check = _Check(store, dataset, asked, found)
    elif request.progress:
        request.progress(len(given))
    refused = _settle(given, check, dataset, skip_bad=request.skip_bad)
    if not len(given) and not refused:
        raise BadFile(f"{given.name} holds no answers.", hint="Check that it is the right file.")
    new = np.flatnonzero(~(check.wrong | check.known))
    store_answers_and_count(store, dataset, asked.numbers, found, origin="import", rows=new)
    return Report(
        "answers",
        len(new),
        int(check.known.sum()),
        refused,
        (*given.notes, *_notes(found, new), *_of_corrected(store, dataset, asked, found, new)),
    )


class _Check:
    """Which answers are wrong, and which are stored already: masks as long as the file."""

    def __init__(self, store: Store, dataset: str, asked: QuestionsToMatch, found: Matched) -> None:
        self._asked, self._found = asked, found
        count = len(found.at)
        self.unnamed = self._unnamed()
        self.unknown = found.at < 0
        self.unlike = np.zeros(count, bool)
        self.unlike[list(found.unlike)] = True
        self.known = np.zeros(count, bool)
        self.contrary = np.zeros(count, bool)
        usable = ~(self.unnamed | self.unknown | self.unlike)
        self._within_the_file(usable)
        self._beside_those_there(store, dataset, usable)
        self.known &= ~self.contrary

    @property
    def wrong(self) -> Mask:
        """Rows to refuse."""
        return self.unnamed | self.unknown | self.unlike | self.contrary

    def _unnamed(self) -> Mask:
        bad = []
        for group in self._found.groups:
            try:
                model_rater_row(group.model)
                bad.append(group.repeat < 1)
            except InvalidInput:
                bad.append(True)
        return np.array(bad, bool)[self._found.group] if bad else np.zeros(0, bool)

    def _within_the_file(self, usable: Mask) -> None:
        found = self._found
        size = len(self._asked.numbers)
        key = found.group * (size + 1) + found.at
        few = size * len(found.groups) < _COUNTABLE and usable.all()
        if few and np.bincount(key, minlength=1).max() <= 1:
            return
        if not few and not pd.Index(key[usable]).has_duplicates:
            return
        rows = np.flatnonzero(usable)
        frame = pd.DataFrame(
            {"key": key[rows], "outcome": found.outcome[rows], "chosen": found.chosen[rows]},
            index=rows,
        )
        first = frame.groupby("key", sort=False)[["outcome", "chosen"]].transform("first")
        again = frame["key"].duplicated()
        same = (frame[["outcome", "chosen"]] == first).all(axis=1)
        self.known[rows] = (again & same).to_numpy()
        self.contrary[rows] = (again & ~same).to_numpy()

    def _beside_those_there(self, store: Store, dataset: str, usable: Mask) -> None:
        found = self._found
        named = [_rater_of(group.model) for group in found.groups]
        there = answer_and_questionnaire_queries.stored_answers_table(
            store, dataset, [rater for rater in named if rater]
        )
        if there.empty:
            return
        groups = pd.DataFrame(
            [
                (rater, one.prompt, one.repeat, place)
                for place, (rater, one) in enumerate(zip(named, found.groups, strict=True))
            ],
            columns=["rater", "prompt", "repeat", "group"],
        )
        there = there.merge(groups, on=["rater", "prompt", "repeat"])
        rows = np.flatnonzero(usable)
        new = pd.DataFrame(
            {
                "group": found.group[rows],
                "question": self._asked.numbers[found.at[rows]],
                "outcome": found.outcome[rows],
                "chosen": found.chosen[rows],
            }
        )
        both = new.merge(
            there[["group", "question", "outcome", "chosen"]],
            how="left",
            on=["group", "question"],
            suffixes=("", "_there"),
            indicator=True,
        )
        held = (both["_merge"] == "both").to_numpy()
        same = (
            (both["outcome"] == both["outcome_there"]) & (both["chosen"] == both["chosen_there"])
        ).to_numpy()
        self.known[rows] |= held & same
        self.contrary[rows] |= held & ~same

    def problem(self, row: int, dataset: str, cells: Mapping[str, Any]) -> RowError:
        """What is wrong with a row."""
        found = self._found
        group = found.groups[found.group[row]]
        if self.unknown[row]:
            return RowError(
                "question_id", f"a question of the dataset {dataset!r}", cells["question_id"]
            )
        if self.unnamed[row] and group.repeat < 1:
            return RowError("repeat", "a number from 1", group.repeat)
        if self.unnamed[row]:
            return RowError("model", "a name that can be read", group.model)
        if self.unlike[row]:
            return RowError("answer", "options, as the outcome is answered", cells["answer"])
        return RowError(
            "answer",
            "the same answer as the one that this model gave under this prompt before",
            cells["answer"],
        )


def _rater_of(model: str) -> str:
    try:
        return str(model_rater_row(model)["id"])
    except InvalidInput:
        return ""


def _settle(given: Given, check: _Check, dataset: str, *, skip_bad: bool) -> tuple[Refused, ...]:
    for row in np.flatnonzero(check.wrong).tolist():
        found = given.rows[row]
        given.refusals.add_row_refused_by_error(found, check.problem(row, dataset, found.values))
    return given.refusals.raise_or_list_refused_rows(skip_bad=skip_bad)


def _of_corrected(
    store: Store, dataset: str, asked: QuestionsToMatch, found: Matched, rows: Integers
) -> list[str]:
    """How many answer questions that once meant something else; the file cannot say which."""
    anew = answer_and_questionnaire_queries.numbers_of_questions_with_new_meaning(store, dataset)
    many = int(np.isin(asked.numbers[found.at[rows]], anew).sum()) if anew else 0
    if not many:
        return []
    return [
        f"{many:,} of them {'is' if many == 1 else 'are'} to questions whose meaning was corrected,"
        f" and {'counts' if many == 1 else 'count'} as given to what is asked now: check that the"
        " file is not older than the correction."
    ]


def _notes(found: Matched, rows: Integers) -> list[str]:
    """How many answers have each outcome, in one line."""
    counts = np.bincount(found.outcome[rows], minlength=len(OUTCOMES))
    told = [f"{counts[code]:,} {_SAID[one]}" for code, one in enumerate(OUTCOMES) if counts[code]]
    return [f"Of {len(rows):,} answers {', '.join(told)}."] if told else []
