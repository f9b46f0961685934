"""A study as one object, declared in its own folder: all that Home, the menu, Data, Team, Runs and
the command line need to know of it. ``studies/registry.py`` lists the studies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from medlens.config.settings import Section, Settings
from medlens.config.toml_file import TomlFile
from medlens.deferred_module import pd
from medlens.llm.pipeline_declaration_forecast_and_run import Pipeline
from medlens.review import (
    hand_out_settings,
    informative_sample,
    judge_trust,
    randomised_model_suggestions,
    renaming_and_name_translation,
    retest_agreement,
)
from medlens.review.annotated_items_table import Said, annotated_items_table
from medlens.review.figure_definitions import Figures
from medlens.review.item_corrections import AnswersOnEarlierVersions, SharedCorrection
from medlens.review.item_text_erasure import TextRules
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.review.undo_imports import FindResting, empty_result_of_dependent_work
from medlens.store import Store
from medlens.tables import Kind, Request

MANIFEST = "manifest.toml"


# Files that belong together: a folder whose manifest names them in import order.
#
# ``manifest.toml`` holds a ``title``, the ``dataset`` for the rows, and a ``[[file]]`` with
# ``name`` and ``kind`` for each file. The demos are such folders (``data/demo``): tables as
# MedLens exports them.


@dataclass(frozen=True)
class Bundle:
    """The contents of a manifest; ``files`` are paths with their kinds, in import order."""

    title: str
    dataset: str
    files: tuple[tuple[Path, str], ...]


def read_manifest_of_folder(folder: Path, kinds: Collection[str]) -> Bundle:
    """Read the manifest of a folder whose files are of these kinds.

    Raises:
        BadFile: it cannot be read, or is invalid; names the line.
    """
    file = TomlFile(folder / MANIFEST, "manifest")
    file.record_unknown_fields(file.top, ("title", "dataset", "file"))
    files = []
    for table in file.list_tables_named("file", required=True):
        file.record_unknown_fields(table, ("name", "kind"))
        name, kind = (
            file.read_text_field(table, "name"),
            file.read_choice_field(table, "kind", list(kinds)),
        )
        if Path(name).name != name:
            file.record_field_mistake(table, "name", "a file in the manifest's folder")
        files.append((folder / name, kind))
    found = Bundle(
        file.read_text_field(file.top, "title"),
        file.read_text_field(file.top, "dataset"),
        tuple(files),
    )
    file.raise_if_mistakes_were_recorded()
    return found


def import_manifest_folder_and_describe_content(
    store: Store, folder: Path, kinds: Mapping[str, Kind], opened: Callable[[str], Any]
) -> str:
    """Import a folder's files; returns what is there. Repeating it adds nothing.

    ``opened`` returns the study as it is on a dataset, for the readers of its kinds.

    Raises:
        BadFile, InvalidInput: the manifest or a file is refused; the files before it were added.
    """
    bundle = read_manifest_of_folder(folder, kinds)
    counts: Counter[str] = Counter()
    for path, kind in bundle.files:
        request = Request(path, path.name, bundle.dataset)
        done = kinds[kind].read(store, opened(bundle.dataset), request)
        counts[done.what] += done.added + done.known
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    return f"{bundle.title} is there: {told}."


def column_name_in_words(column: str) -> str:
    """A column's name in words, for studies whose files have names made for programs."""
    words = column.replace("_", " ")
    return words[:1].upper() + words[1:]


Exporter: TypeAlias = "Callable[..., pd.DataFrame]"


@dataclass(frozen=True)
class Package:
    """A file for another tool: its title, the ending of its name, and the function that makes it
    from a store, the opened study, the ``viewer`` (None: the command line) and whether people are
    ``anonymous``.
    """

    title: str
    ending: str
    make: Callable[..., bytes]


@dataclass(frozen=True)
class Listed:
    """How items of one kind appear in a list of a study's items.

    Attributes:
        title: the noun for one item.
        words: their text, as SQL on the item's row ``i``.
        where: where an item is shown in full, as parameters of the address of the study's page;
            takes its name and id. The address also names the dataset.
        columns: their imported columns, by ``item`` (their name), of the opened study; None: the
            fields of their stored bodies.
        words_shown: as ``words``, of nothing but what reviewers see, of the opened study: who
            looks for an item may have it to judge. None: ``words``.
    """

    title: str
    words: str = "i.body::varchar"
    where: Callable[[str, str], Mapping[str, str]] = lambda name, item: {}
    columns: Callable[[Store, Any], pd.DataFrame] | None = None
    words_shown: Callable[[Any], str] | None = None


def words_of_listed_items(listed: Mapping[str, Listed], opened: Any) -> dict[str, str]:
    """The text of the items of each kind as a list shows it, as SQL on the item's row ``i``."""
    return {
        kind: one.words_shown(opened) if one.words_shown else one.words
        for kind, one in listed.items()
    }


@dataclass(frozen=True)
class Correcting:
    """How items are corrected: their ``cells`` as text by column, given the opened study and an
    item's body; and the body ``made`` with some of them changed, which raises ``InvalidInput`` if
    it is none.
    """

    cells: Callable[[Any, Mapping[str, Any]], Mapping[str, str]]
    made: Callable[[Any, Mapping[str, Any], Mapping[str, str]], Mapping[str, Any]]


@dataclass(frozen=True)
class CorrectingShared:
    """How items are corrected whose texts are in tables of the study's own, where several can show
    the same: the ``cells`` of an item as text by column, given the store, the opened study and the
    item's id; and the correction ``made`` of some of them, which raises ``InvalidInput`` if they
    cannot be. ``version`` is that of what an item shows, if it is not that of the item.
    """

    cells: Callable[[Store, Any, str], Mapping[str, str]]
    made: Callable[[Store, Any, str, Mapping[str, str]], SharedCorrection]
    version: Callable[[Store, str], int] | None = None


@dataclass(frozen=True)
class Explained:
    """A table of what raters judge by, such as labels with their meaning."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study: its name, the page where its people work, its files, tasks, pipelines and demo.

    Attributes:
        name: as items carry it and the command line takes it.
        page: the Streamlit page of the study, from the project's folder; ``enter`` and ``icon`` are
            its label and icon in the menu.
        about: one or two sentences for Home.
        views: where each task is done: the parameters of the page's address, by the task's name.
        listed: the kinds of items on the Data page, in order; if empty, those of its tasks.
        items_view: where a lead sees the items: the parameters of the address.
        reading: the views of the page in which a lead reads rather than judges.
        item_parameter: the parameter that names one item there, for studies in which a piece of a
            run is an item; otherwise empty.
        imports: kinds of files by name.
        exports: tables by name: a title, and the function that makes one. Every study also has
            ``annotated``, ``trust``, ``suggestions``, ``retest`` and ``samples``.
        packages: files for other tools, by name.
        marks: which of ``exports`` has a row per mark; empty: nothing is marked.
        open: opens one dataset of the study; the default one if the name is empty. The result has
            ``dataset`` ("" if there are no items) and ``illustrative``.
        titles: the displayed names of these datasets.
        datasets_are_studies: whether people call each dataset a study: it has a title and an
            address of its own, and is its round.
        require_dataset_name: raises ``InvalidInput`` for a name that no dataset of it can be given.
        attached_folder: the folder of the files that items of a dataset show; it need not exist.
            Given the settings and the dataset. None: there are none.
        column_title: what people call a column of its items' files.
        without_items: datasets that are set up and have no items yet, or no longer; leads see them.
        tasks: what raters are asked, given the result of ``open``.
        pipelines: what models do.
        published: the dataset that published files go to.
        follows: kinds of files about items that must exist already: they go to the dataset of these
            items, whatever its name.
        guidelines: what raters of an opened dataset judge by: texts by file name.
        explained: the same for readers of a report: labels, answers and what they mean.
        shown_otherwise: how reviewers see items otherwise than they are stored, in sentences for a
            report; given the store and the opened study.
        text_rules: what stays when an item's texts are erased; given the opened study.
        said: what models say of items other than judgments.
        ends: what a person still has to do in a dataset once they have judged all its items, in
            words; "" if nothing. Given the store, the dataset and the rater.
        withdrawn_with: what is withdrawn, and comes back, together with items of a dataset that are
            given by name: names by id. Also ids of what a lead sees as an item and the store keeps
            otherwise.
        named_besides: the id of what has texts under a name in a dataset, and may be no item; ""
            if nothing has.
        texts_with_words: what of a dataset has words in texts that are not in an item's body: names
            by id. Given the store, the dataset and the words.
        resting_on: what goes with items whose import is undone.
        answered_earlier: what else than judgments was given to items of a dataset that were
            corrected since; None: there is nothing else.
        correcting: how items are corrected; None: they cannot be.
        correcting_reveals: whether who corrects an item sees what those who judge it do not; given
            the opened study.
        seen_by_adjudicator: how an item is shown to who settles it, if not as it was judged: given
            the opened study and the item's body, and by name the ``item`` (its id), the ``rater``
            who settles and the ``seed`` of the round. The result has the ``task`` as asked then,
            and what an answer says ``answers_with_letters`` for what raters must not know.
        choose_dataset: the dataset of a file of one of its kinds, if nobody says so and the file
            does not; given the store and the kind. None: the one for published files, unless the
            kind ``follows`` others.
        open_without_work: whether a reviewer without work in the study may open something else
            on its page. Given the store and the reviewer.
        offer: makes items of other work that waits for people in a dataset; called before counting.
        settings: the study's own section of ``medlens.toml``, named like it; None: no section.
        narrowing: what the figures of a dataset can be narrowed by: the values and their labels.
        sides: the labels of a side of ``narrowing``, and of no choice, if they differ from those of
            other studies.
        figures: the figures of the study.
        demo_files: the folder of its illustrative demo, as ``bundle`` reads it.
    """

    name: str
    title: str
    page: str
    enter: str
    icon: str
    about: str
    views: Mapping[str, Mapping[str, str]]
    imports: Mapping[str, Kind]
    exports: Mapping[str, tuple[str, Exporter]]
    open: Callable[[Store, Settings, str], Any]
    tasks: Callable[[Any], Sequence[Task]]
    pipelines: Sequence[Pipeline]
    published: str
    packages: Mapping[str, Package] = field(default_factory=dict)
    marks: str = ""
    listed: Mapping[str, Listed] = field(default_factory=dict)
    items_view: Mapping[str, str] = field(default_factory=dict)
    reading: Collection[str] = ()
    item_parameter: str = ""
    follows: Collection[str] = ()
    settings: type[Section] | None = None
    narrowing: Callable[[Store, str], Mapping[str, Mapping[str, str]]] = lambda _s, _d: {}
    sides: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    figures: Figures[Any, Any] | None = None
    demo_files: Path | None = None
    titles: Callable[[Store, Sequence[str]], Mapping[str, str]] = lambda _, datasets: {
        one: one for one in datasets
    }
    datasets_are_studies: bool = False
    require_dataset_name: Callable[[str], None] = lambda _name: None
    attached_folder: Callable[[Settings, str], Path | None] = lambda _settings, _dataset: None
    column_title: Callable[[str], str] = column_name_in_words
    without_items: Callable[[Store], Sequence[str]] = lambda _store: ()
    guidelines: Callable[[Any], Mapping[str, str]] = lambda _: {}
    explained: Callable[[Any], Iterable[Explained]] = lambda _: ()
    shown_otherwise: Callable[[Store, Any], Iterable[str]] = lambda _store, _opened: ()
    text_rules: Callable[[Any], TextRules] = lambda _: TextRules()
    said: Said = lambda _store, _task, _dataset: ()
    correcting: Correcting | CorrectingShared | None = None
    correcting_reveals: Callable[[Any], bool] = lambda _: False
    named_besides: Callable[[Store, str, str], str] = lambda _store, _dataset, _name: ""
    texts_with_words: Callable[[Store, str, str], Mapping[str, str]] = (
        lambda _store, _dataset, _words: {}
    )
    resting_on: FindResting = empty_result_of_dependent_work
    answered_earlier: Callable[[Store, str], AnswersOnEarlierVersions | None] = (
        lambda _store, _dataset: None
    )
    seen_by_adjudicator: Callable[..., Any] | None = None
    choose_dataset: Callable[[Store, str], str] | None = None

    open_without_work: Callable[[Store, Rater], bool] = lambda _store, _reviewer: False

    def __post_init__(self) -> None:
        made = {
            "annotated": (
                "Items with every rater's answers, one row per item",
                partial(annotated_items_table, self),
            ),
            "trust": (
                "Each model against the clinicians, one row per figure",
                partial(judge_trust.trust_table, self),
            ),
            "suggestions": (
                "What models suggested to reviewers, with what became of it",
                partial(randomised_model_suggestions.suggestions_table_for_export, self),
            ),
            "retest": (
                "How far raters agree with themselves on items that came again",
                partial(retest_agreement.retest_figures_table_for_export, self),
            ),
            "samples": (
                "Items drawn to be checked, with the probability of each",
                informative_sample.drawn_items_table,
            ),
        }
        object.__setattr__(self, "exports", {**self.exports, **made})
        titles = self.titles

        def present_titles(store: Store, datasets: Sequence[str]) -> Mapping[str, str]:
            return renaming_and_name_translation.current_titles_by_first_dataset_name(
                store, self.name, titles(store, datasets)
            )

        object.__setattr__(self, "titles", present_titles)

    def demo(self, store: Store) -> str:
        """Add the illustrative demo; returns what is there. Repeating it adds nothing.

        It is checked against the settings that MedLens ships with, not those of the team.
        """
        return (
            self.import_folder_and_describe_result(store, Settings(), self.demo_files)
            if self.demo_files
            else ""
        )

    def panel_is_fixed(self, store: Store, settings: Settings, opened: Any) -> bool:
        """Whether the raters of an opened dataset are declared to be all that matter: its figures
        are then to be computed within
        ``scope_of_inference_over_raters.declare_panel_fixed_within(fixed=True)``.
        """
        return hand_out_settings.are_raters_declared_fixed(
            store, settings, self.tasks(opened), opened.dataset
        )

    def import_folder_and_describe_result(
        self, store: Store, settings: Settings, folder: Path
    ) -> str:
        """Import a folder of files with a manifest, as
        ``import_manifest_folder_and_describe_content`` does.
        """
        return import_manifest_folder_and_describe_content(
            store, folder, self.imports, partial(self.open, store, settings)
        )

    withdrawn_with: Callable[[Store, str, Sequence[str]], Mapping[str, str]] = (
        lambda _store, _dataset, _names: {}
    )
    ends: Callable[[Store, str, str], str] = lambda _store, _dataset, _rater: ""
    offer: Callable[[Store, str], None] = lambda store, dataset: None
