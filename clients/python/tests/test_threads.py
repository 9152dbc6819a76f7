"""What calls of asyncio leave alone while they wait."""

import asyncio
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator

from loci import AsyncLoci
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


class Silent(BaseHTTPRequestHandler):
    """A stream of one event, and of comments from then on until its reader has gone."""

    gone = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            self.wfile.write(b'id: 1\ndata: {"type": "project.created"}\n\n')
            while not self.gone.wait(0.01):
                self.wfile.write(b": keep-alive\n")
        except OSError:
            self.gone.set()

    def log_message(self, *_: Any) -> None:
        return


class Streams(unittest.IsolatedAsyncioTestCase):
    async def test_a_silent_stream_that_is_left_ends_its_connection(self) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(Silent.gone.set)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        events = AsyncLoci(f"http://127.0.0.1:{server.server_port}").events()
        self.assertEqual((await anext(events))["type"], "project.created")
        await events.aclose()
        self.assertTrue(await asyncio.to_thread(Silent.gone.wait, 30))


if __name__ == "__main__":
    unittest.main()
