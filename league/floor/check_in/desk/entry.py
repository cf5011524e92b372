"""The page of one entry for organisers: guest, substitute, players to keep it apart from, and the
steps that can be taken with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.player.queries.player import player_called
from league.core.viewer.web.confirmation import (
    Confirmation,
    ReasonForm,
    posted,
    public_reason,
    run_action,
)
from league.core.viewer.web.viewer import page_of
from league.events.entry.models import Entry
from league.events.entry.queries.access import entry_for_organiser
from league.events.entry.queries.entry import ACTIVE, apart_of, first_waiting, places, waiting_place
from league.events.entry.services.entry import (
    entries_keep_apart,
    entry_admit,
    entry_check_out,
    entry_return,
    entry_withdraw,
)
from league.events.event.desk.page import (
    desk_event_crumbs,
    desk_url,
    event_desk_page,
    take_event_step,
)
from league.events.event.models import Event
from league.events.event.queries.event import has_ended
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.domain.table_name import number_of
from league.stages.stage.queries.latecomer import stage_to_join
from league.stages.stage.services.latecomer import entry_join_stage
from league.stages.table.models import TableSeat

WISH = "wish"
NEVER = "never"
AGAIN = "again"


class CountsForm(forms.Form):
    """The player for whom the results of an entry count; after the event's end also the reason."""

    guest = forms.BooleanField(
        label=gettext_lazy("Guest: results don’t count in the season"), required=False
    )
    substitutes = forms.CharField(
        label=gettext_lazy("Plays for"),
        help_text=gettext_lazy("Name or handle of the player the results count for in the season."),
        max_length=64,
        required=False,
    )

    def __init__(self, entry: Entry, data: Any = None) -> None:
        handle = entry.substitutes.handle if entry.substitutes else ""
        super().__init__(data, initial={"guest": entry.guest, "substitutes": handle})
        self.entry = entry
        if has_ended(entry.event):
            self.fields["reason"] = public_reason()

    def clean_substitutes(self) -> Player | None:
        """Return the player with this handle, public id or name for whom the entry plays; None if
        the field is empty. Raise `ValidationError` if there isn't exactly one."""
        name_or_handle: str = self.cleaned_data["substitutes"]
        if name_or_handle:
            return _player_called(
                self.entry, name_or_handle, gettext("No player in the club has that name.")
            )
        return None


class ApartForm(forms.Form):
    """Another entry that shouldn't sit at the same table, and how strictly."""

    other = forms.CharField(
        label=gettext_lazy("Keep apart from"),
        help_text=gettext_lazy("Name or handle of somebody else who has entered."),
        max_length=64,
    )
    how = forms.ChoiceField(
        label=gettext_lazy("How strictly"),
        choices=[
            (WISH, gettext_lazy("where possible")),
            (NEVER, gettext_lazy("always, for example people from one household")),
            (AGAIN, gettext_lazy("no longer")),
        ],
    )

    def __init__(self, entry: Entry, data: Any = None) -> None:
        super().__init__(data)
        self.entry = entry

    def clean_other(self) -> Entry:
        """Return the entry of the named player, from which this one is kept apart. Raise
        `ValidationError` if there isn't exactly one."""
        not_found_message = gettext("Nobody with that name has entered.")
        player = _player_called(self.entry, self.cleaned_data["other"], not_found_message)
        try:
            return Entry.objects.get(
                event=self.entry.event, player__in=[player, player.merged_into or player]
            )
        except (Entry.DoesNotExist, Entry.MultipleObjectsReturned):
            raise forms.ValidationError(not_found_message) from None


def _player_called(entry: Entry, name_or_handle: str, not_found_message: str) -> Player:
    try:
        return player_called(entry.event.club_id, name_or_handle)
    except Player.DoesNotExist:
        raise forms.ValidationError(not_found_message) from None
    except Player.MultipleObjectsReturned:
        raise forms.ValidationError(
            gettext("Several people in the club have that name. Enter the handle instead.")
        ) from None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(entry_for_organiser)
def desk_entry_page(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show an entry with everything about it; a POST keeps it apart from another one."""
    apart_form = ApartForm(entry, posted(request))
    entry_address = entry_url(entry)
    if apart_form.is_valid() and run_action(
        request, apart_form, lambda cleaned, actor: _keep_apart(entry, cleaned, actor)
    ):
        return redirect_saying(
            request, gettext("The next draw will take it into account."), entry_address
        )
    joinable_stage = None
    if entry.event.status == Event.Status.RUNNING and entry.plays:
        joinable_stage = stage_to_join(entry.event)
    kept_apart = [
        (pair.first if pair.second_id == entry.pk else pair.second, pair)
        for pair in apart_of(entry)
    ]
    return event_desk_page(
        request,
        entry.event,
        "league/floor/check_in/desk/entry.html",
        crumbs=desk_event_crumbs(
            entry.event, (gettext("Entries"), desk_url(entry.event, "desk-entries"))
        ),
        entry=entry,
        counts_form=CountsForm(entry),
        apart_form=apart_form,
        apart=kept_apart,
        place=waiting_place(entry) if entry.status == Entry.Status.WAITING else 0,
        joins=joinable_stage and not entry.participations.filter(stage=joinable_stage).exists(),
        active=entry.status in ACTIVE,
        organises=request.user.has_perm("league.manage_club", entry.event.club),
    )


def _keep_apart(entry: Entry, cleaned: dict[str, Any], actor: Actor) -> None:
    # None lets the two sit at the same table again.
    must = {WISH: False, NEVER: True, AGAIN: None}[cleaned["how"]]
    entries_keep_apart(first=entry, second=cleaned["other"], must=must, actor=actor)


@dataclass(frozen=True, slots=True)
class EntryStep:
    """A step that can be taken with an entry: the text of its button, the message afterwards, and the
    service that takes it."""

    button: str | Promise
    done: str | Promise
    do: Callable[[Entry, Actor], object]
    danger: bool = False


STEPS = {
    "withdraw": EntryStep(
        gettext_lazy("Withdraw"),
        gettext_lazy("Entry withdrawn."),
        lambda entry, actor: entry_withdraw(entry=entry, actor=actor),
        danger=True,
    ),
    "no-show": EntryStep(
        gettext_lazy("Didn’t come"),
        gettext_lazy("No-shows marked."),
        lambda entry, actor: entry_withdraw(entry=entry, actor=actor, no_show=True),
        danger=True,
    ),
    "return": EntryStep(
        gettext_lazy("Enter again"),
        gettext_lazy("Entered again."),
        lambda entry, actor: entry_return(entry=entry, actor=actor),
    ),
    "admit": EntryStep(
        gettext_lazy("Give a place"),
        gettext_lazy("They now have a place."),
        lambda entry, actor: entry_admit(entry=entry, actor=actor),
    ),
    "check-out": EntryStep(
        gettext_lazy("Undo check-in"),
        gettext_lazy("Check-in undone."),
        lambda entry, actor: entry_check_out(entry=entry, actor=actor),
    ),
    "join": EntryStep(
        gettext_lazy("Add to the stage"),
        gettext_lazy("The next round will seat them."),
        lambda entry, actor: entry_join_stage(entry=entry, actor=actor),
    ),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(entry_for_organiser)
def desk_entry_step_page(request: HttpRequest, entry: Entry, step: str) -> HttpResponse:
    """Ask before a step is taken with an entry, and take it."""
    entry_step = STEPS[step]
    confirmation = Confirmation(
        title=f"{entry_step.button}: {entry.player.name}",
        effects=_step_effects(step, entry),
        button=str(entry_step.button),
        form=ReasonForm(request.POST if request.method == "POST" else None),
        do=lambda cleaned, actor: entry_step.do(entry, actor),
        done=str(entry_step.done),
        danger=entry_step.danger,
    )
    crumbs = desk_event_crumbs(
        entry.event,
        (gettext("Entries"), desk_url(entry.event, "desk-entries")),
        (entry.player.name, entry_url(entry)),
    )
    return take_event_step(request, entry.event, confirmation, back=entry_url(entry), crumbs=crumbs)


def _step_effects(step: str, entry: Entry) -> list[str]:
    event = entry.event
    counts = places(entry.event)
    is_running = event.status == Event.Status.RUNNING
    if step in ("withdraw", "no-show"):
        if is_running:
            return [
                gettext("They won’t be seated in any further round. What they’ve played stays."),
                *_effects_on_tables_left(entry),
            ]
        successor = None
        if entry.status == Entry.Status.ENTERED and not counts.over:
            successor = first_waiting(event)
        if successor is None:
            return [
                gettext("Their place is free again."),
                gettext("You can undo this on the entry’s page."),
            ]
        return [
            gettext("%(name)s moves up from the waiting list.") % {"name": successor.player.name}
        ]
    if step == "return":
        if counts.free == 0:
            return [
                gettext(
                    "All places are taken, so they go back to their old spot on the waiting list."
                )
            ]
        return [gettext("They get their place back.")]
    if step == "admit":
        sentences = [gettext("They get a place ahead of everybody else who is waiting.")]
        if event.capacity is not None and counts.taken >= event.capacity:
            sentences.append(gettext("More players will then have a place than there are places."))
        return sentences
    if step == "join":
        return [gettext("They start with 0 points and are seated in the next round that’s drawn.")]
    return [gettext("They won’t be seated again until they’re checked in.")]


def _effects_on_tables_left(entry: Entry) -> list[str]:
    seats = TableSeat.objects.filter(
        entry=entry, table__finished=False, table__stage_round__status__in=DRAWN
    )
    words = gettext(
        "They’re at table %(number)s, which isn’t finished. The others play on without them; if "
        "too few are left, you can award the table without play."
    )
    seats = seats.select_related("table__stage_round__stage").order_by("table")
    return [words % {"number": number_of(seat.table)} for seat in seats]


def entry_url(entry: Entry) -> str:
    """Return the address of an entry's page for organisers."""
    return desk_url(entry.event, "desk-entry", entry.public_id)
