"""What a dialogue brought out of its case: told, half told, never asked; and where it leaked.

**The rule.** The case is cut into leaves (single texts, long ones by sentence). A leaf's words are
the content words of its text, each weighted by how much it tells (``telling``). Leaves are told by
their owner: the patient's leaves by the patient, findings and results by the measurement agent. A
turn touches a leaf if the words they share amount to one telling word or two plain ones, or to most
of the leaf; an everyday word alone touches nothing. The words of a question count with an answer
that affirms or denies it, or that has words of the leaf itself; a question without an answer tells
nothing. The words of an order do not tell a result: they say what a result that is all numbers or
"normal" belongs to. Words add up over the turns that touch the leaf: it is ``told`` from the turn
at which half of its weight has come up, ``partly`` told from a quarter on, else ``missed``.

**A leak** is a turn of the patient or the measurement agent that names the diagnosis (see
``lint.names_diagnosis``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from medlens.studies.agentclinic.lint import names_diagnosis, other_names
from medlens.studies.agentclinic.models import Case, Dialogue, Leaf, Speaker, Turn
from medlens.studies.agentclinic.words import CARDINALS, content_words, stems, tokens, turn_words

State = Literal["told", "partly", "missed"]

ENOUGH, SOME = 0.5, 0.25
"""The shares of a leaf's weight at which it counts as told, and as partly told."""

MOST = 0.6
"""The share of a leaf's weight at which a turn touches it, however everyday its words."""


@dataclass(frozen=True)
class LeafState:
    """A leaf, and whether it was told.

    ``turn`` is where it was told or, if only partly, the first that touched it; ``turns`` are all
    that brought new words of it; ``share`` (0 to 1) of its words came up.
    """

    leaf: Leaf
    state: State
    turn: int | None
    turns: tuple[int, ...]
    share: float


@dataclass(frozen=True)
class Leak:
    """A turn that names the diagnosis; offsets are into its text."""

    turn: int
    speaker: Speaker
    start: int
    end: int
    stated: bool


@dataclass(frozen=True)
class Elicited:
    """What a dialogue brought out of its case."""

    leaves: tuple[LeafState, ...]
    leaks: tuple[Leak, ...]

    def count(self, state: State) -> int:
        return sum(one.state == state for one in self.leaves)

    @property
    def share(self) -> float | None:
        """Share of the leaves that were told; ``None`` if there are no leaves."""
        return self.count("told") / len(self.leaves) if self.leaves else None

    def by_turn(self) -> dict[int, list[LeafState]]:
        """The leaves by the turn at which they were told."""
        found: dict[int, list[LeafState]] = {}
        for one in self.leaves:
            if one.state == "told" and one.turn is not None:
                found.setdefault(one.turn, []).append(one)
        return found


class Wanted(NamedTuple):
    """The words of a leaf that must be said, and those of its name if its own tell nothing."""

    words: frozenset[str]
    names: tuple[frozenset[str], ...]
    weight: float


@dataclass(frozen=True)
class Parts:
    """A case cut into leaves, each with its words: made once for many dialogues of the case."""

    diagnosis: str
    leaves: tuple[tuple[Leaf, Wanted], ...]
    names: tuple[frozenset[str], ...]


def parts_of(case: Case) -> Parts:
    """The case prepared for ``elicited``."""
    leaves = [leaf for leaf in case.leaves(split=True) if leaf.section in _TOLD_BY]
    return Parts(
        case.diagnosis,
        tuple((leaf, _wanted(leaf)) for leaf in leaves),
        tuple(content_words(name) for name in (case.diagnosis, *other_names(case.diagnosis))),
    )


def elicited(case: Case | Parts, dialogue: Dialogue) -> Elicited:
    """What ``dialogue`` brought out of ``case``, by the rule above."""
    parts = parts_of(case) if isinstance(case, Case) else case
    heard = _heard(dialogue.turns)
    return Elicited(
        tuple(_state(leaf, words, heard[_TOLD_BY[leaf.section]]) for leaf, words in parts.leaves),
        tuple(_leaks(parts, dialogue)),
    )


_TOPS = ("OSCE_Examination", "Physical_Examination_Findings", "Test_Results", "physical_exams")
_TOLD_BY: dict[str, Speaker] = {
    "patient": "patient",
    "exam": "measurement",
    "tests": "measurement",
}

# "Yes", "not at all" or "sometimes" answers what was asked.
_ANSWERED = re.compile(
    r"\b(?:yes|yeah|yep|no|nope|not|never|none|neither|nor|nothing|sometimes|often|always|right"
    r"|correct|exactly|indeed|i (?:do|am|have|did)|n't|a (?:little|bit)|some)\b|n't\b"
)


class _Heard(NamedTuple):
    turn: int
    said: frozenset[str]
    asked: frozenset[str]
    answered: bool


def _wanted(leaf: Leaf) -> Wanted:
    words = canonical(leaf.text)
    # A result without a telling word is told only together with the name of the test or finding.
    telling = any(weight(word) > EVERYDAY and not is_number(word) for word in words)
    names: tuple[frozenset[str], ...] = ()
    if leaf.section != "patient" and not telling:
        steps = [step for step in leaf.path if isinstance(step, str) and step not in _TOPS]
        own = list(filter(None, map(canonical, steps)))
        names = (own[-1], canonical(" ".join(steps))) if own else ()
    return Wanted(words, names, sum(map(weight, words)))


def _heard(turns: tuple[Turn, ...]) -> dict[Speaker, list[_Heard]]:
    """By speaker: the turns, their words, and the words of the question or order just before."""
    heard: dict[Speaker, list[_Heard]] = {"patient": [], "measurement": []}
    asked: frozenset[str] = frozenset()
    for turn in turns:
        if turn.speaker == "doctor":
            asked = canonical(turn.text)
        elif turn.speaker in heard:
            answered = turn.speaker == "patient" and bool(
                _ANSWERED.search(turn.text.lower().replace("\u2019", "'"))
            )
            heard[turn.speaker].append(_Heard(turn.n, canonical(turn.text), asked, answered))
            asked = frozenset()
    return heard


def _brought(wanted: Wanted, one: _Heard, speaker: Speaker) -> frozenset[str]:
    """The leaf's words that a turn brings; none if it does not touch the leaf."""
    own = wanted.words & one.said
    if speaker == "measurement":
        about = one.said | one.asked
        if wanted.names:
            named = any(_half(name, about) for name in wanted.names)
            return own if named and _half(wanted.words, own) else frozenset()
        found = own
    else:
        echoed = one.answered or any(weight(word) >= PLAIN for word in own)
        found = own | (wanted.words & one.asked) if echoed else own
    weighs = sum(map(weight, found))
    return found if weighs >= min(TELLING, MOST * wanted.weight) else frozenset()


def _half(wanted: frozenset[str], words: frozenset[str]) -> bool:
    return sum(map(weight, wanted & words)) >= ENOUGH * sum(map(weight, wanted)) - 1e-9


def _state(leaf: Leaf, wanted: Wanted, heard: list[_Heard]) -> LeafState:
    found: frozenset[str] = frozenset()
    turns: list[int] = []
    told_at = None
    speaker = _TOLD_BY[leaf.section]
    words = wanted.words
    for one in heard:
        if words.isdisjoint(one.said) and (not one.answered or words.isdisjoint(one.asked)):
            continue
        brought = _brought(wanted, one, speaker) - found
        if not brought:
            continue
        found |= brought
        turns.append(one.turn)
        if told_at is None and _half(wanted.words, found):
            told_at = one.turn
    share = sum(map(weight, found)) / wanted.weight if found else 0.0
    if told_at is not None:
        return LeafState(leaf, "told", told_at, tuple(turns), share)
    if share >= SOME:
        return LeafState(leaf, "partly", turns[0], tuple(turns), share)
    return LeafState(leaf, "missed", None, (), share)


def _leaks(parts: Parts, dialogue: Dialogue) -> list[Leak]:
    found = []
    for turn in dialogue.turns:
        if turn.speaker not in ("patient", "measurement"):
            continue
        words = turn_words(turn.text)
        if not any(name <= words for name in parts.names):
            continue
        named = names_diagnosis(turn.text, parts.diagnosis)
        if named:
            found.append(Leak(turn.n, turn.speaker, named.start, named.end, named.stated))
    return found


# -- how much words tell ---------------------------------------------------------------------------

# Words are canonical: without endings, number words as figures, and patients' phrases as the words
# of the chart ("out of breath" is dyspnea), so that a leaf and a turn are compared alike.

EVERYDAY, PLAIN, TELLING = 0.2, 0.5, 1.0
"""The weights of words: used of anything; of a part of the body or a common complaint (two of them
tell something); of few things."""

_EVERYDAY = """
able active activity adult afternoon again age ago alone along already always amount another
appear apart area around arrive away back bad become began begin behaviour better big bit
bilateral boy bring brought call calm came cause change child children clear close come
comfortable common complain complaint condition confirm consistent constant continue course
current currently daily date day degree describe develop different difficult difficulty disease
distal do drink dry during early eat eight eleven episode equal evaluation evening every everyday
everything exam examination examine exercise experience extend fact family feel feeling feet felt
female few field final find fine first five follow four frequent friend full function general get
girl give go good grandfather grandmother great grow half happen hard healthy help high history
home hospital hour house hurt ill illness important improve increase infant initial intact involve
issue keep kind know large last late lately left level life light like limit line live long look
lose loss lot low lower made make male man many married mark marked mean medical medication
medicine middle mild mind minute moderate month morning mother move much multiple near need never
new next night nine none noon normal notice number observe occasional occur often old onset one
open pair parent part past people perform period person place point positive negative possible
present previous primary prior problem progress proximal quick quite raise rate react read reading
recent recently region regular relate relative relieve remember respond response rest right round
school second see seem seven severe show side sign significant similar since single sister brother
father son daughter six size slight slow small sometime soon sound standard start state stay still
stop strong study sudden sure surface symptom symmetric take tall tell ten test thing think third
three time tired together took total touch treat treatment trouble try twelve twenty two type
typical unremarkable upper use usual various visible wait wake walk want wear week well went whole
wife husband wish woman work worse worsen wrong year yesterday yet young absent negative none
within limit appearance range motion red both bone wall process mg ml dl mmol umol mol kg g l cm
mm m mmhg bpm c f hg h hr min sec s unit iu pg ng fl u meq per x k nl ul mcl
"""
_PLAIN = """
abdomen abdominal ache ankle appetite apex arm artery base belly blood bowel brain breast breath
burn cell chest colour color cold count cough dark ear eye eyelid face father finger foot
frequency groin hair hand head hearing heart heel hip jaw joint knee leg limb lip lung mass mouth
movement mouthful muscle nail neck nerve nose pain painful palpation pressure protein pulse
shoulder skin sleep stool stomach strength sweat temperature tender throat toe tongue tooth urine
urinate vision voice water weight white wrist auscultation inspection ray image imaging ct mri
xray scan lobe tissue weak skull spine lesion cigarette alcohol allergy operation surgery pregnant
"""
# A word of the chart, and how people say it.
_SAID = {
    "dyspnea": "dyspnoea; shortness of breath; short of breath; out of breath; breathless;"
    " trouble breathing; difficulty breathing; hard to breathe; can't catch my breath",
    "dysuria": "burns when i pee; burning when i pee; burn when i urinate; burning on urination;"
    " burning urination; pain when i pee; hurts when i pee; painful urination; hurts to pee",
    "epistaxis": "nosebleed; nosebleeds; nose bleeds; nose bleed; bleeding from the nose",
    "pruritus": "itch; itches; itching; itchy; pruritic",
    "vomit": "throw up; throwing up; threw up; emesis; thrown up",
    "myocardial infarction": "heart attack",
    "hypertension": "high blood pressure; hypertensive",
    "hyperlipidemia": "high cholesterol; hypercholesterolemia",
    "fatigue": "tiredness; no energy; exhausted; worn out; tired all the time; fatigued",
    "fever": "febrile; pyrexia; feverish",
    "diarrhea": "diarrhoea; loose stools; loose stool; the runs; watery stools",
    "constipation": "constipated; cannot go to the toilet",
    "anorexia": "loss of appetite; lost my appetite; no appetite; poor appetite; not hungry",
    "diplopia": "double vision; seeing double; see double; vision is doubled; vision doubled",
    "dysphagia": "difficulty swallowing; trouble swallowing; hard to swallow",
    "ptosis": "drooping eyelid; drooping eyelids; eyelids droop; eyelid droops; droopy eyelid;"
    " drooping of the upper eyelids; drooping of the eyelids; droopy eyelids",
    "edema": "oedema",
    "swell": "swollen; swelling; swells",
    "jaundice": "yellow skin; yellow eyes; icterus; icteric",
    "headache": "head hurts; headaches; pain in my head; cephalalgia",
    "syncope": "fainted; faint; passed out; fainting; blacked out",
    "vertigo": "room spins; spinning; everything spins",
    "paresthesia": "paraesthesia; tingling; pins and needles; tingle; tingles",
    "numb": "numbness",
    "weak": "weakness; weaker",
    "hematuria": "haematuria; blood in my urine; blood in the urine; bloody urine",
    "hematochezia": "blood in the stool; blood in my stool; bloody stool; bloody stools;"
    " stool is bloody",
    "hemoptysis": "coughing up blood; cough up blood",
    "polyuria": "pee a lot; frequent urination; urinate frequently; urinating often;"
    " urinate often; pee often",
    "polydipsia": "thirsty; thirst; thirstier; always thirsty",
    "palpitation": "palpitations; heart races; heart racing; heart pounding; heart flutters",
    "menstruation": "menses; menstrual period; periods; menstrual",
    "diabetes": "diabetic",
    "asthma": "asthmatic",
    "stroke": "cerebrovascular accident; cva",
    "smoke": "smoker; smoking; smokes; cigarettes; tobacco",
    "alcohol": "beer; liquor; drinks alcohol",
    "surgery": "operation; operated; operations",
    "arthralgia": "joint pain; painful joints; joints hurt; joint pains",
    "myalgia": "muscle pain; muscles hurt; muscle aches; sore muscles",
    "rash": "skin eruption; exanthem",
    "seizure": "seizures; convulsion; convulsions; fits",
    "insomnia": "cannot sleep; can't sleep; trouble sleeping",
    "bruise": "ecchymosis; bruises; bruising",
    "abdominal": "belly; tummy; stomach; abdomen",
    "male": "man; boy; gentleman",
    "female": "woman; girl; lady",
    "ecg": "ekg; electrocardiogram",
    "ultrasound": "sonography; ultrasonography; sonogram",
    "xray": "x ray; radiograph; radiography",
    "ct": "computed tomography",
    "mri": "magnetic resonance imaging",
    "cbc": "complete blood count; blood count; full blood count",
    "leukocyte": "white blood cells; white cells; wbc; white blood cell; white cell; leukocytes;"
    " leucocytes",
    "temperature": "temp",
}
_FIGURES = {
    **{word: str(number) for word, number in CARDINALS.items()},
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
}
_NUMBER = re.compile(r"\d")
_LITTLE = re.compile(r"\d{1,2}|(?:19|20)\d\d")


def _stems(text: str) -> frozenset[str]:
    return frozenset(text.split()) | content_words(text)


_LOW, _SOME = _stems(_EVERYDAY), _stems(_PLAIN)


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """By their first word, longest first: the words of a phrase and its name."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, said in _SAID.items():
        for phrase in said.split(";"):
            parts = tuple(tokens(phrase))
            found.setdefault(parts[0], []).append((parts, name))
    for several in found.values():
        several.sort(key=lambda one: -len(one[0]))
    return found


@lru_cache(maxsize=8192)
def canonical(text: str) -> frozenset[str]:
    """The content words of a text, each in the one form used for comparison."""
    words, known = tokens(text), _phrases()
    kept: list[str] = []
    at = 0
    while at < len(words):
        for parts, name in known.get(words[at], ()):
            if tuple(words[at : at + len(parts)]) == parts:
                kept += name.split()
                at += len(parts)
                break
        else:
            kept.append(_FIGURES.get(words[at], words[at]))
            at += 1
    return stems(kept)


@lru_cache(maxsize=100_000)
def weight(word: str) -> float:
    """How much a canonical word tells, from 0 to 1."""
    if _NUMBER.search(word):
        return EVERYDAY if _LITTLE.fullmatch(word) else TELLING
    if word in _LOW or len(word) == 1:
        return EVERYDAY
    return PLAIN if word in _SOME else TELLING


def is_number(word: str) -> bool:
    """Whether a word is a number, which alone does not say what was measured."""
    return bool(_NUMBER.search(word))
