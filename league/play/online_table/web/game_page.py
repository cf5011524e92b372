"""The description of one kind of game for the pages of online tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.http import QueryDict

from engine.sheet.entry import OnlineAct
from games.queries.online_game import OnlineGame
from league.core.viewer.web.viewer import PageContext
from league.play.online_table.models import OnlineSeat
from league.play.online_table.web.online_table_form import TableForm, UnsentForm

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class SeatAct(NamedTuple):
    """An act that a form sent. `value`: the fields of the act besides its seat.

    `length`: how many entries the seat had seen, None if that doesn't matter. `key`: the same key
    again is the same act.
    """

    act: OnlineAct
    value: Mapping[str, Any]
    length: int | None
    key: UUID


class ScreenReaderText(NamedTuple):
    """What a screen reader is told when the page changes: the number of the round, how the last one
    ended, and what the reader does now.
    """

    round: int
    reveal: str
    turn: str


@dataclass(frozen=True, slots=True, eq=False)
class PlayPage:
    """One kind of game on the pages of online tables.

    `form`: the form for the rules of a new table. `script`: the script of this game, in addition to
    that of every table; empty for none. `template`: shows a game in play or a finished game.
    `context(game, seats, seat)`: the template's context for a seat, or for a spectator.
    `read_act(data, game, seat)`: the act that a seat sent; None if it is incomplete, and then the
    page says `incomplete`. `unsent`: the form that reads an unsent move.
    """

    form: type[TableForm]
    script: str
    template: str
    context: Callable[[OnlineGame, Sequence[OnlineSeat], OnlineSeat | None], PageContext]
    read_act: Callable[[QueryDict, OnlineGame, OnlineSeat], SeatAct | None]
    incomplete: StrOrPromise
    unsent: type[UnsentForm]
