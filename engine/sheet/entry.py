"""The entries of a sheet, and the chain of digests over them."""

from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from engine.record.canonical import canonical_json
from engine.record.shape import Json

Act: TypeAlias = Literal["opener", "note", "close", "undo", "amend"]
"""`opener`: who opens the game, by the roll. `note`: a bid, or what was announced, in the round that is being played.
`close`: the round, as a record tells it; so also a void one, seats that leave, and that time was up. `undo`: the last
entry that stands is taken back. `amend`: an earlier round was otherwise."""
OnlineAct: TypeAlias = Literal["bid", "challenge", "leave", "timeout", "reveal"]
"""The acts of an online table. `bid`, `challenge`: a seat acts. `leave`, `timeout`: a seat takes no further part.
`reveal`: the dealer shows what lay under the cups, which closes the round."""
ACTS: Final[dict[str, Act]] = {act: act for act in get_args(Act)}
ALL_ACTS: Final[dict[str, Act | OnlineAct]] = {**ACTS, **{act: act for act in get_args(OnlineAct)}}
BEGINNING: Final = b"cups-up/sheet/1\n"


class SheetEntry(NamedTuple):
    """One entry: what is done, and the JSON object that tells it."""

    act: Act | OnlineAct
    value: dict[str, Any]


def stored_entry(act: str, value: dict[str, Any]) -> SheetEntry:
    """The entry that a row keeps. KeyError for an act that there isn't."""
    return SheetEntry(ALL_ACTS[act], value)


def first_link(header: bytes) -> bytes:
    """The digest of a sheet without entries, by the digest of its game's header."""
    return sha256(BEGINNING + header).digest()


def next_link(link: bytes, entry: dict[str, Json]) -> bytes:
    """The digest after one more entry, which is told by all that stands of it: number, act, value, who and when."""
    return sha256(link + canonical_json(entry)).digest()
