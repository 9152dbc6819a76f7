"""Requests over HTTP, with the standard library: repeated where that helps, each write with an idempotency key."""

from __future__ import annotations

import json
import random
import secrets
import socket
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Callable, Generic, Iterator, Mapping, Optional, TypeVar
from urllib.parse import urlencode, urlsplit

from ._errors import LociError, refusal_of
from ._threads import refuse_left

FIRST_WAIT_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 8.0

PASSING = frozenset({408, 429, 502, 503, 504})
"""Refusals that waiting can mend. A write that ran out of time may have taken effect: its key makes it repeatable."""
CONFLICT = 409
ACCEPTED = 202
"""To a notification of MCP there is no answer."""
NO_CONTENT = 204

_ANSWERS = frozenset({"application/json", "text/plain"})
_STREAMS = frozenset({"application/x-ndjson", "text/event-stream"})


T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A success: what its JSON says, and its headers by their names in lower case."""

    data: T
    headers: Mapping[str, str]

    @property
    def degraded(self) -> tuple[str, ...]:
        """What could not take part in the answer, as slugs."""
        named = self.headers.get("x-degraded", "")
        return tuple(slug.strip() for slug in named.split(",") if slug.strip())


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True)
class Transport:
    """Sends requests to one deployment. It keeps nothing between requests, so that threads may share it."""

    url: str
    api_key: Optional[str] = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    max_retries: int = 3
    max_wait_seconds: float = 60.0
    headers: Mapping[str, str] = field(default_factory=lambda: dict[str, str](), repr=False)
    pause: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise TypeError(f"The url of Loci begins with http:// or https://; this is {self.url!r}.")

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        lines: Optional[str] = None,
        writes: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> Answer[Any]:
        """Sends JSON, or lines of JSON. `writes`: it changes something, so that repeating it needs a key; the same key
        has one effect."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"content-type": "application/json"}
        if lines is not None:
            data, headers = lines.encode(), {"content-type": "application/x-ndjson"}
        key = idempotency_key or (secrets.token_hex(16) if writes and self.max_retries > 0 else None)
        return self._send(method, path + _query(query), data, {**headers, **({"idempotency-key": key} if key else {})})

    def lines(
        self, path: str, query: Mapping[str, Any], *, silence_seconds: Optional[float] = None
    ) -> Iterator[str]:
        """Reads an answer line by line, as it comes. One attempt: the caller knows where to go on."""
        refuse_left()
        request_id = secrets.token_hex(16)
        request = urllib.request.Request(self.url.rstrip("/") + path + _query(query), headers=self._every(request_id))
        with self._opened(request, request_id, silence_seconds or self.timeout_seconds) as response:
            self._refuse_other(_STREAMS, response, request_id)
            try:
                for line in response:
                    refuse_left()
                    yield line.decode().rstrip("\r\n")
            except (OSError, HTTPException) as error:
                raise self._unreached(error, request_id) from error

    def _send(self, method: str, path: str, data: Optional[bytes], headers: Mapping[str, str]) -> Answer[Any]:
        request_id = secrets.token_hex(16)
        every = {**self._every(request_id), **headers}
        retries = 0
        while True:
            try:
                return self._attempt(method, path, data, every, request_id)
            except LociError as error:
                self.pause_after(error, retries, most=self.max_retries)
            retries += 1

    def pause_after(self, error: LociError, retries: int, *, most: int) -> None:
        """Waits for the next attempt after `retries`, of which there are `most`. Raises the error where it is final."""
        wait = self._wait_after(error, retries)
        if wait is None or retries >= most or wait > self.max_wait_seconds:
            raise error
        self.pause(wait)

    def _every(self, request_id: str) -> dict[str, str]:
        return {
            "accept": "*/*",
            "x-request-id": request_id,
            **({"authorization": f"Bearer {self.api_key}"} if self.api_key else {}),
            **self.headers,
        }

    def _attempt(
        self, method: str, path: str, data: Optional[bytes], headers: Mapping[str, str], request_id: str
    ) -> Answer[Any]:
        request = urllib.request.Request(
            self.url.rstrip("/") + path, data=data, headers=dict(headers), method=method
        )
        with self._opened(request, request_id, self.timeout_seconds) as response:
            named = {name.lower(): value for name, value in response.headers.items()}
            if response.status not in (ACCEPTED, NO_CONTENT):
                self._refuse_other(_ANSWERS, response, request_id)
            try:
                text = response.read()
                is_json = _type_of(response) != "text/plain"
                return Answer((json.loads(text) if is_json else text.decode()) if text else None, named)
            except (TimeoutError, socket.timeout) as error:
                raise self._late(request_id) from error
            except (OSError, HTTPException, ValueError) as error:
                raise self._unreached(error, request_id) from error

    def _opened(self, request: urllib.request.Request, request_id: str, timeout_seconds: float) -> Any:
        """The answer, before its body is read. Raises LociError."""
        try:
            return urllib.request.build_opener(_NoRedirects).open(request, timeout=timeout_seconds)
        except urllib.error.HTTPError as error:
            named = {name.lower(): value for name, value in error.headers.items()}
            raise refusal_of(
                error.code,
                _json_of(error.read()),
                retry_after_seconds=retry_after_seconds_of(named.get("retry-after")),
                request_id=named.get("x-request-id", request_id),
            ) from None
        except (TimeoutError, socket.timeout) as error:
            raise self._late(request_id) from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late(request_id) from error
            raise self._unreached(error.reason, request_id) from error
        except (OSError, HTTPException, ValueError) as error:
            raise self._unreached(error, request_id) from error

    def _refuse_other(self, types: frozenset[str], response: Any, request_id: str) -> None:
        """A page of a portal tells a write as done that was not. Raises LociError."""
        kind = _type_of(response)
        if kind not in types:
            message = f"{self.url} answered with {kind or 'something without a type'}, as Loci does not; is Loci there?"
            raise LociError(response.status, "unexpected_answer", message, request_id=request_id)

    def _wait_after(self, error: LociError, retries: int) -> Optional[float]:
        """Seconds until the next attempt; None when the failure is final."""
        growing: float = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2**retries)
        backoff = growing * (0.5 + self.chance() / 2)
        if error.status == 0:
            return backoff
        asked = error.retry_after_seconds
        if error.status not in PASSING and not (error.status == CONFLICT and asked is not None):
            return None
        # never earlier than asked for, and not all clients at once
        return backoff if asked is None else asked + backoff * self.chance()

    def _late(self, request_id: str) -> LociError:
        message = f"{self.url} gave no answer within {self.timeout_seconds:g} s."
        return LociError(0, "timeout", message, request_id=request_id)

    def _unreached(self, reason: object, request_id: str) -> LociError:
        message = f"{self.url} cannot be reached: {reason}. Is Loci running there?"
        return LociError(0, "connection_failed", message, request_id=request_id)


def retry_after_seconds_of(text: Optional[str]) -> Optional[float]:
    """`Retry-After` in either of its forms; None when there is none."""
    if not text:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _type_of(response: Any) -> str:
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def _query(query: Optional[Mapping[str, Any]]) -> str:
    named = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(named)}" if named else ""


def _text_of(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _json_of(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
