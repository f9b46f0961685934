"""The aggregates behind the figures: one statement each, over only the selected answers.

An ``AnswerAggregates`` is made for one viewer; people who may not see answers yet cannot have one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.ebmqa.explore.question_filter import (
    COUNTED,
    SEVERAL,
    AnswerFilter,
    label_in_words,
    require_viewer_may_see_models_answers,
)
from medlens.studies.ebmqa.prompts import STUDY, USUAL
from medlens.studies.ebmqa.records import LABELS, MOST_OPTIONS, OUTCOMES, SHARE_TYPES

_PIECE = 62
"""So many models have a bit in one number."""


def sql_of_model_mask_columns(name: str, models: Sequence[str], when: str = "true") -> str:
    """The columns name0, name1, … of a statement: the models with a row for which ``when``
    holds.

    The statement has each row's model as ``p.place``, and groups by what the sets belong to.
    """
    return ", ".join(
        f"bit_or(case when {when} and p.place // {_PIECE} = {at}"
        f" then 1::bigint << (p.place % {_PIECE}) else 0 end) as {name}{at}"
        for at in range(_pieces(models))
    )


def table_with_mask_columns_joined(
    table: pd.DataFrame, models: Sequence[str], *names: str
) -> pd.DataFrame:
    """The statement's table with each mask in one column, as Python ints if large."""
    if _pieces(models) == 1:
        return table.rename(columns={f"{name}0": name for name in names})
    for name in names:
        columns = [f"{name}{at}" for at in range(_pieces(models))]
        rows = zip(*(table[column].tolist() for column in columns), strict=True)
        masks = [sum(int(piece) << at * _PIECE for at, piece in enumerate(row)) for row in rows]
        table[name] = pd.Series(masks, index=table.index, dtype=object)
        table = table.drop(columns=columns)
    return table


def _pieces(models: Sequence[str]) -> int:
    return max(len(models) - 1, 0) // _PIECE + 1


TABLES = ("ebmqa_question", "ebmqa_answer", "ebmqa_answer_block", "rater", "judgment")
"""What the figures rest on: their version is the key of caches."""

# Scores are fractions of options. They are summed as whole multiples of 1 / _WHOLE, which every
# number of options divides: sums of floats would depend on the order in their last digits.
_WHOLE = math.lcm(*range(1, MOST_OPTIONS + 1))


def _added(hits: str, of: str, n: str = "1") -> str:
    """SQL: the sum of the fractions hits / of, each n times; exact, and 0 if of is 0."""
    return f"sum({n}::hugeint * {hits} * ({_WHOLE} // greatest({of}, 1)))"


# Outcomes are numbered in the order of OUTCOMES: 0 is "answered".
_HIT = "bit_count(a.chosen & q.correct)"
_SCORE = _added(_HIT, "bit_count(a.chosen)")
_JACCARD = _added(_HIT, "bit_count(a.chosen | q.correct)")
_COUNTS = f"""
  count(*) as asked,
  {", ".join(f"count(*) filter (a.outcome = {at}) as {o}" for at, o in enumerate(OUTCOMES))},
  coalesce({_SCORE} filter (a.outcome = 0), 0)::double / {_WHOLE} as score,
  count(*) filter (a.outcome = 0 and a.chosen = q.correct) as exact,
  coalesce({_JACCARD} filter (a.outcome = 0), 0)::double / {_WHOLE} as jaccard"""

# Everything that is counted about an answer, in one number: outcome, options hit, chosen, correct.
# Five bits are enough for the options of any question.
_SORT = (
    "(a.outcome * 32768 + bit_count(a.chosen & q.correct)::integer * 1024"
    " + bit_count(a.chosen)::integer * 32 + bit_count(q.correct)::integer)"
)
_HITS, _CHOSEN, _CORRECT = "(sort // 1024 % 32)", "(sort // 32 % 32)", "(sort % 32)"
_MOST_WORDS = 20
_SHARES = ", ".join(f"'{name}'" for name in SHARE_TYPES)
# A ratio has two middle options, and a share without a low one has only two options: neither has an
# answer that is low, middle or high (Avnat et al. 2024, Appendix, "Labeling").
_HAS_ANSWER = f"q.qa_type in ({_SHARES}) and q.n_options = 3"
_ANSWER = f"case when {_HAS_ANSWER} then coalesce(q.answer, '') else '' end"
_JOINED = "ebmqa_answer a join b on b.number = a.block join q on q.seq = a.question"
_LIST = "list_transform(string_split(coalesce(q.{}, ''), ';'), lambda x: trim(x))"
_OF_SORT = [f"sum(n) filter (sort // 32768 = {at})" for at in range(len(OUTCOMES))]
_SORTED = f"""
  sum(n)::bigint as asked,
  {", ".join(f"coalesce({_OF_SORT[at]}, 0)::bigint as {o}" for at, o in enumerate(OUTCOMES))},
  coalesce({_added(_HITS, _CHOSEN, "n")} filter (sort < 32768), 0)::double / {_WHOLE} as score,
  coalesce(sum(n) filter (sort < 32768 and {_HITS} = {_CHOSEN} and {_HITS} = {_CORRECT}),
           0)::bigint as exact,
  coalesce({_added(_HITS, f"{_CHOSEN} + {_CORRECT} - {_HITS}", "n")}
           filter (sort < 32768), 0)::double / {_WHOLE} as jaccard"""


@dataclass(frozen=True)
class Model:
    """A model that answered: the rater's id, the name shown (unique), and its number of answers."""

    rater: str
    name: str
    answers: int


@dataclass(frozen=True)
class AnswerAggregates:
    """The answers of one store as one viewer may see them; a ``viewer`` of None is the command
    line.

    Raises:
        NotAllowed: on creation, if the viewer has not answered the questionnaire yet.
    """

    store: Store
    dataset: str
    viewer: Rater | None

    def __post_init__(self) -> None:
        """Refuse people who still have to answer blind."""
        require_viewer_may_see_models_answers(self.store, self.dataset, self.viewer)

    def version_number_of_data(self) -> int:
        """Grows with everything the figures are based on."""
        return self.store.data_version_of_tables(*TABLES)

    # -- what there is -------------------------------------------------------------------------

    def list_ids_of_runs_with_answers(self) -> list[str]:
        """The runs that added answers."""
        return self.store.column(
            "select distinct run from ebmqa_answer_block where dataset = $dataset and run <> ''",
            dataset=self.dataset,
        )

    def rater_ids_of_run(self, run: str) -> set[str]:
        """Whose answers a run added."""
        found = self.store.column(
            "select distinct rater from ebmqa_answer_block where dataset = $dataset and run = $run",
            dataset=self.dataset,
            run=run,
        )
        return set(found)

    def list_prompts_and_repeats_with_answer_counts(
        self, run: str = ""
    ) -> list[tuple[str, int, int]]:
        """Ways of asking (of one run) as (prompt, repeat, answers), the most used first.

        Small differences are ignored: the usual one comes first if it has at least half the
        maximum.
        """
        return [
            (str(prompt), int(repeat), int(n))
            for prompt, repeat, n in self.store.rows(
                "select prompt, repeat, answers from ("
                f"  select prompt, repeat, sum(n) as answers from {self._blocks()}"
                "  where dataset = $dataset and $run in ('', run) group by all having sum(n) > 0)"
                " order by repeat > 1 or prompt <> $usual"
                " or 2 * answers < max(answers) over (), answers desc, repeat, prompt",
                dataset=self.dataset,
                run=run,
                usual=USUAL.name_in_answers,
            )
        ]

    def list_models(self) -> list[Model]:
        """Everyone who answered, by name; those who share a name are shown by handle."""
        found = self.store.rows(
            "select b.rater, r.name, r.handle, b.n, count(*) over (partition by r.name) from ("
            f"  select rater, sum(n) as n from {self._blocks()} where dataset = $dataset"
            "  group by rater having sum(n) > 0) b join rater r on r.id = b.rater"
            " order by lower(r.name), r.handle",
            dataset=self.dataset,
        )
        return [
            Model(str(rater), str(name if alike == 1 else handle), int(n))
            for rater, name, handle, n, alike in found
        ]

    def question_counts_of_values_by_label(self) -> dict[str, list[tuple[str, int]]]:
        """The values of each label that questions have, as (value, questions)."""
        names = [*LABELS, *COUNTED]
        columns = ", ".join(f"histogram({_column(name)}) as {name}" for name in names)
        row = self.store.find_first_row_as_dict(
            f"select {columns} from ebmqa_question_now q where q.dataset = $dataset",
            dataset=self.dataset,
        )
        found: dict[str, list[tuple[str, int]]] = {}
        for name in names:
            counts: dict[str, int] = dict((row or {}).get(name) or {})
            if name in SEVERAL:
                apart: dict[str, int] = {}
                for joined, n in counts.items():
                    for one in set(_split(joined)):
                        apart[one] = apart.get(one, 0) + n
                counts = apart
            if any(counts):
                found[name] = sorted(counts.items())
        return found

    def _blocks(self) -> str:
        """The blocks of answers, with the number of those that count."""
        if not self.store.data_version_of_tables("corrected_row", "item_withdrawal"):
            return "ebmqa_answer_block"
        return (
            "(select k.* replace (coalesce(m.n, 0) as n) from ebmqa_answer_block k left join ("
            "  select a.block, count(*) as n from ebmqa_answer a"
            "  semi join ebmqa_question_now w on w.seq = a.question group by a.block) m"
            " on m.block = k.number)"
        )

    # -- counts --------------------------------------------------------------------------------

    def count_answers(self, where: AnswerFilter) -> int:
        """The number of answers; over all questions it comes from the blocks."""
        with_, params = self._parts(where, ())
        of_some = where.labels or where.search
        counted = (
            f"count(*) from {_JOINED}"
            if of_some
            else f"sum(n) from {self._blocks()} where number in (select number from b)"
        )
        found = self.store.value(f"{with_} select {counted}", **params)
        return int(found or 0)

    def tally_table(self, where: AnswerFilter, names: Sequence[str]) -> pd.DataFrame:
        """The tally table (``metrics_answer_counts.COUNTS``) of answers grouped by ``names``, in
        order.
        """
        with_, params = self._parts(where, names)
        picked = [f"{_group(name)} as {name}" for name in names]
        by = "group by all order by all" if names else ""
        table = self._named(
            f"{with_} select {', '.join([*picked, _COUNTS])} from {_JOINED} {by}", params
        )
        return _apart(table, names)

    def tally_table_by_prompt(self, where: AnswerFilter) -> pd.DataFrame:
        """The tally table by ``model``, ``kind`` and ``prompt`` of the prompt study.

        For each model, only questions that it was asked in all its prompts of the study count.
        """
        with_, params = self._parts(where, ("model", "kind", "prompt"))
        return self._named(
            f"{with_}, asked as (select number, rater, prompt, count(distinct prompt) over"
            "  (partition by rater) as prompts from b where prompt in $study),"
            " shared as (select b.rater, a.question from ebmqa_answer a"
            "  join asked b on b.number = a.block group by b.rater, b.prompts, a.question"
            "  having count(distinct b.prompt) = b.prompts)"
            f" select b.rater as model, q.kind, b.prompt, {_COUNTS} from ebmqa_answer a"
            " join asked b on b.number = a.block join q on q.seq = a.question"
            " join shared s on s.rater = b.rater and s.question = a.question"
            " group by all order by all",
            params | {"study": [one.name_in_answers for one in STUDY]},
        )

    def tally_tables_by_label(
        self, where: AnswerFilter, names: Sequence[str]
    ) -> dict[str, pd.DataFrame]:
        """For each label a tally table by ``model`` and ``value``, all in one pass."""
        with_, params = self._parts(where, names)
        which = ", ".join(names)
        sets = ", ".join(f"(model, {name}, sort)" for name in names)
        columns = ", ".join(f"q.{name}" for name in names)
        # Summing identical answers first takes a fifth of the time.
        whole = self._named(
            f"{with_} select model, which, value, {_SORTED} from ("
            f" select model, grouping({which}) as which, coalesce({which}) as value,"
            " sort, count(*) as n from ("
            f"  select b.rater as model, {columns}, {_SORT} as sort from {_JOINED})"
            f" group by grouping sets ({sets})) group by model, which, value order by all",
            params,
        )
        found: dict[str, pd.DataFrame] = {}
        for at, name in enumerate(names):
            # Each label that is not grouped by sets a bit; the last label is bit 0.
            bits = (1 << len(names)) - 1 - (1 << (len(names) - 1 - at))
            part = whole[whole["which"] == bits].drop(columns="which").reset_index(drop=True)
            table = _apart(part.rename(columns={"value": name}), ("model", name))
            found[name] = table.rename(columns={name: "value"})
        return found

    def table_of_question_counts_per_model_set(
        self, where: AnswerFilter, models: Sequence[str]
    ) -> pd.DataFrame:
        """How many questions each set of ``models`` answered and got right
        (``list_comparisons_of_model_pairs``).
        """
        with_, params = self._parts(where, ())
        answered = sql_of_model_mask_columns("answered", models, "a.outcome = 0")
        right = sql_of_model_mask_columns("right", models, "a.outcome = 0 and a.chosen = q.correct")
        table = self._place(
            f"{with_} select * exclude (question), count(*) as questions from ("
            f" select a.question, {answered}, {right}"
            f" from {_JOINED} join p on p.rater = b.rater group by a.question) group by all",
            params,
            models,
        )
        return table_with_mask_columns_joined(table, models, "answered", "right")

    def table_of_answers_by_set_of_models(
        self, where: AnswerFilter, models: Sequence[str]
    ) -> pd.DataFrame:
        """Answers by who gave the same one: ``givers`` (2 ** position each), ``answers``,
        ``score``.

        ``answers`` counts each question and choice once; ``score`` is the sum of their scores.
        """
        with_, params = self._parts(where, ())
        table = self._place(
            f"{with_} select * exclude (question, chosen, score), count(*) as answers,"
            f" sum(score)::double / {_WHOLE} as score from (select a.question, a.chosen,"
            f" {sql_of_model_mask_columns('givers', models)},"
            f" any_value({_HIT} * ({_WHOLE} // greatest(bit_count(a.chosen), 1))) as score"
            f" from {_JOINED} join p on p.rater = b.rater"
            " where a.outcome = 0 group by a.question, a.chosen) group by all",
            params,
            models,
        )
        return table_with_mask_columns_joined(table, models, "givers")[
            ["givers", "answers", "score"]
        ]

    def list_cross_tabulation_of_two_models(
        self, where: AnswerFilter, first: str, second: str, label: str = ""
    ) -> list[tuple[str, int, int, int, int]]:
        """Two models on the questions that both answered, by a label's values.

        Rows (value, both, first only, second only, neither); right means exactly right.
        """
        names = (label,) if label else ()
        with_, params = self._parts(where, names)
        ids = self._ids()
        group = _group(label) if label else "''"
        rows = self.store.rows(
            f"{with_}, one as (select question, chosen from ebmqa_answer a join b on"
            "  b.number = a.block where b.rater = $first and a.outcome = 0),"
            " two as (select question, chosen from ebmqa_answer a join b on"
            "  b.number = a.block where b.rater = $second and a.outcome = 0)"
            f" select {group} as value,"
            " count(*) filter (one.chosen = q.correct and two.chosen = q.correct),"
            " count(*) filter (one.chosen = q.correct and two.chosen <> q.correct),"
            " count(*) filter (one.chosen <> q.correct and two.chosen = q.correct),"
            " count(*) filter (one.chosen <> q.correct and two.chosen <> q.correct)"
            " from one join two using (question) join q on q.seq = one.question"
            " group by all order by 1",
            **params,
            first=ids.get(first, ""),
            second=ids.get(second, ""),
        )
        found: dict[str, tuple[int, int, int, int]] = {}
        for joined, both, one, two, neither in rows:
            for value in set(_split(joined)) if label in SEVERAL else (joined,):
                held = found.get(value, (0, 0, 0, 0))
                cells = zip(held, (both, one, two, neither), strict=True)
                found[value] = tuple(a + b for a, b in cells)
        return [(value, *found[value]) for value in sorted(found)]

    # -- the question set ----------------------------------------------------------------------

    def table_of_questions_and_chance_by_kind(self, where: AnswerFilter) -> pd.DataFrame:
        """By kind: ``questions``, ``chance`` (the sum of correct over offered options)."""
        with_, params = self._parts(where, ("kind",), correct_of=True)
        return self.store.read(
            f"{with_} select q.kind, count(*) as questions,"
            f" {_added('q.n_correct', 'q.n_options')}::double / {_WHOLE} as chance"
            " from q group by all order by all",
            **params,
        )

    def table_of_question_counts_by_label(
        self, where: AnswerFilter, names: Sequence[str]
    ) -> pd.DataFrame:
        """The number of questions with each value of one label, or of two crossed."""
        with_, params = self._parts(where, names)
        picked = ", ".join(f"{_group(name)} as {name}" for name in names)
        table = self.store.read(
            f"{with_} select {picked}, count(*) as questions from q group by all order by all",
            **params,
        )
        return _apart(table, names)

    # -- parts of statements -------------------------------------------------------------------

    def _parts(
        self, where: AnswerFilter, names: Sequence[str], *, correct_of: bool = False
    ) -> tuple[str, dict[str, Any]]:
        """The ``with`` of every statement: the selected blocks ``b`` and questions ``q``."""
        return with_clause_and_parameters_of_answers(self, where, names, counts=correct_of)

    def _ids(self) -> dict[str, str]:
        return {model.name: model.rater for model in self.list_models()}

    def _named(self, sql: str, params: dict[str, Any]) -> pd.DataFrame:
        """A statement's table; ``model`` has shown names instead of raters' ids."""
        table = self.store.read(sql, **params)
        if "model" in table:
            names = {model.rater: model.name for model in self.list_models()}
            table["model"] = [names.get(rater, rater) for rater in table["model"]]
            table = table.sort_values("model", kind="stable", ignore_index=True)
        return table

    def _place(self, sql: str, params: dict[str, Any], models: Sequence[str]) -> pd.DataFrame:
        """Runs a statement with the models numbered: ``p`` has their positions."""
        ids = self._ids()
        raters = [ids.get(name, "") for name in models]
        with_p = sql.replace(
            "with ", "with p as (select unnest($raters) as rater, unnest($places) as place), ", 1
        )
        return self.store.read(with_p, **params, raters=raters, places=list(range(len(raters))))


def with_clause_and_parameters_of_answers(
    explorer: AnswerAggregates, where: AnswerFilter, names: Sequence[str], *, counts: bool = False
) -> tuple[str, dict[str, Any]]:
    """``with b as (…), q as (…)`` for the answers of ``where``, and the parameters."""
    params: dict[str, Any] = {
        "dataset": explorer.dataset,
        "prompt": where.prompt,
        "repeat": where.repeat,
    }
    narrowed = ""
    if where.models:
        known = {model.name: model.rater for model in explorer.list_models()}
        params["raters_in"] = [known.get(name, "") for name in where.models]
        narrowed = " and rater in $raters_in"
    if where.run:
        params["run"] = where.run
        narrowed += " and run = $run"
    prompt = "" if "prompt" in names else " and prompt = $prompt"
    if prompt == "":
        params.pop("prompt")
    conditions, asked = _of_questions(where)
    params.update(asked)
    kept = [name for name in names if name in LABELS or name in COUNTED]
    columns = [f"{_column(name)} as {name}" for name in kept]
    if counts:
        columns += ["q.n_correct", "q.n_options"]
    corrected = explorer.store.data_version_of_tables("corrected_row")
    questions = "ebmqa_question_now" if corrected else "ebmqa_question_uncorrected"
    return (
        "with b as (select number, rater, prompt from ebmqa_answer_block where dataset = $dataset"
        f"{prompt} and repeat = $repeat{narrowed}),"
        f" q as (select {', '.join(['q.seq', 'q.correct', *columns])} from {questions} q"
        f" where {conditions})"
    ), params


def _of_questions(where: AnswerFilter) -> tuple[str, dict[str, Any]]:
    """A condition on the questions ``q``: their dataset, labels and words; and the parameters."""
    params: dict[str, Any] = {"dataset": where.dataset}
    conditions = ["q.dataset = $dataset"]
    for at, (label, values) in enumerate(where.labels):
        params[f"label{at}"] = list(values)
        conditions.append(
            f"list_has_any({_LIST.format(label)}, $label{at})"
            if label in SEVERAL
            else f"{_column(label)} in $label{at}"
        )
    for at, word in enumerate(where.search.lower().split()[:_MOST_WORDS]):
        params[f"word{at}"] = word
        conditions.append(
            f"(contains(lower(q.question), $word{at}) or lower(q.name) = $word{at}"
            f" or contains(lower(q.options::varchar), $word{at}))"
        )
    return " and ".join(conditions), params


def names_of_selected_questions(store: Store, where: AnswerFilter) -> set[str]:
    """The names of the questions that have these labels and words.

    Raises:
        InvalidInput: no question has such a label or value, or all of them together.
    """
    known = (
        AnswerAggregates(store, where.dataset, None).question_counts_of_values_by_label()
        if where.labels
        else {}
    )
    for label, values in where.labels:
        there = {value for value, _ in known.get(label, ())}
        if not there:
            raise InvalidInput(
                f"Questions have no label {label!r}.", hint=f"They have: {', '.join(known)}."
            )
        if gone := [value for value in values if value not in there]:
            listed = ", ".join(sorted(there - {""})[:20])
            raise InvalidInput(
                f"No question has the {label_in_words(label)} {gone[0]!r}.",
                hint=f"There is: {listed}.",
            )
    conditions, params = _of_questions(where)
    rows = store.rows(f"select q.name from ebmqa_question_now q where {conditions}", **params)
    if not rows:
        raise InvalidInput("No question has all of these labels and words.")
    return {name for (name,) in rows}


def _column(label: str) -> str:
    """A label of a question as text, empty if it has none."""
    if label == "answer":
        return _ANSWER
    return f"q.{label}::varchar" if label in COUNTED else f"coalesce(q.{label}, '')"


def _group(name: str) -> str:
    """The expression a dimension is grouped by, in a statement on ``_JOINED``."""
    return {"model": "b.rater", "prompt": "b.prompt"}.get(name, f"q.{name}")


def _apart(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """A table of counts with joined values split: they count for each of their parts."""
    for name in names:
        if name in SEVERAL and len(table):
            table[name] = [list(dict.fromkeys(_split(joined))) for joined in table[name]]
            table = table.explode(name).groupby(list(names), as_index=False, sort=True).sum()
    return table


def _split(joined: str) -> list[str]:
    return [part.strip() for part in joined.split(";")]
