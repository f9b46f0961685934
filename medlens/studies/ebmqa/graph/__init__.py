"""Makes labelled multiple-choice questions from a graph of medical evidence, in DuckDB SQL.

Source: Avnat et al. 2024, Methods ("Dataset generation", "QA labelling").
"""

from medlens.studies.ebmqa.graph.question_generation import (
    MadeQuestions,
    make_questions_from_edge_file,
)

__all__ = ["MadeQuestions", "make_questions_from_edge_file"]
