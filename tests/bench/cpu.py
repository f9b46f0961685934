"""Server CPU per review rerun: each message of the tagger makes the server run a fragment."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import hand_out_settings, items, raters, rounds
from medlens.review.items import NewItem
from medlens.store import new_id, open_store
from medlens.studies.own.study import open_study
from tests.bench.account import account
from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, Server
from tests.bench.session import Session
from tests.letters import letters

BAR, ITEM_BAR = 20.0, 35.0
_PAGE_BAR = 60.0
"""For a submission at a form, which draws the next item's page."""
_PER_ITEM = 4
_WARM_UP = 4


@dataclass
class Spent:
    """Per message: the server's CPU and the round trip, in ms."""

    cpu: list[float] = field(default_factory=list)
    trip: list[float] = field(default_factory=list)

    async def measure(self, server: Server, act: Callable[[], Awaitable[float]]) -> None:
        before = server.cpu_ms()
        took = await act()
        # The answer goes out a little before the run has ended.
        await asyncio.sleep(0.02)
        self.cpu.append(server.cpu_ms() - before)
        self.trip.append(1000 * took)


async def work_through(server: Server, session: Session, items: int) -> tuple[Spent, Spent]:
    """One person marks and submits ``items`` items, alone on the server: drafts, submissions."""
    await session.open()
    drafts, submits = Spent(), Spent()
    try:
        for _ in range(_WARM_UP):
            await session.mark()
        await session.submit()
        for _ in range(items):
            for _ in range(_PER_ITEM):
                await drafts.measure(server, session.mark)
            await submits.measure(server, session.submit)
    finally:
        await session.close()
    return drafts, submits


async def rerun_alone(server: Server, session: Session, count: int) -> Spent:
    """Run a whole page again and again: the CPU of each run. The session is connected already."""
    spent = Spent()

    async def rerun() -> float:
        await session.rerun()
        return 0.0

    try:
        for _ in range(_WARM_UP):
            await rerun()
        for _ in range(count):
            await spent.measure(server, rerun)
    finally:
        await session.close()
    return spent


async def _in_turns(
    server: Server, simple: Server, rater: str, options: Options
) -> tuple[Spent, Spent, Spent, Spent, Session]:
    """Drafts, submissions, whole pages, runs of the one-line app; and the session that wrote."""
    count = options.pick(40, 10)
    session = Session(server.url, rater)
    drafts, submits = await work_through(server, session, options.pick(20, 4))
    yardstick = Session(simple.url, "", page="")
    await yardstick.connect()
    plain = await rerun_alone(simple, yardstick, count)
    reader = Session(server.url, rater)
    await reader.open()
    return drafts, submits, await rerun_alone(server, reader, count), plain, session


_GOOD = """
[[question]]
id = "good"
kind = "yes_no"
text = "Is the letter good?"
"""


class _Pane(Session):
    """A tab in which a text is marked in a pane beside a form, which sends the marks."""

    async def mark(self) -> float:
        start = 7 * self.marks
        span = {"start": start, "end": start + 6, "quote": "findin", "labels": ["false"]}
        spans = [*self._body["spans"], {**span, "comment": "", "answers": {}}]
        self._body = {"spans": spans}
        return await self._say(errors=json.dumps(spans, separators=(",", ":")))

    async def submit(self) -> float:
        took = await self._say(submit=True, good="yes")
        self._take_up()
        return took

    def _take_up(self) -> None:
        self._body = {"spans": []}

    async def _say(self, *, submit: bool = False, **said: str) -> float:
        assert self.tagger is not None
        data = self.tagger.data
        message = {
            "token": new_id(),
            **{name: data[name] for name in ("item", "session", "rev")},
            "submit": submit,
            "changes": {name: [data["values"].get(name), value] for name, value in said.items()},
        }
        begun = time.perf_counter()
        # What is submitted brings the next item's page.
        if submit or not await self._posted(message):
            self._states[self.tagger.id] = {"out": message}
            await self._send(fragment=self.tagger.fragment)

        def heard() -> bool:
            now = self.tagger.data if self.tagger else {}
            return now.get("ack") == message["token"] and (
                now["item"] != data["item"] or not submit
            )

        await self._until(heard, "the form was not answered")
        return time.perf_counter() - begun


def _beside_a_form(options: Options, plain: Spent) -> list[Row]:
    """The same for a text marked in a pane beside a form, in a study of one's own."""
    path, count = options.folder / "pane.duckdb", options.pick(20, 4)
    with closing(open_store(path)) as store:
        work_behind_commands.declare_study_and_return_report_text(
            store, letters(_GOOD), "STUDY.toml"
        )
        body = {"visit": "It was the left knee. " * 40, "letter": "finding" * 60}
        made = [NewItem(f"i{at}", body) for at in range(count + 3)]
        items.add_items(store, made, study="own", kind="item", dataset="letters")
        task = open_study(store, Settings(), "letters").task
        lead, rater = (
            raters.find_or_add_rater_by_name(store, "Lead", role="lead"),
            raters.find_or_add_rater_by_name(store, "Rater 1").id,
        )
        held = {"items_per_rater": count + 3, "gold_share": 0.0}
        hand_out_settings.change_task_settings(store, task.name, "letters", held, by=lead)
        rounds.open_or_close_round(store, task, "letters", state="open", by=lead)
    at = {"page": "Your_studies", "query": "dataset=letters", "surface": "answer_form"}
    with Server(options.folder / "pane", path) as server:
        session = _Pane(server.url, rater, **at)  # type: ignore[arg-type]
        drafts, submits = asyncio.run(work_through(server, session, count))
        server.stop()
    where = "a text beside a form"
    return [
        Row(f"server CPU per mark saved, {where}", drafts.cpu, "median", BAR, baseline=plain.cpu),
        Row(f"server CPU per submit and next item, {where}", submits.cpu, "median", _PAGE_BAR),
    ]


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store = options.folder / "cpu.duckdb"
    [rater] = make_store(store, people=1)
    script = options.folder / "one_line.py"
    script.write_text(ONE_LINE)
    with (
        Server(options.folder / "cpu", store) as server,
        Server(options.folder / "plain", script=script) as simple,
    ):
        drafts, submits, page, plain, session = asyncio.run(
            _in_turns(server, simple, rater, options)
        )
        server.stop()
    faults = tuple(account(store, session.writes))

    def row(work: str, spent: Spent, note: str = "") -> Row:
        return Row(work, spent.cpu, "median", BAR, baseline=plain.cpu, faults=faults, note=note)

    marked = [sum(drafts.cpu[at : at + 2]) for at in range(0, len(drafts.cpu), _PER_ITEM)]
    items = [sum(both) for both in zip(marked, submits.cpu, strict=True)]
    two = "server CPU per item: two marks saved, submitted"
    return [
        Row(two, items, "median", ITEM_BAR, baseline=plain.cpu, faults=faults),
        row("server CPU per draft saved", drafts, "baseline: a one-line Streamlit app's rerun"),
        row("server CPU per submit and next item", submits),
        row("server CPU per run of the whole page", page, "when it is opened, not while tagging"),
        *_beside_a_form(options, plain),
    ]
