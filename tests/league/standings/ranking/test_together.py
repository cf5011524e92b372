"""Importers, counters and a rebuild at once, on connections of their own: no game is lost, and none
counts twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

import pytest
from django.db import connection

from league.core.locks import Busy
from league.core.log.services import Actor
from league.models import LogEntry, RankedGame, Season
from league.records.file.services import Outcome, record_import
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.style.services import styles_read
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.site.audit.differences import club_differences

IMPORTERS = 4
GAMES = 25
"""Games of each importer."""


def in_thread(work: Callable[[], None], failures: list[BaseException]) -> Thread:
    """Work on a connection of its own; what it raises is kept."""

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_in_a_loop_loses_no_game_that_is_imported_meanwhile() -> None:
    season: Season = SeasonFactory.create()
    failures: list[BaseException] = []
    done = Event()

    def imports(first: int) -> Callable[[], None]:
        def run() -> None:
            for seed in range(first, first + GAMES):
                imported = record_import(season=season, line=line(bluff_record(seed)))
                assert imported.outcome == Outcome.CREATED, imported.error
                with suppress(Busy):
                    ranking_count(ranking_id=season.ranking_id)

        return run

    def rebuilds() -> None:
        while not done.is_set():
            with suppress(Busy):
                ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
                ranking_rebuild(ranking_id=season.ranking_id)

    importers = [in_thread(imports(GAMES * number), failures) for number in range(IMPORTERS)]
    rebuilder = in_thread(rebuilds, failures)
    for thread in importers:
        thread.join()
    done.set()
    rebuilder.join()
    assert failures == []
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)
    assert RankedGame.objects.filter(ranking=season.ranking).count() == IMPORTERS * GAMES
    assert list(club_differences(season.club_id)) == []
    positions = list(
        LogEntry.objects.filter(club=season.club)
        .order_by("position")
        .values_list("position", flat=True)
    )
    assert positions == list(range(1, len(positions) + 1))
