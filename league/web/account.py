"""How accounts come to be."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts are made by administrators; nobody signs up by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False
