"""A club's log as its page shows it: with the names of what entries are about, as far as they aren't forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from league.log.chain import entry_json, first_digest, next_digest
from league.log.models import Action, LogHead

COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")
SERVICE: Final = "-"
"""Who asks for entries of no account asks for this one."""
ENTRIES: Final = """
    SELECT entry.position, entry.action, entry.subject, entry.payload, entry.names, entry.request_id, entry.reason,
        entry.at, entry.digest, previous.digest, account.public_id, account.username,
        COALESCE(player.name, season.name, game.external_id, member.username, ''), season.slug
    FROM league_logentry entry
    LEFT JOIN league_logentry previous ON previous.club_id = entry.club_id AND previous.position = entry.position - 1
    LEFT JOIN league_user account ON account.id = entry.actor_id
    LEFT JOIN league_player player ON player.public_id = entry.subject
    LEFT JOIN league_season season ON season.public_id = entry.subject
    LEFT JOIN games_game game ON game.public_id = entry.subject
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
"""What narrows the list, by the name of what is asked for. A subject is a public id or a part of somebody's name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which entries are wanted; None or empty: whichever. `before` is a position, `actor` an account or `SERVICE`."""

    action: str = ""
    actor: str = ""
    subject: str = ""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None


class LoggedChange(NamedTuple):
    """One thing that an entry tells: what it was before, where it tells that, and what it is now.

    `forgotten`: it was somebody's name.
    """

    what: str
    before: str
    after: str
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry. `actor` is the public id of an account, None for the service itself or the command line.

    `follows`: whether its digest follows from the entry before and from what it says. `name` is what the subject is
    called today, and `season` its slug if it is a season. `corrects` is the public id of the game that it corrects.
    """

    position: int
    action: str
    subject: str
    reason: str
    request: str
    at: datetime
    actor: str | None
    actor_name: str | None
    name: str
    season: str | None
    digest: str
    follows: bool
    changes: list[LoggedChange]
    corrects: str

    @property
    def label(self) -> str:
        """What was done, in words."""
        return str(Action(self.action).label)


def log_rows(head: LogHead, asked: Asked, count: int) -> list[LogRow]:
    """The latest entries of a club's log that are wanted, newest first, in one query."""
    wanted = {name: getattr(asked, name) for name in NARROWED if getattr(asked, name)}
    conditions = [NARROWED[name] for name in wanted if (name, wanted[name]) != ("actor", SERVICE)]
    if asked.actor == SERVICE:
        conditions.append("entry.actor_id IS NULL")
    like = "%" + re.sub(r"([\\%_])", r"\\\1", asked.subject) + "%"
    where = "".join(f" AND {condition}" for condition in conditions)
    with connection.cursor() as cursor:
        cursor.execute(
            f"{ENTRIES}{where} ORDER BY entry.position DESC LIMIT %(count)s",
            {**wanted, "club": head.club_id, "like": like, "count": count},
        )
        return [_row(head.club.public_id, *row) for row in cursor.fetchall()]


def _row(
    club: str,
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
) -> LogRow:
    logged = json.loads(payload)
    entry = entry_json(
        position=position,
        action=action,
        subject=subject,
        payload=logged,
        actor=actor,
        request=request,
        reason=reason,
        at=at,
    )
    before = bytes(previous) if previous is not None else first_digest(club) if position == 1 else b""
    return LogRow(
        position=position,
        action=action,
        subject=subject,
        reason=reason,
        request=request,
        at=at,
        actor=actor,
        actor_name=actor_name,
        name=name,
        season=season,
        digest=bytes(digest).hex(),
        follows=next_digest(before, entry) == bytes(digest),
        changes=changes_of(action, logged, json.loads(names) if names else None),
        corrects=logged["replaces"] if action == Action.GAME_CORRECTED else "",
    )


def changes_of(action: str, payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> list[LoggedChange]:
    """What the payload of an entry tells, with the words whose commitments it has; None: they are forgotten."""
    words = {place: word for place, (_, word) in names.items()} if names else {}
    logged = {place: words.get(place, value) for place, value in payload.items()}
    if isinstance(logged.get("before"), dict) and isinstance(logged.get("after"), dict):
        before, after = logged["before"], logged["after"]
    else:
        before = {_what(place): value for place, value in logged.items() if _is_before(place)}
        after = {_what(place): value for place, value in logged.items() if not _is_before(place)}
    return [
        LoggedChange(
            what,
            spelt(before.get(what, "")),
            spelt(after.get(what, "")),
            forgotten=names is None and _was_word(action, what, after.get(what)),
        )
        for what in [*before, *(what for what in after if what not in before)]
    ]


def _is_before(place: str) -> bool:
    return place == "before" or place.endswith("_before")


def _what(place: str) -> str:
    """What a key of a payload is about: `name_before` and `name_after` are both about `name`."""
    return "account" if place in ("before", "after") else place.removesuffix("_before").removesuffix("_after")


def _was_word(action: str, what: str, value: object) -> bool:
    """Whether this was somebody's name, or the name of a file."""
    named = action.startswith("player.") or (action, what) == (Action.IMPORT_UPLOADED, "file")
    return named and isinstance(value, str) and COMMITMENT.fullmatch(value) is not None


def spelt(value: object) -> str:
    """A value as people read it: texts as they are, nothing as a dash, all else as JSON."""
    if isinstance(value, str):
        return value
    return "–" if value is None else json.dumps(value, ensure_ascii=False)
