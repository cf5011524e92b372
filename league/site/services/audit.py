"""Everything that is false of a club: its log, its games, and what its rankings and its events make of them. Nothing
is written.

What the audit finds last is kept, for the page that operators look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction
from django.db.models.functions import Now

from games.domain.difference import Difference
from games.models import Game
from games.queries.verification import game_differences
from league.clubs.models import Club
from league.clubs.queries.verification import player_differences
from league.counting.queries.verification import event_differences
from league.events.models import Event
from league.log.ledger import ledger_differences
from league.log.verification import log_differences
from league.rankings.models import Audit, Ranking
from league.rankings.services.verification import ranking_differences
from league.records.queries.verification import logged_game_differences, seat_differences, void_differences
from league.site.services.statement import NOUNS
from league.tables.queries.verification import reason_differences

TOGETHER: Final = 200
"""Games whose rounds are in memory at once."""
KEPT: Final = 200
"""Differences that are kept of an audit; the others are counted."""


def club_audit(*, club_id: int, styles: bool = True) -> list[Difference]:
    """Audit a club and keep what was found. `styles`: playing styles, too, which takes some ten times as long."""
    audit = Audit.objects.create(club_id=club_id)
    try:
        differences = list(club_differences(club_id, styles=styles))
    except Exception as error:
        Audit.objects.filter(pk=audit.pk).update(ended_at=Now(), error=repr(error)[:2000])
        raise
    listed = [difference.as_json() for difference in differences[:KEPT]]
    Audit.objects.filter(pk=audit.pk).update(ended_at=Now(), found=len(differences), differences=listed)
    return differences


def club_differences(club_id: int, *, styles: bool = True) -> Iterator[Difference]:
    """Every cell of a club that is false. Each part is read from a snapshot of the database of its own, so that work
    goes on meanwhile, and the database can clear away old rows while an audit lasts."""
    for part in _parts(Club.objects.get(pk=club_id), styles):
        with snapshot():
            yield from part


def _parts(club: Club, styles: bool) -> Iterator[Iterator[Difference]]:
    """The parts of an audit, none of which reads anything before it is gone through."""
    yield log_differences(club.pk, club.public_id)
    yield player_differences(club.pk)
    yield ledger_differences(club.pk, NOUNS)
    yield logged_game_differences(club)
    yield seat_differences(club)
    yield void_differences(club)
    yield reason_differences(club)
    ids = list(Game.objects.filter(source=club.source).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), TOGETHER):
        yield game_differences(ids[start : start + TOGETHER])
    for ranking_id in list(Ranking.objects.filter(club=club).order_by("pk").values_list("pk", flat=True)):
        yield ranking_differences(ranking_id, styles=styles)
    for event_id in list(Event.objects.filter(club=club).order_by("pk").values_list("pk", flat=True)):
        yield event_differences(event_id)


@contextmanager
def snapshot() -> Iterator[None]:
    """One view of the database for as long as it takes, from which nothing can be written."""
    fresh = not connection.in_atomic_block
    with transaction.atomic():
        if fresh:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
