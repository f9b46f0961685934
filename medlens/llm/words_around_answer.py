"""What the words around an answer say of it: that it is another one, that it is doubted, that it
was a draft, an example or a form to fill in.

A reply that answers "yes" in an object and "no" beside it is left to the repair that asks the model
once more; a wrong verdict costs more than a second call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from medlens.deferred_pattern import compile_later
from medlens.llm.not_knowing_phrases import IDK

YES_IN_OTHER_LANGUAGES = (
    "ja",
    "sí",
    "si",
    "oui",
    "sim",
    "да",
    "tak",
    "evet",
    "是",
    "是的",
    "对",
    "はい",
    "네",
    "예",
    "نعم",
)
NO_IN_OTHER_LANGUAGES = (
    *("nein", "non", "não", "nao", "nee", "нет", "nie", "hayır", "否", "不是", "不", "いいえ"),
    *("아니요", "아니오", "لا"),
)
"""Yes and no in other languages."""

_LONGEST = 4_000
_MARKS = compile_later(r"[*_`#>\"“”]+|```\w*")
_FENCE_AT_END = compile_later(r"```[A-Za-z0-9]*\s*$")
_SENTENCE_END = compile_later(r"(?<=[.!?。！？])\s+|\n+")
_DRAFT_LABEL = compile_later(
    r"(?:(?<!final )\b(?:rough )?drafts?|\bfirst (?:impression|thought|guess|answer|take|pass"
    r"|reading|attempt|instinct|try|verdict|idea|version)|\binitial(?:ly)?|\bmy gut(?: feeling)?"
    r"|\bpreliminary|\btentative(?:ly)?|\bprovisional(?:ly)?|\bworking (?:answer|hypothesis|theory)"
    r"|(?<!best )\bguess|\bhypothetical(?:ly)?|\bhypothes[ei]s"
    r"|\boption|\balternatives?|\bcandidate|\bpossib(?:le|ility)|\bscenario"
    r"|\bcase [A-Z0-9]|\b(?:an?|the|this|our|one|another) (?:example|sample)|^(?:example|sample)"
    r"|\bplaceholder|\bscratch ?pad|\bbrainstorm\w*|\bthought process|\b(?:my )?(?<!done )thinking"
    r"|\bbefore (?:checking|review\w*|reflection)|\bprevious(?:ly)?|\bearlier"
    r"|\bentwurf|\bdenkprozess|\bgedanken(?:gang)?|\berste[rns]? (?:eindruck|gedanke|antwort)"
    r"|\bvorläufig\w*|\bbeispiel|\bbrouillon|\bébauche|\bexemple|\bprovisoire|\bborrador|\bejemplo"
    r"|\bpreliminar|\bbozza|\besempio|\brascunho|\bexemplo|\bconcept|草稿|初步\w*|示例|例如|下書き)"
    r"(?: [\w-]+){0,3}(?:(?<=\d)\.)?[\s:)=–—-]*$"
    r"|\b(?:for (?:example|instance)|e\.g\.|z\.\s?b\.|zum beispiel|par exemple|por ejemplo)"
    r"[\s,:]*$"
    r"|\btempted to (?:answer|say|reply|write|go with)\b[\s:,]*$"
    r"|\b(?:I|we|you|one|someone|some|many|people) (?:could|might|may|would have|was going to"
    r"|almost|nearly|wanted to) (?:also |then |just )?(?:say|said|argue|answer(?:ed)?|write|wrote"
    r"|reply|replied|conclude|respond|claim)\b[\s:,]*$"
    r"|^(?:the|my|your|this|required|requested|expected|output|answer|response|json|reply|\s)*"
    r"(?:format|schema|template|shape|structure)"
    r"(?: is| would be| looks like| should be| to use)?[\s:=]*$",
    re.IGNORECASE,
)
_INVITES = compile_later(
    r"(?:please )?(?:let me know|feel free|if (?:you|anything|something|any|needed|more)"
    r"|should you|I hope|hope (?:this|that)|happy to|glad to|would you like|do you (?:want|need))",
    re.IGNORECASE,
)
_DOUBTS = compile_later(
    r"\b(?:on|upon) (?:second thoughts?|reflection|closer \w+)|\bscratch that|\bstrike that"
    r"|\bnever ?mind\b|\bmy (?:mistake|bad|error)\b|\bsorry\b[^.\n]{0,20}\b(?:meant|mean|that"
    r"|wrong|no)"
    r"|\bI (?:meant|misread|misspoke|mistook|was wrong|erred|stand corrected|changed my mind"
    r"|take (?:it|that) back|retract|withdraw|doubt)\b"
    r"|^\W*(?:actually|correction|edit|hmm+|wait(?! for\b)|oops|hold on|no wait|revised"
    r"|revision|update"
    r"|amended|that said|then again|having said that|hang on|um+|korrektur|moment|doch nicht"
    r"|not quite"
    r"|en fait|pardon|perdón|corrección|correzione|更正|不对)\b"
    r"|\b(?:should|must|ought to) (?:rather |really |instead )?(?:be|have been|read|say)"
    r" (?:the opposite|reversed)"
    r"|\bthe (?:opposite|reverse) (?:is|holds)"
    r"|\bI(?:['’]m| am) (?:\w+ )?(?:(?:not|un)(?: (?:\w+ )?)?(?:sure|certain|confident)|uncertain)"
    r"|\b(?:can(?:not|['’]t| not)) be (?:\w+ )?(?:sure|certain|confident)"
    r"|\b(?:might|may|could|would) (?:well )?be (?:wrong|mistaken|different|incorrect)"
    r"|\b(?:that|which|it|my answer|the above)(?:['’]s| is| was) (?:\w+ )?(?:wrong|incorrect"
    r"|mistaken|not (?:right|correct|quite))\b|\b(?:check|checked|review|verification)"
    r"\s*:\s*(?:wrong|incorrect|false|fails?)\b"
    r"|^\W*(?:but|however|yet|still|though|although)\b[^.\n]*(?:\bnot\b|n['’]t\b|\bno\b|\bun(?:sure|clear"
    r"|certain)\b|\bdoubt)|\bit(?: really)? depends\b|\b50[/ -]50\b",
    re.IGNORECASE,
)
_FINAL_LABEL = (
    r"(?:(?:my |the )?(?:(?:final|actual|real|correct(?:ed)?|revised|true|definit\w+) )?"
    r"(?:answer|verdict|conclusion|decision|judge?ment|result|output)|final|finally"
    r"|(?:endgültige? )?antwort|endgültig|ergebnis|(?:(?:la|ma) )?réponse(?: finale)?"
    r"|respuesta(?: final)?|risposta(?: finale)?|resposta(?: final)?|antwoord|最终答案|答案)"
)
_ONE_BY_LABEL = compile_later(
    rf"^\W*(?:\d+[.)] )?{_FINAL_LABEL}\s*(?:[:：=–—-]|\bis\b|\bshould be\b)\s*(?P<words>.*)$",
    re.IGNORECASE,
)
_NEGATED = (
    r"(?<!not )(?<!n['’]t )(?<!never )(?<!neither )(?<!hardly )(?<!not just )(?<!not really )"
)
_WRONG = compile_later(
    r"(?<!not )(?<!nothing )(?<!n['’]t )\b(?:wrong|incorrect|mistaken|not (?:right|correct))\b",
    re.IGNORECASE,
)
"""Doubt beside a yes; beside a no, it may be the claim that is called wrong."""
_DIFFER = compile_later(
    rf"{_NEGATED}\bdiffer(?:s|ed)?\b(?! (?:only|merely|just|solely|in (?:name|wording|spelling)))"
    rf"|{_NEGATED}\b(?:are|is|as|mean|means|name|to|describe|two|entirely|completely"
    r"|clearly|quite) "
    r"(?:two |clearly |quite |entirely |completely |really |in fact |very )*"
    r"(?:different|distinct|separate|unrelated|not alike)\b"
    r"(?! (?:names?|words?|wordings?|terms?|spellings?|labels?|ways?|expressions?|phrasings?"
    r"|synonyms?|stages?|languages?))"
    r"|(?:\bnot|n['’]t)(?: \w+){0,3}? (?:the same|identical|synonym\w*|equivalent"
    r"|interchangeable)\b"
    r"|\bn(?:either|ot) (?:the )?same (?:disease|condition|thing|diagnosis|illness)\b",
    re.IGNORECASE,
)
_ONE_DISEASE = compile_later(
    r"(?<!not )(?<!not the )(?<!n['’]t the )(?<!not exactly the )(?<!neither the )"
    r"\bsame (?:disease|condition|thing|diagnosis|illness|entity)\b"
    r"|\bdisease is the same\b",
    re.IGNORECASE,
)
"""Other names, the same disease: what differs is the words."""
_SAME = compile_later(
    r"(?<!not )(?<!n['’]t )(?<!never )(?<!hardly )"
    r"\b(?:they(?: both)?|both|these|those|two|terms|names|diagnoses|diseases|conditions|it|which)"
    r"(?:['’]re| are| is| mean| name| describe)"
    r" (?:in fact |actually |really |clearly |indeed |exactly |both )?"
    r"(?:the same\b(?! (?:organ|system|group|class|family|category|symptoms?|area|region|body"
    r"|treatment|spectrum))|identical|synonym\w*|equivalent)",
    re.IGNORECASE,
)
_QUALIFIES_ANY = compile_later(
    r"\b(?:unless|provided|assuming|depend(?:s|ing)|except|in (?:some|part|certain) \w+"
    r"|if|as long as|only (?:if|when|part\w*|in)"
    r"|not (?:sure|certain|entirely|completely|always))\b",
    re.IGNORECASE,
)
_QUALIFIES_A_YES = compile_later(
    r"\b(?:but|aber|mais|pero|ma|mas|но|however"
    r"|(?:al)?though(?! I(?:['’]m| am) (?:not an?|no|only an?)\b)"
    r"|part(?:ly|ially)|sort of|kind of|to (?:some|an?) \w+"
    r"|up to a point|sometimes|possibly|maybe|perhaps)\b",
    re.IGNORECASE,
)
_ALONE = {
    "yes": ("yes", *YES_IN_OTHER_LANGUAGES),
    "no": ("no", "nope", *NO_IN_OTHER_LANGUAGES),
}


def objection_to_answer(before: str, behind: str, answer: str, options: Sequence[str]) -> str:
    """Why an object is not what the reply answers, by the words before and behind it; empty if
    nothing stands against it.

    ``answer`` is the option that the object chooses among ``options``; both are empty where the
    object's type has no such choice.
    """
    if _DRAFT_LABEL.search(_last_line(before)):
        return "what it calls a draft, an example or a form is no answer"
    for words in (*_sentences(behind), *_short_statement(before)):
        if _INVITES.match(words.lstrip(" -–—")):
            continue
        if contradicts(answer, words) or _names_another_option(words, answer, options):
            return "it answers in words other than in its object"
    for words in _sentences(behind):
        if _INVITES.match(words.lstrip(" -–—")):
            continue
        if answer == "yes" and _WRONG.search(words):
            return "it calls its answer wrong"
        if _DOUBTS.search(words) or IDK.search(" ".join(words.casefold().split())):
            return "it doubts its answer or takes it back"
    return ""


def contradicts(answer: str, words: str) -> bool:
    """Whether words beside a "yes" say "no" or "they differ", or those beside a "no" the reverse;
    False for every other answer.
    """
    if answer == "yes":
        differ = _DIFFER.search(words) and not _ONE_DISEASE.search(words)
        return _stands_alone("no", words) or bool(differ)
    if answer == "no":
        return _stands_alone("yes", words) or _SAME.search(words) is not None
    return False


def answer_is_qualified(is_yes: bool, rest: str) -> bool:
    """Whether what follows a plain "yes" or another option holds it for some cases only."""
    qualified = _QUALIFIES_ANY.search(rest) or (is_yes and _QUALIFIES_A_YES.match(rest))
    return bool(qualified)


def _stands_alone(option: str, words: str) -> bool:
    """Whether a "yes" or "no" is a statement of its own: "No.", "the answer is no", "so no"."""
    either = "|".join(map(re.escape, _ALONE[option]))
    return bool(
        re.search(
            rf"(?:^|[.:;,!：。，]\s*|\b(?:is|be|say|meant|mean|so|actually|rather|instead|then|to|probably"
            rf"|answer|choose|conclude|am|of|for|ist|est|es)\s+|[-–—=]\s+)"
            rf"(?<!or )(?<!/)(?:{either})"
            r"(?=\s*(?:[.,;:!?)。，！]|$|because\b|since\b|instead\b|after all\b|[-–—]\s))",
            words,
            re.IGNORECASE,
        )
    )


def _names_another_option(words: str, answer: str, options: Sequence[str]) -> bool:
    """Whether a sentence gives another option than ``answer``: "Final answer: not supported"."""
    labelled = _ONE_BY_LABEL.match(words)
    given = " ".join((labelled["words"] if labelled else words).casefold().split()).strip(" .!:-")
    for option in options:
        if option != answer and given == option.replace("_", " ").casefold():
            return True
    return False


def _sentences(text: str) -> list[str]:
    """The sentences of a text without marks of Markdown and fences; of a long text its ends."""
    kept = text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    plain = _MARKS.sub("", kept)
    return [sentence.strip() for sentence in _SENTENCE_END.split(plain) if sentence.strip()]


def _short_statement(before: str) -> list[str]:
    """What stands before an object where it is a single sentence; empty for a longer text, which
    may weigh one answer against the other.
    """
    # What an earlier object says is no statement.
    sentences = [] if "{" in before else _sentences(before[-_LONGEST:])
    return sentences if len(sentences) == 1 and len(sentences[0]) < 200 else []


def _last_line(before: str) -> str:
    """The last sentence before an object, without marks of Markdown, a fence and a number."""
    plain = _MARKS.sub("", _FENCE_AT_END.sub("", before[-_LONGEST:]).rstrip())
    lines = [line.strip() for line in plain.split("\n") if re.search(r"\w", line)]
    return re.split(r"(?<=[.!?])\s+(?=[A-Z])", lines[-1])[-1] if lines else ""
