"""``python -m tests.advisories LOCK``: known vulnerabilities in what a lock pins, by pip-audit.

Exit code 1 where one is known, or pip-audit cannot read the lock. Where the advisories cannot be
reached it says so and exits 0: a check must work without a network.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

# What the ways of not getting there leave behind on standard error.
_UNREACHED = (
    "ConnectionError",
    "Timeout",
    "Max retries",
    "ProxyError",
    "SSLError",
    "HTTPError",
    "ServiceError",
    "may be blocking this service",
)


def audit(lock: str, *, command: Sequence[str] = (sys.executable, "-m", "pip_audit")) -> int:
    """Have pip-audit look a lock through, say what it found, and return the exit code."""
    done = subprocess.run(
        [
            *command,
            "--require-hashes",
            "--disable-pip",
            "--progress-spinner",
            "off",
            "--format",
            "json",
            "-r",
            lock,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    packages = _packages(done.stdout)
    unknown = [one for one in packages if "skip_reason" in one]
    for one in packages:
        for known in one.get("vulns", ()):
            mended = " or ".join(known["fix_versions"]) or "no version yet"
            print(f"{one['name']} {one['version']}: {known['id']}, mended in {mended}")
    if done.returncode == 0 and len(unknown) < max(1, len(packages)):
        but = f", but {len(unknown)} packages have no advisories to look in" if unknown else ""
        print(f"{lock}: no known vulnerabilities{but}.")
        return 0
    last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
    if unknown:
        last = str(unknown[0]["skip_reason"])
    if not done.returncode or (not packages and any(word in done.stderr for word in _UNREACHED)):
        print(f"{lock}: NOT LOOKED THROUGH, the advisories cannot be reached from here ({last}).")
        return 0
    print(f"{lock}: {last}")
    return 1


def _packages(said: str) -> list[dict[str, Any]]:
    with contextlib.suppress(ValueError):
        return list(json.loads(said)["dependencies"])
    return []


if __name__ == "__main__":
    raise SystemExit(audit(sys.argv[1]))
