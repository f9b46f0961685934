"""Everything that draws. Pages call ``start_page`` first, for the store and the person."""

from medlens.ui.page_frame import Here, start_page

__all__ = ["Here", "start_page"]
