"""The facts that an event's derived rows follow from, in a fixed number of queries.

Facts are the draws, the games sealed at tables, the walkovers, and the entries of the club's log that tell who took
part in a stage and who challenged whom. With them comes what people have set: entries, stages, rounds, the timetable.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from league.entries.models import Entry
from league.events.models import Event
from league.hall.domain.timetable import Timed
from league.hall.queries.timetable import places_published
from league.log.models import LogEntry
from league.rankings.domain.game import GameFacts
from league.rankings.queries.source import games_named
from league.stages.actions import StageAction
from league.stages.models import Group, Stage
from league.tables.actions import TableAction
from league.tables.domain.stage import WalkoverAt
from league.tables.models import Draw, StageRound, Table, TableGame, Walkover

TELLING: Final = (StageAction.STARTED, StageAction.CHANGED, TableAction.CHALLENGED)
"""What tells who takes part in a stage, and who sits at a table of a ladder."""
GAMES: Final = 300
"""Games whose rounds are in memory at once."""


class LogStep(NamedTuple):
    """An entry of the log: what was done, and what it says."""

    action: str
    payload: dict[str, Any]


class EnteredGame(NamedTuple):
    """The newest revision of a game that was entered at a table, as its game `number`."""

    table: int
    number: int
    game: int
    game_id: str
    external_id: str


@dataclass(frozen=True, slots=True)
class EventFacts:
    """All of an event that anything of it follows from.

    `entries` come with their players; `draws` are the newest of each group's round, in the order of the groups, by the
    round's row id; `steps` has what the log tells of a stage or a table, by its public id, in order. `walkovers` are
    those that stand, by the table's row id; `places` is the published timetable. Tables' rows say which tables there
    are; what else stands in them follows from facts.
    """

    event: Event
    entries: tuple[Entry, ...]
    stages: tuple[Stage, ...]
    groups: tuple[Group, ...]
    rounds: tuple[StageRound, ...]
    tables: tuple[Table, ...]
    draws: dict[int, list[Draw]]
    steps: dict[str, list[LogStep]]
    games: tuple[EnteredGame, ...]
    walkovers: dict[int, WalkoverAt]
    places: dict[tuple[int, int, int], Timed]

    def groups_of(self, stage: Stage) -> list[Group]:
        """The groups that a stage is played in."""
        return [group for group in self.groups if group.stage_id == stage.pk and group.number <= stage.groups]

    def sealed(self) -> Iterator[tuple[EnteredGame, GameFacts | None]]:
        """The games with their sealed rounds, read in portions; None for one that no season has."""
        for start in range(0, len(self.games), GAMES):
            portion = self.games[start : start + GAMES]
            games_by_id = {game.game_id: game for game in games_named([entered_game.game for entered_game in portion])}
            yield from ((entered_game, games_by_id.get(entered_game.game)) for entered_game in portion)


def event_facts(event: Event) -> EventFacts:
    """The facts of an event; eleven queries, and one for each `GAMES` of its games when they are asked for."""
    stages = tuple(Stage.objects.filter(event=event).order_by("number"))
    rounds = tuple(StageRound.objects.filter(stage__event=event).order_by("number", "pk"))
    tables = tuple(Table.objects.filter(stage_round__stage__event=event).order_by("pk"))
    ladders = {stage.pk for stage in stages if stage.format_rules.ladder}
    challenged = {row.pk for row in rounds if row.stage_id in ladders}
    subjects = [stage.public_id for stage in stages]
    subjects += [table.public_id for table in tables if table.stage_round_id in challenged]
    draws: dict[int, list[Draw]] = {}
    newest = Draw.objects.filter(stage_round__stage__event=event).order_by(
        "stage_round_id", "group__number", "-revision"
    )
    for draw in newest.distinct("stage_round_id", "group__number"):
        draws.setdefault(draw.stage_round_id, []).append(draw)
    newest_games = TableGame.objects.filter(table__stage_round__stage__event=event, game__corrections__isnull=True)
    return EventFacts(
        event=event,
        entries=tuple(Entry.objects.select_related("player").filter(event=event).order_by("number")),
        stages=stages,
        groups=tuple(Group.objects.filter(stage__event=event).order_by("stage", "number")),
        rounds=rounds,
        tables=tables,
        draws=draws,
        steps=_steps(event.club_id, subjects),
        games=tuple(
            EnteredGame(*row)
            for row in newest_games.order_by("table", "number").values_list(
                "table", "number", "game", "game__public_id", "game__external_id"
            )
        ),
        walkovers=_walkovers(event),
        places=places_published(event.pk),
    )


def _walkovers(event: Event) -> dict[int, WalkoverAt]:
    """The tables of an event that are given without play, by the newest that was said of each."""
    walkovers = Walkover.objects.filter(table__stage_round__stage__event=event).order_by("table_id", "-revision")
    return {
        row.table_id: WalkoverAt(tuple(row.absent), row.reason) for row in walkovers.distinct("table_id") if row.stands
    }


def _steps(club_id: int, subjects: Sequence[str]) -> dict[str, list[LogStep]]:
    """Read what the club's log tells of these, in its order."""
    steps: dict[str, list[LogStep]] = {}
    entries = LogEntry.objects.filter(club=club_id, action__in=TELLING, subject__in=subjects).order_by("position")
    for subject, action, payload in entries.values_list("subject", "action", "payload"):
        steps.setdefault(subject, []).append(LogStep(action, json.loads(payload)))
    return steps
