"""A whole record in its stored form: the canonical header as text, and each round (turn) as a few bytes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.illegal import Illegal
from engine.record.bluff import format as bluff
from engine.record.bluff.compact import pack_round, unpack_round
from engine.record.bluff.round import round_json
from engine.record.bluff.settle import check_round
from engine.record.kniffel import format as kniffel
from engine.record.kniffel.compact import pack_turn, unpack_turn
from engine.record.kniffel.turn import turn_json
from engine.record.record import FORMATS, Record, parse, read_header
from engine.record.shape import Json


def pack_record(record: Record) -> list[bytes]:
    """The stored form of each round (turn) of a record that is ok."""
    return list(PACK[record.game](record))


def unpack_record(header: str, bodies: Sequence[bytes]) -> Record:
    """The record of a canonical header and the rounds (turns) that `pack_record` gave.

    The rounds are canonical, and there is no `result`. ValueError if these aren't a record's.
    """
    told = parse(header)
    if not isinstance(told, dict) or told.get("game") not in FORMATS:
        raise ValueError("this is no header of a record")
    empty = read_header(told | {FORMATS[str(told["game"])].unit: []})
    if isinstance(empty, Illegal):
        raise ValueError(f"{empty.path}: {empty.message}")
    return replace(empty, rounds=tuple(UNPACK[empty.game](empty, bodies)))


def _pack_bluff(record: Record) -> Iterator[bytes]:
    """A round is packed by the dice that each seat owns before it, so the game is played along."""
    game = bluff.new_game(record)
    for told in bluff.facts(record):
        yield pack_round(told, game.owned)
        check_round(game, told, "", last=True)


def _unpack_bluff(record: Record, bodies: Sequence[bytes]) -> Iterator[Json]:
    game = bluff.new_game(record)
    for number, body in enumerate(bodies):
        told = unpack_round(body, game.owned)
        yield round_json(told)
        fault = check_round(game, told, "", last=True)
        if isinstance(fault, Illegal):
            raise ValueError(f"round {number}: {fault.message}")


def _pack_kniffel(record: Record) -> Iterator[bytes]:
    return map(pack_turn, kniffel.facts(record))


def _unpack_kniffel(record: Record, bodies: Sequence[bytes]) -> Iterator[Json]:
    return (turn_json(unpack_turn(body)) for body in bodies)


PACK: Final[dict[str, Callable[[Record], Iterator[bytes]]]] = {
    "bluff": _pack_bluff,
    "luegen-kniffel": _pack_kniffel,
}
UNPACK: Final[dict[str, Callable[[Record, Sequence[bytes]], Iterator[Json]]]] = {
    "bluff": _unpack_bluff,
    "luegen-kniffel": _unpack_kniffel,
}
