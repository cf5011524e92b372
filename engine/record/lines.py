"""The lines of a file of records, plain or gzip, read as a stream in bounded memory."""

import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from engine.illegal import Illegal
from engine.messages import Message, say

LIMIT: Final = 1 << 20
"""Bytes a line may have: the longest game that the rules allow has far fewer."""
BLOCK: Final = 1 << 16
GZIP: Final = b"\x1f\x8b"
BOM: Final = b"\xef\xbb\xbf"


class Source(Protocol):
    """Anything that bytes can be read from: an open file, standard input, an upload."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class FileLine(NamedTuple):
    """One line that isn't blank, counted from 1: its bytes without the line end, or why it can't be read."""

    number: int
    content: bytes | Illegal


class _BrokenError(Exception):
    """The gzip stream ends too early or holds nonsense."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def read_lines(stream: Source, limit: int = LIMIT) -> Iterator[FileLine]:
    """The lines of `stream`, gzip known by its first bytes; blank lines and a byte order mark are skipped.

    A line of more than `limit` bytes is a `bad_json`, and so is, as the last item, a gzip stream that is cut
    off or broken. Holds `limit` and a few blocks of bytes at most.
    """
    number, line, skip = 1, b"", False
    try:
        for block in _blocks(stream):
            first, *more = block.split(b"\n")
            line, skip = (b"", True) if skip or len(line) + len(first) > limit else (line + first, False)
            for part in more:
                yield from _line(number, line, limit if skip else None)
                number, line, skip = number + 1, part, len(part) > limit
    except _BrokenError as broken:
        yield FileLine(number, Illegal("bad_json", broken.message))
        return
    yield from _line(number, line, limit if skip else None)


def _line(number: int, line: bytes, limit: int | None) -> Iterator[FileLine]:
    """The line, unless it is blank; a `limit` is one that it broke."""
    if limit is not None:
        yield FileLine(number, Illegal("bad_json", say("the line is longer than {limit} bytes", limit=limit)))
        return
    content = line.removeprefix(BOM) if number == 1 else line
    if content.strip():
        yield FileLine(number, content.removesuffix(b"\r"))


def _blocks(stream: Source) -> Iterator[bytes]:
    """The bytes of the stream, unpacked, in blocks."""
    head = stream.read(BLOCK)
    if len(head) == 1:
        head += stream.read(BLOCK)
    if head.startswith(GZIP):
        yield from _unzip(head, stream)
        return
    while head:
        yield head
        head = stream.read(BLOCK)


def _unzip(packed: bytes, stream: Source) -> Iterator[bytes]:
    """The bytes of all members of a gzip stream that starts with `packed`, in blocks of bounded size."""
    try:
        while packed:
            member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            while True:
                block = member.decompress(packed, BLOCK)
                yield block
                if member.eof:
                    break
                packed = member.unconsumed_tail
                if not packed and len(block) < BLOCK:
                    packed = _more(stream)
            packed = member.unused_data.lstrip(b"\0")
            while not packed and (padding := stream.read(BLOCK)):
                packed = padding.lstrip(b"\0")
    except zlib.error as error:
        raise _BrokenError(say("the gzip stream is broken: {reason}", reason=str(error))) from None


def _more(stream: Source) -> bytes:
    packed = stream.read(BLOCK)
    if not packed:
        raise _BrokenError(say("the gzip stream is cut off"))
    return packed
