"""Arms that are called by a common noun, such as "doctor": where a text says by it who wrote it,
told from where it means somebody else.
"""

from __future__ import annotations

import re

from medlens.studies.own.detect_model_answer_columns import is_word_for_writer
from medlens.studies.own.recognise_model_names import is_distinctive_model_name


def is_common_noun(words: str, arm: str) -> bool:
    """Whether an arm is called by a word that texts have for other reasons, such as "doctor" in "my
    family doctor" and in "see a doctor": alone it says nothing of who wrote what.
    """
    if is_distinctive_model_name(arm):
        return False
    return words.islower() or is_word_for_writer(words)


_AUTHOR_BEFORE = re.compile(
    r"(?i)(?:"
    # "As an experienced doctor, I"; "I am not a doctor"
    r"(?<!\bwork )(?<!\bworks )(?<!\bworking )\b(?:as|being|speaking as|i am|i['’]m|we are|this is)"
    r"(?: not| only| just)*(?: (?:an?|the|your|one of the))?(?: \w+){0,2}"
    r"|\b(?:als|ich bin|bin ich|wir sind|ik ben)(?: (?:k?eine?|ihre?|nur|nicht|geen|een|uw|je))*"
    r"(?: \w+)?"
    r"|\b(?:en tant que|je (?:ne )?suis|como|soy|sou|come|sono|in qualit[àa] di)"
    r"(?: (?:pas|une?|una|uno|um|uma|votre|su|seu|suo|il|el|le|la))*(?: \w+)?"
    # "Signed by the doctor"
    r"|\b(?:written|answered|signed|drafted|reviewed|edited|provided) by(?: (?:an?|the|your))?"
    r"|\b(?:verfasst|geschrieben|beantwortet) (?:von|durch)(?: \w+)?"
    r")\W{0,3}$"
)
_BEGIN_OF_LINE = re.compile(r"(?i)\n[^\w\n]*(?:the |your |dr\.? |ihre? )?$")
_LABEL_OR_SIGNATURE = re.compile(
    r"(?i)(?:['’]s)?(?: (?:answer|response|reply|opinion|note|here|antwort))?[*_]{0,2}[ \t]*"
    r"(?:[:：]|[.!,]?[ \t]*(?:\n|$)|(?<=here)\b)"
)
_NOT_AUTHOR_AFTER = re.compile(
    r"(?i)^['’]?s?\s+(?:would|might|may|can|will|should|does|did|has|had|said|says|told|advised?s?"
    r"|recommend\w*|suggest\w*|explain\w*|prescri\w*|tell\w*)\b"
)
_NEAR_AUTHOR = 60
"""How many characters before and behind a word can say that it is its author's own."""


def is_said_of_author(text: str, word: re.Match[str]) -> bool:
    """Whether a common noun says who wrote the text: "As a doctor, I …", "I am not a doctor", a
    signature, "Doctor: …"; and not "see a doctor" or "as your doctor advised".
    """
    before = f"\n{text}"[max(word.start() + 1 - _NEAR_AUTHOR, 0) : word.start() + 1]
    after = text[word.end() : word.end() + _NEAR_AUTHOR]
    if _BEGIN_OF_LINE.search(before):
        return bool(_LABEL_OR_SIGNATURE.match(after))
    return bool(_AUTHOR_BEFORE.search(before) and not _NOT_AUTHOR_AFTER.match(after))
