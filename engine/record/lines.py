"""The lines of a file of records, plain or gzip, read as a stream in bounded memory."""

import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from engine.illegal import Illegal, Refused
from engine.messages import Message, say

LIMIT: Final = 1 << 20
"""Bytes a line may have: the longest game that the rules allow has far fewer."""


class Limits(NamedTuple):
    """How much of a file is read: bytes a line, bytes of all lines unpacked, lines, and how many of
    them are blank.

    A few kilobytes of gzip can hold a billion line feeds; without limits they would cost minutes.
    """

    line: int = LIMIT
    unpacked: int = 1 << 32
    lines: int = 10_000_000
    blank: int = 100_000


LIMITS: Final = Limits()
BLOCK: Final = 1 << 16
GZIP: Final = b"\x1f\x8b"
BOM: Final = b"\xef\xbb\xbf"
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""The beginnings of a text in UTF-16."""
IN_UTF_16: Final = say("this is text in UTF-16; save it as UTF-8")


def no_utf8(error: UnicodeDecodeError) -> Message:
    """Tell that bytes aren't text in UTF-8, where, and what to do."""
    if error.object.startswith(UTF_16):
        return IN_UTF_16
    return say("byte {number} isn't valid UTF-8; save the file as UTF-8", number=error.start + 1)


class Source(Protocol):
    """Anything that bytes can be read from: an open file, standard input, an upload."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class FileLine(NamedTuple):
    """One line that isn't blank, counted from 1: its bytes without the line end, or why it can't be
    read."""

    number: int
    content: bytes | Illegal


class _EndError(Refused):
    """Nothing more is read: the gzip stream ends too early or holds nonsense, or the file breaks a
    limit."""


def read_lines(stream: Source, limits: Limits = LIMITS) -> Iterator[FileLine]:
    """The lines of `stream`, gzip known by its first bytes; blank lines and a byte order mark are
    skipped.

    A line of more bytes than its limit is a `bad_json`. The last item is a `bad_json` where a gzip
    stream is cut off or broken, and `file_too_large` where the file breaks another limit: what
    follows isn't read. Holds a line and a few blocks of bytes at most."""
    number = blank = 0
    try:
        for number, content in enumerate(_split(_within(limits, _blocks(stream)), limits.line), 1):
            line = _line(number, content, limits.line)
            blank += line is None
            fault = _too_many(0 if line is None else number, blank, limits)
            if fault is not None:
                yield FileLine(number, fault)
                return
            if line is not None:
                yield line
    except _EndError as end:
        yield FileLine(number + 1, end.illegal)


def _split(blocks: Iterator[bytes], limit: int) -> Iterator[bytes | None]:
    """The lines of the blocks, without their ends; None for one of more bytes than the limit."""
    line, long = b"", False
    for block in blocks:
        first, *more = block.split(b"\n")
        line, long = (
            (b"", True) if long or len(line) + len(first) > limit else (line + first, False)
        )
        for part in more:
            yield None if long else line
            line, long = part, len(part) > limit
    if long or line:
        yield None if long else line


def _line(number: int, content: bytes | None, limit: int) -> FileLine | None:
    """The line, None if it is blank."""
    if content is None:
        return FileLine(
            number, Illegal("bad_json", say("the line is longer than {limit} bytes", limit=limit))
        )
    content = content.removeprefix(BOM) if number == 1 else content
    return FileLine(number, content.removesuffix(b"\r")) if content.strip() else None


def _too_many(lines: int, blank: int, limits: Limits) -> Illegal | None:
    """The fault of a file of more lines, or more blank ones, than are read."""
    if blank > limits.blank:
        return _too_large(say("the file has more than {most} blank lines", most=limits.blank))
    if lines > limits.lines:
        return _too_large(say("the file has more than {most} lines", most=limits.lines))
    return None


def _within(limits: Limits, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The blocks; raises `_EndError` where they become more bytes than are read."""
    read = 0
    for block in blocks:
        read += len(block)
        if read > limits.unpacked:
            raise _EndError(
                _too_large(
                    say("the file has more than {most} bytes, unpacked", most=limits.unpacked)
                )
            )
        yield block


def _too_large(message: Message) -> Illegal:
    return Illegal("file_too_large", message)


def _broken(message: Message) -> _EndError:
    return _EndError(Illegal("bad_json", message))


def _blocks(stream: Source) -> Iterator[bytes]:
    """The bytes of the stream, unpacked, in blocks."""
    head = stream.read(BLOCK)
    if len(head) == 1:
        head += stream.read(BLOCK)
    if head.startswith(UTF_16):
        raise _broken(IN_UTF_16)
    if head.startswith(GZIP):
        yield from _unzip(head, stream)
        return
    while head:
        yield head
        head = stream.read(BLOCK)


def _unzip(packed: bytes, stream: Source) -> Iterator[bytes]:
    """The bytes of all members of a gzip stream that starts with `packed`, in blocks of bounded
    size."""
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
    except zlib.error:
        raise _broken(say("the gzip file is damaged; compress it again")) from None


def _more(stream: Source) -> bytes:
    packed = stream.read(BLOCK)
    if not packed:
        raise _broken(say("the gzip stream is cut off"))
    return packed
