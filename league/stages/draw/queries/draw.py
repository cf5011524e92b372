"""What draws depend on: pairs to keep apart, and results that may be disputed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
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

CHUNK: Final = 50
"""The number of draws that are in memory at the same time."""


def pairs_apart(stage: Stage) -> tuple[Pair, ...]:
    """Return the pairs of a stage's event that should not meet, by one query; none for a knock-out,
    which can't keep them apart."""
    if stage.knock_out:
        return ()
    rows = (
        Apart.objects.filter(event=stage.event_id)
        .order_by("pk")
        .values_list("first", "second", "must")
    )
    return tuple(Pair(*row) for row in rows)


def disputed_before(stage_round: StageRound, facts: StageFacts | None = None) -> list[str]:
    """Return the public ids of the games with provisional results on which the draws of a round
    rest, oldest first. They were played in earlier rounds, if the format draws by results, and in
    earlier stages, if this stage takes its players or their points from them.

    The round is loaded with its stage. With the `facts` of the stage, at most one query is made,
    and none in a stage that doesn't rest on an earlier one.
    """
    stage = stage_round.stage
    goes_by_results = _goes_by_results(stage)
    disputed_in_stage: list[str] = []
    if goes_by_results and facts is not None:
        disputed_in_stage = _disputed_games(facts, stage_round.number)
    earlier_stages = Q(stage__event=stage.event_id, stage__number__lt=stage.number)
    earlier_rounds = Q(number__lt=stage_round.number, stage=stage)
    conditions: list[Q] = []
    if stage.rests_on_earlier:
        conditions.append(earlier_stages)
    if goes_by_results and facts is None:
        conditions.append(earlier_rounds)
    if not conditions:
        return disputed_in_stage
    rounds = StageRound.objects.filter(reduce(or_, conditions), status__in=DRAWN)
    games = Game.objects.filter(is_provisional(), table_game__table__stage_round__in=rounds)
    public_ids = games.order_by("entered_at", "pk").values_list("public_id", flat=True)
    return [*public_ids, *disputed_in_stage]


def _disputed_games(facts: StageFacts, before_round: int) -> list[str]:
    games = []
    for table in facts.tables:
        if table.round_number < before_round:
            games += [game.game for game in table.games if game.provisional]
    return games


def draws_resting_on(game: Game) -> list[Draw]:
    """Return the draws that were made from the result of a game, oldest first, loaded with round
    and stage: draws of later rounds, if the format draws by results, and of later stages that take
    players or points from earlier ones. At most two queries are made."""
    tables = Table.objects.filter(table_games__game=game).select_related("stage_round__stage")
    table = tables.first()
    if table is None:
        return []
    stage = table.stage_round.stage
    later_draws = Q(pk__in=[])  # no draw at all
    if _goes_by_results(stage):
        later_draws |= Q(
            stage_round__stage=stage,
            stage_round__number__gt=table.stage_round.number,
            group=table.group_id,
        )
    takes_from_earlier = Q(stage_round__stage__takes__isnull=False) | Q(
        stage_round__stage__carry=True
    )
    later_draws |= takes_from_earlier & Q(
        stage_round__stage__event=stage.event_id, stage_round__stage__number__gt=stage.number
    )
    draws = Draw.objects.filter(
        later_draws, revision=1, stage_round__status__in=DRAWN, made_at__gt=game.entered_at
    )
    return list(draws.select_related("stage_round__stage").order_by("made_at", "pk"))


def _goes_by_results(stage: Stage) -> bool:
    rules = stage.format_rules
    return rules.drawn_by_points or rules.knock_out or rules.strikes


def event_draws(event: Event) -> Iterator[bytes]:
    """Yield the draw files of an event's published rounds in order of play, a line each."""
    first_draws = Draw.objects.filter(
        stage_round__stage__event=event, stage_round__status__in=DRAWN, revision=1
    )
    order = ("stage_round__stage__number", "stage_round__number", "group__number")
    inputs = first_draws.order_by(*order).values_list("input", flat=True)
    return (f"{line}\n".encode() for line in inputs.iterator(chunk_size=CHUNK))
