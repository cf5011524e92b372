"""Faults: what breaks a rule or the record format, as a value to return or in an exception."""

import unicodedata
from dataclasses import dataclass

from engine.messages import Message


@dataclass(frozen=True, slots=True)
class Illegal:
    """One fault.

    `code` is one of the error codes of the record format; `message` is an English sentence that can
    be translated. `round_number`, `turn` and `move` count from 0; `path` is the path of a key in
    the record, as in `rounds[3].moves[2]`. They are None if unknown.
    """

    code: str
    message: Message
    round_number: int | None = None
    turn: int | None = None
    move: int | None = None
    path: str | None = None

    def as_json(self) -> dict[str, str | int]:
        """Return the fault as a JSON object, without the keys that are None."""
        keys: dict[str, str | int | None] = {
            "code": self.code,
            "round": self.round_number,
            "turn": self.turn,
            "move": self.move,
            "message": self.message,
            "path": self.path,
        }
        return {key: value for key, value in keys.items() if value is not None}


class Refused(Exception):
    """An exception that carries a fault to the code that reports it.

    It is the base of all refusals with a code and a message.
    """

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def character_name(character: str) -> str:
    """Return a character's Unicode name and number, `ZERO WIDTH SPACE (U+200B)`.

    A character without a name has only its number: `U+0007`.
    """
    code_point = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    return f"{name} ({code_point})" if name else code_point


def quote(text: str) -> str:
    """Return `text` for a message or a path: at most 40 characters, all of them printable."""
    short = text if len(text) <= 40 else text[:39] + "…"
    return short if short.isprintable() else ascii(short)[1:-1]
