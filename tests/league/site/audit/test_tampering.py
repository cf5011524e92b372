"""What the owner of the database changes in a fact, adds or deletes with triggers off, `manage.py
verify` locates: it names the noun and the row.

Facts and their columns are found by introspection. A new kind of fact needs a line in `NAMED_BY`
and a row in the `world`; a new column needs nothing. A model itself says which of its fields
nothing proves (`Fact.unproven`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from pytest_django import DjangoDbBlocker

from engine.record.canonical import canonical_json
from engine.record.club_log import first_digest, next_digest
from engine.record.receipt import check_receipt, read_receipt
from engine.sheet.entry import stored_entry
from games.models import HiddenAct, SheetEntry, Void
from games.models.fact import Fact
from games.models.public_id import PublicIdField
from games.services.open_game import Writer, entry_add
from league.core.log.models import LogEntry, LogHead
from league.core.log.queries import entry_of, log_chunks
from league.core.log.receipt import receipt_text
from league.disputes.objection.models import ObjectionEnd
from league.models import Club, Draw, SeasonOpenGame, TableOpenGame, User, Walkover
from league.sheets.branch.services import table_branch_keep
from league.sheets.sheet.services.open_game import open_game_seal
from league.site.audit.queries.club import CLUB, OF_CLUB, Section
from league.standings.ranked_game.actions import ObjectionAction
from league.up.roles import connected_as, facts
from tests.database import lasting
from tests.league.play.online_table.kniffel import kniffel_table, opened, play_on
from tests.league.site.audit.differences import club_differences
from tests.league.site.audit.test_ledger import club_of_today, other_value

Column: TypeAlias = "models.Field[Any, Any]"


class Place(NamedTuple):
    """How a verification names the rows of a model: by one of these nouns, and by what these paths
    lead to."""

    nouns: tuple[str, ...]
    paths: tuple[str, ...]


NAMED_BY: Final[dict[str, Place]] = {
    "Agreement": Place(("agreement",), ("proposal__public_id", "seat")),
    "Appeal": Place(("appeal",), ("public_id",)),
    "AppealEnd": Place(("appeal",), ("appeal__public_id",)),
    "ArbiterAcceptance": Place(("arbiter acceptance",), ("invitation__public_id",)),
    "ArbiterAssent": Place(("arbiter assent",), ("acceptance__invitation__public_id", "seat")),
    "ArbiterInvitation": Place(("arbiter invitation",), ("public_id",)),
    "ArbiterInvitationEnd": Place(("arbiter invitation",), ("invitation__public_id",)),
    "BranchAgreement": Place(("branch agreement",), ("branch__public_id", "seat")),
    "DealerSecret": Place(("dealer secret",), ("commitment",)),
    "Draw": Place(("draw",), ("public_id",)),
    "Evidence": Place(("evidence",), ("public_id",)),
    "Game": Place(("game",), ("public_id",)),
    "Handle": Place(("handle",), ("player__public_id",)),
    "Hearing": Place(("hearing",), ("public_id",)),
    "HiddenAct": Place(("hidden act",), ("sheet__open_game__public_id",)),
    "LogEntry": Place(("log",), ("position",)),
    "Objection": Place(("objection",), ("public_id",)),
    "ObjectionEnd": Place(("objection",), ("objection__public_id",)),
    "OpenGame": Place(("open game", "sealed sheet"), ("public_id",)),
    "OpenSeat": Place(("open game",), ("open_game__public_id",)),
    "OpenSheet": Place(("open game",), ("open_game__public_id",)),
    "Penalty": Place(("penalty",), ("public_id",)),
    "Photo": Place(("photo",), ("public_id",)),
    "PlayAgain": Place(("play again",), ("void__game__public_id", "void__number")),
    "Proposal": Place(("proposal",), ("public_id",)),
    "Round": Place(("round", "game"), ("game__public_id",)),
    "Ruling": Place(("ruling",), ("public_id",)),
    "SealedSheet": Place(("sealed sheet",), ("game__public_id",)),
    "SeasonGame": Place(("game",), ("game__public_id",)),
    "SeasonOpenGame": Place(("open game",), ("open_game__public_id",)),
    "Seat": Place(("seat", "game"), ("game__public_id",)),
    "SetOrder": Place(("set order",), ("game__public_id", "number")),
    "SheetBranch": Place(("branch",), ("public_id",)),
    "SheetEntry": Place(("sheet entry", "open game"), ("sheet__open_game__public_id",)),
    "SheetSubmission": Place(("submission",), ("table_open_game__open_game__public_id",)),
    "Statement": Place(("statement",), ("public_id",)),
    "TableGame": Place(("table game",), ("game__public_id",)),
    "TableOpenGame": Place(("open game",), ("open_game__public_id",)),
    "Void": Place(("void",), ("game__public_id", "number")),
    "Walkover": Place(("walkover",), ("table__public_id", "revision")),
}
HARMLESS: Final = {"DealerSecret": "no game is committed to one more secret"}
"""Kinds of facts of which a row more is no difference, and why."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Club]:
    """A club with a row of each kind of fact, for the owner of the database with triggers off."""
    with (
        django_db_blocker.unblock(),
        connected_as(settings.DATABASE_OWNER_URL),
        lasting(django_db_blocker),
    ):
        club = club_of_today()
        table = opened(club)
        play_on(table, kniffel_table(table, 1), Random(1))
        season_game_sealed()
        branch_by_account()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET LOCAL session_replication_role = replica")
        yield club


def season_game_sealed() -> None:
    """Seal a game of a season that an account wrote down."""
    row = SeasonOpenGame.objects.latest("pk")
    account = User.objects.earliest("pk")
    writer = Writer(account=(account.pk, account.public_id))
    entry = stored_entry("close", {"ended": "clock"})
    entry_add(open_game=row.open_game.public_id, length=0, entry=entry, writer=writer, key=uuid4())
    open_game_seal(row=row, length=1, writer=writer)


def branch_by_account() -> None:
    """Keep something that an account wrote for a sheet and that can't stand there."""
    row = TableOpenGame.objects.filter(open_game__sheet__length__gt=0).earliest("pk")
    account = User.objects.earliest("pk")
    entries = [{"key": str(uuid4()), "act": "note", "value": {"bid": "2x4"}, "at": None}]
    writer = Writer(account=(account.pk, account.public_id))
    table_branch_keep(row=row, after=0, entries=entries, writer=writer, key=uuid4())


@contextmanager
def tampered() -> Iterator[None]:
    """Whatever is changed in the block is as before after it."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)


FOUND_IN: Final[dict[tuple[str, ...], int]] = {}
"""The part of a verification that found the last difference of a kind: it is asked first, which
saves time."""


def is_located(club: Club, place: Place, name: str) -> bool:
    """Whether the verification of the club's facts names this row, under one of the nouns of its
    kind; also as that which isn't there."""
    for number in sorted(
        range(len(OF_CLUB)), key=lambda number: number != FOUND_IN.get(place.nouns)
    ):
        found = Section(CLUB, number).verify(club.pk, {}, styles=False).differences
        if any(one.table in place.nouns and name in str(one) for one in found):
            FOUND_IN[place.nouns] = number
            return True
    return False


def columns() -> list[Any]:
    """Every sealed column of every kind of fact; not the numbers that the database gives to
    rows."""
    return [
        pytest.param(model, column, id=f"{model.__name__}.{column.name}")
        for model in facts()
        for column in model._meta.concrete_fields
        if column.name not in model.unsealed and not isinstance(column, models.AutoField)
    ]


def changes(model: type[Fact], column: Column) -> Iterator[str]:
    """Other values of a column, in SQL: for a reference another row that is there, and one that
    isn't."""
    name = f'"{column.column}"'
    if column.is_relation:
        target = column.target_field  # type: ignore[attr-defined]
        key, rows, own = (
            f'"{target.column}"',
            target.model._meta.db_table,
            f"{model._meta.db_table}.{name}",
        )
        yield f"(SELECT max({key}) FROM {rows} related WHERE related.{key} IS DISTINCT FROM {own})"
    yield other_value(model, column)
    if isinstance(column, PublicIdField):
        yield f"regexp_replace({name}, '[^9]', '9')"
    elif isinstance(column, models.CharField | models.TextField):
        yield f"regexp_replace({name}, '[0-8]', '9')"


def changed_row(model: type[Fact], column: Column, value: str) -> str | None:
    """Change the column in the first row that takes the value; what named that row. None: no row
    takes it."""
    place, table = NAMED_BY[model.__name__], model._meta.db_table
    rows = model._base_manager.order_by("pk").values_list("pk", *place.paths)
    keys = " AND ".join(f'"{field.column}" = %s' for field in model._meta.pk_fields)
    for key, *parts in rows:
        arguments = key if isinstance(key, tuple) else (key,)
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(
                    f'UPDATE {table} SET "{column.column}" = {value}'
                    f' WHERE {keys} AND "{column.column}" IS DISTINCT FROM {value}',
                    arguments,
                )
                if cursor.rowcount:
                    return " ".join(map(str, parts))
        except IntegrityError:
            continue
    return None


def test_every_kind_of_fact_has_rows_of_which_nothing_is_false(world: Club) -> None:
    assert {model.__name__ for model in facts()} == NAMED_BY.keys()
    assert [model.__name__ for model in facts() if not model._base_manager.exists()] == []
    assert list(club_differences(world.pk, styles=False)) == []


@pytest.mark.parametrize(("model", "column"), columns())
def test_a_changed_cell_is_located(world: Club, model: type[Fact], column: Column) -> None:
    tried = 0
    for value in changes(model, column):
        with tampered():
            name = changed_row(model, column, value)
            tried += name is not None
            if name is not None:
                located = is_located(world, NAMED_BY[model.__name__], name)
                assert located == (column.name not in model.unproven), value
    assert tried


@pytest.mark.parametrize("model", [Draw, Void, Walkover], ids=lambda model: model.__name__)
def test_a_changed_reason_is_located(world: Club, model: type[Draw | Void | Walkover]) -> None:
    """It isn't sealed, for a name in it may be removed; the log tells when."""
    place = NAMED_BY[model.__name__]
    with_reason = model._base_manager.exclude(reason="")
    key, *parts = with_reason.order_by("pk").values_list("pk", *place.paths)[0]
    with tampered():
        model._base_manager.filter(pk=key).update(reason="Nothing.")
        assert is_located(world, place, " ".join(map(str, parts)))


@pytest.mark.parametrize("model", facts(), ids=lambda model: model.__name__)
def test_a_deleted_row_is_located(world: Club, model: type[Fact]) -> None:
    place = NAMED_BY[model.__name__]
    key, *parts = model._base_manager.order_by("-pk").values_list("pk", *place.paths)[0]
    with tampered():
        model._base_manager.filter(pk=key)._raw_delete("default")
        assert is_located(world, place, " ".join(map(str, parts)))


def added_row(model: type[Fact]) -> str | None:
    """Add a copy of the last row under keys of its own; what names the new row. None: the database
    takes none."""
    place, table = NAMED_BY[model.__name__], model._meta.db_table
    before = set(model._base_manager.values_list("pk", flat=True))
    values = {f'"{field.column}"': f'"{field.column}"' for field in model._meta.concrete_fields}
    values |= {f'"{field.column}"': new_key(model, field) for field in keys_of(model)}
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(values)})"
                f" SELECT {', '.join(values.values())} FROM {table}"
                f" WHERE ctid = (SELECT max(ctid) FROM {table})"
            )
    except IntegrityError:
        return None
    rows = model._base_manager.values_list("pk", *place.paths)
    (added,) = [parts for key, *parts in rows if key not in before]
    return " ".join(map(str, added))


def keys_of(model: type[Fact]) -> list[Column]:
    """The columns that have to be others in another row: of each key the last one that is no
    reference, if it has such."""
    keys = [[field.name] for field in model._meta.concrete_fields if field.unique]
    keys += [list(constraint.fields) for constraint in model._meta.total_unique_constraints]
    keys.append([field.name for field in model._meta.pk_fields])
    fields = {field.name: field for field in model._meta.concrete_fields}
    chosen = [
        min((fields[name] for name in reversed(names)), key=lambda field: field.is_relation)
        for names in keys
    ]
    return list(dict.fromkeys(chosen))


def new_key(model: type[Fact], column: Column) -> str:
    """SQL of a value that no row of the model has in the column; for a reference a row that is
    there."""
    table, name = model._meta.db_table, f'"{column.column}"'
    if column.is_relation:
        target = column.target_field  # type: ignore[attr-defined]
        key, rows = f'"{target.column}"', target.model._meta.db_table
        return f"(SELECT max({key}) FROM {rows} WHERE {key} NOT IN (SELECT {name} FROM {table}))"
    if isinstance(column, models.IntegerField):
        return f"(SELECT max({name}) + 1 FROM {table})"
    return other_value(model, column)


@pytest.mark.parametrize("model", facts(), ids=lambda model: model.__name__)
def test_an_added_row_is_located(world: Club, model: type[Fact]) -> None:
    with tampered():
        name = added_row(model)
        if name is None:
            pytest.skip("the database takes no other row of this kind")
        located = is_located(world, NAMED_BY[model.__name__], name)
        assert located == (model.__name__ not in HARMLESS)


def numbered() -> list[type[Fact]]:
    """Every kind of fact that is numbered within something else."""
    return [
        model for model in facts() if any(field.name == "number" for field in model._meta.fields)
    ]


@pytest.mark.parametrize("model", numbered(), ids=lambda model: model.__name__)
def test_a_last_row_that_was_moved_further_is_located(world: Club, model: type[Fact]) -> None:
    """It is still the last one, so nothing else changes its place."""
    place = NAMED_BY[model.__name__]
    rows: Any = model._base_manager  # the types know no `number` of all of them
    key, number = rows.order_by("-number", "-pk").values_list("pk", "number")[0]
    with tampered():
        rows.filter(pk=key).update(number=number + 1)
        (parts,) = rows.filter(number=number + 1).values_list(*place.paths)
        assert is_located(world, place, " ".join(map(str, parts)))


def test_an_answer_that_was_exchanged_after_the_turn_is_located(world: Club) -> None:
    doubts = HiddenAct.objects.filter(act="answer", value__contains='"doubt":true')
    act = doubts.select_related("sheet__open_game").earliest("number")
    with tampered():
        HiddenAct.objects.filter(pk=act.pk).update(value=act.value.replace("true", "false"))
        assert is_located(world, NAMED_BY["HiddenAct"], act.sheet.open_game.public_id)


def test_dice_that_stayed_in_secret_and_were_exchanged_after_the_turn_are_located(
    world: Club,
) -> None:
    shown = SheetEntry.objects.filter(act="reveal", value__contains='"rolls"').values_list(
        "number", "value"
    )
    assert shown, "somebody doubted"
    for act in (
        HiddenAct.objects.filter(act="roll").exclude(value__contains="[]").order_by("number")
    ):
        with tampered():
            value = json.loads(act.value) | {"keep": [0]}
            text = json.dumps(value, sort_keys=True, separators=(",", ":"))
            HiddenAct.objects.filter(pk=act.pk).update(value=text)
            if text != act.value and is_located(
                world, NAMED_BY["HiddenAct"], act.sheet.open_game.public_id
            ):
                return
    raise AssertionError("no exchanged die was found")


def rewritten(club: Club, entry: LogEntry, payload: dict[str, Any]) -> None:
    """Let an entry of the log tell something else, and compute all digests anew, up to the end."""
    digest = first_digest(club.public_id)
    for row in LogEntry.objects.filter(club=club).select_related("actor").order_by("position"):
        if row.position == entry.position:
            row.payload = canonical_json(payload).decode()
        digest = next_digest(digest, entry_of(row, row.actor.public_id if row.actor else None))
        LogEntry.objects.filter(pk=row.pk).update(payload=row.payload, digest=digest)
    LogHead.objects.filter(club=club).update(digest=digest)


def test_a_ruling_that_was_rewritten_with_the_whole_log_is_found_by_its_receipt_alone(
    world: Club,
) -> None:
    entry = (
        LogEntry.objects.filter(club=world, action=ObjectionAction.ENDED)
        .select_related("club")
        .latest("position")
    )
    receipt = read_receipt(receipt_text(entry))
    assert check_receipt(b"".join(log_chunks(world.pk)).splitlines(), receipt).error is None
    with tampered():
        payload = json.loads(entry.payload)
        (stated,) = payload["rows"]["objection"]
        payload["rows"]["objection"][stated]["way"] = payload["way"] = "withdrawn"
        ObjectionEnd.objects.filter(objection__public_id=stated).update(way="withdrawn")
        rewritten(world, entry, payload)
        assert list(club_differences(world.pk, styles=False)) == [], "the club looks whole"
        error = check_receipt(b"".join(log_chunks(world.pk)).splitlines(), receipt).error
        assert error is not None
        assert error.code == "receipt_mismatch"
