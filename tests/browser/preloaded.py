"""What the process that forks servers does once, after it has imported everything."""

from __future__ import annotations

import gc
import inspect

# A packaged component asks which module declares it, and the first such call in a process looks up
# the file of every module.
inspect.getmodule(inspect.currentframe())
# Garbage collection would touch everything imported, and so copy it in every server.
gc.collect()
gc.freeze()
