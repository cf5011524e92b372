"""What the API makes of a game for one viewer doesn't depend on what lies under the cups of others,
in any of many random games, at any moment of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.bluff.ruleset import EXACT, Ruleset
from engine.dice.dealer import Dealer
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import HiddenActs, SheetEntry
from engine.sheet.kniffel.online import KniffelSheet
from engine.sheet.online import OnlineSheet
from engine.sheet.online_kind import ONLINE_KINDS
from league.play.program.api.program_games import PROGRAM_GAMES
from league.play.program.domain.table import GameRead
from league.play.program.live import dumped
from tests.engine.sheet.kniffel.dealt import OnlineTable, play, table_of
from tests.engine.sheet.test_online import opened, played_at_random
from tests.league.play.online_table.test_secrecy import OtherCup
from tests.league.play.secrecy import GAMES

GAMES_OF_A_SEED = 20


def seen_by(dealer: Dealer, sheet: DealtSheet, hidden: HiddenActs, viewer: int | None) -> bytes:
    """The game as the API tells it to a seat, or to a spectator."""
    kind = sheet.record.kind
    cup = None if viewer is None else ONLINE_KINDS[kind].own_dice(dealer, sheet, hidden, viewer)
    names = [(name, False) for name in sheet.record.seats]
    read = GameRead(kind.name, sheet, names, seat=viewer, cup=cup, length=7, deadline=None)
    game = PROGRAM_GAMES[kind.name]
    return dumped(game.serializer().to_representation(game.seen(read)))


def seen_by_others(dealer: Dealer, sheet: DealtSheet, hidden: HiddenActs, seat: int) -> list[bytes]:
    others = [each for each in range(len(sheet.record.seats)) if each != seat]
    return [seen_by(dealer, sheet, hidden, viewer) for viewer in (None, *others)]


def other_cup(dealer: Dealer, seat: int) -> Dealer:
    return OtherCup(dealer.secret, dealer.game, dealer.seeds, dealer.scheme, seat)


def bluff_moments(secret: int) -> Iterator[tuple[Dealer, OnlineSheet]]:
    """The sheet of a random game of Bluff before each of its acts."""
    chance = Random(secret)
    exact = EXACT[chance.choice(sorted(EXACT))]
    rules = Ruleset(exact=exact, reroll=chance.random() < 0.5, dice=chance.choice([1, 2, 3]))
    _, entries, dealer = played_at_random(secret, chance.randrange(2, 5), rules)
    sheet = opened(dealer, rules)
    for entry in entries:
        if not sheet.waits_for_dealer:
            yield dealer, sheet
        assert sheet.apply(entry) is None


@pytest.mark.parametrize("seed", GAMES)
def test_in_bluff_nobody_is_told_what_depends_on_another_cup(seed: int) -> None:
    chance = Random(seed)
    for number in range(GAMES_OF_A_SEED):
        for dealer, sheet in bluff_moments(seed * GAMES_OF_A_SEED + number):
            closed = [seat for seat in sheet.staying if not sheet.round.shown[seat]]
            if closed and chance.random() < 0.2:
                seat = chance.choice(closed)
                honest = seen_by_others(dealer, sheet, (), seat)
                assert seen_by_others(other_cup(dealer, seat), sheet, (), seat) == honest


@pytest.mark.parametrize("seed", GAMES)
def test_in_luegen_kniffel_nobody_is_told_what_depends_on_dice_that_stay_or_on_answers(
    seed: int,
) -> None:
    chance = Random(seed)

    def compare(table: OnlineTable) -> None:
        roller = table.sheet.roller
        if roller is None or chance.random() > 0.02:
            return
        honest = seen_by_others(table.dealer, table.sheet, table.hidden, roller)
        hidden = [_other(act) for act in table.hidden]
        assert (
            seen_by_others(other_cup(table.dealer, roller), table.sheet, hidden, roller) == honest
        )

    for number in range(GAMES_OF_A_SEED // 5):
        table = table_of(seed * GAMES_OF_A_SEED + number, chance.randrange(2, 5))
        play(table, chance, before=compare)
        assert isinstance(table.sheet, KniffelSheet)


def _other(act: SheetEntry) -> SheetEntry:
    """The same act with other dice that stay, or the other answer."""
    if act.act == "answer":
        return SheetEntry(act.act, {**act.value, "doubt": not act.value["doubt"]})
    return SheetEntry(act.act, {**act.value, "keep": act.value["keep"][1:]})
