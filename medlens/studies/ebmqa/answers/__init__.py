"""Answers to EBMQA's questions: read from files, matched with the questions, kept by block."""
