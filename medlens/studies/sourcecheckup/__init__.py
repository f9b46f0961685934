"""SourceCheckup: does the source that a model cites say what the model says?

Wu et al. 2025 (arXiv:2402.02008). Models answer questions and cite sources; each answer is split
into statements, and each statement is checked against every source of its answer.
"""
