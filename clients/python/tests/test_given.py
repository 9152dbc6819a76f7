"""What is not a message, a kind or a filter is told before anything is sent."""

import unittest
from typing import Any

from loci import Loci

URL = "http://127.0.0.1:9"


class Given(unittest.TestCase):
    def setUp(self) -> None:
        self.memory: Any = Loci(URL, max_retries=0).memory(org="acme", project="p", user="anna")

    def test_a_dict_is_no_list_of_messages(self) -> None:
        for said in ({"content": "hello", "role": "user"}, [{"content": "hello"}], 5, [None], None):
            with self.subTest(said=said), self.assertRaisesRegex(TypeError, "A message is a text or a Message"):
                self.memory.add(said)

    def test_a_kind_that_there_is_not(self) -> None:
        for kinds in (["episodes"], ["episodic"], "episode"):
            for call in (
                lambda: self.memory.add("x", kinds=kinds),
                lambda: self.memory.recall("x", kinds=kinds),
                lambda: self.memory.search("x", kinds=kinds),
                lambda: self.memory.count(kinds=kinds),
                lambda: next(self.memory.list(kinds=kinds)),
            ):
                with self.subTest(kinds=kinds), self.assertRaisesRegex(TypeError, "The kinds are a list of"):
                    call()

    def test_a_text_is_no_filter(self) -> None:
        for call in (
            lambda: self.memory.recall("x", filter="metadata.a='b'"),
            lambda: self.memory.search("x", filter="metadata.a='b'"),
            lambda: self.memory.count(filter=""),
            lambda: next(self.memory.list(filter="metadata.a='b'")),
        ):
            with self.assertRaisesRegex(TypeError, "A filter is made by where"):
                call()

    def test_a_text_is_nothing_to_forget(self) -> None:
        for what in ("metadata.a='b'", ["019a"]):
            with self.assertRaisesRegex(TypeError, "What is forgotten was given by"):
                self.memory.forget(what)


if __name__ == "__main__":
    unittest.main()
