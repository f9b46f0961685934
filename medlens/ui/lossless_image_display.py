"""Images unchanged: neither scaled down nor recompressed on the way to a reviewer's eyes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import streamlit as st

from medlens.config.confined_file_reading_and_image_urls import media_type_of_image_bytes
from medlens.ui.browser_component import Component
from medlens.ui.page_frame import escape_markdown
from medlens.ui.streamlit_internals import get_instance

_viewer = Component(
    "image_viewer", js="image_viewer/image_viewer.js", css="image_viewer/image_viewer.css"
)

Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a rectangle in an image, as shares of its width and height."""


def serve_image_and_return_address(content: bytes) -> str:
    """The address at which Streamlit serves an image to this session while it is shown."""
    # Named by content: the same image in two places is one file.
    place = f"image.{blake2b(content, digest_size=8).hexdigest()}"
    manager = get_instance().media_file_mgr
    return str(manager.add(content, media_type_of_image_bytes(content), place))


def draw_image(
    content: bytes, called: str, *, key: str, captioned: bool = False, marks: Sequence[Box] = ()
) -> None:
    """An image to zoom, move and light up to its last pixel, with ``marks`` on it; it opens at full
    size in its own tab.
    """
    # st.image would make a JPEG of at most 1,460 pixels of it.
    address = serve_image_and_return_address(content)
    _viewer(key=key, data={"address": address, "name": called, "marks": [list(o) for o in marks]})
    if captioned:
        st.caption(escape_markdown(called))
