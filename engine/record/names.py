"""The way in which the header of a game seals the names of its players: by commitments, so that a
name can be forgotten.

The commitment of a seat is SHA-256 of `cups-up/name/1`, a line feed, 16 random bytes of salt, and
the handle in UTF-8. Digests cover the commitments, never the handles: who is erased leaves a
commitment that tells nothing without its salt, and every digest still holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.record.shape import DIGEST, Json, bad, each, hexadecimal, join, members

SALT: Final = range(16, 17)
"""Bytes a salt has."""


@dataclass(frozen=True, slots=True)
class Name:
    """The way in which the handle of one seat is sealed; exactly one of the two is known.

    `salt`: the 16 bytes that the commitment is made with. `commitment`: its 32 bytes as they stand,
    for a player who was erased; the handle then is but a pseudonym."""

    salt: bytes | None = None
    commitment: bytes | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless there is a salt or a commitment of the right size."""
        parts = [(self.salt, SALT), (self.commitment, DIGEST)]
        if [len(value) in size for value, size in parts if value is not None] != [True]:
            raise ValueError("a name has either a salt of 16 bytes or a commitment of 32")

    @classmethod
    def of(cls, seal: bytes) -> "Name":
        """The name that these bytes stand for: 16 are a salt, 32 a commitment. ValueError for
        others."""
        return cls(salt=seal) if len(seal) in SALT else cls(commitment=seal)

    @property
    def seal(self) -> bytes:
        """The salt or the commitment, whichever is known; `of` gives the name back."""
        return self.salt or self.commitment or b""

    def sealed(self, handle: str) -> bytes:
        """The commitment to the handle, 32 bytes."""
        if self.commitment is not None:
            return self.commitment
        assert self.salt is not None
        return sha256(b"cups-up/name/1\n" + self.salt + handle.encode()).digest()


def read_names(value: Json, seats: int, path: str) -> tuple[Name, ...]:
    """The names of a game with so many seats; raises `Refused`."""
    return each(value, path, _name, range(seats, seats + 1))


def _name(value: Json, path: str) -> Name:
    parts = members(value, path, (), ("salt", "commitment"))
    if ("salt" in parts) == ("commitment" in parts):
        raise bad(path, "must tell either its salt or its commitment")
    if "salt" in parts:
        return Name(salt=hexadecimal(parts["salt"], join(path, "salt"), SALT))
    return Name(commitment=hexadecimal(parts["commitment"], join(path, "commitment")))


def names_json(names: Sequence[Name]) -> list[Json]:
    """The names as the record tells them."""
    return [{"salt" if name.salt else "commitment": name.seal.hex()} for name in names]
