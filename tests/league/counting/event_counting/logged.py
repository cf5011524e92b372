"""What services change of what events count for, and what the club's log says of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from league.core.log.actions import Action
from league.counting.event_counting.actions import CountingAction
from league.counting.event_counting.services import counting_change, divisions_set
from league.counting.promotion.actions import PromotionAction
from league.counting.promotion.services import season_close
from league.standings.season.actions import SeasonAction

DIVISIONS: Final = [("First", 0, 1), ("Second", 1, 0)]


def divide(it: Any) -> None:
    players = {it.anna.public_id: 1, it.zoe.public_id: 2}
    divisions_set(season=it.season, actor=it.actor, divisions=DIVISIONS, players=players)


def close(it: Any) -> object:
    return season_close(
        season=it.season, actor=it.actor, slug="next", name="Next", starts_on=date(2027, 9, 1)
    )


LOGGED: Final[dict[str, tuple[Callable[[Any], object], list[Action]]]] = {
    "counting.event_counting.counting_change": (
        lambda it: counting_change(season=it.season, actor=it.actor, per="event"),
        [CountingAction.SEASON_COUNTING],
    ),
    "counting.event_counting.divisions_set": (divide, [CountingAction.SEASON_DIVISIONS]),
    "counting.promotion.season_close": (
        close,
        [SeasonAction.CREATED, CountingAction.SEASON_DIVISIONS, PromotionAction.SEASON_CLOSED],
    ),
}
