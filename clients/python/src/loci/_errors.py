"""Failures, as one exception with a stable code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence


@dataclass(frozen=True)
class Problem:
    """One problem of an invalid request."""

    loc: tuple[str | int, ...]
    """Where: `("body", "messages", 0, "content")`."""
    msg: str
    type: str


class LociError(Exception):
    """Loci refused, or was not reached.

    `code` is a stable slug: that of the refusal, `invalid_request` when there are `problems`, `connection_failed` or
    `timeout` when there was no answer, `unexpected_answer` when it was none of Loci, `secret_lost` when the only answer with a new secret was lost on its way.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        problems: Sequence[Problem] = (),
        not_found: Sequence[str] = (),
        retry_after_seconds: Optional[float] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """Of HTTP; 0 when there was no answer."""
        self.code = code
        self.problems = tuple(problems)
        self.not_found = tuple(not_found)
        """Of `memory_not_found`: the ids that were not there."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds until trying again makes sense."""
        self.request_id = request_id
        """Names the request in the logs and traces of Loci."""


def refusal_of(
    status: int, body: Any, *, retry_after_seconds: Optional[float], request_id: Optional[str]
) -> LociError:
    """The exception of an answer that is no success. `body` is what its JSON says, None when it had none."""
    refusal: Mapping[str, Any] = body if isinstance(body, dict) and "detail" in body else {"detail": f"Status {status}"}
    detail = refusal["detail"]
    if not isinstance(detail, list):
        return LociError(
            status,
            str(refusal.get("code", "unknown")),
            str(detail),
            not_found=refusal.get("not_found", ()),
            retry_after_seconds=retry_after_seconds,
            request_id=request_id,
        )
    problems = [Problem(tuple(one["loc"]), one["msg"], one["type"]) for one in detail]
    message = "; ".join(f"{'.'.join(map(str, one.loc))}: {one.msg}" for one in problems)
    return LociError(
        status,
        "invalid_request",
        message,
        problems=problems,
        retry_after_seconds=retry_after_seconds,
        request_id=request_id,
    )
