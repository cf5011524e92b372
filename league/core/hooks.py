"""Hooks: how a noun calls nouns of higher wings, which it can't import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class Hook(Generic[Parameters, Answer]):
    """A call to functions of higher wings.

    A wing imports those before it and none after it. Yet some of what happens in it concerns a
    later wing: tables that were drawn get their places in the hall. So the lower noun declares a
    hook beside the service or query that calls it, and the higher noun adds a function in its
    `receivers.py`.

    Where the import law allows a plain call, make a plain call. Django's signals are for what
    Django itself does. They would leave arguments and answers untyped; mypy checks both at a
    hook."""

    def __init__(self) -> None:
        self._functions: list[Callable[Parameters, Answer]] = []

    def add(self, function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
        """Add a function to be called. Use it as a decorator."""
        self._functions.append(function)
        return function

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> list[Answer]:
        """Call the functions in the order of their wings, in the caller's transaction, and return
        their answers. Their exceptions reach the caller."""
        return [function(*args, **kwargs) for function in self._functions]
