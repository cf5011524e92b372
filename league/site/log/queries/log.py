"""A club's log as its page shows it, with the names of its subjects unless they are forgotten."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.record.club_log import entry_json, first_digest, next_digest
from league.core import sql
from league.core.club.models import Club
from league.core.log.models import LogEntry, LogHead
from league.core.log.receipt import receipt_text
from league.core.log.texts import REASON
from league.site.log.domain import LogRow, changes_of
from league.standings.ranked_game.actions import GameAction

SERVICE: Final = "-"
"""The filter for entries without an account."""
ENTRIES: Final = """
    SELECT entry.position, entry.action, entry.subject, entry.payload, entry.names, entry.request_id, entry.reason,
        entry.at, entry.digest, previous.digest, account.public_id, account.username,
        COALESCE(player.name, season.name, game.external_id, member.username, ''), season.slug, online.public_id
    FROM league_logentry entry
    LEFT JOIN league_logentry previous ON previous.club_id = entry.club_id AND previous.position = entry.position - 1
    LEFT JOIN league_user account ON account.id = entry.actor_id
    LEFT JOIN league_player player ON player.public_id = entry.subject
    LEFT JOIN league_season season ON season.public_id = entry.subject
    LEFT JOIN games_game game ON game.public_id = entry.subject
    LEFT JOIN league_onlinetable online ON online.game_id = game.id
    LEFT JOIN league_user member ON member.public_id = entry.subject
    WHERE entry.club_id = %(club)s
"""
NARROWED: Final = {
    "action": "entry.action = %(action)s",
    "actor": "(account.public_id = %(actor)s OR lower(account.username) = lower(%(actor)s))",
    "subject": """(entry.subject = %(subject)s OR entry.subject IN (
            SELECT public_id FROM league_player called WHERE called.club_id = %(club)s AND (
                called.name ILIKE %(like)s OR EXISTS (
                    SELECT FROM league_handle named WHERE named.player_id = called.id AND named.handle ILIKE %(like)s))
        ) OR EXISTS (SELECT FROM jsonb_each(entry.names) word WHERE word.value->>1 ILIKE %(like)s))""",
    "since": "entry.at >= %(since)s",
    "until": "entry.at < %(until)s",
    "before": "entry.position < %(before)s",
}
"""The conditions of the filters. A subject is a public id or a part of somebody's name."""


@dataclass(frozen=True, slots=True)
class EntryFilters:
    """Filters for entries; None or an empty text lets all entries pass. `before`: a position;
    `actor`: an account, or `SERVICE`."""

    action: str = ""
    actor: str = ""
    subject: str = ""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None


def log_rows(head: LogHead, filters: EntryFilters, count: int) -> list[LogRow]:
    """Return the latest entries of a club's log that pass the filters, newest first, in one
    query."""
    values = {name: getattr(filters, name) for name in NARROWED if getattr(filters, name)}
    conditions = []
    for name, value in values.items():
        is_service = name == "actor" and value == SERVICE
        conditions.append("entry.actor_id IS NULL" if is_service else NARROWED[name])
    further_conditions = "".join(f" AND {condition}" for condition in conditions)
    pattern = "%" + re.sub(r"([\\%_])", r"\\\1", filters.subject) + "%"
    rows = sql.rows(
        f"{ENTRIES}{further_conditions} ORDER BY entry.position DESC LIMIT %(count)s",
        {**values, "club": head.club_id, "like": pattern, "count": count},
    )
    return [_log_row(head.club, *row) for row in rows]


def _log_row(
    club: Club,
    position: int,
    action: str,
    subject: str,
    payload: str,
    names: str | None,
    request: str,
    reason: str,
    at: datetime,
    digest: bytes,
    previous: bytes | None,
    actor: str | None,
    actor_name: str | None,
    name: str,
    season: str | None,
    online_table: str | None,
) -> LogRow:
    """Return the entry in a row of the query `ENTRIES`."""
    parsed_payload = json.loads(payload)
    texts = json.loads(names) if names else {}
    entry = entry_json(
        position=position,
        action=action,
        subject=subject,
        payload=parsed_payload,
        actor=actor,
        request=request,
        reason=reason,
        at=at,
    )
    previous_digest = b"" if previous is None else bytes(previous)
    if position == 1:
        previous_digest = first_digest(club.public_id)
    return LogRow(
        position=position,
        action=action,
        subject=subject,
        reason=texts[REASON][1] if REASON in texts else reason,
        request=request,
        at=at,
        actor=actor,
        actor_name=actor_name,
        name=name,
        season=season,
        online_table=online_table,
        digest=bytes(digest).hex(),
        follows=next_digest(previous_digest, entry) == bytes(digest),
        changes=changes_of(parsed_payload, texts),
        corrects=parsed_payload["replaces"] if action == GameAction.CORRECTED else "",
        receipt=receipt_text(
            LogEntry(club=club, position=position, action=action, at=at, digest=digest)
        ),
    )
