"""Our own components: scripts and styles that Streamlit serves and mounts.

Each has a folder in ``components``; shared files are in ``components/shared``.
"""

from __future__ import annotations

import threading
from functools import cache
from hashlib import blake2b
from typing import Any

import streamlit as st

from medlens.ui import page_address, preload_link_header_of_page_files
from medlens.ui.streamlit_internals import (
    ComponentConfig,
    ComponentManifest,
    get_bidi_component_manager,
)

_PACKAGE = "medlens"
_FOLDER = preload_link_header_of_page_files.FILES

_mounts: dict[str, Any] = {}
_mounting = threading.Lock()


class Component:
    """A component: called like a component of ``st.components.v2``, it is mounted on the page.

    ``js`` and ``css`` are the first files to load, as paths within ``components`` (``css`` may be
    the style itself).
    """

    def __init__(self, name: str, *, js: str, css: str) -> None:
        self._js, self._css = js, css
        self._files = tuple(file for file in (js, css) if file.endswith((".js", ".css")))
        # The name is part of every file's address. Streamlit serves files without a version, and
        # modules import each other by relative address: with the fingerprint in the name, an
        # upgrade changes all addresses together and never mixes old modules with new.
        self.part = f"{name}_{_fingerprint()}"
        self.name = f"{_PACKAGE}.{self.part}"

    def __call__(self, *, key: str, data: Any, **callbacks: Any) -> Any:
        preload_link_header_of_page_files.record_files_page_needs(
            page_address.current_page_title(), self.name, self._files
        )
        return self._mount()(key=key, data=data, **callbacks)

    def _mount(self) -> Any:
        """The mounting command, with the files registered in the runtime that is serving.

        When it starts, Streamlit finds component folders in the manifests of installed packages.
        This makes the same registration at first use, so it also works if the project is not
        installed, and in AppTest, which makes a runtime of its own.
        """
        manager = get_bidi_component_manager()
        with _mounting:
            if self.name not in _mounts or manager.get_component_asset_root(self.name) is None:
                config = ComponentConfig(name=self.part, asset_dir=_FOLDER.name)
                manager.register_from_manifest(
                    ComponentManifest(name=_PACKAGE, version="1", components=[config]),
                    _FOLDER.parent,
                )
                _mounts[self.name] = st.components.v2.component(
                    self.name, js=self._js, css=self._css, isolate_styles=False
                )
            return _mounts[self.name]


@cache
def _fingerprint() -> str:
    digest = blake2b(digest_size=6)
    for path in sorted(_FOLDER.rglob("*.*")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
