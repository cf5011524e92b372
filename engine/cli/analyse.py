"""`python -m engine analyse FILE`: the worth of each decision, one JSON line per game."""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, Final, NamedTuple

from engine.analysis import game, kniffel
from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.only_end import NOTHING, nothing_json
from engine.bluff.move import move_text
from engine.cli.files import add_file, each_game, record_of, verdict_on
from engine.illegal import Illegal
from engine.kniffel.notation import announcement_text
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.record.record import Record

NAME: Final = "analyse"
HELP: Final = "say what each decision in recorded games was worth"
SHOWN: Final = 10
"""The most costly decisions of a game named in the text."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the file, and how its games are analysed."""
    add_file(parser)
    parser.add_argument(
        "--text",
        action="store_true",
        help="print the costliest decisions in words, instead of JSON",
    )
    parser.add_argument(
        "--weight",
        type=_weight,
        default=PLAIN,
        help=(
            "how much bids reveal about the dice, from 0 (the default) for nothing; "
            f"{FITTED} predicts challenges best"
        ),
    )


def _weight(text: str) -> float:
    weight = float(text)
    if not isfinite(weight) or weight < 0:
        raise ArgumentTypeError("must be 0 or more")
    return weight


def run(arguments: Namespace) -> int:
    """Print the analyses in order; return 0 if every game is ok, else 1.

    For a game with a fault, the checker's verdict is printed instead. For a game of which only the
    end is known, the answer says that there is nothing to analyse. Raise OSError if the file can't
    be read.
    """

    def answer(content: bytes | Illegal) -> Illegal | None:
        return _answer(content, arguments.weight, as_text=arguments.text)

    return each_game(arguments.file, answer)


def _answer(content: bytes | Illegal, weight: float, *, as_text: bool) -> Illegal | None:
    record = record_of(content)
    verdict = verdict_on(content)
    if isinstance(record, Illegal) or not verdict.ok:
        print(json.dumps(verdict.as_json()))
        return verdict.error

    if record.outcome is not None:
        if as_text:
            print(f"{_head(record)}\n  {NOTHING}")
        else:
            print(json.dumps(nothing_json(record)))
        return None
    kind = ANALYSES[record.kind]
    analysis = kind.analyse(record, weight)
    if as_text:
        print("\n".join([_head(analysis), *kind.words(analysis)]))
    else:
        print(json.dumps(analysis.as_json()))
    return None


def _head(played: Record | game.Analysis | kniffel.KniffelAnalysis) -> str:
    return f"{played.record_id}: {', '.join(played.seats)}"


def _bluff_words(analysis: game.Analysis) -> Iterator[str]:
    for number, decision in analysis.costliest()[:SHOWN]:
        name = analysis.seats[decision.seat]
        made = decision.made
        best = decision.best or made
        yield (
            f"  round {number + 1}, move {decision.move + 1}: "
            f"{name} played {move_text(made.move)} "
            f"(holds {made.chance:.0%}, worth {made.worth:+.2f} dice); "
            f"{move_text(best.move)} (holds {best.chance:.0%}, worth {best.worth:+.2f}): "
            f"cost {decision.cost:.2f}"
        )
    luck = analysis.luck() or ()
    luck_of_players = [
        f"{name} {seat.luck:+.2f} ({seat.half:.2f})"
        for name, seat in zip(analysis.seats, luck, strict=False)
    ]
    yield (
        "  luck of the rolls, in dice (fair dice stay within): "
        f"{', '.join(luck_of_players) or 'not every roll is told'}"
    )


def _kniffel_words(analysis: kniffel.KniffelAnalysis) -> Iterator[str]:
    turns = {turn.number: turn for turn in analysis.turns}
    for number, doubt in analysis.costliest()[:SHOWN]:
        turn = turns[number]
        name = analysis.seats[doubt.seat]
        action = "doubted" if doubt.doubted else "let stand"
        yield (
            f"  turn {number + 1}: {name} {action} {announcement_text(turn.announcement)} "
            f"(true {turn.chance:.0%}): cost {doubt.cost:.1f} points"
        )


def _analyse_kniffel(record: Record, weight: float) -> kniffel.KniffelAnalysis:
    """Return the analysis of a game; `weight` isn't used, as it is about bids of Bluff."""
    return kniffel.analyse(record)


class Analyses(NamedTuple):
    """The functions for games of one kind.

    `analyse(record, weight)` analyses a game with this weight of bids; `words(analysis)` yields
    lines of text.
    """

    analyse: Callable[[Record, float], Any]
    words: Callable[[Any], Iterator[str]]


ANALYSES: Final[Mapping[AnyKind, Analyses]] = {
    BLUFF: Analyses(game.analyse, _bluff_words),
    KNIFFEL: Analyses(_analyse_kniffel, _kniffel_words),
}
"""What the analysis adds to each kind of game; the record is a lower layer and can't know it."""
