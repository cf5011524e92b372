"""Handing in the two sheets of a game that two writers write down: once both are handed in, they
are revealed."""

from __future__ import annotations

from django.db import transaction

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import OpenSheet
from games.queries.open_game import sheet_entries
from games.services.open_game import KeyEnded, Overtaken, Writer, key_hold
from league.core.log.services import Actor, club_journal
from league.sheets.confirmation.models import SUBMISSION, SheetSubmission
from league.sheets.confirmation.queries.double_entry import is_of_two, is_own_sheet, rival_of
from league.sheets.sheet.actions import SheetAction
from league.sheets.sheet.models import ClubOpenGame, TableOpenGame
from league.stages.stage.services.version import version_raise


def refuse_entry(row: ClubOpenGame, writer: Writer) -> None:
    """Raise `Refused` if a writer may not write on one of two sheets: `other_sheet` if it is the
    other writer's, `handed_in` from its submission until both are compared."""
    if not is_of_two(row):
        return
    if not is_own_sheet(row, writer):
        raise Refused(
            Illegal("other_sheet", say("two write this game down, each on a sheet of their own"))
        )
    if row.concealed and hasattr(row, "submission"):
        raise Refused(
            Illegal(
                "handed_in", say("this sheet is handed in: it is compared once the other one is")
            )
        )


def sheet_submit(*, row: TableOpenGame, length: int, writer: Writer) -> bool:
    """Hand in one of two concealed sheets, and log its length and digest. Return True if the other
    one is handed in, too; both are then revealed. Idempotent.

    `length`: how many entries the writer has seen. Raise `KeyEnded`, `Overtaken`, and `Refused`:
    `not_over`, or `other_sheet` if the sheet isn't the writer's."""
    if not is_own_sheet(row, writer):
        refuse_entry(row, writer)
    with transaction.atomic():
        pair_hold(row)
        sheet = OpenSheet.objects.select_for_update(no_key=True).get(open_game=row.open_game_id)
        if not key_hold(writer):
            raise KeyEnded
        refuse_unfinished(sheet, length)
        with club_journal(
            row.table.stage_round.stage.event.club_id, Actor(writer.account_id)
        ) as journal:
            link = bytes(sheet.link)
            submission, is_new = SheetSubmission.objects.get_or_create(
                table_open_game=row,
                defaults={"length": length, "link": link, "made_at": journal.at},
            )
            if is_new:
                journal.add(
                    SheetAction.SUBMITTED,
                    row.open_game.public_id,
                    {"length": length, "link": link.hex(), "by": writer.as_json()},
                )
                journal.record(SUBMISSION, [submission])
            rival = rival_of(row)
            if rival is None:
                return False
            TableOpenGame.objects.filter(pk__in=(row.pk, rival.pk), concealed=True).update(
                concealed=False
            )
            version_raise(pk=row.table.stage_round.stage_id)
    row.concealed = False
    return True


def pair_hold(row: TableOpenGame) -> None:
    """Lock both open games of a table's game until the transaction ends. Of two writers who hand in
    or seal at the same time, the second then sees what the first has done.

    Lock the sheets only after this, or two transactions could wait for each other."""
    rows = TableOpenGame.objects.filter(table=row.table, number=row.number)
    # The rows are read only to be locked.
    list(rows.select_for_update(no_key=True).order_by("pk"))


def refuse_unfinished(sheet: OpenSheet, length: int) -> None:
    """Raise `Overtaken` if a locked sheet hasn't exactly the entries that its writer has seen, and
    `Refused` (`not_over`) if its game isn't over. `length`: how many entries the writer has seen.
    """
    if length != sheet.length:
        raise Overtaken(sheet.length, sheet_entries(sheet, length))
    if not sheet.over:
        raise Refused(
            Illegal(
                "not_over",
                say("the game isn't over yet: one seat is left in the end, or time is up"),
            )
        )
