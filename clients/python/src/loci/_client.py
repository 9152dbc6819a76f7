"""Where Loci is, and whose memory is meant."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from ._events import Event, events
from ._memory import UNSET, AsyncMemory, Memory, Unset, checked_scope
from ._namespaces import (
    AsyncIngestion,
    AsyncKeys,
    AsyncProjects,
    AsyncResources,
    AsyncWebhooks,
    Ingestion,
    Keys,
    Projects,
    Resources,
    Webhooks,
)
from ._operations import AsyncOperations, Operations
from ._threads import in_thread, iterated
from ._transport import Transport


class Loci:
    """One deployment of Loci. Threads may share it.

    >>> memory = Loci("http://127.0.0.1:8080").memory(org="acme", project="travel-agent", user="alice")
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        api_key: Optional[str] = None,
        timeout_seconds: float = 30.0,
        max_retries: int = 3,
        max_wait_seconds: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        """`max_retries` 0: no idempotency keys. `max_wait_seconds`: a refusal that asks to wait for longer is final."""
        self._transport = Transport(
            url,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            max_wait_seconds=max_wait_seconds,
            headers=dict(headers or {}),
        )

    @property
    def api(self) -> Operations:
        """Every operation of the API, by its name in the document; all else here stands on it."""
        return Operations(self._transport)

    @property
    def projects(self) -> Projects:
        return Projects(self._transport)

    @property
    def keys(self) -> Keys:
        return Keys(self._transport)

    @property
    def resources(self) -> Resources:
        """Language models, embedders, rerankers."""
        return Resources(self._transport)

    @property
    def ingestion(self) -> Ingestion:
        return Ingestion(self._transport)

    @property
    def webhooks(self) -> Webhooks:
        """Receivers of events."""
        return Webhooks(self._transport)

    def memory(
        self,
        *,
        org: str,
        project: str,
        user: Union[str, Unset] = UNSET,
        agent: Union[str, Unset] = UNSET,
        session: Union[str, Unset] = UNSET,
    ) -> Memory:
        """The memory of a project, narrowed by `user` and `session`; `agent` says who answers."""
        named = {"user": user, "agent": agent, "session": session}
        narrowed = {name: value for name, value in named.items() if not isinstance(value, Unset)}
        return Memory(self.api, checked_scope(org, project, **narrowed))

    def events(
        self,
        *,
        org: Optional[str] = None,
        project: Optional[str] = None,
        types: Optional[Sequence[str]] = None,
        after: Optional[str] = None,
        follow: bool = True,
    ) -> Iterator[Event]:
        """Goes through what happens, as it happens; connects again by itself and misses nothing in between.

        `after`: goes on behind the event with this `position`; `"0"`: from the oldest that is kept; default: from now
        on. `follow` False: ends with the last event that there is. Raises LociError when it is refused, or not reached
        for about a minute.
        """
        return events(self._transport, org=org, project=project, types=types, after=after, follow=follow)

    def request(self, method: str, path: str, data: Optional[Mapping[str, Any]] = None) -> Any:
        """An operation by its path: GET and DELETE with `data` as the query, POST and PUT with `data` as the body."""
        if method in ("GET", "DELETE"):
            return self._transport.call(method, path, query=data, writes=method == "DELETE").data
        if method in ("POST", "PUT"):
            return self._transport.call(method, path, body=data or {}, writes=True).data
        raise TypeError(f"The methods of request are GET, POST, PUT and DELETE, not {method}.")


class AsyncLoci:
    """The same as Loci for asyncio: `async for` over lists, `await` for all else."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        api_key: Optional[str] = None,
        timeout_seconds: float = 30.0,
        max_retries: int = 3,
        max_wait_seconds: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        """Options as of Loci."""
        self.waiting = Loci(
            url,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            max_wait_seconds=max_wait_seconds,
            headers=headers,
        )

    @property
    def api(self) -> AsyncOperations:
        return AsyncOperations(self.waiting.api)

    @property
    def projects(self) -> AsyncProjects:
        return AsyncProjects(self.waiting.projects)

    @property
    def keys(self) -> AsyncKeys:
        return AsyncKeys(self.waiting.keys)

    @property
    def resources(self) -> AsyncResources:
        return AsyncResources(self.waiting.resources)

    @property
    def ingestion(self) -> AsyncIngestion:
        return AsyncIngestion(self.waiting.ingestion)

    @property
    def webhooks(self) -> AsyncWebhooks:
        return AsyncWebhooks(self.waiting.webhooks)

    def memory(
        self,
        *,
        org: str,
        project: str,
        user: Union[str, Unset] = UNSET,
        agent: Union[str, Unset] = UNSET,
        session: Union[str, Unset] = UNSET,
    ) -> AsyncMemory:
        return AsyncMemory(
            self.waiting.memory(org=org, project=project, user=user, agent=agent, session=session)
        )

    events = iterated(Loci.events)
    request = in_thread(Loci.request)
