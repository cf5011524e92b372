"""Where everybody finished a stage, whatever its format."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.grouping import lists_by_key
from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketPlace, bracket_places
from engine.scoring.ladder import Ladder, LadderGame, ladder
from league.stages.bracket.domain.knock_out import bracket_input, is_over, orders_so_far
from league.stages.placing.domain.strikes import struck_out
from league.stages.result.domain.result import group_ranking
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.domain.group import in_divisions


class Placed(NamedTuple):
    """A place in a stage, which several may share; `score` in 840ths of a point, those of earlier
    stages left out."""

    place: int
    entry: int
    score: int


def stage_places(facts: StageFacts) -> list[Placed]:
    """Everybody of a stage, best first: by the bracket of a knock-out, by the order of a ladder,
    else by the place in the own group, so that all winners of groups share the first one."""
    members = {member.entry_id: member for member in facts.members.values()}
    scores: dict[str, int] = {}
    ranks: dict[str, int] = {}
    for group in facts.groups:
        for row in group_ranking(facts, group.pk):
            ranks[row.participant.player_id] = row.rank
            scores[row.participant.player_id] = (
                row.score - members[row.participant.player_id].carried
            )
        if facts.stage.knock_out:
            ranks = {
                place.player_id: place.place for place in knocked_out(facts, group.pk)[0]
            } or ranks
        if facts.stage.format_rules.ladder:
            order = ladder_of(facts, group.pk).order
            behind = dict.fromkeys(ranks, len(order) + 1)  # who has withdrawn
            ranks = {**behind, **{entry_id: place for place, entry_id in enumerate(order, start=1)}}
    better = sorted(ranks.values())
    placed = [
        Placed(1 + bisect_left(better, rank), members[entry_id].entry, scores.get(entry_id, 0))
        for entry_id, rank in ranks.items()
    ]
    return sorted(
        placed, key=lambda placed_row: (placed_row.place, facts.members[placed_row.entry].seed)
    )


def knocked_out(facts: StageFacts, group: int) -> tuple[tuple[BracketPlace, ...], bool]:
    """Tell how far everybody of a knock-out came by now, best first, and whether it is over; nobody
    of one that can't be."""
    places = bracket_places(bracket_input(facts, group), orders_so_far(facts, group))
    return ((), False) if isinstance(places, Illegal) else places


def event_places(stages: Sequence[StageFacts]) -> list[Placed]:
    """Everybody of an event, best first: those of its last stage, behind them who went no further
    than the one before, and so on. The points are those of all stages together; `stages` are those
    that have started, in their order. Where all are played in divisions, places are those in the
    own division."""
    order: list[Placed] = []
    scores: dict[int, int] = {}
    for facts in reversed(stages):
        stage_rows = stage_places(facts)
        ahead, ranked = len(order), {placed.entry for placed in order}
        late = [placed for placed in stage_rows if placed.entry not in ranked]
        places = sorted(placed.place for placed in late)
        order += [
            placed._replace(place=ahead + 1 + bisect_left(places, placed.place)) for placed in late
        ]
        for placed in stage_rows:
            scores[placed.entry] = scores.get(placed.entry, 0) + placed.score
    if in_divisions(facts.stage for facts in stages):
        order = _in_divisions(stages, order)
    return [placed._replace(score=scores[placed.entry]) for placed in order]


def _in_divisions(stages: Sequence[StageFacts], order: Sequence[Placed]) -> list[Placed]:
    """Count places among those of the own division, which is the group of the first stage."""
    divisions = {
        member.entry: member.group for facts in stages[:1] for member in facts.members.values()
    }
    places = lists_by_key((divisions[placed.entry], placed.place) for placed in order)
    return [
        placed._replace(place=1 + bisect_left(places[divisions[placed.entry]], placed.place))
        for placed in order
    ]


def with_carried(stages: Sequence[StageFacts]) -> list[StageFacts]:
    """The stages of an event that have started, in their order, with the points that each one's
    participants bring from the stage before."""
    carried_stages: list[StageFacts] = []
    for facts in stages:
        points = (
            points_to_carry(carried_stages[-1], facts.stage.gone)
            if carried_stages and facts.stage.carry
            else {}
        )
        members = {
            entry: member._replace(carried=points.get(entry, 0))
            for entry, member in facts.members.items()
        }
        carried_stages.append(replace(facts, members=members))
    return carried_stages


def points_to_carry(before: StageFacts, withdrawn: Collection[int]) -> dict[int, int]:
    """Return what everybody of a stage takes along into the next one where points count on, by
    entry, in 840ths of a point: never less than 0, and nothing from a bracket and a ladder.
    `withdrawn`: the entries that had withdrawn when that one started."""
    if before.stage.by_place:
        return {}
    stage_end = with_gone(before, withdrawn)
    ids = {member.entry_id: member.entry for member in stage_end.members.values()}
    return {
        ids[row.participant.player_id]: max(row.score, 0)
        for group in stage_end.groups
        for row in group_ranking(stage_end, group.pk)
    }


def with_gone(before: StageFacts, withdrawn: Collection[int]) -> StageFacts:
    """A stage with those withdrawn who had when the next one started."""
    members = {
        entry: member._replace(withdrawn=entry in withdrawn)
        for entry, member in before.members.items()
    }
    return replace(before, members=members)


def has_winner(facts: StageFacts) -> bool:
    """True if a stage that goes on until one is left has come to that: a knock-out, or one with
    strikes."""
    if facts.stage.knock_out:
        return all(is_over(facts, group.pk) for group in facts.groups)
    members = [member.entry_id for member in facts.members.values() if not member.withdrawn]
    out = {entry_id for group in facts.groups for entry_id in struck_out(facts, group.pk)}
    return len(set(members) - out) < 2


def ladder_of(facts: StageFacts, group: int) -> Ladder:
    """The ladder of a group, from its seeding and the games of its tables; players are named by
    their entries' ids."""
    members = facts.group_members(group)
    games = [
        LadderGame(
            game.game, tuple(facts.members[entry].entry_id for entry in game.entries), game.ranks
        )
        for table in facts.group_tables(group)
        for game in table.games
        if game.ranks is not None
    ]
    return ladder(
        [member.entry_id for member in members],
        games,
        [member.entry_id for member in members if member.withdrawn],
    )
