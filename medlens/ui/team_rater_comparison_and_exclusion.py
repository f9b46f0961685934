"""A task's raters, how their work compares with the others', and whose is excluded."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import (
    assignment,
    rater_exclusion,
    raters_compared_with_others,
    renaming_and_name_translation,
    rounds,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.rater_exclusion import RaterExclusion
from medlens.review.renaming_and_name_translation import current_name_of_dataset
from medlens.ui import list_filters_and_paging
from medlens.ui.answer_form import FieldData
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn
from medlens.ui.person_and_item_text_erasure_forms import draw_person_erasure_form
from medlens.ui.team_agreement import compute_once_per_data_version, judgments_table_of_work
from medlens.ui.team_flags import JUDGED, draw_remark_with_answer, remarks_table_with_address_ids
from medlens.ui.team_task_settings import Work, rerun_page_on_change
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_HERE, _ALL = "here", "all"


def draw_raters_and_chosen_person(here: Here, work: Work) -> None:
    """A task's people, what is unusual about their work, and the person the address names; live."""
    rerun_page_on_change(here.store)
    st.header("Raters", anchor=False)
    out = rater_exclusion.exclusions_in_force_by_rater(here.store, work.task.name, work.dataset)
    table = work_progress_and_pace_by_item_and_rater.work_by_rater_table(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    if table.empty:
        st.markdown("Nobody has been given any items yet.")
        return
    judged = judgments_table_of_work(here, work)
    compared = compute_once_per_data_version(
        here,
        work,
        "compared",
        lambda: raters_compared_with_others.table_comparing_raters_with_others(work.task, judged),
    )
    table = table.join(compared, on="rater_id")
    table["look_at"] = table["look_at"].fillna("")
    table["excluded"] = [out[one].reason if one in out else "" for one in table["rater_id"]]
    table[["same", "usual"]] = table[["same", "usual"]].astype(float).round(2)
    ids = table["rater_id"].tolist()
    column = st.column_config
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
        table.drop(columns=["rater_id"]),
        ids,
        "whose",
        key="raters.table",
        placeholder="–",
        column_order=[
            "rater",
            *(name for name in ("look_at", "excluded") if table[name].any()),
            *("judged", "open", "skipped", "flagged"),
            *("seconds", "same", "usual", "minutes", "last_seen"),
        ],
        column_config={
            "look_at": column.TextColumn("worth a look", width="medium"),
            "seconds": column.NumberColumn(
                "seconds per item", format="%.0f", help="Median active time"
            ),
            "same": column.NumberColumn(
                "same as others",
                format="percent",
                help="How often others who judged the same item gave the same answer on a label "
                "or question, on average. Where most labels are rarely given, most of this "
                "is that neither rater gave them: for agreement beyond chance, see Agreement.",
            ),
            "usual": column.NumberColumn(
                "most common answer",
                format="percent",
                help="The share of their answers that are the one they give most often",
            ),
            "minutes": column.NumberColumn("active minutes", format="%.1f"),
            "last_seen": streamlit_column_of_times("last judgment"),
        },
        alt="The people who judge, with their progress and what is unusual in their work",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_csv_button(table.drop(columns=["rater_id"]), "progress")
        st.caption(
            "Choose a person to exclude their work, or to return an item to them."
            " *Same as others* is not corrected for chance: Agreement is.",
            width="stretch",
        )
    asked = known_value_in_address_or_warn("whose", ids, "rater")
    if asked:
        name, look_at = table.loc[table["rater_id"] == asked, ["rater", "look_at"]].iloc[0]
        with st.container(border=True):
            _one(here, work, asked, str(name), str(look_at), out.get(asked))
            _their_items(here, work, asked, str(name), judged)
            if asked not in out:
                _leaver(here, work, asked, int(table["open"].tolist()[ids.index(asked)]))
            draw_person_erasure_form(here, asked)


def _one(
    here: Here, work: Work, rater: str, name: str, look_at: str, out: RaterExclusion | None
) -> None:
    """One person's work: what is unusual, earlier decisions about it, and the form."""
    st.markdown(f"### {escape_markdown(name)}")
    if look_at:
        st.markdown(f"Worth a look: {escape_markdown(look_at)}.")
    before = [
        one
        for one in rater_exclusion.list_exclusions_and_returns(here.store, viewer=here.person)
        if one.rater == rater
    ]
    if before:
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        "work": "excluded from" if one.excluded else "returned to",
                        "what": _called(here, one, work),
                        "reason": one.reason,
                        "by": one.by,
                        "at": one.at,
                    }
                    for one in before
                ]
            ),
            hide_index=True,
            column_config={"at": streamlit_column_of_times()},
            alt="What leads did with this person's work, the newest first",
        )
    st.caption(
        f"Excluded from {escape_markdown(_called(here, out, work))}. Returned, their judgments"
        " count again."
        if out
        else "Once excluded, their judgments are kept but count in no figure, agreement,"
        " consensus, progress or export; their items go to others, and they get nothing new. You"
        " can return the work at any time."
    )

    def send(entered: Entries) -> None:
        where = {"task": out.task, "dataset": out.dataset} if out else _scope(entered, work)
        rater_exclusion.exclude_or_return_rater(
            here.store,
            rater,
            reason=entered.get("reason") or "",
            by=here.person,
            back=out is not None,
            **where,
        )

    fields: list[FieldData] = [
        {"id": "reason", "kind": "text", "label": "Why (required)", "lines": 2, "longest": 2000}
    ]
    if out is None:
        fields.insert(
            0,
            {
                "id": "where",
                "kind": "choice",
                "label": "Exclude their work from",
                "options": [
                    {"value": _HERE, "name": _round_in_words(here, work)},
                    {"value": _ALL, "name": "Every task and dataset"},
                ],
            },
        )
    lies = f"{work.task.name}.{work.dataset}.{rater}.{'back' if out else 'out'}"
    sheet = form_sheet_of_session(here.store, here.person, "exclusion", lies, send=send, anew=True)
    draw_form_sheet(sheet, fields, submit="Return their work" if out else "Exclude their work")


def _their_items(here: Here, work: Work, rater: str, name: str, judged: pd.DataFrame) -> None:
    """One of the items that they judged, to be read and returned."""
    theirs = judged[judged["rater_id"] == rater]
    if theirs.empty:
        return
    found = dict(zip(theirs["item"], theirs["item_id"], strict=True))
    st.divider()
    picked = st.selectbox(
        "Return one item to them",
        list(found),
        index=None,
        placeholder="choose one of the items that they judged",
        key=f"raters.item.{work.task.name}.{rater}",
        width=420,
    )
    if picked:
        one = {"what": JUDGED, "item_id": found[picked], "item": picked, "rater_id": rater}
        named = remarks_table_with_address_ids(pd.DataFrame([{**one, "rater": name}])).iloc[0]
        draw_remark_with_answer(here, work, named)


def _called(here: Here, one: RaterExclusion, work: Work) -> str:
    """The work that an exclusion is about, as the lead chose it."""
    is_here = (one.task, one.dataset) == (work.task.name, work.dataset)
    return _round_in_words(here, work) if is_here else one.scope_in_words


def _round_in_words(here: Here, work: Work) -> str:
    task, dataset = work.task, work.dataset
    title = renaming_and_name_translation.current_title_of_round(
        here.store, task.study, dataset, task.name, task.title
    )
    return f"{title}, dataset {current_name_of_dataset(here.store, task.study, dataset)}"


def _leaver(here: Here, work: Work, rater: str, many: int) -> None:
    """The unfinished items of a person who leaves, to be given to others."""
    key = f"leaver.{work.task.name}.{rater}"
    now = rounds.current_round_of_task(here.store, work.task, work.dataset)
    alone = now.raters == {rater}
    if handed := st.session_state.pop(key, 0):
        st.success(
            f"{handed:,} unfinished item{'s go' if handed != 1 else ' goes'} to others now.",
            icon=":material/check:",
        )
        if alone:
            st.warning("The round names nobody else: name others under Hand out.")
    if not many:
        return
    st.divider()
    if work.task.everyone:
        st.caption(
            "For somebody who leaves: everyone answers every item, so there is nothing to hand on."
            " Exclude their work, and progress no longer waits for the rest of it."
        )
        return

    def hand_on() -> None:
        st.session_state[key] = assignment.release_unfinished_items_and_count(
            here.store, work.task, dataset=work.dataset, rater=rater, by=here.person
        )
        rest = now.raters - {rater}
        # A round that names nobody is everyone's.
        if now.state == "open" and rest and rest != now.raters:
            rounds.open_or_close_round(
                here.store, work.task, work.dataset, state="open", raters=rest, by=here.person
            )

    st.button(
        f"Hand {many:,} unfinished item{'s' * (many != 1)} on",
        key=f"{key}.on",
        icon=":material/forward:",
        on_click=hand_on,
    )
    st.caption(
        "For somebody who leaves: their unfinished items go to others, and they are removed from"
        " rounds that name people. Their judgments stay and count."
    )


def draw_removed_people_with_open_items(here: Here, work: Work) -> None:
    """The people who are no longer in the round but hold unfinished items, with the way to hand
    these on; nothing if there are none.
    """
    now = rounds.current_round_of_task(here.store, work.task, work.dataset)
    if now.state != "open" or not now.raters or work.task.everyone:
        return
    out = rater_exclusion.exclusions_in_force_by_rater(here.store, work.task.name, work.dataset)
    table = work_progress_and_pace_by_item_and_rater.work_by_rater_table(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    for rater, name, many in table[["rater_id", "rater", "open"]].itertuples(index=False):
        if many and rater not in now.raters and rater not in out:
            st.page_link(
                "pages/5_Team.py",
                label=f"{escape_markdown(name)} is not in this round but can still finish {many:,}"
                f" item{'s' * (many != 1)}: hand {'them' if many != 1 else 'it'} on",
                icon=":material/forward:",
                query_params={
                    "section": "raters",
                    "task": work.task.name,
                    "dataset": work.dataset,
                    "whose": rater,
                },
            )


def _scope(entered: Entries, work: Work) -> dict[str, str]:
    """The scope from which the lead excludes the work.

    Raises:
        InvalidInput: no scope was chosen.
    """
    where = entered.get("where")
    if where not in (_HERE, _ALL):
        raise InvalidInput("Choose what to exclude their work from.")
    return {"task": work.task.name, "dataset": work.dataset} if where == _HERE else {}
