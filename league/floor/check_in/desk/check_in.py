"""Check-in of players, by one tap each, all at once, or by scanning codes; and noting no-shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.player.queries.player import names_meant
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, posted, run_button_action
from league.core.viewer.web.viewer import or_404, page_of
from league.events.entry.domain.entry import check_in_ends_at
from league.events.entry.models import Entry, FeeStatus
from league.events.entry.queries.access import entry_of
from league.events.entry.queries.entry import entries_not_checked_in, entry_counts, listed_entries
from league.events.entry.services.entry import (
    entries_check_in,
    entries_no_show,
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
from league.events.event.queries.access import event_for_organiser, event_for_scorer
from league.events.fee.queries import with_debts
from league.events.fee.services import fees_set
from league.stages.stage.queries.latecomer import late_plan

PER_PAGE: Final = 200


@transaction.atomic
def _bring_back(entry: Entry, actor: Actor) -> None:
    entry_return(entry=entry, actor=actor)
    if entry.status == Entry.Status.ENTERED:
        entries_check_in(event=entry.event, entries=[entry], actor=actor)


def _set_fee(fee: FeeStatus, entry: Entry, actor: Actor) -> None:
    fees_set(event=entry.event, entries=[entry], fee=fee, actor=actor)


TAPS: Final[Mapping[str, Callable[[Entry, Actor], object]]] = MappingProxyType(
    {
        "in": lambda entry, actor: entries_check_in(
            event=entry.event, entries=[entry], actor=actor
        ),
        "out": lambda entry, actor: entry_check_out(entry=entry, actor=actor),
        "left": lambda entry, actor: entry_withdraw(entry=entry, actor=actor),
        "back": _bring_back,
        "paid": partial(_set_fee, FeeStatus.PAID),
        "open": partial(_set_fee, FeeStatus.OPEN),
    }
)
"""The service behind each button of the list, by the value that the button sends."""
OF_ORGANISERS: Final = ("left", "back")
"""The buttons that organisers have and scorers don't."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_scorer)
def check_in_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the entries that have a place, by name. The button `do` of an entry checks it in (`in`)
    or undoes that (`out`), sets its fee (`paid`, `open`) or, at a running event, notes that the
    player has left (`left`) or is back (`back`). `?q=` searches."""
    if request.method == "POST":
        return _take_tapped_step(request, event)
    search = request.GET.get("q", "").strip()
    entries = with_debts(listed_entries(event, Entry.Status.ENTERED, search)).order_by(
        "player__name_key", "pk"
    )
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    waiting = listed_entries(event, Entry.Status.WAITING, search)
    people = Player.objects.filter(entries__event=event)
    return event_desk_page(
        request,
        event,
        "league/floor/check_in/desk/check_in.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        page=page,
        close_names=names_meant(people, search) if search and not page.object_list else [],
        waiting=waiting[:PER_PAGE],
        left=listed_entries(event, Entry.Status.WITHDRAWN, search).exclude(checked_in_at=None)[
            :PER_PAGE
        ],
        q=search,
        counts=entry_counts(event),
        manages=request.user.has_perm("league.manage_event", event),
        late=event.status == Event.Status.RUNNING or check_in_ends_at(event) < timezone.now(),
        late_plan=late_plan(event) if event.status == Event.Status.RUNNING else None,
    )


def _take_tapped_step(request: HttpRequest, event: Event) -> HttpResponse:
    entry = or_404(entry_of, event, request.POST.get("entry", ""))
    if request.POST.get("do") in OF_ORGANISERS and not request.user.has_perm(
        "league.manage_event", event
    ):
        raise Http404
    service = TAPS.get(request.POST.get("do", ""), TAPS["in"])
    run_button_action(request, lambda actor: service(entry, actor))
    if request.POST.get("back") == "entry":
        return redirect("entry", entry.public_id)
    return redirect(f"{desk_url(event, 'desk-check-in')}#e-{entry.public_id}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def check_in_step_page(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """Check in everybody who has a place (`all`), or note that those who aren't checked in didn't
    come (`no-show`), after a confirmation."""
    count = entries_not_checked_in(event).count()
    if step not in ("all", "no-show"):
        raise Http404
    if step == "all":
        confirmation = _check_in_all_step(request, event, count)
    else:
        confirmation = _no_show_step(request, event, count)
    back = desk_url(event, "desk-check-in")
    return take_event_step(
        request,
        event,
        confirmation,
        back=back,
        crumbs=desk_event_crumbs(event, (gettext("Check-in"), back)),
    )


def _check_in_all_step(request: HttpRequest, event: Event, count: int) -> Confirmation:
    words = ngettext(
        "%(count)d more player will be checked in.",
        "%(count)d more players will be checked in.",
        count,
    )
    return Confirmation(
        title=gettext("Check everybody in"),
        effects=[words % {"count": count}, gettext("You can undo this for each player.")],
        button=gettext("Check all in"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: entries_check_in(
            event=event, entries=list(entries_not_checked_in(event)), actor=actor
        ),
        done=gettext("Everybody who has a place is now checked in."),
    )


def _no_show_step(request: HttpRequest, event: Event, count: int) -> Confirmation:
    words = ngettext(
        "%(count)d player who has a place and isn’t here will be marked “did not come”.",
        "%(count)d players who have a place and aren’t here will be marked “did not come”.",
        count,
    )
    effects = [words % {"count": count}]
    if event.status != Event.Status.RUNNING:
        effects.append(gettext("Their places go to the waiting list."))
    return Confirmation(
        title=gettext("Mark no-shows"),
        effects=[
            *effects,
            gettext("If somebody turns up after all, enter them again on their entry’s page."),
        ],
        button=gettext("Mark as “did not come”"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: entries_no_show(event=event, actor=actor),
        done=gettext("No-shows marked."),
        danger=True,
    )
