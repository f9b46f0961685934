"""Gold items: what the answer must be, who meets it, and the forms that say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review import agreement, consensus, items
from medlens.stats.estimate import Estimate
from medlens.tagging.study import Study
from medlens.ui.frame import Here, escape
from medlens.ui.team_task import Work


def draw(here: Here, work: Work) -> None:
    """The gold items of a task, the hit rates, and the way to add one."""
    if work.task.gold_hit is None:
        return
    st.subheader("Gold items", anchor=False)
    st.caption(
        "Items whose answer you know, mixed into everyone's work without being marked "
        f"({work.settings.gold_share:.0%} of it). Reviewers cannot tell them apart."
    )
    gold = consensus.gold(here.store, work.task, dataset=work.dataset, viewer=here.person)
    if not gold.empty:
        shown = [_expected(work, expected) for expected in gold["expected"]]
        st.dataframe(pd.DataFrame({"item": gold["item"], "expected": shown}), hide_index=True)
        _hits(here, work, gold)
    if isinstance(work.study, Study):
        _by_labels(here, work, work.study)
    elif work.task.gold_of is not None:
        _by_judgment(here, work)


def _expected(work: Work, expected: Mapping[str, Any]) -> str:
    if isinstance(work.study, Study):
        return "; ".join(work.study.taxonomy.label(label).name for label in expected["labels"])
    return "; ".join(f"{name}: {_said(value)}" for name, value in expected.items())


def _said(value: Any) -> str:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value):
        return f"{value[0]} to {value[1]}"
    return str(value).replace("_", " ")


def _hits(here: Here, work: Work, gold: pd.DataFrame) -> None:
    judged = consensus.judgments(here.store, work.task, dataset=work.dataset, viewer=here.person)
    people = judged[judged["rater_kind"] == "person"]
    share = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        _table(agreement.gold_hits(work.task, people, gold)),
        hide_index=True,
        placeholder="–",
        column_config={"hit rate": share, "low": share, "high": share},
    )


def _table(hits: dict[str, Estimate]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rater": rater,
                "hits": one.numerator,
                "gold items judged": one.n,
                "hit rate": one.value,
                "low": one.low,
                "high": one.high,
            }
            for rater, one in hits.items()
        ]
    )


def _by_labels(here: Here, work: Work, study: Study) -> None:
    with st.form("gold.new", border=True, clear_on_submit=True):
        left, right = st.columns([1, 2])
        name = left.text_input("Item", placeholder="its name, such as item96")
        names = {label.id: label.name for label in study.taxonomy.labels}
        labels = right.multiselect(
            "Expected labels (leave empty to remove the item from the gold items)",
            list(names),
            format_func=lambda i: names[i],
        )
        if st.form_submit_button("Save gold item"):
            item = _item(here, work, name.strip())
            if item is None:
                return
            if breaches := study.taxonomy.breaches(labels):
                st.error(escape(" ".join(breaches)))
                return
            _save(here, work, item, {"labels": labels}, active=bool(labels))


def _by_judgment(here: Here, work: Work) -> None:
    """An item becomes gold by a judgment of it, of whoever knows the answer."""
    with st.form(f"gold.new.{work.task.name}", border=True, clear_on_submit=True):
        left, right = st.columns([1, 2])
        name = left.text_input("Item", placeholder="its name", key=f"gold.item.{work.task.name}")
        judged = consensus.judgments(
            here.store, work.task, dataset=work.dataset, viewer=here.person
        )
        nobody = "nobody: no longer a gold item"
        people = list(dict.fromkeys(judged["rater"][judged["rater_kind"] == "person"]))
        whose = right.selectbox(
            "Use the answer of",
            [*people, nobody],
            key=f"gold.whose.{work.task.name}",
            help="Judge the item yourself first, then make your own judgment the expected answer.",
        )
        if not st.form_submit_button("Save gold item"):
            return
    item = _item(here, work, name.strip())
    if item is None:
        return
    if whose == nobody:
        _save(here, work, item, {}, active=False)
        return
    found = judged["value"][(judged["item_id"] == item) & (judged["rater"] == whose)]
    if found.empty or work.task.gold_of is None:
        st.error(f"{escape(str(whose))} has not judged this item.")
        return
    _save(here, work, item, work.task.gold_of(found.iloc[0]), active=True)


def _item(here: Here, work: Work, name: str) -> str | None:
    known = items.by_names(here.store, work.task.study, work.dataset, [name])
    if name not in known:
        st.error(f"There is no item called {escape(name)} in this dataset.")
    return known.get(name)


def _save(here: Here, work: Work, item: str, expected: Mapping[str, Any], *, active: bool) -> None:
    consensus.set_gold(
        here.store, work.task, item=item, expected=expected, active=active, by=here.person
    )
    st.rerun()
