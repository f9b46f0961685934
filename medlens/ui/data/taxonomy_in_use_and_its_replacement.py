"""A dataset's taxonomy: which one is in use, as a file, and how to replace it with your own."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.config.toml_file import LARGEST_MB
from medlens.errors import BadFile, MedLensError
from medlens.review import hand_out_settings
from medlens.studies.tagging import queries
from medlens.studies.tagging.study_in_dataset import Study, TaggingSettings
from medlens.studies.tagging.tasks import NAME as TAGGED
from medlens.studies.tagging.taxonomy import (
    Taxonomy,
    load_taxonomy,
    parse_taxonomy,
    taxonomy_as_toml,
)
from medlens.ui.data.exports import make_download_file_name
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.upload_endpoint import read_upload_within_limit

_NOTICE = "data.taxonomy.notice"


def draw_taxonomy_and_form_to_replace_it(here: Here, study: Study) -> None:
    """The labels in use, their file, and the form to load others."""
    taxonomy = study.taxonomy
    own = bool(
        hand_out_settings.task_settings_set_by_lead(here.store, TAGGED, study.dataset).get(
            "taxonomy"
        )
    )
    st.header(escape_markdown(taxonomy.title), anchor=False)
    st.caption(
        f"Version {escape_markdown(taxonomy.version)}, {len(taxonomy.labels)} labels. "
        + ("Loaded for this dataset." if own else "MedLens's default.")
    )
    if notice := st.session_state.pop(_NOTICE, ""):
        st.success(notice, icon=":material/check_circle:")
    st.dataframe(taxonomy_labels_table(taxonomy), hide_index=True)
    with st.container(horizontal=True):
        draw_export_button(
            "Download as TOML",
            lambda: taxonomy_as_toml(taxonomy),
            key="data.taxonomy.out",
            about=f"taxonomy of {study.dataset}",
            mime="application/toml",
            file_name=make_download_file_name(taxonomy.id, "taxonomy", form="toml"),
        )
        if own:
            back = st.button("Use the default again", key="data.taxonomy.default")
            if back:
                _use(here, study, load_taxonomy(here.settings.of(TaggingSettings).taxonomy))
    st.header("Load your own", anchor=False)
    st.caption(
        "Start from the download above: one [[label]] per label. Labels that raters have given "
        "already must stay in it."
    )
    uploaded = st.file_uploader(
        "Taxonomy file (TOML)", key="data.taxonomy.file", max_upload_size=LARGEST_MB
    )
    if uploaded is None:
        return
    try:
        loaded = parse_taxonomy(read_upload_within_limit(uploaded, LARGEST_MB), name=uploaded.name)
    except MedLensError as error:
        _refused(error)
        return
    st.markdown(
        f"**{escape_markdown(loaded.title)}**, version {escape_markdown(loaded.version)}. Read "
        "from your file:"
    )
    st.dataframe(taxonomy_labels_table(loaded), hide_index=True)
    if loaded == taxonomy:
        st.info("This is the taxonomy in use.", icon=":material/check:")
    elif st.button(
        f"Use it for {escape_markdown(study.dataset)}", type="primary", key="data.taxonomy.use"
    ):
        _use(here, study, loaded)


def taxonomy_labels_table(taxonomy: Taxonomy) -> pd.DataFrame:
    """The labels as a table for review: key, name, kind, needs a link, hint."""
    return pd.DataFrame(
        {
            "key": str(label.key) if label.key else "",
            "label": label.name,
            "kind": "error" if label.kind == "error" else "no error",
            "needs a link": "yes" if label.requires_link else "",
            "hint": label.hint,
        }
        for label in taxonomy.labels
    )


def _use(here: Here, study: Study, taxonomy: Taxonomy) -> None:
    with here.show_errors_within():
        queries.store_taxonomy_of_dataset(here.store, study.dataset, taxonomy, by=here.person)
        st.session_state[_NOTICE] = (
            f"{escape_markdown(study.dataset)} is now judged with this taxonomy."
        )
        st.rerun()


def _refused(error: MedLensError) -> None:
    rows = error.rows if isinstance(error, BadFile) else ()
    if not rows:
        show_error(error)
        return
    count, them = ("1 mistake", "it") if len(rows) == 1 else (f"{len(rows)} mistakes", "them")
    show_error(BadFile(f"{rows[0].file} has {count}.", hint=f"Correct {them} and load it again."))
    st.dataframe(
        [
            {"line": row.line, "field": row.column, "expected": row.expected, "found": row.got}
            for row in rows
        ],
        hide_index=True,
    )
