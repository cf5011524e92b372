"""Stages: planning them, starting them with those who are there, finishing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import F, Max
from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.pairing.sizes import SIZES
from engine.scoring.stage.rules import StageTieBreak
from league.events.models import Entry, Event, Format, Group, Participant, Seeding, Stage, StageRound, StageScoring
from league.events.queries.seeding import LEAST, entrants, group_at, stage_before, tables_for, withdrawn_from
from league.events.queries.stage import StageFacts, stage_facts
from league.events.services.counting import places_write
from league.frame.names import with_name_checked
from league.locks import Space, transaction_lock_patient
from league.log.models import Action
from league.log.services import Actor, club_journal
from league.rankings.models import Scoring

SETTINGS: Final = (
    *("name", "format", "sizes", "rounds", "groups", "advance", "third", "takes", "carry", "games", "scoring"),
    *("tie_breaks", "seeding"),
)
"""What an organiser says of a stage."""
SETTLED: Final = ("format", "sizes", "groups", "advance", "third", "takes", "carry", "games", "scoring", "seeding")
"""What can't be changed once the stage has started; of the sizes, the wanted one, by which points are counted."""
NO_ROUND: Final = (StageRound.Status.TAKEN_BACK, StageRound.Status.FAILED)
"""Rounds that count for nothing."""
MOST_STAGES: Final = 8
DEFAULT_TIE_BREAKS: Final = ("head_to_head", "wins", "opponents_score", "lots")


def stage_create(*, event: Event, actor: Actor, **settings: Any) -> Stage:
    """Plan one more stage of an event. `settings` are those of `SETTINGS`; raises `ValidationError` by field."""
    settings = with_name_checked(settings)
    with club_journal(event.club_id, actor) as journal:
        _hold(event)
        number = 1 + (Stage.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0)
        given = {"scoring": StageScoring.PLACEMENT, "tie_breaks": list(DEFAULT_TIE_BREAKS), **settings}
        stage = Stage(event=event, number=number, **given)
        stage_check(stage)
        stage.save(force_insert=True)
        journal.add(Action.STAGE_CREATED, stage.public_id, {"event": event.public_id, **stage_settings(stage)})
    return stage


def stage_change(*, stage: Stage, actor: Actor, **settings: Any) -> bool:
    """Change what is said of a stage; False: no change. Raises `ValidationError` by field.

    Once it has started only its name, how many rounds are planned, the order of tie-breaks and the sizes behind the
    wanted one can change (not those of a knock-out); the log and the stage's page say that they did.
    """
    settings = with_name_checked(settings)
    with club_journal(stage.event.club_id, actor) as journal:
        _hold(stage.event)
        stored = Stage.objects.select_related("event__season").get(pk=stage.pk)
        before = stage_settings(stored)
        for name, value in settings.items():
            setattr(stored, name, value)
        after = stage_settings(stored)
        changed = [name for name in after if after[name] != before[name]]
        if not changed:
            return False
        settled = [name for name in changed if name in SETTLED]
        if not stored.knock_out and after["sizes"][:1] == before["sizes"][:1]:
            settled = [name for name in settled if name != "sizes"]
        if stored.status != Stage.Status.PLANNED and settled:
            raise ValidationError(dict.fromkeys(settled, gettext("This is settled: the stage has started.")))
        stage_check(stored)
        stored.version += 1
        stored.save()
        if stored.status == Stage.Status.FINISHED:
            places_write(event_id=stored.event_id)
        change = {"before": {name: before[name] for name in changed}, "after": {name: after[name] for name in changed}}
        journal.add(Action.STAGE_CHANGED, stage.public_id, change)
    stage.refresh_from_db()
    return True


def stage_drop(*, stage: Stage, actor: Actor) -> None:
    """Take a planned stage out of an event, if it is the last one. Raises `ValidationError`."""
    with club_journal(stage.event.club_id, actor) as journal:
        _hold(stage.event)
        stored = Stage.objects.get(pk=stage.pk)
        if stored.status != Stage.Status.PLANNED:
            raise ValidationError(gettext("This stage has started."))
        if Stage.objects.filter(event=stage.event_id, number__gt=stored.number).exists():
            raise ValidationError(gettext("Take the stages after it out first."))
        if StageRound.objects.filter(stage=stored).exists():
            raise ValidationError(gettext("Draws were made for this stage, and draws stay. Change it instead."))
        stored.group_set.all().delete()
        stored.delete()
        journal.add(Action.STAGE_CHANGED, stage.public_id, {"dropped": True})


def stage_start(*, stage: Stage, actor: Actor, order: Sequence[Entry] = ()) -> None:
    """Start a stage with those who are there, or with the best of the stage before: seeded, and spread over groups.

    `order` is the seeding by hand. Raises `ValidationError`: too few are there, the stage before isn't finished.
    """
    event = stage.event
    with club_journal(event.club_id, actor) as journal:
        _hold(event)
        stored = Stage.objects.select_related("event__season").get(pk=stage.pk)
        if stored.status != Stage.Status.PLANNED:
            raise ValidationError(gettext("This stage has started."))
        if Event.objects.get(pk=event.pk).status != Event.Status.RUNNING:
            raise ValidationError(gettext("Start the event first."))
        before = stage_before(stored)
        if before is not None and before.status != Stage.Status.FINISHED:
            raise ValidationError(gettext("Finish “%(stage)s” first.") % {"stage": before.name})
        found = entrants(stored, order)
        _refuse_number(stored, len(found))
        _take_in(stored, found)
        gone = sorted(withdrawn_from(stage_facts(before))) if before else []
        Stage.objects.filter(pk=stage.pk).update(gone=gone, kept="")
        _move(stored, Stage.Status.RUNNING)
        journal.add(Action.STAGE_STARTED, stage.public_id, {"participants": [entry.public_id for entry, _ in found]})
    stage.refresh_from_db()


def stage_restart(*, stage: Stage, actor: Actor) -> None:
    """Undo the start of a stage that has no round, or none that wasn't taken back. Raises `ValidationError`.

    Its groups stay, because the draws that were taken back name them.
    """
    with club_journal(stage.event.club_id, actor) as journal:
        _hold(stage.event)
        stored = Stage.objects.get(pk=stage.pk)
        rounds = StageRound.objects.filter(stage=stored).exclude(status__in=NO_ROUND)
        if stored.status != Stage.Status.RUNNING or rounds.exists():
            raise ValidationError(gettext("Only a stage without rounds can be set back. Take its rounds back first."))
        Participant.objects.filter(stage=stored).delete()
        Stage.objects.filter(pk=stage.pk).update(gone=[], kept="")
        _move(stored, Stage.Status.PLANNED)
        journal.add(Action.STAGE_CHANGED, stage.public_id, {"started": False})
    stage.refresh_from_db()


def stage_resume(*, stage: Stage, actor: Actor) -> None:
    """Undo the end of a stage, if none after it has started. Raises `ValidationError`."""
    with club_journal(stage.event.club_id, actor) as journal:
        _hold(stage.event)
        stored = Stage.objects.select_related("event").get(pk=stage.pk)
        if stored.status != Stage.Status.FINISHED:
            raise ValidationError(gettext("This stage isn’t finished."))
        refuse_still(stored.event)
        after = Stage.objects.filter(event=stage.event_id, number__gt=stored.number)
        if after.exclude(status=Stage.Status.PLANNED).exists():
            raise ValidationError(gettext("The stage after it has started: set that one back first."))
        last = StageRound.objects.filter(stage=stored).exclude(status__in=NO_ROUND).order_by("-number").first()
        if last is not None:
            StageRound.objects.filter(pk=last.pk).update(status=StageRound.Status.PUBLISHED)
        _move(stored, Stage.Status.RUNNING)
        journal.add(Action.STAGE_CHANGED, stage.public_id, {"finished": False})
    stage.refresh_from_db()


def stage_finish(*, stage: Stage, actor: Actor) -> None:
    """Say that a stage is at its end. Raises `ValidationError` while a table isn't finished."""
    with club_journal(stage.event.club_id, actor) as journal:
        _hold(stage.event)
        stored = Stage.objects.select_related("event").get(pk=stage.pk)
        refuse_still(stored.event)
        if stored.status != Stage.Status.RUNNING:
            raise ValidationError(gettext("This stage isn’t running."))
        refuse_unfinished(stage_facts(stored))
        StageRound.objects.filter(stage=stored, status=StageRound.Status.PUBLISHED).update(
            status=StageRound.Status.FINISHED
        )
        _move(stored, Stage.Status.FINISHED)
        journal.add(Action.STAGE_FINISHED, stage.public_id)
    stage.refresh_from_db()


def stage_settings(stage: Stage) -> dict[str, Any]:
    """What is said of a stage, by name."""
    return {name: getattr(stage, name) for name in SETTINGS}


def stage_check(stage: Stage) -> None:
    """Refuse a format that can't be. Raises `ValidationError` by field."""
    stage.full_clean(exclude=["event"], validate_constraints=False)
    if stage.number > MOST_STAGES:
        raise ValidationError(gettext("An event has at most %(most)d stages.") % {"most": MOST_STAGES})
    sizes = stage.sizes
    if not sizes or any(size not in SIZES for size in sizes) or len(set(sizes)) < len(sizes):
        words = gettext("Choose different sizes from %(least)d to %(most)d.")
        raise ValidationError({"sizes": words % {"least": SIZES[0], "most": SIZES[-1]}})
    if stage.knock_out and (len(sizes) > 1 or not 0 < stage.advance < sizes[0]):
        words = gettext("From a table of %(size)d at least one and at most %(most)d go on.")
        raise ValidationError({"advance": words % {"size": sizes[0], "most": sizes[0] - 1}})
    if stage.knock_out and stage.groups > 1:
        raise ValidationError({"groups": gettext("A knock-out has no groups.")})
    if not stage.knock_out and stage.format != Format.LADDER and not stage.rounds:
        raise ValidationError({"rounds": gettext("Say how many rounds are planned.")})
    unknown = [name for name in stage.tie_breaks if name not in list(StageTieBreak)]
    if unknown or len(set(stage.tie_breaks)) < len(stage.tie_breaks):
        raise ValidationError({"tie_breaks": gettext("Name each tie-break once.")})
    if stage.number == 1 and (stage.takes or stage.carry or stage.seeding == Seeding.STAGE):
        raise ValidationError({"takes": gettext("There is no stage before the first one.")})
    rules = stage.event.season.rules
    if stage.scoring == StageScoring.CNTDICE and rules.get("scoring", Scoring.CNTDICE) != Scoring.CNTDICE:
        words = gettext("The rules of the season count points otherwise than by dice scores.")
        raise ValidationError({"scoring": words})
    if stage.scoring == StageScoring.CNTDICE and stage.event.season.ranking.scoring == Scoring.TOTALS:
        raise ValidationError({"scoring": gettext("Dice scores are those of Bluff.")})


def refuse_still(event: Event) -> None:
    """Raise `ValidationError` for an event, as it is read under its lock, that isn't running: one that is cancelled,
    say, has no rounds to draw and none to play."""
    if event.status != Event.Status.RUNNING:
        raise ValidationError(gettext("The event isn’t running."))


def refuse_unfinished(facts: StageFacts) -> None:
    """Raise `ValidationError` if a table isn't finished, or a round isn't out yet."""
    for stage_round in facts.rounds:
        number = {"number": stage_round.number}
        if stage_round.status == StageRound.Status.ASKED:
            raise ValidationError(gettext("Round %(number)d is being drawn. Look at it in a moment.") % number)
        if stage_round.status == StageRound.Status.DRAWN:
            raise ValidationError(gettext("Round %(number)d is drawn. Publish it, or take it back.") % number)
    if facts.open_tables:
        tables = ", ".join(str(table.number) for table in facts.open_tables[:10])
        raise ValidationError(gettext("Enter the results of these tables first: %(tables)s.") % {"tables": tables})


def _hold(event: Event) -> None:
    """Whoever changes the course of an event is alone with it."""
    transaction_lock_patient(Space.EVENT, event.pk)


def _move(stage: Stage, status: str) -> None:
    """Let a stage stand elsewhere in its course."""
    Stage.objects.filter(pk=stage.pk).update(status=status, version=F("version") + 1)


def _refuse_number(stage: Stage, count: int) -> None:
    """Raise `ValidationError` if so many can't play a stage."""
    least = LEAST * stage.groups
    if count < least:
        words = gettext("%(count)d are there, and this stage needs at least %(least)d. Check more in, or change it.")
        raise ValidationError(words % {"count": count, "least": least})
    if stage.format == Format.FINAL and count > SIZES[-1]:
        words = gettext("A final table has at most %(most)d seats, and %(count)d would sit there.")
        raise ValidationError(words % {"most": SIZES[-1], "count": count})
    mixes = tables_for(stage, count)
    if isinstance(mixes, Illegal):
        words = gettext("Tables of these sizes don’t seat everybody (%(reason)s). Allow one more size.")
        raise ValidationError(words % {"reason": mixes.message.translated(gettext)})


def _take_in(stage: Stage, entrants: Sequence[tuple[Entry, int]]) -> None:
    """Make the groups and put everybody in one."""
    known = {group.number: group for group in Group.objects.filter(stage=stage)}
    new = [
        Group(stage=stage, number=number, name=chr(64 + number) if 1 < stage.groups <= 26 else "")
        for number in range(1, stage.groups + 1)
        if number not in known
    ]
    known |= {group.number: group for group in Group.objects.bulk_create(new)}
    rows = []
    for place, (entry, carried) in enumerate(entrants):
        group = known[group_at(place, stage.groups)]
        rows.append(Participant(stage=stage, entry=entry, group=group, seed=place + 1, carried=carried))
    Participant.objects.bulk_create(rows)
