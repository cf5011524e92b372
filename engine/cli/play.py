"""`python -m engine play`: a match of automatic players, and the certainty of its result."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, NamedTuple, TextIO

from engine.bluff.ruleset import DICE, EXACT, SCORING
from engine.cli.text_table import text_table
from engine.illegal import Refused
from engine.kniffel.combinations import TRUTH
from engine.players.match import Entrant, play_match
from engine.players.result import KindResult, MatchResult
from engine.players.roster import PLAYERS
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kinds import KINDS
from engine.record.write import write

NAME: Final = "play"
HELP: Final = "let automatic players play against each other"
SETTINGS: Final = ("exact", "reroll", "dice", "scoring", "truth", "allow_zero")
"""The options that are rules; each belongs to one game."""


class PlayerChoice(NamedTuple):
    """The player chosen for a seat; without a strength it takes the common one."""

    name: str
    strength: float | None


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the players, the rules and the size of the match."""
    names = "; ".join(f"{kind.name}: {', '.join(PLAYERS[kind].by_name)}" for kind in PLAYERS)
    parser.set_defaults(refuse=parser.error)
    parser.add_argument(
        "--game", choices=list(KINDS), default=BLUFF.name, help=f"default: {BLUFF.name}"
    )
    parser.add_argument(
        "--seats",
        type=seats,
        required=True,
        help=f"the players, as in belief,odds,random or belief:0.5,odds ({names})",
    )
    parser.add_argument(
        "--strength", type=strength, default=1.0, help="for seats that give none: 0 (random) to 1"
    )
    parser.add_argument("--games", type=number, default=1000, help="default: 1000")
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed plays the same games; default: 1"
    )
    parser.add_argument("--exact", choices=EXACT, help="Bluff: who loses on an exact hit")
    parser.add_argument(
        "--reroll", action="store_true", default=None, help="Bluff: with laying out and rerolling"
    )
    parser.add_argument(
        "--dice",
        type=int,
        choices=DICE,
        metavar="N",
        help="Bluff: the number of dice for each seat",
    )
    parser.add_argument("--scoring", choices=SCORING, help="Bluff: how the records score points")
    parser.add_argument(
        "--truth", choices=TRUTH, help="Lügen-Kniffel: how points compare with the dice"
    )
    parser.add_argument(
        "--allow-zero", action="store_true", default=None, help="Lügen-Kniffel: 0 may be announced"
    )
    parser.add_argument(
        "--records", metavar="FILE", help="write the games to FILE, one record a line"
    )


def strength(text: str) -> float:
    """Return the strength in a text, from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text} is not from 0 to 1")
    return value


def number(text: str) -> int:
    """Return the number of games in a text, at least 1."""
    value = int(text)
    if value < 1:
        raise ArgumentTypeError(f"{text} is less than 1")
    return value


def seats(text: str) -> list[PlayerChoice]:
    """Return the players in a text such as `belief:0.5,odds`, whether or not they exist."""
    choices = []
    for part in text.split(","):
        name, colon, strength_text = part.partition(":")
        choices.append(PlayerChoice(name, strength(strength_text) if colon else None))
    return choices


def run(arguments: Namespace) -> int:
    """Play the match, print its result table and return 0.

    Raise OSError if the records can't be written.
    """
    kind = KINDS[arguments.game]
    rules = rules_of(kind, arguments)
    entrants = named(arguments.seats, arguments.strength)
    result = MatchResult(entrants)
    games = play_match(entrants, arguments.games, arguments.seed, rules, kind)
    with _records_file(arguments.records) as stream:
        for count, played in enumerate(games, start=1):
            result.add(played)
            if stream is not None:
                stream.write(write(played.record) + "\n")
            progress(count, arguments.games)
    head = (
        "player",
        "strength",
        "seats",
        "wins",
        "share",
        "95 %",
        PLAYERS[kind].score,
        "95 %",
        "rank",
        "95 %",
    )
    print(text_table([head, *map(_cells, result.of_kinds())]))
    return 0


def _records_file(name: str | None) -> AbstractContextManager[TextIO | None]:
    return open(name, "w", encoding="utf-8") if name else nullcontext()


def rules_of(kind: AnyKind, arguments: Namespace) -> Any:
    """Return the ruleset of the options.

    End the program with a message if the game lacks one of the chosen rules or players, or can't be
    played with that many seats."""
    names = PLAYERS[kind].by_name
    for name in sorted({choice.name for choice in arguments.seats} - names.keys()):
        arguments.refuse(f"there is no player {name!r} of {kind.name}, but {', '.join(names)}")
    seat_count = len(arguments.seats)
    if seat_count not in kind.seats:
        arguments.refuse(
            f"from {kind.seats[0]} to {kind.seats[-1]} seats can play {kind.name}, not {seat_count}"
        )
    settings = {name: getattr(arguments, name) for name in SETTINGS}
    chosen = {name: value for name, value in settings.items() if value is not None}
    try:
        return kind.read_rules(chosen, "")
    except Refused as refused:
        arguments.refuse(f"{kind.name} has no rule {refused.illegal.path!r}")


def _cells(result: KindResult) -> tuple[str, ...]:
    cells = [result.name, f"{result.strength:g}", str(result.seats), str(result.wins)]
    for interval, decimals in ((result.share, 3), (result.score, 2), (result.rank, 2)):
        cells.append(f"{interval.value:.{decimals}f}")
        cells.append(f"{interval.low:.{decimals}f} to {interval.high:.{decimals}f}")
    return tuple(cells)


def named(choices: Sequence[PlayerChoice], strength: float) -> list[Entrant]:
    """Return the chosen players as entrants, each with a handle of its own: `odds`, `odds-2`, …

    `strength`: of the players for whom none was chosen."""
    entrants: list[Entrant] = []
    for choice in choices:
        nth = 1 + sum(entrant.name == choice.name for entrant in entrants)
        handle = choice.name if nth == 1 else f"{choice.name}-{nth}"
        own_strength = strength if choice.strength is None else choice.strength
        entrants.append(Entrant(handle, choice.name, own_strength))
    return entrants


def progress(count: int, games: int) -> None:
    """Show on a terminal how many of the match's games are played; wipe the line at the end."""
    if not sys.stderr.isatty():
        return
    text = f"{count} of {games} games"
    if count == games:
        text = " " * len(text) + "\r"
    sys.stderr.write(f"\r{text}")
