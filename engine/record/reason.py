"""The reasons for correcting a game and for voiding it.

The reason of a correction is sealed by a commitment in its header, like a name
(`engine.record.names`): a text that names somebody can be removed, and every digest still holds.
The reason for voiding a game isn't sealed; exports have it in addition.
"""

import re
from dataclasses import dataclass
from typing import Final

from engine.record.names import SALT, Name
from engine.record.shape import Json, bad, hexadecimal, join, members, timestamp

LENGTH: Final = 500
"""The most characters of a reason."""
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SealedReason:
    """The reason why a game corrects another one.

    `seal` is the salt of its commitment; or, after `text` was removed and is empty, the commitment.
    """

    seal: Name
    text: str = ""

    @property
    def commitment(self) -> bytes:
        """Return the commitment to the text, 32 bytes."""
        return self.seal.sealed(self.text)


def read_reason(value: Json, path: str) -> SealedReason:
    """Return the reason of a correction. Raise `Refused`."""
    parts = members(value, path, (), ("salt", "text", "commitment"))
    if set(parts) == {"commitment"}:
        commitment = hexadecimal(parts["commitment"], join(path, "commitment"))
        return SealedReason(Name(commitment=commitment))
    if set(parts) != {"salt", "text"}:
        raise bad(path, "must give either its salt and its text or its commitment")
    text = read_text(parts["text"], join(path, "text"))
    salt = hexadecimal(parts["salt"], join(path, "salt"), SALT)
    return SealedReason(Name(salt=salt), text)


def read_text(value: Json, path: str) -> str:
    """Return the text of a reason. Raise `Refused`."""
    if not isinstance(value, str) or not 0 < len(value) <= LENGTH or _UNSTORABLE.search(value):
        raise bad(path, "must be a text of 1 to {number} characters", number=LENGTH)
    return value


def reason_json(reason: SealedReason) -> Json:
    """Return the reason in the format of a record."""
    if reason.seal.commitment is not None:
        return {"commitment": reason.seal.commitment.hex()}
    return {"salt": reason.seal.seal.hex(), "text": reason.text}


@dataclass(frozen=True, slots=True)
class VoidMark:
    """The mark of a voided game: the time, as written, and the reason, empty if it was removed."""

    at: str
    reason: str = ""


def read_void(value: Json, path: str) -> VoidMark:
    """Return the mark of a voided game. Raise `Refused`."""
    parts = members(value, path, ("at",), ("reason",))
    reason = read_text(parts["reason"], join(path, "reason")) if "reason" in parts else ""
    return VoidMark(timestamp(parts["at"], join(path, "at")), reason)


def void_json(mark: VoidMark) -> Json:
    """Return the mark in the format of a record."""
    keys: dict[str, Json] = {"at": mark.at}
    if mark.reason:
        keys["reason"] = mark.reason
    return keys
