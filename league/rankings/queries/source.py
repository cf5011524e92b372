"""The facts that a ranking is made of: games with their sealed rounds, in the order of the club's log.

Plain tuples in one query: a rebuild reads hundreds of thousands of rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import connection

from league.rankings.actions import GameAction
from league.rankings.domain.game import GameFacts, Portion
from league.rankings.seats import seats_for_others

OWNED: Final = """(season.ranking_id = %(ranking)s OR season.visibility = 'public' AND EXISTS (
    SELECT 1 FROM league_alltime owner WHERE owner.ranking_id = %(ranking)s AND owner.club_id = season.club_id
))"""
"""Whether a ranking counts the games of a season: its own one, or a club's over all public seasons."""
GAME: Final = """
        game.id, game.kind, game.header, game.played_at, game.external_id, game.event, game.replaces_id,
        EXISTS (SELECT 1 FROM games_game correction WHERE correction.replaces_id = game.id),
        COALESCE((SELECT stands FROM games_void WHERE game_id = game.id ORDER BY number DESC LIMIT 1), false),
        ARRAY(SELECT body FROM games_round WHERE game_id = game.id ORDER BY number),
        ARRAY(SELECT handle FROM games_seat WHERE game_id = game.id ORDER BY number),
        ARRAY(SELECT seal FROM games_seat WHERE game_id = game.id ORDER BY number),
        ARRAY(
            SELECT (
                SELECT COALESCE(player.merged_into_id, player.id) FROM league_handle named
                JOIN league_player player ON player.id = named.player_id
                WHERE named.club_id = season.club_id AND lower(named.handle) = lower(seat.handle)
            ) FROM games_seat seat WHERE seat.game_id = game.id ORDER BY seat.number
        )
"""
"""A game with all that is sealed of it. A handle is looked up by itself: in a join all of a club could be read for
each game."""
ENTRIES: Final = f"""
    FROM league_logentry entry
    JOIN games_game game ON game.public_id = entry.subject
    JOIN league_seasongame member ON member.game_id = game.id
    JOIN league_season season ON season.id = member.season_id
    WHERE entry.club_id = %(club)s AND entry.action = ANY(%(actions)s) AND {OWNED}
"""
"""The entries of a club's log that tell of a ranking's games."""
FACTS: Final = f"SELECT season.ranking_id = %(ranking)s, entry.position, entry.action, {GAME} {ENTRIES}"
"""The games, and of each whether the ranking is that of its season."""
SEALINGS: Final = [GameAction.SEALED.value, GameAction.CORRECTED.value]
"""The actions that tell of each game once."""
GAMES: Final = [*SEALINGS, GameAction.VOIDED.value, GameAction.RESTORED.value]
"""The actions after which a ranking counts a game, or doesn't count it any more."""


def portion(
    *, club_id: int, ranking_id: int, after: int, until: int, size: int, actions: Sequence[str] = GAMES
) -> Portion:
    """The next games of a ranking, at most `size`, whose entries lie behind `after` and no farther than `until`: one
    for each entry, so that of all `actions` a game may come several times."""
    parameters = {
        "club": club_id,
        "ranking": ranking_id,
        "actions": list(actions),
        "after": after,
        "until": until,
        "size": size,
    }
    games = _read(
        FACTS
        + " AND entry.position > %(after)s AND entry.position <= %(until)s ORDER BY entry.position LIMIT %(size)s",
        parameters,
    )
    at_end = len(games) < size
    return Portion(games, until if at_end else games[-1].position, at_end)


def entries(*, club_id: int, ranking_id: int, positions: Sequence[int]) -> list[GameFacts]:
    """The games of a ranking that these entries of the log tell of."""
    parameters = {"club": club_id, "ranking": ranking_id, "actions": GAMES, "positions": list(positions)}
    return _read(FACTS + " AND entry.position = ANY(%(positions)s) ORDER BY entry.position", parameters)


def games_named(games: Sequence[int]) -> list[GameFacts]:
    """Games by their ids, whatever ranking counts them; their `position` isn't known and 0."""
    return _read(
        f"SELECT FALSE, 0, '', {GAME} FROM games_game game JOIN league_seasongame member ON member.game_id = game.id"
        " JOIN league_season season ON season.id = member.season_id WHERE game.id = ANY(%(games)s)",
        {"games": list(games)},
    )


def _read(statement: str, parameters: dict[str, Any]) -> list[GameFacts]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows = [(in_season, GameFacts(*[*facts, facts[-1]])) for in_season, *facts in cursor.fetchall()]
    others = seats_for_others([game.game_id for in_season, game in rows if in_season])
    return [_counting_for(game, others.get(game.game_id)) for _, game in rows]


def _counting_for(game: GameFacts, others: Mapping[int, int | None] | None) -> GameFacts:
    """A game with those for whom its seats count."""
    if not others:
        return game
    counts_for = [player if player is None else others.get(player, player) for player in game.players]
    return game._replace(counts_for=counts_for)
