"""MedLens: clinicians check what language models say about medicine."""

import os

# Chosen once, when numpy is loaded: what is multiplied here is small, and while one thread does it,
# the others wait by turning in circles. That took a third of the CPU that people at work share.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.2.0"
