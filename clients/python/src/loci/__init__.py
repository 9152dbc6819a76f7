"""Long-term memory for agents: the Python client of Loci. It needs nothing but the standard library."""

from ._filters import Filter, all_of, any_of, literal, where
from ._memories import Context, Episode, Feature, Profile, Recalled, Remembered, SearchResult
from ._memory import AsyncMemory, Memory, Message
from ._client import AsyncLoci, Loci
from ._errors import LociError, Problem
from ._events import Event
from . import types

__all__ = [
    "AsyncLoci",
    "AsyncMemory",
    "Context",
    "Episode",
    "Event",
    "Feature",
    "Filter",
    "Loci",
    "LociError",
    "Memory",
    "Message",
    "Problem",
    "Profile",
    "Recalled",
    "Remembered",
    "SearchResult",
    "all_of",
    "any_of",
    "literal",
    "types",
    "where",
]
