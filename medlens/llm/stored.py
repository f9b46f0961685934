"""What is stored already, asked as if it were a model: how far work comes without a call."""

from __future__ import annotations

from collections.abc import Mapping

from medlens.errors import InvalidInput
from medlens.llm import queries
from medlens.llm.desk import Completion
from medlens.llm.request import Request
from medlens.settings import Model
from medlens.store import Store


class NotStored(Exception):
    """This has not been answered before."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.name)
        self.request = request


class StoredDesk:
    """A desk that has stored answers alone. ``found`` are the ids of those it gave."""

    def __init__(self, store: Store, models: Mapping[str, Model]) -> None:
        self._store, self._models = store, models
        endpoints = sorted({(one.base_url, one.model) for one in models.values()})
        self._known = queries.known(store, endpoints)
        self.found: set[str] = set()

    def model(self, name: str) -> Model:
        """The settings of a model.

        Raises:
            InvalidInput: the desk was not given it.
        """
        if name not in self._models:
            raise InvalidInput(f"The model {name!r} is not part of this run.")
        return self._models[name]

    async def complete(self, request: Request, *, repeat: int) -> Completion:
        """The stored answer.

        Raises:
            NotStored: there is none.
        """
        id = request.completion_id(repeat)
        row = queries.completion(self._store, id) if id in self._known else None
        if row is None:
            raise NotStored(request)
        self.found.add(id)
        return Completion.of(row)
