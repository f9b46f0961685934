"""Attacks on MedLens: ``python -m tests.attack`` tells how many were tried and what got through.

Each suite is a module with ``run(seed, size) -> Counts``; ``size`` is "full" or "short". What is
tried is drawn from the seed, so that a finding can be had again.
"""
