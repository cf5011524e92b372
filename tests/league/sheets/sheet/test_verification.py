"""Whatever is changed in an open game behind the service's back, the verification names."""

import json
from hashlib import sha256
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.db import ProgrammingError, connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from psycopg.rows import TupleRow

from engine.record.canonical import canonical_json
from engine.sheet.entry import stored_entry
from games.models import OpenSheet, SealedSheet
from games.queries.open_game import sheet_entries, sheet_written
from games.services.open_game import Writer, entry_add
from league.core.log.services import Actor
from league.models import Club, Table
from league.sheets.device.services.device import device_make
from league.sheets.sheet.queries.verification import verify_open_games
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from tests.factories.league import SeasonFactory
from tests.league.sheets.sheet.logged import finished_season_game

pytestmark = pytest.mark.django_db(transaction=True)

FREE = {
    "OpenGame.public_id": "names the row",
    "OpenGame.source": "says of which club it is: a game of no club is nobody's to verify",
    "OpenGame.opened_at": "nothing follows from it",
    "OpenGame.opened_by": "nothing follows from it",
    "OpenGame.device": "nothing follows from it",
    "TableOpenGame.concealed": (
        "who sees a sheet that is being written: nothing that is sealed follows from it"
    ),
    "SheetEntry.seat": "beside account and device, of which the database wants exactly one",
    "id": "names the row",
    "pk": "names the row",
}
GAMES = {"OpenGame", "OpenSeat", "OpenSheet", "SheetEntry", "SealedSheet"}
CHANGES = {
    "smallint": "{} + 100",
    "integer": "COALESCE({}, 0) + 1000",
    "bigint": "{} + 1000",
    "boolean": "NOT {}",
    "bytea": "sha256({})",
    "jsonb": """'{"dice": 3}'""",
    "uuid": "gen_random_uuid()",
    "timestamp with time zone": "COALESCE({}, now()) - interval '1 hour'",
}


def differences(club: Club) -> set[tuple[str, str]]:
    return {
        (difference.table, difference.column)
        for difference in verify_open_games(club, {}).differences
    }


def written_game(table: Table) -> str:
    """An open game with entries by an account and a phone, and sealed."""
    row = table_game_open(table=table)
    public_id = row.open_game.public_id
    device, _ = device_make(subject=table, actor=Actor())
    values: list[tuple[str, dict[str, Any]]] = [
        ("opener", {"seat": 1}),
        ("note", {"bid": "2x4"}),
        ("undo", {}),
        ("close", {"ended": "clock"}),
    ]
    for length, (act, value) in enumerate(values):
        entry_add(
            open_game=public_id,
            length=length,
            entry=stored_entry(act, value),
            writer=Writer(device=(device.pk, device.public_id))
            if length % 2
            else Writer(automatic="odds"),
            key=uuid4(),
        )
    open_game_seal(row=row, length=len(values), writer=Writer(device=(device.pk, device.public_id)))
    return public_id


def test_what_the_services_wrote_is_in_order(table: Table) -> None:
    written_game(table)
    assert differences(table.stage_round.stage.event.club) == set()


def test_every_cell_that_is_changed_is_named(
    table: Table, forger: psycopg.Connection[TupleRow]
) -> None:
    club = table.stage_round.stage.event.club
    written_game(table)
    other = (
        Table.objects.exclude(pk=table.pk).select_related("stage_round__stage__event").latest("pk")
    )
    table_game_open(table=other)
    finished_season_game(table)
    unnamed = []
    for name in (
        "OpenGame",
        "OpenSeat",
        "OpenSheet",
        "SheetEntry",
        "SealedSheet",
        "TableOpenGame",
        "SeasonOpenGame",
    ):
        model = apps.get_model("games" if name in GAMES else "league", name)
        for column in model._meta.concrete_fields:
            if {column.name, f"{name}.{column.name}"} & FREE.keys():
                continue
            if not _named(forger, club, model, column.column):
                unnamed.append(f"{name}.{column.name}")
    assert unnamed == []
    assert differences(club) == set()


def _named(
    forger: psycopg.Connection[TupleRow], club: Club, model: type[Model], column: str
) -> bool:
    """Whether something is named while a cell of the first row is another."""
    table = model._meta.db_table
    key = ", ".join(f'"{field.column}"' for field in model._meta.pk_fields)
    kind = forger.execute(
        "SELECT data_type FROM information_schema.columns"
        " WHERE table_name = %s AND column_name = %s",
        [table, column],
    ).fetchone()
    assert kind
    value = CHANGES.get(kind[0], "{} || '7'").replace("{}", f'"{column}"')
    if column == "account_id":
        return True  # nobody's here: a writer more is refused by the table itself
    some = {"device_id": " WHERE device_id IS NOT NULL", "automatic": " WHERE automatic <> ''"}.get(
        column, ""
    )
    cell = forger.execute(
        f'SELECT ctid::text, "{column}"::text FROM {table}{some} ORDER BY {key} LIMIT 1'
    ).fetchone()
    assert cell
    place, former = cell
    changed = forger.execute(
        f'UPDATE {table} SET "{column}" = {value} WHERE ctid = %s::tid RETURNING ctid::text',
        [place],
    ).fetchone()
    assert changed
    try:
        return bool(differences(club))
    finally:
        forger.execute(
            f'UPDATE {table} SET "{column}" = %s::text::{kind[0]} WHERE ctid = %s::tid',
            [former, changed[0]],
        )


def test_a_season_that_a_sealed_game_never_was_of_is_named(
    table: Table, forger: psycopg.Connection[TupleRow], club: Club
) -> None:
    row = finished_season_game(table)
    open_game_seal(row=row, length=1, writer=Writer(automatic="odds"))
    assert differences(club) == set()
    other = SeasonFactory.create(club=club)
    forger.execute("UPDATE league_seasonopengame SET season_id = %s", [other.pk])
    assert differences(club) == {("open game", "place")}
    forger.execute("UPDATE league_seasonopengame SET season_id = %s", [row.season_id])


def test_a_last_entry_that_is_gone_is_named_by_the_log(
    table: Table, forger: psycopg.Connection[TupleRow]
) -> None:
    club = table.stage_round.stage.event.club
    written_game(table)
    forger.execute("DELETE FROM games_sheetentry WHERE number = 3")
    assert ("open game", "length") in differences(club)
    forger.execute("DELETE FROM games_sealedsheet")
    assert not SealedSheet.objects.exists()


def test_the_service_can_change_no_entry(table: Table) -> None:
    written_game(table)
    for name in ("OpenGame", "OpenSeat", "OpenSheet", "SheetEntry", "SealedSheet"):
        model = apps.get_model("games", name)
        with pytest.raises(Exception, match=r"refused|permission denied"):
            model._default_manager.all()._raw_delete("default")


def test_many_open_games_take_no_more_statements_than_one(table: Table) -> None:
    club = table.stage_round.stage.event.club
    statements = []
    for number in (1, 2):
        written_game(Table.objects.get(stage_round=table.stage_round, number=number))
        with CaptureQueriesContext(connection) as captured:
            assert differences(club) == set()
        statements.append(len(captured))
    assert statements[0] == statements[1]


@pytest.mark.parametrize("wrong", [{"length": 1}, {"length": 100}, {"link": b"x" * 32}])
def test_a_sheet_says_nothing_of_its_entries_but_what_they_are(
    table: Table, wrong: dict[str, Any]
) -> None:
    sheets = OpenSheet.objects.filter(open_game__public_id=written_game(table))
    sheets.update(heard_at=timezone.now())
    with pytest.raises(ProgrammingError, match="something else of its entries"):
        sheets.update(**wrong)


def test_the_chain_can_be_computed_by_anybody(table: Table) -> None:
    written = sheet_written(written_game(table))
    link = sha256(b"cups-up/sheet/1\n" + bytes(written.row.open_game.digest)).digest()
    for entry in sheet_entries(written.row):
        link = sha256(link + canonical_json(json.loads(json.dumps(entry)))).digest()
    assert link == bytes(written.row.link)
