"""Who is at the keyboard, in a run that the browser's next question ends in its middle."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest

from medlens.ui import user_identity_sign_in_and_sign_out
from medlens.ui.user_identity_sign_in_and_sign_out import PERSON, Person

ADA, BOB = (Person(name.lower(), name, None, "reviewer", "local") for name in ("Ada", "Bob"))


class Ended(Exception):
    """Streamlit ends the run."""


class State(MutableMapping[str, Any]):
    """A session's state that ends the run at the step after so many; each asking is a step."""

    def __init__(self, held: dict[str, Any], steps: int) -> None:
        self.held, self.steps = held, steps

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise Ended

    def __getitem__(self, key: str) -> Any:
        self._step()
        return self.held[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._step()
        self.held[key] = value

    def __delitem__(self, key: str) -> None:
        self._step()
        del self.held[key]

    def __iter__(self) -> Iterator[str]:
        self._step()
        return iter(list(self.held))

    def __len__(self) -> int:
        return len(self.held)

    def clear(self) -> None:
        self._step()
        self.held.clear()


@pytest.mark.parametrize("before", [None, ADA])
def test_a_sign_in_that_is_ended_in_its_middle_never_leaves_a_session_that_knows_of_nobody(
    monkeypatch: pytest.MonkeyPatch, before: Person | None
) -> None:
    for steps in range(12):
        state = State({PERSON: before, "typed": "half a word"}, steps)
        monkeypatch.setattr(user_identity_sign_in_and_sign_out.st, "session_state", state)
        try:
            user_identity_sign_in_and_sign_out.set_person_of_tab(BOB)
        except Ended:
            # The press is forgotten, or the page is another person's and is loaded afresh.
            assert state.held[PERSON] in (before, BOB)
            if before is not None and state.held[PERSON] == BOB:
                assert len(state.held.keys() - {PERSON, "typed"}) == 1
        else:
            assert state.held[PERSON] == BOB
            assert "typed" not in state.held
            return
    raise AssertionError("it never came to its end")
