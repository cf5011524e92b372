"""The kind of game: one object with every difference between recorded games.

No other code asks which game it is dealing with.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from engine.dice.proof import RecordedRoll
from engine.illegal import Illegal
from engine.messages import Message
from engine.record.outcome import KnownEnd
from engine.record.shape import Json


class AnswerPart(Protocol):
    """The checker's answer about one round, one turn or one sheet."""

    def as_json(self) -> dict[str, Json]:
        """Return the part as a JSON object, keys in the order of the record format."""


class InPlay(Protocol):
    """A game between two of its rounds (turns)."""

    @property
    def over(self) -> bool:
        """Return True if the game is over."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game, in seat order; figures are None until it is over.

    `points` follow the ruleset's scoring. `cntdice` is the dice score of Bluff, ruling B13;
    `totals` are those of Lügen-Kniffel's sheets, ruling K13. The other game has None.
    """

    over: bool = False
    rank: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    cntdice: tuple[int, ...] | None = None
    totals: tuple[int, ...] | None = None


RulesT = TypeVar("RulesT")
RoundT = TypeVar("RoundT")
GameT = TypeVar("GameT", bound=InPlay)
ResultT = TypeVar("ResultT", bound=AnswerPart)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Kind(Generic[RulesT, RoundT, GameT, ResultT]):
    """A kind of game, with all the differences between recorded games.

    «Round» below also means the turn of a game that has turns.
    """

    name: str
    """The value of the record's key `game`."""
    unit: Literal["round", "turn"]
    """What the game is a list of."""
    seats: range
    """The possible numbers of seats."""
    opening_dice: int
    """The dice that each seat rolls to decide who opens."""
    settings: tuple[str, ...]
    """The settings of its ruleset that every digest covers (see `engine.record.canonical`). A
    setting that comes later must not be added here."""
    answer: tuple[str, ...]
    """The keys of the checker's good answer after `id` and `ok`."""
    game_over: Illegal
    """The fault of a round after the end of the game."""

    read_rules: Callable[[Json, str], RulesT]
    """`read_rules(value, path)` returns the ruleset, or raises `Refused`."""
    read_round: Callable[[Json, int, str], tuple[RoundT | None, Illegal | None]]
    """`read_round(value, seats, path)` returns the round and its fault, with None for a missing
    one. There are both if a readable part comes before the fault."""
    moves: Callable[[RoundT], int]
    """`moves(round)` returns the number of its moves."""
    round_json: Callable[[RoundT], dict[str, Json]]
    """`round_json(round)` returns the round in the format of a record."""
    canonical: Callable[[Iterable[RoundT]], Iterator[RoundT]]
    """`canonical(rounds)` yields the rounds of a valid record without facts that follow from the
    others."""

    start: Callable[[RulesT, int, int], GameT]
    """`start(rules, seats, opener)` returns the game before its first round."""
    settle: Callable[[GameT, RoundT, str, bool], ResultT | Illegal]
    """`settle(game, round, path, last)` plays the round in the game, and returns its result or its
    first fault. After a fault the state of the game is undefined. Only the last round of a record
    may lack its end."""
    ending: Callable[[GameT], Ending]
    """`ending(game)` returns the end of a game."""
    known_end: Callable[[RulesT, KnownEnd], Ending | Illegal]
    """`known_end(rules, outcome)` returns the end of a game by its outcome, or the outcome's
    fault."""
    impossible_end: Callable[[RulesT, KnownEnd], Illegal | None]
    """`impossible_end(rules, outcome)` returns why no game can have an outcome that passes
    `known_end`. Sealed outcomes aren't checked for it."""
    points_bounds: Callable[[RulesT, KnownEnd], tuple[range, ...]]
    """`points_bounds(rules, outcome)` returns the points that each seat can have."""
    clock_end: Callable[[RulesT, Sequence[int], Sequence[Sequence[int]], Sequence[int]], KnownEnd]
    """`clock_end(rules, left, out, forfeit)` returns the outcome of a game that the clock ended.
    `left` is what each seat had: its dice, or the total of its sheet. `out` are the seats that went
    out, in order, with one entry for those that went together; `forfeit` are those that left."""

    pack: Callable[[GameT, Iterable[RoundT]], Iterator[bytes]]
    """`pack(game, rounds)` yields the stored form of canonical rounds. It may play `game` along
    from its start."""
    unpack: Callable[[GameT, Iterable[bytes]], Iterator[RoundT]]
    """`unpack(game, bodies)` reverses `pack`, and may play `game` along, too. It raises ValueError
    for other bytes."""
    rolls: Callable[
        [GameT, Sequence[RoundT], Sequence[ResultT]], Iterator[list[RecordedRoll] | None]
    ]
    """`rolls(game, rounds, results)` yields the recorded rolls of each round, None for a round that
    lacks them."""
    gaps: Callable[[Sequence[RoundT]], Iterator[Message]]
    """`gaps(rounds)` yields sentences on what a valid record leaves out and so can't be checked."""

    state: Callable[[GameT], dict[str, Any]]
    """`state(game)` returns a game between two rounds as a JSON object."""
    game_of_state: Callable[[RulesT, dict[str, Any]], GameT]
    """`game_of_state(rules, state)` reverses `state`."""
    read_note: Callable[[GameT, Sequence[dict[str, Any]], Json, str], dict[str, Any]]
    """`read_note(game, notes, value, path)` returns a note that follows the other notes of the
    current round, or raises `Refused`."""
    note_mismatch: Callable[[GameT, Sequence[dict[str, Any]], RoundT, str], Illegal | None]
    """`note_mismatch(game, notes, round, path)` returns the fault of a round that contradicts its
    notes."""
    bulk: Callable[[GameT, Sequence[bytes]], Ending | None] | None = None
    """`bulk(game, bodies)`, if there is one, returns the end of a stored game faster than `unpack`
    and `settle`, and leaves `game` unchanged. None for a game with a fault, or one that it doesn't
    cover."""

    @property
    def units(self) -> str:
        """Return the key of the record that lists the rounds: `rounds` or `turns`."""
        return f"{self.unit}s"

    def path(self, number: int) -> str:
        """Return the path of a round in the record, counted from 0."""
        return f"{self.units}[{number}]"

    def at(self, number: int, illegal: Illegal) -> Illegal:
        """Return the fault with the number of its round, counted from 0."""
        if self.unit == "turn":
            return replace(illegal, turn=number)
        return replace(illegal, round_number=number)


AnyKind: TypeAlias = Kind[Any, Any, Any, Any]
