"""The parts of ``docs/deploy`` as processes: two apps on PostgreSQL behind nginx."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from medlens.store.store_copying import copy_store_and_return_counts_and_digests
from tests.bench.account import account
from tests.bench.material import make_store
from tests.bench.serving import REPO, Server, _free_port
from tests.bench.session import Session, SessionFailed
from tests.store.conftest import Cluster

DEPLOY = REPO / "docs/deploy"
PEOPLE = 20
LONGEST_WAIT = 5.0
pytestmark = [pytest.mark.deep, pytest.mark.postgres]


@pytest.fixture(scope="session")
def nginx_program() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found:
        return found
    if os.environ.get("MEDLENS_REQUIRE_NGINX"):
        pytest.fail("nginx was not found, and MEDLENS_REQUIRE_NGINX is set")
    pytest.skip("nginx was not found")


def make_certificate(folder: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-keyout", "privkey.pem", "-out", "fullchain.pem"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def configuration(folder: Path, ports: list[int], *, plain: int, tls: int) -> str:
    """The shipped configuration with this machine's places in it; without sign-in, the app takes
    only what comes from this machine, so that it is not told of a proxy, and people come by HTTP.
    """
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    places = {
        "/tmp/nginx.pid": f"{folder}/nginx.pid",
        "server medlens-1:8501": f"server 127.0.0.1:{ports[0]}",
        "server medlens-2:8501": f"server 127.0.0.1:{ports[1]}",
        "listen 443 ssl;": f"listen 127.0.0.1:{tls} ssl;\n listen 127.0.0.1:{plain};",
        "listen 80;": f"listen 127.0.0.1:{_free_port()};",
        "/etc/nginx/tls": str(folder),
        "worker_processes auto": "worker_processes 1",
        "access_log off;": " ".join(
            ["access_log off;"]
            + [
                f"{kind}_temp_path {folder}/{kind};"
                for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            ]
        ),
    }
    for shipped, here in places.items():
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    text, told = re.subn(r"\n.*X-Forwarded.*", "", text)
    assert told == 2
    return text


@contextlib.contextmanager
def running_nginx(program: str, folder: Path, ports: list[int]) -> Iterator[str]:
    """nginx before these ports; gives the address that people use."""
    folder.mkdir()
    make_certificate(folder)
    plain, tls = _free_port(), _free_port()
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, ports, plain=plain, tls=tls), encoding="utf-8")
    log = folder / "error.log"
    words = [program, "-c", str(file), "-e", str(log), "-g", "daemon off;"]
    checked = subprocess.run([*words, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen(words)
    try:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("localhost", plain), 1):
                break
            time.sleep(0.05)
        yield f"http://localhost:{plain}"
    finally:
        process.terminate()
        process.wait(20)


class Browser(Session):
    """A session that keeps the cookie by which nginx knows it, as a browser does."""

    process = ""
    opening = 0.0
    longest = 0.0

    async def _first_cookie(self) -> str:
        self._line = None
        return self.process

    async def work(self, until: float) -> None:
        """Mark and submit; a lost connection is made again, as the page does it."""
        while time.monotonic() < until:
            begun = time.monotonic()
            try:
                if self.tagger is None or self._closed:
                    await self.open()
                    self.opening = self.opening or time.monotonic() - begun
                    await self.resend()
                await self.mark()
                if self.marks >= 3:
                    await self.submit()
            except Exception:  # noqa: BLE001  (whatever a process that ends makes of it)
                await self.close()
                await self.wait_for_save(begun, until)
                continue
            if self.writes[1:]:  # after the page was opened
                self.longest = max(self.longest, time.monotonic() - begun)
            await asyncio.sleep(0.5)

    async def wait_for_save(self, begun: float, until: float) -> None:
        """Connect again until a save is acknowledged."""
        while time.monotonic() < until + 30:
            try:
                await self.open()
                await self.resend()
                await self.mark()
            except Exception:  # noqa: BLE001  (whatever a process that ends makes of it)
                await self.close()
                await asyncio.sleep(0.1)
                continue
            self.longest = max(self.longest, time.monotonic() - begun)
            return
        raise SessionFailed("nothing was saved any more")


def test_one_process_is_restarted_while_twenty_people_work_and_nothing_is_lost(
    nginx_program: str, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    made = tmp_path / "made.duckdb"
    raters = make_store(made, items=60, people=PEOPLE)
    copy_store_and_return_counts_and_digests(str(made), database)
    store = cast(Any, database)
    with (
        Server(tmp_path / "one", store) as first,
        Server(tmp_path / "two", store) as second,
        running_nginx(nginx_program, tmp_path / "nginx", [first.port, second.port]) as url,
    ):
        with urllib.request.urlopen(url) as answer:
            given = answer.headers.get_all("Set-Cookie")
        assert [one for one in given if re.match("medlens_process=[0-9a-f]{32}; .*Secure", one)]
        people = [Browser(url, rater) for rater in raters]
        for one in people:
            one.process = f"medlens_process={uuid.uuid4().hex}"

        async def work() -> None:
            until = time.monotonic() + 30
            everyone = [asyncio.create_task(one.work(until)) for one in people]
            await asyncio.sleep(10)
            await asyncio.to_thread(first.stop, timeout=60)
            await asyncio.to_thread(first.start)
            await asyncio.gather(*everyone)
            for one in people:
                await one.close()

        asyncio.run(work())
    writes = [write for one in people for write in one.writes]
    longest = max(one.longest for one in people)
    print(f"{len(writes)} saves; the longest wait until one was acknowledged: {longest:.1f} s")
    assert len(writes) > PEOPLE * 3
    assert account(store, writes) == []
    # A machine that is busy with other tests opens pages slowly, with or without a restart.
    slowest_opening = max(one.opening for one in people)
    assert longest <= max(LONGEST_WAIT, 2 * slowest_opening)
