"""Messages of a browser on their way into a session of the running server."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient
from streamlit.web.cache_storage_manager_config import create_default_cache_storage_manager

from medlens.ui.browser_bound_sessions import BrowserBoundRuntime, install_ordered_runtime

PAGE = """
import streamlit as st

@st.fragment
def part():
    st.text("part " + st.query_params.get("at", "nowhere"))

part()
for n in range(200):
    st.text(f"line {n}")
"""


class Browser(SessionClient):
    """What the browser has been sent."""

    def __init__(self) -> None:
        self.got: list[ForwardMsg] = []

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        self.got.append(msg)

    def texts(self) -> list[str]:
        return [one.delta.new_element.text.body for one in self.got if one.HasField("delta")]

    async def finished(self, runs: int) -> None:
        async with asyncio.timeout(20):
            while sum(one.WhichOneof("type") == "script_finished" for one in self.got) < runs:
                await asyncio.sleep(0.01)

    async def rests(self) -> None:
        """Wait until no more has come for half a second."""
        heard = -1
        while heard < len(self.got):
            heard = len(self.got)
            await asyncio.sleep(0.5)


def rerun(fragment: str = "", at: str = "") -> BackMsg:
    message = BackMsg()
    message.rerun_script.fragment_id = fragment
    message.rerun_script.query_string = at
    return message


def browse(tmp_path: Path, then: list[str], kind: type[Runtime] = BrowserBoundRuntime) -> Browser:
    """A browser that sends these requests as a run ends: of the fragment, or of a whole page with
    that address; what it got from then on. ``kind`` is the server's runtime: ``streamlit run`` has
    Streamlit's own.
    """
    page = tmp_path / "page.py"
    page.write_text(PAGE)

    async def session() -> Browser:
        runtime = kind(
            RuntimeConfig(
                script_path=str(page),
                media_file_storage=MemoryMediaFileStorage("/media"),
                uploaded_file_manager=MemoryUploadedFileManager("/upload"),
                cache_storage_manager=create_default_cache_storage_manager(),
                session_storage=MemorySessionStorage(),
            )
        )
        install_ordered_runtime()
        await runtime.start()
        browser = Browser()
        session = runtime.connect_session(browser, {})
        runtime.handle_backmsg(session, rerun())
        await browser.finished(1)
        fragment = next(one.delta.fragment_id for one in browser.got if one.delta.fragment_id)
        browser.got.clear()

        runtime.handle_backmsg(session, rerun())
        own = runtime._session_mgr.get_session_info(session)
        assert own is not None
        assert own.session._scriptrunner is not None
        # The run ends while the event loop is busy, and what it has drawn waits to be sent.
        thread = own.session._scriptrunner._script_thread
        assert thread is not None
        thread.join(20)
        for one in then:
            runtime.handle_backmsg(session, rerun(fragment) if one == "part" else rerun(at=one))
        await browser.finished(2)
        await browser.rests()
        runtime.stop()
        await runtime.stopped
        return browser

    return asyncio.run(session())


@pytest.fixture(autouse=True)
def _no_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runtime, "_instance", None)


@pytest.mark.first_quick
@pytest.mark.parametrize("kind", [BrowserBoundRuntime, Runtime])
def test_a_fragments_request_at_the_end_of_a_run_loses_none_of_the_page(
    tmp_path: Path, kind: type[Runtime]
) -> None:
    browser = browse(tmp_path, ["part"], kind)
    assert set(browser.texts()) >= {f"line {n}" for n in range(200)}


def test_what_follows_a_request_that_waits_is_not_overtaken_by_it(tmp_path: Path) -> None:
    # Overtaken, the part would end with the address of the earlier request, which has none.
    browser = browse(tmp_path, ["part", "at=b"])
    assert [one for one in browser.texts() if one.startswith("part")][-1] == "part b"


@pytest.mark.deep
def test_streamlit_run_multiplies_on_one_thread_too() -> None:
    # Chosen when numpy is loaded, which Streamlit leaves to the page.
    said = (
        "import os, sys, streamlit.web.cli; loaded = 'numpy' in sys.modules; import medlens;"
        " print(loaded, os.environ['OPENBLAS_NUM_THREADS'])"
    )
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", said], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "1"]
