"""All that a corrected result changes in the stages after its own: who would be in them, where, and
with which points.

Points that count on follow a correction at once. Who is in a stage stays, like the tables that were
drawn, until the organiser takes the stage back: here stands what would be otherwise."""

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
from league.stages.placing.domain.place import points_to_carry, with_carried, with_gone
from league.stages.placing.domain.seeding import entrants_from
from league.stages.round.domain.reason import names_of
from league.stages.stage.domain.facts import Member, StageFacts
from league.stages.stage.domain.group import NumberedName, division_groups, equal_groups
from league.stages.stage.models import Seeding, Stage


class Seeded(NamedTuple):
    """Where somebody is in a stage: the number of the group, and the place in the seeding, from
    1."""

    group: int
    seed: int


class Moved(NamedTuple):
    """Somebody, by the name, who would be elsewhere in a stage."""

    name: str
    then: Seeded
    now: Seeded


@dataclass(frozen=True, slots=True)
class MadeOtherwise:
    """A stage that today's results of the one before would have made up otherwise: who, by name,
    would be in it and isn't, who is and wouldn't be, and who would be elsewhere; and the tables of
    its first round.

    `digest` is that of who would be where: whoever keeps the stage as it was made up keeps it in
    view of that."""

    new: tuple[str, ...]
    out: tuple[str, ...]
    moved: tuple[Moved, ...]
    first: tuple[RoundInNames, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class StageOtherwise:
    """A stage of which something would be otherwise: how it was made up, or rounds that were drawn
    in it.

    `after`: the names of the stages that were made from it.
    """

    stage: Stage
    made: MadeOtherwise | None
    rounds: tuple[DrawnOtherwise, ...]
    in_names: tuple[RoundInNames, ...]
    after: tuple[str, ...]

    @property
    def named_rounds(self) -> tuple[RoundInNames, ...]:
        """The rounds by people's names; of a stage that would be made up otherwise the first
        one."""
        return self.made.first if self.made else self.in_names


def event_otherwise(stages: Sequence[StageFacts]) -> list[StageOtherwise]:
    """Return what today's results would have made otherwise in the stages of an event, as far as
    nobody has kept it."""
    differences = {
        facts.stage.pk: made_otherwise(before, facts) for before, facts in pairwise(stages)
    }
    stages_affected = []
    for place, facts in enumerate(stages):
        differs = differences.get(facts.stage.pk)
        rounds = tuple(drawn_otherwise(facts))
        if differs and differs.digest == facts.stage.kept:
            differs = None
        if differs or rounds:
            after = tuple(later.stage.name for later in stages[place + 1 :])
            named_rounds = tuple(in_names(names_of(facts), rounds))
            stages_affected.append(
                StageOtherwise(facts.stage, differs, rounds, named_rounds, after)
            )
    return stages_affected


def as_corrected(stages: Sequence[StageFacts], corrected: StageFacts) -> list[StageFacts]:
    """The stages of an event if one of them stood as `corrected`: the points that count on
    follow."""
    return with_carried(
        [corrected if facts.stage.pk == corrected.stage.pk else facts for facts in stages]
    )


def made_otherwise(before: StageFacts, facts: StageFacts) -> MadeOtherwise | None:
    """Tell how a stage would be made up now from the one before, with those who were there when it
    started; None: as it is.

    Who was put in order by hand keeps that order, and who would be new comes behind.
    """
    stage = facts.stage
    numbers = {group.pk: group.number for group in facts.groups}
    then = {pk: Seeded(numbers[member.group], member.seed) for pk, member in facts.members.items()}
    entrants = [pk for pk, _ in entrants_from(stage, with_gone(before, stage.gone), stage.gone)]
    if stage.seeding == Seeding.HAND:
        entrants.sort(key=lambda pk: then[pk].seed if pk in then else len(then) + 1)
    seeding_today = {
        pk: Seeded(number, seed)
        for seed, (pk, number) in enumerate(
            zip(entrants, _groups(before, stage, entrants), strict=True), start=1
        )
    }
    if seeding_today == then:
        return None
    people = {**before.members, **facts.members}
    moved = [
        Moved(people[pk].name, then[pk], seeding_today[pk])
        for pk in seeding_today
        if pk in then and seeding_today[pk] != then[pk]
    ]
    rows = [[people[pk].entry_id, *seeded] for pk, seeded in seeding_today.items()]
    return MadeOtherwise(
        new=tuple(people[pk].name for pk in seeding_today if pk not in then),
        out=tuple(people[pk].name for pk in then if pk not in seeding_today),
        moved=tuple(moved),
        first=_first_round(before, facts, seeding_today),
        digest=sha256(json.dumps(rows).encode()).hexdigest(),
    )


def _groups(before: StageFacts, stage: Stage, entrants: Sequence[int]) -> Sequence[int]:
    """The numbers of the groups into which those come who would take part: about equally strong, or
    those of the stage before."""
    if not stage.by_division:
        return equal_groups(stage.groups, len(entrants)).numbers
    names = {group.pk: NumberedName(group.number, group.name) for group in before.groups}
    return division_groups([names[before.members[pk].group] for pk in entrants]).numbers


def _first_round(
    before: StageFacts, facts: StageFacts, seeding_today: dict[int, Seeded]
) -> tuple[RoundInNames, ...]:
    """Tell how the tables of the first round of a stage would differ, if it is drawn."""
    groups = {group.number: group.pk for group in facts.groups}
    draws = [draw for draw in facts.draws if draw.round_number == 1]
    seated = {player["id"] for draw in draws for player in json.loads(draw.input_text)["players"]}
    points = points_to_carry(before, facts.stage.gone) if facts.stage.carry else {}
    people = {**before.members, **facts.members}

    def member(pk: int, seeded: Seeded) -> Member:
        person = people[pk]
        return person._replace(
            group=groups[seeded.group],
            seed=seeded.seed,
            carried=points.get(pk, 0),
            plays=person.entry_id in seated or pk not in facts.members,
            withdrawn=False,
        )

    members = {pk: member(pk, seeded) for pk, seeded in seeding_today.items()}
    past = replace(facts, members=members, rounds=(), tables=(), draws=())
    rounds = {row.number: row for row in facts.rounds}
    differences = [compared_draw(past, draw, rounds[1]) for draw in draws]
    names = {person.entry_id: person.name for person in people.values()}
    return tuple(in_names(names, [differs for differs in differences if differs is not None]))
