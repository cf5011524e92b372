"""Verification of the open games of a club: their entries, their tables and seasons, and the games
as which they were sealed, which are compared with the club's log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.record.canonical import digests
from engine.record.header import sealed_reason
from engine.sheet.versions import WRITTEN
from games.domain.difference import Checkpoint, Difference, VerifiedBatch, cell_differences
from games.models import Game, OpenGame, SealedSheet
from games.queries.game import game_heads
from games.queries.open_game import WrittenSheet, sheets_written
from games.queries.verification import open_game_differences
from league.core.club.models import Club
from league.core.log.models import LogEntry
from league.sheets.sheet.domain.open_game import open_game_id, season_game_id
from league.sheets.sheet.models import SeasonOpenGame, TableOpenGame
from league.stages.table.models import Table
from league.standings.ranking.queries.source import SEALINGS
from league.standings.season.models import Season

OPEN_GAMES: Final = 50
"""The number of open games that are verified in one batch."""


def verify_open_games(club: Club, checkpoint: Checkpoint) -> VerifiedBatch:
    """Verify the next batch of a club's open games, in the order of their row ids. `checkpoint`:
    the last row id of the batch before."""
    rows = OpenGame.objects.filter(
        source=club.source, pk__gt=checkpoint.get("open_game", 0)
    ).order_by("pk")[:OPEN_GAMES]
    public_ids = {row.pk: row.public_id for row in rows}
    sheets = sheets_written(public_ids.values())
    differences = [
        *open_game_differences(sheets),
        *_place_differences(list(public_ids)),
        *_sealed_differences(club, list(public_ids), sheets),
    ]
    is_last_batch = len(public_ids) < OPEN_GAMES
    return VerifiedBatch(differences, None if is_last_batch else {"open_game": max(public_ids)})


def place_differences(club: Club) -> Iterator[Difference]:
    """Yield the open games of a club's tables and seasons that are missing or have another club's
    source."""
    of_tables = TableOpenGame.objects.filter(table__stage_round__stage__event__club=club)
    of_seasons = SeasonOpenGame.objects.filter(season__club=club)
    gone = ~Exists(OpenGame.objects.filter(pk=OuterRef("open_game")))
    for table, number in of_tables.filter(gone).values_list("table__public_id", "number"):
        yield Difference("open game", f"{table} {number}", "row", False, True)
    for season in of_seasons.filter(gone).values_list("season__public_id", flat=True):
        yield Difference("open game", season, "row", False, True)
    of_club = Q(table_open_game__in=of_tables) | Q(season_open_game__in=of_seasons)
    foreign = OpenGame.objects.filter(of_club).exclude(source=club.source)
    for public_id, source in foreign.values_list("public_id", "source"):
        yield Difference("open game", public_id, "source", source, club.source)


def _place_differences(open_games: Sequence[int]) -> Iterator[Difference]:
    """Yield the open games, given by row id, whose record id doesn't fit their table and number, or
    their season; and those written down that have neither a table nor a season."""
    ids = ("open_game__public_id", "open_game__external_id")
    of_tables = TableOpenGame.objects.filter(
        open_game__in=open_games, open_game__play_again=None, table__in=Table.objects.all()
    )
    of_seasons = SeasonOpenGame.objects.filter(
        open_game__in=open_games, season__in=Season.objects.all()
    )
    # By public id, the place that is stored and the place that is expected.
    places: dict[str, tuple[Any, Any]] = {
        public_id: (record_id, open_game_id(*table_place))
        for public_id, record_id, *table_place in of_tables.values_list(
            *ids, "table__public_id", "number", "edition"
        )
    }
    for public_id, record_id, season in of_seasons.values_list(*ids, "season__public_id"):
        key = record_id.rpartition("-")[-1]
        places[public_id] = (record_id, season_game_id(season, key))
    places |= _places_of_play_agains(open_games)
    versions = OpenGame.objects.filter(pk__in=open_games).values_list("public_id", "sheet__version")
    for public_id, version in versions:
        if public_id in places:
            stored, expected = places[public_id]
            yield from cell_differences("open game", public_id, [("place", stored, expected)])
        elif version == WRITTEN:  # friendly games of online tables have no place
            yield Difference("open game", public_id, "row", False, True)


def _places_of_play_agains(open_games: Sequence[int]) -> dict[str, tuple[Any, Any]]:
    """Return, by public id, the place of each of these open games that plays a sealed game again,
    and the place of the sealed game, which must be the same: record id, table and number."""
    rows = TableOpenGame.objects.filter(
        open_game__in=open_games, open_game__play_again__isnull=False
    )
    own_place = ("open_game__external_id", "table", "number")
    game = "open_game__play_again__void__game"
    sealed_place = (
        f"{game}__external_id",
        f"{game}__table_game__table",
        f"{game}__table_game__number",
    )
    columns = rows.values_list("open_game__public_id", *own_place, *sealed_place)
    return {public_id: (tuple(place[:3]), tuple(place[3:])) for public_id, *place in columns}


def _sealed_differences(
    club: Club, open_games: Sequence[int], sheets: Mapping[str, WrittenSheet | Exception]
) -> Iterator[Difference]:
    record_ids = OpenGame.objects.filter(pk__in=open_games).values("external_id")
    sealed_games = SealedSheet.objects.filter(sheet__open_game__in=open_games).values("game")
    of_open_games = Q(external_id__in=record_ids) | Q(pk__in=sealed_games)
    games = Game.objects.filter(of_open_games, source=club.source).order_by("pk")
    heads = game_heads([game.pk for game in games])
    logged_sheets = _logged_sheets(club, games)
    stored_sheets = _stored_sheets(games)
    # A game that was played again has its other open game in another batch.
    elsewhere = {stored["open_game"] for stored in stored_sheets.values()} - sheets.keys()
    sheets = {**sheets, **sheets_written(elsewhere)}
    for game in games:
        logged = logged_sheets.get(game.public_id)
        stored = stored_sheets.get(game.public_id)
        if stored != logged:
            yield Difference("sealed sheet", game.public_id, "sheet", stored, logged)
        elif stored is not None:
            yield from _game_differences(game, heads[game.pk], sheets[stored["open_game"]])


def _logged_sheets(club: Club, games: QuerySet[Game]) -> dict[str, Any]:
    entries = LogEntry.objects.filter(
        club=club, action__in=SEALINGS, subject__in=games.values("public_id")
    )
    payloads = {
        subject: json.loads(payload)
        for subject, payload in entries.values_list("subject", "payload")
    }
    return {
        subject: payload["sheet"] for subject, payload in payloads.items() if "sheet" in payload
    }


def _stored_sheets(games: QuerySet[Game]) -> dict[str, Any]:
    rows = SealedSheet.objects.filter(game__in=games)
    columns = ("game__public_id", "sheet__open_game__public_id", "length", "link")
    return {
        game: {"open_game": open_game, "length": length, "link": bytes(link).hex()}
        for game, open_game, length, link in rows.values_list(*columns)
    }


def _game_differences(
    game: Game, head: bytes, written: WrittenSheet | Exception
) -> Iterator[Difference]:
    if isinstance(written, Exception):
        return  # `open_game_differences` reports that the sheet can't be read.
    try:
        record = written.sheet.whole()
        expected_head = digests(replace(record, reason=sealed_reason(game.header)))[-1]
    except (ValueError, KeyError):
        return  # a game of such a sheet is no record, which is reported as well
    yield from cell_differences(
        "sealed sheet", game.public_id, [("game", head.hex(), expected_head.hex())]
    )
