"""One task of a team, and how its items are handed out."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from medlens.errors import Conflict, InvalidInput, MedLensError
from medlens.review import (
    assignment,
    consensus,
    consent,
    copy_round_to_datasets,
    hand_out_settings,
    items_selected_to_hand_out,
    practice,
    rater_and_item_subgroups,
    rounds,
)
from medlens.review.tasks import ORDERS, HandOut, Task
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui.answer_form import FieldData, OptionData
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.form_outside_queue import (
    Entries,
    FormSheet,
    draw_form_sheet_in_fragment,
    form_sheet_of_session,
)
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.styles import read_style_sheet
from medlens.ui.times_in_browser_time_zone import (
    streamlit_column_of_times,
    to_browser_time_zone,
    today_in_browser_time_zone,
)
from medlens.ui.versioned_text_form_showing_conflicts import draw_form_to_change_shared_text

_NAMES = {
    "raters_per_item": "Raters per item",
    "items_per_rater": "Items per rater",
    "lease_minutes": "Minutes until an untouched item is handed on",
    "gold_share": "Share of gold items",
    "seed": "Seed",
    "deadline": "Deadline",
    "order": "Order of items",
    "again_share": "Share of items that come again",
    "again_after": "Come again after this many others",
}
_BOUNDS: Mapping[str, tuple[Callable[[str], float], float, float]] = {
    "raters_per_item": (int, 1, 50),
    "items_per_rater": (int, 1, 5000),
    "lease_minutes": (int, 1, 10_000),
    "gold_share": (float, 0, 0.5),
    "seed": (int, 0, 2**31 - 1),
    "again_share": (float, 0, 0.5),
    "again_after": (int, 1, 1000),
}
_OF_ALL = ("gold_share", "seed", "deadline", "order", "again_share", "again_after")
"""Settings of tasks whose items everybody is given, too."""
_BY_DEFAULT = ("lease_minutes", "gold_share", "seed", "order", "again_share", "again_after")
"""Settings that stand folded until one is changed: few teams need to."""
_BEFORE = "before"
_STYLE = read_style_sheet("team_hand_out")


@dataclass(frozen=True)
class Work:
    """A task in a dataset: its study as opened there, how its items are handed out, and whether
    the raters of the study are declared to be all that matter.
    """

    task: Task
    dataset: str
    study: Any
    settings: HandOut
    fixed_panel: bool


def make_work_of_task_with_settings(here: Here, task: Task, dataset: str, study: Any) -> Work:
    """A task in a dataset, with its current settings."""
    defaults = hand_out_settings.default_hand_out_settings(
        here.settings, task.name, task.handing_out
    )
    return Work(
        *(task, dataset, study),
        hand_out_settings.hand_out_settings_in_force(here.store, task.name, dataset, defaults),
        STUDIES[task.study].panel_is_fixed(here.store, here.settings, study),
    )


_SECONDS = 15
_FOLLOWED = (
    *("judgment", "assignment", "assignment_event", "remark", "adjudication", "exclusion"),
    *("item_withdrawal", "item_version"),
)


def rerun_page_on_change(store: Store) -> None:
    """Keep the page current: rerun it once something has since been judged, opened, flagged, asked,
    settled or excluded.
    """
    _follow(store, store.data_version_of_tables(*_FOLLOWED))


@st.fragment(run_every=_SECONDS)
def _follow(store: Store, drawn: int) -> None:
    if store.data_version_of_tables(*_FOLLOWED) != drawn:
        st.rerun()


def draw_item_selection(here: Here, work: Work) -> None:
    """Which items are handed out, all or those drawn so far, and the form to draw more."""
    task, dataset = work.task, work.dataset
    key = f"items.{task.name}.{dataset}"
    drawn = items_selected_to_hand_out.ids_of_selected_items(here.store, task, dataset=dataset)
    st.header("Items", anchor=False)
    if dataset not in rounds.datasets_of_task(here.store, task):
        st.markdown("**No items** for this task are in the dataset yet, so nothing is handed out.")
        return
    trial = len(
        practice.load_practice_explanations_by_item_id(here.store, task.name, dataset).keys()
        & set(drawn)
    )
    st.markdown(
        f"**{len(drawn):,} items** that were drawn, begun or judged are handed out"
        + (f", {trial:,} of them for practice only." if trial else ".")
        if drawn
        else "**All items** belong to this round."
    )
    if said := st.session_state.pop(f"{key}.said", None):
        st.success(said, icon=":material/check:")
    if error := st.session_state.pop(f"{key}.error", None):
        show_error(error)
    opened = st.expander("Draw items to hand out", key=f"{key}.open", on_change="rerun")
    if not opened.open:
        return
    groups = rater_and_item_subgroups.group_items_by_file_columns(
        STUDIES[task.study], here.store, work.study, task.item_kind
    )
    among = None
    with opened:
        if chosen := draw_item_groups_and_return_choice("Only items with", groups, key=f"{key}.of"):
            among = rater_and_item_subgroups.ids_in_all_chosen_groups(groups, chosen)
        left = len(
            items_selected_to_hand_out.set_of_ids_of_items_left_to_sample(
                here.store, task, dataset=dataset, among=among
            )
        )
        st.markdown(f"**{left:,} items** {'fit and can be drawn' if chosen else 'can be drawn'}.")
    with opened, st.container(horizontal=True, vertical_alignment="bottom"):
        many = st.number_input("Items", 1, 1_000_000, 50, key=f"{key}.many", width=130)
        seed = st.number_input(
            "Seed", 0, 2**31 - 1, abs(work.settings.seed), key=f"{key}.seed", width=150
        )

        def draw_them(wanted: int | None) -> None:
            of = (
                " of " + "; ".join(map(rater_and_item_subgroups.format_group_label, chosen))
                if chosen
                else ""
            )
            how = f"{wanted:,} at random{of}, seed {seed}" if wanted else f"all{of}"
            try:
                more = items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
                    here.store,
                    task,
                    many=wanted,
                    dataset=dataset,
                    seed=int(seed),
                    said=how,
                    by=here.person,
                    among=among,
                )
                are = "item is" if more == 1 else "items are"
                st.session_state[f"{key}.said"] = f"{more:,} more {are} handed out now."
            except MedLensError as error:
                st.session_state[f"{key}.error"] = error

        st.button("Draw", key=f"{key}.draw", type="primary", on_click=draw_them, args=(int(many),))
        if left and (drawn or chosen):
            all_ = "Hand out all that fit" if chosen else "Hand out all the others"
            st.button(all_, key=f"{key}.all", on_click=draw_them, args=(None,))
    with opened:
        st.caption(
            "The same seed draws the same items. What people have begun or judged stays handed out,"
            " and each draw adds to the earlier ones."
        )


def draw_item_groups_and_return_choice(
    label: str,
    groups: rater_and_item_subgroups.Groups,
    *,
    key: str,
    on_change: Callable[[], None] | None = None,
) -> list[rater_and_item_subgroups.Group]:
    """A choice of groups of items by the columns of their file; nothing if there are none."""
    if not groups:
        return []
    found: list[rater_and_item_subgroups.Group] = st.multiselect(
        label,
        list(groups),
        format_func=rater_and_item_subgroups.format_group_label,
        key=key,
        on_change=on_change,
        placeholder="choose values of their columns",
        filter_mode="contains",
        select_all=False,
        width=420,
        help="Several values of one column: any of them. Several columns: all must fit.",
    )
    return found


_STATES = {"waiting": "not opened yet", "open": "open", "closed": "closed"}


def draw_other_datasets_to_open(here: Here, work: Work) -> None:
    """The task's other datasets, to be opened in the same way; nothing if there are none."""
    task, dataset = work.task, work.dataset
    others = [one for one in rounds.datasets_of_task(here.store, task) if one != dataset]
    if not others:
        return
    key = f"others.{task.name}.{dataset}"
    st.header("Other datasets", anchor=False)
    if said := st.session_state.pop(f"{key}.said", None):
        st.success(said, icon=":material/check:")
    if error := st.session_state.pop(f"{key}.error", None):
        show_error(error)

    def groups_of(other: str) -> rater_and_item_subgroups.Groups:
        declared = STUDIES[task.study]
        opened = declared.open(here.store, here.settings, other)
        return rater_and_item_subgroups.group_items_by_file_columns(
            declared, here.store, opened, task.item_kind
        )

    def open_them() -> None:
        many = st.session_state[key]
        usual = hand_out_settings.default_hand_out_settings(
            here.settings, task.name, task.handing_out
        )
        try:
            opened = copy_round_to_datasets.open_round_alike_on_other_datasets(
                *(here.store, task, dataset, many),
                usual=usual,
                by=here.person,
                groups_of=groups_of,
            )
            st.session_state[key] = []
            st.session_state[f"{key}.said"] = "Open in the same way now:\n" + "\n".join(
                f"- {escape_markdown(titles[one.dataset])}: {_carried(one)}" for one in opened
            )
        except MedLensError as error:
            st.session_state[f"{key}.error"] = error

    titles = STUDIES[task.study].titles(here.store, others)
    states = {
        one: _STATES[rounds.current_round_of_task(here.store, task, one).state] for one in others
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "Open these too",
            others,
            format_func=lambda one: f"{titles[one]} ({states[one]})",
            key=key,
            placeholder="choose datasets",
            width=420,
        )
        st.button(
            "Open in the same way", key=f"{key}.open", disabled=not chosen, on_click=open_them
        )
    st.caption(
        "They are given to the same people with the same settings, and, where they have none of"
        " their own, with the text before the first item, the guideline and a random sample of the"
        " same size, from items with the same values if you chose some. A gold item is gold there"
        " too if the same item is there. Not copied: suggestions, the crowd platform's addresses,"
        " and samples chosen by what people or models said of the items here."
    )


def _carried(one: copy_round_to_datasets.Opened) -> str:
    """What was carried over to a dataset, and what was not."""
    if one.sampled is not None:
        found = [f"{one.sampled:,} items are handed out"]
    elif one.chosen:
        found = ["all items are handed out, because the sample here cannot be drawn there"]
    else:
        found = ["all items are handed out"]
    found += ["guideline copied"] * one.guideline
    if one.gold:
        found.append(f"{one.shared:,} of {one.gold:,} gold item{'s' * (one.gold != 1)} copied")
    return "; ".join(found) + "."


def draw_consent_text_and_who_agreed(here: Here, work: Work) -> None:
    """The text people read and agree to before they judge, and who agreed to which version."""
    task, dataset = work.task.name, work.dataset
    texts = consent.list_consent_text_versions(here.store, task, dataset)
    now = texts[-1].text if texts else ""
    st.header("Before the first item", anchor=False)

    def write(text: str, base: int | None) -> None:
        consent.write_consent_text(here.store, task, dataset, text, by=here.person, base=base)

    draw_form_to_change_shared_text(
        *(here, "consent", f"{task}.{dataset}"),
        version=len(texts),
        text=now,
        by=texts[-1].by if texts else "",
        write=write,
        label=f"Version {len(texts)}" if texts else "What people read and agree to",
        hint="Everyone is asked before their next item, also after each change. Left empty, nobody"
        " is. Headings (#) and lists (-) are shown as such.",
        lines=6,
        longest=consent.LONGEST,
        submit="Save" if not texts else "Save a new version",
    )
    agreed = consent.consents_table(here.store, task, dataset, viewer=here.person)
    if not agreed.empty:
        st.dataframe(
            agreed,
            hide_index=True,
            column_config={"at": streamlit_column_of_times()},
            alt="Who agreed to which version of the text, and when",
        )
        draw_csv_button(agreed, "consents")
    for one in texts[:-1]:
        with st.expander(
            f"Version {one.version}, {to_browser_time_zone(one.at):%-d %B %Y},"
            f" by {escape_markdown(one.by)}"
        ):
            st.text(one.text or "Nothing was asked.", width="stretch")


def draw_hand_out_settings(here: Here, work: Work, people: Mapping[str, str]) -> None:
    """How items are handed out, to change for this task in this dataset, and what that means for
    these ``people`` (names by id).
    """
    names = {
        name: title for name, title in _NAMES.items() if not work.task.everyone or name in _OF_ALL
    }
    now = _now(work.settings, names)

    def send(entered: Entries, *, over: bool = False) -> None:
        before, mine = _changes(entered, now, names)
        # Another lead may have saved since the page was drawn.
        held = make_work_of_task_with_settings(here, work.task, work.dataset, work.study).settings
        if before != _now(held, names) and not over:
            raise Conflict("Not saved yet.", hint="Choose whose changes to keep.")
        hand_out_settings.change_task_settings(
            here.store, work.task.name, work.dataset, mine, by=here.person
        )

    def keep() -> None:
        sheet.send = partial(send, over=True)
        sheet.submit_and_move_on()

    # What others save in the meantime changes neither the form a lead is editing nor its draft.
    sheet = form_sheet_of_session(
        here.store,
        here.person,
        "settings",
        f"{work.task.name}.{work.dataset}",
        send=send,
        given={**now, _BEFORE: json.dumps(now)},
        anew=True,
    )
    st.header("How items are handed out", anchor=False)
    if work.task.everyone:
        st.caption("Everybody is given every item.")
    if sheet.has_unsent_entries:
        _tell_changes(here, work, sheet, now, keep)
    fields: list[FieldData] = [
        {"id": name, "kind": "text", "label": title, "short": True, "longest": 20}
        for name, title in names.items()
    ]
    usual = _now(
        hand_out_settings.default_hand_out_settings(
            here.settings, work.task.name, work.task.handing_out
        ),
        names,
    )
    hints = {
        "seed": "Decides who is given which items.",
        "deadline": "People see it; nothing closes then.",
        "again_share": "Shows how far people agree with themselves. They are not told which.",
    }
    for field in fields:
        if field["id"] in _BY_DEFAULT and now[field["id"]] == usual[field["id"]]:
            field["folded"] = usual[field["id"]]
        if field["id"] in hints:
            field["hint"] = hints[field["id"]]
        if field["id"] == "deadline":
            field["day"] = True
        if field["id"] == "order":
            field["kind"] = "choice"
            field["options"] = [OptionData(value=one, name=said) for one, said in ORDERS.items()]

    # Show the effect of an entry at once, without redrawing the rest of the page.
    @st.fragment
    def draw_both() -> None:
        draw_form_sheet_in_fragment(sheet, fields, submit="Save")
        st.caption(
            "Whoever runs MedLens can set other defaults for this task, in medlens.toml under"
            f" \\[tasks.{work.task.name}\\]."
        )
        with contextlib.suppress(InvalidInput):
            _, mine = _changes(sheet.body, now, names)
            _warn_of_past_deadline(str(mine.get("deadline", "")))
            _draw_load(here, work, replace(work.settings, **mine), people)
        if sheet.moved:
            st.rerun()

    draw_both()


def _warn_of_past_deadline(entered: str) -> None:
    """Before it is saved, that a deadline just entered is a day that has passed."""
    if entered and (day := date.fromisoformat(entered)) < today_in_browser_time_zone():
        st.warning(
            f"This deadline has passed: {day:%-d %B %Y}. Nothing is saved yet.",
            icon=":material/event_busy:",
        )


def draw_fixed_panel_checkbox(here: Here, work: Work) -> None:
    """Whether the raters are declared to be all that matter."""
    key = f"panel.{work.task.name}.{work.dataset}"

    def declare() -> None:
        tasks = STUDIES[work.task.study].tasks(work.study)
        fixed = bool(st.session_state[key])
        hand_out_settings.declare_raters_fixed(
            here.store, tasks, work.dataset, fixed=fixed, by=here.person
        )

    st.header("Whom figures speak for", anchor=False)
    st.session_state[key] = work.fixed_panel
    st.checkbox("These raters are all that matter: a fixed panel", key=key, on_change=declare)
    st.caption(
        "Checked, the study's figures speak for the people who judge here; otherwise, from four"
        " on, for raters like them."
    )


def _draw_load(here: Here, work: Work, settings: HandOut, people: Mapping[str, str]) -> None:
    """What each person has and will get, and what these settings make impossible."""
    st.header("What each person gets", anchor=False)
    found = assignment.summarise_round_workload_of_people(
        here.store, work.task, settings, dataset=work.dataset, people=list(people)
    )
    for line in _troubles(work, settings, found):
        st.warning(line, icon=":material/warning:")
    if not found.shares or not found.items:
        return
    days = 0
    if settings.deadline:
        days = (date.fromisoformat(settings.deadline) - today_in_browser_time_zone()).days + 1
    table = pd.DataFrame(
        [
            {
                "rater": people[one.rater],
                "judged": one.judged,
                "in hand": one.open,
                "still to come": one.to_come,
                "in all": one.judged + one.open + one.to_come,
                "a day": (one.open + one.to_come) / days if days > 0 else None,
            }
            for one in found.shares
        ]
    )
    st.html(_STYLE)
    with st.container(key="workload"):
        st.dataframe(
            table if days > 0 else table.drop(columns=["a day"]),
            hide_index=True,
            width="content",
            column_config={
                "still to come": st.column_config.NumberColumn(
                    help="If everyone takes an equal share of what is left; those who start early"
                    " may take more, up to the items per rater"
                ),
                "a day": st.column_config.NumberColumn(
                    format="%.1f",
                    help="What is in hand and to come, by the days until the deadline",
                ),
            },
            alt="The people of the round, with what they have judged and will still get",
        )
    told = "With what is entered above, and if everybody named does their part."
    if settings.gold_share and work.task.can_items_be_gold:
        gold = consensus.gold_items_table(
            here.store, work.task, dataset=work.dataset, viewer=here.person
        )
        gold = gold[gold["practice"].isna()]
        told += (
            " There is no hidden gold item yet, so none is mixed in."
            if gold.empty
            else f" Everyone also gets some of the {len(gold):,} hidden gold items."
        )
    if settings.again_share:
        told += f" Of each person's items {settings.again_share:.0%} come again, on top of these."
    st.caption(told)


def _people(many: int) -> str:
    return f"{many:,} {'person' if many == 1 else 'people'}"


def _troubles(work: Work, settings: HandOut, found: assignment.Load) -> Iterator[str]:
    """What is impossible with these settings and people."""
    many, each = len(found.shares), settings.raters_per_item
    if not found.items:
        yield "This task has no items here: nothing will be handed out. Import some on Data."
        return
    if not many:
        yield "Nobody has signed in yet who could be given these items."
        return
    if each > many and not work.task.everyone:
        yield (
            f"{each} raters per item are wanted and {_people(many)} can be given them: items will"
            f" have {many} at most. Name more people, let more sign in, or ask for {many}."
        )
    elif found.without_people:
        yield f"For {found.without_people:,} judgments nobody is left who has not had the item."
    if found.without_items:
        yield (
            f"{found.without_items:,} judgments will remain: {_people(many)} with"
            f" {settings.items_per_rater:,} items each {'is' if many == 1 else 'are'} not enough."
            " Raise the items per rater, or name more people."
        )
    if settings.again_share and work.task.reveals:
        yield (
            f"Raters can see {work.task.reveals} once they have answered an item. Items for "
            f"which they did so do not come again: here that may be all of them."
        )
    if settings.deadline and date.fromisoformat(settings.deadline) < today_in_browser_time_zone():
        yield "The deadline has passed."


def _now(settings: HandOut, names: Iterable[str]) -> dict[str, str]:
    return {name: str(getattr(settings, name)) for name in names}


def _before(entered: Entries) -> dict[str, str]:
    """The settings when the lead began to change them."""
    found: dict[str, str] = json.loads(entered.get(_BEFORE) or "{}")
    return found


def _changes(
    entered: Entries, now: Mapping[str, str], names: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """The settings the lead began with, and the ones they changed.

    Raises:
        InvalidInput: a value is not a number, or out of bounds.
    """
    before = _before(entered) or dict(now)
    mine: dict[str, Any] = {}
    for name, title in names.items():
        said = (entered.get(name) or "").strip()
        if said == before.get(name):
            continue
        if name in ("deadline", "order"):
            HandOut(deadline=said) if name == "deadline" else HandOut(order=said)
            mine[name] = said
            continue
        kind, least, most = _BOUNDS[name]
        try:
            value = kind(said.replace(",", "."))
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            what = "whole number" if kind is int else "number"
            raise InvalidInput(f"{title}: enter a {what} from {least:,} to {most:,}.")
        mine[name] = value
    return before, mine


def _tell_changes(
    here: Here, work: Work, sheet: FormSheet, now: Mapping[str, str], keep: Callable[[], None]
) -> None:
    """If another lead has saved since this one began: show what, and ask whose changes to keep."""
    before = _before(sheet.body) or dict(now)
    theirs = [name for name in now if before.get(name) != now[name]]
    if not theirs:
        return
    who = escape_markdown(
        hand_out_settings.name_of_who_last_changed_settings(
            here.store, work.task.name, work.dataset
        )
    )
    lines = [f"{who} has saved changes since you opened this. Yours are not saved yet."]
    for name in theirs:
        line = f"- {_NAMES[name]}: {before.get(name)} was changed to {now[name]}"
        entered = sheet.body.get(name) or ""
        lines.append(
            line + (f"; here it is {escape_markdown(entered)}" * (entered != before.get(name)))
        )
    st.warning("\n".join(lines))
    with st.container(horizontal=True):
        st.button("Keep mine", key="settings.over", on_click=keep)
        st.button("Use theirs", key="settings.back", on_click=sheet.discard_entries_of_person)
