"""Checks of a ranking: what a rebuild would change, cell by cell. Nothing is written.

A ranking is verified in batches, each in a snapshot of its own, in the order in which rows follow
from each other: games and seats from their sealed rounds, then the table and the ratings from those
seats. Where a game's rows proved wrong, later batches take what its rounds give instead
(`RankingContext`). So each cell is compared with the facts, as in one snapshot, and memory doesn't
grow with the games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from games.domain.difference import Checkpoint, Difference, VerifiedBatch, cell_differences
from games.models import Game
from league.site.audit.queries.context import RankingContext, mark_untrusted, ranking_context
from league.site.audit.queries.rating import ratings
from league.site.audit.queries.standing import own_columns, standings
from league.site.audit.queries.style import game_styles, styles
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import GameOutcome, Unreadable, game_outcome
from league.standings.ranked_game.models import RankedGame
from league.standings.ranked_game.queries.ranked import HeldGame, HeldSeat, held_games
from league.standings.ranking.queries.source import SEALINGS, games_counting, next_games
from league.standings.ranking.queries.state import RankingState
from league.standings.rating.models import RatingChange

GAMES: Final = 100
"""Games that are replayed in one batch."""
ROWS: Final = 2000
"""Rows of games that are compared in one batch."""
KEPT: Final = ("played_at", "natural_id", "event", "over", "only_end", "voided")
"""The columns of a ranking's game that follow from the facts."""

Check = Callable[[RankingContext, Checkpoint], Iterator[Difference]]
"""A check of one kind of rows: it yields the differences of its next batch, and changes `at` in the
checkpoint to the start of the batch after it, or to None after the last batch."""


def verify_ranking(
    ranking_id: int, checkpoint: Checkpoint, *, with_styles: bool = True
) -> VerifiedBatch:
    """Verify the next batch of a ranking, where the checkpoint says. Call it in a snapshot. After
    the last batch, the checkpoint of the result is None.

    `with_styles`: verify playing styles, too, which takes about ten times as long.
    """
    checkpoint = {"check": "games", "at": 0, **checkpoint}
    names = [name for name in CHECKS if with_styles or name not in STYLE_CHECKS]
    check = CHECKS[checkpoint["check"]]
    context = ranking_context(ranking_id, checkpoint)
    # The check also moves `at` in the checkpoint to its next batch, or to None after its last.
    differences = list(check(context, checkpoint))
    if checkpoint["at"] is not None:
        return VerifiedBatch(differences, checkpoint)

    next_check = names.index(checkpoint["check"]) + 1
    if next_check == len(names):
        return VerifiedBatch(differences, None)
    untrusted: Checkpoint = {key: checkpoint[key] for key in UNTRUSTED_KEYS if key in checkpoint}
    return VerifiedBatch(differences, {**untrusted, "check": names[next_check], "at": 0})


def games(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the rows of games and of their seats, in the order of the log, and mark wrong ones as
    untrusted."""
    state = context.state
    batch = next_games(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=checkpoint["at"],
        until=state.position,
        size=GAMES,
        actions=SEALINGS,
    )
    stored_games = held_games(state.ranking_id, [game.game_id for game in batch.games])
    for game in batch.games:
        if game.replaced:
            continue
        differences = list(_game_differences(game, state, stored_games.get(game.game_id)))
        if differences:
            mark_untrusted(checkpoint, "wrong", game.position)
        yield from differences
    checkpoint["at"] = None if batch.done else batch.position


def _game_differences(
    game: GameFacts, state: RankingState, stored_game: HeldGame | None
) -> Iterator[Difference]:
    try:
        outcome = game_outcome(game, state.scoring)
    except Unreadable as error:
        expected = "a game that can be replayed"
        yield Difference("game", game.external_id, "rounds", str(error), expected)
        return

    if stored_game is None:
        yield Difference("game", game.external_id, "counted", False, True)
        return

    stored_columns = [getattr(stored_game, column) for column in KEPT]
    expected_columns = (*game.place, game.event, outcome.over, game.only_end, game.voided)
    cells = zip(KEPT, stored_columns, expected_columns, strict=True)
    yield from cell_differences("game", game.external_id, cells)
    yield from _seat_differences(game, outcome, stored_game)


def _seat_differences(
    game: GameFacts, outcome: GameOutcome, stored_game: HeldGame
) -> Iterator[Difference]:
    seat_count = len(stored_game.seats)
    if seat_count != len(game.players):
        yield Difference("game", game.external_id, "seats", seat_count, len(game.players))
        return
    for number, seat in enumerate(stored_game.seats):
        results = [by_seat[number] for by_seat in outcome.by_seat]
        expected = (game.players[number], game.counts_for[number], *results)
        cells = zip(HeldSeat._fields, seat, expected, strict=True)
        yield from cell_differences("appearance", f"{game.external_id} seat {number + 1}", cells)


def unexpected_rows(context: RankingContext, checkpoint: Checkpoint) -> Iterator[Difference]:
    """Check the next batch of the ranking's games, in the order of their row ids: yield the games
    that the ranking shouldn't hold, marking them as untrusted, and the games that shouldn't have
    changed ratings."""
    state = context.state
    after_checkpoint = {"ranking": state.ranking_id, "game__gt": checkpoint["at"]}
    rows = RankedGame.objects.filter(**after_checkpoint).order_by("game")
    is_over_by_game = dict(rows.values_list("game", "over")[:ROWS])
    up_to_last = {"game__lte": max(is_over_by_game)} if len(is_over_by_game) == ROWS else {}
    unexpected = is_over_by_game.keys() - games_counting(state, list(is_over_by_game))

    games_to_rate = {game.game_id for game, _ in context.finished}
    for game_id, is_over in is_over_by_game.items():
        if is_over and game_id not in unexpected and game_id not in context.untrusted:
            games_to_rate.add(game_id)
    if not state.rated:
        games_to_rate = set()
    games_with_changes = set(
        RatingChange.objects.filter(**after_checkpoint, **up_to_last).values_list("game", flat=True)
    )
    unexpected_changes = games_with_changes - games_to_rate - context.unreadable

    named_games = Game.objects.filter(pk__in=unexpected | unexpected_changes)
    names = dict(named_games.values_list("pk", "external_id"))
    for game_id in sorted(unexpected):
        mark_untrusted(checkpoint, "strays", game_id)
        yield Difference("game", names[game_id], "counted", True, False)
    if state.rated_from is None:
        for game_id in sorted(unexpected_changes):
            yield Difference("rating change", names.get(game_id, "no game"), "row", True, False)
    checkpoint["at"] = max(is_over_by_game) if up_to_last else None


CHECKS: Final[dict[str, Check]] = {
    "games": games,
    "strays": unexpected_rows,
    "standings": standings,
    "ratings": ratings,
    "own_columns": own_columns,
    "game_styles": game_styles,
    "styles": styles,
}
"""The checks of a ranking by name, as checkpoints have it, each after the checks that it relies on."""
STYLE_CHECKS: Final = ("game_styles", "styles")
UNTRUSTED_KEYS: Final = ("wrong", "strays", "wrong_styles")
"""The keys of a checkpoint with the games whose rows aren't trusted; the next checks need them,
too."""
