"""The loaders of open games and of the devices that write them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Device, SheetBranch
from games.queries.open_game import HANDLES
from games.services.open_game import NOBODY, Writer
from league.core.frame.letter_link import digest_of
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer, with_right
from league.events.event.queries.access import visible_events
from league.sheets.confirmation.queries.double_entry import is_own_sheet
from league.sheets.device.domain.writer import LASTS
from league.sheets.device.models import ClubDevice, GameDevice, TableDevice
from league.sheets.sheet.models import ClubOpenGame, SeasonOpenGame, TableOpenGame
from league.stages.round.queries import is_public
from league.stages.table.models import Table, TableGame
from league.stages.table.queries.access import table_for_writing
from league.standings.season.models import Season
from league.standings.season.queries.access import seen_seasons

TABLE = (
    *("table__group", "table__stage_round__stage__event__club"),
    *(
        "table__stage_round__stage__event__season__ranking",
        "table__stage_round__stage__event__season__club__all_time",
    ),
)
"""What to select with a row that has a table: all that pages and services read of the table."""
SEASON: Final = ("season__ranking", "season__club__all_time")
"""What to select with a row that has a season."""
SHEET: Final = "open_game__sheet__sealed__game"
"""What to select with an open game: its sheet, and the game as which that was sealed."""
PLAY_AGAIN: Final = "open_game__play_again__void__game"
"""The lookup of the sealed game that an open game plays again."""


def open_game_for(viewer: Viewer, public_id: str, device: ClubDevice | None = None) -> ClubOpenGame:
    """Return an open game by public id, with its table or season, its sheet, and the game as which
    it was sealed.

    Raise `ObjectDoesNotExist` unless the viewer may see its table or season, or `device` writes for
    it. Only the opener may see a concealed game."""
    rows = TableOpenGame.objects.select_related(SHEET, PLAY_AGAIN, "submission", *TABLE)
    is_seen = Q(table__stage_round__stage__event__in=visible_events(viewer))
    if isinstance(device, TableDevice):
        is_seen |= Q(table=device.table_id)
    row = rows.filter(is_seen, open_game__public_id=public_id).first()
    if row is None:
        return season_game_for(viewer, public_id, device)
    if not is_public(row.table.stage_round):
        raise TableOpenGame.DoesNotExist
    if _is_concealed(row) and not is_own_sheet(row, _writer(viewer, device)):
        raise TableOpenGame.DoesNotExist
    return row


def sealed_open_game(public_id: str) -> ClubOpenGame:
    """Return a sealed open game by public id, with its table or season and its sheet. It checks no
    rights: the caller has found that the viewer may see the sealed game. Raise
    `ObjectDoesNotExist`."""
    is_sealed = {"open_game__public_id": public_id, "open_game__sheet__sealed__isnull": False}
    table_games = TableOpenGame.objects.select_related(SHEET, "submission", *TABLE)
    row = table_games.filter(**is_sealed).first()
    return row or SeasonOpenGame.objects.select_related(SHEET, *SEASON).get(**is_sealed)


def branch_of(row: ClubOpenGame, public_id: str) -> SheetBranch:
    """Return the branch with this public id: late entries that are kept beside the sheet of an open
    game. The caller has checked that the viewer may see the game. Raise
    `SheetBranch.DoesNotExist`."""
    return row.open_game.sheet.branches.select_related("device", "sheet__open_game").get(
        public_id=public_id
    )


def season_game_for(
    viewer: Viewer, public_id: str, device: ClubDevice | None = None
) -> SeasonOpenGame:
    """Return an open game without a table by public id, with its season and its sheet. Raise
    `SeasonOpenGame.DoesNotExist` unless the viewer may see the season, or `device` writes for the
    game."""
    is_seen = seen_seasons(viewer, "season__")
    if isinstance(device, GameDevice):
        is_seen |= Q(pk=device.open_game_id)
    return SeasonOpenGame.objects.select_related(SHEET, *SEASON).get(
        is_seen, open_game__public_id=public_id
    )


def season_game_for_scorer(viewer: Viewer, public_id: str) -> SeasonOpenGame:
    """Return an open game without a table by public id, for viewers who may enter games of its
    club. Raise `ObjectDoesNotExist` otherwise."""
    return with_right(viewer, season_game_for(viewer, public_id), "league.enter_games", "club")


def season_games_open(season: Season) -> QuerySet[SeasonOpenGame, Any]:
    """Return the unsealed games of a season without a table, the newest first, with the `handles`
    of their seats. Games on which nobody has written for as long as a key lasts are left out."""
    never_played = Q(open_game__sheet__length=0, open_game__opened_at__lt=timezone.now() - LASTS)
    rows = season.open_games.select_related(SHEET, *SEASON).annotate(handles=HANDLES)
    return rows.exclude(never_played).filter(open_game__sheet__sealed=None).order_by("-pk")


def _is_concealed(row: TableOpenGame) -> bool:
    """Return True if a sheet is concealed and its table has no result for that game yet, which
    might have been entered another way."""
    return (
        row.concealed
        and not TableGame.objects.filter(table=row.table_id, number=row.number).exists()
    )


def _writer(viewer: Viewer, device: ClubDevice | None) -> Writer:
    if device is not None:
        return Writer(device=(device.pk, device.device.public_id))
    user = viewer.user
    return Writer(account=(user.pk, user.public_id)) if user.is_authenticated else NOBODY


def table_of_device(device: TableDevice) -> Table:
    """Return the table for which a device writes, even if the public may not see it. Raise
    `Table.DoesNotExist` unless its round is published."""
    if not is_public(device.table.stage_round):
        raise Table.DoesNotExist
    return device.table


def device_of_key(key: str) -> ClubDevice | None:
    """Return the device with a key, with its table or game; None for an unknown key. The key may
    have ended, or been revoked."""
    has_key = Q(device__key_digest=digest_of(key))
    table_devices = TableDevice.objects.select_related("device", *TABLE)
    game_devices = GameDevice.objects.select_related("device")
    return table_devices.filter(has_key).first() or game_devices.filter(has_key).first()


def device_for_writing(viewer: Viewer, table_id: str, device_id: str) -> TableDevice:
    """Return a device of a table, both by public id, for viewers who may write down the table's
    games. Raise `ObjectDoesNotExist` otherwise."""
    return (
        table_for_writing(viewer, table_id)
        .devices.select_related("device")
        .get(device__public_id=device_id)
    )


def game_device_for_scorer(viewer: Viewer, public_id: str, device_id: str) -> GameDevice:
    """Return a device of a game without a table, both by public id, for viewers who may write the
    game down. Raise `ObjectDoesNotExist` otherwise."""
    row = season_game_for_scorer(viewer, public_id)
    return row.devices.select_related("device", "open_game__open_game").get(
        device__public_id=device_id
    )


def devices_of(subject: Table | SeasonOpenGame) -> list[Device]:
    """Return the devices for a table, or for a game without one, whose keys aren't revoked, the
    newest first."""
    if isinstance(subject, Table):
        of_subject = Q(table_device__table=subject)
    else:
        of_subject = Q(game_device__open_game=subject)
    devices = Device.objects.filter(of_subject, revoked_at=None).select_related(
        "made_by", "table_device__player__merged_into", "game_device__player__merged_into"
    )
    return list(devices.order_by("-made_at", "-pk"))


def holder_of(device: Device) -> Player | None:
    """Return the player who holds a device, which `devices_of` has returned; None for a scorer's
    device."""
    scope = getattr(device, "table_device", None) or getattr(device, "game_device", None)
    player: Player | None = scope.player if scope else None
    if player is None:
        return None
    return player.merged_into or player
