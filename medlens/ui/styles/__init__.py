"""The styles of pages, a file each."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def read_style_sheet(name: str) -> str:
    """A style as a page draws it."""
    return f"<style>\n{(_HERE / f'{name}.css').read_text(encoding='utf-8')}</style>"
