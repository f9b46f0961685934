"""Published files: fetched whole and checked, or not kept."""

from __future__ import annotations

import hashlib
import os
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from medlens import cli
from medlens.app import download_published_files
from medlens.errors import InvalidInput
from medlens.studies.registry import IMPORTS

SHARED = (
    Path(os.environ.get("MEDLENS_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"
)
COMMIT = "a" * 40
BYTES = b'{"a": 1}\n'


@dataclass
class Mirror:
    """A server of files; ``cut`` sends less than it promised."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    cut: bool = False


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    here = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here.asked.append(self.path)
            found = here.files.get(self.path)
            self.send_response(200 if found is not None else 404)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write((found or b"")[: 3 if here.cut else None])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    here.url = f"http://127.0.0.1:{server.server_port}/"
    yield here
    server.shutdown()
    server.server_close()


def source(
    *files: download_published_files.PublishedFile, history: str = "file:///nowhere"
) -> download_published_files.PublishedFileSource:
    return download_published_files.PublishedFileSource(
        "s", "A study", "o/r", "MIT", "http://nowhere.invalid", history, files
    )


@pytest.fixture
def history(tmp_path: Path) -> tuple[str, str]:
    """A place with the repository ``o/r``, and its first commit, which a second one followed."""
    folder = tmp_path / "history" / "o" / "r"
    (folder / "data").mkdir(parents=True)

    def git(*words: str) -> str:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, check=True)
        return done.stdout.decode().strip()

    git("init", "--quiet")
    git("config", "uploadpack.allowFilter", "true")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    (folder / "data/one.jsonl").write_bytes(BYTES)
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    first = git("rev-parse", "HEAD")
    (folder / "data/one.jsonl").write_bytes(b"changed since\n")
    git("commit", "--quiet", "-am", "two")
    return (tmp_path / "history").as_uri(), first


def published(body: bytes = BYTES) -> download_published_files.PublishedFile:
    digest = hashlib.sha256(body).hexdigest()
    return download_published_files.PublishedFile(
        "data/one.jsonl", COMMIT, "agentclinic-cases", digest
    )


def test_a_file_is_fetched_checked_and_not_fetched_again(mirror: Mirror, tmp_path: Path) -> None:
    mirror.files[f"/o/r/{COMMIT}/data/one.jsonl"] = BYTES
    [done] = download_published_files.iterate_published_files_while_downloading(
        source(published()), tmp_path / "new", base=mirror.url
    )
    assert done.outcome == "fetched"
    assert (tmp_path / "new" / "one.jsonl").read_bytes() == BYTES
    [again] = download_published_files.iterate_published_files_while_downloading(
        source(published()), tmp_path / "new", base=mirror.url
    )
    assert again.outcome == "there"
    assert len(mirror.asked) == 1


def test_other_bytes_are_refused_and_half_a_file_is_not_kept(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.files[f"/o/r/{COMMIT}/data/one.jsonl"] = b"tampered"
    with pytest.raises(InvalidInput, match="not the published file"):
        list(
            download_published_files.iterate_published_files_while_downloading(
                source(published()), tmp_path, base=mirror.url
            )
        )
    assert list(tmp_path.iterdir()) == []
    mirror.files[f"/o/r/{COMMIT}/data/one.jsonl"] = BYTES
    mirror.cut = True
    with pytest.raises(download_published_files.Unreachable, match="cannot be reached"):
        list(
            download_published_files.iterate_published_files_while_downloading(
                source(published()), tmp_path, base=mirror.url
            )
        )
    assert list(tmp_path.iterdir()) == []


def test_offline_and_a_missing_file_are_told_apart(mirror: Mirror, tmp_path: Path) -> None:
    [left] = download_published_files.iterate_published_files_while_downloading(
        source(published()), tmp_path, base=mirror.url
    )
    assert left.outcome == "gone"
    assert "status 404" in left.reason
    assert not list(tmp_path.iterdir())
    with pytest.raises(download_published_files.Unreachable, match="cannot be reached") as caught:
        list(
            download_published_files.iterate_published_files_while_downloading(
                source(published()), tmp_path, base="http://127.0.0.1:1"
            )
        )
    assert "offline" in caught.value.hint


def test_a_file_of_unknown_hash_is_checked_against_its_commit(
    mirror: Mirror, tmp_path: Path, history: tuple[str, str]
) -> None:
    where, commit = history
    file = replace(published(), sha256="", commit=commit)
    mirror.files[f"/o/r/{commit}/data/one.jsonl"] = BYTES
    [done] = download_published_files.iterate_published_files_while_downloading(
        source(file, history=where), tmp_path / "new", base=mirror.url
    )
    assert (done.outcome, done.checked, done.sha256) == ("fetched", "commit", published().sha256)
    # What the repository holds today is not what it held then.
    mirror.files[f"/o/r/{commit}/data/one.jsonl"] = b"changed since\n"
    with pytest.raises(InvalidInput, match=r"the commit .* has different content"):
        list(
            download_published_files.iterate_published_files_while_downloading(
                source(file, history=where), tmp_path / "other", base=mirror.url
            )
        )
    assert list((tmp_path / "other").iterdir()) == []


def test_a_path_or_commit_that_the_repository_does_not_have_is_not_fetched(
    mirror: Mirror, tmp_path: Path, history: tuple[str, str]
) -> None:
    where, commit = history
    moved = replace(published(), sha256="", commit=commit, path="data/two.jsonl")
    [left] = download_published_files.iterate_published_files_while_downloading(
        source(moved, history=where), tmp_path, base=mirror.url
    )
    assert (left.outcome, left.reason) == ("gone", "the commit has no such file")
    unknown = replace(published(), sha256="")
    [left] = download_published_files.iterate_published_files_while_downloading(
        source(unknown, history=where), tmp_path, base=mirror.url
    )
    assert left.outcome == "skipped"
    assert left.reason.startswith("git says: ")
    assert mirror.asked == []


def test_without_git_a_file_of_unknown_hash_is_left_and_the_reason_given(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    [left] = download_published_files.iterate_published_files_while_downloading(
        source(replace(published(), sha256="")), tmp_path, base=mirror.url
    )
    assert (left.outcome, left.reason) == ("skipped", "git is not installed")


def test_a_file_that_nothing_can_check_is_taken_only_when_asked_for(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.files[f"/o/r/{COMMIT}/data/one.jsonl"] = BYTES
    unknown = source(replace(published(), sha256=""))
    [left] = download_published_files.iterate_published_files_while_downloading(
        unknown, tmp_path, base=mirror.url
    )
    assert (left.outcome, mirror.asked) == ("skipped", [])
    [taken] = download_published_files.iterate_published_files_while_downloading(
        unknown, tmp_path, base=mirror.url, unchecked=True
    )
    assert (taken.outcome, taken.sha256) == ("fetched", published().sha256)


def test_the_command_fetches_and_says_how_to_import(
    mirror: Mirror,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No repository there: what only its commit could check is left.
    for name, value in (
        ("COUNT", "1"),
        ("KEY_0", f"url.{tmp_path.as_uri()}/.insteadOf"),
        ("VALUE_0", "https://github.com/"),
    ):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    first = download_published_files.published_sources_by_study()["agentclinic"].files[0]
    path = f"/SamuelSchmidgall/AgentClinic/{first.commit}/{first.path}"
    real = SHARED / "agentclinic" / first.path
    if not real.exists():
        pytest.skip("the published file is not here")
    mirror.files[path] = real.read_bytes()
    folder = tmp_path / "here"
    assert cli.main(["fetch", "agentclinic", "--from", mirror.url, "--to", str(folder)]) == 0
    said = capsys.readouterr().out
    assert f"python -m medlens import agentclinic-cases {folder / first.file_name}" in said
    assert "Not fetched, since it cannot be checked (git says: " in said
    assert "): agentclinic_nejm.jsonl." in said
    assert mirror.asked == [path]


def test_a_file_that_was_moved_keeps_no_other_from_being_fetched(
    mirror: Mirror, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = download_published_files.published_sources_by_study()["g4ue"].files
    for one in known[:-1]:
        mirror.files[f"/roysoumya/usmle-gpt4-error-taxonomy/{one.commit}/{one.path}"] = BYTES
    told = ["fetch", "g4ue", "--from", mirror.url, "--to", str(tmp_path / "new"), "--unchecked"]
    assert cli.main(told) == 1
    said = capsys.readouterr().out
    assert said.count("Fetched ") == len(known) - 1
    assert f"Not there: {known[-1].path}" in said
    assert "python -m medlens import labels FILE --dataset g4ue" in said
    assert "https://github.com/roysoumya/usmle-gpt4-error-taxonomy" in said


def test_a_command_that_could_fetch_nothing_says_so_by_its_exit_code(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without git nothing can be checked.
    monkeypatch.setenv("PATH", str(tmp_path))
    told = ["fetch", "g4ue", "--from", mirror.url, "--to", str(tmp_path / "new")]
    assert cli.main(told) == 1
    assert mirror.asked == []


def test_the_list_of_sources_is_sound_and_every_kind_can_be_imported() -> None:
    found = download_published_files.published_sources_by_study()
    assert set(found) == {"agentclinic", "g4ue"}
    assert {file.kind for one in found.values() for file in one.files} <= set(IMPORTS)
    assert len({file.file_name for file in found["g4ue"].files}) == len(found["g4ue"].files)
