"""Seeds of a stage's secret: the same for everybody who knows it, another one for each purpose."""

import hmac
from hashlib import sha256

from engine.pairing.secret import commitment, lots_seed, round_seed, seeding_seed

SECRET = "00" * 31 + "01"


def test_the_seeds_are_those_that_the_manual_names() -> None:
    assert commitment(SECRET) == "0414cd57beb207d0d5f158b2ecf0528ce722ff3506197937460ac2640aca29f2"
    assert lots_seed(SECRET) == "e5df01d30d74b8255e40842f2c991e46dc27574bd8f4c931389bf07672c4a901"
    assert (
        round_seed(SECRET, 2, 1, ["b", "a"])
        == "34d8c21e04f340e8c7db1a0c46c6b40bf687d1fa091f6eba6e524296c01e906f"
    )


def test_a_round_s_seed_is_an_hmac_of_number_edition_and_sorted_ids() -> None:
    message = b"cups-up/seed/1\nround\n3\n2\nana\nben\n"
    assert (
        round_seed(SECRET, 3, 2, ["ben", "ana"])
        == hmac.new(bytes.fromhex(SECRET), message, sha256).hexdigest()
    )


def test_every_purpose_has_a_seed_of_its_own() -> None:
    seeds = [
        seeding_seed(SECRET),
        lots_seed(SECRET),
        *(
            round_seed(SECRET, number, edition, ids)
            for number in (1, 2)
            for edition in (1, 2)
            for ids in ("ab", "abc")
        ),
    ]
    assert len({commitment(SECRET), SECRET, *seeds}) == len(seeds) + 2
