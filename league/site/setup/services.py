"""The first start: the operator's account, and a club."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from league.core.account.models import User
from league.core.account.queries.setup import is_set_up
from league.core.account.services import account_create
from league.core.club.models import Club
from league.core.club.services import club_create
from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import Actor
from league.core.member.models.member import Role
from league.core.member.services.member import member_add


class SetUpAlready(Exception):
    """An account exists already."""


@transaction.atomic
def first_account_create(
    *, name: str, email: str, password: str, club: dict[str, Any]
) -> tuple[User, Club]:
    """Create the first account, an operator's, and a club with these settings, with the account as
    its organiser.

    Raise `SetUpAlready` if an account exists, so also in the second of two simultaneous calls;
    raise `ValidationError` with messages by field, and `Busy`.
    """
    transaction_lock_patient(Space.SETUP, 0)
    if is_set_up():
        raise SetUpAlready
    user = account_create(name=name, email=email, password=password, operator=True)
    new_club = club_create(actor=Actor(user.pk), **club)
    member_add(club=new_club, user=user, role=Role.ORGANISER, actor=Actor(user.pk))
    return user, new_club
