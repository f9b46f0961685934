"""Headings of what names cases, questions and models, and of what programs keep of themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import heading_as_plain_lower_case_words
from medlens.studies.own.recognise_model_names import is_generation_metadata_heading
from medlens.studies.own.study_file_from_table.column_roles_from_cells import Guess

NAMING_HEADING = compile_later(
    r"(?i)^(item|case|fall|id|nr|no|number|nummer)[ ._-]?(id|nr|no|number)?$"
)
"""The heading of a column that should name the items."""
HEADING_OF_IDS = compile_later(
    r"(?i)(^|_|\b)(id|item|case|nr|no|number|name|fall(nummer|nr|id)?|cas|caso|vignette|nummer"
    r"|dossier|expediente|num[eé]ro|n[uú]mero|kennung|identifi(er|cador|ant)|casus|nº|n°|[qpucsr]id|uuid|guid|idx"
    r"|pmid|doi|(case|item|record|doc|question|row)id)($|_|\b|(?=\s))|(?-i:[a-z]Ids?$)"
    r"|^(编号|序号|番号|번호|№|номер|الرقم|رقم)$|病例号|症例番号"
)
"""Headings of what tells items or cases apart."""
HEADING_OF_WHAT_IS_READ = compile_later(
    r"(?i)(^|_|\b)(questions?|prompts?|fragen?|quer(y|ies)|preguntas?|perguntas?|domand[ae]"
    r"|vra(ag|gen)|respostas?|rispost[ae]|antwoord(en)?|inputs?|instructions?"
    r"|answers?|antwort(en)?|responses?|r[eé]ponses?|respuestas?|outputs?|text|note|message)($|_|\b)"
    r"|^(uitvoer|ausgabe|salida|sortie|uscita|sa[ií]da)[._]"
    r"|问题|回答|答案|質問|질문|답변|вопрос|ответ|السؤال|إجابة"
    r"|(^|_|\b)(sp[øo]rgsm[åa]l|sp[øo]rsm[åa]l|fr[åa]g(a|or|e)|svar|kysymys|vastaus|pytani[ea]|odpowied[źz]"
    r"|ot[áa]zk[ay]|odpov[ěe][ďd]|k[ée]rd[ée]s|v[áa]lasz|soru|cevap|yan[ıi]t|[îi]ntrebare|r[ăa]spuns"
    r"|pitanje|odgovor|ερ[ώω]τηση|απ[άα]ντηση|שאלה|תשובה|سؤال|سوال|جواب|پاسخ|प्रश्न|उत्तर|pertanyaan"
    r"|jawaban)($|_|\b)|คำถาม|คำตอบ|câu hỏi"
)
"""Headings of what is read, however short it is."""
_NUMBERS_CASES = compile_later(
    r"(?i)(sags?|saks?|[äa]rende|fall|kasus|tapaus|tapauksen|potilas|pasient|patient|pat|zaak|casus"
    r"|lauf|l[øo][pb]e|lfd|volg|pr[øo]ve|proband|sp[øo]rgsm[åa]ls?|sp[øo]rsm[åa]ls?|fr[åa]ge|frage|vraag"
    r"|record|vignette|caso|cas|case|question|preguntas?|pergunta|domanda)"
    r"[ _.-]*(nr|nummer|no|n[ºo°]|id|numero|nro|number|num)?[.:]?"
    r"|(l\.?p|nr crt|numer|przypad\w+|pacjent\w*|случай|пациент|номер|vaka|olgu|hasta|s[ıi]ra"
    r"|numara|p[řr][íi]pad|[čc][íi]slo|pacient\w*|eset|sorsz[áa]m|beteg|caz|slu[čc]aj|περίπτωση|αριθμός"
    r"|ασθενής|病例|症例|案例|病人|患者|ケース|사례|증례|환자|حالة|الحالة|مورد|מקרה)"
    r"[ _.-]*(no|nr|id|numaras[ıi]|号|番号|编号|번호)?[.:]?"
)
"""Headings of what numbers cases, in whole, in languages whose words for it are one word."""
_QUESTIONS = (
    r"(questions?|prompts?|fragen?|preguntas?|perguntas?|domand[ae]|vra(ag|gen)|sp[øo]r(gs|s)m[åa]l"
    r"|fr[åa]g(a|or|e)|pytani[ea]|ot[áa]zk[ay]|k[ée]rd[ée]s|soru|вопроса?)"
)
_A_NUMBER = r"(nr|no|n[ºo°]|num[eé]ro|n[uú]mero|number|numer|nummer|číslo|cislo|номер|id)\.?"
HEADING_OF_QUESTION_NUMBERS = compile_later(
    rf"(?i){_A_NUMBER}[\s._-]*((of|der|des|de|du|de la|della|da|van de|of the)\s+)?{_QUESTIONS}"
    rf"|{_QUESTIONS}[\s._-]*{_A_NUMBER}"
)
"""Headings of what numbers the questions that were asked, in whole."""
_OF_A_SURVEY = compile_later(
    r"redcap [a-z ]+|[a-z0-9 ]+ complete|start ?date|end ?date|recorded ?date|ip ?address|progress"
    r"|duration( in seconds)?|finished|status|recipient(last|first| last| first) ?name"
    r"|recipient ?email|external ?reference|(external data )?location ?(latitude|longitude)"
    r"|distribution ?channel|user ?language|time ?stamp|zeitstempel|horodateur|marca temporal"
    r"|carimbo (de )?(data|tempo)( e)?( hora)?|informazioni cronologiche|tijdstempel"
    r"|(data|data ora|ora) di (invio|inizio|completamento)|hora de (inicio|conclusao|envio)"
    r"|data( e)? (da |de )?(hora|submissao|envio|resposta)|fecha (y hora )?(de )?(envio|respuesta)"
    r"|date (et heure )?(de |d )?(soumission|envoi|reponse)|begintijd|tijd van voltooiing"
    r"|(sygnatura|znacznik) czasow[ya]|tids?stampel|tidsstempel|tidsmerke|aikaleima"
    r"|zaman damgas[iı]"
    r"|casova znacka|idobelyeg|marca de temps|marcaj de timp|χρονικη σημανση|отметка времени"
    r"|时间戳记?|提交时间|タイムスタンプ|타임스탬프|طابع زمني|חותמת זמן"
    r"|start ?time|completion ?time|last modified time|startzeit|fertigstellungszeit"
    r"|zeitpunkt der letzten anderung|heure de debut|heure de fin|hora de inicio"
    r"|hora de finalizacion|submitted at|submit date|e ?mail( adresse| address)?"
    r"|nutzername|username|correo electronico"
    r"|adresse e ?mail|direccion de correo electronico|data access group"
    r"|collector ?id|custom data \d|hit ?type ?id|assignment ?id|worker ?id|assignment status"
    r"|accept ?time|submit ?time|auto ?approv\w* ?(delay|time)|work ?time ?in ?seconds"
    r"|requester ?\w*"
    r"|life ?time ?approval ?rate|last\d+ ?days ?approval ?rate|lead ?time|annotation ?id"
    r"|zugangs ?(code|schlussel)|access ?(code|token)|token ?code|code d acces|codigo de acceso"
    r"|completed ?by|seed|letzte seite|start ?sprache|zufallsstartwert|last ?page|start ?language"
    r"|(execution|response|processing|generation|inference|elapsed|run) ?(time|zeit)( s| ms)?"
    r"|(zeit|time|dauer|duration|duracion|duree) (in )?(s|sec|secs|seconds|sek|sekunden|ms)"
    r"|index level \d+|unnamed \d+"
)
"""Headings, in words, of what a survey's program keeps of itself and of who filled it in."""
_OF_LIMESURVEY = compile_later(
    r"(submitdate|lastpage|startlanguage|seed|token|startdate|datestamp|ipaddr|refurl|interviewtime"
    r"|(?i:groupTime|questionTime)\w*)\. .+"
)
"""Headings of what LimeSurvey keeps of itself, where each has its code before its words."""


def is_survey_program_heading(name: str) -> bool:
    """Whether a heading is of what a survey's program keeps of itself and of who filled it in."""
    own = _OF_LIMESURVEY.fullmatch(name.strip())
    return bool(own or _OF_A_SURVEY.fullmatch(heading_as_plain_lower_case_words(name)))


HEADING_SAYING_WHICH_MODEL = compile_later(
    r"(?i)(^|[._ -])(model|llm|modell|modelo|mod[eè]le|engine|arm|provider|checkpoint|generator)"
    r"([._ -]?(name|id|version|[a-e]|\d))?$"
    r"|^(system|assistant|bot|chatbot|candidate)[._ -]?(name|[a-e]|\d)$"
    r"|^(модель|模型|モデル|모델|النموذج)$"
)
"""The heading of a column that says which model wrote a row."""
SIDE_OF_THE_BODY = compile_later(
    r"(?i)left|right|both( sides)?|bilateral|links|rechts|beid(e|seits)|gauche|droite?|izquierd[oa]"
    r"|derech[oa]|ambos|sinistr[oa]|destr[oa]|esquerd[oa]|direit[oa]|rechterarm|linkerarm|lew[ay]|praw[ay]"
    r"|dominant|non-?dominant"
)
"""What stands under "arm" where a limb is meant."""
SPEAKERS_IN_CHATS = frozenset({"assistant", "user", "system", "model"})
"""What programs call who speaks."""
_OF_SYSTEM_PROMPTS = compile_later(r"(system|developer)( (prompt|message|instructions?|text))?")
PROLIFIC_HEADINGS = frozenset(
    ["submission id", "participant id", "completion code", "time taken", "total approvals"]
)
"""Headings, in words, of Prolific's list of who took part."""
_FEWEST_OF_PROLIFIC = 4


def is_table_from_prolific(columns: Sequence[Guess]) -> bool:
    """Whether a table is Prolific's list of who took part in a study."""
    names = {heading_as_plain_lower_case_words(one.name) for one in columns}
    return len(names & PROLIFIC_HEADINGS) >= _FEWEST_OF_PROLIFIC


def is_file_content_column(name: str, names: Sequence[str]) -> bool:
    """Whether a column holds the bytes of a file whose name is beside them, as Hugging Face keeps
    images.
    """
    return name.endswith(".bytes") and f"{name.removesuffix('.bytes')}.path" in names


_OF_MECHANICAL_TURK = frozenset(
    ["hitid", "hittypeid", "assignmentid", "workerid", "assignmentstatus", "worktimeinseconds"]
)
_FEWEST_OF_MECHANICAL_TURK = 3


def is_table_from_mechanical_turk(columns: Sequence[Guess]) -> bool:
    """Whether a table is what workers of Mechanical Turk sent in, with what they were given."""
    names = {one.name.strip().casefold() for one in columns}
    return len(names & _OF_MECHANICAL_TURK) >= _FEWEST_OF_MECHANICAL_TURK


def says_how_answer_came_about(name: str, cells: Sequence[str]) -> bool:
    """Whether a column, or a part of nested cells, says how an answer came about."""
    words, part = (
        heading_as_plain_lower_case_words(name),
        heading_as_plain_lower_case_words(name.rpartition(".")[2]),
    )
    return is_generation_metadata_heading(words, cells) or is_generation_metadata_heading(
        part, cells
    )


HEADING_OF_USAGE_OF_A_REQUEST = compile_later(
    r"(?i)(?:^|[._])usage[._]|(?:^|[._ ])(?:(?:input|output|prompt|completion|total|cached?"
    r"|reasoning)_tokens(?:_details)?(?:$|[._])|(?:stop|finish)_?reason$|system_fingerprint$)"
)
"""Headings, as programming interfaces write them, of what a request to a model used."""
LABEL_STUDIO_HEADINGS = {"annotation_id", "annotator", "lead_time"}
"""Columns of the tables that Label Studio exports."""
_IS_REDCAP_DICTIONARY = {"variable field name", "form name", "field type", "field label"}
"""Columns of a data dictionary, as words."""


def are_headings_of_redcap_dictionary(names: Iterable[str]) -> bool:
    """Whether these are the headings of a data dictionary of REDCap, whose rows are fields."""
    return {heading_as_plain_lower_case_words(name) for name in names} >= _IS_REDCAP_DICTIONARY


PRODIGY_HEADINGS = {"_input_hash", "_task_hash"}
"""Columns of what Prodigy exports."""


def is_system_prompt_heading(name: str) -> bool:
    """Whether a column beside a dialogue holds what the model was told before it."""
    return bool(
        _OF_SYSTEM_PROMPTS.fullmatch(heading_as_plain_lower_case_words(name.rpartition(".")[2]))
    )


HEADING_OF_CASE_NAMES = compile_later(
    r"(study |pseudo)?(record|patient(in|en)?|pat|case|fall|subject|participant|proband(in|en)?"
    r"|person|paziente|paciente|casus|cas|caso|dossier|sujet|encounter|visit|vignette|item|row)"
    r" ?(id|nr|no|number|nummer|name|num|code|key|pseudonym)?"
)
"""Headings of what tells cases or patients apart, in words."""
HEADING_OF_PART_OF_A_CASE = compile_later(
    r"\b(questions?|prompts?|fragen?|\w*frage|pregunta|pergunta|domanda|vraag|consulta|quer(y|ies)"
    r"|inputs?|cases?|fall|vignettes?|s[cz]enario|context|kontext|history|anamnese|notes?|message"
    r"|nachricht|instructions?|task|source|quelle|text|transcript|abstract|article|document|report"
    r"|epikrise|epicrisi?s|[ée]picrise|anamn[eè]se|findings?|befund\w*|presentation|description"
    r"|titles?|symptoms?|complaint|background|passage"
    r"|(sentences?|premise|hypothesis|turns?|utterances?|users?|patients?)\d*"
    r"|sections?|part|teil|medications?|exam\w*|impression|plan|assessment|subjective|objective)\b"
)
"""Headings, in words, of parts of a case, which are no answers to it."""


def is_case_heading(name: str) -> bool:
    """Whether a heading is of what tells items or cases apart."""
    return bool(HEADING_OF_IDS.search(name) or _NUMBERS_CASES.fullmatch(name.strip()))
