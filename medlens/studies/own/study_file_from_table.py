"""Writes a study's file from a table: guesses what each column is, and writes the lines."""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from medlens.config.question_forms_and_answer_checks import EVIDENCE, KINDS, OF_ARMS, REWRITE, SPANS
from medlens.config.toml_edit import add_part_to_toml
from medlens.deferred_regex import compile_later
from medlens.studies.own.attached_files import FILES
from medlens.studies.own.blinded_arms import ARM, ARMS, CASE, MOST_TOGETHER
from medlens.studies.own.blinded_arms import MOST as MOST_ARMS
from medlens.studies.own.columns_in_the_same_few_words import group_columns_by_shared_words
from medlens.studies.own.columns_outside_the_case import (
    Candidate,
    find_columns_to_hide_at_first,
    has_column_to_judge,
    heading_as_plain_lower_case_words,
    is_address_path_or_hash,
    is_headed_as_answer,
    is_headed_as_part_of_a_case,
)
from medlens.studies.own.columns_repeating_answers import columns_that_repeat_an_answer
from medlens.studies.own.dates_made_by_spreadsheets import (
    find_dates_among_names,
    find_dates_among_values,
)
from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    THOUGHTS,
    authors_by_column,
    find_column_of_preferred_answers,
    initials_by_column,
    is_answer_of_numbered_model,
    is_decision_heading,
    is_machine_text_heading,
    is_name_of_model,
    is_name_of_writer,
    is_numbered_model,
    is_only_a_model_name,
    is_preference_heading,
    is_question_heading,
    letters_by_decision_column,
    list_answer_columns_differing_in_setting,
    list_columns_by_way_of_prompting,
    list_columns_headed_alike,
    list_columns_headed_like_a_machines,
    list_file_headings_differing_in_one_part,
    list_headings_beside_model_answers,
    list_headings_with_writer_by_column,
    list_machine_and_person_headings_of_a_text,
    make_arm_names,
    makers_by_file_column,
    may_be_a_further_writer,
    may_be_initials,
    model_names_by_letter_or_number,
    models_by_answer_column,
    normalise_model_name,
    numbers_by_doubled_heading,
    versions_by_column,
    versions_by_heading_beside_answers,
    writers_by_column,
    writers_by_number_column,
)
from medlens.studies.own.dialogue_turns import (
    count_dialogues_with_system_prompt,
    count_dialogues_with_tool_calls,
    dialogue_as_readable_lines,
    is_list_of_turns,
    parse_turns_of_dialogue,
)
from medlens.studies.own.error_messages_and_no_answer_phrases import (
    is_error_message_of_a_program,
    says_that_there_is_no_answer,
)
from medlens.studies.own.find_and_replace_patient_identifiers import is_identifier_column
from medlens.studies.own.imported_preferences import (
    RATER,
    is_choice_column,
    is_headed_as_preference,
)
from medlens.studies.own.item_and_judgment_import_and_export import (
    cell_text,
    criteria_cell_as_stored,
    criterion_dict_with_usual_keys,
    dialogue_cell_as_stored,
    dialogue_or_table_cell_as_stored,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    USUAL_FOR_NOTHING,
    blank_missing_cells,
    cell_counts_by_word_for_missing_value,
    flatten_nested_cells_of_rows,
    is_cell_missing,
    is_nearly_empty,
    list_columns_of_dialogues,
    part_columns_by_nested_column,
    words_for_totals_by_row_number,
)
from medlens.studies.own.model_giveaways import MODEL_HEADING, columns_and_rows_in_words
from medlens.studies.own.nested_values_in_text import (
    list_texts_of_nested_list,
    parse_nested_value,
    text_of_content_parts,
)
from medlens.studies.own.recognise_model_names import (
    find_model_names_in_text_by_normalised_name,
    is_generation_metadata_heading,
)
from medlens.studies.own.spreadsheet_error_values import is_error_value_of_spreadsheet
from medlens.studies.own.study_file import (
    ITEM,
    LONGEST_ID,
    MOST,
    TEMPLATES,
    UNREADABLE,
    Advice,
    StudyDeclaration,
    read_study_file_text_and_declaration,
)
from medlens.studies.own.texts_damaged_or_of_several_models import list_damage_in_words
from medlens.studies.own.texts_saying_machine_wrote import is_name_of_person
from medlens.studies.own.words_as_readers_see_them import text_as_readers_see_it
from medlens.tables import RowError
from medlens.tables.file_kind_and_lines import shorten_value
from medlens.tables.reshape_cases_and_models import list_case_and_model_of_each_name
from medlens.tables.row_reader import normalise_column_name
from medlens.tables.table_place_and_header_in_sheet import SECTION

Role = Literal[
    "id",
    "text",
    "markdown",
    "source",
    "dialogue",
    "table",
    "record",
    "image",
    "pdf",
    "after",
    "criteria",
    "group",
    "hidden",
    "arm",
    "answer",
    "out",
]
ROLES: Mapping[Role, str] = {
    "id": "names the item",
    "text": "shown, as text",
    "markdown": "shown, with its headings and lists",
    "source": "shown, as a source to compare with",
    "dialogue": "shown, as a dialogue",
    "table": "shown, as a table",
    "record": "shown, in one list with others",
    "image": "names an image, which is shown",
    "pdf": "names a PDF, whose pages are shown",
    "after": "shown as text, once the item is answered",
    "criteria": "holds the item's own criteria, with points",
    "group": "not shown; results are shown by it",
    "hidden": "not shown; kept with the item",
    "arm": "not shown; says whose answer it is",
    "answer": "the answer of one model, shown without its heading",
    "out": "left out",
}
"""What a column can be, as shown to a lead."""

_LONG, _SHORT = 30, 40
"""The mean length in characters from which a column is a text to read; and the longest name."""
_MOST_GROUPS = 12
_SHORTEST_NAME = 2
_LONGEST_ASIDE, _NAMED = 200, 4
"""The mean length in characters of a column on the side, longer ones being what is judged; and how
many names are listed.
"""
_LONGEST_ARM = 80
NAMING_HEADING = compile_later(
    r"(?i)^(item|case|fall|id|nr|no|number|nummer)[ ._-]?(id|nr|no|number)?$"
)
"""The heading of a column that should name the items."""
_CRITERION = {"criterion", "points"}
_MARKS = compile_later(r"(?m)^(#{1,4} |[-*] |\d+\. )|\*\*\S")
_IDS = compile_later(
    r"(?i)(^|_|\b)(id|item|case|nr|no|number|name|fall(nummer|nr|id)?|cas|caso|vignette|nummer"
    r"|dossier|expediente|num[eé]ro|n[uú]mero|kennung|identifi(er|cador|ant)|casus|nº|n°|[qpucsr]id|uuid|guid|idx"
    r"|pmid|doi|(case|item|record|doc|question|row)id)($|_|\b|(?=\s))|(?-i:[a-z]Ids?$)"
    r"|^(编号|序号|番号|번호|№|номер|الرقم|رقم)$|病例号|症例番号"
)
_ASKED_OF_MODELS = compile_later(
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
_NUMBERS_QUESTIONS = compile_later(
    rf"(?i){_A_NUMBER}[\s._-]*((of|der|des|de|du|de la|della|da|van de|of the)\s+)?{_QUESTIONS}"
    rf"|{_QUESTIONS}[\s._-]*{_A_NUMBER}"
)
"""Headings of what numbers the questions that were asked, in whole."""
# Of names without accents, in words (``heading_as_plain_lower_case_words``): English, German,
# Spanish and French.
_KEYS = compile_later(
    r"\b(references?|refs?|gold|truth|groundtruth|correct|expected|targets?|keys?|answerkey"
    r"|solutions?|verdict|rubrics?|answer (idx|index|key|letter|number)|exact match"
    r"|is (right|wrong)|(incorrect|wrong) (answers?|options?)|distractors?|falsche? ?antwort\w*"
    r"|respuestas? incorrectas?|mauvaises? reponses?|rispost[ae] errat[ae]"
    r"|ziel(diagnose|antwort|wert)?"
    r"|(actual|real|true|final) (dx|icd|diagnos[ei]s?|outcome)"
    r"|(diagnos(tico|tic|i|e|is)|dx) (real|reel(le)?|vrai|vera|verdader\w+|retenue?|finale?"
    r"|definiti\w+|effecti\w+|confirm\w+|tatsachlich\w*)"
    r"|(tatsachliche|echte|gesicherte|wahre) diagnose"
    r"|(diagnos\w*|dx|befund) ((der|by|per|nach|par|por) )?"
    r"((histo)?patholog\w*|histolog\w*|biops\w*|autops\w*|obduktion\w*)"
    r"|((histo)?patholog\w*|histolog\w*|biops\w*|autops\w*|obduktion\w*)"
    r" (diagnos\w*|dx|confirm\w*|proven|gesichert\w*)"
    r"|must have|nice to have|key points?|required (points?|elements?)|kernpunkte|pflichtpunkte"
    r"|referen[zc]\w*|gold\w*|muster\w*|losung\w*|loesung\w*|richtig\w*|korrekt\w*|wahrheit"
    r"|erwart\w*|schlussel|schluessel|soll(antwort|wert|diagnose)?"
    r"|patron oro|estandar de oro|verdad\w*|correct[ao]s?|esperad[ao]s?|solucion(es|ario)?|clave"
    r"|prawid[lł]ow\w*|poprawn\w*|wzorcow\w*|ratt|riktig\w*|rigtig\w*|spravn\w*|dogru"
    r"|facit|fasit|guld ?standard\w*|gull ?standard\w*|(model|referen[cs]e?|fasit|facit)svar\w*"
    r"|(monster|mall)svar\w*|attes[ao]|esatt[ao]|solu[cz]ion[ei]|soluc(ao|oes)|reponses? types?"
    r"|gouden standaard|leitlinien(empfehlung|antwort)\w*|guideline (answer|recommendation)s?"
    r"|\w*模範\w*|\w*模范\w*|\w*正答\w*|\w*النموذجية?|\w*نموذجية?|\w*모범\w*|losningsforslag|oikea\w*|malli(vastaus|ratkaisu)|vzorov[ae]|helyes\w*|corect[ae]?|tocan\w*"
    r"|klucz|wzor|altin standart|sleutel(antwoord)?|modelantwoord|antwoordmodel|correctie"
    r"|правильн\w*|эталон\w*|\w*标准答案\w*|\w*正确\w*|\w*参考\w*|\w*正解\w*|\w*정답\w*|\w*صحيحة?"
    r"|\w*مرجع\w*|corret[ao]s?|padrao( ouro)?|gabarito|corrett[aoie]|riferimento|giust[ao]|juiste?"
    r"|goede? antwoord"
    r"|(best|ideal|optimal|sample|official|standard|true|right|accepted|approved|preferred)"
    r" (answers?|response|reply|diagnos[ei]s|output|treatment)"
    r"|(final|definitive|confirmed|discharge|histolog\w*|ultimate) (diagnos[ei]s|decision|label)"
    r"|(end|abschluss|entlass|final)(diagnose|entscheidung)\w*|diagnostic final|diagnostico final"
    r"|(beste|ideale|optimale|richtige) (antwort|losung|diagnose)|mejor respuesta"
    r"|meilleure reponse|adjudicat\w+|criterion standard|reference standard"
    r"|etalon|verite|bonnes? reponses?|reponses? justes?|corriges?|attendu\w*|cle)\b"
)
_KEYS_AS_WRITTEN = compile_later(
    r"(?i)सही|সঠিক|சரியான|ถูกต้อง|đáp án|נכונה|σωστ|پاسخ صحیح|jawaban benar|kunci jawaban"
)
"""The same in languages whose vowels are signs on a letter."""
_ACCOUNTS = compile_later(
    r"\b(explanations?|rationales?|reasoning|justifications?"
    r"|begrundung\w*|begruendung\w*|erklarung\w*|erklaerung\w*|erlauterung\w*|erlaeuterung\w*"
    r"|rechtfertigung"
    r"|explicacion(es)?|justificacion(es)?|razonamiento|fundamentacion"
    r"|explications?|raisonnement|spiegazion[ei]|motivazion[ei]|ragionamento"
    r"|explicac(ao|oes)|justificativas?|fundamentac(ao|oes)|raciocinio"
    r"|forklaring|begrunnelse|begrundelse|perustelu\w*|vysvetleni|zduvodneni|aciklama|gerekce"
    r"|\w*解説\w*|\w*解析\w*|\w*解释\w*|\w*解釈\w*|\w*شرح|\w*해설\w*|wyjasnienie|indoklas|magyarazat|explicatie|toelichting|uitleg|onderbouwing|redenering|uzasadnienie|motivering)\b"
    r"|^(why|warum|weshalb|pourquoi|perche|por que|waarom)\b"
    r"|^(reasons?|grund|grunde|gruende|motiv[oi]s?|motifs?|raisons?|reden(en)?"
    r"|cot|chain of thought|thinking|scratchpad)$"
)
_A_REASON = compile_later(r"reasons?|grund|grunde|gruende|motiv[oi]s?|motifs?|raisons?|reden(en)?")
"""Why a patient came, if it stands before the answers; why something is right, behind them."""
_VERDICTS = compile_later(
    r"\b(labels?|scores?|ratings?|grad(e|es|er|ers|ing)|feedback|remarks?|comments?|critiques?"
    r"|judg(e?ments?|e)|evaluations?|annotat(ions?|ors?|ion notes)|passed|accuracy"
    r"|bewertung\w*|punktzahl|punkte|etikett\w*|kennzeichnung|kommentar\w*|anmerkung\w*"
    r"|ruckmeldung\w*|rueckmeldung\w*|urteil\w*|note des|benotung"
    r"|winners?|gewinner|sieger|ganador|gagnant|vainqueur|prefer(red|ence)|preferencia"
    r"|praferenz|praeferenz|bevorzugt\w*|reviewers?|raters?|gutachter(in|innen)?|prufer(in)?|pruefer(in)?|bewerter(in)?"
    r"|beurteiler(in)?|evaluateurs?|relecteurs?|evaluador(es)?|revisor(es)?|avaliador(es)?"
    r"|valutator[ei]|beoordelaar|agree(d|s|ment)?|disagree(ment)?|ubereinstimmung"
    r"|uebereinstimmung|zustimmung|accord|acuerdo|toelichting|opmerking(en)?|beoordeling"
    r"|punteggio|valutazione|commento|commenti|pontuacao|avaliacao|bedomning\w*|vurdering\w*"
    r"|poang|poeng|omdome|karakter(er)?|ocena|ocen[ey]|uwagi|komentarz\w*|hodnoceni|ertekeles"
    r"|puan(lama)?|arvio(inti)?|arvosana|pisteet|kommentti|yorum|degerlendirme"
    r"|etiquetas?|puntuacion(es)?|puntajes?|calificacion(es)?|comentarios?|valoracion(es)?"
    r"|evaluacion(es)?|etiquettes?|commentaires?|remarques?|jugements?)\b"
)
"""What somebody thought of an answer: never a part of it, however long."""
_VERDICT_ALONE = compile_later(
    r"(total |max |mean )?(points|pts|marks|punkte|puntos)( total| max)?"
    r"|((llm|nv|non|factual|noise|answer|context|response|semantic|exact|topic|tool|agent|goal|string"
    r"|similarity|average|mean|overall|with|without|based|reference|id|summary|aspect) )*"
    r"(faithfulness|adherence|sensitivity|accuracy|critic|relevanc[ey]|correctness"
    r"|groundedness|recall|precision|similarity|match|entity recall)"
    r"|success|metrics?( data)?|helpfulness|coherence|complexity|verbosity|fluency|harmlessness"
    r"|bleu( \d)?|rouge( ?\w)?|bert ?score|em|f1|acc|pass"
    r"|hallucination( score| rate)|toxicity|g ?eval|win ?rate"
)
_OPINIONS = compile_later(
    r"\b(expert(e|en|s|enmeinung|enurteil|enkonsens|enantwort)?|konsensus|konsens|consensus|consenso)"
    r"( (opinion|view|meinung|urteil|konsens|consensus|diagnosis|diagnose|verdict|panel))?$"
    r"|^parecer\b"
    r"|^(opinion|avis|opinion) (of |d |de |del )?(the )?(un |l )?experte?s?$"
)
"""What experts think is what is right, unless it is one of several answers that are compared."""
_ANSWER_OF_AN_EXPERT = compile_later(
    r"(experte?[ns]?|experto|esperto|especialista|specialist|spezialist|fach ?arzt|arzt|arztliche"
    r"|physician|doctor|clinician|medico|medecin|panel|consensus|konsensus|human|official|teacher)"
    r"s? (answer|response|reply|antwort|reponse|respuesta|risposta|resposta|antwoord|solution)s?"
    r"|(reponse|respuesta|risposta|resposta)s? (de |d |del? |do |dell )?(la |l )?"
    r"(experte?|experto|esperto|especialista|medecin|medico)s?"
)
"""What a person answered: what is right, where each model's answer has a row of its own."""
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


def _is_of_a_survey(name: str) -> bool:
    """Whether a heading is of what a survey's program keeps of itself and of who filled it in."""
    own = _OF_LIMESURVEY.fullmatch(name.strip())
    return bool(own or _OF_A_SURVEY.fullmatch(heading_as_plain_lower_case_words(name)))


_A_MOMENT = compile_later(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}[ T]\d{1,2}:\d\d.{0,24}")
"""A date and a time as forms write it: "2026/03/02 9:14:03 a. m. GMT-6"."""
_OF_A_MODEL = compile_later(
    r"(?i)(^|[._ -])(model|llm|modell|modelo|mod[eè]le|engine|arm|provider|checkpoint|generator)"
    r"([._ -]?(name|id|version|[a-e]|\d))?$"
    r"|^(system|assistant|bot|chatbot|candidate)[._ -]?(name|[a-e]|\d)$"
    r"|^(модель|模型|モデル|모델|النموذج)$"
)
"""The heading of a column that says which model wrote a row."""
_A_SIDE = compile_later(
    r"(?i)left|right|both( sides)?|bilateral|links|rechts|beid(e|seits)|gauche|droite?|izquierd[oa]"
    r"|derech[oa]|ambos|sinistr[oa]|destr[oa]|esquerd[oa]|direit[oa]|rechterarm|linkerarm|lew[ay]|praw[ay]"
    r"|dominant|non-?dominant"
)
"""What stands under "arm" where a limb is meant."""
_SPEAKERS = frozenset({"assistant", "user", "system", "model"})
"""What programs call who speaks."""
_OF_SYSTEM_PROMPTS = compile_later(r"(system|developer)( (prompt|message|instructions?|text))?")
_FOR_ARMS = frozenset({ARM, ARMS, CASE, FILES})
"""Names that stand for something else in a stored item."""
_FILES: Mapping[Role, re.Pattern[str]] = {
    "image": compile_later(r"(?i)^[^\n]*\.(png|jpe?g|gif|webp)$"),
    "pdf": compile_later(r"(?i)^[^\n]*\.pdf(#page=\d+)?$"),
}


@dataclass(frozen=True)
class Guess:
    """What a column probably is; ``by_arm``: each arm of a case has its own."""

    name: str
    role: Role
    by_arm: bool = False


_CODE_OF_A_QUESTION = compile_later(
    r"(?i)(q|qid|v|var|f|frage|question|item|p)?[ ._-]?\d+([ ._-]*([a-z]|\d+|text))*"
)


def list_guessed_roles_of_columns(
    rows: Sequence[Mapping[str, Any]], survey_questions: Mapping[str, str] | None = None
) -> list[Guess]:
    """What the columns of a table seem to be, from its first rows; a short column that a survey's
    program calls by a code, by its question.
    """
    rows = flatten_nested_cells_of_rows(rows)
    asked = {
        name: words
        for name, said in (survey_questions or {}).items()
        if _CODE_OF_A_QUESTION.fullmatch(name)
        and (words := " ".join(re.sub(r"<[^<>]*>|&nbsp;", " ", said).split()))
        and not _is_long(_filled(rows, name))
    }
    asked = {name: f"{words} [{name}]" for name, words in asked.items()}
    asked = asked or _headings_as_seen(rows)
    if asked:
        called = {words: name for name, words in asked.items()}
        renamed = [{asked.get(name, name): cell for name, cell in row.items()} for row in rows]
        return [
            replace(one, name=called.get(one.name, one.name))
            for one in list_guessed_roles_of_columns(renamed)
        ]
    rows = blank_missing_cells(rows, [*cell_counts_by_word_for_missing_value(rows)])
    names = list(dict.fromkeys(name for row in rows for name in row if name))
    cells = {name: [row.get(name) for row in rows] for name in names}
    of = _case_and_arm(cells)
    apart = [name for name in names if of and name not in of and not UNREADABLE.search(name)]
    if of and not any(_differs(cells, name, of[0]) for name in apart):
        of = None
    # A question that is repeated for each model tells cases apart, and is to be read all the same.
    is_named = of is not None and _is_name_of_a_case(of[0], cells[of[0]])
    found = []
    # What all arms of a case share is repeated in each of its rows.
    first = {case: at for at, case in reversed([*enumerate(cells[of[0]])])} if of else {}
    options = _options(cells)
    talks = list_columns_of_dialogues(rows)
    ways = list_answer_columns_differing_in_setting(names)
    ways = [*ways, *list_columns_by_way_of_prompting(names)]
    visits = _reasons_before_answers(names)
    quoted = list_headings_of_answers_in_question_sets(names)
    for name in names:
        by_arm = of is not None and name not in of and _differs(cells, name, of[0])
        own = cells[name] if by_arm or not of else [cells[name][at] for at in first.values()]
        role: Role = "out" if name in ("illustrative", "dataset") else _role(own)
        if (
            role == "table"
            and _HOLDS_CRITERIA.search(heading_as_plain_lower_case_words(name))
            and _are_weighted(own)
        ):
            role = "criteria"
        if name in talks and role != "criteria" and _is_dialogue(filter(_plain, own)):
            role = "dialogue"
        if role == "criteria" and by_arm:
            role = "hidden"
        named = [text for text in map(_plain, own) if text]
        if role in ("record", "group") and _OF_A_MODEL.search(name) and _names_a_model(named):
            # An arm may be a limb.
            role = "record" if all(map(_A_SIDE.fullmatch, named)) else "group"
        if role == "group" and (by_arm or _ASKED_OF_MODELS.search(name)):
            # What a model answered is what is judged, however few answers there are.
            role = "record"
        if _is_of_a_survey(name) and (
            role in ("record", "group") or (named and all(map(_A_MOMENT.fullmatch, named)))
        ):
            role = "hidden"
        is_key = _is_an_option(name, cells, options) or _is_number_of_option(name, cells, options)
        is_key = is_key or name in quoted or _marks_answers(own)
        gives_away = name not in (*ways, *visits) and _gives_away(name, role, by_arm=by_arm)
        if of and not by_arm and role in _SHOWN and _is_answer_of_an_expert(name):
            gives_away = True
        if gives_away or is_key:
            # Whoever sees what is right does not judge by themselves.
            role = "group" if role == "record" else "hidden"
        if role == "table" and _lists_what_graders_found(own):
            role = "hidden"
        if role in _SHOWN and any(map(_DECIDED_IN_NOTES.fullmatch, named)):
            role = "hidden"
        if role in _SHOWN and (_holds_ratings(name, cells) or _OF_A_REQUEST.search(name)):
            role = "hidden"
        if role in _SHOWN and _is_system_prompt_heading(name):
            # What is the same in all rows belongs to no case.
            role = "hidden" if talks or (len(named) > 1 and len(set(named)) == 1) else role
        if (
            heading_as_plain_lower_case_words(name).split()[-1:] == ["role"]
            and {*filter(None, map(_plain, own))} <= _SPEAKERS
        ):
            role = "out"
        if _is_content_of_file(name, names):
            role = "out"
        if of and name == of[1]:
            role = "arm"
        elif of and is_named and name == of[0]:
            role = "id"
        found.append(Guess(name, role, by_arm))
    if any(one.role == "record" for one in found if one.name in options):
        # A long option stays in one list with the others.
        found = [
            replace(o, role="record") if o.name in options and o.role in _PROSE else o
            for o in found
        ]
    if {name.casefold() for name in names} >= _IS_LABEL_STUDIO:
        # What was chosen stands beside the texts, under headings of any kind.
        found = [replace(o, role="group") if o.role == "record" else o for o in found]
    if set(names) >= _IS_PRODIGY:
        found = [replace(o, role="hidden") if _OF_PRODIGY.match(o.name) else o for o in found]
    answers: set[str] = set()
    if not of:
        found = _with_answers_of_models(found, cells)
        answers = {one.name for one in found if one.role == "answer"}
        found = [
            replace(one, role="hidden") if _is_doubled(one, cells[one.name]) else one
            for one in found
        ]
        if name := _naming_column(found, cells):
            found = [Guess(o.name, "id" if o.name == name else o.role) for o in found]
    found = _without_what_gives_models_away(found, rows)
    found = _without_what_raters_chose(found, rows)
    copies = _copies_of_answers(found, rows, _SHOWN, options)
    found = [replace(one, role="hidden") if one.name in copies else one for one in found]
    found = _with_account_that_is_only_text(found, rows)
    found = _without_what_stands_beside(found, rows)
    found = _without_what_several_said(found, rows)
    found = _with_comments_of_machines(found, rows)
    found = _with_references_beside_predictions(found, rows)
    found = _with_titles_that_ask(found, rows)
    found = _without_what_prolific_keeps(found)
    found = _without_what_mechanical_turk_collected(found, rows)
    if found and not answers and not any(one.role in _SHOWN for one in found):
        rest = [one for one in found if one.role not in ("id", "arm")]
        references = list_hidden_columns_of_correct_answers(rest)
        tell = [one.name for one in rest if _OF_A_MODEL.search(one.name)]
        rest = [one for one in rest if one.name not in (*references, *tell)] or rest
        rest = rest or [one for one in found if one.role != "arm"]
        rest = [one for one in rest if any(map(_plain, cells[one.name]))]
        most = max(rest, key=_width(cells), default=None)
        found = [Guess(o.name, "text", o.by_arm) if o is most else o for o in found]
    return _that_a_study_can_keep(found)


def _headings_as_seen(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The headings that are written otherwise than readers see them, with what these see; without
    those that look like another one.
    """
    names = list(dict.fromkeys(name for row in rows for name in row if name))
    seen = {name: text_as_readers_see_it(name) for name in names}
    often = Counter(seen.values())
    return {name: own for name, own in seen.items() if own != name and often[own] == 1}


def _with_titles_that_ask(guessed: list[Guess], rows: Sequence[Mapping[str, Any]]) -> list[Guess]:
    """The guesses, with what stands above the rows of each case shown, if it is a text and nothing
    else that the models share is: it is what they were asked.
    """
    if any(one.role in _TEXTS and not one.by_arm for one in guessed):
        return guessed
    asks = [
        one.name
        for one in guessed
        if one.name == SECTION
        and not one.by_arm
        and one.role in ("hidden", "group", "record")
        and any(other.by_arm for other in guessed)
        and _is_long(texts := _filled(rows, one.name))
        and len(set(texts)) > 1
    ]
    return [replace(one, role="text") if one.name in asks else one for one in guessed]


_OF_PROLIFIC = frozenset(
    ["submission id", "participant id", "completion code", "time taken", "total approvals"]
)
_FEWEST_OF_PROLIFIC = 4


def _is_from_prolific(columns: Sequence[Guess]) -> bool:
    """Whether a table is Prolific's list of who took part in a study."""
    names = {heading_as_plain_lower_case_words(one.name) for one in columns}
    return len(names & _OF_PROLIFIC) >= _FEWEST_OF_PROLIFIC


def _without_what_prolific_keeps(guessed: list[Guess]) -> list[Guess]:
    if not _is_from_prolific(guessed):
        return guessed
    return [
        replace(one, role="hidden")
        if one.role == "record" and heading_as_plain_lower_case_words(one.name) in _OF_PROLIFIC
        else one
        for one in guessed
    ]


def _is_content_of_file(name: str, names: Sequence[str]) -> bool:
    """Whether a column holds the bytes of a file whose name is beside them, as Hugging Face keeps
    images.
    """
    return name.endswith(".bytes") and f"{name.removesuffix('.bytes')}.path" in names


_OF_MECHANICAL_TURK = frozenset(
    ["hitid", "hittypeid", "assignmentid", "workerid", "assignmentstatus", "worktimeinseconds"]
)
_FEWEST_OF_MECHANICAL_TURK = 3
_ASKED_BY_MECHANICAL_TURK = compile_later(
    r"(?i)title|description|keywords|reward|max ?assignments|number ?of ?similar ?hits"
    r"|requester ?annotation|(?:creation|expiration|approval|rejection) ?time|expiration"
)
_FROM_A_WORKER = compile_later(r"(?i)answer\.|approve$|reject$|last\d+days")


def _is_from_mechanical_turk(columns: Sequence[Guess]) -> bool:
    """Whether a table is what workers of Mechanical Turk sent in, with what they were given."""
    names = {one.name.strip().casefold() for one in columns}
    return len(names & _OF_MECHANICAL_TURK) >= _FEWEST_OF_MECHANICAL_TURK


def _without_what_mechanical_turk_collected(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with what earlier workers answered not shown, and what the task was called and
    paid. Long texts of workers stay where nothing they were given is an answer: they are judged.
    """
    if not _is_from_mechanical_turk(guessed):
        return guessed
    given = [one for one in guessed if one.name.casefold().startswith("input.")]
    judged = [
        one
        for one in given
        if one.role == "answer"
        or (one.role in _PROSE and is_headed_as_answer(one.name.partition(".")[2].casefold()))
    ]

    def role_of(one: Guess) -> Role:
        collected = _FROM_A_WORKER.match(one.name)
        if collected and not judged and _is_long(_filled(rows, one.name)):
            return one.role
        if not collected and not _ASKED_BY_MECHANICAL_TURK.fullmatch(one.name):
            return one.role
        if one.role == "out":
            return "out"
        return "group" if one.role in ("record", "group") else "hidden"

    return [replace(one, role=role_of(one)) for one in guessed]


def _reasons_before_answers(names: Sequence[str]) -> list[str]:
    """The columns of a reason that stand before what was answered, and not beside what is right:
    why a patient came.
    """
    answered = [
        at
        for at, name in enumerate(names)
        if is_headed_as_answer(heading_as_plain_lower_case_words(name)) or NAMED_MODEL.search(name)
    ]
    # "Motif" is seldom anything else.
    first = answered[0] if answered else 0
    return [
        name
        for at, name in enumerate(names)
        if _A_REASON.fullmatch(words := heading_as_plain_lower_case_words(name))
        and (at < first or (not answered and words.startswith(("motif", "reden"))))
        and not (at and _gives_away(names[at - 1], "record", by_arm=False))
    ]


_PREDICTED = compile_later(
    r"(pred|predictions?|predicted|generated|vorhersage|prediction|prediccion)"
    r"( (answers?|response|text|output))?"
    r"|((the )?(models?|llm|ai|ki|ia|system|sys|bot|chatbot|modell|modelo|modele|predicted"
    r"|generated|candidate) )(s )?(answers?|responses?|reply|outputs?|predictions?|text|summary"
    r"|antwort|ausgabe|zusammenfassung|respuesta|reponse)"
    r"|(respuesta|salida) (del modelo|de la ia)|(reponse|sortie) (du modele|de l ia)"
    r"|(antwort|ausgabe) (des modells|der ki)|hypothesis|hypotheses|system output"
)
"""Headings, in words, of what a model said, as programs that measure models call it."""
_PLAIN_ANSWER = compile_later(
    r"(the )?((long|short|full|true|original|actual|final|human) )?(answers?|solutions?|responses?"
    r"|summary|antwort(en)?|losung|loesung|zusammenfassung|respuestas?|reponses?|rispost[ae]"
    r"|respostas?|antwoord(en)?)|(long|short|final) ?(answers?|decision)"
)


def _with_references_beside_predictions(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with an "answer" beside a "prediction" not shown: it is what is right."""
    names = {
        one.name: heading_as_plain_lower_case_words(one.name)
        for one in guessed
        if _filled(rows, one.name)
    }
    said = [name for name, words in names.items() if _PREDICTED.fullmatch(words)]
    plain = list_reference_columns_beside_predictions([*names])
    compared = any(one.role in ("answer", "arm") for one in guessed)
    if compared or not plain:
        return guessed
    whole = [name for name in said if _is_long(_filled(rows, name))] or said

    def role_of(one: Guess) -> Role:
        if one.name in plain and one.role in _SHOWN:
            return "group" if one.role == "record" else "hidden"
        if one.name in whole and one.role in ("hidden", "group"):
            return "text"
        return one.role

    return [replace(one, role=role_of(one)) for one in guessed]


def list_reference_columns_beside_predictions(names: Sequence[str]) -> list[str]:
    """The headings of plain answers in a table that has a model's beside them."""
    words = {name: heading_as_plain_lower_case_words(name) for name in names}
    said = [name for name in names if _PREDICTED.fullmatch(words[name])]
    return [
        name for name in names if said and name not in said and _PLAIN_ANSWER.fullmatch(words[name])
    ]


_HOLDS_CRITERIA = compile_later(
    r"\b(rubrics?|criteri(a|on)|kriterien|criteres?|criterios?|criteri|bewertungskriterien)\b"
)


def _are_weighted(values: Sequence[Any]) -> bool:
    """Whether cells are lists of criteria, whatever their texts and points are called."""
    listed = [_listed(one) for one in values if not is_cell_missing(one)]
    keys = [set(one) for rows in listed for one in rows or ()]
    return (
        all(listed)
        and all(
            criterion_dict_with_usual_keys(dict.fromkeys(one)).keys() >= _CRITERION for one in keys
        )
        and _fits(
            [one for one in values if not is_cell_missing(one)],
            lambda c: criteria_cell_as_stored(c, ""),
        )
    )


_A_CHOICE = compile_later(
    r"(?i)((strongly|somewhat|slightly|mostly|completely|fully|totally|partly|partially|rather) )?"
    r"(dis)?agree(d|s)?( (strongly|somewhat|slightly|mostly|completely|fully|partly|partially))?"
    r"|i (dis)?agree|(do )?not agree"
    r"|stimm(e|t) ((voll|eher|teilweise|gar|überhaupt) ){0,3}(nicht )?zu"
    r"|trifft ((voll|eher|teilweise|gar|überhaupt) ){0,3}(nicht )?zu"
    r"|((totalmente|muy|parcialmente|bastante) )?(de acuerdo|en desacuerdo)"
    r"|(tout à fait|plutôt|pas du tout|pas|partiellement) d[’']accord|d[’']accord|pas d[’']accord"
    r"|(molto |del tutto |parzialmente )?(d[’']accordo|in disaccordo)"
    r"|(helemaal |deels )?(mee )?(on)?eens|(concordo|discordo)( (totalmente|parcialmente))?"
)
"""What people who were asked about an answer chose, in the words of a scale."""
_NO_CHOICE = compile_later(
    r"(?i)neutral|neither( agree nor disagree)?|undecided|unsure|not sure|don[’']?t know|weiß nicht"
    r"|unentschieden|neutre|indeciso|neither .{0,30}|teils[ ,/-]*teils|n/?a"
)


def _without_what_raters_chose(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with what participants chose about a text not shown ("agree", "disagree"), where
    a text is headed as the answer, or two texts are shown.
    """
    read = [one for one in guessed if one.role in (*_TEXTS, "answer")]
    long = [one for one in read if one.role == "answer" or _is_long(_filled(rows, one.name))]
    arms = any(one.by_arm for one in guessed)
    headed = [
        one
        for one in long
        if one.role == "answer"
        or (
            is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
            or is_machine_text_heading(one.name)
        )
    ]
    if not headed and len(long) < 2:
        return guessed

    def is_choice(one: Guess) -> bool:
        if one.role != "record" or (arms and one.by_arm and not any(o.by_arm for o in long)):
            return False
        cells = [text.strip() for text in _filled(rows, one.name)]
        chosen = [bool(_A_CHOICE.fullmatch(cell)) for cell in cells]
        return any(chosen) and all(
            is_one or _NO_CHOICE.fullmatch(cell) for is_one, cell in zip(chosen, cells, strict=True)
        )

    return [replace(one, role="group") if is_choice(one) else one for one in guessed]


def _without_what_gives_models_away(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with columns on the side not shown that name a model that is compared, or say
    how an answer came about. What is to be read stays, however it is worded.
    """
    compared = list_models_compared_in_table(guessed, rows)
    cells = {one.name: _filled(rows, one.name) for one in guessed}
    longest = max(
        (one for one in guessed if one.by_arm and one.role in _SHOWN),
        key=lambda one: sum(map(len, cells[one.name])),
        default=None,
    )

    judged = next(
        (
            one
            for one in guessed
            if one.role in _SHOWN
            and is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
            and _is_long(cells[one.name])
        ),
        None,
    )

    def is_on_the_side(one: Guess) -> bool:
        length = sum(map(len, cells[one.name])) / max(len(cells[one.name]), 1)
        # A reviewer's browser never gets the name of a file.
        seen = one.role in _SHOWN and one.role not in _FILES
        return seen and one is not longest and length <= _LONGEST_ASIDE

    def role_of(one: Guess) -> Role:
        if not is_on_the_side(one):
            return one.role
        how = bool(compared) and _says_how(one.name, cells[one.name])
        if one.role == "record" and cells[one.name]:
            named = {cell for cell in cells[one.name] if len(cell) <= _SHORT}
            if len(named) <= MOST_ARMS and all(map(is_name_of_writer, cells[one.name])):
                return "group"
        asked = (one is judged or bool(_ASKED_OF_MODELS.search(one.name))) and not how
        if asked or not (
            how or find_model_names_in_text_by_normalised_name("\n".join(cells[one.name]), compared)
        ):
            return one.role
        return "group" if one.role == "record" else "hidden"

    found = [replace(one, role=role_of(one)) for one in guessed]
    return found if are_any_columns_shown(found) else guessed


_A_COMMENT = compile_later(
    r"\b(remarks?|comments?|kommentar\w*|anmerkung\w*|commento|commenti|comentarios?"
    r"|commentaires?|remarques?|opmerking(en)?|toelichting)\b"
)
_WHO_COMMENTS = compile_later(
    r"\b(ai|ki|ia|llm|chat ?bot|bot|(language )?model|modell|modelo|modele|modello|maschine|machine"
    r"|generated|generiert|gpt\d*)\b"
)
_OF_A_JUDGE = compile_later(
    r"\b(judges?|grad(e|ers?|ing)|evaluat\w*|review\w*|rat(ers?|ings?)|scores?|on|zur|zu|zum"
    r"|about|sur|sobre|bewert\w*|eval|annotat\w*|critique|critic)\b"
)


def is_machine_comment_heading(name: str) -> bool:
    """Whether a heading is of a comment that a machine wrote on a case ("KI-Kommentar"), which is
    what is judged where no answer is there.
    """
    words = heading_as_plain_lower_case_words(name)
    if not _A_COMMENT.search(words) or _OF_A_JUDGE.search(words) or _KEYS.search(words):
        return False
    return bool(_WHO_COMMENTS.search(words) or NAMED_MODEL.search(name.replace("_", " ")))


def _with_comments_of_machines(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with a machine's comment shown in a table that has no answer to judge."""
    headed = any(
        one.role in ("answer", "arm")
        or (one.role in _SHOWN and is_headed_as_answer(heading_as_plain_lower_case_words(one.name)))
        for one in guessed
    )
    comments = [
        one.name
        for one in guessed
        if one.role in ("group", "hidden") and is_machine_comment_heading(one.name)
    ]
    texts = {name: _filled(rows, name) for name in comments}
    said = [name for name, own in texts.items() if 2 * sum(" " in one for one in own) > len(own)]
    if headed or len(said) != 1:
        return guessed
    role = _role(texts[said[0]])
    role = role if role in _TEXTS else "record"
    return [replace(one, role=role) if one.name in said else one for one in guessed]


def _copies_of_answers(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    roles: Sequence[str],
    options: Sequence[str],
) -> list[str]:
    """The columns with one of these roles, and no ``options`` to choose from, that repeat one of
    the answers that are compared.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    case = ""
    if not answers and any(one.role == "arm" for one in columns):
        answers = [one.name for one in columns if one.by_arm and one.role in _TEXTS]
        shared = [one.name for one in columns if one.role in _TEXTS and not one.by_arm]
        named = [one.name for one in columns if one.role == "id"]
        case = next(iter([*named, *shared]), "")
        answers = answers if case else []
    looked = [
        one.name
        for one in columns
        if one.role in roles and one.name not in answers and not one.by_arm
    ]
    return (
        columns_that_repeat_an_answer(rows, [o for o in looked if o not in options], answers, case)
        if answers
        else []
    )


def _with_account_that_is_only_text(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with the one column of explanations shown where a table has no other text, no
    question and no answer: the explanations of terms are what is judged.
    """
    words = {one.name: heading_as_plain_lower_case_words(one.name) for one in guessed}
    hidden = [one for one in guessed if one.role == "hidden" and _ACCOUNTS.search(words[one.name])]
    if len(hidden) != 1 or not _is_long(_filled(rows, hidden[0].name)):
        return guessed
    for one in guessed:
        asks = is_question_heading(one.name) or is_headed_as_answer(words[one.name])
        reads = one.role in (*_PROSE, "dialogue", "table", *_FILES, "answer", "arm")
        if one is not hidden[0] and (asks or reads or _KEYS.search(words[one.name])):
            return guessed
    return [replace(one, role="text") if one is hidden[0] else one for one in guessed]


def _told_of_account_that_is_only_text(columns: Sequence[Guess]) -> list[str]:
    read = [one for one in columns if one.role in (*_PROSE, "dialogue", "table", *_FILES, "answer")]
    if len(read) != 1 or not _ACCOUNTS.search(heading_as_plain_lower_case_words(read[0].name)):
        return []
    return [
        f"“{read[0].name}” is the only text of this table, so reviewers see it, as what they judge."
        " Do not show it if it says what is right."
    ]


def _without_what_stands_beside(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with what does not belong to the case not shown."""
    shown = [one for one in guessed if one.role in (*_SHOWN, "answer")]
    beside = find_columns_to_hide_at_first(_candidates(shown, rows))
    return [
        replace(one, role="group" if one.role == "group" else "hidden")
        if one.name in beside
        else one
        for one in guessed
    ]


def _said_by_several(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[list[str]]:
    """The columns, in lists, that say the same few words of the cases, where at least two of a list
    are not shown though no heading says that they hold what is right: several judged each case.
    """
    keys = list_hidden_columns_of_correct_answers(columns)
    side = {one.name: one for one in columns if one.role in ("record", "group", "hidden")}
    unsaid = [
        name
        for name, one in side.items()
        if one.role != "record" and name not in keys and not _OF_A_MODEL.search(name)
    ]
    groups = group_columns_by_shared_words({name: _filled(rows, name) for name in side})
    return [group for group in groups if sum(name in unsaid for name in group) >= 2]


def _without_what_several_said(
    guessed: list[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The guesses, with none of the columns shown that say of each case what several others say
    that are not: one may be right, and the heading names who said it. What a machine or an answer
    is headed as stays, as it may be what is judged.
    """
    options = _options({one.name: [] for one in guessed})
    alike = {
        name
        for group in _said_by_several(guessed, rows)
        for name in group
        if name not in options
        and not is_machine_text_heading(name)
        and not is_headed_as_answer(heading_as_plain_lower_case_words(name))
    }
    found = [
        replace(one, role="group")
        if one.role == "record" and not one.by_arm and one.name in alike
        else one
        for one in guessed
    ]
    return found if are_any_columns_shown(found) else guessed


def _told_of_what_several_said(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    hidden = {one.name for one in columns if one.role in ("group", "hidden")}
    return [
        f"Reviewers do not see {', '.join(f'“{name}”' for name in group if name in hidden)}: they"
        " say the same few words of the cases, as if several had judged each. If they are answers"
        " to compare, make each the answer of one model (--answer-of on the command line)."
        for group in _said_by_several(columns, rows)
    ]


def _candidates(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> list[Candidate]:
    options = {*_options({one.name: [] for one in columns}), *_options_by_letter(columns)}
    read: tuple[Role, ...] = (*_TEXTS, *_FILES)
    # A table is what is judged where there is nothing else to read.
    read = read if any(one.role in read for one in columns) else ("table",)
    return [
        Candidate(
            one.name,
            heading_as_plain_lower_case_words(one.name),
            cells := _filled(rows, one.name),
            long=one.role in read and (one.role not in _PROSE or _is_long(cells)),
            answer=one.role == "answer",
            by_arm=one.by_arm,
            decides=is_decision_heading(one.name),
            belongs=one.name in options or one.role in ("dialogue", *_FILES),
            identifies=one.role in ("record", "group") and is_identifier_column(cells, one.name),
            says_how=_says_how(one.name, cells),
        )
        for one in columns
    ]


_PROSE = ("text", "markdown", "source")


def _is_long(texts: Sequence[str]) -> bool:
    """Whether the filled cells of a column are texts to read rather than words."""
    if any("\n" in text for text in texts):
        return True
    return sum(map(_reading_length, texts)) >= _LONG * max(len(texts), 1)


def _says_how(name: str, cells: Sequence[str]) -> bool:
    """Whether a column, or a part of nested cells, says how an answer came about."""
    words, part = (
        heading_as_plain_lower_case_words(name),
        heading_as_plain_lower_case_words(name.rpartition(".")[2]),
    )
    return is_generation_metadata_heading(words, cells) or is_generation_metadata_heading(
        part, cells
    )


def _filled(rows: Sequence[Mapping[str, Any]], column: str) -> list[str]:
    return [text for row in rows if (text := _plain(row.get(column)))]


_UNTITLED = "Answers to judge"


def title_from_file(stem: str) -> str:
    """The title that a study has at first, from its file's name without its ending: without the
    name of a model, which reviewers would read above each answer; with those of several, which do
    not say who wrote which.
    """
    words = stem.replace("_", " ")
    names = {normalise_model_name(name[0]) for name in NAMED_MODEL.finditer(words)}
    if len(names) == 1:
        words = " ".join(NAMED_MODEL.sub(" ", words).split())
        words = re.sub(r" -(?=\w)", " ", words)
        words = re.sub(r"^[\W_]+|( (of|by|from|von))?[\s\-–—,;:(\[]*$", "", words)
    return words[:1].upper() + words[1:] or _UNTITLED


def list_models_compared_in_table(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """The models whose answers a table holds, as it names them: in a column or in headings."""
    answers = [one.name for one in columns if one.role == "answer"]
    named = [
        one.name
        for one in columns
        if one.role == "arm" or (one.role in ("group", "hidden") and _OF_A_MODEL.search(one.name))
    ]
    given = dict.fromkeys(name for column in named for name in _filled(rows, column))
    return [
        *(given if len(given) <= MOST_ARMS else ()),
        *(make_arm_names(answers) if answers else ()),
    ]


@dataclass(frozen=True)
class Naming:
    """A column that names models: the names as written, and the rows, counted from 1."""

    column: str
    names: Sequence[str]
    rows: Sequence[int]


def list_columns_naming_models(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    *,
    shown: bool,
    beyond: Sequence[Naming] = (),
) -> list[Naming]:
    """The columns in which models are named, of those that reviewers see at first (``shown``) or
    of those that they do not; in these rows and, by whole nested cells, ``beyond`` them.
    """
    # Reviewers see what a file shows, and never its name.
    seen = [role for role in (*_SHOWN, "answer") if role not in _FILES]
    roles = seen if shown else ["group", "hidden"]
    compared = list_models_compared_in_table(columns, rows)
    found = []
    for one in columns:
        names: dict[str, str] = {}
        places = []
        for at, row in enumerate(rows, 1) if one.role in roles else ():
            cell = row.get(one.name)
            words = dialogue_as_readable_lines(cell) if one.role == "dialogue" else _plain(cell)
            if there := find_model_names_in_text_by_normalised_name(words, compared):
                names = {**there, **names}
                places.append(at)
        for behind in beyond if one.role in roles else ():
            if behind.column in (one.name, one.name.partition(".")[0]):
                names = {**{normalise_model_name(name): name for name in behind.names}, **names}
                places += behind.rows
        if places:
            found.append(Naming(one.name, [*names.values()], places))
    return found


def models_named_in_column_in_words(naming: Naming) -> str:
    """Which models a column names, and where."""
    names = ", ".join(f"“{name}”" for name in naming.names[:_NAMED])
    more = f" and {len(naming.names) - _NAMED:,} more" if len(naming.names) > _NAMED else ""
    return f"{columns_and_rows_in_words({naming.column: naming.rows})}: {names}{more}"


_OF_A_REQUEST = compile_later(
    r"(?i)(?:^|[._])usage[._]|(?:^|[._ ])(?:(?:input|output|prompt|completion|total|cached?"
    r"|reasoning)_tokens(?:_details)?(?:$|[._])|(?:stop|finish)_?reason$|system_fingerprint$)"
)
"""Headings, as programming interfaces write them, of what a request to a model used."""
_OF_RATERS = compile_later(
    r"(?i)(?:^|[._ -])(responses?|ratings?|scores?|votes?|annotations?|annotators?|suggestions?"
    r"|judg(?:e?ments?)|grades?)$"
)
_DECIDED_IN_NOTES = compile_later(
    r"(?s).*\b(?:RAYYAN-)?(?:INCLUSION|EXCLUSION-REASONS)\s*:.*"
    r"|\s*\{\s*(?:[\"'][^\"']{1,40}[\"']\s*=>\s*[\"'][^\"']{1,40}[\"']\s*(?:,\s*)?)+\}.*"
)
"""What programs for reviews write into notes: who included a title, and why another did not."""
_OF_A_GRADER = frozenset(["score", "passed", "pass", "verdict", "grade", "correct"])
_BESIDE_RATINGS = (".users", ".user", ".status", ".suggestion", ".suggestion.score")
"""What Argilla writes of each question beside its ``.responses``."""


def _lists_what_graders_found(values: Sequence[Any]) -> bool:
    """Whether cells are lists of what graders thought: objects with a score or whether the answer
    passed, and no more than their own names and reasons.
    """
    listed = [_listed(value) for value in values if not is_cell_missing(value)]
    return bool(listed) and all(
        found
        and all(isinstance(one, dict) and _OF_A_GRADER & {*map(str.casefold, one)} for one in found)
        for found in listed
    )


def _holds_ratings(name: str, cells: Mapping[str, list[Any]]) -> bool:
    """Whether a column holds what several people or models thought of an item: a list of numbers
    under such a heading, or one of the columns that Argilla keeps of a question.
    """
    if not _OF_RATERS.search(name):
        return False
    question = re.sub(r"(?i)\.(responses?|suggestion)$", "", name)
    beside = (f"{one}{end}" for one in {name, question} for end in _BESIDE_RATINGS)
    return _lists_numbers(cells[name]) or any(one in cells for one in beside if one != name)


_IS_LABEL_STUDIO = {"annotation_id", "annotator", "lead_time"}
"""Columns of the tables that Label Studio exports."""
_IS_REDCAP_DICTIONARY = {"variable field name", "form name", "field type", "field label"}
"""Columns of a data dictionary, as words."""


def are_headings_of_redcap_dictionary(names: Iterable[str]) -> bool:
    """Whether these are the headings of a data dictionary of REDCap, whose rows are fields."""
    return {heading_as_plain_lower_case_words(name) for name in names} >= _IS_REDCAP_DICTIONARY


_IS_PRODIGY = {"_input_hash", "_task_hash"}
_OF_PRODIGY = compile_later(r"(accept|answer|spans|relations)$|_")
"""Columns of what Prodigy exports, and what annotators chose there."""
_OPTION = compile_later(r"(?i)(?:^|\.)((options?|choices?)[._ ]?\w{1,2}|op[a-e])$")
_KEY = compile_later(r"answers?|ans|label|target|cop|correct|key|gold|antwort|respuesta|reponse")
"""Headings, in words, of a column that says which of several options is right, by its number."""


def _is_number_of_option(name: str, cells: Mapping[str, list[Any]], options: Sequence[str]) -> bool:
    """Whether each cell of a column is the number or letter of an option of its row, which stand in
    a list or in columns of their own.
    """
    if (
        not _KEY.fullmatch(heading_as_plain_lower_case_words(name.rpartition(".")[2]))
        or name in options
    ):
        return False
    filled = [(at, text) for at, cell in enumerate(cells[name]) if (text := _plain(cell))]
    lists = [own for own in cells.values() if all(isinstance(cell, list) for cell in own)]

    def count(at: int) -> int:
        return max([len(options), *(len(own[at]) for own in lists)])

    return bool(filled) and all(
        count(at) > 1
        and (
            (text.isdigit() and int(text) <= count(at))
            or (len(text) == 1 and 0 <= ord(text.casefold()) - ord("a") < count(at))
        )
        for at, text in filled
    )


def _options(cells: Mapping[str, list[Any]]) -> list[str]:
    """The columns that hold one option to choose from each: ``options.A``, ``option_b``, ``A``."""
    found = [name for name in cells if _OPTION.search(name)]
    return found if len(found) > 1 else []


def _has_options(names: Iterable[str]) -> bool:
    """Whether a table asks questions with options to choose from."""
    names = list(names)
    listed = any(
        heading_as_plain_lower_case_words(name).split()[-1:] in (["options"], ["choices"])
        for name in names
    )
    return listed or bool(_options({name: [] for name in names}))


def _options_by_letter(columns: Sequence[Guess]) -> list[str]:
    """The columns that are headed by a letter alone, from A on."""
    letters = [one.name for one in columns if re.fullmatch(r"[A-Ha-h][.)]?", one.name.strip())]
    return letters if len(letters) > 1 and letters[0].strip()[0] in "Aa" else []


def _is_an_option(name: str, cells: Mapping[str, list[Any]], options: Sequence[str]) -> bool:
    """Whether each cell of a column repeats an option of its row, or names one: the right one."""
    if name in options or not options or not any(cells[name]):
        return False
    if _PREDICTED.fullmatch(heading_as_plain_lower_case_words(name)):
        return False
    if heading_as_plain_lower_case_words(name) in ("exp", "expl"):
        return True
    letters = {re.split(r"[._ ]", option)[-1].casefold().removeprefix("op") for option in options}
    for at, cell in enumerate(map(_plain, cells[name])):
        here = {_plain(cells[option][at]).casefold() for option in options}
        if cell and cell.casefold() not in here | letters:
            return False
    return True


def _is_doubled(column: Guess, cells: Sequence[Any]) -> bool:
    """Whether a column is headed as the items' name and is none, as a name is there twice."""
    if column.role not in ("record", "group") or not NAMING_HEADING.search(column.name):
        return False
    texts = [text for text in map(_plain, cells) if text]
    return len(set(texts)) < len(texts)


_ENDS_IN_ID = compile_later(r"(?i)[_ .-]id$|(?-i:[a-z]Id$)")


def _naming_column(guessed: Sequence[Guess], cells: Mapping[str, list[Any]]) -> str:
    """The column that names the items; "" if none does."""
    called = [
        one.name
        for one in guessed
        if one.role in ("record", "group", "text")
        and _names(cells[one.name])
        and not _names_models_alone(one.name, cells[one.name])
        and (
            _ENDS_IN_ID.search(one.name)
            or _NUMBERS_QUESTIONS.fullmatch(one.name.strip())
            or not _ASKED_OF_MODELS.search(one.name)
        )
    ]
    called.sort(key=lambda name: not _IDS.search(name))
    if not called:
        return ""
    # Words that stand first are no name, unless the heading says so.
    first = called[0] == guessed[0].name and not any(" " in _plain(o) for o in cells[called[0]])
    return called[0] if _IDS.search(called[0]) or first else ""


def _names_models_alone(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column says which model each row is of: no name of an item, which would be lost as
    a comparison.
    """
    texts = [text for text in map(_plain, cells) if text]
    known = [text for text in texts if is_name_of_model(text)]
    if not texts or not _names_a_model(texts) or are_numbered_names_of_one_model(texts):
        return False
    headed = MODEL_HEADING.search(name) and not _IDS.search(name)
    return len(known) == len(texts) or bool(headed and all(map(is_name_of_writer, texts)))


def are_numbered_names_of_one_model(names: Sequence[str]) -> bool:
    """Whether each of several names is the same model's with another number behind it, as whoever
    asked that model numbers its answers: "GPT4_001", "GPT4_002".
    """
    found = [_NUMBERED.fullmatch(name.strip()) for name in names]
    if len(set(names)) < len(names) or len(names) < 2 or not all(found):
        return False
    models = {one["model"].casefold() for one in found if one}
    return len(models) == 1 and is_name_of_model(min(models))


_NUMBERED = compile_later(r"(?P<model>.*[^\W_])[ _.#-]+\d{1,6}")


def _told_of_models_without_cases(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on a column that names another model in each row, where nothing says which rows
    are of one case.
    """
    read = [one for one in columns if one.role in _SHOWN and _is_long(_filled(rows, one.name))]
    named = any(one.role in ("answer", "arm", "id") for one in columns)
    # Beside a question of its own each answer is a case.
    if named or len(read) != 1 or len(rows) < 2:
        return []
    for one in columns:
        texts = _filled(rows, one.name)
        if one.role == "out" or len(set(texts)) < 2 or len(texts) < len(rows):
            continue
        if not _names_models_alone(one.name, texts):
            continue
        return [
            f"“{one.name}” names a model in each row, and nothing says which rows belong to the"
            " same case: each answer is judged alone. To compare the models, add a column “case”"
            " with the same number in each row of a case."
        ]
    return []


def _that_a_study_can_keep(guessed: Sequence[Guess]) -> list[Guess]:
    """The guesses, with columns left out whose names a study cannot hold, and too many of them."""
    arms = any(one.role in ("arm", "answer") for one in guessed)
    found = []
    kept = 0
    for one in guessed:
        strange = UNREADABLE.search(one.name) or not one.name.strip()
        reserved = one.name == FILES or (arms and one.name in _FOR_ARMS)
        fits = kept < MOST or one.role in ("id", "arm", "answer")
        unkept = strange or (reserved and one.role not in ("id", "arm")) or not fits
        found.append(replace(one, role="out") if unkept else one)
        kept += found[-1].role != "out"
    return found


def list_nested_cells_in_words(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What nested cells come to, in sentences."""
    return [
        f"“{name}” holds objects: each part is a column, such as {', '.join(paths[:3])}."
        for name, paths in part_columns_by_nested_column(rows).items()
    ]


def _is_system_prompt_heading(name: str) -> bool:
    """Whether a column beside a dialogue holds what the model was told before it."""
    return bool(
        _OF_SYSTEM_PROMPTS.fullmatch(heading_as_plain_lower_case_words(name.rpartition(".")[2]))
    )


def _told_of_dialogues(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    found = []
    for one in columns:
        cells = [row[one.name] for row in rows if _plain(row.get(one.name))]
        if one.role == "dialogue":
            prompts, calls = (
                count_dialogues_with_system_prompt(cells),
                count_dialogues_with_tool_calls(cells),
            )
            told = f"“{one.name}” is read turn by turn."
            if prompts:
                rows_begin = "1 row begins" if prompts == 1 else f"{prompts:,} rows begin"
                told += f" {rows_begin} with a system prompt, which is folded at first."
            if calls:
                in_rows = "In 1 row" if calls == 1 else f"In {calls:,} rows"
                told += (
                    f" {in_rows} a model calls tools. Reviewers see its calls in square brackets,"
                    " and what a tool gave back as a turn of its own."
                )
            found.append(told)
        elif one.role in ("group", "hidden") and cells and _is_system_prompt_heading(one.name):
            found.append(
                f"Reviewers do not see “{one.name}”: it is what the model was told beforehand."
            )
    return found if any(one.role == "dialogue" for one in columns) else []


_OF_WHO_ASKS = {"user", "human", "patient"}


def _told_of_keys_of_criteria(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What the text and the points of criteria are called, where that is not plain."""
    found = []
    for one in columns:
        listed = [_listed(row.get(one.name)) or [] for row in rows if one.role == "criteria"]
        keys = {key for cell in listed for given in cell for key in given}
        if keys - {"criterion", "text", "points", "weight", "tags"}:
            named = ", ".join(f"“{key}”" for key in sorted(keys))
            found.append(
                f"“{one.name}” is read as the item's own criteria ({named}): reviewers see the"
                " words of each, and not its number, which is its points."
            )
    return found


_IS_ROLE = compile_later(r"(?i)(^|[._ ])(role|speaker|from)$")


def _told_of_turns_in_rows(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on rows that are each a turn of a conversation."""
    for one in columns:
        said = [text.casefold() for text in _filled(rows, one.name)]
        asks = {"user", "human", "patient"} & {*said}
        speakers = len({*said}) > len(asks) > 0 and len({*said}) <= len(_SPEAKERS)
        if _IS_ROLE.search(one.name) and speakers and {*said} & {*_SPEAKERS, "gpt", "bot"}:
            return [
                f"By “{one.name}” each row seems to be one turn of a conversation, and would be"
                " judged alone, without what was said before. To judge conversations, put each into"
                " one row, as a list of turns with role and content; a table with the columns"
                " conversation_id, role and content is put together that way when it is read."
            ]
    return []


def _told_of_criteria_without_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """What is said of criteria beside dialogues that end with who asks: nothing is to be judged."""
    criteria = [one.name for one in columns if one.role == "criteria"]
    dialogues = [one.name for one in columns if one.role == "dialogue"]
    if not criteria or not dialogues or any(one.by_arm or one.role == "answer" for one in columns):
        return []
    for one in columns:
        cells = [row[one.name] for row in rows if _plain(row.get(one.name))]
        if one.role in _PROSE and not all(isinstance(_unpacked(cell), list) for cell in cells):
            # It may be the answer.
            return []
        if one.role == "dialogue":
            ends = [turns[-1]["role"] for cell in cells if (turns := parse_turns_of_dialogue(cell))]
            if not ends or any(end.strip().casefold() not in _OF_WHO_ASKS for end in ends):
                return []
    named = ", ".join(f"“{name}”" for name in dialogues)
    return [
        f"“{criteria[0]}” has criteria, and no column has an answer to judge by them: {named} ends"
        " with who asks. Add a column with the answers, or put each behind its dialogue as the last"
        " turn."
    ]


def _unpacked(cell: Any) -> Any:
    return parse_nested_value(cell) if isinstance(cell, str) else cell


def list_column_decisions_in_words(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    *,
    number_of_row: Callable[[int], int] = int,
) -> list[str]:
    """What was decided about a table with these columns that a lead should know, in sentences. A
    row is called by its ``number_of_row``, given its place (from 1).
    """
    flat = flatten_nested_cells_of_rows(rows)
    words = cell_counts_by_word_for_missing_value(flat)
    plain = blank_missing_cells(flat, [*words])
    found = []
    given_twice = ""
    if words:
        each = ", ".join(f"“{word}” ({count:,})" for word, count in words.most_common())
        found.append(f"Read as empty cells: {each}.")
        if errors := [word for word in words if is_error_value_of_spreadsheet(word)]:
            found.append(
                f"A spreadsheet program writes “{errors[0]}” into a cell that it cannot work out,"
                " such as a text that begins with = or -, which it takes for a formula. Take the"
                " text from where it comes from, with an apostrophe before it."
            )
    found += _told_of_dates_made_by_spreadsheets(columns, plain, number_of_row)
    if not any(one.role == "id" for one in columns):
        for one in columns:
            texts = [text for row in plain if (text := _plain(row.get(one.name)))]
            doubled = [text for text, count in Counter(texts).items() if count > 1]
            heading = heading_as_plain_lower_case_words(one.name)
            is_case = bool(
                _NAMES_A_CASE.fullmatch(heading)
                or NAMING_HEADING.search(one.name)
                or _is_headed_as_case(one.name)
                or _ASKED_OF_MODELS.search(one.name)
            )
            twice = (
                _told_of_answer_given_twice(columns, plain, one.name, number_of_row)
                if is_case and not given_twice
                else ""
            )
            if twice:
                found.append(given_twice := twice)
            elif NAMING_HEADING.search(one.name) and doubled:
                named = ", ".join(f"“{text}”" for text in doubled[:3])
                more = f" and {len(doubled) - 3:,} more" if len(doubled) > 3 else ""
                found.append(
                    f"“{one.name}” does not name the items, because {named}{more}"
                    f" {'is' if len(doubled) == 1 else 'are'} there more than once. The items are"
                    " numbered instead. If a row is there twice, leave one out of your table; if"
                    " rows are several models' answers, say which column names the model."
                )
            elif doubled and _NAMES_A_CASE.fullmatch(heading_as_plain_lower_case_words(one.name)):
                found.append(_told_of_numbering(columns, one.name, doubled[0]))
    in_names = _told_of_models_in_names(columns, plain)
    found += in_names
    if not given_twice and not in_names:
        found += _told_of_models_without_cases(columns, plain)
    hidden = [
        one.name
        for one in columns
        if one.role in ("group", "hidden") and _OF_A_MODEL.search(one.name)
        if not all(map(_A_SIDE.fullmatch, _filled(plain, one.name)))
    ]
    if hidden:
        names = ", ".join(f"“{name}”" for name in hidden)
        known = any(
            map(is_name_of_writer, (cell for one in hidden for cell in _filled(plain, one)))
        )
        compared = any(one.role in ("arm", "answer") for one in columns)
        otherwise = " Show it if it means something else, such as the model of a device."
        found.append(
            f"Reviewers do not see {names}: it says which model wrote an answer."
            + otherwise * (not known and not compared)
        )
    survey = [one.name for one in columns if one.role == "hidden" and _is_of_a_survey(one.name)]
    if survey:
        names = ", ".join(f"“{name}”" for name in survey)
        found.append(
            f"Reviewers do not see {names}: a program writes that beside a table (who filled it in,"
            " when, how long, in which row)."
        )
    if _is_from_mechanical_turk(columns) and (
        earlier := [
            f"“{one.name}”"
            for one in columns
            if one.role in ("group", "hidden") and one.name.casefold().startswith("answer.")
        ]
    ):
        found.append(
            f"Reviewers do not see {', '.join(earlier)}: earlier workers of Mechanical Turk"
            " answered that, and it would sway them."
        )
    if {one.name.casefold() for one in columns} >= _IS_LABEL_STUDIO:
        found.append(
            "This is a table of annotations from Label Studio. Reviewers see its texts and none of"
            " its short columns, which may hold what was chosen; a project exported as JSON comes"
            " with its judgments, from another tool."
        )
    headings = {one.name for one in columns}
    if "annotations" in headings and any(name.startswith("data.") for name in headings):
        found.append(
            "This is a project exported from Label Studio: its annotations are read as judgments if"
            " it is taken over from another tool, with its labeling configuration (study"
            " from-label-studio on the command line)."
        )
    if {one.name for one in columns} >= _IS_PRODIGY:
        found.append("This is from Prodigy. Reviewers do not see what was accepted there.")
    options = _options({one.name: [] for one in columns})
    copies = _copies_of_answers(columns, plain, ("hidden",), options)
    if copies := [
        name for name in copies if name not in list_hidden_columns_of_correct_answers(columns)
    ]:
        names = ", ".join(f"“{name}”" for name in copies)
        repeats = "it repeats" if len(copies) == 1 else "they repeat"
        found.append(
            f"Reviewers do not see {names}: {repeats} one of the answers that are compared, and"
            " would show which one it is."
        )
    whole = [name for name in _may_be_further_answers(columns, plain) if name not in copies]
    if whole:
        listed = ", ".join(f"“{name}”" for name in whole)
        they, it, each = (
            ("its texts are", "it is an answer", "it too the answer of a model")
            if len(whole) == 1
            else ("their texts are", "they are answers", "each the answer of a model")
        )
        answers = [one.name for one in columns if one.role == "answer"]
        otherwise = (
            "Show it only if the answers were made from it"
            if versions_by_heading_beside_answers(whole, answers)
            else "Do not show it otherwise"
        )
        found.append(
            f"Reviewers do not see {listed}: {they} as long as the answers beside it. If {it} to"
            f" compare, make {each} (--answer-of on the command line, for all of them)."
            f" {otherwise}: its heading would say who wrote it."
        )
    found += _told_of_further_answers(columns)
    found += _told_of_initials(columns)
    found += _told_of_case_headed_like_answers(columns, plain)
    found += _told_of_headings_of_models(columns, plain, set(whole))
    found += _told_of_what_gives_models_away(
        columns, plain, {*hidden, *list_hidden_columns_of_correct_answers(columns)}
    )
    cells = {one.name: [row.get(one.name) for row in plain] for one in columns}
    right = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and not _gives_away(one.name, "record", by_arm=one.by_arm)
        and (
            _is_an_option(one.name, cells, _options(cells))
            or _is_number_of_option(one.name, cells, _options(cells))
        )
    ]
    if right:
        names = ", ".join(f"“{name}”" for name in right)
        found.append(f"Reviewers do not see {names}: it says which option is right, or why.")
    compared = any(one.role == "answer" for one in columns)
    beside = list_reference_columns_beside_predictions([one.name for one in columns])
    kept_back = [
        f"“{one.name}”"
        for one in columns
        if one.role in ("group", "hidden")
        and one.name not in list_hidden_columns_of_correct_answers(columns)
        and (
            one.name in beside
            or (compared and _PLAIN_ANSWER.fullmatch(heading_as_plain_lower_case_words(one.name)))
        )
    ]
    if kept_back:
        it, holds = ("it", "it holds") if len(kept_back) == 1 else ("them", "they hold")
        found.append(
            f"Reviewers do not see {', '.join(kept_back)}: beside what a model said, {holds}"
            f" probably what is right. If reviewers should judge {it} too, make each the answer of"
            " one model."
        )
    answers = [one.name for one in columns if one.role == "answer"]
    alike = [
        one.name
        for one in columns
        if answers and one.role == "group" and _is_headed_alike(one.name, answers)
    ]
    if alike := [
        name for name in alike if name not in list_hidden_columns_of_correct_answers(columns)
    ]:
        names = ", ".join(f"“{name}”" for name in alike)
        found.append(
            f"Reviewers do not see {names}: it is headed like the models' answers, and may be what"
            " is right. If it is an answer to judge too, say so."
        )
    if numbers := numbers_by_doubled_heading(answers, [one.name for one in columns]):
        listed = ", ".join(f"“{name}”" for name in numbers)
        found.append(
            f"{listed} have the same heading, and are compared as {', '.join(numbers.values())}."
            " Nothing says whose answers they are: call each column by its model, or say it with"
            " --answer-of on the command line."
        )
    found += _told_of_further_parts(columns, answers)
    found += _told_of_versions(columns, plain)
    found += _told_of_positions(columns, answers, plain)
    for name in answers:
        lacking = [
            number_of_row(at) for at, row in enumerate(plain, 1) if not _plain(row.get(name))
        ]
        if lacking:
            found.append(
                "Not every model has answered everything:"
                f" {columns_and_rows_in_words({name: lacking})}"
                f" {'has' if len(lacking) == 1 else 'have'} no answer."
                " Reviewers are not asked about it there, and it counts as missing."
            )
    found += _told_of_items_without_answer(columns, plain, number_of_row)
    found += _told_of_error_messages(columns, plain, number_of_row)
    read = {
        one.name: [_plain(row.get(one.name)) for row in plain]
        for one in columns
        if one.role in (*_PROSE, "answer")
    }
    found += list_damage_in_words(read, number_of_row)
    found += _told_of_models_under_other_names(columns, plain)
    found += _told_of_reference_among_models(columns, plain)
    blank = find_rows_without_answer(columns, plain)
    if blank:
        found.append(_told_of_blank_answers(columns, plain, blank, number_of_row))
    if any(_choices(columns, answers, make_arm_names(answers), plain)):
        found.append(
            f"What was chosen in the table becomes judgments of a rater, “{RATER}”, which reviewers"
            " do not see."
        )
    shown = [one.name for one in columns if one.role in (*_SHOWN, "answer")]
    views = Counter(tuple(_plain(row.get(name)) for name in shown) for row in plain)
    again = sum(count - 1 for count in views.values())
    if again and not any(one.role == "arm" for one in columns):
        found.append(_told_of_rows_that_look_alike(columns, plain, views, again))
    found += _told_of_dialogues(columns, plain)
    found += _told_of_turns_in_rows(columns, plain)
    found += _told_of_keys_of_criteria(columns, rows)
    found += _told_of_criteria_without_answers(columns, plain)
    found += _told_of_account_that_is_only_text(columns)
    kept = [one for one in columns if one.role not in ("id", "arm", "out", "criteria")]
    shown_alone = sum(one.role in (*_SHOWN, "answer") for one in columns) == 1
    if shown_alone and not has_column_to_judge(_candidates(kept, plain)):
        found.append(
            "No column of this table is a text, and no heading says that one is an answer. Is it a"
            " table of ratings or figures? Then use the one that holds what was rated; otherwise"
            " say which columns reviewers see."
        )
    if _is_from_prolific(columns) and not any(
        one.role in _TEXTS and _is_long(_filled(plain, one.name)) for one in columns
    ):
        found.append(
            "This is Prolific's list of who took part: no column of it is a text to judge. Use the"
            " table of your survey's program, which holds the answers."
        )
    headed = [one.name for one in columns]
    found += [
        f"“{name}” holds files inside the table, which are not read: save them as files, called as"
        f" in “{name.removesuffix('.bytes')}.path”, and give them with the table in one zip."
        for name in headed
        if _is_content_of_file(name, headed)
    ]
    found += _told_of_figures_without_answers(columns, plain)
    found += _told_of_what_several_said(columns, plain)
    found += _told_of_the_others(columns, plain, found)
    spelt = find_spellings_by_arm(columns, plain)
    for name, others in spelt.items():
        alias = [other for other in others if other != name]
        if len(others) > 1:
            each = ", ".join(f"“{other}”" for other in alias)
            found.append(f"{each} and “{name}” are taken for one model, “{name}”.")
    by_name: dict[str, list[str]] = {}
    for name, others in spelt.items():
        by_name.setdefault(normalise_model_name(others[0]) or name, []).append(others[0])
    for alike in by_name.values():
        if len(alike) > 1:
            each = " and ".join(f"“{name}”" for name in alike)
            found.append(
                f"{each} are compared as different models, since the same case has answers of both."
                " If they are one model, write its name the same way in each row, and upload again."
            )
    if out := [one.name for one in columns if one.role == "out" and one.name in _FOR_ARMS]:
        found.append(
            f"Left out, as MedLens needs this name itself: {', '.join(out)}. If reviewers should"
            f" see it, give it another name in your table, such as “{out[0]} text”, and upload it"
            " again."
        )
    return found


def _told_of_dates_made_by_spreadsheets(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """Sentences on names of items, and on cells that are kept, that a spreadsheet program has
    probably made dates of.
    """
    found = []
    for one in columns:
        if one.role in ("arm", "out") or one.role in _FILES:
            continue
        cells = [_plain(row.get(one.name)) for row in rows]
        names = one.role == "id"
        dates = (find_dates_among_names if names else find_dates_among_values)(one.name, cells)
        if not dates:
            continue
        count, filled = len(set(dates.values())), len({cell for cell in cells if cell})
        where = columns_and_rows_in_words({one.name: [number_of_row(at + 1) for at in dates]})
        are, dates_are = ("is", "a date") if count == 1 else ("are", "dates")
        what = "names of items" if names else "values"
        found.append(
            f"{count:,} of {filled:,} {what} {are} {dates_are} ({where}: “{min(dates.values())}”)."
            " A spreadsheet program makes dates of “1-2”, “3/4”, “5.6” or “SEPT2”, and keeps"
            " nothing of what was typed. If that was meant, write it again where the column is"
            " formatted as text."
        )
    return found


def _told_of_figures_without_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on figures by model beside what was asked, where no answer is to be judged."""
    shown = [one.name for one in columns if one.role in _SHOWN]
    if len(shown) != 1 or not is_question_heading(shown[0]):
        return []
    figures = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and NAMED_MODEL.search(one.name.replace("_", " "))
        and (cells := _filled(rows, one.name))
        and all(map(_is_number, cells))
    ]
    if not figures or any(one.role in ("arm", "answer") for one in columns):
        return []
    listed = ", ".join(f"“{name}”" for name in figures[:_NAMED])
    are = "is a figure" if len(figures) == 1 else "are figures"
    return [
        f"Reviewers see “{shown[0]}” alone: {listed} {are}"
        " about models whose answers are not in this table. Add these answers, a column for each"
        " model, if reviewers should judge them."
    ]


_NAMES_A_CASE = compile_later(
    r"(study |pseudo)?(record|patient(in|en)?|pat|case|fall|subject|participant|proband(in|en)?"
    r"|person|paziente|paciente|casus|cas|caso|dossier|sujet|encounter|visit|vignette|item|row)"
    r" ?(id|nr|no|number|nummer|name|num|code|key|pseudonym)?"
)
"""Headings of what tells cases or patients apart, in words."""


def _told_of_answer_given_twice(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    case: str,
    number_of_row: Callable[[int], int],
) -> str:
    """A sentence on the rows that keep models from being compared, since one of them has answered a
    case twice; "" if that is not why.
    """
    if any(one.role in ("arm", "answer") for one in columns):
        return ""
    for one in columns:
        if one.role not in ("group", "hidden") or not _OF_A_MODEL.search(one.name):
            continue
        places: dict[tuple[str, str], list[int]] = {}
        for at, row in enumerate(rows, 1):
            places.setdefault((_plain(row.get(case)), _plain(row.get(one.name))), []).append(at)
        twice = {pair: of for pair, of in places.items() if len(of) > 1}
        cases = Counter(name for name, _ in places)
        several = sum(count > 1 for count in cases.values())
        if not twice or 2 * several < len(cases):
            continue
        if 2 * len(twice) > len(places):
            read = [o.name for o in columns if o.role in _TEXTS]
            # Rows of several raters or criteria repeat the answer itself.
            differ = [
                len({tuple(_plain(rows[at - 1].get(o)) for o in read) for at in of}) > 1
                for of in twice.values()
            ]
            if cases[""] or not all(model for _, model in places) or not all(differ):
                continue
            return _told_of_repeated_runs(columns, rows, case, one.name, twice, number_of_row)
        (name, model), of = next(iter(twice.items()))
        listed = " and ".join(f"{number_of_row(at):,}" for at in of[:_NAMED])
        more = f" (and {len(twice) - 1:,} more like it)" * (len(twice) > 1)
        return (
            f"“{model}” has answered “{shorten_value(name)}” more than once, in rows {listed}"
            f"{more}. Leave all but one out of your table, and the models of “{one.name}” are"
            " compared; as it is, each row is an item of its own, and they are numbered."
        )
    return ""


_OF_RUNS = compile_later(
    r"(run|runde|lauf|durchlauf|repetition|repeat|replicate|replication|replikat|wiederholung|trial"
    r"|versuch|attempt|try|seed|iteration|round|session|sample|corrida|repeticion|intento|ejecucion"
    r"|essai|repetition|passage|tirage|prova|ripetizione|rodada|tentativa|herhaling|poging)"
    r"( ?(id|nr|no|number|nummer|num|index|idx|n|\d))?"
)
"""Headings, in words, of what tells apart the runs in which one model answered one question."""


def _told_of_repeated_runs(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    case: str,
    arm: str,
    twice: Mapping[tuple[str, str], Sequence[int]],
    number_of_row: Callable[[int], int],
) -> str:
    """A sentence on models that have answered most cases several times, as in repeated runs: which
    columns tell the runs apart, and how to have the models compared.
    """
    (name, model), of = next(iter(twice.items()))
    listed = ", ".join(f"{number_of_row(at):,}" for at in of[:_NAMED])
    told = (
        f"Each model of “{arm}” has answered most of “{case}” more than once, such as “{model}”"
        f" “{shorten_value(name)}” in rows {listed}"
    )
    apart = [
        one.name
        for one in columns
        if _OF_RUNS.fullmatch(heading_as_plain_lower_case_words(one.name))
        and all(
            len({_plain(rows[at - 1].get(one.name)) for at in places}) == len(places)
            for places in twice.values()
        )
    ]
    which = ""
    if apart:
        runs = " and ".join(f"“{one}”" for one in apart)
        told += f"; {runs} {'tells' if len(apart) == 1 else 'tell'} these runs apart"
        first = _plain(rows[of[0] - 1].get(apart[0]))
        which = f", such as the rows with “{shorten_value(first)}” in “{apart[0]}”"
    return (
        f"{told}. Each row is an item of its own, judged alone, and they are numbered. To have the"
        f" models compared, keep one answer of each to each case{which}, or make a study of each"
        " run."
    )


def _told_of_numbering(columns: Sequence[Guess], name: str, twice: str) -> str:
    """A sentence on items that are numbered although a column seems to name them."""
    if any(one.role == "arm" for one in columns):
        return (
            f"“{name}” does not name the cases: rows are one case where all that the models share"
            " is the same, and the cases are numbered."
        )
    return (
        f"“{name}” does not name the items, because “{shorten_value(twice)}” is there more than"
        " once: each row is an item, and they are numbered."
    )


def _told_of_rows_that_look_alike(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    views: Counter[tuple[str, ...]],
    again: int,
) -> str:
    """A sentence on rows of which reviewers would see the same as of an earlier one: copies, or
    parts of an item that differ in what is not shown.
    """
    shown = [one.name for one in columns if one.role in (*_SHOWN, "answer")]
    rows_show = "row shows" if again == 1 else "rows show"
    told = f"{again:,} {rows_show} the same as an earlier one"
    alike: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        view = tuple(_plain(row.get(name)) for name in shown)
        if views[view] > 1:
            alike.setdefault(view, []).append(row)
    differ = [
        one.name
        for one in columns
        if one.role not in (*_SHOWN, "answer", "id", "out")
        and not _NAMES_A_CASE.fullmatch(heading_as_plain_lower_case_words(one.name))
        and all(len({_plain(row.get(one.name)) for row in of}) > 1 for of in alike.values())
    ]
    if not differ:
        return f"{told}. Leave them out of your table unless they should be judged twice."
    listed = ", ".join(f"“{name}”" for name in differ)
    if raters := [
        name for name in differ if _WHO_RATED.fullmatch(heading_as_plain_lower_case_words(name))
    ]:
        return (
            f"{told}: by “{raters[0]}” each answer is there once for each person who rated it"
            " before, and would be judged as often. Keep one row of each answer"
            + (", and the models are compared." if _has_several_models(columns, rows) else ".")
        )
    return (
        f"{told}, and {'differs' if again == 1 else 'differ'} in {listed}, which reviewers do not"
        " see. Is each row a criterion of its item? Then call these columns criterion and points."
        " Is each a turn of a conversation? Then call them conversation_id, role and content."
        " Otherwise show what tells them apart, or leave the copies out."
    )


_WHO_RATED = compile_later(
    r"(study )?(raters?|reviewers?|annotators?|evaluators?|judges?|experts?|physicians?|clinicians?"
    r"|participants?|gutachter(in|innen)?|bewerter(in)?|beurteiler(in)?|untersucher(in)?|prufer(in)?"
    r"|evaluador(es|a)?|revisor(es|a)?|evaluateurs?|relecteurs?|avaliador(es|a)?|valutator[ei]"
    r"|beoordelaars?)( ?(id|nr|no|number|name|code|kurzel|\d))?"
)
"""Headings, in words, of who rated an answer."""


def _has_several_models(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        _OF_A_MODEL.search(one.name) and 1 < len(set(_filled(rows, one.name))) <= MOST_ARMS
        for one in columns
        if one.role in ("group", "hidden")
    )


def _told_of_models_in_names(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on names of items that hold a case and a model, where nothing is compared."""
    item = next((one.name for one in columns if one.role == "id"), "")
    if not item:
        # Names of models are kept with the item.
        item = next(
            (o.name for o in columns if o.role in ("group", "hidden") and _IDS.search(o.name)), ""
        )
    names = [_plain(row.get(item)) for row in rows] if item else []
    compared = any(one.role in ("answer", "arm") for one in columns)
    if names and are_numbered_names_of_one_model(names):
        return [
            f"The names in “{item}” hold a model's name, such as “{names[0]}”. Reviewers never see"
            " what items are called."
        ]
    if compared or not names or not list_case_and_model_of_each_name(names, is_name_of_writer):
        return []
    return [
        f"The names in “{item}” seem to hold a case and a model, such as “{names[0]}”, and each is"
        " judged alone. To compare the models, write them into a column of their own, “model”, with"
        " the same name of a case in each row of it."
    ]


def _told_of_versions(columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence on texts that are shown one below the other and may be what is to be compared."""
    if any(one.role in ("answer", "arm") for one in columns):
        return []
    read = [
        one.name
        for one in columns
        if one.role in ("text", "markdown") and _is_long(_filled(rows, one.name))
    ]
    by_whom = list_machine_and_person_headings_of_a_text(
        read
    ) or list_columns_headed_like_a_machines(read)
    alike = by_whom or list_columns_headed_alike(read)
    for role in _FILES:
        alike = alike or list_file_headings_differing_in_one_part(
            [o.name for o in columns if o.role == role]
        )
    alike = alike or _texts_of_one_length(read, rows) or _two_short_answers(columns)
    if not alike:
        return []
    listed = " and ".join(f"“{name}”" for name in alike)
    says = ", which say who wrote which" if by_whom else ""
    return [
        f"{listed} are shown together, with their headings{says}, as parts of one case. If they are"
        " answers to compare, make each the answer of one model (--answer-of on the command line):"
        " reviewers then see them in a drawn order, without headings."
    ]


def _two_short_answers(columns: Sequence[Guess]) -> list[str]:
    """The two columns in one list with others that are headed alike as answers; more of them are
    options to choose from.
    """
    short = [one.name for one in columns if one.role == "record"]
    short = [name for name in short if is_headed_as_answer(heading_as_plain_lower_case_words(name))]
    return list_columns_headed_alike(short) if len(short) == 2 else []


def _told_of_further_parts(columns: Sequence[Guess], answers: Sequence[str]) -> list[str]:
    """A sentence on columns that are not shown and are headed as one of the answers that are
    compared, with another number: "GPT-4 dx1" beside "GPT-4 dx2", "Dx 1 (o1)" beside "Dx 2 (o1)".
    """
    ends = re.compile(r"[ ._#-]*\d{1,2}(?:\s*$|(?=\s*[(\[]))")
    bare = {name: ends.sub("", name).strip().casefold() for name in answers}
    if len(set(bare.values())) < len(answers) or all(ends.search(one) is None for one in answers):
        return []
    parts = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and ends.search(one.name)
        and ends.sub("", one.name).strip().casefold() in bare.values()
    ]
    if not parts:
        return []
    listed = ", ".join(f"“{name}”" for name in parts)
    compared = " and ".join(f"“{name}”" for name in answers)
    return [
        f"Only {compared} are compared: {listed} seem to be further parts of the same answers, and"
        " reviewers do not see them. Write all parts of a model's answer into one cell, a line for"
        " each."
    ]


_BESIDE_LENGTH, _LONG_ENOUGH = 1.5, 60
"""By how much the mean lengths of texts of one kind differ at most, and their least length."""
_OF_THE_CASE = compile_later(
    r"\b(questions?|prompts?|fragen?|\w*frage|pregunta|pergunta|domanda|vraag|consulta|quer(y|ies)"
    r"|inputs?|cases?|fall|vignettes?|s[cz]enario|context|kontext|history|anamnese|notes?|message"
    r"|nachricht|instructions?|task|source|quelle|text|transcript|abstract|article|document|report"
    r"|epikrise|epicrisi?s|[ée]picrise|anamn[eè]se|findings?|befund\w*|presentation|description"
    r"|titles?|symptoms?|complaint|background|passage"
    r"|(sentences?|premise|hypothesis|turns?|utterances?|users?|patients?)\d*"
    r"|sections?|part|teil|medications?|exam\w*|impression|plan|assessment|subjective|objective)\b"
)


def _texts_of_one_length(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of long texts of about one length whose headings do not say that they are parts
    of a case, or the answer beside what it is about: answers of several, perhaps.
    """
    left = [
        name for name in names if not _OF_THE_CASE.search(heading_as_plain_lower_case_words(name))
    ]
    means = {name: _mean_of(_filled(rows, name)) for name in left}
    longest = max(means.values(), default=0)
    alike = [name for name in left if _BESIDE_LENGTH * means[name] >= longest >= _LONG_ENOUGH]
    headed = [is_headed_as_answer(heading_as_plain_lower_case_words(name)) for name in alike]
    return alike if len(alike) > 1 and (all(headed) or not any(headed)) else []


def _mean_of(texts: Sequence[str]) -> float:
    return sum(map(len, texts)) / max(len(texts), 1)


def _told_of_positions(
    columns: Sequence[Guess], answers: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on answers that stand under A and B whichever model wrote them."""
    if not answers or find_column_of_preferred_answers(answers):
        return []
    beside = _columns_of_each_answer([one.name for one in columns], answers)
    naming = [
        one.name
        for one in columns
        if one.name in beside
        and (
            _OF_A_MODEL.search(one.name)
            or all(map(is_name_of_writer, _filled(rows, one.name) or [""]))
        )
        and not _VERDICTS.search(heading_as_plain_lower_case_words(one.name))
    ]
    if key := _key_that_changes(columns, answers, rows):
        return [
            f"“{key}” says which model wrote which answer, in a different order from row to row: "
            f"what is compared is one column with another, not one model with"
            " another. For models, use a table with a row for each answer and its model, or a"
            " column for each model."
        ]
    models = {name: set(_filled(rows, name)) for name in naming}
    if len(naming) < len(answers) or max(map(len, models.values()), default=0) < 2:
        return []
    listed = " and ".join(f"“{name}”" for name in naming)
    count = len(set().union(*models.values()))
    return [
        f"{listed} name {count:,} models, a different one from row to row: what is compared is the"
        " first answer with the second, not one model with another. For models, use a table with a"
        " row for each answer and its model, or a column for each model."
    ]


def _key_that_changes(
    columns: Sequence[Guess], answers: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> str:
    """The column whose cells say which model is A and which B, the same models in another order in
    some rows; "" for none.
    """
    for one in columns:
        if one.role in ("answer", "id"):
            continue
        given = [model_names_by_letter_or_number(cell) for cell in _filled(rows, one.name)]
        held = {tuple(sorted(map(normalise_model_name, keys.values()))) for keys in given}
        if not given or len(held) != 1 or len(set(min(held))) < len(answers):
            continue
        orders = {tuple(sorted(keys.items())) for keys in given}
        if len(orders) > 1:
            return one.name
    return ""


def _is_path_or_code(text: str) -> bool:
    """Whether a cell is a program's path, address or code: no date, and no plain number."""
    return is_address_path_or_hash(text) and any(map(str.isalpha, text))


def _told_of_the_others(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], told: Sequence[str]
) -> list[str]:
    """A sentence on what is not shown and nothing else speaks of."""
    said = " ".join(told)
    references = list_hidden_columns_of_correct_answers(columns)
    unsaid = [
        f"“{one.name}”"
        for one in columns
        if one.role in ("group", "hidden")
        and one.name not in references
        and f"“{one.name}”" not in said
        and _filled(rows, one.name)
    ]
    paths = [
        f"“{one.name}”"
        for one in columns
        if f"“{one.name}”" in unsaid and all(map(_is_path_or_code, _filled(rows, one.name)))
    ]
    unsaid = [name for name in unsaid if name not in paths]
    found = []
    if paths:
        holds = "it holds" if len(paths) == 1 else "they hold"
        found.append(
            f"Reviewers do not see {', '.join(paths)}: {holds} paths, addresses or numbers of a"
            " program, which may say where an answer comes from."
        )
    if not unsaid:
        return found
    it, belongs = ("it", "it belongs") if len(unsaid) == 1 else ("them", "they belong")
    return [
        *found,
        f"Reviewers do not see {', '.join(unsaid)}: show {it} if {belongs} to the case.",
    ]


_AS_LONG = 0.5
"""The share of the answers' mean length from which on a text may be an answer too."""


def _may_be_further_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """The columns that are not shown, and are as long as the answers that are compared: more of
    them, perhaps, under headings that do not say so.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    if len(answers) < 2 or find_column_of_preferred_answers(answers):
        return []
    beside = _columns_of_each_answer([one.name for one in columns], answers)
    references = {
        *list_hidden_columns_of_correct_answers(columns),
        *list_reference_columns_beside_predictions(answers),
    }

    def mean_length(name: str) -> float:
        texts = _filled(rows, name)
        return sum(map(len, texts)) / max(len(texts), 1)

    least = max(_AS_LONG * min(map(mean_length, answers)), _LONG)
    alike = versions_by_heading_beside_answers([one.name for one in columns], answers)
    return [
        one.name
        for one in columns
        if one.role == "hidden"
        and one.name not in beside | references
        and mean_length(one.name) >= (_LONG if one.name in alike else least)
        and not (_ASKED_OF_MODELS.search(one.name) and one.name not in alike)
        and not THOUGHTS.search(one.name)
        and not _PLAIN_ANSWER.fullmatch(heading_as_plain_lower_case_words(one.name))
        and not _is_system_prompt_heading(one.name)
        and len(set(_filled(rows, one.name))) > 1
        and not all(map(is_address_path_or_hash, _filled(rows, one.name)))
    ]


def _told_of_further_answers(columns: Sequence[Guess]) -> list[str]:
    """A sentence on answers that are compared with models' because their headings are alike, though
    nothing in them says who wrote them.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    known = [name for name in answers if NAMED_MODEL.search(name)]
    if not known or find_column_of_preferred_answers(answers):
        return []
    found = [
        name
        for name, own in versions_by_heading_beside_answers(answers, known).items()
        if own
        and not is_name_of_writer(own)
        and not (
            is_headed_as_answer(heading_as_plain_lower_case_words(name))
            and _may_be_called_so(own)
            and not may_be_initials(own)
        )
    ]
    if not found:
        return _told_of_answers_by_their_place(answers, known)
    listed = ", ".join(f"“{name}”" for name in found)
    are, it, belongs, holds = (
        ("is taken for an answer", "it", "it belongs", "holds")
        if len(found) == 1
        else ("are taken for answers", "them", "they belong", "hold")
    )
    return [
        f"{listed} {are} to compare too, as the heading differs from “{known[0]}” only in who wrote"
        f" the text. If {belongs} to the case or {holds} what is right, show or hide"
        f" {it} instead."
    ]


def _may_be_called_so(own: str) -> bool:
    """Whether words are written as models' names are: with a digit, or a capital inside a word."""
    return bool(re.search(r"\d|[^\W\d_][A-Z]", own)) or is_name_of_writer(own)


def _told_of_answers_by_their_place(answers: Sequence[str], known: Sequence[str]) -> list[str]:
    """A sentence on columns that are compared with those of ``known`` models only because they
    stand beside them.
    """
    shared = set.intersection(*({*re.findall(r"[^\W_]+", one.casefold())} for one in answers))
    found = [
        name
        for name in answers
        if not shared
        and name not in known
        and not is_name_of_writer(name)
        and not is_headed_as_answer(heading_as_plain_lower_case_words(name))
        and not is_machine_text_heading(name)
        and not any(map(is_name_of_writer, re.findall(r"[^\W_]+", name)))
    ]
    if not found:
        return []
    listed = ", ".join(f"“{name}”" for name in found)
    if len(found) > 1:
        return [
            f"{listed} are taken for models, as they stand beside “{known[0]}”. If they belong to"
            " the case or hold what is right, show or hide them instead."
        ]
    return [
        f"{listed} is taken for a model, as it stands beside “{known[0]}”. If it belongs to the"
        " case or holds what is right, show or hide it instead."
    ]


def _told_of_initials(columns: Sequence[Guess]) -> list[str]:
    """A sentence on columns that are compared because capitals in their headings may be somebody's
    initials.
    """
    of = initials_by_column([one.name for one in columns if one.role == "answer"])
    if not of:
        return []
    listed = " and ".join(f"“{name}”" for name in of)
    whose = " and ".join(of.values())
    are, seem, they = ("is", "seems", "it belongs to the case or holds")
    it = "it"
    if len(of) > 1:
        are, seem, they, it = "are", "seem", "they belong to the case or hold", "them"
    return [
        f"{listed} {are} compared, as {whose} {seem} to be somebody's initials. If {they} what is"
        f" right, show or hide {it} instead (or name the answers with --answer-of on the command"
        " line)."
    ]


def _told_of_case_headed_like_answers(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on texts that are shown with the case, and are headed like the answers that are
    compared and about as long.
    """
    answers = [one.name for one in columns if one.role == "answer"]
    if not answers or find_column_of_preferred_answers(answers):
        return []
    texts = [one.name for one in columns if one.role in ("text", "markdown")]
    headed = versions_by_heading_beside_answers(texts, answers)
    lengths = [_mean_of(_filled(rows, name)) for name in answers]
    least, most = min(lengths) / _LIKE_LENGTH, max(lengths) * _LIKE_LENGTH
    found = [name for name in headed if least <= _mean_of(_filled(rows, name)) <= most]
    if not found:
        return []
    listed = ", ".join(f"“{name}”" for name in found)
    are, it = ("is shown with the case, under its heading", "it is")
    if len(found) > 1:
        are, it = ("are shown with the case, under their headings", "they are")
    return [
        f"{listed} {are}. If {it} somebody's version of what is compared, use --answer-of on the"
        " command line, or make each the answer of one model."
    ]


def _told_of_headings_of_models(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], known: set[str]
) -> list[str]:
    """A sentence on long texts that are not shown because their headings name a model; not on those
    that are ``known`` to be more than that.
    """
    arms = make_arm_names([one.name for one in columns if one.role == "answer"])
    names = [arm.casefold() for arm in arms if len(arm) > _SHORTEST_NAME]
    answers = [one.name for one in columns if one.role == "answer"]
    beside = _columns_of_each_answer([one.name for one in columns], answers) if answers else set()
    found = [
        one.name
        for one in columns
        if one.role == "hidden"
        and one.name not in known
        and (
            one.name in beside
            or NAMED_MODEL.search(one.name)
            or any(name in one.name.casefold() for name in names)
        )
        and any(len(text) >= _LONG for text in _filled(rows, one.name))
    ]
    if not found:
        return []
    listed = ", ".join(f"“{name}”" for name in found)
    return [
        f"Reviewers do not see {listed}: judging by the heading, it belongs to a model whose "
        f"answer is in another column. To have both judged, write them into one cell."
    ]


def _told_of_what_gives_models_away(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]], known: set[str]
) -> list[str]:
    """Sentences on columns that are not shown as they would give a model away; not on those that
    are ``known`` to be hidden for another reason.
    """
    naming = [
        one
        for one in list_columns_naming_models(columns, rows, shown=False)
        if one.column not in known
    ]
    found = [
        f"Reviewers do not see {models_named_in_column_in_words(one)}. It would tell"
        " which model wrote an answer."
        for one in naming
    ]
    known = known | {one.column for one in naming}
    how = [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and one.name not in known
        and _says_how(one.name, _filled(rows, one.name))
    ]
    if how and list_models_compared_in_table(columns, rows):
        names = ", ".join(f"“{name}”" for name in how)
        found.append(
            f"Reviewers do not see {names}: how an answer came about can tell which model wrote it."
        )
    return found


def left_out_sum_rows_in_words(sums: Mapping[int, str]) -> str:
    """The rows of sums by number and word, up to "left out"."""
    rows = ", ".join(f"{at:,} (“{word}”)" for at, word in sums.items())
    looks = (
        "Row {} looks like a sum or mean and is"
        if len(sums) == 1
        else ("Rows {} look like sums or means and are")
    )
    return looks.format(rows)


def _told_of_items_without_answer(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """A sentence on rows without the one answer that is judged, though more of them is shown."""
    if any(one.role in ("arm", "answer") for one in columns):
        return []
    read = [one.name for one in columns if one.role in _TEXTS]
    judged = [name for name in read if is_headed_as_answer(heading_as_plain_lower_case_words(name))]
    others = [one.name for one in columns if one.role in _SHOWN and one.name not in judged]
    lacking = [
        at
        for at, row in enumerate(rows, 1)
        if len(judged) == 1
        and not _plain(row.get(judged[0]))
        and any(_plain(row.get(name)) for name in others)
    ]
    if not lacking or len(lacking) == len(rows):
        return []
    where = columns_and_rows_in_words({judged[0]: list(map(number_of_row, lacking))})
    is_, it = ("is", "It") if len(lacking) == 1 else ("are", "They")
    return [
        f"{where} {is_} empty: reviewers would be asked about an answer that is not there."
        f" {it} would be {'an item' if len(lacking) == 1 else 'items'} all the same: leave"
        f" {'the row' if len(lacking) == 1 else 'these rows'} out of your table if there is nothing"
        " to judge."
    ]


def _told_of_error_messages(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> list[str]:
    """A sentence on error messages of programs that stand where answers should be."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    answers = [one.name for one in columns if one.role == "answer"]
    answers = answers or [one.name for one in columns if one.by_arm and one.role in _PROSE]
    answers = answers or [
        one.name
        for one in columns
        if one.role in _PROSE
        and (
            is_headed_as_answer(heading_as_plain_lower_case_words(one.name))
            or is_machine_text_heading(one.name)
        )
    ]
    found = []
    long = [name for name in answers if _is_long(_filled(rows, name))]
    lengths = [len(text) for name in answers for text in _filled(rows, name)]
    among_texts = sum(lengths) >= _LONG * len(lengths)
    for is_none, names, one_is, several_are in (
        (
            partial(is_error_message_of_a_program, among_texts=among_texts),
            answers,
            "answer is an error message of a program",
            "answers are error messages of a program",
        ),
        (
            says_that_there_is_no_answer,
            long,
            "answer only says that there is none",
            "answers only say that there is none",
        ),
    ):
        places: dict[str, list[int]] = {}
        said = ""
        for at, row in enumerate(rows, 1):
            for name in names:
                if is_none(text := _plain(row.get(name))):
                    by = _plain(row.get(arm)) if arm else name
                    places.setdefault(by, []).append(number_of_row(at))
                    said = said or text
        if not places:
            continue
        count = sum(map(len, places.values()))
        it, cell, counts = (
            ("it", "the cell", "it counts") if count == 1 else ("them", "the cells", "they count")
        )
        found.append(
            f"{count:,} {one_is if count == 1 else several_are}"
            f" ({columns_and_rows_in_words(places)}; such as “{shorten_value(said)}”). Ask the"
            f" model again, or empty {cell} in your table, so that {counts} as missing: as it is,"
            f" reviewers judge {it} like any other answer."
        )
    return found


def _told_of_models_under_other_names(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on arms that stand for other models from row to row, by a column that names these:
    "Model A" in an order that was drawn for each case.
    """
    arm = next((one.name for one in columns if one.role == "arm"), "")
    for one in columns:
        if not arm or one.role not in ("group", "hidden") or not one.by_arm:
            continue
        named = set(_filled(rows, one.name))
        if not 2 <= len(named) <= MOST_ARMS or not all(map(is_name_of_writer, named)):
            continue
        models: dict[str, dict[str, None]] = {}
        for row in rows:
            if model := _plain(row.get(one.name)):
                models.setdefault(_plain(row.get(arm)), {})[model] = None
        called = next((name for name, held in models.items() if len(held) > 1), "")
        if called and all(len(held) > 1 for held in models.values()):
            listed = " in some rows and ".join(f"“{model}”" for model in [*models[called]][:2])
            return [
                f"“{called}” of “{arm}” is {listed} in others, by “{one.name}”: what is compared is"
                f" what “{arm}” says, not one model with another. To compare the models, leave the"
                f" column “{arm}” out of your table."
            ]
    return []


_A_REFERENCE = compile_later(
    r"\b(gold|goldstandard|referen[czt]\w*|riferimento|muster\w*|ground ?truth|gabarito"
    r"|leitlinien?|guidelines?|guia|padrao ouro|patron oro|etalon( or)?|fasit|facit"
    r"|correct answer|richtige antwort|richtlijn|gouden standaard)\b"
)
"""Names of arms, in words, that stand for what is right rather than for who wrote it."""


def _told_of_reference_among_models(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[str]:
    """A sentence on rows of an arm that by its name is what is right, not somebody's answer."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    named = dict.fromkeys(_filled(rows, arm)) if arm else {}
    found = [name for name in named if _A_REFERENCE.search(heading_as_plain_lower_case_words(name))]
    if not found or len(found) == len(named):
        return []
    listed = " and ".join(f"“{name}”" for name in found)
    is_, it = ("is", "its rows") if len(found) == 1 else ("are", "their rows")
    return [
        f"{listed} of “{arm}” {is_} compared like a model's answers, and by the name may be what"
        " is right: reviewers judge it beside the others, without the name. If they should not,"
        f" leave {it} out of your table, or put these texts into a column of their own,"
        " “reference”, which reviewers do not see."
    ]


def _told_of_blank_answers(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    blank: Sequence[int],
    number_of_row: Callable[[int], int],
) -> str:
    """A sentence on the ``blank`` rows, in which models gave no answer."""
    case = next((one.name for one in columns if one.role == "id"), "")
    arm = next(one.name for one in columns if one.role == "arm")
    each = [
        f"“{_plain(rows[at - 1].get(arm))}” gave none"
        + (f" to “{_plain(rows[at - 1].get(case))}”" if case else "")
        + f" (row {number_of_row(at):,})"
        for at in blank[:_NAMED]
    ]
    more = f" and {len(blank) - _NAMED:,} more" if len(blank) > _NAMED else ""
    return (
        f"Not every model has answered everything: {', '.join(each)}{more}."
        " Reviewers are not asked about it there, and it counts as missing."
    )


def find_rows_without_answer(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """The rows, counted from 1, that name a model and have nothing that it wrote."""
    arm = next((one.name for one in columns if one.role == "arm"), "")
    own = [one.name for one in columns if one.by_arm and one.role in _SHOWN]
    return [
        at
        for at, row in enumerate(rows, 1)
        if arm and own and _plain(row.get(arm)) and not any(_plain(row.get(name)) for name in own)
    ]


def find_numbers_of_nearly_empty_rows(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """The rows that have at most one cell of what reviewers see, counted from 1; not among them are
    rows of sums, and those in which a model has not answered and the case is told.
    """
    shown = [one.name for one in columns if one.role in (*_SHOWN, "answer")]
    sums = words_for_totals_by_row_number(rows)
    words = cell_counts_by_word_for_missing_value(rows)
    plain = blank_missing_cells(rows, [*words])
    shared = [one.name for one in columns if one.role in _SHOWN and not one.by_arm]
    unanswered = {
        at
        for at in find_rows_without_answer(columns, plain)
        if any(_plain(plain[at - 1].get(name)) for name in shared)
    }
    return [
        at
        for at, row in enumerate(plain, 1)
        if at not in sums and at not in unanswered and is_nearly_empty(row, shown)
    ]


def find_spellings_by_arm(
    columns: Sequence[Guess], rows: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """The arms of a table with a row for each, by a name that a study's file accepts: how each is
    written in the table. Names that differ in case, spaces or hyphens are one arm, unless a case
    has both. Empty if there are no such arms.
    """
    arm = next((one.name for one in columns if one.role == "arm"), "")
    if not arm:
        return {}
    cases = list(map(_case_of(columns), rows))
    counts = Counter(_plain(row.get(arm)) for row in rows)
    alike: dict[str, list[str]] = {}
    for name in counts:
        alike.setdefault(normalise_model_name(name) or name, []).append(name)
    pairs = Counter(
        (case, normalise_model_name(_plain(row.get(arm))) or _plain(row.get(arm)))
        for case, row in zip(cases, rows, strict=True)
    )
    apart = {name for (_, name), count in pairs.items() if count > 1}
    groups = [
        [one] if one_name in apart else names
        for one_name, names in alike.items()
        for one in (names if one_name in apart else names[:1])
    ]
    usual = [max(names, key=lambda name: counts[name]) for names in groups]
    return dict(zip(make_arm_names(usual, plain=True), groups, strict=True))


def _case_of(columns: Sequence[Guess]) -> Callable[[Mapping[str, Any]], Any]:
    """A function that says to which case a row belongs: by the column that names the items, or by
    all that the models' answers share.
    """
    named = next((one.name for one in columns if one.role == "id"), "")
    if named:
        return lambda row: _plain(row.get(named))
    shared = [o.name for o in columns if not o.by_arm and o.role not in ("arm", "out")]
    return lambda row: tuple(_plain(row.get(name)) for name in shared)


def _with_answers_of_models(guessed: list[Guess], cells: Mapping[str, list[Any]]) -> list[Guess]:
    """The guesses, with columns that each hold one model's answers known as such, and what else
    tells which model that is not shown.
    """
    right = list_reference_columns_beside_predictions([one.name for one in guessed])
    long = [
        one.name
        for one in guessed
        if one.role in ("text", "markdown")
        and one.name not in right
        and not _lists_models(cells[one.name])
        and not _lists_numbers(cells[one.name])
        and not all(_AN_ADDRESS.fullmatch(text) for text in map(_plain, cells[one.name]) if text)
    ]
    talks = [one.name for one in guessed if one.role == "dialogue"]
    # Short answers are known by their heading alone: a model's name, and perhaps "answer"; or an
    # answer of "model A".
    short = [
        one.name
        for one in guessed
        if one.role in ("record", "group")
        and (is_only_a_model_name(one.name) or is_answer_of_numbered_model(one.name))
    ]
    aside = [one.name for one in guessed if one.role in ("record", "group")]
    short += [name for name in writers_by_column([*long, *aside]) if name in aside]
    short = [name for name in short if not all(map(_is_number, filter(_plain, cells[name])))]
    models = models_by_answer_column([*long, *short]) or models_by_answer_column(talks)
    if not find_column_of_preferred_answers([*models]):
        models = _answers_by_heading([*long, *aside], cells, models) or versions_by_column(long)
        models = models or authors_by_column(long)
        models = models or numbers_by_doubled_heading(long, [*cells])
        models = models or _short_answers_by_letter(aside, cells)
    for role in _FILES if len(models) < 2 else ():
        models = models or makers_by_file_column([one.name for one in guessed if one.role == role])
    of_preferences = bool(find_column_of_preferred_answers([*models]))
    # One well-known model can stand beside a person.
    known = [*models] or [name for name in long if NAMED_MODEL.search(name)]
    further = [] if of_preferences else _further_answers([*long, *aside], cells, known)
    if further and len(known) + len(further) <= MOST_ARMS:
        order = [name for name in cells if name in (*known, *further)]
        models = dict(zip(order, make_arm_names(order), strict=True))
    if not of_preferences and (aside_of := list_headings_beside_model_answers([*models])):
        left = [name for name in models if name not in aside_of]
        models = dict(zip(left, make_arm_names(left), strict=True))
    prompted = list_columns_by_way_of_prompting(long)
    if prompted and {*models} <= {*prompted}:
        # Beside other ways to prompt, a chain of thought is no way to an answer, but one of them.
        models = dict(zip(prompted, make_arm_names(prompted), strict=True))
    if not 2 <= len(models) <= MOST_ARMS:
        return guessed
    names = [model.casefold() for model in models.values() if len(model) > 2]
    arms = list(models.values())
    options = _has_options(cells)
    beside = _columns_of_each_answer([one.name for one in guessed], [*models])
    alike = [] if of_preferences else _versions_of_unknown_place(guessed, cells, [*models])

    def role_of(one: Guess) -> Role:
        if one.name in models:
            return "answer"
        if one.name in alike:
            return "group" if one.role in ("record", "group") else "hidden"
        if one.role in _SHOWN and _lists_models(cells[one.name]):
            return "hidden"
        plain = one.role in ("text", "markdown") and _PLAIN_ANSWER.fullmatch(
            heading_as_plain_lower_case_words(one.name)
        )
        # Beside estimates a summary is what was read.
        if plain and not all(_is_number(cell) for name in models for cell in cells[name]):
            return "hidden"
        if one.name in beside and one.role in ("record", "group"):
            return "group"
        if one.name in beside and one.role in _SHOWN and not _ASKED_OF_MODELS.search(one.name):
            return "hidden"
        filled = [cell for cell in cells[one.name] if _plain(cell)]
        letters = options and all(len(_plain(cell)) == 1 for cell in filled)
        chosen = not letters and is_choice_column(one.name, filled, arms)
        if one.role in ("record", "group") and chosen:
            return "group"
        if one.role in ("record", "group") and _is_headed_alike(one.name, [*models]):
            return "group"
        telling = NAMED_MODEL.search(one.name) or any(n in one.name.casefold() for n in names)
        if telling or (of_preferences and is_preference_heading(one.name)):
            return "group" if one.role in ("record", "group") else "hidden"
        return one.role

    return [replace(one, role=role_of(one)) for one in guessed]


_LIKE_LENGTH = 2.5
"""By how much the mean lengths of answers under one kind of heading differ at most."""


def _further_answers(
    names: Sequence[str], cells: Mapping[str, list[Any]], answers: Sequence[str]
) -> list[str]:
    """Those of these columns that are answers too, whoever wrote them: their headings differ from
    those of the ``answers`` only in the words that stand for the models, and their texts are like
    theirs in length.
    """
    if not answers:
        return []
    lengths = [_mean_of(list(filter(None, map(_plain, cells[name])))) for name in answers]
    least, most = min(lengths) / _LIKE_LENGTH, max(lengths) * _LIKE_LENGTH

    def is_alike(name: str) -> bool:
        texts = list(filter(None, map(_plain, cells[name])))
        return least <= _mean_of(texts) <= most and not all(map(_is_number, texts))

    return [
        name
        for name, own in versions_by_heading_beside_answers(names, answers).items()
        if may_be_a_further_writer(name, answers, own)
        and not _OF_THE_CASE.search(heading_as_plain_lower_case_words(own))
        and not _gives_away(name, "record", by_arm=False)
        and is_alike(name)
    ]


def _versions_of_unknown_place(
    guessed: Sequence[Guess], cells: Mapping[str, list[Any]], answers: Sequence[str]
) -> list[str]:
    """The columns of texts that may be another version of what the ``answers`` are: by a heading
    with the same words, if nothing in it is a part of a case; or by texts of about one length right
    before the answers, under a heading that says nothing, where something else is read before them.
    """
    shown = [one for one in guessed if one.role in ("text", "markdown", "record", "group")]
    headed = versions_by_heading_beside_answers([one.name for one in shown], answers)
    found = [
        one.name
        for one in shown
        if one.name in headed
        and (texts := list(filter(None, map(_plain, cells[one.name]))))
        and 2 * sum(" " in text for text in texts) > len(texts)
        and not _OF_THE_CASE.search(heading_as_plain_lower_case_words(headed[one.name] or one.name))
        and not _PLAIN_ANSWER.fullmatch(heading_as_plain_lower_case_words(one.name))
    ]
    order = [one.name for one in guessed]
    first = min(order.index(name) for name in answers)
    read = [
        one.name
        for one in guessed
        if one.role in ("text", "markdown") and one.name not in (*answers, *found)
    ]
    before = order[first - 1] if first else ""
    if before in read and len(read) > 1 and order.index(read[0]) < first - 1:
        lengths = [_mean_of(list(filter(None, map(_plain, cells[name])))) for name in answers]
        own = _mean_of(list(filter(None, map(_plain, cells[before]))))
        words = heading_as_plain_lower_case_words(before)
        if (
            min(lengths) / _BESIDE_LENGTH <= own <= max(lengths) * _BESIDE_LENGTH
            and min(lengths) >= _LONG_ENOUGH
            and not _OF_THE_CASE.search(words)
            and not _ASKED_OF_MODELS.search(before)
            and not is_headed_as_part_of_a_case(words)
        ):
            found.append(before)
    return found


def _answers_by_heading(
    names: Sequence[str], cells: Mapping[str, list[Any]], known: dict[str, str]
) -> dict[str, str]:
    """The columns that each hold one model's answers, however short, as their headings say the same
    of several writers; those that are ``known`` unless there are more.
    """
    usable = [
        name
        for name in names
        if is_decision_heading(name) or not all(map(_is_number, filter(_plain, cells[name])))
    ]
    groups = [
        found
        for _, found in list_headings_with_writer_by_column(usable)
        if set(found) >= set(known)
    ]
    best = max(groups, key=lambda of: sum(_letters_in(cells, name) for name in of), default={})
    if len(best) > len(known):
        return dict(zip(best, make_arm_names(list(best.values()), plain=True), strict=True))
    if known:
        return known
    if found := letters_by_decision_column(usable):
        return found
    if found := _comments_by_writer(names, cells):
        return found
    # The turns of a chat have numbers too.
    of_a_chat = any(map(_TURN.fullmatch, cells))
    numbered = [
        name
        for name in names
        if not of_a_chat
        and is_numbered_model(name)
        and any(" " in _plain(cell) for cell in cells[name])
        and not any(map(is_name_of_writer, filter(None, map(_plain, cells[name]))))
    ]
    if len(numbered) > 1:
        return dict(zip(numbered, make_arm_names(numbered), strict=True))
    # What models estimate is what is judged where nothing else of theirs is there; not beside a
    # text under a name that a comparison needs itself, which would be lost.
    if any(name in _FOR_ARMS for name in names):
        return {}
    estimates = writers_by_number_column([name for name in names if name not in usable])
    return dict(zip(estimates, make_arm_names(list(estimates.values()), plain=True), strict=True))


def _comments_by_writer(names: Sequence[str], cells: Mapping[str, list[Any]]) -> dict[str, str]:
    """The columns of what several models, and people beside them, wrote on a case, in a table with
    no column that is headed as an answer.
    """
    if any(
        is_headed_as_answer(heading_as_plain_lower_case_words(name))
        for name in cells
        if any(map(_plain, cells[name]))
    ):
        return {}
    # Under another heading of the same kind: "comment" alone would be what is thought of an answer.
    alike = {
        re.sub(
            r"\s+", " ", _A_COMMENT.sub("summary", heading_as_plain_lower_case_words(name))
        ): name
        for name in names
        if _A_COMMENT.search(heading_as_plain_lower_case_words(name))
        and not _OF_A_JUDGE.search(heading_as_plain_lower_case_words(name))
        if 2 * sum(" " in _plain(cell) for cell in cells[name]) > len(cells[name])
    }
    groups = [found for _, found in list_headings_with_writer_by_column(list(alike))]
    best = max(groups, key=len, default={})
    arms = make_arm_names(list(best.values()), plain=True)
    return {alike[name]: arm for name, arm in zip(best, arms, strict=True)}


def _short_answers_by_letter(
    names: Sequence[str], cells: Mapping[str, list[Any]]
) -> dict[str, str]:
    """Two columns of short answers that differ in a letter ("Answer A", "Answer B"), if they cannot
    be options to choose from: they say the same in some row, or a column says which was preferred.
    """
    if _has_options(cells) or not any(map(is_question_heading, cells)):
        return {}
    headed = [
        name
        for name in names
        if is_headed_as_answer(words := heading_as_plain_lower_case_words(name))
        and not is_headed_as_preference(words)
    ]
    pair = list_columns_headed_alike(headed)
    lettered = [name for name in pair if re.search(r"(?i)[\s_.-]\(?[a-bx-y]\)?$", name.strip())]
    if len(headed) != 2 or len(lettered) != 2:
        return {}
    texts = [list(map(_plain, cells[name])) for name in lettered]
    if all(map(_is_number, filter(None, [*texts[0], *texts[1]]))):
        return {}
    arms = make_arm_names(lettered)
    same = any(one and one == other for one, other in zip(*texts, strict=True))
    preferred = any(
        is_headed_as_preference(heading_as_plain_lower_case_words(name))
        and is_choice_column(name, [cell for cell in cells[name] if _plain(cell)], arms)
        for name in cells
    )
    return dict(zip(lettered, arms, strict=True)) if same or preferred else {}


def _lists_models(cells: Sequence[Any]) -> bool:
    """Whether each filled cell of a column is a list of models' names."""
    lists = [list_texts_of_nested_list(cell) for cell in cells if not is_cell_missing(cell)]
    return bool(lists) and all(one and all(map(is_name_of_writer, one)) for one in lists)


def _lists_numbers(cells: Sequence[Any]) -> bool:
    """Whether each filled cell of a column is a list of numbers, which no model answered."""
    lists = [
        parse_nested_value(cell) if isinstance(cell, str) else cell
        for cell in cells
        if not is_cell_missing(cell)
    ]
    return bool(lists) and all(
        isinstance(one, list | tuple) and one and all(map(_is_number, one)) for one in lists
    )


_AN_ADDRESS = compile_later(r"\w+://\S+")
_TURN = compile_later(r"(?i)(user|human|patient|client|turn)[\W_]*\d+")


def _letters_in(cells: Mapping[str, list[Any]], name: str) -> int:
    return sum(len(_plain(cell)) for cell in cells[name])


def _is_headed_alike(name: str, answers: Sequence[str]) -> bool:
    """Whether a column's heading has what the headings of several models' decisions share: "ICD
    coder" beside "ICD GPT-4" and "ICD Llama". It may be what is right.
    """
    words = [set(re.findall(r"[^\W_]+", one.casefold())) for one in (*answers, name)]
    shared = set.intersection(*words[:-1])
    decides = is_decision_heading(" ".join(shared)) and not _ASKED_OF_MODELS.search(
        " ".join(shared)
    )
    return name not in answers and decides and shared < words[-1]


def _columns_of_each_answer(names: Sequence[str], answers: Sequence[str]) -> set[str]:
    """The other columns of which there is one for each answer, such as ``generator_1`` and
    ``generator_2`` beside ``output_1`` and ``output_2``.
    """
    words = {name: tuple(re.findall(r"[^\W_]+", name.casefold())) for name in names}
    shared = set.intersection(*(set(words[name]) for name in answers))
    own = [frozenset(words[name]) - shared for name in answers]
    if not all(own):
        return set()
    found: dict[tuple[str, ...], dict[int, str]] = {}
    for name in names:
        for at, signs in enumerate(own):
            if name not in answers and signs <= set(words[name]):
                rest = tuple(word for word in words[name] if word not in signs)
                found.setdefault(rest, {})[at] = name
    return {name for of in found.values() if len(of) == len(answers) for name in of.values()}


def _is_number(cell: Any) -> bool:
    return bool(
        re.fullmatch(r"[-+]?[\d.,]+ ?(%|s|ms|secs?|seconds?|sek|min|tokens?|秒)?", _plain(cell))
    )


_TEXTS: tuple[Role, ...] = ("text", "markdown", "source", "dialogue")
_SHOWN = ("text", "markdown", "source", "dialogue", "table", "record", "image", "pdf")


def are_any_columns_shown(columns: Sequence[Guess]) -> bool:
    """Whether reviewers see any of these columns at first."""
    return any(one.role in (*_SHOWN, "answer") for one in columns)


def list_hidden_columns_of_correct_answers(columns: Sequence[Guess]) -> list[str]:
    """The columns that are not shown and whose names say that they hold what is right."""
    of_sets = list_headings_of_answers_in_question_sets([one.name for one in columns])
    in_rows = any(one.role == "arm" for one in columns)
    return [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and (
            _gives_away(one.name, "record", by_arm=one.by_arm)
            or one.name in of_sets
            or (in_rows and not one.by_arm and _is_answer_of_an_expert(one.name))
        )
    ]


_BEGINS_AT = compile_later(r"(?P<before>.*?) ?\banswers? starts?( char\w*| index| pos\w*)?")
_SHORT_ANSWER = compile_later(r"(final|yes ?no|short)( (decisions?|answers?))")


def list_headings_of_answers_in_question_sets(names: Sequence[str]) -> list[str]:
    """The headings under which sets of questions on a passage keep what is right, known by those
    beside them: where an answer begins in its passage (SQuAD), and a long answer beside a short one
    or a decision (PubMedQA, Natural Questions).
    """
    words = {name: heading_as_plain_lower_case_words(name) for name in names}
    found = set()
    for said in words.values():
        if begins := _BEGINS_AT.fullmatch(said):
            before = begins["before"].strip()
            alone = {"answer", "answers", "answer text", "answers text"}
            found |= {said, *({f"{before} text", f"{before} answer", before} if before else alone)}
    if any(_SHORT_ANSWER.fullmatch(said) for said in words.values()):
        found |= {said for said in words.values() if said in ("long answer", "long answers")}
    return [name for name, said in words.items() if said in found]


def _marks_answers(cells: Sequence[Any]) -> bool:
    """Whether each cell lists answers with the place at which they begin in a passage."""
    listed = [_listed(cell) for cell in cells if not is_cell_missing(cell)]
    return bool(listed) and all(
        one and all("answer_start" in given for given in one) for one in listed
    )


_OF_A_MACHINE = compile_later(
    r"(?i)\b(der|des|del|de la|of the|by the|by|du|do|da|von) (ki|ai|ia|llm|modells?|model|modelo"
    r"|mod[eè]le|chatbots?|bots?)$"
)
_A_SOLUTION = compile_later(r"\b(losung|loesung|solution|solucion|solucao|soluzione)\w*")


_OF_AN_OUTPUT = compile_later(
    r"(?i)([\w ]*[_ ])?(outputs?|response|completion|prediction|generation|uitvoer|ausgabe|salida"
    r"|sortie|uscita|sa[ií]da)\.(?!.*(correct|gold|truth|reference|expected))"
)
"""The beginning of the heading of a part of what a model wrote: explanations are among it."""


_OF_A_SAMPLE = compile_later(r"(?i)^samples?\.(?=[a-z])")
_ASKS_FOR_A_RATING = compile_later(
    r"^(\d+ )?(please )?(rate|score|grade|judge|assess|evaluate|rank)\b"
    r"|^(\d+ )?(how (accurate|helpful|safe|good|correct|useful|complete|likely|confident|satisfied)"
    r"|(bitte )?(bewerten|beurteilen|benoten|schatzen) sie"
    r"|wie (gut|hilfreich|korrekt|sicher|genau|nutzlich)"
    r"|(por favor )?(evalue|califique|puntue|valore)\b"
    r"|(veuillez )?(evaluer|evaluez|notez|noter|jugez)\b"
    r"|(per favore )?(valuti|valuta|giudichi)\b|(por favor )?(avalie|classifique|pontue)\b"
    r"|beoordeel\b|hoe (goed|nuttig|veilig|juist)|bedom\b|vurder\b)"
)
"""Questions, in words, whose answers are what somebody thought of an item."""


_A_CLINICAL_SCORE = compile_later(
    r"\b(wells|geneva|genfer|glasgow( coma)?( scale)?|gcs|nihss|apgar|cha2?ds2?( vas?c?)?|has ?bled"
    r"|q?sofa|apache( ii| 2)?|saps|m?ews|news ?2?|curb( ?65)?|crb ?65|psi|meld|child( pugh)?|timi"
    r"|grace|perc|ranson|alvarado|centor|mcisaac|bishop|braden|norton|waterlow|barthel|mmse|moca"
    r"|phq( ?9)?|gad( ?7)?|mrs|ecog|karnofsky|gleason|nyha|edss|das ?28|basdai|epworth|madrs|ham d"
    r"|ipss|framingham|ascvd|score ?2|fib ?4|hunt( and)? hess|abcd2|duke|ottawa|rockall|blatchford"
    r"|pain|schmerz|calcium|agatston)( (score|scores|punkte|points|scale|skala|index))+\b"
)
"""A patient's score, which belongs to the case."""
_A_LABORATORY_RANGE = compile_later(
    r"\b(referenz|norm)(bereiche?|werte?|intervalle?)\b|\bnormal(bereich|werte?)\b"
    r"|\b(ref|reference|normal) (ranges?|values?|intervals?|limits?)\b"
    r"|\b(valeurs?|intervalles?|plages?|normes?) (de )?(reference|normales?)\b"
    r"|\b(valores?|valori|rangos?|intervalos?|intervall[io]|faixas?) (de |di )?(referencia"
    r"|riferimento|normal(es|i)?)\b|\breferentie(waarden?|interval|gebied)\b"
)
"""A laboratory's range beside a value, in words."""


def _is_answer_of_an_expert(heading: str) -> bool:
    return bool(_ANSWER_OF_AN_EXPERT.fullmatch(heading_as_plain_lower_case_words(heading)))


def _gives_away(name: str, role: Role, *, by_arm: bool) -> bool:
    """Whether a column that would be shown is named like a reference answer, or like what explains
    or scores one. A text that each arm has of its own is part of the answer that is judged.
    """
    if role not in _SHOWN:
        return False
    # "sample.output" is a part of a sample, and no sample answer.
    name = _OF_A_SAMPLE.sub("", name)
    # A solution that a machine proposes is what is judged, and none that is known.
    words = (
        _A_SOLUTION.sub(" ", heading_as_plain_lower_case_words(name))
        if _OF_A_MACHINE.search(name)
        else heading_as_plain_lower_case_words(name)
    )
    of_an_output = _OF_AN_OUTPUT.match(name)
    explains = _ACCOUNTS.search(words) and not of_an_output and (role == "record" or not by_arm)
    words = _A_CLINICAL_SCORE.sub(" ", _A_LABORATORY_RANGE.sub(" ", words))
    if _VERDICT_ALONE.fullmatch(words) or (_OPINIONS.search(words) and not by_arm):
        return True
    return bool(
        _KEYS.search(words)
        or _KEYS_AS_WRITTEN.search(name)
        or _VERDICTS.search(words)
        or explains
        or (role == "record" and _ASKS_FOR_A_RATING.search(words))
        or (role == "record" and is_headed_as_preference(words) and is_headed_as_answer(words))
    )


def _width(cells: Mapping[str, list[Any]]) -> Any:
    return lambda one: sum(len(str(cell)) for cell in cells[one.name])


def _case_and_arm(cells: Mapping[str, list[Any]]) -> tuple[str, str] | None:
    """The columns that name a case and its arm: together they identify a row, and at least half of
    the cases have several arms.
    """
    single = {
        name: own
        for name, own in cells.items()
        if not any(isinstance(cell, list | dict) for cell in own)
    }
    for arm in single:
        values = list(map(_plain, cells[arm]))
        if not (2 <= len(set(values)) <= MOST and all(values)):
            continue
        # Names of items may hold a model's name too, and are there once.
        known = 2 * len(set(values)) <= len(values) and all(map(is_name_of_writer, set(values)))
        # Beside a well-known model others can be called anything, if each case has each once.
        beside_known = (
            2 * len(set(values)) <= len(values)
            and any(map(is_name_of_model, set(values)))
            and not _gives_away(arm, "record", by_arm=False)
            and not is_preference_heading(arm)
            and all(len(value) <= _SHORT and re.search(r"[^\W\d]", value) for value in set(values))
        )
        # A doctor is told by name beside what a machine wrote.
        with_persons = (
            2 * len(set(values)) <= len(values)
            and any(map(is_name_of_writer, set(values)))
            and all(is_name_of_writer(value) or is_name_of_person(value) for value in set(values))
        )
        if not (MODEL_HEADING.search(arm) or known or beside_known or with_persons):
            continue
        if len({normalise_model_name(value) for value in values}) > MOST_ARMS or not _names_a_model(
            values
        ):
            continue
        for case in sorted(single, key=lambda name: not _is_headed_as_case(name)):
            if case == arm or not all(names := list(map(_plain, cells[case]))):
                continue
            names_cases = _is_headed_as_case(case) and max(map(len, names)) <= _SHORT
            # A text that is there for each of several known models is what they were asked.
            least = _LONG_FOR_MODELS if known else _LONG
            is_read = _ASKED_OF_MODELS.search(case) or (
                sum(map(_reading_length, names)) >= least * len(names)
            )
            if not (names_cases or is_read):
                continue
            pairs = set(zip(names, values, strict=True))
            several = sum(count > 1 for count in Counter(names).values())
            if len(pairs) == len(names) and 2 * several >= len(set(names)):
                return case, arm
    return None


_LONG_FOR_MODELS = 15
"""The mean length from which a text that is repeated for each known model is what was asked."""


def _is_headed_as_case(name: str) -> bool:
    return bool(_IDS.search(name) or _NUMBERS_CASES.fullmatch(name.strip()))


def _is_name_of_a_case(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column that tells cases apart names them, rather than being read itself."""
    return _is_headed_as_case(name) and all(len(_plain(cell)) <= _SHORT for cell in cells)


_WORDS_OF_A_SENTENCE = 5
_A_SENTENCE = compile_later(r"^(?:\S+\s+){3,}\S+[.;!?。？！]$|[^\W\d]{2,}[.;!?]\s+\S+\s+\S+")


def _names_a_model(values: Sequence[str]) -> bool:
    """Whether these can be models' names: short, on one line, without unreadable signs; and no
    sentences, as each row of a model's answers has another.
    """
    unlike = len(set(values)) == len(values)
    if sum(bool(_A_SENTENCE.search(one)) for one in values) * 2 > len(values):
        return False
    if unlike and sum(len(one.split()) for one in values) >= _WORDS_OF_A_SENTENCE * len(values):
        return False
    return all(
        len(one) <= _LONGEST_ARM and "\n" not in one and not UNREADABLE.search(one)
        for one in values
    )


def _differs(cells: Mapping[str, list[Any]], name: str, case: str) -> bool:
    """Whether rows of one case differ in a column."""
    first: dict[str, str] = {}
    pairs = zip(map(_plain, cells[case]), map(_plain, cells[name]), strict=True)
    return any(first.setdefault(one, cell) != cell for one, cell in pairs)


def _names(values: list[Any]) -> bool:
    if any(isinstance(one, list | dict) for one in values):
        return False
    texts = list(map(_plain, values))
    return all(texts) and len(set(texts)) == len(texts) and max(map(len, texts)) <= _SHORT


def _role(values: list[Any]) -> Role:
    texts = [text for text in map(_plain, values) if text]
    if not texts:
        return "out"
    filled = [one for one in values if not is_cell_missing(one)]
    listed = [_listed(one) for one in filled]
    if all(listed) and not all(map(text_of_content_parts, filled)):
        if all(set(one) >= _CRITERION for rows in listed for one in rows or ()):
            return (
                "criteria"
                if _fits(filled, lambda cell: criteria_cell_as_stored(cell, ""))
                else "text"
            )
        if all(map(is_list_of_turns, listed)) and _fits(
            filled, lambda cell: dialogue_or_table_cell_as_stored(cell, "", "dialogue")
        ):
            return "dialogue"
        return (
            "table"
            if _fits(filled, lambda cell: dialogue_or_table_cell_as_stored(cell, "", "table"))
            else "text"
        )
    for kind, named in _FILES.items():
        if all(map(named.search, texts)):
            return kind
    if all(map(list_texts_of_nested_list, filled)):
        return "markdown"
    if _is_long(texts):
        return "markdown" if any(map(_MARKS.search, texts)) else "text"
    few = 1 < len(set(texts)) <= min(_MOST_GROUPS, len(texts) // 2)
    return "group" if few and max(map(len, texts)) <= _SHORT else "record"


_IDEOGRAPHS = compile_later(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTERS_OF_AN_IDEOGRAPH = 3


def _reading_length(text: str) -> int:
    """The length of a text in Latin letters: an ideograph says as much as several."""
    if text.isascii():
        return len(text)
    return len(text) + (_LETTERS_OF_AN_IDEOGRAPH - 1) * len(_IDEOGRAPHS.findall(text))


def _listed(value: Any) -> list[Any] | None:
    """The rows or turns in a cell; None if it has none."""
    if isinstance(value, str):
        value = parse_nested_value(value)
    return (
        value
        if isinstance(value, list) and value and all(isinstance(o, dict) for o in value)
        else None
    )


def _is_dialogue(cells: Iterable[Any]) -> bool:
    return _fits(cells, lambda cell: dialogue_cell_as_stored(cell, ""))


def _fits(cells: Iterable[Any], reader: Callable[[Any], object]) -> bool:
    """Whether an import reads each of these cells so."""
    try:
        for cell in cells:
            reader(cell)
    except RowError:
        return False
    return True


def _plain(value: Any) -> str:
    """A cell as an import reads it."""
    try:
        return cell_text(value, "")
    except RowError:
        return str(value)


# -- as lines of a file ----------------------------------------------------------------------------


def make_study_file_text(
    title: str,
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    *,
    template: str = "",
    asked: str = "",
    more: bool = False,
    called: Mapping[str, str] | None = None,
    survey_questions: Mapping[str, str] | None = None,
    mask: Sequence[str] = (),
    keep_sums: bool = False,
    without_nearly_empty: bool = False,
    identifiers: str = "",
) -> str:
    """A study's file for a table with these columns, with the questions of a template, or those
    ``asked`` (as lines), or one question to start with. ``rows`` give the arms; there are ``more``
    of them if these are only the first. ``called`` names the models of columns with answers;
    ``survey_questions``, by column, are titles of what is shown;
    reviewers see bars for the names to ``mask``. Rows of sums at the end are left out unless
    ``keep_sums``, nearly empty ones if ``without_nearly_empty``. ``identifiers``: what becomes of
    what may identify a patient, if a lead has decided.
    """
    # A column that is left out must not name the items either, nor one that was taken apart.
    taken = {one.name for one in columns} | {one.name.partition(".")[0] for one in columns}
    item = next((one.name for one in columns if one.role == "id"), _free_name(ITEM, taken))
    sums = {} if keep_sums else words_for_totals_by_row_number(rows)
    rows = [row for at, row in enumerate(rows, 1) if at not in sums]
    if without_nearly_empty:
        nearly = find_numbers_of_nearly_empty_rows(columns, rows)
        rows = [row for at, row in enumerate(rows, 1) if at not in nearly]
    arm = next((one.name for one in columns if one.role == "arm"), "")
    rows = flatten_nested_cells_of_rows(rows)
    missing = [*cell_counts_by_word_for_missing_value(rows)]
    rows = blank_missing_cells(rows, missing)
    if more:
        # Rows that nobody has looked at may have others.
        missing += [word for word in USUAL_FOR_NOTHING if word not in missing]
    spelt = find_spellings_by_arm(columns, rows)
    names = [*spelt]
    answers = [one.name for one in columns if one.role == "answer"] if not arm else []
    own_column = _free_name("answer", {one.name for one in columns})
    if len(answers) > 1:
        given = [(called or {}).get(name, "") for name in answers]
        names = make_arm_names(given, plain=True) if all(given) else make_arm_names(answers)
        columns = _as_one_column(columns, own_column, rows)
    elif answers:
        columns = [replace(o, role="text") if o.role == "answer" else o for o in columns]
    intro, source, questions = _of_template(template)
    questions = asked or questions
    chosen_arm, chosen_column = _choices(columns, answers, names, rows)
    if chosen_arm or chosen_column:
        # Nobody knows how clearly it was preferred.
        questions = questions.replace("\nstrength = true", "")
    lines = [
        f"id = {text_as_toml_value(make_id_from_name(title))}",
        f"title = {text_as_toml_value(title)}",
        *([f"source = {text_as_toml_value(source)}"] if source else []),
        *([f"item = {text_as_toml_value(item)}"] if item != ITEM else []),
        *([] if any(one.role == "id" for one in columns) else ["numbered = true"]),
        *([f"arm_column = {text_as_toml_value(arm)}"] if arm else []),
        *(
            [f"leave_out = [{', '.join(map(text_as_toml_value, dict.fromkeys(sums.values())))}]"]
            if sums
            else []
        ),
        *(['nearly_empty = "leave_out"'] if without_nearly_empty else []),
        *([f"identifiers = {text_as_toml_value(identifiers)}"] if identifiers else []),
        *([f"mask = [{', '.join(map(text_as_toml_value, mask))}]"] if mask else []),
        *([f"missing = [{', '.join(map(text_as_toml_value, missing))}]"] if missing else []),
        *([f"chosen_arm = {text_as_toml_value(chosen_arm)}"] if chosen_arm else []),
        *([f"chosen_column = {text_as_toml_value(chosen_column)}"] if chosen_column else []),
        "raters_per_item = 2",
        "gold_share = 0",
        f'instructions = """\n{intro}"""',
    ]
    if criteria := next((one.name for one in columns if one.role == "criteria"), ""):
        questions = _with_criteria(questions, criteria)
    marked = f'kind = "{SPANS}"' in questions
    plain = ("after", "markdown") if marked else ("after",)
    if names and (marked or len(names) > MOST_TOGETHER or f'kind = "{REWRITE}"' in questions):
        # Marking or rewriting all of them at once is too much work.
        lines.insert(-1, 'show_arms = "apart"')
    elif arm and 1 in Counter(map(_case_of(columns), rows)).values():
        lines.insert(-1, 'incomplete = "leave_out"')
    for at, name in enumerate(names):
        lines += ["", "[[arm]]", f"name = {text_as_toml_value(name)}"]
        if also := [other for other in spelt.get(name, ()) if other != name]:
            lines.append(f"also = [{', '.join(map(text_as_toml_value, also))}]")
        if len(answers) > 1:
            lines.append(f"columns = {{ {own_column} = {text_as_toml_value(answers[at])} }}")
    titles = _titles_of_questions(survey_questions or {})
    kept = [one for one in columns if one.role not in ("id", "arm", "out")]
    if f'kind = "{EVIDENCE}"' in questions and not any(one.role == "source" for one in kept):
        words = ("text", "markdown", "record")
        shared = [one for one in kept if one.role in words and not one.by_arm]
        longest = max(shared, key=lambda one: _length(rows, one.name), default=None)
        kept = [replace(one, role="source") if one is longest else one for one in kept]
    for one in kept:
        lines += [
            "",
            "[[column]]",
            f"name = {text_as_toml_value(one.name)}",
            f"means = {text_as_toml_value(titles.get(one.name) or title_from_name(one.name))}",
        ]
        cells_of = answers if one.name == own_column and len(answers) > 1 else [one.name]
        empty = any(not _plain(row.get(name)) for row in rows for name in cells_of)
        # Of rows that nobody has looked at, only what is read can be relied on.
        if empty or (more and one.role not in ("text", "markdown", "source", "dialogue")):
            lines.append("required = false")
        lines += ["groups = true"] if one.role == "group" else []
        lines += ["by_arm = true"] if one.by_arm and names else []
    for mine in (False, True):
        record = [o.name for o in kept if o.role == "record" and bool(o.by_arm and names) == mine]
        if record:
            lines += ["", "[[pane]]", 'title = "Details"', 'kind = "record"']
            lines.append(f"columns = [{', '.join(map(text_as_toml_value, record))}]")
    pane_titles = _titles_of_panes([one.name for one in kept])
    for one in kept:
        if one.role == "after" or (one.role in _SHOWN and one.role != "record"):
            lines += [
                "",
                "[[pane]]",
                f"title = {text_as_toml_value(titles.get(one.name) or pane_titles[one.name])}",
                f"kind = {text_as_toml_value('text' if one.role in plain else one.role)}",
                *(["after_answer = true"] if one.role == "after" else []),
            ]
            lines.append(f"column = {text_as_toml_value(one.name)}")
    if advice := find_advice_column_of_template(template, columns):
        lines += ["", "[[advice]]"]
        lines += [
            f"{name} = {text_as_toml_value(said)}" for name, said in vars(advice).items() if said
        ]
    return (
        "\n".join(lines)
        + "\n"
        + (f"\n{questions}" if questions else toml_text_of_new_question("yes_no", 1))
    )


_OF_A_PROGRAM = compile_later(
    r"(?i)\d+|content|parts?|messages?|choices|candidates|outputs?|text|value|body|data|results?"
)
"""Parts of the paths in which programs nest a text, which say nothing of it."""


def _titles_of_panes(names: Sequence[str]) -> dict[str, str]:
    """The title of each column's pane: of a path into a list, such as
    ``response.candidates.0.content``, its part that says what it is, if no other has it.
    """
    titles = {name: title_from_name(name) for name in names}
    for name in names:
        parts = name.split(".")
        if any(map(str.isdecimal, parts)):
            said = [part for part in parts if not _OF_A_PROGRAM.fullmatch(part)] or ["answer"]
            short = title_from_name(said[0])
            if short.casefold() not in {title.casefold() for title in titles.values()}:
                titles[name] = short
    return titles


_LONGEST_PANE_TITLE = 90


def _titles_of_questions(questions: Mapping[str, str]) -> dict[str, str]:
    """The titles that a survey's questions make, by column: without the marks of a web page, cut
    where they are long; not those that name a model or that several columns share.
    """
    plain = {
        name: " ".join(re.sub(r"<[^<>]*>|&nbsp;", " ", asked).split())
        for name, asked in questions.items()
    }
    counts = Counter(plain.values())
    return {
        name: textwrap.shorten(title, _LONGEST_PANE_TITLE, placeholder=" …")
        for name, title in plain.items()
        if title
        and counts[title] == 1
        and not NAMED_MODEL.search(title)
        and not UNREADABLE.search(title)
    }


def _choices(
    columns: Sequence[Guess],
    answers: Sequence[str],
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
) -> tuple[str, str]:
    """The arm that was chosen in every row, or the column that says which was; "" for neither."""
    if len(answers) < 2 or len(names) > MOST_TOGETHER:
        return "", ""
    if chosen := find_column_of_preferred_answers(answers):
        return names[list(answers).index(chosen)], ""
    unseen = [one.name for one in columns if one.role in ("group", "hidden")]
    options = _has_options([one.name for one in columns])
    for name in unseen:
        filled = [row.get(name) for row in rows if _plain(row.get(name))]
        if options and all(len(_plain(cell)) == 1 for cell in filled):
            # The letter of what was asked, and of none of the answers.
            continue
        if is_choice_column(name, filled, names):
            return "", name
    return "", ""


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with underscores until no column has it."""
    # Columns are found in a file whatever their case and spacing.
    there = set(map(normalise_column_name, taken))
    while normalise_column_name(name) in there:
        name += "_"
    return name


def _as_one_column(
    columns: Sequence[Guess], name: str, rows: Sequence[Mapping[str, Any]]
) -> list[Guess]:
    """The columns, with one in which the models differ for all that hold a model's answers."""
    roles = {_role([row.get(one.name) for row in rows]) for one in columns if one.role == "answer"}
    shown: Role = "text"
    if len(roles) == 1 and roles <= {"dialogue", "table", "image", "pdf"}:
        shown = roles.pop()
    elif "markdown" in roles:
        shown = "markdown"
    kept = [replace(one, by_arm=False) for one in columns if one.role != "answer"]
    return [*kept, Guess(name, shown, by_arm=True)]


def find_advice_column_of_template(template: str, columns: Sequence[Guess]) -> Advice | None:
    """A template's advice in a table with these columns: in the one of its name that is shown once
    an item is answered, else in the first such one. None if there is none.
    """
    advice = (
        next(
            iter(read_study_file_text_and_declaration(TEMPLATES / f"{template}.toml")[1].advice),
            None,
        )
        if template
        else None
    )
    after = [one.name for one in columns if one.role == "after"]
    if advice is None or not after or any(one.role in ("arm", "answer") for one in columns):
        return None
    hidden = [one.name for one in columns if one.role == "group"]
    return replace(
        advice,
        column=advice.column if advice.column in after else after[0],
        truth=advice.truth if advice.truth in hidden else "",
    )


def _length(rows: Sequence[Mapping[str, Any]], column: str) -> int:
    return sum(len(_plain(row.get(column))) for row in rows)


def _with_criteria(questions: str, column: str) -> str:
    """A template's questions with their criteria in this column; a rubric if it has no
    questions.
    """
    if not questions:
        one = new_question_fields("rubric", "question_1")
        del one["criteria"]
        return add_part_to_toml("", "question", one | {"criteria_column": column}).lstrip()
    stands = f"criteria_column = {text_as_toml_value(column)}"
    return re.sub(r'(?m)^criteria_column = ".*"$', lambda _: stands, questions)


def _of_template(name: str) -> tuple[str, str, str]:
    """A template's instructions, its source, and its questions verbatim."""
    if not name:
        return "Read the item, then answer the questions.\n", "", ""
    text = (TEMPLATES / f"{name}.toml").read_text(encoding="utf-8")
    intro = text.split('instructions = """\n', 1)[1].split('"""', 1)[0]
    found = re.search(r'(?m)^source = "(.*)"$', text)
    return intro, found[1] if found else "", text[text.index("[[question]]") :]


@dataclass(frozen=True)
class Asked:
    """A kind of question in ``words``, and an example to start with: its ``text``, and the other
    fields it ``holds``.
    """

    words: str
    text: str
    holds: Mapping[str, Any] = field(default_factory=dict)


ASKED: Mapping[str, Asked] = {
    kind: Asked(**one)
    for kind, one in tomllib.loads(
        Path(__file__).with_name("asked.toml").read_text(encoding="utf-8")
    ).items()
}
"""Every kind of question offered by the editor."""


def new_question_fields(kind: str, name: str, *, together: bool = False) -> dict[str, Any]:
    """The fields of a new question with the id ``name``, still to be worded; ``together``: answers
    are shown side by side, each with its own text.
    """
    one = ASKED[kind]
    needed = {} if kind.endswith("text") or kind == SPANS else {"required": True}
    each = {"per": "arm"} if together and kind in (REWRITE, SPANS) else {}
    return {"id": name, "kind": kind, "text": one.text, **one.holds, **needed, **each}


def toml_text_of_new_question(kind: str, number: int, *, together: bool = False) -> str:
    """The lines of a new question, still to be worded."""
    return add_part_to_toml(
        "", "question", new_question_fields(kind, f"question_{number}", together=together)
    )


def make_toml_text_of_codes_question(codes: Mapping[str, str], column: str, *, marked: bool) -> str:
    """The lines of a question whose answers are these codes, given with their meanings: labels for
    passages ``marked`` in a column, or options to tick.
    """
    lines = ["[[question]]", 'id = "codes"']
    # Exports separate ticked options by semicolons.
    names = {name.replace(";", ","): means for name, means in codes.items()}
    if marked:
        ids: dict[str, str] = {}
        for name in names:
            base, number = make_id_from_name(name).removeprefix("study_") or "code", 2
            base = base if base[:1].isalpha() else f"code_{base}".rstrip("_")
            one = base
            while one in ids:
                one, number = f"{base}_{number}", number + 1
            ids[one] = name
        lines += [
            f'kind = "{SPANS}"',
            'text = "Mark every passage that one of these codes fits."',
            f"column = {text_as_toml_value(column)}",
            "labels = [",
            *(
                f"  {table_on_one_toml_line({'id': one, 'name': name, 'means': names[name]})},"
                for one, name in ids.items()
            ),
            "]",
        ]
        return "\n".join(lines) + "\n"
    means = "\n".join(f"{name}: {said}" for name, said in names.items() if said)
    lines += ['kind = "multiple"', 'text = "Which of these codes does it have?"']
    lines += [f"help = {text_as_toml_value(means)}"] if means else []
    lines += ["options = [", *(f"  {text_as_toml_value(name)}," for name in names), "]"]
    return "\n".join(lines) + "\n"


def study_file_text_with_model_written_column(
    text: str, declared: StudyDeclaration, models: Sequence[str]
) -> str:
    """A study's file with a column that models of the settings write, each an arm shown by itself,
    and a pane that shows it; the prompt is still to be worded.
    """
    panes = sorted(declared.initial_panes, key=lambda one: one.kind not in _READ)
    shown = [name for pane in panes for name in pane.columns]
    name = next(one for one in _WRITTEN if one not in {each.name for each in declared.columns})
    several = models[:MOST_TOGETHER] if len(models) > 1 else []
    lines = [
        "",
        "# Models write this column: on the Runs page, Let models write the answers.",
        "[[column]]",
        f"name = {text_as_toml_value(name)}",
        'means = "the answer, which a model writes"',
        "by_arm = true" if several else f"model = {text_as_toml_value(models[0])}",
        'prompt = """',
        "Answer as well as you can.",
        "",
        *(f"{{{one}}}" for one in shown[:1]),
        '"""',
        "",
        "[[pane]]",
        'title = "Answer"',
        'kind = "markdown"',
        f"column = {text_as_toml_value(name)}",
    ]
    for one in several:
        called = re.sub(r"[,;:/]", " ", one)
        lines += ["", "[[arm]]", f"name = {text_as_toml_value(called)}"]
        lines += [f"model = {text_as_toml_value(one)}"] if called != one else []
    if several:
        # This belongs to the whole file, so it must come before the first table.
        text = re.sub(r"(?m)^\[\[", 'show_arms = "apart"\n\n[[', text, count=1)
    return text.rstrip() + "\n" + "\n".join(lines) + "\n"


_READ = ("text", "markdown", "dialogue")
_WRITTEN = ("answer", "model_answer", "models_answer", "answer_of_the_model")


def list_question_kinds_to_choose(*, together: bool, source: bool) -> list[str]:
    """The kinds of questions that can be asked; evidence only if a ``source`` is shown."""
    left_out = (*(() if together else OF_ARMS), *(() if source else (EVIDENCE,)))
    return [one for one in KINDS if one not in left_out]


# -- words -----------------------------------------------------------------------------------------


_IN_PLAIN_LETTERS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "oe",
        "å": "aa",
        "ł": "l",
    }
)


def make_id_from_name(words: str) -> str:
    """An id made from a name."""
    spelt = unicodedata.normalize("NFC", words).casefold().translate(_IN_PLAIN_LETTERS)
    letters = unicodedata.normalize("NFKD", spelt)
    plain = "".join(one for one in letters if not unicodedata.combining(one))
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    name = name if name[:1].isalpha() else f"study_{name}"
    return name[:LONGEST_ID].rstrip("_")


_SHORTEST_WORD, _SHORTEST_ALONE = 4, 6
"""The fewest letters of a word in capitals that is told from an abbreviation, beside others and
alone.
"""


def _without_capitals(word: str, least: int) -> str:
    """A word in capitals in small letters; an abbreviation such as NTPROBNP stays as it is."""
    vowels = sum(letter in "AEIOUYÄÖÜÁÉÍÓÚÀÈ" for letter in word)
    is_word = word.isalpha() and len(word) >= least and 4 * vowels >= len(word)
    return word.lower() if is_word else word


def title_from_name(name: str) -> str:
    """A column's name, such as ``note_text`` or ``LONG_ANSWER``, as words."""
    words = " ".join(name.replace("_", " ").split()) or name.strip()
    if words.isupper():
        least = _SHORTEST_WORD if " " in words else _SHORTEST_ALONE
        words = " ".join(_without_capitals(word, least) for word in words.split())
    return words[:1].upper() + words[1:]


def text_as_toml_value(words: str) -> str:
    """A text as TOML."""
    # A JSON string is also a TOML string.
    return json.dumps(words, ensure_ascii=False)


def table_on_one_toml_line(cells: Mapping[str, Any]) -> str:
    """A table as TOML, on one line."""
    inline = (f"{name} = {json.dumps(cell, ensure_ascii=False)}" for name, cell in cells.items())
    return f"{{ {', '.join(inline)} }}"
