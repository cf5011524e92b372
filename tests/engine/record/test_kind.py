"""What a new kind of game needs: one object, entered once. Everything that deals with records then
knows it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from engine.cli.analyse import ANALYSES
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.notation.game import LINES
from engine.record.canonical import canonical_rounds
from engine.record.check import check, check_line
from engine.record.export import export
from engine.record.header import stored_header
from engine.record.kind import Ending, Kind
from engine.record.kinds import KINDS
from engine.record.outcome import KnownEnd
from engine.record.record import Record, begin, read, with_names
from engine.record.shape import Json, join, members, whole
from engine.record.stored import pack_record, replay_stored, unpack_record
from engine.record.verify import verify_line
from engine.record.write import write
from tests.engine.record.build import SALTS


@dataclass(frozen=True)
class Goal:
    """The ruleset of a game in which everybody in turn takes some coins; who takes the last one
    wins."""

    coins: int = 5


@dataclass
class Pile:
    seats: int
    turn: int
    left: int

    @property
    def over(self) -> bool:
        return self.left <= 0


@dataclass(frozen=True)
class Taken:
    seat: int

    def as_json(self) -> dict[str, Json]:
        return {"seat": self.seat}


def read_take(value: Json, seats: int, path: str) -> tuple[int | None, Illegal | None]:
    try:
        return whole(
            members(value, path, ("take",), ())["take"], join(path, "take"), range(1, 4)
        ), None
    except Refused as refused:
        return None, refused.illegal


def settle(pile: Pile, take: int, path: str, last: bool = True) -> Taken | Illegal:
    if pile.over:
        return PILE.game_over
    if take > pile.left:
        return Illegal("too_many", say("so many coins don't lie there"), path=path)
    taken = Taken(pile.turn)
    pile.left -= take
    pile.turn = (pile.turn + 1) % pile.seats
    return taken


def ending(pile: Pile) -> Ending:
    if not pile.over:
        return Ending()
    rank = tuple(1 if (pile.turn - 1) % pile.seats == seat else 2 for seat in range(pile.seats))
    return Ending(True, rank, rank)


def known_end(rules: Goal, outcome: KnownEnd) -> Ending | Illegal:
    return Ending(True, outcome.rank, outcome.rank)


def pack(pile: Pile, takes: Iterable[int]) -> Iterator[bytes]:
    return (bytes([take]) for take in takes)


def unpack(pile: Pile, bodies: Iterable[bytes]) -> Iterator[int]:
    return (body[0] for body in bodies)


def no_rolls(pile: Pile, takes: Sequence[int], results: Sequence[Taken]) -> Iterator[None]:
    return (None for _ in takes)


PILE: Kind[Goal, int, Pile, Taken] = Kind(
    name="pile",
    unit="turn",
    seats=range(2, 3),
    opening_dice=1,
    settings=("coins",),
    answer=("over", "rank", "turns"),
    game_over=Illegal("game_over", say("nothing left")),
    read_rules=lambda value, path: Goal(
        whole(members(value, path, (), ("coins",)).get("coins", 5), path)
    ),
    read_round=read_take,
    moves=lambda take: 1,
    round_json=lambda take: {"take": take},
    canonical=iter,
    start=lambda rules, seats, opener: Pile(seats, opener, rules.coins),
    settle=settle,
    ending=ending,
    known_end=known_end,
    impossible_end=lambda rules, outcome: None,
    points_bounds=lambda rules, outcome: (range(1, 2), range(2, 3)),
    clock_end=lambda rules, left, out, forfeit: KnownEnd((1, 2)),
    pack=pack,
    unpack=unpack,
    rolls=no_rolls,
    gaps=lambda takes: iter([say("Nobody saw the coins.")]),
    state=lambda pile: {"left": pile.left, "turn": pile.turn, "seats": pile.seats},
    game_of_state=lambda rules, state: Pile(state["seats"], state["turn"], state["left"]),
    read_note=lambda pile, notes, value, path: {"take": read_take(value, pile.seats, path)[0]},
    note_mismatch=lambda pile, notes, take, path: None,
)
GAME = {"v": 1, "id": "p", "game": "pile", "rules": {}, "seats": ["anna", "bea"], "opener": 1}
TURNS: list[Json] = [{"take": 3}, {"take": 2}]


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one entry that a new kind needs."""
    monkeypatch.setitem(KINDS, PILE.name, PILE)


def pile(*turns: Json, **header: Json) -> Record:
    record = read(json.dumps(GAME | header | {"turns": list(turns)}))
    assert isinstance(record, Record)
    return record


def test_a_new_kind_is_read_and_written() -> None:
    game, takes = begin(pile(*TURNS), PILE)
    assert (game.left, takes) == (5, (3, 2))
    assert read(write(pile(*TURNS))) == pile(*TURNS)


def test_a_new_kind_is_checked() -> None:
    assert check(pile(*TURNS, result={"rank": [1, 2]})).as_json() == {
        "id": "p",
        "ok": True,
        "over": True,
        "rank": [1, 2],
        "turns": [{"seat": 1}, {"seat": 0}],
    }
    faults: list[tuple[list[Json], str, int]] = [
        ([{"take": 3}, {"take": 3}], "too_many", 1),
        ([{"take": 4}], "bad_record", 0),
        ([*TURNS, {"take": 9}], "game_over", 2),
    ]
    for turns, code, turn in faults:
        error = check(pile(*turns)).error
        assert error is not None
        assert (error.code, error.turn, error.round_number) == (code, turn, None)
    assert check_line(json.dumps(GAME)).as_json()["turns"] == []


def test_a_new_kind_is_sealed_stored_and_verified() -> None:
    record = with_names(pile(*TURNS), SALTS[:2])
    assert canonical_rounds(record) == [b'{"take":3}', b'{"take":2}']
    header, bodies = stored_header(record), pack_record(record)
    assert unpack_record(header, record.seats, record.names, bodies) == record
    assert replay_stored(header, record.seats, bodies).rank == (1, 2)
    assert verify_line(export(record)).proved == ("rules", "digests", "seal")


def test_of_a_new_kind_only_the_end_may_be_known() -> None:
    record = read(json.dumps(GAME | {"outcome": {"rank": [2, 1]}}))
    assert isinstance(record, Record)
    assert check(record).as_json() == {
        "id": "p",
        "ok": True,
        "over": True,
        "rank": [2, 1],
        "turns": [],
    }
    sealed = with_names(record, SALTS[:2])
    header, bodies = stored_header(sealed), pack_record(sealed)
    assert unpack_record(header, sealed.seats, sealed.names, bodies) == sealed
    assert replay_stored(header, sealed.seats, bodies).rank == (2, 1)


def test_what_is_of_another_kind_is_not_taken_for_it() -> None:
    with pytest.raises(ValueError, match="this is a game of pile, not bluff"):
        begin(pile(), KINDS["bluff"])


def test_every_room_above_the_record_knows_every_kind() -> None:
    """Notation and analysis lie above the record, which can't know them: each has one table by
    kind, and no other."""
    kinds = set(KINDS.values()) - {PILE}
    assert set(LINES) == kinds
    assert set(ANALYSES) == kinds
