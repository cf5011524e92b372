"""The description of one kind of game for the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.sheet.entry import OnlineAct
from league.core.frame.api.serializers import Body, Serializer
from league.play.program.domain.table import GameRead


class ProgramAct(NamedTuple):
    """An act that a program sent. `value`: the fields of the act besides its seat. `length`: how
    many entries the program had seen, None if that doesn't matter.
    """

    act: OnlineAct
    value: Mapping[str, Any]
    length: int | None


@dataclass(frozen=True, slots=True, eq=False)
class ProgramGame:
    """One kind of game in the API.

    `seen(read)`: the game as a viewer sees it, which `serializer` represents. `body`: the body of
    an act, and `read_act(members)` the act in it. `rules`: the names of the rules that can be
    chosen for a new table. `settled`: the rules that all such tables have.
    """

    seen: Callable[[GameRead], Any]
    serializer: type[Serializer]
    body: type[Body]
    read_act: Callable[[Mapping[str, Any]], ProgramAct]
    rules: tuple[str, ...]
    settled: Mapping[str, Any]
