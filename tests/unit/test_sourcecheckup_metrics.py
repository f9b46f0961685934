"""The three metrics of SourceCheckup and their rules, by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from medlens.studies.sourcecheckup.metrics import (
    FigureEvidence,
    cleanup_shares_by_figure_and_group,
    cleanup_support_shares_by_figure_and_group,
)
from medlens.studies.sourcecheckup.metrics_input_tables import (
    RESPONSE_STATES,
    STATEMENT_STATES,
    DatasetTables,
    judged_results_under_verifier,
)
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import (
    domain_shares_by_figure_and_group,
    is_site_american_if_known,
    most_cited_sites_table,
    site_of_address,
    top_level_domain_group_of_site,
    unreadable_sites_table,
)
from medlens.studies.sourcecheckup.metrics_support import (
    resampling_clusters_of_questions,
    state_shares_by_figure_and_group,
    states_with_merged_sources_and_if_asked,
    support_shares_by_figure_and_group,
)
from tests.sourcecheckup_made_up import figures

OK, GONE, EMPTY, BLOCKED = "ok", "not_found", "empty", "blocked"


def material(
    responses: dict[str, tuple[list[str], dict[str, str]]],
    supported: list[tuple[str, str]],
    *,
    asked: list[tuple[str, str]] | None = None,
    models: dict[str, str] | None = None,
    not_done: tuple[str, ...] = (),
) -> DatasetTables:
    """Responses as {name: (statements, {url: outcome})}; every readable pair has a verdict,
    unless ``asked`` says which have one."""
    statements = [(s, r) for r, (given, _) in responses.items() for s in given]
    citations = [(r, u, o) for r, (_, urls) in responses.items() for u, o in urls.items()]
    if asked is None:
        asked = [
            (s, u)
            for given, urls in responses.values()
            for s in given
            for u, o in urls.items()
            if o == OK
        ]
    cited = pd.DataFrame(citations, columns=["response", "url", "outcome"]).astype("str")
    cited["valid"] = cited["readable"] = cited["outcome"] == OK
    verdicts = [
        (s, u, "checker", "supported" if (s, u) in supported else "not_supported") for s, u in asked
    ]
    return DatasetTables(
        responses=pd.DataFrame(
            {
                "response": list(responses),
                "question": [f"q-{r}" for r in responses],
                "group": "g",
                "model": [(models or {}).get(r, "m") for r in responses],
                "parsed": [r not in not_done for r in responses],
            }
        ),
        statements=pd.DataFrame(statements, columns=["statement", "response"]).astype("str"),
        citations=cited,
        verdicts=pd.DataFrame(verdicts, columns=["statement", "url", "rater", "verdict"]),
    )


def worked_example() -> DatasetTables:
    return material(
        {
            "r1": (["s11", "s12"], {"u1": OK, "u2": GONE, "u3": EMPTY}),
            "r2": (["s21", "s22"], {"u4": OK, "u5": OK}),
            "r3": (["s31", "s32"], {}),
            "r4": ([], {"u6": OK}),
        },
        [("s11", "u1"), ("s21", "u4"), ("s22", "u5")],
    )


def of(
    given: DatasetTables, figure: str, group: str = "all", *by: str
) -> tuple[int | None, int | None]:
    one = support_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"),
        resampling_clusters_of_questions(given),
        {"": by},
    )[figure, group]
    return one.numerator, one.denominator


def test_the_worked_example_holds() -> None:
    given = worked_example()
    # Six addresses, four with status 200 and text.
    assert of(given, "url_validity") == (4, 6)
    # s11, s21 and s22 of six; the two of r3 have no source and count as not supported.
    assert of(given, "statement_support") == (3, 6)
    # r2 alone of r1, r2, r3; r4 has no statement and does not count.
    assert of(given, "response_support") == (1, 3)
    # u6 of the four valid ones supports nothing.
    assert of(given, "unused_sources") == (1, 4)
    assert of(given, "source_precision") == (3, 4)


def test_what_rests_on_unreachable_sources_is_left_out_of_the_other_bound() -> None:
    given = worked_example()
    # s12 could be supported by u2 or u3, which could not be read: 3 of 5, and r1 is not known.
    assert of(given, "statement_support_reachable") == (3, 5)
    assert of(given, "response_support_reachable") == (1, 2)


def test_every_statement_and_response_is_in_one_class() -> None:
    given = worked_example()
    shares = state_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"), resampling_clusters_of_questions(given)
    )
    counts = {figure: one.numerator for (figure, _), one in shares.items()}
    assert counts == {
        "statements: supported": 3,
        "statements: unreachable": 1,
        "statements: no_source": 2,
        "responses: supported": 1,
        "responses: unreachable": 1,
        "responses: no_source": 1,
        "responses: no_statement": 1,
        "sources: ok": 4,
        "sources: not_found": 1,
        "sources: empty": 1,
    }


@pytest.mark.parametrize(
    ("verdicts", "state"),
    [
        (["not_supported"], "unreachable"),
        (["contradicted"], "contradicted"),
        (["partly"], "partly"),
        (["partly", "contradicted"], "contradicted"),
        (["contradicted", "supported"], "supported"),
        (["cannot_tell"], "unreachable"),
        (["contradicted", None], "undecided"),
        (["supported", None], "supported"),
    ],
)
def test_what_readable_sources_say_stands_also_beside_a_dead_link(
    verdicts: list[str | None], state: str
) -> None:
    urls = {f"u{n}": OK for n in range(len(verdicts))} | {"gone": GONE}
    given = material({"r": (["s"], urls)}, [])
    said = [("s", f"u{n}", "checker", one) for n, one in enumerate(verdicts) if one]
    given = replace(given, verdicts=pd.DataFrame(said, columns=given.verdicts.columns))
    judged = judged_results_under_verifier(given, "checker")
    assert STATEMENT_STATES[judged.statement[0]] == state
    told = {"partly": "unsupported", "contradicted": "unsupported"}.get(state, state)
    assert RESPONSE_STATES[judged.response[0]] == told
    assert judged.waiting[0] == (None in verdicts)


def simulated(rng: np.random.Generator, count: int) -> DatasetTables:
    """Answers of one to six statements and one to three sources; about 40 % are supported."""
    answers: dict[str, tuple[list[str], dict[str, str]]] = {}
    supported = []
    for n in range(count):
        statements = [f"s{n}.{k}" for k in range(rng.integers(1, 7))]
        urls = {f"u{n}.{k}": OK for k in range(rng.integers(1, 4))}
        answers[f"r{n}"] = (statements, urls)
        good = rng.random() < 0.5
        supported += [
            (s, u) for s in statements for u in urls if rng.random() < (0.95 if good else 0.35)
        ]
    return material(answers, supported)


def without(given: DatasetTables, share: float, rng: np.random.Generator) -> DatasetTables:
    """The same without this share of the verdicts, at random."""
    kept = given.verdicts[rng.random(len(given.verdicts)) >= share]
    return replace(given, verdicts=kept.reset_index(drop=True))


@pytest.mark.first_quick
@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.6])
def test_verdicts_that_are_outstanding_bias_no_share(share: float) -> None:
    rng = np.random.default_rng(11)
    given = simulated(rng, 400)
    figures = ("response_support", "statement_support", "source_precision")
    clusters = resampling_clusters_of_questions(given)
    whole = support_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"), clusters, {"": ()}
    )
    for _ in range(10):
        found = support_shares_by_figure_and_group(
            judged_results_under_verifier(without(given, share, rng), "checker"), clusters, {"": ()}
        )
        for figure in figures:
            true, one = whole[figure, "all"].value, found[figure, "all"]
            assert true is not None
            low, high = re.findall(r"between ([\d.]+)% and ([\d.]+)%", one.reason + one.method)[0]
            assert float(low) / 100 - 0.001 <= true <= float(high) / 100 + 0.001
            # What is given for all that lies within three points of what all verdicts say.
            assert one.value is None or abs(one.value - true) < 0.03
            assert (one.value is None) == (share >= 0.3 or not one.has_value)
    if share == 0.02:
        assert all(found[figure, "all"].has_value for figure in figures)


def test_an_answer_counts_once_all_its_verdicts_are_in() -> None:
    answers = {f"r{n}": ([f"s{n}a", f"s{n}b"], {f"u{n}": OK}) for n in range(10)}
    yes = [(f"s{n}{k}", f"u{n}") for n in range(5) for k in "ab"]
    every = [(f"s{n}{k}", f"u{n}") for n in range(10) for k in "ab"]
    # Of the last, which fails already, one verdict is outstanding. The share shown, 5 of 9, leaves
    # it out, so the bounds let it turn out either way: 5 of 10 to 6 of 10.
    given = material(answers, yes, asked=every[:-1])
    one = support_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"),
        resampling_clusters_of_questions(given),
        {"": ()},
    )["response_support", "all"]
    assert (one.numerator, one.denominator) == (5, 9)
    assert "1 of 10 have verdicts outstanding: between 50.0% and 60.0%" in one.method
    # Answers of which nothing was asked yet are a sample not drawn; they withhold nothing.
    given = material(answers, yes, asked=every[:10])
    one = support_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"),
        resampling_clusters_of_questions(given),
        {"": ()},
    )["response_support", "all"]
    assert (one.numerator, one.denominator, "outstanding" in one.method) == (5, 5, False)


def test_the_hosts_of_one_domain_are_one_site() -> None:
    urls = ("https://pubmed.ncbi.nlm.nih.gov/1", "https://www.nih.gov/2", "https://a.org/3")
    given = material({"r1": (["s1"], dict.fromkeys(urls, OK))}, [])
    assert most_cited_sites_table(given)[["site", "cited"]].to_numpy().tolist() == [
        ["nih.gov", 2],
        ["a.org", 1],
    ]


def test_an_address_that_names_no_site_counts_and_is_not_listed_among_the_sites() -> None:
    given = material({"r1": (["s1"], {"https://a.org/1": OK, "https://[broken": GONE})}, [])
    [row] = most_cited_sites_table(given).to_dict("records")
    assert (row["site"], row["cited"], row["of"]) == ("a.org", 1, 2)


def test_an_address_without_a_domain_name_is_of_no_country() -> None:
    urls = ("https://a.example.org/1", "https://b.com/2", "https://192.0.2.7/3")
    given = material({"r1": (["s1"], dict.fromkeys(urls, OK))}, [])
    judged, clusters = (
        judged_results_under_verifier(given, "checker"),
        resampling_clusters_of_questions(given),
    )
    found = domain_shares_by_figure_and_group(judged, clusters, countries={"example.org": "FR"})
    parts = {
        name: (one.numerator, one.denominator)
        for (name, group), one in found.items()
        if group == "all"
    }
    assert parts["american"] == (1, 2)
    assert parts["american_by_registration"] == (0, 1)
    assert parts["american_by_domain_name"] == (1, 1)


def test_validity_stands_by_our_rule_and_by_the_papers() -> None:
    given = worked_example()
    # u2 came with status 200 and says "page not found"; u3 was empty. The archive has a copy of u2.
    cited = given.citations.assign(
        answered=given.citations["outcome"].isin([OK, GONE]),
        existed=["", "yes", "no", "", "", ""],
    )
    given = replace(given, citations=cited)
    assert of(given, "url_validity") == (4, 6)
    assert of(given, "url_validity_paper") == (5, 6)
    found = domain_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"), resampling_clusters_of_questions(given)
    )
    assert found["dead_once_existed", "all"].value == 0.5
    assert found["url_validity_paper_by_kind", "other"].numerator == 5


def test_verifiers_are_compared_on_the_same_answers() -> None:
    answers = {f"r{n}": ([f"s{n}"], {f"u{n}": OK}) for n in range(8)}
    every = [(f"s{n}", f"u{n}") for n in range(8)]
    first = material(answers, every[:4])
    # The second judged the last four alone, of which it supports all; the first supports none.
    second = material(answers, every, asked=every[4:]).verdicts.assign(rater="second")
    said = pd.concat([first.verdicts, second], ignore_index=True)
    both = replace(first, verdicts=said.assign(item=said["statement"] + said["url"]))
    table = figures(FigureEvidence(both)).set_index(["figure", "group"])
    found = table.loc["response_support_by_verifier"]
    assert found["denominator"].to_dict() == {"checker": 4, "second": 4}
    assert found["value"].to_dict() == {"checker": 0.0, "second": 1.0}


@pytest.mark.parametrize(
    ("urls", "supported", "asked", "statement", "response"),
    [
        ({"u": OK, "v": OK}, [("s", "v")], [("s", "v")], "supported", "undecided"),
        (
            {"u": OK, "v": OK},
            [],
            [("s", "u"), ("s", "v"), ("t", "u"), ("t", "v")],
            "unsupported",
            "unsupported",
        ),
        ({"u": OK, "v": OK}, [], [("s", "u")], "undecided", "undecided"),
        ({"u": OK, "v": BLOCKED}, [], [("s", "u"), ("t", "u")], "unreachable", "unreachable"),
        ({"v": BLOCKED}, [], [], "unreachable", "unreachable"),
        # A page that nobody has fetched yet may still support it; one judged elsewhere does not.
        ({"u": OK, "v": ""}, [], [("s", "u"), ("t", "u")], "undecided", "undecided"),
        ({"u": ""}, [], [("s", "u"), ("t", "u")], "unsupported", "unsupported"),
        ({"u": "", "v": BLOCKED}, [], [("s", "u"), ("t", "u")], "unreachable", "unreachable"),
        ({}, [], [], "no_source", "no_source"),
    ],
)
def test_a_statement_is_what_its_sources_say_together(
    urls: dict[str, str],
    supported: list[tuple[str, str]],
    asked: list[tuple[str, str]],
    statement: str,
    response: str,
) -> None:
    judged = judged_results_under_verifier(
        material({"r": (["s", "t"], urls)}, supported, asked=asked), "checker"
    )
    assert STATEMENT_STATES[judged.statement[0]] == statement
    assert RESPONSE_STATES[judged.response[0]] == response


@pytest.mark.parametrize(
    ("urls", "word", "state"),
    [
        # Every source was read: what they say together is known.
        ({"u": OK, "v": OK}, "not_supported", "unsupported"),
        # One could not be: it may say what the others do not.
        ({"u": OK, "v": OK, "w": GONE}, "not_supported", "unreachable"),
        ({"u": OK, "v": OK, "w": GONE}, "supported", "supported"),
        ({"u": OK, "v": OK}, "cannot_tell", "unreachable"),
        ({"u": OK, "v": OK, "w": ""}, "not_supported", "undecided"),
    ],
)
def test_merged_sources_deny_a_statement_only_if_all_of_them_were_read(
    urls: dict[str, str], word: str, state: str
) -> None:
    judged = judged_results_under_verifier(material({"r": (["s"], urls)}, []), "checker")
    verdicts = pd.DataFrame([("s", "checker", word)], columns=["statement", "rater", "verdict"])
    merged, put = states_with_merged_sources_and_if_asked(judged, verdicts)
    assert (STATEMENT_STATES[merged[0]], put[0]) == (state, True)


def test_of_two_verdicts_on_merged_sources_the_last_counts() -> None:
    judged = judged_results_under_verifier(
        material({"r": (["s"], {"u": OK, "v": OK})}, []), "checker"
    )
    rows = [
        ("s", "checker", "supported"),
        ("s", "other", "partly"),
        ("s", "checker", "contradicted"),
    ]
    verdicts = pd.DataFrame(rows, columns=["statement", "rater", "verdict"])
    merged, _ = states_with_merged_sources_and_if_asked(judged, verdicts)
    assert STATEMENT_STATES[merged[0]] == "contradicted"


def test_verdicts_outstanding_are_in_no_denominator() -> None:
    given = material(
        {"r1": (["s1"], {"u": OK}), "r2": (["s2"], {"u": OK})}, [("s1", "u")], asked=[("s1", "u")]
    )
    assert of(given, "statement_support") == (1, 1)
    assert of(given, "response_support") == (1, 1)
    # Of the two sources, the one of r2 may yet prove to be of use.
    assert of(given, "unused_sources") == (0, 1)


def test_an_answer_that_is_not_there_is_in_no_denominator_but_that_of_its_addresses() -> None:
    given = material({"r1": ([], {"u": OK}), "r2": (["s2"], {"v": OK})}, [], not_done=("r1",))
    assert of(given, "url_validity") == (2, 2)
    assert of(given, "unused_sources") == (1, 1)
    assert of(given, "response_support") == (0, 1)


def test_the_same_address_five_times_is_one_source() -> None:
    given = material({"r": (["s"], {"u": OK})}, [("s", "u")])
    five = pd.concat([given.citations] * 5, ignore_index=True)
    given = DatasetTables(given.responses, given.statements, five, given.verdicts)
    assert of(given, "url_validity") == (1, 1)
    assert of(given, "source_precision") == (1, 1)
    assert of(given, "statement_support") == (1, 1)


def test_the_precision_of_sources_counts_those_that_were_read_and_have_their_verdicts() -> None:
    given = material(
        {"r": (["s"], {"used": OK, "idle": OK, "gone": GONE}), "q": (["t"], {"new": OK})},
        [("s", "used")],
        asked=[("s", "used"), ("s", "idle")],
    )
    # "used" of "used" and "idle": "gone" could not be read, and nobody has judged "new".
    assert of(given, "source_precision") == (1, 2)
    assert of(given, "unused_sources") == (1, 2)


def test_partly_contradicted_and_cannot_tell_are_not_support() -> None:
    given = material({"r": (["s", "t", "w"], {"u": OK})}, [])
    given.verdicts["verdict"] = ["partly", "contradicted", "cannot_tell"]
    assert of(given, "statement_support") == (0, 3)
    assert of(given, "statement_support_reachable") == (0, 2)
    assert of(given, "pair_support") == (0, 2)


def test_groups_are_counted_apart() -> None:
    given = material(
        {"r1": (["s1"], {"u": OK}), "r2": (["s2"], {"u": OK}), "r3": (["s3"], {"u": GONE})},
        [("s1", "u")],
        models={"r1": "a", "r2": "b", "r3": "b"},
    )
    assert of(given, "statement_support", "a", "model") == (1, 1)
    assert of(given, "statement_support", "b", "model") == (0, 2)
    assert of(given, "url_validity", "b, g", "model", "group") == (1, 2)


def test_the_order_of_rows_changes_nothing() -> None:
    given = worked_example()
    turned = DatasetTables(
        *(
            frame.iloc[::-1].reset_index(drop=True)
            for frame in (given.responses, given.statements, given.citations, given.verdicts)
        )
    )
    first = support_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"), resampling_clusters_of_questions(given)
    )
    assert ("response_support_by_model", "m") in first
    assert first == support_shares_by_figure_and_group(
        judged_results_under_verifier(turned, "checker"), resampling_clusters_of_questions(turned)
    )


def test_tables_of_two_datasets_are_refused() -> None:
    given = worked_example()
    lost = pd.DataFrame({"statement": ["x"], "response": ["elsewhere"]})
    with pytest.raises(ValueError, match="elsewhere"):
        judged_results_under_verifier(
            DatasetTables(given.responses, lost, given.citations, given.verdicts), "checker"
        )


# -- domains ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "site", "kind", "american"),
    [
        ("https://www.mayoclinic.org/a?b#c", "mayoclinic.org", ".org", True),
        ("http://NIH.gov:8080/x", "nih.gov", ".gov", True),
        ("https://www.nhs.uk/conditions", "nhs.uk", "other", False),
        ("https://www.cancer.gov.au", "cancer.gov.au", ".gov", False),
        ("https://www.ox.ac.uk/", "ox.ac.uk", ".edu", False),
        ("https://www.who.int/health", "who.int", "other", False),
        ("https://clinic.health/", "clinic.health", "other", False),
        ("https://www.drugs.info/", "drugs.info", "other", True),
        ("https://health.mil/", "health.mil", "other", True),
        ("http://10.0.0.1/x", "10.0.0.1", "other", None),
        ("javascript:alert(1)", "", "other", None),
        ("http://[broken", "", "other", None),
    ],
)
def test_an_address_has_a_site_a_kind_and_perhaps_a_country(
    url: str, site: str, kind: str, american: bool | None
) -> None:
    assert (
        site_of_address(url),
        top_level_domain_group_of_site(site_of_address(url)),
        is_site_american_if_known(site_of_address(url)),
    ) == (
        site,
        kind,
        american,
    )


def test_what_whois_knows_goes_before_the_domain() -> None:
    assert is_site_american_if_known("who.int", {"who.int": "CH"}) is False
    assert is_site_american_if_known("tool.ai", {"tool.ai": "us"}) is True


def test_sites_are_counted_by_model_and_dead_ones_listed() -> None:
    given = material(
        {
            "r1": (["s1"], {"https://a.org/1": OK, "https://a.org/2": GONE}),
            "r2": (["s2"], {"https://a.org/1": OK, "https://b.co.uk/": "paywalled"}),
        },
        [("s1", "https://a.org/1")],
        models={"r1": "x", "r2": "y"},
    )
    tops = most_cited_sites_table(given, most=1)
    assert tops[["model", "site", "cited", "of"]].to_numpy().tolist() == [
        ["all", "a.org", 3, 4],
        ["x", "a.org", 2, 2],
        ["y", "a.org", 1, 2],
    ]
    figures = domain_shares_by_figure_and_group(
        judged_results_under_verifier(given, "checker"), resampling_clusters_of_questions(given)
    )
    assert figures["domain_kind", "all, .org"].value == 3 / 4
    assert figures["american", "y"].value == 1 / 2
    # a.org/1 (twice) of the three citations of .org; of its two pairs one is supported.
    assert figures["url_validity_by_kind", ".org"].numerator == 2
    assert figures["pair_support_by_kind", ".org"].value == 1 / 2
    assert unreadable_sites_table(given).to_numpy().tolist() == [
        ["a.org", "not_found", 1, 1],
        ["b.co.uk", "paywalled", 1, 1],
    ]


# -- cleaning up -----------------------------------------------------------------------------------


def test_cleaning_up_is_counted_as_the_paper_does() -> None:
    # 150 unsupported: 52 removed, 98 edited, of which 84 are supported now (Wu et al. 2025).
    cleaned = pd.DataFrame(
        {
            "statement": [f"s{n}" for n in range(150)],
            "question": [f"q{n % 30}" for n in range(150)],
            "model": "m",
            "action": ["removed"] * 52 + ["edited"] * 98,
            "verdict": [""] * 52 + ["supported"] * 84 + ["not_supported"] * 14,
        }
    )
    figures = cleanup_shares_by_figure_and_group(cleaned)
    found = {
        name: (one.numerator, one.denominator)
        for (name, group), one in figures.items()
        if group == "all"
    }
    assert found == {
        "cleanup_removed": (52, 150),
        "cleanup_edited_supported": (84, 98),
        "cleanup_resolved": (136, 150),
    }
    statements = pd.DataFrame(
        {
            "statement": [f"s{n}" for n in range(160)],
            "question": [f"q{n % 30}" for n in range(160)],
            "model": "m",
            "supported": np.arange(160) >= 150,
        }
    )
    both = cleanup_support_shares_by_figure_and_group(statements, cleaned)
    # Ten were supported before; 52 of the 160 are gone, and 84 more are supported.
    assert both["support_before_cleanup", "m"].value == 10 / 160
    assert both["support_after_cleanup", "m"].value == 94 / 108
