"""Files that items show: images, and pages of PDFs, in a folder per study.

An item keeps the digests of its files next to their names, because changing a file afterwards would
make the item's judgments untrue.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from medlens import confined_process
from medlens.config.confined_file_reading_and_image_urls import (
    find_file_in_folders,
    media_type_of_image_bytes,
    read_regular_file,
)
from medlens.config.shipped_and_home_folders import HOME, IMPORTED_FROM
from medlens.deferred_module import Image
from medlens.errors import InvalidInput
from medlens.review.raters import Rater, require_lead

FILES = "_files"
"""The key in an item for the digests of its files, by name."""
LARGEST = 20_000_000
"""Most bytes of one file."""
KINDS = ("image", "pdf")
"""The kinds of panes that show files."""
_CALLED = {"image": "a PNG, JPEG, GIF or WebP image", "pdf": "a PDF"}
_MOST = 5_000
_MOST_BYTES = 1_000_000_000
_LONGEST = 120
_MOST_PIXELS = 100_000_000
_PAGE = re.compile(r"(?i)#page=(\d{1,5})$")
_STRANGE = re.compile(r'[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff;#"<>|*?:\\]')
_SECONDS, _MEMORY = 20, 1 << 30
_MOST_PLACES = 500
"""Places of words in a PDF that are looked for."""
_WIDTH_FOR_MODELS, SHARP = 1400, 2400
"""The width in pixels of a drawn page: as models get it, and with its fine print, for people."""
_MOST_COLOURS_OF_PRINT = 4096
_ENCRYPTED = 1
"""The bit in a zip that says that a file in it has a password."""
_LONGEST_IN_BYTES = 240
"""File systems take names of at most 255 bytes."""


@dataclass(frozen=True)
class FoundInPdf:
    """Where words stand in a PDF: whether it has any text, the boxes by page, as left, top, right
    and bottom in shares of the page, and whether there may be ``more`` places.
    """

    has_text: bool
    pages: Mapping[int, Sequence[tuple[float, ...]]]
    more: bool = False


@dataclass(frozen=True)
class AttachedStudyFiles:
    """The files of one study, in its own folder."""

    folder: Path

    @property
    def folder_in_words(self) -> str:
        """The folder as shown to a lead."""
        folder = self.folder
        return str(folder.relative_to(HOME) if folder.is_relative_to(HOME) else folder)

    def find_path_of_named_file(self, name: str) -> Path | None:
        """The file that a cell names: the one called so, or else the one whose name differs only in
        how its letters are composed (ä as one character or as two), in case, or in the folders
        before it; of those with this name in different folders of a zip, the one whose folder the
        cell has. None if there is no such file, or if two would fit.
        """
        exact = find_file_in_folders(name, (self.folder,))
        if exact is not None:
            return exact
        fitting = self._names_fitting_best(name)
        return find_file_in_folders(fitting[0], (self.folder,)) if len(fitting) == 1 else None

    def _names_fitting_best(self, name: str) -> list[str]:
        wanted = _parts(name)
        try:
            there = [one.name for one in self.folder.iterdir() if not one.name.startswith(".")]
        except OSError:
            return []
        alike = {one: _many_last_parts_alike(_parts(one), wanted) for one in there}
        most = max(alike.values(), default=0)
        fitting = [one for one, many in alike.items() if many == most > 0]
        composed = [one for one in fitting if _composed(_parts(one)[-1]) == _composed(wanted[-1])]
        return composed or fitting

    def digest_of_file(self, name: str, kind: str) -> str:
        """The digest of a file's content.

        Raises:
            InvalidInput: there is no such file in the folder, or it does not fit this kind of pane.
        """
        return hashlib.sha256(self._content(name, kind)).hexdigest()

    def content_of_file(self, name: str, kind: str, digest: str = "") -> bytes:
        """A file as it was when its item was added; without ``digest``, as it is now.

        Raises:
            InvalidInput: it is missing or has changed. The file is not named, because its name may
                give away whose answer it is.
        """
        found = self._content(name, kind)
        if digest and hashlib.sha256(found).hexdigest() != digest:
            raise InvalidInput(
                "This file was changed after its item was added, so it is not shown.",
                hint="A lead can put it back as it was.",
            )
        return found

    def images_named_in_cell(self, cell: str, kind: str, digests: Mapping[str, str]) -> list[bytes]:
        """The images named by a cell, or the page of its PDF.

        Raises:
            InvalidInput: as ``content_of_file`` and ``render_pdf_page_and_count_pages``.
        """
        names = file_names_in_cell(cell, kind)
        if kind == "pdf":
            return [
                self.render_pdf_page_and_count_pages(
                    one, digests.get(one, ""), find_pdf_page_number_in_cell(cell)
                )[0]
                for one in names
            ]
        return [self.content_of_file(one, kind, digests.get(one, "")) for one in names]

    def render_pdf_page_and_count_pages(
        self, name: str, digest: str, page: int, width: int = _WIDTH_FOR_MODELS
    ) -> tuple[bytes, int]:
        """A page (from 1) of a PDF as an image of this width in pixels (less if it is very long),
        and the number of pages. A page that is itself a picture, such as a scan, is a JPEG, any
        other a PNG.

        Raises:
            InvalidInput: as ``content_of_file``; or it cannot be read, has no such page, or takes
            too long.
        """
        asked = (self, name, digest, page, width)
        if (begun := _BEGUN.get(asked)) is not None:
            with contextlib.suppress(InvalidInput, CancelledError):
                begun.result()
        return _page(*asked)

    def render_pdf_page_ahead(self, name: str, digest: str, page: int, width: int) -> None:
        """Begin to draw a page that is likely to be asked for next, beside everything else."""
        asked = (self, name, digest, page, width)
        if asked not in _BEGUN:
            begun = _BEGUN[asked] = _drawers().submit(_page, *asked)
            begun.add_done_callback(lambda _: _BEGUN.pop(asked, None))

    def find_in_pdf(self, name: str, digest: str, words: str) -> FoundInPdf:
        """Where words stand in the text of a PDF, in upper or lower case.

        Raises:
            InvalidInput: as ``content_of_file``; it cannot be read, or takes too long.
        """
        return _find_in_pdf(self, name, digest, " ".join(words.split())[:_LONGEST])

    def _content(self, name: str, kind: str) -> bytes:
        path = self.find_path_of_named_file(name)
        found = read_regular_file(path, LARGEST) if path is not None else None
        if path is None and len(self._names_fitting_best(name)) > 1:
            raise InvalidInput(
                "Several files have this name, in different folders or with other capitals.",
                hint="The table must have it as it is in the zip: FOLDER/NAME.",
            )
        if found is None:
            raise InvalidInput(
                "This file is missing, or larger than 20 MB.",
                hint="A lead can put it into the study's folder on the server.",
            )
        if not (found.startswith(b"%PDF-") if kind == "pdf" else media_type_of_image_bytes(found)):
            raise InvalidInput(f"This file is not {_CALLED[kind]}.", hint="Convert it first.")
        if kind == "image":
            _require_drawable(found)
        return found

    def _kept_under(self, called: str) -> Path | None:
        """A file that is there already under this name, its letters perhaps composed otherwise."""
        path = self.find_path_of_named_file(called)
        return path if path is not None and _composed(path.name) == called else None

    def add_file_and_say_if_new(self, name: str, content: bytes, *, by: Rater | None) -> bool:
        """Add a file, under the last part of its name; False if it was already there. A name with
        ``OF_FOLDER`` keeps its folders.

        Raises:
            NotAllowed: ``by`` is not a lead.
            InvalidInput: it is not an image or a PDF, is too large, has a name that cannot be used,
                or another file has that name.
        """
        require_lead(by)
        called = _composed(_last_part(name))
        if (
            not called
            or called.startswith(".")
            or len(called) > _LONGEST
            or len(called.encode("utf-8", "surrogatepass")) > _LONGEST_IN_BYTES
            or _STRANGE.search(called)
        ):
            raise InvalidInput(
                f"{called[:_LONGEST]!r} cannot be kept under this name.",
                hint="Use letters, digits, spaces, hyphens and dots, at most 120 characters.",
            )
        if len(content) > LARGEST:
            raise InvalidInput(f"{called!r} is larger than 20 MB.", hint="Shrink it first.")
        if not content.startswith(b"%PDF-") and not media_type_of_image_bytes(content):
            raise InvalidInput(
                f"{called!r} is not a PNG, JPEG, GIF or WebP image, nor a PDF.",
                hint="Convert it first.",
            )
        if media_type_of_image_bytes(content):
            _require_drawable(content, repr(called))
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._kept_under(called) or self.folder / called
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".", delete=False) as file:
            file.write(content)
        try:
            # Unlike a rename, a link never replaces a file that somebody else has put there.
            os.link(file.name, path)
        except FileExistsError:
            if read_regular_file(path, LARGEST) == content:
                return False
            raise InvalidInput(
                f"There is another file called {called!r} already.",
                hint="What items show never changes: give the new file another name.",
            ) from None
        finally:
            os.unlink(file.name)
        return True


NONE = AttachedStudyFiles(Path())
"""If there are no files."""


def _require_drawable(image: bytes, called: str = "This image") -> None:
    """Refuse an image that a browser cannot draw, without unpacking its pixels."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(image)) as seen:
                pixels = seen.width * seen.height
    except Image.DecompressionBombError:
        pixels = _MOST_PIXELS + 1
    except (OSError, ValueError, SyntaxError) as error:
        raise InvalidInput(f"{called} is damaged.", hint="Save it again.") from error
    if pixels > _MOST_PIXELS:
        raise InvalidInput(
            f"{called} has more than {_MOST_PIXELS // 1_000_000} million pixels.",
            hint="Make it smaller, or cut it into several.",
        )


def merge_case_and_arm_cells(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A case's cells and those of one of its arms, with the digests of the files of both."""
    files = {**shared.get(FILES, {}), **own.get(FILES, {})}
    return {**shared, **own} | ({FILES: files} if files else {})


def file_names_in_cell(cell: str, kind: str) -> list[str]:
    """The files that a cell names; it can name several images, separated by semicolons."""
    names = cell.split(";") if kind == "image" else [_PAGE.sub("", cell)]
    return [one.strip() for one in names if one.strip()]


def find_pdf_page_number_in_cell(cell: str) -> int:
    """The page of a PDF that a cell names (``trial.pdf#page=3``), otherwise the first."""
    found = _PAGE.search(cell.strip())
    return max(int(found[1]), 1) if found else 1


def _last_part(name: str) -> str:
    # Some packers on Windows write backslashes.
    return PurePath(name.replace("\\", "/")).name


OF_FOLDER = "\u2215"
"""What stands in a kept file's name for the slash behind a folder, if several have the name."""


def _parts(name: str) -> list[str]:
    """The folders and the name of a file, for comparing."""
    return [part for part in re.split(rf"[/\\{OF_FOLDER}]", name) if part] or [name]


def _many_last_parts_alike(one: Sequence[str], other: Sequence[str]) -> int:
    alike = takewhile(
        lambda both: _comparable(both[0]) == _comparable(both[1]),
        zip(reversed(one), reversed(other), strict=False),
    )
    return len(list(alike))


def _composed(name: str) -> str:
    """A name with its letters as most programs write them: ä as one character, not as two."""
    return unicodedata.normalize("NFC", name)


def _comparable(name: str) -> str:
    return _composed(name).casefold()


_UTF8_NAME, _UNICODE_PATH = 0x800, 0x7075
"""The bit in a zip that says that a name is in UTF-8, and the extra field that has it so."""
_USUAL_LETTERS = frozenset("äöüßéèêëàâáçñíìîïóòôúùûåæøœãõ")


def _name_in_zip(entry: zipfile.ZipInfo) -> str:
    """A file's name in a zip. Packers that do not say how they wrote it use UTF-8 (macOS), the
    code pages of DOS, or that of Windows: the one is taken that makes usual letters of it.
    """
    if entry.flag_bits & _UTF8_NAME or entry.filename.isascii():
        return entry.filename
    raw = entry.filename.encode("cp437", "replace")
    if named := _unicode_path(entry.extra):
        return named
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    readings = [raw.decode(encoding, "replace") for encoding in ("cp437", "cp850", "cp1252")]
    return max(
        readings, key=lambda name: sum(letter in _USUAL_LETTERS for letter in name.casefold())
    )


def _unicode_path(extra: bytes) -> str:
    """The name in an entry's extra field of Info-ZIP; "" if it has none."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == _UNICODE_PATH:
            # After a version and a checksum of the name in the header.
            return extra[at + 9 : at + 4 + size].decode("utf-8", "ignore")
        at += 4 + size
    return ""


def is_image_or_pdf(path: Path) -> bool:
    """Whether an upload begins as an image or a PDF, and so is no zip to be unpacked."""
    with path.open("rb") as file:
        return is_content_of_image_or_pdf(file.read(16))


def is_content_of_image_or_pdf(content: bytes) -> bool:
    """Whether bytes begin as an image or a PDF does."""
    return content.startswith(b"%PDF-") or bool(media_type_of_image_bytes(content[:16]))


def iterate_attached_file_names_and_contents(
    name: str, path: Path, refused: list[str]
) -> Iterator[tuple[str, bytes]]:
    """The files of an upload called ``name``: the upload itself, or a zip's contents. Why a file in
    the zip cannot be unpacked is added to ``refused``.

    A zip can do much to whoever opens it: this belongs in a process with limits.

    Raises:
        InvalidInput: the zip is damaged, or has too many or too large files.
    """
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            yield name, file.read(LARGEST + 1)
        return
    with path.open("rb") as packed:
        yield from iterate_zip_file_names_and_contents(
            repr(name), packed, refused=refused, with_folders=True
        )


_UNPACKING = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
    struct.error,
)
"""What a zip that is damaged, has a password or is packed in a way that is not known raises."""


def iterate_zip_file_names_and_contents(
    name: str,
    packed: BinaryIO,
    *,
    wanted: tuple[str, ...] = ("",),
    largest: int = LARGEST,
    refused: list[str] | None = None,
    with_folders: bool = False,
) -> Iterator[tuple[str, bytes]]:
    """The files in a zip with one of the ``wanted`` endings; one larger than ``largest`` is cut
    just beyond that. With ``refused``, a file that cannot be unpacked is named there, and the
    others are still given. ``with_folders``: different images or PDFs of one name in several
    folders are called by these too, with ``OF_FOLDER`` for the slash.

    Raises:
        InvalidInput: the zip is damaged, or has too many or too large files.
    """
    broken = InvalidInput(
        f"{name} cannot be unpacked: it is not a zip file, is cut short or has a password.",
        hint="Pack it again as an ordinary zip file.",
    )
    try:
        opened = zipfile.ZipFile(packed)
    except _UNPACKING as error:
        raise broken from error
    with opened:
        # Skip the metadata files that macOS adds for each file.
        there = [
            entry
            for entry in opened.infolist()
            if not entry.is_dir()
            and not _last_part(entry.filename).startswith(".")
            and not entry.filename.startswith("__MACOSX/")
            and entry.filename.casefold().endswith(wanted)
        ]
        if len(there) > _MOST or sum(entry.file_size for entry in there) > _MOST_BYTES:
            raise InvalidInput(
                f"{name} holds more than {_MOST:,} files, or more than 1 GB.",
                hint="Put them into several zip files.",
            )
        by_folder = _entries_of_one_name(there) if with_folders else frozenset()
        for entry in there:
            try:
                with opened.open(entry) as file:
                    content = file.read(largest + 1)
            except _UNPACKING as error:
                if refused is None:
                    raise broken from error
                refused.append(_why_packed(entry, name))
            else:
                name_there = _name_in_zip(entry)
                if entry in by_folder and is_content_of_image_or_pdf(content):
                    name_there = OF_FOLDER.join(re.split(r"[/\\]+", name_there.strip("/\\")))
                yield name_there, content


def _entries_of_one_name(entries: Iterable[zipfile.ZipInfo]) -> Set[zipfile.ZipInfo]:
    """The files of a zip that have their names, but not their contents, in common with others."""
    called: dict[str, list[zipfile.ZipInfo]] = {}
    for entry in entries:
        called.setdefault(_composed(_last_part(_name_in_zip(entry))), []).append(entry)
    return {
        entry
        for alike in called.values()
        if len({(one.CRC, one.file_size) for one in alike}) > 1
        for entry in alike
    }


def _why_packed(entry: zipfile.ZipInfo, name: str) -> str:
    called = repr(_last_part(_name_in_zip(entry))[:_LONGEST])
    if entry.flag_bits & _ENCRYPTED:
        return f"{called} in {name} has a password. Pack it again without one."
    return f"{called} in {name} is damaged, or packed in an unusual way. Pack it again."


# -- pages of PDFs ---------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _page(
    attached: AttachedStudyFiles, name: str, digest: str, page: int, width: int
) -> tuple[bytes, int]:
    content = attached.content_of_file(name, "pdf", digest)
    head, _, image = _with_pdf(content, "draw", str(page), str(width)).partition(b"\n")
    if not head.isdigit():
        raise _unreadable()
    pages = int(head)
    if not image:
        raise InvalidInput(
            f"This PDF has {pages} pages, and the item asks for page {page}.",
            hint="A lead can correct the page that the item names.",
        )
    return image, pages


_BEGUN: dict[tuple[AttachedStudyFiles, str, str, int, int], Future[tuple[bytes, int]]] = {}
"""Pages that are being drawn ahead."""


@lru_cache(maxsize=1)
def _drawers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="pdf")


@lru_cache(maxsize=64)
def _find_in_pdf(attached: AttachedStudyFiles, name: str, digest: str, words: str) -> FoundInPdf:
    content = attached.content_of_file(name, "pdf", digest)
    answer = json.loads(_with_pdf(content, "find", words.encode().hex()))
    places = {int(page): [tuple(box) for box in boxes] for page, boxes in answer["pages"].items()}
    return FoundInPdf(bool(answer["text"]), places, bool(answer["more"]))


def _unreadable() -> InvalidInput:
    return InvalidInput("This PDF cannot be read.", hint="Save it again, without a password.")


def _with_pdf(content: bytes, *asked: str) -> bytes:
    """What a process of its own, without keys and with limits, says of a PDF, which can come from
    anybody.
    """
    try:
        done = subprocess.run(  # noqa: S603  (our own module)
            [sys.executable, "-m", "medlens.studies.own.attached_files", *asked],
            input=content,
            capture_output=True,
            timeout=_SECONDS,
            cwd=IMPORTED_FROM,
            env=confined_process.environment_variables_of_confined_process(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise InvalidInput(
            "This PDF takes too long to draw.", hint="Save it again with simpler pages."
        ) from error
    if done.returncode:
        raise _unreadable()
    return done.stdout


def _draw(page: int, width: int) -> None:
    """Draw a page of the PDF on standard input; write the number of pages, then the image."""
    confined_process.limit_memory(_MEMORY, beyond=True)
    import pypdfium2  # type: ignore[import-untyped]

    document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
    out = sys.stdout.buffer
    out.write(f"{len(document)}\n".encode())
    if page <= len(document):
        drawn = document[page - 1]
        # A page of any size takes the same memory.
        scale = width / max(drawn.get_width(), drawn.get_height() * 0.6, 1.0)
        image = drawn.render(scale=scale).to_pil().convert("RGB")
        # Scans take a second as a PNG, and are no sharper for it; print does not.
        if image.reduce(4).getcolors(_MOST_COLOURS_OF_PRINT) is None:
            image.save(out, "JPEG", quality=92, subsampling=0)
        else:
            image.save(out, "PNG", compress_level=1)


def _find(words: str) -> None:
    """Look for words in the PDF on standard input; write the places as JSON."""
    confined_process.limit_memory(_MEMORY, beyond=True)
    import ctypes

    import pypdfium2
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

    document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
    pages: dict[int, list[list[float]]] = {}
    count, has_text = 0, False
    whole = 10_000
    for number, page in enumerate(document, 1):
        text = page.get_textpage()
        has_text = has_text or text.count_chars() > 0
        search = text.search(words) if words else None
        while search and count < _MOST_PLACES and (place := search.get_next()):
            count += 1
            for at in range(text.count_rects(*place)):
                left, bottom, right, top = text.get_rect(at)
                corners = []
                for x, y in ((left, top), (right, bottom)):
                    # Pages may be turned or cut to a part.
                    across, down = ctypes.c_int(), ctypes.c_int()
                    pdfium.FPDF_PageToDevice(
                        *(page, 0, 0, whole, whole, 0, x, y),
                        *(ctypes.byref(across), ctypes.byref(down)),
                    )
                    corners.append((across.value / whole, down.value / whole))
                (x1, y1), (x2, y2) = corners
                box = [min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)]
                pages.setdefault(number, []).append(box)
    answer = {"text": has_text, "pages": pages, "more": count >= _MOST_PLACES}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    if sys.argv[1] == "find":
        _find(bytes.fromhex(sys.argv[2]).decode())
    else:
        _draw(int(sys.argv[2]), int(sys.argv[3]))
