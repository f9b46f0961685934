"""Open coding: leads mark texts with labels that grow into a codebook."""
