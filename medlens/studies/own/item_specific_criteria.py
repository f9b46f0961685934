"""Criteria that differ by item: what answers say about them, and the resulting figures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from medlens.config.question_forms_and_answer_checks import MET, Question
from medlens.deferred_module import np, pd
from medlens.review import judgment_export
from medlens.review.raters import Rater
from medlens.stats.alpha_and_intraclass_correlation import estimate_krippendorff_alpha
from medlens.stats.estimate import Estimate
from medlens.stats.judgment_shares_means_and_win_rates import estimate_share_of_judgments
from medlens.stats.rating_counts import RatingCounts
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.store import Store
from medlens.studies.own import queries
from medlens.studies.own.arm_differences_and_preference_contests import (
    items_and_raters_of_rows,
    shares_of_possible_points_per_answer,
)
from medlens.studies.own.blinded_arms import question_id_for_arm
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import StudyDeclaration

_SAME = 2
"""A criterion that this many items share word for word is reported by itself."""


_MOST_ALIKE = 500
"""At most this many of them in files: answers to one conversation share all its criteria."""


@dataclass(frozen=True)
class GradedCriteria:
    """What was said about criteria: ``rows`` has one row per criterion of each answer to a rubric:
    row (of ``answers``), case, unit (the criterion of an item, and of an arm), rater_id,
    text, points, tags, and answer, None if there is none. ``fixed_panel``: the raters are all that
    matter.
    """

    rows: pd.DataFrame
    fixed_panel: bool = False

    @cached_property
    def _tagged(self) -> pd.DataFrame:
        """The same, with one row per tag of a criterion."""
        return self.rows.explode("tags").dropna(subset=["tags"])

    @cached_property
    def all_tags(self) -> list[str]:
        """The tags that any criterion has."""
        return sorted(self._tagged["tags"].unique())

    def copy_with_rows_of_answers_only(self, answers: pd.DataFrame) -> GradedCriteria:
        """The rows of these answers only."""
        return replace(self, rows=self.rows[self.rows["row"].isin(answers.index)])

    def table_of_criteria_with_tag(self, tag: str) -> pd.DataFrame:
        """The rows of one tag; all rows for ""."""
        return self._tagged[self._tagged["tags"] == tag] if tag else self.rows

    def point_share_of_each_answer(self, tag: str = "") -> pd.Series:
        """The share of the points by row of the answers, as in ``share_of``; of a tag's criteria
        only, if given.
        """
        found = self.table_of_criteria_with_tag(tag)
        points, met = found["points"].to_numpy(float), (found["answer"] == MET[0]).to_numpy()
        parts = pd.DataFrame(
            {
                "got": points * met,
                "most": points.clip(min=0),
                "open": found["answer"].isna().to_numpy(),
            }
        )
        sums = parts.groupby(found["row"].to_numpy()).sum()
        got, most = (sums[name].to_numpy(float) for name in ("got", "most"))
        return pd.Series(
            shares_of_possible_points_per_answer(got, most, (sums["open"] == 0).to_numpy()),
            index=sums.index,
        )

    def estimate_share_of_criteria_met(self, tag: str = "") -> Estimate:
        """How often criteria are met, among those with an answer."""
        return _met(self.table_of_criteria_with_tag(tag), fixed_panel=self.fixed_panel)

    def list_common_criteria_with_estimated_share_met(
        self, most: int = _MOST_ALIKE
    ) -> list[tuple[str, Estimate]]:
        """How often each criterion is met that several items share word for word; at most ``most``,
        those in the most items.
        """
        cases = self.rows.groupby("text", sort=False)["case"].nunique()
        often = cases[cases >= _SAME].sort_values(ascending=False, kind="stable").head(most)
        by_text = dict(list(self.rows[self.rows["text"].isin(often.index)].groupby("text")))
        return [
            (str(text), _met(by_text[text], fixed_panel=self.fixed_panel)) for text in often.index
        ]

    def estimate_alpha_on_criteria(self, tag: str = "") -> Estimate:
        """Krippendorff's alpha on criteria, each criterion of each item being a unit; items are
        resampled.
        """
        found = self.table_of_criteria_with_tag(tag)
        found = found[found["answer"].notna()]
        unit, units = pd.factorize(found["unit"])
        rater, raters = pd.factorize(found["rater_id"])
        ratings = np.full((len(units), max(len(raters), 1)), np.nan)
        ratings[unit, rater] = found["answer"].map({one: n for n, one in enumerate(MET)}).to_numpy()
        case = np.empty(len(units), dtype=object)
        case[unit] = found["case"].to_numpy()
        counts = RatingCounts.from_ratings(ratings, clusters=case.astype(str))
        one = estimate_krippendorff_alpha(counts, level="nominal")
        return note_estimate_speaks_for_these_raters(
            replace(one, method=f"{one.method}; over criteria"), len(raters)
        )


def _met(rows: pd.DataFrame, *, fixed_panel: bool) -> Estimate:
    answered = rows[rows["answer"].notna()]
    hits = (answered["answer"] == MET[0]).to_numpy(dtype=bool)
    return estimate_share_of_judgments(
        hits, items_and_raters_of_rows(answered, fixed_panel=fixed_panel)
    )


def criteria_of_items_table(store: Store, study: Study) -> pd.DataFrame:
    """The criteria of each item: item_id, number (from 1), text, points, tags."""
    column = study.declared.criteria_column
    cells = queries.table_of_column_values_of_items(store, study.dataset, [column])[column]
    rows = [
        {"item_id": item, "number": number, **one}
        for item, cell in cells.items()
        for number, one in enumerate(json.loads(cell or "[]"), 1)
    ]
    return pd.DataFrame(rows, columns=["item_id", "number", "text", "points", "tags"])


def make_graded_criteria(
    declared: StudyDeclaration,
    rubric: Question,
    criteria: pd.DataFrame,
    answers: pd.DataFrame,
    said: Sequence[Mapping[str, Any]],
) -> GradedCriteria:
    """What was said about the ``criteria`` of all items (from ``criteria_of_items_table``):
    ``answers`` and ``said`` are as in ``OwnStudyFigureData``, one row of answers per judgment
    and arm.
    """
    head = answers[["item_id", "case", "arm", "rater_id", "judgment"]].rename_axis("row")
    if declared.are_arms_side_by_side:
        head = head[(head["arm"] != "") == rubric.each]
    rows = head.reset_index().merge(criteria, on="item_id")
    of_arm = declared.are_arms_side_by_side and rubric.each
    given = [
        said[at].get(question_id_for_arm(f"{rubric.id}_{n}", arm) if of_arm else f"{rubric.id}_{n}")
        for at, n, arm in zip(rows["judgment"], rows["number"], rows["arm"], strict=True)
    ]
    rows["answer"] = np.array([*given, None], dtype=object)[:-1]
    rows["unit"] = pd.factorize(
        rows["item_id"] + "\x1f" + rows["number"].astype(str) + rows["arm"]
    )[0]
    begun = rows["answer"].notna().groupby(rows["row"]).transform("any")
    return GradedCriteria(rows[begun.astype(bool)])


def make_judgments_export_table(
    store: Store,
    study: Study,
    *,
    viewer: Rater | None,
    history: bool = False,
    nested: bool = False,
) -> pd.DataFrame:
    """``own-judgments``: criteria that differ by item are columns by number, with the share."""
    found = judgment_export.judgments_table(
        store, study.task, dataset=study.dataset, viewer=viewer, history=history, nested=nested
    )
    rubric = next(
        (one for one in study.declared.number_questions_standing_for_rubrics if one.column), None
    )
    if rubric is None or found.empty:
        return found
    long = _long(store, study, rubric, found)
    parts = [*dict.fromkeys(long["arm"])]
    numbered = [
        one.id
        for one in study.declared.form_with_question_per_arm.questions
        if one.is_worded_per_item
    ]
    there = [name for name in numbered if name in found]
    at = list(found).index(there[0]) if there else found.shape[1]
    others = found.drop(columns=there)
    shares = {
        question_id_for_arm(rubric.id, arm) if arm else rubric.id: GradedCriteria(
            long[long["arm"] == arm]
        )
        .point_share_of_each_answer()
        .reindex(found.index)
        .round(4)
        for arm in parts
    }
    ours = pd.DataFrame({**{name: found[name] for name in there}, **shares})
    return judgment_export.move_tail_columns_last(
        pd.concat([others.iloc[:, :at], ours, others.iloc[:, at:]], axis=1)
    )


def make_criteria_export_table(
    store: Store, study: Study, *, viewer: Rater | None, history: bool = False
) -> pd.DataFrame:
    """``own-criteria``: a row for each criterion that a judgment answers, with its words, points
    and tags.
    """
    columns = ["number", "criterion", "points", "tags", "answer"]
    rubric = next(
        (one for one in study.declared.number_questions_standing_for_rubrics if one.column), None
    )
    if rubric is None:
        return pd.DataFrame(columns=[*judgment_export.HEAD, *columns, *judgment_export.TAIL])
    found = judgment_export.judgments_table(
        store, study.task, dataset=study.dataset, viewer=viewer, history=history
    )
    long = _long(store, study, rubric, found).rename(columns={"text": "criterion"})
    long = long[long["answer"].notna()]
    long["tags"] = long["tags"].map("; ".join)
    arm = ["arm"] if study.declared.are_arms_side_by_side and rubric.each else []
    head, tail = (
        found.loc[long["row"], names].reset_index(drop=True)
        for names in (judgment_export.HEAD, judgment_export.TAIL)
    )
    return pd.concat([head, long[[*arm, *columns]].reset_index(drop=True), tail], axis=1)


def _long(store: Store, study: Study, rubric: Question, found: pd.DataFrame) -> pd.DataFrame:
    """Exported judgments with one row per criterion of each: row (of ``found``), arm, and as
    ``GradedCriteria.rows``; judgments that answer no criterion are left out.
    """
    ids = queries.item_ids_by_name(store, study.dataset)
    together = (
        study.declared.arms is not None and study.declared.are_arms_side_by_side and rubric.each
    )
    arms = study.declared.arms.names if together and study.declared.arms else ("",)
    head = pd.DataFrame({"row": found.index, "item_id": found.get("item", pd.Series()).map(ids)})
    criteria = criteria_of_items_table(store, study)
    parts = []
    for arm in arms:
        rows = head.merge(criteria, on="item_id").assign(arm=arm)
        names = [f"{rubric.id}_{n}" for n in rows["number"]]
        names = [question_id_for_arm(name, arm) for name in names] if arm else names
        cells = {name: found[name] for name in dict.fromkeys(names) if name in found}
        rows["answer"] = [
            cells[name][at] if name in cells and not pd.isna(cells[name][at]) else None
            for name, at in zip(names, rows["row"], strict=True)
        ]
        begun = rows["answer"].notna().groupby(rows["row"]).transform("any")
        parts.append(rows[begun.astype(bool)])
    return pd.concat(parts, ignore_index=True).sort_values("row", kind="stable")
