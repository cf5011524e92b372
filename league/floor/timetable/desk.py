"""The timetable of an event for its organisers: requesting, showing, changing, publishing it, and
taking it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.core.frame.forms import offer
from league.core.frame.numbers import whole_number
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, posted, run_action
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import (
    desk_event_crumbs,
    desk_url,
    event_desk_page,
    take_event_step,
)
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.floor.hall.desk.hall import desk_timetable_crumbs
from league.floor.hall.domain.hall import Hall, next_slot
from league.floor.timetable.domain.timetable import (
    TableKey,
    Timed,
    TimetableFacts,
    coming_sizes,
    drawn_tables,
    failure_lines,
    names_in,
    warnings,
)
from league.floor.timetable.domain.timetable_grid import timetable_grid
from league.floor.timetable.models import Timetable
from league.floor.timetable.queries import timetable_facts
from league.floor.timetable.services import (
    timetable_ask,
    timetable_move,
    timetable_publish,
    timetable_take_back,
)

Status = Timetable.Status
WISHES = {
    "absent": gettext_lazy("tables at times when somebody would rather not play"),
    "end": gettext_lazy("slots up to the last one used"),
    "late": gettext_lazy("slots up to each table, added up"),
    "breaks": gettext_lazy("tables a player has without a break in between"),
    "moves": gettext_lazy("changes of spot between two of a player’s tables"),
}
"""The criteria of a timetable's cost, in words."""


@login_required
@require_safe
@page_of(event_for_organiser)
def timetable_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the places, times and tables to plan, and the timetable. While one is being made, the
    page is loaded again every second."""
    facts = timetable_facts(event)
    current = facts.current
    draft = facts.draft
    assignment = facts.assignment(current)
    failures: list[str] = []
    if draft and draft.status == Status.FAILED:
        failures = failure_lines(draft, names_in(facts))
    return event_desk_page(
        request,
        event,
        "league/floor/timetable/desk/timetable.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        hall=facts.hall,
        away=len({row.entry_id for row in facts.hall.away}),
        tables=len(drawn_tables(facts.stage)),
        coming=len(coming_sizes(facts.stage)),
        waiting=draft is not None and draft.status == Status.ASKED,
        failures=failures,
        timetable=current,
        grid=timetable_grid(facts, assignment, organiser=True) if current else None,
        warnings=warnings(facts, current, assignment) if current else [],
        costs=[(WISHES[wish], cost) for wish, cost, _ in current.cost or ()] if current else [],
    )


class AskForm(ReasonForm):
    """The slot from which tables are planned, and whether times are kept for the rounds to come."""

    first = forms.ChoiceField(
        label=gettext_lazy("From this time on"),
        help_text=gettext_lazy("No new tables are put at earlier times."),
    )
    ahead = forms.BooleanField(
        label=gettext_lazy("Also keep times for rounds that aren’t drawn yet"),
        required=False,
        initial=True,
    )
    field_order = ("first", "ahead", "reason")

    def __init__(self, hall: Hall, data: Any) -> None:
        first = next_slot(hall.slots)
        super().__init__(data, initial={"first": first.public_id if first else ""})
        offer(self, "first", hall.slot_names.items())
        if not hall.slots:
            del self.fields["first"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def timetable_ask_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Request a timetable from a slot on, after a confirmation, which says that the draft is
    dropped."""
    facts = timetable_facts(event)
    effects = [
        gettext(
            "We look for the best timetable: nobody at two tables at once, nobody playing when "
            "they can’t, and an early finish."
        ),
        gettext("Nobody else sees it until you publish it."),
    ]
    if facts.draft and facts.draft.status == Status.READY:
        effects.append(
            gettext(
                "The unpublished timetable is dropped, along with any changes you made by hand."
            )
        )

    step = Confirmation(
        title=gettext("Make a timetable"),
        effects=effects,
        button=gettext("Make a timetable"),
        form=AskForm(facts.hall, posted(request)),
        do=lambda cleaned, actor: timetable_ask(
            event=event,
            first=facts.hall.slot(cleaned.get("first", "")),
            ahead=cleaned["ahead"],
            actor=actor,
        ),
        done=gettext("The timetable is being made."),
    )
    return take_event_step(
        request,
        event,
        step,
        back=desk_url(event, "desk-timetable"),
        crumbs=desk_timetable_crumbs(event),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def timetable_publish_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Publish the timetable that is ready, after a confirmation."""
    facts = timetable_facts(event)
    draft = facts.draft
    if draft is None or draft.status != Status.READY:
        return redirect_saying(
            request,
            gettext("There is no timetable to publish."),
            desk_url(event, "desk-timetable"),
            level=messages.INFO,
        )
    effects = [
        gettext(
            "Everybody who can see the event sees when and where each table is played. Names "
            "appear once a round is published."
        ),
        gettext("Tables already drawn get their spots and times, on their own pages, too."),
        gettext("Tables drawn later get the spots and times kept for them."),
    ]
    if facts.published:
        effects.append(gettext("It replaces the timetable published now."))
    step = Confirmation(
        title=gettext("Publish the timetable"),
        effects=[*effects, *warnings(facts, draft, facts.assignment(draft))],
        button=gettext("Publish the timetable"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: timetable_publish(timetable=draft, actor=actor),
        done=gettext("The timetable is published."),
    )
    return take_event_step(
        request,
        event,
        step,
        back=desk_url(event, "desk-timetable"),
        crumbs=desk_timetable_crumbs(event),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def timetable_take_back_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Take back the draft, or else the published timetable, after a confirmation."""
    facts = timetable_facts(event)
    timetable = facts.draft or facts.published
    if timetable is None:
        return redirect_saying(
            request,
            gettext("There is no timetable."),
            desk_url(event, "desk-timetable"),
            level=messages.INFO,
        )
    effects = {
        Status.ASKED: [gettext("The timetable won’t be made.")],
        Status.FAILED: [gettext("The reasons are no longer shown.")],
        Status.READY: [gettext("The timetable is dropped. Nobody else has seen it.")],
        Status.PUBLISHED: [
            gettext("Nobody else can see it any more, and tables are back to just their numbers."),
            gettext("It isn’t lost: you can change it and publish it again."),
        ],
    }
    step = Confirmation(
        title=gettext("Take the timetable back"),
        effects=effects[Status(timetable.status)],
        button=gettext("Take it back"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: timetable_take_back(timetable=timetable, actor=actor),
        done=gettext("The timetable has been taken back."),
        danger=True,
    )
    return take_event_step(
        request,
        event,
        step,
        back=desk_url(event, "desk-timetable"),
        crumbs=desk_timetable_crumbs(event),
    )


class MoveForm(forms.Form):
    """The table to move, its new time and place, and the reason. `known`: the id and the version of
    the timetable that the page showed."""

    table = forms.ChoiceField(label=gettext_lazy("Table"))
    slot = forms.ChoiceField(label=gettext_lazy("When"))
    place = forms.ChoiceField(label=gettext_lazy("Where"))
    swap = forms.BooleanField(
        label=gettext_lazy("If a table is already there, swap the two"),
        required=False,
        initial=True,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy(
            "Everybody who can read the log sees this, so leave names out of it."
        ),
        max_length=500,
        error_messages={"required": gettext_lazy("Say why you’re changing the timetable.")},
    )
    known = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, facts: TimetableFacts, timetable: Timetable, data: Any, table: str) -> None:
        version_shown = f"{timetable.public_id}.{timetable.version}"
        names = names_in(facts)
        self.keys = {
            str(key): key for key in (*facts.assignment(timetable), *drawn_tables(facts.stage))
        }
        timed = facts.assignment(timetable).get(self.keys.get(table, TableKey("", 0, 0)))
        time_and_place = (
            {"slot": timed.slot.public_id, "place": timed.place.public_id} if timed else {}
        )
        super().__init__(data, initial={"known": version_shown, "table": table, **time_and_place})
        offer(
            self,
            "table",
            [(key_text, names[key_text]) for key_text, key in sorted(self.keys.items())],
        )
        offer(self, "slot", facts.hall.slot_names.items())
        offer(
            self,
            "place",
            [(place.public_id, f"{place} ({place.size})") for place in facts.hall.places],
        )

    def moves(
        self, facts: TimetableFacts, assignment: Mapping[TableKey, Timed]
    ) -> dict[TableKey, Timed]:
        """Return the new times and places of the table and, with `swap`, of the tables that it
        displaces."""
        cleaned = self.cleaned_data
        key = self.keys[cleaned["table"]]
        slot = facts.hall.slot(cleaned["slot"])
        place = facts.hall.place(cleaned["place"])
        assert slot is not None
        assert place is not None
        moves = {key: Timed(slot, place)}
        if cleaned["swap"] and key in assignment:
            moves |= {
                displaced: assignment[key]
                for displaced, timed in assignment.items()
                if timed == moves[key]
            }
            # Set again, because a table that keeps its time and place displaces itself.
            moves[key] = Timed(slot, place)
        return moves


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def timetable_move_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose a table (`?table=`) and where to move it, see the warnings, and confirm the move. A
    move based on an outdated timetable is refused."""
    facts = timetable_facts(event)
    current = facts.current
    if current is None:
        return redirect_saying(
            request,
            gettext("There is no timetable."),
            desk_url(event, "desk-timetable"),
            level=messages.INFO,
        )
    form = MoveForm(facts, current, posted(request), request.GET.get("table", ""))
    preview: list[str] | None = None
    if request.method == "POST" and form.is_valid():
        assignment = facts.assignment(current)
        moves = form.moves(facts, assignment)
        timetable_id, _, version = form.cleaned_data["known"].partition(".")
        number = whole_number(version) if timetable_id == current.public_id else None
        # -1 is never the version of a timetable, so the service refuses the change.
        version_seen = -1 if number is None else number
        if "sure" not in request.POST:
            preview = warnings(facts, current, {**assignment, **moves})
        elif run_action(
            request,
            form,
            lambda _, actor: timetable_move(
                timetable=current, moves=moves, version_seen=version_seen, actor=actor
            ),
        ):
            return redirect_saying(
                request, gettext("Timetable changed."), desk_url(event, "desk-timetable")
            )
    return event_desk_page(
        request,
        event,
        "league/floor/timetable/desk/timetable_move.html",
        crumbs=desk_timetable_crumbs(event),
        form=form,
        previewed=preview is not None,
        warnings=preview or [],
        published=current.status == Status.PUBLISHED,
        back=desk_url(event, "desk-timetable"),
    )
