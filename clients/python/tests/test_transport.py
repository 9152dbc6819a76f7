"""What is tried again, against a server that this process plays."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Optional

from loci import Loci, LociError
from loci._transport import Transport, retry_after_seconds_of


class Played:
    """Answers with what a test wrote down, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], Any]] = []
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        played = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                named = {name.lower(): value for name, value in self.headers.items()}
                played.asked.append((self.path, named, json.loads(body or b"null")))
                status, headers, answer = played.answers.pop(0)
                text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers, "content-length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST

            def log_message(self, *_: Any) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


ADDED = (200, {}, {"results": [{"uid": "e-1"}]})
BUSY = (503, {}, {"detail": "Later.", "code": "service_unavailable"})


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.played = Played()
        self.waited: list[float] = []
        self.addCleanup(self.played.server.server_close)
        self.addCleanup(self.played.server.shutdown)

    def loci(self, **options: Any) -> Loci:
        loci = Loci(self.played.url, api_key="k", **options)
        loci._transport = Transport(
            self.played.url,
            api_key="k",
            pause=self.waited.append,
            chance=lambda: 1.0,
            max_retries=options.get("max_retries", 3),
        )
        return loci

    def memory(self, **options: Any):
        return self.loci(**options).memory(org="acme", project="p", user="mira")

    def test_a_write_is_repeated_with_one_key(self) -> None:
        self.played.answers = [BUSY, (429, {"retry-after": "2"}, {"detail": "x", "code": "y"}), ADDED]
        self.assertEqual(self.memory().add("hello"), ["e-1"])
        keys = {headers["idempotency-key"] for _, headers, _ in self.played.asked}
        ids = {headers["x-request-id"] for _, headers, _ in self.played.asked}
        self.assertEqual((len(keys), len(ids), self.waited), (1, 1, [0.25, 2.5]))
        _, headers, body = self.played.asked[0]
        self.assertEqual(headers["authorization"], "Bearer k")
        self.assertEqual(body["messages"][0]["metadata"], {"user_id": "mira"})

    def test_a_read_has_no_key(self) -> None:
        self.played.answers = [(200, {"x-degraded": "a, b"}, {"memories": []})]
        self.assertEqual(self.memory().recall("x").degraded, ("a", "b"))
        self.assertNotIn("idempotency-key", self.played.asked[0][1])

    def test_nothing_that_others_wrote_by_bound_keys_is_of_a_user(self) -> None:
        self.played.answers = [(200, {"x-total-count": "2"}, {"content": {"episodic_memory": []}})]
        self.assertEqual(self.memory().count(kinds=["episode"]), 2)
        self.assertEqual(
            self.played.asked[0][2]["filter"],
            "(bound_producer = 'mira') OR ((bound_producer IS NULL) AND ((metadata.'user_id' = 'mira') OR "
            "((metadata.'user_id' IS NULL) AND (producer_id = 'mira'))))",
        )

    def test_refusals_are_final(self) -> None:
        for status, answer, code in (
            (404, {"detail": "No.", "code": "project_not_found"}, "project_not_found"),
            (409, {"detail": "No.", "code": "conflict"}, "conflict"),
            (422, {"detail": [{"loc": ["body", 0], "msg": "m", "type": "t"}]}, "invalid_request"),
            (500, "no object", "unknown"),
            (302, {}, "unknown"),
        ):
            self.played.answers = [(status, {"location": "http://elsewhere/", "x-request-id": "r"}, answer)]
            with self.assertRaises(LociError) as raised:
                self.memory().add("x")
            self.assertEqual((raised.exception.status, raised.exception.code), (status, code))
            self.assertEqual(raised.exception.request_id, "r")
        self.assertEqual(self.waited, [])

    def test_an_answer_that_is_none_of_loci_is_no_success(self) -> None:
        for status, kind in ((200, "text/html; charset=utf-8"), (201, "TEXT/HTML"), (200, "")):
            self.played.answers = [(status, {"content-type": kind}, b"<html>Log in</html>")]
            with self.assertRaises(LociError) as raised:
                self.memory().add("x")
            self.assertEqual((raised.exception.status, raised.exception.code), (status, "unexpected_answer"))
        for read in (self.loci().events, lambda: self.loci().projects.export(org="acme", project="p")):
            self.played.answers = [(200, {"content-type": "text/html"}, b"<html>Log in</html>")]
            with self.assertRaises(LociError) as raised:
                next(iter(read()))
            self.assertEqual(raised.exception.code, "unexpected_answer")
        self.assertEqual(self.waited, [])

    def test_text_and_nothing_are_answers_where_loci_gives_them(self) -> None:
        for status, kind, text, data in (
            (200, "text/plain; charset=utf-8", b"loci_up 1", "loci_up 1"),
            (200, "application/json; charset=utf-8", b"[1]", [1]),
            (202, "", b"", None),
            (204, "", b"", None),
        ):
            self.played.answers = [(status, {"content-type": kind}, text)]
            self.assertEqual(self.loci()._transport.call("GET", "/metrics").data, data)

    def test_a_secret_whose_answer_was_lost_is_told(self) -> None:
        loci = Loci(self.played.url, api_key="k")
        for issue in (
            lambda: loci.keys.create("agent", ["read"]),
            lambda: loci.keys.rotate("k-1"),
            lambda: loci.webhooks.create("https://receiver.example"),
            lambda: loci.webhooks.rotate("k-1"),
        ):
            self.played.answers = [(200, {}, {"id": "k-1", "secret": None})]
            with self.assertRaises(LociError) as raised:
                issue()
            self.assertEqual(raised.exception.code, "secret_lost")
            self.assertIn("k-1", str(raised.exception))
        self.played.answers = [(200, {}, {"id": "k-1", "secret": "s"})]
        self.assertEqual(loci.keys.rotate("k-1")["secret"], "s")

    def test_it_gives_up(self) -> None:
        self.played.answers = [BUSY, BUSY]
        with self.assertRaises(LociError) as raised:
            self.memory(max_retries=1).add("x")
        self.assertEqual(raised.exception.code, "service_unavailable")
        self.played.answers = [(503, {"retry-after": "3600"}, {"detail": "x", "code": "y"})]
        with self.assertRaises(LociError):
            self.memory().add("x")
        self.assertEqual(len(self.waited), 1)

    def test_nothing_listens(self) -> None:
        transport = Transport("http://127.0.0.1:9", max_retries=1, pause=self.waited.append)
        with self.assertRaises(LociError) as raised:
            transport.call("GET", "/health")
        self.assertEqual((raised.exception.status, raised.exception.code), (0, "connection_failed"))
        self.assertEqual(len(self.waited), 1)

    def test_what_a_client_prints_of_itself_has_no_key(self) -> None:
        transport = Transport("http://loci", api_key="loci_secret", headers={"x-portal": "of-portal"})
        loci = Loci("http://loci", api_key="loci_secret", headers={"x-portal": "of-portal"})
        memory = loci.memory(org="acme", project="p")
        for shown in (transport, loci, loci.api, loci.projects, loci.keys, memory, vars(loci), vars(memory)):
            self.assertNotRegex(repr(shown), "loci_secret|of-portal")
        self.assertIn("http://loci", repr(transport))

    def test_urls_and_scopes_that_are_none(self) -> None:
        for given in ({"user": ""}, {"user": None}, {"session": ""}):
            with self.assertRaises(TypeError):
                Loci().memory(org="acme", project="p", **given)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            Loci("file:///etc/passwd")

    def test_retry_after(self) -> None:
        given: list[Optional[str]] = [None, "", "7", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"]
        self.assertEqual([retry_after_seconds_of(one) for one in given], [None, None, 7.0, None, 0.0])


if __name__ == "__main__":
    unittest.main()
