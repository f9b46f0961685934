"""What a new Streamlit would break: each private part that MedLens uses is there, by name.

The file that uses them is read, not imported, so that one missing part does not hide the others.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[2] / "medlens/ui/streamlit_internals.py"
TREE = ast.parse(FILE.read_text("utf-8"))

IMPORTED = sorted(
    f"{node.module}.{alias.name}"
    for node in ast.walk(TREE)
    if isinstance(node, ast.ImportFrom) and str(node.module).startswith("streamlit")
    for alias in node.names
)

HELD_BY = {
    "_pages_manager": "streamlit.runtime.app_session.AppSession",
    "_send_message": "streamlit.runtime.Runtime",
    "_session_mgr": "streamlit.runtime.Runtime",
    "_scriptrunner": "streamlit.runtime.app_session.AppSession",
    "_backend_operation_dispatcher": "streamlit.runtime.app_session.AppSession",
    "_browser_queue": "streamlit.runtime.app_session.AppSession",
    "_client_state": "streamlit.runtime.app_session.AppSession",
    "_requests": "streamlit.runtime.scriptrunner.script_runner.ScriptRunner",
    "_script_thread": "streamlit.runtime.scriptrunner.script_runner.ScriptRunner",
    "_session_state": "streamlit.runtime.scriptrunner.script_runner.ScriptRunner",
    "_run_script": "streamlit.runtime.scriptrunner.script_runner.ScriptRunner",
    "_state": "streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests",
    "_rerun_data": "streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests",
    "_request_rerun_locked": "streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests",
    "_deferred_callables": "streamlit.runtime.media_file_manager.MediaFileManager",
    "_storage": "streamlit.runtime.media_file_manager.MediaFileManager",
    "_get_media_file_mgr": ("streamlit.runtime.backend_operation_handler.DeferredFileHandler"),
    "_create_runtime": "streamlit.web.server.starlette.App",
    "_resolve_script_path": "streamlit.web.server.starlette.App",
    "_on_script_error": "streamlit.web.server.starlette.App",
    "_main_script_path": "streamlit.config",
    "_loggers": "streamlit.logger",
    "_component": "streamlit_annotation_tools",
}
"""Attributes that are no interface, and the class or module that has them."""

USED_PUBLIC = {
    "stats_mgr": "streamlit.runtime.Runtime",
    "media_file_mgr": "streamlit.runtime.Runtime",
    "uploaded_file_mgr": "streamlit.runtime.Runtime",
    "is_active_session": "streamlit.runtime.Runtime",
    "clear_user_info_for_session": "streamlit.runtime.Runtime",
    "request_rerun": "streamlit.runtime.app_session.AppSession",
    "execute_deferred": "streamlit.runtime.media_file_manager.MediaFileManager",
    "file_storage": "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager",
    "setup_formatter": "streamlit.logger",
    "load_config_options": "streamlit.web.bootstrap",
    "get_component_asset_root": ("streamlit.components.v2.component_manager.BidiComponentManager"),
    "register_from_manifest": ("streamlit.components.v2.component_manager.BidiComponentManager"),
}
"""Attributes without an underscore of what is private itself."""

OVERRIDDEN = {
    "streamlit.runtime.Runtime.handle_backmsg": ("session_id", "msg", "client"),
    "streamlit.runtime.Runtime._send_message": ("session_info", "msg"),
    "streamlit.runtime.Runtime.connect_session": (
        *("client", "user_info", "existing_session_id", "session_id_override"),
    ),
    "streamlit.runtime.memory_media_file_storage.MemoryMediaFileStorage.load_and_get_id": (
        *("path_or_data", "mimetype", "kind", "filename"),
    ),
    "streamlit.runtime.memory_media_file_storage.MemoryMediaFileStorage.delete_file": ("file_id",),
    "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager.remove_file": (
        *("session_id", "file_id"),
    ),
    (
        "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager"
        ".remove_session_files"
    ): ("session_id",),
    "streamlit.runtime.backend_operation_handler.DeferredFileHandler.handle": (
        *("request", "session_id"),
    ),
    "streamlit.runtime.scriptrunner.script_runner.ScriptRunner._run_script": ("rerun_data",),
    ("streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests._request_rerun_locked"): (
        "new_data",
    ),
    "streamlit.web.server.starlette.App._create_runtime": (),
}
"""Methods that a class of ours overrides, or that are wrapped, with what they take."""

ROUTES = ("_stcore/metrics", "_stcore/bidi-components", "_stcore/script-health-check")
"""Addresses that are closed or announced, besides those that Streamlit has a constant for."""


def part(name: str) -> Any:
    """A module, or what it has, by its dotted name; fails with the name of what is gone."""
    try:
        return importlib.import_module(name)
    except ImportError:
        owner, _, last = name.rpartition(".")
    if not owner:
        pytest.fail(f"{name} cannot be imported")
    held = part(owner)
    assert hasattr(held, last), f"Streamlit has no {name} any more"
    return getattr(held, last)


@cache
def attributes(holder: Any) -> set[str]:
    """What a module or class has, and what instances of the class are given."""
    names = set(dir(holder))
    if inspect.isclass(holder):
        names |= set(re.findall(r"^\s+self\.(\w+)(?:: .*)? = ", inspect.getsource(holder), re.M))
    return names


@pytest.mark.parametrize("name", IMPORTED)
def test_an_import_is_there(name: str) -> None:
    part(name)


@pytest.mark.parametrize("name", [*HELD_BY, *USED_PUBLIC])
def test_an_attribute_is_there(name: str) -> None:
    owner = {**HELD_BY, **USED_PUBLIC}[name]
    assert name in attributes(part(owner)), f"{owner} has no {name} any more"


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_an_overridden_method_takes_what_ours_takes(name: str) -> None:
    method = inspect.unwrap(part(name))
    assert tuple(inspect.signature(method).parameters)[1:] == OVERRIDDEN[name], name


def test_every_private_attribute_in_use_is_listed() -> None:
    used = {
        node.attr
        for node in ast.walk(TREE)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
    } | {
        node.name
        for node in ast.walk(TREE)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_")
    }
    assert used == set(HELD_BY)


def test_the_runtime_is_made_of_what_ours_is_given() -> None:
    given = next(
        {str(word.arg) for word in node.keywords}
        for node in ast.walk(TREE)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "RuntimeConfig"
    )
    takes = inspect.signature(part("streamlit.runtime.RuntimeConfig")).parameters
    needed = {name for name, taken in takes.items() if taken.default is taken.empty}
    assert needed <= given <= set(takes)


def test_the_page_and_the_addresses_are_where_they_are_looked_for() -> None:
    folder = Path(part("streamlit").__file__).parent
    assert "<script" in (folder / "static/index.html").read_text("utf-8")
    routes = part("streamlit.web.server.starlette.starlette_routes")
    source = inspect.getsource(routes)
    missing = [
        route for route in ROUTES if route.removeprefix(f"{routes.BASE_ROUTE_CORE}/") not in source
    ]
    assert missing == []
    assert routes.BASE_ROUTE_MEDIA == "media"
    assert part("streamlit.web.server.starlette.starlette_agent_routes")._ROUTE_AGENT_INTERACT == (
        "_stcore/agent/interact"
    )
