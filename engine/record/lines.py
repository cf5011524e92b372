"""Read a file of records, plain or gzip, line by line in bounded memory."""

import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from engine.illegal import Illegal, Refused
from engine.messages import Message, say

LIMIT: Final = 1 << 20
"""The most bytes of a line; the longest game that the rules allow has far fewer."""


class Limits(NamedTuple):
    """The limits on a file: bytes per line, unpacked bytes in all, lines, and blank lines.

    Without limits a few kilobytes of gzip, which can hold a billion line feeds, would take minutes.
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
"""The first bytes of a text in UTF-16."""
IN_UTF_16: Final = say("this is text in UTF-16; save it as UTF-8")


def no_utf8(error: UnicodeDecodeError) -> Message:
    """Return a message about bytes that aren't UTF-8: the place, and what to do."""
    if error.object.startswith(UTF_16):
        return IN_UTF_16
    return say("byte {number} isn't valid UTF-8; save the file as UTF-8", number=error.start + 1)


class Source(Protocol):
    """A source of bytes: an open file, standard input, an upload."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""


class FileLine(NamedTuple):
    """A line that isn't blank.

    `number` counts from 1; `content` is the line without its end, or why it can't be read.
    """

    number: int
    content: bytes | Illegal


class _EndError(Refused):
    """The end of reading: the gzip stream is cut off or broken, or the file exceeds a limit."""


def read_lines(stream: Source, limits: Limits = LIMITS) -> Iterator[FileLine]:
    """Yield the lines of `stream`; blank lines and a byte order mark are skipped. Gzip is detected.

    A line with too many bytes is yielded as the fault `bad_json`, and reading goes on. If a gzip
    stream is cut off or broken, the last line yielded is the fault `bad_json`. If the file exceeds
    another limit, the last line yielded is the fault `file_too_large`, and the rest isn't read. At
    most a line and a few blocks of bytes are held in memory.
    """
    number = 0
    blank = 0
    blocks = _up_to_unpacked_limit(_blocks(stream), limits)
    try:
        for number, content in enumerate(_split(blocks, limits.line), 1):
            line = _line(number, content, limits.line)
            if line is None:
                blank += 1
                # Blank lines have a limit of their own.
                fault = _too_many_lines(lines=0, blank=blank, limits=limits)
            else:
                fault = _too_many_lines(lines=number, blank=blank, limits=limits)
            if fault is not None:
                yield FileLine(number, fault)
                return
            if line is not None:
                yield line
    except _EndError as end:
        yield FileLine(number + 1, end.illegal)


def _split(blocks: Iterator[bytes], limit: int) -> Iterator[bytes | None]:
    """Yield the lines of the blocks without their ends; None for one with too many bytes."""
    line = b""
    too_long = False
    for block in blocks:
        first, *more = block.split(b"\n")
        if too_long or len(line) + len(first) > limit:
            line = b""
            too_long = True
        else:
            line += first
        for part in more:
            yield None if too_long else line
            line = part
            too_long = len(part) > limit
    if too_long:
        yield None
    elif line:
        yield line


def _line(number: int, content: bytes | None, limit: int) -> FileLine | None:
    """Return the line; None if it is blank. `content` is None for a line that is too long."""
    if content is None:
        return FileLine(
            number, Illegal("bad_json", say("the line is longer than {limit} bytes", limit=limit))
        )
    if number == 1:
        content = content.removeprefix(BOM)
    if not content.strip():
        return None
    return FileLine(number, content.removesuffix(b"\r"))


def _too_many_lines(lines: int, blank: int, limits: Limits) -> Illegal | None:
    if blank > limits.blank:
        return _too_large(say("the file has more than {most} blank lines", most=limits.blank))
    if lines > limits.lines:
        return _too_large(say("the file has more than {most} lines", most=limits.lines))
    return None


def _up_to_unpacked_limit(blocks: Iterator[bytes], limits: Limits) -> Iterator[bytes]:
    """Yield the blocks. Raise `_EndError` at the block that exceeds the limit of unpacked bytes."""
    size = 0
    for block in blocks:
        size += len(block)
        if size > limits.unpacked:
            message = say("the file has more than {most} bytes when unpacked", most=limits.unpacked)
            raise _EndError(_too_large(message))
        yield block


def _too_large(message: Message) -> Illegal:
    return Illegal("file_too_large", message)


def _broken(message: Message) -> _EndError:
    return _EndError(Illegal("bad_json", message))


def _blocks(stream: Source) -> Iterator[bytes]:
    head = stream.read(BLOCK)
    # It takes two bytes to detect gzip and UTF-16.
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
    """Yield the unpacked bytes of a gzip stream, which may have several members.

    `packed`: the bytes read from the stream already."""
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
                    packed = _next_packed(stream)
            packed = _after_padding(member.unused_data, stream)
    except zlib.error:
        raise _broken(say("the gzip file is damaged; compress it again")) from None


def _after_padding(packed: bytes, stream: Source) -> bytes:
    """Return the bytes after the zeros that may follow a member; empty at the end of the stream."""
    packed = packed.lstrip(b"\0")
    while not packed:
        padding = stream.read(BLOCK)
        if not padding:
            break
        packed = padding.lstrip(b"\0")
    return packed


def _next_packed(stream: Source) -> bytes:
    packed = stream.read(BLOCK)
    if not packed:
        raise _broken(say("the gzip stream is cut off"))
    return packed
