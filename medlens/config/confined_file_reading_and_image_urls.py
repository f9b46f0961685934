"""Files named in another file: only regular ones, of limited size, in the folders meant for
them.

Whoever wrote the name may not be allowed to read the server's files, so every refusal looks the
same and does not reveal what exists.
"""

from __future__ import annotations

import base64
import os
import stat
from collections.abc import Iterable
from pathlib import Path


def find_file_in_folders(name: str, folders: Iterable[Path | None]) -> Path | None:
    """The path of ``name`` in the first of the folders that it does not lead out of.

    Links are followed first. None if nothing is there, or nothing that may be read.
    """
    for folder in folders:
        if folder is None:
            continue
        try:
            path = (folder / name).resolve(strict=True)
            inside = path.is_relative_to(folder.resolve(strict=True))
        except (OSError, ValueError, RuntimeError):
            continue  # nothing there, no name of a file at all, or links in a circle
        if inside:
            return path
    return None


def read_regular_file(path: Path, most: int) -> bytes | None:
    """The content of a regular file of at most ``most`` bytes; None for anything else.

    Opening a device or a pipe could block for ever, so neither is opened.
    """
    try:
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return None
        try:
            content = file.read(most + 1)
        except OSError:
            return None
    return content if len(content) <= most else None


_IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


def media_type_of_image_bytes(content: bytes) -> str:
    """The media type of a PNG, JPEG, GIF or WebP; empty for anything else."""
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _IMAGES if content.startswith(start)), "")


def image_data_url(content: bytes) -> str:
    """An image as a ``data:`` URL, the form in which models receive it."""
    return f"data:{media_type_of_image_bytes(content)};base64,{base64.b64encode(content).decode()}"
