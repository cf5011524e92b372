"""The pages on which seats agree on an arbiter from outside, and the pages behind the link of an
invitation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Game
from league.core.account.models import User
from league.core.account.services import account_create
from league.core.account.web.account_form import AccountForm
from league.core.account.web.sign_in import letter_use, sign_in_new
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import add_errors, posted, run_action, run_button_action
from league.core.viewer.web.viewer import club_page, page_of, required
from league.disputes.arbiter.models import LASTS, ArbiterInvitation
from league.disputes.arbiter.queries import (
    bar_to_ruling,
    game_for_arbiter,
    invitation_for,
    invitation_for_bearer,
    invitation_statuses,
    may_invite,
    rulers_of,
    seats_to_answer,
    status_of,
)
from league.disputes.arbiter.services import (
    arbiter_accept,
    arbiter_assent,
    arbiter_decline,
    arbiter_invite,
    arbiter_withdraw,
)
from league.disputes.correction.web.correction import game_crumbs
from league.standings.ranked_game.queries.game import SeatAtTable, seats_of

SALT: Final = "account of an arbiter"


class ClosenessForm(forms.Form):
    """The players at the table to whom a future arbiter is close, as family or friends.

    `seats`: the seats of the table, which are the choices."""

    close_to = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who at this table are you close to?"),
        help_text=gettext_lazy(
            "Family, friends, team-mates. The players read this before they say yes. Leave it "
            "empty if you aren’t close to anybody."
        ),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, request: HttpRequest, seats: Sequence[SeatAtTable]) -> None:
        super().__init__(posted(request))
        field: Any = self.fields["close_to"]
        field.choices = [(seat.number, seat.name) for seat in seats]


class AddressForm(forms.Form):
    """The email address of somebody who has no account yet."""

    email = forms.EmailField(
        label=gettext_lazy("Your email address"),
        help_text=gettext_lazy(
            "You’ll use it to sign in. If you already have an account, sign in first."
        ),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(game_for_arbiter)
def arbiter_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show a game's invitations to its seats. A POST makes an invitation, whose link is shown only
    once."""
    token = _token_of_new_invitation(request, game)
    link = public_address(reverse("arbiter-invitation", args=[token])) if token else ""
    statuses = invitation_statuses(game, request.user)
    return club_page(
        request,
        game.season_game.season.club,
        "league/disputes/arbiter/arbiter.html",
        game=game,
        link=link,
        open_invitations=[status for status in statuses if status.is_open],
        past_invitations=[status for status in statuses if not status.is_open],
        can_invite=may_invite(game, statuses),
        has_rulers=bool(rulers_of(game)),
        crumbs=game_crumbs(game),
    )


def _token_of_new_invitation(request: HttpRequest, game: Game) -> str:
    token = ""

    def invite(actor: Actor) -> None:
        nonlocal token
        _, token = arbiter_invite(game=game, actor=actor)

    if request.method == "POST":
        run_button_action(request, invite)
    return token


@login_required
@require_POST
@page_of(invitation_for)
def arbiter_answer(request: HttpRequest, invitation: ArbiterInvitation) -> HttpResponse:
    """Say yes or no, for a seat, to the arbiter who accepted."""
    seat = request.POST.get("seat", "")
    seats = seats_to_answer(invitation, request.user)
    if not seat.isdecimal() or int(seat) not in seats:
        return _to_arbiter_page(
            request, invitation, gettext("There is nothing to answer here right now.")
        )
    if request.POST.get("answer") == "yes":
        return _assent(request, invitation, int(seat))
    return _decline(request, invitation, int(seat))


def _assent(request: HttpRequest, invitation: ArbiterInvitation, seat: int) -> HttpResponse:
    is_agreed = False

    def assent(actor: Actor) -> None:
        nonlocal is_agreed
        is_agreed = arbiter_assent(invitation=invitation, seat=seat, actor=actor)

    if not run_button_action(request, assent):
        return _to_arbiter_page(request, invitation)
    if is_agreed:
        message = gettext("Everybody agrees: the arbiter can rule now and has been told.")
    else:
        message = gettext("Noted. The arbiter can rule once all players agree.")
    return _to_arbiter_page(request, invitation, message)


def _decline(request: HttpRequest, invitation: ArbiterInvitation, seat: int) -> HttpResponse:
    def decline(actor: Actor) -> None:
        arbiter_decline(invitation=invitation, seat=seat, actor=actor)

    if not run_button_action(request, decline):
        return _to_arbiter_page(request, invitation)
    return _to_arbiter_page(request, invitation, gettext("Noted. You can agree on somebody else."))


@login_required
@require_POST
@page_of(invitation_for)
def arbiter_end(request: HttpRequest, invitation: ArbiterInvitation) -> HttpResponse:
    """Take an invitation back, or give it up as the account that accepted it."""
    status = status_of(invitation.game, request.user, invitation)
    if not status.may_end:
        raise Http404
    is_arbiter = status.arbiter == request.user
    is_done = run_button_action(
        request, lambda actor: arbiter_withdraw(invitation=invitation, actor=actor)
    )
    if is_arbiter and is_done:
        messages.success(
            request, gettext("You won’t rule on this game. The players can agree on somebody else.")
        )
    if is_arbiter:
        return redirect("home")
    return _to_arbiter_page(
        request, invitation, gettext("Invitation withdrawn.") if is_done else ""
    )


def _to_arbiter_page(
    request: HttpRequest, invitation: ArbiterInvitation, message: str = ""
) -> HttpResponse:
    game_id = invitation.game.public_id
    if message:
        return redirect_saying(request, message, "game-arbiter", game_id)
    return redirect("game-arbiter", game_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def arbiter_invitation_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation, and let a reader who is signed in accept it and declare closeness. Others
    sign in first, or ask for an account. The page says nothing about the dispute itself."""
    try:
        invitation = invitation_for_bearer(token)
    except ArbiterInvitation.DoesNotExist:
        return render(request, "league/disputes/arbiter/gone.html", status=404)
    if not isinstance(request.user, User):
        return _ask_for_address(request, invitation, token)
    seats = seats_of(invitation.game)
    form = ClosenessForm(request, seats)
    if form.is_valid() and run_action(request, form, _acceptance(invitation, request.user)):
        message = gettext(
            "Thank you. The players are asked now, and we’ll tell you once they all agree."
        )
        return redirect_saying(request, message, "arbiter-invitation", token)
    bar = bar_to_ruling(invitation.game, request.user.pk)
    status = status_of(invitation.game, request.user, invitation)
    return _invitation_page(
        request,
        invitation,
        form=form,
        status=status,
        is_arbiter=status.arbiter == request.user,
        bar=bar.message.translated(gettext) if bar else "",
    )


def _acceptance(
    invitation: ArbiterInvitation, user: User
) -> Callable[[dict[str, Any], Actor], object]:
    return lambda cleaned, actor: arbiter_accept(
        invitation=invitation, user=user, actor=actor, **cleaned
    )


def _ask_for_address(
    request: HttpRequest, invitation: ArbiterInvitation, token: str
) -> HttpResponse:
    form = AddressForm(posted(request))
    if form.is_valid():
        try:
            return _offer_account(request, invitation, token, form.cleaned_data["email"])
        except ValidationError as refused:
            add_errors(form, refused)
    return _invitation_page(request, invitation, form=form, sign_in=_sign_in_url(request.path))


def _offer_account(
    request: HttpRequest, invitation: ArbiterInvitation, token: str, email: str
) -> HttpResponse:
    usage = letter_use(request, email)
    if usage and usage.exceeded:
        raise ValidationError(
            gettext("Too many emails were sent to this address today. Try again tomorrow.")
        )
    signed = signing.dumps([invitation.public_id, email], salt=SALT)
    address = reverse("arbiter-account", args=[token, signed])
    if not _letter_send(invitation, email, public_address(address)):
        return redirect(address)
    return _invitation_page(request, invitation, email=email)


def _letter_send(invitation: ArbiterInvitation, email: str, link: str) -> bool:
    if not settings.EMAIL_HOST:
        return False
    club = invitation.game.season_game.season.club
    with translation.override(club.language):
        subject = gettext("An account to rule on a game at %(club)s") % {"club": club.name}
        text = render_to_string(
            "league/disputes/arbiter/account_letter.txt", {"club": club, "link": link}
        )
    return bool(send_mail(subject, text, None, [email]))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def arbiter_account_page(request: HttpRequest, token: str, signed: str) -> HttpResponse:
    """Make an account for the email address in the emailed link, and go back to the invitation."""
    try:
        invitation = invitation_for_bearer(token)
        invitation_id, email = signing.loads(signed, salt=SALT, max_age=LASTS)
    except (ArbiterInvitation.DoesNotExist, signing.BadSignature):
        return render(request, "league/disputes/arbiter/gone.html", status=404)
    required(invitation if invitation_id == invitation.public_id else None)
    if request.user.is_authenticated:
        return redirect("arbiter-invitation", token)
    form = AccountForm(posted(request))
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            user = account_create(
                name=cleaned["username"], email=email, password=cleaned["password"]
            )
        except ValidationError as refused:
            add_errors(form, refused)
        else:
            sign_in_new(request, user)
            return redirect("arbiter-invitation", token)
    return _invitation_page(
        request,
        invitation,
        "league/disputes/arbiter/account.html",
        form=form,
        email=email,
        known=User.objects.filter(email__iexact=email).exists(),
        sign_in=_sign_in_url(reverse("arbiter-invitation", args=[token])),
    )


def _sign_in_url(address: str) -> str:
    return f"{reverse('account_login')}?next={address}"


def _invitation_page(
    request: HttpRequest,
    invitation: ArbiterInvitation,
    template: str = "league/disputes/arbiter/invitation.html",
    **context: object,
) -> HttpResponse:
    club = invitation.game.season_game.season.club
    response = club_page(
        request, club, template, invitation=invitation, game=invitation.game, **context
    )
    response["X-Robots-Tag"] = "noindex"  # the address holds the token
    return response
