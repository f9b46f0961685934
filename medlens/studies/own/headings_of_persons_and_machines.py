"""Headings that say of one text which of several columns a person wrote and which a machine
("Arztantwort" and "KI-Antwort", "Legesvar" and "AI-svar", "doctorReply" and "aiReply"), or that one
of them is a machine's version of the other ("Befund" and "KI-Befund").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import (
    heading_as_plain_lower_case_words,
    is_headed_as_answer,
)
from medlens.studies.own.texts_saying_machine_wrote import is_word_for_person

_EAST_ASIAN_WRITER = compile_later(
    r"(医師|医者|人間|看護師|専門家|薬剤師|医生|医师|人类|专家|护士|医護人員|医护人员|醫師|醫生|의사|인간|전문의|간호사|전문가"
    r"|人類|專家|護士|人手|人力|人工(?!智|知)|사람|機械|机器(?!人)|機器(?!人)|기계"
    r"|人工智能|人工智慧|人工知能|大语言模型|语言模型|大模型|聊天机器人|生成AI|チャットボット|言語モデル"
    r"|生成モデル|인공지능|챗봇|언어\s?모델|(?<![A-Za-z])AI(?![A-Za-z]))(?:作成|生成|撰写|작성)?[の的의]?"
)
"""Who writes, in languages without spaces between words, with what joins it to what is written."""
_ARTIFICIAL_INTELLIGENCE = compile_later(
    r"(?i)(?:intell?igen[zc]i?a|intelig[êe]ncia|intelligence) artificiel?l?e?"
    r"|(?:intell?igen[zc]i?a|intelig[êe]ncia) artificiale?"
    r"|artificial intelligence|künstlichen? intelligenz|kunstmatige intelligentie"
    r"|kunstig intelligens|artificiell intelligens|sztuczn\w+ inteligencj\w+"
    r"|um[ěe]l\w+ inteligenc\w+|yapay zek[âa]\w*|искусственн\w+ интеллект\w*|штучн\w+ інтелект\w*"
    r"|(?:ال)?ذكاء (?:ال)?اصطناعي|(?:large )?language models?|هوش مصنوعی"
    r"|mesterséges intelligenci\w+"
    r"|τεχνητή\w* νοημοσύνη\w*|בינה מלאכותית|कृत्रिम बुद्धिमत्ता|(?:b[üu]y[üu]k )?dil model\w*"
    r"|model\w* j[ęe]zyko\w+|jazyko\w+ model\w*|nyelvi modell\w*|язык\w+ модел\w*|мовн\w+ модел\w*"
    r"|γλωσσικό μοντέλο|מודל שפה|(?:ال)?نموذج (?:ال)?لغوي|مدل زبانی|भाषा मॉडल"
)
"""A machine in several words."""
_NEW_WORD = compile_later(
    r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])"
    r"|(?<![^\W_])(?<=AI|KI|IA)(?=[a-zß-ÿ]{3})|(?<![^\W_]LLM)(?<=LLM)(?=[a-zß-ÿ]{3})"
)
"""Where a heading in one word begins another: "doctorReply", "AISummary", "KIsvar"."""
_LINKING = frozenset(
    [
        *("s", "es", "n", "en", "ens", "a", "an", "the", "of", "by", "from", "von", "vom", "der"),
        *("die", "das", "des", "den", "de", "du", "del", "dell", "della", "dello", "di", "do"),
        *("da", "dos", "d", "la", "le", "les", "l", "el", "los", "las", "av", "af", "fra", "från"),
        *("van", "het", "fran", "का", "की", "के"),
    ]
)
_MACHINE = compile_later(
    r"(?i)ai|ki|ia|(?-i:(?:AI|KI|IA)(?:s|ens|en|n))|llms?|chat ?bots?|chatbotens?"
    r"|bots?|machines?|maschinen?|m[áa]quina|macchina|maskin(?:en)?s?|computers?|roboters?"
    r"|(?:sprach|spr[åa]k|sprog|taal)modell?s?|generated|generiert"
    r"|chatbot(?:a|u|em|ta|in|un)?|chatbott\w*|teko[äa]ly\w*|чатбот\w*|нейросет\w*|нейромереж\w*"
    r"|(?-i:ИИ|ШІ|SI|YZ|ΤΝ)|एआई|בינה|makine\w*|maszynow\w*|strojov\w*|strojn[aie]\w*|gépi|машинн\w*"
    r"|μηχανική|(?:ال)?آلي[ةه]?|الآلة|ماشینی|מכונה|मशीनी?|機械|机器|機器|기계"
    r"|人工智能|人工智慧|人工知能|大语言模型|语言模型|大模型|聊天机器人"
    r"|生成AI|チャットボット|言語モデル|生成モデル|인공지능|챗봇|언어\s?모델"
)
_MACHINE_BEFORE = compile_later(
    r"(?i)(chat-?bot|bot|maschinen?|maskin|machine|computer|roboter|robot|(?:sprach|spr[åa]k|sprog"
    r"|taal)modell?|chat-?gpt|gpt|llm)(?:ens?|s(?!var)|n)?"
)
"""What a compound begins with that a machine wrote: "Chatbotantwort"."""
_PERSON = compile_later(
    r"(?i)\w*arzt(?:e?s|in|innen)?|\w*[äa]e?rzt(?:e[sn]?|in|innen)|[äa]e?rztlich\w*"
    r"|l[äa]kar(?:e|en|ens|na|nas)s?|l[æe]ge(?:s|n|ns|r|rs|ne|nes)?|doktor(?:e|en|ens|s|n)?s?"
    r"|l[äa][äa]k[äa]rin?|dokters?|\w*artsen|\w*arts|m[äe]nn[ie]skan?s?|mensch(?:en)?s?"
)
_OF_A_DOCTOR = compile_later(r"(?i)\w*[äa]e?rzt\w")
_PERSON_BEFORE = compile_later(
    r"(?i)(?:\w*arzt(?:in|innen)?|\w*[äa]e?rzt(?:e|in|innen)|mensch(?:en)?|expert(?:e|en|in)|pflege\w*"
    r"|apotheker|kliniker|hebammen?|internist(?:en)?|\w+olog(?:e|en|in)|chirurg(?:en)?|fachleute"
    r"|doktor|\w*leger?|\w*læger?|\w*l[äa]kar(?:e|en)?|jordmor|barnmorsk[ea]|\w*pleier(?:ske)?|sy[gk]epleier|sygeplejersk[ea]?|sjuksk[öo]tersk[ea]?"
    r"|menneske|m[äa]nnisk[oae]|e[kx]spert|\w*arts(?:en)?|dokters?|mens(?:en)?|specialist(?:en)?"
    r"|verpleegkundigen?|legen|lægen|kirurg|psykolog|sykehuslege)(?:en?s|ns|n|s|e)?"
)
"""What a compound begins with that a person wrote: "Hausarztantwort", "Lægesvar"."""
_ANSWERED = compile_later(
    r"(?i)\w*(?:antwort|svar|antwoord|text|tekst|entwurf|udkast|utkast|vorschlag|forslag|förslag|rat"
    r"|empfehlung|advies|r[åa]d|einsch[äa]tzung|beurteilung|bed[öo]mning|vurdering|meinung)(?:en|er|e)?"
)
"""The second part of compounds of which the first says who answered; an "Arztbrief" is a kind of
document."""
_WHO_ASKS = compile_later(
    r"(?i)patient\w*|pa[cz]ient\w*|pasient\w*|users?|clients?|senders?|customers?"
)
"""Whose text is no version of a machine's, but what it answers."""
_A_SUMMARY = compile_later(
    r"(?i)summar|zusammenfass|resum|riassunt|samenvatt|sammanfattn|sammendrag|streszczeni|要約|总结|요약"
)
"""A kind of text that can be made from another of this kind, as a summary for patients is."""
_SHORTEST_PART = 3
_MOST_WORDS_BESIDE = 2
_NO_KIND = compile_later(
    r"(?i)(?:questions?|frage|fragen|pregunta|pergunta|domanda|vraag|fr[åa]ga|sp[øo]r(?:gs|s)m[åa]l|prompts?"
    r"|quer(?:y|ies)|inputs?|kind|id|name|image|bild|option|choice|title|titel|質問|问题|질문|\d+)s?"
)
"""What is asked, or tells a case apart, is no text that several write."""


@dataclass(frozen=True)
class MachinesVersion:
    """Two columns of one kind of text: what the machine's and the ``other`` one are headed, what
    the other heading has besides the kind ("" for nothing), and whether the kind is an answer.
    """

    machine: str
    other: str
    beside: str
    is_answer: bool


def _words_of(heading: str) -> list[str]:
    apart = _ARTIFICIAL_INTELLIGENCE.sub(" AI ", heading)
    apart = _EAST_ASIAN_WRITER.sub(r" \1 ", apart)
    return re.findall(r"[^\W_]+", _NEW_WORD.sub(" ", apart.replace("’", "'")))


def _kind(words: Sequence[str]) -> tuple[str, ...]:
    kept = (word.casefold() for word in words)
    return tuple(word for word in kept if word not in _LINKING)


def _machines_in(heading: str, named_model: re.Pattern[str]) -> tuple[tuple[str, ...], str] | None:
    """The kind of text that a heading says a machine wrote, and the words for this machine."""
    if named := named_model.search(heading):
        rest = f"{heading[: named.start()]} {heading[named.end() :]}"
        return _kind(_words_of(rest)), named[0]
    words = _words_of(heading)
    said = [word for word in words if _MACHINE.fullmatch(word)]
    if said:
        return _kind([word for word in words if word not in said]), " ".join(said)
    for at, word in enumerate(words):
        before = _MACHINE_BEFORE.match(word)
        if before and len(word) - before.end() > _SHORTEST_PART:
            return _kind([*words[:at], word[before.end() :], *words[at + 1 :]]), before[1]
    return None


def _is_person(word: str) -> bool:
    # "Arztbrief" is no person.
    named = is_word_for_person(word) and not _OF_A_DOCTOR.match(word)
    return named or bool(_PERSON.fullmatch(word))


def _person_in(heading: str, kind: tuple[str, ...]) -> str:
    """The words for the person who wrote a text of this kind by its heading; "" for none."""
    words = _words_of(heading)
    people = [word for word in words if _is_person(word)]
    if people and _kind([word for word in words if word not in people]) == kind:
        return " ".join(people)
    if kind and _ANSWERED.fullmatch(kind[-1]):
        return _before_kind(words, kind, _PERSON_BEFORE)
    return ""


def _before_kind(
    words: Sequence[str], kind: tuple[str, ...], before: re.Pattern[str] | None
) -> str:
    """What one of the words has before the last word of the kind, if all else is the kind's; ""
    for nothing, or for what is not as it must be.
    """
    for at, word in enumerate(words):
        first = word[: -len(kind[-1])]
        if (
            word.casefold().endswith(kind[-1])
            and len(first) >= _SHORTEST_PART
            and (before is None or before.fullmatch(first))
            and _kind([*words[:at], kind[-1], *words[at + 1 :]]) == kind
        ):
            return first
    return ""


def _kinds_and_machines(
    headings: Sequence[str], named_model: re.Pattern[str]
) -> dict[str, tuple[tuple[str, ...], str]]:
    found = {one: _machines_in(one, named_model) for one in headings}
    return {one: said for one, said in found.items() if said}


def writers_of_one_kind_by_heading(
    headings: Sequence[str], named_model: re.Pattern[str]
) -> dict[str, str]:
    """The headings that say of one kind of text that a machine wrote it, by a common noun or by the
    name of a ``named_model``, and that a person did, each with the word for who did; all differ.
    Empty if there are not both.
    """
    machines = _kinds_and_machines(headings, named_model)
    best: dict[str, str] = {}
    for kind in dict.fromkeys(kind for kind, _ in machines.values()):
        if not kind or any(map(_NO_KIND.fullmatch, kind)):
            continue
        found = {one: who for one, (of, who) in machines.items() if of == kind}
        found |= {
            one: who for one in headings if one not in machines and (who := _person_in(one, kind))
        }
        apart = len({who.casefold() for who in found.values()}) == len(found)
        if apart and len(found) > len(best) and not found.keys() <= machines.keys():
            best = {one: found[one] for one in headings if one in found}
    return best


def find_machines_version(
    headings: Sequence[str], named_model: re.Pattern[str]
) -> MachinesVersion | None:
    """The first heading of a machine's text and the one of the same kind of text by somebody else,
    or by nobody that is named: "KI-Befund" and "Befund", "ai_summary" and "discharge_summary". None
    where machines wrote several kinds, or where there are several others; a text that is surely a
    person's is none of them.
    """
    machines = _kinds_and_machines(headings, named_model)
    kinds = {kind for kind, _ in machines.values()}
    if len(kinds) != 1:
        return None
    kind, machine = min(kinds), next(iter(machines))
    if not kind or any(map(_NO_KIND.fullmatch, kind)):
        return None
    others = {
        one: beside
        for one in headings
        if one not in machines
        and (beside := _beside_kind(one, kind)) is not None
        and not _person_in(one, kind)
    }
    if len(others) != 1:
        return None
    ((other, beside),) = others.items()
    if any(map(_WHO_ASKS.fullmatch, beside.split())):
        return None
    answer = is_headed_as_answer(heading_as_plain_lower_case_words(kind[-1]))
    answer = (answer or bool(_ANSWERED.fullmatch(kind[-1]))) and not _A_SUMMARY.search(kind[-1])
    return MachinesVersion(machine, other, beside, answer)


_TIMES_AS_LONG_AS_ITS_VERSION = 2


def is_made_from_other_text(
    version: MachinesVersion, machine: Sequence[str], other: Sequence[str]
) -> bool:
    """Whether a machine's texts are rather made from the other column's than another version of
    them: no answers, and at most half as long.
    """
    lengths = [sum(map(len, texts)) / max(len(texts), 1) for texts in (machine, other)]
    return not version.is_answer and 0 < lengths[0] * _TIMES_AS_LONG_AS_ITS_VERSION <= lengths[1]


def _beside_kind(heading: str, kind: tuple[str, ...]) -> str | None:
    """What a heading of this kind of text has besides it: "discharge" of "discharge_summary", the
    "Entlass" of "Entlassbrief". None for a heading of another kind.
    """
    words = _words_of(heading)
    if {*kind} <= {word.casefold() for word in words}:
        own = [word for word in words if word.casefold() not in (*kind, *_LINKING)]
        return " ".join(own) if len(own) <= _MOST_WORDS_BESIDE else None
    return _before_kind(words, kind, None) or None
