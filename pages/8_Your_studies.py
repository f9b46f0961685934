"""Studies of a team's own: the desk and the figures of the one that the address names."""

from medlens.ui import own_study, start_page

here = start_page("Your studies", wide=True)
with here.page():
    own_study.draw_own_study(here)
