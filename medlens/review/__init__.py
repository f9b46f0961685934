"""The review spine: a judgment is a judgment, whoever makes it.

Raters, people or models, judge items; their judgments become consensus and agreement. A study
declares a ``Task`` (see ``tasks``); assignment, drafts, history, blindness, gold items, agreement
and export are here, once, for all studies.
"""
