"""The way in which the header of a correction seals why it was made: by a commitment as that to a
name (`engine.record.names`), so that the text can be removed where it tells somebody's name, and
every digest still holds. And the reason why a game was voided, which an export tells beside what is
sealed."""

import re
from dataclasses import dataclass
from typing import Final

from engine.record.names import SALT, Name
from engine.record.shape import Json, bad, hexadecimal, join, members, moment

LENGTH: Final = 500
"""Characters that a reason may have."""
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SealedReason:
    """Why a game corrects another one. `seal`: the salt of its commitment; or, once `text` was
    removed and is empty, the commitment itself."""

    seal: Name
    text: str = ""

    @property
    def commitment(self) -> bytes:
        """The commitment to the text, 32 bytes."""
        return self.seal.sealed(self.text)


def read_reason(value: Json, path: str) -> SealedReason:
    """The reason that a record tells; raises `Refused`."""
    parts = members(value, path, (), ("salt", "text", "commitment"))
    if set(parts) == {"commitment"}:
        return SealedReason(
            Name(commitment=hexadecimal(parts["commitment"], join(path, "commitment")))
        )
    if set(parts) != {"salt", "text"}:
        raise bad(path, "must tell either its salt and its text or its commitment")
    text = read_text(parts["text"], join(path, "text"))
    return SealedReason(Name(salt=hexadecimal(parts["salt"], join(path, "salt"), SALT)), text)


def read_text(value: Json, path: str) -> str:
    """The words of a reason; raises `Refused`."""
    if not isinstance(value, str) or not 0 < len(value) <= LENGTH or _UNSTORABLE.search(value):
        raise bad(path, "must be a text of 1 to {number} characters", number=LENGTH)
    return value


def reason_json(reason: SealedReason) -> Json:
    """The reason as the record tells it."""
    if reason.seal.commitment is not None:
        return {"commitment": reason.seal.commitment.hex()}
    return {"salt": reason.seal.seal.hex(), "text": reason.text}


@dataclass(frozen=True, slots=True)
class VoidMark:
    """When a game was voided, as it was written, and why; `reason` is empty where it was
    removed."""

    at: str
    reason: str = ""


def read_void(value: Json, path: str) -> VoidMark:
    """The mark that a record brings; raises `Refused`."""
    parts = members(value, path, ("at",), ("reason",))
    reason = read_text(parts["reason"], join(path, "reason")) if "reason" in parts else ""
    return VoidMark(moment(parts["at"], join(path, "at")), reason)


def void_json(mark: VoidMark) -> Json:
    """The mark as the record tells it."""
    return {"at": mark.at, **({"reason": mark.reason} if mark.reason else {})}
