"""What members find on the first page after signing in."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.disputes.correction.services import game_correct
from league.events.event.queries.access import rights_of
from league.models import Club, Role, Season, SetAside
from league.records.upload.services import import_job_create, import_job_preview
from league.site.home.queries import LISTED, work_of
from league.stages.result.services.void import game_void_add
from tests.factories.counted import add_games, count
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club: Club) -> Season:
    """A season that runs, with a game, a correction, a file that waits and an entry that couldn't
    be counted."""
    made: Season = SeasonFactory.create(
        club=club,
        slug="running",
        name="Running",
        starts_on=timezone.localdate() - timedelta(days=9),
    )
    add_games(made, [bluff_record(1), bluff_record(2)])
    game = Game.objects.get(external_id="game-1")
    game_correct(game=game, line=line(bluff_record(9, id="game-1")), reason="Why not.")
    count(made)
    SetAside.objects.create(
        club=club, reader="count/x", position=4, error="broken", due_at=timezone.now()
    )
    job = import_job_create(
        season=made,
        uploaded_by=UserFactory.create(),
        file_name="evening.jsonl",
        content=line(bluff_record(3)),
        create_players=True,
        all_or_nothing=False,
    )
    import_job_preview(job_id=job.pk)
    return made


def first_page(client: Client, club: Club, role: Role | None) -> str:
    client.force_login(
        MembershipFactory.create(club=club, role=role).user if role else UserFactory.create()
    )
    return " ".join(client.get(reverse("home")).content.decode().split()).split("<main")[1]


PARTS = {
    "Enter games": (Role.SCORER, Role.ORGANISER),
    "Upload a file": (Role.ORGANISER,),
    "evening.jsonl": (Role.ORGANISER,),
    "Latest games to check": (Role.ARBITER, Role.ORGANISER),
    "Why not.": (Role.ARBITER, Role.ORGANISER),
    "Entry 4 of the log": (Role.ARBITER, Role.ORGANISER),
}


@pytest.mark.parametrize("role", [None, *Role])
def test_everybody_finds_the_work_of_their_role(
    client: Client, season: Season, role: Role | None
) -> None:
    html = first_page(client, season.club, role)
    assert {part for part in PARTS if part in html} == {
        part for part, roles in PARTS.items() if role in roles
    }
    assert ("Your work" in html) == (role in (Role.SCORER, Role.ARBITER, Role.ORGANISER))


def test_nobody_sees_the_work_of_another_club(client: Client, season: Season) -> None:
    html = first_page(client, ClubFactory.create(), Role.ORGANISER)
    assert not [part for part in PARTS if part in html]
    assert "Your work" not in " ".join(Client().get(reverse("home")).content.decode().split())


def test_what_is_listed_can_be_opened_by_who_finds_it(client: Client, season: Season) -> None:
    for role in (Role.SCORER, Role.ARBITER, Role.ORGANISER):
        html = first_page(client, season.club, role).split("Latest tables")[0]
        links = {part.split('"')[0].split("#")[0] for part in html.split('href="')[1:]}
        assert {
            client.get(link, follow=True).status_code
            for link in links
            if not link.startswith("/docs/correct")
        } == {200}


def test_games_still_come_in_for_some_time_after_a_season(club: Club) -> None:
    member = MembershipFactory.create(club=club, role=Role.SCORER).user
    today = timezone.localdate()
    for slug, start, end in (
        ("over", 90, 40),
        ("late", 60, 20),
        ("runs", 9, -9),
        ("comes", -5, -50),
    ):
        SeasonFactory.create(
            club=club,
            slug=slug,
            starts_on=today - timedelta(days=start),
            ends_on=today - timedelta(days=end),
        )
    work = work_of(rights_of(Viewer(member)))
    assert work
    assert [one.season.slug for one in work.seasons] == ["runs", "late"]


def test_a_season_begins_with_the_day_of_its_club() -> None:
    moment = timezone.now()
    member = None
    for name in (
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
    ):  # 25 hours apart, so that they never have one day
        club = ClubFactory.create(timezone=name)
        member = MembershipFactory.create(
            club=club, role=Role.SCORER, **({"user": member} if member else {})
        ).user
        SeasonFactory.create(
            club=club,
            slug=name[8:12].lower(),
            starts_on=timezone.localdate(moment, ZoneInfo("Pacific/Kiritimati")),
        )
    assert member
    work = work_of(rights_of(Viewer(member)))
    assert work
    assert [one.season.slug for one in work.seasons] == ["kiri"]


@pytest.mark.parametrize("more", [0, 3])
def test_eight_queries_whatever_waits(
    season: Season, more: int, django_assert_max_num_queries: Queries
) -> None:
    member = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    for number in range(more):
        club = MembershipFactory.create(user=member, role=Role.ARBITER).club
        SeasonFactory.create(club=club, slug=f"other-{number}", starts_on=timezone.localdate())
    add_games(season, [bluff_record(seed) for seed in range(10, 10 + 3 * more)])
    with django_assert_max_num_queries(8):
        work = work_of(rights_of(Viewer(member)))
    assert work
    assert len(work.games) == min(LISTED, 2 + 3 * more)


def test_a_void_game_says_so_in_the_list(client: Client, club: Club, season: Season) -> None:
    game_void_add(game=Game.objects.get(external_id="game-2"), actor=Actor(reason="Practice."))
    count(season)
    assert "· void" in first_page(client, club, Role.ARBITER)
