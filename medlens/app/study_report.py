"""A study as a report that can be signed off: what was asked of whom, what the result was, and
how.

Written from what the study declares: its tasks, its figures and the published numbers beside them.
People are numbered from 1 on, in the order of their numbers in ``export annotated --anonymous``.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from medlens import __version__
from medlens.app import document_as_docx, document_as_html_or_pdf, store_zip_writing_and_reading
from medlens.app.document_as_html_or_pdf import (
    Block,
    Chart,
    Document,
    Heading,
    Mark,
    PageBreak,
    Table,
    Text,
)
from medlens.app.study_report_first_page import (
    TaskSummary,
    list_limitations_in_words,
    make_summary_blocks,
)
from medlens.config.settings import Settings
from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries as runs
from medlens.llm.runs import current_state_name_of_run
from medlens.review import (
    consensus,
    guideline,
    hand_out_settings,
    item_corrections,
    items,
    judgment_import,
    numbers_printed_in_papers,
    randomised_model_suggestions,
    rater_exclusion,
    remarks_between_raters_and_leads,
    renaming_and_name_translation,
    retest_agreement,
    rounds,
    survey_answers_and_completion_code,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.agreement import Agreement, compute_agreement_by_variable
from medlens.review.annotated_items_table import rater_column_names_by_rater_id
from medlens.review.anonymity import (
    Anonymizer,
    person_numbers_by_rater_id,
    sort_numbered_people_in_text,
)
from medlens.review.chart_specifications import figure_name_in_words, group_name_in_words
from medlens.review.figure_titles import find_figure_title
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.review.raters import list_raters
from medlens.review.renaming_and_name_translation import current_name_of_dataset
from medlens.review.run_names import list_models_in_run_configuration
from medlens.review.tasks import Task
from medlens.stats.estimate import Estimate, FigureRow, use_real_minus_sign
from medlens.stats.scope_of_inference_over_raters import (
    declare_panel_fixed_within,
    whom_estimates_speak_for_in_words,
)
from medlens.stats.smoothed_bootstrap import RESAMPLES, SEED
from medlens.store import Store, to_json, utc_now
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study

FORMATS = {
    "html": document_as_html_or_pdf.render_html_bytes,
    "pdf": document_as_html_or_pdf.render_pdf,
    "docx": document_as_docx.render_docx,
}
_MOST_ROWS, _MOST_MARKS = 60, 40
_SHORT_CHART = 12
"""A chart of more marks leaves out those at zero, which the appendix has."""
_MANY_ANSWERS = 12
_FEW_RATERS = 8
_SOME_GROUPS, _MOST_BESIDE = 3, 4
"""From how many groups on figures stand beside each other, and how many do."""
_FEW_GROUPS = 4
_MEASURES = ("Alpha", "Fleiss' kappa", "AC1", "AC2", "ICC", "Same answer")
_OPEN = "disagreed on by people and not yet settled"
_ALWAYS = (
    *("Items in the dataset", "offered to people", "judged by people"),
    *("settled by an adjudicator", "Judgments that count"),
)
"""The stages of the flow that stand in its table also at zero; of the others none is said."""
_NOT_OFFERED = "not offered: nothing to judge in them, or not in the sample"
NOT_COVERED = "Not covered here: for the authors to write."


def render_report_file(
    store: Store, settings: Settings, study: str, *, dataset: str = "", form: str
) -> bytes:
    """The report of a study as ``html``, ``pdf`` or ``docx``.

    Raises:
        InvalidInput: there is no such study, dataset or format, or it is empty.
    """
    if study not in STUDIES:
        raise InvalidInput(
            f"There is no study {study!r}.", hint=f"There are: {', '.join(STUDIES)}."
        )
    if form not in FORMATS:
        raise InvalidInput(
            "A report is HTML, PDF or Word.", hint="Use -o FILE.html, FILE.pdf or FILE.docx."
        )
    dataset = renaming_and_name_translation.name_of_dataset_before_renaming(store, dataset, study)
    return FORMATS[form](build_report_document(store, settings, STUDIES[study], dataset))


def build_report_document(
    store: Store, settings: Settings, declared: Study, dataset: str, *, now: datetime | None = None
) -> Document:
    """The report of a dataset, or of the current one if none is named."""
    # One that is named is asked for, archived or not.
    there = items.datasets_of_study(store, declared.name, archived=bool(dataset))
    known = {str(row["dataset"]): row for row in there}
    if not known:
        raise InvalidInput(
            f"There is nothing to report on {declared.title}: it has no items.",
            hint="Import some first, on the Data page or with python -m medlens import.",
        )
    if dataset and dataset not in known:
        called = [current_name_of_dataset(store, declared.name, name) for name in known]
        raise InvalidInput(
            f"There is no dataset {dataset!r}.", hint=f"There are: {', '.join(called)}."
        )
    chosen = dataset or items.newest_dataset_not_illustrative(store, declared.name)
    opened = declared.open(store, settings, chosen)
    of = _Of(store, settings, declared, opened, chosen, bool(known[chosen]["illustrative"]))
    at = now or utc_now()
    about = (
        f"Dataset {current_name_of_dataset(store, declared.name, chosen)}. Written by"
        f" MedLens {__version__} on {at:%Y-%m-%d at %H:%M} UTC from"
        f" what was in the store then."
    )
    if known[chosen]["illustrative"]:
        about += " Illustrative demo: its items and judgments are made up."
    with declare_panel_fixed_within(fixed=declared.panel_is_fixed(store, settings, of.opened)):
        return Document(f"Report: {of.title}", about, tuple(of.blocks()))


@dataclass(frozen=True)
class _Of:
    """What a report is of."""

    store: Store
    settings: Settings
    declared: Study
    opened: Any
    dataset: str
    illustrative: bool

    @functools.cached_property
    def _sections(self) -> Iterator[int]:
        return itertools.count(1)

    def _section(self, title: str) -> Heading:
        """A heading with its number; a section that a study does not have leaves no gap."""
        return Heading(f"{next(self._sections)}. {title}")

    @property
    def title(self) -> str:
        """What the study is called: of a team's own studies each by its own title."""
        return next((one.title for one in self.tasks if one.called), self.declared.title)

    def _called(self, task: Task) -> str:
        """What a round is called: as its task, unless a lead gave it a name."""
        name = self.declared.name
        return renaming_and_name_translation.current_title_of_round(
            self.store, name, self.dataset, task.name, task.title
        )

    def blocks(self) -> Iterator[Block]:
        for part in (
            *(self._summary, self._question, self._items, self._raters, self._flow),
            *(self._agreement, self._suggestions, self._figures, self._published, self._runs),
            *(self._methods, self._software, self._checklist, self._figures_in_full),
        ):
            yield from part()

    @functools.cached_property
    def tasks(self) -> Sequence[Task]:
        return self.declared.tasks(self.opened)

    @functools.cached_property
    def judged(self) -> Mapping[str, pd.DataFrame]:
        return {
            task.name: consensus.current_judgments(
                self.store, task, dataset=self.dataset, viewer=None
            )
            for task in self.tasks
        }

    @functools.cached_property
    def numbered(self) -> dict[str, str]:
        """What raters are called here, by id: people by numbers from 1 on, in the order of those
        that stand for them in anonymous exports.
        """
        here = {rater: str(at) for at, rater in enumerate(self._exported_numbers, 1)}
        return rater_column_names_by_rater_id(self.judged.values(), numbers=here)

    @functools.cached_property
    def _exported_numbers(self) -> dict[str, int]:
        """The people who judged here by id, with their numbers in anonymous exports, in order."""
        drawn = person_numbers_by_rater_id(self.store)
        people = {
            str(rater)
            for frame in self.judged.values()
            for rater in frame["rater_id"][frame["rater_kind"] == "person"]
        }
        return {
            rater: int(drawn[rater]) for rater in sorted(people, key=lambda one: int(drawn[one]))
        }

    @functools.cached_property
    def _people(self) -> tuple[re.Pattern[str], Mapping[str, str]]:
        """A pattern of people's names, and the number of each."""
        numbers = {
            name: self.numbered[rater]
            for frame in self.judged.values()
            for rater, kind, name in zip(
                *(frame[column] for column in ("rater_id", "rater_kind", "rater")), strict=True
            )
            if kind == "person"
        }
        longest = sorted(map(re.escape, numbers), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(longest) or '(?!)'})(?!\w)"), numbers

    def _unnamed(self, group: str) -> str:
        """A group of a figure with numbers where people's names stand, in the order of these."""
        pattern, numbers = self._people
        return sort_numbered_people_in_text(pattern.sub(lambda found: numbers[found[0]], group))

    @functools.cached_property
    def looked(self) -> Any:
        """What the study's figures are drawn from; None if there is nothing."""
        figures = self.declared.figures
        data = figures.look(self.store, self.opened, None, {}) if figures else None
        return None if figures is None or figures.empty(data) else data

    @functools.cached_property
    def all_figures(self) -> list[tuple[str, str, list[FigureRow]]]:
        """Of each declared figure: its title, what it is of, and its rows."""
        figures, data = self.declared.figures, self.looked
        if figures is None or data is None:
            return []
        reported = (one for one in figures.figures if one.in_report)
        return [(one.title, one.of, figures.list_rows_of_figure(one, data)) for one in reported]

    @functools.cached_property
    def told_runs(self) -> list[dict[str, Any]]:
        every = runs.list_current_runs(
            self.store, study=self.declared.name, limit=1_000, offset=0, archived=True
        )
        return [run for run in every if run["config"].get("dataset", self.dataset) == self.dataset]

    # -- the first page ----------------------------------------------------------------------------

    @functools.cached_property
    def _flows(self) -> Mapping[str, work_progress_and_pace_by_item_and_rater.Flow]:
        return {
            task.name: work_progress_and_pace_by_item_and_rater.flow_counts_of_items_and_judgments(
                self.store, task, dataset=self.dataset
            )
            for task in self.tasks
        }

    @functools.cached_property
    def _decisions(self) -> Mapping[str, Mapping[str, Sequence[consensus.Word]]]:
        """Every adjudication, by task and item."""
        return {
            task.name: consensus.decision_lists_in_force_by_item_id(
                self.store, task, dataset=self.dataset, viewer=None
            )
            for task in self.tasks
        }

    @functools.cached_property
    def _agreed(self) -> Mapping[str, Mapping[str, Agreement]]:
        """How far people agree, by task and variable."""
        return {
            name: compute_agreement_by_variable(
                next(task for task in self.tasks if task.name == name),
                frame[frame["rater_kind"] == "person"],
            )
            for name, frame in self.judged.items()
        }

    def _unsettled(self, task: Task) -> int | None:
        """Items on which people disagree and nobody has decided; None if nothing is settled."""
        if not task.word_in:
            return None
        differ = consensus.disagreements_table(task, self.judged[task.name])
        return len(set(differ["item_id"]) - set(self._decisions[task.name]))

    def _excluded(self, task: Task) -> list[rater_exclusion.RaterExclusion]:
        """The exclusions in force of raters who judged something."""
        every = rater_exclusion.exclusions_in_force_by_rater(self.store, task.name, self.dataset)
        return [one for one in every.values() if one.rater in self._flows[task.name].judged]

    def _summary(self) -> Iterator[Block]:
        shown = [
            TaskSummary(
                title=self._called(task),
                questions=_wordings(task) or _paragraphs(task.question)[:1],
                flow=self._flows[task.name],
                left_to_people=dict(
                    work_progress_and_pace_by_item_and_rater.list_item_counts_per_number_of_judgments(
                        self.store, task, dataset=self.dataset
                    )
                ),
                judged=self.judged[task.name],
                round_state=rounds.current_round_of_task(self.store, task, self.dataset).state,
                unsettled=self._unsettled(task),
                agreement={
                    task.name_of_variable_in_words(name): one.alpha
                    for name, one in self._agreed[task.name].items()
                },
            )
            for task in self.tasks
        ]
        known = numbers_printed_in_papers.published_numbers_of_study(self.declared.name)
        limits = list_limitations_in_words(
            shown,
            [row for _, _, rows in self.all_figures for row in rows],
            illustrative=self.illustrative,
            panel_is_fixed=self.declared.panel_is_fixed(self.store, self.settings, self.opened),
            excluded=len({one.rater for task in self.tasks for one in self._excluded(task)}),
            contradictions=sum(bool(one.known_inconsistency) for one in known),
            of_data=self.declared.figures.limits(self.looked)
            if self.declared.figures and self.looked is not None
            else "",
        )
        own = any(task.called for task in self.tasks)
        about = "" if own else self.declared.about
        yield from make_summary_blocks(about, shown, self._main_figures(), limits)

    def _main_figures(self) -> Iterator[Chart]:
        """The headline figures of the lead's Home: a chart of shares, one of other numbers."""
        figures = self.declared.figures
        if figures is None or self.looked is None:
            return
        words = figures.words(self.looked)
        marks: dict[bool, list[Mark]] = {}
        for told in figures.list_headline_values(self.looked):
            group = group_name_in_words(self._unnamed(told.group), words)
            name = f"{told.title}: {group}" if group else told.title
            mark = _mark(name, told.estimate, told.printed)
            if mark is not None:
                marks.setdefault(told.form == "percent", []).append(mark)
        for percent, shown in sorted(marks.items(), reverse=True):
            within = all(mark.low >= -1 and mark.high <= 1 for mark in shown)
            yield _chart_of("Main figures", shown, percent=percent, own_axis=not within)

    # -- what was asked of whom --------------------------------------------------------------------

    def _question(self) -> Iterator[Block]:
        yield self._section("Question")
        for task in self.tasks:
            if task.called:
                yield Heading("Questions put to each rater", 2)
                yield Table(("Question", "Name in the files"), _questions(task), (6, 2))
                yield Heading("What raters were told", 2)
                yield from map(Text, _paragraphs(task.question))
                return
        yield Text(self.declared.about)
        yield Table(
            ("Task", "Question put to each rater", "Scale of the answers"),
            [
                (
                    one.title,
                    one.question,
                    ", ".join(sorted(set(one.levels.values()) or {one.level})),
                )
                for one in self.tasks
            ],
            (3, 6, 2),
        )

    def _corrected_items(self) -> Iterator[Block]:
        """What was corrected, and what of the judgments rests on earlier versions."""
        corrections = [
            one
            for one in item_corrections.list_corrections(self.store, viewer=None)
            if (one.study, one.dataset) == (self.declared.name, self.dataset)
        ]
        if not corrections:
            return
        yield Heading("Items that were corrected", 2)
        earlier = item_corrections.summarise_judgments_on_earlier_versions(
            self.store, self.tasks, dataset=self.dataset
        )
        yield Text(
            earlier.earlier_versions_in_words
            or "No judgment that counts rests on an earlier version."
        )
        answers = self.declared.answered_earlier(self.store, self.dataset)
        if answers and answers.earlier_answers_in_words:
            yield Text(answers.earlier_answers_in_words)
        if earlier.lost:
            yield Table(
                ("Item", "Marked words that have no place now"),
                [(one.item, one.words) for one in earlier.lost],
                (2, 6),
            )
        yield Table(
            ("Item", "Version", "On", "Earlier judgments", "Reason"),
            [
                (
                    one.name,
                    str(one.version),
                    f"{one.at:%Y-%m-%d}",
                    "count" if one.counts else "asked for again",
                    one.reason,
                )
                for one in reversed(corrections)
            ],
            (2, 1, 2, 2, 5),
        )

    def _items(self) -> Iterator[Block]:
        yield self._section("Items")
        kinds = items.count_items_by_kind(self.store, self.declared.name, self.dataset)
        called = {kind: listed.title for kind, listed in self.declared.listed.items()}
        yield Table(
            ("Kind of item", "Items"),
            [
                (called.get(kind, kind.replace("_", " ").capitalize()), f"{n:,}")
                for kind, n in kinds.items()
            ],
            (3, 1),
        )
        for sentence in self.declared.shown_otherwise(self.store, self.opened):
            yield Text(sentence)
        yield from self._corrected_items()
        files = judgment_import.list_imports_into_dataset(
            self.store, self.dataset, self.declared.imports
        )
        if not files:
            yield Text("No import of a file is in the log for this dataset.", quiet=True)
            return
        yield Heading("Files that were imported", 2)
        yield Table(
            ("File", "Kind", "Rows added", "Already there", "Refused", "On"),
            [
                (
                    *(one["file"], one["kind"]),
                    *(f"{one[name]:,}" for name in ("added", "known", "refused")),
                    f"{one['made_at']:%Y-%m-%d}",
                )
                for one in files
            ],
            (4, 3, 2, 2, 2, 2),
        )

    def _raters(self) -> Iterator[Block]:
        yield self._section("Raters")
        names = self.numbered
        counts: dict[str, dict[str, int]] = {}
        for task, frame in self.judged.items():
            for rater, n in frame.groupby("rater_id").size().items():
                counts.setdefault(str(rater), {})[task] = int(n)
        if not counts:
            yield Text("Nobody has judged anything yet.")
            return
        yield Text(
            f"People are numbered.{self._numbers_in_exports_in_words()} Judgments are those that"
            " count: each rater's last one made before others' were shown to them."
        )
        yield Table(
            ("Rater", *(self._called(task) for task in self.tasks)),
            [
                (names[rater], *(f"{counts[rater].get(task.name, 0):,}" for task in self.tasks))
                for rater in sorted(counts, key=names.__getitem__)
            ],
            (3, *([2] * len(self.tasks))),
            beside=1 if len(counts) <= _FEW_RATERS else max(1, 8 // (1 + len(self.tasks))),
        )
        yield from self._background(set(counts))

    def _numbers_in_exports_in_words(self) -> str:
        """Which numbers stand for these people in anonymous exports, where they are others: these
        count the people of all studies.
        """
        numbers = [*self._exported_numbers.values()]
        if numbers == [*range(1, len(numbers) + 1)]:
            return ""
        if len(numbers) == 1:
            return f" In anonymous exports, rater 1 is rater {numbers[0]}."
        listed = ", ".join(f"{one:,}" for one in numbers[:-1])
        return (
            f" In anonymous exports, these are raters {listed} and {numbers[-1]:,}, in this order."
        )

    def _background(self, raters: set[str]) -> Iterator[Block]:
        """What raters said of themselves in forms, counted; never who said it."""
        handles = {one.handle for one in list_raters(self.store) if one.id in raters}
        table = survey_answers_and_completion_code.survey_answers_table(self.store, viewer=None)
        table = table[table["rater_handle"].isin(handles) & (table["answer"] != "")]
        # Questions and equally common answers are in the order of who said them first.
        table = Anonymizer(self.store).anonymise_table(table)
        if table.empty:
            yield Text(
                "No rater of this dataset has filled in a form about themselves.", quiet=True
            )
            return
        rows = []
        for (form, question), group in table.groupby(["form", "question"], sort=False):
            given = Counter(group["answer"])
            people = group["rater_handle"].nunique()
            # An answer of one's own words could tell who it is.
            plain = len(given) <= _MANY_ANSWERS and max(map(len, given)) <= 60
            own = people > 1 and len(given) == len(group)
            told = (
                "; ".join(f"{answer}: {n}" for answer, n in given.most_common())
                if plain and not own
                else "answered in their own words, or differently by each"
            )
            rows.append((f"{form}: {question}".replace("_", " "), f"{people}", told))
        yield Heading("What raters said about themselves", 2)
        yield Table(("Form and question", "Raters", "Answers"), rows, (4, 1, 6))

    def _flow(self) -> Iterator[Block]:
        yield self._section("Flow of items and judgments")
        flows: list[dict[str, str]] = []
        out: list[tuple[str, str, str]] = []
        rejected: list[tuple[str, str, str]] = []
        for task in self.tasks:
            flow = self._flows[task.name]
            nobody = flow.covered.get(0, 0)
            spread = ", ".join(f"{n:,} by {k}" for k, n in flow.covered.items() if k)
            words = self._decisions[task.name]
            last = [decisions[-1] for decisions in words.values()]
            why = Counter(word.reason for word in last if word.value is None)
            rejected += [
                (self._called(task), reason, f"{n:,}") for reason, n in sorted(why.items())
            ]
            state = rounds.current_round_of_task(self.store, task, self.dataset).state
            waiting = self._unsettled(task)
            unsettled = {} if waiting is None else {_OPEN: waiting}
            said = remarks_between_raters_and_leads.count_remarks_by_kind(
                self.store, task, dataset=self.dataset
            )
            stages = {
                "Items in the dataset": flow.there,
                _NOT_OFFERED: flow.there - flow.offered,
                "offered to people": flow.offered,
                "of these not handed out: settled by another answer, or no text to judge by": (
                    flow.left_out
                ),
                "judged by people": flow.offered - nobody,
                "without a judgment": nobody,
                "settled by an adjudicator": len(words),
                "of these settled together with others": sum(word.together for word in last),
                "of these without consensus: no answer is right": why.total(),
                **unsettled,
                "skipped by a rater": flow.skipped,
                "flagged by a rater": flow.flagged,
                "commented on by a rater": said["comment"],
                "asked about by a rater": said["unclear"],
                "answered by a lead": said["answer"],
                "returned to a rater by a lead": said["return"],
                "of these not judged or flagged again yet": said["outstanding"],
                "Judgments ever submitted, each change of one counted": flow.revisions,
                "made after others' were shown, left out of all figures": flow.unblinded,
                "Judgments that count": len(self.judged[task.name]),
            }
            told = {stage: f"{n:,}" for stage, n in stages.items()} | {"Round": state}
            told["judged by people"] += f" ({spread})" if spread else ""
            flows.append(told)
            for one in self._excluded(task):
                out.append((self._called(task), one.reason, f"{flow.judged[one.rater]:,}"))
        stages_told = {
            stage: [told.get(stage, "") for told in flows] for stage in max(flows, key=len)
        }
        none = [
            stage
            for stage, cells in stages_told.items()
            if stage not in _ALWAYS and set(cells) <= {"0", ""}
        ]
        yield Table(
            ("Stage", *(self._called(task) for task in self.tasks)),
            [(stage, *cells) for stage, cells in stages_told.items() if stage not in none],
            (5, *([2] * len(self.tasks))),
        )
        if none:
            named = "; ".join(stage.removeprefix("of these ") for stage in none)
            yield Text(f"None, in any task: {named}.", quiet=True)
        if rejected:
            yield Heading("Items without a right answer, by an adjudicator", 2)
            yield Table(("Task", "Reason", "Items"), rejected, (3, 6, 2))
        if out:
            yield Heading("Raters whose work a lead excluded", 2)
            yield Table(("Task", "Reason", "Items they judged"), out, (3, 6, 2))
        else:
            yield Text("No rater's work was excluded.")

    # -- what came of it ---------------------------------------------------------------------------

    def _agreement(self) -> Iterator[Block]:
        yield self._section("Agreement between the people")
        yield Text(
            "Krippendorff's alpha by the level of the answers, Fleiss' kappa, Gwet's AC1, and the"
            " share of pairs of answers that are the same, with 95% intervals. Kappa falls where"
            " one answer is very common, whatever the raters do; AC1 does so less."
            + " For scales, also AC2, AC1 with Gwet's ordinal weights, and the intraclass"
            " correlation, ICC(1, 1), of one rater's score."
            * any({one.level, *one.levels.values()} - {"nominal"} for one in self.tasks)
        )
        for task in self.tasks:
            yield Heading(self._called(task), 2)
            found = self._agreed[task.name]
            if not found:
                yield Text("No person has judged anything yet.")
                continue
            rows: list[list[str]] = []
            why: dict[str, None] = {}
            for name, one in found.items():
                row = [task.name_of_variable_in_words(name), f"{one.alpha.n:,}"]
                for title, measure in zip(
                    _MEASURES,
                    (one.alpha, one.fleiss, one.ac1, one.ac2, one.icc, one.percent),
                    strict=True,
                ):
                    if measure is None:
                        row.append("")
                        continue
                    if measure.value is None:
                        why[f"{title} is undefined, because {measure.reason}."] = None
                    share = title == _MEASURES[-1]
                    row.append("–" if measure.value is None else _estimate(measure, share=share))
                rows.append(row)
            heads = ("", "Items with two or more", *_MEASURES)
            # A measure that fits none of the variables, or is defined for none, has no column.
            fits = [at for at in range(len(heads)) if any(row[at] not in ("", "–") for row in rows)]
            yield Table(
                [heads[at] for at in fits],
                [[row[at] for at in fits] for row in rows],
                [(4, 2, *[3] * len(_MEASURES))[at] for at in fits],
            )
            if why:
                dash = "Where a dash stands: " * any(row[at] == "–" for row in rows for at in fits)
                yield Text(dash + " ".join(why), quiet=True)
            marks = [
                _mark(task.name_of_variable_in_words(name), one.alpha)
                for name, one in found.items()
            ]
            shown = [one for one in marks if one]
            if shown:
                yield _chart_of(f"Alpha: {self._called(task)}", shown)
            yield from self._within(task)

    def _within(self, task: Task) -> Iterator[Block]:
        """How far the people agree with themselves."""
        both = retest_agreement.retest_pairs_table(
            self.store, task, dataset=self.dataset, viewer=None
        )
        found = retest_agreement.retest_agreement_by_variable_and_rater(task, both)
        if not found:
            return
        yield Heading("Agreement with themselves", 3)
        people, hours = both["rater_id"].nunique(), both["hours"].median()
        later = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.1f} hours"
        yield Text(
            f"{people:,} {'person' if people == 1 else 'people'} judged {len(both):,} items a"
            " second time, without being told that they came again. The median time between the"
            f" two was {'less than an hour' if hours < 1 else later}."
            " All other numbers of this report use first answers only. Intervals draw items, with"
            " all their raters."
        )
        rows = []
        for variable, by_rater in found.items():
            one = by_rater[retest_agreement.EVERYONE]
            told = [
                "" if each is None else _estimate(each, share=share)
                for each, share in ((one.same, True), (one.kappa, False), (one.icc, False))
            ]
            rows.append([task.name_of_variable_in_words(variable), f"{one.same.n:,}", *told])
        titles = [title for title, _ in retest_agreement.MEASURES.values()]
        yield Table(("", "Judged twice", *titles), rows, (4, 2, 3, 3, 3))

    @functools.cached_property
    def _suggested(self) -> dict[str, pd.DataFrame]:
        """What suggestions were drawn, by the title of the task, where there are any."""
        drawn = {
            self._called(task): randomised_model_suggestions.drawn_suggestions_table(
                self.store, task, dataset=self.dataset, viewer=None
            )
            for task in self.tasks
        }
        return {title: one for title, one in drawn.items() if not one.empty}

    def _suggestions(self) -> Iterator[Block]:
        drawn = self._suggested
        if not drawn:
            return
        yield self._section("What suggestions did")
        yield Text(
            "In one arm, drawn by chance for each person and item, a model's answer was filled "
            "in before the reviewer gave theirs; in the other they were blind. What was judged "
            "with a"
            " suggestion is in no other part of this report."
        )
        for title, table in drawn.items():
            yield Heading(title, 2)
            models, shares = sorted(set(table["model"])), sorted(set(table["share"]))
            yield Text(
                f"Suggested by {', '.join(models)} for"
                f" {', '.join(f'{one:.0%}' for one in shares)} of {len(table):,} draws."
            )
            yield Table(
                ("", "With a 95% interval", "Judgments"),
                [
                    [
                        randomised_model_suggestions.FIGURES[name],
                        _estimate(one, share=True),
                        f"{one.n:,}",
                    ]
                    for name, one in randomised_model_suggestions.suggestion_estimates_by_figure(
                        table
                    ).items()
                ],
                (6, 4, 2),
            )

    def _figures(self) -> Iterator[Block]:
        yield self._section("Figures")
        if not self.all_figures:
            yield Text("There is nothing to draw figures from yet.")
            return
        figures = self.declared.figures
        assert figures is not None
        if figures.paper:
            yield Text(
                f"With 95% intervals, where they can be given, beside the numbers that"
                f" {figures.paper}"
                " print. A hollow mark in a chart is a printed number. Every figure is a row of the"
                " file of figures (Data › Export, or python -m medlens export figures"
                f" {self.declared.name})."
            )
        for one in self._shown_figures:
            yield Heading(one.title, 2)
            yield Text(f"Of {one.of}.", quiet=True)
            if scope := whom_estimates_speak_for_in_words(
                one.defined, listed_in="the file of all figures"
            ):
                yield Text(scope, quiet=True)
            yield from one.charts
            yield from _tables(one.beside_charts, one.worded)
        if any(one.in_charts for one in self._shown_figures):
            yield Text("What charts show is in the appendix in full, as numbers.", quiet=True)

    @functools.cached_property
    def _shown_figures(self) -> list[_ShownFigure]:
        """What is shown of each figure that has rows: its charts, and what stands in tables."""
        figures = self.declared.figures
        if figures is None:
            return []
        words = figures.words(self.looked) if self.all_figures else {}
        every = [row for _, _, rows in self.all_figures for row in rows]
        beside = numbers_printed_in_papers.published_numbers_by_figure(
            self.declared.name, [(name, group) for name, group, _ in every]
        )
        shown = []
        for title, of, rows in self.all_figures:
            if not rows:
                continue
            told = [
                (
                    (name, group_name_in_words(self._unnamed(group), words), one),
                    beside.get((name, group), []),
                )
                for name, group, one in rows
            ]
            if any(self._unnamed(group) != group for _, group, _ in rows):
                told.sort(key=lambda row: row[0][1])
            worded = {name: self._worded(name) for name, _, _ in rows}
            corrected = {_base_of_corrected(name): name for name in worded}
            once = [row for row in told if _base_of_corrected(row[0][0]) not in worded]
            charts, drawn = _charts(title, once, worded)
            beside_charts, in_charts = _parted(told, drawn, corrected)
            defined = [estimate for _, _, estimate in rows if estimate.has_value]
            shown.append(_ShownFigure(title, of, defined, charts, beside_charts, in_charts, worded))
        return shown

    def _figures_in_full(self) -> Iterator[Block]:
        drawn = [one for one in self._shown_figures if one.in_charts]
        if not drawn:
            return
        yield PageBreak()
        yield Heading("Appendix: the charts' figures in numbers")
        for one in drawn:
            yield Heading(one.title, 2)
            yield from _tables(one.in_charts, one.worded)

    def _worded(self, figure: str) -> str:
        """What a figure is called: of a question by its wording, else its name in words."""
        kind, _, variable = figure.partition("_")
        name = variable.partition(": ")[0]
        for task in self.tasks:
            if kind in _OF_QUESTIONS and name in {*task.called, *task.names}:
                return f"{_OF_QUESTIONS[kind]}: {task.name_of_variable_in_words(variable)}"
        if title := find_figure_title(self.declared.name, figure):
            return title
        name = figure_name_in_words(figure)
        return name[:1].upper() + name[1:]

    def _published(self) -> Iterator[Block]:
        numbers = numbers_printed_in_papers.published_numbers_of_study(self.declared.name)
        if not numbers:
            return
        yield self._section("Published numbers and their contradictions")
        odd = [one for one in numbers if one.known_inconsistency]
        if odd:
            yield Table(
                ("Printed number", "As printed", "Where", "Known inconsistency"),
                [
                    (one.what, one.number_with_unit, one.printed_in, one.known_inconsistency)
                    for one in odd
                ],
                (4, 2, 3, 5),
            )
        else:
            yield Text("No inconsistency of the printed numbers is known.")
        alone = [one for one in numbers if one.none_because]
        if alone:
            yield Heading("Published numbers without a figure here", 2)
            yield Table(
                ("Printed number", "As printed", "Why"),
                [(one.what, one.number_with_unit, one.none_because) for one in alone],
                (4, 2, 5),
            )

    # -- how ---------------------------------------------------------------------------------------

    def _runs(self) -> Iterator[Block]:
        yield self._section("Models and runs")
        if not self.told_runs:
            yield Text(
                "No run of MedLens made anything in this dataset. Where models said something, it"
                " was imported from files, and the files' authors know their settings."
            )
            return
        yield Table(
            ("Begun (UTC)", "What", "Models", "Settings", "Done; failed", "State"),
            [
                (
                    f"{run['made_at']:%Y-%m-%d %H:%M}",
                    str(run["kind"]),
                    ", ".join(list_models_in_run_configuration(run["config"])),
                    to_json({k: v for k, v in run["config"].items() if k not in ("models",)}),
                    f"{run['done']:,}; {run['failed']:,}",
                    current_state_name_of_run(run),
                )
                for run in self.told_runs
            ],
            (2, 2, 3, 6, 2, 2),
        )

    def _methods(self) -> Iterator[Block]:
        yield self._section("Methods")
        origins = Counter(one for frame in self.judged.values() for one in frame["origin"])
        brought = origins["import"]
        here = sum(origins.values()) - brought
        if here:
            yield Text(
                f"{here:,} of the judgments were made in MedLens. There each rater judged alone:"
                " neither other raters' judgments nor a model's answer were shown before their own"
                " was submitted, and what was changed afterwards is left out of all figures. Items"
                " were handed out at random, balanced over raters, with gold items mixed in unseen"
                " where there were any."
            )
        if brought:
            yield Text(
                f"{brought:,} of the judgments came in with files: how these raters worked, and"
                " what they saw, is for the authors to write."
            )
        yield Text(
            "The consensus on an item is the answer of more than half of the people who judged it,"
            " or the adjudicator's, where there is one; models are raters, but have no vote."
        )
        yield Text(
            "Rows that belong together were resampled together, by their outer unit; agreement was"
            " resampled with smoothing; paired differences have score intervals. An interval that"
            " simulation does not show to cover is withheld, and a figure that the data do not"
            f" allow is given as undefined, with the reason. Resamples: {RESAMPLES:,}, with the"
            f" seed {SEED}."
        )
        methods = _methods(
            one.method for _, _, rows in self.all_figures for _, _, one in rows if one.has_value
        )
        if methods:
            yield Table(
                ("Method, as the figures name it", "Figures"),
                [(name, f"{n:,}") for name, n in methods.most_common()],
                (8, 1),
            )
        rows = []
        for task in self.tasks:
            usual = hand_out_settings.default_hand_out_settings(
                self.settings, task.name, task.handing_out
            )
            how = task.adjust_hand_out_settings_to_task(
                hand_out_settings.hand_out_settings_in_force(
                    self.store, task.name, self.dataset, usual
                )
            )
            each = "everyone" if task.everyone else f"{how.raters_per_item:,}"
            most = "all" if task.everyone else f"{how.items_per_rater:,}"
            rows.append((self._called(task), each, most, f"{how.gold_share:.0%}", str(how.seed)))
        yield Heading("How items were handed out", 2)
        yield Table(
            ("Task", "Raters per item", "Items per rater", "Gold items", "Seed"),
            rows,
            (4, 2, 2, 2, 2),
        )
        for told in self.declared.explained(self.opened):
            yield Heading(told.title, 2)
            yield Table(told.heads, told.rows, (3, 5, 4)[: len(told.heads)])
        if files := ", ".join(self.declared.guidelines(self.opened)):
            yield Text(f"In full: {files}, in the file that export everything writes.", quiet=True)
        yield Heading("Versions of the guidelines", 2)
        yield Table(
            ("Task", "Version", "Since", "Judgments", "What reviewers were told"),
            [
                (
                    self._called(task),
                    str(one["version"]),
                    "the start" if pd.isna(one["since"]) else f"{one['since']:%Y-%m-%d}",
                    f"{one['judgments']:,}",
                    "\n".join(_paragraphs(one["text"])),
                )
                for task in self.tasks
                for one in guideline.guideline_versions_table(
                    self.store, task, dataset=self.dataset
                ).to_dict("records")
            ],
            (3, 1.2, 1.8, 1.7, 6),
        )

    def _software(self) -> Iterator[Block]:
        yield self._section("Software")
        yield Table(
            ("Program", "Version"),
            list(store_zip_writing_and_reading.software_versions_by_name().items()),
            (2, 2),
            3,
        )

    def _checklist(self) -> Iterator[Block]:
        yield self._section("Checklist")
        yield Text(
            "By the topics of TRIPOD-LLM (Gallifant et al., Nature Medicine 2025) and, where a"
            " model works beside clinicians, CONSORT-AI (Liu et al. 2020), in our own words: the"
            " statements themselves have the wording and the numbers of their points.",
            quiet=True,
        )
        ran, judged = bool(self.told_runs), any(map(len, self.judged.values()))
        nothing = "Nothing to report yet."
        by_files = "Section 8: no run made them; ask where the files come from."
        points = [
            ("Both", "Title and summary that name the model and the task", NOT_COVERED),
            ("Both", "Clinical background and why the question matters", NOT_COVERED),
            ("Both", "Aim", "Section 1"),
            (
                "TRIPOD-LLM",
                "Data: where from, which period, what is in it",
                "Section 2 (files); the rest is for the authors to write.",
            ),
            ("Both", "Items left out, and why", "Sections 2 and 4"),
            ("TRIPOD-LLM", "Whether models may have seen the items in training", NOT_COVERED),
            (
                "Both",
                "Models: name, version, when they were asked",
                "Section 8" if ran else by_files,
            ),
            (
                "TRIPOD-LLM",
                "Settings and prompts of the models",
                "Section 8 (settings with the version of the prompt)" if ran else by_files,
            ),
            (
                "CONSORT-AI",
                "Answers that were missing or could not be read",
                "Sections 6 and 8" if ran else by_files,
            ),
            (
                "TRIPOD-LLM",
                "Annotators: how many, who they are",
                "Section 3" if judged else nothing,
            ),
            ("TRIPOD-LLM", "Annotation: what raters were told", "Sections 1 and 9"),
            ("Both", "Blinding", "Section 9, for judgments made in MedLens"),
            (
                "TRIPOD-LLM",
                "Agreement of annotators, and how disagreements were settled",
                "Sections 4, 5 and 9" if judged else nothing,
            ),
            (
                "Both",
                "Size of the sample, and why",
                "Section 4 (size); the reason is for the authors to write.",
            ),
            ("Both", "Statistical methods, intervals and seeds", "Section 9"),
            ("Both", "Flow of items and raters", "Section 4"),
            ("Both", "Performance with intervals", "Section 6" if self.all_figures else nothing),
            (
                "TRIPOD-LLM",
                "Performance by subgroup",
                "Section 6, where figures have groups" if self.all_figures else nothing,
            ),
            (
                "CONSORT-AI",
                "Analysis of the model's errors",
                "Section 6 (counts); their discussion is for the authors to write.",
            ),
            (
                "TRIPOD-LLM",
                "Comparison with what was published",
                "Sections 6 and 7"
                if numbers_printed_in_papers.published_numbers_of_study(self.declared.name)
                else NOT_COVERED,
            ),
            ("Both", "Limitations, risks and implications for practice", NOT_COVERED),
            ("Both", "Ethics approval, consent and registration", NOT_COVERED),
            ("Both", "Funding and interests", NOT_COVERED),
            ("Both", "Data and code", "Section 10 (software); export everything writes the data."),
        ]
        # The seventh is of printed numbers, which a study may not have; what suggestions did stands
        # before the sixth.
        gap = 0 if numbers_printed_in_papers.published_numbers_of_study(self.declared.name) else 1
        more = 1 if self._suggested else 0
        told = [(by, topic, _renumbered(where, gap, more)) for by, topic, where in points]
        yield Table(("Statement", "Topic", "Where to find it"), told, (2, 5, 5))


# -- figures ---------------------------------------------------------------------------------------


def _number(value: float, *, share: bool, count: bool = False) -> str:
    if share:
        text = f"{100 * value:.1f}%"
    elif count or (value == int(value) and abs(value) >= 100):
        text = f"{value:,.0f}"
    else:
        text = f"{value:,.2f}"
    return use_real_minus_sign(text)


_WHOLE = ("count", "rank")
"""How the methods of numbers begin that are always whole."""


def _estimate(one: Estimate, *, share: bool | None = None) -> str:
    if one.value is None:
        return _UNDEFINED + str(one.reason)
    shares = one.denominator is not None if share is None else share
    # Of seconds in the hundreds nobody reads the decimals.
    parts = (0.0 if part is None else part for part in (one.value, one.low, one.high))
    whole = one.method.startswith(_WHOLE) or max(map(abs, parts)) >= 100
    text = _number(one.value, share=shares, count=whole)
    if one.low is not None and one.high is not None:
        ends = (_number(end, share=shares, count=whole).rstrip("%") for end in (one.low, one.high))
        text += f" [{'; '.join(ends)}]"
    if one.exact_numerator is not None and one.denominator is not None:
        whole_or_not = f"{one.exact_numerator:,.2f}".rstrip("0").rstrip(".")
        text += f" ({whole_or_not}/{one.denominator:,})"
    if one.p is not None:
        text += f", p = {one.p:.3g}" if one.p >= 0.001 else ", p < 0.001"
    return text


def _figure_row(row: FigureRow, printed: Sequence[PublishedNumber]) -> tuple[str, ...]:
    _, group, one = row
    by = [
        f"{p.number_with_source_and_fault}" + (f" (by {p.protocol})" if p.protocol else "")
        for p in printed
    ]
    # A count is its own n.
    n = "" if one.method.startswith("count") and one.value == one.n else f"{one.n:,}"
    return (group, _estimate(one), n, "\n".join(by))


def _methods(named: Iterable[str]) -> Counter[str]:
    """How many figures each method is of. Those that differ only in what follows a colon, such as
    the two labels compared, are one.
    """
    every = Counter(named)
    alike = Counter(name.partition(": ")[0] for name in every)
    found: Counter[str] = Counter()
    for name, n in every.items():
        short = name.partition(": ")[0]
        found[short if alike[short] > 1 else name] += n
    return found


def _left_out(rows: int) -> Iterator[Text]:
    if rows > 0:
        yield Text(f"{rows:,} more rows of this figure are in the file of all figures.", quiet=True)


_CORRECTED = re.compile(r"(.+)_(?:holm|fdr)")


def _base_of_corrected(figure: str) -> str:
    """The figure that this one repeats with a p value corrected for the number of tests; "" if it
    repeats none.
    """
    found = _CORRECTED.fullmatch(figure)
    return found[1] if found else ""


_Row = tuple[FigureRow, Sequence[PublishedNumber]]


@dataclass(frozen=True)
class _ShownFigure:
    """What is shown of a declared figure: ``charts``, the rows that stand ``beside_charts`` in
    tables, and those ``in_charts``, which the appendix has in numbers. ``defined`` are all its
    estimates that have a value, ``worded`` what its rows' figures are called.
    """

    title: str
    of: str
    defined: Sequence[Estimate]
    charts: Sequence[Chart]
    beside_charts: Sequence[_Row]
    in_charts: Sequence[_Row]
    worded: Mapping[str, str]


def _parted(
    told: Sequence[_Row], drawn: Set[tuple[str, str]], corrected: Mapping[str, str]
) -> tuple[list[_Row], list[_Row]]:
    """The rows for the tables beside the charts, and those for the appendix: what is drawn, and of
    a figure that is there with corrected p values too, the one with the others. ``corrected`` has
    that one's name by the figure's. A printed number is compared with ours where ours is discussed.
    """
    there = {row[:2] for row, _ in told}
    beside: list[_Row] = []
    rest: list[_Row] = []
    for row, printed in told:
        name, group, _ = row
        shown = {(name, group), (_base_of_corrected(name), group)} & drawn
        repeated = (corrected.get(name), group) in there
        (beside if printed or not (shown or repeated) else rest).append((row, printed))
    return beside, rest


def _tables(told: Sequence[_Row], worded: Mapping[str, str]) -> Iterator[Block]:
    """Figures with the printed numbers beside them: side by side where they have the same groups,
    else a row each.
    """
    for heads, wide in _side_by_side(told, worded):
        yield Table(heads, wide[:_MOST_ROWS], (4, *[4] * (len(heads) - 2), 1.2))
        yield from _left_out((len(wide) - _MOST_ROWS) * (len(heads) - 2))
        told = [row for row in told if worded[row[0][0]] not in heads[1:-1]]
    shown = _once([(worded[row[0]], *_figure_row(row, printed)) for row, printed in told])
    if not shown:
        return
    left = len(shown) - _MOST_ROWS
    shown = shown[:_MOST_ROWS]
    # A column in which nothing stands is left out.
    used = [at for at in range(5) if any(row[at] for row in shown)]
    columns = (("Figure", 4), ("Group", 4), ("Value", 5), ("n", 1.5), ("Published", 5))
    yield Table(
        [columns[at][0] for at in used],
        [[row[at] for at in used] for row in shown],
        [columns[at][1] for at in used],
    )
    yield from _left_out(left)


def _side_by_side(
    rows: Sequence[_Row], worded: Mapping[str, str]
) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """The headers and rows of tables with a column for each of several figures that have the same
    groups and n, if they are all defined and no printed number stands beside them.
    """
    found: dict[str, list[FigureRow]] = {}
    alone = {row[0] for row, printed in rows if printed or not row[2].has_value}
    for row, _ in rows:
        if row[0] not in alone:
            found.setdefault(row[0], []).append(row)
    alike: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for name, its in found.items():
        alike.setdefault(tuple((group, one.n) for _, group, one in its), []).append(name)
    for groups, names in alike.items():
        if len(names) == 1 or len(groups) < _SOME_GROUPS:
            continue
        wide = math.ceil(len(names) / math.ceil(len(names) / _MOST_BESIDE))
        for at in range(0, len(names), wide):
            some = names[at : at + wide]
            columns = [[_estimate(one) for _, _, one in found[name]] for name in some]
            yield (
                ("Group", *(worded[name] for name in some), "n"),
                [
                    (group, *values, f"{n:,}")
                    for (group, n), *values in zip(groups, *columns, strict=True)
                ],
            )


_UNDEFINED = "undefined, because "


def _once(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Rows of a table with one in place of all those of a figure that are undefined for the same
    reason and have no printed number beside them.
    """
    same: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        figure, group, value, _, printed = row
        alone = printed or not value.startswith(_UNDEFINED)
        same.setdefault((figure, value, *((group,) if alone else ())), []).append(row)
    told: list[tuple[str, ...]] = []
    for together in same.values():
        figure, group, value, n, printed = together[0]
        if len(together) > 1:
            of = sum(row[0] == figure for row in rows)
            group = "; ".join(row[1] for row in together)
            if len(together) == of:
                group = f"all {of} groups"
            elif len(together) > _FEW_GROUPS:
                group = f"{len(together)} of {of} groups"
            ends = sorted({row[3] for row in together}, key=lambda n: int(n.replace(",", "")))
            n = " to ".join(dict.fromkeys((ends[0], ends[-1])))
        told.append((figure, group, value, n, printed))
    return told


_OF_QUESTIONS = {
    "share": "Share of answers",
    "items": "One answer per item",
    "mean": "Mean",
    "alpha": "Krippendorff's alpha",
    "f1": "Span F1, how far marks agree",
    "words": "Krippendorff's alpha over words",
    "overlap": "Span F1, how far people mark the same passages",
    "fleiss": "Fleiss' kappa",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2, with ordinal weights",
    "percent": "Pairs of answers that are the same",
    "difference": "Difference between two arms on the same cases",
    "win": "Comparisons won",
    "strength": "Strength beside the others (Bradley–Terry)",
    "points": "Share of points",
    "worst": "Worst of several answers",
    "met": "Criteria met",
    "advice": "Before and after advice",
}
"""What an own study's figures tell of a question, by how their names begin."""


def _mark(name: str, one: Estimate, printed: Sequence[PublishedNumber] = ()) -> Mark | None:
    if one.value is None or one.low is None or one.high is None:
        return None
    said = _number(one.value, share=one.denominator is not None)
    beside = tuple(p.ours for p in printed if p.ours is not None)
    raters = [each.value for each in one.of_raters]
    return Mark(
        name,
        one.value,
        one.low,
        one.high,
        f"{said} (n {one.n:,})",
        beside,
        raters,
        _spread_in_words(raters, share=one.denominator is not None),
    )


def _spread_in_words(raters: Sequence[float], *, share: bool) -> str:
    """How many raters there are beside a figure, and how far apart."""
    if not raters:
        return ""
    low, high = (_number(end, share=share) for end in (min(raters), max(raters)))
    if len(raters) == 1:
        return f"1 rater: {low}"
    return f"{len(raters):,} raters: {low} to {high}"


def _charts(
    title: str, rows: Sequence[_Row], worded: Mapping[str, str]
) -> tuple[list[Chart], set[tuple[str, str]]]:
    """A chart for each figure of several groups, and one of all others; of each, shares stand on
    one axis, what lies between −1 and 1 (agreement, differences) on another. A figure that fits on
    neither has a chart with an axis of its own if single raters stand beside it, as with a mean of
    a scale; else one with groups has no chart: one without them would mislead. Also which figures
    and groups are drawn.
    """
    groups = Counter(name for (name, _, _), _ in rows)
    charts: dict[tuple[str, bool], list[tuple[tuple[str, str], Mark]]] = {}
    of_figures: dict[str, list[tuple[tuple[str, str], Mark]]] = {}
    beyond: set[str] = set()
    undrawn: set[str] = set()
    for (name, group, one), printed in rows:
        alone = groups[name] == 1
        called = ": ".join(filter(None, (worded[name], group))) if alone else group
        mark = _mark(called, one, printed)
        if mark is None:
            continue
        whole = "All together" if alone and not group else group or mark.name
        of_figures.setdefault(worded[name], []).append(((name, group), replace(mark, name=whole)))
        ends = (mark.low, mark.high, *mark.raters)
        percent = one.denominator is not None and 0 <= min(ends) <= max(ends) <= 1
        if percent or -1 <= min(ends) <= max(ends) <= 1:
            of = title if alone else worded[name]
            charts.setdefault((of, percent), []).append(((name, group), mark))
        else:
            beyond.add(of := worded[name])
            if not alone:
                undrawn.add(of)
    made: list[Chart] = []
    drawn: set[tuple[str, str]] = set()
    for (of, percent), marks in charts.items():
        if of not in undrawn:
            made.append(_chart_of(of, [mark for _, mark in marks], percent=percent))
            drawn.update(key for key, _ in marks)
    for of in sorted(beyond, key=list(of_figures).index):
        marks = of_figures[of]
        if any(mark.raters for _, mark in marks):
            made.append(_chart_of(of, [mark for _, mark in marks], own_axis=True))
            drawn.update(key for key, _ in marks)
    return made, drawn


def _renumbered(where: str, gap: int, more: int) -> str:
    """Where something stands, with the sections behind the seventh moved up by ``gap``, and those
    behind the fifth moved down by ``more``.
    """
    if not where.startswith("Section"):
        return where
    return re.sub(
        r"\b(?:[6-9]|10)\b",
        lambda found: str(int(found[0]) + more - (gap if int(found[0]) > 7 else 0)),
        where,
    )


def _paragraphs(told: str) -> list[str]:
    """The paragraphs and list entries of a text, whose lines may be wrapped anywhere."""
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+[.)]|#{1,6})\s)", told)
    return [words for part in parts if (words := " ".join(part.split()).removeprefix("- "))]


def _wordings(task: Task) -> list[str]:
    """What is asked, each question once: not again for every model that it is asked about."""
    questions = task.question_wordings_by_id()
    asked = [name for name in questions if any(_is_of(each, name) for each in task.called)]
    return [questions[name] for name in asked] or list(task.called.values())


def _is_of(variable: str, question: str) -> bool:
    """Whether a variable is a question, or its part for a model or an option."""
    return variable == question or variable.startswith((f"{question} / ", f"{question}: "))


def _questions(task: Task) -> list[tuple[str, str]]:
    """The questions of a task in their wording, and what they are called in files."""
    return [(wording, name) for name, wording in task.called.items()]


def _chart_of(
    title: str, marks: Sequence[Mark], *, percent: bool = False, own_axis: bool = False
) -> Chart:
    there = [mark for mark in marks if mark.value]
    if len(marks) <= _SHORT_CHART or not there:
        there = list(marks)
    shown = there[:_MOST_MARKS]
    said = f" (the first {_MOST_MARKS} of {len(there):,})" if len(there) > len(shown) else ""
    if len(there) < len(marks):
        said += f"; {len(marks) - len(there):,} at zero left out"
    if any(one.raters for one in shown):
        said += "; each small dot is one rater"
    drawn = [end for one in shown for end in (one.low, one.high, *one.raters)]
    low, high = (0.0 if min(drawn) >= 0 else -1.0), 1.0
    if own_axis:
        drawn += [end for one in shown for end in one.published]
        low, high = float(math.floor(min(drawn))), float(math.ceil(max(drawn)))
    return Chart(f"{title}, 95% intervals{said}", shown, low, high, percent)
