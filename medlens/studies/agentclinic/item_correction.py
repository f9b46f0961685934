"""Correcting a case or a dialogue: each text of it is a cell.

A dialogue was played on its case. Once the meaning of the case has changed, its dialogues are
withdrawn with it, and an experiment plays them anew.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

from medlens.errors import InvalidInput
from medlens.review import items
from medlens.review.item_corrections import AnswersOnEarlierVersions, Change, SharedCorrection
from medlens.store import Store
from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.file_loading import case_from_fields, dialogue_from_fields
from medlens.studies.agentclinic.records import CASE_KIND, STUDY, Case, Dialogue
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.tables import RowError

_OF_DIALOGUE = ("diagnosis", "outcome", "reason", "doctor", "patient", "measurement", "moderator")


def correctable_cells_by_column(store: Store, _study: Study, item: str) -> dict[str, str]:
    """What can be corrected of a case or a dialogue, as text, by column."""
    if items.kind_of_item(store, item) == CASE_KIND:
        return {
            leaf.path_in_words: leaf.text
            for leaf in queries.load_case(store, item).list_case_facts()
        }
    dialogue = queries.load_dialogue(store, item)
    turns = {f"turn {turn.n}, {turn.speaker}": turn.text for turn in dialogue.turns}
    return {**turns, **{name: getattr(dialogue, name) for name in _OF_DIALOGUE}}


def make_correction_of_cells(
    store: Store, study: Study, item: str, cells: Mapping[str, str]
) -> SharedCorrection:
    """The correction of some cells of a case or a dialogue.

    Raises:
        InvalidInput: it would be none.
    """
    given = {
        name: cell.replace("\r\n", "\n").replace("\r", "\n").strip() for name, cell in cells.items()
    }
    try:
        if items.kind_of_item(store, item) == CASE_KIND:
            corrected = _case_with(queries.load_case(store, item), given)
            return make_correction_of_cases(store, study.dataset, {item: corrected})
        dialogue = _dialogue_with(queries.load_dialogue(store, item), given)
    except RowError as error:
        raise InvalidInput(f"{error.column}: expected {error.expected}.") from error
    return SharedCorrection(STUDY, study.dataset, {item: dialogue.model_dump_json()})


def _case_with(case: Case, cells: Mapping[str, str]) -> Case:
    content = copy.deepcopy(case.content)
    for leaf in case.list_case_facts():
        if leaf.path_in_words not in cells:
            continue
        text, held = cells[leaf.path_in_words], content
        for step in leaf.path[:-1]:
            held = held[step]  # type: ignore[index]
        held[leaf.path[-1]] = _as_before(held[leaf.path[-1]], text, leaf.path_in_words)  # type: ignore[index]
    return case_from_fields(content)


def _as_before(held: Any, text: str, place: str) -> Any:
    """A cell's text as what it was: a number, yes or no, or a text."""
    if isinstance(held, bool):
        if text.casefold() not in ("yes", "no"):
            raise RowError(place, "yes or no", text)
        return text.casefold() == "yes"
    if isinstance(held, int | float):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _dialogue_with(dialogue: Dialogue, cells: Mapping[str, str]) -> Dialogue:
    body = dialogue.model_dump(mode="json")
    for turn in body["turns"]:
        turn["text"] = cells.get(f"turn {turn['n']}, {turn['speaker']}", turn["text"])
    return dialogue_from_fields({**body, **{k: v for k, v in cells.items() if k in body}})


def make_correction_of_cases(
    store: Store, dataset: str, changed: Mapping[str, Case]
) -> SharedCorrection:
    """The correction of cases (by id), with what becomes of the dialogues played on them."""
    names = items.item_names_by_id(store, changed)
    before = {item: queries.load_case(store, item) for item in changed}
    resting = queries.names_by_id_of_dialogues_of_cases(store, dataset, list(names.values()))
    other = [names[item] for item in changed if before[item].diagnosis != changed[item].diagnosis]
    kept = queries.names_by_id_of_dialogues_of_cases(store, dataset, other)
    return SharedCorrection(
        STUDY,
        dataset,
        {item: case.model_dump_json() for item, case in changed.items()},
        withdrawn=resting,
        follows=_what_follows(resting, kept),
    )


def _what_follows(
    resting: Mapping[str, str], kept: Mapping[str, str]
) -> dict[Change, Sequence[str]]:
    if not resting:
        return {}
    many = "1 dialogue" if len(resting) == 1 else f"{len(resting):,} dialogues"
    typing = [f"{many} played on it still count{'s' * (len(resting) == 1)}."]
    if kept:
        typing.append(
            f"{'1 keeps' if len(kept) == 1 else f'{len(kept):,} keep'} the outcome by the earlier"
            " diagnosis: let moderators judge again (Runs) if it may differ."
        )
    return {
        "typing": typing,
        "meaning": [
            f"{many} played on it {'is' if len(resting) == 1 else 'are'} withdrawn and count"
            f"{'s' * (len(resting) == 1)} no more: an experiment plays"
            f" {'it' if len(resting) == 1 else 'them'} anew."
        ],
    }


def counts_of_dialogues_on_earlier_cases(store: Store, dataset: str) -> AnswersOnEarlierVersions:
    """How many dialogues were played on a case that was corrected since."""
    return AnswersOnEarlierVersions(
        *("dialogue", "dialogues", "case"),
        *queries.dialogue_and_case_counts_on_earlier_cases(store, dataset),
    )
