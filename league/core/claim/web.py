"""Claiming a player by a code, as an account or on a phone without one."""

from __future__ import annotations

from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.models import User
from league.core.account.web.sign_in import sign_in_new
from league.core.claim.models import Claim, ClaimCode
from league.core.claim.queries import claim_code_of, claim_of_page, own_claims, tapped_claims
from league.core.claim.services import claim_end, player_claim
from league.core.frame.letter_link import digest_of, new_token
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.viewer.web.confirmation import posted, run_action


class ClaimCodeForm(forms.Form):
    """The code of a player."""

    word = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("It’s on your slip, or on the organiser’s phone."),
        max_length=20,
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def clean_word(self) -> ClaimCode:
        """Return the row of the code. Raise `ValidationError` if there is none."""
        try:
            return claim_code_of(self.cleaned_data["word"])
        except ClaimCode.DoesNotExist:
            raise ValidationError(
                gettext(
                    "This code is wrong or has already been used. Ask the organisers for another "
                    "one."
                )
            ) from None


class ClaimForm(forms.Form):
    """A tap that claims a player. `key` belongs to the page: a tap that is sent twice counts
    once."""

    key = forms.CharField(
        max_length=64, required=False, initial=new_token, widget=forms.HiddenInput
    )

    def clean_key(self) -> str:
        """Return the key; a new one if the page sent none."""
        return self.cleaned_data["key"] or new_token()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim_page(request: HttpRequest) -> HttpResponse:
    """Ask for the code. The address on a scanned slip has `?code=`, and leads on to the player."""
    code = request.GET.get("code", "")
    form = ClaimCodeForm({"word": code} if code and request.method != "POST" else posted(request))
    if form.is_bound and form.is_valid():
        return redirect("claim-player", form.cleaned_data["word"].code)
    return render(request, "league/core/claim/claim.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim_player_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the code's player; one tap makes the account, or this phone, that player."""
    form = ClaimForm(posted(request))
    try:
        claim_code = claim_code_of(code)
    except ClaimCode.DoesNotExist:
        # The code is used up, perhaps by the same tap, sent a second time.
        code_page = redirect(f"{reverse('claim')}?{urlencode({'code': code[:20]})}")
        return claim_answer(request, form, Claim.Way.CODE, None) or code_page
    player = claim_code.player.merged_into or claim_code.player
    answer = claim_answer(request, form, Claim.Way.CODE, claim_code.player, claim_code.code)
    if answer:
        return answer
    sign_in = f"{reverse('account_login')}?{urlencode({'next': request.path})}"
    context = {
        "player": player,
        "club": player.club,
        "form": form,
        "sign_in": sign_in,
        "is_taken": tapped_claims().filter(player=player).exists(),
    }
    return render(request, "league/core/claim/claim_player.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim_leave_page(request: HttpRequest) -> HttpResponse:
    """Show the players claimed by the account, or by this phone; one tap ends a claim."""
    user = account_of(request)
    claims = list(own_claims(user)) if user else []
    if request.method == "POST":
        claim_id = request.POST.get("claim")
        claim = next((claim for claim in claims if claim.public_id == claim_id), None)
        if claim is not None and claim_end(claim=claim, actor=Actor(request.user.pk)):
            player = claim.player.merged_into or claim.player
            message = gettext("You are no longer %(name)s here.")
            messages.success(request, message % {"name": player.name})
        return redirect("claim-leave")
    return render(request, "league/core/claim/claim_leave.html", {"claims": claims})


def account_of(request: HttpRequest) -> User | None:
    """Return the account that is signed in; None if nobody is."""
    if isinstance(request.user, User):
        return request.user
    return None


def claim_answer(
    request: HttpRequest, form: forms.Form, way: Claim.Way, player: Player | None, code: str = ""
) -> HttpResponse | None:
    """Claim the player if a `ClaimForm` was sent, sign in a phone without an account, and redirect
    to the user's tables. Return None if the form wasn't sent, or has errors.

    A form that is sent again gets the same answer, even if the player can no longer be claimed with
    it.
    """
    if not form.is_bound:
        return None
    if form.is_valid() and player is not None:
        user = account_of(request)
        key = digest_of(form.cleaned_data["key"])
        run_action(
            request,
            form,
            lambda _, actor: player_claim(player=player, way=way, user=user, code=code, key=key),
        )
    claim = claim_of_page(form.cleaned_data.get("key", ""))
    if claim is None:
        return None
    return claim_welcome(request, claim)


def claim_welcome(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Redirect to the tables of the claimed player; sign in a phone first, unless somebody is
    signed in there."""
    if claim.user is not None and claim.user.is_phone and not request.user.is_authenticated:
        sign_in_new(request, claim.user)
    return redirect_saying(
        request, gettext("You’re now %(name)s here.") % {"name": claim.player.name}, "my-tables"
    )
