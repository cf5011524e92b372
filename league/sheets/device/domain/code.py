"""The code that a phone without network shows, so that another phone can send on what it wrote.

It has three parts, separated by full stops: `CUPS2`, the entries still to be sent (deflated JSON),
and 16 bytes of the HMAC-SHA256 of both with the phone's key. The latter two are base64url. The key
itself signs, because its digest is in the database."""

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
"""The beginning of former codes, which were signed with the digest of a key."""
BYTES: Final = 200_000
"""The most bytes that the JSON of a code may have."""
ENTRIES: Final = 1_000
"""The most entries that a code may have."""
MAC: Final = 16
"""How many bytes of the HMAC a code has."""
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
    """The content of a phone's code. `open_game`: public id; `entries`: what the phone wrote after
    the first `after` entries of the sheet; `text`: the signed part of the code, and `mac` its
    signature."""

    text: str
    mac: bytes
    open_game: str
    after: int
    entries: tuple[WrittenEntry, ...]

    def is_signed_by(self, key: str) -> bool:
        """Return True if the phone with this key made the code."""
        mac = hmac.digest(key.encode(), self.text.encode(), "sha256")[:MAC]
        return hmac.compare_digest(mac, self.mac)


def read_code(text: str) -> Code:
    """Return the content of a code; its signature isn't checked. Raise `Refused` with `bad_code`,
    `old_code` or `bad_time`."""
    if text.lstrip().startswith(f"{FORMER}."):
        raise Refused(OLD_CODE)
    try:
        begin, content, mac = "".join(text.split()).split(".")
        # Decompress at most BYTES, so that a small code can't fill the memory.
        decompressor = zlib.decompressobj(-zlib.MAX_WBITS)
        value = json.loads(decompressor.decompress(_decoded(content), BYTES))
        entries = tuple([_decoded_entry(*columns) for columns in value["entries"]])
        code = Code(
            text=f"{begin}.{content}",
            mac=_decoded(mac),
            open_game=value["game"],
            after=value["after"],
            entries=entries,
        )
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


def _decoded(text: str) -> bytes:
    padding = "=" * (-len(text) % 4)
    return urlsafe_b64decode(text + padding)


def _decoded_entry(key: str, act: str, value: dict[str, Any], at: str) -> WrittenEntry:
    """Return a sheet's entry as decoded from the code that a device shows. Raise an error that
    `read_code` handles if it isn't valid."""
    # Raises ValueError for a lone surrogate or NaN: the database can store neither.
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    if not isinstance(value, dict):
        raise TypeError(value)
    return WrittenEntry(UUID(key), stored_entry(act, value), read_moment(at))
