"""People and models: how far each model may be trusted, for leads."""

from medlens.ui import erasure_forms, judge_trust_page, start_page

here = start_page(judge_trust_page.TITLE, role="lead")
with here.page():
    judge_trust_page.draw_judge_trust(here)
    erasure_forms.draw_person_erasure(here)
