"""All that is false of how a ranking says that its players play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Final

from engine.analysis.profile import Style as Sums
from engine.analysis.profile import pack_styles, unpack_styles
from games.domain.difference import Bookmark, Difference
from league.core.player.models import Player
from league.site.audit.queries.basis import Basis, distrust
from league.site.audit.queries.standing import row_differences
from league.standings.ranked_game.domain.game import GameBatch, GameFacts
from league.standings.ranking.queries.source import PLAYED, SEALINGS, games_batch, games_named
from league.standings.ranking.queries.state import ranking_state
from league.standings.style.models import GameStyle, Style
from league.standings.style.services import WORK, adds_style, analysed, style_row

ANALYSED: Final = 50
"""Games that are analysed in one passage."""
ADDED: Final = 300
"""Games whose stored analyses are added up in one passage."""


def game_styles(basis: Basis, bookmark: Bookmark) -> Iterator[Difference]:
    """What is stored of the analyses of games, in the order in which the log tells of them."""
    batch = _batch(basis, bookmark["at"], ANALYSED, SEALINGS)
    games = [game for game in batch.games if game.game_id not in basis.unreadable]
    packed_seats = _packed_seats(games)
    for game in games:
        packed = pack_styles(analysed(game))
        if packed_seats.get(game.game_id, packed) != packed:
            distrust(bookmark, "wrong_styles", game.game_id)
            yield Difference(
                "game style", game.external_id, "seats", packed_seats[game.game_id], packed
            )
    bookmark["at"] = None if batch.done else batch.position


def styles(basis: Basis, bookmark: Bookmark) -> Iterator[Difference]:
    """How everybody plays, added up in the order of the log as far as the reader of styles has
    come. A ranking that is computed anew meanwhile is added up from its beginning."""
    if bookmark.get("asked") != basis.state.rebuilds_asked:
        bookmark |= {"at": 0, "asked": basis.state.rebuilds_asked, "carried": []}
    sums = defaultdict(
        Sums,
        {player: unpack_styles(bytes.fromhex(seat))[0] for player, seat in bookmark["carried"]},
    )
    batch = _batch(basis, bookmark["at"], ADDED, PLAYED)
    corrected = [
        game.replaces
        for game in batch.games
        if game.replaces is not None and game.action in SEALINGS
    ]
    games = [
        (game, adds_style(game)) for game in batch.games if game.game_id not in basis.unreadable
    ]
    games += [(game, False) for game in games_named(corrected)]
    packed_seats = _packed_seats([game for game, _ in games])
    for game in bookmark.get("wrong_styles", ()):
        packed_seats.pop(game, None)
    for game, is_added in games:
        packed = packed_seats.get(game.game_id)
        seats = analysed(game) if packed is None else unpack_styles(packed)
        for player, seat in zip(game.players, seats, strict=True):
            if player is not None:
                sums[player] = sums[player] + seat if is_added else sums[player] - seat
    if batch.done:
        bookmark["at"] = None
        yield from _sums(basis, sums)
        return
    bookmark["at"] = batch.position
    bookmark["carried"] = [[player, pack_styles([seat]).hex()] for player, seat in sums.items()]


def _batch(basis: Basis, after: int, size: int, actions: Sequence[str]) -> GameBatch:
    """The next games of the ranking up to where the reader of styles has come."""
    state = ranking_state(basis.state.ranking_id, WORK)
    return games_batch(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=after,
        until=state.position,
        size=size,
        actions=actions,
    )


def _packed_seats(games: Iterable[GameFacts]) -> dict[int, bytes]:
    """What is stored of the analyses of games, by their ids."""
    rows = GameStyle.objects.filter(game__in={game.game_id for game in games})
    return {game: bytes(seats) for game, seats in rows.values_list("game", "seats")}


def _sums(basis: Basis, sums: Mapping[int, Sums]) -> Iterator[Difference]:
    """The rows of all players, who has none where there is nothing to tell."""
    names = [column.name for column in fields(Sums)]
    rows = Style.objects.filter(ranking=basis.state.ranking_id)
    stored_rows = {player: row for player, *row in rows.values_list("player_id", *names)}
    expected_rows = {
        player: [getattr(style_row(0, player, seat), name) for name in names]
        for player, seat in sums.items()
        if seat != Sums()
    }
    players = dict(Player.objects.filter(club=basis.state.club_id).values_list("pk", "public_id"))
    yield from row_differences("style", players, names, stored_rows, expected_rows)
