"""Single questions: the list of them, and one with everybody's answers."""
