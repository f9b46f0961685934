"""The images of cases: web addresses, and copies of them in your own folder."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from medlens.config.confined_file_reading_and_image_urls import (
    find_file_in_folders,
    image_data_url,
    media_type_of_image_bytes,
    read_regular_file,
)
from medlens.errors import InvalidInput

LARGEST = 20_000_000
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def is_web_address(image: str) -> bool:
    """Whether a case names an address rather than a file."""
    return image.startswith(("https://", "http://"))


def file_stem_of_image_copy(image: str) -> str:
    """The file name of a web address's copy, without its ending (``.png``, ``.jpg``, …)."""
    return f"image-{hashlib.sha256(image.encode()).hexdigest()[:12]}"


def find_image_copy(image: str, folder: Path | None) -> Path | None:
    """The copy of an image in the folder, None if there is none.

    A name is the file's name. A web address is found under ``file_stem_of_image_copy`` or, if it
    ends in a file name (``…/scan.png``), under that.
    """
    if folder is None or image.startswith("data:"):
        return None
    names = [image]
    if is_web_address(image):
        names = [file_stem_of_image_copy(image) + suffix for suffix in _SUFFIXES]
        last = PurePosixPath(urlsplit(image).path).name
        if last.lower().endswith(_SUFFIXES):
            names.append(last)
    for name in names:
        path = find_file_in_folders(name, (folder,))
        if path is not None and path.is_file():
            return path
    return None


def read_media_type_and_bytes_of_image(path: Path) -> tuple[str, bytes]:
    """The media type and the bytes of a copy.

    Raises:
        InvalidInput: it is larger than ``LARGEST``, or not a PNG, JPEG, GIF or WebP.
    """
    raw = read_regular_file(path, LARGEST)
    if raw is None:
        raise InvalidInput(
            f"The image {path.name!r} is larger than 20 MB, or cannot be read.",
            hint="Shrink it, or check who may read it.",
        )
    kind = media_type_of_image_bytes(raw)
    if not kind:
        raise InvalidInput(
            f"The image {path.name!r} is not a PNG, JPEG, GIF or WebP.", hint="Convert it first."
        )
    return kind, raw


def image_data_url_or_web_address(image: str, folder: Path | None) -> str:
    """What is sent to a model for an image: its copy's bytes, or else its web address.

    Raises:
        InvalidInput: it has neither, or the copy is too large or not an image.
    """
    path = find_image_copy(image, folder)
    if path is not None:
        return image_data_url(read_media_type_and_bytes_of_image(path)[1])
    if is_web_address(image) or image.startswith("data:image/"):
        return image
    raise InvalidInput(
        f"The image {image!r} is not a web address, and there is no copy of it.",
        hint="Put one into the folder that images_folder names, under this name.",
    )
