"""All that the log of a club says of its sealed games, and isn't so."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from django.db.models.functions import Length

from engine.record.header import sealed_reason
from games.domain.difference import Difference
from games.models import Game, Seat, Void
from games.queries.game import game_head
from league.clubs.actions import ClubAction, PlayerAction
from league.clubs.models import Club
from league.clubs.models.player import pseudonym
from league.log.actions import Action
from league.log.models import LogEntry
from league.rankings.actions import GameAction
from league.rankings.queries.source import SEALINGS


def logged_game_differences(club: Club) -> Iterator[Difference]:
    """Each game of the club has one entry in the log, which says what the game's row says."""
    games = {
        game.public_id: game
        for game in Game.objects.filter(source=club.source).select_related("replaces", "season_game__season")
    }
    removed = _subjects(club, GameAction.REASON_REMOVED)
    entries = LogEntry.objects.filter(club=club, action__in=SEALINGS).order_by("position")
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


def void_differences(club: Club) -> Iterator[Difference]:
    """Reasons of voids that aren't those which the log has sealed, or that were removed though it doesn't say so."""
    voids = Void.objects.filter(game__source=club.source)
    stored = {(game, number): why for game, number, why in voids.values_list("game__public_id", "number", "reason")}
    actions = (GameAction.VOIDED, GameAction.RESTORED, GameAction.VOID_REASON_REMOVED)
    expected: dict[tuple[str, int], str] = {}
    for entry in LogEntry.objects.filter(club=club, action__in=actions).order_by("position").iterator(2000):
        row = (entry.subject, json.loads(entry.payload)["number"])
        was_removed = entry.action == GameAction.VOID_REASON_REMOVED
        expected[row] = "" if was_removed else entry.why or stored.get(row) or "a reason"
    for (game, number), reason in expected.items():
        if stored.get((game, number)) != reason:
            yield Difference("void", f"{game} {number}", "reason", stored.get((game, number)), reason)


def seat_differences(club: Club) -> Iterator[Difference]:
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
    for game, payload in entries.filter(action__in=SEALINGS, payload__contains="committed").values_list(
        "subject", "payload"
    ):
        committed[game] = json.loads(payload)["committed"]
    seats = Seat.objects.alias(size=Length("seal")).filter(game__source=club.source, size=Seat.COMMITMENT)
    for game, number, handle in seats.order_by("game", "number").values_list("game__public_id", "number", "handle"):
        if handle not in pseudonyms and number not in committed.get(game, ()):
            yield Difference(
                "seat", f"{game} {number + 1}", "seal", "no salt", f"the salt of {handle}, who isn't erased"
            )


def _subjects(club: Club, action: Action) -> set[str]:
    """All that a club's log tells this of."""
    return set(LogEntry.objects.filter(club=club, action=action).values_list("subject", flat=True))


def _logged_reason(game: Game, entry: LogEntry, removed: Collection[str]) -> str:
    """The reason that a game should have by the log: none where this says that it was removed. Where the log has
    forgotten the words, or a record brought them, the header alone seals them."""
    if game.public_id in removed:
        return ""
    sealed = sealed_reason(game.header) is not None
    if not game.replaces:
        return game.reason if sealed else ""
    return entry.why or game.reason or "a reason"
