"""MedLens as a wheel in an environment of its own: no checkout lies on any of its paths."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import streamlit
from playwright.sync_api import Page, expect

from docs import release
from tests.browser.conftest import REPO, at_rest, free_port
from tests.llm_server import LLMServer, Reply

pytestmark = pytest.mark.deep

AUTH = """
[auth]
redirect_uri = "http://localhost:8501/oauth2callback"
cookie_secret = "not a secret: no provider is asked in these tests"
client_id = "medlens"
client_secret = "none"
server_metadata_url = "http://localhost:9/.well-known/openid-configuration"
"""
QUESTION = (
    '{"question": "A man of 60 has a red, hot big toe. What is it?",'
    ' "options": {"A": "Gout", "B": "Sepsis"}, "answer_idx": "A", "answer": "Gout"}\n'
)


def build(source: Path, folder: Path) -> dict[str, Path]:
    """Build wheel and sdist of a checkout, or of an unpacked sdist, by their endings."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder],
        cwd=source,
        check=True,
        capture_output=True,
    )
    return {path.suffix: path for path in folder.iterdir()}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that ``make release`` fills, of a copy of the files that git knows."""
    copy = tmp_path_factory.mktemp("released")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPO, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, listed):
        if not name.startswith(("tests/", "docs/pictures/")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPO / name, copy / name)
    (copy / "dist").mkdir()
    (copy / "dist" / "medlens-0.0.1-py3-none-any.whl").write_bytes(b"of an earlier release")
    release.build_release(copy)
    return copy / "dist"


@pytest.fixture(scope="module")
def built(released: Path) -> dict[str, Path]:
    return {path.suffix: path for path in released.iterdir() if path.name != "SHA256SUMS"}


@pytest.fixture(scope="module")
def environment(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A virtual environment with the wheel. What MedLens needs is not installed a second time: it
    is found in the tests' own environment, which does not hold MedLens itself.
    """
    folder = tmp_path_factory.mktemp("installed") / "venv"
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run(
        [
            *(uv, "pip", "install", "--quiet", "--offline", "--no-deps"),
            *("--python", python, built[".whl"]),
        ],
        check=True,
    )
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "needed.pth").write_text(f"{Path(streamlit.__file__).parents[1]}\n")
    yield folder
    shutil.rmtree(folder)


@dataclass
class Computer:
    """Somebody's computer: ``home`` is their home folder, ``desk`` where they type commands."""

    installed: Path
    home: Path
    desk: Path

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": os.defpath}

    @property
    def files(self) -> Path:
        """The folder of the team's files, as the program says."""
        code = "from medlens.config.shipped_and_home_folders import HOME; print(HOME)"
        done = subprocess.run(
            [self.installed / "bin" / "python", "-c", code],
            cwd=self.desk,
            env=self.environ,
            capture_output=True,
            text=True,
            check=True,
        )
        return Path(done.stdout.strip())

    def command(self, *words: str, code: int = 0) -> str:
        """Run ``medlens WORDS`` to its end; returns all that it printed."""
        done = subprocess.run(
            [self.installed / "bin" / "medlens", *words],
            cwd=self.desk,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        printed = done.stdout + done.stderr
        assert done.returncode == code, printed
        assert "Traceback" not in printed
        return printed

    @contextlib.contextmanager
    def serving(self, *words: str) -> Iterator[tuple[str, str]]:
        """Serve on a free port; yields the address, and what was printed before it."""
        process = subprocess.Popen(
            [self.installed / "bin" / "medlens", "serve", "--port", str(free_port()), *words],
            cwd=self.desk,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        try:
            printed = ""
            for line in process.stdout:
                if line.startswith("MedLens is at "):
                    yield line.removeprefix("MedLens is at ").strip(), printed
                    break
                printed += line
            else:
                raise AssertionError(printed)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


@pytest.fixture
def computer(environment: Path, tmp_path: Path) -> Computer:
    (tmp_path / "home").mkdir()
    (tmp_path / "desk").mkdir()
    return Computer(environment, tmp_path / "home", tmp_path / "desk")


def package(environment: Path) -> dict[Path, int]:
    """Every file of the installed package, with the time when it was last written; not what Python
    compiles for itself.
    """
    [folder] = environment.glob("lib/python*/site-packages/medlens")
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {path: path.stat().st_mtime_ns for path in files}


def test_the_wheel_holds_what_the_checkout_does_and_nothing_of_a_team(
    built: dict[str, Path], tmp_path: Path
) -> None:
    with zipfile.ZipFile(built[".whl"]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    listed = subprocess.run(
        ["git", "ls-files", "medlens", "data", "pages", "app.py", ".streamlit"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    expected = {
        name if name.startswith("medlens/") else f"medlens/shipped/{name}"
        for name in [*listed, "medlens.example.toml"]
    }
    assert names == expected
    # Whoever has the sdist alone gets the same wheel.
    with tarfile.open(built[".gz"]) as sdist:
        sdist.extractall(tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    again = build(source, tmp_path / "dist")[".whl"]
    with zipfile.ZipFile(again) as wheel:
        assert {name for name in wheel.namelist() if ".dist-info/" not in name} == expected


def test_a_release_has_its_sums_and_the_folder_of_a_container(released: Path) -> None:
    sums = dict(
        reversed(line.split()) for line in (released / "SHA256SUMS").read_text().splitlines()
    )
    # The wheel of an earlier release is gone: it would be installed instead.
    assert set(sums) == {path.name for path in released.iterdir()} - {"SHA256SUMS", "image"}
    assert len(sums) == 2
    for name, digest in sums.items():
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == digest
    image = released / "image"
    copied = [
        line.split()[1]
        for line in (image / "Containerfile").read_text().splitlines()
        if line.startswith("COPY ")
    ]
    assert {path.name for pattern in copied for path in image.glob(pattern)} == {
        path.name for path in image.iterdir()
    } - {"Containerfile"}
    assert len(list(image.glob("medlens-*.whl"))) == 1


def test_every_command_works_in_an_empty_folder_and_writes_nothing_into_the_package(
    computer: Computer,
) -> None:
    before = package(computer.installed)
    assert computer.command("--version").startswith("MedLens ")
    assert "24 items" in computer.command("demo")
    computer.command("study", "new", "preference", "--demo")
    assert {path.name for path in computer.desk.iterdir()} == {"STUDY.toml", "STUDY-items.csv"}
    computer.command("study", "check", "STUDY.toml")
    computer.command("study", "add", "STUDY.toml", "--items", "STUDY-items.csv")
    computer.command("export", "judgments", "tagging", "-o", "judgments.csv")
    computer.command("export", "items", "tagging", "-o", "items.csv")
    assert "24" in computer.command("import", "items", "items.csv", "--dataset", "mine")
    computer.command("report", "tagging", "-o", "report.pdf")
    computer.command("check")
    computer.command("backup", "copy.duckdb")
    assert (computer.desk / "copy.duckdb").stat().st_size > 100_000
    assert (computer.files / "data" / "medlens.duckdb").is_file()
    assert computer.home in computer.files.parents
    assert package(computer.installed) == before


def test_models_are_run_with_the_settings_among_the_teams_files(computer: Computer) -> None:
    computer.files.mkdir(parents=True)
    with LLMServer() as models:
        models.answer = lambda body: Reply("Answer: B. This is sepsis.")
        (computer.files / "medlens.toml").write_text(
            f'[models.demo-a]\nbase_url = "{models.url}"\nmodel = "a"\n'
            "input_price = 1.0\noutput_price = 1.0\n"
        )
        (computer.desk / "q.jsonl").write_text(QUESTION)
        computer.command(
            *("run", "tagging", "ask", "q.jsonl", "--model", "demo-a"),
            *("--dataset", "exam", "--yes"),
        )
        assert len(models.chats) == 1


def test_published_files_are_asked_of_the_address_that_the_shipped_list_names(
    computer: Computer,
) -> None:
    # Nobody listens there: what counts is that the list is found, and a refusal that says so.
    address = f"http://127.0.0.1:{free_port()}"
    printed = computer.command("fetch", "agentclinic", "--from", address, code=1)
    assert address in printed


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_installed_it_does_not_listen_where_others_reach_it_without_sign_in(
    computer: Computer, host: str
) -> None:
    printed = computer.command("serve", "--host", host, "--port", str(free_port()), code=1)
    assert "sign-in is not set up" in printed


def test_with_sign_in_among_the_teams_files_it_listens_there(computer: Computer) -> None:
    secrets = computer.files / ".streamlit" / "secrets.toml"
    secrets.parent.mkdir(parents=True)
    secrets.write_text(AUTH)
    with computer.serving("--host", "0.0.0.0") as (address, _):
        assert first_answer(f"{address}/readyz") == "ready\n"


def test_the_settings_of_streamlit_in_the_wheel_hold(computer: Computer) -> None:
    code = (
        "from medlens.ui import server; from streamlit import config;"
        "config._main_script_path = str(server.APP); print(config.get_option('server.address'))"
    )
    done = subprocess.run(
        [computer.installed / "bin" / "python", "-c", code],
        cwd=computer.desk,
        env=computer.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "127.0.0.1"


def test_the_installed_app_says_where_its_files_are_and_a_page_answers(
    computer: Computer, page: Page
) -> None:
    before = package(computer.installed)
    computer.command("demo")
    with computer.serving() as (address, printed):
        assert printed.splitlines()[0] == f"Your files are in {computer.files}"
        first_answer(f"{address}/readyz")
        page.goto(address)
        expect(page.get_by_role("textbox", name="Name")).to_be_visible()
        at_rest(page)  # the tab's own report has the form drawn again
        page.get_by_role("textbox", name="Name").fill("Ada")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("Error tagging").first).to_be_visible(timeout=30_000)
        page.goto(f"{address}/Data")
        expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=30_000)
        page.goto("about:blank")
    assert package(computer.installed) == before


def first_answer(address: str) -> str:
    """What an address answers as soon as somebody listens there."""
    deadline = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as response:
                return str(response.read().decode())
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
