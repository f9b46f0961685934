"""Headings that say of one answer that a machine wrote it and of another that a person did ("AI
Draft", "Clinician Reply Sent"): shown to reviewers, they tell as much as a model's name.

Headings are compared in plain lower-case words, without accents (``heading_as_plain_lower_case_
words``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import heading_as_plain_lower_case_words

_MACHINE = compile_later(
    # Italian "ai medici" is "to the doctors".
    r"\b(?:ai(?! (?:medic|pazient|client|genitor|dottor)\w*)|ki|ia|llms?|\w*gpt|chat ?bots?|bots?"
    r"|machines?|maschin\w*|maquina|(?:auto|ai|ki)?generated|generiert\w*|generad[oa]s?"
    r"|generees?|genere|generes|generat[oa]|gerad[oa]s?|auto|automat\w*|synthetic"
    r"|(?:language )?model|modell|modelo|modele|algorithm\w*)\b"
)
_PERSON_WORDS = (
    r"(?:humans?|human[oa]|humaine?|uman[oa]|mensch\w*|physicians?|clinicians?|doctors?|dr|gps?"
    r"|nurses?|experts?|residents?|registrars?|trainees?|consultants?|specialists?|surgeons?"
    r"|pharmacists?|staff|radiologists?|\w+ologists?"
    r"|\w*arzt(?:e?s|in|innen)?|\w*arzte[sn]?|arztlich\w*|pflegek\w+|pfleger(?:in|s)?"
    r"|apotheker(?:in|s)?|medecins?|medic[oai]s?|docteure?s?|doctora?s?|infirmiere?s?"
    r"|praticien(?:ne)?s?|specialiste|soignante?s?|enfermer[oa]s?|enfermeir[oa]s?|especialistas?"
    r"|farmaceutic[oa]|infermier[ei]|infermiera|dottor\w*|specialista|(?:do|del) clinico"
    r"|enfermeria|(?:der|die) pflege|generaliste|pharmacien(?:ne)?s?|medizinerin|mediziner|md"
    r"|prof(?:is|es)sional|professionnel(?:le)?|professionista)"
)
_PERSON = compile_later(rf"\b(?:{_PERSON_WORDS}|arzt(?=antwort|entwurf)\w+)\b")
_TO_A_PERSON = compile_later(
    r"\b(?:to|for|with|about|an|fur|zum|zur|mit|au|aux|pour|al|para|ao|per|alla|ask(?:ing)?"
    # "a médica", but not "by a doctor"
    r"|(?<!\bby )(?<!\bfrom )(?<!\bof )a)"
    r" (?:(?:the|an?|my|your|den|die|das|der|eine?n?|el|la|le|les|il|lo|l|o|as?) )?"
    rf"{_PERSON_WORDS}\b"
)
"""Who gets a text has not written it: "Question to the doctor"."""
_ANSWER = compile_later(
    r"\b(?:answers?|repl(?:y|ies)|responses?|drafts?|suggestions?|recommendations?|advice"
    r"|outputs?|completions?|(?:final|edited) version|messages? sent|sent messages?"
    r"|(?:written|sent|edited|revised|corrected|signed|drafted|authored) by"
    r"|\w*antwort\w*|\w*entwurf|vorschlag|empfehlung|stellungnahme|ratschlag|rat"
    r"|respuestas?|contestacion|borrador|recomendacion|sugerencia|consejo|propuesta"
    r"|reponses?|brouillon|proposition|avis|conseils?|recommandation"
    r"|rispost[ae]|bozza|parere|consiglio|raccomandazione|proposta|suggerimento"
    r"|respostas?|rascunho|sugestao|recomendacao|conselho|parecer)\b"
)
_ALSO_BY_A_MACHINE = compile_later(r"\b(?:texts?|textos?|textes?|testos?|messages?)\b")
"""Beside what a person answered, what a machine wrote is an answer under such a heading too."""
_AROUND = compile_later(
    r"\b(?:by|of|the|an?|s|der|des|die|dem|von|vom|de|du|la|le|l|el|del|dell|della|do|da|d)\b"
)


def list_answers_headed_as_of_machine_and_person(headings: Sequence[str]) -> list[str]:
    """The headings that say who wrote which of several answers, some of a machine and others of a
    person; empty if there are not both. A text that a person only gets ("Message to the doctor"),
    or that belongs to the case ("Clinician note" beside "AI summary"), is none.
    """
    words = {one: heading_as_plain_lower_case_words(one) for one in headings}
    machine = [one for one, said in words.items() if _is_of(_MACHINE, _PERSON, said)]
    people = [
        one
        for one, said in words.items()
        if _is_of(_PERSON, _MACHINE, said) and not _TO_A_PERSON.search(said)
    ]
    found = set()
    for made in machine:
        for written in people:
            if _are_answers(words[made], words[written]):
                found |= {made, written}
    return [one for one in headings if one in found]


def _is_of(writer: re.Pattern[str], other: re.Pattern[str], words: str) -> bool:
    return bool(writer.search(words)) and not other.search(words)


def _are_answers(made: str, written: str) -> bool:
    of_machine = _ANSWER.search(made) or _ALSO_BY_A_MACHINE.search(made)
    if of_machine and _ANSWER.search(written):
        return True
    # "AI letter" and "Letter by the doctor" are of one kind; "AI" and "Clinician" say no more.
    return _rest(_MACHINE, made) == _rest(_PERSON, written)


def _rest(writer: re.Pattern[str], words: str) -> set[str]:
    return {*_AROUND.sub(" ", writer.sub(" ", words)).split()}
