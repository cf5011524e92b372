"""The kind of game: one object holds all that differs between recorded games, so that nobody else
asks which it is."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from engine.dice.proof import RecordedRoll
from engine.illegal import Illegal
from engine.messages import Message
from engine.record.outcome import KnownEnd
from engine.record.shape import Json


class AnswerPart(Protocol):
    """All that the checker answers about one round, one turn or one sheet."""

    def as_json(self) -> dict[str, Json]:
        """The part as a JSON object, keys in the order of the record format."""


class InPlay(Protocol):
    """A game in play, between two of its rounds (turns)."""

    @property
    def over(self) -> bool:
        """True if nothing can follow any more."""


@dataclass(frozen=True, slots=True)
class Ending:
    """All that a game has come to. The figures are in seat order, and None while it isn't over or
    where its kind has none.

    `points` are by the ruleset's scoring. `cntdice` is the dice score of Bluff, ruling B13 (B);
    `totals` are those of Lügen-Kniffel's sheets, ruling K13 (K)."""

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
    """The way in which one kind of game is recorded. What says «round» means the turn of a game
    that has turns.

    `name`: the value of the record's key `game`. `unit`: what the game is a list of. `seats`: how
    many there may be. `opening_dice`: how many each rolls for who opens. `settings`: those of its
    ruleset that every digest covers (see `engine.record.canonical`); a setting that comes later
    isn't added here. `answer`: the keys of the checker's good answer after `id` and `ok`.

    `read_rules(value, path)`: the ruleset, or raises `Refused`. `read_round(value, seats, path)`:
    the round, and what is wrong with it; None for what there isn't, and both where a fault follows
    what could be read. `moves(round)`: how many moves it tells. `round_json(round)`: the round as
    JSON. `canonical(rounds)`: the rounds of a good record without what the others tell anyway.

    `start(rules, seats, opener)`: the game before its first round. `settle(game, round, path,
    last)`: plays the round on in the game, and tells what came of it or its first fault, after
    which the state of the game means nothing any more; only the last round of a record may lack its
    end. `game_over`: the fault of a round after the end. `ending(game)`: what the game has come to.
    `known_end(rules, outcome)`: what a game has come to of which only the end is known, or what of
    its outcome can't be. `impossible_end(rules, outcome)`: what else no game can end with, of such
    an outcome that comes in; a sealed one isn't asked. `points_bounds(rules, outcome)`: the points
    that each seat of it can have. `clock_end(rules, left, out, forfeit)`: the outcome of a game
    that the clock ended, from what each seat had (dice, or the total of its sheet), who was out, in
    order and those together as one, and who left.

    `pack(game, rounds)`, `unpack(game, bodies)`: the stored form of canonical rounds, and back
    (ValueError for bytes that are none); both play the `game` on from its start where they need to.
    `rolls(game, rounds, results)`: for each round the rolls that it tells, None if it should tell
    them and doesn't. `gaps(rounds)`: sentences on what the rounds of a good record leave out, so
    that nobody can check it. `state(game)`, `game_of_state(rules, state)`: the game between two
    rounds as a JSON object, and back. `read_note(game, notes, value, path)`: what is noted of the
    round that is being played, behind what was noted of it before; or raises `Refused`.
    `note_mismatch(game, notes, round, path)`: what the round then tells otherwise. `bulk(game,
    bodies)`, where there is one: a quicker way to what a stored game has come to, which leaves
    `game` as it was; None for a game that can't go it, or has a fault."""

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
        """The key of the record that lists the rounds: `rounds` or `turns`."""
        return f"{self.unit}s"

    def path(self, number: int) -> str:
        """The path of a round of the record, counted from 0."""
        return f"{self.units}[{number}]"

    def at(self, number: int, illegal: Illegal) -> Illegal:
        """The fault with the number of its round, counted from 0."""
        return (
            replace(illegal, turn=number)
            if self.unit == "turn"
            else replace(illegal, round_number=number)
        )


AnyKind: TypeAlias = Kind[Any, Any, Any, Any]
