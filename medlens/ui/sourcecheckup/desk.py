"""The desk for pairs: which one lies on it, what the browser is told, and what becomes of messages.

After submitting, the pair stays until the verifier's word has been read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from medlens.errors import Conflict, InvalidInput, MedLensError, NotAllowed, StoreUnavailable
from medlens.review import judging
from medlens.sourcecheckup.listing import queries as listed
from medlens.sourcecheckup.models import VERDICT_NAMES
from medlens.store import id_of
from medlens.ui.desk import Desk
from medlens.ui.share import alone
from medlens.ui.sourcecheckup.laid import Laid, answer_data, reveal_data
from medlens.ui.sourcecheckup.source_reader import Message, PairData, SurfaceData

AHEAD_CHARACTERS = 120_000
"""A longer source is not sent before its pair is asked for: four times the usual one."""

_ONWARD = ("onward", "skip", "flag")


@dataclass(kw_only=True)
class VerifyDesk(Desk):
    """A desk that is worked by messages, and whose item stays when it is submitted.

    ``revealed`` are the models' judgments of the item, once its rater has committed; having them
    here is noted as a reveal. ``first`` is what the rater said blind. ``ack`` is the answer to the
    last message.
    """

    revealed: list[dict[str, Any]] = field(default_factory=list)
    first: Any = None
    ack: dict[str, Any] | None = None
    _standing: dict[str, Any] | None = None
    _known: dict[str, tuple[dict[str, Any], Any, list[dict[str, Any]]]] = field(
        default_factory=dict
    )
    # What is known of the rater's own work on pairs: revision, answer, time saved.
    _own: dict[str, judging.Draft] = field(default_factory=dict)

    @property
    def committed(self) -> bool:
        """Whether the rater has submitted the item that lies here."""
        return self._standing is not None

    # -- what the browser is told ----------------------------------------------------------------

    @alone
    def data(self, *, reason_needed: bool) -> SurfaceData:
        """The pair, its source and what the rater may see of both; the pairs ahead, blind."""
        assert self.item is not None
        pair = self._pair(self.item)
        sources = {pair["source"]: self.laid.source_data}
        ahead = self._ahead(sources)
        told: SurfaceData = {
            "rater": self.rater.id,
            "pair": pair,
            "total": self.queue.length,
            "has_next": self.at + 1 < self.queue.length,
            "reason_needed": reason_needed,
            "choices": [[one, name] for one, name in VERDICT_NAMES.items()],
            "reveal": self._reveal_data(),
            "sources": sources,
            "ahead": ahead,
            "ack": self.ack,  # type: ignore[typeddict-item]
        }
        if self.error is not None:
            told["trouble"] = f"{self.error.message} {self.error.hint}".strip()
        return told

    def _pair(self, item: str) -> PairData:
        """A pair of the rater's queue with their own work on it, and nobody else's."""
        laid: Laid = self.laid if item == self.item else self.lay_out(item)
        own = self._own[item] if item in self._own else self._read(item)
        at = self.queue.index(item)
        place = self.queue.places[at] if at >= 0 else None
        standing = self._standing if item == self.item else self._known.get(item, (None,))[0]
        return {
            "item": item,
            "statement": laid.pair.statement,
            "question": laid.pair.question,
            "source": laid.source,
            "like": list(laid.like),
            "rev": own.revision,
            "draft": answer_data(laid, self._body(own)),
            "standing": answer_data(laid, standing) if standing else None,
            "saved_at": own.saved_at.isoformat() if own.saved_at else "",
            "state": place.state if place else "open",
            "state_reason": place.reason if place else "",
            "at": at,
        }

    def _ahead(self, sources: dict[str, Any]) -> Any:
        """The pairs that a move leads to, so that the browser turns to one before we answer."""
        places, at = self.queue.places, self.at
        onward = self._unfinished(after=at)
        moves = {
            "previous": places[at - 1].item if at > 0 else None,
            "next": places[at + 1].item if 0 <= at < len(places) - 1 else None,
            **dict.fromkeys(_ONWARD, onward),
        }
        pairs: dict[str, PairData] = {}
        for item in dict.fromkeys(moves.values()):
            if item is None or item == self.item:
                continue
            laid: Laid = self.lay_out(item)
            if laid.source not in sources and len(laid.pair.text) > AHEAD_CHARACTERS:
                continue
            sources.setdefault(laid.source, laid.source_data)
            pairs[item] = self._pair(item)
        return {"moves": {a: i for a, i in moves.items() if i in pairs}, "pairs": pairs}

    def _reveal_data(self) -> Any:
        if not self.committed:
            return None
        second = self.first is not None and self.first.verdict != self.body["verdict"]
        return reveal_data(self.laid, self.revealed, first=self.first.verdict if second else None)

    def _read(self, item: str) -> judging.Draft:
        self._own[item] = self._draft(item)
        return self._own[item]

    # -- what the browser says -------------------------------------------------------------------

    @alone
    def take(self, message: Message) -> None:
        """Act on a message; what came of it is in ``ack``. Safe to repeat."""
        token = str(message.token)
        if self.ack and self.ack["token"] == token and not self.ack["error"]:
            return
        self.error = None
        try:
            self._act(message, token)
        except Conflict as conflict:
            self._count()
            self._known.pop(message.item, None)
            self._put(message.item)
            self.ack = _ack(token, error=conflict) | {
                "newer": {"rev": self.revision, "draft": answer_data(self.laid, self.body)}
            }
        except MedLensError as error:
            # A submission against the rules: its answer is saved as a draft all the same.
            kept = self.ack if self.ack and self.ack["token"] == token else None
            self.ack = _ack(token, error=error) | (
                {"rev": kept["rev"], "saved_at": kept["saved_at"]} if kept else {}
            )

    def refuse(self, token: str, error: MedLensError) -> None:
        """Answer what is no message at all."""
        self.ack = _ack(token, error=error)

    def _act(self, message: Message, token: str) -> None:
        if message.rater != self.rater.id:
            raise MedLensError(
                "This answer was given by another person, who is no longer signed in here.",
                hint="Switch back to that person to save it.",
            )
        if message.item != self.item:
            self._return_to(message.item)
        self._tick()
        body = self._body_in(message)
        work: dict[str, Any] = {
            "item": message.item, "rater": self.rater.id, "base": message.base, "token": token,
            "body": body, "active_seconds": self._active, "idle_seconds": self._idle,
        }  # fmt: skip
        try:
            if message.action == "submit":
                self._note_saved(token, body, judging.submit(self.store, self.task, **work))
            elif message.action == "draft" or body != self._kept:
                self._note_saved(token, body, judging.save_draft(self.store, self.task, **work))
            else:
                self.ack = _ack(token, rev=self.revision, at=self.saved_at)
        except InvalidInput:
            self._keep_revision(message, token, body)
            raise
        self._after(message, token)

    def _after(self, message: Message, token: str) -> None:
        if message.action == "draft":
            self._renew()
            self._guarded(self._claim_ahead)
        elif message.action == "submit":
            self._count()
            self._known.pop(message.item, None)
            # It is submitted, whatever becomes of the rest.
            if self._guarded(self._reveal):
                self._guarded(self._prepare)
        elif message.action in ("previous", "next"):
            self.step(-1 if message.action == "previous" else 1)
        else:
            if message.action in ("skip", "flag"):
                self._note(
                    message.action, message.item, reason=message.reason,
                    token=id_of("note", token),
                )  # fmt: skip
            self._go_on()

    def _return_to(self, item: str) -> None:
        """Put the pair that a message is about back on the desk."""
        self._count()
        if self.queue.index(item) < 0:
            raise NotAllowed("This pair is not in your queue.", hint="Open your own queue again.")
        self._put(item)

    def _body_in(self, message: Message) -> dict[str, Any]:
        """The answer of a message as the task has it; passages with the words that stand there."""
        answer, laid = message.body, self.laid
        body = self._kept | {"verdict": answer.verdict, "reason": answer.reason}
        marked = list(answer.marked) if answer.marked else None
        if marked == laid.marked(body["passages"]):
            return body
        if marked is None:
            return body | {"passages": []}
        if message.source != laid.source or marked[1] >= len(laid.page.starts):
            raise InvalidInput(
                "The passage that was marked is not in this source as it is now.",
                hint="Reload the page and mark it again.",
            )
        return body | {"passages": [laid.passage(*marked)]}

    def _keep_revision(self, message: Message, token: str, body: dict[str, Any]) -> None:
        """A submission against the rules left a draft: its revision goes into the answer."""
        draft = self._draft(message.item)
        if draft.revision > message.base and draft.saved_at is not None:
            self._note_saved(token, body, judging.Saved(draft.revision, draft.saved_at))

    def _note_saved(self, token: str, body: dict[str, Any], saved: judging.Saved) -> None:
        assert self.item is not None
        self.ack = _ack(token, rev=saved.revision, at=saved.saved_at)
        self.revision, self.saved_at = saved.revision, saved.saved_at
        self.body = self._kept = body
        self._own[self.item] = judging.Draft(
            saved.revision, self.task.parse(body), saved.saved_at, self._active, self._idle
        )

    # -- which pair ------------------------------------------------------------------------------

    def _claim_ahead(self) -> None:
        """Once work on a pair has begun, have the next one ready: moving on need not wait."""
        if self._unfinished(after=self.at) is None:
            self._claim()

    def _prepare(self) -> None:
        """Take and lay out the item that comes next while the models' word is being read."""
        item = self._unfinished(after=self.at) or self._claim()
        if item:
            self.lay_out(item)

    def _put(self, item: str | None) -> None:
        self.revealed, self.first, self._standing = [], None, None
        super()._put(item)
        if item is None:
            return
        self._own[item] = judging.Draft(
            self.revision, self.task.parse(self.body), self.saved_at, self._active, self._idle
        )
        place = self.place
        if place is not None and place.state == "submitted":
            self._guarded(self._reveal)

    def _reveal(self) -> None:
        assert self.item is not None
        if self.item in self._known:
            self._standing, self.first, self.revealed = self._known[self.item]
            return
        own = [
            row
            for row in judging.history(self.store, self.task, item=self.item, viewer=self.rater)
            if row["rater_id"] == self.rater.id
        ]
        if not own:
            return
        self._standing = own[-1]["value"].model_dump(mode="json")
        self.first = next((row["value"] for row in reversed(own) if row["blind"]), None)
        others = judging.others(self.store, self.task, item=self.item, viewer=self.rater)
        listed.note_pair_seen(self.store, self.item, self.rater)
        self.revealed = [row for row in others if row["rater_kind"] == "model"]
        self._known[self.item] = (self._standing, self.first, self.revealed)


def _ack(
    token: str, *, rev: int = 0, at: Any = None, error: MedLensError | None = None
) -> dict[str, Any]:
    said = None
    if error:
        # What is wrong with the store passes; what is wrong with the answer does not.
        passing = isinstance(error, StoreUnavailable)
        said = {"message": error.message, "hint": error.hint, "passing": passing}
    saved_at = at.isoformat() if at else ""
    return {"token": token, "rev": rev, "saved_at": saved_at, "error": said, "newer": None}
