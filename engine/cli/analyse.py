"""`python -m engine analyse FILE`: what each decision was worth, one JSON line for each game of the
file."""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Any, Final, NamedTuple

from engine.analysis import game, kniffel
from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.only_end import NOTHING, nothing_json
from engine.bluff.move import move_text
from engine.cli.files import add_file, each_game
from engine.illegal import Illegal
from engine.kniffel.notation import announcement_text
from engine.record.bluff.kind import BLUFF
from engine.record.check import check_line
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.record.record import Record, read
from engine.record.verdict import Verdict

NAME: Final = "analyse"
HELP: Final = "tell what each decision of recorded games was worth"
SHOWN: Final = 10
"""Costly decisions of a game that the text names at most."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the file, and how its games are analysed."""
    add_file(parser)
    parser.add_argument(
        "--text", action="store_true", help="the costliest decisions in words, instead of JSON"
    )
    parser.add_argument(
        "--weight",
        type=_weight,
        default=PLAIN,
        help=(
            f"how much bids tell of the dice, 0 (the default) for nothing; {FITTED} foretells "
            "challenges best"
        ),
    )


def _weight(text: str) -> float:
    """A weight of 0 or more; argparse reports the errors."""
    weight = float(text)
    if not isfinite(weight) or weight < 0:
        raise ArgumentTypeError("must be 0 or more")
    return weight


def run(arguments: Namespace) -> int:
    """Print the analyses in order: 0 if every game is ok, else 1. OSError if the file can't be
    read.

    A game that isn't ok is answered as `check` does. One of which only the end is known has nothing
    to analyse, and the answer says so."""

    def answer(content: bytes | Illegal) -> Illegal | None:
        record = content if isinstance(content, Illegal) else read(content)
        verdict = (
            check_line(content) if isinstance(content, bytes) else Verdict(None, error=content)
        )
        if isinstance(record, Illegal) or not verdict.ok:
            print(json.dumps(verdict.as_json()))
            return verdict.error
        if record.outcome is not None:
            print(
                f"{_head(record)}\n  {NOTHING}"
                if arguments.text
                else json.dumps(nothing_json(record))
            )
            return None
        kind = ANALYSES[record.kind]
        analysis = kind.analyse(record, arguments.weight)
        print(
            "\n".join(_text(kind, analysis)) if arguments.text else json.dumps(analysis.as_json())
        )
        return None

    return each_game(arguments.file, answer)


def _text(kind: "Analyses", analysis: Any) -> Iterator[str]:
    yield _head(analysis)
    yield from kind.words(analysis)


def _head(played: Record | game.Analysis | kniffel.KniffelAnalysis) -> str:
    """The id of a game, of its record or its analysis, and who sat there."""
    return f"{played.record_id}: {', '.join(played.seats)}"


def _bluff(analysis: game.Analysis) -> Iterator[str]:
    for number, decision in analysis.costliest()[:SHOWN]:
        option, best = decision.made, decision.best or decision.made
        yield (
            f"  round {number + 1}, move {decision.move + 1}: {analysis.seats[decision.seat]} "
            "played "
            f"{move_text(option.move)} (holds {option.chance:.0%}, worth {option.worth:+.2f} "
            "dice); "
            f"{move_text(best.move)} (holds {best.chance:.0%}, worth {best.worth:+.2f}): cost "
            f"{decision.cost:.2f}"
        )
    luck = analysis.luck() or ()
    figures = [
        f"{name} {seat.luck:+.2f} ({seat.half:.2f})"
        for name, seat in zip(analysis.seats, luck, strict=False)
    ]
    yield (
        "  luck of the rolls, in dice (fair dice stay within): "
        f"{', '.join(figures) or 'not every roll is told'}"
    )


def _kniffel(analysis: kniffel.KniffelAnalysis) -> Iterator[str]:
    turns = {turn.number: turn for turn in analysis.turns}
    for number, doubt in analysis.costliest()[:SHOWN]:
        turn = turns[number]
        yield (
            f"  turn {number + 1}: {analysis.seats[doubt.seat]} "
            f"{'doubted' if doubt.doubted else 'let stand'} "
            f"{announcement_text(turn.announcement)} (true {turn.chance:.0%}): cost "
            f"{doubt.cost:.1f} points"
        )


class Analyses(NamedTuple):
    """The way in which games of one kind are analysed, the bids weighing so much, and the words for
    it, line by line."""

    analyse: Callable[[Record, float], Any]
    words: Callable[[Any], Iterator[str]]


ANALYSES: Final[Mapping[AnyKind, Analyses]] = {
    BLUFF: Analyses(game.analyse, _bluff),
    KNIFFEL: Analyses(lambda record, weight: kniffel.analyse(record), _kniffel),
}
"""What the analysis adds to each kind of game; the record, which lies below, can't know it."""
