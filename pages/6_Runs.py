"""Runs: pipelines that ask models, started, watched, stopped and resumed, for leads."""

from medlens.ui import start_page
from medlens.ui.runs import page

here = start_page("Runs", role="lead")
with here.page():
    page.draw_page(here)
