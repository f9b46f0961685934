"""medlens.toml and the environment: what is read, and how a bad file is refused."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path

import pytest

from docs.generate import declared_sections
from medlens import cli
from medlens.app import work_behind_commands
from medlens.config.settings import Settings, load_settings
from medlens.config.shipped_and_home_folders import HOME, SHIPPED
from medlens.errors import BadFile
from medlens.review import tasks as handed_out
from medlens.review.hand_out_settings import default_hand_out_settings
from medlens.studies.tagging.study_in_dataset import TaggingSettings


def written(folder: Path, text: str) -> dict[str, str]:
    (folder / "medlens.toml").write_text(text)
    return {"MEDLENS_CONFIG": str(folder / "medlens.toml")}


def test_without_a_file_everything_has_its_default() -> None:
    settings = Settings()
    assert settings.store == str(HOME / "data" / "medlens.duckdb")
    assert (settings.serve.host, settings.serve.port) == ("127.0.0.1", 8501)
    own = settings.of(TaggingSettings)
    assert (own.raters_per_item, own.items_per_rater) == (3, 20)
    assert settings.people == {}
    assert settings.sign_in.accept_missing_email_verified is False


def test_the_example_file_shows_exactly_the_defaults(tmp_path: Path) -> None:
    # Copied beside the project's own folders, as its first line says to.
    settings = load_settings({"MEDLENS_CONFIG": str(SHIPPED / "medlens.example.toml")})
    assert settings == load_settings(written(tmp_path, ""))


def test_the_example_file_names_every_setting() -> None:
    text = (SHIPPED / "medlens.example.toml").read_text(encoding="utf-8")
    for section in declared_sections():
        plain = section.name.removesuffix(".NAME")
        if plain:
            assert f"\n[{plain}]\n" in text
        for one in section.settings:
            assert re.search(rf"^(# )?{one.name} = ", text, re.M) or one.name == "people", one.name


def test_what_the_example_file_has_as_a_comment_can_be_used_as_it_stands(tmp_path: Path) -> None:
    text = (SHIPPED / "medlens.example.toml").read_text(encoding="utf-8")
    commented = re.findall(r"^# (\[models\.[\w-]+\]|\w+ = [^#\n]+)", text, re.M)
    of_the_model = commented[commented.index("[models.demo-a]") :]
    assert len(of_the_model) > 15
    [model] = load_settings(written(tmp_path, "\n".join(of_the_model))).models.values()
    assert model.reasoning_tags == (("<plan>", "</plan>"),)
    assert model.unsupported_parameters == ("max_tokens",)


def test_paths_in_the_file_count_from_its_folder_and_the_environments_store_wins(
    tmp_path: Path,
) -> None:
    environ = written(tmp_path, 'store = "ours.duckdb"\n[tagging]\ntaxonomy = "mine/own.toml"\n')
    (tmp_path / "mine").mkdir()
    shutil.copy(TaggingSettings().taxonomy, tmp_path / "mine" / "own.toml")
    assert load_settings(environ).store == str(tmp_path / "ours.duckdb")
    own = load_settings(environ).of(TaggingSettings)
    assert own.taxonomy == tmp_path / "mine" / "own.toml"
    environ["MEDLENS_STORE"] = "elsewhere.duckdb"
    assert load_settings(environ).store == "elsewhere.duckdb"


def test_the_example_copied_to_any_folder_finds_what_medlens_comes_with(tmp_path: Path) -> None:
    example = (SHIPPED / "medlens.example.toml").read_text(encoding="utf-8")
    own = load_settings(written(tmp_path, example)).of(TaggingSettings)
    assert own == TaggingSettings()
    # A team's own copy at the same place comes first.
    (tmp_path / "data" / "forms").mkdir(parents=True)
    own = load_settings(written(tmp_path, example)).of(TaggingSettings)
    assert own.forms == tmp_path / "data" / "forms"
    assert own.taxonomy == TaggingSettings().taxonomy


def test_a_taxonomy_that_is_not_there_is_a_mistake_of_the_settings_by_line(tmp_path: Path) -> None:
    environ = written(tmp_path, '[tagging]\nseed = 1\ntaxonomy = "labels.toml"\n')
    with pytest.raises(BadFile) as caught:
        load_settings(environ)
    [row] = caught.value.rows
    assert row.line == 3
    assert "a file or folder that is there" in str(row)


@pytest.mark.parametrize(
    ("setting", "named", "told"),
    [
        ("taxonomy", "empty.toml", "at least one [[label]]"),
        ("taxonomy", "broken.toml", "broken.toml, line 1"),
        ("taxonomy", "forms", "cannot be read"),
        ("forms", "forms", "broken.toml, line 1"),
        ("forms", "empty.toml", "a folder"),
    ],
)
def test_a_taxonomy_or_form_that_cannot_be_read_is_told_when_the_settings_are_read(
    tmp_path: Path, setting: str, named: str, told: str
) -> None:
    (tmp_path / "forms").mkdir()
    for broken in (tmp_path, tmp_path / "forms"):
        (broken / "broken.toml").write_text("id = [")
    (tmp_path / "empty.toml").touch()
    with pytest.raises(BadFile) as caught:
        load_settings(written(tmp_path, f'[tagging]\nseed = 1\n{setting} = "{named}"\n'))
    [row] = caught.value.rows
    assert (row.line, row.column) == (3, f"tagging.{setting}")
    assert told in str(row)


def test_a_store_on_a_server_is_left_as_it_is_and_counts_as_there(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, 'store = "postgresql://db.example.org/medlens"\n'))
    assert settings.store == "postgresql://db.example.org/medlens"
    assert settings.does_store_exist()
    assert not Settings(store=str(tmp_path / "none.duckdb")).does_store_exist()


def test_people_are_found_whatever_the_case_of_their_address(tmp_path: Path) -> None:
    settings = load_settings(
        written(
            tmp_path, '[people]\n"Ada@Example.org" = "lead"\n"grace@example.org" = "reviewer"\n'
        )
    )
    assert settings.role_of_email_address(" ADA@example.ORG ") == "lead"
    assert settings.role_of_email_address("grace@example.org") == "reviewer"
    assert settings.role_of_email_address("mallory@example.org") is None
    assert settings.role_of_email_address("") is None


@pytest.mark.parametrize(
    "address",
    [
        "ada@\u212aing.org",
        "\u212aada@king.org",
        "\u0430da@king.org",
        "ada@king.org\u200b",
        "\u202eada@king.org",
        "ada@\uff4bing.org",
        "ada@king\u3002org",
        "ada\x00@king.org",
        "ada@king.org,eve@evil.org",
        "ada@stra\u00dfe.org",
    ],
)
def test_an_address_that_only_looks_like_a_leads_is_nobodys(address: str, tmp_path: Path) -> None:
    leads = (
        '[people]\n"ada@king.org" = "lead"\n"kada@king.org" = "lead"\n"ada@strasse.org" = "lead"\n'
    )
    assert load_settings(written(tmp_path, leads)).role_of_email_address(address) is None


def test_an_address_beyond_ascii_is_found_in_both_of_its_spellings(tmp_path: Path) -> None:
    people = '[people]\n"j\u00f6rg@b\u00fccher.example" = "lead"\n'
    settings = load_settings(written(tmp_path, people))
    assert settings.role_of_email_address("jo\u0308rg@xn--bcher-kva.example") == "lead"
    assert settings.role_of_email_address("J\u00f6rg@b\u00fccher.example") == "lead"
    assert settings.role_of_email_address("jorg@b\u00fccher.example") is None


@pytest.mark.parametrize(
    "text, line, column, expected",
    [
        ("stor = 1\n", 1, "stor", "a setting that MedLens knows"),
        ("\n[serve]\nhost = 'x'\nport = 70000\n", 4, "serve.port", "less than or equal to 65535"),
        ('[serve]\nport = "8501"\n', 2, "serve.port", "a valid integer"),
        ('[people]\n"a@b.c" = "boss"\n', 2, "people.a@b.c", "'reviewer' or 'lead'"),
        ('# who\n[people]\n"ada" = "lead"\n', 3, "people.ada", "an e-mail address"),
        ("[tagging]\nseed = 1\ngold_share = 1.0\n", 3, "tagging.gold_share", "less than 1"),
        ("[tagging]\nraters_per_item = 0\n", 2, "tagging.raters_per_item", "or equal to 1"),
        ('[serve]\npublic_hosts = ["*"]\n', 2, "serve.public_hosts", "a host name alone"),
        ("[serve]\nport = 1\n\n[serf]\nx = 1\n", 4, "serf", "a setting that MedLens knows"),
        ('store = "a"\nstore = "b"\n', 2, "", "TOML"),
        ('store = "a\n', 1, "", "TOML"),
    ],
)
def test_a_bad_file_is_refused_by_line_and_setting(
    text: str, line: int, column: str, expected: str, tmp_path: Path
) -> None:
    with pytest.raises(BadFile) as caught:
        load_settings(written(tmp_path, text))
    (row,) = caught.value.rows
    assert (row.file, row.line, row.column) == ("medlens.toml", line, column)
    assert expected in row.expected
    assert str(tmp_path / "medlens.toml") in caught.value.message
    assert "medlens.example.toml" in caught.value.hint


def test_all_mistakes_are_told_at_once_in_the_files_order(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        load_settings(written(tmp_path, '[serve]\nport = "x"\n[tagging]\nseed = "y"\nodd = 1\n'))
    assert [row.line for row in caught.value.rows] == [2, 4, 5]


def test_a_file_that_was_named_and_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        load_settings({"MEDLENS_CONFIG": str(tmp_path / "none.toml")})


def test_the_demo_that_is_only_for_new_stores_leaves_others_as_they_are(
    store_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    added: list[object] = []
    monkeypatch.setattr(
        work_behind_commands,
        "add_demo_studies_and_return_report_text",
        lambda store: added.append(store) or "",
    )
    for times in (1, 1):
        assert cli.main(["--store", str(store_path), "demo", "--if-new"]) == 0
        assert len(added) == times


def test_each_task_can_have_its_own_way_of_being_handed_out(tmp_path: Path) -> None:
    settings = load_settings(
        written(
            tmp_path,
            "[tagging]\nraters_per_item = 5\n[tasks.error_spans]\nseed = 7\n"
            "[tasks.dialogue_realism]\nitems_per_rater = 40\ngold_share = 0\n",
        )
    )
    usual = settings.of(TaggingSettings).hand_out_settings_by_name()
    assert default_hand_out_settings(settings, "error_spans", usual) == handed_out.HandOut(
        raters_per_item=5, seed=7
    )
    assert default_hand_out_settings(settings, "dialogue_realism") == handed_out.HandOut(
        items_per_rater=40, gold_share=0
    )
    assert default_hand_out_settings(settings, "diagnosis_match") == handed_out.HandOut()


def test_settings_with_every_studys_section_go_to_another_process() -> None:
    from medlens.studies import registry

    settings = load_settings({"MEDLENS_STORE": "somewhere.duckdb"})
    again = pickle.loads(pickle.dumps(settings))
    assert again == settings
    assert again.store == "somewhere.duckdb"
    assert [one for one in registry.STUDIES if hasattr(again, one)]
