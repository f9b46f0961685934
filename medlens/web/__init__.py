"""Cited pages: fetched safely (``fetch``) and turned into text (``text``, in separate
processes).

Imports nothing: a process that reads pages would otherwise load all of MedLens.
"""
