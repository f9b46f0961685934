"""A dialogue as a conversation, and its case as published: foreign text, shown literally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import streamlit as st

from medlens.errors import MedLensError
from medlens.studies.agentclinic import case_images
from medlens.studies.agentclinic.case_elicitation_and_diagnosis_leaks import LeafState
from medlens.studies.agentclinic.records import Case, CaseFact, Turn
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.agentclinic.conversation import ImageData, NoteData, TurnData, draw_conversation
from medlens.ui.lossless_image_display import draw_image as draw
from medlens.ui.lossless_image_display import serve_image_and_return_address
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.styles import read_style_sheet

SPEAKERS = {
    "doctor": "Doctor",
    "patient": "Patient",
    "measurement": "Measurement",
    "moderator": "Moderator",
}
_KINDS = {
    "say": "",
    "request_test": "orders a test",
    "result": "result",
    "request_images": "asks for images",
    "images": "images",
    "diagnosis": "diagnosis",
}
_LONG = 4000
"""Characters of a turn shown at once."""

_FOLD = (
    '<details class="mla-fold"><summary>The whole case, with its test results</summary></details>'
)
"""What opens the case below what is needed of it first: ``agentclinic_rate.css`` folds it, and
``frame/open_case.js`` keeps it open from one dialogue to the next."""
CASE_STYLE = read_style_sheet("agentclinic_transcript_case")


class Note(NamedTuple):
    """A line under a turn, as plain text: ``text``, ``strong``, then ``rest``; red if ``bad``."""

    text: str
    strong: str = ""
    rest: str = ""
    bad: bool = False


Notes = Mapping[int, Sequence[Note]]


def heading_of_turn(turn: Turn) -> str:
    """A turn's heading: its speaker, number and action."""
    parts = [str(turn.n), SPEAKERS[turn.speaker], _KINDS[turn.kind]]
    return " · ".join(part for part in parts if part)


def anchor_of_turn(turn: int) -> str:
    """A turn's anchor in the page's address."""
    return f"turn-{turn}"


def markdown_link_to_turn(turn: int) -> str:
    """A link to a turn, as Markdown."""
    return f"[turn {turn}](#{anchor_of_turn(turn)})"


def draw_turns_to_read(turns: Iterable[Turn], *, name: str, key: str, follow: bool = False) -> None:
    """The turns of the dialogue called ``name``, read-only; ``follow`` keeps the last in view."""
    drawn = turns_as_browser_data(turns)
    draw_conversation({"kind": "talk", "key": name, "turns": drawn, "follow": follow}, key=key)


def turns_as_browser_data(turns: Iterable[Turn], *, notes: Notes | None = None) -> list[TurnData]:
    """Turns in the browser's form; ``notes`` are lines under a turn, by its number."""
    return [_turn(turn, (notes or {}).get(turn.n, ())) for turn in turns]


def _turn(turn: Turn, notes: Sequence[Note]) -> TurnData:
    more = turn.text[_LONG:]
    return {
        "n": turn.n,
        "anchor": anchor_of_turn(turn.n),
        "speaker": turn.speaker,
        "head": heading_of_turn(turn),
        "text": (turn.text[:_LONG] + " …" * bool(more)) if turn.text.strip() else "",
        "more": more,
        "folded": f"The remaining {len(more):,} characters" if more else "",
        "images": [_image(image, number) for number, image in enumerate(turn.images, 1)],
        "notes": [
            NoteData(
                text=one.text + " " * bool(one.strong),
                strong=one.strong,
                rest=one.rest,
                bad=one.bad,
            )
            for one in notes
        ],
    }


def _image(image: str, number: int) -> ImageData:
    where = urlsplit(image)
    web = where.scheme in ("http", "https")
    data = ImageData(
        label=f"Image {number}" if web else f"Image {number}: {image}",
        src="",
        href=_safe(image) if web else "",
        on=where.netloc if web else "",
    )
    path = case_images.find_image_copy(
        image,
        settings_store_and_runs_of_process.current_settings().of(AgentClinicSettings).images_folder,
    )
    if path is not None:
        try:
            data["src"] = serve_image_and_return_address(
                case_images.read_media_type_and_bytes_of_image(path)[1]
            )
        except MedLensError as error:
            data["label"] = f"{data['label']} ({error.message})"
    return data


def draw_image(image: str, number: int, *, key: str) -> None:
    """An image: the team's copy, else a link or a name. The page never loads a remote address."""
    path = case_images.find_image_copy(
        image,
        settings_store_and_runs_of_process.current_settings().of(AgentClinicSettings).images_folder,
    )
    if path is not None:
        try:
            content = case_images.read_media_type_and_bytes_of_image(path)[1]
            draw(content, f"Image {number}", key=f"{key}.image.{number}", captioned=True)
        except MedLensError as error:
            st.caption(f":material/broken_image: {escape_to_one_line(error.message)}")
        else:
            return
    where = urlsplit(image)
    if where.scheme in ("http", "https"):
        link = f"[Image {number}]({_safe(image)})"
        st.markdown(f":material/image: {link} on {escape_to_one_line(where.netloc)}")
    else:
        st.markdown(f":material/image: Image {number}: {escape_to_one_line(image)}")


def _safe(address: str) -> str:
    return quote(address, safe=":/?#@!$&'*+,;=%~-._")


# -- the case --------------------------------------------------------------------------------------


def case_facts_as_markdown(leaves: Iterable[tuple[CaseFact, str]]) -> str:
    """Leaves of a case as nested lists, each followed by its note (Markdown)."""
    return "\n".join(_lines(leaves))


def _lines(leaves: Iterable[tuple[CaseFact, str]]) -> Iterator[str]:
    shown: tuple[str, ...] = ()
    for leaf, note in leaves:
        path = tuple(str(step) for step in leaf.path if step != "OSCE_Examination")
        # A text of several sentences has its name above them, like its own group.
        above = path if leaf.part is not None else path[:-1]
        group = tuple(step for step in above if not _is_number(step))
        same = 0
        while same < min(len(group), len(shown)) and group[same] == shown[same]:
            same += 1
        for depth in range(same, len(group)):
            yield f"{'  ' * depth}- **{_name(group[depth])}**"
        shown = group
        alone = leaf.part is not None or _is_number(path[-1])
        name = "" if alone else f"**{_name(path[-1])}** "
        yield f"{'  ' * len(group)}- {name}{escape_to_one_line(leaf.text)}{note}"


def name_of_case_fact(leaf: CaseFact) -> str:
    """A leaf's name: the last step of its path that is a name."""
    named = [str(step) for step in leaf.path if not _is_number(str(step))]
    return _name(named[-1]) if named else ""


def _is_number(step: str) -> bool:
    return step.isdigit()


def _name(step: str) -> str:
    return escape_to_one_line(step.replace("_", " "))


def draw_whole_case(case: Case, *, key: str) -> None:
    """The whole case, with the diagnosis first, and only there."""
    with st.container(key=f"case.{key}"):
        st.markdown(f"**Correct diagnosis** {escape_to_one_line(case.diagnosis)}")
        _draw_all_but_diagnosis(case, key=key)


def draw_folded_case(case: Case, *, key: str) -> None:
    """The diagnosis, who the patient is and what the doctor is asked; below them, folded, the whole
    case without the diagnosis.
    """
    with st.container(key=f"case.{key}.first", gap="xxsmall"):
        st.markdown(f"**Correct diagnosis** {escape_to_one_line(case.diagnosis)}")
        for name, text in (
            ("Patient", case.demographics_in_words),
            ("The doctor is asked", case.objective_for_doctor),
        ):
            if text:
                st.markdown(f"**{name}** {escape_to_one_line(text)}")
    st.html(_FOLD)
    with st.container(key=f"case.{key}"):
        _draw_all_but_diagnosis(case, key=key)


def _draw_all_but_diagnosis(case: Case, *, key: str) -> None:
    if case.options:
        st.markdown(
            "**Offered answers** " + "; ".join(escape_to_one_line(one) for one in case.options)
        )
    facts = [leaf for leaf in case.list_case_facts() if "Correct_Diagnosis" not in leaf.path]
    st.markdown(case_facts_as_markdown((leaf, "") for leaf in facts))
    for number, image in enumerate(case.images, 1):
        draw_image(image, number, key=f"case.{key}")


def draw_case_with_outcomes(case: Case, states: Sequence[LeafState], *, key: str) -> None:
    """The case with the outcome of each piece, linked to its turn."""
    with st.container(key=f"case.{key}"):
        st.markdown(f"**Correct diagnosis** {escape_to_one_line(case.diagnosis)}")
        st.markdown(case_facts_as_markdown((one.leaf, _became(one)) for one in states))


def _became(one: LeafState) -> str:
    if one.turn is None:
        return " · :red[never asked]"
    if one.state == "partly":
        return f" · :orange[partly], {markdown_link_to_turn(one.turn)}"
    return f" · :green[told], {markdown_link_to_turn(one.turn)}"
