"""Which columns of a table stand beside the case rather than belong to it.

Tables of surveys, platforms and evaluations keep much beside what is judged: what somebody thought
of an answer, who and when, how the answer was made. No list of headings has all of it. So a short
column is shown only if it belongs to the case by its place or its heading: where both leave doubt,
it is not shown, and the lead is told and can show it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from medlens.deferred_regex import compile_later


@dataclass(frozen=True)
class Candidate:
    """A column that would be shown: its heading in plain lower-case ``words``, its filled cells as
    ``texts``, whether it is something to read (``long``), one of the answers that are compared
    (``answer``), and whether the models of a case differ in it (``by_arm``). It may hold what was
    decided (``decides``), or what ``belongs`` to a case by its form: options to choose from, a
    dialogue; its cells may identify a
    patient (``identifies``), or say how an answer came about (``says_how``).
    """

    name: str
    words: str
    texts: Sequence[str]
    long: bool
    answer: bool = False
    by_arm: bool = False
    decides: bool = False
    belongs: bool = False
    identifies: bool = False
    says_how: bool = False


_FEWEST = 3
"""Rows from which on a cell that is always the same says nothing about an item."""
_LONGEST_TOKEN = 200
_HEADED_AS_ANSWER = compile_later(
    r"\b(answers?|antwort\w*|responses?|reponses?|respuestas?|respostas?|rispost[ae]|antwoord(en)?"
    r"|repl(y|ies)|outputs?|completions?|generations?|generated|generation text|predict\w*"
    r"|summar(y|ies)|\w*zusammenfassung|resumes?|resumen|resumo|riassunto|samenvatting"
    r"|uitvoer|ausgabe|uscita|svar|vastaus|odpoved|odpowiedz|cevap|yanit|advice|chatbot reply)\b"
    r"|ответ|回答|答案|答复|回复|応答|답변|응답|اجابة|إجابة"
)
"""Headings of what a model, or a person in its place, wrote."""
_READ_BESIDE = compile_later(
    r"\b(questions?|prompts?|fragen?|quer(y|ies)|preguntas?|perguntas?|domand[ae]|vra(ag|gen)|soru"
    r"|instructions?|inputs?|cases?|vignettes?|fall\w*|caso|cas|casus|text|message"
    r"|letter|\w*brief|sources?|quelle\w*|fuente\w*|context|kontext|contexto|contexte|passages?"
    r"|abstracts?|evidence|evidenz|documents?|dokument\w*|articles?|artikel|paper|retrieved\w*"
    r"|chunks?|citations?|cited\w*|belege?|histor(y|ia)|anamnese|befund\w*|findings?|scenario|topic"
    r"|title|titel|transcript|conversations?|dialog\w*|statements?|claims?|sentences?|paragraph)\b"
    r"|问题|質問|질문|سؤال|вопрос"
)
"""Headings of texts that are read beside an answer."""
_CLINICAL = compile_later(
    r"\b(age|alter|edad|idade|eta|leeftijd|yas|sex|sexe|sexo|sesso|gender|geschlecht|geslacht"
    r"|weight|gewicht|poids|peso|height|gro(ss|s)e|groesse|taille|talla|bmi|years?|jahre|ethnicity"
    r"|blood pressure|blutdruck|rr|bp|sbp|dbp|systol\w*|diastol\w*|pulse?|puls|heart rate|hr"
    r"|herzfrequenz|fc|o2 sat\w*|temp(erature|eratur|eratura)?|fever|fieber|spo2|sats?"
    r"|sauerstoff\w*|resp\w* rate|af|gcs|vitals?|vitalzeichen|labs?|labor\w*|crp|pct"
    r"|h(a?e)?moglobin\w*|hb|hba1c"
    r"|creatinine?|kreatinin|creatinina|egfr|gfr|urea|harnstoff|potassium|kalium|k|na|sodium|natrium"
    r"|gluco[sz]e|glukose|troponin\w*|lactate?|laktat|leu[ck]o\w*|wbc|plt|platelets?|thrombo\w*"
    r"|inr|bilirubin|alt|ast|got|gpt|ggt|ldh|ck|bnp|ddimer|d dimer|tsh|ferritin|albumin|ph|pco2|po2"
    r"|symptom\w*|sintomas?|beschwerden|complaints?|presenting\w*|motif\w*|motivo de consulta"
    r"|anamnes\w*|history|historia|antecedent\w*|comorbid\w*|vorerkrankung\w*|allerg\w*|medication\w*"
    r"|medikament\w*|medicamentos?|medicatie|drugs?|dose|dosis|dosage|dosierung|therap\w*|treatment"
    r"|smok\w*|raucher\w*|alcohol|pregnan\w*|schwanger\w*|gestation\w*|ssw|parity|bmi|ecog|asa"
    r"|exam\w*|untersuchung\w*|befund\w*|findings?|imag(e|ing)\w*|bildgebung|modality|modalitat"
    r"|ecg|ekg|xray|x ray|ct|mri?t?|ultrasound|sono\w*|body (part|site|region)|side|seite|organ"
    r"|lokalisation|location|localization|fachgebiet|fach|specialty|speciality|discipline"
    r"|department|abteilung|station|ward|setting|topic|thema|subject"
    r"|theme|chapter|kapitel|section|disease|krankheit|indikation|indication|population"
    r"|intervention|comparator|comparison|title|titel|titulo|titre|journal|authors?|year"
    r"|jahr|source|quelle|fuente|language|sprache|idioma|langue|lang|audience|options?"
    r"|choices?|opci?on\w*|optionen|opties|(antwoord)?keuzes|antwoordopties|opzioni|opcoes"
    r"|alternativ(as?|es?|en|er)|antwortmoglichkeiten|propositions|valgmuligheder|questions?|frage|prompt"
    r"|title|species|stage|stadium"
    r"|grade tumou?r|urgency|complaint|context|hint|hinweis|image|caption|abstract"
    r"|keywords?)\b"
    r"|年龄|性别|科室|年齢|性別"
)
"""Headings of what belongs to a case, wherever it stands."""
_OF_A_STORY = compile_later(
    r"\b(\w*verlauf|anlass|\w*aufnahme\w*|\w*vorstellung\w*|\w*grund|status|(hospital )?course"
    r"|admission|background|evolucion|evolution|curso|motivo|motif|exploracion|examen|exame|esame"
    r"|decorso|beloop|voorgeschiedenis|onderzoek|situati(on|e)|situacion|situazione|sachverhalt"
    r"|operation|procedure|eingriff|problem\w*|tasks?|aufgabe|auftrag|plan|reden|reason|notes?)\b"
)
"""Headings of how a case went, in whatever words."""
_OF_THE_WHOLE_TABLE = compile_later(
    r"(.* )?(sources?|quelle|fuente|bron|fonte|languages?|sprache|idioma|langue|lang|lingua|taal"
    r"|journal|authors?|year|jahr|audience|keywords?|topic|thema|theme|chapter|kapitel|section"
    r"|specialty|speciality|fach(gebiet)?|discipline|department|abteilung)"
)
"""Headings, in words, of what says nothing about an item if it is the same in every row."""
_A_FLAG = compile_later(r"(?i)true|false")
_COUNTED = compile_later(r"\b(tokens?|num|index|idx|count|length|chars|characters|requests)\b")
"""Headings of what a program counts, whatever it counts it of."""
_NUMBER_OF = compile_later(
    r"\b(answer|antwort|response|reponse|respuesta|reply|output|completion|summary)\w*"
    r"( \w+)? (wc|words|length|len|chars?|characters|sentences|worter|zeichen|mots|palabras)$"
)
"""Headings of how long an answer is."""
_IS_A_NUMBER = compile_later(r"\d+(?:[.,]\d+)?")
_UNIT = compile_later(
    r"(?i)[(\[]\s*(?:[µumkdn]?(?:g|l|mol|m|iu|ie|u|eq|kat)(?:\s*/\s*\w+)?|mm ?hg|%|°\s?[cf]|bpm"
    r"|/?min|kg(?:/m.)?|cm|years?|yrs?|jahre?|a|ans|años|months?|monate?|weeks?|days?|tage?)\s*[)\]]"
)
_AN_ID = compile_later(
    r"(?i)(^|[_ .-])(ids?|uuid|guid|hash|key|index|idx)$|(?-i:[a-z](?:Ids?|ID)$)"
)
_TOKEN = compile_later(
    r"\w+://\S+|(?:\.{0,2}/)?(?:[\w.-]+/)+[\w.-]+|[\w.+-]+@[\w-]+\.[\w.-]+|\d{1,3}(?:\.\d{1,3}){3}"
    r"|(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z0-9_-]{10,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]+"
    r"|\d{9,}(?:\.\d+)?"
)
"""Addresses, paths, hashes, numbers of a platform: nothing that a clinician reads."""
_A_MOMENT = compile_later(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}[T ]\d{1,2}:\d\d.*"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d.*"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d.*"
)


_ACCENTS = compile_later("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")
"""Of Latin, Greek and Cyrillic letters, and the signs for vowels of Hebrew and Arabic."""

_WORD = compile_later(r"(?:[^\W_]|[\u0900-\u0963\u0966-\u0dff\u0e00-\u0e7f])+")
"""Vowels of Indian languages and of Thai are no letters to Python."""


def heading_as_plain_lower_case_words(name: str) -> str:
    """A column's name in lower case, without accents, its words apart: ``goldAnswer`` too."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFC", name))
    letters = unicodedata.normalize("NFKD", apart).casefold()
    # Korean syllables and Japanese letters would come apart: accents go, and all else is as it was.
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", letters))
    return " ".join(_WORD.findall(plain))


def is_headed_as_answer(words: str) -> bool:
    """Whether a heading, in plain lower-case ``words``, is of what a model or a person wrote."""
    return bool(_HEADED_AS_ANSWER.search(words))


def is_headed_as_part_of_a_case(words: str) -> bool:
    """Whether a heading, in plain lower-case ``words``, is of what is read beside an answer, or of
    what belongs to a clinical case.
    """
    return any(one.search(words) for one in (_READ_BESIDE, _CLINICAL, _OF_A_STORY))


def find_columns_to_hide_at_first(columns: Sequence[Candidate]) -> set[str]:
    """The names of those columns that reviewers should not see at first, in a table whose columns
    are in this order.
    """
    at = _judged(columns)
    if at is None:
        # Nothing to read, and nothing that is headed as an answer: ratings and figures, perhaps.
        return {one.name for one in columns if _is_beside(one, behind=True, known=True)}
    judged = columns[at]
    known = judged.answer or judged.by_arm or bool(_HEADED_AS_ANSWER.search(judged.words))
    found = set()
    for place, one in enumerate(columns):
        if one is judged or one.answer or not one.texts:
            continue
        if one.long:
            # A path may name a file that is shown.
            beside = (_is_token(one) and not one.belongs) or bool(_AN_ID.search(one.name))
            beside = beside or (place > at and known and _is_left_out_behind(one, judged))
        else:
            beside = _is_beside(one, behind=place > at, known=known)
        if beside:
            found.add(one.name)
    return found


def _judged(columns: Sequence[Candidate]) -> int | None:
    """The place of the column that is judged: the last answer that is compared, a text in which the
    models differ, the first text headed as an answer, or the last text; without any text the first
    column headed as an answer, a decision or a question.
    """
    texts = [
        at
        for at, one in enumerate(columns)
        if one.long and one.texts and not (one.says_how or _is_token(one))
        if not _AN_ID.search(one.name)
    ]
    answers = [at for at, one in enumerate(columns) if one.answer]
    if answers:
        return answers[-1]
    own = [at for at in texts if columns[at].by_arm]
    if own:
        headed = [at for at in own if _HEADED_AS_ANSWER.search(columns[at].words)]
        return max(headed or own, key=lambda at: sum(map(len, columns[at].texts)))
    headed = [at for at in texts if _HEADED_AS_ANSWER.search(columns[at].words)]
    if headed or texts:
        return headed[0] if headed else texts[-1]
    kinds: Sequence[Callable[[Candidate], object]] = (
        lambda one: _HEADED_AS_ANSWER.search(one.words),
        lambda one: one.decides,
        lambda one: _READ_BESIDE.search(one.words),
    )
    for signs in kinds:
        short = [at for at, one in enumerate(columns) if _has_words(one) and signs(one)]
        if short:
            return short[0]
    return None


def has_column_to_judge(columns: Sequence[Candidate]) -> bool:
    """Whether a table has a text, or a column whose heading says that it can be judged."""
    return _judged(columns) is not None


def _has_words(one: Candidate) -> bool:
    """Whether a column holds words rather than numbers, and names nothing."""
    return not _AN_ID.search(one.name) and any(
        not text.replace(".", "").replace(",", "").isdecimal() for text in one.texts
    )


def _is_left_out_behind(one: Candidate, judged: Candidate) -> bool:
    """Whether a text behind the answer is something else than a text to read beside it."""
    if len(one.texts) >= _FEWEST and len(set(one.texts)) == 1:
        return True
    if one.by_arm:
        return False
    extended = set(one.words.split()) > set(judged.words.split()) and not judged.answer
    headed = _HEADED_AS_ANSWER.search(one.words)
    return extended or not (headed or _READ_BESIDE.search(one.words) or one.belongs)


def _is_beside(one: Candidate, *, behind: bool, known: bool) -> bool:
    """Whether a short column is none of the case."""
    if one.identifies:
        return True
    if one.belongs:
        return False
    if _is_token(one) or all(map(_A_MOMENT.fullmatch, one.texts)) or _AN_ID.search(one.name):
        return True
    clinical = not (one.says_how or _COUNTED.search(one.words)) and bool(
        _CLINICAL.search(one.words) or _UNIT.search(one.name)
    )
    if _NUMBER_OF.search(one.words) and all(map(_IS_A_NUMBER.fullmatch, one.texts)):
        return True
    # A model may have answered all alike; what is a part of an answer by its path is none.
    part = heading_as_plain_lower_case_words(one.name.strip(" .").rpartition(".")[2])
    judged = not known and _HEADED_AS_ANSWER.search(part)
    if one.texts and all(map(_A_FLAG.fullmatch, one.texts)) and _READ_BESIDE.search(one.words):
        # Whether a program cut or repeated a prompt.
        return True
    clinical_value = clinical and not _OF_THE_WHOLE_TABLE.fullmatch(part)
    if len(one.texts) >= _FEWEST and len(set(one.texts)) == 1 and not (clinical_value or judged):
        return True
    if one.by_arm and known:
        return not (clinical or one.decides or _HEADED_AS_ANSWER.search(one.words))
    headed = not known and (
        one.decides or _HEADED_AS_ANSWER.search(one.words) or _READ_BESIDE.search(one.words)
    )
    return behind and not clinical and not headed


def _is_token(one: Candidate) -> bool:
    return bool(one.texts) and all(map(is_address_path_or_hash, one.texts))


def is_address_path_or_hash(text: str) -> bool:
    """Whether a cell is an address, a path, a hash or a number of a platform."""
    return len(text) <= _LONGEST_TOKEN and bool(_TOKEN.fullmatch(text))
