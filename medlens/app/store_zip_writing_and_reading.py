"""A whole store to hand over: one zip with tables, their meaning, and how they were made.

The tables are the log itself, so an empty store that imports them gives the same figures.
"""

from __future__ import annotations

import csv
import functools
import io
import json
import platform
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from medlens import __version__
from medlens.app.data_dictionary import data_dictionary_rows
from medlens.config.settings import Settings
from medlens.deferred_module import pa, pq
from medlens.errors import BadFile, StoreUnavailable
from medlens.review import guideline, items
from medlens.review.anonymity import Anonymizer, anonymise_json_text
from medlens.store import Store, table_dump, to_json
from medlens.studies.registry import STUDIES
from medlens.tables.formula_escape_and_restore import neutralise_formulas

NAME = "everything"
_FORMAT = 1
_MANIFEST = "manifest.json"
_MOST_MANIFEST = 1_000_000
_LEFT_OUT = "left out"
_PACKAGES = (
    *("duckdb", "numpy", "pandas", "scipy"),
    *("pydantic", "pyarrow", "streamlit", "openai"),
)
_ABOUT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


def write_store_zip_and_return_report_text(
    store: Store, settings: Settings, target: Path, *, anonymous: bool = False
) -> str:
    """Write the zip to a new file; says what is in it. ``anonymous``: numbers instead of people in
    every table but those of items, of pages and of models' answers.

    Raises:
        StoreUnavailable: it cannot be written, or the store cannot be read.
    """
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as name:
            rows = table_dump.write_parquet_files_and_count_rows_by_table(store, Path(name))
            anonymizer = Anonymizer(store) if anonymous else None
            if anonymizer is not None:
                rows.update(dict.fromkeys(_TELL_WHO, 0))
                for table in rows:
                    _hide_people(Path(name) / f"{table}.parquet", table, anonymizer)
            _pack(store, settings, Path(name), rows, target, anonymizer)
    except OSError as error:
        raise StoreUnavailable(
            f"The zip cannot be written: {error.strerror or error}.",
            hint="Is the disk full? The store is as it was.",
        ) from error
    return f"{sum(rows.values()):,} rows in {sum(map(bool, rows.values()))} tables."


# What these tables hold was written before anybody judged it.
_NOT_BY_PEOPLE = re.compile(
    r"item|item_alias|item_further|completion|completion_attempt|sc_(?!outcome)\w+|ebmqa_\w+|migration|log_\w+"
)
_IDS = frozenset({"id", "item", "rater", "run", "job", "digest", "request", "made_by", "judgment"})
_MADE_FROM_RATERS = frozenset({"id", "rater", "made_by", "judgment"})
"""Those that hold the ids of raters, or ids that may have been made from them."""
_TELL_WHO = frozenset({"person_number", "computation"})
"""The tables by which numbers could be traced back to people: what was drawn, and figures of people
in the order of their names, which ``snapshot`` computes again.
"""


def _hide_people(file: Path, table: str, anonymizer: Anonymizer) -> None:
    """Write a table's file again, without what identifies people."""
    if _NOT_BY_PEOPLE.fullmatch(table):
        return
    given = pq.ParquetFile(file)
    if table in _TELL_WHO:
        schema = given.schema_arrow
        pq.write_table(schema.empty_table(), file)
        return
    texts = [
        field.name
        for field in given.schema_arrow
        if (pa.types.is_string(field.type) or field.type == pa.json_())
        and (field.name not in _IDS or field.name in _MADE_FROM_RATERS)
    ]
    if not texts:
        return
    kinds = pa.schema(
        [
            field.with_type(pa.string()) if field.name in texts else field
            for field in given.schema_arrow
        ]
    )
    as_json = functools.partial(anonymise_json_text, anonymizer)
    hidden = file.with_suffix(".hidden")
    with pq.ParquetWriter(hidden, kinds, compression="zstd") as out:
        for batch in given.iter_batches():
            rows = pa.Table.from_batches([batch])
            for name in texts:
                values = rows[name].to_pylist()
                if table == "rater" and name == "email":
                    values = [None] * len(values)
                hide = anonymizer.anonymise_row_id if name in _MADE_FROM_RATERS else as_json
                told = [None if one is None else hide(one) for one in values]
                at = rows.schema.get_field_index(name)
                rows = rows.set_column(at, kinds.field(at), pa.array(told, pa.string()))
            out.write_table(rows)
    hidden.replace(file)
    _order_by_number(file, table, anonymizer)


_ARRIVALS = frozenset({"rater", "rater_role"})
"""The tables whose rows are written when somebody comes."""
_WRITTEN_HERE = "app"
"""The origin of rows that did not come with a file: people's work, in the order of its times."""


def _order_by_number(file: Path, table: str, anonymizer: Anonymizer) -> None:
    """Write a table's file again so that the order of its rows tells nothing of who is who.

    Who knows in which order people came, or a file that was imported, could else count who has
    which number. People, and rows that were imported in one go, get each other's places (``seq``)
    in the order of people's numbers, and all people came at one time. Everybody's own rows keep
    their order, and no row of another table stood between those that change places, so figures
    and the state of every item stay the same.
    """
    schema = pq.read_schema(file)
    whose = "id" if table == "rater" else "rater"
    needed = [whose, "seq", *([] if table in _ARRIVALS else ["origin"])]
    if not set(needed) <= set(schema.names):
        return
    numbers = {anonymizer.ids[id]: int(number) for id, number in anonymizer.numbers.items()}
    told = pq.read_table(file, columns=needed).to_pydict()
    seqs, is_arrival = told["seq"], table in _ARRIVALS
    number_of = [numbers.get(id, 0) for id in told[whose]]
    by_seq = sorted(range(len(seqs)), key=seqs.__getitem__)
    runs: list[list[int]] = []
    for before, at in zip([None, *by_seq], by_seq, strict=False):
        if is_arrival and not number_of[at]:
            continue  # Models came with a file or a setting.
        if not is_arrival and told["origin"][at] == _WRITTEN_HERE:
            continue
        follows = runs and before == runs[-1][-1] and seqs[at] == seqs[runs[-1][-1]] + 1
        if runs and (is_arrival or follows):
            runs[-1].append(at)
        else:
            runs.append([at])
    places = list(seqs)
    for run in runs:
        for at, place in zip(sorted(run, key=number_of.__getitem__), run, strict=True):
            places[at] = seqs[place]
    if places == seqs and not is_arrival:
        return
    rows = pq.read_table(file)
    arrived = [at for run in runs for at in run] if is_arrival else []
    if arrived:
        times = rows["made_at"].to_pylist()
        first = min(times[at] for at in arrived)
        for at in arrived:
            times[at] = first
        rows = _with_values(rows, "made_at", times)
    rows = _with_values(rows, "seq", places)
    pq.write_table(rows.sort_by("seq"), file, compression="zstd")


def _with_values(rows: pa.Table, name: str, values: Sequence[Any]) -> pa.Table:
    """The table with other values in a column of the same kind."""
    at = rows.schema.get_field_index(name)
    return rows.set_column(at, rows.schema.field(at), pa.array(values, rows.schema.field(at).type))


def _pack(
    store: Store,
    settings: Settings,
    folder: Path,
    rows: Mapping[str, int],
    target: Path,
    anonymizer: Anonymizer | None,
) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        texts = {
            "README.txt": _ABOUT.format(version=__version__),
            _MANIFEST: _json({"format": _FORMAT, "store": table_dump.VERSION, "tables": rows}),
            "versions.json": _json(software_versions_by_name()),
            "settings.json": _json(settings_as_dict_without_secrets(settings)),
            "dictionary.csv": _csv(data_dictionary_rows(store, settings)),
            **guideline_texts_by_file_name(store, settings),
        }
        if anonymizer is not None:
            texts = {path: anonymizer.anonymise_text(text) for path, text in texts.items()}
        for path, text in texts.items():
            # One time for all files, so the same store always gives the same bytes.
            out.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED)
        for table in rows:
            entry = zipfile.ZipInfo(_place(table))
            # Parquet is already compressed.
            with (folder / f"{table}.parquet").open("rb") as data, out.open(entry, "w") as to:
                shutil.copyfileobj(data, to, 1 << 20)


def read_store_zip_and_return_report_text(store: Store, source: Path) -> str:
    """Read a zip from ``write_store_zip_and_return_report_text`` into an empty store, all or
    nothing; says what came in.

    Raises:
        BadFile: it is not such a file, is damaged, or is from another version.
        InvalidInput: the store is not empty.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            with zipfile.ZipFile(source) as given:
                tables = _tables(given, source.name)
                for table in tables:
                    entry = given.getinfo(_place(table))
                    if entry.compress_type != zipfile.ZIP_STORED:
                        raise BadFile(
                            f"{source.name}: {entry.filename} has been changed since it was"
                            f" written."
                        )
                    with given.open(entry) as data, (folder / f"{table}.parquet").open("xb") as to:
                        shutil.copyfileobj(data, to, 1 << 20)
        except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError) as error:
            raise BadFile(
                f"{source.name} is not a complete MedLens export: {error}.",
                hint="Export it again: python -m medlens export everything -o FILE.zip.",
            ) from error
        table_dump.fill_store_from_table_files(store, folder, tables)
    return f"Imported {sum(tables.values()):,} rows in {sum(map(bool, tables.values()))} tables."


def _place(table: str) -> str:
    return f"tables/{table}.parquet"


def _tables(given: zipfile.ZipFile, name: str) -> dict[str, int]:
    """The tables that the manifest names, with their rows."""
    if given.getinfo(_MANIFEST).file_size > _MOST_MANIFEST:
        raise BadFile(f"The manifest of {name} is too long.")
    try:
        said = json.loads(given.read(_MANIFEST))
        version, found = int(said["store"]), dict(said["tables"])
        rows = {str(table): int(count) for table, count in found.items()}
    except (ValueError, TypeError, KeyError) as error:
        raise BadFile(f"The manifest of {name} cannot be read: {error}.") from error
    if (said.get("format"), version) != (_FORMAT, table_dump.VERSION):
        raise BadFile(
            f"{name} was made by a MedLens whose store has version {version}; here it is"
            f" {table_dump.VERSION}.",
            hint="Import it with the version of MedLens that its versions.json names.",
        )
    # Names become paths, so only those of tables are accepted.
    if unknown := [table for table in rows if not table.isidentifier()]:
        raise BadFile(f"{unknown[0]!r} in {name} is not the name of a table.")
    return rows


# -- what it means and what it was made by ---------------------------------------------------------


@functools.lru_cache(maxsize=1)
def software_versions_by_name() -> Mapping[str, str]:
    """The versions of the software that makes the figures."""
    packages = {name: metadata.version(name) for name in _PACKAGES}
    return {"medlens": __version__, "python": platform.python_version(), **packages}


def settings_as_dict_without_secrets(settings: Settings) -> dict[str, Any]:
    """The settings without what others must not know: the place of the store, people's addresses,
    the proxy, and texts among the parameters of models.
    """
    found: dict[str, Any] = settings.model_dump(mode="json", exclude={"store", "people"})
    found["web"]["proxy"] = _LEFT_OUT if found["web"]["proxy"] else ""
    for model in found["models"].values():
        model["parameters"] = _without_texts(model["parameters"])
    return found


def _without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_texts(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_without_texts(one) for one in value]
    return _LEFT_OUT if isinstance(value, str) else value


def guideline_texts_by_file_name(store: Store, settings: Settings) -> dict[str, str]:
    """The guidelines for raters, by the name of their file in the zip."""
    found = {}
    for name, study in STUDIES.items():
        for at, row in enumerate(items.datasets_of_study(store, name), 1):
            opened = study.open(store, settings, str(row["dataset"]))
            dataset = str(row["dataset"])
            texts = dict(study.guidelines(opened))
            for task in study.tasks(opened):
                told = guideline.guideline_versions_table(store, task, dataset=dataset)
                rows = told.astype(object).where(told.notna(), "").to_numpy().tolist()
                texts[f"{task.name}.csv"] = _csv(
                    [[str(one) for one in row] for row in (list(told), *rows)]
                )
            for file, text in texts.items():
                head = "" if file.endswith(".csv") else f"# dataset {to_json(dataset)}\n"
                found[f"guidelines/{name}-{at}-{file}"] = head + text
    return found


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"


def _csv(rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([neutralise_formulas(cell) for cell in row] for row in rows)
    return out.getvalue()
