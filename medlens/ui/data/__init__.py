"""The Data page: files in and out, items, the taxonomy."""
