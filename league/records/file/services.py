"""Importing game records into a season, in batches, each one transaction. Importing the same game
again changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from django.conf import settings

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.notation.files import record_lines
from engine.record.canonical import content_digest
from engine.record.lines import FileLine
from engine.record.record import Record, parse
from engine.record.verdict import Verdict
from games.models import Game
from games.services.game import Conflict
from league.core.account.models import User
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.queries.lookalike import Lookalike, Lookalikes
from league.core.player.services.player import SeatPlayers
from league.records.game.services import (
    Taken,
    games_entered,
    newcomers_of,
    read_for,
    record_take,
    records_take,
    sealing_hold,
)
from league.standings.season.models import Season

BAD_GAMES_REPORTED = 1000  # the most bad games that a report lists; it counts the others
BATCH = 200  # games of one transaction: other members of the club wait for a fraction of a second
BATCH_BYTES = 1 << 20  # bytes of lines, so that a batch of long games fits into memory
NAMING = 1000  # records that are searched for the season they belong to
SLUG = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Outcome(StrEnum):
    """What became of one record."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of one record: the game it became or was before, or its error. `line` counts from
    1."""

    line: int
    record_id: str | None
    outcome: Outcome
    game: Game | None = None
    error: Illegal | None = None
    new_players: tuple[str, ...] = ()

    def bad_json(self) -> dict[str, Any]:
        """Return a bad record for a report: line, id, and the error's code, place and message."""
        error = self.error.as_json() if self.error else {}
        return {"line": self.line, "id": self.record_id, **error}

    def reported(self) -> dict[str, Any]:
        """Return `bad_json` for a stored report; pages translate the message in `said`."""
        row = self.bad_json()
        if self.error:
            row["said"] = self.error.message.as_json()
        return row


@dataclass(slots=True)
class Report:
    """What became of a file. `refused`: nothing was imported, because a game was bad and the file
    was to go in as a whole. `lookalikes`: in a preview, the new handles that look like others."""

    read: int = 0
    created: int = 0
    unchanged: int = 0
    bad: int = 0
    refused: bool = False
    new_players: list[str] = field(default_factory=list)
    lookalikes: list[Lookalike] = field(default_factory=list)
    bad_games: list[dict[str, Any]] = field(default_factory=list)

    def add(self, results: Iterable[Imported]) -> None:
        """Count these records, and list the first bad ones."""
        for imported in results:
            self.read += 1
            # an outcome is the name of the attribute that counts it
            setattr(self, imported.outcome, getattr(self, imported.outcome) + 1)
            self.new_players += imported.new_players
            if imported.error and len(self.bad_games) < BAD_GAMES_REPORTED:
                self.bad_games.append(imported.reported())

    def as_json(self) -> dict[str, Any]:
        """Return the report as it is stored and sent."""
        return asdict(self)


class _Refused(Exception):
    """Rolls back a file that was to go in as a whole."""


def content_import(
    *,
    content: bytes,
    many: bool,
    season: Season,
    entered_by: User,
    create_players: bool,
    all_or_nothing: bool,
) -> tuple[Report, list[Imported]]:
    """Import one record, or a file of `many`, that a program sent. Return the report, and the
    results of all good records and of the first `BAD_GAMES_REPORTED` bad ones.

    With `all_or_nothing`, one bad record refuses a whole file."""
    results: list[Imported] = []
    bad_results: list[Imported] = []
    report = Report()

    def list_result(imported: Imported) -> None:
        if imported.error is None:
            results.append(imported)
        elif len(bad_results) < BAD_GAMES_REPORTED:
            results.append(imported)
            bad_results.append(imported)

    if many:
        report = file_import(
            stream=BytesIO(content),
            season=season,
            entered_by=entered_by,
            create_players=create_players,
            all_or_nothing=all_or_nothing,
            ended=list_result,
        )
    else:
        imported = record_import(
            season=season, line=content, entered_by=entered_by, create_players=create_players
        )
        report.add([imported])
        list_result(imported)
    return report, results


def season_named(content: bytes, *, many: bool) -> str | None:
    """Return the slug of the season in the first record that names one, among the first `NAMING`;
    None if there is none, or it is no slug."""
    contents: Iterable[bytes | Illegal] = [content]
    if many:
        lines = islice(record_lines(BytesIO(content), settings.IMPORT_LIMITS), NAMING)
        contents = (line.content for line in lines)
    for record in contents:
        value = parse(record) if isinstance(record, bytes) else None
        if isinstance(value, dict) and "season" in value:
            slug = value["season"]
            if isinstance(slug, str) and SLUG.fullmatch(slug):
                return slug
            return None
    return None


def file_import(
    *,
    stream: BinaryIO,
    season: Season,
    entered_by: User | None = None,
    create_players: bool = True,
    all_or_nothing: bool = False,
    progress: Callable[[], None] = lambda: None,
    ended: Callable[[Imported], None] = lambda imported: None,
    report: Report | None = None,
    store_report: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Import a stream of games (records as JSON Lines or the text notation, plain or gzip) into a
    season.

    Good games go in and bad ones are reported, one batch in each transaction. `all_or_nothing` is
    one transaction, and refuses the whole file for one bad game. `progress` is called after each
    batch, `ended` with each record's result. `store_report` is called with the report so far, in
    the transaction of each batch: an import that is given this `report` resumes after that
    batch."""
    report = report or Report()

    def take(lines: Sequence[CheckedLine]) -> list[Imported]:
        with club_journal(season.club_id, _actor(entered_by)) as journal:
            results = _take_good_games(journal, season, lines, create_players=create_players)
            report.add(results)
            store_report(report)
        return results

    if not all_or_nothing:
        _each_batch(stream, season, report, take, progress, ended)
        return report
    with suppress(_Refused), club_journal(season.club_id, _actor(entered_by)) as whole:
        sealing_hold(whole)

        def take_in_whole(lines: Sequence[CheckedLine]) -> list[Imported]:
            results = _take_good_games(whole, season, lines, create_players=create_players)
            report.add(results)
            return results

        _each_batch(stream, season, report, take_in_whole, progress, ended)
        report.refused = report.bad > 0
        if report.refused:
            raise _Refused
    return report


def file_preview(
    *,
    stream: BinaryIO,
    season: Season,
    create_players: bool = True,
    all_or_nothing: bool = False,
    progress: Callable[[], None] = lambda: None,
    ended: Callable[[Imported], None] = lambda imported: None,
    preview: Preview | None = None,
) -> Report:
    """Return what an import of the stream would do. Nothing is written or locked. A `preview` that
    was interrupted between two batches resumes after them."""
    preview = preview or Preview(season, create_players)
    report = preview.report
    _each_batch(stream, season, report, preview.results_of, progress, ended)
    report.refused = all_or_nothing and report.bad > 0
    return report


def _each_batch(
    stream: BinaryIO,
    season: Season,
    report: Report,
    take: Callable[[Sequence[CheckedLine]], list[Imported]],
    progress: Callable[[], None],
    ended: Callable[[Imported], None],
) -> None:
    """Pass the lines that the report doesn't count yet to `take` in batches, until too many are
    bad. Call `ended` with each result, and `progress` after each batch."""
    lines = islice(record_lines(stream, settings.IMPORT_LIMITS), report.read, None)
    while report.bad <= settings.IMPORT_MAX_BAD:
        bad_left = settings.IMPORT_MAX_BAD - report.bad
        batch = [CheckedLine.of(season, line) for line in _batch(lines, bad_left)]
        if not batch:
            return
        for imported in take(batch):
            ended(imported)
        progress()


def _batch(lines: Iterator[FileLine], bad_left: int) -> Iterator[FileLine]:
    """Yield the lines of the next batch. All of them may be bad, so there are at most `bad_left`,
    the number of bad lines that are still accepted. If it is 0, yield only the next line, with the
    error that too many are bad."""
    too_many = say(
        "{most} games in this file are bad: the rest wasn't read", most=settings.IMPORT_MAX_BAD
    )
    size = 0
    most = min(BATCH, bad_left) or 1
    for line in islice(lines, most):
        if bad_left:
            yield line
        else:
            yield line._replace(content=Illegal("too_many_bad", too_many))
        if isinstance(line.content, bytes):
            size += len(line.content)
        if size >= BATCH_BYTES:
            return


def record_import(
    *,
    season: Season,
    line: bytes,
    entered_by: User | None = None,
    create_players: bool = True,
    places_alone: bool = False,
) -> Imported:
    """Import one record in one transaction. Any bytes give an `Imported`, never an exception. With
    `places_alone`, a game without points is taken even where points count.

    Codes besides those of the record format: `conflict`, `voided`, `unknown_player`,
    `same_player_twice`, `other_season`, `other_game`, `other_rules`."""
    checked = CheckedLine.of(season, FileLine(1, line), places_alone=places_alone)
    record = checked.good
    if record is None:
        return checked.bad(checked.error)
    seating = SeatPlayers(season.club_id, create=create_players)
    try:
        with club_journal(season.club_id, _actor(entered_by)) as journal:
            taken = record_take(journal, season, record, checked.verdict, seating=seating)
    except Refused as refused:
        return checked.result(refused)
    return checked.result(taken)


def _take_good_games(
    journal: Journal, season: Season, lines: Sequence[CheckedLine], *, create_players: bool
) -> list[Imported]:
    games = [(line.good, line.verdict) for line in lines if line.good]
    taken_games = iter(records_take(journal, season, games, create_players=create_players))
    results = []
    for line in lines:
        if line.good:
            results.append(line.result(next(taken_games)))
        else:
            results.append(line.bad(line.error))
    return results


class CheckedLine(NamedTuple):
    """A checked line of a file: its record, the verdict on it, and its error for a season."""

    line: int
    record: Record | None
    verdict: Verdict
    error: Illegal | None

    @classmethod
    def of(cls, season: Season, line: FileLine, *, places_alone: bool = False) -> CheckedLine:
        """Read and check a line."""
        if isinstance(line.content, Illegal):
            return cls(line.number, None, Verdict(None), line.content)
        return cls(line.number, *read_for(season, line.content, places_alone=places_alone))

    @property
    def good(self) -> Record | None:
        """Return the record, unless it has an error."""
        return None if self.error else self.record

    def bad(self, error: Illegal | None, game: Game | None = None) -> Imported:
        """Return the result of a bad record; `game` is the stored game that has the record's id."""
        record_id = self.record.record_id if self.record else None
        return Imported(self.line, record_id, Outcome.BAD, game, error)

    def result(self, taken: Taken | Refused) -> Imported:
        """Return the result of a good record, given how the season took it."""
        assert self.record is not None
        if isinstance(taken, Conflict):
            return self.bad(taken.illegal, taken.game)
        if isinstance(taken, Refused):
            return self.bad(taken.illegal)
        outcome = Outcome.CREATED if taken.created else Outcome.UNCHANGED
        return Imported(
            self.line, self.record.record_id, outcome, taken.game, new_players=taken.new_players
        )


class Preview:
    """What an import would do, batch after batch, with the same results as `file_import`."""

    def __init__(self, season: Season, create_players: bool) -> None:
        self.season = season
        self.seating = SeatPlayers(season.club_id, create=create_players)
        self.seen: dict[str, bytes] = {}  # the digests of contents by record id
        self.known = Lookalikes(season.club_id)
        self.report = Report()

    def results_of(self, lines: Sequence[CheckedLine]) -> list[Imported]:
        """Return the results that the lines of a batch would have."""
        records = [line.good for line in lines if line.good]
        self.seating.look_up(handle for record in records for handle in record.seats)
        stored_games = iter(games_entered(records, self.season.club.source))
        results = []
        for line in lines:
            if line.good:
                results.append(self._result(line, line.good, next(stored_games)))
            else:
                results.append(line.bad(line.error))
        self.report.add(results)
        return results

    def _result(
        self, line: CheckedLine, record: Record, stored: Taken | Refused | None
    ) -> Imported:
        """Return the result of a good record. `stored`: None if no stored game has its id."""
        if stored is not None:
            return line.result(stored)
        content = content_digest(record)
        if record.record_id in self.seen:
            # the file holds this id a second time
            if self.seen[record.record_id] == content:
                return replace(line.bad(None), outcome=Outcome.UNCHANGED)
            return line.bad(Conflict(record.record_id).illegal)
        try:
            newcomers = newcomers_of(record, self.seating)
        except Refused as refused:
            return line.bad(refused.illegal)
        self.seen[record.record_id] = content
        self.report.lookalikes += self.known.among(newcomers)
        return Imported(line.line, record.record_id, Outcome.CREATED, new_players=newcomers)


def _actor(account: User | None) -> Actor:
    return Actor(account.pk if account else None)
