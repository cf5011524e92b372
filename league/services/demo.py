"""The demo: a club, four accounts and a season of 180 games, imported like anybody's."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

from django.db import transaction

from league.models import Club, Membership, Player, Role, Season, User
from league.services.importing import Report, file_import

SEASON_FILE = Path(__file__).parent.parent / "data" / "herbstliga-2026.jsonl.gz"
PASSWORD = "hoch-die-becher"  # noqa: S105  the demo's, printed when it starts; `make demo` serves this machine alone
ABOUT = (
    "Four tables, a box of yellow dice and no mercy for bad bluffs. The players are simulated; the games are real to "
    "the last die."
)


class Login(NamedTuple):
    """An account of the demo, to be shown on the terminal."""

    role: str
    email: str
    password: str


ACCOUNTS = (
    ("admin", "admin@example.org", None),
    ("organiser", "organiser@example.org", Role.ORGANISER),
    ("scorer", "scorer@example.org", Role.SCORER),
    ("arbiter", "arbiter@example.org", Role.ARBITER),
)


def demo_create() -> list[Login]:
    """Create the club, its accounts and its season, where they aren't there yet; returns the logins."""
    with transaction.atomic():
        club, _ = Club.objects.get_or_create(
            slug="becherkeller",
            defaults={"name": "Becherkeller", "about": ABOUT, "timezone": "Europe/Berlin"},
        )
        Season.objects.get_or_create(
            club=club,
            slug="herbstliga-2026",
            defaults={
                "name": "Herbstliga 2026",
                "starts_on": date(2026, 9, 3),
                "ends_on": date(2026, 11, 10),
                "rules": {"exact": "all", "dice": 5, "scoring": "cntdice"},
            },
        )
        for name, email, role in ACCOUNTS:
            user = User.objects.filter(username=name).first()
            if user is None:
                user = User.objects.create_user(name, email, PASSWORD, is_staff=role is None, is_superuser=role is None)
            if role:
                Membership.objects.get_or_create(club=club, user=user, role=role)
    return [Login(name, email, PASSWORD) for name, email, _ in ACCOUNTS]


def demo_import() -> Report:
    """Import the demo's season; what is there already stays as it is. New players get their handle as a name."""
    season = Season.objects.select_related("club").get(club__slug="becherkeller", slug="herbstliga-2026")
    with SEASON_FILE.open("rb") as stream:
        report = file_import(stream=stream, season=season, entered_by=User.objects.get(username="organiser"))
    for player in Player.objects.filter(club=season.club, handle__in=report.new_players):
        Player.objects.filter(pk=player.pk, name=player.handle).update(name=player.handle.capitalize())
    return report
