"""All that the pages of an online table show and take for one kind of game."""

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
    """An act that a form sent. `value`: what it tells beside its seat. `length`: how many entries
    the seat had seen; None: it doesn't matter. `key`: the same one again is the same act."""

    act: OnlineAct
    value: Mapping[str, Any]
    length: int | None
    key: UUID


class HeardPart(NamedTuple):
    """What those who hear the page are told of its changes: the round, how the one before ended,
    and what they do."""

    round: int
    reveal: str
    turn: str


@dataclass(frozen=True, slots=True, eq=False)
class PlayPage:
    """One kind of game on the pages of online tables.

    `form`: agrees on the rules of a new table. `script`: its keys, beside those of every table;
    empty for none. `template`: a game in play or over. `context(game, seats, seat)`: what the
    template shows to a seat, or to a spectator. `read_act(data, game, seat)`: the act of a seat
    that was sent; None if it isn't whole, and then `incomplete` is said. `unsent`: reads what is
    chosen for a move and not sent yet."""

    form: type[TableForm]
    script: str
    template: str
    context: Callable[[OnlineGame, Sequence[OnlineSeat], OnlineSeat | None], PageContext]
    read_act: Callable[[QueryDict, OnlineGame, OnlineSeat], SeatAct | None]
    incomplete: StrOrPromise
    unsent: type[UnsentForm]
