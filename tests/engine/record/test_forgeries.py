"""What finds which forgery, and that the manual tells the same."""

import json
from pathlib import Path
from typing import Final

import pytest

from engine.record.anchors import Anchors
from engine.record.canonical import digests
from engine.record.check import check
from engine.record.export import export
from engine.record.record import Record, read_value
from engine.record.verify import verify_line, wrong_dice, wrong_digest, wrong_seal
from tests.engine.record.forgeries import FORGERIES, Forgery

WAYS: Final = ("rules", "dice", "digests", "seal", "head", "commitment", "require")
"""All that can find a forgery, in the order of the table."""
CODES: Final = {
    "proof_mismatch": "dice",
    "digest_mismatch": "digests",
    "seal_mismatch": "seal",
    "head_mismatch": "head",
    "commitment_mismatch": "commitment",
    "not_proved": "require",
}
PAGES: Final = {"": "nothing", ".de": "nichts", ".nl": "niets"}
"""The manual's page on digests, by language, and its word for what nothing finds."""
every_forgery = pytest.mark.parametrize(
    "forgery", FORGERIES, ids=[forgery.names[0] for forgery in FORGERIES]
)


def anchors_of(game: Record) -> Anchors:
    """What somebody noted down of the true game, who wants everything proved."""
    assert game.proof is not None
    return Anchors(digests(game)[-1], game.proof.commitment, None, WAYS[:4])


def found_by(line: bytes, noted: Anchors) -> list[str]:
    """Everything that finds a line false, each by itself."""
    value = json.loads(line)
    record = read_value(value)
    if not isinstance(record, Record):
        return ["rules"]
    verdict, proof = check(record), record.proof
    chain = digests(record) if record.names else []
    brought = {
        "rules": True,
        "dice": proof and proof.links,
        "digests": record.digests,
        "seal": "seal" in value,
    }
    found = {
        "rules": not verdict.ok,
        "dice": verdict.ok and proof and proof.links and wrong_dice(record, verdict, proof),
        "digests": record.digests and wrong_digest(record, chain, record.digests),
        "seal": "seal" in value and wrong_seal(line, value),
        "head": Anchors(head=noted.head).fault(record, chain[-1] if chain else None, ()),
        "commitment": Anchors(commitment=noted.commitment).fault(record, None, ()),
        "require": Anchors(required=WAYS[:4]).fault(
            record, None, [name for name in brought if brought[name]]
        ),
    }
    return [way for way in WAYS if found[way]]


@every_forgery
def test_a_forgery_is_found_by_what_the_table_says_and_by_nothing_else(forgery: Forgery) -> None:
    noted = anchors_of(forgery.game)
    for line, found in forgery.lines():
        assert found_by(line, noted) == found.split()


@every_forgery
def test_the_verifier_names_one_of_those_that_find_it(forgery: Forgery) -> None:
    noted = anchors_of(forgery.game)
    assert verify_line(export(forgery.game), noted).ok
    for line, found in forgery.lines():
        error = verify_line(line, noted).error
        assert (error is None) == (not found)
        assert error is None or CODES.get(error.code, "rules") in found.split()


def test_a_whole_game_can_be_rewritten_under_the_same_first_digest_and_commitment() -> None:
    forgery = FORGERIES[-2]
    line = json.loads(forgery.lines()[-1][0])
    assert line["digests"][0] == digests(forgery.game)[0].hex()
    assert line["proof"]["commitment"] == anchors_of(forgery.game).commitment.hex()  # type: ignore[union-attr]
    assert line["rounds"] != json.loads(export(forgery.game))["rounds"]


def cell(found: str | None, nothing: str) -> str:
    """A cell of the manual's table."""
    if not found:
        return "–" if found is None else f"**{nothing}**"
    return " ".join(f"`--{way}`" if way in WAYS[4:] else f"`{way}`" for way in found.split())


@pytest.mark.parametrize(("language", "page"), list(enumerate(PAGES)))
def test_the_manual_has_the_same_table(language: int, page: str) -> None:
    text = (Path(__file__).parents[3] / "templates" / "docs" / f"digest{page}.md").read_text(
        encoding="utf-8"
    )
    rows = [
        (
            "| "
            f"{' | '.join([forgery.names[language], *[cell(found, PAGES[page]) for found in forgery.found]])} |"
        )
        for forgery in FORGERIES
    ]
    assert "\n".join(["|---|---|---|---|", *rows, ""]) in text
