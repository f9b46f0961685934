"""Data: files in and out, for leads."""

from medlens.ui import start_page
from medlens.ui.data import page

here = start_page("Data", role="lead")
with here.page():
    page.draw_page(here)
