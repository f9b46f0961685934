"""The settings of a team: the environment and ``medlens.toml``, read once at the start.

``MEDLENS_STORE`` names the store and takes precedence over the file. ``MEDLENS_CONFIG`` names the
file, by default ``medlens.toml`` among a team's own files
(``medlens.config.shipped_and_home_folders.HOME``); it may be absent. Every setting and its default
is in ``medlens.example.toml`` and explained in ``docs/settings.md``, which is generated from the
declarations below. A study declares its own section in its folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from medlens.config.email_and_name_normalisation import normalise_email_for_comparison
from medlens.config.host_and_address_values import (
    Address,
    ApiAddress,
    Host,
    HostAndPort,
    ListenAddress,
    ModelName,
    TagPair,
    TaskName,
    Variable,
    is_loopback_host,
    parse_host_and_port,
)
from medlens.config.shipped_and_home_folders import HOME, SHIPPED
from medlens.config.toml_file import bad_rows_of_pydantic_error
from medlens.errors import BadFile, BadRow

Role = Literal["reviewer", "lead"]


class Section(BaseModel):
    """A section of ``medlens.toml``; the text below each setting explains it, also in the docs."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


S = TypeVar("S", bound=Section)

SECTIONS: dict[str, type[Section]] = {}
"""The sections that studies declare, by the study's name; the registry of studies fills it."""


class LogSettings(Section):
    """What the server tells its operator on standard error: events with their request and rater,
    never the text of an item, an answer or a key."""

    format: Literal["text", "json"] = "text"
    """``text`` for people, ``json`` for machines: one object on each line."""
    level: Literal["debug", "info", "warning", "error"] = "info"
    """``debug`` reports every rerun, save and model call; ``info`` imports, exports, jobs, runs and
    whatever takes long; ``warning`` and ``error`` only what went wrong."""


class MetricsSettings(Section):
    """Metrics for Prometheus: sessions, reruns, saves, imports, errors, model calls, costs."""

    address: ListenAddress = ""
    """Where Prometheus may fetch them, such as ``127.0.0.1:9464``; empty: nowhere. They say nothing
    about anybody, but whoever reaches the address can read them."""
    beyond_this_machine: bool = False
    """Allows an address that other machines can reach."""

    @model_validator(mode="after")
    def _is_allowed(self) -> MetricsSettings:
        if self.address and not self.beyond_this_machine:
            host, _ = parse_host_and_port(self.address)
            if not is_loopback_host(host):
                raise ValueError("an address of this machine, or beyond_this_machine = true")
        return self


class Serve(Section):
    """Where the app listens. Beyond this machine it does so only with sign-in."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = Field(default=8501, ge=1, le=65535)
    """The port to listen on."""
    public_hosts: tuple[Host, ...] = Field(default=(), strict=False)
    """Names by which people reach it, besides this machine's own and the host of the sign-in's
    ``redirect_uri``."""


class SignIn(Section):
    """How long a sign-in lasts, and how far the provider's word is trusted."""

    accept_missing_email_verified: bool = False
    """Some providers do not say whether they checked an e-mail address. Accept that only from one
    where nobody can enter another person's address in their profile."""
    hours: float = Field(default=12.0, gt=0, le=720, strict=False)
    """After so many hours people have to sign in again, whatever their browser keeps."""
    invitations_admit: bool = False
    """Whether a lead's invitation lets somebody in, as a reviewer, whom ``[people]`` does not name.
    They sign in through the provider all the same. Otherwise it only gives people of the team a
    round."""


class Uploads(Section):
    """Files that leads upload on the Data page, in megabytes of 1,048,576 bytes. They are kept on
    disk, in the system's place for temporary files, until their tab is closed."""

    file_megabytes: int = Field(default=200, ge=1, le=10_000)
    """The most for one file."""
    session_megabytes: int = Field(default=500, ge=1)
    """The most for all files of one tab."""
    all_megabytes: int = Field(default=2_000, ge=1)
    """The most for all tabs together."""


class TaskSettings(Section):
    """How the items of a task are handed out. ``NAME`` is the task's, as the Team page shows it;
    what a lead sets there for a dataset goes ahead of this."""

    raters_per_item: int | None = Field(default=None, ge=1)
    """How many people judge each item. Default: 3."""
    items_per_rater: int | None = Field(default=None, ge=1)
    """How many items each person is given. Default: 20."""
    lease_minutes: int | None = Field(default=None, ge=1)
    """How long an opened item is kept for the person who opened it. Default: 120."""
    gold_share: float | None = Field(default=None, ge=0, le=0.5, strict=False)
    """The share of a person's items whose answer is known, mixed in unseen. Default: 0.1."""
    seed: int | None = None
    """The seed by which it is drawn who gets which items."""
    order: Literal["random", "file"] | None = None
    """The order in which people get items: `random`, different for each person, or `file`, as in
    the file. Default: random."""
    again_share: float | None = Field(default=None, ge=0, le=0.5, strict=False)
    """The share of a person's items that come again later, to see whether they agree with
    themselves. Default: 0."""
    again_after: int | None = Field(default=None, ge=1)
    """How many other items a person has judged before one comes again. Default: 10."""
    fixed_panel: bool | None = None
    """The people who judge are all that matter, such as a panel whose word is the standard. All
    figures of the task's study then speak for them and allow for items alone. Default: false."""


class Postgres(Section):
    """How long MedLens waits for a PostgreSQL server, in seconds. A page or a save that waits
    longer says so, keeps what was entered, and can be tried again. A DuckDB file needs none of
    this."""

    statement_seconds: float = Field(default=15.0, ge=1, le=3600, strict=False)
    """The most that the server may take for one statement of a page or a save; it stops one that
    takes longer (``statement_timeout``)."""
    silent_seconds: float = Field(default=5.0, ge=1, le=600, strict=False)
    """How long a connection may be silent where an answer is due (``tcp_user_timeout``), and how
    long a transaction may wait for MedLens while others wait for it."""
    long_statement_seconds: float = Field(default=3600.0, ge=1, le=604_800, strict=False)
    """In place of ``statement_seconds`` where work is known to be long: imports, the copy that each
    process makes when it starts and keeps up to date (exports, reports and backups read that copy),
    and changes of the tables after an update."""


class Backups(Section):
    """Backups of the store that the app makes each day while people work. They are checked after
    they were written, and are as secret as the store."""

    folder: Path | None = Field(default=None, strict=False)
    """The folder for them, best on another disk; only MedLens's own user can read what it writes
    there. Default: none are made."""
    at: str = Field(default="02:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$")
    """The time of day, in UTC. One that the app was not running for is made when it starts."""
    keep_days: int = Field(default=14, ge=1, le=3_650)
    """For how many days each is kept. The newest is always kept."""


class Imports(Section):
    """What reading one imported file may cost. Each is read in a process of its own; one that needs
    more is refused, and MedLens goes on working."""

    memory_mb: int = Field(default=1024, ge=256, le=1 << 20)
    """The most memory, in megabytes, beyond the 100 that a reader begins with."""
    seconds: int = Field(default=600, ge=1, le=86_400)
    """The most time."""
    long_rows_mb: int = Field(default=24, ge=1, le=1 << 20)
    """The most, in megabytes, that 2,048 items that follow each other in a file may hold, the pages
    of SourceCheckup excepted. To save them takes the app three to four times as much memory."""


class Web(Section):
    """How the pages that answers cite are fetched."""

    user_agent: str = Field(
        default="MedLens/1.0 (checks cited sources)",
        min_length=1,
        max_length=200,
        pattern=r"^[ -~]+$",
    )
    """What MedLens calls itself."""
    robots: bool = True
    """Leave out pages that a site's robots.txt closes to programs (RFC 9309); one that its site
    fails to send closes all of it."""
    pause: float = Field(default=1.0, ge=0, le=60, strict=False, allow_inf_nan=False)
    """Seconds between the beginnings of two requests to one host."""
    per_host: int = Field(default=2, ge=1, le=64)
    """Requests to one host at once."""
    concurrency: int = Field(default=16, ge=1, le=128)
    """Pages at once."""
    timeout: float = Field(default=30.0, gt=0, le=600, strict=False)
    """Seconds for one page."""
    redirects: int = Field(default=10, ge=0, le=30)
    """How many redirects are followed."""
    most_megabytes: float = Field(default=25.0, gt=0, le=200, strict=False)
    """The most that is taken of a page, unpacked."""
    longest_tokens: int = Field(default=128_000, ge=1)
    """A page with more tokens of text is too long to be checked by a model."""
    allow_hosts: tuple[HostAndPort, ...] = Field(default=(), strict=False)
    """Only machines of the public internet are reached, and these hosts, such as
    ``wiki.hospital.example`` or ``localhost:8080``."""
    archive: ApiAddress = "https://archive.org/wayback/available"
    """Asked, where a run wants it, whether a dead page once existed."""
    registry: ApiAddress = "https://rdap.org/domain"
    """Asked where a domain is registered (RDAP)."""
    proxy: ApiAddress | Literal[""] = ""
    """A proxy that leads to the internet, such as ``http://proxy.hospital.example:3128``. It looks
    up names that this machine cannot, and has to keep to the public internet itself."""


class Model(Section):
    """One model behind an OpenAI-compatible API, under a name of your own. Only ``base_url`` and
    ``model`` have to be given. Prices are in one currency for all models."""

    base_url: ApiAddress
    """The address of the API, such as ``https://api.example.org/v1``."""
    model: str = Field(min_length=1)
    """What the API calls the model."""
    key_env: Variable | None = None
    """The environment variable that holds the key, never the key. Default: no key is sent."""
    input_price: float | None = Field(default=None, ge=0, strict=False, allow_inf_nan=False)
    """Per million tokens. Default: unknown, so that no cap can be set."""
    output_price: float | None = Field(default=None, ge=0, strict=False, allow_inf_nan=False)
    """Per million tokens. Default: unknown."""
    batch_price: float = Field(default=0.5, ge=0, le=1, strict=False)
    """The share of these prices that a batch job costs."""
    requests_per_minute: int = Field(default=0, ge=0)
    """A limit; 0 means none."""
    tokens_per_minute: int = Field(default=0, ge=0)
    """A limit; 0 means none."""
    context: int = Field(default=0, ge=0)
    """The most tokens of a request and its answer; 0: not known."""
    images: bool = False
    """Whether the model can be sent images."""
    json_mode: Literal["schema", "object", "text"] = Field(default="schema", alias="json")
    """How structured answers are asked for: ``object`` or ``text`` where the API has no schemas."""
    concurrency: int = Field(default=8, ge=1, le=256)
    """Calls at once."""
    timeout: float = Field(default=120.0, gt=0, le=3600, strict=False)
    """Seconds for one attempt."""
    parameters: Mapping[str, Any] = Field(default_factory=dict)
    """Sent with each request, such as ``{ temperature = 0 }`` or ``{ max_completion_tokens = 4000
    }``."""
    unsupported_parameters: tuple[str, ...] = Field(default=(), strict=False)
    """Parameters that the endpoint refuses, such as ``["temperature", "max_tokens"]``: never sent,
    not even where a study asks for them."""
    system_messages: bool = True
    """Whether the model takes a system message; if not, it is put in front of the first
    question."""
    reasoning_tags: tuple[TagPair, ...] = Field(default=(), strict=False)
    """Opening and closing tags around what the model thinks aloud, if they are its own:
    ``[["<plan>", "</plan>"]]``. ``<think>`` and others that are usual are known."""


class Settings(Section):
    """All settings except those that studies declare; ``of`` returns a study's section."""

    store: str = str(HOME / "data/medlens.duckdb")
    """The store: a DuckDB file, or ``postgresql://…`` when several app processes share the work."""
    people: Mapping[Address, Role] = Field(default_factory=dict)
    """Who may sign in, once sign-in is set up. In a section ``[people]``, each line is an e-mail
    address in quotes and a role: ``"ada@example.org" = "lead"`` or ``"reviewer"``."""
    serve: Serve = Serve()
    sign_in: SignIn = SignIn()
    uploads: Uploads = Uploads()
    tasks: Mapping[TaskName, TaskSettings] = Field(default_factory=dict)
    postgres: Postgres = Postgres()
    backups: Backups = Backups()
    imports: Imports = Imports()
    web: Web = Web()
    models: Mapping[ModelName, Model] = Field(default_factory=dict)
    log: LogSettings = LogSettings()
    metrics: MetricsSettings = MetricsSettings()

    def of(self, section: type[S]) -> S:
        """A study's own section, with defaults if the file does not have it."""
        found = [one for one in self.__dict__.values() if isinstance(one, section)]
        return found[0] if found else section()

    def hand_out_setting_by_name_of_task(self, task: str) -> dict[str, Any]:
        """What ``[tasks.NAME]`` says about a task, by the name of the setting."""
        return self.tasks.get(task, TaskSettings()).model_dump(exclude_none=True)

    def role_of_email_address(self, email: str) -> Role | None:
        """The role for an e-mail address; ``None`` if it is not on the team."""
        address = normalise_email_for_comparison(email)
        return self.people.get(address) if address else None

    def does_store_exist(self) -> bool:
        """Whether there is a store to open; one on a server counts as existing."""
        return "://" in self.store or Path(self.store).exists()

    def __reduce__(self) -> Any:
        """So that settings can be sent to the processes that read files: a class built from the
        studies' sections has no importable name.
        """
        own = [one for one in type(self).model_fields if one not in Settings.model_fields]
        sections = tuple((name, type(getattr(self, name))) for name in own)
        return _unpickled, (sections, self.__getstate__())


def load_settings(
    environ: Mapping[str, str] = os.environ, *, of_studies: Collection[str] | None = None
) -> Settings:
    """Read the environment and the settings file; with ``of_studies``, of its sections that belong
    to studies only those of these, and no other study need be loaded.

    Relative paths in the file are relative to its folder, ``MEDLENS_STORE`` to the working
    directory.

    Raises:
        BadFile: the file cannot be read or has mistakes; ``rows`` gives the lines.
    """
    path = path_of_settings_file(environ)
    settings = _parse(_read(path, environ), path, of_studies)
    store = environ.get("MEDLENS_STORE", "")
    return settings.model_copy(update={"store": store}) if store else settings


def section_and_setting_names_in_settings_file(
    environ: Mapping[str, str] = os.environ,
) -> Collection[str]:
    """The names of the sections and settings that the settings file has, whether or not any of
    MedLens is called so; none if there is no file.

    Raises:
        BadFile: the file cannot be read, or is not TOML.
    """
    path = path_of_settings_file(environ)
    return _read_toml(_read(path, environ), path).keys()


def path_of_settings_file(environ: Mapping[str, str] = os.environ) -> Path:
    """The path of the settings file, whether or not it exists."""
    named = environ.get("MEDLENS_CONFIG", "")
    return Path(named) if named else HOME / "medlens.toml"


def _read(path: Path, environ: Mapping[str, str]) -> str:
    """The text of the settings file; empty if nobody named one and there is none."""
    if not environ.get("MEDLENS_CONFIG") and not path.exists():
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(
            f"The settings file {path} cannot be read: {error}.",
            hint="Correct MEDLENS_CONFIG, or start from medlens.example.toml.",
        ) from error


def _read_toml(raw: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(raw)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else raw.count("\n") + 1
        raise _bad(path, [BadRow(path.name, line, "", f"TOML ({error})")]) from error


def _parse(raw: str, path: Path, of_studies: Collection[str] | None) -> Settings:
    table = _read_toml(raw, path)
    if of_studies is not None:
        read = {*Settings.model_fields, *of_studies}
        table = {name: part for name, part in table.items() if name in read}
    _count_from(path.resolve().parent, table)
    try:
        return _with_sections(tuple(SECTIONS.items())).model_validate(table)
    except ValidationError as error:
        # If someone pastes a key where its variable's name belongs, it must not be echoed.
        rows = bad_rows_of_pydantic_error(error, raw, path.name, hidden=("models",))
        raise _bad(path, rows) from error


@lru_cache(maxsize=8)
def _with_sections(sections: tuple[tuple[str, type[Section]], ...]) -> type[Settings]:
    """All sections in one model, so every mistake in a file is found at once."""
    fields: dict[str, Any] = {name: (section, section()) for name, section in sections}
    return create_model("Settings", __base__=Settings, **fields)


def _unpickled(sections: tuple[tuple[str, type[Section]], ...], state: dict[str, Any]) -> Settings:
    made = _with_sections(sections)
    found = made.__new__(made)
    found.__setstate__(state)
    return found


def _count_from(folder: Path, table: dict[str, Any]) -> None:
    """Make the paths in the file, as declared in the sections, relative to ``folder``. What MedLens
    comes with is found where it lies, also if a file elsewhere names it as the example does.
    """
    store = table.get("store")
    if isinstance(store, str) and "://" not in store:
        table["store"] = str(folder / store)
    with_paths: dict[str, type[Section]] = {**SECTIONS, "backups": Backups}
    for name, section in with_paths.items():
        said = table.get(name)
        for key, field in section.model_fields.items():
            is_path = field.annotation in (Path, Path | None)
            if is_path and isinstance(said, dict) and isinstance(said.get(key), str):
                path = folder / said[key]
                is_shipped = field.default == SHIPPED / said[key] and not path.exists()
                said[key] = str(field.default if is_shipped else path)


def _bad(path: Path, rows: list[BadRow]) -> BadFile:
    return BadFile(
        f"The settings file {path} has {len(rows)} mistake{'s' if len(rows) > 1 else ''}: "
        + " ".join(str(row) for row in rows),
        hint="medlens.example.toml shows every setting.",
        rows=rows,
    )
