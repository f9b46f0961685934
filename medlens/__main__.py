"""``python -m medlens``."""

from __future__ import annotations

import os
import signal
import sys


def _run() -> int:
    # First of all: what follows takes a second to import, and the first process of a container is
    # not stopped by a signal that it does not listen for.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if "import" in sys.argv[1:]:
        # Chosen once, as Arrow is loaded: its own pool takes a gibibyte at once, which is all that
        # the reader which such a command makes of itself may have.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        from medlens import cli

        return cli.main(alone=True)
    except KeyboardInterrupt:
        # Before there was anything to close.
        return 0 if "serve" in sys.argv[1:] else 1


if __name__ == "__main__":
    sys.exit(_run())
