"""People and models: how far each model may be trusted, for leads."""

from medlens.ui import judge_trust_page, person_and_item_text_erasure_forms, start_page

here = start_page(judge_trust_page.TITLE, role="lead")
with here.page():
    judge_trust_page.draw_judge_trust(here)
    person_and_item_text_erasure_forms.draw_choice_of_person_to_erase(here)
