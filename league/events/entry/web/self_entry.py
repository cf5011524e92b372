"""Entering an event oneself: with one click when signed in, or by the link in an email without an
account.
"""

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
from league.core.viewer.web.confirmation import add_errors, run_action, run_button_action
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

NAME_LENGTH: Final = 64


class NameForm(forms.Form):
    """The name of a person who isn't a player of the club yet."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("As shown in the club’s tables and rankings."),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )


class MailForm(NameForm):
    """The name and email address of somebody without an account."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("You’ll get a link by email. Nobody sees the address."),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        if not settings.MAIL_LEAVES:
            words = gettext(
                "No email is sent, and nobody sees the address. It only tells you apart from "
                "others."
            )
            self.fields["email"].help_text = words


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for)
def enter_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter an event, withdraw from it or come back; visitors without an account ask for an
    email."""
    player = own_player(viewer_of(request), event.club_id)
    entry = entry_of_player(event, player) if player else None
    form = _entry_form(request, player)
    step = request.POST.get("do", "") if request.method == "POST" else ""
    address = reverse("event-enter", args=[event.club.slug, event.slug])

    if step == "withdraw" and entry is not None and entry.status in ACTIVE:
        if "sure" in request.POST:
            return _withdraw(request, entry, address)
        return _entering_page(request, event, player, entry, form, withdrawing=True)

    if step == "enter" and form.is_valid():
        if not request.user.is_authenticated:
            asked_page = _ask_for_letter(request, event, form)
            return asked_page or _entering_page(request, event, player, entry, form)
        if run_action(
            request,
            form,
            lambda cleaned, actor: _enter_player(request, event, player, cleaned, actor),
        ):
            return redirect(address)

    return _entering_page(request, event, player, entry, form)


def _entry_form(request: HttpRequest, player: Player | None) -> forms.Form:
    data = request.POST if request.POST.get("do") == "enter" else None
    if player is not None:
        return forms.Form(data)  # a player needn't say anything else
    return NameForm(data) if request.user.is_authenticated else MailForm(data)


def _enter_player(
    request: HttpRequest, event: Event, player: Player | None, cleaned: dict[str, Any], actor: Actor
) -> None:
    if player is None:
        entry = newcomer_enter(event=event, account=signed_in(request), name=cleaned["name"])
    else:
        entry = entry_add(event=event, player=player, actor=actor)
    messages.success(request, entered_words(entry))


def _withdraw(request: HttpRequest, entry: Entry, back: str) -> HttpResponse:
    if run_button_action(
        request, lambda actor: entry_withdraw(entry=entry, actor=actor, by_owner=True)
    ):
        words = gettext("You have withdrawn. You can come back while entries are open.")
        messages.success(request, words)
    return redirect(back)


def _ask_for_letter(request: HttpRequest, event: Event, form: forms.Form) -> HttpResponse | None:
    """Send the email and return the page that says so; None if the form has errors."""
    email = form.cleaned_data["email"]
    try:
        usage = letter_use(request, mailbox(email))
    except ValidationError as refused:
        add_errors(form, refused)
        return None
    if usage is not None and usage.exceeded:
        words = gettext(
            "Too many emails were sent to this address today. Check your inbox, or try again "
            "tomorrow."
        )
        form.add_error("email", words)
        return None

    letters: list[tuple[str, str]] = []
    fields = {"event": event, "name": form.cleaned_data["name"], "email": email}
    if not run_action(
        request, form, lambda cleaned, actor: letters.append(entry_by_mail_ask(**fields))
    ):
        return None
    token, address = letters[0]
    _letter_send(event, address, public_address(reverse("entry-by-mail", args=[token])))
    return club_page(
        request,
        event.club,
        "league/events/entry/enter_asked.html",
        event=event,
        email=email,
        crumbs=club_crumbs(event.club),
    )


def _letter_send(event: Event, email: str, link: str) -> None:
    subject = gettext("Your entry: %(event)s") % {"event": event.name}
    text = render_to_string("league/events/entry/enter_letter.txt", {"event": event, "link": link})
    send_mail(" ".join(subject.split()), text, None, [email])


def _entering_page(
    request: HttpRequest,
    event: Event,
    player: Player | None,
    entry: Entry | None,
    form: forms.Form,
    *,
    withdrawing: bool = False,
) -> HttpResponse:
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
    """Return the context of pages about a viewer's own entry: its state and code, and the effects
    of entering or withdrawing.
    """
    counts = places(event)
    context: dict[str, Any] = {
        "event": event,
        "entry": entry,
        "active": False,
        "place": 0,
        "url": "",
        "places": counts,
        "forecast": forecast(counts),
        "closed": closed_words(event),
        "effects": [],
    }
    if entry is None:
        return context

    context["url"] = public_address(reverse("entry", args=[entry.public_id]))
    if entry.status == Entry.Status.WAITING:
        context["place"] = waiting_place(entry)
    if entry.status in ACTIVE:
        context["active"] = True
        context["effects"] = withdraw_effects(event, entry, counts)
    return context


def closed_words(event: Event) -> str:
    """Return a sentence on why nobody can enter, and on what to do; empty while entries are
    open."""
    try:
        refuse_closed(event)
    except ValidationError as refused:
        return str(refused.messages[0])
    return ""


def forecast(counts: PlaceCounts) -> str:
    """Return a sentence on whether a player who enters gets a place."""
    if counts.free is None:
        return gettext("There’s a place for everybody.")
    if counts.free:
        words = ngettext(
            "%(count)d place is free: you’ll get it.",
            "%(count)d places are free: you’ll get one.",
            counts.free,
        )
        return words % {"count": counts.free}
    words = gettext("All places are taken: you’ll be number %(number)d on the waiting list.")
    return words % {"number": counts.waiting + 1}


def entered_words(entry: Entry) -> str:
    """Return a sentence about the result of entering."""
    if entry.status == Entry.Status.WAITING:
        words = gettext(
            "All places are taken. You’re number %(number)d on the waiting list and will move up "
            "automatically."
        )
        return words % {"number": waiting_place(entry)}
    return gettext("You have a place. See you there!")


def withdraw_effects(event: Event, entry: Entry, counts: PlaceCounts) -> list[str]:
    """Return sentences on the effects of withdrawing an entry."""
    if entry.status == Entry.Status.WAITING:
        return [
            gettext("You’ll leave the waiting list. If you come back, you’ll join the end of it.")
        ]
    if event.status == Event.Status.RUNNING:
        return [gettext("You won’t be seated in any more rounds. The games you’ve played stay.")]

    successor = first_waiting(event) if counts.waiting and not counts.over else None
    if successor is not None:
        effect_on_place = gettext("%(name)s will get your place.") % {"name": successor.player.name}
    else:
        effect_on_place = gettext("Your place will be free.")
    return [
        effect_on_place,
        gettext("You can come back while entries are open, behind anybody waiting by then."),
    ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry_by_mail_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page behind an email's link: first to confirm the entry, later the entry itself. A
    GET changes nothing.
    """
    by_mail = or_404(entry_by_mail_for_bearer, token)
    entry = by_mail.entry
    address = reverse("entry-by-mail", args=[token])
    step = request.POST.get("do", "") if request.method == "POST" else ""

    form: forms.Form
    if entry is None:
        data = request.POST if step == "enter" else None
        form = NameForm(data, initial={"name": by_mail.name})
    else:
        form = ClaimForm(request.POST if step in ("enter", "claim") else None)
        if step == "claim":
            claim_response = claim_answer(request, form, Claim.Way.MAIL, entry.player)
            if claim_response is not None:
                return claim_response

    withdrawing = step == "withdraw" and entry is not None and entry.status in ACTIVE
    if withdrawing and entry is not None and "sure" in request.POST:
        return _withdraw(request, entry, address)
    if step == "enter" and form.is_valid():
        try:
            if run_action(
                request,
                form,
                lambda cleaned, actor: _confirm_or_bring_back(request, by_mail, cleaned),
            ):
                return redirect(address)
        except EntryByMail.DoesNotExist:
            raise Http404 from None

    return club_page(
        request,
        by_mail.event.club,
        "league/events/entry/enter_by_mail.html",
        **own_context(request, by_mail.event, entry),
        asked=by_mail,
        form=form,
        withdrawing=withdrawing,
        claimable=entry is not None and (is_unclaimed(entry) or step == "claim"),
        crumbs=club_crumbs(by_mail.event.club),
    )


def _confirm_or_bring_back(
    request: HttpRequest, by_mail: EntryByMail, cleaned: dict[str, Any]
) -> None:
    if by_mail.entry is None:
        entry = entry_by_mail_confirm(by_mail=by_mail, name=cleaned["name"])
    else:
        player = by_mail.entry.player
        entry = entry_add(event=by_mail.event, player=player, actor=Actor(request.user.pk))
    messages.success(request, entered_words(entry))
