"""Guests and substitutes: a game at an event's table counts in the season as the entries say, and
nowhere else."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.cli.main import main
from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.frame.rendering import RENDERINGS
from league.core.member.models.member import Role
from league.counting.event_counting.services import counting_change
from league.disputes.correction.services import correction_preview, game_correct
from league.events.entry.services.entry import entry_add, entry_change, entry_withdraw
from league.models import Club, Entry, Event, LogEntry, Player, Ranking, Season, Stage
from league.site.health.receivers import seasons_count
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.round.services import round_take_back
from league.stages.table.queries.seats import games_of_entry
from league.standings.player.services import player_merge, player_part
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from league.standings.season.services.season import all_time_create
from league.standings.standing.queries.standing import table_rows
from tests.factories import events
from tests.factories.counted import rebuild_all
from tests.factories.derived import derived
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.league.site.audit.differences import club_differences

ACTOR = events.ACTOR
FIGURES = ("games", "wins", "points", "rank_sum", "best", "mu", "sigma")
Figures = dict[str, tuple[Any, ...]]


def counted(ranking: Ranking) -> Figures:
    """What a ranking brings everybody by handle, after all its jobs have run."""
    ranking_rebuild(ranking_id=ranking.pk)
    ranking.refresh_from_db()
    return {
        row.handle: tuple(getattr(row, figure) for figure in FIGURES) for row in table_rows(ranking)
    }


def night(season: Season, count: int = 4, rounds: int = 2, slug: str = "night-1") -> Stage:
    """A stage of a running event in which everybody has played so many rounds."""
    made = events.event(season, slug, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, count))
    stage = events.stage(made, rounds=3)
    for _ in range(rounds):
        events.play(events.drawn(stage))
    return stage


def entry(stage: Stage, handle: str = "p1") -> Entry:
    return Entry.objects.select_related("event", "player").get(
        event=stage.event_id, player__handle=handle
    )


def regular(season: Season, handle: str = "rosa") -> Player:
    """A player of the club for whom somebody plays."""
    (made,) = events.players(season.club, 1, handle)
    return made


pytestmark = pytest.mark.django_db


def test_a_guests_games_leave_the_opponents_rows_as_they_were(season: Season) -> None:
    stage = night(season)
    before = counted(season.ranking)
    assert before.keys() == {"p1", "p2", "p3", "p4"}
    entry_change(entry=entry(stage), guest=True, actor=ACTOR)
    assert counted(season.ranking) == {
        handle: row for handle, row in before.items() if handle != "p1"
    }
    entry_change(entry=entry(stage), guest=False, actor=ACTOR)
    assert counted(season.ranking) == before


def test_a_rating_moves_for_who_sat_there_listed_or_not(season: Season) -> None:
    stage = night(season)
    counted(season.ranking)

    def ratings() -> list[tuple[str, float, float]]:
        return list(
            season.ranking.ratings.order_by("player").values_list("player__handle", "mu", "sigma")
        )

    before = ratings()
    entry_change(entry=entry(stage), guest=True, actor=ACTOR)
    entry_change(entry=entry(stage, "p2"), substitutes=regular(season), actor=ACTOR)
    counted(season.ranking)
    assert ratings() == before


def test_a_substitutes_games_are_in_the_row_of_who_is_replaced(season: Season) -> None:
    stage = night(season)
    before = counted(season.ranking)
    entry_change(entry=entry(stage), substitutes=regular(season), actor=ACTOR)
    after = counted(season.ranking)
    assert after.keys() == {"rosa1", "p2", "p3", "p4"}
    assert after["rosa1"] == (*before["p1"][:5], None, None), "and no rating: Rosa played nothing"
    assert after["p2"] == before["p2"]


def test_a_guest_counts_for_nobody_whatever_else_the_entry_says(season: Season) -> None:
    stage = night(season)
    entry_change(entry=entry(stage), guest=True, substitutes=regular(season), actor=ACTOR)
    assert counted(season.ranking).keys() == {"p2", "p3", "p4"}


def test_stage_and_the_list_of_all_time_tell_who_sat_there(season: Season) -> None:
    all_time = all_time_create(club=season.club, actor=ACTOR)
    stage = night(season)
    before, facts = counted(all_time.ranking), events.facts(stage).tables
    entry_change(entry=entry(stage), guest=True, actor=ACTOR)
    entry_change(entry=entry(stage, "p2"), substitutes=regular(season), actor=ACTOR)
    assert counted(all_time.ranking) == before
    assert events.facts(stage).tables == facts


def test_what_the_entry_says_before_and_after_a_game_comes_to_the_same(
    season: Season, club: Club
) -> None:
    first = night(season)
    entry_change(entry=entry(first), guest=True, actor=ACTOR)
    later = counted(season.ranking)
    second: Season = SeasonFactory.create(scoring="placement")
    made = events.event(second, status=Event.Status.RUNNING)
    events.enter(made, events.players(second.club, 4))
    stage = events.stage(made)
    entry_change(entry=entry(stage), guest=True, actor=ACTOR)
    for _ in range(2):
        events.play(events.drawn(stage))
        ranking_count(ranking_id=second.ranking_id)
    before = counted(second.ranking)
    assert {row[0] for row in before.values()} == {row[0] for row in later.values()} == {2}
    assert before.keys() == later.keys()


def test_a_correction_counts_as_the_entry_says_and_its_preview_tells_so(season: Season) -> None:
    stage = night(season)
    rosa = regular(season)
    entry_change(entry=entry(stage), guest=True, actor=ACTOR)
    entry_change(entry=entry(stage, "p2"), substitutes=rosa, actor=ACTOR)
    counted(season.ranking)
    game = Game.objects.order_by("pk")[0]
    value = json.loads(write(sealed_record(game)[0]))
    value["outcome"]["rank"] = value["outcome"]["rank"][::-1]
    line = json.dumps(value).encode()
    (effect,) = correction_preview(game=game, line=line).effects
    game_correct(game=game, line=line, reason="read upside down")
    after = counted(season.ranking)
    assert {row.handle: row.points_after for row in effect.rows} == {
        handle: row[2] for handle, row in after.items()
    }
    assert after.keys() == {"rosa1", "p3", "p4"}


def test_who_comes_back_as_a_guest_counts_for_nothing(season: Season) -> None:
    stage = night(season)
    entry_withdraw(entry=entry(stage), actor=ACTOR)
    player = entry(stage).player
    entry_add(event=stage.event, player=player, guest=True, by_organiser=True, actor=ACTOR)
    assert "p1" not in counted(season.ranking)


def test_one_who_is_merged_with_the_player_who_is_replaced_has_the_row(season: Season) -> None:
    stage = night(season)
    rosa, rose = regular(season), regular(season, "rose")
    entry_change(entry=entry(stage), substitutes=rosa, actor=ACTOR)
    before = counted(season.ranking)
    player_merge(kept_player=rose, merged=rosa, actor=ACTOR)
    merged = counted(season.ranking)
    assert merged == {
        "rose1" if handle == "rosa1" else handle: row for handle, row in before.items()
    }
    rosa.refresh_from_db()
    player_part(merged=rosa, actor=ACTOR)
    assert counted(season.ranking) == before


def test_a_season_of_before_is_counted_anew_once_and_its_log_says_why(season: Season) -> None:
    """So it is right after the upgrade; what nobody played in as a guest stays as it is."""
    stage = night(season)
    other: Season = SeasonFactory.create(scoring="placement")
    night(other)
    before = counted(season.ranking)
    Entry.objects.filter(pk=entry(stage).pk).update(guest=True)
    assert counted(season.ranking) == before, "nobody has said that anything changed"
    Ranking.objects.update(seats_counted=False)
    for _ in range(2):
        seasons_count(sender=apps.get_app_config("league"))
    assert list(
        LogEntry.objects.filter(action="ranking.recounted").values_list("subject", flat=True)
    ) == [season.ranking.public_id]
    assert "p1" not in counted(season.ranking)
    assert not Ranking.objects.filter(seats_counted=False).exists()
    assert Ranking.objects.get(season=other).rebuilds_asked == 0


class Walk:
    """A random evening at which games, corrections and what entries count for come one after the
    other."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.season: Season = SeasonFactory.create(scoring="placement", tie_breaks=["points"])
        self.event = events.event(self.season, status=Event.Status.RUNNING)
        self.entries = events.enter(self.event, events.players(self.season.club, 6))
        self.regulars = events.players(self.season.club, 2, "r")
        self.stage = events.stage(self.event, rounds=12)

    def step(self) -> None:
        moves = [
            self.play,
            self.play,
            self.guest,
            self.substitute,
            self.correct,
            self.take_back,
            self.count,
            self.rebuild,
        ]
        move = self.chance.choice(moves)
        try:
            with transaction.atomic():
                move()
        except ValidationError:
            pass

    def play(self) -> None:
        events.play(
            events.drawn(self.stage),
            best=[row.public_id for row in self.chance.sample(self.entries, 6)],
        )

    def take_back(self) -> None:
        last = self.stage.stage_rounds.exclude(status="taken_back").order_by("number").last()
        if last is not None:
            round_take_back(stage_round=last, actor=ACTOR, with_results=True)

    def guest(self) -> None:
        entry_change(entry=self.pick(), guest=self.chance.random() < 0.5, actor=ACTOR)

    def substitute(self) -> None:
        entry_change(
            entry=self.pick(), substitutes=self.chance.choice([*self.regulars, None]), actor=ACTOR
        )

    def pick(self) -> Entry:
        chosen = self.chance.choice(self.entries)
        return Entry.objects.select_related("event", "player", "substitutes").get(pk=chosen.pk)

    def correct(self) -> None:
        games = list(
            Game.objects.filter(season_game__season=self.season, corrections=None).order_by("pk")
        )
        if games:
            game = self.chance.choice(games)
            value = json.loads(write(sealed_record(game)[0]))
            ranks = self.chance.sample(value["outcome"]["rank"], len(value["outcome"]["rank"]))
            if ranks != value["outcome"]["rank"]:
                value["outcome"]["rank"] = ranks
                game_correct(game=game, line=json.dumps(value).encode(), reason="read upside down")

    def count(self) -> None:
        ranking_count(ranking_id=self.season.ranking_id)

    def rebuild(self) -> None:
        ranking_rebuild(ranking_id=self.season.ranking_id)


class TestWhateverHappens(TestCase):
    @settings(max_examples=12)
    @given(seed=st.integers(0, 2**32))
    def test_what_is_counted_step_by_step_is_what_a_rebuild_counts(self, seed: int) -> None:
        walk = Walk(seed)
        for _ in range(12):
            walk.step()
        counted(walk.season.ranking)
        before = derived(walk.season.ranking)
        assert [str(difference) for difference in club_differences(walk.season.club_id)] == []
        rebuild_all(walk.season)
        assert {**derived(walk.season.ranking), "Style": []} == {**before, "Style": []}


@pytest.fixture
def evening(season: Season) -> Stage:
    """An evening with a guest, p1, and p2 for Rosa, that is counted."""
    stage = night(season)
    entry_change(entry=entry(stage), guest=True, actor=ACTOR)
    entry_change(entry=entry(stage, "p2"), substitutes=regular(season), actor=ACTOR)
    counted(season.ranking)
    season.refresh_from_db(from_queryset=Season.objects.select_related("club", "ranking"))
    return stage


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_pages_say_who_sat_there_and_for_whom(
    evening: Stage, season: Season, client: Client
) -> None:
    home = f"/clubs/{season.club.slug}/{season.slug}/"
    rosa = Player.objects.get(handle="rosa1")
    row = page(client, f"{home}players/{rosa.public_id}/")
    assert row.count("p2 sat there") == 2
    for address in (
        f"{home}games/",
        f"/players/{entry(evening).player.public_id}/",
        f"/games/{Game.objects.order_by('pk')[0].public_id}/",
    ):
        html = page(client, address)
        assert "as a guest" in html, address
        assert "for rosa1" in html, address
    assert "rosa1" in page(client, f"/players/{rosa.public_id}/")
    table = page(client, home)
    assert "as a guest" not in table.split('id="latest"')[0].split("Latest games")[0]


def test_the_api_tells_for_whom_a_seat_counts(
    evening: Stage, season: Season, client: Client
) -> None:
    game = Game.objects.order_by("pk")[0].public_id
    games = client.get(f"/api/v1/clubs/{season.club.slug}/games/").json()["results"]
    one = next(row for row in games if row["id"] == game)
    for seats in (one["seats"], client.get(f"/api/v1/games/{game}/").json()["seats"]):
        whom = {
            seat["player"]["handle"]: seat["counts_for"] and seat["counts_for"]["handle"]
            for seat in seats
        }
        assert whom == {"p1": None, "p2": "rosa1", "p3": "p3", "p4": "p4"}
    ratings = client.get(f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/ratings/").json()[
        "results"
    ]
    assert {row["player"]["handle"]: row["games"] for row in ratings} == {
        f"p{number}": 2 for number in range(1, 5)
    }


def test_anybody_computes_the_same_table_from_the_published_files(
    evening: Stage,
    season: Season,
    client: Client,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fetched(address: str, name: str) -> str:
        file = tmp_path / name
        file.write_bytes(client.get(address).getvalue())
        return str(file)

    home, args = f"/clubs/{season.club.slug}/{season.slug}/", ["--scoring", "placement", "--rated"]
    records = fetched(
        f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/games.ndjson", "games.ndjson"
    )
    for file in ("handles", "seats"):
        args += [f"--{file}", fetched(f"{home}{file}.csv", f"{file}.csv")]
    args += [
        "--timezone",
        season.club.timezone,
        "--tie-breaks",
        ",".join(season.ranking.tie_breaks),
    ]
    assert main(["table", records, *args]) == 0
    computed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    published = list(
        csv.DictReader(io.StringIO(client.get(f"{home}table.csv").getvalue().decode()))
    )
    assert computed == [{column: row[column] for column in computed[0]} for row in published]
    assert {row["handle"] for row in computed} == {"rosa1", "p3", "p4"}


def test_a_page_says_what_it_changes_before_it_is_done(season: Season, desk: Client) -> None:
    stage = night(season)
    before = counted(season.ranking)
    mine = entry(stage)
    address = f"/clubs/{season.club.slug}/desk/events/night-1/entries/{mine.public_id}/counts/"
    rosa = regular(season)
    response = desk.post(address, {"substitutes": "rosa1"})
    assert "What this changes" in response.content.decode()
    (gone, new) = response.context["effect"].table.rows
    assert (gone.handle, gone.points_before, gone.points_after) == ("p1", before["p1"][2], None)
    assert (new.handle, new.points_before, new.points_after) == ("rosa1", None, before["p1"][2])
    assert new.rank_after == 1 + sum(row[2] > before["p1"][2] for row in before.values())
    assert counted(season.ranking) == before, "a preview writes nothing"
    assert desk.post(address, {"substitutes": "rosa1", "sure": "yes"}).status_code == 302
    mine.refresh_from_db()
    assert mine.substitutes == rosa
    assert counted(season.ranking)["rosa1"][2] == before["p1"][2]


def test_before_any_game_it_is_saved_at_once(season: Season, desk: Client) -> None:
    stage = night(season, rounds=0)
    mine = entry(stage)
    address = f"/clubs/{season.club.slug}/desk/events/night-1/entries/{mine.public_id}/counts/"
    assert games_of_entry(mine) == []
    assert desk.post(address, {"guest": "on"}).status_code == 302
    mine.refresh_from_db()
    assert mine.guest


def test_the_page_tells_the_season_by_events_too_after_the_end(
    season: Season, desk: Client
) -> None:
    counting_change(season=season, actor=ACTOR, per="event")
    stage = night(season, rounds=3)
    stage_finish(stage=stage, actor=ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=ACTOR)
    mine = entry(stage)
    address = f"/clubs/{season.club.slug}/desk/events/night-1/entries/{mine.public_id}/counts/"
    fields = {"guest": "on", "reason": "A guest all evening."}
    response = desk.post(address, fields)
    effect = response.context["effect"]
    assert ("p1", None) in [(change.name, change.after) for change in effect.events]
    assert b"The season, counted by events" in response.content
    assert desk.post(address, {**fields, "sure": "yes"}).status_code == 302


def test_only_organisers_see_what_it_changes(season: Season, client: Client) -> None:
    stage = night(season)
    address = (
        f"/clubs/{season.club.slug}/desk/events/night-1/entries/{entry(stage).public_id}/counts/"
    )
    assert client.get(address).status_code == 302
    client.force_login(
        MembershipFactory.create(club=season.club, user=UserFactory.create(), role=Role.SCORER).user
    )
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("name", ["season-games", "season-seats", "season-handles"])
def test_the_queries_dont_grow_with_guests(season: Season, client: Client, name: str) -> None:
    address = reverse(name, args=[season.club.slug, season.slug])
    stage = night(season)
    counts = []
    for guests in (1, 3):
        for handle in [f"p{number}" for number in range(1, guests + 1)]:
            entry_change(entry=entry(stage, handle), guest=True, actor=ACTOR)
        counted(season.ranking)
        caches[RENDERINGS].clear()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
