"""Removing the words and files of statements: after a while, if they name somebody, or with an
erased player. The digests stay in the log."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.utils import timezone

from league.core.log.erasure import subject_words_forget
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.models import Player
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.models import EVIDENCE, STATEMENT, Evidence, Statement
from league.disputes.statement.queries.statement import (
    CLUB,
    clubs_due,
    files_due,
    statements_by,
    statements_due,
)

BATCH: Final = 100
"""The rows that are emptied in one transaction."""


def statement_words_remove(*, statement: Statement, actor: Actor) -> None:
    """Remove the words of a statement, loaded with its game and season. Removing them again changes
    nothing."""
    with club_journal(
        statement.game.season_game.season.club_id, actor, lock_at_once=True
    ) as journal:
        words_drop(journal, [statement.pk])


def evidence_remove(*, evidence: Evidence, actor: Actor) -> None:
    """Remove a file, loaded with its statement, game and season. Removing it again changes
    nothing."""
    club_id = evidence.statement.game.season_game.season.club_id
    with club_journal(club_id, actor, lock_at_once=True) as journal:
        files_drop(journal, [evidence.pk])


def words_drop(journal: Journal, statements: Collection[int]) -> None:
    """Empty these statements, given by row id, and their texts in the log, under the log's lock."""
    rows = Statement.objects.filter(pk__in=statements, removed_at=None).order_by("pk")
    public_ids = dict(rows.values_list("pk", "public_id"))
    Statement.objects.filter(pk__in=public_ids).update(word="", removed_at=journal.at)
    for row, public_id in public_ids.items():
        journal.add(StatementAction.EMPTIED, public_id)
        journal.record(STATEMENT, [row], ["word", "removed_at"])
    subject_words_forget(journal.club_id, public_ids.values(), "word")


def files_drop(journal: Journal, files: Collection[int]) -> None:
    """Empty these files, given by row id, under the log's lock."""
    rows = Evidence.objects.filter(pk__in=files, removed_at=None).order_by("pk")
    statement_ids = dict(rows.values_list("pk", "statement__public_id"))
    public_ids = dict(rows.values_list("pk", "public_id"))
    Evidence.objects.filter(pk__in=public_ids).update(content=b"", removed_at=journal.at)
    for row, public_id in public_ids.items():
        journal.add(StatementAction.FILE_REMOVED, statement_ids[row], {"evidence": public_id})
        journal.record(EVIDENCE, [row], ["content", "removed_at"])


def statements_forget(journal: Journal, players: Collection[Player]) -> None:
    """Remove the words and files of all statements in this club that were made for the seats of
    erased players, or by their accounts."""
    rows = statements_by(journal.club_id, players)
    files = Evidence.objects.filter(statement__in=rows.values("pk"))
    files_drop(journal, list(files.values_list("pk", flat=True)))
    words_drop(journal, list(rows.values_list("pk", flat=True)))


def old_statements_forget() -> None:
    """Remove the words and files about all games whose dispute has been over long enough.

    This works in batches, so that no club's log is locked for long. Each batch is read under the
    lock: if a seat objects meanwhile, everything stays."""
    now = timezone.now()
    for club_id in clubs_due(now):
        while _drop_batch(club_id, now):
            pass


def _drop_batch(club_id: int, at: datetime) -> bool:
    with club_journal(club_id, lock_at_once=True) as journal:
        files = files_due(at).filter(**{f"statement__{CLUB}": club_id}).order_by("pk")
        file_ids = list(files.values_list("pk", flat=True)[:BATCH])
        statements = statements_due(at).filter(**{CLUB: club_id}).order_by("pk")
        statement_ids = list(statements.values_list("pk", flat=True)[:BATCH])
        files_drop(journal, file_ids)
        words_drop(journal, statement_ids)
    return bool(file_ids or statement_ids)
