"""The figures for leads: every bar leads to its pairs."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

import pandas as pd
import streamlit as st

from medlens.review.charts import Chart
from medlens.sourcecheckup.metrics_support import FIGURES
from medlens.sourcecheckup.models import STUDY
from medlens.sourcecheckup.study import Study
from medlens.stats.words import p_text
from medlens.ui import Here, address
from medlens.ui.address import mark_id
from medlens.ui.charts import STYLE, csv_button, draw_chart, draw_table, theme
from medlens.ui.figures import published
from medlens.ui.sourcecheckup import figures_charts as charts
from medlens.ui.sourcecheckup import figures_merged, figures_quotes, nav
from medlens.ui.sourcecheckup.data import Source

_SECTIONS = {
    "support": "Support",
    "merged": "Merged",
    "classes": "Classes",
    "sources": "Sources",
    "verifiers": "Verifiers",
    "cleanup": "Clean-up",
    "steps": "Steps",
    "published": "Published",
}
_BY = {"model": "Model", "group": "Question group", "both": "Both", "all": "All"}
# Bars across a wide window say no more, and are harder to read.
_STYLE = "<style>.st-key-figures-body { max-width: 62rem; }</style>"
_SHOWN = tuple(name for name in FIGURES if not name.endswith(("_reachable", "_paper")))


def draw(here: Here, study: Study) -> None:
    """The section that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    source = Source(
        here.store, study, here.person, theme(), verifier=st.query_params.get("verifier", "")
    )
    st.html(STYLE + _STYLE)
    material = source.evidence.material
    if material.responses.empty:
        st.info("There are no answers in this dataset yet.", icon=":material/inbox:")
        return
    verifiers = material.verifiers
    by = source.judged.verifier
    st.caption(
        f"{len(material.responses):,} answers to {material.responses['question'].nunique():,}"
        f" questions, {len(material.statements):,} statements,"
        f" {material.cited['url'].nunique():,} sources, {len(material.verdicts):,} verdicts of"
        f" models, {len(source.evidence.answers):,} of doctors."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        section = choice("section", _SECTIONS)
        if len(verifiers) > 1 and section in ("support", "merged", "classes", "sources", "cleanup"):
            _verifier(verifiers, by)
    with st.container(key="figures.body"):
        _DRAWN[section](source)


def choice(name: str, options: dict[str, str]) -> str:
    """A choice that stands in the address; the first option is the default."""
    first = next(iter(options))
    key = f"figures.{name}"
    asked = st.query_params.get(name, first)
    st.session_state[key] = asked if asked in options else first

    def chosen() -> None:
        value = str(st.session_state[key])
        address.go(**{name: "" if value == first else value})

    return str(
        st.segmented_control(
            name,
            list(options),
            format_func=options.__getitem__,
            key=key,
            required=True,
            on_change=chosen,
            label_visibility="collapsed",
            wrap=True,
        )
    )


def _verifier(verifiers: list[str], by: str) -> None:
    key = "figures.verifier"
    st.session_state[key] = by
    st.selectbox(
        "By whose word",
        verifiers,
        key=key,
        width=220,
        label_visibility="collapsed",
        on_change=lambda: address.go(verifier=str(st.session_state[key])),
    )


def to_pairs(mark: str) -> None:
    """Follow a mark: the pairs behind it, in the list."""
    parts = address.parts_of(mark)
    if parts[0] != "pairs":
        return
    wanted = {name: value for part in parts[1:] for name, value in parse_qsl(part)}
    for name in (*nav.FILTERS, "page", "pair"):
        wanted.setdefault(name, st.query_params.get(name, "") if name == "verifier" else "")
    address.go(view=nav.PAIRS, **wanted)


def _draw(chart: Chart) -> None:
    """A chart whose marks lead to their pairs, and what the paper prints of its figures."""
    draw_chart(chart, on_mark=to_pairs)
    published.draw_beside(STUDY, chart.table, f"published.{chart.name}")


def _support(source: Source) -> None:
    figure = choice("figure", {name: FIGURES[name] for name in _SHOWN})
    by = choice("by", _BY)
    _draw(charts.support_chart(source, figure, by))


def _merged(source: Source) -> None:
    if not source.merged:
        st.caption(
            "Nobody has been asked of merged sources yet: `python -m medlens run sourcecheckup"
            " merged`, or the Runs page."
        )
    else:
        what = choice(
            "merging",
            {
                "statement": "Statements",
                "response": "Answers",
                "changed": "What changes",
            },
        )
        if what == "changed":
            _draw(figures_merged.changed_chart(source))
        else:
            by = choice("by", _BY)
            _draw(figures_merged.merged_chart(source, what, by))


def _classes(source: Source) -> None:
    _draw(
        charts.classes_chart(
            source,
            choice(
                "of",
                {
                    "statements": "Statements",
                    "responses": "Answers",
                    "sources": "Sources",
                },
            ),
        )
    )


def _sources(source: Source) -> None:
    what = choice(
        "what",
        {
            "domain_kind": "Kinds",
            "american": "US or not",
            "url_validity_by_kind": "Valid",
            "url_validity_paper_by_kind": "Valid by the paper",
            "dead_once_existed": "Once existed",
            "pair_support_by_kind": "Supporting",
            "sites": "Top sites",
            "unreadable": "Unreadable",
        },
    )
    if what == "sites":
        _sites(
            source.top_sites,
            "top_sites",
            "The sites cited most, by model",
            "A click on a row lists its pairs.",
            of_model=True,
        )
    elif what == "unreadable":
        _sites(
            source.unreadable_sites,
            "unreadable",
            "Paywalls and dead links",
            "Sites with pages behind a paywall or no longer there.",
            of_model=False,
        )
    else:
        _draw(charts.domains_chart(source, what))


def _sites(table: pd.DataFrame, name: str, title: str, note: str, *, of_model: bool) -> None:
    st.markdown(f"##### {title}")
    st.caption(note)
    if table.empty:
        st.caption("None.")
        return
    marks = []
    for row in table.itertuples():
        filters = [f"site={row.site}"]
        if of_model and row.model != "all":
            filters.append(f"model={row.model}")
        if not of_model:
            filters.append(f"outcome={row.outcome}")
        marks.append(mark_id("pairs", *filters))
    columns = {"share": st.column_config.NumberColumn(format="percent")} if of_model else None
    shown = table.assign(outcome=table["outcome"].str.replace("_", " ")) if not of_model else table
    draw_table(
        shown, f"figures.{name}", alt=title, marks=tuple(marks), on_mark=to_pairs, columns=columns
    )
    csv_button(table, name)


def _verifiers(source: Source) -> None:
    what = choice(
        "worth",
        {
            "agreement": "Against doctors",
            "corrected": "Corrected support",
            "quotes": "Quotes",
        },
    )
    if what == "quotes":
        _draw(figures_quotes.quotes_chart(source))
        return
    if what == "corrected":
        _draw(charts.verifiers_support_chart(source))
        return
    _draw(charts.verifier_chart(source))
    _cells(source)
    _rivals(source)


def _cells(source: Source) -> None:
    """The four cells of each verifier against doctors; a click lists the pairs."""
    rows, marks = [], []
    for one in source.verification.against:
        for verdict, word, cell in (
            ("supported", "supported", one.agreed_yes),
            ("supported", "not supported", one.only_verifier),
            ("not supported", "supported", one.only_doctors),
            ("not supported", "not supported", one.agreed_no),
        ):
            rows.append(
                {
                    "verifier": one.verifier,
                    "says": verdict,
                    "doctors": word,
                    "pairs": len(cell),
                    "kappa": one.kappa.value,
                }
            )
            doctors = "yes" if word == "supported" else "no"
            agrees = "yes" if verdict == word else "no"
            marks.append(
                mark_id(
                    "pairs", f"verifier={one.verifier}", f"doctors={doctors}", f"agrees={agrees}"
                )
            )
    if not rows:
        return
    st.markdown("##### Each verifier's word against the doctors'")
    draw_table(
        pd.DataFrame(rows),
        "figures.cells",
        marks=tuple(marks),
        on_mark=to_pairs,
        alt="Pairs by the verifier's and the doctors' word",
        columns={"kappa": st.column_config.NumberColumn(format="%.2f")},
    )


def _rivals(source: Source) -> None:
    found = source.verification.rivals
    if not found:
        return
    table = pd.DataFrame(
        [
            {
                "one": one.first,
                "other": one.second,
                "agree": one.agreement.value,
                "judged by both": one.agreement.n,
                "one alone right": len(one.first_only),
                "other alone right": len(one.second_only),
                "p (McNemar)": p_text(one.test.p),
            }
            for one in found
        ]
    )
    st.markdown(
        "##### Verifier against verifier",
        help="McNemar's exact test on the pairs that one alone judged as the doctors did, those"
        " of a question taken together.",
    )
    draw_table(
        table,
        "figures.rivals",
        alt="Two verifiers on the same pairs",
        columns={"agree": st.column_config.NumberColumn(format="percent")},
    )
    csv_button(table, "verifiers")


def _cleanup(source: Source) -> None:
    if source.evidence.cleaned.empty:
        st.caption(
            "Nothing has been cleaned up yet: `python -m medlens run sourcecheckup cleanup`, or the"
            " Runs page."
        )
    else:
        _draw(charts.cleanup_chart(source))


def _steps(source: Source) -> None:
    _draw(charts.steps_chart(source))


def _published(_: Source) -> None:
    published.draw_all(STUDY, key="figures.published", paper="Wu et al. 2025")


_DRAWN: dict[str, Callable[[Source], None]] = {
    "support": _support,
    "merged": _merged,
    "classes": _classes,
    "sources": _sources,
    "verifiers": _verifiers,
    "cleanup": _cleanup,
    "steps": _steps,
    "published": _published,
}
