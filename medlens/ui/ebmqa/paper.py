"""The paper's numbers beside ours and by themselves."""

from __future__ import annotations

from medlens.ebmqa.models import STUDY
from medlens.ui import published
from medlens.ui.ebmqa.source import Source

# Which of the paper's numbers stand beside a section: the beginnings of their keys.
_BESIDE = {
    "models": ("abs_sem", "abs_num", "t1_sem_a", "t1_num_a"), "table": ("t1_",),
    "rate": ("spearman",), "people": ("val_", "abs_human", "abs_val"), "gaps": ("gap", "disc_gap"),
    "prompts": ("val_", "abs_val"),
    "labels": ("subj_", "disc_gap", "gap_median"),
    "set": ("n_", "u_", "subj_", "disc_", "prev_", "len_", "ans_", "sens_share", "bench_"),
}  # fmt: skip


def draw_beside(section: str) -> None:
    """The paper's numbers of this section, with what is known to be wrong with them."""
    table = published.published(STUDY)
    table = table[table["key"].str.startswith(_BESIDE.get(section, ("-",)))]
    published.draw_beside(table, f"ebmqa.published.{section}")


def draw(_source: Source) -> None:
    """All of the paper's numbers."""
    published.draw_all(
        published.published(STUDY), key="ebmqa.published", paper="Avnat et al. 2024",
        csv="ebmqa_published",
    )  # fmt: skip
