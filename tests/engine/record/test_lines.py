import gzip
import io
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.record.lines import BLOCK, UTF_16, FileLine, Limits, read_lines


def lines(data: bytes, limit: int = 1 << 20) -> list[tuple[int, bytes | str]]:
    """Number and bytes of each line, or the code of what is wrong with it."""
    return [
        (number, content.code if isinstance(content, Illegal) else content)
        for number, content in read_lines(io.BytesIO(data), Limits(line=limit))
    ]


def test_lines_are_counted_from_one_and_blank_ones_skipped() -> None:
    assert lines(b"\n{1}\r\n \t\r\n\n{2}") == [(2, b"{1}"), (5, b"{2}")]
    assert lines(b"") == lines(b"\n\n") == []


def test_a_byte_order_mark_is_skipped() -> None:
    assert lines(b"\xef\xbb\xbf{1}\n\xef\xbb\xbf{2}") == [(1, b"{1}"), (2, b"\xef\xbb\xbf{2}")]
    assert lines(b"\xef\xbb\xbf\n") == []


def test_gzip_is_known_by_its_first_bytes() -> None:
    assert lines(gzip.compress(b"{1}\n{2}\n")) == [(1, b"{1}"), (2, b"{2}")]


def test_gzip_files_may_be_joined_and_padded() -> None:
    joined = gzip.compress(b"{1}\n{") + b"\0\0" + gzip.compress(b"2}\n") + b"\0" * (BLOCK + 5)
    assert lines(joined + gzip.compress(b"{3}")) == [(1, b"{1}"), (2, b"{2}"), (3, b"{3}")]


def test_a_gzip_that_is_cut_off_says_so_after_its_good_lines() -> None:
    whole = gzip.compress(b"{1}\n{2}\n{3")
    assert lines(whole[:-1]) == [(1, b"{1}"), (2, b"{2}"), (3, "bad_json")]
    assert lines(whole[:5]) == [(1, "bad_json")]


def test_a_gzip_that_is_broken_says_so() -> None:
    whole = bytearray(gzip.compress(b"{1}\n{2}\n"))
    whole[-6] ^= 1
    assert lines(bytes(whole))[-1][1] == "bad_json"
    assert lines(gzip.compress(b"{1}\n") + b"nonsense") == [(1, b"{1}"), (2, "bad_json")]


def test_a_line_that_is_too_long_is_told_and_the_next_one_read() -> None:
    for long in (11, BLOCK, 3 * BLOCK + 7):
        assert lines(b"{1}\n" + b"x" * long + b"\n{3}", limit=10) == [
            (1, b"{1}"),
            (2, "bad_json"),
            (3, b"{3}"),
        ]
        assert lines(b"x" * long, limit=10) == [(1, "bad_json")]
    assert lines(b"x" * 10 + b"\n", limit=10) == [(1, b"x" * 10)]


@given(st.binary(max_size=60), st.integers(1, 9), st.booleans())
def test_lines_are_the_same_however_the_stream_is_cut(data: bytes, size: int, packed: bool) -> None:
    class Dribble:
        def __init__(self) -> None:
            self.rest = gzip.compress(data) if packed else data

        def read(self, _: int, /) -> bytes:
            part, self.rest = self.rest[:size], self.rest[size:]
            return part

    if (not packed and data.startswith(b"\x1f\x8b")) or data.startswith(UTF_16):
        return
    plain = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    wanted = [(i, line.removesuffix(b"\r")) for i, line in enumerate(plain, 1) if line.strip()]
    assert [(line.number, line.content) for line in read_lines(Dribble())] == wanted


def refused(data: bytes, limits: Limits) -> list[tuple[int, bytes | str]]:
    """Number and bytes of each line, or the code of what is wrong with it."""
    return [
        (number, content.code if isinstance(content, Illegal) else content)
        for number, content in read_lines(io.BytesIO(data), limits)
    ]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_of_more_lines_is_read_up_to_there(pack: type[bytes]) -> None:
    limits = Limits(lines=2)
    assert refused(pack(b"{1}\n{2}\n"), limits) == [(1, b"{1}"), (2, b"{2}")]
    assert refused(pack(b"{1}\n{2}\n{3}\n{4}\n"), limits) == [
        (1, b"{1}"),
        (2, b"{2}"),
        (3, "file_too_large"),
    ]
    assert refused(pack(b"{1}\n{2}\n{3}"), limits) == [
        (1, b"{1}"),
        (2, b"{2}"),
        (3, "file_too_large"),
    ]


def test_so_is_one_of_more_blank_lines() -> None:
    assert refused(b"\n \n{1}\n", Limits(blank=2)) == [(3, b"{1}")]
    assert refused(b"\n \n{1}\n\t\n{2}\n", Limits(blank=2)) == [(3, b"{1}"), (4, "file_too_large")]


def test_so_is_one_that_unpacks_to_more_bytes() -> None:
    assert refused(gzip.compress(b"{1}\n{2}\n"), Limits(unpacked=8)) == [(1, b"{1}"), (2, b"{2}")]
    assert (
        refused(gzip.compress(b"{1}\n" + b" " * 2 * BLOCK), Limits(unpacked=BLOCK))[-1][1]
        == "file_too_large"
    )


def test_a_bomb_of_line_feeds_is_not_unpacked_to_its_end() -> None:
    bomb = io.BytesIO(gzip.compress(b"\n" * 30_000_000, 9))
    ((number, content),) = read_lines(bomb)
    assert isinstance(content, Illegal)
    assert (number, content.code) == (100_001, "file_too_large")
    assert content.message == "the file has more than 100000 blank lines"


class Zeros:
    """A stream of so many bytes without a line end."""

    def __init__(self, size: int) -> None:
        self.left = size

    def read(self, size: int, /) -> bytes:
        part = min(size, self.left)
        self.left -= part
        return b"0" * part


def memory(items: Iterator[FileLine]) -> int:
    """Reads all, and gives the greatest number of bytes held meanwhile."""
    tracemalloc.start()
    for _ in items:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize(
    "stream",
    [Zeros(50_000_000), io.BytesIO(gzip.compress(bytes(50_000_000), 9))],
    ids=["line", "bomb"],
)
def test_memory_is_bounded(stream: Zeros | io.BytesIO) -> None:
    assert memory(read_lines(stream, Limits(line=100_000))) < 2_000_000
