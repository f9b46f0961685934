"""AgentClinic: rating and checking for everyone; reading, cases and figures for leads."""

from medlens.ui import start_page
from medlens.ui.agentclinic import page

here = start_page("Read transcripts", wide=True)
with here.page():
    page.draw_page(here)
