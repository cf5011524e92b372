"""The first start: whoever reads the service's console creates the first account and club."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.queries.setup import is_set_up, is_setup_token
from league.core.account.web.account_form import AccountForm
from league.core.account.web.sign_in import sign_in_new
from league.core.club.desk.club_form import ClubForm
from league.core.frame.saying import redirect_saying
from league.core.locks import Busy
from league.core.viewer.web.confirmation import add_errors
from league.site.setup.services import SetUpAlready, first_account_create


class FirstAccountForm(AccountForm):
    """The first account, and the token that proves that an operator creates it."""

    field_order = ("token", "username", "email", "password", "password_again")
    token = forms.CharField(
        label=gettext_lazy("Token"),
        help_text=gettext_lazy("The service printed it on its console when it started."),
        max_length=64,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("You sign in with it."),
        max_length=254,
    )

    def clean_token(self) -> str:
        """Return the token. Raise `ValidationError` if the service didn't print it."""
        token: str = self.cleaned_data["token"]
        if not is_setup_token(token):
            raise ValidationError(gettext("This isn’t the token the service printed."))
        return token


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_page(request: HttpRequest) -> HttpResponse:
    """Create the first account and its club; answer 404 once an account exists."""
    if is_set_up():
        raise Http404
    account = FirstAccountForm(
        request.POST or None, initial={"token": request.GET.get("token", "")}
    )
    club = ClubForm(request.POST or None, prefix="club", initial={"language": get_language()})
    if request.method == "POST":
        are_valid = [form.is_valid() for form in (account, club)]  # both show their errors
        if all(are_valid):
            return _create_and_redirect(request, account, club) or _render_page(
                request, account, club
            )
    return _render_page(request, account, club)


def _render_page(request: HttpRequest, account: FirstAccountForm, club: ClubForm) -> HttpResponse:
    return render(request, "league/site/setup/setup.html", {"account": account, "club": club})


def _create_and_redirect(
    request: HttpRequest, account: FirstAccountForm, club: ClubForm
) -> HttpResponse | None:
    """Return None if something was refused, after adding the errors to the forms."""
    cleaned: dict[str, Any] = account.cleaned_data
    try:
        user, new_club = first_account_create(
            name=cleaned["username"],
            email=cleaned["email"],
            password=cleaned["password"],
            club=club.settings(),
        )
    except ValidationError as refused:
        club_fields = {"slug", "timezone"}
        is_of_club = not club_fields.isdisjoint(getattr(refused, "error_dict", ()))
        add_errors(club if is_of_club else account, refused)
    except Busy:
        account.add_error(None, gettext("Somebody else is creating the first account right now."))
    except SetUpAlready:
        raise Http404 from None
    else:
        sign_in_new(request, user)
        return redirect_saying(
            request,
            gettext("The service is yours, and your club has been created."),
            "desk",
            new_club.slug,
        )
    return None
