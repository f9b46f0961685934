"""An own study as a Label Studio project: its labelling interface, and its items as tasks, with
people's answers as annotations and models' as predictions. ``import_from_label_studio`` reads both
back.

Sources: Label Studio's documentation of its tags and of its JSON format (labelstud.io).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from medlens.bridges import exported_items_and_judgments
from medlens.config.question_forms_and_answer_checks import EVIDENCE, NOT_APPLICABLE, Question
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.own.blinded_arms import ARMS, spread_questions_over_arms
from medlens.studies.own.evidence_passages_marked_by_raters import parse_passages_of_answer
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.tasks import Answers


def make_label_studio_zip(
    store: Store, study: Study, *, viewer: Rater | None, anonymous: bool = False
) -> bytes:
    """A zip with ``config.xml`` and ``tasks.json``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    work = exported_items_and_judgments.list_items_with_counted_judgments(
        store, study, viewer=viewer, anonymous=anonymous
    )
    shown = _Shown(study.declared, [one.body for one in work])
    tasks = [_task(at, one, shown) for at, one in enumerate(work, 1)]
    return exported_items_and_judgments.pack_zip(
        {
            "config.xml": "\n".join(_config(shown)) + "\n",
            "tasks.json": json.dumps(tasks, ensure_ascii=False, indent=1) + "\n",
        }
    )


class _Shown:
    """What Label Studio shows and asks of a study, under names that its tags allow.

    ``fields`` are the columns by field name, each with its arm ("" if it is the item's), the kind
    of its pane and a title. Arms are numbered because their names are hidden.
    """

    def __init__(self, declared: StudyDeclaration, bodies: Sequence[Mapping[str, Any]]) -> None:
        self.declared = declared
        self._used = {"item"}
        arms = declared.arms if declared.are_arms_side_by_side else None
        self.fields: dict[str, tuple[str, str, str, str]] = {}
        for pane in declared.panes:
            for column in pane.columns:
                for at, arm in enumerate(arms.names if arms and column in arms.own else ("",), 1):
                    title = f"{pane.title} {at}" if arm else pane.title
                    field = self._free(f"{column}_{at}" if arm else column)
                    self.fields[field] = (column, arm, pane.kind, title)
        if column := declared.criteria_column:
            self.fields[self._free(column)] = (column, "", "table", "Criteria")
        questions = kept = declared.form.questions
        if arms:
            called = [f"{arms.called} {at}" for at in range(1, len(arms.names) + 1)]
            questions, kept = (
                spread_questions_over_arms(kept, ids, called) for ids in (called, arms.names)
            )
        most = max((len(body.get(declared.criteria_column) or []) for body in bodies), default=0)
        numbers = {
            one.id: int(one.id.partition(" / ")[0].rpartition("_")[2])
            for one in questions
            if one.is_worded_per_item
        }
        # No item has more criteria than this.
        both = zip(kept, questions, strict=True)
        self.asked = {one.id: told for one, told in both if numbers.get(told.id, 0) <= most}
        self.names = {name: self._free(told.id) for name, told in self.asked.items()}
        self._options = {
            one.id: dict(zip(one.options, self.asked[one.id].options, strict=True))
            for one in kept
            if one.id in self.asked
        }
        # The controls of each text to mark, by arm, and its field.
        self.of_spans: dict[str, dict[str, str]] = {}
        self.marked: dict[str, str] = {}
        for arm, spans in declared.marking_questions_by_arm.items():
            own = (spans, *spans.of_span)
            # Numbered, since the arm's name must not show.
            end = f"_{len(self.of_spans) + 1}" if arm else ""
            ids = [one.id.partition(" / ")[0] + end for one in own]
            self.of_spans[arm] = {
                one.id: self._free(name) for one, name in zip(own, ids, strict=True)
            }
            fields = [
                name
                for name, (column, whose, *_) in self.fields.items()
                if (column, whose) == (spans.column, arm)
            ]
            self.marked[arm] = fields[0] if fields else ""

    def _free(self, name: str) -> str:
        plain = re.sub(r"\W+", "_", name).strip("_") or "field"
        while plain in self._used:
            plain += "_"
        self._used.add(plain)
        return plain

    def said(self, question: str, answer: Any) -> Any:
        """An answer in the words of the question as shown."""
        options = self._options[question]
        if isinstance(answer, list):
            return [options.get(one, one) for one in answer]
        return options.get(answer, answer)

    @property
    def first(self) -> str:
        """The field that the questions refer to."""
        return next(iter(self.marked.values()), "") or next(iter(self.fields))

    def data(self, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {"item": name}
        for field, (column, arm, kind, _) in self.fields.items():
            cells = body.get(ARMS, {}).get(arm, {}) if arm else body
            cell = cells.get(column, "")
            if kind == "dialogue":
                found[field] = cell or []
            else:
                found[field] = (
                    cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
                )
        return found


def _config(shown: _Shown) -> Iterator[str]:
    form = shown.declared.form
    yield "<View>"
    for line in (form.title, *form.intro.splitlines()):
        if line.strip():
            yield f"  <Header value={_attribute(line)} size='4'/>"
    for field, (_, _, kind, title) in shown.fields.items():
        yield f"  <Header value={_attribute(title)} size='5'/>"
        if kind == "dialogue":
            keys = 'nameKey="role" textKey="content" layout="dialogue"'
            yield f'  <Paragraphs name="{field}" value="${field}" {keys}/>'
        else:
            yield f'  <Text name="{field}" value="${field}"/>'
    for number, (arm, spans) in enumerate(shown.declared.marking_questions_by_arm.items(), 1):
        names, field = shown.of_spans[arm], shown.marked[arm]
        told = shown.declared.spans.text if shown.declared.spans else ""
        told += f" ({shown.declared.arms.called} {number})" if arm and shown.declared.arms else ""
        labels = "".join(f"<Label value={_attribute(one.name)}/>" for one in spans.labels)
        yield f"  <Header value={_attribute(told)} size='5'/>"
        yield f'  <Labels name="{names[spans.id]}" toName="{field}">{labels}</Labels>'
        for each in spans.of_span:
            yield from _question(each, names[each.id], field, 'perRegion="true"')
    for name, one in shown.asked.items():
        yield from _question(one, shown.names[name], shown.first)
    yield "</View>"


def _question(one: Question, name: str, to: str, more: str = "") -> Iterator[str]:
    needed = one.required and one.only_if is None and not more
    head = f'name="{name}" toName="{to}" title={_attribute(one.text)}'
    more = " ".join(filter(None, [head, more, 'required="true"' if needed else ""]))
    yield f"  <Header value={_attribute(one.text)} size='5'/>"
    kind = _kind(one)
    if kind == "rating":
        yield f'  <Rating {more} maxRating="{one.maximum:g}"/>'
    elif kind == "number":
        ends = {"min": one.minimum, "max": one.maximum}
        # Label Studio allows only whole numbers as bounds.
        kept = {name: end for name, end in ends.items() if end is not None and end == int(end)}
        told = " ".join(f'{name}="{end:g}"' for name, end in kept.items())
        yield f"  <Number {' '.join(filter(None, [more, told]))}/>"
    elif kind == "choices":
        choices = "".join(f"<Choice value={_attribute(choice)}/>" for choice in _choices(one))
        many = "multiple" if one.kind == "multiple" else "single"
        yield f'  <Choices {more} choice="{many}">{choices}</Choices>'
    else:
        yield f"  <TextArea {more}/>"


def _kind(one: Question) -> str:
    if one.kind == "scale":
        return "rating" if one.minimum == 1 and not one.not_applicable else "choices"
    if one.kind == "number":
        return "number"
    return "choices" if _choices(one) else "textarea"


def _choices(one: Question) -> list[str]:
    if one.kind == "scale":
        return [*map(str, one.points_of_scale), *([NOT_APPLICABLE] if one.not_applicable else [])]
    return list(one.options)


def _attribute(words: str) -> str:
    return quoteattr(" ".join(words.split()))


# -- tasks -----------------------------------------------------------------------------------------


def _task(number: int, one: exported_items_and_judgments.Work, shown: _Shown) -> dict[str, Any]:
    data = shown.data(one.name, one.body)
    found: dict[str, Any] = {"id": number, "data": data, "annotations": [], "predictions": []}
    for at, said in enumerate(one.said, 1):
        result = [*_results(said.value, shown, data, f"{number}-{at}")]
        if said.person:
            # If nobody has this address in Label Studio, the importing user takes their place.
            who = {"email": said.rater}
            found["annotations"].append(
                {"id": number * 1_000 + at, "completed_by": who, "result": result}
                | ({"lead_time": said.seconds} if said.seconds else {})
            )
        else:
            found["predictions"].append(
                {"id": number * 1_000 + at, "model_version": said.rater, "result": result}
            )
    return found


def _results(
    value: Answers, shown: _Shown, data: Mapping[str, Any], ids: str
) -> Iterator[dict[str, Any]]:
    for at, span in enumerate(value.spans, 1):
        spans, called = shown.declared.marking_questions_by_arm[span.arm], shown.of_spans[span.arm]
        names = {label.id: label.name for label in spans.labels}
        place = {"start": span.start, "end": span.end, "text": span.quote}
        to = {"id": f"{ids}-m{at}", "to_name": shown.marked[span.arm]}
        name = called[spans.id]
        labels = {"labels": [names.get(label, label) for label in span.labels]}
        yield to | {"from_name": name, "type": "labels", "value": place | labels}
        for each in spans.of_span:
            if said := span.answers.get(each.id):
                name = called[each.id]
                yield to | {"from_name": name} | _value(each, said, place)
    for name, one in shown.asked.items():
        if name in value.answers:
            to = {"id": f"{ids}-{shown.names[name]}", "to_name": shown.first}
            said = shown.said(name, value.answers[name])
            yield to | {"from_name": shown.names[name]} | _value(one, said, {})


_AS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "rating": lambda said: {"rating": said},
    "number": lambda said: {"number": said},
    "choices": lambda said: {"choices": said if isinstance(said, list) else [str(said)]},
    "textarea": lambda said: {"text": [str(said)]},
}


def _value(one: Question, said: Any, place: Mapping[str, Any]) -> dict[str, Any]:
    kind = _kind(one)
    if one.kind == EVIDENCE:
        quotes = [passage.quote for passage in parse_passages_of_answer(said)] or [str(said)]
        return {"type": kind, "value": {"text": quotes}}
    return {"type": kind, "value": {**place, **_AS[kind](said)}}
