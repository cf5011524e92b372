"""Everything that is false of a club: its log, its games, and what its rankings and its events make of them. Nothing
is written.

What the audit finds last is kept, for the page that operators look at.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection, transaction
from django.db.models.functions import Length, Now

from engine.record.header import sealed_reason
from games.domain.difference import Difference
from games.models import Game, Seat
from games.queries.game import game_head
from games.queries.verification import game_differences
from league.clubs.actions import ClubAction, PlayerAction
from league.clubs.models import Club
from league.clubs.models.player import pseudonym
from league.clubs.queries.verification import player_differences
from league.counting.queries.verification import event_differences
from league.events.models import Event
from league.log.actions import Action
from league.log.ledger import ledger_differences
from league.log.models import LogEntry
from league.log.verification import log_differences
from league.rankings.actions import GameAction
from league.rankings.models import Audit, Ranking
from league.rankings.queries.source import GAMES
from league.rankings.services.verification import ranking_differences
from league.site.services.statement import NOUNS
from league.tables.actions import RoundAction, TableAction
from league.tables.models import Draw, Walkover

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
    """Every cell of a club that is false, from one snapshot of the database: work goes on meanwhile."""
    with snapshot():
        club = Club.objects.get(pk=club_id)
        yield from log_differences(club_id, club.public_id)
        yield from player_differences(club_id)
        yield from ledger_differences(club_id, NOUNS)
        yield from _logged_games(club)
        yield from _forgotten_seats(club)
        yield from _logged_reasons(club)
        ids = list(Game.objects.filter(source=club.source).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(ids), TOGETHER):
            yield from game_differences(ids[start : start + TOGETHER])
        for ranking_id in Ranking.objects.filter(club=club).order_by("pk").values_list("pk", flat=True):
            yield from ranking_differences(ranking_id, styles=styles)
        for event_id in Event.objects.filter(club=club).order_by("pk").values_list("pk", flat=True):
            yield from event_differences(event_id)


@contextmanager
def snapshot() -> Iterator[None]:
    """One view of the database for as long as it takes, from which nothing can be written."""
    fresh = not connection.in_atomic_block
    with transaction.atomic():
        if fresh:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _logged_games(club: Club) -> Iterator[Difference]:
    """Each game of the club has one entry in the log, which says what the game's row says."""
    games = {
        game.public_id: game
        for game in Game.objects.filter(source=club.source).select_related("replaces", "season_game__season")
    }
    removed = _subjects(club, GameAction.REASON_REMOVED)
    entries = LogEntry.objects.filter(club=club, action__in=GAMES).order_by("position")
    for entry in entries.iterator(2000):
        game = games.pop(entry.subject, None)
        if game is None:
            yield Difference("game", entry.subject, "row", False, True)
            continue
        payload: dict[str, Any] = json.loads(entry.payload)
        season = getattr(game, "season_game", None)
        stored_rows = {
            "head": game_head(game).hex(),
            "season": season.season.public_id if season else None,
            "replaces": game.replaces.public_id if game.replaces else None,
            "reason": game.reason,
            "entered_at": game.entered_at,
            "entered_by": game.entered_by_id,
        }
        expected_rows = {
            "head": payload.get("head"),
            "season": payload.get("season"),
            "replaces": payload.get("replaces"),
            "reason": _logged_reason(game, entry, removed),
            "entered_at": entry.at,
            "entered_by": entry.actor_id,
        }
        for column, expected in expected_rows.items():
            if stored_rows[column] != expected:
                yield Difference("game", game.public_id, column, stored_rows[column], expected)
    for public_id in games:
        yield Difference("game", public_id, "log entry", False, True)


def _logged_reason(game: Game, entry: LogEntry, removed: Collection[str]) -> str:
    """The reason that a game should have by the log: none where this says that it was removed. Where the log has
    forgotten the words, or a record brought them, the header alone seals them."""
    if game.public_id in removed:
        return ""
    sealed = sealed_reason(game.header) is not None
    if not game.replaces:
        return game.reason if sealed else ""
    return entry.why or game.reason or "a reason"


def _subjects(club: Club, action: Action) -> set[str]:
    """All that a club's log tells this of."""
    return set(LogEntry.objects.filter(club=club, action=action).values_list("subject", flat=True))


def _logged_reasons(club: Club) -> Iterator[Difference]:
    """Reasons of draws changed by hand, and of tables given without play, that aren't those which the log has sealed,
    or that were removed though the log doesn't say so."""
    draws = Draw.objects.filter(stage_round__stage__event__club=club, by_hand=True)
    walkovers = Walkover.objects.filter(table__stage_round__stage__event__club=club)
    stored: dict[tuple[str, str, int], str] = {
        **{("draw", draw, 0): reason for draw, reason in draws.values_list("public_id", "reason")},
        **{
            ("walkover", table, revision): reason
            for table, revision, reason in walkovers.values_list("table__public_id", "revision", "reason")
        },
    }
    actions = (RoundAction.CHANGED, RoundAction.REASON_REMOVED, TableAction.WALKOVER, TableAction.REASON_REMOVED)
    expected: dict[tuple[str, str, int], str] = {}
    for entry in LogEntry.objects.filter(club=club, action__in=actions).order_by("position").iterator(2000):
        payload = json.loads(entry.payload)
        rows = [("draw", draw, 0) for draw in payload.get("draws", ())]
        if "revision" in payload:
            rows.append(("walkover", entry.subject, payload["revision"]))
        was_removed = entry.action in (RoundAction.REASON_REMOVED, TableAction.REASON_REMOVED)
        for row in rows:
            expected[row] = "" if was_removed else entry.why or stored.get(row) or "a reason"
    for row, reason in expected.items():
        if stored.get(row) != reason:
            yield Difference(row[0], row[1], "reason", stored.get(row), reason)


def _forgotten_seats(club: Club) -> Iterator[Difference]:
    """Seats that have lost their salt while no entry of the log erases a player of this pseudonym.

    Seats whose names came as commitments never had one: the entry of their game says so, or what the upgrade stated of
    games before.
    """
    entries = LogEntry.objects.filter(club=club)
    erased = entries.filter(action=PlayerAction.ERASED).values_list("subject", flat=True)
    pseudonyms = {pseudonym(player) for player in erased}
    committed: dict[str, list[int]] = {}
    for payload in entries.filter(action=ClubAction.STATED).values_list("payload", flat=True):
        committed |= json.loads(payload).get("committed", {})
    for game, payload in entries.filter(action__in=GAMES, payload__contains="committed").values_list(
        "subject", "payload"
    ):
        committed[game] = json.loads(payload)["committed"]
    seats = Seat.objects.alias(size=Length("seal")).filter(game__source=club.source, size=Seat.COMMITMENT)
    for game, number, handle in seats.order_by("game", "number").values_list("game__public_id", "number", "handle"):
        if handle not in pseudonyms and number not in committed.get(game, ()):
            yield Difference(
                "seat", f"{game} {number + 1}", "seal", "no salt", f"the salt of {handle}, who isn't erased"
            )
