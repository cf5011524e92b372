"""Addition and multiplication in finite fields, and in products of them."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final, TypeAlias

Element: TypeAlias = tuple[int, ...]
"""An element of a ring: for each of its fields a number from 0, whose digits are the
coefficients of a polynomial."""

LARGEST: Final = 1024
"""The most elements that a field may have."""


class FiniteField:
    """The field of `prime` to the power `degree` elements: polynomials modulo one whose root x
    generates the field.

    An element is a number; its digits to the base `prime` are the coefficients of a polynomial.
    """

    def __init__(self, prime: int, degree: int) -> None:
        self.prime = prime
        self.size: int = prime**degree
        # The powers of a primitive element are all elements but zero.
        self.powers = next(
            powers for powers in self._powers_of_x(degree) if len(powers) == self.size - 1
        )
        self.logarithms = {element: exponent for exponent, element in enumerate(self.powers)}

    def _powers_of_x(self, degree: int) -> Iterator[list[int]]:
        """Yield the powers of x modulo each monic polynomial of that degree; an empty list for a
        polynomial whose powers of x never come back to 1."""
        top = self.size // self.prime
        # `low` stands for the polynomial: x to the power `degree` equals it. For one of them x
        # always generates the field.
        for low in range(1, self.size):  # pragma: no branch
            powers = [1]
            while True:
                high, rest = divmod(powers[-1], top)
                following = self.add(rest * self.prime, self._times(low, high))
                if following in (0, 1) or len(powers) == self.size:
                    break
                powers.append(following)
            yield powers if following == 1 else []

    def _times(self, element: int, factor: int) -> int:
        total = 0
        place = 1
        while element:
            element, digit = divmod(element, self.prime)
            total += digit * factor % self.prime * place
            place *= self.prime
        return total

    def add(self, first: int, second: int) -> int:
        """Return the sum, digit by digit."""
        total = 0
        place = 1
        while first or second:
            first, first_digit = divmod(first, self.prime)
            second, second_digit = divmod(second, self.prime)
            total += (first_digit + second_digit) % self.prime * place
            place *= self.prime
        return total

    def multiply(self, first: int, second: int) -> int:
        """Return the product, by adding logarithms."""
        if not first or not second:
            return 0
        exponent = self.logarithms[first] + self.logarithms[second]
        return self.powers[exponent % (self.size - 1)]


class Ring:
    """A product of fields; `units_apart` of its elements differ by units, two by two.

    If the number of elements is a prime power, there is only one factor, and the ring is a field.
    """

    def __init__(self, fields: list[FiniteField]) -> None:
        self.fields = fields
        self.units_apart = min(field.size for field in fields)

    def elements(self) -> Iterator[Element]:
        """Yield all elements, zero first."""
        return product(*[range(field.size) for field in self.fields])

    def apart(self, number: int) -> Element:
        """Return one of the `units_apart` elements that differ by units."""
        return (number,) * len(self.fields)

    def add(self, first: Element, second: Element) -> Element:
        """Return the sum, field by field."""
        return tuple(
            [field.add(a, b) for field, a, b in zip(self.fields, first, second, strict=True)]
        )

    def multiply(self, first: Element, second: Element) -> Element:
        """Return the product, field by field."""
        return tuple(
            [field.multiply(a, b) for field, a, b in zip(self.fields, first, second, strict=True)]
        )


@cache
def field(prime: int, degree: int) -> FiniteField:
    """Return the field of that many elements, made only once."""
    return FiniteField(prime, degree)


def ring(size: int) -> Ring | None:
    """Return the product of fields with `size` elements that has the most elements differing by
    units.

    None if `size` is below 2, or if a field would have more than `LARGEST` elements.
    """
    powers = prime_powers(size)
    if size < 2 or max(prime**degree for prime, degree in powers) > LARGEST:
        return None
    return Ring([field(prime, degree) for prime, degree in powers])


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Return the prime factors of a number, each with its exponent."""
    powers = []
    prime = 2
    while number > 1:
        if prime * prime > number:
            prime = number
        degree = 0
        while number % prime == 0:
            number //= prime
            degree += 1
        if degree:
            powers.append((prime, degree))
        prime += 1
    return powers
