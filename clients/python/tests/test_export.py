"""How an export is taken up again."""

import json
import unittest
from typing import Any, Iterator, Mapping, Optional

from loci import LociError
from loci._namespaces import Projects
from loci._transport import Transport

HEADER = {"kind": "project"}
LINES = [HEADER, *({"kind": "episode", "cursor": cursor} for cursor in "12"), {"kind": "end"}]
GONE = LociError(0, "connection_failed", "gone")
BUSY = LociError(503, "service_unavailable", "busy", retry_after_seconds=2.0)


class Breaking(Transport):
    """Writes as the server does, and breaks off behind so many lines."""

    def breaks(self, behind: Optional[int], failure: Optional[LociError] = None) -> "Breaking":
        object.__setattr__(self, "behind", behind)
        object.__setattr__(self, "failure", failure)
        return self

    def lines(self, path: str, query: Mapping[str, Any], **_: Any) -> Iterator[str]:
        rest = LINES[1 + int(query["after"] or 0) :]
        for line in [HEADER, *rest][: self.behind]:
            yield json.dumps(line)
        if self.failure:
            raise self.failure


class Export(unittest.TestCase):
    def setUp(self) -> None:
        self.waited: list[float] = []
        self.given: list[Any] = []
        self.transport = Breaking("http://loci", pause=self.waited.append, chance=lambda: 1.0)

    def read(self) -> list[Any]:
        for line in Projects(self.transport).export(org="acme", project="p"):
            self.given.append(line)
        return self.given

    def test_one_that_breaks_off_behind_each_line_gets_on_after_a_pause(self) -> None:
        for failure in (None, GONE):
            self.given, self.waited[:] = [], []
            self.transport.breaks(2, failure)
            self.assertEqual(self.read(), LINES)
            self.assertEqual(self.waited, [0.25, 0.25])

    def test_one_that_always_breaks_off_behind_the_line_of_the_project_is_an_error(self) -> None:
        for failure in (None, GONE):
            self.given, self.waited[:] = [], []
            self.transport.breaks(1, failure)
            with self.assertRaises(LociError) as raised:
                self.read()
            self.assertEqual((raised.exception.code, self.given), ("connection_failed", [HEADER]))
            self.assertEqual(self.waited, [0.25, 0.5, 1.0, 2.0, 4.0])

    def test_half_a_line_comes_again(self) -> None:
        first = iter([['{"kind": "project"}', '{"kind": "epi']])
        transport = self.transport.breaks(None)
        whole = transport.lines
        object.__setattr__(transport, "lines", lambda *given, **named: next(first, None) or whole(*given, **named))
        self.assertEqual(self.read(), LINES)

    def test_a_refusal_is_final_unless_waiting_mends_it(self) -> None:
        self.transport.breaks(0, LociError(404, "project_not_found", "No."))
        with self.assertRaises(LociError):
            self.read()
        self.assertEqual(self.waited, [])
        self.transport.breaks(0, BUSY)
        with self.assertRaises(LociError) as raised:
            self.read()
        self.assertEqual((raised.exception, self.waited), (BUSY, [2.25, 2.5, 3.0, 4.0, 6.0]))


if __name__ == "__main__":
    unittest.main()
