"""The chart of verifiers' quotes: how each verifier's stand on their pages."""

from __future__ import annotations

from medlens.review.charts import Chart
from medlens.sourcecheckup.metrics_quotes import QUOTE_NAMES
from medlens.ui.address import mark_id
from medlens.ui.sourcecheckup.data import Source
from medlens.ui.sourcecheckup.figures_charts import GREY_NOTE, Entry, rows_chart
from medlens.web.quotes import Standing


def quotes_chart(source: Source) -> Chart:
    """How each verifier's quotes stand on their pages."""
    return source.keep("chart.quotes", lambda: _quotes(source), drawn=True)


def _quotes(source: Source) -> Chart:
    entries: list[Entry] = [
        (
            f"{verifier}: {QUOTE_NAMES[_standing(figure)]}",
            figure,
            verifier,
            one,
            mark_id("pairs", f"verifier={verifier}"),
        )
        for (figure, verifier), one in source.quotes.items()
    ]
    return rows_chart(
        source,
        "quotes",
        entries,
        title="The verifiers' quotes on their pages",
        n=f"Verdicts on pages that could be read. {GREY_NOTE}",
        note="Set in another way: spaces, line ends, hyphens, quotation marks, ligatures or case"
        " differ, and nothing that carries meaning. Alike, not the same: a word, number, unit,"
        " comparison or negation differs, or the quote was cut off from one; such a quote does not"
        " count as found.",
    )


def _standing(figure: str) -> Standing:
    return next(one for one in QUOTE_NAMES if figure.endswith(f": {one}"))
