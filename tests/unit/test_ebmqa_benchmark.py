"""Drawing a benchmark: each question once, the scarcest stratum first, by seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from medlens.errors import BadFile, InvalidInput
from medlens.studies.ebmqa.benchmark_sample import (
    PAPER,
    Design,
    Stratum,
    load_benchmark_design,
    sample_strata_by_question_name,
)


def questions(*labels: tuple[str, str], kind: str = "numeric") -> pd.DataFrame:
    """One question per (length, answer)."""
    rows = [
        {"name": f"{kind[0]}{at:03d}", "kind": kind, "length": length, "answer": answer}
        for at, (length, answer) in enumerate(labels)
    ]
    return pd.DataFrame(rows)


def design(*strata: Stratum, seed: int = 1, semantic: int | None = None) -> Design:
    return Design(strata, seed, semantic)


def test_the_scarcest_stratum_goes_first_so_that_others_do_not_use_it_up() -> None:
    # 3 short and low, 5 long and low. Two of "low" drawn first could take short ones, of which
    # all three are needed: short (3 of 3) goes before low (2 of 8).
    table = questions(*[("short", "low")] * 3, *[("long", "low")] * 5)
    for seed in range(20):
        drawn = sample_strata_by_question_name(
            table,
            design(Stratum("answer", 2, ("low",)), Stratum("length", 3, ("short",)), seed=seed),
        )
        assert Counter(drawn.values()) == {"length: short": 3, "answer: low": 2}
        assert {name for name, why in drawn.items() if why == "length: short"} == {
            "n000",
            "n001",
            "n002",
        }


def test_each_question_is_drawn_once_and_all_semantic_ones_come_along() -> None:
    table = pd.concat(
        [
            questions(*[("short", "low")] * 10, *[("long", "high")] * 10),
            questions(*[("short", "")] * 4, kind="semantic"),
        ]
    )
    strata = (Stratum("length", 5, ("short", "long")), Stratum("answer", 5, ("low", "high")))
    drawn = sample_strata_by_question_name(table, design(*strata))
    assert len(drawn) == 24
    assert Counter(drawn.values())["semantic"] == 4
    fewer = sample_strata_by_question_name(table, design(*strata, semantic=1))
    assert Counter(fewer.values())["semantic"] == 1


def test_a_seed_draws_the_same_whatever_the_order_of_the_questions() -> None:
    table = questions(*[("short", "low")] * 50)
    one = Stratum("length", 10, ("short",))
    first = sample_strata_by_question_name(table, design(one, seed=7))
    assert (
        sample_strata_by_question_name(table.sample(frac=1, random_state=3), design(one, seed=7))
        == first
    )
    assert sample_strata_by_question_name(table, design(one, seed=8)) != first


def test_the_largest_values_are_taken_where_none_are_named() -> None:
    table = questions(*[("short", "low")] * 5, *[("long", "low")] * 4, *[("medium", "low")] * 3)
    drawn = sample_strata_by_question_name(table, design(Stratum("length", 2, largest=2)))
    assert Counter(drawn.values()) == {"length: short": 2, "length: long": 2}


def test_a_value_is_found_under_its_other_names_whatever_its_capitals() -> None:
    table = questions(*[("short", "low")] * 9)
    table["discipline"] = [
        "digestive",
        "Digestive System",
        "Gastroenterology",
        "Nervous system",
        "nervous",
        "renal",
        "Renal pelvis",
        None,
        "Digestive tract",
    ]
    wanted = ("Digestive system|gastroenterology", "Nervous diseases", "renal")
    drawn = sample_strata_by_question_name(table, design(Stratum("discipline", 1, wanted)))
    assert set(drawn.values()) == {
        "discipline: Digestive system",
        "discipline: Nervous diseases",
        "discipline: renal",
    }
    whole = sample_strata_by_question_name(table, design(Stratum("discipline", 3, wanted[:1])))
    assert set(whole) == {"n000", "n001", "n002"}
    with pytest.raises(InvalidInput, match="'discipline: Eye' is short") as caught:
        sample_strata_by_question_name(table, design(Stratum("discipline", 1, ("Eye",))))
    assert "Digestive tract" in caught.value.hint


def test_a_short_stratum_is_named_with_what_there_is() -> None:
    table = questions(*[("short", "low")] * 5)
    with pytest.raises(InvalidInput, match=r"'length: short' is short: 9 .* there are 5\."):
        sample_strata_by_question_name(table, design(Stratum("length", 9, ("short",))))
    both = (Stratum("length", 3, ("short",)), Stratum("answer", 3, ("low",)))
    with pytest.raises(InvalidInput, match="there are 5, 3 of them drawn for other strata"):
        sample_strata_by_question_name(table, design(*both))
    with pytest.raises(InvalidInput, match="'semantic' is short"):
        sample_strata_by_question_name(table, design(Stratum("length", 1, ("short",)), semantic=2))


def test_all_strata_that_are_short_are_named_at_once() -> None:
    table = questions(*[("short", "low")] * 5, *[("long", "high")] * 3, *[("medium", "low")] * 20)
    lengths = Stratum("length", 6, ("short", "medium", "long"))
    with pytest.raises(InvalidInput) as caught:
        sample_strata_by_question_name(
            table, design(lengths, Stratum("answer", 4, ("high", "low")))
        )
    assert caught.value.message == (
        "The stratum 'length: long' is short: 6 questions are to be drawn, there are 3."
        " Short as well: 'length: short' (5), 'answer: high' (3)."
    )


def test_the_papers_design_is_twenty_two_thousand_numeric_questions_and_all_semantic() -> None:
    # 4 subjects x 1,000 + 7 disciplines x 500 + 3 prevalences x 1,500 + 4 types x 1,000
    # + 3 lengths x 1,000 + 3 answers x 1,000 = 22,000.
    found = load_benchmark_design(PAPER)
    assert sum(one.each * (len(one.values) or one.largest) for one in found.strata) == 22_000
    assert found.semantic is None
    # It names its types and disciplines, as the paper does.
    assert not any(one.largest for one in found.strata)
    named = {one.label: [value.partition("|")[0] for value in one.values] for one in found.strata}
    assert named["qa_type"] == ["Sensitivity", "Risk factor", "Association", "Incidence"]
    assert len(named["discipline"]) == 7


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('[[stratum]]\nlabel = "size"\nvalues = ["x"]\neach = 1\n', 3, "label"),
        ('[[stratum]]\nlabel = "length"\nvalues = ["tiny"]\neach = 1\n', 4, "values"),
        ('[[stratum]]\nlabel = "length"\neach = 1\n', 2, "values"),
        ('[[stratum]]\nlabel = "length"\nlargest = 2\neach = "many"\n', 5, "each"),
        ('[[stratum]]\nlabel = "length"\nlargest = 2\neach = 1\nextra = 1\n', 6, "extra"),
    ],
)
def test_a_fault_in_a_design_is_named_by_line(
    text: str, line: int, column: str, tmp_path: Path
) -> None:
    path = tmp_path / "design.toml"
    path.write_text("seed = 1\n" + text)
    with pytest.raises(BadFile) as caught:
        load_benchmark_design(path)
    assert (caught.value.rows[0].line, caught.value.rows[0].column) == (line, column)
