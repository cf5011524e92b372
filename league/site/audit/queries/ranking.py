"""All that a rebuild of a ranking would change, cell by cell; nothing is written.

It is verified passage by passage, each in a snapshot of its own, in the order in which rows follow
from each other: games and seats from their sealed rounds, then the table and the ratings from those
seats. Rows that weren't borne out are passed over for what their rounds give (`Basis`); so each
cell is held against the facts, as in one snapshot, and memory doesn't grow with the games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from games.domain.difference import Bookmark, Difference, Passage, cell_differences
from games.models import Game
from league.site.audit.queries.basis import Basis, basis_of, distrust
from league.site.audit.queries.rating import ratings
from league.site.audit.queries.standing import own_columns, standings
from league.site.audit.queries.style import game_styles, styles
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranked_game.domain.outcome import GameOutcome, Unreadable, game_outcome
from league.standings.ranked_game.models import RankedGame
from league.standings.ranked_game.queries.ranked import HeldGame, HeldSeat, held_games
from league.standings.ranking.queries.source import SEALINGS, games_batch, games_counting
from league.standings.rating.models import RatingChange

GAMES: Final = 100
"""Games that are replayed in one passage."""
ROWS: Final = 2000
"""Rows of games that are looked through in one passage."""
KEPT: Final = ("played_at", "natural_id", "event", "over", "only_end", "voided")
"""What a ranking keeps of a game as its facts tell it."""

Check = Callable[[Basis, Bookmark], Iterator[Difference]]
"""One kind of rows: the differences of its next passage. It sets `at` in the bookmark to where the
one behind begins, None at the end."""


def ranking_passage(ranking_id: int, bookmark: Bookmark, *, with_styles: bool = True) -> Passage:
    """Verify the next rows of a ranking; call it in a transaction of one snapshot.

    `with_styles`: playing styles, too, which takes some ten times as long.
    """
    bookmark = {"check": "games", "at": 0, **bookmark}
    checks = CHECKS if with_styles else CHECKS[:-2]
    names = [check.__name__ for check in checks]
    number = names.index(bookmark["check"])
    differences = list(checks[number](basis_of(ranking_id, bookmark), bookmark))
    if bookmark["at"] is None:
        number += 1
        bookmark = {
            key: bookmark[key] for key in ("wrong", "strays", "wrong_styles") if key in bookmark
        }
        bookmark |= {"check": names[min(number, len(names) - 1)], "at": 0}
    return Passage(differences, bookmark if number < len(names) else None)


def games(basis: Basis, bookmark: Bookmark) -> Iterator[Difference]:
    """The rows of games, in the order in which the log tells of them, and of their seats."""
    state = basis.state
    batch = games_batch(
        club_id=state.club_id,
        ranking_id=state.ranking_id,
        after=bookmark["at"],
        until=state.position,
        size=GAMES,
        actions=SEALINGS,
    )
    stored_games = held_games(state.ranking_id, [game.game_id for game in batch.games])
    for game in batch.games:
        if game.replaced:
            continue
        try:
            outcome = game_outcome(game, state.scoring)
        except Unreadable as error:
            differences = [
                Difference(
                    "game", game.external_id, "rounds", str(error), "a game that can be replayed"
                )
            ]
        else:
            differences = list(_game(game, outcome, stored_games.get(game.game_id)))
        if differences:
            distrust(bookmark, "wrong", game.position)
        yield from differences
    bookmark["at"] = None if batch.done else batch.position


def _game(
    game: GameFacts, outcome: GameOutcome, stored_game: HeldGame | None
) -> Iterator[Difference]:
    """The row of one game and those of its seats."""
    if stored_game is None:
        yield Difference("game", game.external_id, "counted", False, True)
        return
    stored_columns = [getattr(stored_game, column) for column in KEPT]
    expected_columns = (*game.place, game.event, outcome.over, game.only_end, game.voided)
    yield from cell_differences(
        "game", game.external_id, zip(KEPT, stored_columns, expected_columns, strict=True)
    )
    if len(stored_game.seats) != len(game.players):
        yield Difference(
            "game", game.external_id, "seats", len(stored_game.seats), len(game.players)
        )
        return
    for number, seat in enumerate(stored_game.seats):
        brought = [by_seat[number] for by_seat in outcome.by_seat]
        expected = (game.players[number], game.counts_for[number], *brought)
        cells = zip(HeldSeat._fields, seat, expected, strict=True)
        yield from cell_differences("appearance", f"{game.external_id} seat {number + 1}", cells)


def strays(basis: Basis, bookmark: Bookmark) -> Iterator[Difference]:
    """Rows of games that the ranking shouldn't hold, and changes of ratings by games that shouldn't
    make any, in the order of the games' ids."""
    state, ranking = basis.state, {"ranking": basis.state.ranking_id, "game__gt": bookmark["at"]}
    held = dict(
        RankedGame.objects.filter(**ranking).order_by("game").values_list("game", "over")[:ROWS]
    )
    until = {"game__lte": max(held)} if len(held) == ROWS else {}
    stray = held.keys() - games_counting(state, list(held))
    changes = set(RatingChange.objects.filter(**ranking, **until).values_list("game", flat=True))
    rating = {
        game
        for game, over in held.items()
        if over and game not in stray and game not in basis.passed
    }
    rating |= {game.game_id for game, _ in basis.over}
    unexpected = changes - (rating if state.rated else set()) - basis.unreadable
    names = dict(Game.objects.filter(pk__in=stray | unexpected).values_list("pk", "external_id"))
    for game in sorted(stray):
        distrust(bookmark, "strays", game)
        yield Difference("game", names[game], "counted", True, False)
    for game in sorted(unexpected) if state.rated_from is None else ():
        yield Difference("rating change", names.get(game, "no game"), "row", True, False)
    bookmark["at"] = max(held) if until else None


CHECKS: Final[tuple[Check, ...]] = (
    games,
    strays,
    standings,
    ratings,
    own_columns,
    game_styles,
    styles,
)
"""All kinds of rows of a ranking, each with those before it that it follows from; playing styles
last."""
