"""Conversations with a row for each turn, gathered into a row for each conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

_ROLE = re.compile(
    r"(turn|message|msg)?[ _.-]?(role|speaker|sender|rolle|sprecher(in)?|rol|r[ôo]le|ruolo|papel"
    r"|hablante|locuteur|parlante|spreker|from|who|author)([ _.-]?(name|type))?",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(turn|message|msg)?[ _.-]?(content|text|message|utterance|value|words|body|inhalt|nachricht"
    r"|äußerung|contenido|mensaje|texto|contenu|texte|contenuto|testo|messaggio|conte[úu]do"
    r"|mensagem|inhoud|bericht|tekst|turn)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(turn|message|msg|step|seq(uence)?|utterance|zug|turno|tour|beurt)"
    r"([ _.-]?(id|idx|index|nr|no|num(ber)?|nummer|order))?\.?"
    r"|order|position|index|idx|reihenfolge|orden|ordre|ordine|ordem|volgorde",
    re.IGNORECASE,
)
_CONVERSATION = re.compile(
    r"(.*[ _.-])?(id|uuid|nr|no|nummer|number|key)\.?|.*[a-z](Id|ID)|.*(conversation|dialog|chat"
    r"|session|thread|encounter|gespr[äa]ch|konversation|conversaci[óo]n|sesi[óo]n|di[áa]logo"
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
_OF_A_MODEL = re.compile(
    r"(^|[\W_])(model|llm|modell|modelo|mod[eè]le|modello|arm)($|[\W_])", re.IGNORECASE
)
_MOST_SPEAKERS, _LONG = 4, 30


def gather_turns(rows: Sequence[list[str]], header: int) -> tuple[list[list[str]], str] | None:
    """The rows with the turns of each conversation in one cell, as JSON, and what to tell of it;
    None for a table that has no row for each turn. Rows that went into another one are empty lists.
    """
    headings = [cell.strip() for cell in rows[header]]
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    if len(body) < 2 or any(len(rows[at]) != len(headings) for at in body):
        return None
    cells = {column: [rows[at][column].strip() for at in body] for column in range(len(headings))}
    role = next((c for c, name in enumerate(headings) if _ROLE.fullmatch(name)), None)
    if role is None or not _are_speakers(cells[role], headings[role]):
        return None
    said = [c for c, name in enumerate(headings) if c != role and _WORDS.fullmatch(name)]
    said = [c for c in said if not all(map(str.isdecimal, cells[c]))]
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
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(cells[key]):
        groups.setdefault(name, []).append(at)
    number = next((c for c, name in enumerate(headings) if _NUMBER.fullmatch(name)), None)
    if number is not None and number in (role, words, key):
        number = None
    if number is not None and all(map(str.isdecimal, cells[number])):
        turns = [(cells[key][at], cells[number][at], cells[role][at]) for at in range(len(body))]
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
    return _made(rows, header, body, groups, cells, (role, words, key), (kept, dropped, number))


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


def _made(
    rows: Sequence[list[str]],
    header: int,
    body: Sequence[int],
    groups: Mapping[str, Sequence[int]],
    cells: Mapping[int, Sequence[str]],
    of_turns: tuple[int, int, int],
    others: tuple[Sequence[int], Sequence[int], int | None],
) -> tuple[list[list[str]], str]:
    role, words, key = of_turns
    kept, dropped, number = others
    headings = [cell.strip() for cell in rows[header]]
    taken = {headings[column].casefold() for column in kept}
    name = next(
        one for one in ("conversation", "dialogue", "turns", "all turns") if one not in taken
    )
    made: list[list[str]] = [list(row) for row in rows]
    for at in body:
        made[at] = []
    made[header] = [*(headings[column] for column in kept), name]
    empty = 0
    for places in groups.values():
        turns = [
            {"role": cells[role][at], "content": cells[words][at]}
            for at in places
            if cells[words][at]
        ]
        empty += len(places) - len(turns)
        shared = [next((cells[c][at] for at in places if cells[c][at]), "") for c in kept]
        made[body[min(places)]] = [*shared, json.dumps(turns, ensure_ascii=False)]
    count = len(groups)
    order = f", in the order of “{headings[number]}”" if number is not None else ""
    told = (
        f"each row is a turn of a conversation: the {len(body):,} turns are"
        f" {count:,} conversation{'' if count == 1 else 's'} by “{headings[key]}” now, each in one"
        f" row of the column “{name}”{order}."
    )
    if dropped:
        listed = ", ".join(f"“{headings[column]}”" for column in dropped)
        differ = "differs from turn to turn, and is"
        differ = differ if len(dropped) == 1 else "differ from turn to turn, and are"
        told += f" {listed} {differ} left out."
    if empty:
        told += f" {empty:,} without words {'is' if empty == 1 else 'are'} left out."
    return made, told
