"""Bridges between studies of your own and other tools: what a bridge is, and which there are.

MedLens's own stand in the room ``medlens.bridges``. The tables here name them and what help says
of them; a bridge is loaded when a file is read or written, or when the process begins that reads
files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import PurePath
from typing import Any

from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    title_from_name,
)
from medlens.studies.study_definition import Package
from medlens.tables import Column, Kind
from medlens.tables.file_schemas_import_requests_and_reports import (
    TABLES_OF_ITEMS,
    TABLES_OF_JUDGMENTS,
)

GROUP = "medlens.bridges"
"""The group of entry points in which other distributions name their bridges."""


@dataclass(frozen=True)
class _Reference:
    """A function of a bridge, as an entry point names it, loaded when it is called."""

    value: str

    def load(self) -> Callable[..., Any]:
        """The function itself.

        Raises:
            ImportError, AttributeError: there is none.
        """
        return metadata.EntryPoint("", self.value, GROUP).load()  # type: ignore[no-any-return]

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the function returns, or raises."""
        return self.load()(*given, **named)


@dataclass(frozen=True)
class Converted:
    """A project of another tool, converted: a study's file, the rows of its items and judgments by
    column, as in the files ``own-items`` and ``own-judgments`` (docs/files.md), and notes for the
    lead. A judgment needs ``item``, ``rater`` and a column for each question; who has no
    ``rater_kind`` is a person.
    """

    study: str
    items: list[dict[str, Any]]
    judgments: list[dict[str, Any]]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A file of a project: its ``name`` on the command line, what it is, and the other endings it
    may have; ``several``: there may be more such files, if it is the last part.
    """

    name: str
    is_: str
    also: tuple[str, ...] = ()
    several: bool = False

    @property
    def possible_file_endings(self) -> tuple[str, ...]:
        """The possible endings of its file's name, without the dot."""
        return (PurePath(self.name).suffix[1:], *self.also)


@dataclass(frozen=True)
class Tool:
    """A tool and what its projects are called; ``convert`` takes a title and the content of each
    file, and ``title`` makes a title from the last file's name without its ending.
    """

    thing: str
    parts: tuple[Part, ...]
    convert: Callable[..., Converted]
    title: Callable[[str], str] = title_from_name


TOOLS: dict[str, Tool] = {
    "label-studio": Tool(
        "a Label Studio project",
        (
            Part("CONFIG.xml", "its labelling interface (Settings, Labeling Interface, Code)"),
            Part("EXPORT.json", "its export as JSON"),
        ),
        _Reference(
            "medlens.bridges.import_from_label_studio:convert_label_studio_to_study_and_notes"
        ),
    ),
    "inspect": Tool(
        "logs of Inspect",
        (Part("LOG.eval", "its logs (.eval or .json), one for each model", ("json",), True),),
        _Reference("medlens.bridges.import_from_inspect:convert_inspect_logs_to_study_and_notes"),
        _Reference("medlens.bridges.import_from_inspect:study_title_from_log_name"),
    ),
    "potato": Tool(
        "a Potato project",
        (Part("PROJECT.zip", "its folder as a zip: configuration, data and annotation output"),),
        _Reference("medlens.bridges.import_from_potato:convert_potato_project_to_study_and_notes"),
    ),
    "argilla": Tool(
        "an Argilla dataset",
        (
            Part(
                "SETTINGS.json",
                "its settings (dataset.settings.to_json; argilla.yaml of Argilla 1)",
                ("yaml", "yml"),
            ),
            Part(
                "RECORDS.parquet",
                "its records: Parquet, JSON, JSON lines, or the data-….arrow of a Hugging Face"
                " dataset on disk",
                ("json", "jsonl", "arrow"),
                True,
            ),
        ),
        _Reference(
            "medlens.bridges.import_from_argilla:convert_argilla_dataset_to_study_and_notes"
        ),
    ),
    "inception": Tool(
        "an INCEpTION project",
        (
            Part(
                "EXPORT.zip",
                "its export as a zip, or one document (UIMA CAS JSON or WebAnno TSV 3)",
                ("json", "tsv"),
            ),
        ),
        _Reference(
            "medlens.bridges.import_from_inception:convert_inception_export_to_study_and_notes"
        ),
    ),
    "doccano": Tool(
        "a doccano project",
        (
            Part(
                "EXPORT.jsonl",
                "its dataset as JSONL, or the zip with a file for each annotator",
                ("zip", "json"),
            ),
        ),
        _Reference(
            "medlens.bridges.import_from_doccano:convert_doccano_project_to_study_and_notes"
        ),
    ),
    "redcap": Tool(
        "a data dictionary of REDCap",
        (Part("DICTIONARY.csv", "its data dictionary, as REDCap downloads it"),),
        _Reference(
            "medlens.bridges.import_from_redcap:convert_redcap_dictionary_to_study_and_notes"
        ),
    ),
    "healthbench": Tool(
        "HealthBench's published file",
        (Part("FILE.jsonl", "its conversations, answers to them, or its meta-evaluation"),),
        _Reference(
            "medlens.bridges.import_from_healthbench:convert_healthbench_file_to_study_and_notes"
        ),
    ),
}
"""The tools whose projects can be imported as studies, by name; in the end also those of other
distributions."""

HEALTHBENCH_COLUMNS = (
    Column("prompt_id", "name", "which conversation it is"),
    Column("prompt", "array", "the conversation: turns, each with role and content"),
    Column("rubrics", "array", "its criteria, each with criterion, points and tags"),
    Column("example_tags", "array", "its tags; that of its theme begins with theme:"),
    Column("ideal_completions_data", "object", "the physicians' answer, and those they were shown"),
    Column("completion", "text", "an answer to be judged"),
    Column("model", "name", "whose answer it is"),
    Column("rubric", "text", "in the meta-evaluation: the one criterion that was judged"),
    Column("binary_labels", "array", "in the meta-evaluation: whether each physician held it met"),
    Column("anonymized_physician_ids", "array", "in the meta-evaluation: who these are"),
    Column("category", "name", "in the meta-evaluation: the criterion's category, kept as its tag"),
)

IMPORTS = {
    "own-healthbench": Kind(
        title="HealthBench's published conversations, answers to them, or its meta-evaluation",
        read=_Reference(
            "medlens.bridges.import_from_healthbench:import_healthbench_items_and_judgments"
        ),
        looks="HealthBench's JSON lines: prompt_id, prompt, rubrics and example_tags; or prompt,"
        " completion, rubric and binary_labels.",
        columns=HEALTHBENCH_COLUMNS,
        known_by=(
            frozenset({"prompt_id", "prompt", "rubrics", "example_tags"}),
            frozenset({"prompt", "completion", "rubric", "binary_labels"}),
        ),
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS,
    )
}
"""Files of other tools that are imported into a study that is there, by kind."""

PACKAGES = {
    "own-label-studio": Package(
        "A Label Studio project: its labelling interface, and items with all answers",
        "zip",
        _Reference("medlens.bridges.export_to_label_studio:make_label_studio_zip"),
    ),
    "own-inspect": Package(
        "A log of Inspect: items as samples, and what each rater said as scores",
        "eval",
        _Reference("medlens.bridges.export_to_inspect:make_inspect_log_file_bytes"),
    ),
    "own-redcap": Package(
        "A REDCap project: its data dictionary, and a record for each judgment to import",
        "zip",
        _Reference("medlens.bridges.export_to_redcap:make_redcap_zip"),
    ),
    "own-hugging-face": Package(
        "A dataset for Hugging Face: Parquet files with a dataset card",
        "zip",
        _Reference("medlens.bridges.export_to_hugging_face:make_hugging_face_zip"),
    ),
}
"""Files for other tools, as which a study goes out, by kind."""


def iterate_over_references_to_bridges() -> Iterator[_Reference]:
    """MedLens's own functions that read and write for other tools."""
    functions: list[object] = [tool.convert for tool in TOOLS.values()]
    functions += [tool.title for tool in TOOLS.values()]
    functions += [kind.read for kind in IMPORTS.values()]
    functions += [package.make for package in PACKAGES.values()]
    yield from (function for function in functions if isinstance(function, _Reference))


def import_bridge_modules() -> None:
    """Load MedLens's own bridges, in a process that reads many files."""
    for reference in iterate_over_references_to_bridges():
        reference.load()
