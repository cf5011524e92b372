"""Who may open which page of a club's desk; for all others it doesn't exist."""

from __future__ import annotations

from typing import Final

import pytest
from django.test import Client
from django.urls import reverse

from league.clubs.services.invitation import invitation_create
from league.clubs.services.key import key_create
from league.models import Club, Player, Role, User
from league.site.web.urls import pages
from tests.factories import events
from tests.factories.league import ClubFactory, MembershipFactory, PlayerFactory, SeasonFactory, UserFactory

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
    "desk-members": ORGANISERS,
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
    *("desk-season", "desk-season-link", "desk-season-counting", "desk-season-divisions", "desk-season-close"),
    *("desk-season-copy", "desk-series-new"),
]
"""The pages of one season."""
PARTS: Final = (
    *("desk", "desk-seasons", "desk-events", "desk-imports", "club-players", "desk-members", "desk-keys", "club-log"),
    "desk-club",
)  # fmt: skip
OF_AN_EVENT: Final = [
    page for page in pages if (page.name or "").startswith("desk") and "event_slug" in page.pattern.converters
]
"""The pages on which an event is run."""
PEOPLE: Final = ("anonymous", "stranger", *EVERYBODY)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="stern")


@pytest.fixture
def addresses(club: Club) -> dict[str, str]:
    """An address for each page."""
    season = SeasonFactory.create(club=club)
    member: User = MembershipFactory.create(club=club).user
    player: Player = PlayerFactory.create(club=club)
    invitation, _ = invitation_create(club=club, email="new@example.org", role=Role.SCORER, invited_by=member)
    key, _ = key_create(club=club, user=member, label="tablet")
    further = {
        **dict.fromkeys([*OF_A_SEASON, "import"], season.slug),
        **dict.fromkeys(["desk-member", "desk-member-remove"], member.public_id),
        "desk-invitation": invitation.public_id,
        "desk-key": key.public_id,
        "club-player": player.public_id,
    }
    places = {name: [club.slug, *filter(None, [further.get(name)])] for name in ALLOWED if name not in OF_THE_SERVICE}
    return {name: reverse(name, args=places.get(name, [])) for name in ALLOWED}


def be(client: Client, club: Club, who: str) -> None:
    """Sign in as somebody."""
    if who == "operator":
        client.force_login(UserFactory.create(is_superuser=True))
    elif who == "stranger":
        client.force_login(MembershipFactory.create().user)
    elif who != "anonymous":
        client.force_login(MembershipFactory.create(club=club, role=Role(who)).user)


@pytest.mark.parametrize("who", PEOPLE)
def test_each_page_is_there_for_those_who_may_open_it(
    client: Client, club: Club, addresses: dict[str, str], who: str
) -> None:
    be(client, club, who)
    for name, address in addresses.items():
        wanted = 200 if who in ALLOWED[name] else 302 if who == "anonymous" else 404
        assert client.get(address).status_code == wanted, (who, name)
        if wanted == 404:
            assert client.post(address, {}).status_code in (404, 405), (who, name)


def test_every_page_of_the_desk_is_told_here() -> None:
    named = {page.name for page in pages if (page.name or "").startswith("desk") and page not in OF_AN_EVENT}
    assert named <= set(ALLOWED)


@pytest.mark.parametrize("who", ["anonymous", "stranger", "player", "scorer", "arbiter"])
def test_the_pages_on_which_an_event_is_run_are_for_organisers(client: Client, club: Club, who: str) -> None:
    night = events.event(SeasonFactory.create(club=club), status="running")
    entries = events.enter(night, events.players(club, 8))
    events.drawn(events.stage(night))
    be(client, club, who)
    parts = {"club_slug": club.slug, "event_slug": night.slug, "stage": 1, "number": 1, "step": "start"}
    for page in OF_AN_EVENT:
        given = {name: parts.get(name, entries[0].public_id) for name in page.pattern.converters}
        assert client.get(reverse(page.name, kwargs=given)).status_code in (302, 403, 404, 405), page.name


@pytest.mark.parametrize("who", EVERYBODY)
def test_the_navigation_leads_where_one_may_go_and_nowhere_else(
    client: Client, club: Club, addresses: dict[str, str], who: str
) -> None:
    be(client, club, who)
    html = client.get(addresses["desk"]).content.decode()
    bar = html[html.index('class="tabbar"') :]
    linked = {name for name, address in addresses.items() if f'href="{address}"' in bar[: bar.index("</nav>")]}
    assert linked == {name for name in PARTS if who in ALLOWED[name]}


def test_a_key_is_its_makers_too(client: Client, club: Club) -> None:
    scorer = MembershipFactory.create(club=club, role=Role.SCORER).user
    key, _ = key_create(club=club, user=scorer, label="tablet")
    client.force_login(scorer)
    assert client.get(reverse("desk-key", args=["stern", key.public_id])).status_code == 200
