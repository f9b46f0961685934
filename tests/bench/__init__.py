"""Benchmarks: ``python -m tests.bench`` (``make bench``) measures what MedLens has to reach.

Each module measures one thing and returns ``Row``s; ``__main__`` prints them against their bars.
"""
