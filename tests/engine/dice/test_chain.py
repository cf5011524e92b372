"""The chain of links: what it commits to, and that nothing in it can be exchanged."""

from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.chain import LINKS, broken_link, head_before, key_of, make_chain, opened
from engine.dice.frame import frame

SECRET = bytes(range(32))
CHAIN = make_chain(SECRET)
COMMITMENT = head_before(CHAIN[0])

FIELDS = st.lists(st.one_of(st.binary(max_size=4), st.text(max_size=4), st.integers(0, 300)))


def test_fields_are_framed_with_their_length() -> None:
    assert frame("ö", 12, b"") == b"\0\0\0\2\xc3\xb6\0\0\0\0021" + b"2\0\0\0\0"


@given(FIELDS, FIELDS)
def test_other_fields_make_another_frame(
    one: list[bytes | str | int], other: list[bytes | str | int]
) -> None:
    def data(fields: list[bytes | str | int]) -> list[bytes]:
        return [field if isinstance(field, bytes) else str(field).encode() for field in fields]

    assert (frame(*one) == frame(*other)) == (data(one) == data(other))


def test_each_link_hashes_to_the_head_that_the_one_before_tells() -> None:
    assert len(CHAIN) == LINKS
    for link, following in pairwise(CHAIN):
        assert link.next_head == sha256(following.next_head + following.lock).digest()
    assert broken_link(COMMITMENT, CHAIN) is None


def test_the_keys_of_a_chain_are_those_of_its_secret_and_all_different() -> None:
    assert [link.key for link in CHAIN] == [key_of(SECRET, number) for number in range(LINKS)]
    assert len({link.key for link in CHAIN}) == LINKS
    assert all(link.lock == sha256(link.key or b"").digest() for link in CHAIN)


@pytest.mark.parametrize("number", [-1, LINKS])
def test_beyond_the_last_link_there_is_no_key(number: int) -> None:
    with pytest.raises(ValueError, match="1024 links"):
        key_of(SECRET, number)


@given(
    st.integers(0, 4),
    st.sampled_from(["next_head", "lock"]),
    st.integers(0, 31),
    st.integers(1, 255),
)
def test_a_link_with_one_byte_changed_is_broken(
    number: int, part: str, at: int, change: int
) -> None:
    links = CHAIN[:5]
    data = bytearray(getattr(links[number], part))
    data[at] ^= change
    links[number] = links[number]._replace(**{part: bytes(data)})
    assert broken_link(COMMITMENT, links) == number


def test_another_key_has_another_lock_and_so_breaks_the_link() -> None:
    forged = [CHAIN[0], opened(CHAIN[1].next_head, bytes(32)), *CHAIN[2:]]
    assert broken_link(COMMITMENT, forged) == 1


def test_a_link_that_stays_shut_still_holds() -> None:
    assert broken_link(COMMITMENT, [link._replace(key=None) for link in CHAIN[:3]]) is None


def test_links_can_be_neither_left_out_nor_exchanged() -> None:
    assert broken_link(COMMITMENT, [CHAIN[0], CHAIN[2]]) == 1
    assert broken_link(COMMITMENT, [CHAIN[1], CHAIN[0]]) == 0
    assert broken_link(head_before(make_chain(bytes(32))[0]), CHAIN[:1]) == 0
