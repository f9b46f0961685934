"""Images unchanged: neither scaled down nor recompressed on the way to a reviewer's eyes."""

from __future__ import annotations

from hashlib import blake2b

import streamlit as st

from medlens.config.referenced_files import image_media_type
from medlens.ui.frame import escape_markdown
from medlens.ui.streamlit_internals import get_instance


def image_address(content: bytes) -> str:
    """The address at which Streamlit serves an image to this session while it is shown."""
    # Named by content: the same image in two places is one file.
    place = f"image.{blake2b(content, digest_size=8).hexdigest()}"
    manager = get_instance().media_file_mgr
    return str(manager.add(content, image_media_type(content), place))


def draw_image(content: bytes, called: str, *, captioned: bool = False) -> None:
    """An image that opens at full size in its own tab."""
    # st.image would make a JPEG of at most 1,460 pixels of it.
    address, called = image_address(content), escape_markdown(called)
    st.markdown(f"[![{called}]({address})]({address})")
    if captioned:
        st.caption(called)
