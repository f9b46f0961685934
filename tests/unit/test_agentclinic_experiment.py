"""Experiments: what a file may say, where it is refused, and the visits that it comes to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from medlens.config.settings import Model, Settings
from medlens.errors import BadFile, InvalidInput
from medlens.store import Store, open_store
from medlens.studies.agentclinic import case_images, experiment_grid, queries
from medlens.studies.agentclinic.experiment_file import BiasPair, Experiment, load_experiment
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import GivenBias
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
HEAD = 'dataset = "d"\ndoctors = ["a", "b"]\npatients = "a"\nmeasurement = "a"\nmoderator = "a"\n'


def case(number: int, **other: Any) -> dict[str, Any]:
    return {
        "Patient_Actor": {"Demographics": "40-year-old", "History": f"Story {number}"},
        "Test_Results": {"Blood": "normal"},
        "Correct_Diagnosis": f"Disease {number}",
        **other,
    }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Three cases; no test here adds to them."""
    opened = open_store(tmp_path_factory.mktemp("cases") / "s.duckdb")
    given = [case(1), case(2, Test_Results={"Blood": "Disease 2"}), case(3, image_url="x.png")]
    queries.add_cases_and_return_added(
        opened, [(f"f:{n}", case_from_fields(one)) for n, one in enumerate(given, 1)], dataset="d"
    )
    yield opened
    opened.close()


def settings(*, images: bool = True) -> Settings:
    model = Model(base_url="http://x.test/v1", model="m", images=images)
    return Settings(models={"a": model, "b": model})


def read(store: Store, text: str, folder: Path = Path(), **given: Any) -> Experiment:
    return load_experiment(store, settings(**given), folder / "grid.toml", content=text.encode())


def test_a_file_becomes_its_grid(store: Store, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(PNG)
    text = HEAD + (
        'interactions = [10, 20]\nimages = ["none", "request"]\nimages_folder = "."\nrepeats = 2\n'
        '[[bias]]\ndoctor = "recency: gout"\n[[bias]]\ndoctor = "recency"\npatient = "gender"\n'
    )
    made = read(store, text, tmp_path)
    assert made.biases == (
        BiasPair(),
        BiasPair(GivenBias(id="recency", target="gout")),
        BiasPair(GivenBias(id="recency"), GivenBias(id="gender")),
    )
    cells = experiment_grid.list_visits_of_grid(store, settings(), made)
    # 2 doctors x 1 patient x 3 biases x 2 N x 2 repeats = 24 for each of the 2 cases without
    # images, which are the same in either mode, and twice as many for the one with an image.
    assert len(cells) == 24 + 24 + 48
    assert len({cell.name for cell in cells}) == 96
    addresses = experiment_grid.image_data_or_web_address_by_image(cells, made.images_folder)
    assert addresses["x.png"].startswith("data:image/png;base64,")


def test_what_is_left_out_has_the_usual_value(store: Store) -> None:
    made = read(store, 'dataset = "d"\ndoctors = "a"\npatients = "a"\n')
    assert (made.measurement, made.moderator, made.repeats) == ("a", "a", 1)
    assert (made.interactions, made.image_modes, made.biases) == ((20,), ("none",), (BiasPair(),))
    assert len(made.cases) == 3


def test_cases_are_chosen_by_alias_and_leaking_ones_left_out(store: Store) -> None:
    names = list(queries.load_cases_by_name(store, "d"))
    assert read(store, HEAD + 'cases = ["f:2", "f:1"]\n').cases == (names[1], names[0])
    left = read(store, HEAD + 'leave_out = ["diagnosis_in_tests"]\n').cases
    assert left == (names[0], names[2])


def test_a_whole_group_of_biases_is_one_word(store: Store) -> None:
    made = read(store, HEAD + 'unbiased = false\n[[bias]]\ndoctor = "all"\n')
    assert len(made.biases) == 12
    made = read(store, HEAD + '[[bias]]\npatient = "cognitive"\n')
    # Four of the patient's are cognitive; with them goes the visit without bias.
    assert len(made.biases) == 5


def test_custom_biases_come_from_their_file_and_are_told(store: Store, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        '[[bias]]\nid = "haste"\nside = "doctor"\ntitle = "Haste"\ntext = "You are late."\n'
    )
    text = HEAD + 'biases_file = "own.toml"\nunbiased = false\n[[bias]]\ndoctor = "haste"\n'
    made = read(store, text, tmp_path)
    cell = experiment_grid.list_visits_of_grid(store, settings(), made)[0]
    assert "You are late." in experiment_grid.visit_of_cell(cell, made, addresses={}).doctor_told


OWN = '[[bias]]\nid = "haste"\nside = "doctor"\ntitle = "Haste"\ntext = "You are late."\n'


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """An experiment's folder, with all in it that should not be read, and a secret beside it."""
    (tmp_path / "secret.toml").write_text(OWN)
    folder = tmp_path / "experiments"
    folder.mkdir()
    os.mkfifo(folder / "pipe.toml")
    (folder / "link.toml").symlink_to(tmp_path / "secret.toml")
    (folder / "out").symlink_to(tmp_path)
    (folder / "circle.toml").symlink_to(folder / "circle.toml")
    (folder / "folder.toml").mkdir()
    (folder / "large.toml").write_bytes(b"#" * 1_000_001)
    return folder


@pytest.mark.parametrize("field", ["biases_file", "images_folder"])
@pytest.mark.parametrize(
    "named",
    [
        "/dev/zero",
        "/dev/full",
        "/dev/stdin",
        "/dev/fd/0",
        "/proc/self/environ",
        "/proc/self/mem",
        "/proc/1/environ",
        "../../../../../../../../proc/self/environ",
        "~/.ssh/id_rsa",
        "/etc/passwd",
        "/etc",
        "/etc/nobody-has-this",
        "../secret.toml",
        "..",
        "pipe.toml",
        "link.toml",
        "out",
        "out/secret.toml",
        "circle.toml",
        "large.toml",
        "nowhere.toml",
        "~/.bashrc",
        "file:///etc/passwd",
        "x" * 5000,
        "a\\u0000b",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused_like_one_to_nothing(
    store: Store, traps: Path, field: str, named: str
) -> None:
    def said(name: str) -> list[str]:
        with pytest.raises(BadFile) as refused:
            read(store, HEAD + f'{field} = "{name}"\n', traps)
        return [row.expected for row in refused.value.rows]

    assert said(named) == said("nothing-of-the-kind")


def test_biases_may_lie_in_the_folder_that_the_settings_name(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "biases"
    folder.mkdir()
    (folder / "own.toml").write_text(OWN)
    chosen = settings().model_copy(
        update={"agentclinic": AgentClinicSettings(biases_folder=folder)}
    )
    text = HEAD + 'biases_file = "own.toml"\n[[bias]]\ndoctor = "haste"\n'
    made = load_experiment(store, chosen, tmp_path / "x" / "grid.toml", content=text.encode())
    assert [bias.id for bias in made.custom] == ["haste"]


@pytest.mark.parametrize(
    "name",
    [
        "pipe",
        "out.png",
        "a\0b.png",
        "n" * 5000,
        "../out/x.png",
        "/dev/zero",
        "/proc/self/environ",
        "../x.png",
    ],
)
def test_only_a_regular_file_in_the_folder_is_a_copy_of_an_image(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (tmp_path / "x.png").write_bytes(PNG)
    (folder / "out.png").symlink_to(tmp_path / "x.png")
    assert case_images.find_image_copy(name, folder) is None


def test_an_image_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with open(tmp_path / "x.png", "wb") as file:
        file.truncate(case_images.LARGEST + 1)
    with pytest.raises(InvalidInput, match="20 MB"):
        case_images.read_media_type_and_bytes_of_image(tmp_path / "x.png")


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (HEAD + "intractions = 5\n", 6, "intractions"),
        (HEAD + "interactions = [20, 0]\n", 6, "interactions"),
        (HEAD + "interactions = true\n", 6, "interactions"),
        (HEAD + "repeats = [1, 2]\n", 6, "repeats"),
        (HEAD + 'images = ["always"]\n', 6, "images"),
        (HEAD + 'cases = ["f:1", "f:9"]\n', 6, "cases"),
        (HEAD + 'leave_out = ["no_such"]\n', 6, "leave_out"),
        (HEAD + 'images_folder = "nowhere"\n', 6, "images_folder"),
        (HEAD + 'biases_file = "nowhere.toml"\n', 6, "biases_file"),
        (HEAD + '\n[[bias]]\ndoctor = "recncy"\n', 8, "doctor"),
        (HEAD + '\n[[bias]]\npatient = "confirmation"\n', 8, "patient"),
        (HEAD + "\n[[bias]]\n", 7, "doctor"),
        (HEAD.replace('"a", "b"', '"a", "c"'), 2, "doctors"),
        (HEAD.replace('patients = "a"', "patients = []"), 3, "patients"),
        (HEAD.replace('moderator = "a"\n', ""), 1, "moderator"),
        (HEAD.replace('"d"', '"e"'), 1, "dataset"),
        ("dataset = ", 1, ""),
    ],
)
def test_a_fault_is_refused_with_its_line(store: Store, text: str, line: int, field: str) -> None:
    with pytest.raises(BadFile) as refused:
        read(store, text)
    assert [(row.line, row.column) for row in refused.value.rows] == [(line, field)]


def test_images_are_refused_for_a_doctor_that_takes_none(store: Store) -> None:
    with pytest.raises(BadFile, match="models that take images"):
        read(store, HEAD + 'images = "start"\n', images=False)
    made = replace(read(store, HEAD), image_modes=("start",))
    with pytest.raises(InvalidInput, match="does not accept images"):
        experiment_grid.require_image_support(
            experiment_grid.list_visits_of_grid(store, settings(), made),
            settings(images=False).models,
        )


@pytest.mark.parametrize("image", ["../x.png", "missing.png", "text.png"])
def test_an_image_that_cannot_be_sent_is_refused_before_the_start(
    tmp_path: Path, image: str
) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    (tmp_path / "x.png").write_bytes(PNG)
    (folder / "text.png").write_text("no image")
    with pytest.raises(InvalidInput, match="image"):
        experiment_grid.image_data_url_or_web_address(image, folder)


def test_a_visit_keeps_its_name_in_a_larger_grid_and_changes_it_with_any_rule(
    store: Store,
) -> None:
    made = read(store, HEAD)
    names = {cell.name for cell in experiment_grid.list_visits_of_grid(store, settings(), made)}
    larger = replace(made, repeats=2, interactions=(20, 30))
    assert names < {
        cell.name for cell in experiment_grid.list_visits_of_grid(store, settings(), larger)
    }
    # Who moderates is no rule of the visit.
    other_judge = replace(made, moderator="b")
    assert names == {
        cell.name for cell in experiment_grid.list_visits_of_grid(store, settings(), other_judge)
    }
    for other in (
        replace(made, measurement="b"),
        replace(made, interactions=(19,)),
        replace(made, biases=(BiasPair(patient=GivenBias(id="gender")),)),
    ):
        assert not names & {
            cell.name for cell in experiment_grid.list_visits_of_grid(store, settings(), other)
        }


def test_repeats_come_one_after_the_other_so_that_a_cap_cuts_evenly(store: Store) -> None:
    made = replace(read(store, HEAD), repeats=2)
    repeats = [cell.repeat for cell in experiment_grid.list_visits_of_grid(store, settings(), made)]
    assert repeats == [1] * 6 + [2] * 6
