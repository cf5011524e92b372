"""The entries of a sheet, and the chain of digests over them."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from engine.record.canonical import canonical_json
from engine.record.shape import Json

Act: TypeAlias = Literal["opener", "note", "close", "undo", "amend"]
"""`opener`: who opens the game, by the roll. `note`: a bid, or what was announced, in the round
that is being played. `close`: the round, as a record tells it; so also a void one, seats that
leave, and that time was up. `undo`: the last entry that stands is taken back. `amend`: an earlier
round was otherwise."""
OnlineAct: TypeAlias = Literal[
    "bid", "challenge", "roll", "announce", "answer", "leave", "timeout", "reveal"
]
"""The acts of an online table. In Bluff a seat says `bid` or `challenge`. In Lügen-Kniffel the
roller says `roll` and `announce`, and all others `answer`. `leave`: a seat takes no further part.
`timeout`: so does a seat whose time is up, but for one that is asked in Lügen-Kniffel, which
believes (rulings B17, K15, K16). `reveal`: the dealer closes the round, and shows what lay under
the cups."""
SealedAct: TypeAlias = Literal["take_over"]
"""The act by which a sealed game is played again from a round: all rounds so far are taken over
from it and stay as they are. The service writes it when it opens the sheet, and nobody else
does."""
TAKE_OVER: Final = "take_over"
AsideAct: TypeAlias = Literal["call", "call_off", "ruling"]
"""What is said beside the play, on a sheet of either version: it changes nothing of the game.
`call`: the table calls the arbiter. `call_off`: it takes the call back. `ruling`: the arbiter
rules, and the call is over."""
AnyAct: TypeAlias = Act | OnlineAct | SealedAct | AsideAct
ACTS: Final[dict[str, Act]] = {act: act for act in get_args(Act)}
"""The acts that somebody at a table writes."""
ASIDES: Final[dict[str, AsideAct]] = {act: act for act in get_args(AsideAct)}
ALL_ACTS: Final[dict[str, AnyAct]] = {
    **ACTS,
    **{act: act for act in get_args(OnlineAct)},
    TAKE_OVER: TAKE_OVER,
    **ASIDES,
}
BEGINNING: Final = b"cups-up/sheet/1\n"


class SheetEntry(NamedTuple):
    """One entry: what is done, and the JSON object that tells it."""

    act: AnyAct
    value: dict[str, Any]


HiddenActs: TypeAlias = Sequence[SheetEntry]
"""What seats did in the round that is played, as far as nobody else may know it yet: whole acts, of
which the sheet has but the part that everybody sees."""


def stored_entry(act: str, value: dict[str, Any]) -> SheetEntry:
    """The entry that a row keeps. KeyError for an act that there isn't."""
    return SheetEntry(ALL_ACTS[act], value)


def first_link(header: bytes) -> bytes:
    """The digest of a sheet without entries, by the digest of its game's header."""
    return sha256(BEGINNING + header).digest()


def next_link(link: bytes, entry: dict[str, Json]) -> bytes:
    """The digest after one more entry, which is told by all that stands of it: number, act, value,
    who and when."""
    return sha256(link + canonical_json(entry)).digest()
