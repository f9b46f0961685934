"""The studies, a folder each, and the registry that lists them."""
