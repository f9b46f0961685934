"""What the process that forks servers does once, after it has imported everything."""

from __future__ import annotations

import gc
import inspect

from streamlit.components.v2 import manifest_scanner

# A packaged component asks which module declares it, and the first such call in a process looks up
# the file of every module.
inspect.getmodule(inspect.currentframe())
# Streamlit reads about every installed package when it starts: two thirds of what a start takes.
_found = manifest_scanner.scan_component_manifests()
manifest_scanner.scan_component_manifests = lambda: _found
# Garbage collection would touch everything imported, and so copy it in every server.
gc.collect()
gc.freeze()
