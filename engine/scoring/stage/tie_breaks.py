"""The functions of tie-breaks, computed from the scorebook, with definitions and sources.

FIDE: Handbook C.07, Play-Off and Tie-Break Regulations,
https://handbook.fide.com/chapter/TieBreakRegulations032026 (from 1 March 2026; the articles as in
the table of scalachess, tiebreak/src/main/scala/Tiebreak.scala). WBC: World Boardgaming
Championships, http://www.boardgamers.org. MTR: Magic Tournament Rules. FIDE and MTR deal with two
players at a board; what is said here about larger tables is our own.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from engine.record.kinds import SEATS
from engine.scoring.stage.results import PARTS
from engine.scoring.stage.scorebook import Scorebook
from engine.scoring.stage.table_points import game_scores, middle_score, most_score

Figure: TypeAlias = int | Fraction | tuple[int, ...]
"""What a tie-break compares, larger is better; all figures of one tie-break are of one type."""
Figures: TypeAlias = Mapping[str, Figure]
"""The figures of several players, by id."""

MEAN: Final = 420
"""The smallest number divisible by all of 1 to 7, the opponents at a table."""
NOWHERE: Final = -(10**9)
"""The place of a player who has none, behind all others."""


def head_to_head(book: Scorebook, tied: Collection[str]) -> Figures | None:
    """Return the figures of tied players by their tables in common; None unless every two of them
    have sat at one table.

    Against each of the others, a player gets 2 for finishing ahead at the common table, 1 for
    sharing the place, and 0 for finishing behind; if they met more than once, the mean. Players who
    stay tied are compared again among themselves. FIDE C.07 6 (direct encounter), 6.1.2 for the
    mean; an encounter is a common table here.
    """
    if any(len(tied) > 1 + _most_opponents(book, player) for player in tied):
        return None
    figures = dict.fromkeys(tied, Fraction(0))
    for first, second in combinations(sorted(tied), 2):
        met = meetings(book, first, second)
        if not met:
            return None
        mean = Fraction(sum([meeting.result for meeting in met]), len(met))
        figures[first] += mean
        figures[second] += 2 - mean
    return figures


class Meeting(NamedTuple):
    """A round in which two players sat at one table.

    `result`: 2 if the first finished ahead, 1 for a shared place, 0 behind. `free`: whether
    `round_number` is the number of a free table.
    """

    round_number: int
    result: int
    free: bool = False


def meetings(book: Scorebook, first: str, second: str) -> tuple[Meeting, ...]:
    """Return the rounds in which two players met at a table that is over, in order."""
    common = []
    for scored, seat in book.tables.get(first, ()):
        table = scored.table
        if second in table.players:
            place = scored.places[seat]
            other_place = scored.places[table.players.index(second)]
            # 2 if ahead, 1 if level, 0 if behind; the first place is number 1.
            result = 1 + (place < other_place) - (place > other_place)
            common.append(Meeting(table.round_number, result, book.rules.free))
    return tuple(common)


def _most_opponents(book: Scorebook, player: str) -> int:
    """Return how many opponents a player met, if none of them twice.

    A cheap upper bound: with it, most large ties need no search for meetings."""
    return sum([len(scored.places) - 1 for scored, _ in book.tables.get(player, ())])


def _ranks(book: Scorebook, player: str) -> list[int]:
    ranks = []
    for scored, seat in book.tables.get(player, ()):
        ranks += [game.rank[seat] for game in scored.table.games]
    return ranks


def wins(book: Scorebook, player: str) -> Figure:
    """Count the player's games on each rank, from the first on, shared ranks included.

    So more wins are better; if equal, more second places, and so on. World Boardgaming
    Championships, format “Heats: Most Wins – Points”, tie-breakers 1 and 2. FIDE C.07 7.2 has only
    the wins.
    """
    places = Counter(_ranks(book, player))
    return tuple([places[place] for place in range(1, SEATS[-1] + 1)])


def games_won(book: Scorebook, player: str) -> Figure:
    """Count the games won, including shared wins. FIDE C.07 7.2."""
    return _ranks(book, player).count(1)


def points_share(book: Scorebook, player: str) -> Figure:
    """Return the points from tables, divided by the points for winning every game of these tables.

    Byes and points carried over don't count. MTR appendix C (match-win percentage), without its
    floor.
    """
    score = 0
    within_reach = 0
    for scored, seat in book.tables.get(player, ()):
        table = scored.table
        score += scored.scores[seat]
        within_reach += most_score(book.rules, len(table.games), len(table.players))
    return Fraction(score, within_reach or 1)


def opponents_score(book: Scorebook, player: str) -> Figure:
    """Return the sum, over the player's rounds, of the opponents' mean points in the whole stage.

    The mean makes a short table count like any other. For a round without a table, or whose table
    isn't over, the player's own points stand in for the opponents', but at most half of the highest
    score of all rounds (16.4.2). An opponent who left gets half of the highest score for each round
    since then (16.3). FIDE C.07 8.1 (Buchholz) and 16.
    """
    tables = book.tables.get(player, ())
    own_points = min(book.won[player], book.rounds * middle_score(book.rules))
    total = (book.rounds - len(tables)) * own_points * MEAN
    for scored, _ in tables:
        players = scored.table.players
        opponents_points = sum([book.lasting[other] for other in players]) - book.lasting[player]
        # In whole parts of a point that any number of opponents divides.
        total += opponents_points * MEAN // (len(players) - 1)
    return Fraction(total, MEAN * PARTS)


def last_table(book: Scorebook, player: str) -> Figure:
    """Return the place at the table of the stage's last round, as a negative number so that the
    first place is the largest; players without one come last.

    House rule, made for a last round that is a final table.
    """
    record = book.records[player]
    if not record or record[-1].round_number != book.rounds:
        return NOWHERE
    place = record[-1].place
    return NOWHERE if place is None else -place


def best_game(book: Scorebook, player: str) -> Figure:
    """Return the points of the player's best game.

    If the stage's scoring is `best_of`, where only tables have points, a game is scored by
    `placement`. Source: the best single finish, a tie-breaker of several events of the WBC.
    """
    # Scores are whole parts of a point.
    scores = [
        game_scores(book.rules, game)[seat]
        for scored, seat in book.tables.get(player, ())
        for game in scored.table.games
    ]
    return Fraction(max(scores, default=0), PARTS)


def seeding(book: Scorebook, player: str) -> Figure:
    """Return the place in the starting list, as a negative number so that the first place is the
    largest; players not in it come last.

    FIDE C.07, tournament pairing number (TPN).
    """
    place = book.seedings.get(player)
    return NOWHERE if place is None else -place


def lots(book: Scorebook, player: str) -> Figure:
    """Return a lot that anybody can compute again; the player with the larger number is ahead.

    The number is SHA-256 of `cups-up/lots/1`, a line feed, the stage's seed, a line feed and the
    player's id, in UTF-8. FIDE C.07 4.2: lots when the list of tie-breaks is exhausted.
    """
    message = f"cups-up/lots/1\n{book.rules.seed}\n{player}"
    return int.from_bytes(sha256(message.encode()).digest(), "big")
