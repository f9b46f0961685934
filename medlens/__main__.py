"""``python -m medlens``."""

from __future__ import annotations

import signal
import sys


def _run() -> int:
    # First of all: what follows takes a second to import, and the first process of a container is
    # not stopped by a signal that it does not listen for.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from medlens import cli

        return cli.main(alone=True)
    except KeyboardInterrupt:
        # Before there was anything to close.
        return 0 if "serve" in sys.argv[1:] else 1


if __name__ == "__main__":
    sys.exit(_run())
