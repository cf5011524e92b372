"""What a correction would change in a ranking, computed by the engine. Nothing is written.

The work grows with the number of games of the players concerned, plus one index lookup for each
rank; it doesn't grow with the size of the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.record.kind import Ending
from engine.record.record import Record
from engine.scoring.natural import natural
from engine.scoring.points import game_points
from engine.scoring.tally import Tally, tally_of_game
from games.models import Game
from league.core.player.models import Player
from league.standings.adjustment.domain import NO_ADJUSTMENTS, Adjustments
from league.standings.ranked_game.domain.game import UNTIMED, Place
from league.standings.ranked_game.queries.ranked import held_games
from league.standings.ranked_game.queries.seats import seats_for_others
from league.standings.ranking.queries.change import (
    ranks_changed,
    rated_again,
    tallies_if_counted_for,
    tallies_without,
)
from league.standings.ranking.queries.state import RankingState, ranking_state
from league.standings.season.queries.season import rankings_of
from league.standings.standing.services import held_players


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A player's row before and after a change. Ranks and points are None if there is no row.

    `player`: the public id; None for a player who would be new in the club. Then `name` is the
    handle."""

    player: str | None
    handle: str
    name: str
    rank_before: int | None
    rank_after: int | None
    points_before: int | None
    points_after: int | None
    games_before: int
    games_after: int

    @property
    def changed(self) -> bool:
        """Return True if the row would change."""
        before = (self.rank_before, self.points_before, self.games_before)
        after = (self.rank_after, self.points_after, self.games_after)
        return before != after

    @property
    def steps(self) -> int:
        """Return the number of ranks that the row moves up or down; 1 if it appears or
        disappears."""
        if self.rank_before is None or self.rank_after is None:
            return int(self.rank_before != self.rank_after)
        return abs(self.rank_before - self.rank_after)


@dataclass(frozen=True, slots=True)
class RankingEffect:
    """The changes in a ranking: the rows of all players of the game before or after the change.

    `rated_again`: the number of games that have to be rated again; None if no game has to be, or
    the ranking isn't rated. The number is at most `COUNTED` + 1."""

    ranking_id: int
    rows: tuple[EffectRow, ...]
    rated_again: int | None

    @property
    def movers(self) -> list[EffectRow]:
        """Return the rows sorted by the steps of their rank, the most first. Among rows that keep
        their rank, those with other changes come first. Equal rows stay in the order of seats."""
        return sorted(self.rows, key=lambda row: (-row.steps, not row.changed))

    @property
    def moved(self) -> int:
        """Return the number of rows whose rank would change."""
        return sum(row.steps > 0 for row in self.rows)

    @property
    def changed(self) -> bool:
        """Return True if any row would change."""
        return any(row.changed for row in self.rows)


def game_effects(
    *,
    game: Game,
    record: Record,
    players: Sequence[int | None],
    ending: Ending,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> tuple[RankingEffect, ...]:
    """Return what would change in each ranking that counts a game if the game of `record` replaced
    it, with these players by seat, this ending and these adjustments. The game must be loaded with
    its season."""
    season = game.season_game.season
    stand_ins = seats_for_others([game.pk]).get(game.pk, {})
    effects = []
    for ranking_id in rankings_of(season):
        effect = ranking_effect(
            ranking_id=ranking_id,
            game_id=game.pk,
            handles=record.seats,
            players=players,
            stand_ins=stand_ins if ranking_id == season.ranking_id else {},
            ending=ending,
            adjustments=adjustments,
            place=(record.instant or UNTIMED, natural(record.record_id)),
        )
        effects.append(effect)
    return tuple(effects)


def ranking_effect(
    *,
    ranking_id: int,
    game_id: int,
    handles: Sequence[str],
    players: Sequence[int | None],
    stand_ins: Mapping[int, int | None],
    ending: Ending,
    adjustments: Adjustments,
    place: Place,
) -> RankingEffect:
    """Return what would change in a ranking if a game were replaced by one with these seats, ending
    and adjustments, at this place in the order of play.

    `players`: the players of the `handles`, None for a handle that is new in the club. `stand_ins`:
    for each player whose game counts for somebody else, that other player; None if it counts for
    nobody. Games that still wait to be counted are left out."""
    state = ranking_state(ranking_id)
    stored_game = held_games(ranking_id, [game_id]).get(game_id)
    counts_for: list[int | str | None] = []
    for handle, player in zip(handles, players, strict=True):
        counts_for.append(handle if player is None else stand_ins.get(player, player))
    counted_before = [seat.counts_for for seat in stored_game.seats] if stored_game else []
    concerned = [
        player
        for player in dict.fromkeys([*counted_before, *counts_for])
        if isinstance(player, int)
    ]

    game_tallies = _game_tallies(state, counts_for, ending, adjustments)
    before = _stored_tallies(ranking_id, concerned)
    after = tallies_without(ranking_id, concerned, game_id)
    for player in concerned:
        after[player] = after.get(player, Tally()) + game_tallies.get(player, Tally())
    newcomers = {key: tally for key, tally in game_tallies.items() if isinstance(key, str)}
    rows = _effect_rows(state, concerned, before, after, newcomers)

    places = []
    if stored_game is not None and stored_game.over:
        places.append((stored_game.played_at, stored_game.natural_id))
    if game_tallies:
        places.append(place)
    return RankingEffect(ranking_id, tuple(rows), rated_again(state, places))


def adjustment_effects(
    *, game: Game, ending: Ending, adjustments: Adjustments
) -> tuple[RankingEffect, ...]:
    """Return what would change in each ranking that counts a game with this ending if it had these
    adjustments. The game must be loaded with its season."""
    return tuple(
        _adjustment_effect(ranking_id, game.pk, ending, adjustments)
        for ranking_id in rankings_of(game.season_game.season)
    )


def _adjustment_effect(
    ranking_id: int, game_id: int, ending: Ending, adjustments: Adjustments
) -> RankingEffect:
    state = ranking_state(ranking_id)
    stored_game = held_games(ranking_id, [game_id]).get(game_id)
    if stored_game is None or not stored_game.over:
        return RankingEffect(ranking_id, rows=(), rated_again=None)
    concerned = [player for player in dict.fromkeys(stored_game.counts_for) if player is not None]
    game_tallies = _game_tallies(state, stored_game.counts_for, ending, adjustments)
    without = tallies_without(ranking_id, concerned, game_id)
    after = {player: without.get(player, Tally()) + game_tallies[player] for player in concerned}
    before = _stored_tallies(ranking_id, concerned)
    rows = _effect_rows(state, concerned, before, after, newcomers={})

    places = []
    # only other ranks change ratings: penalties don't
    if stored_game.ranks != list(adjustments.ranks(ending.rank or ())):
        places.append((stored_game.played_at, stored_game.natural_id))
    return RankingEffect(ranking_id, tuple(rows), rated_again(state, places))


def _game_tallies(
    state: RankingState,
    counts_for: Sequence[int | str | None],
    ending: Ending,
    adjustments: Adjustments,
) -> dict[int | str, Tally]:
    """Return the tally that a game adds to each player, by row id, or by the handle of a new
    player; empty if the game isn't over, or has no points."""
    points = game_points(state.scoring, ending)
    if not ending.over or ending.rank is None or points is None:
        return {}
    ranks = adjustments.ranks(ending.rank)
    scores = adjustments.points(state.scoring, ending.rank, points)
    tallies: dict[int | str, Tally] = {}
    for seat, (player, rank, score) in enumerate(zip(counts_for, ranks, scores, strict=True)):
        if player is not None:
            tally = tally_of_game(rank, score, adjustments.penalty(seat))
            tallies[player] = tallies.get(player, Tally()) + tally
    return tallies


def seats_effect(
    *, ranking_id: int, games: Sequence[int], player: int, counts_for: int | None
) -> RankingEffect:
    """Return what would change in a ranking if a player's seats in these games counted for the
    player `counts_for` (None for nobody). Games that still wait to be counted are left out."""
    state = ranking_state(ranking_id)
    counted_before = []
    for game in held_games(ranking_id, games).values():
        counted_before += [seat.counts_for for seat in game.seats if seat.player == player]
    if not counted_before:
        return RankingEffect(ranking_id, rows=(), rated_again=None)

    players = dict.fromkeys([*counted_before, counts_for])
    concerned = [row_id for row_id in players if row_id is not None]
    before = _stored_tallies(ranking_id, concerned)
    tallies = tallies_if_counted_for(ranking_id, concerned, games, player, counts_for)
    after = {row_id: tallies.get(row_id, Tally()) for row_id in concerned}
    rows = _effect_rows(state, concerned, before, after, newcomers={})
    # ratings follow whoever sat there, so no game is rated again
    return RankingEffect(ranking_id, tuple(rows), rated_again=None)


def _stored_tallies(ranking_id: int, players: Sequence[int]) -> dict[int, Tally]:
    totals = {}
    for player, held in held_players(ranking_id, players).items():
        if held.row:
            totals[player] = held.row.total
    return totals


def _effect_rows(
    state: RankingState,
    concerned: Sequence[int],
    before: Mapping[int, Tally],
    after: Mapping[int, Tally],
    newcomers: Mapping[str, Tally],
) -> list[EffectRow]:
    players = Player.objects.in_bulk(concerned)
    names: list[tuple[str | None, str, str]] = []
    for player_id in concerned:
        player = players[player_id]
        names.append((player.public_id, player.handle, player.name))
    names += [(None, handle, handle) for handle in newcomers]

    tallies_before = [before.get(player) for player in concerned] + [None] * len(newcomers)
    tallies_after = [after[player] for player in concerned] + list(newcomers.values())
    ranks = ranks_changed(state.ranking_id, state.order, concerned, tallies_before, tallies_after)

    rows = []
    columns = zip(names, tallies_before, tallies_after, ranks, strict=True)
    for (public_id, handle, name), tally_before, tally_after, (rank_before, rank_after) in columns:
        row = EffectRow(
            player=public_id,
            handle=handle,
            name=name,
            rank_before=rank_before,
            rank_after=rank_after,
            points_before=tally_before.points if tally_before else None,
            points_after=tally_after.points if tally_after.games else None,
            games_before=tally_before.games if tally_before else 0,
            games_after=tally_after.games,
        )
        rows.append(row)
    return rows
