"""All that a correction would change in a ranking, computed by the engine. Nothing is written.

The work grows with the games of those who sit in the game, and one look along the index for each
rank, never with all that the ranking holds."""

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
    tallies_counting,
    tallies_without,
)
from league.standings.ranking.queries.state import RankingState, ranking_state
from league.standings.season.queries.season import rankings_of
from league.standings.standing.services import held_players


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A player's row before and after. `rank` and `points` are None where there is no row.

    `player`: the public id; None for somebody who would be new in the club, whose name is the
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
        """True if anything of the row would be another."""
        before = (self.rank_before, self.points_before, self.games_before)
        return before != (self.rank_after, self.points_after, self.games_after)

    @property
    def steps(self) -> int:
        """How many ranks the row goes up or down; 1 where it comes or goes."""
        if self.rank_before is None or self.rank_after is None:
            return int(self.rank_before != self.rank_after)
        return abs(self.rank_before - self.rank_after)


@dataclass(frozen=True, slots=True)
class RankingEffect:
    """All that would change in a ranking: the rows of those who sat in the game, and of those who
    would have.

    `rated_again`: how many games are rated anew, from the first place that is concerned on; None
    where the ranking isn't rated, or nothing has to be. More than `COUNTED` aren't counted."""

    ranking_id: int
    rows: tuple[EffectRow, ...]
    rated_again: int | None

    @property
    def movers(self) -> list[EffectRow]:
        """The rows, those first whose rank changes most; of players with the same change, as they
        sat."""
        return sorted(self.rows, key=lambda row: (-row.steps, not row.changed))

    @property
    def moved(self) -> int:
        """How many ranks would be others."""
        return sum(row.steps > 0 for row in self.rows)

    @property
    def changed(self) -> bool:
        """True if any of the rows would be another."""
        return any(row.changed for row in self.rows)


def game_effects(
    *,
    game: Game,
    record: Record,
    players: Sequence[int | None],
    ending: Ending,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> tuple[RankingEffect, ...]:
    """Read what it would do to each ranking that counts a game, which comes with its season, if it
    gave way to one with the record's seats, of these players, that ended so, and in which arbiters
    have adjusted this."""
    season = game.season_game.season
    stand_ins = seats_for_others([game.pk]).get(game.pk, {})
    return tuple(
        ranking_effect(
            ranking_id=ranking_id,
            game_id=game.pk,
            handles=record.seats,
            players=players,
            stand_ins=stand_ins if ranking_id == season.ranking_id else {},
            ending=ending,
            adjustments=adjustments,
            place=(record.instant or UNTIMED, natural(record.record_id)),
        )
        for ranking_id in rankings_of(season)
    )


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
    """Read what it would do to a ranking if a game gave way to one with these seats, which ended so
    and has these adjustments, at this place in the order of play; `players` are those whom the
    handles find, None for who is new. `stand_ins`: of these, for whom the ranking counts those who
    don't play for themselves, None for nobody.

    What still waits to be counted isn't in it.
    """
    state = ranking_state(ranking_id)
    stored_game = held_games(ranking_id, [game_id]).get(game_id)
    whom: list[int | str | None] = [
        handle if player is None else stand_ins.get(player, player)
        for handle, player in zip(handles, players, strict=True)
    ]
    counted = [seat.counts_for for seat in stored_game.seats] if stored_game else []
    concerned = [who for who in dict.fromkeys([*counted, *whom]) if isinstance(who, int)]
    outcome = _brought(state, whom, ending, adjustments)
    before = _totals(ranking_id, concerned)
    after = tallies_without(ranking_id, concerned, game_id)
    for player in concerned:
        after[player] = after.get(player, Tally()) + outcome.get(player, Tally())
    newcomers = {who: tally for who, tally in outcome.items() if isinstance(who, str)}
    places = (
        []
        if stored_game is None or not stored_game.over
        else [(stored_game.played_at, stored_game.natural_id)]
    )
    if outcome:
        places.append(place)
    return RankingEffect(
        ranking_id,
        tuple(_rows(state, concerned, before, after, newcomers)),
        rated_again(state, places),
    )


def adjustment_effects(
    *, game: Game, ending: Ending, adjustments: Adjustments
) -> tuple[RankingEffect, ...]:
    """Read what it would do to each ranking that counts a game, which comes with its season and
    ended so, if arbiters had adjusted this in it."""
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
        return RankingEffect(ranking_id, (), None)
    concerned = [who for who in dict.fromkeys(stored_game.counts_for) if who is not None]
    outcome = _brought(state, stored_game.counts_for, ending, adjustments)
    without = tallies_without(ranking_id, concerned, game_id)
    after = {player: without.get(player, Tally()) + outcome[player] for player in concerned}
    rows = _rows(state, concerned, _totals(ranking_id, concerned), after, {})
    moves = stored_game.ranks != list(adjustments.ranks(ending.rank or ()))
    places = [(stored_game.played_at, stored_game.natural_id)] if moves else []
    return RankingEffect(ranking_id, tuple(rows), rated_again(state, places))


def _brought(
    state: RankingState, whom: Sequence[int | str | None], ending: Ending, adjustments: Adjustments
) -> dict[int | str, Tally]:
    """Read what the game brings those for whom its seats count, by the player's id or, for who is
    new, the handle; nothing if it isn't over."""
    points = game_points(state.scoring, ending)
    if not ending.over or ending.rank is None or points is None:
        return {}
    ranks = adjustments.ranks(ending.rank)
    scores = adjustments.points(state.scoring, ending.rank, points)
    outcome: dict[int | str, Tally] = {}
    for seat, (who, rank, score) in enumerate(zip(whom, ranks, scores, strict=True)):
        if who is not None:
            tally = tally_of_game(rank, score, adjustments.penalty(seat))
            outcome[who] = outcome.get(who, Tally()) + tally
    return outcome


def seats_effect(
    *, ranking_id: int, games: Sequence[int], player: int, counts_for: int | None
) -> RankingEffect:
    """Read what it would do to a ranking if a player's seats in these games counted for
    `counts_for`, None: for nobody. What still waits to be counted isn't in it."""
    state = ranking_state(ranking_id)
    seats = [
        seat
        for game in held_games(ranking_id, games).values()
        for seat in game.seats
        if seat.player == player
    ]
    concerned = [
        who
        for who in dict.fromkeys([*(seat.counts_for for seat in seats), counts_for])
        if who is not None
    ]
    if not seats:
        return RankingEffect(ranking_id, (), None)
    before = _totals(ranking_id, concerned)
    after = tallies_counting(ranking_id, concerned, games, player, counts_for)
    tallies = {who: after.get(who, Tally()) for who in concerned}
    return RankingEffect(ranking_id, tuple(_rows(state, concerned, before, tallies, {})), None)


def _totals(ranking_id: int, players: Sequence[int]) -> dict[int, Tally]:
    """The rows of players as they are stored; who has none isn't in it."""
    return {
        player: who.row.total
        for player, who in held_players(ranking_id, players).items()
        if who.row
    }


def _rows(
    state: RankingState,
    concerned: Sequence[int],
    before: Mapping[int, Tally],
    after: Mapping[int, Tally],
    newcomers: Mapping[str, Tally],
) -> list[EffectRow]:
    """The rows of all who are concerned, those who are new in the club at the end."""
    players = Player.objects.in_bulk(concerned)
    tallies_before = [before.get(player) for player in concerned] + [None] * len(newcomers)
    tallies_after = [after[player] for player in concerned] + list(newcomers.values())
    ranks = ranks_changed(state.ranking_id, state.order, concerned, tallies_before, tallies_after)
    who = [
        (players[player].public_id, players[player].handle, players[player].name)
        for player in concerned
    ]
    people: list[tuple[str | None, str, str]] = [
        *who,
        *((None, handle, handle) for handle in newcomers),
    ]
    return [
        EffectRow(
            *person,
            rank_before=rank_before,
            rank_after=rank_after,
            points_before=was.points if was else None,
            points_after=tally.points if tally.games else None,
            games_before=was.games if was else 0,
            games_after=tally.games,
        )
        for person, was, tally, (rank_before, rank_after) in zip(
            people, tallies_before, tallies_after, ranks, strict=True
        )
    ]
