"""Pages in Streamlit's own test runner, on a temporary store."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import Runtime
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from medlens.app import work_behind_commands
from medlens.review import raters
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process, user_identity_sign_in_and_sign_out
from tests.conftest import Fill, LayStore

REPO = Path(__file__).resolve().parents[2]

OpenPage = Callable[..., AppTest]

all_demos = pytest.mark.parametrize(
    "filled_by",
    [(work_behind_commands.add_demo_studies_and_return_report_text,)],
    ids=["all demos"],
)
"""The store of the test holds the demo of every study."""


@pytest.fixture(scope="session", autouse=True)
def packages_looked_through_once() -> Iterator[None]:
    """Streamlit's runner would read about every installed package for each page that is opened."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture(scope="session", autouse=True)
def pages_are_waited_for() -> Iterator[None]:
    """Streamlit's runner would look a thousand times a second whether a page has been drawn, and
    take a tenth of the processor from the page."""
    look = local_script_runner.require_widgets_deltas

    def wait(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(timeout)
        look(runner, 0.1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def stand_in_of_the_server_is_kept() -> Iterator[None]:
    """Streamlit's runner would make a stand-in of its server anew for each run of a page, which
    takes a twentieth of the run. It gives this one all that a page reads of it, each time."""
    kept = MagicMock(spec=Runtime)

    def stand_in(*, spec: type[Runtime]) -> MagicMock:
        assert spec is Runtime
        kept.reset_mock()
        return kept

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", stand_in)
        yield


@pytest.fixture(autouse=True)
def files_are_read_near(read_near: None) -> None:
    """What a page is given is read in this process: no page knows where a file is read."""


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    """What the store of each test holds; a module whose tests need more overrides it."""
    return (STUDIES["tagging"].demo,)


def add_lead(store: Store) -> Rater:
    return raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")


def add_reviewer(store: Store) -> Rater:
    return raters.find_or_add_rater_by_name(store, "Rosa Reviewer")


@pytest.fixture
def app_store(
    store_path: Path,
    filled_by: tuple[Fill, ...],
    lay_store: LayStore,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Store]:
    """The store that the pages of this test open, with the demo study in it and whom of the two
    people the test asks for."""
    people = {"lead": add_lead, "reviewer": add_reviewer}
    asked_for = [add for name, add in people.items() if name in request.fixturenames]
    monkeypatch.setenv("MEDLENS_STORE", str(lay_store(store_path, *filled_by, *asked_for)))
    settings_store_and_runs_of_process.stop_runs_and_close_store()
    yield settings_store_and_runs_of_process.store_of_process()
    settings_store_and_runs_of_process.stop_runs_and_close_store()


@pytest.fixture
def lead(app_store: Store) -> Rater:
    return add_lead(app_store)


@pytest.fixture
def reviewer(app_store: Store, lead: Rater) -> Rater:
    return add_reviewer(app_store)


def person_of(rater: Rater) -> user_identity_sign_in_and_sign_out.Person:
    return user_identity_sign_in_and_sign_out.Person(
        rater.id, rater.name, None, rater.role, "local"
    )


@pytest.fixture
def open_page(app_store: Store) -> OpenPage:
    """A function that opens a page (by its file's name) as somebody, or as nobody."""

    def open_it(file: str = "app.py", *, who: Rater | None = None, **query: str) -> AppTest:
        page = AppTest.from_file(str(REPO / "app.py"), default_timeout=30)
        if file != "app.py":
            page.switch_page(f"pages/{file}")
        page.session_state[user_identity_sign_in_and_sign_out.PERSON] = (
            person_of(who) if who else None
        )
        for name, value in query.items():
            page.query_params[name] = value
        page.run()
        return page

    return open_it


def words(page: AppTest) -> str:
    """Everything a page says in text, conversations and forms included: all the browser is told."""
    said = [
        *page.title,
        *page.header,
        *page.subheader,
        *page.markdown,
        *page.caption,
        *page.text,
        *page.info,
        *page.warning,
        *page.error,
    ]
    told = [
        text
        for one in (*components(page, "conversation"), *components(page, "answer_form"))
        for text in strings(json.loads(one.proto.json))
    ]
    drawn = [
        html.unescape(re.sub("<[^>]*>", "", one.proto.body))
        for one in page.get("html")
        if 'class="foreign-markdown"' in one.proto.body
    ]
    return "\n".join([*(str(part.value) for part in said), *told, *drawn])


def links_of(page: AppTest) -> list[str]:
    """The words of a page's links."""
    return [one.proto.label for one in page.get("page_link")]


def line_control(page: AppTest, of: str) -> Any:
    """The study line's choice of "section", or of "view" within the open section."""
    [control] = [one for one in page.button_group if str(one.key).startswith(f"line.{of}")]
    return control


def strings(value: object) -> Iterator[str]:
    """Every text in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def parts(block: object) -> list[Any]:
    """Everything drawn in a block, however deep."""
    nodes = []
    for child in getattr(block, "children", {}).values():
        nodes += [child, *parts(child)]
    return nodes


def sent(page: AppTest) -> str:
    """All that the browser was sent of a page, in whatever field, with the address."""
    drawn = "".join(str(one.proto) for one in parts(page._tree) if hasattr(one, "proto"))
    return f"{drawn}\n{dict(page.query_params)}"


def names_in(told: str, store: Store) -> list[str]:
    """The ids and names of items that stand in what a browser was sent."""
    names = [name for row in store.rows("select id, name from item_now") for name in row]
    return [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", told)]


def components(page: AppTest, name: str) -> list[Any]:
    """The components of ours of that name on the page."""
    drawn = [one for one in parts(page._tree) if getattr(one, "type", "") == "bidi_component"]
    return [one for one in drawn if name in one.proto.component_name]


def component(page: AppTest, name: str) -> Any:
    """The one component of ours of that name on the page."""
    [found] = components(page, name)
    return found


def form_of(page: AppTest, task: str) -> dict[str, Any]:
    """What the form of a task was told, of those on the page."""
    told = [json.loads(one.proto.json) for one in components(page, "answer_form")]
    found: dict[str, Any]
    [found] = [one for one in told if one["task"] == task]
    return found


def answer(
    page: AppTest, *, form_named: str = "", submit: bool = False, **said: str | None
) -> None:
    """Let the form of the desk, or of that task, say what was chosen and written, as the browser
    would."""
    forms = [(one, json.loads(one.proto.json)) for one in components(page, "answer_form")]
    [(form, told)] = [(one, told) for one, told in forms if form_named in ("", told["task"])]
    changes = {name: [told["values"].get(name), value] for name, value in said.items()}
    known = {name: told[name] for name in ("item", "session", "rev")}
    say(page, form, {"token": new_id(), "submit": submit, "changes": changes, **known})


def marks_begun(page: AppTest, field: str) -> list[dict[str, Any]]:
    """The marks in the text that an adjudicator marks anew, as its form holds them."""
    text, form = (
        json.loads(component(page, "text_to_mark").proto.json),
        form_of(page, "adjudication"),
    )
    assert (text["readonly"], text["item"], text["column"]) == (False, form["item"], field)
    found: list[dict[str, Any]] = json.loads(form["values"][f"own.{field}"] or "[]")
    return found


def mark_anew(page: AppTest, field: str, *marks: dict[str, Any], **more: Any) -> None:
    """Leave these marks in the text, as the browser would."""
    said = {f"own.{field}": json.dumps(marks)}
    answer(page, form_named="adjudication", **said, **more)


def say(page: AppTest, element: Any, message: object) -> None:
    """Let a component say something, as the browser would."""
    state = WidgetState()
    state.id = element.proto.id
    state.json_value = json.dumps({"out": message})
    states = page._tree.get_widget_states()
    states.widgets.append(state)
    page._run(states)
    assert not page.exception
