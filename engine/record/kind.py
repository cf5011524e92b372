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
    """The end of a game. Figures are in seat order, and None until it is over or if its kind has
    none.

    `points` follow the ruleset's scoring. `cntdice` is the dice score of Bluff, ruling B13 (B);
    `totals` are those of Lügen-Kniffel's sheets, ruling K13 (K).
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
    """How one kind of game is recorded. «Round» below also means the turn of a game that has turns.

    `name`: the value of the record's key `game`. `unit`: what the game is a list of. `seats`: the
    possible numbers of seats. `opening_dice`: the dice that each seat rolls to decide who opens.
    `settings`: the settings of its ruleset that every digest covers (see
    `engine.record.canonical`); later settings are never added here. `answer`: the keys of the
    checker's good answer after `id` and `ok`.

    `read_rules(value, path)`: return the ruleset, or raise `Refused`. `read_round(value, seats,
    path)`: return the round and its fault, with None for a missing one; there are both if a
    readable part comes before the fault. `moves(round)`: return the number of its moves.
    `round_json(round)`: return the round as JSON. `canonical(rounds)`: return the rounds of a good
    record without facts that follow from the others.

    `start(rules, seats, opener)`: return the game before its first round. `settle(game, round,
    path, last)`: play the round in the game, and return its result or its first fault; after a
    fault the state of the game is undefined. Only the last round of a record may lack its end.
    `game_over`: the fault of a round after the end. `ending(game)`: return the end of the game.
    `known_end(rules, outcome)`: return the end of a game by its outcome, or the fault of the
    outcome. `impossible_end(rules, outcome)`: return the fault of an outcome that passes
    `known_end` but that no game can have; sealed outcomes aren't checked for it.
    `points_bounds(rules, outcome)`: return the points that each seat can have. `clock_end(rules,
    left, out, forfeit)`: return the outcome of a game that the clock ended, from what each seat had
    (its dice, or the total of its sheet), the seats that went out, in order and grouped if they
    went together, and the seats that left.

    `pack(game, rounds)`, `unpack(game, bodies)`: return the stored form of canonical rounds, and
    reverse it (ValueError for other bytes); where needed, both play `game` along from its start.
    `rolls(game, rounds, results)`: return the recorded rolls of each round, None for a round that
    lacks them. `gaps(rounds)`: return sentences on what the rounds of a good record leave out and
    so can't be checked. `state(game)`, `game_of_state(rules, state)`: convert the game between two
    rounds to a JSON object and back. `read_note(game, notes, value, path)`: return a new note on
    the current round, which follows the earlier `notes`; or raise `Refused`. `note_mismatch(game,
    notes, round, path)`: return the fault of a round that contradicts its notes. `bulk(game,
    bodies)`, optional: return the end of a stored game faster, leaving `game` unchanged; None for a
    faulty game or one that it doesn't cover.
    """

    name: str
    unit: Literal["round", "turn"]
    seats: range
    opening_dice: int
    settings: tuple[str, ...]
    answer: tuple[str, ...]
    game_over: Illegal
    read_rules: Callable[[Json, str], RulesT]
    read_round: Callable[[Json, int, str], tuple[RoundT | None, Illegal | None]]
    moves: Callable[[RoundT], int]
    round_json: Callable[[RoundT], dict[str, Json]]
    canonical: Callable[[Iterable[RoundT]], Iterator[RoundT]]
    start: Callable[[RulesT, int, int], GameT]
    settle: Callable[[GameT, RoundT, str, bool], ResultT | Illegal]
    ending: Callable[[GameT], Ending]
    known_end: Callable[[RulesT, KnownEnd], Ending | Illegal]
    impossible_end: Callable[[RulesT, KnownEnd], Illegal | None]
    points_bounds: Callable[[RulesT, KnownEnd], tuple[range, ...]]
    clock_end: Callable[[RulesT, Sequence[int], Sequence[Sequence[int]], Sequence[int]], KnownEnd]
    pack: Callable[[GameT, Iterable[RoundT]], Iterator[bytes]]
    unpack: Callable[[GameT, Iterable[bytes]], Iterator[RoundT]]
    rolls: Callable[
        [GameT, Sequence[RoundT], Sequence[ResultT]], Iterator[list[RecordedRoll] | None]
    ]
    gaps: Callable[[Sequence[RoundT]], Iterator[Message]]
    state: Callable[[GameT], dict[str, Any]]
    game_of_state: Callable[[RulesT, dict[str, Any]], GameT]
    read_note: Callable[[GameT, Sequence[dict[str, Any]], Json, str], dict[str, Any]]
    note_mismatch: Callable[[GameT, Sequence[dict[str, Any]], RoundT, str], Illegal | None]
    bulk: Callable[[GameT, Sequence[bytes]], Ending | None] | None = None

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
