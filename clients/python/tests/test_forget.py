"""What forgetting by a filter returns."""

import unittest
from typing import Any

from loci import where
from loci._memory import Memory, Scope
from loci._transport import Answer


class CountsTwoAndDeletesFive:
    """As a server answers that counts two messages within seconds, of the five that match."""

    def forget_memories(self, body: Any) -> Any:
        return Answer({"id": "j", "state": "deleting", "matching": 2, "deleted": 0}, {})

    def get_forget_job(self, id: str, **tenant: str) -> Any:
        return Answer({"id": id, "state": "purging", "matching": 2, "deleted": 5}, {})


class Forget(unittest.TestCase):
    def setUp(self) -> None:
        operations: Any = CountsTwoAndDeletesFive()
        self.memory = Memory(operations, Scope("acme", "p"))

    def test_who_waits_learns_how_many_were_deleted(self) -> None:
        self.assertEqual(self.memory.forget(where(session_id="s")), 5)

    def test_who_does_not_wait_learns_how_many_matched(self) -> None:
        self.assertEqual(self.memory.forget(where(session_id="s"), wait=False), 2)


if __name__ == "__main__":
    unittest.main()
