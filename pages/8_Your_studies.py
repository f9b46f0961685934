"""Studies of a team's own: the desk and the figures of the one that the address names."""

from medlens.ui import own_study_desk_and_results, start_page

here = start_page("Your studies", wide=True)
with here.page():
    own_study_desk_and_results.draw_own_study_desk_and_results(here)
