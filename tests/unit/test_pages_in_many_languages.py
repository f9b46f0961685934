"""Pages as the web serves them are read, or the reader is told that there is no article."""

from __future__ import annotations

import asyncio

import pytest

from medlens.config.settings import Web
from medlens.web.content_sniffing import decode_body
from medlens.web.fetched_page_walls import PERHAPS_NO_ARTICLE, classify_page
from medlens.web.page_fetch import Fetcher, Page
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


def fetched_cases(cases: list[ServedCase]) -> list[Page]:
    with WebServer() as web, pages_nearby():
        for number, case in enumerate(cases):
            for path, served in case.pages.items():
                web.pages[f"/case{number}{path}"] = served_below(f"/case{number}", served)

        async def fetch_all() -> list[Page]:
            settings = Web(allow_hosts=(web.host,), pause=0, robots=False, most_megabytes=20)
            async with Fetcher(settings) as fetcher:
                addresses = [web.url(f"/case{number}/") for number in range(len(cases))]
                return await asyncio.gather(*map(fetcher.fetch, addresses))

        return asyncio.run(fetch_all())


def is_right_or_told(case: ServedCase, page: Page) -> bool:
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
    assert classify_page(title, text)[0] == outcome


def test_a_short_foreign_page_that_names_no_subject_is_named_as_perhaps_no_article() -> None:
    assert classify_page("Site", "Das Tor ist zu, bis die Glocke läutet.") == (
        "ok",
        PERHAPS_NO_ARTICLE,
    )
    assert classify_page("Site", "Der Husten ist trocken und das Fieber hoch.") == ("ok", "")


def test_a_page_about_cookies_is_read_and_a_notice_that_asks_is_not() -> None:
    about = (
        "Cookies sind kleine Textdateien, die eine Website im Browser speichert. Eine Einwilligung"
        " ist erforderlich, wenn sie nicht notwendig sind. Wer sie ablehnt, darf dadurch keine"
        " Nachteile haben, und der Anbieter muss dies nachweisen können."
    )
    assert classify_page("Cookies", about)[0] == "ok"
    notice = "Wir verwenden Cookies. Alle akzeptieren. Nur notwendige. Einstellungen"
    assert classify_page("Datenschutz", notice)[0] == "blocked"


def test_empty_lines_and_lines_of_signs_are_no_part_of_a_page() -> None:
    for filler in ("\n" * 3000, "-" * 3000, "\n- * -" * 500):
        sentence = f"Gout{filler}The cough is dry.{filler}"
        assert classify_page("Gout", sentence) == ("ok", "")
        assert classify_page("Site", f"Site{filler}Page not found.{filler}")[0] == "not_found"


def test_japanese_in_escape_sequences_is_not_taken_for_ascii() -> None:
    sentence = "喘息は気道の慢性の炎症です。"
    assert decode_body(f"<p>{sentence}</p>".encode("iso2022_jp")) == f"<p>{sentence}</p>"
    assert decode_body(b"\x1b[1mbold\x1b(B plain") == "\x1b[1mbold\x1b(B plain"
