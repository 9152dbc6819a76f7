"""What forgetting by a filter returns."""

import unittest
from typing import Any, List

from loci import LociError, where
from loci._memories import to_episode, to_feature
from loci._memory import Memory, Scope
from loci._transport import Answer


class CountsTwoAndDeletesFive:
    """As a server answers that counts two messages within seconds, of the five that match, and has no single message."""

    def __init__(self) -> None:
        self.deleted: List[str] = []

    def delete_episodic_memory(self, body: Any) -> Any:
        raise LociError(404, "memory_not_found", "gone", not_found=body["episodic_ids"])

    def delete_semantic_memory(self, body: Any) -> Any:
        self.deleted += body["semantic_ids"]

    def forget_memories(self, body: Any) -> Any:
        return Answer({"id": "j", "state": "deleting", "matching": 2, "deleted": 0}, {})

    def get_forget_job(self, id: str, **tenant: str) -> Any:
        return Answer({"id": id, "state": "purging", "matching": 2, "deleted": 5}, {})


class Forget(unittest.TestCase):
    def setUp(self) -> None:
        self.operations: Any = CountsTwoAndDeletesFive()
        self.memory = Memory(self.operations, Scope("acme", "p"))

    def test_who_waits_learns_how_many_were_deleted(self) -> None:
        self.assertEqual(self.memory.forget(where(session_id="s")), 5)

    def test_who_does_not_wait_learns_how_many_matched(self) -> None:
        self.assertEqual(self.memory.forget(where(session_id="s"), wait=False), 2)

    def test_what_is_not_there_keeps_none_of_the_others_from_being_deleted(self) -> None:
        gone, fact = [_episode(f"e{number}") for number in range(1001)], _feature("fact")
        with self.assertRaises(LociError) as raised:
            self.memory.forget([*gone, fact])
        self.assertEqual(raised.exception.code, "memory_not_found")
        self.assertEqual(raised.exception.not_found, tuple(one.id for one in gone))
        self.assertEqual(self.operations.deleted, ["fact"])


def _episode(id: str) -> Any:
    return to_episode(
        {
            "uid": id,
            "content": "x",
            "producer_id": "mira",
            "producer_role": "user",
            "produced_for_id": "",
            "created_at": "2024-05-01T00:00:00Z",
        }
    )


def _feature(id: str) -> Any:
    words = {"set_id": "s", "category": "c", "tag": "t", "feature_name": "n", "value": "v", "trust": "trusted"}
    return to_feature({**words, "metadata": {"id": id}})


if __name__ == "__main__":
    unittest.main()
