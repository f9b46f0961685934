"""The tables behind SourceCheckup's figures, and the rules for each statement's state.

Rules (Wu et al. 2025, Methods): a statement is supported if one of its response's sources, taken
alone, supports it; a response is supported if all its statements are. A response with statements
but no source is not supported; one without statements is in neither denominator. The same address
cited twice in a response is one source.

What a source says is unknown if its page could not be read, or if it has no verdict yet; the states
below keep these apart, so that nothing drops out of a denominator unseen. A page not fetched yet is
not unreadable: what it says is outstanding, unless its verdicts came without it (imported ones).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from medlens.deferred_module import np, pd
from medlens.stats.column_as_text_array import text_array_of_column

if TYPE_CHECKING:
    from numpy.typing import NDArray


Bools: TypeAlias = "NDArray[np.bool_]"
Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"

SUPPORTED = "supported"
CANNOT_TELL = "cannot_tell"

StatementState = Literal[
    "supported", "partly", "contradicted", "unsupported", "no_source", "unreachable", "undecided"
]
STATEMENT_STATES: tuple[StatementState, ...] = get_args(StatementState)
"""In order: a source supports it; none does, and one that was read does so in part, or contradicts
it (which counts before "in part"); every source was read and none states it; there is no source;
none that was read says anything of it, and one could not be read; none supports it so far, and a
verdict or a page is outstanding."""

ResponseState = Literal[
    "supported", "unsupported", "no_source", "unreachable", "undecided", "no_statement", "not_done"
]
RESPONSE_STATES: tuple[ResponseState, ...] = get_args(ResponseState)
"""In order: all statements are supported; one is certainly not; there is no source; whether all are
rests on sources that could not be read; or on verdicts outstanding; it has no statement; there is
no valid answer, or its statements have not been taken out."""


@dataclass(frozen=True)
class DatasetTables:
    """The tables of one dataset. Other columns are ignored; the order of rows does not matter.

    * ``responses``: response, question, group, model (text); ``parsed`` (bool): the answer is valid
      and its statements were extracted.
    * ``statements``: statement, response.
    * ``citations``: response, url, outcome (of the fetch: "ok", "not_found", …; "" not fetched),
      ``valid`` (bool: it is the cited page, with text), ``answered`` (bool, optional: status 200
      and text, the paper's rule, which counts walls and "not found" as well), ``readable`` (bool:
      its text can be put to a verifier), ``existed`` (text, optional: "yes" or "no", what the web
      archive says of a dead page; "" not asked).
    * ``verdicts``: statement, url, rater, verdict ("supported", "not_supported", "partly",
      "contradicted", "cannot_tell"): the models' current verdicts, one per rater and pair.
    """

    responses: pd.DataFrame
    statements: pd.DataFrame
    citations: pd.DataFrame
    verdicts: pd.DataFrame

    @cached_property
    def table_of_citations_once_each(self) -> pd.DataFrame:
        """The citations, each address once per response, by response and address."""
        return (
            self.citations.drop_duplicates(["response", "url"])
            .sort_values(["response", "url"], kind="stable")
            .reset_index(drop=True)
        )

    @cached_property
    def mask_of_valid_citations(self) -> Bools:
        """The rows of ``table_of_citations_once_each`` that are valid by the paper's rule."""
        name = "answered" if "answered" in self.table_of_citations_once_each else "valid"
        return self.table_of_citations_once_each[name].to_numpy(dtype=bool)

    @cached_property
    def verifier_names(self) -> list[str]:
        """The models that gave verdicts, most verdicts first."""
        counts = self.verdicts["rater"].value_counts()
        return sorted((str(name) for name in counts.index), key=lambda name: (-counts[name], name))

    @cached_property
    def response_rows_of_statements(self) -> Ints:
        """The row of each statement's response."""
        return _rows_of(self.statements["response"], self.responses["response"])

    @cached_property
    def array_of_response_rows_of_citations(self) -> Ints:
        """The row of the response of each row of ``table_of_citations_once_each``."""
        return _rows_of(self.table_of_citations_once_each["response"], self.responses["response"])


@dataclass(frozen=True)
class Judged:
    """One verifier's verdicts as arrays: by statement, response, citation and pair.

    ``statement`` (statements,) and ``response`` (responses,) hold codes into ``STATEMENT_STATES``
    and ``RESPONSE_STATES``. ``waiting`` (statements,): a verdict or a page is outstanding, whatever
    the others say; ``begun`` (responses,): there is a verdict. ``used`` (citations,): the source
    supports a statement of its response; ``decided`` (citations,): all its verdicts are there.
    ``pair_response`` (pairs,) and ``pair_supported`` (pairs,) have one row per verdict;
    ``pair_citation`` is the row of its citation.
    """

    material: DatasetTables
    verifier: str
    statement: NDArray[np.int8]
    response: NDArray[np.int8]
    waiting: Bools
    begun: Bools
    used: Bools
    decided: Bools
    pairs: pd.DataFrame
    pair_response: Ints
    pair_citation: Ints
    pair_supported: Bools


def judged_results_under_verifier(material: DatasetTables, verifier: str) -> Judged:
    """The state of every statement, response and source by one verifier's verdicts.

    Verdicts on an address that the response does not cite are ignored.
    """
    responses, statements, cited = (
        material.responses,
        material.statements,
        material.table_of_citations_once_each,
    )
    given = material.verdicts[material.verdicts["rater"] == verifier].reset_index(drop=True)
    at = pd.Index(statements["statement"]).get_indexer(pd.Index(given["statement"]))
    of_response = np.where(at >= 0, material.response_rows_of_statements[at], -1)
    urls = pd.Index(pd.unique(cited["url"]))
    citation_key = material.array_of_response_rows_of_citations * len(urls) + urls.get_indexer(
        pd.Index(cited["url"])
    )
    url_at = urls.get_indexer(pd.Index(given["url"]))
    citation = pd.Index(citation_key).get_indexer(
        pd.Index(np.where((url_at >= 0) & (of_response >= 0), of_response * len(urls) + url_at, -1))
    )
    kept = (at >= 0) & (citation >= 0)
    pairs, at, citation = given[kept].reset_index(drop=True), at[kept], citation[kept]
    of_response = of_response[kept]
    verdict = text_array_of_column(pairs["verdict"])
    supports = verdict == SUPPORTED
    to_say = cited["readable"].to_numpy(dtype=bool) | (cited["outcome"] == "").to_numpy(dtype=bool)

    n, m = len(statements), len(responses)
    owner = material.response_rows_of_statements
    sources = np.bincount(material.array_of_response_rows_of_citations, minlength=m)
    expected = np.bincount(material.array_of_response_rows_of_citations[to_say], minlength=m)
    is_supported = np.bincount(at[supports], minlength=n) > 0
    answered = np.bincount(at[to_say[citation]], minlength=n)
    unclear = np.bincount(at[verdict == CANNOT_TELL], minlength=n) > 0
    state = np.full(n, STATEMENT_STATES.index("unsupported"), dtype=np.int8)
    state[unclear | (sources > expected)[owner]] = STATEMENT_STATES.index("unreachable")
    for word in ("partly", "contradicted"):
        state[np.bincount(at[verdict == word], minlength=n) > 0] = STATEMENT_STATES.index(word)
    waiting = answered < expected[owner]
    state[waiting] = STATEMENT_STATES.index("undecided")
    state[sources[owner] == 0] = STATEMENT_STATES.index("no_source")
    state[is_supported] = STATEMENT_STATES.index("supported")

    used = np.bincount(citation[supports], minlength=len(cited)) > 0
    asked = np.bincount(owner, minlength=m)[material.array_of_response_rows_of_citations]
    complete = np.bincount(citation, minlength=len(cited)) >= asked
    parsed = responses["parsed"].to_numpy(dtype=bool)[material.array_of_response_rows_of_citations]
    return Judged(
        material,
        verifier,
        state,
        state_code_array_of_responses(material, state),
        waiting,
        np.bincount(of_response, minlength=m) > 0,
        used,
        complete & parsed,
        pairs,
        of_response,
        citation,
        supports,
    )


def state_code_array_of_responses(
    material: DatasetTables, state: NDArray[np.int8]
) -> NDArray[np.int8]:
    """The state of each response, (responses,), from its statements' states."""
    m = len(material.responses)
    owner = material.response_rows_of_statements

    def has(name: StatementState) -> Bools:
        there: Bools = np.bincount(owner[state == STATEMENT_STATES.index(name)], minlength=m) > 0
        return there

    found = np.full(m, RESPONSE_STATES.index("supported"), dtype=np.int8)
    found[has("undecided")] = RESPONSE_STATES.index("undecided")
    found[has("unreachable")] = RESPONSE_STATES.index("unreachable")
    found[has("undecided")] = RESPONSE_STATES.index("undecided")
    found[has("unsupported") | has("partly") | has("contradicted")] = RESPONSE_STATES.index(
        "unsupported"
    )
    found[has("no_source")] = RESPONSE_STATES.index("no_source")
    found[np.bincount(owner, minlength=m) == 0] = RESPONSE_STATES.index("no_statement")
    found[~material.responses["parsed"].to_numpy(dtype=bool)] = RESPONSE_STATES.index("not_done")
    return found


def _rows_of(names: pd.Series, among: pd.Series) -> Ints:
    """The position of each name in ``among``.

    Raises:
        ValueError: a name is missing, so the tables are not of one dataset.
    """
    at = pd.Index(among).get_indexer(pd.Index(names))
    if (at < 0).any():
        raise ValueError(f"{names[at < 0].iloc[0]!r} is of no response in the table")
    return np.asarray(at, dtype=np.int64)
