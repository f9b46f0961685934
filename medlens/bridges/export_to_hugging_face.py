"""An own study as a dataset to publish: Parquet files with a card (``README.md``).

Source: Hugging Face's documentation of dataset cards and of how ``configs`` tell a repository's
files apart (huggingface.co/docs/hub/datasets-cards, datasets-manual-configuration).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

import pandas as pd

from medlens.bridges import exported_items_and_judgments
from medlens.config.question_forms_and_answer_checks import Question
from medlens.review import consensus
from medlens.review.annotated_items_table import rater_column_names_by_rater_id
from medlens.review.anonymity import Anonymizer
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.own import item_and_judgment_import_and_export
from medlens.studies.own.item_specific_criteria import make_judgments_export_table
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    text_as_toml_value,
)
from medlens.tables import write_table

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_MEANS = {
    "items": "what was judged, a row each",
    "judgments": "what each person and model said, a row for each judgment",
    "marks": "the words that were marked, a row for each label of a mark",
    "consensus": "one answer per item and question: the lead's decision, else the majority",
}


def make_hugging_face_zip(
    store: Store, study: Study, *, viewer: Rater | None, anonymous: bool = False
) -> bytes:
    """A zip with ``README.md``, ``STUDY.toml`` and Parquet files under ``data``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    tables = {
        "items": item_and_judgment_import_and_export.make_items_export_table(store, study),
        "judgments": make_judgments_export_table(store, study, viewer=viewer),
        "consensus": item_and_judgment_import_and_export.make_consensus_export_table(
            store, study, viewer=viewer
        ),
    }
    if study.declared.spans:
        tables["marks"] = item_and_judgment_import_and_export.make_marks_export_table(
            store, study, viewer=viewer
        )
    if anonymous:
        judged = consensus.current_judgments(
            store, study.task, dataset=study.dataset, viewer=viewer
        )
        anonymizer = Anonymizer(store)
        called = rater_column_names_by_rater_id([judged], numbers=anonymizer.numbers)
        both = zip(judged["judgment_id"], judged["rater_id"], strict=True)
        of = {one: called[rater] for one, rater in both}
        tables = {
            name: table if name == "items" else anonymizer.anonymise_table(_numbered(table, of))
            for name, table in tables.items()
        }
    # The answers to different questions have different types in one column.
    decided = tables["consensus"]
    if "answer" in decided:
        answers = decided["answer"].map(str, na_action="ignore")
        tables["consensus"] = decided.assign(answer=answers)
    tables = {name: table for name, table in tables.items() if len(table)}
    card = "\n".join(_card(study, tables, anonymous=anonymous)) + "\n"
    out: dict[str, str | bytes] = {"README.md": card, "STUDY.toml": study.text}
    for name, table in tables.items():
        made = io.BytesIO()
        write_table(table, made, format="parquet")
        out[f"data/{name}.parquet"] = made.getvalue()
    return exported_items_and_judgments.pack_zip(out)


def _numbered(table: pd.DataFrame, called: Mapping[str, str]) -> pd.DataFrame:
    """A table with people as numbers; who decided a disagreement is left out."""
    table = table.drop(columns=["by", "rater_handle"], errors="ignore")
    if "rater" not in table:
        return table
    return table.assign(rater=[called[one] for one in table["judgment_id"]])


def _card(study: Study, tables: Mapping[str, pd.DataFrame], *, anonymous: bool) -> Iterator[str]:
    declared = study.declared
    most = max((len(table) for table in tables.values()), default=0)
    yield "---"
    yield f"pretty_name: {text_as_toml_value(declared.form.title)}"
    size = next((name for limit, name in _SIZES if most < limit), "n>1M")
    yield f"size_categories: [{text_as_toml_value(size)}]"
    yield 'tags: ["human-evaluation", "medical", "medlens"]'
    yield "configs:"
    for name in tables:
        yield f"- config_name: {name}"
        yield f"  data_files: data/{name}.parquet"
        yield from ["  default: true"] if name == "items" else []
    yield "---"
    yield f"\n# {_line(declared.form.title)}\n"
    if study.illustrative:
        yield "**The items are made up, for illustration.**\n"
    yield f"A study made with MedLens: its file is `STUDY.toml`, here in version {study.version}."
    yield from [f"Source of the questions: {_line(declared.source)}"] if declared.source else []
    yield "\n## What is in it\n\n| part | rows | what it is |\n|---|---|---|"
    for name, table in tables.items():
        yield f"| `{name}` | {len(table):,} | {_MEANS[name]} |"
    if (judged := tables.get("judgments")) is not None:
        raters = judged.drop_duplicates(["rater", "rater_kind"])["rater_kind"]
        many = {kind: int((raters == kind).sum()) for kind in ("person", "model")}
        yield f"\nRaters who are people: {many['person']:,}; models: {many['model']:,}. Of several"
        yield "judgments of a rater on an item, the last one that was made blind stands here."
        if anonymous:
            yield "People are numbered; what they wrote stands as they wrote it."
        else:
            yield "It holds raters' names: export it with people as numbers before you publish it."
    yield '\n    load_dataset("FOLDER", "judgments")'
    yield "\n## What raters were told\n"
    yield from (f"> {line}".rstrip() for line in declared.form.intro.splitlines())
    yield "\n## What they were asked\n\n| column | kind | question | answers |\n|---|---|---|---|"
    for one in _asked(declared):
        answers = "; ".join(str(each) for each in one.shown_options) or one.unit
        answers = "; ".join(label.name for label in one.labels) or answers
        cells = (f"`{one.id}`", one.kind, one.text, answers)
        yield f"| {' | '.join(map(_line, cells))} |"
    yield "\n## Columns of the items\n\n| column | what it holds |\n|---|---|"
    for column in declared.columns:
        yield f"| {_line(column.name)} | {_line(column.means)} |"
    yield "\nLicence, consent and origin of the items are for you to add."


def _asked(declared: StudyDeclaration) -> list[Question]:
    spans = [declared.spans] if declared.spans else []
    return [*spans, *declared.questions_listed_without_item(declared.form)]


def _line(words: str) -> str:
    """Words escaped for a table cell."""
    return " ".join(words.split()).replace("|", "\\|").replace("<", "&lt;")
