"""What pages say of a correction: by whom, when, why, and what it changed."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.disputes.correction.services import game_correct
from league.models import Club, Role, Season, User
from tests.factories.counted import add_games, count
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db

REASON = "Two hands <were> swapped."


@pytest.fixture
def season(club: Club) -> Season:
    made: Season = SeasonFactory.create(club=club, slug="autumn")
    add_games(made, [bluff_record(1, table="7")])
    return made


@pytest.fixture
def arbiter(club: Club) -> User:
    return MembershipFactory.create(
        club=club, user=UserFactory.create(username="arabella"), role=Role.ARBITER
    ).user


@pytest.fixture
def old(season: Season) -> Game:
    return Game.objects.get()


@pytest.fixture
def new(season: Season, old: Game, arbiter: User) -> Game:
    corrected = game_correct(
        game=old,
        line=line(bluff_record(9, id="game-1", table="7")),
        reason=REASON,
        entered_by_id=arbiter.pk,
    )
    count(season)
    return corrected


def shown(client: Client, name: str, *args: str) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_the_difference_is_shown_to_whoever_sees_the_game(
    client: Client, old: Game, new: Game
) -> None:
    html = shown(client, "game-difference", new.public_id)
    assert "Two hands &lt;were&gt; swapped." in html
    for game in (old, new):
        assert f'href="{reverse("game", args=[game.public_id])}"' in html
    assert "<del>" in html
    assert "<ins>" in html
    assert client.get(reverse("game-difference", args=[old.public_id])).status_code == 404


@pytest.mark.parametrize(
    ("role", "named"),
    [
        (None, False),
        (Role.PLAYER, False),
        (Role.SCORER, False),
        (Role.ARBITER, True),
        (Role.ORGANISER, True),
    ],
)
def test_who_corrected_is_named_to_those_who_may_read_the_log(
    client: Client, club: Club, old: Game, new: Game, role: Role | None, named: bool
) -> None:
    if role:
        client.force_login(MembershipFactory.create(club=club, role=role).user)
    for name, game in (("game", old), ("game", new), ("game-difference", new)):
        main = shown(client, name, game.public_id).split("<main")[1]
        assert (", by arabella" in main) == named
        assert (", Arbiter" in main) == (not named)


def test_both_revisions_say_why_and_lead_to_the_difference(
    client: Client, old: Game, new: Game
) -> None:
    for game, other in ((old, new), (new, old)):
        html = shown(client, "game", game.public_id)
        assert "Two hands &lt;were&gt; swapped." in html
        assert f'href="{reverse("game", args=[other.public_id])}"' in html
        assert f'href="{reverse("game-difference", args=[new.public_id])}"' in html


def test_lists_mark_a_corrected_game(client: Client, club: Club, season: Season, old: Game) -> None:
    pages = [
        ("season-games", [club.slug, season.slug]),
        ("season", [club.slug, season.slug]),
        ("home", []),
    ]
    for name, args in pages:
        assert "corrected" not in shown(client, name, *args).split("<main")[1]
    game_correct(game=old, line=line(bluff_record(9, id="game-1", table="7")), reason=REASON)
    count(season)
    for name, args in pages:
        assert "corrected" in shown(client, name, *args).split("<main")[1]


def test_the_log_leads_to_both_revisions_and_the_difference(
    client: Client, club: Club, arbiter: User, old: Game, new: Game
) -> None:
    client.force_login(arbiter)
    html = shown(client, "club-log", club.slug)
    for name, game in (("game", old), ("game", new), ("game-difference", new)):
        assert f'href="{reverse(name, args=[game.public_id])}"' in html


def test_who_left_the_club_is_a_former_member(
    client: Client, arbiter: User, old: Game, new: Game
) -> None:
    arbiter.memberships.all().delete()
    assert ", a former member" in shown(client, "game", new.public_id)
