"""Methods that wait, for asyncio: each call runs in a thread, with the same arguments and the same answer."""

from __future__ import annotations

import asyncio
from typing import (
    Any,
    AsyncIterator,
    Callable,
    Concatenate,
    Coroutine,
    Iterator,
    ParamSpec,
    Protocol,
    TypeVar,
)

P = ParamSpec("P")
R = TypeVar("R")
S_co = TypeVar("S_co", covariant=True)


class Waiting(Protocol[S_co]):
    """What stands before an object whose methods wait."""

    @property
    def waiting(self) -> S_co: ...


def in_thread(
    method: Callable[Concatenate[S_co, P], R],
) -> Callable[Concatenate[Waiting[S_co], P], Coroutine[Any, Any, R]]:
    async def called(self: Waiting[S_co], /, *args: P.args, **named: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.waiting, *args, **named)

    called.__doc__ = method.__doc__
    return called


_END: Any = object()


def iterated(
    method: Callable[Concatenate[S_co, P], Iterator[R]],
) -> Callable[Concatenate[Waiting[S_co], P], AsyncIterator[R]]:
    async def called(self: Waiting[S_co], /, *args: P.args, **named: P.kwargs) -> AsyncIterator[R]:
        entries = method(self.waiting, *args, **named)
        while (one := await asyncio.to_thread(next, entries, _END)) is not _END:
            yield one

    called.__doc__ = method.__doc__
    return called
