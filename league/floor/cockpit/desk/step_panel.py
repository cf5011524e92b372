"""The panels of the cockpit, which describe the next step of an event: a title, a text, obstacles,
and the button that takes it.

Each function that makes a panel takes the state of the event and the text of the step's button,
even if its panel has another button or none.
"""

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
    """An obstacle to the next step, or a hint. `url` and `action`: the page that deals with it, and
    the text of its link; `also`: another such page, if there is one."""

    text: str
    url: str = ""
    action: str = ""
    also: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NextStep:
    """The panel of the next step: the button leads to `url`, by a form that is sent (`send`) or as
    a link.

    Without a button there is something to wait for. `blocked`: obstacles and hints; `also`: the
    addresses and texts of links to other steps.
    """

    title: str
    text: str
    url: str = ""
    button: str = ""
    send: bool = False
    blocked: tuple[Blocked, ...] = ()
    also: tuple[tuple[str, str], ...] = ()


def plan(state: Cockpit, button: str) -> NextStep:
    """Return the panel for an event without stages; `button` is unused, because the panel has a
    button of its own."""
    return NextStep(
        title=gettext("Plan a stage"),
        text=gettext(
            "Each stage has one format: a league night has one stage, a cup has groups and a "
            "knock-out."
        ),
        url=desk_url(state.event, "desk-stage-new"),
        button=gettext("Choose a format"),
    )


def open_entries(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that opens an event for entries."""
    return _step_at_once(state, button, gettext("Everything is planned. Let players enter."))


def run(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that starts an event, with the numbers of entries and of those
    checked in."""
    counts = state.counts
    entered = ngettext(
        "%(count)d player has entered", "%(count)d players have entered", counts.entered
    )
    groups = first_groups(_stage(state), counts.there)
    text = entered % {"count": counts.entered} + ". " + mix_words(_stage(state), groups)
    return _step_with_draw(state, button, text, *_seating_obstacles(state, groups))


def finish(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that finishes an event."""
    text = gettext("All stages are finished. You can also plan another.")
    return _step_at_once(state, button, text, *_hint_on_disputed_games(state))


def finish_stage(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that finishes a stage."""
    text = gettext("All rounds of “%(stage)s” have been played.") % {"stage": _stage(state).name}
    return _step_at_once(state, button, text, *_hint_on_disputed_games(state))


def set_up(state: Cockpit, *, finish: str) -> NextStep:
    """Return the panel of the step that sets up a table in a stage without a draw; `finish` is the
    text of the other link, which finishes the stage."""
    page = "desk-challenge"
    words = gettext("Who challenges whom? A ladder has no draw.")
    button = gettext("Enter a challenge")
    if _stage(state).format_rules.free:
        page = "desk-free-table"
        words = gettext("Who’s sitting down together? Any number of tables can play at once.")
        button = gettext("Set up a table")
    url = reverse(page, args=[state.event.club.slug, state.event.slug, _stage(state).number])
    also = (step_url(state.event, EventStep.FINISH_STAGE), finish)
    return NextStep(
        title=gettext("Set up a table"), text=words, url=url, button=button, also=(also,)
    )


def wait(state: Cockpit, button: str) -> NextStep:
    """Return the panel while a round is being drawn; `button` is unused, because the panel has no
    button."""
    words = gettext(
        "The tables are being drawn. This page updates by itself. Without JavaScript, reload it."
    )
    number = state.latest.number if state.latest else 1
    return NextStep(gettext("Round %(number)d is being drawn …") % {"number": number}, words)


def publish(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that publishes a drawn round; `button` is unused, because the
    panel's button leads to the draw."""
    words = gettext("Check the tables, change them if you need to, then publish them.")
    played = _played(state)
    title = gettext("Round %(number)d is drawn") % {"number": played.number}
    return NextStep(
        title=title, text=words, url=round_url(played), button=gettext("Check the draw")
    )


def _hint_on_disputed_games(state: Cockpit) -> list[Blocked]:
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
    assert state.stage is not None
    return state.stage


def _played(state: Cockpit) -> StageRound:
    assert state.played is not None
    return state.played


def _step_at_once(state: Cockpit, button: str, text: str, *blocked: Blocked) -> NextStep:
    assert state.next_step is not None
    return NextStep(
        button, text, step_url(state.event, state.next_step), button, send=True, blocked=blocked
    )


def _step_with_draw(state: Cockpit, button: str, text: str, *blocked: Blocked) -> NextStep:
    """Return the panel of a step whose button draws a round and publishes it. Further links let the
    organiser look at the draw first or, if no draw needs results, draw all rounds at once."""
    step = _step_at_once(state, button, text, *blocked)
    if _stage(state).format_rules.undrawn:
        return step
    also = [(step.url, gettext("Check the draw first"))]
    if _stage(state).format_rules.drawn_ahead:
        also.append((f"{step.url}?all", gettext("All rounds at once")))
    return replace(step, also=tuple(also))


def _seating_obstacles(state: Cockpit, groups: GroupPlan) -> list[Blocked]:
    too_few = _too_few_checked_in(state)
    if too_few:
        return too_few
    stage = _stage(state)
    fault = seating_fault(stage, groups)
    if not fault:
        return []
    if groups.names:
        stage_url = desk_url(state.event, "desk-stage", stage.number)
        return [Blocked(fault, stage_url, gettext("Change the stage"))]
    season_slugs = [state.event.club.slug, state.event.season.slug]
    divisions_url = reverse("desk-season-divisions", args=season_slugs)
    return [Blocked(fault, divisions_url, gettext("Divisions"))]


def _too_few_checked_in(state: Cockpit) -> list[Blocked]:
    if state.counts.there >= LEAST:
        return []
    words = gettext("Check in everybody who’s here: only players who are checked in are drawn.")
    return [Blocked(words, desk_url(state.event, "desk-check-in"), gettext("Check in"))]


def start(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that starts a stage, with the mix of table sizes."""
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
        blocked = _seating_obstacles(state, groups)
    if stage.seeding == Seeding.HAND:  # which has a page of its own
        url = desk_url(state.event, "desk-stage-seeding", stage.number)
        return NextStep(
            title, text, url, gettext("Put the players in order"), blocked=tuple(blocked)
        )
    return replace(_step_with_draw(state, button, text, *blocked), title=title)


def draw(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that draws the next round, or tries again after a failed
    draw."""
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
        next_try = _step_with_draw(state, button, gettext("Fix that, then try again."), blocked)
        return replace(next_try, title=gettext("Draw the next round"))
    number = 1 + (latest.number if latest else 0)
    if stage.rounds and not stage.knock_out:
        text = gettext("Round %(number)d of %(count)d.") % {"number": number, "count": stage.rounds}
    else:
        text = gettext("Round %(number)d.") % {"number": number}
    return replace(
        _step_with_draw(state, button, text, *_latecomers_without_table(state, stage)),
        title=gettext("Draw the next round"),
    )


def _latecomers_without_table(state: Cockpit, stage: Stage) -> list[Blocked]:
    plan = late_plan(state.event)
    count = plan.without_table if plan else 0
    if not count:
        return []
    words = ngettext(
        "%(count)d player is here but not in the stage: its tables can’t seat one more.",
        "%(count)d players are here but not in the stage: its tables can’t seat that many more.",
        count,
    )
    stage_url = desk_url(state.event, "desk-stage", stage.number)
    return [Blocked(words % {"count": count}, stage_url, gettext("Allow one more size"))]


def results(state: Cockpit, button: str) -> NextStep:
    """Return the panel of the step that enters missing results, or gives tables without play at
    which too few players are left. Its button says which, so the given `button` is unused."""
    open_count = len(state.open_tables)
    words = ngettext(
        "%(count)d table has no result yet.", "%(count)d tables have no result yet.", open_count
    )
    title = gettext("Results of round %(number)d") % {"number": _played(state).number}
    deserted_tables = state.deserted_tables
    playable_tables = [table for table in state.open_tables if table not in deserted_tables]
    if playable_tables:
        url = reverse("table-result", args=[playable_tables[0].public_id])
        button = gettext("Enter a result")
    else:
        url = reverse("table-walkover", args=[deserted_tables[0].public_id])
        button = gettext("Award it without play")
    return NextStep(
        title,
        words % {"count": open_count},
        url,
        button,
        blocked=tuple(map(_hint_on_deserted_table, deserted_tables)),
    )


def without_points(state: Cockpit) -> list[Blocked]:
    """Return a hint for each stage with finished tables that lack points."""
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


def _hint_on_deserted_table(table: StageTable) -> Blocked:
    words = gettext("%(table)s: somebody has left, and too few are still there to play.") % {
        "table": table.name
    }
    return Blocked(
        words, reverse("table-walkover", args=[table.public_id]), gettext("Award it without play")
    )


def step_url(event: Event, step: EventStep) -> str:
    """Return the address to which the button of a step is sent."""
    return desk_url(event, "desk-event-step", step)
