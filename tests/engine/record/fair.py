"""Games with proofs, for the tests of what they prove."""

from functools import cache
from random import Random
from typing import Any

from engine.bluff.ruleset import EXACT, SCORING, Ruleset
from engine.dice.dealer import Dealer
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.record.record import Record, with_names
from tests.engine.record.build import SALTS
from tests.engine.record.fair_game import fair_bluff, fair_kniffel

NAMES = ["anna", "björn", "cem", "dora", "emil", "fritz", "gustav", "hilde"]


@cache
def bluff(seed: int = 1, seats: int = 0, **rules: Any) -> Record:
    """A game of Bluff with the proof of its dice; what isn't named is drawn."""
    rng = Random(seed)
    seats = seats or rng.randint(2, 6)
    drawn: dict[str, Any] = {
        "exact": rng.choice(list(EXACT)),
        "reroll": rng.random() < 0.3,
        "dice": rng.choice([1, 3, 5, 5, 5, 7]),
        "scoring": rng.choice(list(SCORING)),
    }
    record = fair_bluff(dealer(rng, seats), Ruleset(**(drawn | rules)), NAMES[:seats], rng)
    return with_names(record, SALTS[:seats])


@cache
def kniffel(seed: int = 1, seats: int = 3) -> Record:
    """A game of Lügen-Kniffel with the proof of the dice that were doubted."""
    rng = Random(seed)
    return with_names(
        fair_kniffel(dealer(rng, seats), KniffelRules(), NAMES[:seats], rng), SALTS[:seats]
    )


def dealer(rng: Random, seats: int) -> Dealer:
    seeds = tuple([rng.randbytes(rng.randrange(33)) for _ in range(seats)])
    return Dealer(rng.randbytes(32), f"fair-{rng.randrange(1000)}", seeds)
