import gzip
import io
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.record.lines import BLOCK, FileLine, read_lines


def lines(data: bytes, limit: int = 1 << 20) -> list[tuple[int, bytes | str]]:
    """Number and bytes of each line, or the code of what is wrong with it."""
    return [
        (number, content.code if isinstance(content, Illegal) else content)
        for number, content in read_lines(io.BytesIO(data), limit)
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
        assert lines(b"{1}\n" + b"x" * long + b"\n{3}", limit=10) == [(1, b"{1}"), (2, "bad_json"), (3, b"{3}")]
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

    if not packed and data.startswith(b"\x1f\x8b"):
        return
    plain = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    wanted = [(i, line.removesuffix(b"\r")) for i, line in enumerate(plain, 1) if line.strip()]
    assert [(line.number, line.content) for line in read_lines(Dribble())] == wanted


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
    "stream", [Zeros(50_000_000), io.BytesIO(gzip.compress(bytes(50_000_000), 9))], ids=["line", "bomb"]
)
def test_memory_is_bounded(stream: Zeros | io.BytesIO) -> None:
    assert memory(read_lines(stream, limit=100_000)) < 2_000_000
