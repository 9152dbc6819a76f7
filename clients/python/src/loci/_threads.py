"""Methods that wait, for asyncio: each call runs in a thread, with the same arguments and the same answer.

The threads are not those of the event loop's own pool, which it needs to look up host names: calls that hang and streams
that are silent leave those alone.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import partial
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
from weakref import WeakKeyDictionary

P = ParamSpec("P")
R = TypeVar("R")
S_co = TypeVar("S_co", covariant=True)

_CALLS_AT_ONCE = 64
_READ_AHEAD = 16
"""Entries that an iteration has read and not yet given."""

_is_left: ContextVar[Callable[[], bool]] = ContextVar("loci_is_left", default=lambda: False)

_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, ThreadPoolExecutor] = WeakKeyDictionary()


class Left(Exception):
    """Who wanted the entries has gone."""


def refuse_left() -> None:
    """For what waits on behalf of an iteration. Raises Left when that has ended."""
    if _is_left.get()():
        raise Left


class Waiting(Protocol[S_co]):
    """What stands before an object whose methods wait."""

    @property
    def waiting(self) -> S_co: ...


def in_thread(
    method: Callable[Concatenate[S_co, P], R],
) -> Callable[Concatenate[Waiting[S_co], P], Coroutine[Any, Any, R]]:
    async def called(self: Waiting[S_co], /, *args: P.args, **named: P.kwargs) -> R:
        call = partial(copy_context().run, method, self.waiting, *args, **named)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_pool_of(loop), call)

    called.__doc__ = method.__doc__
    return called


def iterated(
    method: Callable[Concatenate[S_co, P], Iterator[R]],
) -> Callable[Concatenate[Waiting[S_co], P], AsyncIterator[R]]:
    async def called(self: Waiting[S_co], /, *args: P.args, **named: P.kwargs) -> AsyncIterator[R]:
        reading = _Reading(method(self.waiting, *args, **named))
        try:
            async for one in reading:
                yield one
        finally:
            reading.end()

    called.__doc__ = method.__doc__
    return called


def _pool_of(loop: asyncio.AbstractEventLoop) -> ThreadPoolExecutor:
    pool = _pools.get(loop)
    if pool is None:
        pool = _pools[loop] = ThreadPoolExecutor(_CALLS_AT_ONCE, thread_name_prefix="loci")
    return pool


class _Reading:
    """Entries that a thread of their own reads: it keeps neither the process nor a pool from ending, however long it waits."""

    def __init__(self, entries: Iterator[Any]) -> None:
        self._entries = entries
        self._loop = asyncio.get_running_loop()
        self._read: asyncio.Queue[tuple[Any, bool]] = asyncio.Queue()
        self._room = threading.Semaphore(_READ_AHEAD)
        self._is_over = False
        threading.Thread(target=copy_context().run, args=(self._run,), name="loci", daemon=True).start()

    def end(self) -> None:
        """Nothing more is wanted: the thread ends with what comes next, be it no entry."""
        self._is_over = True
        self._room.release()

    async def __aiter__(self) -> AsyncIterator[Any]:
        while True:
            one, is_entry = await self._read.get()
            if is_entry:
                self._room.release()
                yield one
            elif one is None:
                return
            else:
                raise one

    def _run(self) -> None:
        failure = None
        _is_left.set(lambda: self._is_over)
        try:
            for one in self._entries:
                self._room.acquire()
                if self._is_over:
                    break
                self._tell(one, True)
        except BaseException as error:
            failure = error
        self._tell(failure, False)

    def _tell(self, one: Any, is_entry: bool) -> None:
        # the loop may be closed by now
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._read.put_nowait, (one, is_entry))
