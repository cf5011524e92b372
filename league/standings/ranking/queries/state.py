"""The state of a ranking and of its readers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from engine.scoring.points import Scoring
from engine.scoring.standings import Criterion
from league.core import sql
from league.standings.ranked_game.domain.game import UNTIMED, Place


def reader_name(work: str, ranking: str) -> str:
    """Return the name of the reader that does some `work` for a ranking, given by its public id. A
    reader is a job's bookmark in the club's log: the job has done its work up to there."""
    return f"{work}/{ranking}"


@dataclass(slots=True)
class RankingState:
    """A ranking as its jobs need it, read under its lock.

    `position`: how far the reader is in the club's log; `head`: the log's end; `due`: the positions
    of set-aside entries to retry now. `version`: of the ranking's list. `last`: the last counted
    place in the order of play; `rated_from`: the first place whose ratings must be computed again.
    `rebuilds_asked` counts requests for a rebuild: after one that comes while a job works, the
    rebuild starts from the beginning, however far the job got (`publish`)."""

    ranking_id: int
    club_id: int
    reader: str
    scoring: Scoring
    order: list[Criterion]
    rated: bool
    version: int
    zone: ZoneInfo
    last_day: date | None
    game_count: int
    last: Place | None
    rated_from: Place | None
    rebuilt_to: int | None
    rebuilt_player: int | None
    rebuilt_until: int | None
    rebuilds_asked: int
    position: int
    head: int
    due: list[int]

    def day_of(self, played_at: datetime) -> date | None:
        """Return the day of play in the club's time zone; None for a game without a time."""
        if played_at == UNTIMED:
            return None
        return played_at.astimezone(self.zone).date()


STATE: Final = """
    SELECT ranking.public_id, ranking.club_id, scoring, tie_breaks, rated, version,
        timezone, last_day, game_count, last_at, last_id, rated_from, rated_from_id,
        rebuilt_to, rebuilt_player, rebuilt_until, rebuilds_asked,
        COALESCE(reader.position, 0), head.position,
        ARRAY(
            SELECT aside.position
            FROM league_setaside aside
            WHERE aside.club_id = ranking.club_id
                AND aside.reader = %s || '/' || ranking.public_id
                AND aside.due_at <= statement_timestamp()
            ORDER BY aside.position
        )
    FROM league_ranking ranking
    JOIN league_club club ON club.id = ranking.club_id
    JOIN league_loghead head ON head.club_id = ranking.club_id
    LEFT JOIN league_reader reader ON reader.club_id = ranking.club_id
        AND reader.name = %s || '/' || ranking.public_id
    WHERE ranking.id = %s
"""


def ranking_state(ranking_id: int, work: str = "count") -> RankingState:
    """Return the state of a ranking and of the reader that does this work for it. One query."""
    row = sql.row(STATE, [work, work, ranking_id])
    # in three steps, because a row has too many columns for one line
    public_id, club_id, scoring, tie_breaks, rated, version, timezone, *rest = row
    last_day, game_count, last_at, last_id, rated_from, rated_from_id, *rest = rest
    rebuilt_to, rebuilt_player, rebuilt_until, rebuilds_asked, position, head, due = rest
    return RankingState(
        ranking_id=ranking_id,
        club_id=club_id,
        reader=reader_name(work, public_id),
        scoring=Scoring(scoring),
        order=[Criterion(name) for name in tie_breaks],
        rated=rated,
        version=version,
        zone=ZoneInfo(timezone),
        last_day=last_day,
        game_count=game_count,
        last=None if last_at is None else (last_at, last_id),
        rated_from=None if rated_from is None else (rated_from, rated_from_id),
        rebuilt_to=rebuilt_to,
        rebuilt_player=rebuilt_player,
        rebuilt_until=rebuilt_until,
        rebuilds_asked=rebuilds_asked,
        position=position,
        head=head,
        due=due,
    )


def page_state(ranking_id: int) -> tuple[object, ...]:
    """Return the version of the public ranking page: values of which at least one changes whenever
    the table or the progress on the page does. They are the ranking's whole row, the end of the
    club's log, and the position in the log up to which the ranking's counting job has worked. One
    query."""
    state: tuple[object, ...] = sql.row(
        """
        SELECT ranking::text, head.position, reader.position
        FROM league_ranking ranking
        JOIN league_loghead head ON head.club_id = ranking.club_id
        LEFT JOIN league_reader reader ON reader.club_id = ranking.club_id
            AND reader.name = 'count/' || ranking.public_id
        WHERE ranking.id = %s
        """,
        [ranking_id],
    )
    return state


def club_state(club_id: int) -> tuple[object, ...]:
    """Return the version of the pages of a club and its players: the end of the club's log, the
    sums of the versions of its rankings and of its events' stages, and when a game was last added
    to the players' styles. One query."""
    state: tuple[object, ...] = sql.row(
        """
        SELECT position,
            (
                SELECT sum(version)
                FROM league_ranking
                WHERE club_id = head.club_id
            ),
            (
                SELECT sum(version)
                FROM league_stage
                WHERE event_id IN (SELECT id FROM league_event WHERE club_id = head.club_id)
            ),
            (
                SELECT max(read_at)
                FROM league_reader
                WHERE club_id = head.club_id AND name LIKE 'style/%%'
            )
        FROM league_loghead head
        WHERE club_id = %s
        """,
        [club_id],
    )
    return state


def event_page_state(club_id: int, event_id: int) -> tuple[object, ...]:
    """Return the version of an event's pages: the end of the club's log, and the sums of the
    versions of its rankings and of the event's stages. One query."""
    state: tuple[object, ...] = sql.row(
        """
        SELECT position,
            (
                SELECT sum(version)
                FROM league_ranking
                WHERE club_id = head.club_id
            ),
            (SELECT sum(version) FROM league_stage WHERE event_id = %s)
        FROM league_loghead head
        WHERE club_id = %s
        """,
        [event_id, club_id],
    )
    return state


def service_state() -> tuple[object, ...]:
    """Return the version of the service's front page: sums over all logs and rankings, which rise
    with every change, and whether an account exists. One query."""
    state: tuple[object, ...] = sql.row(
        """
        SELECT count(*), sum(position), (SELECT sum(version) FROM league_ranking),
            EXISTS (SELECT FROM league_user)
        FROM league_loghead
        """
    )
    return state
