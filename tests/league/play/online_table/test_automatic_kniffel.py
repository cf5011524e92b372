"""The automatic players of Lügen-Kniffel at online tables know what their own seat may know, and no
more."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.players.kniffel.at_random import TurnsAtRandom
from engine.players.kniffel.view import TurnMove, TurnView
from engine.sheet.entry import SheetEntry
from league.play.online_table.services import automatic_kniffel
from league.play.online_table.services.automatic_kniffel import STRENGTHS, automatic_act_of_kniffel
from tests.engine.sheet.kniffel.dealt import OnlineTable, announce, answer, table_of


class Listener(TurnsAtRandom):
    """A player at random that keeps what it was shown."""

    def __init__(self) -> None:
        super().__init__(Random(1))
        self.views: list[TurnView] = []

    def choose(self, view: TurnView) -> TurnMove:
        self.views.append(view)
        return super().choose(view)


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> Listener:
    player = Listener()
    monkeypatch.setattr(automatic_kniffel, "roster_player", lambda *names: player)
    return player


def chosen(table: OnlineTable, seat: int) -> SheetEntry:
    return automatic_act_of_kniffel("sharp", seat, table.sheet, table.dealer, table.hidden)


def test_k11_the_roller_sees_the_dice_under_its_own_cups(player: Listener) -> None:
    table = table_of(1, 3)
    roller = table.sheet.to_act[0]
    assert chosen(table, roller) == SheetEntry("roll", {"seat": roller, "keep": []})
    assert not player.views, "nothing is to be chosen before the first roll"
    table.act("roll", roller, keep=[])
    table.act("roll", roller, keep=[0, 4])
    chosen(table, roller)
    (view,) = player.views
    assert (view.locked, view.rolled) == (table.dealt.locked, table.dealt.rolled)


def test_k16_a_seat_that_is_asked_sees_neither_dice_nor_another_s_answer(player: Listener) -> None:
    table = table_of(1, 3)
    announce(table, "chance=20")
    first, second = table.sheet.listeners
    chosen(table, second)
    answer(table, first, True)
    chosen(table, second)
    before, after = [view._replace(sheets=()) for view in player.views]
    assert before == after, "that somebody has answered changes nothing"
    assert (before.locked, before.rolled) == ((), ())


@pytest.mark.parametrize("strength", STRENGTHS)
def test_each_strength_plays_a_whole_game_by_the_rules(strength: str) -> None:
    table = table_of(2, 3)
    while not table.sheet.over:
        entry = automatic_act_of_kniffel(
            strength, table.sheet.to_act[0], table.sheet, table.dealer, table.hidden
        )
        value: dict[str, Any] = dict(entry.value)
        assert table.act(entry.act, value.pop("seat"), **value) is None  # type: ignore[arg-type]
    assert table.sheet.closed > 12
