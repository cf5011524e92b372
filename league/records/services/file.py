"""Importing game records into a season: one game, one transaction; the same game again changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import partial
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction

from engine.illegal import Illegal
from engine.messages import say
from engine.notation.files import record_lines
from engine.record.canonical import content_digest
from engine.record.record import Record, parse
from engine.record.verdict import Verdict
from games.models import Game
from games.services.game import Conflict
from league.clubs.models import User
from league.clubs.queries.lookalike import Lookalike, Lookalikes
from league.clubs.services.player import NoTable, folded, players_missing
from league.log.services import Actor, Journal, club_journal
from league.records.services.game import Voided, conflict_error, game_entered, read_for, record_take, sealing_hold
from league.seasons.models import Season

BAD_GAMES_REPORTED = 1000  # a report lists so many bad games and counts the others
NAMING = 1000  # records that are asked which season they belong to
SLUG = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Outcome(StrEnum):
    """All that became of one record."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Imported:
    """One record's end: the game it became or was before, or what is wrong with it. `line` counts from 1."""

    line: int
    record_id: str | None
    outcome: Outcome
    game: Game | None = None
    error: Illegal | None = None
    new_players: tuple[str, ...] = ()

    def bad_json(self) -> dict[str, Any]:
        """A bad record for a report: line, id, and the error's code, place and message."""
        error = self.error.as_json() if self.error else {}
        return {"line": self.line, "id": self.record_id, **error}

    def reported(self) -> dict[str, Any]:
        """As `bad_json`, for a report that is kept: from `said`, pages say the message in their reader's language."""
        return self.bad_json() | ({"said": self.error.message.as_json()} if self.error else {})


@dataclass(slots=True)
class Report:
    """All that became of a file. `refused`: it was all or nothing, and nothing was imported. `lookalikes`: of a
    preview, the new handles that look like others."""

    read: int = 0
    created: int = 0
    unchanged: int = 0
    bad: int = 0
    refused: bool = False
    new_players: list[str] = field(default_factory=list)
    lookalikes: list[Lookalike] = field(default_factory=list)
    bad_games: list[dict[str, Any]] = field(default_factory=list)

    def add(self, imported: Imported) -> None:
        """Count one record in."""
        self.read += 1
        setattr(self, imported.outcome, getattr(self, imported.outcome) + 1)
        self.new_players += imported.new_players
        if imported.error and len(self.bad_games) < BAD_GAMES_REPORTED:
            self.bad_games.append(imported.reported())

    def as_json(self) -> dict[str, Any]:
        """The report as it is stored and sent."""
        return asdict(self)


class _Refused(Exception):
    """Rolls back a file of which everything or nothing was to go in."""


def content_import(
    *,
    content: bytes,
    many: bool,
    season: Season,
    entered_by: User,
    create_players: bool,
    all_or_nothing: bool,
) -> tuple[Report, list[Imported]]:
    """Import one record, or a file of `many`, that a program sent: the report, and the end of every record, but of bad
    ones only of the first `BAD_GAMES_REPORTED`. `all_or_nothing` as in `file_import`."""
    ends: list[Imported] = []
    bad_ends: list[Imported] = []
    report = Report()

    def keep(imported: Imported) -> None:
        if imported.error is None:
            ends.append(imported)
        elif len(bad_ends) < BAD_GAMES_REPORTED:
            ends.append(imported)
            bad_ends.append(imported)

    if many:
        report = file_import(
            stream=BytesIO(content), season=season, entered_by=entered_by, create_players=create_players,
            all_or_nothing=all_or_nothing, ended=keep,
        )  # fmt: skip
    else:
        imported = record_import(season=season, line=content, entered_by=entered_by, create_players=create_players)
        report.add(imported)
        keep(imported)
    return report, ends


def season_named(content: bytes, *, many: bool) -> str | None:
    """The slug of the season that the first record with one names, of the first `NAMING`; None: there is none, or it is
    no slug."""
    lines = islice(record_lines(BytesIO(content), settings.IMPORT_LIMITS), NAMING) if many else ()
    contents = (line.content for line in lines) if many else [content]
    values = (parse(record) for record in contents if isinstance(record, bytes))
    slugs = (value["season"] for value in values if isinstance(value, dict) and "season" in value)
    slug = next(slugs, None)
    return slug if isinstance(slug, str) and SLUG.fullmatch(slug) else None


def file_import(
    *,
    stream: BinaryIO,
    season: Season,
    entered_by: User | None = None,
    create_players: bool = True,
    all_or_nothing: bool = False,
    progress: Callable[[], None] = lambda: None,
    ended: Callable[[Imported], None] = lambda imported: None,
) -> Report:
    """Import a stream of games (records as JSON Lines or the text notation, plain or gzip) into a season.

    Good games go in and bad ones are reported; `all_or_nothing` refuses the whole file instead. `progress` is called
    after every line, `ended` with every record's end.
    """
    importing = partial(record_import, season=season, entered_by=entered_by, create_players=create_players)
    if not all_or_nothing:
        return _each_line(stream, importing, progress, ended)
    report = Report()
    try:
        with club_journal(season.club_id, _actor(entered_by)) as journal:
            sealing_hold(journal)
            report = _each_line(stream, partial(importing, journal=journal), progress, ended)
            report.refused = report.bad > 0
            if report.refused:
                raise _Refused
    except _Refused:
        pass
    return report


def file_preview(
    *,
    stream: BinaryIO,
    season: Season,
    create_players: bool = True,
    all_or_nothing: bool = False,
    progress: Callable[[], None] = lambda: None,
    ended: Callable[[Imported], None] = lambda imported: None,
) -> Report:
    """Return what an import of the stream would do. Nothing is written, and nobody has to wait meanwhile."""
    preview = Preview(season, create_players)
    report = _each_line(stream, preview.record, progress, ended)
    report.lookalikes = preview.lookalikes
    report.refused = all_or_nothing and report.bad > 0
    return report


def _each_line(
    stream: BinaryIO,
    take: Callable[..., Imported],
    progress: Callable[[], None],
    ended: Callable[[Imported], None],
) -> Report:
    """Hand over every line and count what becomes of it, until too many are bad for one to be the fault."""
    report = Report()
    for line in record_lines(stream, settings.IMPORT_LIMITS):
        if report.bad == settings.IMPORT_MAX_BAD:
            line = line._replace(content=_too_many_bad())
        imported = (
            Imported(line.number, None, Outcome.BAD, error=line.content)
            if isinstance(line.content, Illegal)
            else take(line=line.content, line_number=line.number)
        )
        report.add(imported)
        ended(imported)
        progress()
        if report.bad > settings.IMPORT_MAX_BAD:
            break
    return report


def _too_many_bad() -> Illegal:
    message = say("{most} games of this file are bad: what follows wasn't read", most=settings.IMPORT_MAX_BAD)
    return Illegal("too_many_bad", message)


def record_import(
    *,
    season: Season,
    line: bytes,
    line_number: int = 1,
    entered_by: User | None = None,
    create_players: bool = True,
    journal: Journal | None = None,
    places_alone: bool = False,
) -> Imported:
    """Import one record in one transaction, that of the `journal` if there is one. Whatever the bytes are, the answer
    is an `Imported`, never an error. With `places_alone` a game is taken, too, that tells no points where they count.

    Codes beside those of the record format: `conflict`, `voided`, `unknown_player`, `same_player_twice`,
    `other_season`, `other_game`, `other_rules`.
    """
    record, verdict, error = read_for(season, line, places_alone=places_alone)
    if record is None or error is not None:
        return Imported(line_number, record.record_id if record else None, Outcome.BAD, error=error)
    try:
        if journal is None:
            with club_journal(season.club_id, _actor(entered_by)) as own:
                return _import(own, season, record, verdict, line_number, create_players)
        noted = len(journal.entries)
        try:
            with transaction.atomic():
                return _import(journal, season, record, verdict, line_number, create_players)
        except (Conflict, NoTable, Voided):
            del journal.entries[noted:]
            raise
    except Conflict as conflict:
        return Imported(line_number, record.record_id, Outcome.BAD, game=conflict.game, error=conflict_error(record))
    except (NoTable, Voided) as refused:
        return Imported(line_number, record.record_id, Outcome.BAD, error=refused.illegal)


class Preview:
    """All that an import would do with one record after the other."""

    def __init__(self, season: Season, create_players: bool) -> None:
        self.season = season
        self.create_players = create_players
        self.seen: dict[str, bytes] = {}
        self.new_players: set[str] = set()
        self.known = Lookalikes(season.club_id)
        self.lookalikes: list[Lookalike] = []

    def record(self, *, line: bytes, line_number: int) -> Imported:
        """Return what would become of one record; the answer is that of `record_import`."""
        record, _, error = read_for(self.season, line)
        if record is None or error is not None:
            return Imported(line_number, record.record_id if record else None, Outcome.BAD, error=error)
        try:
            stored_game = game_entered(record, self.season.club.source)
            content = content_digest(record)
            if stored_game or self.seen.get(record.record_id) == content:
                return Imported(
                    line_number, record.record_id, Outcome.UNCHANGED, game=stored_game.game if stored_game else None
                )
            if record.record_id in self.seen:
                return Imported(line_number, record.record_id, Outcome.BAD, error=conflict_error(record))
            missing = players_missing(self.season.club_id, record.seats, create=self.create_players)
        except Conflict as conflict:
            return Imported(
                line_number, record.record_id, Outcome.BAD, game=conflict.game, error=conflict_error(record)
            )
        except (NoTable, Voided) as refused:
            return Imported(line_number, record.record_id, Outcome.BAD, error=refused.illegal)
        self.seen[record.record_id] = content
        keys = folded(missing) if missing else []
        newcomers = tuple(handle for handle, key in zip(missing, keys, strict=True) if key not in self.new_players)
        self.new_players.update(keys)
        self.lookalikes += self.known.among(newcomers)
        return Imported(line_number, record.record_id, Outcome.CREATED, new_players=newcomers)


def _import(
    journal: Journal,
    season: Season,
    record: Record,
    verdict: Verdict,
    line_number: int,
    create_players: bool,
) -> Imported:
    """Take the game into the season."""
    result = record_take(journal, season, record, verdict, create_players=create_players)
    outcome = Outcome.CREATED if result.created else Outcome.UNCHANGED
    return Imported(line_number, record.record_id, outcome, game=result.game, new_players=result.new_players)


def _actor(account: User | None) -> Actor:
    return Actor(account.pk if account else None)
