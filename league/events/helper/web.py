"""The pages behind the link of a helper's invitation, and for typing in a code."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.models import User
from league.core.account.web.account_form import AccountForm
from league.core.account.web.sign_in import letter_use
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.member.web import invitation_context, is_accepted
from league.core.viewer.web.confirmation import add_errors, posted
from league.core.viewer.web.viewer import or_404
from league.events.helper.desk import helper_letter_send
from league.events.helper.models import HelperInvitation
from league.events.helper.queries import helper_invitation_for_bearer, helper_invitation_of_code
from league.events.helper.services import (
    helper_invitation_accept,
    helper_invitation_bind,
    helper_invitation_join,
)


class CodeForm(forms.Form):
    """The code of an invitation. Visitors who aren't signed in also enter the address to sign in
    with.
    """

    word = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(posted(request), initial={"word": request.GET.get("code", "")[:20]})
        if not request.user.is_authenticated:
            self.fields["email"] = forms.EmailField(
                label=gettext_lazy("Your email address"),
                help_text=gettext_lazy(
                    "You’ll use it to sign in. If you already have an account, sign in first."
                ),
                max_length=254,
                widget=forms.EmailInput({"autocomplete": "email"}),
            )

    def clean_word(self) -> HelperInvitation:
        """Return the invitation that the code opens. Raise `ValidationError` if there is none."""
        try:
            return helper_invitation_of_code(self.cleaned_data["word"])
        except HelperInvitation.DoesNotExist:
            message = gettext(
                "This code is wrong or has already been used. Ask the organiser for a new one."
            )
            raise ValidationError(message) from None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def helper_code_page(request: HttpRequest) -> HttpResponse:
    """Accept an invitation by its code (`?code=` fills it in). Visitors who aren't signed in get a
    link by mail to the address they enter.
    """
    form = CodeForm(request)
    if request.method == "POST" and form.is_valid():
        invitation: HelperInvitation = form.cleaned_data["word"]
        try:
            if isinstance(request.user, User):
                helper_invitation_accept(invitation=invitation, user=request.user)
                return _welcome(request, invitation)
            return _bind(request, invitation, form.cleaned_data["email"])
        except HelperInvitation.DoesNotExist:
            form.add_error("word", gettext("Somebody else has just used this code."))
        except ValidationError as refused:
            add_errors(form, refused)
    return_address = f"{request.path}?{urlencode({'code': form['word'].value() or ''})}"
    sign_in = f"{reverse('account_login')}?{urlencode({'next': return_address})}"
    return render(
        request, "league/events/helper/helper_code.html", {"form": form, "sign_in": sign_in}
    )


def _bind(request: HttpRequest, invitation: HelperInvitation, email: str) -> HttpResponse:
    """Bind the invitation to an address and send the link there, which proves that the address is
    the visitor's own. If the service sends no mail, follow the link at once."""
    usage = letter_use(request, email)
    if usage and usage.exceeded:
        message = gettext(
            "Too many emails were sent to this address today. Ask the organiser for help."
        )
        raise ValidationError(message)
    token = helper_invitation_bind(invitation=invitation, email=email)
    address = reverse("helper-invitation", args=[token])
    invitation.email = email
    if not helper_letter_send(invitation, public_address(address)):
        return redirect(address)
    context = {"invitation": invitation, "email": email}
    return render(request, "league/events/helper/helper_letter.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def helper_invitation_page(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation by its link. Visitors who aren't signed in sign in first, or create an
    account.
    """
    invitation = or_404(helper_invitation_for_bearer, token)
    form = AccountForm(request.POST or None)
    accept = partial(helper_invitation_accept, invitation=invitation)
    join = partial(helper_invitation_join, invitation=invitation)
    try:
        if request.method == "POST" and is_accepted(request, form, accept, join):
            return _welcome(request, invitation)
    except HelperInvitation.DoesNotExist:
        raise Http404 from None
    return render(
        request,
        "league/events/helper/helper_invitation.html",
        invitation_context(request, invitation, form),
    )


def _welcome(request: HttpRequest, invitation: HelperInvitation) -> HttpResponse:
    event = invitation.event
    words = gettext("Welcome to %(event)s. Your role for this event: %(role)s.")
    return redirect_saying(
        request,
        words % {"event": event.name, "role": invitation.get_role_display()},
        "desk-event",
        event.club.slug,
        event.slug,
    )
