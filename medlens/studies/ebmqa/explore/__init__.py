"""Queries the answers by every label: what the Explore page draws and the export writes."""
