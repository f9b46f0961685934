"""From merged edges to questions with their options and labels."""
