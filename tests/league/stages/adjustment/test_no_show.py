"""A no-show as a ruling: before a table is played, and after."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from engine.illegal import Refused
from games.models import Game
from league.core.log.services import Actor
from league.counting.event_rebuild.queries.verification import event_differences
from league.models import Entry, Format, Season, SetOrder, Table, TableScore, Walkover
from league.stages.adjustment.services.no_show import no_show_rule
from tests.factories import events
from tests.league.stages.result.test_result import published, table_of

pytestmark = pytest.mark.django_db
ARBITER = Actor(reason="Nobody came to the table.")


def entry_at(table: Table, seat: int) -> Entry:
    return Entry.objects.select_related("event").get(seats__table=table, seats__seat=seat)


def test_a_duel_that_nobody_played_is_given_to_who_came(season: Season) -> None:
    stage = published(season, format=Format.SWISS, sizes=[2])
    table = table_of(stage)
    absent = entry_at(table, 0)
    assert no_show_rule(table=table, absent=[absent], actor=ARBITER) == ((), True)
    absent.refresh_from_db()
    assert absent.status == Entry.Status.NO_SHOW
    assert Walkover.objects.get(table=table).absent == [absent.pk]
    assert no_show_rule(table=table, absent=[absent], actor=ARBITER) == ((), False), "twice is once"
    assert list(event_differences(stage.event_id)) == []


def test_at_a_larger_table_the_others_play(season: Season) -> None:
    stage = published(season, sizes=[4])
    table = table_of(stage)
    assert no_show_rule(table=table, absent=[entry_at(table, 0)], actor=ARBITER) == ((), False)
    assert not Walkover.objects.exists()


def test_in_a_game_that_was_played_they_are_put_last(season: Season) -> None:
    stage = published(season, sizes=[4])
    events.play(stage.stage_rounds.get())
    table = table_of(stage)
    score = TableScore.objects.get(table=table)
    assert score.ranks is not None
    absent = Entry.objects.select_related("event").get(pk=score.entries[score.ranks.index(1)])
    (order,), given = no_show_rule(table=table, absent=[absent], actor=ARBITER)
    assert not given
    assert order.ranks is not None
    assert order.ranks[score.ranks.index(1)] == len(score.ranks)
    assert order.game == Game.objects.get(table_game__table=table)
    absent.refresh_from_db()
    assert absent.status == Entry.Status.ENTERED, "they were there for the rest of the evening"
    assert no_show_rule(table=table, absent=[absent], actor=ARBITER) == ((), False), "twice is once"
    assert SetOrder.objects.count() == 1


def test_who_sits_elsewhere_is_refused_and_a_walkover_wants_a_reason(season: Season) -> None:
    stage = published(season, format=Format.SWISS, sizes=[2])
    table = table_of(stage)
    other = Table.objects.filter(stage_round__stage=stage).exclude(pk=table.pk).first()
    assert other is not None
    for absent in ([], [entry_at(other, 0)]):
        with pytest.raises(Refused) as refused:
            no_show_rule(table=table, absent=absent, actor=ARBITER)
        assert refused.value.illegal.code == "wrong_table"
    with pytest.raises(ValidationError):
        no_show_rule(table=table, absent=[entry_at(table, 0)], actor=Actor())
    assert not Entry.objects.filter(status=Entry.Status.NO_SHOW).exists(), "all of it or nothing"
