"""How much a word tells of a case: "natalizumab" almost all, "year" next to nothing.

Words are canonical: endings set aside, number words as figures, and what patients say put in the
words of the chart ("out of breath" is dyspnea), so that a leaf and a turn are compared alike.
"""

from __future__ import annotations

import re
from functools import lru_cache

from medlens.studies.agentclinic.words import CARDINALS, content_words, stems, tokens

EVERYDAY, PLAIN, TELLING = 0.2, 0.5, 1.0
"""The weights of words: said of anything; of some part of the body or a common complaint (two of
them tell something); of few things."""

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
# One word of the chart, and how people say it.
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
    """By their first word, longest first: the words of a phrase and what it is called."""
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
    """The words of a text that say something, each in the one form that it is compared in."""
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
    """What a canonical word tells, from 0 to 1."""
    if _NUMBER.search(word):
        return EVERYDAY if _LITTLE.fullmatch(word) else TELLING
    if word in _LOW or len(word) == 1:
        return EVERYDAY
    return PLAIN if word in _SOME else TELLING


def is_number(word: str) -> bool:
    """Whether a word is a figure, which alone says nothing of what was measured."""
    return bool(_NUMBER.search(word))
