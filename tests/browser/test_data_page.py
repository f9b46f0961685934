"""The lead's two workbenches in a real browser, behind the guard and its content policy."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, Heard, Server, add_people, at_rest, sign_in
from tests.browser.test_tagging_journey import rows
from tests.conftest import LayStore

HOSTILE = "<img src=x onerror=alert(1)> **bold**"
CONTENT = (
    "item,question,option_A,option_B,correct,chosen,response\n"
    f'"{HOSTILE}","{HOSTILE}",yes,no,A,B,"It is B.\n\nBecause 😀 of <b>that</b>."\n'
    'second,"Why?",yes,no,A,B,"=1+1"\n'
)


@pytest.fixture
def demo_store(tmp_path: Path, lay_store: LayStore) -> Path:
    return lay_store(tmp_path / "demo.duckdb", STUDIES["tagging"].demo, add_people)


@pytest.fixture
def served(app_server: AppServer, demo_store: Path, page: Page) -> Server:
    """A server of the demo, with its lead signed in."""
    server = app_server(store=demo_store)
    sign_in(page, server, "Lena Lead")
    return server


def complaints(heard: Heard) -> list[str]:
    # On a deep link Streamlit looks for its own endpoints below the page before the root.
    return [error for error in heard.errors if "404" not in error]


@pytest.mark.deep
def test_a_file_is_imported_once_by_a_double_click_and_comes_out_again(
    served: Server, demo_store: Path, page: Page, heard: Heard, tmp_path: Path
) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto(f"{served.url}/Data")
    page.locator("input[type=file]").set_input_files(
        {"name": f"{HOSTILE}.csv", "mimeType": "text/csv", "buffer": CONTENT.encode()}
    )
    page.get_by_role("button", name="Import 2 items").dblclick()
    expect(page.get_by_text("Imported 2 items into 'main'.")).to_be_visible()
    expect(page.get_by_role("button", name="Import 2 items")).to_have_count(0)

    page.get_by_text("Export", exact=True).click()
    expect(page.get_by_role("combobox", name="Table")).to_be_visible()
    at_rest(page)  # what is drawn while the page still runs closes a list that is open
    page.get_by_role("combobox", name="Table").click()
    page.get_by_role("option", name="The responses themselves").click()
    expect(page.get_by_text("2 rows.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download medlens-main-items.csv").click()
    written = tmp_path / "out.csv"
    download.value.save_as(written)
    assert written.read_bytes().startswith(b"\xef\xbb\xbfitem,")
    assert b",'=1+1" in written.read_bytes()

    assert (dialogs, complaints(heard), heard.strangers) == ([], [], [])
    assert served.stop() == 0
    found = rows(demo_store, "select count(*) from item where dataset = 'main'")
    assert found == [(2,)]
    assert rows(demo_store, "select added, known from import_log") == [(2, 0)]


@pytest.mark.deep
def test_a_table_of_no_known_kind_is_taken_along_to_make_a_study(
    served: Server, page: Page, heard: Heard
) -> None:
    table = "case,question,GPT-4o,Claude 3.5\n" + "".join(
        f"c{at},What helps on day {at}?,Rest helps on day {at}.,Tea helps on day {at}.\n"
        for at in range(1, 6)
    )
    page.goto(f"{served.url}/Data")
    page.locator("input[type=file]").set_input_files(
        {"name": "answers.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    expect(page.get_by_text("match no kind of file")).to_be_visible()
    at_rest(page)
    page.get_by_role("link", name="Make a study of your own from it").click()
    expect(page.get_by_text("answers.csv, which you uploaded on Data.")).to_be_visible()
    expect(page.get_by_text("What each column is, guessed from its 5 rows.")).to_be_visible()
    at_rest(page)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Add the study")).to_be_visible()
    # Nothing of it is left for the next study.
    page.goto(f"{served.url}/Your_studies?view=Make+a+study")
    expect(page.get_by_text("Then say what each column is")).to_be_visible()
    assert (complaints(heard), heard.strangers) == ([], [])


REFUSES = """
from pathlib import Path
from medlens.errors import InvalidInput
from medlens.ui.export_button import draw_export_button
def content():
    if not Path("{there}").exists():
        raise InvalidInput("There is *nothing* to export.", hint="Import something.")
    return "a,b"
draw_export_button("Download", content, about="a table", key="table", file_name="table.csv")
"""


@pytest.mark.deep
def test_why_a_file_could_not_be_made_stands_there_until_the_next_press(
    app_server: AppServer, page: Page, tmp_path: Path
) -> None:
    there, script = tmp_path / "there", tmp_path / "refuses.py"
    script.write_text(REFUSES.replace("{there}", str(there)))
    page.goto(app_server(script=script).url)
    page.get_by_role("button", name="Download").click()
    # The page's own message: Streamlit's, beside its button, disappears after five seconds.
    why = page.locator(".stMarkdown", has_text="There is *nothing* to export. Import something.")
    expect(why).to_be_visible()
    there.touch()
    with page.expect_download():
        page.get_by_role("button", name="Download").click()
    expect(why).to_have_count(0)


@pytest.mark.deep
def test_a_mark_made_in_the_labeler_is_saved_and_there_after_a_reload(
    served: Server, demo_store: Path, page: Page, heard: Heard
) -> None:
    page.goto(f"{served.url}/Tag_errors?view=Open+coding")
    page.get_by_text("Quick view", exact=True).click()
    labeler = page.frame_locator("iframe[title*=annotation_tools]")
    labeler.get_by_placeholder("Enter Label Name").fill("vague")
    labeler.get_by_text("Add Label").click()
    expect(page.get_by_text(re.compile(r"^Saved \d\d:"))).to_be_visible()
    at_rest(page)
    labeler.locator("#actual-text").dblclick(position={"x": 12, "y": 12})
    marked = labeler.locator("#actual-text .labeled")
    expect(marked).to_have_count(1)
    words = marked.inner_text()
    page.reload()
    expect(labeler.locator("#actual-text .labeled")).to_have_text(words)
    # The frame is made as tall as its text, so that nothing scrolls inside it.
    inside = labeler.locator("#root")
    until = time.monotonic() + 30
    while inside.evaluate("root => root.getBoundingClientRect().height > innerHeight"):
        assert time.monotonic() < until, "the text is taller than its frame"
        page.wait_for_timeout(20)
    page.get_by_text("Codes", exact=True).click()
    expect(page.get_by_role("heading", name="vague")).to_be_visible()
    expect(page.get_by_role("button", name="Merge")).to_have_count(0)
    assert (complaints(heard), heard.strangers) == ([], [])
    assert served.stop() == 0
    [(body,)] = rows(demo_store, "select body from open_code_now")
    assert f'"quote":"{words}"' in str(body).replace('": "', '":"')
