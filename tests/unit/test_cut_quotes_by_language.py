"""Quotes that are cut in seven languages: told where they then say something else."""

from __future__ import annotations

import pytest

from medlens.web.meaning_changing_words_beside_quotes import words_cut_off_before_and_behind
from medlens.web.meaning_changing_words_beyond_english import language_of_sentence
from medlens.web.quote_search import QuotableText
from tests import (
    cut_quotes_in_many_wordings,
    cut_quotes_in_romance_and_dutch,
    cut_quotes_in_three_languages,
)
from tests.cut_quotes import cases

SETS = {
    name: lines
    for samples in (
        cut_quotes_in_three_languages,
        cut_quotes_in_romance_and_dutch,
        cut_quotes_in_many_wordings,
    )
    for name, lines in vars(samples).items()
    if name.isupper() and not name.startswith("MIDDLE")
}


def flagged_quotes(lines: str) -> tuple[list[str], list[str]]:
    """The quotes of a set that count as cut short, and the others."""
    flagged: list[str] = []
    others: list[str] = []
    for page, quote, front, behind in cases(lines):
        is_cut = QuotableText(page).look_up_quote(quote).how == "cut_short"
        (flagged if is_cut else others).append(f"{front} | {quote} | {behind}")
    return flagged, others


@pytest.mark.first_quick
@pytest.mark.parametrize("name", [name for name in SETS if "CHANGED" in name])
def test_a_cut_that_changes_the_meaning_is_told(name: str) -> None:
    flagged, missed = flagged_quotes(SETS[name])
    assert len(missed) <= 0.1 * len(flagged + missed), missed


@pytest.mark.first_quick
@pytest.mark.parametrize("name", [name for name in SETS if "SAME" in name])
def test_a_cut_that_leaves_the_meaning_is_no_cut(name: str) -> None:
    flagged, others = flagged_quotes(SETS[name])
    assert len(flagged) <= 0.02 * len(flagged + others), flagged


@pytest.mark.parametrize(
    "front",
    [
        "In 1967, ",
        "In 1967 ",
        "By 2005 ",
        "In March 2020, ",
        "In 2021, researchers found that ",
        "In 2018 the agency ruled that ",
        "In 2009, a panel of experts said that ",
        "Between 2001 and 2010, ",
        "In 2022, for the first time, ",
        "Im Jahr 1967 ",
        "En 1967, ",
    ],
)
def test_a_year_in_front_of_a_quote_limits_nothing(front: str) -> None:
    for sentence in ("smallpox was declared eradicated", "the drug reduced deaths from malaria"):
        assert (
            QuotableText(f"The ward opened. {front}{sentence}.").look_up_quote(sentence).how
            == "exact"
        )


@pytest.mark.parametrize(
    ("front", "quote", "behind"),
    [
        # Taken back by what follows.
        ("", "Fasten heilt Rheuma", ", was später widerlegt wurde"),
        ("", "Le jeûne guérit le rhumatisme", ", une idée réfutée depuis"),
        # Turned by a second statement.
        ("", "Die Schmerzen ließen nach", ", doch nicht in der zweiten Gruppe"),
        ("", "La douleur a diminué", ", mais pas dans le second groupe"),
        # Counted, or doubted, in front.
        ("Ein Drittel der ", "Kranken erholte sich vollständig", ""),
        ("Un tiers des ", "malades a guéri", ""),
        ("Es ist umstritten, ob ", "die Vorsorge Leben rettet", ""),
        ("On se demande si ", "le dépistage sauve des vies", ""),
        # How much and how often.
        ("", "Die Kur dauert 3", " Wochen"),
        ("", "La cure dure 3", " semaines"),
        ("", "Trinken Sie 200 ml", " stündlich"),
        ("", "Buvez 200 ml", " toutes les heures"),
        # What forbids.
        ("Der Arzt rät davon ab, ", "die Tabletten zu teilen", ""),
        ("Renoncez à ", "fumer avant l'opération", ""),
        # A quote that ends where its sentence cannot.
        ("", "Die Tabletten sollen nicht", " geteilt werden"),
        ("", "Les comprimés ne doivent pas", " être coupés"),
    ],
)
def test_each_kind_of_cut_is_told_in_german_and_french(front: str, quote: str, behind: str) -> None:
    page = QuotableText(f"Mehr oben. {front}{quote}{behind}. Plus bas.")
    assert page.look_up_quote(quote).how == "cut_short"
    assert QuotableText(f"Mehr oben. {quote}. Plus bas.").look_up_quote(quote).how == "exact"


def test_what_was_left_out_of_a_german_or_french_sentence_is_shown() -> None:
    german = QuotableText(
        "Sie dürfen nicht Auto fahren, bis die Anfälle ausbleiben. Mehr dazu unten."
    )
    [quoted, behind] = german.look_up_quote("Sie dürfen nicht Auto fahren").changes
    assert (quoted.where, behind.where) == ("same", "page")
    assert behind.text.strip(" ,") == "bis die Anfälle ausbleiben"
    french = QuotableText("Rien ne prouve que le zinc raccourcit le rhume.")
    [front, quoted] = french.look_up_quote("le zinc raccourcit le rhume").changes
    assert (front.where, front.text.strip()) == ("page", "Rien ne prouve que")


@pytest.mark.parametrize(
    ("front", "quote", "behind"),
    [
        # A number or dose that goes on.
        ("", "La cura dura 3", " settimane"),
        ("", "El tratamiento dura 3", " semanas"),
        ("", "A cura dura 3", " semanas"),
        ("", "De kuur duurt 3", " weken"),
        ("", "Tome 200 ml", " cada hora"),
        ("", "Prenda 200 ml", " ogni ora"),
        ("", "Tome 200 ml", " de 6 em 6 horas"),
        ("", "Neem 200 ml", " om de zes uur"),
        # Taken back, or turned by a second statement.
        ("", "El ayuno cura el reuma", ", una idea refutada después"),
        ("", "Il digiuno cura i reumatismi", ", un'idea poi smentita"),
        ("", "O jejum cura o reumatismo", ", ideia depois desmentida"),
        ("", "Vasten geneest reuma", ", wat later weerlegd werd"),
        ("", "De pijn nam af", ", maar niet in de tweede groep"),
        # Doubted or counted in front.
        ("No está claro si ", "el cribado salva vidas", ""),
        ("Non è chiaro se ", "lo screening salvi vite", ""),
        ("Não está claro se ", "o rastreio salva vidas", ""),
        ("Het is onduidelijk of ", "de screening levens redt", ""),
        ("Un terzo dei ", "malati è guarito del tutto", ""),
        ("Een derde van de ", "zieken genas volledig", ""),
        # A quote that ends where its sentence cannot.
        ("", "Los comprimidos no", " deben partirse"),
        ("", "Le compresse non", " vanno divise"),
        ("", "Os comprimidos não", " devem ser partidos"),
        ("", "De tabletten mogen niet", " worden gebroken"),
    ],
)
def test_each_kind_of_cut_is_told_in_romance_languages_and_dutch(
    front: str, quote: str, behind: str
) -> None:
    page = QuotableText(f"Más arriba. {front}{quote}{behind}. Meer hieronder.")
    assert page.look_up_quote(quote).how == "cut_short"
    assert QuotableText(f"Más arriba. {quote}. Meer hieronder.").look_up_quote(quote).how == "exact"


def test_the_language_of_a_sentence_is_told_by_its_small_words() -> None:
    assert language_of_sentence("The patients should not stop the tablets.") == "en"
    assert language_of_sentence("Die Kranken sollten die Tabletten nicht absetzen.") == "de"
    assert language_of_sentence("Les malades ne doivent pas arrêter les comprimés.") == "fr"
    assert language_of_sentence("Los enfermos no deben dejar las pastillas.") == "es"
    assert language_of_sentence("Tome dos comprimidos si el dolor persiste.") == "es"
    assert language_of_sentence("I malati non devono sospendere le compresse.") == "it"
    assert language_of_sentence("Un paziente su cinque ha abbandonato lo studio.") == "it"
    assert language_of_sentence("Os doentes não devem parar os comprimidos.") == "pt"
    assert language_of_sentence("Tome dois comprimidos se a dor persistir.") == "pt"
    assert language_of_sentence("De patiënten mogen niet met de tabletten stoppen.") == "nl"
    assert language_of_sentence("In Deutschland leben viele Menschen mit Diabetes") == "de"
    assert language_of_sentence("People in a trial died on a ward after a fall") == "en"
    assert language_of_sentence("Sildenafil 25 mg") == "en"
    assert language_of_sentence("Parkinson's disease and Guillain-Barré syndrome are rare") == "en"


@pytest.mark.parametrize(
    ("front", "quote", "behind"),
    [
        ("Less than ", "half of patients adhere to treatment after a year", ""),
        ("More than ", "a third of adults have high blood pressure", ""),
        ("In rural areas, fewer than ", "a quarter of children were vaccinated", ""),
        ("Over ", "half of women had symptoms", ""),
        ("Almost ", "one in five adults smokes", ""),
        ("", "The maximum dose is 4 g in adults", " weighing more than 50 kg"),
        ("", "Fever for five days suggests Kawasaki disease", " when four other criteria are met"),
        ("", "Chest pain indicates infarction", " when troponin is raised"),
        ("", "Warfarin is safe for patients", " able to attend monitoring"),
        ("", "Vaccination reduced deaths by 73%", " between 6 and 12 months of age"),
        ("", "The drug reduced deaths by 73%", " over the last two years of life"),
    ],
)
def test_a_bound_or_a_condition_that_is_left_out_is_told(
    front: str, quote: str, behind: str
) -> None:
    text = f"{front}{quote}{behind}."
    assert words_cut_off_before_and_behind(text, len(front), len(front) + len(quote)) != ("", "")


@pytest.mark.parametrize(
    ("front", "quote", "behind"),
    [
        ("", "Vaccination reduced measles deaths by 73%", " between 2000 and 2018"),
        ("", "Vaccination reduced measles deaths by 73%", " in 2020 in Germany"),
        ("", "Vaccination reduced measles deaths by 73%", " over the last decade"),
        ("", "Vaccination reduced measles deaths by 73%", " during the past 20 years worldwide"),
        ("In the trial, ", "half of women had symptoms", ""),
        ("", "Two nurses interviewed patients", " able to attend the clinic"),
    ],
)
def test_a_period_of_time_or_a_group_that_is_described_limits_nothing(
    front: str, quote: str, behind: str
) -> None:
    text = f"{front}{quote}{behind}."
    assert words_cut_off_before_and_behind(text, len(front), len(front) + len(quote)) == ("", "")


def standing_of_middle(line: str) -> str:
    sentence, quote = line.split("|")
    return (
        QuotableText(f"The ward opened in May. {sentence}\n\nMore below.").look_up_quote(quote).how
    )


@pytest.mark.parametrize("line", cut_quotes_in_many_wordings.MIDDLE_CHANGED.strip().splitlines())
def test_words_left_out_in_the_middle_that_turn_the_sentence_are_told(line: str) -> None:
    assert standing_of_middle(line) in ("cut_short", "alike")


@pytest.mark.parametrize("line", cut_quotes_in_many_wordings.MIDDLE_SAME.strip().splitlines())
def test_an_aside_left_out_in_the_middle_changes_nothing(line: str) -> None:
    assert standing_of_middle(line) == "folded"


def test_a_short_word_before_a_gap_counts_in_its_own_sentence_only() -> None:
    page = QuotableText("Aspirin is old. Clopidogrel, a thienopyridine, prevents clots.")
    assert page.look_up_quote("Clopidogrel … prevents clots.").how == "folded"
    assert page.look_up_quote("Aspirin … prevents clots.").how == "missing"
    assert page.look_up_quote("a … prevents clots").how == "folded"
    assert not page.look_up_quote("rel … prevents clots").does_text_say_the_same


@pytest.mark.parametrize(
    "rest",
    [
        "is a common misconception.",
        "was the hypothesis; in smokers they raised it.",
        "has been an old wives' tale for ages.",
        "is simply untrue.",
    ],
)
def test_a_statement_that_the_rest_of_its_sentence_calls_unproved_is_cut_short(rest: str) -> None:
    quote = "All patients with sinusitis need antibiotics"
    assert QuotableText(f"{quote} {rest}").look_up_quote(quote).how == "cut_short"
    assert QuotableText(f"{quote}. The rest {rest}").look_up_quote(quote).how == "exact"


@pytest.mark.parametrize(
    ("front", "quote"),
    [
        ("False: ", "A child with a fever should be wrapped in warm blankets."),
        ("Myth – ", "A child with a fever should be wrapped in warm blankets."),
        ("Never, under any circumstances, ", "give potassium as a rapid injection"),
        ("Serology was negative for ", "HIV, hepatitis B and hepatitis C"),
        ("All but ", "three of the 120 patients survived the operation"),
    ],
)
def test_what_denies_a_quote_from_in_front_of_a_sign_is_told(front: str, quote: str) -> None:
    assert QuotableText(f"{front}{quote}. More follows.").look_up_quote(quote).how == "cut_short"
    assert QuotableText(f"{quote}. More follows.").look_up_quote(quote).how == "exact"
