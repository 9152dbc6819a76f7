"""Filters. Values are data: whatever is in them, they change no condition."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any, Mapping, Optional, Sequence, Union

Value = Union[str, int, float, bool, date, datetime]

_SCOPE_KEYS = frozenset({"user_id", "session_id", "agent_id"})
_FIELDS = frozenset(
    {
        "uid",
        "producer_id",
        "producer_role",
        "produced_for_id",
        "bound_producer",
        "content",
        "set_id",
        "category_name",
        "tag",
        "feature_name",
        "value",
        "subject",
        "trust",
    }
)
_OPERATORS = {"eq": "=", "not_": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
_EXACT = 2**53 - 1


class Filter:
    """A condition on memories. `&`, `|` and `~` join and negate; `text` is what Loci is asked."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __and__(self, other: "Filter") -> "Filter":
        return Filter(f"({self.text}) AND ({other.text})")

    def __or__(self, other: "Filter") -> "Filter":
        return Filter(f"({self.text}) OR ({other.text})")

    def __invert__(self) -> "Filter":
        return Filter(f"NOT ({self.text})")

    def __bool__(self) -> bool:
        raise TypeError("Join filters with & and |; `and` and `or` would drop one of them.")

    def __repr__(self) -> str:
        return f"Filter({self.text!r})"


def all_of(*filters: Filter) -> Filter:
    """All of them hold."""
    return _joined(filters, " AND ")


def any_of(*filters: Filter) -> Filter:
    """At least one of them holds."""
    return _joined(filters, " OR ")


def where(
    conditions: Optional[Mapping[str, Any]] = None,
    *,
    since: Optional[Union[datetime, date, str]] = None,
    until: Optional[Union[datetime, date, str]] = None,
    metadata: Optional[Mapping[str, Any]] = None,
    **fields: Any,
) -> Filter:
    """A filter in which all conditions hold.

    A condition is a value to equal, a list to be in, None for a field that is missing, or a dict of comparisons:
    `eq`, `not_`, `lt`, `lte`, `gt`, `gte`, `in_`, `not_in`, `exists`. `since` and `until` bound when it was said or
    learned. Raises TypeError when there is no condition: that would match everything.

    >>> where(user_id="mira", metadata={"kind": ["note", "task"]}).text
    "(metadata.'user_id' = 'mira') AND (metadata.'kind' IN ('note', 'task'))"
    """
    parts: list[Filter] = []
    for name, condition in {**(conditions or {}), **fields}.items():
        if name in _SCOPE_KEYS:
            parts += _on(_metadata_field(name), condition)
        elif name in _FIELDS:
            parts += _on(name, condition)
        else:
            raise TypeError(f"There is no field {name}; write metadata={{{name!r}: ...}} for a key of metadata.")
    for key, condition in (metadata or {}).items():
        parts += _on(_metadata_field(key), condition)
    if since is not None:
        parts.append(Filter(f"created_at >= {_moment(since)}"))
    if until is not None:
        parts.append(Filter(f"created_at < {_moment(until)}"))
    if not parts:
        raise TypeError("The filter has no condition, and would match everything.")
    return all_of(*parts)


def literal(value: Any) -> str:
    """A value as the filter language writes it. Raises TypeError for what the language cannot write."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, (datetime, date)):
        return _moment(value)
    raise TypeError(f"A filter compares with texts, numbers, booleans and dates, not with {value!r}.")


def _joined(filters: Sequence[Filter], word: str) -> Filter:
    if not filters:
        raise TypeError("There is no filter to join.")
    if len(filters) == 1:
        return filters[0]
    return Filter(word.join(f"({one.text})" for one in filters))


def _on(field: str, condition: Any) -> list[Filter]:
    if condition is None:
        return [Filter(f"{field} IS NULL")]
    if isinstance(condition, (list, tuple, set, frozenset)):
        return [_in(field, list(condition))]
    if not isinstance(condition, Mapping):
        return [Filter(f"{field} = {literal(condition)}")]
    parts = [_comparison(field, name, value) for name, value in condition.items()]
    if not parts:
        raise TypeError(f"The condition on {field} compares with nothing.")
    return parts


def _comparison(field: str, name: str, value: Any) -> Filter:
    if name in _OPERATORS:
        return Filter(f"{field} {_OPERATORS[name]} {literal(value)}")
    if name == "in_":
        return _in(field, list(value))
    if name == "not_in":
        return ~_in(field, list(value))
    if name == "exists":
        return Filter(f"{field} IS {'NOT ' if value else ''}NULL")
    known = ", ".join([*_OPERATORS, "in_", "not_in", "exists"])
    raise TypeError(f"There is no comparison {name}; known are {known}.")


def _in(field: str, values: list[Any]) -> Filter:
    """In an empty list is nothing: such a condition holds for no memory."""
    if not values:
        return Filter(f"{field} IS NULL AND {field} IS NOT NULL")
    are_texts = all(isinstance(one, str) for one in values)
    are_integers = all(isinstance(one, int) and not isinstance(one, bool) for one in values)
    if not are_texts and not are_integers:
        raise TypeError("A list of a filter holds only texts or only whole numbers.")
    return Filter(f"{field} IN ({', '.join(map(literal, values))})")


def _quoted(text: str) -> str:
    if "\0" in text:
        raise TypeError("A filter cannot contain the character NUL: nothing that Loci stores does.")
    return "'" + text.replace("'", "''") + "'"


def _metadata_field(key: str) -> str:
    if key == "":
        raise TypeError("The key of a metadata condition is empty.")
    return f"metadata.{_quoted(key)}"


def _number(value: Union[int, float]) -> str:
    if not abs(value) <= _EXACT:
        raise TypeError(f"{value} is no number that a filter can compare with; give it as a text.")
    if isinstance(value, int):
        return str(value)
    return format(Decimal(repr(value)), "f")


def _moment(at: Union[datetime, date, str]) -> str:
    if isinstance(at, datetime):
        known = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
        return f"date({_quoted(known.isoformat())})"
    return f"date({_quoted(at.isoformat() if isinstance(at, date) else at)})"
