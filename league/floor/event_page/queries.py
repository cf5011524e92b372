"""An event as everybody sees it while it runs and afterwards: tables in play, rankings, the
podium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Exists

from engine.messages import Message
from league.events.entry.queries.disputed import has_disputed_result
from league.events.event.models import Event
from league.floor.timetable.models import Timetable
from league.sheets.watching.queries.watch import event_open_games
from league.stages.bracket.domain.bracket import Bracket, bracket
from league.stages.placing.domain.ranking import (
    ShownGroup,
    ShownLabel,
    points_tonight,
    shown_groups,
    shown_labels,
)
from league.stages.placing.models import FinalRank
from league.stages.stage.domain.facts import NO_ROUND, StageFacts, StageTable, published_facts
from league.stages.stage.domain.group import in_divisions
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.models import TableScore
from league.stages.table.queries.table import disputed_results
from league.standings.ranked_game.models import RankedGame
from league.standings.standing.domain import MOST_ON_PODIUM, podium_size

TOP: Final = 20
"""The most rows of a group that an event's page shows; the stage's page has all of them."""
MOST_TABLES: Final = 60
"""The most tables in play that an event's page shows."""


class PlayingTable(NamedTuple):
    """A table of the round in play, without a result, and the names of its players in seat
    order."""

    table: StageTable
    names: tuple[str, ...]


class PodiumPlace(NamedTuple):
    """A place on an event's podium; `points` in words, empty if points don't decide the places.
    `provisional`: the result of a game of the player at the event is disputed."""

    rank: int
    name: str
    handle: str
    points: str
    provisional: bool


@dataclass(frozen=True, slots=True)
class EventCourse:
    """A stage of an event as its page shows it: tables in play, of which `more` aren't shown; the
    rankings, of which the `whole` is shown or only the first rows; or the bracket."""

    stage: Stage
    playing: tuple[PlayingTable, ...]
    more: int
    groups: tuple[ShownGroup, ...]
    whole: bool
    bracket: Bracket | None

    @property
    def has_content(self) -> bool:
        """Return True if there is anything to see yet."""
        return bool(self.playing or self.bracket or any(group.rows for group in self.groups))


def event_course(event: Event, stages: Sequence[Stage]) -> EventCourse | None:
    """Return the stage that has started last, with its tables and rankings; None before the first
    one starts."""
    started = [stage for stage in stages if stage.status != Stage.Status.PLANNED]
    if not started:
        return None
    stage = started[-1]
    stage.event = event
    facts = published_facts(stage_facts(stage))
    playing = _tables_in_play(facts)
    groups = () if stage.knock_out else tuple(shown_groups(facts))
    return EventCourse(
        stage=stage,
        playing=playing[:MOST_TABLES],
        more=max(0, len(playing) - MOST_TABLES),
        groups=tuple(group._replace(rows=group.rows[:TOP]) for group in groups),
        whole=all(len(group.rows) <= TOP for group in groups),
        bracket=bracket(facts) if stage.knock_out else None,
    )


def club_ranking(event: Event, stages: Sequence[Stage]) -> list[ShownLabel]:
    """Return the ranking of the clubs and towns in the last stage that ranks them; empty if none
    does."""
    ranked = [
        stage for stage in stages if stage.label_best and stage.status != Stage.Status.PLANNED
    ]
    if not ranked:
        return []
    ranked[-1].event = event
    facts = published_facts(stage_facts(ranked[-1]))
    return shown_labels(facts, shown_groups(facts))


def podium(event: Event, stages: Sequence[Stage]) -> list[PodiumPlace]:
    """Return the places on the podium of an event, the best first.

    There is none if the event ended in divisions. Points are shown if they alone decide the places,
    which is so after a single stage that ranks by points.
    """
    if in_divisions(stages):
        return []
    ranks = (
        FinalRank.objects.filter(event=event)
        .select_related("entry__player")
        .order_by("rank", "entry__number")
    )
    marked = ranks.annotate(provisional=has_disputed_result("entry", event.pk))
    first = list(marked[: MOST_ON_PODIUM + 1])
    size = podium_size([row.rank for row in first])
    by_points = is_decided_by_points(stages)
    return [_podium_place(row, by_points=by_points) for row in first[:size]]


def is_decided_by_points(stages: Sequence[Stage]) -> bool:
    """Return True if points alone decide the places of an event: it has had one stage, which ranks
    by points."""
    played = [stage for stage in stages if stage.status != Stage.Status.PLANNED]
    return len(played) == 1 and not played[0].by_place


def event_levels(event: Event, stages: Sequence[Stage]) -> dict[int, Message]:
    """Return, for each entry that has as many points as the one above but a worse rank, a short
    text on what separates the two, by the entry's row id. Empty if points don't decide the
    places."""
    if not is_decided_by_points(stages):
        return {}
    (stage,) = [stage for stage in stages if stage.status != Stage.Status.PLANNED]
    stage.event = event
    groups = shown_groups(published_facts(stage_facts(stage)))
    return {
        row.member.entry: row.level
        for group in groups
        for row in group.rows
        if row.level and row.row.separation is not None
    }


def event_wins(event: Event) -> Counter[int]:
    """Return how many games each entry of an event has won at its tables, shared wins included."""
    games = TableScore.objects.filter(table__stage_round__stage__event=event, ranks__isnull=False)
    rows = games.exclude(table__stage_round__status__in=NO_ROUND).values_list(
        "entries", "ranks", "order"
    )
    wins: Counter[int] = Counter()
    for entries, ranks, order in rows:
        counting_ranks = order or ranks or ()
        wins.update(entry for entry, rank in zip(entries, counting_ranks, strict=True) if rank == 1)
    return wins


class EventWays(NamedTuple):
    """Whether an event's page links to the event's games in the season, to the published timetable
    and to its live tables; and whether a result of the event is `provisional`."""

    games: bool
    timetable: bool
    live: bool
    provisional: bool


def event_ways(event: Event) -> EventWays:
    """Return which pages an event's page links to: games of it count, a timetable of it is
    published, games are being written down at its tables; and whether a result of it is disputed.
    One query."""
    games = RankedGame.objects.filter(ranking=event.season.ranking_id, event=event.slug)
    timetables = Timetable.objects.filter(event=event, status=Timetable.Status.PUBLISHED)
    disputed = Exists(disputed_results(event))
    ways = (Exists(games), Exists(timetables), Exists(event_open_games(event)), disputed)
    return EventWays(*Event.objects.filter(pk=event.pk).values_list(*ways).get())


def _podium_place(row: FinalRank, *, by_points: bool) -> PodiumPlace:
    player = row.entry.player
    points = points_tonight(row.points) if by_points else ""
    provisional = row.provisional  # type: ignore[attr-defined]  # as `podium` annotates it
    return PodiumPlace(row.rank, player.name, player.handle, points, provisional)


def _tables_in_play(facts: StageFacts) -> tuple[PlayingTable, ...]:
    return tuple(
        PlayingTable(table, tuple(facts.members[entry].name for entry in table.entries))
        for table in facts.current_tables
        if not table.finished
    )
