"""`manage.py second_factor drop ACCOUNT`: for people who have lost all their second factors."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.core.account.models import User
from league.core.account.services import second_factor_drop
from league.core.player.queries.player import account_named


class Command(BaseCommand):
    """Remove an account's second factors."""

    help = (
        "Remove an account's app, passkeys and recovery codes, and sign it out everywhere. It "
        "then signs in with its password alone. Make sure first that whoever asks for it is its "
        "owner. "
        "An operator has to set up another second factor before the administration opens."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the verb and the account."""
        parser.add_argument("verb", choices=["drop"])
        parser.add_argument("account", help="its name or email address")

    def handle(self, *, verb: str, account: str, **options: Any) -> None:
        """Remove the account's second factors, and print whether it had any."""
        try:
            user = account_named(account)
        except User.DoesNotExist as error:
            raise CommandError(f"There is no account {account}.", returncode=2) from error
        dropped = second_factor_drop(user=user)
        outcome = "has no second factor any more" if dropped else "had no second factor"
        self.stdout.write(f"{user.username} {outcome}, and is signed out everywhere.")
