"""What a team sets: the environment and ``medlens.toml``, read once at the start.

``MEDLENS_STORE`` names the store and wins over the file; ``MEDLENS_CONFIG`` names the file, which
otherwise is ``medlens.toml`` in MedLens's own folder and may be absent. Every setting and its
default is shown in ``medlens.example.toml``.

``python -m medlens.config.settings --store-exists`` exits 0 when there is a store to open, 1 when
there is none yet; the Makefile asks it before it makes the demo.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from medlens.config.people import address_of
from medlens.config.setting_values import (
    Address,
    ApiAddress,
    Host,
    HostAndPort,
    ModelName,
    Place,
    TaskName,
    Variable,
    is_loopback,
    place_of,
)
from medlens.config.toml_file import misfits
from medlens.errors import BadFile, BadRow, MedLensError

PROJECT = Path(__file__).resolve().parents[2]

TAGGING = "error_spans"
"""The task that ``[tagging]`` is about."""

Role = Literal["reviewer", "lead"]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class LogSettings(_Section):
    """``[log]``: ``text`` for people or ``json`` for machines, and from which level on.

    ``debug`` tells every rerun, save and model call; ``info`` imports, exports, jobs, runs and
    what takes long; ``warning`` only what went wrong.
    """

    format: Literal["text", "json"] = "text"
    level: Literal["debug", "info", "warning", "error"] = "info"


class MetricsSettings(_Section):
    """``[metrics]``: where Prometheus may fetch what is counted, ``host:port``; "" is nowhere.

    It says nothing of anybody, but whoever reaches the address can read it: one that others than
    this machine reach has to be allowed by ``beyond_this_machine``.
    """

    address: Place = ""
    beyond_this_machine: bool = False

    @model_validator(mode="after")
    def _is_allowed(self) -> MetricsSettings:
        if self.address and not self.beyond_this_machine:
            host, _ = place_of(self.address)
            if not is_loopback(host):
                raise ValueError("an address of this machine, or beyond_this_machine = true")
        return self


class Serve(_Section):
    """``[serve]``: where the app listens, and by which names it may be called.

    ``public_hosts`` are the names people reach it by when it is not only this machine's; the host
    of the sign-in's ``redirect_uri`` counts without being listed.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8501, ge=1, le=65535)
    public_hosts: tuple[Host, ...] = Field(default=(), strict=False)


class SignIn(_Section):
    """``[sign_in]``: how long a sign-in lasts, and how far the provider's word is trusted.

    After ``hours`` one has to sign in again. Some providers (a company's own directory) leave out
    ``email_verified``. Accept that only where nobody can enter another person's address in their
    profile.
    """

    accept_missing_email_verified: bool = False
    hours: float = Field(default=12.0, gt=0, le=720, strict=False)


class Uploads(_Section):
    """``[uploads]``: the most megabytes (of 1,048,576 bytes) of a file that a lead uploads, of all
    files of one tab, and of all tabs together. They lie in the system's place for temporary files
    until their tab is closed."""

    file_megabytes: int = Field(default=200, ge=1, le=10_000)
    session_megabytes: int = Field(default=500, ge=1)
    all_megabytes: int = Field(default=2_000, ge=1)


class HandOut(_Section):
    """``[tasks.NAME]``: how a task's items are handed out; what is left out has its default.

    ``lease_minutes`` is how long an opened item is kept for one person; ``gold_share`` the part of
    a person's items whose answer is known. ``NAME`` is the task's, as the Team page shows it.
    """

    raters_per_item: int | None = Field(default=None, ge=1)
    items_per_rater: int | None = Field(default=None, ge=1)
    lease_minutes: int | None = Field(default=None, ge=1)
    gold_share: float | None = Field(default=None, ge=0, le=0.5, strict=False)
    seed: int | None = None


class Tagging(_Section):
    """``[tagging]``: the error-tagging study, and how its task's items are handed out."""

    taxonomy: Path = Field(default=PROJECT / "data/taxonomies/g4ue.toml", strict=False)
    forms: Path = Field(default=PROJECT / "data/forms", strict=False)
    raters_per_item: int = Field(default=3, ge=1)
    items_per_rater: int = Field(default=20, ge=1)
    lease_minutes: int = Field(default=120, ge=1)
    gold_share: float = Field(default=0.1, ge=0, lt=1, strict=False)
    seed: int = 20240601


class Imports(_Section):
    """``[imports]``: what reading one file may cost. Each file is read in a process of its own."""

    memory_mb: int = Field(default=1024, ge=256, le=1 << 20)
    seconds: int = Field(default=600, ge=1, le=86_400)


class Web(_Section):
    """``[web]``: how cited pages are fetched.

    ``pause`` is seconds between the beginnings of two requests to one host, ``per_host`` how many
    of them run at once, ``concurrency`` how many pages in all; ``timeout`` is seconds for a page.
    ``robots`` respects robots.txt. ``allow_hosts`` opens hosts that would be refused for not being
    public (an intranet), by name or ``name:port``. ``longest_tokens``: a text beyond it counts as
    too long. ``archive`` is the availability look-up that says whether a dead page once existed,
    ``registry`` the RDAP look-up that says where a domain is registered. All go through ``proxy``
    where one is set.
    """

    user_agent: str = Field(
        default="MedLens/1.0 (checks cited sources)",
        min_length=1,
        max_length=200,
        pattern=r"^[ -~]+$",
    )
    robots: bool = True
    pause: float = Field(default=1.0, ge=0, le=60, strict=False, allow_inf_nan=False)
    per_host: int = Field(default=2, ge=1, le=64)
    concurrency: int = Field(default=16, ge=1, le=128)
    timeout: float = Field(default=30.0, gt=0, le=600, strict=False)
    redirects: int = Field(default=10, ge=0, le=30)
    most_megabytes: float = Field(default=25.0, gt=0, le=200, strict=False)
    longest_tokens: int = Field(default=128_000, ge=1)
    allow_hosts: tuple[HostAndPort, ...] = Field(default=(), strict=False)
    archive: ApiAddress = "https://archive.org/wayback/available"
    registry: ApiAddress = "https://rdap.org/domain"
    proxy: ApiAddress | Literal[""] = ""


class Model(_Section):
    """``[models.NAME]``: one model behind an OpenAI-compatible API.

    ``model`` is what the API calls it; ``key_env`` the environment variable that holds the key
    (none: no key is sent). Prices are per million tokens, in one currency for all models, absent
    where unknown; ``batch_price`` is the share of them that a batch job costs. A limit of 0 is
    none. ``timeout`` is seconds for one attempt. ``json_mode`` (``json`` in the file) is how
    structured answers are asked for; ``parameters`` go with every request, such as
    ``{ temperature = 0 }``.
    """

    base_url: ApiAddress
    model: str = Field(min_length=1)
    key_env: Variable | None = None
    input_price: float | None = Field(default=None, ge=0, strict=False, allow_inf_nan=False)
    output_price: float | None = Field(default=None, ge=0, strict=False, allow_inf_nan=False)
    batch_price: float = Field(default=0.5, ge=0, le=1, strict=False)
    requests_per_minute: int = Field(default=0, ge=0)
    tokens_per_minute: int = Field(default=0, ge=0)
    context: int = Field(default=0, ge=0)
    images: bool = False
    json_mode: Literal["schema", "object", "text"] = Field(default="schema", alias="json")
    concurrency: int = Field(default=8, ge=1, le=256)
    timeout: float = Field(default=120.0, gt=0, le=3600, strict=False)
    parameters: Mapping[str, Any] = Field(default_factory=dict)


class AgentClinic(_Section):
    """``[agentclinic]``: how people play in the clinic.

    ``play_models`` are the models that people may play against (none: nobody plays);
    ``play_measurement`` and ``play_moderator`` take the other seats, the first of ``play_models``
    unless named. ``play_cap`` is what one visit may cost. ``images_folder`` holds copies of images,
    ``biases_folder`` files of biases that experiments name.
    """

    play_models: tuple[ModelName, ...] = Field(default=(), strict=False)
    play_measurement: ModelName | None = None
    play_moderator: ModelName | None = None
    play_interactions: int = Field(default=20, ge=1, le=200)
    play_images: Literal["none", "start", "request"] = "request"
    play_cap: float | None = Field(default=None, gt=0, strict=False, allow_inf_nan=False)
    images_folder: Path | None = Field(default=None, strict=False)
    biases_folder: Path | None = Field(default=None, strict=False)


class Settings(_Section):
    """Everything that can be set. ``store`` is a file or a ``postgresql://`` address."""

    store: str = str(PROJECT / "data/medlens.duckdb")
    people: Mapping[Address, Role] = Field(default_factory=dict)
    serve: Serve = Serve()
    sign_in: SignIn = SignIn()
    uploads: Uploads = Uploads()
    tagging: Tagging = Tagging()
    agentclinic: AgentClinic = AgentClinic()
    tasks: Mapping[TaskName, HandOut] = Field(default_factory=dict)
    imports: Imports = Imports()
    web: Web = Web()
    models: Mapping[ModelName, Model] = Field(default_factory=dict)
    log: LogSettings = LogSettings()
    metrics: MetricsSettings = MetricsSettings()

    def hand_out(self, task: str) -> dict[str, Any]:
        """What the file says of how a task's items are handed out, by the name of the setting.

        Error tagging's are in ``[tagging]``; a section of the task's own wins.
        """
        names = HandOut.model_fields
        base = {name: getattr(self.tagging, name) for name in names} if task == TAGGING else {}
        own = self.tasks.get(task, HandOut()).model_dump(exclude_none=True)
        return base | own

    def role_of(self, email: str) -> Role | None:
        """The role of an e-mail address, ``None`` for somebody who is not on the team."""
        address = address_of(email)
        return self.people.get(address) if address else None

    def store_exists(self) -> bool:
        """Whether there is a store to open; one on a server counts as there."""
        return "://" in self.store or Path(self.store).exists()


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the environment and the settings file.

    Relative paths in the file count from its own folder, ``MEDLENS_STORE`` from the working one.

    Raises:
        BadFile: the file cannot be read, or says something it should not; ``rows`` gives the lines.
    """
    path = settings_path(environ)
    raw = _read(path) if environ.get("MEDLENS_CONFIG") or path.exists() else ""
    settings = _parse(raw, path)
    store = environ.get("MEDLENS_STORE", "")
    return settings.model_copy(update={"store": store}) if store else settings


def settings_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the settings file lies, or would."""
    named = environ.get("MEDLENS_CONFIG", "")
    return Path(named) if named else PROJECT / "medlens.toml"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(
            f"The settings file {path} cannot be read: {error}.",
            hint="Correct MEDLENS_CONFIG, or start from medlens.example.toml.",
        ) from error


def _parse(raw: str, path: Path) -> Settings:
    try:
        table = tomllib.loads(raw)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else raw.count("\n") + 1
        raise _bad(path, [BadRow(path.name, line, "", f"TOML ({error})")]) from error
    _count_from(path.resolve().parent, table)
    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        # A key pasted where its variable's name belongs must not come back on the screen.
        rows = misfits(error, raw, path.name, hidden=("models",))
        raise _bad(path, rows) from error


def _count_from(folder: Path, table: dict[str, Any]) -> None:
    store = table.get("store")
    if isinstance(store, str) and "://" not in store:
        table["store"] = str(folder / store)
    for name in ("tagging", "agentclinic"):
        section = table.get(name)
        for key in ("taxonomy", "forms", "images_folder", "biases_folder"):
            if isinstance(section, dict) and isinstance(section.get(key), str):
                section[key] = str(folder / section[key])


def _bad(path: Path, rows: list[BadRow]) -> BadFile:
    return BadFile(
        f"The settings file {path} has {len(rows)} mistake{'s' if len(rows) > 1 else ''}: "
        + " ".join(str(row) for row in rows),
        hint="medlens.example.toml shows every setting.",
        rows=rows,
    )


def main(arguments: list[str]) -> int:
    """Exit code: 0 there is a store, 1 there is none, 2 wrong use or bad settings."""
    if arguments != ["--store-exists"]:
        sys.stderr.write("usage: python -m medlens.config.settings --store-exists\n")
        return 2
    try:
        return 0 if load_settings().store_exists() else 1
    except MedLensError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
