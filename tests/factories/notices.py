"""Factories of notices: players with accounts, devices, and a log that is read."""

from typing import Any

from league.models import Club, Notice, Player, PushSubscription, User
from league.notices.notice.services.notice import notices_read
from tests.factories import events
from tests.factories.league import UserFactory


def with_account(player: Player, **fields: Any) -> User:
    """The account of a player, made and linked."""
    user: User = UserFactory.create(**fields)
    Player.objects.filter(pk=player.pk).update(user=user)
    player.refresh_from_db()
    return user


def people(club: Club, count: int) -> list[Player]:
    """So many players who have an account."""
    players = events.players(club, count)
    for player in players:
        with_account(player, username=f"account-{player.handle}")
    return players


def read(club: Club) -> list[Notice]:
    """All notices once the club's log is read, the first first."""
    notices_read(club_id=club.pk)
    return list(Notice.objects.order_by("position", "pk"))


def device(user: User, endpoint: str, p256dh: str = "key", auth: str = "auth") -> PushSubscription:
    """A device of an account, without asking where its push service is."""
    return PushSubscription.objects.create(user=user, endpoint=endpoint, p256dh=p256dh, auth=auth)
