"""Whatever is changed while games arrive and are counted: once all jobs are done, every cell is
what the facts give."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from engine.illegal import Refused
from games.models import Game
from league.core.locks import Busy
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.disputes.correction.services import game_correct
from league.models import Club, Player, Ranking, Season
from league.records.file.services import record_import
from league.standings.player.services import player_merge, player_part
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import (
    _rebuild_batch,
    ranking_rebuild,
    ranking_rebuild_ask,
    rebuild_ask,
)
from league.standings.season.services.club import club_settings_change
from league.standings.season.services.season import season_change
from league.standings.style.services import styles_read
from tests.factories.counted import counted_season, season_of_games
from tests.factories.records import bluff_record, line
from tests.league.site.audit.differences import club_differences

HANDLES = ["anna", "ben", "cleo", "dario", "elif", "fritz", "greta"]


def jobs_done_once() -> None:
    """Do what waits, as workers do; somebody else who is at it does it."""
    for ranking_id, rebuilding in rankings_waiting():
        try:
            (ranking_rebuild if rebuilding else ranking_count)(ranking_id=ranking_id)
        except Busy:
            sleep(0.01)
    for ranking_id in styles_waiting():
        try:
            styles_read(ranking_id=ranking_id)
        except Busy:
            sleep(0.01)


def changes(season: Season, dice: random.Random) -> list[Callable[[], object]]:
    """All that may be changed meanwhile."""

    def someone() -> Player:
        return dice.choice(list(Player.objects.filter(club=season.club).order_by("pk")))

    def merge() -> None:
        solos = list(
            Player.objects.filter(
                club=season.club, handle__startswith="solo", same_as=None
            ).order_by("pk")
        )
        if len(solos) > 1:
            kept_player, merged = dice.sample(solos, 2)
            player_merge(kept_player=kept_player, merged=merged, actor=Actor())

    def part() -> None:
        merged = (
            Player.objects.filter(club=season.club, same_as__isnull=False).order_by("?").first()
        )
        if merged is not None:
            player_part(merged=merged, actor=Actor())

    def rename() -> None:
        player_rename(player=someone(), actor=Actor(), name=f"Name {dice.randrange(1000)}")

    def zone() -> None:
        timezone = dice.choice(["Europe/Berlin", "Pacific/Auckland", "America/New_York"])
        club_settings_change(
            club=Club.objects.get(pk=season.club_id), actor=Actor(), timezone=timezone
        )

    def correct() -> None:
        game = dice.choice(
            list(
                Game.objects.filter(corrections=None, external_id__startswith="late").order_by("pk")
            )
        )
        record = bluff_record(
            dice.randrange(10**6), seats=["anna", "ben", "cleo"], id=game.external_id
        )
        game_correct(game=game, line=line(record), reason="The scorer wrote down another game.")

    def rebuild() -> None:
        ranking_rebuild_ask(ranking=Ranking.objects.get(pk=season.ranking_id), actor=Actor())

    def order() -> None:
        tie_breaks = dice.choice([["points", "wins"], ["wins", "points"], ["points"]])
        season_change(season=Season.objects.get(pk=season.pk), actor=Actor(), tie_breaks=tie_breaks)

    return [merge, part, merge, rename, zone, correct, rebuild, order]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_between_changes_jobs_and_games_that_arrive(seed: int) -> None:
    season = counted_season(season_of_games(12))
    arriving = [
        bluff_record(100 + n, seats=[f"solo{n % 5}", "anna", "ben"], id=f"late-{n}")
        for n in range(40)
    ]
    record_import(season=season, line=line(arriving.pop()))
    ended = Event()

    def enter() -> None:
        for record in arriving:
            record_import(season=season, line=line(record))

    def work() -> None:
        while not ended.is_set():
            jobs_done_once()

    def change() -> None:
        dice = random.Random(seed)
        for _ in range(25):
            try:
                dice.choice(changes(season, dice))()
            except (Busy, Refused, ValidationError):
                sleep(0.01)

    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(alone(work)) for _ in range(2)]
        others = [pool.submit(alone(enter)), pool.submit(alone(change))]
        try:
            for other in others:
                other.result()
        finally:
            ended.set()
        for job in jobs:
            job.result()
    while rankings_waiting() or styles_waiting():
        jobs_done_once()
    assert list(club_differences(season.club_id)) == []


def alone(work: Callable[[], None]) -> Callable[[], None]:
    """The work on a connection of its own, as of another process."""

    def with_connection() -> None:
        try:
            work()
        finally:
            connection.close()

    return with_connection


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_that_is_asked_for_during_a_portion_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = counted_season(5)
    rebuild_ask(season.ranking_id)
    assert _rebuild_batch(season.ranking_id)
    begun = Ranking.objects.get(pk=season.ranking_id)
    assert begun.rebuilt_to

    def asked_meanwhile(*args: object) -> bool:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(alone(lambda: rebuild_ask(season.ranking_id))).result()
        return False

    monkeypatch.setattr(
        "league.standings.ranking.services.rebuild._rebuild_standings", asked_meanwhile
    )
    _rebuild_batch(season.ranking_id)
    asked = Ranking.objects.get(pk=season.ranking_id)
    assert (asked.rebuilt_to, asked.rebuilt_player, asked.rebuilds_asked) == (
        0,
        None,
        begun.rebuilds_asked + 1,
    )
