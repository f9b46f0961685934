"""Answers to EBMQA's questions: read from files, matched with the questions, stored in blocks."""
