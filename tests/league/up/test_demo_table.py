"""The demo has a table at which automatic players write down their own game."""

import pytest

from games.models import Game, OpenSheet, SheetEntry
from league.demo import table as demo_table
from league.demo.table import Scribe, demo_table_make, demo_table_play
from league.models import Club, Table
from league.sheets.sheet.queries.verification import verify_open_games
from league.sheets.sheet.services.open_game import table_game_open
from tests.factories import events
from tests.factories.league import ClubFactory, MembershipFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> Club:
    """The demo's club, whose table plays one game."""
    monkeypatch.setattr(demo_table, "GAMES", 1)
    club: Club = ClubFactory.create(slug="becherkeller")
    MembershipFactory.create(club=club)
    events.players(club, 5)
    return club


def test_it_begins_with_some_rounds_and_goes_on_to_the_sealed_game(club: Club) -> None:
    demo_table_make(club=club, actor=events.ACTOR)
    assert OpenSheet.objects.get().state["closed"] == 3
    demo_table_make(club=club, actor=events.ACTOR)
    demo_table_play(pace=0)
    assert Game.objects.get().sealed_sheet.sheet.over
    assert Table.objects.get().finished
    demo_table_play(pace=0)
    assert set(SheetEntry.objects.values_list("automatic", flat=True)) == {"odds"}
    assert verify_open_games(club, {}).differences == []


def test_a_round_in_which_it_was_stopped_is_played_anew(club: Club) -> None:
    demo_table_make(club=club, actor=events.ACTOR)
    row = table_game_open(table=demo_table._table(club))
    scribe = Scribe(row, pace=0)
    seat = scribe.game.openers[0]
    scribe._write("note", {"bid": "1x1", "seat": seat})
    again = Scribe(table_game_open(table=demo_table._table(club)), pace=0)
    assert OpenSheet.objects.get().state["notes"] == []
    again.round()
    assert OpenSheet.objects.get().state["closed"] == 4
