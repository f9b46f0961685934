"""From edges to questions: the paper's rules, worked by hand, and what is not let in."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from medlens.errors import BadFile, InvalidInput
from medlens.studies.ebmqa.graph import MadeQuestions, make_questions_from_edge_file
from medlens.studies.ebmqa.graph.vocabulary import OPTIONAL, REQUIRED

COLUMNS = (*REQUIRED, *OPTIONAL)


def edge(qa_type: str, target: str, value: str, **more: str) -> dict[str, str]:
    return {
        "qa_type": qa_type,
        "source": "gout",
        "source_type": "disorder",
        "target": target,
        "target_type": "sign",
        "min": value,
        "max": value,
        "citations": "Smith 2020",
        **more,
    }


def graph(tmp_path: Path, *edges: dict[str, str]) -> Path:
    lines = [",".join(COLUMNS)]
    lines += [",".join(one.get(column, "") for column in COLUMNS) for one in edges]
    path = tmp_path / "graph.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def made_of(tmp_path: Path, *edges: dict[str, str], **how: Any) -> MadeQuestions:
    return make_questions_from_edge_file(graph(tmp_path, *edges), **how)


def by_source(made: MadeQuestions) -> dict[str, dict[str, Any]]:
    return by_end(made, "source")


def by_target(made: MadeQuestions) -> dict[str, dict[str, Any]]:
    return by_end(made, "target")


def by_end(made: MadeQuestions, end: str) -> dict[str, dict[str, Any]]:
    """Questions by one of their ends, with the texts of the correct options beside."""
    rows = {}
    for row in made.questions.to_pylist():
        options = json.loads(row["options"])
        row["right"] = [o for at, o in enumerate(options) if row["correct"] >> at & 1]
        row["options"] = options
        rows[row[end]] = row
    return rows


SHARES = [".02", ".05", ".10", ".235", ".30", ".42", ".60"]


def sensitivities(values: list[str], **more: str) -> list[dict[str, str]]:
    return [edge("Sensitivity", f"s{at}", value, **more) for at, value in enumerate(values)]


def test_shares_split_at_median_minus_and_plus_mad_and_the_bounds_belong_to_the_middle(
    tmp_path: Path,
) -> None:
    # The median of the seven is .235; distances .215 .185 .135 0 .065 .185 .365, their median
    # .185: the middle is .05 to .42. In floats .235 - .185 is .04999999999999999.
    found = by_target(made_of(tmp_path, *sensitivities(SHARES)))
    for one in found.values():
        assert one["options"] == ["Greater than 42%", "Between 5% and 42%", "Less than 5%"]
    assert [found[f"s{at}"]["answer"] for at in range(7)] == [
        "low",
        "middle",
        "middle",
        "middle",
        "middle",
        "middle",
        "high",
    ]
    assert found["s1"]["right"] == found["s5"]["right"] == ["Between 5% and 42%"]
    assert found["s6"]["right"] == ["Greater than 42%"]


def test_a_middle_that_is_stated_as_a_range_is_its_mean(tmp_path: Path) -> None:
    edges = sensitivities(SHARES)
    edges[3] = {**edges[3], "min": ".2", "max": ".27"}  # (.2 + .27) / 2 = .235
    found = by_target(made_of(tmp_path, *edges))
    assert found["s3"]["value"] == 0.235
    assert found["s0"]["options"][1] == "Between 5% and 42%"


def test_duplicates_merge_to_the_mean_before_any_median(tmp_path: Path) -> None:
    # s6 twice, .5 and .7: mean .6. Unmerged, eight values would have the median .2675.
    edges = [
        *sensitivities(SHARES[:6]),
        edge("Sensitivity", "s6", ".5"),
        edge("Sensitivity", "s6", ".7"),
    ]
    made = made_of(tmp_path, *edges)
    found = by_target(made)
    assert len(found) == 7
    assert (made.edges, len(made.questions)) == (8, 7)
    assert found["s6"]["value"] == 0.6
    assert found["s6"]["options"][1] == "Between 5% and 42%"


def test_the_same_names_against_another_background_are_another_question(tmp_path: Path) -> None:
    edges = sensitivities(SHARES)
    other = {**edges[0], "background": "children", "background_type": "population"}
    questions = made_of(tmp_path, *edges, other).questions.to_pylist()
    assert sum(row["target"] == "s0" for row in questions) == 2
    assert len({row["name"] for row in questions}) == 8


def test_without_room_below_there_is_no_low_option_and_the_type_is_flagged(tmp_path: Path) -> None:
    # Median .1, distances .09 .05 0 .4 .5, their median .09 ... with .01 as the lowest: the MAD of
    # .0 .01 .1 .5 .6 is the median of .1 .09 0 .4 .5 = .1, so median - MAD = 0.
    made = made_of(tmp_path, *sensitivities([".0", ".01", ".1", ".5", ".6"]))
    found = by_target(made)
    assert found["s0"]["options"] == ["Greater than 20%", "Between 0% and 20%"]
    assert [found[f"s{at}"]["right"] for at in range(5)] == [
        *3 * [["Between 0% and 20%"]],
        *2 * [["Greater than 20%"]],
    ]
    # Answers are low, middle or high only where there are these three (Appendix, "Labeling").
    assert {one["answer"] for one in found.values()} == {None}
    assert any("no low option" in line for line in made.report_lines())


def test_tiny_prevalences_keep_their_bounds(tmp_path: Path) -> None:
    # Median 1e-4; distances 9.94e-05, 0, 0.0009: MAD 9.94e-05. Bounds 6e-07 and 0.0001994, in
    # percent 0.00006 and 0.01994, which is written 0.02: no value lies between the two.
    edges = [
        edge("Prevalence", f"s{at}", value) for at, value in enumerate(["6e-07", "1e-4", "0.001"])
    ]
    found = by_target(made_of(tmp_path, *edges))
    assert found["s0"]["options"][1] == "Between 0.00006% and 0.02%"
    assert [found[f"s{at}"]["answer"] for at in range(3)] == ["middle", "middle", "high"]


def test_ratios_split_at_the_medians_of_each_side_and_exactly_one_is_left_out(
    tmp_path: Path,
) -> None:
    # Below 1: .5 .7 .9, median .7. Above: 1.5 2.5 4, median 2.5.
    values = [".5", ".7", ".9", "1.0", "1.5", "2.5", "4"]
    edges = [edge("Relative risk", f"s{at}", value) for at, value in enumerate(values)]
    made = made_of(tmp_path, *edges)
    found = by_target(made)
    assert found["s0"]["options"] == [
        "Increases the chance more than 2.5 times",
        "Increases the chance between 1.01 and 2.5 times",
        "Decreases the chance to between 0.7 and 0.99 of what it was",
        "Decreases the chance to less than 0.7 of what it was",
    ]
    assert found["s1"]["right"] == ["Decreases the chance to between 0.7 and 0.99 of what it was"]
    assert found["s5"]["right"] == ["Increases the chance between 1.01 and 2.5 times"]
    assert found["s0"]["right"] == ["Decreases the chance to less than 0.7 of what it was"]
    assert found["s6"]["right"] == ["Increases the chance more than 2.5 times"]
    # A ratio has two middle ranges, so its answers are not low, middle or high (Appendix).
    assert {one["answer"] for one in found.values()} == {None}
    assert "s3" not in found
    assert made.left_out == {"no_effect": 1}


def test_a_side_of_one_without_values_gives_no_options(tmp_path: Path) -> None:
    edges = [edge("PLR", f"s{at}", value) for at, value in enumerate(["2", "3", "8"])]
    made = made_of(tmp_path, *edges)
    assert by_target(made)["s0"]["options"] == [
        "Increases the odds more than 3 times",
        "Increases the odds between 1.01 and 3 times",
    ]
    assert made.ranges[0].flag == "no values below 1"


def ranked(source: str, **values: str) -> list[dict[str, str]]:
    return [
        edge("Semantic", name, value, source=source, relation="most frequent sign")
        for name, value in values.items()
    ]


def test_within_ten_percent_of_the_highest_is_correct_and_exactly_ten_below_is_not(
    tmp_path: Path,
) -> None:
    # Of 50 ten percent below is 45: 45.5 is within, 45 is not. Of 100 it is 90: 90.5 is within.
    made = made_of(
        tmp_path,
        *ranked("gout", tophi="50", pain="45.5", fever="45", cough="20"),
        *ranked("flu", fever="100", cough="90.5", rash="10"),
        *ranked("sprain", pain="50", swelling="46", bruise="47"),
    )
    found = by_source(made)
    assert found["gout"]["right"] == ["pain", "tophi"]
    assert found["gout"]["options"] == ["cough", "fever", "pain", "tophi"]
    assert found["flu"]["right"] == ["cough", "fever"]
    assert "sprain" not in found
    assert made.left_out == {"all_correct": 3}


def test_semantic_questions_have_two_to_six_targets(tmp_path: Path) -> None:
    seven = {f"t{at}": str(at) for at in range(7)}
    made = made_of(
        tmp_path, *ranked("one", a="5"), *ranked("seven", **seven), *ranked("two", a="5", b="1")
    )
    assert list(by_source(made)) == ["two"]
    assert made.left_out == {"few_targets": 1, "many_targets": 7}


def test_what_is_left_out_is_counted_by_reason(tmp_path: Path) -> None:
    made = made_of(
        tmp_path,
        *sensitivities(SHARES),
        edge("Sensitivity", "a;b", ".1"),
        edge("Sensitivity", "c", ".1", source="gout; flu"),
        edge("Sensitivity", "d", ".1", background="old;ill", background_type="population"),
        edge("Sensitivity", "e", ".1", source_type="non-medical"),
        edge("Specificity", "f", ".1"),
    )
    assert len(made.questions) == 7
    assert made.left_out == {
        "sources": 1,
        "targets": 1,
        "backgrounds": 1,
        "not_medical": 1,
        "one_value": 1,
    }


def test_disciplines_of_both_ends_are_joined_and_one_alone_is_the_unique_one(
    tmp_path: Path,
) -> None:
    both = {"source_disciplines": "Rheumatology; Pain", "target_disciplines": "Rheumatology"}
    one = {"source_disciplines": "Rheumatology", "target_disciplines": ""}
    edges = sensitivities(SHARES)
    edges[0], edges[1] = {**edges[0], **both}, {**edges[1], **one, "source": "flu"}
    found = by_target(made_of(tmp_path, *edges))
    assert (found["s0"]["disciplines"], found["s0"]["discipline"]) == ("Pain; Rheumatology", None)
    assert found["s1"]["discipline"] == "Rheumatology"


def test_prevalence_is_classed_over_disorders_and_only_for_a_single_one(tmp_path: Path) -> None:
    # Disorders: .01 .02 .03 .04 .3; median .03, distances .02 .01 0 .01 .27, MAD .01: common is
    # .02 to .04. d0 is rare, d4 widespread.
    edges = [
        edge("Prevalence", "everyone", value, target_type="population", source=f"d{at}")
        for at, value in enumerate([".01", ".02", ".03", ".04", ".3"])
    ]
    pairs = [
        edge("Association", "d1", value, source=source, target_type="disorder")
        for source, value in (("d0", ".1"), ("d4", ".2"))
    ]
    made = made_of(
        tmp_path,
        *edges,
        *pairs,
        edge("PPV", "s", ".1", source="d4"),
        edge("PPV", "t", ".3", source="d0"),
    )
    found = {(row["qa_type"], row["source"]): row for row in made.questions.to_pylist()}
    assert [found["Prevalence", f"d{at}"]["prevalence"] for at in range(5)] == [
        "rare",
        "common",
        "common",
        "common",
        "widespread",
    ]
    assert found["Association", "d0"]["prevalence"] is None
    assert found["PPV", "d4"]["prevalence"] == "widespread"
    assert found["PPV", "d4"]["subject_type"] == "sign"
    assert found["Association", "d0"]["subject_type"] is None


def test_length_counts_question_instruction_and_options_and_is_classed_by_median_and_mad(
    tmp_path: Path,
) -> None:
    edges = sensitivities(SHARES)
    edges[6] = {**edges[6], "target": "a sign with a very long name indeed"}
    made = made_of(tmp_path, *edges)
    rows = {row["target"]: row for row in made.questions.to_pylist()}
    # What proportion of patients with gout have s0? 8. Instruction: 10. Options: Greater than 42%,
    # Between 5% and 42%, Less than 5%: 3 + 4 + 3. I do not know: 4. Together 32; MAD 0.
    assert rows["s0"]["words"] == 32
    assert rows["s0"]["length"] == "medium"
    assert rows["a sign with a very long name indeed"]["words"] == 39
    assert rows["a sign with a very long name indeed"]["length"] == "long"


BAD = [
    ({"min": ".5", "max": ".2"}, "min", "at most the max"),
    ({"min": "-0.1"}, "min", "a number from 0"),
    ({"max": "1.2"}, "max", "a share from 0 to 1"),
    ({"max": "many"}, "max", "a number"),
    ({"min": ""}, "min", "a number"),
    ({"citations": " "}, "citations", "where the numbers come from"),
    ({"qa_type": "Sensibility"}, "qa_type", "one of Sensitivity"),
    ({"target_type": "gadget"}, "target_type", "one of disorder"),
    ({"source": ""}, "source", "the entity"),
]


def test_bad_edges_are_refused_with_their_lines_or_left_out_and_counted(tmp_path: Path) -> None:
    bad = [{**edge("Sensitivity", "bad", ".1"), **change} for change, _, _ in BAD]
    edges = [*sensitivities(SHARES), *bad, edge("Sensitivity", "after", ".1")]
    with pytest.raises(BadFile, match="nothing was made") as caught:
        made_of(tmp_path, *edges)
    # The header and seven edges stand before them.
    for line, (row, one, (_, column, expected)) in enumerate(
        zip(caught.value.rows, bad, BAD, strict=True), start=9
    ):
        assert (row.line, row.column) == (line, column)
        assert expected in row.expected
        assert row.got == one.get(column, "").strip()
    made = made_of(tmp_path, *edges, skip_bad=True)
    assert len(made.questions) == 8
    assert sum(made.refused.values()) == 9
    assert "Refused: 1 edge," in "\n".join(made.report_lines())


def test_the_line_of_a_bad_edge_is_the_files_where_cells_span_lines_or_lines_are_blank(
    tmp_path: Path,
) -> None:
    path = graph(tmp_path, *sensitivities(SHARES), edge("Sensitivity", "bad", "2"))
    text = path.read_text()
    path.write_text(text.replace(",s2,", ',"pain\nin\nthe knee",'))
    with pytest.raises(BadFile) as caught:
        make_questions_from_edge_file(path)
    assert [row.line for row in caught.value.rows] == [11]  # line 9, and two more of the cell
    assert caught.value.rows[0].got == "2"
    lines = text.splitlines()
    path.write_text("\n".join([*lines[:3], "", lines[3], "Sensitivity,cut", *lines[4:]]) + "\n")
    with pytest.raises(BadFile) as caught:
        make_questions_from_edge_file(path)
    assert [row.line for row in caught.value.rows] == [6, 11]  # a blank line and a cut one before


def test_a_row_with_more_or_fewer_cells_is_refused_with_its_line(tmp_path: Path) -> None:
    path = graph(tmp_path, *sensitivities(SHARES))
    lines = path.read_text().splitlines()
    lines[3] += ",more,and,more"
    lines[4] = "Sensitivity,gout,disorder"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadFile) as caught:
        make_questions_from_edge_file(path)
    assert [(row.line, row.got) for row in caught.value.rows] == [(4, "more"), (5, "fewer")]
    assert made_lines(path) == 5


def made_lines(path: Path) -> int:
    return len(make_questions_from_edge_file(path, skip_bad=True).questions)


def test_a_wrong_delimiter_is_named(tmp_path: Path) -> None:
    path = graph(tmp_path, *sensitivities(SHARES))
    path.write_text(path.read_text().replace(",", ";"))
    with pytest.raises(BadFile) as caught:
        make_questions_from_edge_file(path)
    assert "semicolons" in caught.value.hint


def test_lines_that_end_otherwise_than_those_before_are_named(tmp_path: Path) -> None:
    path = graph(tmp_path, *sensitivities(SHARES, **{COLUMNS[-1]: "x"}))
    text = path.read_text(encoding="utf-8").replace("\n", "\r\n")
    # The header and the seven edges before it end in CR LF.
    path.write_bytes((text + text.splitlines()[-1] + "\n").encode())
    with pytest.raises(BadFile, match="line 9: it ends with another kind"):
        make_questions_from_edge_file(path)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = graph(tmp_path, *sensitivities(SHARES))
    path.write_text(path.read_text().replace("citations", "sources"))
    with pytest.raises(BadFile, match="column citations is missing"):
        make_questions_from_edge_file(path)


def test_of_one_edge_no_question_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no question can be made of its 1 edge"):
        made_of(tmp_path, edge("Sensitivity", "s", ".1"))


def test_names_may_hold_commas_quotes_and_braces(tmp_path: Path) -> None:
    path = graph(tmp_path, *sensitivities(SHARES))
    text = path.read_text().replace(",s0,", ',"pain, ""sharp"" {target}",')
    path.write_text(text)
    found = by_target(make_questions_from_edge_file(path))
    assert found['pain, "sharp" {target}']["question"] == (
        'What proportion of patients with gout have pain, "sharp" {target}?'
    )


def test_parquet_gives_the_same_questions_as_csv(tmp_path: Path) -> None:
    path = graph(tmp_path, *sensitivities(SHARES), *ranked("gout", a="50", b="10"))
    rows = [
        dict(zip(COLUMNS, line.split(","), strict=True))
        for line in path.read_text().splitlines()[1:]
    ]
    table = pa.Table.from_pylist(
        [{**row, "min": float(row["min"]), "max": float(row["max"])} for row in rows]
    )
    pq.write_table(table, tmp_path / "graph.parquet")
    order = [("name", "ascending")]
    assert make_questions_from_edge_file(tmp_path / "graph.parquet").questions.sort_by(
        order
    ) == make_questions_from_edge_file(path).questions.sort_by(order)


# The ends with their types, and how the edge is asked. The numbers keep apart what would be merged.
ASKED = [
    (
        "Sensitivity",
        "malaria: disorder",
        "fever: sign",
        "What proportion of patients with malaria have fever?",
    ),
    (
        "Sensitivity",
        "fever: sign",
        "malaria: disorder",
        "What proportion of patients with malaria have fever?",
    ),
    (
        "Specificity",
        "fever: sign",
        "malaria: disorder",
        "What proportion of patients without malaria do not have fever?",
    ),
    (
        "PPV",
        "malaria: disorder",
        "parasites in blood: laboratory",
        "What is the probability of malaria in a patient with parasites in blood?",
    ),
    (
        "PPV",
        "parasites in blood: laboratory",
        "malaria: disorder",
        "What is the probability of malaria in a patient with parasites in blood?",
    ),
    (
        "NPV",
        "malaria: disorder",
        "fever: sign",
        "What is the probability that a patient without fever does not have malaria?",
    ),
    (
        "PLR",
        "fever: sign",
        "malaria: disorder",
        "How does finding fever change the odds of malaria?",
    ),
    (
        "NLR",
        "malaria: disorder",
        "fever: sign",
        "How does the absence of fever change the odds of malaria?",
    ),
    # Both disorders: nothing tells, so the source is the group, as in the paper.
    (
        "Sensitivity",
        "diabetes: disorder",
        "neuropathy: disorder",
        "What proportion of patients with diabetes have neuropathy?",
    ),
    (
        "Prevalence",
        "malaria: disorder",
        "children: population",
        "What is the prevalence of malaria in children?",
    ),
    (
        "Prevalence",
        "children: population",
        "malaria: disorder",
        "What is the prevalence of malaria in children?",
    ),
    (
        "Prevalence",
        "malaria: disorder",
        "fever: sign",
        "What is the prevalence of fever in patients with malaria?",
    ),
    (
        "Prevalence",
        "fever: sign",
        "malaria: disorder",
        "What is the prevalence of fever in patients with malaria?",
    ),
    (
        "Prevalence",
        "dysuria: sign",
        "women: population",
        "What is the prevalence of dysuria in women?",
    ),
    (
        "Prevalence",
        "smoking: exposure",
        "men: population",
        "What is the prevalence of smoking in men?",
    ),
    (
        "Incidence",
        "malaria: disorder",
        "smoking: exposure",
        "What is the annual incidence of malaria given smoking?",
    ),
    (
        "Association",
        "fever: sign",
        "malaria: disorder",
        "What proportion of patients with malaria also have fever?",
    ),
    (
        "Risk factor",
        "smoking: exposure",
        "stroke: disorder",
        "What is the effect of smoking, as a risk factor, on the chance of developing stroke?",
    ),
    (
        "Risk factor",
        "stroke: disorder",
        "smoking: exposure",
        "What is the effect of smoking, as a risk factor, on the chance of developing stroke?",
    ),
    (
        "Risk factor",
        "diabetes: disorder",
        "stroke: disorder",
        "What is the effect of diabetes, as a risk factor, on the chance of developing stroke?",
    ),
]


def test_the_types_of_both_ends_tell_which_way_an_edge_is_asked(tmp_path: Path) -> None:
    edges, expected = [], {}
    for qa_type in dict.fromkeys(case[0] for case in ASKED):
        values = ["3", ".5", "2", ".4"] if qa_type in ("PLR", "NLR", "Risk factor") else SHARES
        edges += [edge(qa_type, f"s{at}", value) for at, value in enumerate(values)]
    for at, (qa_type, source, target, question) in enumerate(ASKED):
        (one, one_type), (other, other_type) = source.split(": "), target.split(": ")
        ends = {"source": f"{one} {at}", "source_type": one_type, "target_type": other_type}
        edges.append(edge(qa_type, f"{other} {at}", ".3", **ends))
        numbered = question.replace(one, f"{one} {at}").replace(other, f"{other} {at}")
        expected[frozenset((f"{one} {at}", f"{other} {at}"))] = numbered
    rows = made_of(tmp_path, *edges).questions.to_pylist()
    found = {frozenset((row["source"], row["target"])): row["question"] for row in rows}
    assert {ends: found[ends] for ends in expected} == expected


def test_turned_edges_are_counted_named_by_line_and_merged_with_those_that_stand_right(
    tmp_path: Path,
) -> None:
    turned = {"source": "s6", "source_type": "sign", "target": "gout", "target_type": "disorder"}
    edges = [*sensitivities(SHARES), {**edge("Sensitivity", "", ".80"), **turned}]
    made = made_of(tmp_path, *edges)
    assert (made.turned, made.turned_lines, len(made.questions)) == (1, (9,), 7)
    assert by_target(made)["s6"]["value"] == 0.7  # the mean of .6 and .8
    assert any("1 edge" in line and "line 9" in line for line in made.report_lines())
    assert made_of(tmp_path, *edges[:-1]).turned == 0


def test_the_disciplines_of_a_turned_edge_go_with_their_ends(tmp_path: Path) -> None:
    ends = {
        "source": "x",
        "source_type": "sign",
        "target": "gout",
        "target_type": "disorder",
        "source_disciplines": "Eye",
        "target_disciplines": "Joints",
    }
    made = made_of(tmp_path, *sensitivities(SHARES), {**edge("Sensitivity", "", ".2"), **ends})
    one = by_target(made)["x"]
    assert (one["source"], one["source_type"], one["target_type"]) == ("gout", "disorder", "sign")
    assert one["disciplines"] == "Eye; Joints"


BACKGROUNDS = {
    "children": ("population", "In children, what proportion of patients with gout"),
    "diabetes": ("disorder", "In patients with diabetes, what proportion of"),
    "smoking": ("exposure", "Given smoking, what proportion of patients with gout"),
}


def test_a_background_stands_before_the_question(tmp_path: Path) -> None:
    edges = [
        one
        for background, (kind, _) in BACKGROUNDS.items()
        for one in sensitivities(SHARES, background=background, background_type=kind)
    ]
    rows = made_of(tmp_path, *edges).questions.to_pylist()
    assert len(rows) == 21
    for row in rows:
        assert row["question"].startswith(BACKGROUNDS[row["background"]][1])
        assert_words(row, "Choose the one option that fits the published evidence best.")


RELATIONS = {
    "location": "What is the most common location of gout?",
    "age group": "What is the most common age group in gout?",
    "most frequent sign": "What is the most frequent sign of gout?",
    "Most severe sign": "What is the most severe sign of gout?",
    "abnormal Tests": "What is the most common abnormal Tests in gout?",
    "mostly late sign": "What is the most common mostly late sign of gout?",
}


def test_a_semantic_question_is_a_sentence_and_its_length_is_that_of_its_text(
    tmp_path: Path,
) -> None:
    edges = [
        edge("Semantic", name, value, relation=relation)
        for relation in RELATIONS
        for name, value in (("toe pain", ".9"), ("fever at night", ".2"))
    ]
    rows = made_of(tmp_path, *edges).questions.to_pylist()
    within = "Options within 10% of the highest are also correct."
    assert {row["question"] for row in rows} == {f"{one} {within}" for one in RELATIONS.values()}
    assert len(rows) == len(RELATIONS)
    for row in rows:
        assert_words(row, "Choose every option that is correct; there may be one or several.")


def assert_words(row: dict[str, Any], instruction: str) -> None:
    texts = [row["question"], *json.loads(row["options"]), "I do not know", instruction]
    assert row["words"] == sum(len(text.split()) for text in texts)


def test_every_numeric_length_is_that_of_its_text(tmp_path: Path) -> None:
    edges = [
        edge(qa_type, f"a sign {at}", value, target_type=kind)
        for qa_type in ("Sensitivity", "NPV", "Prevalence", "Incidence", "PLR", "Risk factor")
        for kind in ("sign", "population")
        for at, value in enumerate([".3", ".5", ".9", ".2"])
    ]
    rows = made_of(tmp_path, *edges).questions.to_pylist()
    assert len(rows) > 20
    for row in rows:
        assert_words(row, "Choose the one option that fits the published evidence best.")


def test_a_question_keeps_the_range_its_sources_state_and_their_citations(tmp_path: Path) -> None:
    edges = [
        *sensitivities(SHARES),
        edge("Sensitivity", "s9", ".1", max=".3", citations="Jones 2019; https://example.org/a"),
        edge("Sensitivity", "s9", ".2", max=".6", citations="Adams 2001"),
        edge("Sensitivity", "s9", ".2", max=".6", citations="Jones 2019"),
    ]
    one = by_target(made_of(tmp_path, *edges))["s9"]
    # Middles .2, .4 and .4: their mean is a third.
    assert json.loads(one["evidence"]) == [
        {
            "value": pytest.approx(1 / 3, abs=1e-9),
            "min": 0.1,
            "max": 0.6,
            "edges": 3,
            "citations": ["Adams 2001", "Jones 2019", "https://example.org/a"],
        }
    ]


def test_a_semantic_question_keeps_the_value_behind_each_option(tmp_path: Path) -> None:
    edges = [
        edge("Semantic", "tophi", ".4", max=".6", relation="sign", citations="A 1"),
        edge("Semantic", "fever", ".2", relation="sign", citations="B 2"),
    ]
    [row] = made_of(tmp_path, *edges).questions.to_pylist()
    assert json.loads(row["options"]) == ["fever", "tophi"]
    found = json.loads(row["evidence"])
    assert [(one["value"], one["min"], one["max"]) for one in found] == [
        (0.2, 0.2, 0.2),
        (0.5, 0.4, 0.6),
    ]
    assert [one["citations"] for one in found] == [["B 2"], ["A 1"]]


def test_options_are_written_round_and_stay_true_of_every_value(tmp_path: Path) -> None:
    draw = random.Random(7)
    edges = [
        edge(qa_type, f"s{at}", f"{draw.uniform(0, 1) ** 6:.9f}")
        for qa_type in ("Sensitivity", "Prevalence")
        for at in range(60)
    ]
    edges += [edge("PLR", f"s{at}", f"{draw.lognormvariate(0, 1):.9f}") for at in range(60)]
    rows = made_of(tmp_path, *edges).questions.to_pylist()
    assert len(rows) == 180
    for row in rows:
        options = json.loads(row["options"])
        [right] = [text for at, text in enumerate(options) if row["correct"] >> at & 1]
        assert "e-" not in right
        scale = 1 if row["qa_type"] == "PLR" else 100
        numbers = [float(text) for text in re.findall(r"\d+(?:\.\d+)?", right)]
        value = row["value"] * scale
        if right.startswith(("Greater", "Increases the odds more")):
            assert value > numbers[0]
        elif "ess than" in right:
            assert value < numbers[0]
        elif "1.01" not in right and "0.99" not in right:
            assert numbers[0] <= value <= numbers[1]


def test_procedures_and_imaging_are_one_subject(tmp_path: Path) -> None:
    kinds = ["sign", "laboratory", "imaging", "procedure", "disorder", "gene"]
    edges = [edge("PPV", kind, f".{at + 1}", target_type=kind) for at, kind in enumerate(kinds)]
    found = by_target(made_of(tmp_path, *edges))
    assert [found[kind]["subject_type"] for kind in kinds] == [
        "sign",
        "laboratory",
        "imaging",
        "imaging",
        "disorder",
        "disorder",
    ]
