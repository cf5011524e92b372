"""What a correction of a table's game would change in its event, and in a season that is counted by events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from engine.scoring.event_points import EventsRow
from engine.scoring.wording import written
from league.events.models import Event, FinalRank
from league.events.queries.across import StageOtherwise, event_otherwise
from league.events.queries.counting import PARTS, counting_of, events_ranking
from league.events.queries.places import event_places
from league.events.queries.stage import StageFacts

Who = TypeVar("Who", int, str)


class Standing(NamedTuple):
    """A rank with points, as people write them."""

    rank: int
    points: str


class StandingChange(NamedTuple):
    """How somebody, by the name, would stand; None: not in the ranking."""

    name: str
    before: Standing | None
    after: Standing | None


@dataclass(frozen=True, slots=True)
class EventEffect:
    """The stages of which something would be otherwise, and who would stand elsewhere at the event's end and in the
    season; the latter two once the event is over."""

    stages: tuple[StageOtherwise, ...]
    finals: tuple[StandingChange, ...]
    season: tuple[StandingChange, ...]


def event_effect(event: Event, stages: Sequence[StageFacts]) -> EventEffect:
    """What would change at an event if its stages stood like this."""
    others = tuple(event_otherwise(stages))
    if event.status != Event.Status.FINISHED:
        return EventEffect(others, (), ())
    names = {member.entry: member.name for facts in stages for member in facts.members.values()}
    held = {row.entry_id: (row.rank, row.points) for row in FinalRank.objects.filter(event=event)}
    finals = {placed.entry: (placed.place, placed.score) for placed in event_places(stages)}
    before, after = ({pk: _standing(*row) for pk, row in rows.items()} for rows in (held, finals))
    return EventEffect(others, _changes(names, before, after), _season(event, finals))


def _season(event: Event, finals: Mapping[int, tuple[int, int]]) -> tuple[StandingChange, ...]:
    """Who would stand elsewhere in a season that is counted by its events."""
    counting = counting_of(event.season)
    if counting is None:
        return ()
    before, people = events_ranking(event.season, counting)
    after, _ = events_ranking(event.season, counting, finals)
    names = {id: player.name for id, player in people.items()}
    return _changes(names, _by_player(before), _by_player(after))


def _by_player(rows: Sequence[EventsRow]) -> dict[str, Standing]:
    return {row.player: Standing(row.rank, written(row.points)) for row in rows}


def _standing(rank: int, points: int) -> Standing:
    return Standing(rank, written(Fraction(points, PARTS)))


def _changes(
    names: Mapping[Who, str], before: Mapping[Who, Standing], after: Mapping[Who, Standing]
) -> tuple[StandingChange, ...]:
    """Those who would stand elsewhere, in their new order."""
    there: list[StandingChange] = []
    for who, standing in sorted(after.items(), key=lambda item: item[1].rank):
        if before.get(who) != standing:
            there.append(StandingChange(names[who], before.get(who), standing))
    return (
        *there,
        *[StandingChange(names[who], standing, None) for who, standing in before.items() if who not in after],
    )
