"""All that breaks a rule or the record format: a value that is returned, or that an exception
carries."""

import unicodedata
from dataclasses import dataclass

from engine.messages import Message


@dataclass(frozen=True, slots=True)
class Illegal:
    """One fault.

    `code` is one of the error codes of the record format; `message` says it in English, and can be
    translated. `round_number`, `turn` and `move` count from 0; `path` names the key of the record,
    as in `rounds[3].moves[2]`. What isn't known is None."""

    code: str
    message: Message
    round_number: int | None = None
    turn: int | None = None
    move: int | None = None
    path: str | None = None

    def as_json(self) -> dict[str, str | int]:
        """The fault as a JSON object, without the keys that are None."""
        place = {"round": self.round_number, "turn": self.turn, "move": self.move}
        place_known = {key: number for key, number in place.items() if number is not None}
        path = {} if self.path is None else {"path": self.path}
        return {"code": self.code, **place_known, "message": self.message, **path}


class Refused(Exception):
    """Carries a fault to where it is told: the base of all that is refused with a code and a
    message."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def character_name(character: str) -> str:
    """A character by its name in Unicode: `ZERO WIDTH SPACE (U+200B)`; one without a name by its
    number: `U+0007`."""
    code_point = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    return f"{name} ({code_point})" if name else code_point


def quote(text: str) -> str:
    """`text` for use in a message or a path: at most 40 characters, every one of them printable."""
    short = text if len(text) <= 40 else text[:39] + "…"
    return short if short.isprintable() else ascii(short)[1:-1]
