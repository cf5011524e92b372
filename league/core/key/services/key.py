"""Creating and revoking API keys."""

from __future__ import annotations

from django.db.models.functions import Now

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of
from league.core.key.actions import KeyAction
from league.core.key.models import ApiKey
from league.core.log.services import Actor, club_journal


def key_create(
    *,
    club: Club,
    user: User,
    label: str,
    scope: str = ApiKey.Scope.CLUB,
    actor: Actor | None = None,
) -> tuple[ApiKey, str]:
    """Create a key to a club, which acts as the account `user`. Return it with its secret, which
    isn't stored."""
    secret = ApiKey.new_secret()
    with club_journal(club.pk, actor or Actor(user.pk)) as journal:
        key = ApiKey.objects.create(
            club=club, user=user, label=label, scope=scope, digest=digest_of(secret)
        )
        payload = {"label": label, "account": user.public_id}
        if scope != ApiKey.Scope.CLUB:
            payload["scope"] = scope
        journal.add(KeyAction.CREATED, key.public_id, payload, texts=["label"])
    return key, secret


def key_revoke(*, key: ApiKey, actor: Actor) -> bool:
    """Revoke a key; return False if it was already revoked."""
    with club_journal(key.club_id, actor) as journal:
        revoked = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=Now())
        if revoked:
            journal.add(KeyAction.REVOKED, key.public_id, {"label": key.label}, texts=["label"])
    return bool(revoked)
