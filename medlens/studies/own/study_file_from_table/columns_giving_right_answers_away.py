"""Columns that say what is right, why, or what somebody thought of an answer, and options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.studies.own.columns_outside_the_case import (
    heading_as_plain_lower_case_words,
    is_headed_as_answer,
)
from medlens.studies.own.detect_model_answer_columns import NAMED_MODEL
from medlens.studies.own.imported_preferences import is_headed_as_preference
from medlens.studies.own.missing_cells_totals_and_nested_cells import is_cell_missing
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    SHOWN_ROLES,
    Guess,
    Role,
    are_cells_lists_of_numbers,
    cell_as_plain_text,
    parse_rows_or_turns_of_cell,
)

# Of names without accents, in words (``heading_as_plain_lower_case_words``): English, German,
# Spanish and French.
HEADING_OF_WHAT_IS_RIGHT = compile_later(
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
    r"|\w*參考\w*|referans\w*|\w*参照(?:回答|解答|答案|訳|要約|診断|標準)\w*"
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
"""Headings, in words, of what is right."""
_KEYS_AS_WRITTEN = compile_later(
    r"(?i)सही|সঠিক|சரியான|ถูกต้อง|đáp án|נכונה|σωστ|پاسخ صحیح|jawaban benar|kunci jawaban"
    r"|(?:기준|참조|참고) ?(?:답변|답안)"
)
"""The same in languages whose vowels are signs on a letter."""
HEADING_OF_EXPLANATION = compile_later(
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
"""Headings, in words, of why something is right."""
_A_REASON = compile_later(r"reasons?|grund|grunde|gruende|motiv[oi]s?|motifs?|raisons?|reden(en)?")
"""Why a patient came, if it stands before the answers; why something is right, behind them."""
HEADING_OF_VERDICT = compile_later(
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


def list_reason_columns_before_answers(names: Sequence[str]) -> list[str]:
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
        and not (at and gives_right_answer_away(names[at - 1], "record", by_arm=False))
    ]


HEADING_OF_PREDICTION = compile_later(
    r"(pred|predictions?|predicted|generated|vorhersage|prediction|prediccion)"
    r"( (answers?|response|text|output))?"
    r"|((the )?(models?|llm|ai|ki|ia|system|sys|bot|chatbot|modell|modelo|modele|predicted"
    r"|generated|candidate) )(s )?(answers?|responses?|reply|outputs?|predictions?|text|summary"
    r"|antwort|ausgabe|zusammenfassung|respuesta|reponse)"
    r"|(respuesta|salida) (del modelo|de la ia)|(reponse|sortie) (du modele|de l ia)"
    r"|(antwort|ausgabe) (des modells|der ki)|hypothesis|hypotheses|system output"
)
"""Headings, in words, of what a model said, as programs that measure models call it."""
HEADING_OF_PLAIN_ANSWER = compile_later(
    r"(the )?((long|short|full|true|original|actual|final|human) )?(answers?|solutions?|responses?"
    r"|summary|antwort(en)?|losung|loesung|zusammenfassung|respuestas?|reponses?|rispost[ae]"
    r"|respostas?|antwoord(en)?)|(long|short|final) ?(answers?|decision)"
)
"""Headings, in words, in whole, of an answer of which nothing says who gave it."""


def list_reference_columns_beside_predictions(names: Sequence[str]) -> list[str]:
    """The headings of plain answers in a table that has a model's beside them."""
    words = {name: heading_as_plain_lower_case_words(name) for name in names}
    said = [name for name in names if HEADING_OF_PREDICTION.fullmatch(words[name])]
    return [
        name
        for name in names
        if said and name not in said and HEADING_OF_PLAIN_ANSWER.fullmatch(words[name])
    ]


HEADING_OF_CRITERIA = compile_later(
    r"\b(rubrics?|criteri(a|on)|kriterien|criteres?|criterios?|criteri|bewertungskriterien)\b"
)
"""Headings, in words, of criteria that an answer is judged by."""
HEADING_OF_COMMENT = compile_later(
    r"\b(remarks?|comments?|kommentar\w*|anmerkung\w*|commento|commenti|comentarios?"
    r"|commentaires?|remarques?|opmerking(en)?|toelichting)\b"
)
"""Headings, in words, of comments, on a case or on an answer."""
_WHO_COMMENTS = compile_later(
    r"\b(ai|ki|ia|llm|chat ?bot|bot|(language )?model|modell|modelo|modele|modello|maschine|machine"
    r"|generated|generiert|gpt\d*)\b"
)
HEADING_OF_A_JUDGE = compile_later(
    r"\b(judges?|grad(e|ers?|ing)|evaluat\w*|review\w*|rat(ers?|ings?)|scores?|on|zur|zu|zum"
    r"|about|sur|sobre|bewert\w*|eval|annotat\w*|critique|critic)\b"
)
"""Words of a heading that say that somebody judged an answer."""


def is_machine_comment_heading(name: str) -> bool:
    """Whether a heading is of a comment that a machine wrote on a case ("KI-Kommentar"), which is
    what is judged where no answer is there.
    """
    words = heading_as_plain_lower_case_words(name)
    if (
        not HEADING_OF_COMMENT.search(words)
        or HEADING_OF_A_JUDGE.search(words)
        or HEADING_OF_WHAT_IS_RIGHT.search(words)
    ):
        return False
    return bool(_WHO_COMMENTS.search(words) or NAMED_MODEL.search(name.replace("_", " ")))


_OF_RATERS = compile_later(
    r"(?i)(?:^|[._ -])(responses?|ratings?|scores?|votes?|annotations?|annotators?|suggestions?"
    r"|judg(?:e?ments?)|grades?)$"
)
_OF_A_GRADER = frozenset(["score", "passed", "pass", "verdict", "grade", "correct"])
_BESIDE_RATINGS = (".users", ".user", ".status", ".suggestion", ".suggestion.score")
"""What Argilla writes of each question beside its ``.responses``."""


def are_cells_lists_of_grades(values: Sequence[Any]) -> bool:
    """Whether cells are lists of what graders thought: objects with a score or whether the answer
    passed, and no more than their own names and reasons.
    """
    listed = [parse_rows_or_turns_of_cell(value) for value in values if not is_cell_missing(value)]
    return bool(listed) and all(
        found
        and all(isinstance(one, dict) and _OF_A_GRADER & {*map(str.casefold, one)} for one in found)
        for found in listed
    )


def holds_ratings_of_several(name: str, cells: Mapping[str, list[Any]]) -> bool:
    """Whether a column holds what several people or models thought of an item: a list of numbers
    under such a heading, or one of the columns that Argilla keeps of a question.
    """
    if not _OF_RATERS.search(name):
        return False
    question = re.sub(r"(?i)\.(responses?|suggestion)$", "", name)
    beside = (f"{one}{end}" for one in {name, question} for end in _BESIDE_RATINGS)
    return are_cells_lists_of_numbers(cells[name]) or any(
        one in cells for one in beside if one != name
    )


_OPTION = compile_later(r"(?i)(?:^|\.)((options?|choices?)[._ ]?\w{1,2}|op[a-e])$")
_KEY = compile_later(r"answers?|ans|label|target|cop|correct|key|gold|antwort|respuesta|reponse")
"""Headings, in words, of a column that says which of several options is right, by its number."""


def is_column_of_option_numbers(
    name: str, cells: Mapping[str, list[Any]], options: Sequence[str]
) -> bool:
    """Whether each cell of a column is the number or letter of an option of its row, which stand in
    a list or in columns of their own.
    """
    if (
        not _KEY.fullmatch(heading_as_plain_lower_case_words(name.rpartition(".")[2]))
        or name in options
    ):
        return False
    filled = [
        (at, text) for at, cell in enumerate(cells[name]) if (text := cell_as_plain_text(cell))
    ]
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


def list_option_columns(cells: Mapping[str, list[Any]]) -> list[str]:
    """The columns that hold one option to choose from each: ``options.A``, ``option_b``, ``A``."""
    found = [name for name in cells if _OPTION.search(name)]
    return found if len(found) > 1 else []


def has_options_to_choose_from(names: Iterable[str]) -> bool:
    """Whether a table asks questions with options to choose from."""
    names = list(names)
    listed = any(
        heading_as_plain_lower_case_words(name).split()[-1:] in (["options"], ["choices"])
        for name in names
    )
    return listed or bool(list_option_columns({name: [] for name in names}))


def list_columns_headed_by_letter(columns: Sequence[Guess]) -> list[str]:
    """The columns that are headed by a letter alone, from A on."""
    letters = [one.name for one in columns if re.fullmatch(r"[A-Ha-h][.)]?", one.name.strip())]
    return letters if len(letters) > 1 and letters[0].strip()[0] in "Aa" else []


def is_column_repeating_options(
    name: str, cells: Mapping[str, list[Any]], options: Sequence[str]
) -> bool:
    """Whether each cell of a column repeats an option of its row, or names one: the right one."""
    if name in options or not options or not any(cells[name]):
        return False
    if HEADING_OF_PREDICTION.fullmatch(heading_as_plain_lower_case_words(name)):
        return False
    if heading_as_plain_lower_case_words(name) in ("exp", "expl"):
        return True
    letters = {re.split(r"[._ ]", option)[-1].casefold().removeprefix("op") for option in options}
    for at, cell in enumerate(map(cell_as_plain_text, cells[name])):
        here = {cell_as_plain_text(cells[option][at]).casefold() for option in options}
        if cell and cell.casefold() not in here | letters:
            return False
    return True


def list_hidden_columns_of_correct_answers(columns: Sequence[Guess]) -> list[str]:
    """The columns that are not shown and whose names say that they hold what is right."""
    of_sets = list_headings_of_answers_in_question_sets([one.name for one in columns])
    in_rows = any(one.role == "arm" for one in columns)
    return [
        one.name
        for one in columns
        if one.role in ("group", "hidden")
        and (
            gives_right_answer_away(one.name, "record", by_arm=one.by_arm)
            or one.name in of_sets
            or (in_rows and not one.by_arm and is_expert_answer_heading(one.name))
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
    r"^(please )?(rate|score|grade|judge|assess|evaluate|rank)\b"
    r"|^(how (accurate|helpful|safe|good|well (does|did|is|was)|correct"
    r"|useful|complete|likely|confident|satisfied"
    r"|appropriate|relevant|clear|empath\w+|trustworthy|understandable|readable|realistic|harmful"
    r"|dangerous|reliable|comprehensive|(would|do) you (rate|judge|grade|score)"
    r"|(much|strongly) do you (agree|trust|like))|(to what extent|how far) (is|are|do|does|did)"
    r"|(bitte )?(bewerten|beurteilen|benoten|schatzen) sie"
    r"|wie (gut|hilfreich|korrekt|sicher|genau|nutzlich|verstandlich|angemessen|vollstandig"
    r"|zufrieden|empathisch|gefahrlich|richtig|plausibel|(bewerten|beurteilen|schatzen) sie"
    r"|(sehr )?stimmen sie)|in ?wie ?(weit|fern) (ist|sind|stimmen)"
    r"|(por favor )?(evalue|califique|puntue|valore)\b"
    r"|(que tan|cuan) (exact|segur|util|correct|buen|clar|complet|apropiad)\w*"
    r"|como (evalua|valora|calific|puntua)\w*"
    r"|(veuillez )?(evaluer|evaluez|notez|noter|jugez)\b"
    r"|comment (evalu|juge|note)\w*|dans quelle mesure"
    r"|(per favore )?(valuti|valuta|giudichi)\b|(por favor )?(avalie|classifique|pontue)\b"
    r"|quanto (e|sono|era|ritiene|considera) (\w+ ){0,2}(accurat|util|sicur|corrett|chiar|complet"
    r"|appropriat)\w*|quanto concorda\b|come (valut|giudic)\w*"
    r"|quao\b|como (avalia|classifica|pontua)\w*"
    r"|beoordeel\b|hoe (goed|nuttig|veilig|juist|volledig|duidelijk|betrouwbaar|beoordeelt)"
    r"|in hoeverre\b|bedom\b|vurder\b|hur (bra|saker|korrekt|anvandbar|bedomer)\w*"
    r"|hvor (god|godt|sikker|korrekt|nyttig|enig)\w*|kuinka (hyva|turvallinen|oikea)\w*"
    r"|jak (dobr|bezpieczn|trafn|poprawn|ocenia)\w*"
    r"|ne kadar (dogru|guvenli|yararli|iyi|uygun)\w*"
    r"|насколько (точ[не]|безопас|поле[зн]|хорош|прав)\w*|как (вы )?оценива\w*)"
    r"|どの程度(正確|安全|有用|役)|評価してください|评分|评价如何|如何评价"
    r"|얼마나 (정확|안전|유용|도움)"
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


def is_expert_answer_heading(heading: str) -> bool:
    """Whether a heading is of what a person answered, in whole."""
    return bool(_ANSWER_OF_AN_EXPERT.fullmatch(heading_as_plain_lower_case_words(heading)))


_END_OF_SENTENCE = compile_later(r"[.?!:;·|–—]\s+|\n|\s[-·|]\s")
_NUMBER_OF_A_QUESTION = compile_later(
    r"^((q|f|v|item|var|frage|question|pregunta|domanda|vraag|fraga) ?\d+ ?[a-z]?(?= )"
    r"|g\d+ ?q\d+\w*"
    r"|(q|f)?\d+( \d+)*[a-z]?) "
)


def _asks_for_a_rating(heading: str) -> bool:
    """Whether one of a heading's sentences asks what somebody thinks of an item, also behind the
    number of the question or behind what it is about.
    """
    sentences = map(heading_as_plain_lower_case_words, _END_OF_SENTENCE.split(heading))
    return any(
        _ASKS_FOR_A_RATING.search(_NUMBER_OF_A_QUESTION.sub("", words)) for words in sentences
    )


def gives_right_answer_away(name: str, role: Role, *, by_arm: bool) -> bool:
    """Whether a column that would be shown is named like a reference answer, or like what explains
    or scores one. A text that each arm has of its own is part of the answer that is judged.
    """
    if role not in SHOWN_ROLES:
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
    explains = (
        HEADING_OF_EXPLANATION.search(words)
        and not of_an_output
        and (role == "record" or not by_arm)
    )
    words = _A_CLINICAL_SCORE.sub(" ", _A_LABORATORY_RANGE.sub(" ", words))
    if _VERDICT_ALONE.fullmatch(words) or (_OPINIONS.search(words) and not by_arm):
        return True
    return bool(
        HEADING_OF_WHAT_IS_RIGHT.search(words)
        or _KEYS_AS_WRITTEN.search(name)
        or HEADING_OF_VERDICT.search(words)
        or explains
        or (role == "record" and _asks_for_a_rating(name))
        or (role == "record" and is_headed_as_preference(words) and is_headed_as_answer(words))
    )
