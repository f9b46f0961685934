"""Conversations with a row for each turn, gathered into a row for each conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ROLE = re.compile(
    r"(turn|message|msg)?[ _.-]?(role|speaker|sender|rolle|sprecher(in)?|rol|r[ôo]le|ruolo|papel"
    r"|hablante|locut(eur|or)|parlante|spreker|talare|taler|puhuja|m[óo]wca|wer|wie|qui|qui[ée]n"
    r"|chi|hvem|vem|from|who|author|party|actor|говорящий|说话人|话者|話者|발화자|المتحدث)"
    r"([ _.-]?(name|type))?",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(turn|message|msg)?[ _.-]?(content|text|message|utterance|value|words|body|inhalt|nachricht"
    r"|äußerung|contenido|mensaje|texto|contenu|texte|contenuto|testo|messaggio|conte[úu]do"
    r"|mensagem|inhoud|bericht|tekst|turn|was|wat|ytring|yttrande|replik|replikk|r[ée]plique|said|line|post"
    r"|wypowied[źz]|tre[śs][ćc]|текст|сообщение|内容|发言|発言|내용|النص)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(turn|message|msg|step|seq(uence)?|utterance|zug|turno|tour|beurt|tur|vuoro|tura|n|no|nr|#)"
    r"([ _.-]?(id|idx|index|nr|no|num(ber)?|nummer|order))?\.?"
    r"|order|position|index|idx|reihenfolge|orden|ordre|ordine|ordem|volgorde",
    re.IGNORECASE,
)
_CONVERSATION = re.compile(
    r"(.*[ _.-])?(id|uuid|nr|no|nummer|number|key)\.?|.*[a-z](Id|ID)|.*(conversation|dialog|chat"
    r"|session|thread|encounter|[ée]change|samtal|keskustelu|rozmow|беседа|диалог|会话|对话|会話|대화|محادثة"
    r"|gespr[äa]ch|konversation|conversaci[óo]n|sesi[óo]n|di[áa]logo"
    r"|conversa|conversazion|gesprek|case|fall|caso|cas|casus|visit|consultation).*",
    re.IGNORECASE,
)
_ASKS = frozenset(
    {
        *("user", "human", "patient", "patientin", "caller", "client", "customer", "paciente"),
        *("paziente", "patiënt", "usuario", "usuário", "utente", "utilisateur", "nutzer"),
        *("nutzerin", "gebruiker", "mother", "parent", "relative", "caregiver", "angehörige"),
    }
)
"""Who begins a conversation about health."""
_ANSWERS = frozenset(
    {
        *(
            "assistant",
            "bot",
            "chatbot",
            "ai",
            "ki",
            "ia",
            "model",
            "gpt",
            "llm",
            "system",
            "doctor",
        ),
        *(
            "arzt",
            "ärztin",
            "médecin",
            "medecin",
            "médico",
            "medico",
            "médica",
            "läkare",
            "læge",
            "lege",
        ),
        *(
            "arts",
            "dokter",
            "nurse",
            "clinician",
            "physician",
            "asistente",
            "assistente",
            "assistent",
        ),
        *("bob", "modell", "modello", "modelo", "modèle", "agent", "therapist", "counselor"),
    }
)
"""Who answers."""
_OF_A_MODEL = re.compile(
    r"(^|[\W_])(model|llm|modell|modelo|mod[eè]le|modello|arm)($|[\W_])", re.IGNORECASE
)
_OF_AN_OPINION = re.compile(
    r"comment|kommentar|coment|remark|remarque|opmerking|feedback|note|notiz|rating|reason|rationale",
    re.IGNORECASE,
)
_MOST_SPEAKERS, _LONG = 4, 30


@dataclass(frozen=True)
class _Conversations:
    """Which rows, by place from 0, are a conversation's, by its name; in which columns its name is
    (``key``), who speaks (``role``), what is said (``words``), and by which ``number`` the turns
    are ordered, if by one; what else is ``kept`` with it, and what is ``dropped``.
    """

    groups: Mapping[Any, Sequence[int]]
    role: int
    words: int
    key: int
    number: int | None
    kept: Sequence[int]
    dropped: Sequence[int]

    def name_column_of_turns(self, headings: Sequence[str]) -> str:
        """The heading of the column that gets the turns, which no other column has."""
        taken = {headings[column].casefold() for column in self.kept}
        names = ("conversation", "dialogue", "turns", "all turns")
        return next(one for one in names if one not in taken)

    def describe(self, headings: Sequence[str], empty: int) -> str:
        """What became of the rows, of which so many were ``empty``, in sentences."""
        rows, count = sum(map(len, self.groups.values())), len(self.groups)
        order = ""
        if self.number is not None:
            order = f", in the order of “{headings[self.number]}”"
        told = (
            f"each row is a turn of a conversation: the {rows:,} turns are"
            f" {count:,} conversation{'' if count == 1 else 's'} by “{headings[self.key]}” now,"
            f" each in one row of the column “{self.name_column_of_turns(headings)}”{order}."
        )
        if self.dropped:
            listed = ", ".join(f"“{headings[column]}”" for column in self.dropped)
            differ = "differs from turn to turn, and is"
            differ = differ if len(self.dropped) == 1 else "differ from turn to turn, and are"
            told += f" {listed} {differ} left out."
        if empty:
            told += f" {empty:,} without words {'is' if empty == 1 else 'are'} left out."
        return told


def find_rows_with_turns_gathered_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows with the turns of each conversation in one cell, as JSON, and what to tell of it;
    None for a table that has no row for each turn. Rows that went into another one are empty lists.
    """
    headings = [cell.strip() for cell in rows[header]]
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    if len(body) < 2 or any(len(rows[at]) != len(headings) for at in body):
        return None
    first = (cell.strip().casefold() for cell in rows[body[0]])
    if not (any(map(_ROLE.fullmatch, headings)) or any(cell in _ASKS | _ANSWERS for cell in first)):
        return None  # no column says who speaks, as in most tables: their cells need no look
    cells = {column: [rows[at][column].strip() for at in body] for column in range(len(headings))}
    found = _find_conversations(headings, cells)
    if found is None:
        return None
    made: list[list[str]] = [list(row) for row in rows]
    for at in body:
        made[at] = []
    made[header] = [
        *(headings[column] for column in found.kept),
        found.name_column_of_turns(headings),
    ]
    empty = 0
    for places in found.groups.values():
        turns = [
            {"role": cells[found.role][at], "content": cells[found.words][at]}
            for at in places
            if cells[found.words][at]
        ]
        empty += len(places) - len(turns)
        shared = [next((cells[c][at] for at in places if cells[c][at]), "") for c in found.kept]
        made[body[min(places)]] = [*shared, json.dumps(turns, ensure_ascii=False)]
    return made, found.describe(headings, empty)


def may_be_turn(row: Mapping[str, Any]) -> bool:
    """Whether an object may be one turn of a conversation, by the names of its fields."""
    names = list(_unfolded(row))
    return all(any(map(one.fullmatch, names)) for one in (_ROLE, _WORDS, _CONVERSATION))


def find_objects_with_turns_gathered_and_note(
    rows: Sequence[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], str] | None:
    """As ``find_rows_with_turns_gathered_and_note``, of objects whose fields keep their types: a
    row for each conversation, where its first turn was.
    """
    unfolded = list(map(_unfolded, rows))
    headings = list(dict.fromkeys(name for row in unfolded for name in row))
    cells = {
        column: [_as_text(row.get(name)) for row in unfolded]
        for column, name in enumerate(headings)
    }
    found = _find_conversations(headings, cells) if len(rows) > 1 else None
    if found is None:
        return None
    called = found.name_column_of_turns(headings)
    made: dict[int, dict[str, Any]] = {}
    empty = 0
    for places in found.groups.values():
        turns = [
            {"role": cells[found.role][at], "content": unfolded[at][headings[found.words]]}
            for at in places
            if cells[found.words][at]
        ]
        empty += len(places) - len(turns)
        shared = {
            headings[c]: next((unfolded[at][headings[c]] for at in places if cells[c][at]), None)
            for c in found.kept
        }
        made[min(places)] = {**shared, called: turns}
    return [made[at] for at in sorted(made)], found.describe(headings, empty)


def _unfolded(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row, with the fields of objects in it beside the others: ``message.role``."""
    fields: dict[str, Any] = {}
    for name, cell in row.items():
        if isinstance(cell, Mapping) and cell:
            fields |= {f"{name}.{part}": inner for part, inner in cell.items()}
        else:
            fields[name] = cell
    return fields


def _as_text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, list | Mapping):
        return json.dumps(cell, ensure_ascii=False, default=str) if cell else ""
    # Parquet holds whole numbers as floats where one is missing.
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _find_conversations(
    headings: Sequence[str], cells: Mapping[int, Sequence[str]]
) -> _Conversations | None:
    """The conversations of a table with a row for each turn; None if it is none."""
    rows = len(cells[0]) if cells else 0
    role = next((c for c, name in enumerate(headings) if _ROLE.fullmatch(name)), None)
    if role is None or not _are_speakers(cells[role], headings[role]):
        role = next((c for c in cells if _are_parties(cells[c])), None)
    if role is None:
        return None
    said = [c for c, name in enumerate(headings) if c != role and _WORDS.fullmatch(name)]
    said = [c for c in said if not all(map(str.isdecimal, cells[c]))]
    if not said:
        said = [
            c
            for c, name in enumerate(headings)
            if c != role and _is_something_to_read(cells[c]) and not _OF_AN_OPINION.search(name)
        ]
    named = [
        c
        for c, name in enumerate(headings)
        if c not in (role, *said) and _CONVERSATION.fullmatch(name) and all(cells[c])
        if not _NUMBER.fullmatch(name) and _are_conversations(cells[c], cells[role])
    ]
    if len(said) != 1 or not named:
        return None
    words = said[0]
    # Of a patient and a conversation the conversation is the smaller.
    key = max(named, key=lambda column: len(set(cells[column])))
    model = _model_of_each_conversation(headings, cells, key, role)
    names = [
        (name, "" if model is None else cells[model][at]) for at, name in enumerate(cells[key])
    ]
    groups: dict[tuple[str, str], list[int]] = {}
    for at, name in enumerate(names):
        groups.setdefault(name, []).append(at)
    number = next((c for c, name in enumerate(headings) if _NUMBER.fullmatch(name)), None)
    if number is not None and number in (role, words, key):
        number = None
    if number is not None and all(map(str.isdecimal, cells[number])):
        turns = [(names[at], cells[number][at], cells[role][at]) for at in range(rows)]
        if len(set(turns)) < len(turns):
            # Several answers to one turn are no conversation.
            return None
        order = list(map(int, cells[number]))
        for places in groups.values():
            places.sort(key=order.__getitem__)
    else:
        number = None
    kept, dropped = [], []
    for column in range(len(headings)):
        if column in (role, words) or not any(cells[column]):
            continue
        given = [{cells[column][at] for at in places} - {""} for places in groups.values()]
        if max(map(len, given)) <= 1:
            kept.append(column)
        elif _OF_A_MODEL.search(headings[column]) or _is_something_to_read(cells[column]):
            # A text beside each turn may be what is judged, and of two models each answers alone.
            return None
        elif column != number:
            dropped.append(column)
    return _Conversations(groups, role, words, key, number, kept, dropped)


def _model_of_each_conversation(
    headings: Sequence[str], cells: Mapping[int, Sequence[str]], key: int, role: int
) -> int | None:
    """The column of models if each name stands for a conversation with each of several models."""
    for column, heading in enumerate(headings):
        if column in (key, role) or not _OF_A_MODEL.search(heading) or not all(cells[column]):
            continue
        pairs = list(zip(cells[key], cells[column], strict=True))
        several = len(set(pairs)) > len(set(cells[key]))
        if several and _are_conversations([f"{a}\n{b}" for a, b in pairs], cells[role]):
            return column
    return None


def _are_speakers(roles: Sequence[str], heading: str) -> bool:
    """Whether cells say who speaks: a few, one of whom asks. A person and a machine under "author"
    may be two writers of one text.
    """
    names = {one.casefold() for one in roles}
    if "" in names or not 2 <= len(names) <= _MOST_SPEAKERS:
        return False
    asks = names & _ASKS
    if asks == {"human"} or re.fullmatch(r"(?i)author", heading):
        asks = {"user", "human"} & names if names & {"assistant", "gpt", "bot"} else set()
    return bool(asks) and names > asks


def _are_parties(roles: Sequence[str]) -> bool:
    """Whether cells name who asks and who answers and nobody else, under whatever heading."""
    names = {one.casefold() for one in roles}
    return _are_speakers(roles, "") and names <= _ASKS | _ANSWERS and bool(names & _ANSWERS)


def _are_conversations(names: Sequence[str], roles: Sequence[str]) -> bool:
    """Whether most of those who are named have rows of several speakers."""
    speakers: dict[str, set[str]] = {}
    for name, role in zip(names, roles, strict=True):
        speakers.setdefault(name, set()).add(role.casefold())
    several = sum(len(of) > 1 for of in speakers.values())
    return 2 * several > len(speakers)


def _is_something_to_read(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    words = sum(" " in cell for cell in filled)
    return 2 * words > len(filled) and sum(map(len, filled)) >= _LONG * len(filled)
