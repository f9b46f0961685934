"""SourceCheckup: does the source that a model cites say what the model says?

Wu et al. 2025 (arXiv:2402.02008). Questions are answered with sources, answers are taken apart into
statements, and every statement is checked against every source of its answer.
"""
