"""A real Chromium, and real servers to point it at."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from medlens.errors import StoreUnavailable
from medlens.review import raters
from medlens.store import Store, open_store
from medlens.studies.shipped_guidelines_and_worked_examples import FOLDER
from tests.browser.forked import Forked, ready

# Slow on a busy machine does not mean wrong.
expect.set_options(timeout=30_000)

REPO = Path(__file__).resolve().parents[2]
Made = TypeVar("Made")
# The first is Chromium without window chrome: a third of the work per page.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    # All tabs of a context share one process, which keeps compiled scripts.
    "--renderer-process-limit=1",
    # No page lives long enough for optimising its scripts to pay off: that costs a fifth.
    "--js-flags=--no-opt --no-maglev",
)

SIZE: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}

# Chromium's complaints about Streamlit's own files, which nobody can act on.
KNOWN_NOISE = ("Unrecognized feature:", "allow-scripts and allow-same-origin")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# The ports that servers here have had, and which are in use now. The next server reuses one: a
# browser already has Streamlit's files from that address.
_PORTS: dict[int, bool] = {}


def _take_port() -> int:
    for port in (one for one, taken in _PORTS.items() if not taken):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("", port))
            break
    else:
        port = free_port()
    _PORTS[port] = True
    return port


def chromium_path() -> str | None:
    """A Chromium on the PATH that runs; ``None`` leaves the choice to Playwright."""
    for name in CHROMIUM_NAMES:
        found = shutil.which(name)
        if found and subprocess.run([found, "--version"], capture_output=True).returncode == 0:
            return found
    return None


@dataclass
class Server:
    """A server in its own process group, which a test can kill and restart.

    It serves ``script`` if given, else runs ``python -m streamlit`` with the arguments
    ``streamlit``.
    """

    env: dict[str, str]
    url: str
    log: Path
    health: str = "/_stcore/health"
    process: Forked | None = field(default=None, repr=False)
    script: Path | None = None
    streamlit: tuple[str, ...] = ()
    people: dict[str, str] = field(default_factory=dict, repr=False)
    """The id of each person whom its store knew when it was first started, by name."""

    def start(self, *, timeout: float = 90) -> float:
        """Start it, wait until it answers, and return how many seconds that took."""
        begun = time.monotonic()
        self.process = Forked(
            script=self.script, streamlit=self.streamlit, env=self.env, cwd=REPO, log=self.log
        )
        while time.monotonic() - begun < timeout:
            if self.process.poll() is not None:
                break
            if self.answers():
                return time.monotonic() - begun
            time.sleep(0.05)
        self.kill()
        raise AssertionError(f"the server did not start:\n{self.log.read_text()[-4000:]}")

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(self.url + self.health, timeout=2) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def stop(self, *, timeout: float = 10) -> int:
        """Ask it to exit, and return its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)

    def kill(self) -> None:
        """kill -9 the whole group; harmless if it has already exited."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def restart(self) -> float:
        self.kill()
        return self.start()


AppServer = Callable[..., Server]


@pytest.fixture
def app_server(tmp_path: Path) -> Iterator[AppServer]:
    """A function that starts a server and returns it; all are killed after the test.

    See ``servers`` for its arguments.
    """
    with servers(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def lasting_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """Like ``app_server``, for servers that all tests of a module can share."""
    with servers(tmp_path_factory.mktemp("servers")) as start:
        yield start


@contextlib.contextmanager
def servers(folder: Path) -> Iterator[AppServer]:
    """A function that starts a server in ``folder``; all are killed at the end.

    ``app_server()`` serves MedLens itself as ``python -m medlens serve`` does. ``script=`` serves
    another Streamlit script behind the same guard; ``how="streamlit"`` serves it with ``streamlit
    run`` and ``arguments`` instead. ``settings`` is the text of a medlens.toml without ``[serve]``,
    ``secrets`` that of a secrets.toml, both with ``{port}`` for the port; ``env`` overrides
    everything.
    """
    started: list[Server] = []

    def start(
        *,
        script: Path | None = None,
        how: str = "serve",
        store: Path | str | None = None,
        settings: str = "",
        secrets: str = "",
        env: Mapping[str, str] | None = None,
        arguments: tuple[str, ...] = (),
        port: int | None = None,
    ) -> Server:
        port = port or _take_port()
        home = folder / f"server-{port}"
        home.mkdir()
        config = home / "medlens.toml"
        config.write_text(f"{settings.replace('{port}', str(port))}\n[serve]\nport = {port}\n")
        around = {
            **os.environ,
            "PYTHONPATH": str(REPO),
            # Streamlit reads settings and secrets from the home directory.
            "HOME": str(home),
            "MEDLENS_STORE": str(store or home / "medlens.duckdb"),
            "MEDLENS_CONFIG": str(config),
        }
        if secrets:
            (home / ".streamlit").mkdir()
            text = secrets.replace("{port}", str(port))
            (home / ".streamlit" / "secrets.toml").write_text(text)
        around.update(env or {})
        run = ("run", str(script or REPO / "app.py"), "--server.port", str(port), *arguments)
        server = Server(
            streamlit=run if how == "streamlit" else (),
            env=around,
            url=f"http://localhost:{port}",
            log=home / "log.txt",
            script=script,
        )
        if store and Path(store).is_file():
            # If another server holds the store, that server's ``people`` has them.
            with (
                contextlib.suppress(StoreUnavailable),
                contextlib.closing(open_store(store)) as opened,
            ):
                server.people = {one.name: one.id for one in raters.list_local_people(opened)}
        ready(folder, REPO)
        started.append(server)
        server.start()
        return server

    try:
        yield start
    finally:
        for server in started:
            server.kill()
            _PORTS[int(server.url.rpartition(":")[2])] = False


REVIEWERS = [f"Rosa {n:02}" for n in range(40)]


def add_people(store: Store) -> None:
    """A lead, and reviewers of whom each test that shares a server takes one."""
    raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
    for name in REVIEWERS:
        raters.find_or_add_rater_by_name(store, name)


def for_each(*tasks: str) -> str:
    """Settings by which items of these tasks are given to every reviewer who comes."""
    return "".join(f"[tasks.{one}]\nraters_per_item = {len(REVIEWERS)}\n" for one in tasks)


@pytest.fixture(scope="module")
def reviewers() -> Iterator[str]:
    return iter(REVIEWERS)


@pytest.fixture
def rosa(reviewers: Iterator[str]) -> str:
    """A reviewer who has judged nothing yet."""
    return next(reviewers)


@pytest.fixture
def server(shared: Server) -> Server:
    """The module's ``shared`` server, started again where the test before has left it dead."""
    if shared.process is None or shared.process.poll() is not None:
        shared.start()
    return shared


# For the tests of this folder, not of the session: Playwright keeps an event loop running in this
# thread as long as it lives, so that ``asyncio.run`` is for another thread meanwhile
# (``beside_the_browser``).
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_ARGUMENTS)
        )
        yield chromium
        chromium.close()


@dataclass
class Heard:
    """What a page complained about: script errors, failed policies, requests to strangers."""

    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("request", lambda request: self._request(request.url))

    def _console(self, message: object) -> None:
        text = str(getattr(message, "text", ""))
        if getattr(message, "type", "") == "error" and not any(n in text for n in KNOWN_NOISE):
            self.errors.append(text)

    def _request(self, url: str) -> None:
        if not url.startswith(("http://localhost:", "http://127.0.0.1:", "data:", "blob:")):
            self.strangers.append(url)


@pytest.fixture
def heard() -> Heard:
    return Heard()


def beside_the_browser(work: Coroutine[Any, Any, Made]) -> Made:
    """What ``asyncio.run`` gives, in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@pytest.fixture(scope="package")
def kept_context(browser: Browser) -> Iterator[BrowserContext]:
    """The context that tests use one after another as ``context``.

    Files are fetched and scripts compiled only for the first test; the process lasts as long as its
    first tab, which nobody uses.
    """
    with browser.new_context(viewport=SIZE) as one:
        one.set_default_timeout(30_000)
        one.new_page()
        yield one


@pytest.fixture(scope="package")
def kept_tabs(kept_context: BrowserContext) -> list[Page]:
    """The tabs of the kept context that tests use one after another: empty while none does.

    A new tab would fetch and compile Streamlit's files again, though from the cache: that takes two
    thirds as long again as opening a page in a tab that has shown one.
    """
    return []


@pytest.fixture
def context(
    kept_context: BrowserContext, kept_tabs: list[Page], heard: Heard
) -> Iterator[BrowserContext]:
    """One person's browser: its own cookies and storage, at a small laptop's size."""
    kept_context.on("page", heard.listen)
    yield kept_context
    kept_context.remove_listener("page", heard.listen)
    first, *tabs = kept_context.pages
    for tab in tabs:
        if tab not in kept_tabs:
            tab.close()
    kept_context.clear_cookies()
    wire = kept_context.new_cdp_session(first)
    for port in _PORTS:
        wire.send(
            "Storage.clearDataForOrigin",
            {"origin": f"http://localhost:{port}", "storageTypes": "local_storage,indexeddb"},
        )
    wire.detach()


@pytest.fixture
def tabs(
    context: BrowserContext, kept_tabs: list[Page], heard: Heard
) -> Iterator[Callable[[], Page]]:
    """A function that gives an empty tab of the person's browser, another one with each call.

    A test that adds scripts to a tab or emulates a device takes ``context.new_page()`` instead.
    """
    given: list[Page] = []

    def tab() -> Page:
        if len(given) < len(kept_tabs):
            heard.listen(kept_tabs[len(given)])
        else:
            kept_tabs.append(context.new_page())
        given.append(kept_tabs[len(given)])
        return given[-1]

    yield tab
    kept_tabs[:] = [one for one in kept_tabs if one not in given or _emptied(one)]


# What tests listen to.
_EVENTS = ("console", "dialog", "pageerror", "popup", "request", "response", "websocket")


def _emptied(tab: Page) -> bool:
    """Whether the tab is as good as new again."""
    if tab.is_closed() or tab._impl_obj._web_socket_routes:  # for good: they stand in its scripts
        return False
    try:
        for event in _EVENTS:
            tab._impl_obj.remove_all_listeners(event)
        tab.unroute_all()
        wire = tab.context.new_cdp_session(tab)
        seen = [one["url"] for one in wire.send("Page.getNavigationHistory")["entries"]]
        origins = {urlsplit(one).netloc for one in seen} - {""}
        if origins - {urlsplit(tab.url).netloc}:  # each has session storage of its own
            return False
        if origins:
            tab.evaluate("sessionStorage.clear()")
        tab.goto("about:blank")
        wire.send("Page.resetNavigationHistory")
        wire.detach()
        if tab.viewport_size != SIZE:
            tab.set_viewport_size(SIZE)
    except Error:  # it has crashed
        return False
    return True


@pytest.fixture
def page(tabs: Callable[[], Page]) -> Page:
    return tabs()


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    with on_a_phone(page):
        yield page
        page.emulate_media(color_scheme="null")


@contextlib.contextmanager
def on_a_phone(page: Page) -> Iterator[None]:
    """The page at a phone's size, touched."""
    wire = page.context.new_cdp_session(page)
    page.set_viewport_size(PHONE)
    wire.send(
        "Emulation.setDeviceMetricsOverride", {**PHONE, "deviceScaleFactor": 1, "mobile": True}
    )
    wire.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield
    wire.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    wire.detach()
    page.set_viewport_size(SIZE)


def tap(phone: Page, target: Locator) -> None:
    """Tap the middle of what can be seen of it."""
    target.scroll_into_view_if_needed()
    at_rest(phone)
    box = target.bounding_box()
    assert box is not None
    left, right = max(box["x"], 0), min(box["x"] + box["width"], PHONE["width"])
    touch(phone, ((left + right) / 2, box["y"] + box["height"] / 2))


def touch(phone: Page, *places: tuple[float, float]) -> None:
    """Put a finger down, move it to each of the places and lift it: a tap if there is but one."""
    wire = phone.context.new_cdp_session(phone)
    for at, (x, y) in enumerate(places):
        how = {"type": "touchMove" if at else "touchStart", "touchPoints": [{"x": x, "y": y}]}
        wire.send("Input.dispatchTouchEvent", how)
        if at:
            phone.wait_for_timeout(16)
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wire.detach()


NOTED = "sessionStorage.getItem('medlens_person')"
"""The tab has noted who works in it."""
REMEMBER = """person => [sessionStorage, localStorage].forEach(
  store => store.setItem("medlens_person", person))"""


WITH_EXAMPLE = [file.name.removesuffix("_example.md") for file in FOLDER.glob("*_example.md")]
SEEN = """([person, tasks]) => tasks.forEach(
  task => localStorage.setItem(`medlens:seen:${person}:${task}`, "true"))"""


AT_REST = """() => new Promise((done, fail) => {
  const until = performance.now() + 30000
  const loaded = new Map()  // whether it has run, by the address of a component's script
  const haveRun = () => {
    for (const { src } of document.querySelectorAll("script[type=module][src*=bidi-components]")) {
      if (loaded.has(src)) continue
      loaded.set(src, false)
      const end = () => loaded.set(src, true)
      import(src).then(end, end)
    }
    return [...loaded.values()].every(Boolean)
  }
  const moves = ({ playState, effect }) =>
    playState === "running" && effect?.getComputedTiming().endTime < Infinity
  const lacks = () => {
    const app = document.querySelector("[data-testid=stApp]")
    if (app?.dataset.testScriptState !== "notRunning") return "the end of the run"
    const skeletons = document.querySelectorAll("[data-testid=stSkeleton]")
    if ([...skeletons].some((one) => one.checkVisibility())) return "what a skeleton stands for"
    if (!haveRun()) return "a component's script"
    const sheets = document.querySelectorAll("link[rel=stylesheet]")
    if ([...sheets].some(({ sheet }) => !sheet)) return "a style sheet"
    if (document.fonts.status !== "loaded") return "a font"
    return document.getAnimations().some(moves) ? "the end of an animation" : ""
  }
  const place = () => {
    const { scrollTop, scrollHeight, scrollWidth } =
      document.querySelector("[data-testid=stMain]") ?? document.documentElement
    return [scrollTop, scrollHeight, scrollWidth].join()
  }
  let still = 0
  let before = ""
  const look = () => {
    const [lacking, now] = [lacks(), place()]
    still = !lacking && now === before ? still + 1 : 0
    before = now
    if (still > 9) done()
    else if (performance.now() > until) {
      fail(new Error(`the page does not come to rest: it lacks ${lacking || "a place"}`))
    } else requestAnimationFrame(look)
  }
  look()
})"""


def at_rest(page: Page) -> None:
    """Wait until the page has run, is drawn and moves no further: ten frames later.

    Streamlit's buttons hear no key before, and neither does a component whose script is still on
    its way when the run is over. On a busy machine frames, scripts and buttons come late.
    A finger that was lifted leaves the page in motion, as on a phone: a place that is measured
    meanwhile is somewhere else when it is tapped.
    """
    page.evaluate(AT_REST)


def press(page: Page, target: Locator, *, x: float, y: float) -> None:
    """Move the pointer there, then click: charts and tables drawn on a canvas need the move."""
    target.scroll_into_view_if_needed()
    at_rest(page)  # a chart is drawn again for what has come meanwhile
    box = target.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.wait_for_timeout(250)
    page.mouse.down()
    page.wait_for_timeout(60)
    page.mouse.up()


def sign_in(page: Page, server: Server, name: str, *, first_visit: bool = False) -> None:
    """Make the tab and its browser remember one of the people whom the store knew at the start.

    They have seen the worked examples, unless it is their ``first_visit``.

    As if they had chosen their name on Home, without the visit; the sign-in tests do visit it.
    """
    page.goto(f"{server.url}/healthz")
    page.evaluate(REMEMBER, server.people[name])
    if not first_visit:
        page.evaluate(SEEN, [server.people[name], WITH_EXAMPLE])


def close_worked_example(page: Page) -> None:
    """What opens at somebody's first visit of a desk."""
    example = page.get_by_role("dialog").filter(has_text="Worked example")
    example.get_by_role("button", name="Begin").click()
    expect(example).to_have_count(0)


def turn_to(page: Page, address: str) -> None:
    """Go to another address of the app as the Back button does: nothing is loaded anew."""
    at_rest(page)  # Streamlit does not know its pages before
    page.evaluate(
        """address => {
          history.pushState(null, "", address)
          dispatchEvent(new PopStateEvent("popstate"))
        }""",
        address,
    )


def load_anew(page: Page, server: Server, address: str) -> None:
    """Leave a page whose server is away, and load it once that is back.

    Left open, the page would send what it keeps as soon as the server is back, before it is loaded.
    """
    page.goto("about:blank")
    server.start()
    page.goto(address)


def wait_until(page: Page, expression: str, *, seconds: float = 30) -> None:
    """Wait for an expression to hold in the page.

    ``Page.wait_for_function`` would evaluate it in a way that our content policy forbids.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(Error):  # the page is on its way to another address
            if page.evaluate(expression):
                return
        page.wait_for_timeout(50)
    raise AssertionError(f"not in {seconds} s: {expression}")
