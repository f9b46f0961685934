"""What leads alone do, done by everybody else: by the messages with which a lead does it.

Each is said again by a reviewer's tab, by nobody's, and by a lead's tabs whose place was taken from
them; the store is then what it was. That it is another one when a lead says them is looked at last.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb

from medlens.app import work_behind_commands
from medlens.app.job_inbox_of_running_app import submit_job_and_await_result_and_folder
from medlens.config.settings import Settings
from medlens.review import assignment, invitations, items, judging, raters, rounds
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.own.study import Study, open_study
from tests.attack.counts import Counts
from tests.attack.tab import Browser, Drawn, Tab
from tests.browser.conftest import Server

LETTERS = "letters"
MODEL = '[models.nobody]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n'
"""A model that a run can be started with: nobody answers there."""
_STUDY = f"""
id = "{LETTERS}"
title = "Letters"
instructions = "Read."
raters_per_item = 2
[[column]]
name = "text"
means = "the letter"
[[pane]]
title = "Letter"
column = "text"
[[question]]
id = "clear"
kind = "yes_no"
text = "Clear?"
required = true
"""
_ANOTHER = _STUDY.replace(LETTERS, "others").replace("Letters", "Others")
_KIND = "lead's action"
_HAND_OUT = HandOut(raters_per_item=2, items_per_rater=50, gold_share=0)


def lay(store: Store) -> None:
    """A study in which two people disagree, one of them flagged an item and has begun another."""
    work_behind_commands.declare_study_and_return_report_text(store, _STUDY, "STUDY.toml")
    study = _study(store)
    _add_letters(store, study, 0, 4)
    rounds.open_or_close_round(store, study.task, LETTERS, state="open", raters=[], by=None)
    for name, said in (("Anna", "yes"), ("Ben", "no")):
        rater = raters.find_or_add_rater_by_name(
            store, name, origin="oidc", email=f"{name.lower()}@example.org"
        ).id
        for _ in range(3):
            where = {"dataset": LETTERS, "rater": rater}
            item = assignment.give_next_item_and_return_id(store, study.task, _HAND_OUT, **where)
            assert item is not None
            body = {"version": 1, "answers": {"clear": said}}
            token = new_id()
            judging.submit_judgment(
                store, study.task, item=item, rater=rater, token=token, body=body
            )
        about = {"item": item, "rater": rater, "kind": "flag", "reason": "Odd."}
        assignment.record_opened_skipped_or_flagged(store, study.task, _HAND_OUT, **about)
        assert assignment.give_next_item_and_return_id(store, study.task, _HAND_OUT, **where)
        came = {"id": new_id(), "task": study.task.name, **where}
        store.append("crowd_worker", {**came, "worker": f"of{name}", "said": {}})
    invitations.make_invitation_and_return_link_secret(
        store, by=replace(_rater(store, rater), role="lead")
    )
    # Enough to draw a sample of.
    _add_letters(store, study, 4, 60)


def _add_letters(store: Store, study: Study, begin: int, end: int) -> None:
    new = [items.NewItem(f"o{n}", {"columns": {"text": f"Letter {n}."}}) for n in range(begin, end)]
    items.add_items(store, new, study="own", kind=study.task.item_kind, dataset=LETTERS)


def _rater(store: Store, rater: str) -> raters.Rater:
    found = raters.find_rater(store, rater)
    assert found is not None
    return found


def _study(store: Store) -> Study:
    return open_study(store, Settings(), LETTERS)


# -- what is done, and how -------------------------------------------------------------------------


@dataclass(frozen=True)
class Action:
    """What a lead does at ``where`` (a page and what its address asks), once the buttons ``first``
    were pressed; the table ``leaves`` has more rows then. It is done by the button ``press``, with
    ``values`` in widgets called by a part of their ids, or by the form ``form`` with ``filled``.
    """

    what: str
    where: str
    leaves: str
    press: str = ""
    first: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    form: str = ""
    filled: Mapping[str, str] = field(default_factory=dict)


def actions(flagged: str, divided: str, person: str, invitation: str) -> list[Action]:
    """The actions: on a flag ``item|rater``, an item that people disagree on, a person's work, an
    invitation."""
    of = f"task=own_questions&dataset={LETTERS}"
    flag, settle = f"Team?section=flags&{of}&asked=flag|{flagged}", f"Team?{of}&divided={divided}"
    hand_out, raters_ = f"Team?section=hand-out&{of}", f"Team?section=raters&{of}&whose={person}"
    key = f"own_questions.{LETTERS}"

    def form(what: str, at: str, leaves: str, kind: str, **filled: str) -> Action:
        return Action(what, at, leaves, form=kind, filled=filled)

    return [
        form("answers a flag", flag, "remark", "remark", text="So.", do="answer"),
        form("returns work", flag, "remark", "remark", text="Again.", do="return"),
        form("returns it uncounted", flag, "remark", "remark", text="Again!", do="out"),
        Action("takes an item to settle", settle, "settling"),
        form("settles it", settle, "adjudication", "adjudication", answer="A", reason="So."),
        form("rejects all", settle, "adjudication", "adjudication", answer="none", reason="No."),
        form(
            "writes a guideline", f"Team?section=guideline&{of}", "guideline", "guideline", text="X"
        ),
        form("asks for consent", hand_out, "task_setting", "consent", text="Agree?"),
        form("names a platform", hand_out, "task_setting", "crowd", parameter="PROLIFIC_PID"),
        form(
            *("gives a code", f"Team?section=codes&worker=own_questions|{LETTERS}|{person}"),
            *("completion_event", "code"),
            decision="give",
            reason="So.",
        ),
        form("sets a deadline", hand_out, "task_setting", "settings", deadline="2030-01-31"),
        Action("closes a round", hand_out, "task_round", press=f"round.{key}.close"),
        Action(
            "draws a sample",
            hand_out,
            "selection",
            first=(f"items.{key}.open",),
            values={f"items.{key}.open": 1},
            press=f"items.{key}.draw",
        ),
        Action(
            "hands work on", raters_, "assignment_event", press=f"leaver.own_questions.{person}.on"
        ),
        form("excludes work", raters_, "exclusion", "exclusion", where="here", reason="Left."),
        form("excludes a person", raters_, "exclusion", "exclusion", where="all", reason="Left."),
        Action(
            "makes a study",
            f"Your_studies?view=Make+a+study&dataset={LETTERS}",
            "task_setting",
            first=("own.change",),
            values={"own.text": _ANOTHER},
            press="own.open",
        ),
        Action(
            "has a model answer",
            "Runs?new=own.rate",
            "run",
            first=("own.rate.models", "runs.estimate"),
            values={"own.rate.models": ["nobody (no prices)"]},
            press="runs.start",
        ),
        Action("invites people", "Team?section=people", "invitation", press="invite.make"),
        Action(
            "withdraws an invitation",
            f"Team?section=people&invitation={invitation}",
            "invitation_event",
            press="invite.revoke",
        ),
    ]


def prepared(browser: Browser, action: Action) -> tuple[Tab, list[bytes]]:
    """A lead's tab before the last message of an action, and all messages, that one too."""
    page, _, query = action.where.partition("?")
    tab = Tab(browser, page)
    tab.run(query=query)
    values: dict[str, Any] = {}
    for name in action.first:
        one = _widget(tab, name)
        values[one.id] = action.values.get(name, True)
        tab.run(widgets=values, query=query, fragment=one.fragment)
        if values[one.id] is True:
            del values[one.id]
    fragment = ""
    for name in (*action.values, *([action.press] if action.press else [])):
        one = _widget(tab, name)
        values[one.id], fragment = action.values.get(name, True), one.fragment
    for one in tab.all("bidi_component") if action.form else ():
        shown = json.loads(one.element.json or "{}")
        if shown.get("task") == action.form:
            changes = {
                name: (shown["values"].get(name), now) for name, now in action.filled.items()
            }
            said = {"token": new_id(), "submit": True, "changes": changes}
            said |= {"item": shown["item"], "session": shown["session"], "rev": shown["rev"]}
            values[one.id], fragment = {"out": said}, one.fragment
    last = [tab.message(widgets=values, query=query, fragment=fragment)] if values else []
    return tab, [*tab.sent, *last]


def _widget(tab: Tab, name: str) -> Drawn:
    """The last widget drawn whose id ends so."""
    found = [one for one in tab.drawn if one.id.endswith(name)]
    assert found, (name, [one.id for one in tab.drawn])
    return found[-1]


# -- the attempts ----------------------------------------------------------------------------------


def attempts(
    tally: Counts,
    server: Server,
    sign_in: Callable[[], Browser],
    others: Mapping[str, Browser],
    ends: Mapping[str, Callable[[Browser], None]],
    every: int,
) -> None:
    """Have each action done by the tabs of ``others``, and by tabs of a lead from whom something
    was taken (``ends``), who signs in anew each time. That leads can do them is asserted last."""
    todo, laid = looked(server)[::every], counted(server)
    lead = sign_in()
    ready = [(action, *prepared(lead, action)) for action in todo]
    said: list[tuple[str, Tab, list[bytes]]] = []
    for who, browser in others.items():
        tabs = [browser.tab(action.where.partition("?")[0]) for action in todo]
        # All that the lead's tab said: the last message alone would do nothing in a lead's either.
        said += [
            (f"{who} {action.what}", tab, messages)
            for (action, _, messages), tab in zip(ready, tabs, strict=True)
        ]
    _say(tally, server, said, every)
    for how, happens in ends.items():
        browser = sign_in()
        ready = [(action, *prepared(browser, action)) for action in todo]
        happens(browser)
        said = [(f"{how}: {action.what}", tab, messages[-1:]) for action, tab, messages in ready]
        _say(tally, server, said, every)
    if any(one.startswith(_KIND) for one in tally.found):
        # What has been done by others may leave nothing to do.
        return
    lead, now = sign_in(), counted(server)
    for action in todo:
        before = (now if action.press or action.form else laid)[action.leaves]
        tab, messages = prepared(lead, action)
        tab.say(messages[-1])
        # A run begins behind the page.
        until = time.monotonic() + 10
        while (now := counted(server))[action.leaves] == before:
            assert time.monotonic() < until, (action.what, tab.text[-2000:])
            time.sleep(0.1)
        tab.close()


def _say(
    tally: Counts, server: Server, said: list[tuple[str, Tab, list[bytes]]], every: int
) -> None:
    """Say these messages; the store is as before after each, or where few are tried, after all:
    nothing that is done takes rows away."""
    before = counted(server)
    tried: list[str] = []
    for what, tab, messages in said:
        tab.idle = True
        for raw in messages:
            tab.say(raw)
        tab.close()
        tried.append(what)
        if every == 1 or len(tried) == len(said):
            refused = counted(server) == before
            for one in tried:
                tally.expect(_KIND, one, refused=refused)
            tried = []


@contextlib.contextmanager
def copied(server: Server) -> Iterator[duckdb.DuckDBPyConnection]:
    """The store as it is now, while the app has it."""
    _, folder = submit_job_and_await_result_and_folder(
        server.env["MEDLENS_STORE"], {"verb": "backup"}
    )
    try:
        with duckdb.connect(str(folder / "backup.duckdb"), read_only=True) as store:
            yield store
    finally:
        shutil.rmtree(folder)


def counted(server: Server) -> dict[str, int]:
    """The rows of every table but those that tell of what was asked for."""
    with copied(server) as store:
        tables = [
            str(name) for (name,) in store.sql("select table_name from duckdb_tables()").fetchall()
        ]
        return {
            name: store.sql(f"select count(*) from {name}").fetchall()[0][0]
            for name in sorted(set(tables) - {"audit_event", "job"})
        }


def looked(server: Server) -> list[Action]:
    """The actions on what ``lay`` laid."""
    with copied(server) as store:
        [(item, rater), *_] = store.sql(
            "select item, rater from assignment_event where kind = 'flag' order by seq"
        ).fetchall()
        [(divided,), *_] = store.sql(
            "select i.name from judgment j join item i on i.id = j.item where i.study = 'own'"
            " group by 1 having count(distinct j.rater) = 2 order by 1"
        ).fetchall()
        [(invitation,), *_] = store.sql("select id from invitation order by seq").fetchall()
    return actions(f"{item}|{rater}", divided, rater, invitation)
