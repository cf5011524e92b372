"""What is stored of an event while it is rebuilt, and others enter, correct and finish."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from games.models import Game
from league.core.locks import Busy
from league.counting.event_rebuild.services import Rebuilt, event_rebuild
from league.models import (
    Event,
    FinalRank,
    LogEntry,
    LogHead,
    Stage,
    TableScore,
)
from league.stages.course.services.event import event_move
from league.standings.ranked_game.actions import GameAction
from tests.factories import events
from tests.league.counting.event_rebuild.rebuilt import (
    ACTOR,
    correct,
    cup,
    differences,
    newest_games,
    placing_season,
)


def in_thread(work: Callable[[], object], came: list[Any]) -> Thread:
    """Work on a connection of its own; what it gives or raises is kept."""

    def run() -> None:
        try:
            came.append(work())
        except BaseException as error:
            came.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def until_somebody_waits() -> None:
    """Go on once another connection waits for a lock."""
    waiting = False
    while not waiting:
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
            (waiting,) = cursor.fetchone()


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_in_a_loop_loses_no_result_and_has_read_what_it_says() -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 48))
    stage = events.stage(made)
    events.drawn(stage)
    done = Signal()

    def rebuilds() -> list[Rebuilt]:
        found = []
        while not done.is_set():
            with suppress(Busy):
                found.append(event_rebuild(event_id=made.pk, actor=ACTOR))
        return found

    def plays(numbers: range) -> Callable[[], None]:
        def run() -> None:
            for table in events.facts(stage).tables:
                if table.number in numbers:
                    events.finish(table.public_id, events.facts(stage).ids(table))
                    correct(Game.objects.get(table_game__table=table.pk), [4, 3, 2, 1])

        return run

    came: list[Any] = []
    played: list[Any] = []
    rebuilder = in_thread(rebuilds, came)
    players = [
        in_thread(plays(numbers), played)
        for numbers in (range(1, 4), range(4, 7), range(7, 10), range(10, 13))
    ]
    for thread in players:
        thread.join()
    done.set()
    rebuilder.join()
    assert played == [None] * 4
    assert TableScore.objects.filter(ranks=[4, 3, 2, 1], table__finished=True).count() == 12
    assert differences(made) == []
    (rebuilt,) = came
    for one in rebuilt:
        sealed = LogEntry.objects.filter(action=GameAction.SEALED, position__lte=one.position)
        assert (one.games, one.wrong) == (sealed.count(), 0)


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_waits_for_a_result_that_is_going_in() -> None:
    season = placing_season()
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 4))
    stage_round = events.drawn(events.stage(made))
    came: list[Any] = []
    with transaction.atomic():
        events.play(stage_round)
        rebuilder = in_thread(lambda: event_rebuild(event_id=made.pk, actor=ACTOR), came)
        until_somebody_waits()
        ends = LogHead.objects.get(club=made.club_id).position
    rebuilder.join()
    assert came == [Rebuilt(position=ends, tables=1, games=1, wrong=0)]


@pytest.mark.django_db(transaction=True)
def test_a_correction_waits_for_the_end_of_the_log_before_it_touches_a_stage() -> None:
    """As an entered result does: in another order the two would wait for each other."""
    made = cup(placing_season(), count=6)
    game = newest_games(made)[-1]
    came: list[Any] = []
    with transaction.atomic():
        LogHead.objects.select_for_update().get(club=made.club_id)
        corrector = in_thread(lambda: correct(game, [4, 3, 2, 1]), came)
        until_somebody_waits()
        assert (
            len(Stage.objects.select_for_update(nowait=True, of=("self",)).filter(event=made)) == 2
        )
    corrector.join()
    assert came == [None]


@pytest.mark.django_db(transaction=True)
def test_a_correction_counts_also_if_the_event_is_finished_at_this_moment() -> None:
    made = cup(placing_season(), count=6)
    event_move(event=made, status=Event.Status.RUNNING, actor=ACTOR)
    came: list[Any] = []
    with transaction.atomic():
        correct(newest_games(made)[-1], [4, 3, 2, 1])
        finisher = in_thread(
            lambda: event_move(event=made, status=Event.Status.FINISHED, actor=ACTOR), came
        )
        until_somebody_waits()
    finisher.join()
    assert came == [True]
    assert FinalRank.objects.filter(event=made).count() == 6
    assert differences(made) == []
