"""What calls of asyncio leave alone while they wait."""

import asyncio
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Iterator

from loci._threads import in_thread, iterated


class Slow:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def call(self) -> str:
        self.may_answer.wait()
        return "answered"

    def entries(self) -> Iterator[int]:
        yield from range(100)
        self.may_answer.wait()
        raise ValueError("the end")


class Fast:
    def __init__(self, waiting: Slow) -> None:
        self.waiting = waiting

    call = in_thread(Slow.call)
    entries = iterated(Slow.entries)


class Threads(unittest.IsolatedAsyncioTestCase):
    async def test_calls_and_streams_that_hang_leave_the_pool_of_the_loop_alone(self) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        slow = Slow()
        hanging = asyncio.create_task(Fast(slow).call())
        streams = [Fast(slow).entries() for _ in range(40)]
        for stream in streams:
            self.assertEqual(await anext(stream), 0)
        self.assertEqual(await asyncio.wait_for(asyncio.to_thread(lambda: 1), 10), 1)
        slow.may_answer.set()
        self.assertEqual(await hanging, "answered")

    async def test_entries_come_in_sequence_and_then_the_failure(self) -> None:
        slow = Slow()
        slow.may_answer.set()
        read: list[int] = []
        with self.assertRaises(ValueError):
            async for one in Fast(slow).entries():
                read.append(one)
        self.assertEqual(read, list(range(100)))


if __name__ == "__main__":
    unittest.main()
