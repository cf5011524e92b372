"""Checks of the playing styles of a ranking's players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Final

from engine.analysis.profile import Style as Sums
from engine.analysis.profile import pack_styles, unpack_styles
from games.domain.difference import Checkpoint, Difference
from league.core.player.models import Player
from league.site.audit.queries.context import RankingContext, mark_untrusted
from league.site.audit.queries.standing import row_differences
from league.standings.ranked_game.domain.game import GameBatch, GameFacts
from league.standings.ranking.queries.source import PLAYED, SEALINGS, games_named, next_games
from league.standings.ranking.queries.state import ranking_state
from league.standings.style.models import GameStyle, Style
from league.standings.style.services import WORK, adds_style, analysed, style_row

ANALYSED: Final = 50
"""Games that are analysed in one batch."""
ADDED: Final = 300
"""Games whose stored analyses are added up in one batch."""


def game_styles(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the stored analyses of the next batch of games, in the order of the log."""
    batch = _next_batch(context, checkpoint["at"], ANALYSED, SEALINGS)
    games = [game for game in batch.games if game.game_id not in context.unreadable]
    packed_seats = _stored_analyses(games)
    for game in games:
        packed = pack_styles(analysed(game))
        if packed_seats.get(game.game_id, packed) != packed:
            mark_untrusted(checkpoint, "wrong_styles", game.game_id)
            yield Difference(
                "game style", game.external_id, "seats", packed_seats[game.game_id], packed
            )
    checkpoint["at"] = None if batch.done else batch.position


def styles(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the players' styles: add up the games' analyses in the order of the log, up to the
    position that the styles have reached. Start again if a rebuild of the ranking was asked for
    meanwhile."""
    if checkpoint.get("asked") != context.state.rebuilds_asked:
        checkpoint |= {"at": 0, "asked": context.state.rebuilds_asked, "carried": []}
    carried = {
        player: unpack_styles(bytes.fromhex(seat))[0] for player, seat in checkpoint["carried"]
    }
    sums = defaultdict(Sums, carried)
    batch = _next_batch(context, checkpoint["at"], ADDED, PLAYED)
    games = _games_with_effect(batch.games, context)
    packed_seats = _stored_analyses([game for game, _ in games])
    for game_id in checkpoint.get("wrong_styles", ()):
        packed_seats.pop(game_id, None)

    for game, is_added in games:
        packed = packed_seats.get(game.game_id)
        seats = analysed(game) if packed is None else unpack_styles(packed)
        for player, seat in zip(game.players, seats, strict=True):
            if player is None:
                continue
            if is_added:
                sums[player] += seat
            else:
                sums[player] -= seat

    if batch.done:
        checkpoint["at"] = None
        yield from _style_differences(context, sums)
        return
    checkpoint["at"] = batch.position
    checkpoint["carried"] = [[player, pack_styles([seat]).hex()] for player, seat in sums.items()]


def _games_with_effect(
    games: Iterable[GameFacts], context: RankingContext
) -> list[tuple[GameFacts, bool]]:
    """Return the games, and those that they correct, each with True if its analysis is added to the
    players' styles, or False if it is subtracted."""
    added = []
    corrected = []
    for game in games:
        if game.game_id not in context.unreadable:
            added.append((game, adds_style(game)))
        if game.replaces is not None and game.action in SEALINGS:
            corrected.append(game.replaces)
    return [*added, *((game, False) for game in games_named(corrected))]


def _next_batch(
    context: RankingContext, after: int, size: int, actions: Sequence[str]
) -> GameBatch:
    state = ranking_state(context.state.ranking_id, WORK)
    return next_games(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=after,
        until=state.position,
        size=size,
        actions=actions,
    )


def _stored_analyses(games: Iterable[GameFacts]) -> dict[int, bytes]:
    rows = GameStyle.objects.filter(game__in={game.game_id for game in games})
    return {game: bytes(seats) for game, seats in rows.values_list("game", "seats")}


def _style_differences(context: RankingContext, sums: Mapping[int, Sums]) -> Iterator[Difference]:
    names = [column.name for column in fields(Sums)]
    rows = Style.objects.filter(ranking=context.state.ranking_id)
    stored_rows = {player: row for player, *row in rows.values_list("player_id", *names)}
    expected_rows = {}
    for player, seat in sums.items():
        if seat != Sums():  # a player without any has no row
            row = style_row(0, player, seat)
            expected_rows[player] = [getattr(row, name) for name in names]
    players = dict(Player.objects.filter(club=context.state.club_id).values_list("pk", "public_id"))
    yield from row_differences("style", players, names, stored_rows, expected_rows)
