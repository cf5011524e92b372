"""Jobs that are called twice, late, in any order or never: once all is done, every cell is what the
facts give."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from league.celery_app import app
from league.core.jobs import TimeSlice
from league.core.locks import Busy
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import GameStyle, ImportJob, Player, RankedGame, Ranking, Role, Season
from league.records.file import services as file
from league.records.upload.services import import_job_confirm, import_job_create
from league.records.upload.tasks import sweep_imports
from league.standings.player.services import player_merge, player_part
from league.standings.ranked_game.domain import outcome
from league.standings.ranking.queries.waiting import rankings_waiting, styles_waiting
from league.standings.ranking.services import counting, rebuild
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.ranking.tasks import count_ranking, sweep_rankings
from league.standings.season.services.season import all_time_create
from league.standings.style import services as style
from league.standings.style.services import styles_read
from tests.factories.counted import bring, counted_season, rebuild_all, season_of_games
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db(transaction=True)

Call = tuple[str, int]


class Calls:
    """The calls that wait, instead of the broker's queues: taken in whatever order, twice, or
    lost."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.waiting: list[Call] = []
        self.most: dict[Call, int] = {}

    def take(self, name: str, args: list[int], **options: Any) -> None:
        """Keep a call."""
        call = (name, args[0])
        self.waiting.append(call)
        self.most[call] = max(self.most.get(call, 0), self.waiting.count(call))

    def work(self) -> None:
        """Do what one of the calls asks for, whichever; now and then leave it there, or lose it."""
        call = self.dice.choice(self.waiting)
        name, row = call
        fate = self.dice.random()
        if fate < 0.8:
            self.waiting.remove(call)
        if fate < 0.1:
            cache.delete(f"called:{name}:{row}")
        elif name in app.tasks:
            app.tasks[name].apply([row], throw=True)


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every portion is a few games, and every time slice one portion."""
    for module, name, size in [
        (counting, "BATCH", 3),
        (rebuild, "GAMES", 3),
        (rebuild, "PLAYERS", 2),
        (style, "BATCH", 2),
        (file, "BATCH", 3),
    ]:
        monkeypatch.setattr(module, name, size)
    for tasks in ("standings.ranking", "records.upload"):
        monkeypatch.setattr(f"league.{tasks}.tasks.SLICE_SECONDS", 0)


@pytest.fixture
def calls(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, small_portions: None
) -> Calls:
    """What is called for."""
    made = Calls(random.Random(getattr(request, "param", 0)))
    monkeypatch.setattr("league.core.jobs.app.send_task", made.take)
    return made


def deeds(season: Season, dice: random.Random) -> list[Callable[[], object]]:
    """All that calls for jobs, in an order of its own."""
    organiser = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    games = season_of_games(24)

    def uploaded(part: list[dict[str, Any]]) -> None:
        job = import_job_create(
            season=season,
            uploaded_by=organiser,
            file_name="games",
            content=b"".join(map(line, part)),
            create_players=True,
            all_or_nothing=False,
        )
        ImportJob.objects.filter(pk=job.pk).update(state=ImportJob.State.PREVIEWED)
        import_job_confirm(job=job, confirmed_by=organiser)

    def merged() -> None:
        solos = Player.objects.filter(
            club=season.club, handle__startswith="solo", same_as=None
        ).order_by("pk")
        if len(solos) > 1:
            player_merge(kept_player=solos[0], merged=solos[1], actor=Actor())

    def parted() -> None:
        if player := Player.objects.filter(club=season.club, same_as__isnull=False).first():
            player_part(merged=player, actor=Actor())

    def renamed() -> None:
        if player := Player.objects.filter(club=season.club).first():
            player_rename(player=player, actor=Actor(), name=f"Name {dice.randrange(100)}")

    singles = [
        lambda seed=seed: bring(season, bluff_record(seed, seats=[f"solo{seed % 3}", "anna"]))
        for seed in range(30, 36)
    ]
    files = [lambda part=games[start : start + 8]: uploaded(part) for start in (0, 8, 16)]
    rebuilt = [
        lambda: ranking_rebuild_ask(
            ranking=Ranking.objects.get(pk=season.ranking_id), actor=Actor()
        )
    ] * 2
    order: list[Callable[[], object]] = [
        *singles,
        *files,
        merged,
        parted,
        merged,
        renamed,
        *rebuilt,
    ]
    dice.shuffle(order)
    return order


@pytest.mark.parametrize("calls", range(6), indirect=True)
def test_calls_twice_late_lost_and_in_any_order_come_to_the_same(calls: Calls) -> None:
    season: Season = SeasonFactory.create()
    all_time_create(club=season.club, actor=Actor())
    for deed in deeds(season, calls.dice):
        deed()
        for _ in range(calls.dice.randrange(4)):
            if calls.waiting:
                calls.work()
    ImportJob.objects.update(uploaded_at="2026-01-01T00:00Z")
    while calls.waiting or left():
        sweep_rankings()
        sweep_imports()
        while calls.waiting:
            calls.work()
    assert RankedGame.objects.filter(ranking=season.ranking_id).count() == 30
    assert set(ImportJob.objects.values_list("state", flat=True)) == {ImportJob.State.DONE}
    assert list(club_differences(season.club_id)) == []


def left() -> bool:
    """Whether any job has something to do."""
    return bool(
        rankings_waiting() or styles_waiting() or ImportJob.objects.exclude(state="done").exists()
    )


def test_many_results_make_one_call(calls: Calls) -> None:
    season: Season = SeasonFactory.create()
    bring(season, *season_of_games(12))
    assert calls.waiting == [("league.standings.ranking.tasks.count_ranking", season.ranking_id)]


def test_a_backlog_leaves_the_worker_of_results_after_a_portion(calls: Calls) -> None:
    season: Season = SeasonFactory.create()
    bring(season, *season_of_games(12))
    calls.waiting.clear()
    count_ranking.apply([season.ranking_id], throw=True)
    assert RankedGame.objects.count() == 3
    assert calls.waiting == [("league.standings.ranking.tasks.count_backlog", season.ranking_id)]


def test_who_works_on_a_ranking_calls_for_what_came_meanwhile(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that met it has left the game to it."""
    season = counted_season(3)
    calls.waiting.clear()

    def count_and_more(**options: Any) -> None:
        ranking_count(**options)
        bring(season, bluff_record(50))
        calls.waiting.clear()

    monkeypatch.setattr("league.standings.ranking.tasks.ranking_count", count_and_more)
    count_ranking.apply([season.ranking_id], throw=True)
    assert calls.waiting == [("league.standings.ranking.tasks.count_backlog", season.ranking_id)]


def test_a_ranking_that_somebody_works_on_is_left_to_them(
    calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(**options: Any) -> None:
        raise Busy

    monkeypatch.setattr("league.standings.ranking.tasks.ranking_count", busy)
    season: Season = SeasonFactory.create()
    bring(season, bluff_record(1))
    calls.waiting.clear()
    count_ranking.apply([season.ranking_id], throw=True)
    assert calls.waiting == []


def test_each_kind_of_long_work_does_a_portion_a_turn_and_goes_on_behind_it(
    small_portions: None,
) -> None:
    season: Season = SeasonFactory.create()
    bring(season, *season_of_games(7))
    counted, analysed, turns = [], [], 0
    while rankings_waiting():
        ranking_count(ranking_id=season.ranking_id, time_slice=TimeSlice(0))
        counted.append(RankedGame.objects.count())
    assert counted == [3, 6, 7]
    while styles_waiting():
        styles_read(ranking_id=season.ranking_id, time_slice=TimeSlice(0))
        analysed.append(GameStyle.objects.count())
    assert analysed == [2, 4, 6, 7]
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    while any(rebuilding for _, rebuilding in rankings_waiting()):
        ranking_rebuild(ranking_id=season.ranking_id, time_slice=TimeSlice(0))
        turns += 1
    assert turns >= 5
    rebuild_all(season)
    assert list(club_differences(season.club_id)) == []


def test_a_game_that_fails_ends_no_turn_before_it_is_passed_over(
    small_portions: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    season: Season = SeasonFactory.create()
    bring(season, *season_of_games(6))
    whole = outcome.game_outcome

    def fails(game: Any, scoring: Any) -> Any:
        if game.external_id == "game-0":
            raise ArithmeticError
        return whole(game, scoring)

    monkeypatch.setattr(counting, "game_outcome", fails)
    ranking_count(ranking_id=season.ranking_id, time_slice=TimeSlice(0))
    ranking_count(ranking_id=season.ranking_id, time_slice=TimeSlice(0))
    assert RankedGame.objects.exists()
