"""Pages as the web serves them are read, or the reader is told that there is no article."""

from __future__ import annotations

import asyncio

import pytest

from medlens.config.settings import Web
from medlens.web.content_sniffing import decode_body
from medlens.web.fetched_page_walls import PERHAPS_NO_ARTICLE, classify_as_page_or_wall_and_say_why
from medlens.web.page_fetch import FetchedPage, Fetcher
from tests.near import pages_nearby
from tests.page_quirks import served_below
from tests.pages_in_many_languages import (
    SERVED_CASES,
    SERVED_CASES_LAST,
    SERVED_CASES_LATER,
    ServedCase,
)
from tests.web_server import WebServer

QUICK = [case for case in SERVED_CASES if "brotli" in case.name or "zstd" in case.name]


def fetched_cases(cases: list[ServedCase]) -> list[FetchedPage]:
    with WebServer() as web, pages_nearby():
        for number, case in enumerate(cases):
            for path, served in case.pages.items():
                web.pages[f"/case{number}{path}"] = served_below(f"/case{number}", served)

        async def fetch_all() -> list[FetchedPage]:
            settings = Web(allow_hosts=(web.host,), pause=0, robots=False, most_megabytes=20)
            async with Fetcher(settings) as fetcher:
                addresses = [web.url(f"/case{number}/") for number in range(len(cases))]
                return await asyncio.gather(*map(fetcher.fetch_page, addresses))

        return asyncio.run(fetch_all())


def is_right_or_told(case: ServedCase, page: FetchedPage) -> bool:
    """Whether an article is read, and of anything else it is said that it is or may be none."""
    if case.reads:
        return page.outcome == "ok"
    return page.outcome != "ok" or page.reason == PERHAPS_NO_ARTICLE


def misread_cases(cases: list[ServedCase]) -> dict[str, tuple[str, str, str]]:
    """What was made of each page that is neither read as it should be nor told."""
    return {
        case.name: (page.outcome, page.reason, page.text[:60])
        for case, page in zip(cases, fetched_cases(cases), strict=True)
        if not is_right_or_told(case, page)
        or "".join(case.reads.split()) not in "".join(page.text.split())
    }


def test_pages_packed_with_brotli_or_zstandard_are_read_and_their_bombs_end_at_the_limit() -> None:
    assert len(QUICK) >= 9
    assert misread_cases(QUICK) == {}


SETS = {"first": SERVED_CASES, "later": SERVED_CASES_LATER, "last": SERVED_CASES_LAST}


@pytest.mark.deep
@pytest.mark.parametrize("name", SETS)
def test_a_page_in_any_of_eight_languages_is_read_or_told(name: str) -> None:
    misread = misread_cases(SETS[name])
    assert len(misread) <= 0.02 * len(SETS[name]), misread


@pytest.mark.parametrize(
    ("title", "text", "outcome"),
    [
        ("Leider nicht verfügbar", "Dieser Inhalt ist in Ihrem Land nicht verfügbar.", "blocked"),
        ("Arzneimittel", "Der Wirkstoff ist in Deutschland nicht mehr verfügbar.", "ok"),
        ("Espace", "Ce site est réservé aux professionnels de santé.", "blocked"),
        ("Gicht", "Gicht ist häufig. " * 40 + "Jetzt Newsletter abonnieren.", "ok"),
        ("Gicht", "Gicht ist häufig. Jetzt abonnieren und weiterlesen.", "paywalled"),
        ("Goutte", "La goutte fait mal. " * 40 + "Abonnez-vous maintenant à la lettre.", "ok"),
        ("Oh", "This page is on sick leave. The link you followed may be broken.", "not_found"),
        ("Acceso", "Inicie sesión para ver el contenido completo.", "paywalled"),
        ("Registro", "El registro incluyó a 400 pacientes con esclerosis múltiple.", "ok"),
        ("Verifica", "Conferma di non essere un robot.", "blocked"),
        ("Roboter", "Der Roboter wird vom Chirurgen gesteuert.", "ok"),
        ("Manutenção", "O site está em manutenção. Volte mais tarde.", "http_error"),
        ("Mantenimiento", "El tratamiento de mantenimiento reduce las recaídas.", "ok"),
        ("Dominio", "Questo dominio è in vendita.", "not_found"),
        ("浏览器", "您的浏览器版本过低，请升级后访问。", "empty"),
        ("有料会員限定", "続きは有料会員登録するとお読みいただけます。", "paywalled"),
        ("痛風", "痛風は尿酸の結晶が関節にたまって起こる病気です。", "ok"),
        ("Be right back", "Grab a coffee and check again in a few minutes.", "http_error"),
        ("Dialysis", "Access to dialysis is denied to many patients in rural areas.", "ok"),
    ],
)
def test_a_wall_is_told_in_its_language_and_an_article_of_the_same_words_is_read(
    title: str, text: str, outcome: str
) -> None:
    assert classify_as_page_or_wall_and_say_why(title, text)[0] == outcome


def test_a_short_foreign_page_that_names_no_subject_is_named_as_perhaps_no_article() -> None:
    assert classify_as_page_or_wall_and_say_why(
        "Site", "Das Tor ist zu, bis die Glocke läutet."
    ) == (
        "ok",
        PERHAPS_NO_ARTICLE,
    )
    assert classify_as_page_or_wall_and_say_why(
        "Site", "Der Husten ist trocken und das Fieber hoch."
    ) == (
        "ok",
        "",
    )


def test_a_page_about_cookies_is_read_and_a_notice_that_asks_is_not() -> None:
    about = (
        "Cookies sind kleine Textdateien, die eine Website im Browser speichert. Eine Einwilligung"
        " ist erforderlich, wenn sie nicht notwendig sind. Wer sie ablehnt, darf dadurch keine"
        " Nachteile haben, und der Anbieter muss dies nachweisen können."
    )
    assert classify_as_page_or_wall_and_say_why("Cookies", about)[0] == "ok"
    notice = "Wir verwenden Cookies. Alle akzeptieren. Nur notwendige. Einstellungen"
    assert classify_as_page_or_wall_and_say_why("Datenschutz", notice)[0] == "blocked"


@pytest.mark.parametrize(
    ("title", "text", "outcome"),
    [
        (
            "journal.example",
            "journal.example asks for your consent to use your personal data\n"
            "Personalised advertising and content, advertising and content measurement\n"
            "Store and/or access information on a device\n"
            "Your personal data will be processed and shared with 141 TCF vendors.",
            "blocked",
        ),
        (
            "Health Daily",
            "We and our partners use technologies such as cookies to process personal data."
            " Click below to consent to the above.",
            "blocked",
        ),
        (
            "404 - Mayfield Clinic",
            "Hmm. That page isn't here.\n"
            "Asthma is a long-term disease of the airways that makes breathing difficult.\n"
            "Type 2 diabetes is often found by chance and can be treated for many years.\n"
            "High blood pressure has no symptoms but raises the risk of a stroke a lot.\n"
            "Coughs and colds pass by themselves and need no antibiotics in most cases.",
            "not_found",
        ),
        (
            "Health News",
            "Looks like you took a wrong turn. Explore our most-read stories\n"
            "Why people who sleep for less than six hours a night have more heart attacks\n"
            "What your doctor wishes that you knew about high blood pressure and salt\n"
            "Five early signs of a lack of iron that many people never notice at all",
            "not_found",
        ),
        ("Klinikum", "Dieser Inhalt steht leider nicht mehr zur Verfügung.", "not_found"),
        (
            "Leitlinie",
            "Diese Leitlinie ist abgelaufen und wurde von der Website entfernt.",
            "not_found",
        ),
        (
            "asthma.example",
            "asthma.example is your first and best source for all of the information you’re looking"
            " for. We hope you find what you are searching for!",
            "not_found",
        ),
        (
            "Guest network",
            "Please accept the terms of service to connect to the internet. This network is"
            " provided free of charge for patients.",
            "blocked",
        ),
        (
            "Blocked",
            "Access to this site is blocked. The category Health is not permitted by your"
            " organisation's internet usage policy.",
            "blocked",
        ),
        (
            "Chapter 12",
            "This is a preview of the chapter. Your institution does not subscribe.\n"
            "Sepsis is an organ dysfunction caused by the response to an infection.",
            "paywalled",
        ),
        (
            "Therapie der Gicht",
            "Sie haben keinen Zugriff auf diesen Volltext. Einzelkauf für 29,00 €.\n"
            "Die Gicht ist eine häufige Erkrankung des Stoffwechsels und betrifft oft Männer.",
            "paywalled",
        ),
        # Articles about the same subjects.
        (
            "Paywalls in medicine",
            "Half of all articles stand behind a paywall. Doctors whose hospital does not subscribe"
            " often rely on abstracts, which leave out harms. Single articles cost about 30 euros.",
            "ok",
        ),
        (
            "Captchas and low vision",
            "A CAPTCHA asks people to prove that they are human. For people with low vision it is"
            " often impossible to solve, and its audio version fails in older patients. In a trial"
            " with 60 volunteers, only 21 booked an appointment without help. The others gave up"
            " after three attempts or asked a relative, who then knew why they saw a doctor.",
            "ok",
        ),
        (
            "Consent in research",
            "Researchers must ask for consent before they use personal data of patients. In a"
            " survey, most patients agreed to share their records with universities.",
            "ok",
        ),
        (
            "Consent banners",
            "Consent banners of health sites name up to 141 vendors. A study of 400 hospital sites"
            " found that nine in ten sent data to third parties before patients had agreed.",
            "ok",
        ),
        ("Impfstoff", "Der Impfstoff steht nicht mehr zur Verfügung.", "ok"),
        (
            "404 patients with gout",
            "We followed 404 patients with gout for five years. Most had no further attack.",
            "ok",
        ),
    ],
)
def test_a_wall_of_today_is_told_and_an_article_about_walls_is_read(
    title: str, text: str, outcome: str
) -> None:
    assert classify_as_page_or_wall_and_say_why(title, text)[0] == outcome


def test_empty_lines_and_lines_of_signs_are_no_part_of_a_page() -> None:
    for filler in ("\n" * 3000, "-" * 3000, "\n- * -" * 500):
        sentence = f"Gout{filler}The cough is dry.{filler}"
        assert classify_as_page_or_wall_and_say_why("Gout", sentence) == ("ok", "")
        assert (
            classify_as_page_or_wall_and_say_why(
                "Site", f"Site{filler}FetchedPage not found.{filler}"
            )[0]
            == "not_found"
        )


def test_japanese_in_escape_sequences_is_not_taken_for_ascii() -> None:
    sentence = "喘息は気道の慢性の炎症です。"
    assert decode_body(f"<p>{sentence}</p>".encode("iso2022_jp")) == f"<p>{sentence}</p>"
    assert decode_body(b"\x1b[1mbold\x1b(B plain") == "\x1b[1mbold\x1b(B plain"


@pytest.mark.parametrize(
    ("sentence", "encoding"),
    [
        ("La pemphigoïde est caractérisée par des bulles tendues chez le sujet âgé. ", "cp1252"),
        ("Bei Völlegefühl und Übelkeit wird die Dosis für drei Tage halbiert. ", "cp1252"),
        ("La vacunación de los niños pequeños disminuyó; ¿qué más se sabrá mañana? ", "cp1252"),
        ("A gyógyszer erősen csökkenti a vérnyomást, ezért időseknél őrzés és fűtés. ", "cp1250"),
        ("Choroba pęcherzowa występuje częściej u osób starszych i jest łagodną. ", "cp1250"),
        ("Hastalık yaşlılarda daha sık görülür ve şiddetli kaşıntıya yol açar. ", "cp1254"),
    ],
)
def test_latin_letters_under_a_wrong_charset_are_read_as_their_language_has_them(
    sentence: str, encoding: str
) -> None:
    body = f"<html><body><p>{sentence * 6}</p></body></html>".encode(encoding)
    assert sentence in decode_body(body, "utf-8")
