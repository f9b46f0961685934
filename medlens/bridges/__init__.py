"""Bridges to other tools: ``…_import`` reads their projects, ``…_export`` writes a study for them.

Nothing imports them. ``medlens.studies.own.bridge_registry`` names them, and they are loaded when a
file is read or written.
"""
