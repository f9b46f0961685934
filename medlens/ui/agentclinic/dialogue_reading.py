"""One dialogue as a lead reads it: what it elicited from the case, and what raters said of it.

Reading is recorded (``queries.reveal_dialogue_to_viewer``): the reader's later judgments of it are
not blind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review import assignment, hand_out_settings, items, judging
from medlens.studies.agentclinic import diagnosis_verdicts, dialogue_list, queries, tasks
from medlens.studies.agentclinic.case_elicitation_and_diagnosis_leaks import (
    CaseElicitation,
    find_what_dialogue_elicited,
)
from medlens.studies.agentclinic.records import RATING_NAMES, Case, Dialogue
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.tasks import MARKS, SCALES
from medlens.ui import Here, all_verdicts_and_revisions_on_item
from medlens.ui.agentclinic import (
    diagnosis_check,
    dialogue_in_page_address,
    transcript_and_case_view,
)
from medlens.ui.agentclinic.conversation import Reading
from medlens.ui.agentclinic.transcript_and_case_view import Note, markdown_link_to_turn
from medlens.ui.page_frame import escape_markdown, escape_to_one_line

_NAMES = {mark.id: mark.name for mark in MARKS}
_STATES = {"all": "Whole case", "told": "Told", "partly": "Partly", "missed": "Never asked"}


@dataclass(frozen=True)
class Opened:
    """A dialogue open for reading: the conversation's data, and what is drawn beside it.

    ``whole`` and the fields made from it are None if the viewer is to judge it first.
    """

    item: str
    reading: Reading
    whole: Dialogue | None = None
    case: Case | None = None
    out: CaseElicitation | None = None
    judged: Sequence[dict[str, Any]] = ()


def load_dialogue_and_record_reading(here: Here, study: Study, name: str) -> Opened | None:
    """Prepare the dialogue called ``name`` for reading, and record that; None if there is none."""
    item = item_id_of_dialogue(here, study, name)
    if item is None:
        return None
    if not may_viewer_see_item(here, study, item):
        return Opened(item, {"name": name, "facts": [], "turns": [], "waits": True})
    whole = queries.reveal_dialogue_to_viewer(here.store, item, here.person).whole
    if whole is None:
        return None
    case = case_of_dialogue(here, study, whole)
    out = find_what_dialogue_elicited(case, whole)
    ratings = _judged(here, study, item)
    reading: Reading = {
        "name": name,
        "facts": diagnosis_check.list_dialogue_facts_with_emphasis(whole),
        "waits": False,
        "turns": transcript_and_case_view.turns_as_browser_data(
            whole.turns, notes=notes_by_turn_number(out, ratings)
        ),
    }
    return Opened(item, reading, whole, case, out, ratings)


def draw_case_and_ratings_beside_dialogue(here: Here, study: Study, opened: Opened) -> None:
    """The pane beside a dialogue: its case, what raters said, other dialogues of the case."""
    if opened.whole is None or opened.case is None or opened.out is None:
        draw_warning_before_showing_item(opened.item)
        return
    side = st.segmented_control(
        "Beside",
        ["Case", "Ratings", "Same case"],
        key="read.side",
        default="Case",
        required=True,
        label_visibility="collapsed",
    )
    if side == "Ratings":
        _ratings(opened.whole, opened.judged)
        all_verdicts_and_revisions_on_item.draw_all_verdicts_on_item(
            here,
            diagnosis_verdicts.verdicts_on_visit(
                here.store, study.dataset, opened.reading["name"], opened.whole
            ),
            judges="moderator",
            key="read.judges",
            word=lambda one: one.outcome.replace("_", " "),
        )
        _history(here, study, opened.item)
    elif side == "Same case":
        _others(here, study, opened.reading["name"])
    else:
        draw_case_with_leaks_and_findings(here, study, opened.case, opened.whole, opened.out)


def item_id_of_dialogue(here: Here, study: Study, name: str) -> str | None:
    """The item id of the dialogue with that name, None if there is none."""
    return items.item_ids_by_name(here.store, study.realism.study, study.dataset, [name]).get(name)


def case_of_dialogue(here: Here, study: Study, one: Dialogue) -> Case:
    """The case that a dialogue was played on."""
    return queries.load_case(here.store, queries.item_id_made_from_name(study.dataset, one.case))


# -- seen before judged ------------------------------------------------------------------------


def may_viewer_see_item(here: Here, study: Study, item: str) -> bool:
    """Whether the viewer has nothing left to judge here, or has asked to see it anyway."""
    return item not in ids_of_items_waiting_in_viewers_queues(here, study)


def ids_of_items_waiting_in_viewers_queues(here: Here, study: Study) -> frozenset[str]:
    """Items waiting in the viewer's own queues, except those they have asked to see."""
    found = set()
    for task in (study.realism, study.match):
        defaults = hand_out_settings.default_hand_out_settings(here.settings, task.name)
        held = assignment.load_rater_queue(
            here.store,
            task,
            hand_out_settings.hand_out_settings_in_force(
                here.store, task.name, study.dataset, defaults
            ),
            dataset=study.dataset,
            rater=here.person.id,
        )
        found |= {place.item for place in held.places if place.state != "submitted"}
    return frozenset(item for item in found if not st.session_state.get(f"read.agreed.{item}"))


def draw_warning_before_showing_item(item: str) -> None:
    """Say what reading costs before showing it."""
    st.info(
        "This dialogue is in your own queue and you have not judged it. Once you see who played and"
        " what others said, your judgment is marked as made after looking.",
        icon=":material/visibility_off:",
    )
    st.button(
        "Show it",
        key="read.agree",
        on_click=lambda: st.session_state.update({f"read.agreed.{item}": True}),
    )


# -- the case beside it ------------------------------------------------------------------------


def draw_case_with_leaks_and_findings(
    here: Here, study: Study, case: Case, whole: Dialogue, out: CaseElicitation
) -> None:
    """The case with the outcome of each piece; leaks and the check's findings first."""
    for leak in out.leaks:
        turn = whole.turns[leak.turn - 1]
        quote = turn.text[leak.start : leak.end]
        what = "states" if leak.stated else "names"
        st.markdown(
            f":material/warning: The {leak.speaker} {what} the diagnosis in"
            f" {markdown_link_to_turn(leak.turn)}: “{escape_to_one_line(quote)}”"
        )
    listed = queries.load_cases_by_name(here.store, study.dataset).get(whole.case)
    for finding in listed.findings if listed else ():
        st.markdown(f":material/rule: {escape_to_one_line(finding.fault_in_words)}")
    if out.leaves:
        n = len(out.leaves)
        st.caption(
            f"Told {out.count_case_facts_in_state('told')} of {n}, partly"
            f" {out.count_case_facts_in_state('partly')}, never asked"
            f" {out.count_case_facts_in_state('missed')}. Estimated from the words used, so treat"
            " it as a hint."
        )
    state = st.segmented_control(
        "Show",
        list(_STATES),
        key="read.state",
        default="all",
        required=True,
        wrap=True,
        format_func=_STATES.__getitem__,
        label_visibility="collapsed",
    )
    states = [one for one in out.leaves if state in ("all", one.state)]
    transcript_and_case_view.draw_case_with_outcomes(case, states, key="read")
    if state == "all":
        rest = [leaf for leaf in case.list_case_facts() if leaf.section in ("objective", "other")]
        opened = st.expander(
            "What no agent was asked to reveal", key="read.rest", on_change="rerun"
        )
        if opened.open:
            opened.markdown(
                transcript_and_case_view.case_facts_as_markdown((leaf, "") for leaf in rest)
            )


def notes_by_turn_number(
    out: CaseElicitation, judged: Sequence[dict[str, Any]] = ()
) -> dict[int, list[Note]]:
    """Under each turn: what it elicited, whether it leaked, and the marks that raters gave it."""
    found: dict[int, list[Note]] = {}
    for turn, leaves in out.case_facts_by_turn_they_were_told_at().items():
        told = ", ".join(
            dict.fromkeys(transcript_and_case_view.name_of_case_fact(one.leaf) for one in leaves)
        )
        found.setdefault(turn, []).append(Note(f"told: {told}"))
    for leak in out.leaks:
        found.setdefault(leak.turn, []).append(Note("names the diagnosis", bad=True))
    for row in judged:
        for mark in getattr(row["value"], "marks", ()):
            said = f": {mark.comment}" if mark.comment else ""
            name = _NAMES.get(mark.mark, mark.mark)
            found.setdefault(mark.turn, []).append(Note(f"{row['rater']}:", name, said))
    return found


# -- ratings -----------------------------------------------------------------------------------


def _judged(here: Here, study: Study, item: str) -> list[dict[str, Any]]:
    """The latest judgments by task and rater, the viewer's too; ``reveal_dialogue_to_viewer`` has
    noted it.
    """
    found: list[dict[str, Any]] = []
    for task in (study.realism, study.match):
        newest: dict[str, dict[str, Any]] = {}
        for row in judging.list_revisions_viewer_may_see(
            here.store, task, item=item, viewer=here.person
        ):
            newest[row["rater"]] = row | {"task": task.name}
        found += [newest[rater] for rater in sorted(newest)]
    return found


def _ratings(whole: Dialogue, judged: Sequence[dict[str, Any]]) -> None:
    realism = [row for row in judged if row["task"] == tasks.REALISM]
    checks = [row for row in judged if row["task"] == tasks.MATCH]
    st.markdown("### Realism")
    if realism:
        table = pd.DataFrame(
            [{"rater": row["rater"], **row["value"].scores_by_name_of_scale()} for row in realism]
        ).astype(dict.fromkeys(SCALES, "Int64"))
        st.dataframe(table, hide_index=True, alt="Scores by rater")
    else:
        st.caption("Nobody has rated this dialogue.")
    for row in realism:
        value = row["value"]
        said = [(scale, getattr(value, f"{scale}_comment")) for scale in SCALES]
        for about, text in (*said, ("whole", value.comment)):
            if text:
                st.text(f"{row['rater']}, {about}: {text}", width="stretch")
    st.markdown("### The same disease?")
    if not checks:
        st.caption("Nobody has checked the moderator on this dialogue.")
    for row in checks:
        reason = f" ({row['value'].reason})" if row["value"].reason else ""
        st.text(f"{row['rater']}: {str(row['value'].same).replace('_', ' ')}{reason}")
    st.markdown("### The patient's rating")
    ratings = [(name, getattr(whole.ratings, name)) for name in RATING_NAMES]
    for name, one in ratings:
        if one is not None:
            st.text(f"{name} {one.score} of 10. {one.reason}", width="stretch")
    if not any(one for _, one in ratings):
        st.caption("The patient was not asked, or did not answer.")
    st.caption(
        "You have seen this, so anything you judge here later is marked as made after looking."
    )


def _history(here: Here, study: Study, item: str) -> None:
    def rows() -> Iterator[all_verdicts_and_revisions_on_item.Revision]:
        for task in (study.realism, study.match):
            for row in judging.list_revisions_viewer_may_see(
                here.store, task, item=item, viewer=here.person
            ):
                yield row | {"task": task}

    def said(row: all_verdicts_and_revisions_on_item.Revision) -> dict[str, str]:
        flat = row["task"].answer_as_columns(row["value"])
        answer = "; ".join(f"{k} {v}" for k, v in flat.items() if v not in (None, ""))
        return {"task": row["task"].title, "answer": answer}

    all_verdicts_and_revisions_on_item.draw_all_revisions_on_item(rows, said, key="read.history")


def _others(here: Here, study: Study, name: str) -> None:
    found = dialogue_list.table_of_other_dialogues_of_same_case(here.store, study.dataset, name)
    if found.empty:
        st.caption("This case has been played only once.")
        return
    st.caption("Other dialogues of this case, the most similar first.")
    for row in found.head(20).itertuples():
        biases = [
            f"{side} {str(bias).replace('_', ' ')}"
            for side, bias in (("doctor", row.doctor_bias), ("patient", row.patient_bias))
            if bias != "none"
        ]
        st.button(
            escape_markdown(
                f"{row.doctor} with {row.patient}, {', '.join(biases) or 'no bias'}: "
                f"{str(row.outcome).replace('_', ' ')} ({row.dialogue})"
            ),
            key=f"read.beside.{row.dialogue}",
            type="tertiary",
            icon=":material/compare:",
            on_click=dialogue_in_page_address.put_dialogue_in_address,
            args=(name, str(row.dialogue)),
        )
