"""Final places in a stage of any format, and in an event."""

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
    """A place in a stage, which several may share; `score` in 840ths of a point, without points
    carried from earlier stages."""

    place: int
    entry: int
    score: int


def stage_places(facts: StageFacts) -> list[Placed]:
    """Return the places in a stage, best first: by the bracket of a knock-out, by the order of a
    ladder, else by the rank in the group, so that all winners of groups share the first place."""
    members = {member.entry_id: member for member in facts.members.values()}
    scores: dict[str, int] = {}
    ranks: dict[str, int] = {}
    for group in facts.groups:
        for row in group_ranking(facts, group.pk):
            entry_id = row.participant.player_id
            ranks[entry_id] = row.rank
            scores[entry_id] = row.score - members[entry_id].carried
        if facts.stage.knock_out:
            bracket_ranks, _ = knocked_out(facts, group.pk)
            if bracket_ranks:
                ranks = {place.player_id: place.place for place in bracket_ranks}
        if facts.stage.format_rules.ladder:
            order = ladder_of(facts, group.pk).order
            ranks = dict.fromkeys(ranks, len(order) + 1)  # withdrawn players come last
            for place, entry_id in enumerate(order, start=1):
                ranks[entry_id] = place

    sorted_ranks = sorted(ranks.values())
    placed = []
    for entry_id, rank in ranks.items():
        place = 1 + bisect_left(sorted_ranks, rank)
        placed.append(Placed(place, members[entry_id].entry, scores.get(entry_id, 0)))
    return sorted(placed, key=lambda row: (row.place, facts.members[row.entry].seed))


def knocked_out(facts: StageFacts, group: int) -> tuple[tuple[BracketPlace, ...], bool]:
    """Return the places of the players of a knock-out, by how far they have come, the best first;
    and whether it is over. There are no places if the format doesn't fit its players."""
    places = bracket_places(bracket_input(facts, group), orders_so_far(facts, group))
    if isinstance(places, Illegal):
        return (), False
    return places


def event_places(stages: Sequence[StageFacts]) -> list[Placed]:
    """Return the places in an event, best first: the players of its last stage, then those who got
    no further than the stage before, and so on; with the points of all stages together.

    `stages` are the started ones, in their order. If all are played in divisions, places are those
    within a division."""
    order: list[Placed] = []
    scores: dict[int, int] = {}
    for facts in reversed(stages):
        stage_rows = stage_places(facts)
        ahead = len(order)
        ranked = {placed.entry for placed in order}
        unranked = [placed for placed in stage_rows if placed.entry not in ranked]
        places = sorted(placed.place for placed in unranked)
        for placed in unranked:
            place = ahead + 1 + bisect_left(places, placed.place)
            order.append(placed._replace(place=place))
        for placed in stage_rows:
            scores[placed.entry] = scores.get(placed.entry, 0) + placed.score
    if in_divisions(facts.stage for facts in stages):
        order = _places_within_divisions(stages, order)
    return [placed._replace(score=scores[placed.entry]) for placed in order]


def _places_within_divisions(stages: Sequence[StageFacts], order: Sequence[Placed]) -> list[Placed]:
    """Count the places anew within each division."""
    divisions = {member.entry: member.group for member in stages[0].members.values()}
    places = lists_by_key((divisions[placed.entry], placed.place) for placed in order)
    return [
        placed._replace(place=1 + bisect_left(places[divisions[placed.entry]], placed.place))
        for placed in order
    ]


def with_carried(stages: Sequence[StageFacts]) -> list[StageFacts]:
    """Return the started stages of an event, in their order, with the points that the members of
    each bring from the stage before."""
    carried_stages: list[StageFacts] = []
    for facts in stages:
        points: dict[int, int] = {}
        if carried_stages and facts.stage.carry:
            points = points_to_carry(carried_stages[-1], facts.stage.gone)
        members = {
            entry: member._replace(carried=points.get(entry, 0))
            for entry, member in facts.members.items()
        }
        carried_stages.append(replace(facts, members=members))
    return carried_stages


def points_to_carry(before: StageFacts, withdrawn: Collection[int]) -> dict[int, int]:
    """Return the points, by entry and in 840ths, that a stage's members take along into the next
    one: never less than 0, and none from a bracket or a ladder. `withdrawn`: the entries that had
    withdrawn when the next stage started."""
    if before.stage.by_place:
        return {}
    at_end = with_withdrawn(before, withdrawn)
    row_ids = {member.entry_id: member.entry for member in at_end.members.values()}
    points = {}
    for group in at_end.groups:
        for row in group_ranking(at_end, group.pk):
            points[row_ids[row.participant.player_id]] = max(row.score, 0)
    return points


def with_withdrawn(before: StageFacts, withdrawn: Collection[int]) -> StageFacts:
    """Return a stage in which exactly the `withdrawn` entries have withdrawn."""
    members = {
        entry: member._replace(withdrawn=entry in withdrawn)
        for entry, member in before.members.items()
    }
    return replace(before, members=members)


def has_winner(facts: StageFacts) -> bool:
    """Return True if a knock-out or a stage with strikes, which goes on until one player is left,
    is over."""
    if facts.stage.knock_out:
        return all(is_over(facts, group.pk) for group in facts.groups)
    left = {member.entry_id for member in facts.members.values() if not member.withdrawn}
    for group in facts.groups:
        left -= struck_out(facts, group.pk)
    return len(left) < 2


def ladder_of(facts: StageFacts, group: int) -> Ladder:
    """Return the ladder of a group, from its seeding and its games; players are named by the ids of
    their entries."""
    games = []
    for table in facts.group_tables(group):
        for game in table.games:
            if game.ranks is not None:
                ids = tuple(facts.members[entry].entry_id for entry in game.entries)
                games.append(LadderGame(game.game, ids, game.ranks))
    members = facts.group_members(group)
    seeding = [member.entry_id for member in members]
    withdrawn = [member.entry_id for member in members if member.withdrawn]
    return ladder(seeding, games, withdrawn)
