"""People and models: how far each model may be trusted, for leads."""

from medlens.ui import start_page, trust

here = start_page(trust.TITLE, role="lead")
with here.page():
    trust.draw(here)
