"""The commitments by which the header of a game seals its players' names, so they can be forgotten.

The commitment of a seat is SHA-256 of `cups-up/name/1`, a line feed, 16 random bytes of salt, and
the handle in UTF-8. Digests cover the commitments, never the handles. After an erasure the
commitment stays, reveals nothing without its salt, and every digest still holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.record.shape import DIGEST, Json, bad, each, hexadecimal, join, members

SALT: Final = range(16, 17)
"""The number of bytes of a salt, as a range."""


@dataclass(frozen=True, slots=True)
class Name:
    """The seal of the handle of one seat: a salt or a commitment, never both.

    `salt` has the 16 bytes that the commitment is computed with. `commitment` has its 32 bytes, for
    an erased player, whose handle is then a pseudonym.
    """

    salt: bytes | None = None
    commitment: bytes | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless there is either a salt or a commitment, of the right size."""
        if self.commitment is None:
            valid = self.salt is not None and len(self.salt) in SALT
        else:
            valid = self.salt is None and len(self.commitment) in DIGEST
        if not valid:
            raise ValueError("a name has either a salt of 16 bytes or a commitment of 32")

    @classmethod
    def of(cls, seal: bytes) -> "Name":
        """Return the name with this seal: a salt of 16 bytes or a commitment of 32.

        Raise ValueError for another size.
        """
        if len(seal) in SALT:
            return cls(salt=seal)
        return cls(commitment=seal)

    @property
    def seal(self) -> bytes:
        """Return the salt or the commitment, whichever is known; `of` reverses it."""
        return self.salt or self.commitment or b""

    def sealed(self, handle: str) -> bytes:
        """Return the commitment to the handle, 32 bytes."""
        if self.commitment is not None:
            return self.commitment
        assert self.salt is not None
        return sha256(b"cups-up/name/1\n" + self.salt + handle.encode()).digest()


def read_names(value: Json, seats: int, path: str) -> tuple[Name, ...]:
    """Return the names of all seats of a game. Raise `Refused`."""
    return each(value, path, _name, range(seats, seats + 1))


def _name(value: Json, path: str) -> Name:
    parts = members(value, path, (), ("salt", "commitment"))
    if ("salt" in parts) == ("commitment" in parts):
        raise bad(path, "must give either its salt or its commitment")
    if "salt" in parts:
        return Name(salt=hexadecimal(parts["salt"], join(path, "salt"), SALT))
    return Name(commitment=hexadecimal(parts["commitment"], join(path, "commitment")))


def names_json(names: Sequence[Name]) -> list[Json]:
    """Return the names in the format of a record."""
    keys: list[Json] = []
    for name in names:
        key = "salt" if name.salt else "commitment"
        keys.append({key: name.seal.hex()})
    return keys
