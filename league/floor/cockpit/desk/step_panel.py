"""All that comes next at an event, in words: what is to be done, what it waits for, and the button
that does it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from league.events.event.desk.page import desk_url
from league.events.event.models import Event
from league.floor.cockpit.domain.cockpit import Cockpit, EventStep
from league.floor.cockpit.queries.cockpit import disputed_games
from league.stages.round.desk.round import round_url
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import StageTable
from league.stages.stage.domain.group import GroupPlan, seating_fault
from league.stages.stage.domain.size import LEAST
from league.stages.stage.models import Seeding, Stage
from league.stages.stage.queries.group import first_groups, mix_words
from league.stages.stage.queries.latecomer import late_plan


@dataclass(frozen=True, slots=True)
class Blocked:
    """Something that the next step waits for, or that should be seen to first, and where one does
    that; `also`: in which other way, if there is one."""

    text: str
    url: str = ""
    action: str = ""
    also: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NextStep:
    """All that comes next: the button that does it leads to `url`, by a form that is sent (`send`)
    or as a link.

    Without a button there is something to wait for. `also`: what else could be done, each where and
    how it is called."""

    title: str
    text: str
    url: str = ""
    button: str = ""
    send: bool = False
    blocked: tuple[Blocked, ...] = ()
    also: tuple[tuple[str, str], ...] = ()


def plan(state: Cockpit, button: str) -> NextStep:
    return NextStep(
        gettext("Plan a stage"),
        gettext(
            "Each stage has one format: a league night has one stage, a cup has groups and a "
            "knock-out."
        ),
        desk_url(state.event, "desk-stage-new"),
        gettext("Choose a format"),
    )


def open_entries(state: Cockpit, button: str) -> NextStep:
    return _sent(state, button, gettext("Everything is planned. Let players enter."))


def run(state: Cockpit, button: str) -> NextStep:
    """Return the step that starts an event, with the numbers of entries and of those checked in."""
    counts = state.counts
    entered = ngettext(
        "%(count)d player has entered", "%(count)d players have entered", counts.entered
    )
    groups = first_groups(_stage(state), counts.there)
    text = entered % {"count": counts.entered} + ". " + mix_words(_stage(state), groups)
    return _drawn(state, button, text, *_unseated(state, groups))


def finish(state: Cockpit, button: str) -> NextStep:
    text = gettext("All stages are finished. You can also plan another.")
    return _sent(state, button, text, *_disputed(state))


def finish_stage(state: Cockpit, button: str) -> NextStep:
    text = gettext("All rounds of “%(stage)s” have been played.") % {"stage": _stage(state).name}
    return _sent(state, button, text, *_disputed(state))


def set_up(state: Cockpit, *, finish: str) -> NextStep:
    """Return the step that begins a table of a stage without a draw; `finish` is the other button,
    which ends the stage."""
    page = "desk-challenge"
    words = gettext("Who challenges whom? A ladder has no draw.")
    button = gettext("Enter a challenge")
    if _stage(state).format_rules.free:
        page = "desk-free-table"
        words = gettext("Who’s sitting down together? Any number of tables can play at once.")
        button = gettext("Set up a table")
    url = reverse(page, args=[state.event.club.slug, state.event.slug, _stage(state).number])
    also = (step_url(state.event, EventStep.FINISH_STAGE), finish)
    return NextStep(gettext("Set up a table"), words, url, button, also=(also,))


def wait(state: Cockpit, button: str) -> NextStep:
    words = gettext(
        "The tables are being drawn. This page updates by itself. Without JavaScript, reload it."
    )
    number = state.latest.number if state.latest else 1
    return NextStep(gettext("Round %(number)d is being drawn …") % {"number": number}, words)


def publish(state: Cockpit, button: str) -> NextStep:
    words = gettext("Check the tables, change them if you need to, then publish them.")
    played = _played(state)
    title = gettext("Round %(number)d is drawn") % {"number": played.number}
    return NextStep(title, words, round_url(played), gettext("Check the draw"))


def _disputed(state: Cockpit) -> list[Blocked]:
    """Return the hint on games that wait for a ruling; it blocks nothing, and the organiser may
    wait."""
    count = disputed_games(state.event)
    if not count:
        return []
    words = ngettext(
        "%(count)d game is waiting for a ruling, so ranks are provisional. You can go on or wait "
        "for it.",
        "%(count)d games are waiting for a ruling, so ranks are provisional. You can go on or "
        "wait for them.",
        count,
    )
    return [
        Blocked(
            words % {"count": count},
            desk_url(state.event, "desk-event-objections"),
            gettext("Objections"),
        )
    ]


def _stage(state: Cockpit) -> Stage:
    """Return the stage that is played, or comes next."""
    assert state.stage is not None
    return state.stage


def _played(state: Cockpit) -> StageRound:
    """Return the round that is played."""
    assert state.played is not None
    return state.played


def _sent(state: Cockpit, button: str, text: str, *blocked: Blocked) -> NextStep:
    """Return a step whose button does it at once."""
    assert state.next_step is not None
    return NextStep(
        button, text, step_url(state.event, state.next_step), button, send=True, blocked=blocked
    )


def _drawn(state: Cockpit, button: str, text: str, *blocked: Blocked) -> NextStep:
    """Return a step whose button draws a round and publishes it; beside it one can look at the draw
    first, or have all rounds at once where no draw needs results. A format without draw has the
    button alone."""
    step = _sent(state, button, text, *blocked)
    if _stage(state).format_rules.undrawn:
        return step
    also = [(step.url, gettext("Check the draw first"))]
    if _stage(state).format_rules.drawn_ahead:
        also.append((f"{step.url}?all", gettext("All rounds at once")))
    return replace(step, also=tuple(also))


def _unseated(state: Cockpit, groups: GroupPlan) -> list[Blocked]:
    """Return what to do if too few are there for the first stage, or its tables don't seat
    everybody."""
    stage = _stage(state)
    blocked = _too_few(state)
    if not blocked and (fault := seating_fault(stage, groups)):
        blocked = [
            Blocked(
                fault,
                desk_url(state.event, "desk-stage", stage.number),
                gettext("Change the stage"),
            )
        ]
        if not groups.names:
            url = reverse(
                "desk-season-divisions", args=[state.event.club.slug, state.event.season.slug]
            )
            blocked = [Blocked(fault, url, gettext("Divisions"))]
    return blocked


def _too_few(state: Cockpit) -> list[Blocked]:
    """Return what to do if nobody is there whom a draw could seat."""
    if state.counts.there >= LEAST:
        return []
    words = gettext("Check in everybody who’s here: a draw seats nobody else.")
    return [Blocked(words, desk_url(state.event, "desk-check-in"), gettext("Check in"))]


def start(state: Cockpit, button: str) -> NextStep:
    """Return the step that starts a stage, with the mix of table sizes."""
    stage = _stage(state)
    title = gettext("Start “%(stage)s”") % {"stage": stage.name}
    if stage.number > 1:
        text = gettext("The best players from the previous stage go through.")
        if stage.takes is None:
            text = gettext("Everybody from the previous stage goes through.")
        blocked = []
    else:
        groups = first_groups(stage, state.counts.there)
        text = mix_words(stage, groups)
        blocked = _unseated(state, groups)
    if stage.seeding == Seeding.HAND:  # which has a page of its own
        url = desk_url(state.event, "desk-stage-seeding", stage.number)
        return NextStep(
            title, text, url, gettext("Put the players in order"), blocked=tuple(blocked)
        )
    return replace(_drawn(state, button, text, *blocked), title=title)


def draw(state: Cockpit, button: str) -> NextStep:
    """Return the step that draws the next round, or tries again after a failed draw."""
    stage = _stage(state)
    latest = state.latest
    if latest is not None and latest.status == StageRound.Status.FAILED:
        reason = latest.failure_message.translated(gettext) if latest.failure_message else ""
        text = gettext("Round %(number)d could not be drawn: %(reason)s. Nothing was changed.")
        blocked = Blocked(
            text % {"number": latest.number, "reason": reason},
            desk_url(state.event, "desk-stage", stage.number),
            gettext("Change the stage"),
        )
        again = _drawn(state, button, gettext("Fix that, then try again."), blocked)
        return replace(again, title=gettext("Draw the next round"))
    number = 1 + (latest.number if latest else 0)
    if stage.rounds and not stage.knock_out:
        text = gettext("Round %(number)d of %(count)d.") % {"number": number, "count": stage.rounds}
    else:
        text = gettext("Round %(number)d.") % {"number": number}
    return replace(
        _drawn(state, button, text, *_without_table(state, stage)),
        title=gettext("Draw the next round"),
    )


def _without_table(state: Cockpit, stage: Stage) -> list[Blocked]:
    """Return the hint on late players for whom the next round has no table."""
    plan = late_plan(state.event)
    late = plan.without_table if plan else 0
    if not late:
        return []
    words = ngettext(
        "%(count)d player is here but not in the stage: its tables can’t seat one more.",
        "%(count)d players are here but not in the stage: its tables can’t seat that many more.",
        late,
    )
    stage_url = desk_url(state.event, "desk-stage", stage.number)
    return [Blocked(words % {"count": late}, stage_url, gettext("Allow one more size"))]


def results(state: Cockpit, button: str) -> NextStep:
    """Return the step for missing results, or for tables at which too few are left."""
    missing = len(state.open_tables)
    words = ngettext(
        "%(count)d table has no result yet.", "%(count)d tables have no result yet.", missing
    )
    title = gettext("Results of round %(number)d") % {"number": _played(state).number}
    left = state.left_tables
    to_play = [table for table in state.open_tables if table not in left]
    if to_play:
        url = reverse("table-result", args=[to_play[0].public_id])
        button = gettext("Enter a result")
    else:
        url = reverse("table-walkover", args=[left[0].public_id])
        button = gettext("Award it without play")
    return NextStep(title, words % {"count": missing}, url, button, blocked=tuple(map(_left, left)))


def without_points(state: Cockpit) -> list[Blocked]:
    """Return the stages whose tables bring nobody points so far, each with what to do about it."""
    notes = []
    for missing in state.missing:
        places = (
            desk_url(state.event, "desk-stage-places", missing.stage.number),
            gettext("Count places instead"),
        )
        correction = reverse("game-correct", args=[missing.game])
        notes.append(
            Blocked(missing.words, correction, gettext("Enter the points"), also=(places,))
        )
    return notes


def _left(table: StageTable) -> Blocked:
    """Return the hint on a table at which too few are left to play."""
    words = gettext("%(table)s: somebody has left, and too few are still there to play.") % {
        "table": table.name
    }
    return Blocked(
        words, reverse("table-walkover", args=[table.public_id]), gettext("Award it without play")
    )


def step_url(event: Event, step: EventStep) -> str:
    """Return the address to which the button of a step is sent."""
    return desk_url(event, "desk-event-step", step)
