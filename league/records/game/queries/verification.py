"""Where a club's log and its sealed games disagree."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.db.models.functions import Length

from engine.grouping import lists_by_key
from engine.record.header import sealed_reason
from games.domain.difference import Checkpoint, Difference, VerifiedBatch, cell_differences
from games.models import Game, OpenGame, Seat, Void
from games.queries.game import game_heads
from league.core.club.actions import ClubAction
from league.core.club.models import Club
from league.core.log.models import LogEntry
from league.core.player.actions import PlayerAction
from league.core.player.models import guest_pseudonym, pseudonym
from league.standings.ranked_game.actions import GameAction
from league.standings.ranking.queries.source import SEALINGS
from league.standings.season.models import SeasonGame

ENTRIES: Final = 2000
"""Entries of a log that are verified at once."""


def verify_sealings(club: Club, checkpoint: Checkpoint) -> VerifiedBatch:
    """Check that the games exist that the next log entries seal, and the open games from which they
    were entered. Return the differences, and the checkpoint at which the next batch begins; None
    after the last batch."""
    entries = LogEntry.objects.filter(
        club=club, action__in=SEALINGS, position__gt=checkpoint.get("position", 0)
    )
    rows = list(
        entries.order_by("position").values_list("position", "subject", "payload")[:ENTRIES]
    )
    subjects = {subject for _, subject, _ in rows}
    games = set(
        Game.objects.filter(source=club.source, public_id__in=subjects).values_list(
            "public_id", flat=True
        )
    )
    differences = [
        Difference("game", subject, "row", False, True)
        for _, subject, _ in rows
        if subject not in games
    ]
    payloads = [json.loads(payload) for _, _, payload in rows]
    sheets = {payload["sheet"]["open_game"] for payload in payloads if "sheet" in payload}
    missing_open_games = sheets.difference(
        OpenGame.objects.filter(public_id__in=sheets).values_list("public_id", flat=True)
    )
    differences += [
        Difference("open game", open_game, "row", False, True)
        for open_game in sorted(missing_open_games)
    ]
    if len(rows) < ENTRIES:
        return VerifiedBatch(differences, None)
    last_position, _, _ = rows[-1]
    return VerifiedBatch(differences, {"position": last_position})


def logged_game_differences(club: Club, game_ids: Sequence[int]) -> Iterator[Difference]:
    """Check that each of these games of the club, by row ids, has exactly one log entry that seals
    it, and that this entry agrees with its row. Yield the differences."""
    games = Game.objects.filter(pk__in=game_ids).select_related("replaces").order_by("pk")
    season_games = SeasonGame.objects.filter(game__in=game_ids)
    seasons = dict(season_games.values_list("game", "season__public_id"))
    entries = LogEntry.objects.filter(club=club, subject__in=[game.public_id for game in games])
    games_without_reason = set(
        entries.filter(action=GameAction.REASON_REMOVED).values_list("subject", flat=True)
    )
    sealings = entries.filter(action__in=SEALINGS).order_by("position")
    sealings_by_game = lists_by_key((entry.subject, entry) for entry in sealings)
    heads = game_heads(game_ids)
    for game in games:
        sealings_of_game = sealings_by_game[game.public_id]
        if not sealings_of_game:
            yield Difference("game", game.public_id, "log entry", False, True)
            continue
        first_sealing, *further_sealings = sealings_of_game
        yield from _row_differences(
            game, heads[game.pk], seasons.get(game.pk), first_sealing, games_without_reason
        )
        for _ in further_sealings:
            yield Difference("game", game.public_id, "row", False, True)


def _row_differences(
    game: Game,
    head: bytes,
    season_id: str | None,
    entry: LogEntry,
    games_without_reason: Collection[str],
) -> Iterator[Difference]:
    payload: dict[str, Any] = json.loads(entry.payload)
    cells = [
        ("head", head.hex(), payload.get("head")),
        ("season", season_id, payload.get("season")),
        ("replaces", game.replaces.public_id if game.replaces else None, payload.get("replaces")),
        ("reason", game.reason, _logged_reason(game, entry, games_without_reason)),
        ("entered_at", game.entered_at, entry.at),
        ("entered_by", game.entered_by_id, entry.actor_id),
    ]
    yield from cell_differences("game", game.public_id, cells)


def void_differences(club: Club) -> Iterator[Difference]:
    """Yield reasons of voids that differ from the reasons in the log, or were removed without a log
    entry. A restored game has a row, with a number and a reason of its own, as a void has."""
    voids = Void.objects.filter(game__source=club.source)
    columns = voids.values_list("game__public_id", "number", "reason")
    reasons = {(game, number): reason for game, number, reason in columns}
    actions = (GameAction.VOIDED, GameAction.RESTORED, GameAction.VOID_REASON_REMOVED)
    expected: dict[tuple[str, int], str] = {}
    entries = LogEntry.objects.filter(club=club, action__in=actions).order_by("position")
    for entry in entries.iterator(chunk_size=2000):
        row = (entry.subject, json.loads(entry.payload)["number"])
        if entry.action == GameAction.VOID_REASON_REMOVED:
            expected[row] = ""
        else:
            # Where the log has forgotten the reason, any is right, but there must be one.
            expected[row] = entry.why or reasons.get(row) or "a reason"
    for (game, number), reason in expected.items():
        yield from cell_differences(
            "void", f"{game} {number}", [("reason", reasons.get((game, number)), reason)]
        )


def seat_differences(club: Club, game_ids: Sequence[int]) -> Iterator[Difference]:
    """Yield the seats of these games, by row ids, that have lost their salt although no log entry
    erases the player or guest of their pseudonym.

    Seats whose names came as commitments never had a salt: their game's log entry says so, or the
    entry that the upgrade wrote about older games."""
    saltless = Seat.objects.alias(size=Length("seal")).filter(
        game__in=game_ids, size=Seat.COMMITMENT
    )
    seats = list(
        saltless.order_by("game", "number").values_list("game__public_id", "number", "handle")
    )
    if not seats:
        return
    entries = LogEntry.objects.filter(club=club)
    pseudonyms = _erased_pseudonyms(entries)
    committed = _committed_seats(entries, {game for game, _, _ in seats})
    for game, number, handle in seats:
        if handle not in pseudonyms and number not in committed.get(game, ()):
            yield Difference(
                "seat",
                f"{game} {number + 1}",
                "seal",
                "no salt",
                f"the salt of {handle}, who isn't erased",
            )


def _erased_pseudonyms(entries: QuerySet[LogEntry]) -> set[str]:
    erased = entries.filter(action=PlayerAction.ERASED).values_list("subject", flat=True)
    pseudonyms = {pseudonym(player) for player in erased}
    guests = entries.filter(action=PlayerAction.GUEST_ERASED).values_list("subject", "payload")
    for table, payload in guests:
        pseudonyms.add(guest_pseudonym(table, json.loads(payload)["seat"]))
    return pseudonyms


def _committed_seats(entries: QuerySet[LogEntry], games: set[str]) -> dict[str, list[int]]:
    """Return the seats whose names came as commitments, by public id of the game: those that these
    log entries name for any game, and for `games` those in the entries that sealed them."""
    committed: dict[str, list[int]] = {}
    for payload in entries.filter(action=ClubAction.STATED).values_list("payload", flat=True):
        committed.update(json.loads(payload).get("committed", {}))
    sealings = entries.filter(action__in=SEALINGS, subject__in=games, payload__contains="committed")
    for game, payload in sealings.values_list("subject", "payload"):
        committed[game] = json.loads(payload)["committed"]
    return committed


def _logged_reason(game: Game, entry: LogEntry, games_without_reason: Collection[str]) -> str:
    """Return the reason that a game should have by the log; empty if the log says it was removed.

    If the log has forgotten the reason, or a record contained it, only the game's header seals it;
    the game's own reason then counts as right."""
    if game.public_id in games_without_reason:
        return ""
    if not game.replaces:
        is_sealed = sealed_reason(game.header) is not None
        return game.reason if is_sealed else ""
    return entry.why or game.reason or "a reason"
