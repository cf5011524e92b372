"""All that a correction would change in a ranking, computed by the engine. Nothing is written.

The work grows with the games of those who sit in the game, and one look along the index for each rank, never with all
that the ranking holds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import connection

from engine.record.kind import Ending
from engine.scoring.points import game_points
from engine.scoring.standings import sort_key
from engine.scoring.tally import Tally, tally_of_game
from league.clubs.models import Player
from league.rankings.domain.game import Place
from league.rankings.queries.ranked import held_games
from league.rankings.queries.state import RankingState, ranking_state
from league.rankings.services.standing import stored_rows

COUNTED: Final = 1000
"""So many games to be rated again are counted; of more it is only said that there are more."""


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A player's row before and after. `rank` and `points` are None where there is no row.

    `player`: the public id; None for somebody who would be new in the club, whose name is the handle.
    """

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


@dataclass(frozen=True, slots=True)
class RankingEffect:
    """All that would change in a ranking: the rows of those who sat in the game, and of those who would have.

    `rated_again`: how many games are rated anew, from the first place that is concerned on; None where the ranking
    isn't rated, or nothing has to be. More than `COUNTED` aren't counted.
    """

    ranking_id: int
    rows: tuple[EffectRow, ...]
    rated_again: int | None

    @property
    def changed(self) -> bool:
        """True if any of the rows would be another."""
        return any(row.changed for row in self.rows)


def ranking_effect(
    *,
    ranking_id: int,
    game_id: int,
    handles: Sequence[str],
    players: Sequence[int | None],
    ending: Ending,
    place: Place,
) -> RankingEffect:
    """Read what it would do to a ranking if a game gave way to one with these seats, which ended so, at this place in
    the order of play; `players` are those whom the handles find, None for who is new.

    What still waits to be counted isn't in it.
    """
    state = ranking_state(ranking_id)
    stored_game = held_games(ranking_id, [game_id]).get(game_id)
    sat = [seat.player for seat in stored_game.seats] if stored_game else []
    concerned = list(dict.fromkeys([*sat, *(player for player in players if player is not None)]))
    outcome = _brought(state, handles, players, ending)
    before = {player: row.total for player, row in stored_rows(ranking_id, concerned).items()}
    after = _tallies_without(ranking_id, concerned, game_id)
    for player in concerned:
        after[player] = after.get(player, Tally()) + outcome.get(player, Tally())
    newcomers = {handle: outcome[handle] for handle in handles if handle in outcome}
    places = [] if stored_game is None or not stored_game.over else [(stored_game.played_at, stored_game.natural_id)]
    return RankingEffect(
        ranking_id,
        tuple(_rows(state, concerned, before, after, newcomers)),
        _rated_again(state, [*places, place] if outcome else places),
    )


def _brought(
    state: RankingState, handles: Sequence[str], players: Sequence[int | None], ending: Ending
) -> dict[int | str, Tally]:
    """Read what the corrected game brings, by the player's id or, for who is new, the handle; nothing if it isn't
    over."""
    points = game_points(state.scoring, ending)
    if not ending.over or ending.rank is None or points is None:
        return {}
    whom = [handle if player is None else player for handle, player in zip(handles, players, strict=True)]
    return {who: tally_of_game(rank, score) for who, rank, score in zip(whom, ending.rank, points, strict=True)}


def _tallies_without(ranking_id: int, players: Collection[int], game_id: int) -> dict[int, Tally]:
    """The tallies of players over all their counted games but one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player_id, count(*), count(*) FILTER (WHERE rank = 1), sum(points), sum(rank), max(points)"
            " FROM league_appearance WHERE ranking_id = %s AND player_id = ANY(%s) AND game_id <> %s"
            " AND rank IS NOT NULL GROUP BY player_id",
            [ranking_id, list(players), game_id],
        )
        return {player: Tally(*figures) for player, *figures in cursor}


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
    ranks = _ranks(state, concerned, tallies_before, tallies_after)
    who = [(players[player].public_id, players[player].handle, players[player].name) for player in concerned]
    people: list[tuple[str | None, str, str]] = [*who, *((None, handle, handle) for handle in newcomers)]
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


def _ranks(
    state: RankingState, concerned: Sequence[int], before: Sequence[Tally | None], after: Sequence[Tally]
) -> list[tuple[int | None, int | None]]:
    """The rank of each before and after: one more than the rows that lie above it. One query."""
    keys_before = [list(sort_key(tally, state.order)) if tally else None for tally in before]
    keys_after = [list(sort_key(tally, state.order)) if tally.games else None for tally in after]
    if not keys_before:
        return []
    value_rows = ", ".join(["(%s::int, %s::bigint[], %s::bigint[])"] * len(keys_before))
    above = "SELECT count(*) FROM league_standing WHERE ranking_id = %s AND key > given"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT ({above}.old), ({above}.new AND player_id <> ALL(%s))"
            f" FROM (VALUES {value_rows}) AS given (place, old, new) ORDER BY place",
            [
                *(state.ranking_id, state.ranking_id, list(concerned)),
                *(
                    part
                    for place, keys in enumerate(zip(keys_before, keys_after, strict=True))
                    for part in (place, *keys)
                ),
            ],
        )
        counts = cursor.fetchall()
    return [
        (
            None if was is None else 1 + above_old,
            None
            if key_after is None
            else 1 + above_new + sum(key is not None and key > key_after for key in keys_after),
        )
        for was, key_after, (above_old, above_new) in zip(keys_before, keys_after, counts, strict=True)
    ]


def _rated_again(state: RankingState, places: Sequence[Place]) -> int | None:
    """Read how many counted games lie at the first of these places or behind it."""
    if not state.rated or not places:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM (SELECT FROM league_rankedgame WHERE ranking_id = %s AND over"
            " AND (played_at, natural_id) >= (%s, %s) LIMIT %s) game",
            [state.ranking_id, *min(places), COUNTED + 1],
        )
        return int(cursor.fetchone()[0])
