"""Foreign text in a prompt, between two lines that it cannot close.

What a page, an answer or an item says may pretend to be the end of the material and the beginning
of new instructions. The lines around it therefore carry a word that nobody who wrote it could know:
a part of its own SHA-256, so that the same text is always asked about with the same prompt, whose
answer is stored.
"""

from __future__ import annotations

import hashlib


def fence_text(text: str) -> str:
    """A text between two equal lines, which no line in it is."""
    line = f"----- {fence_marker(text)}"
    return f"{line}\n{text}\n{line}"


def fence_marker(*texts: str) -> str:
    """16 hexadecimal digits that stand in none of the texts and belong to these alone."""
    whole = "".join(f"{len(text)} {text}" for text in texts) if len(texts) > 1 else texts[0]
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]
