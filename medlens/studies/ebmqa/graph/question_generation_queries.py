"""The SQL that makes questions from merged edges, with their options, texts and labels.

``part`` has the numeric questions without their texts, ``ranked`` the semantic ones, ``ranged`` the
texts of each numeric type.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from string import Formatter

import duckdb

from medlens.deferred_module import pa
from medlens.studies.ebmqa.graph.edge_file_merging_and_check_queries import (
    WORDS,
    create_small_table,
    question_name_sql,
)
from medlens.studies.ebmqa.graph.low_high_thresholds import UNIT, ClassRanges
from medlens.studies.ebmqa.graph.question_and_option_templates import (
    ASKS_FOR,
    BACKGROUND,
    FOREMOST,
    GROUPS,
    INSTRUCTION,
    TEMPLATES,
    WITHIN,
    count_words,
)
from medlens.studies.ebmqa.records import IDK, RATIO_TYPES, SEMANTIC_TYPE, SHARE_TYPES

Connection = duckdb.DuckDBPyConnection

_RANGES = 4
_THREE = 3
"""Options of a share that has a low one: then its answer is low, middle or high (Avnat et al. 2024,
Appendix, "Labeling")."""
_FLOORS = tuple(f"floor{at}" for at in range(_RANGES))
_CLASSES = tuple(f"class{at}" for at in range(_RANGES))
FEWEST, MOST = 2, 6
"""Targets of a semantic question (Avnat et al. 2024, Methods)."""

_BESIDE = "('sign', 'laboratory', 'imaging', 'procedure')"
# Imaging and procedures are one subject, and an association has none (Avnat et al. 2024, Appendix,
# "Labeling").
_SUBJECT = "replace({}, 'procedure', 'imaging')"
_GROUPED = [name for name, template in TEMPLATES.items() if "{group}" in template]
_GROUP, _WHAT, _GROUP_KIND = (
    f"case when v.in_target then v.{one} else v.{other} end"
    for one, other in (
        ("target", "source"),
        ("source", "target"),
        ("target_kind", "source_kind"),
    )
)
_SINGLE_DISORDER = """
  case when (v.source_kind = 'disorder')::integer + (v.target_kind = 'disorder')::integer
      + coalesce(v.background_kind = 'disorder', false)::integer <> 1 then null
    when v.source_kind = 'disorder' then v.source
    when v.target_kind = 'disorder' then v.target else v.background end"""


def make_numeric_questions_and_omitted_by_reason(
    db: Connection, ranges: Sequence[ClassRanges]
) -> dict[str, int]:
    """Make ``part``, the numeric questions; returns the edges without a question, by reason."""
    rows = []
    for one in ranges:
        fixed = _fixed_words(one.qa_type, "numeric") + sum(map(count_words, one.options))
        spare = [None] * (_RANGES - len(one.floors))
        rows.append(
            (
                one.qa_type,
                json.dumps(one.options),
                *one.classes,
                *spare,
                len(one.options),
                fixed,
                *one.floors,
                *spare,
            )
        )
    texts = ("qa_type", "options", *_CLASSES)
    columns = {
        **dict.fromkeys(texts, pa.string()),
        **dict.fromkeys(("n_options", "words", *_FLOORS), pa.int64()),
    }
    create_small_table(db, "ranged", columns, rows)
    place = " ".join(f"when v.units >= r.{floor} then {at}" for at, floor in enumerate(_FLOORS))
    before = _by_kind(
        "v.background_kind", {kind: str(count_words(text) - 1) for kind, text in BACKGROUND.items()}
    )
    leading = _by_kind(_GROUP_KIND, {kind: str(count_words(text)) for kind, text in GROUPS.items()})
    grouped = ", ".join(map(_text, _GROUPED))
    names = "concat(v.source, ' ', v.target, ' ' || v.background)"
    count = (
        f"(r.words + {WORDS.format(names)}"
        f" + case when v.background is null then 0 else {before} end"
        f" + case when v.qa_type in ({grouped}) then {leading} else 0 end)::integer"
    )
    fitting = f"(v.family = 'share' or v.units <> {UNIT})"
    db.execute(
        f"create view lengthy as select {count} as words"
        f" from valued v join ranged r on r.qa_type = v.qa_type where {fitting}"
    )
    db.execute(
        f"""
        create view part as
        select 'numeric' as kind, v.qa_type, v.source, v.target, v.background, v.target as asked,
          v.units, (case {place} end)::integer as place, null::integer as mask,
          {count} as words, v.source_kind as source_type, v.target_kind as target_type,
          v.background_kind as background_type, l.disciplines, p.class as prevalence,
          {_filled(*SHARE_TYPES, *RATIO_TYPES)} as question,
          r.options, r.n_options::integer as n_options,
          {_evidence(_entry("v.units", "v.low", "v.high", "v.n", "v.cited"))} as evidence
        from valued v join ranged r on r.qa_type = v.qa_type
        left join listed l on l.source_listed is not distinct from v.source_listed
          and l.target_listed is not distinct from v.target_listed
        left join prevalence p on p.name = {_SINGLE_DISORDER}
        where {fitting}"""
    )
    rows_out = db.execute(
        f"""
        select case when family = 'ratio' and units = {UNIT} then 'no_effect' else 'one_value' end,
          sum(n)
        from valued where (family = 'ratio' and units = {UNIT})
          or qa_type not in (select qa_type from ranged) group by all"""
    ).fetchall()
    return {reason: int(n) for reason, n in rows_out}


def _fixed_words(qa_type: str, kind: str) -> int:
    """The number of words in template (without names), instruction and "I do not know"."""
    names = dict.fromkeys(("source", "target", "what", "group", "relation"), "x")
    filled = TEMPLATES[qa_type].format(**names)
    return count_words(filled) - 2 + count_words(INSTRUCTION[kind]) + count_words(IDK)


def _by_kind(kind: str, values: Mapping[str, str]) -> str:
    """An SQL expression: each type's value, and the value under "" for all others."""
    whens = " ".join(f"when {_text(name)} then {value}" for name, value in values.items() if name)
    return f"case {kind} {whens} else {values['']} end"


def _filled(*qa_types: str) -> str:
    """An SQL expression: each QA type's template filled with its names, built piece by piece."""
    names = {
        "source": "v.source",
        "target": "v.target",
        "what": _WHAT,
        "group": f"{_by_kind(_GROUP_KIND, {k: _text(f'{g} ') for k, g in GROUPS.items()})}"
        f" || {_GROUP}",
        "relation": f"case when regexp_matches(v.relation, '(?i)^({'|'.join(FOREMOST)})\\b')"
        f" then lower(v.relation[1]) || v.relation[2:] else {_text(ASKS_FOR)} || v.relation end"
        f" || case when regexp_matches(v.relation, '(?i)\\b({'|'.join(WITHIN)})$')"
        " then ' in ' else ' of ' end",
    }
    pieces = {kind: map(_text, text.split("{}")) for kind, text in BACKGROUND.items()}
    lead = _by_kind(
        "v.background_kind",
        {kind: f"{before} || v.background || {after}" for kind, (before, after) in pieces.items()},
    )
    cases = []
    for qa_type in qa_types:
        parts = [
            part
            for text, name, _, _ in Formatter().parse(TEMPLATES[qa_type][1:])
            for part in (_text(text) if text else "", names[name] if name else "")
            if part
        ]
        first = TEMPLATES[qa_type][0]
        start = (
            f"case when v.background is null then {_text(first.upper())}"
            f" else {lead} || {_text(first)} end"
        )
        cases.append(f"when {_text(qa_type)} then {start} || {' || '.join(parts)}")
    return f"case v.qa_type {' '.join(cases)} end"


_MOST_CITED = 50


def _entry(units: str, low: str, high: str, edges: str, cited: str) -> str:
    """An SQL expression: the graph's evidence for one answer (``records.Evidence``)."""
    # Trimming is expensive, and hardly any citation needs it.
    plain = f"string_split({cited}, ';')"
    several = f"contains({cited}, ';')"
    odd = " or ".join(f"contains({cited}, '{sign}')" for sign in ("; ", " ;", ";;"))
    trimmed = f"list_filter(list_transform({plain}, lambda x: trim(x)), lambda x: x <> '')"
    each = f"case when {odd} then {trimmed} else {plain} end"
    citations = (
        f"case when {several} then list_sort(list_distinct({each}))[:{_MOST_CITED}]"
        f" else [{cited}] end"
    )
    return (
        f"{{'value': {units} / {UNIT}, 'min': {low}, 'max': {high}, 'edges': {edges},"
        f" 'citations': {citations}}}"
    )


def _evidence(*entries: str) -> str:
    """An SQL expression: the evidence of a question as JSON."""
    return f"to_json([{', '.join(entries)}])::varchar"


def _text(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def make_semantic_questions_and_losses_by_reason(db: Connection) -> dict[str, int]:
    """Make ``ranked``, the semantic questions; returns the edges without a question, by reason."""
    fixed = count_words(INSTRUCTION["semantic"]) + count_words(IDK)
    db.execute(
        f"""
        create table grouped as
        select *, case when c < {FEWEST} then 'few_targets' when c > {MOST} then 'many_targets'
            when c > distinct_targets then 'same_options' when mask = 0 then 'none_correct'
            when mask = (1 << c) - 1 then 'all_correct' else '' end as reason
        from (select *, list_sum(list_transform(middles, lambda x, i:
                  case when x::hugeint * 10 > top::hugeint * 9 and i <= {MOST}
                    then 1 << (i - 1)::integer else 0 end))::integer as mask
          from (select source, relation, background, list(target order by target) as targets,
              min(source_kind) as source_kind, min(background_kind) as background_kind,
              case when min(target_kind) = max(target_kind) then min(target_kind) end
                as target_kind,
              bool_or(target_kind = 'disorder') as disorders, min(source_listed) as source_listed,
              list(units order by target) as middles, max(units) as top, count(*)::integer as c,
              list({_entry("units", "low", "high", "n", "cited")} order by target) as evidence,
              sum(n) as n, count(distinct lower(target)) as distinct_targets
            from (select source, relation, background, target,
                cast(round(sum(units) / sum(n)) as bigint) as units, sum(n) as n,
                min(low) as low, max(high) as high, string_agg(cited, ';') as cited,
                min(source_kind) as source_kind, min(target_kind) as target_kind,
                min(background_kind) as background_kind, min(source_listed) as source_listed
              from (select source, relation, background, units, n, source_kind, target_kind,
                  background_kind, source_listed, low, high, cited,
                  unnest(list_distinct(list_transform(
                    string_split(target, ';'), lambda x: trim(x)))) as target
                from used where family = 'semantic')
              where target <> '' group by all)
            group by source, relation, background))"""
    )
    asked = "array_to_string(v.targets, ' ')"
    db.execute(
        f"""
        create table ranked as
        select 'semantic' as kind, v.qa_type, v.source,
          array_to_string(v.targets, '; ') as target, v.background, v.relation as asked,
          null::bigint as units, null::integer as place, v.mask,
          ({fixed} + {WORDS.format("v.question")} + {WORDS.format(asked)})::integer as words,
          v.source_kind as source_type, v.target_kind as target_type,
          v.background_kind as background_type, l.disciplines,
          case when not v.disorders and coalesce(v.background_kind, '') <> 'disorder'
            then p.class end as prevalence, v.question,
          '[' || array_to_string(list_transform(
            v.targets, lambda x: to_json(x)::varchar), ', ') || ']' as options,
          len(v.targets)::integer as n_options, to_json(v.evidence)::varchar as evidence
        from (select v.*, {_filled(SEMANTIC_TYPE)} as question
          from (select *, '{SEMANTIC_TYPE}' as qa_type from grouped where reason = '') v) v
        left join listed l on l.source_listed is not distinct from v.source_listed
          and l.target_listed is null
        left join prevalence p on p.name = v.source and v.source_kind = 'disorder'"""
    )
    rows = db.execute("select reason, sum(n) from grouped where reason <> '' group by 1").fetchall()
    return {reason: int(n) for reason, n in rows}


def median_and_mad_of_question_lengths(db: Connection) -> tuple[int, int]:
    """Median and MAD of the questions' words, rounded to whole words."""
    [(median, mad)] = db.execute(
        "select cast(round(median(words)) as integer), cast(round(mad(words)) as integer)"
        " from (select words from lengthy union all select words from ranked)"
    ).fetchall()
    return int(median or 0), int(mad or 0)


def arrow_table_of_generated_questions(db: Connection, *, short: int, long: int) -> pa.Table:
    """The questions as ``add_question_set_and_return_added`` takes them; ``short`` and ``long``
    bound the middle length.
    """
    classes = " ".join(f"when {at} then r.{name}" for at, name in enumerate(_CLASSES))
    shares = ", ".join(map(_text, SHARE_TYPES))
    return db.execute(
        f"""
        select name, md5(question || chr(31) || options || chr(31) || correct) as digest,
          kind, qa_type, question, options, n_options, correct, bit_count(correct)::integer
            as n_correct,
          source, target, background, source_type, target_type, background_type,
          case when qa_type = 'Association' then null
            when source_type in {_BESIDE} then {_SUBJECT.format("source_type")}
            when target_type in {_BESIDE} then {_SUBJECT.format("target_type")}
            when source_type = 'disorder' or target_type = 'disorder' then 'disorder'
            else 'other' end as subject_type,
          disciplines, case when not contains(disciplines, ';') then disciplines end as discipline,
          prevalence,
          case when words < $short then 'short' when words > $long then 'long' else 'medium' end
            as length,
          answer, words, units / {UNIT} as value, null::varchar as stratum, evidence
        from (
          select p.*,
            {question_name_sql("p.qa_type", "p.source", "p.asked", "p.background")} as name,
            coalesce(p.mask, 1 << p.place)::integer as correct,
            case when p.qa_type in ({shares}) and p.n_options = {_THREE} then
            case p.place {classes} end end as answer
          from (from part union all from ranked) p left join ranged r on r.qa_type = p.qa_type)""",
        {"short": short, "long": long},
    ).to_arrow_table()
