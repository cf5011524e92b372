"""The demo's events: one half played, one open for entries, as organisers and guests would find
them."""

import pytest

from engine.clock import CLOCK
from games.models import Game, Void
from games.queries.game import sealed_record
from league.core.log.models import LogHead
from league.core.log.services import Actor
from league.demo.events import (
    CUP,
    FINAL_BELL,
    FREE,
    GUESTS,
    NIGHT,
    PLACES,
    SEATED_REGULARS,
    SHEETS,
    demo_events,
)
from league.demo.season import SEASONS
from league.models import (
    Club,
    Entry,
    Event,
    Season,
    Stage,
    StageRound,
    Table,
    TableGame,
    TableScore,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(demo: None) -> Club:
    return Club.objects.get()


def test_the_cup_has_played_its_groups_and_half_of_a_knock_out_round(club: Club) -> None:
    cup = Event.objects.get(club=club, slug=CUP)
    assert cup.status == Event.Status.RUNNING
    groups, knock_out = Stage.objects.filter(event=cup).order_by("number")
    assert (groups.status, knock_out.status) == (Stage.Status.FINISHED, Stage.Status.RUNNING)
    assert StageRound.objects.filter(stage=groups).count() == 3
    tables = Table.objects.filter(stage_round__stage__event=cup)
    played = TableGame.objects.filter(table__in=tables)
    assert (
        tables.filter(stage_round__stage=groups).exclude(pk__in=played.values("table")).count() == 0
    )
    assert (
        tables.filter(stage_round__stage=knock_out).exclude(pk__in=played.values("table")).count()
        == 2
    )


def test_a_practice_game_of_the_cup_is_void_and_its_table_was_played_again(club: Club) -> None:
    void = Void.objects.select_related("game__table_game").get()
    assert (void.stands, void.role) == (True, "organiser")
    games = TableGame.objects.filter(table=void.game.table_game.table)
    assert sorted(games.values_list("number", flat=True)) == [1, 2]
    assert not TableScore.objects.filter(game=void.game).exists()


def test_time_was_up_at_a_table_of_the_groups(club: Club) -> None:
    game = Game.objects.get(external_id=FINAL_BELL)
    record, _ = sealed_record(game)
    assert [record_round.level for record_round in record.rounds].index(CLOCK) == len(
        record.rounds
    ) - 1
    assert game.table_game.table.finished


def test_automatic_players_play_luegen_kniffel_at_tables_of_eight_and_seven(club: Club) -> None:
    tables = Table.objects.filter(stage_round__stage__event__slug=SHEETS)
    games = Game.objects.filter(table_game__table__in=tables)
    assert sorted(len(sealed_record(game)[0].seats) for game in games) == [7, 8, 8]
    assert all(sealed_record(game)[0].rounds for game in games), "every turn is there"
    assert tables.filter(finished=False).count() == 1


def test_at_an_evening_of_free_tables_two_play_and_some_wait(club: Club) -> None:
    evening = Event.objects.get(club=club, slug=FREE)
    tables = Table.objects.filter(stage_round__stage__event=evening)
    assert tables.count() == len(SEATED_REGULARS)
    playing = tables.filter(finished=False)
    assert playing.count() == 2
    assert evening.entries.exclude(seats__table__in=playing).count() >= 3


def test_the_night_is_full_and_others_wait(club: Club) -> None:
    night = Event.objects.get(club=club, slug=NIGHT)
    assert night.status == Event.Status.OPEN
    entries = Entry.objects.filter(event=night)
    assert entries.filter(status=Entry.Status.ENTERED).count() == PLACES
    assert entries.filter(status=Entry.Status.WAITING).count() == GUESTS - PLACES


def test_made_once_more_they_stay_as_they_are(club: Club) -> None:
    position = LogHead.objects.get(club=club).position
    Event.objects.filter(slug=NIGHT).update(name="Ours")
    season = Season.objects.select_related("club").get(club=club, slug=SEASONS[0]["slug"])
    demo_events(club=club, season=season, actor=Actor())
    assert LogHead.objects.get(club=club).position == position
    assert Event.objects.get(slug=NIGHT).name == "Ours"
