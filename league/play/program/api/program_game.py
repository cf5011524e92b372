"""All that the API tells and takes of one kind of game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.sheet.entry import OnlineAct
from league.core.frame.api.serializers import Body, Serializer
from league.play.program.domain.table import GameRead


class ProgramAct(NamedTuple):
    """An act that was sent. `value`: what it tells beside its seat. `length`: how many entries the
    program knew; None: it doesn't matter."""

    act: OnlineAct
    value: Mapping[str, Any]
    length: int | None


@dataclass(frozen=True, slots=True, eq=False)
class ProgramGame:
    """One kind of game in the API.

    `seen(read)`: what a viewer sees of a game, and `serializer` sends it. `body`: an act as it is
    sent, and `read_act(members)` what it means. `rules`: the names of the rules that a new table
    chooses. `settled`: rules that hold at every such table."""

    seen: Callable[[GameRead], Any]
    serializer: type[Serializer]
    body: type[Body]
    read_act: Callable[[Mapping[str, Any]], ProgramAct]
    rules: tuple[str, ...]
    settled: Mapping[str, Any]
