"""Open coding: texts are marked with labels that grow into a codebook (leads)."""
