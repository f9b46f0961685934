"""Forged jobs in the inbox, through which the command line hands work to the app.

The app must take up every good job, answer every bad one in words, follow no link, change nothing
outside the job's folder, and go on.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from medlens.app import work_behind_commands
from medlens.app.job_inbox_of_running_app import InboxWatcher, path_of_inbox_folder
from medlens.config.settings import Settings
from medlens.store import Store, new_id, open_store
from tests.attack.counts import Counts, Size, main

SECRET = "what another person's file says"
_DEEP = 100_000
_HUGE = 300 * 2**20


class Scene:
    """A store with its inbox, and beside it files that no job has a right to."""

    def __init__(self, folder: Path, laid: Path) -> None:
        shutil.copy(laid, folder / "s.duckdb")
        self.store: Store = open_store(folder / "s.duckdb")
        self.inbox = path_of_inbox_folder(self.store.path)
        self.inbox.mkdir(mode=0o700)
        self.elsewhere = folder / "elsewhere"
        self.elsewhere.mkdir()
        self.victim = self.elsewhere / "secret.csv"
        self.victim.write_text(f"item,question\n{SECRET},{SECRET}\n")
        self.settings = Settings(store=self.store.path)
        self.app = InboxWatcher(self.store, self._run)

    def _run(self, command: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        return work_behind_commands.run_inbox_job_and_return_result_as_dict(
            self.store, self.settings, command, folder
        )

    def job(self, command: object = None, *, name: str = "") -> Path:
        """A job's folder with this command; a text stands as it is."""
        path = self.inbox / f"job-{name or new_id()}"
        path.mkdir()
        if command is not None:
            text = command if isinstance(command, str) else json.dumps(command)
            (path / "command.json").write_text(text, encoding="utf-8")
        return path


Attack = Callable[[Scene, random.Random], None]


def _odd_commands(scene: Scene, draw: random.Random) -> None:
    odd: list[object] = [
        "",
        "null",
        "[]",
        "7",
        '"import"',
        "{",
        "\x00",
        '{"verb": "import"}',
        '{"verb": null}',
        '{"verb": ["import"]}',
        '{"verb": "import", "kind": "items"}',
        '{"verb": "exec"}',
        '{"verb": "import", "kind": "nothing", "file": "f"}',
        '{"order": null, "verb": "run"}',
        '{"verb": "export", "kind": "items"}',
        '{"verb": "export", "kind": 7, "options": []}',
        '{"verb": "export", "kind": "items", "options": {"format": "exe", "bom": 0}}',
        '{"verb": "import", "kind": "items", "file": "f", "options": {"store": 1, "by": "lead"}}',
        "[" * _DEEP + "]" * _DEEP,
        '{"a":' * _DEEP + "1" + "}" * _DEEP,
        '{"verb": "' + "x" * 10**6 + '"}',
        '{"verb": NaN}',
        "1" * 10**5,
    ]
    scene.job(draw.choice(odd))


def _bad_bytes(scene: Scene, draw: random.Random) -> None:
    (scene.job() / "command.json").write_bytes(draw.randbytes(draw.randrange(1, 2000)))


def _huge(scene: Scene, draw: random.Random) -> None:
    with (scene.job() / "command.json").open("wb") as file:
        file.write(b'{"verb": "')
        file.truncate(_HUGE)


def _no_file(scene: Scene, draw: random.Random) -> None:
    path = scene.job()
    if draw.random() < 0.5:
        (path / "command.json").mkdir()


def _pipe(scene: Scene, draw: random.Random) -> None:
    name = draw.choice(["command.json", "data.csv"])
    command = {"verb": "import", "kind": "items", "file": "data.csv", "options": {}}
    path = scene.job(command if name == "data.csv" else None)
    os.mkfifo(path / name)


def _linked_command(scene: Scene, draw: random.Random) -> None:
    (scene.elsewhere / "command.json").write_text('{"verb": "demo"}')
    path = scene.job()
    (path / "command.json").symlink_to(scene.elsewhere / "command.json")


def _linked_folder(scene: Scene, draw: random.Random) -> None:
    (scene.elsewhere / "command.json").write_text('{"verb": "backup"}')
    (scene.inbox / f"job-{new_id()}").symlink_to(scene.elsewhere)


def _linked_file(scene: Scene, draw: random.Random) -> None:
    command = {"verb": "import", "kind": "items", "file": "data.csv", "options": {}}
    (scene.job(command) / "data.csv").symlink_to(scene.victim)


def _named_file(scene: Scene, draw: random.Random) -> None:
    name = draw.choice(
        ["../../elsewhere/secret.csv", str(scene.victim), "..", ".", "", "a/../../x", "\x00", "~"]
    )
    scene.job({"verb": "import", "kind": "items", "file": name, "options": {}})


def _linked_results(scene: Scene, draw: random.Random) -> None:
    verb, result = draw.choice(
        [
            ("backup", "backup.duckdb"),
            ("export", "table"),
            ("check", "outcome.json"),
            ("check", ".outcome"),
            ("import", "bad_rows.csv"),
        ]
    )
    command: dict[str, Any] = {"verb": verb}
    if verb == "export":
        options = {"study": "", "dataset": "", "rule": "", "history": False}
        command |= {"kind": "items", "options": {**options, "format": "csv", "bom": False}}
    path = scene.job(command)
    if verb == "import":
        command |= {"kind": "items", "file": "data.csv"}
        command["options"] = {"skip_bad": True, "bad_rows": True}
        (path / "command.json").write_text(json.dumps(command))
        (path / "data.csv").write_text("item,question\n,\n")
    (path / result).symlink_to(scene.victim)


def _anothers_folder(scene: Scene, draw: random.Random) -> None:
    path = scene.job({"verb": "demo"})
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    else:
        path.rename(path.with_name(f"theirs-{path.name}"))


def _odd_names(scene: Scene, draw: random.Random) -> None:
    name = draw.choice(["", "-", "\n", "\u202egpj", "x" * 200, " ", "'; drop table item; --", "%s"])
    with contextlib.suppress(OSError):
        scene.job({"verb": "check"}, name=f"{name}{new_id()}" if draw.random() < 0.8 else name)


def _same_name(scene: Scene, draw: random.Random) -> None:
    job = new_id()
    scene.job({"verb": "check"}, name=job)
    (scene.inbox / f"done-{job}").mkdir()
    (scene.inbox / f"done-{job}" / "outcome.json").write_text("{}")
    (scene.inbox / f"run-{job}").mkdir()


def _stray(scene: Scene, draw: random.Random) -> None:
    name = draw.choice(["job-file", "run-", "job", ".part-x", "readme.txt"])
    path = scene.inbox / f"{name}{draw.randrange(10**6)}"
    path.write_text("no folder") if draw.random() < 0.7 else path.mkdir()


ATTACKS: dict[str, Attack] = {
    "a command that is none": _odd_commands,
    "a command that is no text": _bad_bytes,
    "a huge command": _huge,
    "no command": _no_file,
    "a pipe that nobody writes to": _pipe,
    "a link for a command": _linked_command,
    "a link for a job": _linked_folder,
    "a link for a file": _linked_file,
    "a file elsewhere": _named_file,
    "links where results go": _linked_results,
    "another person's job": _anothers_folder,
    "odd names": _odd_names,
    "a name twice": _same_name,
    "things that are no jobs": _stray,
}


class _Heard(logging.Handler):
    """Whether a traceback was logged."""

    traces = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.traces += record.exc_info is not None


def _tried(scene: Scene, attack: Attack, draw: random.Random) -> str:
    """Let the app work an attack off; returns what is wrong afterwards."""
    heard, log = _Heard(), logging.getLogger("medlens")
    log.addHandler(heard)
    try:
        found = _worked_off(scene, attack, draw)
    finally:
        log.removeHandler(heard)
    return found or ("a traceback was left in the log" if heard.traces else "")


def _worked_off(scene: Scene, attack: Attack, draw: random.Random) -> str:
    before = scene.victim.read_text()
    version = scene.store.data_version_of_tables("item", "judgment", "rater")
    attack(scene, draw)
    good = scene.job({"verb": "check"})
    scene.app.do_waiting_jobs_and_count()
    done = good.with_name(good.name.replace("job-", "done-"))
    if scene.victim.read_text() != before or not scene.victim.is_file():
        return "a file outside the inbox was changed"
    if scene.victim.is_symlink() or len(list(scene.elsewhere.iterdir())) > 2:
        return "something was written outside the inbox"
    if not (done / "outcome.json").is_file():
        return "the next good job was not done"
    if "error" in json.loads((done / "outcome.json").read_text()):
        return "the next good job failed"
    if scene.store.data_version_of_tables("item", "judgment", "rater") != version:
        return "the store took something up"
    for outcome in scene.inbox.glob("done-*/outcome.json"):
        if not outcome.is_symlink() and SECRET in outcome.read_text():
            return "another file was read out"
    return ""


def run(seed: int, size: Size) -> Counts:
    """Every attack, again and again with other details."""
    counts, draw = Counts(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="medlens-attack-") as base:
        # Making a store takes longer than any attack.
        laid = Path(base) / "laid.duckdb"
        open_store(laid).close()
        for kind, attack in ATTACKS.items():
            folder = Path(base) / kind
            folder.mkdir()
            scene = Scene(folder, laid)
            for _ in range(40 if size == "full" else 3):
                try:
                    problem = _tried(scene, attack, draw)
                except Exception as error:  # noqa: BLE001  (the app's thread would die of it)
                    problem = f"the inbox raised {type(error).__name__}: {error}"
                counts.note(kind, problem)
            scene.store.close()
            shutil.rmtree(folder)
    return counts


if __name__ == "__main__":
    raise SystemExit(main("command_channel", run))
