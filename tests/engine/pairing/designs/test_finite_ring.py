"""Finite fields and their products obey the laws of arithmetic."""

from itertools import product

import pytest

from engine.pairing.designs.finite_ring import field, prime_powers, ring


@pytest.mark.parametrize(("prime", "degree"), [(2, 1), (3, 1), (7, 1), (2, 2), (2, 3), (3, 2)])
def test_a_field(prime: int, degree: int) -> None:
    made = field(prime, degree)
    numbers = range(made.size)
    for a, b, c in product(numbers, repeat=3):
        assert made.multiply(a, made.add(b, c)) == made.add(
            made.multiply(a, b), made.multiply(a, c)
        )
        assert made.multiply(a, made.multiply(b, c)) == made.multiply(made.multiply(a, b), c)
    for a in numbers[1:]:
        assert {made.multiply(a, b) for b in numbers} == set(numbers)
    for a in numbers:
        assert made.multiply(a, 1) == made.add(a, 0) == a
        assert {made.add(a, b) for b in numbers} == set(numbers)


def test_large_fields_are_found() -> None:
    for prime, degree in ((2, 10), (5, 4), (1021, 1)):
        assert sorted(field(prime, degree).powers) == list(range(1, prime**degree))


def test_a_product_has_as_many_elements_apart_as_its_smallest_field() -> None:
    made = ring(20)
    assert made is not None
    assert made.units_apart == 4
    assert len(set(made.elements())) == 20
    assert ring(1) is None
    assert ring(1031) is None


def test_what_a_number_is_made_of() -> None:
    assert prime_powers(1) == []
    assert prime_powers(360) == [(2, 3), (3, 2), (5, 1)]
    assert prime_powers(97) == [(97, 1)]
