"""All that is false of the open games of a club: of their entries, of the tables or seasons they
name, and of the games that they became, by what the log says of these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.record.canonical import digests
from engine.record.header import sealed_reason
from engine.sheet.versions import WRITTEN
from games.domain.difference import Checkpoint, Difference, VerifiedBatch, cell_differences
from games.models import Game, OpenGame, OpenSheet, SealedSheet
from games.queries.game import game_head
from games.queries.open_game import sheet_written
from games.queries.verification import open_game_differences
from league.core.club.models import Club
from league.core.log.models import LogEntry
from league.sheets.sheet.domain.open_game import open_game_id, season_game_id
from league.sheets.sheet.models import SeasonOpenGame, TableOpenGame
from league.stages.table.models import Table
from league.standings.ranking.queries.source import SEALINGS
from league.standings.season.models import Season

OPEN_GAMES: Final = 100
"""Open games that are verified in one batch."""


def verify_open_games(club: Club, checkpoint: Checkpoint) -> VerifiedBatch:
    """Verify the next open games of a club, by their ids."""
    rows = OpenGame.objects.filter(
        source=club.source, pk__gt=checkpoint.get("open_game", 0)
    ).order_by("pk")[:OPEN_GAMES]
    ids = {row.pk: row.public_id for row in rows}
    differences = [
        *open_game_differences(list(ids.values())),
        *_place_differences(list(ids)),
        *_sealed_differences(club, list(ids)),
    ]
    return VerifiedBatch(differences, {"open_game": max(ids)} if len(ids) == OPEN_GAMES else None)


def place_differences(club: Club) -> Iterator[Difference]:
    """Find open games at the tables and in the seasons of a club whose source is another one, or
    that are gone."""
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
    """Open games that are written down, by row ids, that aren't at the table, or of the number
    there, or of the season, which their own id tells."""
    ids = ("open_game__public_id", "open_game__external_id")
    of_tables = TableOpenGame.objects.filter(
        open_game__in=open_games, open_game__play_again=None, table__in=Table.objects.all()
    )
    of_seasons = SeasonOpenGame.objects.filter(
        open_game__in=open_games, season__in=Season.objects.all()
    )
    names = {
        public_id: (name, open_game_id(*place))
        for public_id, name, *place in of_tables.values_list(
            *ids, "table__public_id", "number", "edition"
        )
    } | {
        public_id: (name, season_game_id(season, name.rpartition("-")[-1]))
        for public_id, name, season in of_seasons.values_list(*ids, "season__public_id")
    }
    names |= _places_of_play_agains(open_games)
    versions = OpenGame.objects.filter(pk__in=open_games).values_list("public_id", "sheet__version")
    for public_id, version in versions:
        if public_id in names:
            yield from cell_differences("open game", public_id, [("place", *names[public_id])])
        elif version == WRITTEN:  # friendly games of online tables have no place
            yield Difference("open game", public_id, "row", False, True)


def _places_of_play_agains(open_games: Sequence[int]) -> dict[str, tuple[Any, Any]]:
    """Return the id, the table and the number of each of these that plays a sealed game again, by
    its public id, and those of the sealed game."""
    rows = TableOpenGame.objects.filter(
        open_game__in=open_games, open_game__play_again__isnull=False
    )
    again = ("open_game__external_id", "table", "number")
    game = "open_game__play_again__void__game"
    sealed = (f"{game}__external_id", f"{game}__table_game__table", f"{game}__table_game__number")
    columns = rows.values_list("open_game__public_id", *again, *sealed)
    return {public_id: (tuple(place[:3]), tuple(place[3:])) for public_id, *place in columns}


def _sealed_differences(club: Club, open_games: Sequence[int]) -> Iterator[Difference]:
    """Sealed sheets that aren't those of which the log tells, or whose game isn't what the sheet
    comes to."""
    ids = OpenGame.objects.filter(pk__in=open_games).values("external_id")
    by_sheet = SealedSheet.objects.filter(sheet__open_game__in=open_games).values("game")
    of_open_games = Q(external_id__in=ids) | Q(pk__in=by_sheet)
    games = Game.objects.filter(of_open_games, source=club.source).order_by("pk")
    logged = _logged(club, games)
    sheets = _sealed_sheets(games)
    for game in games:
        if sheets.get(game.public_id) != logged.get(game.public_id):
            expected = logged.get(game.public_id)
            yield Difference(
                "sealed sheet", game.public_id, "sheet", sheets.get(game.public_id), expected
            )
        elif game.public_id in sheets:
            yield from _game_differences(game, sheets[game.public_id]["open_game"])


def _logged(club: Club, games: QuerySet[Game]) -> dict[str, Any]:
    """Return the sheets of which the log says that games came from them."""
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


def _sealed_sheets(games: QuerySet[Game]) -> dict[str, Any]:
    """Return the sheets from which games came, as their rows say."""
    rows = SealedSheet.objects.filter(game__in=games)
    columns = ("game__public_id", "sheet__open_game__public_id", "length", "link")
    return {
        game: {"open_game": open_game, "length": length, "link": bytes(link).hex()}
        for game, open_game, length, link in rows.values_list(*columns)
    }


def _game_differences(game: Game, open_game: str) -> Iterator[Difference]:
    try:
        record = sheet_written(open_game).sheet.whole()
        head = digests(replace(record, reason=sealed_reason(game.header)))[-1]
    except (OpenSheet.DoesNotExist, ValueError, KeyError):
        return  # `open_game_differences` tells that it can't be read
    yield from cell_differences(
        "sealed sheet", game.public_id, [("game", game_head(game).hex(), head.hex())]
    )
