"""A study's report: what stands in it, in both forms, whatever texts it is made of."""

from __future__ import annotations

import contextlib
import functools
import io
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2
import pytest
from docx import Document as WordDocument

from medlens import cli
from medlens.app import (
    document_as_docx,
    document_as_html_or_pdf,
    study_report,
    work_behind_commands,
)
from medlens.app.document_as_html_or_pdf import (
    Bullets,
    Chart,
    Document,
    Heading,
    Mark,
    PageBreak,
    Table,
    Text,
)
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import (
    consensus,
    items,
    judging,
    numbers_printed_in_papers,
    rater_exclusion,
    raters,
    remarks_between_raters_and_leads,
)
from medlens.review.anonymity import person_numbers_by_rater_id
from medlens.review.figure_titles import figure_titles_by_id_of_study, find_figure_title
from medlens.review.judgment_import import make_import_log_row
from medlens.stats.estimate import FRACTIONAL, Estimate, FigureRow, OfRater
from medlens.store import Store, new_id, open_store
from medlens.studies.own import study_file
from medlens.studies.own.study import open_study
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup.metrics_input_tables import RESPONSE_STATES as RESPONSES
from medlens.studies.sourcecheckup.metrics_input_tables import STATEMENT_STATES as STATEMENTS
from medlens.studies.sourcecheckup.records import OUTCOMES
from tests.conftest import LayStore, quick_or_deep
from tests.store.made_up import person

SETTINGS = Settings()
DEMOS = [name for name, declared in STUDIES.items() if declared.demo_files]
SEVERITY = "Error labels more or fewer than others gave the same responses, by rater"
RELAXED = "How common each label is: given by any rater"
STRICT = "How common each label is: given by two raters or the only one"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202egnp.exe\x00"


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(
        tmp_path_factory.mktemp("report") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        yield store


class Parsed(HTMLParser):
    """The tags of a page with their attributes, and its texts."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def pdf_text(data: bytes) -> str:
    pages = pypdfium2.PdfDocument(data)
    text = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    return re.sub(r"\s+", " ", text)


def rows_under(made: Document, heads: tuple[str, ...]) -> list[tuple[str, ...]]:
    found = [b.rows for b in made.blocks if isinstance(b, Table) and tuple(b.heads) == heads]
    return [tuple(row) for rows in found for row in rows]


def report_of(store: Store, study: str, **options: object) -> Document:
    return study_report.build_report_document(store, SETTINGS, STUDIES[study], "", **options)  # type: ignore[arg-type]


Printed = tuple[numbers_printed_in_papers.PublishedNumber, ...]
Row = tuple[FigureRow, Printed]
ReportOf = Callable[[str], Document]


@pytest.fixture(scope="module")
def of_demo(demos: Store) -> ReportOf:
    """The report of a study's demo, made once."""
    return functools.cache(functools.partial(report_of, demos))


@pytest.mark.deep
@pytest.mark.parametrize("study", quick_or_deep(*DEMOS))
def test_every_study_has_a_report_in_each_form_with_each_section(
    demos: Store, of_demo: ReportOf, study: str
) -> None:
    made = of_demo(study)
    page, pdf = (
        Parsed(document_as_html_or_pdf.render_html_bytes(made)),
        pdf_text(document_as_html_or_pdf.render_pdf(made)),
    )
    sections = [b.text for b in made.blocks if isinstance(b, Heading) and b.level == 1]
    assert (sections[0], sections[1], sections[-2]) == ("Summary", "1. Question", "11. Checklist")
    assert sections[-1] == "Appendix: the charts' figures in numbers"
    assert len(sections) == 13
    word = WordDocument(io.BytesIO(document_as_docx.render_docx(made)))
    headed = [one.text for one in word.paragraphs if one.style.name == "Heading 1"]
    assert headed == sections
    pictures = sum(isinstance(block, Chart) for block in made.blocks)
    assert len(word.inline_shapes) >= pictures > 0
    for one in sections:
        assert one in page.texts
        assert one in pdf
    assert "Illustrative demo" in pdf
    for task in STUDIES[study].tasks(STUDIES[study].open(demos, SETTINGS, "demo")):
        assert task.question in page.texts


def test_the_flow_and_the_figures_are_those_of_the_store(demos: Store, of_demo: ReportOf) -> None:
    made = of_demo("tagging")
    flow = dict(rows_under(made, ("Stage", "Tag errors")))
    assert flow["Items in the dataset"] == "24"
    assert flow["judged by people"] == "24 (12 by 2, 12 by 3)"
    assert flow["Judgments that count"] == "60"
    # As many as Home and Team offer to settle.
    assert flow["settled by an adjudicator"] == "0"
    assert flow["disagreed on by people and not yet settled"] == "20"
    # Labels are drawn, so their numbers stand in the appendix.
    in_full = rows_under(made, ("Figure", "Group", "Value", "n"))
    said = {row[:2]: row[2:] for row in in_full}
    # Export says 5 of 24, Wilson 8.8 to 41.6 over raters.
    table = work_behind_commands.make_export_table(
        demos, SETTINGS, "figures", viewer=None, study="tagging"
    )
    one = table.query("figure == 'prevalence_relaxed' and group == 'non_medical_factual_error'")
    [(value, low, high)] = one[["value", "low", "high"]].to_numpy().tolist()
    told = said[RELAXED, "Non-medical factual error"][0]
    assert told.startswith(f"{value:.1%} [{100 * low:.1f}; {100 * high:.1f}] (5/24)")
    # Two raters gave it to 4 of the 23 responses that have a label by that rule.
    strict = table.query("figure == 'prevalence_strict' and group == 'non_medical_factual_error'")
    assert f"{strict['value'].item():.1%}" == "17.4%"
    assert said[STRICT, "Non-medical factual error"][0].startswith("17.4% ")
    # A published number stands beside ours with its place and what contradicts it.
    # Counts are of no group and their own n, so their table has no such columns.
    counts = {row[0]: row for row in rows_under(made, ("Figure", "Value", "Published"))}
    assert "known inconsistency: the raw export holds 45 accounts" in counts["Raters"][2]
    # The first page says what limits all this.
    first = made.blocks[: made.blocks.index(PageBreak())]
    [design] = [row[1] for one in first if isinstance(one, Table) for row in one.rows[2:3]]
    assert design.startswith("24 items offered to people, 24 judged (12 by 2, 12 by 3). 60 jud")
    [limits] = [one.texts for one in first if isinstance(one, Bullets)]
    assert "Disagreed on and not settled by anybody: 20 items." in limits
    speaking = table[table["speaks_for"].fillna("") != ""]
    assert len(speaking) > 0
    assert "No figure generalises beyond these raters." in limits
    [headline] = [one for one in first if isinstance(one, Chart)]
    assert [(mark.said, list(mark.published)) for mark in headline.marks] == [
        ("95.8% (n 24)", [pytest.approx(0.637, abs=0.001)])
    ]


@pytest.mark.deep
def test_items_that_another_ones_answer_settles_are_not_said_to_wait(of_demo: ReportOf) -> None:
    made = of_demo("agentclinic")
    first = made.blocks[: made.blocks.index(PageBreak())]
    limits = " ".join(text for one in first if isinstance(one, Bullets) for text in one.texts)
    # Of 36 diagnoses 17 are the same words about the same case: 19 are put to people.
    assert (
        "Not judged by anybody: Rate dialogues: 13 items of 40; Check diagnoses: 1 item of 19."
        in (limits)
    )


def test_a_long_chart_leaves_out_what_is_zero_and_the_appendix_has_it() -> None:
    def share(hits: int) -> Estimate:
        return Estimate(hits / 20, 0.0, 0.9, 20, "share", numerator=hits, denominator=20)

    rows = [(("together", f"pair {at}", share(at % 5)), ()) for at in range(15)]
    [chart], drawn = study_report._charts("Pairs", rows, {"together": "Together"})
    assert chart.title == "Together, 95% intervals; 3 at zero left out"
    assert [mark.name for mark in chart.marks if mark.value == 0] == []
    assert len(chart.marks) == 12
    assert len(drawn) == 15
    [short], _ = study_report._charts("Pairs", rows[:12], {"together": "Together"})
    assert len(short.marks) == 12


@pytest.mark.deep
def test_every_figure_of_the_demos_has_a_title_and_no_title_is_of_nothing(demos: Store) -> None:
    seldom = {"wrong_among_options", "model_rating"}  # of images with options, and of models
    states = {
        *(f"{of}: {state}" for of in ("statements", "merged statements") for state in STATEMENTS),
        *(f"responses: {state}" for state in RESPONSES),
        *(f"sources: {outcome}" for outcome in (*OUTCOMES, "error", "not fetched")),
    }
    assert {name for name in states if not find_figure_title("sourcecheckup", name)} == set()
    for study in DEMOS:
        table = work_behind_commands.make_export_table(
            demos, SETTINGS, "figures", viewer=None, study=study
        )
        names = set(table["figure"])
        assert {name for name in names if not find_figure_title(study, name)} == set()
        titles = set(figure_titles_by_id_of_study(study))
        unused = {
            one
            for one in titles
            if not any(n == one or n[:-1].startswith(one + "_") for n in names)
        }
        assert unused - seldom - states == set()
    assert find_figure_title("sourcecheckup", "pair_support_by_model_and_group") == (
        "Supported pairs, by model and group"
    )
    assert find_figure_title("agentclinic", "accuracy_by_bias_unflagged") == (
        "Diagnostic accuracy, by bias, flagged cases left out"
    )
    assert find_figure_title("own", "share_safe") is None


REMARKED = (
    "flagged by a rater",
    "commented on by a rater",
    "asked about by a rater",
    "answered by a lead",
    "returned to a rater by a lead",
    "not judged or flagged again yet",
)


@pytest.mark.deep
def test_the_flow_counts_flags_questions_comments_answers_and_what_was_returned(
    tmp_path: Path, lay_store: LayStore
) -> None:
    def counted() -> dict[str, int]:
        made = report_of(store, "tagging")
        flow = dict(rows_under(made, ("Stage", "Tag errors")))
        texts = [one.text for one in made.blocks if isinstance(one, Text)]
        [none] = [text for text in texts if text.startswith("None, in any task: ")]
        counts = dict.fromkeys(none.partition(": ")[2].rstrip(".").split("; "), "0") | {
            stage.removeprefix("of these "): told for stage, told in flow.items()
        }
        return {stage: int(counts[stage]) for stage in REMARKED}

    with contextlib.closing(
        open_store(lay_store(tmp_path / "d.duckdb", STUDIES["tagging"].demo))
    ) as store:
        before = counted()
        lead, task = (
            person(store, "Lena", lead=True),
            STUDIES["tagging"].open(store, SETTINGS, "demo").task,
        )
        item, rater = store.rows(
            "select item, rater from judgment j where exists (select 1 from"
            " rater r where r.id = j.rater and r.kind = 'person') order by seq limit 1"
        )[0]
        of = {"item": item, "rater": rater}
        event = {"id": new_id(), "task": task.name, **of, "kind": "flag", "reason": "Cut off."}
        store.append("assignment_event", {**event, "lease_until": None})
        for kind, text in (("answer", "So it is."), ("answer", "Yes."), ("return", "Look again.")):
            remarks_between_raters_and_leads.store_remark_on_work(
                store, task, **of, kind=kind, text=text, by=lead
            )
        after = counted()
    assert before["commented on by a rater"] > 0
    assert [after[stage] - before[stage] for stage in before] == [1, 0, 0, 1, 1, 1]


def test_a_chart_has_all_groups_of_its_figure_or_is_not_drawn() -> None:
    def drawn(high: float) -> list[list[str]]:
        two = (
            ("A", Estimate(0.5, 0.2, 0.8, 9, "mean")),
            ("B", Estimate(0.6, 0.1, high, 9, "mean")),
        )
        rows = [(("severity", name, one), ()) for name, one in two]
        charts, _ = study_report._charts("Raters", rows, {"severity": "Severity"})
        return [[mark.name for mark in chart.marks] for chart in charts]

    assert drawn(0.9) == [["A", "B"]]
    # The axis ends at 1, and a chart without B would say that A is the only one.
    assert drawn(1.9) == []


def rated(value: float, low: float, high: float, *of_raters: float, **more: int) -> Estimate:
    """A figure with what each rater gave alone."""
    raters = tuple(OfRater(f"id{at}", each, 5) for at, each in enumerate(of_raters))
    return Estimate(value, low, high, 20, "made up", of_raters=raters, **more)


def test_each_rater_is_a_small_dot_beside_preferences_advice_and_means_of_a_scale() -> None:
    rows: list[tuple[FigureRow, tuple[()]]] = [
        (("win", "A", rated(0.5, 0.3, 0.7, 0.2, 0.2, 0.9, numerator=10, denominator=20)), ()),
        (("win", "B", rated(0.5, 0.3, 0.7, numerator=10, denominator=20)), ()),
        (("advice", "", rated(0.1, -0.1, 0.3, -0.6, 0.4)), ()),
        (("mean", "", rated(6.2, 5.1, 7.3, 3.5, 8.6)), ()),
    ]
    worded = {"win": "Won", "advice": "Change of mind", "mean": "Safe"}
    charts = {chart.title: chart for chart in study_report._charts("Answers", rows, worded)[0]}
    told = ", 95% intervals; each small dot is one rater"
    assert list(charts) == [f"Won{told}", f"Answers{told}", f"Safe{told}"]
    won, advice, safe = charts.values()
    assert [mark.raters_said for mark in won.marks] == ["3 raters: 20.0% to 90.0%", ""]
    assert [(mark.name, list(mark.raters)) for mark in advice.marks] == [
        ("Change of mind", [-0.6, 0.4])
    ]
    assert (advice.low, advice.high) == (-1, 1)
    # A mean of a scale has an axis of its own, on which every rater is.
    assert [(mark.name, mark.raters_said) for mark in safe.marks] == [
        ("All together", "2 raters: 3.50 to 8.60")
    ]
    assert (safe.low, safe.high) == (3, 9)
    # Two at one place are both seen.
    dots = won.rater_dot_positions_and_levels(won.marks[0])
    assert [(round(at, 3), level) for at, level in dots] == [(0.2, 0), (0.2, 1), (0.9, 0)]
    made = Document("T", "", tuple(charts.values()))
    page = Parsed(document_as_html_or_pdf.render_html_bytes(made))
    shown = [given for tag, given in page.tags if tag == "circle" and given["class"] == "rater"]
    assert len(shown) == 3 + 2 + 2
    assert "3 raters: 20.0% to 90.0%" in pdf_text(document_as_html_or_pdf.render_pdf(made))


def test_a_reason_why_a_figure_is_undefined_stands_once() -> None:
    why = study_report._UNDEFINED + "items have 2 to 3 ratings"
    alpha, kappa = ("Alpha", "A", "0.50", "9", ""), ("Fleiss kappa", "A", why, "9", "")
    printed = ("Recall", "A", why, "9", "0.4, Table 2")
    other = ("Recall", "B", why, "8", ""), ("Recall", "C", why, "7", "")
    rows = [alpha, kappa, ("Alpha", "B", "0.50", "9", ""), ("Fleiss kappa", "B", why, "9", "")]
    assert study_report._once([*rows, printed, *other]) == [
        alpha,
        ("Fleiss kappa", "all 2 groups", why, "9", ""),
        rows[2],
        # A printed number keeps its row.
        printed,
        ("Recall", "B; C", why, "7 to 8", ""),
    ]


def test_figures_of_the_same_groups_stand_beside_each_other() -> None:
    def of(name: str, *ns: int, value: float | None = 0.5, printed: Printed = ()) -> list[Row]:
        why = "" if value else "nobody was asked"
        ones = [Estimate(value, None, None, n, "mean", reason=why) for n in ns]
        return [((name, group, one), printed) for group, one in zip("ABC", ones, strict=False)]

    def beside(*rows: Row) -> list[object]:
        return list(
            study_report._side_by_side(rows, {name: name.title() for (name, _, _), _ in rows})
        )

    one, two = of("one", 5, 6, 7), of("two", 5, 6, 7)
    other, undefined = of("other", 5, 6, 8), of("undefined", 5, 6, 7, value=None)
    rows = [(g, "0.50", "0.50", n) for g, n in zip("ABC", "567", strict=True)]
    assert beside(*one, *two, *other, *undefined) == [(("Group", "One", "Two", "n"), rows)]
    # Of two groups, rows are as easy to read; a printed number needs a column of its own.
    assert beside(*one[:2], *two[:2]) == []
    assert (
        beside(
            *one,
            *of(
                "two",
                5,
                6,
                7,
                printed=numbers_printed_in_papers.published_numbers_of_study("ebmqa")[:1],
            ),
        )
        == []
    )


def test_what_a_share_is_of_is_written_out_and_an_interval_has_the_decimals_of_its_value() -> None:
    # 17.4173 of 89, as when an answer counts in part; and never 1.5e+06.
    shared = Estimate(0.1957, 0.1, 0.3, 89, FRACTIONAL, numerator=17, denominator=89)
    assert study_report._estimate(shared) == "19.6% [10.0; 30.0] (17.42/89)"
    many = Estimate(0.5, 0.4, 0.6, 9, "share", numerator=1_500_000, denominator=3_000_000)
    assert study_report._estimate(many) == "50.0% [40.0; 60.0] (1,500,000/3,000,000)"
    assert study_report._estimate(Estimate(85.0, 69.0, 118.4, 9, "median")) == "85 [69; 118]"
    assert study_report._estimate(Estimate(8.5, 6.9, 11.8, 9, "median")) == "8.50 [6.90; 11.80]"


def test_a_rank_and_a_count_are_whole_and_a_count_is_said_once() -> None:
    rank = Estimate(1.0, None, None, 89, "rank: 1 + models significantly better")
    assert study_report._figure_row(("rank_accuracy", "a", rank), ()) == ("a", "1", "89", "")
    count = Estimate(10.0, None, None, 10, "count")
    assert study_report._figure_row(("cases", "", count), ()) == ("", "10", "", "")


def test_of_figures_that_differ_in_the_correction_of_their_p_value_one_stands_in_the_body() -> None:
    def row(name: str, group: str, p: float) -> Row:
        return (name, group, Estimate(0.25, 0.1, 0.4, 9, "difference", p=p)), ()

    plain, more = row("difference", "drawn", 0.01), row("difference", "few", 0.02)
    told = [plain, more, row("difference_holm", "drawn", 0.02), row("difference_holm", "few", 0.04)]
    alone = row("mcnemar_fdr", "drawn", 0.03)  # the figure that it corrects is not there
    drawn = {("difference", "drawn")}
    beside, rest = study_report._parted(
        [*told, alone], drawn, {"difference": "difference_holm", "mcnemar": "mcnemar_fdr"}
    )
    # The chart has the values; a table has the p value that allows for the number of tests.
    assert beside == [told[3], alone]
    assert rest == [plain, more, told[2]]


def test_methods_that_differ_only_in_a_detail_are_one() -> None:
    named = [
        "best minus worst: A and B",
        "best minus worst: A and C",
        "mean: of all",
        "Wilson with t",
    ]
    assert study_report._methods([*named, "Wilson with t"]) == {
        "best minus worst": 2,
        "mean: of all": 1,
        "Wilson with t": 2,
    }


def test_a_section_is_not_left_at_the_foot_of_a_page_by_what_it_is_of() -> None:
    # The title ends at 31 mm and each paragraph takes 6.5: 280 - 31 - 29 * 6.5 = 60.5 mm are left,
    # enough for a heading with its chart, but not for the section's heading and text as well.
    filling = [Text("x")] * 29
    chart = Chart("C", [Mark("a share", 0.5, 0.2, 0.9, "50%")], 0, 1)
    blocks = [
        *filling,
        Heading("Figures"),
        Text("About."),
        Heading("Counts", 2),
        Text("Of."),
        chart,
    ]
    pages = pypdfium2.PdfDocument(document_as_html_or_pdf.render_pdf(Document("T", "", blocks)))
    first, second = (page.get_textpage().get_text_bounded() for page in pages)
    assert "Figures" not in first
    assert "Figures" in second
    assert "Counts" in second


def test_labels_are_explained_without_how_they_are_drawn(of_demo: ReportOf) -> None:
    made = of_demo("tagging")
    rows = {row[0]: row[1:] for row in rows_under(made, ("Label", "Meaning", "Example"))}
    meaning, example = rows["Non-medical factual error"]
    assert len(rows) == 9
    assert "A statement is plainly false" in meaning
    assert "Not when: Seeing the mistake takes medical knowledge" in meaning
    assert "sensitivity of 85%" in example
    assert "the division is wrong" in example
    page = document_as_html_or_pdf.render_html_bytes(made).decode()
    assert not [one for one in ("#e47818", "pattern", "export_name", "[[label]]") if one in page]


def test_many_raters_stand_in_several_columns() -> None:
    rows = [(f"rater {n}", str(n)) for n in range(1, 11)]
    made = Document("T", "", [Table(("Rater", "Items"), rows, (3, 2), beside=4)])
    # Ten in columns of three, downwards; the last one is shorter.
    lines = (
        pypdfium2.PdfDocument(document_as_html_or_pdf.render_pdf(made))[0]
        .get_textpage()
        .get_text_bounded()
    )
    assert "rater 1 1 rater 4 4 rater 7 7 rater 10 10" in re.sub(r"\s+", " ", lines)
    page = Parsed(document_as_html_or_pdf.render_html_bytes(made))
    assert [tag for tag, _ in page.tags].count("table") == 4
    assert set(page.texts) >= {"rater 1", "rater 10"}


def test_the_checklist_counts_the_sections_there_are() -> None:
    where = "Sections 4, 6, 8 and 10"
    assert study_report._renumbered(where, gap=0, more=0) == where
    # Without printed numbers, the seventh, and with suggestions before the sixth.
    assert study_report._renumbered(where, gap=1, more=0) == "Sections 4, 6, 7 and 9"
    assert study_report._renumbered(where, gap=0, more=1) == "Sections 4, 7, 9 and 11"
    assert study_report._renumbered("Nothing of 6 yet", gap=1, more=1) == "Nothing of 6 yet"


def test_people_stand_in_the_order_of_their_numbers(of_demo: ReportOf) -> None:
    charts = {b.title: b for b in of_demo("tagging").blocks if isinstance(b, Chart)}
    names = [mark.name for mark in charts[f"{SEVERITY}, 95% intervals"].marks]
    assert len(names) > 1
    assert names == sorted(names)


def test_long_names_in_a_chart_are_written_in_full() -> None:
    names = ("Sticking with the wrong diagnosis + Incorrect or vague conclusion", "Short")
    marks = [Mark(one, 0.5, 0.2, 0.9, "50%") for one in (*names, "endless " * 90)]
    text = pdf_text(
        document_as_html_or_pdf.render_pdf(Document("T", "", [Chart("C", marks, -1, 1)]))
    )
    assert set(" ".join(names).split()) <= set(text.split())
    # Within reason: of a name of many lines the first six.
    assert 20 < text.count("endless") < 60
    # The axis has real minus signs.
    assert "−0.5" in text


@pytest.mark.deep
def test_a_measure_that_fits_no_question_has_no_column_and_abbreviations_are_spelt_as_such(
    of_demo: ReportOf,
) -> None:
    def measured(study: str) -> list[str]:
        tables = [b for b in of_demo(study).blocks if isinstance(b, Table)]
        return list(next(b.heads for b in tables if "Alpha" in b.heads))

    # Tags are yes or no; dialogues are rated on scales. Items with two and with three raters have
    # no Fleiss' kappa for any label: the reason stands once in place of a column.
    assert measured("tagging")[2:] == ["Alpha", "AC1", "Same answer"]
    said = [b.text for b in of_demo("tagging").blocks if isinstance(b, Text)]
    assert len([one for one in said if one.startswith("Fleiss' kappa is undefined, because")]) == 1
    assert "ICC" in measured("agentclinic")
    told = {name: str(of_demo(name).blocks) for name in ("tagging", "agentclinic")}
    assert "intraclass" in told["agentclinic"]
    assert "intraclass" not in told["tagging"]
    # A group named by an empty value says so.
    assert "Discipline, (none)" in str(of_demo("ebmqa").blocks)
    charts = [b.title for b in of_demo("tagging").blocks if isinstance(b, Chart)]
    assert "Gwet's AC1 for each label, 95% intervals" in charts
    assert "Span F1, exactly the same words, 95% intervals" in charts


def test_on_a_phone_cells_are_named_and_marks_take_the_width_there_is() -> None:
    table = Table(("Figure", "n <", "Low", "High"), [("share", "5", "", "1")])
    mark = Mark("a share", 0.5, 0.25, 0.75, "50%", (0.4,))
    page = Parsed(
        document_as_html_or_pdf.render_html_bytes(
            Document("T", "", (table, Chart("C", (mark,), 0, 1)))
        )
    )
    assert [given["data-head"] for tag, given in page.tags if tag == "td"] == [*table.heads]
    # Three columns fit, but not of long texts.
    three = [Table(("a", "b", "c"), [("x", "y", "z" * n)]) for n in (9, 200)]
    listed = [
        Parsed(document_as_html_or_pdf.render_html_bytes(Document("T", "", (one,)))).tags
        for one in three
    ]
    assert [("table", {"class": "many"}) in tags for tags in listed] == [False, True]
    # From a quarter to three quarters of the axis, whatever its width.
    [line] = [given for tag, given in page.tags if given.get("class") == "line"]
    assert (line["x1"], line["x2"]) == ("25.0%", "75.0%")
    assert not [given for tag, given in page.tags if "viewbox" in given]


def test_how_imported_judgments_were_made_is_not_claimed(of_demo: ReportOf) -> None:
    texts = " ".join(b.text for b in of_demo("tagging").blocks if isinstance(b, Text))
    assert "60 of the judgments came in with files" in texts
    assert "judged alone" not in texts


@pytest.mark.deep
def test_every_known_inconsistency_of_the_paper_is_told(of_demo: ReportOf) -> None:
    heads = ("Printed number", "As printed", "Where", "Known inconsistency")
    for study in DEMOS:
        odd = [
            one
            for one in numbers_printed_in_papers.published_numbers_of_study(study)
            if one.known_inconsistency
        ]
        assert len(rows_under(of_demo(study), heads)) == len(odd)


@pytest.mark.parametrize("study", quick_or_deep(*DEMOS))
def test_nobody_is_named(demos: Store, of_demo: ReportOf, study: str) -> None:
    page = document_as_html_or_pdf.render_html_bytes(of_demo(study)).decode()
    people = demos.column("select name from rater where kind = 'person'")
    assert len(people) > 2
    assert not [name for name in people if name in page]


def test_an_excluded_rater_is_told_with_the_reason_and_nobody_is_named(
    tmp_path: Path, lay_store: LayStore
) -> None:
    path = lay_store(
        tmp_path / "d.duckdb", work_behind_commands.add_demo_studies_and_return_report_text
    )
    with contextlib.closing(open_store(path)) as store:
        lead = person(store, "Lena Lead", lead=True)
        people = dict(store.rows("select name, id from rater where kind = 'person'"))
        rater_exclusion.exclude_or_return_rater(
            store,
            rater=people["Demo rater A"],
            task="error_spans",
            dataset="demo",
            reason="Too fast",
            by=lead,
        )
        [(item,)] = store.rows("select item from judgment where task = 'error_spans' limit 1")
        task = STUDIES["tagging"].open(store, SETTINGS, "demo").task
        consensus.record_adjudication(store, task, item=item, body=None, reason="Cut off", by=lead)
        made = report_of(store, "tagging")
        heads = ("Task", "Reason", "Items")
        assert rows_under(made, heads) == [("Tag errors", "Cut off", "1")]
        heads = ("Task", "Reason", "Items they judged")
        assert rows_under(made, heads) == [("Tag errors", "Too fast", "20")]
        page = document_as_html_or_pdf.render_html_bytes(made)
        assert not [name for name in (*people, "Lena Lead") if name in page.decode()]
        drawn = person_numbers_by_rater_id(store)
        texts = set(Parsed(page).texts)
        # Two of the three count: they are numbered from 1, in the order of anonymous exports.
        assert {"rater 1", "rater 2"} <= texts
        assert "rater 3" not in texts
        counted = store.column(
            "select distinct rater from judgment_counted where task = 'error_spans'"
        )
        first, second = sorted(int(drawn[rater]) for rater in counted)
        assert people["Demo rater B"] in counted
        assert lead.id not in counted
        if (first, second) != (1, 2):
            told = f"In anonymous exports, these are raters {first} and {second}, in this order."
            assert told in " ".join(texts)
        flow = dict(rows_under(made, ("Stage", "Tag errors")))
        assert flow["Judgments that count"] == "40"
        assert flow["of these without consensus: no answer is right"] == "1"


def test_the_checklist_says_what_is_left_to_the_authors(of_demo: ReportOf) -> None:
    points = rows_under(of_demo("tagging"), ("Statement", "Topic", "Where to find it"))
    where = {topic: stands for _, topic, stands in points}
    assert where["Ethics approval, consent and registration"] == study_report.NOT_COVERED
    assert where["Performance with intervals"] == "Section 6"
    # What the demo's models were set to is not known: no run of MedLens asked them.
    assert where["Settings and prompts of the models"].startswith("Section 8: no run made them")


def test_hostile_texts_are_shown_as_they_are_and_make_no_tag(
    tmp_path: Path, lay_store: LayStore
) -> None:
    path = lay_store(
        tmp_path / "d.duckdb", work_behind_commands.add_demo_studies_and_return_report_text
    )
    with contextlib.closing(open_store(path)) as store:
        new = [items.NewItem(HOSTILE, {"response": "x", "question": HOSTILE})]
        items.add_items(store, new, study="tagging", kind="response", dataset=HOSTILE)
        store.append(
            "import_log",
            make_import_log_row(
                kind="items", dataset=HOSTILE, file=HOSTILE, added=1, known=0, refused=0, by="x"
            ),
        )
        known = [str(row["dataset"]) for row in items.datasets_of_study(store, "tagging")]
        [dataset] = [one for one in known if one.startswith("<script>")]
        config = {"dataset": dataset, "models": [HOSTILE]}
        run = {"study": "tagging", "kind": "tag", "digest": "d", "made_by": "cli"}
        store.append("run", {**run, "config": config})
        made = study_report.build_report_document(store, SETTINGS, STUDIES["tagging"], dataset)
        page = document_as_html_or_pdf.render_html_bytes(made)
    runs = [b.rows for b in made.blocks if isinstance(b, Table) and "Done; failed" in b.heads]
    assert [row[-2:] for row in runs[0]] == [("0; 0", "new")]
    ours = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "div", "span"}
    ours |= {"table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption"}
    ours |= {"ul", "li", "colgroup", "col"}
    ours |= {"svg", "line", "circle", "text", "path", "title"}
    parsed = Parsed(page)
    assert {tag for tag, _ in parsed.tags} <= ours
    assert not [name for _, given in parsed.tags for name in given if name.startswith("on")]
    assert any("<script>alert(1)</script>" in text for text in parsed.texts)
    assert "\u202e" not in page.decode()
    assert b"\x00" not in page
    assert "<script>alert(1)</script>" in pdf_text(document_as_html_or_pdf.render_pdf(made))
    word = WordDocument(io.BytesIO(document_as_docx.render_docx(made)))
    assert any("<script>alert(1)</script>" in one.text for one in word.paragraphs)
    assert not [one for one in word.part.rels.values() if one.is_external]


def test_a_word_file_takes_any_text_and_its_charts_are_told_in_words() -> None:
    chart = Chart("中文 chart", (Mark("α ≥ 0.8\x0b", 0.5, 0.2, 0.9, "50%", (0.4,)),), 0, 1, True)
    rows = [("x" * 5_000, "line\nline", "\x00"), ("", "é µ ≥ − “ ”", "\ud800\uffff")]
    blocks = (Text("中文 and \x07"), PageBreak(), Table(("a", "b", "c"), rows, (1, 2, 1)), chart)
    word = WordDocument(io.BytesIO(document_as_docx.render_docx(Document("T", "A", blocks))))
    assert "中文 and " in [one.text for one in word.paragraphs]
    [table] = word.tables
    assert [cell.text for cell in table.rows[2].cells] == ["", "é µ ≥ − “ ”", ""]
    [picture] = word.inline_shapes
    assert picture._inline.docPr.get("descr") == "中文 chart. α ≥ 0.8: 50%"
    # Many marks take several pages, and so several pictures.
    long = Chart("Long", [Mark(f"{at}", 0.5, 0.2, 0.9, "50%") for at in range(90)], 0, 1)
    word = WordDocument(io.BytesIO(document_as_docx.render_docx(Document("T", "", (long,)))))
    assert len(word.inline_shapes) == 2


def test_a_word_file_writes_arabic_and_hebrew_from_the_right() -> None:
    table = Table(("השאלה", "n"), [("السعال منذ (3) أيام", "12"), ("cough סעל", "9")])
    blocks = (Heading("التقرير", 1), Text("هل الجواب صحيح؟"), Text("Plain."), table)
    word = WordDocument(io.BytesIO(document_as_docx.render_docx(Document("عنوان", "A", blocks))))
    [drawn] = word.tables
    paragraphs = [
        *word.paragraphs,
        *(p for row in drawn.rows for c in row.cells for p in c.paragraphs),
    ]
    turned = {one.text for one in paragraphs if one._p.xpath("./w:pPr/w:bidi")}
    assert turned == {"عنوان", "التقرير", "هل الجواب صحيح؟", "השאלה", "السعال منذ (3) أيام"}
    runs = [run for one in paragraphs for run in one.runs]
    assert {run.text for run in runs if run.font.rtl} == turned
    assert {run.text for run in runs if run.font.complex_script} == {*turned, "cough סעל"}
    [small] = [run for run in runs if run.text == "السعال منذ (3) أيام"]
    assert small._r.xpath("./w:rPr/w:szCs/@w:val") == ["16"]
    # Word refuses properties that are out of order.
    order = [child.tag.rpartition("}")[2] for child in small._r.getparent().pPr]
    assert order.index("bidi") < order.index("spacing")


def test_a_page_needs_nothing_from_elsewhere(of_demo: ReportOf) -> None:
    page = document_as_html_or_pdf.render_html_bytes(of_demo("tagging"))
    parsed = Parsed(page)
    assert not [given for _, given in parsed.tags if {"src", "href", "srcset"} & set(given)]
    assert b"default-src 'none'" in page


def test_a_pdf_takes_any_text_and_says_which_signs_it_lacks() -> None:
    chart = Chart("中文 chart", (Mark("α ≥ 0.8", 0.5, 0.2, 0.9, "50%", (0.4,)),), 0, 1, True)
    rows = [("x" * 5_000, "line\nline", ""), ("", "é µ ≥ − “ ”", "\ud800")]
    blocks = (Text("中文 and \x07"), Table(("a", "b", "c"), rows), chart, Text("y " * 20_000))
    text = pdf_text(document_as_html_or_pdf.render_pdf(Document("T", "", blocks)))
    assert "é µ ≥ − “ ”" in text
    assert "α ≥ 0.8" in text
    assert "2 signs stand as □ here" in text


def test_the_same_store_and_moment_give_the_same_page(demos: Store) -> None:
    at = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    one, two = (
        document_as_html_or_pdf.render_html_bytes(report_of(demos, "tagging", now=at))
        for _ in range(2)
    )
    assert one == two
    assert b"2026-01-02 at 03:04 UTC" in one


def test_a_store_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "new.duckdb")) as store:
        for study in STUDIES:
            with pytest.raises(InvalidInput, match="nothing to report"):
                study_report.render_report_file(store, SETTINGS, study, form="html")


def test_items_that_nobody_judged_make_a_report_that_says_so(tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "new.duckdb")) as store:
        new = [items.NewItem("a", {"response": "x", "question": "q"})]
        items.add_items(store, new, study="tagging", kind="response", dataset="mine")
        texts = [b.text for b in report_of(store, "tagging").blocks if isinstance(b, Text)]
        assert "Nobody has judged anything yet." in texts
        assert document_as_html_or_pdf.render_pdf(report_of(store, "tagging"))


@pytest.mark.deep
def test_the_command_line_writes_each_form_and_no_other(
    tmp_path: Path,
    lay_store: LayStore,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = lay_store(tmp_path / "one.duckdb", STUDIES["tagging"].demo)
    monkeypatch.setenv("MEDLENS_STORE", str(path))
    page, pdf = tmp_path / "r.html", tmp_path / "r.pdf"
    assert cli.main(["report", "tagging", "-o", str(page)]) == 0
    assert cli.main(["report", "tagging", "-o", str(pdf), "--dataset", "demo"]) == 0
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert cli.main(["report", "tagging", "-o", str(page)]) == 1
    word = tmp_path / "r.docx"
    assert cli.main(["report", "tagging", "-o", str(word)]) == 0
    assert WordDocument(str(word)).core_properties.title == "Report: Error tagging"
    assert cli.main(["report", "tagging", "-o", str(tmp_path / "r.doc")]) == 1
    assert (
        cli.main(["report", "tagging", "-o", str(tmp_path / "n.pdf"), "--dataset", "nowhere"]) == 1
    )
    said = capsys.readouterr().err
    assert "A report is HTML, PDF or Word" in said
    assert "no dataset 'nowhere'" in said
    assert not (tmp_path / "r.doc").exists()


@pytest.mark.deep
def test_figures_of_an_own_study_are_called_by_their_questions(
    tmp_path: Path, lay_store: LayStore
) -> None:
    def judged(store: Store) -> None:
        file = study_file.path_of_template("preference")
        work_behind_commands.declare_study_and_return_report_text(
            store, study_file.read_study_file_text_and_declaration(file)[0], file.name
        )
        items = file.with_suffix(".csv")
        work_behind_commands.import_file(
            store, SETTINGS, "own-items", items, name=items.name, dataset="preference"
        )
        task = open_study(store, SETTINGS, "preference").task
        answers = {f"{name} / model {arm}": said for arm in "AB" for name, said in _SAID.items()}
        value = task.parse(
            {
                "version": 1,
                "answers": answers | {"better": "model A, clearly"},
                "order": ["model A", "model B"],
            }
        )
        rater = raters.find_or_add_rater_by_name(store, "Rosa").id
        for (item,) in store.rows("select id from item where dataset = 'preference'"):
            store.append(
                "judgment", judging.make_imported_judgment_row(task.name, item, rater, value)
            )

    with contextlib.closing(open_store(lay_store(tmp_path / "own.duckdb", judged))) as store:
        made = report_of(store, "own")
    called = {row[0] for row in rows_under(made, ("Figure", "Group", "Value", "n"))}
    assert {
        "Share of answers: Could the patient act on it safely?",
        "Mean: How correct is it?",
        "Difference between two arms on the same cases: How correct is it?",
        "Comparisons won: Which answer would you give the patient?",
    } <= called
    assert not [one for one in called if one == one.casefold()]
    # What could be answered stands there in words, not as the study's file.
    answers = rows_under(made, ("Question", "Answers", "Explanation"))
    assert ("How correct is it?", "1 (not at all) to 5 (completely)", _EACH) in answers
    assert ("Could the patient act on it safely?", "yes; no; cannot tell", _EACH) in answers
    assert "[[question]]" not in str(made.blocks)


_EACH = "Of each answer compared."
_SAID = {"safe": "yes", "correct": 4}


def test_what_raters_were_told_is_in_its_paragraphs_however_its_lines_are_wrapped() -> None:
    told = "Read both\nanswers.\n\n- Length is\n  no merit.\n- A tie is fine.\n\nThen\nchoose."
    assert study_report._paragraphs(told) == [
        *("Read both answers.", "Length is no merit.", "A tie is fine.", "Then choose.")
    ]
