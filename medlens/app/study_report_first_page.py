"""The first page of a report: what was asked, how and of whom, the main figures, and their limits.

Everything on it stands in the report again, with its detail.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from medlens.app.document_as_html_or_pdf import Block, Bullets, Chart, Heading, PageBreak, Table
from medlens.deferred_module import pd
from medlens.review.work_progress_and_pace_by_item_and_rater import Flow
from medlens.stats.estimate import Estimate, FigureRow, use_real_minus_sign
from medlens.stats.scope_of_inference_over_raters import RATERS_LIKE_THESE

_MOST_QUESTIONS = 6
_LONGEST_QUESTION = 400


@dataclass(frozen=True)
class TaskSummary:
    """What the first page needs to know of one task.

    Attributes:
        title: as readers know it.
        questions: the questions put to each rater, in their wording.
        flow: what happened to its items.
        left_to_people: how many items have 0, 1, 2 … people's judgments, without those that another
            item's answer settles: nobody is asked for these.
        judged: its judgments that count, as ``consensus.current_judgments`` gives them.
        round_state: "open" or "closed".
        unsettled: items on which people disagree and nobody has decided; None where nothing is
            settled.
        agreement: how far people agree, by the name of what is compared, in words.
    """

    title: str
    questions: Sequence[str]
    flow: Flow
    left_to_people: Mapping[int, int]
    judged: pd.DataFrame
    round_state: str
    unsettled: int | None
    agreement: Mapping[str, Estimate]


def make_summary_blocks(
    about: str, tasks: Sequence[TaskSummary], chart: Iterable[Chart], limits: Iterable[str]
) -> Iterator[Block]:
    """The summary as blocks of a document, with a page break after it."""
    yield Heading("Summary")
    several = len(tasks) > 1
    rows = [("Question", about)] if about else []
    for task in tasks:
        of = f": {task.title}" if several else ""
        if asked := _asked(task.questions):
            rows.append((f"Asked{of}" if about else f"Question{of}", asked))
        rows.append((f"Design{of}", _design(task)))
        rows.append((f"People{of}", _people(task)))
        if agreed := _agreed(task.agreement):
            rows.append((f"Agreement{of}", agreed))
    yield Table(("", ""), rows, (2, 7))
    yield from chart
    told = list(limits)
    if told:
        yield Heading("Limits", 2)
        yield Bullets(told)
    yield PageBreak()


def _asked(questions: Sequence[str]) -> str:
    shown = [textwrap.shorten(one, _LONGEST_QUESTION, placeholder=" …") for one in questions]
    more = len(shown) - _MOST_QUESTIONS
    if more > 0:
        shown = [*shown[:_MOST_QUESTIONS], f"and {more} more, in section 1"]
    return "\n".join(shown)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _design(task: TaskSummary) -> str:
    flow = task.flow
    spread = [f"{n:,} by {k}" for k, n in sorted(flow.covered.items()) if k]
    judged = flow.offered - flow.covered.get(0, 0)
    told = f"{_count(flow.offered, 'item')} offered to people, {judged:,} judged"
    told += f" ({', '.join(spread)})." if spread else "."
    brought, here = _origins(task)
    if here:
        told += f" {_count(here, 'judgment')} made blind in MedLens."
    if brought:
        told += f" {_count(brought, 'judgment')} brought in with files."
    return f"{told} The round is {task.round_state}."


def _origins(task: TaskSummary) -> tuple[int, int]:
    """How many of people's judgments came in with files, and how many were made here."""
    if task.judged.empty:
        return 0, 0
    people = task.judged[task.judged["rater_kind"] == "person"]
    brought = int((people["origin"] == "import").sum())
    return brought, len(people) - brought


def _people(task: TaskSummary) -> str:
    if task.judged.empty:
        return "Nobody has judged anything yet."
    raters = task.judged.drop_duplicates("rater_id")["rater_kind"].value_counts()
    people, models = int(raters.get("person", 0)), int(raters.get("model", 0))
    told = _count(people, "person", "people")
    return f"{told} and {_count(models, 'model')} as raters." if models else f"{told}."


def _agreed(agreement: Mapping[str, Estimate]) -> str:
    """The lowest and the highest alpha, which is the same figure twice if there is but one."""
    given = sorted(
        ((one.value, name, one) for name, one in agreement.items() if one.value is not None),
        key=lambda each: each[:2],
    )
    if not given:
        return ""

    def in_words(name: str, one: Estimate) -> str:
        ends = "" if one.low is None else f" [{one.low:.2f}; {one.high:.2f}]"
        said = use_real_minus_sign(f"{one.value:.2f}{ends}")
        return f"{said} ({name})" if len(given) > 1 else said

    low, high = given[0], given[-1]
    if len(given) == 1:
        return f"Krippendorff's alpha {in_words(*low[1:])}."
    return f"Krippendorff's alpha from {in_words(*low[1:])} to {in_words(*high[1:])}."


def _limits_of_task(task: TaskSummary) -> Iterator[tuple[str, str]]:
    """What limits one task, and how much of it is concerned."""
    flow = task.flow
    asked = task.left_to_people
    waiting, once = asked.get(0, 0), asked.get(1, 0)
    if waiting:
        yield "Not judged by anybody", f"{_count(waiting, 'item')} of {sum(asked.values()):,}"
    if once:
        # How far others would agree on these is not known.
        yield "Judged by one person only", _count(once, "item")
    if task.unsettled:
        yield "Disagreed on and not settled by anybody", _count(task.unsettled, "item")
    if flow.unblinded:
        unblinded = _count(flow.unblinded, "judgment")
        yield "Made after others' were shown, and left out of all figures", unblinded
    brought, _ = _origins(task)
    if brought:
        yield (
            "Brought in with files, so that what these raters saw is not known here",
            _count(brought, "judgment"),
        )


def list_limitations_in_words(
    tasks: Sequence[TaskSummary],
    figures: Sequence[FigureRow],
    *,
    illustrative: bool,
    panel_is_fixed: bool,
    excluded: int,
    contradictions: int,
    of_data: str = "",
) -> Iterator[str]:
    """What a reader must know before believing the figures, in sentences, worst first.

    Args:
        tasks: the tasks of the study.
        figures: the rows of all its figures.
        illustrative: whether items and judgments are made up.
        panel_is_fixed: whether a lead declared that no other raters matter.
        excluded: raters whose work a lead excluded.
        contradictions: printed numbers of the paper that are known to contradict each other.
        of_data: what the study itself says of its data (``Figures.limits``).
    """
    if illustrative:
        yield "Items and judgments are made up, to show what MedLens does."
    said: dict[str, list[str]] = {}
    for task in tasks:
        of = f"{task.title}: " if len(tasks) > 1 else ""
        for limit, amount in _limits_of_task(task):
            said.setdefault(limit, []).append(of + amount)
    for limit, amounts in said.items():
        yield f"{limit}: {'; '.join(amounts)}."
    if of_data:
        yield of_data
    if excluded:
        yield f"The work of {_count(excluded, 'rater')} was excluded by a lead (section 4)."
    people = [one for _, _, one in figures if one.has_value and one.speaks_for]
    narrow = sum(one.speaks_for != RATERS_LIKE_THESE for one in people)
    if panel_is_fixed:
        yield "A lead declared that the raters are all that matter: no figure speaks for others."
    elif narrow == len(people) > 0:
        yield "No figure generalises beyond these raters."
    elif narrow:
        yield (
            f"{narrow:,} of {_count(len(people), 'figure')} made from people's judgments speak only"
            " for the raters who judged, not for others like them."
        )
    undefined = sum(not one.has_value for _, _, one in figures)
    if undefined:
        yield f"{_count(undefined, 'figure')} cannot be given; the reason is given with each."
    if contradictions:
        numbers = _count(contradictions, "printed number")
        yield f"{numbers} of the paper contradict others of it (section 7)."
