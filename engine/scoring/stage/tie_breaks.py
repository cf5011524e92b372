"""The functions of tie-breaks: each of the scorebook, with its definition and its source.

FIDE: Handbook C.07, Play-Off and Tie-Break Regulations,
https://handbook.fide.com/chapter/TieBreakRegulations032026 (from 1 March 2026; the articles as in
the table of scalachess, tiebreak/src/main/scala/Tiebreak.scala). WBC: World Boardgaming
Championships, http://www.boardgamers.org. MTR: Magic Tournament Rules. FIDE and MTR speak of two at
a board; what is said here of larger tables is ours."""

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
"""What a tie-break compares, larger for the better; all those of one tie-break are of one type."""
Figures: TypeAlias = Mapping[str, Figure]
"""The figures of several players, by id."""

MEAN: Final = 420
"""The smallest number that all of 1 to 7, the opponents at a table, divide."""
NOWHERE: Final = -(10**9)
"""The place of who has none, behind all others."""


def head_to_head(book: Scorebook, tied: Collection[str]) -> Figures | None:
    """Compare who finished ahead of whom, if all who are tied have sat at a table with one another;
    None if not.

    Each of the others counts 2 if one finished ahead of them at their common table, 1 for a shared
    place and 0 behind; the mean of it where they met more than once. Those who stay tied are
    compared anew among themselves alone. FIDE C.07 6 (direct encounter), 6.1.2 for the mean; an
    encounter is a common table here."""
    if any(len(tied) > 1 + _seats_beside(book, player) for player in tied):
        return None
    figures = dict.fromkeys(tied, Fraction(0))
    for first, second in combinations(sorted(tied), 2):
        met = meetings(book, first, second)
        if not met:
            return None
        ahead = Fraction(sum([meeting.result for meeting in met]), len(met))
        figures[first] += ahead
        figures[second] += 2 - ahead
    return figures


class Meeting(NamedTuple):
    """A round in which two sat at one table: 2 if the one finished ahead, 1 for a shared place, 0
    behind. `free`: it is a free table, of that number."""

    round_number: int
    result: int
    free: bool = False


def meetings(book: Scorebook, first: str, second: str) -> tuple[Meeting, ...]:
    """The rounds in which two met at a table that is over, in their order."""
    common = []
    for scored, seat in book.tables.get(first, ()):
        if second in scored.table.players:
            ours, its = scored.places[seat], scored.places[scored.table.players.index(second)]
            common.append(
                Meeting(scored.table.round_number, 1 + (ours < its) - (ours > its), book.rules.free)
            )
    return tuple(common)


def _seats_beside(book: Scorebook, player: str) -> int:
    """More than these a player can't have met, which spares most of a large tie the search for
    meetings."""
    return sum([len(scored.places) - 1 for scored, _ in book.tables.get(player, ())])


def wins(book: Scorebook, player: str) -> Figure:
    """Count the games won, shared wins included; if equal, the second places, then the third, and
    so on.

    WBC, format “Heats: Most Wins – Points”, tie-breakers 1 and 2. FIDE C.07 7.2 has the wins alone.
    """
    places = Counter(
        [
            game.rank[seat]
            for scored, seat in book.tables.get(player, ())
            for game in scored.table.games
        ]
    )
    return tuple([places[place] for place in range(1, SEATS[-1] + 1)])


def games_won(book: Scorebook, player: str) -> Figure:
    """Count the games won, shared wins included, and nothing more, as the table of a season does.
    FIDE C.07 7.2."""
    return sum(
        [
            game.rank[seat] == 1
            for scored, seat in book.tables.get(player, ())
            for game in scored.table.games
        ]
    )


def points_share(book: Scorebook, player: str) -> Figure:
    """The points from tables, by what one would have who won every game of them; byes and points
    carried over apart.

    MTR appendix C (match-win percentage), without its floor.
    """
    tables = book.tables.get(player, ())
    within_reach = sum(
        [
            most_score(book.rules, len(scored.table.games), len(scored.table.players))
            for scored, _ in tables
        ]
    )
    return Fraction(sum([scored.scores[seat] for scored, seat in tables]), within_reach or 1)


def opponents_score(book: Scorebook, player: str) -> Figure:
    """The points that one's opponents won in the stage: for each round the mean of those at the
    table, added up.

    The mean makes a short table count like any other. For a round without a table, or with one that
    isn't over, one's own points stand for those of opponents, but at most the middle of a table for
    every round (16.4.2). An opponent who left counts as in the middle of a table in each round
    since then (16.3). FIDE C.07 8.1 (Buchholz) and 16."""
    tables = book.tables.get(player, ())
    ours = min(book.won[player], book.rounds * middle_score(book.rules))
    total = (book.rounds - len(tables)) * ours * MEAN
    for scored, _ in tables:
        players = scored.table.players
        opponents_points = sum([book.lasting[second] for second in players]) - book.lasting[player]
        total += opponents_points * MEAN // (len(players) - 1)
    return Fraction(total, MEAN * PARTS)


def last_table(book: Scorebook, player: str) -> Figure:
    """The place at the table of the stage's last round; who has none there comes behind all who
    have.

    House rule, made for a last round that is a final table.
    """
    record = book.records[player]
    place = record[-1].place if record and record[-1].round_number == book.rounds else None
    return NOWHERE if place is None else -place


def best_game(book: Scorebook, player: str) -> Figure:
    """The points of one's best single game; in a stage of best-of, as `placement` counts it.

    WBC: the best single finish, a tie-breaker of several of their events.
    """
    scores = [
        game_scores(book.rules, game)[seat]
        for scored, seat in book.tables.get(player, ())
        for game in scored.table.games
    ]
    return Fraction(max(scores, default=0), PARTS)


def seeding(book: Scorebook, player: str) -> Figure:
    """The place in the starting list; who isn't in it comes last. FIDE C.07, tournament pairing
    number (TPN)."""
    place = book.seedings.get(player)
    return NOWHERE if place is None else -place


def lots(book: Scorebook, player: str) -> Figure:
    """A drawing of lots that anybody can repeat: the larger number is ahead.

    The number is SHA-256 of `cups-up/lots/1`, a line feed, the stage's seed, a line feed and the
    player's id, in UTF-8. FIDE C.07 4.2: lots where the list of tie-breaks is exhausted."""
    return int.from_bytes(
        sha256(f"cups-up/lots/1\n{book.rules.seed}\n{player}".encode()).digest(), "big"
    )
