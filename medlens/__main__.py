"""``python -m medlens``, and ``medlens`` where it is installed."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medlens.config.settings import Settings


def run() -> int:
    """Run the command of this process's arguments; returns its exit code."""
    # First of all: the imports below take a second, and the first process of a container ignores
    # signals that it does not handle.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Nothing here is one of its plug-ins, and to look for some takes it through the records of all
    # that is installed.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    is_brief = "serve" not in sys.argv[1:]
    if is_brief:
        # What a command loads stays until its end: a search for garbage in it would find none, and
        # takes a tenth of the time.
        gc.set_threshold(100_000)
    if "import" in sys.argv[1:]:
        # Chosen once, when Arrow is loaded: its own pool takes a gibibyte at once, which is all
        # that the reader started by such a command may have.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        from medlens import cli

        return cli.main(serve=serve_app)
    except KeyboardInterrupt:
        # There was nothing to close yet.
        return 1 if is_brief else 0
    finally:
        if is_brief:
            # Python searches all of it several times more when it ends, for another tenth.
            gc.freeze()


def serve_app(settings: Settings, options: argparse.Namespace) -> int:
    """Serve the app until the process is told to stop; the store is closed then."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        # Streamlit takes a second to import, and only the server needs it.
        from medlens.config.shipped_and_home_folders import HOME, SHIPPED
        from medlens.ui import settings_store_and_runs_of_process
        from medlens.ui.server import serve_streamlit

        if HOME != SHIPPED:
            # Outside of a checkout nobody would guess where to look for them.
            print(f"Your files are in {HOME}", flush=True)
        try:
            serve_streamlit(
                settings,
                host=options.host,
                port=options.port,
                open_browser=options.open,
                on_start=settings_store_and_runs_of_process.open_store_before_first_request,
                is_well=settings_store_and_runs_of_process.is_store_healthy,
                on_ready=lambda url: print(f"MedLens is at {url}", flush=True),
            )
        finally:
            # An impatient second signal must not interrupt the store's checkpoint.
            for one in (signal.SIGTERM, signal.SIGINT):
                signal.signal(one, signal.SIG_IGN)
            settings_store_and_runs_of_process.stop_runs_and_close_store()
    return 0


if __name__ == "__main__":
    sys.exit(run())
