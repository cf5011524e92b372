"""The settings of a club on which its rankings depend."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from league.core.club.models import Club
from league.core.club.services import club_change
from league.core.log.services import Actor
from league.standings.ranking.models import Ranking
from league.standings.ranking.services.rebuild import rebuild_ask


@transaction.atomic
def club_settings_change(*, club: Club, actor: Actor, **settings: Any) -> Club:
    """Change settings of a club. A new time zone moves games to other days, so the club's rankings
    are rebuilt.

    Raise `ValidationError` with messages by field.
    """
    timezone_before = Club.objects.values_list("timezone", flat=True).get(pk=club.pk)
    changed_club = club_change(club=club, actor=actor, **settings)
    if changed_club.timezone != timezone_before:
        rankings = Ranking.objects.filter(club=club.pk).order_by("pk")
        for ranking_id in rankings.values_list("pk", flat=True):
            rebuild_ask(ranking_id)
    return changed_club
