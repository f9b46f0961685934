"""An arm that is called by a common noun is masked and told in all forms of it, where a text says
by one who wrote it, and nowhere else.
"""

from __future__ import annotations

import re

import pytest

from medlens.studies.own.forms_of_words_for_writers import (
    is_form_of_word_for_writer,
    list_roots_of_word_for_writer,
    regex_for_forms_of_word_for_writer,
)
from medlens.studies.own.model_name_masking import BAR, mask_names_in_text
from medlens.studies.own.study_proposal import propose_study

TELLING = [
    ("Arzt", "Antwort des Arztes:\nRuhen Sie sich aus."),
    ("Arzt", "Die Antwort des Arztes: Ruhen Sie sich aus."),
    ("Arzt", "Stellungnahme des Arztes:\nBitte trinken."),
    ("Arzt", "Mit freundlichen Grüßen\nIhre Ärztin"),
    ("Arzt", "Als Ärztin rate ich Ihnen zu Ruhe."),
    ("Arzt", "Ich bin Ärztin und rate zu Ruhe."),
    ("Arzt", "Als Ärzte raten wir zur Impfung."),
    ("Ärztin", "Ich als Arzt empfehle Ruhe."),
    ("Arzt", "Antwort der Ärztin:\nTrinken Sie viel."),
    ("Arzt", "Ärztliche Antwort:\nTrinken Sie viel."),
    ("Arzt", "Geschrieben von einer Ärztin."),
    ("Arzt", "Verfasst von Ihrem Arzt"),
    ("Arzt", "Viele Grüße, Ihr Hausarzt"),
    ("Hausarzt", "Antwort des Hausarztes:\nJa."),
    ("Kliniker", "Antwort des Klinikers:\nJa."),
    ("Experte", "Antwort des Experten:\nJa."),
    ("Pfleger", "Antwort des Pflegers:\nJa."),
    ("médico", "Respuesta del médico:\nDescanse."),
    ("médico", "respuesta del médico: descanse y beba agua."),
    ("médico", "Respuesta de la médica:\nDescanse."),
    ("médico", "Como médica, le recomiendo reposo."),
    ("médico", "Soy médica y le recomiendo reposo."),
    ("médico", "Un saludo,\nsu médica"),
    ("médico", "Respuesta de los médicos:\nDescanse."),
    ("doctor", "Atentamente,\nla doctora"),
    ("doctor", "Respuesta de la doctora:\nDescanse."),
    ("enfermera", "Como enfermero, le sugiero reposo."),
    ("médico", "Escrito por el médico"),
    ("médico", "Escrito por una médica."),
    ("especialista", "Respuesta de los especialistas:\nDescanse."),
    ("médecin", "Réponse du médecin :\nReposez-vous."),
    ("médecin", "Réponse des médecins :\nReposez-vous."),
    ("médecin", "Réponse du médecin: reposez-vous."),
    ("médecin", "En tant que médecin, je vous conseille du repos."),
    ("médecin", "Cordialement,\nvotre médecin"),
    ("infirmier", "Réponse de l'infirmière :\nReposez-vous."),
    ("infirmier", "En tant qu'infirmière, je vous conseille du repos."),
    ("médecin", "Rédigé par le médecin"),
    ("médecin", "Avis du médecin :\nRepos."),
    ("docteur", "Cordialement,\nvotre docteure"),
    ("medico", "Risposta del medico:\nRiposi."),
    ("medico", "Risposta dei medici:\nRiposi."),
    ("medico", "Come medici, le consigliamo riposo."),
    ("medico", "Cordiali saluti,\nil suo medico"),
    ("dottore", "Risposta della dottoressa:\nRiposi."),
    ("infermiere", "Come infermiera, le consiglio riposo."),
    ("medico", "Scritto dal medico"),
    ("médico", "Resposta do médico:\nDescanse."),
    ("médico", "Resposta da médica:\nDescanse."),
    ("médico", "Como médica, recomendo repouso."),
    ("médico", "Atenciosamente,\nsua médica"),
    ("médico", "Escrito pelo médico"),
    ("enfermeiro", "Resposta da enfermeira:\nDescanse."),
    ("Arzt", "Kommentar der Hausärztin:\nRuhe."),
    ("Arzt", "Ihre Ärzte\nDr. A und Dr. B"),
    ("Arzt", "Herzliche Grüße\nIhre Hausärztin"),
    ("Arzt", "Ich bin Ihre Ärztin und rate zu Ruhe."),
    ("Facharzt", "Antwort der Fachärztin:\nRuhe."),
    ("Experte", "Als Expertin rate ich zu Ruhe."),
    ("Mediziner", "Als Medizinerin empfehle ich Ruhe."),
    ("médico", "Somos médicos y recomendamos reposo."),
    ("doctor", "Saludos, su doctora"),
    ("médico", "Opinión: como médica, esperaría."),
    ("médico", "Consejo de la médica:\nBeba agua."),
    ("especialista", "Saludos,\nlos especialistas"),
    ("médecin", "Signé par le médecin"),
    ("infirmière", "En tant qu'infirmier, je vous dis de boire."),
    ("médecin", "Conseil du médecin : buvez."),
    ("docteur", "Réponse de la docteure :\nBuvez."),
    ("medico", "Sono un medico e le consiglio riposo."),
    ("dottore", "Distinti saluti,\nla dottoressa"),
    ("medico", "Parere del medico:\nRiposi."),
    ("infermiere", "Risposta dell'infermiera:\nRiposi."),
    ("médico", "Sou médica e recomendo repouso."),
    ("doutor", "Abraços,\na doutora"),
    ("médico", "Parecer do médico:\nRepouso."),
    ("enfermeiro", "Escrito pela enfermeira"),
    ("nurse", "As nurses, we advise rest."),
    ("doctor", "Answer by the doctors:\nRest."),
]
"""The word that is masked, and a text that says by a form of it who wrote it."""
HARMLESS = [
    ("Arzt", "Bitte fragen Sie Ihren Arzt."),
    ("Arzt", "Fragen Sie die Ärztin, wenn es schlimmer wird."),
    ("Arzt", "Suchen Sie eines Arztes Rat."),
    ("Arzt", "Nach Rücksprache mit Ihrer Ärztin können Sie das absetzen."),
    ("Arzt", "Die Praxis des Arztes ist geschlossen."),
    ("Arzt", "Gehen Sie zu einem Facharzt."),
    ("Arzt", "Die Anweisungen des Arztes sollten Sie befolgen."),
    ("Arzt", "Ärzte raten davon ab."),
    ("Arzt", "Warten Sie die Antwort des Arztes ab."),
    ("Arzt", "Wenn die Antwort Ihrer Ärztin ausbleibt, rufen Sie an."),
    ("Arzt", "Auf Rat eines Arztes nahm sie es ein."),
    ("Arzt", "Als Ärzte ihn untersuchten, fanden sie nichts."),
    ("Ärztin", "Sprechen Sie mit einem Arzt."),
    ("Hausarzt", "Lassen Sie sich vom Hausarzt überweisen."),
    ("Hausarzt", "Ein Brief des Hausarztes liegt vor."),
    ("Experte", "Laut Experten ist das harmlos."),
    ("Pfleger", "Der Rat des Pflegers war gut."),
    ("Arzt", "Rufen Sie Ihren Arzt an: 112 nur im Notfall."),
    ("Arzt", "Ärztliche Hilfe ist nötig."),
    ("Arzt", "Ärztliche Antworten dauern oft lang."),
    ("médico", "Consulte a su médico."),
    ("médico", "Pregunte a su médica si empeora."),
    ("médico", "Los médicos recomiendan reposo."),
    ("médico", "Espere la respuesta del médico."),
    ("médico", "Siga las indicaciones del médico."),
    ("médico", "La historia médica es importante."),
    ("médico", "Necesita atención médica."),
    ("médico", "Si la respuesta de la médica tarda, llame."),
    ("doctor", "Hable con la doctora mañana."),
    ("doctor", "Los doctores no lo aconsejan."),
    ("enfermera", "Pida ayuda a un enfermero."),
    ("médico", "Tratamiento médico: reposo."),
    ("médico", "Informe médico: normal."),
    ("médecin", "Demandez à votre médecin."),
    ("médecin", "Parlez-en à vos médecins."),
    ("médecin", "Attendez la réponse du médecin."),
    ("médecin", "Suivez l'avis du médecin."),
    ("médecin", "Le médecin vous examinera."),
    ("infirmier", "Une infirmière passera demain."),
    ("docteur", "Le docteur a prescrit cela."),
    ("médecin", "Les médecins conseillent le repos."),
    ("medico", "Chieda al suo medico."),
    ("medico", "I medici consigliano riposo."),
    ("medico", "Aspetti la risposta del medico."),
    ("medico", "Segua il parere dei medici."),
    ("medico", "Il controllo medico è utile."),
    ("dottore", "Ne parli con la dottoressa."),
    ("infermiere", "Chieda a un'infermiera."),
    ("médico", "Fale com o seu médico."),
    ("médico", "Os médicos recomendam repouso."),
    ("médico", "Aguarde a resposta do médico."),
    ("médico", "Procure atendimento médico."),
    ("médico", "Siga a orientação da médica."),
    ("enfermeiro", "Peça ajuda à enfermeira."),
    ("médico", "Como su médico le dijo, descanse."),
    ("médico", "Como los médicos saben, es frecuente."),
    ("medico", "Come i medici sanno, è frequente."),
    ("medico", "Come il suo medico le ha detto, riposi."),
    ("Arzt", "Als der Arzt kam, ging es ihr besser."),
    ("Arzt", "Als ihre Ärztin anrief, war sie fort."),
    ("médico", "Como a médica explicou, descanse."),
    ("médico", "Como o médico disse, descanse."),
    ("doctor", "Como el doctor indicó, repose."),
    ("Arzt", "Mehr als der Arzt weiß niemand."),
    ("médecin", "Je suis allé chez le médecin."),
    ("medico", "Sono i medici a decidere."),
    ("Arzt", "Ich bin beim Arzt gewesen."),
    ("Arzt", "Ich bin zur Ärztin gegangen."),
    ("médico", "Soy paciente del médico de familia."),
    ("médico", "Estou com a médica."),
    ("médecin", "La réponse du médecin était claire."),
    ("médico", "La respuesta del médico fue clara."),
    ("medico", "La risposta del medico era chiara."),
    ("Arzt", "Die Antwort des Arztes war klar."),
    ("médico", "A resposta da médica foi clara."),
    ("Arzt", "Ihre Ärztin sollte das prüfen."),
    ("Arzt", "Hier ist Ihr Arzt gefragt."),
    ("médecin", "Votre médecin vous conseillera."),
    ("Mensch", "Viele Menschen haben das."),
    ("human", "Los humanos necesitan dormir."),
    ("Experte", "Als Expertenmeinung gilt das nicht."),
    ("nurse", "The nurses will call you."),
    ("doctor", "Doctors advise rest."),
    ("doctor", "Ask the doctors on the ward."),
    ("médico", "Dr. García: médico de guardia 24 h."),
    ("infirmier", "Demandez à l'infirmière."),
    ("dottore", "Buongiorno dottoressa, ho la tosse."),
    ("doctor", "Buenos días, doctora, tengo tos."),
    ("médecin", "Bonjour docteur, j'ai mal."),
    ("Arzt", "Guten Tag Frau Ärztin, ich habe Husten."),
    ("médico", "El médico o la médica le verá."),
    ("especialista", "Acuda a los especialistas."),
]


@pytest.mark.parametrize(("word", "text"), TELLING)
def test_a_form_of_the_word_is_masked_where_it_says_who_wrote_a_text(word: str, text: str) -> None:
    masked = mask_names_in_text(text, [word])
    assert masked.count(BAR) == 1
    # Only the word goes.
    before, after = masked.split(BAR)
    assert text.startswith(before)
    assert text.endswith(after)
    gone = text[len(before) : len(text) - len(after)]
    assert re.fullmatch(r"\w+", gone)
    assert gone.casefold() == word.casefold() or is_form_of_word_for_writer(gone, word)


@pytest.mark.parametrize(("word", "text"), HARMLESS)
def test_a_form_of_the_word_stays_in_an_ordinary_sentence(word: str, text: str) -> None:
    assert mask_names_in_text(text, [word]) == text


@pytest.mark.parametrize(
    ("word", "form", "other"),
    [
        ("Arzt", "Arztes", "Arztbrief"),
        ("Arzt", "Hausärztin", "Ärztekammer"),
        ("médico", "médicas", "medicina"),
        ("medico", "medici", "medicina"),
        ("médecin", "médecins", "médecine"),
        ("doctor", "doctora", "doctorado"),
        ("infirmier", "infirmière", "infirmerie"),
        ("nurse", "nurses", "nursery"),
    ],
)
def test_forms_are_those_of_the_word_and_share_a_root(word: str, form: str, other: str) -> None:
    assert is_form_of_word_for_writer(form, word)
    assert not is_form_of_word_for_writer(other, word)
    assert any(root in form.casefold() for root in list_roots_of_word_for_writer(word))


def test_a_word_without_known_forms_stays_as_it_is() -> None:
    assert regex_for_forms_of_word_for_writer("orvos") == ""
    assert list_roots_of_word_for_writer("orvos") == []
    assert mask_names_in_text("Orvos: pihenjen.", ["orvos"]) == f"{BAR}: pihenjen."


@pytest.mark.parametrize(
    ("arm", "says", "stays"),
    [
        ("Arzt", "Antwort der Ärztin:\nRuhen Sie aus", "Fragen Sie die Ärztin, und ruhen Sie aus"),
        ("médico", "Como médica, aconsejo reposo", "Consulte a la médica, y haga reposo"),
        ("médecin", "Réponse des médecins :\nReposez-vous", "Demandez aux médecins, et reposez"),
    ],
)
def test_a_form_is_told_where_it_says_who_wrote_an_answer(arm: str, says: str, stays: str) -> None:
    def told(words: str) -> list[str]:
        rows = [
            {"id": f"p{at}", "model": who, "question": f"What helps against cough {at} of a week?"}
            | {"answer": f"{words if who == arm else 'Rest'} for {at} days, and drink enough."}
            for at in range(1, 4)
            for who in (arm, "GPT-4o")
        ]
        return [one.name for one in propose_study(rows, title="T").looked.telling]

    assert told(says) == [arm]
    assert told(stays) == []
