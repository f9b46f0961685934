"""Error tagging: the desk for everyone; results and open coding for leads."""

from medlens.ui import start_page
from medlens.ui.tagging import page

here = start_page("Tag errors", wide=True)
with here.page():
    page.draw_page(here)
