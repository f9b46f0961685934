"""The transcript page over 10,000 dialogues: the list turned over, a dialogue opened, the next.

The yardstick is the round trip of a button in a one-line Streamlit app, in the same browser, in the
same minutes.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

from medlens.review import raters
from medlens.store import open_store
from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.records import Dialogue, Turn
from tests.bench.chromium import Stopwatch, browser_of, chromium
from tests.bench.clinic_world import DATASET, add_cases
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, Server

_CASES, _TURNS, _AT_ONCE = 107, 20, 2000
_CPU_BAR = 60.0
_TALK = (
    "I have had pain in my left knee since Tuesday, and it is worse when I climb the stairs."
    " No, nobody in my family has had anything like it. The result of the test is within the"
    " usual range. Does it wake you at night, and have you taken anything for it?"
)
_PRESSED = ("[data-testid=stText]", "changed")
_ROWS = ".mlc-table tbody tr"
# What a person looks for: the first row of another page; the first words of the dialogue asked for.
_LISTED = (_ROWS, "changed")
_READ = (".mlc-read .mlc-turn:first-child .mlc-text", "changed")
_BESIDE = (".st-key-scroll-side .st-key-case-read", "changed")


def make_store(path: Path, dialogues: int) -> str:
    """A store with as many dialogues of 20 turns; returns the id of a lead."""
    store, draw = open_store(path), random.Random(1)
    try:
        names = add_cases(store, _CASES)
        made = [
            (f"d{n:05}", make_dialogue(draw, names[n % _CASES], n, repeat=n // _CASES + 1))
            for n in range(dialogues)
        ]
        for at in range(0, dialogues, _AT_ONCE):
            queries.add_dialogues_and_return_added(store, made[at : at + _AT_ONCE], dataset=DATASET)
        return raters.find_or_add_rater_by_name(store, "Lead", role="lead").id
    finally:
        store.close()


def make_dialogue(
    draw: random.Random, case: str, number: int, *, repeat: int, turns: int = _TURNS
) -> Dialogue:
    """A dialogue whose turns begin with its number."""
    speakers = ("doctor", "patient")
    said = tuple(
        Turn(
            n=n,
            speaker=speakers[(n + 1) % 2],
            kind="say",
            text=f"Talk {number}. " + " ".join(draw.choices(_TALK.split(), k=30)),
        )
        for n in range(1, turns + 1)
    )
    outcome = draw.choice(("correct", "incorrect"))
    return Dialogue.model_validate(
        {
            "case": case,
            "doctor": draw.choice(("m", "n")),
            "patient": "m",
            "measurement": "m",
            "moderator": "m",
            "repeat": repeat,
            "turns": said,
            "diagnosis": "Gout",
            "outcome": outcome,
            "reason": "Compared.",
        }
    )


@dataclass
class Reader:
    """One lead's hands on the page, and what each move cost the server, in ms by name."""

    page: Page
    watch: Stopwatch
    server: Server
    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def do(self, name: str, event: str, act: Callable[[], None], **waits: tuple[str, str]) -> None:
        before = self.server.cpu_ms()
        with self.watch.timing(event, **waits):
            act()
        # The run ends, and the address follows, a little after the frame.
        self.page.wait_for_timeout(300)
        self.cpu[name].append(self.server.cpu_ms() - before)

    def press(self, name: str, key: str, wait: tuple[str, str]) -> None:
        self.do(name, "keydown", lambda: self.page.keyboard.press(key), **{name: wait})

    def leaf(self, name: str, key: str) -> None:
        """To another dialogue by its key; the one that is shown must be the one asked for."""
        self.do(
            name,
            "keydown",
            lambda: self.page.keyboard.press(key),
            **{name: _READ, f"{name}, whole": _BESIDE},
        )
        self.check()

    def open_one(self, at: int) -> None:
        """A click on a row of the list."""
        row = self.page.locator(_ROWS).nth(at)
        row.scroll_into_view_if_needed()
        box = row.bounding_box()
        assert box is not None
        place = (box["x"] + 200, box["y"] + box["height"] / 2)
        self.do(
            "open",
            "pointerup",
            lambda: self.page.mouse.click(*place),
            **{"open": _READ, "open, whole": _BESIDE},
        )
        self.check()

    def check(self) -> None:
        """The dialogue that stands in the address is the one that is shown, all of it."""
        asked = self.page.evaluate("new URL(location).searchParams.get('dialogue')")
        said = self.page.locator(".mlc-read .mlc-text").all_inner_texts()
        begins = f"Talk {int(asked[1:])}. "
        assert len(said) == _TURNS, (asked, len(said))
        assert all(text.startswith(begins) for text in said), (asked, said[0][:40])

    def close(self) -> None:
        """Back to the list."""
        self.page.keyboard.press("Escape")
        self.page.locator(_ROWS).first.wait_for()
        self.page.wait_for_timeout(400)


def at_the_list(browser: Browser, url: str, lead: str) -> Page:
    """A page signed in as the lead, with the list on it."""
    page = browser_of(browser, lead).new_page()
    page.goto(f"{url}/Read_transcripts?view=Dialogues")
    page.locator(_ROWS).first.wait_for(timeout=60_000)
    page.wait_for_timeout(800)
    return page


def read_on(reader: Reader, plain: Reader, rounds: int) -> None:
    """Turn the list over, open a dialogue, go to the next and back; press the yardstick."""
    for at in range(rounds):
        reader.page.bring_to_front()
        reader.press("next_page", "j", _LISTED)
        reader.open_one(at)
        reader.leaf("next_dialogue", "j")
        reader.leaf("previous_dialogue", "k")
        reader.close()
        reader.press("previous_page", "k", _LISTED)
        plain.page.bring_to_front()
        button = plain.page.get_by_role("button", name="Press")
        for _ in range(3):
            plain.do("button", "mouseup", button.click, button=_PRESSED)


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    dialogues = options.pick(10_000, 500)
    store, script = options.folder / "transcripts.duckdb", options.folder / "one_line.py"
    lead = make_store(store, dialogues)
    script.write_text(ONE_LINE)
    with (
        Server(options.folder / "medlens", store) as server,
        Server(options.folder / "one_line", script=script) as simple,
        chromium() as browser,
    ):
        page, other = at_the_list(browser, server.url, lead), browser.new_page()
        other.goto(simple.url)
        other.get_by_role("button", name="Press").wait_for()
        # The first of everything is slower, everywhere: it does not count.
        read_on(Reader(page, Stopwatch(page), server), Reader(other, Stopwatch(other), simple), 1)
        reader = Reader(page, Stopwatch(page), server)
        plain = Reader(other, Stopwatch(other), simple)
        read_on(reader, plain, options.pick(12, 2))
    moves = {
        "next_page": "the list's next page",
        "previous_page": "the list's previous page",
        "open": "a dialogue opened from the list",
        "next_dialogue": "the next dialogue",
        "previous_dialogue": "the previous dialogue",
    }
    button, size = plain.watch.times["button"], f"{dialogues:,} dialogues of {_TURNS} turns"
    return [
        *(
            Row(f"{what}, shown", reader.watch.times[name], "ratio", 2, baseline=button, note=size)
            for name, what in moves.items()
        ),
        *(
            Row(
                f"{moves[name]}, with its case beside it",
                reader.watch.times[f"{name}, whole"],
                "none",
                baseline=button,
            )
            for name in ("open", "next_dialogue", "previous_dialogue")
        ),
        *(
            Row(
                f"server CPU for {what}",
                reader.cpu[name],
                "median",
                _CPU_BAR,
                baseline=plain.cpu["button"],
            )
            for name, what in moves.items()
        ),
    ]
