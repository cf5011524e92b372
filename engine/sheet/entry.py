"""The entries of a sheet, and the chain of digests over them."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from engine.record.canonical import canonical_json
from engine.record.shape import Json

Act: TypeAlias = Literal["opener", "note", "close", "undo", "amend"]
"""`opener`: which seat opens the game, by the roll. `note`: a bid or an announcement in the current
round. `close`: the round in the format of a record, which can also be void, have seats that leave,
or end the game because time is up. `undo`: take back the last entry that counts. `amend`: replace
an earlier round.
"""
OnlineAct: TypeAlias = Literal[
    "bid", "challenge", "roll", "announce", "answer", "leave", "timeout", "reveal"
]
"""The acts of an online table. In Bluff a seat sends `bid` or `challenge`. In Lügen-Kniffel the
roller sends `roll` and `announce`, and the others `answer`. `leave`: a seat takes no further part.
`timeout`: a seat's time is up, which counts as leaving, or as believing if the seat was asked in
Lügen-Kniffel (rulings B17, K15, K16). `reveal`: the dealer closes the round and shows what lay
under the cups.
"""
SealedAct: TypeAlias = Literal["take_over"]
"""The act that begins the replay of a sealed game: all rounds so far are taken over and can't
change. Only the service writes it, when it opens the sheet.
"""
TAKE_OVER: Final = "take_over"
AsideAct: TypeAlias = Literal["call", "call_off", "ruling"]
"""Entries apart from the play, on sheets of either version; they don't change the game. `call`: the
table calls the arbiter. `call_off`: it takes the call back. `ruling`: the arbiter decides, which
ends the call.
"""
AnyAct: TypeAlias = Act | OnlineAct | SealedAct | AsideAct
ACTS: Final[dict[str, Act]] = {act: act for act in get_args(Act)}
"""The acts that people write at a table."""
ASIDES: Final[dict[str, AsideAct]] = {act: act for act in get_args(AsideAct)}
ALL_ACTS: Final[dict[str, AnyAct]] = {
    **ACTS,
    **{act: act for act in get_args(OnlineAct)},
    TAKE_OVER: TAKE_OVER,
    **ASIDES,
}
BEGINNING: Final = b"cups-up/sheet/1\n"


class SheetEntry(NamedTuple):
    """One entry: its act, and the JSON object with its details."""

    act: AnyAct
    value: dict[str, Any]


HiddenActs: TypeAlias = Sequence[SheetEntry]
"""The acts of the current round that are partly secret, in full; the sheet has only their public
parts.
"""


def stored_entry(act: str, value: dict[str, Any]) -> SheetEntry:
    """Return the entry of a stored row. Raise KeyError for an unknown act."""
    return SheetEntry(ALL_ACTS[act], value)


def first_link(header: bytes) -> bytes:
    """Return the digest of an empty sheet, from the digest of its game's header."""
    return sha256(BEGINNING + header).digest()


def next_link(link: bytes, entry: dict[str, Json]) -> bytes:
    """Return the digest after one more entry, with its number, act, value, author and time."""
    return sha256(link + canonical_json(entry)).digest()
