"""An answer is sent again when anything that it depends on has changed, and only then."""

from collections.abc import Callable
from unittest.mock import patch

import pytest
from django.contrib.messages import add_message, constants
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.backends.db import SessionStore
from django.db.models.functions import Now
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.club.services import club_change
from league.core.frame import unchanged
from league.core.frame.unchanged import release_digest, unless_unchanged
from league.core.log.services import Actor
from league.core.member.services.member import member_add, member_change
from league.core.player.services.player import player_rename
from league.models import Membership, Player, Role, Season, SetAside, User, Visibility
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_link, player_merge
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import season_change
from league.standings.style import services as style
from league.standings.style.services import styles_read
from tests.factories.counted import add_games, bring, counted_season, three_tables
from tests.factories.league import MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db

PAGES = ("", "table.csv", "games/", "heads.txt", "players/{anna}/", "styles/")
LISTS = ("standings/", "ratings/", "heads/", "styles/", "games.ndjson")
Change = Callable[[Client, Season], object]


def named(handle: str) -> Player:
    return Player.objects.get(handle=handle)


def member(season: Season) -> Membership:
    return Membership.objects.get(club=season.club, role=Role.ARBITER)


def sign_in_again(client: Client, season: Season) -> None:
    client.force_login(UserFactory.create())


def call_otherwise(client: Client, season: Season) -> None:
    User.objects.filter(memberships__club=season.club).update(first_name="Renamed")


def make_superuser(client: Client, season: Season) -> None:
    User.objects.filter(memberships__club=season.club).update(is_superuser=True)


def take_role(client: Client, season: Season) -> None:
    member_change(club=season.club, user=member(season).user, roles=[], actor=Actor())


CHANGES: dict[str, Change] = {
    "a result is counted": lambda client, season: add_games(season, three_tables(1, first=7)),
    "a player is renamed": lambda client, season: player_rename(
        player=named("anna"), actor=Actor(), name="Annika"
    ),
    "two are merged": lambda client, season: player_merge(
        kept_player=named("ben"), merged=named("elif"), actor=Actor()
    ),
    "a player is erased": lambda client, season: player_erase(player=named("ben"), actor=Actor()),
    "a player gets an account": lambda client, season: player_link(
        player=named("anna"), account=member(season).user, actor=Actor()
    ),
    "the season is renamed": lambda client, season: season_change(
        season=season, actor=Actor(), name="Another"
    ),
    "the season is for members": lambda client, season: season_change(
        season=season, actor=Actor(), visibility=Visibility.MEMBERS
    ),
    "the tie-breaks are others": lambda client, season: season_change(
        season=season, actor=Actor(), tie_breaks=["wins", "points"]
    ),
    "the club is renamed": lambda client, season: club_change(
        club=season.club, actor=Actor(), name="Another"
    ),
    "the reader gets a role": lambda client, season: member_add(
        club=season.club, user=member(season).user, role=Role.ORGANISER, actor=Actor()
    ),
    "the reader loses the role": take_role,
    "the reader is called otherwise": call_otherwise,
    "the reader becomes superuser": make_superuser,
    "the reader signs out": lambda client, season: client.logout(),
    "somebody else signs in": sign_in_again,
}


def addresses(season: Season) -> list[str]:
    """All that answers 304: the pages of a ranking and of a player, and what the API tells of the
    ranking."""
    page = reverse("season", args=[season.club.slug, season.slug])
    api = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/"
    anna = named("anna").public_id
    below = [page + below.format(anna=anna) for below in PAGES]
    return [*below, reverse("player", args=[anna]), *(api + below for below in LISTS)]


def tags_of(client: Client, season: Season) -> dict[str, str]:
    """The ETags of all that the reader may see of it. The first page sets cookies, which are the
    reader's from then on."""
    client.get(addresses(season)[0])
    answers = {address: client.get(address) for address in addresses(season)}
    return {
        address: answer["ETag"] for address, answer in answers.items() if answer.status_code == 200
    }


def statuses(client: Client, tags: dict[str, str], **headers: str) -> set[int]:
    return {
        client.get(address, headers={"if-none-match": tag, **headers}).status_code
        for address, tag in tags.items()
    }


@pytest.fixture
def season(client: Client) -> Season:
    """A season with games, and its reader: an arbiter of the club, signed in."""
    season = counted_season(3)
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ARBITER).user)
    return season


def test_what_has_not_changed_is_not_sent_again(client: Client, season: Season) -> None:
    tags = tags_of(client, season)
    assert list(tags) == addresses(season)
    assert all(tag.startswith('W/"') for tag in tags.values())
    assert statuses(client, tags) == {304}
    assert 304 not in statuses(Client(), tags), "another reader has other rights"
    assert statuses(Client(), tags_of(Client(), season)) == {304}, (
        "who isn't signed in sees what everybody sees"
    )


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_of_what_an_answer_shows_is_sent(
    client: Client, season: Season, change: Change
) -> None:
    tags = tags_of(client, season)
    change(client, season)
    assert 304 not in statuses(client, tags)


def with_styles(tags: dict[str, str]) -> dict[str, str]:
    """Those that show how players play."""
    return {
        address: tag
        for address, tag in tags.items()
        if "/styles/" in address or address.startswith("/players/")
    }


def test_what_the_job_adds_to_the_styles_is_sent_where_it_is_shown(
    client: Client, season: Season
) -> None:
    bring(season, *three_tables(1, first=7))
    ranking_count(ranking_id=season.ranking_id)
    tags = tags_of(client, season)
    styled = with_styles(tags)
    assert len(styled) == 3
    styles_read(ranking_id=season.ranking_id)
    assert statuses(client, styled) == {200}
    assert statuses(
        client, {address: tag for address, tag in tags.items() if address not in styled}
    ) == {304}


def test_a_game_whose_style_was_set_aside_is_sent_once_it_is_added(
    client: Client, season: Season
) -> None:
    bring(season, *three_tables(1, first=7))
    ranking_count(ranking_id=season.ranking_id)
    with patch.object(style, "analysed", side_effect=ValueError):
        styles_read(ranking_id=season.ranking_id)
    styled = with_styles(tags_of(client, season))
    SetAside.objects.update(due_at=Now())
    styles_read(ranking_id=season.ranking_id)
    assert not SetAside.objects.exists()
    assert statuses(client, styled) == {200}


def test_a_season_that_the_reader_may_see_from_now_on_changes_the_players_page(
    client: Client, season: Season
) -> None:
    client.logout()
    counted_season(
        three_tables(1, first=9),
        club=season.club,
        visibility=Visibility.LINK,
        link_token="opensesame",
    )
    page = reverse("player", args=[named("anna").public_id])
    client.get(page)
    tag = client.get(page)["ETag"]
    assert statuses(client, {page: tag}) == {304}
    client.get(f"{page}?key=opensesame")
    assert statuses(client, {page: tag}) == {200}


@pytest.mark.parametrize(("page", "queries"), [("player", 6), ("styles", 4)])
def test_an_unchanged_page_costs_few_queries(
    client: Client, season: Season, page: str, queries: int, django_assert_num_queries: Queries
) -> None:
    address = next(
        address for address in with_styles(tags_of(client, season)) if f"/{page}" in address
    )
    tag = client.get(address)["ETag"]
    with django_assert_num_queries(
        queries
    ):  # session, account; player, club, seasons, online games; or ranking, role
        assert client.get(address, headers={"if-none-match": tag}).status_code == 304


def test_signing_in_is_a_change(client: Client, season: Season) -> None:
    client.logout()
    tags = tags_of(client, season)
    assert statuses(client, tags) == {304}
    client.force_login(member(season).user)
    assert statuses(client, tags) == {200}


def test_another_language_is_another_page(client: Client, season: Season) -> None:
    tags = {
        address: tag
        for address, tag in tags_of(client, season).items()
        if not address.startswith("/api/")
    }
    assert statuses(client, tags, **{"accept-language": "de"}) == {200}


def test_another_query_is_another_answer(client: Client, season: Season) -> None:
    for address, tag in tags_of(client, season).items():
        assert (
            client.get(f"{address}?key=another", headers={"if-none-match": tag}).status_code == 200
        )


def test_another_release_is_a_change(
    client: Client, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    tags = tags_of(client, season)
    monkeypatch.setattr(unchanged, "release_digest", lambda: "the next one")
    assert statuses(client, tags) == {200}


def test_the_release_changes_with_any_file_that_is_shipped(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    def release_with(words: str) -> str:
        root = tmp_path_factory.mktemp("release")
        (root / "templates").mkdir()
        (root / "templates" / "base.html").write_text(words)
        with override_settings(BASE_DIR=root):
            return release_digest.__wrapped__()

    assert release_with("one") == release_with("one") != release_with("two")


def test_a_message_to_the_reader_is_sent_and_not_kept() -> None:
    request = RequestFactory().get("/")
    request.session, request.user = SessionStore(), UserFactory.create()
    MessageMiddleware(lambda request: HttpResponse()).process_request(request)
    tag = unless_unchanged(request, [1], HttpResponse)["ETag"]
    request.META["HTTP_IF_NONE_MATCH"] = tag
    assert unless_unchanged(request, [1], HttpResponse).status_code == 304
    add_message(request, constants.INFO, "Imported.")
    answer = unless_unchanged(request, [1], HttpResponse)
    assert (answer.status_code, answer.has_header("ETag")) == (200, False)


def test_only_what_holds_nothing_of_the_reader_may_be_kept_for_others(
    client: Client, season: Season
) -> None:
    page, csv, *_, api = addresses(season)
    assert {client.get(address)["Cache-Control"] for address in (page, csv, api)} == {
        "private, no-cache"
    }
    stranger = Client()
    assert [stranger.get(address)["Cache-Control"] for address in (csv, api, page)] == [
        "public, no-cache",
        "public, no-cache",
        "public, no-cache",
    ]
    assert Client().get(f"{csv}?key=nothing")["Cache-Control"] == "private, no-cache"


def test_caches_keep_what_readers_see_apart(client: Client, season: Season) -> None:
    for address in addresses(season):
        parted = {name.strip() for name in client.get(address)["Vary"].split(",")}
        assert {"Cookie", "Accept-Language", "HX-Request"} <= parted
