"""The tools whose projects can be imported as studies, each with the files of a project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from medlens.studies.own import (
    argilla_import,
    doccano_import,
    healthbench_import,
    inception_import,
    inspect_import,
    label_studio_import,
    potato_import,
)
from medlens.studies.own.converted_project import Converted
from medlens.studies.own.study_file_draft import title_from_name


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
    def endings(self) -> tuple[str, ...]:
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


TOOLS = {
    "label-studio": Tool(
        "a Label Studio project",
        (
            Part("CONFIG.xml", "its labelling interface (Settings, Labeling Interface, Code)"),
            Part("EXPORT.json", "its export as JSON"),
        ),
        label_studio_import.convert_label_studio,
    ),
    "inspect": Tool(
        "logs of Inspect",
        (Part("LOG.eval", "its logs (.eval or .json), one for each model", ("json",), True),),
        inspect_import.convert_inspect_logs,
        inspect_import.title_from_log_name,
    ),
    "potato": Tool(
        "a Potato project",
        (Part("PROJECT.zip", "its folder as a zip: configuration, data and annotation output"),),
        potato_import.convert_potato,
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
        argilla_import.convert_argilla,
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
        inception_import.convert_inception,
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
        doccano_import.convert_doccano,
    ),
    "healthbench": Tool(
        "HealthBench's published file",
        (Part("FILE.jsonl", "its conversations, answers to them, or its meta-evaluation"),),
        healthbench_import.convert_healthbench,
    ),
}
