"""SourceCheckup: verifying pairs and checking steps for everyone; answers and figures for leads."""

from medlens.ui import start_page
from medlens.ui.sourcecheckup import page

here = start_page("Verify sources", wide=True)
with here.page():
    page.draw_page(here)
