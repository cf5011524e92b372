"""Importing game records into a season: one game, one transaction; the same game again changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, BinaryIO

from django.db import transaction

from engine.illegal import Illegal
from engine.notation.files import record_lines
from engine.record.check import check
from engine.record.record import Record, read
from engine.record.verdict import Verdict
from engine.record.verify import verify
from engine.scoring.tally import placement
from games.models import Game, Seat
from games.services.game import Conflict, game_seal
from league.clubs.models import User
from league.clubs.services.player import NoTable, players_at_table
from league.jobs import call_on_commit
from league.rankings.models import Appearance, Scoring, Season, SeasonGame
from league.rankings.services.standing import UNTIMED

BAD_GAMES_REPORTED = 1000  # a report lists so many bad games and counts the others


class Outcome(StrEnum):
    """What became of one record."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Imported:
    """One record's end: the game it became or was before, or what is wrong with it. `line` counts from 1."""

    line: int
    id: str | None
    outcome: Outcome
    game: Game | None = None
    error: Illegal | None = None
    new_players: tuple[str, ...] = ()

    def bad_json(self) -> dict[str, Any]:
        """A bad record for a report: line, id, and the error's code, place and message."""
        error = self.error.as_json() if self.error else {}
        return {"line": self.line, "id": self.id, **error}


@dataclass(slots=True)
class Report:
    """What became of a file. `refused`: it was all or nothing, and nothing was imported."""

    read: int = 0
    created: int = 0
    unchanged: int = 0
    bad: int = 0
    refused: bool = False
    new_players: list[str] = field(default_factory=list)
    bad_games: list[dict[str, Any]] = field(default_factory=list)

    def add(self, imported: Imported) -> None:
        """Count one record in."""
        self.read += 1
        setattr(self, imported.outcome, getattr(self, imported.outcome) + 1)
        self.new_players += imported.new_players
        if imported.error and len(self.bad_games) < BAD_GAMES_REPORTED:
            self.bad_games.append(imported.bad_json())

    def as_json(self) -> dict[str, Any]:
        """The report as it is stored and sent."""
        return asdict(self)


class _Undo(Exception):
    """Rolls back what a preview, or a refused file, has written."""


def file_import(
    *,
    stream: BinaryIO,
    season: Season,
    entered_by: User | None = None,
    create_players: bool = True,
    all_or_nothing: bool = False,
    dry_run: bool = False,
    progress: Callable[[], None] = lambda: None,
    heard: Callable[[Imported], None] = lambda imported: None,
) -> Report:
    """Import a stream of games (records as JSON Lines or the text notation, plain or gzip) into a season.

    Good games go in and bad ones are reported; `all_or_nothing` refuses the whole file instead. `dry_run` does it all
    and takes it back, so what it reports is what would happen. `progress` is called after every line, `heard` with
    every record's end.
    """
    report = Report()
    importing = partial(record_import, season=season, entered_by=entered_by, create_players=create_players)

    def run() -> None:
        for line in record_lines(stream):
            imported = (
                Imported(line.number, None, Outcome.BAD, error=line.content)
                if isinstance(line.content, Illegal)
                else importing(line=line.content, line_number=line.number)
            )
            report.add(imported)
            heard(imported)
            progress()

    if not (dry_run or all_or_nothing):
        run()
        return report
    try:
        with transaction.atomic():
            run()
            report.refused = all_or_nothing and report.bad > 0
            if dry_run or report.refused:
                raise _Undo
    except _Undo:
        pass
    return report


def record_import(
    *,
    season: Season,
    line: bytes,
    line_number: int = 1,
    entered_by: User | None = None,
    create_players: bool = True,
) -> Imported:
    """Import one record in one transaction. Whatever the bytes are, the answer is an `Imported`, never an error.

    Codes beside those of the record format: `conflict`, `unknown_player`, `same_player_twice`, `other_season`,
    `other_game`, `other_rules`.
    """
    record = read(line)
    if isinstance(record, Illegal):
        return Imported(line_number, None, Outcome.BAD, error=record)
    verdict = check(record)
    error = verdict.error or disproved(record) or misfit(season, record)
    if error:
        return Imported(line_number, record.id, Outcome.BAD, error=error)
    try:
        with transaction.atomic():
            return _import(season, record, verdict, line_number, entered_by, create_players)
    except Conflict as conflict:
        error = Illegal("conflict", f"{conflict}; a correction has to name the game it replaces")
        return Imported(line_number, record.id, Outcome.BAD, game=conflict.game, error=error)
    except NoTable as refused:
        return Imported(line_number, record.id, Outcome.BAD, error=refused.illegal)


def disproved(record: Record) -> Illegal | None:
    """What is false of the digests or the proof that a record brings; it may leave them out.

    Its seal is of the bytes of one line, and programs that pass a record on write it anew: only `verify` asks for it.
    """
    if record.digests is None and record.proof is None:
        return None
    return verify(record).error


def misfit(season: Season, record: Record) -> Illegal | None:
    """Why a game that breaks no rule can't belong to the season."""
    if record.season and record.season != season.slug:
        return Illegal(
            "other_season", f"the record belongs to season {record.season}, not {season.slug}", path="season"
        )
    if record.game != season.kind:
        return Illegal("other_game", f"the season's game is {season.kind}, not {record.game}", path="game")
    rules = asdict(record.rules)
    for key, agreed in season.rules.items():
        if rules.get(key) != agreed:
            return Illegal(
                "other_rules",
                f"the season plays {key} {agreed!r}, not {rules.get(key)!r}",
                path=f"rules.{key}",
            )
    return None


def _import(
    season: Season,
    record: Record,
    verdict: Verdict,
    line_number: int,
    entered_by: User | None,
    create_players: bool,
) -> Imported:
    """Seal, take into the season, and call the job once all is committed."""
    sealed = game_seal(
        record=record,
        verdict=verdict,
        source=season.club.source,
        entered_by_id=entered_by.pk if entered_by else None,
    )
    if not sealed.created:
        return Imported(line_number, record.id, Outcome.UNCHANGED, game=sealed.game)
    players, new = players_at_table(season.club, record.seats, create=create_players)
    season_game_link(season, sealed.game, sealed.seats, players)
    if sealed.outbox:
        call_on_commit("rankings.tasks.count_game", sealed.outbox.pk)
    return Imported(line_number, record.id, Outcome.CREATED, game=sealed.game, new_players=new)


def season_game_link(season: Season, game: Game, seats: tuple[Seat, ...], players: list[int]) -> SeasonGame:
    """Take a sealed game into a season; seats and players in seat order."""
    link = SeasonGame.objects.create(
        season=season, game=game, played_at=game.played_at or UNTIMED, external_id=game.external_id
    )
    Appearance.objects.bulk_create(
        Appearance(season_game=link, season=season, seat=seat, player_id=player, rank=seat.rank, points=points)
        for seat, player, points in zip(seats, players, _season_points(season, seats), strict=True)
    )
    return link


def _season_points(season: Season, seats: tuple[Seat, ...]) -> list[int | None]:
    """What a game brings each seat in the season's table: dice (B13), seats left behind (B12) or totals (K13)."""
    ranks = [seat.rank for seat in seats if seat.rank is not None]
    if len(ranks) < len(seats):
        return [None] * len(seats)
    match season.scoring:
        case Scoring.CNTDICE:
            return [seat.cntdice for seat in seats]
        case Scoring.PLACEMENT:
            return list(placement(ranks))
        case _:
            return [seat.points for seat in seats]
