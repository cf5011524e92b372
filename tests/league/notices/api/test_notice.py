"""What an account is told, by program."""

import pytest

from league.models import Club, Notice, Player, Role, User
from league.notices.notice.services.notice import notices_read
from tests.factories import events
from tests.factories.league import ClubFactory, SeasonFactory, UserFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.floor.api.test_organising import faults, good

pytestmark = pytest.mark.django_db

NOTICES = "/clubs/stern/notices/"
SEEN = f"{NOTICES}seen/"


@pytest.fixture
def account() -> User:
    user: User = UserFactory.create()
    return user


@pytest.fixture
def anna(club: Club, account: User) -> Ask:
    """Ask as Anna, whose place in three events of the club, and in one elsewhere, she was told
    of."""
    elsewhere = SeasonFactory.create(
        club=ClubFactory.create(slug="krone"), slug="winter", scoring="placement"
    )
    seasons = [SeasonFactory.create(club=club, slug="autumn", scoring="placement"), elsewhere]
    for season, slugs in zip(
        seasons, (("night-1", "night-2", "night-3"), ("far-away",)), strict=True
    ):
        player = Player.objects.create(club=season.club, handle="anna", name="Anna", user=account)
        for slug in slugs:
            events.enter(events.event(season, slug), [player], check_in=False)
        notices_read(club_id=season.club_id)
    return asker(member_key(club, Role.PLAYER, user=account)[0])


def test_notices_come_in_english_the_latest_first_and_only_those_of_the_club(
    anna: Ask, account: User
) -> None:
    found = good(anna(NOTICES, **{"Accept-Language": "de"}))
    assert found["count"] == 3
    latest = found["results"][0]
    assert latest["title"].startswith("You have a place: ")
    assert latest["event"] == "/api/v1/clubs/stern/events/night-3/"
    assert latest["page"] == "/clubs/stern/events/night-3/"
    assert (latest["occasion"], latest["seen_at"]) == ("entered", None)
    second = good(anna(f"{NOTICES}?page=2&page_size=2"))["results"]
    assert [row["event"] for row in second] == ["/api/v1/clubs/stern/events/night-1/"]


def test_they_are_seen_one_by_one_or_all_of_the_club(anna: Ask, account: User) -> None:
    one = good(anna(NOTICES))["results"][0]["id"]
    assert good(anna(SEEN, {"notices": [one]})) == {"seen": 1}
    assert good(anna(SEEN, {"notices": [one]})) == {"seen": 0}
    assert good(anna(NOTICES))["results"][0]["seen_at"] is not None
    assert good(anna(SEEN, {})) == {"seen": 2}
    account.refresh_from_db()
    assert account.unseen == 1
    assert Notice.objects.get(seen_at=None).club.slug == "krone"


def test_nobody_sees_or_marks_those_of_others(anna: Ask, club: Club, look: Ask) -> None:
    one = good(anna(NOTICES))["results"][0]["id"]
    other = asker(member_key(club, Role.ORGANISER)[0])
    assert good(other(NOTICES))["results"] == []
    assert good(other(SEEN, {"notices": [one]})) == {"seen": 0}
    assert good(other(SEEN, {})) == {"seen": 0}
    assert Notice.objects.filter(seen_at=None).count() == 4
    foreign = asker(member_key(ClubFactory.create(), Role.ORGANISER)[0])
    for ask, code in ((look, 401), (foreign, 403)):
        assert code_of(ask(NOTICES))[0] == code
        assert code_of(ask(SEEN, {}))[0] == code
    assert code_of(anna("/clubs/nowhere/notices/")) == (404, "not_found")


@pytest.mark.parametrize(
    "said", [{"notices": []}, {"notices": "all"}, {"all": True}, {"notices": ["x" * 99]}]
)
def test_a_body_that_says_something_else_is_refused(anna: Ask, said: dict[str, object]) -> None:
    assert faults(anna(SEEN, said))
    assert Notice.objects.filter(seen_at=None).count() == 4
