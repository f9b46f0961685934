"""Whether a page of a few words speaks of a subject of medicine or only to its visitor.

A wall can be worded in any way: "Hold on while we make sure it is really you", "This piece is
behind our members' door". What such lines have in common is what is not in them: no word of
medicine and no measure, while they speak of the visit. A short article has at least one such word.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from medlens.deferred_regex import compile_later
from medlens.web.spelling_variants import to_american_spelling_with_places

_WORDS = Path(__file__).with_name("medical_words.txt")
_MOST_WORDS = 45
"""Words from which on a page is not taken for a notice by this rule."""
_ENGLISH = compile_later(
    r"\b(?:the|a|an|is|are|was|were|be|to|of|in|on|for|and|or|this|that|it|its|you|your|we|our|us"
    r"|not|no|if|when|have|has|had|with|from|here|please|who|what|by|at|as|then|can|will|may|do)\b",
    re.IGNORECASE,
)
_SHARE = 0.2
"""Least share of such words in an English text."""
_SPEAKS_OF_THE_VISIT = compile_later(
    r"\b(?:we|we['’]\w+|us|our|ours|sorry|please|thanks|thank you|welcome|here|visit\w*|readers?"
    r"|members?|subscri\w+|visitors?|guests?|users?|customers?|editors?|owners?|publishers?"
    r"|staff|accounts?|passwords?|sites?|pages?|links?|address|servers?|browsers?|software|apps?"
    r"|download\w*|click|tap|screens?|windows?|tabs?|buttons?|boxes|copy|copies|articles?|stor(?:y"
    r"|ies)|piece|titles?|volumes?|issues?|archives?|shops?|baskets?|carts?|prices?|pays?|(?:not"
    r"|been) paid for"
    r"|for free|free to|costs nothing|euros?|dollars?|pounds|cents|licen[cs]es?|(?:a|your"
    r"|the) key|doors?"
    r"|queues?|in line|tickets?|(?:your|the|this) session"
    r"|robots?|humans?|scripts?|data|choices?|cookies?|private|privacy|consent|agree"
    r"|maintenance|trouble|errors?|gone|moved|renamed|removed|withdrawn|closed|unavailable|country"
    r"|region|of age|your age|queue|request\w*|access|enter|continue|go on|read on"
    r"|come back (?:later|soon|in|on|to)|keep reading|fewer words|\d+ hits"
    r"|query|upstream|free (?:trial|month|year)|your mail|daily (?:cap|limit|quota)|edition"
    r"|trackers?"
    r"|services? resumes?|migrated|merged|follow the arrow|to watch|get in\b|reading online"
    r"|(?:your|day|hour) pass|licensed to|full text|posted|bookmark\w*|once more in"
    r"|again later|try again|soon|network|connection|security|blocked?|blocker|your friend"
    r"|library|institution|society"
    r"|employer|professionals?|files?|tabs|drag|slide|press|swipe|type|preview\w*|snapshots?"
    r"|versions?|preprints?|proofs?|embargo\w*|supporters?|reload|loading|queues|terms|phone|device"
    r"|player|badge|code|secret|offline|online|chapters?|topics?|threads?|posts?|entry|entries"
    r"|let you|go in|what you wanted|looking for|come in|hold on|one more step|oh no|oops|whoops"
    r"|birthday|support us|(?:be|is) opened|too quick|too fast|carry on)\b|[€£$]",
    re.IGNORECASE,
)
_OWN_WORDS = compile_later(
    r"\b(?:we|we['’]\w+|us|our|ours|this (?:piece|page|article|story|part|title|place|site|line"
    r"|version|volume|preprint|file|issue"
    r"|content|entry|topic|product|area|chapter"
    r"|one)|welcome|(?:our|for|to|all) members|members only|members['’]|subscri\w+|readers"
    r"|a copy)\b",
    re.IGNORECASE,
)
_MEASURES = compile_later(
    r"\d\s?(?:mg|µg|mcg|g|kg|ml|l|dl|mmhg|mmol\S*|iu|units?|times|weeks?|months?|°)\b|\d ?%"
    r"|\b(?:table|figure|fig\.) \d|\bNCT\d{6,}|\bp ?[<=>] ?0?\.\d",
    re.IGNORECASE,
)
_SOUNDS_MEDICAL = compile_later(
    r"\b(?:[a-z]{3,}(?:itis|emia|aemia|osis|oses|pathy|algia|ectomy|otomy|ostomy|oscopy|plasty"
    r"|rrh(?:o?ea|age|agic)|uria|penia|megaly|plegia|phasia|phagia|pnoea|pnea|trophy|sclerosis"
    r"|carcinoma|sarcoma|lymphoma|myel\w+|cardi\w+|neuro\w+|statin|cillin|cycline|mycin|azole|pril"
    r"|sartan|olol|dipine|prazole|profen|azepam|mab|tinib|vir|gliptin|gliflozin|glutide|parin|xaban"
    r"|caine|oxetine|triptan|thiazide|phylline|virus|bacter\w*|coccus|cocci|plasma|cyte|cytes|ology"
    r"|iatry|iatric|iatrics|therapy|therapies|genic|toxic\w*)"
    r"|(?:cardio|neuro|gastro|hepato|nephro|osteo|haemat|hemat|derma|psych|immun|onco|endo|hyper"
    r"|hypo|intra|anti(?:bio|vir|body|gen)|patho|pharmaco|physio|radio|thromb|vascul)[a-z]{4,})\b"
    r"(?<!technology)(?<!apology)(?<!terminology)(?<!methodology)(?<!hyperlink)(?<!hyperlinks)"
    r"(?<!intranet)(?<!endorsed)(?<!diagnosis)",
    re.IGNORECASE,
)
_OF_CARE = compile_later(
    r"\b(?:patients?|wards?|scans?|x-?rays?|vials?|doctors?|gps?|hospitals?|clinics?|nurses?"
    r"|medical"
    r"|medicines?|health|care|trials?|stud(?:y|ies)|relatives?|refraction|symptoms?|risks?|adults?"
    r"|men|women|deaths?|died|cases|rates?|papers?|samples?|findings?)\b",
    re.IGNORECASE,
)
"""What a wall may speak of too, but not in a sentence that leaves its visitor out."""
_TO_SOMEBODY = compile_later(
    r"\b(?:you|your|yours|we|us|our|ours|this|these|here|please|sorry|sign|log|access (?:is|to)"
    r"|only"
    r"|enter|confirm|site|page|queue|line|account)\b|['’](?:re|ve|ll|d)\b",
    re.IGNORECASE,
)
_TO_THE_VISITOR = compile_later(
    r"\b(?:you|your|yours|we|us|our|ours|please|sorry|log|sign|enter|confirm|click|pages?"
    r"|(?:this|our) sites?|web ?sites?"
    r"|account|here|cookies?|browsers?|servers?|password|request(?:s|ed)?|subscri\w+|members?"
    r"|this (?:content|article|service|document|file|area|resource)|error)\b|['’](?:re|ve|ll)\b",
    re.IGNORECASE,
)
_SENTENCE = compile_later(r"\n+|(?<=[.!?])\s+")
_FEW_WORDS = 5
_WORD = compile_later(r"[^\W\d_]+")


@cache
def _medical_words() -> frozenset[str]:
    return frozenset(map(_spelt, _WORDS.read_text(encoding="utf-8").split()))


def _spelt(word: str) -> str:
    changed = to_american_spelling_with_places(word)
    return changed[0] if changed else word


def does_text_mention_medicine(text: str) -> bool:
    """Whether a word of medicine or a measure is in a text."""
    if _MEASURES.search(text) or _SOUNDS_MEDICAL.search(text):
        return True
    known = _medical_words()
    if any(_spelt(word) in known for word in _WORD.findall(text.lower())):
        return True
    return any(
        _OF_CARE.search(sentence)
        and not _TO_SOMEBODY.search(sentence)
        and len(_WORD.findall(sentence)) >= _FEW_WORDS
        for sentence in _SENTENCE.split(text)
    )


def does_sentence_state_medical_subject(sentence: str) -> bool:
    """Whether a sentence speaks of a subject of medicine and to nobody."""
    return (
        len(_WORD.findall(sentence)) >= _FEW_WORDS
        and not _TO_THE_VISITOR.search(sentence)
        and does_text_mention_medicine(sentence)
    )


def is_too_short_to_tell(title: str, text: str) -> bool:
    """Whether a short English page names no subject of medicine, so that only a person can tell
    whether it is an article.
    """
    words = _WORD.findall(text)
    if not words or len(words) > _MOST_WORDS:
        return False
    english = len(_ENGLISH.findall(text)) >= max(1, _SHARE * len(words))
    return english and not does_text_mention_medicine(f"{title}\n{text}")


def does_page_speak_only_to_its_visitor(title: str, text: str, *, unlisted: bool = False) -> bool:
    """Whether a short English page speaks of its visitor or of the site and of no subject. Of one
    that asks search engines to leave it out (``unlisted``) it is enough that it names no subject.

    One whose ``title`` names a subject must speak for the site ("our members"), since advice may
    say "you" as well ("Take it when you remember").
    """
    words = _WORD.findall(text)
    if not words or len(words) > _MOST_WORDS:
        return False
    if len(_ENGLISH.findall(text)) < max(1, _SHARE * len(words)) or does_text_mention_medicine(
        text
    ):
        return False
    if does_text_mention_medicine(title):
        return _OWN_WORDS.search(text) is not None
    return unlisted or _SPEAKS_OF_THE_VISIT.search(text) is not None
