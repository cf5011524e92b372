"""All that the log tells of the devices that write games down, and of what came too late to stand on a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from django.db.migrations.state import StateApps
from django.db.models import Q
from django.db.models.functions import Coalesce

from league.migrations.replay.ledger import Noun, note, plain, put

BRANCH_COLUMNS: Final = ("open_game", "after", "entries", "by", "made_at", "waits_until")


def _branches(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    of_club = Q(sheet__open_game__table_open_game__table__stage_round__stage__event__club=club_id)
    of_club |= Q(sheet__open_game__season_open_game__season__club=club_id)
    for row in apps.get_model("games", "SheetBranch")._base_manager.filter(of_club).select_related("sheet__open_game", "account", "device"):
        by = {"account": row.account.public_id} if row.account else {"device": row.device and row.device.public_id}
        digest = sha256(row.entries.encode()).hexdigest()
        moments = (plain(row.made_at), plain(row.waits_until))
        yield row.public_id, (row.sheet.open_game.public_id, row.after, digest, by, *moments)


def _agreements(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    of_club = Q(branch__sheet__open_game__table_open_game__table__stage_round__stage__event__club=club_id)
    of_club |= Q(branch__sheet__open_game__season_open_game__season__club=club_id)
    columns = ("branch__public_id", "seat", "made_at")
    for branch, seat, made_at in apps.get_model("league", "BranchAgreement")._base_manager.filter(of_club).values_list(*columns):
        yield f"{branch} {seat}", (plain(made_at),)


def _submissions(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = apps.get_model("league", "SheetSubmission")._base_manager.filter(table_open_game__table__stage_round__stage__event__club=club_id)
    columns = ("table_open_game__open_game__public_id", "length", "link", "made_at")
    for public_id, length, link, made_at in rows.values_list(*columns):
        yield public_id, (length, bytes(link).hex(), plain(made_at))


def _devices(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    of_club = Q(table_device__table__stage_round__stage__event__club=club_id)
    of_club |= Q(game_device__open_game__season__club=club_id)
    columns = ("table_device__table__public_id", "game_device__open_game__open_game__public_id")
    player = Coalesce("table_device__player__public_id", "game_device__player__public_id")
    for row in apps.get_model("games", "Device")._base_manager.filter(of_club).values_list("public_id", *columns, player, "made_at", "revoked_at"):
        yield row[0], row[1:]


NOUNS: Final = (
    Noun(
        "submission",
        ("length", "link", "made_at"),
        _submissions,
        {
            "sheet.submitted": put(
                "submission",
                lambda entry: {
                    **{column: entry.payload[column] for column in ("length", "link")},
                    "made_at": plain(entry.at),
                },
            )
        },
    ),
    Noun(
        "branch",
        BRANCH_COLUMNS,
        _branches,
        {"sheet.branch_kept": put("branch", lambda entry: {**entry.payload, "made_at": plain(entry.at)})},
        defaults={"waits_until": None},
    ),
    Noun(
        "branch agreement",
        ("made_at",),
        _agreements,
        {
            "sheet.branch_agreed": put(
                "branch agreement",
                lambda entry: {"made_at": plain(entry.at)},
                name=lambda entry: f"{entry.subject} {entry.payload['seat']}",
            )
        },
    ),
    Noun(
        "device",
        ("table", "open_game", "player", "made_at", "revoked_at"),
        _devices,
        {
            "device.made": put(
                "device",
                lambda entry: {
                    **{column: entry.payload.get(column) for column in ("table", "open_game", "player")},
                    "made_at": plain(entry.at),
                    "revoked_at": None,
                },
            ),
            "device.revoked": note("device", revoked_at=lambda entry: plain(entry.at)),
        },
        defaults={"open_game": None, "player": None},
    ),
)
