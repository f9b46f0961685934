"""The figures page: one page for the figures that a study lists."""
