"""Your own studies, each declared in one file, ``STUDY.toml``: a dataset of the study ``own``."""
