"""What a team sets: the environment and ``medlens.toml``, read once at the start.

``MEDLENS_STORE`` names the store and wins over the file; ``MEDLENS_CONFIG`` names the file, which
otherwise is ``medlens.toml`` in MedLens's own folder and may be absent. Every setting and its
default is shown in ``medlens.example.toml``.

``python -m medlens.settings --store-exists`` exits 0 when there is a store to open, 1 when there is
none yet; the Makefile asks it before it makes the demo.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from medlens.errors import BadFile, BadRow, MedLensError

PROJECT = Path(__file__).resolve().parents[1]

TAGGING = "error_spans"
"""The task that ``[tagging]`` is about."""

Role = Literal["reviewer", "lead"]


def _as_address(text: str) -> str:
    address = text.strip().lower()
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", address):
        raise ValueError("an e-mail address")
    return address


def _as_host(text: str) -> str:
    host = text.strip().lower()
    if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", host):
        raise ValueError("a host name alone, such as medlens.example.org")
    return host


def _as_host_and_port(text: str) -> str:
    host = text.strip().lower()
    if not re.fullmatch(r"(?:[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?", host):
        raise ValueError("a host name, with :port or without, such as wiki.hospital.example:8080")
    return host


def _as_address_of_an_api(text: str) -> str:
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address such as https://api.example.org/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("an address without a user, password or query; key_env names the key")
    _ = parts.port  # a ValueError where it is none
    return text.strip().rstrip("/")


def _as_variable(text: str) -> str:
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", text):
        raise ValueError("the name of an environment variable in capitals, never the key itself")
    return text


Address = Annotated[str, AfterValidator(_as_address)]
Host = Annotated[str, AfterValidator(_as_host)]
HostAndPort = Annotated[str, AfterValidator(_as_host_and_port)]
ApiAddress = Annotated[str, AfterValidator(_as_address_of_an_api)]
Variable = Annotated[str, AfterValidator(_as_variable)]
TaskName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
ModelName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,59}$")]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Serve(_Section):
    """``[serve]``: where the app listens, and by which names it may be called.

    ``public_hosts`` are the names people reach it by when it is not only this machine's; the host
    of the sign-in's ``redirect_uri`` counts without being listed.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8501, ge=1, le=65535)
    public_hosts: tuple[Host, ...] = Field(default=(), strict=False)


class SignIn(_Section):
    """``[sign_in]``: how far the sign-in provider's word on e-mail addresses is trusted.

    Some providers (a company's own directory) leave out ``email_verified``. Accept that only where
    nobody can enter another person's address in their profile.
    """

    accept_missing_email_verified: bool = False


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


class Web(_Section):
    """``[web]``: how cited pages are fetched.

    ``pause`` is seconds between the beginnings of two requests to one host, ``per_host`` how many
    of them run at once, ``concurrency`` how many pages in all; ``timeout`` is seconds for a page.
    ``robots`` respects robots.txt. ``allow_hosts`` opens hosts that would be refused for not being
    public (an intranet), by name or ``name:port``. ``longest_tokens``: a text beyond it counts as
    too long. ``archive`` is the availability look-up that says whether a dead page once existed,
    ``registry`` the RDAP look-up that says where a domain is registered.
    """

    user_agent: str = Field(
        default="MedLens/1.0 (checks cited sources)", min_length=1, max_length=200,
        pattern=r"^[ -~]+$",
    )  # fmt: skip
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
    unless named. ``play_cap`` is what one visit may cost. ``images_folder`` holds copies of images.
    """

    play_models: tuple[ModelName, ...] = Field(default=(), strict=False)
    play_measurement: ModelName | None = None
    play_moderator: ModelName | None = None
    play_interactions: int = Field(default=20, ge=1, le=200)
    play_images: Literal["none", "start", "request"] = "request"
    play_cap: float | None = Field(default=None, gt=0, strict=False, allow_inf_nan=False)
    images_folder: Path | None = Field(default=None, strict=False)


class Settings(_Section):
    """Everything that can be set. ``store`` is a file or a ``postgresql://`` address."""

    store: str = str(PROJECT / "data/medlens.duckdb")
    people: Mapping[Address, Role] = Field(default_factory=dict)
    serve: Serve = Serve()
    sign_in: SignIn = SignIn()
    tagging: Tagging = Tagging()
    agentclinic: AgentClinic = AgentClinic()
    tasks: Mapping[TaskName, HandOut] = Field(default_factory=dict)
    web: Web = Web()
    models: Mapping[ModelName, Model] = Field(default_factory=dict)

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
        return self.people.get(email.strip().lower())

    def store_exists(self) -> bool:
        """Whether there is a store to open; one on a server counts as there."""
        return "://" in self.store or Path(self.store).exists()


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the environment and the settings file.

    Relative paths in the file count from its own folder, ``MEDLENS_STORE`` from the working one.

    Raises:
        BadFile: the file cannot be read, or says something it should not; ``rows`` gives the lines.
    """
    named = environ.get("MEDLENS_CONFIG", "")
    path = Path(named) if named else PROJECT / "medlens.toml"
    raw = _read(path) if named or path.exists() else ""
    settings = _parse(raw, path)
    store = environ.get("MEDLENS_STORE", "")
    return settings.model_copy(update={"store": store}) if store else settings


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
        rows = [_row(problem, raw, path) for problem in error.errors(include_url=False)]
        raise _bad(path, sorted(rows, key=lambda row: row.line)) from error


def _count_from(folder: Path, table: dict[str, Any]) -> None:
    store = table.get("store")
    if isinstance(store, str) and "://" not in store:
        table["store"] = str(folder / store)
    for name in ("tagging", "agentclinic"):
        section = table.get(name)
        for key in ("taxonomy", "forms", "images_folder"):
            if isinstance(section, dict) and isinstance(section.get(key), str):
                section[key] = str(folder / section[key])


def _row(problem: Any, raw: str, path: Path) -> BadRow:
    keys = [str(part) for part in problem["loc"] if part != "[key]" and not isinstance(part, int)]
    # A key pasted where its variable's name belongs must not come back on the screen or in a log.
    hidden = isinstance(problem["input"], dict | list) or keys[:1] == ["models"]
    return BadRow(
        path.name,
        _line_of(keys, raw),
        ".".join(keys),
        _expected(problem),
        "" if hidden else str(problem["input"]),
    )


def _expected(problem: Any) -> str:
    if problem["type"] == "extra_forbidden":
        return "a setting that MedLens knows"
    message = str(problem["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return message[:1].lower() + message[1:]


def _line_of(keys: list[str], raw: str) -> int:
    """The line that sets ``keys`` (its section's, where the key itself is not found), from 1."""
    section, found, wanted = "", 1, ".".join(keys)
    for number, text in enumerate(raw.splitlines(), start=1):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", text):
            section = header[1].replace('"', "").replace("'", "")
            name = section
        elif pair := re.match(r"""\s*("[^"]*"|'[^']*'|[^=\s#]+)\s*=""", text):
            key = pair[1].strip("\"'")
            name = f"{section}.{key}" if section else key
        else:
            continue
        if name == wanted:
            return number
        if wanted.startswith(f"{name}."):
            found = number
    return found


def _bad(path: Path, rows: list[BadRow]) -> BadFile:
    return BadFile(
        f"The settings file {path} has {len(rows)} mistake{'s' if len(rows) > 1 else ''}: "
        + " ".join(str(row) for row in rows),
        hint="medlens.example.toml shows every setting.",
        rows=rows,
    )


def main(arguments: list[str]) -> int:
    """Exit code of ``python -m medlens.settings``: 0 yes, 1 no, 2 wrong use or bad settings."""
    if arguments != ["--store-exists"]:
        sys.stderr.write("usage: python -m medlens.settings --store-exists\n")
        return 2
    try:
        return 0 if load_settings().store_exists() else 1
    except MedLensError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
