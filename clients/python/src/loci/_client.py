"""Where Loci is, and whose memory is meant."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._memory import AsyncMemory, Memory, checked_scope
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

    def memory(self, *, org: str, project: str, **narrowed: str) -> Memory:
        """The memory of a project, narrowed by `user` and `session`; `agent` says who answers."""
        return Memory(self._transport, checked_scope(org, project, **narrowed))

    def request(self, method: str, path: str, data: Optional[Mapping[str, Any]] = None) -> Any:
        """Any other operation of the API: GET with `data` as its query, POST with `data` as its body."""
        if method == "GET":
            return self._transport.get(path, data).data
        if method == "POST":
            return self._transport.post(path, data or {}, writes=True).data
        raise TypeError(f"The methods of request are GET and POST, not {method}.")


class AsyncLoci:
    """The same as Loci for asyncio: `async for` over lists, `await` for all else."""

    def __init__(self, url: str = "http://127.0.0.1:8080", **options: Any) -> None:
        """Options as of Loci."""
        self._loci = Loci(url, **options)

    def memory(self, *, org: str, project: str, **narrowed: str) -> AsyncMemory:
        return AsyncMemory(self._loci.memory(org=org, project=project, **narrowed))
