"""The figures of an own study: how often each answer was given, means, agreement.

Several people answer the same item, and people differ: what they answered goes through
``stats.judgment_shares_means_and_win_rates``, which says whom a figure speaks for; one answer per
item has Wilson's interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, combinations
from typing import Any

from medlens.config.question_forms_and_answer_checks import (
    NOT_APPLICABLE,
    OF_ARMS,
    REWRITE,
    Question,
)
from medlens.deferred_module import np, pd
from medlens.review import (
    agreement,
    consensus,
    further_columns_of_imported_items,
    rater_and_item_subgroups,
    retest_agreement,
)
from medlens.review.agreement import Agreement
from medlens.review.chart_specifications import (
    Axis,
    Chart,
    Entry,
    Rows,
    bar_chart,
    make_chart_that_says_why_empty,
)
from medlens.review.figure_definitions import Choice, Figure, Figures, Headline
from medlens.review.mark_agreement import (
    F1S,
    Marked,
    compute_mark_agreement,
    extract_marks_and_their_rows,
    span_f1_chart,
    word_alpha_chart,
)
from medlens.review.marked_spans_checked_carried_and_timed import COLOURS
from medlens.review.raters import Rater, require_lead
from medlens.review.retest_agreement import Within
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.column_values_as_groups_or_bands import find_bands_of_column_values
from medlens.stats.estimate import Estimate, FigureRow, note_that_fewer_were_offered_option
from medlens.stats.intervals import clustered_share
from medlens.stats.judgment_shares_means_and_win_rates import (
    estimate_mean_of_judgments,
    estimate_median_of_judgments,
    estimate_share_of_judgments,
    estimate_weighted_mean_of_judgments,
)
from medlens.stats.scope_of_inference_over_raters import (
    JudgmentItemsAndRaters,
    is_panel_declared_fixed_now,
)
from medlens.store import Store
from medlens.studies.own import evidence_passages_marked_by_raters, queries
from medlens.studies.own.advice_reliance import CHANGES, SHARES, Pairs, reliance_estimates_by_figure
from medlens.studies.own.arm_differences_and_preference_contests import (
    ArmContests,
    Difference,
    compare_every_two_arms,
    items_and_raters_of_rows,
    make_arm_contests_of_judgments,
    mask_of_answers_offered_option,
    points_share_of_each_answer,
    weights_in_expected_worst_of_k,
)
from medlens.studies.own.blinded_arms import (
    ARM,
    ARMS,
    CASE,
    preference_as_option,
    question_id_for_arm,
)
from medlens.studies.own.compare_rewritten_texts import (
    make_question_whether_text_was_changed,
    question_of_share_of_words_changed,
    rewriting_questions_by_id,
)
from medlens.studies.own.item_specific_criteria import GradedCriteria, criteria_of_items_table
from medlens.studies.own.item_specific_criteria import make_graded_criteria as graded_of
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import Advice, StudyDeclaration
from medlens.studies.own.tasks import (
    NAME,
    STUDY,
    Answers,
    counted_evidence_answers_by_question,
    counted_mark_answers_by_question,
    counted_rewriting_answers_by_question,
    criterion_pool_name,
    drop_answers_not_asked_for,
    id_of_text_to_mark,
    table_of_judgments_per_text,
)

TABLES = (
    *("item", "item_alias", "rater", "judgment", "gold", "adjudication", "reference"),
    "task_setting",
)
_LONGEST = 60
"""The longest value, in characters, that can be the name of a group."""
_MOST_ALIKE, _MOST_ANSWERS = 40, 16
_MOST_CHARTS = 6
"""With more parts to compare, such as arms, each option has a chart instead."""
_MOST_ROWS = 24
"""In one chart of every option and arm."""
_MOST_DIFFERENCES = 40
_AGREEING = 2
"""People whom agreement needs."""
_ALL = "all"
_OF_ARM = r" / [^:]*"
_SHARE, _SCORE = Axis("Share", "percent", high=1), Axis("Krippendorff's alpha", high=1)


@dataclass(frozen=True)
class OwnStudyFigureData:
    """People's blind judgments of a dataset.

    ``judged`` is from ``consensus.current_judgments``, people only, and ``settled`` has the
    adjudicators' answers. ``answers_table`` has a row per judgment, and if all arms of a case were
    shown, one more for each: item_id, rater_id, case (the item, if there are no arms), arm (or ""),
    the number of its judgment, the version of the study's file, the order of the arms, and the
    answer to each question that was asked, None without one. ``said`` are the answers by judgment
    as stored. ``groups`` gives, by item_id, an item's group in each of these columns
    (``stats.column_values_as_groups_or_bands``). ``later`` are the judgments made after the advice,
    and ``expected`` the columns with the advice or the truth, by item_id. ``texts`` are those in
    which words are marked, by item_id. ``graded`` has what was said about criteria that differ by
    item, by rubric; ``conversations`` numbers the items' conversations with their criteria, by
    item_id. ``unanswered`` has, by arm, of how many of the judged items it gave no answer, and of
    how many; ``empty_answers_by_arm`` how many judgments were of such an answer, and of how many:
    none of them counts. ``twice`` has the answers to items that came again
    (``retest_agreement.retest_pairs_table``). With a ``fixed_panel`` the people who judged are all
    that matter.
    """

    study: Study
    judged: pd.DataFrame
    settled: Mapping[str, Any]
    said: Sequence[Mapping[str, Any]]
    answered: Callable[[], pd.DataFrame]
    groups: pd.DataFrame
    later: pd.DataFrame
    expected: pd.DataFrame
    twice: pd.DataFrame
    graded: Mapping[str, GradedCriteria] = field(default_factory=dict)
    conversations: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    narrowed: Mapping[str, str] = field(default_factory=dict)
    fixed_panel: bool = False
    unanswered: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    empty_answers_by_arm: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def study_declaration(self) -> StudyDeclaration:
        """What the study's file declares."""
        return self.study.declared

    @property
    def number_of_people(self) -> int:
        """The number of people who judged."""
        return int(self.judged["rater_id"].nunique())

    # Each takes as long as everything else, and only some charts need it.

    @property
    def answers_table(self) -> pd.DataFrame:
        """What ``answered`` returns, which is put together once."""
        return self.answered()

    @cached_property
    def table_of_consensus_answers(self) -> pd.DataFrame:
        """One answer per item, as in ``consensus.consensus_table``."""
        return consensus.consensus_table_of_judgments(self.study.task, self.judged, self.settled)

    @cached_property
    def table_of_offered_version_and_arms(self) -> pd.DataFrame:
        """What the items, by name, could be answered with: the newest version of the study's file
        with which one was, and the arms that were shown, as ``order``.
        """
        versions: dict[str, int] = {}
        arms: dict[str, dict[str, None]] = {}
        settled = ((item, value) for item, value in self.settled.items() if value is not None)
        answers = zip(self.judged["item"], self.judged["value"], strict=True)
        for item, value in chain(answers, settled):
            versions[item] = max(versions.get(item, 0), value.version)
            arms.setdefault(item, {}).update(dict.fromkeys(value.order))
        order = [tuple(shown) for shown in arms.values()]
        return pd.DataFrame({"version": [*versions.values()], "order": order}, index=[*versions])

    @cached_property
    def agreement_by_variable(self) -> Mapping[str, Agreement]:
        """Agreement by variable."""
        return agreement.compute_agreement_by_variable(self.study.task, self.judged)

    @cached_property
    def mark_agreement_by_question(self) -> Mapping[str, Marked]:
        """Agreement on marks, by the question they answer."""
        one = self.study_declaration.spans
        if one is None:
            return {}
        judged = table_of_judgments_per_text(self.study_declaration, self.judged)
        marks, rows = extract_marks_and_their_rows(judged, [label.id for label in one.labels])
        texts = [self.texts[item] for item in rows["item_id"].unique()]
        names = [label.name for label in one.labels]
        return {
            one.id: compute_mark_agreement(marks, texts, names, items=judged["item_id"].nunique())
        }

    @cached_property
    def retest_agreement_by_rater_of_each_variable(self) -> Mapping[str, Mapping[str, Within]]:
        """Agreement of people with themselves, by variable."""
        return retest_agreement.retest_agreement_by_variable_and_rater(self.study.task, self.twice)

    @property
    def compared_arms(self) -> tuple[str, ...]:
        """The arms compared."""
        return self.study_declaration.arms.names if self.study_declaration.arms else ()

    @property
    def figure_split_columns(self) -> list[str]:
        """The splits of all figures: the arm, and the columns named in the file."""
        named = [one.name for one in self.study_declaration.columns if one.groups]
        return [
            *([ARM] if self.compared_arms else []),
            *(one for one in named if one in self.groups),
        ]

    @property
    def further_split_columns(self) -> list[str]:
        """Further splits of the answers: all other columns that have groups."""
        return [one for one in map(str, self.groups) if one not in self.figure_split_columns]

    @cached_property
    def advice_reliance_by_question(self) -> Mapping[str, Mapping[str, Estimate]]:
        """What the advice did to the answers, by question."""
        return {
            one.question: reliance_estimates_by_figure(
                self.answer_columns_before_and_after_advice(one)
            )
            for one in self.study_declaration.advice
        }

    def answer_columns_before_and_after_advice(self, advice: Advice) -> Pairs:
        """The people who answered a question both before and after the advice."""
        keys = ["item_id", "rater_id"]
        both = self.judged[[*keys, "value"]].merge(self.later[[*keys, "value"]], on=keys)
        told = self.expected.reindex(both["item_id"])
        sides = [
            [str(value.answers.get(advice.question, "")) for value in both[side]]
            for side in ("value_x", "value_y")
        ]
        truth = told[advice.truth] if advice.truth else pd.Series("", index=told.index)
        answered = [
            row
            for row in zip(
                *(*sides, told[advice.column], truth, both["item_id"], both["rater_id"]),
                strict=True,
            )
            if row[0] and row[1]
        ]
        columns = list(zip(*answered, strict=True)) or [()] * 6
        before, after, advised, true, items, raters = columns
        return Pairs(before, after, advised, true, items, raters, self.fixed_panel)

    @cached_property
    def differences_between_arms(self) -> list[Difference]:
        """Every two arms, in every question asked of arms."""
        both = (
            *self.study_declaration.counted_questions,
            *self.study_declaration.number_questions_standing_for_rubrics,
        )
        asked_of = [
            one for one in both if one.each or not self.study_declaration.are_arms_side_by_side
        ]
        if not self.compared_arms:
            return []
        return compare_every_two_arms(
            asked_of, self.answers_table, self.compared_arms, fixed_panel=self.fixed_panel
        )

    @cached_property
    def contests_by_preference_question(self) -> Mapping[str, ArmContests]:
        """Which arm was preferred to which, by preference and ranking."""
        compared = [one for one in self.study_declaration.form.questions if one.kind in OF_ARMS]
        if not compared:
            return {}
        cases = pd.factorize(self.judged["item_id"], sort=True)[0]
        raters, ids = pd.factorize(self.judged["rater_id"], sort=True)
        orders = [value.order or self.compared_arms for value in self.judged["value"]]
        return {
            one.id: make_arm_contests_of_judgments(
                *(one, self.said, orders, cases, raters, self.compared_arms),
                fixed_panel=self.fixed_panel,
                rater_ids=ids.tolist(),
            )
            for one in compared
        }


def load_figure_data(
    store: Store, study: Study, viewer: Rater | None, narrowed: Mapping[str, str]
) -> OwnStudyFigureData:
    """The data behind a study's figures; no viewer means the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    judged = consensus.current_judgments(store, study.task, dataset=study.dataset, viewer=viewer)
    judged = judged[judged["rater_kind"] == "person"]
    judged, unanswered, empty = _without_empty_answers(store, study, judged)
    kept = [one for one in study.declared.form_with_question_per_arm.questions if one.only_if]
    texts = _to_rewrite(store, study)
    said = []
    for item, value in zip(judged["item_id"], judged["value"], strict=True):
        given = drop_answers_not_asked_for(kept, value.answers)
        said.append(
            {
                **given,
                **counted_mark_answers_by_question(study.declared, value),
                **counted_rewriting_answers_by_question(study.declared, given, texts.get(item, {})),
                **counted_evidence_answers_by_question(study.declared, given),
            }
        )
    later, expected = (
        judged.iloc[:0],
        queries.table_of_column_values_of_items(store, study.dataset, []),
    )
    if study.declared.advice:
        expected = queries.table_of_column_values_of_items(
            store, study.dataset, [*study.declared.possible_answers_by_column]
        )
        last = consensus.current_judgments(
            store, study.task, dataset=study.dataset, viewer=viewer, blind=False
        )
        later = last[(last["rater_kind"] == "person") & ~last["blind"].astype(bool)]
    answers = cache(partial(_answers, store, study, judged, said))
    graded = {}
    for one in study.declared.number_questions_standing_for_rubrics:
        if one.column:
            criteria = criteria_of_items_table(store, study)
            graded[one.id] = replace(
                graded_of(study.declared, one, criteria, answers(), said),
                fixed_panel=is_panel_declared_fixed_now(),
            )
            answers()[one.id] = graded[one.id].point_share_of_each_answer()
    conversations: dict[str, int] = {}
    if graded:
        # What is shown of an item, without the answer to judge.
        told = [one.columns[0] for one in study.declared.panes if one.kind == "dialogue"]
        cells = queries.table_of_column_values_of_items(
            store, study.dataset, [study.declared.criteria_column, *told]
        )
        numbers = cells.groupby(list(cells), sort=False).ngroup() if told else pd.Series()
        conversations = {str(item): int(number) for item, number in numbers.items()}
    return OwnStudyFigureData(
        study=study,
        judged=judged,
        settled=consensus.adjudicated_answers_by_item_name(
            store, study.task, dataset=study.dataset
        ),
        said=said,
        answered=answers,
        groups=_groups(store, study),
        later=later,
        expected=expected,
        twice=retest_agreement.retest_pairs_table(
            store, study.task, dataset=study.dataset, viewer=viewer
        ),
        graded=graded,
        conversations=conversations,
        texts=_to_mark(store, study),
        fixed_panel=is_panel_declared_fixed_now(),
        unanswered=unanswered,
        empty_answers_by_arm=empty,
    )


_OfArms = Mapping[str, tuple[int, int]]


def _without_empty_answers(
    store: Store, study: Study, judged: pd.DataFrame
) -> tuple[pd.DataFrame, _OfArms, _OfArms]:
    """The judgments without what was said of answers that a model did not give, which is missing;
    and ``unanswered`` and ``empty_answers_by_arm`` of ``OwnStudyFigureData``.
    """
    without = _empty_answers(store, study)
    arms = study.declared.arms
    if arms is None or not without or judged.empty:
        return judged, {}, {}
    if study.declared.are_arms_side_by_side:
        shown = [tuple(value.order) for value in judged["value"]]
    else:
        arm_of = queries.table_of_column_values_of_items(store, study.dataset, [ARM])[ARM]
        shown = [(str(arm),) for arm in arm_of.reindex(judged["item_id"])]
    gone = [{arm for arm in arms.names if (item, arm) in without} for item in judged["item_id"]]
    unanswered, empty = {}, {}
    per_item = dict(zip(judged["item_id"], gone, strict=True))
    for arm in arms.names:
        seen = [arm in nothing for order, nothing in zip(shown, gone, strict=True) if arm in order]
        if any(seen):
            empty[arm] = (sum(seen), len(seen))
        if study.declared.are_arms_side_by_side:
            of = len(per_item)
        else:
            of = len(
                {item for item, [one] in zip(judged["item_id"], shown, strict=True) if one == arm}
            )
        if lacks := sum(arm in nothing for nothing in per_item.values()):
            unanswered[arm] = (lacks, of)
    left = [set(order) - nothing for order, nothing in zip(shown, gone, strict=True)]
    kept = judged[[bool(one) for one in left]]
    if study.declared.are_arms_side_by_side:
        compared = [one.id for one in study.declared.form.questions if one.kind in OF_ARMS]
        values = [
            _without_arms(value, nothing, compared) if nothing else value
            for value, nothing, some in zip(judged["value"], gone, left, strict=True)
            if some
        ]
        kept = kept.assign(value=pd.Series(values, index=kept.index, dtype=object))
    return kept, unanswered, empty


def _without_arms(value: Answers, gone: AbstractSet[str], compared: Sequence[str]) -> Answers:
    """A judgment without what it says of these arms; ``compared`` are the questions in which one
    was preferred to another.
    """
    order = [arm for arm in value.order if arm not in gone]
    answers = {
        name: one
        for name, one in value.answers.items()
        if name.partition(" / ")[2] not in gone
        and not (name in compared and (len(order) < 2 or str(one).partition(", ")[0] in gone))
    }
    spans = tuple(one for one in value.spans if one.arm not in gone)
    return value.model_copy(update={"order": order, "answers": answers, "spans": spans})


def _groups(store: Store, study: Study) -> pd.DataFrame:
    """``OwnStudyFigureData.groups``: the columns with groups, among those of the study's file and
    all others imported with the items.
    """
    own = [
        one
        for one in study.declared.columns
        if not (one.by_arm and study.declared.are_arms_side_by_side)
    ]
    named = [one.name for one in own if one.groups]
    rest = [one.name for one in own if not one.groups]
    table = queries.table_of_column_values_of_items(store, study.dataset, rest, _LONGEST + 1)
    if named:
        table = queries.table_of_column_values_of_items(store, study.dataset, named).join(table)
    beside = further_columns_of_imported_items.further_columns_by_item(store, STUDY, study.dataset)
    for name in dict.fromkeys(name for body in beside.values() for name in body):
        if name not in table and name not in (ARM, CASE):
            told = (beside.get(item, {}).get(name, "") for item in table.index)
            table[name] = [rater_and_item_subgroups.group_name_of_cell(one) for one in told]
    found: dict[str, Any] = {}
    for name in map(str, table):
        cells = table[name].tolist()
        # Shown columns are often texts; group names must be readable at a glance.
        is_text = name not in named and max(map(len, cells), default=0) > _LONGEST
        if not is_text and (cut := find_bands_of_column_values(cells)):
            found[name] = pd.Categorical.from_codes(cut.of, pd.Index(cut.names))
    return pd.DataFrame(found, index=table.index)


def _to_rewrite(store: Store, study: Study) -> Mapping[str, Mapping[str, str]]:
    """The texts to rewrite, by item and question."""
    declared = study.declared
    places = {
        name: declared.item_keys_leading_to_text_to_rewrite(one)
        for name, one in declared.rewriting_questions_by_id.items()
    }
    if not places:
        return {}
    found = queries.table_of_column_values_of_items(store, study.dataset, places)
    return {str(item): dict(row) for item, row in found.iterrows()}


def _to_mark(store: Store, study: Study) -> Mapping[str, str]:
    """The texts in which words are marked, by ``id_of_text_to_mark``."""
    places = {
        arm: (ARMS, arm, one.column) if arm else (one.column,)
        for arm, one in study.declared.marking_questions_by_arm.items()
    }
    if not places:
        return {}
    texts = queries.table_of_column_values_of_items(store, study.dataset, places)
    return {
        id_of_text_to_mark(str(item), arm): text
        for item, row in texts.iterrows()
        for arm, text in zip(places, row, strict=True)
    }


def _answers(
    store: Store, study: Study, judged: pd.DataFrame, said: Sequence[Mapping[str, Any]]
) -> pd.DataFrame:
    """``OwnStudyFigureData.answers_table``."""
    declared = study.declared
    head = judged[["item_id", "rater_id"]].reset_index(drop=True)
    head = head.assign(case=head["item_id"], arm="", judgment=range(len(head)))
    head["version"] = [value.version for value in judged["value"]]
    head["order"] = [tuple(value.order) for value in judged["value"]]
    if declared.arms and not declared.are_arms_side_by_side:
        of = queries.table_of_column_values_of_items(store, study.dataset, [CASE, ARM]).reindex(
            head["item_id"]
        )
        head = head.assign(case=of[CASE].to_numpy(), arm=of[ARM].to_numpy())
    # As numbers: text clusters take ten times as long.
    head["case"] = pd.factorize(head["case"], sort=True)[0]
    asked_of = (one for one in declared.form.questions if not one.is_worded_per_item)
    texts = map(
        question_of_share_of_words_changed, rewriting_questions_by_id(declared.form).values()
    )
    names = [one.id for one in (*declared.counted_span_questions, *asked_of, *texts)]
    of_arms = {one.id for one in declared.counted_questions if one.each}
    preferences = {one.id: one for one in declared.counted_questions if one.chooses_arm}

    def part(arm: str) -> pd.DataFrame:
        columns: dict[str, Any] = dict.fromkeys(names)
        for name in names:
            if (name in of_arms) == bool(arm):
                key = question_id_for_arm(name, arm) if arm else name
                columns[name] = [one.get(key) for one in said]
                if name in preferences:
                    of = preferences[name]
                    columns[name] = [preference_as_option(of, one) for one in columns[name]]
        return pd.DataFrame(columns, index=head.index, dtype=object)

    if not declared.are_arms_side_by_side:
        found = pd.concat([head, part("")], axis=1)
    else:
        arms = ("", *declared.arms.names)  # type: ignore[union-attr]
        found = pd.concat([head.assign(arm=arm).join(part(arm)) for arm in arms], ignore_index=True)
    for one in declared.number_questions_standing_for_rubrics:
        if not one.column:
            found[one.id] = points_share_of_each_answer(declared.criteria_of_rubric(one.id), found)
    return found


def _empty_answers(store: Store, study: Study) -> frozenset[tuple[str, str]]:
    """The (item_id, arm) of the arms' answers of which nothing is shown: a model gave none."""
    declared, arms = study.declared, study.declared.arms
    if arms is None:
        return frozenset()
    shown = [name for pane in declared.panes for name in pane.columns if name in arms.own]
    if not shown:
        return frozenset()
    if not declared.are_arms_side_by_side:
        table = queries.table_of_column_values_of_items(store, study.dataset, [ARM, *shown])
        without = table[(table[shown] == "").all(axis=1)]
        return frozenset(zip(map(str, without.index), without[ARM], strict=True))
    paths = {f"{arm}\x1f{name}": (ARMS, arm, name) for arm in arms.names for name in shown}
    table = queries.table_of_column_values_of_items(store, study.dataset, paths, 1)
    found = set()
    for arm in arms.names:
        nothing = (table[[f"{arm}\x1f{name}" for name in shown]] == "").all(axis=1)
        found |= {(str(item), arm) for item in table.index[nothing.to_numpy(dtype=bool)]}
    return frozenset(found)


# -- how often each answer was given ---------------------------------------------------------------


def list_shares_of_judgments_per_option(
    question: Question, answers: pd.DataFrame, *, fixed_panel: bool = False
) -> list[tuple[str, Estimate]]:
    """How often each option was chosen, among the judgments that answer the question and were
    offered it.
    """
    given = answers[_answered(answers, question.id)]
    judged = items_and_raters_of_rows(given, fixed_panel=fixed_panel)
    if question.kind == "multiple":
        several = given[question.id].tolist()
        hits = {option: [option in one for one in several] for option in question.shown_options}
    else:
        texts = text_array_of_column(given[question.id])
        hits = {option: texts == option for option in question.shown_options}
    found = []
    for option, of in hits.items():
        chosen = np.array(of, dtype=bool)
        counted = mask_of_answers_offered_option(question, option, given) | chosen
        estimate = estimate_share_of_judgments(
            chosen[counted], judged.select_judgments_in_rows(counted)
        )
        found.append(
            (option, note_that_fewer_were_offered_option(estimate, int(counted.sum()), len(given)))
        )
    return found


def list_shares_of_items_per_option(
    question: Question, words: pd.DataFrame, offers: pd.DataFrame | None = None
) -> list[tuple[str, Estimate]]:
    """How often each option is an item's answer, among the items that have one and could have had
    this one (``OwnStudyFigureData.table_of_offered_version_and_arms``; None: all could).
    """
    variables = words["variable"]
    if question.each:
        variables = variables.str.replace(_OF_ARM, "", regex=True)
    several = question.kind == "multiple"
    told = words[words["answer"].notna()]
    names = {question.id, *(f"{question.id}: {option}" for option in question.shown_options)}
    answered = set(told["item"][variables[told.index].isin(names)])
    found = []
    for option in question.shown_options:
        variable = f"{question.id}: {option}" if several else question.id
        known = told[variables[told.index] == variable]
        if question.kind != "scale":
            chosen = [bool(one) if several else one == option for one in known["answer"]]
        elif option != NOT_APPLICABLE:
            chosen = [one == int(option) for one in known["answer"]]
        else:
            continue
        hits, items = np.array(chosen, dtype=bool), text_array_of_column(known["item"])
        offered = answered
        if offers is not None:
            offered = answered & set(
                offers.index[mask_of_answers_offered_option(question, option, offers)]
            )
            offered |= set(items[hits].tolist())
        counted = np.isin(items, list(offered))
        estimate = clustered_share(hits[counted], items[counted], unit="items")
        found.append(
            (
                option,
                note_that_fewer_were_offered_option(estimate, len(offered), len(answered), "items"),
            )
        )
    return found


def count_undecided_items(question: Question, words: pd.DataFrame) -> int:
    """The number of items with answers to the question, none of which has a majority."""
    names = words["variable"].str.replace(_OF_ARM, "", regex=True) if question.each else None
    variables = (words["variable"] if names is None else names).str.partition(": ")[0]
    of = words[
        (variables == question.id)
        & words["answer"].isna()
        & ~words["adjudicated"].astype(bool)
        & (words["votes"] > 0)
    ]
    return int(of["item"].nunique())


def estimate_mean_answer(
    question: Question, answers: pd.DataFrame, *, fixed_panel: bool = False
) -> Estimate:
    """The mean of the numbers given."""
    numbers = [
        one if isinstance(one, int | float) else np.nan for one in answers[question.id].tolist()
    ]
    ends = (question.minimum, question.maximum)
    kind: Any = "difference"
    if question.kind == "scale":
        kind = ends
    elif ends[0] is not None and ends[0] >= 0:
        kind = "amount"
    judged = items_and_raters_of_rows(answers, fixed_panel=fixed_panel)
    return estimate_mean_of_judgments(np.array(numbers, dtype=float), judged, kind=kind)


def estimate_median_answer(
    question: Question, answers: pd.DataFrame, *, fixed_panel: bool = False
) -> Estimate:
    """The median of the numbers given."""
    numbers = [
        one if isinstance(one, int | float) else np.nan for one in answers[question.id].tolist()
    ]
    return estimate_median_of_judgments(
        np.array(numbers, dtype=float), items_and_raters_of_rows(answers, fixed_panel=fixed_panel)
    )


def list_mean_rubric_point_shares_of_tags(
    declared: StudyDeclaration,
    rubric: str,
    answers: pd.DataFrame,
    graded: GradedCriteria | None = None,
    *,
    fixed_panel: bool = False,
) -> list[tuple[str, Estimate]]:
    """The mean share of a rubric's points, over all criteria (called "") and over those with each
    tag: clipped to 0 to 1 as in HealthBench. If criteria differ by item, it comes from ``graded``.
    """
    if graded is not None:
        own = graded.copy_with_rows_of_answers_only(answers)
        return [
            (
                tag,
                _mean_share(own.point_share_of_each_answer(tag), answers, fixed_panel=fixed_panel),
            )
            for tag in ("", *graded.all_tags)
        ]
    criteria = declared.criteria_of_rubric(rubric)
    tags = sorted({tag for one in criteria for tag in one.tags})
    found = []
    for tag in ("", *tags):
        of = [one for one in criteria if not tag or tag in one.tags]
        if not any(one.points > 0 for one in of):
            none = Estimate.undefined_estimate("none of its criteria brings points", method="mean")
            found.append((tag, none))
            continue
        shares = pd.Series(points_share_of_each_answer(of, answers), index=answers.index)
        found.append((tag, _mean_share(shares, answers, fixed_panel=fixed_panel)))
    return found


def _mean_share(shares: pd.Series, answers: pd.DataFrame, *, fixed_panel: bool) -> Estimate:
    values = shares.reindex(answers.index).to_numpy(float)
    judged = items_and_raters_of_rows(answers, fixed_panel=fixed_panel)
    return _clipped(estimate_mean_of_judgments(values, judged, kind="difference"))


def _clipped(one: Estimate) -> Estimate:
    def clip(value: float | None) -> float | None:
        return None if value is None else min(max(value, 0.0), 1.0)

    method = f"{one.method}; clipped to 0 to 1"
    of_raters = tuple(replace(each, value=min(max(each.value, 0.0), 1.0)) for each in one.of_raters)
    return replace(
        one,
        value=clip(one.value),
        low=clip(one.low),
        high=clip(one.high),
        method=method,
        of_raters=of_raters,
    )


def _answered(answers: pd.DataFrame, name: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which judgments (rows,) answer a question."""
    return answers[name].notna().to_numpy(dtype=bool)


def _parts(
    data: OwnStudyFigureData, by: str, question: Question | None = None
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Each part of a split: its name, its group in rows of figures, and its judgments.

    Without a split it is one, called "". A question that is not asked of arms has none by arm.
    """
    if by not in (*data.figure_split_columns, *data.further_split_columns):
        yield "", "", data.answers_table
    elif by == ARM and data.compared_arms:
        if question is None or _is_of_arms(data, question):
            for arm in data.compared_arms:
                yield arm, f"{by}: {arm}", data.answers_table[data.answers_table["arm"] == arm]
    else:
        group = data.groups[by].cat.codes.reindex(data.answers_table["item_id"]).to_numpy()
        for at, name in enumerate(data.groups[by].cat.categories):
            yield str(name), f"{by}: {name}", data.answers_table[group == at]


def _split_of(data: OwnStudyFigureData, question: Question, chosen: Mapping[str, str]) -> str:
    """What a chart of a question is split by: if nothing is chosen, by the arms, which are what a
    study with arms compares.
    """
    by = chosen.get("split", ARM if data.compared_arms else _ALL)
    return by if by != ARM or _is_of_arms(data, question) else _ALL


def _grouped(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def _labelled(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _as_rows(entries: Iterable[Entry]) -> Iterator[FigureRow]:
    for _, figure, group, one, _ in entries:
        yield figure, group, one


def _rows(data: OwnStudyFigureData) -> Iterator[FigureRow]:
    yield from _shown_by(data, [_ALL, *data.figure_split_columns])
    for name, graded in data.graded.items():
        for tag in graded.all_tags:
            yield f"alpha_{name}", tag, graded.estimate_alpha_on_criteria(tag)
    for arm, (many, of) in data.empty_answers_by_arm.items():
        method = "share of the judgments that are of an empty answer, no interval: not a sample"
        share = Estimate(many / of, None, None, of, method, numerator=many, denominator=of)
        yield "empty_answers", f"{ARM}: {arm}", share
    for question in data.study_declaration.counted_questions:
        for option, one in list_shares_of_items_per_option(
            question, data.table_of_consensus_answers, data.table_of_offered_version_and_arms
        ):
            yield f"items_{question.id}", option, one
    for variable, agreed in data.agreement_by_variable.items():
        for measure in ("alpha", "fleiss", "ac1", "percent"):
            yield f"{measure}_{variable}", "", getattr(agreed, measure)
        if agreed.ac2 is not None:
            yield f"ac2_{variable}", "", agreed.ac2
    yield from retest_agreement.retest_figure_rows(data.retest_agreement_by_rater_of_each_variable)


def _shown_by(data: OwnStudyFigureData, sides: Sequence[str]) -> Iterator[FigureRow]:
    """Every figure of the answers, by each of these splits."""
    for by in sides:
        for _, group, answers in _parts(data, by):
            for question in data.study_declaration.counted_questions:
                if by == ARM and not _is_of_arms(data, question):
                    continue
                if _is_number(question):
                    yield (
                        f"mean_{question.id}",
                        group,
                        estimate_mean_answer(question, answers, fixed_panel=data.fixed_panel),
                    )
                if question.kind == "number":
                    yield (
                        f"median_{question.id}",
                        group,
                        estimate_median_answer(question, answers, fixed_panel=data.fixed_panel),
                    )
                for option, one in list_shares_of_judgments_per_option(
                    question, answers, fixed_panel=data.fixed_panel
                ):
                    yield f"share_{question.id}", _grouped(group, option), one
    for rubric in data.study_declaration.number_questions_standing_for_rubrics:
        for by in sides:
            yield from _as_rows(_points(data, rubric, by))
    for name in data.graded:
        for by in sides:
            yield from _as_rows(_met(data, name, by, alike=True))
            yield from _as_rows(_worst(data, name, by))


def _points(data: OwnStudyFigureData, rubric: Question, by: str) -> list[Entry]:
    """The share of a rubric's points, overall and by tag."""
    return [
        (
            _labelled(tag or "All criteria", part),
            f"points_{rubric.id}",
            _grouped(group, tag),
            one,
            "",
        )
        for part, group, answers in _parts(data, by, rubric)
        for tag, one in list_mean_rubric_point_shares_of_tags(
            data.study_declaration,
            rubric.id,
            answers,
            data.graded.get(rubric.id),
            fixed_panel=data.fixed_panel,
        )
    ]


def list_mean_worst_of_k_shares(
    data: OwnStudyFigureData, rubric: str, answers: pd.DataFrame
) -> list[tuple[int, Estimate]]:
    """By k: the mean share of the worst of k answers to a conversation, over the conversations with
    at least k. An item's share is the mean of its raters'; clipped to 0 to 1 as in
    ``list_mean_rubric_point_shares_of_tags``.
    """
    shares = (
        data.graded[rubric]
        .copy_with_rows_of_answers_only(answers)
        .point_share_of_each_answer()
        .dropna()
    )
    of = answers.loc[shares.index]
    rows = of.assign(share=shares, conversation=of["item_id"].map(data.conversations))
    of_item = rows.groupby("item_id")["share"].agg(["mean", "size"])
    conversations = of_item.index.map(data.conversations)
    each = [group for _, group in of_item.groupby(conversations) if len(group) > 1]
    raters = pd.factorize(rows["rater_id"], sort=True)[0]
    found = []
    for k in range(2, min(max(map(len, each), default=1), _MOST_ANSWERS) + 1):
        weights = [
            pd.Series(weights_in_expected_worst_of_k(group["mean"].tolist(), k), index=group.index)
            / group["size"]
            for group in each
            if len(group) >= k
        ]
        # Weights of 0 stay: the item's raters said that another answer is worse.
        counted = rows["item_id"].map(pd.concat(weights))
        kept = counted.notna().to_numpy()
        judged = JudgmentItemsAndRaters(
            rows["conversation"].to_numpy()[kept], raters[kept], "conversations", data.fixed_panel
        )
        estimate = estimate_weighted_mean_of_judgments(rows["share"][kept], counted[kept], judged)
        found.append((k, _clipped(replace(estimate, n=len(weights)))))
    return found


def _worst(data: OwnStudyFigureData, rubric: str, by: str) -> list[Entry]:
    return [
        (_labelled(f"Worst of {k}", part), f"worst_{rubric}", _grouped(group, f"k = {k}"), one, "")
        for part, group, answers in (_parts(data, by) if data.conversations else ())
        for k, one in list_mean_worst_of_k_shares(data, rubric, answers)
    ]


def _rubric_chart(
    data: OwnStudyFigureData, name: str, chosen: Mapping[str, str]
) -> Sequence[Chart]:
    """The share of a rubric's points, and how often each criterion is met."""
    rubric = next(
        one
        for one in data.study_declaration.number_questions_standing_for_rubrics
        if one.id == name
    )
    by = _split_of(data, rubric, chosen)
    n = (
        "Points of the criteria that are met over all that can be got, as a mean of the answers"
        " that say something to every criterion; below 0 it counts as 0. With 95% intervals."
    )
    axis = Axis("Share of the points", "percent", high=1)
    charts = [
        bar_chart(
            *(STUDY, f"points.{name}", _points(data, rubric, by), axis), title=rubric.text, n=n
        )
    ]
    if name in data.graded:
        return [*charts, *_graded_charts(data, name, by)]
    for part, group, answers in _parts(data, by):
        entries: list[Entry] = []
        for one in data.study_declaration.criteria_of_rubric(name):
            met, often = list_shares_of_judgments_per_option(
                one, answers, fixed_panel=data.fixed_panel
            )[0]
            told = f"{one.text} ({one.points:+g})"
            entries.append((told, f"share_{one.id}", _grouped(group, met), often, ""))
        title = f"Met criteria ({group})" if group else "Met criteria"
        n = "Share of the answers by which a criterion is met, with 95% intervals."
        charts.append(
            bar_chart(STUDY, f"criteria.{name}.{part}", entries, _SHARE, title=title, n=n)
        )
    return charts


def _met(data: OwnStudyFigureData, rubric: str, by: str, *, alike: bool) -> list[Entry]:
    """How often criteria that differ by item are met: all of them, by tag, and, for those worded
    ``alike`` in several items, each.
    """
    number = next(
        one
        for one in data.study_declaration.number_questions_standing_for_rubrics
        if one.id == rubric
    )
    found: list[Entry] = []
    for part, group, answers in _parts(data, by, number):
        own = data.graded[rubric].copy_with_rows_of_answers_only(answers)
        told = [
            ("", own.estimate_share_of_criteria_met()),
            *(
                (tag, own.estimate_share_of_criteria_met(tag))
                for tag in data.graded[rubric].all_tags
            ),
        ]
        for name, one in [
            *told,
            *(own.list_common_criteria_with_estimated_share_met() if alike else []),
        ]:
            label = _labelled(name or "All criteria", part)
            found.append((label, f"met_{rubric}", _grouped(group, name), one, ""))
    return found


def _graded_charts(data: OwnStudyFigureData, name: str, by: str) -> Iterator[Chart]:
    """The worst of several answers, how often criteria that differ by item are met, and how far
    people agree on them.
    """
    graded = data.graded[name]
    if worst := _worst(data, name, by):
        n = (
            "The share that the worst of k answers to one conversation is expected to get, as a"
            " mean of the conversations with that many answers. With 95% intervals."
        )
        axis = Axis("Share of the points", "percent", high=1)
        yield bar_chart(STUDY, f"worst.{name}", worst, axis, title="Worst of several answers", n=n)
    said = graded.rows["answer"].notna()
    n = (
        f"Share of {int(said.sum()):,} answers to {graded.rows['unit'].nunique():,} criteria by"
        " which these are met, with 95% intervals."
    )
    entries = _met(data, name, by, alike=False)
    yield bar_chart(STUDY, f"met.{name}", entries, _SHARE, title="Met criteria", n=n)
    if same := [
        (text, f"met_{name}", text, one, "")
        for text, one in graded.list_common_criteria_with_estimated_share_met(_MOST_ALIKE)
    ]:
        n = f"The {len(same)} that occur in the most items; export figures has more."
        n = n if len(same) == _MOST_ALIKE else "Those that occur in several items."
        yield bar_chart(
            STUDY, f"alike.{name}", same, _SHARE, title="Criteria in the same words", n=n
        )
    alphas: list[Entry] = [
        (tag or "All criteria", f"alpha_{name}", tag, graded.estimate_alpha_on_criteria(tag), "")
        for tag in ("", *graded.all_tags)
    ]
    n = (
        f"Krippendorff's alpha of {data.number_of_people:,} people on criteria: 1 is perfect"
        " agreement."
    )
    yield bar_chart(STUDY, f"alpha.{name}", alphas, _SCORE, title="Agreement on criteria", n=n)


def _rewritten_chart(
    data: OwnStudyFigureData, name: str, chosen: Mapping[str, str]
) -> Sequence[Chart]:
    """How often a text was changed, and how many of its words."""
    question = rewriting_questions_by_id(data.study_declaration.form)[name]
    in_words = question_of_share_of_words_changed(question)
    often: list[Entry] = []
    much: list[Entry] = []
    said = 0
    for part, group, answers in _parts(data, _split_of(data, question, chosen)):
        option, one = list_shares_of_judgments_per_option(
            make_question_whether_text_was_changed(question), answers, fixed_panel=data.fixed_panel
        )[0]
        often.append((part or "All answers", f"share_{name}", _grouped(group, option), one, ""))
        one = estimate_median_answer(in_words, answers, fixed_panel=data.fixed_panel)
        much.append((part or "All answers", f"median_{in_words.id}", group, one, ""))
        said += int(_answered(answers, name).sum())
    n = f"Share of {said:,} answers in which the text was changed at all, with 95% intervals."
    words = (
        "Median over the answers, those without a change among them, of the share of words changed:"
        " of all words of both texts, those that are in only one of them. With 95% intervals."
    )
    axis = Axis("Share of words", "percent", high=1)
    return [
        bar_chart(STUDY, f"changed.{name}", often, _SHARE, title=question.text, n=n),
        bar_chart(STUDY, f"words.{name}", much, axis, title="How much was changed", n=words),
    ]


def estimate_marked_passage_overlap(
    data: OwnStudyFigureData, question: Question, answers: pd.DataFrame
) -> Estimate:
    """How far people mark the same passages of a source, in these answers."""
    rows = answers[_answered(answers, question.id)]
    values = data.judged["value"].to_numpy(object)
    of_arms = data.study_declaration.are_arms_side_by_side and question.each
    names = [
        question_id_for_arm(question.id, arm) if of_arms else question.id for arm in rows["arm"]
    ]
    said = [values[at].answers.get(name) for at, name in zip(rows["judgment"], names, strict=True)]
    return evidence_passages_marked_by_raters.estimate_passage_overlap(
        (rows["item_id"] + "\x1f" + rows["arm"]).tolist(), said
    )


def _overlaps(data: OwnStudyFigureData, question: Question, by: str) -> list[Entry]:
    figure = f"overlap_{question.id}"
    return [
        (
            part or "All answers",
            figure,
            group,
            estimate_marked_passage_overlap(data, question, answers),
            "",
        )
        for part, group, answers in _parts(data, by, question)
    ]


def _evidence_rows(data: OwnStudyFigureData) -> Iterator[FigureRow]:
    for question in _proofs(data):
        for by in (_ALL, *data.figure_split_columns):
            yield from _as_rows(_overlaps(data, question, by))


def _evidence_chart(
    data: OwnStudyFigureData, name: str, chosen: Mapping[str, str]
) -> Sequence[Chart]:
    """How often passages of a source were marked, and how far people mark the same ones."""
    question = next(one for one in _proofs(data) if one.id == name)
    by = _split_of(data, question, chosen)
    often: list[Entry] = []
    for part, group, answers in _parts(data, by):
        option, one = list_shares_of_judgments_per_option(
            evidence_passages_marked_by_raters.make_question_whether_passage_was_marked(question),
            answers,
            fixed_panel=data.fixed_panel,
        )[0]
        often.append((part or "All answers", f"share_{name}", _grouped(group, option), one, ""))
    said = int(_answered(data.answers_table, name).sum())
    n = f"Share of {said:,} answers in which a passage was marked, with 95% intervals."
    same = (
        "Mean F1 of every two people on an item: passages of one that share words with one of the"
        " other. Two who both found none are left out. With 95% intervals over items."
    )
    axis = Axis("Passages in common (F1)", "percent", high=1)
    return [
        bar_chart(STUDY, f"found.{name}", often, _SHARE, title=question.text, n=n),
        bar_chart(
            *(STUDY, f"overlap.{name}", _overlaps(data, question, by), axis),
            title="Same passages",
            n=same,
        ),
    ]


def _proofs(data: OwnStudyFigureData) -> list[Question]:
    return list(
        evidence_passages_marked_by_raters.evidence_questions_by_id(
            data.study_declaration.form
        ).values()
    )


def _is_of_arms(data: OwnStudyFigureData, question: Question) -> bool:
    return question.each or not data.study_declaration.are_arms_side_by_side


def _is_number(question: Question) -> bool:
    return question.kind in ("scale", "number")


# -- charts ----------------------------------------------------------------------------------------


def _answers_chart(
    data: OwnStudyFigureData, name: str, chosen: Mapping[str, str]
) -> Sequence[Chart]:
    question = next(one for one in data.study_declaration.counted_questions if one.id == name)
    if question.kind == "number":
        return [_means(data, [question], chosen, question.text)]
    if chosen.get("rest") == "items":
        found = list_shares_of_items_per_option(
            question, data.table_of_consensus_answers, data.table_of_offered_version_and_arms
        )
        entries = [
            (_in_full(question, option), f"items_{name}", option, one, "") for option, one in found
        ]
        n = "One answer per item: the adjudicator's, else that of most people."
        if without := count_undecided_items(question, data.table_of_consensus_answers):
            n += f" {without:,} item{'s have' if without != 1 else ' has'} no majority: left out."
        n += _offered_to_some(entries, "items")
        return [bar_chart(STUDY, f"items.{name}", entries, _SHARE, title=question.text, n=n)]
    by = _split_of(data, question, chosen)
    parts = list(_parts(data, by))
    if by == ARM and len(parts) * len(question.shown_options) <= _MOST_ROWS:
        return [_chart_by_arm(data, question, parts)]
    if len(parts) > _MOST_CHARTS:
        return _charts_by_option(data, question, parts)
    charts = []
    for part, group, answers in parts:
        entries = [
            (_in_full(question, option), f"share_{name}", _grouped(group, option), one, "")
            for option, one in list_shares_of_judgments_per_option(
                question, answers, fixed_panel=data.fixed_panel
            )
        ]
        is_said = _answered(answers, name)
        said, items = int(is_said.sum()), answers["item_id"][is_said].nunique()
        charts.append(
            bar_chart(
                *(STUDY, f"share.{name}.{part}", entries, _SHARE),
                title=f"{question.text} ({group})" if group else question.text,
                n=f"Share of {said:,} answer{'s' * (said != 1)} on {items:,}"
                f" item{'s' * (items != 1)}, with 95% intervals."
                f"{_offered_to_some(entries, 'answers')}",
            )
        )
    return charts


def _compared_within_options(chart: Chart, options: Sequence[str]) -> Chart:
    """The chart, whose sentence compares the arms in its first option alone: that more said yes of
    one than no of another says nothing. ``options`` has that of each drawn row.
    """
    drawing = chart.drawing
    if not isinstance(drawing, Rows):
        return chart
    rows = [
        replace(row, figure=f"{row.figure}; {option}")
        for row, option in zip(drawing.rows, options, strict=True)
    ]
    return replace(chart, drawing=replace(drawing, rows=rows))


def _chart_by_arm(
    data: OwnStudyFigureData, question: Question, parts: Sequence[tuple[str, str, pd.DataFrame]]
) -> Chart:
    """One chart, in which each option has a row for each arm. Of two options the second says
    nothing new.
    """
    shares = [
        (
            arm,
            group,
            dict(
                list_shares_of_judgments_per_option(question, answers, fixed_panel=data.fixed_panel)
            ),
        )
        for arm, group, answers in parts
    ]
    options = question.shown_options[: 1 if len(question.shown_options) == 2 else None]
    entries = [
        (
            _labelled(_in_full(question, option), arm) if len(options) > 1 else arm,
            f"share_{question.id}",
            _grouped(group, option),
            found[option],
            "",
        )
        for option in options
        for arm, group, found in shares
    ]
    title = (
        f"{question.text} {_in_full(question, options[0])}" if len(options) == 1 else question.text
    )
    said = [int(_answered(answers, question.id).sum()) for _, _, answers in parts]
    many = f"{min(said):,}" if min(said) == max(said) else f"{min(said):,} to {max(said):,}"
    n = (
        f"Share of the {many} {'answer' if max(said) == 1 else 'answers'} about each, with 95%"
        " intervals."
        f"{_offered_to_some(entries, 'answers')}"
    )
    chart = bar_chart(*(STUDY, f"share.{question.id}", entries, _SHARE), title=title, n=n)
    drawn = [option for option in options for *_, found in shares if found[option].has_value]
    return _compared_within_options(chart, drawn)


def _charts_by_option(
    data: OwnStudyFigureData, question: Question, parts: Sequence[tuple[str, str, pd.DataFrame]]
) -> list[Chart]:
    """Of many parts, such as thirty models: a chart for each option, with a row for each part. Of
    two options the second says nothing new.
    """
    shares = [
        (
            part,
            group,
            list_shares_of_judgments_per_option(question, answers, fixed_panel=data.fixed_panel),
        )
        for part, group, answers in parts
    ]
    options = question.shown_options[: 1 if len(question.shown_options) == 2 else None]
    charts = []
    for at, option in enumerate(options):
        entries = [
            (part, f"share_{question.id}", _grouped(group, option), found[at][1], "")
            for part, group, found in shares
        ]
        charts.append(
            bar_chart(
                *(STUDY, f"share.{question.id}.{at}", entries, _SHARE),
                title=f"{question.text} {_in_full(question, option)}",
                n="Share of the answers of each, with 95% intervals."
                f"{_offered_to_some(entries, 'answers')}",
            )
        )
    return charts


def _offered_to_some(entries: Iterable[Entry], unit: str) -> str:
    """A sentence on each option that some could not have chosen; "" if there is none."""
    return "".join(
        f" “{label}” was not offered in all of them: its share is of {estimate.denominator or 0:,}"
        f" {unit}."
        for label, _, _, estimate, _ in entries
        if "; offered in " in estimate.method
    )


def _in_full(question: Question, option: str) -> str:
    """An option as a chart names it: the ends of a scale with what they mean."""
    if question.kind != "scale":
        return option
    ends = {
        str(question.points_of_scale[0]): question.low,
        str(question.points_of_scale[-1]): question.high,
    }
    return _labelled(option, ends.get(option, ""))


def _means_chart(data: OwnStudyFigureData, _: str, chosen: Mapping[str, str]) -> Sequence[Chart]:
    """The means of all scales, and of each number; scales with the same ends share an axis."""
    found = []
    ends = {
        (one.minimum, one.maximum): f"{one.minimum:g} to {one.maximum:g}"
        for one in data.study_declaration.counted_questions
        if one.kind == "scale"
    }
    for pair, told in ends.items():
        same = [
            one
            for one in data.study_declaration.counted_questions
            if one.kind == "scale" and (one.minimum, one.maximum) == pair
        ]
        found.append(_means(data, same, chosen, f"Mean score, {told}"))
    numbers = [one for one in data.study_declaration.counted_questions if one.kind == "number"]
    return [*found, *(_means(data, [one], chosen, one.text) for one in numbers)]


def _differences_chart(data: OwnStudyFigureData, name: str, _by: Any) -> Sequence[Chart]:
    """How far each arm is above each other arm: shares on one axis, and each scale on its own."""
    both = (
        *data.study_declaration.counted_questions,
        *data.study_declaration.number_questions_standing_for_rubrics,
    )
    question = next(one for one in both if one.id == name)
    known = [one for one in data.differences_between_arms if one.question.id == name]
    # Of thirty arms there are hundreds: those furthest apart are drawn.
    far = sorted(known, key=lambda one: -abs(one.found.value or 0.0))[:_MOST_DIFFERENCES]
    entries = [
        (
            _labelled(f"{one.first} − {one.second}", one.option),
            *_called(one),
            one.found,
            "",
        )
        for one in (known if len(known) <= _MOST_DIFFERENCES else far)
    ]
    axis = Axis("Difference of means", zero=True)
    if not _is_number(question):
        axis = Axis("Difference, percentage points", "percent", low=-1, high=1, zero=True)
    n = "The first less the second on the same cases, with 95% intervals."
    if len(known) > _MOST_DIFFERENCES:
        n += (
            f" The {_MOST_DIFFERENCES} largest of {len(known):,} differences; the file of all"
            " figures (Export) has the others."
        )
    note = "P values, in the table, are adjusted by Holm for all comparisons of the study."
    title = question.text
    return [bar_chart(STUDY, f"differences.{name}", entries, axis, title=title, n=n, note=note)]


def _called(one: Difference) -> tuple[str, str]:
    """The figure and the group of a difference."""
    return f"difference_{one.question.id}", _grouped(f"{one.first} minus {one.second}", one.option)


def _wins(data: OwnStudyFigureData, name: str) -> list[Entry]:
    contest = data.contests_by_preference_question[name]
    return [
        (
            f"{one} over {two}",
            f"win_{name}",
            f"{one} over {two}",
            contest.estimate_share_of_wins(i, j),
            "",
        )
        for (i, one), (j, two) in combinations(enumerate(data.compared_arms), 2)
    ]


def _strengths(data: OwnStudyFigureData, name: str) -> list[Entry]:
    found = data.contests_by_preference_question[name].list_bradley_terry_strength_estimates()
    return [
        (arm, f"strength_{name}", arm, one, "")
        for arm, one in zip(data.compared_arms, found, strict=True)
    ]


def _preference_chart(data: OwnStudyFigureData, name: str, _by: Any) -> Sequence[Chart]:
    question = next(one for one in data.study_declaration.form.questions if one.id == name)
    contest = data.contests_by_preference_question[name]
    axis = Axis("Share won", "percent", high=1)
    compared, cases = len(contest.won), len(np.unique(contest.case))
    n = (
        f"{compared:,} {'comparison' if compared == 1 else 'comparisons'} of two on"
        f" {cases:,} {'case' if cases == 1 else 'cases'}, a tie"
        " as half a win. 95% intervals allow for several people having judged a case."
    )
    if len(data.compared_arms) < 3:
        return [bar_chart(STUDY, f"win.{name}", _wins(data, name), axis, title=question.text, n=n)]
    # What is asked of three or more: which is preferred most often.
    said = f"Chance of each to be preferred to another, by the model of Bradley and Terry. {n}"
    fitted = bar_chart(
        *(STUDY, f"strength.{name}", _strengths(data, name), Axis("Preferred", "percent", high=1)),
        title=question.text,
        n=said,
    )
    pairs = bar_chart(STUDY, f"win.{name}", _wins(data, name), axis, title="Two at a time", n=n)
    return [fitted, pairs]


def _arm_rows(data: OwnStudyFigureData) -> Iterator[FigureRow]:
    for one in data.differences_between_arms:
        yield *_called(one), one.found
    for name in data.contests_by_preference_question:
        yield from _as_rows((*_wins(data, name), *_strengths(data, name)))


def _advice_entries(data: OwnStudyFigureData, name: str, told: Mapping[str, str]) -> list[Entry]:
    found = data.advice_reliance_by_question[name]
    return [(words, f"advice_{name}", key, found[key], "") for key, words in told.items()]


def _advice_rows(data: OwnStudyFigureData) -> Iterator[FigureRow]:
    for name, found in data.advice_reliance_by_question.items():
        for key, one in found.items():
            yield f"advice_{name}", key, one


def _advice_chart(data: OwnStudyFigureData, name: str, _by: Any) -> Sequence[Chart]:
    """Agreement with the advice and right answers, before and after it."""
    advice = next(one for one in data.study_declaration.advice if one.question == name)
    question = next(one for one in data.study_declaration.form.questions if one.id == name)
    pairs = data.answer_columns_before_and_after_advice(advice)
    if not len(pairs.items):
        none = "Nobody has kept or changed an answer after seeing the advice yet."
        return [make_chart_that_says_why_empty(f"advice.{name}", question.text, none)]
    shares = {key: words for key, words in SHARES.items() if advice.truth or "right" not in key}
    changes = {key: words for key, words in CHANGES.items() if advice.truth or "right" not in key}
    n = (
        f"{len(pairs.items):,} answers on {len(set(pairs.items)):,} items that were kept or changed"
        " after the advice was shown. 95% intervals allow for several people having judged an item."
    )
    apart = Axis("Afterwards less before", "percent", zero=True)
    tested = "P values, in the table, are of the test that belongs to the interval."
    return [
        bar_chart(
            *(STUDY, f"advice.{name}", _advice_entries(data, name, shares), _SHARE),
            title=question.text,
            n=n,
        ),
        bar_chart(
            *(STUDY, f"advice.change.{name}", _advice_entries(data, name, changes), apart),
            title="What the advice changed",
            n=n,
            note=tested,
        ),
    ]


def _means(
    data: OwnStudyFigureData, questions: Sequence[Question], chosen: Mapping[str, str], title: str
) -> Chart:
    entries: list[Entry] = []
    for question in questions:
        for part, group, answers in _parts(data, _split_of(data, question, chosen)):
            name = _labelled(question.text, part)
            entries.append(
                (
                    name,
                    f"mean_{question.id}",
                    group,
                    estimate_mean_answer(question, answers, fixed_panel=data.fixed_panel),
                    "",
                )
            )
    first = questions[0]
    axis = Axis(
        f"Mean ({first.unit})" if first.unit else "Mean",
        low=first.minimum or 0.0,
        high=first.maximum or 0.0,
    )
    judged = len(data.judged)
    n = f"Mean of {judged:,} judgment{'s'[: judged != 1]}, with 95% intervals."
    return bar_chart(STUDY, f"means.{first.id}", entries, axis, title=title, n=n)


def _marked_entries(data: OwnStudyFigureData, name: str) -> tuple[list[Entry], list[Entry]]:
    """Agreement on marks: F1, and alpha over words by label."""
    found = data.mark_agreement_by_question[name]
    f1s = [(told, f"f1_{name}", f"{m}, {w}", found.f1[m, w], "") for m, w, told in F1S]
    return f1s, [(one, f"words_{name}", one, alpha, "") for one, alpha in found.words.items()]


def _marked_rows(data: OwnStudyFigureData) -> Iterator[FigureRow]:
    for name in data.mark_agreement_by_question:
        yield from _as_rows(chain(*_marked_entries(data, name)))


def _agreement_chart(data: OwnStudyFigureData, _what: str, _by: Any) -> Sequence[Chart]:
    asked = (
        *data.study_declaration.span_questions_per_arm,
        *data.study_declaration.form_with_question_per_arm.questions,
    )
    texts = {one.id: one.text for one in asked}
    texts |= {
        criterion_pool_name(one): data.study.task.name_of_variable_in_words(
            criterion_pool_name(one)
        )
        for one in asked
        if one.is_worded_per_item
    }
    names = {}
    for variable in data.agreement_by_variable:
        question, _, option = variable.partition(": ")
        names[variable] = f"{texts[question]} · {option}" if option else texts[question]
    entries: list[Entry] = [
        (names[variable], f"alpha_{variable}", "", one.alpha, "")
        for variable, one in data.agreement_by_variable.items()
    ]
    if not entries:
        return [
            make_chart_that_says_why_empty(
                "agreement", "Agreement", "Nobody has judged anything yet."
            )
        ]
    people = data.number_of_people
    n = f"Krippendorff's alpha of {people:,} people: 1 is perfect agreement, 0 is chance."
    if people < _AGREEING:
        n = "Agreement needs two people or more who judged the same items."
    charts = [bar_chart(STUDY, "agreement", entries, _SCORE, title="Agreement", n=n)]
    thing = "text" if data.study_declaration.spans and data.study_declaration.spans.each else "item"
    for name in data.mark_agreement_by_question:
        f1s, words = _marked_entries(data, name)
        charts += [
            span_f1_chart(STUDY, f"f1.{name}", f1s, thing=thing),
            word_alpha_chart(STUDY, f"words.{name}", words, thing=thing, colours=COLOURS),
        ]
    if data.retest_agreement_by_rater_of_each_variable:
        again: list[Entry] = [
            (
                names[variable],
                f"retest_kappa_{variable}",
                "",
                of[retest_agreement.EVERYONE].kappa,
                "",
            )
            for variable, of in data.retest_agreement_by_rater_of_each_variable.items()
        ]
        n = (
            f"Cohen's kappa of people's {len(data.twice):,} second answers, to items that came"
            " again, and their first ones. All other figures use first answers only."
        )
        title, axis = "Agreement of people with themselves", replace(_SCORE, title="Cohen's kappa")
        charts.append(bar_chart(STUDY, "retest", again, axis, title=title, n=n))
    return charts


_REST: Choice[OwnStudyFigureData] = Choice(
    name="rest",
    label="Rest on",
    options=lambda data, _: {"judgments": "Every answer", "items": "One answer per item"},
    few=True,
)
_SPLIT: Choice[OwnStudyFigureData] = Choice(
    name="split",
    label="Shown by",
    options=lambda data, chosen: _splits(data, by_judgments=chosen.get("rest") != "items"),
    few=True,
)


def _splits(data: OwnStudyFigureData, *, by_judgments: bool) -> dict[str, str]:
    """What figures can be shown by: where models are compared, each of them first."""
    together = {_ALL: "All together"}
    if not by_judgments:
        return together
    of_arms = {ARM: "Each model"} if data.compared_arms else {}
    names = (*data.figure_split_columns, *data.further_split_columns)
    others = {one: one for one in names if one != ARM}
    return of_arms | together | others


def _headlines(data: OwnStudyFigureData) -> list[Headline]:
    """What came out of the question named in the study's file, otherwise of the first that is
    scored or counted: which arm was preferred, a mean, or how often its answer was given, by arm if
    it is asked of arms.

    The answer to a question with two options is the first, such as yes; of several it is the most
    frequent one. Where several can be chosen at once, each is a figure.
    """
    declared = data.study_declaration
    known = [*declared.number_questions_standing_for_rubrics, *declared.counted_questions]
    chosen = next((one for one in known if one.id == declared.headline), next(iter(known), None))
    if chosen is None:
        return []
    if any(one.id == chosen.id and one.kind in OF_ARMS for one in declared.form.questions):
        return [_preference_headline(data, chosen)]
    by_arm = bool(data.compared_arms) and _is_of_arms(data, chosen)
    name, section, answer, percent = f"share_{chosen.id}", "answers", "", True
    if chosen in declared.number_questions_standing_for_rubrics:
        name, section = f"points_{chosen.id}", "rubrics"
    elif _is_number(chosen):
        name, percent = f"mean_{chosen.id}", False
    else:
        answer = _main_answer(data, chosen)
    arms = (
        {_grouped(f"{ARM}: {arm}", answer): arm for arm in data.compared_arms}
        if by_arm
        else {answer: ""}
    )
    if chosen.kind == "multiple":
        arms = {option: option for option in chosen.shown_options}
    return [
        Headline(
            title=_labelled(_short(chosen), answer),
            source="answers",
            figure=name,
            groups=arms.__contains__,
            called=arms.__getitem__,
            view={"section": section, FIGURES.sections[section][1]: chosen.id},
            form="percent" if percent else "number",
        )
    ]


def _main_answer(data: OwnStudyFigureData, question: Question) -> str:
    """The answer whose share says how a question came out; "" if several can be chosen at once."""
    if question.kind == "multiple":
        return ""
    if len(question.shown_options) == 2 or question.kind == "yes_no":
        return question.shown_options[0]
    shares = list_shares_of_judgments_per_option(
        question, data.answers_table, fixed_panel=data.fixed_panel
    )
    return max(shares, key=lambda one: one[1].value or 0.0)[0]


def _preference_headline(data: OwnStudyFigureData, question: Question) -> Headline:
    """Two arms: how often the first won; more: each arm's chance to be preferred to another."""
    few = len(data.compared_arms) < 3
    return Headline(
        title=_labelled(_short(question), "share won" if few else "chance to be preferred"),
        source="differences",
        figure=f"{'win' if few else 'strength'}_{question.id}",
        view={"section": "preferences", FIGURES.sections["preferences"][1]: question.id},
        form="percent",
    )


FIGURES = Figures(
    study=STUDY,
    figures=(
        Figure(
            name="answers",
            title="Answers",
            section="answers",
            of="the answers",
            several=lambda data: {
                one.id: _short(one) for one in data.study_declaration.counted_questions
            },
            choices=(_REST, _SPLIT),
            rows=_rows,
            chart=_answers_chart,
        ),
        Figure(
            name="columns",
            title="Answers by the other columns of the items",
            of="the answers",
            rows=lambda data: _shown_by(data, data.further_split_columns),
            in_report=False,
        ),
        Figure(
            name="means",
            title="Means",
            section="means",
            of="the answers",
            several=lambda data: (
                {"means": "Means"}
                if any(map(_is_number, data.study_declaration.counted_questions))
                else {}
            ),
            choices=(_SPLIT,),
            chart=_means_chart,
        ),
        Figure(
            name="rewritten",
            title="Rewritten",
            section="rewritten",
            of="the answers",
            several=lambda data: {
                one.id: _short(one)
                for one in data.study_declaration.form.questions
                if one.kind == REWRITE
            },
            choices=(_SPLIT,),
            chart=_rewritten_chart,
        ),
        Figure(
            name="evidence",
            title="Passages of sources",
            section="evidence",
            of="the answers",
            several=lambda data: {one.id: _short(one) for one in _proofs(data)},
            choices=(_SPLIT,),
            rows=_evidence_rows,
            chart=_evidence_chart,
        ),
        Figure(
            name="rubrics",
            title="Rubrics",
            section="rubrics",
            of="the answers to every criterion",
            several=lambda data: {
                one.id: _short(one)
                for one in data.study_declaration.number_questions_standing_for_rubrics
            },
            choices=(_SPLIT,),
            chart=_rubric_chart,
        ),
        Figure(
            name="differences",
            title="Models compared",
            section="arms",
            of="the cases that both models were judged on",
            several=lambda data: {
                one.id: _short(one)
                for one in (
                    *data.study_declaration.number_questions_standing_for_rubrics,
                    *data.study_declaration.counted_questions,
                )
                if data.compared_arms and _is_of_arms(data, one)
            },
            rows=_arm_rows,
            chart=_differences_chart,
        ),
        Figure(
            name="preferences",
            title="Preferences",
            section="preferences",
            of="the comparisons of two models",
            several=lambda data: {
                one.id: _short(one)
                for one in data.study_declaration.form.questions
                if one.kind in OF_ARMS
            },
            chart=_preference_chart,
        ),
        Figure(
            name="advice",
            title="Before and after advice",
            section="advice",
            of="the answers that were kept or changed after the advice",
            several=lambda data: {
                one.id: _short(one)
                for one in data.study_declaration.form.questions
                if any(one.id == advice.question for advice in data.study_declaration.advice)
            },
            rows=_advice_rows,
            chart=_advice_chart,
        ),
        Figure(
            name="agreement",
            title="Agreement",
            section="agreement",
            agreement_on=NAME,
            of="the judgments",
            rows=_marked_rows,
            chart=_agreement_chart,
        ),
    ),
    sections={
        "answers": ("Answers", "question"),
        "means": ("Means", ""),
        "rewritten": ("Rewritten", "question"),
        "evidence": ("Passages of sources", "question"),
        "rubrics": ("Rubrics", "rubric"),
        "arms": ("Models compared", "question"),
        "preferences": ("Preferences", "question"),
        "advice": ("Before and after advice", "question"),
        "agreement": ("Agreement", ""),
    },
    look=load_figure_data,
    judged_by=lambda data, _: data.number_of_people,
    rater_names=lambda data: dict(zip(data.judged["rater_id"], data.judged["rater"], strict=True)),
    tables=TABLES,
    empty=lambda data: "Nobody has judged anything yet." if data.judged.empty else "",
    said=lambda data: (
        f"Judgments: {len(data.judged):,}. Items: {data.judged['item_id'].nunique():,}. People:"
        f" {data.number_of_people:,}. Each judged before they saw anyone else's answer."
        f"{_said_of_empty_answers(data)}"
    ),
    sides=(),
    headlines=_headlines,
    limits=lambda data: _said_of_empty_answers(data).strip(),
)


def _said_of_empty_answers(data: OwnStudyFigureData) -> str:
    """A sentence on the answers that models did not give, by arm; "" if all did."""
    if not data.unanswered:
        return ""
    told = ", ".join(f"{arm} to {many:,} of {of:,}" for arm, (many, of) in data.unanswered.items())
    said = f" No answer was given by {told} of the judged items: nothing is counted there."
    if judged := sum(many for many, _ in data.empty_answers_by_arm.values()):
        are = "judgments of such answers are" if judged != 1 else "judgment of such an answer is"
        said += f" {judged:,} {are} left out."
    return said


def _short(question: Question) -> str:
    return question.id.replace("_", " ").capitalize()
