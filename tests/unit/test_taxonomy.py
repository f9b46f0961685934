from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from medlens.errors import BadFile, InvalidInput
from medlens.review.marked_spans_checked_carried_and_timed import COLOURS, PATTERNS
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.taxonomy import (
    Taxonomy,
    is_refuting_reference,
    load_taxonomy,
    taxonomy_as_toml,
)

G4UE = Path(__file__).resolve().parents[2] / "data" / "taxonomies" / "g4ue.toml"

TEXT = "Give dextrose first. Thiamine can wait."
LINK = "https://example.org/thiamine"

GOOD = '''\
id = "small"
title = "Two labels"
version = "1"

[[label]]
id = "wrong"
key = 1
name = "Wrong"
kind = "error"
colour = "#d55e00"
hint = "Not right."
definition = """
Says something that is not so.
[[label]]
key = 9
"""

[[label]]
id = "fine"
name = "Fine"
kind = "non_error"
colour = "#0072b2"
pattern = "dotted"
hint = "Nothing wrong."
definition = "No fault."
steps = [
    "Read it.",  # all of it
    "Read [[label]] again.",
]

[[reading]]
title = "A book"
url = "https://example.org/book"
'''


@pytest.fixture(scope="module")
def g4ue() -> Taxonomy:
    return load_taxonomy(G4UE)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def span(quote: str, *labels: str, link: str = "", text: str = TEXT) -> ErrorSpan:
    start = text.index(quote)
    return ErrorSpan(start=start, end=start + len(quote), quote=quote, labels=labels, link=link)


def test_the_study_taxonomy_has_the_nine_labels_in_the_guidelines_order(g4ue: Taxonomy) -> None:
    assert [(label.key, label.id, label.kind) for label in g4ue.labels] == [
        (1, "non_medical_factual_error", "error"),
        (2, "sticking_with_wrong_diagnosis", "error"),
        (3, "incorrect_or_vague_conclusion", "error"),
        (4, "ignore_missing_information", "error"),
        (5, "incorrect_understanding_of_task", "error"),
        (6, "hallucination_of_information", "error"),
        (7, "unsupported_medical_claim", "error"),
        (8, "reasonable_response", "non_error"),
        (9, "cannot_pick_category", "non_error"),
    ]
    assert [label.id for label in g4ue.labels if label.requires_link] == [
        "unsupported_medical_claim"
    ]


def test_no_word_of_a_label_says_which_model_wrote_the_response(g4ue: Taxonomy) -> None:
    for label in g4ue.labels:
        shown = (label.name, label.hint, label.definition, label.not_when, *label.steps)
        assert "GPT" not in " ".join((*shown, label.example, label.example_reason))
    # Published files keep the paper's spelling, and are read by either.
    reasonable = g4ue.require_label_with_id("reasonable_response")
    assert reasonable.export_name == "Reasonable response by GPT-4"
    assert g4ue.find_label_by_any_name("Reasonable response by GPT-4") is reasonable
    assert g4ue.find_label_by_any_name("reasonable response") is reasonable


def test_every_label_of_the_study_explains_itself(g4ue: Taxonomy) -> None:
    for label in g4ue.labels:
        texts = (label.hint, label.definition, label.not_when, label.example, label.example_reason)
        assert all(texts), label.id
        assert len(label.hint) <= 110, label.id
    steps = g4ue.require_label_with_id("unsupported_medical_claim").steps
    assert [step.split()[0] for step in steps] == ["Question", "Then", "Then", "Add"]
    assert {link.title.split()[0] for link in g4ue.reading} == {
        *("USMLE", "Singhal", "Medscape", "UpToDate")
    }


@pytest.mark.parametrize(
    "spelling",
    [
        "Cannot pick any category",
        "Cannot pick any error category",
        "  cannot PICK any\nerror  category ",
        "cannot_pick_category",
    ],
)
def test_a_label_is_found_by_each_of_its_spellings(g4ue: Taxonomy, spelling: str) -> None:
    found = g4ue.find_label_by_any_name(spelling)
    assert found is not None
    assert found.id == "cannot_pick_category"
    assert found.export_name == "Cannot pick any error category"


def test_an_unknown_name_is_none_and_an_unknown_id_is_refused(g4ue: Taxonomy) -> None:
    assert g4ue.find_label_by_any_name("Cannot pick") is None
    with pytest.raises(InvalidInput, match="no label 'nonsense'"):
        g4ue.require_label_with_id("nonsense")


# --- looks --------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.1)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# Machado, Oliveira & Fernandes 2009, severity 1.0, on linear RGB: (rows) for each dichromacy.
DICHROMACY = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def oklab(colour: str, eye: str) -> tuple[float, ...]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    seen = [
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, linear, strict=True))))
        for row in DICHROMACY[eye]
    ]
    cones = (
        (0.4122214708, 0.5363325363, 0.0514459929),
        (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005),
    )
    lms = [sum(m * c for m, c in zip(row, seen, strict=True)) ** (1 / 3) for row in cones]
    axes = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    return tuple(sum(m * c for m, c in zip(row, lms, strict=True)) for row in axes)


@pytest.mark.parametrize("background", ["#ffffff", "#0e1117"])
def test_every_colour_stands_out_on_light_and_dark(background: str) -> None:
    # WCAG asks for 3:1 for graphical objects.
    assert all(contrast(colour, background) >= 3 for colour in COLOURS)


@pytest.mark.parametrize("eye", sorted(DICHROMACY))
def test_any_two_colours_stay_apart_for_every_kind_of_eye(eye: str) -> None:
    # A difference of about 0.02 in OKLab is just noticeable; four times that is asked for here.
    for one, other in itertools.combinations(COLOURS, 2):
        difference = sum(
            (a - b) ** 2 for a, b in zip(oklab(one, eye), oklab(other, eye), strict=True)
        )
        assert difference**0.5 >= 0.08, (eye, one, other)


def test_the_study_labels_use_each_colour_and_each_pattern_once(g4ue: Taxonomy) -> None:
    assert sorted(label.colour for label in g4ue.labels) == sorted(COLOURS)
    assert sorted(label.pattern for label in g4ue.labels) == sorted(PATTERNS)


# --- rules of a submit --------------------------------------------------------------------------


def test_a_judgment_that_keeps_every_rule_has_no_problems(g4ue: Taxonomy) -> None:
    value = ErrorSpans(
        spans=(
            span("Give dextrose first.", "sticking_with_wrong_diagnosis"),
            span("Thiamine can wait.", "unsupported_medical_claim", link=LINK),
            span("dextrose first. Thiamine", "incorrect_or_vague_conclusion"),
        )
    )
    assert g4ue.problems_of_answer(value, TEXT) == []


def test_a_non_error_label_alone_on_any_sentence_is_enough(g4ue: Taxonomy) -> None:
    value = ErrorSpans(spans=(span("Thiamine can wait.", "reasonable_response"),))
    assert g4ue.problems_of_answer(value, TEXT) == []


@pytest.mark.parametrize(
    "spans, expected",
    [
        ((), ["Mark at least one passage and give it a label."]),
        (
            (span("Thiamine", "made_up"),),
            ["Mark 1 (“Thiamine”): the label 'made_up' is not in the taxonomy."],
        ),
        (
            (ErrorSpan(start=30, end=99, quote="wait.", labels=("reasonable_response",)),),
            ["Mark 1 (“wait.”): it lies outside the response; mark the passage again."],
        ),
        (
            (ErrorSpan(start=5, end=5, quote="", labels=("reasonable_response",)),),
            ["Mark 1: it lies outside the response; mark the passage again."],
        ),
        (
            (ErrorSpan(start=0, end=4, quote="give", labels=("reasonable_response",)),),
            ["Mark 1 (“give”): the words do not match the response; mark the passage again."],
        ),
        (
            (ErrorSpan(start=4, end=5, quote=" ", labels=("reasonable_response",)),),
            ["Mark 1: it holds no words."],
        ),
        (
            (ErrorSpan(quote="Thiamine", labels=("reasonable_response",), located="ambiguous"),),
            [
                "Mark 1 (“Thiamine”): its place in the response is not known; "
                "mark the passage again."
            ],
        ),
        (
            (span("Thiamine", "unsupported_medical_claim"),),
            [
                "Mark 1 (“Thiamine”): “Unsupported medical claim” needs a link (https://…) "
                "or a citation that refutes it."
            ],
        ),
        (
            (span("Thiamine", "unsupported_medical_claim", link="see above"),),
            [
                "Mark 1 (“Thiamine”): “Unsupported medical claim” needs a link (https://…) "
                "or a citation that refutes it."
            ],
        ),
        (
            (span("Thiamine", "reasonable_response", "reasonable_response"),),
            ["Mark 1 (“Thiamine”): “Reasonable response” is given twice."],
        ),
        (
            (
                span("Thiamine", "ignore_missing_information"),
                span("Thiamine", "hallucination_of_information", "ignore_missing_information"),
            ),
            ["Mark 2 (“Thiamine”): “Ignore missing information” is given twice."],
        ),
        (
            (
                span("Thiamine", "reasonable_response"),
                span("dextrose", "hallucination_of_information"),
            ),
            [
                "“Reasonable response” excludes every other label; "
                "this response also carries “Hallucination of information”."
            ],
        ),
    ],
)
def test_each_rule_is_told_as_a_sentence(
    g4ue: Taxonomy, spans: tuple[ErrorSpan, ...], expected: list[str]
) -> None:
    assert g4ue.problems_of_answer(ErrorSpans(spans=spans), TEXT) == expected


def test_several_faults_are_told_together(g4ue: Taxonomy) -> None:
    value = ErrorSpans(
        spans=(
            ErrorSpan(start=0, end=4, quote="Gave", labels=("unsupported_medical_claim",)),
            span("Thiamine", "cannot_pick_category"),
        )
    )
    # words that do not match, no reference, and the two labels together
    assert len(g4ue.problems_of_answer(value, TEXT)) == 3


def test_the_two_non_error_labels_together_are_one_breach(g4ue: Taxonomy) -> None:
    assert g4ue.list_exclusivity_breaches_in_words(
        ["cannot_pick_category", "reasonable_response"]
    ) == [
        "“Reasonable response” excludes every other label; "
        "this response also carries “Cannot pick any category”."
    ]
    assert (
        g4ue.list_exclusivity_breaches_in_words(
            ["hallucination_of_information", "ignore_missing_information"]
        )
        == []
    )
    assert g4ue.list_exclusivity_breaches_in_words(label for label in ["reasonable_response"]) == []


@pytest.mark.parametrize(
    "text, good",
    [
        ("https://example.org/a", True),
        (" http://example.org ", True),
        ("doi:10.1038/s41586-023-06291-2", True),
        ("10.1038/s41586-023-06291-2", True),
        ("PMID 37438534", True),
        ("Harrison: Principles of Internal Medicine, 2022, chapter 301", True),
        ("", False),
        ("see textbook", False),
        ("https://", False),
        ("https://example.org/a and more words 2020", False),
        ("ftp://example.org/paper of 2020", False),
        ("javascript:alert(1) for the 2020 edition", False),
    ],
)
def test_a_reference_is_a_link_or_a_citation_that_can_be_looked_up(text: str, good: bool) -> None:
    assert is_refuting_reference(text) is good


# --- files --------------------------------------------------------------------------------------


def test_a_small_taxonomy_of_a_teams_own_is_read(tmp_path: Path) -> None:
    taxonomy = load_taxonomy(written(tmp_path, GOOD))
    wrong, fine = taxonomy.labels
    assert (wrong.key, wrong.pattern, wrong.export_name) == (1, "solid", "Wrong")
    assert (fine.key, fine.pattern) == (0, "dotted")
    assert fine.steps == ("Read it.", "Read [[label]] again.")
    assert wrong.definition == "Says something that is not so.\n[[label]]\nkey = 9"


def test_line_ends_of_windows_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_taxonomy(path) == load_taxonomy(written(tmp_path, GOOD))


def test_more_than_nine_labels_are_allowed_and_those_without_a_key_have_none(
    tmp_path: Path,
) -> None:
    labels = "".join(
        f'[[label]]\nid = "l{n}"\nname = "Label {n}"\nkind = "error"\ncolour = "#0000{n:02}"\n'
        f'hint = "h"\ndefinition = "d"\n' + (f"key = {n}\n" if n <= 9 else "")
        for n in range(1, 13)
    )
    taxonomy = load_taxonomy(
        written(tmp_path, f'id = "long"\ntitle = "t"\nversion = "1"\n{labels}')
    )
    assert [label.key for label in taxonomy.labels] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0]


# Each row: what is replaced in GOOD by what, the line that must be named, and words of the reason.
@pytest.mark.parametrize(
    "old, new, line, reason",
    [
        ('kind = "error"', "kind = error", 9, "TOML (invalid value)"),
        ("key = 1\n", "key = 1\nkey = 2\n", 8, "TOML (cannot overwrite a value)"),
        ('url = "https://example.org/book"\n', 'url = "https', 33, "TOML"),
        ('version = "1"\n', "", 1, "column 'version': expected this field"),
        ('[[label]]\nid = "fine"', '[[labels]]\nid = "fine"', 18, "one of the fields id, title"),
        ('[[label]]\nid = "fine"', '[label.fine]\nid = "fine"', 5, "one of the fields"),
        ('name = "Wrong"\n', "", 5, "column 'name': expected this field"),
        ('definition = "No fault."\n', "", 18, "column 'definition'"),
        ('hint = "Not right."', 'hint = " "', 11, "a text that is not empty"),
        ('hint = "Not right."', 'hint = "Not\\nright."', 11, "a single line"),
        ('id = "fine"', 'id = "wrong"', 19, "not used already (line 6 has it)"),
        ('id = "fine"', 'id = "Fine!"', 19, "lower-case letters"),
        ('name = "Fine"', 'name = "wrong"', 20, "names that no other label has (line 5"),
        ('name = "Fine"', 'name = "Fine"\naliases = ["WRONG"]', 20, "names that no other label"),
        ('name = "Fine"', 'name = "Fine"\naliases = "x"', 21, "a list of texts in quotes"),
        ('id = "fine"', 'id = "fine"\nkey = 1', 20, "not used already (line 7 has it)"),
        ("key = 1\n", "key = 10\n", 7, "a digit from 1 to 9"),
        ("key = 1\n", "key = 0\n", 7, "a digit from 1 to 9"),
        ("key = 1\n", 'key = "1"\n', 7, "a digit from 1 to 9"),
        ("key = 1\n", "key = true\n", 7, "a digit from 1 to 9"),
        ('kind = "non_error"', 'kind = "good"', 21, "one of error, non_error, got 'good'"),
        ("#0072b2", "blue", 22, "a colour like #0072b2"),
        ("#0072b2", "#d55e00", None, ""),
        ('#0072b2"\npattern = "dotted"', '#D55E00"', 22, "a colour and pattern no other label"),
        ('pattern = "dotted"', 'pattern = "dots"', 23, "one of solid, dashed"),
        ('hint = "Nothing wrong."', 'hint = "x"\nexampel = "y"', 25, "one of the fields id, key"),
        ('hint = "Nothing wrong."', 'requires_link = "yes"\nhint = "x"', 24, "true or false"),
        ('"Read it.",  # all', "1,  # all", 26, "a list of texts in quotes"),
        ("https://example.org/book", "example.org/book", 33, "begins with https://"),
        ('title = "A book"\n', "", 31, "column 'title'"),
    ],
)
def test_a_bad_file_is_refused_by_file_and_line(
    tmp_path: Path, old: str, new: str, line: int | None, reason: str
) -> None:
    assert GOOD.count(old) == 1
    path = written(tmp_path, GOOD.replace(old, new))
    if line is None:  # the same colour with another pattern can still be told apart
        assert len(load_taxonomy(path).labels) == 2
        return
    with pytest.raises(BadFile) as refused:
        load_taxonomy(path)
    assert f"own.toml, line {line}" in str(refused.value)
    assert reason in str(refused.value)


def test_every_fault_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("key = 1\n", "key = 12\n").replace("#0072b2", "blue")
    with pytest.raises(BadFile) as refused:
        load_taxonomy(written(tmp_path, text))
    assert [(row.line, row.column) for row in refused.value.rows] == [(7, "key"), (22, "colour")]
    assert "1 more" in refused.value.message


def test_a_file_that_is_not_utf_8_is_refused_at_the_line_of_the_bad_byte(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b'id = "a"\ntitle = "caf\xe9"\n')
    with pytest.raises(BadFile, match=r"own\.toml, line 2: expected text in UTF-8"):
        load_taxonomy(path)


def test_a_missing_or_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        load_taxonomy(tmp_path / "nowhere.toml")
    with pytest.raises(BadFile, match=r"at least one \[\[label\]\]"):
        load_taxonomy(written(tmp_path, 'id = "a"\ntitle = "b"\nversion = "1"\n'))


def test_what_is_written_reads_back_equal(tmp_path: Path, g4ue: Taxonomy) -> None:
    assert load_taxonomy(written(tmp_path, taxonomy_as_toml(g4ue))) == g4ue


def test_quotes_backslashes_controls_and_line_breaks_survive_writing(tmp_path: Path) -> None:
    taxonomy = load_taxonomy(written(tmp_path, GOOD))
    odd = 'A "quoted" \\ word,\ta tab,\nthree """ quotes, β ≥ 1 µg, \x07 bell, 😀\nand "end"'
    label = taxonomy.labels[0]
    changed = Taxonomy(
        id=taxonomy.id,
        title='The "best"',
        version="2",
        labels=(type(label)(**{**vars(label), "definition": odd, "steps": ("a\\b", 'c"d')}),),
    )
    assert load_taxonomy(written(tmp_path, taxonomy_as_toml(changed))) == changed
