"""Accounts."""

from typing import Final

import pgtrigger
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicIdField
from league.core.frame.names import all_seen

MARK_STAYS: Final = pgtrigger.Protect(
    name="program_for_good",
    operation=pgtrigger.Update,
    condition=pgtrigger.Q(old__is_program=True, new__is_program=False),
)
"""An account that was marked as a program is never unmarked."""
PHONE: Final = "phone-"
"""The prefix of the names of phones' own accounts."""
NAME_TAKEN: Final = _("Another account has this name. Add something to yours, such as your club.")


def account_name_valid(name: str) -> None:
    """Raise `ValidationError` if an account's name isn't readable, or has an @ and so could pass
    for an address."""
    all_seen(name)
    if "@" in name:
        raise ValidationError(
            _("A name can’t contain @. There’s a separate field for your email address.")
        )


class User(AbstractUser):
    """An account: somebody who signs in. The people at tables are `Player`s; one account may be a
    player of many clubs.

    `unseen`: how many notices are new; `turns`: how many turn-by-turn games wait for the account.
    Both are on every page, so they aren't counted each time. `is_program`: a program plays by this
    account at online tables; the mark stays for good."""

    public_id = PublicIdField()
    username = models.CharField(
        _("name"),
        max_length=150,
        unique=True,
        validators=[account_name_valid],
        error_messages={"unique": NAME_TAKEN},
    )
    email = models.EmailField(_("email address"))
    unseen = models.PositiveIntegerField(default=0, editable=False)
    turns = models.PositiveIntegerField(default=0, editable=False)
    is_program = models.BooleanField(
        _("is a program"), default=False, db_default=False, editable=False
    )

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined, misc, unused-ignore]
        verbose_name = _("account")  # type: ignore[assignment, unused-ignore]
        verbose_name_plural = _("accounts")  # type: ignore[assignment, unused-ignore]
        constraints = [
            models.UniqueConstraint(
                Lower("email"), name="user_email_once", condition=~models.Q(email="")
            )
        ]
        triggers = [MARK_STAYS]

    @property
    def is_phone(self) -> bool:
        """Return True for an account that was made for a phone: without an address, so nobody can
        sign in to it."""
        return not self.email and self.username.startswith(PHONE)
