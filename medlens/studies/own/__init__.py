"""Studies of a team's own, each declared in one file, ``STUDY.toml``: a dataset of the study
``own``."""
