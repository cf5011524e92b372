"""Addresses of accounts: allauth's, with some pages replaced by ours.

allauth's own list of the pages of second factors imports everything for passkeys, which takes a
tenth of a second and 20 MB in each process. Here each view is imported when it is first opened."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils.module_loading import import_string

from league.core.account.web.account import AccountPage
from league.core.account.web.password_link import password_link_page
from league.core.account.web.session import sessions_page


def view_of(name: str) -> Callable[..., HttpResponse]:
    """Return a view of `allauth.mfa` that is imported at its first request."""

    def view(request: HttpRequest, **address: int) -> HttpResponse:
        answer: HttpResponse = import_string(f"allauth.mfa.{name}")(request, **address)
        return answer

    return view


pages = [
    path("service/password/", password_link_page, name="password-link"),
]

account_pages = [
    path("email/", login_required(AccountPage.as_view()), name="account_email"),
    path("sessions/", sessions_page, name="account-sessions"),
    path("2fa/", view_of("base.views.index"), name="mfa_index"),
    path("2fa/authenticate/", view_of("base.views.authenticate"), name="mfa_authenticate"),
    path("2fa/reauthenticate/", view_of("base.views.reauthenticate"), name="mfa_reauthenticate"),
    path("2fa/totp/activate/", view_of("totp.views.activate_totp"), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", view_of("totp.views.deactivate_totp"), name="mfa_deactivate_totp"),
    path(
        "2fa/codes/",
        view_of("recovery_codes.views.view_recovery_codes"),
        name="mfa_view_recovery_codes",
    ),
    path(
        "2fa/codes/generate/",
        view_of("recovery_codes.views.generate_recovery_codes"),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/codes/download/",
        view_of("recovery_codes.views.download_recovery_codes"),
        name="mfa_download_recovery_codes",
    ),
    path("2fa/passkeys/", view_of("webauthn.views.list_webauthn"), name="mfa_list_webauthn"),
    path("2fa/passkeys/add/", view_of("webauthn.views.add_webauthn"), name="mfa_add_webauthn"),
    path(
        "2fa/passkeys/login/", view_of("webauthn.views.login_webauthn"), name="mfa_login_webauthn"
    ),
    path(
        "2fa/passkeys/reauthenticate/",
        view_of("webauthn.views.reauthenticate_webauthn"),
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        "2fa/passkeys/<int:pk>/remove/",
        view_of("webauthn.views.remove_webauthn"),
        name="mfa_remove_webauthn",
    ),
    path(
        "2fa/passkeys/<int:pk>/edit/",
        view_of("webauthn.views.edit_webauthn"),
        name="mfa_edit_webauthn",
    ),
    path("", include("allauth.account.urls")),
]
