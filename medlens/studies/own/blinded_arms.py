"""Arms: several models' answers to one case, shown without their names.

A rater sees them as A, B, … in an order drawn for them and kept in their judgment. The store has
the names of the arms; the browser only gets the letters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from string import ascii_uppercase
from typing import Any, Literal

from medlens.config.question_forms_and_answer_checks import OF_ARMS, Form, Question
from medlens.config.toml_file import TomlFile

Show = Literal["together", "apart"]
MOST_TOGETHER = 6
"""Arms shown side by side: nobody can keep more of them apart."""
MOST = len(ascii_uppercase)
ARM, CASE, ARMS, ORDER = "arm", "case", "arms", "order"
"""Keys in an item next to its columns, and in a judgment next to its answers."""
TIE = "tie"
_STRENGTHS = ("clearly", "slightly")


@dataclass(frozen=True)
class Arms:
    """The arms of a study.

    Either all arms of a case are shown ``together``, or each by itself (``apart``), and then a
    rater gets one per case, unless ``several``. In the items' file ``column`` holds the arm, or
    ``wide`` gives, by arm, the columns with its own cells. ``own`` are the columns in which arms
    differ, ``called`` is the word before an arm's letter. ``models`` are, by arm, the models of the
    settings that write its answers in a run. ``also`` are further spellings of the arms' names in
    the items' file, each with the arm.
    """

    names: tuple[str, ...]
    show: Show
    several: bool
    column: str
    wide: Mapping[str, Mapping[str, str]]
    own: tuple[str, ...]
    called: str
    models: Mapping[str, str]
    also: Mapping[str, str] = field(default_factory=dict)


def read_arms_of_study_file(file: TomlFile, own: Sequence[str], called: str) -> Arms | None:
    """The ``[[arm]]`` tables of a study's file, None if it has none; errors are collected in
    ``file``.
    """
    tables = file.list_tables_named("arm", required=False)
    fields = ("show_arms", "arm_column", "several_arms")
    if not tables:
        for field in fields:
            if field in file.top.values:
                file.record_field_mistake(
                    file.top, field, "an [[arm]] for each of the arms that this is about"
                )
        return None
    show = file.read_choice_field(file.top, "show_arms", ("together", "apart"), "together")
    names, wide, models = [], {}, {}
    also: dict[str, str] = {}
    for table in tables:
        file.record_unknown_fields(table, ("name", "columns", "model", "also"))
        name = file.read_text_field(table, "name")
        models[name] = file.read_text_field(table, "model", name)
        if name == TIE or any(sign in name for sign in ";:/,"):
            file.record_field_mistake(table, "name", 'a name without , ; : and /, and not "tie"')
        names.append(name)
        for spelling in file.read_text_list_field(table, "also", what="names"):
            if also.setdefault(spelling, name) != name:
                file.record_field_mistake(
                    table, "also", f"another name than {spelling}: another arm has it"
                )
        stands = table.values.get("columns", {})
        if not isinstance(stands, dict) or (stands and set(stands) != set(own)):
            say = ", ".join(f'{one} = "COLUMN"' for one in own)
            file.record_field_mistake(table, "columns", f"{{ {say} }}")
        elif stands:
            wide[name] = {str(one): str(column) for one, column in stands.items()}
    file.record_duplicate_values(tables, "name")
    for table in tables:
        taken = set(names) & set(file.read_text_list_field(table, "also"))
        if taken - {str(table.values.get("name"))}:
            file.record_field_mistake(
                table, "also", f"another name than {min(taken)}: it is an arm's own"
            )
    if wide and len(wide) < len(tables):
        bare = next(one for one in tables if not one.values.get("columns"))
        file.record_field_mistake(bare, "columns", "columns for this arm too: the others have some")
    most = MOST_TOGETHER if show == "together" else MOST
    if not 2 <= len(tables) <= most:
        file.record_field_mistake(tables[-1], "name", f"2 to {most} arms")
    if not own:
        file.record_field_mistake(
            tables[0], "name", "a [[column]] with by_arm = true, in which the arms differ"
        )
    return Arms(
        names=tuple(names),
        show="together" if show == "together" else "apart",
        several=file.read_flag_field(file.top, "several_arms", default=False),
        column=file.read_text_field(file.top, "arm_column", ARM),
        wide=wide,
        own=tuple(own),
        called=called,
        models=models,
        also=also,
    )


# -- who sees what ---------------------------------------------------------------------------------


def random_arm_order(arms: Sequence[str], *, item: str, rater: str, seed: int) -> list[str]:
    """The order in which a rater sees an item's arms: random, but always the same."""
    return sorted(arms, key=lambda arm: _digest(str(seed), rater, item, arm))


def item_name_of_arm(study: str, case: str, arm: str) -> str:
    """The item name of an arm of a case, which does not reveal the arm."""
    return f"{case}-{_digest(study, case, arm).hex()[:6]}"


def _digest(*parts: str) -> bytes:
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def list_letters_naming_arms(count: int) -> list[str]:
    """The names of this many arms in the browser."""
    return list(ascii_uppercase[:count])


# -- what is asked ---------------------------------------------------------------------------------


def question_id_for_arm(question: str, arm: str) -> str:
    """The id of a question about one arm."""
    return f"{question} / {arm}"


def name_of_further_answer_column(question: str, end: str) -> str:
    """The name of a further column of a question's answer; keeps the question's arm."""
    name, sign, arm = question.partition(" / ")
    return f"{name}_{end}{sign}{arm}"


def spread_questions_over_arms(
    questions: Sequence[Question],
    ids: Sequence[str],
    labels: Sequence[str],
    *,
    told: bool = True,
) -> tuple[Question, ...]:
    """Questions as asked about an item with these arms.

    Questions about each arm are repeated for each, grouped by arm; a preference is a choice between
    ``ids``, a ranking one scale per arm. ``labels`` are the arms' names for the rater: in each
    question if ``told``, otherwise as headings.
    """
    each = {one.id for one in questions if one.each}
    found: list[Question] = []
    block: list[Question] = []

    def close() -> None:
        for arm, label in zip(ids, labels, strict=True):
            for at, one in enumerate(block):
                heads = [] if told else [label] if at == 0 else []
                part = " – ".join([*heads, *([one.part] if one.part else [])])
                by = one.only_if
                if by and by[0] in each:
                    by = (question_id_for_arm(by[0], arm), by[1])
                text = f"{one.text} ({label})" if told else one.text
                own = replace(one, original=dict(one.originals).get(arm, ""), originals=())
                name = question_id_for_arm(one.id, arm)
                found.append(replace(own, id=name, text=text, part=part, only_if=by))
        block.clear()

    for one in questions:
        if one.each:
            block.append(one)
            continue
        close()
        if one.kind in OF_ARMS and len(ids) < 2:
            continue  # One answer is compared with none.
        if one.kind == "preference":
            found.append(preference_question_as_choice_question(one, ids))
        elif one.kind == "ranking":
            for at, (arm, label) in enumerate(zip(ids, labels, strict=True)):
                part = " – ".join(part for part in (one.part, one.text) if part)
                found.append(
                    replace(
                        question_about_rank_of_one_arm(one, len(ids)),
                        id=question_id_for_arm(one.id, arm),
                        text=f"{one.text} ({label})" if told else label,
                        part="" if told or at else part,
                        help="" if at else one.help,
                    )
                )
        else:
            found.append(one)
    close()
    return tuple(found)


def make_questions_of_arms_optional(
    questions: Sequence[Question], arms: Collection[str], *, answered: int
) -> list[Question]:
    """The questions, of which those about these arms need no answer: there is nothing to judge. If
    fewer than two arms ``answered``, none needs to be preferred.
    """
    return [
        replace(one, required=False)
        if one.id.partition(" / ")[2] in arms or (one.chooses_arm and answered < 2)
        else one
        for one in questions
    ]


def preference_question_as_choice_question(question: Question, ids: Sequence[str]) -> Question:
    """A preference as a choice between these arms."""
    options = [*ids[:1], TIE, *ids[1:]] if len(ids) == 2 else [*ids, TIE]
    if question.strength and len(ids) == 2:
        strong, weak = _STRENGTHS
        first, second = ids
        options = [
            *(f"{first}, {how}" for how in (strong, weak)),
            TIE,
            *(f"{second}, {how}" for how in (weak, strong)),
        ]
    return replace(question, kind="single", options=tuple(options), chooses_arm=True)


def preferred_arm(answer: Any) -> str:
    """The arm that a preference names, or "tie"."""
    return str(answer).partition(", ")[0]


def preference_as_option(question: Question, answer: Any) -> Any:
    """A preference as one of the ``question``'s options. Where one of three answers is missing, how
    much better one of the other two is was asked, which the question of the whole study lacks.
    """
    if not question.chooses_arm or answer is None or answer in question.options:
        return answer
    arm = preferred_arm(answer)
    return arm if arm in question.options else answer


def could_option_be_chosen(
    question: Question, option: str, *, version: int, order: Sequence[str]
) -> bool:
    """Whether an answer to this version of a study's file could be this option: the version offers
    it and, if the options are arms, this one was among those shown (``order``; empty: unknown).
    """
    if not question.may_version_offer_option(option, version):
        return False
    arm = preferred_arm(option)
    return not (question.chooses_arm and arm != TIE and order) or arm in order


def question_about_rank_of_one_arm(question: Question, count: int) -> Question:
    """The place of one arm in a ranking, as a scale."""
    return replace(question, kind="scale", minimum=1, maximum=count, low="best", high="worst")


def list_ranking_faults_in_words(
    questions: Sequence[Question], order: Sequence[str], answers: Mapping[str, Any]
) -> list[str]:
    """What is wrong with each ranking as a whole, in sentences."""
    found = []
    for one in questions:
        if one.kind != "ranking" or one.ties:
            continue
        places = [
            answers[name] for arm in order if (name := question_id_for_arm(one.id, arm)) in answers
        ]
        if len(set(places)) < len(places):
            found.append(f"{one.text} – please give each place once.")
        elif places and len(places) < len(order):
            found.append(f"{one.text} – please give each a place, or none.")
    return found


# -- between the browser and the store -------------------------------------------------------------


@dataclass(frozen=True)
class ArmQuestionsAsShown:
    """The questions about an item as its rater sees them, and as their answers are stored."""

    asked: tuple[Question, ...]
    kept: Form

    def field_values_of_answers(self, entered: Mapping[str, str | None]) -> dict[str, str | None]:
        """The values of the fields, from the stored answers; an option not offered stays."""
        found = {}
        for here, there in zip(self.asked, self.kept.questions, strict=True):
            value = entered.get(there.id)
            if value in there.options and here.options != there.options:
                value = here.options[there.options.index(value)]
            found[here.id] = value
        return found

    def stored_answers_with_changed_fields(
        self, answers: Mapping[str, Any], said: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The stored answers, updated with what was ``said`` by field: an answer, or None for
        none.
        """
        found = dict(answers)
        for here, there in zip(self.asked, self.kept.questions, strict=True):
            if here.id not in said:
                continue
            found.pop(there.id, None)
            value = said[here.id]
            if value is not None:
                offered = here.options != there.options and value in here.options
                found[there.id] = there.options[here.options.index(value)] if offered else value
        return found


def list_arm_order_faults_in_words(order: Sequence[str], there: Sequence[str]) -> list[str]:
    """What is wrong with the order of an item's arms, in sentences."""
    if sorted(order) != sorted(there):
        return ["The order of the arms is not that of this item."]
    return []


def list_names_of_arms_in_item(body: Mapping[str, Any]) -> list[str]:
    """The arms of an item that is shown with all its arms."""
    found = body.get(ARMS)
    return list(found) if isinstance(found, Mapping) else []
