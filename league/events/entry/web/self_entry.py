"""Entering an event oneself: signed in with one click, or by a letter's link without an account."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.web.sign_in import letter_use
from league.core.claim.models import Claim
from league.core.claim.web import ClaimForm, claim_answer
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.viewer.web.confirmation import add_errors, done, tap
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, or_404, page_of, signed_in, viewer_of
from league.events.entry.domain.entry import PlaceCounts
from league.events.entry.models import Entry, EntryByMail
from league.events.entry.queries.access import entry_by_mail_for_bearer
from league.events.entry.queries.entry import (
    ACTIVE,
    entry_of_player,
    first_waiting,
    is_unclaimed,
    own_player,
    places,
    waiting_place,
)
from league.events.entry.services.entry import entry_add, entry_withdraw, refuse_closed
from league.events.entry.services.self_entry import (
    entry_by_mail_ask,
    entry_by_mail_confirm,
    mailbox,
    newcomer_enter,
)
from league.events.event.models import Event
from league.events.event.queries.access import event_for

NAME: Final = 64


class NameForm(forms.Form):
    """All that somebody is called who isn't a player of the club yet."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("As the tables and rankings of the club show it."),
        max_length=NAME,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


class MailForm(NameForm):
    """The same, and where a letter finds them."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("A letter with a link goes there. Nobody sees the address."),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        if not settings.MAIL_LEAVES:
            words = gettext("No letter goes there, and nobody sees it. It tells you from others.")
            self.fields["email"].help_text = words


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for)
def enter_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter, withdraw, come back; without an account ask for a letter."""
    player = own_player(viewer_of(request), event.club_id)
    entry = entry_of_player(event, player) if player else None
    form = _form(request, player)
    step = request.POST.get("do", "") if request.method == "POST" else ""
    address = reverse("event-enter", args=[event.club.slug, event.slug])
    if step == "withdraw" and entry is not None and entry.status in ACTIVE:
        return _withdrawn(request, entry, address) or _page(
            request, event, player, entry, form, withdrawing=True
        )
    if step == "enter" and form.is_valid():
        if not request.user.is_authenticated:
            return _letter_asked(request, event, form) or _page(request, event, player, entry, form)
        if done(
            request, form, lambda cleaned, actor: _enter(request, event, player, cleaned, actor)
        ):
            return redirect(address)
    return _page(request, event, player, entry, form)


def _form(request: HttpRequest, player: Player | None) -> forms.Form:
    """Show what has to be told: nothing by a player of the club."""
    data = request.POST if request.POST.get("do") == "enter" else None
    if player is not None:
        return forms.Form(data)
    return NameForm(data) if request.user.is_authenticated else MailForm(data)


def _enter(
    request: HttpRequest, event: Event, player: Player | None, cleaned: dict[str, Any], actor: Actor
) -> None:
    """Enter who is signed in, and say what came of it."""
    if player is None:
        entry = newcomer_enter(event=event, account=signed_in(request), name=cleaned["name"])
    else:
        entry = entry_add(event=event, player=player, actor=actor)
    messages.success(request, entered_words(entry))


def _withdrawn(request: HttpRequest, entry: Entry, back: str) -> HttpResponse | None:
    """Give the place up once that is confirmed; None where it has to be yet, or can't be."""
    if "sure" not in request.POST:
        return None
    if tap(request, lambda actor: entry_withdraw(entry=entry, actor=actor, by_owner=True)):
        messages.success(
            request, gettext("You have withdrawn. You can come back while entries are open.")
        )
    return redirect(back)


def _letter_asked(request: HttpRequest, event: Event, form: forms.Form) -> HttpResponse | None:
    """Send the letter, and say so; None where something is wrong with what was told."""
    email = form.cleaned_data["email"]
    try:
        usage = letter_use(request, mailbox(email))
    except ValidationError as refused:
        add_errors(form, refused)
        return None
    if usage is not None and usage.exceeded:
        form.add_error(
            "email",
            gettext(
                "Many letters went to this address today. Look for one there, or come tomorrow."
            ),
        )
        return None
    letters: list[tuple[str, str]] = []
    fields = {"event": event, "name": form.cleaned_data["name"], "email": email}
    if not done(request, form, lambda cleaned, actor: letters.append(entry_by_mail_ask(**fields))):
        return None
    token, address = letters[0]
    _send(event, address, public_address(reverse("entry-by-mail", args=[token])))
    return club_page(
        request,
        event.club,
        "league/events/entry/enter_asked.html",
        event=event,
        email=email,
        crumbs=club_crumbs(event.club),
    )


def _send(event: Event, email: str, link: str) -> None:
    """The letter with the link, in the reader's language."""
    subject = gettext("Your entry: %(event)s") % {"event": event.name}
    text = render_to_string("league/events/entry/enter_letter.txt", {"event": event, "link": link})
    send_mail(" ".join(subject.split()), text, None, [email])


def _page(
    request: HttpRequest,
    event: Event,
    player: Player | None,
    entry: Entry | None,
    form: forms.Form,
    *,
    withdrawing: bool = False,
) -> HttpResponse:
    """The page of an entry that is there, or can be made."""
    address = reverse("event-enter", args=[event.club.slug, event.slug])
    return club_page(
        request,
        event.club,
        "league/events/entry/enter.html",
        **own_context(request, event, entry),
        player=player,
        form=form,
        withdrawing=withdrawing,
        sign_in=f"{reverse('account_login')}?next={address}",
        crumbs=club_crumbs(event.club),
    )


def own_context(request: HttpRequest, event: Event, entry: Entry | None) -> dict[str, Any]:
    """Show what pages of an own entry show: how it stands, its code, what entering or withdrawing
    would bring."""
    counts = places(event)
    return {
        "event": event,
        "entry": entry,
        "active": entry is not None and entry.status in ACTIVE,
        "place": waiting_place(entry) if entry and entry.status == Entry.Status.WAITING else 0,
        "url": public_address(reverse("entry", args=[entry.public_id])) if entry else "",
        "places": counts,
        "forecast": forecast(counts),
        "closed": closed_words(event),
        "effects": withdraw_effects(event, entry, counts)
        if entry and entry.status in ACTIVE
        else [],
    }


def closed_words(event: Event) -> str:
    """Tell why nobody can enter, and what to do; empty while one can."""
    try:
        refuse_closed(event)
    except ValidationError as refused:
        return str(refused.messages[0])
    return ""


def forecast(counts: PlaceCounts) -> str:
    """Return what entering brings, in a sentence."""
    if counts.free is None:
        return gettext("There is a place for everybody who enters.")
    if counts.free:
        words = ngettext(
            "%(count)d place is free: you get it.",
            "%(count)d places are free: you get one.",
            counts.free,
        )
        return words % {"count": counts.free}
    return gettext("All places are taken: you become number %(number)d on the waiting list.") % {
        "number": counts.waiting + 1
    }


def entered_words(entry: Entry) -> str:
    """Return what came of entering, in a sentence."""
    if entry.status == Entry.Status.WAITING:
        words = gettext(
            "All places are taken. You are number %(number)d on the waiting list, and move up "
            "by yourself."
        )
        return words % {"number": waiting_place(entry)}
    return gettext("You have a place. See you there!")


def withdraw_effects(event: Event, entry: Entry, counts: PlaceCounts) -> list[str]:
    """Return what withdrawing brings, in sentences."""
    if entry.status == Entry.Status.WAITING:
        return [gettext("You leave the waiting list. If you come back, you are at its end.")]
    if event.status == Event.Status.RUNNING:
        return [gettext("No further round seats you. What you have played stays.")]
    up = first_waiting(event) if counts.waiting and not counts.over else None
    then = (
        gettext("%(name)s gets your place.") % {"name": up.player.name}
        if up
        else gettext("Your place is free.")
    )
    return [then, gettext("You can come back while entries are open, behind all who wait then.")]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry_by_mail_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show where a letter's link leads: first to confirm the entry, later to the entry itself.
    Opening it does nothing."""
    by_mail = or_404(entry_by_mail_for_bearer, token)
    address = reverse("entry-by-mail", args=[token])
    step = request.POST.get("do", "") if request.method == "POST" else ""
    form: forms.Form = NameForm(
        request.POST if step == "enter" else None, initial={"name": by_mail.name}
    )
    if by_mail.entry is not None:
        form = ClaimForm(request.POST if step in ("enter", "claim") else None)
        if step == "claim" and (
            answer := claim_answer(request, form, Claim.Way.MAIL, by_mail.entry.player)
        ):
            return answer
    withdrawing = (
        step == "withdraw" and by_mail.entry is not None and by_mail.entry.status in ACTIVE
    )
    if withdrawing and by_mail.entry and (answer := _withdrawn(request, by_mail.entry, address)):
        return answer
    if step == "enter" and form.is_valid():
        try:
            if done(request, form, lambda cleaned, actor: _confirm(request, by_mail, cleaned)):
                return redirect(address)
        except EntryByMail.DoesNotExist:
            raise Http404 from None
    return club_page(
        request,
        by_mail.event.club,
        "league/events/entry/enter_by_mail.html",
        **own_context(request, by_mail.event, by_mail.entry),
        asked=by_mail,
        form=form,
        withdrawing=withdrawing,
        claimable=by_mail.entry is not None and (is_unclaimed(by_mail.entry) or step == "claim"),
        crumbs=club_crumbs(by_mail.event.club),
    )


def _confirm(request: HttpRequest, by_mail: EntryByMail, cleaned: dict[str, Any]) -> None:
    """Make the entry, or let who withdrew come back."""
    if by_mail.entry is None:
        entry = entry_by_mail_confirm(by_mail=by_mail, name=cleaned["name"])
    else:
        entry = entry_add(
            event=by_mail.event, player=by_mail.entry.player, actor=Actor(request.user.pk)
        )
    messages.success(request, entered_words(entry))
