"""The desk and the figures of your own study: what is shown of an item, and its questions.

Everything from the study's file and its items is shown as plain text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from medlens.config.question_forms_and_answer_checks import Question
from medlens.errors import MedLensError
from medlens.review import (
    guideline,
    items,
    judging,
    practice,
    randomised_model_suggestions,
    second_pass,
)
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.figure_definitions import VIEW
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.own.attached_files import FILES
from medlens.studies.own.blinded_arms import (
    ARM,
    ARMS,
    ORDER,
    ArmQuestionsAsShown,
    random_arm_order,
)
from medlens.studies.own.model_name_masking import MaskedItem, mask_names_in_cells
from medlens.studies.own.study import Study, open_study
from medlens.studies.own.study_file import Place, StudyDeclaration
from medlens.studies.own.tasks import STUDY, Answers, OwnTask, make_arm_questions_as_shown
from medlens.studies.registry import STUDIES
from medlens.ui import (
    Here,
    dataset_choice_and_round_controls,
    desk_view,
    make_study,
    own_marking_desk,
    own_study_file_page,
    study_navigation,
)
from medlens.ui.answer_form import ChangeOf, Values, ValuesOf, draw_answer_form
from medlens.ui.archive_unarchive_and_delete_forms import draw_archive_form
from medlens.ui.coding import page as coding
from medlens.ui.desk import Desk
from medlens.ui.desk_bar import BAR_STYLE
from medlens.ui.figures import page as figures
from medlens.ui.keyboard_help import draw_button_for_list_of_keys
from medlens.ui.own_item_panes_and_questions import (
    STYLE,
    desk_places_in_use,
    draw_panes_of_item,
    marks_updated_with_changed_fields,
    questions_as_form_fields,
    valid_answer_from_field,
    values_of_mark_fields,
)
from medlens.ui.page_frame import escape_markdown, escape_to_one_line
from medlens.ui.prepared_next_item import NextItemAhead
from medlens.ui.rename_forms import draw_rename_form
from medlens.ui.survey_forms import answers_as_field_values
from medlens.ui.task_share_and_desk_message_receiver import run_desk_method_one_at_a_time
from medlens.ui.untrusted_markdown import draw_untrusted_markdown

_CODING = "Open coding"
_MAKE, _FILE = "Make a study", "Study file"
_WITHIN = ("", "second-")
"""What tells the panes in the second box of a place from those in the first."""
_HELP = (
    ("A B C …", "choose a question, or move into its text; in long forms two letters, one by one"),
    ("1 … 9, 0", "answer it; ⇧1, ⇧2, … with Shift from the 11th option on"),
    ("=", "the text needs no change; no passage is meant"),
    ("X", "it does not apply"),
    ("+ − Home End [ ]", "in an image: zoom, fit, every pixel, darken and lighten"),
    ("Enter", "submit"),
    ("Ctrl+Enter", "submit, from a text field too"),
    ("J K", "next, previous item"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)
_OF_MARKS = (
    ("1 … 9", "in a text to mark: give the selected words a label, or take it off"),
    ("← → ↑ ↓", "in that text: choose words; with Shift, more of them"),
    ("N P Enter Delete", "in that text: next and previous mark, open it, remove it"),
)
_OF_SOURCES = (
    ("N P", "next, previous highlighted sentence of a source"),
    ("M", "mark the sentence, or take its mark off"),
    ("/", "search in the source"),
    ("O", "open the original"),
)


def draw_own_study_desk_and_results(here: Here) -> None:
    """The study that the address names: its desk and, for leads, its results."""
    dataset = dataset_choice_and_round_controls.pick_dataset_and_set_address_or_stop_page(
        here, STUDY
    )
    study = open_study(here.store, here.settings, dataset)
    lead = here.person.role == "lead"
    subject = own_marking_desk.find_open_coding_setup_of_study(here.store, study)
    empty = study.dataset in STUDIES[STUDY].without_items(here.store)
    views = ["Judge"] if empty else ["Judge", VIEW] if study.dataset else []
    views += [*([_CODING] if subject else []), _MAKE, _FILE]
    with study_navigation.draw_study_navigation(
        here, STUDY, dataset, views if lead else ["Judge"], illustrative=study.illustrative
    ) as view:
        if study.dataset and view == "Judge" and not empty:
            dataset_choice_and_round_controls.draw_round_state(here, study.task, dataset)
        if subject and view == _CODING:
            coding.draw_coding_part_choice()
    if subject and view == _CODING:
        coding.draw_chosen_coding_part(here, subject)
    elif view == _MAKE:
        make_study.draw_make_study(here, study)
    elif view == _FILE:
        own_study_file_page.draw_study_file(here, study)
    elif not study.dataset:
        st.info(
            "Your team has no study of its own yet. A lead can add one.", icon=":material/inbox:"
        )
    elif empty:
        _draw_without_items(here, study)
    elif view == VIEW:
        figures.draw_figures(here, STUDIES[STUDY], study)
    else:
        _judge(here, study)


def _draw_without_items(here: Here, study: Study) -> None:
    """What can be done with a study that has no items yet, or none left."""
    title = escape_markdown(study.declared.form.title or study.dataset)
    st.info(f"“{title}” has no items yet. Its questions are kept.", icon=":material/inbox:")
    st.page_link(
        DATA_PAGE,
        label="Import its items",
        icon=":material/upload_file:",
        query_params={"view": "Import"},
    )
    draw_rename_form(here, Thing("dataset", STUDY, study.dataset))
    draw_archive_form(here, Thing("dataset", STUDY, study.dataset), "Archive this study")


# -- the desk --------------------------------------------------------------------------------------


def _judge(here: Here, study: Study) -> None:
    declared = study.declared
    if declared.is_marked_at_tagging_desk:
        own_marking_desk.draw_marking_desk_or_end(here, study)
        return
    shown = {name for pane in declared.panes for name in pane.columns}

    def lay_out(item: str) -> dict[str, Any]:
        body = items.item_body(here.store, item)
        found = {name: body[name] for name in (shown | {FILES}) & body.keys()}
        found |= {ARMS: body[ARMS]} if declared.are_arms_side_by_side else {}
        return mask_names_in_cells(found, declared)

    kind = _Revealing if declared.later_panes else _Desk
    desk = desk_view.open_desk(here, study.task, study.dataset, lay_out, kind=kind)
    assert isinstance(desk, _Desk)
    if desk.item is None:
        desk_view.draw_end(here, desk, done="judged", things="items")
        return
    st.html(BAR_STYLE + STYLE)
    revealed = isinstance(desk, _Revealing) and desk.reveal()
    submit = "Confirm" if revealed else ""
    content, status = desk_view.draw_desk_bar_and_return_content_and_status(
        desk, thing=declared.thing, submit=submit
    )
    with content:
        draw = partial(
            draw_panes_of_item,
            declared,
            desk.laid,
            desk.body[ORDER],
            study.attached,
            item=desk.handle_of_current_item,
        )
        told = _told(here, study, desk)
        turn = NextItemAhead(f"{study.task.name}.boxes", desk.handle_of_current_item)
        boxes: dict[Place, Any] = {}
        places = desk_places_in_use(declared)
        of_arms = 9 if declared.are_arms_side_by_side else 8
        widths = [
            {"right": 5 if declared.are_arms_side_by_side else 6}.get(one, of_arms)
            for one in places
        ]
        for place, column in zip(places, st.columns(widths, gap="large"), strict=True):
            with column, st.container(key=f"own-scroll-{place}"):
                if (
                    place == places[0]
                    and told
                    and not declared.are_arms_side_by_side
                    and declared.arms
                ):
                    arm = items.item_body(here.store, desk.item).get(ARM, "")
                    st.caption(f"Arm: {escape_to_one_line(str(arm))}")
                if revealed and any(one.place == place for one in declared.later_panes):
                    with st.container(border=True, key=f"own-after-{place}"):
                        st.markdown(
                            ":material/visibility: You have answered, so this is shown now. Keep"
                            " your answer or change it, then press **Confirm**."
                        )
                        draw(place=place, told=told, after=True)
                if any(one.place == place for one in declared.initial_panes):
                    opened, boxes[place] = turn.containers_of_open_and_next_item(place)
                    with opened:
                        draw(place=place, told=told, within=_WITHIN[turn.at])
                if place == "right":
                    first = desk.position_in_queue <= 0 and not desk.queue.done
                    _draw_instructions(here, study, expanded=first)
                    _answer(desk, status, study)
        _draw_ahead(desk, study, turn, boxes)


def _draw_instructions(here: Here, study: Study, *, expanded: bool) -> None:
    # An expander keeps how it was left: after the first item it is another one.
    key = f"own.instructions.{'first' if expanded else 'later'}"
    with st.expander("Instructions", icon=":material/info:", expanded=expanded, key=key):
        now = guideline.current_guideline(here.store, study.task, dataset=study.dataset)
        draw_untrusted_markdown(now.text, key="own.guideline")
        if study.declared.source:
            st.caption(escape_markdown(f"Source: {study.declared.source}"))


class _Desk(Desk):
    """A desk that shows the arms of a case in an order drawn for its rater, and draws the next item
    out of sight: whoever comes from another item has it claimed at once.
    """

    _going = False

    def _put(self, item: str | None) -> None:
        super()._put(item)
        self._going = False

    def _go_on(self) -> None:
        super()._go_on()
        self._going = True

    @property
    def _begun_here(self) -> bool:
        return self._going or super()._begun_here

    def _draft(self, item: str) -> judging.Draft:
        draft = super()._draft(item)
        if draft.value is not None or not (order := self._drawn(item)):
            return draft
        return replace(draft, value=Answers(order=order))

    def order_of(self, item: str) -> tuple[str, ...]:
        """The order of an item's arms, even if the item is not open yet."""
        kept = self._saved_draft(item).value
        return self._drawn(item) if kept is None else tuple(kept.order)

    def _drawn(self, item: str) -> tuple[str, ...]:
        task = self.task
        assert isinstance(task, OwnTask)
        arms = task.declared.arms_to_judge(items.item_body(self.store, item))
        return tuple(
            random_arm_order(arms, item=item, rater=self.rater.id, seed=self.settings.seed)
        )


class _Revealing(_Desk):
    """A desk that shows more of an item once answered; the rater then confirms or changes the
    answer.
    """

    @run_desk_method_one_at_a_time
    def submit_and_move_on(self) -> None:
        """Submit the answer; the first time, stay on the item to show what answering reveals."""
        item, place = self.item, self.queue_entry_of_current_item
        if item is None or self.newer is not None or not self._guarded(self._submit):
            return
        judging.record_reveal_and_say_if_new(self.store, self.task, item=item, viewer=self.rater)
        if place is not None and place.state == "submitted":
            self._note_left("submit")
            self._go_on()
            return
        self._count()
        self._put(item)

    def reveal(self) -> bool:
        """Whether the item is answered, so that more of it is shown; the reveal is recorded."""
        if (
            self.item is None
            or self.queue_entry_of_current_item is None
            or self.queue_entry_of_current_item.state != "submitted"
        ):
            return False
        judging.record_reveal_and_say_if_new(
            self.store, self.task, item=self.item, viewer=self.rater
        )
        return True


def _told(here: Here, study: Study, desk: Desk) -> bool:
    """Whether to show the arms' names: a lead has allowed it, and the item is judged. Whatever the
    rater changes after that is not blind.
    """
    if not (
        study.revealed
        and desk.item
        and desk.queue_entry_of_current_item
        and desk.queue_entry_of_current_item.state == "submitted"
    ):
        return False
    judging.record_reveal_and_say_if_new(here.store, study.task, item=desk.item, viewer=here.person)
    return True


def _draw_ahead(desk: _Desk, study: Study, turn: NextItemAhead, boxes: Mapping[Place, Any]) -> None:
    """Draw the item to which Submit leads into its boxes, by place, if the rater has it. It is not
    open yet: nothing is recorded, and its time does not run.
    """
    declared, item, ways = study.declared, desk.item_after_submit_or_skip, ["submit", "skip"]
    if item and desk.error is None and _may_be_sent(desk, study):
        with suppress(MedLensError):
            laid, order = desk.lay_out(item), desk.order_of(item)
            for place, box in boxes.items():
                with box:
                    draw_panes_of_item(
                        declared,
                        laid,
                        order,
                        study.attached,
                        item=desk.browser_handle_of_item(item),
                        place=place,
                        within=_WITHIN[1 - turn.at],
                    )
            turn.record_item_drawn_ahead(desk.browser_handle_of_item(item))
    on = desk.queue.places[desk.position_in_queue + 1 :]
    turn.mount_switch_to_next_item([*ways, "next"] if on and on[0].item == item else ways)


def _may_be_sent(desk: _Desk, study: Study) -> bool:
    """Not if its panes hear keys, nor if something is drawn when it is opened, nor if something
    else comes first: what answering reveals, or what practice expected.
    """
    declared, of = study.declared, (desk.store, desk.task.name, desk.dataset)
    return not (
        declared.later_panes
        or declared.spans
        or any(one.kind in ("source", "pdf") for one in declared.panes)
        or randomised_model_suggestions.current_suggestion_setting(*of)
        or desk.item in practice.load_practice_explanations_by_item_id(*of)
    )


@st.fragment
def _answer(desk: Desk, status: Any, study: Study) -> None:
    if desk.item is None or desk.moved:
        st.rerun()
    body = second_pass.item_body_for_current_pass(
        *(desk.store, desk.task),
        item=desk.item,
        rater=desk.rater.id,
        version=desk.version_of_item_seen(desk.item),
    )
    seen = mask_names_in_cells(body, study.declared)
    declared = study.declared.declaration_for_item(seen)

    def by_item(item: str) -> tuple[ValuesOf, ChangeOf]:
        stored = items.item_body(desk.store, item, desk.version_of_item_seen(item))

        def values(body: Mapping[str, Any]) -> Values:
            of = MaskedItem(study.declared, stored, body[ORDER])
            return of.page_values_of_fields(form_field_values_of_judgment(study.declared, body))

        def change(body: Mapping[str, Any], said: Values) -> Mapping[str, Any]:
            of = MaskedItem(study.declared, stored, body[ORDER])
            return judgment_changes_from_fields(study, body, of.stored_values_of_fields(said))

        return values, change

    draw_answer_form(
        desk,
        questions_as_form_fields(
            declared, desk.body[ORDER], empty=study.declared.arms_without_answer(body)
        ),
        values=partial(form_field_values_of_judgment, study.declared),
        change=partial(judgment_changes_from_fields, study),
        by_item=by_item if study.declared.mask else None,
        alone=True,
    )
    draw_button_for_list_of_keys(
        (*_HELP[:-1], *list_keyboard_keys_and_what_they_do(declared), _HELP[-1]), key="own.help"
    )
    desk_view.finish_fragment(desk, status)


def list_keyboard_keys_and_what_they_do(declared: StudyDeclaration) -> tuple[tuple[str, str], ...]:
    """The keys in what a study shows, each with what it does."""
    sources = any(one.kind == "source" for one in declared.panes)
    return (*(_OF_MARKS if declared.spans else ()), *(_OF_SOURCES if sources else ()))


def form_field_values_of_judgment(declared: StudyDeclaration, body: Mapping[str, Any]) -> Values:
    """The values of the form's fields, from a judgment."""
    marks = values_of_mark_fields(declared, body)
    if not declared.are_arms_side_by_side:
        held = answers_as_field_values(declared.form, body["answers"])
        return marks | _there(declared.form.questions, held)
    shown = make_arm_questions_as_shown(declared, tuple(body[ORDER]))
    return marks | _there(
        shown.asked,
        shown.field_values_of_answers(answers_as_field_values(shown.kept, body["answers"])),
    )


def _there(questions: Sequence[Question], held: Values) -> dict[str, str | None]:
    """The field values; criteria that not every item has are left out if unanswered."""
    found = {one.id: held.get(one.id) for one in questions}
    absent = {one.id for one in questions if one.is_worded_per_item and found[one.id] is None}
    return {name: said for name, said in found.items() if name not in absent}


def judgment_changes_from_fields(
    study: Study, body: Mapping[str, Any], said: Values
) -> Mapping[str, Any]:
    """The changes to the judgment from what was chosen or written, limited to valid values."""
    declared, order = study.declared, tuple(body[ORDER])
    form = declared.form
    shown = (
        make_arm_questions_as_shown(declared, order)
        if declared.are_arms_side_by_side
        else ArmQuestionsAsShown(form.questions, form)
    )
    answers: dict[str, Any] = {}
    for one in shown.asked:
        if one.id not in said:
            continue
        answers[one.id] = valid_answer_from_field(one, said[one.id] or "")
    kept = shown.stored_answers_with_changed_fields(body["answers"], answers)
    spans = marks_updated_with_changed_fields(declared, body, said)
    return {"answers": kept, "version": study.version, ORDER: list(order), "spans": spans}
