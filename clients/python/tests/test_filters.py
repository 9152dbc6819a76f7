"""Filters: what a program gives is data. Run with `python3 -m unittest discover -s clients/python/tests`."""

import unittest
from datetime import date, datetime, timezone

from loci import Filter, all_of, any_of, literal, where


class Filters(unittest.TestCase):
    def test_all_conditions_hold(self) -> None:
        filter = where(
            user_id="mira",
            since=datetime(2026, 5, 1, tzinfo=timezone.utc),
            until=date(2026, 6, 1),
            metadata={"kind": ["note", "task"], "priority": {"gte": 2, "lt": 5.5}},
        )
        self.assertEqual(
            filter.text,
            "(metadata.'user_id' = 'mira') AND (metadata.'kind' IN ('note', 'task'))"
            " AND (metadata.'priority' >= 2) AND (metadata.'priority' < 5.5)"
            " AND (created_at >= date('2026-05-01T00:00:00+00:00')) AND (created_at < date('2026-06-01'))",
        )

    def test_a_value_changes_no_condition(self) -> None:
        hostile = "x' OR metadata.user_id IS NOT NULL OR metadata.a='"
        self.assertEqual(
            where(user_id=hostile).text,
            "metadata.'user_id' = 'x'' OR metadata.user_id IS NOT NULL OR metadata.a='''",
        )
        self.assertEqual(where(metadata={"k'ey": 1}).text, "metadata.'k''ey' = 1")

    def test_joins(self) -> None:
        one, other = where(tag="a"), where(tag="b")
        self.assertEqual((one & other).text, "(tag = 'a') AND (tag = 'b')")
        self.assertEqual((one | ~other).text, "(tag = 'a') OR (NOT (tag = 'b'))")
        self.assertEqual(any_of(one).text, one.text)
        self.assertEqual(all_of(one, other).text, (one & other).text)

    def test_what_would_match_everything_is_refused(self) -> None:
        for refused in (
            lambda: where(),
            lambda: where(metadata={}),
            lambda: where(tag={}),
            lambda: where(colour="red"),
            lambda: where(tag={"like": "a"}),
            lambda: all_of(),
            lambda: literal("a\0b"),
            lambda: literal(float("nan")),
            lambda: literal(2**60),
            lambda: literal(object()),
            lambda: where(tag=["a", 1]),
            lambda: where(metadata={"": 1}),
            lambda: bool(Filter("tag = 'a'")),
        ):
            with self.assertRaises(TypeError):
                refused()

    def test_missing_and_empty(self) -> None:
        self.assertEqual(where(tag=None).text, "tag IS NULL")
        self.assertEqual(where(tag={"exists": True}).text, "tag IS NOT NULL")
        self.assertEqual(where(tag=[]).text, "tag IS NULL AND tag IS NOT NULL")
        self.assertEqual(where(metadata={"n": 1.5e-7}).text, "metadata.'n' = 0.00000015")


if __name__ == "__main__":
    unittest.main()
