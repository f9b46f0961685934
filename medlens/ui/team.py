"""The team: how far the work is, who does it, what was flagged, and the settings (leads)."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.review import assignment, consensus, items, raters, surveys
from medlens.review.raters import Role
from medlens.stats.estimate import Estimate
from medlens.tagging import exchange, queries
from medlens.tagging.study import Study, open_study
from medlens.ui.charts import csv_button
from medlens.ui.frame import Here, escape
from medlens.ui.server import sign_in_is_set_up


def draw(here: Here) -> None:
    """Progress, flags, gold items, people, settings and survey answers of the current dataset."""
    st.title("Team")
    study = open_study(here.store, here.settings, st.query_params.get("dataset", ""))
    if study.dataset:
        _progress(here, study)
        _flags(here, study)
        _gold(here, study)
        _settings(here, study)
    _people(here)
    _surveys(here)


def _progress(here: Here, study: Study) -> None:
    st.subheader("Progress")
    st.caption(f"Dataset {escape(study.dataset)}")
    counts = queries.coverage(here.store, study.task, dataset=study.dataset)
    items = sum(count for _, count in counts)
    wanted = items * study.settings.raters_per_item
    done = sum(min(n, study.settings.raters_per_item) * count for n, count in counts)
    st.progress(
        done / wanted if wanted else 0.0,
        text=f"{done:,} of {wanted:,} judgments ({study.settings.raters_per_item} per response)",
    )
    table = queries.progress(
        here.store, study.task, dataset=study.dataset,
        cap=study.settings.items_per_rater, viewer=here.person,
    )  # fmt: skip
    if table.empty:
        st.markdown("Nobody has started yet.")
        return
    st.dataframe(
        table.drop(columns=["origin"]), hide_index=True, placeholder="–",
        column_config={
            "minutes": st.column_config.NumberColumn("active minutes", format="%.1f"),
            "last_seen": st.column_config.DatetimeColumn("last judgment", format="calendar"),
        },
    )  # fmt: skip
    csv_button(table, "progress")


def _flags(here: Here, study: Study) -> None:
    found = assignment.flags(here.store, study.task, dataset=study.dataset)
    if not found:
        return
    st.subheader("Flagged")
    st.dataframe(pd.DataFrame(found), hide_index=True)


def _gold(here: Here, study: Study) -> None:
    st.subheader("Gold items")
    st.caption(
        "Responses whose labels you know, mixed unseen into everyone's work "
        f"({study.settings.gold_share:.0%} of it). Reviewers cannot tell them apart."
    )
    gold = consensus.gold(here.store, study.task, dataset=study.dataset, viewer=here.person)
    if not gold.empty:
        shown = pd.DataFrame(
            {
                "item": gold["item"],
                "expected": [
                    "; ".join(study.taxonomy.label(label).name for label in expected["labels"])
                    for expected in gold["expected"]
                ],
            }
        )
        st.dataframe(shown, hide_index=True)
        hits = exchange.gold_hits(here.store, study, viewer=here.person)
        share = st.column_config.NumberColumn(format="percent")
        st.dataframe(
            _hits(hits), hide_index=True, placeholder="–",
            column_config={"hit rate": share, "low": share, "high": share},
        )  # fmt: skip
    with st.form("gold.new", border=True, clear_on_submit=True):
        left, right = st.columns([1, 2])
        name = left.text_input("Item", placeholder="its name, such as item96")
        names = {label.id: label.name for label in study.taxonomy.labels}
        labels = right.multiselect("Expected labels (none: no longer gold)", list(names),
                                   format_func=lambda i: names[i])  # fmt: skip
        if st.form_submit_button("Save gold item"):
            _set_gold(here, study, name.strip(), labels)


def _set_gold(here: Here, study: Study, name: str, labels: list[str]) -> None:
    known = items.by_names(here.store, study.task.study, study.dataset, [name])
    if name not in known:
        st.error(f"There is no item called {escape(name)} in this dataset.")
        return
    if breaches := study.taxonomy.breaches(labels):
        st.error(escape(" ".join(breaches)))
        return
    consensus.set_gold(
        here.store, study.task, item=known[name], expected={"labels": labels},
        active=bool(labels), by=here.person,
    )  # fmt: skip
    st.rerun()


def _hits(hits: dict[str, Estimate]) -> pd.DataFrame:
    rows = []
    for rater, estimate in hits.items():
        rows.append(
            {
                "rater": rater, "hits": estimate.numerator, "gold items judged": estimate.n,
                "hit rate": estimate.value, "low": estimate.low, "high": estimate.high,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _settings(here: Here, study: Study) -> None:
    with st.expander("How items are handed out", icon=":material/tune:"), st.form("settings"):
        chosen = study.settings
        columns = st.columns(4)
        change = {
            "raters_per_item": columns[0].number_input(
                "Raters per item", 1, 50, chosen.raters_per_item
            ),
            "items_per_rater": columns[1].number_input(
                "Items per rater", 1, 5000, chosen.items_per_rater
            ),
            "lease_minutes": columns[2].number_input(
                "Minutes until an untouched item is handed on", 1, 10_000, chosen.lease_minutes
            ),
            "gold_share": columns[3].number_input(
                "Share of gold items", 0.0, 0.5, chosen.gold_share, step=0.05
            ),
        }
        if st.form_submit_button("Save"):
            queries.set_setting(here.store, study.dataset, change, by=here.person)
            st.rerun()


def _people(here: Here) -> None:
    st.subheader("People")
    everyone = [r for r in raters.everyone(here.store) if r.origin in ("app", "oidc")]
    st.dataframe(
        pd.DataFrame([{"name": r.name, "e-mail": r.email or "", "role": r.role} for r in everyone]),
        hide_index=True,
    )
    if sign_in_is_set_up():
        st.caption("Roles come from [people] in medlens.toml.")
        return
    others = [r for r in everyone if r.id != here.person.id]
    if not others:
        return
    with st.form("role", border=True):
        left, right = st.columns(2)
        who = left.selectbox("Person", others, format_func=lambda r: r.name)
        roles: list[Role] = ["reviewer", "lead"]
        role = right.selectbox("Role", roles)
        if st.form_submit_button("Set role"):
            raters.set_role(here.store, who.id, role, by=here.person)
            st.rerun()


def _surveys(here: Here) -> None:
    table = surveys.table(here.store, viewer=here.person)
    if table.empty:
        return
    st.subheader("Forms")
    st.caption(f"Answered by {table['rater_handle'].nunique()}.")
    st.dataframe(table.drop(columns=["rater_handle"]), hide_index=True)
    csv_button(table, "surveys")
