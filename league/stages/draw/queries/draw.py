"""All that the next draw of a group is made from: the stage's facts as a draw file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import Q

from games.models import Game
from league.events.entry.models import Apart
from league.events.event.models import Event
from league.stages.draw.domain import Pair
from league.stages.draw.models import Draw
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN, StageFacts
from league.stages.stage.models import Stage
from league.stages.table.models import Table
from league.standings.ranked_game.queries.provisional import is_provisional

TOGETHER: Final = 50
"""Draws that are in memory at the same time."""


def pairs_apart(stage: Stage) -> tuple[Pair, ...]:
    """Read who of a stage's event should not meet, by one query; none for a knock-out, which can't
    heed it."""
    if stage.knock_out:
        return ()
    rows = (
        Apart.objects.filter(event=stage.event_id)
        .order_by("pk")
        .values_list("first", "second", "must")
    )
    return tuple(Pair(*row) for row in rows)


def disputed_before(stage_round: StageRound, facts: StageFacts | None = None) -> list[str]:
    """Read the games with provisional results on which the draws of a round rest, by public id, the
    first one first: those of earlier rounds, where a draw goes by results, and those of earlier
    stages, where these say who takes part or how many points somebody brings.

    The round comes with its stage; `facts`: all of the stage, where they are read already. At most
    one query, with facts none in a stage that nothing comes before."""
    stage = stage_round.stage
    games: list[str] = []
    played = Q()
    if stage.rests_on_earlier:
        played |= Q(stage__event=stage.event_id, stage__number__lt=stage.number)
    if _goes_by_results(stage) and facts is None:
        played |= Q(number__lt=stage_round.number, stage=stage)
    elif _goes_by_results(stage) and facts is not None:
        earlier = [table for table in facts.tables if table.round_number < stage_round.number]
        games = [game.game for table in earlier for game in table.games if game.provisional]
    if not played:
        return games
    rounds = StageRound.objects.filter(played, status__in=DRAWN)
    before = Game.objects.filter(is_provisional(), table_game__table__stage_round__in=rounds)
    return [*before.order_by("entered_at", "pk").values_list("public_id", flat=True), *games]


def draws_resting_on(game: Game) -> list[Draw]:
    """Read the draws that were made from the result of a game, the first one first: those of later
    rounds and later stages, by the same rules as `disputed_before`. Each comes with its round and
    stage. At most two queries."""
    tables = Table.objects.filter(table_games__game=game).select_related("stage_round__stage")
    table = tables.first()
    if table is None:
        return []
    stage = table.stage_round.stage
    behind = Q(pk__in=[])
    if _goes_by_results(stage):
        behind |= Q(
            stage_round__stage=stage,
            stage_round__number__gt=table.stage_round.number,
            group=table.group_id,
        )
    follows = Q(stage_round__stage__takes__isnull=False) | Q(stage_round__stage__carry=True)
    behind |= follows & Q(
        stage_round__stage__event=stage.event_id, stage_round__stage__number__gt=stage.number
    )
    draws = Draw.objects.filter(
        behind, revision=1, stage_round__status__in=DRAWN, made_at__gt=game.entered_at
    )
    return list(draws.select_related("stage_round__stage").order_by("made_at", "pk"))


def _goes_by_results(stage: Stage) -> bool:
    """True where the draw of a round depends on what came of the rounds before."""
    rules = stage.format_rules
    return rules.drawn_by_points or rules.knock_out or rules.strikes


def event_draws(event: Event) -> Iterator[bytes]:
    """The draw files of an event's published rounds in order of play, a line each."""
    first_draws = Draw.objects.filter(
        stage_round__stage__event=event, stage_round__status__in=DRAWN, revision=1
    )
    order = ("stage_round__stage__number", "stage_round__number", "group__number")
    inputs = first_draws.order_by(*order).values_list("input", flat=True)
    return (f"{line}\n".encode() for line in inputs.iterator(chunk_size=TOGETHER))
