"""``medlens.open``: the work in a store for Python, as DataFrames. docs/python.md has examples.

Every method does what the command line does: a job
(``work_behind_commands.run_inbox_job_and_return_result_as_dict``), here or, while a server has the
store open, there. So both give the same tables.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from medlens.app import (
    exports_without_pandas,
    job_inbox_of_running_app,
    python_api_tables,
    store_zip_writing_and_reading,
    work_behind_commands,
)
from medlens.app.store_opening import (
    open_configured_store,
    open_store_unless_held,
    refuse_missing_store_file,
)
from medlens.config.settings import Settings, load_settings
from medlens.deferred_module import pd
from medlens.errors import BadFile, InvalidInput, StoreUnavailable
from medlens.store import Store, duckdb_engine, output_file
from medlens.studies.installed_studies_and_bridges import register_installed_studies_and_list_faults
from medlens.studies.registry import PACKAGES
from medlens.tables import require_readable_file

_TRIES, _PAUSE = 3, 0.03
"""How often, and after how many seconds, a file is tried that another process may soon let go."""


@dataclass(frozen=True)
class Imported:
    """What came of an import: ``line`` says it in a sentence, ``notes`` what else there is to know.

    ``added`` rows were new, ``known`` there already, ``refused`` wrong: these are in ``bad_rows``.
    """

    line: str
    added: int
    known: int
    refused: int
    notes: tuple[str, ...] = ()
    bad_rows: Path | None = None


def open_workbench(store: str | Path = "", *, create: bool = False) -> Workbench:
    """``medlens.open``."""
    register_installed_studies_and_list_faults()
    settings = load_settings()
    if store:
        address = str(store)
        address = address if "://" in address else str(Path(address).expanduser().absolute())
        settings = settings.model_copy(update={"store": address})
    scheme, colon, _ = settings.store.partition("://")
    if colon and scheme not in ("postgresql", "postgres"):
        raise StoreUnavailable(
            f"A store is a DuckDB file or postgresql://…, not {scheme}://….",
            hint="Give the path of a file, or the address of a PostgreSQL database.",
        )
    if not create:
        refuse_missing_store_file(
            settings, hint="Check the path; open(path, create=True) makes a new store."
        )
    return Workbench(settings)


class Workbench:
    """The work in a store. Every method that returns a table raises ``errors.InvalidInput`` for a
    study, dataset or task that is not there, naming those that are, and ``errors.StoreUnavailable``
    if the store cannot be reached.

    ``study`` and ``dataset`` say of what: a study can be left out if the dataset, or the store, has
    only one, and a dataset is by default the study's newest that is not illustrative. A study of
    your own is named by its ``id``. ``anonymous`` has numbers instead of people, as in exports.

    Texts are ``str``, whole numbers ``Int64``, yes and no ``boolean``, other numbers ``float64``,
    times ``datetime64`` in UTC, each also where values are missing. ``dictionary`` explains the
    columns.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_closed = False
        self._copy: Store | None = None
        with _private_files():
            if "://" in settings.store:
                self._copy = open_configured_store(settings)
                self._let_go = weakref.finalize(self, self._copy.close)
            elif (store := self._try_to_open()) is not None:
                store.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        place = "a PostgreSQL store" if self._copy is not None else self._settings.store
        return f"<medlens.Workbench of {place}{', closed' if self._is_closed else ''}>"

    def close(self) -> None:
        """Let go of the store; closing it again does nothing."""
        self._is_closed = True
        if self._copy is not None:
            self._let_go()

    # -- tables --------------------------------------------------------------------------------

    def studies(self) -> pd.DataFrame:
        """What is in the store, one row per dataset: study, study_title, dataset, dataset_title,
        illustrative, items (how many), tasks (their names, separated by "; ").
        """
        return self._table("studies")

    def items(self, study: str = "", dataset: str = "", *, anonymous: bool = False) -> pd.DataFrame:
        """The items to be judged, one row each, in the order of their file: study, dataset,
        item_kind, item_id, item (the name), and the columns that they came with.
        """
        return self._table("items", study=study, dataset=dataset, anonymous=anonymous)

    def judgments(
        self,
        study: str = "",
        dataset: str = "",
        task: str = "",
        *,
        history: bool = False,
        nested: bool = False,
        anonymous: bool = False,
    ) -> pd.DataFrame:
        """Judgments, one row each: who, what, when, and the answer as flat columns.

        Those that figures use: each rater's last one made before others' were shown (``blind``).
        ``history`` has every revision, and ``stands`` marks those in use. Times of work are in
        seconds. ``nested`` adds the whole answer as a dict, ``value``.
        """
        return self._table(
            "judgments",
            study=study,
            dataset=dataset,
            task=task,
            history=history,
            nested=nested,
            anonymous=anonymous,
        )

    def marks(
        self,
        study: str = "",
        dataset: str = "",
        *,
        history: bool = False,
        anonymous: bool = False,
    ) -> pd.DataFrame:
        """Marked passages, one row per label of each mark, with its judgment's columns; ``start``
        and ``end`` count characters (Unicode code points) from 0. A judgment without marks has one
        row.

        Raises:
            InvalidInput: nothing is marked in this study.
        """
        return self._table(
            "marks", study=study, dataset=dataset, history=history, anonymous=anonymous
        )

    def raters(self, *, anonymous: bool = False) -> pd.DataFrame:
        """People and models, one row each: rater_id, rater_handle, rater (the name), rater_kind,
        rater_origin, role, excluded (all of their work), judgments (items judged that count).
        """
        return self._table("raters", anonymous=anonymous)

    def consensus(
        self, study: str = "", dataset: str = "", task: str = "", *, anonymous: bool = False
    ) -> pd.DataFrame:
        """The consensus, one row per item and measured variable: study, dataset, task, item,
        variable, answer, votes, n (people who answered), adjudicated, reason, cannot_tell. The
        answer is the adjudicator's, otherwise the clear majority's, otherwise missing.
        """
        return self._table(
            "consensus", study=study, dataset=dataset, task=task, anonymous=anonymous
        )

    def agreement(
        self,
        study: str = "",
        dataset: str = "",
        task: str = "",
        *,
        pairs: bool = False,
        anonymous: bool = False,
    ) -> pd.DataFrame:
        """How far people agree, one row per variable and figure (alpha, fleiss, ac1, percent; icc
        and icc_of_means of numbers, ac2 of scales) with interval, n and method; with ``pairs`` also
        same and kappa of each pair of raters (rater, other_rater), models included.
        """
        return self._table(
            "agreement",
            study=study,
            dataset=dataset,
            task=task,
            pairs=pairs,
            anonymous=anonymous,
        )

    def figures(
        self, study: str = "", dataset: str = "", *, anonymous: bool = False, **narrow: str
    ) -> pd.DataFrame:
        """The study's figures as its page draws them, one row each: figure, group, numerator,
        denominator, value, low and high (a 95% interval), n, p, method, and what they are narrowed
        to. Shares are from 0 to 1; an undefined figure has no value, and its method says why.

        ``narrow`` are the filters of ``export figures``, such as ``judge="NAME"`` or ``run="ID"``.

        Raises:
            InvalidInput: the study's figures cannot be narrowed like that.
        """
        return self._table(
            "figures", study=study, dataset=dataset, narrow=narrow, anonymous=anonymous
        )

    def trust(self, study: str = "", dataset: str = "", *, anonymous: bool = False) -> pd.DataFrame:
        """Each model against the clinicians, one row per figure: task, judge, variable, answer, who
        (the model, "Clinicians", or one of them), figure, value, interval, n, p, method.
        """
        return self._table("trust", study=study, dataset=dataset, anonymous=anonymous)

    def dictionary(self) -> pd.DataFrame:
        """The data dictionary: of, name, column, meaning, type, unit, allowed. Columns of these
        tables are of ``"medlens.open"``.
        """
        return self._table("dictionary")

    def table(
        self,
        kind: str,
        study: str = "",
        dataset: str = "",
        *,
        task: str = "",
        history: bool = False,
        anonymous: bool = False,
        **narrow: str,
    ) -> pd.DataFrame:
        """Any table that ``python -m medlens export KIND`` writes (docs/files.md).

        Raises:
            InvalidInput: there is no such table, or it has no such option.
        """
        return self._table(
            "export",
            kind=kind,
            study=study,
            dataset=dataset,
            task=task,
            history=history,
            narrow=narrow,
            anonymous=anonymous,
        )

    # -- in and out ----------------------------------------------------------------------------

    def add_study(self, file: str | Path) -> str:
        """Add a study of your own, or a new version of one, from its STUDY.toml (docs/own.md);
        returns what was done, in a sentence.

        Raises:
            BadFile, InvalidInput: the file cannot be used; nothing was written.
        """
        path = _file(file)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadFile(
                f"{path.name} is not a text in UTF-8.", hint="Save it as UTF-8."
            ) from error
        with self._done({"verb": "study", "text": text, "name": path.name}) as (outcome, _):
            return str(outcome["line"])

    def import_file(
        self,
        kind: str,
        file: str | Path,
        dataset: str = "",
        *,
        label: str = "",
        skip_bad: bool = False,
        encoding: str = "",
        dry_run: bool = False,
    ) -> Imported:
        """Import a file (docs/files.md has the kinds), all or nothing; importing it again adds
        nothing twice.

        ``skip_bad`` imports the good rows and writes the others to a new file beside ``file``.
        ``label`` is what imported labels are called, ``encoding`` that of a file that is not UTF-8.
        ``dry_run`` says what would be added.

        Raises:
            BadFile: rows are wrong (``rows`` has line, column and what was expected), or it cannot
                be read; nothing was written.
            InvalidInput: no such kind, or it contradicts what is there; nothing was written.
        """
        path = _file(file)
        options = {
            "dataset": dataset,
            "label": label,
            "skip_bad": skip_bad,
            "dry_run": dry_run,
            "encoding": encoding,
            "bad_rows": skip_bad,
        }
        job = {"verb": "import", "kind": kind, "file": path.name, "options": options}
        with self._done(job, file=path) as (outcome, folder):
            line, kept = outcome["line"], None
            for made in folder.glob("bad_rows*"):
                kept = output_file.first_unused_path(
                    path.with_name(f"{path.name}.bad{made.suffix}")
                )
                with output_file.temporary_path_that_becomes_new_file(kept) as part:
                    shutil.copyfile(made, part)
                line = line.replace(outcome["bad_rows"], str(kept))
            counts = {name: int(outcome[name]) for name in ("added", "known", "refused")}
            return Imported(line, **counts, notes=tuple(outcome["notes"]), bad_rows=kept)

    def export(
        self,
        kind: str,
        file: str | Path,
        study: str = "",
        dataset: str = "",
        *,
        task: str = "",
        history: bool = False,
        anonymous: bool = False,
        force: bool = False,
        **narrow: str,
    ) -> Path:
        """Write what ``python -m medlens export KIND`` writes to a new file, CSV, JSON lines, Excel
        or Parquet by its ending; ``everything`` and files for other tools too. Returns its path.

        Like all exports it is noted in the audit log.

        Raises:
            InvalidInput: no such table, study or dataset, or the file exists (without ``force``).
        """
        target = Path(file).expanduser()
        keep = self._store_files()
        output_file.require_new_file(target, keep=keep, force=force)
        package = {"study": study, "dataset": dataset, "anonymous": anonymous}
        options = package | {
            "task": task,
            "rule": "",
            "history": history,
            "narrow": narrow,
            "format": exports_without_pandas.choose_table_format(target, kind),
            "bom": False,
        }
        if kind in (store_zip_writing_and_reading.NAME, *PACKAGES):
            options = {"anonymous": anonymous}
        job = {"verb": "export", "kind": kind, "options": options, "package": package}
        with (
            self._done(job) as (_, folder),
            output_file.temporary_path_that_becomes_new_file(
                target, keep=keep, force=force
            ) as part,
        ):
            shutil.copyfile(folder / "table", part)
        return target

    # -- how it is done ------------------------------------------------------------------------

    def _table(self, table: str, **options: Any) -> pd.DataFrame:
        with self._done({"verb": "table", "table": table, "options": options}) as (_, folder):
            return python_api_tables.read_parquet_table(folder / "table")

    @contextlib.contextmanager
    def _done(
        self, job: Mapping[str, Any], *, file: Path | None = None
    ) -> Iterator[tuple[dict[str, Any], Path]]:
        """What a job came to, and the folder with its files, which is removed afterwards."""
        if self._is_closed:
            raise InvalidInput("This workbench was closed.", hint="Open it again: medlens.open.")
        with contextlib.ExitStack() as held:
            held.enter_context(_private_files())
            if self._copy is not None:
                self._copy.fetch_rows_of_other_processes_and_count()
            store = self._copy or self._try_to_open(tries=_TRIES)
            if store is None:
                done = job_inbox_of_running_app.submit_job_or_open_store(
                    *(self._settings.store, job, self._try_to_open), file=file
                )
                if isinstance(done, tuple):
                    held.callback(shutil.rmtree, done[1], ignore_errors=True)
                    yield done
                    return
                store = done
            if store is not self._copy:
                held.callback(store.close)
            folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="medlens-")))
            if file is not None:
                (folder / file.name).symlink_to(file.resolve())
            yield (
                work_behind_commands.run_inbox_job_and_return_result_as_dict(
                    store, self._settings, job, folder
                ),
                folder,
            )

    def _try_to_open(self, tries: int = 1) -> Store | None:
        """The store; None if another process has it open, at the last try too: another notebook may
        be reading, and be done in a moment.
        """
        for left in reversed(range(tries)):
            if (store := open_store_unless_held(self._settings)) is not None:
                return store
            if left:
                time.sleep(_PAUSE)
        return None

    def _store_files(self) -> tuple[Path, ...]:
        """Files to which nothing is ever exported."""
        if self._copy is not None:
            return ()
        return (
            *duckdb_engine.paths_of_store_files(self._settings.store),
            job_inbox_of_running_app.path_of_inbox_folder(self._settings.store),
        )


def _file(file: str | Path) -> Path:
    path = Path(file).expanduser()
    require_readable_file(path)
    return path


@contextlib.contextmanager
def _private_files() -> Iterator[None]:
    """Files made meanwhile are for this user alone, as those of the command line; a notebook's own
    files, later, are as before.
    """
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
