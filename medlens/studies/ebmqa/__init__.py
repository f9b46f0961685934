"""EBMQA: multiple-choice questions from a graph of medical evidence, and how well they are
answered.

Source: Avnat et al. 2024, "Performance of large language models in numerical vs. semantic medical
knowledge: benchmarking on evidence-based Q&As".
"""
