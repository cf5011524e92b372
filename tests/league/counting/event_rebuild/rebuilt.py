"""Events that have come to something, and what differs from their facts."""

from __future__ import annotations

import json
from typing import Any

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.counting.event_rebuild.queries.verification import event_differences
from league.disputes.correction.services import game_correct
from league.models import (
    Event,
    Season,
)
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from tests.factories import events
from tests.factories.league import SeasonFactory

ACTOR = events.ACTOR


def differences(event: Event) -> list[str]:
    return [str(difference) for difference in event_differences(event.pk)]


def correct(game: Game, ranks: list[int]) -> None:
    """Say that a game of which only the end is known ended otherwise."""
    value = json.loads(write(sealed_record(game)[0]))
    value["outcome"]["rank"] = ranks
    game_correct(game=game, line=json.dumps(value).encode(), reason="read upside down")


def newest_games(event: Event) -> list[Game]:
    found = Game.objects.filter(
        table_game__table__stage_round__stage__event=event, corrections=None
    )
    return list(found.order_by("table_game__table", "table_game__number"))


def placing_season(**more: Any) -> Season:
    return SeasonFactory.create(scoring="placement", **more)


def cup(season: Season, slug: str = "cup", count: int = 8, **settings: Any) -> Event:
    """A finished event of two stages: groups, and a stage for the best of each into which their
    points count on."""
    made = events.event(season, slug, status=Event.Status.RUNNING)
    entries = events.enter(made, events.players(season.club, count, slug))
    groups = events.stage(made, groups=2, rounds=2, **settings)
    for _ in range(2):
        events.play(events.drawn(groups), best=[entry.public_id for entry in entries])
    stage_finish(stage=groups, actor=ACTOR)
    final = events.stage(made, name="Final", rounds=1, takes=2, carry=True, seeding="stage")
    events.play(events.drawn(final))
    stage_finish(stage=final, actor=ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=ACTOR)
    return made
