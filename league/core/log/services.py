"""Appending to a club's log: whatever a service changes has an entry."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import structlog
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Model, Subquery
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.club_log import commitment, first_digest, next_digest
from engine.record.reason import LENGTH
from league.core.log.actions import Action
from league.core.log.models import LogEntry, LogHead
from league.core.log.nouns import Noun, RowCells, RowKey
from league.core.log.queries import entry_of
from league.core.log.statements import ChangedRow, RowStatement, StoredRows, stored_rows
from league.core.log.texts import REASON, texts_apart

SALT = 16
REQUEST_ID = 36


@dataclass(frozen=True, slots=True)
class Actor:
    """The actor of a change: an account (None: the service itself, or the command line), the
    request, and the reason."""

    account_id: int | None = None
    reason: str = ""
    request_id: str = field(
        default_factory=lambda: str(structlog.contextvars.get_contextvars().get("request_id", ""))
    )

    def with_reason(self, text: str) -> Actor:
        """Return the same actor with a reason that everybody can read. Raise `Refused` if it is
        empty (`reason_needed`) or too long (`reason_too_long`)."""
        text = text.strip()
        if not text:
            raise Refused(Illegal("reason_needed", say("say why: everybody can read it")))
        if len(text) > LENGTH:
            message = say("a reason has at most {most} characters", most=LENGTH)
            raise Refused(Illegal("reason_too_long", message))
        return replace(self, reason=text)


@dataclass(slots=True)
class JournalEntry:
    """An entry to be written. `words`: the texts stored beside it, by place; `statement`: the rows
    that it states."""

    action: Action
    subject: str
    payload: Mapping[str, Any]
    words: Mapping[str, str]
    statement: RowStatement


@dataclass(slots=True)
class Journal:
    """The entries that one transaction appends to a club's log, in order, all with the time when it
    began."""

    club_id: int
    actor: Actor
    at: datetime = field(default_factory=timezone.now)
    entries: list[JournalEntry] = field(default_factory=list)
    pending: RowStatement = field(default_factory=RowStatement)
    """The rows that the next entry will state: they were named before any entry was added."""
    head: LogHead | None = None
    account: str | None = None
    """The public id of the actor's account, once the log's end is locked."""

    def add(
        self,
        action: Action,
        subject: str,
        payload: Mapping[str, Any] | None = None,
        *,
        names: Mapping[str, str] | None = None,
        texts: Collection[str] = (),
    ) -> None:
        """Add an entry for an action on a subject (a public id).

        Only commitments to `names`, such as people's names, get into the payload, under their keys.
        The same goes for free texts: `texts` are keys of the payload, or of objects within it such
        as `before`.
        """
        rest, words = texts_apart(payload or {}, texts)
        self.entries.append(
            JournalEntry(action, subject, rest, {**words, **(names or {})}, self.pending)
        )
        self.pending = RowStatement()

    def state(
        self, noun: Noun, rows: Iterable[Model | RowKey], columns: Collection[str] | None = None
    ) -> None:
        """Let the last added entry, or the first one if none is added yet, state these rows, each a
        model or a primary key. `columns`: the changed columns by their names in the log; None means
        all.

        The cells are read when the journal is written, so it doesn't matter when in the transaction
        they change.
        """
        changed_columns = None
        if columns is not None:
            changed_columns = frozenset(columns).intersection(noun.columns)
            if not changed_columns:
                return
        self._latest_statement.changed += [ChangedRow(noun, row, changed_columns) for row in rows]

    def state_gone(self, noun: Noun, keys: Iterable[RowKey]) -> None:
        """Let the same entry state that the rows with these primary keys are gone. Call it before
        they are deleted."""
        self._latest_statement.known.append((noun, dict.fromkeys(noun.names_of(keys))))

    def state_cells(self, noun: Noun, rows: Mapping[str, RowCells]) -> None:
        """Let the same entry state the cells of rows, by row name, before they change."""
        self._latest_statement.known.append((noun, {**rows}))

    @property
    def _latest_statement(self) -> RowStatement:
        if self.entries:
            return self.entries[-1].statement
        return self.pending

    def lock(self) -> LogHead:
        """Lock the log's end until the transaction ends, so that nobody else acts in the club
        meanwhile."""
        if self.head is None:
            heads = LogHead.objects.select_for_update()
            if self.actor.account_id:
                accounts = (
                    get_user_model().objects.filter(pk=self.actor.account_id).values("public_id")
                )
                heads = heads.annotate(account=Subquery(accounts))
            self.head = heads.get(club=self.club_id)
            self.account = getattr(self.head, "account", None)
        return self.head

    def write(self) -> None:
        """Append the entries that were added so far, for steps that must follow them in the log.
        The log's end is locked from then on.

        Raise `ValueError` if rows are stated without an entry.
        """
        if self.entries:
            _append(self)
            self.entries.clear()
        elif self.pending:
            raise ValueError("rows are stated, and no entry tells of what was done to them")


@contextmanager
def club_journal(
    club_id: int, actor: Actor | None = None, *, alone: bool = False
) -> Iterator[Journal]:
    """Open a transaction and yield its journal, whose entries are appended to the club's log at the
    end of the block.

    The log's end is locked as late as possible: others in the club wait only for this commit, not
    for the work before it. With `alone` it is locked from the start, so that nobody else acts in
    the club meanwhile.
    """
    with transaction.atomic():
        journal = Journal(club_id, actor or Actor())
        if alone:
            journal.lock()
        yield journal
        journal.write()


def changes_between(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the changed values by name as the log records them, under the keys `before` and
    `after`."""
    names = [name for name in after if after[name] != before[name]]
    return {
        "before": {name: before[name] for name in names},
        "after": {name: after[name] for name in names},
    }


def _append(journal: Journal) -> None:
    head = journal.lock()
    position = head.position
    digest = bytes(head.digest)
    stored = stored_rows(entry.statement for entry in journal.entries)
    rows = []
    for entry in journal.entries:
        position += 1
        row = _sealed_row(journal, entry, stored, position)
        digest = next_digest(digest, entry_of(row, journal.account))
        row.digest = digest
        rows.append(row)
    LogEntry.objects.bulk_create(rows)
    head.position = position
    head.digest = digest
    head.save(update_fields=["position", "digest"])


def _sealed_row(
    journal: Journal, entry: JournalEntry, stored: StoredRows, position: int
) -> LogEntry:
    """Return an entry's row, still without its digest: the payload has commitments in place of
    texts, which stand beside it with their salts."""
    actor = journal.actor
    stated_rows, statement_texts = entry.statement.payload(stored)
    texts_by_place = {**entry.words, **statement_texts}
    if actor.reason:
        texts_by_place[REASON] = actor.reason
    salted = {place: (secrets.token_bytes(SALT), text) for place, text in texts_by_place.items()}
    commitments = {place: commitment(salt, text) for place, (salt, text) in salted.items()}
    sealed = {**entry.payload, **stated_rows, **commitments}
    return LogEntry(
        club_id=journal.club_id,
        position=position,
        action=entry.action,
        subject=entry.subject,
        payload=json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        names={place: [salt.hex(), text] for place, (salt, text) in salted.items()} or None,
        actor_id=actor.account_id,
        request_id=actor.request_id[:REQUEST_ID],
        at=journal.at,
    )


def log_start(club_id: int, public_id: str) -> None:
    """Start the log of a new club."""
    LogHead.objects.create(club_id=club_id, digest=first_digest(public_id))
