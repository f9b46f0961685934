"""The pictures of the desks that templates make."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from medlens.studies.own import study_file
from medlens.ui.template_gallery import desk_as_svg, template_desk_as_svg


@pytest.mark.parametrize("name", study_file.load_templates_by_name())
@pytest.mark.first_quick
def test_the_picture_of_a_template_names_its_panes_and_its_first_question(name: str) -> None:
    declared = study_file.load_templates_by_name()[name]
    drawn = ET.fromstring(template_desk_as_svg(name))
    words = [one.text or "" for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert any(word.startswith(declared.initial_panes[0].title[:8]) for word in words)
    assert "Submit" in words
    assert len(words) > 4


def test_in_the_dark_no_picture_is_white_and_its_words_are_light() -> None:
    for name in study_file.load_templates_by_name():
        light, dark = template_desk_as_svg(name), template_desk_as_svg(name, "dark")
        assert "#ffffff" in light
        assert "#ffffff" not in dark
        for colour in set(re.findall(r"#[0-9a-f]{6}", dark)) - {"#0b5a7a"}:
            assert colour not in light, colour  # every colour has its counterpart
        assert re.sub(r"#[0-9a-f]{6}", "", light) == re.sub(r"#[0-9a-f]{6}", "", dark)


def test_words_of_a_study_are_text_in_its_picture() -> None:
    text = study_file.path_of_template("preference").read_text(encoding="utf-8")
    declared = study_file.parse_study_file(text.replace('title = "Question"', 'title = "<b>&Q"'))
    drawn = desk_as_svg(declared)
    assert "<b>" not in drawn
    assert "&lt;b&gt;&amp;Q" in drawn
    assert "Answer B" in drawn
