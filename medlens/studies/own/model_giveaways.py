"""What gives away which model wrote what reviewers see: words in texts and headings, and columns
that differ by model alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from medlens.deferred_module import pa, pc
from medlens.studies.own.answers_headed_as_of_machine_and_person import (
    list_answers_headed_as_of_machine_and_person,
)
from medlens.studies.own.authors_by_common_nouns import is_common_noun, is_said_of_author
from medlens.studies.own.columns_outside_the_case import (
    is_headed_as_answer,
    is_headed_as_part_of_a_case,
)
from medlens.studies.own.detect_model_answer_columns import (
    IMAGE_GENERATOR,
    NAMED_MODEL,
    PARTS_OF_NAMES,
    are_headings_without_meaning,
    find_machines_version_of_a_text,
    is_name_of_writer,
    is_question_heading,
    is_word_for_writer,
    narrow_full_width_signs,
    normalise_model_name,
    regex_for_model_name_variants,
    split_model_name,
)
from medlens.studies.own.dialogue_turns import dialogue_as_readable_lines
from medlens.studies.own.forms_of_words_for_writers import (
    is_form_of_word_for_writer,
    list_roots_of_word_for_writer,
    regex_for_forms_of_word_for_writer,
)
from medlens.studies.own.headings_naming_a_machine import (
    Headed,
    list_headings_beside_a_machines,
    list_headings_of_draft_and_final_text,
)
from medlens.studies.own.headings_of_persons_and_machines import is_made_from_other_text
from medlens.studies.own.model_name_masking import mask_names_in_text
from medlens.studies.own.recognise_model_names import (
    is_also_ordinary_word,
    is_distinctive_model_name,
    is_other_thing_of_same_name,
    is_said_of_a_machine,
)
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.texts_saying_machine_wrote import (
    is_name_of_person,
    is_word_for_person,
    phrases_of_machine_about_itself,
)
from medlens.studies.own.words_as_readers_see_them import text_and_its_words_as_seen

_SHORTEST = 3
"""The shortest name, in characters, that can be told from other words."""
_LONGEST_SIGN, _FEWEST_CASES, _MOST_MODELS = 60, 3, 26
_NAMED_ROWS = 3
"""Rows that are named, before the rest are counted."""
MODEL_HEADING = re.compile(
    r"(?i)model|llm|arm\b|system(?![ _]?(finger|prompt|mess|instr))|assistant|\bbot\b"
    r"|^generator([ _.-]?(name|id))?$"
    r"|\bstrateg|[_ ]strateg|prompt[_ ]?(type|style|version|variant|template)|\bpipeline\b"
    r"|mod[eè]le|модель|模型|モデル|모델|نموذج|^malli$|^sist[eè]ma$|^syst[eè]me$|^systeem$"
)
"""The heading of a column that says whose answer a row has."""


@dataclass(frozen=True)
class Telling:
    """A reason why reviewers can tell which model wrote something, as a sentence; ``name`` is what
    can be masked against it, "" if nothing can.
    """

    sentence: str
    name: str = ""


Written = tuple[str, Mapping[str, Any]]
"""The model that wrote an answer ("" if it is not known or has written no part of it), and the
cells."""


def find_model_giveaways(
    declared: StudyDeclaration,
    shared: Sequence[Mapping[str, Any]],
    own: Sequence[Sequence[Written]],
) -> list[Telling]:
    """What gives models away in a study with these cases: the cells that all arms of a case share,
    and for each case the cells of its arms.
    """
    arms = declared.arms.names if declared.arms else ()
    labels = _model_columns(declared)
    if not arms:
        own = [[(_model_of(cells, labels), cells)] for cells in shared]
        shared = []
        written = [one for case in own for one in case]
        of_writers = _are_asked_the_same(declared, written) or _name_writers(labels, written)
        if not of_writers and _are_of_what_is_asked(declared, written):
            # A device has a model too, and its name in a text says nothing of who wrote it.
            own = [[("", cells)] for _, cells in written]
            labels = []
    known = [*arms, *dict.fromkeys(model for case in own for model, _ in case if model)]
    given = {str(cells[name]) for cells in shared for name in labels if cells.get(name)}
    known += sorted(given) if len(given) <= _MOST_MODELS else []
    names = {normalise_model_name(name): name for name in reversed(known) if len(name) >= _SHORTEST}
    return [
        *_in_texts(declared, names, set(map(normalise_model_name, arms)), shared, own),
        *_in_words_about_itself(declared, arms, own),
        *_in_headings(declared, names),
        *(
            _in_headings_of_writers(declared)
            or [*_in_headings_of_a_machines_version(declared, own)]
            or _in_headings_naming_a_machine(declared, own)
            or _in_headings_of_texts_alike(declared, own)
        ),
        *_in_columns(declared, own),
    ]


def _model_columns(declared: StudyDeclaration) -> list[str]:
    """The columns that are not shown and say whose answer an item is."""
    shown = set(declared.shown_text_columns)
    return [
        one.name
        for one in declared.columns
        if one.name not in shown and MODEL_HEADING.search(one.name)
    ]


def _model_of(cells: Mapping[str, Any], labels: Sequence[str]) -> str:
    return next((str(cells[name]) for name in labels if cells.get(name)), "")


_SURELY_WRITERS = re.compile(
    r"(?i)llm|assistant|\bbot\b|generator|strateg|prompt|pipeline|(?<![^\W_])(ai|ki|ia)(?![^\W_])"
)
"""Headings that speak of who wrote a text; a "model" may be that of a device."""


def _name_writers(labels: Sequence[str], written: Sequence[Written]) -> bool:
    """Whether columns say who wrote each answer, by their headings or by a name that is known."""
    headed = any(map(_SURELY_WRITERS.search, labels))
    return headed or any(is_name_of_writer(model) for model, _ in written if model)


def _are_asked_the_same(declared: StudyDeclaration, written: Sequence[Written]) -> bool:
    """Whether several models have the same question."""
    asked = [name for name in declared.shown_text_columns if _ASKED.search(name)]
    models: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for model, cells in written:
        models[tuple(str(cells.get(name) or "") for name in asked)].add(model)
    return bool(asked) and any(len(of) > 1 for said, of in models.items() if any(said))


def _are_of_what_is_asked(declared: StudyDeclaration, written: Sequence[Written]) -> bool:
    """Whether the names in columns headed as models are of what each case is about: of devices, by
    a heading beside them, or another one in each case, or named in most of the questions.
    """
    named = [(model, cells) for model, cells in written if model]
    asked = [name for name in declared.shown_text_columns if _ASKED.search(name)]
    if len(named) < _LEAST_OF_A_KIND or not asked:
        return False
    if any(_OF_DEVICES.search(one.name) for one in declared.columns):
        return True
    if len({model for model, _ in named}) == len(named):
        return True
    there = sum(
        any(model.casefold() in str(cells.get(name) or "").casefold() for name in asked)
        for model, cells in named
    )
    return 2 * there > len(named)


_LEAST_OF_A_KIND = 2
_OF_DEVICES = re.compile(
    r"(?i)(?<![^\W_])(devices?|ger[äa]te?(typ|art)?|manufacturers?|hersteller(in)?|brands?|marke"
    r"|vendor|products?|produkte?|medizinprodukt|dispositi(f|fs|vo|vos|vi)|appareils?|apparaa?t"
    r"|fabricantes?|fabricants?|fabbricante|urz[ąa]dzeni[ea]|producent|implants?|implantate?|scanners?"
    r"|pumps?|pumpe|ventilators?|beatmungsger[äa]t|serial (number|no)|seriennummer)(?![^\W_])"
)


def _in_texts(
    declared: StudyDeclaration,
    names: Mapping[str, str],
    arms: set[str],
    shared: Sequence[Mapping[str, Any]],
    own: Sequence[Sequence[Written]],
) -> Iterator[Telling]:
    shown = declared.shown_text_columns
    # Python takes the first that fits: longer names come first.
    nouns = [name for name in names.values() if is_word_for_person(name)]
    patterns = [*filter(None, map(regex_for_forms_of_word_for_writer, nouns))]
    patterns += map(regex_for_model_name_variants, sorted(names.values(), key=len, reverse=True))
    patterns.append(NAMED_MODEL.pattern.removeprefix("(?i)"))
    any_name = re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)
    parts = [
        *PARTS_OF_NAMES,
        *(split_model_name(name)[0].casefold() for name in names.values()),
        *(root for name in nouns for root in list_roots_of_word_for_writer(name)),
    ]
    counts: Counter[str] = Counter()
    said_by: dict[str, Counter[str]] = defaultdict(Counter)
    answers_of = Counter(normalise_model_name(model) for case in own for model, _ in case)
    spelt: dict[str, str] = {}
    answered = [name for name in shown if not _ASKED.search(name)] or shown
    headed = [name for name in answered if _is_headed_as_of_a_model(name)]
    read: list[tuple[str | None, Mapping[str, Any]]] = [(None, cells) for cells in shared]
    read += [written for case in own for written in case]
    for model, cells, in_file, text in _texts_that_may_name_models(declared, read, parts):
        as_written = len(_hide(in_file, declared))
        seen = _hide(text, declared)
        there = {
            normalise_model_name(name): name
            for found in _INTRODUCED.finditer(seen)
            if (name := found[found.lastgroup or 0]).casefold() not in _NO_NAMES
            and not (name in _TITLES or is_word_for_writer(name))
        }
        # A word that is also a model's name is that name in what a model wrote; elsewhere only if
        # the words beside it say so.
        by_model = answered if model else headed if model is not None else ()
        meant, whole = set(), set()
        for found in any_name.finditer(seen):
            alike = normalise_model_name(found[0])
            if alike not in names and (noun := _noun_of_form(found[0], nouns)):
                # "Antwort des Arztes" names the arm "Arzt", unless an ordinary sentence has it.
                if model is None or not is_said_of_author(seen, found):
                    continue
                alike = normalise_model_name(noun)
            if found.start() > as_written:
                whole.add(alike)
            if is_other_thing_of_same_name(seen, found):
                continue
            if is_also_ordinary_word(alike, names) and is_said_of_a_machine(seen, found):
                meant.add(alike)
            if alike in names and is_common_noun(found[0], names[alike]):
                said_by[alike][normalise_model_name(model or "")] += model is not None
                if model is None or not is_said_of_author(seen, found):
                    continue
            there[alike] = found[0]
        there = {
            alike: words
            for alike, words in there.items()
            if not is_also_ordinary_word(alike, names)
            or _is_said_in(words, cells, answered if alike in meant else by_model)
        }
        if text != in_file:
            # Of "GPT-**4**o" the first part alone is no other model.
            there = {
                alike: words
                for alike, words in there.items()
                if alike in whole or not any(alike != other and alike in other for other in there)
            }
        for name, words in there.items():
            spelt.setdefault(name, names.get(name, words))
        counts.update(there.keys())
    for name, models in said_by.items():
        # Who says it in most answers, where nobody else does, is known by it.
        if name not in counts and models.keys() - {""} == {name}:
            often = models[name] >= max(_FEWEST_CASES, answers_of[name] / 2)
            counts[name] = models[name] if often else 0
            spelt[name] = names[name]
    for name, count in (+counts).most_common():
        texts = f"{count:,} of the texts {'names' if count == 1 else 'name'}"
        if name in arms:
            yield Telling(
                f"{texts} the arm {spelt[name]!r}: reviewers can tell whose answer it is.",
                spelt[name],
            )
            continue
        yield Telling(
            f"Reviewers can tell which model wrote this, because {texts} {spelt[name]!r}.",
            spelt[name],
        )


def _noun_of_form(words: str, nouns: Sequence[str]) -> str:
    """The noun that these words are another form of; "" if none is."""
    return next((noun for noun in nouns if is_form_of_word_for_writer(words, noun)), "")


def _texts_that_may_name_models(
    declared: StudyDeclaration,
    read: Sequence[tuple[str | None, Mapping[str, Any]]],
    parts: Sequence[str],
) -> Iterator[tuple[str | None, Mapping[str, Any], str, str]]:
    """Those of some cells, with who wrote them, in whose words a part of a model's name stands or
    somebody says what they are called; with their words as they are in the file, and those once
    more as they are seen.
    """
    seen_in = declared.columns_with_words_seen
    for at in range(0, len(read), _TEXTS_AT_ONCE):
        some = read[at : at + _TEXTS_AT_ONCE]
        in_files = [
            narrow_full_width_signs(
                "\n".join(str(cells[name]) for name in seen_in if cells.get(name))
            )
            for _, cells in some
        ]
        texts = list(map(text_and_its_words_as_seen, in_files))
        folded = [text.casefold() for text in texts]
        for number in _numbers_of_texts_to_search(texts, folded, parts):
            plain, text = folded[number], texts[number]
            if any(part in plain for part in parts) or _INTRODUCED.search(text):
                yield *some[number], in_files[number], text


def _numbers_of_texts_to_search(
    texts: Sequence[str], folded: Sequence[str], parts: Sequence[str]
) -> Sequence[int]:
    """The places, from 0, of the texts that may hold one of the ``parts`` (``folded``) or words of
    ``_INTRODUCED``. Arrow looks for all of them at once, which Python would do one by one.
    """
    if len(texts) < _MANY_TEXTS:
        return range(len(texts))
    # Each sign by its number: no sign of a name means something else in a pattern.
    any_part = "|".join("".join(f"\\x{{{ord(sign):x}}}" for sign in part) for part in parts)
    try:
        either = pc.or_(
            pc.match_substring_regex(pa.array(folded, pa.large_string()), pattern=any_part),
            pc.match_substring_regex(pa.array(texts, pa.large_string()), pattern=_INTRODUCES),
        )
    except (UnicodeEncodeError, pa.ArrowInvalid):
        # Half a surrogate pair, or more names than one pattern holds.
        return range(len(texts))
    found: list[int] = pc.indices_nonzero(either).to_pylist()
    return found


_MANY_TEXTS, _TEXTS_AT_ONCE = 50, 2_000
_CAPITAL = "[A-ZÀ-Þ]"
_NAME = rf"{_CAPITAL}[\w+.-]*\w\+?(?: (?:[A-ZÀ-Þ0-9][\w+.-]*\w\+?|\d))"
_ARTICLE = r"(?:(?:an?|the|eine?r?|une?|el|la|um|uma|een|ett?|en) )?"
_MACHINE = (
    r"(?:[\w-]+ ){0,3}?(?:AI|A\.I\.|KI|IA|LLM|[Aa]rtificial|k[üu]nstliche\w*|[Cc]hatbot"
    r"|language model|[Vv]irtual|[Dd]igital|[Ss]prachmodell|KI-\w+|AI-\w+|mod[eè]le|modelo|modello"
    r"|taalmodel|spr[åa]kmodell|sprogmodel)\b"
)
_I_AM = (
    "(?:I(?:['’]m| am)|[Mm]y name is|[Ii]ch bin|[Jj]e suis|[Ss]oy|[Ss]ou|[Ss]ono|[Ii]k ben"
    "|[Jj]ag är|[Jj]eg er)"
)
_AS, _MADE_BY = "(?:As|Als|Como|En tant que|Come|Som)", "(?:developed|trained|created) by"
_INTRODUCED = re.compile(
    rf"\b{_I_AM} (?P<am>{_NAME}{{0,3}}),? {_ARTICLE}{_MACHINE}"
    rf"|\b{_AS} (?P<as>{_NAME}{{0,3}}), {_ARTICLE}{_MACHINE}"
    rf"|\bAs (?P<i>{_NAME}{{0,3}}), I\b"
    r"|\b(?:I (?:was|am|have been)|(?:assistant|model|AI|LLM|chatbot)(?: (?:that|which) was)?)"
    rf" {_MADE_BY} (?P<by>{_NAME}{{0,2}})"
)
"""Where who wrote a text says what it is called: "I am Perplexity, an AI assistant"."""
_INTRODUCES = f"(?:{_I_AM}|{_AS}|{_MADE_BY}) {_CAPITAL}"
"""How each of these begins, for Arrow."""
_NO_NAMES = frozenset(
    {"ai", "ki", "ia", "llm", "i", "a", "an", "the", "artificial", "bot", "chatbot", "always"}
)
_TITLES = frozenset({"Dr", "Doctor", "Doktor", "Docteur", "Prof"})


def _in_words_about_itself(
    declared: StudyDeclaration, arms: Sequence[str], own: Sequence[Sequence[Written]]
) -> Iterator[Telling]:
    """Answers that say that a machine wrote them, where a person wrote others."""
    read = [cells for case in own for _, cells in case]
    writers = [*arms] if arms else _writers_in_hidden_cells(declared, read)
    if not any(map(is_name_of_person, writers)):
        return
    shown = declared.shown_text_columns
    answered = [name for name in shown if not _ASKED.search(name)] or shown
    named = [arm.casefold() for arm in writers if len(arm) >= _SHORTEST]
    counts: Counter[str] = Counter()
    texts = 0
    for cells in read:
        said = {
            phrase
            for name in answered
            if cells.get(name)
            for phrase in phrases_of_machine_about_itself(str(cells[name]))
            # An arm that is called so is told of as a name.
            if not any(arm in phrase.casefold() for arm in named)
        }
        counts.update(said)
        texts += bool(said)
    if not texts:
        return
    quoted = ", ".join(f"“{phrase}”" for phrase, _ in counts.most_common(_NAMED_ROWS))
    says = "says" if texts == 1 else "say"
    yield Telling(
        f"Reviewers can tell that a machine wrote this, because {texts:,} of the texts {says}"
        f" {quoted}, and a person wrote others. Take such words out of the table: bars in their "
        f"place would give just as much away."
    )


def _writers_in_hidden_cells(
    declared: StudyDeclaration, read: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Who wrote the answers, by a column that is not shown and has words for writers alone."""
    for one in declared.columns:
        given = {str(cells[one.name]) for cells in read if cells.get(one.name)}
        hidden = one.name not in declared.shown_text_columns
        few = 2 <= len(given) <= _MOST_MODELS
        # One that is known says what the column holds.
        if hidden and few and any(map(is_name_of_writer, given)) and _are_short(given):
            return sorted(given)
    return []


def _are_short(values: Iterable[str]) -> bool:
    return all(len(one) <= _LONGEST_SIGN for one in values)


_ASKED = re.compile(
    r"(?i)(?<![^\W_])(questions?|prompts?|\w{0,40}vignette\w*|\w{0,40}frage|cases?|fall|kasuistik"
    r"|anamnese"
    r"|history|preguntas?|perguntas?|domand[ae]|vra(?:ag|gen)|caso|cas|scenario|presentation"
    r"|sp[øo]rgsm[åa]l|sp[øo]rsm[åa]l|fr[åa]g(?:a|or)|kysymys|pytani[ea]|ot[áa]zk[ay]|k[ée]rd[ée]s|soru"
    r"|[îi]ntrebare|pitanje|ερ[ώω]τηση|שאלה|سؤال|سوال|प्रश्न|pertanyaan|вопрос)"
    r"(?![^\W_])|问题|質問|질문|คำถาม"
)
"""Headings of what was asked."""


_MACHINE_IN_HEADING = re.compile(r"(?i)(?<![^\W_])(ai|ki|ia|llm|\w{0,40}gpt|bot|chatbot)(?![^\W_])")


def _is_headed_as_of_a_model(heading: str) -> bool:
    """Whether a heading says that a model may have written what is below it."""
    words = " ".join(re.findall(r"[^\W_]+", heading)).casefold()
    return bool(
        is_headed_as_answer(words)
        or MODEL_HEADING.search(heading)
        or _MACHINE_IN_HEADING.search(heading)
    )


def _is_said_in(words: str, cells: Mapping[str, Any], columns: Sequence[str]) -> bool:
    return any(
        words in text_and_its_words_as_seen(narrow_full_width_signs(str(cells[name])))
        for name in columns
        if cells.get(name)
    )


def find_rows_naming_model_by_column(
    declared: StudyDeclaration, rows: Sequence[Mapping[str, Any]], name: str
) -> dict[str, list[int]]:
    """The columns of a table that are shown and name a model, with the rows, counted from 1."""
    wide = declared.arms.wide.values() if declared.arms else ()
    stands = {
        own: [of.get(own, own) for of in wide] or [own] for own in declared.columns_with_words_seen
    }
    talks = {
        column
        for pane in declared.panes
        if pane.kind == "dialogue"
        for own in pane.columns
        for column in stands.get(own, [own])
    }
    arms = declared.arms.names if declared.arms else ()
    # As texts are counted: of "GPT-4o" the first part is no model of its own.
    patterns = [*filter(None, [regex_for_forms_of_word_for_writer(name)])]
    patterns += map(regex_for_model_name_variants, sorted(arms, key=len, reverse=True))
    patterns += [NAMED_MODEL.pattern.removeprefix("(?i)"), regex_for_model_name_variants(name)]
    any_name = re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)
    called = normalise_model_name(name)
    found: dict[str, list[int]] = {}
    by_author: dict[str, list[int]] = {}
    for column in dict.fromkeys(one for columns in stands.values() for one in columns):
        for at, row in enumerate(rows, 1):
            if not row.get(column):
                continue
            words = dialogue_as_readable_lines(row[column]) if column in talks else str(row[column])
            seen = text_and_its_words_as_seen(narrow_full_width_signs(_hide(words, declared)))
            named = [
                one
                for one in any_name.finditer(seen)
                if (
                    normalise_model_name(one[0]) == called
                    or is_form_of_word_for_writer(one[0], name)
                )
                and not is_other_thing_of_same_name(seen, one)
            ]
            if named:
                found.setdefault(column, []).append(at)
            if any(is_said_of_author(seen, one) for one in named):
                by_author.setdefault(column, []).append(at)
    return by_author if by_author and is_word_for_person(name) else found


def giveaway_with_rows_in_words(
    telling: Telling,
    declared: StudyDeclaration,
    rows: Sequence[Mapping[str, Any]],
    *,
    number_of_row: Callable[[int], int] = int,
) -> str:
    """What gives a model away, with the columns and rows of the table in which it is named: rows by
    their ``number_of_row``, given their place (from 1).
    """
    found = find_rows_naming_model_by_column(declared, rows, telling.name) if telling.name else {}
    places = {column: [*map(number_of_row, at)] for column, at in found.items()}
    return (
        f"{telling.sentence} ({columns_and_rows_in_words(places)})" if places else telling.sentence
    )


def columns_and_rows_in_words(places: Mapping[str, Sequence[int]]) -> str:
    """The columns and rows of ``find_rows_naming_model_by_column`` as words: “Notes”, rows 1, 4 and
    7.
    """
    return "; ".join(f"“{column}”, {_words_of(rows)}" for column, rows in places.items())


def _words_of(rows: Sequence[int]) -> str:
    if len(rows) == 1:
        return f"row {rows[0]:,}"
    if len(rows) > _NAMED_ROWS + 1:
        first = ", ".join(f"{row:,}" for row in rows[:_NAMED_ROWS])
        return f"rows {first} and {len(rows) - _NAMED_ROWS:,} more"
    return f"rows {', '.join(f'{row:,}' for row in rows[:-1])} and {rows[-1]:,}"


def _hide(text: str, declared: StudyDeclaration) -> str:
    return mask_names_in_text(text, declared.mask)


def list_words_masked_only_as_author(
    declared: StudyDeclaration, cells: Iterable[Mapping[str, Any]]
) -> list[str]:
    """Sentences on names to mask that are words of texts too, such as "doctor": in how many texts
    they stand and stay, as they do not seem to say there who wrote them, and the first of these.
    """
    found = []
    nouns = [name for name in declared.mask if is_word_for_person(name)]
    read = list(cells) if nouns else []
    for name in nouns:
        forms = filter(None, [regex_for_forms_of_word_for_writer(name)])
        pattern = re.compile("|".join([*forms, regex_for_model_name_variants(name)]), re.IGNORECASE)
        examples = []
        for own in read:
            seen = (
                _hide(str(own[column]), declared)
                for column in declared.columns_with_words_seen
                if own.get(column)
            )
            left = next(((text, one) for text in seen if (one := pattern.search(text))), None)
            examples += [_words_around(*left)] if left else []
        if examples:
            texts = "1 text has" if len(examples) == 1 else f"{len(examples):,} texts have"
            found.append(
                f"“{name}” is masked only where it says who wrote a text: {texts} the word"
                f" elsewhere (“{examples[0]}”), and it stays there."
            )
    return found


def _words_around(text: str, word: re.Match[str]) -> str:
    """A word with what stands beside it, in one line."""
    first, last = max(word.start() - _BESIDE, 0), min(word.end() + _BESIDE, len(text))
    words = " ".join(text[first:last].split())
    return f"{'… ' if first else ''}{words}{' …' if last < len(text) else ''}"


_BESIDE = 30
"""How many characters are shown on either side of a word that stays."""


def _in_headings(declared: StudyDeclaration, names: Mapping[str, str]) -> Iterator[Telling]:
    own = [
        re.compile(regex_for_model_name_variants(name), re.IGNORECASE) for name in names.values()
    ]
    files = bool(declared.pane_kinds_by_file_column)

    def named_in(words: str) -> set[str]:
        words = text_and_its_words_as_seen(words)
        there = {normalise_model_name(one.group()) for sign in own for one in sign.finditer(words)}
        drawn = IMAGE_GENERATOR.finditer(words) if files else ()
        named = [*NAMED_MODEL.finditer(words), *drawn]
        return there | {normalise_model_name(one.group()) for one in named}

    headings = [one.title for one in declared.panes]
    headings += [name for one in declared.panes if one.kind == "record" for name in one.columns]
    # A title with the names of all does not say who wrote which, and a common noun in it ("Letters
    # to the doctor") says it of nothing.
    nouns = {
        alike
        for alike, name in names.items()
        if is_word_for_writer(name) and not is_distinctive_model_name(name)
    }
    if len(in_title := named_in(declared.form.title)) == 1 and not in_title <= nouns:
        headings.insert(0, declared.form.title)
    for heading in dict.fromkeys(headings):
        if named_in(heading):
            yield Telling(
                f"Reviewers can tell which model wrote this, because “{heading}” is shown as a"
                " heading: change it."
            )


def _in_headings_of_writers(declared: StudyDeclaration) -> list[Telling]:
    """Answers that are shown from the beginning under headings that say which of them a machine
    wrote, and which a person.
    """
    if declared.arms:
        return []
    headings = [one.title for one in declared.initial_panes if one.kind != "record"]
    headings += [
        name for one in declared.initial_panes if one.kind == "record" for name in one.columns
    ]
    found = list_answers_headed_as_of_machine_and_person(list(dict.fromkeys(headings)))
    if not found:
        return []
    listed = " and ".join(f"“{heading}”" for heading in found)
    return [
        Telling(
            f"Reviewers can tell what a machine wrote and what a person did, because {listed} are"
            " shown as headings. To compare them, make each the answer of one model (--answer-of on"
            " the command line): reviewers then see letters, in a drawn order. If they should know,"
            " add it all the same."
        )
    ]


def _in_headings_of_a_machines_version(
    declared: StudyDeclaration, own: Sequence[Sequence[Written]]
) -> Iterator[Telling]:
    """Two texts of one kind that are shown under headings of which one says that a machine wrote it
    ("Befund", "KI-Befund"), unless the machine's was made from the other: versions, perhaps.
    """
    if declared.arms:
        return
    column_of = {
        heading: name
        for pane in declared.initial_panes
        if pane.kind in ("text", "markdown", "record")
        for name in pane.columns
        for heading in [name if pane.kind == "record" else pane.title]
    }
    version = find_machines_version_of_a_text([*column_of])
    if version is None:
        return
    texts = [
        [text for case in own for _, cells in case if (text := str(cells.get(name) or ""))]
        for name in (column_of[version.machine], column_of[version.other])
    ]
    if all(texts) and not is_made_from_other_text(version, *texts):
        yield Telling(
            f"Reviewers can tell who wrote which, if “{version.other}” and “{version.machine}” are"
            " two versions of one text to compare: they are shown with these headings. Make each"
            " the answer of one model (--answer-of on the command line). If one was made from"
            " the other, add it all the same."
        )


def _in_headings_naming_a_machine(
    declared: StudyDeclaration, own: Sequence[Sequence[Written]]
) -> list[Telling]:
    """Texts and short details that are shown under a heading that names a machine, beside others
    that are no part of the case; and drafts beside what became of them.
    """
    if declared.arms:
        return []
    cells = [cells for case in own for _, cells in case]
    told = {
        name: (name if pane.kind == "record" else pane.title, pane.kind != "record")
        for pane in declared.initial_panes
        if pane.kind in ("text", "markdown", "record")
        for name in pane.columns
    }

    def mean_length(name: str) -> float:
        return sum(len(str(of.get(name) or "")) for of in cells) / max(len(cells), 1)

    columns = [
        Headed(*told.get(one.name, (one.name, False)), 1, shown=one.name in told)
        for one in declared.columns
    ]
    if not (
        list_headings_beside_a_machines(columns) or list_headings_of_draft_and_final_text(columns)
    ):
        # Of a large table only the lengths take time.
        return []
    columns = [
        replace(headed, length=mean_length(one.name))
        for headed, one in zip(columns, declared.columns, strict=True)
    ]
    hidden = {one.heading for one in columns if not one.shown}
    if found := list_headings_beside_a_machines(columns):
        what = "what a machine wrote and what it did not"
    elif found := list_headings_of_draft_and_final_text(columns):
        what = "which text was a draft and which became of it"
    else:
        return []
    shown = [f"“{heading}”" for heading in found if heading not in hidden]
    listed = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
    shown_as = "is shown as a heading" if len(shown) == 1 else "are shown as headings"
    return [
        Telling(
            f"Reviewers can tell {what}, because {listed} {shown_as}. To compare texts, make each"
            " the answer of one model (--answer-of on the command line): reviewers then see"
            " letters, in a drawn order. Do not show what they should decide themselves. If they"
            " should know, or all else belongs to the case, add it all the same."
        )
    ]


_LIKE_LENGTH, _LONG_ENOUGH = 1.5, 60
"""By how much the mean lengths of answers to one question differ at most, and their least one."""


def _in_headings_of_texts_alike(
    declared: StudyDeclaration, own: Sequence[Sequence[Written]]
) -> Iterator[Telling]:
    """Texts of one length that are shown beside a question under headings that say nothing: answers
    of several, perhaps, with the names of who wrote them.
    """
    if declared.arms:
        return
    panes = [one for one in declared.initial_panes if one.kind in ("text", "markdown")]
    rest = [one for one in panes if not is_question_heading(one.title)]
    cells = [cells for case in own for _, cells in case]
    if len(rest) == len(panes) or len(rest) < 2 or not cells:
        return
    lengths = [sum(len(str(one.get(pane.columns[0]) or "")) for one in cells) for pane in rest]
    alike = max(lengths) <= _LIKE_LENGTH * min(lengths)
    if not alike or max(lengths) < _LONG_ENOUGH * len(cells):
        return
    titles = [one.title.casefold() for one in rest]
    meant = any(is_headed_as_answer(one) or is_headed_as_part_of_a_case(one) for one in titles)
    if not meant and are_headings_without_meaning(titles):
        listed = " and ".join(f"“{one.title}”" for one in rest)
        yield Telling(
            f"Reviewers can tell who wrote which, if {listed} are answers to compare: they are"
            " shown with these headings. Make each the answer of one model (--answer-of on the"
            " command line). If they are parts of one case, add it all the same."
        )


def _in_columns(declared: StudyDeclaration, own: Sequence[Sequence[Written]]) -> Iterator[Telling]:
    """Short cells that are the same in all answers of a model and differ between models."""
    if len(own) < _FEWEST_CASES:
        return
    for column in declared.shown_text_columns:
        signs: dict[str, set[str]] = defaultdict(set)
        answers = 0
        for case in own:
            for model, cells in case:
                signs[model].add(str(cells.get(column) or ""))
                answers += 1
        # Of a model with one answer each cell is the same, such as a device's in a tidy table.
        if answers < 2 * len(signs):
            continue
        values = [next(iter(one)) for one in signs.values() if len(one) == 1]
        # Each model has a value of its own, in all its answers.
        if not (
            2 <= len(signs) <= _MOST_MODELS
            and "" not in signs
            and len(values) == len(set(values)) == len(signs)
            and all(len(one) <= _LONGEST_SIGN for one in values)
        ):
            continue
        yield Telling(
            f"Reviewers can tell which model wrote this, because the column {column!r} has the"
            f" same for all answers of a model, and another for each: {values[0]!r},"
            f" {values[1]!r}. Do not show it."
        )
