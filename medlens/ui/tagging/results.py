"""The results of error tagging, for leads: what was found, how far raters agree, who they are.

Every mark of a chart leads to its responses. The dataset, the section, the mark and the opened
response stand in the address, so that every view is a link.
"""

from __future__ import annotations

import streamlit as st

from medlens.stats.figures import figure_rows
from medlens.tagging.study import Study
from medlens.tagging.tasks import STUDY
from medlens.ui import Here, published
from medlens.ui.address import go
from medlens.ui.charts import STYLE, Chart, csv_button, draw_chart, draw_table, theme
from medlens.ui.frame import escape
from medlens.ui.tagging import item_detail
from medlens.ui.tagging import results_agreement as agreement
from medlens.ui.tagging import results_labels as labels
from medlens.ui.tagging import results_raters as raters
from medlens.ui.tagging.results_data import Source
from medlens.ui.tagging.results_marks import behind, mark_id

_SECTIONS = {
    "labels": "Labels",
    "agreement": "Agreement",
    "together": "Together",
    "places": "Places",
    "raters": "Raters",
    "rules": "Rules",
    "published": "Published",
}
_MOST = 500

_STYLE = """
<style>
  .stMainBlockContainer:has(.st-key-results-numbers) { padding: 0.4rem 1rem 3rem; }
  .st-key-results-numbers { column-gap: 2.25rem; row-gap: 0.25rem; }
  .st-key-results-numbers [data-testid="stMetric"] { padding: 0; }
  .st-key-results-numbers [data-testid="stMetricLabel"] p { font-size: 0.8125rem; }
  .st-key-results-numbers [data-testid="stMetricValue"] { font-size: 1.375rem; line-height: 1.3; }
  @media (min-width: 1000px) {
    .stColumn:has(.st-key-results-list) > div { position: sticky; top: 3.5rem; }
  }
</style>
"""


def draw(here: Here, study: Study) -> None:
    """The results of the current dataset, or the response that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    source = Source(here.store, study, here.person, theme())
    if not study.dataset:
        st.info(
            "There are no responses yet. Import them on the Data page.", icon=":material/inbox:"
        )
        return
    st.html(STYLE + _STYLE)
    opened = st.query_params.get("response", "")
    if opened and item_detail.draw(here, study, opened, _around(source, opened)):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="results.numbers"):
        if study.illustrative:
            st.caption(":material/science: Illustrative: written for the demo", width="content")
        if source.tags.items:
            _numbers(source)
    if not source.tags.items:
        st.info("Nobody has judged a response of this dataset yet.", icon=":material/inbox:")
        return
    st.caption(agreement.summary(source))
    section = _choice("section", _SECTIONS, label="Show")
    if section == "rules":
        _rules(source)
        return
    if section == "published":
        published.draw_all(STUDY, key="results.published", paper="Roy et al. 2024")
        return
    left, right = st.columns([8, 5], gap="large")
    with left:
        _charts(source, section)
    with right, st.container(key="results.list"):
        _list(source)
    if section == "labels":
        _compared(source)


def _choice(name: str, options: dict[str, str], *, label: str) -> str:
    """A choice that stands in the address; the first option is the default."""
    first = next(iter(options))
    key = f"results.{name}"
    asked = st.query_params.get(name, first)
    st.session_state[key] = asked if asked in options else first

    def chosen() -> None:
        value = str(st.session_state[key])
        go(**{name: "" if value == first else value, "mark": ""})

    picked = st.segmented_control(
        label,
        list(options),
        format_func=lambda one: escape(options[one]),
        key=key,
        required=True,
        on_change=chosen,
        label_visibility="collapsed",
        wrap=True,
    )
    return str(picked)


def _numbers(source: Source) -> None:
    tags, wanted = source.tags, source.study.settings.raters_per_item
    enough = int((tags.raters_per_item >= wanted).sum())
    for name, value in {
        "Responses judged": f"{len(tags.items):,} of {source.total:,}",
        f"With {wanted} raters or more": f"{enough:,}",
        "Judgments": f"{len(tags.judged):,}",
        "Raters": f"{tags.judged['rater'].nunique():,}",
    }.items():
        st.metric(name, value, width="content")


def _charts(source: Source, section: str) -> None:
    if section == "labels":
        _draw(labels.prevalence_chart(source))
        rows = figure_rows([*labels.counted(source), *source.medqa], study=STUDY)
        published.draw_beside(STUDY, rows, "results.published.beside")
    elif section == "agreement":
        kind = _choice("on", {"labels": "Labels", "words": "Words", "marks": "Marks"}, label="On")
        st.caption(agreement.READING if kind != "marks" else _F1)
        chart = {
            "labels": agreement.labels_chart,
            "words": agreement.words_chart,
            "marks": agreement.spans_chart,
        }[kind]
        _draw(chart(source))
    elif section == "together":
        rules = {"relaxed": "Relaxed", "strict": "Strict", "passage": "Same words"}
        _draw(labels.together_chart(source, _choice("rule", rules, label="Rule")))
    elif section == "places":
        _draw(labels.places_chart(source))
    else:
        _draw(raters.raters_chart(source, _choice("of", raters.views(source), label="Of raters")))


_F1 = (
    "1: raters mark the same words; 0: never. Unlike alpha, this does not take chance out, so "
    "long marks overlap easily."
)


def _draw(chart: Chart) -> None:
    draw_chart(chart, on_mark=lambda mark: go(mark=mark))


def _compared(source: Source) -> None:
    found = labels.nearest(source)
    if not found:
        return
    st.markdown("##### Against the published labels")
    for name, (rule, same, n) in found.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(
                f"Our {rule} rule and {name}: {same} of {n} responses have the same labels.",
                width="content",
            )
            if same < n:
                st.button(
                    "Differences",
                    key=f"results.differs.{name}",
                    type="tertiary",
                    on_click=go,
                    kwargs={"mark": mark_id("differs", rule, name)},
                )


def _list(source: Source) -> None:
    """The responses behind the mark in the address, each a way into the response."""
    found = behind(source, st.query_params.get("mark", "") or mark_id("all"))
    if found is None:
        st.caption("This link names something that is no longer there.")
        return
    names = found.table["response"]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"##### {escape(found.title)}")
        csv_button(found.table, "responses")
    if found.table.empty:
        st.caption("No response.")
        return
    more = f"; the first {_MOST:,} are shown, the CSV has all" if len(names) > _MOST else ""
    n = len(found.names)
    st.caption(f"{n:,} {'response' if n == 1 else 'responses'}{more}. Click one to read it.")
    shown = found.table.head(_MOST)
    draw_table(
        shown,
        "results.responses",
        marks=tuple(shown["response"]),
        on_mark=lambda name: go(response=name),
        alt="The responses behind the chosen mark",
        height=min(38 + 35 * len(shown), 560),
    )
    if st.query_params.get("mark"):
        st.button(
            "All responses",
            key="results.all",
            type="tertiary",
            icon=":material/close:",
            on_click=go,
            kwargs={"mark": ""},
        )


def _around(source: Source, name: str) -> list[str]:
    """The list to leaf through: the responses behind the mark, else all that were judged."""
    found = behind(source, st.query_params.get("mark", ""))
    if found is None or name not in found.names:
        found = behind(source, mark_id("all"))
    return found.names if found else []


def _rules(source: Source) -> None:
    table, said = raters.breaches(source)
    st.markdown("##### Judgments that break a rule")
    st.caption(
        "The page refuses these; imported data can hold them. They count in every figure as given."
    )
    st.text("\n".join(said))
    if table.empty:
        return
    draw_table(
        table.head(_MOST),
        "results.breaches",
        marks=tuple(table["response"]),
        on_mark=lambda name: go(response=name),
        alt="Judgments that break a rule",
        height=min(38 + 35 * len(table), 560),
        columns={"labels": st.column_config.TextColumn(width="large")},
    )
    csv_button(table, "rule_breaches")
