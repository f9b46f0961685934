"""Arms that are called by a common noun, such as "doctor": where a text says by it who wrote it,
told from where it means somebody else.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.studies.own.detect_model_answer_columns import is_word_for_writer
from medlens.studies.own.recognise_model_names import is_distinctive_model_name
from medlens.studies.own.texts_saying_machine_wrote import is_word_for_person


def is_common_noun(words: str, arm: str) -> bool:
    """Whether an arm is called by a word that texts have for other reasons, such as "doctor" in "my
    family doctor" and in "see a doctor": alone it says nothing of who wrote what.
    """
    if is_distinctive_model_name(arm):
        return False
    return words.islower() or is_word_for_writer(words) or is_word_for_person(words)


_AUTHOR_BEFORE = re.compile(
    r"(?i)(?:"
    # "As an experienced doctor, I"; "I am not a doctor"
    r"(?<!\bwork )(?<!\bworks )(?<!\bworking )"
    r"\b(?:as(?! regards)|being|speaking as|i am|i['’]m|we are|this is)"
    r"(?: not| only| just)*(?: (?:an?|the|your|one of the))?(?: \w+){0,2}"
    r"|\b(?:als|ich bin|bin ich|wir sind|ik ben)(?: (?:k?eine?|ihre?|nur|nicht|geen|een|uw|je))*"
    r"(?: (?!(?:der|die|das|dem|den|beim?|zum|zur|vom|mit|mein|dein|sein|unser|ihr)\b)\w+)?"
    r"|\b(?:en tant que|je (?:ne )?suis|como|soy|somos|sou|come|sono|in qualit[àa] di)"
    r"(?: (?:pas|une?|una|uno|um|uma|votre|su|seu|suo|il|el|le|la))*"
    r"(?: (?!(?:l[oa]s|[oa]s?|i|gli|les?|al|au|chez|dal|del|do|d[ae]|en|em|na|no|con|com)\b)\w+)?"
    r"|\ben tant qu['’]"
    # "Signed by the doctor"
    r"|\b(?:written|answered|signed|drafted|reviewed|edited|provided) by(?: (?:an?|the|your))?"
    r"|\b(?:verfasst|geschrieben|beantwortet) (?:von|vom|durch)(?: \w+)?"
    r")\W{0,3}$"
)
_YOUR_OR_THE = (
    r"(?:(?:the|your|dr\.?|ihre?|deine?|eure?|der|die|de|uw|je|jouw|votre|ton|ta|le|la|el|su|tu|il"
    r"|lo|suo|sua|tuo|tua|o|a|seu|teu|din|er[ae]s|tw[óo]j|pani?|pana|v[áa]š|ваш|твой) ){0,2}"
)
_CLOSING_BEFORE = compile_later(
    r"(?i)(?:"
    r"\b(?:wishes|(?<!\bas )regards|sincerely(?: yours)?|cheers"
    r"|yours(?: (?:truly|faithfully|sincerely))?"
    r"|respectfully|take care|signed"
    r"|best(?=,)|warmly|thanks(?=,)"
    r"|grüßen?|gruß|grüssen?|gruss|mfg|[lv]g|hochachtungsvoll|gez\.?|gezeichnet"
    r"|groet(?:en|jes)?|hoogachtend"
    r"|cordialement|salutations|bien à vous|amicalement|sincèrement|signé"
    r"|saludos?|atentamente|cordialmente|firmado"
    r"|saluti|in fede|firmato|atenciosamente|cumprimentos|abraços?|assinado"
    r"|hälsning(?:ar)?|hilsen|hälsar|pozdrawiam|z poważaniem|pozdravem|с уважением)\b"
    r"(?:[^\S\n]*[,.!:–—-]+\s*|\s+)(?:(?:from|von|vom|van|de|du|del|della?|dal?|do|fra|från) ?)?"
    rf"(?:\s*{_YOUR_OR_THE})(?:(?!(?:to|an|aan|à|a|al|ask|see|call) )\w+ )?"
    r")$"
)
"""How a letter closes, up to who signs it: "Best wishes, your", "Mit freundlichen Grüßen Ihr"."""
_BEGIN_OF_SENTENCE = r"(?:\n|[.!?(\[|][*_]{0,2}\s)[^\w\n]*"
_BY_LINE_BEFORE = compile_later(
    rf"(?i){_BEGIN_OF_SENTENCE}(?:(?:die|the|la|le|il|a|o|l['’]) ?)?(?:"
    # "From: doctor", "Author: the doctor"
    r"(?:(?:from|by|von|vom|van|door|par|de|di|da|por|av|af|fra|från|authors?|autore?|auteur"
    r"|verfasser|written|signed|signé)[*_]{0,2} ?[:：][*_]{0,2}\s*)"
    # "Answer by doctor", "Réponse du médecin"
    r"|(?:answer|reply|response|opinion|note|comment|advice|antwort|kommentar|antwoord|réponse|avis"
    r"|respuesta|risposta|resposta|svar|stellungnahme|empfehlung|einschätzung|conseil|consejo"
    r"|parere|parecer|consiglio|conselho)"
    r" (?:(?:by|from|of|von|vom|der|des|van|door|par|de|du|dei|del(?:la)?|degli|delle|di|dal?"
    r"|d[ao]s?|por|av|af|fra|från)[:：]? (?:an? |l['’]|einer |eines |los |las |les )?"
    r"|(?:de l|dell|d)['’])"
    # "Response (doctor):"
    r"|(?:answer|reply|response|opinion|comment|advice|antwort|kommentar|antwoord|réponse|avis"
    r"|respuesta|risposta|resposta|svar) ?[(\[]"
    r"|(?:rédigée?|écrite?|signée?|escrit[oa]|firmad[oa]|redactad[oa]|assinad[oa]|scritt[oa]"
    r"|firmat[oa]|geschreven|beantwoord|getekend) (?:(?:par|por|pel[oa]|dal?|dalla|door)"
    r"(?: une?| uma?| una| een)? |dall['’]|par l['’])"
    rf"){_YOUR_OR_THE}(?:\w+ )?$"
)
_IN_PERSON_BEFORE = compile_later(
    # "Me, a doctor, would"; "I, your family doctor,"
    r"(?i)\b(?:me|i|we|ich|wir|ik|moi|nous|yo|io|eu|jag|jeg), "
    rf"(?:(?:an?|one|your|the|k?eine?|een|en|une?|una?|um) )?{_YOUR_OR_THE}(?:\w+ )?$"
)
_PRESENTED_BEFORE = compile_later(
    # "Hello, doctor here"; "Hallo, hier ist Ihr Arzt."
    rf"(?i)(?:[\n,.!–—-]\s*(?:an? )?{_YOUR_OR_THE}(?:\w+ )?$)"
)
_HERE_BEFORE = compile_later(
    rf"(?i)[\n,.!–—-]\s*(?:hier|ici|aqu[íi]|qui|här|her)"
    rf"(?: (?:ist|spricht|schreibt|is|est|è|är|er))? {_YOUR_OR_THE}$"
)
_IN_BRACKETS_BEFORE = compile_later(r"\n[ \t*_>#-]*[(\[]$")
_BRACKET_CLOSES = compile_later(r"^[)\]]")
_HERE = compile_later(r"(?i)^ here\b\s*(?:[^\w\s]|\n|$|to\b|and\b|with\b)")
_LAST_SENTENCE_BEFORE = compile_later(rf"(?i)[.!][*_)\"”’]{{0,2}}\s+[^\w\n]*{_YOUR_OR_THE}$")
_END_OF_TEXT = compile_later(r"^[^\w\n]*(?:\n|$)")
_NO_WORD_FOLLOWS = compile_later(r"^(?!['’]?\w|[ -]\w)")
_NO_WORD_OR_A_NAME_FOLLOWS = compile_later(
    r"^(?:(?!['’]?\w|[ -]\w)|(?: [A-ZÀ-Þ][\w-]*\.?){1,3}[.!]?[ \t]*(?:\n|$))"
)
_BEGIN_OF_LINE = compile_later(r"(?i)\n[^\w\n]*(?:the |your |dr\.? |ihre? )?$")
_LINE_IS_WRAPPED = compile_later(
    r"(?i)\b(?:an?|the|your|my|his|her|their|our|any|another|family|k?eine[mnr]?|den|dem|der|zum"
    r"|(?:ihr|mein|dein|sein)e[mnr]?|une?|le|la|votre|mon|son|el|su|mi|un[ao]?|il|suo|um|seu|een|uw"
    r"|een) ?\n$"
)
_BULLET = compile_later(r"\n[ \t]*[-*•–][ \t]*$")
_HOURS_OR_NUMBER = compile_later(r"^[ \t]*[:：][ \t]*\+?\d")
_LABEL_OR_SIGNATURE = compile_later(
    r"(?i)(?:['’]s)?(?: (?:answer|response|reply|opinion|note|here|antwort))?[*_]{0,2}[ \t]*"
    r"(?:[:：]|[.!,]?[ \t]*(?:\n|$)|(?<=here)\b)"
)
_NOT_AUTHOR_AFTER = compile_later(
    r"(?i)^['’]?s?\s+(?:would|might|may|can|will|should|does|did|has|had|said|says|told|advised?s?"
    r"|recommend\w*|suggest\w*|explain\w*|prescri\w*|tell\w*)\b"
)
_LABEL_OR_SIGNATURE_AFTER = compile_later(r"^[*_)\]]{0,3}[ \t]*(?:[:：|]|[.!,]?[ \t]*(?:\n|$))")
_NARRATED_BEFORE = compile_later(
    # "Como su médico le dijo", "Als ihre Ärztin anrief", and not "Como su médico, le recomiendo"
    r"(?i)\b(?:como|come|als)(?: (?:su|sus|seu|sua|suo|sua|tu|tuo|il|el|la|ihre?|deine?|eure?))+ $"
)
_OF_FIRST_PERSON_AFTER = compile_later(
    r"(?i)^(?:,|[^.!?\n]{0,40}\b(?:ich|wir|mir|le recomiendo|recomiendo|consiglio|recomendo)\b)"
)
_PLURAL_NARRATED = compile_later(r"\b[Aa]ls $")
_OBJECT_AFTER = compile_later(r"^ (?:ihn|ihm|sie|es|den|die|das|dies\w*|kam\w*|sah\w*)\b")
_NEAR_AUTHOR = 60
"""How many characters before and behind a word can say that it is its author's own."""


def is_said_of_author(text: str, word: re.Match[str]) -> bool:
    """Whether a common noun says who wrote the text: "As a doctor, I …", "I am not a doctor", a
    signature ("Best wishes, your doctor"), "Doctor: …", "Answer by doctor"; and not "see a doctor",
    "as your doctor advised" or "- Doctor: 5 to 9".
    """
    before = f"\n{text}"[max(word.start() + 1 - _NEAR_AUTHOR, 0) : word.start() + 1]
    after = text[word.end() : word.end() + _NEAR_AUTHOR]
    if _LINE_IS_WRAPPED.search(before):
        before = before.rstrip() + " "
    if _BEGIN_OF_LINE.search(before) and _LABEL_OR_SIGNATURE.match(after):
        return not (_BULLET.search(before) and _HOURS_OR_NUMBER.match(after))
    if _NOT_AUTHOR_AFTER.match(after):
        return False
    if _NARRATED_BEFORE.search(before) and not _OF_FIRST_PERSON_AFTER.match(after):
        return False
    if _PLURAL_NARRATED.search(before) and _OBJECT_AFTER.match(after):
        return False
    return any(
        above.search(before) and (below is None or below.search(after))
        for above, below in (
            (_AUTHOR_BEFORE, None),
            (_CLOSING_BEFORE, _NO_WORD_OR_A_NAME_FOLLOWS),
            (_BY_LINE_BEFORE, _LABEL_OR_SIGNATURE_AFTER),
            # "[Doctor] Rest."
            (_IN_BRACKETS_BEFORE, _BRACKET_CLOSES),
            (_IN_PERSON_BEFORE, None),
            (_PRESENTED_BEFORE, _HERE),
            (_HERE_BEFORE, _NO_WORD_FOLLOWS),
            (_LAST_SENTENCE_BEFORE, _END_OF_TEXT),
        )
    )
