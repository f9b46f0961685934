"""What the codes have grown into: counts, merging, and a taxonomy made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pandas as pd
import streamlit as st

from medlens.review import open_codes
from medlens.review.open_codes import Change, Coded
from medlens.tagging import open_coding, queries
from medlens.tagging.open_coding import CodedResponse, LabelCount, OpenCode
from medlens.tagging.study import Study
from medlens.tagging.tasks import STUDY
from medlens.tagging.taxonomy import dump_taxonomy
from medlens.ui.charts import csv_button
from medlens.ui.data.exports import file_name
from medlens.ui.data.taxonomy import labels_table
from medlens.ui.export_button import export_button
from medlens.ui.frame import Here, escape
from medlens.ui.tagging import open_coding_sheet
from medlens.ui.tagging.open_coding_sheet import body_of, codes_of, standing

_LONGEST_EXAMPLE = 240


def draw(here: Here, study: Study) -> None:
    """The list of codes of the dataset, and what can be done with it."""
    history = _history(here, study)
    everyone = {one.rater for one in history}
    st.subheader("Codes", anchor=False)
    if everyone - {here.person.id}:
        whose = st.segmented_control(
            "Whose",
            ["Mine", "All leads"],
            default="Mine",
            required=True,
            key="coding.whose",
            label_visibility="collapsed",
        )
        shown = [one for one in history if whose == "All leads" or one.rater == here.person.id]
    else:
        shown = history
    now = list(standing(shown).values())
    counts = [one for one in _counts(shown) if one.spans]
    if not counts:
        st.caption("No codes yet.")
        return
    st.dataframe(
        pd.DataFrame(counts),
        hide_index=True,
        column_config={
            "spans": st.column_config.NumberColumn("marks"),
            "first": st.column_config.DatetimeColumn("first mark", format="D MMM YYYY, HH:mm"),
            "last": st.column_config.DatetimeColumn("last mark", format="D MMM YYYY, HH:mm"),
        },
    )
    csv_button(_table(now), "open-codes")
    own = [one for one in now if one.rater == here.person.id]
    if own:
        _tidy(here, own)
    _draft(here, study, counts, now)


def _history(here: Here, study: Study) -> list[Coded]:
    key = (study.dataset, here.person.id, here.store.version("open_code", "item_alias", "rater"))
    held = st.session_state.get("coding.history")
    if held is None or held[0] != key:
        found = open_codes.revisions(
            here.store, study=STUDY, dataset=study.dataset, viewer=here.person
        )
        held = st.session_state["coding.history"] = (key, found)
    history: list[Coded] = held[1]
    return history


def _counts(history: Iterable[Coded]) -> list[LabelCount]:
    return open_coding.label_counts(
        CodedResponse(one.item, one.rater, one.at, codes_of(one.body)) for one in history
    )


def _table(now: Iterable[Coded]) -> pd.DataFrame:
    rows = [
        (one.name, one.rater_name, code.label, code.start, code.end, code.quote)
        for one in now
        for code in codes_of(one.body)
    ]
    return pd.DataFrame(rows, columns=["item", "rater", "label", "start", "end", "quote"])


def _tidy(here: Here, own: list[Coded]) -> None:
    """Merge, rename and delete labels in all of this lead's responses at once."""
    labels = sorted({code.label for one in own for code in codes_of(one.body)}, key=str.casefold)
    with st.expander("Merge, rename or delete my labels", icon=":material/merge:"):
        chosen = st.multiselect("Labels", labels, key="coding.merge.from")
        name = st.text_input(
            "Become", key="coding.merge.to", max_chars=80, placeholder="one of them, or a new name"
        )
        marks = sum(code.label in chosen for one in own for code in codes_of(one.body))
        with st.container(horizontal=True):
            count = "1 mark" if marks == 1 else f"{marks} marks"
            if st.button(
                f"Rename {count}", key="coding.merge", disabled=not chosen or not name.strip()
            ):
                _rewrite(here, own, chosen, name)
            with st.popover("Delete", disabled=not chosen):
                st.markdown(f"Remove {count} from your responses?")
                if st.button("Delete them", key="coding.delete"):
                    _rewrite(here, own, chosen, "")


def _rewrite(here: Here, own: list[Coded], old: list[str], new: str) -> None:
    """Rename ``old`` to ``new`` in all responses, or take them out where ``new`` is empty."""
    target = " ".join(new.split())
    rename: Callable[[Iterable[OpenCode]], tuple[OpenCode, ...]] = (
        (lambda codes: open_coding.merge_labels(codes, old, target))
        if target
        else (lambda codes: tuple(code for code in codes if code.label not in old))
    )
    changes = []
    for one in own:
        labels = [target if label in old else label for label in one.body["labels"]]
        body = body_of(
            rename(codes_of(one.body)), dict.fromkeys(label for label in labels if label)
        )
        if body != one.body:
            changes.append(Change(one.item, one.revision, body))
    with here.errors():
        open_codes.save(here.store, *changes, by=here.person)
        open_coding_sheet.forget()
        st.rerun()


def _draft(here: Here, study: Study, counts: list[LabelCount], now: list[Coded]) -> None:
    """A taxonomy of these codes: as a file to complete, or in use at once."""
    with st.expander("Make a taxonomy", icon=":material/schema:"):
        st.caption(
            "A draft with your labels, a colour and a key for each, and one of your marks as the "
            "example. Complete hints and definitions in the file, then load it on the Data page."
        )
        names = [count.label for count in counts]
        chosen = st.multiselect(
            "Labels, in this order", names, default=names, key=f"coding.draft.labels.{len(names)}"
        )
        good = st.multiselect(
            "Of these, labels that say there is no error", chosen, key="coding.draft.non_errors"
        )
        title = st.text_input(
            "Title",
            f"{study.dataset} open codes",
            max_chars=80,
            key=f"coding.draft.title.{study.dataset}",
        )
        with here.errors():
            draft = open_coding.draft_taxonomy(
                chosen, id=title, title=title, examples=_examples(now), non_errors=good
            )
            st.dataframe(labels_table(draft), hide_index=True)
            with st.container(horizontal=True):
                export_button(
                    "Download as TOML",
                    lambda: dump_taxonomy(draft),
                    key="coding.draft.out",
                    about=f"taxonomy drafted from the open codes of {study.dataset}",
                    file_name=file_name(draft.id, "taxonomy", form="toml"),
                    mime="application/toml",
                )
                with st.popover(f"Use it for {escape(study.dataset)}"):
                    st.markdown("Reviewers will tag with these labels and their draft texts.")
                    if st.button("Use it now", key="coding.draft.use"):
                        queries.set_taxonomy(here.store, study.dataset, draft, by=here.person)
                        st.success("These labels are now used for the dataset.")


def _examples(now: Iterable[Coded]) -> dict[str, str]:
    """For each label the shortest passage of some length that carries it."""
    quotes: dict[str, list[str]] = {}
    for one in now:
        for code in codes_of(one.body):
            quotes.setdefault(code.label, []).append(code.quote)
    return {
        label: min(found, key=lambda quote: (len(quote) < 20, len(quote)))[:_LONGEST_EXAMPLE]
        for label, found in quotes.items()
    }
