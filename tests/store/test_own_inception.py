"""Exports of INCEpTION as a study of one's own: UIMA CAS as JSON and XMI, and WebAnno TSV 3."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cassis
import pytest

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges import import_from_inception
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.store import Store
from medlens.studies.own import study
from medlens.studies.own.bridge_registry import Converted

pytestmark = pytest.mark.usefixtures("read_near")

ERROR, VERDICT = "webanno.custom.Error", "webanno.custom.Verdict"
NOTE = " 💊 Take  aspirin 5000 mg\r\ndaily. No allergies.\n"
TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_SP=webanno.custom.Error|kind|ROLE_webanno.custom.Error:to_webanno.custom.ErrorToLink|webanno.custom.Error|why
#T_RL=webanno.custom.Causes|how|BT_webanno.custom.Error


#Text=💊 Take aspirin
#Text=5000 mg\\; daily .
1-1\t0-2\t💊\tX\t_\t_\t_\t_\t_\t_\t
1-2\t3-7\tTake\tV\t_\t_\t_\t_\t_\t_\t
1-3\t8-15\taspirin\tN\tDrug[1]|Dose[2]\t*[1]\t1-4\twrong \\| old[1]|*[2]\t_\t_\t
1-4\t16-20\t5000\t_\tDose[2]\t_\t_\t*[2]\tdue\t1-3\t
1-4.1\t16-17\t5\t_\tDose\t_\t_\t*\t_\t_\t
1-5\t21-23\tmg\t_\t_\t_\t_\t_\t_\t_\t
1-6\t23-24\t\\;\t_\t_\t_\t_\t_\t_\t_\t
1-7\t25-30\tdaily\t_\t_\t_\t_\t_\t_\t_\t
1-8\t31-32\t.\t_\t_\t_\t_\t_\t_\t_\t

#Text=None .
2-1\t33-37\tNone\t_\t*\t_\t_\t*\t_\t_\t
2-2\t38-39\t.\t_\t_\t_\t_\t_\t_\t_\t
"""
SEEN = "💊 Take aspirin\n5000 mg; daily .\nNone ."


def cas(*marks: tuple[str, dict[str, Any]], verdict: str = "") -> cassis.Cas:
    """A document whose first such words are marked, in the layers of a project."""
    types = cassis.TypeSystem()
    error = types.create_type(ERROR, "uima.tcas.Annotation")
    for name in ("kind", "severity", "why"):
        types.create_feature(error, name, "uima.cas.String")
    types.create_feature(error, "sure", "uima.cas.Boolean")
    types.create_feature(error, "also", "uima.cas.StringArray")
    said = types.create_type(VERDICT, "uima.cas.AnnotationBase")
    types.create_feature(said, "verdict", "uima.cas.String")
    token = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
    relation = types.create_type("webanno.custom.Causes", "uima.tcas.Annotation")
    for name in ("Governor", "Dependent"):
        types.create_feature(relation, name, error)
    made = cassis.Cas(types)
    made.sofa_string = NOTE
    made.sofa_mime = "text/plain"
    made.add(types.create_type(token, "uima.tcas.Annotation")(begin=0, end=4))
    last = None
    for words, features in marks:
        at = NOTE.index(words)
        last = error(begin=at, end=at + len(words), **features)
        made.add(last)
    if verdict:
        made.add(said(verdict=verdict))
        made.add(relation(begin=0, end=1, Governor=last, Dependent=last))
    return made


def tag_set(name: str, *tags: str) -> dict[str, Any]:
    return {"name": name, "tags": [{"tag_name": o, "tag_description": f"{o}!"} for o in tags]}


def layer(name: str, called: str, *features: tuple[str, str], kind: str = "span") -> dict[str, Any]:
    return {
        "name": name,
        "uiName": called,
        "type": kind,
        "enabled": True,
        "features": [
            {"name": one, "uiName": one.upper(), "tag_set": {"name": tags} if tags else None}
            for one, tags in features
        ],
    }


PROJECT = {
    "name": "Doses",
    "description": "Mark every error.",
    "annotation_documents": [
        {"name": "n1.txt", "user": "rosa", "state": "FINISHED"},
        {"name": "n1.txt", "user": "amir", "state": "IN_PROGRESS"},
        {"name": "n1.txt", "user": "ines", "state": "IN_PROGRESS"},
        {"name": "n1.txt", "user": "kofi", "state": "NEW"},
        {"name": "n1.txt", "user": "lena", "state": "IGNORE"},
    ],
    "tag_sets": [
        tag_set("kinds", "Dose", "Drug; name", "Time"),
        tag_set("grades", "Minor", "Major"),
    ],
    "layers": [
        layer(ERROR, "Error", ("why", ""), ("kind", "kinds"), ("severity", "grades")),
        layer(VERDICT, "The note", ("verdict", "grades"), kind="document-metadata"),
    ],
}
ROSA = cas(
    ("aspirin", {"kind": "Drug; name", "severity": "Major", "sure": True}),
    ("5000 mg", {"kind": "Dose", "severity": "Major"}),
    ("5000 mg", {"kind": "Time", "severity": "Minor"}),
    ("No allergies", {"why": "not asked"}),
    verdict="Major",
)
AMIR = cas(("aspirin", {"kind": "Drug; name"}))


def packed(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return made.getvalue()


def unpacked(export: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(export)) as given:
        return {name: given.read(name) for name in given.namelist()}


def as_json(one: cassis.Cas) -> str:
    return str(one.to_json())


def as_xmi(one: cassis.Cas, name: str) -> bytes:
    return packed({f"{name}.xmi": one.to_xmi(), "TypeSystem.xml": one.typesystem.to_xml()})


def project(ending: str = "json", **of: cassis.Cas) -> bytes:
    files: dict[str, str | bytes] = {"exportedproject.json": json.dumps(PROJECT)}
    for user, one in {
        "INITIAL_CAS": cas(),
        "rosa": ROSA,
        "amir": AMIR,
        "ines": cas(),
        **of,
    }.items():
        stem = user if user == "INITIAL_CAS" else f"{user}_16405719629333389288"
        path = f"annotation/n1.txt/{stem}"
        if ending == "json":
            files[f"{path}.json"] = as_json(one)
        else:
            files[f"{path}.zip"] = as_xmi(one, user)
    files["annotation/n1.txt/lena_1640571962933.json"] = as_json(cas())
    files["curation/n1.txt/CURATION_USER.json"] = as_json(AMIR)
    return packed(files)


def marks_of(found: Converted, rater: str = "Annotator") -> list[dict[str, Any]]:
    [one] = [row for row in found.judgments if row["rater"] == rater]
    made: list[dict[str, Any]] = json.loads(one["marks"])
    return made


@pytest.mark.first_quick
@pytest.mark.parametrize("ending", ["json", "xmi"])
def test_a_project_becomes_a_study_with_its_marks_layers_and_people(
    ending: str, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "export.zip"
    export.write_bytes(project(ending))
    made = ["study", "from-inception", str(export), "-o", str(tmp_path), "--title", "Doses"]
    assert cli.main(made) == 0
    told = capsys.readouterr().out
    for note in (
        "Documents that their annotator did not judge, left out: 1.",
        "Documents that were opened and left unmarked, left out: 1.",
        "Documents that their annotator did not finish, taken as they are: 1.",
        "Relations and chains, left out: 1.",
        "Answers to questions on marks on the same words, left out: 1.",
        "Curated documents, left out: 1.",
    ):
        assert note in told
    written = (tmp_path / "STUDY.toml").read_text()
    assert 'instructions = "Mark every error."' in written
    assert '{ id = "label_2", name = "Drug, name", means = "Drug; name!" }' in written
    study.store_study_file_version_and_return_it(store, written, name="s.toml", by=None)
    for kind, rows in (("own-items", "items.jsonl"), ("own-judgments", "judgments.jsonl")):
        work_behind_commands.import_file(
            *(store, Settings(), kind, tmp_path / rows), name=rows, dataset="doses"
        )
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset="doses"
    )
    # Code points without the blank before the text and the CR of its line: 9 - 1, 33 - 1 - 1.
    assert sorted(table[["rater", "label", "start", "end", "quote"]].to_numpy().tolist()) == [
        ["amir", "Drug, name", 8, 15, "aspirin"],
        ["rosa", "Dose", 16, 23, "5000 mg"],
        ["rosa", "Drug, name", 8, 15, "aspirin"],
        ["rosa", "Error", 31, 43, "No allergies"],
        ["rosa", "Time", 16, 23, "5000 mg"],
    ]
    rosa = table[table["rater"] == "rosa"].set_index("label").fillna("")
    assert rosa.loc["Drug, name", ["f1_severity", "f2_sure"]].tolist() == ["Major", "Yes"]
    assert rosa.loc["Error"].filter(like="why").tolist() == ["not asked"]
    said = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="doses"
    )
    assert said.set_index("rater").fillna("")["q1_verdict"].to_dict() == {
        "rosa": "Major",
        "amir": "",
    }


def test_webanno_tsv_is_read_by_its_specification() -> None:
    found = import_from_inception.convert_inception_export_to_study_and_notes("Doses", TSV.encode())
    assert found.items == [{"item": "document", "text": SEEN}]
    names = {"label_1": "Drug", "label_2": "Dose", "label_3": "Error"}
    assert [
        (one["quote"], [names[o] for o in one["labels"]], one["answers"]) for one in marks_of(found)
    ] == [
        ("aspirin", ["Drug"], {"f1_why": "wrong | old"}),
        ("aspirin\n5000", ["Dose"], {}),
        ("5", ["Dose"], {}),
        ("None", ["Error"], {}),
    ]
    assert found.notes == ("Relations, chains and links, left out: 2.",)


def test_without_tags_a_layer_has_its_labels_by_the_feature_that_is_called_so() -> None:
    head, body = TSV.split("\n\n\n")
    other = head.replace("|kind|", "|note|").replace("|why", "|category") + "\n\n\n" + body
    found = import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", other.encode()
    )
    assert '{ id = "label_1", name = "wrong | old"' in found.study
    assert '{ id = "f1_note", text = "Note" }' in found.study


def test_an_export_of_one_document_needs_no_project() -> None:
    for export in (
        as_json(AMIR).encode(),
        packed({"n1.txt.json": as_json(AMIR)}),
        as_xmi(AMIR, "n1"),
    ):
        assert [
            one["quote"]
            for one in marks_of(
                import_from_inception.convert_inception_export_to_study_and_notes("Doses", export)
            )
        ] == ["aspirin"]


def test_a_layer_with_many_tags_is_asked_as_a_list() -> None:
    used = cas(("Take", {"kind": "Kind 3"}), *((word, {"kind": word}) for word in NOTE.split()))
    tags = {**PROJECT, "tag_sets": [tag_set("kinds", *(f"Kind {at}" for at in range(12)))]}
    files = {"exportedproject.json": json.dumps(tags), "annotation/n1/rosa.json": as_json(used)}
    found = import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", packed({**files})
    )
    assert {one["labels"][0] for one in marks_of(found, "rosa")} == {"passage"}
    assert "Marks with several of more than 9 labels, of which one is kept: 1." in found.notes


def test_what_a_project_offers_comes_in_before_anybody_marked_anything() -> None:
    files: dict[str, str | bytes] = {
        "exportedproject.json": json.dumps(PROJECT),
        "annotation/n1.txt/INITIAL_CAS.json": as_json(cas()),
    }
    found = import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", packed(files)
    )
    assert (len(found.items), found.judgments) == (1, [])
    assert [name in found.study for name in ("Dose", "Drug, name", "Time")] == [True] * 3


def test_without_its_reader_a_cas_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cassis", None)
    with pytest.raises(BadFile, match="dkpro-cassis, which is not installed") as told:
        import_from_inception.convert_inception_export_to_study_and_notes(
            "Doses", as_json(AMIR).encode()
        )
    assert "pip install dkpro-cassis" in told.value.hint
    assert import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", TSV.encode()
    ).items


def _types(**more: Any) -> str:
    return json.dumps({"%TYPES": more, "%FEATURE_STRUCTURES": [], "%VIEWS": {}})


TYPES: dict[str, str | bytes] = {"TypeSystem.xml": "<x/>"}
BROKEN = bytearray(packed({"a.json": "abc" * 100}))
BROKEN[36:39] = b"\xff\xff\xff"
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
CODE = {"%NAME": "A", "%SUPER_TYPE": "uima.tcas.Annotation", "a=print(1)": {"%NAME": "a"}}


HOSTILE: list[tuple[str | bytes | bytearray, str]] = [
    (b"", "neither a zip nor a document"),
    (b"[]", "neither a zip nor a document"),
    (b"{}", "not UIMA CAS JSON 0.4"),
    (b'{"%TYPES": ' + b"[" * 100_000, "is not JSON: values nested"),
    (_types(A=CODE), "'a=print\\(1\\)' is not a valid name"),
    (_types(**{"A()": {}}), "is not a valid name"),
    (_types(A={"%NAME": "A", "%SUPER_TYPE": "A"}), "cannot be read"),
    (as_json(AMIR).replace('"end": 17', '"end": 9999'), "Marks that are not in the text"),
    (b"#FORMAT=WebAnno TSV 2\n", "not WebAnno TSV 3"),
    (b"#FORMAT=WebAnno TSV 3.3\n\xff", "is not UTF-8"),
    (TSV.replace("8-15\taspirin", "7-15\taspirin"), "'aspirin' is not what its sentence"),
    (TSV.replace("2-1\t33", "2-1\t3"), "a sentence begins within another"),
    (TSV.replace("2-1\t33-37", "2-1\tx"), "no word with its position"),
    (b"PK\x03\x04", "cannot be unpacked"),
    # The directory says that a file begins before the zip does; bytes of one are not what was
    # packed; an encoding that nobody has.
    (b"PK" + packed({"a.json": "{}"})[20:], "cannot be unpacked"),
    (BROKEN, "cannot be unpacked"),
    (packed({"a.xmi": '<?xml version="1.0" encoding="x"?><x/>', **TYPES}), "read as XML"),
    (packed({"a.txt": ""}), "has no documents"),
    (packed({"exportedproject.json": "{"}), "exportedproject.json is not JSON"),
    (packed({"exportedproject.json": "[]"}), "not JSON of INCEpTION: it holds a list"),
    (packed({"a.xmi": "<x/>"}), "no XMI with its TypeSystem.xml"),
    (packed({"a.xmi": BOMB, "TypeSystem.xml": "<x/>"}), "declares a document type"),
    (packed({"a.xmi": "<x/>", "TypeSystem.xml": BOMB}), "declares a document type"),
    (packed({"a.xmi": "<x", "TypeSystem.xml": "<x/>"}), "cannot be read as XML"),
    (
        packed(
            {
                "a.xmi": AMIR.to_xmi(),
                "TypeSystem.xml": AMIR.typesystem.to_xml().replace("<name>why", "<name>w=1"),
            }
        ),
        "'w=1' is not a valid name",
    ),
]


@pytest.mark.parametrize(("export", "said"), HOSTILE, ids=[said for _, said in HOSTILE])
def test_a_damaged_or_hostile_export_is_refused_in_words(
    export: str | bytes | bytearray, said: str
) -> None:
    with pytest.raises((BadFile, InvalidInput), match=said):
        import_from_inception.convert_inception_export_to_study_and_notes(
            "Doses", export.encode() if isinstance(export, str) else bytes(export)
        )


def test_a_text_that_differs_between_annotators_is_left_out_and_told() -> None:
    other = cas()
    other.sofa_string = NOTE + "more"
    found = import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", project(rosa=other)
    )
    assert "rosa" not in {one["rater"] for one in found.judgments}
    assert (
        "Documents whose text is not the one that others had, left out: 1 (annotation/n1.txt"
        in (" ".join(found.notes))
    )


def test_one_damaged_document_does_not_refuse_a_project() -> None:
    files = {**unpacked(project()), "annotation/n2.txt/rosa_1640571962933.json": b"{"}
    found = import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", packed(files)
    )
    assert [row["item"] for row in found.items] == ["n1.txt"]
    assert "Documents that cannot be read, left out: 1 (annotation/n2.txt/rosa" in (
        " ".join(found.notes)
    )


def test_a_mark_beyond_the_text_is_left_out_and_the_others_come_in() -> None:
    files = {
        name: content.replace(b'"end": 17', b'"end": 9999') if "amir" in name else content
        for name, content in unpacked(project()).items()
    }
    found = import_from_inception.convert_inception_export_to_study_and_notes(
        "Doses", packed(files)
    )
    assert {one["rater"] for one in found.judgments} >= {"rosa"}
    assert "Marks that are not in the text, left out: 1 (annotation/n1.txt/amir" in (
        " ".join(found.notes)
    )


def test_a_file_with_nothing_to_ask_is_refused() -> None:
    with pytest.raises(BadFile, match="no layer of marks"):
        import_from_inception.convert_inception_export_to_study_and_notes(
            "Doses", as_json(cas()).encode()
        )
