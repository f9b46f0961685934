"""The files a page is about to need, announced to the browser with its first response.

Otherwise the browser learns of a component only when the page's script has run, and of each file
only after reading the one that imports it: one round trip after another before any text shows.
Pages do not declare their components; they are recorded as they are drawn, so everyone after the
first visitor benefits.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from medlens.ui.streamlit_internals import COMPONENT_ROUTE, STATIC_FOLDER

FILES = Path(__file__).parent / "components"
# Drawn by every page of ours, and not named by Streamlit's own page.
_PARTS = ("BidiComponent", "Html", "PageLink")
_FONT = "MaterialSymbols-Rounded"
_TEXTS = (".css", ".js")
_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*(?:url\()?["'](\.{1,2}/[^"']+)["']""")

_drawn: dict[str, dict[str, None]] = defaultdict(dict)


def record_files_page_needs(page: str, component: str, files: tuple[str, ...]) -> None:
    """Note that a page drew a component with these first files (as in ``Component``)."""
    for file in (one for first in files for one in _with_imports(first)):
        _drawn[_path(page)][f"{COMPONENT_ROUTE}{component}/{file}"] = None


def preload_link_header(path: str) -> str:
    """The ``Link`` header for the page at a path, which lists the files it is about to need."""
    found = dict(_of_streamlit())
    found |= {file: _kind(file) for file in list(_drawn.get(path, ()))}
    return ", ".join(f"<{file}>; {kind}" for file, kind in found.items())


def _path(page: str) -> str:
    return "/" if page == "Home" else f"/{page.replace(' ', '_')}"


def _kind(file: str) -> str:
    if file.endswith(".css"):
        return "rel=preload; as=style"
    return "rel=modulepreload" if file.endswith(".js") else "rel=preload; as=font; crossorigin"


@cache
def _with_imports(first: str) -> tuple[str, ...]:
    """One of our files and everything it imports, as paths within ``FILES``."""
    return tuple(path.relative_to(FILES).as_posix() for path in _reached(FILES / first))


@cache
def _of_streamlit() -> dict[str, str]:
    """Streamlit's files for ``_PARTS``, except those that its page names itself. Their names change
    with its version: files not found are left out.
    """
    named = (STATIC_FOLDER / "index.html").read_text("utf-8")
    parts = [path for part in _PARTS for path in (STATIC_FOLDER / "static/js").glob(f"{part}.*.js")]
    files = [path for part in parts for path in _reached(part)]
    files += (STATIC_FOLDER / "static/media").glob(f"{_FONT}.*.woff2")
    return {
        f"/{path.relative_to(STATIC_FOLDER).as_posix()}": _kind(path.name)
        for path in files
        if path.name not in named
    }


def _reached(first: Path) -> list[Path]:
    found = [first]
    for path in found:
        imports = _IMPORT.findall(path.read_text("utf-8")) if path.suffix in _TEXTS else []
        # Not resolved: an environment may be a link, and its files would then be elsewhere.
        for there in (Path(os.path.normpath(path.parent / one)) for one in imports):
            if there not in found and there.is_file():
                found.append(there)
    return found
