"""The canonical form is frozen: digests made once stand in `tests/golden/digests.txt`, and no later
change moves them.

Each game there has a title, its record, the digest of its header, and for each round (turn) its
digest and its stored form. Nobody ever rewrites these lines: a game that was sealed in a club can't
be sealed anew."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.bluff.ruleset import Ruleset as BluffRules
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.record.canonical import canonical_header, digests
from engine.record.check import replay
from engine.record.header import stored_header
from engine.record.kinds import KINDS
from engine.record.record import Record, read
from engine.record.stored import pack_record, unpack_record

FILE = Path(__file__).parents[2] / "golden" / "digests.txt"


class Golden(NamedTuple):
    record: Record
    digests: list[str]
    bodies: list[str]


def golden() -> dict[str, Golden]:
    games = {}
    for block in FILE.read_text(encoding="utf-8").split("\n\n"):
        title, line, first, *rounds = block.splitlines()
        record = read(line)
        assert isinstance(record, Record), record
        pairs = [pair.split() for pair in rounds]
        games[title] = Golden(
            record, [first, *(digest for digest, _ in pairs)], [body for _, body in pairs]
        )
    return games


GAMES = golden()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_digests_and_the_stored_form_are_those_of_old(game: Golden) -> None:
    record = game.record
    assert replay(record).ok
    assert [digest.hex() for digest in digests(record)] == game.digests
    assert [body.hex() for body in pack_record(record)] == game.bodies
    bodies = [bytes.fromhex(body) for body in game.bodies]
    again = unpack_record(stored_header(record), record.seats, record.names, bodies)
    assert [digest.hex() for digest in digests(again)] == game.digests


def test_both_kinds_and_all_levels_of_detail_are_there() -> None:
    kinds = {game.record.kind for game in GAMES.values()}
    assert kinds == set(KINDS.values())
    levels = {
        round.level
        for game in GAMES.values()
        if game.record.game == "bluff"
        for round in game.record.rounds
    }
    assert levels == {"dealt", "dice", "bids", "challenge", "result", "forfeit", "clock"}
    assert {game.record.kind for game in GAMES.values() if game.record.outcome} == kinds


@dataclass(frozen=True)
class LaterBluff(BluffRules):
    """The ruleset of Bluff with an option that nobody has thought of yet."""

    jokers: bool = False


@dataclass(frozen=True)
class LaterKniffel(KniffelRules):
    """The ruleset of Lügen-Kniffel with such an option."""

    jokers: bool = False


def later(record: Record, jokers: bool) -> Record:
    """The record as a later version would read it."""
    ruleset = {BluffRules: LaterBluff, KniffelRules: LaterKniffel}[type(record.rules)]
    settings = {name: getattr(record.rules, name) for name in record.kind.settings}
    return replace(record, rules=ruleset(**settings, jokers=jokers))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_a_later_option_changes_no_digest_of_an_old_game(game: Golden) -> None:
    assert [digest.hex() for digest in digests(later(game.record, jokers=False))] == game.digests


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_a_later_option_is_sealed_where_it_differs_from_its_default(game: Golden) -> None:
    played = later(game.record, jokers=True)
    assert b'"jokers":true' in canonical_header(played)
    assert not {digest.hex() for digest in digests(played)} & set(game.digests)
