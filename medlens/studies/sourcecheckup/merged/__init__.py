"""The sensitivity check: each statement against all readable sources of its answer together.

Wu et al. 2025 judge each pair alone, so a statement whose halves are on two pages counts as not
supported. Here a verifier sees the pages together. These verdicts are separate from those on pairs
(task ``merged_support``, items of kind ``merged``) and change no other figure.
"""
