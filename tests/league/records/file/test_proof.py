"""Digests and proofs that a record brings are checked when it comes in; proofs are kept for those
who ask later."""

import io
import json
from random import Random
from typing import Any

import pytest

from engine.bluff.ruleset import Ruleset
from engine.dice.dealer import Dealer
from engine.record.export import export
from engine.record.record import with_names
from engine.record.verify import verify_line
from games.models import Game
from games.queries.game import game_record
from league.models import Season
from league.records.file.services import Outcome, file_import, record_import
from tests.engine.record.fair_game import fair_bluff
from tests.factories.league import SeasonFactory

pytestmark = pytest.mark.django_db
SEATS = ("anna", "ben", "cleo")


@pytest.fixture
def season() -> Season:
    return SeasonFactory.create()


@pytest.fixture(scope="module")
def exported() -> bytes:
    """An export of a game whose dice are proved."""
    return played(Dealer(b"s" * 32, "proved-1", (b"a", b"b", b"c")), seed=1)


def played(dealer: Dealer, seed: int) -> bytes:
    """An export of a game with these dice."""
    salts = [bytes([seat]) * 16 for seat in range(len(SEATS))]
    return export(with_names(fair_bluff(dealer, Ruleset(), SEATS, Random(seed)), salts))


def changed(exported: bytes, **keys: Any) -> bytes:
    """The export with other values, and without the seal that would tell at once."""
    unsealed = {key: value for key, value in json.loads(exported).items() if key != "seal"}
    return json.dumps(unsealed | keys).encode()


def test_a_proof_comes_out_as_it_went_in(season: Season, exported: bytes) -> None:
    assert "dice" in verify_line(exported).proved
    assert file_import(stream=io.BytesIO(exported), season=season).created == 1
    assert export(game_record(Game.objects.get())) == exported


def test_it_may_come_again_without_its_names(season: Season, exported: bytes) -> None:
    assert record_import(season=season, line=exported).outcome == Outcome.CREATED
    bare = {
        key: value
        for key, value in json.loads(exported).items()
        if key not in ("names", "digests", "seal")
    }
    for line in (exported, json.dumps(bare).encode()):
        assert record_import(season=season, line=line).outcome == Outcome.UNCHANGED


def test_false_digests_and_dice_are_refused(season: Season, exported: bytes) -> None:
    changed_game = json.loads(exported)
    changed_game["digests"][2] = "0" * 64
    other = Dealer(b"t" * 32, "proved-1", (b"a", b"b", b"c"))
    false_proof = json.loads(played(other, seed=2))["proof"]
    without = {
        key: value for key, value in json.loads(exported).items() if key not in ("digests", "seal")
    }
    for line, code in (
        (changed(exported, digests=changed_game["digests"]), "digest_mismatch"),
        (json.dumps(without | {"proof": false_proof}).encode(), "proof_mismatch"),
        (exported.replace(b"anna", b"anne"), "digest_mismatch"),
    ):
        imported = record_import(season=season, line=line)
        assert imported.outcome == Outcome.BAD
        assert imported.error
        assert imported.error.code == code
    assert not Game.objects.exists()


def test_who_writes_an_export_anew_may_bring_it(season: Season, exported: bytes) -> None:
    assert (
        record_import(season=season, line=json.dumps(json.loads(exported), indent=1).encode()).error
        is None
    )
