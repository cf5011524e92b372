"""Pages that are rendered once for everybody, and parts of them that signed-in readers share: they
are what they would be anew, and hold nothing that only some may see."""

from __future__ import annotations

import gzip
import pickle
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.cache import caches
from django.core.signing import TimestampSigner
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from league.core.frame.rendering import RENDERINGS
from league.core.frame.unchanged import SAME_FOR_ALL
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.events.entry.services.entry import entry_withdraw
from league.events.event.services import event_change
from league.models import (
    Entry,
    Event,
    Format,
    Membership,
    OnlineSeat,
    OnlineTable,
    Player,
    Role,
    Season,
    Stage,
    StageRound,
    Table,
    User,
    Visibility,
)
from league.play.online_table.services.lobby import automatic_sit, online_table_open, table_start
from league.site.erasure.services.erasure import player_erase
from league.stages.course.services.event import event_move
from league.stages.round.services import round_publish, round_take_back
from league.standings.player.services import player_merge
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create, season_change
from league.standings.style.services import styles_read
from league.urls import pages
from tests.factories import events
from tests.factories.counted import add_games, bring, three_tables
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db

PUBLIC = [route for route in pages if hasattr(route.callback, SAME_FOR_ALL)]
CHANGING = (
    "season",
    "standing",
    "rank-days",
    "season-games",
    "event",
    "stage",
    "club",
    "player",
)
"""The pages that are looked at after whatever happens."""
LANGUAGES = [code for code, _ in settings.LANGUAGES]
LIVE_PART = {"HX-Request": "true", "HX-Target": "live"}
ACTOR = Actor(reason="test")
SECRETS = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture(autouse=True)
def _streams_have_the_same_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of a page's stream is signed anew each second."""
    monkeypatch.setattr(TimestampSigner, "timestamp", lambda self: "1")


@pytest.fixture
def organiser(season: Season) -> User:
    """An organiser of the club."""
    return MembershipFactory.create(club=season.club, role=Role.ORGANISER).user


@pytest.fixture
def night(season: Season) -> Event:
    """A running event with two rounds, the first of which was taken back, a knock-out, and games of
    its season."""
    add_games(season, three_tables(2))
    ranking_count(ranking_id=all_time_create(club=season.club, actor=ACTOR).ranking_id)
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, [*Player.objects.filter(club=season.club), *events.players(season.club, 2)])
    stage = events.stage(made)
    round_take_back(stage_round=events.drawn(stage), actor=ACTOR)
    events.drawn(stage)
    events.stage(made, start=False, format=Format.SINGLE, sizes=[2], rounds=None)
    return made


def addresses(night: Event) -> Iterator[str]:
    """All addresses of pages that are rendered once for everybody."""
    rounds = StageRound.objects.filter(stage__event=night).order_by("pk")
    values: dict[str, list[Any]] = {
        "club_slug": [night.club.slug],
        "event_slug": [night.slug],
        "season_slug": [night.season.slug, "all-time"],
        "stage": [1],
        "number": [1],
        "round_id": [row.public_id for row in rounds[:1]],
        "table_id": [Table.objects.filter(stage_round=rounds[1]).earliest("number").public_id],
        "game_id": [Game.objects.earliest("pk").public_id],
        "player_id": [Player.objects.get(handle="anna").public_id],
    }
    for route in PUBLIC:
        assert route.name
        names = list(route.pattern.converters)
        assert not set(names) - values.keys(), (
            f"{route.name}: say in `values` what stands in its address"
        )
        here = values | {"stage": [2]} if route.name == "bracket" else values
        if route.name == "online-table":
            here = values | {"table_id": [online_table(night).public_id]}
        for those in product(*[here[name] for name in names]):
            yield reverse(route.name, args=those)


def of_seasons(night: Event) -> list[str]:
    """The addresses of pages that whoever may not see the season may not see; the link of an online
    table opens it."""
    return [
        address
        for address in addresses(night)
        if "all-time" not in address
        and "/play/" not in address
        and resolve(address).url_name != "club"
    ]


def online_table(night: Event) -> OnlineTable:
    """A table at which automatic players go on once the host has bid; it is in play."""
    host = MembershipFactory.create(club=night.club, role=Role.SCORER).user
    settings = {"most_seats": 6, "move_seconds": 60, "bank_seconds": 60}
    rules = {"exact": "all", "reroll": True, "dice": 5, "scoring": "placement"}
    table = online_table_open(club=night.club, user=host, rules=rules, settings=settings)
    automatic_sit(table=table, strength="easy")
    return table_start(table=table)


def fresh_body(client: Client, address: str, **headers: str) -> bytes:
    """A page that nobody has rendered yet."""
    caches[RENDERINGS].clear()
    caches["drawn"].clear()
    return body(client, address, **headers)


def body(client: Client, address: str, **headers: str) -> bytes:
    """A page as it is sent, but for the secret of its forms."""
    answer = client.get(address, headers={"accept-encoding": "gzip", **headers})
    assert answer.status_code == 200, address
    return SECRETS.sub(b"", gzip.decompress(answer.content))


def keep(address: str, **headers: str) -> None:
    """Look twice: the second look learns what the page hangs on."""
    for _ in range(2):
        body(Client(), address, **headers)


def kept_text() -> str:
    """All that is kept for everybody, as one text."""
    renderings = (pickle.loads(row) for row in vars(caches[RENDERINGS])["_cache"].values())
    return "".join(gzip.decompress(row.body).decode() for row in renderings)


def test_a_page_that_is_kept_is_the_one_rendered_anew(
    night: Event, organiser: User, django_assert_max_num_queries: Queries
) -> None:
    """In each language, whole or the live part alone, whatever else the browser says of itself. A
    table's live page asks for its event, its sheets and the log's end; a player's page for the
    account, the club and the games at online tables."""
    signed_in = Client()
    signed_in.force_login(organiser)
    for address in addresses(night):
        for headers in [*[{"accept-language": language} for language in LANGUAGES], LIVE_PART]:
            fresh = fresh_body(Client(), address, **headers)
            body(Client(), address, **headers)
            most = 3 if resolve(address).url_name in ("table-live", "event-live", "player") else 2
            with django_assert_max_num_queries(most):
                assert (
                    body(Client(), address, **headers, **{"sec-ch-prefers-color-scheme": "dark"})
                    == fresh
                )
        own = body(signed_in, address)
        assert organiser.get_short_name().encode() in own
        assert own == fresh_body(signed_in, address)
        assert not kept_text()


def test_after_whatever_happens_it_is_the_one_rendered_anew(night: Event, season: Season) -> None:
    public_addresses = [
        reverse("home"),
        *(page for page in addresses(night) if resolve(page).url_name in CHANGING),
    ]
    stage = Stage.objects.get(event=night, number=1)
    entry = Entry.objects.filter(event=night).latest("pk")
    anna, ben = (Player.objects.get(handle=handle) for handle in ("anna", "ben"))
    newcomer = events.players(season.club, 1, "late")[0]
    steps: list[Callable[[], object]] = [
        lambda: add_games(season, three_tables(1, first=8)),
        lambda: events.play(StageRound.objects.latest("pk")),
        lambda: events.drawn(stage, publish=False),
        lambda: round_publish(stage_round=StageRound.objects.latest("pk"), actor=ACTOR),
        lambda: entry_withdraw(entry=entry, actor=ACTOR),
        lambda: player_merge(kept_player=ben, merged=newcomer, actor=ACTOR),
        lambda: player_erase(player=anna, actor=ACTOR),
        lambda: event_change(event=night, actor=Actor(reason="Rain"), venue="Next door"),
        lambda: season_change(season=season, actor=ACTOR, name="Another"),
    ]
    for address in public_addresses:
        keep(address)
    for step in steps:
        step()
        bodies = {address: body(Client(), address) for address in public_addresses}
        assert bodies == {address: fresh_body(Client(), address) for address in public_addresses}
        for address in public_addresses:
            body(Client(), address)


def test_what_ends_with_the_time_is_not_served_after_it(season: Season) -> None:
    soon = timezone.now() + timedelta(hours=1)
    add_games(season, three_tables(1))
    night = events.event(season, starts_at=soon, entries_until=soon)
    UserFactory.create()
    page = reverse("event", args=[season.club.slug, night.slug])
    around = [
        reverse("season", args=[season.club.slug, season.slug]),
        reverse("club", args=[season.club.slug]),
        reverse("home"),
    ]
    for address in (page, *around):
        keep(address)
    assert b"/enter/" in body(Client(), page)
    assert all(page.encode() in body(Client(), address) for address in around)
    with patch("django.utils.timezone.now", return_value=timezone.now() + timedelta(hours=14)):
        assert b"/enter/" not in body(Client(), page)
        assert all(page.encode() not in body(Client(), address) for address in around)


def test_online_tables_are_on_the_page_of_their_club_at_once(night: Event) -> None:
    address = reverse("club", args=[night.club.slug])
    keep(address)
    assert b"seats taken" not in body(Client(), address)
    table = online_table(night)
    OnlineTable.objects.filter(pk=table.pk).update(listed=True)
    assert b"2 of 6 seats taken" in body(Client(), address)
    keep(address)
    OnlineTable.objects.filter(pk=table.pk).update(status=OnlineTable.Status.OVER)
    assert b"seats taken" not in body(Client(), address)


def test_what_a_player_does_online_is_on_their_page_at_once(night: Event) -> None:
    """Neither the end of a friendly game nor a program's account is an entry of the club's log."""
    anna = Player.objects.get(handle="anna")
    account = UserFactory.create()
    Player.objects.filter(pk=anna.pk).update(user=account)
    table = online_table(night)
    OnlineSeat.objects.filter(table=table, number=0).update(player=anna)
    address = reverse("player", args=[anna.public_id])
    keep(address)
    assert b"Online: finished" not in body(Client(), address)
    OnlineTable.objects.filter(pk=table.pk).update(status=OnlineTable.Status.OVER)
    assert b"Online: finished 1 of 1" in body(Client(), address)
    keep(address)
    assert b"played by a program" not in body(Client(), address)
    User.objects.filter(pk=account.pk).update(is_program=True)
    assert b"played by a program" in body(Client(), address)


def test_styles_are_on_a_players_page_as_soon_as_they_are_read(night: Event) -> None:
    anna = Player.objects.get(handle="anna")
    address = reverse("player", args=[anna.public_id])
    bring(night.season, *three_tables(3, first=8))
    ranking_count(ranking_id=night.season.ranking_id)
    keep(address)
    before = body(Client(), address)
    styles_read(ranking_id=night.season.ranking_id)
    after = body(Client(), address)
    assert after != before
    assert after == fresh_body(Client(), address)


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("home", 1),
        ("season", 1),
        ("standing", 1),
        ("season-games", 1),
        ("game", 1),
        ("event", 1),
        ("stage", 1),
        ("club", 2),
        ("player", 3),
    ],
)
def test_a_page_that_is_kept_costs_few_queries(
    night: Event, name: str, queries: int, django_assert_num_queries: Queries
) -> None:
    address = next(address for address in addresses(night) if resolve(address).url_name == name)
    keep(address)
    with django_assert_num_queries(queries):
        answer = Client().get(address, headers={"accept-encoding": "gzip"})
    with django_assert_num_queries(queries):
        again = Client().get(
            address, headers={"accept-encoding": "gzip", "if-none-match": answer["ETag"]}
        )
    assert (answer.status_code, again.status_code, again.content) == (200, 304, b"")


def test_a_page_that_is_kept_is_served_before_anything_else_is_done(night: Event) -> None:
    """It has all the same what every answer has: an id in the log, and what browsers are told to
    keep to."""
    address = reverse("event", args=[night.club.slug, night.slug])
    keep(address)
    with patch.object(SessionMiddleware, "process_request", side_effect=AssertionError):
        answers = [Client().get(address, headers={"accept-encoding": "gzip"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    first, second = (dict(answer.headers) for answer in answers)
    assert first.pop("X-Request-Id") != second.pop("X-Request-Id")
    assert first == second
    assert first.keys() >= {
        "Content-Security-Policy",
        "X-Frame-Options",
        "X-Content-Type-Options",
        "Referrer-Policy",
    }


def test_a_page_is_kept_once_for_browsers_and_for_programs_that_unpack_nothing(
    night: Event, django_assert_num_queries: Queries
) -> None:
    """However large it is before it is compressed."""
    address = reverse("event", args=[night.club.slug, night.slug])
    with patch("league.core.frame.rendering.MOST_BYTES", 8 * 1024):
        keep(address)
        with django_assert_num_queries(1):
            plain = Client().get(address)
    assert len(plain.content) > 8 * 1024
    assert plain.content == body(Client(), address)
    assert "Content-Encoding" not in plain.headers
    assert plain["Content-Length"] == str(len(plain.content))
    assert "Accept-Encoding" in plain["Vary"]


def organiser_client(season: Season) -> Client:
    client = Client()
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
    return client


def member_client(season: Season) -> Client:
    client = Client()
    client.force_login(MembershipFactory.create(club=season.club, role=Role.SCORER).user)
    return client


def follower_client(season: Season) -> Client:
    client = Client()
    client.get(reverse("season", args=[season.club.slug, season.slug]), {"key": season.link_token})
    return client


@pytest.mark.parametrize(
    ("visibility", "who"),
    [
        (Visibility.MEMBERS, organiser_client),
        (Visibility.MEMBERS, member_client),
        (Visibility.LINK, organiser_client),
        (Visibility.LINK, follower_client),
    ],
)
def test_what_some_may_see_is_never_kept_for_everybody(
    night: Event, season: Season, visibility: str, who: Callable[[Season], Client]
) -> None:
    season_change(season=season, actor=ACTOR, visibility=visibility, name="Hidden league")
    season.refresh_from_db()
    reader = who(season)
    for address in of_seasons(night):
        assert reader.get(address).status_code == 200, address
        assert Client().get(address).status_code == (200 if address == "/" else 404), address
        assert Client().get(address, {"key": "guess"}).status_code == (
            200 if address == "/" else 404
        ), address
    keep("/")
    keep(reverse("club", args=[season.club.slug]))
    assert "Hidden league" not in kept_text()
    assert "Night-1" not in kept_text()


def test_nothing_of_an_organiser_stands_on_the_pages_of_everybody(
    night: Event, season: Season
) -> None:
    """Neither links to the desk nor a round that isn't published, whoever looks first."""
    stage = Stage.objects.get(event=night, number=1)
    events.play(StageRound.objects.latest("pk"))
    hidden = events.drawn(stage, publish=False)
    events.event(season, "secret-night", status=Event.Status.DRAFT, name="Secret night")
    organiser = organiser_client(season)
    round_address = reverse("stage-round", args=[season.club.slug, night.slug, 1, hidden.number])
    for address in addresses(night):
        organiser.get(address)
        keep(address)
        organiser.get(address)
    everybody = kept_text()
    assert not [
        word
        for word in ("/desk/", "/import/", "/enter/game", "Secret night", round_address)
        if word in everybody
    ]
    assert Client().get(round_address).status_code == 404
    assert (
        Client().get(reverse("event", args=[season.club.slug, "secret-night"])).status_code == 404
    )


def test_what_became_private_is_not_served_any_more(night: Event, season: Season) -> None:
    public_addresses = [address for address in of_seasons(night) if address != "/"]
    lists = ["/", reverse("club", args=[season.club.slug])]
    for address in (*lists, *public_addresses):
        keep(address)
    assert all(season.name in body(Client(), address).decode() for address in lists)
    season_change(season=season, actor=ACTOR, visibility=Visibility.MEMBERS)
    assert {Client().get(address).status_code for address in public_addresses} == {404}
    assert not [address for address in lists if season.name in body(Client(), address).decode()]


def test_an_event_that_nobody_was_told_of_in_the_end_is_not_served_any_more(season: Season) -> None:
    night = events.event(season)
    page = reverse("event", args=[season.club.slug, night.slug])
    keep(page)
    Event.objects.filter(pk=night.pk).update(opened=False)  # as a draft that is cancelled
    event_move(event=night, status=Event.Status.CANCELLED, actor=ACTOR)
    assert Client().get(page).status_code == 404


def test_a_page_for_everybody_has_no_form_with_a_secret_and_sets_no_cookie(night: Event) -> None:
    for address in addresses(night):
        client = Client()
        assert b"csrfmiddlewaretoken" not in client.get(address).content
        assert not client.cookies, address


def test_the_language_is_chosen_without_a_secret_and_then_all_pages_have_it(night: Event) -> None:
    client = Client(enforce_csrf_checks=True)
    page = reverse("event", args=[night.club.slug, night.slug])
    keep(page)
    assert (
        client.post(reverse("set_language"), {"language": "de", "next": page})["Location"] == page
    )
    assert b'<html lang="de">' in body(client, page)
    assert b'<html lang="en">' in body(Client(), page)


def member_named(name: str, night: Event) -> Client:
    """A browser in which a player of the club has signed in."""
    account = UserFactory.create(username=name, email=f"{name}@example.org")
    MembershipFactory.create(club=night.club, user=account, role=Role.PLAYER)
    client = Client()
    client.force_login(account)
    return client


def shared_text() -> str:
    """All parts that readers share, as one text."""
    return "".join(str(pickle.loads(row)) for row in vars(caches["drawn"])["_cache"].values())


def shared_addresses(night: Event) -> list[str]:
    """The addresses of pages with parts that signed-in readers share."""
    stages = ("stage", "stage-ranking", "stage-round", "stage-rounds", "bracket")
    names = ("home", "club", "season", "standing", "season-games", "player", "event", *stages)
    tables = Table.objects.filter(stage_round__stage__event=night).order_by("pk")
    return [
        *(address for address in addresses(night) if resolve(address).url_name in names),
        reverse("table", args=[tables.latest("pk").public_id]),
    ]


def test_a_reader_gets_shared_parts_as_they_would_be_anew(night: Event) -> None:
    renate, mehmet = member_named("renate", night), member_named("mehmet", night)
    for address in shared_addresses(night):
        for headers in [*[{"accept-language": language} for language in LANGUAGES], LIVE_PART]:
            fresh = fresh_body(mehmet, address, **headers)
            caches["drawn"].clear()
            body(renate, address, **headers)
            assert body(mehmet, address, **headers) == fresh


def test_nothing_of_one_reader_reaches_another(night: Event) -> None:
    """Neither the name of the account, nor the secret of its forms, nor a message, nor a seat."""
    renate, mehmet = member_named("renate", night), member_named("mehmet", night)
    seated = Player.objects.get(handle="anna")
    seated.user = User.objects.get(username="renate")
    seated.save()
    marks = ("renate", "csrfmiddlewaretoken", "My entry", "Your next table", 'id="own"')
    for address in shared_addresses(night):
        own = body(renate, address).decode()
        other = body(mehmet, address).decode()
        assert "renate" in own
        assert "mehmet" in other
        assert "renate" not in other
        assert not [mark for mark in (*marks, "mehmet") if mark in shared_text()], address
        assert set(SECRETS.findall(own.encode())).isdisjoint(SECRETS.findall(other.encode()))
    event_page = body(renate, reverse("event", args=[night.club.slug, night.slug])).decode()
    assert "Playing here? Tap your name" not in event_page


def test_a_reader_with_other_rights_gets_other_parts(night: Event, season: Season) -> None:
    """Whoever looked before, and as soon as a role has ended."""
    address = reverse("event", args=[night.club.slug, night.slug])
    organiser = member_named("chair", night)
    Membership.objects.filter(user__username="chair").update(role=Role.ORGANISER)
    player, outsider = member_named("renate", night), Client()
    outsider.force_login(UserFactory.create())
    for client in (organiser, player, outsider):
        assert client.get(address).status_code == 200
    season_change(season=season, actor=ACTOR, visibility=Visibility.MEMBERS)
    assert [client.get(address).status_code for client in (organiser, player, outsider)] == [
        200,
        200,
        404,
    ]
    Membership.objects.filter(user__username="renate").delete()
    assert player.get(address).status_code == 404


def test_a_link_to_what_members_see_is_on_no_other_readers_page(season: Season) -> None:
    """A player who has played only in a season for members has a page for them alone."""
    add_games(season, three_tables(1))
    season_change(season=season, actor=ACTOR, visibility=Visibility.MEMBERS)
    night = events.event(SeasonFactory.create(club=season.club), status=Event.Status.RUNNING)
    anna = Player.objects.get(handle="anna")
    events.enter(night, [anna])
    address = reverse("event", args=[season.club.slug, night.slug])
    link = reverse("player", args=[anna.public_id])
    member, outsider = member_named("renate", night), Client()
    outsider.force_login(UserFactory.create())
    for _ in range(2):
        assert link in body(member, address).decode()
        assert link not in body(outsider, address).decode()
        assert link not in body(Client(), address).decode()


def test_a_player_is_linked_as_soon_as_there_is_a_page_wherever_the_game_counts(
    night: Event, season: Season
) -> None:
    """The first game of a player of the stage may count in another season, some time later."""
    address = reverse("stage", args=[season.club.slug, night.slug, 1])
    events.play(StageRound.objects.latest("pk"))
    entry = Entry.objects.filter(event=night).select_related("player").latest("pk")
    link = reverse("player", args=[entry.player.public_id])
    other = SeasonFactory.create(club=season.club)
    bring(other, bluff_record(30, seats=[entry.player.handle, "ben"]))
    reader = member_named("renate", night)
    keep(address)
    assert link not in body(Client(), address).decode()
    assert link not in body(reader, address).decode()
    ranking_count(ranking_id=other.ranking_id)
    assert link in body(Client(), address).decode()
    assert link in body(reader, address).decode()


def test_an_erased_name_is_gone_from_shared_parts_at_once(night: Event) -> None:
    reader = member_named("renate", night)
    anna = Player.objects.get(handle="anna")
    Player.objects.filter(pk=anna.pk).update(name="Anna Anonymous")
    before = [
        address for address in shared_addresses(night) if b"Anna Anon" in body(reader, address)
    ]
    assert before
    player_erase(player=anna, actor=ACTOR)
    assert not [address for address in before if b"Anna Anon" in body(reader, address)]


def test_only_the_readers_own_row_is_marked(night: Event, season: Season) -> None:
    """On the page of the table where it stands; on the others it stands above the rest."""
    renate, mehmet, stranger = (
        member_named("renate", night),
        member_named("mehmet", night),
        Client(),
    )
    for handle, name in (("anna", "renate"), ("ben", "mehmet")):
        account = User.objects.get(username=name)
        Player.objects.filter(club=season.club, handle=handle).update(user=account)
    address = reverse("season", args=[season.club.slug, season.slug])
    for headers in ({}, LIVE_PART):
        for _ in range(2):
            assert own_rows_of(body(renate, address, **headers)) == ["anna"]
            assert own_rows_of(body(mehmet, address, **headers)) == ["ben"]
            assert own_rows_of(body(stranger, address, **headers)) == []
    with patch("league.standings.ranking.web.ranking.ROWS_PER_PAGE", 2):
        caches["drawn"].clear()
        pages = [f"{address}?page={number}" for number in (1, 2)]
        for _ in range(2):
            own = [own_rows_of(body(renate, page)) for page in pages]
            other = [own_rows_of(body(mehmet, page)) for page in pages]
            assert own == [["anna"]] * 2
            assert other == [["ben"]] * 2
            assert not [page for page in pages if b"Your place" in body(stranger, page)]


def own_rows_of(page: bytes) -> list[str]:
    """The handles of the players whose rows are marked as the reader's own."""
    names = re.findall(r'id="own">.*?class="row-link" href="players/(\w+)/"', page.decode())
    return [Player.objects.get(public_id=name).handle for name in names]


def test_who_may_do_more_finds_it_on_a_page_that_others_saw_first(
    night: Event, season: Season
) -> None:
    """And whoever may do less doesn't find it."""
    table = Table.objects.filter(stage_round__stage__event=night).latest("pk")
    events.play(table.stage_round)
    pages = {
        reverse("stage-round", args=[season.club.slug, night.slug, 1, 1]): "Correct…",
        reverse("club", args=[season.club.slug]): "Play online",
        reverse("season", args=[season.club.slug, season.slug]): "Import games",
        reverse("table", args=[table.public_id]): "Go to the dashboard",
    }
    organiser, player = organiser_client(season), Client()
    player.force_login(UserFactory.create())
    for address, link in pages.items():
        for reader, finds in ((player, False), (organiser, True), (Client(), False)) * 2:
            assert (link in body(reader, address).decode()) is finds


def test_a_player_at_the_table_alone_is_led_to_its_result(night: Event) -> None:
    Event.objects.filter(pk=night.pk).update(players_enter=True)
    table = Table.objects.filter(stage_round__stage__event=night).latest("pk")
    seated, other = member_named("renate", night), member_named("mehmet", night)
    entry = Entry.objects.filter(seats__table=table).earliest("pk")
    Player.objects.filter(pk=entry.player_id).update(user=User.objects.get(username="renate"))
    address = reverse("table", args=[table.public_id])
    for reader, finds in ((seated, True), (other, False), (Client(), False)) * 2:
        assert ("Enter a result" in body(reader, address).decode()) is finds


def test_seasons_for_members_are_on_a_players_page_for_members_alone(
    night: Event, season: Season
) -> None:
    add_games(
        SeasonFactory.create(club=season.club, name="Inner circle"), three_tables(1, first=20)
    )
    inner = Season.objects.get(name="Inner circle")
    season_change(season=inner, actor=ACTOR, visibility=Visibility.MEMBERS)
    anna = Player.objects.get(handle="anna")
    address = reverse("player", args=[anna.public_id])
    member, outsider = member_named("renate", night), Client()
    outsider.force_login(UserFactory.create())
    for reader, finds in ((member, True), (outsider, False), (Client(), False)) * 2:
        assert ("Inner circle" in body(reader, address).decode()) is finds


def test_what_changes_is_on_a_readers_pages_at_once(night: Event, season: Season) -> None:
    """The shared parts of all pages, after each change that could be forgotten in their keys."""
    reader = member_named("renate", night)
    stage = Stage.objects.get(event=night, number=1)
    entry = Entry.objects.filter(event=night).latest("pk")
    anna = Player.objects.get(handle="anna")
    all_pages = shared_addresses(night)
    steps: list[Callable[[], object]] = [
        lambda: add_games(season, three_tables(1, first=8)),
        lambda: events.play(StageRound.objects.latest("pk")),
        lambda: round_publish(stage_round=events.drawn(stage, publish=False), actor=ACTOR),
        lambda: entry_withdraw(entry=entry, actor=ACTOR),
        lambda: player_rename(player=anna, name="Anna the Second", actor=ACTOR),
        lambda: player_erase(player=anna, actor=ACTOR),
        lambda: event_change(event=night, actor=Actor(reason="Rain"), venue="Next door"),
        lambda: season_change(season=season, actor=ACTOR, name="Another"),
    ]
    for address in all_pages:
        body(reader, address)
    for step in steps:
        step()
        bodies = {address: body(reader, address) for address in all_pages}
        assert bodies == {address: fresh_body(reader, address) for address in all_pages}
        for address in all_pages:
            body(reader, address)


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("home", 9),
        ("season", 6),
        ("standing", 4),
        ("season-games", 3),
        ("club", 8),
        ("player", 6),
        ("event", 8),
        ("stage", 6),
        ("table", 8),
    ],
)
def test_the_second_reader_of_a_shared_part_costs_few_queries(
    night: Event, name: str, queries: int, django_assert_max_num_queries: Queries
) -> None:
    pages = shared_addresses(night)
    address = next(address for address in pages if resolve(address).url_name == name)
    renate, mehmet = member_named("renate", night), member_named("mehmet", night)
    body(renate, address)
    with django_assert_max_num_queries(queries):
        body(mehmet, address)
