"""The dealer of one game: it has the secret, rolls the dice, and reveals what has been played."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.dice.chain import SIZE, head_before, key_of, make_chain
from engine.dice.frame import SCHEME, SCHEMES
from engine.dice.opening import OpeningRoll, opening_rolls
from engine.dice.proof import Proof
from engine.dice.roll import RollPlace, roll


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dealer of the game with the id `game`.

    `secret`: 32 random bytes for this game alone. `seeds`: each seat's own, empty if it gave none;
    they are collected after the commitment was published, and all are known before the first roll.
    `scheme`: how dice are made, one of `SCHEMES`.
    """

    secret: bytes = field(repr=False)
    game: str
    seeds: tuple[bytes, ...]
    scheme: str = SCHEME

    def __post_init__(self) -> None:
        """Raise ValueError for a secret of another length."""
        if len(self.secret) != SIZE:
            raise ValueError(f"a secret has {SIZE} bytes")

    def deal(self, number: int, owned: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the first roll of each seat in round `number`, with as many dice as it owns.

        Raise ValueError if the chain has no link for that round."""
        return tuple(
            [self.roll(RollPlace(number, seat, 0), dice) for seat, dice in enumerate(owned)]
        )

    def roll(self, place: RollPlace, dice: int) -> tuple[int, ...]:
        """Return the faces of a roll or reroll in a round.

        Raise ValueError if the chain has no link for that round."""
        link = place.round_number + SCHEMES[self.scheme]
        return self._roll(place._replace(round_number=link), dice)

    def opening(self, dice: int) -> list[OpeningRoll]:
        """Return the rolls that decide who opens, with `dice` dice for each seat.

        Raise ValueError if the scheme has no link for these rolls."""
        if not SCHEMES[self.scheme]:
            raise ValueError(f"{self.scheme} has no link for the roll for who opens")
        return opening_rolls(self._roll, len(self.seeds), dice)

    def _roll(self, place: RollPlace, dice: int) -> tuple[int, ...]:
        """Roll dice. `place`: the place of the roll, with the number of its link as the round."""
        key = key_of(self.secret, place.round_number, self.scheme)
        return roll(key, self.game, self.seeds, place, dice, self.scheme)

    def proof(self, is_shown: Sequence[bool]) -> Proof:
        """Return the proof after some rounds. `is_shown`: for each of them, whether its dice are
        shown to all.

        Before the first round, the proof has the commitment, and the link of the opening roll if
        the scheme has one.
        """
        links = make_chain(self.secret, self.scheme)
        has_key = [True] * SCHEMES[self.scheme] + list(is_shown)
        revealed = []
        for link, shows_key in zip(links, has_key, strict=False):
            revealed.append(link if shows_key else link._replace(key=None))
        return Proof(head_before(links[0]), self.seeds, tuple(revealed), self.scheme)
