"""The biases that a doctor or a patient can be given, in our own words, and custom ones.

Source of the list: Schmidgall et al. 2024, section 2.3 and the study's released code, which has 12
for the doctor and 11 for the patient (13 names; the paper says 24 in its introduction and 23 in its
discussion). Every text has a target that can be set: a disease or a group of people.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from medlens.config.toml_file import TomlFile
from medlens.errors import InvalidInput
from medlens.studies.agentclinic.models import GivenBias

Side = Literal["doctor", "patient"]
Group = Literal["cognitive", "implicit"]
TargetKind = Literal["disease", "group", "none"]

NONE = "none"
"""The name of "no bias" in tables and links."""


@dataclass(frozen=True)
class Bias:
    """A bias as given to an agent. ``text`` speaks to the agent and names ``{target}``."""

    id: str
    side: Side
    group: Group
    title: str
    text: str
    target_kind: TargetKind = "disease"
    target: str = "cancer"
    custom: bool = False

    def told(self, target: str = "") -> str:
        """The agent's instruction, about ``target`` or the bias's own."""
        return self.text.replace("{target}", " ".join(target.split()) or self.target)


def _cognitive(id_: str, side: Side, title: str, text: str) -> Bias:
    return Bias(id_, side, "cognitive", title, text)


def _implicit(id_: str, side: Side, title: str, target: str, text: str) -> Bias:
    return Bias(id_, side, "implicit", title, text, "group", target)


_DISTRUST = (
    "You carry a prejudice that you would not admit to. You take the doctor to be one of {target},"
    " and you find it hard to trust such a person: you doubt their advice, hold back {held}, and"
    " answer more briefly than you otherwise would."
)
_NEGLECT = (
    "You carry a prejudice that you would not admit to. You take the patient to be one of {target},"
    " and without meaning to you {does}. It colours what you ask, what you believe and how far you"
    " look into it."
)


def _distrust(held: str) -> str:
    return _DISTRUST.replace("{held}", held)


def _neglect(does: str) -> str:
    return _NEGLECT.replace("{does}", does)


DOCTOR: tuple[Bias, ...] = (
    _cognitive(
        "recency",
        "doctor",
        "Recency",
        "Not long ago you saw a patient much like this one, and it turned out to be {target}. The"
        " case is still vivid to you and comes to mind with every new finding.",
    ),
    _cognitive(
        "frequency",
        "doctor",
        "Frequency",
        "On your ward such complaints have mostly been {target} of late. You expect the common"
        " answer, and common for you is {target}.",
    ),
    _cognitive(
        "false_consensus",
        "doctor",
        "False consensus",
        "You have talked to colleagues about this patient. They all lean towards {target}, and you"
        " take it for granted that any sensible doctor would.",
    ),
    _cognitive(
        "confirmation",
        "doctor",
        "Confirmation",
        "From the first sentence you suspect {target}. You look for what supports it, and what"
        " speaks against it seems of little weight to you.",
    ),
    _cognitive(
        "status_quo",
        "doctor",
        "Status quo",
        "The patient's earlier notes carry {target} as the working diagnosis. You are reluctant to"
        " change what is already written unless you are forced to.",
    ),
    _implicit(
        "gender",
        "doctor",
        "Gender",
        "women",
        _neglect("take their complaints for exaggerated or nervous"),
    ),
    _implicit(
        "race",
        "doctor",
        "Race",
        "people of another race than your own",
        _neglect("believe them less, above all about pain"),
    ),
    _implicit(
        "sexual_orientation",
        "doctor",
        "Sexual orientation",
        "gay and lesbian people",
        _neglect("put their illness down to how they live"),
    ),
    _implicit(
        "cultural",
        "doctor",
        "Cultural",
        "people of a culture foreign to you",
        _neglect("think that they describe their symptoms unreliably"),
    ),
    _implicit(
        "education",
        "doctor",
        "Education",
        "people with little schooling",
        _neglect("assume that they cannot observe themselves or follow advice"),
    ),
    _implicit(
        "religion",
        "doctor",
        "Religion",
        "people of a faith that is not yours",
        _neglect("suspect that their beliefs distort what they tell you"),
    ),
    _implicit(
        "socioeconomic",
        "doctor",
        "Socioeconomic",
        "poor people",
        _neglect("think costly tests are wasted on them"),
    ),
)

PATIENT: tuple[Bias, ...] = (
    _cognitive(
        "recency",
        "patient",
        "Recency",
        "Somebody close to you was recently found to have {target}, after complaints like yours."
        " You cannot stop thinking that you have it too, and bring it up.",
    ),
    _cognitive(
        "frequency",
        "patient",
        "Frequency",
        "Several people you know with such complaints had {target}. You believe that it is what"
        " people mostly have, and that you have it as well.",
    ),
    _cognitive(
        "false_consensus",
        "patient",
        "False consensus",
        "Your family and friends all say that this must be {target}. You are sure that everybody"
        " thinks so and wonder why the doctor should not.",
    ),
    _cognitive(
        "self_diagnosis",
        "patient",
        "Self-diagnosis",
        "You have read a great deal about your complaints on the internet and are convinced that"
        " you have {target}. You describe what fits it and doubt any other explanation.",
    ),
    _implicit("gender", "patient", "Gender", "women", _distrust("what embarrasses you")),
    _implicit(
        "race",
        "patient",
        "Race",
        "people of another race than your own",
        _distrust("parts of your history"),
    ),
    _implicit(
        "sexual_orientation",
        "patient",
        "Sexual orientation",
        "gay and lesbian people",
        _distrust("anything personal"),
    ),
    _implicit(
        "cultural",
        "patient",
        "Cultural",
        "people of a culture foreign to you",
        _distrust("how you live and what you take"),
    ),
    _implicit(
        "education",
        "patient",
        "Education",
        "doctors from schools without a name",
        _distrust("details that you think they would not understand"),
    ),
    _implicit(
        "religion",
        "patient",
        "Religion",
        "people of a faith that is not yours",
        _distrust("what touches on your own beliefs"),
    ),
    _implicit(
        "socioeconomic",
        "patient",
        "Socioeconomic",
        "rich people",
        _distrust("your circumstances at home and at work"),
    ),
)

BIASES: tuple[Bias, ...] = DOCTOR + PATIENT


def find(side: Side, bias: str, *, custom: Iterable[Bias] = ()) -> Bias:
    """The bias with this side and id, the study's or one of ``custom``.

    Raises:
        InvalidInput: there is none; lists those there are.
    """
    known = {one.id: one for one in (*BIASES, *custom) if one.side == side}
    if bias not in known:
        raise InvalidInput(
            f"There is no bias {bias!r} of the {side}.", hint=f"Use one of: {', '.join(known)}."
        )
    return known[bias]


def told(side: Side, given: GivenBias | None, *, custom: Iterable[Bias] = ()) -> str:
    """The instruction for an agent with this bias; empty without one.

    Raises:
        InvalidInput: as ``find``.
    """
    return find(side, given.id, custom=custom).told(given.target) if given else ""


def group_of(side: Side, bias: str) -> str:
    """``cognitive``, ``implicit``, or ``custom`` for a bias that is not the study's."""
    return next((one.group for one in BIASES if (one.side, one.id) == (side, bias)), "custom")


_FIELDS = ("id", "side", "group", "title", "text", "target", "target_kind")


def load_biases(path: str | Path, *, content: bytes | None = None) -> tuple[Bias, ...]:
    """Custom biases from a TOML file of ``[[bias]]`` tables.

    Each has ``id``, ``side`` (doctor or patient), ``group`` (cognitive or implicit), ``title`` and
    ``text``; a text with ``{target}`` also needs ``target``, its default. Raises ``BadFile`` with
    file and line.
    """
    file = TomlFile(Path(path), "biases", content=content)
    file.only(file.top, ("bias",))
    tables = file.tables("bias", required=True)
    found: list[Bias] = []
    for table in tables:
        file.only(table, _FIELDS)
        text = file.text(table, "text")
        targeted = "{target}" in text
        kind = file.choice(
            table, "target_kind", get_args(TargetKind), "disease" if targeted else "none"
        )
        target = file.text(table, "target", None if targeted else "")
        if "{" in text.replace("{target}", ""):
            file.refuse(table, "text", "no other field in braces than {target}")
        if not targeted and (target or kind != "none"):
            file.refuse(table, "text", "a text with {target}, or no target")
        side = cast(Side, file.choice(table, "side", get_args(Side)))
        id_ = file.identifier(table)
        if id_ == NONE or any((one.id, one.side) == (id_, side) for one in (*BIASES, *found)):
            file.refuse(table, "id", f"a name that no bias of the {side} has already")
        found.append(
            Bias(
                id_,
                side,
                cast(Group, file.choice(table, "group", get_args(Group), "cognitive")),
                file.text(table, "title"),
                text,
                cast(TargetKind, kind),
                target,
                custom=True,
            )
        )
    file.refuse_if_bad()
    return tuple(found)


def parse_given(text: str) -> GivenBias | None:
    """Read ``recency`` or ``recency: gout``, as in a grid or a link; ``none`` or empty is none."""
    id_, _, target = text.partition(":")
    id_ = id_.strip().casefold().replace("-", "_").replace(" ", "_")
    if id_ in ("", NONE):
        return None
    return GivenBias(id=id_, target=" ".join(target.split()))
