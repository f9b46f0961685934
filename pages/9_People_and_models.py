"""People and models: how far each model may be trusted, for leads."""

from medlens.ui import erasing, start_page, trust_page

here = start_page(trust_page.TITLE, role="lead")
with here.page():
    trust_page.draw_trust(here)
    erasing.draw_erase_anybody(here)
