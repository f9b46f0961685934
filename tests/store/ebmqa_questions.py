"""Questions for tests of answers: three with ranges, two with several right options."""

from __future__ import annotations

from medlens.store import Store, stable_id

DATASET = "q"
RANGES = ["Greater than 54%", "Between 5% and 54%", "Less than 5%"]
QUESTIONS = {
    # name: (kind, options, right options from 0, answer class)
    "n1": ("numeric", RANGES, [0], "high"),
    "n2": ("numeric", RANGES, [1], "middle"),
    "n3": ("numeric", RANGES, [1], "middle"),
    "s1": ("semantic", ["Cough", "Fever", "Pain; sharp"], [0, 1], None),
    "s2": ("semantic", ["Ache", "Pain", "Abdominal pain", "Fever"], [2], None),
}


def add_questions(store: Store, dataset: str = DATASET, *, numeric: int = 0) -> None:
    """The questions above, or ``numeric`` ones with ranges."""
    made = QUESTIONS
    if numeric:
        right = [[0], [1], [1], [2]]
        classes = ["high", "middle", "middle", "low"]
        made = {
            f"m{at:03d}": ("numeric", RANGES, right[at % 4], classes[at % 4])
            for at in range(numeric)
        }
    store.append(
        "ebmqa_question",
        *(
            {
                "id": stable_id("ebmqa_question", dataset, name),
                "dataset": dataset,
                "name": name,
                "digest": name,
                "kind": kind,
                "question": f"What holds for {name}?",
                "qa_type": "Prevalence" if kind == "numeric" else "Semantic",
                "options": options,
                "n_options": len(options),
                "correct": sum(1 << place for place in right),
                "n_correct": len(right),
                "answer": answer,
                "illustrative": True,
            }
            for name, (kind, options, right, answer) in made.items()
        ),
    )
