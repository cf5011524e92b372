"""Checks of a ranking's table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.scoring.dated_tally import DatedTally
from engine.scoring.tally import tally_of_game
from games.domain.difference import Checkpoint, Difference, cell_differences
from league.core.player.models import Player
from league.site.audit.queries.context import RankingContext
from league.standings.ranked_game.domain.game import UNTIMED
from league.standings.ranked_game.models import RankedGame
from league.standings.ranking.models import Ranking
from league.standings.standing.models import Standing
from league.standings.standing.services import COLUMNS, columns, counted_rows

PLAYERS: Final = 100
"""Players whose games are added up in one batch."""


def standings(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the rows of the next batch of players in the ranking's table, in the order of their
    ids."""
    state = context.state
    players = Player.objects.filter(club=state.club_id, pk__gt=checkpoint["at"]).order_by("pk")
    names = dict(players.values_list("pk", "public_id")[:PLAYERS])
    up_to_last = {"player__lte": max(names)} if len(names) == PLAYERS else {}
    rows = Standing.objects.filter(
        ranking=state.ranking_id, player__gt=checkpoint["at"], **up_to_last
    )
    stored_rows = {player: row for player, *row in rows.values_list("player_id", *COLUMNS)}

    tallies = counted_rows(state, names, games_left_out=context.untrusted)
    for game, outcome in context.finished:
        day = state.day_of(game.place[0])
        for player, rank, points, penalty in zip(game.counts_for, *outcome.by_seat, strict=True):
            if player in names:
                tally = tally_of_game(rank or 0, points or 0, penalty)
                tallies[player] = tallies.get(player, DatedTally()).add(day, tally)

    expected_rows = {player: columns(state, names[player], row) for player, row in tallies.items()}
    yield from row_differences("standing", names, COLUMNS, stored_rows, expected_rows)
    checkpoint["at"] = max(names) if up_to_last else None


def row_differences(
    table: str,
    players: Mapping[int, str],
    names: Sequence[str],
    stored_rows: Mapping[int, Sequence[object]],
    expected_rows: Mapping[int, Sequence[object]],
) -> Iterator[Difference]:
    """Yield the cells of players' rows that differ. `players`: the public ids of the club's
    players, by row id; `names`: the names of the columns."""
    for player in sorted(stored_rows.keys() | expected_rows.keys()):
        name = players.get(player, "nobody")
        if player not in stored_rows or player not in expected_rows:
            yield Difference(table, name, "row", player in stored_rows, player in expected_rows)
            continue
        yield from cell_differences(
            table, name, zip(names, stored_rows[player], expected_rows[player], strict=True)
        )


def own_columns(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the columns of the ranking itself that follow from its games."""
    state = context.state
    games = RankedGame.objects.filter(ranking=state.ranking_id, over=True)
    trusted = games.exclude(game__in=context.untrusted)
    latest_first = trusted.order_by("-played_at", "-natural_id").values_list(
        "played_at", "natural_id"
    )
    places = [*latest_first[:1], *latest_first.filter(played_at__lt=UNTIMED)[:1]]
    places += [game.place for game, _ in context.finished]
    days = [state.day_of(played_at) for played_at, _ in places]

    last_place = max(places, default=None)
    last_day = max((day for day in days if day is not None), default=None)
    cells = [
        ("last", state.last, last_place),
        ("last_day", state.last_day, last_day),
        ("game_count", state.game_count, trusted.count() + len(context.finished)),
    ]
    name = Ranking.objects.values_list("public_id", flat=True).get(pk=state.ranking_id)
    yield from cell_differences("ranking", name, cells)
    checkpoint["at"] = None
