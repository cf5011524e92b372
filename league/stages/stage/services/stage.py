"""Planning stages, changing their settings, and deleting planned ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext

from league.core.frame.names import with_name_checked
from league.core.log.columns import columns_of
from league.core.log.services import Actor, Journal, changes_between
from league.events.event.models import Event
from league.events.event.services import course_journal, refuse_unreasoned
from league.events.helper.queries import event_acting_role
from league.stages.placing.services import places_write
from league.stages.round.models import ROUND, StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.domain.size import table_sizes
from league.stages.stage.domain.tie_break import first_scoring, first_tie_breaks, is_tie_break
from league.stages.stage.format import FORMATS
from league.stages.stage.models import BY_POINTS, STAGE, Seeding, Stage, StageScoring
from league.standings.ranking.models import Scoring
from league.standings.season.models import SCORINGS

SETTINGS: Final = columns_of(Stage, "setting")
"""The settings of a stage, which its organisers choose."""
TEXTS: Final = columns_of(Stage, "text")
SETTLED: Final = (
    "format",
    "sizes",
    "groups",
    "by_division",
    "advance",
    "third",
    "separation",
    "takes",
    "carry",
    "games",
    "scoring",
    "adjusted",
    "seeding",
)
"""Settings that can't change once the stage has started, with two exceptions: the sizes after the
first, preferred one, and the scoring from points to places, because not every game has points."""
MOST_STAGES: Final = 8


def stage_create(*, event: Event, actor: Actor, **settings: Any) -> Stage:
    """Plan one more stage of an event. `settings` are named in `SETTINGS`; raise `ValidationError`
    with messages by field.

    By default event and season find the same winner by scoring and tie-breaks, and the points of
    smaller tables aren't adjusted.
    """
    settings = with_name_checked(settings)
    with course_journal(event, actor) as journal:
        last = Stage.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
        defaults = _default_settings(event, settings.get("format", ""))
        stage = Stage(event=event, number=last + 1, **{**defaults, **settings})
        stage_check(stage)
        stage.save(force_insert=True)
        payload = {
            "event": event.public_id,
            "number": stage.number,
            **stage_settings(stage),
            "commitment": stage.commitment,
        }
        journal.add(StageAction.CREATED, stage.public_id, payload, texts=TEXTS)
        journal.record(STAGE, [stage])
    return stage


def _default_settings(event: Event, stage_format: str) -> dict[str, Any]:
    scoring = first_scoring(event.season, stage_format)
    rules = FORMATS.get(stage_format)
    if rules is None:  # `stage_check` refuses an unknown format
        return {"scoring": scoring, "tie_breaks": [], "adjusted": False}
    return {
        "scoring": scoring,
        "tie_breaks": list(first_tie_breaks(event.season, rules)),
        "adjusted": not rules.adjusts,
    }


def stage_change(*, stage: Stage, actor: Actor, **settings: Any) -> bool:
    """Change settings of a stage; return False if nothing changed. Raise `ValidationError` with
    messages by field.

    Once the stage has started, the `SETTLED` settings can't change, and the event's page shows
    changes of the others. After the end of the event a change needs a reason.
    """
    settings = with_name_checked(settings)
    with course_journal(stage.event, actor) as journal:
        stage_row = Stage.objects.select_related("event__season").get(pk=stage.pk)
        before = stage_settings(stage_row)
        for name, value in settings.items():
            setattr(stage_row, name, value)
        after = stage_settings(stage_row)
        change = changes_between(before, after)
        if not change["after"]:
            return False

        settled = _settled_changes(stage_row, before, after, change["after"])
        if stage_row.status != Stage.Status.PLANNED and settled:
            raise ValidationError(
                dict.fromkeys(
                    settled, gettext("This can’t be changed any more: the stage has started.")
                )
            )
        refuse_unreasoned(stage_row.event, actor)
        stage_check(stage_row)
        stage_row.version += 1
        stage_row.save()
        if stage_row.status == Stage.Status.FINISHED:
            places_write(event_id=stage_row.event_id)

        role = event_acting_role(stage.event, actor.account_id)
        journal.add(StageAction.CHANGED, stage.public_id, {**change, "role": role}, texts=TEXTS)
        journal.record(STAGE, [stage_row], change["after"])
    stage.refresh_from_db()
    return True


def _settled_changes(
    stage: Stage, before: Mapping[str, Any], after: Mapping[str, Any], changed: Iterable[str]
) -> list[str]:
    """Return the changed settings that can't change once the stage has started. Two changes are
    allowed all the same: of the sizes after the first, and of the scoring from points to places."""
    settled_names = [name for name in changed if name in SETTLED]
    same_size = after["sizes"][:1] == before["sizes"][:1]
    if "sizes" in settled_names and same_size and not stage.knock_out:
        settled_names.remove("sizes")
    to_places = before["scoring"] in BY_POINTS and after["scoring"] == StageScoring.PLACEMENT
    if "scoring" in settled_names and to_places:
        settled_names.remove("scoring")
    return settled_names


def stage_drop(*, stage: Stage, actor: Actor) -> None:
    """Delete a planned stage. Raise `ValidationError` if it has started, isn't the event's last
    one, or has draws."""
    with course_journal(stage.event, actor) as journal:
        stage_row = Stage.objects.get(pk=stage.pk)
        if stage_row.status != Stage.Status.PLANNED:
            raise ValidationError(gettext("This stage has started."))
        if Stage.objects.filter(event=stage.event_id, number__gt=stage_row.number).exists():
            raise ValidationError(gettext("Delete the stages after it first."))
        if stage_row.stage_rounds.exists():
            raise ValidationError(
                gettext(
                    "This stage has draws, and draws are never deleted. Change the stage instead."
                )
            )
        journal.add(StageAction.CHANGED, stage.public_id, {"dropped": True})
        journal.record_removal(STAGE, [stage_row.pk])
        stage_row.group_set.all().delete()
        stage_row.delete()


def stage_settings(stage: Stage) -> dict[str, Any]:
    """Return the settings of a stage, by name."""
    return {name: getattr(stage, name) for name in SETTINGS}


def stage_check(stage: Stage) -> None:
    """Raise `ValidationError` with messages by field for settings that don't fit each other, the
    format or the season."""
    stage.full_clean(exclude=["event"], validate_constraints=False)
    if stage.number > MOST_STAGES:
        raise ValidationError(
            gettext("An event has at most %(most)d stages.") % {"most": MOST_STAGES}
        )
    _check_sizes(stage)
    _check_format(stage)
    unknown = [name for name in stage.tie_breaks if not is_tie_break(name)]
    if unknown or len(set(stage.tie_breaks)) < len(stage.tie_breaks):
        raise ValidationError({"tie_breaks": gettext("Name each tie-break once.")})
    if stage.number == 1 and (stage.takes or stage.carry or stage.seeding == Seeding.STAGE):
        raise ValidationError({"takes": gettext("There is no stage before the first one.")})
    _check_scoring(stage)


def _check_sizes(stage: Stage) -> None:
    sizes = stage.sizes
    allowed = table_sizes(stage.event.season, stage.format_rules)
    if not sizes or any(size not in allowed for size in sizes) or len(set(sizes)) < len(sizes):
        raise ValidationError(
            {
                "sizes": gettext("Choose different sizes from %(least)d to %(most)d.")
                % {"least": allowed[0], "most": allowed[-1]}
            }
        )
    if stage.knock_out and (len(sizes) > 1 or not 0 < stage.advance < sizes[0]):
        raise ValidationError(
            {
                "advance": gettext(
                    "From a table of %(size)d, at least 1 and at most %(most)d players can go on."
                )
                % {"size": sizes[0], "most": sizes[0] - 1}
            }
        )


def _check_format(stage: Stage) -> None:
    rules = stage.format_rules
    if rules.plays_to_the_end and stage.groups > 1:
        raise ValidationError({"groups": gettext("This format has no groups.")})
    if rules.strikes != (stage.scoring == StageScoring.STRIKES):
        raise ValidationError(
            {
                "scoring": gettext(
                    "Strikes belong to the three strikes format: use them there, and only there."
                )
            }
        )
    if rules.strikes and stage.games > 1:
        raise ValidationError(
            {"games": gettext("In this format one game is played at each table.")}
        )
    for name in ("by_division", "meetings_first", "label_rounds", "label_best"):
        if getattr(stage, name) and name not in rules.fields:
            raise ValidationError({name: gettext("This format doesn’t have this setting.")})
    if stage.label_best and (stage.groups > 1 or stage.by_division):
        raise ValidationError(
            {"label_best": gettext("Clubs and towns can only be ranked in stages without groups.")}
        )
    if rules.needs_rounds and not stage.rounds:
        raise ValidationError({"rounds": gettext("Say how many rounds are planned.")})


def _check_scoring(stage: Stage) -> None:
    season = stage.event.season
    season_scoring = season.rules.get("scoring", Scoring.CNTDICE)
    if stage.scoring == StageScoring.CNTDICE and season_scoring != Scoring.CNTDICE:
        raise ValidationError({"scoring": gettext("The season’s rules don’t use dice scores.")})
    if stage.scoring not in BY_POINTS or stage.scoring in SCORINGS[season.kind]:
        return
    if stage.scoring == StageScoring.CNTDICE:
        raise ValidationError({"scoring": gettext("Only Bluff has dice scores.")})
    raise ValidationError({"scoring": gettext("Only Lügen-Kniffel has totals.")})


def refuse_unfinished(facts: StageFacts, *, open_tables: bool = False) -> None:
    """Raise `ValidationError` if a round isn't drawn or published yet, or a table isn't finished
    (unless `open_tables` are allowed)."""
    for stage_round in facts.rounds:
        number = {"number": stage_round.number}
        if stage_round.status == StageRound.Status.ASKED:
            raise ValidationError(
                gettext("Round %(number)d is being drawn. Check back in a moment.") % number
            )
        if stage_round.status == StageRound.Status.DRAWN:
            raise ValidationError(
                gettext("Round %(number)d is drawn. Publish it, or take it back.") % number
            )
    if facts.open_tables and not open_tables:
        tables = ", ".join(str(table.sign) for table in facts.open_tables[:10])
        raise ValidationError(
            gettext("Enter the results of these tables first: %(tables)s.") % {"tables": tables}
        )


def rounds_finish(journal: Journal, facts: StageFacts) -> None:
    """Store that the published rounds of a stage are finished, as part of the log entry that was
    added last."""
    rounds = [
        stage_round
        for stage_round in facts.rounds
        if stage_round.status == StageRound.Status.PUBLISHED
    ]
    StageRound.objects.filter(pk__in=[stage_round.pk for stage_round in rounds]).update(
        status=StageRound.Status.FINISHED
    )
    journal.record(ROUND, rounds, ["status"])
