"""The demo: a club, four accounts and two seasons of simulated games, imported like any others."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import translation
from django.utils.translation import get_language, gettext_lazy

from games.models.game import Kind
from league.core.account.models import User
from league.core.club.models import Club
from league.core.club.services import club_create
from league.core.log.services import Actor
from league.core.member.services.member import member_add
from league.core.player.models import Player
from league.core.player.services.player import player_rename
from league.demo.accounts import ACCOUNTS, demo_password, demo_passwords_set
from league.demo.events import demo_events
from league.demo.online import demo_online_tables
from league.demo.table import demo_table_make
from league.languages import ENGLISH
from league.records.file.services import file_import
from league.standings.season.models import Notes, Season
from league.standings.season.services.season import all_time_create, season_create

FILES = Path(__file__).parent.parent / "data"
CLUB = "becherkeller"
DEMO = Actor(reason="demo")
ABOUT = gettext_lazy(
    "Four tables, a box of yellow dice and no mercy for bad bluffs. The players are simulated; the "
    "games are real to the last die."
)


SEASONS: tuple[dict[str, Any], ...] = (
    {
        "slug": "herbstliga-2026",
        "name": "Herbstliga 2026",
        "starts_on": date(2026, 9, 3),
        "ends_on": date(2026, 11, 10),
        "notes": Notes.ROUNDS,
        "rules": {"exact": "all", "dice": 5, "scoring": "cntdice"},
    },
    {
        "slug": "kniffelrunde-2026",
        "name": "Kniffelrunde 2026",
        "starts_on": date(2026, 9, 6),
        "ends_on": date(2026, 10, 11),
        "kind": Kind.LUEGEN_KNIFFEL,
        "rules": {"truth": "exact", "allow_zero": False},
        "notes": Notes.ROUNDS,
    },
)


@transaction.atomic
def demo_create() -> None:
    """Create the club, its accounts, its seasons and its all-time ranking, unless they exist."""
    club = Club.objects.filter(slug=CLUB).first() or club_create(
        actor=DEMO,
        slug=CLUB,
        name="Becherkeller",
        about=str(ABOUT),
        timezone="Europe/Berlin",
        language=get_language() or ENGLISH,
    )
    for season in SEASONS:
        if not Season.objects.filter(club=club, slug=season["slug"]).exists():
            season_create(club=club, actor=DEMO, **season)
    all_time_create(club=club, actor=DEMO)
    for name, email, role in ACCOUNTS:
        user = User.objects.filter(username=name).first()
        if user is None:
            is_operator = role is None
            user = User.objects.create_user(
                name,
                email,
                demo_password(name),
                is_staff=is_operator,
                is_superuser=is_operator,
            )
        if role:
            member_add(club=club, user=user, role=role, actor=DEMO)


def demo_language() -> str:
    """Return the language of the terminal that starts the demo if the service is translated into
    it, else English."""
    names = (os.environ.get(variable, "") for variable in ("LC_ALL", "LC_MESSAGES", "LANG"))
    code = next(filter(None, names), "").partition("_")[0].lower()
    if code in dict(settings.LANGUAGES):
        return code
    return ENGLISH


def demo_create_in_language() -> None:
    """Create the demo's club, with texts in the language of the terminal."""
    with translation.override(demo_language()):
        demo_create()


def demo_import_in_language() -> None:
    """Import the demo's games and events, with texts in the language of the terminal."""
    with translation.override(demo_language()):
        demo_import()


def demo_import() -> None:
    """Import the games of the demo's seasons, then create its events and tables; existing ones stay
    as they are. The names of new players get a capital, unlike their handles."""
    demo_passwords_set()
    organiser = User.objects.get(username="organiser")
    for slug in [season["slug"] for season in SEASONS]:
        season = Season.objects.select_related("club").get(club__slug=CLUB, slug=slug)
        with (FILES / f"{slug}.jsonl.gz").open("rb") as stream:
            report = file_import(stream=stream, season=season, entered_by=organiser)
        for player in Player.objects.filter(
            club=season.club, handle__in=report.new_players, name=F("handle")
        ):
            player_rename(player=player, name=player.handle.title(), actor=Actor(organiser.pk))
    league = Season.objects.select_related("club").get(club__slug=CLUB, slug=SEASONS[0]["slug"])
    demo_events(club=league.club, season=league, actor=Actor(organiser.pk))
    demo_online_tables(club=league.club, host=organiser)
    demo_table_make(club=league.club, actor=Actor(organiser.pk))
