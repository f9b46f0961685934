"""What the process that servers are forked from does once, after it has imported everything."""

from __future__ import annotations

import gc
import inspect

# A packaged component asks in which module it is declared, and the first to ask in a process has
# the file of every module looked up.
inspect.getmodule(inspect.currentframe())
# Collecting garbage would look through all that was imported, and so copy it in every server.
gc.collect()
gc.freeze()
