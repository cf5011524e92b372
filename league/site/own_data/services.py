"""Deleting an account. What it did in clubs stays in their logs, without a name."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import CASCADE, ForeignObjectRel
from django.utils.translation import gettext

from league.core.account.models import User
from league.core.account.services import sessions_end
from league.core.club.models import Club
from league.core.erasures_file import erasures_keep
from league.core.key.models import ApiKey
from league.core.key.services.key import key_revoke
from league.core.log.services import Actor
from league.core.member.models.member import Membership
from league.core.member.services.member import member_change
from league.core.player.models import Player
from league.disputes.arbiter.services import arbiter_leave
from league.events.helper.models import Helper
from league.events.helper.services import helper_remove
from league.standings.player.services import player_link

IN_LOGS: Final = (Membership, ApiKey, Helper)


def account_delete(*, user: User) -> None:
    """Take an account's roles, keys and players from it, each with an entry in the club's log, then
    forget its personal data.

    The account also gives up the disputed games that it was to rule on. Players stay, without an
    account. The account's public id goes into ERASURES_FILE. Raise `ValidationError` if it is a
    club's last organiser or the service's last operator, and `OSError` if ERASURES_FILE can't be
    written.
    """
    actor = Actor(user.pk)
    with transaction.atomic():
        refuse_last_operator(user)
        erasures_keep([user.public_id])
        for club in Club.objects.filter(memberships__user=user).distinct().order_by("pk"):
            member_change(club=club, user=user, roles=[], actor=actor)
        for helper in (
            Helper.objects.filter(user=user, ended_at=None).select_related("event").order_by("pk")
        ):
            helper_remove(helper=helper, actor=actor)
        arbiter_leave(user=user, actor=actor)
        for key in ApiKey.objects.filter(user=user, revoked_at=None).order_by("pk"):
            key_revoke(key=key, actor=actor)
        for player in Player.objects.filter(user=user).order_by("club", "pk"):
            player_link(player=player, account=None, actor=actor)
        account_forget(user=user)


def refuse_last_operator(user: User) -> None:
    """Raise `ValidationError` if this account is the service's only operator."""
    operators = (
        User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
    )
    if user.is_superuser and list(operators) == [user]:
        raise ValidationError(
            gettext(
                "Nobody would be left to run the service. Make somebody else an operator first."
            )
        )


@transaction.atomic
def account_forget(*, user: User) -> None:
    """Empty an account, so that nobody can sign in to it. Roles and keys that it still has, as
    after a backup was restored, stay as the clubs' logs have them, but give no access."""
    sessions_end(user=user)
    for relation in User._meta.get_fields(include_hidden=True):
        if (
            isinstance(relation, ForeignObjectRel)
            and getattr(relation, "on_delete", None) is CASCADE
        ):
            _delete_unlogged_rows(relation, user)
    entries = AdminEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    )
    entries.update(object_repr="", change_message="")
    emptied = User(
        pk=user.pk, public_id=user.public_id, username=f"account-{user.public_id}", is_active=False
    )
    emptied.date_joined = user.date_joined
    emptied.is_program = User.objects.values_list("is_program", flat=True).get(pk=user.pk)
    emptied.set_unusable_password()
    emptied.save(force_update=True)


def _delete_unlogged_rows(relation: ForeignObjectRel, user: User) -> None:
    model: Any = relation.related_model
    if model not in IN_LOGS:
        model._base_manager.filter(**{relation.field.name: user}).delete()
