"""Computing a ranking again from the sealed rounds, a batch at a time. Right rows stay untouched,
wrong ones are replaced.

A rebuild replays the games up to the position in the club's log that the ranking had read when the
rebuild began; counting goes on between its batches. It goes through the games and their outcomes,
then the rows of the standings, then the ratings from the first game on. Its progress is stored in
the ranking's row, so a rebuild that is killed resumes there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from league.core import sql
from league.core.jobs import UNLIMITED, TimeSlice, call_on_commit
from league.core.locks import Space, transaction_lock, transaction_lock_patient
from league.core.log.services import Actor, club_journal
from league.core.player.models import Player
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import GameOutcome, game_outcome
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranked_game.queries.ranked import HeldGame, held_games
from league.standings.ranked_game.services import games_insert, games_remove, last_places
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.source import OWNED, SEALINGS, next_games
from league.standings.ranking.queries.state import RankingState, ranking_state
from league.standings.ranking.services.counting import publish, ranking_count
from league.standings.rating.models import Rating, RatingChange
from league.standings.rating.services.rating import ratings_drop
from league.standings.standing.services import counted_rows, rows_write
from league.standings.style.services import styles_restart

GAMES: Final = 600
"""Games replayed in one transaction."""
PLAYERS: Final = 500
"""Rows added up in one transaction."""


def rebuild_ask(ranking_id: int) -> None:
    """Request a rebuild of a ranking: note it in the ranking's row and call a job. A job that works
    on the ranking at this moment doesn't clear the request."""
    Ranking.objects.filter(pk=ranking_id).update(
        rebuilt_to=0,
        rebuilt_player=None,
        rebuilt_until=None,
        rebuilds_asked=F("rebuilds_asked") + 1,
    )
    call_on_commit("standings.ranking.tasks.rebuild_ranking", ranking_id)


def ranking_rebuild_ask(*, ranking: Ranking, actor: Actor) -> None:
    """Request a rebuild of a ranking and of its players' styles. Raise `Busy` while a job works on
    the styles."""
    with club_journal(ranking.club_id, actor) as journal:
        rebuild_ask(ranking.pk)
        styles_restart(ranking.pk, from_rounds=True)
        call_on_commit("standings.ranking.tasks.read_styles", ranking.pk)
        journal.add(RankingAction.REBUILT, ranking.public_id)


def ranking_rebuild(*, ranking_id: int, wait: str = "", time_slice: TimeSlice = UNLIMITED) -> None:
    """Carry out the rest of a rebuild, a batch at a time, until the time slice is over; then count
    the games that wait. Raise `Busy` while another job works on the ranking; with a `wait` such as
    `60s`, only after waiting so long."""
    while _rebuild_batch(ranking_id, wait):
        if time_slice.is_over():
            return
    ranking_count(ranking_id=ranking_id, time_slice=time_slice)


@transaction.atomic
def _rebuild_batch(ranking_id: int, wait: str = "") -> bool:
    """Carry out one batch; return False once the rebuild is complete."""
    if wait:
        transaction_lock_patient(Space.RANKING, ranking_id, wait=wait)
    else:
        transaction_lock(Space.RANKING, ranking_id)
    state = ranking_state(ranking_id)
    if state.rebuilt_to is None:
        return False
    rebuild_step = _rebuild_games if state.rebuilt_player is None else _rebuild_standings
    publish(state, changed=rebuild_step(state))
    return state.rebuilt_to is not None


def _rebuild_games(state: RankingState) -> bool:
    """Replay the next games and replace wrong rows; return True if any row was wrong. Stop at the
    position where the rebuild began: games after it were counted correctly.

    Progress: `rebuilt_to` is the last position that is done, `rebuilt_until` the last one of the
    rebuild. After the last game, `rebuilt_player` leads over to the standings."""
    if state.rebuilt_until is None:
        state.rebuilt_until = state.position
    batch = next_games(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=state.rebuilt_to or 0,
        until=state.rebuilt_until,
        size=GAMES,
        actions=SEALINGS,
    )
    wrong_rows = _replace_wrong_games(state, batch.games)
    state.rebuilt_to = batch.position
    if batch.done:
        wrong_rows += _delete_rows_of_uncounted_games(state)
        state.rebuilt_player = 0  # the standings of all players with a larger id come next
    return wrong_rows > 0


def _replace_wrong_games(state: RankingState, games: Sequence[GameFacts]) -> int:
    counting = [game for game in games if not game.replaced]
    outcomes = {game.game_id: game_outcome(game, state.scoring) for game in counting}
    stored_games = held_games(state.ranking_id, [game.game_id for game in games])
    wrong = [
        game
        for game in games
        if not _has_right_rows(game, outcomes.get(game.game_id), stored_games.get(game.game_id))
    ]
    games_remove(state, [game.game_id for game in wrong])
    games_insert(state, [game for game in wrong if not game.replaced], outcomes)
    return len(wrong)


def _has_right_rows(
    game: GameFacts, outcome: GameOutcome | None, stored_game: HeldGame | None
) -> bool:
    """Return True if a game's rows, apart from ratings, follow from its sealed rounds. A game
    without an outcome should have none."""
    if outcome is None or stored_game is None:
        return outcome is None and stored_game is None
    columns = (*game.place, game.event, outcome.over, game.only_end, game.voided)
    columns_by_seat = [list(column) for column in (game.players, game.counts_for, *outcome.by_seat)]
    return stored_game == (*columns, *columns_by_seat)


def _delete_rows_of_uncounted_games(state: RankingState) -> int:
    deleted = 0
    for table in ("league_ratingchange", "league_appearance", "league_rankedgame"):
        deleted += sql.execute(
            f"""
            DELETE FROM {table} held
            WHERE held.ranking_id = %(ranking)s
                AND (
                    NOT EXISTS (
                        SELECT 1
                        FROM league_seasongame member
                        JOIN league_season season ON season.id = member.season_id
                        WHERE member.game_id = held.game_id AND {OWNED}
                    )
                    OR EXISTS (
                        SELECT 1
                        FROM games_game correction
                        WHERE correction.replaces_id = held.game_id
                    )
                    OR NOT EXISTS (
                        SELECT 1
                        FROM league_rankedgame game
                        WHERE game.ranking_id = held.ranking_id AND game.game_id = held.game_id
                    )
                )
            """,
            {"ranking": state.ranking_id},
        )
    return deleted


def _rebuild_standings(state: RankingState) -> bool:
    """Add up again the standings of at most `PLAYERS` players after `rebuilt_player`. After the
    last player, end the rebuild, and have all ratings computed again. Return True if the ranking's
    list may have changed."""
    player_rows = sql.rows(
        """
        SELECT player_id
        FROM (
            SELECT counts_for_id AS player_id
            FROM league_appearance
            WHERE ranking_id = %(ranking)s AND counts_for_id > %(after)s
            UNION
            SELECT player_id
            FROM league_standing
            WHERE ranking_id = %(ranking)s AND player_id > %(after)s
        ) known
        ORDER BY player_id
        LIMIT %(size)s
        """,
        {"ranking": state.ranking_id, "after": state.rebuilt_player, "size": PLAYERS},
    )
    players = [player for (player,) in player_rows]
    rows = counted_rows(state, players)
    public_ids = dict(Player.objects.filter(pk__in=rows).values_list("pk", "public_id"))
    changed = rows_write(state, rows, public_ids, removed_players=set(players) - rows.keys())
    if len(players) == PLAYERS:  # more players may follow
        state.rebuilt_player = players[-1]
        return changed > 0
    # without these three, no rebuild is under way
    state.rebuilt_to = None
    state.rebuilt_player = None
    state.rebuilt_until = None
    state.last, state.last_day = last_places(state)
    state.game_count = RankedGame.objects.filter(ranking=state.ranking_id, over=True).count()
    return _reset_ratings(state) or changed > 0


def _reset_ratings(state: RankingState) -> bool:
    """Delete the ratings of players without a finished game, and have all others computed again
    from the first game on. If the ranking isn't rated, delete all. Return True if the ranking's
    list may have changed."""
    if not state.rated:
        ratings_drop(state)
        return True
    finished_seats = Appearance.objects.filter(
        ranking=state.ranking_id, player=OuterRef("player"), rank__isnull=False
    )
    deleted, _ = Rating.objects.filter(~Exists(finished_seats), ranking=state.ranking_id).delete()
    unfinished = RankedGame.objects.filter(ranking=state.ranking_id, over=False)
    RatingChange.objects.filter(
        ranking=state.ranking_id, game__in=unfinished.values("game")
    ).delete()
    finished_games = Ranking.objects.get(pk=state.ranking_id).ranked_games.filter(over=True)
    places = finished_games.order_by("played_at", "natural_id")
    state.rated_from = places.values_list("played_at", "natural_id").first()
    return deleted > 0
