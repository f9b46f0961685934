"""Shown headings that say that a machine wrote a text or chose a code ("AI draft note", "Triagenivå
AI"), beside one that says it of nobody or of a person ("Signed note", "Triagenivå sjuksköterska"):
reviewers then know which is which.

No list has all words for people and for what they write. So what stands behind a machine's text is
its counterpart unless its heading says that it belongs to the case; what stands before it is one
only if its heading says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import (
    heading_as_plain_lower_case_words,
    is_headed_as_answer,
    is_headed_as_part_of_a_case,
)
from medlens.studies.own.detect_model_answer_columns import NAMED_MODEL, is_question_heading
from medlens.studies.own.texts_saying_machine_wrote import is_name_of_person


@dataclass(frozen=True)
class Headed:
    """A column's heading, whether it is a ``text`` of its own (or one of several short details),
    the mean ``length`` of its cells in characters, and whether reviewers see it (``shown``).
    """

    heading: str
    text: bool
    length: float
    shown: bool = True


_NEW_WORD = compile_later(
    r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])"
    r"|(?<![^\W_])(?<=AI|KI|IA)(?=[a-zß-ÿ]{3})|(?<![^\W_]LLM)(?<=LLM)(?=[a-zß-ÿ]{3})"
    r"|(?<=AI)(?=[^\x00-\u02ff])|(?<=[^\x00-\u02ff\W])(?=AI)"
)
"""Where a heading in one word begins another: "aiReply", "AISummary", "KIsvar", "AI回答"."""
_MACHINE = compile_later(
    # "Ki-67" is a marker, Italian "ai medici" is "to the doctors".
    r"(?<![^\W_])(?:ai(?! (?:medic|pazient|client|genitor|dottor)\w*)|ki(?! ?67)|ia|ии|ші|llms?"
    r"|\w*gpt\d*\w?|\w*chat ?bot\w*|bots?|robot\w*|machines?|maschin\w*|macchina|maquina|algorit\w*"
    r"|algorithm\w*|(?:ai|ki|auto)?generated|\w+generiert\w*|automated|automatisch\w*"
    r"|(?:ai|ki|ia)(?=antwort|text|entwurf|draft|answer|repl|response|note|svar|concept|summar"
    r"|vorschlag|befund|brief|diagnos)\w+|(?:gross|large )?language models?|\w*sprachmodell\w*"
    r"|sprakmodell\w*|sprogmodel\w*|taalmodel\w*|tekoaly\w*|yapay zeka\w*|artifici\w+ intell\w+"
    r"|intell?i?gen[cz]i?a artificiale?|intelligence artificielle|kunstig intelligens"
    r"|kunstlich\w* intelligenz"
    r"|kunstmatige intelligentie|sztuczn\w+ inteligencj\w+|umel\w+ inteligenc\w+"
    r"|искусственн\w+ интеллект\w*|штучн\w+ інтелект\w*|(?:ال)?ذكاء (?:ال)?اصطناعي"
    r"|هوش مصنوعی"
    r"|mesterseges intelligenci\w*|τεχνητη\w* νοημοσυνη\w*|בינה מלאכותית|कृत्रिम बुद्धिमत्ता|एआई"
    # Machine translation, and language models, where these are no compounds.
    r"|makine\w*|maszynow\w*|strojov\w*|strojn[aie]\w*|gepi|машинн\w*|нейросет\w*|нейромереж\w*"
    r"|μηχανικη|(?:ال)?(?:الية|الي)|الالة|ماشینی|מכונה|मशीनी?|kone(?:kaannos|vastaus)\w*"
    r"|чат ?бот\w*"
    r"|(?:buyuk )?dil model\w*|model\w* jezyko\w+|jazyko\w+ model\w*|nyelvi modell\w*"
    r"|kielimall\w*"
    r"|язык\w+ модел\w*|модел\w+ язык\w*|мовн\w+ модел\w*|γλωσσικο μοντελο|מודל שפה"
    r"|(?:ال)?نموذج (?:ال)?لغوي|مدل زبانی|भाषा मॉडल|(?:modell?o?|modele)s?(?= (?:out|resp"
    r"|repl|pred|summ|draft|note|text|sugg|reco|ausgabe|vorhers|vorschl|sort|sal))"
    r"|(?:output|outputs|response|prediction|draft|suggestion) (?:of "
    r"|by )?(?:the )?model)(?![^\W_])"
    r"|人工智能|人工智慧|人工知能|语言模型|語言模型|大模型|聊天机器人|聊天機器人|機械|机器|機器|机翻"
    r"|チャットボット|言語モデル|생성형|인공지능|챗봇|언어 ?모델|기계"
)
"""Words for a machine in a heading in plain lower-case words."""
_SAID_TO_IT = compile_later(
    r"\b(?:to|for|with|about|asked|sent|an|fur|mit|uber|au|aux|avec|pour|con|para|com|per|all|met"
    r"|voor"
    r"|aan|till|til|med|do|z) (?:(?:the|an?|die|der|den|das|la|le|el|l|il|lo|de|het) )?"
    r"(?:ai|ki|ia|llm|\w*gpt\w*|\w*chat ?bots?|bots?|machines?|models?)\b"
)
_TALK = compile_later(
    r"\b(?:conversations?|dialog\w*|transcripts?|transkript\w*|chat ?log\w*|chats?|chatt\w*"
    r"|gesprach\w*"
    r"|conversation|conversacion|conversazione|conversa|prompts?|inputs?|instructions?"
    r"|messages? (?:of|by|from) (?:the )?patients?)\b"
)
_ABOUT_ANOTHER = compile_later(
    r"\b(?:feedback|critiques?|comments?|kommentar\w*|explanations?|explained|erklarung\w*"
    r"|ratings?|scores?|grad(?:e|ing)"
    r"|evaluat\w*|bewertung\w*|judge?ments?|reviews?|translat\w*|ubersetz\w*|traduc\w*|vertal\w*"
    r"|simplif\w*|vereinfach\w*|confidence|konfidenz|questions?)\b"
)
"""What a machine says of another text is judged beside it."""
_MADE_OF_ANOTHER = compile_later(
    r"\btranslat\w*|\b\w*ubersetz\w*|\btraduc\w*|\btraduz\w*|\btradu[ct]t?i\w*|\bvertal\w*"
    r"|\w*oversatt\w*|\w*oversaett\w*|\w*oversett\w*|\bkaannos\w*|\bt[lł]umacz\w*|\bpreklad\w*|\bcevir\w*"
    r"|\bfordit\w*|\bперевод\w*|\bпереклад\w*|\bμεταφρα\w*|ترجم|תרגום|अनुवाद|翻译|翻譯|翻訳|번역"
    r"|\bsummar\w*|\w*zusammenfass\w*|\bresum\w*|\briassun\w*|\bsamenvatt\w*|\bsammanfattn\w*"
    r"|\bsammendrag\w*|\bstreszcz\w*|\bozet\w*|要約|摘要|总结|요약|\bsimplif\w*|\w*vereinfach\w*"
)
_FINAL = compile_later(
    r"\b(?:signed|final\w*|approved|sent|edited|revised|corrected|reviewed|verified|validated"
    r"|attested|authored"
    r"|released|published|definitiv\w*|definit[eio]\w*|unterschrieben\w*|freigegeben\w*"
    r"|versandt\w*|gesendet\w*|korrigiert\w*|gepruft\w*"
    r"|signe\w*|valide[es]?|envoye\w*|corrige\w*|relu\w*|firmad\w*|aprobad\w*|enviad\w*"
    r"|corregid\w*|firmat\w*"
    r"|approvat\w*|inviat\w*|corrett\w*|assinad\w*|aprovad\w*|ondertekend\w*|verzonden"
    r"|goedgekeurd\w*|verstuurd\w*"
    r"|signerad\w*|skickad\w*|godkand\w*|signert|sendt|godkjent|godkendt|podpisan\w*|wyslan\w*)\b"
)
_DRAFT = compile_later(
    r"\b(?:\w*draft\w*|\w*entwurf\w*|\w*entwurfe|brouillon\w*|borrador\w*|bozza|bozze|rascunho\w*"
    r"|concept|concepten|\w*utkast"
    r"|\w*udkast|szkic|taslak)\b"
)
_DECIDED = compile_later(
    r"\b(?:decisi\w+|decisao|entscheidung\w*|beslissing\w*|beslut\w*|reco|recommend\w*|recomend\w*"
    r"|recommand\w*|raccomand\w*"
    r"|empfehlung\w*|advi[cs]e\w*|impression|beurteilung\w*|conclusi\w*|human\w*|mensch\w*)\b"
)
_FOR_A_PERSON = compile_later(
    r"\b(?:to|for|an|fur|zum|zur|a|al|ao|au|aux|pour|para|per|alla|voor|aan|till|til|ask\w*) "
    r"(?:(?:the|an?|my|your|den|die|das|der|eine?n?|el|la|le|les|il|lo|l|o|de|het) )?\w+"
)
_OF_THE_CASE = compile_later(
    r"\b(?:\w*bericht\w*|informe\w*|dossier\w*|cartella|historic\w*|\w*guideline\w*|leitlinie\w*"
    r"|guia|richtlijn\w*|referral\w*"
    r"|uberweisung\w*|compte rendu|records?|reports?|originals?|originaltext|volltext|full text"
    r"|journal\w*"
    r"|notes?|nota|notas|notizen?|\w*notat\w*|messages?|mensaje|mensagem|messaggio|nachricht\w*"
    r"|bericht|guide"
    r"|\w*frage|fragen|\w*vraag|fraga|demande\w*|anfrage|request|essay|patient\w*|pa[cz]i?ent\w*"
    r"|pasient\w*"
    r"|antecedent\w*|vorgeschichte|hospital course|topic|reviews?|source\w*|reason\w*|visit\w*"
    r"|specialty|dialogue)\b"
)
_NO_KIND = compile_later(
    r"the|of|by|from|a|an|s|de|du|la|le|l|el|del|della|di|do|da|d|von|"
    r"vom|der|des|die|das|van|het|av|af|fra|score|scores|value|wert|level|"
    r"niveau|id|nr|no|number|n|1|2|3|in|on|for|to|and|und|et|y|e|answer|"
    r"antwort|option|options|choice|choices|question|frage|name|date|datum|time"
)
"""Words that say nothing of what a text or a code is."""
_SHORTEST_WORD = 3
_AS_LONG = 3
"""By how often texts of one kind differ in their mean length at most."""
_TIMES_AS_LONG_AS_WHAT_IS_MADE_OF_IT = 2


def _words(heading: str) -> str:
    return heading_as_plain_lower_case_words(_NEW_WORD.sub(" ", heading))


def names_a_machine(heading: str) -> bool:
    """Whether a heading says that a machine made what is below it, and no person with it."""
    words = _words(heading)
    if _SAID_TO_IT.search(words) or _TALK.search(words) or is_question_heading(heading):
        return False
    by_machine = _MACHINE.search(words) or NAMED_MODEL.search(heading)
    return bool(by_machine) and not is_name_of_person(_MACHINE.sub(" ", words))


def list_headings_beside_a_machines(columns: Sequence[Headed]) -> list[str]:
    """The headings that tell reviewers which of several texts, or of several short details, a
    machine made: its own and those of its counterparts, in the order of the table. Empty if there
    are no counterparts, as where the answers of one machine are judged.
    """
    made = {at for at, one in enumerate(columns) if one.shown and names_a_machine(one.heading)}
    found: set[int] = set()
    for at in made:
        beside = [
            other
            for other in range(len(columns))
            if other not in made and _is_counterpart(columns, at, other)
        ]
        found |= {at, *beside} if beside else set()
    return [one.heading for at, one in enumerate(columns) if at in found]


def list_headings_of_draft_and_final_text(columns: Sequence[Headed]) -> list[str]:
    """The headings of texts shown of which one is called a draft and another what became of it
    ("Draft", "Signed note"), whoever wrote them; empty if there are not both.
    """
    texts = [one for one in columns if one.shown and one.text]
    drafts = [one for one in texts if _DRAFT.search(_words(one.heading))]
    final = [one for one in texts if one not in drafts and _FINAL.search(_words(one.heading))]
    pairs = [(one, other) for one in drafts for other in final if _are_as_long(one, other)]
    told = {one.heading for pair in pairs for one in pair}
    return [one.heading for one in texts if one.heading in told]


def _is_counterpart(columns: Sequence[Headed], machine: int, at: int) -> bool:
    made, other = columns[machine], columns[at]
    words = _words(other.heading)
    if is_question_heading(other.heading) or _TALK.search(words):
        return False
    alike = any(_share_a_word(made.heading, other.heading))
    person = is_name_of_person(words)
    if not (made.text and other.text):
        # The key to an answer is hidden, and so may be a person's, which is then what is right.
        return alike and (person or other.shown)
    if not other.shown or _ABOUT_ANOTHER.search(_words(made.heading)):
        return False
    if _FOR_A_PERSON.search(words) and not is_headed_as_answer(words):
        return False
    if _FINAL.search(words):
        return _are_as_long(made, other)
    of_the_case = bool(_OF_THE_CASE.search(words)) or is_headed_as_part_of_a_case(words)
    if of_the_case:
        return alike and (person or at > machine) and _are_as_long(made, other)
    if person or at > machine:
        return other.length <= _AS_LONG * made.length
    # Under nothing but "Large language model" stands what it made, as another did "Translation".
    alone = not _kind_of_text(made.heading) and _MADE_OF_ANOTHER.search(words)
    said = alone or alike or is_headed_as_answer(words) or _DECIDED.search(words)
    # What is made from a text, such as its summary, stands behind it and is shorter.
    return bool(said) and other.length < _TIMES_AS_LONG_AS_WHAT_IS_MADE_OF_IT * made.length


def _share_a_word(one: str, other: str) -> Iterator[bool]:
    """For each word of a heading that says what a text or code is, whether the other has it."""
    others = set(_words(other).split())
    return (word in others for word in _kind_of_text(one) if len(word) >= _SHORTEST_WORD)


def _kind_of_text(heading: str) -> list[str]:
    """The words of a machine's heading that say what it made; of a model's name there are some."""
    words = _MACHINE.sub(" ", _words(heading)).split()
    return [word for word in words if not _NO_KIND.fullmatch(word)]


def _are_as_long(one: Headed, other: Headed) -> bool:
    longer, shorter = max(one.length, other.length), min(one.length, other.length)
    return longer <= _AS_LONG * shorter
