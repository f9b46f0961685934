"""URL validity, statement- and response-level support, and unused sources, by any grouping.

Source: Wu et al. 2025 (SourceCheckup), Methods: the three metrics; the paper calls used sources
precision.

Validity has two rules: ``url_validity`` counts pages that are the cited page, with text;
``url_validity_paper`` counts any reply with status 200 and text, as the paper does.

Unreachable sources: the figures count a statement as not supported if no readable source supports
it. The bound that leaves such statements out is given as well (``…_reachable``). Anything with a
verdict or a page outstanding is in no denominator, even if its other verdicts decide it: among
half-judged answers, those decided early are not like the rest. A share's method says how many are
outstanding and between which bounds they leave it, whichever way each turns out; if they are more
than a fifth of what was begun, the share is withheld.
``states`` counts all classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medlens.deferred_module import np, pd
from medlens.review.figure_titles import figure_titles_by_id_of_study
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import Clusters
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate, share_with_bounds_for_outstanding_verdicts
from medlens.studies.sourcecheckup.metrics_input_tables import (
    CANNOT_TELL,
    RESPONSE_STATES,
    STATEMENT_STATES,
    SUPPORTED,
    Bools,
    DatasetTables,
    Floats,
    Ints,
    Judged,
    state_code_array_of_responses,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


ALL = "all"
_TITLES = figure_titles_by_id_of_study("sourcecheckup")

FIGURES = {
    name: _TITLES[name]
    for name in (
        *("url_validity", "url_validity_paper", "statement_support", "response_support"),
        *("unused_sources", "source_precision", "statement_support_reachable"),
        *("response_support_reachable", "pair_support"),
    )
}
"""The figures, and what people call them."""

GROUPINGS: dict[str, tuple[str, ...]] = {
    "": (),
    "_by_model": ("model",),
    "_by_group": ("group",),
    "_by_model_and_group": ("model", "group"),
}
"""How the figures are grouped: what is added to a figure's name, and the columns."""


@dataclass
class FigureCounts:
    """Counts by question for many figures, resampled together."""

    clusters: Clusters
    names: list[tuple[str, str]] = field(default_factory=list)
    tops: list[Floats] = field(default_factory=list)
    bottoms: list[Floats] = field(default_factory=list)

    def add_figure_counts_of_groups(
        self,
        figure: str,
        groups: Sequence[str],
        group: Ints,
        question: Ints,
        hit: Bools,
        counted: Bools,
    ) -> None:
        """Add a figure for each of ``groups``: of the counted rows, those that hit.

        ``group``, ``question`` (rows,) are codes; ``hit`` and ``counted`` (rows,) are booleans.
        """
        width = len(groups)
        cell = question * width + group
        size = self.clusters.count * width
        both = [
            np.bincount(cell[rows], minlength=size)
            .reshape(self.clusters.count, width)
            .astype(np.float64)
            for rows in (counted & hit, counted)
        ]
        self.names += [(figure, name) for name in groups]
        self.tops.append(both[0])
        self.bottoms.append(both[1])

    def estimate_shares_by_figure_and_group(self) -> dict[tuple[str, str], Estimate]:
        """(figure, group) -> its share."""
        if not self.names:
            return {}
        found = self.clusters.estimate_ratios_of_sums(
            np.concatenate(self.tops, axis=1), np.concatenate(self.bottoms, axis=1)
        )
        return dict(zip(self.names, found, strict=True))


def resampling_clusters_of_questions(material: DatasetTables) -> Clusters:
    """The questions, resampled as clusters; one row per response."""
    return Clusters(text_array_of_column(material.responses["question"]))


def group_names_and_group_array_of_responses(
    material: DatasetTables, by: Sequence[str]
) -> tuple[list[str], Ints]:
    """The names of the groups of responses, and each response's group.

    ``by`` names columns of ``responses``; several make names such as "GPT-4o, MayoClinic"; none
    puts all in one group.
    """
    if not by:
        return [ALL], np.zeros(len(material.responses), dtype=np.int64)
    columns = [material.responses[name].astype(str).to_numpy(dtype=object) for name in by]
    labels = pd.Index([", ".join(parts) for parts in zip(*columns, strict=True)])
    codes, names = pd.factorize(labels, sort=True)
    return [str(name) for name in names], np.asarray(codes, dtype=np.int64)


def support_shares_by_figure_and_group(
    judged: Judged,
    clusters: Clusters,
    groupings: Mapping[str, Sequence[str]] = GROUPINGS,
    *,
    among: Bools | None = None,
) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share, for every figure of ``FIGURES`` and every grouping.

    A figure's name ends with the grouping's ("statement_support_by_model"). ``clusters`` is
    ``resampling_clusters_of_questions(material)``; ``among`` (responses,) selects the responses
    that count.
    """
    tally, left = FigureCounts(clusters), _Left()
    among = np.ones(len(judged.material.responses), dtype=bool) if among is None else among
    for suffix, by in groupings.items():
        _add(
            tally,
            left,
            judged,
            suffix,
            *group_names_and_group_array_of_responses(judged.material, by),
            among,
        )
    return {
        key: left.told(key, one) for key, one in tally.estimate_shares_by_figure_and_group().items()
    }


def mask_of_fully_judged_responses(judged: Judged) -> Bools:
    """The responses (responses,) with no verdict and no page outstanding."""
    owner = judged.material.response_rows_of_statements
    waits = np.bincount(owner[judged.waiting], minlength=len(judged.material.responses)) > 0
    done: Bools = judged.material.responses["parsed"].to_numpy(dtype=bool) & ~waits
    return done


@dataclass
class _Left:
    """How many rows are outstanding for each share."""

    known: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, figure: str, groups: Sequence[str], group: Ints, out: Bools) -> None:
        """Add the outstanding rows (``out``)."""
        counts = np.bincount(group[out], minlength=len(groups))
        for name, many in zip(groups, counts, strict=True):
            if many:
                self.known[figure, name] = int(many)

    def told(self, key: tuple[str, str], one: Estimate) -> Estimate:
        """The share with what is outstanding noted in its method, or withheld."""
        return share_with_bounds_for_outstanding_verdicts(one, self.known.get(key, 0))


def _add(
    tally: FigureCounts,
    left: _Left,
    judged: Judged,
    suffix: str,
    groups: list[str],
    group: Ints,
    among: Bools,
) -> None:
    material, question = judged.material, tally.clusters.codes
    of_citation = material.array_of_response_rows_of_citations
    of_statement = material.response_rows_of_statements
    valid = material.table_of_citations_once_each["valid"].to_numpy(dtype=bool)
    fetched = (material.table_of_citations_once_each["outcome"] != "").to_numpy(dtype=bool)

    begun = judged.begun

    def add(figure: str, rows: Ints, hit: Bools, counted: Bools, out: Bools | None = None) -> None:
        inside = among[rows]
        tally.add_figure_counts_of_groups(
            figure + suffix, groups, group[rows], question[rows], hit, counted & inside
        )
        if out is not None:
            left.add(figure + suffix, groups, group[rows], out & begun[rows] & inside)

    add("url_validity", of_citation, valid, fetched)
    add("url_validity_paper", of_citation, material.mask_of_valid_citations, fetched)
    counted, open_ = valid & judged.decided, valid & ~judged.decided
    add("unused_sources", of_citation, ~judged.used, counted, open_)
    add("source_precision", of_citation, judged.used, counted, open_)
    states = _in(judged.statement, STATEMENT_STATES)
    yes, waits = states("supported"), judged.waiting
    add("statement_support", of_statement, yes, ~waits, waits)
    add(
        "statement_support_reachable",
        of_statement,
        yes,
        ~waits & ~states("unreachable"),
        waits,
    )
    states = _in(judged.response, RESPONSE_STATES)
    every = np.arange(len(material.responses))
    whole = ~states("no_statement", "not_done")
    yes, waits = states("supported"), ~mask_of_fully_judged_responses(judged)
    add("response_support", every, yes, whole & ~waits, whole & waits)
    add(
        "response_support_reachable",
        every,
        yes,
        whole & ~waits & ~states("unreachable"),
        whole & waits,
    )
    known = (judged.pairs["verdict"] != "cannot_tell").to_numpy(dtype=bool)
    add("pair_support", judged.pair_response, judged.pair_supported, known)


def _in(codes: ArrayLike, names: Sequence[str]) -> Callable[..., Bools]:
    given = np.asarray(codes)

    def among(*wanted: str) -> Bools:
        return np.isin(given, [names.index(one) for one in wanted])

    return among


def state_shares_by_figure_and_group(
    judged: Judged, clusters: Clusters, by: Sequence[str] = ()
) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share of each class, nothing left out.

    Figures: ``statements: supported`` and so on over ``STATEMENT_STATES``, ``responses: …`` over
    ``RESPONSE_STATES``, ``sources: …`` over the outcomes of fetching.
    """
    material, question = judged.material, clusters.codes
    groups, group = group_names_and_group_array_of_responses(material, by)
    tally = FigureCounts(clusters)
    every = np.arange(len(material.responses))
    for what, rows, codes, names in (
        ("statements", material.response_rows_of_statements, judged.statement, STATEMENT_STATES),
        ("responses", every, judged.response, RESPONSE_STATES),
        ("sources", material.array_of_response_rows_of_citations, *_outcomes(material)),
    ):
        counted = np.ones(len(rows), dtype=bool)
        for at, name in enumerate(names):
            hit = np.asarray(codes) == at
            if hit.any():
                tally.add_figure_counts_of_groups(
                    f"{what}: {name}", groups, group[rows], question[rows], hit, counted
                )
    return tally.estimate_shares_by_figure_and_group()


def _outcomes(material: DatasetTables) -> tuple[Ints, list[str]]:
    labels = material.table_of_citations_once_each["outcome"].astype(str).replace("", "not fetched")
    codes, names = pd.factorize(labels, sort=True)
    return np.asarray(codes, dtype=np.int64), [str(name) for name in names]


MERGED_FIGURES = {
    name: _TITLES[name]
    for name in (
        *("statement_support_alone", "statement_support_merged"),
        *("response_support_alone", "response_support_merged"),
        *("merged_still_unsupported", "merged_no_longer_supported"),
    )
}
"""The figures, and what people call them."""

_OPEN = STATEMENT_STATES.index("undecided")
_YES = STATEMENT_STATES.index("supported")


# Each pair alone versus sources merged: how much the paper's rule decides the figures.
#
# Both are counted over the same statements and responses: those decided both ways. A statement
# without a source, or whose sources cannot be read, is not supported either way; with one
# readable source there is nothing to merge, and its own verdict counts both ways.


def states_with_merged_sources_and_if_asked(
    judged: Judged, verdicts: pd.DataFrame
) -> tuple[NDArray[np.int8], Bools]:
    """Every statement's state with its sources merged, and whether it was put to the verifier.

    ``verdicts``: statement, rater, verdict; other verifiers than ``judged``'s are ignored. Both
    results are (statements,); states are codes into ``STATEMENT_STATES``.
    """
    material = judged.material
    own = verdicts[verdicts["rater"] == judged.verifier].drop_duplicates("statement", keep="last")
    given = dict(zip(own["statement"], own["verdict"], strict=True))
    word = np.array([given.get(name, "") for name in material.statements["statement"]], dtype=str)
    put = word != ""
    m, owner = len(material.responses), material.response_rows_of_statements
    cites = material.array_of_response_rows_of_citations
    readable = material.table_of_citations_once_each["readable"].to_numpy(dtype=bool)
    sources = np.bincount(cites, minlength=m)[owner]
    to_read = np.bincount(cites[readable], minlength=m)[owner]
    unfetched = (material.table_of_citations_once_each["outcome"] == "").to_numpy(dtype=bool)
    to_come = np.bincount(cites[unfetched], minlength=m)[owner] > 0
    state = np.where(to_read < 2, judged.statement, _OPEN).astype(np.int8)
    unsure = (word == CANNOT_TELL) | (sources > to_read)
    state[put] = STATEMENT_STATES.index("unsupported")
    state[put & unsure] = STATEMENT_STATES.index("unreachable")
    for name in ("partly", "contradicted"):
        state[word == name] = STATEMENT_STATES.index(name)
    state[put & to_come] = _OPEN
    state[put & (word == SUPPORTED)] = _YES
    return state, put


def merged_source_shares_by_figure_and_group(
    judged: Judged,
    verdicts: pd.DataFrame,
    clusters: Clusters,
    groupings: Mapping[str, Sequence[str]] = GROUPINGS,
) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share, for ``MERGED_FIGURES`` and every grouping, by one verifier.

    Empty if this verifier was not asked about merged sources. ``merged_still_unsupported`` is of
    the statements put to it that no source supports alone, ``merged_no_longer_supported`` of those
    that one does. ``merged statements: …`` counts every class, including those outstanding.
    """
    merged, put = states_with_merged_sources_and_if_asked(judged, verdicts)
    if not put.any():
        return {}
    material, tally = judged.material, FigureCounts(clusters)
    owner, question = material.response_rows_of_statements, clusters.codes
    both = ~judged.waiting & (merged != _OPEN)
    whole = {"alone": judged.response, "merged": state_code_array_of_responses(material, merged)}
    outside = [RESPONSE_STATES.index(name) for name in ("undecided", "no_statement", "not_done")]
    answered = ~np.isin(whole["alone"], outside) & ~np.isin(whole["merged"], outside)
    every = np.arange(len(material.responses))
    alone_yes, merged_yes = judged.statement == _YES, merged == _YES
    for suffix, by in groupings.items():
        groups, group = group_names_and_group_array_of_responses(material, by)
        of_statement = (groups, group[owner], question[owner])
        for name, state in (("alone", alone_yes), ("merged", merged_yes)):
            tally.add_figure_counts_of_groups(
                f"statement_support_{name}{suffix}", *of_statement, state, both
            )
            tally.add_figure_counts_of_groups(
                f"response_support_{name}{suffix}",
                groups,
                group,
                question[every],
                whole[name] == RESPONSE_STATES.index("supported"),
                answered,
            )
        tally.add_figure_counts_of_groups(
            f"merged_still_unsupported{suffix}", *of_statement, ~merged_yes, both & put & ~alone_yes
        )
        tally.add_figure_counts_of_groups(
            f"merged_no_longer_supported{suffix}",
            *of_statement,
            ~merged_yes,
            both & put & alone_yes,
        )
        if not by:
            for code, name in enumerate(STATEMENT_STATES):
                if (merged == code).any():
                    tally.add_figure_counts_of_groups(
                        f"merged statements: {name}",
                        *of_statement,
                        merged == code,
                        np.ones(len(merged), dtype=bool),
                    )
    return tally.estimate_shares_by_figure_and_group()
