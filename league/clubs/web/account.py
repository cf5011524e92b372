"""How accounts come to be, and which one a login tries."""

from collections.abc import Mapping

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts come with an invitation; nobody signs up by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up here: an invitation leads to a page of its own."""
        return False


def account_tried(request: HttpRequest, credentials: Mapping[str, str] | None) -> str:
    """The account that a login tries, by address or name: what is locked after too many wrong passwords.

    The service's own form asks for `login` and hands it on as `email`; the administration has `username`.
    """
    sent: Mapping[str, str] = credentials or request.POST
    return (sent.get("email") or sent.get("login") or sent.get("username") or "").strip().lower()
