"""The biases that a doctor or a patient can be given: the study's, and those of other files.

Source of the study's: Schmidgall et al. 2024, section 2.3 and the released code. Every text of
theirs has a target that can be set: a disease or a group of people.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.config.toml_file import TomlFile
from medlens.errors import InvalidInput
from medlens.studies.agentclinic.records import GivenBias

Side = Literal["doctor", "patient"]
Group = Literal["cognitive", "implicit"]
TargetKind = Literal["disease", "group", "none"]

NONE = "none"
"""The name of "no bias" in tables and links."""


@dataclass(frozen=True, kw_only=True)
class AgentBias:
    """A bias as given to an agent. ``text`` speaks to the agent and names ``{target}``."""

    id: str
    side: Side
    group: Group = "cognitive"
    title: str
    text: str
    target_kind: TargetKind
    target: str

    def instruction_for_agent(self, target: str = "") -> str:
        """The agent's instruction, about ``target`` or the bias's own."""
        return self.text.replace("{target}", " ".join(target.split()) or self.target)


def find_bias(side: Side, bias: str, *, custom: Iterable[AgentBias] = ()) -> AgentBias:
    """The bias with this side and id, the study's or one of ``custom``.

    Raises:
        InvalidInput: there is none; lists those there are.
    """
    known = {one.id: one for one in (*list_shipped_biases(), *custom) if one.side == side}
    if bias not in known:
        raise InvalidInput(
            f"There is no bias {bias!r} of the {side}.", hint=f"Use one of: {', '.join(known)}."
        )
    return known[bias]


def bias_instruction(
    side: Side, given: GivenBias | None, *, custom: Iterable[AgentBias] = ()
) -> str:
    """The instruction for an agent with this bias; empty without one.

    Raises:
        InvalidInput: as ``find_bias``.
    """
    return (
        find_bias(side, given.id, custom=custom).instruction_for_agent(given.target)
        if given
        else ""
    )


def kind_of_bias(side: Side, bias: str) -> str:
    """``cognitive``, ``implicit``, or ``custom`` for a bias that is not the study's."""
    return next(
        (one.group for one in list_shipped_biases() if (one.side, one.id) == (side, bias)), "custom"
    )


def list_custom_biases_in_file(
    path: str | Path, *, content: bytes | None = None
) -> tuple[AgentBias, ...]:
    """Custom biases from a TOML file like the study's. Raises ``BadFile`` with file and line."""
    return _read(Path(path), content, list_shipped_biases())


def _read(path: Path, content: bytes | None, before: Sequence[AgentBias]) -> tuple[AgentBias, ...]:
    """The biases of a file, which has none of those ``before``.

    Each has ``id``, ``side`` (doctor or patient), ``group`` (cognitive or implicit), ``title`` and
    ``text``; a text with ``{target}`` also needs ``target``, its default.
    """
    file = TomlFile(path, "biases", content=content)
    file.record_unknown_fields(file.top, ("bias",))
    tables = file.list_tables_named("bias", required=True)
    found: list[AgentBias] = []
    for table in tables:
        text = file.read_text_field(table, "text")
        targeted = "{target}" in text
        kind = file.read_choice_field(
            table, "target_kind", get_args(TargetKind), "disease" if targeted else "none"
        )
        target = file.read_text_field(table, "target", None if targeted else "")
        if "{" in text.replace("{target}", ""):
            file.record_field_mistake(table, "text", "no other field in braces than {target}")
        if not targeted and (target or kind != "none"):
            file.record_field_mistake(table, "text", "a text with {target}, or no target")
        bias = file.read_table_as_dataclass(
            table, AgentBias, text=text, target_kind=kind, target=target
        )
        named = (bias.id, bias.side)
        if bias.id == NONE or any((one.id, one.side) == named for one in (*before, *found)):
            file.record_field_mistake(
                table, "id", f"a name that no bias of the {bias.side} has already"
            )
        found.append(bias)
    file.raise_if_mistakes_were_recorded()
    return tuple(found)


@cache
def list_shipped_biases() -> tuple[AgentBias, ...]:
    """The biases of the study itself: the doctor's, then the patient's."""
    return _read(SHIPPED / "data/biases/agentclinic.toml", None, ())


def parse_given_bias(text: str) -> GivenBias | None:
    """Read ``recency`` or ``recency: gout``, as in a grid or a link; ``none`` or empty is none."""
    id_, _, target = text.partition(":")
    id_ = id_.strip().casefold().replace("-", "_").replace(" ", "_")
    if id_ in ("", NONE):
        return None
    return GivenBias(id=id_, target=" ".join(target.split()))
