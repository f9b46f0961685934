"""EBMQA: accuracy and answer rate by every label, and the questionnaire for people."""

from medlens.ui import start_page
from medlens.ui.ebmqa import page

here = start_page("Explore EBMQA", wide=True)
with here.page():
    page.draw_page(here)
