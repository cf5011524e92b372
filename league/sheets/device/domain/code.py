"""The code that a phone without network shows of the game that it wrote down, so that another one
sends it on.

`CUPS2`, the entries that wait (JSON, deflated), and 16 bytes of the HMAC-SHA256 of both by the
phone's key. Full stops part the three; the latter two are base64url. What the database holds of a
key, its digest, signs nothing."""

from __future__ import annotations

import hmac
import json
import zlib
from base64 import urlsafe_b64decode
from operator import index
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.sheet.entry import stored_entry
from games.domain.branch import WrittenEntry, read_moment

BEGIN: Final = "CUPS2"
FORMER: Final = "CUPS1"
"""So codes began that were signed by the digest of a key."""
BYTES: Final = 200_000
"""What a code holds at most, unpacked."""
ENTRIES: Final = 1_000
MAC: Final = 16
BAD_CODE: Final = Illegal(
    "bad_code", say("this isn't the code of a game: read the one that the scorer shows")
)
OLD_CODE: Final = Illegal(
    "old_code",
    say(
        "this code is from an older version: open the scorer where you have network, and it "
        "sends what it wrote"
    ),
)


class Code(NamedTuple):
    """What a phone wrote of an open game, given by its public id, after the first `after` entries
    of its sheet; `text` is what its key signs by `mac`."""

    text: str
    mac: bytes
    open_game: str
    after: int
    entries: tuple[WrittenEntry, ...]

    def is_signed_by(self, key: str) -> bool:
        """Return True if the phone that has this key made the code."""
        mac = hmac.digest(key.encode(), self.text.encode(), "sha256")[:MAC]
        return hmac.compare_digest(mac, self.mac)


def read_code(text: str) -> Code:
    """Read a code. Raise `Refused` with `bad_code`, `old_code` or `bad_time`; who made it isn't
    known yet."""
    if text.lstrip().startswith(f"{FORMER}."):
        raise Refused(OLD_CODE)
    try:
        begin, content, mac = "".join(text.split()).split(".")
        value = json.loads(zlib.decompressobj(-zlib.MAX_WBITS).decompress(_bytes(content), BYTES))
        entries = tuple([_entry(*columns) for columns in value["entries"]])
        code = Code(f"{begin}.{content}", _bytes(mac), value["game"], value["after"], entries)
        if (
            begin == BEGIN
            and code.open_game.isalnum()
            and 0 <= index(code.after) < 2**31
            and len(entries) <= ENTRIES
        ):
            return code
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise Refused(BAD_CODE) from error
    raise Refused(BAD_CODE)


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _entry(key: str, act: str, value: dict[str, Any], at: str) -> WrittenEntry:
    json.dumps(
        value, ensure_ascii=False, allow_nan=False
    ).encode()  # half of a surrogate pair, or no number
    if not isinstance(value, dict):
        raise TypeError(value)
    return WrittenEntry(UUID(key), stored_entry(act, value), read_moment(at))
