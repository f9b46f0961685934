"""Team: progress, people, flags, gold items and settings, for leads."""

from medlens.ui import start_page, team

here = start_page("Team", role="lead", wide=True)
with here.page():
    team.draw_team(here)
