"""SourceCheckup's figures, from its questions, responses, statements, pages and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd

from tests.recomputed.second_opinion import (
    NOTHING,
    Expected,
    Figures,
    clear_majority,
    count,
    difference_in_pairs,
    kappa,
    ratio,
    rogan_gladen,
    share,
)

YES, NO = ("supported", "yes"), ("not_supported", "partly", "contradicted", "no")
GROUPINGS = {
    "": lambda row: "all",
    "_by_model": lambda row: row["model"],
    "_by_group": lambda row: row["group"],
    "_by_model_and_group": lambda row: f"{row['model']}, {row['group']}",
}
STATEMENTS = (
    *("supported", "partly", "contradicted", "unsupported"),
    *("no_source", "unreachable", "undecided"),
)
RESPONSES = (
    *("supported", "unsupported", "no_source", "unreachable"),
    *("undecided", "no_statement", "not_done"),
)
KINDS = (".org", ".gov", ".edu", ".com", ".net", "other")


def as_number(verdict: str) -> float:
    """1 for supported, 0 for not, NaN for neither."""
    return 1.0 if verdict in YES else 0.0 if verdict in NO else float("nan")


def state_of_statement(verdicts: list[str], urls: list[str], readable: set[str]) -> str:
    """What the sources of a statement say together."""
    if "supported" in verdicts:
        return "supported"
    if not urls:
        return "no_source"
    for word in ("contradicted", "partly"):
        if word in verdicts:
            return word
    every_page_read = all(url in readable for url in urls)
    return "unsupported" if every_page_read and "cannot_tell" not in verdicts else "unreachable"


def state_of_merged(verdict: str, alone: str, urls: list[str], readable: set[str]) -> str:
    """The same with all sources put to the verifier at once; with one source it is its own."""
    if not verdict:
        return alone
    if verdict in ("supported", "partly", "contradicted"):
        return verdict
    whole = all(url in readable for url in urls) and verdict != "cannot_tell"
    return "unsupported" if whole else "unreachable"


def state_of_response(states: list[str]) -> str:
    """A response is as good as the worst of its statements."""
    if not states:
        return "no_statement"
    for found, words in (
        ("no_source", {"no_source"}),
        ("unsupported", {"unsupported", "partly", "contradicted"}),
        ("unreachable", {"unreachable"}),
    ):
        if words & set(states):
            return found
    return "supported"


def kind_of(url: str) -> str:
    """The group of a site's last label; .gov.uk and .ac.uk by their meaning."""
    labels = (urlsplit(url).hostname or "").split(".")
    last = labels[-1] if len(labels) > 1 else ""
    if len(labels) > 2 and len(last) == 2:
        meaning = {"ac": "edu", "co": "com"}.get(labels[-2], labels[-2])
        last = meaning if f".{meaning}" in KINDS else last
    return f".{last}" if f".{last}" in KINDS else "other"


def recompute(folder: Path) -> Figures:
    """Every figure of a dataset in which nothing is outstanding and no adjudicator has spoken."""

    def read(name: str) -> pd.DataFrame:
        return pd.read_json(folder / f"{name}.jsonl", lines=True)

    questions = read("questions").set_index("question_id")
    responses = read("responses").drop(columns="response")
    responses = responses.rename(columns={"response_id": "response"})
    responses["group"] = responses["question_id"].map(questions["group"])
    responses = responses.set_index("response", drop=False)
    sources, pairs = read("sources").set_index("url"), read("pairs")
    statements = read("statements").rename(columns={"response_id": "response"})
    statements = statements[statements["statement"].fillna("") != ""]
    readable = set(sources.index[sources["outcome"] == "ok"])
    urls = {name: list(dict.fromkeys(given)) for name, given in responses["urls"].items()}

    def about(table: pd.DataFrame) -> pd.DataFrame:
        """With the question, model and group of each row's response."""
        return table.assign(
            question=table["response"].map(responses["question_id"]),
            model=table["response"].map(responses["model"]),
            group=table["response"].map(responses["group"]),
        )

    responses, statements = about(responses), about(statements)
    cited = about(
        pd.DataFrame(
            [(name, url) for name, given in urls.items() for url in given],
            columns=["response", "url"],
        )
    )
    cited["outcome"] = cited["url"].map(sources["outcome"])
    cited["kind"] = cited["url"].map(kind_of)
    given = pairs[pairs["verdict"] != ""].rename(columns={"response_id": "response"})
    given = about(given.assign(item=given["statement_id"] + " " + given["url"]))
    given["said"] = given["verdict"].map(as_number)
    models, people = (given[given["rater_kind"] == kind] for kind in ("model", "person"))
    many = models["rater"].value_counts()
    verifiers = sorted(many.index, key=lambda name: (-many[name], name))
    first = verifiers[0]

    found: Figures = {
        ("questions", ""): count(responses["question_id"].nunique()),
        ("responses", ""): count(len(responses)),
        ("statements", ""): count(len(statements)),
        ("citations", ""): count(len(cited)),
        ("sources", ""): count(cited["url"].nunique()),
        ("model_verdicts", ""): count(len(models)),
        ("doctor_answers", ""): count(len(people)),
    }

    def add(
        figure: str,
        table: pd.DataFrame,
        hits: Any,
        among: Any = None,
        *,
        groups: Any = None,
        every: Iterable[str] = (),
    ) -> None:
        """A share of rows, for each of the groups."""
        hits = pd.Series(hits, index=table.index).astype(bool)
        kept = pd.Series(True if among is None else among, index=table.index).astype(bool)
        names = pd.Series("all" if groups is None else groups, index=table.index)
        for name in {*names, *every}:
            rows = kept & (names == name)
            found[figure, name] = share(hits[rows], by=table.loc[rows, "question"])

    def by_groupings(figure: str, table: pd.DataFrame, hits: Any, among: Any = None) -> None:
        for suffix, name in GROUPINGS.items():
            every = {name(row) for row in responses.to_dict("records")}
            add(
                f"{figure}{suffix}",
                table,
                hits,
                among,
                groups=table.apply(name, axis=1),
                every=every,
            )

    def support(verifier: str, suffix: Callable[..., None]) -> pd.DataFrame:
        """A verifier's states, after adding what it found."""
        mine = models[models["rater"] == verifier]
        of = mine.groupby("statement_id")["verdict"].apply(list).to_dict()
        states = statements.assign(
            state=[
                state_of_statement(of.get(name, []), urls[response], readable)
                for name, response in zip(
                    statements["statement_id"], statements["response"], strict=True
                )
            ]
        )
        whole = states.groupby("response")["state"].apply(list).to_dict()
        answers = responses.assign(
            state=[state_of_response(whole.get(n, [])) for n in responses.index]
        )
        told = answers["state"] != "no_statement"
        suffix("statement_support", states, states["state"] == "supported")
        suffix(
            "statement_support_reachable",
            states,
            states["state"] == "supported",
            states["state"] != "unreachable",
        )
        suffix("response_support", answers, answers["state"] == "supported", told)
        suffix(
            "response_support_reachable",
            answers,
            answers["state"] == "supported",
            told & (answers["state"] != "unreachable"),
        )
        suffix(
            "pair_support",
            mine,
            mine["verdict"] == "supported",
            mine["said"].notna() | (mine["verdict"] != "cannot_tell"),
        )
        return states, answers

    states, answers = support(first, by_groupings)
    ok = cited["outcome"] == "ok"
    text = cited["url"].map(sources["text"]).fillna("") != ""
    by_groupings("url_validity", cited, ok)
    by_groupings("url_validity_paper", cited, (cited["url"].map(sources["status"]) == 200) & text)
    mine = models[models["rater"] == first]
    used = set(
        zip(
            *(mine.loc[mine["verdict"] == "supported", c] for c in ("response", "url")), strict=True
        )
    )
    is_used = [key in used for key in zip(cited["response"], cited["url"], strict=True)]
    by_groupings("source_precision", cited, is_used, ok)
    by_groupings("unused_sources", cited, [not one for one in is_used], ok)

    for verifier in verifiers:
        support(
            verifier,
            lambda figure, table, hits, among=None, v=verifier: add(
                f"{figure}_by_verifier", table, hits, among, groups=v
            ),
        )

    # Every class there is, overall and by model.
    for what, table, names in (
        ("statements", states, STATEMENTS),
        ("responses", answers, RESPONSES),
    ):
        for name in names:
            if (table["state"] == name).any():
                add(f"{what}: {name}", table, table["state"] == name)
                add(
                    f"{what}: {name}_by_model",
                    table,
                    table["state"] == name,
                    groups=table["model"],
                    every=set(responses["model"]),
                )
    for name in set(cited["outcome"]):
        add(f"sources: {name}", cited, cited["outcome"] == name)
        add(f"sources: {name}_by_model", cited, cited["outcome"] == name, groups=cited["model"])

    _merged(found, read("merged"), states, answers, urls, readable, by_groupings, add, first)

    # Sites.
    country = read("countries").set_index("domain")["country"].to_dict()

    def registered(url: str) -> str:
        site = (urlsplit(url).hostname or "").removeprefix("www.")
        while "." in site and not country.get(site):
            site = site.partition(".")[2]
        return country.get(site, "")

    cited["country"] = cited["url"].map(registered)
    last = cited["url"].map(lambda url: (urlsplit(url).hostname or "").rsplit(".", 1)[-1])
    known = cited["country"] != ""
    american = (cited["country"] == "US").where(
        known, last.isin(["com", "org", "gov", "edu", "info", "net", "us", "mil"])
    )
    located = known | last.str.isalpha()
    existed = cited["url"].map(sources["existed"]).fillna("")
    asked = existed.isin(["yes", "no"])
    for groups in (pd.Series("all", index=cited.index), cited["model"]):
        for kind in KINDS:
            if (cited["kind"] == kind).any():
                add("domain_kind", cited, cited["kind"] == kind, groups=groups + f", {kind}")
        for figure, hits, rows in (
            ("american", american, located),
            ("american_by_registration", american, known),
            ("american_by_domain_name", american, ~known & located),
            ("dead_once_existed", existed == "yes", asked),
        ):
            add(figure, cited[rows], hits[rows], groups=groups[rows])
    add("url_validity_by_kind", cited, ok, groups=cited["kind"])
    add(
        "url_validity_paper_by_kind",
        cited,
        (cited["url"].map(sources["status"]) == 200) & text,
        groups=cited["kind"],
    )
    kinds = mine["url"].map(kind_of)
    add(
        "pair_support_by_kind",
        mine,
        mine["verdict"] == "supported",
        mine["verdict"] != "cannot_tell",
        groups=kinds,
    )

    word = _word(people)
    for verifier in verifiers:
        _against(found, models[models["rater"] == verifier], word, verifier)
    for one, other in combinations(verifiers, 2):
        both = models[models["rater"] == one].merge(
            models[models["rater"] == other][["item", "said"]], on="item", suffixes=("", "_other")
        )
        both = both[both["said"].notna() & both["said_other"].notna()]
        name = f"{one} and {other}"
        found["verifiers_agreement", name] = share(
            both["said"] == both["said_other"], by=both["question"]
        )
        checked = both[both["item"].isin(word)]
        true = checked["item"].map(word).astype(float)
        found["verifiers_difference", name] = difference_in_pairs(
            checked["said"] == true, checked["said_other"] == true, by=checked["question"]
        )

    # Doctors among themselves.
    table = people.pivot(index="item", columns="rater", values="said")
    question = people.drop_duplicates("item").set_index("item")["question"].reindex(table.index)
    for one, other in combinations(table.columns, 2):
        both = table[[one, other]].dropna()
        name = f"{one} and {other}"
        found["doctor_pair_agreement", name] = share(
            both[one] == both[other], by=question[both.index]
        )
        found["doctor_pair_kappa", name] = kappa(both[one].tolist(), both[other].tolist())
    agreeing, compared = pd.Series(0.0, table.index), pd.Series(0.0, table.index)
    for one, other in combinations(table.columns, 2):
        both = table[one].notna() & table[other].notna()
        agreeing += both & (table[one] == table[other])
        compared += both
    found["doctors_agreement", "all"] = ratio(agreeing, compared, by=question)
    for doctor, own in people[people["item"].isin(word) & people["said"].notna()].groupby("rater"):
        found["doctor_against_majority", doctor] = share(
            own["said"] == own["item"].map(word).astype(float), by=own["question"]
        )

    # Whole answers: doctors against what the pipeline made of each.
    whole = read("answer-judgments")
    whole["response"] = whole["item"].str.removeprefix("response ")
    whole = about(
        whole.assign(
            item=whole["response"], said=whole["answer"].map(as_number), verdict=whole["answer"]
        )
    )
    of_whole = _word(whole)
    done = answers[answers["state"] != "no_statement"]
    done = done.assign(item=done["response"], said=(done["state"] == "supported").astype(float))
    _against(found, done, of_whole, "", whole=True)
    checked = done[done["item"].isin(of_whole)]
    true = checked["item"].map(of_whole).astype(bool)
    for groups in ("all", checked["model"], checked["model"] + ", " + checked["group"]):
        add("whole_answers_by_doctors", checked, true, groups=groups)
        add("whole_answers_by_pipeline", checked, checked["said"] == 1, groups=groups)

    _quotes(found, models, sources)
    _cleanups(found, read("cleanups"), states, add)
    checks = read("statement-checks")
    checks["response"] = checks["item"].str.removeprefix("response ")
    checks = about(checks)
    for rater, own in checks.groupby("rater"):
        found["statements_in_answer", rater] = ratio(
            own["in_answer"], own["statements"], by=own["question"]
        )
        found["answers_complete", rater] = share(own["complete"] == "yes", by=own["question"])
    for rater, own in read("question-checks").groupby("rater"):
        found["question_answerable", rater] = share(own["answer"] == "yes", by=own["item"])
    return found


def _word(answers: pd.DataFrame) -> dict[str, bool]:
    """What the clear majority of doctors says of each item, "cannot tell" being an answer."""
    found = {}
    for item, rows in answers.groupby("item"):
        votes = [
            str(bool(said)) if pd.notna(said) else verdict
            for said, verdict in zip(rows["said"], rows["verdict"], strict=True)
        ]
        if (vote := clear_majority(votes)) in ("True", "False"):
            found[item] = vote == "True"
    return found


def _against(
    found: Figures, table: pd.DataFrame, word: dict[str, bool], name: str, *, whole: bool = False
) -> None:
    """One judge against doctors, and its share corrected by what they checked."""
    known = table[table["said"].notna()]
    both = known[known["item"].isin(word)]
    true = both["item"].map(word).astype(float)
    what = "response" if whole else "verifier"
    group = "all" if whole else name
    found[f"{what}_agreement", group] = share(both["said"] == true, by=both["question"])
    sensitivity, specificity = (
        share((both["said"] == side)[true == side], by=both.loc[true == side, "question"])
        for side in (1, 0)
    )
    found[f"{what}_sensitivity", group] = sensitivity
    found[f"{what}_specificity", group] = specificity
    if not whole:
        found["verifier_kappa", name] = kappa(both["said"].tolist(), true.tolist())
    for part in ("all", *sorted(set(known["model"]))):
        rows = known if part == "all" else known[known["model"] == part]
        corrected = Expected(
            rogan_gladen(float(rows["said"].mean()), sensitivity.value, specificity.value),
            len(rows),
        )
        if whole:
            found["response_support_corrected", part] = corrected
            continue
        found["pair_support_raw", f"{name}: {part}"] = share(rows["said"] == 1, by=rows["question"])
        found["pair_support_corrected", f"{name}: {part}"] = corrected
        denied = both[(both["said"] == 0) & both["item"].isin(rows["item"])]
        found["unsupported_confirmed", f"{name}: {part}"] = (
            share(~denied["item"].map(word).astype(bool), by=denied["question"])
            if len(denied)
            else NOTHING
        )


def _merged(
    found: Figures,
    merged: pd.DataFrame,
    states: pd.DataFrame,
    answers: pd.DataFrame,
    urls: dict[str, list[str]],
    readable: set[str],
    by_groupings: Callable[..., None],
    add: Callable[..., None],
    verifier: str,
) -> None:
    """Each source alone beside all of them together, by the one verifier that was asked."""
    assert set(merged["rater"]) == {verifier}
    word = merged.set_index("statement_id")["verdict"]
    table = states.assign(put=states["statement_id"].isin(word.index))
    table["merged"] = [
        state_of_merged(word.get(name, ""), alone, urls[response], readable)
        for name, alone, response in zip(
            table["statement_id"], table["state"], table["response"], strict=True
        )
    ]
    whole = table.groupby("response")["merged"].apply(list).to_dict()
    both = answers.assign(merged=[state_of_response(whole.get(name, [])) for name in answers.index])
    told = both["state"] != "no_statement"

    def each(figure: str, rows: pd.DataFrame, hits: Any, among: Any = None) -> None:
        by_groupings(figure, rows, hits, among)
        add(f"{figure}_by_verifier", rows, hits, among, groups=verifier)

    for name, column in (("alone", "state"), ("merged", "merged")):
        each(f"statement_support_{name}", table, table[column] == "supported")
        each(f"response_support_{name}", both, both[column] == "supported", told)
    alone, together = table["state"] == "supported", table["merged"] == "supported"
    each("merged_still_unsupported", table, ~together, table["put"] & ~alone)
    each("merged_no_longer_supported", table, ~together, table["put"] & alone)
    for name in set(table["merged"]):
        add(f"merged statements: {name}", table, table["merged"] == name)
        add(
            f"merged statements: {name}_by_verifier",
            table,
            table["merged"] == name,
            groups=verifier,
        )


def _quotes(found: Figures, models: pd.DataFrame, sources: pd.DataFrame) -> None:
    """How quotes stand on their pages; of a made-up dataset, word for word or not at all."""

    def plain(text: str) -> str:
        return " ".join(text.split())

    for verifier, mine in models.groupby("rater"):
        pages = mine["url"].map(sources["text"]).fillna("").map(plain)
        how = pd.Series(
            [
                "none" if not quote else "exact" if plain(quote) in page else "missing"
                for quote, page in zip(mine["quote"].fillna(""), pages, strict=True)
            ],
            index=mine.index,
        )
        for name in ("exact", "folded", "cut_short", "alike", "missing", "none"):
            found[f"quotes: {name}", verifier] = share(how == name, by=mine["question"])


def _cleanups(
    found: Figures, cleaned: pd.DataFrame, states: pd.DataFrame, add: Callable[..., None]
) -> None:
    """What became of unsupported statements."""
    cleaned = cleaned.merge(
        states[["statement_id", "response", "question", "model"]],
        on="statement_id",
        suffixes=("_by", ""),
    )
    removed, edited = cleaned["action"] == "removed", cleaned["action"] == "edited"
    good = edited & (cleaned["verdict"] == "supported")
    known = removed | (edited & (cleaned["verdict"].fillna("") != ""))
    touched = states[states["response"].isin(cleaned["response"])]
    action = touched["statement_id"].map(cleaned.set_index("statement_id")["action"])
    verdict = touched["statement_id"].map(cleaned.set_index("statement_id")["verdict"])
    before = touched["state"] == "supported"
    after = (verdict == "supported").where(action == "edited", before)
    for by in ("all", "model"):
        of_cleaned, of_touched = (by, by) if by == "all" else (cleaned["model"], touched["model"])
        add("cleanup_removed", cleaned, removed, groups=of_cleaned)
        add("cleanup_edited_supported", cleaned, good, edited & known, groups=of_cleaned)
        add("cleanup_resolved", cleaned, removed | good, known, groups=of_cleaned)
        add("support_before_cleanup", touched, before, groups=of_touched)
        add("support_after_cleanup", touched, after, action != "removed", groups=of_touched)
