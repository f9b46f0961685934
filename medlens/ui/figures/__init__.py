"""The figures page: one page for all figures that a study lists."""
