"""Choosing notices by topic and channel."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core import signing
from django.db import transaction

from league.core.account.models import User
from league.core.delivery.models.preference import NoticePreference, NoticeTopic

SALT: Final = "cups-up/stop-notices/1"


def preference_set(*, user: User, mail: Collection[str], push: Collection[str]) -> None:
    """Store the topics that an account wants by mail, and on its devices."""
    NoticePreference.objects.update_or_create(
        user=user, defaults={"mail": _in_order(mail), "push": _in_order(push)}
    )


@transaction.atomic
def topic_stop(*, user: User, topic: NoticeTopic) -> None:
    """Stop mails on one topic; the account's other choices stay."""
    # A lock: the account's preference may have no row yet.
    User.objects.select_for_update().get(pk=user.pk)
    preference = NoticePreference.objects.filter(user=user).first() or NoticePreference(user=user)
    preference.mail = [kept_topic for kept_topic in preference.mail if kept_topic != topic]
    preference.save()


def stop_token(public_id: str, topic: NoticeTopic) -> str:
    """Return the token with which the reader of an email (a public id) can stop emails on its
    topic."""
    return signing.dumps([public_id, topic.value], salt=SALT)


def stop_token_read(token: str) -> tuple[User, NoticeTopic]:
    """Return the account and the topic of a token made by `stop_token`, which never expires.

    Raise `User.DoesNotExist` if we didn't make the token, or if its account is gone.
    """
    try:
        public_id, topic = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise User.DoesNotExist from error
    return User.objects.get(public_id=public_id), NoticeTopic(topic)


def _in_order(topics: Collection[str]) -> list[str]:
    return [topic for topic in NoticeTopic.values if topic in topics]
