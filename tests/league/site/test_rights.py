"""Who may open which page of a club's desk; for all others it doesn't exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from games.models import Game
from league.core.key.services.key import key_create
from league.core.log.services import Actor
from league.core.member.services.invitation import invitation_create
from league.events.helper.services import helper_add, helper_invite
from league.events.wall_list.services import claim_request_make
from league.models import Club, Entry, Event, HallPlace, Player, Role, Stage, Table, User
from league.stages.course.services.event import event_move
from league.urls import pages
from tests.database import lasting
from tests.factories import events, halls
from tests.factories.league import (
    ClubFactory,
    MembershipFactory,
    OperatorFactory,
    PlayerFactory,
    SeasonFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

EVERYBODY: Final = ("player", "scorer", "arbiter", "organiser", "operator")
ORGANISERS: Final = ("organiser", "operator")
ALLOWED: Final = {
    "desk": EVERYBODY,
    "desk-keys": EVERYBODY,
    "desk-seasons": ORGANISERS,
    "desk-season-new": ORGANISERS,
    "desk-all-time": ORGANISERS,
    "desk-season": ORGANISERS,
    "desk-season-link": ORGANISERS,
    "desk-season-counting": ORGANISERS,
    "desk-season-divisions": ORGANISERS,
    "desk-season-close": ORGANISERS,
    "desk-season-copy": ORGANISERS,
    "desk-series-new": ORGANISERS,
    "desk-events": ORGANISERS,
    "desk-event-new": ORGANISERS,
    "desk-imports": ORGANISERS,
    "desk-objections": ("arbiter", *ORGANISERS),
    "desk-calls": ("arbiter", *ORGANISERS),
    "desk-members": ORGANISERS,
    "desk-chat-reports": ORGANISERS,
    "desk-member": ORGANISERS,
    "desk-member-remove": ORGANISERS,
    "desk-invitation": ORGANISERS,
    "desk-key": ORGANISERS,
    "desk-club": ORGANISERS,
    "club-players": ORGANISERS,
    "club-player": ORGANISERS,
    "import": ORGANISERS,
    "club-log": ("arbiter", *ORGANISERS),
    "club-found": ("operator",),
    "password-link": ("operator",),
}
"""The pages by name, and who may open them. A key that somebody else made is for organisers."""
OF_THE_SERVICE: Final = ("club-found", "password-link")
"""The pages of no club."""
OF_A_SEASON: Final = [
    *(
        "desk-season",
        "desk-season-link",
        "desk-season-counting",
        "desk-season-divisions",
        "desk-season-close",
    ),
    *("desk-season-copy", "desk-series-new"),
]
"""The pages of one season."""
PARTS: Final = (
    *(
        "desk",
        "desk-seasons",
        "desk-events",
        "desk-imports",
        "club-players",
        "desk-members",
        "desk-keys",
    ),
    "desk-chat-reports",
    *("desk-objections", "desk-calls", "club-log"),
    "desk-club",
)
OF_AN_EVENT: Final = [
    page
    for page in pages
    if (page.name or "").startswith("desk") and "event_slug" in page.pattern.converters
]
"""The pages on which an event is run."""
PEOPLE: Final = ("anonymous", "stranger", *EVERYBODY)
HELPERS: Final = ("helping scorer", "helping organiser", "helping arbiter")
"""Roles for one event."""
ABSENT: Final = 6
"""So many of the pages of an event aren't there while it stands as it does here, for whomever."""


@dataclass(frozen=True)
class World:
    """A club and an event of it, with an address for each page of the desk, for each page of the
    event and of what belongs to it, and how the event's pages that are there answer who may open
    them."""

    club: Club
    night: Event
    addresses: dict[str, str]
    event_addresses: dict[str, str]
    there: dict[str, int]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with lasting(django_db_blocker):
        club = ClubFactory.create(slug="stern")
        addresses, night = desk_addresses(club), night_of(club)
        event_addresses = addresses_of(night)
        client = Client()
        be(client, club, "operator")
        there = {
            name: status
            for name, status in answers(client, event_addresses).items()
            if status != 404
        }
        yield World(club, night, addresses, event_addresses, there)


@pytest.fixture
def club(world: World) -> Club:
    return Club.objects.get(pk=world.club.pk)


@pytest.fixture
def addresses(world: World) -> dict[str, str]:
    return world.addresses


@pytest.fixture
def night(world: World) -> Event:
    return Event.objects.select_related("club", "season").get(pk=world.night.pk)


@pytest.fixture
def event_addresses(world: World) -> dict[str, str]:
    return world.event_addresses


def desk_addresses(club: Club) -> dict[str, str]:
    """An address for each page of a club's desk."""
    season = SeasonFactory.create(club=club)
    member: User = MembershipFactory.create(club=club).user
    player: Player = PlayerFactory.create(club=club)
    invitation, _ = invitation_create(
        club=club, email="new@example.org", role=Role.SCORER, invited_by=member
    )
    key, _ = key_create(club=club, user=member, label="tablet")
    further = {
        **dict.fromkeys([*OF_A_SEASON, "import"], season.slug),
        **dict.fromkeys(["desk-member", "desk-member-remove"], member.public_id),
        "desk-invitation": invitation.public_id,
        "desk-key": key.public_id,
        "club-player": player.public_id,
    }
    places = {
        name: [club.slug, *filter(None, [further.get(name)])]
        for name in ALLOWED
        if name not in OF_THE_SERVICE
    }
    return {name: reverse(name, args=places.get(name, [])) for name in ALLOWED}


def be(client: Client, club: Club, who: str, night: Event | None = None) -> None:
    """Sign in as somebody, as who helps at an event."""
    if who == "operator":
        client.force_login(OperatorFactory.create())
    elif who == "stranger":
        client.force_login(MembershipFactory.create().user)
    elif who in HELPERS:
        assert night is not None
        user = UserFactory.create()
        helper_add(
            event=night, user=user, role=Role(who.removeprefix("helping ")), actor=events.ACTOR
        )
        client.force_login(user)
    elif who != "anonymous":
        client.force_login(MembershipFactory.create(club=club, role=Role(who)).user)


def linked(html: str, addresses: dict[str, str]) -> set[str]:
    """The pages to which the navigation of a page leads."""
    bar = html[html.index('class="tabbar"') :]
    bar = bar[: bar.index("</nav>")]
    return {name for name, address in addresses.items() if f'href="{address}"' in bar}


@pytest.mark.parametrize("who", PEOPLE)
def test_each_page_is_there_for_those_who_may_open_it_and_the_navigation_leads_there(
    client: Client, club: Club, addresses: dict[str, str], who: str
) -> None:
    be(client, club, who)
    for name, address in addresses.items():
        wanted = 200 if who in ALLOWED[name] else 302 if who == "anonymous" else 404
        answer = client.get(address)
        assert answer.status_code == wanted, (who, name)
        if name == "desk" and wanted == 200:
            parts = {part for part in PARTS if who in ALLOWED[part]}
            assert linked(answer.content.decode(), addresses) == parts, "it leads nowhere else"
        if wanted == 404:
            assert client.post(address, {}).status_code in (404, 405), (who, name)


def test_every_page_of_the_desk_is_told_here() -> None:
    named = {
        page.name
        for page in pages
        if (page.name or "").startswith("desk") and page not in OF_AN_EVENT
    }
    assert named <= set(ALLOWED)


EVENT_PAGES: Final = {
    "desk-event": ("scorer", "arbiter", *ORGANISERS, *HELPERS),
    "desk-check-in": ("scorer", *ORGANISERS, "helping scorer", "helping organiser"),
    "desk-claims": ("scorer", *ORGANISERS, "helping scorer", "helping organiser"),
    "desk-claim-step": ("scorer", *ORGANISERS, "helping scorer", "helping organiser"),
    "desk-codes": ("scorer", *ORGANISERS, "helping scorer", "helping organiser"),
    "desk-event-objections": ("arbiter", *ORGANISERS, "helping arbiter", "helping organiser"),
    "desk-event-calls": ("arbiter", *ORGANISERS, "helping arbiter", "helping organiser"),
    "desk-event-again": ORGANISERS,
    "desk-stages-spread": ORGANISERS,
    "desk-helpers": ORGANISERS,
    "desk-helper-code": ORGANISERS,
    "desk-helper-uninvite": ORGANISERS,
    "desk-helper-end": ORGANISERS,
}
"""Who may open those pages of an event that aren't for organisers, of the club and of the event,
alone."""
OF_TABLES: Final = {
    "table-result": ("scorer", *ORGANISERS, "helping scorer", "helping organiser"),
    "table-walkover": (*ORGANISERS, "helping organiser"),
    "game-correct": ("arbiter", *ORGANISERS, "helping arbiter", "helping organiser"),
    "entry": ("scorer", *ORGANISERS, "helping scorer", "helping organiser"),
}
"""Who may open pages of what belongs to an event."""


def night_of(club: Club) -> Event:
    """An event of which a round is played and another drawn, in a season that members alone see."""
    season = SeasonFactory.create(
        club=club, slug="closed", visibility="members", scoring="placement"
    )
    night = events.event(season, status="running")
    events.enter(night, events.players(club, 8))
    first = events.drawn(events.stage(night))
    events.play(first)
    events.drawn(first.stage)
    return night


def addresses_of(night: Event) -> dict[str, str]:
    """An address for each page of an event, and of what belongs to it."""
    organiser: User = MembershipFactory.create(club=night.club).user
    invitation, _ = helper_invite(event=night, role=Role.SCORER, invited_by=organiser)
    helper = helper_add(
        event=night, user=UserFactory.create(), role=Role.SCORER, actor=events.ACTOR
    )
    slot = halls.hall(night)[0]
    entry = Entry.objects.filter(event=night).earliest("number")
    waiting = claim_request_make(entry=entry, user=None, key=str(uuid4()))
    given = {
        "club_slug": night.club.slug,
        "event_slug": night.slug,
        "stage": 1,
        "number": 2,
        "step": "cancel",
        "entry_id": entry.public_id,
        "slot_id": slot.public_id,
        "role": "scorer",
        "invitation_id": invitation.public_id,
        "user_id": helper.user.public_id,
        "request_id": waiting.public_id,
        "place_id": HallPlace.objects.filter(event=night).earliest("pk").public_id,
    }
    steps = {"desk-entry-step": "withdraw", "desk-check-in-step": "all"}
    addresses = {}
    for page in OF_AN_EVENT:
        name = page.name or ""
        parts = {**given, "step": steps.get(name, "cancel")}
        addresses[name] = reverse(
            name, kwargs={part: parts[part] for part in page.pattern.converters}
        )
    table = Table.objects.filter(stage_round__number=2).earliest("pk")
    game = Game.objects.filter(table_game__isnull=False).earliest("pk")
    belonging = {
        **dict.fromkeys(["table-result", "table-walkover"], table.public_id),
        "game-correct": game.public_id,
        "entry": entry.public_id,
    }
    return addresses | {name: reverse(name, args=[row]) for name, row in belonging.items()}


def allowed(name: str) -> tuple[str, ...]:
    """Who may open a page of an event."""
    return (OF_TABLES | EVENT_PAGES).get(name, (*ORGANISERS, "helping organiser"))


def answers(client: Client, addresses: dict[str, str]) -> dict[str, int]:
    """How each address answers who only looks."""
    return {name: client.get(address).status_code for name, address in addresses.items()}


@pytest.mark.parametrize("who", [*PEOPLE, *HELPERS])
def test_each_page_of_an_event_is_there_for_those_who_may_open_it(
    client: Client, club: Club, night: Event, world: World, who: str
) -> None:
    assert len(world.event_addresses) - len(world.there) <= ABSENT
    be(client, club, who, night)
    for name, status in world.there.items():
        address = world.event_addresses[name]
        if who in allowed(name):
            assert client.get(address).status_code == status, (who, name)
        elif who == "anonymous":
            assert client.get(address).status_code in (302, 405), name
        else:
            assert client.get(address).status_code in (404, 405), (who, name)
            assert client.post(address, {"do": "in", "role": "scorer"}).status_code in (404, 405), (
                who,
                name,
            )


@pytest.mark.parametrize("who", HELPERS)
def test_a_helper_opens_nothing_of_the_club_and_of_no_other_event(
    client: Client, club: Club, addresses: dict[str, str], event_addresses: dict[str, str], who: str
) -> None:
    other = events.event(
        SeasonFactory.create(club=club, slug="other"), slug="night-2", status="running"
    )
    be(client, club, who, other)
    assert set(answers(client, addresses).values()) == {404}
    assert set(answers(client, event_addresses).values()) <= {404, 405}
    assert client.get(reverse("event", args=[club.slug, "night-1"])).status_code == 404, (
        "members see its season"
    )
    html = client.get(reverse("desk-event", args=[club.slug, other.slug])).content.decode()
    assert 'class="tabbar"' not in html
    for name in ("desk", "desk-events"):
        assert f'href="{addresses[name]}"' not in html, "no crumb leads where nobody may go"


@pytest.mark.parametrize("who", HELPERS)
@pytest.mark.parametrize("status", ["finished", "cancelled"])
def test_a_role_for_an_event_ends_with_it(
    client: Client, club: Club, event_addresses: dict[str, str], night: Event, who: str, status: str
) -> None:
    be(client, club, who, night)
    Stage.objects.filter(event=night).update(status="finished")
    event_move(event=night, status=status, actor=events.ACTOR)
    assert set(answers(client, event_addresses).values()) <= {404, 405}
    event_move(event=night, status="running", actor=Actor(reason="once more"))
    open_to_each = {
        name: event_addresses[name] for name in ("desk-event", "desk-check-in", "game-correct")
    }
    assert set(answers(client, open_to_each).values()) == {404}, "it is given again, or not"


def test_a_key_is_its_makers_too(client: Client, club: Club) -> None:
    scorer = MembershipFactory.create(club=club, role=Role.SCORER).user
    key, _ = key_create(club=club, user=scorer, label="tablet")
    client.force_login(scorer)
    assert client.get(reverse("desk-key", args=["stern", key.public_id])).status_code == 200
