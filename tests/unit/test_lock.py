"""What is installed is what was written down: the locks, and what is known of their packages."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.advisories import audit

ROOT = Path(__file__).resolve().parents[2]
LOCK, DEV_LOCK = "requirements.lock", "requirements-dev.lock"
_ENTRY = re.compile(
    r"(?m)^([A-Za-z0-9._-]+)==([^\s;\\]+)( ; [^\\\n]+?)?((?: \\\n    --hash=sha256:[0-9a-f]{64})*)$"
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def asked(text: str) -> list[Requirement]:
    """What a list that people write asks for."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return [Requirement(line) for line in lines if line]


def locked(text: str) -> dict[str, str]:
    """The version of each package in a lock."""
    return {canonicalize_name(one[1]): one[2] for one in _ENTRY.finditer(text)}


def disagreements(lists: str, lock: str) -> list[str]:
    """What is asked for and not locked in that version."""
    pins = locked(lock)
    return [
        str(one)
        for one in asked(lists)
        if not one.specifier.contains(pins.get(canonicalize_name(one.name), "0"), prereleases=True)
    ]


def faults(lock: str) -> list[str]:
    """Lines that are no pinned package with hashes, and addresses, which no lock may hold."""
    left = _ENTRY.sub(lambda one: "" if one[4] else one[0], re.sub(r"(?m)^ *#.*\n?", "", lock))
    return [*left.split(), *re.findall(r"\S*://\S*", lock)]


@pytest.mark.parametrize(
    "lists, lock",
    [
        (["requirements.txt"], LOCK),
        (["requirements.txt", "requirements-dev.txt"], DEV_LOCK),
    ],
)
def test_the_lock_agrees_with_what_people_asked_for(lists: list[str], lock: str) -> None:
    everything = "\n".join(read(name) for name in lists)
    assert len(asked(everything)) >= 20
    assert disagreements(everything, read(lock)) == [], "run make lock"


@pytest.mark.parametrize("lock", [LOCK, DEV_LOCK])
def test_every_package_of_a_lock_has_its_hashes_and_no_address(lock: str) -> None:
    assert len(locked(read(lock))) >= 80
    assert faults(read(lock)) == []


@pytest.mark.parametrize("lock", [LOCK, DEV_LOCK])
def test_what_a_locked_package_needs_in_turn_is_locked_too(lock: str) -> None:
    pins = locked(read(lock))
    missing = [
        f"{name} needs {one}"
        for name in pins
        for one in _needs(name)
        if canonicalize_name(one.name) not in pins
    ]
    assert missing == []


def _needs(name: str) -> list[Requirement]:
    """What an installed package needs here, without its extras; nothing of one for elsewhere."""
    try:
        needed = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    found = [Requirement(one) for one in needed]
    return [one for one in found if (one.marker or _always).evaluate({"extra": ""})]


_always = Marker("python_version >= '3'")


def test_the_tests_run_on_the_versions_that_are_served() -> None:
    served, tested = locked(read(LOCK)), locked(read(DEV_LOCK))
    assert served.items() <= tested.items()


def test_what_an_installed_medlens_asks_for_has_bounds_that_hold_what_is_tested() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    ranges = {canonicalize_name(one.name): one for one in map(Requirement, project["dependencies"])}
    pinned = {canonicalize_name(one.name): one for one in asked(read("requirements.txt"))}
    assert pinned.keys() - ranges.keys() == {"pytest"}  # which nobody needs to work with it
    assert ranges.keys() - pinned.keys() == set()
    pins = locked(read(LOCK))
    for name, wanted in ranges.items():
        assert wanted.extras == pinned[name].extras, name
        assert wanted.specifier.contains(pins[name]), name
        assert {bound.operator for bound in wanted.specifier} == {">=", "<"}, name


GOOD = f"a==1.0 \\\n    --hash=sha256:{'0' * 64}\n"


@pytest.mark.parametrize(
    "lock",
    [
        "a==1.0\n",
        "a>=1.0\n",
        GOOD + "b==2\n",
        "--index-url https://packages.example.org/simple\n" + GOOD,
        f"a @ https://example.org/a.whl \\\n    --hash=sha256:{'0' * 64}\n",
    ],
)
def test_a_lock_without_hashes_or_with_an_address_is_found(lock: str) -> None:
    assert faults(GOOD) == []
    assert faults(lock)


@pytest.mark.parametrize("asked_for", ["a==1.1", "b==1.0"])
def test_a_lock_that_was_not_made_anew_is_found(asked_for: str) -> None:
    assert disagreements("a==1.0", GOOD) == []
    assert disagreements(asked_for, GOOD) == [asked_for]


CLEAN = '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}'
SKIPPED = '{"dependencies": [{"name": "a", "skip_reason": "not found"}]}'
FOUND = (
    '{"dependencies": [{"name": "a", "version": "1",'
    ' "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}]}'
)


@pytest.mark.parametrize(
    "out, said, code, expected, line",
    [
        ("", "No known vulnerabilities found", 0, 0, "no known vulnerabilities."),
        (CLEAN, "", 0, 0, "no known vulnerabilities."),
        (SKIPPED, "", 0, 0, "NOT LOOKED THROUGH"),
        (FOUND, "Found 1 known vulnerability", 1, 1, "a 1: CVE-1, mended in 2"),
        ("", "requests.exceptions.ConnectionError: no such host", 1, 0, "NOT LOOKED THROUGH"),
        ("", "Tip: your network may be blocking this service.", 1, 0, "NOT LOOKED THROUGH"),
        ("", "invalid requirements input: x.lock", 1, 1, "invalid requirements input"),
    ],
)
def test_a_known_vulnerability_fails_the_check_and_a_missing_network_does_not(
    out: str, said: str, code: int, expected: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = f"import sys; print({out!r}); sys.stderr.write({said!r}); sys.exit({code})"
    assert audit("x.lock", command=[sys.executable, "-c", fake]) == expected
    assert line in capsys.readouterr().out
