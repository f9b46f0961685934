"""From a graph of medical evidence to labelled multiple-choice questions, in SQL over DuckDB.

Source: Avnat et al. 2024, Methods ("Dataset generation", "QA labelling").
"""

from medlens.studies.ebmqa.graph.generate import Made, make_questions

__all__ = ["Made", "make_questions"]
