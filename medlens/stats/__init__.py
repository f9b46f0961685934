"""Intervals, agreement and tests: pure, seeded functions on arrays, without files or pages."""
