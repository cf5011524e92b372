"""The proof of a game's dice: what was published before, what was revealed after, and the check
of both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.dice.chain import Link, broken_link
from engine.dice.frame import SCHEME, SCHEMES
from engine.dice.opening import opener_of, opening_rolls
from engine.dice.roll import RollPlace, roll
from engine.messages import Message, say


class RecordedRoll(NamedTuple):
    """A recorded roll: the seat, the number of its draw in the round, and the faces in any
    order."""

    seat: int
    number: int
    faces: tuple[int, ...]


class RecordedOpener(NamedTuple):
    """The seat that opened a game by its record, the number of seats, and how many dice each
    rolled for it."""

    seat: int
    seats: int
    dice: int


class Mismatch(NamedTuple):
    """The first place where a proof and a game don't agree; `seat` and `draw` are given for a
    roll."""

    round_number: int
    message: Message
    seat: int | None = None
    draw: int | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """The commitment and the seats' seeds, known before the first roll, and the links revealed
    since.

    `links` has one for each round (turn) in order, after that of the opening roll if the `scheme`
    has one; None if only the commitment is recorded.
    """

    commitment: bytes
    seeds: tuple[bytes, ...]
    links: tuple[Link, ...] | None = None
    scheme: str = SCHEME


def first_mismatch(
    proof: Proof, game: str, rounds: Sequence[Sequence[RecordedRoll] | None], opener: RecordedOpener
) -> Mismatch | None:
    """Return the first place of a game that contradicts its proof; None if every roll is right.

    `rounds`: the rolls of each round (turn), None for a round that should record them and doesn't.
    The links of `proof` must be recorded.
    """
    opening_links = SCHEMES[proof.scheme]
    links = (proof.links or ())[opening_links:]
    broken = broken_link(proof.commitment, proof.links or ())
    if opening_links:
        mismatch = _opener_mismatch(proof, game, opener, broken)
        if mismatch is not None:
            return mismatch
    # From here on, links are numbered like rounds.
    broken = None if broken is None else broken - opening_links
    for number, rolls in enumerate(rounds):
        if number == len(links):
            return Mismatch(number, say("no link is revealed for it"))
        if number == broken:
            return _broken_link_mismatch(number)
        if rolls is None:
            return Mismatch(
                number,
                say("doesn't give all its rolls, so there is nothing to compare the proof with"),
            )
        mismatch = _roll_mismatch(proof, game, number, links[number].key, rolls)
        if mismatch is not None:
            return mismatch
    if len(links) > len(rounds):
        return Mismatch(len(rounds), say("a link is revealed for it, but it wasn't played"))
    return None


def _opener_mismatch(
    proof: Proof, game: str, opener: RecordedOpener, broken: int | None
) -> Mismatch | None:
    """Return why the recorded opener contradicts the proof.

    `broken`: the number of the first link that doesn't hash back to the commitment."""
    key = proof.links[0].key if proof.links else None
    if key is None:
        return Mismatch(0, say("no link is revealed for the roll for who opens"))
    if broken == 0:
        return Mismatch(0, say("the link for who opens doesn't hash back to the commitment"))

    def opening_roll(draw: RollPlace, dice: int) -> tuple[int, ...]:
        return roll(key, game, proof.seeds, draw, dice, proof.scheme)

    proved_seat = opener_of(opening_rolls(opening_roll, opener.seats, opener.dice))
    if proved_seat == opener.seat:
        return None
    return Mismatch(
        0,
        say(
            "by the roll, seat {rolled} opens, not seat {seat}",
            rolled=proved_seat,
            seat=opener.seat,
        ),
    )


def _broken_link_mismatch(number: int) -> Mismatch:
    if number == 0:
        return Mismatch(number, say("its link doesn't hash back to the commitment"))
    return Mismatch(number, say("its link doesn't hash back to the link before"))


def _roll_mismatch(
    proof: Proof, game: str, number: int, key: bytes | None, rolls: Sequence[RecordedRoll]
) -> Mismatch | None:
    for seat, draw, faces in rolls:
        if key is None:
            return Mismatch(number, say("gives dice, but its key isn't revealed"), seat, draw)
        place = RollPlace(number + SCHEMES[proof.scheme], seat, draw)
        rolled = sorted(roll(key, game, proof.seeds, place, len(faces), proof.scheme))
        if rolled != sorted(faces):
            return Mismatch(
                number,
                say("the faces are {rolled}, not {faces}", rolled=rolled, faces=sorted(faces)),
                seat,
                draw,
            )
    return None
