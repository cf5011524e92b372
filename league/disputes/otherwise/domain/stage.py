"""What a corrected result would change in the stages after its own: who would be in them, where,
and with which points.

Points that carry over follow a correction at once. The members of a stage and the tables drawn in
it stay until the organiser takes the stage back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple

from league.disputes.otherwise.domain.round import (
    DrawnOtherwise,
    RoundInNames,
    compared_draw,
    drawn_otherwise,
    in_names,
)
from league.stages.placing.domain.place import points_to_carry, with_carried, with_withdrawn
from league.stages.placing.domain.seeding import entrants_from
from league.stages.round.domain.reason import names_of
from league.stages.stage.domain.facts import Member, StageDraw, StageFacts
from league.stages.stage.domain.group import NumberedName, division_groups, equal_groups
from league.stages.stage.models import Seeding, Stage


class Seeded(NamedTuple):
    """A player's place in a stage: the number of the group, and the seed, both counted from 1."""

    group: int
    seed: int


class Moved(NamedTuple):
    """A player who would have another group or seed in a stage, by name."""

    name: str
    then: Seeded
    now: Seeded


@dataclass(frozen=True, slots=True)
class MadeOtherwise:
    """How a stage would be filled with other players or seeds by today's results of the stage
    before.

    `new`: the names of players who would be in the stage and aren't. `out`: the names of players
    who are in the stage and wouldn't be. `first`: the changed tables of its first round. `digest`:
    the digest of the seeding as it would be today. When an organiser keeps the stage as played,
    this digest is stored; if the seeding changes again, the organiser has to decide again."""

    new: tuple[str, ...]
    out: tuple[str, ...]
    moved: tuple[Moved, ...]
    first: tuple[RoundInNames, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class StageOtherwise:
    """A stage that today's results would change: its members (`made`), or rounds that were drawn in
    it (`in_names`: with names). `after`: the names of the stages that follow it."""

    stage: Stage
    made: MadeOtherwise | None
    rounds: tuple[DrawnOtherwise, ...]
    in_names: tuple[RoundInNames, ...]
    after: tuple[str, ...]

    @property
    def named_rounds(self) -> tuple[RoundInNames, ...]:
        """Return the changed rounds with names; only the first round if the members would
        change."""
        return self.made.first if self.made else self.in_names


def event_otherwise(stages: Sequence[StageFacts]) -> list[StageOtherwise]:
    """Return the stages of an event that today's results would change, without changes that an
    organiser decided not to follow."""
    made_by_stage = {
        facts.stage.pk: made_otherwise(before, facts) for before, facts in pairwise(stages)
    }
    affected = []
    for place, facts in enumerate(stages):
        made = made_by_stage.get(facts.stage.pk)
        if made and made.digest == facts.stage.kept:
            made = None
        rounds = tuple(drawn_otherwise(facts))
        if made or rounds:
            named_rounds = tuple(in_names(names_of(facts), rounds))
            after = tuple(later.stage.name for later in stages[place + 1 :])
            affected.append(StageOtherwise(facts.stage, made, rounds, named_rounds, after))
    return affected


def as_corrected(stages: Sequence[StageFacts], corrected: StageFacts) -> list[StageFacts]:
    """Return the stages of an event with `corrected` in the place of the same stage, and with the
    points that carry over computed again."""
    return with_carried(
        [corrected if facts.stage.pk == corrected.stage.pk else facts for facts in stages]
    )


def made_otherwise(before: StageFacts, facts: StageFacts) -> MadeOtherwise | None:
    """Return how a stage would be filled today from the stage before, by the players who were
    present when it started; None if its members and seeds wouldn't change.

    Players who were seeded by hand keep their order; new players follow them.
    """
    stage = facts.stage
    seeding_then = _seeding_then(facts)
    seeding_today = _seeding_today(before, stage, seeding_then)
    if seeding_today == seeding_then:
        return None

    members = {**before.members, **facts.members}
    moved = []
    for entry, seeded in seeding_today.items():
        if entry in seeding_then and seeded != seeding_then[entry]:
            moved.append(Moved(members[entry].name, seeding_then[entry], seeded))
    rows = [[members[entry].entry_id, *seeded] for entry, seeded in seeding_today.items()]
    return MadeOtherwise(
        new=tuple(members[entry].name for entry in seeding_today if entry not in seeding_then),
        out=tuple(members[entry].name for entry in seeding_then if entry not in seeding_today),
        moved=tuple(moved),
        first=_changed_first_round(before, facts, seeding_today),
        digest=sha256(json.dumps(rows).encode()).hexdigest(),
    )


def _seeding_then(facts: StageFacts) -> dict[int, Seeded]:
    """Return group and seed of each entry, as the stage began with them."""
    numbers = {group.pk: group.number for group in facts.groups}
    return {
        entry: Seeded(numbers[member.group], member.seed) for entry, member in facts.members.items()
    }


def _seeding_today(
    before: StageFacts, stage: Stage, seeding_then: dict[int, Seeded]
) -> dict[int, Seeded]:
    entrants_and_points = entrants_from(stage, with_withdrawn(before, stage.gone), stage.gone)
    entrants = [entry for entry, _ in entrants_and_points]
    if stage.seeding == Seeding.HAND:
        seed_of_newcomers = len(seeding_then) + 1
        entrants.sort(
            key=lambda entry: (
                seeding_then[entry].seed if entry in seeding_then else seed_of_newcomers
            )
        )
    groups = _groups_of_entrants(before, stage, entrants)
    seeding = {}
    for seed, (entry, group) in enumerate(zip(entrants, groups, strict=True), start=1):
        seeding[entry] = Seeded(group, seed)
    return seeding


def _groups_of_entrants(before: StageFacts, stage: Stage, entrants: Sequence[int]) -> Sequence[int]:
    if not stage.by_division:
        return equal_groups(stage.groups, len(entrants)).numbers
    names = {group.pk: NumberedName(group.number, group.name) for group in before.groups}
    return division_groups([names[before.members[pk].group] for pk in entrants]).numbers


def _changed_first_round(
    before: StageFacts, facts: StageFacts, seeding_today: dict[int, Seeded]
) -> tuple[RoundInNames, ...]:
    """Return how the first round would be drawn by today's results: with the seeding of today,
    and with names instead of ids."""
    draws = [draw for draw in facts.draws if draw.round_number == 1]
    members = {**before.members, **facts.members}
    members_today = _members_today(before, facts, draws, seeding_today)
    stage_before_draw = replace(facts, members=members_today, rounds=(), tables=(), draws=())
    rounds = {row.number: row for row in facts.rounds}
    differences = []
    for draw in draws:
        difference = compared_draw(stage_before_draw, draw, rounds[1])
        if difference is not None:
            differences.append(difference)
    names = {member.entry_id: member.name for member in members.values()}
    return tuple(in_names(names, differences))


def _members_today(
    before: StageFacts,
    facts: StageFacts,
    draws: Sequence[StageDraw],
    seeding_today: dict[int, Seeded],
) -> dict[int, Member]:
    """Return the members as the stage would have them today. Members whom the first round didn't
    seat don't play then, either; new members do."""
    groups = {group.number: group.pk for group in facts.groups}
    points = points_to_carry(before, facts.stage.gone) if facts.stage.carry else {}
    seated: set[str] = set()
    for draw in draws:
        seated.update(player["id"] for player in json.loads(draw.input_text)["players"])

    members = {}
    for entry, seeded in seeding_today.items():
        member = facts.members.get(entry) or before.members[entry]
        members[entry] = member._replace(
            group=groups[seeded.group],
            seed=seeded.seed,
            carried=points.get(entry, 0),
            plays=member.entry_id in seated or entry not in facts.members,
            withdrawn=False,
        )
    return members
