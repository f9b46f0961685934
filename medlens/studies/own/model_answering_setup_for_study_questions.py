"""The questions of an own study as asked of a model, and its reply as an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from medlens.config.question_forms_and_answer_checks import (
    EVIDENCE,
    LONGEST_REWRITTEN,
    NOT_APPLICABLE,
    REWRITE,
    UNCHANGED,
    Form,
    Question,
    questions_to_ask,
)
from medlens.llm.token_cost_forecast_and_budget import USUAL_ANSWER
from medlens.review import items
from medlens.review.tasks import Body, ByModels, Heard
from medlens.store import Store, to_json
from medlens.studies.own.blinded_arms import (
    ARMS,
    list_letters_naming_arms,
    random_arm_order,
    spread_questions_over_arms,
)
from medlens.studies.own.compare_rewritten_texts import (
    rewriting_questions_by_id,
    rewritten_text_to_store_or_unchanged_mark,
)
from medlens.studies.own.dialogue_turns import cell_as_text_for_model
from medlens.studies.own.evidence_passages_marked_by_raters import (
    answer_from_quotes_and_list_of_matches,
    evidence_questions_by_id,
)
from medlens.studies.own.study_file import StudyDeclaration

_TOKENS = 40
"""For a usual answer to one question, with its share of the reason."""


def make_model_answering_setup(
    declared: StudyDeclaration,
    form: Form,
    value: type[BaseModel],
    *marking: Question,
    texts: Callable[[Body], Sequence[str]] | None = None,
) -> ByModels:
    """How models answer a study's questions as in ``form``; ``value`` is the type of a rater's
    answers. ``marking`` are the questions they answer by marking: each quote is located in its
    text, otherwise the mark is left out. ``texts`` gives these from an item's body, by default its
    cells in their columns; a question without one is not asked.
    """
    fields: dict[str, Any] = {f"q_{at}": _field(one) for at, one in enumerate(form.questions, 1)}
    named = {"marks": marking[0]} if len(marking) == 1 else {}
    named = named or {f"marks_{at}": one for at, one in enumerate(marking, 1)}
    fields |= {name: (list[_mark(one)], ...) for name, one in named.items()}  # type: ignore[misc]
    shape: type[BaseModel] = create_model(
        "Answers", __config__=ConfigDict(frozen=True), reason=(str, ""), **fields
    )

    def read(said: Any, body: Body) -> Heard:
        every = {one.id: getattr(said, f"q_{at}") for at, one in enumerate(form.questions, 1)}
        for name, one in rewriting_questions_by_id(form).items():
            every[name] = rewritten_text_to_store_or_unchanged_mark(one, every[name] or "")
        found: list[str] = []
        lost = set()
        for name, one in evidence_questions_by_id(form).items():
            if every[name] is not None:
                every[name], how = answer_from_quotes_and_list_of_matches(
                    str(body.get(one.column, "")), every[name]
                )
                found += how
                lost |= {name} if every[name] is None else set()
        given = {name: one for name, one in every.items() if one not in (None, "")}
        # A question that does not apply is not asked, even if the model answers it.
        applies = [one.id for one in questions_to_ask(form.questions, given)]
        if lost & set(applies):
            return Heard(None, said.reason, quotes=found)
        those = [name for name in applies if name in given]
        answers = {name: given[name] for name in those}
        if not marking:
            return Heard(value(answers=answers), said.reason, quotes=found)
        words = texts(body) if texts else [str(body.get(one.column, "")) for one in marking]
        spans: list[dict[str, Any]] = []
        nowhere = False
        for (name, one), text in zip(named.items(), words, strict=False):
            given_marks = getattr(said, name)
            marks, how = _placed(one, given_marks, text)
            found += how
            nowhere |= bool(given_marks) and not marks
            spans += [{**mark, "arm": one.id.partition(" / ")[2]} for mark in marks]
        if nowhere:
            return Heard(None, said.reason, quotes=found)
        return Heard(value(answers=answers, spans=spans), said.reason, quotes=found)

    titles = {
        name: title
        for pane in declared.initial_panes
        for name, title in pane.titles_by_column.items()
    }
    told = "\n".join(_told(at, one, form, titles) for at, one in enumerate(form.questions, 1))
    rewriting = sum(
        USUAL_ANSWER + len(one.original) // 4 for one in rewriting_questions_by_id(form).values()
    )
    questions, tokens = f"Questions:\n{told}", _TOKENS * (len(form.questions) + 1) + rewriting
    if not marking:
        return ByModels(shape, questions, read, tokens=tokens)
    told = "\n\n".join(
        _told_of_marks(one, f"Marks ({name})" if len(named) > 1 else "Marks", titles)
        for name, one in named.items()
    )
    questions = f"{told}\n\n{questions}" if form.questions else told
    return ByModels(shape, questions, read, tokens=tokens + USUAL_ANSWER * len(named))


def _mark(spans: Question) -> type[BaseModel]:
    ids = tuple(label.id for label in spans.labels)
    of_span: dict[str, Any] = {f"m_{at}": _field(one) for at, one in enumerate(spans.of_span, 1)}
    return create_model(
        "Mark",
        __config__=ConfigDict(frozen=True),
        quote=(str, Field(min_length=1)),
        labels=(list[_one_of(ids)], Field(min_length=1)),  # type: ignore[misc, arg-type]
        comment=(str, ""),
        **of_span,
    )


def _placed(
    spans: Question, marks: Sequence[Any], text: str
) -> tuple[list[dict[str, Any]], list[str]]:
    """The marks whose quotes are in the text, those on the same words merged; and how each quote
    was found.
    """
    # Only a model quotes, and the rules for quotes take long to load.
    from medlens.web.quote_search import QuotableText

    quotable = QuotableText(text)
    places = [quotable.find_only_place(one.quote) for one in marks]
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for one, place in zip(marks, places, strict=True):
        if place.how not in ("exact", "folded"):
            continue
        said = {each.id: getattr(one, f"m_{at}") for at, each in enumerate(spans.of_span, 1)}
        there = found.setdefault(
            (place.start, place.end),
            {
                "start": place.start,
                "end": place.end,
                "quote": text[place.start : place.end],
                "labels": [],
                "comment": one.comment.strip(),
                "answers": {name: str(it) for name, it in said.items() if it not in (None, "")},
            },
        )
        there["labels"] += [label for label in one.labels if label not in there["labels"]]
    return [found[at] for at in sorted(found)], [place.how for place in places]


def _told_of_marks(spans: Question, called: str, titles: Mapping[str, str]) -> str:
    labels = [
        f"- {one.id}: {one.name}" + f". {one.means}" * bool(one.means) for one in spans.labels
    ]
    form = Form("", "", "", spans.of_span)
    of_span = [_told(at, one, form, titles, "m") for at, one in enumerate(spans.of_span, 1)]
    lines = [f"{called}: {spans.text}", *filter(None, [spans.help]), "Labels:", *labels]
    lines += [
        f"Quote each passage word for word from {titles.get(spans.column, spans.column)}, long"
        " enough to occur only once in it and no longer than it must be. Give labels by their ids."
        " Where nothing is to be marked, give no marks."
    ]
    return "\n".join([*lines, *(["Of each mark:", *of_span] if of_span else [])])


def make_model_answering_setup_for_all_arms(
    declared: StudyDeclaration, value: type[BaseModel], count: int
) -> ByModels:
    """How models answer about the items in which ``count`` arms gave an answer, shown side by side:
    by letters, as people do, in an order drawn for each item, since models prefer what comes first
    (or last).
    """
    assert declared.arms is not None
    questions, called = declared.form.questions, declared.arms.called
    ids = list_letters_naming_arms(count)
    labels = [f"{called} {letter}" for letter in ids]
    one = declared.spans
    each = one is not None and one.each
    marking = spread_questions_over_arms((one,), ids, labels) if one else ()
    form = replace(declared.form, questions=spread_questions_over_arms(questions, ids, labels))

    def texts(body: Body) -> list[str]:
        return [
            declared.text_to_mark_of_item(arm, body) for arm in (seen_in(body) if each else [""])
        ]

    plain = make_model_answering_setup(declared, form, value, *marking, texts=texts)

    def order_in(body: Body) -> list[str]:
        return random_arm_order(
            declared.arms_to_judge(body), item=to_json(body[ARMS]), rater="models", seed=0
        )

    def seen_in(body: Body) -> list[str]:
        with_answer = declared.arms_with_answer(body)
        return [arm for arm in order_in(body) if arm in with_answer]

    def read(said: Any, body: Body) -> Heard:
        heard, seen = plain.read(said, body), seen_in(body)
        if heard.value is None:
            return heard
        own = dict(zip(ids, seen, strict=True))
        here, there = (spread_questions_over_arms(questions, names, seen) for names in (ids, seen))
        answers = {}
        for asked_as, kept_as in zip(here, there, strict=True):
            answer = heard.value.answers.get(asked_as.id)
            if asked_as.options != kept_as.options and answer in asked_as.options:
                answer = kept_as.options[asked_as.options.index(answer)]
            if answer is not None and kept_as.kind == REWRITE:
                answer = rewritten_text_to_store_or_unchanged_mark(kept_as, answer)
            if answer is not None:
                answers[kept_as.id] = answer
        spans = [one.model_copy(update={"arm": own.get(one.arm, "")}) for one in heard.value.spans]
        # As a person's: where no arm gave an answer, all of them were in the case.
        return replace(heard, value=value(answers=answers, order=order_in(body), spans=spans))

    def shown(store: Store, item: str) -> dict[str, str]:
        body = items.item_body(store, item)
        seen, found = seen_in(body), {}
        for pane in declared.initial_panes:
            for name, title in pane.titles_by_column.items():
                if name in declared.arms.own:  # type: ignore[union-attr]
                    for letter, arm in zip(ids, seen, strict=True):
                        found[f"{title} {letter}"] = cell_as_text_for_model(
                            body[ARMS][arm].get(name, "")
                        )
                else:
                    found[title] = cell_as_text_for_model(body.get(name, ""))
        return found

    return replace(plain, read=read, shown=shown)


def _field(question: Question) -> Any:
    kind: Any = str
    if question.kind == "multiple":
        kind = list[_one_of(question.options)]  # type: ignore[misc]
    elif question.kind == "scale":
        also = (NOT_APPLICABLE,) if question.not_applicable else ()
        kind = _one_of((*question.points_of_scale, *also))
    elif question.kind == "number":
        kind = Annotated[float, Field(ge=question.minimum, le=question.maximum)]
    elif question.kind == EVIDENCE:
        kind = list[Annotated[str, Field(min_length=1)]]
    elif question.kind == REWRITE:
        kind = Annotated[str, Field(max_length=LONGEST_REWRITTEN)]
    elif question.options:
        kind = _one_of(question.options)
    return (kind, ...) if question.required and not question.only_if else (kind | None, None)


def _one_of(choices: tuple[int | str, ...]) -> Any:
    return Literal.__getitem__(choices)


def _told(
    at: int, question: Question, form: Form, titles: Mapping[str, str], called: str = "q"
) -> str:
    text = titles.get(question.column, question.column)
    # A heading applies to the questions below it: for criteria it says what is asked of each.
    lines = [f"{question.part}\n" * bool(question.part) + f"{called}_{at}: {question.text}"]
    if question.help:
        lines.append(question.help)
    if question.only_if:
        number = next(n for n, one in enumerate(form.questions, 1) if one.id == question.only_if[0])
        lines.append(f"Only if {called}_{number} is {question.only_if[1]!r}; else null.")
    if question.kind == "scale":
        ends = [
            f"{end} means {name}"
            for end, name in (
                (question.points_of_scale[0], question.low),
                (question.points_of_scale[-1], question.high),
            )
            if name
        ]
        lines.append(
            (
                f"From {question.points_of_scale[0]} to {question.points_of_scale[-1]}."
                f" {'; '.join(ends)}"
            ).strip()
        )
    if question.kind == "multiple":
        lines.append("Any number of the options, also none.")
    if question.unit:
        lines.append(f"In {question.unit}.")
    if question.kind == EVIDENCE:
        lines.append(
            f"Quote the passages of {text} word for word, each a sentence or a few, long"
            " enough to occur only once in it. Give none where no passage is meant."
        )
    if question.kind == REWRITE:
        lines.append(
            f"Give the whole text of {text} as it should read, word for word where it"
            f" stays as it is; where all of it stays, answer {UNCHANGED}."
        )
    return "\n  ".join(lines)
