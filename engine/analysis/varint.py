"""Whole numbers in as few bytes as their size needs.

Seven bits a byte, the lowest first, the eighth bit set if more follow (LEB128, as in Protocol
Buffers); signed numbers are first folded into 0, −1, 1, −2, 2, … (zig-zag).
"""

from collections.abc import Iterator


def zigzag(number: int) -> int:
    """Fold a signed number into one of 0 or more; small ones stay small."""
    if number >= 0:
        return number << 1
    return (-number << 1) - 1


def unzigzag(folded: int) -> int:
    """Return the number that `zigzag` folded."""
    if folded % 2 == 0:
        return folded >> 1
    return -(folded + 1 >> 1)


def varint(number: int) -> bytes:
    """Return a number of 0 or more as bytes."""
    septets = bytearray()
    while number > 0x7F:
        septets.append(number & 0x7F | 0x80)
        number >>= 7
    septets.append(number)
    return bytes(septets)


def read_varints(packed: bytes) -> Iterator[int]:
    """Yield numbers written one after the other. Raise ValueError if the last one is cut off."""
    number = 0
    shift = 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = 0
            shift = 0
    if shift:
        raise ValueError("the last number is cut off")
