"""Columns of surveys that name whoever answered, or say something about that person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import heading_as_plain_lower_case_words
from medlens.studies.own.study_file_from_table.column_roles_from_cells import cell_as_plain_text

_NUMBER = r"( ?(public|private))?( ?(p?id|nr|no|number|nummer|code|key|name|num))?"
_OF_A_CROWD = compile_later(
    rf"(prolific|mturk|sona|(crowd ?|m ?turk ?)?worker|(survey )?respondent|survey ?taker){_NUMBER}"
    r"|(id|numero|codigo|code) (del? |de l |du )?(encuestad[oa]|respondente|repondant|intervistato)"
    r"|respondent(en)? ?(id|nr|nummer|kennung)|befragte[rn]? ?(id|nr|nummer|kennung)?"
    r"|encuestad[oa]|repondant|respondente"
)
"""Headings, in words, of who took part on a platform where nobody is a patient."""
_OF_A_PARTICIPANT = compile_later(
    rf"participant{_NUMBER}|teilnehmer(in|innen|nde[nr]?)? ?(id|nr|nummer|code|kennung)?"
    r"|teilnehmende[nr]? ?(id|nr|nummer|code|kennung)?"
    r"|(id |codigo |codice |code |numero )?(del? |du )?(participante|partecipante|participant)"
    r"( id)?|deelnemer ?(id|nr|nummer)?|deltager ?(id|nr|nummer)?|deltaker ?(id|nr|nummer)?"
    r"|deltagare ?(id|nr|nummer)?|uczestnik ?(id|nr)?|katilimci ?(id|no)?|участник ?(id|номер)?"
    r"|参与者 ?(id|编号)?|参加者 ?(id|番号)?|回答者 ?(id|番号)?|참가자 ?(id|번호)?"
)
"""Headings, in words, of who took part; in a trial this is a patient."""
_OF_A_RESPONSE = compile_later(
    r"(survey )?(response|submission|entry) ?(id|no|nr|number)|antwort ?id"
    r"|id (de |della |da |de la )?(respuesta|reponse|risposta|resposta)|antwoord ?id"
)
"""Headings, in words, of what a survey's program calls each response; models' have one too."""
_BY_QUALTRICS = compile_later(r"R_\w+")
_OF_A_FORM = compile_later(
    r"start ?(date|time)|end ?date|recorded ?date|submit ?date|date ?submitted|completion ?time"
    r"|duration( in seconds)?|finished|progress|ip ?address|last ?page|start ?language"
    r"|collector ?id|user ?language|distribution ?channel|time ?stamp|zeitstempel"
    r"|horodateur|marca temporal"
    r"|datum abgeschickt|letzte seite|start ?sprache|startzeit|fertigstellungszeit|time taken"
    r"|(started|completed|submitted) ?at|date last action|refurl|interview ?time"
)
_OF_A_TIME = compile_later(
    r"time ?stamp|zeitstempel|horodateur|marca temporal|carimbo de data hora|tijdstempel"
    r"|informazioni cronologiche|tids?stampel|tidsstempel|tidsmerke|sygnatura czasowa"
    r"|zaman damgas[iı]|отметка времени|时间戳记?|タイムスタンプ|타임스탬프|submitted at"
    r"|recorded ?date"
)

_AGE_AND_SEX = (
    r"age|alter|edad|idade|eta|leeftijd|alder|wiek|yas|возраст|年龄|年齢|나이|العمر"
    r"|(age|alters?) ?(group|range|band|bracket|gruppe|years?|jahre|in years|in jahren)"
    r"|sex|gender( identity)?|geschlecht|sexe|genre|sexo|genero|sesso|genere|geslacht|kon"
    r"|kjonn|plec"
    r"|cinsiyet|пол|性别|性別|성별|الجنس"
)
_ORIGIN = (
    r"ethnic\w*( simplified)?|race|nationalit\w*|nationality|nacionalidad\w*|nazionalita"
    r"|(country|land|pays|pais|paese|ulke|kraj|страна|国家|国籍|البلد)"
    r"( of (residence|birth|origin)| de (residencia|residence|nacimiento|naissance))?"
    r"|(wohn|geburts|herkunfts)land|herkunft"
    r"|(first |native |mother |fluent |primary )?(languages?|tongue)( spoken)?"
    r"|muttersprache|sprache"
    r"|langue( maternelle)?|idioma|lingua|taal|region|state|zip|postcode|postal code"
)
_WORK = (
    r"role|(current |clinical |professional |job )+(role|title|position|status)|position|profession"
    r"|occupation|job|career stage|seniority|training (level|grade|stage)|years? (in|of) "
    r"(practice|experience|training|work)|(work|clinical|professional) experience|experience years"
    r"|experience in years|postgraduate year|pgy|(medical |clinical )?special(i)?ty|discipline"
    r"|beruf(sgruppe|serfahrung|sjahre)?|funktion|rolle|tatigkeit|fach(richtung|gebiet|arzt)?"
    r"|(jahre|anzahl jahre) (berufs|klinische )?erfahrung|dienstgrad|metier|fonction|specialite"
    r"|annees d experience|poste|profesion|ocupacion|cargo|puesto|rol|especialidad"
    r"|anos de experiencia|professione|ruolo|specialita|specializzazione|anni di esperienza"
    r"|profissao|funcao|especialidade|beroep|functie|specialisme|jaren ervaring|werkervaring"
    r"|yrke|roll|stilling|specialitet|erfaring|zawod|stanowisko|rola|specjalizacja|meslek|unvan"
    r"|uzmanlik|gorev|профессия|должность|роль|специальность|стаж|职业|职称|角色|职务|職業|職種|役割"
    r"|직업|직종|역할|المهنة|الدور|التخصص|الوظيفة"
)
_CIRCUMSTANCES = (
    r"student( status)?|employment( status)?|employed|education( level)?|(highest )?(level of )?"
    r"education|degree|income|household\w*|marital status|religion|political \w+"
    r"|bildung(sabschluss|sstand)?|niveau d etudes|nivel de estudios|titolo di studio|escolaridade"
    r"|opleiding(sniveau)?|time (taken|spent)|(total )?duration|bearbeitungszeit|duree|duracion"
    r"|durata|duracao|device( type)?|gerat|appareil|dispositivo|apparaat|browser( version)?|os"
    r"|operating system|platform|screen (size|resolution)|resolution|user ?agent|total approvals"
    r"|(number of )?approvals?( rate)?|rejections?|reward( amount)?|bonus|consent( given)?"
    r"|attention check( passed)?|completion code"
)
_ABOUT_A_PERSON = compile_later(f"{_AGE_AND_SEX}|{_ORIGIN}|{_WORK}|{_CIRCUMSTANCES}")
"""What surveys ask of whoever answers, as headings in words."""
_AT_WORK = compile_later(_WORK)
_NUMBER_OR_UNIT = compile_later(r"^[qfp]? ?\d+ | (in )?(seconds|minutes|years|jahren?|sec|min|s)$")
_WHO_ANSWERED = compile_later(
    r"(?:(?:the )?(?:participants?|respondents?|workers?|raters?|reviewers?|annotators?|evaluators?"
    r"|experts?|your|own|teilnehmer(?:in)?|gutachter(?:in)?|bewerter(?:in)?|ihr|ihre|votre|su|sua"
    r"|seu|suo|uw)(?: s)? )(?P<what>.+)"
)
_ASKS_A_PERSON = compile_later(
    r"\b(your|you|yourself|ihr|ihre[rnms]?|sie|votre|vos|vous|usted(es)?|tu|tus|lei|suo|seus?|voce"
    r"|uw|din|ditt|dig|deg|twoj\w*|pan(i|a)?|siz(in)?|ваш\w*|вы|您|你|あなた|당신|귀하)\b"
    r"|您的?|你的?|あなたの?"
)
_ABOUT_A_PERSON_IN_A_QUESTION = compile_later(
    r"\b(role|profession|occupation|job|position|gender|sex|age|old|specialty|speciality|country"
    r"|years|experience|education|rolle|funktion|beruf\w*|alter|alt|geschlecht|fachgebiet"
    r"|fachrichtung|fonction|metier|age|sexe|specialite|pays|annees|rol|profesion|cargo|puesto|edad"
    r"|anos|sexo|especialidad|pais|ruolo|professione|eta|anni|specialita|profissao|funcao|idade"
    r"|especialidade|functie|beroep|leeftijd|jaar)\b|职业|角色|年龄|役割|職業|年齢"
)
_OF_A_PATIENT = compile_later(
    r"\b(patient\w*|diagnos[ei]\w*|dx|symptom\w*|sintomas?|beschwerden|complaints?|(past |medical "
    r"|case )+history|anamnes\w*|medications?|medikation|medikamente|medicacion|allerg\w*"
    r"|comorbid\w*"
    r"|vorerkrankung\w*|blood pressure|blutdruck|bp|rr|heart rate|pulse?|temperature|spo2"
    r"|weight|bmi"
    r"|creatinine?|kreatinin|h(a?e)?moglobin|hba1c|crp|labs?|labor\w*|vitals?|befund\w*|findings?"
    r"|admission|discharge|procedure|imaging|reason for (visit|admission)|entlass\w*|aufnahme\w*)\b"
    r"|症状|诊断|診断|患者|病人"
)
"""Headings of what is told of a patient."""


def is_question_about_who_answers(name: str) -> bool:
    """Whether a heading asks a person something about that person: "What is your role?"."""
    words = heading_as_plain_lower_case_words(name)
    asked = _WHO_ANSWERED.fullmatch(words)
    if asked and _ABOUT_A_PERSON.fullmatch(asked["what"]):
        return True
    return bool(_ASKS_A_PERSON.search(words) and _ABOUT_A_PERSON_IN_A_QUESTION.search(words))


def is_asked_of_who_answers(name: str) -> bool:
    """Whether a heading is a question to a person: what is said there names no model's answer."""
    words = heading_as_plain_lower_case_words(name)
    return any(sign in name for sign in "?？؟") and bool(_ASKS_A_PERSON.search(words))


def is_heading_of_someones_work(name: str) -> bool:
    """Whether a heading is of what somebody works as: role, profession, specialty."""
    return bool(_AT_WORK.fullmatch(heading_as_plain_lower_case_words(name)))


def find_column_naming_who_answered(cells: Mapping[str, Sequence[Any]]) -> str:
    """The column that names who answered a survey, or each response to it; "" if none does. Not in
    a table that tells of patients, where the participants of a trial may be these.
    """
    words = {name: heading_as_plain_lower_case_words(name) for name in cells}

    def filled(name: str) -> list[str]:
        return [text for text in map(cell_as_plain_text, cells[name]) if text]

    for name, said in words.items():
        if _OF_A_CROWD.fullmatch(said) and filled(name):
            return name
    if any(map(_OF_A_PATIENT.search, words.values())):
        return ""
    form = any(_OF_A_FORM.fullmatch(said) and filled(name) for name, said in words.items())
    for name, said in words.items():
        if _OF_A_PARTICIPANT.fullmatch(said) and filled(name):
            return name
    for name, said in words.items():
        texts = filled(name) if _OF_A_RESPONSE.fullmatch(said) else []
        if texts and (form or all(map(_BY_QUALTRICS.fullmatch, texts))):
            return name
    return ""


def has_a_row_for_each_person(cells: Mapping[str, Sequence[Any]]) -> bool:
    """Whether each row of a table is what one person answered in a survey: by a column that names
    them, or by the moments at which a form was sent in.
    """
    who = find_column_naming_who_answered(cells)
    times = [
        name for name in cells if _OF_A_TIME.fullmatch(heading_as_plain_lower_case_words(name))
    ]
    for name in [who] if who else times:
        texts = [*map(cell_as_plain_text, cells[name])]
        if len(texts) > 1 and all(texts) and len(set(texts)) == len(texts):
            return True
    return False


def list_columns_about_who_answered(cells: Mapping[str, Sequence[Any]]) -> list[str]:
    """The columns that say something of whoever answered a survey, such as age, country or time
    taken, where a column names that person or the heading says it.
    """
    who = find_column_naming_who_answered(cells)
    of_patients = any(
        _OF_A_PATIENT.search(heading_as_plain_lower_case_words(name)) for name in cells
    )
    found = []
    for name in cells:
        words = _NUMBER_OR_UNIT.sub("", heading_as_plain_lower_case_words(name))
        if (who and name != who and _ABOUT_A_PERSON.fullmatch(words)) or (
            (who or not of_patients) and is_question_about_who_answers(name)
        ):
            found.append(name)
    return found
