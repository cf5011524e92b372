"""Limits on guessing passwords, from one address or from many, that don't lock an account's owner
out.

For an account, wrong passwords are counted. Beyond the limit, an address still has its first few
tries, and so has a browser in which somebody has signed in to the account before."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.signals import password_changed, password_reset
from allauth.account.signals import user_logged_in as came_in
from allauth.mfa.signals import authenticator_added
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core import signing
from django.db.models import Q
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from league.core.account.domain.browser import browser_name
from league.core.account.models import User
from league.core.account.services import SIGN_INS_KEPT, sessions_end
from league.core.frame.client_address import client_network
from league.core.frame.errors import too_many_requests
from league.core.frame.letter_link import public_address
from league.core.frame.limits import Usage, limit_state, limit_use, requester_key

PAGES: Final = ("account_login",)
BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"
"""The backend that signs in a new account."""
SEEN: Final = "seen"
"""The session key with the day on which a phone's own account was used last."""
COOKIE: Final = "browser"
COOKIE_AGE: Final = 400 * 24 * 3600
"""Seconds that browsers keep a cookie at most (RFC 6265bis)."""
MOST_ACCOUNTS: Final = 5
"""How many accounts a browser's cookie names at most; the oldest are dropped."""


class SignInMiddleware(MiddlewareMixin):
    """Refuses tries for an account with too many wrong passwords, and recognises known browsers."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Give a browser a cookie once somebody has signed in, and keep a phone signed in while it
        is used."""
        _renew_phone_session(request)
        account = getattr(request, "signed_in_now", None)
        if account is not None:
            token, accounts = _token_and_account_ids(request) or (secrets.token_urlsafe(12), [])
            others = [other for other in accounts if other != account]
            response.set_cookie(
                COOKIE,
                signing.dumps([token, [account, *others][:MOST_ACCOUNTS]], salt=COOKIE),
                max_age=COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Return the refusal, or None if the request may go on."""
        page = request.resolver_match.view_name if request.resolver_match else ""
        if request.method != "POST" or page not in PAGES:
            return None
        usage = limit_state("account", account_tried(request, None))
        if usage is None or not usage.full or is_known_browser(request):
            return None
        first_tries = limit_state("first_tries", _account_and_network(request))
        if first_tries and not first_tries.full:
            return None
        return too_many_requests(request, usage.ends)


def is_known_browser(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> bool:
    """Return True if somebody has signed in to this account in this browser before, and not too
    many tries in the browser were wrong."""
    known = _token_and_account_ids(request)
    if known is None:
        return False
    token, accounts = known
    usage = limit_state("known_browser", token)
    name_or_address = account_tried(request, credentials)
    accounts_tried = User.objects.filter(
        Q(email__iexact=name_or_address) | Q(username__iexact=name_or_address),
        public_id__in=accounts,
    )
    return not (usage and usage.full) and accounts_tried.exists()


def letter_use(request: HttpRequest, email: str) -> Usage | None:
    """Count an email that somebody requests to an address; return the usage, or None without a
    limit.

    It counts for the requester, so that nobody uses up another's emails. A browser in which the
    address's owner has signed in before is counted by itself.
    """
    requester = requester_key(request)
    known = _token_and_account_ids(request)
    if known is not None and is_known_browser(request, {"email": email}):
        requester = f"browser {known[0]}"
    return limit_use("letters", f"{email.strip().lower()} {requester}")


def account_tried(request: HttpRequest, credentials: Mapping[str, str] | None) -> str:
    """Return the address or name with which somebody tries to sign in: the form sends it as
    `login`, and Django's credentials hold it as `email` or `username`."""
    if credentials:
        name_or_address = credentials.get("email") or credentials.get("username") or ""
    else:
        name_or_address = request.POST.get("login", "")
    return name_or_address.strip().lower()


@receiver(user_login_failed)
def count_failure(
    sender: object,
    credentials: Mapping[str, str],
    request: HttpRequest | None = None,
    **kwargs: Any,
) -> None:
    """Count a wrong password, unless the try was refused before the password was checked."""
    if request is None or getattr(request, "axes_locked_out", False):
        return
    limit_use("account", account_tried(request, credentials))
    limit_use("first_tries", _account_and_network(request))
    known = _token_and_account_ids(request)
    if known:
        limit_use("known_browser", known[0])


@receiver(user_logged_in)
def browser_note(sender: object, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Note the account that has just signed in, for the browser's cookie."""
    request.signed_in_now = user.public_id  # type: ignore[attr-defined]


@receiver(came_in)
def new_browser_tell(sender: object, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Write to an account's owner when somebody has signed in to it in a new browser."""
    known = _token_and_account_ids(request)
    if user.email and (known is None or user.public_id not in known[1]):
        context = {
            "user": user,
            "browser": browser_name(request.META.get("HTTP_USER_AGENT", "")),
            "password_url": public_address(reverse("account_reset_password")),
            "sessions_url": public_address(reverse("account-sessions")),
        }
        get_adapter().send_mail("account/email/new_browser", user.email, context)


@receiver([password_changed, password_reset, authenticator_added])
def others_sign_out(sender: object, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """End the account's other sessions after a new password or second factor, since they began
    without it."""
    sessions_end(user=user, kept_session_key=request.session.session_key)


def sign_in_new(request: HttpRequest, user: User) -> None:
    """Sign in to a new account. A phone's own account stays signed in as long as it is used."""
    login(request, user, backend=BACKEND)
    if user.is_phone:
        request.session[SEEN] = _today()
        request.session.set_expiry(int(SIGN_INS_KEPT.total_seconds()))
    else:
        UserSession.objects.create_from_request(request)


def _renew_phone_session(request: HttpRequest) -> None:
    """Store the day in the session once a day: a changed session lasts longer."""
    session = request.session
    if session.accessed and session.get(SEEN, _today()) != _today():
        session[SEEN] = _today()


def _today() -> str:
    return timezone.now().date().isoformat()


def _token_and_account_ids(request: HttpRequest) -> tuple[str, list[str]] | None:
    try:
        token, account_ids = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=COOKIE_AGE
        )
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return token, account_ids


def _account_and_network(request: HttpRequest) -> str:
    return f"{account_tried(request, None)} {client_network(request)}"
