"""Ward notes: whether each of them is complete. An example of a study outside of MedLens."""
