"""The SQL that reads a graph, in a separate DuckDB, not the store.

``edge`` is the file as read, ``kind`` the meaning of its words for types; ``merged`` has one row
per type, source, target and background, and the counts of edges refused or left out; ``listed``
joins the disciplines of both ends; ``prevalence`` has the disorders. Values are in units
(``low_high_thresholds.UNIT``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import duckdb

from medlens.deferred_module import pa
from medlens.studies.ebmqa.graph.low_high_thresholds import STEPS, UNIT, Side
from medlens.studies.ebmqa.graph.vocabulary import (
    BAD,
    FAMILY,
    MEDICAL,
    QA_WORDS,
    TYPE_WORDS,
    is_edge_direction_swapped,
    is_share_counted_in_target,
)
from medlens.studies.ebmqa.records import QA_TYPES

Connection = duckdb.DuckDBPyConnection

LARGE = 1e6
"""A ratio from here on is taken for a mistake."""

WORDS = "strlen({0}) - strlen(replace({0}, ' ', '')) + 1"
"""An expression: the words of a name."""

_REASON = f"""
  case when c.refused <> '' then c.refused
    when e.source is null then '!source' when e.target is null then '!target'
    when e.low is null or isnan(e.low) then '!min'
    when e.high is null or isnan(e.high) then '!max'
    when e.low < 0 then '!negative' when e.low > e.high then '!order'
    when c.family = 'share' and e.high > 1 then '!share'
    when e.high >= {LARGE} then '!large'
    when e.citations is null then '!citations'
    when c.family = 'semantic' and e.relation is null then '!relation'
    when contains(e.source, ';') then 'sources'
    when contains(e.background, ';') then 'backgrounds'
    when c.family <> 'semantic' and contains(e.target, ';') then 'targets'
    when not c.medical then 'not_medical' else '' end"""

_KIND = """
  e.qa_type is not distinct from c.qa_type_text
  and e.source_type is not distinct from c.source_text
  and e.target_type is not distinct from c.target_text
  and e.background_type is not distinct from c.background_text"""


_NAMES = ("source", "target", "background", "relation", "citations")


def create_lookup_tables(db: Connection) -> None:
    """Create the small tables for looking up the words of a graph."""
    qa = [(word, name, FAMILY[name], QA_TYPES.index(name)) for word, name in QA_WORDS.items()]
    texts = dict.fromkeys(("word", "name", "family"), pa.string())
    create_small_table(db, "qa_word", {**texts, "place": pa.int32()}, qa)
    create_small_table(
        db, "type_word", dict.fromkeys(("word", "name"), pa.string()), list(TYPE_WORDS.items())
    )
    ways = []
    for qa_type, source, target in product(QA_TYPES, MEDICAL, MEDICAL):
        turned = is_edge_direction_swapped(qa_type, source, target)
        ends = (target, source) if turned else (source, target)
        ways.append((qa_type, source, target, turned, is_share_counted_in_target(qa_type, *ends)))
    columns = {
        **dict.fromkeys(("qa_type", "source", "target"), pa.string()),
        **dict.fromkeys(("turned", "in_target"), pa.bool_()),
    }
    create_small_table(db, "direction", columns, ways)


def create_small_table(
    db: Connection, name: str, columns: Mapping[str, pa.DataType], rows: Sequence[Sequence[Any]]
) -> None:
    """Create a small table from rows."""
    made = {
        column: pa.array([row[at] for row in rows], kind)
        for at, (column, kind) in enumerate(columns.items())
    }
    db.register("made", pa.table(made))
    db.execute(f"create table {name} as select * from made")
    db.unregister("made")


def csv_table_function_sql(path: Path) -> str:
    """A table function that reads a CSV file as text; rows of another length go to rejects."""
    return (
        f"read_csv({_quoted(path)}, header = true, delim = ',', quote = '\"', escape = '\"',"
        " all_varchar = true, store_rejects = true)"
    )


def parquet_table_function_sql(path: Path) -> str:
    """A table function that reads a Parquet file."""
    return f"read_parquet({_quoted(path)})"


def _quoted(path: Path) -> str:
    return _literal(str(path))


def column_names_of_source(db: Connection, source: str) -> list[str]:
    """The column names of a source."""
    return [str(row[0]) for row in db.execute(f"describe from {source}").fetchall()]


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _texts(columns: Mapping[str, str | None]) -> str:
    """The columns of an edge as read: names trimmed, numbers as doubles."""

    def text(name: str, found: str | None) -> str:
        if not found:
            return "null::varchar"
        as_text = f"{_named(found)}::varchar"
        # Types and disciplines have few values, so they are trimmed at lookup.
        return f"nullif(trim({as_text}), '')" if name in _NAMES else as_text

    texts = [
        f"{text(name, found)} as {name}"
        for name, found in columns.items()
        if name not in ("min", "max")
    ]
    low, high = (_named(str(columns[name])) for name in ("min", "max"))
    return ", ".join(
        [
            *texts,
            f"try_cast({low} as double) as low",
            f"try_cast({high} as double) as high",
        ]
    )


def create_edge_and_kind_tables(
    db: Connection,
    source: str,
    columns: Mapping[str, str | None],
    beside: Sequence[str] = (),
    *,
    keep: bool,
) -> None:
    """Create ``edge``, a table if rereading the file would be expensive, and ``kind``.

    ``beside`` are columns of the file to keep unchanged.
    """
    what = "table" if keep else "view"
    more = "".join(f", {_named(name)}::varchar as beside{at}" for at, name in enumerate(beside))
    db.execute(f"create {what} edge as select {_texts(columns)}{more} from {source}")
    db.execute(
        """
        create table kind as
        select k.qa_type as qa_type_text, k.source_type as source_text,
          k.target_type as target_text, k.background_type as background_text,
          row_number() over (order by k.qa_type, k.source_type, k.target_type,
            k.background_type)::integer as kind, q.place as asks,
          q.name as qa_type, q.family, b.name as background_kind,
          case when d.turned then t.name else s.name end as source_kind,
          case when d.turned then s.name else t.name end as target_kind,
          coalesce(d.turned, false) as turned, coalesce(d.in_target, false) as in_target,
          case when q.name is null then '!qa_type' when s.word is null then '!source_type'
            when t.word is null then '!target_type'
            when b.word is null and trim(k.background_type) <> '' then '!background_type'
            else '' end as refused,
          s.name <> '' and t.name <> '' and coalesce(b.name, 'none') <> '' as medical
        from (select distinct qa_type, source_type, target_type, background_type from edge) k
        left join qa_word q on q.word = lower(trim(k.qa_type))
        left join type_word s on s.word = lower(trim(k.source_type))
        left join type_word t on t.word = lower(trim(k.target_type))
        left join type_word b on b.word = lower(trim(k.background_type))
        left join direction d on d.qa_type = q.name and d.source = s.name and d.target = t.name"""
    )


def _ends(db: Connection) -> str:
    """The ends of an edge, swapped if its types say that it is turned."""
    [(turned,)] = db.execute("select coalesce(bool_or(turned), false) from kind").fetchall()
    ends = (
        ("source", "target", "source"),
        ("target", "source", "target"),
        ("source_disciplines", "target_disciplines", "source_listed"),
        ("target_disciplines", "source_disciplines", "target_listed"),
    )
    return ", ".join(
        f"case when c.turned then e.{other} else e.{one} end as {name}"
        if turned
        else f"e.{one} as {name}"
        for one, other, name in ends
    )


def orient_and_merge_edges_and_count_by_reason(db: Connection) -> tuple[dict[str, int], int]:
    """Turn edges, and merge duplicates to the mean of their middles.

    Returns the number of edges by reason ("" for those that stay), and how many of those that stay
    were turned.
    """
    db.execute(
        f"""
        create table merged as
        select reason, asks, source, target, background, relation, sum(units) as units,
               count(*) as n, min(kind) as kind, min(source_listed) as source_listed,
               min(target_listed) as target_listed, min(low) as low, max(high) as high,
               string_agg(citations, ';') as cited,
               count(*) filter (turned and reason = '') as turned
        from (select reason, kind, source_listed, target_listed, turned,
                case when reason = '' then low end as low,
                case when reason = '' then high end as high,
                case when reason = '' then citations end as citations,
                case when reason = '' then
                  cast(round(low * {STEPS}) + round(high * {STEPS}) as bigint) end as units,
                case when reason = '' then asks end as asks,
                case when reason = '' then source end as source,
                case when reason = '' then target end as target,
                case when reason = '' then background end as background,
                case when reason = '' and family = 'semantic' then relation end as relation
              from (select e.background, e.relation, e.low, e.high, e.citations, c.asks, c.turned,
                      c.family, c.kind, {_ends(db)}, {_REASON} as reason
                    from edge e join kind c on {_KIND}))
        group by all"""
    )
    db.execute(
        """
        create view used as
        select m.*, k.qa_type, k.family, k.source_kind, k.target_kind, k.background_kind,
          k.in_target
        from merged m join kind k on k.kind = m.kind where m.reason = ''"""
    )
    rows = db.execute("select reason, sum(n), sum(turned) from merged group by reason").fetchall()
    return {reason: int(n) for reason, n, _ in rows}, sum(int(turned) for *_, turned in rows)


def list_question_names_and_further_columns_json(
    db: Connection, beside: Sequence[str]
) -> list[tuple[str, str]]:
    """By question (its name, as ``question_generation_queries.arrow_table_of_generated_questions``
    makes it): the ``beside`` columns that have the same value in all of its edges that have any, as
    JSON.
    """
    same = ", ".join(
        f"{_literal(name)}, case when min(beside{at}) = max(beside{at}) then min(beside{at}) end"
        for at, name in enumerate(beside)
    )
    cells = ", ".join(f"nullif(trim(e.beside{at}), '') as beside{at}" for at in range(len(beside)))
    name = question_name_sql("qa_type", "source", "asked", "background")
    rows = db.execute(
        f"""
        select name, json_merge_patch('{{}}', body)::varchar
        from (select {name} as name, json_object({same}) as body
              from (select qa_type, source, background, reason,
                      case when family = 'semantic' then relation else target end as asked,
                      {", ".join(f"beside{at}" for at in range(len(beside)))}
                    from (select c.qa_type, c.family, e.background, e.relation, {_ends(db)},
                            {_REASON} as reason, {cells}
                          from edge e join kind c on {_KIND}))
              where reason = '' group by 1)"""
    ).fetchall()
    return [(str(name), str(body)) for name, body in rows if body != "{}"]


def question_name_sql(*parts: str) -> str:
    """An SQL expression: a question's name, from the expressions for its parts."""
    *first, background = parts
    return f"'q' || md5(concat_ws(chr(31), {', '.join(first)}, coalesce({background}, '')))[:16]"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def list_refused_edges(
    db: Connection, source: str, columns: Mapping[str, str | None], *, most: int
) -> list[tuple[int, str, str]]:
    """The first refused edges: (line from 1, reason, content of the faulty column).

    Lines count only records: not the header, blank lines or rows that could not be split.
    """
    got = " ".join(
        f"when '!{why}' then {_shown(columns)[column]}"
        for why, (column, _) in BAD.items()
        if columns.get(column)
    )
    rows = db.execute(
        f"select line, reason, case reason {got} end from ({_by_line(db, source, columns)})"
        f" where starts_with(reason, '!') limit {most:d}"
    ).fetchall()
    return [(int(line), str(reason)[1:], str(text or "").strip()) for line, reason, text in rows]


def find_lines_of_swapped_edges(
    db: Connection, source: str, columns: Mapping[str, str | None], *, most: int
) -> list[int]:
    """The line numbers, as in ``list_refused_edges``, of the first turned edges."""
    rows = db.execute(
        f"select line from ({_by_line(db, source, columns)})"
        f" where turned and reason = '' limit {most:d}"
    ).fetchall()
    return [int(line) for (line,) in rows]


def _shown(columns: Mapping[str, str | None]) -> dict[str, str]:
    return {name: f"shown{at}" for at, name in enumerate(columns)}


def _by_line(db: Connection, source: str, columns: Mapping[str, str | None]) -> str:
    """A statement: the edges in order with line, reason and whether they are turned.

    Its windows need only one edge at a time, so a limit stops the reading.
    """
    db.execute("set preserve_insertion_order = true")
    every = ", ".join(
        f"{_named(found)}::varchar as {_shown(columns)[name]}"
        for name, found in columns.items()
        if found
    )
    # A quoted cell may span lines; in Parquet a record is a line.
    texts = ", ".join(f"{_named(found)}::varchar" for found in columns.values() if found)
    whole = f"concat_ws('', {texts})" if source.startswith("read_csv") else "''"
    breaks = f"length({whole}) - length(replace({whole}, chr(10), ''))"
    return f"""
        select e.*, c.turned, {_REASON} as reason
        from (select *, row_number() over () + sum(breaks) over (
                rows between unbounded preceding and current row) - breaks as line
              from (select {_texts(columns)}, {every}, {breaks} as breaks from {source})) e
        join kind c on {_KIND}"""


def count_and_list_unsplit_csv_rows(
    db: Connection, *, most: int
) -> tuple[int, list[tuple[int, str]]]:
    """CSV rows that could not be split: how many, and (line, what was wrong)."""
    there = db.execute(
        "select count(*) from duckdb_tables() where table_name = 'reject_errors'"
    ).fetchall()
    if not there[0][0]:
        return 0, []
    [(n,)] = db.execute("select count(distinct line) from reject_errors").fetchall()
    rows = db.execute(
        "select line, any_value(error_type::varchar) from reject_errors group by line order by line"
        f" limit {most:d}"
    ).fetchall()
    return int(n), [(int(line), str(what)) for line, what in rows]


def compute_median_and_mad_of_sides_by_type(db: Connection) -> dict[str, list[Side]]:
    """Median, MAD and counts of each numeric type's values; for ratios by side of 1."""
    db.execute(
        """
        create view valued as
        select qa_type, source, target, background, n, family, source_kind, target_kind,
          background_kind, source_listed, target_listed, in_target, low, high, cited,
          case when n = 1 then units::bigint else cast(round(units / n) as bigint) end as units
        from used where family <> 'semantic'"""
    )
    rows = db.execute(
        f"""
        select qa_type, case when family = 'share' then 0 when units < {UNIT} then -1 else 1 end,
          cast(round(median(units)) as bigint), cast(round(mad(units)) as bigint), count(*),
          min(units) < max(units)
        from valued where family = 'share' or units <> {UNIT} group by all order by all"""
    ).fetchall()
    found: dict[str, list[Side]] = {}
    for qa_type, *side in rows:
        found.setdefault(qa_type, []).append(Side(*side))
    return found


def find_nearest_values_around_number(
    db: Connection, qa_type: str, units: int
) -> tuple[int | None, int | None]:
    """The values of a type around a number: (the greatest below it, the least not below it)."""
    [(below, beyond)] = db.execute(
        "select max(units) filter (units < $units), min(units) filter (units >= $units)"
        " from valued where qa_type = $qa_type",
        {"units": units, "qa_type": qa_type},
    ).fetchall()
    return below, beyond


def create_tables_and_summarise_prevalences(db: Connection) -> tuple[int, int, int] | None:
    """Create ``listed``, the disciplines as written, and ``prevalence``, by disorder.

    Returns median and MAD (in units) of the disorders' prevalences, and how many have one.
    """
    db.execute(
        """
        create table listed as
        select source_listed, target_listed,
          nullif(array_to_string(list_sort(list_distinct(list_filter(list_transform(
            string_split(concat_ws(';', source_listed, target_listed), ';'), lambda x: trim(x)),
            lambda x: x <> ''))), '; '), '') as disciplines
        from (select distinct source_listed, target_listed from merged where reason = ''
              union select distinct source_listed, null from merged where reason = '')"""
    )
    db.execute(
        """
        create table measured as
        select case when in_target then source else target end as name,
          cast(round(avg(units)) as bigint) as units
        from valued
        where qa_type = 'Prevalence'
          and case when in_target then source_kind else target_kind end = 'disorder'
        group by 1"""
    )
    [(median, mad, n)] = db.execute(
        "select cast(round(median(units)) as bigint), cast(round(mad(units)) as bigint), count(*)"
        " from measured"
    ).fetchall()
    low, high = (median - mad, median + mad) if n else (0, 0)
    db.execute(
        f"""
        create table prevalence as
        select name, case when units < {low:d} then 'rare' when units > {high:d} then 'widespread'
          else 'common' end as class
        from measured"""
    )
    return (int(median), int(mad), int(n)) if n else None
