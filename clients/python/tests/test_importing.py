"""Exports of other memories become messages."""

import unittest
from datetime import datetime, timezone

from loci._importing import read_export

MEM0 = {
    "results": [
        {
            "id": "m-1",
            "memory": "Prefers window seats",
            "user_id": "alice",
            "run_id": "trip",
            "categories": ["travel", "seats"],
            "metadata": {"priority": 2, "note": None},
            "created_at": "2024-07-25T23:57:00.108347-07:00",
        },
        {"id": "m-2", "memory": None},
    ]
}

ZEP = {
    "user_id": "alice",
    "messages": [
        {"uuid": "z-1", "content": "I moved to Porto.", "role": "user", "created_at": "2026-03-02T10:00:00Z"},
        {"uuid": "z-2", "content": "Noted.", "role": "assistant", "thread_id": "t", "created_at": "2026-03-02T10:00:01Z"},
    ],
    "edges": [
        {"uuid": "z-3", "fact": "alice LIVES_IN Porto", "valid_at": "2026-03-02T00:00:00Z", "invalid_at": None},
        {"uuid": "z-4", "fact": "alice LIVES_IN Lisbon", "invalid_at": "2026-03-02T00:00:00Z"},
    ],
}

MEMMACHINE = {
    "status": 0,
    "content": {
        "episodic_memory": [
            {
                "uid": "17",
                "content": "I row on Sundays.",
                "producer_id": "ann",
                "producer_role": "user",
                "produced_for_id": "bot",
                "created_at": "2026-03-02T10:00:00+00:00",
                "metadata": {"user_id": "ann"},
            }
        ],
        "semantic_memory": [{"category": "profile", "tag": "Sport", "feature_name": "rows", "value": "Sundays"}],
    },
}


class Exports(unittest.TestCase):
    def test_mem0(self) -> None:
        [message], skipped = read_export("mem0", MEM0)
        self.assertEqual((message.content, message.producer, skipped), ("Prefers window seats", "alice", 1))
        self.assertEqual(
            message.metadata,
            {
                "user_id": "alice",
                "session_id": "trip",
                "categories": "travel, seats",
                "priority": "2",
                "imported_from": "mem0",
                "imported_id": "m-1",
            },
        )
        self.assertEqual(message.at, datetime(2024, 7, 26, 6, 57, 0, 108347, timezone.utc))
        self.assertEqual(len(read_export("mem0", MEM0["results"])[0]), 1)

    def test_zep(self) -> None:
        messages, skipped = read_export("zep", ZEP)
        said = [(one.content, one.producer, one.role) for one in messages]
        self.assertEqual(
            said,
            [
                ("I moved to Porto.", "alice", "user"),
                ("Noted.", "assistant", "assistant"),
                ("alice LIVES_IN Porto", "alice", "user"),
            ],
        )
        self.assertEqual((messages[1].metadata["session_id"], skipped), ("t", 1))

    def test_an_export_of_another_memory_is_an_error(self) -> None:
        with self.assertRaisesRegex(ValueError, "None of the 2 entries has a message for this import of zep"):
            read_export("zep", MEM0)

    def test_memmachine(self) -> None:
        [message], skipped = read_export("memmachine", MEMMACHINE)
        self.assertEqual((message.producer, message.produced_for, skipped), ("ann", "bot", 1))
        self.assertEqual(message.metadata["imported_id"], "17")

    def test_what_is_none(self) -> None:
        for source, export in (("other", MEM0), ("mem0", {}), ("zep", "text"), ("memmachine", [])):
            with self.assertRaises(ValueError):
                read_export(source, export)

    def test_what_has_another_shape_says_which_it_should_have(self) -> None:
        for export in ({"results": 5}, {"results": {"a": 1}}, {}):
            with self.assertRaisesRegex(ValueError, "should be a list of objects, or an object with such a list as one of results,"):
                read_export("mem0", export)
        with self.assertRaisesRegex(ValueError, "metadata of each entry should be an object"):
            read_export("mem0", [{"memory": "x", "metadata": 5}])


if __name__ == "__main__":
    unittest.main()
